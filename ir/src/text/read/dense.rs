//! Parser of attributes that hold many elements: `dense`, `array`.

use super::lists::Lists;
use super::parser::{PResult, Parser};
use crate::attr::{Attr, AttrKind, DenseData, Int};
use crate::elements::{element_bytes, elements_of};
use crate::lexer::{Tok, Token, hex_value, unescape};
use crate::types::{DYNAMIC, Signedness, Type, TypeKind};

/// One element as written: sign and token.
#[derive(Clone, Copy)]
pub(super) struct Literal {
    negative: bool,
    token: Token,
}

/// Contents of `dense<…>`, collected before the type is known.
#[derive(Default)]
pub(super) struct Literals {
    items: Vec<Literal>,
    /// Extents of the nested lists; empty for a single element.
    pub(super) shape: Vec<i64>,
    /// Whether elements are pairs in parentheses.
    complex: bool,
}

impl<'s> Parser<'s> {
    /// `dense<…> : type`
    pub(crate) fn dense_attr(&mut self, ty: Option<Type>) -> PResult<Attr> {
        let keyword = self.tok;
        self.advance();
        self.expect_as(Tok::Less, "'<' after 'dense'")?;
        let literals = self.literals()?;
        self.expect(Tok::Greater)?;
        let (ty, shape) = self.static_shaped_type(keyword, ty)?;
        self.dense_of(keyword, &literals, ty, &shape)
    }

    pub(super) fn static_shaped_type(
        &mut self,
        token: Token,
        ty: Option<Type>,
    ) -> PResult<(Type, Vec<i64>)> {
        let ty = match ty {
            Some(ty) => ty,
            None => {
                self.expect(Tok::Colon)?;
                self.ty()?
            }
        };
        let Some((shape, _)) = elements_of(self.ctx, ty) else {
            let message = "elements literal must be a shaped type";
            return Err(self.error_since(token, message));
        };
        if shape.contains(&DYNAMIC) {
            let message = "elements literal type must have static shape";
            return Err(self.error_since(token, message));
        }
        Ok((ty, shape.into_owned()))
    }

    /// Parses nothing, one element, or nested lists of elements.
    pub(super) fn literals(&mut self) -> PResult<Literals> {
        let mut literals = Literals::default();
        if !self.at(Tok::Greater) {
            self.literal_list(&mut literals, 0)?;
        }
        Ok(literals)
    }

    pub(super) fn literal_list(&mut self, out: &mut Literals, depth: usize) -> PResult<()> {
        if !self.at(Tok::LSquare) {
            self.literal(out)?;
            if depth < out.shape.len() && out.shape[depth] != UNKNOWN {
                return Err(self.ragged("the elements beside this one are lists"));
            }
            return Ok(());
        }
        self.advance();
        let mut beside_element = false;
        if out.shape.len() == depth {
            beside_element = !out.items.is_empty();
            out.shape.push(UNKNOWN);
        }
        let mut count = 0;
        self.nested(|p| {
            p.items_until(Tok::RSquare, "']'", |p| {
                count += 1;
                p.literal_list(out, depth + 1)
            })
        })?;
        if beside_element {
            return Err(self.ragged("the elements beside this one are not lists"));
        }
        if out.shape[depth] == UNKNOWN {
            out.shape[depth] = count;
        } else if out.shape[depth] != count {
            let beside = out.shape[depth];
            let why = format!("this list has {count} element(s), but one beside it has {beside}");
            return Err(self.ragged(&why));
        }
        Ok(())
    }

    fn ragged(&mut self, why: &str) -> crate::text::ParseFailed {
        self.error(format!(
            "tensor literal is invalid; ranks are not consistent between elements: {why}"
        ))
    }

    fn literal(&mut self, out: &mut Literals) -> PResult<()> {
        if self.eat(Tok::LParen) {
            out.complex = true;
            self.simple_literal(out)?;
            self.expect_as(Tok::Comma, "',' between complex elements")?;
            self.simple_literal(out)?;
            let close = self.expect_as(Tok::RParen, "')' after complex elements");
            return close.map(|_| ());
        }
        self.simple_literal(out)
    }

    fn simple_literal(&mut self, out: &mut Literals) -> PResult<()> {
        let negative = self.eat(Tok::Minus);
        let token = self.tok;
        match token.kind {
            Tok::Integer | Tok::Float => {}
            Tok::String if !negative => {}
            Tok::Bare if !negative && matches!(self.text(), b"true" | b"false") => {}
            _ if negative => return Err(self.expected_here("integer or floating point literal")),
            _ => return Err(self.expected_here("element literal of primitive type")),
        }
        self.advance();
        out.items.push(Literal { negative, token });
        Ok(())
    }

    pub(super) fn dense_of(
        &mut self,
        keyword: Token,
        literals: &Literals,
        ty: Type,
        shape: &[i64],
    ) -> PResult<Attr> {
        let Some((_, element)) = elements_of(self.ctx, ty) else {
            return Err(self.error_since(keyword, "elements need an element type"));
        };
        let count = shape
            .iter()
            .try_fold(1usize, |n, &d| n.checked_mul(usize::try_from(d).ok()?));
        let Some(count) = count else {
            return Err(self.error_since(keyword, "the type has more elements than can be counted"));
        };
        if let [only] = literals.items[..]
            && literals.shape.is_empty()
            && only.token.kind == Tok::String
            && element_bytes(self.ctx, element).is_some()
        {
            return self.hex_elements(keyword, only.token, (ty, element), count);
        }
        let splat = literals.shape.is_empty();
        let nothing = splat && literals.items.is_empty();
        if nothing && count != 0 {
            let message = format!(
                "parsed zero elements, but type ('{}') expected at least 1",
                crate::text::type_string(self.ctx, ty)
            );
            return Err(self.error_since(keyword, message));
        }
        if !splat && literals.shape != shape {
            let message = format!(
                "inferred shape of elements literal ({:?}) does not match type ({shape:?})",
                literals.shape
            );
            return Err(self.error_since(keyword, message));
        }
        let data = if element_bytes(self.ctx, element).is_some() {
            let raw = self.element_data(keyword, literals, ty, element)?;
            pack(raw, splat && !nothing, count)
        } else {
            self.string_elements(keyword, literals)?
        };
        Ok(self.ctx.intern_attr(AttrKind::Dense { ty, data }))
    }

    fn string_elements(&mut self, keyword: Token, literals: &Literals) -> PResult<DenseData> {
        let mut strings: Vec<Box<str>> = Vec::with_capacity(literals.items.len());
        for literal in &literals.items {
            if literal.token.kind != Tok::String {
                let got = String::from_utf8_lossy(self.text_of(literal.token));
                let message = format!("expected string token, got {got}");
                return Err(self.error_since(keyword, message));
            }
            let inside = self.slice(literal.token.start + 1, literal.token.end - 1);
            match std::str::from_utf8(&unescape(inside)) {
                Ok(text) => strings.push(text.into()),
                Err(_) => return Err(self.error_since(keyword, "string elements must be UTF-8")),
            }
        }
        if strings.len() > 1 && strings.iter().all(|s| *s == strings[0]) {
            strings.truncate(1);
        }
        Ok(DenseData::Strings(strings.into()))
    }

    /// Encodes all written elements in order.
    fn element_data(
        &mut self,
        keyword: Token,
        literals: &Literals,
        ty: Type,
        element: Type,
    ) -> PResult<Vec<u8>> {
        let (part, complex) = match element.kind(self.ctx) {
            TypeKind::Complex(part) => (*part, true),
            _ => (element, false),
        };
        if literals.complex
            && !complex
            && let Some(first) = literals.items.first()
        {
            return Err(self.error_on(first.token, "only complex elements are pairs"));
        }
        let places: i64 = literals.shape.iter().product();
        let wanted = places.saturating_mul(if complex { 2 } else { 1 });
        if literals.items.len() as i64 != wanted && !literals.items.is_empty() {
            let of = if literals.shape.is_empty() {
                element
            } else {
                ty
            };
            let message = format!(
                "parsed {} elements, but type ('{}') expected {wanted} elements",
                literals.items.len(),
                crate::text::type_string(self.ctx, of)
            );
            return Err(self.error_since(keyword, message));
        }
        let size = element_bytes(self.ctx, part).unwrap_or(1);
        let mut data = Vec::with_capacity(size * literals.items.len());
        for literal in &literals.items {
            self.push_element(&mut data, *literal, part, size)?;
        }
        Ok(data)
    }

    fn push_element(
        &mut self,
        data: &mut Vec<u8>,
        literal: Literal,
        ty: Type,
        size: usize,
    ) -> PResult<()> {
        let Literal { negative, token } = literal;
        if let Some(kind) = ty.float_kind(self.ctx) {
            if !matches!(token.kind, Tok::Integer | Tok::Float) {
                return Err(self.error_on(token, "expected floating point literal"));
            }
            let bits = self.float_bits(token, negative, kind)?;
            data.extend_from_slice(&bits.to_le_bytes()[..size]);
            return Ok(());
        }
        let value = match token.kind {
            Tok::Bare if matches!(ty.kind(self.ctx), TypeKind::Integer { width: 1, .. }) => {
                Int::Small((self.text_of(token) == b"true").into())
            }
            Tok::Bare => {
                let message = "expected i1 type for 'true' or 'false' values";
                return Err(self.error_on(token, message));
            }
            Tok::Integer | Tok::Float if negative && self.is_unsigned(ty) => {
                let message = "expected unsigned integer elements, but parsed negative value";
                return Err(self.error_on(token, message));
            }
            Tok::Integer => self.integer_of(token, negative, ty, "type")?,
            Tok::Float => {
                let message = "expected integer elements, but parsed floating-point";
                return Err(self.error_on(token, message));
            }
            _ => return Err(self.error_on(token, "integer constant out of range for type")),
        };
        match value {
            Int::Small(v) if size <= 16 => data.extend_from_slice(&v.to_le_bytes()[..size]),
            value => data.extend(value.to_le_bytes(size)),
        }
        Ok(())
    }

    /// `dense<"0x…">`: the bytes themselves, in little-endian order.
    fn hex_elements(
        &mut self,
        keyword: Token,
        token: Token,
        (ty, element): (Type, Type),
        count: usize,
    ) -> PResult<Attr> {
        let inside = self.slice(token.start + 1, token.end - 1);
        let digits = match inside.strip_prefix(b"0x") {
            Some(d) if d.len().is_multiple_of(2) && d.iter().all(u8::is_ascii_hexdigit) => d,
            _ => {
                let message = "expected string containing hex digits starting with `0x`";
                return Err(self.error_since(token, message));
            }
        };
        let (pairs, _) = digits.as_chunks::<2>();
        let bytes: Vec<u8> = pairs
            .iter()
            .map(|[high, low]| hex_value(*high) << 4 | hex_value(*low))
            .collect();
        let size = element_bytes(self.ctx, element).unwrap_or(1);
        let is_bool = element == self.ctx.bool_type();
        let (needed, single) = if is_bool {
            // Eight elements to a byte, the first one lowest; a byte of equal bits may be a splat.
            let uniform = bytes == [0] || bytes == [0xFF];
            (count.div_ceil(8), uniform && count != 1)
        } else {
            (
                size.saturating_mul(count),
                bytes.len() == size && count != 1,
            )
        };
        if !single && bytes.len() != needed {
            let message = format!(
                "elements hex data size is invalid for provided type: '{}' needs {needed} bytes, \
                 but the string holds {}",
                crate::text::type_string(self.ctx, ty),
                bytes.len()
            );
            return Err(self.error_since(keyword, message));
        }
        let bytes = match bytes[..] {
            _ if !is_bool => bytes,
            [first] if single => vec![first & 1],
            _ => (0..count).map(|i| bytes[i / 8] >> (i % 8) & 1).collect(),
        };
        let data = pack(bytes, single, count);
        Ok(self.ctx.intern_attr(AttrKind::Dense { ty, data }))
    }

    /// `array<i32: 1, 2>`
    pub(crate) fn dense_array_attr(&mut self) -> PResult<Attr> {
        self.advance();
        self.expect_as(Tok::Less, "'<' after 'array'")?;
        let token = self.tok;
        let element = match self.ty() {
            Ok(element) => element,
            Err(_) => {
                let message = "expected an integer or floating point type";
                return Err(self.error_on(token, message));
            }
        };
        let size = match element.kind(self.ctx) {
            TypeKind::Integer { width: 1, .. } => 1,
            TypeKind::Integer { width, .. } if *width > 0 && width.is_multiple_of(8) => {
                *width as usize / 8
            }
            TypeKind::Float(kind) if kind.width().is_multiple_of(8) => kind.width() as usize / 8,
            _ => {
                let message = match element.kind(self.ctx) {
                    TypeKind::Integer { .. } | TypeKind::Float(_) => {
                        "element type bitwidth must be a multiple of 8".to_owned()
                    }
                    _ => format!(
                        "expected integer or float type, got: '{}'",
                        crate::text::type_string(self.ctx, element)
                    ),
                };
                return Err(self.error_since(token, message));
            }
        };
        let data = if self.eat(Tok::Greater) {
            Vec::new()
        } else {
            self.expect_as(Tok::Colon, "':' after dense array type")?;
            if self.at(Tok::Greater) {
                return Err(self.expected_array_element(element));
            }
            self.dense_array_elements(element, size, Tok::Greater)?
        };
        let data = data.into();
        Ok(self.ctx.intern_attr(AttrKind::DenseArray { element, data }))
    }

    fn expected_array_element(&mut self, element: Type) -> crate::text::ParseFailed {
        self.expected_here(match element.float_kind(self.ctx) {
            Some(_) => "floating point literal",
            None => "integer literal",
        })
    }

    fn is_unsigned(&self, ty: Type) -> bool {
        let TypeKind::Integer { signedness, .. } = ty.kind(self.ctx) else {
            return false;
        };
        *signedness == Signedness::Unsigned
    }

    /// Parses elements up to `close` and encodes them.
    pub(crate) fn dense_array_elements(
        &mut self,
        element: Type,
        size: usize,
        close: Tok,
    ) -> PResult<Vec<u8>> {
        let mut data = Vec::new();
        let mut literals = Literals::default();
        let is_bool = element == self.ctx.bool_type();
        let what = match close {
            Tok::Greater => "'>' to close an array attribute",
            other => other.describe(),
        };
        self.items_until(close, what, |p| {
            literals.items.clear();
            let is_float = element.float_kind(p.ctx).is_some();
            let fits = match p.tok.kind {
                Tok::Minus | Tok::Integer => true,
                Tok::Float => is_float,
                Tok::Bare => !is_float && (p.at_keyword("true") || p.at_keyword("false")),
                _ => false,
            };
            if !fits {
                return Err(p.expected_array_element(element));
            }
            p.simple_literal(&mut literals)?;
            match literals.items[..] {
                [literal] if is_bool && literal.token.kind != Tok::Bare => {
                    let message = "expected 'true' or 'false' values for i1 type";
                    Err(p.error_on(literal.token, message))
                }
                // A negative literal is two's complement, whatever the type.
                [literal] if literal.negative && !is_float => {
                    let signless = p.ctx.int_type(size as u32 * 8);
                    p.push_element(&mut data, literal, signless, size)
                }
                [literal] => p.push_element(&mut data, literal, element, size),
                _ => Ok(()),
            }
        })?;
        Ok(data)
    }
}

/// Placeholder for the extent of a list that is still open.
const UNKNOWN: i64 = -1;

/// Packs elements; equal ones become a splat, so that equal attributes are equal data.
fn pack(bytes: Vec<u8>, splat: bool, count: usize) -> DenseData {
    if splat {
        return DenseData::Splat(bytes.into());
    }
    let size = bytes.len().checked_div(count).unwrap_or(0);
    if size > 0 && bytes.chunks(size).all(|chunk| chunk == &bytes[..size]) {
        return DenseData::Splat(bytes[..size].into());
    }
    DenseData::Raw(bytes.into())
}
