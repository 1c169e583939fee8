//! Float formats that programs compute with, one row of a table each.
//!
//! A new format is a variant of [`ScalarKind`] and a row here. Bytes, bits, rounding, types, tolerances, NumPy names,
//! the registers and the conversions of a device, and what may be mapped follow.

use super::{ScalarKind, least_normal};
use crate::types::{FloatKind, SpecialValues};

/// A binary float format: sign, exponent and fraction, and special values beside the finite numbers. `f8E8M0FNU`, the
/// scale of a block of numbers, has neither sign nor fraction.
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
    /// The exponent field of 1.
    pub bias: i32,
    /// Encodings of infinities and NaNs.
    pub special: SpecialValues,
    /// NumPy's letter for a type that holds the bits: `f`, or `u` where it has no such float.
    pub numpy: u8,
}

/// The formats, in the order of the variants of [`ScalarKind`].
pub static FLOAT_FORMATS: [FloatFormat; 15] = [
    row(ScalarKind::F16, FloatKind::F16, b'f'),
    row(ScalarKind::BF16, FloatKind::BF16, b'u'),
    row(ScalarKind::F8E5M2, FloatKind::F8E5M2, b'u'),
    row(ScalarKind::F8E4M3, FloatKind::F8E4M3, b'u'),
    row(ScalarKind::F8E4M3FN, FloatKind::F8E4M3FN, b'u'),
    row(ScalarKind::F8E3M4, FloatKind::F8E3M4, b'u'),
    row(ScalarKind::F8E5M2FNUZ, FloatKind::F8E5M2FNUZ, b'u'),
    row(ScalarKind::F8E4M3FNUZ, FloatKind::F8E4M3FNUZ, b'u'),
    row(ScalarKind::F8E4M3B11FNUZ, FloatKind::F8E4M3B11FNUZ, b'u'),
    row(ScalarKind::F8E8M0FNU, FloatKind::F8E8M0FNU, b'u'),
    row(ScalarKind::F6E3M2FN, FloatKind::F6E3M2FN, b'u'),
    row(ScalarKind::F6E2M3FN, FloatKind::F6E2M3FN, b'u'),
    row(ScalarKind::F4E2M1FN, FloatKind::F4E2M1FN, b'u'),
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
        bias: encoding.bias,
        special: encoding.special,
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
        least_normal(self.ty)
    }

    /// Bits in all.
    pub fn bits(&self) -> u32 {
        self.ty.width()
    }

    /// Whether the format has fewer bits than single precision, in which it is computed.
    pub fn is_narrow(&self) -> bool {
        self.bits() < 32
    }

    /// All formats, as a message lists them: small ones by their widths, the others by their keywords.
    pub fn names() -> String {
        let wide = FLOAT_FORMATS.iter().filter(|format| format.bits() > 8);
        let names = wide.map(|format| format.ty.keyword());
        format!(
            "floats of 4, 6 and 8 bits, {}",
            names.collect::<Vec<_>>().join(", ")
        )
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
            ScalarKind::F8E5M2FNUZ => 6,
            ScalarKind::F8E4M3FNUZ => 7,
            ScalarKind::F8E4M3B11FNUZ => 8,
            ScalarKind::F8E8M0FNU => 9,
            ScalarKind::F6E3M2FN => 10,
            ScalarKind::F6E2M3FN => 11,
            ScalarKind::F4E2M1FN => 12,
            ScalarKind::F32 => 13,
            ScalarKind::F64 => 14,
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
            let fields = 1 + format.exponent_bits + format.fraction_bits;
            let has_sign = format.kind != ScalarKind::F8E8M0FNU;
            assert_eq!(format.bits(), fields - u32::from(!has_sign), "{format:?}");
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
