//! Identities of integer arithmetic: sums, products, quotients, extrema. Constants fold by the
//! row's computation.

use smallvec::smallvec;

use gridloom_ir::body::Value;
use gridloom_ir::fold::computed::on_integers;
use gridloom_ir::fold::{Elements, FoldCx, FoldResult, Folded};
use gridloom_ir::op::OpName;
use gridloom_ir::scalar::{IntOp, mask};

use super::flags::{NO_UNSIGNED_WRAP, overflow_flags};

/// The operands of the binary operation `name` that defines `value`.
fn made_by(cx: &FoldCx, value: Value, name: OpName) -> Option<[Value; 2]> {
    cx.maker(value, name)?.operands[..].try_into().ok()
}

pub(super) fn fold_addi(cx: &FoldCx) -> Option<Folded> {
    let [lhs, rhs] = cx.operands()?;
    if cx.is_int(rhs, 0) {
        return cx.value(lhs);
    }
    if cx.is_int(lhs, 0) {
        return cx.value(rhs);
    }
    // (a - b) + b ⇒ a, b + (a - b) ⇒ a
    for (difference, other) in [(lhs, rhs), (rhs, lhs)] {
        if let Some([a, b]) = made_by(cx, difference, super::SUBI)
            && b == other
        {
            return cx.value(a);
        }
    }
    None
}

pub(super) fn fold_subi(cx: &FoldCx) -> Option<Folded> {
    let [lhs, rhs] = cx.operands()?;
    if lhs == rhs {
        return cx.splat(0);
    }
    if cx.is_int(rhs, 0) {
        return cx.value(lhs);
    }
    // (a + b) - b ⇒ a, (a + b) - a ⇒ b
    if let Some([a, b]) = made_by(cx, lhs, super::ADDI) {
        if b == rhs {
            return cx.value(a);
        }
        if a == rhs {
            return cx.value(b);
        }
    }
    None
}

pub(super) fn fold_muli(cx: &FoldCx) -> Option<Folded> {
    let [lhs, rhs] = cx.operands()?;
    for (value, factor) in [(lhs, rhs), (rhs, lhs)] {
        if cx.is_int(factor, 0) {
            return cx.splat(0);
        }
        if cx.is_int(factor, 1) {
            return cx.value(value);
        }
    }
    None
}

/// Folds a quotient: by 1, and of a product flagged `no_wrap` by one of its
/// factors.
fn fold_quotient(cx: &FoldCx, no_wrap: Option<u32>) -> Option<Folded> {
    let [lhs, rhs] = cx.operands()?;
    if cx.is_int(rhs, 1) {
        return cx.value(lhs);
    }
    if let Some(product) = cx.maker(lhs, super::MULI)
        && no_wrap.is_some_and(|flag| overflow_flags(cx.ctx, product) & flag != 0)
        && let [a, b] = product.operands[..]
    {
        if b == rhs {
            return cx.value(a);
        }
        if a == rhs {
            return cx.value(b);
        }
    }
    None
}

pub(super) fn fold_divui(cx: &FoldCx) -> Option<Folded> {
    fold_quotient(cx, Some(NO_UNSIGNED_WRAP))
}

pub(super) fn fold_divsi(cx: &FoldCx) -> Option<Folded> {
    fold_quotient(cx, Some(super::flags::NO_SIGNED_WRAP))
}

/// `x / 1 ⇒ x`
pub(super) fn fold_division(cx: &FoldCx) -> Option<Folded> {
    fold_quotient(cx, None)
}

/// `x % 1 ⇒ 0`
pub(super) fn fold_remainder(cx: &FoldCx) -> Option<Folded> {
    let [_, rhs] = cx.operands()?;
    cx.is_int(rhs, 1).then(|| cx.splat(0))?
}

/// Folds a minimum or maximum: `neutral` has no effect, `absorbing` determines
/// the result; both are functions of the width.
fn fold_extremum(cx: &FoldCx, neutral: fn(u8) -> u64, absorbing: fn(u8) -> u64) -> Option<Folded> {
    let [lhs, rhs] = cx.operands()?;
    if lhs == rhs {
        return cx.value(lhs);
    }
    let width = cx.int_width(cx.ty(lhs))?;
    for (value, bound) in [(lhs, rhs), (rhs, lhs)] {
        let bits = cx.constant(bound).and_then(|bound| bound.splat());
        if bits == Some(neutral(width)) {
            return cx.value(value);
        }
        if bits == Some(absorbing(width)) {
            return cx.value(bound);
        }
    }
    None
}

fn least_signed(width: u8) -> u64 {
    1 << (width - 1)
}

fn greatest_signed(width: u8) -> u64 {
    mask(u64::MAX, width) >> 1
}

fn greatest_unsigned(width: u8) -> u64 {
    mask(u64::MAX, width)
}

pub(super) fn fold_maxsi(cx: &FoldCx) -> Option<Folded> {
    fold_extremum(cx, least_signed, greatest_signed)
}

pub(super) fn fold_minsi(cx: &FoldCx) -> Option<Folded> {
    fold_extremum(cx, greatest_signed, least_signed)
}

pub(super) fn fold_maxui(cx: &FoldCx) -> Option<Folded> {
    fold_extremum(cx, |_| 0, greatest_unsigned)
}

pub(super) fn fold_minui(cx: &FoldCx) -> Option<Folded> {
    fold_extremum(cx, greatest_unsigned, |_| 0)
}

/// Folds an operation with two results on constants.
fn fold_pair(cx: &FoldCx, low: IntOp, high: IntOp) -> Option<Folded> {
    let results = [low, high].map(|op| on_integers(cx, op));
    let mut folded = Folded::new();
    for (index, elements) in results.into_iter().enumerate() {
        folded.push(elements?.into_result(cx.ctx, cx.result_type(index))?);
    }
    Some(folded)
}

/// Folds to a value and a second result of zeros.
fn with_zero(cx: &FoldCx, first: FoldResult) -> Option<Folded> {
    let zero = Elements::Splat(0).into_result(cx.ctx, cx.result_type(1))?;
    Some(smallvec![first, zero])
}

pub(super) fn fold_addui_extended(cx: &FoldCx) -> Option<Folded> {
    let [lhs, rhs] = cx.operands()?;
    for (value, other) in [(lhs, rhs), (rhs, lhs)] {
        if cx.is_int(other, 0) {
            return with_zero(cx, FoldResult::Value(value));
        }
    }
    fold_pair(cx, IntOp::Add, IntOp::CarryU)
}

/// Folds an extended product with 0 to two zeros.
fn fold_null_product(cx: &FoldCx) -> Option<Folded> {
    let [lhs, rhs] = cx.operands()?;
    if !cx.is_int(lhs, 0) && !cx.is_int(rhs, 0) {
        return None;
    }
    with_zero(
        cx,
        Elements::Splat(0).into_result(cx.ctx, cx.result_type(0))?,
    )
}

pub(super) fn fold_mulsi_extended(cx: &FoldCx) -> Option<Folded> {
    fold_null_product(cx).or_else(|| fold_pair(cx, IntOp::Mul, IntOp::MulHighS))
}

pub(super) fn fold_mului_extended(cx: &FoldCx) -> Option<Folded> {
    let [lhs, rhs] = cx.operands()?;
    for (value, factor) in [(lhs, rhs), (rhs, lhs)] {
        if cx.is_int(factor, 1) {
            return with_zero(cx, FoldResult::Value(value));
        }
    }
    fold_null_product(cx).or_else(|| fold_pair(cx, IntOp::Mul, IntOp::MulHighU))
}
