//! Scalar semantics: what each integer and floating-point operation computes.
//!
//! A scalar is 64 bits. Integers are kept zero-extended from their width,
//! floats as their bit pattern, `index` is 64 bits wide. Half-precision
//! formats are computed in `f32` and rounded to nearest even, which is exact
//! for single operations (double rounding cannot show: 24 ≥ 2·11 + 2).

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
    // Below the least normal the spacing stays that of the least normal.
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

/// Why an integer operation has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DivisionError {
    /// Division or remainder by zero.
    ByZero,
    /// Affine `mod` by a negative number.
    NegativeModulus,
}

/// Two-operand integer operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // the variants are arith's names
pub enum IntOp {
    Add,
    Sub,
    Mul,
    DivS,
    DivU,
    CeilDivS,
    CeilDivU,
    FloorDivS,
    RemS,
    RemU,
    And,
    Or,
    Xor,
    Shl,
    ShrS,
    ShrU,
    MinS,
    MinU,
    MaxS,
    MaxU,
    /// High half of the unsigned product.
    MulHighU,
    /// High half of the signed product.
    MulHighS,
    /// 1 if the unsigned sum overflows.
    CarryU,
    /// Affine `mod`: never negative for a positive modulus.
    Mod,
    /// `math.ipowi`
    Pow,
}

impl IntOp {
    /// The result on values of `width` bits.
    ///
    /// Faults on division by zero. What MLIR leaves undefined otherwise is
    /// defined here: arithmetic wraps, a shift by the width or more gives 0
    /// (the sign for `shrsi`).
    pub fn eval(self, a: u64, b: u64, width: u8) -> Result<u64, DivisionError> {
        let (sa, sb) = (sext(a, width), sext(b, width));
        let divides = matches!(
            self,
            IntOp::DivS
                | IntOp::DivU
                | IntOp::CeilDivS
                | IntOp::CeilDivU
                | IntOp::FloorDivS
                | IntOp::RemS
                | IntOp::RemU
                | IntOp::Mod
        );
        if divides && b == 0 {
            return Err(DivisionError::ByZero);
        }
        let wide = u32::from(width);
        let result = match self {
            IntOp::Add => a.wrapping_add(b),
            IntOp::Sub => a.wrapping_sub(b),
            IntOp::Mul => a.wrapping_mul(b),
            IntOp::DivS => sa.wrapping_div(sb) as u64,
            IntOp::DivU => a / b,
            IntOp::CeilDivU => a.div_ceil(b),
            IntOp::CeilDivS => {
                let (q, r) = (sa.wrapping_div(sb), sa.wrapping_rem(sb));
                q.wrapping_add(i64::from(r != 0 && (r < 0) == (sb < 0))) as u64
            }
            IntOp::FloorDivS => {
                let (q, r) = (sa.wrapping_div(sb), sa.wrapping_rem(sb));
                q.wrapping_sub(i64::from(r != 0 && (r < 0) != (sb < 0))) as u64
            }
            IntOp::RemS => sa.wrapping_rem(sb) as u64,
            IntOp::RemU => a % b,
            IntOp::And => a & b,
            IntOp::Or => a | b,
            IntOp::Xor => a ^ b,
            IntOp::Shl if b >= u64::from(wide) => 0,
            IntOp::Shl => a << b,
            IntOp::ShrU if b >= u64::from(wide) => 0,
            IntOp::ShrU => a >> b,
            IntOp::ShrS => (sa >> b.min(63)) as u64,
            IntOp::MinS => sa.min(sb) as u64,
            IntOp::MaxS => sa.max(sb) as u64,
            IntOp::MinU => a.min(b),
            IntOp::MaxU => a.max(b),
            IntOp::MulHighU => ((u128::from(a) * u128::from(b)) >> wide) as u64,
            IntOp::MulHighS => ((i128::from(sa) * i128::from(sb)) >> wide) as u64,
            IntOp::CarryU => u64::from((u128::from(a) + u128::from(b)) >> wide != 0),
            IntOp::Mod => {
                if sb < 0 {
                    return Err(DivisionError::NegativeModulus);
                }
                sa.rem_euclid(sb) as u64
            }
            IntOp::Pow => int_pow(sa, sb),
        };
        Ok(mask(result, width))
    }
}

/// `base` to the `exponent`, wrapping; a negative exponent gives the integer
/// part of the reciprocal (0 for |base| > 1; base 0 gives 0).
fn int_pow(base: i64, exponent: i64) -> u64 {
    if exponent < 0 {
        return match base {
            1 => 1,
            -1 if exponent % 2 == 0 => 1,
            -1 => u64::MAX,
            _ => 0,
        };
    }
    let (mut result, mut square, mut left) = (1u64, base as u64, exponent as u64);
    while left != 0 {
        if left & 1 != 0 {
            result = result.wrapping_mul(square);
        }
        square = square.wrapping_mul(square);
        left >>= 1;
    }
    result
}

/// One-operand integer operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // the variants are math's names
pub enum IntUnary {
    Abs,
    CountLeadingZeros,
    CountTrailingZeros,
    CountOnes,
}

impl IntUnary {
    /// The result on a value of `width` bits.
    pub fn eval(self, a: u64, width: u8) -> u64 {
        let wide = u32::from(width);
        let result = match self {
            IntUnary::Abs => sext(a, width).unsigned_abs(),
            IntUnary::CountLeadingZeros => u64::from(a.leading_zeros() - (64 - wide)),
            IntUnary::CountTrailingZeros => u64::from(a.trailing_zeros().min(wide)),
            IntUnary::CountOnes => u64::from(a.count_ones()),
        };
        mask(result, width)
    }
}

/// `arith.cmpi` predicates in the order of their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // the variants are arith's names
pub enum IntPredicate {
    Eq,
    Ne,
    Slt,
    Sle,
    Sgt,
    Sge,
    Ult,
    Ule,
    Ugt,
    Uge,
}

impl IntPredicate {
    /// The predicate with this number.
    pub fn from_number(number: i64) -> Option<Self> {
        use IntPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
        let all = [Eq, Ne, Slt, Sle, Sgt, Sge, Ult, Ule, Ugt, Uge];
        all.get(usize::try_from(number).ok()?).copied()
    }

    /// Whether `a PRED b` holds for values of `width` bits.
    pub fn eval(self, a: u64, b: u64, width: u8) -> bool {
        let (sa, sb) = (sext(a, width), sext(b, width));
        match self {
            IntPredicate::Eq => a == b,
            IntPredicate::Ne => a != b,
            IntPredicate::Slt => sa < sb,
            IntPredicate::Sle => sa <= sb,
            IntPredicate::Sgt => sa > sb,
            IntPredicate::Sge => sa >= sb,
            IntPredicate::Ult => a < b,
            IntPredicate::Ule => a <= b,
            IntPredicate::Ugt => a > b,
            IntPredicate::Uge => a >= b,
        }
    }
}

/// `arith.cmpf` by the predicate's number: which of equal (bit 0), greater
/// (1), less (2) and unordered (3) make it true.
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

/// Whether `a PRED b` holds; a number that is no predicate's never does.
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
    /// NaN loses.
    MaxNum,
    /// NaN loses.
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
            FloatOp::Maximum if a == b => {
                if a.is_sign_negative() {
                    b
                } else {
                    a
                }
            }
            FloatOp::Minimum if a == b => {
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

impl FloatUnary {
    /// The result in the format of `kind`. Functions without a correctly
    /// rounded definition are computed in double precision and rounded once.
    pub fn eval(self, a: u64, kind: ScalarKind) -> u64 {
        let sign_bit = 1u64 << (kind.size() * 8 - 1);
        match self {
            FloatUnary::Neg => return a ^ sign_bit,
            FloatUnary::Abs => return a & !sign_bit,
            _ => {}
        }
        let x = kind.to_f64(a);
        let result = match self {
            FloatUnary::Neg | FloatUnary::Abs => x,
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

/// Conversions between scalar types.
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
    /// Float to signed integer, towards zero; saturates where MLIR has poison.
    FloatToSigned,
    /// Float to unsigned integer, towards zero; saturates where MLIR has poison.
    FloatToUnsigned,
    /// The same bits.
    Bits,
}

impl Cast {
    /// The value in format `to` of `bits` in format `from`.
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
                let value = if value >= limit {
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

/// One rounding from a 64-bit integer to any format.
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

fn int_width(kind: ScalarKind) -> u8 {
    match kind {
        ScalarKind::Int(width) => width,
        other => (other.size() * 8) as u8,
    }
}

/// The value both operands of a commutative accumulation start from, and how
/// two values combine: the kinds of `memref.atomic_rmw` and `affine.parallel`
/// by MLIR's numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // the variants are arith's names
pub enum Accumulate {
    Float(FloatOp),
    Int(IntOp),
    /// The new value.
    Assign,
}

impl Accumulate {
    /// The kind with MLIR's `AtomicRMWKind` number.
    pub fn from_number(number: i64) -> Option<Self> {
        use Accumulate::{Assign, Float, Int};
        Some(match number {
            0 => Float(FloatOp::Add),
            1 => Int(IntOp::Add),
            2 => Int(IntOp::And),
            3 => Assign,
            4 => Float(FloatOp::Maximum),
            5 => Float(FloatOp::MaxNum),
            6 => Int(IntOp::MaxS),
            7 => Int(IntOp::MaxU),
            8 => Float(FloatOp::Minimum),
            9 => Float(FloatOp::MinNum),
            10 => Int(IntOp::MinS),
            11 => Int(IntOp::MinU),
            12 => Float(FloatOp::Mul),
            13 => Int(IntOp::Mul),
            14 => Int(IntOp::Or),
            15 => Int(IntOp::Xor),
            _ => return None,
        })
    }

    /// The neutral element.
    pub fn identity(self, kind: ScalarKind) -> u64 {
        let width = int_width(kind);
        match self {
            Accumulate::Float(op) => kind.from_f64(match op {
                FloatOp::Mul => 1.0,
                FloatOp::Maximum | FloatOp::MaxNum => f64::NEG_INFINITY,
                FloatOp::Minimum | FloatOp::MinNum => f64::INFINITY,
                _ => 0.0,
            }),
            Accumulate::Int(op) => match op {
                IntOp::Mul => 1,
                IntOp::And | IntOp::MinU => mask(u64::MAX, width),
                IntOp::MinS => mask(u64::MAX, width - 1),
                IntOp::MaxS => 1 << (width - 1),
                _ => 0,
            },
            Accumulate::Assign => 0,
        }
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

    #[test]
    fn divisions_round_as_named() {
        for a in -9i64..=9 {
            for b in (-4i64..=4).filter(|&b| b != 0) {
                let real = a as f64 / b as f64;
                let run = |op: IntOp| op.eval(mask(a as u64, 8), mask(b as u64, 8), 8);
                assert_eq!(
                    run(IntOp::FloorDivS).map(|v| sext(v, 8)),
                    Ok(real.floor() as i64)
                );
                assert_eq!(
                    run(IntOp::CeilDivS).map(|v| sext(v, 8)),
                    Ok(real.ceil() as i64)
                );
                assert_eq!(
                    run(IntOp::DivS).map(|v| sext(v, 8)),
                    Ok(real.trunc() as i64)
                );
            }
        }
        assert_eq!(IntOp::DivS.eval(1, 0, 32), Err(DivisionError::ByZero));
    }

    #[test]
    fn casts_saturate_and_extend() {
        let (i8, i32, f32) = (ScalarKind::Int(8), ScalarKind::Int(32), ScalarKind::F32);
        let bits = |v: f32| u64::from(v.to_bits());
        assert_eq!(Cast::FloatToSigned.eval(bits(-3.9), f32, i8), 0xfd);
        assert_eq!(Cast::FloatToSigned.eval(bits(300.0), f32, i8), 0x7f);
        assert_eq!(Cast::FloatToSigned.eval(bits(-300.0), f32, i8), 0x80);
        assert_eq!(Cast::FloatToUnsigned.eval(bits(300.0), f32, i8), 0xff);
        assert_eq!(Cast::IntSign.eval(0x80, i8, i32), 0xffff_ff80);
        assert_eq!(Cast::IntZero.eval(0x80, i8, i32), 0x80);
    }
}
