//! Unrolled rounds: the inner loops of a thread of which several rounds become one.
//!
//! ```text
//! %s:2 = affine.for %k = 0 to 64                        %s:2 = affine.for %k = 0 to 64 step 4
//!     iter_args(%p = %z, %q = %z) {                         iter_args(%p = %z, %q = %z) {
//!   // x[i + k], x[i + k + 1]: two points of a tile       // x[i + k] … x[i + k + 4] for four rounds
//!   …                                             ⇒       …
//! }                                                     }
//! ```
//!
//! Drivers that run lanes in vector registers keep in each round the values of lanes that have left
//! the loop: a selection for each value that the loop carries, of which a tile has one a point. And
//! windows that overlap from round to round share loads.
//!
//! Always legal: the order stays. It is done to innermost loops where all accesses are proved in range:
//! a check in each copy would keep loads from being shared. A short loop is unrolled completely, then
//! the one around it; of a loop of unknown length, up to four rounds become one where that saves more than
//! the rounds that remain cost.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::{arith, gridloom, memref};
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{Body, Builder, Context, OpId, Value};

use super::model::Nest;
use super::trips::BandLoop;
use super::variance::Variance;
use crate::analysis::dependence::Dependences;
use crate::analysis::values::AffineValues;
use crate::target::Unrolling;
use crate::transform::affine_loop_unroll::{UnrollOptions, unroll_loop, unroll_open_loop};

/// Limit of the rounds of a loop that is unrolled completely.
const MAX_WHOLE: u64 = 9;

/// Limit of the rounds of a loop of unknown length that become one: those that do not fill one remain as
/// they are.
const MAX_OPEN: u64 = 4;

/// Limit of the operations of such a round, for all iterations of a thread's tile. A row of more keeps the lanes busy by itself,
/// and several of its rounds at a time leave no registers for what the loop carries: measured on products of matrices and
/// vectors, with 8 rows for each thread.
const MAX_OPEN_OPERATIONS: u64 = 96;

/// Points of a tile along a window that the choice of a number of rounds assumes.
const POINTS: u64 = 8;

/// Loops to unroll, inner ones first, with the rounds of each that become one.
pub type Unrolled = Vec<(OpId, u64)>;

/// Plans the inner loops to unroll of a thread that computes a tile of a band.
pub fn unrolled_loops(
    deps: &mut Dependences,
    band: &[BandLoop],
    tile: &[i64],
    limits: Unrolling,
) -> Unrolled {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let (Some(first), Some(last)) = (band.first(), band.last()) else {
        return Unrolled::new();
    };
    if limits.rounds < 2 {
        return Unrolled::new();
    }
    let counters: Vec<Value> = band.iter().map(|l| l.counter.induction_var(body)).collect();
    let thread = Thread {
        ctx,
        body,
        variance: Variance::new(ctx, body, first.counter.op, &counters),
        tile,
        last: last.counter.op,
    };
    let below = body.walk_op(thread.last);
    let innermost = below[1..].iter().filter_map(|&op| {
        let l = ForOp::cast(body, op)?;
        let is_flat = |&op: &OpId| body[op].inline_regions().is_empty();
        body.walk_op(op)[1..].iter().all(is_flat).then_some(l)
    });
    let innermost: Vec<ForOp> = innermost.collect();
    let values = &mut deps.values;
    let plans = innermost.into_iter();
    plans.flat_map(|l| thread.plan(values, l, limits)).collect()
}

/// Unrolls loops as planned.
pub fn unroll(ctx: &Context, body: &mut Body, unrolled: &Unrolled) {
    for &(op, factor) in unrolled {
        let options = UnrollOptions {
            factor,
            full_threshold: 0,
            up_to_factor: true,
            cleanup: false,
        };
        match constant_trips(ctx, body, ForOp(op)) {
            // A loop refused for its size stays, and computes the same.
            Some(_) => drop(unroll_loop(ctx, body, ForOp(op), options)),
            None => unroll_open_loop(ctx, body, ForOp(op), factor),
        }
    }
}

/// The number of rounds of a loop, where it begins at a constant.
fn constant_trips(ctx: &Context, body: &Body, l: ForOp) -> Option<u64> {
    l.constant_lower(ctx, body)?;
    l.constant_trip_count(ctx, body)
}

/// The number of rounds, up to `most`, of a loop of unknown length that become one.
fn open_rounds(values: &mut AffineValues, l: ForOp, most: u64) -> Option<u64> {
    let (ctx, body) = (values.ctx, values.body);
    let rounds = most.min(MAX_OPEN);
    let env = values.environment_at(l.0);
    let ends = [l.lower(ctx, body), l.upper(ctx, body)]
        .map(|bound| values.map_exprs(l.0, bound.map, bound.operands));
    let [&[Some(lower)], &[Some(upper)]] = [&ends[0][..], &ends[1][..]] else {
        return None;
    };
    let row = i128::from(rounds) * i128::from(l.step(ctx, body));
    let fits = |value: i128| i64::try_from(value).is_ok();
    let end = values.interval(upper, env)?;
    let way = values.interval(ctx.affine_sub(upper, lower), env)?;
    let is_safe = fits(end.least - row) && fits(way.least - row) && fits(way.most);
    (rounds > 1 && is_safe && way.most >= 2 * row).then_some(rounds)
}

/// Gathers the constant terms of sums of indices below an operation, so that equal subscripts of
/// points and rounds are equal expressions: a point's counter `%i + 1` and a round's `%k + 2` add up to
/// `(%i + %k) + 3`, as those of the next point and the round before do.
pub fn gather_constants(ctx: &Context, body: &mut Body, root: OpId) {
    /// A sum as a value, `None` for 0, and a constant.
    type Sum = (Option<Value>, i64);
    let mut sums: FxHashMap<Value, Sum> = FxHashMap::default();
    let mut replaced: FxHashMap<Value, Value> = FxHashMap::default();
    for op in body.walk_op(root) {
        let data = &body[op];
        let (&[x, y], Some(result)) = (&data.operands[..], data.results().next()) else {
            continue;
        };
        if data.name != arith::ADDI || body.ty(result) != ctx.index_type() {
            continue;
        }
        let [(x_base, x_offset), (y_base, y_offset)] = [x, y].map(|value| {
            let constant = arith::constant_int(ctx, body, value).map(|offset| (None, offset));
            let known = constant.or_else(|| sums.get(&value).copied());
            known.unwrap_or((Some(value), 0))
        });
        let mut b = Builder::before(ctx, body, op);
        let base = match (x_base, y_base) {
            (Some(_), Some(_)) if (x_offset, y_offset) == (0, 0) => continue,
            (Some(x), Some(y)) => b.binary(arith::ADDI, x, y),
            (Some(base), None) | (None, Some(base)) => base,
            (None, None) => continue,
        };
        // Sums of indices wrap around.
        let offset = x_offset.wrapping_add(y_offset);
        let constant = b.index_constant(offset);
        replaced.insert(result, b.binary(arith::ADDI, base, constant));
        sums.insert(result, (Some(base), offset));
    }
    body.replace_values_in(root, |value| replaced.get(&value).copied().unwrap_or(value));
}

/// Planner of the loops that each thread of a nest unrolls.
struct Thread<'a> {
    ctx: &'a Context,
    body: &'a Body,
    variance: Variance,
    tile: &'a [i64],
    /// The innermost loop of the band.
    last: OpId,
}

impl Thread<'_> {
    /// The rounds to unroll of a loop without loops inside, and of those around it.
    fn plan(&self, values: &mut AffineValues, innermost: ForOp, limits: Unrolling) -> Unrolled {
        let mut planned = Unrolled::new();
        if !self
            .body
            .walk_op(innermost.0)
            .iter()
            .all(|&op| self.is_proved(op))
        {
            return planned;
        }
        let mut copies = 1;
        let mut at = innermost;
        while !self.varies(at.0) {
            let operations = self.operations(at).saturating_mul(copies);
            let most = limits.operations / operations.max(1);
            let Some(trips) = constant_trips(self.ctx, self.body, at) else {
                if self.gains_of_unknown_length(at) {
                    let most = most.min(MAX_OPEN_OPERATIONS / operations.max(1));
                    let rounds = open_rounds(values, at, most.min(limits.rounds));
                    planned.extend(rounds.map(|rounds| (at.0, rounds)));
                }
                break;
            };
            if trips <= most.min(MAX_WHOLE) {
                planned.push((at.0, trips));
                copies *= trips;
            } else {
                let rounds = best_rounds(trips, most.min(limits.rounds));
                if rounds > 1 {
                    planned.push((at.0, rounds));
                }
                break;
            }
            match self.around(at) {
                Some(around) => at = around,
                None => break,
            }
        }
        planned
    }

    /// Whether an operation is no access, or one that is proved in range.
    fn is_proved(&self, op: OpId) -> bool {
        match self.body[op].name {
            affine::LOAD | affine::STORE | memref::LOAD | memref::STORE => {
                gridloom::is_in_bounds(self.ctx, &self.body[op])
            }
            _ => true,
        }
    }

    /// Whether the bounds of a loop differ between points of a tile.
    fn varies(&self, op: OpId) -> bool {
        self.copies(op) > 1
    }

    /// Number of instances of an operation in a tile.
    fn copies(&self, op: OpId) -> u64 {
        Nest::points(self.tile, self.variance.of_op(self.body, op)).unsigned_abs()
    }

    /// Whether fewer rounds save more than the loop of those that remain costs: where a thread runs the loop once, or where the
    /// loop carries several values. A sum in another loop may be short.
    fn gains_of_unknown_length(&self, l: ForOp) -> bool {
        let carried = self.body[l.0].results();
        let carried = carried.map(|value| Nest::points(self.tile, self.variance.of(value)));
        self.body.parent_op(l.0) == Some(self.last) || carried.sum::<i64>() > 1
    }

    /// Operations of a round of a loop for all points of a tile.
    fn operations(&self, l: ForOp) -> u64 {
        let below = self.body.walk_op(l.0);
        let counted = below[1..]
            .iter()
            .filter(|&&op| self.body[op].name != arith::CONSTANT);
        counted.fold(0, |all: u64, &op| all.saturating_add(self.copies(op)))
    }

    /// The loop below the band around `l`, where `l` with the loops below it is all that it has of
    /// regions.
    fn around(&self, l: ForOp) -> Option<ForOp> {
        let around = self.body.parent_op(l.0).filter(|&op| op != self.last)?;
        let around = ForOp::cast(self.body, around)?;
        let below = self.body.walk_op(around.0);
        let is_only = below[1..].iter().all(|&op| {
            self.body[op].inline_regions().is_empty() || op == l.0 || self.body.is_ancestor(l.0, op)
        });
        is_only.then_some(around)
    }
}

/// The number of rounds, up to `most`, that leaves a loop of `trips` rounds the fewest loads of a window
/// along which a tile has [`POINTS`] points; rounds that do not fill one remain as they are.
fn best_rounds(trips: u64, most: u64) -> u64 {
    let loads = |&rounds: &u64| {
        let whole = (trips / rounds).saturating_mul(POINTS + rounds - 1);
        whole.saturating_add((trips % rounds).saturating_mul(POINTS))
    };
    (1..=most.max(1)).min_by_key(loads).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::best_rounds;

    #[test]
    fn few_rounds_remain() {
        // 9 x 14 loads; 8 rounds at a time would take 7 x 15 + 7 x 8.
        assert_eq!(best_rounds(63, 8), 7);
        assert_eq!(best_rounds(64, 8), 8);
        // 3 x 15 + 3 x 8, where 3 at a time take 9 x 10.
        assert_eq!(best_rounds(27, 8), 8);
        assert_eq!(best_rounds(100, 1), 1);
        assert_eq!(best_rounds(100, 0), 1);
    }
}
