//! Operand and result groups of a row: arity, type constraints, and type inference.

use std::ops::Range;

use crate::attr::Attr;
use crate::context::Context;
use crate::types::Type;

/// Type constraint: a predicate on types, with the words diagnostics use for it.
#[derive(Clone, Copy, Debug)]
pub struct TypeConstraint {
    /// "must be {summary}", such as `signless-integer-like`.
    pub summary: &'static str,
    /// Whether a type satisfies it.
    pub check: fn(&Context, Type) -> bool,
    /// The only type that satisfies it, where there is just one: custom forms then leave the type
    /// out (ODS's "buildable" types).
    pub build: Option<fn(&Context) -> Type>,
    /// The class of type that `type(…)` of a declared form takes, as [`Type::class`] calls it, or
    /// several classes by one word: `tensor`, `memref`, `float`. The reader refuses any other where
    /// it stands.
    pub class: Option<&'static str>,
}

impl TypeConstraint {
    /// A constraint that many types satisfy.
    pub const fn new(summary: &'static str, check: fn(&Context, Type) -> bool) -> Self {
        TypeConstraint {
            summary,
            check,
            build: None,
            class: None,
        }
    }

    /// Restricts the types that `type(…)` may spell to a class.
    pub const fn class(mut self, class: &'static str) -> Self {
        self.class = Some(class);
        self
    }
}

/// Arity: how many operands or results a group has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // the variants are ODS's words
pub enum Arity {
    One,
    Optional,
    Variadic,
}

/// A named operand or result (group).
#[derive(Clone, Copy, Debug)]
pub struct ValueDef {
    /// Name in the declaration and in the format.
    pub name: &'static str,
    /// The constraint on their types.
    pub constraint: TypeConstraint,
    /// The number of values that the group takes.
    pub arity: Arity,
}

impl ValueDef {
    /// One value.
    pub const fn one(name: &'static str, constraint: TypeConstraint) -> ValueDef {
        ValueDef {
            name,
            constraint,
            arity: Arity::One,
        }
    }

    /// At most one value.
    pub const fn optional(name: &'static str, constraint: TypeConstraint) -> ValueDef {
        ValueDef {
            name,
            constraint,
            arity: Arity::Optional,
        }
    }

    /// Any number of values.
    pub const fn many(name: &'static str, constraint: TypeConstraint) -> ValueDef {
        ValueDef {
            name,
            constraint,
            arity: Arity::Variadic,
        }
    }
}

/// Type relation: custom forms infer unspelled types by it, and the verifier checks it. Names are
/// those of operand and result groups, or of attributes in [`TypeRule::OfAttr`].
#[derive(Clone, Copy, Debug)]
pub enum TypeRule {
    /// All values of these groups have one type.
    Same {
        /// The groups.
        groups: &'static [&'static str],
        /// "failed to verify that {summary}".
        summary: &'static str,
    },
    /// The type of `target` follows from the first type of `source`. The relation returns `None`
    /// where `source` violates its constraint.
    From {
        /// The group whose type is inferred.
        target: &'static str,
        /// The group it is inferred from.
        source: &'static str,
        /// The relation.
        rule: fn(&Context, Type) -> Option<Type>,
        /// "failed to verify that {summary}".
        summary: &'static str,
    },
    /// The types of group `target` are listed by the first type of `source`
    /// (the parameters of a function type, say).
    ListFrom {
        /// The group whose types are inferred.
        target: &'static str,
        /// The group they are inferred from.
        source: &'static str,
        /// The relation.
        rule: fn(&Context, Type) -> Option<Vec<Type>>,
        /// "failed to verify that {summary}".
        summary: &'static str,
    },
    /// The types of all results follow from operand types and attributes.
    Infer(InferFn),
    /// The type of `target` is the type of the typed attribute `attr`.
    OfAttr {
        /// The group whose type is inferred.
        target: &'static str,
        /// An integer, float, elements or other typed attribute.
        attr: &'static str,
    },
}

/// Inputs of [`TypeRule::Infer`].
pub struct Known<'a> {
    /// The context.
    pub ctx: &'a Context,
    /// The types of all operands.
    pub operands: &'a [Type],
    /// The range of each operand group.
    pub groups: &'a [Range<usize>],
    /// The attributes, by name.
    pub attr: &'a dyn Fn(&str) -> Option<Attr>,
}

impl std::fmt::Debug for Known<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Known")
            .field("operands", &self.operands)
            .finish_non_exhaustive()
    }
}

impl<'a> Known<'a> {
    /// The types of the operands of group `index`.
    pub fn group(&self, index: usize) -> &'a [Type] {
        let range = self.groups.get(index).cloned().unwrap_or(0..0);
        self.operands.get(range).unwrap_or(&[])
    }
}

/// Infers the types of all results; an error says why there are none.
pub type InferFn = fn(&Known<'_>) -> Result<Vec<Type>, String>;
