//! Ends of ranges: the numbers that a program computes before a nest, with interval arithmetic over them.
//!
//! Equal ends are one row of a table, with the interval of what it may be: no end wraps around at 64 bits once the
//! tests hold for the ends that it is computed from.

use std::collections::HashMap;

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_ir::{Builder, OpName, Value};

use crate::analysis::interval::Interval;
use crate::analysis::values::Atom;
use crate::transform::atom_value::atom_value;

/// End of a range: a row of the table.
pub(super) type End = usize;

/// Definition of an end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Definition {
    Constant(i64),
    /// A value from outside of the nest, of type `index`.
    Outside(Atom),
    /// A value from outside of a narrower type.
    Narrow(Value),
    Op(OpName, End, End),
}

/// Range of an integer, by its ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct EndRange {
    pub(super) least: End,
    pub(super) most: End,
}

/// Table of ends, and the tests that they have to pass.
#[derive(Clone, Default)]
pub(super) struct Ends {
    rows: Vec<(Definition, Interval)>,
    numbers: HashMap<Definition, End>,
    /// Comparisons of ends with constants that have to hold.
    tests: Vec<(End, CmpIPredicate, i128)>,
}

/// Limit of the ends, so that the test stays small beside the nest.
const MAX_ENDS: usize = 400;

/// Limit of the tests.
const MAX_TESTS: usize = 60;

impl Ends {
    /// Whether there are more ends or tests than a nest may have.
    pub(super) fn are_too_many(&self) -> bool {
        self.rows.len() > MAX_ENDS || self.tests.len() > MAX_TESTS
    }

    /// The integers from outside of a narrower type that ranges are made of.
    pub(super) fn narrow_values(&self) -> Vec<Value> {
        let of_end = |&(definition, _): &(Definition, Interval)| match definition {
            Definition::Narrow(value) => Some(value),
            _ => None,
        };
        self.rows.iter().filter_map(of_end).collect()
    }

    pub(super) fn end(&mut self, definition: Definition, interval: Interval) -> Option<End> {
        if !interval.is_within(Interval::MACHINE) {
            return None;
        }
        let definition = match definition {
            _ if interval.least == interval.most => {
                Definition::Constant(i64::try_from(interval.least).ok()?)
            }
            other => other,
        };
        let next = self.rows.len();
        let number = *self.numbers.entry(definition).or_insert(next);
        if number == next {
            self.rows.push((definition, interval));
        }
        Some(number)
    }

    pub(super) fn interval(&self, end: End) -> Interval {
        self.rows[end].1
    }

    fn interval_of(&self, range: EndRange) -> Interval {
        self.interval(range.least).hull(self.interval(range.most))
    }

    pub(super) fn constant(&mut self, number: i128) -> Option<EndRange> {
        let end = i64::try_from(number).ok()?;
        let end = self.end(Definition::Constant(end), Interval::point(number))?;
        Some(EndRange {
            least: end,
            most: end,
        })
    }

    pub(super) fn constants(&mut self, interval: Interval) -> Option<EndRange> {
        Some(EndRange {
            least: self.constant(interval.least)?.least,
            most: self.constant(interval.most)?.most,
        })
    }

    /// Has a range lie in an interval, from here on. `None` where it never does.
    pub(super) fn require(&mut self, range: EndRange, needed: Interval) -> Option<EndRange> {
        for end in [range.least, range.most] {
            let known = self.interval(end);
            if known.most < needed.least || known.least > needed.most {
                return None;
            }
            if known.least < needed.least {
                self.tests.push((end, CmpIPredicate::Sge, needed.least));
            }
            if known.most > needed.most {
                self.tests.push((end, CmpIPredicate::Sle, needed.most));
            }
            self.rows[end].1 = known.meet(needed);
        }
        Some(range)
    }

    pub(super) fn combined(&mut self, name: OpName, l: End, r: End) -> Option<End> {
        let (left, right) = (self.interval(l), self.interval(r));
        let interval = match name {
            arith::ADDI => left.plus(right)?,
            arith::SUBI => left.plus(right.times(Interval::point(-1))?)?,
            arith::MULI => left.times(right)?,
            arith::MINSI => Interval {
                least: left.least.min(right.least),
                most: left.most.min(right.most),
            },
            arith::MAXSI => Interval {
                least: left.least.max(right.least),
                most: left.most.max(right.most),
            },
            _ => return None,
        };
        let is = |end: Interval, number| end == Interval::point(number);
        match name {
            arith::ADDI | arith::SUBI if is(right, 0) => return Some(l),
            arith::ADDI if is(left, 0) => return Some(r),
            arith::MULI if is(right, 1) => return Some(l),
            arith::MULI if is(left, 1) => return Some(r),
            arith::MINSI | arith::MAXSI if l == r => return Some(l),
            arith::MINSI if left.most <= right.least => return Some(l),
            arith::MINSI if right.most <= left.least => return Some(r),
            arith::MAXSI if left.least >= right.most => return Some(l),
            arith::MAXSI if right.least >= left.most => return Some(r),
            _ => {}
        }
        self.end(Definition::Op(name, l, r), interval)
    }

    pub(super) fn sum(&mut self, l: EndRange, r: EndRange) -> Option<EndRange> {
        Some(EndRange {
            least: self.combined(arith::ADDI, l.least, r.least)?,
            most: self.combined(arith::ADDI, l.most, r.most)?,
        })
    }

    pub(super) fn difference(&mut self, l: EndRange, r: EndRange) -> Option<EndRange> {
        Some(EndRange {
            least: self.combined(arith::SUBI, l.least, r.most)?,
            most: self.combined(arith::SUBI, l.most, r.least)?,
        })
    }

    pub(super) fn product(&mut self, l: EndRange, r: EndRange) -> Option<EndRange> {
        let are_natural = [l, r].map(|range| self.interval(range.least).least >= 0);
        if are_natural == [true; 2] {
            return Some(EndRange {
                least: self.combined(arith::MULI, l.least, r.least)?,
                most: self.combined(arith::MULI, l.most, r.most)?,
            });
        }
        let mut corners: Vec<End> = Vec::new();
        for left in [l.least, l.most] {
            for right in [r.least, r.most] {
                let corner = self.combined(arith::MULI, left, right)?;
                if !corners.contains(&corner) {
                    corners.push(corner);
                }
            }
        }
        let mut all: Option<EndRange> = None;
        for end in corners {
            let corner = EndRange {
                least: end,
                most: end,
            };
            all = Some(match all {
                Some(all) => self.hull(all, corner)?,
                None => corner,
            });
        }
        all
    }

    pub(super) fn hull(&mut self, l: EndRange, r: EndRange) -> Option<EndRange> {
        Some(EndRange {
            least: self.combined(arith::MINSI, l.least, r.least)?,
            most: self.combined(arith::MAXSI, l.most, r.most)?,
        })
    }

    pub(super) fn extremum(&mut self, name: OpName, l: EndRange, r: EndRange) -> Option<EndRange> {
        Some(EndRange {
            least: self.combined(name, l.least, r.least)?,
            most: self.combined(name, l.most, r.most)?,
        })
    }

    /// The range of a signed quotient: no greater in magnitude than the dividend, and of its sign where the
    /// divisor is known to be positive.
    pub(super) fn quotient(&mut self, l: EndRange, r: EndRange) -> Option<EndRange> {
        let zero = self.constant(0)?;
        let mut dividends = l;
        if self.interval_of(r).least <= 0 {
            let negative = self.difference(zero, l)?;
            dividends = self.hull(l, negative)?;
        }
        self.hull(dividends, zero)
    }

    /// The range of a signed remainder: no greater in magnitude than the dividend, of its sign, and less than a
    /// constant divisor.
    fn remainder(&mut self, l: EndRange, r: EndRange) -> Option<EndRange> {
        let zero = self.constant(0)?;
        let whole = self.hull(l, zero)?;
        let by = self.interval_of(r);
        if by.least != by.most || by.least <= 0 {
            return Some(whole);
        }
        let most = self.constant(by.least - 1)?;
        let least = self.constant(1 - by.least)?;
        Some(EndRange {
            least: self.combined(arith::MAXSI, whole.least, least.least)?,
            most: self.combined(arith::MINSI, whole.most, most.most)?,
        })
    }

    /// The range of what a widened operation computes; `None` for an operation without one.
    pub(super) fn of_op(&mut self, name: OpName, l: EndRange, r: EndRange) -> Option<EndRange> {
        match name {
            arith::ADDI => self.sum(l, r),
            arith::SUBI => self.difference(l, r),
            arith::MULI => self.product(l, r),
            arith::MINSI | arith::MINUI => self.extremum(arith::MINSI, l, r),
            arith::MAXSI | arith::MAXUI => self.extremum(arith::MAXSI, l, r),
            arith::DIVSI | arith::DIVUI => self.quotient(l, r),
            arith::REMSI | arith::REMUI => self.remainder(l, r),
            // Bits of two numbers that are not negative: no more than their sum.
            arith::ANDI | arith::ORI | arith::XORI => {
                let are_natural = [l, r].map(|range| self.interval(range.least).least >= 0);
                let zero = self.constant(0)?;
                let most = match name {
                    arith::ANDI => self.combined(arith::MINSI, l.most, r.most)?,
                    _ => self.combined(arith::ADDI, l.most, r.most)?,
                };
                (are_natural == [true; 2]).then_some(EndRange {
                    least: zero.least,
                    most,
                })
            }
            _ => None,
        }
    }

    /// Emits that all ranges pass their tests.
    pub(super) fn condition(&self, b: &mut Builder) -> Value {
        let mut emitted: Vec<Option<Value>> = vec![None; self.rows.len()];
        let mut is_used = vec![false; self.rows.len()];
        self.tests.iter().for_each(|&(end, ..)| is_used[end] = true);
        for end in (0..self.rows.len()).rev() {
            if let (true, Definition::Op(_, l, r)) = (is_used[end], self.rows[end].0) {
                is_used[l] = true;
                is_used[r] = true;
            }
        }
        for (end, &(definition, _)) in self.rows.iter().enumerate() {
            if is_used[end] {
                emitted[end] = match definition {
                    Definition::Constant(number) => Some(b.index_constant(number)),
                    Definition::Outside(atom) => atom_value(b, atom),
                    Definition::Narrow(value) => {
                        let ty = b.ctx.index_type();
                        Some(b.unary(arith::INDEX_CAST, &[value], ty))
                    }
                    Definition::Op(name, l, r) => {
                        (emitted[l].zip(emitted[r])).map(|(l, r)| b.binary(name, l, r))
                    }
                };
            }
        }
        let mut all: Option<Value> = None;
        for &(end, predicate, limit) in &self.tests {
            // Ends are made of values from outside, which all have a value; limits are those of types.
            let (Some(value), Ok(limit)) = (emitted[end], i64::try_from(limit)) else {
                continue;
            };
            let limit = b.index_constant(limit);
            let test = CmpIOp::create(b, predicate, value, limit);
            all = Some(match all {
                Some(all) => b.binary(arith::ANDI, all, test),
                None => test,
            });
        }
        let (ctx, truth) = (b.ctx, b.ctx.bool_attr(true));
        all.unwrap_or_else(|| b.constant(truth, ctx.bool_type()))
    }
}
