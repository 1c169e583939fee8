//! Wide integers: arithmetic on integers of any width.

use crate::arith;
use gridloom_ir::op::OpName;
use gridloom_ir::scalar::IntPredicate;

/// Wide integer in two's complement: little-endian words, zero above the width.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Wide {
    pub(super) words: Vec<u64>,
    pub(super) width: u32,
}

impl Wide {
    /// The low `width` bits.
    pub(super) fn new(mut words: Vec<u64>, width: u32) -> Wide {
        words.resize(width.div_ceil(64) as usize, 0);
        if let Some(top) = words.last_mut().filter(|_| !width.is_multiple_of(64)) {
            *top &= (1 << (width % 64)) - 1;
        }
        Wide { words, width }
    }

    /// The least signed number of a width.
    pub(super) fn least(width: u32) -> Wide {
        let mut least = Wide::new(Vec::new(), width);
        if let Some(top) = least.words.last_mut() {
            *top = 1 << (width.saturating_sub(1) % 64);
        }
        least
    }

    /// Resizes to `width` bits: truncates, or sign- or zero-extends.
    pub(super) fn resized(&self, width: u32, signed: bool) -> Wide {
        let mut wide = Wide::new(self.words.clone(), width);
        if signed && self.is_negative() {
            for bit in self.width..width {
                wide.words[bit as usize / 64] |= 1 << (bit % 64);
            }
        }
        wide
    }

    /// Whether a bit is set.
    pub(super) fn bit(&self, bit: u32) -> bool {
        self.words[bit as usize / 64] >> (bit % 64) & 1 == 1
    }

    /// Whether the sign bit is set.
    pub(super) fn is_negative(&self) -> bool {
        self.width > 0 && self.bit(self.width - 1)
    }

    pub(super) fn is_zero(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    fn map(&self, other: &Wide, f: impl Fn(u64, u64) -> u64) -> Wide {
        let words = self.words.iter().zip(&other.words).map(|(&a, &b)| f(a, b));
        Wide::new(words.collect(), self.width)
    }

    /// Bitwise complement.
    pub(super) fn not(&self) -> Wide {
        self.map(self, |a, _| !a)
    }

    fn add(&self, other: &Wide) -> Wide {
        let mut carry = false;
        let words = self.words.iter().zip(&other.words).map(|(&a, &b)| {
            let (sum, first) = a.overflowing_add(b);
            let (sum, second) = sum.overflowing_add(carry.into());
            carry = first || second;
            sum
        });
        let words = words.collect();
        Wide::new(words, self.width)
    }

    /// Two's-complement negation.
    pub(super) fn negated(&self) -> Wide {
        self.not().add(&Wide::new(vec![1], self.width))
    }

    fn mul(&self, other: &Wide) -> Wide {
        let count = self.words.len();
        let mut words = vec![0u64; count];
        for (i, &a) in self.words.iter().enumerate() {
            let mut carry = 0u128;
            for (j, &b) in other.words.iter().enumerate().take(count - i) {
                let sum = u128::from(a) * u128::from(b) + u128::from(words[i + j]) + carry;
                words[i + j] = sum as u64;
                carry = sum >> 64;
            }
        }
        Wide::new(words, self.width)
    }

    /// Unsigned quotient and remainder by long division; the divisor must not
    /// be 0.
    fn div_rem(&self, other: &Wide) -> (Wide, Wide) {
        // One more bit, so that the doubled remainder fits.
        let divisor = other.resized(self.width + 1, false);
        let mut rest = Wide::new(Vec::new(), self.width + 1);
        let mut quotient = Wide::new(Vec::new(), self.width);
        let minus = divisor.negated();
        for bit in (0..self.width).rev() {
            rest = rest.add(&rest);
            rest.words[0] |= u64::from(self.bit(bit));
            if rest.compare(&divisor, IntPredicate::Uge) {
                rest = rest.add(&minus);
                quotient.words[bit as usize / 64] |= 1 << (bit % 64);
            }
        }
        (quotient, rest.resized(self.width, false))
    }

    /// Signed quotient and remainder, truncating; `None` if the quotient
    /// overflows.
    fn signed_div_rem(&self, other: &Wide) -> Option<(Wide, Wide)> {
        let magnitude = |value: &Wide| match value.is_negative() {
            true => value.negated(),
            false => value.clone(),
        };
        let (quotient, rest) = magnitude(self).div_rem(&magnitude(other));
        let negative = self.is_negative() != other.is_negative();
        if !negative && quotient.is_negative() {
            return None;
        }
        let quotient = if negative {
            quotient.negated()
        } else {
            quotient
        };
        let rest = if self.is_negative() {
            rest.negated()
        } else {
            rest
        };
        Some((quotient, rest))
    }

    fn shifted(&self, amount: &Wide, left: bool, signed: bool) -> Option<Wide> {
        let count = u32::try_from(amount.words[0]).ok()?;
        let fits = count < self.width && amount.words[1..].iter().all(|&word| word == 0);
        let mut result = Wide::new(Vec::new(), self.width);
        for bit in (0..self.width).filter(|_| fits) {
            let from = if left {
                bit.checked_sub(count)
            } else {
                Some(bit + count)
            };
            let set = match from {
                Some(from) if from < self.width => self.bit(from),
                Some(_) => signed && self.is_negative(),
                None => false,
            };
            result.words[bit as usize / 64] |= u64::from(set) << (bit % 64);
        }
        fits.then_some(result)
    }

    /// Compares two integers of equal width.
    pub(super) fn compare(&self, other: &Wide, predicate: IntPredicate) -> bool {
        use IntPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
        let unsigned = self.words.iter().rev().cmp(other.words.iter().rev());
        // Operands of equal sign compare alike in both orders.
        let signed = match (self.is_negative(), other.is_negative()) {
            (true, false) => std::cmp::Ordering::Less,
            (false, true) => std::cmp::Ordering::Greater,
            _ => unsigned,
        };
        match predicate {
            Eq => unsigned.is_eq(),
            Ne => unsigned.is_ne(),
            Slt => signed.is_lt(),
            Sle => signed.is_le(),
            Sgt => signed.is_gt(),
            Sge => signed.is_ge(),
            Ult => unsigned.is_lt(),
            Ule => unsigned.is_le(),
            Ugt => unsigned.is_gt(),
            Uge => unsigned.is_ge(),
        }
    }

    /// Evaluates a binary operation of `arith`; `None` where the result is undefined.
    pub(super) fn eval(&self, name: OpName, other: &Wide) -> Option<Wide> {
        let pick = |predicate| match self.compare(other, predicate) {
            true => self.clone(),
            false => other.clone(),
        };
        let one = || Wide::new(vec![1], self.width);
        let signed = || (!other.is_zero()).then(|| self.signed_div_rem(other))?;
        let unsigned = || (!other.is_zero()).then(|| self.div_rem(other));
        let apart = self.is_negative() != other.is_negative();
        Some(match name {
            arith::ADDI => self.add(other),
            arith::SUBI => self.add(&other.negated()),
            arith::MULI => self.mul(other),
            arith::ANDI => self.map(other, |a, b| a & b),
            arith::ORI => self.map(other, |a, b| a | b),
            arith::XORI => self.map(other, |a, b| a ^ b),
            arith::SHLI => self.shifted(other, true, false)?,
            arith::SHRUI => self.shifted(other, false, false)?,
            arith::SHRSI => self.shifted(other, false, true)?,
            arith::MINSI => pick(IntPredicate::Slt),
            arith::MAXSI => pick(IntPredicate::Sgt),
            arith::MINUI => pick(IntPredicate::Ult),
            arith::MAXUI => pick(IntPredicate::Ugt),
            arith::DIVUI => unsigned()?.0,
            arith::REMUI => unsigned()?.1,
            arith::DIVSI => signed()?.0,
            arith::REMSI => signed()?.1,
            arith::CEILDIVUI => match unsigned()? {
                (quotient, rest) if rest.is_zero() => quotient,
                (quotient, _) => quotient.add(&one()),
            },
            arith::CEILDIVSI => match signed()? {
                (quotient, rest) if rest.is_zero() || apart => quotient,
                (quotient, _) => quotient.add(&one()),
            },
            arith::FLOORDIVSI => match signed()? {
                (quotient, rest) if rest.is_zero() || !apart => quotient,
                (quotient, _) => quotient.add(&one().negated()),
            },
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridloom_ir::scalar::{IntOp, mask};

    /// Against the arithmetic of registers, in every width that they hold.
    #[test]
    fn narrow_ones_compute_as_registers_do() {
        let names = [
            (arith::ADDI, IntOp::Add),
            (arith::SUBI, IntOp::Sub),
            (arith::MULI, IntOp::Mul),
            (arith::DIVUI, IntOp::DivU),
            (arith::REMUI, IntOp::RemU),
            (arith::DIVSI, IntOp::DivS),
            (arith::REMSI, IntOp::RemS),
            (arith::CEILDIVUI, IntOp::CeilDivU),
            (arith::CEILDIVSI, IntOp::CeilDivS),
            (arith::FLOORDIVSI, IntOp::FloorDivS),
            (arith::SHLI, IntOp::Shl),
            (arith::SHRSI, IntOp::ShrS),
            (arith::SHRUI, IntOp::ShrU),
            (arith::MINSI, IntOp::MinS),
            (arith::MAXUI, IntOp::MaxU),
            (arith::XORI, IntOp::Xor),
        ];
        let numbers = [
            0,
            1,
            2,
            3,
            7,
            63,
            100,
            u64::MAX,
            u64::MAX - 6,
            1 << 62,
            1 << 63,
            0x1234_5678_9abc,
        ];
        for width in [3u8, 8, 31, 64] {
            for (a, b) in numbers.iter().flat_map(|a| numbers.map(|b| (*a, b))) {
                let (a, b) = (mask(a, width), mask(b, width));
                let [x, y] = [a, b].map(|bits| Wide::new(vec![bits], width.into()));
                for (name, op) in names {
                    let Some(found) = x.eval(name, &y) else {
                        continue;
                    };
                    assert_eq!(
                        Ok(found.words[0]),
                        op.eval(a, b, width),
                        "{op:?} {a} {b} i{width}"
                    );
                }
                for number in 0..10 {
                    let predicate = IntPredicate::from_number(number).unwrap();
                    assert_eq!(x.compare(&y, predicate), predicate.eval(a, b, width));
                }
            }
        }
    }

    /// Against `i128` and `u128`.
    #[test]
    fn wide_ones_compute_as_128_bits_do() {
        let numbers = [
            0u128,
            1,
            5,
            u128::MAX,
            1 << 127,
            1 << 64,
            (1 << 64) - 1,
            u128::MAX - 3,
            1 << 100 | 77,
        ];
        let wide = |n: u128| Wide::new(vec![n as u64, (n >> 64) as u64], 128);
        for (a, b) in numbers.iter().flat_map(|a| numbers.map(|b| (*a, b))) {
            let check = |name, expected: Option<u128>| {
                assert_eq!(wide(a).eval(name, &wide(b)), expected.map(wide), "{a} {b}");
            };
            check(arith::ADDI, Some(a.wrapping_add(b)));
            check(arith::MULI, Some(a.wrapping_mul(b)));
            check(arith::DIVUI, a.checked_div(b));
            check(arith::REMUI, a.checked_rem(b));
            check(
                arith::DIVSI,
                (a as i128).checked_div(b as i128).map(|n| n as u128),
            );
            let shift = u32::try_from(b).ok();
            check(arith::SHLI, shift.and_then(|b| a.checked_shl(b)));
            check(
                arith::SHRSI,
                shift
                    .and_then(|b| (a as i128).checked_shr(b))
                    .map(|n| n as u128),
            );
        }
    }
}
