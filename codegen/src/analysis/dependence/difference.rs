//! Coordinate differences: whether coordinates that are equal modulo 2^64 are equal.

use gridloom_ir::AffineExpr;

use super::{Scope, differing_counter, is_same_in_both};
use crate::analysis::interval::{Environment, Interval};
use crate::analysis::values::AffineValues;

/// Whether two coordinates, each in its instance, always differ by less than 2^64: then equality
/// modulo 2^64 is equality.
pub fn is_close(
    values: &mut AffineValues,
    scope: Scope,
    coords: [AffineExpr; 2],
    env: [Environment; 2],
) -> bool {
    difference(values, scope, coords, env).is_some_and(is_below_modulus)
}

pub(super) fn is_below_modulus(difference: Interval) -> bool {
    const MODULUS: i128 = 1 << 64;
    -MODULUS < difference.least && difference.most < MODULUS
}

/// Interval of the difference of two coordinates, one of each instance. Terms with the same value
/// in both instances cancel out; the counter in which the instances differ is less in the first one.
pub(super) fn difference(
    values: &mut AffineValues,
    scope: Scope,
    coords: [AffineExpr; 2],
    env: [Environment; 2],
) -> Option<Interval> {
    let (left, constant) = values.terms(coords[0])?;
    let (mut right, other_constant) = values.terms(coords[1])?;
    let mut sum = Interval::point(constant.checked_sub(other_constant)?);
    let counter = differing_counter(values, scope);
    for (term, mut factor) in left {
        if Some(term) == counter
            && let Some(at) = right.iter().position(|&other| other == (term, factor))
        {
            right.remove(at);
            let distance = distance_back(
                values.interval(term, env[0])?,
                values.interval(term, env[1])?,
            );
            sum = sum.plus(distance?.times(Interval::point(factor))?)?;
            continue;
        }
        if is_same_in_both(values, scope, term)
            && let Some(at) = right.iter().position(|&(other, _)| other == term)
        {
            factor = factor.checked_sub(right.remove(at).1)?;
        }
        let interval = values.interval(term, env[0])?;
        sum = sum.plus(interval.times(Interval::point(factor))?)?;
    }
    for (term, factor) in right {
        let interval = values.interval(term, env[1])?;
        sum = sum.plus(interval.times(Interval::point(-factor))?)?;
    }
    Some(sum)
}

/// Interval of `first - second` for a counter that is less in the first instance.
fn distance_back(first: Interval, second: Interval) -> Option<Interval> {
    let least = first.least.checked_sub(second.most)?.min(-1);
    let most = first.most.checked_sub(second.least)?.clamp(least, -1);
    Some(Interval { least, most })
}
