//! Scans by workgroups: each workgroup scans a block of adjacent iterations in its memory.
//!
//! ```text
//! affine.parallel (%g) = (0) to (blocks) {           // what the terms of block %g come to
//!   affine.parallel (%p) = (0) to (256) { … own[%p] = the sum of term[%g * 3328 + %p + 256 * %k] over %k }
//!   … part[%g] = the sum of own
//! }
//! affine.parallel (%one) = (0) to (1) { … }          // where each block starts, by one workgroup
//! affine.parallel (%g) = (0) to (blocks) {
//!   affine.parallel (%p) = (0) to (256) { tile[%p + 256 * %k] = term[%g * 3328 + %p + 256 * %k] }
//!   affine.parallel (%p) = (0) to (256) { own[%p] = the sum of tile[13 * %p + %k] over %k }
//!   affine.parallel (%p) = (0) to (256) {
//!     affine.if (%p < 16) {
//!       own[16 * %p + %k] = the sum of own[16 * %p] … own[16 * %p + %k - 1], half[%p] = that of all 16
//!   } }
//!   affine.parallel (%p) = (0) to (256) {
//!     %acc = part[%g], half[0] … half[%p floordiv 16 - 1], own[%p]
//!     tile[13 * %p + %k] = the scan of them, from %acc
//!   }
//!   affine.parallel (%p) = (0) to (256) { iteration %p + 256 * %k with its value of tile }
//! }
//! ```
//!
//! Adjacent threads access adjacent elements, of memory as of `tile`, where a thread has an odd number
//! of elements in a row. The terms of all iterations are computed twice, and read or written three
//! times in all; no thread walks more than its share of the blocks.

use gridloom_dialects::affine::{self, ApplyOp, Bound, LoadOp, ParallelOp, StoreOp};
use gridloom_dialects::arith::{CmpIOp, CmpIPredicate};
use gridloom_dialects::{arith, memref, scf};
use gridloom_ir::affine::{AffineConstraint, AffineOp};
use gridloom_ir::{AffineExpr, Body, Builder, InsertPoint, IrMapping, OpId, Value};

use super::blocks::Blocks;
use super::{Scan, element};
use crate::transform::affine_parallelize_reductions::bounds::Inputs;
use crate::transform::affine_parallelize_reductions::chunk::{go_behind, open_band};
use crate::transform::affine_parallelize_reductions::state::State;
use crate::transform::affine_parallelize_reductions::workgroups::{folded, open_where};
use crate::transform::unrolled_rows::{MapWithOperands, Rows, bound, counter_after};

/// Emitter of a scan by blocks.
pub(super) struct BlockScan<'a> {
    pub(super) scan: &'a Scan,
    pub(super) blocks: &'a Blocks,
    pub(super) source: &'a Body,
    /// Partial sums: those of the blocks first, the value that each block starts from later.
    pub(super) parts: Value,
    /// The number of blocks.
    pub(super) count: &'a MapWithOperands,
}

/// Open band over workgroups, with arrays in workgroup memory.
struct Group {
    band: ParallelOp,
    number: Value,
    tile: Option<Value>,
    own: Value,
    half: Value,
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
        let scan = self.scan;
        let state = State::of_one(self.blocks.reduction);
        let group = self.open_group(b, self.count, false);
        let (band, thread) = self.open_band(b);
        let neutral = b.constant(scan.recurrence.neutral, scan.recurrence.ty);
        let sum = self.walk(
            b,
            (group.number, thread),
            &[neutral],
            |b, _, iv, carried| {
                let term = self.term(b, iv);
                vec![self.combine(b, carried[0], term)]
            },
        );
        StoreOp::create(b, sum[0], group.own, element(b.ctx), &[thread]);
        go_behind(b, band.0);
        let threads = self.blocks.threads;
        state.fold(b, threads, &[group.own], &[group.half]);
        let zero = b.index_constant(0);
        let sum = state.combine_parts(b, zero, folded(threads), 1, &[group.half]);
        StoreOp::create(b, sum[0], self.parts, element(b.ctx), &[group.number]);
        group.close(b);
    }

    /// Emits the second band, of one workgroup: `part[g]` = the initial value of block `g`;
    /// `last[0]` = the final value.
    fn start_blocks(&self, b: &mut Builder, last: Option<Value>) {
        let ctx = b.ctx;
        let threads = self.blocks.threads;
        let one = (ctx.constant_map(1), Vec::new());
        let count = ApplyOp::create(b, self.count.0, &self.count.1);
        let mut inputs = Inputs::new(ctx);
        let all = inputs.dim(count);
        let (map, operands) = inputs.finish(&[inputs.by(AffineOp::CeilDiv, all, threads)]);
        let share = ApplyOp::create(b, map, &operands);
        let group = self.open_group(b, &one, false);
        let (band, thread) = self.open_band(b);
        let neutral = b.constant(self.scan.recurrence.neutral, self.scan.recurrence.ty);
        let sum = self.walk_parts(b, (thread, share, count), neutral, |b, place, carried| {
            let part = memref::LoadOp::create(b, self.parts, &[place]);
            self.combine(b, carried, part)
        });
        StoreOp::create(b, sum, group.own, element(ctx), &[thread]);
        go_behind(b, band.0);
        self.fold_neighbours(b, &group);
        let (band, thread) = self.open_band(b);
        let init = self.scan.op.inits(ctx, self.source)[0];
        let start = self.before_thread(b, &group, thread, init);
        let end = self.walk_parts(b, (thread, share, count), start, |b, place, carried| {
            let part = memref::LoadOp::create(b, self.parts, &[place]);
            memref::StoreOp::create(b, carried, self.parts, &[place]);
            self.combine(b, carried, part)
        });
        if let Some(last) = last {
            let way = ctx.affine_sub(ctx.affine_dim(0), ctx.affine_const(threads - 1));
            open_where(b, way, thread);
            StoreOp::create(b, end, last, ctx.constant_map(0), &[]);
        }
        go_behind(b, band.0);
        group.close(b);
    }

    /// Writes the last band: each block runs the loop from its start value.
    fn scan_blocks(&self, b: &mut Builder) {
        let ctx = b.ctx;
        let group = self.open_group(b, self.count, true);
        // `open_group` allocates a tile for these blocks.
        let Some(tile) = group.tile else { return };
        let (band, thread) = self.open_band(b);
        self.walk(b, (group.number, thread), &[], |b, number, iv, _| {
            let term = self.term(b, iv);
            StoreOp::create(b, term, tile, element(ctx), &[number]);
            Vec::new()
        });
        go_behind(b, band.0);
        let (band, thread) = self.open_band(b);
        let neutral = b.constant(self.scan.recurrence.neutral, self.scan.recurrence.ty);
        let at = (group.number, thread);
        let sum = self.walk_own(b, (at, tile), neutral, |b, _, carried, term| {
            self.combine(b, carried, term)
        });
        StoreOp::create(b, sum, group.own, element(ctx), &[thread]);
        go_behind(b, band.0);
        self.fold_neighbours(b, &group);
        let epilogue = Epilogue::of(self.scan, self.source);
        let (band, thread) = self.open_band(b);
        let start = LoadOp::create(b, self.parts, element(ctx), &[group.number]);
        let start = self.before_thread(b, &group, thread, start);
        let at = (group.number, thread);
        self.walk_own(b, (at, tile), start, |b, number, carried, term| {
            let next = self.combine(b, carried, term);
            let value = if epilogue.is_before { carried } else { next };
            StoreOp::create(b, value, tile, element(ctx), &[number]);
            next
        });
        go_behind(b, band.0);
        let (band, thread) = self.open_band(b);
        self.walk(b, (group.number, thread), &[], |b, number, iv, _| {
            let value = LoadOp::create(b, tile, element(ctx), &[number]);
            let mut names = self.scan.names(self.source, iv, value);
            if !epilogue.is_before {
                names.map(self.scan.op.yielded(self.source)[0], value);
            }
            Scan::copy(b, self.source, &epilogue.statements, &mut names);
            Vec::new()
        });
        go_behind(b, band.0);
        group.close(b);
    }

    /// Opens a band over workgroups, and allocates arrays in their memory.
    fn open_group(&self, b: &mut Builder, count: &MapWithOperands, has_tile: bool) -> Group {
        let ctx = b.ctx;
        let ty = self.scan.recurrence.ty;
        let (band, number) = open_band(b, bound(count));
        let mut array =
            |extent: i64| memref::AllocOp::create(b, ctx.memref_type(&[extent], ty), &[]);
        Group {
            band,
            number,
            tile: has_tile.then(|| array(self.blocks.span())),
            own: array(self.blocks.threads),
            half: array(folded(self.blocks.threads)),
        }
    }

    /// Opens a band over the threads of a workgroup. Returns it with its counter.
    fn open_band(&self, b: &mut Builder) -> (ParallelOp, Value) {
        open_band(b, Bound::constant(b.ctx, self.blocks.threads))
    }

    fn combine(&self, b: &mut Builder, left: Value, right: Value) -> Value {
        self.scan.recurrence.combined(b, left, right)
    }

    /// Emits the term of an iteration.
    fn term(&self, b: &mut Builder, iv: Value) -> Value {
        let mut names = IrMapping::new();
        names.map(self.scan.op.induction_var(self.source), iv);
        Scan::copy(b, self.source, &self.scan.slice, &mut names);
        names.value(self.scan.recurrence.term)
    }

    /// Emits the loops over a thread's iterations of a block, with the number of threads as stride.
    /// `each` takes the number of an iteration in the block and the counter of the loop.
    fn walk(
        &self,
        b: &mut Builder,
        (group, thread): (Value, Value),
        inits: &[Value],
        each: impl Fn(&mut Builder, Value, Value, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let ctx = b.ctx;
        let (threads, row) = (self.blocks.threads, self.blocks.row);
        let iteration = |b: &mut Builder, number: Value, carried: &[Value]| {
            let iv = self.counter(b, group, number);
            each(b, number, iv, carried)
        };
        let mut inputs = Inputs::new(ctx);
        let left = self.left(&mut inputs, group);
        let first = inputs.dim(thread);
        let span = ctx.affine_const(self.blocks.span());
        let before = -(row - 1) * threads;
        let rows = Rows {
            lower: inputs.finish(&[first]),
            // A row begins only where its last iteration is in the block.
            upper: inputs.finish(&[inputs.plus(span, before), inputs.plus(left, before)]),
            pitch: row * threads,
            step: threads,
            row,
        };
        let carried = rows.write(b, inits, iteration);
        if row == 1 {
            return carried;
        }
        let way = inputs.plus(ctx.affine_sub(left, first), before);
        let taken = inputs.by(AffineOp::CeilDiv, way, row * threads);
        let behind = ctx.affine_add(first, inputs.times(taken, row * threads));
        let rest = Rows {
            lower: inputs.finish(&[behind, first]),
            upper: inputs.finish(&[span, left]),
            pitch: threads,
            step: threads,
            row: 1,
        };
        rest.write(b, &carried, iteration)
    }

    /// Visits the terms of a thread's own iterations in order: loads all of them first where the
    /// block is complete, so that no term waits for the combination of the one before. `each` takes
    /// the number of an iteration, the carried value, and the term.
    fn walk_own(
        &self,
        b: &mut Builder,
        ((group, thread), tile): ((Value, Value), Value),
        init: Value,
        each: impl Fn(&mut Builder, Value, Value, Value) -> Value,
    ) -> Value {
        let ctx = b.ctx;
        let count = self.blocks.each;
        let mut inputs = Inputs::new(ctx);
        let left = self.left(&mut inputs, group);
        let place = inputs.dim(thread);
        let first = inputs.times(place, count);
        let behind = inputs.plus(first, count);
        let (map, operands) = inputs.finish(&[ctx.affine_sub(left, behind)]);
        let is_full = AffineConstraint {
            expr: map.results(ctx)[0],
            is_eq: false,
        };
        let data = map.data(ctx);
        let set = ctx.integer_set(data.dims, data.symbols, &[is_full]);
        let test = affine::IfOp::create(b, set, &operands, &[self.scan.recurrence.ty], true);
        let block = test.then_block(b.body);
        b.set(InsertPoint::End(block));
        let (map, operands) = inputs.finish(&[first]);
        let start = ApplyOp::create(b, map, &operands);
        let numbers: Vec<Value> = (0..count).map(|k| counter_after(b, start, k)).collect();
        let terms: Vec<Value> = (numbers.iter())
            .map(|&number| LoadOp::create(b, tile, element(ctx), &[number]))
            .collect();
        let mut carried = init;
        for (number, term) in numbers.into_iter().zip(terms) {
            carried = each(b, number, carried, term);
        }
        affine::yield_values(b, block, &[carried]);
        // The conditional was created with an else block.
        if let Some(block) = test.else_block(b.body) {
            b.set(InsertPoint::End(block));
            let own = Rows {
                lower: inputs.finish(&[first]),
                upper: inputs.finish(&[behind, left]),
                pitch: 1,
                step: 1,
                row: 1,
            };
            let carried = own.write(b, &[init], |b, number, carried| {
                let term = LoadOp::create(b, tile, element(ctx), &[number]);
                vec![each(b, number, carried[0], term)]
            });
            affine::yield_values(b, block, &carried);
        }
        go_behind(b, test.0);
        b.body[test.0].result(0)
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

    /// Emits the fold band, in which some threads each scan the sums of adjacent ones: `own`
    /// becomes the exclusive prefix of a thread within its part, `half` the sum of the part.
    fn fold_neighbours(&self, b: &mut Builder, group: &Group) {
        let ctx = b.ctx;
        let (band, thread) = self.open_band(b);
        let some = folded(self.blocks.threads);
        let is_some = ctx.affine_sub(ctx.affine_const(some - 1), ctx.affine_dim(0));
        open_where(b, is_some, thread);
        let first = ctx.affine_mul(ctx.affine_dim(0), ctx.affine_const(self.blocks.folded()));
        let first = ApplyOp::create(b, ctx.affine_map(1, 0, &[first]), &[thread]);
        let places: Vec<Value> = (0..self.blocks.folded())
            .map(|k| counter_after(b, first, k))
            .collect();
        let sums: Vec<Value> = (places.iter())
            .map(|&place| LoadOp::create(b, group.own, element(ctx), &[place]))
            .collect();
        let mut carried = b.constant(self.scan.recurrence.neutral, self.scan.recurrence.ty);
        for (place, sum) in places.into_iter().zip(sums) {
            StoreOp::create(b, carried, group.own, element(ctx), &[place]);
            carried = self.combine(b, carried, sum);
        }
        StoreOp::create(b, carried, group.half, element(ctx), &[thread]);
        go_behind(b, band.0);
    }

    /// Emits the exclusive prefix of a thread: a value, with the sums of all threads before it.
    fn before_thread(&self, b: &mut Builder, group: &Group, thread: Value, start: Value) -> Value {
        let ctx = b.ctx;
        let folded = ctx.affine_const(self.blocks.folded());
        let part = ctx.affine_binary(AffineOp::FloorDiv, ctx.affine_dim(0), folded);
        let part = ApplyOp::create(b, ctx.affine_map(1, 0, &[part]), &[thread]);
        let mut carried = start;
        let parts = self.blocks.threads / self.blocks.folded();
        for k in 0..parts - 1 {
            let sum = LoadOp::create(b, group.half, ctx.constant_map(k), &[]);
            let number = b.index_constant(k);
            let is_before = CmpIOp::create(b, CmpIPredicate::Slt, number, part);
            let with = self.combine(b, carried, sum);
            carried = arith::select(b, is_before, with, carried);
        }
        let sum = LoadOp::create(b, group.own, element(ctx), &[thread]);
        self.combine(b, carried, sum)
    }

    /// Returns the number of iterations from the first of a block to the last of the loop.
    fn left(&self, inputs: &mut Inputs, group: Value) -> AffineExpr {
        let start = self.start(inputs, group);
        let op = self.scan.op;
        let ctx = inputs.ctx;
        let upper = inputs.import(op.upper(ctx, self.source), &IrMapping::new())[0];
        let way = ctx.affine_sub(upper, start);
        inputs.by(AffineOp::CeilDiv, way, op.step(ctx, self.source))
    }

    /// Returns the counter of the first iteration of a block.
    fn start(&self, inputs: &mut Inputs, group: Value) -> AffineExpr {
        let (op, ctx) = (self.scan.op, inputs.ctx);
        let low = inputs.import(op.lower(ctx, self.source), &IrMapping::new())[0];
        let step = op.step(ctx, self.source);
        let group = inputs.dim(group);
        ctx.affine_add(low, inputs.times(group, self.blocks.span() * step))
    }

    /// Emits the counter of an iteration, by its number in a block.
    fn counter(&self, b: &mut Builder, group: Value, number: Value) -> Value {
        let ctx = b.ctx;
        let mut inputs = Inputs::new(ctx);
        let start = self.start(&mut inputs, group);
        let number = inputs.dim(number);
        let way = inputs.times(number, self.scan.op.step(ctx, self.source));
        let (map, operands) = inputs.finish(&[ctx.affine_add(start, way)]);
        ApplyOp::create(b, map, &operands)
    }
}

impl Group {
    /// Frees the arrays and moves the builder behind the band.
    fn close(self, b: &mut Builder) {
        for array in self.tile.into_iter().chain([self.own, self.half]) {
            b.create(b.state(memref::DEALLOC).operands(&[array]));
        }
        go_behind(b, self.band.0);
    }
}

/// Epilogue: the statements that the last band runs with the scanned values of a block.
struct Epilogue {
    /// Whether it needs exclusive prefixes, from before the combining operation.
    is_before: bool,
    /// Statements to clone into the last band.
    statements: Vec<OpId>,
}

impl Epilogue {
    fn of(scan: &Scan, source: &Body) -> Epilogue {
        let block = scan.op.block(source);
        let step = source.defining_op(scan.op.yielded(source)[0]);
        let all = source
            .ops(block)
            .filter(|&op| source[op].name != affine::YIELD);
        let all: Vec<OpId> = all.collect();
        let is_rest = |op: &OpId| !scan.slice.contains(op) && Some(*op) != step;
        let rest: Vec<OpId> = all.iter().copied().filter(is_rest).collect();
        let uses = |value: Value| {
            let below = rest.iter().flat_map(|&op| source.walk_op(op));
            below
                .into_iter()
                .any(|op| source[op].operands.contains(&value))
        };
        let is_before = uses(scan.op.iter_args(source)[0]);
        let needs_slice = (scan.slice.iter()).any(|&op| source[op].results().any(uses));
        let statements = match (is_before, needs_slice) {
            (true, _) => all,
            (false, true) => all.into_iter().filter(|&op| Some(op) != step).collect(),
            (false, false) => rest,
        };
        Epilogue {
            is_before,
            statements,
        }
    }
}
