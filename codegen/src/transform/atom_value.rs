//! Materialization of atoms: emits the value that an atom stands for.

use gridloom_dialects::memref;
use gridloom_ir::{Builder, Value};

use crate::analysis::values::Atom;

/// Emits the value of an atom; `None` for one that only an analysis introduces.
pub(crate) fn atom_value(b: &mut Builder, atom: Atom) -> Option<Value> {
    match atom {
        Atom::Value(value) => Some(value),
        Atom::Extent(memref, dim) => {
            let dim = b.index_constant(dim.into());
            Some(memref::DimOp::create(b, memref, dim))
        }
        Atom::Fresh(_) | Atom::Touched(..) | Atom::Lane(..) => None,
    }
}
