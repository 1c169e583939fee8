//! Parser core: state, tokens, nesting depth.

use super::alias::{Alias, Weight};
use super::cache::Caches;
use super::lists::Lists;
use super::op::ResultName;
use super::parallel::Deferred;
use super::region::BlockNames;
use super::scopes::ScopedNames;
use super::value::Forwards;
use crate::attr::Attr;
use crate::body::Body;
use crate::context::OpName;
use crate::context::{Context, Ident};
use crate::diag::Diagnostics;
use crate::hash::FxHashMap;
use crate::lexer::{Lexer, Tok, Token, unescape};
use crate::location::Loc;
use crate::text::legacy;
use crate::text::resources::Resources;
use crate::text::{Forms, ParseFailed, ParseOptions};
use crate::types::Type;

/// Error limit, beyond which the parser gives up on the input.
pub(super) const MAX_ERRORS: usize = 20;

/// Nesting limit of regions, types, attributes and parentheses: bounds recursion, since each level
/// costs stack. Programs stay far below.
pub(super) const MAX_DEPTH: u32 = 256;

/// Parse result: on failure the error has been reported already.
pub type PResult<T> = Result<T, ParseFailed>;

/// Parser of text: the state of one read, with the tokens and what the grammar shares. Forms of
/// operations see it through [`OpParser`](super::op_parser::OpParser).
pub struct Parser<'s> {
    /// The context.
    pub ctx: &'s Context,
    /// The forms of operations, types and attributes.
    pub(in crate::text) forms: &'s Forms,
    pub(crate) options: &'s ParseOptions,
    pub(super) bytes: &'s [u8],
    /// Offset of the first byte among all sources of the context.
    pub(super) base: u32,
    pub(super) lexer: Lexer<'s>,
    /// The one token of lookahead.
    pub tok: Token,
    /// End of the previous token.
    pub(crate) last_end: u32,
    pub(super) diags: Diagnostics,
    pub(super) errors: usize,
    pub(super) depth: u32,
    /// The body that operations are inserted into.
    pub body: Body,
    /// Caches; see [`cache`](super::cache). Without them the reader reads the same.
    pub(in crate::text) caches: Caches<'s>,
    /// Pool of empty bodies with capacity, one for each level of isolation left.
    pub(crate) spare_bodies: Vec<Body>,
    pub(crate) names: ScopedNames<'s>,
    /// Result names of the operations being read, outermost first.
    pub(in crate::text) result_names: Vec<ResultName<'s>>,
    /// Isolation depth: how many isolated regions surround the cursor.
    pub(crate) level: u32,
    pub(crate) forwards: Forwards<'s>,
    pub(crate) blocks: Vec<BlockNames<'s>>,
    pub(crate) attr_aliases: FxHashMap<&'s [u8], Alias<Attr>>,
    /// Aliases of plain locations.
    pub(crate) loc_aliases: FxHashMap<&'s [u8], Loc>,
    pub(crate) type_aliases: FxHashMap<&'s [u8], Alias<Type>>,
    /// Expanded size so far of the alias being defined.
    pub(crate) weight: Weight,
    /// Bytes of expanded aliases in the bodies of foreign types and attributes.
    pub(crate) expanded: usize,
    /// Positions of location-alias definitions; computed on first use.
    pub(crate) late_aliases: Option<FxHashMap<&'s [u8], u32>>,
    /// Distinct attributes so far, by number.
    pub(crate) distinct: FxHashMap<u64, Attr>,
    /// Recursive named types being defined, outermost first: dialect and name.
    pub(crate) open_types: Vec<(Ident, Ident)>,
    /// Default dialect of names without one.
    pub(crate) default_dialect: &'static str,
    /// Resource sections.
    pub(crate) resources: Resources,
    /// State of the older eras' syntax.
    pub(crate) legacy: legacy::State<'s>,
    /// Function bodies deferred to worker threads.
    pub(crate) deferred: Deferred<'s>,
}

impl<'s> Parser<'s> {
    pub(crate) fn new(
        ctx: &'s Context,
        bytes: &'s [u8],
        base: u32,
        options: &'s ParseOptions,
    ) -> Self {
        let mut lexer = Lexer::new(bytes);
        let tok = lexer.next();
        let forms = Forms::of(ctx);
        Parser {
            ctx,
            forms,
            options,
            bytes,
            base,
            lexer,
            tok,
            last_end: 0,
            diags: Diagnostics::new(),
            errors: 0,
            depth: 0,
            body: Body::new(),
            caches: Caches::default(),
            spare_bodies: Vec::new(),
            names: ScopedNames::default(),
            result_names: Vec::new(),
            level: 0,
            forwards: Forwards::default(),
            blocks: Vec::new(),
            attr_aliases: FxHashMap::default(),
            loc_aliases: FxHashMap::default(),
            type_aliases: FxHashMap::default(),
            weight: Weight::default(),
            expanded: 0,
            late_aliases: None,
            distinct: FxHashMap::default(),
            open_types: Vec::new(),
            default_dialect: forms.default_dialect(OpName::ROOT),
            resources: Resources::default(),
            legacy: legacy::State::default(),
            deferred: Deferred::default(),
        }
    }

    /// Enables parallel reading of functions. The parse then fails on anything unusual, with a
    /// diagnostic that is not meant to be shown.
    pub(crate) fn with_threads(mut self) -> Self {
        self.deferred.enabled = true;
        self
    }

    /// Offset of the first byte among all sources of the context.
    pub(crate) fn base(&self) -> u32 {
        self.base
    }

    /// Nesting depth of the cursor.
    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    /// Sets the nesting depth of the cursor.
    pub(crate) fn set_depth(&mut self, depth: u32) {
        self.depth = depth;
    }

    pub(crate) fn into_diagnostics(self) -> Diagnostics {
        self.diags
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.errors != 0
    }

    /// The names of the results of the operations being read, outermost first, from number `first`
    /// on.
    pub fn result_names_from(&self, first: usize) -> &[ResultName<'s>] {
        &self.result_names[first..]
    }

    /// The number of errors reported.
    pub(crate) fn error_count(&self) -> usize {
        self.errors
    }

    /// The number of diagnostics reported.
    pub(crate) fn num_diagnostics(&self) -> usize {
        self.errors + self.diags.len()
    }

    /// Whether the error limit is reached.
    pub(crate) fn gave_up(&self) -> bool {
        self.errors >= MAX_ERRORS
    }
}

/// Tokens.
impl<'s> Parser<'s> {
    /// Moves to the next token.
    #[inline(never)]
    pub fn advance(&mut self) {
        self.last_end = self.tok.end;
        self.tok = self.lexer.next();
    }

    /// Makes the token at byte `pos` the current one.
    pub(crate) fn seek(&mut self, pos: u32) {
        self.lexer.seek(pos);
        self.tok = self.lexer.next();
    }

    /// Switches to the tokens of the older eras from here on.
    pub(crate) fn lex_legacy(&mut self) {
        self.lexer.legacy = true;
    }

    /// Makes a second cursor over the tokens after the current one.
    pub(crate) fn look_ahead(&self) -> Lexer<'s> {
        let mut ahead = self.lexer.clone();
        ahead.seek(self.tok.end);
        ahead
    }

    /// The bytes `start..end` of the source.
    #[inline]
    pub fn slice(&self, start: u32, end: u32) -> &'s [u8] {
        self.bytes.get(start as usize..end as usize).unwrap_or(b"")
    }

    #[inline]
    pub(crate) fn bytes(&self) -> &'s [u8] {
        self.bytes
    }

    /// The bytes of a token.
    #[inline]
    pub(crate) fn text_of(&self, token: Token) -> &'s [u8] {
        self.slice(token.start, token.end)
    }

    /// The bytes of the current token.
    #[inline]
    pub fn text(&self) -> &'s [u8] {
        self.text_of(self.tok)
    }

    /// The current token's bytes as a string: tokens other than strings and quoted symbols are
    /// ASCII.
    pub fn ascii(&self) -> &'s str {
        std::str::from_utf8(self.text()).unwrap_or("")
    }

    /// Whether the current token is of this kind.
    #[inline]
    pub fn at(&self, kind: Tok) -> bool {
        self.tok.kind == kind
    }

    /// Whether the current token is the keyword `word`.
    #[inline]
    pub fn at_keyword(&self, word: &str) -> bool {
        self.tok.kind == Tok::Bare && self.text() == word.as_bytes()
    }

    /// Takes the current token if it is of this kind.
    #[inline]
    pub fn eat(&mut self, kind: Tok) -> bool {
        let found = self.at(kind);
        if found {
            self.advance();
        }
        found
    }

    /// Takes the current token if it is this keyword.
    #[inline]
    pub fn eat_keyword(&mut self, word: &str) -> bool {
        let found = self.at_keyword(word);
        if found {
            self.advance();
        }
        found
    }

    /// Takes a token of this kind and returns it.
    #[inline]
    pub fn expect(&mut self, kind: Tok) -> PResult<Token> {
        let token = self.tok;
        if token.kind == kind {
            self.advance();
            Ok(token)
        } else {
            Err(self.expected(kind.describe()))
        }
    }

    /// Takes a token of this kind; the error expects `what`.
    pub(crate) fn expect_as(&mut self, kind: Tok, what: &str) -> PResult<Token> {
        let token = self.tok;
        if token.kind == kind {
            self.advance();
            Ok(token)
        } else {
            Err(self.expected(what))
        }
    }

    /// Takes this keyword.
    #[inline]
    pub fn expect_keyword(&mut self, word: &str) -> PResult<()> {
        if self.eat_keyword(word) {
            Ok(())
        } else {
            Err(self.expected_here(&format!("'{word}'")))
        }
    }

    /// Takes a bare identifier.
    pub fn expect_bare(&mut self, what: &str) -> PResult<&'s str> {
        if !self.at(Tok::Bare) {
            return Err(self.expected(what));
        }
        let text = self.ascii();
        self.advance();
        Ok(text)
    }

    /// Takes a string and undoes its escapes.
    pub(crate) fn string(&mut self, what: &str) -> PResult<std::borrow::Cow<'s, [u8]>> {
        if !self.at(Tok::String) {
            return Err(self.expected(what));
        }
        let inside = self.slice(self.tok.start + 1, self.tok.end - 1);
        self.advance();
        Ok(unescape(inside))
    }

    /// Takes a string that must be UTF-8.
    pub fn utf8_string(&mut self, what: &str) -> PResult<Ident> {
        let token = self.tok;
        let bytes = self.string(what)?;
        match std::str::from_utf8(&bytes) {
            Ok(text) => Ok(self.ctx.ident(text)),
            Err(_) => Err(self.error_on(token, format!("{what} must be UTF-8"))),
        }
    }

    /// Takes `@name` or `@"name"`.
    pub(crate) fn symbol_name(&mut self) -> PResult<Ident> {
        let token = self.expect(Tok::At)?;
        let text = self.slice(token.start + 1, token.end);
        let name = match text {
            [b'"', inside @ .., b'"'] => unescape(inside),
            plain => plain.into(),
        };
        match std::str::from_utf8(&name) {
            Ok(text) => Ok(self.ctx.ident(text)),
            Err(_) => Err(self.error_on(token, "a symbol's name must be UTF-8")),
        }
    }

    /// Parses items separated by commas up to `close`, which it takes too.
    pub fn list_until(
        &mut self,
        close: Tok,
        item: impl FnMut(&mut Self) -> PResult<()>,
    ) -> PResult<()> {
        let what = match close {
            Tok::RParen => "',' or ')'",
            Tok::RSquare => "',' or ']'",
            Tok::RBrace => "',' or '}'",
            Tok::Greater => "',' or '>'",
            _ => "',' or '#-}'",
        };
        self.items_until(close, what, item)
    }

    /// Runs `inner` one level deeper.
    pub fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> PResult<T>) -> PResult<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error(format!("nested more than {MAX_DEPTH} levels deep")));
        }
        self.depth += 1;
        self.weight.depth = self.weight.depth.max(self.depth);
        let result = inner(self);
        self.depth -= 1;
        result
    }
}
