//! Object attributes: compiled kernels, `#gpu.object<…>` with its kernel table, and
//! `#gpu.select_object<…>`, the handler that chooses an object of a binary.

use super::check::is_target;
use crate::fields::{Field, Kind, parse_kind, parse_values, print_values};
use gridloom_ir::attr::{Attr, AttrKind, Int};
use gridloom_ir::context::Context;
use gridloom_ir::text::{BodyParser, OpPrinter, ParseFailed, Place, Tok};

type Parsed<T = Attr> = Result<T, ParseFailed>;

const METADATA: &[Field] = &[
    Field::optional("arg_attrs", Kind::Array),
    Field::optional("metadata", Kind::Dict),
];

/// Object formats in the order of their numbers, from 1.
const FORMATS: [&str; 4] = ["offload", "assembly", "bin", "fatbin"];

fn string(p: &mut BodyParser<'_, '_>) -> Parsed {
    parse_kind(p, |kind| matches!(kind, AttrKind::String { .. }))
}

fn given(ctx: &Context, param: &Attr) -> bool {
    *param.kind(ctx) != AttrKind::Unit
}

// ---- kernels ----

/// `<"name", (i32) -> (), arg_attrs = […], metadata = {…}>`
pub(super) fn parse_metadata(p: &mut BodyParser<'_, '_>) -> Parsed {
    let (ctx, place) = (p.ctx(), p.place());
    p.expect(Tok::Less)?;
    let name = string(p)?;
    p.expect(Tok::Comma)?;
    let mut params = vec![name, ctx.type_attr(p.ty()?)];
    match p.eat(Tok::Comma) {
        true => params.extend(parse_values(p, "GPU_KernelMetadataAttr", METADATA)?),
        false => params.extend([ctx.unit_attr(); 2]),
    }
    p.expect(Tok::Greater)?;
    if name.as_str(ctx) == Some("") {
        return Err(p.error_at(place, "the kernel name can't be empty"));
    }
    let is_dict = |attr: &Attr| matches!(attr.kind(ctx), AttrKind::Dict(_));
    let arg_attrs = params[2].as_array(ctx);
    if !arg_attrs.is_none_or(|list| list.iter().all(is_dict)) {
        let message = "all attributes in the array must be a dictionary attribute";
        return Err(p.error_at(place, message));
    }
    Ok(ctx.parametric_attr("gpu", "kernel_metadata", &params))
}

pub(super) fn print_metadata(p: &mut OpPrinter<'_>, ctx: &Context, params: &[Attr]) {
    let [name, ty, fields @ ..] = params else {
        return;
    };
    p.text("<");
    p.attr(*name);
    p.text(", ");
    p.attr(*ty);
    if fields.iter().any(|field| given(ctx, field)) {
        p.text(", ");
        print_values(p, ctx, METADATA, fields);
    }
    p.text(">");
}

/// Parses `#gpu.name<…>`, or the text after the name alone.
fn named(
    p: &mut BodyParser<'_, '_>,
    name: &str,
    parse: fn(&mut BodyParser<'_, '_>) -> Parsed,
) -> Parsed {
    if !p.at(Tok::Hash) {
        return parse(p);
    }
    p.attribute_as(|attr, ctx| attr.params(ctx, "gpu", name).map(|_| attr))
}

/// Parses `<[#gpu.kernel_metadata<…>, …]>`: a kernel table, sorted by name.
pub(super) fn parse_table(p: &mut BodyParser<'_, '_>) -> Parsed {
    let (ctx, place) = (p.ctx(), p.place());
    p.expect(Tok::Less)?;
    let mut kernels = Vec::new();
    if p.eat(Tok::LSquare) {
        loop {
            kernels.push(named(p, "kernel_metadata", parse_metadata)?);
            if !p.eat(Tok::Comma) {
                break;
            }
        }
        p.expect(Tok::RSquare)?;
    }
    p.expect(Tok::Greater)?;
    kernels.sort_by_key(|kernel| kernel_name(ctx, *kernel));
    let same = |pair: &[Attr]| kernel_name(ctx, pair[0]) == kernel_name(ctx, pair[1]);
    if kernels.windows(2).any(same) {
        return Err(p.error_at(place, "expected all kernels to be uniquely named"));
    }
    Ok(ctx.parametric_attr("gpu", "kernel_table", &kernels))
}

fn kernel_name(ctx: &Context, kernel: Attr) -> Option<&[u8]> {
    let name = kernel.params(ctx, "gpu", "kernel_metadata")?.first()?;
    match name.kind(ctx) {
        AttrKind::String { value, .. } => Some(value),
        _ => None,
    }
}

pub(super) fn print_table(p: &mut OpPrinter<'_>, _ctx: &Context, kernels: &[Attr]) {
    p.text("<");
    if !kernels.is_empty() {
        p.text("[");
        p.separated(kernels, |p, kernel| p.attr(*kernel));
        p.text("]");
    }
    p.text(">");
}

// ---- objects ----

/// `<#nvvm.target, properties = {…}, kernels = <…>, bin = "…">`
pub(super) fn parse_object(p: &mut BodyParser<'_, '_>) -> Parsed {
    let (ctx, place) = (p.ctx(), p.place());
    p.expect(Tok::Less)?;
    let target = p.attribute()?;
    p.expect(Tok::Comma)?;
    let [mut properties, mut kernels] = [ctx.unit_attr(); 2];
    if p.eat_keyword("properties") {
        p.expect(Tok::Equal)?;
        properties = parse_kind(p, |kind| matches!(kind, AttrKind::Dict(_)))?;
        p.expect(Tok::Comma)?;
    }
    if p.eat_keyword("kernels") {
        p.expect(Tok::Equal)?;
        kernels = named(p, "kernel_table", parse_table)?;
        p.expect(Tok::Comma)?;
    }
    let format = parse_format(p)?;
    let object = string(p)?;
    p.expect(Tok::Greater)?;
    check_target(
        p,
        place,
        target,
        "the target attribute must implement or promise the `gpu::TargetAttrInterface`",
    )?;
    let format = ctx.int_attr(ctx.int_type(32), format);
    Ok(p.make_attr(&[target, format, object, properties, kernels]))
}

/// Parses `bin =`; a fat binary unless given.
fn parse_format(p: &mut BodyParser<'_, '_>) -> Parsed<i64> {
    let place = p.place();
    if !p.at(Tok::Bare) {
        return Ok(FORMATS.len() as i64);
    }
    let word = p.keyword("an object's format")?;
    let Some(index) = FORMATS.iter().position(|&format| format == word) else {
        return Err(p.error_at(place, "expected keyword for GPU object format"));
    };
    p.expect(Tok::Equal)?;
    Ok(index as i64 + 1)
}

fn check_target(
    p: &mut BodyParser<'_, '_>,
    place: Place,
    target: Attr,
    message: &str,
) -> Parsed<()> {
    match is_target(p.ctx(), target) {
        true => Ok(()),
        false => Err(p.error_at(place, message)),
    }
}

pub(super) fn print_object(p: &mut OpPrinter<'_>, ctx: &Context, params: &[Attr]) {
    let &[target, format, object, properties, kernels] = params else {
        return;
    };
    p.text("<");
    p.attr(target);
    p.text(", ");
    if given(ctx, &properties) {
        p.text("properties = ");
        p.attr(properties);
        p.text(", ");
    }
    if let Some(kernels) = kernels.params(ctx, "gpu", "kernel_table") {
        p.text("kernels = ");
        print_table(p, ctx, kernels);
        p.text(", ");
    }
    let format = format.as_i64(ctx).and_then(|n| usize::try_from(n).ok());
    if let Some(format) = format.filter(|&n| (1..FORMATS.len()).contains(&n)) {
        p.text(FORMATS[format - 1]);
        p.text(" = ");
    }
    p.attr(object);
    p.text(">");
}

// ---- selection of an object ----

/// `<1>`, `<#nvvm.target>`, or nothing for the first object.
pub(super) fn parse_select(p: &mut BodyParser<'_, '_>) -> Parsed {
    let place = p.place();
    if !p.eat(Tok::Less) {
        return Ok(p.make_attr(&[]));
    }
    let target = p.attribute()?;
    p.expect(Tok::Greater)?;
    let AttrKind::Integer { value, .. } = target.kind(p.ctx()) else {
        let message = "the target attribute must be a GPU Target attribute";
        check_target(p, place, target, message)?;
        return Ok(p.make_attr(&[target]));
    };
    // `true` is a single bit, which is its sign.
    let is_true = target.as_bool(p.ctx()) == Some(true);
    if is_true || matches!(value, Int::Small(index) if *index < 0) {
        return Err(p.error_at(place, "the object index must be positive"));
    }
    Ok(p.make_attr(&[target]))
}

pub(super) fn print_select(p: &mut OpPrinter<'_>, _ctx: &Context, params: &[Attr]) {
    if let [target] = params {
        p.text("<");
        p.attr(*target);
        p.text(">");
    }
}
