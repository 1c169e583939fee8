//! Lists: what every parser here reads alike, whatever the items are.

use std::fmt::Display;

use super::lexer::Tok;
use super::parser::{PResult, Parser};

/// A parser that reads lists.
pub(crate) trait Lists<'s>: Sized {
    /// The parser of the tokens.
    fn tokens(&mut self) -> &mut Parser<'s>;

    /// Items separated by commas, one at least.
    fn items(&mut self, mut item: impl FnMut(&mut Self) -> PResult<()>) -> PResult<()> {
        loop {
            item(self)?;
            if !self.tokens().eat(Tok::Comma) {
                return Ok(());
            }
        }
    }

    /// Items separated by commas up to `close`, which is taken too; where it is
    /// missing, `what` is expected.
    fn items_until(
        &mut self,
        close: Tok,
        what: impl Display,
        mut item: impl FnMut(&mut Self) -> PResult<()>,
    ) -> PResult<()> {
        if self.tokens().eat(close) {
            return Ok(());
        }
        loop {
            item(self)?;
            let tokens = self.tokens();
            if tokens.eat(close) {
                return Ok(());
            }
            if !tokens.eat(Tok::Comma) {
                return Err(tokens.expected(&what.to_string()));
            }
        }
    }
}

impl<'s> Lists<'s> for Parser<'s> {
    fn tokens(&mut self) -> &mut Parser<'s> {
        self
    }
}
