//! Merges broadcasts, shape casts, transpositions and bitcasts.
//!
//! ```text
//! broadcast (broadcast %x)            ⇒  broadcast %x
//! shape_cast (shape_cast %v)          ⇒  shape_cast %v
//! transpose (transpose %v, p), q      ⇒  transpose %v, p∘q
//! transpose (broadcast %x)            ⇒  broadcast %x
//! ```

use gridloom_dialects::{inherent, vector};
use gridloom_ir::{OpId, OpName, Value};

use super::super::build::remake;
use super::mask::constant_mask;
use super::{count, extents, is_scalable, vector_of};
use crate::rewriter::Rewriter;

/// The operation that defines the only operand: its id, name and first operand.
fn origin(rw: &Rewriter, op: OpId) -> Option<(OpId, OpName, Option<Value>)> {
    let [operand] = rw.look(op).operands()?;
    let maker = rw.body().defining_op(operand)?;
    let data = &rw.body()[maker];
    Some((maker, data.name, data.operands.first().copied()))
}

/// `broadcast (broadcast %x) ⇒ broadcast %x`.
pub(super) fn broadcast(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let (_, vector::BROADCAST, Some(source)) = origin(rw, op)? else {
        return None;
    };
    rw.set_operands(op, &[source]);
    Some(())
}

/// `bitcast (bitcast %v) ⇒ bitcast %v`.
pub(super) fn bitcast(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let (_, vector::BITCAST, Some(source)) = origin(rw, op)? else {
        return None;
    };
    rw.set_operands(op, &[source]);
    Some(())
}

/// `shape_cast (shape_cast %v) ⇒ shape_cast %v`, `shape_cast (broadcast %x) ⇒ broadcast %x`,
/// `shape_cast (transpose %v) ⇒ shape_cast %v` where that keeps the order of elements.
pub(super) fn shape_cast(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let (maker, name, source) = origin(rw, op)?;
    match (name, source) {
        (vector::SHAPE_CAST, Some(source)) => {
            rw.set_operands(op, &[source]);
            Some(())
        }
        (vector::BROADCAST, Some(source)) => cast_broadcast(rw, op, maker, source),
        (vector::TRANSPOSE, Some(source)) => {
            if !keeps_order(rw, maker) {
                return None;
            }
            give_shape(rw, op, source)
        }
        (vector::CREATE_MASK | vector::CONSTANT_MASK, _) => cast_mask(rw, op, maker),
        _ => None,
    }
}

/// A `shape_cast` of `source` to the type of `op`, or `source` if it has that
/// type.
fn give_shape(rw: &mut Rewriter, op: OpId, source: Value) -> Option<()> {
    if rw.body().ty(source) == rw.body().ty(rw.body()[op].result(0)) {
        rw.replace_op(op, &[source]);
        return Some(());
    }
    remake(rw, op, vector::SHAPE_CAST, &[source], &[])
}

/// Whether a transposition moves only unit dimensions, so that the row-major
/// order stays.
fn keeps_order(rw: &Rewriter, op: OpId) -> bool {
    let data = &rw.body()[op];
    let (Some(permutation), Some(&source)) = (
        data.get(rw.ctx, inherent::TRANSPOSITION),
        data.operands.first(),
    ) else {
        return false;
    };
    let Some(vector) = vector_of(rw, source) else {
        return false;
    };
    let matters = |dim: &&i64| vector.shape[**dim as usize] != 1 || vector.scalable[**dim as usize];
    permutation.iter().filter(matters).is_sorted()
}

/// `shape_cast (broadcast %v) ⇒ broadcast %v` if the elements repeat as a
/// whole.
fn cast_broadcast(rw: &mut Rewriter, op: OpId, maker: OpId, source: Value) -> Option<()> {
    let result = rw.body().ty(rw.body()[op].result(0));
    let Some(vector) = vector_of(rw, source) else {
        return remake(rw, op, vector::BROADCAST, &[source], &[]);
    };
    if vector.is_scalable() || is_scalable(rw, result) {
        return None;
    }
    let (shape, after) = (vector.shape, extents(rw, result));
    if count(shape) == count(after) {
        return give_shape(rw, op, source);
    }
    let between = extents(rw, rw.body().ty(rw.body()[maker].result(0)));
    // A stretched dimension would repeat each element by itself.
    (between.ends_with(shape) && after.ends_with(shape))
        .then(|| remake(rw, op, vector::BROADCAST, &[source], &[]))?
}

/// `shape_cast (create_mask %n, 1 : vector<4x1xi1>) ⇒ create_mask %n : vector<4xi1>`: a trailing
/// unit dimension that is set goes.
fn cast_mask(rw: &mut Rewriter, op: OpId, maker: OpId) -> Option<()> {
    let [before, after] = [maker, op].map(|op| vector_of(rw, rw.body()[op].result(0)));
    let (before, after) = (before?, after?);
    let (&last, outer) = before.shape.split_last()?;
    let dim = outer.len();
    let dropped = last == 1 && !before.scalable[dim] && after.shape == outer;
    if !dropped || after.scalable != &before.scalable[..dim] || outer.is_empty() {
        return None;
    }
    if rw.body()[maker].name == vector::CREATE_MASK {
        let sizes = rw.body()[maker].operands.to_vec();
        let (&last, sizes) = sizes.split_last()?;
        if rw.look(op).int(last)? < 1 {
            return None;
        }
        return remake(rw, op, vector::CREATE_MASK, sizes, &[]);
    }
    let sizes = rw.body()[maker].get(rw.ctx, inherent::MASK_DIM_SIZES)?;
    let (&last, sizes) = sizes.split_last()?;
    if last != 1 {
        return None;
    }
    constant_mask(rw, op, sizes.to_vec())
}

/// `transpose (transpose %v) ⇒ transpose %v`, `transpose (broadcast %x) ⇒ broadcast %x`,
/// `transpose (shape_cast %v) ⇒ shape_cast %v` where the order of elements stays,
/// `transpose (create_mask %m, %n) ⇒ create_mask %n, %m`.
pub(super) fn transpose(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let (maker, name, source) = origin(rw, op)?;
    let permutation = rw.body()[op].get(rw.ctx, inherent::TRANSPOSITION)?;
    let permutation: Vec<usize> = permutation.iter().map(|&dim| dim as usize).collect();
    match (name, source) {
        (vector::TRANSPOSE, Some(source)) => {
            let first = rw.body()[maker].get(rw.ctx, inherent::TRANSPOSITION)?;
            let both: Vec<i64> = permutation.iter().map(|&dim| first[dim]).collect();
            let both = rw.ctx.i64_array_attr(&both);
            rw.set_property(op, inherent::TRANSPOSITION, both);
            rw.set_operands(op, &[source]);
            Some(())
        }
        (vector::BROADCAST, Some(source)) => copies_alike(rw, source, &permutation)
            .then(|| remake(rw, op, vector::BROADCAST, &[source], &[]))?,
        (vector::SHAPE_CAST, Some(source)) => {
            keeps_order(rw, op).then(|| give_shape(rw, op, source))?
        }
        (vector::CREATE_MASK, _) => {
            let sizes = rw.body()[maker].operands.to_vec();
            let sizes: Vec<Value> = permutation.iter().map(|&dim| sizes[dim]).collect();
            remake(rw, op, vector::CREATE_MASK, &sizes, &[])
        }
        (vector::CONSTANT_MASK, _) => {
            let sizes = rw.body()[maker].get(rw.ctx, inherent::MASK_DIM_SIZES)?;
            let sizes = permutation.iter().map(|&dim| sizes[dim]).collect();
            constant_mask(rw, op, sizes)
        }
        (vector::FROM_ELEMENTS, _) => transpose_elements(rw, op, maker, &permutation),
        _ => None,
    }
}

/// Whether broadcasting `source` gives the same vector before and after a
/// permutation: every dimension that is not a unit one in `source` stays in
/// place.
fn copies_alike(rw: &Rewriter, source: Value, permutation: &[usize]) -> bool {
    let Some(vector) = vector_of(rw, source) else {
        return true;
    };
    let new = permutation.len() - vector.rank();
    let matters = |dim: usize| {
        let inner = dim.checked_sub(new)?;
        (vector.shape[inner] != 1 || vector.scalable[inner]).then_some(inner)
    };
    // As in mlir-opt: unit dimensions may move only between the same non-unit
    // ones.
    let group = |dim: usize| (0..dim).filter(|&dim| matters(dim).is_some()).count();
    (0..permutation.len()).all(|dim| {
        let from = permutation[dim];
        matters(from) == matters(dim) && group(from) == group(dim)
    })
}

fn transpose_elements(
    rw: &mut Rewriter,
    op: OpId,
    maker: OpId,
    permutation: &[usize],
) -> Option<()> {
    let elements = rw.body()[maker].operands.to_vec();
    let before = extents(rw, rw.body().ty(rw.body()[maker].result(0)));
    let after = extents(rw, rw.body().ty(rw.body()[op].result(0)));
    let strides: Vec<usize> = (0..before.len())
        .map(|dim| count(&before[dim + 1..]) as usize)
        .collect();
    let element = |mut number: usize| {
        let mut from = 0;
        for (&extent, &dim) in after.iter().zip(permutation).rev() {
            from += number % extent as usize * strides[dim];
            number /= extent as usize;
        }
        elements.get(from).copied()
    };
    let moved: Option<Vec<Value>> = (0..elements.len()).map(element).collect();
    remake(rw, op, vector::FROM_ELEMENTS, &moved?, &[])
}
