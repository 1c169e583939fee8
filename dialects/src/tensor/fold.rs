//! Folds of tensor operations on elements and types.

use crate::memref::Mixed;
use crate::verified::required_i64s;
use gridloom_ir::body::Value;
use gridloom_ir::fold::{Elements, FoldCx, Folded};
use gridloom_ir::types::{DYNAMIC, Type, TypeKind};

use super::{BITCAST, CAST, EMPTY, EXTRACT_SLICE, FROM_ELEMENTS, GENERATE, INSERT};

/// The shape of a ranked tensor.
pub(super) fn shape<'a>(cx: &FoldCx<'a>, ty: Type) -> Option<&'a [i64]> {
    match ty.kind(cx.ctx) {
        TypeKind::RankedTensor { shape, .. } => Some(shape),
        _ => None,
    }
}

/// Folds `tensor.cast` to its own type, and a chain of two back to the original
/// type unless the middle type checks more extents.
pub(super) fn fold_cast(cx: &FoldCx) -> Option<Folded> {
    let [source] = cx.operands()?;
    if cx.ty(source) == cx.result_type(0) {
        return cx.value(source);
    }
    let origin = *cx.maker(source, CAST)?.operands.first()?;
    let is_back = cx.ty(origin) == cx.result_type(0) && is_no_more_static(cx, source, origin);
    is_back.then(|| cx.value(origin))?
}

/// Whether the type of `other` knows every extent that the type of `value`
/// knows.
fn is_no_more_static(cx: &FoldCx, value: Value, other: Value) -> bool {
    match (shape(cx, cx.ty(value)), shape(cx, cx.ty(other))) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(ours), Some(theirs)) => {
            let mut pairs = ours.iter().zip(theirs);
            pairs.all(|(&ours, &theirs)| ours == DYNAMIC || ours == theirs)
        }
    }
}

/// Folds `tensor.bitcast` to its own type, and a chain of two back to the
/// original type.
pub(super) fn fold_bitcast(cx: &FoldCx) -> Option<Folded> {
    let [source] = cx.operands()?;
    if cx.ty(source) == cx.result_type(0) {
        return cx.value(source);
    }
    let origin = *cx.maker(source, BITCAST)?.operands.first()?;
    (cx.ty(origin) == cx.result_type(0)).then(|| cx.value(origin))?
}

/// Folds `tensor.concat` of one tensor.
pub(super) fn fold_concat(cx: &FoldCx) -> Option<Folded> {
    let [source] = cx.operands()?;
    (cx.ty(source) == cx.result_type(0)).then(|| cx.value(source))?
}

/// Folds `tensor.from_elements` of constants.
pub(super) fn fold_from_elements(cx: &FoldCx) -> Option<Folded> {
    let elements = &cx.data().operands;
    let numbers = elements
        .iter()
        .map(|&element| cx.constant(element)?.splat());
    let numbers: Vec<u64> = numbers.collect::<Option<_>>()?;
    if numbers.is_empty() {
        return None;
    }
    cx.elements(Some(Elements::Each(numbers)))
}

/// Folds `tensor.splat` of a constant with a static shape.
pub(super) fn fold_splat(cx: &FoldCx) -> Option<Folded> {
    let &element = cx.data().operands.first()?;
    cx.splat(cx.constant(element)?.splat()?)
}

/// Folds `tensor.insert` of the value that every element has.
pub(super) fn fold_insert(cx: &FoldCx) -> Option<Folded> {
    let [scalar, dest] = *cx.data().operands.first_chunk()?;
    let (number, all) = (cx.constant(scalar)?.splat()?, cx.constant(dest)?.splat()?);
    (number == all).then(|| cx.value(dest))?
}

/// Folds `tensor.rank` of a ranked tensor.
pub(super) fn fold_rank(cx: &FoldCx) -> Option<Folded> {
    let [source] = cx.operands()?;
    cx.splat(shape(cx, cx.ty(source))?.len() as u64)
}

/// Folds `tensor.dim` to a static extent, or to a size operand of the defining
/// operation.
pub(super) fn fold_dim(cx: &FoldCx) -> Option<Folded> {
    let [source, index] = cx.operands()?;
    let dim = usize::try_from(cx.int(index)?).ok()?;
    let extents = shape(cx, cx.ty(source))?;
    let extent = *extents.get(dim)?;
    if extent != DYNAMIC {
        return cx.splat(extent as u64);
    }
    let maker = &cx.body[cx.body.defining_op(source)?];
    let position = extents[..dim].iter().filter(|&&d| d == DYNAMIC).count();
    match maker.name {
        EMPTY | GENERATE => cx.value(*maker.operands.get(position)?),
        EXTRACT_SLICE => {
            let constants = required_i64s(cx.ctx, maker, "static_sizes");
            let sizes = Mixed::zip(&constants, maker.operand_segment(cx.ctx, 2));
            // Without rank reduction, sizes and extents correspond.
            match *sizes.get(dim).filter(|_| sizes.len() == extents.len())? {
                Mixed::Value(size) => cx.value(size),
                Mixed::Constant(_) => None,
            }
        }
        _ => None,
    }
}

/// Folds `tensor.extract` from a constant, `from_elements` or `insert`.
pub(super) fn fold_extract(cx: &FoldCx) -> Option<Folded> {
    let (&source, indices) = cx.data().operands.split_first()?;
    if let Some(inserted) = just_inserted(cx, source, indices) {
        return cx.value(inserted);
    }
    if let Some(bits) = cx.constant(source).and_then(|constant| constant.splat()) {
        return cx.splat(bits);
    }
    let mut place = 0usize;
    for (&extent, &index) in shape(cx, cx.ty(source))?.iter().zip(indices) {
        let (extent, index) = (
            usize::try_from(extent).ok()?,
            usize::try_from(cx.int(index)?).ok()?,
        );
        if index >= extent {
            return None;
        }
        place = place.checked_mul(extent)?.checked_add(index)?;
    }
    match cx.maker(source, FROM_ELEMENTS) {
        Some(maker) => cx.value(*maker.operands.get(place)?),
        None => cx.splat(cx.constant(source)?.element(place)?),
    }
}

/// The scalar inserted at the same constant indices.
fn just_inserted(cx: &FoldCx, tensor: Value, indices: &[Value]) -> Option<Value> {
    let (&[scalar, _], at) = cx.maker(tensor, INSERT)?.operands.split_first_chunk()?;
    let mut pairs = indices.iter().zip(at);
    let same = |(&index, &at): (&Value, &Value)| {
        let index = cx.int(index);
        index.is_some() && index == cx.int(at)
    };
    pairs.all(same).then_some(scalar)
}
