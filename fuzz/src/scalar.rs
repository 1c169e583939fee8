//! What each scalar operation computes, written down from MLIR's documents and from this project's
//! choices where MLIR leaves them open: shifts and divisions that MLIR leaves undefined have no
//! value here, conversions to integers saturate, and NaN becomes 0.
//!
//! Values are bits. Floats of 16 bits are computed in double precision, which
//! is wide enough to round once ([S. Figueroa, "When is double rounding innocuous?", 1995]).

use crate::program::{Bin, Cast, FloatPred, IntPred};
use crate::types::Scalar;

/// Reason why an operation has no value.
pub type NoValue = &'static str;

/// The signed integer with these bits.
pub fn signed(bits: u64, ty: Scalar) -> i64 {
    let shift = 64 - ty.width();
    ((bits << shift) as i64) >> shift
}

/// The number of a float's bits.
pub fn to_f64(bits: u64, ty: Scalar) -> f64 {
    match ty {
        Scalar::F64 => f64::from_bits(bits),
        Scalar::F32 => f64::from(f32::from_bits(bits as u32)),
        Scalar::BF16 => f64::from(f32::from_bits((bits as u32) << 16)),
        _ => unpack(bits, 10, 5),
    }
}

/// The nearest float of this type, ties to even.
pub fn from_f64(value: f64, ty: Scalar) -> u64 {
    match ty {
        Scalar::F64 => value.to_bits(),
        Scalar::F32 => u64::from((value as f32).to_bits()),
        Scalar::BF16 => pack(value, 7, 8),
        _ => pack(value, 10, 5),
    }
}

/// Decodes a float of `fraction` and `exponent` bits.
fn unpack(bits: u64, fraction: u32, exponent: u32) -> f64 {
    let sign = if bits >> (fraction + exponent) & 1 == 1 {
        -1.0
    } else {
        1.0
    };
    let bias = (1i32 << (exponent - 1)) - 1;
    let field = (bits >> fraction & ((1 << exponent) - 1)) as i32;
    let mantissa = (bits & ((1 << fraction) - 1)) as f64 / (1u64 << fraction) as f64;
    if field == (1 << exponent) - 1 {
        return if mantissa == 0.0 {
            sign * f64::INFINITY
        } else {
            f64::NAN
        };
    }
    match field {
        0 => sign * mantissa * 2f64.powi(1 - bias),
        _ => sign * (1.0 + mantissa) * 2f64.powi(field - bias),
    }
}

/// Encodes a number as the nearest float of `fraction` and `exponent` bits.
fn pack(value: f64, fraction: u32, exponent: u32) -> u64 {
    let sign = u64::from(value.is_sign_negative()) << (fraction + exponent);
    let infinity = ((1u64 << exponent) - 1) << fraction;
    if value.is_nan() {
        return infinity | 1 << (fraction - 1);
    }
    let magnitude = value.abs();
    if magnitude.is_infinite() {
        return sign | infinity;
    }
    let bias = (1i32 << (exponent - 1)) - 1;
    // The unit in the last place is a power of two, so that the division is exact.
    let field = (magnitude.to_bits() >> 52) as i32 - 1023;
    let scale = field.max(1 - bias);
    let units = (magnitude / 2f64.powi(scale - fraction as i32)).round_ties_even() as u64;
    // A carry out of the fraction increments the exponent, up to infinity.
    let below = if field < 1 - bias {
        0
    } else {
        ((field + bias - 1) as u64) << fraction
    };
    sign | (below + units).min(infinity)
}

/// Computes `a OP b` in the type `ty`.
///
/// # Errors
/// The undefined behaviour, by MLIR's documents.
pub fn binary(op: Bin, a: u64, b: u64, ty: Scalar) -> Result<u64, NoValue> {
    if ty.is_float() {
        return float_binary(op, a, b, ty);
    }
    let (x, y) = (signed(a, ty), signed(b, ty));
    let (wide_x, wide_y) = (i128::from(x), i128::from(y));
    let divides = matches!(
        op,
        Bin::DivSI | Bin::DivUI | Bin::CeilDivSI | Bin::FloorDivSI | Bin::RemSI | Bin::RemUI
    );
    if divides && b == 0 {
        return Err("division by zero");
    }
    let is_signed = matches!(
        op,
        Bin::DivSI | Bin::CeilDivSI | Bin::FloorDivSI | Bin::RemSI
    );
    let quotient = |round: i128| -> Result<u64, NoValue> {
        let result = wide_x / wide_y + round;
        match signed(result as u64 & ty.mask(), ty) == result as i64 && ty != Scalar::I1 {
            true => Ok(result as u64),
            false => Err("the quotient does not fit"),
        }
    };
    if is_signed && ty == Scalar::I1 {
        return Err("signed division of booleans");
    }
    let inexact = is_signed && x.wrapping_rem(y) != 0;
    let result = match op {
        Bin::AddI => a.wrapping_add(b),
        Bin::SubI => a.wrapping_sub(b),
        Bin::MulI => a.wrapping_mul(b),
        Bin::DivSI => quotient(0)?,
        Bin::FloorDivSI => quotient(-i128::from(inexact && (x < 0) != (y < 0)))?,
        Bin::CeilDivSI => quotient(i128::from(inexact && (x < 0) == (y < 0)))?,
        Bin::RemSI if wide_x / wide_y > i128::from(i64::MAX) => return Err("overflow in remsi"),
        Bin::RemSI => (wide_x % wide_y) as u64,
        Bin::DivUI => a / b,
        Bin::RemUI => a % b,
        Bin::AndI => a & b,
        Bin::OrI => a | b,
        Bin::XorI => a ^ b,
        Bin::ShlI | Bin::ShrSI | Bin::ShrUI if b >= u64::from(ty.width()) => {
            return Err("shift by the width or more");
        }
        Bin::ShlI => a << b,
        Bin::ShrSI => (x >> b) as u64,
        Bin::ShrUI => a >> b,
        Bin::MinSI => x.min(y) as u64,
        Bin::MaxSI => x.max(y) as u64,
        Bin::MinUI => a.min(b),
        Bin::MaxUI => a.max(b),
        _ => return Err("a float operation on integers"),
    };
    Ok(result & ty.mask())
}

fn float_binary(op: Bin, a: u64, b: u64, ty: Scalar) -> Result<u64, NoValue> {
    let (x, y) = (to_f64(a, ty), to_f64(b, ty));
    if ty == Scalar::F32 {
        // Products and sums of f32 do not always fit a double exactly.
        let (x, y) = (x as f32, y as f32);
        let exact = match op {
            Bin::AddF => Some(x + y),
            Bin::SubF => Some(x - y),
            Bin::MulF => Some(x * y),
            Bin::DivF => Some(x / y),
            Bin::RemF => Some(x % y),
            _ => None,
        };
        if let Some(value) = exact {
            return Ok(u64::from(value.to_bits()));
        }
    }
    // Here -0 is less than +0.
    let less = x < y || (x == y && x.is_sign_negative() && y.is_sign_positive());
    let value = match op {
        Bin::AddF => x + y,
        Bin::SubF => x - y,
        Bin::MulF => x * y,
        Bin::DivF => x / y,
        Bin::RemF => x % y,
        Bin::MaximumF | Bin::MinimumF if x.is_nan() || y.is_nan() => f64::NAN,
        Bin::MaximumF => {
            if less {
                y
            } else {
                x
            }
        }
        Bin::MinimumF => {
            if less {
                x
            } else {
                y
            }
        }
        _ => return Err("an integer operation on floats"),
    };
    Ok(from_f64(value, ty))
}

/// Computes `-a`, which flips the sign, also of NaN.
pub fn negated(a: u64, ty: Scalar) -> u64 {
    a ^ 1 << (ty.width() - 1)
}

/// Whether `a PRED b`.
pub fn compare_ints(pred: IntPred, a: u64, b: u64, ty: Scalar) -> bool {
    let (x, y) = (signed(a, ty), signed(b, ty));
    match pred {
        IntPred::Eq => a == b,
        IntPred::Ne => a != b,
        IntPred::Slt => x < y,
        IntPred::Sle => x <= y,
        IntPred::Sgt => x > y,
        IntPred::Sge => x >= y,
        IntPred::Ult => a < b,
        IntPred::Ule => a <= b,
        IntPred::Ugt => a > b,
        IntPred::Uge => a >= b,
    }
}

/// Whether `a PRED b`.
pub fn compare_floats(pred: FloatPred, a: u64, b: u64, ty: Scalar) -> bool {
    let (x, y) = (to_f64(a, ty), to_f64(b, ty));
    let unordered = x.is_nan() || y.is_nan();
    match pred {
        FloatPred::Oeq => x == y,
        FloatPred::Ogt => x > y,
        FloatPred::Oge => x >= y,
        FloatPred::Olt => x < y,
        FloatPred::Ole => x <= y,
        FloatPred::One => !unordered && x != y,
        FloatPred::Ord => !unordered,
        FloatPred::Ueq => unordered || x == y,
        FloatPred::Ugt => unordered || x > y,
        FloatPred::Uge => unordered || x >= y,
        FloatPred::Ult => unordered || x < y,
        FloatPred::Ule => unordered || x <= y,
        FloatPred::Une => unordered || x != y,
        FloatPred::Uno => unordered,
    }
}

/// Converts `a` from type `from` to type `to`.
pub fn convert(cast: Cast, a: u64, from: Scalar, to: Scalar) -> u64 {
    let saturated = |low: f64, high: f64, low_int: i128, high_int: i128| -> u64 {
        let value = to_f64(a, from).trunc();
        if value.is_nan() {
            0
        } else if value <= low {
            low_int as u64
        } else if value >= high {
            high_int as u64
        } else {
            value as i128 as u64
        }
    };
    let width = to.width() as i32;
    let bits = match cast {
        Cast::ExtSI | Cast::IndexCast => signed(a, from) as u64,
        Cast::ExtUI | Cast::TruncI | Cast::IndexCastUI => a,
        Cast::SIToFP => return int_to_float(i128::from(signed(a, from)), to),
        Cast::UIToFP => return int_to_float(i128::from(a), to),
        Cast::ExtF | Cast::TruncF => return from_f64(to_f64(a, from), to),
        Cast::FPToSI => {
            let limit = 2f64.powi(width - 1);
            let high = (1i128 << (width - 1)) - 1;
            saturated(-limit, limit, -high - 1, high)
        }
        Cast::FPToUI => saturated(0.0, 2f64.powi(width), 0, (1i128 << width) - 1),
    };
    bits & to.mask()
}

/// The float nearest to an integer of up to 64 bits, rounded once.
fn int_to_float(value: i128, to: Scalar) -> u64 {
    match to {
        Scalar::F64 => (value as f64).to_bits(),
        Scalar::F32 => u64::from((value as f32).to_bits()),
        _ => {
            // What lies below 20 significant bits counts only as a sticky bit for formats this narrow.
            let magnitude = value.unsigned_abs();
            let drop = (128 - magnitude.leading_zeros()).saturating_sub(20);
            let kept = magnitude >> drop;
            let sticky = u128::from(kept << drop != magnitude);
            let exact = (kept | sticky) as f64 * 2f64.powi(drop as i32);
            from_f64(if value < 0 { -exact } else { exact }, to)
        }
    }
}

/// Whether two values are equal: bit for bit, but any NaN equals any other.
pub fn same(a: u64, b: u64, ty: Scalar) -> bool {
    a == b || (ty.is_float() && to_f64(a, ty).is_nan() && to_f64(b, ty).is_nan())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_floats_round_to_even_and_overflow() {
        // Encodings of IEEE 754 binary16 and of bfloat16.
        for (value, bits) in [
            (1.0, 0x3c00),
            (-2.0, 0xc000),
            (65504.0, 0x7bff),
            (65519.99, 0x7bff),
            (65520.0, 0x7c00),
            (2f64.powi(-24), 1),
            (2f64.powi(-25), 0),
            (2f64.powi(-25) * 1.5, 1),
            (2f64.powi(-14), 0x400),
            (1.0 + 2f64.powi(-11), 0x3c00),
            (1.0 + 3.0 * 2f64.powi(-11), 0x3c02),
            (-0.0, 0x8000),
        ] {
            assert_eq!(from_f64(value, Scalar::F16), bits, "{value}");
        }
        assert_eq!(from_f64(1.0 + 2f64.powi(-8), Scalar::BF16), 0x3f80);
        assert_eq!(from_f64(3.0e38, Scalar::BF16), 0x7f62);
        assert_eq!(from_f64(f64::from(f32::MAX), Scalar::BF16), 0x7f80);
    }

    #[test]
    fn half_floats_are_what_they_encode() {
        for ty in [Scalar::F16, Scalar::BF16] {
            for bits in 0..=0xffffu64 {
                let value = to_f64(bits, ty);
                assert!(same(from_f64(value, ty), bits, ty), "{bits:x} {ty}");
            }
        }
    }

    #[test]
    fn integers_become_floats_in_one_rounding() {
        // 2049 * 2^30 lies between two f16 of 11 bits, a little above a tie.
        assert_eq!(
            int_to_float(2049, Scalar::F16),
            from_f64(2048.0, Scalar::F16)
        );
        let above_tie = (257i128 << 40) + 1;
        assert_eq!(
            int_to_float(above_tie, Scalar::BF16),
            from_f64(258.0 * 2f64.powi(40), Scalar::BF16)
        );
        assert_eq!(
            int_to_float(257i128 << 40, Scalar::BF16),
            from_f64(256.0 * 2f64.powi(40), Scalar::BF16)
        );
    }

    #[test]
    fn conversions_to_integers_saturate() {
        let f = |value: f32| u64::from(value.to_bits());
        let to = |cast, value, ty| convert(cast, f(value), Scalar::F32, ty);
        assert_eq!(to(Cast::FPToSI, 1e10, Scalar::I32), 0x7fff_ffff);
        assert_eq!(to(Cast::FPToSI, -1e10, Scalar::I32), 0x8000_0000);
        assert_eq!(to(Cast::FPToSI, f32::NAN, Scalar::I32), 0);
        assert_eq!(to(Cast::FPToUI, -1.5, Scalar::I8), 0);
        assert_eq!(to(Cast::FPToUI, 255.9, Scalar::I8), 255);
        assert_eq!(to(Cast::FPToSI, -3.9, Scalar::I8), 0xfd);
    }
}
