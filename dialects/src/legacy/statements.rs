//! Old `for`, `if` and `yield`.

use super::emit::Emit;
use crate::affine::form_loop::parse_bound;
use crate::affine::{FOR, IF, YIELD};
use gridloom_ir::attr::Attr;
use gridloom_ir::text::PResult;
use gridloom_ir::text::Tok;
use gridloom_ir::text::{Delimiter, OpParser, Operand};
use gridloom_ir::types::Type;

/// `for %i = 0 to %n step 2 with %sum(%init) {…}`
pub(super) fn custom_for(e: &mut Emit<'_, '_>) -> PResult<()> {
    let mut op = OpParser::new(e.p, FOR, e.token);
    parse_for(&mut op)?;
    let op = op.finish()?;
    e.append(op);
    e.take_results(op);
    Ok(())
}

fn parse_for(p: &mut OpParser<'_, '_>) -> PResult<()> {
    let ctx = p.ctx();
    let index = ctx.index_type();
    let variable = p.operand()?;
    p.expect(Tok::Equal)?;
    let lower = parse_bound(p, "lower", "max")?;
    // The Rationale's proposal spells an ellipsis.
    if !p.eat(Tok::Ellipsis) {
        p.expect_keyword("to")?;
    }
    let upper = parse_bound(p, "upper", "min")?;
    let step = parse_step(p)?;
    let carried = parse_carried(p)?;
    p.add_operands(&lower.1, index)?;
    p.add_operands(&upper.1, index)?;
    let mut args = vec![p.named(variable, index)];
    for &(name, init, ty) in &carried {
        p.add_operand(init, ty)?;
        p.add_result(ty);
        args.push(p.named(name, ty));
    }
    let counts = [lower.1.len(), upper.1.len(), carried.len()];
    p.set_operand_segments(&counts.map(|n| n as i32));
    p.set_property("lowerBoundMap", ctx.map_attr(lower.0));
    p.set_property("upperBoundMap", ctx.map_attr(upper.0));
    p.set_property("step", ctx.index_attr(step));
    p.region(&args)?;
    if carried.is_empty() {
        p.ensure_terminator(0, YIELD);
    }
    p.attr_dict()
}

fn parse_step(p: &mut OpParser<'_, '_>) -> PResult<i64> {
    if !p.eat_keyword("step") {
        return Ok(1);
    }
    let place = p.place();
    match p.integer("a step")? {
        step @ 1.. => Ok(step),
        _ => Err(p.error_at(place, "a step is at least 1")),
    }
}

/// Iteration argument: its name inside the loop, its initial value, its type.
type Carried<'s> = (Operand<'s>, Operand<'s>, Type);

/// `with %a(%init), %b(%other)` or `iter_args(%a = %init) -> (type)`
fn parse_carried<'s>(p: &mut OpParser<'_, 's>) -> PResult<Vec<Carried<'s>>> {
    let mut carried = Vec::new();
    if p.eat_keyword("with") {
        p.list(Delimiter::None, |p| {
            let name = p.operand()?;
            p.expect(Tok::LParen)?;
            let init = p.operand()?;
            p.expect(Tok::RParen)?;
            let ty = p.parser.defined_type(init)?;
            carried.push((name, init, ty));
            Ok(())
        })?;
    } else if p.eat_keyword("iter_args") {
        let pairs = p.assignments()?;
        let place = p.place();
        let types = p.optional_arrow_types()?;
        if types.len() != pairs.len() {
            let message = format!("{} types are needed after `->`", pairs.len());
            return Err(p.error_at(place, message));
        }
        let all = pairs.into_iter().zip(types);
        carried.extend(all.map(|((name, init), ty)| (name, init, ty)));
    }
    Ok(carried)
}

/// `if #set(%d)[%s] {…} else if #other(%d) {…} else {…}`. The results are those that its regions
/// yield.
pub(super) fn custom_if(e: &mut Emit<'_, '_>) -> PResult<()> {
    let mut op = OpParser::new(e.p, IF, e.token);
    parse_if(&mut op)?;
    let op = op.finish()?;
    e.append(op);
    e.take_results(op);
    Ok(())
}

fn parse_if(p: &mut OpParser<'_, '_>) -> PResult<()> {
    parse_condition(p)?;
    let spelled = p.at(Tok::Arrow);
    let mut types = p.optional_arrow_types()?;
    p.region(&[])?;
    if !spelled {
        types = yielded_types(p, 0);
    }
    p.add_results(&types);
    end_with_yield(p, 0, &types);
    if !p.eat_keyword("else") {
        p.empty_region();
        return p.attr_dict();
    }
    let place = p.place();
    if p.at_keyword("if") || p.at_keyword("affine.if") {
        parse_else_if(p)?;
    } else {
        p.region(&[])?;
    }
    if !spelled && yielded_types(p, 1) != types {
        let message = "this yields other types than the region before `else`";
        return Err(p.error_at(place, message));
    }
    end_with_yield(p, 1, &types);
    p.attr_dict()
}

fn end_with_yield(p: &mut OpParser<'_, '_>, region: usize, types: &[Type]) {
    if types.is_empty() {
        p.ensure_terminator(region, YIELD);
    }
}

/// `#set(%d)[%s]`
fn parse_condition(p: &mut OpParser<'_, '_>) -> PResult<()> {
    let place = p.place();
    let attr: Attr = p.attribute()?;
    let ctx = p.ctx();
    let Some(set) = attr.as_set(ctx) else {
        return Err(p.error_at(place, "expected an integer set"));
    };
    let (operands, dims) = p.dims_and_symbols()?;
    let data = set.data(ctx);
    let given = (dims, operands.len() - dims);
    if given != (data.dims as usize, data.symbols as usize) {
        let message = format!(
            "{} dimension(s) and {} symbol(s) are needed, but {} and {} are given",
            data.dims, data.symbols, given.0, given.1
        );
        return Err(p.error_at(p.op_place(), message));
    }
    p.set_property("condition", attr);
    p.add_operands(&operands, ctx.index_type())
}

/// Returns the types that the last operation of a region yields.
fn yielded_types(p: &OpParser<'_, '_>, region: usize) -> Vec<Type> {
    let body = &p.parser.body;
    let block = p.regions.get(region).and_then(|&r| body[r].blocks.last());
    let last = block.and_then(|&block| body[block].last());
    match last.filter(|&op| body[op].name == YIELD) {
        Some(op) => {
            let operands = body[op].operands.iter();
            operands.map(|&v| p.value_type(v)).collect()
        }
        None => Vec::new(),
    }
}

/// Parses an `if` after `else`, alone in a region of its own.
fn parse_else_if(p: &mut OpParser<'_, '_>) -> PResult<()> {
    let token = p.parser.tok;
    p.parser.advance();
    let region = p.parser.body.new_region();
    let block = p.parser.body.add_block(region, &[]);
    let inner = p.parser.nested(|parser| {
        let mut op = OpParser::new(parser, IF, token);
        parse_if(&mut op)?;
        op.finish()
    })?;
    let body = &mut p.parser.body;
    body.append(block, inner);
    let results: Vec<_> = body[inner].results().collect();
    if !results.is_empty() {
        let state = gridloom_ir::OpState::new(YIELD, body[inner].loc).operands(&results);
        let end = body.create_op(state);
        body.append(block, end);
    }
    p.regions.push(region);
    Ok(())
}

/// `yield %a, %b`, with or without types.
pub(super) fn custom_yield(e: &mut Emit<'_, '_>) -> PResult<()> {
    let mut op = OpParser::new(e.p, YIELD, e.token);
    op.attr_dict()?;
    let operands = op.operand_list(Delimiter::None)?;
    let types = if op.eat(Tok::Colon) {
        op.type_list(Delimiter::None)?
    } else {
        let types = operands.iter().map(|&o| op.parser.defined_type(o));
        types.collect::<PResult<_>>()?
    };
    op.add_typed_operands(&operands, &types)?;
    let op = op.finish()?;
    e.append(op);
    Ok(())
}
