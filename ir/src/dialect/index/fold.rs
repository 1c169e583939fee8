//! What arithmetic on `index` folds to. An `index` has 64 bits here, but may
//! have 32 on a target: a constant stands for a result only if both widths
//! agree on it.

use crate::attr::AttrKind;
use crate::fold::{Constant, FoldCx, Folded};
use crate::scalar::{IntOp, IntPredicate, ScalarKind, mask, sext};

use super::PREDICATES;

/// The bits of two constants.
fn constants(cx: &FoldCx) -> Option<(u64, u64)> {
    let [lhs, rhs] = cx.operands()?;
    Some((cx.int(lhs)? as u64, cx.int(rhs)? as u64))
}

/// The result that both widths agree on.
fn on_constants(cx: &FoldCx, op: IntOp) -> Option<Folded> {
    let (a, b) = constants(cx)?;
    let wide = eval(op, a, b, 64)?;
    let narrow = eval(op, mask(a, 32), mask(b, 32), 32)?;
    (mask(wide, 32) == narrow).then(|| cx.splat(wide))?
}

/// The value where it is defined.
fn eval(op: IntOp, a: u64, b: u64, width: u8) -> Option<u64> {
    let is_defined = match op {
        // A shift by 32 or more is none for a narrow index.
        IntOp::Shl | IntOp::ShrS | IntOp::ShrU => b < 32,
        IntOp::DivS | IntOp::CeilDivS | IntOp::FloorDivS | IntOp::RemS => {
            sext(b, width) != -1 || sext(a, width) != sext(1 << (width - 1), width)
        }
        _ => true,
    };
    op.eval(a, b, width).ok().filter(|_| is_defined)
}

/// An operation that nothing is known of but its constants.
pub(super) fn plain(cx: &FoldCx, op: IntOp) -> Option<Folded> {
    on_constants(cx, op)
}

/// An operation to which one number is neutral on the right.
pub(super) fn with_neutral(cx: &FoldCx, op: IntOp, neutral: i64) -> Option<Folded> {
    let [lhs, rhs] = cx.operands()?;
    match cx.is_int(rhs, neutral) {
        true => cx.value(lhs),
        false => on_constants(cx, op),
    }
}

/// An operation that gives one number whenever it meets that number, and the
/// other operand when it meets `neutral`.
pub(super) fn with_absorbing(
    cx: &FoldCx,
    op: IntOp,
    neutral: i64,
    absorbing: i64,
) -> Option<Folded> {
    let [_, rhs] = cx.operands()?;
    match cx.is_int(rhs, absorbing) {
        true => cx.splat(absorbing as u64),
        false => with_neutral(cx, op, neutral),
    }
}

/// `index.casts` and `index.castu`: to `index` with all 64 bits, from it if
/// both widths give the same integer.
pub(super) fn cast(cx: &FoldCx, signed: bool) -> Option<Folded> {
    let [input] = cx.operands()?;
    let constant: Constant = cx.constant(input)?;
    let ScalarKind::Int(from) = constant.kind else {
        return None;
    };
    let bits = constant.splat()?;
    let extended = |bits: u64, width: u8| match signed {
        true => sext(mask(bits, width), width) as u64,
        false => mask(bits, width),
    };
    if cx.result_type(0).is_index(cx.ctx) {
        return cx.splat(extended(bits, from));
    }
    let to = cx.int_width(cx.result_type(0))?;
    let [wide, narrow] = [64, 32].map(|width| mask(extended(bits, width), to));
    (wide == narrow).then(|| cx.splat(wide))?
}

/// `index.cmp`
pub(super) fn compare(cx: &FoldCx) -> Option<Folded> {
    let [lhs, rhs] = cx.operands()?;
    let predicate = predicate(cx)?;
    if lhs == rhs {
        return cx.splat(predicate.eval(0, 0, 64).into());
    }
    let (a, b) = constants(cx)?;
    let wide = predicate.eval(a, b, 64);
    let narrow = predicate.eval(mask(a, 32), mask(b, 32), 32);
    (wide == narrow).then(|| cx.splat(wide.into()))?
}

/// The predicates are named as those of `arith.cmpi`, and numbered alike.
fn predicate(cx: &FoldCx) -> Option<IntPredicate> {
    let AttrKind::Dialect { body, .. } = cx.data().attr(cx.ctx, "pred")?.kind(cx.ctx) else {
        return None;
    };
    let word = cx
        .ctx
        .str(*body)
        .trim_end_matches('>')
        .rsplit([' ', '<'])
        .next()?;
    let case = PREDICATES.cases.iter().find(|case| case.0 == word)?;
    IntPredicate::from_number(case.1)
}
