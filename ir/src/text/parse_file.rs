//! A whole file: alias definitions, resource sections, operations.

use super::lexer::Tok;
use super::parse_region::BlockNames;
use super::parser::{PResult, Parser};
use crate::body::{BlockId, Body};
use crate::diag::Diagnostics;
use crate::dialect::builtin;
use crate::location::Loc;
use crate::module::Module;

impl<'s> Parser<'s> {
    /// Reads everything.
    pub(crate) fn file(mut self) -> Result<Module, Diagnostics> {
        self.detect_era();
        let region = self.body.add_top_region();
        let block = self.body.add_block(region, &[]);
        self.blocks.push(BlockNames::default());
        let outer = self.enter_deferred();
        if self.block_body(block, None).is_ok() && self.leave_deferred(outer).is_ok() {
            self.settle_forwards();
        }
        if self.has_errors() {
            return Err(self.into_diagnostics());
        }
        let root = std::mem::take(&mut self.body);
        let metadata = self.metadata.join(&b"\n"[..]);
        let mut module = into_module(root, block, self.loc(0));
        module.metadata = String::from_utf8_lossy(&metadata).into_owned();
        Ok(module)
    }

    /// One alias definition, resource section or operation.
    pub(crate) fn top_level_item(&mut self, block: BlockId) -> PResult<()> {
        match self.tok.kind {
            Tok::Hash => self.attr_alias_definition(),
            Tok::Exclaim => self.type_alias_definition(),
            Tok::MetadataBegin => self.metadata_section(),
            _ if self.at_relation() => self.relation_definition(),
            _ => self.operation(block).map(|_| ()),
        }
    }

    fn attr_alias_definition(&mut self) -> PResult<()> {
        let token = self.expect(Tok::Hash)?;
        let name = self.slice(token.start + 1, token.end);
        if name.contains(&b'.') {
            return Err(self.error_on(token, "an alias cannot have a `.` in its name"));
        }
        let read_ahead = self
            .late_aliases
            .as_ref()
            .is_some_and(|late| late.get(name) == Some(&token.start));
        if self.attr_aliases.contains_key(name) && !read_ahead {
            return Err(self.error_on(token, "this alias is defined already"));
        }
        self.expect(Tok::Equal)?;
        let attr = self.alias(|p| p.attribute(None))?;
        self.attr_aliases.insert(name, attr);
        self.check_alias_order(Some(attr.value()))
    }

    fn type_alias_definition(&mut self) -> PResult<()> {
        let token = self.expect(Tok::Exclaim)?;
        let name = self.slice(token.start + 1, token.end);
        if name.contains(&b'.') && !self.dotted_alias() {
            return Err(self.error_on(token, "an alias cannot have a `.` in its name"));
        }
        if self.type_aliases.contains_key(name) {
            return Err(self.error_on(token, "this alias is defined already"));
        }
        self.expect(Tok::Equal)?;
        self.eat_type_keyword();
        let ty = self.alias(Self::ty)?;
        self.type_aliases.insert(name, ty);
        self.check_alias_order(None)
    }

    /// `{-# … #-}`, kept as it stands.
    fn metadata_section(&mut self) -> PResult<()> {
        let open = self.expect(Tok::MetadataBegin)?;
        loop {
            match self.tok.kind {
                Tok::MetadataEnd => break,
                Tok::Eof => return Err(self.error_on(open, "`{-#` is not closed by `#-}`")),
                Tok::Error(why) => return Err(self.error(why.why())),
                _ => self.advance(),
            }
        }
        let text = self.slice(open.start, self.tok.end);
        self.advance();
        self.metadata.push(text);
        Ok(())
    }
}

/// The module in `root` if it is alone there, else one around everything.
pub(crate) fn into_module(mut root: Body, block: BlockId, loc: Loc) -> Module {
    if let (Some(first), true) = (
        root[block].first(),
        root[block].first() == root[block].last(),
    ) && root[first].name == builtin::MODULE
    {
        if let Some(body) = root[first].isolated_mut()
            && body.regions().is_empty()
        {
            body.add_top_region();
        }
        if let Some(body) = root[first].isolated_mut()
            && body.entry().is_none()
        {
            let region = body.regions()[0];
            body.add_block(region, &[]);
        }
        return Module::from_root(root, first);
    }
    let mut module = Module::new(loc);
    *module.body_mut() = root;
    module
}
