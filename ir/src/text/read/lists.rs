//! List grammar shared by all parsers of this folder.

use std::fmt::Display;

use super::parser::{PResult, Parser};
use crate::lexer::Tok;

/// A parser that reads lists.
pub trait Lists<'s>: Sized {
    /// The underlying token parser.
    fn tokens(&mut self) -> &mut Parser<'s>;

    /// Parses items separated by commas, one at least.
    fn items(&mut self, mut item: impl FnMut(&mut Self) -> PResult<()>) -> PResult<()> {
        loop {
            item(self)?;
            if !self.tokens().eat(Tok::Comma) {
                return Ok(());
            }
        }
    }

    /// Parses items separated by commas up to `close`, which it takes too; where that is missing,
    /// the error expects `what`.
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
