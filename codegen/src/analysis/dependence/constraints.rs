//! Constraints that a dependence question puts on its two instances.

use std::cmp::Ordering;

use gridloom_ir::AffineExpr;

use crate::analysis::system::{Combination, Instance, Statements};

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
