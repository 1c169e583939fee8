//! Custom forms of operations on device memory and tokens.

use gridloom_ir::body::{Body, OpId};
use gridloom_ir::context::Context;
use gridloom_ir::text::{Delimiter, OpParser, OpPrinter, Operands, ParseFailed, Tok};

use super::async_token;
use super::form::{parse_async, print_async};

type Parsed = Result<(), ParseFailed>;

/// `gpu.alloc async [%t] host_shared (%n)[%s] : memref<…>`
pub(super) fn parse_alloc(p: &mut OpParser<'_, '_>) -> Parsed {
    let ctx = p.ctx();
    let index = ctx.index_type();
    let (is_async, waits) = parse_async(p)?;
    if p.eat_keyword("host_shared") {
        p.set_property("hostShared", ctx.unit_attr());
    }
    let sizes = p.operand_list(Delimiter::Paren)?;
    let symbols = if p.at(Tok::LSquare) {
        p.operand_list(Delimiter::Square)?
    } else {
        Default::default()
    };
    p.attr_dict()?;
    p.expect(Tok::Colon)?;
    let place = p.place();
    let ty = p.ty()?;
    p.check_class(place, ty, "builtin.memref")?;
    p.add_operands(&waits, async_token(ctx))?;
    p.add_operands(&sizes, index)?;
    p.add_operands(&symbols, index)?;
    p.set_operand_segments(&[waits.len(), sizes.len(), symbols.len()].map(|n| n as i32));
    p.add_result(ty);
    if is_async {
        p.add_result(async_token(ctx));
    }
    Ok(())
}

pub(super) fn print_alloc(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    let group = |index| data.operand_segment(ctx, index);
    print_async(p, data.num_results() > 1, group(0));
    if data.attr(ctx, "hostShared").is_some() {
        p.text(" host_shared");
    }
    p.text(" (");
    p.values(group(1));
    p.text(")");
    if !group(2).is_empty() {
        p.text("[");
        p.values(group(2));
        p.text("]");
    }
    p.attr_dict(body, op, &["hostShared"]);
    p.text(" : ");
    if let Some(memref) = data.results().next() {
        p.ty(body.ty(memref));
    }
}

/// Parses the form of operations on a memref and further values, of memref type or of any, after
/// their tokens. The attributes stand before the types, or at the end.
fn parse_on(p: &mut OpParser<'_, '_>, memrefs: &[bool], attrs_first: bool) -> Parsed {
    let ctx = p.ctx();
    let (is_async, waits) = parse_async(p)?;
    let mut operands = Operands::new();
    for index in 0..memrefs.len() {
        if index > 0 {
            p.expect(Tok::Comma)?;
        }
        operands.push(p.operand()?);
    }
    if attrs_first {
        p.attr_dict()?;
    }
    let mut types = Vec::with_capacity(memrefs.len());
    for (index, &memref) in memrefs.iter().enumerate() {
        p.expect(if index > 0 { Tok::Comma } else { Tok::Colon })?;
        let place = p.place();
        let ty = p.ty()?;
        if memref {
            p.check_class(place, ty, "builtin.memref")?;
        }
        types.push(ty);
    }
    p.add_operands(&waits, async_token(ctx))?;
    p.add_typed_operands(&operands, &types)?;
    if is_async {
        p.add_result(async_token(ctx));
    }
    if attrs_first { Ok(()) } else { p.attr_dict() }
}

fn print_on(p: &mut OpPrinter<'_>, body: &Body, op: OpId, count: usize, attrs_first: bool) {
    let data = &body[op];
    let (waits, operands) = data
        .operands
        .split_at(data.operands.len().saturating_sub(count));
    print_async(p, data.num_results() > 0, waits);
    p.text(" ");
    p.values(operands);
    if attrs_first {
        p.attr_dict(body, op, &[]);
    }
    p.text(" : ");
    p.types_of(body, operands);
    if !attrs_first {
        p.attr_dict(body, op, &[]);
    }
}

/// `gpu.dealloc async [%t] %m : memref<…>`
pub(super) fn parse_dealloc(p: &mut OpParser<'_, '_>) -> Parsed {
    parse_on(p, &[true], true)
}

pub(super) fn print_dealloc(p: &mut OpPrinter<'_>, _: &Context, body: &Body, op: OpId) {
    print_on(p, body, op, 1, true);
}

/// `gpu.memcpy async [%t] %to, %from : memref<…>, memref<…>`
pub(super) fn parse_copy(p: &mut OpParser<'_, '_>) -> Parsed {
    parse_on(p, &[true, true], false)
}

/// `gpu.memset async [%t] %to, %value : memref<…>, f32`
pub(super) fn parse_set(p: &mut OpParser<'_, '_>) -> Parsed {
    parse_on(p, &[true, false], false)
}

pub(super) fn print_copy(p: &mut OpPrinter<'_>, _: &Context, body: &Body, op: OpId) {
    print_on(p, body, op, 2, false);
}

/// `gpu.wait async [%t]`
pub(super) fn parse_wait(p: &mut OpParser<'_, '_>) -> Parsed {
    let token = async_token(p.ctx());
    let (is_async, waits) = parse_async(p)?;
    p.add_operands(&waits, token)?;
    if is_async {
        p.add_result(token);
    }
    p.attr_dict()
}

pub(super) fn print_wait(p: &mut OpPrinter<'_>, _: &Context, body: &Body, op: OpId) {
    print_async(p, body[op].num_results() > 0, &body[op].operands);
    p.attr_dict(body, op, &[]);
}
