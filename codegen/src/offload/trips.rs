//! Trip counts of the loops of a band, and whether bounds and counters fit 64 bits.

use gridloom_ir::{AffineExpr, OpId};

use crate::analysis::budget::root_of_nest;
use crate::analysis::counter::{Counter, counters};
use crate::analysis::dependence::Dependences;
use crate::analysis::domain::{counter_constraints, fitting};
use crate::analysis::interval::{Environment, Interval};
use crate::analysis::system::{Combination, Instance, Statements};
use crate::analysis::values::{AffineValues, Atom};

/// Upper bound of the trip count of a loop of the band.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trips {
    /// A constant, known at compile time.
    Constant(i64),
    /// The least of some expressions over atoms that all lie outside of the nest, known when the
    /// nest is reached.
    Least(Vec<AffineExpr>, Vec<Atom>),
}

/// A counter of the band: it becomes a dimension of the grid, or a part of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BandLoop {
    /// The counter; those of one `affine.parallel` stand in a row.
    pub counter: Counter,
    /// The loop's greatest trip count over all iterations of the loops around it.
    pub trips: Trips,
    /// Upper bound of the trip count that is known at compile time; [`i64::MAX`] where there is none.
    pub most: i64,
    /// Lower bound of it, where the loop has iterations and is exact; at least 0.
    pub least: i64,
    /// Whether every iteration of the loops around has exactly this trip count.
    pub is_exact: bool,
    /// Pairs of numbers, known when the nest is reached, of which each first
    /// one must be below the second for the trips to be what they say:
    /// otherwise their difference may wrap around, and there is no iteration.
    pub ordered: (Vec<AffineExpr>, Vec<Atom>),
}

/// Assumed trip count of a loop of the band whose number of iterations is unknown.
const SOME_TRIPS: i64 = 512;

impl BandLoop {
    /// The trip count that cost models take the loop to have, at least 1.
    pub fn assumed_trips(&self) -> i64 {
        match self.trips {
            Trips::Constant(trips) => trips.max(1),
            Trips::Least(..) => self.most.clamp(1, SOME_TRIPS),
        }
    }

    /// Whether the number of iterations is unknown and may be large.
    pub fn is_open(&self) -> bool {
        matches!(self.trips, Trips::Least(..)) && self.most >= SOME_TRIPS
    }
}

/// Lower and upper bound of the least of some expressions over atoms.
pub(super) fn trip_range(
    deps: &mut Dependences,
    counter: Counter,
    exprs: &[AffineExpr],
    atoms: &[Atom],
) -> Option<Interval> {
    let values = &mut deps.values;
    let env = environment_inside(values, counter);
    let names: Vec<AffineExpr> = atoms.iter().map(|&atom| values.atom_expr(atom)).collect();
    let mut range: Option<Interval> = None;
    for expr in exprs {
        let expr = expr.replace(values.ctx, &names, &[]);
        let next = values.interval(expr, env)?;
        range = Some(range.map_or(next, |range| Interval {
            least: range.least.min(next.least),
            most: range.most.min(next.most),
        }));
    }
    range
}

/// The interval environment in the iterations of a loop.
pub(super) fn environment_inside(values: &mut AffineValues, counter: Counter) -> Environment {
    let block = counter.block(values.body);
    match values.body[block].first() {
        Some(first) => values.environment_at(first),
        None => values.environment_at(counter.op),
    }
}

/// The counters of a loop as part of the band; `None` if it has none, or one that cannot be part of
/// a grid.
pub(super) fn band_loops(
    deps: &mut Dependences,
    op: OpId,
    outer: &[BandLoop],
) -> Option<Vec<BandLoop>> {
    let all = counters(deps.values.body, op).map(|counter| band_loop(deps, counter, outer));
    let loops: Vec<BandLoop> = all.collect::<Option<_>>()?;
    (!loops.is_empty()).then_some(loops)
}

/// The counter as part of the band; `None` if its bounds or values may wrap around, or if its trip
/// count has no bound.
fn band_loop(deps: &mut Dependences, op: Counter, outer: &[BandLoop]) -> Option<BandLoop> {
    let values = &mut deps.values;
    let (ctx, body) = (values.ctx, values.body);
    let (lower, upper) = (op.lower(ctx, body), op.upper(ctx, body));
    let lowers = values.map_exprs(op.op, lower.map, lower.operands);
    let uppers = values.map_exprs(op.op, upper.map, upper.operands);
    let env = values.environment_at(op.op);
    let lowers: Vec<AffineExpr> = all_of(fitting(values, &lowers, env))?;
    let uppers: Vec<AffineExpr> = all_of(fitting(values, &uppers, env))?;
    let step = op.step(ctx, body);
    let root = outer.first().map_or(op.op, |l| l.counter.op);
    let mut bounds = Vec::new();
    let mut ordered = Vec::new();
    let mut is_exact = true;
    for (low, high) in pairs(&lowers, &uppers) {
        let distance = ctx.affine_sub(high, low);
        if !deps.values.is_invariant(distance, root) {
            is_exact = false;
            bounds.extend(hull(deps, distance, root, outer));
            continue;
        }
        bounds.push(distance);
        if !deps.values.fits(distance, env) {
            let is_known = [low, high].map(|end| deps.values.is_invariant(end, root));
            let is_constant = distance.as_constant(ctx).is_some();
            if step > MAX_FREE_STEP || is_known != [true; 2] || is_constant {
                return None;
            }
            ordered.extend([low, high]);
        }
    }
    let trips = trips_of(deps, &bounds, step)?;
    let compacted = deps.values.compact(&ordered);
    let range = match &trips {
        Trips::Constant(trips) => Some(Interval::point(i128::from(*trips))),
        Trips::Least(exprs, atoms) => trip_range(deps, op, exprs, atoms),
    };
    let end = |end: Option<i128>| end.and_then(|end| i64::try_from(end).ok());
    let l = BandLoop {
        counter: op,
        trips,
        most: end(range.map(|range| range.most)).unwrap_or(i64::MAX),
        least: end(range.map(|range| range.least)).unwrap_or(0).max(0),
        is_exact,
        ordered: compacted,
    };
    counters_fit(deps, &l, &lowers, &bounds).then_some(l)
}

/// Limit of the step of a loop whose difference of bounds is not proved to fit: with smaller steps
/// it does, in any loop that can be run.
const MAX_FREE_STEP: i64 = 1 << 14;

fn all_of(exprs: Vec<Option<AffineExpr>>) -> Option<Vec<AffineExpr>> {
    exprs.into_iter().collect()
}

fn pairs(lowers: &[AffineExpr], uppers: &[AffineExpr]) -> Vec<(AffineExpr, AffineExpr)> {
    let with = |&low: &AffineExpr| uppers.iter().map(move |&high| (low, high));
    lowers.iter().flat_map(with).collect()
}

/// The least trip count for some distances between bounds; `None` if there are none.
fn trips_of(deps: &mut Dependences, distances: &[AffineExpr], step: i64) -> Option<Trips> {
    let ctx = deps.values.ctx;
    let ceil = gridloom_ir::affine::AffineOp::CeilDiv;
    let trips: Vec<AffineExpr> = distances
        .iter()
        .map(|&distance| ctx.affine_binary(ceil, distance, ctx.affine_const(step)))
        .collect();
    let constants: Option<Vec<i64>> = trips.iter().map(|t| t.as_constant(ctx)).collect();
    if trips.is_empty() {
        return None;
    }
    Some(match constants.and_then(|all| all.into_iter().min()) {
        Some(least) => Trips::Constant(least.max(0)),
        None => {
            let (exprs, atoms) = deps.values.compact(&trips);
            Trips::Least(exprs, atoms)
        }
    })
}

/// Whether `lower + position * step` fits for all positions of threads. Positions lie beyond the
/// last iteration where threads fill up a workgroup, or where the loop has fewer iterations than in
/// other iterations of the loops around.
fn counters_fit(
    deps: &mut Dependences,
    l: &BandLoop,
    lowers: &[AffineExpr],
    distances: &[AffineExpr],
) -> bool {
    let values = &mut deps.values;
    let step = i128::from(l.counter.step(values.ctx, values.body));
    let env = environment_inside(values, l.counter);
    let most = match l.trips {
        Trips::Constant(trips) => Some((i128::from(trips) + PADDING) * step),
        // Threads cover the exact trip count, and no more.
        Trips::Least(..) if l.is_exact => Some(0),
        Trips::Least(..) => {
            let distances: Option<Vec<_>> = (distances.iter())
                .map(|&distance| values.interval(distance, env))
                .collect();
            let fits = |distances: &Vec<Interval>| {
                distances
                    .iter()
                    .all(|distance| distance.is_within(Interval::MACHINE))
            };
            let distances = distances.filter(fits);
            distances
                .and_then(|distances| distances.iter().map(|distance| distance.most + step).max())
        }
    };
    let Some(most) = most else { return false };
    let most = Interval {
        least: 0,
        most: most.max(0),
    };
    lowers.iter().all(|&low| {
        let last = values.interval(low, env).and_then(|low| low.plus(most));
        last.is_some_and(|last| last.is_within(Interval::MACHINE))
    })
}

/// Limit of the positions beyond the last iteration, from threads that fill up a workgroup.
const PADDING: i128 = 1 << 16;

/// Upper bounds of an expression over all iterations of the band so far, as expressions over values
/// from outside of the nest.
fn hull(
    deps: &mut Dependences,
    expr: AffineExpr,
    root: OpId,
    outer: &[BandLoop],
) -> Vec<AffineExpr> {
    let values = &mut deps.values;
    let ctx = values.ctx;
    let target = values.atom_expr(Atom::Fresh(0));
    let target_atom = values.atom_number(Atom::Fresh(0));
    let mut statements = Statements::new();
    statements.equal(Combination::of(target, Instance::First).plus(-1, expr, Instance::First));
    for l in outer {
        let constraints = counter_constraints(values, l.counter);
        statements.add_all(&constraints, Instance::First);
    }
    let observed = [Combination::of(target, Instance::First)];
    let values = &deps.values;
    let system = statements.solve(values, |_, _| true, &observed);
    let work = deps.budgets.of(root_of_nest(values.body, root));
    if let Some(most) = system.range(0, work).upper() {
        return vec![ctx.affine_const(most)];
    }
    let is_inside = |column: usize| match system.atom_in(column) {
        Some(number) => values.block_is_inside(values.atom_block(values.atom(number)), root),
        // The column is a local: a quotient.
        None => true,
    };
    let columns = 0..system.poly.space().vars();
    let (gone, kept): (Vec<usize>, Vec<usize>) = columns.partition(|&c| is_inside(c));
    let Some(position) = kept
        .iter()
        .position(|&c| system.atom_in(c) == Some(target_atom))
    else {
        return Vec::new();
    };
    let projection = system.poly.eliminate(&gone).set;
    let bounds = projection.var_bounds(position);
    let floor = gridloom_ir::affine::AffineOp::FloorDiv;
    let exprs = bounds.uppers.iter().filter_map(|bound| {
        let mut sum = ctx.affine_const(bound.numerator.constant_term());
        for (column, &factor) in bound.numerator.coefficients().iter().enumerate() {
            if factor != 0 {
                let atom = ctx.affine_dim(system.atom_in(*kept.get(column)?)?);
                sum = ctx.affine_add(sum, ctx.affine_mul(atom, ctx.affine_const(factor)));
            }
        }
        Some(ctx.affine_binary(floor, sum, ctx.affine_const(bound.divisor)))
    });
    exprs.collect()
}
