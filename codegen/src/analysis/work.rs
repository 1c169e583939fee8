//! Work estimates: how often loops run, and how many operations an execution of an operation takes.
//!
//! ```text
//! affine.for %i = 0 to 100 {                    100 * (2 + 49.5 * 3)
//!   affine.for %j = 0 to %i { 3 operations }    %j: 0 to 99 iterations, of which the mean counts
//!   2 operations
//! }
//! ```
//!
//! Trip counts come from intervals of the bounds. One that is not known ends the estimate, counts as a number of the
//! caller's, or stays open: an [`Estimate`] that the run computes from sizes ([`open`]). Cost models use them; nothing
//! rests on them for correctness.

use gridloom_dialects::scf;
use gridloom_ir::op::Traits;
use gridloom_ir::{AffineExpr, Body, OpId};

use super::bounds::most_of;
use super::counter::{Counter, counters};
use super::estimate::Estimate;
use super::interval::Interval;
use super::values::AffineValues;
use open::OpenSizes;

pub(crate) mod open;

/// Trip count that stands for one that is not known, where a nest is divided or moved.
pub const OPEN_TRIPS: f64 = 256.0;

/// Number of operations that one execution of an operation takes, with one iteration of each loop whose trip count is unknown.
pub fn known_work_of(values: &mut AffineValues, op: OpId) -> f64 {
    work_assuming(values, op, 1.0)
}

/// Like [`known_work_of`], with so many iterations of each loop whose trip count is unknown.
pub fn work_assuming(values: &mut AffineValues, op: OpId, trips: f64) -> f64 {
    let mut work = Work::known(values);
    work.unknown = Some(trips);
    work.of(op).and_then(|work| work.known()).unwrap_or(0.0)
}

/// Mean execution count of an operation's blocks, from the bounds of a loop.
pub fn trips_of(values: &mut AffineValues, op: OpId) -> Option<f64> {
    Work::known(values).trips(op)?.known()
}

/// The greatest trip count along a counter.
pub fn most_trips(values: &mut AffineValues, counter: Counter) -> Option<f64> {
    let [_, most] = Work::known(values).extremes(counter)?;
    most.known()
}

/// Work estimator.
pub struct Work<'v, 'a> {
    values: &'v mut AffineValues<'a>,
    /// Trip count of loops where it is unknown.
    unknown: Option<f64>,
    /// The open numbers that may count, if any.
    sizes: Option<OpenSizes>,
}

impl<'v, 'a> Work<'v, 'a> {
    /// The estimator of what is known without a run.
    pub fn known(values: &'v mut AffineValues<'a>) -> Self {
        Work {
            values,
            unknown: None,
            sizes: None,
        }
    }

    /// The estimator by numbers that are known in front of a loop when it runs, for what is in the loop.
    pub fn in_front_of(values: &'v mut AffineValues<'a>, root: OpId) -> Self {
        Work {
            sizes: OpenSizes::in_front_of(values.body, root),
            values,
            unknown: None,
        }
    }

    pub fn body(&self) -> &'a Body {
        self.values.body
    }

    /// Number of operations that one execution of an operation takes, those in loops multiplied by the trip count; `None` where
    /// one is unknown.
    pub fn of(&mut self, op: OpId) -> Option<Estimate> {
        let body = self.values.body;
        let is_free = |op: OpId| {
            let name = body[op].name;
            name.has(Traits::TERMINATOR) || name.has(Traits::CONSTANT_LIKE)
        };
        let mut sum = Estimate::Known(f64::from(u8::from(!is_free(op))));
        // A work list replaces recursion, since the input chooses how deep nests are.
        let mut stack = vec![(op, Estimate::Known(1.0))];
        while let Some((op, times)) = stack.pop() {
            if body[op].inline_regions().is_empty() {
                continue;
            }
            let trips = self.trips(op).or(self.unknown.map(Estimate::Known))?;
            let times = times * trips;
            let below: Vec<OpId> = (body.blocks_of(op))
                .flat_map(|block| body.ops(block))
                .collect();
            let counted = below.iter().filter(|&&op| !is_free(op)).count();
            sum = sum + times.clone() * counted as f64;
            stack.extend(below.into_iter().map(|op| (op, times.clone())));
        }
        Some(sum)
    }

    /// Mean execution count of an operation's blocks, from the bounds of a loop.
    pub fn trips(&mut self, op: OpId) -> Option<Estimate> {
        let body = self.values.body;
        let mut product = Estimate::Known(1.0);
        let mut all = counters(body, op).peekable();
        if all.peek().is_none() && body[op].name == scf::FOR {
            return None;
        }
        for counter in all {
            product = product * self.trips_along(counter)?;
        }
        Some(product)
    }

    /// Mean of the least and the greatest trip count along a counter.
    pub fn trips_along(&mut self, counter: Counter) -> Option<Estimate> {
        let [least, most] = self.extremes(counter)?;
        Some((least + most) * 0.5)
    }

    /// The greatest value of an expression in the loop, by numbers that are known in front of it.
    pub fn most(&mut self, expr: AffineExpr) -> Option<Estimate> {
        let [_, most] = self.sizes.as_mut()?.range(self.values, expr)?;
        Some(most)
    }

    /// The greatest distance from 0 of a bound of a counter, where it may be beyond [`ROOM`].
    pub fn reach(&mut self, counter: Counter) -> Option<Estimate> {
        let values = &mut *self.values;
        let (ctx, body) = (values.ctx, values.body);
        let env = values.environment_at(counter.op);
        let mut reach = Estimate::Known(0.0);
        for bound in [counter.lower(ctx, body), counter.upper(ctx, body)] {
            for end in values.map_exprs(counter.op, bound.map, bound.operands) {
                let end = end?;
                let known = values.interval(end, env);
                if known.is_some_and(|known| known.is_within(ROOM)) {
                    continue;
                }
                let [least, most] = self.sizes.as_mut()?.range(values, end)?;
                reach = reach.max(least * -1.0).max(most);
            }
        }
        Some(reach)
    }

    fn extremes(&mut self, counter: Counter) -> Option<[Estimate; 2]> {
        let values = &mut *self.values;
        let (ctx, body) = (values.ctx, values.body);
        let env = values.environment_at(counter.op);
        let step = counter.step(ctx, body) as f64;
        let (lower, upper) = (counter.lower(ctx, body), counter.upper(ctx, body));
        let lowers = values.map_exprs(counter.op, lower.map, lower.operands);
        let uppers = values.map_exprs(counter.op, upper.map, upper.operands);
        let mut found: Option<[Estimate; 2]> = None;
        for low in &lowers {
            for high in &uppers {
                let distance = ctx.affine_sub((*high)?, (*low)?);
                // Of a loop inside of a block, only both loops together are short.
                let known = values.interval(distance, env).map(|range| {
                    let most = most_of(values, counter.op, distance).unwrap_or(range.most);
                    [range.least, most].map(|distance| (distance.max(0) as f64 / step).ceil())
                });
                let is_known = known.is_some_and(|[_, most]| most < MAX_TRIPS);
                let sizes = self.sizes.as_mut().filter(|_| !is_known);
                let open = sizes.and_then(|sizes| sizes.range(values, distance));
                let open = open.map(|ends| {
                    ends.map(|distance| distance.max(Estimate::Known(0.0)) * step.recip())
                });
                let known = known.map(|ends| ends.map(Estimate::Known));
                let Some(range) = open.or(known) else {
                    continue;
                };
                found = Some(match found {
                    Some([least, most]) => {
                        let [l, m] = range;
                        [least.min(l), most.min(m)]
                    }
                    None => range,
                });
            }
        }
        // A larger trip count stems from a bound that is unknown, since no kernel could run it.
        found.filter(|[_, most]| most.known().is_none_or(|most| most < MAX_TRIPS))
    }
}

/// Interval of bounds that leaves room in 64 bits for what threads add to a counter.
pub(crate) const ROOM: Interval = Interval {
    least: -(1 << 62),
    most: 1 << 62,
};

/// Limit of a trip count that counts as known.
const MAX_TRIPS: f64 = 1e9;
