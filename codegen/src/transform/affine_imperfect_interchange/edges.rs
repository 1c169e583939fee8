//! Dependences between the statements of an imperfect nest.

use std::cmp::Ordering;

use gridloom_dialects::affine::ForOp;
use gridloom_ir::AffineExpr;

use super::statement::Statement;
use crate::analysis::access::Access;
use crate::analysis::dependence::{Compared, Dependences};
use crate::analysis::values::{AffineValues, Atom};

/// Dependence of the program: instances whose counters compare in this way, the first of which runs
/// first.
pub(in crate::transform) struct Edge {
    /// The statements of the first and of the second instance.
    pub statements: [usize; 2],
    pub accesses: [Access; 2],
    /// Comparisons of the counters of the loops around both.
    pub compared: Vec<Compared>,
    /// Whether both accesses are of an element that a reduction collects in: these instances may
    /// change places.
    pub is_regrouped: bool,
}

/// The dependences of the statements of the nest `root`.
pub(in crate::transform) fn edges_of(
    deps: &mut Dependences,
    root: ForOp,
    statements: &[Statement],
    reassociate: bool,
) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (a, from) in statements.iter().enumerate() {
        let collects = |access: &Access| from.collects_by(access, reassociate);
        for (b, to) in statements.iter().enumerate() {
            for (accesses, compared) in dependences_of(deps, root, from, to) {
                edges.push(Edge {
                    statements: [a, b],
                    is_regrouped: a == b && accesses.into_iter().all(collects),
                    accesses: accesses.map(Clone::clone),
                    compared,
                });
            }
        }
    }
    edges
}

/// The dependences of `to` on `from`: the accesses that meet, and how the counters compare then.
fn dependences_of<'s>(
    deps: &mut Dependences,
    root: ForOp,
    from: &'s Statement,
    to: &'s Statement,
) -> Vec<([&'s Access; 2], Vec<Compared>)> {
    let pairs = from.loops.iter().zip(&to.loops);
    let count = pairs.take_while(|(x, y)| x.0 == y.0).count();
    let common = &from.loops[..count];
    let mut found = Vec::new();
    for (first_at, first) in &from.accesses {
        for (second_at, second) in &to.accesses {
            let accesses = [first, second];
            for compared in orders(&mut deps.values, common, first_at < second_at) {
                let outcome = deps.test_compared(root.0, accesses, &compared);
                if !outcome.is_independent() {
                    found.push((accesses, compared));
                }
            }
        }
    }
    found
}

/// Lexicographic orders of two iterations: the counters of `common` loops are equal up to one,
/// which is less in the first; or all are equal, where `is_before`.
fn orders(values: &mut AffineValues, common: &[ForOp], is_before: bool) -> Vec<Vec<Compared>> {
    let body = values.body;
    let counters = common.iter().map(|l| Atom::Value(l.induction_var(body)));
    let counters: Vec<AffineExpr> = counters.map(|counter| values.atom_expr(counter)).collect();
    let equal = |counter: &AffineExpr| (*counter, Ordering::Equal, *counter);
    let mut all = Vec::new();
    for (k, &counter) in counters.iter().enumerate() {
        let mut one: Vec<Compared> = counters[..k].iter().map(equal).collect();
        one.push((counter, Ordering::Less, counter));
        all.push(one);
    }
    if is_before {
        all.push(counters.iter().map(equal).collect());
    }
    all
}
