//! Folds of vector operations that move elements: on constants, and where two
//! cancel.

use crate::ub;
use crate::verified::required_i64s;
use gridloom_ir::body::Value;
use gridloom_ir::fold::{Elements, FoldCx, FoldResult, Folded};
use gridloom_ir::op::OpName;
use gridloom_ir::scalar::{ScalarKind, mask};
use gridloom_ir::types::{DYNAMIC, Type, TypeKind};

/// The bound on elements of constants that fold elementwise.
pub(super) const MAX_ELEMENTS: usize = 256;

pub(super) fn shape<'c>(cx: &FoldCx<'c>, ty: Type) -> &'c [i64] {
    match ty.kind(cx.ctx) {
        TypeKind::Vector { shape, .. } => shape,
        _ => &[],
    }
}

pub(super) fn count(shape: &[i64]) -> usize {
    let extents = shape.iter().map(|&extent| extent.max(0) as usize);
    extents.fold(1, usize::saturating_mul)
}

/// Folds to the first operand, if it has the result's type.
pub(super) fn same_type(cx: &FoldCx) -> Option<Folded> {
    let &first = cx.data().operands.first()?;
    (cx.ty(first) == cx.result_type(0)).then(|| cx.value(first))?
}

/// Folds to the operand of the operation `name` before this one, if it has the
/// result's type.
fn fold_round_trip(cx: &FoldCx, name: OpName) -> Option<Folded> {
    let &first = cx.data().operands.first()?;
    let origin = *cx.maker(first, name)?.operands.first()?;
    (cx.ty(origin) == cx.result_type(0)).then(|| cx.value(origin))?
}

/// Folds to the splat constant of the first operand.
pub(super) fn splat(cx: &FoldCx) -> Option<Folded> {
    let &first = cx.data().operands.first()?;
    cx.splat(cx.constant(first)?.splat()?)
}

/// Folds to poison if the first operand is poison.
pub(super) fn poison(cx: &FoldCx) -> Option<Folded> {
    let &first = cx.data().operands.first()?;
    cx.maker(first, ub::POISON)?;
    cx.attr(ub::poison_attr(cx.ctx))
}

pub(super) fn broadcast(cx: &FoldCx) -> Option<Folded> {
    same_type(cx).or_else(|| poison(cx)).or_else(|| splat(cx))
}

pub(super) fn bitcast(cx: &FoldCx) -> Option<Folded> {
    same_type(cx)
        .or_else(|| fold_round_trip(cx, super::BITCAST))
        .or_else(|| repeat_bits(cx))
}

/// Folds a bitcast of a splat to wider elements.
fn repeat_bits(cx: &FoldCx) -> Option<Folded> {
    let [source] = cx.operands()?;
    let bits = cx.constant(source)?.splat()?;
    let kinds = [cx.ty(source), cx.result_type(0)].map(|ty| cx.element_kind(ty));
    let (from, to) = match kinds {
        [Some(ScalarKind::F16), Some(ScalarKind::F32)] => (16, 32),
        [Some(ScalarKind::Int(from)), Some(ScalarKind::Int(to))] => (from, to),
        _ => return None,
    };
    if from >= to || to % from != 0 {
        return None;
    }
    let copies = (0..to / from).map(|copy| mask(bits, from) << (copy * from));
    cx.splat(copies.fold(0, |all, copy| all | copy))
}

pub(super) fn shape_cast(cx: &FoldCx) -> Option<Folded> {
    let [source] = cx.operands()?;
    let constant = || cx.elements(Some(cx.constant(source)?.elements()));
    same_type(cx)
        .or_else(|| poison(cx))
        .or_else(|| fold_round_trip(cx, super::SHAPE_CAST))
        .or_else(constant)
}

pub(super) fn transpose(cx: &FoldCx) -> Option<Folded> {
    let [source] = cx.operands()?;
    let permutation = required_i64s(cx.ctx, cx.data(), "permutation");
    let is_identity = |permutation: &[i64]| (0..).zip(permutation).all(|(i, &at)| i == at);
    if is_identity(&permutation) || keeps_order(cx, source, &permutation) {
        return same_type(cx).or_else(|| poison(cx));
    }
    if let Some(inner) = cx.maker(source, super::TRANSPOSE) {
        let first = required_i64s(cx.ctx, inner, "permutation");
        let both: Option<Vec<i64>> = permutation
            .iter()
            .map(|&at| first.get(usize::try_from(at).ok()?).copied())
            .collect();
        return is_identity(&both?).then(|| cx.value(*inner.operands.first()?))?;
    }
    poison(cx).or_else(|| splat(cx))
}

/// Whether a permutation moves only unit dimensions.
fn keeps_order(cx: &FoldCx, source: Value, permutation: &[i64]) -> bool {
    let TypeKind::Vector {
        shape, scalable, ..
    } = cx.ty(source).kind(cx.ctx)
    else {
        return false;
    };
    let matters = |dim: &&i64| {
        let dim = usize::try_from(**dim).unwrap_or(usize::MAX);
        shape.get(dim) != Some(&1) || scalable.get(dim) != Some(&false)
    };
    permutation.iter().filter(matters).is_sorted()
}

/// The row-major range of elements at a static position in a vector of this
/// shape.
fn elements_at(shape: &[i64], position: &[i64]) -> Option<std::ops::Range<usize>> {
    let (outer, inner) = shape.split_at_checked(position.len())?;
    let mut at = 0usize;
    for (&extent, &index) in outer.iter().zip(position) {
        if index == DYNAMIC || !(0..extent).contains(&index) {
            return None;
        }
        at = at
            .checked_mul(extent as usize)?
            .checked_add(index as usize)?;
    }
    let size = count(inner);
    let start = at.checked_mul(size)?;
    Some(start..start.checked_add(size)?)
}

pub(super) fn extract(cx: &FoldCx) -> Option<Folded> {
    let &source = cx.data().operands.first()?;
    let position = required_i64s(cx.ctx, cx.data(), "static_position");
    if position.is_empty() && !shape(cx, cx.ty(source)).is_empty() {
        return same_type(cx);
    }
    if let Some(folded) = poison(cx) {
        return Some(folded);
    }
    // A position out of bounds, such as -1, gives poison.
    let is_inside = elements_at(shape(cx, cx.ty(source)), &position);
    if let Some(maker) = cx.maker(source, super::BROADCAST) {
        let origin = *maker.operands.first()?;
        let whole = cx.ty(origin) == cx.result_type(0) && is_inside.is_some();
        return whole.then(|| cx.value(origin))?;
    }
    // A dynamic position is assumed to be in bounds.
    if position.iter().all(|&index| index == DYNAMIC || index >= 0)
        && let Some(bits) = cx.constant(source).and_then(|constant| constant.splat())
    {
        return cx.splat(bits);
    }
    let range = is_inside?;
    if let Some(maker) = cx.maker(source, super::FROM_ELEMENTS) {
        return (range.len() == 1 && shape(cx, cx.result_type(0)).is_empty())
            .then(|| cx.value(*maker.operands.get(range.start)?))?;
    }
    if let Some(maker) = cx.maker(source, super::INSERT) {
        let same = required_i64s(cx.ctx, maker, "static_position") == position;
        return same.then(|| cx.value(*maker.operands.first()?))?;
    }
    let constant = cx.constant(source)?;
    if range.len() > MAX_ELEMENTS {
        return None;
    }
    let bits: Option<Vec<u64>> = range.map(|index| constant.element(index)).collect();
    cx.elements(bits.map(scalar_or_each))
}

/// The result's elements: a scalar if there is just one.
fn scalar_or_each(bits: Vec<u64>) -> Elements {
    match bits[..] {
        [only] => Elements::Splat(only),
        _ => Elements::Each(bits),
    }
}

pub(super) fn insert(cx: &FoldCx) -> Option<Folded> {
    let [value, target] = cx.operands()?;
    let position = required_i64s(cx.ctx, cx.data(), "static_position");
    if position.is_empty() && cx.ty(value) == cx.result_type(0) {
        return cx.value(value);
    }
    let shape = shape(cx, cx.ty(target));
    let total = count(shape);
    let range = elements_at(shape, &position).filter(|_| total <= MAX_ELEMENTS)?;
    let (value, target) = (cx.constant(value)?, cx.constant(target)?);
    let element = |index: usize| match range.contains(&index) {
        true => value.element(index - range.start),
        false => target.element(index),
    };
    let bits: Option<Vec<u64>> = (0..total).map(element).collect();
    cx.elements(bits.map(Elements::Each))
}

pub(super) fn from_elements(cx: &FoldCx) -> Option<Folded> {
    let operands = &cx.data().operands;
    if operands.len() > MAX_ELEMENTS {
        return None;
    }
    let bits = |&value: &Value| cx.constant(value)?.splat();
    let bits: Option<Vec<u64>> = operands.iter().map(bits).collect();
    cx.elements(bits.map(Elements::Each))
}

pub(super) fn to_elements(cx: &FoldCx) -> Option<Folded> {
    let [source] = cx.operands()?;
    if let Some(maker) = cx.maker(source, super::FROM_ELEMENTS) {
        let operands = maker.operands.iter();
        return Some(operands.map(|&value| FoldResult::Value(value)).collect());
    }
    let splat = Elements::Splat(cx.constant(source)?.splat()?);
    let result = |index: usize| splat.clone().into_result(cx.ctx, cx.result_type(index));
    (0..cx.data().num_results()).map(result).collect()
}

/// Folds a `vector.constant_mask` of all lanes or of none.
pub(super) fn constant_mask(cx: &FoldCx) -> Option<Folded> {
    let sizes = required_i64s(cx.ctx, cx.data(), "mask_dim_sizes");
    if sizes.contains(&0) {
        return cx.splat(0);
    }
    // A mask of rank 0 has one element.
    let extents = match shape(cx, cx.result_type(0)) {
        [] => &[1],
        shape => shape,
    };
    (sizes == extents).then(|| cx.splat(1))?
}
