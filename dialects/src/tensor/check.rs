//! Verifiers of tensor creation and element access.

use super::kind::{is_tensor, shape};
use crate::slice::plain;
use gridloom_ir::diag::Diagnostic;
use gridloom_ir::types::{DYNAMIC, FloatKind, Type, TypeKind};
use gridloom_ir::verify::{Check, Checked, compatible, late};

pub(super) fn incompatible_cast(check: &Check) -> Diagnostic {
    check.error(format!(
        "operand type '{}' and result type '{}' are cast incompatible",
        check.show(check.operand_type(0)),
        check.show(check.result_type(0))
    ))
}

/// Whether the shapes of operand and result are compatible.
fn shapes_fit(check: &Check) -> bool {
    let shape = |ty| shape(check.ctx(), ty);
    match (shape(check.operand_type(0)), shape(check.result_type(0))) {
        (Some(from), Some(to)) => compatible(from, to),
        _ => true,
    }
}

pub(super) fn verify_cast(check: &Check) -> Checked {
    let (from, to) = (check.operand_type(0), check.result_type(0));
    let tensors = is_tensor(check.ctx(), from) && is_tensor(check.ctx(), to);
    let same = from.element(check.ctx()) == to.element(check.ctx());
    if tensors && same && shapes_fit(check) {
        return Ok(());
    }
    Err(incompatible_cast(check))
}

pub(super) fn verify_bitcast(check: &Check) -> Checked {
    let width = |ty: Type| match ty.element(check.ctx())?.kind(check.ctx()) {
        TypeKind::Integer { width, .. } => Some(*width),
        TypeKind::Float(kind) => Some(FloatKind::width(*kind)),
        _ => None,
    };
    let same = width(check.operand_type(0)) == width(check.result_type(0));
    if same && shapes_fit(check) {
        return Ok(());
    }
    Err(incompatible_cast(check))
}

/// Checks that there is a size operand for each `?` of the result.
pub(super) fn verify_dynamic_extents(check: &Check, given: usize) -> Checked {
    let shape = shape(check.ctx(), check.result_type(0)).unwrap_or(&[]);
    let holes = shape.iter().filter(|&&extent| extent == DYNAMIC).count();
    check.ensure(
        given == holes,
        format_args!("incorrect number of dynamic sizes, has {given}, expected {holes}"),
    )
}

pub(super) fn verify_empty(check: &Check) -> Checked {
    verify_dynamic_extents(check, check.data().operands.len())
}

pub(super) fn verify_splat(check: &Check) -> Checked {
    verify_dynamic_extents(check, check.data().operands.len() - 1)
}

/// The rank of a ranked tensor.
pub(super) fn rank(check: &Check, ty: Type) -> usize {
    shape(check.ctx(), ty).map_or(0, <[i64]>::len)
}

pub(super) fn verify_extract(check: &Check) -> Checked {
    let indices = check.data().operands.len() - 1;
    check.ensure(
        rank(check, check.operand_type(0)) == indices,
        "incorrect number of indices for extract_element",
    )
}

pub(super) fn verify_insert(check: &Check) -> Checked {
    let indices = check.data().operands.len() - 2;
    check.ensure(
        rank(check, check.operand_type(1)) == indices,
        "incorrect number of indices",
    )
}

pub(super) fn verify_generate(check: &Check) -> Checked {
    verify_dynamic_extents(check, check.data().operands.len())?;
    late(verify_generated(check))
}

fn verify_generated(check: &Check) -> Checked {
    let block = check.require_block(0, "body")?;
    let ctx = check.ctx();
    let args = &check.body()[block].args;
    if !check.types_of(args).all(|ty| ty.is_index(ctx)) {
        return Err(plain(check, "all body arguments must be index"));
    }
    if args.len() != rank(check, check.result_type(0)) {
        return Err(plain(
            check,
            "must have one body argument per input dimension",
        ));
    }
    let yielded = check.terminator(block).map(|last| last.operand_types());
    let element = check.result_type(0).element(ctx);
    check.ensure(
        yielded.is_none_or(|mut types| types.next() == element),
        "body must be terminated with a `yield` operation of the tensor element type",
    )
}
