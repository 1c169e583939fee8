//! Tiles: a workgroup scans a tile of adjacent iterations in its memory.
//!
//! ```text
//! affine.parallel (%p) = (0) to (256) { tile[%p + 256 * %k] = term[%g * 3328 + %p + 256 * %k] }
//! affine.parallel (%p) = (0) to (256) { own[%p] = the sum of tile[13 * %p + %k] over %k }
//! affine.parallel (%p) = (0) to (256) {
//!   affine.if (%p < 16) {
//!     own[16 * %p + %k] = the sum of own[16 * %p] … own[16 * %p + %k - 1], half[%p] = that of all 16
//! } }
//! affine.parallel (%p) = (0) to (256) {
//!   %acc = the start value, half[0] … half[%p floordiv 16 - 1], own[%p]
//!   tile[13 * %p + %k] = the scan of them, from %acc
//! }
//! affine.parallel (%p) = (0) to (256) { iteration %p + 256 * %k with its value of tile }
//! ```
//!
//! Adjacent threads access adjacent elements, of memory as of `tile`, where the elements of a thread lie
//! an odd number of places behind those of the one before (`Tiling::pitch`), so that threads in lockstep
//! access all banks of memory. Sums are combined in the order of the iterations.

use gridloom_dialects::affine::{self, ApplyOp, Bound, LoadOp, ParallelOp, StoreOp};
use gridloom_dialects::arith::{CmpIOp, CmpIPredicate};
use gridloom_dialects::{arith, memref};
use gridloom_ir::affine::{AffineConstraint, AffineOp};
use gridloom_ir::{AffineExpr, Body, Builder, InsertPoint, IrMapping, Value};

use super::blocks::Tiling;
use super::combine::Recurrence;
use super::element;
use super::scan_loop::{Epilogue, ScanLoop};
use crate::transform::affine_parallelize_reductions::workgroups::open_where;
use crate::transform::emit_loops::{counter_after, go_behind, open_band};
use crate::transform::map_inputs::Inputs;
use crate::transform::unrolled_rows::Rows;

/// Emitter of the scan of a tile.
pub(super) struct Tiles<'a> {
    pub(super) scan: &'a ScanLoop,
    /// The recurrence of the only carried value.
    pub(super) recurrence: Recurrence,
    pub(super) tiling: &'a Tiling,
}

/// Arrays of sums in workgroup memory.
pub(super) struct Sums {
    /// The sum of each thread.
    pub(super) own: Value,
    /// The sums of parts of the threads.
    pub(super) half: Value,
}

/// Arrays in workgroup memory of the scan of a tile.
pub(super) struct TileArrays {
    /// Terms of the iterations of a tile, then their scanned values.
    tile: Value,
    pub(super) sums: Sums,
}

impl Tiles<'_> {
    /// Allocates the arrays of a tile in the memory of a workgroup.
    pub(super) fn allocate(&self, b: &mut Builder) -> TileArrays {
        TileArrays {
            tile: self.array(b, self.tiling.threads * self.tiling.pitch()),
            sums: self.allocate_sums(b),
        }
    }

    /// Allocates the arrays of sums in the memory of a workgroup.
    pub(super) fn allocate_sums(&self, b: &mut Builder) -> Sums {
        Sums {
            own: self.array(b, self.tiling.threads),
            half: self.array(b, self.tiling.parts()),
        }
    }

    fn array(&self, b: &mut Builder, extent: i64) -> Value {
        let ty = b.ctx.memref_type(&[extent], self.recurrence.ty);
        memref::AllocOp::create(b, ty, &[])
    }

    /// Writes the bands that scan a tile, by its number. `start` emits the value that its first
    /// iteration starts from.
    pub(super) fn scan_tile(
        &self,
        b: &mut Builder,
        TileArrays { tile, sums }: &TileArrays,
        group: Value,
        start: impl FnOnce(&mut Builder) -> Value,
    ) {
        let (ctx, tile) = (b.ctx, *tile);
        let (band, thread) = self.open_band(b);
        self.walk(b, (group, thread), &[], |b, number, iv, _| {
            let term = self.term(b, iv);
            let place = self.place(b, number);
            StoreOp::create(b, term, tile, element(ctx), &[place]);
            Vec::new()
        });
        go_behind(b, band.0);
        let (band, thread) = self.open_band(b);
        let neutral = b.constant(self.recurrence.neutral, self.recurrence.ty);
        let at = (group, thread);
        let sum = self.walk_own(b, (at, tile), neutral, |b, _, carried, term| {
            self.combine(b, carried, term)
        });
        StoreOp::create(b, sum, sums.own, element(ctx), &[thread]);
        go_behind(b, band.0);
        self.fold_neighbours(b, sums);
        let epilogue = Epilogue::of(self.scan, b.body);
        let (band, thread) = self.open_band(b);
        let start = start(b);
        let start = self.before_thread(b, sums, thread, start);
        let at = (group, thread);
        self.walk_own(b, (at, tile), start, |b, place, carried, term| {
            let next = self.combine(b, carried, term);
            let value = if epilogue.is_before { carried } else { next };
            StoreOp::create(b, value, tile, element(ctx), &[place]);
            next
        });
        go_behind(b, band.0);
        let (band, thread) = self.open_band(b);
        self.walk(b, (group, thread), &[], |b, number, iv, _| {
            let place = self.place(b, number);
            let value = LoadOp::create(b, tile, element(ctx), &[place]);
            let mut names = self.scan.names(b.body, iv, &[value]);
            if !epilogue.is_before {
                names.map(self.scan.op.yielded(b.body)[0], value);
            }
            b.insert_copies(&epilogue.statements, &mut names);
            Vec::new()
        });
        go_behind(b, band.0);
    }

    /// Opens a band over the threads of a workgroup. Returns it with its counter.
    pub(super) fn open_band(&self, b: &mut Builder) -> (ParallelOp, Value) {
        open_band(b, Bound::constant(b.ctx, self.tiling.threads))
    }

    pub(super) fn combine(&self, b: &mut Builder, left: Value, right: Value) -> Value {
        self.recurrence.combined(b, left, right)
    }

    /// Emits the term of an iteration.
    pub(super) fn term(&self, b: &mut Builder, iv: Value) -> Value {
        let mut names = IrMapping::new();
        names.map(self.scan.op.induction_var(b.body), iv);
        b.insert_copies(self.scan.slice(), &mut names);
        names.value(self.recurrence.term)
    }

    /// Emits the loops over a thread's iterations of a block, with the number of threads as stride.
    /// `each` takes the number of an iteration in the block and the counter of the loop.
    pub(super) fn walk(
        &self,
        b: &mut Builder,
        (group, thread): (Value, Value),
        inits: &[Value],
        each: impl Fn(&mut Builder, Value, Value, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let ctx = b.ctx;
        let (threads, row) = (self.tiling.threads, self.tiling.row);
        let iteration = |b: &mut Builder, number: Value, carried: &[Value]| {
            let iv = self.counter(b, group, number);
            each(b, number, iv, carried)
        };
        if self.tiling.is_full {
            return (0..self.tiling.each).fold(inits.to_vec(), |carried, k| {
                let number = counter_after(b, thread, k * threads);
                iteration(b, number, &carried)
            });
        }
        let mut inputs = Inputs::new(ctx);
        let left = self.left(b.body, &mut inputs, group);
        let first = inputs.dim(thread);
        let span = ctx.affine_const(self.tiling.span());
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
        let distance = inputs.plus(ctx.affine_sub(left, first), before);
        let taken = inputs.by(AffineOp::CeilDiv, distance, row * threads);
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

    /// Visits the terms of a thread's own iterations in order. `each` takes the place of an iteration in
    /// the tile, the carried value, and the term.
    fn walk_own(
        &self,
        b: &mut Builder,
        ((group, thread), tile): ((Value, Value), Value),
        init: Value,
        each: impl Fn(&mut Builder, Value, Value, Value) -> Value,
    ) -> Value {
        if self.tiling.is_full {
            return self.walk_all_own(b, (thread, tile), init, each);
        }
        let ctx = b.ctx;
        let count = self.tiling.each;
        let mut inputs = Inputs::new(ctx);
        let left = self.left(b.body, &mut inputs, group);
        let first = inputs.dim(thread);
        let first = inputs.times(first, count);
        let behind = inputs.plus(first, count);
        let (map, operands) = inputs.finish(&[ctx.affine_sub(left, behind)]);
        let is_full = AffineConstraint {
            expr: map.results(ctx)[0],
            is_eq: false,
        };
        let data = map.data(ctx);
        let set = ctx.integer_set(data.dims, data.symbols, &[is_full]);
        let test = affine::IfOp::create(b, set, &operands, &[self.recurrence.ty], true);
        let block = test.then_block(b.body);
        b.set(InsertPoint::End(block));
        let carried = self.walk_all_own(b, (thread, tile), init, &each);
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
                let place = self.place(b, number);
                let term = LoadOp::create(b, tile, element(ctx), &[place]);
                vec![each(b, place, carried[0], term)]
            });
            affine::yield_values(b, block, &carried);
        }
        go_behind(b, test.0);
        b.body[test.0].result(0)
    }

    /// Visits the terms of a thread that has as many as any: loads all of them first, so that no term
    /// waits for the combination of the one before.
    fn walk_all_own(
        &self,
        b: &mut Builder,
        (thread, tile): (Value, Value),
        init: Value,
        each: impl Fn(&mut Builder, Value, Value, Value) -> Value,
    ) -> Value {
        let mut inputs = Inputs::new(b.ctx);
        let first = inputs.dim(thread);
        let (map, operands) = inputs.finish(&[inputs.times(first, self.tiling.pitch())]);
        let start = ApplyOp::create(b, map, &operands);
        let places: Vec<Value> = (0..self.tiling.each)
            .map(|k| counter_after(b, start, k))
            .collect();
        let terms: Vec<Value> = (places.iter())
            .map(|&place| LoadOp::create(b, tile, element(b.ctx), &[place]))
            .collect();
        let mut carried = init;
        for (place, term) in places.into_iter().zip(terms) {
            carried = each(b, place, carried, term);
        }
        carried
    }

    /// Emits the fold band, in which some threads each scan the sums of adjacent ones: `own`
    /// becomes the exclusive prefix of a thread within its part, `half` the sum of the part.
    pub(super) fn fold_neighbours(&self, b: &mut Builder, sums: &Sums) {
        let ctx = b.ctx;
        let (band, thread) = self.open_band(b);
        let last = ctx.affine_const(self.tiling.parts() - 1);
        let is_some = ctx.affine_sub(last, ctx.affine_dim(0));
        open_where(b, is_some, thread);
        let first = ctx.affine_mul(ctx.affine_dim(0), ctx.affine_const(self.tiling.folded()));
        let first = ApplyOp::create(b, ctx.affine_map(1, 0, &[first]), &[thread]);
        let places: Vec<Value> = (0..self.tiling.folded())
            .map(|k| counter_after(b, first, k))
            .collect();
        let loaded: Vec<Value> = (places.iter())
            .map(|&place| LoadOp::create(b, sums.own, element(ctx), &[place]))
            .collect();
        let mut carried = b.constant(self.recurrence.neutral, self.recurrence.ty);
        for (place, sum) in places.into_iter().zip(loaded) {
            StoreOp::create(b, carried, sums.own, element(ctx), &[place]);
            carried = self.combine(b, carried, sum);
        }
        StoreOp::create(b, carried, sums.half, element(ctx), &[thread]);
        go_behind(b, band.0);
    }

    /// Emits the exclusive prefix of a thread: a value, with the sums of all threads before it.
    pub(super) fn before_thread(
        &self,
        b: &mut Builder,
        sums: &Sums,
        thread: Value,
        start: Value,
    ) -> Value {
        let ctx = b.ctx;
        let folded = ctx.affine_const(self.tiling.folded());
        let part = ctx.affine_binary(AffineOp::FloorDiv, ctx.affine_dim(0), folded);
        let part = ApplyOp::create(b, ctx.affine_map(1, 0, &[part]), &[thread]);
        let mut carried = start;
        for k in 0..self.tiling.parts() - 1 {
            let sum = LoadOp::create(b, sums.half, ctx.constant_map(k), &[]);
            let number = b.index_constant(k);
            let is_before = CmpIOp::create(b, CmpIPredicate::Slt, number, part);
            let with = self.combine(b, carried, sum);
            carried = arith::select(b, is_before, with, carried);
        }
        let sum = LoadOp::create(b, sums.own, element(ctx), &[thread]);
        self.combine(b, carried, sum)
    }

    /// Emits the place of an iteration in the tile, by its number.
    fn place(&self, b: &mut Builder, number: Value) -> Value {
        let (each, pitch) = (self.tiling.each, self.tiling.pitch());
        if pitch == each {
            return number;
        }
        let mut inputs = Inputs::new(b.ctx);
        // The quotient of a sum with a multiple of the divisor is that of the rest, and a constant.
        let apply = b.body.defining_op(number);
        let number = match apply.and_then(|op| ApplyOp::cast(b.body, op)) {
            Some(apply) => {
                let sum = Bound {
                    map: apply.map(b.ctx, b.body),
                    operands: apply.operands(b.body),
                };
                inputs.import(sum, &IrMapping::new())[0]
            }
            None => inputs.dim(number),
        };
        let thread = inputs.by(AffineOp::FloorDiv, number, each);
        let skipped = inputs.times(thread, pitch - each);
        let (map, operands) = inputs.finish(&[inputs.ctx.affine_add(number, skipped)]);
        ApplyOp::create(b, map, &operands)
    }

    /// Returns the number of iterations from the first of a block to the last of the loop.
    fn left(&self, body: &Body, inputs: &mut Inputs, group: Value) -> AffineExpr {
        let start = self.start(body, inputs, group);
        let op = self.scan.op;
        let ctx = inputs.ctx;
        let upper = inputs.import(op.upper(ctx, body), &IrMapping::new())[0];
        let distance = ctx.affine_sub(upper, start);
        inputs.by(AffineOp::CeilDiv, distance, op.step(ctx, body))
    }

    /// Returns the counter of the first iteration of a block.
    fn start(&self, body: &Body, inputs: &mut Inputs, group: Value) -> AffineExpr {
        let (op, ctx) = (self.scan.op, inputs.ctx);
        let low = inputs.import(op.lower(ctx, body), &IrMapping::new())[0];
        let step = op.step(ctx, body);
        let group = inputs.dim(group);
        ctx.affine_add(low, inputs.times(group, self.tiling.span() * step))
    }

    /// Emits the counter of an iteration, by its number in a block.
    fn counter(&self, b: &mut Builder, group: Value, number: Value) -> Value {
        let ctx = b.ctx;
        let mut inputs = Inputs::new(ctx);
        let start = self.start(b.body, &mut inputs, group);
        let number = inputs.dim(number);
        let distance = inputs.times(number, self.scan.op.step(ctx, b.body));
        let (map, operands) = inputs.finish(&[ctx.affine_add(start, distance)]);
        ApplyOp::create(b, map, &operands)
    }
}

impl TileArrays {
    /// Frees the arrays.
    pub(super) fn free(self, b: &mut Builder) {
        free(b, self.tile);
        self.sums.free(b);
    }
}

impl Sums {
    /// Frees the arrays.
    pub(super) fn free(self, b: &mut Builder) {
        free(b, self.own);
        free(b, self.half);
    }
}

fn free(b: &mut Builder, array: Value) {
    b.create(b.state(memref::DEALLOC).operands(&[array]));
}
