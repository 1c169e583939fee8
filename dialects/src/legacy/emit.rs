//! Emission of today's operations from an old one.

use smallvec::SmallVec;

use gridloom_ir::attr::{Attr, NamedAttr};
use gridloom_ir::body::{BlockId, OpId, Value};
use gridloom_ir::context::Context;
use gridloom_ir::location::Loc;
use gridloom_ir::text::ParseFailed;
use gridloom_ir::text::{OpParser, Operand, Operands};
use gridloom_ir::text::{PResult, Parser};
use gridloom_ir::text::{Tok, Token};
use gridloom_ir::types::Type;

/// Emitter for one old operation: reads it and inserts its replacements.
pub(super) struct Emit<'p, 's> {
    pub p: &'p mut Parser<'s>,
    pub block: BlockId,
    /// The operation's name in the text.
    pub token: Token,
    pub loc: Loc,
    /// The number of results that the text names.
    pub wanted: usize,
    /// The values that replace the old operation's results.
    pub results: SmallVec<[Value; 2]>,
    /// The operation made last.
    pub last: Option<OpId>,
}

/// Parts of an operation in generic form.
pub(super) struct Parts {
    pub operands: SmallVec<[Value; 4]>,
    pub attrs: SmallVec<[NamedAttr; 4]>,
    pub results: SmallVec<[Type; 2]>,
}

impl<'s> Emit<'_, 's> {
    pub(super) fn ctx(&self) -> &'s Context {
        self.p.ctx
    }

    /// Reports an error at the operation's name.
    pub(super) fn error(&mut self, message: impl Into<String>) -> ParseFailed {
        self.p.error_on(self.token, message)
    }

    /// Takes the location after the operation. The whole text has been read then, and operations
    /// can be made.
    pub(super) fn end_of_text(&mut self) -> PResult<()> {
        if let Some(loc) = self.p.optional_loc()? {
            self.loc = loc;
        }
        Ok(())
    }

    /// Appends an operation; for a known one, inherent attributes become properties.
    pub(super) fn op(
        &mut self,
        name: &str,
        operands: &[Value],
        results: &[Type],
        attrs: &[(&str, Attr)],
    ) -> PResult<OpId> {
        let name = self.p.ctx.op_name(name);
        let mut op = OpParser::new(self.p, name, self.token);
        op.operands.extend_from_slice(operands);
        op.add_results(results);
        for &(name, value) in attrs {
            op.set_attribute(name, value);
        }
        op.loc = self.loc;
        let op = op.finish()?;
        self.append(op);
        Ok(op)
    }

    /// Appends an operation whose results replace those of the old one.
    pub(super) fn result_op(
        &mut self,
        name: &str,
        operands: &[Value],
        results: &[Type],
        attrs: &[(&str, Attr)],
    ) -> PResult<()> {
        let op = self.op(name, operands, results, attrs)?;
        self.take_results(op);
        Ok(())
    }

    /// Appends an unregistered operation, for an old one without a counterpart today.
    pub(super) fn unregistered_op(
        &mut self,
        name: &str,
        operands: &[Value],
        results: &[Type],
        attrs: &[(&str, Attr)],
    ) -> PResult<()> {
        self.p.check_unregistered(self.token, name)?;
        self.result_op(name, operands, results, attrs)
    }

    /// Makes the constant `value : index`.
    pub(super) fn index_constant(&mut self, value: i64) -> PResult<Value> {
        let index = self.ctx().index_type();
        let value = self.ctx().index_attr(value);
        let op = self.op("arith.constant", &[], &[index], &[("value", value)])?;
        Ok(self.p.body[op].result(0))
    }

    /// Appends a finished operation to the block.
    pub(super) fn append(&mut self, op: OpId) {
        self.p.body.append(self.block, op);
        self.last = Some(op);
    }

    /// Takes the results of `op` for results of the old operation.
    pub(super) fn take_results(&mut self, op: OpId) {
        self.results.extend(self.p.body[op].results());
    }

    /// Parses operands in brackets.
    pub(super) fn operands(&mut self, open: Tok, close: Tok) -> PResult<Operands<'s>> {
        let mut operands = Operands::new();
        self.p.expect(open)?;
        self.p.list_until(close, |p| {
            operands.push(p.operand()?);
            Ok(())
        })?;
        Ok(operands)
    }

    /// `(%d, …)[%s, …]`, the second list optional.
    pub(super) fn dims_and_symbols(&mut self) -> PResult<(Operands<'s>, Operands<'s>)> {
        let dims = self.operands(Tok::LParen, Tok::RParen)?;
        let symbols = match self.p.at(Tok::LSquare) {
            true => self.operands(Tok::LSquare, Tok::RSquare)?,
            false => Operands::new(),
        };
        Ok((dims, symbols))
    }

    /// Resolves operands of type `index`.
    pub(super) fn indices(&mut self, operands: &[Operand<'s>]) -> PResult<Vec<Value>> {
        let index = self.ctx().index_type();
        let resolve = |&operand: &Operand<'s>| self.p.resolve(operand, index);
        operands.iter().map(resolve).collect()
    }

    /// `{…}` if it stands here.
    pub(super) fn attrs(&mut self) -> PResult<Vec<NamedAttr>> {
        match self.p.at(Tok::LBrace) {
            true => self.p.dict_entries(),
            false => Ok(Vec::new()),
        }
    }

    /// Pairs attributes with the text of their names.
    pub(super) fn named(&self, attrs: &[NamedAttr]) -> Vec<(&'s str, Attr)> {
        let ctx = self.ctx();
        attrs.iter().map(|e| (ctx.str(e.0), e.1)).collect()
    }
}

impl Parts {
    /// Removes and returns the attribute called `name`.
    pub(super) fn take(&mut self, ctx: &Context, name: &str) -> Option<Attr> {
        let at = self.attrs.iter().position(|e| ctx.str(e.0) == name)?;
        Some(self.attrs.remove(at).1)
    }
}
