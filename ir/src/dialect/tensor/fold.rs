//! What operations on tensors are worth.

use crate::dialect::memref::Mixed;
use crate::dialect::required_i64s;
use crate::fold::{FoldCx, Folded};
use crate::types::{DYNAMIC, Type, TypeKind};

use super::{CAST, EMPTY, EXTRACT_SLICE, FROM_ELEMENTS, GENERATE};

fn shape<'a>(cx: &FoldCx<'a>, ty: Type) -> Option<&'a [i64]> {
    match ty.kind(cx.ctx) {
        TypeKind::RankedTensor { shape, .. } => Some(shape),
        _ => None,
    }
}

/// `tensor.cast`: to the type that is there, or back to the one that was.
pub(super) fn fold_cast(cx: &FoldCx) -> Option<Folded> {
    let [source] = cx.operands()?;
    if cx.ty(source) == cx.result_type(0) {
        return cx.value(source);
    }
    let origin = *cx.maker(source, CAST)?.operands.first()?;
    (cx.ty(origin) == cx.result_type(0)).then(|| cx.value(origin))?
}

/// `tensor.rank` of a ranked tensor.
pub(super) fn fold_rank(cx: &FoldCx) -> Option<Folded> {
    let [source] = cx.operands()?;
    cx.splat(shape(cx, cx.ty(source))?.len() as u64)
}

/// `tensor.dim`, from the type or from the operation that made the tensor.
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
            // Where no dimension is left out, the sizes are in their places.
            match *sizes.get(dim).filter(|_| sizes.len() == extents.len())? {
                Mixed::Value(size) => cx.value(size),
                Mixed::Constant(_) => None,
            }
        }
        _ => None,
    }
}

/// `tensor.extract` of what a tensor is made of.
pub(super) fn fold_extract(cx: &FoldCx) -> Option<Folded> {
    let (&source, indices) = cx.data().operands.split_first()?;
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

/// `tensor.extract_slice` of everything.
pub(super) fn fold_extract_slice(cx: &FoldCx) -> Option<Folded> {
    let &source = cx.data().operands.first()?;
    takes_all(cx, source).then(|| cx.value(source))?
}

/// `tensor.insert_slice` over everything.
pub(super) fn fold_insert_slice(cx: &FoldCx) -> Option<Folded> {
    let &source = cx.data().operands.first()?;
    takes_all(cx, source).then(|| cx.value(source))?
}

/// Whether a slice of a tensor of known extents has its type: forwards, that
/// is all of it, since what reaches beyond the end is no slice.
fn takes_all(cx: &FoldCx, part: crate::body::Value) -> bool {
    let ty = cx.result_type(0);
    let strides = required_i64s(cx.ctx, cx.data(), "static_strides");
    cx.ty(part) == ty
        && shape(cx, ty).is_some_and(|shape| !shape.contains(&DYNAMIC))
        && strides.iter().all(|&stride| stride > 0)
}
