//! Inherent attributes of a row: their constraints, and their spelling in custom forms.

use crate::attr::{Attr, AttrKind};
use crate::context::Context;
use crate::types::Type;

/// Attribute constraint: a predicate on attributes, with the words diagnostics use for it.
#[derive(Clone, Copy, Debug)]
pub struct AttrConstraint {
    /// "failed to satisfy constraint: {summary}".
    pub summary: &'static str,
    /// The storage class that MLIR keeps the attribute in: the reader refuses an attribute of
    /// another class where it stands.
    pub storage: Storage,
    /// Whether an attribute satisfies it.
    pub check: fn(&Context, Attr) -> bool,
}

impl AttrConstraint {
    /// Whether MLIR's storage class takes an attribute.
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

/// Storage class of an attribute (ODS's `storageType`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// Any attribute.
    Any,
    /// The attributes that the constraint accepts: it asks for no more than a class.
    Exact,
    /// Integers of any type.
    Integer,
    /// `[…]` with any elements.
    Array,
    /// Types.
    Type,
    /// `array<i32: …>`
    I32Array,
    /// `dense<…>` of integers.
    IntElements,
}

/// Storage of an enumeration attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EnumStorage {
    /// As an integer of this width: the case's value.
    Integer(u32),
    /// As an attribute of a dialect: `Dialect("arith", ".fastmath<", ">")` for
    /// `#arith.fastmath<none>`, `Dialect("gpu", "<dim ", ">")` for `#gpu<dim x>`.
    Dialect(&'static str, &'static str, &'static str),
    /// As `Dialect`, with another separator between the names of bits than `,`: `Joined("spirv",
    /// ".memory_access<", ">", "|")`.
    Joined(&'static str, &'static str, &'static str, &'static str),
    /// As a string attribute: the case's name.
    String,
}

impl EnumStorage {
    /// Returns dialect, prefix and suffix of a storage as a dialect attribute.
    pub const fn dialect(self) -> Option<(&'static str, &'static str, &'static str)> {
        match self {
            EnumStorage::Dialect(dialect, prefix, suffix)
            | EnumStorage::Joined(dialect, prefix, suffix, _) => Some((dialect, prefix, suffix)),
            EnumStorage::Integer(_) | EnumStorage::String => None,
        }
    }

    /// The separator between the names of bits.
    pub const fn separator(self) -> &'static str {
        match self {
            EnumStorage::Joined(_, _, _, separator) => separator,
            _ => ",",
        }
    }
}

/// Enumeration: keywords that custom forms spell and an attribute stores.
#[derive(Clone, Copy, Debug)]
pub struct EnumDef {
    /// The last part of the C++ class name in upstream's messages; empty where they have none.
    pub class: &'static str,
    /// The attribute name in upstream's messages, whose parameter `value` this is; with another
    /// parameter, `name.parameter`.
    pub record: &'static str,
    /// The noun that diagnostics use, such as `comparison predicate`.
    pub summary: &'static str,
    /// Cases: names with their values.
    pub cases: &'static [(&'static str, i64)],
    /// Storage of the attribute.
    pub storage: EnumStorage,
    /// Whether cases are bits that a list combines: names with the storage's separator between
    /// them.
    pub bits: bool,
    /// Whether custom forms put `<` and `>` around it.
    pub angled: bool,
}

impl EnumDef {
    /// An enumeration of single cases without angle brackets.
    pub const fn new(
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

/// Spelling of an inherent attribute in a custom form.
#[derive(Clone, Copy, Debug)]
pub enum AttrSyntax {
    /// In full, as in a dictionary.
    Any,
    /// A number without its type: an integer or float attribute of this type.
    Typed(fn(&Context) -> Type),
    /// As keywords.
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
    /// The constraint on its value.
    pub constraint: AttrConstraint,
    /// Whether it may be absent.
    pub optional: bool,
    /// Its spelling in custom forms.
    pub syntax: AttrSyntax,
    /// Default: the value of an attribute that the text leaves out, spelled as text:
    /// `#arith.fastmath<none>`. Custom forms leave this value out.
    pub default: Option<&'static str>,
    /// Whether MLIR keeps a plain number or Boolean and makes an attribute of it for the text only
    /// (ODS's `Prop`). Bytecode stores the plain value.
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

    /// Sets the spelling.
    pub const fn spelled(mut self, syntax: AttrSyntax) -> Self {
        self.syntax = syntax;
        self
    }

    /// Lets the attribute be absent.
    pub const fn optional(mut self) -> Self {
        self.optional = true;
        self
    }

    /// Marks a plain number or Boolean, which MLIR keeps as no attribute.
    pub const fn plain(mut self) -> Self {
        self.plain = true;
        self
    }

    /// The message for a value that violates the constraint.
    pub(crate) fn refusal(&self) -> String {
        let (name, summary) = (self.name, self.constraint.summary);
        format!("attribute '{name}' failed to satisfy constraint: {summary}")
    }

    /// Whether MLIR keeps a plain Boolean, whose text may say `false` too.
    pub(crate) fn is_plain_flag(&self) -> bool {
        self.plain && matches!(self.syntax, AttrSyntax::Unit)
    }

    /// Sets the default, spelled as text.
    pub const fn or(mut self, default: &'static str) -> Self {
        self.default = Some(default);
        self
    }
}
