//! Rows of a loop: the end of the loop over whole rows, and the start of the epilogue.
//!
//! With `d = upper - lower` and rows of `p = factor · step`, the rows end at
//! `split = lower + (d floordiv p) · p`. Where `d` is less than 0 there are no iterations, and
//! neither product nor sum needs to make sense: `min(split, upper)` ends the rows and
//! `max(lower, split)` begins the rest. Else `split` lies between the bounds.

use gridloom_dialects::affine::{Bound, ForOp};
use gridloom_ir::AffineExpr;
use gridloom_ir::affine::AffineOp;

use crate::analysis::interval::{Interval, MAX_TRIPS};
use crate::analysis::values::AffineValues;
use crate::transform::emit_loops::MapWithOperands;
use crate::transform::joint_bounds::JointBounds;

/// The rows of a loop.
pub(super) struct Rows {
    /// Iterations in a row.
    pub(super) factor: u64,
    /// Difference of the last counter of a row from the first.
    pub(super) farthest: i64,
    /// The step of the loop of rows.
    pub(super) pitch: i64,
    /// Upper bound of the rows.
    pub(super) end: MapWithOperands,
    /// Lower bound of the epilogue, if there may be one.
    pub(super) epilogue_start: Option<MapWithOperands>,
}

impl Rows {
    /// The rows of a loop whose trip count, where constant, is at least `factor`; `None` where a
    /// bound has several results, or values may exceed 64 bits.
    pub(super) fn of(values: &mut AffineValues, op: ForOp, factor: u64) -> Option<Self> {
        let (ctx, body) = (values.ctx, values.body);
        let step = op.step(ctx, body);
        let pitch = step.checked_mul(i64::try_from(factor).ok()?)?;
        let constant = |value: i64| (ctx.constant_map(value), Vec::new());
        let (end, epilogue_start) = match (
            op.constant_lower(ctx, body),
            op.constant_trip_count(ctx, body),
        ) {
            (Some(lower), Some(trips)) => {
                let in_rows = i64::try_from(trips / factor * factor).ok()?;
                let split = lower.checked_add(step.checked_mul(in_rows)?)?;
                let epilogue_start = (!trips.is_multiple_of(factor)).then(|| constant(split));
                (constant(split), epilogue_start)
            }
            _ => open_rows(values, op, pitch)?,
        };
        Some(Rows {
            factor,
            farthest: pitch - step,
            pitch,
            end,
            epilogue_start,
        })
    }
}

/// End of the rows and start of the epilogue for an unknown trip count.
fn open_rows(
    values: &mut AffineValues,
    op: ForOp,
    pitch: i64,
) -> Option<(MapWithOperands, Option<MapWithOperands>)> {
    let (ctx, body) = (values.ctx, values.body);
    let (lower, upper) = (op.lower(ctx, body), op.upper(ctx, body));
    let mut single = |bound: Bound| -> Option<(AffineExpr, Interval)> {
        let exprs = values.map_exprs(op.0, bound.map, bound.operands);
        let &[expr] = &exprs[..] else { return None };
        let env = values.environment_at(op.0);
        let expr = expr.filter(|&expr| values.fits(expr, env))?;
        Some((expr, values.interval(expr, env)?))
    };
    let (from, first) = single(lower)?;
    let (to, last) = single(upper)?;
    let env = values.environment_at(op.0);
    let length = values.interval(ctx.affine_sub(to, from), env);
    // No loop runs more iterations than this limit.
    let longest = MAX_TRIPS * i128::from(op.step(ctx, body));
    let longest = length.map_or(longest, |length| length.most.min(longest));
    let (machine, row) = (Interval::MACHINE, i128::from(pitch));
    if longest + row > machine.most {
        return None;
    }
    let is_whole = length.is_some_and(|length| length.least >= 0);
    let may_wrap = length.is_none_or(|length| length.least - row < machine.least)
        || last.least - row < machine.least
        || first.least - row < machine.least;

    let joint = JointBounds::of(ctx, &[lower, upper]);
    let [lower, upper] = [joint.exprs[0][0], joint.exprs[1][0]];
    let pitch = ctx.affine_const(pitch);
    let difference = joint.difference(ctx, upper, lower);
    let rows = ctx.affine_binary(AffineOp::FloorDiv, difference, pitch);
    let split = ctx.affine_add(lower, ctx.affine_mul(rows, pitch));
    let bound = |results: &[AffineExpr]| (joint.map(ctx, results), joint.operands());
    let end = match may_wrap && !is_whole {
        true => bound(&[split, upper]),
        false => bound(&[split]),
    };
    let epilogue_start = match is_whole {
        true => bound(&[split]),
        false => bound(&[lower, split]),
    };
    Some((end, Some(epilogue_start)))
}
