//! Attribute constraints that rows of several dialects share.

use super::{attr, is_integer};
use crate::attr::{Attr, AttrKind};
use crate::context::Context;
use crate::context::signature::{
    AttrConstraint, AttrDef, AttrSyntax, EnumDef, EnumStorage, Storage,
};
use crate::types::Type;

/// Any attribute.
pub const ANY_ATTR: AttrConstraint = AttrConstraint {
    summary: "any attribute",
    storage: Storage::Any,
    check: |_, _| true,
};

/// `unit`
pub const UNIT: AttrConstraint = AttrConstraint {
    summary: "unit attribute",
    storage: Storage::Exact,
    check: |c, a| *a.kind(c) == AttrKind::Unit,
};

/// `true` or `false`
pub const BOOL: AttrConstraint = AttrConstraint {
    summary: "bool attribute",
    storage: Storage::Exact,
    check: |c, a| a.as_bool(c).is_some(),
};

/// A string.
pub const STRING: AttrConstraint = AttrConstraint {
    summary: "string attribute",
    storage: Storage::Exact,
    check: |c, a| matches!(a.kind(c), AttrKind::String { .. }),
};

/// A string that names a symbol; custom forms spell it `@name`.
pub const SYMBOL_NAME: AttrDef = attr("sym_name", STRING).spelled(AttrSyntax::SymbolName);

/// The visibility of a symbol: `"private"`, `"nested"` or `"public"`.
pub const VISIBILITY: AttrDef = attr("sym_visibility", STRING)
    .spelled(AttrSyntax::String)
    .optional();

/// A flat symbol reference: `@name`.
pub const FLAT_SYMBOL: AttrConstraint = AttrConstraint {
    summary: "flat symbol reference attribute",
    storage: Storage::Exact,
    check: |c, a| a.as_flat_symbol(c).is_some(),
};

/// A symbol reference: `@root::@nested`.
pub const SYMBOL_REF: AttrConstraint = AttrConstraint {
    summary: "symbol reference attribute",
    storage: Storage::Exact,
    check: |c, a| matches!(a.kind(c), AttrKind::Symbol { .. }),
};

/// An integer of type `index`.
pub const INDEX_ATTR: AttrConstraint = AttrConstraint {
    summary: "index attribute",
    storage: Storage::Integer,
    check: |c, a| matches!(a.kind(c), AttrKind::Integer { ty, .. } if ty.is_index(c)),
};

/// The value of an integer attribute of type `i{width}`.
fn signless(ctx: &Context, attr: Attr, width: u32) -> Option<i64> {
    match attr.kind(ctx) {
        AttrKind::Integer { ty, .. } if ty.signless_width(ctx) == Some(width) => attr.as_i64(ctx),
        _ => None,
    }
}

/// An integer of type `i32`.
pub const I32_ATTR: AttrConstraint = AttrConstraint {
    summary: "32-bit signless integer attribute",
    storage: Storage::Integer,
    check: |c, a| signless(c, a, 32).is_some(),
};

/// An integer of type `i64`.
pub const I64_ATTR: AttrConstraint = AttrConstraint {
    summary: "64-bit signless integer attribute",
    storage: Storage::Integer,
    check: |c, a| signless(c, a, 64).is_some(),
};

/// A positive integer of type `i32`.
pub const POSITIVE_I32: AttrConstraint = AttrConstraint {
    summary: "32-bit signless integer attribute whose value is positive",
    storage: Storage::Integer,
    check: |c, a| signless(c, a, 32).is_some_and(|v| v > 0),
};

/// A non-negative integer of type `i32`.
pub const NON_NEGATIVE_I32: AttrConstraint = AttrConstraint {
    summary: "32-bit signless integer attribute whose minimum value is 0",
    storage: Storage::Integer,
    check: |c, a| signless(c, a, 32).is_some_and(|v| v >= 0),
};

/// A power of two of type `i32`.
pub const POWER_OF_TWO_I32: AttrConstraint = AttrConstraint {
    summary: "32-bit signless integer attribute whose value is a power of two > 0",
    storage: Storage::Integer,
    check: |c, a| signless(c, a, 32).is_some_and(|v| v > 0 && v & (v - 1) == 0),
};

/// The locality of a prefetch: how soon the memory is used again, from 0 (never)
/// to 3 (very soon).
pub const LOCALITY: AttrConstraint = AttrConstraint {
    summary: "32-bit signless integer attribute whose minimum value is 0 whose maximum value is 3",
    storage: Storage::Integer,
    check: |c, a| signless(c, a, 32).is_some_and(|v| (0..=3).contains(&v)),
};

/// An alignment in bytes.
pub const ALIGNMENT: AttrDef = attr(
    "alignment",
    AttrConstraint {
        summary: "64-bit signless integer attribute whose value is positive and whose value is a power of two > 0",
        storage: Storage::Integer,
        check: |c, a| signless(c, a, 64).is_some_and(|v| v > 0 && v & (v - 1) == 0),
    },
)
.spelled(AttrSyntax::Typed(|c| c.int_type(64)))
.optional();

/// An affine map.
pub const MAP: AttrConstraint = AttrConstraint {
    summary: "AffineMap attribute",
    storage: Storage::Exact,
    check: |c, a| a.as_map(c).is_some(),
};

/// An integer set.
pub const SET: AttrConstraint = AttrConstraint {
    summary: "IntegerSet attribute",
    storage: Storage::Exact,
    check: |c, a| a.as_set(c).is_some(),
};

/// A function type.
pub const FUNCTION_TYPE: AttrConstraint = AttrConstraint {
    summary: "type attribute of function type",
    storage: Storage::Type,
    check: |c, a| a.as_type(c).is_some_and(|t| t.function(c).is_some()),
};

/// A ranked memref type.
pub const MEMREF_TYPE: AttrConstraint = AttrConstraint {
    summary: "memref type attribute",
    storage: Storage::Type,
    check: |c, a| a.as_type(c).is_some_and(|t| t.memref(c).is_some()),
};

/// `array<i64: …>`
pub const I64_ARRAY: AttrConstraint = AttrConstraint {
    summary: "i64 dense array attribute",
    storage: Storage::Exact,
    check: |c, a| a.as_i64_array(c).is_some(),
};

/// `array<i32: …>`
pub const I32_ARRAY: AttrConstraint = AttrConstraint {
    summary: "i32 dense array attribute",
    storage: Storage::Exact,
    check: |c, a| a.as_i32_array(c).is_some(),
};

/// `array<i32: x, y, z>`
pub const THREE_I32: AttrConstraint = AttrConstraint {
    summary: "i32 dense array attribute with 3 elements (if present)",
    storage: Storage::I32Array,
    check: |c, a| a.as_i32_array(c).is_some_and(|list| list.len() == 3),
};

/// `[1, 2]` of type `i64`.
pub const I64_LIST: AttrConstraint = AttrConstraint {
    summary: "64-bit integer array attribute",
    storage: Storage::Array,
    check: is_i64_list,
};

fn is_i64_list(ctx: &Context, attr: Attr) -> bool {
    let items = attr.as_array(ctx);
    items.is_some_and(|items| items.iter().all(|&item| signless(ctx, item, 64).is_some()))
}

/// A reassociation, `[[0, 1], [2]]`: the groups of dimensions that a reshape
/// joins.
pub const REASSOCIATION: AttrConstraint = AttrConstraint {
    summary: "Array of 64-bit integer array attributes",
    storage: Storage::Array,
    check: |c, a| {
        let groups = a.as_array(c);
        groups.is_some_and(|groups| groups.iter().all(|&group| is_i64_list(c, group)))
    },
};

/// Dictionaries of the arguments or results of a function or call.
pub const DICTS: AttrConstraint = AttrConstraint {
    summary: "Array of dictionary attributes",
    storage: Storage::Array,
    check: |c, a| {
        let dict = |a: &Attr| matches!(a.kind(c), AttrKind::Dict(_));
        a.as_array(c).is_some_and(|items| items.iter().all(dict))
    },
};

/// `arg_attrs` of functions and calls.
pub const ARG_ATTRS: AttrDef = attr("arg_attrs", DICTS).optional();

/// `res_attrs` of functions and calls.
pub const RES_ATTRS: AttrDef = attr("res_attrs", DICTS).optional();

/// Whether an attribute is dense integers of this width (`None`: of any width).
fn is_int_elements(ctx: &Context, attr: Attr, width: Option<u32>) -> bool {
    let AttrKind::Dense { ty, .. } = attr.kind(ctx) else {
        return false;
    };
    let element = ty.element(ctx);
    element.is_some_and(|element| match width {
        Some(width) => element.signless_width(ctx) == Some(width),
        None => is_integer(ctx, element) || element.is_index(ctx),
    })
}

/// `dense<…>` of `i32`.
pub const I32_ELEMENTS: AttrConstraint = AttrConstraint {
    summary: "32-bit signless integer elements attribute",
    storage: Storage::IntElements,
    check: |c, a| is_int_elements(c, a, Some(32)),
};

/// `dense<…>` of any integer.
pub const INT_ELEMENTS: AttrConstraint = AttrConstraint {
    summary: "integer elements attribute",
    storage: Storage::Exact,
    check: |c, a| is_int_elements(c, a, None),
};

/// An attribute with a type: integer, float, elements, …
pub const TYPED: AttrConstraint = AttrConstraint {
    summary: "TypedAttr instance",
    storage: Storage::Exact,
    check: |c, a| attr_type(c, a).is_some(),
};

/// The type of a typed attribute.
pub fn attr_type(ctx: &Context, attr: Attr) -> Option<Type> {
    match attr.kind(ctx) {
        AttrKind::Integer { ty, .. }
        | AttrKind::Float { ty, .. }
        | AttrKind::Dense { ty, .. }
        | AttrKind::DenseResource { ty, .. }
        | AttrKind::Sparse { ty, .. } => Some(*ty),
        AttrKind::String { ty, .. } => Some(ty.unwrap_or_else(|| ctx.none_type())),
        AttrKind::Dialect { ty, .. } | AttrKind::Parametric { ty, .. } => *ty,
        _ => None,
    }
}

/// Whether an attribute is a case of an enumeration (or a combination of bits)
/// in its storage form.
pub fn is_case_of(ctx: &Context, attr: Attr, def: &EnumDef) -> bool {
    let known = |word: &str| def.cases.iter().any(|case| case.0 == word);
    match def.storage {
        EnumStorage::Integer(width) => {
            let value = signless(ctx, attr, width);
            value.is_some_and(|value| def.cases.iter().any(|case| case.1 == value))
        }
        EnumStorage::String => attr.as_str(ctx).is_some_and(known),
        EnumStorage::Dialect(name, prefix, suffix)
        | EnumStorage::Joined(name, prefix, suffix, _) => {
            let AttrKind::Dialect { dialect, body, .. } = attr.kind(ctx) else {
                return false;
            };
            let words = ctx.str(*body).strip_prefix(prefix);
            let words = words.and_then(|words| words.strip_suffix(suffix));
            ctx.str(*dialect) == name
                && words.is_some_and(|words| match def.bits {
                    true => words.split([',', '|']).all(|word| known(word.trim())),
                    false => known(words.trim()),
                })
        }
    }
}
