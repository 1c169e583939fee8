//! Floating-point operations.

use super::{ScalarKind, round_even};
use crate::types::SpecialValues;

/// The outcomes that satisfy each predicate of `arith.cmpf`: equal (bit 0),
/// greater (1), less (2), unordered (3).
const FLOAT_PREDICATES: [u8; 16] = [
    0b0000, // false
    0b0001, // oeq
    0b0010, // ogt
    0b0011, // oge
    0b0100, // olt
    0b0101, // ole
    0b0110, // one
    0b0111, // ord
    0b1001, // ueq
    0b1010, // ugt
    0b1011, // uge
    0b1100, // ult
    0b1101, // ule
    0b1110, // une
    0b1000, // uno
    0b1111, // true
];

/// Whether `a PRED b` holds; false for a number that is no predicate.
pub fn float_compare(number: u8, a: f64, b: f64) -> bool {
    let bit = match a.partial_cmp(&b) {
        Some(std::cmp::Ordering::Equal) => 0b0001,
        Some(std::cmp::Ordering::Greater) => 0b0010,
        Some(std::cmp::Ordering::Less) => 0b0100,
        None => 0b1000,
    };
    let holds = FLOAT_PREDICATES.get(usize::from(number)).copied();
    holds.unwrap_or(0) & bit != 0
}

/// Two-operand floating-point operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // the variants are arith's and math's names
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    /// NaN wins, -0 < +0.
    Maximum,
    /// NaN wins, -0 < +0.
    Minimum,
    /// NaN loses, -0 < +0.
    MaxNum,
    /// NaN loses, -0 < +0.
    MinNum,
    Pow,
    Atan2,
    CopySign,
}

impl FloatOp {
    /// The correctly rounded result in `f32` where the operation has one.
    fn eval_f32(self, a: f32, b: f32) -> f32 {
        match self {
            FloatOp::Add => a + b,
            FloatOp::Sub => a - b,
            FloatOp::Mul => a * b,
            FloatOp::Div => a / b,
            _ => self.eval_f64(f64::from(a), f64::from(b)) as f32,
        }
    }

    fn eval_f64(self, a: f64, b: f64) -> f64 {
        match self {
            FloatOp::Add => a + b,
            FloatOp::Sub => a - b,
            FloatOp::Mul => a * b,
            FloatOp::Div => a / b,
            FloatOp::Rem => libm::fmod(a, b),
            FloatOp::Maximum if a.is_nan() || b.is_nan() => f64::NAN,
            FloatOp::Minimum if a.is_nan() || b.is_nan() => f64::NAN,
            FloatOp::Maximum | FloatOp::MaxNum if a == b => {
                if a.is_sign_negative() {
                    b
                } else {
                    a
                }
            }
            FloatOp::Minimum | FloatOp::MinNum if a == b => {
                if a.is_sign_negative() {
                    a
                } else {
                    b
                }
            }
            FloatOp::Maximum | FloatOp::MaxNum => a.max(b),
            FloatOp::Minimum | FloatOp::MinNum => a.min(b),
            FloatOp::Pow => libm::pow(a, b),
            FloatOp::Atan2 => libm::atan2(a, b),
            FloatOp::CopySign => libm::copysign(a, b),
        }
    }

    /// The result in the format of `kind`.
    pub fn eval(self, a: u64, b: u64, kind: ScalarKind) -> u64 {
        match kind {
            ScalarKind::F32 => {
                let (a, b) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
                u64::from(self.eval_f32(a, b).to_bits())
            }
            ScalarKind::F64 => self
                .eval_f64(f64::from_bits(a), f64::from_bits(b))
                .to_bits(),
            _ => {
                let (a, b) = (kind.to_f64(a) as f32, kind.to_f64(b) as f32);
                kind.from_f64(f64::from(self.eval_f32(a, b)))
            }
        }
    }
}

/// One-operand floating-point operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // the variants are arith's and math's names
pub enum FloatUnary {
    Neg,
    Abs,
    Sqrt,
    Rsqrt,
    Cbrt,
    Exp,
    Exp2,
    ExpM1,
    Log,
    Log2,
    Log10,
    Log1p,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Erf,
    Erfc,
    Floor,
    Ceil,
    Round,
    RoundEven,
    Trunc,
}

/// The bit that is the sign of every number of a format; `None` where one number has none: the only zero of some formats, all of
/// `f8E8M0FNU`.
fn sign_bit(kind: ScalarKind) -> Option<u64> {
    let format = kind.float_format()?;
    let has_one_zero = format.special == SpecialValues::NanMinusZero;
    let is_signed = kind != ScalarKind::F8E8M0FNU && !has_one_zero;
    is_signed.then(|| 1 << (format.bits() - 1))
}

impl FloatUnary {
    /// The result in the format of `kind`. Functions without a correctly
    /// rounded definition are computed in double precision and rounded once.
    pub fn eval(self, a: u64, kind: ScalarKind) -> u64 {
        match (self, sign_bit(kind)) {
            (FloatUnary::Neg, Some(sign_bit)) => return a ^ sign_bit,
            (FloatUnary::Abs, Some(sign_bit)) => return a & !sign_bit,
            _ => {}
        }
        let x = kind.to_f64(a);
        let result = match self {
            FloatUnary::Neg => -x,
            FloatUnary::Abs => x.abs(),
            FloatUnary::Sqrt => x.sqrt(),
            FloatUnary::Rsqrt => 1.0 / x.sqrt(),
            FloatUnary::Cbrt => libm::cbrt(x),
            FloatUnary::Exp => libm::exp(x),
            FloatUnary::Exp2 => libm::exp2(x),
            FloatUnary::ExpM1 => libm::expm1(x),
            FloatUnary::Log => libm::log(x),
            FloatUnary::Log2 => libm::log2(x),
            FloatUnary::Log10 => libm::log10(x),
            FloatUnary::Log1p => libm::log1p(x),
            FloatUnary::Sin => libm::sin(x),
            FloatUnary::Cos => libm::cos(x),
            FloatUnary::Tan => libm::tan(x),
            FloatUnary::Asin => libm::asin(x),
            FloatUnary::Acos => libm::acos(x),
            FloatUnary::Atan => libm::atan(x),
            FloatUnary::Sinh => libm::sinh(x),
            FloatUnary::Cosh => libm::cosh(x),
            FloatUnary::Tanh => libm::tanh(x),
            FloatUnary::Asinh => libm::asinh(x),
            FloatUnary::Acosh => libm::acosh(x),
            FloatUnary::Atanh => libm::atanh(x),
            FloatUnary::Erf => libm::erf(x),
            FloatUnary::Erfc => libm::erfc(x),
            FloatUnary::Floor => x.floor(),
            FloatUnary::Ceil => x.ceil(),
            FloatUnary::Round => x.round(),
            FloatUnary::RoundEven => round_even(x),
            FloatUnary::Trunc => x.trunc(),
        };
        kind.from_f64(result)
    }
}

/// `a * b + c`, rounded once.
pub fn fused_multiply_add(a: u64, b: u64, c: u64, kind: ScalarKind) -> u64 {
    match kind {
        ScalarKind::F64 => {
            libm::fma(f64::from_bits(a), f64::from_bits(b), f64::from_bits(c)).to_bits()
        }
        _ => {
            let (a, b, c) = (
                kind.to_f64(a) as f32,
                kind.to_f64(b) as f32,
                kind.to_f64(c) as f32,
            );
            kind.from_f64(f64::from(libm::fmaf(a, b, c)))
        }
    }
}

/// A float to an integer power, computed in double precision and rounded once.
pub fn float_to_int_power(a: u64, power: i64, kind: ScalarKind) -> u64 {
    kind.from_f64(libm::pow(kind.to_f64(a), power as f64))
}

/// Classifications of one float.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // the variants are math's names
pub enum FloatTest {
    Finite,
    Infinite,
    Nan,
    /// Neither zero, subnormal, infinite nor NaN.
    Normal,
}

impl FloatTest {
    /// Whether the bits of a float are in the class.
    pub fn holds(self, bits: u64, kind: ScalarKind) -> bool {
        let value = kind.to_f64(bits);
        match self {
            FloatTest::Finite => value.is_finite(),
            FloatTest::Infinite => value.is_infinite(),
            FloatTest::Nan => value.is_nan(),
            // The threshold is that of the format: f64 would take its
            // subnormals for normal.
            FloatTest::Normal => {
                let least = match kind.float_format() {
                    Some(format) => format.least_normal(),
                    None => f64::MIN_POSITIVE,
                };
                value.is_finite() && value.abs() >= least
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn float_predicates_have_their_numbers() {
        // The numbers as MLIR prints them for `arith.cmpf` in generic form.
        let holds = |number: u8| {
            let pairs = [(1.0, 1.0), (2.0, 1.0), (1.0, 2.0), (f64::NAN, 1.0)];
            pairs.map(|(a, b)| float_compare(number, a, b))
        };
        let (t, f) = (true, false);
        assert_eq!(holds(1), [t, f, f, f], "oeq");
        assert_eq!(holds(5), [t, f, t, f], "ole");
        assert_eq!(holds(7), [t, t, t, f], "ord");
        assert_eq!(holds(8), [t, f, f, t], "ueq");
        assert_eq!(holds(11), [f, f, t, t], "ult");
        assert_eq!(holds(13), [f, t, t, t], "une");
        assert_eq!(holds(14), [f, f, f, t], "uno");
        assert_eq!(holds(16), [f, f, f, f], "no predicate");
    }
}
