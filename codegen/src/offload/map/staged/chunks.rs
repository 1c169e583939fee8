//! Chunks of a staged loop: what the threads of a workgroup fetch, put into workgroup memory and
//! compute with.

use std::collections::HashMap;

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::{gpu, gridloom, memref, scf};
use gridloom_ir::{AffineExpr, AffineMap, Builder, InsertPoint, OpId, Type, Value};

use crate::analysis::reduction::neutral_element;
use crate::offload::jam::shell;
use crate::offload::staging::{StagedArray, Staging};
use crate::transform::lower_affine::{expand, expand_best};

/// Zero of an integer or float type.
pub(in crate::offload) fn zero(b: &mut Builder, ty: Type) -> Value {
    let sum = match ty.float_kind(b.ctx) {
        Some(_) => arith::ADDF,
        None => arith::ADDI,
    };
    match neutral_element(b.ctx, sum, ty) {
        Some(zero) => b.constant(zero, ty),
        None => unreachable!("a staged nest loads integers and floats only"),
    }
}

/// Iterations of a loop of the band that a workgroup computes.
pub(super) struct BlockSide {
    /// The first one.
    pub(super) base: Value,
    /// Distance of the last existing one from it; `None` where all exist.
    pub(super) last: Option<Value>,
}

/// Writes the chunks of a staged loop.
pub(super) struct Stager<'m, 'a> {
    pub(super) b: &'m mut Builder<'a>,
    pub(super) staging: &'m Staging,
    pub(super) counters: &'m [Value],
    pub(super) sides: &'m [i64],
    pub(super) blocks: &'m [Option<BlockSide>],
    /// Workgroup memory of each array.
    pub(super) buffers: &'m [Value],
    /// The number of the thread, and how many there are.
    pub(super) thread: Value,
    pub(super) threads: i64,
}

/// Element of a box that a thread copies.
struct Copied {
    /// Its place along each dimension of the array, from 0.
    place: Vec<Value>,
    /// Whether there is such an element, else it is another thread's too; `None` where there
    /// always is.
    exists: Option<Value>,
}

impl Stager<'_, '_> {
    /// Replaces the staged loop by one over whole chunks and, where some iterations may be left
    /// over, one over the last.
    pub(super) fn run(&mut self) {
        let ctx = self.b.ctx;
        let staged = ForOp(self.staging.chunked);
        let body = &*self.b.body;
        let ends = [staged.lower(ctx, body), staged.upper(ctx, body)];
        let [lower, upper] = ends.map(|end| (end.map, end.operands.to_vec()));
        let inits = staged.inits(ctx, body).to_vec();
        let trips = staged.constant_trip_count(ctx, body);
        let low = expand_best(self.b, arith::MAXSI, lower.0, &lower.1);
        let high = expand_best(self.b, arith::MINSI, upper.0, &upper.1);
        let chunk = self.staging.chunk;
        let (middle, left) = match trips.and_then(|trips| i64::try_from(trips).ok()) {
            Some(trips) if trips % chunk == 0 => (high, None),
            Some(trips) => {
                let whole = self.b.index_constant(trips - trips % chunk);
                let middle = self.b.binary(arith::ADDI, low, whole);
                (middle, Some(Some(trips % chunk)))
            }
            None => (self.whole_chunks(low, high), Some(None)),
        };
        let copies: Vec<Vec<Copied>> = (self.staging.arrays.iter())
            .map(|array| self.copies(array))
            .collect();
        let runs = trips.is_none().then(|| {
            // Else there is a whole chunk.
            CmpIOp::create(self.b, CmpIPredicate::Slt, low, middle)
        });
        let fetched = self.fetch_if(runs, &copies, low);
        let mut results = self.whole_loop((low, middle), &inits, &copies, &fetched);
        if let Some(count) = left {
            results = self.last_loop((middle, high), &results, count, &copies);
        }
        let old: Vec<Value> = self.b.body[staged.0].results().collect();
        for (old, new) in old.into_iter().zip(results) {
            self.b.body.replace_uses(old, new);
        }
        self.b.body.erase(staged.0);
    }

    /// Computes the end of the whole chunks of a loop.
    fn whole_chunks(&mut self, low: Value, high: Value) -> Value {
        let b = &mut *self.b;
        // The difference of bounds may wrap around where there is no iteration.
        let runs = CmpIOp::create(b, CmpIPredicate::Slt, low, high);
        let way = b.binary(arith::SUBI, high, low);
        let zero = b.index_constant(0);
        let trips = arith::select(b, runs, way, zero);
        let chunk = b.index_constant(self.staging.chunk);
        let count = b.binary(arith::DIVUI, trips, chunk);
        let whole = b.binary(arith::MULI, count, chunk);
        b.binary(arith::ADDI, low, whole)
    }

    /// The elements of a box that a thread copies: neighbouring threads copy neighbours in memory.
    fn copies(&mut self, array: &StagedArray) -> Vec<Copied> {
        let (sides, chunk, threads) = (self.sides, self.staging.chunk, self.threads);
        let extents: Vec<i64> = (array.dims.iter())
            .map(|dim| dim.extent(sides, chunk))
            .collect();
        let size: i64 = extents.iter().product();
        let b = &mut *self.b;
        let mut copies = Vec::new();
        for round in 0..(size - 1) / threads + 1 {
            let first = b.index_constant(round * threads);
            let element = b.binary(arith::ADDI, self.thread, first);
            let exists = ((round + 1) * threads > size).then(|| {
                let end = b.index_constant(size);
                CmpIOp::create(b, CmpIPredicate::Slt, element, end)
            });
            let (mut rest, mut place) = (element, Vec::new());
            for (d, &extent) in extents.iter().enumerate().rev() {
                if d == 0 {
                    if exists.is_some() {
                        let last = b.index_constant(extent - 1);
                        rest = b.binary(arith::MINSI, rest, last);
                    }
                    place.push(rest);
                    break;
                }
                let extent = b.index_constant(extent);
                place.push(b.binary(arith::REMUI, rest, extent));
                rest = b.binary(arith::DIVUI, rest, extent);
            }
            place.reverse();
            copies.push(Copied { place, exists });
        }
        copies
    }

    /// The loop over whole chunks, for the first of which `fetched` was loaded.
    fn whole_loop(
        &mut self,
        (start, end): (Value, Value),
        inits: &[Value],
        copies: &[Vec<Copied>],
        fetched: &[Value],
    ) -> Vec<Value> {
        let resume = self.b.point();
        let step = self.b.index_constant(self.staging.chunk);
        let last = self.b.binary(arith::SUBI, end, step);
        let op = scf::ForOp::create(self.b, start, end, step, &[inits, fetched].concat());
        let block = op.block(self.b.body);
        let first = op.induction_var(self.b.body);
        let carried = op.iter_args(self.b.body).to_vec();
        let (carried, fetched) = carried.split_at(inits.len());
        self.b.set(InsertPoint::End(block));
        self.put(copies, fetched);
        let next = self.b.binary(arith::ADDI, first, step);
        let next = self.b.binary(arith::MINSI, next, last);
        let mut yielded = self.fetch(copies, next, None);
        let computed = self.iterations(first, step, carried);
        yielded.splice(0..0, computed);
        scf::yield_values(self.b, block, &yielded);
        self.b.set(resume);
        let results = self.b.body[op.0].results();
        results.take(inits.len()).collect()
    }

    /// The chunk that is left, of so many iterations where that is known; a loop, which runs once
    /// or not at all.
    fn last_loop(
        &mut self,
        (start, end): (Value, Value),
        inits: &[Value],
        count: Option<i64>,
        copies: &[Vec<Copied>],
    ) -> Vec<Value> {
        let resume = self.b.point();
        let step = self.b.index_constant(self.staging.chunk);
        let op = scf::ForOp::create(self.b, start, end, step, inits);
        let block = op.block(self.b.body);
        let first = op.induction_var(self.b.body);
        let carried = op.iter_args(self.b.body).to_vec();
        self.b.set(InsertPoint::End(block));
        let rounds = match count {
            Some(count) => self.b.index_constant(count),
            None => self.b.binary(arith::SUBI, end, first),
        };
        let one = self.b.index_constant(1);
        let last = self.b.binary(arith::SUBI, rounds, one);
        let fetched = self.fetch(copies, first, Some(last));
        self.put(copies, &fetched);
        let computed = self.iterations(first, rounds, &carried);
        scf::yield_values(self.b, block, &computed);
        self.b.set(resume);
        self.b.body[op.0].results().collect()
    }

    /// Loads a thread's elements of the chunk that begins at `first`, if `runs` holds.
    fn fetch_if(
        &mut self,
        runs: Option<Value>,
        copies: &[Vec<Copied>],
        first: Value,
    ) -> Vec<Value> {
        let Some(runs) = runs else {
            return self.fetch(copies, first, None);
        };
        let arrays = self.staging.arrays.iter().zip(copies);
        let types = arrays.flat_map(|(array, copies)| {
            let (ctx, body) = (self.b.ctx, &*self.b.body);
            let element = array.loads.first().map(|&(load, _)| body[load].result(0));
            let ty = element.map_or(ctx.index_type(), |element| body.ty(element));
            copies.iter().map(move |_| ty)
        });
        let types: Vec<Type> = types.collect();
        let op = scf::IfOp::create(self.b, runs, &types, true);
        let resume = self.b.point();
        let then = op.then_block(self.b.body);
        self.b.set(InsertPoint::End(then));
        let fetched = self.fetch(copies, first, None);
        scf::yield_values(self.b, then, &fetched);
        if let Some(other) = op.else_block(self.b.body) {
            self.b.set(InsertPoint::End(other));
            let zeros: Vec<Value> = types.iter().map(|&ty| zero(self.b, ty)).collect();
            scf::yield_values(self.b, other, &zeros);
        }
        self.b.set(resume);
        self.b.body[op.0].results().collect()
    }

    /// Loads a thread's elements of the chunk that begins at iteration `first`, of which the last
    /// iteration is `last` behind it where the chunk is not whole.
    fn fetch(&mut self, copies: &[Vec<Copied>], first: Value, last: Option<Value>) -> Vec<Value> {
        let mut fetched = Vec::new();
        for (array, copies) in self.staging.arrays.iter().zip(copies) {
            let Some(&(load, _)) = array.loads.first() else {
                continue;
            };
            let load = affine::LoadOp(load);
            let memref = load.memref(self.b.body);
            let origin = self.origin(array, load, first);
            let ends: Vec<Option<Value>> = (0..array.dims.len())
                .map(|d| self.end_of(array, d, last))
                .collect();
            for copied in copies {
                let mut indices = Vec::new();
                for ((&place, &end), &origin) in copied.place.iter().zip(&ends).zip(&origin) {
                    let place = match end {
                        Some(end) => self.b.binary(arith::MINSI, place, end),
                        None => place,
                    };
                    indices.push(self.b.binary(arith::ADDI, origin, place));
                }
                let value = memref::LoadOp::create(self.b, memref, &indices);
                self.mark_in_bounds(value);
                fetched.push(value);
            }
        }
        fetched
    }

    /// Stores a thread's elements of a chunk to workgroup memory, when all threads are done with
    /// the chunk before, and waits for the others.
    fn put(&mut self, copies: &[Vec<Copied>], fetched: &[Value]) {
        self.b.create(self.b.state(gpu::BARRIER));
        let arrays = self.staging.arrays.iter().zip(copies).zip(self.buffers);
        let places = arrays.flat_map(|((array, copies), &buffer)| {
            copies.iter().map(move |copied| (array, copied, buffer))
        });
        for ((array, copied, buffer), &value) in places.zip(fetched) {
            let resume = self.b.point();
            if let Some(exists) = copied.exists {
                let op = scf::IfOp::create(self.b, exists, &[], false);
                let then = op.then_block(self.b.body);
                scf::yield_values(self.b, then, &[]);
                self.b.set(InsertPoint::Start(then));
            }
            let order = array.order();
            let place: Vec<Value> = order.iter().map(|&d| copied.place[d]).collect();
            let store = memref::StoreOp::create(self.b, value, buffer, &place);
            gridloom::set_in_bounds(self.b.ctx, &mut self.b.body[store.0], true);
            self.b.set(resume);
        }
        self.b.create(self.b.state(gpu::BARRIER));
    }

    fn mark_in_bounds(&mut self, loaded: Value) {
        if let Some(op) = self.b.body.defining_op(loaded) {
            gridloom::set_in_bounds(self.b.ctx, &mut self.b.body[op], true);
        }
    }

    /// The least subscripts of a box for the chunk that begins at iteration `first`.
    fn origin(&mut self, array: &StagedArray, load: affine::LoadOp, first: Value) -> Vec<Value> {
        let (ctx, body) = (self.b.ctx, &*self.b.body);
        let counter = ForOp(self.staging.chunked).induction_var(body);
        let at_first = |&value: &Value| {
            let k = self.counters.iter().position(|&counter| counter == value);
            let side = k.and_then(|k| self.blocks[k].as_ref());
            match side {
                Some(side) => side.base,
                None if value == counter => first,
                None => value,
            }
        };
        let operands: Vec<Value> = load.operands(body).iter().map(at_first).collect();
        let map = load.map(ctx, body);
        let least = array.least.iter().zip(map.results(ctx));
        let exprs: Vec<AffineExpr> = least
            .map(|(&least, &expr)| ctx.affine_add(expr, ctx.affine_const(least)))
            .collect();
        let (dims, symbols) = operands.split_at(map.num_dims(ctx).min(operands.len()));
        expand(self.b, &exprs, dims, symbols)
    }

    /// The last place along a dimension of a box that the program loads, where that may be before
    /// the last one of the box.
    fn end_of(&mut self, array: &StagedArray, d: usize, last: Option<Value>) -> Option<Value> {
        let dim = &array.dims[d];
        let blocks = dim.loops.iter().map(|&k| match &self.blocks[k] {
            Some(block) => block.last.ok_or(self.sides[k] - 1),
            None => Err(0),
        });
        let chunk = dim
            .moves_with_chunk
            .then(|| last.ok_or(self.staging.chunk - 1));
        let parts: Vec<Result<Value, i64>> = blocks.chain(chunk).collect();
        let constant: i64 = parts.iter().filter_map(|part| part.err()).sum();
        let mut values = parts.iter().filter_map(|part| part.ok());
        let first = values.next()?;
        let sum = values.fold(first, |sum, value| self.b.binary(arith::ADDI, sum, value));
        let constant = self.b.index_constant(constant + dim.spread);
        Some(self.b.binary(arith::ADDI, sum, constant))
    }

    /// The loop over the iterations of a chunk: the body of the staged loop, with loads from the
    /// copies.
    fn iterations(&mut self, first: Value, count: Value, carried: &[Value]) -> Vec<Value> {
        let resume = self.b.point();
        let [zero, one] = [0, 1].map(|value| self.b.index_constant(value));
        let inner = scf::ForOp::create(self.b, zero, count, one, carried);
        let staged = ForOp(self.staging.chunked);
        let block = inner.block(self.b.body);
        self.b.set(InsertPoint::End(block));
        let place = inner.induction_var(self.b.body);
        let mut copies: HashMap<Value, Value> = HashMap::new();
        let counter = self.b.binary(arith::ADDI, first, place);
        copies.insert(staged.induction_var(self.b.body), counter);
        let carried = staged.iter_args(self.b.body).iter().copied();
        copies.extend(carried.zip(inner.iter_args(self.b.body).iter().copied()));
        let ops: Vec<OpId> = self.b.body.ops(staged.block(self.b.body)).collect();
        let copy = |copies: &HashMap<Value, Value>, value: &Value| {
            copies.get(value).copied().unwrap_or(*value)
        };
        for op in ops {
            if self.b.body[op].name == affine::YIELD {
                let yielded = self.b.body[op].operands.clone();
                let yielded: Vec<Value> = yielded.iter().map(|v| copy(&copies, v)).collect();
                scf::yield_values(self.b, block, &yielded);
                break;
            }
            let results: Vec<Value> = self.b.body[op].results().collect();
            if let Some(value) = self.load_of_copy(op, place) {
                copies.extend(results.into_iter().zip([value]));
                continue;
            }
            let operands = self.b.body[op].operands.clone();
            let operands = operands.iter().map(|v| copy(&copies, v)).collect();
            let types = results.iter().map(|&v| self.b.body.ty(v)).collect();
            let new = shell(self.b, op, operands, types);
            copies.extend(results.into_iter().zip(self.b.body[new].results()));
        }
        self.b.set(resume);
        self.b.body[inner.0].results().collect()
    }

    /// Loads from the copy what a staged load loads in an iteration of the chunk.
    fn load_of_copy(&mut self, op: OpId, iteration: Value) -> Option<Value> {
        let ctx = self.b.ctx;
        let arrays = self.staging.arrays.iter().zip(self.buffers);
        let found = arrays.filter_map(|(array, &buffer)| {
            let (_, constants) = array.loads.iter().find(|(load, _)| *load == op)?;
            Some((array, constants, buffer))
        });
        let (array, constants, buffer) = found.into_iter().next()?;
        let mut operands = vec![iteration];
        let mut exprs = Vec::new();
        for d in array.order() {
            let dim = &array.dims[d];
            let mut place = ctx.affine_const(constants[d]);
            if dim.moves_with_chunk {
                place = ctx.affine_add(place, ctx.affine_dim(0));
            }
            for &k in &dim.loops {
                let Some(block) = &self.blocks[k] else {
                    continue;
                };
                let number = operands.len() as u32;
                operands.extend([self.counters[k], block.base]);
                let [at, base] = [number, number + 1].map(|number| ctx.affine_dim(number));
                place = ctx.affine_add(place, ctx.affine_sub(at, base));
            }
            exprs.push(place);
        }
        let map: AffineMap = ctx.affine_map(operands.len() as u32, 0, &exprs);
        let value = affine::LoadOp::create(self.b, buffer, map, &operands);
        self.mark_in_bounds(value);
        Some(value)
    }
}
