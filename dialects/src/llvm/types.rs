//! Queries on LLVM types, which are stored as text.

use std::ops::Range;

use gridloom_ir::attr::{Attr, AttrKind};
use gridloom_ir::context::Context;
use gridloom_ir::op::TypeConstraint;
use gridloom_ir::text::{ParseOptions, parse_type_fragment};
use gridloom_ir::types::{FloatKind, Signedness, Type, TypeKind};

/// Operand and result types of the dialect's operations.
pub(super) const COMPATIBLE: TypeConstraint =
    TypeConstraint::new("LLVM dialect-compatible type", is_compatible);

/// Floats and vectors of them.
pub(super) const FLOAT: TypeConstraint = TypeConstraint::new(
    "floating point LLVM type or LLVM dialect-compatible vector of floating point LLVM type",
    |c, t| is_compatible(c, t) && element(c, t).float_kind(c).is_some(),
);

/// Integers and vectors of them.
pub(super) const INTEGER: TypeConstraint = TypeConstraint::new(
    "signless integer or LLVM dialect-compatible vector of signless integer",
    |c, t| is_compatible(c, t) && element(c, t).signless_width(c).is_some(),
);

/// Integers.
pub(super) const POWER: TypeConstraint =
    TypeConstraint::new("signless integer", |c, t| t.signless_width(c).is_some());

/// The type of the elements of a vector; another type is its own.
fn element(ctx: &Context, ty: Type) -> Type {
    match ty.kind(ctx) {
        TypeKind::Vector { element, .. } => *element,
        _ => ty,
    }
}

/// Struct and array types.
pub(super) const AGGREGATE: TypeConstraint =
    TypeConstraint::new("LLVM aggregate type", |c, t| body(c, t).is_some());

fn is_compatible(ctx: &Context, ty: Type) -> bool {
    match ty.kind(ctx) {
        TypeKind::Integer { signedness, .. } => *signedness == Signedness::Signless,
        TypeKind::Float(kind) => matches!(
            kind,
            FloatKind::F16
                | FloatKind::BF16
                | FloatKind::F32
                | FloatKind::F64
                | FloatKind::F80
                | FloatKind::F128
        ),
        TypeKind::Vector { shape, element, .. } => {
            shape.len() == 1
                && is_compatible(ctx, *element)
                && !matches!(element.kind(ctx), TypeKind::Vector { .. })
        }
        TypeKind::Dialect { .. } => body(ctx, ty).is_some(),
        _ => false,
    }
}

/// `#llvm.fastmath<…>`
pub(super) fn is_fastmath(ctx: &Context, attr: Attr) -> bool {
    matches!(
        attr.kind(ctx),
        AttrKind::Dialect { dialect, body, .. }
            if ctx.str(*dialect) == "llvm" && ctx.str(*body).starts_with(".fastmath<")
    )
}

/// The text of a type of the dialect after `!llvm.`.
fn body(ctx: &Context, ty: Type) -> Option<&str> {
    match ty.kind(ctx) {
        TypeKind::Dialect { dialect, body } if ctx.str(*dialect) == "llvm" => {
            let body = ctx.str(*body);
            let verbose = || body.strip_prefix('<')?.strip_suffix('>');
            body.strip_prefix('.').or_else(verbose)
        }
        _ => None,
    }
}

/// Why an aggregate has no field at a position.
#[derive(Debug)]
pub(super) enum NoField {
    /// The type has no fields.
    NotAggregate(Type),
    /// The index is out of bounds.
    OutOfBounds(i64),
}

/// The type of the field at a position.
pub(super) fn field(ctx: &Context, ty: Type, position: &[i64]) -> Result<Type, NoField> {
    position.iter().try_fold(ty, |ty, &index| {
        let (element, count) = fields(ctx, ty).ok_or(NoField::NotAggregate(ty))?;
        let inside = usize::try_from(index).ok().filter(|&at| at < count);
        let text = inside.and_then(|at| match &element {
            Fields::Array(element) => Some(*element),
            Fields::Struct(fields) => fields.get(at).copied(),
        });
        let text = text.ok_or(NoField::OutOfBounds(index))?;
        spelled(ctx, text).ok_or(NoField::NotAggregate(ty))
    })
}

/// Most leaves that [`leaves`] lists of an aggregate.
const MOST_LEAVES: usize = 256;

/// The types of the leaves of an aggregate, its fields and elements that are none themselves, in
/// their order. `None` for any other type, and for an aggregate of very many.
pub fn leaves(ctx: &Context, ty: Type) -> Option<Vec<Type>> {
    let (mut leaves, mut budget) = (Vec::new(), 2 * MOST_LEAVES);
    fields(ctx, ty)?;
    collect_leaves(ctx, ty, &mut leaves, &mut budget).then_some(leaves)
}

/// Adds the leaves of a type; `budget` bounds the fields visited, of which empty aggregates have many.
fn collect_leaves(ctx: &Context, ty: Type, leaves: &mut Vec<Type>, budget: &mut usize) -> bool {
    let Some((_, count)) = fields(ctx, ty) else {
        leaves.push(ty);
        return leaves.len() <= MOST_LEAVES;
    };
    let Some(rest) = budget.checked_sub(count) else {
        return false;
    };
    *budget = rest;
    (0..count as i64).all(|at| {
        field(ctx, ty, &[at]).is_ok_and(|inner| collect_leaves(ctx, inner, leaves, budget))
    })
}

/// The leaves that the field at a position has among all of an aggregate that [`leaves`] lists.
pub fn leaves_at(ctx: &Context, ty: Type, position: &[i64]) -> Option<Range<usize>> {
    leaves(ctx, ty)?;
    let count = |ty| leaves(ctx, ty).map_or(1, |leaves| leaves.len());
    let (mut at, mut ty) = (0, ty);
    for &index in position {
        let before = (0..index).map(|before| field(ctx, ty, &[before]));
        at += (before.map(|field| field.map(count)))
            .sum::<Result<usize, NoField>>()
            .ok()?;
        ty = field(ctx, ty, &[index]).ok()?;
    }
    Some(at..at + count(ty))
}

enum Fields<'c> {
    Array(&'c str),
    Struct(Vec<&'c str>),
}

/// The field types of an aggregate as text, and their number.
fn fields(ctx: &Context, ty: Type) -> Option<(Fields<'_>, usize)> {
    let body = body(ctx, ty)?;
    let inside = |word: &str| {
        let rest = body.strip_prefix(word)?.trim_start();
        rest.strip_prefix('<')?.strip_suffix('>')
    };
    if let Some(array) = inside("array") {
        let (count, element) = array.split_once('x')?;
        let count = count.trim().parse().ok()?;
        return Some((Fields::Array(element.trim()), count));
    }
    let fields = inside("struct")?.trim();
    let open = fields.find('(')?;
    let list = fields[open..].strip_prefix('(')?.strip_suffix(')')?;
    let list = split(list);
    let count = list.len();
    Some((Fields::Struct(list), count))
}

/// Splits a list at top-level commas.
fn split(list: &str) -> Vec<&str> {
    let (mut items, mut depth, mut start) = (Vec::new(), 0i32, 0);
    for (at, byte) in list.bytes().enumerate() {
        match byte {
            b'<' | b'(' | b'[' | b'{' => depth += 1,
            b'>' if at > 0 && list.as_bytes()[at - 1] == b'-' => {}
            b'>' | b')' | b']' | b'}' => depth -= 1,
            b',' if depth == 0 => {
                items.push(list[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    if !list[start..].trim().is_empty() {
        items.push(list[start..].trim());
    }
    items
}

/// The keywords of LLVM types, which nested types may use without `!llvm.`.
static WORDS: [&str; 11] = [
    "array",
    "func",
    "label",
    "metadata",
    "ppc_fp128",
    "ptr",
    "struct",
    "target",
    "token",
    "void",
    "x86_amx",
];

/// The type that a nested text spells; `!llvm.` is optional there.
fn spelled(ctx: &Context, text: &str) -> Option<Type> {
    let word = text
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .next();
    if word.is_some_and(|word| WORDS.contains(&word)) {
        return Some(ctx.intern_type(TypeKind::Dialect {
            dialect: ctx.ident("llvm"),
            body: ctx.ident(&format!(".{text}")),
        }));
    }
    parse_type_fragment(ctx, text.as_bytes(), &ParseOptions::default()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_aggregates() {
        let ctx = crate::context();
        let ty = |text| spelled(&ctx, text).unwrap();
        let pair = ty("!llvm.struct<(i16, array<4 x struct<(f32, ptr)>>)>");
        assert_eq!(field(&ctx, pair, &[0]).unwrap(), ty("i16"));
        assert_eq!(field(&ctx, pair, &[1, 3, 0]).unwrap(), ty("f32"));
        assert_eq!(field(&ctx, pair, &[1, 3, 1]).unwrap(), ty("!llvm.ptr"));
        assert!(matches!(
            field(&ctx, pair, &[2]),
            Err(NoField::OutOfBounds(2))
        ));
        assert!(matches!(
            field(&ctx, pair, &[1, 4]),
            Err(NoField::OutOfBounds(4))
        ));
        assert!(matches!(
            field(&ctx, pair, &[0, 0]),
            Err(NoField::NotAggregate(_))
        ));
        assert_eq!(leaves(&ctx, ty("!llvm.array<0 x i8>")).unwrap(), []);
        assert_eq!(leaves(&ctx, ty("i8")), None);
        assert_eq!(leaves(&ctx, ty("!llvm.array<1000000 x i8>")), None);
        assert_eq!(leaves(&ctx, pair).unwrap().len(), 9);
        assert_eq!(leaves_at(&ctx, pair, &[0]).unwrap(), 0..1);
        assert_eq!(leaves_at(&ctx, pair, &[1, 2]).unwrap(), 5..7);
        assert_eq!(leaves_at(&ctx, pair, &[1, 2, 1]).unwrap(), 6..7);
        assert_eq!(leaves_at(&ctx, pair, &[2]), None);
        let named = ty("!llvm.struct<\"a\", packed (i1, vector<4xf32>)>");
        assert_eq!(field(&ctx, named, &[1]).unwrap(), ty("vector<4xf32>"));
    }
}
