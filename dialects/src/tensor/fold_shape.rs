//! Folds of reshapes, slices and padding.

use crate::memref::Mixed;
use crate::reshape::extents_follow;
use crate::verified::required_i64s;
use gridloom_ir::attr::{AttrKind, DenseData};
use gridloom_ir::body::{OpData, Value};
use gridloom_ir::fold::{FoldCx, Folded};
use gridloom_ir::types::DYNAMIC;

use super::fold::shape;
use super::{
    COLLAPSE_SHAPE, DIM, EXPAND_SHAPE, EXTRACT_SLICE, FROM_ELEMENTS, INSERT_SLICE, RESHAPE,
};

/// Folds to the elements of a constant under the static type of the result;
/// only for splats if `alike`.
fn other_shape(cx: &FoldCx, source: Value, alike: bool) -> Option<Folded> {
    let ty = cx.result_type(0);
    let extents = shape(cx, ty)?;
    let AttrKind::Dense { data, .. } = cx.constant_attr(source)?.kind(cx.ctx) else {
        return None;
    };
    let fits = !alike || matches!(data, DenseData::Splat(_));
    if !fits || extents.iter().any(|&extent| extent <= 0) {
        return None;
    }
    let data = data.clone();
    cx.attr(cx.ctx.intern_attr(AttrKind::Dense { ty, data }))
}

/// Folds `tensor.collapse_shape` and `tensor.expand_shape` to their own type,
/// of a constant, and a chain of both back to the original type.
pub(super) fn fold_regroup(cx: &FoldCx) -> Option<Folded> {
    let &source = cx.data().operands.first()?;
    if cx.ty(source) == cx.result_type(0) {
        return cx.value(source);
    }
    other_shape(cx, source, false).or_else(|| fold_back(cx, source))
}

fn fold_back(cx: &FoldCx, source: Value) -> Option<Folded> {
    let expands = cx.data().name == EXPAND_SHAPE;
    let inverse = if expands {
        COLLAPSE_SHAPE
    } else {
        EXPAND_SHAPE
    };
    let maker = cx.maker(source, inverse)?;
    let &origin = maker.operands.first()?;
    let ty = cx.result_type(0);
    if cx.ty(origin) != ty {
        return None;
    }
    let extents = shape(cx, ty)?;
    let groups = |data: &OpData| data.attr(cx.ctx, "reassociation");
    let same = groups(maker) == groups(cx.data());
    let is_back = !extents.contains(&DYNAMIC)
        || (same && (!expands || extents_follow(cx, extents, groups(maker)?)));
    is_back.then(|| cx.value(origin))?
}

/// Folds `tensor.reshape` of a splat, or to the shape that the tensor has.
pub(super) fn fold_reshape(cx: &FoldCx) -> Option<Folded> {
    let [source, sizes] = cx.operands()?;
    if let Some(folded) = other_shape(cx, source, true) {
        return Some(folded);
    }
    // A reshape of a reshape reshapes the original tensor.
    let origin = cx
        .maker(source, RESHAPE)
        .and_then(|maker| maker.operands.first());
    let &source = origin.unwrap_or(&source);
    if cx.ty(source) != cx.result_type(0) {
        return None;
    }
    let extents = shape(cx, cx.ty(source))?;
    // The number of elements determines an only extent.
    let is_same = extents.len() <= 1 || has_sizes(cx, source, extents, sizes)?;
    is_same.then(|| cx.value(source))?
}

/// Whether a list of sizes spells the shape of this tensor.
fn has_sizes(cx: &FoldCx, source: Value, extents: &[i64], sizes: Value) -> Option<bool> {
    let sizes = &cx.maker(sizes, FROM_ELEMENTS)?.operands;
    let is_size = |(number, (&size, &extent)): (usize, (&Value, &i64))| {
        if let Some(size) = cx.int(size) {
            return size == extent;
        }
        let Some(dim) = cx.maker(size, DIM) else {
            return false;
        };
        dim.operands[0] == source && cx.int(dim.operands[1]) == i64::try_from(number).ok()
    };
    Some(sizes.len() == extents.len() && sizes.iter().zip(extents).enumerate().all(is_size))
}

/// Folds `tensor.gather` of a splat.
pub(super) fn fold_gather(cx: &FoldCx) -> Option<Folded> {
    let [source, _] = cx.operands()?;
    other_shape(cx, source, true)
}

/// The offsets, sizes and strides of a slice operation; `others` operand groups
/// precede theirs.
fn lists(cx: &FoldCx, data: &OpData, others: usize) -> [Vec<Mixed>; 3] {
    let names = ["static_offsets", "static_sizes", "static_strides"];
    [0, 1, 2].map(|list| {
        let constants = required_i64s(cx.ctx, data, names[list]);
        Mixed::zip(&constants, data.operand_segment(cx.ctx, others + list))
    })
}

/// Folds `tensor.extract_slice` of everything, of a splat, or of the slice just
/// inserted.
pub(super) fn fold_extract_slice(cx: &FoldCx) -> Option<Folded> {
    let &source = cx.data().operands.first()?;
    if takes_all(cx, source) {
        return cx.value(source);
    }
    if let Some(folded) = other_shape(cx, source, true) {
        return Some(folded);
    }
    let maker = cx.maker(source, INSERT_SLICE)?;
    let &part = maker.operands.first()?;
    let is_it = cx.ty(part) == cx.result_type(0) && lists(cx, cx.data(), 1) == lists(cx, maker, 2);
    is_it.then(|| cx.value(part))?
}

/// Folds `tensor.insert_slice` over everything, or of the slice just extracted
/// there.
pub(super) fn fold_insert_slice(cx: &FoldCx) -> Option<Folded> {
    let [part, whole] = *cx.data().operands.first_chunk()?;
    if takes_all(cx, part) {
        return cx.value(part);
    }
    let maker = cx.maker(part, EXTRACT_SLICE)?;
    let is_there =
        maker.operands.first() == Some(&whole) && lists(cx, maker, 1) == lists(cx, cx.data(), 2);
    is_there.then(|| cx.value(whole))?
}

/// Whether a slice covers its whole tensor: the types are equal and static, and
/// with positive strides any smaller part would be out of bounds.
fn takes_all(cx: &FoldCx, part: Value) -> bool {
    let ty = cx.result_type(0);
    let strides = required_i64s(cx.ctx, cx.data(), "static_strides");
    cx.ty(part) == ty
        && shape(cx, ty).is_some_and(|shape| !shape.contains(&DYNAMIC))
        && strides.iter().all(|&stride| stride > 0)
}

/// Folds `tensor.pad` of width 0, unless the operation demands a copy
/// (`nofold`).
pub(super) fn fold_pad(cx: &FoldCx) -> Option<Folded> {
    let &source = cx.data().operands.first()?;
    let zero = |name| {
        let numbers = required_i64s(cx.ctx, cx.data(), name);
        numbers.iter().all(|&number| number == 0)
    };
    let is_nothing = cx.data().attr(cx.ctx, "nofold").is_none()
        && zero("static_low")
        && zero("static_high")
        && cx.ty(source) == cx.result_type(0);
    is_nothing.then(|| cx.value(source))?
}
