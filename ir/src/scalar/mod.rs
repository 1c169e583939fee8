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
mod float;
mod format;
mod int;

pub use accumulate::Accumulate;
pub use cast::Cast;
pub use computation::{Computation, ComputeFn};
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
    /// IEEE single precision.
    F32,
    /// IEEE double precision.
    F64,
}

impl ScalarKind {
    /// Bytes an element takes in a memref: the width rounded up to a power of
    /// two bytes.
    pub fn size(self) -> usize {
        match self {
            ScalarKind::Int(width) => usize::from(width).div_ceil(8).next_power_of_two(),
            ScalarKind::F16 | ScalarKind::BF16 => 2,
            ScalarKind::F32 => 4,
            ScalarKind::F64 => 8,
        }
    }

    /// The value of a float's bit pattern; integers give their signed value.
    pub fn to_f64(self, bits: u64) -> f64 {
        match self {
            ScalarKind::Int(width) => sext(bits, width) as f64,
            ScalarKind::F16 => f64::from(f16_to_f32(bits as u16)),
            ScalarKind::BF16 => f64::from(f32::from_bits((bits as u32) << 16)),
            ScalarKind::F32 => f64::from(f32::from_bits(bits as u32)),
            ScalarKind::F64 => f64::from_bits(bits),
        }
    }

    /// The bit pattern nearest to `value` (ties to even).
    pub fn from_f64(self, value: f64) -> u64 {
        match self {
            ScalarKind::Int(width) => mask(value as i64 as u64, width),
            ScalarKind::F16 => u64::from(f64_to_small(value, 5, 10)),
            ScalarKind::BF16 => u64::from(f64_to_small(value, 8, 7)),
            ScalarKind::F32 => u64::from((value as f32).to_bits()),
            ScalarKind::F64 => value.to_bits(),
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

fn f16_to_f32(bits: u16) -> f32 {
    let sign = u32::from(bits >> 15) << 31;
    let exponent = u32::from(bits >> 10) & 0x1f;
    let fraction = u32::from(bits) & 0x3ff;
    match exponent {
        // Zero and subnormals: fraction × 2^-24 is exact in f32.
        0 => f32::from_bits(sign | (fraction as f32 * 2f32.powi(-24)).to_bits()),
        0x1f => f32::from_bits(sign | 0x7f80_0000 | fraction << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | fraction << 13),
    }
}

/// Rounds to a format of `exp` exponent bits and `frac` stored fraction bits
/// (at most 16 bits in all), nearest even, in one rounding.
fn f64_to_small(value: f64, exp: u32, frac: u32) -> u16 {
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
    fn half_precision_round_trips_every_pattern() {
        for kind in [ScalarKind::F16, ScalarKind::BF16] {
            for bits in 0..=u16::MAX {
                let value = kind.to_f64(u64::from(bits));
                if !value.is_nan() {
                    assert_eq!(kind.from_f64(value), u64::from(bits), "{kind:?} {bits:#x}");
                }
            }
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
