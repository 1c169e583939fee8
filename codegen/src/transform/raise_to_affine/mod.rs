//! `raise-to-affine`: raises `scf` loops with affine bounds, and `memref` accesses with affine
//! subscripts, to `affine`.
//!
//! ```text
//! scf.for %i = %c0 to %n step %c1 {           affine.for %i = 0 to %n {
//!   %k = arith.addi %i, %c1 : index     ⇒       %v = affine.load %a[%i + 1]
//!   %v = memref.load %a[%k]
//! }                                           }
//! scf.parallel (%i) = (%c0) to (%n)     ⇒     affine.parallel (%i) = (0) to (%n)
//!     step (%c1) { S(%i) }                        { S(%i) }
//! ```
//!
//! Legal where the maps compute, in the machine's arithmetic, the same numbers as the operations:
//! sums and products wrap in both, a dividend is proved to fit 64 bits, and so is each of several
//! bounds. Operands are those that MLIR takes for dimensions and symbols; a loop with other bounds
//! stays, and a remark names them. What `scf.parallel` and `scf.forall` declare, that iterations
//! may run in any order, `affine.parallel` declares as well.

mod accesses;
mod bounds;
pub(super) mod casts;
mod conditions;
mod counted_while;
mod counter_range;
mod exit_test;
mod extrema;
pub(super) mod induction;
mod invariants;
mod least_bound;
mod loops;
mod meeting_counters;
pub(super) mod operands;
mod reductions;
pub(crate) mod remarks;
mod semi_affine;
pub(super) mod symbols;
pub(super) mod tested_while;
mod views;

use std::collections::{HashMap, HashSet};

use gridloom_dialects::{affine, gpu, inherent};
use gridloom_ir::{Body, Context, Diagnostics, OpId, Value};

use crate::analysis::loop_kind::is_affine_loop;
use crate::analysis::values::AffineValues;
use crate::transform::affine_scope::{is_dim, is_symbol, restore_scope};
use crate::transform::lift_cf_to_scf::lift_cf_to_scf;
use operands::Raised;

/// Limit of the rounds over all loops: raising a loop tightens the intervals for bounds of loops
/// inside of it, and so does one that turns out to be counted.
const MAX_ROUNDS: usize = 8;

/// Raises loops, conditions and accesses of a function's body; kernels are skipped. Returns whether
/// anything changed, and a remark for each loop that stays.
pub fn raise_to_affine(ctx: &Context, body: &mut Body) -> (bool, Diagnostics) {
    let (changed, mut remarks) = raise(ctx, body);
    if !is_kernel(body) {
        remarks.append(remarks::of_loops(ctx, body));
    }
    (changed, remarks)
}

/// Like [`raise_to_affine`], without remarks on loops that stay.
pub fn raise(ctx: &Context, body: &mut Body) -> (bool, Diagnostics) {
    if is_kernel(body) {
        return (false, Diagnostics::new());
    }
    let (lifted, remarks) = lift_cf_to_scf(ctx, body);
    let mut host = Host::new(ctx, body);
    host.change(semi_affine::expand);
    host.change(symbols::hoist);
    host.change(meeting_counters::bound_by_middle);
    host.change(least_bound::join);
    for _ in 0..MAX_ROUNDS {
        if !host.change(counted_while::to_for) {
            break;
        }
    }
    let is_candidate =
        |&op: &OpId| loops::is_candidate(host.body, op) || is_affine_loop(host.body, op);
    if host.ops.iter().any(is_candidate) {
        raise_host(&mut host);
    }
    (lifted | host.changed, remarks)
}

/// Raises the operations of a host function that has a loop.
fn raise_host(host: &mut Host) {
    host.change(reductions::sequentialise);
    host.change(extrema::of_selections);
    host.change(casts::to_index);
    host.change(induction::derive);
    host.change(casts::widen);
    host.change(symbols::hoist);
    for _ in 0..MAX_ROUNDS {
        if !host.change(raise_loops) {
            break;
        }
        restore_symbols(host.ctx, host.body);
        host.walk();
        host.change(casts::widen);
    }
    host.change(invariants::hoist_from_loops);
    host.change(raise_conditions);
    host.change(raise_accesses);
    host.change(raise_views);
}

/// Host function that is being raised.
struct Host<'b> {
    ctx: &'b Context,
    body: &'b mut Body,
    /// The operations that are in no kernel, in pre-order.
    ops: Vec<OpId>,
    changed: bool,
}

impl<'b> Host<'b> {
    fn new(ctx: &'b Context, body: &'b mut Body) -> Self {
        Host {
            ctx,
            ops: host_ops(body),
            body,
            changed: false,
        }
    }

    /// Walks the function again, after a change.
    fn walk(&mut self) {
        self.ops = host_ops(self.body);
    }

    /// Runs one step, given the operations. Returns whether it changed the function.
    fn change(&mut self, step: impl FnOnce(&Context, &mut Body, &[OpId]) -> bool) -> bool {
        let operations = self.body.op_capacity();
        let changed = step(self.ctx, self.body, &self.ops);
        if changed || self.body.op_capacity() != operations {
            self.walk();
        }
        self.changed |= changed;
        changed
    }
}

/// Whether a body is that of a `gpu.func`.
fn is_kernel(body: &Body) -> bool {
    let ends = body.top_blocks().filter_map(|block| body[block].last());
    { ends }.any(|op| body[op].name == gpu::RETURN)
}

/// The operations of a host function that are in no kernel, in pre-order.
pub(super) fn host_ops(body: &Body) -> Vec<OpId> {
    let ops = body.walk();
    if !body.may_hold(gpu::LAUNCH) {
        return ops;
    }
    let mut kernels: HashSet<OpId> = HashSet::new();
    let mut found = Vec::new();
    for op in ops {
        let is_below = body.parent_op(op).is_some_and(|op| kernels.contains(&op));
        if is_below || body[op].name == gpu::LAUNCH {
            kernels.insert(op);
        } else {
            found.push(op);
        }
    }
    found
}

/// Checks whether a loop in `scf` can be raised where the loops `raised` are affine.
///
/// # Errors
/// It cannot; with the value that keeps a bound from being affine, if it is that.
pub(super) fn non_affine_bound(
    values: &mut AffineValues,
    raised: &Raised,
    op: OpId,
) -> Result<(), Option<Value>> {
    match loops::plan(values, raised, op) {
        Ok(_) => Ok(()),
        Err(loops::Obstacle::Bound(_, value)) => Err(value),
        Err(_) => Err(None),
    }
}

/// Raises the loops with affine bounds. Returns whether there was one.
fn raise_loops(ctx: &Context, body: &mut Body, ops: &[OpId]) -> bool {
    let mut values = AffineValues::new(ctx, body);
    let mut raised = Raised::new();
    let mut plans = Vec::new();
    for &op in ops {
        if !loops::is_candidate(values.body, op) {
            continue;
        }
        if let Ok(plan) = loops::plan(&mut values, &raised, op) {
            raised.insert(op);
            plans.push(plan);
        }
    }
    apply_all(ctx, body, &plans, loops::Plan::apply)
}

/// Restores the validity of each `affine.apply` that has the counter of a raised loop as a symbol, which upstream's tiling
/// writes for counters of `scf` loops: it becomes a dimension, or the operation is lowered.
fn restore_symbols(ctx: &Context, body: &mut Body) {
    let mut ops = host_ops(body);
    ops.retain(|&op| {
        let map = (body[op].name == affine::APPLY).then(|| body[op].get(ctx, inherent::MAP));
        let Some(map) = map.flatten() else {
            return false;
        };
        let mut symbols = body[op].operands.iter().skip(map.num_dims(ctx));
        symbols.any(|&value| is_dim(body, value) && !is_symbol(body, value))
    });
    let replaced = restore_scope(ctx, body, &ops);
    replace_all(body, &replaced);
}

/// Raises the affine conditions. Returns whether there was one.
fn raise_conditions(ctx: &Context, body: &mut Body, ops: &[OpId]) -> bool {
    let plans = plans(ctx, body, ops, conditions::plan);
    apply_all(ctx, body, &plans, conditions::Plan::apply)
}

/// Raises the accesses with affine subscripts. Returns whether there was one.
fn raise_accesses(ctx: &Context, body: &mut Body, ops: &[OpId]) -> bool {
    let plans = plans(ctx, body, ops, accesses::plan);
    apply_all(ctx, body, &plans, accesses::Plan::apply)
}

/// Raises the affine offsets of views. Returns whether there was one.
fn raise_views(ctx: &Context, body: &mut Body, ops: &[OpId]) -> bool {
    let plans = plans(ctx, body, ops, views::plan);
    apply_all(ctx, body, &plans, views::Plan::apply)
}

/// Plans for operations, each made by `plan` alone.
fn plans<P>(
    ctx: &Context,
    body: &Body,
    ops: &[OpId],
    plan: impl Fn(&mut AffineValues, OpId) -> Option<P>,
) -> Vec<P> {
    let mut values = AffineValues::new(ctx, body);
    ops.iter().filter_map(|&op| plan(&mut values, op)).collect()
}

/// Applies plans, then replaces results. Returns whether there was a plan.
fn apply_all<P>(
    ctx: &Context,
    body: &mut Body,
    plans: &[P],
    apply: impl Fn(&P, &Context, &mut Body, &mut HashMap<Value, Value>),
) -> bool {
    let mut replaced = HashMap::new();
    for plan in plans {
        apply(plan, ctx, body, &mut replaced);
    }
    replace_all(body, &replaced);
    !plans.is_empty()
}

fn replace_all(body: &mut Body, replaced: &HashMap<Value, Value>) {
    if !replaced.is_empty() {
        body.replace_values(|value| replaced.get(&value).copied().unwrap_or(value));
    }
}
