//! Reductions: `vector.reduction`, `vector.multi_reduction`, `vector.scan`.

use super::attrs::{KIND, combines, kind_of};
use super::types::{ANY_VECTOR, VectorShape, parts, same_element};
use crate::arith::FASTMATH;
use crate::verified::{required, required_i64s};
use gridloom_ir::constraints::*;
use gridloom_ir::context::Context;
use gridloom_ir::op::{AttrSyntax, OpDef, Traits};
use gridloom_ir::types::Type;
use gridloom_ir::verify::{Check, Checked};

const SOURCE_AND_RESULT: &str = "source operand and result have same element type";

/// Reduces all elements, and an accumulator, to one.
pub(super) const REDUCTION: OpDef = OpDef::new("vector.reduction")
    .with(Traits::PURE)
    .operands(&[one("vector", ANY_VECTOR), maybe("acc", ANY)])
    .results(&[one("dest", ANY)])
    .attrs(&[KIND, FASTMATH])
    .format(
        "$kind `,` $vector (`,` $acc^)? (`fastmath` `` $fastmath^)? attr-dict \
         `:` type($vector) `into` type($dest)",
    )
    .infer(&[follows(
        "acc",
        "dest",
        |_, ty| Some(ty),
        "dest and acc have the same type",
    )])
    .verify_kind(verify_reduction);

/// Reduces along the listed dimensions.
pub(super) const MULTI_REDUCTION: OpDef = OpDef::new("vector.multi_reduction")
    .with(Traits::PURE)
    .operands(&[one("source", VECTOR), one("acc", ANY)])
    .results(&[one("dest", ANY)])
    .attrs(&[
        KIND,
        attr("reduction_dims", I64_ARRAY).spelled(AttrSyntax::DenseArray(|c| c.int_type(64))),
    ])
    .format(
        "$kind `,` $source `,` $acc attr-dict $reduction_dims \
         `:` type($source) `to` type($dest)",
    )
    .infer(&[same(&["dest", "acc"], "all of {dest, acc} have same type")])
    .verify_kind(verify_multi_reduction);

/// A prefix reduction along a dimension, and its final value.
pub(super) const SCAN: OpDef = OpDef::new("vector.scan")
    .with(Traits::PURE)
    .operands(&[one("source", VECTOR), one("initial_value", ANY_VECTOR)])
    .results(&[one("dest", VECTOR), one("accumulated_value", ANY_VECTOR)])
    .attrs(&[
        KIND,
        attr("reduction_dim", I64_ATTR),
        attr("inclusive", BOOL),
    ])
    .format(
        "$kind `,` $source `,` $initial_value attr-dict \
         `:` type($source) `,` type($initial_value)",
    )
    .infer(&[
        same(&["source", "dest"], "all of {source, dest} have same type"),
        same(
            &["initial_value", "accumulated_value"],
            "all of {initial_value, accumulated_value} have same type",
        ),
    ])
    .verify_kind(verify_scan);

/// The combining function.
fn kind(check: &Check) -> &'static str {
    let kind = required(check.ctx(), check.data(), "kind");
    kind_of(check.ctx(), kind).expect("the row demands a kind")
}

fn verify_reduction(check: &Check) -> Checked {
    let ctx = check.ctx();
    let dest = check.result_type(0);
    same_element(check, check.operand_type(0), dest, SOURCE_AND_RESULT)?;
    let rank = parts(check, check.operand_type(0)).rank();
    check.ensure(
        rank <= 1,
        format_args!("unsupported reduction rank: {rank}"),
    )?;
    let kind = kind(check);
    check.ensure(
        combines(ctx, kind, dest),
        format_args!(
            "unsupported reduction type ''{}'' for kind '{kind}'",
            check.show(dest)
        ),
    )
}

/// The type of a vector after reducing some dimensions.
fn reduced(ctx: &Context, source: &VectorShape, dims: &[i64]) -> Type {
    let stays = |index: &usize| !dims.contains(&(*index as i64));
    let left: Vec<usize> = (0..source.rank()).filter(stays).collect();
    if left.is_empty() {
        return source.element;
    }
    let shape: Vec<i64> = left.iter().map(|&i| source.shape[i]).collect();
    let scalable: Vec<bool> = left.iter().map(|&i| source.scalable[i]).collect();
    ctx.scalable_vector_type(&shape, &scalable, source.element)
}

fn verify_multi_reduction(check: &Check) -> Checked {
    let ctx = check.ctx();
    let (source, dest) = (check.operand_type(0), check.result_type(0));
    same_element(check, source, dest, SOURCE_AND_RESULT)?;
    let dims = required_i64s(ctx, check.data(), "reduction_dims");
    check.ensure(
        dest == reduced(ctx, &parts(check, source), &dims),
        format_args!(
            "destination type '{}' is incompatible with source type '{}'",
            check.show(dest),
            check.show(source)
        ),
    )
}

fn verify_scan(check: &Check) -> Checked {
    let ctx = check.ctx();
    let source = parts(check, check.operand_type(0));
    let initial = parts(check, check.operand_type(1));
    let dim = required(ctx, check.data(), "reduction_dim").as_i64(ctx);
    let dim = dim.unwrap_or_default();
    let rank = source.rank();
    check.ensure(
        dim < rank as i64,
        format_args!("reduction dimension {dim} has to be less than {rank}"),
    )?;
    check.ensure(
        initial.rank() + 1 == rank,
        format_args!(
            "initial value rank {} has to be equal to {}",
            initial.rank(),
            rank - 1
        ),
    )?;
    let stays = |(index, _): &(usize, &i64)| *index as i64 != dim;
    let expected = source.shape.iter().enumerate().filter(stays);
    check.ensure(
        expected.map(|(_, extent)| extent).eq(initial.shape),
        "incompatible input/initial value shapes",
    )?;
    let kind = kind(check);
    check.ensure(
        combines(ctx, kind, source.element),
        format_args!(
            "unsupported reduction type '{}' for kind '{kind}'",
            check.show(source.element)
        ),
    )
}
