//! Old `reshape` and `view`, which have no counterpart today.

use super::emit::{Emit, Parts};
use gridloom_ir::body::Value;
use gridloom_ir::text::PResult;
use gridloom_ir::text::{Tok, Token};
use gridloom_ir::types::Type;

/// `reshape %m : A (%sizes)[%symbols] to (A -> B)`, or `: B` for the end.
pub(super) fn custom_reshape(e: &mut Emit<'_, '_>) -> PResult<()> {
    let operand = e.p.operand()?;
    e.p.expect(Tok::Colon)?;
    let from = e.p.ty()?;
    let (sizes, symbols) = e.dims_and_symbols()?;
    let token = e.p.tok;
    let to = if e.p.eat_keyword("to") {
        e.p.expect(Tok::LParen)?;
        let place = e.p.tok;
        if e.p.ty()? != from {
            return Err(e.p.error_on(place, "this is not the type of the operand"));
        }
        e.p.expect(Tok::Arrow)?;
        let to = e.p.ty()?;
        e.p.expect(Tok::RParen)?;
        to
    } else {
        e.p.expect(Tok::Colon)?;
        e.p.ty()?
    };
    let source = e.p.resolve(operand, from)?;
    let sizes = e.indices(&sizes)?;
    let symbols = e.indices(&symbols)?;
    e.end_of_text()?;
    check_reshape(e, from, to, token)?;
    bygone(e, "legacy.reshape", source, (&sizes, &symbols), to)
}

/// The generic form of `reshape`: operands are the source, sizes and symbols.
pub(super) fn generic_reshape(e: &mut Emit<'_, '_>, parts: Parts) -> PResult<()> {
    let (source, dims, symbols, to) = split(e, &parts)?;
    let (from, token) = (e.p.value_type(source), e.token);
    check_reshape(e, from, to, token)?;
    bygone(e, "legacy.reshape", source, (&dims, &symbols), to)
}

/// Checks that a reshape keeps the number of elements.
fn check_reshape(e: &mut Emit<'_, '_>, from: Type, to: Type, token: Token) -> PResult<()> {
    check_elements(e, from, to, token)?;
    let count = |ty: Type| ty.memref(e.ctx()).and_then(|memref| memref.num_elements());
    if let (Some(before), Some(after)) = (count(from), count(to))
        && before != after
    {
        let message = format!(
            "the source has {before} elements, but the result would have {after}: \
             a reshape keeps their number"
        );
        return Err(e.p.error_on(token, message));
    }
    Ok(())
}

/// Checks that both memrefs have one element type and one memory space.
fn check_elements(e: &mut Emit<'_, '_>, from: Type, to: Type, token: Token) -> PResult<()> {
    let ctx = e.ctx();
    let (Some(source), Some(result)) = (from.memref(ctx), to.memref(ctx)) else {
        return Err(e.p.error_on(token, "both types must be ranked memrefs"));
    };
    if (source.element, source.space) != (result.element, result.space) {
        let message = "element type and memory space must be those of the operand";
        return Err(e.p.error_on(token, message));
    }
    Ok(())
}

/// `view A -> B (%sizes)[%symbols] %m : A`, or `view B (%sizes)[%symbols] %m : A`.
pub(super) fn custom_view(e: &mut Emit<'_, '_>) -> PResult<()> {
    let token = e.p.tok;
    let mut to = e.p.ty()?;
    let mut from = None;
    if e.p.eat(Tok::Arrow) {
        from = Some(std::mem::replace(&mut to, e.p.ty()?));
    }
    let (sizes, symbols) = e.dims_and_symbols()?;
    let operand = e.p.operand()?;
    e.p.expect(Tok::Colon)?;
    let place = e.p.tok;
    let base = e.p.ty()?;
    if from.is_some_and(|from| from != base) {
        return Err(e.p.error_on(place, "this is not the type before `->`"));
    }
    let source = e.p.resolve(operand, base)?;
    let sizes = e.indices(&sizes)?;
    let symbols = e.indices(&symbols)?;
    e.end_of_text()?;
    check_elements(e, base, to, token)?;
    bygone(e, "legacy.view", source, (&sizes, &symbols), to)
}

pub(super) fn generic_view(e: &mut Emit<'_, '_>, parts: Parts) -> PResult<()> {
    let (source, dims, symbols, to) = split(e, &parts)?;
    let (from, token) = (e.p.value_type(source), e.token);
    check_elements(e, from, to, token)?;
    bygone(e, "legacy.view", source, (&dims, &symbols), to)
}

/// Splits a generic form into source, sizes, symbols and result type.
fn split(e: &mut Emit<'_, '_>, parts: &Parts) -> PResult<(Value, Vec<Value>, Vec<Value>, Type)> {
    let memref = |&to: &Type| to.memref(e.ctx()).map(|memref| (to, memref));
    let result = parts.results.first().and_then(memref);
    let (Some((&source, rest)), Some((to, memref)), 1) =
        (parts.operands.split_first(), result, parts.results.len())
    else {
        return Err(e.error("this takes a memref and gives a ranked memref"));
    };
    let dynamic = memref
        .shape
        .iter()
        .filter(|&&d| !gridloom_ir::affine::is_static(d));
    let (dims, symbols) = rest.split_at(dynamic.count().min(rest.len()));
    Ok((source, dims.to_vec(), symbols.to_vec(), to))
}

fn bygone(
    e: &mut Emit<'_, '_>,
    name: &str,
    source: Value,
    (sizes, symbols): (&[Value], &[Value]),
    to: Type,
) -> PResult<()> {
    let segments = [1, sizes.len() as i32, symbols.len() as i32];
    let segments = e.ctx().i32_array_attr(&segments);
    let operands = [&[source], sizes, symbols].concat();
    e.unregistered_op(name, &operands, &[to], &[("operandSegmentSizes", segments)])
}
