//! Subscripts of the sources of views.

use gridloom_dialects::memref::{Mixed, ReinterpretCastOp, SubViewOp};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{AffineExpr, Body, Context, OpId};

use super::{element_size, linearise};
use crate::analysis::values::AffineValues;

/// The first byte of an element of a `memref.view`, from the start of its source.
pub(super) fn first_byte(
    values: &mut AffineValues,
    view: OpId,
    coords: &[AffineExpr],
) -> Option<AffineExpr> {
    let (ctx, body) = (values.ctx, values.body);
    let result = body[view].result(0);
    let shift = values.expr(*body[view].operands.get(1)?);
    let element = linearise(ctx, body.ty(result).memref(ctx)?, coords)?;
    let size = ctx.affine_const(element_size(ctx, body, result)?);
    Some(ctx.affine_add(shift, ctx.affine_mul(element, size)))
}

fn mixed_expr(values: &mut AffineValues, mixed: Mixed) -> Option<AffineExpr> {
    match mixed {
        Mixed::Constant(DYNAMIC) => None,
        Mixed::Constant(value) => Some(values.ctx.affine_const(value)),
        Mixed::Value(value) => Some(values.expr(value)),
    }
}

/// `stride * index`, with a constant as the factor.
fn times_stride(values: &mut AffineValues, coord: AffineExpr, stride: Mixed) -> Option<AffineExpr> {
    let (ctx, stride) = (values.ctx, mixed_expr(values, stride)?);
    let (term, factor) = match stride.as_constant(ctx) {
        Some(_) => (coord, stride),
        None => (stride, coord),
    };
    Some(ctx.affine_mul(term, factor))
}

/// The dimension of a subview that each dimension of its source becomes; `None` for those that it
/// drops. A dropped dimension has size 1: which of several neighbours of size 1 goes makes no
/// difference, since in range the index of each is 0.
pub fn kept_dimensions(ctx: &Context, body: &Body, op: SubViewOp) -> Option<Vec<Option<usize>>> {
    let sizes = op.sizes(ctx, body);
    let shape = &body.ty(body[op.0].result(0)).memref(ctx)?.shape;
    let mut drop = sizes.len().checked_sub(shape.len())?;
    let (mut next, mut kept) = (0, Vec::with_capacity(sizes.len()));
    for size in sizes {
        let is_one = size == Mixed::Constant(1);
        let fits = shape.get(next) == Some(&1);
        if next == shape.len() || drop > 0 && is_one && !fits {
            drop = drop.checked_sub(1)?;
            kept.push(None);
        } else {
            kept.push(Some(next));
            next += 1;
        }
    }
    (drop == 0 && next == shape.len()).then_some(kept)
}

/// `offset + stride * index` along every dimension of the source.
pub(super) fn through_subview(
    values: &mut AffineValues,
    op: SubViewOp,
    coords: &[AffineExpr],
) -> Option<Vec<AffineExpr>> {
    let (ctx, body) = (values.ctx, values.body);
    let (offsets, strides) = (op.offsets(ctx, body), op.strides(ctx, body));
    let kept = kept_dimensions(ctx, body, op)?;
    let mut inner = Vec::new();
    for ((offset, stride), kept) in offsets.into_iter().zip(strides).zip(kept) {
        let offset = mixed_expr(values, offset)?;
        let Some(number) = kept else {
            inner.push(offset);
            continue;
        };
        let &coord = coords.get(number)?;
        let moved = times_stride(values, coord, stride)?;
        inner.push(ctx.affine_add(offset, moved));
    }
    Some(inner)
}

/// `offset + Σ stride * index`, from the start of the buffer.
pub(super) fn through_reinterpret_cast(
    values: &mut AffineValues,
    op: ReinterpretCastOp,
    coords: &[AffineExpr],
) -> Option<AffineExpr> {
    let (ctx, body) = (values.ctx, values.body);
    let offset = *op.offsets(ctx, body).first()?;
    let strides = op.strides(ctx, body);
    let mut sum = mixed_expr(values, offset)?;
    for (&coord, stride) in coords.iter().zip(strides) {
        sum = ctx.affine_add(sum, times_stride(values, coord, stride)?);
    }
    Some(sum)
}
