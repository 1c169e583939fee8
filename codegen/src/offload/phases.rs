//! Phases: the iterations of a nest whose inner bands are shared by the threads of one workgroup.
//!
//! An iteration of the nest is a row of statements: bands `affine.parallel (%p) = (0) to (L)`, the
//! *phases*, with scalar statements between them. A workgroup of `L` threads runs it: of each phase
//! a thread runs one iteration, of the statements between them every thread computes the same, and
//! one stores ([`super::map`]). Structure says where that is possible: allocations of the row are
//! used by its loads and stores only, and statements that run for all threads write nothing else.

use gridloom_dialects::affine::{self, ParallelOp};
use gridloom_dialects::{memref, scf};
use gridloom_ir::body::Uses;
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Context, OpId};

use crate::analysis::counter::Counter;
use crate::analysis::workgroup_memory::{LEAST_LIMIT, element_bytes};

/// Phases of each iteration of a nest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Phases {
    /// Threads of a workgroup.
    pub lanes: i64,
    /// The bands, one iteration for each thread.
    pub bands: Vec<OpId>,
    /// Allocations that the threads share.
    pub shared: Vec<OpId>,
}

/// The phases in the innermost loop of a nest's band, if it has some.
pub(super) fn phases_in(
    ctx: &Context,
    body: &Body,
    last: Counter,
    max_threads: i64,
) -> Option<Phases> {
    let ops: Vec<OpId> = body.ops(last.block(body)).collect();
    let (_, ops) = ops.split_last()?;
    let is_band = |op: &OpId| body[*op].name == affine::PARALLEL;
    let bands: Vec<OpId> = ops.iter().copied().filter(is_band).collect();
    let lanes = lanes_of(ctx, body, *bands.first()?)?;
    if !(2..=max_threads).contains(&lanes) {
        return None;
    }
    let uses = body.uses();
    let mut shared = Vec::new();
    let mut bytes = 0i64;
    for &op in ops {
        match body[op].name {
            affine::PARALLEL if lanes_of(ctx, body, op) == Some(lanes) => {}
            memref::ALLOC | memref::ALLOCA => {
                let ty = body.ty(body[op].result(0)).memref(ctx)?;
                let plain = ty.layout.is_none() && ty.space.is_none();
                let elements = ty.num_elements().filter(|_| plain)?;
                let own = elements.checked_mul(element_bytes(ctx, ty.element))?;
                bytes = bytes.checked_add(own)?;
                if !is_only_accessed(body, &uses, op) {
                    return None;
                }
                shared.push(op);
            }
            memref::DEALLOC | affine::STORE | memref::STORE => {}
            _ if is_without_writes(body, op) => {}
            _ => return None,
        }
    }
    // Memory that was there before the row may be freed after it only.
    let is_own_free = |&op: &OpId| {
        let freed = body[op].operands.first().and_then(|&v| body.defining_op(v));
        body[op].name != memref::DEALLOC || freed.is_some_and(|alloc| shared.contains(&alloc))
    };
    (bytes <= LEAST_LIMIT && ops.iter().all(is_own_free)).then_some(Phases {
        lanes,
        bands,
        shared,
    })
}

/// The iterations of a band over one counter from 0 by 1 to a constant.
fn lanes_of(ctx: &Context, body: &Body, op: OpId) -> Option<i64> {
    let band = ParallelOp::cast(body, op)?;
    let [_] = band.induction_vars(body)[..] else {
        return None;
    };
    if body[op].num_results() > 0 {
        return None;
    }
    let counter = crate::analysis::counter::counters(body, op).next()?;
    let (lower, upper) = (counter.lower(ctx, body), counter.upper(ctx, body));
    let starts = lower.map.as_single_constant(ctx) == Some(0) && counter.step(ctx, body) == 1;
    upper.map.as_single_constant(ctx).filter(|_| starts)
}

/// Whether an allocation is only accessed and freed.
fn is_only_accessed(body: &Body, uses: &Uses, alloc: OpId) -> bool {
    uses.of(body[alloc].result(0)).iter().all(|user| {
        matches!(
            (body[user.op].name, user.operand),
            (
                affine::LOAD | memref::LOAD | memref::DEALLOC | memref::GENERIC_ATOMIC_RMW,
                0
            ) | (affine::STORE | memref::STORE | memref::ATOMIC_RMW, 1)
        )
    })
}

/// Whether a statement, with all in it, computes and loads only.
fn is_without_writes(body: &Body, root: OpId) -> bool {
    body.walk_op(root).into_iter().all(|op| {
        let name = body[op].name;
        let is_load = matches!(name, affine::LOAD | memref::LOAD);
        let is_control = matches!(
            name,
            affine::FOR | affine::IF | affine::YIELD | scf::FOR | scf::IF | scf::YIELD
        );
        is_load || is_control || name.has(Traits::PURE)
    })
}
