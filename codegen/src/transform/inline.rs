//! `inline`: replaces calls by the bodies of their callees.
//!
//! ```text
//! %y = func.call @twice(%x)            %y = arith.addf %x, %x
//! func.func private @twice(…) …   ⇒    func.func private @twice(…) …
//! ```
//!
//! Legal for functions whose body is one block, which may hold structured control flow, and that do
//! not call themselves, however indirectly. Other calls stay, but for indirect ones of known functions ([`super::direct_calls`]). A private function without remaining
//! calls is erased.
//!
//! A value that is a symbol in the callee may not be one at the call, such as the counter of an
//! `scf.for` passed as an argument. An access or a condition that uses it is lowered then (see
//! [`super::affine_scope`]). A loop is lowered too where the call is in an affine loop, which may
//! become a kernel as a whole; elsewhere the call stays, so that the callee keeps its loops. The
//! call stays as well if what uses the value cannot be lowered. Calls that run where arguments
//! overlap stay, since they are rarely taken.
//!
//! Kernels take the functions of their `gpu.module`, which are structured first
//! ([`super::lift_cf_to_scf`]): early returns and loops of branches are no obstacle there.
//!
//! Functions to be erased are not processed: of a chain of private functions, each body is copied
//! once, to where the chain is called from.

use std::collections::{HashMap, HashSet};

use gridloom_dialects::affine::{self, Bound, ForOp, ParallelOp};
use gridloom_dialects::func::{self, CallOp};
use gridloom_dialects::{gpu, gridloom, inherent, memref};
use gridloom_ir::body::OpData;
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Context, Ident, IrMapping, Module, OpId, Value, threads};

use super::affine_scope::{MAX_CHAIN, is_dim, is_symbol, is_top_level, restore_scope};
use super::direct_calls::call_directly;
use super::lift_cf_to_scf::lift_device_function;
use super::symbol_dce::unused_functions;
use crate::analysis::counter::counters;
use crate::analysis::loop_kind::is_affine_loop;
use crate::functions::threads_for;

/// Size limit of a caller: one with this many operations takes no further calls.
const MAX_OPS: usize = 50_000;

/// Inlines calls in every function of a module, and in its kernels. Returns whether any was.
pub fn inline(ctx: &Context, module: &mut Module) -> bool {
    let changed = call_directly(ctx, module) | inline_in_functions(ctx, module);
    changed | inline_in_kernels(ctx, module)
}

/// Inlines calls of functions of a `gpu.module` in its kernels. The functions stay.
fn inline_in_kernels(ctx: &Context, module: &mut Module) -> bool {
    let containers: Vec<OpId> = (module.ops())
        .filter(|(_, op)| op.name == gpu::MODULE)
        .map(|(op, _)| op)
        .collect();
    let mut changed = false;
    for container in containers {
        let Some(inside) = module.body_mut()[container].isolated_mut() else {
            continue;
        };
        if !inside.arena().any(may_call) {
            continue;
        }
        let ops = inside.walk();
        for &op in &ops {
            let is_function = inside[op].name == func::FUNC;
            if let Some(body) = inside[op].isolated_mut().filter(|_| is_function) {
                changed |= lift_device_function(ctx, body);
            }
        }
        let bodies = inlinable(ctx, ops.iter().map(|&op| &inside[op]));
        if bodies.is_empty() {
            continue;
        }
        for op in ops {
            let is_kernel = inside[op].name == gpu::FUNC;
            if let Some(body) = inside[op].isolated_mut().filter(|_| is_kernel) {
                changed |= inline_calls(ctx, body, &bodies, Place::Kernel);
            }
        }
    }
    changed
}

/// Place of a call: the kind of code around it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// A function of the host, where loops are mapped.
    Host,
    /// A kernel, which has no calls in the end: a callee's loops may stop being affine.
    Kernel,
}

/// Whether a function calls others; a call that was detached may count as well.
fn may_call(function: &OpData) -> bool {
    (function.isolated()).is_some_and(|body| body.may_hold(func::CALL))
}

fn inline_in_functions(ctx: &Context, module: &mut Module) -> bool {
    if !module.ops().any(|(_, op)| may_call(op)) {
        return false;
    }
    let bodies = inlinable(ctx, module.ops().map(|(_, op)| op));
    let idle_before: HashSet<OpId> = unused_functions(ctx, module, |_| true)
        .into_iter()
        .collect();
    let mut left: HashSet<OpId> = (module.ops())
        .filter(|(_, op)| op.name == func::FUNC)
        .map(|(op, _)| op)
        .collect();
    let mut changed = false;
    // Functions that stay in any case first, then those still called.
    let mut may_go = may_go(ctx, module, &bodies, &idle_before);
    loop {
        let (later, now): (HashSet<OpId>, HashSet<OpId>) =
            left.into_iter().partition(|f| may_go.contains(f));
        if now.is_empty() {
            break;
        }
        let mut functions = module.body_mut().owners_mut();
        functions.retain(|(op, _)| now.contains(op));
        let threads = threads_for(ctx, functions.iter().filter_map(|(_, op)| op.isolated()));
        let inlined = threads::map_mut(threads, &mut functions, |(_, op)| {
            (op.isolated_mut()).is_some_and(|body| inline_calls(ctx, body, &bodies, Place::Host))
        });
        changed |= inlined.contains(&true);
        left = later;
        may_go = unused_functions(ctx, module, |op| !idle_before.contains(&op))
            .into_iter()
            .collect();
    }
    for function in may_go {
        module.body_mut().erase(function);
    }
    changed
}

/// Erasable functions: private ones with uses, all of whose calls can be inlined, unless a caller
/// grows too large.
fn may_go(
    ctx: &Context,
    module: &Module,
    bodies: &HashMap<Ident, Body>,
    idle: &HashSet<OpId>,
) -> HashSet<OpId> {
    let functions = module.ops().filter(|(_, op)| op.name == func::FUNC);
    let private = functions.filter(|(op, data)| {
        let visibility = data.get(ctx, inherent::SYM_VISIBILITY);
        let inlinable = data
            .symbol_name(ctx)
            .is_some_and(|name| bodies.contains_key(&name));
        visibility == Some("private") && inlinable && !idle.contains(op)
    });
    private.map(|(op, _)| op).collect()
}

/// Inlines calls until none can be; terminates, since callees are never recursive.
fn inline_calls(
    ctx: &Context,
    body: &mut Body,
    bodies: &HashMap<Ident, Body>,
    place: Place,
) -> bool {
    let mut results = Results::default();
    let mut calls = calls_of(body, body.walk_named(|name| name == func::CALL));
    while let Some(call) = calls.pop() {
        let Some(callee) = bodies.get(&call.callee_name(ctx, body)) else {
            continue;
        };
        if body.op_capacity() > MAX_OPS {
            break;
        }
        if gridloom::is_overlapping_call(ctx, &body[call.0])
            || !fits(ctx, body, call, callee, place, &mut results)
        {
            continue;
        }
        let new = inline_call(body, call, callee, &mut results);
        results.of_calls.extend(restore_scope(ctx, body, &new));
        calls.extend(calls_of(body, new));
        results.any = true;
    }
    if !results.of_calls.is_empty() {
        body.replace_values(|value| results.current(value));
    }
    results.any
}

/// Replacements of the results of inlined calls. The body keeps the old values until all calls are
/// done, so that it is rewritten once.
#[derive(Default)]
struct Results {
    of_calls: HashMap<Value, Value>,
    any: bool,
}

impl Results {
    /// Follows replacements of a value: a callee may return the result of a call in it, and so on.
    fn current(&mut self, value: Value) -> Value {
        let mut last = value;
        while let Some(&next) = self.of_calls.get(&last) {
            last = next;
        }
        // Path compression: the next look-up along this chain is one step.
        let mut link = value;
        while let Some(next) = self.of_calls.get_mut(&link) {
            link = std::mem::replace(next, last);
            if link == last {
                break;
            }
        }
        last
    }
}

fn calls_of(body: &Body, ops: Vec<OpId>) -> Vec<CallOp> {
    ops.into_iter()
        .filter_map(|op| CallOp::cast(body, op))
        .collect()
}

/// Whether the affine operations of a callee are valid, or can be lowered, at the place of a call.
fn fits(
    ctx: &Context,
    body: &Body,
    call: CallOp,
    callee: &Body,
    place: Place,
    done: &mut Results,
) -> bool {
    let Some(around) = body.parent_op(call.0) else {
        // At the top level of the caller, symbols of the callee stay symbols.
        return true;
    };
    let mut parents = std::iter::successors(Some(around), |&op| body.parent_op(op));
    let may_lower = place == Place::Kernel || parents.any(|op| is_affine_loop(body, op));
    let args: Vec<Value> = (body[call.0].operands.iter())
        .map(|&arg| done.current(arg))
        .collect();
    let mut site = Site {
        ctx,
        body,
        args,
        callee,
        lowered: HashSet::new(),
    };
    // Pre-order: a loop is judged before the uses of its counter.
    callee.walk().into_iter().all(|op| match callee[op].name {
        affine::FOR if !site.takes_for(ForOp(op)) => {
            site.lowered.insert(op);
            may_lower
        }
        affine::PARALLEL => site.takes_parallel(ParallelOp(op)),
        affine::DMA_START | affine::DMA_WAIT => site.takes_transfer(op),
        _ => true,
    })
}

/// Call site inside of a region, with the callee.
struct Site<'a> {
    ctx: &'a Context,
    body: &'a Body,
    /// Arguments of the call, one for each parameter.
    args: Vec<Value>,
    callee: &'a Body,
    /// Loops of the callee to be lowered to `scf.for`, whose counters are no dimensions.
    lowered: HashSet<OpId>,
}

impl Site<'_> {
    fn takes_for(&self, op: ForOp) -> bool {
        let (lower, upper) = (
            op.lower(self.ctx, self.callee),
            op.upper(self.ctx, self.callee),
        );
        self.takes_bound(lower) && self.takes_bound(upper)
    }

    fn takes_parallel(&self, op: ParallelOp) -> bool {
        let (lower, upper) = (
            op.lower(self.ctx, self.callee),
            op.upper(self.ctx, self.callee),
        );
        self.takes_bound(lower) && self.takes_bound(upper)
    }

    fn takes_bound(&self, bound: Bound) -> bool {
        let dims = bound.map.num_dims(self.ctx);
        let (dims, symbols) = bound.operands.split_at(dims.min(bound.operands.len()));
        dims.iter().all(|&value| self.is_valid(value, is_dim))
            && symbols.iter().all(|&value| self.is_valid(value, is_symbol))
    }

    fn takes_transfer(&self, op: OpId) -> bool {
        let operands = self.callee[op].operands.iter();
        let index = self.ctx.index_type();
        let mut indices = operands.filter(|&&value| self.callee.ty(value) == index);
        indices.all(|&value| self.is_valid(value, is_symbol))
    }

    /// Whether an index of the callee is valid at the call site as a dimension or symbol;
    /// `is_valid` tests arguments.
    fn is_valid(&self, value: Value, is_valid: fn(&Body, Value) -> bool) -> bool {
        let callee = self.callee;
        let mut stack = vec![value];
        for _ in 0..MAX_CHAIN {
            let Some(value) = stack.pop() else {
                return true;
            };
            let holds = match (self.arg_of(value), callee.defining_op(value)) {
                (Some(arg), _) => is_valid(self.body, arg),
                (None, None) => self.is_counter(value),
                (None, Some(op)) => match callee[op].name {
                    affine::APPLY => {
                        stack.extend(callee[op].operands.iter().copied());
                        true
                    }
                    memref::DIM => {
                        let source = callee[op].operands.first();
                        let source = source.and_then(|&source| self.arg_of(source));
                        source.is_some_and(|source| is_top_level(self.body, source))
                    }
                    name => name.has(Traits::CONSTANT_LIKE),
                },
            };
            if !holds {
                return false;
            }
        }
        false
    }

    fn arg_of(&self, value: Value) -> Option<Value> {
        let entry = self.callee.entry()?;
        let params = &self.callee[entry].args;
        let position = params.iter().position(|&param| param == value)?;
        self.args.get(position).copied()
    }

    /// Whether a value is the counter of a callee's loop that stays affine.
    fn is_counter(&self, value: Value) -> bool {
        let callee = self.callee;
        let block = callee.value_block(value);
        let owner = block.and_then(|block| callee.block_parent_op(block));
        owner
            .filter(|op| !self.lowered.contains(op))
            .is_some_and(|op| {
                counters(callee, op).any(|counter| counter.induction_var(callee) == value)
            })
    }
}

/// Replaces a call by a copy of the callee's block. Returns the copied operations.
fn inline_call(body: &mut Body, call: CallOp, callee: &Body, done: &mut Results) -> Vec<OpId> {
    let mut map = IrMapping::new();
    let Some(entry) = callee.entry() else {
        return Vec::new();
    };
    let args = body[call.0].operands.to_vec();
    for (&param, &arg) in callee[entry].args.iter().zip(&args) {
        map.map(param, done.current(arg));
    }
    let mut new = Vec::new();
    let mut results: Vec<Value> = Vec::new();
    for op in callee.ops(entry) {
        if callee[op].name == func::RETURN {
            results = callee[op].operands.iter().map(|&v| map.value(v)).collect();
            continue;
        }
        let copy = body.clone_op_from(callee, op, &mut map);
        body.insert_before(call.0, copy);
        new.extend(body.walk_op(copy));
    }
    done.of_calls.extend(body[call.0].results().zip(results));
    body.erase(call.0);
    new
}

/// The bodies of functions that are called and may be inlined, by name.
fn inlinable<'m>(ctx: &Context, ops: impl Iterator<Item = &'m OpData>) -> HashMap<Ident, Body> {
    let mut callees: HashMap<Ident, Vec<Ident>> = HashMap::new();
    let mut candidates = Vec::new();
    for op in ops {
        let (Some(name), Some(body)) = (op.symbol_name(ctx), op.isolated()) else {
            continue;
        };
        // A kernel is never a callee, but may be a caller.
        if !matches!(op.name, func::FUNC | gpu::FUNC) {
            continue;
        }
        let calls = calls_of(body, body.walk());
        let names = calls.iter().map(|call| call.callee_name(ctx, body));
        callees.insert(name, names.collect());
        let has_one_block = matches!(body.regions(), [region] if body[*region].blocks.len() == 1);
        if has_one_block && op.name == func::FUNC && body.walk().len() < MAX_OPS {
            candidates.push((name, body));
        }
    }
    let recursive = recursive(&callees);
    let called: HashSet<Ident> = callees.into_values().flatten().collect();
    let fit = candidates
        .into_iter()
        .filter(|(name, _)| called.contains(name) && !recursive.contains(name));
    fit.map(|(name, body)| (name, body.clone())).collect()
}

/// The functions that call themselves, however indirectly: those on cycles of
/// the call graph, found by Tarjan's algorithm ("Depth-first search and linear
/// graph algorithms", 1972) with a stack of its own.
fn recursive(callees: &HashMap<Ident, Vec<Ident>>) -> HashSet<Ident> {
    let mut search = Cycles {
        callees,
        order: HashMap::new(),
        open: Vec::new(),
        found: HashSet::new(),
    };
    for &name in callees.keys() {
        search.visit(name);
    }
    search.found
}

struct Cycles<'a> {
    callees: &'a HashMap<Ident, Vec<Ident>>,
    /// Visit number of each function, and the least one of an open function that it reaches
    /// (Tarjan's low link); `None` once its component is closed.
    order: HashMap<Ident, Option<(usize, usize)>>,
    open: Vec<Ident>,
    found: HashSet<Ident>,
}

impl Cycles<'_> {
    fn visit(&mut self, root: Ident) {
        let mut path: Vec<(Ident, usize)> = Vec::new();
        self.enter(root, &mut path);
        while let Some((name, next)) = path.last_mut() {
            let name = *name;
            let callee = self.callees.get(&name).and_then(|list| list.get(*next));
            *next += 1;
            let Some(&callee) = callee else {
                path.pop();
                self.close(name);
                if let Some(&(caller, _)) = path.last() {
                    self.reach(caller, name);
                }
                continue;
            };
            if callee == name {
                self.found.insert(name);
            }
            if self.order.contains_key(&callee) {
                self.reach(name, callee);
            } else {
                self.enter(callee, &mut path);
            }
        }
    }

    fn enter(&mut self, name: Ident, path: &mut Vec<(Ident, usize)>) {
        if !self.order.contains_key(&name) {
            let number = self.order.len();
            self.order.insert(name, Some((number, number)));
            self.open.push(name);
            path.push((name, 0));
        }
    }

    /// Records that `from` reaches everything that `to` reaches, if that is still open.
    fn reach(&mut self, from: Ident, to: Ident) {
        if let Some(&Some((_, low))) = self.order.get(&to)
            && let Some(Some((_, lowest))) = self.order.get_mut(&from)
        {
            *lowest = low.min(*lowest);
        }
    }

    /// Closes a function; if it reaches no earlier one, also its component.
    fn close(&mut self, name: Ident) {
        let Some(&Some((number, low))) = self.order.get(&name) else {
            return;
        };
        if number != low {
            return;
        }
        let first = self
            .open
            .iter()
            .rposition(|&open| open == name)
            .unwrap_or(0);
        let component = self.open.split_off(first);
        for &member in &component {
            self.order.insert(member, None);
        }
        if component.len() > 1 {
            self.found.extend(component);
        }
    }
}
