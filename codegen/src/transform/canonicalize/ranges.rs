//! Divisions and remainders of what is known to be small.
//!
//! ```text
//! affine.for %i = 0 to 8 {
//!   affine.apply (d0) -> (d0 floordiv 8)(%i)   ⇒  0
//!   affine.apply (d0) -> (d0 mod 8)(%i)        ⇒  %i
//! ```

use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::dialect::affine;
use gridloom_ir::{AffineExpr, Body, Context, Value};

use crate::transform::compose::Composed;

/// The least and the greatest value.
type Range = (i128, i128);

/// Simplifies expressions by the constant bounds of the loops whose variables
/// they use. Returns whether anything changed.
pub(super) fn simplify_in_ranges(ctx: &Context, body: &Body, composed: &mut Composed) -> bool {
    let ranges: Vec<Option<Range>> = (composed.dims.iter())
        .map(|&value| variable_range(ctx, body, value))
        .collect();
    if ranges.iter().all(Option::is_none) {
        return false;
    }
    let mut changed = false;
    for expr in &mut composed.exprs {
        let simpler = simplify(ctx, &ranges, *expr);
        changed |= simpler != *expr;
        *expr = simpler;
    }
    changed
}

/// What the variable of a loop with constant bounds may be.
fn variable_range(ctx: &Context, body: &Body, value: Value) -> Option<Range> {
    let block = body.value_block(value)?;
    let op = affine::ForOp::cast(body, body.block_parent_op(block)?)?;
    if body[block].args.first() != Some(&value) {
        return None;
    }
    let from = i128::from(op.lower(ctx, body).map.as_single_constant(ctx)?);
    let to = i128::from(op.upper(ctx, body).map.as_single_constant(ctx)?);
    let step = i128::from(op.step(ctx, body));
    (from < to && step > 0).then(|| (from, from + (to - 1 - from) / step * step))
}

/// The expression has few nodes, so its depth is bounded.
fn simplify(ctx: &Context, ranges: &[Option<Range>], expr: AffineExpr) -> AffineExpr {
    let AffineExprKind::Binary(op, lhs, rhs) = expr.kind(ctx) else {
        return expr;
    };
    let lhs = simplify(ctx, ranges, lhs);
    let rhs = simplify(ctx, ranges, rhs);
    decide(ctx, ranges, op, lhs, rhs).unwrap_or_else(|| ctx.affine_binary(op, lhs, rhs))
}

/// A division whose quotient is the same over the whole range.
fn decide(
    ctx: &Context,
    ranges: &[Option<Range>],
    op: AffineOp,
    lhs: AffineExpr,
    rhs: AffineExpr,
) -> Option<AffineExpr> {
    if !matches!(op, AffineOp::Mod | AffineOp::FloorDiv | AffineOp::CeilDiv) {
        return None;
    }
    let by = i128::from(rhs.as_constant(ctx)?);
    let (least, greatest) = range(ctx, ranges, lhs)?;
    let quotient = |number: i128| match op {
        AffineOp::CeilDiv => -(-number).div_euclid(by),
        _ => number.div_euclid(by),
    };
    if by <= 0 || quotient(least) != quotient(greatest) {
        return None;
    }
    match (op, quotient(least)) {
        (AffineOp::Mod, 0) => Some(lhs),
        (AffineOp::Mod, _) => None,
        (_, quotient) => Some(ctx.affine_const(i64::try_from(quotient).ok()?)),
    }
}

fn range(ctx: &Context, ranges: &[Option<Range>], expr: AffineExpr) -> Option<Range> {
    match expr.kind(ctx) {
        AffineExprKind::Constant(number) => Some((number.into(), number.into())),
        AffineExprKind::Dim(number) => *ranges.get(number as usize)?,
        AffineExprKind::Symbol(_) => None,
        AffineExprKind::Binary(op, lhs, rhs) => {
            let (a, b) = range(ctx, ranges, lhs)?;
            let constant = || rhs.as_constant(ctx).map(i128::from);
            match op {
                AffineOp::Add => {
                    let (c, d) = range(ctx, ranges, rhs)?;
                    Some((a.checked_add(c)?, b.checked_add(d)?))
                }
                AffineOp::Mul => {
                    let factor = constant()?;
                    let ends = [a.checked_mul(factor)?, b.checked_mul(factor)?];
                    Some((ends[0].min(ends[1]), ends[0].max(ends[1])))
                }
                AffineOp::Mod => {
                    let by = constant().filter(|&by| by > 0)?;
                    Some((0, by - 1))
                }
                AffineOp::FloorDiv => {
                    let by = constant().filter(|&by| by > 0)?;
                    Some((a.div_euclid(by), b.div_euclid(by)))
                }
                AffineOp::CeilDiv => None,
            }
        }
    }
}
