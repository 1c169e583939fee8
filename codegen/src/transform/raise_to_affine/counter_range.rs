//! Ranges of counters: whether what the exit test of a loop computes wraps around.

use gridloom_dialects::{arith, scf};
use gridloom_ir::Value;

use super::casts::{has_nsw, range_of};
use super::exit_test::Offset;
use crate::analysis::interval::{Interval, MAX_TRIPS};
use crate::analysis::values::AffineValues;

/// Limit of the counter: it stays below, or above where it counts down.
#[derive(Clone, Copy)]
pub(super) enum Limit {
    Outside(Value),
    Constant(i64),
}

/// Step of a counter, always positive: what it adds, or subtracts where it counts down.
#[derive(Clone, Copy)]
pub(super) enum Step {
    Constant(i64),
    Invariant(Value),
}

/// The range of an integer at a loop.
pub(super) fn range_at(values: &mut AffineValues, op: scf::WhileOp, value: Value) -> Interval {
    let Some(of_type) = range_of(values, value) else {
        let env = values.environment_at(op.0);
        let expr = values.exact_expr(value, env);
        let found = values.interval(expr, env);
        return found.map_or(Interval::MACHINE, |found| found.meet(Interval::MACHINE));
    };
    if let Some(number) = arith::constant_int(values.ctx, values.body, value) {
        return Interval::point(number.into());
    }
    values.integer_interval(value).meet(of_type)
}

/// The range of what a test adds to its counter.
fn offset_range(values: &mut AffineValues, op: scf::WhileOp, offset: Offset) -> Option<Interval> {
    let range = range_at(values, op, offset.by);
    match offset.is_subtracted {
        true => range.times(Interval::point(-1)),
        false => Some(range),
    }
}

/// The range of the integers of a value's type.
fn type_range(values: &AffineValues, value: Value) -> Interval {
    range_of(values, value).unwrap_or(Interval::MACHINE)
}

/// Whether the first sum of counter and offset does not wrap around.
pub(super) fn starts_within(
    values: &mut AffineValues,
    op: scf::WhileOp,
    first: Value,
    offset: Offset,
) -> bool {
    let sum = values.body[offset.sum].result(0);
    let first = range_at(values, op, first);
    let start = offset_range(values, op, offset).and_then(|by| first.plus(by));
    has_nsw(values.ctx, values.body, offset.sum)
        || start.is_some_and(|start| start.is_within(type_range(values, sum)))
}

/// Whether the number behind the last one, a bound less an offset, fits the machine word.
pub(super) fn end_fits(
    values: &mut AffineValues,
    op: scf::WhileOp,
    bound: Value,
    offset: Offset,
    is_inclusive: bool,
) -> bool {
    let bound = range_at(values, op, bound);
    let by = offset_range(values, op, offset).and_then(|by| by.times(Interval::point(-1)));
    let end = by.and_then(|by| bound.plus(by));
    // A loop up to the greatest number would run for ever.
    let is_low = !is_inclusive || bound.most < Interval::MACHINE.most;
    let behind = Interval::point(is_inclusive.into());
    let last = end.and_then(|end| end.plus(behind));
    let fits = |end: Option<Interval>| end.is_some_and(|end| end.is_within(Interval::MACHINE));
    is_low && fits(end) && fits(last)
}

/// Whether neither a counter nor its sum with an offset wraps around in the step that ends the loop,
/// by the range of the bound.
pub(super) fn leaves_room(
    values: &mut AffineValues,
    op: scf::WhileOp,
    first: Value,
    bound: Value,
    offset: Option<Offset>,
    step: Step,
    is_down: bool,
) -> bool {
    let bound = range_at(values, op, bound);
    let step = match step {
        Step::Constant(number) => Interval::point(number.into()),
        Step::Invariant(value) => range_at(values, op, value),
    };
    let step = match is_down {
        true => step.times(Interval::point(-1)),
        false => Some(step),
    };
    // The last number of an iteration is at most, or at least, the bound.
    let Some(compared) = step.and_then(|step| bound.plus(step)) else {
        return false;
    };
    let keeps = |range: Interval, of_type: Interval| match is_down {
        true => range.least >= of_type.least,
        false => range.most <= of_type.most,
    };
    let own = type_range(values, first);
    let Some(offset) = offset else {
        return keeps(compared, own);
    };
    let sum = values.body[offset.sum].result(0);
    let by = offset_range(values, op, offset).and_then(|by| by.times(Interval::point(-1)));
    let counted = by.and_then(|by| compared.plus(by));
    keeps(compared, type_range(values, sum)) && counted.is_some_and(|range| keeps(range, own))
}

/// Whether an `index` that starts with `first` takes more iterations than any run has to wrap around.
pub(super) fn runs_short(
    values: &mut AffineValues,
    op: scf::WhileOp,
    first: Value,
    step: Step,
    is_down: bool,
) -> bool {
    let Step::Constant(step) = step else {
        return false;
    };
    let signed = if is_down { -step } else { step };
    let env = values.environment_at(op.0);
    let first = values.exact_expr(first, env);
    let way = Interval::point((MAX_TRIPS + 1) * i128::from(signed));
    let end = { values.interval(first, env) }.and_then(|first| first.plus(way));
    end.is_some_and(|end| end.is_within(Interval::MACHINE))
}

/// Whether a counter that starts with `first` takes more iterations than any run has to reach the
/// last number of its type.
pub(super) fn starts_low(values: &mut AffineValues, op: scf::WhileOp, first: Value) -> bool {
    let env = values.environment_at(op.0);
    let first = values.exact_expr(first, env);
    let range = values.interval(first, env);
    range.is_some_and(|range| range.most < Interval::MACHINE.most - MAX_TRIPS)
}

/// Whether `first - limit` fits the machine word, unless the loop would run too long to end.
pub(super) fn distance_fits(
    values: &mut AffineValues,
    op: scf::WhileOp,
    first: Value,
    limit: Limit,
) -> bool {
    let bound = match limit {
        // The difference may only be too large, not too small.
        Limit::Constant(..=0) => return true,
        Limit::Constant(number) => values.ctx.affine_const(number),
        Limit::Outside(bound) => {
            let env = values.environment_at(op.0);
            values.exact_expr(bound, env)
        }
    };
    let env = values.environment_at(op.0);
    let first = values.exact_expr(first, env);
    let distance = values.ctx.affine_sub(first, bound);
    let range = values.interval(distance, env);
    range.is_some_and(|range| range.is_within(Interval::MACHINE))
}
