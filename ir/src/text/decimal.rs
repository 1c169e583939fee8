//! Decimal expansion of floats, digit for digit as LLVM prints them.

use smallvec::SmallVec;

/// Decimal scientific form of a number: leading significant digits and an exponent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Decimal {
    /// ASCII digits without trailing zeros; there is at least one.
    pub digits: SmallVec<[u8; 24]>,
    /// The exponent of the first digit.
    pub exponent: i32,
}

/// Binary scientific form of a number that is neither negative nor special: `odd * 2^power`. In
/// decimal that is `odd * 5^-power` with `-power` digits after the point.
#[derive(Clone, Copy)]
struct Binary {
    value: f64,
    odd: u64,
    power: i32,
}

impl Binary {
    /// Decomposes a number that is not 0.
    fn of(value: f64) -> Binary {
        let bits = value.to_bits();
        let (field, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
        let (odd, power) = match field {
            0 => (fraction, -1074),
            _ => (fraction | 1 << 52, field - 1075),
        };
        let zeros = odd.trailing_zeros();
        let (odd, power) = (odd >> zeros, power + zeros as i32);
        Binary { value, odd, power }
    }

    /// The number of decimal digits after the point.
    fn places(self) -> i32 {
        (-self.power).max(0)
    }

    /// The number of digits that LLVM cuts off before it rounds to `precision` digits: it counts
    /// bits, and takes log2(10) for 196/59.
    fn surplus(self, precision: usize) -> usize {
        let (shift, places) = (f64::from(self.power.max(0)), f64::from(self.places()));
        let active = (self.odd as f64).log2() + shift + places * 5f64.log2();
        let active = active.floor() as usize + 1;
        let needed = (precision * 196).div_ceil(59);
        active.saturating_sub(needed) * 59 / 196
    }

    /// The digits that LLVM keeps, from the text of the exact number.
    fn kept(self, precision: usize) -> Decimal {
        let (mut digits, exponent) = leading_digits(self.value, precision + 30, self.places());
        let total = (exponent + 1 + self.places()) as usize;
        digits.truncate(total - self.surplus(precision).min(total - 1));
        Decimal { digits, exponent }
    }

    /// [`Binary::kept`] in 128-bit integers, a tenth of its time; `None` where they do not suffice,
    /// far from 1. Without its `surplus` digits the number is `odd * 2^twos * 5^fives`, rounded
    /// down.
    fn kept_in_integers(self, precision: usize) -> Option<Decimal> {
        let surplus = self.surplus(precision) as i32;
        let (twos, fives) = (self.power.max(0) - surplus, self.places() - surplus);
        let five = |exponent: i32| 5u128.checked_pow(exponent.max(0) as u32);
        let number = u128::from(self.odd).checked_mul(five(fives)?)?;
        let number = match twos {
            0.. => number.checked_mul(1u128.checked_shl(twos as u32)?)?,
            _ => number.checked_shr(twos.unsigned_abs()).unwrap_or(0),
        };
        let mut rest = u64::try_from(number / five(-fives)?).ok()?;
        let mut digits = SmallVec::new();
        while rest > 0 {
            digits.push(b'0' + (rest % 10) as u8);
            rest /= 10;
        }
        digits.reverse();
        let exponent = digits.len() as i32 - 1 + surplus - self.places();
        (!digits.is_empty()).then_some(Decimal { digits, exponent })
    }
}

impl Decimal {
    /// Rounds a number that is neither negative nor special to `precision` significant digits at
    /// most, as LLVM does: it cuts off the digits that it is sure not to need, then rounds half up.
    pub(super) fn of(value: f64, precision: usize) -> Decimal {
        if value == 0.0 {
            return Decimal {
                digits: SmallVec::from_slice(b"0"),
                exponent: 0,
            };
        }
        let binary = Binary::of(value);
        let kept = binary.kept_in_integers(precision);
        kept.unwrap_or_else(|| binary.kept(precision))
            .rounded(precision)
    }

    fn rounded(mut self, precision: usize) -> Decimal {
        let digits = &mut self.digits;
        if digits.len() > precision {
            let up = digits[precision] >= b'5';
            digits.truncate(precision);
            if up {
                while digits.last() == Some(&b'9') {
                    digits.pop();
                }
                match digits.last_mut() {
                    Some(digit) => *digit += 1,
                    None => {
                        digits.push(b'1');
                        self.exponent += 1;
                    }
                }
            }
        }
        while digits.len() > 1 && digits.last() == Some(&b'0') {
            digits.pop();
        }
        self
    }

    /// Parses the digits: the nearest `f64`, ties to even.
    pub(super) fn nearest(&self) -> f64 {
        self.nearest_of_exact().unwrap_or_else(|| {
            let digits = self.digits.iter().copied().map(char::from);
            let scale = self.exponent - (self.digits.len() as i32 - 1);
            let text = format!("{}e{scale}", digits.collect::<String>());
            // Digits and an exponent always parse.
            text.parse().unwrap_or(f64::NAN)
        })
    }

    /// [`Decimal::nearest`] where digits and power of ten are both exact, so that one operation
    /// rounds once (Clinger, How to Read Floating Point Numbers Accurately, 1990).
    fn nearest_of_exact(&self) -> Option<f64> {
        let scale = self.exponent - (self.digits.len() as i32 - 1);
        if self.digits.len() > 15 || scale.unsigned_abs() > 22 {
            return None;
        }
        let digits = self.digits.iter();
        let number = digits.fold(0u64, |n, &digit| n * 10 + u64::from(digit - b'0')) as f64;
        let power = POWERS_OF_TEN[scale.unsigned_abs() as usize];
        Some(if scale < 0 {
            number / power
        } else {
            number * power
        })
    }
}

/// The powers of ten that `f64` holds exactly.
const POWERS_OF_TEN: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// Returns at least `count` leading digits of a number, none rounded, or all of them, and the
/// exponent of the first. The number has `places` digits after the point.
fn leading_digits(value: f64, count: usize, places: i32) -> (SmallVec<[u8; 24]>, i32) {
    /// More digits than any `f64` has.
    const ALL: usize = 800;
    let take = |count: usize| {
        let text = format!("{:.*e}", count - 1, value);
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let digits: SmallVec<[u8; 24]> = mantissa.bytes().filter(|&c| c != b'.').collect();
        (digits, exponent.parse::<i32>().unwrap_or(0))
    };
    let (digits, exponent) = take(count);
    let all = (exponent + 1 + places) as usize <= count;
    // The last digit is rounded; that shows in the digits before it only where they have become
    // zeros.
    if all || digits.iter().rev().take(8).any(|&digit| digit != b'0') {
        return (digits, exponent);
    }
    take(ALL)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of all sizes, short and long ones, from a fixed seed.
    fn numbers() -> impl Iterator<Item = f64> {
        let mut state = 1u64;
        let mut next = move || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            state ^ state >> 29
        };
        let random = (0..20_000).map(move |n| {
            let bits = next();
            match n % 4 {
                0 => f64::from_bits(bits),
                1 => f64::from(f32::from_bits(bits as u32)),
                2 => (bits % 1_000_000) as f64 / 10f64.powi((bits >> 40) as i32 % 12),
                _ => (bits >> 11) as f64 / (1u64 << (bits % 60)) as f64,
            }
        });
        let powers = (-40..40).flat_map(|n| [10f64.powi(n), 2f64.powi(n), 5f64.powi(n) - 1.0]);
        let near_middle = (0..1000).map(|n| f64::from(n) + 0.000_000_5);
        let all = random.chain(powers).chain(near_middle).map(f64::abs);
        all.filter(|value| value.is_finite() && *value != 0.0)
    }

    #[test]
    fn integers_give_the_digits_of_the_text() {
        let mut fast = 0;
        for value in numbers() {
            for precision in [3, 5, 6, 9, 17, 40] {
                let binary = Binary::of(value);
                if let Some(kept) = binary.kept_in_integers(precision) {
                    fast += 1;
                    // The text may be longer than needed: no digit that was cut off is compared.
                    let plain = binary.kept(precision);
                    assert_eq!(kept, plain, "{value:e} with {precision} digits");
                }
            }
        }
        assert!(fast > 50_000, "{fast}");
    }

    #[test]
    fn exact_operations_read_as_the_text_does() {
        for value in numbers() {
            for precision in [1, 6, 9, 15] {
                let decimal = Decimal::of(value, precision);
                let Some(nearest) = decimal.nearest_of_exact() else {
                    continue;
                };
                let digits = std::str::from_utf8(&decimal.digits).unwrap();
                let scale = decimal.exponent - (digits.len() as i32 - 1);
                let text = format!("{digits}e{scale}");
                assert_eq!(
                    nearest.to_bits(),
                    text.parse::<f64>().unwrap().to_bits(),
                    "{text}"
                );
            }
        }
    }
}
