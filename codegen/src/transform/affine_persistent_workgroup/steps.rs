//! Steps: what a workgroup does with each statement of a loop.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::{memref, scf};
use gridloom_ir::op::Traits;
use gridloom_ir::{BlockId, OpId};

use super::Host;
use super::cost::sharing_pays;
use crate::analysis::counter::{Counter, counters};
use crate::analysis::interval::Interval;
use crate::analysis::phase_statements::{MAX_DEPTH, is_without_writes};
use crate::analysis::repeatable::can_repeat;
use crate::transform::affine_parallelize_reductions::chunking::state_in_workgroup;
use crate::transform::affine_parallelize_reductions::state::State;

/// A statement, and which threads run it.
pub(super) enum Step {
    /// Every thread, which all compute the same; of a store the first one.
    Uniform(OpId),
    /// The first thread, as its values end in memory.
    Serial(OpId),
    /// A parallel loop, whose iterations are shared by the threads.
    Phase(Phase),
    /// A loop that reduces, whose iterations are shared by the threads; what a thread carries.
    Reduction(ForOp, State),
    /// A loop or a condition with steps in it, which all threads go through.
    Nest(OpId, Vec<Step>),
}

/// A parallel loop, and the loops of it that threads share, outermost first: one or two.
pub(super) struct Phase {
    pub(super) op: OpId,
    pub(super) shared: Vec<Counter>,
}

/// Counters up to which a nest is looked through for one that threads share.
const MAX_BAND: usize = 4;

/// Counters start and end this far from the ends of 64 bits, so that a thread's stay in them.
const ROOM: Interval = Interval {
    least: -(1 << 62),
    most: 1 << 62,
};

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

/// The steps of a block; `None` if a workgroup cannot run it.
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
    let is_store = matches!(name, affine::STORE | memref::STORE);
    if is_memory || is_store || is_without_writes(body, op) {
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

/// The reduction that a loop without writes is, if sharing it is worth the barriers.
fn reduction_of(host: &mut Host, op: OpId) -> Option<Step> {
    let (ctx, body) = (host.ctx(), host.body());
    let l = ForOp::cast(body, op).filter(|_| is_without_writes(body, op))?;
    let counter = counters(body, op).next()?;
    let state = state_in_workgroup(ctx, body, &host.uses, l, host.options.reassociate)?;
    let pays = leaves_room(host, counter) && sharing_pays(host, l, state.types.len())?;
    pays.then_some(Step::Reduction(l, state))
}

/// Whether an operation allocates memory of a size that is known, so that one allocation does for all
/// iterations.
fn is_plain_allocation(host: &Host, op: OpId) -> bool {
    let body = host.body();
    let allocates = matches!(body[op].name, memref::ALLOC | memref::ALLOCA);
    allocates && body[op].operands.is_empty()
}

/// Whether an operation frees such memory of its own block.
fn is_own_free(host: &Host, op: OpId) -> bool {
    let body = host.body();
    let freed = body[op].operands.first();
    let alloc = freed.and_then(|&freed| body.defining_op(freed));
    body[op].name == memref::DEALLOC
        && alloc.is_some_and(|alloc| {
            body[alloc].parent() == body[op].parent() && is_plain_allocation(host, alloc)
        })
}

/// The phase that a loop is, if it is parallel and leaves threads room to count.
fn phase_of(host: &mut Host, op: OpId) -> Option<Phase> {
    if !host.is_parallel(op) {
        return None;
    }
    let body = host.body();
    let mut band: Vec<Counter> = counters(body, op).collect();
    while let Some(inner) = band.last().and_then(|&last| only_loop(host, last)) {
        let more = band.len() + counters(body, inner).count();
        if more > MAX_BAND || !host.is_parallel(inner) {
            break;
        }
        band.extend(counters(body, inner));
    }
    // Neighbouring threads take neighbours along the innermost loop.
    let shared = match band.split_last()? {
        (&x, []) => vec![x],
        (&x, [y, ..]) => vec![*y, x],
    };
    let fits = shared.iter().all(|&counter| leaves_room(host, counter));
    fits.then_some(Phase { op, shared })
}

/// The loop that is all a loop does, but for what each thread can repeat.
fn only_loop(host: &mut Host, outer: Counter) -> Option<OpId> {
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

fn leaves_room(host: &mut Host, counter: Counter) -> bool {
    let (ctx, body) = (host.ctx(), host.body());
    let values = &mut host.deps.values;
    let env = values.environment_at(counter.op);
    let is_small = counter.step(ctx, body) <= 1 << 20;
    let bounds = [counter.lower(ctx, body), counter.upper(ctx, body)];
    is_small
        && bounds.iter().all(|bound| {
            let ends = values.map_exprs(counter.op, bound.map, bound.operands);
            ends.into_iter().all(|end| {
                let interval = end.and_then(|end| values.interval(end, env));
                interval.is_some_and(|interval| interval.is_within(ROOM))
            })
        })
}
