//! Parser of dialect types and attributes: `!dialect.name<…>`, `#dialect<…>`.

use super::body_parser::BodyParser;
use super::op_parser::Place;
use super::parser::{PResult, Parser};
use crate::attr::{Attr, AttrKind};
use crate::context::Ident;
use crate::context::dialect_registry::is_namespace;
use crate::lexer::{Tok, Token};
use crate::text::symbols::{Form, SymbolDef, Symbols};
use crate::text::write::ty::type_string;
use crate::types::{Type, TypeKind};

/// Dialect symbol: a dialect's type or attribute as it stands in the source.
struct Symbol<'s> {
    dialect: &'s [u8],
    /// Start of the name in the dialect.
    start: u32,
    /// End of the body, without the `>` of the verbose form.
    inner_end: u32,
    /// Token for messages: the sigil with dialect and name.
    token: Token,
}

impl<'s> Parser<'s> {
    /// `!alias`, `!dialect.name<…>` or `!dialect<…>`
    pub(crate) fn dialect_type(&mut self) -> PResult<Type> {
        let token = self.tok;
        if self.legacy.on
            && let Some(ty) = self.legacy_dialect_type()?
        {
            return Ok(ty);
        }
        let Some(symbol) = self.dialect_symbol()? else {
            let name = self.slice(token.start + 1, token.end);
            return match self.type_aliases.get(name) {
                Some(&alias) => self.expand(alias, token, 1),
                None => Err(self.undefined_type_alias(token, name)),
            };
        };
        let (dialect, known) = self.dialect_of(&symbol)?;
        let Some(known) = known else {
            self.check_registered(&symbol, |name, body| {
                format!("`!\"{name}\"<\"{body}\">` type")
            })?;
            let body = self.body_text(&symbol)?;
            return Ok(self.ctx.intern_type(TypeKind::Dialect { dialect, body }));
        };
        let after = self.tok;
        let name = self.symbol_name_in(&symbol)?;
        let def = known.ty(self.ctx.str(name));
        let parsed = match def {
            Some(def) => self.type_body(&symbol, (dialect, name), def),
            None => Err(self.unknown_symbol(&symbol, name, "type", known.types.is_empty())),
        };
        self.continue_at(after);
        parsed
    }

    fn type_body(
        &mut self,
        symbol: &Symbol<'s>,
        (dialect, name): (Ident, Ident),
        def: &SymbolDef<Type>,
    ) -> PResult<Type> {
        let body = match def.form {
            Form::Parameters { parse, .. } => {
                let place = Place(symbol.token);
                return parse(&mut BodyParser::new(self, (dialect, name), place, None));
            }
            Form::List(list) => {
                let place = Place(symbol.token);
                let mut inner = BodyParser::new(self, (dialect, name), place, None);
                let params = inner.parameters(list)?;
                return Ok(inner.make_type(&params));
            }
            Form::Plain => self.ctx.ident(&format!(".{}", def.name)),
            Form::Enum(_) => self.body_text(symbol)?,
        };
        Ok(self.ctx.intern_type(TypeKind::Dialect { dialect, body }))
    }

    /// `#alias`, `#dialect.name<…>` or `#dialect<…>`
    pub(crate) fn dialect_attr(&mut self, ty: Option<Type>) -> PResult<Attr> {
        let token = self.tok;
        if self.legacy.on
            && let Some(attr) = self.legacy_dialect_attr(ty)?
        {
            return Ok(attr);
        }
        let Some(symbol) = self.dialect_symbol()? else {
            let name = self.slice(token.start + 1, token.end);
            return match self.attr_alias(name) {
                Some(alias) => self.expand(alias, token, 1),
                None => Err(self.undefined_alias(token, name)),
            };
        };
        let written = match ty {
            None if self.eat(Tok::Colon) => Some(self.ty()?),
            _ => None,
        };
        let (dialect, known) = self.dialect_of(&symbol)?;
        let Some(known) = known else {
            self.check_registered(&symbol, |name, body| {
                let ty = type_string(self.ctx, written.or(ty).unwrap_or(self.ctx.none_type()));
                format!("#\"{name}\"<\"{body}\"> : '{ty}' attribute")
            })?;
            let body = self.body_text(&symbol)?;
            let ty = written.filter(|&ty| ty != self.ctx.none_type());
            let kind = AttrKind::Dialect { dialect, body, ty };
            return Ok(self.ctx.intern_attr(kind));
        };
        let (after, last_end) = (self.tok, self.last_end);
        let name = self.symbol_name_in(&symbol)?;
        let def = known.attr(self.ctx.str(name));
        let parsed = match def {
            Some(def) => self.attr_body(&symbol, (dialect, name), def, written.or(ty)),
            None => Err(self.unknown_symbol(&symbol, name, "attribute", known.attrs.is_empty())),
        };
        self.continue_at(after);
        self.last_end = last_end;
        parsed
    }

    fn attr_body(
        &mut self,
        symbol: &Symbol<'s>,
        (dialect, name): (Ident, Ident),
        def: &SymbolDef<Attr>,
        ty: Option<Type>,
    ) -> PResult<Attr> {
        let place = Place(symbol.token);
        let mut inner = BodyParser::new(self, (dialect, name), place, ty);
        let body = match def.form {
            Form::Parameters { parse, .. } => return parse(&mut inner),
            Form::List(list) => {
                let params = inner.parameters(list)?;
                return Ok(inner.make_attr(&params));
            }
            Form::Enum(cases) => return inner.enum_attr(cases),
            Form::Plain => self.ctx.ident(&format!(".{}", def.name)),
        };
        let ty = None;
        let kind = AttrKind::Dialect { dialect, body, ty };
        Ok(self.ctx.intern_attr(kind))
    }

    /// Returns the dialect's name, and its definitions if it is known.
    fn dialect_of(&mut self, symbol: &Symbol<'s>) -> PResult<(Ident, Option<&'static Symbols>)> {
        // The lexer admits only ASCII in such a name.
        let name = std::str::from_utf8(symbol.dialect).unwrap_or("");
        if !is_namespace(name) {
            let message = format!("invalid dialect namespace '\"{name}\"'");
            return Err(self.error_on(symbol.token, message));
        }
        Ok((self.ctx.ident(name), self.forms.symbols(name)))
    }

    /// Refuses symbols of an unknown dialect where options do not allow those; `what` makes the
    /// message from the dialect's name and the text.
    fn check_registered(
        &mut self,
        symbol: &Symbol<'s>,
        what: impl FnOnce(&str, &str) -> String,
    ) -> PResult<()> {
        let dialect = String::from_utf8_lossy(symbol.dialect);
        if self.options.allow_unregistered || self.ctx.registry().is_upstream(&dialect) {
            return Ok(());
        }
        let body = String::from_utf8_lossy(self.slice(symbol.start, symbol.inner_end));
        let message = format!(
            "{} created with unregistered dialect. If this is intended, please call \
             allowUnregisteredDialects() on the MLIRContext, or use -allow-unregistered-dialect \
             with the MLIR opt tool used",
            what(&dialect, &body)
        );
        let help = format!(
            "'gridloom opt --allow-unregistered-dialect' reads what '{dialect}' defines; to run the program, \
             its tools have to replace it first"
        );
        let diagnostic = self.diagnostic(symbol.token, message).with_help(help);
        Err(self.report(diagnostic))
    }

    /// Moves the cursor into the symbol and takes its name.
    fn symbol_name_in(&mut self, symbol: &Symbol<'s>) -> PResult<Ident> {
        self.seek(symbol.start);
        let name = self.expect_bare("the name of a type or attribute of this dialect")?;
        Ok(self.ctx.ident(name))
    }

    fn continue_at(&mut self, token: Token) {
        self.last_end = token.start;
        self.seek(token.start);
    }

    fn unknown_symbol(
        &mut self,
        symbol: &Symbol<'s>,
        name: Ident,
        what: &str,
        has_none: bool,
    ) -> crate::text::ParseFailed {
        let dialect = String::from_utf8_lossy(symbol.dialect);
        let name = self.ctx.str(name);
        let token = symbol.token;
        if has_none {
            let message = format!("dialect '{dialect}' provides no {what} parsing hook");
            return self.error_on(token, message);
        }
        let message = match self.forms.unknown_symbol(&dialect, what == "type") {
            Some(own) => format!("{own}: {name}"),
            None if what == "type" => format!("unknown  type `{name}` in dialect `{dialect}`"),
            None => format!("unknown {what} `{name}` in dialect `{dialect}`"),
        };
        self.error_on(token, message)
    }

    /// Scans a dialect symbol after `!` or `#`, matching only its brackets; `None` for an alias.
    /// Takes the tokens in both cases.
    fn dialect_symbol(&mut self) -> PResult<Option<Symbol<'s>>> {
        let token = self.tok;
        let name = self.slice(token.start + 1, token.end);
        let dot = name.iter().position(|&b| b == b'.');
        let mut end = token.end;
        if self.bytes().get(end as usize) == Some(&b'<') {
            end = self.balanced_end(end)?;
            self.seek(end);
            self.last_end = end;
        } else {
            self.advance();
            if dot.is_none() {
                return Ok(None);
            }
        }
        let split = dot.unwrap_or(name.len()) as u32;
        Ok(Some(Symbol {
            dialect: self.slice(token.start + 1, token.start + 1 + split),
            start: token.start + split + 2,
            inner_end: end - u32::from(dot.is_none()),
            token,
        }))
    }

    /// Interns the stored text of a symbol: `.name<…>` where it can be spelled so, else `<…>`. With
    /// a `-` at its end, which came after a dot, a bracket behind it would be an arrow's.
    fn body_text(&mut self, symbol: &Symbol<'s>) -> PResult<Ident> {
        let sigil = self.bytes()[symbol.token.start as usize];
        let name = (sigil, symbol.dialect);
        let inner = self.without_aliases(name, symbol.start, symbol.inner_end)?;
        let Ok(text) = std::str::from_utf8(&inner) else {
            return Err(self.error_on(symbol.token, "this must be UTF-8"));
        };
        Ok(self.ctx.ident(&if is_pretty(text) || text.ends_with('-') {
            format!(".{text}")
        } else {
            format!("<{text}>")
        }))
    }

    /// Returns the end of the brackets that open at `start`, skipping strings and the `>` of
    /// arrows.
    fn balanced_end(&mut self, start: u32) -> PResult<u32> {
        let bytes = self.bytes();
        let mut open: Vec<u8> = Vec::new();
        let mut at = start as usize;
        while let Some(&byte) = bytes.get(at) {
            at += 1;
            let partner = match byte {
                b'<' | b'[' | b'(' | b'{' => {
                    open.push(byte);
                    continue;
                }
                b'-' if bytes.get(at) == Some(&b'>') => {
                    at += 1;
                    continue;
                }
                b'"' => {
                    self.seek(at as u32 - 1);
                    if self.at(Tok::Error) {
                        return Err(self.expected("string"));
                    }
                    at = self.tok.end as usize;
                    continue;
                }
                b'>' => b'<',
                b']' => b'[',
                b')' => b'(',
                b'}' => b'{',
                0 => break,
                _ => continue,
            };
            if open.last() != Some(&partner) {
                break;
            }
            open.pop();
            if open.is_empty() {
                return Ok(at as u32);
            }
        }
        self.seek(start);
        let open = open.last().map_or('<', |&byte| char::from(byte));
        Err(self.error(format!(
            "unbalanced '{open}' character in pretty dialect name"
        )))
    }
}

/// Whether a body is in the pretty form, which follows the dialect's name after a dot: a name,
/// alone or with one group of angle brackets.
pub(crate) fn is_pretty(text: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_');
    let rest = text.trim_start_matches(is_name);
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && (rest.is_empty() || rest.starts_with('<') && is_one_group(rest.as_bytes()))
}

/// Whether the bracket at the start closes at the end: a pretty name ends there.
fn is_one_group(text: &[u8]) -> bool {
    let (mut depth, mut at) = (0usize, 0);
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b'<' | b'[' | b'(' | b'{' => depth += 1,
            b'-' if text.get(at) == Some(&b'>') => at += 1,
            b'"' => {
                while let Some(&byte) = text.get(at).filter(|&&byte| byte != b'"') {
                    at += if byte == b'\\' { 2 } else { 1 };
                }
                at += 1;
            }
            b'>' | b']' | b')' | b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at == text.len();
                }
            }
            _ => {}
        }
    }
    false
}
