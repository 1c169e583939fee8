//! Operations in generic form, regions, blocks, and the values they define.

use std::collections::HashMap;

use smallvec::SmallVec;

use super::lexer::{Tok, Token};
use super::op_parser::{Argument, OpParser, Operand};
use super::parser::{PResult, Parser};
use super::{OpFacts, suggest};
use crate::attr::{AttrDict, NamedAttr};
use crate::body::{BlockId, Body, OpId, RegionId, Regions, Value};
use crate::context::Ident;
use crate::diag::Diagnostic;
use crate::dialect;
use crate::location::Loc;
use crate::op::{Assembly, OpName};
use crate::types::Type;

/// Values used before their definition, in one isolated region.
#[derive(Default, Debug)]
pub(crate) struct Forwards<'s> {
    by_name: HashMap<(&'s [u8], u32), u32>,
    list: Vec<Forward<'s>>,
}

#[derive(Debug)]
struct Forward<'s> {
    name: &'s [u8],
    number: u32,
    pos: u32,
    ty: Type,
    resolved: Option<Value>,
}

/// The named blocks of a region being parsed.
#[derive(Default, Debug)]
pub(crate) struct BlockNames<'s> {
    region: Option<RegionId>,
    by_name: HashMap<&'s [u8], NamedBlock>,
    /// Blocks in the order of their labels, where that is not the order in
    /// which they were made.
    order: Vec<BlockId>,
    out_of_order: bool,
}

#[derive(Clone, Copy, Debug)]
struct NamedBlock {
    id: BlockId,
    pos: u32,
    defined: bool,
}

/// A name on the left of `=`: `%name` or `%name:count`.
struct ResultName<'s> {
    name: &'s [u8],
    count: u32,
    pos: u32,
}

/// The dialect that unqualified names belong to directly inside an operation.
pub(crate) fn default_dialect(name: OpName) -> &'static str {
    match name {
        dialect::func::FUNC => "func",
        dialect::builtin::MODULE => "builtin",
        _ => "",
    }
}

impl<'s> Parser<'s> {
    /// One operation, put at the end of `block`.
    pub(crate) fn operation(&mut self, block: BlockId) -> PResult<OpId> {
        let mut names: SmallVec<[ResultName<'s>; 2]> = SmallVec::new();
        let result = self.operation_with_names(block, &mut names);
        if result.is_err() {
            // Uses of what this operation would have defined are no news.
            for name in names {
                let _ = self
                    .names
                    .define(name.name, None, name.count, name.pos, self.level);
            }
        }
        result
    }

    fn operation_with_names(
        &mut self,
        block: BlockId,
        names: &mut SmallVec<[ResultName<'s>; 2]>,
    ) -> PResult<OpId> {
        let mut wanted = 0usize;
        if self.at(Tok::Percent) {
            loop {
                let name = self.result_name()?;
                wanted += name.count as usize;
                names.push(name);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
            self.expect(Tok::Equal)?;
        }
        let token = self.tok;
        let op = match token.kind {
            Tok::String => self.generic_operation()?,
            Tok::Bare => self.custom_operation(wanted)?,
            _ => return Err(self.expected("an operation")),
        };
        if !names.is_empty() {
            self.define_results(op, token, names)?;
        }
        self.body.append(block, op);
        Ok(op)
    }

    fn result_name(&mut self) -> PResult<ResultName<'s>> {
        let token = self.expect(Tok::Percent)?;
        let name = self.slice(token.start + 1, token.end);
        let mut count = 1;
        if self.eat(Tok::Colon) {
            let number = self.tok;
            count = self.small_integer("the number of results")?;
            if count == 0 {
                return Err(self.error_on(number, "a name stands for at least one result"));
            }
        }
        Ok(ResultName {
            name,
            count,
            pos: token.start,
        })
    }

    /// Names the results of a parsed operation.
    fn define_results(&mut self, op: OpId, token: Token, names: &[ResultName<'s>]) -> PResult<()> {
        let wanted: u64 = names.iter().map(|n| u64::from(n.count)).sum();
        let have = self.body[op].num_results();
        if wanted != have as u64 {
            let message = match have {
                0 => "an operation without results cannot be given a name".to_owned(),
                _ => format!("this operation has {have} result(s), but {wanted} are named"),
            };
            return Err(self.error_on(token, message));
        }
        let mut index = 0;
        for name in names {
            let first = self.body[op].result(index);
            self.define(name.name, name.pos, first, name.count);
            index += name.count as usize;
        }
        Ok(())
    }

    /// Lets `name` stand for `count` consecutive values, and resolves the uses
    /// that came before.
    pub(crate) fn define(&mut self, name: &'s [u8], pos: u32, first: Value, count: u32) {
        if let Err(earlier) = self.names.define(name, Some(first), count, pos, self.level) {
            let shown = String::from_utf8_lossy(name);
            let diagnostic =
                Diagnostic::error(self.loc(pos), format!("redefinition of value `%{shown}`"))
                    .with_len(name.len() as u32 + 1)
                    .with_note(self.loc(earlier.pos), "the earlier definition is here");
            self.report(diagnostic);
            return;
        }
        if !self.forwards.by_name.is_empty() {
            self.resolve_forwards(name, pos, first, count);
        }
    }

    fn resolve_forwards(&mut self, name: &'s [u8], pos: u32, first: Value, count: u32) {
        for number in 0..count {
            let Some(index) = self.forwards.by_name.remove(&(name, number)) else {
                continue;
            };
            let value = first.offset(number);
            let forward = &mut self.forwards.list[index as usize];
            forward.resolved = Some(value);
            let (expected, used_at) = (forward.ty, forward.pos);
            let ty = self.body.ty(value);
            if ty != expected {
                self.type_conflict(name, ty, expected, used_at, pos);
            }
        }
    }

    fn type_conflict(&mut self, name: &[u8], ty: Type, expected: Type, used: u32, defined: u32) {
        let shown = String::from_utf8_lossy(name);
        let message = format!(
            "value `%{shown}` has type `{}`, but `{}` is expected here",
            super::type_string(self.ctx, ty),
            super::type_string(self.ctx, expected)
        );
        let diagnostic = Diagnostic::error(self.loc(used), message)
            .with_len(name.len() as u32 + 1)
            .with_note(self.loc(defined), "it is defined here");
        self.report(diagnostic);
    }

    /// The value that a use stands for. A name not yet defined is taken as a
    /// forward reference of this type.
    pub(crate) fn resolve(&mut self, operand: Operand<'s>, ty: Type) -> PResult<Value> {
        let Operand { name, number, pos } = operand;
        let Some(entry) = self.names.find(name).copied() else {
            return Ok(self.forward(operand, ty));
        };
        let Some(first) = entry.first else {
            return Ok(self.poisoned(operand, ty));
        };
        let shown = String::from_utf8_lossy(name);
        if entry.level != self.level {
            let diagnostic = Diagnostic::error(
                self.loc(pos),
                format!(
                    "`%{shown}` is defined outside the isolated region around this use; \
                     pass it in as an argument"
                ),
            )
            .with_len(name.len() as u32 + 1)
            .with_note(self.loc(entry.pos), "it is defined here");
            return Err(self.report(diagnostic));
        }
        if number >= entry.count {
            let diagnostic = Diagnostic::error(
                self.loc(pos),
                format!(
                    "`%{shown}#{number}`: the name stands for {} value(s) only",
                    entry.count
                ),
            )
            .with_len(name.len() as u32 + 1)
            .with_note(self.loc(entry.pos), "it is defined here");
            return Err(self.report(diagnostic));
        }
        let value = first.offset(number);
        if let Some(actual) = self.forwards.type_or(value, || self.body.ty(value))
            && actual != ty
        {
            self.type_conflict(name, actual, ty, pos, entry.pos);
        }
        Ok(value)
    }

    fn forward(&mut self, operand: Operand<'s>, ty: Type) -> Value {
        let Operand { name, number, pos } = operand;
        if let Some(&index) = self.forwards.by_name.get(&(name, number)) {
            let earlier = &self.forwards.list[index as usize];
            if earlier.ty != ty {
                let (expected, at) = (earlier.ty, earlier.pos);
                self.type_conflict(name, ty, expected, pos, at);
            }
            return Value::placeholder(index);
        }
        let index = self.forwards.list.len() as u32;
        self.forwards.by_name.insert((name, number), index);
        self.forwards.list.push(Forward {
            name,
            number,
            pos,
            ty,
            resolved: None,
        });
        Value::placeholder(index)
    }

    /// A stand-in for a value whose definition was refused. The input is
    /// refused as a whole then, so that the stand-in never leaves the parser.
    fn poisoned(&mut self, operand: Operand<'s>, ty: Type) -> Value {
        let index = self.forwards.list.len() as u32;
        self.forwards.list.push(Forward {
            name: operand.name,
            number: operand.number,
            pos: operand.pos,
            ty,
            resolved: None,
        });
        Value::placeholder(index)
    }

    /// The type of a value, which may not be defined yet.
    pub(crate) fn value_type(&self, value: Value) -> Type {
        match value.placeholder_index() {
            Some(index) => self.forwards.list[index as usize].ty,
            None => self.body.ty(value),
        }
    }

    /// `%name` or `%name#2`
    pub(crate) fn operand(&mut self) -> PResult<Operand<'s>> {
        let token = self.expect(Tok::Percent)?;
        let name = self.slice(token.start + 1, token.end);
        let mut number = 0;
        if self.at(Tok::Hash) && self.tok.start == token.end {
            let hash = self.tok;
            let digits = std::str::from_utf8(self.slice(hash.start + 1, hash.end)).unwrap_or("");
            number = match digits.parse() {
                Ok(number) => number,
                Err(_) => return Err(self.error("expected a result number after `#`")),
            };
            self.advance();
        }
        Ok(Operand {
            name,
            number,
            pos: token.start,
        })
    }

    // ---- operations ----

    fn generic_operation(&mut self) -> PResult<OpId> {
        let token = self.tok;
        let name_text = self.utf8_string("an operation's name")?;
        let text = self.ctx.str(name_text);
        if text.is_empty() {
            return Err(self.error_on(token, "an operation's name cannot be empty"));
        }
        let name = self.ctx.op_name(text);
        if name.def().is_none() {
            self.check_unregistered(token, text)?;
        }
        let mut op = OpParser::new(self, name, token);
        op.generic_form()?;
        op.finish()
    }

    fn custom_operation(&mut self, wanted: usize) -> PResult<OpId> {
        let token = self.tok;
        let text = self.ascii();
        let name = if text.contains('.') {
            self.ctx.find_op(text)
        } else if self.default_dialect.is_empty() {
            None
        } else {
            self.ctx
                .find_op(&format!("{}.{text}", self.default_dialect))
        };
        let Some((name, def)) = name.and_then(|name| Some((name, name.def()?))) else {
            return Err(self.unknown_operation(token, text));
        };
        self.advance();
        let mut op = OpParser::new(self, name, token);
        op.wanted = wanted;
        match def.assembly {
            Assembly::Custom { parse, .. } => parse(&mut op)?,
            Assembly::Declared(_) => op.declared_form(def)?,
            Assembly::Generic => {
                let message = format!(
                    "`{}` has no custom form here; write it as \"{}\"(…)",
                    def.name, def.name
                );
                return Err(self.error_on(token, message));
            }
        }
        op.finish()
    }

    /// An operation of this name is not known: may it stand in generic form?
    fn check_unregistered(&mut self, token: Token, name: &str) -> PResult<()> {
        if self.options.allow_unregistered {
            return Ok(());
        }
        let hint = suggest::operation(name)
            .map(|near| format!("; did you mean `{near}`?"))
            .unwrap_or_else(|| {
                "; operations of unknown dialects pass with --allow-unregistered-dialect".to_owned()
            });
        Err(self.error_on(token, format!("unknown operation `{name}`{hint}")))
    }

    fn unknown_operation(&mut self, token: Token, text: &str) -> super::ParseFailed {
        let hint = suggest::operation(text)
            .map(|near| format!("; did you mean `{near}`?"))
            .unwrap_or_default();
        self.error_on(token, format!("unknown operation `{text}`{hint}"))
    }

    // ---- regions ----

    /// `{ … }` in the body at hand. `args` are the entry block's arguments
    /// when the operation's own form spells them. The region belongs to
    /// nothing yet.
    pub(crate) fn region(&mut self, args: &[Argument<'s>], name: OpName) -> PResult<RegionId> {
        let brace = self.expect(Tok::LBrace)?;
        self.nested(|p| {
            let region = p.body.new_region();
            let mark = p.names.enter();
            p.blocks.push(BlockNames {
                region: Some(region),
                ..BlockNames::default()
            });
            let dialect = std::mem::replace(&mut p.default_dialect, default_dialect(name));
            let result = p.region_body(region, args, brace);
            p.default_dialect = dialect;
            p.names.leave(mark);
            if let Some(blocks) = p.blocks.pop() {
                p.check_blocks_defined(&blocks);
                if blocks.out_of_order {
                    p.body.order_blocks(region, &blocks.order);
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
                let caret = self.tok;
                self.error_on(
                    caret,
                    "the first block of this region is not named: its arguments stand before `{`",
                );
                return Err(super::ParseFailed);
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
        let diagnostic = self
            .diagnostic(self.tok, "expected `}` at the end of the region")
            .with_note(self.loc(brace.start), "the region starts here");
        Err(self.report(diagnostic))
    }

    /// Appends arguments that the operation's form spells to a block.
    pub(crate) fn add_arguments(&mut self, block: BlockId, args: &[Argument<'s>]) {
        for arg in args {
            let loc = arg.loc.unwrap_or_else(|| self.loc(arg.name.pos));
            let value = self.body.add_argument(block, arg.ty, loc);
            self.define(arg.name.name, arg.name.pos, value, 1);
        }
    }

    /// Operations up to the next block or the end of the region; recovers
    /// from errors.
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
                    return Err(super::ParseFailed);
                }
                if self.tok.start == start {
                    self.advance();
                }
                self.resynchronise();
                if brace.is_none() && self.at(Tok::RBrace) {
                    self.advance();
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
            self.list_until(Tok::RParen, |p| {
                let name = p.operand()?;
                p.expect(Tok::Colon)?;
                let ty = p.ty()?;
                let loc = p.optional_loc()?.unwrap_or_else(|| p.loc(name.pos));
                let value = p.body.add_argument(block, ty, loc);
                p.define(name.name, name.pos, value, 1);
                Ok(())
            })?;
        }
        self.expect(Tok::Colon)?;
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
                    .diagnostic(token, format!("redefinition of block `{shown}`"))
                    .with_note(self.loc(earlier), "the earlier definition is here");
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

    /// A use of a block as a successor.
    pub(crate) fn successor(&mut self) -> PResult<BlockId> {
        let token = self.expect(Tok::Caret)?;
        let name = self.slice(token.start, token.end);
        let Some(names) = self.blocks.last_mut() else {
            return Err(self.error_on(token, "there are no blocks to branch to here"));
        };
        if let Some(named) = names.by_name.get(name) {
            return Ok(named.id);
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
                format!("block `{shown}` is not defined in this region"),
            )
            .with_len(name.len() as u32);
            self.report(diagnostic);
        }
    }

    /// The region of an isolated operation, in a body of its own.
    pub(crate) fn isolated_region(
        &mut self,
        body: &mut Body,
        args: &[Argument<'s>],
        name: OpName,
    ) -> PResult<()> {
        std::mem::swap(&mut self.body, body);
        let forwards = std::mem::take(&mut self.forwards);
        self.level += 1;
        let result = self.region(args, name).map(|region| {
            self.body.attach_top_region(region);
        });
        // With errors about, the body is dropped anyway.
        if result.is_ok() {
            self.settle_forwards();
        }
        self.level -= 1;
        self.forwards = forwards;
        std::mem::swap(&mut self.body, body);
        result
    }

    /// Replaces the placeholders of this isolated region by the values they
    /// stand for, and reports those that were never defined.
    pub(crate) fn settle_forwards(&mut self) {
        if self.forwards.list.is_empty() {
            return;
        }
        let list = std::mem::take(&mut self.forwards.list);
        let undefined = std::mem::take(&mut self.forwards.by_name);
        let mut positions: Vec<_> = undefined.values().copied().collect();
        positions.sort_unstable();
        for index in positions {
            let forward = &list[index as usize];
            let mut shown = String::from_utf8_lossy(forward.name).into_owned();
            if forward.number > 0 {
                shown.push_str(&format!("#{}", forward.number));
            }
            let diagnostic = Diagnostic::error(
                self.loc(forward.pos),
                format!("use of undefined value `%{shown}`"),
            )
            .with_len(shown.len() as u32 + 1);
            self.report(diagnostic);
        }
        if self.has_errors() {
            return;
        }
        self.body.replace_values(|value| {
            let resolved = value
                .placeholder_index()
                .and_then(|index| list[index as usize].resolved);
            resolved.unwrap_or(value)
        });
    }
}

impl Forwards<'_> {
    /// The type of a placeholder, else what `defined` says; `None` never
    /// happens for values the parser made.
    fn type_or(&self, value: Value, defined: impl FnOnce() -> Type) -> Option<Type> {
        match value.placeholder_index() {
            Some(index) => self.list.get(index as usize).map(|f| f.ty),
            None => Some(defined()),
        }
    }
}

/// Moves inherent attributes that stood in the discardable dictionary to the
/// properties; gives back one that stands in both.
pub(crate) fn split_attributes(
    facts: &OpFacts,
    properties: &mut SmallVec<[NamedAttr; 4]>,
    attributes: &mut SmallVec<[NamedAttr; 4]>,
) -> Option<Ident> {
    let mut clash = None;
    attributes.retain(|&mut (name, value)| {
        if !facts.inherent.contains(&name) {
            return true;
        }
        if properties.iter().any(|p| p.0 == name) {
            clash = Some(name);
        }
        properties.push((name, value));
        false
    });
    clash
}

/// What remains of a custom or generic form once everything is parsed.
pub(crate) struct Finished {
    pub name: OpName,
    pub loc: Loc,
    pub properties: AttrDict,
    pub attributes: AttrDict,
    pub operands: SmallVec<[Value; 4]>,
    pub results: SmallVec<[Type; 2]>,
    pub successors: SmallVec<[BlockId; 2]>,
    pub regions: SmallVec<[RegionId; 2]>,
    pub isolated: Option<Box<Body>>,
}

impl Finished {
    /// Makes the operation in `body`.
    pub(crate) fn create(self, body: &mut Body) -> OpId {
        let op = body.create_op(crate::OpState {
            name: self.name,
            loc: self.loc,
            properties: self.properties,
            attributes: self.attributes,
            operands: self.operands,
            results: self.results,
            successors: self.successors,
        });
        if let Some(isolated) = self.isolated {
            body[op].regions = Regions::Isolated(isolated);
        }
        for region in self.regions {
            body.attach_region(op, region);
        }
        op
    }
}
