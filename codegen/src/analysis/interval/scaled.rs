//! Intervals of values that an iteration multiplies or divides by a constant.
//!
//! ```text
//! scf.while (%h = %c512, %s = %c1) {          %h in [0, 512]
//!   %c = arith.cmpi sge, %h, %c1              %s in [1, 1024]
//!   scf.condition(%c) %h, %s          ⇒
//! } do {
//! ^bb0(%k, %t):
//!   %half = arith.divsi %k, %c2
//!   %twice = arith.shli %t, %c1
//!   scf.yield %half, %twice
//! }
//! ```
//!
//! By induction over the iterations, from a start that is not negative: what grows is at most the
//! factor times what the condition lets an iteration begin with. Where the condition does not bound it,
//! it grows by the factor in each of the iterations that another value allows: one that is divided
//! until it is below 1, or multiplied up to a bound, is so only as often as its logarithm. No product
//! wraps around where the interval lies within the type; else nothing is known.

use gridloom_dialects::{arith, scf};
use gridloom_ir::{OpId, Value};

use super::{AffineValues, Environment, Interval};

/// Limit of the factors and divisors.
const MAX_FACTOR: i128 = 1 << 16;

/// Change of a carried value in each iteration, by a constant of at least 2.
#[derive(Clone, Copy)]
enum Scale {
    Times(i128),
    Over(i128),
}

/// Carried value that each iteration scales.
struct Scaled {
    scale: Scale,
    /// The interval of what the loop starts with.
    start: Interval,
    /// The interval that the condition lets an iteration begin with.
    runs: Interval,
    of_type: Interval,
}

impl AffineValues<'_> {
    /// The interval of a value that an `scf.while` carries at a position of its first region, and
    /// scales.
    pub(super) fn interval_by_scaling(
        &mut self,
        op: scf::WhileOp,
        position: usize,
        env: Environment,
    ) -> Option<Interval> {
        let scaled = self.scaled(op, position, env)?;
        let Scaled { start, runs, .. } = scaled;
        let found = match scaled.scale {
            Scale::Over(divisor) => Interval {
                least: start.least.min(runs.least.max(0) / divisor),
                most: start.most,
            },
            Scale::Times(factor) => {
                let grown = match runs.most < scaled.of_type.most {
                    true => runs.most * factor,
                    false => {
                        let trips = self.trips_by_scaling(op, env)?;
                        start.most.checked_mul(factor.checked_pow(trips)?)?
                    }
                };
                Interval {
                    least: start.least,
                    most: start.most.max(grown),
                }
            }
        };
        found.is_within(scaled.of_type).then_some(found)
    }

    /// The most iterations of a loop, by a carried value that is divided until it is below 1 or
    /// multiplied up to a bound.
    fn trips_by_scaling(&mut self, op: scf::WhileOp, env: Environment) -> Option<u32> {
        let count = self.body[op.before(self.body)].args.len();
        let mut least: Option<u32> = None;
        for position in 0..count {
            let Some(scaled) = self.scaled(op, position, env) else {
                continue;
            };
            let Scaled { start, runs, .. } = scaled;
            // Iteration k begins with what the start becomes in k of them.
            let trips = match scaled.scale {
                Scale::Over(divisor) if runs.least >= 1 => logarithm(start.most, divisor),
                Scale::Times(factor)
                    if start.least >= 1 && runs.most * factor <= scaled.of_type.most =>
                {
                    logarithm(runs.most / start.least, factor)
                }
                _ => continue,
            };
            least = Some(least.map_or(trips, |least| least.min(trips)));
        }
        least
    }

    fn scaled(&mut self, op: scf::WhileOp, position: usize, env: Environment) -> Option<Scaled> {
        let body = self.body;
        let [arg, carried] = self.carried_arguments(op, position)?;
        let next = body.defining_op(*op.yielded(body).get(position)?)?;
        let scale = self.scale_of(next, carried)?;
        let start = self.any_interval(*op.inits(body).get(position)?, env)?;
        let of_type = Interval::of_width(self.width_of(arg)?);
        let runs = self.running_interval(op, arg)?;
        (start.least >= 0).then_some(Scaled {
            scale,
            start,
            runs,
            of_type,
        })
    }

    /// The scale by which an operation changes `from`, which is not negative.
    fn scale_of(&self, op: OpId, from: Value) -> Option<Scale> {
        let body = self.body;
        let &[l, r] = &body[op].operands[..] else {
            return None;
        };
        let constant = |value| {
            let number = self.signed_constant(value);
            number.filter(|number| (1..=MAX_FACTOR).contains(number))
        };
        let power = |by: i128| (by <= 16).then(|| 1i128 << by);
        let scale = match body[op].name {
            arith::MULI if l == from => Scale::Times(constant(r)?),
            arith::MULI if r == from => Scale::Times(constant(l)?),
            arith::ADDI if l == from && r == from => Scale::Times(2),
            arith::SHLI if l == from => Scale::Times(power(constant(r)?)?),
            arith::SHRUI | arith::SHRSI if l == from => Scale::Over(power(constant(r)?)?),
            arith::DIVUI | arith::DIVSI if l == from => Scale::Over(constant(r)?),
            _ => return None,
        };
        let (Scale::Times(number) | Scale::Over(number)) = scale;
        (number >= 2).then_some(scale)
    }
}

/// Number of digits of a number in a base: that of the base's powers, from power 0 on, which do not exceed it.
fn logarithm(number: i128, base: i128) -> u32 {
    let mut count = 0;
    let mut power = 1;
    while power <= number {
        count += 1;
        power *= base;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::logarithm;

    #[test]
    fn counts_powers() {
        let counts = [0, 1, 2, 3, 4, 8, 9].map(|number| logarithm(number, 2));
        assert_eq!(counts, [0, 1, 2, 2, 3, 4, 4]);
        assert_eq!(logarithm(i128::from(i64::MAX), 2), 63);
    }
}
