//! Identities of bitwise operations and shifts. Constants fold by the row's computation.

use gridloom_ir::body::Value;
use gridloom_ir::fold::{FoldCx, Folded};
use gridloom_ir::op::OpName;

/// Whether `value` is the bitwise complement of `of`.
fn is_complement(cx: &FoldCx, value: Value, of: Value) -> bool {
    let xor = cx.maker(value, super::XORI);
    xor.is_some_and(|xor| match xor.operands[..] {
        [a, b] => a == of && cx.is_int(b, -1) || b == of && cx.is_int(a, -1),
        _ => false,
    })
}

/// Whether the operation `name` defines `value` with `part` as an operand.
fn has_part(cx: &FoldCx, value: Value, name: OpName, part: Value) -> bool {
    cx.maker(value, name)
        .is_some_and(|maker| maker.operands.contains(&part))
}

pub(super) fn fold_andi(cx: &FoldCx) -> Option<Folded> {
    let [lhs, rhs] = cx.operands()?;
    if lhs == rhs {
        return cx.value(lhs);
    }
    for (value, other) in [(lhs, rhs), (rhs, lhs)] {
        if cx.is_int(other, 0) || is_complement(cx, other, value) {
            return cx.splat(0);
        }
        if cx.is_int(other, -1) {
            return cx.value(value);
        }
        // a & (a & b) ⇒ a & b
        if has_part(cx, other, super::ANDI, value) {
            return cx.value(other);
        }
    }
    None
}

pub(super) fn fold_ori(cx: &FoldCx) -> Option<Folded> {
    let [lhs, rhs] = cx.operands()?;
    if lhs == rhs {
        return cx.value(lhs);
    }
    for (value, other) in [(lhs, rhs), (rhs, lhs)] {
        if cx.is_int(other, 0) {
            return cx.value(value);
        }
        if cx.is_int(other, -1) || is_complement(cx, other, value) {
            return cx.splat(gridloom_ir::scalar::mask(
                u64::MAX,
                cx.int_width(cx.ty(lhs))?,
            ));
        }
    }
    None
}

pub(super) fn fold_xori(cx: &FoldCx) -> Option<Folded> {
    let [lhs, rhs] = cx.operands()?;
    if lhs == rhs {
        return cx.splat(0);
    }
    for (value, other) in [(lhs, rhs), (rhs, lhs)] {
        if cx.is_int(other, 0) {
            return cx.value(value);
        }
        // (a ^ b) ^ b ⇒ a, (a ^ b) ^ a ⇒ b
        if let Some(xor) = cx.maker(value, super::XORI)
            && let [a, b] = xor.operands[..]
            && (a == other || b == other)
        {
            return cx.value(if a == other { b } else { a });
        }
    }
    None
}

/// `x << 0 ⇒ x`, and the same to the right.
pub(super) fn fold_shift(cx: &FoldCx) -> Option<Folded> {
    let [lhs, rhs] = cx.operands()?;
    cx.is_int(rhs, 0).then(|| cx.value(lhs))?
}
