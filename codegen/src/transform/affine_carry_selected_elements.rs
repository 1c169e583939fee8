//! `affine-carry-selected-elements`: carries what a loop computes of an element at an index that it selects, along with
//! the index.
//!
//! ```text
//!                                             %first = x[%none]            // if there is an iteration
//! %r = affine.for %i = 1 to %n                %r, %m = affine.for %i = 1 to %n
//!     iter_args(%k = %none) {                     iter_args(%k = %none, %best = %first) {
//!   %x = affine.load %a[%i]                     %x = affine.load %a[%i]
//!   %best = memref.load %a[%k]          ⇒       %c = arith.cmpf ogt, %x, %best
//!   %c = arith.cmpf ogt, %x, %best              %l = arith.select %c, %i, %k
//!   %l = arith.select %c, %i, %k                %y = arith.select %c, %x, %best
//!   affine.yield %l                             affine.yield %l, %y
//! }                                           }
//! ```
//!
//! So argmax and argmin that keep their index alone, such as BLAS's `isamax` and the search of a pivot, are reductions
//! ([`arg_reduction`](crate::analysis::arg_reduction)).
//!
//! Legal where the loop writes no memory, and where what the comparison takes for the best is computed of the index
//! alone: selecting the index selects it as well. Done where the loop is an argmin or argmax then: what is
//! computed of the index that an iteration offers turns out to be its candidate, so that no iteration loads anything else.
//!
//! A loop that carries its counter as another integer type carries the counter itself (`casts.rs`).

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::arith;
use gridloom_ir::body::Uses;
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Builder, Context, IrMapping, Module, OpId, Value};

use super::affine_guard_overflow::is_fallback;
use super::cse::cse;
use super::emit_loops::{rebuilt, where_it_runs};
use super::plans::change_by_plans;
use super::raise_to_affine::raise;
use crate::analysis::arg_reduction::arg_reductions_of;
use crate::analysis::effects::{Effect, effect_of};
use crate::analysis::load_store::is_load;
use crate::analysis::reduction::zero;

mod casts;

use casts::CastCounter;

/// Limit of the loops that are rewritten in a function, one after the other.
const MAX_LOOPS: usize = 16;

/// Limit of the operations that compute the best value of its index.
const MAX_CHAIN: usize = 16;

/// Carries elements in the host functions of a module. Returns whether there was one.
pub fn carry_selected_elements(ctx: &Context, module: &mut Module) -> bool {
    let carried = change_by_plans(
        ctx,
        module,
        MAX_LOOPS,
        |body, _| (plan(ctx, body).into_iter().collect(), false),
        |trial, body| *body = trial.clone(),
    );
    let uncast = change_by_plans(
        ctx,
        module,
        MAX_LOOPS,
        |body, _| (plan_casts(ctx, body).into_iter().collect(), false),
        |cast, body| cast.apply(ctx, body),
    );
    carried || uncast
}

/// The first loop that carries a cast of its counter.
fn plan_casts(ctx: &Context, body: &Body) -> Option<CastCounter> {
    if !body.may_hold(arith::SELECT) || !body.may_hold(affine::FOR) {
        return None;
    }
    let uses = body.uses();
    let mut loops = body.walk().into_iter();
    loops.find_map(|op| CastCounter::of(ctx, body, &uses, ForOp::cast(body, op)?))
}

/// The body with the first loop that can carry an element doing so.
fn plan(ctx: &Context, body: &Body) -> Option<Body> {
    if !body.may_hold(arith::SELECT) || !body.may_hold(affine::FOR) {
        return None;
    }
    let uses = body.uses();
    let loops = body.walk().into_iter();
    let mut loops = loops.filter_map(|op| ForOp::cast(body, op));
    loops.find_map(|l| {
        let count = body[l.0].num_results();
        (0..count).find_map(|at| Selected::of(ctx, body, &uses, l, at)?.trial(ctx, body))
    })
}

/// Carried index of a loop, with what is computed of it for a comparison.
struct Selected {
    l: ForOp,
    /// Position of the index among the carried values.
    at: usize,
    /// The select of the next index.
    select: OpId,
    /// The operations that compute the best value so far of the index, in order.
    chain: Vec<OpId>,
    /// The best value.
    held: Value,
}

impl Selected {
    fn of(ctx: &Context, body: &Body, uses: &Uses, l: ForOp, at: usize) -> Option<Selected> {
        let index = l.iter_args(body)[at];
        let select = body.defining_op(l.yielded(body)[at])?;
        if body[select].name != arith::SELECT || !body[select].operands[1..].contains(&index) {
            return None;
        }
        let block = l.block(body);
        let compare = body.defining_op(body[select].operands[0])?;
        let is_here = [select, compare].map(|op| body[op].parent() == Some(block));
        let is_comparison = matches!(body[compare].name, arith::CMPF | arith::CMPI);
        let bounds = [l.lower(ctx, body), l.upper(ctx, body)];
        let is_plain = bounds.iter().all(|bound| bound.map.results(ctx).len() == 1);
        if is_here != [true; 2] || !is_comparison || !is_plain || is_fallback(body, l.0) {
            return None;
        }
        let mut sides = body[compare].operands.iter();
        let (held, chain) = sides.find_map(|&side| Some((side, chain(body, l, index, side)?)))?;
        // The index is used for nothing else.
        let is_known = |op: OpId| op == select || chain.contains(&op);
        let is_ours = |value: Value, ours: &dyn Fn(OpId) -> bool| {
            uses.of(value).iter().all(|user| ours(user.op))
        };
        let stays = |op: &OpId| {
            let result = body[*op].result(0);
            is_ours(result, &|user| {
                is_known(user) || result == held && user == compare
            })
        };
        let writes = |&op: &OpId| effect_of(body, op) > Effect::Reads;
        let mut inside = body.walk_op(l.0).into_iter();
        let is_selected = is_ours(index, &is_known)
            && chain.iter().all(stays)
            && zero(ctx, body.ty(held)).is_some()
            && !inside.any(|op| writes(&op));
        is_selected.then_some(Selected {
            l,
            at,
            select,
            chain,
            held,
        })
    }

    /// A copy of the body in which the loop carries the best value; `None` where it is no argmin or argmax then.
    fn trial(&self, ctx: &Context, body: &Body) -> Option<Body> {
        let mut trial = body.clone();
        let carried = self.apply(ctx, &mut trial);
        // The candidate and what is computed of the index that the iteration offers become one value.
        raise(ctx, &mut trial);
        cse(ctx, &mut trial);
        let uses = trial.uses();
        let mut found = arg_reductions_of(ctx, &trial, &uses, carried.l).into_iter();
        let is_found = found.any(|arg| arg.extremum == carried.at && arg.taken.contains(&self.at));
        is_found.then_some(trial)
    }

    /// Carries the best value. Returns the new loop, and the position of that value.
    fn apply(&self, ctx: &Context, body: &mut Body) -> Carried {
        let l = self.l;
        let inits = l.inits(ctx, body).to_vec();
        let index = l.iter_args(body)[self.at];
        let ty = body.ty(self.held);
        let mut b = Builder::before(ctx, body, l.0);
        let first = where_it_runs(&mut b, l, &[ty], |b| {
            vec![self.computed_of(b, index, inits[self.at])]
        });
        let at = inits.len();
        let new = rebuilt(&mut b, l, &[&inits[..], &first].concat());
        let held = new.iter_args(b.body)[at];
        b.body
            .replace_values_in(new.0, |value| match value == self.held {
                true => held,
                false => value,
            });
        let mut b = Builder::before(ctx, body, self.select);
        let operands = b.body[self.select].operands.to_vec();
        let is_taken_if = operands[2] == index;
        let taken = operands[if is_taken_if { 1 } else { 2 }];
        let candidate = self.computed_of(&mut b, index, taken);
        let [yes, no] = match is_taken_if {
            true => [candidate, held],
            false => [held, candidate],
        };
        let next = arith::select(&mut b, operands[0], yes, no);
        let block = new.block(b.body);
        if let Some(last) = b.body[block].last() {
            b.body[last].operands.push(next);
        }
        let results: Vec<Value> = b.body[new.0].results().collect();
        b.body.replace_results(l.0, &results[..at]);
        b.body.erase(l.0);
        for &op in self.chain.iter().rev() {
            b.body.erase(op);
        }
        Carried { l: new, at }
    }

    /// Emits what is computed of another index.
    fn computed_of(&self, b: &mut Builder, index: Value, other: Value) -> Value {
        let mut names = IrMapping::new();
        names.map(index, other);
        b.insert_copies(&self.chain, &mut names);
        names.value(self.held)
    }
}

/// Loop that carries the best value at a position.
struct Carried {
    l: ForOp,
    at: usize,
}

/// The operations of a loop's block that compute `value` and use its carried `index`, in order; `None` where none does, or where
/// they use other values of the iteration or may have an effect. Loads are made again of indices that the loop loads
/// at anyway.
fn chain(body: &Body, l: ForOp, index: Value, value: Value) -> Option<Vec<OpId>> {
    let mut found: Vec<OpId> = Vec::new();
    let mut open = vec![value];
    let (mut uses_index, mut loads) = (false, false);
    while let Some(value) = open.pop() {
        if value == index {
            uses_index = true;
            continue;
        }
        if !body.is_defined_in(value, l.0) {
            continue;
        }
        let op = body.defining_op(value)?;
        let is_copied = body[op].parent() == Some(l.block(body))
            && body[op].num_regions() == 0
            && body[op].num_results() == 1
            && (is_load(body, op) || body[op].name.has(Traits::PURE));
        if !is_copied || found.len() > MAX_CHAIN {
            return None;
        }
        if !found.contains(&op) {
            loads |= is_load(body, op);
            found.push(op);
            open.extend(&body[op].operands);
        }
    }
    let in_order = body.ops(l.block(body)).filter(|op| found.contains(op));
    (uses_index && loads).then(|| in_order.collect())
}
