//! Bounds of the new loops, by projection of the iteration domain.

use gridloom_ir::AffineExpr;
use gridloom_ir::affine::AffineOp;
use gridloom_presburger::{Affine, Division, IntegerPolyhedron, Space, VarBounds};

use super::{Nest, Refusal, Schedule};
use crate::analysis::budget::root_of_nest;
use crate::analysis::dependence::Dependences;
use crate::analysis::interval::Interval;
use crate::analysis::system::{Combination, Instance, Statements};
use crate::analysis::values::Atom;

/// Limit of the bounds of one loop; a nest with more stays.
const MAX_BOUNDS: usize = 12;

/// Bounds of the loops that scan a nest's iterations in the order of a schedule.
pub(super) struct Bounds {
    /// For each loop its lower bounds and its exclusive upper bounds, over the new counters as the
    /// first dimensions, then the values from outside.
    pub loops: Vec<[Vec<AffineExpr>; 2]>,
    /// Values from outside of the nest.
    pub outside: Vec<Atom>,
    /// Interval of each counter for all values from outside that the nest's environment permits;
    /// `None` where counters may exceed 64 bits.
    pub counters: Option<Vec<Interval>>,
    /// Interval of each counter where the values from outside are within limits.
    pub limited: Option<Vec<Interval>>,
}

/// Finds the bounds, and the intervals of counters both for all values from outside and for those
/// within `limits`.
pub(super) fn bounds(
    deps: &mut Dependences,
    nest: &Nest,
    schedule: &Schedule,
    limits: Interval,
) -> Result<Bounds, Refusal> {
    let (poly, outside) = iterations(deps, nest, schedule)?;
    let mut scan = poly.scan();
    let sizes = scan
        .bounds
        .iter()
        .flat_map(|b| [b.lowers.len(), b.uppers.len()]);
    let is_fine = sizes
        .into_iter()
        .all(|size| (1..=MAX_BOUNDS).contains(&size));
    if !is_fine || !scan.exact || !is_implied(&scan.guard, &scan.bounds, &poly) {
        return Err(Refusal::Projection);
    }
    drop_implied(&mut scan.bounds, &poly);
    let ctx = deps.values.ctx;
    let env = deps.values.environment_at(nest.root());
    let numbers: Vec<u32> = (outside.iter())
        .map(|&atom| deps.values.atom_number(atom))
        .collect();
    let known = numbers.into_iter();
    let known: Vec<Interval> = known
        .map(|number| deps.values.atom_interval(number, env))
        .collect();
    let limited: Vec<Interval> = known.iter().map(|known| known.meet(limits)).collect();
    let loops = scan.bounds.iter().map(|found| {
        let lower = found.lowers.iter().map(|d| {
            let divisor = ctx.affine_const(d.divisor);
            ctx.affine_binary(AffineOp::CeilDiv, sum(deps, &d.numerator), divisor)
        });
        let upper = found.uppers.iter().map(|d| {
            let divisor = ctx.affine_const(d.divisor);
            let last = ctx.affine_binary(AffineOp::FloorDiv, sum(deps, &d.numerator), divisor);
            ctx.affine_add(last, ctx.affine_const(1))
        });
        [lower.collect(), upper.collect()]
    });
    Ok(Bounds {
        loops: loops.collect(),
        outside,
        counters: counters(&scan.bounds, &known),
        limited: counters(&scan.bounds, &limited),
    })
}

/// A form over the columns as an expression over the same number of dimensions.
fn sum(deps: &Dependences, form: &Affine) -> AffineExpr {
    let ctx = deps.values.ctx;
    let terms = (0..).zip(form.coefficients()).filter(|(_, c)| **c != 0);
    let sum = terms.fold(None, |sum: Option<AffineExpr>, (column, &factor)| {
        let term = ctx.affine_mul(ctx.affine_dim(column), ctx.affine_const(factor));
        Some(sum.map_or(term, |sum| ctx.affine_add(sum, term)))
    });
    let constant = ctx.affine_const(form.constant_term());
    sum.map_or(constant, |sum| ctx.affine_add(sum, constant))
}

/// The iteration domain in the new basis: dimensions are the new counters, symbols the values from
/// outside.
fn iterations(
    deps: &mut Dependences,
    nest: &Nest,
    schedule: &Schedule,
) -> Result<(IntegerPolyhedron, Vec<Atom>), Refusal> {
    let mut statements = Statements::new();
    statements.add_all(&nest.domain, Instance::First);
    let mut targets = Vec::new();
    for (number, dimension) in (0..).zip(&schedule.dimensions) {
        let target = Atom::Fresh(number);
        let name = deps.values.atom_expr(target);
        let form = nest.dimension(deps, &schedule.basis, dimension);
        let equal = Combination::of(name, Instance::First).plus(-1, form, Instance::First);
        statements.equal(equal);
        targets.push(deps.values.atom_number(target));
    }
    // The question has a single instance, so no atom is told apart.
    let system = statements.solve(&deps.values, |_, _| true, &[]);
    if !system.complete {
        return Err(Refusal::Bounds);
    }
    let values = &deps.values;
    let (mut gone, mut kept) = (Vec::new(), Vec::new());
    for column in 0..system.poly.space().vars() {
        match system.atom_in(column) {
            Some(atom) if targets.contains(&atom) => kept.push(column),
            Some(atom)
                if !values.block_is_inside(values.atom_block(values.atom(atom)), nest.root()) =>
            {
                kept.push(column);
            }
            // The column is a local: a quotient.
            _ => gone.push(column),
        }
    }
    let projection = system.poly.eliminate(&gone);
    if !projection.exact {
        return Err(Refusal::Projection);
    }
    let mut outside = Vec::new();
    let mut columns = Vec::new();
    for &column in &kept {
        let atom = system.atom_in(column).ok_or(Refusal::Projection)?;
        match targets.iter().position(|&target| target == atom) {
            Some(position) => columns.push(position),
            None => {
                columns.push(targets.len() + outside.len());
                outside.push(values.atom(atom));
            }
        }
    }
    let space = Space::new(targets.len(), outside.len());
    let poly = projection.set.remap(space, &columns);
    let work = deps.budgets.of(root_of_nest(deps.values.body, nest.root()));
    work.spend(PROJECTION_STEPS);
    match poly {
        Ok(poly) if !work.is_spent() => Ok((poly, outside)),
        _ => Err(Refusal::Projection),
    }
}

/// Cost of a projection in the budget of a nest.
const PROJECTION_STEPS: u64 = 200_000;

/// Slack of a bound: `divisor·x - numerator` for a lower bound of dimension `x`,
/// `numerator - divisor·x` for an upper one; at least 0 where the bound holds.
fn slack(dim: usize, bound: &Division, is_lower: bool) -> Option<Affine> {
    let form = Affine::term(dim, bound.divisor)
        .minus(&bound.numerator)
        .ok()?;
    form.scaled(if is_lower { 1 } else { -1 }).ok()
}

/// Whether a form is at least 0 at all points of a set.
fn is_positive(set: &IntegerPolyhedron, form: &Affine) -> bool {
    // Not `f >= 0` is `-f - 1 >= 0`.
    let below = form.scaled(-1).and_then(|form| form.offset(-1));
    let mut outside = set.clone();
    below.is_ok_and(|below| outside.add_inequality(&below).is_ok()) && outside.is_empty()
}

/// The points with these slacks at least 0.
fn points_of<'f>(
    poly: &IntegerPolyhedron,
    slacks: impl Iterator<Item = &'f Affine>,
) -> Option<IntegerPolyhedron> {
    let mut set = IntegerPolyhedron::universe(poly.space().without_locals());
    for form in slacks {
        set.add_inequality(form).ok()?;
    }
    Some(set)
}

/// Whether the loops run only where the guard holds: each of its rows follows from the bounds.
fn is_implied(guard: &IntegerPolyhedron, bounds: &[VarBounds], poly: &IntegerPolyhedron) -> bool {
    let slacks = (bounds.iter().enumerate()).flat_map(|(dim, found)| {
        let lowers = found.lowers.iter().map(move |b| slack(dim, b, true));
        lowers.chain(found.uppers.iter().map(move |b| slack(dim, b, false)))
    });
    let slacks: Option<Vec<Affine>> = slacks.collect();
    let Some(visited) = slacks.and_then(|slacks| points_of(poly, slacks.iter())) else {
        return false;
    };
    let dims = poly.space().dims();
    let lifted = |row: &[i64]| {
        let Some((&constant, symbols)) = row.split_last() else {
            return Affine::default();
        };
        Affine::from_parts([&vec![0; dims], symbols].concat(), constant)
    };
    guard.space().locals() == 0
        && guard
            .inequalities()
            .all(|row| is_positive(&visited, &lifted(row)))
        && guard.equalities().all(|row| {
            let form = lifted(row);
            let negated = form.scaled(-1);
            is_positive(&visited, &form) && negated.is_ok_and(|form| is_positive(&visited, &form))
        })
}

/// Drops redundant bounds: those implied by the bounds of the loops around and by the other bounds
/// of their loop.
fn drop_implied(bounds: &mut [VarBounds], poly: &IntegerPolyhedron) {
    let mut around: Vec<Affine> = Vec::new();
    for (dim, found) in bounds.iter_mut().enumerate() {
        for is_lower in [true, false] {
            let mut at = 0;
            loop {
                let ours = if is_lower {
                    &found.lowers
                } else {
                    &found.uppers
                };
                if at >= ours.len() || ours.len() < 2 {
                    break;
                }
                let others = (0..ours.len()).filter(|&other| other != at);
                let others = others.map(|other| slack(dim, &ours[other], is_lower));
                let others: Option<Vec<Affine>> = others.collect();
                let set = others.and_then(|o| points_of(poly, around.iter().chain(&o)));
                let form = slack(dim, &ours[at], is_lower);
                if set
                    .zip(form)
                    .is_some_and(|(set, form)| is_positive(&set, &form))
                {
                    match is_lower {
                        true => found.lowers.remove(at),
                        false => found.uppers.remove(at),
                    };
                } else {
                    at += 1;
                }
            }
        }
        around.extend(found.lowers.iter().filter_map(|b| slack(dim, b, true)));
        around.extend(found.uppers.iter().filter_map(|b| slack(dim, b, false)));
    }
}

/// Intervals of the counters, each computed from its bounds and the counters before it. A loop that
/// runs has a counter at least each lower bound and at most each upper one.
fn counters(bounds: &[VarBounds], outside: &[Interval]) -> Option<Vec<Interval>> {
    let dims = bounds.len();
    let mut counters: Vec<Interval> = Vec::new();
    for found in bounds {
        let value = |form: &Affine| -> Option<Interval> {
            let mut sum = Interval::point(form.constant_term().into());
            for (column, &factor) in form.coefficients().iter().enumerate() {
                if factor == 0 {
                    continue;
                }
                let number = match column.checked_sub(dims) {
                    Some(symbol) => *outside.get(symbol)?,
                    None => *counters.get(column)?,
                };
                let term = number.times(Interval::point(factor.into()))?;
                if !term.is_within(SAFE) {
                    return None;
                }
                sum = sum.plus(term)?;
            }
            sum.is_within(SAFE).then_some(sum)
        };
        let mut counter = SAFE;
        for lower in &found.lowers {
            let least = value(&lower.numerator)?.least;
            let least = least.div_euclid(lower.divisor.into());
            counter.least = counter.least.max(least);
        }
        for upper in &found.uppers {
            let most = value(&upper.numerator)?.most;
            let most = most.div_euclid(upper.divisor.into());
            counter.most = counter.most.min(most);
        }
        counter.most = counter.most.max(counter.least);
        counters.push(counter);
    }
    Some(counters)
}

/// Interval in which sums of a few values fit 64 bits.
pub(super) const SAFE: Interval = Interval {
    least: -(1 << 59),
    most: 1 << 59,
};
