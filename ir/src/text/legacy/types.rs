//! Old spellings of types.

use crate::affine::AffineMap;
use crate::attr::{Attr, AttrKind};
use crate::context::dialect_registry::is_namespace;
use crate::lexer::{Tok, Token};
use crate::text::ParseFailed;
use crate::text::read::parser::{PResult, Parser};
use crate::text::read::ty::Shape;
use crate::types::{DYNAMIC, Type, TypeKind};

impl<'s> Parser<'s> {
    /// Parses the rest of a memref type after the element: layouts, of which several are composed,
    /// and a memory space, which may be a bare name.
    pub(in crate::text) fn legacy_memref_parts(
        &mut self,
        shape: Option<&Shape>,
    ) -> PResult<(Option<Attr>, Option<Attr>)> {
        let (mut layout, mut space) = (None, None);
        while self.eat(Tok::Comma) {
            let token = self.tok;
            let attr = match self.memory_space_name() {
                Some(space) => space,
                None if self.at_keyword("offset") => self.strided_clauses()?,
                None => self.attribute(None)?,
            };
            let is_layout = match attr.kind(self.ctx) {
                AttrKind::Map(_) | AttrKind::Strided { .. } => true,
                AttrKind::Set(_) => {
                    return Err(self.error_on(token, "a layout is a map, not a set"));
                }
                _ => false,
            };
            if !is_layout {
                self.check_space(token, attr)?;
                if space.replace(attr).is_some() {
                    return Err(self.error_on(token, "a memref has one memory space"));
                }
                continue;
            }
            let Some(shape) = shape else {
                return Err(self.error_on(token, "an unranked memref has no layout"));
            };
            if space.is_some() {
                let message = "the layouts of a memref stand before the memory space";
                return Err(self.error_on(token, message));
            }
            layout = Some(match layout {
                None => {
                    self.check_layout_rank(token, attr, shape.extents.len())?;
                    attr
                }
                Some(before) => match (map_of(self, before), map_of(self, attr)) {
                    (Some(inner), Some(outer)) => {
                        let composed = self.compose(inner, outer);
                        let map = composed.map_err(|message| self.error_on(token, message))?;
                        self.ctx.map_attr(map)
                    }
                    _ => {
                        let message = "a strided layout is not composed with others";
                        return Err(self.error_on(token, message));
                    }
                },
            });
        }
        Ok((layout, space))
    }

    /// Parses `hbm`: a memory space by its vendor's name, as a string.
    fn memory_space_name(&mut self) -> Option<Attr> {
        if !self.at(Tok::Bare) {
            return None;
        }
        let next = self.look_ahead().next().kind;
        if !matches!(next, Tok::Comma | Tok::Greater) {
            return None;
        }
        let name = self.ctx.string_attr(self.ascii());
        self.advance();
        Some(name)
    }

    /// `offset: 33, strides: [1, 64]`
    fn strided_clauses(&mut self) -> PResult<Attr> {
        self.expect_keyword("offset")?;
        self.expect(Tok::Colon)?;
        let offset = self.static_or_dynamic("an offset")?;
        // The document omits the comma in one place.
        self.eat(Tok::Comma);
        self.expect_keyword("strides")?;
        self.expect(Tok::Colon)?;
        let mut strides = Vec::new();
        self.expect(Tok::LSquare)?;
        self.list_until(Tok::RSquare, |p| {
            strides.push(p.static_or_dynamic("a stride")?);
            Ok(())
        })?;
        let strides = strides.into();
        Ok(self.ctx.intern_attr(AttrKind::Strided { offset, strides }))
    }

    fn static_or_dynamic(&mut self, what: &str) -> PResult<i64> {
        match self.eat(Tok::Question) {
            true => Ok(DYNAMIC),
            false => self.signed_integer(what),
        }
    }

    /// Composes two maps: `inner` first, then `outer`; the symbols of `inner` come first.
    fn compose(&self, inner: AffineMap, outer: AffineMap) -> Result<AffineMap, String> {
        let ctx = self.ctx;
        let (range, domain) = (inner.results(ctx).len(), outer.num_dims(ctx));
        if range != domain {
            return Err(format!(
                "this map takes {domain} dimension(s), but the one before it gives {range}"
            ));
        }
        let shift = inner.num_symbols(ctx) as u32;
        let own = outer.num_symbols(ctx) as u32;
        let symbols: Vec<_> = (shift..shift + own).map(|s| ctx.affine_symbol(s)).collect();
        let results = outer.results(ctx).iter();
        let results: Vec<_> = results
            .map(|result| result.replace(ctx, inner.results(ctx), &symbols))
            .collect();
        Ok(ctx.affine_map(inner.num_dims(ctx) as u32, shift + own, &results))
    }

    /// Records how many symbols the identity layout of a type was written with: `alloc` lists
    /// operands for them.
    pub(in crate::text) fn note_identity(&mut self, ty: Type, identity: Option<Attr>) {
        if let Some(map) = identity.and_then(|attr| attr.as_map(self.ctx)) {
            let symbols = map.num_symbols(self.ctx);
            self.legacy.identities.insert(ty, symbols);
        }
    }

    /// Refuses `memref<8x%Nxf32>`, which the Rationale turns down.
    pub(in crate::text) fn symbol_in_type(&mut self) -> ParseFailed {
        self.error(
            "a type cannot refer to a value, since types stay as they are when values change; \
             write `?` for this extent and give the size to the allocation, `dim` queries it",
        )
    }

    /// `!alias` with a `.` in its name, or `!d<"x">`.
    pub(in crate::text) fn legacy_dialect_type(&mut self) -> PResult<Option<Type>> {
        let token = self.tok;
        let name = self.slice(token.start + 1, token.end);
        if name.contains(&b'.')
            && let Some(&alias) = self.type_aliases.get(name)
        {
            self.advance();
            return self.expand(alias, token, 1).map(Some);
        }
        let Some((dialect, text, inside)) = self.quoted_dialect_symbol()? else {
            return Ok(None);
        };
        let mut quoted = self.forms.old_operations().quoted_types.iter();
        if let Some((_, parse)) = quoted.find(|(name, _)| *name == dialect) {
            return match parse(self.ctx, inside) {
                Ok(ty) => Ok(Some(ty)),
                Err(message) => Err(self.error_on(text, message)),
            };
        }
        Ok(Some(self.ctx.intern_type(TypeKind::Dialect {
            dialect: self.ctx.ident(dialect),
            body: self.ctx.ident(&unquoted_body(inside)),
        })))
    }

    /// `#d<"x">`, with its type if it has one.
    pub(in crate::text) fn legacy_dialect_attr(
        &mut self,
        ty: Option<Type>,
    ) -> PResult<Option<Attr>> {
        let Some((dialect, _, inside)) = self.quoted_dialect_symbol()? else {
            return Ok(None);
        };
        let ty = match ty {
            None if self.eat(Tok::Colon) => Some(self.ty()?),
            _ => None,
        };
        Ok(Some(self.ctx.intern_attr(AttrKind::Dialect {
            dialect: self.ctx.ident(dialect),
            body: self.ctx.ident(&unquoted_body(inside)),
            ty,
        })))
    }

    /// Takes `!d<"x">` or `#d<"x">` of a dialect whose bodies today's grammar does not read: its
    /// name, the token of the string, and x.
    fn quoted_dialect_symbol(&mut self) -> PResult<Option<(&'s str, Token, &'s str)>> {
        let token = self.tok;
        let mut ahead = self.look_ahead();
        let [less, text, greater] = [ahead.next(), ahead.next(), ahead.next()];
        if (less.kind, text.kind, greater.kind) != (Tok::Less, Tok::String, Tok::Greater) {
            return Ok(None);
        }
        let utf8 = |bytes| std::str::from_utf8(bytes);
        let dialect = utf8(self.slice(token.start + 1, token.end));
        let inside = utf8(self.slice(text.start + 1, text.end - 1));
        let (Ok(dialect), Ok(inside)) = (dialect, inside) else {
            return Err(self.error_on(token, "this must be UTF-8"));
        };
        if !is_namespace(dialect) || self.forms.symbols(dialect).is_some() {
            return Ok(None);
        }
        for _ in 0..4 {
            self.advance();
        }
        Ok(Some((dialect, text, inside)))
    }

    /// Whether a quantized integer of the Rationale stands here, `qi8<…>`.
    pub(in crate::text) fn at_quantized(&mut self) -> bool {
        let width = self.text().strip_prefix(b"qi").unwrap_or(b"");
        let named = !width.is_empty() && width.iter().all(u8::is_ascii_digit);
        self.legacy.on && named && self.look_ahead().next().kind == Tok::Less
    }

    /// `qi8<-1.42, 31.23x>` or `qi8<?,?>`: there is no such type today, so it becomes an opaque
    /// dialect type.
    pub(in crate::text) fn quantized_type(&mut self) -> PResult<Type> {
        let start = self.tok.start;
        self.advance();
        self.expect(Tok::Less)?;
        for close in [Tok::Comma, Tok::Greater] {
            let bound = self.tok;
            if !self.eat(Tok::Question) {
                self.eat(Tok::Minus);
                if !matches!(self.tok.kind, Tok::Float | Tok::Integer) {
                    return Err(self.expected("a bound of the range: a number or `?`"));
                }
                self.advance();
                // The document writes `31.23x`.
                if self.at_keyword("x") && self.tok.start == self.last_end {
                    self.advance();
                }
            }
            if !self.at(close) {
                let message = "a quantized integer has a range of two bounds";
                return Err(self.error_on(bound, message));
            }
            self.advance();
        }
        let body = std::str::from_utf8(self.slice(start, self.last_end)).unwrap_or("");
        Ok(self.ctx.intern_type(TypeKind::Dialect {
            dialect: self.ctx.ident("legacy"),
            body: self.ctx.ident(&format!(".{body}")),
        }))
    }
}

fn map_of(p: &Parser, layout: Attr) -> Option<AffineMap> {
    layout.as_map(p.ctx)
}

/// Spells the body of a dialect symbol for x: `.x` where x fits the pretty syntax, an identifier
/// and perhaps balanced angle brackets up to the end; else `<"x">`.
fn unquoted_body(inside: &str) -> String {
    let part_of_name = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '_';
    let rest = inside.trim_start_matches(part_of_name);
    let named = inside.starts_with(|c: char| c.is_ascii_alphabetic());
    let plain = !inside.contains(['"', '\\']);
    match named && plain && (rest.is_empty() || is_balanced(rest)) {
        true => format!(".{inside}"),
        false => format!("<\"{inside}\">"),
    }
}

/// Whether a text is one pair of angle brackets around balanced text.
fn is_balanced(text: &str) -> bool {
    let mut open = Vec::new();
    let mut rest = text.char_indices();
    while let Some((at, c)) = rest.next() {
        match c {
            '<' | '(' | '[' | '{' => open.push(c),
            '-' if text[at..].starts_with("->") => drop(rest.next()),
            '>' | ')' | ']' | '}' => {
                let partner = match c {
                    '>' => '<',
                    ')' => '(',
                    ']' => '[',
                    _ => '{',
                };
                if open.pop() != Some(partner) {
                    return false;
                }
                if open.is_empty() {
                    return text.starts_with('<') && at + 1 == text.len();
                }
            }
            _ if open.is_empty() => return false,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pretty_where_it_fits() {
        assert_eq!(unquoted_body("string"), ".string");
        assert_eq!(unquoted_body("a.b<c, (d)>"), ".a.b<c, (d)>");
        for inside in ["something<a%%123^^^>>>", "0x1", "i32*", "a<b", "a<b>c", ""] {
            assert_eq!(unquoted_body(inside), format!("<\"{inside}\">"));
        }
    }
}
