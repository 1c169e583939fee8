//! Collective operations on vectors.

use gridloom_dialects::vector::VectorShape;
use gridloom_ir::{Body, Builder, Context, OpId, OpState, Type, Value};

use crate::transform::vector_elements::{from_elements, to_elements};

/// Limit of the elements of a vector that is taken apart: each element is an exchange.
const MAX_ELEMENTS: i64 = 256;

/// Makes of each collective operation on a vector one for each element. Returns the operations in their order.
///
/// ```text
/// %r, %valid = gpu.shuffle xor %v, %o, %w : vector<2xf32>
///     ⇒ %x, %y = vector.to_elements %v
///       %p, %valid = gpu.shuffle xor %x, %o, %w : f32
///       %q, %valid1 = gpu.shuffle xor %y, %o, %w : f32
///       %r = vector.from_elements %p, %q
/// ```
///
/// Always legal: these operations treat the elements of a vector apart.
pub(super) fn split_vectors(ctx: &Context, body: &mut Body, ops: Vec<OpId>) -> Vec<OpId> {
    let parts = ops
        .into_iter()
        .map(|op| split(ctx, body, op).unwrap_or_else(|| vec![op]));
    parts.flatten().collect()
}

fn split(ctx: &Context, body: &mut Body, op: OpId) -> Option<Vec<OpId>> {
    let whole = *body[op].operands.first()?;
    let ty = body.ty(whole);
    let shape = VectorShape::of(ctx, ty)?;
    let count = shape.num_elements();
    if shape.is_scalable() || !(1..=MAX_ELEMENTS).contains(&count) {
        return None;
    }
    let data = body[op].clone();
    let old: Vec<Value> = data.results().collect();
    let mut types: Vec<Type> = old.iter().map(|&value| body.ty(value)).collect();
    *types.first_mut()? = shape.element;
    let mut b = Builder::before(ctx, body, op);
    let elements = to_elements(&mut b, whole);
    let mut parts = Vec::new();
    for element in elements {
        let mut operands = data.operands.to_vec();
        operands[0] = element;
        parts.push(
            b.create(OpState {
                properties: data.properties,
                attributes: data.attributes,
                ..OpState::new(data.name, data.loc)
                    .operands(&operands)
                    .results(&types)
            }),
        );
    }
    let results: Vec<Value> = parts.iter().map(|&part| b.body[part].result(0)).collect();
    let mut new = vec![from_elements(&mut b, &results, ty)];
    // Whether a lane takes part is the same for all elements.
    new.extend(
        parts
            .first()
            .into_iter()
            .flat_map(|&part| b.body[part].results().skip(1)),
    );
    for (old, new) in old.into_iter().zip(new) {
        body.replace_uses(old, new);
    }
    body.erase(op);
    Some(parts)
}
