//! Type constraints of the `tensor` dialect.

use gridloom_ir::context::Context;
use gridloom_ir::op::TypeConstraint;
use gridloom_ir::types::{DYNAMIC, Type, TypeKind};

/// The shape of a ranked tensor.
pub(crate) fn shape(ctx: &Context, ty: Type) -> Option<&[i64]> {
    match ty.kind(ctx) {
        TypeKind::RankedTensor { shape, .. } => Some(shape),
        _ => None,
    }
}

pub(crate) fn is_tensor(ctx: &Context, ty: Type) -> bool {
    matches!(
        ty.kind(ctx),
        TypeKind::RankedTensor { .. } | TypeKind::UnrankedTensor { .. }
    )
}

fn is_number(ctx: &Context, ty: Type) -> bool {
    matches!(ty.kind(ctx), TypeKind::Integer { .. } | TypeKind::Float(_))
}

fn is_index_like(ctx: &Context, ty: Type) -> bool {
    ty.is_index(ctx) || ty.signless_width(ctx).is_some()
}

fn has_element(ctx: &Context, ty: Type, fits: fn(&Context, Type) -> bool) -> bool {
    is_tensor(ctx, ty) && ty.element(ctx).is_some_and(|element| fits(ctx, element))
}

/// Any tensor.
pub(crate) const TENSOR: TypeConstraint =
    TypeConstraint::new("tensor of any type values", is_tensor).class("tensor");

/// A tensor of integers or floats.
pub(super) const NUMBER_TENSOR: TypeConstraint = TypeConstraint::new(
    "tensor of signless integer or unsigned integer or signed integer or floating-point values",
    |c, t| has_element(c, t, is_number),
)
.class("tensor");

/// Any tensor but one of rank 0.
pub(super) const SIZED_TENSOR: TypeConstraint =
    TypeConstraint::new("non-0-ranked or unranked tensor", |c, t| {
        is_tensor(c, t) && shape(c, t).is_none_or(|shape| !shape.is_empty())
    })
    .class("tensor");

/// A tensor with a static shape.
pub(super) const STATIC_TENSOR: TypeConstraint =
    TypeConstraint::new("statically shaped tensor of any type values", |c, t| {
        shape(c, t).is_some_and(|shape| !shape.contains(&DYNAMIC))
    })
    .class("builtin.tensor");

/// An index operand of gather and scatter.
pub(super) const INDEX_TENSOR: TypeConstraint = TypeConstraint::new(
    "ranked tensor of signless integer or index values",
    |c, t| shape(c, t).is_some() && has_element(c, t, is_index_like),
)
.class("builtin.tensor");

/// A shape operand: a tensor of rank 1 of integers or `index`.
pub(super) const SHAPE_TENSOR: TypeConstraint =
    TypeConstraint::new("1D tensor of signless integer or index values", |c, t| {
        shape(c, t).is_some_and(|shape| shape.len() == 1) && has_element(c, t, is_index_like)
    })
    .class("builtin.tensor");
