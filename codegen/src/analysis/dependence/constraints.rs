//! Constraints that questions put on their two instances.

use std::cmp::Ordering;

use gridloom_ir::{AffineExpr, Value};

use crate::analysis::system::{Combination, Instance, Statements};
use crate::analysis::values::{AffineValues, Atom};

/// A counter in the first iteration, how it compares, and one in the second.
pub type Compared = (Value, Ordering, Value);

/// Adds what is said of counters of the two instances.
pub(super) fn require_compared(
    statements: &mut Statements,
    values: &mut AffineValues,
    compared: &[Compared],
) {
    for &(a, order, b) in compared {
        let a = (values.atom_expr(Atom::Value(a)), Instance::First);
        let b = (values.atom_expr(Atom::Value(b)), Instance::Second);
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

/// An access out of range touches nothing.
pub(super) fn require_in_range(
    statements: &mut Statements,
    [index, extent]: [AffineExpr; 2],
    instance: Instance,
) {
    statements.at_least_zero(Combination::of(index, instance));
    let room = Combination::of(extent, instance).plus(-1, index, instance);
    statements.at_least_zero(room.offset(-1));
}
