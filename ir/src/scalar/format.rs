//! Float formats that programs compute with, one row of a table each.
//!
//! A new format is a variant of [`ScalarKind`] and a row here. Bytes, bits, rounding, types, tolerances, NumPy names,
//! the registers and the conversions of a device, and what may be mapped follow.

use super::ScalarKind;
use crate::types::{FloatKind, SpecialValues};

/// A binary float format of IEEE 754's shape: sign, exponent with its bias in the middle, fraction, with NaNs and, but
/// for finite ones, infinities.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FloatFormat {
    /// The class of its scalars.
    pub kind: ScalarKind,
    /// The type.
    pub ty: FloatKind,
    /// Bits of the exponent.
    pub exponent_bits: u32,
    /// Stored bits of the fraction.
    pub fraction_bits: u32,
    /// Whether the format has no infinities: its only NaNs are all ones.
    pub is_finite: bool,
    /// NumPy's letter for a type that holds the bits: `f`, or `u` where it has no such float.
    pub numpy: u8,
}

/// The formats, in the order of the variants of [`ScalarKind`].
pub static FLOAT_FORMATS: [FloatFormat; 8] = [
    row(ScalarKind::F16, FloatKind::F16, b'f'),
    row(ScalarKind::BF16, FloatKind::BF16, b'u'),
    row(ScalarKind::F8E5M2, FloatKind::F8E5M2, b'u'),
    row(ScalarKind::F8E4M3, FloatKind::F8E4M3, b'u'),
    row(ScalarKind::F8E4M3FN, FloatKind::F8E4M3FN, b'u'),
    row(ScalarKind::F8E3M4, FloatKind::F8E3M4, b'u'),
    row(ScalarKind::F32, FloatKind::F32, b'f'),
    row(ScalarKind::F64, FloatKind::F64, b'f'),
];

const fn row(kind: ScalarKind, ty: FloatKind, numpy: u8) -> FloatFormat {
    let encoding = ty.encoding();
    FloatFormat {
        kind,
        ty,
        exponent_bits: encoding.exponent_bits,
        fraction_bits: encoding.fraction_bits,
        is_finite: matches!(encoding.special, SpecialValues::NanAllOnes),
        numpy,
    }
}

impl FloatFormat {
    /// The format of a type, if programs compute with it.
    pub fn of(ty: FloatKind) -> Option<&'static FloatFormat> {
        FLOAT_FORMATS.iter().find(|format| format.ty == ty)
    }

    /// Bits of the significand, the hidden one included: integers of so many bits are exact.
    pub fn precision(&self) -> u32 {
        self.fraction_bits + 1
    }

    /// The distance from 1 to the next number.
    pub fn epsilon(&self) -> f64 {
        // Fractions have at most 52 bits.
        2f64.powi(-(self.fraction_bits as i32))
    }

    /// The least positive number that is not subnormal.
    pub fn least_normal(&self) -> f64 {
        // Exponents have at most 11 bits.
        2f64.powi(2 - (1 << (self.exponent_bits - 1)))
    }

    /// Bits in all: sign, exponent and stored fraction.
    pub fn bits(&self) -> u32 {
        1 + self.exponent_bits + self.fraction_bits
    }

    /// Whether the format has fewer bits than single precision, in which it is computed.
    pub fn is_narrow(&self) -> bool {
        self.bits() < 32
    }

    /// The keywords of all formats, as a message lists them: `f16, bf16, f8E5M2, …, f64`.
    pub fn names() -> String {
        let names = FLOAT_FORMATS.iter().map(|format| format.ty.keyword());
        names.collect::<Vec<_>>().join(", ")
    }
}

impl ScalarKind {
    /// The format of a float; `None` for integers.
    pub fn float_format(self) -> Option<&'static FloatFormat> {
        self.row().ok()
    }

    /// The row of a float, or the width of an integer. An array look-up, since conversions of elements ask for it.
    pub(super) fn row(self) -> Result<&'static FloatFormat, u8> {
        let row = match self {
            ScalarKind::Int(width) => return Err(width),
            ScalarKind::F16 => 0,
            ScalarKind::BF16 => 1,
            ScalarKind::F8E5M2 => 2,
            ScalarKind::F8E4M3 => 3,
            ScalarKind::F8E4M3FN => 4,
            ScalarKind::F8E3M4 => 5,
            ScalarKind::F32 => 6,
            ScalarKind::F64 => 7,
        };
        Ok(&FLOAT_FORMATS[row])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_agree_with_their_types_and_with_ieee_754() {
        for format in &FLOAT_FORMATS {
            assert_eq!(format.bits(), format.ty.width(), "{format:?}");
            assert_eq!(format.kind.row(), Ok(format));
        }
        let of = |kind: ScalarKind| *kind.float_format().expect("a float");
        let double = of(ScalarKind::F64);
        assert_eq!(double.epsilon(), f64::EPSILON);
        assert_eq!(double.least_normal(), f64::MIN_POSITIVE);
        assert_eq!(double.precision(), f64::MANTISSA_DIGITS);
        let single = of(ScalarKind::F32);
        assert_eq!(single.epsilon(), f64::from(f32::EPSILON));
        assert_eq!(single.least_normal(), f64::from(f32::MIN_POSITIVE));
        // The least normal numbers of half precision and bfloat16.
        assert_eq!(of(ScalarKind::F16).least_normal(), 6.103515625e-5);
        assert_eq!(of(ScalarKind::BF16).least_normal(), single.least_normal());
        assert!(of(ScalarKind::BF16).is_narrow() && !single.is_narrow());
        assert_eq!(ScalarKind::Int(32).float_format(), None);
    }
}
