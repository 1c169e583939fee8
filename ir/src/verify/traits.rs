//! Checks of the traits that relate the types of operands and results.

use super::row::verify_results_are;
use super::{Check, Checked};
use crate::attr::Attr;
use crate::attr_names;
use crate::context::{RowTraits, Traits};
use crate::types::{DYNAMIC, Type, TypeKind};

/// The shape of a type.
enum Shape<'a> {
    /// A scalar.
    None,
    /// A type without a rank.
    Unranked,
    /// The static and dynamic extents.
    Ranked(&'a [i64]),
    /// The extents of a type that a dialect defines.
    OfDialect(Vec<i64>),
}

impl Shape<'_> {
    /// The extents, if the type is ranked.
    fn extents(&self) -> Option<&[i64]> {
        match self {
            Shape::Ranked(shape) => Some(shape),
            Shape::OfDialect(shape) => Some(shape),
            Shape::None | Shape::Unranked => None,
        }
    }
}

fn shape_of<'a>(check: &Check<'a>, ty: Type) -> Shape<'a> {
    match ty.kind(check.ctx()) {
        TypeKind::Vector { shape, .. } | TypeKind::RankedTensor { shape, .. } => {
            Shape::Ranked(shape)
        }
        TypeKind::MemRef(memref) => Shape::Ranked(&memref.shape),
        TypeKind::UnrankedMemRef { .. } | TypeKind::UnrankedTensor { .. } => Shape::Unranked,
        TypeKind::Parametric(payload) => match payload.shape(check.ctx(), ty) {
            Some((shape, _)) if shape == [DYNAMIC] => Shape::Unranked,
            Some((shape, _)) => Shape::OfDialect(shape),
            None => Shape::None,
        },
        _ => Shape::None,
    }
}

/// The element type of a shaped type, or the type itself.
pub(super) fn element_or_self(check: &Check, ty: Type) -> Type {
    match shape_of(check, ty) {
        Shape::None | Shape::OfDialect(_) => ty,
        Shape::Unranked | Shape::Ranked(_) => ty.element(check.ctx()).unwrap_or(ty),
    }
}

/// Whether two shapes are compatible: they may be equal at run time.
pub fn compatible(a: &[i64], b: &[i64]) -> bool {
    a.len() == b.len()
        && a.iter()
            .zip(b)
            .all(|(&a, &b)| a == b || a == DYNAMIC || b == DYNAMIC)
}

/// Whether two types are compatible in shape: both scalars, or both shaped and
/// compatible.
fn pair_fits(check: &Check, a: Type, b: Type) -> bool {
    match (shape_of(check, a), shape_of(check, b)) {
        (Shape::None, Shape::None) => true,
        (Shape::None, _) | (_, Shape::None) => false,
        (a, b) => match (a.extents(), b.extents()) {
            (Some(a), Some(b)) => compatible(a, b),
            _ => true,
        },
    }
}

fn is_scalable(check: &Check, ty: Type) -> bool {
    matches!(ty.kind(check.ctx()), TypeKind::Vector { scalable, .. } if scalable.contains(&true))
}

/// Whether types are pairwise compatible in shape; scalable vectors match only
/// scalable ones.
fn shapes_fit(check: &Check, types: impl Iterator<Item = Type> + Clone) -> bool {
    let shapes = || types.clone().map(|ty| shape_of(check, ty));
    if shapes().all(|shape| matches!(shape, Shape::None)) {
        return true;
    }
    if shapes().any(|shape| matches!(shape, Shape::None))
        || !all_equal(types.clone().map(|ty| is_scalable(check, ty)))
    {
        return false;
    }
    // Compatibility is not transitive: `?` matches extents that do not match
    // each other.
    let fit = |a: &Shape, b: &Shape| match (a.extents(), b.extents()) {
        (Some(a), Some(b)) => compatible(a, b),
        _ => true,
    };
    shapes()
        .enumerate()
        .all(|(index, a)| shapes().skip(index + 1).all(|b| fit(&a, &b)))
}

fn all_equal<T: PartialEq>(mut items: impl Iterator<Item = T>) -> bool {
    let first = items.next();
    first.is_none_or(|first| items.all(|item| item == first))
}

pub(super) fn verify(check: &Check, traits: RowTraits) -> Checked {
    let all = || check.operand_types().chain(check.result_types());
    if traits.contains(Traits::SYMBOL) {
        verify_visibility(check)?;
    }
    if traits.contains(RowTraits::SAME_TYPE_OPERANDS) {
        let same = all_equal(check.operand_types());
        check.ensure(same, "requires all operands to have the same type")?;
    }
    if traits.contains(RowTraits::SAME_OPERANDS_AND_RESULT_TYPE) && !all_equal(all()) {
        verify_same_types(check)?;
    }
    if traits.contains(RowTraits::SAME_SHAPE) {
        let message = "requires the same shape for all operands and results";
        check.ensure(shapes_fit(check, all()), message)?;
    }
    if traits.contains(RowTraits::SAME_ELEMENT_TYPE) {
        let elements = all().map(|ty| element_or_self(check, ty));
        let message = "requires the same element type for all operands and results";
        check.ensure(all_equal(elements), message)?;
    }
    if traits.contains(Traits::ELEMENTWISE) {
        verify_elementwise(check)?;
    }
    Ok(())
}

/// Checks that a symbol's visibility is public, private or nested.
fn verify_visibility(check: &Check) -> Checked {
    let ctx = check.ctx();
    let Some(visibility) = check.data().attr(ctx, attr_names::SYM_VISIBILITY) else {
        return Ok(());
    };
    // Without a name, the operation is no symbol.
    if check.data().attr(ctx, attr_names::SYM_NAME).is_none() {
        return Ok(());
    }
    let known = ["public", "private", "nested"];
    if visibility
        .as_str(ctx)
        .is_some_and(|word| known.contains(&word))
    {
        return Ok(());
    }
    Err(check.error(format!(
        "visibility expected to be one of [\"public\", \"private\", \"nested\"], but got {}",
        crate::text::attr_string(ctx, visibility)
    )))
}

fn encoding(check: &Check, ty: Type) -> Option<Attr> {
    match ty.kind(check.ctx()) {
        TypeKind::RankedTensor { encoding, .. } => *encoding,
        _ => None,
    }
}

/// Checks that all types have the same element type and compatible shapes, and
/// that tensors have the encoding of the first result.
fn verify_same_types(check: &Check) -> Checked {
    let Some(first) = check.result_types().next() else {
        return Ok(());
    };
    let element = element_or_self(check, first);
    for ty in check.result_types().skip(1).chain(check.operand_types()) {
        check.ensure(
            element_or_self(check, ty) == element && pair_fits(check, ty, first),
            "requires the same type for all operands and results",
        )?;
        let ranked = matches!(ty.kind(check.ctx()), TypeKind::RankedTensor { .. });
        let expected = encoding(check, first).filter(|_| ranked);
        check.ensure(
            expected.is_none() || encoding(check, ty) == expected,
            "requires the same encoding for all operands and results",
        )?;
    }
    Ok(())
}

/// The class of a type that elementwise operations map over; `None` for scalars
/// and others.
fn mappable(check: &Check, ty: Type) -> Option<u8> {
    match ty.kind(check.ctx()) {
        TypeKind::Vector { .. } => Some(0),
        TypeKind::RankedTensor { .. } => Some(1),
        TypeKind::UnrankedTensor { .. } => Some(2),
        _ => None,
    }
}

fn verify_elementwise(check: &Check) -> Checked {
    let is_mappable = move |ty: &Type| mappable(check, *ty).is_some();
    let operands = || check.operand_types().filter(is_mappable);
    let results = || check.result_types().filter(is_mappable);
    if operands().next().is_none() && results().next().is_none() {
        return Ok(());
    }
    check.ensure(
        operands().next().is_some(),
        "if a result is non-scalar, then at least one operand must be non-scalar",
    )?;
    check.ensure(
        results().next().is_some(),
        "if an operand is non-scalar, then there must be at least one non-scalar result",
    )?;
    check.ensure(
        results().count() == check.data().num_results(),
        "if an operand is non-scalar, then all results must be non-scalar",
    )?;
    let all = operands().chain(results());
    check.ensure(
        all_equal(all.clone().map(|ty| mappable(check, ty))) && shapes_fit(check, all),
        "all non-scalar operands/results must have the same shape and base type",
    )
}

/// Checks that the results have the type of the first operand, which the custom
/// form infers.
pub(super) fn verify_inferred(check: &Check, traits: RowTraits) -> Checked {
    if !traits.contains(RowTraits::SAME_OPERANDS_AND_RESULT_TYPE) {
        return Ok(());
    }
    match check.operand_types().next() {
        Some(first) if check.result_types().any(|ty| ty != first) => {
            verify_results_are(check, &vec![first; check.data().num_results()])
        }
        _ => Ok(()),
    }
}
