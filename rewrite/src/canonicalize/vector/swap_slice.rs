//! Swaps `extract_slice` with the `transfer_write` that fills the tensor it slices, if
//! the slice is only inserted into another tensor.
//!
//! ```text
//! %w = transfer_write %v, %t[0, 0]             %s = extract_slice %u[%i, 0] [%n, 8]
//! %s = extract_slice %w[0, 0] [%n, 8]       ⇒  %w = transfer_write %v, %s[0, 0]
//! insert_slice %s into %u[%i, 0] [%n, 8]       insert_slice %w into %u[%i, 0] [%n, 8]
//! ```

use gridloom_dialects::memref::Mixed;
use gridloom_dialects::{inherent, tensor, vector};
use gridloom_ir::{OpId, TypeKind, Value};

use super::super::build::{make, remake};
use super::super::slices::{assemble, lists};
use super::transfer::{is_projection, is_whole, transfer};
use super::vector_of;
use crate::rewriter::Rewriter;

/// The operation called `name` that defines a value whose only user is `user`.
fn only_step(rw: &Rewriter, value: Value, user: OpId, name: gridloom_ir::OpName) -> Option<OpId> {
    let maker = rw.body().defining_op(value)?;
    (rw.body()[maker].name == name && rw.users(value) == [user]).then_some(maker)
}

/// The shape of a ranked tensor.
fn shape<'a>(rw: &Rewriter<'a>, value: Value) -> Option<&'a [i64]> {
    match rw.body().ty(value).kind(rw.ctx) {
        TypeKind::RankedTensor { shape, .. } => Some(shape),
        _ => None,
    }
}

/// `insert_slice (extract_slice (transfer_write %v, %t)) into %u ⇒ insert_slice (transfer_write %v,
/// (extract_slice %u)) into %u`, as above; the vector must overwrite all of `%t`.
pub(super) fn insert_slice(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let [part, whole] = *rw.body()[op].operands.first_chunk()?;
    let slice = only_step(rw, part, op, tensor::EXTRACT_SLICE)?;
    let filled = *rw.body()[slice].operands.first()?;
    let write = only_step(rw, filled, slice, vector::TRANSFER_WRITE)?;
    let parts = transfer(rw, write)?;
    let (taken, put) = (lists(rw, slice, 1)?, lists(rw, op, 2)?);
    let all = |list: &[Mixed], number| list.iter().all(|&item| item == Mixed::Constant(number));
    let same_rank = [part, whole, filled].map(|value| shape(rw, value).map(<[i64]>::len));
    let fits = same_rank[0] == same_rank[1]
        && same_rank[0] == same_rank[2]
        && all(&taken[0], 0)
        && all(&taken[2], 1)
        && all(&put[2], 1)
        && taken[1] == put[1];
    // The vector must overwrite the whole tensor.
    let elements = vector_of(rw, parts.vector)?;
    let extents = shape(rw, filled)?;
    let fills = is_whole(&parts)
        && is_projection(rw, parts.map)
        && !elements.is_scalable()
        && elements.rank() == extents.len()
        && !extents.contains(&gridloom_ir::types::DYNAMIC)
        && elements.num_elements() == extents.iter().product::<i64>();
    if !fits || !fills {
        return None;
    }
    let ctx = rw.ctx;
    let ty = rw.body().ty(part);
    let (operands, properties) = assemble(ctx, &[whole], &put);
    let target = make(rw, op, tensor::EXTRACT_SLICE, &operands, ty, &properties);
    // The write now goes to the slice, so dimensions that the slice cuts are not in
    // bounds.
    let sizes = shape(rw, target)?;
    let inside = |(result, &size): (&gridloom_ir::AffineExpr, &i64)| {
        let gridloom_ir::affine::AffineExprKind::Dim(dim) = result.kind(ctx) else {
            return None;
        };
        Some(ctx.bool_attr(sizes.get(dim as usize) == Some(&size)))
    };
    let results = parts.map.results(ctx).iter().zip(elements.shape);
    let in_bounds: Vec<_> = results.map(inside).collect::<Option<_>>()?;
    let written = [
        (inherent::IN_BOUNDS.name(), ctx.array_attr(&in_bounds)),
        (
            inherent::PERMUTATION_MAP.name(),
            rw.body()[write].attr(ctx, inherent::PERMUTATION_MAP)?,
        ),
        (
            inherent::OPERAND_SEGMENT_SIZES.name(),
            rw.body()[write].attr(ctx, inherent::OPERAND_SEGMENT_SIZES)?,
        ),
    ];
    let operands = [&[parts.vector, target], &parts.indices[..]].concat();
    let part = make(rw, op, vector::TRANSFER_WRITE, &operands, ty, &written);
    let (operands, properties) = assemble(ctx, &[part, whole], &put);
    remake(rw, op, tensor::INSERT_SLICE, &operands, &properties)
}
