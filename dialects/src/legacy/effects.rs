//! Affine relations, and the read and write sets that they give functions.
//!
//! A function with such sets keeps them as the attribute `gridloom.effects`, a dictionary with a
//! list for each clause that is spelled: `reads`, `writes`, `may_reads`, `may_writes`. An entry is
//!
//! ```mlir
//! {arg = 0, inputs = array<i64: 1>, symbols = array<i64: 2>,
//!  relation = affine_set<(d0, d1)[s0] : (d1 - d0 >= 0, d0 + s0 - d1 - 1 >= 0)>}
//! ```
//!
//! Parameter 0 is touched at those indices (the last dimensions of the set) that the relation gives
//! for the values of the parameters listed in `inputs` (the first dimensions) and in `symbols`. An
//! unbound symbol is -1: it may have any value.

use crate::gridloom::EFFECTS;
use gridloom_ir::attr::Attr;
use gridloom_ir::context::Context;
use gridloom_ir::text::Tok;
use gridloom_ir::text::{Argument, OpParser, Operand};
use gridloom_ir::text::{PResult, Parser};

/// The clauses, in the order of the documents.
const CLAUSES: [&str; 4] = ["reads", "writes", "may_reads", "may_writes"];

/// Parses the clauses after a function's signature, with or without brackets around them; sets
/// `gridloom.effects` if there are any.
pub(super) fn parse_clauses(p: &mut OpParser<'_, '_>, args: &[Argument<'_>]) -> PResult<()> {
    let brackets = p.eat(Tok::LSquare);
    let mut entries = Vec::new();
    while let Some(name) = CLAUSES.into_iter().find(|name| p.at_keyword(name)) {
        let place = p.place();
        p.keyword("a clause")?;
        if entries.iter().any(|(known, _)| *known == name) {
            return Err(p.error_at(place, format!("`{name}` is given twice")));
        }
        p.expect(Tok::Colon)?;
        let mut accesses = Vec::new();
        if p.parser.at_access_set() {
            p.expect(Tok::LBrace)?;
            p.parser.list_until(Tok::RBrace, |parser| {
                accesses.push(access(parser, args)?);
                Ok(())
            })?;
        }
        entries.push((name, accesses));
    }
    if brackets {
        if entries.is_empty() {
            return Err(p.expected("`reads`, `writes`, `may_reads` or `may_writes`"));
        }
        p.expect(Tok::RSquare)?;
    }
    if !entries.is_empty() {
        let ctx = p.ctx();
        let entries = entries.iter();
        let named = entries.map(|(name, accesses)| (*name, ctx.array_attr(accesses)));
        let effects = dictionary(ctx, named);
        p.set_attribute(EFFECTS, effects);
    }
    Ok(())
}

/// `%A ##relation (%i)[%n]`, with or without a comma after `%A`.
fn access(p: &mut Parser<'_>, args: &[Argument<'_>]) -> PResult<Attr> {
    let memref = p.operand()?;
    let arg = parameter(p, args, memref)?;
    let ty = args[arg].ty;
    if ty.memref(p.ctx).is_none() {
        return Err(error_at(
            p,
            memref,
            "only elements of a ranked memref are accessed",
        ));
    }
    p.eat(Tok::Comma);
    let place = p.tok;
    let relation = p.relation()?;
    let index = |p: &mut Parser<'_>, list: &mut Vec<i64>| {
        let operand = p.operand()?;
        let at = parameter(p, args, operand)?;
        if args[at].ty != p.ctx.index_type() {
            return Err(error_at(
                p,
                operand,
                "a relation is bound to values of type `index`",
            ));
        }
        list.push(at as i64);
        Ok(())
    };
    let (mut inputs, mut symbols) = (Vec::new(), Vec::new());
    p.expect(Tok::LParen)?;
    p.list_until(Tok::RParen, |p| index(p, &mut inputs))?;
    if p.eat(Tok::LSquare) {
        p.list_until(Tok::RSquare, |p| index(p, &mut symbols))?;
    } else {
        symbols = vec![-1; relation.symbols];
    }
    if (inputs.len(), symbols.len()) != (relation.inputs, relation.symbols) {
        let message = format!(
            "the relation has {} input(s) and {} symbol(s), but {} and {} are given",
            relation.inputs,
            relation.symbols,
            inputs.len(),
            symbols.len()
        );
        return Err(p.error_on(place, message));
    }
    let ctx = p.ctx;
    let entries = [
        ("arg", ctx.i64_attr(arg as i64)),
        ("inputs", ctx.i64_array_attr(&inputs)),
        ("relation", ctx.set_attr(relation.set)),
        ("symbols", ctx.i64_array_attr(&symbols)),
    ];
    Ok(dictionary(ctx, entries))
}

/// Returns the number of the parameter that an operand names.
fn parameter(p: &mut Parser<'_>, args: &[Argument<'_>], operand: Operand<'_>) -> PResult<usize> {
    match args.iter().position(|arg| arg.name.name == operand.name) {
        Some(at) if operand.number == 0 => Ok(at),
        _ => Err(error_at(
            p,
            operand,
            "this is not a parameter of the function",
        )),
    }
}

fn error_at(
    p: &mut Parser<'_>,
    operand: Operand<'_>,
    message: &str,
) -> gridloom_ir::text::ParseFailed {
    let error = gridloom_ir::diag::Diagnostic::error(p.loc(operand.pos), message);
    p.report(error.with_len(operand.name.len() as u32 + 1))
}

fn dictionary<'a>(ctx: &Context, entries: impl IntoIterator<Item = (&'a str, Attr)>) -> Attr {
    let entries = entries.into_iter();
    let entries = entries.map(|(name, value)| (ctx.ident(name), value));
    let dict = ctx.attr_dict(entries.collect());
    ctx.intern_attr(gridloom_ir::attr::AttrKind::Dict(dict))
}
