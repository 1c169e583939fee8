//! Unroll-and-jam legality: whether an iteration would run before one of its row that it depends
//! on.

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::memref;

use super::Order;
use super::shape::{Position, Shape};
use crate::analysis::access::{Access, Place, accesses_below};
use crate::analysis::alias::Root;
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::opaque::Opaque;
use crate::analysis::parallel::MAX_ACCESSES;
use crate::analysis::system::{Combination, Instance, Statements};
use crate::analysis::values::Atom;

/// Checks that rows whose last counter is `farthest` from the first keep every dependence.
pub(super) fn check(
    deps: &mut Dependences,
    op: ForOp,
    shape: &Shape,
    farthest: i64,
) -> Result<(), Order> {
    let body = deps.values.body;
    let accesses = shared_accesses(deps, op);
    if let Some(opaque) = Opaque::among(&deps.values, &accesses) {
        return Err(Order::Opaque(opaque));
    }
    if accesses.len() > MAX_ACCESSES {
        return Err(Order::TooLarge(accesses.len()));
    }
    let positions = shape.positions(body);
    for first in &accesses {
        for second in &accesses {
            let (Some(before), Some(after)) = (positions.get(&first.op), positions.get(&second.op))
            else {
                return Err(Order::Opaque(Opaque::new(&deps.values, first.op)));
            };
            for question in turned_round(deps, op, [before, after], farthest) {
                let scope = Scope::AcrossIterations(op.0);
                let turned = deps.test_where(scope, &question, first, second);
                if !turned.is_independent() {
                    let explained = deps.explain(scope, first, second);
                    let violated = match explained.is_independent() {
                        true => turned,
                        false => explained,
                    };
                    let accesses = Box::new([first.clone(), second.clone()]);
                    return Err(Order::Violates(accesses, violated));
                }
            }
        }
    }
    Ok(())
}

/// Accesses to memory that iterations share; memory that each iteration allocates itself does not
/// count.
fn shared_accesses(deps: &mut Dependences, op: ForOp) -> Vec<Access> {
    let body = deps.values.body;
    let is_own = |root: Root| {
        let Root::Value(value) = root else {
            return false;
        };
        body.defining_op(value).is_some_and(|def| {
            matches!(body[def].name, memref::ALLOC | memref::ALLOCA) && body.is_ancestor(op.0, def)
        })
    };
    let mut accesses = accesses_below(&mut deps.values, op.0);
    accesses.retain(|access| match access.place {
        Place::Element { root, .. } | Place::Somewhere(root) => !is_own(root),
        Place::Anything => true,
    });
    accesses
}

/// Reversed pairs: iterations of a row, the later one second, whose operation at the second
/// position would run before that at the first: one set for each loop around both that may then be
/// in an earlier iteration, and one for the order of positions within one iteration of all loops.
fn turned_round(
    deps: &mut Dependences,
    op: ForOp,
    [first, second]: [&Position; 2],
    farthest: i64,
) -> Vec<Statements> {
    let body = deps.values.body;
    // How far the first instance's counter is ahead of the second's.
    let mut ahead = |l: ForOp| {
        let iv = deps.values.atom_expr(Atom::Value(l.induction_var(body)));
        Combination::of(iv, Instance::First).plus(-1, iv, Instance::Second)
    };
    let mut same = Statements::new();
    same.at_least_zero(ahead(op).offset(farthest));
    let mut questions = Vec::new();
    let loops = first.loops.iter().zip(&second.loops);
    let mut common = 0;
    for (&l, _) in loops.take_while(|(a, b)| a.0 == b.0) {
        let mut earlier = same.clone();
        earlier.at_least_zero(ahead(l).offset(-1));
        questions.push(earlier);
        same.equal(ahead(l));
        common += 1;
    }
    if second.items[common] < first.items[common] {
        questions.push(same);
    }
    questions
}
