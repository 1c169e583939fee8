//! Segmented scans: the carried value starts anew where a condition of the iteration holds.
//!
//! ```text
//! %t = arith.addf %acc, %x                      %r = arith.select %head, %zero, %acc
//! %y = arith.select %head, %first, %t           %y = arith.addf %r, %x
//! ```
//!
//! Segments are scanned as pairs of a flag, whether one began, and the value since:
//!
//! ```text
//! (f, s) op (g, t) = (f | g, g ? t : s op t)
//! ```
//!
//! which is associative where `op` is (J. Schwartz, "Ultracomputers", 1980; G. Blelloch, "Prefix Sums and Their
//! Applications", 1990, section 1.5). A chunk that is scanned from the neutral element has the right value
//! wherever a segment began in it, so that only what the chunks hand on needs the flag.

use gridloom_dialects::arith;
use gridloom_ir::{Body, Builder, OpId, Value};

/// Reset of a segmented scan: the condition under which the carried value starts anew, and the value that it starts from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reset {
    condition: Value,
    /// Whether a segment begins where the condition holds, else where it fails.
    holds: bool,
    /// The value that a segment begins with.
    pub(super) value: Value,
    /// Whether the value takes the place of the carried one before it is combined with the term, not of the result.
    pub(super) is_before: bool,
}

impl Reset {
    /// Matches a select between `kept`, which is the carried value or made of it, and another value.
    pub(super) fn of(body: &Body, select: OpId, kept: Value, is_before: bool) -> Option<Reset> {
        let &[condition, yes, no] = &body[select].operands[..] else {
            return None;
        };
        let (value, holds) = match (yes == kept, no == kept) {
            (false, true) => (yes, true),
            (true, false) => (no, false),
            _ => return None,
        };
        (body[select].name == arith::SELECT).then_some(Reset {
            condition,
            holds,
            value,
            is_before,
        })
    }

    /// The values that it is computed from.
    pub(super) fn inputs(&self) -> [Value; 2] {
        [self.condition, self.value]
    }

    /// Emits the value that goes on: `kept`, or that which a segment begins with. `name` gives the copies of
    /// values of the loop.
    pub(super) fn apply(
        &self,
        b: &mut Builder,
        kept: Value,
        name: impl Fn(Value) -> Value,
    ) -> Value {
        let (condition, value) = (name(self.condition), name(self.value));
        match self.holds {
            true => arith::select(b, condition, value, kept),
            false => arith::select(b, condition, kept, value),
        }
    }

    /// Emits whether a segment has begun, after an iteration: a number that is not 0.
    pub(super) fn flag(
        &self,
        b: &mut Builder,
        before: Value,
        one: Value,
        name: impl Fn(Value) -> Value,
    ) -> Value {
        let condition = name(self.condition);
        match self.holds {
            true => arith::select(b, condition, one, before),
            false => arith::select(b, condition, before, one),
        }
    }
}
