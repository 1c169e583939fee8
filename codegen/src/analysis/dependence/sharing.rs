//! Sharing: the atoms that have one value in both instances of a question.

use gridloom_ir::op::Traits;
use gridloom_ir::{AffineExpr, Value};

use super::Scope;
use crate::analysis::values::{AffineValues, Atom};

/// Depth limit of the chain of pure operations behind a value.
const MAX_DEPTH: usize = 8;

/// Whether an atom has one value in both instances.
pub(super) fn shares(scope: Scope, values: &AffineValues, atom: Atom) -> bool {
    match atom {
        // These atoms range over the elements of a call or a vector, separately in each instance.
        Atom::Touched(..) | Atom::Lane(..) => false,
        Atom::Value(value) => is_same(scope, values, value, 0),
        _ => scope.shares(values, values.atom_block(atom)),
    }
}

/// Whether a value is the same in both instances: it is defined outside of the compared iterations,
/// or pure operations compute it from such values.
fn is_same(scope: Scope, values: &AffineValues, value: Value, depth: usize) -> bool {
    let body = values.body;
    if scope.shares(values, body.value_block(value)) {
        return true;
    }
    let Some(op) = body.defining_op(value).filter(|_| depth < MAX_DEPTH) else {
        return false;
    };
    let is_function = body[op].name.has(Traits::PURE) && body[op].num_regions() == 0;
    is_function
        && (body[op].operands.iter()).all(|&operand| is_same(scope, values, operand, depth + 1))
}

/// Whether an expression has one value in both instances.
pub(super) fn is_same_in_both(values: &AffineValues, scope: Scope, expr: AffineExpr) -> bool {
    let mut atoms = Vec::new();
    values.atoms_in(expr, &mut atoms);
    let mut atoms = atoms.into_iter();
    atoms.all(|atom| shares(scope, values, values.atom(atom)))
}
