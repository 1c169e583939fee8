//! Custom forms of the structured operations with one body: `scf.for`,
//! `scf.if`, `scf.while`, `scf.execute_region`, `scf.index_switch`.

use gridloom_ir::body::{Body, OpId, Value};
use gridloom_ir::context::Context;
use gridloom_ir::text::{Argument, Delimiter, OpParser, OpPrinter, Operand, ParseFailed, Tok};
use gridloom_ir::types::Type;

use super::YIELD;

type Parsed<T = ()> = Result<T, ParseFailed>;

/// `%name = %value`
type Pair<'s> = (Operand<'s>, Operand<'s>);

/// Region arguments for `%name = %value` pairs, and their types, which follow
/// `->`.
pub(super) fn parse_iter_args<'s>(p: &mut OpParser<'_, 's>) -> Parsed<(Vec<Pair<'s>>, Vec<Type>)> {
    let pairs = p.assignments()?;
    let types = p.arrow_types()?;
    Ok((pairs, types))
}

/// ` word(%arg = %init, …)`, or nothing for none.
pub(super) fn print_pairs(p: &mut OpPrinter<'_>, word: &str, args: &[Value], inits: &[Value]) {
    if inits.is_empty() {
        return;
    }
    p.text(word);
    p.text("(");
    for (index, (&arg, &init)) in args.iter().zip(inits).enumerate() {
        if index > 0 {
            p.text(", ");
        }
        p.value(arg);
        p.text(" = ");
        p.value(init);
    }
    p.text(")");
}

/// `scf.for %i = %lb to %ub step %s iter_args(%a = %b) -> (f32) : i32 {…}`
pub(super) fn parse_for(p: &mut OpParser<'_, '_>) -> Parsed {
    let ctx = p.ctx();
    if p.eat_keyword("unsigned") {
        p.set_property("unsignedCmp", ctx.unit_attr());
    }
    let variable = p.operand()?;
    p.expect(Tok::Equal)?;
    let lower = p.operand()?;
    p.expect_keyword("to")?;
    let upper = p.operand()?;
    p.expect_keyword("step")?;
    let step = p.operand()?;
    let (mut pairs, mut types) = (Vec::new(), Vec::new());
    if p.eat_keyword("iter_args") {
        (pairs, types) = parse_iter_args(p)?;
    }
    if pairs.len() != types.len() {
        let message = "mismatch in number of loop-carried values and defined values";
        return Err(p.error_at(p.op_place(), message));
    }
    let counter = if p.at(Tok::Colon) {
        p.colon_type()?
    } else {
        ctx.index_type()
    };
    p.add_operands(&[lower, upper, step], counter)?;
    let mut args = vec![p.named(variable, counter)];
    for (&(name, init), &ty) in pairs.iter().zip(&types) {
        p.add_operand(init, ty)?;
        args.push(p.named(name, ty));
    }
    p.add_results(&types);
    p.region_tail(&args, |p, args| p.ended_region(args, YIELD))
}

pub(super) fn print_for(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    let (Some(entry), [lower, upper, step, inits @ ..]) =
        (body.region_block(op, 0), &data.operands[..])
    else {
        return;
    };
    let args = &body[entry].args;
    p.text(" ");
    if data.attr(ctx, "unsignedCmp").is_some() {
        p.text("unsigned ");
    }
    if let Some(&variable) = args.first() {
        p.value(variable);
    }
    for (word, &value) in [(" = ", lower), (" to ", upper), (" step ", step)] {
        p.text(word);
        p.value(value);
    }
    print_pairs(p, " iter_args", args.get(1..).unwrap_or(&[]), inits);
    if !inits.is_empty() {
        p.text(" -> (");
        p.types_of(body, inits);
        p.text(")");
    }
    let counter = body.ty(*lower);
    if !counter.is_index(ctx) {
        p.text("  : ");
        p.ty(counter);
    }
    p.text(" ");
    p.region(body, op, 0, false, !inits.is_empty());
    p.attr_dict(body, op, &["unsignedCmp"]);
}

/// `scf.if %condition -> (f32) {…} else {…}`
pub(super) fn parse_if(p: &mut OpParser<'_, '_>) -> Parsed {
    let condition = p.operand()?;
    let bool_type = p.ctx().bool_type();
    p.add_operand(condition, bool_type)?;
    let types = p.optional_arrow_types()?;
    p.add_results(&types);
    p.region_tail(&[], |p, _| p.then_and_else(YIELD))
}

pub(super) fn print_if(p: &mut OpPrinter<'_>, _: &Context, body: &Body, op: OpId) {
    let has_results = body[op].num_results() > 0;
    p.text(" ");
    p.values(&body[op].operands);
    if has_results {
        p.text(" -> (");
        p.result_types_of(body, op);
        p.text(")");
    }
    p.text(" ");
    p.region(body, op, 0, false, has_results);
    if body.region_block(op, 1).is_some() {
        p.text(" else ");
        p.region(body, op, 1, false, has_results);
    }
    p.attr_dict(body, op, &[]);
}

/// `scf.while (%a = %b) : (f32) -> f32 {…} do {…}`
pub(super) fn parse_while(p: &mut OpParser<'_, '_>) -> Parsed {
    let pairs = if p.at(Tok::LParen) {
        p.assignments()?
    } else {
        Vec::new()
    };
    p.expect(Tok::Colon)?;
    let place = p.place();
    let (inputs, results) = p.function_type()?;
    if inputs.len() != pairs.len() {
        let message = format!(
            "expected as many input types as operands (expected {} got {})",
            pairs.len(),
            inputs.len()
        );
        return Err(p.error_at(place, message));
    }
    let mut args: Vec<Argument> = Vec::new();
    for (&(name, init), &ty) in pairs.iter().zip(&inputs) {
        p.add_operand(init, ty)?;
        args.push(p.named(name, ty));
    }
    p.add_results(&results);
    p.region_tail(&args, |p, args| {
        p.region(args)?;
        p.expect_keyword("do")?;
        p.region(&[])?;
        p.attr_dict_with_keyword()
    })
}

pub(super) fn print_while(p: &mut OpPrinter<'_>, _: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    if let Some(before) = body.region_block(op, 0) {
        print_pairs(p, " ", &body[before].args, &data.operands);
    }
    p.text(" : ");
    let inputs: Vec<Type> = data.operands.iter().map(|&v| body.ty(v)).collect();
    let results: Vec<Type> = data.results().map(|v| body.ty(v)).collect();
    p.function_type(&inputs, &results);
    p.text(" ");
    p.region(body, op, 0, false, true);
    p.text(" do ");
    p.region(body, op, 1, true, true);
    p.attr_dict_with_keyword(body, op, &[]);
}

/// `scf.execute_region -> f32 no_inline {…}`
pub(super) fn parse_execute_region(p: &mut OpParser<'_, '_>) -> Parsed {
    let types = p.optional_arrow_types()?;
    p.add_results(&types);
    if p.eat_keyword("no_inline") {
        let unit = p.ctx().unit_attr();
        p.set_property("no_inline", unit);
    }
    p.region_tail(&[], |p, _| {
        p.region(&[])?;
        p.attr_dict()
    })
}

pub(super) fn print_execute_region(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let types: Vec<Type> = body[op].results().map(|v| body.ty(v)).collect();
    p.optional_arrow_types(&types);
    if body[op].attr(ctx, "no_inline").is_some() {
        p.text(" no_inline");
    }
    p.text(" ");
    p.region(body, op, 0, true, true);
    p.attr_dict(body, op, &["no_inline"]);
}

/// `scf.index_switch %n -> f32 case 1 {…} default {…}`
pub(super) fn parse_index_switch(p: &mut OpParser<'_, '_>) -> Parsed {
    let ctx = p.ctx();
    let arg = p.operand()?;
    p.add_operand(arg, ctx.index_type())?;
    p.attr_dict()?;
    if p.eat(Tok::Arrow) {
        let types = p.type_list(Delimiter::None)?;
        p.add_results(&types);
    }
    let mut cases = Vec::new();
    while p.eat_keyword("case") {
        cases.push(p.integer("a case")?);
        p.region(&[])?;
    }
    p.expect_keyword("default")?;
    p.region(&[])?;
    // The default region is the first one.
    p.move_last_region_to_front();
    p.ensure_terminator(0, YIELD);
    p.set_property("cases", ctx.i64_array_attr(&cases));
    Ok(())
}

pub(super) fn print_index_switch(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    p.text(" ");
    p.values(&data.operands);
    p.attr_dict(body, op, &["cases"]);
    let has_results = data.num_results() > 0;
    if has_results {
        p.text(" -> ");
        p.result_types_of(body, op);
    }
    p.text(" ");
    let cases = data.attr(ctx, "cases").and_then(|a| a.as_i64_array(ctx));
    for (index, case) in cases.unwrap_or_default().into_iter().enumerate() {
        p.newline();
        p.text("case ");
        p.int_text(case);
        p.text(" ");
        // mlir-opt reads a case without a terminator as a region without blocks.
        p.region(body, op, index + 1, false, true);
    }
    p.newline();
    p.text("default ");
    p.region(body, op, 0, true, false);
}
