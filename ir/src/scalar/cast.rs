//! Conversions between scalar types.

use super::{ScalarKind, int_width, mask, sext};

/// A conversion between scalar types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cast {
    /// Truncation, or zero extension.
    IntZero,
    /// Sign extension (or truncation).
    IntSign,
    /// Between floating-point formats.
    Float,
    /// Signed integer to float.
    SignedToFloat,
    /// Unsigned integer to float.
    UnsignedToFloat,
    /// Float to signed integer, towards zero; saturates where MLIR has poison,
    /// and a NaN gives 0.
    FloatToSigned,
    /// Float to unsigned integer, towards zero; saturates where MLIR has poison,
    /// and a NaN gives 0.
    FloatToUnsigned,
    /// Reinterpretation of the bits.
    Bits,
}

impl Cast {
    /// Converts `bits` from format `from` to format `to`.
    pub fn eval(self, bits: u64, from: ScalarKind, to: ScalarKind) -> u64 {
        let from_width = int_width(from);
        let to_width = int_width(to);
        match self {
            Cast::IntZero => mask(bits, to_width),
            Cast::IntSign => mask(sext(bits, from_width) as u64, to_width),
            Cast::Float => to.from_f64(from.to_f64(bits)),
            Cast::SignedToFloat => int_to_float(sext(bits, from_width).into(), to),
            Cast::UnsignedToFloat => int_to_float(bits.into(), to),
            Cast::FloatToSigned => {
                let limit = 2f64.powi(i32::from(to_width) - 1);
                let value = from.to_f64(bits).trunc();
                let value = if value.is_nan() {
                    0
                } else if value >= limit {
                    sext(mask(u64::MAX, to_width - 1), 64)
                } else {
                    value.max(-limit) as i64
                };
                mask(value as u64, to_width)
            }
            Cast::FloatToUnsigned => {
                let limit = 2f64.powi(i32::from(to_width));
                let value = from.to_f64(bits).trunc();
                if value >= limit {
                    mask(u64::MAX, to_width)
                } else {
                    value as u64
                }
            }
            Cast::Bits => bits,
        }
    }
}

/// Converts an integer to any float format with one rounding.
fn int_to_float(value: i128, to: ScalarKind) -> u64 {
    match to {
        ScalarKind::F32 => u64::from((value as f32).to_bits()),
        ScalarKind::F64 => (value as f64).to_bits(),
        // Round to odd in f64 first, so that the second rounding is the only
        // one that counts.
        _ => {
            let mut wide = value as f64;
            if wide as i128 != value {
                let bits = wide.to_bits();
                let towards_zero = if (wide as i128).abs() > value.abs() {
                    bits - 1
                } else {
                    bits
                };
                wide = f64::from_bits(towards_zero | 1);
            }
            to.from_f64(wide)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn casts_saturate_and_extend() {
        let (i8, i32, f32) = (ScalarKind::Int(8), ScalarKind::Int(32), ScalarKind::F32);
        let bits = |v: f32| u64::from(v.to_bits());
        assert_eq!(Cast::FloatToSigned.eval(bits(-3.9), f32, i8), 0xfd);
        assert_eq!(Cast::FloatToSigned.eval(bits(300.0), f32, i8), 0x7f);
        assert_eq!(Cast::FloatToSigned.eval(bits(-300.0), f32, i8), 0x80);
        assert_eq!(Cast::FloatToUnsigned.eval(bits(300.0), f32, i8), 0xff);
        assert_eq!(Cast::FloatToUnsigned.eval(bits(-300.0), f32, i8), 0);
        for cast in [Cast::FloatToSigned, Cast::FloatToUnsigned] {
            assert_eq!(cast.eval(bits(f32::NAN), f32, i8), 0);
            assert_eq!(cast.eval(bits(-f32::NAN), f32, i32), 0);
        }
        assert_eq!(Cast::IntSign.eval(0x80, i8, i32), 0xffff_ff80);
        assert_eq!(Cast::IntZero.eval(0x80, i8, i32), 0x80);
    }
}
