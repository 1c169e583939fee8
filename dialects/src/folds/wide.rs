//! Constant folding of integers wider than 64 bits: scalar arithmetic, and conversions from and to
//! them.

use crate::{arith, math};
use gridloom_ir::attr::{AttrKind, Int};
use gridloom_ir::body::Value;
use gridloom_ir::context::Context;
use gridloom_ir::scalar::IntPredicate;
use gridloom_ir::types::{Signedness, Type, TypeKind};

use super::wide_int::Wide;
use gridloom_ir::fold::{FoldCx, Folded};

/// Width limit: multiplication and division take quadratic time.
const MAX_WIDTH: u32 = 2048;

/// Returns the width of an integer type, 64 for `index`; `None` beyond [`MAX_WIDTH`].
fn width_of(ctx: &Context, ty: Type) -> Option<u32> {
    match ty.kind(ctx) {
        TypeKind::Integer { width, .. } => Some(*width).filter(|width| *width <= MAX_WIDTH),
        TypeKind::Index => Some(64),
        _ => None,
    }
}

/// Folds an operation of `arith` on wide integers.
pub(super) fn fold(cx: &FoldCx) -> Option<Folded> {
    let data = cx.data();
    let &first = data.operands.first()?;
    if data.num_results() != 1 {
        return None;
    }
    let widths = [cx.ty(first), cx.result_type(0)].map(|ty| width_of(cx.ctx, ty));
    if widths[0].max(widths[1])? <= 64 {
        return None;
    }
    match data.operands[..] {
        [operand] => convert(cx, operand),
        [lhs, rhs] => identity(cx, lhs, rhs).or_else(|| combine(cx, lhs, rhs)),
        _ => None,
    }
}

fn constant(cx: &FoldCx, value: Value) -> Option<Wide> {
    let AttrKind::Integer { ty, value } = cx.constant_attr(value)?.kind(cx.ctx) else {
        return None;
    };
    let width = width_of(cx.ctx, *ty)?;
    Some(Wide::new(value.words(width.div_ceil(64) as usize), width))
}

/// Folds the only result to this integer.
fn give(cx: &FoldCx, value: &Wide) -> Option<Folded> {
    let ty = cx.result_type(0);
    let unsigned = matches!(
        ty.kind(cx.ctx),
        TypeKind::Integer {
            signedness: Signedness::Unsigned,
            ..
        }
    );
    let bytes: Vec<u8> = value
        .words
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    let signed = !unsigned && value.width > 1;
    let value = Int::from_le_bytes(&bytes, value.width, signed);
    cx.attr(cx.ctx.intern_attr(AttrKind::Integer { ty, value }))
}

fn convert(cx: &FoldCx, operand: Value) -> Option<Folded> {
    match cx.data().name {
        arith::FPTOSI | arith::FPTOUI => return from_float(cx, operand),
        arith::SITOFP | arith::UITOFP => return to_float(cx, operand),
        _ => {}
    }
    let value = constant(cx, operand)?;
    let width = width_of(cx.ctx, cx.result_type(0))?;
    let count = |count: u32| give(cx, &Wide::new(vec![count.into()], width));
    let bits = || (0..width).map(|bit| value.bit(bit));
    let signed = match cx.data().name {
        arith::EXTSI | arith::INDEX_CAST => true,
        arith::EXTUI | arith::INDEX_CASTUI | arith::TRUNCI => false,
        math::ABSI if value.is_negative() => return give(cx, &value.negated()),
        math::ABSI => return give(cx, &value),
        math::CTPOP => return count(bits().filter(|&bit| bit).count() as u32),
        math::CTTZ => return count(bits().take_while(|&bit| !bit).count() as u32),
        math::CTLZ => return count(bits().rev().take_while(|&bit| !bit).count() as u32),
        _ => return None,
    };
    give(cx, &value.resized(width, signed))
}

/// Folds a conversion from a float, truncating, if the result is in range.
fn from_float(cx: &FoldCx, operand: Value) -> Option<Folded> {
    let number = cx.float(operand)?.trunc();
    let width = width_of(cx.ctx, cx.result_type(0))?;
    let bits = i32::try_from(width).ok()?.min(127);
    let (least, end) = match cx.data().name {
        arith::FPTOSI => (-(2f64.powi(bits - 1)), 2f64.powi(bits - 1)),
        _ => (0.0, 2f64.powi(bits)),
    };
    // A NaN is in no range.
    let fits = (least..end).contains(&number);
    let number = number as i128;
    let value = Wide::new(vec![number as u64, (number >> 64) as u64], 128);
    fits.then(|| give(cx, &value.resized(width, true)))?
}

/// Folds a conversion to a float of [`ScalarKind`](gridloom_ir::scalar::ScalarKind),
/// if the integer is exact in `f64`.
fn to_float(cx: &FoldCx, operand: Value) -> Option<Folded> {
    let kind = cx.element_kind(cx.result_type(0))?;
    let value = constant(cx, operand)?;
    let negative = cx.data().name == arith::SITOFP && value.is_negative();
    let size = if negative { value.negated() } else { value };
    let (&low, high) = size.words.split_first()?;
    let is_exact = low <= 1 << 53 && high.iter().all(|&word| word == 0);
    let number = if negative { -(low as f64) } else { low as f64 };
    is_exact.then(|| cx.splat(kind.from_f64(number)))?
}

/// Folds a binary operation with a neutral or absorbing constant, or on equal
/// operands.
fn identity(cx: &FoldCx, lhs: Value, rhs: Value) -> Option<Folded> {
    let name = cx.data().name;
    let width = width_of(cx.ctx, cx.ty(lhs))?;
    let zero = Wide::new(Vec::new(), width);
    if lhs == rhs {
        return match name {
            arith::SUBI | arith::XORI => give(cx, &zero),
            arith::ANDI | arith::ORI => cx.value(lhs),
            arith::MAXSI | arith::MAXUI | arith::MINSI | arith::MINUI => cx.value(lhs),
            arith::CMPI => cx.splat(zero.compare(&zero, predicate(cx)?).into()),
            _ => None,
        };
    }
    let other = constant(cx, rhs)?;
    let ones = zero.not();
    let one = Wide::new(vec![1], width);
    let least = Wide::least(width);
    let greatest = least.not();
    // The constant that leaves the other operand unchanged, and the one that
    // determines the result alone.
    let (neutral, absorbing) = match name {
        arith::ADDI | arith::SUBI | arith::XORI => (&zero, None),
        arith::SHLI | arith::SHRSI | arith::SHRUI => (&zero, None),
        arith::ORI | arith::MAXUI => (&zero, Some(&ones)),
        arith::ANDI | arith::MINUI => (&ones, Some(&zero)),
        arith::MULI => (&one, Some(&zero)),
        arith::DIVSI | arith::DIVUI | arith::FLOORDIVSI => (&one, None),
        arith::CEILDIVSI | arith::CEILDIVUI => (&one, None),
        arith::MAXSI => (&least, Some(&greatest)),
        arith::MINSI => (&greatest, Some(&least)),
        arith::REMSI | arith::REMUI if other == one => return give(cx, &zero),
        _ => return None,
    };
    if other == *neutral {
        return cx.value(lhs);
    }
    let known = absorbing.filter(|&absorbing| other == *absorbing)?;
    give(cx, known)
}

fn predicate(cx: &FoldCx) -> Option<IntPredicate> {
    let number = cx.data().attr(cx.ctx, "predicate")?.as_i64(cx.ctx)?;
    IntPredicate::from_number(number)
}

fn combine(cx: &FoldCx, lhs: Value, rhs: Value) -> Option<Folded> {
    let (a, b) = (constant(cx, lhs)?, constant(cx, rhs)?);
    if cx.data().name == arith::CMPI {
        return cx.splat(a.compare(&b, predicate(cx)?).into());
    }
    let has_least = [&a, &b].contains(&&Wide::least(a.width));
    if cx.data().name == arith::CEILDIVSI && has_least {
        // As for narrow integers.
        return None;
    }
    give(cx, &a.eval(cx.data().name, &b)?)
}
