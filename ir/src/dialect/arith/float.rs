//! Folds of floating-point arithmetic.
//!
//! Constants fold unless the result is a NaN, since machines differ in NaN
//! bits. An identity with one unknown operand must be exact for every number
//! (`x + 0.0 ⇒ x` is not, for `x = -0.0`), unless the operation's flags allow
//! more.

use crate::body::Value;
use crate::fold::{Constant, Elements, FoldCx, Folded};
use crate::scalar::{FloatOp, FloatUnary, ScalarKind};

use super::flags::{NO_NANS, NO_SIGNED_ZEROS, fastmath_flags};

/// Folds a binary operation on constants, elementwise.
pub(crate) fn on_constants(cx: &FoldCx, op: FloatOp) -> Option<Elements> {
    let [lhs, rhs] = cx.operands()?;
    let (a, b) = (cx.constant(lhs)?, cx.constant(rhs)?);
    let kind = a.kind;
    a.zip(&b, |a, b| number(kind, op.eval(a, b, kind)))
}

/// Folds a unary operation on a constant, elementwise.
pub(crate) fn on_constant(cx: &FoldCx, op: FloatUnary) -> Option<Elements> {
    let [operand] = cx.operands()?;
    let constant = cx.constant(operand)?;
    let kind = constant.kind;
    // Negation and absolute value change only the sign bit, even of a NaN.
    let moves_bits = matches!(op, FloatUnary::Neg | FloatUnary::Abs);
    constant.map(|a| match op.eval(a, kind) {
        result if moves_bits => Some(result),
        result => number(kind, result),
    })
}

/// The bits, unless they are a NaN.
pub(crate) fn number(kind: ScalarKind, bits: u64) -> Option<u64> {
    (!kind.to_f64(bits).is_nan()).then_some(bits)
}

/// Folds a binary operation: on constants, or by `identity` for a constant and
/// any other operand.
fn fold_binary(
    cx: &FoldCx,
    op: FloatOp,
    identity: impl Fn(Side, Value, Constant) -> Option<Folded>,
) -> Option<Folded> {
    let [lhs, rhs] = cx.operands()?;
    match (cx.constant(lhs), cx.constant(rhs)) {
        (Some(_), Some(_)) => cx.elements(on_constants(cx, op)),
        (None, Some(constant)) => identity(Side::Right, lhs, constant),
        (Some(constant), None) => identity(Side::Left, rhs, constant),
        (None, None) => None,
    }
}

/// The side of the constant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// Whether a constant is a splat of this number; zeros differ by sign.
fn is(constant: &Constant, number: f64) -> bool {
    constant.splat() == Some(constant.kind.from_f64(number))
}

pub(super) fn fold_addf(cx: &FoldCx) -> Option<Folded> {
    fold_binary(cx, FloatOp::Add, |_, value, constant| {
        is(&constant, -0.0).then(|| cx.value(value))?
    })
}

pub(super) fn fold_subf(cx: &FoldCx) -> Option<Folded> {
    fold_binary(cx, FloatOp::Sub, |side, value, constant| {
        (side == Side::Right && is(&constant, 0.0)).then(|| cx.value(value))?
    })
}

pub(super) fn fold_mulf(cx: &FoldCx) -> Option<Folded> {
    fold_binary(cx, FloatOp::Mul, |_, value, constant| {
        if is(&constant, 1.0) {
            return cx.value(value);
        }
        // `inf * 0` is a NaN and `-1 * 0` is -0: the flags exclude both.
        let flags = NO_NANS | NO_SIGNED_ZEROS;
        let is_zero = is(&constant, 0.0) || is(&constant, -0.0);
        (is_zero && fastmath_flags(cx.ctx, cx.data()) & flags == flags)
            .then(|| cx.elements(Some(constant.elements())))?
    })
}

pub(super) fn fold_divf(cx: &FoldCx) -> Option<Folded> {
    fold_binary(cx, FloatOp::Div, |side, value, constant| {
        (side == Side::Right && is(&constant, 1.0)).then(|| cx.value(value))?
    })
}

pub(super) fn fold_remf(cx: &FoldCx) -> Option<Folded> {
    fold_binary(cx, FloatOp::Rem, |_, _, _| None)
}

/// Folds a minimum or maximum; `neutral` recognises the constant that has no
/// effect.
fn fold_extremum(cx: &FoldCx, op: FloatOp, neutral: impl Fn(&Constant) -> bool) -> Option<Folded> {
    let [lhs, rhs] = cx.operands()?;
    if lhs == rhs && cx.constant(lhs).is_none() {
        return cx.value(lhs);
    }
    fold_binary(cx, op, |_, value, constant| {
        neutral(&constant).then(|| cx.value(value))?
    })
}

/// Whether a constant is a splat of a NaN.
fn is_nan(constant: &Constant) -> bool {
    let bits = constant.splat();
    bits.is_some_and(|bits| constant.kind.to_f64(bits).is_nan())
}

pub(super) fn fold_maximumf(cx: &FoldCx) -> Option<Folded> {
    fold_extremum(cx, FloatOp::Maximum, |c| is(c, f64::NEG_INFINITY))
}

pub(super) fn fold_minimumf(cx: &FoldCx) -> Option<Folded> {
    fold_extremum(cx, FloatOp::Minimum, |c| is(c, f64::INFINITY))
}

pub(super) fn fold_maxnumf(cx: &FoldCx) -> Option<Folded> {
    fold_extremum(cx, FloatOp::MaxNum, is_nan)
}

pub(super) fn fold_minnumf(cx: &FoldCx) -> Option<Folded> {
    fold_extremum(cx, FloatOp::MinNum, is_nan)
}

pub(super) fn fold_negf(cx: &FoldCx) -> Option<Folded> {
    let [operand] = cx.operands()?;
    if let Some(inner) = cx.maker(operand, super::NEGF) {
        return cx.value(*inner.operands.first()?);
    }
    cx.elements(on_constant(cx, FloatUnary::Neg))
}
