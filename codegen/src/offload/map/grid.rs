//! Places of a thread in the grid, and the loops that walk what the grid does not cover.

use gridloom_dialects::gpu::LaunchArgs;
use gridloom_dialects::{arith, scf};
use gridloom_ir::{InsertPoint, Value};

use super::{Count, MAX_GROUPS, Mapper};

impl Mapper<'_> {
    /// The thread's place along a dimension, and whether it is below the total
    /// for certain.
    pub(super) fn global_index(
        &mut self,
        args: &LaunchArgs,
        dim: usize,
        total: Count,
    ) -> (Value, bool) {
        let size = self.plan.block[dim];
        if self.plan.staging.is_some() {
            return self.index_together(args, dim, total);
        }
        let index = match size {
            1 => args.block_id[dim],
            _ => {
                let size = self.b.index_constant(size);
                let first = self.b.binary(arith::MULI, args.block_id[dim], size);
                self.b.binary(arith::ADDI, first, args.thread_id[dim])
            }
        };
        if let Some(is_whole) = self.is_covered(total, size) {
            return (index, is_whole);
        }
        let end = self.value(total);
        let size = self.b.index_constant(size);
        let stride = self.b.binary(arith::MULI, args.grid_dim[dim], size);
        let op = scf::ForOp::create(&mut self.b, index, end, stride, &[]);
        let block = op.block(self.b.body);
        scf::yield_values(&mut self.b, block, &[]);
        self.b.set(InsertPoint::Start(block));
        (op.induction_var(self.b.body), true)
    }

    /// Whether as many workgroups of a size as the grid has are exactly `total` threads; `None` where they
    /// walk over the rest.
    pub(super) fn is_covered(&self, total: Count, size: i64) -> Option<bool> {
        match total {
            Count::Known(total) if total <= size.saturating_mul(MAX_GROUPS) => {
                Some(total % size == 0)
            }
            _ if self.plan.walks_grid => None,
            Count::Known(total) => Some(total % size == 0),
            Count::Value(_) => Some(size == 1),
        }
    }

    /// The tile that a thread is at in its workgroup's span, which ends with the last one. Threads
    /// take turns, so that those that run in step work on neighbours:
    ///
    /// ```text
    ///   step 0: t0 t1 t2 … | step 1: t0 t1 t2 … | …
    /// ```
    pub(super) fn walk_span(&mut self, dim: usize, index: Value, total: Count) -> Value {
        let (span, threads) = (self.plan.span[dim], self.plan.block[dim]);
        let size = self.b.index_constant(threads);
        let lane = self.b.binary(arith::REMSI, index, size);
        let group = self.b.binary(arith::SUBI, index, lane);
        let times = self.b.index_constant(span);
        let start = self.b.binary(arith::MULI, group, times);
        let first = self.b.binary(arith::ADDI, start, lane);
        let length = self.b.index_constant(span * threads);
        let end = self.b.binary(arith::ADDI, start, length);
        let total = self.value(total);
        let end = self.b.binary(arith::MINSI, end, total);
        let op = scf::ForOp::create(&mut self.b, first, end, size, &[]);
        let block = op.block(self.b.body);
        scf::yield_values(&mut self.b, block, &[]);
        self.b.set(InsertPoint::Start(block));
        op.induction_var(self.b.body)
    }

    /// Splits a place into one position for each loop, innermost fastest.
    pub(super) fn delinearise(
        &mut self,
        loops: &[usize],
        index: Value,
        positions: &mut [Option<Value>],
    ) {
        let mut rest = index;
        for (n, &k) in loops.iter().enumerate().rev() {
            if n == 0 {
                positions[k] = Some(rest);
                break;
            }
            // Threads have places from 0, so truncation is the floor.
            let count = self.value(self.counts[k]);
            positions[k] = Some(self.b.binary(arith::REMSI, rest, count));
            rest = self.b.binary(arith::DIVSI, rest, count);
        }
    }
}
