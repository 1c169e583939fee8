//! Form of a row: the part of an operation's row that the reader and the printer ask for.

use std::borrow::Cow;

use super::format::Directive;
use super::{ParseFn, PrintFn};
use crate::body::{Body, OpId};
use crate::context::Context;

/// Custom assembly form of an operation.
#[derive(Clone, Copy)]
pub enum Assembly {
    /// None: the operation has the generic form only.
    Generic,
    /// Declared in the format language of [`crate::text::format`].
    Declared(&'static str),
    /// Hand-written.
    Custom {
        /// Parses what follows the operation's name.
        parse: ParseFn,
        /// Prints what follows the operation's name.
        print: PrintFn,
    },
}

impl std::fmt::Debug for Assembly {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Assembly::Generic => f.write_str("Generic"),
            Assembly::Declared(text) => write!(f, "Declared({text:?})"),
            Assembly::Custom { .. } => f.write_str("Custom"),
        }
    }
}

/// Whether the custom form round-trips an operation, verified or not.
pub type LosslessFn = fn(&Context, &Body, OpId) -> bool;

/// Whether no region of an operation has block arguments: the [`LosslessFn`] of custom forms that
/// open a region with a bare brace.
pub fn no_region_arguments(_: &Context, body: &Body, op: OpId) -> bool {
    let regions = 0..body[op].num_regions();
    regions
        .filter_map(|region| body.region_block(op, region))
        .all(|entry| body[entry].args.is_empty())
}

/// The name of an operation's first result in text.
#[derive(Clone, Copy, Debug)]
pub enum ResultName {
    /// A number; a row with several groups of results names each after its group.
    Number,
    /// This name.
    Fixed(&'static str),
    /// Made from the operation; `None` for a number.
    Of(fn(&Context, &Body, OpId) -> Option<Cow<'static, str>>),
}

/// The part of an operation's row that its text follows from, beside the signature.
#[derive(Clone, Copy, Debug)]
pub struct OpForm {
    /// Custom form.
    pub assembly: Assembly,
    /// Whether the custom form round-trips an operation; where it would not, the printer takes the
    /// generic form. `None` where it always does.
    pub custom_form_is_lossless: Option<LosslessFn>,
    /// Whether the printed custom form depends on the operations inside, and not only on whether
    /// blocks, their arguments and a terminator are there.
    pub looks_inside: bool,
    /// Whether the custom form spells the inherent attributes in full, with the names of values in
    /// them, so that none of them is printed as an alias.
    pub spells_attrs: bool,
    /// Directive tables that the declared form may use, beside the directives that every form
    /// knows.
    pub directives: &'static [&'static [Directive]],
    /// The name of its first result.
    pub result_name: ResultName,
    /// The dialect of names without one directly inside; empty if they need one.
    pub default_dialect: &'static str,
}

impl OpForm {
    /// The generic form.
    pub(crate) const GENERIC: OpForm = OpForm {
        assembly: Assembly::Generic,
        custom_form_is_lossless: None,
        looks_inside: false,
        spells_attrs: false,
        directives: &[],
        result_name: ResultName::Number,
        default_dialect: "",
    };
}
