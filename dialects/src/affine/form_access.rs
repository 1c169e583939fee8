//! Custom forms of affine memory accesses: loads, stores and prefetches.

use crate::memref::form::{parse_prefetch_hints, print_prefetch_hints};
use gridloom_ir::attr_names;
use gridloom_ir::body::{Body, OpId, Value};
use gridloom_ir::context::Context;
use gridloom_ir::text::{
    Delimiter, OpParser, OpPrinter, Operand, Operands, ParseFailed, Place, Tok, type_string,
};
use gridloom_ir::types::{Type, TypeKind};

type Parsed<T = ()> = Result<T, ParseFailed>;

/// Reports a type in the place of a ranked memref.
fn not_a_memref(p: &mut OpParser<'_, '_>, place: Place, ty: Type) -> ParseFailed {
    not_a(p, "memref", place, ty)
}

fn not_a(p: &mut OpParser<'_, '_>, wanted: &str, place: Place, ty: Type) -> ParseFailed {
    let shown = type_string(p.ctx(), ty);
    let message =
        format!("invalid kind of type specified: expected builtin.{wanted}, but found '{shown}'");
    p.error_at(place, message)
}

fn parse_vector_type(p: &mut OpParser<'_, '_>) -> Parsed<Type> {
    let place = p.place();
    let ty = p.ty()?;
    match ty.kind(p.ctx()) {
        TypeKind::Vector { .. } => Ok(ty),
        _ => Err(not_a(p, "vector", place, ty)),
    }
}

/// Parses `%memref[%i + 1, %j]` and sets the map as property; adds no operands.
fn parse_place<'s>(p: &mut OpParser<'_, 's>) -> Parsed<(Operand<'s>, Operands<'s>)> {
    let memref = p.operand()?;
    let (map, indices) = p.map_of_values(Delimiter::Square)?;
    let map = p.ctx().map_attr(map);
    p.set_property(attr_names::MAP, map);
    Ok((memref, indices))
}

/// Parses `: memref<…>`; adds the memref and the indices, and returns the element type.
fn parse_memref_type<'s>(
    p: &mut OpParser<'_, 's>,
    memref: Operand<'s>,
    indices: &[Operand<'s>],
) -> Parsed<Type> {
    p.expect(Tok::Colon)?;
    let place = p.place();
    let ty = p.ty()?;
    let Some(element) = ty.memref(p.ctx()).map(|m| m.element) else {
        return Err(not_a_memref(p, place, ty));
    };
    p.add_operand(memref, ty)?;
    let index = p.ctx().index_type();
    p.add_operands(indices, index)?;
    Ok(element)
}

/// `affine.load %memref[…] : memref<…>`
pub(super) fn parse_load(p: &mut OpParser<'_, '_>) -> Parsed {
    let (memref, indices) = parse_place(p)?;
    p.attr_dict()?;
    let element = parse_memref_type(p, memref, &indices)?;
    p.add_result(element);
    Ok(())
}

/// `affine.vector_load %memref[…] : memref<…>, vector<…>`
pub(super) fn parse_vector_load(p: &mut OpParser<'_, '_>) -> Parsed {
    let (memref, indices) = parse_place(p)?;
    p.attr_dict()?;
    parse_memref_type(p, memref, &indices)?;
    p.expect(Tok::Comma)?;
    let ty = parse_vector_type(p)?;
    p.add_result(ty);
    Ok(())
}

/// Prints `affine.load` and `affine.vector_load`.
pub(super) fn print_load(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let Some((&memref, indices)) = body[op].operands.split_first() else {
        return;
    };
    p.text(" ");
    print_place(p, ctx, body, op, memref, indices);
    p.attr_dict_of(body, op, &[attr_names::MAP], "");
    p.text(" : ");
    p.ty(body.ty(memref));
    if body[op].name == super::VECTOR_LOAD {
        p.text(", ");
        p.result_types_of(body, op);
    }
}

fn print_place(
    p: &mut OpPrinter<'_>,
    ctx: &Context,
    body: &Body,
    op: OpId,
    memref: Value,
    indices: &[Value],
) {
    p.value(memref);
    p.text("[");
    if let Some(map) = body[op]
        .attr(ctx, attr_names::MAP)
        .and_then(|a| a.as_map(ctx))
    {
        p.map_of_values(map, indices);
    }
    p.text("]");
}

/// `affine.store %value, %memref[…] : memref<…>`
pub(super) fn parse_store(p: &mut OpParser<'_, '_>) -> Parsed {
    let value = p.operand()?;
    p.expect(Tok::Comma)?;
    let (memref, indices) = parse_place(p)?;
    p.attr_dict()?;
    p.expect(Tok::Colon)?;
    let place = p.place();
    let ty = p.ty()?;
    let Some(element) = ty.memref(p.ctx()).map(|m| m.element) else {
        return Err(not_a_memref(p, place, ty));
    };
    add_stored(p, (value, element), (memref, ty), &indices)
}

/// `affine.vector_store %value, %memref[…] : memref<…>, vector<…>`
pub(super) fn parse_vector_store(p: &mut OpParser<'_, '_>) -> Parsed {
    let value = p.operand()?;
    p.expect(Tok::Comma)?;
    let (memref, indices) = parse_place(p)?;
    p.attr_dict()?;
    let ty = p.colon_type()?;
    p.expect(Tok::Comma)?;
    let vector = parse_vector_type(p)?;
    add_stored(p, (value, vector), (memref, ty), &indices)
}

fn add_stored<'s>(
    p: &mut OpParser<'_, 's>,
    value: (Operand<'s>, Type),
    memref: (Operand<'s>, Type),
    indices: &[Operand<'s>],
) -> Parsed {
    p.add_operand(value.0, value.1)?;
    p.add_operand(memref.0, memref.1)?;
    let index = p.ctx().index_type();
    p.add_operands(indices, index)
}

/// Prints `affine.store` and `affine.vector_store`.
pub(super) fn print_store(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let [value, memref, indices @ ..] = &body[op].operands[..] else {
        return;
    };
    p.text(" ");
    p.value(*value);
    p.text(", ");
    print_place(p, ctx, body, op, *memref, indices);
    p.attr_dict_of(body, op, &[attr_names::MAP], "");
    p.text(" : ");
    p.ty(body.ty(*memref));
    if body[op].name == super::VECTOR_STORE {
        p.text(", ");
        p.ty(body.ty(*value));
    }
}

/// `affine.prefetch %memref[…], read, locality<3>, data : memref<…>`
pub(super) fn parse_prefetch(p: &mut OpParser<'_, '_>) -> Parsed {
    let (memref, indices) = parse_place(p)?;
    parse_prefetch_hints(p)?;
    p.attr_dict()?;
    parse_memref_type(p, memref, &indices)?;
    Ok(())
}

pub(super) fn print_prefetch(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    let Some((&memref, indices)) = data.operands.split_first() else {
        return;
    };
    p.text(" ");
    print_place(p, ctx, body, op, memref, indices);
    print_prefetch_hints(p, ctx, body, op);
    p.attr_dict(body, op, &["map", "isWrite", "localityHint", "isDataCache"]);
    p.text(" : ");
    p.ty(body.ty(memref));
}
