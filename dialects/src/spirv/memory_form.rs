//! Custom forms of loads, stores and variables.

use super::enums::{MEMORY_ACCESS, STORAGE_CLASS};
use super::form::{case_of, parse_quoted_case, set_case};
use super::view::{pointee, pointer_type, storage_class};
use gridloom_ir::body::{Body, OpId, Value};
use gridloom_ir::context::Context;
use gridloom_ir::text::{Delimiter, OpParser, OpPrinter, ParseFailed, Tok, case_name};
use gridloom_ir::types::{Type, TypeKind};

type Parsed = Result<(), ParseFailed>;

/// The `Aligned` bit.
const ALIGNED: i64 = 2;

/// Parses the storage class of a pointer whose type is not spelled:
/// `"Function"`.
fn parse_storage(p: &mut OpParser<'_, '_>) -> Result<String, ParseFailed> {
    let value = parse_quoted_case(p, &STORAGE_CLASS)?;
    Ok(case_name(&STORAGE_CLASS, value)
        .unwrap_or_default()
        .into_owned())
}

/// ` "Function" %p`
fn print_pointer(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, pointer: Value) {
    p.text(" \"");
    p.text(storage_class(ctx, body.ty(pointer)).unwrap_or(""));
    p.text("\" ");
    p.value(pointer);
}

/// Parses `["Volatile|Aligned", 16]`, if present, into two inherent attributes.
fn parse_access(p: &mut OpParser<'_, '_>, access: &str, alignment: &str) -> Parsed {
    if !p.eat(Tok::LSquare) {
        return Ok(());
    }
    let value = parse_quoted_case(p, &MEMORY_ACCESS)?;
    set_case(p, access, &MEMORY_ACCESS, value);
    if value & ALIGNED != 0 {
        p.expect(Tok::Comma)?;
        let bytes = p.attribute_of(p.ctx().int_type(32))?;
        p.set_property(alignment, bytes);
    }
    p.expect(Tok::RSquare)
}

fn print_access(
    p: &mut OpPrinter<'_>,
    ctx: &Context,
    body: &Body,
    op: OpId,
    (access, alignment): (&str, &str),
) {
    let Some(keywords) = case_of(ctx, body, op, (access, &MEMORY_ACCESS)) else {
        return;
    };
    p.text(" [\"");
    p.text(&keywords);
    p.text("\"");
    if keywords.split('|').any(|keyword| keyword == "Aligned")
        && let Some(bytes) = body[op].attr(ctx, alignment)
    {
        p.text(", ");
        p.attr_untyped(bytes);
    }
    p.text("]");
}

const ACCESS: (&str, &str) = ("memory_access", "alignment");
const SOURCE_ACCESS: (&str, &str) = ("source_memory_access", "source_alignment");

/// `"Function" %p ["Aligned", 16] : type`
pub(super) fn parse_load(p: &mut OpParser<'_, '_>) -> Parsed {
    let storage = parse_storage(p)?;
    let pointer = p.operand()?;
    parse_access(p, ACCESS.0, ACCESS.1)?;
    p.attr_dict()?;
    let ty = p.colon_type()?;
    p.add_operand(pointer, pointer_type(p.ctx(), ty, &storage))?;
    p.add_result(ty);
    Ok(())
}

pub(super) fn print_load(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    if let [pointer] = body[op].operands[..] {
        print_pointer(p, ctx, body, pointer);
    }
    print_access(p, ctx, body, op, ACCESS);
    p.attr_dict(body, op, &[ACCESS.0, ACCESS.1]);
    p.text(" : ");
    p.result_types_of(body, op);
}

/// `"Function" %p, %v ["Aligned", 16] : type`
pub(super) fn parse_store(p: &mut OpParser<'_, '_>) -> Parsed {
    let storage = parse_storage(p)?;
    let operands = p.operands_of_number(Delimiter::None, 2)?;
    parse_access(p, ACCESS.0, ACCESS.1)?;
    let ty = p.colon_type()?;
    p.add_operand(operands[0], pointer_type(p.ctx(), ty, &storage))?;
    p.add_operand(operands[1], ty)?;
    Ok(())
}

pub(super) fn print_store(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let [pointer, value] = body[op].operands[..] else {
        return;
    };
    print_pointer(p, ctx, body, pointer);
    p.text(", ");
    p.value(value);
    print_access(p, ctx, body, op, ACCESS);
    p.text(" : ");
    p.ty(body.ty(value));
}

/// `"Function" %to ["Aligned", 4], "Function" %from, ["Volatile"] : type {…}`
pub(super) fn parse_copy(p: &mut OpParser<'_, '_>) -> Parsed {
    let target_storage = parse_storage(p)?;
    let target = p.operand()?;
    p.expect(Tok::Comma)?;
    let source_storage = parse_storage(p)?;
    let source = p.operand()?;
    parse_access(p, ACCESS.0, ACCESS.1)?;
    if p.eat(Tok::Comma) {
        parse_access(p, SOURCE_ACCESS.0, SOURCE_ACCESS.1)?;
    }
    let ty = p.colon_type()?;
    p.attr_dict()?;
    p.add_operand(target, pointer_type(p.ctx(), ty, &target_storage))?;
    p.add_operand(source, pointer_type(p.ctx(), ty, &source_storage))?;
    Ok(())
}

/// Prints a copy. Differs from mlir-opt's printer, which prints the dictionary before the type,
/// where its parser fails, and repeats the first access in place of an absent second one.
pub(super) fn print_copy(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let [target, source] = body[op].operands[..] else {
        return;
    };
    p.text(" ");
    print_pointer(p, ctx, body, target);
    p.text(", ");
    print_pointer(p, ctx, body, source);
    print_access(p, ctx, body, op, ACCESS);
    p.text(", ");
    print_access(p, ctx, body, op, SOURCE_ACCESS);
    p.text(" : ");
    p.ty(pointee(ctx, body.ty(target)).unwrap_or_else(|| body.ty(target)));
    p.attr_dict(
        body,
        op,
        &[ACCESS.0, ACCESS.1, SOURCE_ACCESS.0, SOURCE_ACCESS.1],
    );
}

/// Parses `bind(0, 1)` or `built_in("GlobalInvocationId")`, if present, and the
/// dictionary.
pub(super) fn parse_decorations(p: &mut OpParser<'_, '_>) -> Parsed {
    let ctx = p.ctx();
    if p.eat_keyword("bind") {
        p.expect(Tok::LParen)?;
        let set = p.attribute_of(ctx.int_type(32))?;
        p.expect(Tok::Comma)?;
        let binding = p.attribute_of(ctx.int_type(32))?;
        p.expect(Tok::RParen)?;
        p.set_attribute("descriptor_set", set);
        p.set_attribute("binding", binding);
    } else if p.eat_keyword("built_in") {
        p.expect(Tok::LParen)?;
        let name = p.string_attr()?;
        p.expect(Tok::RParen)?;
        p.set_attribute("built_in", name);
    }
    p.attr_dict()
}

pub(super) fn print_decorations(
    p: &mut OpPrinter<'_>,
    ctx: &Context,
    body: &Body,
    op: OpId,
    spelled: &[&str],
) {
    let data = &body[op];
    let mut spelled = spelled.to_vec();
    let number = |name| data.attr(ctx, name).and_then(|attr| attr.as_i64(ctx));
    if let (Some(set), Some(binding)) = (number("descriptor_set"), number("binding")) {
        p.text(&format!(" bind({set}, {binding})"));
        spelled.extend(["descriptor_set", "binding"]);
    }
    let name = data.attr(ctx, "built_in").and_then(|attr| attr.as_str(ctx));
    if let Some(name) = name {
        p.text(" built_in(");
        p.string(name);
        p.text(")");
        spelled.push("built_in");
    }
    p.attr_dict(body, op, &spelled);
}

/// `init(%v) bind(0, 1) {…} : !spirv.ptr<…>`
pub(super) fn parse_variable(p: &mut OpParser<'_, '_>) -> Parsed {
    let mut initializer = None;
    if p.eat_keyword("init") {
        p.expect(Tok::LParen)?;
        initializer = Some(p.operand()?);
        p.expect(Tok::RParen)?;
    }
    parse_decorations(p)?;
    p.expect(Tok::Colon)?;
    let place = p.place();
    let ty = p.ty()?;
    let ctx = p.ctx();
    let (Some(pointee), Some(storage)) = (pointee(ctx, ty), storage_class(ctx, ty)) else {
        return Err(p.error_at(place, "expected spirv.ptr type"));
    };
    p.add_result(ty);
    if let Some(initializer) = initializer {
        p.add_operand(initializer, pointee)?;
    }
    let storage = format!(".storage_class<{storage}>");
    p.set_property("storage_class", ctx.dialect_attr("spirv", &storage));
    Ok(())
}

/// Whether the custom form is lossless: it spells only the pointee type, so the
/// initializer must have it.
pub(super) fn variable_form_is_lossless(ctx: &Context, body: &Body, op: OpId) -> bool {
    let data = &body[op];
    let result = data.results().next().map(|result| body.ty(result));
    let own = result.and_then(|ty| pointee(ctx, ty));
    data.operands
        .iter()
        .all(|&value| Some(body.ty(value)) == own)
}

pub(super) fn print_variable(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    if let [initializer] = body[op].operands[..] {
        p.text(" init(");
        p.value(initializer);
        p.text(")");
    }
    print_decorations(p, ctx, body, op, &["storage_class"]);
    p.text(" : ");
    p.result_types_of(body, op);
}

/// `"StorageBuffer" %p, %v : type`
pub(super) fn parse_block_write(p: &mut OpParser<'_, '_>) -> Parsed {
    let storage = parse_storage(p)?;
    let pointer = p.operand()?;
    p.expect(Tok::Comma)?;
    let value = p.operand()?;
    let ty = p.colon_type()?;
    let element = block_element(p.ctx(), ty);
    p.add_operand(pointer, pointer_type(p.ctx(), element, &storage))?;
    p.add_operand(value, ty)?;
    Ok(())
}

/// The pointee type of a block read or write of this type.
pub(super) fn block_element(ctx: &Context, ty: Type) -> Type {
    match ty.kind(ctx) {
        TypeKind::Vector { element, .. } => *element,
        _ => ty,
    }
}

pub(super) fn print_block_write(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let [pointer, value] = body[op].operands[..] else {
        return;
    };
    print_pointer(p, ctx, body, pointer);
    p.text(", ");
    p.value(value);
    p.text(" : ");
    p.ty(body.ty(value));
}
