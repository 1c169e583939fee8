//! Float encodings: bit patterns of every float type, to and from `f64`.

use crate::types::{FloatEncoding, FloatKind, SpecialValues};

/// Encodes a value in a format, rounded to nearest, ties to even. A format without infinity and NaN
/// takes its largest number for larger ones. `None` where the format cannot represent the value: a
/// negative one in `f8E8M0FNU`, an infinity or NaN in a format without.
pub fn encode_float(kind: FloatKind, value: f64) -> Option<u128> {
    if kind == FloatKind::F64 {
        return Some(value.to_bits().into());
    }
    if kind == FloatKind::F32 {
        return Some((value as f32).to_bits().into());
    }
    if kind == FloatKind::F8E8M0FNU {
        return encode_scale(value);
    }
    let l = kind.encoding();
    let (m, e) = (l.fraction_bits, l.exponent_bits);
    let sign = u128::from(value.is_sign_negative()) << (m + e);
    let top = (1u128 << e) - 1;
    let mantissa_mask = (1u128 << m) - 1;
    let overflow = match l.special {
        SpecialValues::Ieee => Some(sign | top << m),
        SpecialValues::NanAllOnes => Some(sign | top << m | mantissa_mask),
        SpecialValues::NanMinusZero => Some(1 << (m + e)),
        SpecialValues::None => None,
    };
    let bits = if value.is_nan() {
        match l.special {
            SpecialValues::Ieee => Some(sign | top << m | 1u128 << (m - 1)),
            _ => overflow,
        }
    } else if value.is_infinite() {
        overflow
    } else {
        let rounded = round(&l, value.abs());
        let largest = match l.special {
            SpecialValues::Ieee => (top << m) - 1,
            SpecialValues::NanAllOnes => (top << m | mantissa_mask) - 1,
            SpecialValues::NanMinusZero | SpecialValues::None => top << m | mantissa_mask,
        };
        if rounded > largest && l.special == SpecialValues::None {
            Some(sign | largest)
        } else if rounded > largest {
            overflow
        } else if rounded == 0 && l.special == SpecialValues::NanMinusZero {
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

/// The bits that stand for a computed value in a format of at most 8 bits: what [`encode_float`] gives, and for values that the
/// format has not: its greatest number for infinities, zero for NaN, and the NaN of a format without a sign for negative numbers.
pub(super) fn round_to_format(kind: FloatKind, value: f64) -> u64 {
    let bits = match encode_float(kind, value) {
        Some(bits) => bits,
        None if kind == FloatKind::F8E8M0FNU => SCALE_NAN,
        None if value.is_nan() => 0,
        // Any finite number beyond the greatest one of these formats gives it.
        None => encode_float(kind, f64::MAX.copysign(value)).unwrap_or(0),
    };
    bits as u64
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
fn round(l: &FloatEncoding, value: f64) -> u128 {
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
    let drop = 64 + 52 - l.fraction_bits as i32 + (1 - biased).max(0);
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
        ((biased as u128 - 1) << l.fraction_bits) + mantissa
    } else {
        mantissa
    }
}

/// The NaN of `f8E8M0FNU`.
const SCALE_NAN: u128 = 0xff;

/// Encodes a value as a power of two: rounds to the nearest one, half up; the smallest power stands
/// for all below it.
fn encode_scale(value: f64) -> Option<u128> {
    if value.is_nan() || value.is_infinite() {
        return Some(SCALE_NAN);
    }
    if value < 0.0 {
        return None;
    }
    // Minus zero is zero.
    let bits = value.abs().to_bits();
    let fraction = bits & ((1 << 52) - 1);
    let exponent = (bits >> 52) as i64 - 1023 + 127;
    let up = fraction >= 1 << 51;
    let rounded = exponent + i64::from(up);
    Some(rounded.clamp(0, 255) as u128)
}

/// Returns the least normal number of a format, or that of `f64` for formats that reach further
/// down.
pub fn least_normal(kind: FloatKind) -> f64 {
    let l = kind.encoding();
    match kind {
        // All of its numbers are normal.
        FloatKind::F8E8M0FNU => 2f64.powi(-l.bias),
        FloatKind::F80 | FloatKind::F128 => f64::from_bits(1),
        _ => 2f64.powi(1 - l.bias),
    }
}

/// Decodes a bit pattern; `None` if `f64` cannot hold it exactly.
pub fn decode_float(kind: FloatKind, bits: u128) -> Option<f64> {
    match kind {
        FloatKind::F64 => return Some(f64::from_bits(bits as u64)),
        FloatKind::F32 => return Some(f32::from_bits(bits as u32).into()),
        FloatKind::F8E8M0FNU if bits == SCALE_NAN => return Some(f64::NAN),
        FloatKind::F8E8M0FNU => return Some(2f64.powi(bits as i32 - 127)),
        _ => {}
    }
    let l = kind.encoding();
    let (m, e) = (l.fraction_bits, l.exponent_bits);
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
        SpecialValues::Ieee if exponent == top => Some(if mantissa == 0 {
            f64::INFINITY
        } else {
            f64::NAN
        }),
        SpecialValues::NanAllOnes if exponent == top && mantissa == (1 << m) - 1 => Some(f64::NAN),
        SpecialValues::NanMinusZero if negative && exponent == 0 && mantissa == 0 => Some(f64::NAN),
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
