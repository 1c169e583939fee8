//! Folding of floats that the interpreter has no registers for: the small
//! formats by way of `f64`, which is exact enough to round twice, and those
//! of more bits by `rustc_apfloat`.

use rustc_apfloat::Float;
use rustc_apfloat::ieee::{Quad, X87DoubleExtended};

use crate::attr::AttrKind;
use crate::body::Value;
use crate::dialect::arith;
use crate::op::OpName;
use crate::text::float::{decode, encode};
use crate::types::FloatKind;

use super::{FoldCx, Folded};

/// What an operation of `arith` on such floats is worth, where it is a number.
pub(super) fn fold(cx: &FoldCx) -> Option<Folded> {
    let data = cx.data();
    let &first = data.operands.first()?;
    let kind = cx.ty(first).float_kind(cx.ctx)?;
    match data.name {
        arith::EXTF | arith::TRUNCF => convert(cx, first, kind),
        arith::CMPF => compare(cx, kind),
        arith::ADDF | arith::SUBF | arith::MULF | arith::DIVF if !is_register(kind) => {
            let [a, b] = cx.operands()?;
            let (a, b) = (bits(cx, a)?, bits(cx, b)?);
            let bits = match kind {
                FloatKind::F128 => large::<Quad>(data.name, a, b)?,
                FloatKind::F80 => large::<X87DoubleExtended>(data.name, a, b)?,
                kind => small(data.name, kind, decode(kind, a)?, decode(kind, b)?)?,
            };
            give(cx, bits)
        }
        _ => None,
    }
}

/// Whether the interpreter computes with this format.
fn is_register(kind: FloatKind) -> bool {
    matches!(
        kind,
        FloatKind::F16 | FloatKind::BF16 | FloatKind::F32 | FloatKind::F64
    )
}

fn bits(cx: &FoldCx, value: Value) -> Option<u128> {
    match cx.constant_attr(value)?.kind(cx.ctx) {
        AttrKind::Float { bits, .. } => Some(*bits),
        _ => None,
    }
}

fn give(cx: &FoldCx, bits: u128) -> Option<Folded> {
    let ty = cx.result_type(0);
    cx.attr(cx.ctx.intern_attr(AttrKind::Float { ty, bits }))
}

/// The bits of a number in a format, if it has them: neither a NaN, nor what
/// a format without infinity would take instead.
fn rounded(kind: FloatKind, number: f64) -> Option<u128> {
    let bits = encode(kind, number)?;
    let found = decode(kind, bits)?;
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
    let number = match name {
        arith::ADDF => a + b,
        arith::SUBF => a - b,
        arith::MULF => a * b,
        _ => a / b,
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

/// A conversion of a number that goes through `f64` unharmed.
fn convert(cx: &FoldCx, operand: Value, from: FloatKind) -> Option<Folded> {
    let to = cx.result_type(0).float_kind(cx.ctx)?;
    if is_register(from) && is_register(to) || cx.data().attr(cx.ctx, "roundingmode").is_some() {
        return None;
    }
    let number = decode(from, bits(cx, operand)?)?;
    give(cx, rounded(to, number)?)
}

/// A comparison of two numbers that go through `f64` unharmed.
fn compare(cx: &FoldCx, kind: FloatKind) -> Option<Folded> {
    let [a, b] = cx.operands()?;
    if is_register(kind) {
        return None;
    }
    let (a, b) = (decode(kind, bits(cx, a)?)?, decode(kind, bits(cx, b)?)?);
    let number = cx.data().attr(cx.ctx, "predicate")?.as_i64(cx.ctx)?;
    let holds = crate::scalar::float_compare(u8::try_from(number).ok()?, a, b);
    cx.splat(holds.into())
}
