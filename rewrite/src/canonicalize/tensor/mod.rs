//! `tensor`: makes constant sizes part of the type, merges casts, slices and
//! reshapes, and forwards `dim` to the source of a tensor.
//!
//! ```text
//! extract_slice %t[%c0] [%c4] [1]  ⇒  cast (extract_slice %t[0] [4] [1])
//! expand_shape (collapse_shape %t) ⇒  a collapse_shape or an expand_shape
//! empty(%c4) : tensor<?xf32>       ⇒  cast (empty() : tensor<4xf32>)
//! dim (forall shared_outs(%t)), 0  ⇒  dim %t, 0
//! ```

use gridloom_dialects::memref::Mixed;
use gridloom_dialects::{arith, bufferization, scf, tensor, vector};
use gridloom_ir::fold::FoldCx;
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{Context, OpId, Type, TypeKind, Value};

use super::build::make;
use crate::canonicalize::rules::Family;
use crate::rewriter::Rewriter;

mod cast;
mod concat;
mod element;
mod pad;
mod reshape;
mod slice;

pub(super) use cast::uncast;

/// Rewrites by root operation.
pub(super) const RULES: Family = &[
    (tensor::BITCAST, &[cast::bitcast]),
    (tensor::CAST, &[cast::cast]),
    (tensor::COLLAPSE_SHAPE, &[reshape::collapse]),
    (tensor::CONCAT, &[concat::simplify]),
    (tensor::DIM, &[dim]),
    (tensor::EMPTY, &[empty]),
    (tensor::EXPAND_SHAPE, &[reshape::expand]),
    (tensor::EXTRACT, &[element::extract]),
    (tensor::EXTRACT_SLICE, &[slice::extract]),
    (tensor::GENERATE, &[element::generate]),
    (tensor::INSERT, &[cast::uncast]),
    (tensor::INSERT_SLICE, &[slice::insert]),
    (tensor::PARALLEL_INSERT_SLICE, &[slice::insert]),
    (tensor::PAD, &[pad::simplify]),
    (tensor::RESHAPE, &[reshape::reshape]),
];

/// The shape of a ranked tensor type.
pub(super) fn shape(ctx: &Context, ty: Type) -> Option<&[i64]> {
    match ty.kind(ctx) {
        TypeKind::RankedTensor { shape, .. } => Some(shape),
        _ => None,
    }
}

/// The same tensor type with another shape.
pub(super) fn with_shape(ctx: &Context, ty: Type, extents: Vec<i64>) -> Option<Type> {
    let mut kind = ty.kind(ctx).clone();
    let TypeKind::RankedTensor { shape, .. } = &mut kind else {
        return None;
    };
    *shape = extents.into();
    Some(ctx.intern_type(kind))
}

/// Casts a tensor to `ty` before `anchor`, unless it has that type.
pub(super) fn as_type(rw: &mut Rewriter, anchor: OpId, value: Value, ty: Type) -> Value {
    if rw.body().ty(value) == ty {
        return value;
    }
    rw.make(anchor, tensor::CAST, &[value], ty)
}

/// The type with its constant dynamic sizes made static, and the size operands
/// that remain; `None` if none is constant.
pub(super) fn with_constants(cx: &FoldCx, ty: Type, sizes: &[Value]) -> Option<(Type, Vec<Value>)> {
    let sizes = Mixed::zip(shape(cx.ctx, ty)?, sizes);
    let number = |item: &Mixed| match *item {
        Mixed::Value(value) => match cx.int(value).filter(|&number| number >= 0) {
            Some(number) => Mixed::Constant(number),
            None => *item,
        },
        constant => constant,
    };
    let known: Vec<Mixed> = sizes.iter().map(number).collect();
    if known == sizes {
        return None;
    }
    let (extents, left) = Mixed::unzip(&known);
    Some((with_shape(cx.ctx, ty, extents)?, left))
}

/// `empty(%c4) : tensor<?xf32> ⇒ cast (empty() : tensor<4xf32>)`.
fn empty(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let cx = rw.look(op);
    let result = cx.result_type(0);
    let (ty, values) = with_constants(&cx, result, &cx.data().operands)?;
    let new = rw.make(op, tensor::EMPTY, &values, ty);
    let new = as_type(rw, op, new, result);
    rw.replace_op(op, &[new]);
    Some(())
}

/// `dim (cast %t) ⇒ dim %t`, `dim (insert_slice %s into %t) ⇒ dim %t`,
/// `dim (forall … shared_outs(%t)) ⇒ dim %t`: the operand with the same shape.
fn dim(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let cx = rw.look(op);
    let [source, index] = cx.operands()?;
    let body = rw.body();
    let maker = body.defining_op(source)?;
    let origin = match body[maker].name {
        scf::FORALL => {
            let number = body[maker].results().position(|result| result == source)?;
            *body[maker].operand_segment(rw.ctx, 3).get(number)?
        }
        tensor::CAST => *body[maker].operands.first()?,
        tensor::INSERT
        | tensor::INSERT_SLICE
        | vector::TRANSFER_WRITE
        | bufferization::MATERIALIZE_IN_DESTINATION => *body[maker].operands.get(1)?,
        tensor::RESHAPE => return dim_of_reshape(rw, op, maker, index),
        _ => return None,
    };
    let is_ranked = |value: Value| shape(rw.ctx, body.ty(value)).is_some();
    if !is_ranked(origin) || !is_ranked(source) {
        return None;
    }
    rw.set_operands(op, &[origin, index]);
    Some(())
}

/// `dim (reshape %t, %shape), %i ⇒ extract %shape[%i]`.
fn dim_of_reshape(rw: &mut Rewriter, op: OpId, maker: OpId, index: Value) -> Option<()> {
    let &sizes = rw.body()[maker].operands.get(1)?;
    let element = rw.body().ty(sizes).element(rw.ctx)?;
    let mut size = make(rw, op, tensor::EXTRACT, &[sizes, index], element, &[]);
    if !element.is_index(rw.ctx) {
        size = rw.make(op, arith::INDEX_CAST, &[size], rw.ctx.index_type());
    }
    rw.replace_op(op, &[size]);
    Some(())
}

/// Whether a cast from `from` to `to` only erases static extents.
pub(super) fn only_erases_extents(ctx: &Context, from: Type, to: Type) -> bool {
    let (Some(from), Some(to)) = (shape(ctx, from), shape(ctx, to)) else {
        return false;
    };
    let mut pairs = from.iter().zip(to);
    from.len() == to.len() && pairs.all(|(&from, &to)| to == DYNAMIC || from == to)
}
