//! Verifiers of reshapes: `memref.expand_shape`, `memref.collapse_shape`.

use super::check_slice::product;
use crate::reshape::{groups, output_extents};
use gridloom_ir::context::Context;
use gridloom_ir::types::{DYNAMIC, MemRefType, TypeKind};
use gridloom_ir::verify::{Check, Checked};

/// Checks that the groups cover the expanded dimensions in order and that each
/// has as many elements as its collapsed dimension.
fn verify_groups(check: &Check, groups: &[Vec<i64>], wide: &[i64], narrow: &[i64]) -> Checked {
    let (found, expected) = (groups.len(), narrow.len());
    check.ensure(
        found == expected,
        format_args!("invalid number of reassociation groups: found {found}, expected {expected}"),
    )?;
    let mut next = 0;
    for (index, (group, &extent)) in groups.iter().zip(narrow).enumerate() {
        let start = next;
        for &dim in group {
            check.ensure(
                dim == next as i64,
                "reassociation indices must be contiguous",
            )?;
            check.ensure(
                next < wide.len(),
                format_args!("reassociation index {dim} is out of bounds"),
            )?;
            next += 1;
        }
        let extents = &wide[start..next];
        let dynamic = extents.contains(&DYNAMIC);
        check.ensure(
            dynamic == (extent == DYNAMIC),
            format_args!(
                "collapsed dim ({index}) must be dynamic if and only if reassociation group is dynamic"
            ),
        )?;
        let size = extents.iter().fold(1i64, |n, &d| n.wrapping_mul(d));
        check.ensure(
            dynamic || size == extent,
            format_args!(
                "collapsed dim size ({extent}) must equal reassociation group size ({size})"
            ),
        )?;
    }
    if narrow.is_empty() {
        return check.ensure(
            wide.iter().all(|&extent| extent == 1),
            "rank 0 memrefs can only be extended/collapsed with/from ones",
        );
    }
    check.ensure(
        next == wide.len(),
        format_args!(
            "expanded rank ({}) inconsistent with number of reassociation indices ({next})",
            wide.len()
        ),
    )
}

/// The strides after expanding each dimension into its group.
fn expanded_strides(strides: &[i64], groups: &[Vec<i64>], shape: &[i64]) -> Vec<i64> {
    let mut expanded = vec![1; shape.len()];
    for (group, &stride) in groups.iter().zip(strides) {
        let mut stride = stride;
        for dim in group.iter().rev().map(|&dim| dim as usize) {
            expanded[dim] = stride;
            stride = product(stride, shape[dim]);
        }
    }
    expanded
}

pub(super) fn verify_expand_shape(check: &Check) -> Checked {
    let ctx = check.ctx();
    let (from, to) = (check.operand_type(0), check.result_type(0));
    let (Some(source), Some(result)) = (from.memref(ctx), to.memref(ctx)) else {
        return Ok(());
    };
    let (old, new) = (source.rank(), result.rank());
    check.ensure(
        old <= new,
        format_args!(
            "has source rank {old} and result rank {new}. This is not an expansion ({old} > {new})."
        ),
    )?;
    let groups = groups(check);
    verify_groups(check, &groups, &result.shape, &source.shape)?;
    let layout = match (source.layout, source.strided_form(ctx)) {
        _ if is_row_major(check, source) => None,
        (_, Some((offset, strides))) => {
            let strides = expanded_strides(&strides, &groups, &result.shape);
            Some(ctx.strided_attr(offset, &strides))
        }
        (_, None) => return Err(check.error("invalid source layout map")),
    };
    let expected = MemRefType {
        shape: result.shape.clone(),
        layout,
        ..source.clone()
    };
    verify_type(check, "expanded", expected, result)?;
    verify_output_shape(check, &result.shape)
}

/// Whether a memref has the row-major layout, explicitly or by default.
fn is_row_major(check: &Check, memref: &MemRefType) -> bool {
    let one_by_one = |(offset, strides): (i64, Vec<i64>)| offset == 0 && strides[..] == [1];
    memref.layout.is_none() || memref.strided_form(check.ctx()).is_some_and(one_by_one)
}

/// Checks that the result has the inferred type.
fn verify_type(check: &Check, what: &str, expected: MemRefType, found: &MemRefType) -> Checked {
    if expected == *found {
        return Ok(());
    }
    let expected = check.ctx().intern_type(TypeKind::MemRef(expected));
    Err(check.error(format!(
        "expected {what} type to be '{}' but found '{}'",
        check.show(expected),
        check.show(check.result_type(0))
    )))
}

/// Checks that the output shape agrees with the result type.
fn verify_output_shape(check: &Check, shape: &[i64]) -> Checked {
    let extents = output_extents(check, shape.len(), "bounds")?;
    let differs = |(&known, &given): (&i64, &i64)| known != DYNAMIC && known != given;
    match shape.iter().zip(&extents).position(differs) {
        Some(at) => Err(check.error(format!("invalid output shape provided at pos {at}"))),
        None => Ok(()),
    }
}

/// The layout after collapsing each group; `None` if a group is statically not
/// contiguous.
fn collapsed_layout(
    ctx: &Context,
    source: &MemRefType,
    groups: &[Vec<i64>],
) -> Option<gridloom_ir::attr::Attr> {
    let (offset, strides) = source.strided_form(ctx)?;
    let mut collapsed = Vec::with_capacity(groups.len());
    for group in groups {
        let dims: Vec<usize> = group.iter().map(|&dim| dim as usize).collect();
        // The stride of a unit dimension does not matter.
        let last = dims.iter().rposition(|&dim| source.shape[dim] != 1);
        let last = last.unwrap_or(0);
        let dim = *dims.get(last)?;
        let certain = source.shape[dim] != DYNAMIC || last == 0;
        let stride = if certain { strides[dim] } else { DYNAMIC };
        collapsed.push(stride);
        let mut step = stride;
        for pair in dims.windows(2).rev() {
            step = product(step, source.shape[pair[1]]);
            let found = strides[pair[0]];
            let known = step != DYNAMIC && found != DYNAMIC;
            if source.shape[pair[0]] != 1 && known && step != found {
                return None;
            }
        }
    }
    Some(ctx.strided_attr(offset, &collapsed))
}

pub(super) fn verify_collapse_shape(check: &Check) -> Checked {
    let ctx = check.ctx();
    let (from, to) = (check.operand_type(0), check.result_type(0));
    let (Some(source), Some(result)) = (from.memref(ctx), to.memref(ctx)) else {
        return Ok(());
    };
    let (old, new) = (source.rank(), result.rank());
    check.ensure(
        old >= new,
        format_args!(
            "has source rank {old} and result rank {new}. This is not a collapse ({old} < {new})."
        ),
    )?;
    let groups = groups(check);
    verify_groups(check, &groups, &source.shape, &result.shape)?;
    let layout = match is_row_major(check, source) {
        true => None,
        false => match collapsed_layout(ctx, source, &groups) {
            None => {
                return Err(
                    check.error("invalid source layout map or collapsing non-contiguous dims")
                );
            }
            layout => layout,
        },
    };
    let expected = MemRefType {
        shape: result.shape.clone(),
        layout,
        ..source.clone()
    };
    verify_type(check, "collapsed", expected, result)
}
