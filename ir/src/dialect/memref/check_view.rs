//! What views of memory must hold.

use crate::affine::{AffineExprKind, AffineMap};
use crate::context::Context;
use crate::diag::Diagnostic;
use crate::dialect::required_i64s;
use crate::types::{DYNAMIC, MemRefType, Type, TypeKind};
use crate::verify::{Check, Checked};

/// An error without the operation's name before it.
fn plain(check: &Check, message: String) -> Diagnostic {
    Diagnostic::error(check.data().loc, message)
}

/// Element type and memory space of any memref.
fn element_and_space(check: &Check, ty: Type) -> Option<(Type, Option<crate::attr::Attr>)> {
    match ty.kind(check.ctx()) {
        TypeKind::MemRef(memref) => Some((memref.element, memref.space)),
        TypeKind::UnrankedMemRef { element, space } => Some((*element, *space)),
        _ => None,
    }
}

fn incompatible(check: &Check) -> Diagnostic {
    check.error(format!(
        "operand type '{}' and result type '{}' are cast incompatible",
        check.show(check.operand_type(0)),
        check.show(check.result_type(0))
    ))
}

/// Equal, or one of them unknown.
fn may_equal(a: i64, b: i64) -> bool {
    a == b || a == DYNAMIC || b == DYNAMIC
}

/// Same element and space; shapes, offsets and strides that may be equal.
pub(super) fn verify_cast(check: &Check) -> Checked {
    let ctx = check.ctx();
    let (from, to) = (check.operand_type(0), check.result_type(0));
    let (Some(from_parts), Some(to_parts)) =
        (element_and_space(check, from), element_and_space(check, to))
    else {
        return Err(incompatible(check));
    };
    let fits = from_parts == to_parts
        && match (from.memref(ctx), to.memref(ctx)) {
            (Some(from), Some(to)) => {
                from.rank() == to.rank()
                    && from
                        .shape
                        .iter()
                        .zip(&to.shape)
                        .all(|(&a, &b)| may_equal(a, b))
                    && layouts_fit(check, from, to)
            }
            (None, None) => false,
            _ => true,
        };
    if fits {
        Ok(())
    } else {
        Err(incompatible(check))
    }
}

fn layouts_fit(check: &Check, from: &MemRefType, to: &MemRefType) -> bool {
    let ctx = check.ctx();
    if from.layout == to.layout {
        return true;
    }
    if !from.is_strided(ctx) || !to.is_strided(ctx) {
        return false;
    }
    let (Some((a, a_strides)), Some((b, b_strides))) =
        (from.strided_form(ctx), to.strided_form(ctx))
    else {
        return false;
    };
    may_equal(a, b)
        && a_strides
            .iter()
            .zip(&b_strides)
            .all(|(&a, &b)| may_equal(a, b))
}

/// Only the memory space changes.
pub(super) fn verify_space_cast(check: &Check) -> Checked {
    let ctx = check.ctx();
    let (from, to) = (check.operand_type(0), check.result_type(0));
    let same = match (from.kind(ctx), to.kind(ctx)) {
        (TypeKind::MemRef(from), TypeKind::MemRef(to)) => {
            let moved = MemRefType {
                space: to.space,
                ..from.clone()
            };
            moved == *to
        }
        (
            TypeKind::UnrankedMemRef { element: a, .. },
            TypeKind::UnrankedMemRef { element: b, .. },
        ) => a == b,
        _ => false,
    };
    if same {
        Ok(())
    } else {
        Err(incompatible(check))
    }
}

/// The three lists of a view, the holes of which have operands.
fn verify_lists(check: &Check) -> Result<[Vec<i64>; 3], Diagnostic> {
    let ctx = check.ctx();
    let names = ["static_offsets", "static_sizes", "static_strides"];
    let lists = names.map(|name| required_i64s(ctx, check.data(), name));
    for (index, (list, what)) in lists.iter().zip(["offset", "size", "stride"]).enumerate() {
        let holes = list.iter().filter(|&&value| value == DYNAMIC).count();
        let given = check.data().operand_segment(ctx, index + 1).len();
        check.ensure(
            holes == given,
            format_args!("expected {holes} dynamic {what} values"),
        )?;
    }
    for (list, what) in lists.iter().zip(["offsets", "sizes"]) {
        if let Some(value) = list.iter().find(|&&value| value < 0 && value != DYNAMIC) {
            return Err(plain(
                check,
                format!("expected {what} to be non-negative, but got {value}"),
            ));
        }
    }
    Ok(lists)
}

/// `a + b`, [`DYNAMIC`] when a term is; so is a sum that does not fit.
fn sum(a: i64, b: i64) -> i64 {
    if a == DYNAMIC || b == DYNAMIC {
        DYNAMIC
    } else {
        a.checked_add(b).unwrap_or(DYNAMIC)
    }
}

/// `a * b`, likewise.
fn product(a: i64, b: i64) -> i64 {
    if a == DYNAMIC || b == DYNAMIC {
        DYNAMIC
    } else {
        a.checked_mul(b).unwrap_or(DYNAMIC)
    }
}

pub(super) fn verify_subview(check: &Check) -> Checked {
    let ctx = check.ctx();
    let (from, to) = (check.operand_type(0), check.result_type(0));
    let (Some(base), Some(view)) = (from.memref(ctx), to.memref(ctx)) else {
        return Ok(());
    };
    let [offsets, sizes, strides] = verify_lists(check)?;
    for (list, what) in [(&offsets, "offset"), (&sizes, "size"), (&strides, "stride")] {
        if list.len() != base.rank() {
            return Err(plain(
                check,
                format!("expected {} {what} values, got {}", base.rank(), list.len()),
            ));
        }
    }
    if base.space != view.space {
        return Err(plain(
            check,
            format!(
                "different memory spaces specified for base memref type '{}' and subview memref type '{}'",
                check.show(from),
                check.show(to)
            ),
        ));
    }
    if !base.is_strided(ctx) {
        return Err(plain(
            check,
            format!("base type '{}' is not strided", check.show(from)),
        ));
    }
    for dim in 0..base.rank() {
        verify_slice(
            check,
            dim,
            base.shape[dim],
            (offsets[dim], sizes[dim], strides[dim]),
        )?;
    }
    let Some((base_offset, base_strides)) = base.strided_form(ctx) else {
        return Ok(());
    };
    let offset = offsets
        .iter()
        .zip(&base_strides)
        .fold(base_offset, |at, (&o, &s)| sum(at, product(o, s)));
    let strides: Vec<i64> = strides
        .iter()
        .zip(&base_strides)
        .map(|(&a, &b)| product(a, b))
        .collect();
    let full = MemRefType {
        shape: sizes.into(),
        element: base.element,
        layout: Some(ctx.strided_attr(offset, &strides)),
        space: base.space,
    };
    verify_reduced(check, full, view)
}

/// A slice with known numbers stays within its dimension.
fn verify_slice(check: &Check, dim: usize, extent: i64, slice: (i64, i64, i64)) -> Checked {
    let (offset, size, stride) = slice;
    if [extent, offset].contains(&DYNAMIC) || size == 0 {
        return Ok(());
    }
    if offset >= extent {
        let message = format!("offset {dim} is out-of-bounds: {offset} >= {extent}");
        return Err(plain(check, message));
    }
    if [size, stride].contains(&DYNAMIC) {
        return Ok(());
    }
    let last = sum(offset, product(size - 1, stride));
    if last != DYNAMIC && last >= extent {
        let message = format!("slice along dimension {dim} runs out-of-bounds: {last} >= {extent}");
        return Err(plain(check, message));
    }
    Ok(())
}

/// A result type is the full type, or that without some dimensions of size 1.
fn verify_reduced(check: &Check, full: MemRefType, view: &MemRefType) -> Checked {
    let ctx = check.ctx();
    if view.element != full.element {
        return Err(plain(
            check,
            format!(
                "expected result element type to be '{}', but got '{}'",
                check.show(full.element),
                check.show(check.result_type(0))
            ),
        ));
    }
    let mismatch = |what: &str| {
        let shown = ctx.intern_type(TypeKind::MemRef(full.clone()));
        let message = format!(
            "expected result type to be '{}' or a rank-reduced version. (mismatch of result {what}), but got '{}'",
            check.show(shown),
            check.show(check.result_type(0))
        );
        Err(plain(check, message))
    };
    let (Some((offset, strides)), Some((view_offset, view_strides))) =
        (full.strided_form(ctx), view.strided_form(ctx))
    else {
        return mismatch("layout");
    };
    // Which dimensions went: those of size 1 whose stride the view does not
    // go on with, decided from the outside in.
    let mut kept = 0;
    let mut fits_strides = true;
    for (dim, (&size, &stride)) in full.shape.iter().zip(&strides).enumerate() {
        let left = full.rank() - dim;
        let matches = view.shape.get(kept) == Some(&size);
        let same_stride = view_strides.get(kept) == Some(&stride);
        let can_drop = size == 1 && left > view.rank().saturating_sub(kept);
        if matches && (same_stride || !can_drop) {
            fits_strides &= same_stride;
            kept += 1;
        } else if !can_drop {
            return mismatch("sizes");
        }
    }
    if kept != view.rank() {
        return mismatch("sizes");
    }
    if offset != view_offset || !fits_strides {
        return mismatch("layout");
    }
    Ok(())
}

pub(super) fn verify_reinterpret_cast(check: &Check) -> Checked {
    let ctx = check.ctx();
    let (from, to) = (check.operand_type(0), check.result_type(0));
    let (Some(parts), Some(result)) = (element_and_space(check, from), to.memref(ctx)) else {
        return Ok(());
    };
    let different = |what: &str| {
        plain(
            check,
            format!(
                "different {what} specified for source type '{}' and result memref type '{}'",
                check.show(from),
                check.show(to)
            ),
        )
    };
    let [offsets, sizes, strides] = verify_lists(check)?;
    if parts.1 != result.space {
        return Err(different("memory spaces"));
    }
    if parts.0 != result.element {
        return Err(different("element types"));
    }
    if sizes.len() != strides.len() {
        return Err(plain(
            check,
            format!(
                "expected mixed sizes rank to match mixed strides rank ({} vs {}) so the rank of the result type is well-formed.",
                sizes.len(),
                strides.len()
            ),
        ));
    }
    for (list, rank, what) in [
        (&offsets, 1, "offset"),
        (&sizes, result.rank(), "size"),
        (&strides, result.rank(), "stride"),
    ] {
        if list.len() != rank {
            return Err(plain(
                check,
                format!("expected {rank} {what} values, got {}", list.len()),
            ));
        }
    }
    for (dim, (&expected, &found)) in sizes.iter().zip(&result.shape).enumerate() {
        if !result_fits(expected, found) {
            let message = format!(
                "expected result type with size = {} instead of {} in dim = {dim}",
                known(expected),
                known(found)
            );
            return Err(plain(check, message));
        }
    }
    let Some((offset, found)) = result.strided_form(ctx) else {
        let message = format!(
            "expected result type to have strided layout but found '{}'",
            check.show(to)
        );
        return Err(plain(check, message));
    };
    if !result_fits(offsets[0], offset) {
        let message = format!(
            "expected result type with offset = {} instead of {}",
            known(offsets[0]),
            known(offset)
        );
        return Err(plain(check, message));
    }
    for (dim, (&expected, &found)) in strides.iter().zip(&found).enumerate() {
        if !result_fits(expected, found) {
            let message = format!(
                "expected result type with stride = {} instead of {} in dim = {dim}",
                known(expected),
                known(found)
            );
            return Err(plain(check, message));
        }
    }
    Ok(())
}

/// A result may know less than the operation, not more.
fn result_fits(expected: i64, found: i64) -> bool {
    found == DYNAMIC || expected == found
}

fn known(value: i64) -> String {
    if value == DYNAMIC {
        "dynamic".to_owned()
    } else {
        value.to_string()
    }
}

pub(super) fn verify_view(check: &Check) -> Checked {
    let ctx = check.ctx();
    let (from, to) = (check.operand_type(0), check.result_type(0));
    let (Some(base), Some(view)) = (from.memref(ctx), to.memref(ctx)) else {
        return Ok(());
    };
    if view.layout.is_some() {
        return Err(plain(
            check,
            format!(
                "unsupported map for result memref type '{}'",
                check.show(to)
            ),
        ));
    }
    if base.layout.is_some() {
        return Err(plain(
            check,
            format!(
                "unsupported map for base memref type '{}'",
                check.show(from)
            ),
        ));
    }
    if base.space != view.space {
        return Err(plain(
            check,
            format!(
                "different memory spaces specified for base memref type '{}' and view memref type '{}'",
                check.show(from),
                check.show(to)
            ),
        ));
    }
    let holes = view.shape.iter().filter(|&&d| d == DYNAMIC).count();
    let given = check.data().operands.len() - 2;
    check.ensure(
        holes == given,
        format_args!("incorrect number of dynamic sizes, has {given}, expected {holes}"),
    )
}

pub(super) fn verify_transpose(check: &Check) -> Checked {
    let ctx = check.ctx();
    let (from, to) = (check.operand_type(0), check.result_type(0));
    let (Some(base), Some(view)) = (from.memref(ctx), to.memref(ctx)) else {
        return Ok(());
    };
    let map = check
        .data()
        .attr(ctx, "permutation")
        .and_then(|map| map.as_map(ctx));
    let results = map.map_or(&[][..], |map| map.results(ctx));
    let mut order = Vec::new();
    for result in results {
        match result.kind(ctx) {
            AffineExprKind::Dim(dim) if !order.contains(&(dim as usize)) => {
                order.push(dim as usize)
            }
            _ => break,
        }
    }
    let total = order.len() == base.rank()
        && results.len() == base.rank()
        && order.iter().all(|&d| d < base.rank());
    check.ensure(total, "expected a permutation map")?;
    let Some((offset, strides)) = base.strided_form(ctx) else {
        return Ok(());
    };
    let shape: Vec<i64> = order.iter().map(|&dim| base.shape[dim]).collect();
    let strides: Vec<i64> = order.iter().map(|&dim| strides[dim]).collect();
    let same = *view.shape == *shape
        && (view.element, view.space) == (base.element, base.space)
        && view.strided_form(ctx) == Some((offset, strides.clone()));
    if same {
        return Ok(());
    }
    let canonical = MemRefType {
        shape: shape.into(),
        layout: Some(ctx.map_attr(strided_map(ctx, offset, &strides))),
        ..base.clone()
    };
    Err(check.error(format!(
        "result type '{}' is not equivalent to the canonical transposed input type '{}'",
        check.show(to),
        check.show(ctx.intern_type(TypeKind::MemRef(canonical)))
    )))
}

/// An offset and strides as a map of one result, unknown ones as symbols.
fn strided_map(ctx: &Context, offset: i64, strides: &[i64]) -> AffineMap {
    let mut symbols = 0;
    let mut known = |value: i64| match value {
        DYNAMIC => {
            symbols += 1;
            ctx.affine_symbol(symbols - 1)
        }
        value => ctx.affine_const(value),
    };
    let mut sum = known(offset);
    for (dim, &stride) in (0..).zip(strides) {
        sum = ctx.affine_add(sum, ctx.affine_mul(ctx.affine_dim(dim), known(stride)));
    }
    ctx.affine_map(strides.len() as u32, symbols, &[sum])
}

pub(super) fn verify_reshape(check: &Check) -> Checked {
    let ctx = check.ctx();
    let (from, shape, to) = (
        check.operand_type(0),
        check.operand_type(1),
        check.result_type(0),
    );
    check.ensure(
        from.element(ctx) == to.element(ctx),
        "element types of source and destination memref types should be the same",
    )?;
    if from
        .memref(ctx)
        .is_some_and(|memref| memref.layout.is_some())
    {
        return Err(check.error("source memref type should have identity affine map"));
    }
    let (Some(shape), Some(to)) = (shape.memref(ctx), to.memref(ctx)) else {
        return Ok(());
    };
    check.ensure(
        to.layout.is_none(),
        "result memref type should have identity affine map",
    )?;
    let length = shape.shape[0];
    check.ensure(
        length != DYNAMIC,
        "cannot use shape operand with dynamic length to reshape to statically-ranked memref type",
    )?;
    check.ensure(
        length == to.rank() as i64,
        "length of shape operand differs from the result's memref rank",
    )
}

/// `memref.collapse_shape` (from many to few) and `memref.expand_shape`.
pub(super) fn verify_regrouped(check: &Check, wide: Type, narrow: Type) -> Checked {
    let ctx = check.ctx();
    let (Some(wide), Some(narrow)) = (wide.memref(ctx), narrow.memref(ctx)) else {
        return Ok(());
    };
    let groups = check
        .data()
        .attr(ctx, "reassociation")
        .and_then(|groups| groups.as_array(ctx));
    let groups = groups.unwrap_or(&[]);
    check.ensure(
        groups.len() == narrow.rank(),
        format_args!(
            "invalid number of reassociation groups: found {}, expected {}",
            groups.len(),
            narrow.rank()
        ),
    )?;
    let mut next = 0;
    for (group, &collapsed) in groups.iter().zip(&narrow.shape) {
        let dims = group.as_array(ctx).unwrap_or(&[]);
        let mut size = 1i64;
        for dim in dims {
            check.ensure(
                dim.as_i64(ctx) == Some(next as i64) && next < wide.rank(),
                "reassociation indices must be contiguous",
            )?;
            size = product(size, wide.shape[next]);
            next += 1;
        }
        check.ensure(
            size == collapsed || size == DYNAMIC && collapsed == DYNAMIC,
            format_args!(
                "collapsed dim size ({}) must equal reassociation group size ({})",
                known(collapsed),
                known(size)
            ),
        )?;
    }
    check.ensure(
        narrow.rank() == 0 || next == wide.rank(),
        "reassociation indices must cover all dimensions",
    )
}

pub(super) fn verify_collapse_shape(check: &Check) -> Checked {
    verify_regrouped(check, check.operand_type(0), check.result_type(0))?;
    verify_contiguous(check)
}

pub(super) fn verify_expand_shape(check: &Check) -> Checked {
    verify_regrouped(check, check.result_type(0), check.operand_type(0))
}

/// Dimensions that collapse lie one after the other without gaps, as far as
/// the type says.
fn verify_contiguous(check: &Check) -> Checked {
    let ctx = check.ctx();
    let Some(base) = check.operand_type(0).memref(ctx) else {
        return Ok(());
    };
    let groups = check
        .data()
        .attr(ctx, "reassociation")
        .and_then(|groups| groups.as_array(ctx));
    let Some((_, strides)) = base.strided_form(ctx) else {
        return Ok(());
    };
    for group in groups.unwrap_or(&[]) {
        let dims = group
            .as_array(ctx)
            .unwrap_or(&[])
            .iter()
            .filter_map(|dim| dim.as_i64(ctx));
        let dims: Vec<usize> = dims
            .map(|dim| dim as usize)
            .filter(|&dim| base.shape[dim] != 1)
            .collect();
        for pair in dims.windows(2) {
            let expected = product(strides[pair[1]], base.shape[pair[1]]);
            let gap =
                expected != DYNAMIC && strides[pair[0]] != DYNAMIC && expected != strides[pair[0]];
            check.ensure(
                !gap,
                "invalid source layout map or collapsing non-contiguous dims",
            )?;
        }
    }
    Ok(())
}
