//! Parser of the attributes that a declared form spells.

use super::enums;
use crate::attr::{Attr, AttrKind};
use crate::context::signature::{AttrSyntax, EnumDef, EnumStorage};
use crate::elements::element_bytes;
use crate::lexer::Tok;
use crate::text::format::AttrElement;
use crate::text::nearest;
use crate::text::read::op_parser::OpParser;
use crate::text::read::parser::PResult;
use crate::types::Type;

impl OpParser<'_, '_> {
    /// Whether an attribute starts at the current token; `None` for one without text.
    pub(super) fn starts_attr(&self, attr: &AttrElement) -> Option<bool> {
        Some(match attr.syntax {
            AttrSyntax::Unit => return None,
            AttrSyntax::Any => match self.peek() {
                Tok::Bare => ATTR_KEYWORDS.iter().any(|word| self.at_keyword(word)),
                kind => matches!(
                    kind,
                    Tok::At
                        | Tok::Hash
                        | Tok::LSquare
                        | Tok::String
                        | Tok::Integer
                        | Tok::Float
                        | Tok::Minus
                ),
            },
            AttrSyntax::Typed(_) => {
                matches!(
                    self.peek(),
                    Tok::Integer | Tok::Float | Tok::Minus | Tok::Hash
                ) || self.at_keyword("true")
                    || self.at_keyword("false")
            }
            AttrSyntax::Enum(def) => {
                self.starts_in_full(def)
                    || match def.angled {
                        true => self.at(Tok::Less),
                        false => def.cases.iter().any(|(name, _)| self.at_keyword(name)),
                    }
            }
            AttrSyntax::SymbolName => self.at(Tok::At),
            AttrSyntax::Type => matches!(self.peek(), Tok::Bare | Tok::Exclaim | Tok::LParen),
            AttrSyntax::DenseArray(_) => self.at(Tok::LSquare),
            AttrSyntax::String => self.at(Tok::String),
        })
    }

    /// Parses an attribute in the spelling of its row.
    pub(super) fn attr_element(&mut self, attr: &AttrElement) -> PResult<()> {
        let ctx = self.ctx();
        if attr.optional && self.starts_attr(attr) == Some(false) {
            return Ok(());
        }
        let value = match attr.syntax {
            AttrSyntax::Unit => ctx.unit_attr(),
            AttrSyntax::Any => {
                self.attribute_as(|value, ctx| attr.constraint.keeps(ctx, value).then_some(value))?
            }
            AttrSyntax::Typed(ty) => self.number_of(ty(ctx))?,
            AttrSyntax::Enum(def) => self.enum_attr(def, ctx.str(attr.name))?,
            AttrSyntax::SymbolName => ctx.string_attr(ctx.str(self.symbol_name()?)),
            AttrSyntax::Type => ctx.type_attr(self.ty()?),
            AttrSyntax::DenseArray(element) => self.bracketed_array(element(ctx))?,
            AttrSyntax::String => self.string_attr()?,
        };
        self.properties.push((attr.name, value));
        Ok(())
    }

    /// Parses a number of a type that the text leaves out.
    fn number_of(&mut self, ty: Type) -> PResult<Attr> {
        let place = self.place();
        let value = self.attribute_of(ty)?;
        match value.kind(self.ctx()) {
            AttrKind::Integer { .. } | AttrKind::Float { .. } => Ok(value),
            _ => Err(self.wrong_kind(place)),
        }
    }

    /// A string literal as an attribute without a type.
    pub fn string_attr(&mut self) -> PResult<Attr> {
        if !self.at(Tok::String) {
            // Read with the type `none`, as a string has it.
            let place = self.place();
            let value = self.attribute_of(self.ctx().none_type())?;
            if value.as_str(self.ctx()).is_none() {
                return Err(self.wrong_kind(place));
            }
            return Ok(value);
        }
        let value = self.parser.string("a string")?;
        Ok(self.ctx().intern_attr(crate::attr::AttrKind::String {
            value: value.as_ref().into(),
            ty: None,
        }))
    }

    /// Parses the keywords of an enumeration, in `<` and `>` where they are spelled so. A dialect
    /// attribute may be written in full, any other as a string.
    pub fn enum_attr(&mut self, def: &'static EnumDef, name: &str) -> PResult<Attr> {
        if self.starts_in_full(def) {
            return self.enum_attr_in_full(def, name);
        }
        if def.angled {
            self.expect(Tok::Less)?;
        }
        let value = match self.enum_word(def, name) {
            Ok(value) => value,
            Err(failed) => {
                return Err(match enums::unread_parameter(def) {
                    Some(message) => self.error(message),
                    None => failed,
                });
            }
        };
        if def.angled {
            self.expect(Tok::Greater)?;
        }
        match self.stored_case(def, value) {
            Some(attr) => Ok(attr),
            None => Err(self.error(format!("this is no {}", def.summary))),
        }
    }

    /// Wraps a value in the attribute that stores it.
    fn stored_case(&mut self, def: &'static EnumDef, value: i64) -> Option<Attr> {
        enums::store(self.ctx(), def, value)
    }

    /// Whether the enumeration stands here in full, as in a dictionary.
    fn starts_in_full(&self, def: &EnumDef) -> bool {
        match def.storage {
            EnumStorage::Dialect(..) | EnumStorage::Joined(..) => self.at(Tok::Hash),
            EnumStorage::Integer(_) | EnumStorage::String => !def.angled && self.at(Tok::String),
        }
    }

    fn enum_attr_in_full(&mut self, def: &'static EnumDef, name: &str) -> PResult<Attr> {
        let place = self.place();
        let attr = self.attribute()?;
        let value = match def.storage {
            EnumStorage::Dialect(..) | EnumStorage::Joined(..) => {
                enums::load(self.ctx(), def, attr)
            }
            EnumStorage::Integer(_) | EnumStorage::String => attr
                .as_str(self.ctx())
                .and_then(|text| enums::case_value(def, text)),
        };
        match value.and_then(|value| enums::store(self.ctx(), def, value)) {
            Some(attr) => Ok(attr),
            None if matches!(def.storage, EnumStorage::Integer(_) | EnumStorage::String) => {
                let given = crate::text::attr_string(self.ctx(), attr);
                let message = format!("invalid {name} attribute specification: {given}");
                Err(self.error_at(place, message))
            }
            None => Err(self.wrong_kind(place)),
        }
    }

    /// Parses a case, or a combination of bits, for the attribute `name`.
    pub(crate) fn enum_word(&mut self, def: &EnumDef, name: &str) -> PResult<i64> {
        let mut value = 0;
        loop {
            value |= self.enum_case(def, name)?;
            if !(def.bits && self.eat(enums::separator(def))) {
                return Ok(value);
            }
        }
    }

    fn enum_case(&mut self, def: &EnumDef, name: &str) -> PResult<i64> {
        let place = self.place();
        if !self.at(Tok::Bare) {
            let message = match def.storage.dialect() {
                Some(_) => "expected valid keyword or string".to_owned(),
                None => enums::expected_cases(def, name),
            };
            return Err(self.error(message));
        }
        let word = self.keyword(def.summary)?;
        match def.cases.iter().find(|(case, _)| *case == word) {
            Some((_, value)) => Ok(*value),
            None => {
                let near = nearest(word, def.cases.iter().map(|case| case.0));
                Err(self.error_near(place, enums::expected_cases(def, name), near))
            }
        }
    }

    /// Parses a case that a form spells as a keyword of its own.
    pub fn keyword_case(&mut self, def: &EnumDef, name: &str) -> PResult<i64> {
        let place = self.place();
        let word = self.keyword(def.summary)?;
        let case = def.cases.iter().find(|(case, _)| *case == word);
        case.map(|&(_, value)| value).ok_or_else(|| {
            let message = format!("invalid {name} attribute specification: {word}");
            let near = nearest(word, def.cases.iter().map(|case| case.0));
            self.error_near(place, message, near)
        })
    }

    /// `[1, 2]` as a dense array.
    fn bracketed_array(&mut self, element: Type) -> PResult<Attr> {
        self.expect(Tok::LSquare)?;
        let size = element_bytes(self.ctx(), element).unwrap_or(1);
        let starts = matches!(
            self.peek(),
            Tok::Integer | Tok::Minus | Tok::RSquare | Tok::Bare
        );
        let word = self.at(Tok::Bare) && !self.at_keyword("true") && !self.at_keyword("false");
        if (!starts || word) && element.float_kind(self.ctx()).is_none() {
            return Err(self.error("expected integer value"));
        }
        let data = self
            .parser
            .dense_array_elements(element, size, Tok::RSquare)?;
        let data = data.into();
        Ok(self
            .ctx()
            .intern_attr(crate::attr::AttrKind::DenseArray { element, data }))
    }
}

/// Keywords that start an attribute. Whether they could begin a type does not matter, since an
/// optional attribute in full is never a bare type.
const ATTR_KEYWORDS: [&str; 10] = [
    "affine_map",
    "affine_set",
    "array",
    "dense",
    "dense_resource",
    "false",
    "sparse",
    "strided",
    "true",
    "unit",
];
