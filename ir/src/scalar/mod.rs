//! Scalar semantics: what each integer and floating-point operation computes.
//!
//! A scalar is 64 bits. Integers are kept zero-extended from their width,
//! floats as their bit pattern, `index` is 64 bits wide. Half-precision
//! formats are computed in `f32` and rounded to nearest even, which is exact
//! for single operations (double rounding cannot show: 24 ≥ 2·11 + 2).
//!
//! The interpreter and [`crate::fold`] share these functions, so a folded
//! program computes the bits of the original.

mod accumulate;
mod cast;
mod computation;
mod encoding;
mod float;
mod format;
mod int;
pub mod residue;

pub use accumulate::Accumulate;
pub use cast::Cast;
pub use computation::{Computation, ComputeFn};
use encoding::round_to_format;
pub use encoding::{decode_float, encode_float, least_normal};
pub use float::{
    FloatOp, FloatTest, FloatUnary, float_compare, float_to_int_power, fused_multiply_add,
};
pub use format::{FLOAT_FORMATS, FloatFormat};
pub use int::{DivisionError, IntOp, IntPredicate, IntUnary};

use crate::context::Context;
use crate::types::{Type, TypeKind};

/// The storage and arithmetic class of a scalar type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ScalarKind {
    /// An integer of 1 to 64 bits; `index` is 64.
    Int(u8),
    /// IEEE half precision.
    F16,
    /// bfloat16.
    BF16,
    /// 8 bits of IEEE 754's form, 5 of them of the exponent.
    F8E5M2,
    /// 8 bits of IEEE 754's form, 4 of them of the exponent.
    F8E4M3,
    /// 8 bits, 4 of them of the exponent: finite numbers and one NaN of each sign.
    F8E4M3FN,
    /// 8 bits of IEEE 754's form, 3 of them of the exponent.
    F8E3M4,
    /// 8 bits, 5 of them of the exponent: finite numbers, one zero, one NaN.
    F8E5M2FNUZ,
    /// 8 bits, 4 of them of the exponent: finite numbers, one zero, one NaN.
    F8E4M3FNUZ,
    /// 8 bits, 4 of them of the exponent, whose bias is 11: finite numbers, one zero, one NaN.
    F8E4M3B11FNUZ,
    /// 8 bits of an exponent: powers of two, the scales of OCP's microscaling formats, and one NaN.
    F8E8M0FNU,
    /// 6 bits, 3 of them of the exponent: finite numbers only.
    F6E3M2FN,
    /// 6 bits, 2 of them of the exponent: finite numbers only.
    F6E2M3FN,
    /// 4 bits, 2 of them of the exponent: finite numbers only.
    F4E2M1FN,
    /// IEEE single precision.
    F32,
    /// IEEE double precision.
    F64,
}

impl ScalarKind {
    /// Bytes an element takes in a memref: the width rounded up to a power of
    /// two bytes.
    pub fn size(self) -> usize {
        let bits = match self.row() {
            Ok(format) => format.bits(),
            Err(width) => width.into(),
        };
        bits.div_ceil(8).next_power_of_two() as usize
    }

    /// The value of a float's bit pattern; integers give their signed value.
    pub fn to_f64(self, bits: u64) -> f64 {
        match (self, self.row()) {
            (ScalarKind::F64, _) => f64::from_bits(bits),
            (ScalarKind::F32, _) => f64::from(f32::from_bits(bits as u32)),
            (_, Ok(narrow)) if narrow.bits() <= 8 => {
                let bits = bits & ((1 << narrow.bits()) - 1);
                decode_float(narrow.ty, bits.into()).unwrap_or(f64::NAN)
            }
            (_, Ok(narrow)) => small_to_f64(bits, narrow),
            (_, Err(width)) => sext(bits, width) as f64,
        }
    }

    /// The bit pattern nearest to `value` (ties to even). A format without infinities has its NaN for numbers beyond its
    /// greatest one, a format without NaNs the greatest one, and zero for NaN. `f8E8M0FNU` has NaN for negative numbers, and its
    /// least power of two for zero.
    pub fn from_f64(self, value: f64) -> u64 {
        match (self, self.row()) {
            (ScalarKind::F64, _) => value.to_bits(),
            (ScalarKind::F32, _) => u64::from((value as f32).to_bits()),
            (_, Ok(narrow)) if narrow.bits() <= 8 => round_to_format(narrow.ty, value),
            (_, Ok(narrow)) => u64::from(f64_to_small(value, narrow)),
            (_, Err(width)) => mask(value as i64 as u64, width),
        }
    }
}

/// The kind of a scalar type; `None` if these semantics do not cover it.
pub fn scalar_kind(ctx: &Context, ty: Type) -> Option<ScalarKind> {
    Some(match ty.kind(ctx) {
        TypeKind::Index => ScalarKind::Int(64),
        TypeKind::Integer {
            width: width @ 1..=64,
            ..
        } => ScalarKind::Int(*width as u8),
        TypeKind::Float(kind) => FloatFormat::of(*kind)?.kind,
        _ => return None,
    })
}

/// The low `width` bits.
pub fn mask(bits: u64, width: u8) -> u64 {
    if width >= 64 {
        bits
    } else {
        bits & ((1 << width) - 1)
    }
}

/// Sign extension from `width` bits.
pub fn sext(bits: u64, width: u8) -> i64 {
    let shift = 64 - u32::from(width.clamp(1, 64));
    ((bits << shift) as i64) >> shift
}

/// The value of the bits of a format of 16 bits. The bits of a double are put together, so that a NaN keeps
/// its payload.
fn small_to_f64(bits: u64, format: &FloatFormat) -> f64 {
    let (exp, frac) = (format.exponent_bits, format.fraction_bits);
    let sign = (bits >> (exp + frac) & 1) << 63;
    let exponent = bits >> frac & ((1 << exp) - 1);
    let fraction = bits & ((1 << frac) - 1);
    let bias = (1u64 << (exp - 1)) - 1;
    let shifted = fraction << (52 - frac);
    let magnitude = match exponent {
        // Zero and subnormals count units of 2^(1 - bias - frac), which is exact.
        0 => (fraction as f64 * 2f64.powi(1 - bias as i32 - frac as i32)).to_bits(),
        _ if exponent == (1 << exp) - 1 => 0x7ff << 52 | shifted,
        _ => (exponent + 1023 - bias) << 52 | shifted,
    };
    f64::from_bits(sign | magnitude)
}

/// Rounds to a format of 16 bits, nearest even, in one rounding.
fn f64_to_small(value: f64, format: &FloatFormat) -> u16 {
    let (exp, frac) = (format.exponent_bits, format.fraction_bits);
    let sign = u64::from(value.is_sign_negative()) << (exp + frac);
    let max_exp = (1u64 << exp) - 1;
    if value.is_nan() {
        return (sign | max_exp << frac | 1 << (frac - 1)) as u16;
    }
    if value.is_infinite() {
        return (sign | max_exp << frac) as u16;
    }
    let magnitude = value.abs();
    let bias = (1i64 << (exp - 1)) - 1;
    let bits = magnitude.to_bits();
    let unbiased = (bits >> 52) as i64 - 1023;
    if magnitude == 0.0 {
        return sign as u16;
    }
    // Subnormals have the spacing of the least normal number.
    let scale_exp = unbiased.max(1 - bias);
    // magnitude in units of the last place; exact, since powers of two are.
    let units = magnitude * 2f64.powi((i64::from(frac) - scale_exp) as i32);
    let rounded = round_even(units) as u64;
    // A carry out of the fraction moves into the exponent by itself.
    let biased = (scale_exp + bias - 1) as u64;
    let pattern = if scale_exp == 1 - bias {
        rounded
    } else {
        (biased << frac) + rounded
    };
    sign as u16 | pattern.min(max_exp << frac) as u16
}

/// Rounds to the nearest integer, ties to even.
pub fn round_even(value: f64) -> f64 {
    value.round_ties_even()
}

fn int_width(kind: ScalarKind) -> u8 {
    match kind {
        ScalarKind::Int(width) => width,
        other => (other.size() * 8) as u8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_formats_round_trip_every_pattern() {
        for format in FLOAT_FORMATS.iter().filter(|format| format.is_narrow()) {
            let kind = format.kind;
            for bits in 0..1u64 << format.bits() {
                let value = kind.to_f64(bits);
                if !value.is_nan() {
                    assert_eq!(kind.from_f64(value), bits, "{kind:?} {bits:#x}");
                }
            }
        }
    }

    /// The value of 8 bits by the definition of the formats (Micikevicius et al., "FP8 formats for deep learning",
    /// 2022): `exponent` bits of the exponent, its bias in the middle.
    fn defined(bits: u64, exponent: u32, has_infinity: bool) -> f64 {
        let fraction = 7 - exponent;
        let units = (bits & ((1 << fraction) - 1)) as f64 / f64::from(1 << fraction);
        let field = (bits >> fraction & ((1 << exponent) - 1)) as i32;
        let (bias, top) = ((1 << (exponent - 1)) - 1, (1 << exponent) - 1);
        let sign = if bits & 0x80 == 0 { 1.0 } else { -1.0 };
        let is_special = field == top && (has_infinity || bits & 0x7f == 0x7f);
        sign * match field {
            0 => units * 2f64.powi(1 - bias),
            _ if is_special && has_infinity && units == 0.0 => f64::INFINITY,
            _ if is_special => f64::NAN,
            _ => (1.0 + units) * 2f64.powi(field - bias),
        }
    }

    #[test]
    fn eight_bits_are_as_defined_and_round_to_the_nearest() {
        let formats = [
            (ScalarKind::F8E5M2, 5, true),
            (ScalarKind::F8E4M3, 4, true),
            (ScalarKind::F8E4M3FN, 4, false),
            (ScalarKind::F8E3M4, 3, true),
        ];
        for (kind, exponent, has_infinity) in formats {
            let value = |bits: u64| defined(bits, exponent, has_infinity);
            for bits in 0..=0xff {
                let (found, wanted) = (kind.to_f64(bits), value(bits));
                let is_equal =
                    found.to_bits() == wanted.to_bits() || found.is_nan() && wanted.is_nan();
                assert!(is_equal, "{kind:?} {bits:#x}: {found} is not {wanted}");
            }
            // Between neighbours the nearer one, in the middle the one with an even fraction; beyond
            // the last number by half a step the special value behind it.
            let last = (0..0x7f).filter(|&bits| value(bits).is_finite()).count() as u64 - 1;
            for bits in 0..=last {
                let low = value(bits);
                let high = match bits == last {
                    true => 2.0 * low - value(bits - 1),
                    false => value(bits + 1),
                };
                let middle = (low + high) / 2.0;
                let even = if bits % 2 == 0 { bits } else { bits + 1 };
                assert_eq!(kind.from_f64(middle), even, "{kind:?} {middle}");
                assert_eq!(
                    kind.from_f64(middle * (1.0 - 1e-9)),
                    bits,
                    "{kind:?} {middle}"
                );
                assert_eq!(
                    kind.from_f64(middle * (1.0 + 1e-9)),
                    bits + 1,
                    "{kind:?} {middle}"
                );
                assert_eq!(kind.from_f64(-low), bits | 0x80, "{kind:?} {low}");
            }
            assert!(kind.to_f64(kind.from_f64(f64::NAN)).is_nan());
            assert_eq!(kind.from_f64(f64::INFINITY), last + 1);
        }
        // The greatest numbers, from the paper's table.
        assert_eq!(ScalarKind::F8E4M3FN.to_f64(0x7e), 448.0);
        assert_eq!(ScalarKind::F8E5M2.to_f64(0x7b), 57344.0);
    }

    #[test]
    fn formats_without_infinities_are_as_defined() {
        use ScalarKind::*;
        // The least and the greatest positive number: the table of OCP's "Microscaling formats (MX) specification", 2023, and
        // for those with one zero that of MLIR's types, whose biases are 8, 16 and 11.
        let ranges = [
            (F4E2M1FN, 0.5, 6.0),
            (F6E2M3FN, 0.125, 7.5),
            (F6E3M2FN, 0.0625, 28.0),
            (F8E4M3FNUZ, 2f64.powi(-10), 240.0),
            (F8E5M2FNUZ, 2f64.powi(-17), 57344.0),
            (F8E4M3B11FNUZ, 2f64.powi(-13), 30.0),
        ];
        for (kind, least, greatest) in ranges {
            let bits = kind.float_format().expect("a float").bits();
            let last = (1 << (bits - 1)) - 1;
            assert_eq!(
                [kind.to_f64(1), kind.to_f64(last)],
                [least, greatest],
                "{kind:?}"
            );
            let has_nan = bits == 8;
            let (beyond, nan) = match has_nan {
                true => (last + 1, last + 1),
                false => (last, 0),
            };
            assert_eq!(kind.from_f64(f64::INFINITY), beyond, "{kind:?}");
            assert_eq!(kind.from_f64(greatest * 4.0), beyond, "{kind:?}");
            assert_eq!(kind.from_f64(f64::NAN), nan, "{kind:?}");
            assert_eq!(kind.to_f64(nan).is_nan(), has_nan, "{kind:?}");
            let minus_zero = if has_nan { 0 } else { last + 1 };
            assert_eq!(kind.from_f64(-0.0), minus_zero, "{kind:?}");
        }
        for (value, bits) in [
            (1.0, 127),
            (1.5, 128),
            (0.0, 0),
            (-0.0, 0),
            (1e-300, 0),
            (2f64.powi(127), 254),
            (1.5 * 2f64.powi(127), 255),
            (-1.0, 255),
            (f64::NAN, 255),
        ] {
            assert_eq!(F8E8M0FNU.from_f64(value), bits, "{value}");
        }
    }

    #[test]
    fn bfloat16_is_the_upper_half_of_single_precision() {
        for bits in 0..=u64::from(u16::MAX) {
            let single = f64::from(f32::from_bits((bits as u32) << 16));
            let found = ScalarKind::BF16.to_f64(bits);
            // The payload of a NaN is nobody's promise.
            let is_equal = found.to_bits() == single.to_bits() || found.is_nan() && single.is_nan();
            assert!(is_equal, "{bits:#x}: {found} is not {single}");
        }
    }

    #[test]
    fn half_precision_rounds_to_even_and_overflows_to_infinity() {
        let f16 = ScalarKind::F16;
        assert_eq!(f16.from_f64(1.0 + 2f64.powi(-11)), 0x3c00);
        assert_eq!(f16.from_f64(1.0 + 3.0 * 2f64.powi(-11)), 0x3c02);
        assert_eq!(f16.from_f64(65519.9), 0x7bff);
        assert_eq!(f16.from_f64(65520.0), 0x7c00);
        assert_eq!(f16.from_f64(2f64.powi(-25)), 0);
        assert_eq!(f16.from_f64(1.5 * 2f64.powi(-25)), 1);
    }
}
