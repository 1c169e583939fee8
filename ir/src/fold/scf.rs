//! Loops that do not run.

use super::{FoldResult, int_bits, int_width, sign_extend};
use crate::body::{Body, OpId};
use crate::context::Context;
use crate::dialect::scf::ForOp;

/// A loop that never runs gives what it starts from.
pub(super) fn fold_for(ctx: &Context, body: &Body, op: OpId) -> Option<Vec<FoldResult>> {
    let op = ForOp(op);
    let (lower, upper) = (op.lower(body), op.upper(body));
    let empty = lower == upper || {
        let width = int_width(ctx, body.ty(lower))?;
        let (lower, upper) = (int_bits(ctx, body, lower)?, int_bits(ctx, body, upper)?);
        match op.is_unsigned(ctx, body) {
            true => lower >= upper,
            false => sign_extend(lower, width) >= sign_extend(upper, width),
        }
    };
    empty.then(|| {
        let inits = op.inits(body).iter();
        inits.map(|&init| FoldResult::Value(init)).collect()
    })
}
