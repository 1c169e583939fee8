//! Chunks of a staged loop: the loops over them, and what threads compute with the copies.

use std::collections::HashMap;

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::scf;
use gridloom_ir::{AffineMap, Builder, InsertPoint, OpId, Type, Value};

use super::copies::Copied;
use crate::analysis::reduction::neutral_element;
use crate::offload::jam::shell;
use crate::offload::staging::Staging;
use crate::transform::lower_affine::expand_best;

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

/// Block side: the iterations of one loop of the band that a workgroup computes.
pub(super) struct BlockSide {
    /// The first iteration.
    pub(super) base: Value,
    /// Number of iterations; `None` where the block is complete.
    pub(super) count: Option<Value>,
    /// A known divisor of the loop's trip count.
    pub(super) multiple: i64,
}

/// Writes the chunks of a staged loop.
pub(super) struct Stager<'m, 'a> {
    pub(super) b: &'m mut Builder<'a>,
    pub(super) staging: &'m Staging,
    pub(super) counters: &'m [Value],
    pub(super) sides: &'m [i64],
    pub(super) blocks: &'m [Option<BlockSide>],
    /// Distances of counters from the workgroup's first ones.
    pub(super) locals: &'m [Option<Value>],
    /// Whether a whole chunk is unrolled instead of a loop.
    pub(super) is_unrolled: bool,
    /// Workgroup memory of each array.
    pub(super) buffers: &'m [Value],
    /// The number of the thread, and the number of threads.
    pub(super) thread: Value,
    pub(super) threads: i64,
}

impl Stager<'_, '_> {
    /// Replaces the staged loop by a loop over whole chunks and, where iterations may remain, one
    /// over the last chunk.
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
            // Only a loop of unknown trip count may be shorter than a chunk.
            CmpIOp::create(self.b, CmpIPredicate::Slt, low, middle)
        });
        let fetched = self.fetch_if(runs, &copies, low);
        let mut results = self.whole_loop((low, middle), &inits, &copies, &fetched);
        if let Some(count) = left {
            results = self.last_loop((middle, high), &results, count, &copies);
        }
        self.b.body.replace_op(staged.0, &results);
    }

    /// Computes the end of the whole chunks of a loop.
    fn whole_chunks(&mut self, low: Value, high: Value) -> Value {
        let b = &mut *self.b;
        // The difference of the bounds may wrap around where the loop has no iterations.
        let runs = CmpIOp::create(b, CmpIPredicate::Slt, low, high);
        let distance = b.binary(arith::SUBI, high, low);
        let zero = b.index_constant(0);
        let trips = arith::select(b, runs, distance, zero);
        let chunk = b.index_constant(self.staging.chunk);
        let count = b.binary(arith::DIVUI, trips, chunk);
        let whole = b.binary(arith::MULI, count, chunk);
        b.binary(arith::ADDI, low, whole)
    }

    /// Emits the loop over whole chunks; `fetched` are the elements of the first one.
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
        let computed = match self.is_unrolled {
            true => self.unrolled(first, carried),
            false => self.iterations(first, step, carried),
        };
        yielded.splice(0..0, computed);
        scf::yield_values(self.b, block, &yielded);
        self.b.set(resume);
        let results = self.b.body[op.0].results();
        results.take(inits.len()).collect()
    }

    /// Emits the remainder chunk as a loop that runs at most once; `count` is its number of
    /// iterations where known.
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

    /// Emits the iterations of a whole chunk, unrolled.
    fn unrolled(&mut self, first: Value, carried: &[Value]) -> Vec<Value> {
        let mut carried = carried.to_vec();
        for number in 0..self.staging.chunk {
            let place = self.b.index_constant(number);
            carried = self.iteration(first, place, &carried);
        }
        carried
    }

    /// Emits the loop over the iterations of a chunk.
    fn iterations(&mut self, first: Value, count: Value, carried: &[Value]) -> Vec<Value> {
        let resume = self.b.point();
        let [zero, one] = [0, 1].map(|value| self.b.index_constant(value));
        let inner = scf::ForOp::create(self.b, zero, count, one, carried);
        let block = inner.block(self.b.body);
        self.b.set(InsertPoint::End(block));
        let place = inner.induction_var(self.b.body);
        let carried = inner.iter_args(self.b.body).to_vec();
        let yielded = self.iteration(first, place, &carried);
        scf::yield_values(self.b, block, &yielded);
        self.b.set(resume);
        self.b.body[inner.0].results().collect()
    }

    /// Emits an iteration of a chunk: the body of the staged loop, with loads from the copies.
    /// Returns the carried values.
    fn iteration(&mut self, first: Value, place: Value, carried: &[Value]) -> Vec<Value> {
        let staged = ForOp(self.staging.chunked);
        let mut copies: HashMap<Value, Value> = HashMap::new();
        let counter = self.b.binary(arith::ADDI, first, place);
        copies.insert(staged.induction_var(self.b.body), counter);
        let args = staged.iter_args(self.b.body).iter().copied();
        copies.extend(args.zip(carried.iter().copied()));
        let ops: Vec<OpId> = self.b.body.ops(staged.block(self.b.body)).collect();
        let loads = self.staging.arrays.iter().flat_map(|array| &array.loads);
        let computed: Vec<OpId> = loads.flat_map(|load| load.computed.clone()).collect();
        let copy = |copies: &HashMap<Value, Value>, value: &Value| {
            copies.get(value).copied().unwrap_or(*value)
        };
        for op in ops {
            let operands = self.b.body[op].operands.clone();
            if self.b.body[op].name == affine::YIELD {
                return operands.iter().map(|v| copy(&copies, v)).collect();
            }
            if computed.contains(&op) {
                continue;
            }
            if let Some((last, value)) = self.load_of_copy(op, place) {
                copies.insert(last, value);
                continue;
            }
            let results: Vec<Value> = self.b.body[op].results().collect();
            let operands = operands.iter().map(|v| copy(&copies, v)).collect();
            let types = results.iter().map(|&v| self.b.body.ty(v)).collect();
            let new = shell(self.b, op, operands, types);
            copies.extend(results.into_iter().zip(self.b.body[new].results()));
        }
        Vec::new()
    }

    /// Replaces a staged load in an iteration of the chunk by a load from the copy. Returns the
    /// result that this replaces, that of the load or of the operations fused with it, and the new
    /// value.
    fn load_of_copy(&mut self, op: OpId, iteration: Value) -> Option<(Value, Value)> {
        let ctx = self.b.ctx;
        let mut arrays = self.staging.arrays.iter().zip(self.buffers);
        let (array, load, buffer) = arrays.find_map(|(array, &buffer)| {
            let load = array.loads.iter().find(|load| load.op == op)?;
            Some((array, load, buffer))
        })?;
        let last = load.computed.last().copied().unwrap_or(op);
        let last = self.b.body[last].result(0);
        let mut operands = vec![iteration];
        let mut exprs = Vec::new();
        for d in array.order() {
            let dim = &array.dims[d];
            let mut place = ctx.affine_const(load.constants[d]);
            if dim.moves_with_chunk {
                place = ctx.affine_add(place, ctx.affine_dim(0));
            }
            for local in dim.loops.iter().filter_map(|&k| self.locals[k]) {
                place = ctx.affine_add(place, ctx.affine_dim(operands.len() as u32));
                operands.push(local);
            }
            exprs.push(place);
        }
        let map: AffineMap = ctx.affine_map(operands.len() as u32, 0, &exprs);
        let value = affine::LoadOp::create(self.b, buffer, map, &operands);
        self.mark_in_bounds(value);
        Some((last, value))
    }
}
