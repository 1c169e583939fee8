//! Separation of a contraction from the recurrence that uses it.
//!
//! ```text
//! affine.for %i = 0 to %m {                       affine.for %i = 0 to %m {
//!   %r = affine.for %j = 0 to %n                    affine.for %j = 0 to %n {
//!       iter_args(%best = %z) {                       %d = affine.for %k … { S(%i, %j, %k) }
//!     %d = affine.for %k … { S(%i, %j, %k) }          affine.store %d, %t[%i, %j]
//!     … %best, %d …                          ⇒      }
//!     affine.yield …                                %r = affine.for %j = 0 to %n
//!   }                                                   iter_args(%best = %z) {
//! }                                                   %d = affine.load %t[%i, %j]
//!                                                     … %best, %d …
//! ```
//!
//! A nearest-neighbour search is such a loop: the distances are a matrix product with another
//! combination, and the search over them reduces rows.
//!
//! Legal where the contraction neither uses carried values nor loads memory that the loop writes: it may
//! then run before all iterations. Profitable, and done, inside a parallel loop where the contraction
//! reuses data along both loops: one of its loads is invariant in the loop, another in the parallel loop
//! around it. Also where the parallel loops around have few iterations, too few for a thread each
//! ([`few`](super::few)): attention of one query for a few heads is a search of that kind. The new array may exceed every array of the program, so its extents must be constant, with
//! a bound on their product.

use gridloom_dialects::affine::{ForOp, yield_values};
use gridloom_ir::{Body, Builder, Context, InsertPoint, IrMapping, OpId, Value};

use super::expansion::Expansion;
use super::few::{are_few, is_worth_a_grid};
use super::{MIN_TRIPS, needed};
use crate::analysis::access::accesses_below;
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::parallel::MAX_ACCESSES;
use crate::analysis::reduction::is_repeatable;
use crate::analysis::repeatable::are_unchanged;
use crate::analysis::stride::stride;
use crate::analysis::values::Atom;
use crate::transform::emit_loops::open_like;

/// Trip count of a contraction below which storing its result costs as much as the reuse saves.
const MIN_ROUNDS: u64 = 16;

/// Assumed trip count of a loop whose trip count is not constant.
const SOME_ROUNDS: u64 = 64;

/// A contraction in a loop that carries values.
pub(super) struct Separation {
    /// The loop that carries values.
    op: ForOp,
    contraction: OpId,
    /// Backward slice: the contraction and the statements of the loop that it needs, in order.
    slice: Vec<OpId>,
    expansion: Expansion,
}

/// Plans the separation of a contraction from a loop that carries values.
pub(super) fn plan_separation(deps: &mut Dependences, op: ForOp) -> Option<Separation> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let trips = op.constant_trip_count(ctx, body);
    if trips.is_some_and(|trips| trips < MIN_TRIPS) {
        return None;
    }
    let contraction = (body.ops(op.block(body))).find(|&s| is_contraction(ctx, body, op, s))?;
    let values: Vec<Value> = body[contraction].results().collect();
    let expansion = Expansion::of(deps, op, values).filter(Expansion::is_constant)?;
    let slice = slice_before(deps, op, contraction)?;
    let [ref outside @ .., _] = expansion.around[..] else {
        return None;
    };
    let &outer = outside.last()?;
    if are_few(deps, outside) && is_worth_a_grid(deps, op.0) {
        return Some(Separation {
            op,
            contraction,
            slice,
            expansion,
        });
    }
    let accesses = accesses_below(&mut deps.values, contraction);
    let mut is_still = |l: ForOp| {
        let counter = Atom::Value(l.induction_var(body));
        let counter = deps.values.atom_number(counter);
        accesses
            .iter()
            .any(|access| stride(deps, access, counter) == Some(0))
    };
    (is_still(op) && is_still(outer)).then_some(Separation {
        op,
        contraction,
        slice,
        expansion,
    })
}

/// Whether a statement is a loop nest with results and a long trip count that uses no value which the
/// surrounding loop carries.
fn is_contraction(ctx: &Context, body: &Body, op: ForOp, statement: OpId) -> bool {
    let is_loop = ForOp::cast(body, statement).is_some() && body[statement].num_results() > 0;
    if !is_loop {
        return false;
    }
    let below = body.walk_op(statement);
    let rounds = below.iter().filter_map(|&op| ForOp::cast(body, op));
    let rounds = rounds.fold(1u64, |rounds, l| {
        let trips = l.constant_trip_count(ctx, body).unwrap_or(SOME_ROUNDS);
        rounds.saturating_mul(trips)
    });
    let carried = op.iter_args(body);
    let uses_carried = |&op: &OpId| body[op].operands.iter().any(|v| carried.contains(v));
    rounds >= MIN_ROUNDS && !below.iter().any(uses_carried)
}

/// Backward slice of a contraction among the statements of its loop, if the slice may run before all
/// iterations.
fn slice_before(deps: &mut Dependences, op: ForOp, contraction: OpId) -> Option<Vec<OpId>> {
    let body = deps.values.body;
    let needed = needed(body, op, &[contraction]);
    let in_order = body.ops(op.block(body)).filter(|op| needed.contains(op));
    let slice: Vec<OpId> = in_order.collect();
    let carried = op.iter_args(body);
    let mut loads = Vec::new();
    for &statement in &slice {
        let uses_carried = body[statement].operands.iter().any(|v| carried.contains(v));
        if uses_carried || statement != contraction && !is_repeatable(body, statement) {
            return None;
        }
        loads.extend(accesses_below(&mut deps.values, statement));
    }
    if loads.len() > MAX_ACCESSES || loads.iter().any(|access| access.is_write) {
        return None;
    }
    let unchanged = are_unchanged(deps, &loads, op.0, Scope::AnyIterations(op.0));
    (unchanged == Some(true)).then_some(slice)
}

impl Separation {
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let arrays = self.expansion.allocate(ctx, body);
        let mut b = Builder::before(ctx, body, self.op.0);
        let mut map = IrMapping::new();
        let new = open_like(&mut b, self.op, &mut map, &[]);
        let (block, counter) = (new.block(b.body), new.induction_var(b.body));
        b.insert_copies(&self.slice, &mut map);
        let results: Vec<Value> = b.body[self.contraction].results().collect();
        arrays.store(&mut b, &results, counter, |value| map.value(value));
        yield_values(&mut b, block, &[]);
        b.set(InsertPoint::Before(self.contraction));
        let counter = self.op.induction_var(b.body);
        for (value, loaded) in arrays.load_all(&mut b, counter) {
            b.body.replace_uses(value, loaded);
        }
        b.body.erase(self.contraction);
    }
}
