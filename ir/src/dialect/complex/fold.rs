//! What operations on complex numbers fold to, where no part is rounded.

use crate::attr::{Attr, AttrKind};
use crate::body::Value;
use crate::fold::{FoldCx, Folded};
use crate::op::OpName;
use crate::text::float::decode;

/// The number that `value` is made of by an operation of this name.
fn made_of(cx: &FoldCx, value: Value, name: OpName) -> Option<Value> {
    match cx.maker(value, name)?.operands[..] {
        [operand] => Some(operand),
        _ => None,
    }
}

/// An operation that undoes itself.
fn twice(cx: &FoldCx) -> Option<Folded> {
    let [number] = cx.operands()?;
    cx.value(made_of(cx, number, cx.data().name)?)
}

pub(super) fn fold_neg(cx: &FoldCx) -> Option<Folded> {
    twice(cx)
}

pub(super) fn fold_conj(cx: &FoldCx) -> Option<Folded> {
    twice(cx)
}

/// A part of a number whose parts are known.
fn part(cx: &FoldCx, index: usize) -> Option<Folded> {
    let [number] = cx.operands()?;
    if let Some(maker) = cx.maker(number, super::CREATE) {
        return cx.value(*maker.operands.get(index)?);
    }
    let parts = cx.constant_attr(number)?.as_array(cx.ctx)?;
    cx.attr(*parts.get(index)?)
}

pub(super) fn fold_re(cx: &FoldCx) -> Option<Folded> {
    part(cx, 0)
}

pub(super) fn fold_im(cx: &FoldCx) -> Option<Folded> {
    part(cx, 1)
}

/// Both parts of a number are that number.
pub(super) fn fold_create(cx: &FoldCx) -> Option<Folded> {
    let [real, imaginary] = cx.operands()?;
    let number = made_of(cx, real, super::RE)?;
    let same = made_of(cx, imaginary, super::IM)? == number;
    (same && cx.ty(number) == cx.result_type(0)).then(|| cx.value(number))?
}

/// A sum or difference with nothing, of the sign that keeps that of any zero.
fn with_nothing(cx: &FoldCx, nothing: f64) -> Option<Folded> {
    let [lhs, rhs] = cx.operands()?;
    let parts = cx.constant_attr(rhs)?.as_array(cx.ctx)?;
    let is_nothing = |part: &Attr| match part.kind(cx.ctx) {
        AttrKind::Float { ty, bits } => ty
            .float_kind(cx.ctx)
            .and_then(|kind| decode(kind, *bits))
            .is_some_and(|number| number.to_bits() == nothing.to_bits()),
        _ => false,
    };
    parts.iter().all(is_nothing).then(|| cx.value(lhs))?
}

pub(super) fn fold_add(cx: &FoldCx) -> Option<Folded> {
    with_nothing(cx, -0.0)
}

pub(super) fn fold_sub(cx: &FoldCx) -> Option<Folded> {
    with_nothing(cx, 0.0)
}

/// The bits of what has the same type, at once or by way of another.
pub(super) fn fold_bitcast(cx: &FoldCx) -> Option<Folded> {
    let [operand] = cx.operands()?;
    let ty = cx.result_type(0);
    if cx.ty(operand) == ty {
        return cx.value(operand);
    }
    let first = made_of(cx, operand, super::BITCAST)?;
    (cx.ty(first) == ty).then(|| cx.value(first))?
}
