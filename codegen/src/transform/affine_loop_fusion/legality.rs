//! Fusion legality: whether an iteration of the second loop would run before one of the first that
//! it depends on.

use std::collections::HashMap;

use gridloom_dialects::affine::{Bound, ForOp};
use gridloom_ir::{AffineExpr, BlockId, Body, OpId, Value};

use super::Refusal;
use crate::analysis::access::{Access, Place};
use crate::analysis::alias::Root;
use crate::analysis::dependence::{Dependence, Dependences, Scope};
use crate::analysis::system::{Combination, Instance, Statements};
use crate::analysis::values::Atom;

/// Limit of the shift of a second loop, in iterations.
const MAX_SHIFT: i64 = 8;

/// The root of the memory that a place lies in.
pub(in crate::transform) fn root(place: &Place) -> Option<Root> {
    match place {
        Place::Element { root, .. } | Place::Somewhere(root) => Some(*root),
        Place::Anything => None,
    }
}

/// Checks that a loop may sink below the accesses of the operations behind it.
pub(in crate::transform) fn check_between(
    deps: &mut Dependences,
    block: BlockId,
    first: &[Access],
    passed: &[Access],
) -> Result<(), Refusal> {
    for early in first {
        for late in passed {
            let found = deps.test(Scope::Block(block), early, late);
            if !found.is_independent() {
                let accesses = Box::new([early.clone(), late.clone()]);
                return Err(Refusal::Between(accesses, found));
            }
        }
    }
    Ok(())
}

/// The loops of two perfect nests, from the outside inwards, as long as they agree in bounds and
/// steps.
pub(in crate::transform) fn agreeing_nests(
    deps: &mut Dependences,
    pair: [ForOp; 2],
) -> [Vec<ForOp>; 2] {
    agreeing_nests_where(deps, pair, |_, _| None)
}

/// Like [`agreeing_nests`]; other loops count as agreeing where `assume` says so.
pub(in crate::transform) fn agreeing_nests_where(
    deps: &mut Dependences,
    pair: [ForOp; 2],
    mut assume: impl FnMut(&mut Dependences, [ForOp; 2]) -> Option<()>,
) -> [Vec<ForOp>; 2] {
    let body = deps.values.body;
    let mut nests = [Vec::new(), Vec::new()];
    let mut counters: HashMap<Value, Value> = HashMap::new();
    let mut level = Some(pair);
    while let Some([first, second]) = level {
        if !agree(deps, [first, second], &counters) && assume(deps, [first, second]).is_none() {
            break;
        }
        counters.insert(second.induction_var(body), first.induction_var(body));
        nests[0].push(first);
        nests[1].push(second);
        level = perfectly_nested(body, first)
            .zip(perfectly_nested(body, second))
            .map(|(first, second)| [first, second]);
    }
    nests
}

/// Whether two loops have the same step and, without a renaming of counters, the same lower bound.
pub(in crate::transform) fn same_range_start(deps: &mut Dependences, pair: [ForOp; 2]) -> bool {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let [first, second] = pair;
    let lower = pair.map(|l| l.lower(ctx, body));
    first.step(ctx, body) == second.step(ctx, body)
        && same_bound(deps, pair, lower, &HashMap::new())
}

/// The loop in a loop that holds nothing else, and gets no values from it.
pub(in crate::transform) fn perfectly_nested(body: &Body, outer: ForOp) -> Option<ForOp> {
    let ops: Vec<OpId> = body.ops(outer.block(body)).take(3).collect();
    let [inner, _] = ops[..] else {
        return None;
    };
    ForOp::cast(body, inner).filter(|inner| body[inner.0].num_results() == 0)
}

/// Whether two loops have the same iterations, under a renaming of the second nest's counters to
/// the first's.
fn agree(
    deps: &mut Dependences,
    [first, second]: [ForOp; 2],
    counters: &HashMap<Value, Value>,
) -> bool {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let lower = [first.lower(ctx, body), second.lower(ctx, body)];
    let upper = [first.upper(ctx, body), second.upper(ctx, body)];
    first.step(ctx, body) == second.step(ctx, body)
        && [lower, upper]
            .into_iter()
            .all(|bounds| same_bound(deps, [first, second], bounds, counters))
}

fn same_bound(
    deps: &mut Dependences,
    loops: [ForOp; 2],
    [first, second]: [Bound; 2],
    counters: &HashMap<Value, Value>,
) -> bool {
    let named = |value: &Value| *counters.get(value).unwrap_or(value);
    let renamed: Vec<Value> = second.operands.iter().map(named).collect();
    if first.map == second.map && first.operands == renamed {
        return true;
    }
    // Bounds are compared as expressions over atoms, where these do not wrap around.
    let [a, b] = [(loops[0], first.operands), (loops[1], &renamed[..])].map(|(l, operands)| {
        let map = if l == loops[0] { first.map } else { second.map };
        let env = deps.values.environment_at(l.0);
        let exprs = deps.values.map_exprs(l.0, map, operands).into_iter();
        let fitting = exprs.map(|e| e.filter(|&e| deps.values.fits(e, env)));
        fitting.collect::<Option<Vec<AffineExpr>>>()
    });
    a.is_some() && a == b
}

/// Crossing pairs of iterations: those that agree in the loops outside of `level` and in which the
/// counter of the second nest, offset by `shift`, is less (`early`) or greater than that of the
/// first.
fn crossing(
    deps: &mut Dependences,
    nests: &[Vec<ForOp>; 2],
    level: usize,
    shift: i64,
    early: bool,
) -> Statements {
    let body = deps.values.body;
    let mut further = Statements::new();
    let pairs = nests[0].iter().zip(&nests[1]).take(level + 1);
    for (at, (&first, &second)) in pairs.enumerate() {
        let [first, second] = [first, second]
            .map(|l| Atom::Value(l.induction_var(body)))
            .map(|atom| deps.values.atom_expr(atom));
        let ahead = Combination::of(first, Instance::First).plus(-1, second, Instance::Second);
        let behind = Combination::of(second, Instance::Second).plus(-1, first, Instance::First);
        match (at == level, early) {
            (false, _) => further.equal(ahead),
            (true, true) => further.at_least_zero(ahead.offset(-shift - 1)),
            (true, false) => further.at_least_zero(behind.offset(shift - 1)),
        }
    }
    further
}

/// The first dependence between the two loops over crossing pairs.
fn first_crossing(
    deps: &mut Dependences,
    block: BlockId,
    further: &Statements,
    [first, second]: [&[Access]; 2],
) -> Option<(Box<[Access; 2]>, Dependence)> {
    for early in first {
        for late in second {
            let found = deps.test_where(Scope::Block(block), further, early, late);
            if !found.is_independent() {
                return Some((Box::new([early.clone(), late.clone()]), found));
            }
        }
    }
    None
}

/// Checks that fusing at a level moves no iteration of the second nest before one of the first that
/// it depends on.
pub(in crate::transform) fn check_order(
    deps: &mut Dependences,
    block: BlockId,
    nests: &[Vec<ForOp>; 2],
    level: usize,
    accesses: [&[Access]; 2],
) -> Result<(), Refusal> {
    let further = crossing(deps, nests, level, 0, true);
    match first_crossing(deps, block, &further, accesses) {
        None => Ok(()),
        Some((accesses, found)) => Err(Refusal::Violates(accesses, found)),
    }
}

/// Checks that at a level no iteration of the second nest depends on an earlier one of the first:
/// then the fused loop has no loop-carried dependence that the two did not have.
pub(in crate::transform) fn check_parallel(
    deps: &mut Dependences,
    block: BlockId,
    nests: &[Vec<ForOp>; 2],
    level: usize,
    accesses: [&[Access]; 2],
    shift: i64,
) -> Result<(), Refusal> {
    let further = crossing(deps, nests, level, shift, false);
    match first_crossing(deps, block, &further, accesses) {
        None => Ok(()),
        Some((accesses, found)) => Err(Refusal::Sequential(accesses, found)),
    }
}

/// The least shift of the second loop under which it depends on no later iteration of the first.
pub(super) fn least_shift(
    deps: &mut Dependences,
    block: BlockId,
    pair: [ForOp; 2],
    accesses: [&[Access]; 2],
) -> Result<i64, Refusal> {
    let nests = pair.map(|l| vec![l]);
    let mut shift = 0;
    loop {
        let further = crossing(deps, &nests, 0, shift, true);
        match first_crossing(deps, block, &further, accesses) {
            None => return Ok(shift),
            Some((accesses, found)) if shift == MAX_SHIFT || !is_proved(&found) => {
                return Err(Refusal::Violates(accesses, found));
            }
            Some(_) => shift += 1,
        }
    }
}

/// Whether a dependence is proved: a shift cannot resolve an unknown one.
fn is_proved(dependence: &Dependence) -> bool {
    matches!(dependence, Dependence::Dependent { proved: true, .. })
}
