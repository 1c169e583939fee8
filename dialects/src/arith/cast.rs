//! Conversions: verifiers and folds.

use gridloom_ir::body::Value;
use gridloom_ir::context::Context;
use gridloom_ir::fold::{FoldCx, Folded};
use gridloom_ir::op::OpName;
use gridloom_ir::types::{Type, TypeKind};
use gridloom_ir::verify::{Check, Checked, compatible};

/// The element type of a shaped type, or the type itself.
fn scalar(ctx: &Context, ty: Type) -> Type {
    ty.element(ctx).unwrap_or(ty)
}

/// The width in bits of an integer or float; `None` for `index`.
fn width(ctx: &Context, ty: Type) -> Option<u32> {
    match ty.kind(ctx) {
        TypeKind::Integer { width, .. } => Some(*width),
        TypeKind::Float(kind) => Some(kind.width()),
        _ => None,
    }
}

/// Whether two types are both scalars, or of one kind and shape.
fn same_dims(ctx: &Context, a: Type, b: Type) -> bool {
    use TypeKind as K;
    match (a.kind(ctx), b.kind(ctx)) {
        (
            K::Vector {
                shape: a,
                scalable: p,
                ..
            },
            K::Vector {
                shape: b,
                scalable: q,
                ..
            },
        ) => (a, p) == (b, q),
        (K::RankedTensor { shape: a, .. }, K::RankedTensor { shape: b, .. }) => compatible(a, b),
        (K::UnrankedTensor { .. }, K::RankedTensor { .. } | K::UnrankedTensor { .. })
        | (K::RankedTensor { .. }, K::UnrankedTensor { .. }) => true,
        _ => a.element(ctx).is_none() && b.element(ctx).is_none(),
    }
}

/// Whether source and result tensors have the same shape, `?` included.
pub(super) fn same_tensor_dims(check: &Check) -> bool {
    let dims = |ty: Type| match ty.kind(check.ctx()) {
        TypeKind::RankedTensor { shape, .. } => Some(&shape[..]),
        TypeKind::UnrankedTensor { .. } => None,
        _ => Some(&[][..]),
    };
    let from = dims(check.operand_type(0));
    from.is_some() && from == dims(check.result_type(0))
}

fn verify_pair(check: &Check, fits: impl Fn(Type, Type) -> bool) -> Checked {
    let ctx = check.ctx();
    let (from, to) = (check.operand_type(0), check.result_type(0));
    let same_encoding = match (from.kind(ctx), to.kind(ctx)) {
        (
            TypeKind::RankedTensor { encoding: a, .. },
            TypeKind::RankedTensor { encoding: b, .. },
        ) => a == b,
        _ => true,
    };
    if same_encoding && fits(scalar(ctx, from), scalar(ctx, to)) {
        return Ok(());
    }
    Err(check.error(format!(
        "operand type '{}' and result type '{}' are cast incompatible",
        check.show(from),
        check.show(to)
    )))
}

/// Verifies a conversion whose element types the row constrains.
pub(super) fn verify_cast(check: &Check) -> Checked {
    verify_pair(check, |_, _| true)
}

/// Verifies that the result is wider.
pub(super) fn verify_widening(check: &Check) -> Checked {
    let ctx = check.ctx();
    verify_pair(check, |from, to| width(ctx, from) < width(ctx, to))
}

/// Verifies that the result is narrower.
pub(super) fn verify_narrowing(check: &Check) -> Checked {
    let ctx = check.ctx();
    verify_pair(check, |from, to| width(ctx, from) > width(ctx, to))
}

/// Verifies that both sides have the same width.
pub(super) fn verify_bitcast(check: &Check) -> Checked {
    let ctx = check.ctx();
    verify_pair(check, |from, to| {
        width(ctx, from).is_some() && width(ctx, from) == width(ctx, to)
    })
}

/// Verifies that exactly one side is `index`.
pub(super) fn verify_index_cast(check: &Check) -> Checked {
    let ctx = check.ctx();
    verify_pair(check, |from, to| from.is_index(ctx) != to.is_index(ctx))
}

/// Verifies a scaling conversion: a cast of the first operand, scaled by the
/// second.
pub(super) fn verify_scaling(
    check: &Check,
    fits: impl Fn(Option<u32>, Option<u32>) -> bool,
) -> Checked {
    let ctx = check.ctx();
    let [value, scale] = [check.operand_type(0), check.operand_type(1)];
    let result = check.result_type(0);
    let widths = [value, result].map(|ty| width(ctx, scalar(ctx, ty)));
    if fits(widths[0], widths[1]) && same_dims(ctx, value, result) {
        return Ok(());
    }
    Err(check.error(format!(
        "operand types '{}', '{}' and result type '{}' are cast incompatible",
        check.show(value),
        check.show(scale),
        check.show(result)
    )))
}

/// `cast(name(x)) ⇒ x` if `x` has the type of the result.
fn round_trip_source(cx: &FoldCx, name: OpName) -> Option<Value> {
    let [operand] = cx.operands()?;
    let source = *cx.maker(operand, name)?.operands.first()?;
    (cx.ty(source) == cx.result_type(0)).then_some(source)
}

/// `trunci(extsi(x)) ⇒ x`, `trunci(extui(x)) ⇒ x`
pub(super) fn fold_trunci(cx: &FoldCx) -> Option<Folded> {
    let source =
        round_trip_source(cx, super::EXTSI).or_else(|| round_trip_source(cx, super::EXTUI));
    cx.value(source?)
}

/// `truncf(extf(x)) ⇒ x`
pub(super) fn fold_truncf(cx: &FoldCx) -> Option<Folded> {
    cx.value(round_trip_source(cx, super::EXTF)?)
}

/// `arith.index_cast`
pub(super) fn fold_index_cast(cx: &FoldCx) -> Option<Folded> {
    fold_round_trip(cx, super::INDEX_CAST)
}

/// `arith.index_castui`
pub(super) fn fold_index_castui(cx: &FoldCx) -> Option<Folded> {
    fold_round_trip(cx, super::INDEX_CASTUI)
}

/// `cast(name(x)) ⇒ x` if the middle type is no narrower than the outer ones.
/// `index` counts as 64 bits: where a target has narrower indices, the compiler
/// has shown that all values fit.
fn fold_round_trip(cx: &FoldCx, name: OpName) -> Option<Folded> {
    let [operand] = cx.operands()?;
    let bits = |ty| cx.int_width(ty).unwrap_or(u8::MAX);
    let fits = bits(cx.result_type(0)) <= bits(cx.ty(operand));
    cx.value(round_trip_source(cx, name).filter(|_| fits)?)
}

/// `arith.bitcast`
pub(super) fn fold_bitcast(cx: &FoldCx) -> Option<Folded> {
    let [operand] = cx.operands()?;
    if cx.ty(operand) == cx.result_type(0) {
        return cx.value(operand);
    }
    cx.value(round_trip_source(cx, super::BITCAST)?)
}
