//! `vector.shuffle`, `vector.interleave`, `vector.deinterleave`.

use super::types::{ANY_VECTOR, FIXED_VECTOR, VectorShape, parts, same_element};
use crate::verified::required_i64s;
use gridloom_ir::constraints::*;
use gridloom_ir::context::Context;
use gridloom_ir::op::{AttrSyntax, Known, OpDef, Traits, TypeRule};
use gridloom_ir::types::Type;
use gridloom_ir::verify::{Check, Checked};

/// Concatenates both operands along the leading dimension and selects entry
/// `mask[i]` for each `i`; -1 selects poison.
pub(super) const SHUFFLE: OpDef = OpDef::new("vector.shuffle")
    .with(Traits::PURE)
    .operands(&[one("v1", FIXED_VECTOR), one("v2", FIXED_VECTOR)])
    .results(&[one("vector", VECTOR)])
    .attrs(&[attr("mask", I64_ARRAY).spelled(AttrSyntax::DenseArray(|c| c.int_type(64)))])
    .format("operands $mask attr-dict `:` type(operands)")
    .infer(&[TypeRule::Infer(shuffled)])
    .verify_kind(verify_shuffle);

/// Interleaves the last dimension of both operands.
pub(super) const INTERLEAVE: OpDef = OpDef::new("vector.interleave")
    .with(Traits::PURE)
    .operands(&[one("lhs", ANY_VECTOR), one("rhs", ANY_VECTOR)])
    .results(&[one("result", VECTOR)])
    .format("$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)")
    .infer(&[
        same(&["lhs", "rhs"], "all of {lhs, rhs} have same type"),
        follows(
            "result",
            "lhs",
            doubled,
            "type of 'result' is double the width of the inputs",
        ),
    ]);

/// Splits the even and odd elements of the last dimension.
pub(super) const DEINTERLEAVE: OpDef = OpDef::new("vector.deinterleave")
    .with(Traits::PURE)
    .operands(&[one("source", VECTOR)])
    .results(&[one("res1", VECTOR), one("res2", VECTOR)])
    .format("$source attr-dict `:` type($source) `->` type($res1)")
    .infer(&[
        follows(
            "source",
            "source",
            even,
            "the trailing dimension of the source vector has an even number of elements",
        ),
        follows(
            "res1",
            "source",
            halved,
            "the trailing dimension of the results is half the width of source trailing dimension",
        ),
        same(&["res1", "res2"], "all of {res1, res2} have same type"),
    ]);

/// Infers the type of a shuffle: as long as the mask, else like the first
/// operand.
fn shuffled(known: &Known) -> Result<Vec<Type>, String> {
    let ctx = known.ctx;
    let Some(&operand) = known.operands.first() else {
        return Err("needs two operands".into());
    };
    // The operand constraint reports what is no vector.
    let Some(first) = VectorShape::of(ctx, operand) else {
        return Ok(vec![operand]);
    };
    let mask = (known.attr)("mask").and_then(|mask| mask.as_i64_array(ctx));
    let length = mask.map_or(1, |mask| mask.len().max(1)) as i64;
    let mut shape = vec![length];
    shape.extend(first.shape.iter().skip(1));
    Ok(vec![ctx.vector_type(&shape, first.element)])
}

/// The type with the last dimension doubled.
fn doubled(ctx: &Context, ty: Type) -> Option<Type> {
    let source = VectorShape::of(ctx, ty)?;
    let mut shape = source.shape.to_vec();
    match shape.last_mut() {
        Some(last) => *last = last.checked_mul(2)?,
        None => return Some(ctx.vector_type(&[2], source.element)),
    }
    Some(ctx.scalable_vector_type(&shape, source.scalable, source.element))
}

/// The type itself, if its last dimension is even.
fn even(ctx: &Context, ty: Type) -> Option<Type> {
    let last = *VectorShape::of(ctx, ty)?.shape.last()?;
    (last % 2 == 0).then_some(ty)
}

/// The type with the last dimension halved.
fn halved(ctx: &Context, ty: Type) -> Option<Type> {
    let source = VectorShape::of(ctx, ty)?;
    let mut shape = source.shape.to_vec();
    *shape.last_mut()? /= 2;
    Some(ctx.scalable_vector_type(&shape, source.scalable, source.element))
}

fn verify_shuffle(check: &Check) -> Checked {
    let (a, b, result) = (
        check.operand_type(0),
        check.operand_type(1),
        check.result_type(0),
    );
    let summary = "first operand v1 and result have same element type";
    same_element(check, a, result, summary)?;
    let summary = "second operand v2 and result have same element type";
    same_element(check, b, result, summary)?;
    let (a, b, result) = (parts(check, a), parts(check, b), parts(check, result));
    let points = a.rank() == 0 && b.rank() == 0 && result.rank() == 1;
    let alike = a.rank() == result.rank() && b.rank() == result.rank();
    check.ensure(points || alike, "rank mismatch")?;
    if alike {
        let same = a.shape[1..] == b.shape[1..] && a.shape[1..] == result.shape[1..];
        check.ensure(same, "dimension mismatch")?;
    }
    let mask = required_i64s(check.ctx(), check.data(), "mask");
    check.ensure(!mask.is_empty(), "invalid mask length")?;
    check.ensure(mask.len() as i64 == result.shape[0], "mask length mismatch")?;
    let leading = |v: &VectorShape| v.shape.first().copied().unwrap_or(1);
    let count = leading(&a).saturating_add(leading(&b));
    for (index, &position) in mask.iter().enumerate() {
        check.ensure(
            (-1..count).contains(&position),
            format_args!("mask index #{} out of range", index + 1),
        )?;
    }
    Ok(())
}
