//! `arith`: merges constants, combines extensions and truncations, and
//! normalizes comparisons.
//!
//! ```text
//! (x + 2) - 5              ⇒  x + -3
//! extsi(extui(x))          ⇒  extui(x)
//! and(extui(x), extui(y))  ⇒  extui(and(x, y))
//! 3 < x                    ⇒  x > 3
//! ```
//!
//! An overflow flag stays on the result only where the rewritten operation
//! cannot overflow either.

use gridloom_dialects::arith::{
    self, NO_SIGNED_WRAP, NO_UNSIGNED_WRAP, overflow_attr, overflow_flags,
};
use gridloom_dialects::inherent;
use gridloom_ir::attr::AttrKind;
use gridloom_ir::fold::FoldCx;
use gridloom_ir::scalar::{IntOp, sext};
use gridloom_ir::{OpId, OpName, Type, Value};

use super::operands::{compare, pair, source};
use super::rules::Family;
use crate::rewriter::Rewriter;

/// Rewrites by root operation.
pub(super) const RULES: Family = &[
    (
        arith::ADDI,
        &[merge_sum, add_negated, super::vector::add_to_contraction],
    ),
    (arith::SUBI, &[merge_sum, subtract_own_part]),
    (arith::MULI, &[merge_product]),
    (
        arith::ADDUI_EXTENDED,
        &[|rw, op| drop_high(rw, op, arith::ADDI)],
    ),
    (
        arith::MULUI_EXTENDED,
        &[|rw, op| drop_high(rw, op, arith::MULI)],
    ),
    (
        arith::MULSI_EXTENDED,
        &[|rw, op| drop_high(rw, op, arith::MULI), times_one],
    ),
    (arith::XORI, &[invert_comparison, combine_extended]),
    (arith::ANDI, &[combine_extended]),
    (arith::ORI, &[combine_extended]),
    (arith::EXTSI, &[merge_extensions]),
    (arith::EXTUI, &[merge_extensions]),
    (arith::TRUNCI, &[truncate_less, truncate_shifted]),
    (arith::INDEX_CAST, &[|rw, op| skip(rw, op, arith::EXTSI)]),
    (arith::INDEX_CASTUI, &[|rw, op| skip(rw, op, arith::EXTUI)]),
    (arith::BITCAST, &[|rw, op| skip(rw, op, arith::BITCAST)]),
    (
        arith::CMPI,
        &[
            constant_last,
            compare_unextended,
            super::vector::compare_step,
        ],
    ),
    (arith::CMPF, &[super::compare::compare_converted]),
    (arith::SELECT, &[super::select::simplify]),
];

/// An addition or subtraction with one constant operand.
#[derive(Clone, Copy)]
enum Sum {
    /// `x + c`
    Plus(Value, Value),
    /// `x - c`
    Minus(Value, Value),
    /// `c - x`
    From(Value, Value),
}

/// Whether a value is an integer constant of a width that the scalar folder
/// does not handle.
fn is_wide_constant(cx: &FoldCx, value: Value) -> bool {
    let attr = cx.constant_attr(value);
    attr.is_some_and(|attr| matches!(attr.kind(cx.ctx), AttrKind::Integer { .. }))
        && cx.element_kind(cx.ty(value)).is_none()
}

fn sum_of(rw: &Rewriter, op: OpId) -> Option<Sum> {
    let [lhs, rhs] = pair(rw, op)?;
    let cx = rw.look(op);
    let is_constant = |value| cx.constant(value).is_some() || is_wide_constant(&cx, value);
    match rw.body()[op].name {
        arith::ADDI if is_constant(rhs) => Some(Sum::Plus(lhs, rhs)),
        arith::SUBI if is_constant(rhs) => Some(Sum::Minus(lhs, rhs)),
        arith::SUBI if is_constant(lhs) => Some(Sum::From(lhs, rhs)),
        _ => None,
    }
}

/// `(x ± c0) ± c1 ⇒ x ± c`, for all combinations of signs.
fn merge_sum(rw: &mut Rewriter, op: OpId) -> Option<()> {
    use Sum::{From, Minus, Plus};
    let outer = sum_of(rw, op)?;
    let (Plus(middle, c1) | Minus(middle, c1) | From(c1, middle)) = outer;
    let inner_op = rw.body().defining_op(middle)?;
    let inner = sum_of(rw, inner_op)?;
    let (Plus(x, c0) | Minus(x, c0) | From(c0, x)) = inner;
    let (first, second, fold) = match (outer, inner) {
        (Plus(..), Plus(..) | From(..)) | (Minus(..), Minus(..)) | (From(..), Minus(..)) => {
            (c0, c1, IntOp::Add)
        }
        (Plus(..), Minus(..)) | (From(..), Plus(..) | From(..)) => (c1, c0, IntOp::Sub),
        (Minus(..), Plus(..) | From(..)) => (c0, c1, IntOp::Sub),
    };
    let (constant, flags) = merged(rw, [op, inner_op], fold, first, second)?;
    let (name, operands) = match (outer, inner) {
        (Plus(..), Plus(..) | Minus(..)) | (Minus(..), Plus(..)) | (From(..), From(..)) => {
            (arith::ADDI, [x, constant])
        }
        (Minus(..), Minus(..)) => (arith::SUBI, [x, constant]),
        _ => (arith::SUBI, [constant, x]),
    };
    remake_with_flags(rw, op, name, operands, flags);
    Some(())
}

/// `(x * c0) * c1 ⇒ x * (c0 * c1)`.
fn merge_product(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let [middle, c1] = pair(rw, op)?;
    let inner = rw.body().defining_op(middle)?;
    if rw.body()[inner].name != arith::MULI {
        return None;
    }
    let [x, c0] = pair(rw, inner)?;
    let (constant, flags) = merged(rw, [op, inner], IntOp::Mul, c0, c1)?;
    remake_with_flags(rw, op, arith::MULI, [x, constant], flags);
    Some(())
}

fn remake_with_flags(rw: &mut Rewriter, op: OpId, name: OpName, operands: [Value; 2], flags: u32) {
    let value = rw.remake(op, name, &operands);
    if flags != 0
        && let Some(new) = rw.body().defining_op(value)
    {
        let flags = overflow_attr(rw.ctx, flags);
        rw.set_property(new, inherent::OVERFLOW_FLAGS, flags);
    }
}

/// Folds two constants with `fold`, and keeps those flags of both operations
/// that still hold. The rewritten operation computes the same number, so it
/// overflows only if the constants do among themselves.
fn merged(
    rw: &mut Rewriter,
    ops: [OpId; 2],
    fold: IntOp,
    a: Value,
    b: Value,
) -> Option<(Value, u32)> {
    let op = ops[0];
    let cx = rw.look(op);
    let ty = cx.ty(a);
    if is_wide_constant(&cx, a) && is_wide_constant(&cx, b) {
        let name = match fold {
            IntOp::Add => arith::ADDI,
            IntOp::Sub => arith::SUBI,
            _ => arith::MULI,
        };
        // The new operation folds to a constant when it is visited.
        return Some((rw.make(op, name, &[a, b], ty), 0));
    }
    let width = cx.int_width(ty)?;
    let (a, b) = (cx.constant(a)?, cx.constant(b)?);
    let all = |exact: &dyn Fn(u64, u64) -> bool| {
        let each = a.zip(&b, |a, b| exact(a, b).then_some(0));
        each.is_some()
    };
    let wide = |a: i128, b: i128| match fold {
        IntOp::Add => a + b,
        IntOp::Sub => a - b,
        _ => a * b,
    };
    let signed = |a, b| {
        let exact = wide(sext(a, width).into(), sext(b, width).into());
        exact >> (width - 1) == 0 || exact >> (width - 1) == -1
    };
    let unsigned = |a: u64, b: u64| {
        // A product of two unsigned 64-bit numbers may exceed `i128`.
        fold != IntOp::Mul && wide(a.into(), b.into()) >> width == 0
            || fold == IntOp::Mul && (u128::from(a) * u128::from(b)) >> width == 0
    };
    let [outer, inner] = ops.map(|op| overflow_flags(rw.ctx, &rw.body()[op]));
    let mut flags = outer & inner;
    if flags & NO_SIGNED_WRAP != 0 && !all(&signed) {
        flags &= !NO_SIGNED_WRAP;
    }
    if flags & NO_UNSIGNED_WRAP != 0 && !all(&unsigned) {
        flags &= !NO_UNSIGNED_WRAP;
    }
    let elements = a.zip(&b, |a, b| fold.eval(a, b, width).ok())?;
    Some((rw.elements(elements, ty, op)?, flags))
}

/// `x + y * -1 ⇒ x - y`.
fn add_negated(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let [lhs, rhs] = pair(rw, op)?;
    let cx = rw.look(op);
    let negated = |value| {
        let [y, factor] = cx.maker(value, arith::MULI)?.operands[..] else {
            return None;
        };
        cx.is_int(factor, -1).then_some(y)
    };
    let operands = match (negated(rhs), negated(lhs)) {
        (Some(y), _) => [lhs, y],
        (None, Some(y)) => [rhs, y],
        (None, None) => return None,
    };
    rw.remake(op, arith::SUBI, &operands);
    Some(())
}

/// `(a - b) - a ⇒ 0 - b`. A flag that both differences carry holds for the
/// result: if neither overflows, `-b` does not either.
fn subtract_own_part(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let [difference, a] = pair(rw, op)?;
    let inner = rw.body().defining_op(difference)?;
    if rw.body()[inner].name != arith::SUBI {
        return None;
    }
    let [first, b] = pair(rw, inner)?;
    if first != a {
        return None;
    }
    let [outer, inner] = [op, inner].map(|op| overflow_flags(rw.ctx, &rw.body()[op]));
    let zero = rw.splat(0, rw.body().ty(b), op)?;
    remake_with_flags(rw, op, arith::SUBI, [zero, b], outer & inner);
    Some(())
}

/// `%low, %high = extended %a, %b ⇒ %low = plain %a, %b` if `%high` is unused:
/// `addui_extended ⇒ addi`, `mulsi_extended ⇒ muli`, `mului_extended ⇒ muli`.
fn drop_high(rw: &mut Rewriter, op: OpId, name: OpName) -> Option<()> {
    let operands = pair(rw, op)?;
    let [low, high] = [0, 1].map(|index| rw.body()[op].result(index));
    if !rw.is_unused(high) {
        return None;
    }
    let plain = rw.make(op, name, &operands, rw.body().ty(low));
    rw.replace(low, plain);
    rw.erase(op);
    Some(())
}

/// `mulsi_extended x, 1 ⇒ x, extsi(x < 0)`.
fn times_one(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let [x, one] = pair(rw, op)?;
    let cx = rw.look(op);
    let ty = cx.ty(x);
    // As one signed bit, 1 is -1.
    if !cx.is_int(one, 1) || cx.int_width(ty)? == 1 {
        return None;
    }
    let zero = rw.splat(0, ty, op)?;
    let bool_type = arith::bool_like(rw.ctx, ty);
    let is_negative = compare(rw, op, arith::CmpIPredicate::Slt, [x, zero], bool_type);
    let sign = rw.make(op, arith::EXTSI, &[is_negative], ty);
    rw.replace_op(op, &[x, sign]);
    Some(())
}

/// `not (a < b) ⇒ a >= b`.
fn invert_comparison(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let [value, ones] = pair(rw, op)?;
    let compared = rw.body().defining_op(value)?;
    if rw.body()[compared].name != arith::CMPI || !rw.look(op).is_int(ones, -1) {
        return None;
    }
    let operands = pair(rw, compared)?;
    let predicate = arith::CmpIOp(compared)
        .predicate(rw.ctx, rw.body())
        .inverse();
    let ty = rw.body().ty(value);
    let inverted = compare(rw, op, predicate, operands, ty);
    rw.replace_op(op, &[inverted]);
    Some(())
}

/// `and(ext(x), ext(y)) ⇒ ext(and(x, y))`, and the same for `or` and `xor`.
fn combine_extended(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let [lhs, rhs] = pair(rw, op)?;
    let (name, ty) = (rw.body()[op].name, rw.body().ty(lhs));
    for extension in [arith::EXTUI, arith::EXTSI] {
        let sources = [lhs, rhs].map(|value| source(rw, op, value, extension));
        if let [Some(x), Some(y)] = sources
            && rw.body().ty(x) == rw.body().ty(y)
        {
            let narrow = rw.make(op, name, &[x, y], rw.body().ty(x));
            let wide = rw.make(op, extension, &[narrow], ty);
            rw.replace_op(op, &[wide]);
            return Some(());
        }
    }
    None
}

/// `extsi(extui(x)) ⇒ extui(x)`, `extui(extui(x)) ⇒ extui(x)`, `extsi(extsi(x))
/// ⇒ extsi(x)`.
fn merge_extensions(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let [operand] = rw.look(op).operands()?;
    let name = rw.body()[op].name;
    let zeros = source(rw, op, operand, arith::EXTUI);
    let (extension, x) = match zeros {
        Some(x) => (arith::EXTUI, x),
        None if name == arith::EXTSI => (name, source(rw, op, operand, arith::EXTSI)?),
        None => return None,
    };
    rw.remake(op, extension, &[x]);
    Some(())
}

/// `trunci(ext(x)) ⇒ ext(x)` or `trunci(x)`, as the widths demand;
/// `trunci(trunci(x)) ⇒ trunci(x)`.
fn truncate_less(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let [operand] = rw.look(op).operands()?;
    let names = [arith::EXTSI, arith::EXTUI, arith::TRUNCI];
    let found = names
        .iter()
        .find_map(|&name| Some((name, source(rw, op, operand, name)?)));
    let (name, x) = found?;
    let cx = rw.look(op);
    let width = |value| element_width(cx.ctx, cx.ty(value));
    let (from, to) = (width(x)?, width(cx.data().result(0))?);
    match from.cmp(&to) {
        std::cmp::Ordering::Less => rw.remake(op, name, &[x]),
        std::cmp::Ordering::Greater => rw.remake(op, arith::TRUNCI, &[x]),
        std::cmp::Ordering::Equal => return None,
    };
    Some(())
}

fn element_width(ctx: &gridloom_ir::Context, ty: Type) -> Option<u32> {
    ty.element(ctx).unwrap_or(ty).signless_width(ctx)
}

/// `trunci(shrsi(x, n)) ⇒ trunci(shrui(x, n))` if the truncation cuts off all
/// `n` bits that the shift brings in.
fn truncate_shifted(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let cx = rw.look(op);
    let [operand] = cx.operands()?;
    let [x, amount] = cx.maker(operand, arith::SHRSI)?.operands[..] else {
        return None;
    };
    let (from, to) = (cx.int_width(cx.ty(x))?, cx.int_width(cx.result_type(0))?);
    if cx.int(amount)? != i64::from(from - to) {
        return None;
    }
    let shifted = rw.make(op, arith::SHRUI, &[x, amount], rw.body().ty(x));
    rw.remake(op, arith::TRUNCI, &[shifted]);
    Some(())
}

/// `op (between %x) ⇒ op %x`.
fn skip(rw: &mut Rewriter, op: OpId, between: OpName) -> Option<()> {
    let [operand] = rw.look(op).operands()?;
    let x = source(rw, op, operand, between)?;
    rw.set_operands(op, &[x]);
    Some(())
}

/// `c < x ⇒ x > c`.
fn constant_last(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let [lhs, rhs] = pair(rw, op)?;
    let cx = rw.look(op);
    if cx.constant_attr(lhs).is_none() || cx.constant_attr(rhs).is_some() {
        return None;
    }
    let predicate = arith::CmpIOp(op).predicate(rw.ctx, rw.body()).mirrored();
    let number = rw.ctx.i64_attr(predicate as i64);
    rw.set_property(op, inherent::PREDICATE, number);
    rw.set_operands(op, &[rhs, lhs]);
    Some(())
}

/// `ext(x) == ext(y) ⇒ x == y`, and the same for `!=`.
fn compare_unextended(rw: &mut Rewriter, op: OpId) -> Option<()> {
    use arith::CmpIPredicate::{Eq, Ne};
    let [lhs, rhs] = pair(rw, op)?;
    let predicate = arith::CmpIOp(op).predicate(rw.ctx, rw.body());
    if !matches!(predicate, Eq | Ne) {
        return None;
    }
    for extension in [arith::EXTSI, arith::EXTUI] {
        let sources = [lhs, rhs].map(|value| source(rw, op, value, extension));
        if let [Some(x), Some(y)] = sources
            && rw.body().ty(x) == rw.body().ty(y)
        {
            rw.set_operands(op, &[x, y]);
            return Some(());
        }
    }
    None
}
