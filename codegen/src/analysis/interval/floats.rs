//! Intervals of floats that are computed from integers of known interval.
//!
//! ```text
//! %f = arith.sitofp %i : i32 to f32           %i of 0 to 1402
//! %y = arith.mulf %f, %half : f32             0 to 701, and a little beyond
//! %j = arith.fptosi %y : f32 to i32           0 to 701
//! ```
//!
//! Each operation widens its interval by more than any device may round, contract or flush: the
//! ends are those of the exact result, moved outwards by 2^-7 of their magnitude for formats of 16
//! bits, 2^-20 for others, and by a number above every subnormal one. Intervals are finite, and what
//! may exceed the format has none, so that no operation sees a NaN or an infinity.

use gridloom_dialects::{arith, math};
use gridloom_ir::attr::AttrKind;
use gridloom_ir::scalar::FloatFormat;
use gridloom_ir::types::FloatKind;
use gridloom_ir::{Body, Context, OpId, OpName, Value};

use super::{Environment, Interval, MAX_LOOK};
use crate::analysis::values::AffineValues;

/// Interval of floats, both ends finite.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::analysis) struct FloatInterval {
    least: f64,
    most: f64,
}

/// Precision of a format: the relative error of any operation, the absolute one near zero, and the
/// largest magnitude that intervals may have.
#[derive(Clone, Copy)]
struct Precision {
    relative: f64,
    absolute: f64,
    largest: f64,
}

impl FloatInterval {
    /// The integers that the floats of this interval become when rounded towards zero.
    pub(super) fn rounded_to_zero(self) -> Interval {
        // Finite ends below the largest magnitude of an interval fit 128 bits.
        Interval {
            least: self.least.trunc() as i128,
            most: self.most.trunc() as i128,
        }
    }

    /// The interval that spans some numbers.
    fn spanning(numbers: &[f64]) -> Self {
        let (least, most) = numbers
            .iter()
            .fold((f64::MAX, f64::MIN), |(least, most), &n| {
                (least.min(n), most.max(n))
            });
        FloatInterval { least, most }
    }

    /// The interval widened by the error of an operation; `None` where it may exceed the format.
    fn widened(self, precision: Precision) -> Option<Self> {
        let slack = |end: f64| end.abs() * precision.relative + precision.absolute;
        let widened = FloatInterval {
            least: self.least - slack(self.least),
            most: self.most + slack(self.most),
        };
        let fits = |end: f64| end.abs() <= precision.largest;
        (fits(widened.least) && fits(widened.most)).then_some(widened)
    }
}

impl AffineValues<'_> {
    /// The interval of a float that is computed from integers of known interval.
    pub(super) fn float_interval(
        &mut self,
        value: Value,
        env: Environment,
    ) -> Option<FloatInterval> {
        if let Some(&known) = self.intervals.floats.get(&(value, env)) {
            return known;
        }
        if self.intervals.depth >= MAX_LOOK {
            return None;
        }
        self.intervals.depth += 1;
        let found = self.fresh_float_interval(value, env);
        self.intervals.depth -= 1;
        self.intervals.floats.insert((value, env), found);
        found
    }

    fn fresh_float_interval(&mut self, value: Value, env: Environment) -> Option<FloatInterval> {
        let precision = self.precision_of(value)?;
        let op = self.body.defining_op(value)?;
        let name = self.body[op].name;
        let exact = match name {
            arith::CONSTANT => {
                let number = constant_float(self.ctx, self.body, value)?;
                FloatInterval::spanning(&[number])
            }
            arith::SITOFP | arith::UITOFP => self.converted(op, env)?,
            arith::EXTF | arith::TRUNCF => self.float_operand(op, 0, env)?,
            arith::NEGF => {
                let value = self.float_operand(op, 0, env)?;
                FloatInterval::spanning(&[-value.least, -value.most])
            }
            math::FLOOR | math::CEIL | math::TRUNC | math::ROUND | math::ROUNDEVEN => {
                let value = self.float_operand(op, 0, env)?;
                FloatInterval {
                    least: value.least.floor(),
                    most: value.most.ceil(),
                }
            }
            arith::SELECT => {
                let [l, r] = [
                    self.float_operand(op, 1, env)?,
                    self.float_operand(op, 2, env)?,
                ];
                FloatInterval::spanning(&[l.least, l.most, r.least, r.most])
            }
            _ => {
                let [l, r] = [
                    self.float_operand(op, 0, env)?,
                    self.float_operand(op, 1, env)?,
                ];
                float_result(name, l, r)?
            }
        };
        exact.widened(precision)
    }

    fn float_operand(&mut self, op: OpId, index: usize, env: Environment) -> Option<FloatInterval> {
        let &value = self.body[op].operands.get(index)?;
        self.float_interval(value, env)
    }

    /// The interval of an integer operand that is converted to a float.
    fn converted(&mut self, op: OpId, env: Environment) -> Option<FloatInterval> {
        let (signed, width) = self.scalar_operand(op, 0, env)?;
        let interval = match self.body[op].name {
            arith::UITOFP => signed.unsigned(width),
            _ => signed,
        };
        Some(FloatInterval {
            least: interval.least as f64,
            most: interval.most as f64,
        })
    }

    fn precision_of(&self, value: Value) -> Option<Precision> {
        let kind = self.body.ty(value).float_kind(self.ctx)?;
        let (relative, absolute, largest) = match kind {
            FloatKind::F16 | FloatKind::BF16 => (2f64.powi(-7), 1e-4, 60e3),
            FloatKind::F32 | FloatKind::F64 => (2f64.powi(-20), 1e-30, 1e30),
            _ => return None,
        };
        Some(Precision {
            relative,
            absolute,
            largest,
        })
    }
}

/// The number of an `arith.constant` of a float type, if it is finite.
fn constant_float(ctx: &Context, body: &Body, value: Value) -> Option<f64> {
    let &AttrKind::Float { ty, bits } = arith::constant_value(ctx, body, value)?.kind(ctx) else {
        return None;
    };
    let format = FloatFormat::of(ty.float_kind(ctx)?)?;
    let number = format.kind.to_f64(bits as u64);
    number.is_finite().then_some(number)
}

/// The exact interval of an operation on two floats.
fn float_result(name: OpName, l: FloatInterval, r: FloatInterval) -> Option<FloatInterval> {
    let corners = |of: fn(f64, f64) -> f64| {
        FloatInterval::spanning(&[
            of(l.least, r.least),
            of(l.least, r.most),
            of(l.most, r.least),
            of(l.most, r.most),
        ])
    };
    Some(match name {
        arith::ADDF => corners(|a, b| a + b),
        arith::SUBF => corners(|a, b| a - b),
        arith::MULF => corners(|a, b| a * b),
        // A divisor near zero may be flushed to it.
        arith::DIVF if r.least > 1e-20 || r.most < -1e-20 => corners(|a, b| a / b),
        arith::MINIMUMF | arith::MINNUMF => corners(f64::min),
        arith::MAXIMUMF | arith::MAXNUMF => corners(f64::max),
        _ => return None,
    })
}
