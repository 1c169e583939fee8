//! Grid indices of a thread, and the loops over iterations that the grid does not cover.

use gridloom_dialects::gpu::LaunchArgs;
use gridloom_dialects::{arith, scf};
use gridloom_ir::{InsertPoint, Value};

use super::{Count, MAX_GROUPS, Mapper};

impl Mapper<'_> {
    /// The global id of the thread along a dimension, and whether it is known to be below the total.
    pub(super) fn global_index(
        &mut self,
        args: &LaunchArgs,
        dim: usize,
        total: Count,
    ) -> (Value, bool) {
        let size = self.plan.block[dim];
        if self.plan.staging.is_some() || self.plan.is_straight {
            return self.index_together(args, dim, total);
        }
        let index = match size {
            1 => args.block_id[dim],
            _ => {
                let size = self.b.index_constant(size);
                let in_group = [(size, args.thread_id[dim])];
                arith::linearize(&mut self.b, args.block_id[dim], &in_group)
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

    /// Whether the workgroups of the grid have exactly `total` threads; `None` where they stride
    /// over a larger range.
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

    /// The tile that a thread computes in its workgroup's span, in a loop over the span, which ends
    /// with the last tile. Threads take turns, so that those in lockstep work on neighbouring tiles:
    ///
    /// ```text
    ///   step 0: t0 t1 t2 … | step 1: t0 t1 t2 … | …
    /// ```
    pub(super) fn walk_span(&mut self, dim: usize, index: Value, total: Count) -> Value {
        let threads = self.plan.block[dim];
        let size = self.b.index_constant(threads);
        let lane = self.b.binary(arith::REMSI, index, size);
        let group = self.b.binary(arith::SUBI, index, lane);
        let times = self.value(self.spans[dim]);
        let start = self.b.binary(arith::MULI, group, times);
        let first = self.b.binary(arith::ADDI, start, lane);
        let length = match self.spans[dim] {
            Count::Known(span) => self.b.index_constant(span * threads),
            Count::Value(span) => self.scaled(span, threads),
        };
        let end = self.b.binary(arith::ADDI, start, length);
        let total = self.value(total);
        let end = self.b.binary(arith::MINSI, end, total);
        let op = scf::ForOp::create(&mut self.b, first, end, size, &[]);
        let block = op.block(self.b.body);
        scf::yield_values(&mut self.b, block, &[]);
        self.b.set(InsertPoint::Start(block));
        op.induction_var(self.b.body)
    }

    /// Delinearizes an index into one position for each loop, innermost fastest.
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
            // Indices are not negative, so truncation equals floor.
            let count = self.value(self.counts[k]);
            positions[k] = Some(self.b.binary(arith::REMSI, rest, count));
            rest = self.b.binary(arith::DIVSI, rest, count);
        }
    }
}
