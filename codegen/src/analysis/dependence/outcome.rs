//! Results of dependence tests, and reasons for doubt.

use gridloom_ir::Value;

use crate::analysis::access::{Access, Place};

/// Result of a dependence test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Dependence {
    /// No two instances touch the same element with one of them writing.
    Independent,
    /// Two instances touch the same element, or the test cannot exclude it.
    Dependent {
        /// Whether the test found two iterations that touch a common element; otherwise an unknown
        /// keeps it from excluding them.
        proved: bool,
        /// Reason for doubt, unless the dependence is proved.
        doubt: Option<Doubt>,
        /// Least and greatest dependence distance, in values of the induction variable; known only
        /// where [`Dependences::explain`](super::Dependences::explain) asked for it, the dependence is proved and both ends are
        /// attained.
        distance: (Option<i64>, Option<i64>),
    },
}

/// Doubt: the reason why a dependence cannot be excluded although none was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doubt {
    /// The element that an access touches is unknown.
    Subscript,
    /// Subscripts are affine, but the strides, the layout or a view between memref and buffer are not
    /// understood.
    Layout,
    /// An operation touches elements that are not told apart, such as a copy.
    Elements,
    /// An operation of unknown effects, such as a call of a function without a body.
    Opaque,
    /// The two memrefs may alias.
    Memory,
    /// The answer depends on a number known at run time only: this value, if it is one.
    Value(Option<Value>),
    /// A condition around an access is not understood.
    Condition,
    /// The access is one that a call may leave out.
    Effect,
    /// Index arithmetic may leave the 64 bits of an index.
    Wraps,
    /// The work budget of the nest is used up.
    Budget,
}

impl Dependence {
    pub(super) const fn unknown(doubt: Doubt) -> Self {
        Dependence::Dependent {
            proved: false,
            doubt: Some(doubt),
            distance: (None, None),
        }
    }

    /// Whether the accesses are independent.
    pub fn is_independent(&self) -> bool {
        *self == Dependence::Independent
    }

    /// Whether the accesses may depend on each other for this doubt.
    pub fn is_by(&self, meant: Doubt) -> bool {
        matches!(self, Dependence::Dependent { doubt: Some(doubt), .. } if *doubt == meant)
    }
}

/// The doubt about two accesses of one buffer, the place of one of which at least is unknown.
pub(super) fn doubt_of_places(accesses: [&Access; 2]) -> Doubt {
    let unknown = (accesses.into_iter()).filter(|a| !matches!(a.place, Place::Element { .. }));
    let doubts = unknown.map(|access| match access.guards.as_deref() {
        None => Doubt::Subscript,
        Some([]) => Doubt::Elements,
        Some(_) => Doubt::Layout,
    });
    let mut doubts: Vec<Doubt> = doubts.collect();
    // A subscript is what a user can change.
    doubts.sort_by_key(|&doubt| doubt != Doubt::Subscript);
    doubts.first().copied().unwrap_or(Doubt::Layout)
}
