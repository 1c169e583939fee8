//! Clamped sums: each iteration adds to the carried value, and bounds it.
//!
//! ```text
//! %t = arith.addf %acc, %x
//! %y = arith.maximumf %t, %l                     acc' = max(acc + x, l)
//! ```
//!
//! What a chunk makes of its initial value `c` is `min(max(c + A, L), H)`, where `A` is the sum of its terms, and `L` and `H` are
//! its final values from the least and the greatest value: such functions are closed under composition. The greatest sum of
//! adjacent elements (J. Kadane's algorithm, in J. Bentley, "Programming Pearls", 1984), waiting times, levels of stores and
//! control charts of cumulative sums are computed so.
//!
//! Floats are regrouped where that is allowed; without that, `A` is -0.0, which changes no value, and only `maximumf`, `minimumf`
//! and choices by other values bound it, which the closed form repeats bit for bit. Where a chunk meets infinities or NaN, it is
//! run from its initial value instead.
//!
//! Integers wrap around, for which the closed form does not hold. A chunk is summed up in 64 bits, with a bound `G` of how far
//! it can move a value; it is run from its initial value instead where that and `G` may leave the type. If they do not, no
//! sum of the loop wraps around, and `L <= f(c) <= H` follows from monotony for values from the ends of the type, which
//! suffices for the closed form.

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::arith::{
    self, CmpFOp, CmpFPredicate, CmpIOp, CmpIPredicate, REASSOCIATE, fastmath_flags,
};
use gridloom_dialects::math;
use gridloom_ir::hash::FxHashSet;
use gridloom_ir::{Attr, Body, Builder, Context, IrMapping, OpId, Type, Value};

use super::steps::{Steps, without_flags};
use crate::analysis::arg_reduction::Better;
use crate::analysis::arg_reduction::compare_select::CompareSelect;
use crate::analysis::reduction::{float_attr, int_attr, zero};

/// Clamped sum: `%carried = min(max(%carried + %term, %least), %most)`, in one or more operations.
pub(super) struct ClampedSum {
    /// The type of the carried value.
    ty: Type,
    /// The type of the numbers that sum up a chunk.
    wide: Type,
    pub(super) steps: Steps<Part>,
    /// The least and the greatest value of the type.
    ends: [Attr; 2],
    /// The sum of no terms.
    no_terms: Attr,
    /// Whether floats are neither added nor compared.
    pub(super) only_chooses_floats: bool,
}

/// What an operation does with its operand that depends on the carried value, or with both of them.
#[derive(Clone, Copy)]
pub(super) enum Part {
    /// It adds the other operand to the one at this place, or subtracts it.
    Sum(usize),
    /// It takes the greater or the less of the operand at this place and the other one.
    Extremum(usize),
    /// It selects the greater or the less of this value and the candidate, by a comparison.
    CompareSelect(CompareSelect, Value),
    /// It compares, for such a select.
    Comparison,
    /// It selects by a condition that does not depend on the carried value.
    Choice,
}

impl ClampedSum {
    /// Matches the value that a loop carries at `place`.
    pub(super) fn of(
        ctx: &Context,
        body: &Body,
        op: ForOp,
        place: usize,
        reassociate: bool,
    ) -> Option<ClampedSum> {
        let ty = body.ty(op.iter_args(body)[place]);
        let (wide, ends) = match ty.signless_width(ctx) {
            Some(width @ 2..=32) => {
                let wide = ctx.int_type(64);
                let least = -(1i128 << (width - 1));
                (
                    wide,
                    [least, -1 - least].map(|end| int_attr(ctx, wide, end)),
                )
            }
            Some(_) => return None,
            None => {
                let ends = [f64::NEG_INFINITY, f64::INFINITY];
                (ty, ends.map(|end| float_attr(ctx, ty, end)))
            }
        };
        let is_integer = wide != ty;
        let mut only_chooses_floats = !is_integer;
        let steps = Steps::of(body, op, &[place], |step, dependent| {
            let part = part_of(ctx, body, step, dependent)?;
            only_chooses_floats &= matches!(part, Part::Choice);
            let flags = match part {
                Part::CompareSelect(kept, _) => kept.flags,
                _ => fastmath_flags(ctx, &body[step]),
            };
            let may_be_regrouped = is_integer || reassociate || flags & REASSOCIATE != 0;
            let orders_zeros = matches!(body[step].name, arith::MAXIMUMF | arith::MINIMUMF);
            let is_legal = match part {
                Part::Comparison | Part::Choice => true,
                Part::Sum(_) | Part::CompareSelect(..) => may_be_regrouped,
                Part::Extremum(_) => may_be_regrouped || orders_zeros,
            };
            let has_type = matches!(part, Part::Comparison | Part::Sum(_))
                || body.ty(body[step].result(0)) == ty;
            (is_legal && has_type).then_some(part)
        })?;
        let no_terms = match is_integer {
            true => zero(ctx, wide),
            false => float_attr(ctx, ty, -0.0),
        };
        Some(ClampedSum {
            ty,
            wide,
            steps,
            ends: [ends[0]?, ends[1]?],
            no_terms: no_terms?,
            only_chooses_floats,
        })
    }

    fn is_integer(&self) -> bool {
        self.wide != self.ty
    }

    /// The summary of a chunk without iterations: its final values from the ends of the type, the sum of its terms, and for
    /// integers how far it moves a value.
    pub(super) fn empty_summary(&self) -> Vec<(Type, Attr)> {
        let sums = if self.is_integer() { 2 } else { 1 };
        let numbers = self
            .ends
            .into_iter()
            .chain(std::iter::repeat_n(self.no_terms, sums));
        numbers.map(|number| (self.wide, number)).collect()
    }

    /// Emits the next carried value of an iteration, given the copies of the loop's values.
    pub(super) fn step(&self, b: &mut Builder, carried: Value, names: &IrMapping) -> Value {
        self.evaluated(b, carried, self.ty, names)
    }

    /// Emits the next value in a type, which is that of the loop or that of summaries.
    fn evaluated(&self, b: &mut Builder, carried: Value, ty: Type, names: &IrMapping) -> Value {
        let next = self.steps.follow(b, &[carried], |b, step, part, copies| {
            let operands = b.body[step].operands.clone();
            let copy = |b: &mut Builder, value: Value| match copies.get(&value) {
                Some(&value) => value,
                None => widened(b, names.value(value), ty),
            };
            match part {
                Part::Comparison => carried,
                Part::CompareSelect(kept, held) => {
                    let (candidate, held) = (copy(b, kept.candidate), copy(b, held));
                    kept.of_all_floats().create(b, candidate, held)
                }
                Part::Choice => {
                    let arms = [operands[1], operands[2]].map(|arm| copy(b, arm));
                    arith::select(b, names.value(operands[0]), arms[0], arms[1])
                }
                Part::Sum(_) | Part::Extremum(_) => {
                    let operands = [operands[0], operands[1]].map(|value| copy(b, value));
                    without_flags(b, step, &operands, ty)
                }
            }
        });
        next[0]
    }

    /// Emits the summary of a chunk behind an iteration, from that before it.
    pub(super) fn summed_up(
        &self,
        b: &mut Builder,
        summary: &[Value],
        names: &IrMapping,
    ) -> Vec<Value> {
        let ends = summary[..2].iter();
        let ends = ends.map(|&end| self.evaluated(b, end, self.wide, names));
        let mut next: Vec<Value> = ends.collect();
        let (sum, mut reach) = (summary[2], summary.get(3).copied());
        next.extend(self.steps.follow(b, &[sum], |b, step, part, sums| {
            let operands = b.body[step].operands.clone();
            let mut bounded = |b: &mut Builder, by: Value| {
                let bound = widened(b, names.value(by), self.wide);
                reach = reach.map(|reach| at_least(b, reach, bound));
            };
            match part {
                Part::Sum(at) => {
                    let term = widened(b, names.value(operands[1 - at]), self.wide);
                    reach = reach.map(|reach| further(b, reach, term));
                    without_flags(b, step, &[sums[&operands[at]], term], self.wide)
                }
                Part::Extremum(at) => {
                    bounded(b, operands[1 - at]);
                    sums[&operands[at]]
                }
                Part::CompareSelect(kept, held) => {
                    bounded(b, kept.candidate);
                    sums[&held]
                }
                Part::Choice => {
                    // Where another value is chosen, both ends become it, whatever the sum is.
                    let arms = [operands[1], operands[2]].map(|arm| match sums.get(&arm) {
                        Some(&sum) => sum,
                        None => {
                            bounded(b, arm);
                            sum
                        }
                    });
                    arith::select(b, names.value(operands[0]), arms[0], arms[1])
                }
                Part::Comparison => sum,
            }
        }));
        next.extend(reach);
        next
    }

    /// Emits the final value of a chunk: from its initial value and its summary.
    pub(super) fn applied(&self, b: &mut Builder, carried: Value, summary: &[Value]) -> Value {
        let [plus, max, min] = match self.is_integer() {
            true => [arith::ADDI, arith::MAXSI, arith::MINSI],
            false => [arith::ADDF, arith::MAXIMUMF, arith::MINIMUMF],
        };
        let carried = widened(b, carried, self.wide);
        let sum = b.binary(plus, carried, summary[2]);
        let bounded = b.binary(max, sum, summary[0]);
        let last = b.binary(min, bounded, summary[1]);
        match self.is_integer() {
            true => b.unary(arith::TRUNCI, &[last], self.ty),
            false => last,
        }
    }

    /// Emits whether the final value of a chunk that follows from its summary is that of the loop: no integer wraps around, and
    /// all floats are numbers.
    pub(super) fn is_exact_enough(
        &self,
        b: &mut Builder,
        carried: Value,
        summary: &[Value],
        last: Value,
    ) -> Option<Value> {
        if let Some(&reach) = summary.get(3) {
            let carried = widened(b, carried, self.wide);
            let reach = further(b, reach, carried);
            let most = b.constant(self.ends[1], self.wide);
            return Some(CmpIOp::create(b, CmpIPredicate::Sle, reach, most));
        }
        let infinity = b.constant(self.ends[1], self.ty);
        let finite = [summary[2], last].map(|value| {
            let size = b.unary(math::ABSF, &[value], self.ty);
            CmpFOp::create(b, CmpFPredicate::Olt, size, infinity)
        });
        let ordered = CmpFOp::create(b, CmpFPredicate::Ord, summary[0], summary[1]);
        let all = b.binary(arith::ANDI, finite[0], finite[1]);
        Some(b.binary(arith::ANDI, all, ordered))
    }
}

/// What an operation does with operands that depend on the carried value; `None` if that is no part of a clamped sum.
fn part_of(ctx: &Context, body: &Body, step: OpId, dependent: &FxHashSet<Value>) -> Option<Part> {
    let operands = &body[step].operands[..];
    let which: Vec<bool> = operands
        .iter()
        .map(|value| dependent.contains(value))
        .collect();
    Some(match (body[step].name, &which[..]) {
        (arith::ADDI | arith::ADDF | arith::SUBI | arith::SUBF, [true, false]) => Part::Sum(0),
        (arith::ADDI | arith::ADDF, [false, true]) => Part::Sum(1),
        (
            arith::MAXSI
            | arith::MINSI
            | arith::MAXIMUMF
            | arith::MINIMUMF
            | arith::MAXNUMF
            | arith::MINNUMF,
            [first, second],
        ) if first != second => Part::Extremum(usize::from(*second)),
        (arith::CMPI | arith::CMPF, [first, second]) if first != second => Part::Comparison,
        (arith::SELECT, [false, ..]) => Part::Choice,
        (arith::SELECT, [true, first, second]) if first != second => {
            let held = operands[if *first { 1 } else { 2 }];
            let kept = CompareSelect::of(ctx, body, step, held)?;
            if matches!(kept.better, Better::UnsignedGreater | Better::UnsignedLess) {
                return None;
            }
            Part::CompareSelect(kept, held)
        }
        _ => return None,
    })
}

/// Emits a signed integer in a wider type, if it is none of that type.
fn widened(b: &mut Builder, value: Value, ty: Type) -> Value {
    match b.body.ty(value) == ty {
        true => value,
        false => b.unary(arith::EXTSI, &[value], ty),
    }
}

/// Emits the size of an integer of 64 bits.
fn size(b: &mut Builder, value: Value) -> Value {
    let ty = b.body.ty(value);
    let zero = b.ctx.int_attr(ty, 0);
    let zero = b.constant(zero, ty);
    let negated = b.binary(arith::SUBI, zero, value);
    b.binary(arith::MAXSI, value, negated)
}

/// Emits how far values are from zero that move by a term.
fn further(b: &mut Builder, reach: Value, term: Value) -> Value {
    let size = size(b, term);
    b.binary(arith::ADDI, reach, size)
}

/// Emits how far values are from zero, some of which become `bound`.
fn at_least(b: &mut Builder, reach: Value, bound: Value) -> Value {
    let size = size(b, bound);
    b.binary(arith::MAXSI, reach, size)
}
