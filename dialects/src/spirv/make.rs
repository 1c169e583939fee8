//! Constructors of the dialect's types and enumerations, by the numbers of the SPIR-V grammar.
//!
//! The parameters are those that [`super::types`] documents; [`super::view`] decodes them.

use super::enums;
use super::types::{IMAGE, number};
use gridloom_ir::attr::Attr;
use gridloom_ir::context::Context;
use gridloom_ir::op::EnumDef;
use gridloom_ir::text::case_name;
use gridloom_ir::types::Type;

/// A decoration of a struct or of one of its members: its number and its literal, if it has one.
pub type Decoration = (u32, Option<u32>);

/// A member of a struct.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// Type of the member.
    pub ty: Type,
    /// Offset of the member in bytes, where the layout is explicit.
    pub offset: Option<u32>,
    /// Decorations of the member other than the offset, sorted by number.
    pub decorations: Vec<Decoration>,
}

/// Makes a `!spirv.array<count x element, stride=…>`; a stride of 0 is none.
pub fn array_type(ctx: &Context, element: Type, count: u32, stride: u32) -> Type {
    let [count, stride] = [count, stride].map(|value| number(ctx, i64::from(value)));
    ctx.parametric_type("spirv", "array", &[ctx.type_attr(element), count, stride])
}

/// Makes a `!spirv.rtarray<element, stride=…>`; a stride of 0 is none.
pub fn runtime_array_type(ctx: &Context, element: Type, stride: u32) -> Type {
    let stride = number(ctx, i64::from(stride));
    ctx.parametric_type("spirv", "rtarray", &[ctx.type_attr(element), stride])
}

/// Makes a `!spirv.matrix<columns x column>`.
pub fn matrix_type(ctx: &Context, column: Type, columns: u32) -> Type {
    let columns = number(ctx, i64::from(columns));
    ctx.parametric_type("spirv", "matrix", &[ctx.type_attr(column), columns])
}

/// Makes a `!spirv.struct<(members), decorations>` without a name; `None` where a decoration is not
/// known, or where some members have an offset and others none.
pub fn struct_type(ctx: &Context, members: &[Member], decorations: &[Decoration]) -> Option<Type> {
    let types: Vec<Attr> = members.iter().map(|m| ctx.type_attr(m.ty)).collect();
    let offsets = members.iter().filter_map(|member| member.offset);
    let offsets: Vec<Attr> = offsets.map(|o| number(ctx, i64::from(o))).collect();
    if !offsets.is_empty() && offsets.len() != members.len() {
        return None;
    }
    let of_members = members
        .iter()
        .map(|m| decorations_attr(ctx, &m.decorations));
    let of_members: Vec<Attr> = of_members.collect::<Option<_>>()?;
    let params = [
        ctx.unit_attr(),
        ctx.array_attr(&types),
        ctx.array_attr(&offsets),
        ctx.array_attr(&of_members),
        decorations_attr(ctx, decorations)?,
    ];
    Some(ctx.parametric_type("spirv", "struct", &params))
}

/// The members and decorations of a `!spirv.struct`; `None` for another type and for the reference
/// to an enclosing struct.
pub fn struct_parts(ctx: &Context, ty: Type) -> Option<(Vec<Member>, Vec<Decoration>)> {
    let params = ty.params(ctx, "spirv", "struct")?;
    let [_, types, offsets, of_members, own] = *params else {
        return None;
    };
    let (types, offsets) = (types.as_array(ctx)?, offsets.as_array(ctx)?);
    let of_members = of_members.as_array(ctx)?;
    let mut members = Vec::with_capacity(types.len());
    for (index, member) in types.iter().enumerate() {
        let offset = offsets.get(index).and_then(|offset| offset.as_i64(ctx));
        let decorations = match of_members.get(index) {
            Some(&list) => decorations_of(ctx, list)?,
            None => Vec::new(),
        };
        members.push(Member {
            ty: member.as_type(ctx)?,
            offset: offset.map(|offset| offset as u32),
            decorations,
        });
    }
    Some((members, decorations_of(ctx, own)?))
}

fn decorations_attr(ctx: &Context, decorations: &[Decoration]) -> Option<Attr> {
    let mut sorted = decorations.to_vec();
    sorted.sort_unstable();
    let spelled = sorted.into_iter().map(|(decoration, literal)| {
        let name = case_name(&enums::DECORATION, i64::from(decoration))?;
        Some(match literal {
            Some(literal) => ctx.string_attr(&format!("{name}={literal}")),
            None => ctx.string_attr(&name),
        })
    });
    Some(ctx.array_attr(&spelled.collect::<Option<Vec<_>>>()?))
}

fn decorations_of(ctx: &Context, list: Attr) -> Option<Vec<Decoration>> {
    let spelled = list.as_array(ctx)?.iter();
    let decorations = spelled.map(|text| {
        let text = text.as_str(ctx)?;
        let (name, literal) = match text.split_once('=') {
            Some((name, literal)) => (name, Some(literal.parse().ok()?)),
            None => (text, None),
        };
        Some((decoration_number(name)?, literal))
    });
    decorations.collect()
}

/// The number of a decoration: of `NonWritable`, 24.
pub fn decoration_number(name: &str) -> Option<u32> {
    number_of(&enums::DECORATION, name)
}

/// The name of a decoration.
pub fn decoration_name(number: u32) -> Option<&'static str> {
    let cases = enums::DECORATION.cases.iter();
    let mut found = cases.filter(|case| case.1 == i64::from(number));
    found.next().map(|case| case.0)
}

/// The name of a storage class.
pub fn storage_class_name(number: u32) -> Option<&'static str> {
    let cases = enums::STORAGE_CLASS.cases.iter();
    let mut found = cases.filter(|case| case.1 == i64::from(number));
    found.next().map(|case| case.0)
}

/// The number of a storage class.
pub fn storage_class_number(name: &str) -> Option<u32> {
    number_of(&enums::STORAGE_CLASS, name)
}

/// The number of a built-in variable.
pub fn built_in_number(name: &str) -> Option<u32> {
    number_of(&enums::BUILT_IN, name)
}

/// The name of a built-in variable.
pub fn built_in_name(number: u32) -> Option<&'static str> {
    let cases = enums::BUILT_IN.cases.iter();
    let mut found = cases.filter(|case| case.1 == i64::from(number));
    found.next().map(|case| case.0)
}

/// The number of a capability.
pub fn capability_number(name: &str) -> Option<u32> {
    number_of(&enums::CAPABILITY, name)
}

/// The name of a capability.
pub fn capability_name(number: u32) -> Option<&'static str> {
    let cases = enums::CAPABILITY.cases.iter();
    let mut found = cases.filter(|case| case.1 == i64::from(number));
    found.next().map(|case| case.0)
}

/// Whether MLIR knows an extension.
pub fn knows_extension(name: &str) -> bool {
    enums::EXTENSION.cases.iter().any(|case| case.0 == name)
}

fn number_of(def: &EnumDef, name: &str) -> Option<u32> {
    let case = def.cases.iter().find(|case| case.0 == name)?;
    u32::try_from(case.1).ok()
}

/// Makes a `#spirv.vce<v1.N, [capabilities], [extensions]>`.
pub fn vce_attr(ctx: &Context, minor: u8, capabilities: &[&str], extensions: &[&str]) -> Attr {
    let list = |names: &[&str]| {
        let names: Vec<Attr> = names.iter().map(|name| ctx.string_attr(name)).collect();
        ctx.array_attr(&names)
    };
    let version = ctx.string_attr(&format!("v1.{minor}"));
    let params = [version, list(capabilities), list(extensions)];
    ctx.parametric_attr("spirv", "vce", &params)
}

/// The version, capabilities and extensions of a `#spirv.vce`.
pub fn vce_parts(ctx: &Context, attr: Attr) -> Option<(u8, Vec<&str>, Vec<&str>)> {
    let [version, capabilities, extensions] = attr.params(ctx, "spirv", "vce")? else {
        return None;
    };
    let names = |list: &Attr| -> Option<Vec<&str>> {
        let names = list.as_array(ctx)?.iter();
        names.map(|name| name.as_str(ctx)).collect()
    };
    let minor = version.as_str(ctx)?.strip_prefix("v1.")?.parse().ok()?;
    Some((minor, names(capabilities)?, names(extensions)?))
}

/// Makes a `!spirv.image` of the numbers that `OpTypeImage` has after the sampled type; `None` where
/// MLIR knows one of them not.
pub fn image_type(ctx: &Context, element: Type, numbers: [u32; 6]) -> Option<Type> {
    let mut params = vec![ctx.type_attr(element)];
    for (def, number) in IMAGE.iter().zip(numbers) {
        let name = case_name(def, i64::from(number))?;
        params.push(ctx.string_attr(&name));
    }
    Some(ctx.parametric_type("spirv", "image", &params))
}

/// The sampled type of a `!spirv.image`, and the numbers that `OpTypeImage` has after it.
pub fn image_parts(ctx: &Context, ty: Type) -> Option<(Type, [u32; 6])> {
    let (element, keywords) = ty.params(ctx, "spirv", "image")?.split_first()?;
    let mut numbers = [0; 6];
    for ((def, number), keyword) in IMAGE.iter().zip(&mut numbers).zip(keywords) {
        *number = number_of(def, keyword.as_str(ctx)?)?;
    }
    Some((element.as_type(ctx)?, numbers))
}

/// Makes a `!spirv.coopmatrix` of the numbers of its scope and use.
pub fn coop_matrix_type(
    ctx: &Context,
    element: Type,
    [rows, columns]: [u32; 2],
    scope: u32,
    purpose: u32,
) -> Option<Type> {
    let scope = case_name(&enums::SCOPE, i64::from(scope))?;
    let purpose = case_name(&enums::COOPERATIVE_MATRIX_USE_KHR, i64::from(purpose))?;
    let [rows, columns] = [rows, columns].map(|extent| number(ctx, i64::from(extent)));
    let [scope, purpose] = [scope, purpose].map(|name| ctx.string_attr(&name));
    let params = [ctx.type_attr(element), rows, columns, scope, purpose];
    Some(ctx.parametric_type("spirv", "coopmatrix", &params))
}

/// The numbers of the scope and of the use of a cooperative matrix.
pub fn coop_matrix_numbers(matrix: &super::view::CoopMatrix<'_>) -> Option<(u32, u32)> {
    let purpose = number_of(&enums::COOPERATIVE_MATRIX_USE_KHR, matrix.purpose)?;
    Some((number_of(&enums::SCOPE, matrix.scope)?, purpose))
}
