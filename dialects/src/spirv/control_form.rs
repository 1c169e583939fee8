//! Custom forms of branches.

use gridloom_ir::attr::{Attr, AttrKind};
use gridloom_ir::body::{Body, OpId};
use gridloom_ir::context::Context;
use gridloom_ir::text::{OpParser, OpPrinter, ParseFailed, Tok};

/// `%c [5, 10], ^true(%a : i32), ^false`
pub(super) fn parse_branch_conditional(p: &mut OpParser<'_, '_>) -> Result<(), ParseFailed> {
    let ctx = p.ctx();
    let condition = p.operand()?;
    p.add_operand(condition, ctx.bool_type())?;
    if p.eat(Tok::LSquare) {
        let taken = p.attribute_of(ctx.int_type(32))?;
        p.expect(Tok::Comma)?;
        let other = p.attribute_of(ctx.int_type(32))?;
        p.expect(Tok::RSquare)?;
        p.set_property("branch_weights", ctx.array_attr(&[taken, other]));
    }
    let mut sizes = [1, 0, 0];
    for size in &mut sizes[1..] {
        p.expect(Tok::Comma)?;
        let operands = p.successor_with_operands()?;
        *size = operands.len() as i32;
        for operand in operands {
            p.push_operand(operand);
        }
    }
    p.set_operand_segments(&sizes);
    Ok(())
}

pub(super) fn print_branch_conditional(
    p: &mut OpPrinter<'_>,
    ctx: &Context,
    body: &Body,
    op: OpId,
) {
    let data = &body[op];
    p.text(" ");
    p.values(data.operand_segment(ctx, 0));
    let weights = data.attr(ctx, "branch_weights");
    if let Some(weights) = weights.and_then(|weights| weights.as_array(ctx)) {
        p.text(" [");
        p.separated(weights, |p, &weight| p.attr_untyped(weight));
        p.text("]");
    }
    for (index, &block) in data.successors().iter().enumerate() {
        p.text(", ");
        p.successor_with_operands(body, block, data.operand_segment(ctx, index + 1));
    }
}

/// Prints `%x : i32, [default: ^a, 1: ^b(%y : f32)]`, one case on each line.
pub(super) fn print_switch(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    let [selector, ..] = data.operands[..] else {
        return;
    };
    let Some((&default, others)) = data.successors().split_first() else {
        return;
    };
    p.text(" ");
    p.value(selector);
    p.text(" : ");
    p.ty(body.ty(selector));
    p.text(", [");
    p.newline();
    p.text("  default: ");
    p.successor_with_operands(body, default, data.operand_segment(ctx, 1));
    let literals = data.attr(ctx, "literals");
    let literals = literals.map(|a| a.stored_elements(ctx)).unwrap_or_default();
    let segments = data.attr(ctx, "case_operand_segments");
    let segments = segments
        .and_then(|a| a.as_i32_array(ctx))
        .unwrap_or_default();
    let mut rest = data.operand_segment(ctx, 2);
    for (index, &block) in others.iter().enumerate() {
        let count = segments
            .get(index)
            .map_or(0, |&count| count.max(0) as usize);
        let (mine, after) = rest.split_at(count.min(rest.len()));
        rest = after;
        p.text(",");
        p.newline();
        p.text("  ");
        // A splat stores equal literals once.
        if let Some(&literal) = literals.get(index).or(literals.first()) {
            print_literal(p, ctx, literal);
        }
        p.text(": ");
        p.successor_with_operands(body, block, mine);
    }
    if !others.is_empty() {
        p.newline();
    }
    p.text("]");
    p.attr_dict(body, op, &["literals", "case_operand_segments"]);
}

/// Prints a literal as an unsigned number.
fn print_literal(p: &mut OpPrinter<'_>, ctx: &Context, literal: Attr) {
    let width = match literal.kind(ctx) {
        AttrKind::Integer { ty, .. } => ty.signless_width(ctx),
        _ => None,
    };
    match (literal.as_i64(ctx), width) {
        (Some(value), Some(width @ 1..=64)) if value < 0 => {
            let unsigned = value as u64 & (u64::MAX >> (64 - width));
            p.text(&unsigned.to_string());
        }
        _ => p.attr_untyped(literal),
    }
}
