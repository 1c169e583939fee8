//! Type and attribute constraints that rows of several dialects share, worded
//! as in MLIR's diagnostics.

mod attrs;

use crate::context::Context;
use crate::context::signature::{AttrConstraint, AttrDef, AttrSyntax, TypeConstraint, TypeRule};
use crate::types::{MemRefType, Type, TypeKind};

pub use crate::context::signature::ValueDef;
pub use attrs::*;

/// An operand or result group of exactly one value.
pub const fn one(name: &'static str, constraint: TypeConstraint) -> ValueDef {
    ValueDef::one(name, constraint)
}

/// A variadic group.
pub const fn many(name: &'static str, constraint: TypeConstraint) -> ValueDef {
    ValueDef::many(name, constraint)
}

/// An optional value.
pub const fn maybe(name: &'static str, constraint: TypeConstraint) -> ValueDef {
    ValueDef::optional(name, constraint)
}

/// A required attribute.
pub const fn attr(name: &'static str, constraint: AttrConstraint) -> AttrDef {
    AttrDef::new(name, constraint)
}

/// An optional unit attribute.
pub const fn flag(name: &'static str) -> AttrDef {
    attr(name, UNIT).spelled(AttrSyntax::Unit).optional()
}

/// A type rule: all values of these groups have the same type.
pub const fn same(groups: &'static [&'static str], summary: &'static str) -> TypeRule {
    TypeRule::Same { groups, summary }
}

/// A type rule: the type of group `target` follows from that of `source`.
pub const fn follows(
    target: &'static str,
    source: &'static str,
    rule: fn(&Context, Type) -> Option<Type>,
    summary: &'static str,
) -> TypeRule {
    TypeRule::From {
        target,
        source,
        rule,
        summary,
    }
}

// Predicates on types.

fn is_signless_int(ctx: &Context, ty: Type) -> bool {
    ty.signless_width(ctx).is_some()
}

fn is_int_or_index(ctx: &Context, ty: Type) -> bool {
    is_signless_int(ctx, ty) || ty.is_index(ctx)
}

fn is_integer(ctx: &Context, ty: Type) -> bool {
    matches!(ty.kind(ctx), TypeKind::Integer { .. })
}

fn is_float(ctx: &Context, ty: Type) -> bool {
    ty.float_kind(ctx).is_some()
}

fn is_bool(ctx: &Context, ty: Type) -> bool {
    ty.signless_width(ctx) == Some(1)
}

/// Whether a scalar, or the element type of a vector or tensor, satisfies
/// `scalar`.
fn like(ctx: &Context, ty: Type, scalar: fn(&Context, Type) -> bool) -> bool {
    match ty.kind(ctx) {
        TypeKind::Vector { element, .. }
        | TypeKind::RankedTensor { element, .. }
        | TypeKind::UnrankedTensor { element } => scalar(ctx, *element),
        _ => scalar(ctx, ty),
    }
}

fn memref_of(ctx: &Context, ty: Type, holds: impl Fn(&MemRefType) -> bool) -> bool {
    ty.memref(ctx).is_some_and(holds)
}

/// A constraint that only one type satisfies; `build` makes the type.
pub const fn only(
    summary: &'static str,
    check: fn(&Context, Type) -> bool,
    build: fn(&Context) -> Type,
) -> TypeConstraint {
    TypeConstraint {
        summary,
        check,
        build: Some(build),
        class: None,
    }
}

/// Any type.
pub const ANY: TypeConstraint = TypeConstraint::new("any type", |_, _| true);

/// `index`
pub const INDEX: TypeConstraint =
    only("index", |c, t| t.is_index(c), |c| c.index_type()).class("builtin.index");

/// `i1`
pub const I1: TypeConstraint =
    only("1-bit signless integer", is_bool, |c| c.bool_type()).class("builtin.integer");

/// `i32`
pub const I32: TypeConstraint = only(
    "32-bit signless integer",
    |c, t| t.signless_width(c) == Some(32),
    |c| c.int_type(32),
)
.class("builtin.integer");

/// An integer of any signedness.
pub const INTEGER: TypeConstraint =
    TypeConstraint::new("integer", is_integer).class("builtin.integer");

/// A signless integer or `index`.
pub const INT_OR_INDEX: TypeConstraint =
    TypeConstraint::new("signless integer or index", is_int_or_index);

/// A signless integer or a float.
pub const INT_OR_FLOAT: TypeConstraint =
    TypeConstraint::new("signless integer or floating-point", |c, t| {
        is_signless_int(c, t) || is_float(c, t)
    });

/// A signless integer or a float, by the name that `gpu` gives it.
pub const ANY_INT_OR_FLOAT: TypeConstraint =
    TypeConstraint::new("Integer or Float", INT_OR_FLOAT.check);

/// An integer or float, or a one-dimensional vector of them.
pub const ANY_INT_OR_FLOAT_OR_1D: TypeConstraint = TypeConstraint::new(
    "Integer or Float or fixed-length vector of Integer or Float values of ranks 1",
    |c, t| match t.kind(c) {
        TypeKind::Vector {
            shape,
            scalable,
            element,
        } => shape.len() == 1 && !scalable.contains(&true) && (ANY_INT_OR_FLOAT.check)(c, *element),
        _ => (ANY_INT_OR_FLOAT.check)(c, t),
    },
);

/// Operands of `gpu.printf`.
pub const PRINTABLE: TypeConstraint =
    TypeConstraint::new("integer or index or floating-point", |c, t| {
        is_integer(c, t) || t.is_index(c) || is_float(c, t)
    });

/// Signless integers and `index`, and vectors and tensors of them.
pub const INT_LIKE: TypeConstraint =
    TypeConstraint::new("signless-integer-like", |c, t| like(c, t, is_int_or_index));

/// Signless integers without `index`, and vectors and tensors of them.
pub const FIXED_INT_LIKE: TypeConstraint =
    TypeConstraint::new("signless-fixed-width-integer-like", |c, t| {
        like(c, t, is_signless_int)
    });

/// Floats, and vectors and tensors of them.
pub const FLOAT_LIKE: TypeConstraint =
    TypeConstraint::new("floating-point-like", |c, t| like(c, t, is_float));

/// `i1`, and vectors and tensors of it.
pub const BOOL_LIKE: TypeConstraint = TypeConstraint::new("bool-like", |c, t| like(c, t, is_bool));

/// Types that an index cast converts.
pub const INDEX_CASTABLE: TypeConstraint = TypeConstraint::new(
    "signless-integer-like or memref of signless-integer",
    |c, t| like(c, t, is_int_or_index) || memref_of(c, t, |m| is_int_or_index(c, m.element)),
);

/// Types that a bitcast converts.
pub const BITCASTABLE: TypeConstraint = TypeConstraint::new(
    "signless-integer-or-float-like or memref of signless-integer or float",
    |c, t| {
        let scalar = |c: &Context, t| is_signless_int(c, t) || is_float(c, t);
        like(c, t, scalar) || memref_of(c, t, |m| scalar(c, m.element))
    },
);

/// A function type.
pub const FUNCTION: TypeConstraint =
    TypeConstraint::new("function type", |c, t| t.function(c).is_some()).class("builtin.function");

/// A vector with at least one dimension.
pub const VECTOR: TypeConstraint = TypeConstraint::new(
    "vector of any type values",
    |c, t| matches!(t.kind(c), TypeKind::Vector { shape, .. } if !shape.is_empty()),
)
.class("builtin.vector");

/// A ranked tensor.
pub const RANKED_TENSOR: TypeConstraint =
    TypeConstraint::new("ranked tensor of any type values", |c, t| {
        matches!(t.kind(c), TypeKind::RankedTensor { .. })
    })
    .class("builtin.tensor");

/// A ranked memref.
pub const MEMREF: TypeConstraint =
    TypeConstraint::new("memref of any type values", |c, t| t.memref(c).is_some())
        .class("builtin.memref");

/// An unranked memref.
pub const UNRANKED_MEMREF: TypeConstraint =
    TypeConstraint::new("unranked.memref of any type values", |c, t| {
        matches!(t.kind(c), TypeKind::UnrankedMemRef { .. })
    })
    .class("builtin.unranked_memref");

/// Any memref.
pub const ANY_MEMREF: TypeConstraint =
    TypeConstraint::new("ranked or unranked memref of any type values", |c, t| {
        t.memref(c).is_some() || (UNRANKED_MEMREF.check)(c, t)
    })
    .class("memref");

/// Any memref but one of rank 0.
pub const SIZED_MEMREF: TypeConstraint = TypeConstraint::new(
    "unranked.memref of any type values or non-0-ranked.memref of any type values",
    |c, t| memref_of(c, t, |m| m.rank() > 0) || (UNRANKED_MEMREF.check)(c, t),
);

/// A memref with an offset and strides.
pub const STRIDED_MEMREF: TypeConstraint =
    TypeConstraint::new("strided memref of any type values", |c, t| {
        memref_of(c, t, |m| m.is_strided(c))
    })
    .class("builtin.memref");

/// A memref of rank 0 with an offset.
pub const STRIDED_MEMREF_0D: TypeConstraint =
    TypeConstraint::new("strided memref of any type values of rank 0", |c, t| {
        memref_of(c, t, |m| m.rank() == 0 && m.is_strided(c))
    })
    .class("builtin.memref");

/// A memref with a static shape.
pub const STATIC_MEMREF: TypeConstraint =
    TypeConstraint::new("statically shaped memref of any type values", |c, t| {
        memref_of(c, t, MemRefType::has_static_shape)
    })
    .class("builtin.memref");

/// A memref of rank 1.
pub const MEMREF_1D: TypeConstraint =
    TypeConstraint::new("1D memref of any type values", |c, t| {
        memref_of(c, t, |m| m.rank() == 1)
    })
    .class("builtin.memref");

/// A byte buffer: a memref of rank 1 of `i8`.
pub const BYTES: TypeConstraint =
    TypeConstraint::new("1D memref of 8-bit signless integer values", |c, t| {
        memref_of(c, t, |m| {
            m.rank() == 1 && m.element.signless_width(c) == Some(8)
        })
    })
    .class("builtin.memref");

/// A shape operand: a memref of rank 1 of integers or `index`.
pub const SHAPE_MEMREF: TypeConstraint =
    TypeConstraint::new("1D memref of signless integer or index values", |c, t| {
        memref_of(c, t, |m| m.rank() == 1 && is_int_or_index(c, m.element))
    })
    .class("builtin.memref");

/// Memrefs that atomic updates work on.
pub const ATOMIC_MEMREF: TypeConstraint = TypeConstraint::new(
    "memref of signless integer or floating-point values",
    |c, t| memref_of(c, t, |m| (INT_OR_FLOAT.check)(c, m.element)),
)
.class("builtin.memref");

/// Launch dimensions of `gpu.launch_func`.
pub const LAUNCH_SIZE: TypeConstraint = TypeConstraint::new(
    "index or 32-bit signless integer or 64-bit signless integer",
    |c, t| t.is_index(c) || matches!(t.signless_width(c), Some(32 | 64)),
);
