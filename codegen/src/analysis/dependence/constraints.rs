//! Constraints that a dependence question puts on its two instances.

use std::cmp::Ordering;

use gridloom_ir::AffineExpr;

use super::Scope;
use crate::analysis::counter::counters;
use crate::analysis::system::{Combination, Instance, Statements};
use crate::analysis::values::{AffineValues, Atom};

/// Comparison between the instances: an expression in the first iteration, the order, and an
/// expression in the second.
pub type Compared = (AffineExpr, Ordering, AffineExpr);

/// Adds the constraints of comparisons between the two instances.
pub(super) fn require_compared(statements: &mut Statements, compared: &[Compared]) {
    for &(a, order, b) in compared {
        let a = (a, Instance::First);
        let b = (b, Instance::Second);
        let [low, high] = match order {
            Ordering::Greater => [b, a],
            _ => [a, b],
        };
        let difference = Combination::of(high.0, high.1).plus(-1, low.0, low.1);
        match order {
            Ordering::Equal => statements.equal(difference),
            _ => statements.at_least_zero(difference.offset(-1)),
        }
    }
}

/// Constrains `0 <= index < extent` in one instance, since an access out of range touches nothing.
pub(super) fn require_in_range(
    statements: &mut Statements,
    [index, extent]: [AffineExpr; 2],
    instance: Instance,
) {
    statements.at_least_zero(Combination::of(index, instance));
    let room = Combination::of(extent, instance).plus(-1, index, instance);
    statements.at_least_zero(room.offset(-1));
}

/// Constrains the counters of two iterations of one run of a loop to a distance of whole steps, where their domains
/// cannot: these count from a lower bound, which is one of several where the loop starts at the greatest.
///
/// ```text
/// affine.for %i = max(%a, %b) to %n step 3     i' - i = 3 k
/// ```
pub(super) fn require_whole_steps(
    values: &mut AffineValues,
    statements: &mut Statements,
    scope: Scope,
) {
    let (ctx, body) = (values.ctx, values.body);
    let (Scope::AcrossIterations(op) | Scope::AnyIterations(op)) = scope else {
        return;
    };
    for (number, counter) in (0..).zip(counters(body, op)) {
        let step = counter.step(ctx, body);
        let starts = counter.lower(ctx, body).map.results(ctx).len();
        if step > 1 && starts > 1 {
            let iv = values.atom_expr(Atom::Value(counter.induction_var(body)));
            let steps = values.atom_expr(Atom::Fresh(FIRST_STEPS - number));
            let distance = Combination::of(iv, Instance::Second).plus(-1, iv, Instance::First);
            statements.equal(distance.plus(-step, steps, Instance::First));
        }
    }
}

/// Number of the unknown that counts the steps of a loop's first counter, apart from those of callers, which count from 0.
const FIRST_STEPS: u32 = u32::MAX;
