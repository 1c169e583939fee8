//! Comparison predicates, read as orders of a candidate and the best value so far.

use gridloom_dialects::arith::{self, CmpFOp, CmpFPredicate, CmpIOp, CmpIPredicate};
use gridloom_ir::{Body, Builder, Context, OpId, Value};

use super::{Better, Ties};

/// Comparison predicate with the candidate on the left and the best value so far on the right.
#[derive(Clone, Copy)]
pub(super) enum Predicate {
    Float(CmpFPredicate),
    Int(CmpIPredicate),
}

impl Predicate {
    /// Reads a comparison with `best` on either side, and returns the predicate and the candidate.
    pub(super) fn of(
        ctx: &Context,
        body: &Body,
        compare: OpId,
        best: Value,
    ) -> Option<(Predicate, Value)> {
        let predicate = match body[compare].name {
            arith::CMPF => Predicate::Float(CmpFOp(compare).predicate(ctx, body)),
            arith::CMPI => Predicate::Int(CmpIOp(compare).predicate(ctx, body)),
            _ => return None,
        };
        let [left, right] = body[compare].operands[..] else {
            return None;
        };
        match (left == best, right == best) {
            (false, true) => Some((predicate, left)),
            (true, false) => Some((predicate.mirrored(), right)),
            _ => None,
        }
    }

    /// The predicate for swapped operands.
    pub(super) fn mirrored(self) -> Predicate {
        match self {
            Predicate::Float(predicate) => Predicate::Float(predicate.mirrored()),
            Predicate::Int(predicate) => Predicate::Int(predicate.mirrored()),
        }
    }

    /// The predicate that holds where this one does not.
    pub(super) fn inverse(self) -> Predicate {
        match self {
            Predicate::Float(predicate) => Predicate::Float(predicate.inverse()),
            Predicate::Int(predicate) => Predicate::Int(predicate.inverse()),
        }
    }

    /// The predicate of a candidate that is taken.
    pub(super) fn of_order(better: Better, ties: Ties) -> Predicate {
        use CmpFPredicate as F;
        use CmpIPredicate as I;
        match (better, ties) {
            (Better::Greater, Ties::First) => Predicate::Float(F::Ogt),
            (Better::Greater, Ties::Last) => Predicate::Float(F::Oge),
            (Better::Less, Ties::First) => Predicate::Float(F::Olt),
            (Better::Less, Ties::Last) => Predicate::Float(F::Ole),
            (Better::SignedGreater, Ties::First) => Predicate::Int(I::Sgt),
            (Better::SignedGreater, Ties::Last) => Predicate::Int(I::Sge),
            (Better::SignedLess, Ties::First) => Predicate::Int(I::Slt),
            (Better::SignedLess, Ties::Last) => Predicate::Int(I::Sle),
            (Better::UnsignedGreater, Ties::First) => Predicate::Int(I::Ugt),
            (Better::UnsignedGreater, Ties::Last) => Predicate::Int(I::Uge),
            (Better::UnsignedLess, Ties::First) => Predicate::Int(I::Ult),
            (Better::UnsignedLess, Ties::Last) => Predicate::Int(I::Ule),
        }
    }

    /// Writes the comparison of a candidate with the best so far.
    pub(super) fn compare(self, b: &mut Builder, candidate: Value, best: Value) -> Value {
        match self {
            Predicate::Float(predicate) => CmpFOp::create(b, predicate, candidate, best),
            Predicate::Int(predicate) => CmpIOp::create(b, predicate, candidate, best),
        }
    }

    /// The order and tie-breaking of this predicate, if it never takes NaN.
    pub(super) fn order(self) -> Option<(Better, Ties)> {
        use CmpFPredicate as F;
        use CmpIPredicate as I;
        let found = match self {
            Predicate::Float(F::Ogt) => (Better::Greater, Ties::First),
            Predicate::Float(F::Oge) => (Better::Greater, Ties::Last),
            Predicate::Float(F::Olt) => (Better::Less, Ties::First),
            Predicate::Float(F::Ole) => (Better::Less, Ties::Last),
            Predicate::Int(I::Sgt) => (Better::SignedGreater, Ties::First),
            Predicate::Int(I::Sge) => (Better::SignedGreater, Ties::Last),
            Predicate::Int(I::Slt) => (Better::SignedLess, Ties::First),
            Predicate::Int(I::Sle) => (Better::SignedLess, Ties::Last),
            Predicate::Int(I::Ugt) => (Better::UnsignedGreater, Ties::First),
            Predicate::Int(I::Uge) => (Better::UnsignedGreater, Ties::Last),
            Predicate::Int(I::Ult) => (Better::UnsignedLess, Ties::First),
            Predicate::Int(I::Ule) => (Better::UnsignedLess, Ties::Last),
            Predicate::Float(_) | Predicate::Int(I::Eq | I::Ne) => return None,
        };
        Some(found)
    }
}

/// Whether a select replaces `best` where `condition` is true (`Some(true)`) or where it is false
/// (`Some(false)`); `None` if it is no such select.
pub(super) fn taken_if(body: &Body, op: OpId, condition: Value, best: Value) -> Option<bool> {
    let data = &body[op];
    if data.name != arith::SELECT || data.operands[0] != condition {
        return None;
    }
    match (data.operands[1] == best, data.operands[2] == best) {
        (false, true) => Some(true),
        (true, false) => Some(false),
        _ => None,
    }
}
