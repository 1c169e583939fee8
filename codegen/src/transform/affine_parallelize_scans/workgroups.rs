//! Scans by workgroups: each workgroup scans a block of adjacent iterations in its memory.
//!
//! ```text
//! affine.parallel (%g) = (0) to (blocks) {           // what the terms of block %g come to
//!   affine.parallel (%p) = (0) to (256) { … own[%p] = the sum of term[%g * 3328 + %p + 256 * %k] over %k }
//!   … part[%g] = the sum of own
//! }
//! affine.parallel (%one) = (0) to (1) { … }          // where each block starts, by one workgroup
//! affine.parallel (%g) = (0) to (blocks) {
//!   … the scan of block %g as a tile, from part[%g]
//! }
//! ```
//!
//! The terms of all iterations are computed twice, and read or written three times in all; no thread
//! walks more than its share of the blocks.

use gridloom_dialects::affine::{ApplyOp, LoadOp, ParallelOp, StoreOp};
use gridloom_dialects::{arith, memref, scf};
use gridloom_ir::affine::AffineOp;
use gridloom_ir::{Builder, InsertPoint, Value};

use super::element;
use super::tiles::{Sums, Tiles};
use crate::analysis::reduction::Reduction;
use crate::transform::affine_parallelize_reductions::state::State;
use crate::transform::affine_parallelize_reductions::workgroups::{folded, open_where};
use crate::transform::emit_loops::{MapWithOperands, bound, go_behind, open_band};
use crate::transform::map_inputs::Inputs;

/// Emitter of a scan by blocks.
pub(super) struct BlockScan<'a> {
    pub(super) tiles: Tiles<'a>,
    /// Reduction that combines the sums of threads, in any order.
    pub(super) reduction: Reduction,
    /// Partial sums: those of the blocks first, the value that each block starts from later.
    pub(super) parts: Value,
    /// The number of blocks.
    pub(super) count: &'a MapWithOperands,
}

/// Open band over workgroups, with arrays of sums in workgroup memory.
struct Group {
    band: ParallelOp,
    number: Value,
    sums: Sums,
}

impl BlockScan<'_> {
    /// Writes the three bands: sums of blocks, their scan, the scan in each block.
    pub(super) fn write(&self, b: &mut Builder, last: Option<Value>) {
        self.sum_blocks(b);
        self.start_blocks(b, last);
        self.scan_blocks(b);
    }

    /// Writes the first band: `part[g]` = the sum of the terms of block `g`.
    fn sum_blocks(&self, b: &mut Builder) {
        let recurrence = self.tiles.recurrence;
        let state = State::of_one(self.reduction);
        let group = self.open_group(b, self.count);
        let (band, thread) = self.tiles.open_band(b);
        let neutral = b.constant(recurrence.neutral, recurrence.ty);
        let sum = self.tiles.walk(
            b,
            (group.number, thread),
            &[neutral],
            |b, _, iv, carried| {
                let term = self.tiles.term(b, iv);
                vec![self.tiles.combine(b, carried[0], term)]
            },
        );
        StoreOp::create(b, sum[0], group.sums.own, element(b.ctx), &[thread]);
        go_behind(b, band.0);
        let threads = self.tiles.tiling.threads;
        state.fold(b, threads, &[group.sums.own], &[group.sums.half]);
        let zero = b.index_constant(0);
        let sum = state.combine_parts(b, zero, folded(threads), 1, &[group.sums.half]);
        StoreOp::create(b, sum[0], self.parts, element(b.ctx), &[group.number]);
        group.close(b);
    }

    /// Emits the second band, of one workgroup: `part[g]` = the initial value of block `g`;
    /// `last[0]` = the final value.
    fn start_blocks(&self, b: &mut Builder, last: Option<Value>) {
        let ctx = b.ctx;
        let threads = self.tiles.tiling.threads;
        let one = (ctx.constant_map(1), Vec::new());
        let count = ApplyOp::create(b, self.count.0, &self.count.1);
        let mut inputs = Inputs::new(ctx);
        let all = inputs.dim(count);
        let (map, operands) = inputs.finish(&[inputs.by(AffineOp::CeilDiv, all, threads)]);
        let share = ApplyOp::create(b, map, &operands);
        let group = self.open_group(b, &one);
        let (band, thread) = self.tiles.open_band(b);
        let recurrence = self.tiles.recurrence;
        let neutral = b.constant(recurrence.neutral, recurrence.ty);
        let sum = self.walk_parts(b, (thread, share, count), neutral, |b, place, carried| {
            let part = memref::LoadOp::create(b, self.parts, &[place]);
            self.tiles.combine(b, carried, part)
        });
        StoreOp::create(b, sum, group.sums.own, element(ctx), &[thread]);
        go_behind(b, band.0);
        self.tiles.fold_neighbours(b, &group.sums);
        let (band, thread) = self.tiles.open_band(b);
        let init = self.tiles.scan.op.inits(ctx, b.body)[0];
        let start = self.tiles.before_thread(b, &group.sums, thread, init);
        let end = self.walk_parts(b, (thread, share, count), start, |b, place, carried| {
            let part = memref::LoadOp::create(b, self.parts, &[place]);
            memref::StoreOp::create(b, carried, self.parts, &[place]);
            self.tiles.combine(b, carried, part)
        });
        if let Some(last) = last {
            let distance = ctx.affine_sub(ctx.affine_dim(0), ctx.affine_const(threads - 1));
            open_where(b, distance, thread);
            StoreOp::create(b, end, last, ctx.constant_map(0), &[]);
        }
        go_behind(b, band.0);
        group.close(b);
    }

    /// Writes the last band: each block runs the loop from its start value.
    fn scan_blocks(&self, b: &mut Builder) {
        let (band, number) = open_band(b, bound(self.count));
        let arrays = self.tiles.allocate(b);
        self.tiles.scan_tile(b, &arrays, number, |b| {
            LoadOp::create(b, self.parts, element(b.ctx), &[number])
        });
        arrays.free(b);
        go_behind(b, band.0);
    }

    /// Opens a band over workgroups, and allocates arrays of sums in their memory.
    fn open_group(&self, b: &mut Builder, count: &MapWithOperands) -> Group {
        let (band, number) = open_band(b, bound(count));
        Group {
            band,
            number,
            sums: self.tiles.allocate_sums(b),
        }
    }

    /// Emits the loop over a thread's share of the blocks: `share` adjacent ones of `count`.
    fn walk_parts(
        &self,
        b: &mut Builder,
        (thread, share, count): (Value, Value, Value),
        init: Value,
        each: impl Fn(&mut Builder, Value, Value) -> Value,
    ) -> Value {
        let first = b.binary(arith::MULI, thread, share);
        let end = b.binary(arith::ADDI, first, share);
        let end = b.binary(arith::MINSI, end, count);
        let one = b.index_constant(1);
        let new = scf::ForOp::create(b, first, end, one, &[init]);
        let block = new.block(b.body);
        b.set(InsertPoint::End(block));
        let (place, carried) = (new.induction_var(b.body), new.iter_args(b.body)[0]);
        let next = each(b, place, carried);
        scf::yield_values(b, block, &[next]);
        go_behind(b, new.0);
        b.body[new.0].result(0)
    }
}

impl Group {
    /// Frees the arrays and moves the builder behind the band.
    fn close(self, b: &mut Builder) {
        self.sums.free(b);
        go_behind(b, self.band.0);
    }
}
