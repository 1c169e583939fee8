//! Parser of regions and blocks.

use super::lists::Lists;
use super::op_parser::Argument;
use super::parser::{PResult, Parser};
use super::suggest;
use super::ty::as_utf8;
use crate::body::{BlockId, Body, IdList, RegionId};
use crate::context::OpName;
use crate::diag::Diagnostic;
use crate::hash::FxHashMap;
use crate::lexer::{Tok, Token};

/// Block symbol table of a region being parsed.
#[derive(Default, Debug)]
pub(crate) struct BlockNames<'s> {
    region: Option<RegionId>,
    by_name: FxHashMap<&'s [u8], NamedBlock>,
    /// Blocks in the order of their labels, where that differs from the order of creation.
    order: IdList<BlockId>,
    out_of_order: bool,
}

#[derive(Clone, Copy, Debug)]
struct NamedBlock {
    id: BlockId,
    pos: u32,
    defined: bool,
}

impl<'s> Parser<'s> {
    /// Parses `{ … }` into a detached region of the current body. `args` are the entry block's
    /// arguments when the operation's own form spells them.
    pub(crate) fn region(&mut self, args: &[Argument<'s>], name: OpName) -> PResult<RegionId> {
        self.region_with(args, self.forms.default_dialect(name))
    }

    /// As [`region`](Self::region), with a given default dialect.
    pub(crate) fn region_with(
        &mut self,
        args: &[Argument<'s>],
        dialect: &'static str,
    ) -> PResult<RegionId> {
        let brace = self.expect_as(Tok::LBrace, "'{' to begin a region")?;
        let before = self.error_count();
        self.nested(|p| {
            let region = p.body.new_region();
            let mark = p.names.enter();
            p.blocks.push(BlockNames {
                region: Some(region),
                ..BlockNames::default()
            });
            let dialect = std::mem::replace(&mut p.default_dialect, dialect);
            let result = p.region_body(region, args, brace);
            p.default_dialect = dialect;
            p.names.leave(mark);
            if let Some(blocks) = p.blocks.pop() {
                // After an error, a missing block may be in the text that was skipped.
                if p.error_count() == before {
                    p.check_blocks_defined(&blocks);
                }
                if blocks.out_of_order {
                    p.body.order_blocks(region, blocks.order);
                }
            }
            result.map(|()| region)
        })
    }

    fn region_body(
        &mut self,
        region: RegionId,
        args: &[Argument<'s>],
        brace: Token,
    ) -> PResult<()> {
        if args.is_empty() && self.eat(Tok::RBrace) {
            return Ok(());
        }
        if !self.at(Tok::Caret) || !args.is_empty() {
            let block = self.body.add_block(region, &[]);
            if let Some(names) = self.blocks.last_mut() {
                names.order.push(block);
            }
            self.add_arguments(block, args);
            if self.at(Tok::Caret) {
                let message = "invalid block name in region with named arguments";
                return Err(self.error(message));
            }
            self.block_body(block, Some(brace))?;
        }
        while self.at(Tok::Caret) {
            let block = self.block_label()?;
            self.block_body(block, Some(brace))?;
        }
        self.close_region(brace)
    }

    fn close_region(&mut self, brace: Token) -> PResult<()> {
        if self.eat(Tok::RBrace) {
            return Ok(());
        }
        let what = "operation name in quotes or '}' at the end of the region";
        let diagnostic = self
            .missing(what)
            .with_hint(self.loc(brace.start), "the region starts here");
        Err(self.report(diagnostic))
    }

    /// Appends arguments that the operation's form spells to a block.
    pub(crate) fn add_arguments(&mut self, block: BlockId, args: &[Argument<'s>]) {
        for arg in args {
            let loc = arg.loc.unwrap_or_else(|| self.loc(arg.name.pos));
            let value = self.body.add_argument(block, arg.ty, loc);
            self.define_argument(arg.name.name, arg.name.pos, value);
        }
    }

    /// Parses operations up to the next block or the end of the region; recovers from errors.
    pub(crate) fn block_body(&mut self, block: BlockId, brace: Option<Token>) -> PResult<()> {
        loop {
            match self.tok.kind {
                Tok::RBrace | Tok::Caret if brace.is_some() => return Ok(()),
                Tok::Eof => return Ok(()),
                _ => {}
            }
            let start = self.tok.start;
            let result = if brace.is_none() {
                self.top_level_item(block)
            } else {
                self.operation(block).map(|_| ())
            };
            if result.is_err() {
                if self.gave_up() {
                    return Err(crate::text::ParseFailed);
                }
                if self.tok.start == start {
                    self.advance();
                }
                self.resynchronise(start);
                // Outside all regions a stray closing brace is part of the failed operation.
                while brace.is_none() && self.at(Tok::RBrace) {
                    self.advance();
                    self.resynchronise(self.tok.start);
                }
            }
        }
    }

    /// `^name(%a: type, …):`
    fn block_label(&mut self) -> PResult<BlockId> {
        let token = self.expect(Tok::Caret)?;
        let name = self.slice(token.start, token.end);
        let block = self.define_block(name, token)?;
        if self.eat(Tok::LParen) {
            self.items_until(Tok::RParen, "')'", |p| {
                let name = p.operand()?;
                p.expect_as(Tok::Colon, "':' and type for SSA operand")?;
                let ty = p.ty()?;
                let loc = p.optional_loc()?.unwrap_or_else(|| p.loc(name.pos));
                let value = p.body.add_argument(block, ty, loc);
                p.define(name.name, name.pos, value, 1);
                Ok(())
            })?;
        }
        self.expect_as(Tok::Colon, "':' after block name")?;
        Ok(block)
    }

    fn define_block(&mut self, name: &'s [u8], token: Token) -> PResult<BlockId> {
        let Some(names) = self.blocks.last_mut() else {
            return Err(self.error_on(token, "a block cannot be named here"));
        };
        let Some(region) = names.region else {
            return Err(self.error_on(token, "a block cannot be named here"));
        };
        if let Some(named) = names.by_name.get_mut(name) {
            if named.defined {
                let earlier = named.pos;
                let shown = String::from_utf8_lossy(name);
                let diagnostic = self
                    .diagnostic(token, format!("redefinition of block '{shown}'"))
                    .with_hint(self.loc(earlier), "the earlier definition is here");
                return Err(self.report(diagnostic));
            }
            named.defined = true;
            names.out_of_order = true;
            names.order.push(named.id);
            return Ok(named.id);
        }
        let id = self.body.add_block(region, &[]);
        names.order.push(id);
        let named = NamedBlock {
            id,
            pos: token.start,
            defined: true,
        };
        names.by_name.insert(name, named);
        Ok(id)
    }

    /// Parses a use of a block as a successor.
    pub(crate) fn successor(&mut self) -> PResult<BlockId> {
        let token = self.expect(Tok::Caret)?;
        let name = self.slice(token.start, token.end);
        let Some(names) = self.blocks.last_mut() else {
            return Err(self.error_on(token, "there are no blocks to branch to here"));
        };
        if let Some(named) = names.by_name.get(name) {
            let (id, is_entry) = (named.id, names.order.first() == Some(&named.id));
            if is_entry && self.legacy.on {
                let message = "a branch cannot lead to the first block of its region";
                return Err(self.error_on(token, message));
            }
            return Ok(id);
        }
        let Some(region) = names.region else {
            return Err(self.error_on(token, "there are no blocks to branch to here"));
        };
        let id = self.body.add_block(region, &[]);
        let named = NamedBlock {
            id,
            pos: token.start,
            defined: false,
        };
        names.by_name.insert(name, named);
        Ok(id)
    }

    fn check_blocks_defined(&mut self, blocks: &BlockNames<'s>) {
        let mut missing: Vec<_> = blocks.by_name.iter().filter(|(_, b)| !b.defined).collect();
        missing.sort_by_key(|(_, block)| block.pos);
        for (name, block) in missing {
            let shown = String::from_utf8_lossy(name);
            let diagnostic = Diagnostic::error(
                self.loc(block.pos),
                format!("reference to an undefined block '{shown}'"),
            )
            .with_len(name.len() as u32);
            let defined = blocks.by_name.iter().filter(|(_, b)| b.defined);
            let known = defined.filter_map(|(&name, _)| as_utf8(name));
            let diagnostic = diagnostic.with_near("", suggest::nearest(&shown, known));
            self.report(diagnostic);
        }
    }

    /// Parses the region of an isolated operation, in a body of its own.
    pub(crate) fn isolated_region(
        &mut self,
        body: &mut Body,
        args: &[Argument<'s>],
        name: OpName,
    ) -> PResult<()> {
        let mut room = self.spare_bodies.pop().unwrap_or_default();
        room.adopt(body);
        let outer = std::mem::replace(&mut self.body, room);
        let forwards = std::mem::take(&mut self.forwards);
        let deferred = self.enter_deferred();
        self.level += 1;
        let result = self.region(args, name).map(|region| {
            self.body.attach_top_region(region);
        });
        let result = self.leave_deferred(deferred).and(result);
        // After an error the body is dropped anyway.
        if result.is_ok() {
            self.replace_placeholders();
        }
        self.level -= 1;
        self.forwards = forwards;
        let mut room = std::mem::replace(&mut self.body, outer);
        *body = room.extract();
        self.spare_bodies.push(room);
        result
    }
}
