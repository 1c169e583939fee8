//! Parse errors, and recovery from them.

use super::parser::{MAX_ERRORS, Parser};
use crate::diag::Diagnostic;
use crate::lexer::{Tok, Token};
use crate::location::Loc;
use crate::source::BytePos;
use crate::text::ParseFailed;

impl Parser<'_> {
    /// The location of a byte of this source.
    #[inline]
    pub fn loc(&self, pos: u32) -> Loc {
        Loc::source(BytePos(self.base + pos))
    }

    /// Reports a diagnostic unless the limit of errors is reached.
    pub fn report(&mut self, mut diagnostic: Diagnostic) -> ParseFailed {
        diagnostic.follow_up = self.errors > 0;
        if self.errors < MAX_ERRORS {
            self.diags.push(diagnostic);
        }
        self.errors += 1;
        ParseFailed
    }

    /// Reports an error that underlines a token.
    pub fn error_on(&mut self, token: Token, message: impl Into<String>) -> ParseFailed {
        // Bytes that are no token explain any other error.
        let diagnostic = match self.tok.kind {
            Tok::Error => self.no_token(),
            _ => self.diagnostic(token, message),
        };
        self.report(diagnostic)
    }

    /// Reports an error about the text from `token` to the cursor.
    pub(crate) fn error_since(&mut self, token: Token, message: impl Into<String>) -> ParseFailed {
        let end = self.last_end.max(token.end);
        self.error_on(Token { end, ..token }, message)
    }

    /// Makes an error about a token without reporting it.
    pub(crate) fn diagnostic(&self, token: Token, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(self.loc(token.start), message).with_len(token.end - token.start)
    }

    /// Reports an error at the current token; at the last byte of an input that ends.
    pub(crate) fn error(&mut self, message: impl Into<String>) -> ParseFailed {
        let mut token = self.tok;
        if token.kind == Tok::Eof {
            token.start = token.start.saturating_sub(1);
        }
        self.error_on(token, message)
    }

    /// Explains why the current bytes are no token.
    fn no_token(&self) -> Diagnostic {
        self.diagnostic(self.tok, self.lexer.no_token.why())
    }

    /// Reports "expected …" where a token is missing: at the current one, which the message
    /// describes, or where the line before ends if that starts a line.
    pub fn expected(&mut self, what: &str) -> ParseFailed {
        let diagnostic = self.missing(what);
        self.report(diagnostic)
    }

    /// Makes that error without reporting it.
    pub(crate) fn missing(&self, what: &str) -> Diagnostic {
        if self.at(Tok::Error) {
            return self.no_token();
        }
        let message = self.expectation(self.tok, what);
        match self.end_of_line_before() {
            Some(start) => Diagnostic::error(self.loc(start), message).with_len(1),
            None => self.diagnostic(self.tok, message),
        }
    }

    /// Reports an error where a token is missing.
    pub(crate) fn wrong_token(&mut self, message: &str) -> ParseFailed {
        let mut diagnostic = self.missing("");
        if !self.at(Tok::Error) {
            diagnostic.message = message.to_owned();
        }
        self.report(diagnostic)
    }

    /// Reports "expected …" at the current token, which the message describes.
    pub(crate) fn expected_here(&mut self, what: &str) -> ParseFailed {
        let message = self.expectation(self.tok, what);
        self.error(message)
    }

    /// Spells that `what` is expected in place of `token`.
    pub(crate) fn expectation(&self, token: Token, what: &str) -> String {
        let found = match token.kind {
            Tok::Eof => "the input ends".to_owned(),
            Tok::Bare
            | Tok::Integer
            | Tok::Float
            | Tok::Percent
            | Tok::Caret
            | Tok::Hash
            | Tok::Exclaim
            | Tok::At
                if token.end - token.start <= 60 =>
            {
                format!("found `{}`", String::from_utf8_lossy(self.text_of(token)))
            }
            kind => format!("found {}", kind.describe()),
        };
        format!("expected {what}, {found}")
    }

    /// Returns the end of the last line before the current token that holds more than a comment, if
    /// the token is the first on its line.
    fn end_of_line_before(&self) -> Option<u32> {
        let mut before = &self.bytes[..self.tok.start as usize];
        if self.at(Tok::Eof) {
            before = &before[..before.len().saturating_sub(1)];
        }
        let mut moved = self.at(Tok::Eof);
        loop {
            let blank = before.iter().rev().take_while(|b| b" \t".contains(b));
            before = &before[..before.len() - blank.count()];
            let (&last, rest) = before.split_last()?;
            if !matches!(last, b'\n' | b'\r') {
                return moved.then_some(before.len() as u32);
            }
            moved = true;
            let line = rest
                .iter()
                .rposition(|&b| b == b'\n')
                .map_or(0, |at| at + 1);
            let comment = rest[line..].windows(2).position(|pair| pair == b"//");
            before = &rest[..comment.map_or(rest.len(), |at| line + at)];
        }
    }

    /// Error recovery: after an error in the operation that starts at byte `start`, skips to where
    /// the next one seems to start, or to the brace that closes the region. Assumes that operations
    /// start on lines of their own.
    pub(crate) fn resynchronise(&mut self, start: u32) {
        let mut depth = self.open_braces(start);
        loop {
            match self.tok.kind {
                Tok::Eof => return,
                Tok::LBrace => depth += 1,
                Tok::RBrace if depth == 0 => return,
                Tok::RBrace => depth -= 1,
                Tok::Bare | Tok::Percent | Tok::String | Tok::Caret
                    if depth == 0 && self.starts_line() =>
                {
                    return;
                }
                _ => {}
            }
            self.advance();
        }
    }

    /// Counts the braces that are open here and were opened since byte `start`.
    fn open_braces(&self, start: u32) -> u32 {
        let mut before = self.lexer.clone();
        before.seek(start);
        let mut open = 0u32;
        loop {
            let token = before.next();
            if token.start >= self.tok.start {
                return open;
            }
            match token.kind {
                Tok::LBrace => open += 1,
                Tok::RBrace => open = open.saturating_sub(1),
                _ => {}
            }
        }
    }

    /// Whether only blanks precede the current token on its line.
    fn starts_line(&self) -> bool {
        let before = &self.bytes[..self.tok.start as usize];
        before
            .iter()
            .rev()
            .take_while(|&&b| b != b'\n')
            .all(u8::is_ascii_whitespace)
    }
}
