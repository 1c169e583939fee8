//! Maps on constants, and loops that do not run.

use super::{FoldResult, int_constant};
use crate::affine::AffineExprKind;
use crate::body::{Body, OpId};
use crate::context::Context;
use crate::dialect::affine::{self, ForOp};
use crate::dialect::arith::constant_int;

/// `affine.apply`, `affine.min`, `affine.max`.
pub(super) fn fold_map(ctx: &Context, body: &Body, op: OpId) -> Option<FoldResult> {
    let data = &body[op];
    let map = data.attr(ctx, "map")?.as_map(ctx)?;
    if let &[result] = map.results(ctx) {
        let position = match result.kind(ctx) {
            AffineExprKind::Dim(i) => Some(i as usize),
            AffineExprKind::Symbol(i) => Some(map.num_dims(ctx) + i as usize),
            _ => None,
        };
        if let Some(position) = position {
            return data.operands.get(position).map(|&v| FoldResult::Value(v));
        }
    }
    // An operand that the results do not mention may be anything.
    let constants: Option<Vec<i64>> = match map.results(ctx) {
        results if results.iter().all(|r| r.as_constant(ctx).is_some()) => {
            Some(vec![0; data.operands.len()])
        }
        _ => (data.operands.iter())
            .map(|&v| constant_int(ctx, body, v))
            .collect(),
    };
    let results = map.eval(ctx, &constants?)?;
    let chosen = match data.name {
        affine::MIN => results.into_iter().min(),
        affine::MAX => results.into_iter().max(),
        _ => results.first().copied(),
    };
    int_constant(ctx, ctx.index_type(), chosen? as u64)
}

/// A loop that never runs gives what it starts from.
pub(super) fn fold_for(ctx: &Context, body: &Body, op: OpId) -> Option<Vec<FoldResult>> {
    let op = ForOp(op);
    (op.constant_trip_count(ctx, body)? == 0).then(|| {
        let inits = op.inits(ctx, body).iter();
        inits.map(|&init| FoldResult::Value(init)).collect()
    })
}
