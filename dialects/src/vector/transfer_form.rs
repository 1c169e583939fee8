//! Custom forms of transfers. The dictionary omits the default map and bounds;
//! the type of the mask is inferred.

use super::transfer::{base_of, is_minor_identity, mask_type, minor_map};
use super::types::VectorShape;
use gridloom_ir::affine::AffineMap;
use gridloom_ir::body::{Body, OpId};
use gridloom_ir::context::Context;
use gridloom_ir::text::{Delimiter, OpParser, OpPrinter, Operand, ParseFailed, Place, Tok};
use gridloom_ir::types::{Type, TypeKind};

type Parsed<T = ()> = Result<T, ParseFailed>;

/// Parses `, %mask` if present.
fn parse_mask<'s>(p: &mut OpParser<'_, 's>) -> Parsed<Option<Operand<'s>>> {
    if p.eat(Tok::Comma) {
        p.operand().map(Some)
    } else {
        Ok(None)
    }
}

/// Parses `: type, type`; returns the position of the types as well.
fn parse_types(p: &mut OpParser<'_, '_>) -> Parsed<([Type; 2], Place)> {
    let place = p.place();
    p.expect(Tok::Colon)?;
    let types = p.type_list(Delimiter::None)?;
    match types[..] {
        [first, second] => Ok(([first, second], place)),
        _ => Err(p.error_at(place, "requires two types")),
    }
}

fn base_type<'s>(p: &mut OpParser<'_, 's>, place: Place, ty: Type) -> Parsed<(&'s [i64], Type)> {
    let message = "requires memref or ranked tensor type";
    base_of(p.ctx(), ty).ok_or_else(|| p.error_at(place, message))
}

fn vector_type<'s>(p: &mut OpParser<'_, 's>, place: Place, ty: Type) -> Parsed<VectorShape<'s>> {
    VectorShape::of(p.ctx(), ty).ok_or_else(|| p.error_at(place, "requires vector type"))
}

/// Infers the map and bounds that are not spelled, and the type of the mask.
fn complete(
    p: &mut OpParser<'_, '_>,
    place: Place,
    base: (&[i64], Type),
    vector: VectorShape,
    mask: Option<Operand<'_>>,
) -> Parsed<Option<Type>> {
    let ctx = p.ctx();
    let map = parse_map(p, place, base, &vector)?;
    if p.get_attr("in_bounds").is_none() {
        let bounds = vec![ctx.bool_attr(false); map.results(ctx).len()];
        p.set_property("in_bounds", ctx.array_attr(&bounds));
    }
    if mask.is_none() {
        return Ok(None);
    }
    if matches!(base.1.kind(ctx), TypeKind::Vector { .. }) {
        return Err(p.error_at(place, "does not support masks with vector element type"));
    }
    let message = "expected the same rank for the vector and the results of the permutation map";
    let fits = vector.rank() == map.results(ctx).len();
    match mask_type(ctx, &vector, map).filter(|_| fits) {
        Some(mask) => Ok(Some(mask)),
        None => Err(p.error_at(place, message)),
    }
}

/// The map given in the dictionary, or the default one.
fn parse_map(
    p: &mut OpParser<'_, '_>,
    place: Place,
    base: (&[i64], Type),
    vector: &VectorShape,
) -> Parsed<AffineMap> {
    let ctx = p.ctx();
    if let Some(map) = p.get_attr("permutation_map") {
        let map = map.as_map(ctx);
        return map.ok_or_else(|| p.error_at(place, "`permutation_map` must be an affine map"));
    }
    match minor_map(ctx, base, vector) {
        Some(map) => {
            p.set_property("permutation_map", ctx.map_attr(map));
            Ok(map)
        }
        None => Err(p.error_at(
            place,
            "expected a custom permutation_map when rank(source) != rank(destination)",
        )),
    }
}

/// `%base[%i, %j], %padding, %mask {…} : type, vector`
pub(super) fn parse_read(p: &mut OpParser<'_, '_>) -> Parsed {
    let base = p.operand()?;
    let indices = p.operand_list(Delimiter::Square)?;
    p.expect(Tok::Comma)?;
    let padding = p.operand()?;
    let mask = parse_mask(p)?;
    p.attr_dict()?;
    let ([base_ty, vector], place) = parse_types(p)?;
    let sides = (
        base_type(p, place, base_ty)?,
        vector_type(p, place, vector)?,
    );
    let mask_type = complete(p, place, sides.0, sides.1, mask)?;
    let element = base_ty.element(p.ctx()).unwrap_or(base_ty);
    p.add_operand(base, base_ty)?;
    p.add_operands(&indices, p.ctx().index_type())?;
    p.add_operand(padding, element)?;
    if let (Some(mask), Some(ty)) = (mask, mask_type) {
        p.add_operand(mask, ty)?;
    }
    p.set_operand_segments(&[1, indices.len() as i32, 1, mask.is_some().into()]);
    p.add_result(vector);
    Ok(())
}

/// `%vector, %base[%i, %j], %mask {…} : vector, type`
pub(super) fn parse_write(p: &mut OpParser<'_, '_>) -> Parsed {
    let value = p.operand()?;
    p.expect(Tok::Comma)?;
    let base = p.operand()?;
    let indices = p.operand_list(Delimiter::Square)?;
    let mask = parse_mask(p)?;
    p.attr_dict()?;
    let ([vector, base_ty], place) = parse_types(p)?;
    let shape = vector_type(p, place, vector)?;
    let sides = (base_type(p, place, base_ty)?, shape);
    let mask_type = complete(p, place, sides.0, sides.1, mask)?;
    p.add_operand(value, vector)?;
    p.add_operand(base, base_ty)?;
    p.add_operands(&indices, p.ctx().index_type())?;
    if let (Some(mask), Some(ty)) = (mask, mask_type) {
        p.add_operand(mask, ty)?;
    }
    p.set_operand_segments(&[1, 1, indices.len() as i32, mask.is_some().into()]);
    if matches!(base_ty.kind(p.ctx()), TypeKind::RankedTensor { .. }) {
        p.add_result(base_ty);
    }
    Ok(())
}

/// Prints ` {…}` without the default map and bounds.
fn print_attrs(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    let map = data.attr(ctx, "permutation_map");
    let bounds = data.attr(ctx, "in_bounds");
    let mut left_out = Vec::new();
    if map
        .and_then(|map| map.as_map(ctx))
        .is_some_and(|map| is_minor_identity(ctx, map))
    {
        left_out.push("permutation_map");
    }
    let bounds = bounds.and_then(|bounds| bounds.as_array(ctx));
    if bounds.is_some_and(|all| all.iter().all(|one| one.as_bool(ctx) == Some(false))) {
        left_out.push("in_bounds");
    }
    p.attr_dict(body, op, &left_out);
}

pub(super) fn print_read(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    let indices = data.operand_segment(ctx, 1);
    p.text(" ");
    p.values(&data.operands[..1.min(data.operands.len())]);
    p.text("[");
    p.values(indices);
    p.text("], ");
    let rest = data.operands.get(1 + indices.len()..);
    p.values(rest.unwrap_or_default());
    print_attrs(p, ctx, body, op);
    p.text(" : ");
    p.types_of(body, &data.operands[..1.min(data.operands.len())]);
    p.text(", ");
    p.result_types_of(body, op);
}

pub(super) fn print_write(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    let indices = data.operand_segment(ctx, 2);
    let both = &data.operands[..2.min(data.operands.len())];
    p.text(" ");
    p.values(both);
    p.text("[");
    p.values(indices);
    p.text("]");
    for &mask in data.operands.get(2 + indices.len()..).unwrap_or_default() {
        p.text(", ");
        p.value(mask);
    }
    print_attrs(p, ctx, body, op);
    p.text(" : ");
    p.types_of(body, both);
}
