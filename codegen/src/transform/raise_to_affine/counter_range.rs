//! Ranges of counters: whether what the exit test of a loop computes wraps around.

use gridloom_dialects::{arith, scf};
use gridloom_ir::Value;

use super::bounds::is_natural;
use super::casts::{has_nsw, range_of};
use super::counted_while::next_of;
use super::exit_test::Offset;
use crate::analysis::interval::{Interval, MAX_TRIPS};
use crate::analysis::values::AffineValues;

/// Limit of the counter: it stays below, or above where it counts down.
#[derive(Clone, Copy)]
pub(super) enum Limit {
    Outside(Value),
    Constant(i64),
}

/// Step of a counter, a positive number: what it adds, or subtracts where it counts down.
#[derive(Clone, Copy)]
pub(super) enum Step {
    Constant(i64),
    Invariant(Value),
}

impl Step {
    /// Whether the step of a loop is known to be positive.
    pub(super) fn is_positive(self, values: &mut AffineValues, op: scf::WhileOp) -> bool {
        match self {
            Step::Constant(step) => step > 0,
            Step::Invariant(step) => range_at(values, op, step).least > 0,
        }
    }
}

/// Counter of a loop: the numbers that it runs through until the exit test fails.
#[derive(Clone, Copy)]
pub(super) struct Counter {
    pub(super) op: scf::WhileOp,
    /// Position among the carried values.
    pub(super) position: usize,
    /// Initial value.
    pub(super) first: Value,
    pub(super) step: Step,
    pub(super) is_down: bool,
    /// Value that the test compares the counter with.
    pub(super) bound: Value,
    /// Limit that follows from the bound.
    pub(super) limit: Limit,
    /// Whether the loop also runs for the counter equal to the limit.
    pub(super) is_inclusive: bool,
    /// The number that the test adds to the counter.
    pub(super) offset: Option<Offset>,
}

impl Counter {
    /// Whether the type of the counter is an index, or an integer that programs count with.
    pub(super) fn has_counting_type(&self, values: &AffineValues) -> bool {
        let ty = values.body.ty(self.first);
        let width = ty.signless_width(values.ctx);
        ty.is_index(values.ctx) || width.is_some_and(|width| (8..=64).contains(&width))
    }

    /// Whether the type of the counter has the limit.
    pub(super) fn has_limit_in_type(&self, values: &AffineValues) -> bool {
        let width = values.body.ty(self.first).signless_width(values.ctx);
        let half = width.map_or(63, |width| width - 1);
        match self.limit {
            Limit::Constant(number) => {
                (-(1i128 << half)..1i128 << half.min(63)).contains(&number.into())
            }
            Limit::Outside(_) => true,
        }
    }

    /// Whether counter and bound are indices that are not negative, so that an unsigned comparison of them is the signed one.
    pub(super) fn counts_naturals(&self, values: &mut AffineValues) -> bool {
        let env = values.environment_at(self.op.0);
        values.body.ty(self.first).is_index(values.ctx)
            && is_natural(values, self.first, env)
            && is_natural(values, self.bound, env)
    }

    /// Whether the step is positive, and nothing that the loop computes of the counter wraps around.
    pub(super) fn is_proved(&self, values: &mut AffineValues) -> bool {
        self.step.is_positive(values, self.op)
            && self.never_wraps(values)
            && self.has_exact_bounds(values)
    }

    /// Whether the counter, and its sum with the offset, wrap around in no run of the loop that ends.
    pub(super) fn never_wraps(&self, values: &mut AffineValues) -> bool {
        let (ctx, body) = (values.ctx, values.body);
        // A counter that wraps around repeats its values for ever, where the step divides their number.
        let divides = matches!(self.step, Step::Constant(step) if step.count_ones() == 1);
        let is_signed_sum = |sum| has_nsw(ctx, body, sum);
        let has_nsw = next_of(body, self.op, self.position).is_some_and(is_signed_sum)
            && self.offset.is_none_or(|offset| is_signed_sum(offset.sum));
        divides
            || has_nsw
            || self.leaves_room(values)
            || self.offset.is_none() && body.ty(self.first).is_index(ctx) && self.runs_short(values)
    }

    /// Whether neither the counter nor its sum with the offset wraps around in the step that ends the loop,
    /// by the range of the bound.
    fn leaves_room(&self, values: &mut AffineValues) -> bool {
        let bound = range_at(values, self.op, self.bound);
        let step = match self.step {
            Step::Constant(number) => Interval::point(number.into()),
            Step::Invariant(value) => range_at(values, self.op, value),
        };
        let step = match self.is_down {
            true => step.times(Interval::point(-1)),
            false => Some(step),
        };
        // The last number of an iteration is at most, or at least, the bound.
        let Some(compared) = step.and_then(|step| bound.plus(step)) else {
            return false;
        };
        let keeps = |range: Interval, of_type: Interval| match self.is_down {
            true => range.least >= of_type.least,
            false => range.most <= of_type.most,
        };
        let own = type_range(values, self.first);
        let Some(offset) = self.offset else {
            return keeps(compared, own);
        };
        let sum = values.body[offset.sum].result(0);
        let by = offset_range(values, self.op, offset);
        let by = by.and_then(|by| by.times(Interval::point(-1)));
        let counted = by.and_then(|by| compared.plus(by));
        keeps(compared, type_range(values, sum)) && counted.is_some_and(|range| keeps(range, own))
    }

    /// Whether an `index` takes more iterations than any run has to wrap around.
    fn runs_short(&self, values: &mut AffineValues) -> bool {
        let Step::Constant(step) = self.step else {
            return false;
        };
        let signed = if self.is_down { -step } else { step };
        let beyond = Interval::point((MAX_TRIPS + 1) * i128::from(signed));
        let end = (self.start(values)).and_then(|first| first.plus(beyond));
        end.is_some_and(|end| end.is_within(Interval::MACHINE))
    }

    /// Whether no bound of the `scf.for` wraps around: the distance of a loop that counts down, the number behind an
    /// inclusive limit, the bound less the offset.
    pub(super) fn has_exact_bounds(&self, values: &mut AffineValues) -> bool {
        let is_narrow = |values: &AffineValues, value: Value| {
            range_of(values, value).is_some_and(|range| range.most < 1 << 32)
        };
        let are_narrow = is_narrow(values, self.first) && is_narrow(values, self.bound);
        if let Some(offset) = self.offset {
            let are_narrow = are_narrow && is_narrow(values, offset.by);
            return self.starts_within(values, offset)
                && (are_narrow || !self.is_down && self.end_fits(values, offset));
        }
        let is_index = values.body.ty(self.first).is_index(values.ctx);
        are_narrow
            || match (self.is_down, self.is_inclusive) {
                (false, false) => true,
                // An upper limit that is the greatest number would let the loop run for ever.
                (false, true) => self.starts_low(values),
                (true, false) => is_index && self.distance_fits(values),
                (true, true) => false,
            }
    }

    /// Whether the first sum of counter and offset does not wrap around.
    fn starts_within(&self, values: &mut AffineValues, offset: Offset) -> bool {
        let sum = values.body[offset.sum].result(0);
        let first = range_at(values, self.op, self.first);
        let start = offset_range(values, self.op, offset).and_then(|by| first.plus(by));
        has_nsw(values.ctx, values.body, offset.sum)
            || start.is_some_and(|start| start.is_within(type_range(values, sum)))
    }

    /// Whether the number behind the last one, the bound less the offset, fits the machine word.
    fn end_fits(&self, values: &mut AffineValues, offset: Offset) -> bool {
        let bound = range_at(values, self.op, self.bound);
        let by = offset_range(values, self.op, offset);
        let by = by.and_then(|by| by.times(Interval::point(-1)));
        let end = by.and_then(|by| bound.plus(by));
        // A loop up to the greatest number would run for ever.
        let is_low = !self.is_inclusive || bound.most < Interval::MACHINE.most;
        let behind = Interval::point(self.is_inclusive.into());
        let last = end.and_then(|end| end.plus(behind));
        let fits = |end: Option<Interval>| end.is_some_and(|end| end.is_within(Interval::MACHINE));
        is_low && fits(end) && fits(last)
    }

    /// Whether the counter takes more iterations than any run has to reach the last number of its type.
    fn starts_low(&self, values: &mut AffineValues) -> bool {
        let range = self.start(values);
        range.is_some_and(|range| range.most < Interval::MACHINE.most - MAX_TRIPS)
    }

    /// Whether `first - limit` fits the machine word, unless the loop would run too long to end.
    fn distance_fits(&self, values: &mut AffineValues) -> bool {
        let env = values.environment_at(self.op.0);
        let bound = match self.limit {
            // The difference may only be too large, not too small.
            Limit::Constant(..=0) => return true,
            Limit::Constant(number) => values.ctx.affine_const(number),
            Limit::Outside(bound) => values.exact_expr(bound, env),
        };
        let first = values.exact_expr(self.first, env);
        let distance = values.ctx.affine_sub(first, bound);
        let range = values.interval(distance, env);
        range.is_some_and(|range| range.is_within(Interval::MACHINE))
    }

    /// The range of the initial value, as an index.
    fn start(&self, values: &mut AffineValues) -> Option<Interval> {
        let env = values.environment_at(self.op.0);
        let first = values.exact_expr(self.first, env);
        values.interval(first, env)
    }
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
