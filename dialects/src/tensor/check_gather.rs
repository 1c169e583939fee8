//! Verifiers of `tensor.gather` and `tensor.scatter`.

use super::kind::shape;
use crate::verified::required_i64s;
use gridloom_ir::types::{Type, TypeKind};
use gridloom_ir::verify::{Check, Checked};

/// Checks the dimensions that the indices refer to.
fn verify_dims(check: &Check, what: &str, dims: &[i64], whole: Type, indices: Type) -> Checked {
    let of = if what == "gather" { "source" } else { "dest" };
    let rank = shape(check.ctx(), whole).map_or(0, <[i64]>::len);
    check.ensure(
        !dims.is_empty(),
        format_args!("{what}_dims must be non-empty"),
    )?;
    check.ensure(
        dims.len() <= rank,
        format_args!("{what}_dims overflow {of} rank"),
    )?;
    let last = shape(check.ctx(), indices).and_then(|shape| shape.last());
    check.ensure(
        last == Some(&(dims.len() as i64)),
        format_args!("{what}_dims length must match the size of last dimension of indices"),
    )?;
    for &dim in dims {
        check.ensure(
            dim >= 0,
            format_args!("{what}_dims value must be non-negative"),
        )?;
        check.ensure(
            dim < rank as i64,
            format_args!("{what}_dims value must be smaller than {of} rank"),
        )?;
    }
    check.ensure(
        dims.is_sorted_by(|a, b| a < b),
        format_args!("{what}_dims values must be strictly increasing"),
    )
}

/// The type of the gathered slices, with the indexed dimensions dropped or kept
/// as unit dimensions.
fn slices(check: &Check, whole: Type, indices: Type, dims: &[i64], keep: bool) -> Type {
    let ctx = check.ctx();
    let TypeKind::RankedTensor {
        shape: extents,
        element,
        encoding,
    } = whole.kind(ctx)
    else {
        return whole;
    };
    let mut result = shape(ctx, indices).unwrap_or(&[]).to_vec();
    result.pop();
    for (dim, &extent) in (0..).zip(extents) {
        match (dims.contains(&dim), keep) {
            (true, true) => result.push(1),
            (true, false) => {}
            (false, _) => result.push(extent),
        }
    }
    ctx.intern_type(TypeKind::RankedTensor {
        shape: result.into(),
        element: *element,
        encoding: *encoding,
    })
}

fn verify_slices(check: &Check, what: &str, parts: [Type; 3], dims: &[i64]) -> Checked {
    let [whole, indices, actual] = parts;
    let kept = slices(check, whole, indices, dims, true);
    let dropped = slices(check, whole, indices, dims, false);
    let message = || {
        format!(
            "{what} type mismatch: expected '{}' or its rank-reduced variant '{}' (got: '{}')",
            check.show(kept),
            check.show(dropped),
            check.show(actual)
        )
    };
    if actual == kept || actual == dropped {
        return Ok(());
    }
    Err(check.error(message()))
}

pub(super) fn verify_gather(check: &Check) -> Checked {
    let dims = required_i64s(check.ctx(), check.data(), "gather_dims");
    let (whole, indices) = (check.operand_type(0), check.operand_type(1));
    verify_dims(check, "gather", &dims, whole, indices)?;
    let parts = [whole, indices, check.result_type(0)];
    verify_slices(check, "result", parts, &dims)
}

pub(super) fn verify_scatter(check: &Check) -> Checked {
    let dims = required_i64s(check.ctx(), check.data(), "scatter_dims");
    let [source, whole, indices] = [0, 1, 2].map(|index| check.operand_type(index));
    verify_dims(check, "scatter", &dims, whole, indices)?;
    check.ensure(
        check.data().attr(check.ctx(), "unique").is_some(),
        "requires 'unique' attribute to be set",
    )?;
    verify_slices(check, "source", [whole, indices, source], &dims)
}
