//! Verifiers of subgroup operations: rotations, broadcasts, matrices, code of one lane.

use super::matrix::matrix_parts;
use crate::slice::plain;
use gridloom_ir::attr::{Attr, AttrKind};
use gridloom_ir::context::Context;
use gridloom_ir::op::{AttrConstraint, Storage};
use gridloom_ir::types::{Type, TypeKind};
use gridloom_ir::verify::{Check, Checked};

fn number(check: &Check, name: &str) -> i64 {
    let value = check.data().attr(check.ctx(), name);
    value
        .and_then(|value| value.as_i64(check.ctx()))
        .unwrap_or(0)
}

pub(super) fn verify_rotate(check: &Check) -> Checked {
    let width = number(check, "width");
    check.ensure(
        number(check, "offset") < width,
        format_args!("offset must be in the range [0, {width})"),
    )
}

pub(super) fn verify_broadcast(check: &Check) -> Checked {
    let ctx = check.ctx();
    let kind = check.data().attr(ctx, "broadcast_type");
    let specific = kind == Some(ctx.dialect_attr("gpu", "<broadcast specific_lane>"));
    match (specific, check.data().operands.len() > 1) {
        (false, true) => {
            Err(check.error("lane can only be specified for `specific_lane` broadcast"))
        }
        (true, false) => Err(check.error("lane must be specified for `specific_lane` broadcast")),
        _ => Ok(()),
    }
}

pub(super) fn verify_mma_compute(check: &Check) -> Checked {
    let parts = |index| matrix_parts(check.ctx(), check.operand_type(index));
    let (Some(a), Some(b), Some(c)) = (parts(0), parts(1), parts(2)) else {
        return Ok(());
    };
    if (a.role, b.role, c.role) != ("AOp", "BOp", "COp") {
        return Err(plain(check, "operands must be in the order AOp, BOp, COp"));
    }
    if a.columns != b.rows || a.rows != c.rows || b.columns != c.columns {
        let message = "operand shapes do not satisfy matmul constraints";
        return Err(plain(check, message));
    }
    Ok(())
}

/// Whether the elements of the last dimension of a memref are contiguous.
fn has_unit_stride(check: &Check, ty: Type) -> bool {
    let form = ty
        .memref(check.ctx())
        .and_then(|memref| memref.strided_form(check.ctx()));
    form.is_some_and(|(_, strides)| strides.last().is_none_or(|&stride| stride == 1))
}

pub(super) fn verify_mma_load(check: &Check) -> Checked {
    if !has_unit_stride(check, check.operand_type(0)) {
        let message = "expected source memref most minor dim must have unit stride";
        return Err(plain(check, message));
    }
    Ok(())
}

pub(super) fn verify_mma_store(check: &Check) -> Checked {
    if !has_unit_stride(check, check.operand_type(1)) {
        let message = "expected destination memref most minor dim must have unit stride";
        return Err(plain(check, message));
    }
    let parts = matrix_parts(check.ctx(), check.operand_type(0));
    if parts.is_some_and(|parts| parts.role != "COp") {
        let message = "expected the operand matrix being stored to have 'COp' operand type";
        return Err(plain(check, message));
    }
    Ok(())
}

pub(super) fn verify_warp(check: &Check) -> Checked {
    let block = check.require_block(0, "warpRegion")?;
    let args = &check.body()[block].args;
    let passed = check.data().operands.get(1..).unwrap_or(&[]);
    check.ensure(
        args.len() == passed.len(),
        "expected same number op arguments and block arguments.",
    )?;
    let Some(last) = check.terminator(block) else {
        return Ok(());
    };
    check.ensure(
        last.data().operands.len() == check.data().num_results(),
        "expected same number of yield operands and return values.",
    )?;
    let inputs = check.types_of(args).zip(check.types_of(passed));
    let outputs = last.operand_types().zip(check.result_types());
    for (whole, part) in inputs.chain(outputs) {
        verify_distributed(check, whole, part)?;
    }
    Ok(())
}

/// Checks the distribution of a vector over the lanes of a subgroup: `whole` against the `part` of
/// one lane.
fn verify_distributed(check: &Check, whole: Type, part: Type) -> Checked {
    if whole == part {
        return Ok(());
    }
    let vector = |ty: Type| match ty.kind(check.ctx()) {
        TypeKind::Vector { shape, element, .. } => Some((&shape[..], *element)),
        _ => None,
    };
    let (Some(all), Some(own)) = (vector(whole), vector(part)) else {
        return Err(check.error("expected vector type for distributed operands."));
    };
    check.ensure(
        all.0.len() == own.0.len() && all.1 == own.1,
        "expected distributed vectors to have same rank and element type.",
    )?;
    let mut lanes = 1i64;
    for (dim, (&all, &own)) in all.0.iter().zip(own.0).enumerate() {
        if all == own {
            continue;
        }
        check.ensure(
            own != 0 && all % own == 0,
            format_args!(
                "expected expanded vector dimension #{dim} ({all}) to be a multipler of \
                 the distributed vector dimension ({own})"
            ),
        )?;
        lanes = lanes.saturating_mul(all / own);
    }
    let size = number(check, "warp_size");
    if lanes == size {
        return Ok(());
    }
    Err(check.error(format!(
        "incompatible distribution dimensions from '{}' to '{}' with warp size = {size}",
        check.show(whole),
        check.show(part)
    )))
}

/// Returns the dialect and the name of an attribute that a dialect defines.
fn dialect_name(ctx: &Context, attr: Attr) -> Option<(&str, &str)> {
    match attr.kind(ctx) {
        AttrKind::Dialect { dialect, body, .. } => {
            let body = ctx.str(*body).trim_start_matches(['.', '<']);
            let end = body.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let name = &body[..end.unwrap_or(body.len())];
            Some((ctx.str(*dialect), name))
        }
        AttrKind::Parametric { def, .. } => Some((ctx.str(def.dialect), ctx.str(def.name))),
        _ => None,
    }
}

/// Whether an attribute is a list with at least one entry, all of which `fits`.
fn all_entries(ctx: &Context, attr: Attr, fits: fn(&Context, Attr) -> bool) -> bool {
    let entries = attr.as_array(ctx);
    entries.is_some_and(|list| !list.is_empty() && list.iter().all(|&entry| fits(ctx, entry)))
}

/// Compilation targets of a module.
pub(super) const TARGETS: AttrConstraint = AttrConstraint {
    summary: "array of GPU target attributes with at least 1 elements",
    storage: Storage::Array,
    check: |c, a| all_entries(c, a, is_target),
};

/// Whether an attribute is a compilation target.
pub(super) fn is_target(ctx: &Context, attr: Attr) -> bool {
    matches!(
        dialect_name(ctx, attr),
        Some(("nvvm" | "rocdl" | "xevm", "target") | ("spirv", "target_env"))
    )
}

/// Objects: compiled kernels.
pub(super) const OBJECTS: AttrConstraint = AttrConstraint {
    summary: "an array of GPU object attributes with at least 1 elements",
    storage: Storage::Array,
    check: |c, a| {
        all_entries(c, a, |c, entry| {
            dialect_name(c, entry) == Some(("gpu", "object"))
        })
    },
};

/// Offloading handler: chooses the object that is launched.
pub(super) const HANDLER: AttrConstraint = AttrConstraint {
    summary: "any attribute with the `OffloadingTranslationAttrTrait` trait.",
    storage: Storage::Any,
    check: |c, a| dialect_name(c, a) == Some(("gpu", "select_object")),
};
