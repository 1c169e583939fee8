//! Parting of a loop that carries values and stores: the values get a loop of their own.
//!
//! ```text
//! affine.for %i = 0 to %m {                  affine.for %i = 0 to %m {
//!   %s = affine.for %j = 0 to %n               %s = affine.for %j = 0 to %n
//!       iter_args(%a = %z) {                       iter_args(%a = %z) {
//!     %x = affine.load %t[%i, %j]                %x = affine.load %t[%i, %j]
//!     %b = arith.addf %a, %x                     %b = arith.addf %a, %x
//!     %g[%j] += %x                       ⇒       affine.yield %b
//!     affine.yield %b                          }
//!   }                                          affine.for %j = 0 to %n {
//!   … %s …                                       %x = affine.load %t[%i, %j]
//! }                                              %g[%j] += %x
//!                                              }
//!                                              … %s …
//! ```
//!
//! The gradient of a layer normalization is such a loop: the sums over all rows tie the rows, whose own sums are
//! independent and go with the distribution of the loop around.
//!
//! Legal where what is carried comes from loads, of elements that neither loop writes, and pure operations, and
//! nothing else in the inner loop uses it. Done in a sequential loop, which the carried values do not tie.

use std::collections::HashSet;

use gridloom_dialects::affine::{ForOp, yield_values};
use gridloom_ir::{BlockId, Body, Builder, Context, InsertPoint, IrMapping, OpId, Value};

use super::{MIN_TRIPS, is_in_parallel_loop, needed};
use crate::analysis::access::accesses_of;
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::reduction::is_repeatable;
use crate::analysis::repeatable::are_unchanged;
use crate::transform::emit_loops::copy_loop;

/// A loop that carries values and stores, to be parted.
pub(super) struct Parting {
    inner: ForOp,
    /// The statements that compute the carried values, in order, without the terminator.
    carrying: Vec<OpId>,
    /// The other statements, with the statements that they need, in order.
    rest: Vec<OpId>,
}

/// Plans the parting of a loop among the statements of a sequential one that is in no parallel loop.
pub(super) fn plan_parting(
    deps: &mut Dependences,
    op: ForOp,
    statements: &[OpId],
) -> Option<Parting> {
    let body = deps.values.body;
    let mut loops = statements.iter().filter_map(|&s| ForOp::cast(body, s));
    let parting = loops.find_map(|inner| part(deps, op, inner))?;
    (!is_in_parallel_loop(deps, op.0)).then_some(parting)
}

fn part(deps: &mut Dependences, op: ForOp, inner: ForOp) -> Option<Parting> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let trips = inner.constant_trip_count(ctx, body);
    if body[inner.0].num_results() == 0 || trips.is_some_and(|trips| trips < MIN_TRIPS) {
        return None;
    }
    let statements: Vec<OpId> = body.ops(inner.block(body)).collect();
    let (&end, statements) = statements.split_last()?;
    let of_end = needed(body, inner, &[end]);
    let effects = statements.iter().copied();
    let effects: Vec<OpId> = effects.filter(|&s| !is_repeatable(body, s)).collect();
    let of_rest = needed(body, inner, &effects);
    let in_order = |of: &HashSet<OpId>| -> Vec<OpId> {
        let all = statements.iter().copied();
        all.filter(|s| of.contains(s)).collect()
    };
    let (carrying, rest) = (in_order(&of_end), in_order(&of_rest));
    let carried = inner.iter_args(body);
    let uses_carried = |&statement: &OpId| {
        let below = body.walk_op(statement).into_iter();
        let mut operands = below.flat_map(|op| body[op].operands.iter());
        operands.any(|value| carried.contains(value))
    };
    let is_apart = !effects.is_empty()
        && carrying.iter().all(|&s| is_repeatable(body, s))
        && !rest.iter().any(uses_carried);
    if !is_apart {
        return None;
    }
    let mut loads = Vec::new();
    for &statement in &carrying {
        accesses_of(&mut deps.values, statement, &mut loads);
    }
    let unchanged = are_unchanged(deps, &loads, op.0, Scope::AnyIterations(op.0));
    (unchanged == Some(true)).then_some(Parting {
        inner,
        carrying,
        rest,
    })
}

impl Parting {
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let old = self.inner;
        let mut b = Builder::before(ctx, body, old.0);
        let mut map = IrMapping::new();
        let inits = old.inits(ctx, b.body).to_vec();
        let carries = old.create_like(&mut b, &map, &inits);
        b.body[carries.0].attributes = b.body[old.0].attributes;
        for (&old, &new) in old.iter_args(b.body).iter().zip(carries.iter_args(b.body)) {
            map.map(old, new);
        }
        let block = fill(&mut b, (old, carries), &self.carrying, &mut map);
        let yielded: Vec<Value> = (old.yielded(b.body).iter())
            .map(|&value| map.value(value))
            .collect();
        yield_values(&mut b, block, &yielded);
        b.set(InsertPoint::Before(old.0));
        let mut map = IrMapping::new();
        let stores = copy_loop(&mut b, old, &map);
        let block = fill(&mut b, (old, stores), &self.rest, &mut map);
        yield_values(&mut b, block, &[]);
        let results: Vec<Value> = body[carries.0].results().collect();
        body.replace_op(old.0, &results);
    }
}

/// Clones statements of a loop to the end of another. Returns its block.
fn fill(
    b: &mut Builder,
    (old, new): (ForOp, ForOp),
    statements: &[OpId],
    map: &mut IrMapping,
) -> BlockId {
    let block = new.block(b.body);
    b.set(InsertPoint::End(block));
    map.map(old.induction_var(b.body), new.induction_var(b.body));
    b.insert_copies(statements, map);
    block
}
