//! Signature of an operation: the part of its row that is data.
//!
//! A context has the signatures of all operations of its registry. They name no function of the
//! reader, the printer or the verifier, and so lie below these, which keep their parts of a row in
//! tables of their own.

use super::RowTraits;

mod attrs;
mod values;

pub use attrs::{AttrConstraint, AttrDef, AttrSyntax, EnumDef, EnumStorage, Storage};
pub use values::{Arity, InferFn, Known, TypeConstraint, TypeRule, ValueDef};

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

/// Signature of a known operation: its traits, what it takes and gives, and where it may stand.
#[derive(Clone, Copy, Debug)]
pub struct OpSignature {
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
    /// Type relations, beside those that traits state.
    pub infer: &'static [TypeRule],
    /// The operands passed to successors.
    pub successor_operands: SuccessorOperands,
    /// The operations it may stand directly inside; empty for any.
    pub parents: &'static [&'static str],
    /// The operation that ends each of its blocks. Custom forms leave it out
    /// where it has no operands.
    pub terminator: Option<&'static str>,
}

impl OpSignature {
    /// A signature without operands, results, attributes, regions and successors.
    pub(crate) const fn new(name: &'static str) -> OpSignature {
        OpSignature {
            name,
            traits: RowTraits::NONE,
            operands: &[],
            results: &[],
            attrs: &[],
            regions: Some(0),
            successors: Some(0),
            infer: &[],
            successor_operands: SuccessorOperands::Unknown,
            parents: &[],
            terminator: None,
        }
    }
}
