//! Custom forms of the unordered loops: `scf.parallel`, `scf.forall`.

use gridloom_ir::body::{Body, OpId, Value};
use gridloom_ir::context::Context;
use gridloom_ir::text::{Delimiter, OpParser, OpPrinter, ParseFailed, Tok};
use gridloom_ir::types::Type;

use super::form::print_pairs;
use super::{FORALL_IN_PARALLEL, REDUCE};

type Parsed<T = ()> = Result<T, ParseFailed>;

/// `scf.parallel (%i) = (%lb) to (%ub) step (%s) init (%a) -> f32 {…}`
pub(super) fn parse_parallel(p: &mut OpParser<'_, '_>) -> Parsed {
    let index = p.ctx().index_type();
    let variables = p.argument_names()?;
    p.expect(Tok::Equal)?;
    let count = variables.len();
    let lower = p.operands_of_number(Delimiter::Paren, count)?;
    p.expect_keyword("to")?;
    let upper = p.operands_of_number(Delimiter::Paren, count)?;
    p.expect_keyword("step")?;
    let step = p.operands_of_number(Delimiter::Paren, count)?;
    for list in [&lower, &upper, &step] {
        p.add_operands(list, index)?;
    }
    let inits = if p.eat_keyword("init") {
        p.operand_list(Delimiter::Paren)?
    } else {
        Default::default()
    };
    let types = p.optional_arrow_types()?;
    p.add_typed_operands(&inits, &types)?;
    p.add_results(&types);
    let count = variables.len() as i32;
    p.set_operand_segments(&[count, count, count, inits.len() as i32]);
    let args: Vec<_> = variables.iter().map(|&v| p.named(v, index)).collect();
    p.region_tail(&args, |p, args| p.ended_region(args, REDUCE))
}

/// Whether the custom form is unambiguous: without a region, a dictionary would
/// parse as one.
pub(super) fn reduce_form_is_unambiguous(_: &Context, body: &Body, op: OpId) -> bool {
    body[op].num_regions() > 0 || body[op].attributes.is_empty()
}

/// Whether the custom form is lossless: it spells the result types only, so the
/// initial values must have the same.
pub(super) fn parallel_form_is_lossless(ctx: &Context, body: &Body, op: OpId) -> bool {
    let data = &body[op];
    let inits = data.operand_segment(ctx, 3).iter().copied();
    inits
        .map(|v| body.ty(v))
        .eq(data.results().map(|v| body.ty(v)))
}

pub(super) fn print_parallel(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    let Some(entry) = body.region_block(op, 0) else {
        return;
    };
    p.text(" (");
    p.values(&body[entry].args);
    for (index, word) in [") = (", ") to (", ") step ("].into_iter().enumerate() {
        p.text(word);
        p.values(data.operand_segment(ctx, index));
    }
    p.text(")");
    let inits = data.operand_segment(ctx, 3);
    if !inits.is_empty() {
        p.text(" init (");
        p.values(inits);
        p.text(")");
    }
    let types: Vec<Type> = data.results().map(|v| body.ty(v)).collect();
    p.optional_arrow_types(&types);
    p.text(" ");
    p.region(body, op, 0, false, true);
    p.attr_dict(body, op, &[]);
}

/// `scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<4xf32>) {…}`, or
/// with `= (…) to (…) step (…)` in place of `in (…)`.
pub(super) fn parse_forall(p: &mut OpParser<'_, '_>) -> Parsed {
    let ctx = p.ctx();
    let index = ctx.index_type();
    let variables = p.argument_names()?;
    let count = variables.len();
    let mut lower = (Default::default(), vec![0; count]);
    let mut step = (Default::default(), vec![1; count]);
    let upper = if p.eat_keyword("in") {
        p.dynamic_index_list(Delimiter::Paren)?
    } else {
        p.expect(Tok::Equal)?;
        lower = p.dynamic_index_list(Delimiter::Paren)?;
        p.expect_keyword("to")?;
        let upper = p.dynamic_index_list(Delimiter::Paren)?;
        p.expect_keyword("step")?;
        step = p.dynamic_index_list(Delimiter::Paren)?;
        upper
    };
    let mut sizes = Vec::new();
    for (name, what, (operands, numbers)) in [
        ("staticLowerBound", "lower bound", &lower),
        ("staticUpperBound", "upper bound", &upper),
        ("staticStep", "step", &step),
    ] {
        if numbers.len() != count {
            let message = format!("expected {count} {what} values, got {}", numbers.len());
            return Err(p.plain_error_at(p.op_place(), message));
        }
        p.add_operands(operands, index)?;
        p.set_property(name, ctx.i64_array_attr(numbers));
        sizes.push(operands.len() as i32);
    }
    let mut args: Vec<_> = variables.iter().map(|&v| p.named(v, index)).collect();
    if p.eat_keyword("shared_outs") {
        let pairs = p.assignments()?;
        let types = p.optional_arrow_types()?;
        if pairs.len() != types.len() {
            return Err(p.wrong_number_of_types(pairs.len(), types.len()));
        }
        for (&(name, init), &ty) in pairs.iter().zip(&types) {
            p.add_operand(init, ty)?;
            args.push(p.named(name, ty));
        }
        p.add_results(&types);
        sizes.push(types.len() as i32);
    } else {
        sizes.push(0);
    }
    p.set_operand_segments(&sizes);
    p.region_tail(&args, |p, args| p.ended_region(args, FORALL_IN_PARALLEL))
}

pub(super) fn print_forall(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    let Some(entry) = body.region_block(op, 0) else {
        return;
    };
    let numbers = |name| data.attr(ctx, name).and_then(|a| a.as_i64_array(ctx));
    let lower = numbers("staticLowerBound").unwrap_or_default();
    let upper = numbers("staticUpperBound").unwrap_or_default();
    let step = numbers("staticStep").unwrap_or_default();
    let args = &body[entry].args;
    let (variables, outs) = args.split_at(upper.len().min(args.len()));
    p.text(" (");
    p.values(variables);
    p.text(")");
    let list = |p: &mut OpPrinter<'_>, word: &str, numbers: &[i64], operands: &[Value]| {
        p.text(word);
        p.dynamic_index_list(numbers, operands, Delimiter::Paren);
    };
    if lower.iter().all(|&n| n == 0) && step.iter().all(|&n| n == 1) {
        list(p, " in ", &upper, data.operand_segment(ctx, 1));
    } else {
        list(p, " = ", &lower, data.operand_segment(ctx, 0));
        list(p, " to ", &upper, data.operand_segment(ctx, 1));
        list(p, " step ", &step, data.operand_segment(ctx, 2));
    }
    print_pairs(p, " shared_outs", outs, data.operand_segment(ctx, 3));
    let has_results = data.num_results() > 0;
    if has_results {
        p.text(" -> (");
        p.result_types_of(body, op);
        p.text(")");
    }
    p.text(" ");
    p.region(body, op, 0, false, has_results);
    p.attr_dict(
        body,
        op,
        &["staticLowerBound", "staticUpperBound", "staticStep"],
    );
}

/// `scf.forall.in_parallel {…}`
pub(super) fn parse_in_parallel(p: &mut OpParser<'_, '_>) -> Parsed {
    p.region(&[])?;
    p.ensure_block(0);
    p.attr_dict()
}

pub(super) fn print_in_parallel(p: &mut OpPrinter<'_>, _: &Context, body: &Body, op: OpId) {
    p.text(" ");
    p.region(body, op, 0, false, true);
    p.attr_dict(body, op, &[]);
}
