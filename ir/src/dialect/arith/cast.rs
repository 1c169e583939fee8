//! Conversions: verifiers and folds.

use crate::body::Value;
use crate::context::Context;
use crate::fold::{FoldCx, Folded};
use crate::op::OpName;
use crate::scalar::{Cast, ScalarKind};
use crate::types::{Type, TypeKind};
use crate::verify::{Check, Checked, compatible};

use super::float::number;

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

/// Folds the conversion of a constant, where MLIR defines the result.
fn on_constant(cx: &FoldCx, cast: Cast) -> Option<Folded> {
    let [operand] = cx.operands()?;
    let constant = cx.constant(operand)?;
    let (from, to) = (constant.kind, cx.element_kind(cx.result_type(0))?);
    cx.elements(constant.map(|bits| convert(cast, bits, from, to)))
}

fn convert(cast: Cast, bits: u64, from: ScalarKind, to: ScalarKind) -> Option<u64> {
    let is_defined = match (cast, to) {
        (Cast::FloatToSigned, ScalarKind::Int(width)) => {
            let limit = 2f64.powi(i32::from(width) - 1);
            (-limit..limit).contains(&from.to_f64(bits).trunc())
        }
        (Cast::FloatToUnsigned, ScalarKind::Int(width)) => {
            (0.0..2f64.powi(width.into())).contains(&from.to_f64(bits).trunc())
        }
        // Machines differ in the NaN that a conversion gives.
        (Cast::Float, _) => number(from, bits).is_some(),
        _ => true,
    };
    is_defined.then(|| cast.eval(bits, from, to))
}

/// `cast(name(x)) ⇒ x` if `x` has the type of the result.
fn undone(cx: &FoldCx, name: OpName) -> Option<Value> {
    let [operand] = cx.operands()?;
    let source = *cx.maker(operand, name)?.operands.first()?;
    (cx.ty(source) == cx.result_type(0)).then_some(source)
}

/// `arith.extsi`
pub(super) fn fold_extsi(cx: &FoldCx) -> Option<Folded> {
    on_constant(cx, Cast::IntSign)
}

/// `arith.extui`
pub(super) fn fold_extui(cx: &FoldCx) -> Option<Folded> {
    on_constant(cx, Cast::IntZero)
}

/// `arith.trunci`
pub(super) fn fold_trunci(cx: &FoldCx) -> Option<Folded> {
    let source = undone(cx, super::EXTSI).or_else(|| undone(cx, super::EXTUI));
    match source {
        Some(source) => cx.value(source),
        None => on_constant(cx, Cast::IntZero),
    }
}

/// `arith.extf`
pub(super) fn fold_extf(cx: &FoldCx) -> Option<Folded> {
    on_constant(cx, Cast::Float)
}

/// `arith.truncf`: `truncf(extf(x)) ⇒ x`, and constants that convert exactly.
pub(super) fn fold_truncf(cx: &FoldCx) -> Option<Folded> {
    if let Some(source) = undone(cx, super::EXTF) {
        return cx.value(source);
    }
    // An exact conversion is the same in every rounding mode.
    let [operand] = cx.operands()?;
    let constant = cx.constant(operand)?;
    let (from, to) = (constant.kind, cx.element_kind(cx.result_type(0))?);
    let exactly = |bits| {
        let narrow = convert(Cast::Float, bits, from, to)?;
        (to.to_f64(narrow) == from.to_f64(bits)).then_some(narrow)
    };
    cx.elements(constant.map(exactly))
}

/// `arith.sitofp`
pub(super) fn fold_sitofp(cx: &FoldCx) -> Option<Folded> {
    on_constant(cx, Cast::SignedToFloat)
}

/// `arith.uitofp`
pub(super) fn fold_uitofp(cx: &FoldCx) -> Option<Folded> {
    on_constant(cx, Cast::UnsignedToFloat)
}

/// `arith.fptosi`
pub(super) fn fold_fptosi(cx: &FoldCx) -> Option<Folded> {
    on_constant(cx, Cast::FloatToSigned)
}

/// `arith.fptoui`
pub(super) fn fold_fptoui(cx: &FoldCx) -> Option<Folded> {
    on_constant(cx, Cast::FloatToUnsigned)
}

/// `arith.index_cast`
pub(super) fn fold_index_cast(cx: &FoldCx) -> Option<Folded> {
    fold_there_and_back(cx, super::INDEX_CAST, Cast::IntSign)
}

/// `arith.index_castui`
pub(super) fn fold_index_castui(cx: &FoldCx) -> Option<Folded> {
    fold_there_and_back(cx, super::INDEX_CASTUI, Cast::IntZero)
}

/// `cast(name(x)) ⇒ x` if the middle type is no narrower than the outer ones.
/// `index` counts as 64 bits: where a target has narrower indices, the compiler
/// has shown that all values fit.
fn fold_there_and_back(cx: &FoldCx, name: OpName, cast: Cast) -> Option<Folded> {
    let [operand] = cx.operands()?;
    let bits = |ty| cx.int_width(ty).unwrap_or(u8::MAX);
    let fits = bits(cx.result_type(0)) <= bits(cx.ty(operand));
    match undone(cx, name).filter(|_| fits) {
        Some(source) => cx.value(source),
        None => on_constant(cx, cast),
    }
}

/// `arith.bitcast`
pub(super) fn fold_bitcast(cx: &FoldCx) -> Option<Folded> {
    let [operand] = cx.operands()?;
    if cx.ty(operand) == cx.result_type(0) {
        return cx.value(operand);
    }
    match undone(cx, super::BITCAST) {
        Some(source) => cx.value(source),
        None => on_constant(cx, Cast::Bits),
    }
}
