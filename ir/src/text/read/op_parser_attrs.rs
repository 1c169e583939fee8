//! Attributes in custom forms.

use smallvec::SmallVec;

use super::body_parser::WRONG_KIND;
use super::op_parser::{OpParser, Place};
use super::parser::PResult;
use crate::attr::{Attr, AttrDict, AttrKind, NamedAttr};
use crate::attr_names::{self, AttrName};
use crate::context::signature::{AttrSyntax, EnumStorage, OpSignature, ValueDef};
use crate::context::{Context, Ident};
use crate::lexer::Tok;
use crate::text::format::canonical;
use crate::text::{ParseFailed, attr_string};
use crate::types::Type;

/// Attributes.
impl<'s> OpParser<'_, 's> {
    /// Parses an attribute with its type, if it has one.
    pub fn attribute(&mut self) -> PResult<Attr> {
        self.parser.attribute(None)
    }

    /// Parses an attribute of a known type: a number stands without it.
    pub fn attribute_of(&mut self, ty: Type) -> PResult<Attr> {
        self.parser.attribute(Some(ty))
    }

    /// Parses an attribute and extracts a value with `read`; `None` from it is an error about the
    /// kind.
    pub fn attribute_as<T>(
        &mut self,
        read: impl FnOnce(Attr, &'s Context) -> Option<T>,
    ) -> PResult<T> {
        let place = self.place();
        let attr = self.attribute()?;
        read(attr, self.ctx()).ok_or_else(|| self.wrong_kind(place))
    }

    /// Reports an attribute of a kind that its place does not take.
    pub fn wrong_kind(&mut self, place: Place) -> ParseFailed {
        self.error_at(place, WRONG_KIND)
    }

    /// Parses an integer literal, `-` included, within `i64`.
    pub fn integer(&mut self, what: &str) -> PResult<i64> {
        if !matches!(self.peek(), Tok::Integer | Tok::Minus) {
            return Err(self.expected("integer value"));
        }
        self.parser.signed_integer(what)
    }

    /// Takes a short decimal literal without sign, if one stands here.
    pub fn plain_integer(&mut self) -> Option<i64> {
        self.parser.plain_integer()
    }

    /// Parses a string literal that is UTF-8.
    pub fn string(&mut self, what: &str) -> PResult<Ident> {
        if !self.at(Tok::String) {
            return Err(self.expected("string"));
        }
        self.parser.utf8_string(what)
    }

    /// `@name`
    pub fn symbol_name(&mut self) -> PResult<Ident> {
        if !self.at(Tok::At) {
            return Err(self.expected("valid '@'-identifier for symbol name"));
        }
        self.parser.symbol_name()
    }

    /// `@root::@nested` as an attribute.
    pub fn symbol_ref(&mut self) -> PResult<Attr> {
        if !self.at(Tok::At) {
            return self.attribute_as(|given, ctx| {
                matches!(given.kind(ctx), AttrKind::Symbol { .. }).then_some(given)
            });
        }
        self.parser.symbol_ref()
    }

    /// Sets an inherent attribute.
    pub fn set_property(&mut self, name: impl AttrName, value: Attr) {
        let name = name.ident(self.ctx());
        set(&mut self.properties, name, value);
    }

    /// Sets a discardable attribute.
    pub fn set_attribute(&mut self, name: impl AttrName, value: Attr) {
        let name = name.ident(self.ctx());
        set(&mut self.attributes, name, value);
    }

    /// Returns an attribute set so far, inherent or not.
    pub fn get_attr(&self, name: impl AttrName) -> Option<Attr> {
        let name = name.ident(self.ctx());
        let found = |list: &[NamedAttr]| list.iter().find(|e| e.0 == name).map(|e| e.1);
        found(&self.properties).or_else(|| found(&self.attributes))
    }

    /// Whether `{…}` set this attribute.
    pub fn has_attribute(&self, name: &str) -> bool {
        get(&self.attributes, self.ctx().ident(name)).is_some()
    }

    /// Removes an attribute that `{…}` set, inherent or not, and returns it.
    pub fn take_attr(&mut self, name: &str) -> Option<Attr> {
        let name = self.ctx().ident(name);
        for list in [&mut self.properties, &mut self.attributes] {
            if let Some(at) = list.iter().position(|e| e.0 == name) {
                return Some(list.remove(at).1);
            }
        }
        None
    }

    /// Sets `operandSegmentSizes`.
    pub fn set_operand_segments(&mut self, sizes: &[i32]) {
        let value = self.ctx().i32_array_attr(sizes);
        self.set_property(attr_names::OPERAND_SEGMENT_SIZES, value);
    }

    /// `{…}` if it stands here.
    pub fn attr_dict(&mut self) -> PResult<()> {
        if self.at(Tok::LBrace) {
            let entries = self.parser.dict_entries()?;
            let before = self.attributes.len();
            for (name, value) in entries {
                if get(&self.attributes[..before], name).is_some() {
                    return Err(self.given_twice(name));
                }
                self.attributes.push((name, value));
            }
        }
        Ok(())
    }

    /// `attributes {…}` if it stands here.
    pub fn attr_dict_with_keyword(&mut self) -> PResult<()> {
        if self.eat_keyword("attributes") {
            if !self.at(Tok::LBrace) {
                return Err(self.parser.expected("'{' in attribute dictionary"));
            }
            self.attr_dict()?;
        }
        Ok(())
    }

    /// Adds the inherent attributes of `<{…}>`; drops any other, as upstream does.
    fn known_properties(&mut self, dict: AttrDict) -> PResult<()> {
        let (ctx, name) = (self.ctx(), self.name());
        let Some(def) = ctx.op_signature(name) else {
            return Ok(());
        };
        let syntax = self.parser.forms.syntax(ctx, name, def);
        if syntax.inherent.is_empty() {
            let why = "this operation does not support properties";
            return Err(self.invalid_properties(dict, why));
        }
        let before = self.properties.len();
        let renamed = ctx.ident("operandSegmentSizes");
        for &(key, value) in dict.entries(ctx) {
            // MLIR's old name of the attribute.
            let key = match ctx.str(key) {
                "operand_segment_sizes" => renamed,
                _ => key,
            };
            if syntax.inherent.contains(&key) {
                self.properties.push((key, value));
            }
        }
        match wrong_property(ctx, def, &self.properties[before..]) {
            Some(why) if !self.parser.legacy.on => Err(self.invalid_properties(dict, &why)),
            _ => Ok(()),
        }
    }

    fn invalid_properties(&mut self, dict: AttrDict, why: &str) -> ParseFailed {
        let ctx = self.ctx();
        let given = attr_string(ctx, ctx.intern_attr(AttrKind::Dict(dict)));
        let name = ctx.op_name_str(self.name());
        let message = format!("invalid properties {given} for op {name}: {why}");
        self.plain_error_at(self.op_place(), message)
    }

    /// `<{…}>` if it stands here.
    pub fn properties(&mut self) -> PResult<()> {
        if self.at(Tok::Less) {
            self.eat(Tok::Less);
            let place = self.place();
            let value = self.parser.attribute(None)?;
            let known = self.ctx().op_signature(self.name()).is_some();
            match value.kind(self.ctx()) {
                AttrKind::Dict(dict) if known => self.known_properties(*dict)?,
                AttrKind::Dict(dict) if !dict.is_empty() => {
                    self.properties.extend_from_slice(dict.entries(self.ctx()));
                }
                _ if known => {
                    let message = "expected DictionaryAttr to set properties";
                    return Err(self.plain_error_at(place, message));
                }
                // An operation without a row keeps any attribute, under no name.
                _ => self.properties.push((self.ctx().ident(""), value)),
            }
            self.expect_as(Tok::Greater, "'>' to close properties")?;
        }
        Ok(())
    }
}

/// Checks properties against MLIR's storage classes; returns what is wrong.
fn wrong_property(ctx: &Context, def: &OpSignature, given: &[NamedAttr]) -> Option<String> {
    let find = |name: &str| get(given, ctx.ident(name));
    for attr in def.attrs.iter().filter(|attr| !attr.plain) {
        let Some(value) = find(attr.name) else {
            continue;
        };
        let read = match attr.syntax {
            // Integers have one spelling.
            AttrSyntax::Enum(def) if !matches!(def.storage, EnumStorage::Integer(_)) => {
                canonical(ctx, def, value)
            }
            _ => value,
        };
        if !attr.constraint.keeps(ctx, read) {
            let (name, shown) = (attr.name, attr_string(ctx, value));
            return Some(format!(
                "Invalid attribute `{name}` in property conversion: {shown}"
            ));
        }
    }
    let wrong = |(name, groups): (&str, &[ValueDef])| {
        let (value, count) = (find(name)?, groups.len());
        match value.as_i32_array(ctx).map(|sizes| sizes.len()) {
            Some(given) if given == count => None,
            Some(given) => Some(format!(
                "size mismatch in attribute conversion: {given} vs {count}"
            )),
            None => Some("expected DenseI32ArrayAttr for key `value`".to_owned()),
        }
    };
    def.sized_groups().find_map(wrong)
}

fn get(list: &[NamedAttr], name: Ident) -> Option<Attr> {
    list.iter().find(|e| e.0 == name).map(|e| e.1)
}

fn set(list: &mut SmallVec<[NamedAttr; 4]>, name: Ident, value: Attr) {
    match list.iter_mut().find(|e| e.0 == name) {
        Some(entry) => entry.1 = value,
        None => list.push((name, value)),
    }
}
