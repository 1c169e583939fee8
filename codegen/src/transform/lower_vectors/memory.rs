//! Lowering of vector loads and stores, element by element.

use gridloom_dialects::arith;
use gridloom_dialects::memref::{LoadOp, StoreOp};
use gridloom_dialects::vector::{self, VectorShape};
use gridloom_dialects::{affine, inherent, scf};
use gridloom_ir::{Builder, InsertPoint, OpId, Type, Value};

use super::{Lowering, Results, each_index, extents};
use crate::transform::index_values::as_index;

impl Lowering<'_> {
    /// Lowers an access: the elements of its result, none for a store; `None` for another
    /// operation.
    pub(super) fn accessed(&mut self, b: &mut Builder, op: OpId) -> Option<Results> {
        match b.body[op].name {
            vector::LOAD => {
                let operands = b.body[op].operands.to_vec();
                let shape = extents(b.ctx, b.body.ty(b.body[op].result(0)));
                self.is_of_scalars(b, operands[0])?;
                let places = places(b, &operands[1..], &shape)?;
                let load = |place: Vec<Value>| LoadOp::create(b, operands[0], &place);
                Some(vec![places.into_iter().map(load).collect()])
            }
            vector::STORE => {
                let operands = b.body[op].operands.to_vec();
                let shape = extents(b.ctx, b.body.ty(operands[0]));
                self.is_of_scalars(b, operands[1])?;
                let places = places(b, &operands[2..], &shape)?;
                let elements = self.elements(b, operands[0]);
                for (place, value) in places.into_iter().zip(elements) {
                    StoreOp::create(b, value, operands[1], &place);
                }
                Some(Vec::new())
            }
            vector::MASKEDLOAD | vector::MASKEDSTORE => {
                let (base, index, mask, value) = self.parts_of_masked(b, op)?;
                let shape = extents(b.ctx, b.body.ty(b.body[op].operands.last().copied()?));
                let places = places(b, &index, &shape)?;
                self.where_set(b, op, base, &mask, &value, &places)
            }
            vector::EXPANDLOAD | vector::COMPRESSSTORE => self.packed(b, op),
            vector::GATHER | vector::SCATTER => self.indexed(b, op, None),
            _ => None,
        }
    }

    /// Checks that a value is a memref of scalars; `None` otherwise.
    fn is_of_scalars(&self, b: &Builder, base: Value) -> Option<()> {
        let memref = b.body.ty(base).memref(b.ctx)?;
        VectorShape::of(b.ctx, memref.element)
            .is_none()
            .then_some(())
    }

    /// Base, indices, elements of the mask, and those of the last operand.
    #[expect(
        clippy::type_complexity,
        reason = "the operands of one operation, in their order"
    )]
    fn parts_of_masked(
        &mut self,
        b: &mut Builder,
        op: OpId,
    ) -> Option<(Value, Vec<Value>, Vec<Value>, Vec<Value>)> {
        let operands = b.body[op].operands.to_vec();
        let (&base, rest) = operands.split_first()?;
        let [index @ .., mask, value] = rest else {
            return None;
        };
        self.is_of_scalars(b, base)?;
        let (mask, value) = (self.elements(b, *mask), self.elements(b, *value));
        Some((base, index.to_vec(), mask, value))
    }

    /// Lowers `expandload` and `compressstore`: the set elements are adjacent in memory.
    fn packed(&mut self, b: &mut Builder, op: OpId) -> Option<Results> {
        let (base, index, mask, value) = self.parts_of_masked(b, op)?;
        let (&inner, outer) = index.split_last()?;
        let mut next = inner;
        let mut places = Vec::new();
        for &set in &mask {
            places.push([outer, &[next]].concat());
            let set = b.unary(arith::EXTUI, &[set], b.ctx.int_type(32));
            let set = b.unary(arith::INDEX_CAST, &[set], b.ctx.index_type());
            next = b.binary(arith::ADDI, next, set);
        }
        self.where_set(b, op, base, &mask, &value, &places)
    }

    /// Lowers `gather` and `scatter`: each element has its own index in the last dimension. Only
    /// elements that are also set in `outer_mask` are accessed.
    pub(super) fn indexed(
        &mut self,
        b: &mut Builder,
        op: OpId,
        outer_mask: Option<&[Value]>,
    ) -> Option<Results> {
        if b.body[op].name == vector::SCATTER && b.body[op].num_results() > 0 {
            return None;
        }
        let operands = b.body[op].operands.to_vec();
        let (&base, rest) = operands.split_first()?;
        let [offsets @ .., indices, mask, value] = rest else {
            return None;
        };
        self.is_of_scalars(b, base)?;
        let (&inner, outer) = offsets.split_last()?;
        let (indices, mut mask) = (self.elements(b, *indices), self.elements(b, *mask));
        for (set, &also) in mask.iter_mut().zip(outer_mask.unwrap_or(&[])) {
            *set = b.binary(arith::ANDI, *set, also);
        }
        let value = self.elements(b, *value);
        let mut places = Vec::new();
        for index in indices {
            let index = as_index(b, index);
            let at = b.binary(arith::ADDI, inner, index);
            places.push([outer, &[at]].concat());
        }
        self.where_set(b, op, base, &mask, &value, &places)
    }

    /// Emits the access of each set element; unset elements of a load are those of `value`.
    fn where_set(
        &mut self,
        b: &mut Builder,
        op: OpId,
        base: Value,
        mask: &[Value],
        value: &[Value],
        places: &[Vec<Value>],
    ) -> Option<Results> {
        let is_load = b.body[op].num_results() > 0;
        let mut loaded = Vec::new();
        for ((&set, &value), place) in mask.iter().zip(value).zip(places) {
            match is_load {
                true => loaded.push(load_where(b, Some(set), base, place, value)),
                false => store_where(b, Some(set), value, base, place),
            }
        }
        Some(if is_load { vec![loaded] } else { Vec::new() })
    }

    /// Lowers `affine.vector_load` and `affine.vector_store`, whose maps give the position of the
    /// first element.
    pub(super) fn affine_access(&mut self, b: &mut Builder, op: OpId) -> Option<Results> {
        let ctx = b.ctx;
        let is_store = b.body[op].name == affine::VECTOR_STORE;
        let operands = b.body[op].operands.to_vec();
        let vector = if is_store {
            operands[0]
        } else {
            b.body[op].result(0)
        };
        let (&base, index) = operands[usize::from(is_store)..].split_first()?;
        self.is_of_scalars(b, base)?;
        let map = b.body[op].get(ctx, inherent::MAP)?;
        let data = map.data(ctx);
        let shape = extents(ctx, b.body.ty(vector));
        let skipped = data.results.len().checked_sub(shape.len())?;
        let mut results = data.results.to_vec();
        let mut maps = Vec::new();
        for place in each_index(&shape) {
            for (at, offset) in place.into_iter().enumerate() {
                let first = data.results[skipped + at];
                results[skipped + at] = ctx.affine_add(first, ctx.affine_const(offset as i64));
            }
            maps.push(ctx.affine_map(data.dims, data.symbols, &results));
        }
        if is_store {
            let elements = self.elements(b, vector);
            for (value, map) in elements.into_iter().zip(maps) {
                affine::StoreOp::create(b, value, base, map, index);
            }
            return Some(Vec::new());
        }
        let load = |map| affine::LoadOp::create(b, base, map, index);
        Some(vec![maps.into_iter().map(load).collect()])
    }
}

/// Emits the indices of each element of a vector whose first one lies at `index`, along the last
/// dimensions.
fn places(b: &mut Builder, index: &[Value], shape: &[usize]) -> Option<Vec<Vec<Value>>> {
    let skipped = index.len().checked_sub(shape.len())?;
    // The elements of a row share the sums of a base and a constant.
    let mut rows: Vec<Vec<Value>> = Vec::new();
    for (&base, &size) in index[skipped..].iter().zip(shape) {
        rows.push((0..size as i64).map(|at| offset(b, base, at)).collect());
    }
    let place = |at: Vec<usize>| {
        let inner = rows.iter().zip(at).map(|(row, at)| row[at]);
        index[..skipped].iter().copied().chain(inner).collect()
    };
    Some(each_index(shape).into_iter().map(place).collect())
}

/// Emits `base + number`.
pub(super) fn offset(b: &mut Builder, base: Value, number: i64) -> Value {
    if number == 0 {
        return base;
    }
    let number = b.index_constant(number);
    b.binary(arith::ADDI, base, number)
}

/// Emits `condition ? load base[place] : other`, without an access where the condition does not
/// hold.
pub(super) fn load_where(
    b: &mut Builder,
    condition: Option<Value>,
    base: Value,
    place: &[Value],
    other: Value,
) -> Value {
    let Some(condition) = condition else {
        return LoadOp::create(b, base, place);
    };
    let ty: Type = b.body.ty(other);
    let guard = scf::IfOp::create(b, condition, &[ty], true);
    let after = b.point();
    let then = guard.then_block(b.body);
    b.set(InsertPoint::End(then));
    let value = LoadOp::create(b, base, place);
    scf::yield_values(b, then, &[value]);
    if let Some(block) = guard.else_block(b.body) {
        scf::yield_values(b, block, &[other]);
    }
    b.set(after);
    b.body[guard.0].result(0)
}

/// Emits a store where the condition holds.
pub(super) fn store_where(
    b: &mut Builder,
    condition: Option<Value>,
    value: Value,
    base: Value,
    place: &[Value],
) {
    let Some(condition) = condition else {
        StoreOp::create(b, value, base, place);
        return;
    };
    let guard = scf::IfOp::create(b, condition, &[], false);
    let after = b.point();
    let then = guard.then_block(b.body);
    b.set(InsertPoint::End(then));
    StoreOp::create(b, value, base, place);
    scf::yield_values(b, then, &[]);
    b.set(after);
}
