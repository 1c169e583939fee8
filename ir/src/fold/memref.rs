//! Sizes and casts of memrefs.

use super::{FoldResult, int_constant};
use crate::body::{Body, OpId};
use crate::context::Context;
use crate::dialect::memref::{self, DimOp, Mixed, SubViewOp};
use crate::types::DYNAMIC;

/// `memref.dim`, from the type or from the operation that made the memref.
pub(super) fn fold_dim(ctx: &Context, body: &Body, op: OpId) -> Option<FoldResult> {
    let op = DimOp(op);
    let dim = usize::try_from(op.constant_index(ctx, body)?).ok()?;
    let source = op.source(body);
    let shape = &body.ty(source).memref(ctx)?.shape;
    let extent = *shape.get(dim)?;
    if extent != DYNAMIC {
        return int_constant(ctx, ctx.index_type(), extent as u64);
    }
    let maker = body.defining_op(source)?;
    match body[maker].name {
        memref::ALLOC | memref::ALLOCA => {
            let position = shape[..dim].iter().filter(|&&d| d == DYNAMIC).count();
            let sizes = memref::dynamic_sizes(ctx, body, maker);
            sizes.get(position).map(|&size| FoldResult::Value(size))
        }
        memref::SUBVIEW => {
            let sizes = SubViewOp(maker).sizes(ctx, body);
            // Dropped dimensions would shift the positions.
            match *sizes.get(dim).filter(|_| sizes.len() == shape.len())? {
                Mixed::Value(size) => Some(FoldResult::Value(size)),
                Mixed::Constant(_) => None,
            }
        }
        _ => None,
    }
}

/// A cast to the type that is there, or back to the one that was.
pub(super) fn fold_cast(body: &Body, op: OpId) -> Option<FoldResult> {
    let data = &body[op];
    let source = *data.operands.first()?;
    let ty = body.ty(data.result(0));
    if body.ty(source) == ty {
        return Some(FoldResult::Value(source));
    }
    let inner = body.defining_op(source)?;
    let origin = *body[inner].operands.first()?;
    let back = body[inner].name == memref::CAST && body.ty(origin) == ty;
    back.then_some(FoldResult::Value(origin))
}
