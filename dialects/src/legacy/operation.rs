//! Operations of old files: chooses the grammar that reads one, and names its results.

use smallvec::SmallVec;

use super::emit::{Emit, Parts};
use super::llvm;
use super::op_names::{self, Form};
use crate::cf;
use gridloom_ir::body::{BlockId, OpId, Value};
use gridloom_ir::text::Lists;
use gridloom_ir::text::Tok;
use gridloom_ir::text::{Argument, Delimiter, OpParser, Operands};
use gridloom_ir::text::{PResult, Parser};
use gridloom_ir::types::Type;

/// Operands passed to each successor.
type Passed = SmallVec<[Vec<Value>; 2]>;

/// Whether this names an operation of an older era.
pub(super) fn is_old(name: &str) -> bool {
    op_names::find(name).is_some()
}

/// Reads an operation of an old file, whose results' names have been taken: those from `first`
/// on.
pub(super) fn read(p: &mut Parser<'_>, block: BlockId, first: usize) -> PResult<OpId> {
    let token = p.tok;
    let names = p.result_names_from(first).to_vec();
    let wanted: usize = names.iter().map(|name| name.count as usize).sum();
    let mut emit = Emit {
        loc: p.loc(token.start),
        p,
        block,
        token,
        wanted,
        results: SmallVec::new(),
        last: None,
    };
    match token.kind {
        Tok::String => emit.generic()?,
        Tok::Bare => emit.custom()?,
        _ => return Err(emit.p.expected("operation name in quotes")),
    }
    let Emit {
        p, results, last, ..
    } = emit;
    p.define_legacy_results(&results, token, &names)?;
    last.ok_or_else(|| p.error_on(token, "this stands for no operation"))
}

impl<'s> Emit<'_, 's> {
    fn custom(&mut self) -> PResult<()> {
        let text = self.p.ascii();
        let form = op_names::find(text);
        let known = self.p.custom_name();
        self.p.advance();
        match (form, known) {
            (Some(Form::Renamed(today)), _) => self.today(today),
            (Some(Form::Own { custom, .. }), _) => custom(self),
            (None, Some((name, _))) => self.today(self.ctx().op_name_str(name)),
            (None, None) => Err(self.p.unknown_operation(self.token, text)),
        }
    }

    /// Reads the custom form of an operation of today after the name, whatever name stood there.
    pub(super) fn today(&mut self, name: &str) -> PResult<()> {
        let name = self.ctx().op_name(name);
        let Some(def) = self.ctx().op_signature(name) else {
            let message = format!("`{}` is not known", self.ctx().op_name_str(name));
            return Err(self.error(message));
        };
        let op = self.p.custom_form(name, def, self.token, self.wanted)?;
        self.append(op);
        self.take_results(op);
        Ok(())
    }

    fn generic(&mut self) -> PResult<()> {
        let token = self.token;
        let ident = self.p.utf8_string("an operation's name")?;
        let text = self.ctx().str(ident);
        if text.is_empty() {
            return Err(self.error("empty operation name is invalid"));
        }
        let form = op_names::find(text);
        let name = self.ctx().op_name(match form {
            Some(Form::Renamed(today)) => today,
            _ => text,
        });
        let own = match form {
            Some(Form::Own { generic, .. }) => generic,
            None if llvm::is_intrinsic(text) => Some(llvm::generic_intrinsic as _),
            _ => None,
        };
        if own.is_none() && self.ctx().op_signature(name).is_none() {
            self.p.check_unregistered(token, text)?;
        }
        let mut op = OpParser::new(self.p, name, token);
        let passed = op.legacy_generic_form()?;
        if let Some(own) = own
            && !name.has(gridloom_ir::op::Traits::ISOLATED_FROM_ABOVE)
        {
            if op.num_regions() > 0 {
                return Err(op.error_at(op.op_place(), "this operation has no regions"));
            }
            op.attributes.append(&mut op.properties);
            let parts = Parts {
                operands: std::mem::take(&mut op.operands),
                attrs: std::mem::take(&mut op.attributes),
                results: std::mem::take(&mut op.results),
            };
            self.end_of_text()?;
            return own(self, parts);
        }
        op.pass_to_successors(&passed)?;
        let op = op.finish()?;
        self.append(op);
        self.take_results(op);
        Ok(())
    }
}

/// Generic form of the older eras.
trait OldGenericForm {
    /// `(%a)[^bb(%b : type)] <{…}> (region) {…} : type`, after the name.
    fn legacy_generic_form(&mut self) -> PResult<Passed>;

    /// `^bb`, `^bb(%a, %b : i32, i64)`, `^bb(%a : i32, %b : i64)` or
    /// `^bb : (%a : i32)`.
    fn legacy_successor(&mut self) -> PResult<Vec<Value>>;

    /// `{ … }`, or with the signature of 2019, `(%x: i64) -> i64 { … }`, whose arguments are those
    /// of the entry block.
    fn legacy_region(&mut self) -> PResult<()>;

    /// Appends the operands written after successors to the branches that pass them.
    fn pass_to_successors(&mut self, passed: &Passed) -> PResult<()>;
}

impl<'s> OldGenericForm for OpParser<'_, 's> {
    fn legacy_generic_form(&mut self) -> PResult<Passed> {
        let operands = self.operand_list(Delimiter::Paren)?;
        let mut passed = Passed::new();
        if self.at(Tok::LSquare) {
            self.list(Delimiter::Square, |p| {
                passed.push(p.legacy_successor()?);
                Ok(())
            })?;
        }
        self.properties()?;
        if self.at(Tok::LParen) {
            self.list(Delimiter::Paren, |p| p.legacy_region())?;
        }
        self.attr_dict()?;
        self.expect(Tok::Colon)?;
        let place = self.place();
        let (inputs, results) = self.function_type()?;
        if inputs.len() != operands.len() {
            let message = format!(
                "{} operand(s) are given, but the type lists {}",
                operands.len(),
                inputs.len()
            );
            return Err(self.error_at(place, message));
        }
        self.add_typed_operands(&operands, &inputs)?;
        self.add_results(&results);
        Ok(passed)
    }

    fn legacy_successor(&mut self) -> PResult<Vec<Value>> {
        self.successor()?;
        if self.eat(Tok::Colon) && !self.at(Tok::LParen) {
            return Err(self.expected("`(`"));
        }
        if !self.eat(Tok::LParen) || self.eat(Tok::RParen) {
            return Ok(Vec::new());
        }
        let (mut operands, mut types) = (Operands::new(), Vec::new());
        self.items(|p| {
            if operands.is_empty() || p.at(Tok::Percent) {
                operands.push(p.operand()?);
                if p.eat(Tok::Colon) {
                    types.push(p.ty()?);
                }
            } else {
                types.push(p.ty()?);
            }
            Ok(())
        })?;
        if operands.len() != types.len() {
            return Err(self.error("as many types as operands must follow `:`"));
        }
        self.expect(Tok::RParen)?;
        let pairs = operands.iter().zip(types);
        pairs.map(|(&o, ty)| self.resolve(o, ty)).collect()
    }

    fn legacy_region(&mut self) -> PResult<()> {
        if !self.at(Tok::LParen) {
            return self.region(&[]);
        }
        let (mut args, mut types): (Vec<Argument<'s>>, _) = (Vec::new(), Vec::new());
        self.list(Delimiter::Paren, |p| {
            if p.at(Tok::Percent) {
                let arg = p.argument()?;
                types.push(arg.ty);
                args.push(arg);
            } else {
                types.push(p.ty()?);
            }
            Ok(())
        })?;
        self.optional_arrow_types()?;
        let place = self.place();
        self.region(&args)?;
        let body = self.isolated.as_deref().unwrap_or(&self.parser.body);
        let region = match &self.isolated {
            Some(body) => body.regions().last(),
            None => self.regions.last(),
        };
        let entry = region.and_then(|&region| body[region].entry());
        let entry_args = entry.map_or(&[][..], |entry| &body[entry].args);
        let found: Vec<Type> = entry_args.iter().map(|&arg| body.ty(arg)).collect();
        if found != types {
            let message = "the arguments of the first block are not those of the region";
            return Err(self.error_at(place, message));
        }
        Ok(())
    }

    fn pass_to_successors(&mut self, passed: &Passed) -> PResult<()> {
        let counts: SmallVec<[i32; 2]> = passed.iter().map(|list| list.len() as i32).collect();
        let all = passed.iter().flatten().copied();
        match self.name() {
            cf::BR => self.operands.extend(all),
            cf::COND_BR => {
                let sized = self.get_attr("operandSegmentSizes").is_some();
                if let ([first, second], false) = (&counts[..], sized) {
                    self.set_operand_segments(&[1, *first, *second]);
                }
                self.operands.extend(all);
            }
            _ if counts.iter().any(|&count| count > 0) => {
                let message = "only branches pass operands to their successors";
                return Err(self.error_at(self.op_place(), message));
            }
            _ => {}
        }
        Ok(())
    }
}
