//! Types of the dialect: syntax and parameters.
//!
//! A type stores its parts as parameters, which [`super::view`] decodes:
//!
//! | type | parameters |
//! |---|---|
//! | `array` | element, count, stride (0: none) |
//! | `rtarray` | element, stride |
//! | `ptr` | pointee, storage class |
//! | `matrix` | column, number of columns |
//! | `image` | element and six keywords |
//! | `sampled_image` | image |
//! | `coopmatrix` | element, rows, columns, scope, use |
//! | `arm.tensor` | element, extents (none: unranked) |
//! | `struct` | see [`super::types_struct`] |

use super::enums;
use super::types_struct::{parse_struct, print_struct};
use super::view::shaped;
use gridloom_ir::attr::Attr;
use gridloom_ir::context::Context;
use gridloom_ir::op::EnumDef;
use gridloom_ir::symbols::SymbolDef;
use gridloom_ir::text::{BodyParser, OpPrinter, ParseFailed, Tok, type_string};
use gridloom_ir::types::{DYNAMIC, Type, TypeKind};

pub(super) const TYPES: &[SymbolDef<Type>] = &[
    SymbolDef::new("arm.tensor", parse_tensor, print_tensor).shaped(shaped),
    SymbolDef::new("array", parse_array, print_array),
    SymbolDef::new("coopmatrix", parse_coopmatrix, print_coopmatrix).shaped(shaped),
    SymbolDef::new("image", parse_image, print_listed),
    SymbolDef::new("matrix", parse_matrix, print_array),
    SymbolDef::new("ptr", parse_pointer, print_listed),
    SymbolDef::new("rtarray", parse_rtarray, print_rtarray),
    SymbolDef::new("sampled_image", parse_sampled_image, print_listed),
    SymbolDef::new("struct", parse_struct, print_struct),
];

type Parsed = Result<Type, ParseFailed>;

/// A number as a parameter. MLIR keeps 32 bits of it.
pub(super) fn number(ctx: &Context, value: i64) -> Attr {
    ctx.int_attr(ctx.int_type(64), i64::from(value as u32))
}

/// Parses a type that may be a part of others.
fn component(p: &mut BodyParser<'_, '_>) -> Parsed {
    let place = p.place();
    let ty = p.ty()?;
    let ctx = p.ctx();
    let shown = || type_string(ctx, ty);
    let why = match ty.kind(ctx) {
        TypeKind::Parametric(def) if ctx.str(def.dialect) == "spirv" => return Ok(ty),
        TypeKind::Float(_) => return Ok(ty),
        TypeKind::Integer {
            width: 1 | 8 | 16 | 32 | 64,
            ..
        } => return Ok(ty),
        TypeKind::Integer { .. } => {
            let shown = shown();
            format!("only 1/8/16/32/64-bit integer type allowed but found '{shown}'")
        }
        TypeKind::Vector { shape, .. } => match shape[..] {
            [1..=4] => return Ok(ty),
            [length] => {
                format!("vector length has to be less than or equal to 4 but found {length}")
            }
            _ => format!("only 1-D vector allowed but found '{}'", shown()),
        },
        _ => format!("cannot use '{}' to compose SPIR-V types", shown()),
    };
    Err(p.error_at(place, why))
}

/// Parses a keyword of an enumeration after a comma; `unknown` words the
/// diagnostic.
fn keyword(
    p: &mut BodyParser<'_, '_>,
    def: &EnumDef,
    unknown: fn(&str) -> String,
) -> Result<Attr, ParseFailed> {
    p.expect(Tok::Comma)?;
    let place = p.place();
    let keyword = p.keyword("a keyword")?;
    if def.cases.iter().any(|case| case.0 == keyword) {
        Ok(p.ctx().string_attr(keyword))
    } else {
        Err(p.error_at(place, unknown(keyword)))
    }
}

/// `<4 x f32, stride = 16>`
fn parse_array(p: &mut BodyParser<'_, '_>) -> Parsed {
    p.expect(Tok::Less)?;
    let place = p.place();
    let &[count] = &p.extents(false)?[..] else {
        return Err(p.error_at(place, "expected single integer for array element count"));
    };
    if count == 0 {
        return Err(p.error_at(place, "expected array length greater than 0"));
    }
    let element = component(p)?;
    let stride = parse_stride(p)?;
    p.expect(Tok::Greater)?;
    let ctx = p.ctx();
    Ok(p.make_type(&[ctx.type_attr(element), number(ctx, count), stride]))
}

/// `<f32, stride = 16>`
fn parse_rtarray(p: &mut BodyParser<'_, '_>) -> Parsed {
    p.expect(Tok::Less)?;
    let element = component(p)?;
    let stride = parse_stride(p)?;
    p.expect(Tok::Greater)?;
    Ok(p.make_type(&[p.ctx().type_attr(element), stride]))
}

/// `, stride = 16` or nothing
fn parse_stride(p: &mut BodyParser<'_, '_>) -> Result<Attr, ParseFailed> {
    let ctx = p.ctx();
    if !p.eat(Tok::Comma) {
        return Ok(number(ctx, 0));
    }
    p.expect_keyword("stride")?;
    p.expect(Tok::Equal)?;
    let place = p.place();
    let stride = unsigned(p)?;
    if stride == 0 {
        return Err(p.error_at(place, "ArrayStride must be greater than zero"));
    }
    Ok(number(ctx, stride))
}

/// Parses a 32-bit integer; negative ones wrap, as in MLIR.
pub(super) fn unsigned(p: &mut BodyParser<'_, '_>) -> Result<i64, ParseFailed> {
    let place = p.place();
    let value = p.integer("an integer")?;
    if value < i64::from(i32::MIN) || value > i64::from(u32::MAX) {
        return Err(p.error_at(place, "integer value too large"));
    }
    Ok(i64::from(value as u32))
}

/// `<3 x vector<3xf32>>`
fn parse_matrix(p: &mut BodyParser<'_, '_>) -> Parsed {
    p.expect(Tok::Less)?;
    let place = p.place();
    let &[columns] = &p.extents(false)?[..] else {
        let message = "expected single unsigned integer for number of columns";
        return Err(p.error_at(place, message));
    };
    if !(2..=4).contains(&columns) {
        return Err(p.error_at(place, "matrix is expected to have 2, 3, or 4 columns"));
    }
    let place = p.place();
    let column = p.ty()?;
    let ctx = p.ctx();
    let why = match column.kind(ctx) {
        TypeKind::Vector { shape, element, .. } => match shape[..] {
            [2..=4] if element.float_kind(ctx).is_some() => None,
            [2..=4] => {
                let shown = type_string(ctx, *element);
                Some(format!(
                    "matrix columns' elements must be of Float type, got '{shown}'"
                ))
            }
            [length] => Some(format!(
                "matrix columns size has to be less than or equal to 4 and \
                 greater than or equal 2, but found {length}"
            )),
            _ => Some(format!(
                "only 1-D vector allowed but found '{}'",
                type_string(ctx, column)
            )),
        },
        _ => Some(format!(
            "matrix must be composed using vector type, got '{}'",
            type_string(ctx, column)
        )),
    };
    if let Some(why) = why {
        return Err(p.error_at(place, why));
    }
    p.expect(Tok::Greater)?;
    Ok(p.make_type(&[ctx.type_attr(column), number(ctx, columns)]))
}

/// `<f32, Uniform>`
fn parse_pointer(p: &mut BodyParser<'_, '_>) -> Parsed {
    p.expect(Tok::Less)?;
    let pointee = component(p)?;
    let storage = keyword(p, &enums::STORAGE_CLASS, |keyword| {
        format!("unknown storage class: {keyword}")
    })?;
    p.expect(Tok::Greater)?;
    Ok(p.make_type(&[p.ctx().type_attr(pointee), storage]))
}

/// The enumerations of an image type, in the order of `OpTypeImage`.
pub(super) const IMAGE: [&EnumDef; 6] = [
    &enums::DIM,
    &enums::IMAGE_DEPTH_INFO,
    &enums::IMAGE_ARRAYED_INFO,
    &enums::IMAGE_SAMPLING_INFO,
    &enums::IMAGE_SAMPLER_USE_INFO,
    &enums::IMAGE_FORMAT,
];

/// `<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Unknown>`
fn parse_image(p: &mut BodyParser<'_, '_>) -> Parsed {
    p.expect(Tok::Less)?;
    let element = component(p)?;
    let mut params = vec![p.ctx().type_attr(element)];
    for def in IMAGE {
        params.push(keyword(p, def, |keyword| {
            format!("unknown attribute: '{keyword}'")
        })?);
    }
    p.expect(Tok::Greater)?;
    Ok(p.make_type(&params))
}

/// `<!spirv.image<…>>`
fn parse_sampled_image(p: &mut BodyParser<'_, '_>) -> Parsed {
    p.expect(Tok::Less)?;
    let place = p.place();
    let image = p.ty()?;
    let ctx = p.ctx();
    if image.params(ctx, "spirv", "image").is_none() {
        let shown = type_string(ctx, image);
        let message = format!("sampled image must be composed using image type, got '{shown}'");
        return Err(p.error_at(place, message));
    }
    let dim = super::view::Image::of(ctx, image).map_or("", |image| image.dim);
    if let "SubpassData" | "Buffer" = dim {
        let message = format!("sampled image Dim must not be SubpassData or Buffer, got {dim}");
        return Err(p.error_at(place, message));
    }
    p.expect(Tok::Greater)?;
    Ok(p.make_type(&[ctx.type_attr(image)]))
}

/// `<8x16xf16, Subgroup, MatrixA>`
fn parse_coopmatrix(p: &mut BodyParser<'_, '_>) -> Parsed {
    p.expect(Tok::Less)?;
    let place = p.place();
    let &[rows, columns] = &p.extents(false)?[..] else {
        return Err(p.error_at(place, "expected row and column count"));
    };
    let element = component(p)?;
    let scope = keyword(p, &enums::SCOPE, |keyword| {
        format!("invalid scope <id> attribute specification: {keyword}")
    })?;
    let purpose = keyword(p, &enums::COOPERATIVE_MATRIX_USE_KHR, |keyword| {
        format!("invalid use <id> attribute specification: {keyword}")
    })?;
    p.expect(Tok::Greater)?;
    let ctx = p.ctx();
    let (rows, columns) = (number(ctx, rows), number(ctx, columns));
    Ok(p.make_type(&[ctx.type_attr(element), rows, columns, scope, purpose]))
}

/// `<14x19xf32>`, `<?x?xf32>` or `<*xf32>`
fn parse_tensor(p: &mut BodyParser<'_, '_>) -> Parsed {
    p.expect(Tok::Less)?;
    let place = p.place();
    let extents = p.extents_or_star()?;
    let why = match extents.as_deref() {
        Some([]) => "arm.tensors do not support rank zero",
        Some(list) if list.contains(&0) => "arm.tensors do not support zero dimensions",
        Some(list) if list.contains(&DYNAMIC) && list.iter().any(|&extent| extent != DYNAMIC) => {
            "arm.tensor shape dimensions must be either fully dynamic or completed shaped"
        }
        _ => "",
    };
    if !why.is_empty() {
        return Err(p.error_at(place, why));
    }
    let element = component(p)?;
    p.expect(Tok::Greater)?;
    let ctx = p.ctx();
    let extents = ctx.i64_array_attr(&extents.unwrap_or_default());
    Ok(p.make_type(&[ctx.type_attr(element), extents]))
}

// Printing.

/// Prints a parameter: a type, a number or a keyword.
fn print_param(p: &mut OpPrinter<'_>, ctx: &Context, param: Attr) {
    match (param.as_type(ctx), param.as_i64(ctx), param.as_str(ctx)) {
        (Some(ty), ..) => p.ty(ty),
        (_, Some(value), _) => p.int_text(value),
        (.., Some(keyword)) => p.text(keyword),
        _ => {}
    }
}

/// Prints all parameters in order.
fn print_listed(p: &mut OpPrinter<'_>, ctx: &Context, params: &[Attr]) {
    p.text("<");
    p.separated(params, |p, &param| print_param(p, ctx, param));
    p.text(">");
}

/// Prints an array or matrix: the count, then the element.
fn print_array(p: &mut OpPrinter<'_>, ctx: &Context, params: &[Attr]) {
    if let [element, count, stride @ ..] = params {
        p.text("<");
        print_param(p, ctx, *count);
        p.text(" x ");
        print_param(p, ctx, *element);
        print_stride(p, ctx, stride);
        p.text(">");
    }
}

fn print_rtarray(p: &mut OpPrinter<'_>, ctx: &Context, params: &[Attr]) {
    if let [element, stride @ ..] = params {
        p.text("<");
        print_param(p, ctx, *element);
        print_stride(p, ctx, stride);
        p.text(">");
    }
}

fn print_stride(p: &mut OpPrinter<'_>, ctx: &Context, stride: &[Attr]) {
    if let Some(stride) = stride.first().and_then(|stride| stride.as_i64(ctx))
        && stride != 0
    {
        p.text(", stride=");
        p.int_text(stride);
    }
}

fn print_coopmatrix(p: &mut OpPrinter<'_>, ctx: &Context, params: &[Attr]) {
    if let [element, rows, columns, keywords @ ..] = params {
        p.text("<");
        print_param(p, ctx, *rows);
        p.text("x");
        print_param(p, ctx, *columns);
        p.text("x");
        print_param(p, ctx, *element);
        for &keyword in keywords {
            p.text(", ");
            print_param(p, ctx, keyword);
        }
        p.text(">");
    }
}

fn print_tensor(p: &mut OpPrinter<'_>, ctx: &Context, params: &[Attr]) {
    let [element, extents] = params else { return };
    let extents = extents.as_i64_array(ctx).unwrap_or_default();
    p.text(if extents.is_empty() { "<*x" } else { "<" });
    for extent in extents {
        p.extent(extent);
        p.text("x");
    }
    print_param(p, ctx, *element);
    p.text(">");
}
