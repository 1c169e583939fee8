//! Chunked scans: each thread scans a chunk of adjacent iterations.

use gridloom_dialects::affine::{Bound, ForOp, LoadOp, StoreOp};
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_ir::{AffineExpr, Body, Builder, Context, InsertPoint, IrMapping, Type, Value};

use super::segments::Reset;
use super::tiles::Tiles;
use super::workgroups::BlockScan;
use super::{Scan, element};
use crate::transform::auxiliary_arrays::{Extent, allocate};
use crate::transform::emit_loops::{MapWithOperands, bound, close, go_behind, open_band};
use crate::transform::map_inputs::Inputs;
use crate::transform::unrolled_rows::Rows;

/// Arrays of what the chunks hand on.
struct Parts {
    /// The values of the chunks, for each carried value: what their terms combine to, then what they start from.
    values: Vec<Value>,
    /// Whether a segment begins in the chunk, for each segmented scan.
    flags: Vec<Option<Value>>,
}

impl Scan {
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let op = self.scan.op;
        let count = self.count(ctx, body);
        let recurrences = &self.scan.recurrences;
        let types: Vec<Type> = recurrences.iter().map(|r| r.ty).collect();
        let extents = [Extent::of(ctx, &count)];
        let values = allocate(ctx, body, op.0, &types, &extents);
        let flag = ctx.int_type(32);
        let flags = recurrences.iter().map(|recurrence| {
            (recurrence.reset).map(|_| allocate(ctx, body, op.0, &[flag], &extents)[0])
        });
        let flags = flags.collect();
        let parts = Parts { values, flags };
        let last: Vec<Option<Value>> = (types.iter().zip(&self.has_results))
            .map(|(&ty, &has_result)| {
                has_result.then(|| allocate(ctx, body, op.0, &[ty], &[Extent::Constant(1)])[0])
            })
            .collect();
        let mut b = Builder::before(ctx, body, op.0);
        if let Some(blocks) = &self.blocks {
            let by_blocks = BlockScan {
                tiles: Tiles {
                    scan: &self.scan,
                    recurrence: blocks.recurrence,
                    tiling: &blocks.tiling,
                },
                reduction: blocks.reduction,
                parts: parts.values[0],
                count: &count,
            };
            by_blocks.write(&mut b, last[0]);
        } else {
            self.sum_chunks(&mut b, &parts, &count);
            self.start_chunks(&mut b, &parts, &last, &count);
            self.scan_chunks(&mut b, &parts.values, &count);
        }
        for (result, last) in body[op.0].results().zip(last) {
            if let Some(last) = last {
                let mut b = Builder::before(ctx, body, op.0);
                let value = LoadOp::create(&mut b, last, ctx.constant_map(0), &[]);
                body.replace_uses(result, value);
            }
        }
        body.erase(op.0);
    }

    /// The number of chunks.
    fn count(&self, ctx: &Context, body: &Body) -> MapWithOperands {
        match self.chunks {
            Some(chunks) => (ctx.constant_map(chunks), Vec::new()),
            None => self.scan.count(ctx, body, self.span),
        }
    }

    /// Emits the loops over the iterations of a chunk, from `init`: rows of adjacent iterations,
    /// then the remaining ones. `iteration` emits one iteration for a counter and carried values,
    /// and returns the next carried values. Returns the last carried values.
    fn walk_chunk(
        &self,
        b: &mut Builder,
        place: Value,
        inits: &[Value],
        iteration: impl Fn(&mut Builder, Value, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let ctx = b.ctx;
        let step = self.scan.op.step(ctx, b.body);
        let mut inputs = Inputs::new(ctx);
        let place = inputs.dim(place);
        let names = IrMapping::new();
        let low = inputs.import(self.scan.op.lower(ctx, b.body), &names)[0];
        let mut ends = inputs.import(self.scan.op.upper(ctx, b.body), &names);
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
    fn sum_chunks(&self, b: &mut Builder, parts: &Parts, count: &MapWithOperands) {
        let (band, place) = open_band(b, bound(count));
        let recurrences = &self.scan.recurrences;
        let (resets, flags): (Vec<Reset>, Vec<Value>) = (recurrences.iter().zip(&parts.flags))
            .filter_map(|(recurrence, flag)| Some((recurrence.reset?, (*flag)?)))
            .unzip();
        let neutral = recurrences.iter().map(|r| b.constant(r.neutral, r.ty));
        let mut inits: Vec<Value> = neutral.collect();
        let numbers = (!resets.is_empty()).then(|| [0, 1].map(|number| int_constant(b, number)));
        inits.extend(
            numbers
                .iter()
                .flat_map(|[zero, _]| vec![*zero; resets.len()]),
        );
        let sums = self.walk_chunk(b, place, &inits, |b, iv, carried| {
            let (values, begun) = carried.split_at(recurrences.len());
            let mut names = self.scan.names(b.body, iv, values);
            b.insert_copies(&self.scan.slice, &mut names);
            let steps = recurrences.iter().zip(values);
            let mut next: Vec<Value> = steps.map(|(r, &value)| r.step(b, value, &names)).collect();
            for ((reset, &before), [_, one]) in resets.iter().zip(begun).zip(numbers.iter().cycle())
            {
                next.push(reset.flag(b, before, *one, |value| names.value(value)));
            }
            next
        });
        for (&array, sum) in parts.values.iter().chain(&flags).zip(sums) {
            StoreOp::create(b, sum, array, element(b.ctx), &[place]);
        }
        go_behind(b, band.0);
    }

    /// Emits step 2, by one thread: `part[p]` = the initial value of chunk `p`; `last[0]` = the
    /// final value.
    fn start_chunks(
        &self,
        b: &mut Builder,
        parts: &Parts,
        last: &[Option<Value>],
        count: &MapWithOperands,
    ) {
        let ctx = b.ctx;
        let (band, _) = open_band(b, Bound::constant(ctx, 1));
        let inits = self.scan.op.inits(ctx, b.body).to_vec();
        let new = ForOp::create(b, Bound::constant(ctx, 0), bound(count), 1, &inits);
        let block = new.block(b.body);
        b.set(InsertPoint::End(block));
        let (place, carried) = (new.induction_var(b.body), new.iter_args(b.body).to_vec());
        let mut all = Vec::new();
        for (k, recurrence) in self.scan.recurrences.iter().enumerate() {
            let (carried, values) = (carried[k], parts.values[k]);
            let sum = LoadOp::create(b, values, element(ctx), &[place]);
            StoreOp::create(b, carried, values, element(ctx), &[place]);
            let mut next = recurrence.combined(b, carried, sum);
            if let Some(flags) = parts.flags[k] {
                let flag = LoadOp::create(b, flags, element(ctx), &[place]);
                let zero = int_constant(b, 0);
                let has_begun = CmpIOp::create(b, CmpIPredicate::Ne, flag, zero);
                next = arith::select(b, has_begun, sum, next);
            }
            all.push(next);
        }
        let ends = close(b, new, &all);
        for (end, &last) in ends.into_iter().zip(last) {
            if let Some(last) = last {
                StoreOp::create(b, end, last, ctx.constant_map(0), &[]);
            }
        }
        go_behind(b, band.0);
    }

    /// Emits step 3: the original loop for each chunk, from its initial values.
    fn scan_chunks(&self, b: &mut Builder, parts: &[Value], count: &MapWithOperands) {
        let (band, place) = open_band(b, bound(count));
        let starts = parts.iter();
        let starts = starts.map(|&part| LoadOp::create(b, part, element(b.ctx), &[place]));
        let starts: Vec<Value> = starts.collect();
        let statements = self.scan.op.statements(b.body);
        self.walk_chunk(b, place, &starts, |b, iv, carried| {
            let mut names = self.scan.names(b.body, iv, carried);
            b.insert_copies(&statements, &mut names);
            let yielded = self.scan.op.yielded(b.body).iter();
            yielded.map(|&value| names.value(value)).collect()
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
