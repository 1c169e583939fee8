//! Operation rows: the table of all that is known about an operation, one row each.

use std::borrow::Cow;

use crate::body::{Body, OpId};
use crate::context::Context;
use crate::fold::{FoldCx, Folded};
use crate::scalar::Computation;
use crate::text::format::Directive;
use crate::verify::{Check, Checked};

mod attrs;
mod groups;
mod inherent;
mod kind;
mod values;

pub use crate::context::{OpName, RowTraits, Traits};
pub use attrs::{AttrConstraint, AttrDef, AttrSyntax, EnumDef, EnumStorage, Storage};
pub use groups::Groups;
pub use inherent::{
    AffineMapAttr, AnyAttr, ArrayAttr, AttrValue, BoolAttr, EnumerantAttr, FlatSymbolAttr,
    I32ArrayAttr, I64ArrayAttr, Inherent, IntegerAttr, IntegerSetAttr, IntegersAttr, StringAttr,
    TypeAttr, UnitAttr,
};
pub(crate) use kind::{Kind, Kinds};
pub use values::{Arity, InferFn, Known, TypeConstraint, TypeRule, ValueDef, holds};

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
        parse: crate::text::ParseFn,
        /// Prints what follows the operation's name.
        print: crate::text::PrintFn,
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

/// Verifier of an operation's own invariants; runs once the table's constraints hold.
pub type VerifyFn = fn(&Check) -> Checked;

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

/// Folder: computes values or attributes that replace the results of a verified operation; see
/// [`crate::fold`].
pub type FoldFn = fn(&FoldCx) -> Option<Folded>;

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

/// The operands that a branch passes to its successors.
#[derive(Clone, Copy, Debug)]
pub enum SuccessorOperands {
    /// Unknown: the operation is no branch, or its layout is its own.
    Unknown,
    /// A group of operands for each successor, from this one on.
    Groups(usize),
    /// A group for the first successor, and the next group for the others, divided by an attribute
    /// of `i32`s.
    Segments {
        /// The group of the first successor.
        first: usize,
        /// The name of the attribute.
        sizes: &'static str,
    },
}

/// The row of a known operation.
#[derive(Clone, Copy, Debug)]
pub struct OpDef {
    /// Full name, `dialect.mnemonic`.
    pub name: &'static str,
    /// Traits.
    pub traits: RowTraits,
    /// Operand groups in order.
    pub operands: &'static [ValueDef],
    /// Result groups in order.
    pub results: &'static [ValueDef],
    /// Inherent attributes.
    pub attrs: &'static [AttrDef],
    /// Exact number of regions, or `None` for any number.
    pub regions: Option<usize>,
    /// Exact number of successors, or `None` for any number.
    pub successors: Option<usize>,
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
    /// Type relations, beside those that traits state.
    pub infer: &'static [TypeRule],
    /// The name of its first result.
    pub result_name: ResultName,
    /// The dialect of names without one directly inside; empty if they need one.
    pub default_dialect: &'static str,
    /// The operands passed to successors.
    pub successor_operands: SuccessorOperands,
    /// The operations it may stand directly inside; empty for any.
    pub parents: &'static [&'static str],
    /// The operation that ends each of its blocks. Custom forms leave it out
    /// where it has no operands.
    pub terminator: Option<&'static str>,
    /// Verifier of further invariants.
    pub verify: Option<VerifyFn>,
    /// Verifier of those invariants that operations equal in name, attributes, and numbers and
    /// types of values may still differ in; it runs for each operation, [`Self::verify`] once a
    /// kind.
    pub verify_each: Option<VerifyFn>,
    /// Constant-folds the operation.
    pub fold: Option<FoldFn>,
    /// Computation of a scalar operation, for folding, interpretation and lowering.
    pub computes: Option<Computation>,
}

impl OpDef {
    /// An empty row: the base that `..OpDef::new(name)` extends.
    pub const fn new(name: &'static str) -> OpDef {
        OpDef {
            name,
            traits: RowTraits::NONE,
            operands: &[],
            results: &[],
            attrs: &[],
            regions: Some(0),
            successors: Some(0),
            assembly: Assembly::Generic,
            custom_form_is_lossless: None,
            looks_inside: false,
            spells_attrs: false,
            directives: &[],
            infer: &[],
            result_name: ResultName::Number,
            default_dialect: "",
            successor_operands: SuccessorOperands::Unknown,
            parents: &[],
            terminator: None,
            verify: None,
            verify_each: None,
            fold: None,
            computes: None,
        }
    }

    /// Adds traits.
    pub const fn with(self, traits: Traits) -> OpDef {
        self.with_row(traits.in_row())
    }

    /// Adds traits of rows.
    pub const fn with_row(mut self, traits: RowTraits) -> OpDef {
        self.traits = self.traits.with(traits);
        self
    }

    /// Sets the operand groups.
    pub const fn operands(mut self, operands: &'static [ValueDef]) -> OpDef {
        self.operands = operands;
        self
    }

    /// Sets the result groups.
    pub const fn results(mut self, results: &'static [ValueDef]) -> OpDef {
        self.results = results;
        self
    }

    /// Sets the inherent attributes.
    pub const fn attrs(mut self, attrs: &'static [AttrDef]) -> OpDef {
        self.attrs = attrs;
        self
    }

    /// Sets the number of regions.
    pub const fn regions(mut self, count: usize) -> OpDef {
        self.regions = Some(count);
        self
    }

    /// Allows any number of regions.
    pub const fn any_regions(mut self) -> OpDef {
        self.regions = None;
        self
    }

    /// Sets the number of successors.
    pub const fn successors(mut self, count: usize) -> OpDef {
        self.successors = Some(count);
        self
    }

    /// Allows any number of successors.
    pub const fn any_successors(mut self) -> OpDef {
        self.successors = None;
        self
    }

    /// Sets a declared custom form.
    pub const fn format(mut self, format: &'static str) -> OpDef {
        self.assembly = Assembly::Declared(format);
        self
    }

    /// Restricts printing the custom form to operations that it round-trips.
    pub const fn printed_if(mut self, lossless: LosslessFn) -> OpDef {
        self.custom_form_is_lossless = Some(lossless);
        self
    }

    /// Marks a custom form that depends on the operations inside.
    pub const fn looking_inside(mut self) -> OpDef {
        self.looks_inside = true;
        self
    }

    /// Marks a custom form that spells the inherent attributes with the names of values in them.
    pub const fn spelling_attrs(mut self) -> OpDef {
        self.spells_attrs = true;
        self
    }

    /// Adds directive tables for the declared form.
    pub const fn directives(mut self, tables: &'static [&'static [Directive]]) -> OpDef {
        self.directives = tables;
        self
    }

    /// Sets a hand-written custom form.
    pub const fn custom(
        mut self,
        parse: crate::text::ParseFn,
        print: crate::text::PrintFn,
    ) -> OpDef {
        self.assembly = Assembly::Custom { parse, print };
        self
    }

    /// Sets the type relations.
    pub const fn infer(mut self, rules: &'static [TypeRule]) -> OpDef {
        self.infer = rules;
        self
    }

    /// Names the first result.
    pub const fn result_name(mut self, name: &'static str) -> OpDef {
        self.result_name = ResultName::Fixed(name);
        self
    }

    /// Sets what names the first result.
    pub const fn result_named(mut self, name: ResultName) -> OpDef {
        self.result_name = name;
        self
    }

    /// Sets the dialect of names without one directly inside.
    pub const fn default_dialect(mut self, dialect: &'static str) -> OpDef {
        self.default_dialect = dialect;
        self
    }

    /// Sets the operands passed to successors.
    pub const fn passes(mut self, operands: SuccessorOperands) -> OpDef {
        self.successor_operands = operands;
        self
    }

    /// Restricts the operations it may stand directly inside.
    pub const fn parents(mut self, parents: &'static [&'static str]) -> OpDef {
        self.parents = parents;
        self
    }

    /// Requires regions of one block that ends in this operation.
    pub const fn terminator(mut self, name: &'static str) -> OpDef {
        self.terminator = Some(name);
        self.with_row(RowTraits::SINGLE_BLOCK)
    }

    /// Sets a verifier that may look at anything; it runs for each operation.
    pub const fn verify(self, verify: VerifyFn) -> OpDef {
        self.verify_split(verify, verify)
    }

    /// Sets a verifier that looks at nothing but the operation's name, attributes, and numbers and
    /// types of operands, results, regions and successors: not at which values it takes, at the
    /// contents of its regions or the operations around it, nor at a symbol. It runs once for all
    /// operations that agree in these.
    pub const fn verify_kind(mut self, verify: VerifyFn) -> OpDef {
        self.verify = Some(verify);
        self.verify_each = None;
        self
    }

    /// Sets two verifiers: `verify` runs once a kind, as for [`Self::verify_kind`], and `each` runs
    /// for every operation and checks what `verify` must not look at. `verify` must decide the same
    /// for all operations of a kind.
    pub const fn verify_split(mut self, verify: VerifyFn, each: VerifyFn) -> OpDef {
        self.verify = Some(verify);
        self.verify_each = Some(each);
        self
    }

    /// Sets the folder.
    pub const fn fold(mut self, fold: FoldFn) -> OpDef {
        self.fold = Some(fold);
        self
    }

    /// Declares what a pure operation with one scalar result computes from scalar operands, and
    /// element by element where it is [`Traits::ELEMENTWISE`]: constants fold by it, after the fold
    /// of the row itself, and the interpreter runs it.
    pub const fn computes(mut self, computation: Computation) -> OpDef {
        self.computes = Some(computation);
        self.with(Traits::PURE)
    }
}
