//! Steps of a persistent workgroup: how its threads run each statement of a loop.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::{memref, scf};
use gridloom_ir::op::Traits;
use gridloom_ir::{BlockId, OpId};

use super::Host;
use super::cost::sharing_pays;
use crate::analysis::counter::{Counter, counters};
use crate::analysis::load_store::is_store;
use crate::analysis::phase_statements::{MAX_DEPTH, is_without_writes};
use crate::analysis::repeatable::can_repeat;
use crate::transform::affine_parallelize_reductions::chunking::state_in_workgroup;
use crate::transform::affine_parallelize_reductions::state::State;

/// Step: a statement, and the threads that run it.
pub(super) enum Step {
    /// Every thread computes the same; a store is run by the first one only.
    Uniform(OpId),
    /// The first thread runs the statement, whose results go to memory.
    Serial(OpId),
    /// The threads share the iterations of a parallel loop.
    Phase(Phase),
    /// The threads share the iterations of a reduction; with the state of each.
    Reduction(ForOp, State),
    /// All threads execute a loop or a condition that contains steps.
    Nest(OpId, Vec<Step>),
}

/// Phase: a parallel loop, with the one or two loops of its nest that threads share, outermost
/// first.
pub(super) struct Phase {
    pub(super) op: OpId,
    pub(super) shared: Vec<Counter>,
}

/// Limit of the counters of a nest among which shared loops are looked for.
const MAX_BAND: usize = 4;

/// Limit of the step of a shared loop, which threads multiply by their number.
const MAX_STEP: i64 = 1 << 20;

impl Step {
    /// Whether threads share work in the step.
    pub(super) fn has_phase(&self) -> bool {
        match self {
            Step::Phase(_) | Step::Reduction(..) => true,
            Step::Nest(_, steps) => steps.iter().any(Step::has_phase),
            _ => false,
        }
    }

    /// Whether launches would run a part of the step.
    pub(super) fn has_kernel(&self) -> bool {
        match self {
            Step::Phase(_) => true,
            Step::Nest(_, steps) => steps.iter().any(Step::has_kernel),
            _ => false,
        }
    }
}

/// The steps of a block; `None` if one workgroup cannot run it.
pub(super) fn steps_of(host: &mut Host, block: BlockId, depth: usize) -> Option<Vec<Step>> {
    let body = host.body();
    if depth == MAX_DEPTH {
        return None;
    }
    let ops = body.ops(block);
    let ops = ops.filter(|&op| !body[op].name.has(Traits::TERMINATOR));
    ops.map(|op| step_of(host, op, depth)).collect()
}

fn step_of(host: &mut Host, op: OpId, depth: usize) -> Option<Step> {
    let body = host.body();
    let name = body[op].name;
    if let Some(phase) = phase_of(host, op) {
        return Some(Step::Phase(phase));
    }
    if let Some(reduction) = reduction_of(host, op) {
        return Some(reduction);
    }
    let is_memory = is_plain_allocation(host, op) || is_own_free(host, op);
    if is_memory || is_store(body, op) || is_without_writes(body, op) {
        return Some(Step::Uniform(op));
    }
    if !matches!(name, affine::FOR | affine::IF | scf::FOR | scf::IF) {
        return None;
    }
    let mut steps = Vec::new();
    let is_walked = name != scf::FOR;
    for block in body.blocks_of(op).filter(|_| is_walked) {
        steps.extend(steps_of(host, block, depth + 1)?);
    }
    if is_walked && (steps.iter().any(Step::has_phase) || body[op].num_results() > 0) {
        return Some(Step::Nest(op, steps));
    }
    let is_plain = body.walk_op(op).into_iter().all(|below| {
        let name = body[below].name;
        let is_access = matches!(
            name,
            affine::LOAD | affine::STORE | memref::LOAD | memref::STORE
        );
        let is_control = matches!(
            name,
            affine::FOR | affine::IF | affine::YIELD | scf::FOR | scf::IF | scf::YIELD
        );
        is_access || is_control || name.has(Traits::PURE)
    });
    (is_plain && body[op].num_results() == 0).then_some(Step::Serial(op))
}

/// Matches a loop without writes as a reduction, if sharing it is worth the barriers.
fn reduction_of(host: &mut Host, op: OpId) -> Option<Step> {
    let (ctx, body) = (host.ctx(), host.body());
    let l = ForOp::cast(body, op).filter(|_| is_without_writes(body, op))?;
    let counter = counters(body, op).next()?;
    let state = state_in_workgroup(
        ctx,
        body,
        &host.deps.values.uses(),
        l,
        host.options.reassociate,
    )?;
    let pays = is_shared(host, counter) && sharing_pays(host, l, state.types.len());
    pays.then_some(Step::Reduction(l, state))
}

/// Whether an operation allocates memory of constant size, so that one allocation serves all
/// iterations.
fn is_plain_allocation(host: &Host, op: OpId) -> bool {
    let body = host.body();
    let allocates = matches!(body[op].name, memref::ALLOC | memref::ALLOCA);
    allocates && body[op].operands.is_empty()
}

/// Whether an operation frees such an allocation of its own block.
fn is_own_free(host: &Host, op: OpId) -> bool {
    let body = host.body();
    let freed = body[op].operands.first();
    let alloc = freed.and_then(|&freed| body.defining_op(freed));
    body[op].name == memref::DEALLOC
        && alloc.is_some_and(|alloc| {
            body[alloc].parent() == body[op].parent() && is_plain_allocation(host, alloc)
        })
}

/// Matches a loop as a phase: it is parallel.
fn phase_of(host: &mut Host, op: OpId) -> Option<Phase> {
    if !host.is_parallel(op) {
        return None;
    }
    let body = host.body();
    let mut band: Vec<Counter> = counters(body, op).collect();
    while let Some(inner) = band
        .last()
        .and_then(|&last| loop_behind_repeatable(host, last))
    {
        let more = band.len() + counters(body, inner).count();
        if more > MAX_BAND || !host.is_parallel(inner) {
            break;
        }
        band.extend(counters(body, inner));
    }
    // Neighbouring threads run neighbouring iterations of the innermost loop.
    let shared = match band.split_last()? {
        (&x, []) => vec![x],
        (&x, [y, ..]) => vec![*y, x],
    };
    let fits = shared.iter().all(|&counter| is_shared(host, counter));
    fits.then_some(Phase { op, shared })
}

/// The loop at the end of a loop, behind statements that each thread can repeat.
fn loop_behind_repeatable(host: &mut Host, outer: Counter) -> Option<OpId> {
    let body = host.body();
    let ops: Vec<OpId> = body.ops(outer.block(body)).collect();
    let (_, rest) = ops.split_last()?;
    let (&inner, before) = rest.split_last()?;
    let is_loop = match ForOp::cast(body, inner) {
        Some(_) => body[inner].num_results() == 0,
        None => body[inner].name == affine::PARALLEL,
    };
    (is_loop && can_repeat(&mut host.deps, before, inner)).then_some(inner)
}

/// Whether threads may start from iterations of their own.
fn is_shared(host: &Host, counter: Counter) -> bool {
    counter.step(host.ctx(), host.body()) <= MAX_STEP
}
