//! `#complex.number<:f32 1.0, 2.0>`.

use gridloom_ir::attr::{Attr, AttrKind};
use gridloom_ir::context::Context;
use gridloom_ir::scalar::encode_float;
use gridloom_ir::text::{BodyParser, OpPrinter, ParseFailed, Tok};
use gridloom_ir::types::{FloatKind, TypeKind};

/// Parses the body: the element type, then both parts, which become the
/// parameters.
pub(super) fn parse(p: &mut BodyParser<'_, '_>) -> Result<Attr, ParseFailed> {
    let ctx = p.ctx();
    p.expect(Tok::Less)?;
    p.expect(Tok::Colon)?;
    let place = p.place();
    let ty = p.ty()?;
    let Some(kind) = ty.float_kind(ctx) else {
        return Err(p.error_at(place, "the parts of a complex number are floats"));
    };
    let real = part(p, kind)?;
    p.expect(Tok::Comma)?;
    let imaginary = part(p, kind)?;
    p.expect(Tok::Greater)?;
    let complex = ctx.intern_type(TypeKind::Complex(ty));
    Ok(p.make_typed_attr(&[real, imaginary], Some(complex)))
}

/// Parses a number in double precision and rounds it to the format.
fn part(p: &mut BodyParser<'_, '_>, kind: FloatKind) -> Result<Attr, ParseFailed> {
    let ctx = p.ctx();
    let place = p.place();
    let value = p.attribute_of(ctx.float_type(FloatKind::F64))?;
    let rounded = match value.kind(ctx) {
        AttrKind::Float { bits, .. } => encode_float(kind, f64::from_bits(*bits as u64)),
        _ => None,
    };
    match rounded {
        Some(bits) => Ok(ctx.intern_attr(AttrKind::Float {
            ty: ctx.float_type(kind),
            bits,
        })),
        None => Err(p.error_at(place, "a float is needed here")),
    }
}

pub(super) fn print(p: &mut OpPrinter<'_>, ctx: &Context, params: &[Attr]) {
    p.text("<:");
    if let Some(AttrKind::Float { ty, .. }) = params.first().map(|part| part.kind(ctx)) {
        p.ty(*ty);
    }
    for (index, &part) in params.iter().enumerate() {
        p.text(if index == 0 { " " } else { ", " });
        p.attr_untyped(part);
    }
    p.text(">");
}
