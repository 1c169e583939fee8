//! Custom forms that several operations share.

use std::borrow::Cow;

use super::enums::IMAGE_OPERANDS;
use super::view::{element_type, num_elements};
use gridloom_ir::body::{Body, OpId};
use gridloom_ir::context::Context;
use gridloom_ir::op::EnumDef;
use gridloom_ir::op::no_region_arguments;
use gridloom_ir::text::format::{Parsed, Printed};
use gridloom_ir::text::{
    Delimiter, OpParser, OpPrinter, ParseFailed, Tok, case_name, case_value, load_case, store_case,
};
use gridloom_ir::types::Type;

/// Whether an operation has no discardable attributes, for forms that cannot
/// spell them.
pub(super) fn has_no_attributes(_: &Context, body: &Body, op: OpId) -> bool {
    body[op].attributes.is_empty()
}

type Outcome = Result<(), ParseFailed>;

/// Parses `{…} %a, %b : !spirv.struct<(i32, i32)>`; the operands have the type
/// of the first member.
pub(super) fn parse_extended(p: &mut OpParser<'_, '_>) -> Outcome {
    p.attr_dict()?;
    let operands = p.operand_list(Delimiter::None)?;
    p.expect(Tok::Colon)?;
    let place = p.place();
    let ty = p.ty()?;
    let ctx = p.ctx();
    let two = super::view::is_spirv(ctx, ty, "struct") && num_elements(ctx, ty) == Some(2);
    let Some(member) = element_type(ctx, ty, 0).filter(|_| two) else {
        return Err(p.error_at(place, "expected spirv.struct type with two members"));
    };
    p.add_typed_operands(&operands, &[member; 2])?;
    p.add_result(ty);
    Ok(())
}

pub(super) fn print_extended(p: &mut OpPrinter<'_>, _: &Context, body: &Body, op: OpId) {
    p.attr_dict(body, op, &[]);
    p.text(" ");
    p.values(&body[op].operands);
    p.text(" : ");
    p.result_types_of(body, op);
}

/// Parses `%a, %b : type`, or `(%a, %b) : (types) -> type` where the types
/// differ.
pub(super) fn parse_alike(p: &mut OpParser<'_, '_>) -> Outcome {
    if p.at(Tok::LParen) {
        let operands = p.operand_list(Delimiter::Paren)?;
        p.attr_dict()?;
        p.expect(Tok::Colon)?;
        let (inputs, results) = p.function_type()?;
        p.add_typed_operands(&operands, &inputs)?;
        p.add_results(&results);
        return Ok(());
    }
    let operands = p.operand_list(Delimiter::None)?;
    p.attr_dict()?;
    let ty = p.colon_type()?;
    p.add_operands(&operands, ty)?;
    p.add_result(ty);
    Ok(())
}

pub(super) fn print_alike(p: &mut OpPrinter<'_>, _: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    let inputs: Vec<Type> = data.operands.iter().map(|&value| body.ty(value)).collect();
    let results: Vec<Type> = data.results().map(|value| body.ty(value)).collect();
    let alike = inputs.iter().all(|ty| results == [*ty]);
    p.text(if alike { " " } else { "(" });
    p.values(&data.operands);
    p.text(if alike { "" } else { ")" });
    p.attr_dict(body, op, &[]);
    p.text(" : ");
    if alike {
        p.types(&results);
    } else {
        p.function_type(&inputs, &results);
    }
}

/// Parses `control(Unroll) -> i32 { … }`.
pub(super) fn parse_control(
    p: &mut OpParser<'_, '_>,
    name: &'static str,
    def: &'static EnumDef,
) -> Outcome {
    let value = if p.eat_keyword("control") {
        p.expect(Tok::LParen)?;
        let value = p.keyword_case(def, name)?;
        p.expect(Tok::RParen)?;
        value
    } else {
        0
    };
    set_case(p, name, def, value);
    if p.eat(Tok::Arrow) {
        let types = p.type_list(Delimiter::None)?;
        p.add_results(&types);
    }
    p.region(&[])
}

/// Sets an inherent attribute to a case.
pub(super) fn set_case(p: &mut OpParser<'_, '_>, name: &str, def: &'static EnumDef, value: i64) {
    if let Some(attr) = store_case(p.ctx(), def, value) {
        p.set_property(name, attr);
    }
}

/// The keywords of the case, or of the bits, that an inherent attribute holds.
pub(super) fn case_of(
    ctx: &Context,
    body: &Body,
    op: OpId,
    (name, def): (&str, &'static EnumDef),
) -> Option<Cow<'static, str>> {
    let value = load_case(ctx, def, body[op].attr(ctx, name)?)?;
    case_name(def, value)
}

/// Whether the custom form is lossless: it spells a control of one keyword and
/// no other attributes.
pub(super) fn control_form_is_lossless(
    ctx: &Context,
    body: &Body,
    op: OpId,
    control: (&str, &'static EnumDef),
) -> bool {
    let one_keyword =
        || case_of(ctx, body, op, control).is_none_or(|keywords| !keywords.contains('|'));
    has_no_attributes(ctx, body, op) && no_region_arguments(ctx, body, op) && one_keyword()
}

pub(super) fn print_control(
    p: &mut OpPrinter<'_>,
    ctx: &Context,
    body: &Body,
    op: OpId,
    control: (&str, &'static EnumDef),
) {
    if let Some(keyword) = case_of(ctx, body, op, control).filter(|keyword| keyword != "None") {
        p.text(" control(");
        p.text(&keyword);
        p.text(")");
    }
    if body[op].num_results() > 0 {
        p.text(" -> ");
        p.result_types_of(body, op);
    }
    p.text(" ");
    p.region(body, op, 0, false, true);
}

/// Parses a quoted case, or bits separated by `|`: `"Volatile|Aligned"`.
pub(super) fn parse_quoted_case(
    p: &mut OpParser<'_, '_>,
    def: &'static EnumDef,
) -> Result<i64, ParseFailed> {
    let place = p.place();
    let ctx = p.ctx();
    let attr = p.attribute()?;
    let Some(text) = attr.as_str(ctx) else {
        let message = format!(
            "expected {} attribute specified as string",
            attribute_name(def)
        );
        return Err(p.error_at(place, message));
    };
    match case_value(def, text) {
        Some(value) => Ok(value),
        None => {
            let name = attribute_name(def);
            let message = format!("invalid {name} attribute specification: \"{text}\"");
            Err(p.error_at(place, message))
        }
    }
}

/// The name of the attribute that stores an enumeration, such as
/// `storage_class`.
fn attribute_name(def: &EnumDef) -> &'static str {
    let prefix = def.storage.dialect().map_or("", |(_, prefix, _)| prefix);
    prefix.trim_matches(['.', '<'])
}

/// ` "Case"`
pub(super) fn print_quoted_case(
    p: &mut OpPrinter<'_>,
    ctx: &Context,
    body: &Body,
    op: OpId,
    property: (&str, &'static EnumDef),
) {
    p.text(" \"");
    p.text(&case_of(ctx, body, op, property).unwrap_or_default());
    p.text("\"");
}

/// `["Lod"]` or nothing.
pub(super) fn parse_image_operands<'s>(
    p: &mut OpParser<'_, 's>,
    args: &mut Parsed<'_, 's>,
) -> Result<(), ParseFailed> {
    if p.eat(Tok::LSquare) {
        let value = parse_quoted_case(p, &IMAGE_OPERANDS)?;
        p.expect(Tok::RSquare)?;
        if let Some(attr) = store_case(p.ctx(), &IMAGE_OPERANDS, value) {
            args.set_attr(p, 0, attr);
        }
    }
    Ok(())
}

pub(super) fn print_image_operands(p: &mut OpPrinter<'_>, args: &Printed<'_>) {
    let value = args
        .attr(p, 0)
        .and_then(|attr| load_case(p.ctx, &IMAGE_OPERANDS, attr));
    if let Some(keywords) = value.and_then(|value| case_name(&IMAGE_OPERANDS, value)) {
        p.text("[\"");
        p.text(&keywords);
        p.text("\"]");
    }
}
