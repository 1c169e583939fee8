//! Loads and stores of elements of two parts, split into those of their parts.

use gridloom_dialects::inherent;
use gridloom_ir::{Builder, OpId, OpState, Value};

use super::with_indices;

/// Loads both parts of an element.
pub(super) fn load_parts(b: &mut Builder, op: OpId) -> [Value; 2] {
    [0, 1].map(|part| {
        let data = b.body[op].clone();
        let ty = b.body.ty(data.operands[0]).element(b.ctx);
        let ty = ty.expect("the base of a load is a memref");
        let access = access(b, op, part, &data.operands);
        let state = access.results(&[ty]);
        let load = b.create(state);
        b.body[load].attributes = data.attributes;
        b.body[load].result(0)
    })
}

/// Stores both parts of an element.
pub(super) fn store_parts(b: &mut Builder, op: OpId, parts: [Value; 2]) {
    for (part, value) in (0..).zip(parts) {
        let data = b.body[op].clone();
        let mut operands = data.operands.clone();
        operands[0] = value;
        let state = access(b, op, part, &operands);
        let store = b.create(state);
        b.body[store].attributes = data.attributes;
    }
}

/// Builds the access of one part: one more index, or one more result of the map.
fn access(b: &mut Builder, op: OpId, part: i64, operands: &[Value]) -> OpState {
    let ctx = b.ctx;
    let (name, properties) = (b.body[op].name, b.body[op].properties);
    let map = b.body[op].get(ctx, inherent::MAP);
    let mut operands = operands.to_vec();
    if map.is_none() {
        operands.push(b.index_constant(part));
    }
    let mut state = b.state(name).operands(&operands);
    state.properties = properties;
    // A part may have half of the number's alignment only.
    state.properties = state.properties.without(ctx, ctx.ident("alignment"));
    match map {
        Some(map) => state.property(
            ctx,
            inherent::MAP,
            ctx.map_attr(with_indices(ctx, map, &[part])),
        ),
        None => state,
    }
}
