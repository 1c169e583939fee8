//! Parser of types.

use super::cache::texts::{Stops, stops};
use super::lists::Lists;
use super::parser::{PResult, Parser};
use super::suggest;
use crate::attr::{Attr, AttrKind};
use crate::lexer::{Tok, Token};
use crate::types::{DYNAMIC, FloatKind, MemRefType, Signedness, Type, TypeKind};

/// Width limit of integer types, as MLIR has it.
const MAX_WIDTH: u32 = (1 << 24) - 1;

/// Rank limit of a shape: reading one extent scans all that follow.
const MAX_RANK: usize = 4096;

/// Shape as written: extents, and which of them stand in brackets.
pub(crate) struct Shape {
    pub extents: Vec<i64>,
    pub scalable: Vec<bool>,
}

/// Inputs and results of a function type.
type Signature = (Vec<Type>, Vec<Type>);

impl<'s> Parser<'s> {
    /// Parses a type.
    pub fn ty(&mut self) -> PResult<Type> {
        self.nested(|p| match p.tok.kind {
            Tok::LParen => {
                let (inputs, results) = p.function_type_parts()?;
                Ok(p.ctx.function_type(&inputs, &results))
            }
            Tok::Exclaim => p.dialect_type(),
            Tok::Bare => p.keyword_type(),
            _ => Err(p.expected("non-function type")),
        })
    }

    /// Parses a function type or an alias of one to inputs and results; `Err` with any other type
    /// that stands here.
    pub(crate) fn function_type(&mut self) -> PResult<Result<Signature, Type>> {
        if self.at(Tok::LParen) {
            return Ok(Ok(self.function_type_parts()?));
        }
        let ty = self.ty()?;
        let parts = ty.function(self.ctx);
        Ok(parts
            .map(|(inputs, results)| (inputs.to_vec(), results.to_vec()))
            .ok_or(ty))
    }

    /// `(types) -> types`
    fn function_type_parts(&mut self) -> PResult<Signature> {
        self.expect(Tok::LParen)?;
        let inputs = self.types_until(Tok::RParen, "')'")?;
        self.expect_as(Tok::Arrow, "'->' in function type")?;
        let results = self.result_types()?;
        Ok((inputs, results))
    }

    /// Parses `(types)`, or one type that is no function type.
    pub(crate) fn result_types(&mut self) -> PResult<Vec<Type>> {
        if self.eat(Tok::LParen) {
            self.types_until(Tok::RParen, "')'")
        } else {
            Ok(vec![self.ty()?])
        }
    }

    fn types_until(&mut self, close: Tok, what: &str) -> PResult<Vec<Type>> {
        let mut types = Vec::new();
        self.items_until(close, what, |p| {
            types.push(p.ty()?);
            Ok(())
        })?;
        Ok(types)
    }

    fn keyword_type(&mut self) -> PResult<Type> {
        let word = self.text();
        if let Some(kind) = self.builtin_scalar(word)? {
            self.advance();
            return Ok(kind);
        }
        match word {
            b"memref" => self.shaped_type(Self::memref_type),
            b"tensor" => self.shaped_type(Self::tensor_type),
            b"vector" => self.shaped_type(Self::vector_type),
            b"complex" => self.complex_type(),
            b"tuple" => {
                self.advance();
                self.expect_as(Tok::Less, "'<' in tuple type")?;
                let types = self.types_until(Tok::Greater, "'>' in tuple type")?;
                Ok(self.ctx.intern_type(TypeKind::Tuple(types.into())))
            }
            _ if self.at_quantized() => self.quantized_type(),
            _ => {
                let shown = String::from_utf8_lossy(word);
                let near = suggest::nearest(&shown, type_keywords());
                let diagnostic = self.missing("non-function type").with_near("", near);
                Err(self.report(diagnostic))
            }
        }
    }

    /// Parses a shaped type with `read` unless the text cache has it: the types of a file are few,
    /// and each is written often.
    fn shaped_type(&mut self, read: fn(&mut Self) -> PResult<Type>) -> PResult<Type> {
        // Cacheable: extents and keywords alone, which no alias could change.
        static STOPS: Stops = stops(
            b"0123456789?*>ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
            false,
        );
        // Types differ in their first extents.
        self.cached(|p| &mut p.caches.types, 0..8, &STOPS, read)
    }

    /// Whether a type may start with this word.
    pub(in crate::text) fn starts_type(&self, word: &[u8]) -> bool {
        match word {
            b"index" | b"none" | b"complex" | b"memref" | b"tensor" | b"tuple" | b"vector" => true,
            [b'i', digits @ ..] | [b's' | b'u', b'i', digits @ ..] => {
                !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
            }
            _ => self.float_keyword(word).is_some(),
        }
    }

    /// Whether the current token is an integer type such as `i32`.
    pub(super) fn at_integer_type(&self) -> bool {
        match self.text() {
            [b'i', digits @ ..] | [b's' | b'u', b'i', digits @ ..] => {
                self.at(Tok::Bare) && !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
            }
            _ => false,
        }
    }

    /// Parses `i32`, `index`, `f32`, `none`; `None` for other words.
    fn builtin_scalar(&mut self, word: &[u8]) -> PResult<Option<Type>> {
        let (signedness, digits) = match word {
            b"index" => return Ok(Some(self.ctx.index_type())),
            b"none" => return Ok(Some(self.ctx.none_type())),
            [b'i', digits @ ..] => (Signedness::Signless, digits),
            [b's', b'i', digits @ ..] => (Signedness::Signed, digits),
            [b'u', b'i', digits @ ..] => (Signedness::Unsigned, digits),
            [b'f' | b'b' | b't', ..] => return Ok(self.float_keyword(word)),
            _ => return Ok(None),
        };
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return Ok(None);
        }
        let width = digits.iter().fold(0u64, |w, d| {
            w.saturating_mul(10).saturating_add(u64::from(d - b'0'))
        });
        if width > u64::from(MAX_WIDTH) {
            let message = match u32::try_from(width) {
                Ok(_) => format!("integer bitwidth is limited to {MAX_WIDTH} bits"),
                Err(_) => "invalid integer width".to_owned(),
            };
            return Err(self.error(message));
        }
        let width = width as u32;
        Ok(Some(match signedness {
            Signedness::Signless => self.ctx.int_type(width),
            _ => self
                .ctx
                .intern_type(TypeKind::Integer { width, signedness }),
        }))
    }

    fn float_keyword(&self, word: &[u8]) -> Option<Type> {
        FloatKind::all()
            .find(|kind| kind.keyword().as_bytes() == word)
            .map(|kind| self.ctx.float_type(kind))
    }

    fn complex_type(&mut self) -> PResult<Type> {
        self.advance();
        self.expect_as(Tok::Less, "'<' in complex type")?;
        let (element, token) = self.element_type()?;
        self.expect_as(Tok::Greater, "'>' in complex type")?;
        if !matches!(
            element.kind(self.ctx),
            TypeKind::Integer { .. } | TypeKind::Float(_)
        ) {
            let message = "invalid element type for complex";
            return Err(self.error_on(token, message));
        }
        Ok(self.ctx.intern_type(TypeKind::Complex(element)))
    }

    /// Parses a type; returns its place too.
    fn element_type(&mut self) -> PResult<(Type, Token)> {
        let token = self.tok;
        let element = self.ty()?;
        let end = self.last_end;
        Ok((element, Token { end, ..token }))
    }

    fn vector_type(&mut self) -> PResult<Type> {
        self.advance();
        self.expect_as(Tok::Less, "'<' in vector type")?;
        let shape = self.shape(false, true)?;
        if shape.extents.iter().any(|&extent| extent <= 0) {
            let extents: Vec<String> = shape.extents.iter().map(i64::to_string).collect();
            let message = format!(
                "vector types must have positive constant sizes but got {}",
                extents.join(", ")
            );
            return Err(self.error(message));
        }
        let (element, token) = self.element_type()?;
        self.expect_as(Tok::Greater, "'>' in vector type")?;
        if !element.is_vector_element(self.ctx) {
            let message = "failed to verify 'elementType': VectorElementTypeInterface instance";
            return Err(self.error_on(token, message));
        }
        Ok(self.ctx.intern_type(TypeKind::Vector {
            shape: shape.extents.into(),
            scalable: shape.scalable.into(),
            element,
        }))
    }

    fn tensor_type(&mut self) -> PResult<Type> {
        self.advance();
        self.expect_as(Tok::Less, "'<' in tensor type")?;
        let shape = self.optional_shape()?;
        let (element, token) = self.element_type()?;
        let mut encoding = None;
        // The list after the comma may be empty.
        if self.eat(Tok::Comma) && !self.at(Tok::Greater) {
            encoding = Some(self.attribute(None)?);
        }
        self.expect_as(Tok::Greater, "'>' in tensor type")?;
        if !element.is_tensor_element(self.ctx) {
            return Err(self.error_on(token, "invalid tensor element type"));
        }
        if encoding.is_some() && shape.is_none() {
            return Err(self.error("cannot apply encoding to unranked tensor"));
        }
        Ok(self.ctx.intern_type(match shape {
            Some(shape) => TypeKind::RankedTensor {
                shape: shape.extents.into(),
                element,
                encoding,
            },
            None => TypeKind::UnrankedTensor { element },
        }))
    }

    fn memref_type(&mut self) -> PResult<Type> {
        self.advance();
        self.memref_body()
    }

    /// Parses a memref type after the word `memref`.
    pub fn memref_body(&mut self) -> PResult<Type> {
        self.expect_as(Tok::Less, "'<' in memref type")?;
        let shape = self.optional_shape()?;
        let token = self.tok;
        let element = self.ty()?;
        if !element.is_memref_element(self.ctx) {
            return Err(self.error_since(token, "invalid memref element type"));
        }
        let (mut layout, mut space, mut rank) = (None, None, None);
        let mut space_token = None;
        if self.legacy.on {
            (layout, space) = self.legacy_memref_parts(shape.as_ref())?;
        }
        while self.eat(Tok::Comma) {
            let token = self.tok;
            if self.at(Tok::Greater) && layout.is_none() && space.is_none() {
                return Err(self.error("expected list element"));
            }
            let attr = self.attribute(None)?;
            if matches!(
                attr.kind(self.ctx),
                AttrKind::Map(_) | AttrKind::Strided { .. }
            ) {
                let Some(shape) = &shape else {
                    let message = "cannot have affine map for unranked memref type";
                    return Err(self.error(message));
                };
                if space.is_some() {
                    let message = "expected memory space to be last in memref type";
                    return Err(self.error(message));
                }
                // The last of several layouts counts.
                layout = Some(attr);
                rank = Some((token, attr, shape.extents.len()));
            } else if space.is_some() {
                let message = "multiple memory spaces specified in memref type";
                return Err(self.error(message));
            } else {
                space = Some(attr);
                space_token = Some(token);
            }
        }
        // Reported after errors in the list as a whole.
        if let (Some(token), Some(space)) = (space_token, space) {
            self.check_space(token, space)?;
        }
        let what = match layout.or(space) {
            None => "',' or '>' in memref type",
            Some(_) => "',' or '>'",
        };
        self.expect_as(Tok::Greater, what)?;
        if let Some((token, attr, rank)) = rank {
            self.check_layout_rank(token, attr, rank)?;
        }
        let space = space.filter(|attr| !attr.is_default_memory_space(self.ctx));
        let identity = layout.filter(|&attr| self.is_identity_layout(attr));
        let layout = layout.filter(|_| identity.is_none());
        let ty = self.ctx.intern_type(match shape {
            Some(shape) => TypeKind::MemRef(MemRefType {
                shape: shape.extents.into(),
                element,
                layout,
                space,
            }),
            None => TypeKind::UnrankedMemRef { element, space },
        });
        if self.legacy.on {
            self.note_identity(ty, identity);
        }
        Ok(ty)
    }

    pub(in crate::text) fn check_layout_rank(
        &mut self,
        token: Token,
        layout: Attr,
        rank: usize,
    ) -> PResult<()> {
        let inputs = match layout.kind(self.ctx) {
            AttrKind::Map(map) => map.num_dims(self.ctx),
            AttrKind::Strided { strides, .. } => strides.len(),
            _ => rank,
        };
        if inputs != rank {
            let message = match layout.kind(self.ctx) {
                AttrKind::Strided { .. } => {
                    "expected the number of strides to match the rank".to_owned()
                }
                _ => format!(
                    "memref layout mismatch between rank and affine map: {rank} != {inputs}"
                ),
            };
            return Err(self.error_since(token, message));
        }
        Ok(())
    }

    pub(in crate::text) fn check_space(&mut self, token: Token, space: Attr) -> PResult<()> {
        if space.is_memory_space(self.ctx) {
            return Ok(());
        }
        Err(self.error_since(token, "unsupported memory space Attribute"))
    }

    fn is_identity_layout(&self, layout: Attr) -> bool {
        layout.as_map(self.ctx).is_some_and(|map| {
            map.is_identity(self.ctx) && (map.num_symbols(self.ctx) == 0 || self.legacy.on)
        })
    }

    /// Parses a shape; `None` for `*x`.
    pub(crate) fn optional_shape(&mut self) -> PResult<Option<Shape>> {
        if self.eat(Tok::Star) {
            self.shape_separator()?;
            return Ok(None);
        }
        self.shape(true, false).map(Some)
    }

    /// Parses extents, each followed by `x`: `4x?x`, in vectors also `[4]x`.
    pub(crate) fn shape(&mut self, dynamic: bool, scalable: bool) -> PResult<Shape> {
        let mut shape = Shape {
            extents: Vec::new(),
            scalable: Vec::new(),
        };
        loop {
            let bracket = scalable && self.eat(Tok::LSquare);
            let extent = match self.tok.kind {
                Tok::Integer => self.extent()?,
                Tok::Question if dynamic => {
                    self.advance();
                    DYNAMIC
                }
                Tok::Percent if self.legacy.on => return Err(self.symbol_in_type()),
                _ if bracket => return Err(self.error("invalid dimension")),
                _ => return Ok(shape),
            };
            if bracket && !self.eat(Tok::RSquare) {
                return Err(self.wrong_token("missing ']' closing scalable dimension"));
            }
            if shape.extents.len() == MAX_RANK {
                return Err(self.error(format!("a shape has at most {MAX_RANK} extents")));
            }
            shape.extents.push(extent);
            shape.scalable.push(bracket);
            self.shape_separator()?;
        }
    }

    /// Parses a number in a shape. `0x4` is the extent 0 and a separator.
    fn extent(&mut self) -> PResult<i64> {
        let token = self.tok;
        if self.text().starts_with(b"0x") {
            self.seek(token.start + 1);
            return Ok(0);
        }
        let value = self.ascii().parse();
        match value {
            Ok(value) => {
                self.advance();
                Ok(value)
            }
            Err(_) => Err(self.error_on(token, "invalid dimension: it must fit into 63 bits")),
        }
    }

    /// Takes the `x` between extents; it may run into the next token.
    fn shape_separator(&mut self) -> PResult<()> {
        if !self.at(Tok::Bare) || !self.text().starts_with(b"x") {
            return Err(self.expected("'x' in dimension list"));
        }
        let start = self.tok.start;
        self.seek(start + 1);
        Ok(())
    }
}

/// Keywords of types, for spelling suggestions.
pub(super) fn type_keywords() -> impl Iterator<Item = &'static str> {
    const WORDS: [&str; 23] = [
        "affine_map",
        "affine_set",
        "array",
        "complex",
        "dense",
        "dense_resource",
        "distinct",
        "false",
        "i1",
        "i16",
        "i32",
        "i64",
        "i8",
        "index",
        "memref",
        "none",
        "sparse",
        "strided",
        "tensor",
        "true",
        "tuple",
        "unit",
        "vector",
    ];
    let floats = FloatKind::all().map(FloatKind::keyword);
    WORDS.into_iter().chain(floats)
}

/// Returns a name of the source as text.
pub(crate) fn as_utf8(name: &[u8]) -> Option<&str> {
    std::str::from_utf8(name).ok()
}
