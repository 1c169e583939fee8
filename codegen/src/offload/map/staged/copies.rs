//! Chunk copies: the elements that a thread loads from an array and stores to workgroup memory.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::{gpu, gridloom, memref, scf};
use gridloom_ir::{AffineExpr, InsertPoint, Type, Value};

use super::chunks::{Stager, zero};
use crate::offload::jam::shell;
use crate::offload::staging::StagedArray;
use crate::transform::lower_affine::expand;

/// Copy unit: neighbouring elements of a box that one thread copies.
pub(super) struct Copied {
    /// Position of the first element along each dimension of the array, from 0.
    place: Vec<Value>,
    /// Whether the unit exists, else another thread copies the same elements; `None` where it
    /// always exists.
    exists: Option<Value>,
}

/// Clamp of a dimension: the end of what the program loads along it.
#[derive(Clone, Copy)]
enum End {
    /// No clamp: the program loads the whole box.
    OfBox,
    /// Clamp to the last position.
    Place(Value),
    /// Clamp to the first position of the last unit, which the program loads completely.
    Unit(Value),
}

impl Stager<'_, '_> {
    /// The units of a box that a thread copies: neighbouring threads copy neighbours in memory.
    pub(super) fn copies(&mut self, array: &StagedArray) -> Vec<Copied> {
        let (sides, chunk, threads) = (self.sides, self.staging.chunk, self.threads);
        let mut extents: Vec<i64> = (array.dims.iter())
            .map(|dim| dim.extent(sides, chunk))
            .collect();
        let unit = self.unit(array);
        if let Some(inner) = array.innermost() {
            extents[inner] /= unit;
        }
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
            if let Some(inner) = array.innermost().filter(|_| unit > 1) {
                let unit = b.index_constant(unit);
                place[inner] = b.binary(arith::MULI, place[inner], unit);
            }
            copies.push(Copied { place, exists });
        }
        copies
    }

    /// Number of neighbours along the innermost dimension of a box that a thread copies together.
    fn unit(&self, array: &StagedArray) -> i64 {
        array.unit(self.sides, self.staging.chunk)
    }

    /// Number of registers that each array takes of a thread for a chunk.
    fn held(&self, copies: &[Vec<Copied>]) -> Vec<usize> {
        let arrays = self.staging.arrays.iter().zip(copies);
        arrays
            .map(|(array, copies)| copies.len() * self.unit(array) as usize)
            .collect()
    }

    /// Loads a thread's elements of the chunk that begins at `first`, if `runs` holds.
    pub(super) fn fetch_if(
        &mut self,
        runs: Option<Value>,
        copies: &[Vec<Copied>],
        first: Value,
    ) -> Vec<Value> {
        let Some(runs) = runs else {
            return self.fetch(copies, first, None);
        };
        let arrays = self.staging.arrays.iter().zip(self.held(copies));
        let types = arrays.flat_map(|(array, count)| {
            let loaded = array
                .loads
                .first()
                .map(|load| self.b.body[load.op].result(0));
            let ty = loaded.map_or(array.element, |loaded| self.b.body.ty(loaded));
            std::iter::repeat_n(ty, count)
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
    pub(super) fn fetch(
        &mut self,
        copies: &[Vec<Copied>],
        first: Value,
        last: Option<Value>,
    ) -> Vec<Value> {
        let mut fetched = Vec::new();
        for (array, copies) in self.staging.arrays.iter().zip(copies) {
            let Some(load) = array.loads.first() else {
                continue;
            };
            let load = affine::LoadOp(load.op);
            let memref = load.memref(self.b.body);
            let origin = self.origin(array, load, first);
            let ends: Vec<End> = (0..array.dims.len())
                .map(|d| self.end_of(array, d, last))
                .collect();
            let inner = array.innermost();
            for copied in copies {
                for lane in 0..self.unit(array) {
                    let mut indices = Vec::new();
                    for d in 0..ends.len() {
                        let lane = if Some(d) == inner { lane } else { 0 };
                        indices.push(self.subscript(origin[d], (copied.place[d], lane), ends[d]));
                    }
                    let value = memref::LoadOp::create(self.b, memref, &indices);
                    self.mark_in_bounds(value);
                    fetched.push(value);
                }
            }
        }
        fetched
    }

    /// Emits the subscript of a position along a dimension, `lane` after the first one of its unit,
    /// clamped to `end`.
    fn subscript(&mut self, origin: Value, (first, lane): (Value, i64), end: End) -> Value {
        let first = match end {
            End::OfBox => first,
            End::Place(last) => {
                let place = self.behind(first, lane);
                let place = self.b.binary(arith::MINSI, place, last);
                return self.b.binary(arith::ADDI, origin, place);
            }
            End::Unit(last) => self.b.binary(arith::MINSI, first, last),
        };
        let first = self.b.binary(arith::ADDI, origin, first);
        self.behind(first, lane)
    }

    /// Emits the position `lane` places after another one.
    fn behind(&mut self, first: Value, lane: i64) -> Value {
        if lane == 0 {
            return first;
        }
        let offset = self.b.index_constant(lane);
        self.b.binary(arith::ADDI, first, offset)
    }

    /// Stores a thread's elements of a chunk to workgroup memory, between two barriers: the first
    /// waits for readers of the chunk before, the second for the other threads' stores.
    pub(super) fn put(&mut self, copies: &[Vec<Copied>], fetched: &[Value]) {
        self.b.create(self.b.state(gpu::BARRIER));
        let mut fetched = fetched.iter().copied();
        let arrays = self.staging.arrays.iter().zip(copies).zip(self.buffers);
        for ((array, copies), &buffer) in arrays {
            let (order, inner) = (array.order(), array.innermost());
            for copied in copies {
                let resume = self.b.point();
                if let Some(exists) = copied.exists {
                    let op = scf::IfOp::create(self.b, exists, &[], false);
                    let then = op.then_block(self.b.body);
                    scf::yield_values(self.b, then, &[]);
                    self.b.set(InsertPoint::Start(then));
                }
                let values: Vec<Value> = fetched.by_ref().take(self.unit(array) as usize).collect();
                let values: Vec<Value> = (values.into_iter())
                    .map(|value| self.computed(array, value))
                    .collect();
                for (lane, value) in (0..).zip(values) {
                    let place = order.iter().map(|&d| match Some(d) == inner {
                        true => self.behind(copied.place[d], lane),
                        false => copied.place[d],
                    });
                    let place: Vec<Value> = place.collect();
                    let store = memref::StoreOp::create(self.b, value, buffer, &place);
                    gridloom::set_in_bounds(self.b.ctx, &mut self.b.body[store.0], true);
                }
                self.b.set(resume);
            }
        }
        self.b.create(self.b.state(gpu::BARRIER));
    }

    /// Emits the fused operations on a loaded element.
    fn computed(&mut self, array: &StagedArray, loaded: Value) -> Value {
        let Some(load) = array.loads.first() else {
            return loaded;
        };
        let (mut old, mut new) = (self.b.body[load.op].result(0), loaded);
        for &op in &load.computed {
            let operands = self.b.body[op].operands.iter();
            let operands = operands.map(|&value| if value == old { new } else { value });
            let operands = operands.collect();
            old = self.b.body[op].result(0);
            let ty = self.b.body.ty(old);
            let copy = shell(self.b, op, operands, vec![ty]);
            new = self.b.body[copy].result(0);
        }
        new
    }

    pub(super) fn mark_in_bounds(&mut self, loaded: Value) {
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

    /// The last position along a dimension of a box that the program loads.
    fn end_of(&mut self, array: &StagedArray, d: usize, last: Option<Value>) -> End {
        let dim = &array.dims[d];
        let unit = self.unit(array);
        if let ([k], Some(inner)) = (&dim.loops[..], array.innermost())
            && let Some(block) = &self.blocks[*k]
            && let Some(count) = block.count
            && (inner == d && !dim.moves_with_chunk && dim.spread == 0)
            && block.multiple % unit == 0
        {
            let unit = self.b.index_constant(unit);
            return End::Unit(self.b.binary(arith::SUBI, count, unit));
        }
        let mut constant = dim.spread;
        let mut values = Vec::new();
        for &k in &dim.loops {
            let Some(block) = &self.blocks[k] else {
                continue;
            };
            match block.count {
                Some(count) => {
                    values.push(count);
                    constant -= 1;
                }
                None => constant += self.sides[k] - 1,
            }
        }
        if dim.moves_with_chunk {
            match last {
                Some(last) => values.push(last),
                None => constant += self.staging.chunk - 1,
            }
        }
        let sum = (values.into_iter()).reduce(|sum, value| self.b.binary(arith::ADDI, sum, value));
        let Some(sum) = sum else { return End::OfBox };
        let constant = self.b.index_constant(constant);
        End::Place(self.b.binary(arith::ADDI, sum, constant))
    }
}
