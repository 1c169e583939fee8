//! Products without index maps: `vector.outerproduct`, `vector.fma`.

use super::attrs::{KIND_OR_ADD, combines, kind_of};
use super::types::{FLOATS, VectorShape, parts, same_element};
use gridloom_ir::body::{Body, OpId};
use gridloom_ir::constraints::*;
use gridloom_ir::context::Context;
use gridloom_ir::op::{OpDef, Traits};
use gridloom_ir::text::{Delimiter, OpParser, OpPrinter, ParseFailed, Tok};
use gridloom_ir::types::Type;
use gridloom_ir::verify::{Check, Checked};

/// Fused multiply-add: `lhs * rhs + acc` for each element.
pub(super) const FMA: OpDef = OpDef::new("vector.fma")
    .with(Traits::PURE)
    .with(Traits::ELEMENTWISE)
    .operands(&[one("lhs", FLOATS), one("rhs", FLOATS), one("acc", FLOATS)])
    .results(&[one("result", FLOATS)])
    .format("$lhs `,` $rhs `,` $acc attr-dict `:` type($lhs)")
    .infer(&[same(
        &["lhs", "rhs", "acc", "result"],
        "all of {lhs, rhs, acc, result} have same type",
    )]);

/// The outer product: element `(i, j)` is `lhs[i] * rhs[j]`, combined with that
/// of `acc`; for a scalar `rhs`, element `i` is `lhs[i] * rhs`.
pub(super) const OUTERPRODUCT: OpDef = OpDef::new("vector.outerproduct")
    .with(Traits::PURE)
    .operands(&[one("lhs", VECTOR), one("rhs", ANY), maybe("acc", VECTOR)])
    .results(&[one("result", VECTOR)])
    .attrs(&[KIND_OR_ADD])
    .custom(parse, print)
    .printed_if(custom_form_is_lossless)
    .verify_kind(verify);

/// The type of an outer product.
fn product(ctx: &Context, lhs: &VectorShape, rhs: Type) -> Option<Type> {
    let (&rows, &rows_scale) = (lhs.shape.first()?, lhs.scalable.first()?);
    let Some(rhs) = VectorShape::of(ctx, rhs) else {
        return Some(ctx.scalable_vector_type(&[rows], &[rows_scale], lhs.element));
    };
    let (&columns, &columns_scale) = (rhs.shape.first()?, rhs.scalable.first()?);
    let scalable = [rows_scale, columns_scale];
    Some(ctx.scalable_vector_type(&[rows, columns], &scalable, lhs.element))
}

/// Whether the custom form is lossless: it spells no result type, so that must
/// be the inferred one.
fn custom_form_is_lossless(ctx: &Context, body: &Body, op: OpId) -> bool {
    let data = &body[op];
    let ty = |index: usize| data.operands.get(index).map(|&value| body.ty(value));
    let follows = || product(ctx, &VectorShape::of(ctx, ty(0)?)?, ty(1)?);
    follows() == data.results().next().map(|result| body.ty(result))
}

/// `%lhs, %rhs, %acc {kind = #vector.kind<add>} : type, type`
fn parse(p: &mut OpParser<'_, '_>) -> Result<(), ParseFailed> {
    let operands = p.operand_list(Delimiter::None)?;
    p.attr_dict()?;
    let lhs = p.colon_type()?;
    p.expect(Tok::Comma)?;
    let rhs = p.ty()?;
    let place = p.op_place();
    let [first, second, ref more @ ..] = operands[..] else {
        return Err(p.error_at(place, "expected at least 2 operands"));
    };
    let Some(shape) = VectorShape::of(p.ctx(), lhs) else {
        return Err(p.error_at(place, "expected vector type for operand #1"));
    };
    let Some(result) = product(p.ctx(), &shape, rhs) else {
        return Err(p.error_at(place, "expected 1-d vectors or a scalar"));
    };
    p.add_operand(first, lhs)?;
    p.add_operand(second, rhs)?;
    // mlir-opt parses any number of operands and keeps three.
    p.add_operands(&more[..more.len().min(1)], result)?;
    p.add_result(result);
    Ok(())
}

fn print(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    p.text(" ");
    p.values(&data.operands);
    // mlir-opt spells the kind whenever there is an accumulator, even the
    // default kind.
    if data.operands.len() > 2 {
        let entries = data.properties.entries(ctx).iter();
        let all = entries.chain(data.attributes.entries(ctx)).copied();
        let all = ctx.attr_dict(all.collect());
        if !all.is_empty() {
            p.text(" ");
            p.dictionary(all);
        }
    } else {
        p.attr_dict(body, op, &[]);
    }
    p.text(" : ");
    p.types_of(body, &data.operands[..data.operands.len().min(2)]);
}

fn verify(check: &Check) -> Checked {
    let ctx = check.ctx();
    let (lhs, rhs, result) = (
        check.operand_type(0),
        check.operand_type(1),
        check.result_type(0),
    );
    let summary = "lhs operand and result have same element type";
    same_element(check, lhs, result, summary)?;
    let summary = "rhs operand and result have same element type";
    same_element(check, rhs, result, summary)?;
    let product = parts(check, result);
    verify_shapes(
        check,
        &parts(check, lhs),
        VectorShape::of(ctx, rhs),
        &product,
    )?;
    let mut acc = check.operand_types().skip(2);
    check.ensure(
        acc.all(|ty| ty == result),
        "expected operand #3 of same type as result type",
    )?;
    let kind = check.data().attr(ctx, "kind");
    let kind = kind.and_then(|kind| kind_of(ctx, kind)).unwrap_or("add");
    check.ensure(
        combines(ctx, kind, product.element),
        "unsupported outerproduct type",
    )
}

fn verify_shapes(
    check: &Check,
    lhs: &VectorShape,
    rhs: Option<VectorShape>,
    result: &VectorShape,
) -> Checked {
    check.ensure(lhs.rank() == 1, "expected 1-d vector for operand #1")?;
    let rows_fit = lhs.shape[0] == result.shape[0];
    let rows = "expected #1 operand dim to match result dim #1";
    let Some(rhs) = rhs else {
        check.ensure(result.rank() == 1, "expected 1-d vector result")?;
        return check.ensure(rows_fit, rows);
    };
    check.ensure(rhs.rank() == 1, "expected 1-d vector for operand #2")?;
    check.ensure(result.rank() == 2, "expected 2-d vector result")?;
    check.ensure(rows_fit, rows)?;
    check.ensure(
        rhs.shape[0] == result.shape[1],
        "expected #2 operand dim to match result dim #2",
    )?;
    check.ensure(
        rhs.is_scalable() || !lhs.is_scalable(),
        "expected either both or only #2 operand dim to be scalable",
    )
}
