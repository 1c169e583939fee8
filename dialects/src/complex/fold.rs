//! Folds of complex operations that round nothing.

use gridloom_ir::attr::{Attr, AttrKind};
use gridloom_ir::body::Value;
use gridloom_ir::fold::{FoldCx, Folded};
use gridloom_ir::op::OpName;
use gridloom_ir::scalar::decode_float;

/// The operand of the unary operation `name` that defines `value`.
fn made_of(cx: &FoldCx, value: Value, name: OpName) -> Option<Value> {
    match cx.maker(value, name)?.operands[..] {
        [operand] => Some(operand),
        _ => None,
    }
}

/// `f(f(z)) ⇒ z` for an involution `f`.
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

/// Folds the real or imaginary part of `create` or of a constant.
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

/// `create(re(z), im(z)) ⇒ z`.
pub(super) fn fold_create(cx: &FoldCx) -> Option<Folded> {
    let [real, imaginary] = cx.operands()?;
    let number = made_of(cx, real, super::RE)?;
    let same = made_of(cx, imaginary, super::IM)? == number;
    (same && cx.ty(number) == cx.result_type(0)).then(|| cx.value(number))?
}

/// `z + c ⇒ z` or `z - c ⇒ z` where both parts of `c` are the zero that keeps
/// every sign.
fn fold_neutral_operand(cx: &FoldCx, neutral: f64) -> Option<Folded> {
    let [lhs, rhs] = cx.operands()?;
    let parts = cx.constant_attr(rhs)?.as_array(cx.ctx)?;
    let is_neutral = |part: &Attr| match part.kind(cx.ctx) {
        AttrKind::Float { ty, bits } => ty
            .float_kind(cx.ctx)
            .and_then(|kind| decode_float(kind, *bits))
            .is_some_and(|number| number.to_bits() == neutral.to_bits()),
        _ => false,
    };
    parts.iter().all(is_neutral).then(|| cx.value(lhs))?
}

pub(super) fn fold_add(cx: &FoldCx) -> Option<Folded> {
    fold_neutral_operand(cx, -0.0)
}

pub(super) fn fold_sub(cx: &FoldCx) -> Option<Folded> {
    fold_neutral_operand(cx, 0.0)
}

/// Folds a bitcast to its own type, or a chain of two back to the original
/// type.
pub(super) fn fold_bitcast(cx: &FoldCx) -> Option<Folded> {
    let [operand] = cx.operands()?;
    let ty = cx.result_type(0);
    if cx.ty(operand) == ty {
        return cx.value(operand);
    }
    let first = made_of(cx, operand, super::BITCAST)?;
    (cx.ty(first) == ty).then(|| cx.value(first))?
}
