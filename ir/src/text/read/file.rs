//! Parser of a whole file: alias definitions, resource sections, operations.

use super::parser::{PResult, Parser};
use super::region::BlockNames;
use crate::body::{BlockId, Body, OpId};
use crate::context::OpName;
use crate::diag::{Diagnostic, Diagnostics};
use crate::lexer::Tok;
use crate::location::{Loc, LocKind};
use crate::module::Module;

impl<'s> Parser<'s> {
    /// Reads the file.
    pub(crate) fn file(mut self, name: &str) -> Result<Module, Diagnostics> {
        self.detect_era();
        let region = self.body.add_top_region();
        let block = self.body.add_block(region, &[]);
        self.blocks.push(BlockNames::default());
        let outer = self.enter_deferred();
        if self.block_body(block, None).is_ok() && self.leave_deferred(outer).is_ok() {
            self.replace_placeholders();
        }
        if self.has_errors() {
            return Err(self.into_diagnostics());
        }
        let root = std::mem::take(&mut self.body);
        // The text has no location for the module around it.
        let loc = self.ctx.intern_loc(LocKind::FileRange {
            file: self.ctx.ident(name),
            start: (0, 0),
            end: (0, 0),
        });
        if let Err(problem) = complete_module(&root, block) {
            self.report(problem);
            return Err(self.into_diagnostics());
        }
        let mut module = into_module(root, block, loc);
        module.metadata = self.resources.print(self.ctx);
        Ok(module)
    }

    /// Reads one alias definition, resource section or operation.
    pub(crate) fn top_level_item(&mut self, block: BlockId) -> PResult<()> {
        match self.tok.kind {
            Tok::Hash => self.attr_alias_definition(),
            Tok::Exclaim => self.type_alias_definition(),
            Tok::MetadataBegin => {
                let mut resources = std::mem::take(&mut self.resources);
                let result = self.resource_section(&mut resources);
                self.resources = resources;
                result
            }
            _ if self.at_relation() => self.relation_definition(),
            _ => self.operation(block).map(|_| ()),
        }
    }

    fn attr_alias_definition(&mut self) -> PResult<()> {
        let token = self.expect(Tok::Hash)?;
        let name = self.slice(token.start + 1, token.end);
        if name.contains(&b'.') {
            let message = "attribute names with a '.' are reserved for dialect-defined names";
            return Err(self.error_on(token, message));
        }
        let read_ahead = self
            .late_aliases
            .as_ref()
            .is_some_and(|late| late.get(name) == Some(&token.start));
        if self.is_attr_alias(name) && !read_ahead {
            let shown = String::from_utf8_lossy(name);
            let message = format!("redefinition of attribute alias id '{shown}'");
            return Err(self.error_on(token, message));
        }
        if self.plain_alias_definition(name, token.end) {
            return Ok(());
        }
        self.expect_as(Tok::Equal, "'=' in attribute alias definition")?;
        let attr = self.alias(|p| p.attribute(None))?;
        self.attr_aliases.insert(name, attr);
        self.check_alias_order(Some(attr.value()))
    }

    fn type_alias_definition(&mut self) -> PResult<()> {
        let token = self.expect(Tok::Exclaim)?;
        let name = self.slice(token.start + 1, token.end);
        if name.contains(&b'.') && !self.dotted_alias() {
            let message = "type names with a '.' are reserved for dialect-defined names";
            return Err(self.error_on(token, message));
        }
        if self.type_aliases.contains_key(name) {
            let shown = String::from_utf8_lossy(name);
            let message = format!("redefinition of type alias id '{shown}'");
            return Err(self.error_on(token, message));
        }
        self.expect_as(Tok::Equal, "'=' in type alias definition")?;
        self.eat_type_keyword();
        let ty = self.alias(Self::ty)?;
        self.type_aliases.insert(name, ty);
        self.check_alias_order(None)
    }
}

/// Returns the only operation of a file.
fn only(root: &Body, block: BlockId) -> Option<OpId> {
    let block = &root[block];
    block.first().filter(|_| block.first() == block.last())
}

/// Checks that a module that is the whole file has its region, and that its block: [`Module`]
/// relies on both.
fn complete_module(root: &Body, block: BlockId) -> Result<(), Diagnostic> {
    let Some(op) = outermost(root, block) else {
        return Ok(());
    };
    let blocks = root[op].isolated().and_then(|body| {
        let [region] = body.regions() else {
            return None;
        };
        Some(body[*region].blocks.len())
    });
    let message = match blocks {
        Some(1) => return Ok(()),
        Some(2..) => "'builtin.module' op expects region #0 to have 0 or 1 blocks",
        Some(_) => {
            "'builtin.module' op region #0 ('bodyRegion') failed to verify constraint: region \
             with 1 blocks"
        }
        None => "'builtin.module' op requires one region",
    };
    Err(Diagnostic::error(root[op].loc, message))
}

/// Returns the module that is the only operation in `root`.
pub(crate) fn outermost(root: &Body, block: BlockId) -> Option<OpId> {
    only(root, block).filter(|&op| root[op].name == OpName::ROOT)
}

/// Returns the module in `root` if it is alone there, else one around everything.
pub(crate) fn into_module(root: Body, block: BlockId, loc: Loc) -> Module {
    match outermost(&root, block) {
        Some(op) => Module::from_root(root, op),
        None => {
            let mut module = Module::new(loc);
            *module.body_mut() = root;
            module
        }
    }
}
