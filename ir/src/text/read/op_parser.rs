//! Operation parser: the interface on which custom forms are parsed.

use std::sync::Arc;

use smallvec::SmallVec;

use super::lists::Lists;
use super::parser::{PResult, Parser};
use crate::attr::{AttrDict, NamedAttr};
use crate::body::{BlockId, Body, NewOp, OpId, RegionId, Value};
use crate::context::signature::OpSignature;
use crate::context::{Context, Ident};
use crate::context::{OpName, Traits};
use crate::diag::Diagnostic;
use crate::lexer::{Tok, Token};
use crate::location::Loc;
use crate::text::ParseFailed;
use crate::text::attributes::{Dicts, WrittenAttrs, canonical_dicts};
use crate::types::Type;

/// Unresolved operand as written: `%name#number`. It becomes a [`Value`] when its type is known.
#[derive(Clone, Copy, Debug)]
pub struct Operand<'s> {
    /// The name, without `%`.
    pub name: &'s [u8],
    /// The number of the result that is meant, where the name stands for several.
    pub number: u32,
    /// Offset of the operand in the source.
    pub pos: u32,
}

/// Entry-block argument as an operation's form spells it.
#[derive(Clone, Copy, Debug)]
pub struct Argument<'s> {
    /// The name.
    pub name: Operand<'s>,
    /// The type.
    pub ty: Type,
    /// Attributes of the argument, which the operation keeps.
    pub attrs: AttrDict,
    /// Location, if written.
    pub loc: Option<Loc>,
}

/// Brackets around a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Delimiter {
    /// No brackets: the list ends where no comma follows.
    None,
    /// `( … )`
    Paren,
    /// `[ … ]`
    Square,
    /// `{ … }`
    Brace,
    /// `< … >`
    Angle,
}

impl Delimiter {
    pub(super) fn tokens(self) -> Option<(Tok, Tok)> {
        match self {
            Delimiter::None => None,
            Delimiter::Paren => Some((Tok::LParen, Tok::RParen)),
            Delimiter::Square => Some((Tok::LSquare, Tok::RSquare)),
            Delimiter::Brace => Some((Tok::LBrace, Tok::RBrace)),
            Delimiter::Angle => Some((Tok::Less, Tok::Greater)),
        }
    }
}

/// Place in the source that [`OpParser::error_at`] underlines.
#[derive(Clone, Copy, Debug)]
pub struct Place(pub(crate) Token);

/// Unresolved operands.
pub type Operands<'s> = SmallVec<[Operand<'s>; 4]>;

/// Parser state of one operation, on which hand-written forms work.
///
/// The name has been taken. The form takes the text after it, adds operands, result types,
/// attributes, successors and regions in the order the generic form has them, and returns; the
/// caller splits attributes into inherent and discardable ones, fills defaults in and takes the
/// location. Every method that returns an error has reported it.
///
/// The result of a form may depend on the text, on which of the names in it are equal and on the
/// types of their values, and on nothing else: the [line cache](super::cache) does not run the form
/// again for an operation that differs in names alone.
pub struct OpParser<'p, 's> {
    /// The parser of the text around.
    pub parser: &'p mut Parser<'s>,
    /// The row of a known operation.
    pub(crate) def: Option<&'static OpSignature>,
    /// The number of results that the text names.
    pub(crate) wanted: usize,
    token: Token,
    name: OpName,
    /// The location; that of the name, if the text gives none.
    pub loc: Loc,
    /// Inherent attributes so far.
    pub properties: SmallVec<[NamedAttr; 4]>,
    /// Other attributes so far; inherent ones among them are sorted out at the end.
    pub attributes: SmallVec<[NamedAttr; 4]>,
    /// Operands so far.
    pub operands: SmallVec<[Value; 4]>,
    /// Types of results so far.
    pub results: SmallVec<[Type; 2]>,
    pub(super) successors: SmallVec<[BlockId; 2]>,
    /// Regions so far, but those of an operation isolated from above.
    pub regions: SmallVec<[RegionId; 2]>,
    /// The body of an operation isolated from above.
    pub isolated: Option<Box<Body>>,
}

impl std::fmt::Debug for OpParser<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpParser")
            .field("name", &self.parser.ctx.op_name_str(self.name))
            .finish_non_exhaustive()
    }
}

impl<'p, 's> OpParser<'p, 's> {
    /// A parser of an operation of this name, whose text begins at `token`.
    pub fn new(parser: &'p mut Parser<'s>, name: OpName, token: Token) -> Self {
        let def = parser.ctx.op_signature(name);
        let isolated = def
            .is_some_and(|def| def.traits.contains(Traits::ISOLATED_FROM_ABOVE))
            .then(|| Box::new(Body::new()));
        let loc = parser.loc(token.start);
        OpParser {
            parser,
            def,
            wanted: 0,
            token,
            name,
            loc,
            properties: SmallVec::new(),
            attributes: SmallVec::new(),
            operands: SmallVec::new(),
            results: SmallVec::new(),
            successors: SmallVec::new(),
            regions: SmallVec::new(),
            isolated,
        }
    }

    /// Takes the trailing location and makes the operation.
    pub fn finish(&mut self) -> PResult<OpId> {
        if let Some(loc) = self.parser.optional_loc()? {
            self.loc = loc;
        }
        let Dicts {
            properties,
            attributes,
        } = self.canonical_dicts()?;
        let op = self.parser.body.create_op_with(NewOp {
            name: self.name,
            loc: self.loc,
            properties,
            attributes,
            operands: std::mem::take(&mut self.operands),
            results: &self.results,
            successors: &self.successors,
            regions: &self.regions,
            own: self.isolated.take().map(|own| Arc::new(*own)),
        });
        self.parser.note_owner(op);
        Ok(op)
    }

    /// Canonicalises the attributes.
    fn canonical_dicts(&mut self) -> PResult<Dicts> {
        let ctx = self.parser.ctx;
        let forms = self.parser.forms;
        let syntax = self.def.map(|def| forms.syntax(ctx, self.name, def));
        let written = WrittenAttrs {
            name: self.name,
            properties: &self.properties,
            attributes: &self.attributes,
        };
        if written.properties.is_empty() && written.attributes.is_empty() {
            return Ok(Dicts {
                properties: syntax.map_or(AttrDict::EMPTY, |syntax| syntax.unwritten),
                attributes: AttrDict::EMPTY,
            });
        }
        canonical_dicts(ctx, syntax, written).map_err(|name| self.given_twice(name))
    }

    /// The context.
    #[inline]
    pub fn ctx(&self) -> &'s Context {
        self.parser.ctx
    }

    /// The operation's name.
    #[inline]
    pub fn name(&self) -> OpName {
        self.name
    }

    /// The operation's location.
    pub fn loc(&self) -> Loc {
        self.loc
    }

    /// The number of results that the text names before `=`.
    pub fn num_named_results(&self) -> usize {
        self.wanted
    }
}

/// Tokens and errors.
impl<'s> OpParser<'_, 's> {
    /// The kind of the current token.
    #[inline]
    pub fn peek(&self) -> Tok {
        self.parser.tok.kind
    }

    /// Whether the current token is of this kind.
    #[inline]
    pub fn at(&self, kind: Tok) -> bool {
        self.parser.at(kind)
    }

    /// Takes the current token if it is of this kind.
    #[inline]
    pub fn eat(&mut self, kind: Tok) -> bool {
        self.parser.eat(kind)
    }

    /// Takes a token of this kind.
    #[inline]
    pub fn expect(&mut self, kind: Tok) -> PResult<()> {
        self.parser.expect(kind).map(|_| ())
    }

    /// Whether the current token is this keyword.
    #[inline]
    pub fn at_keyword(&self, word: &str) -> bool {
        self.parser.at_keyword(word)
    }

    /// Takes the current token if it is this keyword.
    #[inline]
    pub fn eat_keyword(&mut self, word: &str) -> bool {
        self.parser.eat_keyword(word)
    }

    /// Takes a token of this kind; the error expects `what`.
    pub(crate) fn expect_as(&mut self, kind: Tok, what: &str) -> PResult<()> {
        self.parser.expect_as(kind, what).map(|_| ())
    }

    /// Takes this keyword.
    #[inline]
    pub fn expect_keyword(&mut self, word: &str) -> PResult<()> {
        if self.eat_keyword(word) {
            return Ok(());
        }
        Err(self.expected(&format!("'{word}'")))
    }

    /// Takes any keyword; `what` names it in errors.
    pub fn keyword(&mut self, what: &str) -> PResult<&'s str> {
        if !self.at(Tok::Bare) {
            return Err(self.expected(&format!("valid keyword for {what}")));
        }
        self.parser.expect_bare(what)
    }

    /// The place of the current token.
    pub fn place(&self) -> Place {
        Place(self.parser.tok)
    }

    /// The place of the operation's name.
    pub fn op_place(&self) -> Place {
        Place(self.token)
    }

    /// Reports an error at the current token.
    pub fn error(&mut self, message: impl AsRef<str>) -> ParseFailed {
        let message = self.worded(message.as_ref());
        self.parser.error(message)
    }

    /// Words an error about the operation's form as upstream does: `custom op 'vector.mask'
    /// message`.
    fn worded(&self, message: &str) -> String {
        format!(
            "custom op '{}' {message}",
            self.ctx().op_name_str(self.name)
        )
    }

    /// Reports an error about the text from a place to the cursor, or about the operation's name.
    pub fn error_at(&mut self, place: Place, message: impl AsRef<str>) -> ParseFailed {
        let message = self.worded(message.as_ref());
        self.plain_error_at(place, message)
    }

    /// Reports an error at a place, without the operation's name in it.
    pub fn plain_error_at(&mut self, place: Place, message: impl Into<String>) -> ParseFailed {
        if place.0.start == self.token.start {
            self.parser.error_on(place.0, message)
        } else {
            self.parser.error_since(place.0, message)
        }
    }

    /// Reports an error at a place, and suggests a similar word.
    pub(crate) fn error_near(
        &mut self,
        place: Place,
        message: impl AsRef<str>,
        near: Option<&str>,
    ) -> ParseFailed {
        let message = self.worded(message.as_ref());
        let diagnostic = self.parser.diagnostic(place.0, message);
        self.parser.report(diagnostic.with_near("", near))
    }

    /// Reports an attribute given twice.
    pub(crate) fn given_twice(&mut self, name: Ident) -> ParseFailed {
        let shown = self.ctx().str(name);
        let message = format!("attribute '{shown}' occurs more than once in the attribute list");
        self.error_at(self.op_place(), message)
    }

    /// Reports an error at an operand.
    pub fn error_on_operand(
        &mut self,
        operand: Operand<'s>,
        message: impl Into<String>,
    ) -> ParseFailed {
        let loc = self.parser.loc(operand.pos);
        self.parser
            .report(Diagnostic::error(loc, message).with_len(operand.name.len() as u32 + 1))
    }

    /// Reports "expected `what`, found …" at the current token.
    pub fn expected(&mut self, what: &str) -> ParseFailed {
        let message = self.parser.expectation(self.parser.tok, what);
        self.error(message)
    }

    /// Parses a list in brackets, items separated by commas; may be empty in brackets.
    pub fn list(
        &mut self,
        delimiter: Delimiter,
        item: impl FnMut(&mut Self) -> PResult<()>,
    ) -> PResult<()> {
        self.list_in(delimiter, "", item)
    }

    /// As [`list`](Self::list), with the list's name for errors: `" in operand list"`.
    pub fn list_in(
        &mut self,
        delimiter: Delimiter,
        list: &str,
        item: impl FnMut(&mut Self) -> PResult<()>,
    ) -> PResult<()> {
        let Some((open, close)) = delimiter.tokens() else {
            return self.items(item);
        };
        if !self.parser.eat(open) {
            return Err(self.parser.expected(&format!("{}{list}", open.describe())));
        }
        self.items_until(close, format_args!("{}{list}", close.describe()), item)
    }
}

impl<'s> Lists<'s> for OpParser<'_, 's> {
    fn tokens(&mut self) -> &mut Parser<'s> {
        self.parser
    }
}
