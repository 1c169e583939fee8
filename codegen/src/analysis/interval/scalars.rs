//! Intervals of integers that operations of `arith` compute, of type `index` and of types with a
//! width, as signed numbers.
//!
//! ```text
//! %k = arith.extui %byte : i8 to i32          [0, 255]
//! %m = arith.andi %x, %c63 : i32              [0, 63]
//! %r = arith.remui %x, %c100 : i32            [0, 99]
//! %t = arith.fptosi %f : f32 to i32           the interval of %f, rounded towards zero
//! ```
//!
//! An operation whose exact result may not fit its type has the interval of the type, since the
//! machine's result wraps around.

use gridloom_dialects::{arith, math};
use gridloom_ir::{OpId, OpName, Value};

use super::{Environment, Interval};
use crate::analysis::values::{AffineValues, Atom};

/// Bits of `index` in the machine that the analysis reasons about.
pub(super) const INDEX_WIDTH: u32 = 64;

impl Interval {
    /// Signed integers of a width of 1 to 64 bits.
    pub(in crate::analysis) fn of_width(width: u32) -> Interval {
        let half = 1i128 << (width - 1);
        Interval {
            least: -half,
            most: half - 1,
        }
    }

    /// The interval of the same bits of a type of this width as an unsigned number.
    pub(super) fn unsigned(self, width: u32) -> Interval {
        match self.least >= 0 {
            true => self,
            false => Interval {
                least: 0,
                most: (1i128 << width) - 1,
            },
        }
    }
}

impl AffineValues<'_> {
    /// The width of an integer or index type of at most 64 bits.
    pub(super) fn width_of(&self, value: Value) -> Option<u32> {
        let ty = self.body.ty(value);
        if ty.is_index(self.ctx) {
            return Some(INDEX_WIDTH);
        }
        let width = ty.signless_width(self.ctx)?;
        (1..=INDEX_WIDTH).contains(&width).then_some(width)
    }

    /// The interval of an integer operand as a signed number, and its width.
    pub(super) fn scalar_operand(
        &mut self,
        op: OpId,
        index: usize,
        env: Environment,
    ) -> Option<(Interval, u32)> {
        let &value = self.body[op].operands.get(index)?;
        let width = self.width_of(value)?;
        if self.body.ty(value).is_index(self.ctx) {
            let interval = match self.may_use_assumption(op) {
                true => self.operand_interval(op, index, env)?,
                false => Interval::point(arith::constant_int(self.ctx, self.body, value)?.into()),
            };
            return Some((interval, width));
        }
        let atom = self.atom_number(Atom::Value(value));
        let interval = self.atom_interval(atom, env);
        Some((interval.meet(Interval::of_width(width)), width))
    }

    /// The interval of an integer of a width where it is defined, as a signed number.
    pub(crate) fn integer_interval(&mut self, value: Value) -> Interval {
        let at = self
            .body
            .value_block(value)
            .and_then(|block| self.body[block].first());
        let env = at.map(|op| self.environment_at(op));
        let atom = self.atom_number(Atom::Value(value));
        env.map_or(Interval::MACHINE, |env| self.atom_interval(atom, env))
    }

    /// Whether the interval of a result may follow from those of `index` operands. Where a bound of
    /// numbers from outside is assumed, only what the test of the assumption knows may rest on it.
    fn may_use_assumption(&self, op: OpId) -> bool {
        let known = [arith::MULI, arith::MINSI, arith::MAXSI, arith::SELECT];
        self.intervals.assumed.is_none() || known.contains(&self.body[op].name)
    }

    /// The interval of an integer result as a signed number; `None` where only its type is known.
    pub(super) fn computed_interval(&mut self, op: OpId, env: Environment) -> Option<Interval> {
        let result = self.body[op].results().next()?;
        let width = self.width_of(result)?;
        let name = self.body[op].name;
        let found = match name {
            arith::CONSTANT => {
                let number = arith::constant_int(self.ctx, self.body, result)?;
                let unused = INDEX_WIDTH - width;
                Interval::point((number << unused >> unused).into())
            }
            arith::INDEX_CAST | arith::EXTSI | arith::TRUNCI => self.scalar_operand(op, 0, env)?.0,
            arith::INDEX_CASTUI | arith::EXTUI => {
                let (interval, width) = self.scalar_operand(op, 0, env)?;
                interval.unsigned(width)
            }
            arith::FPTOSI | arith::FPTOUI => {
                let &value = self.body[op].operands.first()?;
                let interval = self.float_interval(value, env)?.rounded_to_zero();
                (name == arith::FPTOSI || interval.least >= 0).then_some(interval)?
            }
            arith::SELECT => {
                let (l, _) = self.scalar_operand(op, 1, env)?;
                l.hull(self.scalar_operand(op, 2, env)?.0)
            }
            math::CTPOP => Interval {
                least: 0,
                most: width.into(),
            },
            _ => {
                let (l, _) = self.scalar_operand(op, 0, env)?;
                let (r, _) = self.scalar_operand(op, 1, env)?;
                let negatives = (l.least < 0, r.least < 0);
                match name {
                    arith::ADDI => l.plus(r)?,
                    arith::SUBI => l.plus(r.times(Interval::point(-1))?)?,
                    arith::MULI => l.times(r)?,
                    arith::MINSI => l.with_ends(r, i128::min),
                    arith::MAXSI => l.with_ends(r, i128::max),
                    arith::MINUI | arith::MAXUI | arith::ANDI | arith::ORI | arith::XORI => {
                        unsigned_interval(name, l, r)?
                    }
                    arith::SHLI | arith::SHRSI | arith::SHRUI => shifted(name, l, r, width)?,
                    arith::REMSI | arith::REMUI if r.least >= 1 => {
                        let most = match negatives.0 {
                            true => r.most - 1,
                            false => l.most.min(r.most - 1),
                        };
                        let is_signed = name == arith::REMSI && negatives.0;
                        let least = if is_signed { 1 - r.most } else { 0 };
                        Interval { least, most }
                    }
                    arith::DIVSI | arith::DIVUI if !negatives.0 && r.least >= 1 => Interval {
                        least: l.least / r.most,
                        most: l.most / r.least,
                    },
                    _ => return None,
                }
            }
        };
        found.is_within(Interval::of_width(width)).then_some(found)
    }
}

impl Interval {
    /// The interval between the extrema of both lower and both upper ends.
    fn with_ends(self, other: Self, extremum: fn(i128, i128) -> i128) -> Self {
        Interval {
            least: extremum(self.least, other.least),
            most: extremum(self.most, other.most),
        }
    }
}

/// The interval of an unsigned extremum or a bitwise operation, of which an operand that is not
/// negative bounds the result.
fn unsigned_interval(name: OpName, l: Interval, r: Interval) -> Option<Interval> {
    let bounded = match (l.least >= 0, r.least >= 0) {
        (true, true) => match name {
            arith::MINUI => l.with_ends(r, i128::min),
            arith::MAXUI => l.with_ends(r, i128::max),
            arith::ANDI => Interval {
                least: 0,
                most: l.most.min(r.most),
            },
            // No bit is set above the highest one of both.
            _ => Interval {
                least: 0,
                most: (1i128 << (128 - l.most.max(r.most).leading_zeros())) - 1,
            },
        },
        (true, false) | (false, true) if matches!(name, arith::ANDI | arith::MINUI) => {
            let most = if l.least >= 0 { l.most } else { r.most };
            Interval { least: 0, most }
        }
        _ => return None,
    };
    Some(bounded)
}

/// The interval of a shift by a constant below the width.
fn shifted(name: OpName, value: Interval, by: Interval, width: u32) -> Option<Interval> {
    let bits = u32::try_from(by.least).ok()?;
    if by.least != by.most || bits >= width {
        return None;
    }
    if name == arith::SHLI {
        return value.times(Interval::point(1i128 << bits));
    }
    let value = match name {
        arith::SHRUI => value.unsigned(width),
        _ => value,
    };
    Some(Interval {
        least: value.least >> bits,
        most: value.most >> bits,
    })
}
