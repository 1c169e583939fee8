//! Integer range inference: the interval of what an operation of `arith` computes, by those of its operands.
//!
//! Intervals hold the numbers as signed ones; an `i1` is 0 or 1. A result outside of its type wraps around: whoever
//! takes an interval for that of a value checks that its type holds it.

use gridloom_ir::body::{Body, OpId, Value};
use gridloom_ir::{Context, Type};

use crate::{arith, inherent};

/// Inclusive interval of integers.
pub type Interval = (i128, i128);

/// The interval of a signless integer type.
pub fn of_type(ctx: &Context, ty: Type) -> Option<Interval> {
    match ty.signless_width(ctx)? {
        1 => Some((0, 1)),
        width @ 2..=64 => Some((-(1 << (width - 1)), (1 << (width - 1)) - 1)),
        _ => None,
    }
}

/// The interval of the result of an operation of `arith`, where `of` gives those of its operands; `None`
/// for operations that it does not know.
pub fn of_result(
    ctx: &Context,
    body: &Body,
    op: OpId,
    of: impl Fn(Value) -> Option<Interval>,
) -> Option<Interval> {
    let data = &body[op];
    let is_bool = |value: Value| body.ty(value).signless_width(ctx) == Some(1);
    let of_bools = [
        arith::CONSTANT,
        arith::ANDI,
        arith::ORI,
        arith::XORI,
        arith::SELECT,
    ];
    if data.results().any(is_bool) && !of_bools.contains(&data.name) {
        // The others may take the 1 for -1.
        return None;
    }
    let operand = |index: usize| of(*data.operands.get(index)?);
    let both = |f: fn(Interval, Interval) -> Option<Interval>| f(operand(0)?, operand(1)?);
    match data.name {
        arith::CONSTANT => {
            let value = data.get(ctx, inherent::VALUE)?.as_i64(ctx)?;
            let value = i128::from(if is_bool(data.result(0)) {
                value & 1
            } else {
                value
            });
            Some((value, value))
        }
        arith::ADDI => both(|a, b| Some((a.0 + b.0, a.1 + b.1))),
        arith::SUBI => both(|a, b| Some((a.0 - b.1, a.1 - b.0))),
        arith::MULI => both(product),
        arith::DIVSI => both(|a, b| Some(quotient(a, b, |a, b| a / b))),
        arith::FLOORDIVSI => both(|a, b| Some(quotient(a, b, i128::div_euclid))),
        arith::CEILDIVSI => both(|a, b| Some(quotient(a, b, |a, b| -(-a).div_euclid(b)))),
        arith::REMSI => both(|a, b| {
            let most = (b.0.abs().max(b.1.abs()) - 1).max(0);
            Some((a.0.clamp(-most, 0), a.1.clamp(0, most)))
        }),
        arith::DIVUI => both(|a, b| natural_quotient(a, b, |a, b| a / b)),
        arith::CEILDIVUI => both(|a, b| natural_quotient(a, b, |a, b| (a + b - 1) / b)),
        arith::REMUI => both(|a, b| (a.0 >= 0 && b.0 >= 0).then(|| (0, a.1.min((b.1 - 1).max(0))))),
        arith::MINSI => both(|a, b| Some((a.0.min(b.0), a.1.min(b.1)))),
        arith::MAXSI => both(|a, b| Some((a.0.max(b.0), a.1.max(b.1)))),
        arith::MINUI => both(|a, b| {
            // Negative numbers are the greatest.
            let others = [a, b].into_iter().filter(|one| one.0 >= 0);
            let most = others.map(|one| one.1).min();
            Some(most.map_or(hull(a, b), |most| (a.0.min(b.0).max(0), most)))
        }),
        arith::MAXUI => both(|a, b| Some(hull(a, b))),
        arith::SHLI => both(|a, by| shifted(a, by, |number, by| number << by)),
        arith::SHRSI => both(|a, by| shifted(a, by, |number, by| number >> by)),
        arith::SHRUI => {
            both(|a, by| shifted(a, by, |number, by| number >> by).filter(|_| a.0 >= 0))
        }
        arith::ORI | arith::XORI => both(|a, b| {
            let most = 1i128.checked_shl(128 - (a.1 | b.1).leading_zeros())? - 1;
            (a.0 >= 0 && b.0 >= 0).then_some((0, most))
        }),
        arith::ANDI => both(|a, b| {
            let mask = if a.0 >= 0 { Some(a.1) } else { None };
            let other = if b.0 >= 0 { Some(b.1) } else { None };
            let bound = mask.into_iter().chain(other).min()?;
            Some((0, bound))
        }),
        arith::SELECT => match operand(0)? {
            (1, 1) => operand(1),
            (0, 0) => operand(2),
            _ => Some(hull(operand(1)?, operand(2)?)),
        },
        arith::EXTSI | arith::INDEX_CAST => {
            let number = *data.operands.first()?;
            signed(ctx, body.ty(number), of(number)?)
        }
        arith::EXTUI | arith::INDEX_CASTUI => {
            let number = *data.operands.first()?;
            unsigned(ctx, body.ty(number), of(number)?)
        }
        _ => None,
    }
}

/// The interval of the counter of a loop, `lower + k * step` below `upper`: with a step that may exceed the loop, as in
/// a grid-stride loop, `k` is 0.
pub fn of_counter(lower: Interval, upper: Interval, step: Option<Interval>) -> Interval {
    let below = (upper.1 - 1).max(lower.0);
    let last = step.filter(|step| step.0 >= 1).map(|step| {
        let steps = (below - lower.0) / step.0;
        lower.1.saturating_add(steps.saturating_mul(step.1))
    });
    (
        lower.0,
        last.map_or(below, |last| last.min(below)).max(lower.0),
    )
}

/// The numbers in both of two intervals, which meet.
pub fn common(a: Interval, b: Interval) -> Interval {
    (a.0.max(b.0), a.1.min(b.1))
}

/// The smallest interval around two.
pub fn hull(a: Interval, b: Interval) -> Interval {
    (a.0.min(b.0), a.1.max(b.1))
}

/// The interval of a number of a type as what its bits say to a signed operation; for an `i1` -1 and 0.
fn signed(ctx: &Context, ty: Type, bounds: Interval) -> Option<Interval> {
    match ty.signless_width(ctx) {
        Some(1) => Some((-bounds.1, -bounds.0)),
        _ => Some(bounds),
    }
}

/// The interval of a number of a type as what its bits say to an unsigned operation.
fn unsigned(ctx: &Context, ty: Type, bounds: Interval) -> Option<Interval> {
    if bounds.0 >= 0 {
        return Some(bounds);
    }
    let width = ty.signless_width(ctx)?;
    (width < 64).then(|| (0, (1 << width) - 1))
}

/// The interval of numbers shifted by amounts that a register of 32 bits may be shifted by.
fn shifted(a: Interval, by: Interval, shift: fn(i128, u32) -> i128) -> Option<Interval> {
    if by.0 < 0 || by.1 > 31 {
        return None;
    }
    let ends = [by.0 as u32, by.1 as u32].map(|by| (shift(a.0, by), shift(a.1, by)));
    Some(hull(ends[0], ends[1]))
}

fn product(a: Interval, b: Interval) -> Option<Interval> {
    let corners = [
        a.0.checked_mul(b.0)?,
        a.0.checked_mul(b.1)?,
        a.1.checked_mul(b.0)?,
        a.1.checked_mul(b.1)?,
    ];
    Some((*corners.iter().min()?, *corners.iter().max()?))
}

/// The interval of quotients of numbers that are the same signed and unsigned, as non-negative ones are. A divisor is not 0.
fn natural_quotient(a: Interval, b: Interval, divide: fn(i128, i128) -> i128) -> Option<Interval> {
    (a.0 >= 0 && b.0 >= 0).then(|| quotient(a, (b.0.max(1), b.1.max(1)), divide))
}

/// The interval of quotients, which a division rounds as `divide` does for positive divisors. It is monotonic in both
/// operands there; the magnitude of others is at most that of the dividend.
fn quotient(a: Interval, b: Interval, divide: fn(i128, i128) -> i128) -> Interval {
    if b.0 >= 1 {
        let ends = [b.0, b.1].map(|b| (divide(a.0, b), divide(a.1, b)));
        return hull(ends[0], ends[1]);
    }
    let most = a.0.abs().max(a.1.abs());
    (-most, most)
}
