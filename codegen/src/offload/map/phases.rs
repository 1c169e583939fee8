//! Phases of a row, run by the threads of a workgroup ([`crate::offload::phases`]).
//!
//! ```text
//! %part = memref.alloc() : memref<8xf32>       %part = memref.alloca() : memref<8xf32, workgroup>
//! affine.parallel (%p) = (0) to (8) {          S(%thread)
//!   S(%p)                                      gpu.barrier
//! }                                     ⇒      %s = affine.for … // part[…], by every thread
//! %s = affine.for … // part[…]                 scf.if %thread == 0 { affine.store %s, %y[%i] }
//! affine.store %s, %y[%i]
//! ```
//!
//! A barrier stands before a statement that touches memory that another thread may have written since the
//! last barrier, or writes what another one may have read. Memory is told apart only as far as the
//! allocations of the row go: all other memory counts as one. Loops around phases begin with what their last
//! statements leave pending. Where a workgroup walks several rows, the
//! last barrier is at the end of a row that leaves accesses to workgroup memory behind.

use std::collections::HashSet;

use gridloom_dialects::affine::{self, ParallelOp};
use gridloom_dialects::arith::{CmpIOp, CmpIPredicate};
use gridloom_dialects::gpu::{self, LaunchOp};
use gridloom_dialects::{memref, scf};
use gridloom_ir::types::{MemRefType, TypeKind};
use gridloom_ir::{BlockId, Body, Builder, Context, InsertPoint, OpId, Value};

use crate::analysis::access::is_memref;
use crate::offload::phases::{Phases, is_run_by_all_threads};

/// Turns the bands of a row into phases of its workgroup.
pub(super) fn share_phases(ctx: &Context, body: &mut Body, launch: LaunchOp, phases: &Phases) {
    let Some(block) = body[phases.first].parent() else {
        return;
    };
    let lane = launch.args(body).thread_id[0];
    let shared = share_memory(ctx, body, launch, phases);
    let mut barriers = Barriers {
        ctx,
        body,
        shared: &shared,
        before: HashSet::new(),
    };
    let pending = barriers.of_block(block, Pending::default());
    let mut before = barriers.before;
    let end = body[block].last();
    if pending.is_in_workgroup_memory() && is_in_loop(body, block, launch) {
        before.extend(end);
    }
    for op in steps(body, block) {
        if before.contains(&op) {
            barrier(ctx, body, op);
        }
        match body[op].name {
            memref::DEALLOC => body.erase(op),
            affine::PARALLEL => run_by_each(body, op, lane),
            affine::STORE | memref::STORE => run_by_first(ctx, body, op, lane),
            _ => {}
        }
    }
}

/// The statements of a block, with those in loops and conditions that all threads execute together.
fn steps(body: &Body, block: BlockId) -> Vec<OpId> {
    let mut found = Vec::new();
    for op in body.ops(block) {
        found.push(op);
        if is_run_by_all_threads(body, op) {
            found.extend(body.blocks_of(op).flat_map(|block| steps(body, block)));
        }
    }
    found
}

/// Barrier placement: a data-flow analysis of the accesses since the last barrier, which finds the
/// statements that need one in front of them. The nesting depth is bounded
/// ([`crate::analysis::phase_statements::MAX_DEPTH`]).
struct Barriers<'a> {
    ctx: &'a Context,
    body: &'a Body,
    shared: &'a HashSet<Value>,
    /// Statements that need a barrier in front of them.
    before: HashSet<OpId>,
}

impl Barriers<'_> {
    /// Data-flow transfer of a block: the accesses pending at its end.
    fn of_block(&mut self, block: BlockId, mut pending: Pending) -> Pending {
        let body = self.body;
        for op in body.ops(block) {
            if body[op].name == memref::DEALLOC {
                continue;
            }
            if is_run_by_all_threads(body, op) {
                pending = self.of_walked(op, pending);
                continue;
            }
            let touched = Touched::by(self.ctx, body, op, self.shared);
            if self.before.contains(&op) || pending.conflicts_with(&touched) {
                self.before.insert(op);
                pending = Pending::default();
            }
            pending.add(&touched);
        }
        pending
    }

    /// Data-flow transfer of a condition or a loop; iterations of a loop begin with the accesses
    /// pending at the end of the iteration before.
    fn of_walked(&mut self, op: OpId, before: Pending) -> Pending {
        let body = self.body;
        let is_loop = body[op].name == affine::FOR;
        let mut all = before.clone();
        loop {
            let start = match is_loop {
                true => all.clone(),
                false => before.clone(),
            };
            let mut joined = all.clone();
            for block in body.blocks_of(op) {
                let after = self.of_block(block, start.clone());
                joined.add(&after.all);
            }
            if !is_loop || joined == all {
                return joined;
            }
            all = joined;
        }
    }
}

/// Moves the allocations of a row to workgroup memory, at the head of the launch.
fn share_memory(
    ctx: &Context,
    body: &mut Body,
    launch: LaunchOp,
    phases: &Phases,
) -> HashSet<Value> {
    let head = launch.block(body);
    let space = gpu::workgroup_space(ctx);
    let mut shared = HashSet::new();
    for &op in &phases.shared {
        let old = body[op].result(0);
        let Some(ty) = body.ty(old).memref(ctx).cloned() else {
            continue;
        };
        let ty = ctx.intern_type(TypeKind::MemRef(MemRefType {
            space: Some(space),
            ..ty
        }));
        let mut b = Builder::before(ctx, body, op);
        b.set(InsertPoint::Start(head));
        let new = memref::AllocaOp::create(&mut b, ty, &[]);
        body.replace_values_in(launch.0, |v| if v == old { new } else { v });
        body.erase(op);
        shared.insert(new);
    }
    shared
}

/// Access summary of a statement: the memory that it reads and writes, each an allocation of the
/// row, or (`None`) any other memory.
#[derive(Clone, Default, PartialEq, Eq)]
struct Touched {
    reads: HashSet<Option<Value>>,
    writes: HashSet<Option<Value>>,
}

impl Touched {
    fn by(ctx: &Context, body: &Body, root: OpId, shared: &HashSet<Value>) -> Touched {
        let mut touched = Touched::default();
        for op in body.walk_op(root) {
            let memrefs = body[op].operands.iter().enumerate();
            for (operand, &value) in memrefs.filter(|(_, v)| is_memref(ctx, body, **v)) {
                let place = Some(value).filter(|value| shared.contains(value));
                match (body[op].name, operand) {
                    (affine::LOAD | memref::LOAD, 0) => drop(touched.reads.insert(place)),
                    (affine::STORE | memref::STORE, 1) => drop(touched.writes.insert(place)),
                    _ => {
                        touched.reads.insert(place);
                        touched.writes.insert(place);
                    }
                }
            }
        }
        touched
    }
}

/// Accesses since the last barrier.
#[derive(Clone, Default, PartialEq, Eq)]
struct Pending {
    all: Touched,
}

impl Pending {
    /// Whether a statement conflicts with pending accesses: one of both writes memory that the
    /// other one accesses.
    fn conflicts_with(&self, next: &Touched) -> bool {
        !self.all.writes.is_disjoint(&next.reads)
            || !self.all.writes.is_disjoint(&next.writes)
            || !self.all.reads.is_disjoint(&next.writes)
    }

    fn add(&mut self, next: &Touched) {
        self.all.reads.extend(&next.reads);
        self.all.writes.extend(&next.writes);
    }

    fn is_in_workgroup_memory(&self) -> bool {
        let mut all = self.all.reads.iter().chain(&self.all.writes);
        all.any(Option::is_some)
    }
}

fn barrier(ctx: &Context, body: &mut Body, before: OpId) {
    let mut b = Builder::before(ctx, body, before);
    b.create(b.state(gpu::BARRIER));
}

/// Inlines the body of a band for the iteration of the thread.
fn run_by_each(body: &mut Body, op: OpId, lane: Value) {
    let band = ParallelOp(op);
    let counter = band.induction_vars(body)[0];
    for statement in body.without_terminator(band.block(body)) {
        body.detach(statement);
        body.insert_before(op, statement);
        body.replace_values_in(statement, |v| if v == counter { lane } else { v });
    }
    body.erase(op);
}

/// Guards a store by the test that the thread is the first of its workgroup.
fn run_by_first(ctx: &Context, body: &mut Body, op: OpId, lane: Value) {
    let mut b = Builder::before(ctx, body, op);
    let zero = b.index_constant(0);
    let is_first = CmpIOp::create(&mut b, CmpIPredicate::Eq, lane, zero);
    let guard = scf::IfOp::create(&mut b, is_first, &[], false);
    let block = guard.then_block(b.body);
    scf::yield_values(&mut b, block, &[]);
    body.detach(op);
    body.prepend(block, op);
}

/// Whether a block is in a loop of the launch.
fn is_in_loop(body: &Body, block: BlockId, launch: LaunchOp) -> bool {
    let around = body.block_parent_op(block);
    let mut parents = std::iter::successors(around, |&op| body.parent_op(op));
    parents
        .by_ref()
        .take_while(|&op| op != launch.0)
        .any(|op| body[op].name == scf::FOR)
}
