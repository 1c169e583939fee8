//! Inherent attributes: what they must be, and how custom forms spell them.

use crate::attr::{Attr, AttrKind};
use crate::context::Context;
use crate::types::Type;

/// A predicate on attributes, with the words diagnostics use for it.
#[derive(Clone, Copy, Debug)]
pub struct AttrConstraint {
    /// "failed to satisfy constraint: {summary}".
    pub summary: &'static str,
    /// The kind of attribute that MLIR keeps: another is refused where it stands.
    pub storage: Storage,
    /// Whether an attribute satisfies it.
    pub check: fn(&Context, Attr) -> bool,
}

impl AttrConstraint {
    /// Whether an attribute is of the kind that MLIR keeps.
    pub(crate) fn keeps(&self, ctx: &Context, attr: Attr) -> bool {
        match self.storage {
            Storage::Any => true,
            Storage::Exact => (self.check)(ctx, attr),
            Storage::Integer => matches!(attr.kind(ctx), AttrKind::Integer { .. }),
            Storage::Array => attr.as_array(ctx).is_some(),
            Storage::Type => attr.as_type(ctx).is_some(),
            Storage::I32Array => attr.as_i32_array(ctx).is_some(),
            Storage::IntElements => match attr.kind(ctx) {
                AttrKind::Dense { ty, .. } => ty
                    .element(ctx)
                    .is_some_and(|element| element.kind(ctx).is_int_or_index()),
                _ => false,
            },
        }
    }
}

/// A kind of attributes (ODS's `storageType`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// All attributes.
    Any,
    /// Those that the constraint asks for: it asks for no more than a kind.
    Exact,
    /// Integers of any type.
    Integer,
    /// `[…]`, whatever is in it.
    Array,
    /// Types, whatever they are.
    Type,
    /// `array<i32: …>`
    I32Array,
    /// `dense<…>` of integers.
    IntElements,
}

/// How an enumeration attribute is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EnumStorage {
    /// As an integer of this width: the case's value.
    Integer(u32),
    /// As an attribute of a dialect: `Dialect("arith", ".fastmath<", ">")` for
    /// `#arith.fastmath<none>`, `Dialect("gpu", "<dim ", ">")` for `#gpu<dim x>`.
    Dialect(&'static str, &'static str, &'static str),
    /// The same, with what stands between the names of bits in place of `,`:
    /// `Joined("spirv", ".memory_access<", ">", "|")`.
    Joined(&'static str, &'static str, &'static str, &'static str),
    /// As a string attribute: the case's name.
    String,
}

impl EnumStorage {
    /// Dialect, prefix and suffix, if it is an attribute of a dialect.
    pub const fn dialect(self) -> Option<(&'static str, &'static str, &'static str)> {
        match self {
            EnumStorage::Dialect(dialect, prefix, suffix)
            | EnumStorage::Joined(dialect, prefix, suffix, _) => Some((dialect, prefix, suffix)),
            EnumStorage::Integer(_) | EnumStorage::String => None,
        }
    }

    /// What stands between the names of bits.
    pub const fn separator(self) -> &'static str {
        match self {
            EnumStorage::Joined(_, _, _, separator) => separator,
            _ => ",",
        }
    }
}

/// An enumeration of keywords that custom forms spell out.
#[derive(Clone, Copy, Debug)]
pub struct EnumDef {
    /// The last part of the C++ name that upstream's messages call it by; empty
    /// where they do not.
    pub class: &'static str,
    /// The name that upstream's messages call the attribute by, whose parameter
    /// `value` this is; with another parameter, `name.parameter`.
    pub record: &'static str,
    /// What diagnostics call it, such as `comparison predicate`.
    pub summary: &'static str,
    /// Names with their values.
    pub cases: &'static [(&'static str, i64)],
    /// How the attribute is stored.
    pub storage: EnumStorage,
    /// Whether cases are bits that a list combines: names with the storage's
    /// separator between them.
    pub bits: bool,
    /// Whether custom forms put `<` and `>` around it.
    pub angled: bool,
}

impl EnumDef {
    /// One case out of several, spelled as it is.
    pub(crate) const fn new(
        class: &'static str,
        record: &'static str,
        summary: &'static str,
        storage: EnumStorage,
        cases: &'static [(&'static str, i64)],
    ) -> EnumDef {
        EnumDef {
            class,
            record,
            summary,
            cases,
            storage,
            bits: false,
            angled: false,
        }
    }
}

/// How a custom form spells an inherent attribute.
#[derive(Clone, Copy, Debug)]
pub enum AttrSyntax {
    /// In full, as in a dictionary.
    Any,
    /// A number without its type: an integer or float attribute of this type.
    Typed(fn(&Context) -> Type),
    /// Keywords.
    Enum(&'static EnumDef),
    /// `@name`, stored as a string.
    SymbolName,
    /// A type, stored as a type attribute.
    Type,
    /// `[1, 2]`, stored as `array<i64: 1, 2>` (the element type is given).
    DenseArray(fn(&Context) -> Type),
    /// A string in quotes, without a type.
    String,
    /// Present or absent: spelled by the group it anchors.
    Unit,
}

/// A named inherent attribute (a property in the generic form).
#[derive(Clone, Copy, Debug)]
pub struct AttrDef {
    /// Name in the dictionary and in the format.
    pub name: &'static str,
    /// What the attribute must be.
    pub constraint: AttrConstraint,
    /// Whether it may be absent.
    pub optional: bool,
    /// How custom forms spell it.
    pub syntax: AttrSyntax,
    /// The value it has when absent from the text, as text:
    /// `#arith.fastmath<none>`. Custom forms leave this value out.
    pub default: Option<&'static str>,
    /// Whether MLIR keeps a plain number or truth value and makes an attribute
    /// of it for the text only (ODS's `Prop`). Bytecode has what is kept.
    pub plain: bool,
}

impl AttrDef {
    /// A required attribute, spelled in full.
    pub const fn new(name: &'static str, constraint: AttrConstraint) -> Self {
        AttrDef {
            name,
            constraint,
            optional: false,
            syntax: AttrSyntax::Any,
            default: None,
            plain: false,
        }
    }

    /// Spelled like this.
    pub const fn spelled(mut self, syntax: AttrSyntax) -> Self {
        self.syntax = syntax;
        self
    }

    /// May be absent.
    pub const fn optional(mut self) -> Self {
        self.optional = true;
        self
    }

    /// Is no attribute in MLIR but a number or a truth value.
    pub const fn plain(mut self) -> Self {
        self.plain = true;
        self
    }

    /// What is wrong with a value that is not what it must be.
    pub(crate) fn refusal(&self) -> String {
        let (name, summary) = (self.name, self.constraint.summary);
        format!("attribute '{name}' failed to satisfy constraint: {summary}")
    }

    /// Whether this is a truth value in MLIR, whose text has `false` too.
    pub(crate) fn is_plain_flag(&self) -> bool {
        self.plain && matches!(self.syntax, AttrSyntax::Unit)
    }

    /// Has this value, given as text, when absent from the text.
    pub const fn or(mut self, default: &'static str) -> Self {
        self.default = Some(default);
        self
    }
}
