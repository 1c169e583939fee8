//! `affine-hoist-loads`: loads what stays the same in all rounds of a thread's loop once, in front of it.
//!
//! ```text
//! affine.for %i = 0 to %n {                             affine.for %i = 0 to %n {
//!   %s = affine.for %k = 0 to %m iter_args(%t = %z) {     %x = affine.load %a[%i]
//!     %x = affine.load %a[%i]                             %s = affine.for %k = 0 to %m iter_args(%t = %z) {
//!     %y = affine.load %c[%k]                      ⇒        %y = affine.load %c[%k]
//!     … %x, %y …                                            … %x, %y …
//!   }                                                     }
//!   …                                                     …
//! }                                                     }
//! ```
//!
//! Drivers do not move loads of buffers out of loops by themselves where they access elements lane by lane. What is computed of such
//! loads alone leaves with them.
//!
//! Legal for a load of an element that nothing in the loop writes and that is proved in range in front of the loop; where the loop may
//! have no round, of memory that holds something anyway ([`speculation`](super::speculation)) and that no iteration of the parallel
//! loops writes there. Done to loops that a thread runs: sequential ones
//! inside of parallel ones and those in them, and those in loops that stand beside others in a parallel one. Between parallel loops, a
//! load would keep these from becoming dimensions of one grid.

use std::collections::{HashMap, HashSet};

use gridloom_dialects::{affine, gridloom, memref};
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Context, Module, OpId, Value};

use super::loop_invariant_code_motion::{is_known_to_run, is_speculatable};
use super::plans::{Plans, change_by_plans};
use super::speculation::{is_filled, open_dimensions};
use crate::analysis::access::{Access, accesses_of};
use crate::analysis::alias::Globals;
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::loop_kind::{is_affine_loop, is_any_loop, is_counted_loop};
use crate::analysis::parallel::verdict;
use crate::analysis::repeatable::are_unchanged;

/// Limit of the nested loops that a load leaves.
const MAX_ROUNDS: usize = 4;

/// Limit of the loads that leave a loop: a thread keeps what they load, for each iteration of its tile. Of more, none leaves.
const MAX_LOADS: usize = 32;

/// Hoists loads in the host functions of a module. Returns whether anything changed.
pub fn hoist_loads(ctx: &Context, module: &mut Module) -> bool {
    change_by_plans(
        ctx,
        module,
        MAX_ROUNDS,
        |body, globals| plan_body(ctx, body, globals),
        |(l, ops), body| {
            for &op in ops {
                body.detach(op);
                body.insert_before(*l, op);
            }
        },
    )
}

/// Plans the operations that leave each loop, in order.
fn plan_body(ctx: &Context, body: &Body, globals: &Globals) -> Plans<(OpId, Vec<OpId>)> {
    let mut planner = Planner {
        deps: Dependences::new(ctx, body, globals),
        parallel: HashMap::new(),
    };
    let loops = body.walk().into_iter();
    let loops = loops.filter(|&op| is_counted_loop(body, op));
    let plans = loops.filter_map(|l| Some((l, planner.plan(l)?))).collect();
    (plans, planner.deps.aliases.relied_on_arguments())
}

struct Planner<'a> {
    deps: Dependences<'a>,
    /// Whether loops are parallel, as far as that was asked.
    parallel: HashMap<OpId, bool>,
}

impl Planner<'_> {
    /// The operations that leave a loop, with what they need; `None` where no load does.
    fn plan(&mut self, l: OpId) -> Option<Vec<OpId>> {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        let block = body.region_block(l, 0)?;
        // What is defined outside, or can be.
        let mut free: HashSet<Value> = HashSet::new();
        let mut loaded: HashSet<Value> = HashSet::new();
        let mut moved: Vec<OpId> = Vec::new();
        let mut loads = 0;
        let runs = is_known_to_run(ctx, body, l);
        for op in body.ops(block) {
            let data = &body[op];
            let is_free =
                |value: &Value| body.value_block(*value) != Some(block) || free.contains(value);
            if !data.inline_regions().is_empty() || !data.operands.iter().all(is_free) {
                continue;
            }
            let is_load = matches!(data.name, affine::LOAD | memref::LOAD);
            let is_pure = data.name.has(Traits::PURE) && !data.name.has(Traits::TERMINATOR);
            if is_load && self.may_leave(op, l, runs) {
                loads += 1;
                loaded.extend(data.results());
            } else if is_pure && is_speculatable(ctx, body, op) {
                if data.operands.iter().any(|value| loaded.contains(value)) {
                    loaded.extend(data.results());
                }
            } else {
                continue;
            }
            free.extend(data.results());
            moved.push(op);
        }
        let is_kept = (1..=MAX_LOADS).contains(&loads);
        is_kept.then(|| needed_by(body, &moved, &loaded))
    }

    /// Whether a load of a thread's loop reads the same element in all rounds, which is known to be there.
    fn may_leave(&mut self, load: OpId, l: OpId, runs: bool) -> bool {
        let body = self.deps.values.body;
        let deps = &mut self.deps;
        let memref = body[load].operands[0];
        if !gridloom::is_in_bounds(deps.values.ctx, &body[load])
            || !(runs || is_filled(body, memref))
            || !open_dimensions(deps, load, l, memref).is_empty()
            || !self.is_of_thread(l)
        {
            return false;
        }
        let mut accesses = Vec::new();
        accesses_of(&mut self.deps.values, load, &mut accesses);
        are_unchanged(&mut self.deps, &accesses, l, Scope::AnyIterations(l)) == Some(true)
            && (runs || self.is_never_written(accesses, l))
    }

    /// Whether no iteration of the parallel loops around `l` writes what a load in front of `l` reads: that `l` has no round may be
    /// what keeps the load apart from such a write.
    fn is_never_written(&mut self, mut accesses: Vec<Access>, l: OpId) -> bool {
        let around: Vec<OpId> = self.deps.values.body.ancestors(l).collect();
        let grid = around.into_iter().rev().find(|&op| self.is_parallel(op));
        accesses.iter_mut().for_each(|access| access.op = l);
        grid.is_some_and(|grid| {
            let scope = Scope::AnyIterations(grid);
            are_unchanged(&mut self.deps, &accesses, grid, scope) == Some(true)
        })
    }

    /// Whether a thread runs a loop: it, or one around it, is a sequential loop inside of a parallel one, or it is inside of a loop
    /// beside others in a parallel one, such as a part of a row that a workgroup's threads share.
    fn is_of_thread(&mut self, l: OpId) -> bool {
        let body = self.deps.values.body;
        let around: Vec<OpId> = body.ancestors(l).collect();
        let Some(grid) = around.iter().rposition(|&op| self.is_parallel(op)) else {
            return false;
        };
        let inside = &around[..grid];
        let sequential = |&op: &OpId| is_any_loop(body, op) && !self.is_parallel(op);
        [l].iter().chain(inside).any(sequential)
            || inside.iter().any(|&op| has_regions_beside(body, op))
    }

    fn is_parallel(&mut self, op: OpId) -> bool {
        if !is_affine_loop(self.deps.values.body, op) {
            return false;
        }
        let deps = &mut self.deps;
        let known = self.parallel.entry(op);
        *known.or_insert_with(|| verdict(deps, op).is_parallel())
    }
}

/// Whether an operation is a loop beside others with regions in its block.
fn has_regions_beside(body: &Body, op: OpId) -> bool {
    let has_regions = |op: OpId| !body[op].inline_regions().is_empty();
    let block = body[op].parent().filter(|_| is_affine_loop(body, op));
    block.is_some_and(|block| body.ops(block).filter(|&op| has_regions(op)).count() > 1)
}

/// Those of `moved` that are, or are needed by, operations with results in `wanted`, in order.
fn needed_by(body: &Body, moved: &[OpId], wanted: &HashSet<Value>) -> Vec<OpId> {
    let mut wanted = wanted.clone();
    let mut needed: Vec<OpId> = Vec::new();
    for &op in moved.iter().rev() {
        if body[op].results().any(|result| wanted.contains(&result)) {
            wanted.extend(&body[op].operands);
            needed.push(op);
        }
    }
    needed.reverse();
    needed
}
