//! `!spirv.struct<name, (f32 [0, NonWritable], i32 [4]), Block>`
//!
//! Parameters: the identifier (or `unit`), the member types, their offsets
//! (empty: no layout), the decorations of each member and of the struct.
//! Decorations are strings such as `Location=3`, sorted by number. Inside its
//! own definition, a struct is referred to by its identifier; that type has the
//! identifier as its only parameter.

use super::enums;
use super::types::{number, unsigned};
use gridloom_ir::attr::Attr;
use gridloom_ir::context::{Context, Ident};
use gridloom_ir::text::{BodyParser, OpPrinter, ParseFailed, Tok};
use gridloom_ir::types::Type;

/// The part in parentheses and what follows it.
#[derive(Default)]
struct Body {
    members: Vec<Attr>,
    offsets: Vec<Attr>,
    decorations: Vec<Attr>,
    own: Vec<Decoration>,
}

/// The number and the text of a decoration; the number orders them.
type Decoration = (i64, Attr);

pub(super) fn parse_struct(p: &mut BodyParser<'_, '_>) -> Result<Type, ParseFailed> {
    p.expect(Tok::Less)?;
    let ctx = p.ctx();
    if !p.at(Tok::Bare) {
        let body = parse_body(p)?;
        return Ok(make(p, ctx.unit_attr(), body));
    }
    let name = ctx.ident(p.keyword("an identifier")?);
    let identifier = ctx.string_attr(ctx.str(name));
    if p.eat(Tok::Greater) {
        if p.enter(name) {
            p.leave();
            let message = "recursive struct reference not nested in struct definition";
            return Err(p.error_at(p.name_place(), message));
        }
        return Ok(p.make_type(&[identifier]));
    }
    p.expect(Tok::Comma)?;
    let body = parse_definition(p, name)?;
    Ok(make(p, identifier, body))
}

fn parse_definition(p: &mut BodyParser<'_, '_>, name: Ident) -> Result<Body, ParseFailed> {
    if !p.enter(name) {
        let message = "identifier already used for an enclosing struct";
        return Err(p.error_at(p.name_place(), message));
    }
    let body = parse_body(p);
    p.leave();
    body
}

fn make(p: &BodyParser<'_, '_>, identifier: Attr, body: Body) -> Type {
    let ctx = p.ctx();
    p.make_type(&[
        identifier,
        ctx.array_attr(&body.members),
        ctx.array_attr(&body.offsets),
        ctx.array_attr(&body.decorations),
        sorted(ctx, body.own),
    ])
}

fn sorted(ctx: &Context, mut decorations: Vec<Decoration>) -> Attr {
    decorations.sort_by_key(|decoration| decoration.0);
    let keywords: Vec<Attr> = decorations.iter().map(|decoration| decoration.1).collect();
    ctx.array_attr(&keywords)
}

/// `(type [0, NonWritable], …), Block>`
fn parse_body(p: &mut BodyParser<'_, '_>) -> Result<Body, ParseFailed> {
    let mut body = Body::default();
    p.expect(Tok::LParen)?;
    if p.eat(Tok::RParen) {
        p.expect(Tok::Greater)?;
        return Ok(body);
    }
    loop {
        let ty = p.ty()?;
        body.members.push(p.ctx().type_attr(ty));
        let decorations = if p.eat(Tok::LSquare) {
            parse_member(p, &mut body)?
        } else {
            Vec::new()
        };
        body.decorations.push(sorted(p.ctx(), decorations));
        if !p.eat(Tok::Comma) {
            break;
        }
    }
    if !body.offsets.is_empty() && body.offsets.len() != body.members.len() {
        let message = "offset specification must be given for all members";
        return Err(p.error_at(p.name_place(), message));
    }
    p.expect(Tok::RParen)?;
    while p.eat(Tok::Comma) {
        let decoration = parse_decoration(p)?;
        body.own.push(decoration);
    }
    p.expect(Tok::Greater)?;
    Ok(body)
}

/// `0, NonWritable, Location = 3]`
fn parse_member(
    p: &mut BodyParser<'_, '_>,
    body: &mut Body,
) -> Result<Vec<Decoration>, ParseFailed> {
    let mut decorations = Vec::new();
    let place = p.place();
    let has_offset = matches!(p.peek(), Tok::Integer | Tok::Minus);
    if has_offset {
        let offset = unsigned(p)?;
        if body.offsets.len() + 1 != body.members.len() {
            let message = "offset specification must be given for all members";
            return Err(p.error_at(place, message));
        }
        body.offsets.push(number(p.ctx(), offset));
    }
    if p.eat(Tok::RSquare) {
        return Ok(decorations);
    }
    if has_offset {
        p.expect(Tok::Comma)?;
    }
    loop {
        decorations.push(parse_decoration(p)?);
        if !p.eat(Tok::Comma) {
            p.expect(Tok::RSquare)?;
            return Ok(decorations);
        }
    }
}

/// `Location = 3`
fn parse_decoration(p: &mut BodyParser<'_, '_>) -> Result<Decoration, ParseFailed> {
    let place = p.place();
    let keyword = p.keyword("a decoration")?;
    let cases = enums::DECORATION.cases;
    let Some(&(_, order)) = cases.iter().find(|case| case.0 == keyword) else {
        return Err(p.error_at(place, format!("unknown attribute: '{keyword}'")));
    };
    let text = if p.eat(Tok::Equal) {
        if p.at(Tok::RSquare) {
            return Err(p.error("expected attribute value"));
        }
        format!("{keyword}={}", unsigned(p)?)
    } else {
        keyword.to_owned()
    };
    Ok((order, p.ctx().string_attr(&text)))
}

pub(super) fn print_struct(p: &mut OpPrinter<'_>, ctx: &Context, params: &[Attr]) {
    p.text("<");
    let (identifier, body) = params
        .split_first()
        .map_or((None, params), |(i, rest)| (i.as_str(ctx), rest));
    p.text(identifier.unwrap_or(""));
    let lists: Vec<&[Attr]> = body
        .iter()
        .map(|list| list.as_array(ctx).unwrap_or(&[]))
        .collect();
    let [members, offsets, decorations, own] = lists[..] else {
        p.text(">");
        return;
    };
    p.text(if identifier.is_some() { ", (" } else { "(" });
    for (index, member) in members.iter().enumerate() {
        p.text(if index > 0 { ", " } else { "" });
        if let Some(ty) = member.as_type(ctx) {
            p.ty(ty);
        }
        let keywords = decorations.get(index).and_then(|list| list.as_array(ctx));
        let offset = offsets.get(index).into_iter();
        print_member(p, ctx, offset.chain(keywords.unwrap_or(&[])));
    }
    p.text(")");
    for keyword in own {
        p.text(", ");
        p.text(keyword.as_str(ctx).unwrap_or(""));
    }
    p.text(">");
}

/// Prints ` [0, NonWritable]`, unless it is empty.
fn print_member<'a>(p: &mut OpPrinter<'_>, ctx: &Context, items: impl Iterator<Item = &'a Attr>) {
    let items: Vec<Attr> = items.copied().collect();
    if items.is_empty() {
        return;
    }
    p.text(" [");
    p.separated(&items, |p, item| match item.as_i64(ctx) {
        Some(offset) => p.int_text(offset),
        None => p.text(item.as_str(ctx).unwrap_or("")),
    });
    p.text("]");
}
