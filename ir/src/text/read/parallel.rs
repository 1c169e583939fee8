//! Parallel reading of functions.
//!
//! The main thread skips the bodies of functions by matching braces and defers them to the end of
//! the region that the functions are in. There worker threads read them, each into the body that
//! its function owns: a body isolated from above depends on no other, except in ways that are
//! checked here. Anything out of the ordinary (an error, braces in an odd place, an alias defined
//! behind its use, an old spelling) makes the parse fail, and one thread reads the file from the
//! start, so that diagnostics come as they always do.

use super::alias::Alias;
use super::op_parser::Argument;
use super::parser::{PResult, Parser};
use crate::attr::{Attr, AttrKind};
use crate::body::{Body, OpId};
use crate::context::OpName;
use crate::hash::FxHashMap;
use crate::lexer::{Tok, Token};
use crate::location::Loc;
use crate::text::ParseFailed;
use crate::threads;
use crate::types::Type;

/// Size threshold in bytes: shorter files are read sooner than threads start.
pub(in crate::text) const MIN_SOURCE: usize = 1 << 16;

/// Deferred bodies.
#[derive(Default, Debug)]
pub(crate) struct Deferred<'s> {
    /// Whether bodies may be deferred at all.
    pub enabled: bool,
    /// The deferred bodies of the current region.
    list: Vec<DeferredBody<'s>>,
    /// Snapshot of the aliases when the first body was deferred.
    aliases: Option<Box<Aliases<'s>>>,
}

#[derive(Debug)]
struct Aliases<'s> {
    attrs: FxHashMap<&'s [u8], Alias<Attr>>,
    locs: FxHashMap<&'s [u8], Loc>,
    types: FxHashMap<&'s [u8], Alias<Type>>,
}

/// Body skipped by the main thread.
#[derive(Debug)]
struct DeferredBody<'s> {
    /// The operation that owns it; set once that is complete.
    owner: Option<OpId>,
    name: OpName,
    args: Vec<Argument<'s>>,
    brace: Token,
    /// Position after the closing brace.
    end: u32,
}

impl<'s> Parser<'s> {
    /// Skips `{ … }` and defers it, if that is allowed; `body` gets a placeholder region until
    /// then.
    pub(crate) fn defer_body(
        &mut self,
        body: &mut Body,
        args: &[Argument<'s>],
        name: OpName,
    ) -> bool {
        let alone = self.names.is_empty();
        if !self.deferred.enabled || self.legacy.on || !alone || !self.at(Tok::LBrace) {
            return false;
        }
        let brace = self.tok;
        let Some(end) = matching_brace(self.bytes(), brace.start as usize) else {
            return false;
        };
        if self.deferred.aliases.is_none() {
            self.deferred.aliases = Some(Box::new(Aliases {
                attrs: self.attr_aliases.clone(),
                locs: self.loc_aliases.clone(),
                types: self.type_aliases.clone(),
            }));
        }
        self.deferred.list.push(DeferredBody {
            owner: None,
            name,
            args: args.to_vec(),
            brace,
            end: end as u32,
        });
        let region = body.add_top_region();
        body.add_block(region, &[]);
        self.seek(end as u32);
        self.last_end = end as u32;
        true
    }

    /// Records the operation that owns the body skipped last.
    pub(crate) fn note_owner(&mut self, op: OpId) {
        if let Some(last) = self.deferred.list.last_mut() {
            last.owner.get_or_insert(op);
        }
    }

    /// Checks a new alias: bodies deferred before must not see it, unless it is a location's, which
    /// may be defined late.
    pub(crate) fn check_alias_order(&mut self, attr: Option<Attr>) -> PResult<()> {
        let is_location =
            attr.is_some_and(|attr| matches!(attr.kind(self.ctx), AttrKind::Location(_)));
        if self.deferred.aliases.is_some() && !is_location {
            return Err(self.give_up_threads());
        }
        Ok(())
    }

    /// Enters a region: puts the deferred bodies of the region around aside.
    pub(crate) fn enter_deferred(&mut self) -> Outer<'s> {
        Outer(std::mem::take(&mut self.deferred.list))
    }

    /// Leaves a region: reads its deferred bodies on worker threads, unless the file has errors
    /// anyway.
    pub(crate) fn leave_deferred(&mut self, outer: Outer<'s>) -> PResult<()> {
        let list = std::mem::replace(&mut self.deferred.list, outer.0);
        if list.is_empty() {
            return Ok(());
        }
        if self.has_errors() {
            return Err(ParseFailed);
        }
        let start = || self.worker();
        let bodies = threads::map(self.ctx.threads(), &list, start, Self::deferred_body);
        for (deferred, body) in list.iter().zip(bodies) {
            match (deferred.owner, body) {
                (Some(op), Some(body)) => self.body[op].set_isolated(body),
                _ => return Err(self.give_up_threads()),
            }
        }
        Ok(())
    }

    /// Makes a worker's parser for bodies of this file.
    fn worker(&self) -> Parser<'s> {
        let mut worker = Parser::new(self.ctx, self.bytes(), self.base(), self.options);
        if let Some(aliases) = &self.deferred.aliases {
            worker.attr_aliases.clone_from(&aliases.attrs);
            worker.loc_aliases.clone_from(&aliases.locs);
            worker.type_aliases.clone_from(&aliases.types);
        }
        worker.level = self.level;
        worker.set_depth(self.depth());
        worker
    }

    /// Reads a deferred body; `None` if anything about it is unusual.
    fn deferred_body(&mut self, deferred: &DeferredBody<'s>) -> Option<Body> {
        self.seek(deferred.brace.start);
        let mut body = Body::new();
        let read = self.isolated_region(&mut body, &deferred.args, deferred.name);
        let plain = read.is_ok()
            && !self.has_errors()
            && self.last_end == deferred.end
            && body.entry().is_some()
            && self.distinct.is_empty()
            && !self.legacy.on;
        plain.then_some(body)
    }

    /// Fails the parallel parse: the serial one reports the diagnostics.
    fn give_up_threads(&mut self) -> ParseFailed {
        self.error("this file is to be read by one thread")
    }
}

/// Deferred bodies of the region around, put aside.
#[derive(Debug)]
pub(crate) struct Outer<'s>(Vec<DeferredBody<'s>>);

/// Returns the position after the brace that closes the one at `start`, skipping strings and
/// comments.
fn matching_brace(bytes: &[u8], start: usize) -> Option<usize> {
    let mut depth = 0u32;
    let mut at = start;
    loop {
        let byte = *bytes.get(at)?;
        at += 1;
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 1 => return Some(at),
            b'}' => depth -= 1,
            b'"' => loop {
                let byte = *bytes.get(at)?;
                at += 1;
                match byte {
                    b'"' => break,
                    b'\\' => at += 1,
                    b'\n' => return None,
                    _ => {}
                }
            },
            b'/' if bytes.get(at) == Some(&b'/') => {
                at += bytes.get(at..)?.iter().position(|&b| b == b'\n')?;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_match_outside_strings_and_comments() {
        let end = |text: &str| matching_brace(text.as_bytes(), 0);
        assert_eq!(end("{a{}{b}} }"), Some(8));
        assert_eq!(end("{\"}\\\"}\"} "), Some(8));
        assert_eq!(end("{ // }\n}"), Some(8));
        assert_eq!(end("{ a / b }"), Some(9));
        assert_eq!(end("{{}"), None);
        assert_eq!(end("{\"\n\"}"), None);
    }
}
