//! Parser of operations: result names, the generic and the custom form.

use smallvec::SmallVec;

use super::lists::Lists;
use super::op_parser::OpParser;
use super::parser::{PResult, Parser};
use super::suggest;
use crate::body::{BlockId, OpId};
use crate::context::Context;
use crate::context::OpName;
use crate::context::signature::OpSignature;
use crate::lexer::{Tok, Token};
use crate::text::op_form::Assembly;
use crate::text::{ParseOptions, integer};

/// Result name on the left of `=`: `%name` or `%name:count`.
#[derive(Clone, Copy, Debug)]
pub struct ResultName<'s> {
    /// The name, without `%`.
    pub name: &'s [u8],
    /// The number of results that the name stands for.
    pub count: u32,
    /// Offset of the name in the source.
    pub pos: u32,
}

impl<'s> Parser<'s> {
    /// Parses one operation, without the line cache, to the end of `block`.
    pub(super) fn operation_in_full(&mut self, block: BlockId) -> PResult<OpId> {
        self.naming_results(|p, first| p.operation_with_names(block, first))
    }

    /// Parses an operation with `read`, whose result names go to the end of those of the operations
    /// around it, from the index that `read` is given.
    pub(super) fn naming_results(
        &mut self,
        read: impl FnOnce(&mut Self, usize) -> PResult<OpId>,
    ) -> PResult<OpId> {
        let first = self.result_names.len();
        let result = read(self, first);
        if result.is_err() {
            // After an error, uses of the results that this operation would have defined are not
            // reported.
            for &ResultName { name, count, pos } in &self.result_names[first..] {
                let _ = self.names.define(name, None, count, pos, self.level);
            }
        }
        self.result_names.truncate(first);
        result
    }

    /// Parses an operation whose result names are those from `first` on.
    fn operation_with_names(&mut self, block: BlockId, first: usize) -> PResult<OpId> {
        let start = self.tok;
        let wanted = match start.kind {
            Tok::Percent => self.result_names()?,
            _ => 0,
        };
        let token = self.tok;
        if self.legacy.on {
            return self.legacy_operation(block, first);
        }
        let op = match token.kind {
            Tok::Bare => match self.custom_name() {
                Some((name, def)) => {
                    self.advance();
                    self.custom_form(name, def, token, wanted)?
                }
                None if self.at_legacy_operation() => {
                    return self.legacy_operation(block, first);
                }
                None => return Err(self.unknown_operation(token, self.ascii())),
            },
            Tok::String => self.generic_operation()?,
            _ => return Err(self.expected("operation name in quotes")),
        };
        if wanted != 0 {
            self.define_results(op, start, first, wanted)?;
        }
        self.body.append(block, op);
        Ok(op)
    }

    /// Parses result names and `=`; returns how many results they stand for.
    fn result_names(&mut self) -> PResult<usize> {
        let mut wanted = 0;
        self.items(|p| {
            let name = p.result_name()?;
            wanted += name.count as usize;
            p.result_names.push(name);
            Ok(())
        })?;
        self.expect_as(Tok::Equal, "'=' after SSA name")?;
        Ok(wanted)
    }

    fn result_name(&mut self) -> PResult<ResultName<'s>> {
        let token = self.expect_as(Tok::Percent, "valid ssa identifier")?;
        let name = self.slice(token.start + 1, token.end);
        let mut count = 1;
        if self.eat(Tok::Colon) {
            if !self.at(Tok::Integer) {
                return Err(self.expected("integer number of results"));
            }
            let Some(written @ 1..) = integer::unsigned(self.text()) else {
                return Err(self.error("expected named operation to have at least 1 result"));
            };
            // A count that does not fit is more than any operation has.
            count = u32::try_from(written).unwrap_or(u32::MAX);
            self.advance();
        }
        Ok(ResultName {
            name,
            count,
            pos: token.start,
        })
    }

    /// Defines the names of a parsed operation's results, of which `wanted` have names.
    pub(super) fn define_results(
        &mut self,
        op: OpId,
        token: Token,
        first: usize,
        wanted: usize,
    ) -> PResult<()> {
        let results = self.body[op].results();
        if wanted != results.len() {
            let message = match results.len() {
                0 => "cannot name an operation with no results".to_owned(),
                have => {
                    format!("operation defines {have} results but was provided {wanted} to bind")
                }
            };
            return Err(self.error_on(token, message));
        }
        let mut value = self.body[op].result(0);
        for index in first..self.result_names.len() {
            let ResultName { name, count, pos } = self.result_names[index];
            self.define(name, pos, value, count);
            value = value.offset(count);
        }
        Ok(())
    }

    pub(super) fn generic_operation(&mut self) -> PResult<OpId> {
        let token = self.tok;
        let name_text = self.utf8_string("an operation's name")?;
        let text = self.ctx.str(name_text);
        if text.is_empty() {
            return Err(self.error_on(token, "empty operation name is invalid"));
        }
        let name = self.ctx.op_name(text);
        if self.ctx.op_signature(name).is_none() {
            self.check_unregistered(token, text)?;
        }
        let mut op = OpParser::new(self, name, token);
        op.generic_form()?;
        op.finish()
    }

    /// Finds the operation whose custom form starts with the current token.
    pub fn custom_name(&self) -> Option<(OpName, &'static OpSignature)> {
        let text = self.text();
        let name = if text.contains(&b'.') {
            self.ctx.find_op(text)
        } else if self.default_dialect.is_empty() {
            None
        } else {
            let mut full: SmallVec<[u8; 64]> =
                SmallVec::from_slice(self.default_dialect.as_bytes());
            full.push(b'.');
            full.extend_from_slice(text);
            self.ctx.find_op(&full)
        };
        name.and_then(|name| Some((name, self.ctx.op_signature(name)?)))
    }

    /// Parses the custom form of a known operation after its name, which is `token`.
    pub fn custom_form(
        &mut self,
        name: OpName,
        def: &'static OpSignature,
        token: Token,
        wanted: usize,
    ) -> PResult<OpId> {
        let mut op = OpParser::new(self, name, token);
        op.wanted = wanted;
        match op.parser.forms.row(name).map(|form| form.assembly) {
            Some(Assembly::Custom { parse, .. }) => parse(&mut op)?,
            Some(Assembly::Declared(_)) => op.declared_form(def)?,
            Some(Assembly::Generic) | None => {
                let message = format!(
                    "`{}` has no custom form here; write it as \"{}\"(…)",
                    def.name, def.name
                );
                return Err(self.error_on(token, message));
            }
        }
        op.finish()
    }

    /// Checks whether an unknown operation of this name may stand in generic form.
    pub fn check_unregistered(&mut self, token: Token, name: &str) -> PResult<()> {
        if let Some(message) = refused_by_dialect(self.ctx, name) {
            let diagnostic = self
                .diagnostic(token, message)
                .with_near("", suggest::operation(self.ctx.registry(), name));
            return Err(self.report(diagnostic));
        }
        if takes_unregistered(self.ctx, self.options, name) {
            return Ok(());
        }
        let message = "operation being parsed with an unregistered dialect. If this is intended, \
                       please use -allow-unregistered-dialect with the MLIR tool used";
        let diagnostic = self.diagnostic(token, message);
        let diagnostic = match suggest::operation(self.ctx.registry(), name) {
            Some(near) => diagnostic.with_near("", Some(near)),
            None => diagnostic.with_help(format!(
                "'gridloom opt --allow-unregistered-dialect' reads operations such as '{name}'; none of \
                 them can run, so that the tools of their dialect have to lower them first"
            )),
        };
        Err(self.report(diagnostic))
    }

    /// Reports that no operation has this name.
    pub fn unknown_operation(&mut self, token: Token, text: &str) -> crate::text::ParseFailed {
        // An integer type is not the name of an operation.
        if self.at_integer_type() {
            return self.expected("operation name in quotes");
        }
        let (dialect, tried) = match text.split_once('.') {
            Some((dialect, _)) => (dialect, String::new()),
            None => {
                let dialect = self.default_dialect;
                (dialect, format!(" (tried '{dialect}.{text}' as well)"))
            }
        };
        let registry = self.ctx.registry();
        let diagnostic = if registry.is_known_upstream(dialect) || registry.has(dialect) {
            self.diagnostic(token, format!("custom op '{text}' is unknown{tried}"))
        } else {
            let message = format!("Dialect `{dialect}' not found for custom op '{text}' {tried}");
            let note = format!(
                "Available dialects: {}",
                self.ctx.registry().dialects().join(", ")
            );
            let at = self.loc(token.start);
            self.diagnostic(token, message).with_note(at, note)
        };
        self.report(diagnostic.with_near("", suggest::operation(self.ctx.registry(), text)))
    }
}

fn dialect_of(name: &str) -> &str {
    name.split_once('.').map_or("", |(dialect, _)| dialect)
}

/// The error for an unknown operation of a dialect whose operations are all known: no option
/// accepts it.
pub(crate) fn refused_by_dialect(ctx: &Context, name: &str) -> Option<String> {
    let dialect = dialect_of(name);
    ctx.registry().is_complete(dialect).then(|| {
        format!(
            "unregistered operation '{name}' found in dialect ('{dialect}') that does not allow \
             unknown operations"
        )
    })
}

/// Whether an unknown operation is accepted: by the options, or because its dialect takes any name.
pub(crate) fn takes_unregistered(ctx: &Context, options: &ParseOptions, name: &str) -> bool {
    options.allow_unregistered || ctx.registry().is_open(dialect_of(name))
}
