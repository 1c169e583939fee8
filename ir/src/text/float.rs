//! Float formats: conversion of bit patterns to and from `f64` and text.

use std::fmt::Write as _;

use super::decimal::Decimal;
use crate::types::FloatKind;

/// Special values of a format beside its finite numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Special {
    /// Infinities and NaNs in the top exponent, as IEEE 754.
    Ieee,
    /// One NaN, all ones after the sign; no infinity.
    NanAllOnes,
    /// One NaN, minus zero's pattern; no infinity, no minus zero.
    NanMinusZero,
    /// Neither NaN nor infinity.
    None,
}

/// A binary format: sign, exponent, mantissa.
struct Layout {
    exponent_bits: u32,
    mantissa_bits: u32,
    bias: i32,
    special: Special,
}

fn layout(kind: FloatKind) -> Layout {
    let ieee = |exponent_bits: u32, mantissa_bits| Layout {
        exponent_bits,
        mantissa_bits,
        bias: (1 << (exponent_bits - 1)) - 1,
        special: Special::Ieee,
    };
    let other = |exponent_bits, mantissa_bits, bias, special| Layout {
        exponent_bits,
        mantissa_bits,
        bias,
        special,
    };
    use Special::{NanAllOnes, NanMinusZero, None};
    match kind {
        FloatKind::F16 => ieee(5, 10),
        FloatKind::BF16 => ieee(8, 7),
        FloatKind::TF32 => ieee(8, 10),
        FloatKind::F32 => ieee(8, 23),
        FloatKind::F64 => ieee(11, 52),
        // Without the explicit leading bit, which `encode` and `decode` add.
        FloatKind::F80 => ieee(15, 63),
        FloatKind::F128 => ieee(15, 112),
        FloatKind::F8E5M2 => ieee(5, 2),
        FloatKind::F8E4M3 => ieee(4, 3),
        FloatKind::F8E3M4 => ieee(3, 4),
        FloatKind::F8E4M3FN => other(4, 3, 7, NanAllOnes),
        FloatKind::F8E5M2FNUZ => other(5, 2, 16, NanMinusZero),
        FloatKind::F8E4M3FNUZ => other(4, 3, 8, NanMinusZero),
        FloatKind::F8E4M3B11FNUZ => other(4, 3, 11, NanMinusZero),
        FloatKind::F6E3M2FN => other(3, 2, 3, None),
        FloatKind::F6E2M3FN => other(2, 3, 1, None),
        FloatKind::F4E2M1FN => other(2, 1, 1, None),
        FloatKind::F8E8M0FNU => other(8, 0, 127, NanAllOnes),
    }
}

/// Encodes a value in a format, rounded to nearest, ties to even. A format without infinity and NaN
/// takes its largest number for larger ones. `None` where the format cannot represent the value: a
/// negative one in `f8E8M0FNU`, an infinity or NaN in a format without.
pub fn encode(kind: FloatKind, value: f64) -> Option<u128> {
    if kind == FloatKind::F64 {
        return Some(value.to_bits().into());
    }
    if kind == FloatKind::F32 {
        return Some((value as f32).to_bits().into());
    }
    if kind == FloatKind::F8E8M0FNU {
        return encode_scale(value);
    }
    let l = layout(kind);
    let (m, e) = (l.mantissa_bits, l.exponent_bits);
    let sign = u128::from(value.is_sign_negative()) << (m + e);
    let top = (1u128 << e) - 1;
    let mantissa_mask = (1u128 << m) - 1;
    let overflow = match l.special {
        Special::Ieee => Some(sign | top << m),
        Special::NanAllOnes => Some(sign | top << m | mantissa_mask),
        Special::NanMinusZero => Some(1 << (m + e)),
        Special::None => None,
    };
    let bits = if value.is_nan() {
        match l.special {
            Special::Ieee => Some(sign | top << m | 1u128 << (m - 1)),
            _ => overflow,
        }
    } else if value.is_infinite() {
        overflow
    } else {
        let rounded = round(&l, value.abs());
        let largest = match l.special {
            Special::Ieee => (top << m) - 1,
            Special::NanAllOnes => (top << m | mantissa_mask) - 1,
            Special::NanMinusZero | Special::None => top << m | mantissa_mask,
        };
        if rounded > largest && l.special == Special::None {
            Some(sign | largest)
        } else if rounded > largest {
            overflow
        } else if rounded == 0 && l.special == Special::NanMinusZero {
            Some(0)
        } else {
            Some(sign | rounded)
        }
    }?;
    Some(if kind == FloatKind::F80 {
        add_leading_bit(bits)
    } else {
        bits
    })
}

/// Inserts the explicit leading bit of the significand that `f80` has.
fn add_leading_bit(bits: u128) -> u128 {
    let fraction = bits & ((1 << 63) - 1);
    let exponent = bits >> 63;
    let leading = u128::from(exponent & 0x7fff != 0);
    exponent << 64 | leading << 63 | fraction
}

/// Rounds a value that is neither negative nor special to exponent and mantissa fields. The carry
/// of rounding runs into the exponent, as it should; the caller checks for a result past the
/// largest number.
fn round(l: &Layout, value: f64) -> u128 {
    if value == 0.0 {
        return 0;
    }
    let bits = value.to_bits();
    let (mut exponent, mut fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    if exponent == 0 {
        // A subnormal: shift its leading one into place.
        let shift = fraction.leading_zeros() as i32 - 11;
        fraction <<= shift;
        exponent = 1 - shift;
    } else {
        fraction |= 1 << 52;
    }
    // value = fraction * 2^(exponent - 1075), with fraction in 2^52..2^53.
    let biased = exponent - 1023 + l.bias;
    let significand = u128::from(fraction) << 64;
    // Bits to drop so that the leading one lands just above the mantissa, or
    // lower for a subnormal result.
    let drop = 64 + 52 - l.mantissa_bits as i32 + (1 - biased).max(0);
    if drop > 120 {
        return 0;
    }
    let kept = significand >> drop;
    let rest = significand & ((1u128 << drop) - 1);
    let half = 1u128 << (drop - 1);
    let up = rest > half || rest == half && kept & 1 == 1;
    let mantissa = kept + u128::from(up);
    if biased >= 1 {
        // The leading one adds 1 to the exponent field.
        ((biased as u128 - 1) << l.mantissa_bits) + mantissa
    } else {
        mantissa
    }
}

/// Encodes a value as a power of two: rounds to the nearest one, half up; the smallest power stands
/// for all below it.
fn encode_scale(value: f64) -> Option<u128> {
    if value.is_nan() || value.is_infinite() {
        return Some(0xff);
    }
    if value < 0.0 {
        return None;
    }
    let bits = value.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    let exponent = (bits >> 52) as i64 - 1023 + 127;
    let up = fraction >= 1 << 51;
    let rounded = exponent + i64::from(up);
    Some(rounded.clamp(0, 255) as u128)
}

/// Returns the least normal number of a format, or that of `f64` for formats that reach further
/// down.
pub fn least_normal(kind: FloatKind) -> f64 {
    let l = layout(kind);
    match kind {
        // All of its numbers are normal.
        FloatKind::F8E8M0FNU => 2f64.powi(-l.bias),
        FloatKind::F80 | FloatKind::F128 => f64::from_bits(1),
        _ => 2f64.powi(1 - l.bias),
    }
}

/// Decodes a bit pattern; `None` if `f64` cannot hold it exactly.
pub fn decode(kind: FloatKind, bits: u128) -> Option<f64> {
    match kind {
        FloatKind::F64 => return Some(f64::from_bits(bits as u64)),
        FloatKind::F32 => return Some(f32::from_bits(bits as u32).into()),
        FloatKind::F8E8M0FNU if bits == 0xff => return Some(f64::NAN),
        FloatKind::F8E8M0FNU => return Some(2f64.powi(bits as i32 - 127)),
        _ => {}
    }
    let l = layout(kind);
    let (m, e) = (l.mantissa_bits, l.exponent_bits);
    let bits = if kind == FloatKind::F80 {
        let leading = bits >> 63 & 1;
        let exponent = bits >> 64 & 0x7fff;
        if (exponent != 0) != (leading != 0) {
            return None;
        }
        bits >> 64 << 63 | bits & ((1 << 63) - 1)
    } else {
        bits
    };
    let negative = bits >> (m + e) & 1 == 1;
    let exponent = (bits >> m & ((1 << e) - 1)) as i32;
    let mantissa = bits & ((1u128 << m) - 1);
    let top = (1 << e) - 1;
    let special = match l.special {
        Special::Ieee if exponent == top => Some(if mantissa == 0 {
            f64::INFINITY
        } else {
            f64::NAN
        }),
        Special::NanAllOnes if exponent == top && mantissa == (1 << m) - 1 => Some(f64::NAN),
        Special::NanMinusZero if negative && exponent == 0 && mantissa == 0 => Some(f64::NAN),
        _ => None,
    };
    let magnitude = match special {
        Some(value) => value,
        None => {
            let (significand, exponent) = if exponent == 0 {
                (mantissa, 1)
            } else {
                (mantissa | 1 << m, exponent)
            };
            scale(significand, exponent - l.bias - m as i32)?
        }
    };
    Some(if negative { -magnitude } else { magnitude })
}

/// `significand * 2^exponent`, if `f64` holds it exactly.
fn scale(significand: u128, exponent: i32) -> Option<f64> {
    if significand == 0 {
        return Some(0.0);
    }
    let zeros = significand.trailing_zeros();
    let (odd, exponent) = (significand >> zeros, exponent + zeros as i32);
    if odd >= 1 << 53 || !(-1074..=1023).contains(&exponent) {
        return None;
    }
    // In two steps, since 2^-1074 times an odd number may pass through a
    // range where one factor alone is subnormal.
    let half = exponent / 2;
    let value = odd as f64 * 2f64.powi(half) * 2f64.powi(exponent - half);
    (value.is_finite() && value != 0.0).then_some(value)
}

/// Prints a literal that reads back as exactly these bits: six digits after the point where they
/// suffice, else the shortest that does, else hexadecimal.
pub(crate) fn to_text(kind: FloatKind, bits: u128) -> String {
    /// Significant digits of the short form.
    const SHORT: usize = 6;
    if let Some(value) = decode(kind, bits)
        && value.is_finite()
    {
        let reads_back = |decimal: &Decimal| {
            let read = decimal.nearest().copysign(value);
            encode(kind, read) == Some(bits)
        };
        let sign = if value.is_sign_negative() { "-" } else { "" };
        let short = Decimal::of(value.abs(), SHORT);
        if reads_back(&short) && (kind.width() <= 64 || is_short(value)) {
            return exponential(sign, &short, SHORT);
        }
        // log10(2) is about 59/196.
        let precision = 2 + significand_bits(kind) * 59 / 196;
        let decimal = Decimal::of(value.abs(), precision);
        if reads_back(&decimal)
            && let Some(text) = natural(sign, &decimal, precision)
        {
            return text;
        }
    }
    let digits = (kind.width() as usize).div_ceil(4);
    format!("0x{bits:0digits$X}")
}

/// Whether a literal of [`to_text`] is a hexadecimal bit pattern, which reads as an integer unless
/// its type follows.
pub(crate) fn is_bit_pattern(literal: &str) -> bool {
    literal.starts_with("0x")
}

/// Prints `1.250000e-01`: the digits, padded with zeros up to the precision and one more.
fn exponential(sign: &str, decimal: &Decimal, precision: usize) -> String {
    let mut text = String::with_capacity(16);
    text.push_str(sign);
    push_digits(&mut text, &decimal.digits[..1]);
    text.push('.');
    push_digits(&mut text, &decimal.digits[1..]);
    for _ in decimal.digits.len() - 1..precision {
        text.push('0');
    }
    text.push_str(if decimal.exponent < 0 { "e-" } else { "e+" });
    let size = decimal.exponent.unsigned_abs();
    if size < 10 {
        text.push('0');
    }
    // Writing to a String cannot fail.
    let _ = write!(text, "{size}");
    text
}

fn push_digits(text: &mut String, digits: &[u8]) {
    text.extend(digits.iter().copied().map(char::from));
}

/// Whether six digits are all that a number has: in a format wider than `f64` no others stand for
/// the same value as it.
fn is_short(value: f64) -> bool {
    Decimal::of(value.abs(), 40).digits.len() <= 6
}

/// Prints the digits that distinguish the values of a format: positional for small exponents, else
/// with the exponent. `None` where that has no point, so that it would read as an integer.
fn natural(sign: &str, decimal: &Decimal, precision: usize) -> Option<String> {
    /// Limit of zeros that pad a positional form.
    const MAX_PADDING: i32 = 3;
    let (digits, exponent) = (&decimal.digits[..], decimal.exponent);
    let count = digits.len() as i32;
    let padding = exponent - (count - 1);
    if (0..=MAX_PADDING).contains(&padding) && count + padding <= precision as i32 {
        return None;
    }
    let mut text = String::with_capacity(digits.len() + 8);
    text.push_str(sign);
    if padding < 0 && exponent >= 0 {
        let (whole, fraction) = digits.split_at(exponent as usize + 1);
        push_digits(&mut text, whole);
        text.push('.');
        push_digits(&mut text, fraction);
        return Some(text);
    }
    if padding < 0 && -exponent <= MAX_PADDING {
        text.push_str("0.");
        push_digits(&mut text, &b"00"[..(-exponent - 1) as usize]);
        push_digits(&mut text, digits);
        return Some(text);
    }
    let (first, rest) = digits.split_at(1);
    push_digits(&mut text, first);
    text.push('.');
    push_digits(&mut text, if rest.is_empty() { b"0" } else { rest });
    let mark = if exponent < 0 { '-' } else { '+' };
    // Writing to a String cannot fail.
    let _ = write!(text, "E{mark}{}", exponent.unsigned_abs());
    Some(text)
}

/// Bits of the significand, the hidden one included.
fn significand_bits(kind: FloatKind) -> usize {
    // The layout of f80 counts its explicit leading bit as hidden, too.
    layout(kind).mantissa_bits as usize + 1
}
