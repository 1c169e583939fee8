//! Parser of types and attributes that stand alone, outside of any source.

use super::parser::{PResult, Parser};
use crate::attr::Attr;
use crate::context::Context;
use crate::text::{ParseFailed, ParseOptions, Tok};
use crate::types::Type;

/// Parses an attribute that makes up a whole text; the error describes the first problem,
/// without a place.
pub fn parse_attr_fragment(
    ctx: &Context,
    text: &[u8],
    options: &ParseOptions,
) -> Result<Attr, String> {
    fragment(ctx, text, options, |parser| parser.attribute(None))
}

/// Parses a type that makes up a whole text; the error describes the first problem,
/// without a place.
pub fn parse_type_fragment(
    ctx: &Context,
    text: &[u8],
    options: &ParseOptions,
) -> Result<Type, String> {
    fragment(ctx, text, options, |parser| parser.ty())
}

fn fragment<'s, T>(
    ctx: &'s Context,
    text: &'s [u8],
    options: &'s ParseOptions,
    read: impl FnOnce(&mut Parser<'s>) -> PResult<T>,
) -> Result<T, String> {
    let mut parser = Parser::new(ctx, text, 0, options);
    let value = read(&mut parser).and_then(|value| parser.expect(Tok::Eof).map(|_| value));
    value.map_err(|ParseFailed| {
        let first = parser.into_diagnostics().into_iter().next();
        first.map_or_else(String::new, |diagnostic| diagnostic.message)
    })
}
