//! Parser of locations.

use crate::hash::{FxHashMap, FxHashSet};

use super::alias::Alias;
use super::lists::Lists;
use super::parser::{PResult, Parser};
use crate::attr::{Attr, AttrKind};
use crate::lexer::{Lexer, Tok, Token};
use crate::location::{Loc, LocKind};
use crate::text::write::attr::attr_string;

impl<'s> Parser<'s> {
    /// `loc(…)` if it stands here.
    pub fn optional_loc(&mut self) -> PResult<Option<Loc>> {
        if !self.at_keyword("loc") {
            return Ok(None);
        }
        self.advance();
        self.expect_as(Tok::LParen, "'(' in location")?;
        let loc = match self.tok.kind {
            // A name with a dot is a dialect attribute.
            Tok::Hash if !self.text_of(self.tok).contains(&b'.') => self.location_alias()?,
            _ => self.location()?,
        };
        self.expect_as(Tok::RParen, "')' in location")?;
        Ok(Some(loc))
    }

    /// `loc(…)` as an attribute.
    pub(crate) fn loc_attr(&mut self) -> PResult<Attr> {
        self.advance();
        self.expect_as(Tok::LParen, "'(' in inline location")?;
        let loc = self.location()?;
        self.expect_as(Tok::RParen, "')' in inline location")?;
        Ok(self.ctx.intern_attr(AttrKind::Location(loc)))
    }

    /// Parses the text between the parentheses of `loc(…)`.
    pub(crate) fn location(&mut self) -> PResult<Loc> {
        self.nested(|p| {
            let kind = p.tok.kind;
            match kind {
                Tok::String => p.name_or_file_location(),
                Tok::Hash => p.location_attribute(),
                _ if p.eat_keyword("unknown") => Ok(Loc::UNKNOWN),
                _ if p.eat_keyword("fused") => p.fused_location(),
                _ if p.eat_keyword("callsite") => {
                    p.expect_as(Tok::LParen, "'(' in callsite location")?;
                    let callee = p.location()?;
                    if !p.eat_keyword("at") {
                        return Err(p.expected("'at' in callsite location"));
                    }
                    let caller = p.location()?;
                    p.expect_as(Tok::RParen, "')' in callsite location")?;
                    Ok(p.ctx.intern_loc(LocKind::CallSite { callee, caller }))
                }
                _ => Err(p.expected("location instance")),
            }
        })
    }

    fn fused_location(&mut self) -> PResult<Loc> {
        let mut metadata = None;
        if self.eat(Tok::Less) {
            metadata = Some(self.attribute(None)?);
            self.expect_as(Tok::Greater, "'>' after fused location metadata")?;
        }
        let mut locs = Vec::new();
        self.expect_as(Tok::LSquare, "'[' in fused location")?;
        self.items_until(Tok::RSquare, "']' in fused location", |p| {
            locs.push(p.location()?);
            Ok(())
        })?;
        Ok(self.ctx.fused_loc(&locs, metadata))
    }

    fn name_or_file_location(&mut self) -> PResult<Loc> {
        let name = self.utf8_string("a location's name")?;
        if self.eat(Tok::Colon) {
            let line = self.small_integer("integer line number in FileLineColRange")?;
            let mut start = (line, 0);
            let mut end = start;
            if self.eat(Tok::Colon) {
                start.1 = self.small_integer("integer column number in FileLineColRange")?;
                end = start;
                if self.eat_keyword("to") {
                    if self.at(Tok::Integer) {
                        end.0 = self.small_integer("integer line number in FileLineColRange")?;
                    }
                    let what = "either integer or `:` post `to` in FileLineColRange";
                    self.expect_as(Tok::Colon, what)?;
                    end.1 = self.small_integer("integer column number in FileLineColRange")?;
                }
            }
            let name = match self.ctx.str(name) {
                "" => self.ctx.ident("-"),
                _ => name,
            };
            return Ok(self.ctx.intern_loc(LocKind::FileRange {
                file: name,
                start,
                end,
            }));
        }
        let mut child = Loc::UNKNOWN;
        if self.eat(Tok::LParen) {
            child = self.location()?;
            self.expect_as(Tok::RParen, "')' after child location of NameLoc")?;
        }
        Ok(self.ctx.intern_loc(LocKind::Name { name, child }))
    }

    /// Parses an attribute within a location. Aliases in it must be defined before.
    fn location_attribute(&mut self) -> PResult<Loc> {
        let token = self.tok;
        let alias = self.slice(token.start + 1, token.end);
        let attr = match self.attr_aliases.get(alias) {
            None if let Some(&loc) = self.loc_aliases.get(alias) => {
                self.advance();
                return self.expand(Alias::plain(loc), token, 2);
            }
            Some(&alias) => {
                self.advance();
                // Two levels are entered: the attribute and its location.
                self.expand(alias, token, 2)?
            }
            None => self.attribute(None)?,
        };
        self.location_in(attr, token, |shown| {
            format!("expected location attribute, but got{shown}")
        })
    }

    /// `#alias` as a trailing location. Location aliases are usually defined at
    /// the end of the file, after their uses.
    fn location_alias(&mut self) -> PResult<Loc> {
        let token = self.tok;
        let name = self.slice(token.start + 1, token.end);
        self.advance();
        if let Some(loc) = self.plain_alias(name) {
            return self.expand(Alias::plain(loc), token, 2);
        }
        let alias = match self.attr_aliases.get(name) {
            Some(&alias) => alias,
            None => self.late_alias(name, token)?,
        };
        // Two levels are entered: the attribute and its location.
        let attr = self.expand(alias, token, 2)?;
        self.location_in(attr, token, |shown| {
            format!("expected location, but found '{shown}'")
        })
    }

    /// Returns the location of a location attribute; `refusal` makes the error for any other
    /// attribute from its text.
    fn location_in(
        &mut self,
        attr: Attr,
        token: Token,
        refusal: fn(String) -> String,
    ) -> PResult<Loc> {
        match attr.kind(self.ctx) {
            AttrKind::Location(loc) => Ok(*loc),
            _ => {
                let shown = attr_string(self.ctx, attr);
                Err(self.error_on(token, refusal(shown)))
            }
        }
    }

    /// Reads the definition of an alias further down, and before it those that it names, by a work
    /// list: a long chain of aliases must not recurse.
    pub(crate) fn late_alias(&mut self, name: &'s [u8], token: Token) -> PResult<Alias<Attr>> {
        let known = match self.late_aliases.take() {
            Some(known) => known,
            None => alias_lines(self.bytes()),
        };
        let order = self.definitions_for(name, &known);
        self.late_aliases = Some(known);
        let resume = self.tok.start;
        for (name, at) in order {
            if self.plain_alias(name).is_some() {
                continue;
            }
            self.seek(at);
            let alias = self.alias(|p| {
                p.expect(Tok::Hash)?;
                p.expect(Tok::Equal)?;
                p.attribute(None)
            });
            self.attr_aliases.insert(name, alias?);
        }
        self.seek(resume);
        match self.attr_aliases.get(name) {
            Some(&alias) => Ok(alias),
            None => Err(self.error_on(token, "operation location alias was never defined")),
        }
    }

    /// Returns the definitions that `name` depends on, with their positions, sorted topologically.
    /// A definition names only earlier ones.
    fn definitions_for(
        &self,
        name: &'s [u8],
        known: &FxHashMap<&'s [u8], u32>,
    ) -> Vec<(&'s [u8], u32)> {
        let (mut order, mut open) = (Vec::new(), vec![(name, false)]);
        let mut met = FxHashSet::default();
        while let Some((name, complete)) = open.pop() {
            let Some(&at) = known.get(name) else { continue };
            if complete {
                order.push((name, at));
            } else if !self.is_attr_alias(name) && met.insert(name) {
                open.push((name, true));
                // Each once, and only defined ones: a location may name many.
                let mut here = FxHashSet::default();
                let before = |name: &'s [u8]| known.get(name).is_some_and(|&other| other < at);
                let wanted = |name: &&'s [u8]| before(name) && here.insert(*name);
                let names = self.names_in_definition(at);
                open.extend(names.filter(wanted).map(|name| (name, false)));
            }
        }
        order
    }

    /// Returns the alias names in the definition that starts at byte `at`, which may span several
    /// lines.
    fn names_in_definition(&self, at: u32) -> impl Iterator<Item = &'s [u8]> {
        let bytes = self.bytes();
        let mut cursor = Lexer::new(bytes);
        cursor.seek(at);
        let (_name, _equal) = (cursor.next(), cursor.next());
        let mut value = Value {
            cursor,
            open: 0,
            ended: false,
        };
        let tokens = std::iter::from_fn(move || value.next());
        let names = tokens.filter(|token| token.kind == Tok::Hash);
        names.map(move |token| &bytes[token.start as usize + 1..token.end as usize])
    }
}

/// Token iterator over an attribute that has not been parsed yet: `loc(…)`, `#dialect.name<…>`,
/// `distinct[0]<…>`, `dense<…> : type`.
struct Value<'s> {
    cursor: Lexer<'s>,
    /// Bracket depth.
    open: u32,
    ended: bool,
}

impl Value<'_> {
    fn next(&mut self) -> Option<Token> {
        if self.ended {
            return None;
        }
        let token = self.cursor.next();
        let after = self.cursor.clone().next().kind;
        match token.kind {
            Tok::LParen | Tok::LSquare | Tok::LBrace | Tok::Less => self.open += 1,
            // The `>` of a comparison closes no bracket.
            Tok::Greater if after == Tok::Equal => {}
            Tok::RParen | Tok::RSquare | Tok::RBrace | Tok::Greater => {
                self.open = self.open.saturating_sub(1);
            }
            Tok::Eof | Tok::Error => self.ended = true,
            _ => {}
        }
        let goes_on = matches!(
            after,
            Tok::LParen | Tok::LSquare | Tok::LBrace | Tok::Less | Tok::Colon
        );
        self.ended |= self.open == 0 && !goes_on && token.kind != Tok::Colon;
        Some(token)
    }
}

/// Whether a byte may be part of an alias name.
fn is_name(b: &u8) -> bool {
    b.is_ascii_alphanumeric() || b"_$-".contains(b)
}

/// Returns the lines that start with `#name`: the candidates for alias definitions.
pub(super) fn alias_lines(bytes: &[u8]) -> FxHashMap<&[u8], u32> {
    let mut found = FxHashMap::default();
    let mut start = 0;
    for line in bytes.split_inclusive(|&b| b == b'\n') {
        let shown = line.trim_ascii_start();
        if let [b'#', rest @ ..] = shown {
            let end = rest.iter().position(|b| !is_name(b)).unwrap_or(rest.len());
            let equals = rest[end..].iter().find(|b| **b != b' ');
            if end > 0 && equals == Some(&b'=') {
                let at = start + line.len() - shown.len();
                found.entry(&rest[..end]).or_insert(at as u32);
            }
        }
        start += line.len();
    }
    found
}
