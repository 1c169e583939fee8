//! Folds floats that [`ScalarKind`](gridloom_ir::scalar::ScalarKind) does not cover.
//! Small formats compute in `f64`, which is wide enough that the second
//! rounding cannot show; larger ones in `rustc_apfloat`.

use rustc_apfloat::Float;
use rustc_apfloat::ieee::{Quad, X87DoubleExtended};

use crate::{arith, math};
use gridloom_ir::attr::{AttrKind, DenseData};
use gridloom_ir::body::Value;
use gridloom_ir::elements::element_bytes;
use gridloom_ir::op::OpName;
use gridloom_ir::scalar::{FloatFormat, mask, sext};
use gridloom_ir::scalar::{decode_float, encode_float, least_normal};
use gridloom_ir::types::{DYNAMIC, FloatKind, TypeKind};

use gridloom_ir::fold::{FoldCx, Folded};

/// Folds an operation of `arith` or `math` on such floats, unless the result is
/// a NaN.
pub(super) fn fold(cx: &FoldCx) -> Option<Folded> {
    let data = cx.data();
    let &first = data.operands.first()?;
    if data.num_results() != 1 {
        return None;
    }
    let ty = cx.ty(first);
    let Some(kind) = ty.element(cx.ctx).unwrap_or(ty).float_kind(cx.ctx) else {
        return from_integer(cx, first);
    };
    match data.name {
        arith::EXTF | arith::TRUNCF => convert(cx, first, kind),
        _ if is_register(kind) => None,
        arith::CMPF => compare(cx, kind),
        arith::NEGF if cx.maker(first, arith::NEGF).is_some() => {
            cx.value(*cx.maker(first, arith::NEGF)?.operands.first()?)
        }
        arith::FPTOSI | arith::FPTOUI => to_integer(cx, first, kind),
        name if data.operands.len() == 1 => {
            let number = decode_float(kind, cx.float_bits(first)?)?;
            match test(name, kind, number) {
                Some(holds) => cx.splat(holds.into()),
                None => give(cx, rounded(kind, one_operand(name, number)?)?),
            }
        }
        name => {
            let [a, b] = cx.operands()?;
            if let (Some(a), Some(b)) = (cx.float_bits(a), cx.float_bits(b)) {
                return give(cx, two_operands(name, kind, a, b)?);
            }
            identity(cx, kind, a, b)
        }
    }
}

/// Folds a binary operation on two constants.
fn two_operands(name: OpName, kind: FloatKind, a: u128, b: u128) -> Option<u128> {
    match (name, kind) {
        (arith::ADDF | arith::SUBF | arith::MULF | arith::DIVF, FloatKind::F128) => {
            large::<Quad>(name, a, b)
        }
        (arith::ADDF | arith::SUBF | arith::MULF | arith::DIVF, FloatKind::F80) => {
            large::<X87DoubleExtended>(name, a, b)
        }
        _ => small(name, kind, decode_float(kind, a)?, decode_float(kind, b)?),
    }
}

/// Folds a binary operation with a neutral constant, or on equal operands, to
/// its operand.
fn identity(cx: &FoldCx, kind: FloatKind, a: Value, b: Value) -> Option<Folded> {
    let name = cx.data().name;
    let chooses = matches!(
        name,
        arith::MAXIMUMF | arith::MINIMUMF | arith::MAXNUMF | arith::MINNUMF
    );
    if chooses && a == b {
        return cx.value(a);
    }
    // Decodes before comparing: some formats have no minus zero.
    let is = |value: Value, number: f64| {
        let found = cx
            .float_bits(value)
            .and_then(|bits| decode_float(kind, bits));
        found.is_some_and(|found| found.to_bits() == number.to_bits())
    };
    match name {
        arith::ADDF if is(b, -0.0) => cx.value(a),
        arith::ADDF if is(a, -0.0) => cx.value(b),
        arith::SUBF if is(b, 0.0) => cx.value(a),
        arith::MULF | arith::DIVF if is(b, 1.0) => cx.value(a),
        arith::MULF if is(a, 1.0) => cx.value(b),
        _ => None,
    }
}

/// Folds a classification of one number.
fn test(name: OpName, kind: FloatKind, number: f64) -> Option<bool> {
    Some(match name {
        math::ISFINITE => number.is_finite(),
        math::ISINF => number.is_infinite(),
        math::ISNAN => number.is_nan(),
        math::ISNORMAL => number.is_finite() && number.abs() >= least_normal(kind),
        _ => return None,
    })
}

/// Folds a unary operation whose result is exact.
fn one_operand(name: OpName, number: f64) -> Option<f64> {
    Some(match name {
        arith::NEGF => -number,
        math::ABSF => number.abs(),
        math::CEIL => number.ceil(),
        math::FLOOR => number.floor(),
        math::ROUNDEVEN => number.round_ties_even(),
        _ => return None,
    })
}

/// Folds a conversion to integer if the number is in range.
fn to_integer(cx: &FoldCx, operand: Value, kind: FloatKind) -> Option<Folded> {
    let number = decode_float(kind, cx.float_bits(operand)?)?.trunc();
    let width = cx.int_width(cx.result_type(0))?;
    let (least, end) = match cx.data().name {
        arith::FPTOSI => (
            -(2f64.powi(i32::from(width) - 1)),
            2f64.powi(i32::from(width) - 1),
        ),
        _ => (0.0, 2f64.powi(width.into())),
    };
    // A NaN is in no range.
    let fits = (least..end).contains(&number);
    fits.then(|| cx.splat(number as i128 as u64))?
}

/// Folds a conversion from an integer that `f64` represents exactly.
fn from_integer(cx: &FoldCx, operand: Value) -> Option<Folded> {
    let ty = cx.result_type(0);
    let kind = ty.element(cx.ctx).unwrap_or(ty).float_kind(cx.ctx)?;
    let width = cx.int_width(cx.ty(operand))?;
    let found = cx.constant(operand)?.splat()?;
    let number = match cx.data().name {
        arith::SITOFP => i128::from(sext(found, width)),
        arith::UITOFP => i128::from(mask(found, width)),
        _ => return None,
    };
    let is_exact = number.unsigned_abs() <= 1 << 53;
    (is_exact && !is_register(kind)).then(|| give(cx, rounded(kind, number as f64)?))?
}

/// Whether [`ScalarKind`](gridloom_ir::scalar::ScalarKind) covers this format.
fn is_register(kind: FloatKind) -> bool {
    FloatFormat::of(kind).is_some()
}

fn give(cx: &FoldCx, bits: u128) -> Option<Folded> {
    let ty = cx.result_type(0);
    let Some(element) = ty.element(cx.ctx) else {
        return cx.attr(cx.ctx.intern_attr(AttrKind::Float { ty, bits }));
    };
    // A constant needs static extents.
    if let TypeKind::RankedTensor { shape, .. } = ty.kind(cx.ctx)
        && shape.contains(&DYNAMIC)
    {
        return None;
    }
    let size = element_bytes(cx.ctx, element)?;
    let bytes = bits.to_le_bytes().get(..size)?.to_vec();
    let data = DenseData::Splat(bytes.into());
    cx.attr(cx.ctx.intern_attr(AttrKind::Dense { ty, data }))
}

/// Rounds a number to a format; `None` for a NaN, and for an inexact number in a
/// format that saturates.
fn rounded(kind: FloatKind, number: f64) -> Option<u128> {
    let bits = encode_float(kind, number)?;
    let found = decode_float(kind, bits)?;
    let saturates = matches!(
        kind,
        FloatKind::F6E3M2FN | FloatKind::F6E2M3FN | FloatKind::F4E2M1FN | FloatKind::F8E8M0FNU
    );
    let fits = if saturates {
        found == number
    } else {
        !found.is_nan()
    };
    fits.then_some(bits)
}

fn small(name: OpName, kind: FloatKind, a: f64, b: f64) -> Option<u128> {
    let zeros = a == 0.0 && b == 0.0 && a.is_sign_negative() != b.is_sign_negative();
    let number = match name {
        arith::ADDF => a + b,
        arith::SUBF => a - b,
        arith::MULF => a * b,
        arith::DIVF => a / b,
        arith::REMF => a % b,
        math::COPYSIGN => a.copysign(b),
        _ if a.is_nan() || b.is_nan() => return None,
        arith::MAXIMUMF | arith::MAXNUMF if zeros => 0.0,
        arith::MINIMUMF | arith::MINNUMF if zeros => -0.0,
        arith::MAXIMUMF | arith::MAXNUMF => a.max(b),
        arith::MINIMUMF | arith::MINNUMF => a.min(b),
        _ => return None,
    };
    rounded(kind, number)
}

fn large<F: Float>(name: OpName, a: u128, b: u128) -> Option<u128> {
    let (a, b) = (F::from_bits(a), F::from_bits(b));
    let number = match name {
        arith::ADDF => a + b,
        arith::SUBF => a - b,
        arith::MULF => a * b,
        _ => a / b,
    }
    .value;
    (!number.is_nan()).then(|| number.to_bits())
}

/// Folds a conversion between float formats that is exact.
fn convert(cx: &FoldCx, operand: Value, from: FloatKind) -> Option<Folded> {
    let ty = cx.result_type(0);
    let to = ty.element(cx.ctx).unwrap_or(ty).float_kind(cx.ctx)?;
    if is_register(from) && is_register(to) {
        return None;
    }
    let number = decode_float(from, cx.float_bits(operand)?)?;
    let result = rounded(to, number)?;
    // An inexact conversion stays.
    (decode_float(to, result)? == number).then(|| give(cx, result))?
}

/// Folds a comparison of two numbers that `f64` represents exactly.
fn compare(cx: &FoldCx, kind: FloatKind) -> Option<Folded> {
    let [a, b] = cx.operands()?;
    let (a, b) = (
        decode_float(kind, cx.float_bits(a)?)?,
        decode_float(kind, cx.float_bits(b)?)?,
    );
    let number = cx.data().attr(cx.ctx, "predicate")?.as_i64(cx.ctx)?;
    let holds = gridloom_ir::scalar::float_compare(u8::try_from(number).ok()?, a, b);
    cx.splat(holds.into())
}
