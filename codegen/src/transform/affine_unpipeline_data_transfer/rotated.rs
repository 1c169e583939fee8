//! Buffers that a loop hands on in a cycle, as slots of one.
//!
//! ```text
//! for %i = 0 to 8 iter_args(%now = %x, %next = %y) {         for %i = 0 to 8 {
//!   if (%i < 7) start %a[%i + 1] → %next                        if (%i < 7) start %a[%i + 1] → %b[(%i + 1) mod 2]
//!   S(%i, %now)                                           ⇒     S(%i, %b[%i mod 2])
//!   yield %next, %now
//! }                                                          }
//! ```
//!
//! Legal where the loop alone decides which buffer is which: all are allocated and freed beside it, in the same
//! type and size, and only accessed in between. Done for buffers and tags of transfers, so that starts and waits name
//! the places that they mean.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::memory_space::launch_around;
use gridloom_dialects::memref;
use gridloom_ir::body::Uses;
use gridloom_ir::{Body, Builder, Context, OpId, Value};

use crate::transform::affine_pipeline_data_transfer::is_before;
use crate::transform::buffer_slots::{allocate_slots, is_redirectable, redirect, slot_of};
use crate::transform::emit_loops::{MapWithOperands, owned, rebuilt};
use crate::transform::lower_memref_dma::is_start;

/// Limit of the buffers of a cycle.
const MAX_SLOTS: usize = 8;

/// Merges the buffers that loops around transfers hand on. Returns whether there were any.
pub(super) fn merge_buffers(ctx: &Context, body: &mut Body) -> bool {
    let mut changed = false;
    for op in body.walk_named(|name| name == affine::FOR) {
        let Some(l) = ForOp::cast(body, op) else {
            continue;
        };
        let orders = cycles_of(body, l);
        if orders.is_empty() {
            continue;
        }
        let uses = body.uses();
        let cycles: Vec<Cycle> = (orders.into_iter())
            .filter_map(|order| Cycle::of(ctx, body, &uses, l, order))
            .collect();
        if !cycles.is_empty() {
            merge(ctx, body, l, &cycles);
            changed = true;
        }
    }
    changed
}

/// The cycles in which a loop hands on its carried values: in the next iteration, each is the one behind it.
fn cycles_of(body: &Body, l: ForOp) -> Vec<Vec<usize>> {
    let (args, yielded) = (l.iter_args(body), l.yielded(body));
    let next = |at: usize| args.iter().position(|arg| *arg == yielded[at]);
    let mut cycles: Vec<Vec<usize>> = Vec::new();
    for start in 0..args.len() {
        if cycles.iter().flatten().any(|&at| at == start) {
            continue;
        }
        let mut order = vec![start];
        let mut at = next(start);
        while let Some(found) = at.filter(|found| !order.contains(found)) {
            order.push(found);
            at = next(found);
        }
        if at == Some(start) && (2..=MAX_SLOTS).contains(&order.len()) {
            cycles.push(order);
        }
    }
    cycles
}

/// Buffers that take turns. In iteration `n`, carried value `order[k]` is buffer `k + n`, modulo their number.
struct Cycle {
    order: Vec<usize>,
    allocs: Vec<OpId>,
    frees: Vec<OpId>,
    /// The accesses of each buffer by its allocation, by the carried value and by the result of the loop.
    direct: Vec<Vec<OpId>>,
    carried: Vec<Vec<OpId>>,
    results: Vec<Vec<OpId>>,
}

impl Cycle {
    fn of(ctx: &Context, body: &Body, uses: &Uses, l: ForOp, order: Vec<usize>) -> Option<Cycle> {
        let inits = l.inits(ctx, body);
        let allocs = order.iter().map(|&at| body.defining_op(inits[at]));
        let allocs = allocs.collect::<Option<Vec<OpId>>>()?;
        let first = *allocs.first()?;
        let is_alike = |&alloc: &OpId| {
            let ty = body.ty(body[alloc].result(0));
            matches!(body[alloc].name, memref::ALLOC | memref::ALLOCA)
                && (body[alloc].name, body[alloc].properties)
                    == (body[first].name, body[first].properties)
                && body[alloc].operands.is_empty()
                && ty == body.ty(body[first].result(0))
                && ty.memref(ctx).is_some_and(|ty| ty.layout.is_none())
                && body[alloc].parent() == body[l.0].parent()
        };
        let is_distinct = (1..allocs.len()).all(|at| !allocs[..at].contains(&allocs[at]));
        if !is_distinct || !allocs.iter().all(is_alike) {
            return None;
        }
        let mut frees = Vec::new();
        let mut accesses = |value: Value| {
            let mut found = Vec::new();
            for user in uses.of(value) {
                match body[user.op].name {
                    memref::DEALLOC => frees.push(user.op),
                    _ if is_redirectable(body, user.op, value)
                        && launch_around(body, user.op).is_none() =>
                    {
                        found.push(user.op);
                    }
                    _ if user.op == l.0 => {}
                    affine::YIELD if body.parent_op(user.op) == Some(l.0) => {}
                    _ => return None,
                }
            }
            Some(found)
        };
        let args = l.iter_args(body);
        let direct = (allocs.iter()).map(|&alloc| accesses(body[alloc].result(0)));
        let direct = direct.collect::<Option<Vec<_>>>()?;
        let carried = order.iter().map(|&at| accesses(args[at]));
        let carried = carried.collect::<Option<Vec<_>>>()?;
        let results = (order.iter()).map(|&at| accesses(body[l.0].result(at)));
        let results = results.collect::<Option<Vec<_>>>()?;
        let is_freed_behind = |&free: &OpId| is_before(body, l.0, free);
        let is_freed = match frees.len() {
            0 => true,
            frees_found => frees_found == order.len() && frees.iter().all(is_freed_behind),
        };
        let yielded = l.yielded(body);
        let is_carried_once = order.iter().all(|&at| {
            let count = |values: &[Value], value| values.iter().filter(|&&v| v == value).count();
            count(inits, inits[at]) == 1 && count(yielded, args[at]) == 1
        });
        let names_the_last = results.iter().any(|accesses| !accesses.is_empty());
        let is_known = !names_the_last || l.constant_trip_count(ctx, body).is_some();
        let moves = |ops: &Vec<OpId>| ops.iter().any(|&op| is_start(body[op].name));
        let is_single = l.lower(ctx, body).map.results(ctx).len() == 1;
        let is_legal = is_freed && is_carried_once && is_known && is_single;
        (is_legal && carried.iter().any(moves)).then_some(Cycle {
            order,
            allocs,
            frees,
            direct,
            carried,
            results,
        })
    }

    /// Redirects all accesses to slots of one buffer.
    fn redirect(&self, ctx: &Context, body: &mut Body, l: ForOp) {
        let slots = self.order.len() as i64;
        // In block order, the first allocation comes before all uses.
        let is_first = |&&alloc: &&OpId| {
            (self.allocs.iter()).all(|&other| other == alloc || is_before(body, alloc, other))
        };
        let Some(&first) = self.allocs.iter().find(is_first) else {
            return;
        };
        let new = allocate_slots(&mut Builder::before(ctx, body, first), first, slots);
        let trips = l.constant_trip_count(ctx, body).unwrap_or(0);
        let lower = owned(l.lower(ctx, body));
        let (step, counter) = (l.step(ctx, body), l.induction_var(body));
        let constant = |number: i64| -> MapWithOperands {
            let number = ctx.affine_const(number % slots);
            (ctx.affine_map(0, 0, &[number]), Vec::new())
        };
        let behind = (trips % slots.unsigned_abs()) as i64;
        for (number, &at) in (0..).zip(&self.order) {
            let place = number as usize;
            let named = [
                (
                    body[self.allocs[place]].result(0),
                    &self.direct[place],
                    constant(number),
                ),
                (
                    l.iter_args(body)[at],
                    &self.carried[place],
                    slot_of(ctx, (&lower, step, counter), number, slots),
                ),
                (
                    body[l.0].result(at),
                    &self.results[place],
                    constant(number + behind),
                ),
            ];
            for (old, users, slot) in named {
                for &user in users {
                    redirect(ctx, body, user, (old, new), &slot);
                }
            }
        }
        // Accesses may stand between the frees.
        let is_last = |&&free: &&OpId| {
            (self.frees.iter()).all(|&other| other == free || is_before(body, other, free))
        };
        if let Some(&last) = self.frees.iter().find(is_last) {
            let mut b = Builder::before(ctx, body, last);
            b.create(b.state(memref::DEALLOC).operands(&[new]));
        }
        self.frees.iter().for_each(|&free| body.erase(free));
    }
}

/// Merges the buffers of cycles, and rebuilds their loop without them.
fn merge(ctx: &Context, body: &mut Body, l: ForOp, cycles: &[Cycle]) {
    for cycle in cycles {
        cycle.redirect(ctx, body, l);
    }
    let is_kept = |at: usize| !cycles.iter().any(|cycle| cycle.order.contains(&at));
    let kept = |values: &[Value]| -> Vec<Value> {
        let numbered = values.iter().enumerate();
        let kept = numbered.filter(|&(at, _)| is_kept(at));
        kept.map(|(_, &value)| value).collect()
    };
    let inits = kept(l.inits(ctx, body));
    let results: Vec<Value> = body[l.0].results().collect();
    let results = kept(&results);
    let block = l.block(body);
    if let Some(end) = body[block].last() {
        body[end].operands = kept(&body[end].operands).into_iter().collect();
    }
    body.retain_arguments(block, |at| at == 0 || is_kept(at - 1));
    let new = rebuilt(&mut Builder::before(ctx, body, l.0), l, &inits);
    for (number, &result) in results.iter().enumerate() {
        let value = body[new.0].result(number);
        body.replace_uses(result, value);
    }
    body.erase(l.0);
    for cycle in cycles {
        cycle.allocs.iter().for_each(|&alloc| body.erase(alloc));
    }
}
