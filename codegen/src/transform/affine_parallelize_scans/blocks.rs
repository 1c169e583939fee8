//! Sizes of the tiles and blocks that workgroups scan.

use gridloom_ir::{Context, Type};

use super::combine::Recurrence;
use crate::analysis::reduction::Reduction;
use crate::analysis::workgroup_memory::{LEAST_LIMIT, element_bytes};
use crate::target::OffloadOptions;
use crate::transform::affine_parallelize_reductions::row_sharing::may_be_shared;
use crate::transform::affine_parallelize_reductions::workgroups::folded;

/// Sizes of a tile: iterations that one workgroup scans together.
pub(super) struct Tiling {
    /// Threads of a workgroup.
    pub(super) threads: i64,
    /// Iterations of each thread.
    pub(super) each: i64,
    /// Iterations that a thread loads at a time: a divisor of `each`, so that a complete tile has only
    /// whole rows.
    pub(super) row: i64,
    /// Whether every tile is known to be complete.
    pub(super) is_full: bool,
}

/// Block plan: tiles of one workgroup each, whose sums are scanned first.
pub(super) struct Blocks {
    pub(super) tiling: Tiling,
    pub(super) recurrence: Recurrence,
    /// Reduction that combines the sums of threads, in any order.
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
        if !options.reduction.shares || threads > options.max_threads {
            return None;
        }
        Some(Blocks {
            tiling: Tiling::within(ctx, recurrence.ty, threads, LEAST_LIMIT, is_small)?,
            recurrence: *recurrence,
            reduction,
        })
    }
}

impl Tiling {
    /// The largest tile without gaps whose arrays take at most `bytes` of workgroup memory: the tile,
    /// the sums of threads, and the sums of those.
    pub(super) fn within(
        ctx: &Context,
        ty: Type,
        threads: i64,
        bytes: i64,
        is_small: bool,
    ) -> Option<Tiling> {
        if threads < 2 || !may_be_shared(ctx, ty) || threads % folded(threads) != 0 {
            return None;
        }
        let elements = bytes / element_bytes(ctx, ty);
        let room = (elements - folded(threads)) / threads - 1;
        if room < 1 {
            return None;
        }
        let each = room - (room + 1) % 2;
        let row = if is_small { each } else { 1 };
        Some(Tiling {
            threads,
            each,
            row,
            is_full: false,
        })
    }

    /// Iterations of a tile.
    pub(super) fn span(&self) -> i64 {
        self.threads * self.each
    }

    /// Distance from the elements of a thread to those of the next one in the tile: an odd number, so
    /// that threads in lockstep access all banks of memory.
    pub(super) fn pitch(&self) -> i64 {
        self.each | 1
    }

    /// Distance from the first to after the last iteration that a thread loads at a time.
    pub(super) fn reach(&self) -> i64 {
        (self.row - 1) * self.threads + 1
    }

    /// Number of sums that the first folding step leaves.
    pub(super) fn parts(&self) -> i64 {
        folded(self.threads)
    }

    /// Number of sums that the first folding step combines into one.
    pub(super) fn folded(&self) -> i64 {
        self.threads / self.parts()
    }
}
