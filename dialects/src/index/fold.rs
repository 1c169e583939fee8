//! Identities and comparisons of `index`. It has 64 bits here, but 32 on some targets: a result
//! folds only if both widths agree on it.

use gridloom_ir::attr::AttrKind;
use gridloom_ir::body::{OpData, Value};
use gridloom_ir::context::Context;
use gridloom_ir::fold::{FoldCx, Folded};
use gridloom_ir::scalar::{IntPredicate, mask};

use super::PREDICATES;

/// The values of two constant operands.
fn constants(cx: &FoldCx) -> Option<(u64, u64)> {
    let [lhs, rhs] = cx.operands()?;
    Some((cx.int(lhs)? as u64, cx.int(rhs)? as u64))
}

/// Folds an operation with a right neutral element.
pub(super) fn with_neutral(cx: &FoldCx, neutral: i64) -> Option<Folded> {
    let [lhs, rhs] = cx.operands()?;
    cx.is_int(rhs, neutral).then(|| cx.value(lhs))?
}

/// Folds a commutative operation with a neutral and an absorbing element.
pub(super) fn with_absorbing(cx: &FoldCx, neutral: i64, absorbing: i64) -> Option<Folded> {
    let [_, rhs] = cx.operands()?;
    match cx.is_int(rhs, absorbing) {
        true => cx.splat(absorbing as u64),
        false => with_neutral(cx, neutral),
    }
}

/// `index.cmp`
pub(super) fn compare(cx: &FoldCx) -> Option<Folded> {
    let [lhs, rhs] = cx.operands()?;
    let predicate = predicate(cx.ctx, cx.data())?;
    if lhs == rhs {
        return cx.splat(predicate.eval(0, 0, 64).into());
    }
    let Some((a, b)) = constants(cx) else {
        return compare_bounded(cx, predicate, lhs, cx.int(rhs)? as u64);
    };
    let wide = predicate.eval(a, b, 64);
    let narrow = predicate.eval(mask(a, 32), mask(b, 32), 32);
    (wide == narrow).then(|| cx.splat(wide.into()))?
}

/// Folds a comparison of `min(x, c)` or `max(x, c)` with a constant that the
/// bound decides for both widths.
fn compare_bounded(cx: &FoldCx, predicate: IntPredicate, lhs: Value, rhs: u64) -> Option<Folded> {
    let maker = &cx.body[cx.body.defining_op(lhs)?];
    let &[_, bound] = &maker.operands[..] else {
        return None;
    };
    let bound = cx.int(bound)? as u64;
    let decide = |width: u8| {
        let (bound, rhs) = (mask(bound, width), mask(rhs, width));
        let (least, greatest) = (1 << (width - 1), mask(u64::MAX >> 1, width - 1));
        // The range of values, in the order of the operation's signedness.
        let (from, to, signed) = match maker.name {
            super::MINS => (least, bound, true),
            super::MAXS => (bound, greatest, true),
            super::MINU => (0, bound, false),
            super::MAXU => (bound, mask(u64::MAX, width), false),
            _ => return None,
        };
        predicate.decide([from, to], rhs, signed, width)
    };
    let holds = decide(64)?;
    (decide(32)? == holds).then(|| cx.splat(holds.into()))?
}

/// The predicate of an `index.cmp`; names and numbers are those of
/// `arith.cmpi`.
pub fn predicate(ctx: &Context, data: &OpData) -> Option<IntPredicate> {
    let AttrKind::Dialect { body, .. } = data.attr(ctx, "pred")?.kind(ctx) else {
        return None;
    };
    let word = ctx
        .str(*body)
        .trim_end_matches('>')
        .rsplit([' ', '<'])
        .next()?;
    let case = PREDICATES.cases.iter().find(|case| case.0 == word)?;
    IntPredicate::from_number(case.1)
}
