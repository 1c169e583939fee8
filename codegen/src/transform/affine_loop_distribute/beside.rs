//! Distribution of a loop that carries values: statements that use none of them get a loop of their own.
//!
//! ```text
//! %s = affine.for %i = 0 to %n                %s = affine.for %i = 0 to %n
//!     iter_args(%a = %z) {                        iter_args(%a = %z) {
//!   %x = affine.load %t[%i]                     %x = affine.load %t[%i]
//!   %b = arith.addi %a, %x                      %b = arith.addi %a, %x
//!   %k = f(%x)                                  affine.yield %b
//!   memref.store (%h[%k] + %c1), %h[%k]   ⇒   }
//!   affine.yield %b                           affine.for %i = 0 to %n {
//! }                                             %x = affine.load %t[%i]
//!                                               %k = f(%x)
//!                                               memref.store (%h[%k] + %c1), %h[%k]
//!                                             }
//! ```
//!
//! A histogram beside a sum, or beside a compaction, is such a loop: as one loop it is neither a reduction nor a scan, nor
//! a nest of commuting updates.
//!
//! Legal where what both loops run is pure or loads, and no iteration of one loop writes an element that an iteration of
//! the other accesses: then the order of the loops does not matter. Done in a sequential loop or in none, where the loop
//! is long and not parallel as a whole, and the statements taken out have a parallel loop or leave a scan or reduction.

use std::collections::HashSet;

use gridloom_dialects::affine::ForOp;
use gridloom_ir::{Body, OpId};

use super::carried::Parting;
use super::{has_free_loop, is_in_parallel_loop, needed};
use crate::analysis::access::Access;
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::opaque::Opaque;
use crate::analysis::parallel::{
    MAX_ACCESSES, conflict_beside, conflict_in_memory, distinct_accesses,
};
use crate::analysis::reduction::{is_repeatable, reduction_at};
use crate::transform::affine_guard_overflow::is_fallback;
use crate::transform::affine_parallelize_scans::combine::recurrence_at;

/// Profitability threshold: loops of fewer iterations stay.
const MIN_TRIPS: u64 = 1 << 10;

/// Plans the distribution of a loop that carries values.
pub(super) fn plan_beside(deps: &mut Dependences, op: ForOp) -> Option<Parting> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let trips = op.constant_trip_count(ctx, body);
    if trips.is_some_and(|trips| trips < MIN_TRIPS) || is_fallback(body, op.0) {
        return None;
    }
    let statements: Vec<OpId> = body.ops(op.block(body)).collect();
    let (&end, statements) = statements.split_last()?;
    let effects = statements.iter().copied();
    let effects = effects.filter(|&s| !is_repeatable(body, s));
    let (tied, free): (Vec<OpId>, Vec<OpId>) =
        effects.partition(|&s| uses_carried(body, op, &needed(body, op, &[s])));
    if free.is_empty() {
        return None;
    }
    let of_carrying = needed(body, op, &[&tied[..], &[end]].concat());
    let of_rest = needed(body, op, &free);
    let mut shared = of_carrying.intersection(&of_rest);
    if !shared.all(|&s| is_repeatable(body, s)) {
        return None;
    }
    let in_order = |of: &HashSet<OpId>| -> Vec<OpId> {
        let all = statements.iter().copied();
        all.filter(|s| of.contains(s)).collect()
    };
    let parting = Parting {
        inner: op,
        carrying: in_order(&of_carrying),
        rest: in_order(&of_rest),
    };
    let done = !is_in_parallel_loop(deps, op.0)
        && are_apart(deps, &parting)
        && pays(deps, &parting, &free);
    done.then_some(parting)
}

/// Whether a statement uses a value that the loop carries.
fn uses_carried(body: &Body, op: ForOp, statements: &HashSet<OpId>) -> bool {
    let carried = op.iter_args(body);
    let below = statements.iter().flat_map(|&s| body.walk_op(s));
    below
        .into_iter()
        .any(|op| body[op].operands.iter().any(|v| carried.contains(v)))
}

/// Whether no iteration of one loop writes what an iteration of the other one accesses.
fn are_apart(deps: &mut Dependences, parting: &Parting) -> bool {
    let mut of = |statements: &[OpId]| -> Vec<Access> {
        let all = statements.iter();
        all.flat_map(|&s| distinct_accesses(deps, s)).collect()
    };
    let (carrying, rest) = (of(&parting.carrying), of(&parting.rest));
    if Opaque::among(&deps.values, carrying.iter().chain(&rest)).is_some()
        || carrying.len() * rest.len() > MAX_ACCESSES
    {
        return false;
    }
    let scope = Scope::AnyIterations(parting.inner.0);
    let mut pairs = carrying
        .iter()
        .flat_map(|a| rest.iter().map(move |b| (a, b)));
    pairs.all(|(a, b)| !(a.is_write || b.is_write) || deps.test(scope, a, b).is_independent())
}

/// Whether the loop is not parallel as a whole, and one of its parts is. `free` are the statements of the other part
/// with effects.
fn pays(deps: &mut Dependences, parting: &Parting, free: &[OpId]) -> bool {
    let op = parting.inner;
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    // Whether floats may be regrouped is for the passes behind to decide.
    let reassociate = true;
    let uses = body.uses();
    let mut places = 0..op.iter_args(body).len();
    let reduces = |k: usize| reduction_at(ctx, body, &uses, op, k, reassociate).is_ok();
    let is_parallel = places.clone().all(reduces) && conflict_in_memory(deps, op.0).is_none();
    if is_parallel {
        return false;
    }
    let ignored: Vec<OpId> = free.iter().flat_map(|&s| body.walk_op(s)).collect();
    let combines =
        places.all(|k| reduces(k) || recurrence_at(ctx, body, op, k, reassociate).is_some());
    // Stores to elements that a counter names may be told apart once the loop has nothing else.
    let mut is_tied = || {
        let conflict = conflict_beside(deps, op.0, &ignored);
        conflict.is_some_and(|reason| !reason.is_doubt())
    };
    combines && !is_tied() || has_free_loop(deps, op, &parting.rest)
}
