//! Regions and successors in custom forms, and the generic form.

use smallvec::SmallVec;

use super::op_parser::{Argument, Delimiter, OpParser, Operand};
use super::parser::PResult;
use crate::attr::{AttrDict, NamedAttr};
use crate::body::{Body, OpState, RegionId, Value};
use crate::context::{OpName, Traits};
use crate::lexer::Tok;
use crate::location::Loc;
use crate::types::Type;

/// Regions and successors.
impl<'s> OpParser<'_, 's> {
    /// `%name : type {attrs} loc(…)`; attributes and location may be absent.
    pub fn argument(&mut self) -> PResult<Argument<'s>> {
        let name = self.argument_name()?;
        self.argument_after(name)
    }

    /// Parses the rest of an argument after its name.
    pub fn argument_after(&mut self, name: Operand<'s>) -> PResult<Argument<'s>> {
        let ty = self.colon_type()?;
        let attrs = self.dict()?;
        let loc = self.parser.optional_loc()?;
        Ok(Argument {
            name,
            ty,
            attrs,
            loc,
        })
    }

    /// `loc(…)` if it stands here.
    pub fn optional_location(&mut self) -> PResult<Option<Loc>> {
        self.parser.optional_loc()
    }

    /// `{…}` as a dictionary of its own, empty if none stands here.
    pub fn dict(&mut self) -> PResult<AttrDict> {
        if self.at(Tok::LBrace) {
            let mut entries: SmallVec<[NamedAttr; 4]> = self.parser.dict_entries()?.into();
            Ok(self.ctx().attr_dict_of(&mut entries))
        } else {
            Ok(AttrDict::EMPTY)
        }
    }

    /// Makes an argument of this type from a name that the form spells alone.
    pub fn named(&self, name: Operand<'s>, ty: Type) -> Argument<'s> {
        Argument {
            name,
            ty,
            attrs: AttrDict::EMPTY,
            loc: None,
        }
    }

    /// Parses `{ … }` as the operation's next region, whose entry block has these arguments.
    pub fn region(&mut self, args: &[Argument<'s>]) -> PResult<()> {
        let name = self.name();
        match &mut self.isolated {
            Some(body) => self.parser.isolated_region(body, args, name),
            None => {
                let region = self.parser.region(args, name)?;
                self.regions.push(region);
                Ok(())
            }
        }
    }

    /// Parses a region of a generic form: names without a dialect keep the default dialect around
    /// it.
    fn generic_region(&mut self) -> PResult<()> {
        if self.isolated.is_some() {
            return self.region(&[]);
        }
        let dialect = self.parser.default_dialect;
        let region = self.parser.region_with(&[], dialect)?;
        self.regions.push(region);
        Ok(())
    }

    /// Parses `{ … }` if it stands here, else adds an empty region; returns whether it stood.
    pub fn optional_region(&mut self, args: &[Argument<'s>]) -> PResult<bool> {
        if self.at(Tok::LBrace) {
            self.region(args)?;
            Ok(true)
        } else {
            self.empty_region();
            Ok(false)
        }
    }

    /// Parses an operation in generic form as the only one of the next region, which ends by giving
    /// its first result to `end`; that is this operation's result too.
    pub fn wrapped_operation(&mut self, end: OpName) -> PResult<()> {
        let place = self.place();
        let region = self.parser.body.new_region();
        let block = self.parser.body.add_block(region, &[]);
        let inner = self.parser.generic_operation()?;
        let body = &mut self.parser.body;
        body.append(block, inner);
        if body[inner].num_results() == 0 {
            return Err(self.error_at(place, "the wrapped operation needs a result"));
        }
        self.loc = body[inner].loc;
        let value = body[inner].result(0);
        let ty = body.ty(value);
        let last = body.create_op(OpState::new(end, self.loc).operands(&[value]));
        body.append(block, last);
        self.regions.push(region);
        self.add_result(ty);
        Ok(())
    }

    /// Parses `{ … }` if it stands here, else adds an empty region; returns whether it stood. The
    /// calling form may only ask whether the region is empty: another thread may read it later.
    pub fn optional_body(&mut self, args: &[Argument<'s>]) -> PResult<bool> {
        let name = self.name();
        if let Some(body) = &mut self.isolated
            && self.parser.defer_body(body, args, name)
        {
            return Ok(true);
        }
        self.optional_region(args)
    }

    /// Adds a region without blocks.
    pub fn empty_region(&mut self) {
        match &mut self.isolated {
            Some(body) => {
                body.add_top_region();
            }
            None => self.regions.push(self.parser.body.new_region()),
        }
    }

    /// The number of regions parsed.
    pub fn num_regions(&self) -> usize {
        match &self.isolated {
            Some(body) => body.regions().len(),
            None => self.regions.len(),
        }
    }

    /// Moves the region parsed last before the others.
    pub fn move_last_region_to_front(&mut self) {
        self.regions.rotate_right(1);
    }

    /// Whether region `index` has no blocks.
    pub fn region_is_empty(&self, index: usize) -> bool {
        let (body, region) = match &self.isolated {
            Some(body) => (&**body, body.regions().get(index)),
            None => (&self.parser.body, self.regions.get(index)),
        };
        region.is_none_or(|&region| body[region].blocks.is_empty())
    }

    /// Returns region `index` and the body it lies in, for forms that complete it.
    pub fn region_body(&mut self, index: usize) -> Option<(&mut Body, RegionId)> {
        match &mut self.isolated {
            Some(body) => {
                let region = body.regions().get(index).copied()?;
                Some((&mut **body, region))
            }
            None => {
                let region = self.regions.get(index).copied()?;
                Some((&mut self.parser.body, region))
            }
        }
    }

    /// Completes region `index`: adds a block if it has none, and an operation `name` without
    /// operands if its last block does not end with a terminator.
    pub fn ensure_terminator(&mut self, index: usize, name: OpName) {
        let (ctx, loc) = (self.ctx(), self.loc);
        let Some((body, region)) = self.region_body(index) else {
            return;
        };
        let block = match body[region].blocks.last() {
            Some(&block) => block,
            None => body.add_block(region, &[]),
        };
        let ends = body[block]
            .last()
            .is_some_and(|last| ctx.op_has(body[last].name, Traits::TERMINATOR));
        if !ends {
            let op = body.create_op(OpState::new(name, loc));
            let regions = ctx
                .op_signature(name)
                .and_then(|def| def.regions)
                .unwrap_or(0);
            for _ in 0..regions {
                let region = body.add_region(op);
                body.add_block(region, &[]);
            }
            body.append(block, op);
        }
    }

    /// Parses `{ … } {attributes}` at the end of a form: the region's entry block has these
    /// arguments, and the text may leave out the operation `end` of its last block.
    pub fn ended_region(&mut self, args: &[Argument<'s>], end: OpName) -> PResult<()> {
        self.region(args)?;
        self.ensure_terminator(0, end);
        self.attr_dict()
    }

    /// Parses `{ … } else { … } {attributes}` at the end of a form: the text may leave out the
    /// second region, and the operation `end` of each.
    pub fn then_and_else(&mut self, end: OpName) -> PResult<()> {
        self.region(&[])?;
        self.ensure_terminator(0, end);
        if self.eat_keyword("else") {
            self.region(&[])?;
            self.ensure_terminator(1, end);
        } else {
            self.empty_region();
        }
        self.attr_dict()
    }

    /// Adds a block to region `index` if it has none.
    pub fn ensure_block(&mut self, index: usize) {
        if let Some((body, region)) = self.region_body(index)
            && body[region].blocks.is_empty()
        {
            body.add_block(region, &[]);
        }
    }

    /// Parses `^block` as the operation's next successor.
    pub fn successor(&mut self) -> PResult<()> {
        let block = self.parser.successor()?;
        self.successors.push(block);
        Ok(())
    }

    /// Parses `^block(%a, %b : type, type)`: a successor with the operands passed to it, which are
    /// returned resolved and not added.
    pub fn successor_with_operands(&mut self) -> PResult<Vec<Value>> {
        self.successor()?;
        if !self.eat(Tok::LParen) {
            return Ok(Vec::new());
        }
        let operands = self.operand_list(Delimiter::None)?;
        let types = if operands.is_empty() {
            Vec::new()
        } else {
            self.expect_as(Tok::Colon, "':' in operand list")?;
            self.type_list(Delimiter::None)?
        };
        if operands.len() != types.len() {
            let message = format!("expected {} types to match operand list", operands.len());
            return Err(self.parser.error(message));
        }
        self.expect(Tok::RParen)?;
        let pairs = operands.iter().zip(types);
        pairs.map(|(&o, ty)| self.resolve(o, ty)).collect()
    }

    /// Parses the generic form after the name.
    pub(crate) fn generic_form(&mut self) -> PResult<()> {
        self.expect_as(Tok::LParen, "'(' to start operand list")?;
        let operands = self.operand_list(Delimiter::None)?;
        self.expect_as(Tok::RParen, "')' to end operand list")?;
        if self.at(Tok::LSquare) {
            if self.def.is_some() && !self.ctx().op_has(self.name(), Traits::TERMINATOR) {
                return Err(self.parser.error("successors in non-terminator"));
            }
            self.eat(Tok::LSquare);
            if self.at(Tok::RSquare) {
                return Err(self.parser.error("expected list element"));
            }
            self.list(Delimiter::None, |p| p.successor())?;
            self.expect_as(Tok::RSquare, "',' or ']'")?;
        }
        self.properties()?;
        if self.eat(Tok::LParen) {
            self.list(Delimiter::None, Self::generic_region)?;
            self.expect_as(Tok::RParen, "')' to end region list")?;
        }
        self.attr_dict()?;
        self.expect_as(Tok::Colon, "':' followed by operation type")?;
        let place = self.place();
        let Ok((inputs, results)) = self.parser.function_type()? else {
            return Err(self.plain_error_at(place, "expected function type"));
        };
        if inputs.len() != operands.len() {
            // Upstream leaves a blank where there is no `s`.
            let plural = if operands.len() == 1 { " " } else { "s" };
            let message = format!(
                "expected {} operand type{plural} but had {}",
                operands.len(),
                inputs.len()
            );
            return Err(self.plain_error_at(place, message));
        }
        self.add_typed_operands(&operands, &inputs)?;
        self.add_results(&results);
        Ok(())
    }
}
