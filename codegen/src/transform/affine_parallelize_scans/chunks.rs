//! Chunked scans: each thread scans a chunk of adjacent iterations.

use gridloom_dialects::affine::{self, Bound, ForOp, LoadOp, StoreOp};
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_ir::{AffineExpr, Body, Builder, Context, InsertPoint, IrMapping, OpId, Value};

use super::scan_loop::copy;
use super::tiles::Tiles;
use super::workgroups::BlockScan;
use super::{Scan, element};
use crate::transform::affine_parallelize_reductions::bounds::Inputs;
use crate::transform::affine_parallelize_reductions::chunk::{close, go_behind, open_band};
use crate::transform::affine_parallelize_reductions::partials::{Extent, allocate};
use crate::transform::unrolled_rows::{MapWithOperands, Rows, bound};

/// Arrays of what the chunks hand on.
struct Parts {
    /// The values of the chunks: what their terms combine to, then what they start from.
    values: Value,
    /// Whether a segment begins in the chunk, of a segmented scan.
    flags: Option<Value>,
}

impl Scan {
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let source = body.clone();
        let op = self.scan.op;
        let count = self.count(ctx, &source);
        let types = [self.scan.recurrence.ty];
        let extents = [Extent::of(ctx, &count)];
        let values = allocate(ctx, body, op.0, &types, &extents)[0];
        let flags = self.scan.recurrence.reset.map(|_| {
            let flag = ctx.int_type(32);
            allocate(ctx, body, op.0, &[flag], &extents)[0]
        });
        let parts = Parts { values, flags };
        let last = self
            .has_result
            .then(|| allocate(ctx, body, op.0, &types, &[Extent::Constant(1)])[0]);
        let mut b = Builder::before(ctx, body, op.0);
        if let Some(blocks) = &self.blocks {
            let by_blocks = BlockScan {
                tiles: Tiles {
                    scan: &self.scan,
                    tiling: &blocks.tiling,
                    source: &source,
                },
                reduction: blocks.reduction,
                parts: parts.values,
                count: &count,
            };
            by_blocks.write(&mut b, last);
        } else {
            self.sum_chunks(&mut b, &source, &parts, &count);
            self.start_chunks(&mut b, &source, &parts, last, &count);
            self.scan_chunks(&mut b, &source, parts.values, &count);
        }
        if let Some(last) = last {
            b.set(InsertPoint::Before(op.0));
            let value = LoadOp::create(&mut b, last, ctx.constant_map(0), &[]);
            body.replace_results(op.0, &[value]);
        }
        body.erase(op.0);
    }

    /// The number of chunks.
    fn count(&self, ctx: &Context, source: &Body) -> MapWithOperands {
        match self.chunks {
            Some(chunks) => (ctx.constant_map(chunks), Vec::new()),
            None => self.scan.count(ctx, source, self.span),
        }
    }

    /// Emits the loops over the iterations of a chunk, from `init`: rows of adjacent iterations,
    /// then the remaining ones. `iteration` emits one iteration for a counter and carried values,
    /// and returns the next carried values. Returns the last carried values.
    fn walk_chunk(
        &self,
        b: &mut Builder,
        source: &Body,
        place: Value,
        inits: &[Value],
        iteration: impl Fn(&mut Builder, Value, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let ctx = b.ctx;
        let step = self.scan.op.step(ctx, source);
        let mut inputs = Inputs::new(ctx);
        let place = inputs.dim(place);
        let names = IrMapping::new();
        let low = inputs.import(self.scan.op.lower(ctx, source), &names)[0];
        let mut ends = inputs.import(self.scan.op.upper(ctx, source), &names);
        let start = ctx.affine_add(low, inputs.times(place, self.span * step));
        ends.push(inputs.plus(start, self.span * step));
        // A row begins only where its last iteration is in the chunk.
        let before = (self.row - 1) * step;
        let row_ends: Vec<AffineExpr> = ends.iter().map(|&e| inputs.plus(e, -before)).collect();
        let rows = Rows {
            lower: inputs.finish(&[start]),
            upper: inputs.finish(&row_ends),
            pitch: self.row * step,
            step,
            row: self.row,
        };
        let last = rows.write(b, inits, &iteration);
        if !self.has_remainder {
            return last;
        }
        // Chunks hold whole rows, so only the last chunk has remaining iterations.
        let behind = inputs.behind_rows(low, ends[0], step, self.row);
        let remainder = Rows {
            lower: inputs.finish(&[behind, start]),
            upper: inputs.finish(&ends),
            pitch: step,
            step,
            row: 1,
        };
        remainder.write(b, &last, &iteration)
    }

    /// Emits step 1: `part[p]` = the combined terms of chunk `p`, from where the last segment in it begins.
    fn sum_chunks(&self, b: &mut Builder, source: &Body, parts: &Parts, count: &MapWithOperands) {
        let (band, place) = open_band(b, bound(count));
        let recurrence = &self.scan.recurrence;
        let mut inits = vec![b.constant(recurrence.neutral, recurrence.ty)];
        let one = recurrence.reset.map(|_| {
            inits.push(int_constant(b, 0));
            int_constant(b, 1)
        });
        let sums = self.walk_chunk(b, source, place, &inits, |b, iv, carried| {
            let mut names = self.scan.names(source, iv, carried[0]);
            copy(b, source, &self.scan.slice, &mut names);
            let mut next = vec![recurrence.step(b, carried[0], &names)];
            if let (Some(reset), Some(one)) = (recurrence.reset, one) {
                next.push(reset.flag(b, carried[1], one, |value| names.value(value)));
            }
            next
        });
        for (array, sum) in [parts.values].into_iter().chain(parts.flags).zip(sums) {
            StoreOp::create(b, sum, array, element(b.ctx), &[place]);
        }
        go_behind(b, band.0);
    }

    /// Emits step 2, by one thread: `part[p]` = the initial value of chunk `p`; `last[0]` = the
    /// final value.
    fn start_chunks(
        &self,
        b: &mut Builder,
        source: &Body,
        parts: &Parts,
        last: Option<Value>,
        count: &MapWithOperands,
    ) {
        let ctx = b.ctx;
        let (band, _) = open_band(b, Bound::constant(ctx, 1));
        let init = self.scan.op.inits(ctx, source)[0];
        let new = ForOp::create(b, Bound::constant(ctx, 0), bound(count), 1, &[init]);
        let block = new.block(b.body);
        b.set(InsertPoint::End(block));
        let (place, carried) = (new.induction_var(b.body), new.iter_args(b.body)[0]);
        let sum = LoadOp::create(b, parts.values, element(ctx), &[place]);
        StoreOp::create(b, carried, parts.values, element(ctx), &[place]);
        let mut next = self.scan.recurrence.combined(b, carried, sum);
        if let Some(flags) = parts.flags {
            let flag = LoadOp::create(b, flags, element(ctx), &[place]);
            let zero = int_constant(b, 0);
            let has_begun = CmpIOp::create(b, CmpIPredicate::Ne, flag, zero);
            next = arith::select(b, has_begun, sum, next);
        }
        let end = close(b, new, &[next])[0];
        if let Some(last) = last {
            StoreOp::create(b, end, last, ctx.constant_map(0), &[]);
        }
        go_behind(b, band.0);
    }

    /// Emits step 3: the original loop for each chunk, from its initial value.
    fn scan_chunks(&self, b: &mut Builder, source: &Body, parts: Value, count: &MapWithOperands) {
        let (band, place) = open_band(b, bound(count));
        let start = LoadOp::create(b, parts, element(b.ctx), &[place]);
        let statements: Vec<OpId> = (source.ops(self.scan.op.block(source)))
            .filter(|&statement| source[statement].name != affine::YIELD)
            .collect();
        self.walk_chunk(b, source, place, &[start], |b, iv, carried| {
            let mut names = self.scan.names(source, iv, carried[0]);
            copy(b, source, &statements, &mut names);
            vec![names.value(self.scan.op.yielded(source)[0])]
        });
        go_behind(b, band.0);
    }
}

/// Emits a number of 32 bits.
fn int_constant(b: &mut Builder, number: i64) -> Value {
    let ty = b.ctx.int_type(32);
    let attr = b.ctx.int_attr(ty, number);
    b.constant(attr, ty)
}
