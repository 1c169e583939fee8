//! Floating-point arithmetic and comparisons.
//!
//! The narrow formats compute in `f32` and round once more, as the machine
//! does; that is their definition here, not an approximation of another.

use std::cmp::Ordering;

use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert};

use super::{FoldResult, Scalar, float_constant, int_constant, scalar};
use crate::body::{Body, OpId, Value};
use crate::context::Context;
use crate::dialect::arith::{self, CmpFPredicate};
use crate::op::OpName;
use crate::types::FloatKind;

/// One or two floats in, one of their type out.
pub(super) fn fold_arithmetic(ctx: &Context, body: &Body, op: OpId) -> Option<FoldResult> {
    let data = &body[op];
    if data.num_results() != 1 {
        return None;
    }
    match (data.name, &data.operands[..]) {
        (arith::NEGF, &[operand]) => fold_negation(ctx, body, operand),
        (_, &[lhs, rhs]) => fold_binary(ctx, body, op, lhs, rhs),
        _ => None,
    }
}

fn fold_negation(ctx: &Context, body: &Body, operand: Value) -> Option<FoldResult> {
    if let Some(inner) = body.defining_op(operand)
        && body[inner].name == arith::NEGF
    {
        return body[inner].operands.first().map(|&v| FoldResult::Value(v));
    }
    let (bits, kind) = float_bits(ctx, body, operand)?;
    is_computed(kind).then(|| {
        let sign = 1u128 << (kind.width() - 1);
        float_constant(ctx, body.ty(operand), bits ^ sign)
    })
}

fn fold_binary(ctx: &Context, body: &Body, op: OpId, lhs: Value, rhs: Value) -> Option<FoldResult> {
    let name = body[op].name;
    let (a, b) = (float_bits(ctx, body, lhs), float_bits(ctx, body, rhs));
    if let (Some((a, kind)), Some((b, _))) = (a, b)
        && let Some(bits) = eval(name, kind, a, b)
    {
        return Some(float_constant(ctx, body.ty(lhs), bits));
    }
    let is = |operand: Option<(u128, FloatKind)>, number: f64| {
        operand.is_some_and(|(bits, kind)| from_f64(kind, number) == Some(bits))
    };
    // Only what is exact for every operand: x + 0.0 is not, for x = -0.0.
    match name {
        arith::ADDF if is(b, -0.0) => Some(FoldResult::Value(lhs)),
        arith::ADDF if is(a, -0.0) => Some(FoldResult::Value(rhs)),
        arith::SUBF if is(b, 0.0) => Some(FoldResult::Value(lhs)),
        arith::MULF | arith::DIVF if is(b, 1.0) => Some(FoldResult::Value(lhs)),
        arith::MULF if is(a, 1.0) => Some(FoldResult::Value(rhs)),
        arith::MAXIMUMF | arith::MINIMUMF | arith::MAXNUMF | arith::MINNUMF if lhs == rhs => {
            Some(FoldResult::Value(lhs))
        }
        _ => None,
    }
}

fn float_bits(ctx: &Context, body: &Body, value: Value) -> Option<(u128, FloatKind)> {
    match scalar(ctx, body, value)? {
        Scalar::Float { bits, kind } => Some((bits, kind)),
        Scalar::Int { .. } => None,
    }
}

/// The formats whose arithmetic is folded.
fn is_computed(kind: FloatKind) -> bool {
    matches!(
        kind,
        FloatKind::F16 | FloatKind::BF16 | FloatKind::F32 | FloatKind::F64
    )
}

/// The pattern of a number that every format has.
fn from_f64(kind: FloatKind, value: f64) -> Option<u128> {
    convert(value.to_bits().into(), FloatKind::F64, kind)
}

/// The result's pattern; `None` for a NaN in or out, and for operations of
/// other families.
fn eval(name: OpName, kind: FloatKind, a: u128, b: u128) -> Option<u128> {
    match kind {
        FloatKind::F64 => binary::<Double>(name, a, b),
        FloatKind::F32 => binary::<Single>(name, a, b),
        FloatKind::F16 | FloatKind::BF16 => {
            let (a, b) = (
                convert(a, kind, FloatKind::F32)?,
                convert(b, kind, FloatKind::F32)?,
            );
            convert(binary::<Single>(name, a, b)?, FloatKind::F32, kind)
        }
        _ => None,
    }
}

fn binary<F: Float>(name: OpName, a: u128, b: u128) -> Option<u128> {
    let (a, b) = (F::from_bits(a), F::from_bits(b));
    if a.is_nan() || b.is_nan() {
        return None;
    }
    // Of two zeros, the sign decides.
    let less = match a.partial_cmp(&b)? {
        Ordering::Less => true,
        Ordering::Equal => a.is_negative(),
        Ordering::Greater => false,
    };
    let both_zeros = a.is_zero() && b.is_zero() && a.is_negative() != b.is_negative();
    let result = match name {
        arith::ADDF => (a + b).value,
        arith::SUBF => (a - b).value,
        arith::MULF => (a * b).value,
        arith::DIVF => (a / b).value,
        arith::REMF => a.c_fmod(b).value,
        arith::MAXIMUMF => {
            if less {
                b
            } else {
                a
            }
        }
        arith::MINIMUMF => {
            if less {
                a
            } else {
                b
            }
        }
        // Which zero these give is left open.
        arith::MAXNUMF if !both_zeros => {
            if less {
                b
            } else {
                a
            }
        }
        arith::MINNUMF if !both_zeros => {
            if less {
                a
            } else {
                b
            }
        }
        _ => return None,
    };
    (!result.is_nan()).then(|| result.to_bits())
}

/// The number in another format, rounded to nearest even; `None` for a NaN
/// and for formats that are not folded.
pub(super) fn convert(bits: u128, from: FloatKind, to: FloatKind) -> Option<u128> {
    match from {
        FloatKind::F16 => convert_to(Half::from_bits(bits), to),
        FloatKind::BF16 => convert_to(BFloat::from_bits(bits), to),
        FloatKind::F32 => convert_to(Single::from_bits(bits), to),
        FloatKind::F64 => convert_to(Double::from_bits(bits), to),
        _ => None,
    }
}

fn convert_to<F>(value: F, to: FloatKind) -> Option<u128>
where
    F: FloatConvert<Half> + FloatConvert<BFloat> + FloatConvert<Single> + FloatConvert<Double>,
{
    if value.is_nan() {
        return None;
    }
    let mut inexact = false;
    match to {
        FloatKind::F16 => Some(
            FloatConvert::<Half>::convert(value, &mut inexact)
                .value
                .to_bits(),
        ),
        FloatKind::BF16 => Some(
            FloatConvert::<BFloat>::convert(value, &mut inexact)
                .value
                .to_bits(),
        ),
        FloatKind::F32 => Some(
            FloatConvert::<Single>::convert(value, &mut inexact)
                .value
                .to_bits(),
        ),
        FloatKind::F64 => Some(
            FloatConvert::<Double>::convert(value, &mut inexact)
                .value
                .to_bits(),
        ),
        _ => None,
    }
}

/// The float nearest to an integer.
pub(super) fn from_int(value: i128, to: FloatKind) -> Option<u128> {
    match to {
        FloatKind::F16 => Some(Half::from_i128(value).value.to_bits()),
        FloatKind::BF16 => Some(BFloat::from_i128(value).value.to_bits()),
        FloatKind::F32 => Some(Single::from_i128(value).value.to_bits()),
        FloatKind::F64 => Some(Double::from_i128(value).value.to_bits()),
        _ => None,
    }
}

/// The integer part of a float; `None` for what is beyond `i128`.
pub(super) fn to_int(bits: u128, kind: FloatKind) -> Option<i128> {
    // Every number of the narrower formats is one of `f64`.
    let bits = convert(bits, kind, FloatKind::F64)?;
    let value = f64::from_bits(u64::try_from(bits).ok()?).trunc();
    // Conversion saturates, so the limits themselves do not count.
    let number = value as i128;
    (number != i128::MAX && number != i128::MIN).then_some(number)
}

/// `arith.cmpf`
pub(super) fn fold_compare(ctx: &Context, body: &Body, op: OpId) -> Option<FoldResult> {
    let data = &body[op];
    let number = data.attr(ctx, "predicate")?.as_i64(ctx)?;
    let predicate = CmpFPredicate::from_value(number)?;
    let &[lhs, rhs] = &data.operands[..] else {
        return None;
    };
    if data.num_results() != 1 || body.ty(data.result(0)) != ctx.bool_type() {
        return None;
    }
    let holds = match predicate {
        CmpFPredicate::AlwaysFalse => false,
        CmpFPredicate::AlwaysTrue => true,
        _ => {
            let (a, kind) = float_bits(ctx, body, lhs)?;
            let (b, _) = float_bits(ctx, body, rhs)?;
            holds_for(predicate, order(kind, a, b)?)
        }
    };
    int_constant(ctx, ctx.bool_type(), holds.into())
}

/// Whether a predicate holds for numbers that compare like this; `None` is
/// unordered.
fn holds_for(predicate: CmpFPredicate, order: Option<Ordering>) -> bool {
    use CmpFPredicate as P;
    match order {
        Some(Ordering::Equal) => matches!(
            predicate,
            P::Oeq | P::Oge | P::Ole | P::Ord | P::Ueq | P::Uge | P::Ule | P::AlwaysTrue
        ),
        Some(Ordering::Greater) => matches!(
            predicate,
            P::Ogt | P::Oge | P::One | P::Ord | P::Ugt | P::Uge | P::Une | P::AlwaysTrue
        ),
        Some(Ordering::Less) => matches!(
            predicate,
            P::Olt | P::Ole | P::One | P::Ord | P::Ult | P::Ule | P::Une | P::AlwaysTrue
        ),
        None => matches!(
            predicate,
            P::Ueq | P::Ugt | P::Uge | P::Ult | P::Ule | P::Une | P::Uno | P::AlwaysTrue
        ),
    }
}

/// How two numbers compare, `Some(None)` for unordered; `None` for formats
/// that are not folded.
fn order(kind: FloatKind, a: u128, b: u128) -> Option<Option<Ordering>> {
    match kind {
        FloatKind::F16 => Some(Half::from_bits(a).partial_cmp(&Half::from_bits(b))),
        FloatKind::BF16 => Some(BFloat::from_bits(a).partial_cmp(&BFloat::from_bits(b))),
        FloatKind::F32 => Some(Single::from_bits(a).partial_cmp(&Single::from_bits(b))),
        FloatKind::F64 => Some(Double::from_bits(a).partial_cmp(&Double::from_bits(b))),
        _ => None,
    }
}
