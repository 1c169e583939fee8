//! Predicates of comparisons as orders.

use gridloom_dialects::arith::{CmpFPredicate, CmpIPredicate};

use super::{Better, Ties};

/// A predicate of a candidate and the best so far.
#[derive(Clone, Copy)]
pub(super) enum Predicate {
    Float(CmpFPredicate),
    Int(CmpIPredicate),
}

impl Predicate {
    /// The one that holds for operands the other way round.
    pub(super) fn swapped(self) -> Predicate {
        use CmpFPredicate as F;
        use CmpIPredicate as I;
        match self {
            Predicate::Float(predicate) => Predicate::Float(match predicate {
                F::Ogt => F::Olt,
                F::Oge => F::Ole,
                F::Olt => F::Ogt,
                F::Ole => F::Oge,
                F::Ugt => F::Ult,
                F::Uge => F::Ule,
                F::Ult => F::Ugt,
                F::Ule => F::Uge,
                same => same,
            }),
            Predicate::Int(predicate) => Predicate::Int(match predicate {
                I::Sgt => I::Slt,
                I::Sge => I::Sle,
                I::Slt => I::Sgt,
                I::Sle => I::Sge,
                I::Ugt => I::Ult,
                I::Uge => I::Ule,
                I::Ult => I::Ugt,
                I::Ule => I::Uge,
                same => same,
            }),
        }
    }

    /// The one that holds where this does not. Only those of an order count.
    pub(super) fn negated(self) -> Predicate {
        use CmpFPredicate as F;
        use CmpIPredicate as I;
        match self {
            Predicate::Float(predicate) => Predicate::Float(match predicate {
                F::Ugt => F::Ole,
                F::Uge => F::Olt,
                F::Ult => F::Oge,
                F::Ule => F::Ogt,
                // Takes NaN, or is no order.
                _ => F::AlwaysTrue,
            }),
            Predicate::Int(predicate) => Predicate::Int(match predicate {
                I::Sgt => I::Sle,
                I::Sge => I::Slt,
                I::Slt => I::Sge,
                I::Sle => I::Sgt,
                I::Ugt => I::Ule,
                I::Uge => I::Ult,
                I::Ult => I::Uge,
                I::Ule => I::Ugt,
                I::Eq => I::Ne,
                I::Ne => I::Eq,
            }),
        }
    }

    /// The order that it is, without taking NaN.
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
