//! In-range proofs: whether each index of an access is within its extent, wherever the access runs.
//!
//! ```text
//! affine.for %i = 0 to %n { affine.load %m[%i + 1] }      0 <= i + 1 < extent of %m ?
//! ```
//!
//! Proofs are tried from the cheapest on: intervals of both sides, a few constraints of the loops around, then emptiness of
//! the set of iterations in the domain that leave the range. Accesses that are proved get `gridloom.inbounds`; the
//! others are guarded in the kernel.

use gridloom_dialects::{affine, gridloom};
use gridloom_ir::affine::AffineExprKind;
use gridloom_ir::{AffineExpr, Body, Context, OpId};
use gridloom_presburger::Answer;

use super::access::{Access, accesses_of};
use super::budget::{Budgets, Work, root_of_nest};
use super::constant_nest::accesses_in_range;
use super::domain::{Constraint, Domain, domain};
use super::interval::{Environment, Interval};
use super::system::{Combination, Instance, Statements};
use super::values::{AffineValues, Atom};

/// Whether every index of an access is within its extent whenever it runs, as
/// far as the work allowed suffices to show it.
pub fn is_in_range(values: &mut AffineValues, access: &Access, work: &mut Work) -> bool {
    let Some(open) = guards_beyond_intervals(values, access) else {
        return false;
    };
    open.is_empty() || {
        let domain = domain(values, access.op);
        let mut open = open.into_iter();
        open.all(|(_, guard)| is_guard_proved(values, access, &domain, guard, work))
    }
}

/// For each of `rank` dimensions, whether the index of an access is within its extent whenever it
/// runs.
pub fn dimensions_in_range(
    values: &mut AffineValues,
    access: &Access,
    rank: usize,
    work: &mut Work,
) -> Vec<bool> {
    let guards = access.guards.as_ref().map(Vec::len);
    let open = guards_beyond_intervals(values, access);
    let Some(open) = open.filter(|_| guards == Some(rank)) else {
        return vec![false; rank];
    };
    let mut proved = vec![true; rank];
    if !open.is_empty() {
        let domain = domain(values, access.op);
        for (dim, guard) in open {
            proved[dim] = is_guard_proved(values, access, &domain, guard, work);
        }
    }
    proved
}

/// The bounds guards of an access, with their dimension, that intervals alone do not prove; `None`
/// where a subscript is unknown or an expression may not fit the machine's integers.
fn guards_beyond_intervals(
    values: &mut AffineValues,
    access: &Access,
) -> Option<Vec<(usize, (AffineExpr, AffineExpr))>> {
    let env = values.environment_at(access.op);
    let guards = access.guards.as_ref()?;
    let mut fits = |&(index, extent): &(AffineExpr, AffineExpr)| {
        values.fits(index, env) && values.fits(extent, env)
    };
    if !guards.iter().all(&mut fits) {
        return None;
    }
    let numbered = guards.iter().copied().enumerate();
    let open = numbered.filter(|&(_, guard)| !is_within_by_intervals(values, guard, env));
    Some(open.collect())
}

/// Whether an index, which fits as its extent does, is within the extent wherever an access runs.
fn is_guard_proved(
    values: &mut AffineValues,
    access: &Access,
    domain: &Domain,
    (index, extent): (AffineExpr, AffineExpr),
    work: &mut Work,
) -> bool {
    let env = values.environment_at(access.op);
    domain.disjuncts.iter().all(|conjunction| {
        if is_within_by_bounds(values, conjunction, (index, extent), env) {
            return true;
        }
        if says_nothing_of_extent(values, conjunction, (index, extent)) {
            return false;
        }
        // Outside means `-index - 1 >= 0` or `index - extent >= 0`.
        let below = Combination::default()
            .plus(-1, index, Instance::First)
            .offset(-1);
        let above = Combination::of(index, Instance::First).plus(-1, extent, Instance::First);
        let lanes = &access.constraints;
        is_excluded(values, [conjunction, lanes], below, work).is_yes()
            && is_excluded(values, [conjunction, lanes], above, work).is_yes()
    })
}

/// Interval test that index and extent, both of which fit, satisfy `0 <= index < extent`. It
/// suffices for most loops with constant bounds over arrays of known size, and needs no polyhedron.
fn is_within_by_intervals(
    values: &mut AffineValues,
    (index, extent): (AffineExpr, AffineExpr),
    env: Environment,
) -> bool {
    let (index, extent) = (values.interval(index, env), values.interval(extent, env));
    index
        .zip(extent)
        .is_some_and(|(index, extent)| index.least >= 0 && index.most < extent.least)
}

/// Whether an index that fits is within its extent by intervals and few constraints for each side,
/// as `%i` of a loop from 0 to `%n` is within a size of at least `%n`: most proofs about open sizes
/// need no more, and no polyhedron is made.
fn is_within_by_bounds(
    values: &mut AffineValues,
    conjunction: &[Constraint],
    (index, extent): (AffineExpr, AffineExpr),
    env: Environment,
) -> bool {
    let ctx = values.ctx;
    let minus_one = ctx.affine_const(-1);
    let below = ctx.affine_add(ctx.affine_mul(index, minus_one), minus_one);
    let above = ctx.affine_sub(index, extent);
    [below, above]
        .into_iter()
        .all(|outside| is_negative(values, conjunction, outside, env, MAX_COMBINED))
}

/// Whether an expression lies in an interval wherever an operation runs, by intervals and few
/// constraints of the loops and conditions around for each end.
pub fn is_within(values: &mut AffineValues, op: OpId, expr: AffineExpr, range: Interval) -> bool {
    let env = values.environment_at(op);
    if !values.fits(expr, env) {
        return false;
    }
    let ctx = values.ctx;
    let ends = [range.least, range.most].map(|end| i64::try_from(end).ok());
    let [Some(least), Some(most)] = ends.map(|end| end.map(|end| ctx.affine_const(end))) else {
        return false;
    };
    // An index out of the range makes one of these expressions at least 1.
    let below = ctx.affine_sub(least, expr);
    let above = ctx.affine_sub(expr, most);
    let minus_one = ctx.affine_const(-1);
    let domain = domain(values, op);
    domain.disjuncts.iter().all(|conjunction| {
        [below, above].into_iter().all(|beyond| {
            let beyond = ctx.affine_add(beyond, minus_one);
            is_negative(values, conjunction, beyond, env, MAX_COMBINED)
        })
    })
}

/// Whether an expression is below a bound wherever an operation runs, as far as the work allowed suffices to show it.
pub fn is_below(
    values: &mut AffineValues,
    op: OpId,
    [expr, bound]: [AffineExpr; 2],
    work: &mut Work,
) -> bool {
    let env = values.environment_at(op);
    if !values.fits(expr, env) || !values.fits(bound, env) {
        return false;
    }
    let difference = values.ctx.affine_sub(expr, bound);
    domain(values, op).disjuncts.iter().all(|conjunction| {
        let above = Combination::of(expr, Instance::First).plus(-1, bound, Instance::First);
        is_negative(values, conjunction, difference, env, MAX_COMBINED)
            || is_excluded(values, [conjunction, &[]], above, work).is_yes()
    })
}

/// Limit of the constraints that one side of a proof adds up.
const MAX_COMBINED: usize = 3;

/// The greatest value of an expression wherever an operation runs, or more, by intervals and few
/// constraints of the loops and conditions around; `None` where it has no bound.
pub fn most_of(values: &mut AffineValues, op: OpId, expr: AffineExpr) -> Option<i128> {
    let env = values.environment_at(op);
    let mut most = None;
    for conjunction in domain(values, op).disjuncts {
        let of_one = greatest(values, &conjunction, expr, env, MAX_COMBINED, i128::MIN)?;
        most = most.max(Some(of_one));
    }
    most
}

/// Whether `expr < 0` follows from intervals and the sum of up to `steps` constraints.
fn is_negative(
    values: &mut AffineValues,
    conjunction: &[Constraint],
    expr: AffineExpr,
    env: Environment,
    steps: usize,
) -> bool {
    let most = greatest(values, conjunction, expr, env, steps, 0);
    most.is_some_and(|most| most < 0)
}

/// A bound of `expr` from above by intervals and the sum of up to `steps` constraints: where
/// `constraint >= 0` holds, `expr + factor * constraint` is no less than `expr`. Each constraint is
/// one that takes the term out that may be greatest. The search ends at a bound below `enough`.
fn greatest(
    values: &mut AffineValues,
    conjunction: &[Constraint],
    expr: AffineExpr,
    env: Environment,
    steps: usize,
    enough: i128,
) -> Option<i128> {
    let mut found = values.interval(expr, env)?.most;
    if found < enough || steps == 0 {
        return Some(found);
    }
    let Some((terms, _)) = values.terms(expr) else {
        return Some(found);
    };
    let most = |&(term, factor): &(AffineExpr, i128)| {
        let interval = values.interval(term, env)?;
        Some(interval.times(Interval::point(factor))?.most)
    };
    let Some((term, factor)) = terms.iter().copied().max_by_key(most) else {
        return Some(found);
    };
    let ctx = values.ctx;
    for constraint in conjunction {
        let parts = values.terms(constraint.expr).map(|(parts, _)| parts);
        let by = parts.and_then(|parts| {
            let (_, by) = *parts.iter().find(|&&(part, _)| part == term)?;
            let times = i64::try_from(-factor / by).ok()?;
            (factor % by == 0 && times > 0).then_some(times)
        });
        let Some(times) = by else {
            continue;
        };
        let added = ctx.affine_mul(constraint.expr, ctx.affine_const(times));
        let sum = ctx.affine_add(expr, added);
        let of_sum = greatest(values, conjunction, sum, env, steps - 1, enough);
        found = of_sum.map_or(found, |of_sum| found.min(of_sum));
        if found < enough {
            break;
        }
    }
    Some(found)
}

/// Whether a conjunction leaves an open extent unconstrained. The extent may then be 0, so that an
/// access is out of range unless it never runs; the caller need not build a polyhedron to learn it.
fn says_nothing_of_extent(
    values: &AffineValues,
    conjunction: &[Constraint],
    (index, extent): (AffineExpr, AffineExpr),
) -> bool {
    let AffineExprKind::Dim(atom) = extent.kind(values.ctx) else {
        return false;
    };
    let speaks = |expr: AffineExpr| {
        let mut atoms = Vec::new();
        values.atoms_in(expr, &mut atoms);
        atoms.contains(&atom)
    };
    matches!(values.atom(atom), Atom::Extent(..))
        && !speaks(index)
        && !conjunction.iter().any(|constraint| speaks(constraint.expr))
}

/// `affine-mark-inbounds`: flags exactly those indices of element accesses that are proved in range;
/// an earlier flag that cannot be proved, such as one written in the input, goes. Returns whether a
/// flag changed.
///
/// ```text
/// affine.for %i = 0 to 8 {                     affine.for %i = 0 to 8 {
///   %x = affine.load %a[%i]              ⇒       %x = affine.load %a[%i] {gridloom.inbounds}
///   %y = memref.load %b[%i, %n]                  %y = memref.load %b[%i, %n]
///                                                    {gridloom.inbounds = array<i1: true, false>}
/// ```
pub fn mark_in_range(ctx: &Context, body: &mut Body) -> bool {
    let found = judged_accesses(ctx, body);
    let mut changed = false;
    for (op, proved) in found {
        changed |= gridloom::set_in_bounds_dimensions(ctx, &mut body[op], &proved);
    }
    changed
}

/// The element accesses of a body, each with whether bounds analysis proves the index of each
/// dimension in range.
fn judged_accesses(ctx: &Context, body: &Body) -> Vec<(OpId, Vec<bool>)> {
    let mut values = AffineValues::new(ctx, body);
    let mut judged = Vec::new();
    let mut budgets = Budgets::default();
    let ops = body.walk();
    let mut nest_end = 0;
    let mut at = 0;
    while let Some(&op) = ops.get(at) {
        at += 1;
        if at > nest_end && body[op].name == affine::FOR {
            let nest = body.walk_op(op);
            nest_end = at + nest.len() - 1;
            if let Some(accesses) = accesses_in_range(ctx, body, &nest) {
                let flagged = accesses.into_iter();
                judged.extend(flagged.map(|(op, rank)| (op, vec![true; rank])));
                at = nest_end;
                continue;
            }
        }
        if !gridloom::is_element_access(body[op].name) {
            continue;
        }
        let mut found = Vec::new();
        accesses_of(&mut values, op, &mut found);
        let work = budgets.of(root_of_nest(body, op));
        let mut memrefs = body[op].operands.iter();
        let rank = memrefs.find_map(|&value| Some(body.ty(value).memref(ctx)?.rank()));
        let (Some(rank), [access]) = (rank, &found[..]) else {
            judged.push((op, vec![false]));
            continue;
        };
        judged.push((op, dimensions_in_range(&mut values, access, rank, work)));
    }
    judged
}

/// Whether conditions and subscripts alone exclude that an index lies `outside` of
/// `0 <= index < extent`.
pub fn is_excluded(
    values: &AffineValues,
    holds: [&[Constraint]; 2],
    outside: Combination,
    work: &mut Work,
) -> Answer {
    let mut statements = Statements::new();
    for constraints in holds {
        statements.add_all(constraints, Instance::First);
    }
    statements.at_least_zero(outside);
    // The question has a single instance, so no atom is told apart.
    statements.solve(values, |_, _| true, &[]).is_empty(work)
}
