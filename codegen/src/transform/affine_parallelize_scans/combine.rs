//! Recurrences of scans: how each iteration combines the carried value with its term.
//!
//! A compare-and-select extremum may be folded in parts, bit for bit as the loop does. With `z` the
//! initial value of a part and `-inf` the neutral element of a maximum,
//!
//! ```text
//! fold(z, x0 … xn) = better(z, fold(-inf, x0 … xn))
//! ```
//!
//! This holds for NaN among the terms, which an ordered comparison never selects; for `z` = NaN, which
//! no term replaces; and for zeros of both signs, since parts are combined in their order.

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::arith;
use gridloom_ir::{Attr, Body, Builder, Context, IrMapping, OpName, Type, Value};

use super::segments::Reset;
use crate::analysis::arg_reduction::compare_select::CompareSelect;
use crate::analysis::reduction::{Reduction, combined_by, neutral_element};

/// Recurrence of a scan: `%carried = combine(%carried, %term)`.
#[derive(Clone, Copy)]
pub(in crate::transform) struct Recurrence {
    combine: Combine,
    /// The exact neutral element of the combination.
    pub(super) neutral: Attr,
    /// The type of the carried value.
    pub(super) ty: Type,
    /// Value that each iteration combines with the carried one.
    pub(in crate::transform) term: Value,
    /// Begin of a segment, if it is a segmented scan.
    pub(super) reset: Option<Reset>,
    /// Number of uses of the carried value that combine it.
    pub(super) own_uses: usize,
}

#[derive(Clone, Copy)]
enum Combine {
    /// An associative and commutative operation: parts combine in any order.
    Operation(OpName),
    /// Compare and select: parts combine in the order of the iterations.
    Select(CompareSelect),
}

/// The recurrence of one of the values that a loop carries.
pub(in crate::transform) fn recurrence_at(
    ctx: &Context,
    body: &Body,
    op: ForOp,
    place: usize,
    reassociate: bool,
) -> Option<Recurrence> {
    let acc = *op.iter_args(body).get(place)?;
    let next = *op.yielded(body).get(place)?;
    let step = body.defining_op(next)?;
    if body[step].parent() != Some(op.block(body)) {
        return None;
    }
    let plain = combination(ctx, body, (acc, next), reassociate);
    let (combined, reset) = match plain {
        Some(plain) => (plain, None),
        None => {
            let (combined, reset) = segmented(ctx, body, (acc, next), reassociate)?;
            (combined, Some(reset))
        }
    };
    let Combination {
        combine,
        term,
        own_uses,
    } = combined;
    let ty = body.ty(acc);
    let neutral = match combine {
        Combine::Operation(name) => neutral_element(ctx, name, ty),
        Combine::Select(kept) => kept.neutral(ctx, ty),
    };
    Some(Recurrence {
        combine,
        neutral: neutral?,
        ty,
        term,
        reset,
        own_uses,
    })
}

/// Combination of the carried value with a term.
struct Combination {
    combine: Combine,
    term: Value,
    /// Number of uses of the value that combine it.
    own_uses: usize,
}

/// Matches the combination of `acc` with a term.
fn combination(
    ctx: &Context,
    body: &Body,
    (acc, next): (Value, Value),
    reassociate: bool,
) -> Option<Combination> {
    let step = body.defining_op(next)?;
    Some(match body[step].name {
        arith::SELECT => {
            let kept = CompareSelect::of(ctx, body, step, acc)?;
            Combination {
                combine: Combine::Select(kept),
                term: kept.candidate,
                own_uses: 2,
            }
        }
        _ => {
            let (name, term) = operation(ctx, body, next, acc, reassociate)?;
            Combination {
                combine: Combine::Operation(name),
                term,
                own_uses: 1,
            }
        }
    })
}

/// Matches a combination before or after which segments begin anew.
fn segmented(
    ctx: &Context,
    body: &Body,
    (acc, next): (Value, Value),
    reassociate: bool,
) -> Option<(Combination, Reset)> {
    let step = body.defining_op(next)?;
    let operands = body[step].operands.iter();
    if body[step].name == arith::SELECT {
        return operands.skip(1).find_map(|&kept| {
            let combined = combination(ctx, body, (acc, kept), reassociate)?;
            Some((combined, Reset::of(body, step, kept, false)?))
        });
    }
    operands.into_iter().find_map(|&from| {
        let reset = Reset::of(body, body.defining_op(from)?, acc, true)?;
        Some((combination(ctx, body, (from, next), reassociate)?, reset))
    })
}

/// The operation and the term of `%acc = %acc op %term`.
fn operation(
    ctx: &Context,
    body: &Body,
    next: Value,
    acc: Value,
    reassociate: bool,
) -> Option<(OpName, Value)> {
    let step = body.defining_op(next)?;
    let &[left, right] = &body[step].operands[..] else {
        return None;
    };
    let (operand, term) = match (left == acc, right == acc) {
        (true, false) => (0, right),
        (false, true) => (1, left),
        _ => return None,
    };
    let (combine, keeps_order) = combined_by(ctx, &body[step], operand)?;
    (combine == body[step].name && (reassociate || !keeps_order)).then_some((combine, term))
}

impl Recurrence {
    /// Emits the combination of two parts; `left` is the earlier one.
    pub(super) fn combined(&self, b: &mut Builder, left: Value, right: Value) -> Value {
        match self.combine {
            Combine::Operation(name) => b.binary(name, left, right),
            Combine::Select(kept) => kept.create(b, right, left),
        }
    }

    /// Emits the next carried value of an iteration, given the copies of the loop's values.
    pub(super) fn step(&self, b: &mut Builder, carried: Value, names: &IrMapping) -> Value {
        let term = names.value(self.term);
        match self.reset {
            Some(reset) if reset.is_before => {
                let from = reset.apply(b, carried, |value| names.value(value));
                self.combined(b, from, term)
            }
            Some(reset) => {
                let next = self.combined(b, carried, term);
                reset.apply(b, next, |value| names.value(value))
            }
            None => self.combined(b, carried, term),
        }
    }

    /// The values of an iteration that it needs.
    pub(super) fn inputs(&self) -> Vec<Value> {
        let reset = self.reset.iter().flat_map(Reset::inputs);
        [self.term].into_iter().chain(reset).collect()
    }

    /// The reduction by the same operation, if parts may combine in any order, and nothing starts anew.
    pub(super) fn reduction(&self) -> Option<Reduction> {
        match self.combine {
            _ if self.reset.is_some() => None,
            Combine::Operation(combine) => Some(Reduction {
                combine,
                neutral: self.neutral,
                ty: self.ty,
            }),
            Combine::Select(_) => None,
        }
    }

    /// Whether it adds integers.
    pub(in crate::transform) fn is_sum_of_integers(&self) -> bool {
        self.reset.is_none() && matches!(self.combine, Combine::Operation(arith::ADDI))
    }
}
