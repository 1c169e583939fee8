//! Extrema by compare and select: `select (cmp candidate, held), candidate, held`.
//!
//! An ordered comparison never takes NaN and never replaces it, so the best of several candidates
//! is kept in whatever order they come. Only zeros show the order: they are equal, so that the
//! first of them stays, or the last one, with its sign.

use gridloom_dialects::arith::{
    self, NO_INFINITIES, NO_NANS, NO_SIGNED_ZEROS, fastmath_attr, fastmath_flags, select,
};
use gridloom_dialects::{inherent, math};
use gridloom_ir::attr::AttrKind;
use gridloom_ir::scalar::FloatFormat;
use gridloom_ir::{Attr, Body, Builder, Context, OpId, OpName, Type, Value};

use super::predicate::{Predicate, taken_if};
use super::{Better, Ties, neutral};
use crate::analysis::reduction::float_attr;

/// Compare-and-select extremum of a candidate and the held value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CompareSelect {
    /// The comparison.
    pub compare: OpId,
    /// The order by which a candidate is better than the held value.
    pub better: Better,
    /// Tie-breaking rule among equal values.
    pub ties: Ties,
    /// The candidate.
    pub candidate: Value,
    /// The `fastmath` flags of the comparison.
    pub flags: u32,
}

impl CompareSelect {
    /// Matches a select that keeps the extremum of `held` and a candidate.
    pub fn of(ctx: &Context, body: &Body, op: OpId, held: Value) -> Option<CompareSelect> {
        let condition = *body[op].operands.first()?;
        let is_taken_if = taken_if(body, op, condition, held)?;
        let kept = CompareSelect::by(ctx, body, condition, held, is_taken_if)?;
        let taken = body[op].operands[if is_taken_if { 1 } else { 2 }];
        (taken == kept.candidate).then_some(kept)
    }

    /// The extremum of `held` and the candidate compared with it, where the select takes the
    /// candidate if `condition` equals `is_taken_if`.
    pub fn by(
        ctx: &Context,
        body: &Body,
        condition: Value,
        held: Value,
        is_taken_if: bool,
    ) -> Option<CompareSelect> {
        let compare = body.defining_op(condition)?;
        let (predicate, candidate) = Predicate::of(ctx, body, compare, held)?;
        let predicate = match is_taken_if {
            true => predicate,
            // An ordered comparison that fails is an unordered one that holds.
            false => predicate.inverse(),
        };
        let (better, ties) = predicate.order()?;
        Some(CompareSelect {
            compare,
            better,
            ties,
            candidate,
            flags: match body[compare].name {
                arith::CMPF => fastmath_flags(ctx, &body[compare]),
                _ => 0,
            },
        })
    }

    /// Whether candidates may come in any order: of integers always, of floats where the sign of a zero
    /// cannot show it. `loose` says that it may.
    pub fn commutes(&self, ctx: &Context, body: &Body, loose: bool) -> bool {
        loose
            || self.operation().is_some()
            || self.flags & NO_SIGNED_ZEROS != 0
            || is_never_negative_zero(ctx, body, self.candidate, MAX_CHAIN)
    }

    /// The `arith` operation that computes the same extremum; for integers only.
    pub fn operation(&self) -> Option<OpName> {
        Some(match self.better {
            Better::SignedGreater => arith::MAXSI,
            Better::SignedLess => arith::MINSI,
            Better::UnsignedGreater => arith::MAXUI,
            Better::UnsignedLess => arith::MINUI,
            Better::Greater | Better::Less => return None,
        })
    }

    /// Neutral element: the value that no candidate is worse than.
    pub fn neutral(&self, ctx: &Context, ty: Type) -> Option<Attr> {
        neutral(ctx, self.better, ty)
    }

    /// A candidate that is never taken: the neutral element where it loses ties, NaN where it would win
    /// them.
    pub fn never_taken(&self, ctx: &Context, ty: Type) -> Option<Attr> {
        match self.ties {
            Ties::First => self.neutral(ctx, ty),
            Ties::Last => float_attr(ctx, ty, f64::NAN),
        }
    }

    /// The same comparison of any floats: infinities and NaN are no poison.
    #[must_use]
    pub fn of_all_floats(self) -> CompareSelect {
        let flags = self.flags & !(NO_NANS | NO_INFINITIES);
        CompareSelect { flags, ..self }
    }

    /// Compares and selects anew, with the flags of the comparison.
    pub fn create(&self, b: &mut Builder, candidate: Value, held: Value) -> Value {
        let condition = self.compare(b, candidate, held);
        select(b, condition, candidate, held)
    }

    /// Compares anew, with the flags of the comparison.
    pub fn compare(&self, b: &mut Builder, candidate: Value, held: Value) -> Value {
        let condition = Predicate::of_order(self.better, self.ties).compare(b, candidate, held);
        if self.flags != 0
            && let Some(compare) = b.body.defining_op(condition)
        {
            let flags = fastmath_attr(b.ctx, self.flags);
            b.body[compare].set_property(b.ctx, inherent::FASTMATH, flags);
        }
        condition
    }
}

/// Limit of the chain of operations followed to find the sign of a zero.
const MAX_CHAIN: usize = 8;

/// Whether a float is never the negative zero.
fn is_never_negative_zero(ctx: &Context, body: &Body, value: Value, depth: usize) -> bool {
    let Some(op) = body.defining_op(value).filter(|_| depth > 0) else {
        return false;
    };
    let operands = &body[op].operands;
    let of = |value: Value| is_never_negative_zero(ctx, body, value, depth - 1);
    match body[op].name {
        // Converted integers have no negative zero.
        arith::SITOFP | arith::UITOFP | math::ABSF => true,
        arith::MULF => operands[0] == operands[1],
        // A sum is a negative zero only where both operands are.
        arith::ADDF => of(operands[0]) || of(operands[1]),
        arith::SELECT => of(operands[1]) && of(operands[2]),
        arith::EXTF => of(operands[0]),
        arith::CONSTANT => {
            let number = arith::constant_value(ctx, body, value);
            number.is_some_and(|attr| match attr.kind(ctx) {
                AttrKind::Float { ty, bits } => ty
                    .float_kind(ctx)
                    .and_then(FloatFormat::of)
                    .is_some_and(|format| {
                        let number = format.kind.to_f64(*bits as u64);
                        number != 0.0 || number.is_sign_positive()
                    }),
                _ => false,
            })
        }
        _ => false,
    }
}
