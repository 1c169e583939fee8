//! Verifiers of `memref.subview` and `memref.reinterpret_cast`.

use std::collections::HashMap;

use super::check_view::element_and_space;
use crate::slice::{Slice, dropped_dims, plain};
use gridloom_ir::types::{DYNAMIC, MemRefType, TypeKind};
use gridloom_ir::verify::{Check, Checked};

/// `a + b`; [`DYNAMIC`] if a term is dynamic or the sum overflows.
fn sum(a: i64, b: i64) -> i64 {
    if a == DYNAMIC || b == DYNAMIC {
        DYNAMIC
    } else {
        a.checked_add(b).unwrap_or(DYNAMIC)
    }
}

/// `a * b`; [`DYNAMIC`] likewise, but 0 times a dynamic factor is 0.
pub(super) fn product(a: i64, b: i64) -> i64 {
    if a == 0 || b == 0 {
        0
    } else if a == DYNAMIC || b == DYNAMIC {
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
    let slice = Slice::of(check, 1, [base.rank(); 3])?;
    if base.space != view.space {
        let message = format!(
            "different memory spaces specified for base memref type '{}' and subview memref type '{}'",
            check.show(from),
            check.show(to)
        );
        return Err(plain(check, message));
    }
    let base_form = base.strided_form(ctx).filter(|_| base.is_strided(ctx));
    let Some((base_offset, base_strides)) = base_form else {
        let message = format!("base type '{}' is not strided", check.show(from));
        return Err(plain(check, message));
    };
    let steps = slice.offsets.iter().zip(&base_strides);
    let offset = steps.fold(base_offset, |at, (&o, &s)| sum(at, product(o, s)));
    let strides = slice.strides.iter().zip(&base_strides);
    let strides: Vec<i64> = strides.map(|(&a, &b)| product(a, b)).collect();
    let full = MemRefType {
        shape: slice.sizes.as_slice().into(),
        element: base.element,
        layout: Some(ctx.strided_attr(offset, &strides)),
        space: base.space,
    };
    verify_reduced(check, &full, view)?;
    slice.verify_in_bounds(check, &base.shape)
}

/// Checks that the result is the inferred type, or that type without some unit
/// dimensions.
fn verify_reduced(check: &Check, full: &MemRefType, view: &MemRefType) -> Checked {
    let ctx = check.ctx();
    let shown = check.show(check.result_type(0));
    let full_shown = || check.show(ctx.intern_type(TypeKind::MemRef(full.clone())));
    let mismatch = |what: &str| {
        let message = format!(
            "expected result type to be '{}' or a rank-reduced version. (mismatch of result {what}), but got '{shown}'",
            full_shown()
        );
        Err(plain(check, message))
    };
    if view.rank() > full.rank() {
        let message = format!(
            "expected result rank to be smaller or equal to the source rank, but got '{shown}'"
        );
        return Err(plain(check, message));
    }
    if dropped_dims(&full.shape, &view.shape).is_none() {
        return mismatch("sizes");
    }
    if view.element != full.element {
        let message = format!(
            "expected result element type to be '{}', but got '{shown}'",
            check.show(full.element)
        );
        return Err(plain(check, message));
    }
    let (Some((offset, strides)), Some((view_offset, view_strides))) =
        (full.strided_form(ctx), view.strided_form(ctx))
    else {
        return mismatch("layout");
    };
    let dropped = dropped_by_stride(&full.shape, &strides, &view_strides);
    let fits = offset == view_offset
        && dropped.is_some_and(|dropped| {
            let kept = strides
                .iter()
                .zip(&dropped)
                .filter(|(_, dropped)| !**dropped);
            kept.map(|(stride, _)| stride).eq(&view_strides)
        });
    if fits { Ok(()) } else { mismatch("layout") }
}

/// Flags the unit dimensions that a rank reduction drops: all, if their number is right,
/// else those whose stride the view has less often. `None` if no choice is
/// consistent.
fn dropped_by_stride(shape: &[i64], strides: &[i64], view_strides: &[i64]) -> Option<Vec<bool>> {
    let gone = shape.len() - view_strides.len();
    if gone == 0 {
        return Some(vec![false; shape.len()]);
    }
    let mut dropped: Vec<bool> = shape.iter().map(|&extent| extent == 1).collect();
    let count = |dropped: &[bool]| dropped.iter().filter(|&&dropped| dropped).count();
    if count(&dropped) == gone {
        return Some(dropped);
    }
    let mut left: HashMap<i64, usize> = HashMap::new();
    for &stride in strides {
        *left.entry(stride).or_default() += 1;
    }
    for (dim, dropped) in dropped
        .iter_mut()
        .enumerate()
        .filter(|(_, dropped)| **dropped)
    {
        let stride = strides[dim];
        let wanted = view_strides
            .iter()
            .filter(|&&other| other == stride)
            .count();
        let left = left.entry(stride).or_default();
        match (*left).cmp(&wanted) {
            std::cmp::Ordering::Greater => *left -= 1,
            std::cmp::Ordering::Equal => *dropped = false,
            std::cmp::Ordering::Less => return None,
        }
    }
    (count(&dropped) == gone).then_some(dropped)
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
    let rank = result.rank();
    let Slice {
        offsets,
        sizes,
        strides,
    } = Slice::of(check, 1, [1, rank, rank])?;
    if parts.1 != result.space {
        return Err(different("memory spaces"));
    }
    if parts.0 != result.element {
        return Err(different("element types"));
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

/// Whether a result entry matches or erases the inferred one.
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
