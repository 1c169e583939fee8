//! Verifiers of the `bufferization` dialect.

use super::is_memref;
use crate::slice::plain;
use crate::tensor::kind::is_tensor;
use gridloom_ir::types::{Type, TypeKind};
use gridloom_ir::verify::{Check, Checked, compatible};

/// The shape of a ranked shaped type.
fn shape<'a>(check: &Check<'a>, ty: Type) -> Option<&'a [i64]> {
    match ty.kind(check.ctx()) {
        TypeKind::RankedTensor { shape, .. } | TypeKind::Vector { shape, .. } => Some(shape),
        TypeKind::MemRef(memref) => Some(&memref.shape),
        _ => None,
    }
}

/// Verifies `to_tensor` and `to_buffer`: same shape and element type on both
/// sides.
pub(super) fn verify_pair(check: &Check) -> Checked {
    let (from, to) = (check.operand_type(0), check.result_type(0));
    let why = if shape(check, from) != shape(check, to) {
        "shapes do not match"
    } else if from.element(check.ctx()) != to.element(check.ctx()) {
        "element types do not match"
    } else {
        return Ok(());
    };
    let error = check.error("failed to verify that specified tensor and buffer types match");
    Err(plain(check, why).then(error))
}

pub(super) fn verify_dealloc(check: &Check) -> Checked {
    let segment = |index| check.data().operand_segment(check.ctx(), index).len();
    check.ensure(
        segment(0) == segment(1),
        "must have the same number of conditions as memrefs to deallocate",
    )?;
    check.ensure(
        segment(2) == check.data().num_results(),
        "must have the same number of updated conditions (results) as retained operands",
    )
}

pub(super) fn verify_materialize(check: &Check) -> Checked {
    let ctx = check.ctx();
    let (from, to) = (check.operand_type(0), check.operand_type(1));
    check.ensure(
        from.element(ctx) == to.element(ctx),
        "failed to verify that all of {source, dest} have same element type",
    )?;
    let (to_tensor, to_memref) = (is_tensor(ctx, to), is_memref(ctx, to));
    check.ensure(
        to_tensor || to_memref,
        "'dest' must be a tensor or a memref",
    )?;
    if to_tensor {
        let mut results = check.result_types();
        check.ensure(
            results.len() == 1,
            "tensor 'dest' implies exactly one tensor result",
        )?;
        let same = results.next() == Some(to);
        check.ensure(same, "result and 'dest' types must match")?;
    }
    check.ensure(
        !to_memref || check.data().num_results() == 0,
        "memref 'dest' implies zero results",
    )?;
    let flag = |name| check.data().attr(ctx, name).is_some();
    check.ensure(
        !flag("restrict") || to_memref,
        "'restrict' is valid only for memref destinations",
    )?;
    check.ensure(
        flag("writable") == to_memref,
        "'writable' must be specified if and only if the destination is of memref type",
    )?;
    let different = "source/destination shapes are incompatible";
    match (shape(check, from), shape(check, to)) {
        (Some(from), Some(to)) => {
            check.ensure(
                from.len() == to.len(),
                "rank mismatch between source and destination shape",
            )?;
            check.ensure(compatible(from, to), different)
        }
        (None, None) => Ok(()),
        _ => Err(check.error(different)),
    }
}
