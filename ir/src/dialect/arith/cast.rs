//! Conversions between types of one shape.

use crate::context::Context;
use crate::types::{Type, TypeKind};
use crate::verify::{Check, Checked};

/// The scalar inside a vector, tensor or memref, or the type itself.
fn scalar(ctx: &Context, ty: Type) -> Type {
    ty.element(ctx).unwrap_or(ty)
}

/// Width in bits of an integer or float; `None` for `index`.
fn width(ctx: &Context, ty: Type) -> Option<u32> {
    match ty.kind(ctx) {
        TypeKind::Integer { width, .. } => Some(*width),
        TypeKind::Float(kind) => Some(kind.width()),
        _ => None,
    }
}

/// The container, with the element type left out of account.
fn container(ctx: &Context, ty: Type) -> u8 {
    match ty.kind(ctx) {
        TypeKind::Vector { .. } => 1,
        TypeKind::RankedTensor { .. } | TypeKind::UnrankedTensor { .. } => 2,
        TypeKind::MemRef(_) | TypeKind::UnrankedMemRef { .. } => 3,
        _ => 0,
    }
}

fn verify_pair(check: &Check, fits: impl Fn(Type, Type) -> bool) -> Checked {
    let ctx = check.ctx();
    let (from, to) = (check.operand_type(0), check.result_type(0));
    check.ensure(
        container(ctx, from) == container(ctx, to),
        "failed to verify that input and output have the same tensor dimensions",
    )?;
    if fits(scalar(ctx, from), scalar(ctx, to)) {
        return Ok(());
    }
    Err(check.error(format!(
        "operand type '{}' and result type '{}' are cast incompatible",
        check.show(from),
        check.show(to)
    )))
}

/// The constraints of the row say which elements there may be.
pub(super) fn verify_cast(check: &Check) -> Checked {
    verify_pair(check, |_, _| true)
}

/// The result is wider.
pub(super) fn verify_widening(check: &Check) -> Checked {
    let ctx = check.ctx();
    verify_pair(check, |from, to| width(ctx, from) < width(ctx, to))
}

/// The result is narrower.
pub(super) fn verify_narrowing(check: &Check) -> Checked {
    let ctx = check.ctx();
    verify_pair(check, |from, to| width(ctx, from) > width(ctx, to))
}

/// Both sides have as many bits.
pub(super) fn verify_bitcast(check: &Check) -> Checked {
    let ctx = check.ctx();
    verify_pair(check, |from, to| {
        width(ctx, from).is_some() && width(ctx, from) == width(ctx, to)
    })
}

/// One side is `index`, the other is not.
pub(super) fn verify_index_cast(check: &Check) -> Checked {
    let ctx = check.ctx();
    verify_pair(check, |from, to| from.is_index(ctx) != to.is_index(ctx))
}

/// The cast of the first operand, which the second one scales.
pub(super) fn verify_scaling(
    check: &Check,
    fits: impl Fn(Option<u32>, Option<u32>) -> bool,
) -> Checked {
    let ctx = check.ctx();
    let [value, scale] = [check.operand_type(0), check.operand_type(1)];
    let result = check.result_type(0);
    if fits(
        width(ctx, scalar(ctx, value)),
        width(ctx, scalar(ctx, result)),
    ) {
        return Ok(());
    }
    Err(check.error(format!(
        "operand types '{}', '{}' and result type '{}' are cast incompatible",
        check.show(value),
        check.show(scale),
        check.show(result)
    )))
}
