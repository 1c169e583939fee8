//! Shape changes: `vector.broadcast`, `vector.bitcast`, `vector.shape_cast`,
//! `vector.transpose`.

use super::types::{ANY_VECTOR, VectorShape, bits, parts, same_element};
use crate::verified::required_i64s;
use gridloom_ir::constraints::*;
use gridloom_ir::op::{AttrSyntax, OpDef, Traits};
use gridloom_ir::verify::{Check, Checked};

/// Repeats a scalar or vector along leading and unit dimensions.
pub(super) const BROADCAST: OpDef = OpDef::new("vector.broadcast")
    .with(Traits::PURE)
    .operands(&[one("source", ANY)])
    .results(&[one("vector", ANY_VECTOR)])
    .format("$source attr-dict `:` type($source) `to` type($vector)")
    .verify_kind(verify_broadcast);

/// Reinterprets the bits of the last dimension as other elements.
pub(super) const BITCAST: OpDef = OpDef::new("vector.bitcast")
    .with(Traits::PURE)
    .operands(&[one("source", ANY_VECTOR)])
    .results(&[one("result", ANY_VECTOR)])
    .format("$source attr-dict `:` type($source) `to` type($result)")
    .verify_kind(verify_bitcast);

/// Changes the shape, keeping the row-major order.
pub(super) const SHAPE_CAST: OpDef = OpDef::new("vector.shape_cast")
    .with(Traits::PURE)
    .operands(&[one("source", ANY_VECTOR)])
    .results(&[one("result", ANY_VECTOR)])
    .format("$source attr-dict `:` type($source) `to` type($result)")
    .verify_kind(verify_shape_cast);

/// Permutes dimensions: dimension `i` of the result is dimension
/// `permutation[i]` of the operand.
pub(super) const TRANSPOSE: OpDef = OpDef::new("vector.transpose")
    .with(Traits::PURE)
    .operands(&[one("vector", ANY_VECTOR)])
    .results(&[one("result", ANY_VECTOR)])
    .attrs(&[attr("permutation", I64_ARRAY).spelled(AttrSyntax::DenseArray(|c| c.int_type(64)))])
    .format("$vector `,` $permutation attr-dict `:` type($vector) `to` type($result)")
    .verify_kind(verify_transpose);

/// The text of an extent: `4`, or `[4]` if scalable.
fn extent(size: i64, scalable: bool) -> String {
    if scalable {
        format!("[{size}]")
    } else {
        size.to_string()
    }
}

fn verify_broadcast(check: &Check) -> Checked {
    let ctx = check.ctx();
    let (source, result) = (check.operand_type(0), check.result_type(0));
    let summary = "source operand and result have same element type";
    same_element(check, source, result, summary)?;
    let result = parts(check, result);
    if source == result.element {
        return Ok(());
    }
    let Some(source) = VectorShape::of(ctx, source) else {
        return Err(check.error("source type is not a vector"));
    };
    let Some(lead) = result.rank().checked_sub(source.rank()) else {
        return Err(check.error("source rank higher than destination rank"));
    };
    let from = source.shape.iter().zip(source.scalable);
    let to = result.shape[lead..].iter().zip(&result.scalable[lead..]);
    for ((&from, &from_scales), (&to, &to_scales)) in from.zip(to) {
        // A fixed unit dimension may be stretched; all others must match.
        let unit = from == 1 && !from_scales;
        let fits = from == to && from_scales == to_scales;
        check.ensure(
            unit || fits,
            format_args!(
                "dimension mismatch ({} vs. {})",
                extent(from, from_scales),
                extent(to, to_scales)
            ),
        )?;
    }
    Ok(())
}

fn verify_bitcast(check: &Check) -> Checked {
    let ctx = check.ctx();
    let source = parts(check, check.operand_type(0));
    let result = parts(check, check.result_type(0));
    check.ensure(
        source.rank() == result.rank(),
        "failed to verify that all of {source, result} have same rank",
    )?;
    let leading = source.shape.iter().zip(result.shape);
    let leading = leading.take(source.rank().saturating_sub(1));
    for (index, (from, to)) in leading.enumerate() {
        check.ensure(
            from == to,
            format_args!("dimension size mismatch at: {index}"),
        )?;
    }
    let (Some(from), Some(to)) = (bits(ctx, source.element), bits(ctx, result.element)) else {
        return Ok(());
    };
    match (source.shape, result.shape) {
        ([.., last_from], [.., last_to]) => check.ensure(
            from.saturating_mul(*last_from) == to.saturating_mul(*last_to),
            "source/result bitwidth of the minor 1-D vectors must be equal",
        ),
        _ => check.ensure(
            from == to,
            "source/result bitwidth of the 0-D vector element types must be equal",
        ),
    }
}

fn verify_shape_cast(check: &Check) -> Checked {
    let source = parts(check, check.operand_type(0));
    let result = parts(check, check.result_type(0));
    check.ensure(
        source.element == result.element,
        "has different source and result element types",
    )?;
    let (from, to) = (source.num_elements(), result.num_elements());
    check.ensure(
        from == to,
        format_args!("has different number of elements at source ({from}) and result ({to})"),
    )?;
    let count = |flags: &[bool]| flags.iter().filter(|&&flag| flag).count();
    let (from, to) = (count(source.scalable), count(result.scalable));
    check.ensure(
        from == to,
        format_args!("has different number of scalable dims at source ({from}) and result ({to})"),
    )
}

fn verify_transpose(check: &Check) -> Checked {
    let (source, result) = (check.operand_type(0), check.result_type(0));
    let summary = "operand and result have same element type";
    same_element(check, source, result, summary)?;
    let (source, result) = (parts(check, source), parts(check, result));
    let rank = result.rank();
    check.ensure(
        source.rank() == rank,
        format_args!("vector result rank mismatch: {rank}"),
    )?;
    let permutation = required_i64s(check.ctx(), check.data(), "permutation");
    check.ensure(
        permutation.len() == rank,
        format_args!("transposition length mismatch: {}", permutation.len()),
    )?;
    let mut seen = vec![false; rank];
    for (index, &from) in permutation.iter().enumerate() {
        let Some(place) = usize::try_from(from).ok().filter(|&place| place < rank) else {
            return Err(check.error(format!("transposition index out of range: {from}")));
        };
        check.ensure(
            !seen[place],
            format_args!("duplicate position index: {from}"),
        )?;
        seen[place] = true;
        check.ensure(
            result.shape[index] == source.shape[place],
            format_args!("dimension size mismatch at: {from}"),
        )?;
    }
    Ok(())
}
