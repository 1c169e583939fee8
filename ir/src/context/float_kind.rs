//! Builtin float types: the keyword and the encoding of each, one row of a table.

/// The builtin floating-point formats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)] // each variant is the format of that name
pub enum FloatKind {
    F16,
    BF16,
    TF32,
    F32,
    F64,
    F80,
    F128,
    F8E5M2,
    F8E4M3,
    F8E4M3FN,
    F8E5M2FNUZ,
    F8E4M3FNUZ,
    F8E4M3B11FNUZ,
    F8E3M4,
    F8E8M0FNU,
    F6E3M2FN,
    F6E2M3FN,
    F4E2M1FN,
}

/// Special values of a format beside its finite numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpecialValues {
    /// Infinities and NaNs in the top exponent, as IEEE 754.
    Ieee,
    /// One NaN, all ones after the sign; no infinity.
    NanAllOnes,
    /// One NaN, minus zero's pattern; no infinity, no minus zero.
    NanMinusZero,
    /// Neither NaN nor infinity.
    None,
}

/// Binary encoding of a float: sign, exponent, fraction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FloatEncoding {
    /// Width in bits.
    pub width: u32,
    /// Bits of the exponent.
    pub exponent_bits: u32,
    /// Stored bits of the fraction, without the explicit leading bit of `f80`.
    pub fraction_bits: u32,
    /// The exponent field of 1.0.
    pub bias: i32,
    /// Special values.
    pub special: SpecialValues,
}

impl FloatEncoding {
    /// An encoding of IEEE 754's form: a sign, infinities and NaNs, the bias in the middle.
    const fn ieee(exponent_bits: u32, fraction_bits: u32) -> FloatEncoding {
        let bias = (1 << (exponent_bits - 1)) - 1;
        FloatEncoding::other(exponent_bits, fraction_bits, bias, SpecialValues::Ieee)
    }

    const fn other(
        exponent_bits: u32,
        fraction_bits: u32,
        bias: i32,
        special: SpecialValues,
    ) -> FloatEncoding {
        FloatEncoding {
            width: 1 + exponent_bits + fraction_bits,
            exponent_bits,
            fraction_bits,
            bias,
            special,
        }
    }

    const fn wide(mut self, width: u32) -> FloatEncoding {
        self.width = width;
        self
    }
}

use SpecialValues::{NanAllOnes, NanMinusZero};

/// The rows, in the order of the variants.
#[rustfmt::skip] // a table
const FORMATS: [(FloatKind, &str, FloatEncoding); 18] = [
    (FloatKind::F16, "f16", FloatEncoding::ieee(5, 10)),
    (FloatKind::BF16, "bf16", FloatEncoding::ieee(8, 7)),
    (FloatKind::TF32, "tf32", FloatEncoding::ieee(8, 10)),
    (FloatKind::F32, "f32", FloatEncoding::ieee(8, 23)),
    (FloatKind::F64, "f64", FloatEncoding::ieee(11, 52)),
    // One bit more: the leading bit of the significand is explicit.
    (FloatKind::F80, "f80", FloatEncoding::ieee(15, 63).wide(80)),
    (FloatKind::F128, "f128", FloatEncoding::ieee(15, 112)),
    (FloatKind::F8E5M2, "f8E5M2", FloatEncoding::ieee(5, 2)),
    (FloatKind::F8E4M3, "f8E4M3", FloatEncoding::ieee(4, 3)),
    (FloatKind::F8E4M3FN, "f8E4M3FN", FloatEncoding::other(4, 3, 7, NanAllOnes)),
    (FloatKind::F8E5M2FNUZ, "f8E5M2FNUZ", FloatEncoding::other(5, 2, 16, NanMinusZero)),
    (FloatKind::F8E4M3FNUZ, "f8E4M3FNUZ", FloatEncoding::other(4, 3, 8, NanMinusZero)),
    (FloatKind::F8E4M3B11FNUZ, "f8E4M3B11FNUZ", FloatEncoding::other(4, 3, 11, NanMinusZero)),
    (FloatKind::F8E3M4, "f8E3M4", FloatEncoding::ieee(3, 4)),
    // A power of two, without a sign.
    (FloatKind::F8E8M0FNU, "f8E8M0FNU", FloatEncoding::other(8, 0, 127, NanAllOnes).wide(8)),
    (FloatKind::F6E3M2FN, "f6E3M2FN", FloatEncoding::other(3, 2, 3, SpecialValues::None)),
    (FloatKind::F6E2M3FN, "f6E2M3FN", FloatEncoding::other(2, 3, 1, SpecialValues::None)),
    (FloatKind::F4E2M1FN, "f4E2M1FN", FloatEncoding::other(2, 1, 1, SpecialValues::None)),
];

impl FloatKind {
    /// Every format.
    pub fn all() -> impl ExactSizeIterator<Item = FloatKind> {
        FORMATS.iter().map(|row| row.0)
    }

    /// The keyword of this format, such as `bf16`.
    pub const fn keyword(self) -> &'static str {
        FORMATS[self as usize].1
    }

    /// Width in bits.
    pub const fn width(self) -> u32 {
        self.encoding().width
    }

    /// The encoding of its values.
    pub const fn encoding(self) -> FloatEncoding {
        FORMATS[self as usize].2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_variants_and_are_as_wide_as_their_names() {
        for (at, (kind, keyword, encoding)) in FORMATS.into_iter().enumerate() {
            assert_eq!(kind as usize, at);
            let after_letters = keyword.trim_start_matches("bf").trim_start_matches("tf");
            let digits = after_letters.trim_start_matches('f');
            let end = digits.find(|c: char| !c.is_ascii_digit());
            let width: u32 = digits[..end.unwrap_or(digits.len())]
                .parse()
                .expect("a width follows the letters");
            // 1 + 8 + 10 bits, named after the 32 that they stand for.
            let width = if kind == FloatKind::TF32 { 19 } else { width };
            assert_eq!(encoding.width, width, "{keyword}");
        }
    }
}
