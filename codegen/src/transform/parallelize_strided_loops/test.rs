//! Independence test: whether iterations touch different elements.

use gridloom_ir::Value;

use super::band::{Access, Band, RuntimeCondition};
use super::exchange::compare_exchange;
use super::form::{SubscriptForm, Variable};
use crate::transform::polynomial::Poly;

/// Range between two polynomials.
struct PolyRange {
    least: Poly,
    most: Poly,
}

/// Independence of the iterations in a memref: whether no two touch an element that one of them
/// writes.
pub(super) enum Apart {
    Always,
    /// Independent where these run-time conditions hold.
    Where(Vec<RuntimeCondition>),
}

/// Limit of the levels that are compared in any order.
const MAX_ORDERED: usize = 4;

/// Tests the iterations of a band for independence in a memref; `None` where that is not known.
pub(super) fn are_apart(band: &Band, memref: Value) -> Option<Apart> {
    let accesses: Vec<&Access> = (band.accesses.iter())
        .filter(|access| access.memref == memref)
        .collect();
    if let Some(apart) = compare_exchange(band, &accesses) {
        return Some(apart);
    }
    let orders = orders(band.levels.len());
    let mut conditions = band.conditions.clone();
    for (at, &first) in accesses.iter().enumerate() {
        for &second in &accesses[at..] {
            if !first.is_write && !second.is_write {
                continue;
            }
            let found = { orders.iter() }.find_map(|order| differ(band, first, second, order));
            conditions.extend(found?);
        }
    }
    Some(Apart::Where(conditions))
}

/// The orders of some levels, that of the loops first: two iterations differ in a first level of any of them.
fn orders(levels: usize) -> Vec<Vec<usize>> {
    if levels > MAX_ORDERED {
        return vec![(0..levels).collect()];
    }
    (0..levels).fold(vec![Vec::new()], |orders, _| {
        let longer = orders.iter().flat_map(|order| {
            let left = (0..levels).filter(|level| !order.contains(level));
            left.map(|level| [&order[..], &[level]].concat())
        });
        longer.collect()
    })
}

/// Conditions under which two accesses touch different elements in any two iterations, which are compared level by
/// level in an order.
fn differ(
    band: &Band,
    first: &Access,
    second: &Access,
    order: &[usize],
) -> Option<Vec<RuntimeCondition>> {
    let mut conditions = Vec::new();
    for at in 0..order.len() {
        conditions.extend(differ_behind(band, first, second, &order[..=at])?);
    }
    Some(conditions)
}

/// Conditions under which two accesses touch different elements in iterations of a single loop that differ.
pub(super) fn differ_at(
    band: &Band,
    first: &Access,
    second: &Access,
) -> Option<Vec<RuntimeCondition>> {
    differ_behind(band, first, second, &[0])
}

/// Conditions under which two accesses touch different elements in iterations that differ in the last of some levels
/// and agree in the others.
fn differ_behind(
    band: &Band,
    first: &Access,
    second: &Access,
    levels: &[usize],
) -> Option<Vec<RuntimeCondition>> {
    let pairs = first.subscripts.iter().zip(&second.subscripts);
    let answers = pairs
        .filter_map(|(first, second)| differ_in(band, first.as_ref()?, second.as_ref()?, levels));
    // One differing subscript suffices: the one with the fewest conditions.
    answers.min_by_key(Vec::len)
}

fn differ_in(
    band: &Band,
    first: &SubscriptForm,
    second: &SubscriptForm,
    levels: &[usize],
) -> Option<Vec<RuntimeCondition>> {
    let agrees = |&at: &usize| {
        let variable = Variable::Level(at);
        first.factor(variable) == second.factor(variable)
    };
    let &level = levels.last()?;
    if !levels.iter().all(agrees) {
        return None;
    }
    if band.levels[level].span.as_constant() == Some(0) {
        return Some(Vec::new());
    }
    let mut conditions = Vec::new();
    let factor = magnitude(&first.factor(Variable::Level(level)), &mut conditions)?;
    let own = &band.levels[level];
    let least = factor.times(&own.granularity)?;
    let most = factor.times(&own.span)?;
    let distance = distance(band, first, second, levels, &mut conditions)?;
    // Two such iterations are between `least` and `most` elements apart.
    let one = Poly::constant(1);
    let below = |x: &Poly, y: &Poly| y.minus(x)?.minus(&one);
    let beyond = [
        below(&most, &distance.least)?,
        below(&distance.most, &most.negated()?)?,
    ];
    if beyond.iter().any(is_natural) {
        return Some(conditions);
    }
    let within = [
        below(&distance.most, &least)?,
        below(&least.negated()?, &distance.least)?,
    ];
    if within
        .iter()
        .any(|poly| poly.as_constant().is_some_and(|number| number < 0))
    {
        return None;
    }
    // Where the distance is hardly ever less than a step, it may be more than the whole way, as that of the halves of an array
    // is. Single loops at other distances have better forms (`live_in`, `residues`).
    let is_step = least.as_constant().is_some() && band.levels.len() == 1;
    if !is_step && within.iter().any(Poly::is_hopeless) {
        let beyond = beyond.into_iter().find(|poly| !poly.is_hopeless())?;
        conditions.push(RuntimeCondition::Natural(beyond));
        return Some(conditions);
    }
    let open = within.into_iter().filter(|poly| !is_natural(poly));
    let open: Vec<RuntimeCondition> = open.map(RuntimeCondition::Natural).collect();
    // Neighbouring iterations must be independent without a run-time condition.
    if !open.is_empty() && least.as_constant().is_some() {
        return None;
    }
    conditions.extend(open);
    Some(conditions)
}

fn is_natural(poly: &Poly) -> bool {
    poly.least().is_some_and(|least| least >= 0)
}

/// Bounds the distance of the second access from the first, without the contribution of some levels;
/// the others and inner loops may have any values.
fn distance(
    band: &Band,
    first: &SubscriptForm,
    second: &SubscriptForm,
    levels: &[usize],
    conditions: &mut Vec<RuntimeCondition>,
) -> Option<PolyRange> {
    let start = second.rest.minus(&first.rest)?;
    let mut range = PolyRange {
        least: start.clone(),
        most: start,
    };
    for (form, is_second) in [(first, false), (second, true)] {
        for (&variable, factor) in &form.terms {
            let span = match variable {
                Variable::Level(at) if levels.contains(&at) => continue,
                Variable::Level(at) => &band.levels[at].span,
                Variable::Inner(at) => &band.inner[at],
            };
            let reach = magnitude(factor, conditions)?.times(span)?;
            let is_rising = !factor.is_falling();
            match is_rising == is_second {
                true => range.most = range.most.plus(&reach)?,
                false => range.least = range.least.minus(&reach)?,
            }
        }
    }
    Some(range)
}

/// The magnitude of a factor, whose sign becomes a run-time condition.
pub(super) fn magnitude(factor: &Poly, conditions: &mut Vec<RuntimeCondition>) -> Option<Poly> {
    let magnitude = match factor.is_falling() {
        true => factor.negated()?,
        false => factor.clone(),
    };
    if !is_natural(&magnitude) {
        if magnitude.as_constant().is_some() {
            return None;
        }
        conditions.push(RuntimeCondition::Natural(magnitude.clone()));
    }
    Some(magnitude)
}
