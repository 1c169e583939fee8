//! `vector`: merges chains of operations that only move elements, removes known
//! masks, and marks transfers that are in bounds.
//!
//! ```text
//! extract (broadcast %x)[1]           ⇒  %x
//! extract (extract %v[1])[2]          ⇒  extract %v[1, 2]
//! maskedload … all true …             ⇒  load
//! reduction <add>, %v : vector<1xf32> ⇒  extract %v[0]
//! ```

mod chain;
mod contraction;
mod extract;
mod insert;
mod mask;
mod memory;
mod position;
mod reduction;
mod shape;
mod shuffle;
mod slice;
mod swap_slice;
mod transfer;

use gridloom_dialects::tensor;
use gridloom_dialects::vector::{self, VectorShape};
use gridloom_ir::{OpId, Type, Value};

use super::memory::look_through_cast;
use crate::canonicalize::rules::Family;
use crate::rewriter::Rewriter;

/// Rewrites by root operation.
pub(super) const RULES: Family = &[
    (vector::BITCAST, &[shape::bitcast]),
    (vector::BROADCAST, &[shape::broadcast]),
    (vector::COMPRESSSTORE, &[memory::simplify]),
    (vector::CREATE_MASK, &[mask::create_mask]),
    (vector::EXPANDLOAD, &[memory::simplify]),
    (vector::EXTRACT, &[extract::simplify]),
    (vector::EXTRACT_STRIDED_SLICE, &[slice::extract]),
    (vector::FROM_ELEMENTS, &[insert::from_elements]),
    (vector::GATHER, &[memory::simplify]),
    (vector::INSERT, &[insert::simplify]),
    (vector::INSERT_STRIDED_SLICE, &[slice::insert]),
    (vector::LOAD, &[|rw, op| look_through_cast(rw, op, 0)]),
    (vector::MASK, &[mask::simplify]),
    (vector::MASKEDLOAD, &[memory::simplify]),
    (vector::MASKEDSTORE, &[memory::simplify]),
    (vector::MULTI_REDUCTION, &[reduction::simplify_multi]),
    (vector::REDUCTION, &[reduction::simplify]),
    (vector::SCATTER, &[memory::simplify]),
    (vector::SHAPE_CAST, &[shape::shape_cast]),
    (vector::SHUFFLE, &[shuffle::simplify]),
    (vector::STORE, &[|rw, op| look_through_cast(rw, op, 1)]),
    (vector::TO_ELEMENTS, &[insert::to_elements]),
    (vector::TRANSFER_READ, &[transfer::simplify]),
    (vector::TRANSFER_WRITE, &[transfer::simplify]),
    (vector::TRANSPOSE, &[shape::transpose]),
    (tensor::INSERT_SLICE, &[swap_slice::insert_slice]),
];

pub(super) use contraction::add_to_contraction;
pub(super) use mask::compare_step;

/// Shape and element of a vector value; `None` for any other value.
fn vector_of<'a>(rw: &Rewriter<'a>, value: Value) -> Option<VectorShape<'a>> {
    VectorShape::of(rw.ctx, rw.body().ty(value))
}

/// The shape of a vector type; empty for a scalar.
fn extents<'a>(rw: &Rewriter<'a>, ty: Type) -> &'a [i64] {
    VectorShape::of(rw.ctx, ty).map_or(&[], |vector| vector.shape)
}

fn is_scalable(rw: &Rewriter, ty: Type) -> bool {
    VectorShape::of(rw.ctx, ty).is_some_and(|vector| vector.is_scalable())
}

fn count(shape: &[i64]) -> i64 {
    shape
        .iter()
        .fold(1, |count: i64, &extent| count.saturating_mul(extent))
}

/// The scalar that a broadcast repeats.
fn splatted(rw: &Rewriter, op: OpId, value: Value) -> Option<Value> {
    let maker = rw.look(op).maker(value, vector::BROADCAST)?;
    let source = *maker.operands.first()?;
    vector_of(rw, source).is_none().then_some(source)
}
