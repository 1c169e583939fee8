//! Rows of operations, as a dialect writes them: all that is known about an operation, one row each.
//!
//! A row has a part for each module that asks, and [registration](crate::registry) hands it the
//! part: the signature to the context, the form to the reader and the printer, the checks to the
//! verifier, the folds to folding. So a row stands in one place, and names functions of all of these
//! without any of them knowing rows.

use crate::fold::OpFolds;
use crate::scalar::Computation;
use crate::text::format::Directive;
use crate::text::{OpForm, ParseFn, PrintFn};
use crate::verify::OpChecks;

pub use crate::body::{
    AffineMapAttr, AnyAttr, ArrayAttr, AttrValue, BoolAttr, EnumerantAttr, FlatSymbolAttr, Groups,
    I32ArrayAttr, I64ArrayAttr, Inherent, IntegerAttr, IntegerSetAttr, IntegersAttr, StringAttr,
    TypeAttr, UnitAttr,
};
pub use crate::context::signature::{
    Arity, AttrConstraint, AttrDef, AttrSyntax, EnumDef, EnumStorage, InferFn, Known, OpSignature,
    Storage, SuccessorOperands, TypeConstraint, TypeRule, ValueDef,
};
pub use crate::context::{OpName, RowTraits, Traits};
pub use crate::fold::FoldFn;
pub use crate::text::op_form::{Assembly, LosslessFn, ResultName, no_region_arguments};
pub use crate::verify::{Relation, VerifyFn, holds};

/// The row of a known operation.
#[derive(Clone, Copy, Debug)]
pub struct OpDef {
    /// Signature: traits, operands, results and attributes, as data.
    pub signature: OpSignature,
    /// Custom form: how it is parsed and printed.
    pub form: OpForm,
    /// Checks of the verifier beyond the signature.
    pub checks: OpChecks,
    /// Folds, and the computation of scalars that they derive from.
    pub folds: OpFolds,
}

impl OpDef {
    /// A row of an operation in generic form, without operands, results and regions.
    pub const fn new(name: &'static str) -> OpDef {
        OpDef {
            signature: OpSignature::new(name),
            form: OpForm::GENERIC,
            checks: OpChecks::NONE,
            folds: OpFolds::NONE,
        }
    }

    /// Adds traits.
    pub const fn with(self, traits: Traits) -> OpDef {
        self.with_row(traits.in_row())
    }

    /// Adds traits of rows.
    pub const fn with_row(mut self, traits: RowTraits) -> OpDef {
        self.signature.traits = self.signature.traits.with(traits);
        self
    }

    /// Sets the operand groups.
    pub const fn operands(mut self, operands: &'static [ValueDef]) -> OpDef {
        self.signature.operands = operands;
        self
    }

    /// Sets the result groups.
    pub const fn results(mut self, results: &'static [ValueDef]) -> OpDef {
        self.signature.results = results;
        self
    }

    /// Sets the inherent attributes.
    pub const fn attrs(mut self, attrs: &'static [AttrDef]) -> OpDef {
        self.signature.attrs = attrs;
        self
    }

    /// Sets the number of regions.
    pub const fn regions(mut self, count: usize) -> OpDef {
        self.signature.regions = Some(count);
        self
    }

    /// Allows any number of regions.
    pub const fn any_regions(mut self) -> OpDef {
        self.signature.regions = None;
        self
    }

    /// Sets the number of successors.
    pub const fn successors(mut self, count: usize) -> OpDef {
        self.signature.successors = Some(count);
        self
    }

    /// Allows any number of successors.
    pub const fn any_successors(mut self) -> OpDef {
        self.signature.successors = None;
        self
    }

    /// Sets a declared custom form.
    pub const fn format(mut self, format: &'static str) -> OpDef {
        self.form.assembly = Assembly::Declared(format);
        self
    }

    /// Restricts printing the custom form to operations that it round-trips.
    pub const fn printed_if(mut self, lossless: LosslessFn) -> OpDef {
        self.form.custom_form_is_lossless = Some(lossless);
        self
    }

    /// Marks a custom form that depends on the operations inside.
    pub const fn looking_inside(mut self) -> OpDef {
        self.form.looks_inside = true;
        self
    }

    /// Marks a custom form that spells the inherent attributes with the names of values in them.
    pub const fn spelling_attrs(mut self) -> OpDef {
        self.form.spells_attrs = true;
        self
    }

    /// Adds directive tables for the declared form.
    pub const fn directives(mut self, tables: &'static [&'static [Directive]]) -> OpDef {
        self.form.directives = tables;
        self
    }

    /// Sets a hand-written custom form.
    pub const fn custom(mut self, parse: ParseFn, print: PrintFn) -> OpDef {
        self.form.assembly = Assembly::Custom { parse, print };
        self
    }

    /// Sets the type relations.
    pub const fn infer(mut self, rules: &'static [TypeRule]) -> OpDef {
        self.signature.infer = rules;
        self
    }

    /// Sets relations that no custom form infers types from.
    pub const fn relations(mut self, relations: &'static [Relation]) -> OpDef {
        self.checks.relations = relations;
        self
    }

    /// Names the first result.
    pub const fn result_name(mut self, name: &'static str) -> OpDef {
        self.form.result_name = ResultName::Fixed(name);
        self
    }

    /// Sets what names the first result.
    pub const fn result_named(mut self, name: ResultName) -> OpDef {
        self.form.result_name = name;
        self
    }

    /// Sets the dialect of names without one directly inside.
    pub const fn default_dialect(mut self, dialect: &'static str) -> OpDef {
        self.form.default_dialect = dialect;
        self
    }

    /// Sets the operands passed to successors.
    pub const fn passes(mut self, operands: SuccessorOperands) -> OpDef {
        self.signature.successor_operands = operands;
        self
    }

    /// Restricts the operations it may stand directly inside.
    pub const fn parents(mut self, parents: &'static [&'static str]) -> OpDef {
        self.signature.parents = parents;
        self
    }

    /// Requires regions of one block that ends in this operation.
    pub const fn terminator(mut self, name: &'static str) -> OpDef {
        self.signature.terminator = Some(name);
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
        self.checks.verify = Some(verify);
        self.checks.verify_each = None;
        self
    }

    /// Sets two verifiers: `verify` runs once a kind, as for [`Self::verify_kind`], and `each` runs
    /// for every operation and checks what `verify` must not look at. `verify` must decide the same
    /// for all operations of a kind.
    pub const fn verify_split(mut self, verify: VerifyFn, each: VerifyFn) -> OpDef {
        self.checks.verify = Some(verify);
        self.checks.verify_each = Some(each);
        self
    }

    /// Sets the folder.
    pub const fn fold(mut self, fold: FoldFn) -> OpDef {
        self.folds.fold = Some(fold);
        self
    }

    /// Declares what a pure operation with one scalar result computes from scalar operands, and
    /// element by element where it is [`Traits::ELEMENTWISE`]: constants fold by it, after the fold
    /// of the row itself, and the interpreter runs it.
    pub const fn computes(mut self, computation: Computation) -> OpDef {
        self.folds.computes = Some(computation);
        self.with(Traits::PURE)
    }
}
