//! Operations: their results' names, the generic and the custom form.

use smallvec::SmallVec;

use super::format::canonical;
use super::lexer::{Tok, Token};
use super::op_parser::OpParser;
use super::parser::{PResult, Parser, RECENT_OPERATIONS};
use super::{OpFacts, ParseOptions, suggest};
use crate::attr::NamedAttr;
use crate::body::{BlockId, OpId};
use crate::context::{Context, Ident};
use crate::dialect;
use crate::op::{Assembly, OpDef, OpName};

/// A name on the left of `=`: `%name` or `%name:count`.
pub(super) struct ResultName<'s> {
    pub name: &'s [u8],
    pub count: u32,
    pub pos: u32,
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
        let start = self.tok;
        if self.at(Tok::Percent) {
            loop {
                let name = self.result_name()?;
                wanted += name.count as usize;
                names.push(name);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
            self.expect_as(Tok::Equal, "'=' after SSA name")?;
        }
        let token = self.tok;
        if self.legacy.on {
            return self.legacy_operation(block, names);
        }
        let op = match token.kind {
            Tok::String => self.generic_operation()?,
            Tok::Bare => match self.custom_name() {
                Some((name, def)) => {
                    self.advance();
                    self.custom_form(name, def, token, wanted)?
                }
                None if self.at_legacy_operation() => {
                    return self.legacy_operation(block, names);
                }
                None => return Err(self.unknown_operation(token, self.ascii())),
            },
            _ => return Err(self.expected("operation name in quotes")),
        };
        if !names.is_empty() {
            self.define_results(op, start, names)?;
        }
        self.body.append(block, op);
        Ok(op)
    }

    fn result_name(&mut self) -> PResult<ResultName<'s>> {
        let token = self.expect_as(Tok::Percent, "valid ssa identifier")?;
        let name = self.slice(token.start + 1, token.end);
        let mut count = 1;
        if self.eat(Tok::Colon) {
            let number = self.tok;
            count = self.small_integer("integer number of results")?;
            if count == 0 {
                let message = "expected named operation to have at least 1 result";
                return Err(self.error_on(number, message));
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
                0 => "cannot name an operation with no results".to_owned(),
                _ => format!("operation defines {have} results but was provided {wanted} to bind"),
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

    pub(super) fn generic_operation(&mut self) -> PResult<OpId> {
        let token = self.tok;
        let name_text = self.utf8_string("an operation's name")?;
        let text = self.ctx.str(name_text);
        if text.is_empty() {
            return Err(self.error_on(token, "empty operation name is invalid"));
        }
        let name = self.ctx.op_name(text);
        if name.def().is_none() {
            self.check_unregistered(token, text)?;
        }
        let mut op = OpParser::new(self, name, token);
        op.generic_form()?;
        op.finish()
    }

    /// The operation whose custom form starts with the current token.
    pub(super) fn custom_name(&mut self) -> Option<(OpName, &'static OpDef)> {
        let text = self.text();
        // A program uses few operations, and each of them often.
        let slot = match text {
            [_, .., last] => (text.len() * 8 + usize::from(*last)) % RECENT_OPERATIONS,
            _ => 0,
        };
        let (recent, known) = self.recent_operations[slot];
        if recent == text {
            return known;
        }
        let known = self.find_custom_name(text);
        if text.contains(&b'.') {
            self.recent_operations[slot] = (text, known);
        }
        known
    }

    fn find_custom_name(&self, text: &[u8]) -> Option<(OpName, &'static OpDef)> {
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
        name.and_then(|name| Some((name, name.def()?)))
    }

    /// The custom form of a known operation after its name, which is `token`.
    pub(super) fn custom_form(
        &mut self,
        name: OpName,
        def: &'static OpDef,
        token: Token,
        wanted: usize,
    ) -> PResult<OpId> {
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
    pub(super) fn check_unregistered(&mut self, token: Token, name: &str) -> PResult<()> {
        if let Some(message) = refused_by_dialect(name) {
            let diagnostic = self
                .diagnostic(token, message)
                .with_near("", suggest::operation(name));
            return Err(self.report(diagnostic));
        }
        if takes_unregistered(self.options, name) {
            return Ok(());
        }
        let message = "operation being parsed with an unregistered dialect. If this is intended, \
                       please use -allow-unregistered-dialect with the MLIR tool used";
        let diagnostic = self.diagnostic(token, message);
        let diagnostic = match suggest::operation(name) {
            Some(near) => diagnostic.with_near("", Some(near)),
            None => diagnostic.with_help(format!(
                "operations such as '{name}' pass with --allow-unregistered-dialect"
            )),
        };
        Err(self.report(diagnostic))
    }

    pub(super) fn unknown_operation(&mut self, token: Token, text: &str) -> super::ParseFailed {
        // The name of an integer type is no name of an operation.
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
        let diagnostic = if dialect::is_known(dialect) {
            self.diagnostic(token, format!("custom op '{text}' is unknown{tried}"))
        } else {
            let message = format!("Dialect `{dialect}' not found for custom op '{text}' {tried}");
            let note = format!("Registered dialects: {}", dialect::names().join(", "));
            let at = self.loc(token.start);
            self.diagnostic(token, message).with_note(at, note)
        };
        self.report(diagnostic.with_near("", suggest::operation(text)))
    }
}

/// Moves inherent attributes that stood in the discardable dictionary to the
/// properties; gives back one that stands in both.
fn split_attributes(
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

/// Makes the attributes of a known operation those that everything else works
/// with: inherent ones among the properties, enumerations spelled one way,
/// defaults filled in. Gives back one that stands in both lists.
pub(crate) fn settle_attributes(
    ctx: &Context,
    facts: &OpFacts,
    properties: &mut SmallVec<[NamedAttr; 4]>,
    attributes: &mut SmallVec<[NamedAttr; 4]>,
) -> Option<Ident> {
    let clash = match attributes.is_empty() {
        true => None,
        false => split_attributes(facts, properties, attributes),
    };
    for (name, def) in &facts.enums {
        if let Some(entry) = properties.iter_mut().find(|p| p.0 == *name) {
            entry.1 = canonical(ctx, def, entry.1);
        }
    }
    for &(name, value) in facts.defaults.iter().chain(&facts.segments) {
        if !properties.iter().any(|p| p.0 == name) {
            properties.push((name, value));
        }
    }
    clash
}

fn dialect_of(name: &str) -> &str {
    name.split_once('.').map_or("", |(dialect, _)| dialect)
}

/// Why an operation that is not known cannot be, whatever the options: all of
/// its dialect's are known.
pub(crate) fn refused_by_dialect(name: &str) -> Option<String> {
    let dialect = dialect_of(name);
    dialect::is_complete(dialect).then(|| {
        format!(
            "unregistered operation '{name}' found in dialect ('{dialect}') that does not allow \
             unknown operations"
        )
    })
}

/// Whether an operation that is not known may be here. SPIR-V grows by
/// extensions: its dialect takes any name.
pub(crate) fn takes_unregistered(options: &ParseOptions, name: &str) -> bool {
    options.allow_unregistered || dialect_of(name) == "spirv"
}
