//! Checks of rows: the part of the rows of operations, and of dialects, that the verifier runs.

use super::{Check, Checked};
use crate::attr::Attr;
use crate::context::{Context, OpName};
use crate::types::Type;

/// Verifier of an operation's own invariants; runs once the constraints of its signature hold.
pub type VerifyFn = fn(&Check) -> Checked;

/// Relation between operands, results and attributes that no custom form infers types from.
#[derive(Clone, Copy, Debug)]
pub struct Relation {
    /// Whether it holds; the counts and constraints of the signature have been checked.
    pub holds: fn(&Check) -> bool,
    /// "failed to verify that {summary}".
    pub summary: &'static str,
}

/// A relation that a function checks.
pub const fn holds(holds: fn(&Check) -> bool, summary: &'static str) -> Relation {
    Relation { holds, summary }
}

/// The part of an operation's row that the verifier runs.
#[derive(Clone, Copy, Debug)]
pub struct OpChecks {
    /// Relations, beside those that the signature and traits state.
    pub relations: &'static [Relation],
    /// Verifier of further invariants.
    pub verify: Option<VerifyFn>,
    /// Verifier of those invariants that operations equal in name, attributes, and numbers and
    /// types of values may still differ in; it runs for each operation, [`Self::verify`] once a
    /// kind.
    pub verify_each: Option<VerifyFn>,
}

impl OpChecks {
    /// Nothing beyond what the signature states.
    pub(crate) const NONE: OpChecks = OpChecks {
        relations: &[],
        verify: None,
        verify_each: None,
    };
}

/// Kind of holder that a discardable attribute is attached to.
#[derive(Clone, Copy, Debug)]
pub enum Carrier {
    /// The operation.
    Operation,
    /// An argument of this type of a function.
    Argument(Type),
    /// A result of this type of a function.
    Result(Type),
}

/// Checks a discardable attribute whose prefix is the dialect's name.
pub type AttributeCheck = fn(&Check, Carrier, &str, Attr) -> Checked;

/// Table of the verifier: the checks of rows by number, and of the attributes that dialects claim.
#[derive(Debug)]
pub(crate) struct Checks {
    rows: Vec<&'static OpChecks>,
    attributes: Vec<(&'static str, AttributeCheck)>,
}

impl Checks {
    pub(crate) fn new(attributes: &[(&'static str, AttributeCheck)]) -> Checks {
        Checks {
            rows: Vec::new(),
            attributes: attributes.to_vec(),
        }
    }

    /// Returns the table of a context.
    pub(super) fn of(ctx: &Context) -> &Checks {
        ctx.registry().table()
    }

    /// Adds the checks of the next row.
    pub(crate) fn add_row(&mut self, checks: &'static OpChecks) {
        self.rows.push(checks);
    }

    /// Adds the check of the discardable attributes that a dialect claims.
    pub(crate) fn add_attribute_check(&mut self, dialect: &'static str, check: AttributeCheck) {
        self.attributes.push((dialect, check));
    }

    /// The checks of a known operation.
    #[inline]
    pub(super) fn row(&self, name: OpName) -> Option<&'static OpChecks> {
        let row = name.has_row().then(|| name.index())?;
        self.rows.get(row).copied()
    }

    /// The check of the discardable attributes that a dialect claims.
    pub(super) fn attribute(&self, dialect: &str) -> Option<AttributeCheck> {
        let found = self.attributes.iter().find(|entry| entry.0 == dialect);
        found.map(|entry| entry.1)
    }
}
