//! Body parser: the interface on which dialects parse the bodies of their types and attributes.

use smallvec::SmallVec;

use super::lists::Lists;
use super::op_parser::{Delimiter, Place};
use super::parser::{PResult, Parser};
use crate::affine::AffineMap;
use crate::attr::{Attr, AttrKind};
use crate::context::Parametric;
use crate::context::signature::EnumDef;
use crate::context::{Context, Ident};
use crate::lexer::Tok;
use crate::text::ParseFailed;
use crate::text::format::{case_value, expected_cases, separator, store_case, unread_parameter};
use crate::text::symbols::Parameter;
use crate::types::{Type, TypeKind};

/// Message for an attribute of a kind that its place does not take.
pub(super) const WRONG_KIND: &str = "invalid kind of attribute specified";

/// Parser of the text after the name of a dialect's type or attribute, brackets included. Like
/// MLIR, the reader skips tokens of a balanced body that it leaves.
pub struct BodyParser<'p, 's> {
    parser: &'p mut Parser<'s>,
    /// Type written after an attribute: `#complex.number<…> : type`.
    trailing_type: Option<Type>,
    dialect: Ident,
    name: Ident,
    place: Place,
}

impl std::fmt::Debug for BodyParser<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BodyParser")
            .field("name", &self.ctx().str(self.name))
            .finish_non_exhaustive()
    }
}

impl<'p, 's> BodyParser<'p, 's> {
    pub(crate) fn new(
        parser: &'p mut Parser<'s>,
        (dialect, name): (Ident, Ident),
        place: Place,
        trailing_type: Option<Type>,
    ) -> Self {
        BodyParser {
            parser,
            trailing_type,
            dialect,
            name,
            place,
        }
    }

    /// The context.
    pub fn ctx(&self) -> &'s Context {
        self.parser.ctx
    }

    /// The type written after an attribute, or the one that its place implies.
    pub fn trailing_type(&self) -> Option<Type> {
        self.trailing_type
    }

    /// Makes the type of this name with these parameters.
    pub fn make_type(&self, params: &[Attr]) -> Type {
        self.ctx()
            .intern_type(TypeKind::Parametric(self.parametric(params)))
    }

    /// Makes the attribute of this name with these parameters.
    pub fn make_attr(&self, params: &[Attr]) -> Attr {
        self.make_typed_attr(params, None)
    }

    /// Makes the attribute of this name with these parameters, and a type of its own.
    pub fn make_typed_attr(&self, params: &[Attr], ty: Option<Type>) -> Attr {
        let def = self.parametric(params);
        self.ctx().intern_attr(AttrKind::Parametric { def, ty })
    }

    fn parametric(&self, params: &[Attr]) -> Parametric {
        Parametric {
            dialect: self.dialect,
            name: self.name,
            params: params.into(),
        }
    }

    /// Parses an attribute and extracts a value with `read`; `None` from it is an error about the
    /// kind.
    pub fn attribute_as<T>(
        &mut self,
        read: impl FnOnce(Attr, &'s Context) -> Option<T>,
    ) -> PResult<T> {
        let place = self.place();
        let attr = self.attribute()?;
        read(attr, self.ctx()).ok_or_else(|| self.error_at(place, WRONG_KIND))
    }

    /// Parses a declared list of parameters, `<a, b>`.
    pub(crate) fn parameters(&mut self, list: &[Parameter]) -> PResult<SmallVec<[Attr; 4]>> {
        self.expect(Tok::Less)?;
        let mut params = SmallVec::new();
        for parameter in list {
            if !params.is_empty() {
                self.expect(Tok::Comma)?;
            }
            params.push(match parameter {
                Parameter::Type => {
                    let ty = self.ty()?;
                    self.ctx().type_attr(ty)
                }
                Parameter::Integer(what) => {
                    let value = self.integer(what)?;
                    self.ctx().i64_attr(value)
                }
                Parameter::Attribute => self.attribute()?,
            });
        }
        self.expect(Tok::Greater)?;
        Ok(params)
    }

    /// Parses the cases of an enumeration to the attribute that stores them.
    pub fn enum_attr(&mut self, def: &'static EnumDef) -> PResult<Attr> {
        let prefix = def.storage.dialect().map_or("", |(_, prefix, _)| prefix);
        let bracketed = prefix.ends_with('<');
        if bracketed {
            self.expect(Tok::Less)?;
        }
        let Ok(value) = self.cases(def) else {
            return Err(self.error(unread_parameter(def).unwrap_or_default()));
        };
        if bracketed {
            self.expect(Tok::Greater)?;
        }
        match store_case(self.ctx(), def, value) {
            Some(attr) => Ok(attr),
            None => Err(self.error_at(self.place, format!("this is no {}", def.summary))),
        }
    }

    /// Parses a case of an enumeration, or a combination of its bits.
    pub fn cases(&mut self, def: &EnumDef) -> PResult<i64> {
        let mut value = 0;
        loop {
            value |= self.case(def)?;
            if !(def.bits && self.eat(separator(def))) {
                return Ok(value);
            }
        }
    }

    /// Parses one case of an enumeration.
    pub fn case(&mut self, def: &EnumDef) -> PResult<i64> {
        let place = self.place();
        let word = match self.peek() {
            Tok::String => self.ctx().str(self.string("a keyword")?),
            Tok::Bare => self.keyword(def.summary)?,
            _ => {
                let what = format!("valid keyword or string for {}", def.summary);
                return Err(self.expected(&what));
            }
        };
        match case_value(def, word) {
            Some(value) => Ok(value),
            None => {
                let message = expected_cases(def, "value");
                Err(self.error_at(place, message))
            }
        }
    }
}

/// Tokens and errors.
impl<'s> BodyParser<'_, 's> {
    /// The kind of the current token.
    pub fn peek(&self) -> Tok {
        self.parser.tok.kind
    }

    /// Whether the current token is of this kind.
    pub fn at(&self, kind: Tok) -> bool {
        self.parser.at(kind)
    }

    /// Takes the current token if it is of this kind.
    pub fn eat(&mut self, kind: Tok) -> bool {
        self.parser.eat(kind)
    }

    /// Takes a token of this kind.
    pub fn expect(&mut self, kind: Tok) -> PResult<()> {
        self.parser.expect(kind).map(|_| ())
    }

    /// Whether the current token is this keyword.
    pub fn at_keyword(&self, word: &str) -> bool {
        self.parser.at_keyword(word)
    }

    /// Takes the current token if it is this keyword.
    pub fn eat_keyword(&mut self, word: &str) -> bool {
        self.parser.eat_keyword(word)
    }

    /// Takes this keyword.
    pub fn expect_keyword(&mut self, word: &str) -> PResult<()> {
        self.parser.expect_keyword(word)
    }

    /// Takes any keyword; `what` names it in errors.
    pub fn keyword(&mut self, what: &str) -> PResult<&'s str> {
        match self.at(Tok::Bare) {
            true => self.parser.expect_bare(what),
            false => Err(self.expected(&format!("valid keyword for {what}"))),
        }
    }

    /// Takes a keyword or a string.
    pub fn keyword_or_string(&mut self, what: &str) -> PResult<Ident> {
        match self.peek() {
            Tok::String => self.string(what),
            Tok::Bare => self.keyword(what).map(|word| self.ctx().ident(word)),
            _ => Err(self.expected(&format!("valid keyword or string for {what}"))),
        }
    }

    /// The name of the type or attribute being parsed.
    pub fn name(&self) -> Ident {
        self.name
    }

    /// Enters the definition of a named type, inside which the name alone stands for it. Returns
    /// false if the definition is entered already.
    pub fn enter(&mut self, name: Ident) -> bool {
        let key = (self.dialect, name);
        let fresh = !self.parser.open_types.contains(&key);
        if fresh {
            self.parser.open_types.push(key);
        }
        fresh
    }

    /// Leaves the definition entered last.
    pub fn leave(&mut self) {
        self.parser.open_types.pop();
    }

    /// The place of the current token.
    pub fn place(&self) -> Place {
        Place(self.parser.tok)
    }

    /// The place of the type's or attribute's name.
    pub fn name_place(&self) -> Place {
        self.place
    }

    /// Reports an error at the current token.
    pub fn error(&mut self, message: impl Into<String>) -> ParseFailed {
        self.parser.error(message)
    }

    /// Reports an error at a place.
    pub fn error_at(&mut self, place: Place, message: impl Into<String>) -> ParseFailed {
        self.parser.error_on(place.0, message)
    }

    /// Reports "expected `what`, found …" at the current token.
    pub fn expected(&mut self, what: &str) -> ParseFailed {
        self.parser.expected_here(what)
    }

    /// Parses a list in brackets, items separated by commas; may be empty in brackets.
    pub fn list(
        &mut self,
        delimiter: Delimiter,
        item: impl FnMut(&mut Self) -> PResult<()>,
    ) -> PResult<()> {
        let Some((open, close)) = delimiter.tokens() else {
            return self.items(item);
        };
        self.expect(open)?;
        self.items_until(close, close.describe(), item)
    }
}

impl<'s> Lists<'s> for BodyParser<'_, 's> {
    fn tokens(&mut self) -> &mut Parser<'s> {
        self.parser
    }
}

/// Parameters.
impl BodyParser<'_, '_> {
    /// Parses a type.
    pub fn ty(&mut self) -> PResult<Type> {
        self.parser.ty()
    }

    /// Parses an attribute with its type, if it has one.
    pub fn attribute(&mut self) -> PResult<Attr> {
        self.parser.attribute(None)
    }

    /// Parses an attribute of a known type: a number stands without it.
    pub fn attribute_of(&mut self, ty: Type) -> PResult<Attr> {
        self.parser.attribute(Some(ty))
    }

    /// Parses an integer literal, `-` included, within `i64`.
    pub fn integer(&mut self, what: &str) -> PResult<i64> {
        if !matches!(self.peek(), Tok::Integer | Tok::Minus) {
            return Err(self.expected("integer value"));
        }
        self.parser.signed_integer(what)
    }

    /// Parses `(d0)[s0] -> (…)` without `affine_map<` around it.
    pub fn affine_map(&mut self) -> PResult<AffineMap> {
        self.parser.affine_map_body()
    }

    /// Parses a string literal that is UTF-8.
    pub fn string(&mut self, what: &str) -> PResult<Ident> {
        self.parser.utf8_string(what)
    }

    /// Parses extents, each followed by `x`; `?` where `dynamic` allows it.
    pub fn extents(&mut self, dynamic: bool) -> PResult<Vec<i64>> {
        let shape = self.parser.shape(dynamic, false)?;
        if !dynamic && self.parser.at(Tok::Question) {
            return Err(self.parser.error("expected static shape"));
        }
        Ok(shape.extents)
    }

    /// Parses extents, or `*x`, which gives `None`.
    pub fn extents_or_star(&mut self) -> PResult<Option<Vec<i64>>> {
        let shape = self.parser.optional_shape()?;
        Ok(shape.map(|shape| shape.extents))
    }
}
