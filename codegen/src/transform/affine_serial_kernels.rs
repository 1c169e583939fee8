//! `affine-serial-kernels`: moves scalar statements of a host loop, between its kernels, into
//! kernels of one thread.
//!
//! ```text
//! affine.for %t = 0 to %n {                  affine.for %t = 0 to %n {
//!   %d = affine.load %l[%t, %t]                affine.parallel (%one) = (0) to (1) {
//!   %s = affine.load %x[%t]                      %d = affine.load %l[%t, %t]
//!   %q = arith.divf %s, %d                       %s = affine.load %x[%t]
//!   affine.store %q, %x[%t]             ⇒        %q = arith.divf %s, %d
//!   affine.for %i = %t + 1 to %n {               affine.store %q, %x[%t]
//!     %x[%i] -= %l[%i, %t] * %x[%t]            }
//!   }                                          affine.for %i = %t + 1 to %n {
//! }                                              %x[%i] -= %l[%i, %t] * %x[%t]
//!                                              }
//!                                            }
//! ```
//!
//! On the host the division waits in each iteration for the kernel before it, and the kernel behind
//! it for what the host has written. On the device there is no wait, and all launches of the loop
//! are one sequence.
//!
//! Legal as the statements keep their order: a band of one iteration is a block ([`runs`]). Values that
//! kernels, or later blocks, need of it go through memory, and so do those that the host loop carries from
//! one iteration to the next ([`cells`]). Statements whose values the host needs, in conditions, bounds or
//! calls, stay on the host; so do index computations, which kernels get as arguments, loops around loops
//! of open length, and what kernels cannot hold. It is done where statements read what a kernel of the loop
//! writes, or write what one reads.

use std::collections::HashSet;

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::{gpu, memref, scf};
use gridloom_ir::op::Traits;
use gridloom_ir::{BlockId, Body, Context, Module, OpId};

use super::affine_guard_overflow::is_fallback;
use super::plans::{Plans, change_by_plans};
use crate::analysis::access::{Place, accesses_below};
use crate::analysis::alias::{Globals, Root};
use crate::analysis::dependence::Dependences;
use crate::analysis::eligible::becomes_kernel;
use crate::analysis::loop_kind::is_affine_loop;
use crate::target::OffloadOptions;
use cells::Cells;
use runs::{Run, runs_between, runs_of};

mod cells;
mod runs;

/// Makes kernels of one thread in the host functions of a module. Returns whether anything changed.
pub fn make_serial_kernels(ctx: &Context, module: &mut Module, options: &OffloadOptions) -> bool {
    change_by_plans(
        ctx,
        module,
        // Carried values first, then the statements that use their cells.
        2,
        |body, globals| plan_body(ctx, body, globals, options),
        |plan, body| match plan {
            Plan::Cells(cells) => cells.apply(ctx, body),
            Plan::Run(run) => run.apply(ctx, body),
        },
    )
}

enum Plan {
    Cells(Cells),
    Run(Run),
}

fn plan_body(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    options: &OffloadOptions,
) -> Plans<Plan> {
    let blocks: Vec<BlockId> = (body.top_blocks())
        .filter(|&block| has_loops_in_turn(body, block))
        .collect();
    if blocks.is_empty() && !body.walk().into_iter().any(|op| is_mixed(body, op)) {
        return (Vec::new(), false);
    }
    let mut deps = Dependences::new(ctx, body, globals);
    deps.values.reassociate = options.reassociate;
    let mut host = Host {
        deps,
        options,
        kernels: HashSet::new(),
        loops: Vec::new(),
    };
    host.visit();
    let uses = host.deps.values.uses();
    let mut plans = Vec::new();
    for l in host.loops.clone() {
        let Some(memory) = host.memory_of(l) else {
            continue;
        };
        match Cells::plan(&mut host, &uses, l, &memory) {
            Some(cells) => plans.push(Plan::Cells(cells)),
            None => plans.extend(
                runs_of(&mut host, &uses, l, memory)
                    .into_iter()
                    .map(Plan::Run),
            ),
        }
    }
    for block in blocks {
        let runs = runs_between(&mut host, &uses, block);
        plans.extend(runs.into_iter().map(Plan::Run));
    }
    // Later runs first: loads that an earlier run puts in front of their statements then lie inside
    // of them.
    plans.reverse();
    let relied = host.deps.aliases.relied_on_arguments();
    (plans, relied && !host.kernels.is_empty())
}

/// Whether a loop or a condition contains both loops and scalar computations or accesses.
fn is_mixed(body: &Body, op: OpId) -> bool {
    is_structure(body, op)
        && body.blocks_of(op).any(|block| {
            let mut ops = body.ops(block);
            let has_structure = ops.clone().any(|op| is_structure(body, op));
            has_structure && ops.any(|op| is_access(body, op) || body[op].num_results() > 0)
        })
}

/// Whether a block has at least three loops, so that a recurrence may stand between kernels.
fn has_loops_in_turn(body: &Body, block: BlockId) -> bool {
    let is_loop = |&op: &OpId| is_affine_loop(body, op);
    body.ops(block).filter(is_loop).count() > 2
}

/// Host analysis: the part of a function that stays on the host.
struct Host<'a, 'o> {
    deps: Dependences<'a>,
    options: &'o OffloadOptions,
    /// Outermost loops of nests that are mapped.
    kernels: HashSet<OpId>,
    /// Loops around kernels.
    loops: Vec<ForOp>,
}

/// Memory summary: what kernels read and write.
#[derive(Default)]
struct Memory {
    reads: HashSet<Root>,
    writes: HashSet<Root>,
}

impl<'a> Host<'a, '_> {
    fn body(&self) -> &'a Body {
        self.deps.values.body
    }

    /// Finds the kernels of a body and the host loops around them.
    fn visit(&mut self) {
        let body = self.body();
        let mut skipped: HashSet<OpId> = HashSet::new();
        let mut loops = Vec::new();
        for op in body.walk() {
            let parent = body.parent_op(op);
            if parent.is_some_and(|parent| skipped.contains(&parent)) {
                skipped.insert(op);
                continue;
            }
            match body[op].name {
                affine::FOR | affine::PARALLEL => {}
                // Existing kernels, or loops that this crate does not map.
                gpu::LAUNCH | scf::PARALLEL | scf::FORALL => {
                    skipped.insert(op);
                    continue;
                }
                _ => continue,
            }
            let is_kernel = becomes_kernel(&mut self.deps, op, self.options.target.as_ref());
            if is_fallback(body, op) {
                skipped.insert(op);
            } else if is_kernel {
                skipped.insert(op);
                self.kernels.insert(op);
            } else if body[op].name == affine::PARALLEL {
                // Parallel iterations would share the cells.
                skipped.insert(op);
            } else {
                loops.extend(ForOp::cast(body, op));
            }
        }
        loops.retain(|l| self.kernels_in(l.0).next().is_some());
        self.loops = loops;
    }

    /// The kernels among an operation and those nested in it.
    fn kernels_in(&self, op: OpId) -> impl Iterator<Item = OpId> {
        let below = self.body().walk_op(op).into_iter();
        below.filter(|op| self.kernels.contains(op))
    }

    /// Collects the memory that the kernels in a loop access; `None` where it is unknown.
    fn memory_of(&mut self, l: ForOp) -> Option<Memory> {
        let inside: Vec<OpId> = self.kernels_in(l.0).collect();
        let mut memory = Memory::default();
        for kernel in inside {
            memory.add(&self.touched(kernel)?);
        }
        Some(memory)
    }

    /// Collects the memory that an operation and its regions access.
    fn touched(&mut self, op: OpId) -> Option<Memory> {
        let mut memory = Memory::default();
        for access in accesses_below(&mut self.deps.values, op) {
            let root = match access.place {
                Place::Element { root, .. } | Place::Somewhere(root) => root,
                Place::Anything => return None,
            };
            match access.is_write {
                true => memory.writes.insert(root),
                false => memory.reads.insert(root),
            };
        }
        Some(memory)
    }
}

impl Memory {
    fn add(&mut self, other: &Memory) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
    }

    /// Whether one side writes memory that the other accesses, so that statements and kernels
    /// depend on each other.
    fn conflicts_with(&self, other: &Memory) -> bool {
        !self.writes.is_disjoint(&other.reads)
            || !self.writes.is_disjoint(&other.writes)
            || !self.reads.is_disjoint(&other.writes)
    }
}

/// Whether an operation loads or stores an element.
fn is_access(body: &Body, op: OpId) -> bool {
    matches!(
        body[op].name,
        affine::LOAD | affine::STORE | memref::LOAD | memref::STORE
    )
}

/// Whether an operation only computes.
fn is_pure(body: &Body, op: OpId) -> bool {
    body[op].inline_regions().is_empty() && body[op].name.has(Traits::PURE)
}

/// Whether an operation is a loop or a condition.
fn is_structure(body: &Body, op: OpId) -> bool {
    matches!(body[op].name, affine::FOR | affine::IF | scf::FOR | scf::IF)
}
