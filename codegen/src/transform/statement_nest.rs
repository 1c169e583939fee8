//! Emission of a statement's loops with bounds of [`loop_bounds`](super::loop_bounds).

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use gridloom_dialects::affine::{Bound, ForOp, yield_values};
use gridloom_ir::{Body, Builder, InsertPoint, IrMapping, Value};

use super::affine_imperfect_interchange::statement::Statement;
use super::atom_value::atom_value;
use super::loop_bounds::{Inner, MapOfAtoms};
use crate::analysis::values::Atom;

/// Emits the values from outside the nest that the maps mention, all atoms but the counters.
pub(super) fn values_outside<'m>(
    b: &mut Builder,
    counters: &HashSet<Atom>,
    maps: impl Iterator<Item = &'m MapOfAtoms>,
) -> HashMap<Atom, Value> {
    let mut known = HashMap::new();
    for &atom in maps.flat_map(|map| &map.atoms) {
        if !counters.contains(&atom)
            && let Entry::Vacant(entry) = known.entry(atom)
            && let Some(value) = atom_value(b, atom)
        {
            entry.insert(value);
        }
    }
    known
}

/// The counters of statements.
pub(super) fn counters_of<'s>(
    body: &Body,
    statements: impl Iterator<Item = &'s Statement>,
) -> HashSet<Atom> {
    let loops = statements.flat_map(|statement| &statement.loops);
    loops.map(|l| Atom::Value(l.induction_var(body))).collect()
}

/// Emits an empty loop of step 1 between two bounds.
pub(super) fn loop_between(
    b: &mut Builder,
    [lower, upper]: [&MapOfAtoms; 2],
    known: &HashMap<Atom, Value>,
) -> ForOp {
    let [low, high] = [lower, upper].map(|bound| bound.operands(known));
    let bound = |bound: &MapOfAtoms, operands| Bound {
        map: bound.map,
        operands,
    };
    ForOp::create(b, bound(lower, &low), bound(upper, &high), 1, &[])
}

/// Emits the inner loops of one statement, and the statement in them; `map` has its other counters,
/// and `known` the values of all atoms from further out.
pub(super) fn statement_nest(
    b: &mut Builder,
    statement: &Statement,
    inner: &[Inner],
    mut known: HashMap<Atom, Value>,
    mut map: IrMapping,
) {
    for inner in inner {
        let old = statement.loops[inner.position];
        b.loc = b.body[old.0].loc;
        let new = loop_between(b, [&inner.lower, &inner.upper], &known);
        let block = new.block(b.body);
        let counter = new.induction_var(b.body);
        let before = old.induction_var(b.body);
        map.map(before, counter);
        known.insert(Atom::Value(before), counter);
        yield_values(b, block, &[]);
        b.set(InsertPoint::Start(block));
    }
    b.insert_copies(&statement.ops, &mut map);
}
