//! Block sizes for scans by workgroups.

use gridloom_ir::Context;

use super::combine::Recurrence;
use crate::analysis::reduction::Reduction;
use crate::analysis::workgroup_memory::{LEAST_LIMIT, element_bytes};
use crate::target::OffloadOptions;
use crate::transform::affine_parallelize_reductions::row_sharing::may_be_shared;
use crate::transform::affine_parallelize_reductions::workgroups::folded;

/// Block sizes: iterations that one workgroup scans together.
pub(super) struct Blocks {
    /// Threads of a workgroup.
    pub(super) threads: i64,
    /// Iterations of each thread: an odd number, so that threads in lockstep access all banks of
    /// memory.
    pub(super) each: i64,
    /// Iterations that a thread loads at a time: one, or all.
    pub(super) row: i64,
    /// How sums of threads are combined, in any order.
    pub(super) reduction: Reduction,
}

impl Blocks {
    /// The blocks for a scan, where the target has workgroups with fast memory, of an operation that
    /// does not depend on the order: adjacent threads take adjacent iterations.
    pub(super) fn of(
        ctx: &Context,
        recurrence: &Recurrence,
        is_small: bool,
        options: &OffloadOptions,
    ) -> Option<Blocks> {
        let reduction = recurrence.reduction()?;
        let threads = options.reduction.lanes;
        let is_possible = options.reduction.shares
            && (2..=options.max_threads).contains(&threads)
            && may_be_shared(ctx, reduction.ty);
        // Memory for the tile, the sums of threads, and the sums of those.
        let elements = LEAST_LIMIT / element_bytes(ctx, reduction.ty);
        let room = (elements - folded(threads)) / threads - 1;
        if !is_possible || room < 1 || threads % folded(threads) != 0 {
            return None;
        }
        let each = room - (room + 1) % 2;
        let row = if is_small { each } else { 1 };
        Some(Blocks {
            threads,
            each,
            row,
            reduction,
        })
    }

    /// Iterations of a block.
    pub(super) fn span(&self) -> i64 {
        self.threads * self.each
    }

    /// Distance from the first to after the last iteration that a thread loads at a time.
    pub(super) fn reach(&self) -> i64 {
        (self.row - 1) * self.threads + 1
    }

    /// Number of sums that the first folding step combines into one.
    pub(super) fn folded(&self) -> i64 {
        self.threads / folded(self.threads)
    }
}
