//! Integer operations.

use super::{mask, sext};

/// Failure of an integer division.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DivisionError {
    /// Division or remainder by zero.
    ByZero,
    /// Affine `mod`, `floordiv` or `ceildiv` by a negative number.
    NegativeDivisor,
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
    /// Affine `mod`: never negative, for a positive modulus.
    Mod,
    /// Affine `floordiv`: towards minus infinity, by a positive divisor.
    FloorDiv,
    /// Affine `ceildiv`: towards plus infinity, by a positive divisor.
    CeilDiv,
    /// `math.ipowi`
    Pow,
}

impl IntOp {
    /// The result on values of `width` bits.
    ///
    /// Fails on division by zero, and on affine division by a negative number.
    /// Other results that MLIR leaves undefined are defined here: arithmetic
    /// wraps, and a shift by the width or more gives 0 (copies of the sign for
    /// `shrsi`).
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
                | IntOp::FloorDiv
                | IntOp::CeilDiv
        );
        if divides && b == 0 {
            return Err(DivisionError::ByZero);
        }
        let is_affine = matches!(self, IntOp::Mod | IntOp::FloorDiv | IntOp::CeilDiv);
        if is_affine && sb < 0 {
            return Err(DivisionError::NegativeDivisor);
        }
        let wide = u32::from(width);
        let result = match self {
            IntOp::Add => a.wrapping_add(b),
            IntOp::Sub => a.wrapping_sub(b),
            IntOp::Mul => a.wrapping_mul(b),
            IntOp::DivS => sa.wrapping_div(sb) as u64,
            IntOp::DivU => a / b,
            IntOp::CeilDivU => a.div_ceil(b),
            IntOp::CeilDivS | IntOp::CeilDiv => {
                let (q, r) = (sa.wrapping_div(sb), sa.wrapping_rem(sb));
                q.wrapping_add(i64::from(r != 0 && (r < 0) == (sb < 0))) as u64
            }
            IntOp::FloorDivS | IntOp::FloorDiv => {
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
            IntOp::Mod => sa.rem_euclid(sb) as u64,
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

/// Predicates of `arith.cmpi` in the order of their numbers.
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

    /// Number of the predicate, as attributes hold it.
    pub fn number(self) -> i64 {
        self as i64
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

    /// Decides `a PRED b` for all `a` in the range `from..=to`, which is
    /// ordered as signed or as unsigned integers. `None` if it depends on `a`,
    /// or if the predicate is of the other signedness.
    pub fn decide(self, [from, to]: [u64; 2], b: u64, signed: bool, width: u8) -> Option<bool> {
        use IntPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt, Ule};
        match self {
            Eq | Ne => {
                let at_most = if signed { Sle } else { Ule };
                let inside = at_most.eval(from, b, width) && at_most.eval(b, to, width);
                match inside {
                    false => Some(self == Ne),
                    true => (from == to).then_some(self == Eq),
                }
            }
            _ if matches!(self, Slt | Sle | Sgt | Sge) != signed => None,
            _ => {
                let holds = self.eval(from, b, width);
                (holds == self.eval(to, b, width)).then_some(holds)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
