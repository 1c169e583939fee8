//! Conditions on one counter, and what they are within a range of its values.

use gridloom_dialects::affine::{self, IfOp};
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_ir::{Body, Context, OpId, Value};

use crate::transform::linear_form::LinearForm;

/// Values of a counter: from the first one to the last one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CounterRange {
    pub(super) first: i128,
    pub(super) last: i128,
}

impl CounterRange {
    /// The range of one value.
    pub(super) fn only(value: i64) -> CounterRange {
        let value = value.into();
        CounterRange {
            first: value,
            last: value,
        }
    }
}

/// Whether a condition on a counter alone, an `affine.if` or an `arith.cmpi` with a constant, holds for all values in a
/// range, or for none; `None` if that differs, is not known, or the operation is no such condition.
pub(super) fn truth(
    ctx: &Context,
    body: &Body,
    op: OpId,
    counter: Value,
    range: CounterRange,
) -> Option<bool> {
    match body[op].name {
        affine::IF => set_truth(ctx, body, IfOp(op), counter, range),
        arith::CMPI => comparison_truth(ctx, body, CmpIOp(op), counter, range),
        _ => None,
    }
}

/// A set is a conjunction: it holds where all constraints do, and nowhere if one does nowhere.
fn set_truth(
    ctx: &Context,
    body: &Body,
    branch: IfOp,
    counter: Value,
    range: CounterRange,
) -> Option<bool> {
    let operands = branch.operands(body);
    if operands.is_empty() || operands.iter().any(|&operand| operand != counter) {
        return None;
    }
    let set = branch.set(ctx, body).data(ctx);
    let dims = set.dims as usize;
    let all: Vec<Option<bool>> = { set.constraints.iter() }
        .map(|constraint| {
            let form = LinearForm::of(ctx, constraint.expr, dims, operands, [counter])?;
            let values = values_of(form, range)?;
            match constraint.is_eq {
                true => equality(values, 0),
                false => less(values, 0).map(|is_less| !is_less),
            }
        })
        .collect();
    match all.contains(&Some(false)) {
        true => Some(false),
        false => all.iter().all(|&one| one == Some(true)).then_some(true),
    }
}

/// The range of a linear form of the counter; `None` unless all its values fit 64 bits, in which the
/// machine computes it.
fn values_of(form: LinearForm<1>, range: CounterRange) -> Option<CounterRange> {
    let ([factor], constant) = (form.factors, form.constant?);
    let at = |value: i128| {
        let value = factor.checked_mul(value)?.checked_add(constant)?;
        i64::try_from(value).ok().map(i128::from)
    };
    let ends = [at(range.first)?, at(range.last)?];
    Some(CounterRange {
        first: ends[0].min(ends[1]),
        last: ends[0].max(ends[1]),
    })
}

fn comparison_truth(
    ctx: &Context,
    body: &Body,
    compare: CmpIOp,
    counter: Value,
    range: CounterRange,
) -> Option<bool> {
    let predicate = compare.predicate(ctx, body);
    let &[left, right] = &body[compare.0].operands[..] else {
        return None;
    };
    let (other, predicate) = match (left == counter, right == counter) {
        (true, false) => (right, predicate),
        (false, true) => (left, predicate.mirrored()),
        _ => return None,
    };
    let other = i128::from(arith::constant_int(ctx, body, other)?);
    // Numbers that are not negative compare alike with and without a sign.
    let is_signed_alike = range.first >= 0 && other >= 0;
    match predicate {
        CmpIPredicate::Eq => equality(range, other),
        CmpIPredicate::Ne => equality(range, other).map(|is| !is),
        CmpIPredicate::Slt => less(range, other),
        CmpIPredicate::Sge => less(range, other).map(|is| !is),
        CmpIPredicate::Sle => less(range, other + 1),
        CmpIPredicate::Sgt => less(range, other + 1).map(|is| !is),
        CmpIPredicate::Ult if is_signed_alike => less(range, other),
        CmpIPredicate::Uge if is_signed_alike => less(range, other).map(|is| !is),
        CmpIPredicate::Ule if is_signed_alike => less(range, other + 1),
        CmpIPredicate::Ugt if is_signed_alike => less(range, other + 1).map(|is| !is),
        _ => None,
    }
}

/// Whether all values of a range equal a number, or none does.
fn equality(range: CounterRange, number: i128) -> Option<bool> {
    if number < range.first || range.last < number {
        return Some(false);
    }
    (range.first == range.last).then_some(true)
}

/// Whether all values of a range are less than a number, or none is.
fn less(range: CounterRange, number: i128) -> Option<bool> {
    if range.last < number {
        return Some(true);
    }
    (range.first >= number).then_some(false)
}
