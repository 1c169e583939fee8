//! `inline`: calls replaced by what they call.
//!
//! ```text
//! %y = func.call @twice(%x)            %y = arith.addf %x, %x
//! func.func private @twice(…) …   ⇒    func.func private @twice(…) …
//! ```
//!
//! Legal for functions whose body is one block, which may hold structured
//! control flow, and that do not call themselves, however indirectly. Other
//! calls stay. A private function that was called and no longer is goes.

use std::collections::{HashMap, HashSet};

use gridloom_ir::dialect::func::{self, CallOp};
use gridloom_ir::{Body, Context, Ident, IrMapping, Module, OpId, Value};

use super::affine_scope::restore_scope;
use super::symbol_dce::unused_functions;

/// A function that has grown to this many operations takes no more calls in.
const MAX_OPS: usize = 50_000;

/// Inlines calls in every function of a module. Returns whether any was.
pub fn inline(ctx: &Context, module: &mut Module) -> bool {
    let bodies = inlinable(ctx, module);
    let idle_before = unused_functions(ctx, module, |_| true);
    let functions: Vec<OpId> = (module.ops())
        .filter(|(_, op)| op.name == func::FUNC)
        .map(|(op, _)| op)
        .collect();
    let mut changed = false;
    for function in functions {
        if let Some(body) = module.body_mut()[function].isolated_mut() {
            changed |= inline_calls(ctx, body, &bodies);
        }
    }
    for function in unused_functions(ctx, module, |op| !idle_before.contains(&op)) {
        module.body_mut().erase(function);
    }
    changed
}

/// Inlines until no call is left that can be: callees are never recursive, so
/// this ends.
fn inline_calls(ctx: &Context, body: &mut Body, bodies: &HashMap<Ident, Body>) -> bool {
    let mut changed = false;
    let mut calls = calls_of(body, body.walk());
    while let Some(call) = calls.pop() {
        let Some(callee) = bodies.get(&call.callee_name(ctx, body)) else {
            continue;
        };
        if body.op_capacity() > MAX_OPS {
            break;
        }
        let new = inline_call(body, call, callee);
        restore_scope(ctx, body, &new);
        calls.extend(calls_of(body, new));
        changed = true;
    }
    changed
}

fn calls_of(body: &Body, ops: Vec<OpId>) -> Vec<CallOp> {
    ops.into_iter()
        .filter_map(|op| CallOp::cast(body, op))
        .collect()
}

/// Puts a copy of the callee's block in the place of a call. Returns the
/// operations that came with it.
fn inline_call(body: &mut Body, call: CallOp, callee: &Body) -> Vec<OpId> {
    let mut map = IrMapping::new();
    let Some(entry) = callee.entry() else {
        return Vec::new();
    };
    let args = body[call.0].operands.to_vec();
    for (&param, &arg) in callee[entry].args.iter().zip(&args) {
        map.map(param, arg);
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
    let pairs: HashMap<Value, Value> = body[call.0].results().zip(results).collect();
    if !pairs.is_empty() {
        body.replace_values(|v| pairs.get(&v).copied().unwrap_or(v));
    }
    body.erase(call.0);
    new
}

/// The bodies of functions that may be inlined, by name.
fn inlinable(ctx: &Context, module: &Module) -> HashMap<Ident, Body> {
    let mut callees: HashMap<Ident, Vec<Ident>> = HashMap::new();
    let mut candidates = Vec::new();
    for (_, op) in module.ops() {
        let (Some(name), Some(body)) = (op.symbol_name(ctx), op.isolated()) else {
            continue;
        };
        if op.name != func::FUNC {
            continue;
        }
        let calls = calls_of(body, body.walk());
        let names = calls.iter().map(|call| call.callee_name(ctx, body));
        callees.insert(name, names.collect());
        let has_one_block = matches!(body.regions(), [region] if body[*region].blocks.len() == 1);
        if has_one_block && body.walk().len() < MAX_OPS {
            candidates.push((name, body));
        }
    }
    let fit = candidates
        .into_iter()
        .filter(|(name, _)| !reaches_itself(*name, &callees));
    fit.map(|(name, body)| (name, body.clone())).collect()
}

fn reaches_itself(name: Ident, callees: &HashMap<Ident, Vec<Ident>>) -> bool {
    let next = |name: &Ident| callees.get(name).into_iter().flatten().copied();
    let mut seen: HashSet<Ident> = HashSet::new();
    let mut stack: Vec<Ident> = next(&name).collect();
    while let Some(callee) = stack.pop() {
        if callee == name {
            return true;
        }
        if seen.insert(callee) {
            stack.extend(next(&callee));
        }
    }
    false
}
