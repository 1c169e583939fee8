//! Phases: inner bands of a nest whose iterations the threads of one workgroup share.
//!
//! An iteration of the nest is a row of statements: bands `affine.parallel (%p) = (0) to (L)`, the
//! *phases*, with scalar statements between them. A workgroup of `L` threads runs the row: each
//! thread runs one iteration of each phase, every thread computes the same in the statements
//! between them, and one thread stores ([`super::map`]). All threads run the loops and conditions
//! around phases alike, since their bounds and conditions are uniform; barriers stand between the
//! steps. The mapping is legal where the row's own loads and stores are the only uses of its
//! allocations, and statements that every thread runs write no other memory.

use std::rc::Rc;

use gridloom_dialects::affine::{self, ParallelOp};
use gridloom_dialects::{memref, scf};
use gridloom_ir::body::Uses;
use gridloom_ir::{BlockId, Body, Context, OpId};

use crate::analysis::counter::Counter;
use crate::analysis::phase_statements::{MAX_DEPTH, is_without_writes};
use crate::analysis::values::AffineValues;
use crate::analysis::workgroup_memory::{LEAST_LIMIT, element_bytes};

/// Phases of each iteration of a nest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Phases {
    /// Threads of a workgroup.
    pub lanes: i64,
    /// The statement of the row that is the first band, or has it inside.
    pub first: OpId,
    /// Allocations that the threads share.
    pub shared: Vec<OpId>,
}

/// Matches the phases in the innermost loop of a nest's band; `None` if it has none.
pub(super) fn phases_in(values: &AffineValues, last: Counter, max_threads: i64) -> Option<Phases> {
    let (ctx, body) = (values.ctx, values.body);
    let block = last.block(body);
    let mut row = Row {
        ctx,
        body,
        uses: values.uses(),
        lanes: None,
        bytes: 0,
        shared: Vec::new(),
        frees: Vec::new(),
    };
    row.read(block, 0)?;
    let lanes = row
        .lanes
        .filter(|lanes| (2..=max_threads).contains(lanes))?;
    // The row frees only its own allocations: memory from outside has to outlive the launch.
    let is_own_free = |&op: &OpId| {
        let freed = body[op].operands.first().and_then(|&v| body.defining_op(v));
        freed.is_some_and(|alloc| row.shared.contains(&alloc))
    };
    let has_band = |&op: &OpId| {
        let below = body.walk_op(op);
        (below.into_iter()).any(|op| body[op].name == affine::PARALLEL)
    };
    let first = body.ops(block).find(has_band)?;
    let fits = row.bytes <= LEAST_LIMIT && row.frees.iter().all(is_own_free);
    fits.then_some(Phases {
        lanes,
        first,
        shared: row.shared,
    })
}

/// Matcher of a row, with what it has found so far.
struct Row<'a> {
    ctx: &'a Context,
    body: &'a Body,
    uses: Rc<Uses>,
    /// Trip count of the bands, which is the number of threads.
    lanes: Option<i64>,
    /// Bytes of memory that the threads share.
    bytes: i64,
    shared: Vec<OpId>,
    frees: Vec<OpId>,
}

impl Row<'_> {
    /// Matches the statements of a block; `None` if threads cannot run one of them together.
    fn read(&mut self, block: BlockId, depth: usize) -> Option<()> {
        let (ctx, body) = (self.ctx, self.body);
        for op in body.ops(block) {
            match body[op].name {
                affine::PARALLEL => {
                    let own = lanes_of(ctx, body, op)?;
                    if *self.lanes.get_or_insert(own) != own {
                        return None;
                    }
                }
                memref::ALLOC | memref::ALLOCA => {
                    let ty = body.ty(body[op].result(0)).memref(ctx)?;
                    let plain = ty.layout.is_none() && ty.space.is_none();
                    let elements = ty.num_elements().filter(|_| plain)?;
                    let own = elements.checked_mul(element_bytes(ctx, ty.element))?;
                    self.bytes = self.bytes.checked_add(own)?;
                    if !is_only_accessed(body, &self.uses, op) {
                        return None;
                    }
                    self.shared.push(op);
                }
                memref::DEALLOC => self.frees.push(op),
                affine::STORE | memref::STORE | affine::YIELD | scf::YIELD => {}
                _ if is_run_by_all_threads(body, op) => {
                    for &region in body[op].inline_regions() {
                        for &block in &body[region].blocks {
                            (depth < MAX_DEPTH).then(|| self.read(block, depth + 1))??;
                        }
                    }
                }
                _ if is_without_writes(body, op) => {}
                _ => return None,
            }
        }
        Some(())
    }
}

/// Whether all threads step through the body of a loop or condition together, since it writes or
/// has phases.
pub(super) fn is_run_by_all_threads(body: &Body, op: OpId) -> bool {
    matches!(body[op].name, affine::FOR | affine::IF | scf::IF) && !is_without_writes(body, op)
}

/// The trip count of a band with one counter that goes from 0 to a constant in steps of 1.
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
