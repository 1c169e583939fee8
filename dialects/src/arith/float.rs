//! Identities of floating-point arithmetic. Constants fold by the row's computation.
//!
//! An identity with one unknown operand must be exact for every number (`x + 0.0 ⇒ x` is not, for
//! `x = -0.0`), unless the operation's flags allow more.

use gridloom_ir::body::Value;
use gridloom_ir::fold::{Constant, FoldCx, Folded};

use super::flags::{NO_NANS, NO_SIGNED_ZEROS, fastmath_flags};

/// Folds a binary operation of one constant and any other operand by `identity`.
fn fold_binary(
    cx: &FoldCx,
    identity: impl Fn(Side, Value, Constant) -> Option<Folded>,
) -> Option<Folded> {
    let [lhs, rhs] = cx.operands()?;
    match (cx.constant(lhs), cx.constant(rhs)) {
        (None, Some(constant)) => identity(Side::Right, lhs, constant),
        (Some(constant), None) => identity(Side::Left, rhs, constant),
        _ => None,
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
    fold_binary(cx, |_, value, constant| {
        is(&constant, -0.0).then(|| cx.value(value))?
    })
}

pub(super) fn fold_subf(cx: &FoldCx) -> Option<Folded> {
    fold_binary(cx, |side, value, constant| {
        (side == Side::Right && is(&constant, 0.0)).then(|| cx.value(value))?
    })
}

pub(super) fn fold_mulf(cx: &FoldCx) -> Option<Folded> {
    fold_binary(cx, |_, value, constant| {
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
    fold_binary(cx, |side, value, constant| {
        (side == Side::Right && is(&constant, 1.0)).then(|| cx.value(value))?
    })
}

/// Folds a minimum or maximum; `neutral` recognises the constant that has no
/// effect.
fn fold_extremum(cx: &FoldCx, neutral: impl Fn(&Constant) -> bool) -> Option<Folded> {
    let [lhs, rhs] = cx.operands()?;
    if lhs == rhs && cx.constant(lhs).is_none() {
        return cx.value(lhs);
    }
    fold_binary(cx, |_, value, constant| {
        neutral(&constant).then(|| cx.value(value))?
    })
}

/// Whether a constant is a splat of a NaN.
fn is_nan(constant: &Constant) -> bool {
    let bits = constant.splat();
    bits.is_some_and(|bits| constant.kind.to_f64(bits).is_nan())
}

pub(super) fn fold_maximumf(cx: &FoldCx) -> Option<Folded> {
    fold_extremum(cx, |c| is(c, f64::NEG_INFINITY))
}

pub(super) fn fold_minimumf(cx: &FoldCx) -> Option<Folded> {
    fold_extremum(cx, |c| is(c, f64::INFINITY))
}

pub(super) fn fold_maxnumf(cx: &FoldCx) -> Option<Folded> {
    fold_extremum(cx, is_nan)
}

pub(super) fn fold_minnumf(cx: &FoldCx) -> Option<Folded> {
    fold_extremum(cx, is_nan)
}

pub(super) fn fold_negf(cx: &FoldCx) -> Option<Folded> {
    let [operand] = cx.operands()?;
    let inner = cx.maker(operand, super::NEGF)?;
    cx.value(*inner.operands.first()?)
}
