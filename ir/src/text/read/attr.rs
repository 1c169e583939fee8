//! Parser of attributes.

use smallvec::SmallVec;

use super::cache::texts::{Stops, stops};
use super::lists::Lists;
use super::parser::{PResult, Parser};
use super::suggest;
use super::ty::{as_utf8, type_keywords};
use crate::attr::{Attr, AttrKind, Int, NamedAttr};
use crate::context::Ident;
use crate::lexer::{Tok, Token};
use crate::scalar::encode_float;
use crate::text::integer::{self, Range};
use crate::types::{DYNAMIC, FloatKind, Signedness, Type, TypeKind};

impl<'s> Parser<'s> {
    /// Parses an attribute. A known `ty` is not spelled after it.
    pub fn attribute(&mut self, ty: Option<Type>) -> PResult<Attr> {
        self.nested(|p| match p.tok.kind {
            Tok::Integer | Tok::Float | Tok::Minus => p.number_attr(ty),
            Tok::String => p.string_attr(ty),
            Tok::At => p.symbol_ref(),
            Tok::LSquare => p.array_attr(),
            Tok::LBrace => {
                let mut entries: SmallVec<[NamedAttr; 4]> = p.dict_entries()?.into();
                let dict = p.ctx.attr_dict_of(&mut entries);
                Ok(p.ctx.intern_attr(AttrKind::Dict(dict)))
            }
            Tok::Hash => p.dialect_attr(ty),
            Tok::Bare => p.keyword_attr(ty),
            Tok::LParen if p.at_bare_map() => p.bare_map_attr(),
            Tok::LParen | Tok::Exclaim => Ok(p.ctx.type_attr(p.ty()?)),
            _ => Err(p.expected("attribute value")),
        })
    }

    fn keyword_attr(&mut self, ty: Option<Type>) -> PResult<Attr> {
        match self.text() {
            b"affine_map" => {
                self.affine_attr("affine map", |p| Ok(p.ctx.map_attr(p.affine_map_body()?)))
            }
            b"affine_set" => {
                self.affine_attr("integer set", |p| Ok(p.ctx.set_attr(p.integer_set_body()?)))
            }
            word @ (b"true" | b"false") => {
                let value = word == b"true";
                self.advance();
                Ok(self.ctx.bool_attr(value))
            }
            b"unit" => {
                self.advance();
                Ok(self.ctx.unit_attr())
            }
            b"loc" => self.loc_attr(),
            b"strided" => self.strided_attr(),
            b"array" => self.dense_array_attr(),
            b"dense" => self.dense_attr(ty),
            b"dense_resource" => self.dense_resource_attr(ty),
            b"sparse" => self.sparse_attr(ty),
            b"distinct" => self.distinct_attr(ty),
            b"opaque" if self.legacy.on => self.opaque_elements(),
            word if self.starts_type(word) || self.at_quantized() => {
                Ok(self.ctx.type_attr(self.ty()?))
            }
            word => {
                let shown = String::from_utf8_lossy(word);
                let near = suggest::nearest(&shown, type_keywords());
                let diagnostic = self.missing("attribute value").with_near("", near);
                Err(self.report(diagnostic))
            }
        }
    }

    /// Parses a map or set with `read` unless the text cache has it.
    fn affine_attr(
        &mut self,
        what: &str,
        read: impl FnOnce(&mut Self) -> PResult<Attr>,
    ) -> PResult<Attr> {
        // Not cacheable: comments, which may hold anything, and nested brackets.
        static STOPS: Stops = stops(b"/<", true);
        // The first bytes are much the same in all maps, so they make no hash.
        self.cached(
            |p| &mut p.caches.attrs,
            16..32,
            &STOPS,
            |p| {
                p.advance();
                p.expect_as(Tok::Less, &format!("'<' in {what}"))?;
                let attr = read(p)?;
                p.expect_as(Tok::Greater, &format!("'>' in {what}"))?;
                Ok(attr)
            },
        )
    }

    // ---- numbers ----

    fn number_attr(&mut self, ty: Option<Type>) -> PResult<Attr> {
        let negative = self.eat(Tok::Minus);
        let literal = self.tok;
        let is_float = match literal.kind {
            Tok::Integer => false,
            Tok::Float => true,
            _ => return Err(self.expected("constant integer or floating point value")),
        };
        self.advance();
        let ty = match ty {
            Some(ty) => ty,
            None if self.eat(Tok::Colon) => self.ty()?,
            None if is_float => self.ctx.float_type(FloatKind::F64),
            None => self.ctx.int_type(64),
        };
        self.number_of(literal, negative, ty)
    }

    /// Makes the attribute that a literal spells as a number of this type.
    fn number_of(&mut self, literal: Token, negative: bool, ty: Type) -> PResult<Attr> {
        if let Some(kind) = ty.float_kind(self.ctx) {
            let bits = self.float_bits(literal, negative, kind)?;
            return Ok(self.ctx.intern_attr(AttrKind::Float { ty, bits }));
        }
        if literal.kind == Tok::Float {
            return Err(self.error("floating point value not valid for specified type"));
        }
        if !ty.kind(self.ctx).is_int_or_index() {
            let message = "integer literal not valid for specified type";
            return Err(self.error_on(literal, message));
        }
        if negative
            && let TypeKind::Integer { signedness, .. } = ty.kind(self.ctx)
            && *signedness == Signedness::Unsigned
        {
            let message = "negative integer literal not valid for unsigned integer type";
            return Err(self.error_on(literal, message));
        }
        let value = self.integer_of(literal, negative, ty, "attribute")?;
        Ok(self.ctx.intern_attr(AttrKind::Integer { ty, value }))
    }

    /// Reads an integer literal as an integer or index type. `what` names the value in errors about
    /// its range.
    pub(crate) fn integer_of(
        &mut self,
        literal: Token,
        negative: bool,
        ty: Type,
        what: &str,
    ) -> PResult<Int> {
        let (width, range) = match ty.kind(self.ctx) {
            TypeKind::Integer { width, signedness } => {
                let range = match signedness {
                    // `true` is 1, not -1.
                    Signedness::Signless if *width == 1 && !negative => Range::Unsigned,
                    Signedness::Signless => Range::Either,
                    Signedness::Signed => Range::Signed,
                    Signedness::Unsigned => Range::Unsigned,
                };
                (*width, range)
            }
            _ => (64, Range::Signed),
        };
        let value = integer::literal(self.text_of(literal), negative, width, range);
        match value {
            Some(Int::Small(-1)) if ty == self.ctx.bool_type() => Ok(Int::Small(1)),
            Some(value) => Ok(value),
            None => {
                let message = format!(
                    "integer constant out of range for {what}: it does not fit into '{}'",
                    crate::text::type_string(self.ctx, ty)
                );
                Err(self.error_on(literal, message))
            }
        }
    }

    /// Reads a literal as the bit pattern of a float: decimal with a point, or the pattern itself
    /// in hexadecimal.
    pub(crate) fn float_bits(
        &mut self,
        literal: Token,
        negative: bool,
        kind: FloatKind,
    ) -> PResult<u128> {
        let text = self.text_of(literal);
        if literal.kind == Tok::Integer {
            if !text.starts_with(b"0x") {
                let message = "unexpected decimal integer literal for a floating point value";
                let note = "add a trailing dot to make the literal a float";
                let at = self.loc(literal.start);
                let diagnostic = self.diagnostic(literal, message).with_note(at, note);
                return Err(self.report(diagnostic));
            }
            if negative {
                let message = "hexadecimal float literal should not have a leading minus";
                return Err(self.error_on(literal, message));
            }
            return match integer::literal(text, false, kind.width(), Range::Unsigned) {
                Some(value) => Ok(bits_of(&value)),
                None => {
                    let message = "hexadecimal float constant out of range for type";
                    Err(self.error_on(literal, message))
                }
            };
        }
        let value: Option<f64> = std::str::from_utf8(text).ok().and_then(|t| t.parse().ok());
        let Some(value) = value else {
            return Err(self.error_on(literal, "expected floating point literal"));
        };
        let value = if negative { -value } else { value };
        match encode_float(kind, value) {
            Some(bits) => Ok(bits),
            None => {
                let message = format!("`{}` has nothing near this number", kind.keyword());
                Err(self.error_on(literal, message))
            }
        }
    }

    /// Takes a decimal literal without sign that is short enough for `i64`, if one stands here.
    /// Fast path for nearly every integer of a program.
    pub(crate) fn plain_integer(&mut self) -> Option<i64> {
        let short = self.at(Tok::Integer) && self.tok.end - self.tok.start <= 18;
        if !short {
            return None;
        }
        let mut value = 0;
        for &digit in self.text() {
            if !digit.is_ascii_digit() {
                return None;
            }
            value = value * 10 + i64::from(digit - b'0');
        }
        self.advance();
        Some(value)
    }

    /// Parses an integer literal with an optional sign, within `i64`.
    pub fn signed_integer(&mut self, what: &str) -> PResult<i64> {
        if let Some(value) = self.plain_integer() {
            return Ok(value);
        }
        let negative = self.eat(Tok::Minus);
        let literal = self.tok;
        if literal.kind != Tok::Integer {
            return Err(self.expected(what));
        }
        self.advance();
        match integer::literal(self.text_of(literal), negative, 64, Range::Signed) {
            Some(Int::Small(value)) if i64::try_from(value).is_ok() => Ok(value as i64),
            _ => Err(self.error_on(literal, "integer value too large: it must fit into 64 bits")),
        }
    }

    /// Parses an integer literal without sign, within `u32`.
    pub(crate) fn small_integer(&mut self, what: &str) -> PResult<u32> {
        let literal = self.tok;
        if literal.kind != Tok::Integer {
            return Err(self.expected(what));
        }
        self.advance();
        match self.text_of(literal).strip_prefix(b"0x") {
            None => match std::str::from_utf8(self.text_of(literal))
                .unwrap_or("")
                .parse()
            {
                Ok(value) => Ok(value),
                Err(_) => Err(self.error_on(literal, format!("expected {what}"))),
            },
            Some(_) => Err(self.error_on(literal, format!("{what} must be decimal"))),
        }
    }

    // ---- names ----

    fn string_attr(&mut self, ty: Option<Type>) -> PResult<Attr> {
        let value = self.string("a string")?;
        let ty = match ty {
            Some(ty) => Some(ty),
            None if self.eat(Tok::Colon) => Some(self.ty()?),
            None => None,
        };
        let ty = ty.filter(|&ty| ty != self.ctx.none_type());
        let value = value.as_ref().into();
        Ok(self.ctx.intern_attr(AttrKind::String { value, ty }))
    }

    /// Parses `@root::@nested`.
    pub fn symbol_ref(&mut self) -> PResult<Attr> {
        let root = self.symbol_name()?;
        let mut nested = Vec::new();
        while self.at(Tok::Colon) {
            let colon = self.tok.start;
            self.advance();
            if !self.eat(Tok::Colon) {
                // The single colon belongs to the text after the reference.
                self.seek(colon);
                break;
            }
            if !self.at(Tok::At) {
                return Err(self.expected_here("nested symbol reference identifier"));
            }
            nested.push(self.symbol_name()?);
        }
        Ok(self.ctx.nested_symbol_attr(root, &nested))
    }

    /// Reports a `#name` that no definition gives a meaning.
    pub(crate) fn undefined_alias(
        &mut self,
        token: Token,
        name: &[u8],
    ) -> crate::text::ParseFailed {
        let shown = String::from_utf8_lossy(name);
        let known = self.attr_aliases.keys().chain(self.loc_aliases.keys());
        let known = known.copied().filter_map(as_utf8);
        let diagnostic = self
            .diagnostic(token, format!("undefined symbol alias id '{shown}'"))
            .with_near("#", suggest::nearest(&shown, known));
        self.report(diagnostic)
    }

    // ---- collections ----

    fn array_attr(&mut self) -> PResult<Attr> {
        self.advance();
        let mut items = Vec::new();
        self.list_until(Tok::RSquare, |p| {
            items.push(p.attr_value()?);
            Ok(())
        })?;
        Ok(self.ctx.array_attr(&items))
    }

    /// Parses an attribute in a collection.
    fn attr_value(&mut self) -> PResult<Attr> {
        let attr = self.attribute(None)?;
        if self.legacy.on {
            self.drop_symbol_type(attr)?;
        }
        Ok(attr)
    }

    /// Parses `{name = value, unit, …}`.
    pub fn dict_entries(&mut self) -> PResult<Vec<NamedAttr>> {
        self.expect_as(Tok::LBrace, "'{' in attribute dictionary")?;
        let mut entries: Vec<NamedAttr> = Vec::new();
        self.items_until(Tok::RBrace, "'}' in attribute dictionary", |p| {
            let token = p.tok;
            let name = p.dict_name()?;
            let value = if p.eat(Tok::Equal) || p.legacy.on && p.eat(Tok::Colon) {
                p.attr_value()?
            } else {
                p.ctx.unit_attr()
            };
            entries.push((name, value));
            // Long dictionaries are checked for duplicates at the end.
            if entries.len() <= 16 && entries[..entries.len() - 1].iter().any(|e| e.0 == name) {
                return Err(p.given_twice(token, name));
            }
            Ok(())
        })?;
        if entries.len() > 16 {
            let mut names: Vec<Ident> = entries.iter().map(|e| e.0).collect();
            names.sort_unstable();
            if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(self.given_twice(self.tok, pair[0]));
            }
        }
        Ok(entries)
    }

    fn given_twice(&mut self, token: Token, name: Ident) -> crate::text::ParseFailed {
        let shown = self.ctx.str(name);
        self.error_on(
            token,
            format!("duplicate key '{shown}' in dictionary attribute"),
        )
    }

    fn dict_name(&mut self) -> PResult<Ident> {
        match self.tok.kind {
            Tok::Bare => {
                let name = self.ctx.ident(self.ascii());
                self.advance();
                Ok(name)
            }
            Tok::String => {
                let token = self.tok;
                let name = self.utf8_string("an attribute's name")?;
                if self.ctx.str(name).is_empty() {
                    return Err(self.error_on(token, "expected valid attribute name"));
                }
                Ok(name)
            }
            _ => Err(self.expected("attribute name")),
        }
    }

    fn distinct_attr(&mut self, ty: Option<Type>) -> PResult<Attr> {
        self.advance();
        self.expect_as(Tok::LSquare, "'[' after 'distinct'")?;
        let token = self.tok;
        if !self.at(Tok::Integer) {
            return Err(self.expected_here("distinct ID"));
        }
        let Some(id) = integer::unsigned(self.text()) else {
            return Err(self.error("expected an unsigned 64-bit integer"));
        };
        self.advance();
        self.expect_as(Tok::RSquare, "']' to close distinct ID")?;
        self.expect_as(Tok::Less, "'<' after distinct ID")?;
        let value = if self.at(Tok::Greater) {
            self.ctx.unit_attr()
        } else if let Ok(value) = self.attribute(ty) {
            value
        } else {
            return Err(self.error("expected attribute"));
        };
        self.expect_as(Tok::Greater, "'>' to close distinct attribute")?;
        let attr = self.ctx.intern_attr(AttrKind::Distinct { id, value });
        let earlier = *self.distinct.entry(id).or_insert(attr);
        if let AttrKind::Distinct { value, .. } = earlier.kind(self.ctx)
            && earlier != attr
        {
            let shown = crate::text::attr_string(self.ctx, *value);
            let message =
                format!("referenced attribute does not match previous definition: {shown}");
            return Err(self.error_on(token, message));
        }
        Ok(attr)
    }

    fn strided_attr(&mut self) -> PResult<Attr> {
        self.advance();
        self.expect_as(Tok::Less, "'<' after 'strided'")?;
        let mut strides = Vec::new();
        self.expect(Tok::LSquare)?;
        self.items_until(Tok::RSquare, "']'", |p| {
            strides.push(p.stride()?);
            Ok(())
        })?;
        let mut offset = 0;
        if !self.at(Tok::Greater) {
            self.expect(Tok::Comma)?;
            if !self.eat_keyword("offset") {
                return Err(self.expected("'offset' after comma"));
            }
            self.expect_as(Tok::Colon, "':' after 'offset'")?;
            offset = self.stride()?;
        }
        self.expect(Tok::Greater)?;
        let strides = strides.into();
        Ok(self.ctx.intern_attr(AttrKind::Strided { offset, strides }))
    }

    fn stride(&mut self) -> PResult<i64> {
        if self.eat(Tok::Question) {
            return Ok(DYNAMIC);
        }
        let what = "a 64-bit signed integer or '?'";
        let (token, errors) = (self.tok, "expected a 64-bit signed integer or '?'");
        let negative = self.eat(Tok::Minus);
        let literal = self.tok;
        if literal.kind != Tok::Integer {
            return Err(self.expected_here(what));
        }
        match integer::literal(self.text(), negative, 64, Range::Signed) {
            // The least number stands for `?` in strides.
            Some(Int::Small(value)) if i64::try_from(value).is_ok_and(|v| v != DYNAMIC) => {
                self.advance();
                Ok(value as i64)
            }
            _ => Err(self.error_on(token, errors)),
        }
    }
}

/// Returns the bits of a value that is not negative and at most 128 bits wide.
fn bits_of(value: &Int) -> u128 {
    let words = value.words(2);
    u128::from(words[1]) << 64 | u128::from(words[0])
}
