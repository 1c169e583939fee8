//! Custom forms of constants and composites.

use super::composite_check::part;
use super::view::is_spirv;
use gridloom_ir::body::{Body, OpId};
use gridloom_ir::constraints::attr_type;
use gridloom_ir::context::Context;
use gridloom_ir::text::{Delimiter, OpParser, OpPrinter, ParseFailed, Tok};
use gridloom_ir::types::TypeKind;

type Parsed = Result<(), ParseFailed>;

/// `%c[1 : i32, 0 : i32] : type`
pub(super) fn parse_extract(p: &mut OpParser<'_, '_>) -> Parsed {
    let composite = p.operand()?;
    let place = p.place();
    let indices = p.attribute()?;
    p.set_property("indices", indices);
    let ty = p.colon_type()?;
    p.add_operand(composite, ty)?;
    match part(p.ctx(), ty, Some(indices)) {
        Ok(result) => p.add_result(result),
        Err(why) => return Err(p.error_at(place, why)),
    }
    Ok(())
}

pub(super) fn print_extract(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    p.text(" ");
    p.values(&data.operands);
    if let Some(indices) = data.attr(ctx, "indices") {
        p.attr(indices);
    }
    p.text(" : ");
    p.types_of(body, &data.operands);
}

/// `%o, %c[1 : i32] : type into type`
pub(super) fn parse_insert(p: &mut OpParser<'_, '_>) -> Parsed {
    let operands = p.operand_list(Delimiter::None)?;
    let indices = p.attribute()?;
    p.set_property("indices", indices);
    let object = p.colon_type()?;
    p.expect_keyword("into")?;
    let composite = p.ty()?;
    p.add_typed_operands(&operands, &[object, composite])?;
    p.add_result(composite);
    Ok(())
}

pub(super) fn print_insert(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    p.text(" ");
    p.values(&data.operands);
    if let Some(indices) = data.attr(ctx, "indices") {
        p.attr(indices);
    }
    for (index, &operand) in data.operands.iter().enumerate() {
        p.text(if index == 0 { " : " } else { " into " });
        p.ty(body.ty(operand));
    }
}

/// Parses `1 : i32`, or `dense<…> : tensor<…> : type` where the attribute does
/// not determine the result type.
pub(super) fn parse_constant(p: &mut OpParser<'_, '_>) -> Parsed {
    let value = p.attribute()?;
    p.set_property("value", value);
    let ctx = p.ctx();
    let ty = match attr_type(ctx, value) {
        Some(ty)
            if !matches!(
                ty.kind(ctx),
                TypeKind::None | TypeKind::RankedTensor { .. } | TypeKind::UnrankedTensor { .. }
            ) =>
        {
            ty
        }
        _ => {
            p.expect(Tok::Colon)?;
            p.ty()?
        }
    };
    p.add_result(ty);
    Ok(())
}

pub(super) fn print_constant(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    p.text(" ");
    if let Some(value) = data.attr(ctx, "value") {
        p.attr(value);
    }
    let is_array = |ty| is_spirv(ctx, ty, "array");
    if data.results().any(|result| is_array(body.ty(result))) {
        p.text(" : ");
        p.result_types_of(body, op);
    }
}
