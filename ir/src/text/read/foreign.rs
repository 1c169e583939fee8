//! Alias expansion in the bodies of foreign types and attributes: `!llvm.struct<(!t, i32)>`.
//!
//! Such bodies are kept as text. An alias in one has a meaning in its own file only, so the text it
//! stands for replaces it. In an unknown dialect the same characters may mean anything and stay.

use std::borrow::Cow;

use super::parser::{PResult, Parser};
use super::suggest;
use super::ty::as_utf8;
use crate::context::Context;
use crate::lexer::{Tok, Token};
use crate::text::ParseFailed;
use crate::text::write::attr::attr_string_as_read;
use crate::text::write::ty::type_string;

/// Whether a body kept as text mentions the number of a distinct attribute.
pub(in crate::text) fn foreign_text_has_distinct(ctx: &Context) -> bool {
    ctx.any_foreign_text(|body| body.contains("distinct["))
}

/// Expansion limit in bytes, over all foreign bodies of a file. An expanded alias may be longer
/// than the line that uses it, and no text is shared.
const MAX_EXPANDED: usize = 1 << 26;

impl<'s> Parser<'s> {
    /// Expands the aliases in bytes `start..end`, the body of a type (`sigil` is `!`) or attribute
    /// of `dialect`.
    pub(super) fn without_aliases(
        &mut self,
        (sigil, dialect): (u8, &[u8]),
        start: u32,
        end: u32,
    ) -> PResult<Cow<'s, [u8]>> {
        let written = self.slice(start, end);
        let plain = !written.iter().any(|b| b"#!".contains(b));
        let registry = self.ctx.registry();
        let known = as_utf8(dialect).filter(|name| registry.is_upstream(name));
        let Some(dialect) = known.filter(|_| !plain) else {
            return Ok(written.into());
        };
        // Nested types may leave out the name of their dialect.
        let short = (sigil == b'!' && self.forms.nests_short(dialect)).then_some(dialect);
        let (mut text, mut copied) = (Vec::new(), start);
        let mut cursor = self.lexer.clone();
        cursor.seek(start);
        loop {
            let token = cursor.next();
            if token.start >= end {
                break;
            }
            if let Some(meaning) = self.alias_text(token)? {
                let after = |dialect: &str| {
                    let symbol = meaning.strip_prefix('!')?;
                    symbol.strip_prefix(dialect)?.strip_prefix('.')
                };
                let meaning = short.and_then(after).unwrap_or(&meaning);
                text.extend_from_slice(self.slice(copied, token.start));
                text.extend_from_slice(meaning.as_bytes());
                copied = token.end;
            }
        }
        if text.is_empty() {
            return Ok(written.into());
        }
        text.extend_from_slice(self.slice(copied, end));
        Ok(text.into())
    }

    /// Spells the value of an alias; `None` for other tokens.
    fn alias_text(&mut self, token: Token) -> PResult<Option<String>> {
        let name = self.slice(token.start + 1, token.end);
        let is_symbol = name.contains(&b'.') || self.bytes().get(token.end as usize) == Some(&b'<');
        let text = match token.kind {
            _ if is_symbol => return Ok(None),
            Tok::Hash => match self.attr_aliases.get(name) {
                Some(&alias) => attr_string_as_read(self.ctx, self.expand(alias, token, 0)?),
                None => return Err(self.undefined_alias(token, name)),
            },
            Tok::Exclaim => match self.type_aliases.get(name) {
                Some(&alias) => type_string(self.ctx, self.expand(alias, token, 0)?),
                None => return Err(self.undefined_type_alias(token, name)),
            },
            _ => return Ok(None),
        };
        self.expanded += text.len();
        if self.expanded > MAX_EXPANDED {
            let message = format!(
                "aliases in types and attributes of dialects that are kept as text stand for \
                 more than {MAX_EXPANDED} bytes"
            );
            return Err(self.error_on(token, message));
        }
        Ok(Some(text))
    }

    /// Reports a type alias that is not defined.
    pub(super) fn undefined_type_alias(&mut self, token: Token, name: &[u8]) -> ParseFailed {
        let shown = String::from_utf8_lossy(name);
        let known = self.type_aliases.keys().copied().filter_map(as_utf8);
        let diagnostic = self
            .diagnostic(token, format!("undefined symbol alias id '{shown}'"))
            .with_near("!", suggest::nearest(&shown, known));
        self.report(diagnostic)
    }
}
