//! Custom forms of modules and their members.

use super::enums::{
    ADDRESSING_MODEL, EXECUTION_MODE, EXECUTION_MODEL, FUNCTION_CONTROL, MEMORY_MODEL,
};
use super::form::{case_of, parse_quoted_case, print_quoted_case, set_case};
use super::memory_form::{parse_decorations, print_decorations};
use super::view::pointee;
use crate::func::form::{SPELLED, parse_signature, print_signature};
use gridloom_ir::attr::{Attr, AttrKind};
use gridloom_ir::body::{Body, OpId};
use gridloom_ir::context::Context;
use gridloom_ir::text::{Delimiter, OpParser, OpPrinter, ParseFailed, Tok};

type Parsed = Result<(), ParseFailed>;

/// `@name`
pub(super) fn parse_name(p: &mut OpParser<'_, '_>) -> Parsed {
    let name = p.symbol_name()?;
    let ctx = p.ctx();
    p.set_property("sym_name", ctx.string_attr(ctx.str(name)));
    Ok(())
}

/// ` @name`
pub(super) fn print_name(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    if let Some(name) = body[op].attr(ctx, "sym_name") {
        p.text(" ");
        p.symbol_attr(name);
    }
}

fn print_attr(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId, name: &str) {
    if let Some(attr) = body[op].attr(ctx, name) {
        p.attr(attr);
    }
}

/// `@m Logical GLSL450 requires #spirv.vce<…> attributes {…} {…}`
pub(super) fn parse_module(p: &mut OpParser<'_, '_>) -> Parsed {
    if p.at(Tok::At) {
        parse_name(p)?;
    }
    let model = p.keyword_case(&ADDRESSING_MODEL, "addressing_model")?;
    set_case(p, "addressing_model", &ADDRESSING_MODEL, model);
    let model = p.keyword_case(&MEMORY_MODEL, "memory_model")?;
    set_case(p, "memory_model", &MEMORY_MODEL, model);
    if p.eat_keyword("requires") {
        let triple =
            p.attribute_as(|triple, ctx| triple.params(ctx, "spirv", "vce").map(|_| triple))?;
        p.set_property("vce_triple", triple);
    }
    p.attr_dict_with_keyword()?;
    p.region(&[])?;
    p.ensure_block(0);
    Ok(())
}

pub(super) fn print_module(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    print_name(p, ctx, body, op);
    for property in [
        ("addressing_model", &ADDRESSING_MODEL),
        ("memory_model", &MEMORY_MODEL),
    ] {
        p.text(" ");
        p.text(&case_of(ctx, body, op, property).unwrap_or_default());
    }
    if body[op].attr(ctx, "vce_triple").is_some() {
        p.text(" requires ");
        print_attr(p, ctx, body, op, "vce_triple");
    }
    let spelled = ["addressing_model", "memory_model", "sym_name", "vce_triple"];
    p.attr_dict_with_keyword(body, op, &spelled);
    p.text(" ");
    p.region(body, op, 0, true, false);
}

/// `@f(%a: i32) -> f32 "Inline" attributes {…} {…}`
pub(super) fn parse_func(p: &mut OpParser<'_, '_>) -> Parsed {
    parse_name(p)?;
    let signature = parse_signature(p)?;
    signature.set(p);
    let control = parse_quoted_case(p, &FUNCTION_CONTROL)?;
    set_case(p, "function_control", &FUNCTION_CONTROL, control);
    p.attr_dict_with_keyword()?;
    p.optional_region(&signature.args)?;
    Ok(())
}

pub(super) fn print_func(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    print_name(p, ctx, body, op);
    print_signature(p, ctx, body, op);
    print_quoted_case(p, ctx, body, op, ("function_control", &FUNCTION_CONTROL));
    let mut spelled = SPELLED.to_vec();
    spelled.push(ctx.ident("function_control"));
    p.attr_dict_of(body, op, &spelled, " attributes");
    if body[op].isolated().and_then(Body::entry).is_some() {
        p.text(" ");
        p.region(body, op, 0, false, true);
    }
}

/// `@v initializer(@c) bind(0, 1) {…} : !spirv.ptr<…>`
pub(super) fn parse_global_variable(p: &mut OpParser<'_, '_>) -> Parsed {
    parse_name(p)?;
    if p.eat_keyword("initializer") {
        p.expect(Tok::LParen)?;
        let symbol = flat_symbol(p)?;
        p.set_property("initializer", symbol);
        p.expect(Tok::RParen)?;
    }
    parse_decorations(p)?;
    p.expect(Tok::Colon)?;
    let place = p.place();
    let ty = p.ty()?;
    let ctx = p.ctx();
    if pointee(ctx, ty).is_none() {
        return Err(p.error_at(place, "expected spirv.ptr type"));
    }
    p.set_property("type", ctx.type_attr(ty));
    Ok(())
}

pub(super) fn print_global_variable(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    print_name(p, ctx, body, op);
    if body[op].attr(ctx, "initializer").is_some() {
        p.text(" initializer(");
        print_attr(p, ctx, body, op, "initializer");
        p.text(")");
    }
    print_decorations(p, ctx, body, op, &["sym_name", "initializer", "type"]);
    p.text(" : ");
    print_attr(p, ctx, body, op, "type");
}

/// Parses a flat symbol reference, `@name`.
fn flat_symbol(p: &mut OpParser<'_, '_>) -> Result<Attr, ParseFailed> {
    let place = p.place();
    let symbol = p.symbol_ref()?;
    match symbol.as_flat_symbol(p.ctx()) {
        Some(_) => Ok(symbol),
        None => Err(p.wrong_kind(place)),
    }
}

/// `@c spec_id(5) = 42 : i32`
pub(super) fn parse_spec_constant(p: &mut OpParser<'_, '_>) -> Parsed {
    parse_name(p)?;
    if p.eat_keyword("spec_id") {
        p.expect(Tok::LParen)?;
        let id = p.attribute_as(|id, ctx| {
            matches!(id.kind(ctx), AttrKind::Integer { .. }).then_some(id)
        })?;
        p.set_attribute("spec_id", id);
        p.expect(Tok::RParen)?;
    }
    p.expect(Tok::Equal)?;
    let value = p.attribute()?;
    p.set_property("default_value", value);
    Ok(())
}

/// Whether the custom form is lossless: the only discardable attribute it can
/// spell is a numeric `spec_id`.
pub(super) fn spec_constant_form_is_lossless(ctx: &Context, body: &Body, op: OpId) -> bool {
    let mut others = body[op].attributes.entries(ctx).iter();
    others.all(|&(name, value)| {
        ctx.str(name) == "spec_id" && matches!(value.kind(ctx), AttrKind::Integer { .. })
    })
}

pub(super) fn print_spec_constant(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    print_name(p, ctx, body, op);
    if let Some(id) = body[op].attr(ctx, "spec_id") {
        p.text(" spec_id(");
        p.attr_brief(id);
        p.text(")");
    }
    p.text(" = ");
    print_attr(p, ctx, body, op, "default_value");
}

/// `@c (@a, @b) : type`
pub(super) fn parse_spec_composite(p: &mut OpParser<'_, '_>) -> Parsed {
    parse_name(p)?;
    let mut parts = Vec::new();
    p.expect(Tok::LParen)?;
    p.list(Delimiter::None, |p| {
        parts.push(flat_symbol(p)?);
        Ok(())
    })?;
    p.expect(Tok::RParen)?;
    p.set_property("constituents", p.ctx().array_attr(&parts));
    let ty = p.colon_type()?;
    p.set_property("type", p.ctx().type_attr(ty));
    Ok(())
}

pub(super) fn print_spec_composite(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    print_name(p, ctx, body, op);
    let parts = body[op].attr(ctx, "constituents");
    p.text(" (");
    p.separated(
        parts.and_then(|list| list.as_array(ctx)).unwrap_or(&[]),
        |p, &part| p.attr(part),
    );
    p.text(") : ");
    print_attr(p, ctx, body, op, "type");
}

/// `@c (@a) : type`
pub(super) fn parse_spec_replicate(p: &mut OpParser<'_, '_>) -> Parsed {
    parse_name(p)?;
    p.expect(Tok::LParen)?;
    let part = flat_symbol(p)?;
    p.set_property("constituent", part);
    p.expect(Tok::RParen)?;
    let ty = p.colon_type()?;
    p.set_property("type", p.ctx().type_attr(ty));
    Ok(())
}

pub(super) fn print_spec_replicate(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    print_name(p, ctx, body, op);
    p.text(" (");
    print_attr(p, ctx, body, op, "constituent");
    p.text(") : ");
    print_attr(p, ctx, body, op, "type");
}

/// Parses `wraps "spirv.IAdd"(%a, %b) : (i32, i32) -> i32`: one operation in
/// generic form, whose result is yielded.
pub(super) fn parse_spec_operation(p: &mut OpParser<'_, '_>) -> Parsed {
    p.expect_keyword("wraps")?;
    p.wrapped_operation(super::control::YIELD)?;
    p.attr_dict()
}

/// Whether the custom form is lossless: it omits the terminator, which must
/// have no attributes.
pub(super) fn spec_operation_form_is_lossless(_: &Context, body: &Body, op: OpId) -> bool {
    let last = body
        .region_block(op, 0)
        .and_then(|block| body[block].last());
    last.is_none_or(|last| body[last].attributes.is_empty())
}

pub(super) fn print_spec_operation(p: &mut OpPrinter<'_>, _: &Context, body: &Body, op: OpId) {
    p.text(" wraps ");
    let block = body.region_block(op, 0);
    if let Some(inner) = block.and_then(|block| body[block].first()) {
        p.generic_form(body, inner);
    }
    p.attr_dict(body, op, &[]);
}

/// `"GLCompute" @f, @a, @b`
pub(super) fn parse_entry_point(p: &mut OpParser<'_, '_>) -> Parsed {
    let model = parse_quoted_case(p, &EXECUTION_MODEL)?;
    set_case(p, "execution_model", &EXECUTION_MODEL, model);
    parse_function_and_interface(p)
}

/// `@f, @variable, @variable`
pub(super) fn parse_function_and_interface(p: &mut OpParser<'_, '_>) -> Parsed {
    let function = flat_symbol(p)?;
    p.set_property("fn", function);
    let mut interface = Vec::new();
    while p.eat(Tok::Comma) {
        interface.push(flat_symbol(p)?);
    }
    p.set_property("interface", p.ctx().array_attr(&interface));
    Ok(())
}

pub(super) fn print_entry_point(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    print_quoted_case(p, ctx, body, op, ("execution_model", &EXECUTION_MODEL));
    print_function_and_interface(p, ctx, body, op);
}

/// ` @f, @variable, @variable`
pub(super) fn print_function_and_interface(
    p: &mut OpPrinter<'_>,
    ctx: &Context,
    body: &Body,
    op: OpId,
) {
    p.text(" ");
    print_attr(p, ctx, body, op, "fn");
    let interface = body[op].attr(ctx, "interface");
    for &variable in interface.and_then(|list| list.as_array(ctx)).unwrap_or(&[]) {
        p.text(", ");
        p.attr(variable);
    }
}

/// `@f "LocalSize", 64, 1, 1`
pub(super) fn parse_execution_mode(p: &mut OpParser<'_, '_>) -> Parsed {
    let function = flat_symbol(p)?;
    p.set_property("fn", function);
    let mode = parse_quoted_case(p, &EXECUTION_MODE)?;
    set_case(p, "execution_mode", &EXECUTION_MODE, mode);
    let int32 = p.ctx().int_type(32);
    let mut values = Vec::new();
    while p.eat(Tok::Comma) {
        values.push(p.attribute_of(int32)?);
    }
    p.set_property("values", p.ctx().array_attr(&values));
    Ok(())
}

pub(super) fn print_execution_mode(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    p.text(" ");
    print_attr(p, ctx, body, op, "fn");
    print_quoted_case(p, ctx, body, op, ("execution_mode", &EXECUTION_MODE));
    let values = body[op].attr(ctx, "values");
    for &value in values.and_then(|list| list.as_array(ctx)).unwrap_or(&[]) {
        p.text(", ");
        p.attr_untyped(value);
    }
}
