//! Linear recurrences: each iteration makes a linear function of the carried value.
//!
//! ```text
//! %m = arith.mulf %acc, %a                       acc' = a * acc + x
//! %y = arith.addf %m, %x
//! ```
//!
//! What a chunk makes of its initial value `c` is `A * c + B`, where `B` is the final value of the chunk that starts from zero,
//! and `A`, the coefficient, the product of the factors; where several values depend on each other, `A` is a matrix (P. Kogge and H. Stone, "A Parallel Algorithm for the Efficient Solution
//! of a General Class of Recurrence Equations", 1973; G. Blelloch, "Prefix Sums and Their Applications", 1990, section 1.4).
//! Recursive filters, moving averages, polynomials by Horner's rule, hashes and linear congruential generators are such.
//!
//! Integers wrap around, so that this is exact, modulo a power of two that masks cut off as well. Floats are regrouped where
//! that is allowed. There, `A` or `B` may overflow where the values of the loop do not, and cancellation may cost all digits if
//! `A` is large: a chunk for which that may be is run from its initial value instead ([`LinearRecurrence::is_exact_enough`]).

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::arith::{self, CmpFOp, CmpFPredicate, REASSOCIATE, fastmath_flags};
use gridloom_dialects::math;
use gridloom_ir::hash::FxHashSet;
use gridloom_ir::{Attr, Body, Builder, Context, IrMapping, OpId, Type, Value};

use super::steps::{Steps, without_flags};
use crate::analysis::reduction::{float_attr, int_attr, zero};

/// Linear recurrence of one carried value or of some together: `%carried = %factors * %carried + %terms`, in one or more
/// operations.
pub(super) struct LinearRecurrence {
    /// The type of the carried values.
    ty: Type,
    pub(super) steps: Steps<LinearPart>,
    /// The mask that the last operation cuts the integer off with.
    mask: Option<i64>,
    zero: Attr,
    one: Attr,
}

/// Linear part of an operation: what it makes of the coefficients of its operands.
#[derive(Clone, Copy)]
pub(super) enum LinearPart {
    /// The coefficient of one operand.
    Operand(usize),
    /// The operation, of the coefficients and factors, and of zero for each term.
    Operation,
}

/// Limit of the values of one recurrence: a chunk is summed up by their squared number of coefficients.
const MAX_VALUES: usize = 4;

/// Limit of the coefficients of a chunk of floats, by which errors of its initial values are multiplied.
const MAX_COEFFICIENT: f64 = 16.0;

impl LinearRecurrence {
    /// Matches the values that a loop carries at `places`.
    pub(super) fn of(
        ctx: &Context,
        body: &Body,
        op: ForOp,
        places: &[usize],
        reassociate: bool,
    ) -> Option<LinearRecurrence> {
        let args = op.iter_args(body);
        let ty = body.ty(args[*places.first()?]);
        let width = ty.signless_width(ctx).filter(|&width| width > 1);
        let is_float = float_attr(ctx, ty, f64::INFINITY).is_some();
        let is_one_type = places.iter().all(|&place| body.ty(args[place]) == ty);
        if !is_one_type || places.len() > MAX_VALUES || !is_float && width.is_none() {
            return None;
        }
        let mut masks = Vec::new();
        let steps = Steps::of(body, op, places, |step, dependent| {
            let flags = fastmath_flags(ctx, &body[step]);
            let may_be_regrouped = !is_float || reassociate || flags & REASSOCIATE != 0;
            let keeps_bits = body.ty(body[step].result(0)).signless_width(ctx) >= width;
            masks.extend(mask(ctx, body, step));
            let part = linear_part(ctx, body, step, dependent);
            part.filter(|_| may_be_regrouped && keeps_bits)
        })?;
        // What is left is certain modulo the least mask alone, which has to be the last one.
        let last = mask(ctx, body, steps.last()?).filter(|_| places.len() == 1);
        let is_least = |mask: i64| last.is_some_and(|last| last <= mask);
        if !masks.into_iter().all(is_least) {
            return None;
        }
        Some(LinearRecurrence {
            ty,
            steps,
            mask: last,
            zero: zero(ctx, ty)?,
            one: int_attr(ctx, ty, 1).or_else(|| float_attr(ctx, ty, 1.0))?,
        })
    }

    /// The summary of a chunk without iterations: zeros, and the unit matrix of coefficients, row by row.
    pub(super) fn empty_summary(&self) -> Vec<(Type, Attr)> {
        let count = self.steps.count();
        let is_diagonal = |at: usize| at.is_multiple_of(count + 1);
        let unit = (0..count * count).map(|at| if is_diagonal(at) { self.one } else { self.zero });
        let numbers = std::iter::repeat_n(self.zero, count).chain(unit);
        numbers.map(|number| (self.ty, number)).collect()
    }

    /// Emits the next carried values of an iteration, given the copies of the loop's values.
    pub(super) fn step(&self, b: &mut Builder, carried: &[Value], names: &IrMapping) -> Vec<Value> {
        self.steps.follow(b, carried, |b, step, _, copies| {
            let operands = b.body[step].operands.iter();
            let operands = operands.map(|of| copies.get(of).copied().unwrap_or(names.value(*of)));
            let operands: Vec<Value> = operands.collect();
            without_flags(b, step, &operands, b.body.ty(b.body[step].result(0)))
        })
    }

    /// Emits the summary of a chunk behind an iteration, from that before it.
    pub(super) fn summed_up(
        &self,
        b: &mut Builder,
        summary: &[Value],
        names: &IrMapping,
    ) -> Vec<Value> {
        let count = self.steps.count();
        let (values, coefficients) = summary.split_at(count);
        let mut next = self.step(b, values, names);
        let columns = (0..count).map(|column| {
            let before = coefficients.iter().skip(column).step_by(count);
            let before: Vec<Value> = before.copied().collect();
            self.coefficients(b, &before, names)
        });
        let columns: Vec<Vec<Value>> = columns.collect();
        next.extend((0..count).flat_map(|row| columns.iter().map(move |column| column[row])));
        next
    }

    /// Emits the coefficients of one of the initial values behind an iteration, from those before it.
    fn coefficients(&self, b: &mut Builder, before: &[Value], names: &IrMapping) -> Vec<Value> {
        self.steps.follow(b, before, |b, step, part, copies| {
            let operands = b.body[step].operands.clone();
            if let LinearPart::Operand(at) = part {
                return copies[&operands[at]];
            }
            let parts = operands.iter().enumerate();
            let parts = parts.map(|(at, operand)| match copies.get(operand) {
                Some(&coefficient) => coefficient,
                None if is_term(b.body, step, at) => zero_of(b, *operand),
                None => names.value(*operand),
            });
            let parts: Vec<Value> = parts.collect();
            without_flags(b, step, &parts, b.body.ty(b.body[step].result(0)))
        })
    }

    /// Emits the final values of a chunk: from its initial values and its summary.
    pub(super) fn applied(
        &self,
        b: &mut Builder,
        carried: &[Value],
        summary: &[Value],
    ) -> Vec<Value> {
        let [times, plus] = match self.ty.float_kind(b.ctx) {
            Some(_) => [arith::MULF, arith::ADDF],
            None => [arith::MULI, arith::ADDI],
        };
        let count = self.steps.count();
        let (from_zero, coefficients) = summary.split_at(count);
        let rows = coefficients.chunks(count).zip(from_zero);
        let rows = rows.map(|(row, &from_zero)| {
            let sum = row
                .iter()
                .zip(carried)
                .fold(from_zero, |sum, (&coefficient, &carried)| {
                    let product = b.binary(times, coefficient, carried);
                    b.binary(plus, product, sum)
                });
            self.masked(b, sum)
        });
        rows.collect()
    }

    fn masked(&self, b: &mut Builder, value: Value) -> Value {
        match self
            .mask
            .and_then(|mask| int_attr(b.ctx, self.ty, mask.into()))
        {
            Some(mask) => {
                let mask = b.constant(mask, self.ty);
                b.binary(arith::ANDI, value, mask)
            }
            None => value,
        }
    }

    /// Emits whether the final values of a chunk of floats are as exact as those of the loop: the coefficients are small, and the
    /// values finite. `None` for integers.
    pub(super) fn is_exact_enough(
        &self,
        b: &mut Builder,
        summary: &[Value],
        last: &[Value],
    ) -> Option<Value> {
        let limits =
            [MAX_COEFFICIENT, f64::INFINITY].map(|limit| float_attr(b.ctx, self.ty, limit));
        let [Some(most), Some(infinity)] = limits else {
            return None;
        };
        let coefficients = summary[last.len()..]
            .iter()
            .map(|&value| (value, CmpFPredicate::Ole, most));
        let values = last
            .iter()
            .map(|&value| (value, CmpFPredicate::Olt, infinity));
        let tests = coefficients.chain(values).map(|(value, predicate, limit)| {
            let size = b.unary(math::ABSF, &[value], self.ty);
            let limit = b.constant(limit, self.ty);
            CmpFOp::create(b, predicate, size, limit)
        });
        let tests: Vec<Value> = tests.collect();
        tests
            .into_iter()
            .reduce(|all, test| b.binary(arith::ANDI, all, test))
    }
}

/// The linear part of an operation some of whose operands are linear in the carried value; `None` if its result is not.
fn linear_part(
    ctx: &Context,
    body: &Body,
    step: OpId,
    dependent: &FxHashSet<Value>,
) -> Option<LinearPart> {
    let operands = body[step].operands.iter();
    let which: Vec<bool> = operands.map(|value| dependent.contains(value)).collect();
    Some(match (body[step].name, &which[..]) {
        (arith::ADDI | arith::ADDF | arith::SUBI | arith::SUBF, [true, false]) => {
            LinearPart::Operand(0)
        }
        (arith::ADDI | arith::ADDF, [false, true]) => LinearPart::Operand(1),
        (arith::ADDI | arith::ADDF | arith::SUBI | arith::SUBF, _) => LinearPart::Operation,
        (arith::MULI | arith::MULF, [true, false] | [false, true]) => LinearPart::Operation,
        (arith::DIVF | arith::SHLI, [true, false]) => LinearPart::Operation,
        (arith::NEGF | arith::EXTSI | arith::EXTUI | arith::TRUNCI, _) => LinearPart::Operation,
        (arith::SELECT, [false, ..]) => LinearPart::Operation,
        (math::FMA, [true, false, _] | [false, true, _]) => LinearPart::Operation,
        (math::FMA, [false, false, true]) => LinearPart::Operand(2),
        (arith::ANDI, [first, second]) if first != second && mask(ctx, body, step).is_some() => {
            LinearPart::Operand(usize::from(*second))
        }
        _ => return None,
    })
}

/// Whether an operation adds the operand at this place, or chooses it, instead of multiplying by it.
fn is_term(body: &Body, step: OpId, at: usize) -> bool {
    match body[step].name {
        arith::ADDI | arith::ADDF | arith::SUBI | arith::SUBF => true,
        arith::SELECT => at > 0,
        math::FMA => at == 2,
        _ => false,
    }
}

/// The constant `2^k - 1` with which an operation keeps the low bits of an integer.
fn mask(ctx: &Context, body: &Body, step: OpId) -> Option<i64> {
    let operands = (body[step].name == arith::ANDI).then_some(&body[step].operands)?;
    let mut constants = operands
        .iter()
        .filter_map(|&of| arith::constant_int(ctx, body, of));
    constants.find(|&mask| mask > 0 && mask.unsigned_abs().wrapping_add(1).is_power_of_two())
}

/// Emits the zero of a value's type, which is one of the integers and floats that recurrences have.
fn zero_of(b: &mut Builder, value: Value) -> Value {
    let ty = b.body.ty(value);
    match zero(b.ctx, ty) {
        Some(zero) => b.constant(zero, ty),
        None => value,
    }
}
