//! Struct-like parameters of types and attributes: `workgroup_size = [64, 1,
//! 1], subgroup_size = 32`.

use gridloom_ir::attr::{Attr, AttrKind};
use gridloom_ir::context::Context;
use gridloom_ir::op::EnumDef;
use gridloom_ir::text::{BodyParser, Delimiter, OpPrinter, ParseFailed, Tok, case_name, load_case};

/// A field.
#[derive(Clone, Copy)]
pub(crate) struct Field {
    name: &'static str,
    kind: Kind,
    presence: Presence,
    /// The C++ type that MLIR's diagnostics name, where it does not follow from
    /// the kind.
    class: Option<&'static str>,
}

/// The kind of a field's value.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// An integer.
    Int,
    /// `true` or `false`
    Bool,
    /// `"text"`
    String,
    /// A type.
    Type,
    /// A list of integers, `[1, 2]`, stored as `array<i32: …>`.
    I32Array,
    /// A list of attributes.
    Array,
    /// A dictionary.
    Dict,
    /// An affine map.
    Map,
    /// A bare keyword of an enumeration.
    Keyword(&'static EnumDef),
    /// An enumeration attribute without its name: `<Subgroup>`.
    Enum(&'static EnumDef),
}

#[derive(Clone, Copy)]
enum Presence {
    Required,
    /// Absent fields are stored as `unit`.
    Optional,
    /// A field with this value is not printed.
    Default(fn(&Context) -> Attr),
}

impl Field {
    /// A required field.
    pub(crate) const fn required(name: &'static str, kind: Kind) -> Field {
        let presence = Presence::Required;
        Field {
            name,
            kind,
            presence,
            class: None,
        }
    }

    /// An optional field.
    pub(crate) const fn optional(name: &'static str, kind: Kind) -> Field {
        let presence = Presence::Optional;
        Field {
            name,
            kind,
            presence,
            class: None,
        }
    }

    /// Sets the C++ type that MLIR's diagnostics name.
    pub(crate) const fn class(mut self, class: &'static str) -> Field {
        self.class = Some(class);
        self
    }

    fn class_name(&self) -> String {
        let fixed = match (self.kind, &self.presence) {
            (Kind::Int, Presence::Optional) => "std::optional<int>",
            (Kind::Int, _) => "int",
            (Kind::Bool, _) => "bool",
            (Kind::String, _) => "StringAttr",
            (Kind::Type, _) => "mlir::Type",
            (Kind::I32Array, _) => "DenseI32ArrayAttr",
            (Kind::Array, _) => "ArrayAttr",
            (Kind::Dict, _) => "DictionaryAttr",
            (Kind::Map, _) => "AffineMap",
            (Kind::Keyword(def) | Kind::Enum(def), _) => {
                let dialect = def.storage.dialect().map_or("", |(dialect, ..)| dialect);
                let attr = if matches!(self.kind, Kind::Enum(_)) {
                    "Attr"
                } else {
                    ""
                };
                return format!("mlir::{dialect}::{}{attr}", def.class);
            }
        };
        fixed.to_owned()
    }

    /// The follow-up error when the field's value in the attribute `record`
    /// does not parse.
    fn unread(&self, record: &str) -> String {
        let class = match self.class {
            Some(class) => class.to_owned(),
            None => self.class_name(),
        };
        let name = self.name;
        format!("failed to parse {record} parameter '{name}' which is to be a `{class}`")
    }

    /// A field with a default, which is not printed.
    pub(crate) const fn or(name: &'static str, kind: Kind, value: fn(&Context) -> Attr) -> Field {
        let presence = Presence::Default(value);
        Field {
            name,
            kind,
            presence,
            class: None,
        }
    }
}

/// Parses `<name = value, …>` into parameters; `record` is the attribute's name
/// in MLIR's diagnostics.
pub(crate) fn parse_fields(
    p: &mut BodyParser<'_, '_>,
    record: &str,
    fields: &[Field],
) -> Result<Attr, ParseFailed> {
    p.expect(Tok::Less)?;
    let values = parse_values(p, record, fields)?;
    p.expect(Tok::Greater)?;
    Ok(p.make_attr(&values))
}

/// Parses `name = value, …` in any order. Required fields must be present.
pub(crate) fn parse_values(
    p: &mut BodyParser<'_, '_>,
    record: &str,
    fields: &[Field],
) -> Result<Vec<Attr>, ParseFailed> {
    let mut values: Vec<Option<Attr>> = vec![None; fields.len()];
    let required = fields
        .iter()
        .filter(|f| matches!(f.presence, Presence::Required));
    let mut missing = required.count();
    while missing > 0 || p.at(Tok::Bare) {
        let place = p.place();
        let name = p.keyword("a parameter's name")?;
        let index = fields.iter().position(|field| field.name == name);
        let Some(index) = index.filter(|&index| values[index].is_none()) else {
            let message = format!("duplicate or unknown struct parameter name: {name}");
            return Err(p.error_at(place, message));
        };
        p.expect(Tok::Equal)?;
        let field = &fields[index];
        // As in MLIR, an optional number may be missing even after `=`.
        let number = p.at(Tok::Integer) || p.at(Tok::Minus);
        if number
            || !matches!(
                (field.kind, &field.presence),
                (Kind::Int, Presence::Optional)
            )
        {
            let value = parse_value(p, field.kind);
            values[index] = Some(value.map_err(|_| p.error(field.unread(record)))?);
        }
        missing = missing.saturating_sub(1);
        if missing > 0 {
            p.expect(Tok::Comma)?;
        } else if !p.eat(Tok::Comma) {
            break;
        }
    }
    let ctx = p.ctx();
    let value = |(field, value): (&Field, Option<Attr>)| {
        value.unwrap_or_else(|| match field.presence {
            Presence::Default(default) => default(ctx),
            _ => ctx.unit_attr(),
        })
    };
    Ok(fields.iter().zip(values).map(value).collect())
}

fn parse_value(p: &mut BodyParser<'_, '_>, kind: Kind) -> Result<Attr, ParseFailed> {
    let ctx = p.ctx();
    Ok(match kind {
        Kind::Int => int(ctx, p.integer("an integer")?),
        Kind::Bool if p.eat_keyword("true") => ctx.bool_attr(true),
        Kind::Bool if p.eat_keyword("false") => ctx.bool_attr(false),
        Kind::Bool => return Err(p.expected("`true` or `false`")),
        Kind::String => parse_kind(p, |kind| matches!(kind, AttrKind::String { .. }))?,
        Kind::Type => ctx.type_attr(p.ty()?),
        Kind::I32Array => {
            let mut items = Vec::new();
            p.list(Delimiter::Square, |p| {
                items.push(p.integer("an integer")? as i32);
                Ok(())
            })?;
            ctx.i32_array_attr(&items)
        }
        Kind::Array => parse_kind(p, |kind| matches!(kind, AttrKind::Array(_)))?,
        Kind::Dict => parse_kind(p, |kind| matches!(kind, AttrKind::Dict(_)))?,
        Kind::Map => ctx.map_attr(p.affine_map()?),
        Kind::Keyword(def) => {
            let value = p.case(def)?;
            ctx.string_attr(&case_name(def, value).unwrap_or_default())
        }
        Kind::Enum(def) if p.at(Tok::Hash) => {
            p.attribute_as(|attr, ctx| load_case(ctx, def, attr).map(|_| attr))?
        }
        Kind::Enum(def) => p.enum_attr(def)?,
    })
}

/// Parses an attribute of some kind.
pub(crate) fn parse_kind(
    p: &mut BodyParser<'_, '_>,
    fits: fn(&AttrKind) -> bool,
) -> Result<Attr, ParseFailed> {
    p.attribute_as(|value, ctx| fits(value.kind(ctx)).then_some(value))
}

fn int(ctx: &Context, value: i64) -> Attr {
    ctx.int_attr(ctx.int_type(64), value)
}

/// Prints `<name = value, …>`, omitting defaults.
pub(crate) fn print_fields(
    p: &mut OpPrinter<'_>,
    ctx: &Context,
    fields: &[Field],
    params: &[Attr],
) {
    p.text("<");
    print_values(p, ctx, fields, params);
    p.text(">");
}

/// Prints `name = value, …`, omitting defaults.
pub(crate) fn print_values(
    p: &mut OpPrinter<'_>,
    ctx: &Context,
    fields: &[Field],
    params: &[Attr],
) {
    let is_shown = |(field, value): &(&Field, &Attr)| match field.presence {
        Presence::Required => true,
        Presence::Optional => *value.kind(ctx) != AttrKind::Unit,
        Presence::Default(default) => **value != default(ctx),
    };
    let shown: Vec<_> = fields.iter().zip(params).filter(is_shown).collect();
    p.separated(&shown, |p, (field, value)| {
        p.text(field.name);
        p.text(" = ");
        print_value(p, ctx, field.kind, **value);
    });
}

fn print_value(p: &mut OpPrinter<'_>, ctx: &Context, kind: Kind, value: Attr) {
    match kind {
        Kind::Int => p.int_text(value.as_i64(ctx).unwrap_or(0)),
        Kind::Keyword(_) => p.text(value.as_str(ctx).unwrap_or("")),
        Kind::I32Array => {
            p.text("[");
            let items = value.as_i32_array(ctx).unwrap_or_default();
            p.separated(&items, |p, &item| p.int_text(item.into()));
            p.text("]");
        }
        Kind::Enum(def) => {
            let value = load_case(ctx, def, value);
            let name = value.and_then(|value| case_name(def, value));
            p.text("<");
            p.text(&name.unwrap_or_default());
            p.text(">");
        }
        Kind::Map => {
            if let Some(map) = value.as_map(ctx) {
                p.affine_map(map);
            }
        }
        Kind::Bool | Kind::String | Kind::Type | Kind::Array | Kind::Dict => p.attr(value),
    }
}
