//! The `cf` dialect.

use crate::slice::plain;
use gridloom_ir::attr::{Attr, AttrKind};
use gridloom_ir::body::{Body, OpId};
use gridloom_ir::constraints::*;
use gridloom_ir::context::Context;
use gridloom_ir::op::{AttrSyntax, OpDef, SuccessorOperands, Traits};
use gridloom_ir::text::{Delimiter, OpParser, OpPrinter, ParseFailed, Tok, type_string};
use gridloom_ir::types::{Type, TypeKind};
use gridloom_ir::verify::{Check, Checked};

const BRANCH: Traits = Traits::PURE.with(Traits::TERMINATOR);

dialect_ops! {
    after super::func::END;
    /// `cf.assert`: aborts with a message if a condition is false.
    ASSERT = OpDef::new("cf.assert")
        .operands(&[one("arg", I1)])
        .attrs(&[attr("msg", STRING).spelled(AttrSyntax::String)])
        .format("$arg `,` $msg attr-dict");
    /// `cf.br`: an unconditional branch.
    BR = OpDef::new("cf.br")
        .with(BRANCH)
        .operands(&[many("destOperands", ANY)])
        .successors(1)
        .passes(SuccessorOperands::Groups(0))
        .format("$dest (`(` $destOperands^ `:` type($destOperands) `)`)? attr-dict");
    /// `cf.cond_br`: a conditional branch.
    COND_BR = OpDef::new("cf.cond_br")
        .passes(SuccessorOperands::Groups(1))
        .with(BRANCH)
        .with(Traits::ATTR_SIZED_OPERANDS)
        .operands(&[
            one("condition", I1),
            many("trueDestOperands", ANY),
            many("falseDestOperands", ANY),
        ])
        .attrs(&[attr("branch_weights", I32_ARRAY)
            .spelled(AttrSyntax::DenseArray(|c| c.int_type(32)))
            .optional()])
        .successors(2)
        .format("$condition (`weights` `(` $branch_weights^ `)`)? `,` \
            $trueDest (`(` $trueDestOperands^ `:` type($trueDestOperands) `)`)? `,` \
            $falseDest (`(` $falseDestOperands^ `:` type($falseDestOperands) `)`)? attr-dict")
        .verify_kind(verify_weights);
    /// `cf.switch`: a branch on an integer.
    SWITCH = OpDef::new("cf.switch")
        .passes(SuccessorOperands::Segments { first: 1, sizes: "case_operand_segments" })
        .with(BRANCH)
        .with(Traits::ATTR_SIZED_OPERANDS)
        .operands(&[
            one("flag", INTEGER),
            many("defaultOperands", ANY),
            many("caseOperands", ANY),
        ])
        .attrs(&[
            attr("case_values", INT_ELEMENTS).optional(),
            attr("case_operand_segments", I32_ARRAY),
        ])
        .any_successors()
        .custom(parse_switch, print_switch)
        .verify_kind(verify_switch);
}

/// `cf.switch %flag : i32, [default: ^bb1(%a : i32), 42: ^bb2]`
fn parse_switch(p: &mut OpParser<'_, '_>) -> Result<(), ParseFailed> {
    parse_switch_with(p, "case_values")
}

/// Parses a switch whose case values go to the attribute `values_name`.
pub(crate) fn parse_switch_with(
    p: &mut OpParser<'_, '_>,
    values_name: &str,
) -> Result<(), ParseFailed> {
    let ctx = p.ctx();
    let flag = p.operand()?;
    p.expect(Tok::Colon)?;
    let place = p.place();
    let ty = p.ty()?;
    if !matches!(ty.kind(ctx), TypeKind::Integer { .. }) {
        let message = format!(
            "invalid kind of type specified: expected builtin.integer, but found '{}'",
            type_string(ctx, ty)
        );
        return Err(p.error_at(place, message));
    }
    p.add_operand(flag, ty)?;
    p.expect(Tok::Comma)?;
    let (mut groups, mut cases) = (Vec::new(), Vec::new());
    p.expect(Tok::LSquare)?;
    if p.at(Tok::RSquare) {
        return Err(p.error("expected 'default'"));
    }
    p.list(Delimiter::None, |p| {
        if groups.is_empty() {
            p.expect_keyword("default")?;
        } else {
            if !matches!(p.peek(), Tok::Integer | Tok::Minus) {
                return Err(p.expected("integer value"));
            }
            let place = p.place();
            let case = p.attribute_of(ty)?;
            let AttrKind::Integer { value, .. } = case.kind(p.ctx()) else {
                return Err(p.error_at(place, "expected integer value"));
            };
            cases.push(value.clone());
        }
        p.expect(Tok::Colon)?;
        groups.push(p.successor_with_operands()?);
        Ok(())
    })?;
    p.expect(Tok::RSquare)?;
    let Some((default, others)) = groups.split_first() else {
        return Err(p.error("expected 'default'"));
    };
    for &value in groups.iter().flatten() {
        p.push_operand(value);
    }
    let others_count = others.iter().map(Vec::len).sum::<usize>();
    p.set_operand_segments(&[1, default.len() as i32, others_count as i32]);
    let segments: Vec<i32> = others.iter().map(|group| group.len() as i32).collect();
    p.set_property("case_operand_segments", ctx.i32_array_attr(&segments));
    if !cases.is_empty() {
        let values = ctx.dense_ints_attr(ctx.vector_type(&[cases.len() as i64], ty), &cases);
        p.set_property(values_name, values);
    }
    p.attr_dict()
}

fn print_switch(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    let Some((&flag, _)) = data.operands.split_first() else {
        return;
    };
    let Some((&default, successors)) = data.successors().split_first() else {
        return;
    };
    p.text(" ");
    p.value(flag);
    p.text(" : ");
    p.ty(body.ty(flag));
    p.text(", [");
    p.newline();
    p.text("  default: ");
    p.successor_with_operands(body, default, data.operand_segment(ctx, 1));
    let segments = data.attr(ctx, "case_operand_segments");
    let segments = segments
        .and_then(|a| a.as_i32_array(ctx))
        .unwrap_or_default();
    let values = data.attr(ctx, "case_values");
    let values = values.map(|a| a.stored_elements(ctx)).unwrap_or_default();
    let mut rest = data.operand_segment(ctx, 2);
    for (index, &block) in successors.iter().enumerate() {
        let count = segments.get(index).map_or(0, |&n| n.max(0) as usize);
        let (mine, others) = rest.split_at(count.min(rest.len()));
        rest = others;
        p.text(",");
        p.newline();
        p.text("  ");
        // A splat stores equal values once.
        if let Some(&value) = values.get(index).or(values.first()) {
            print_case(p, ctx, value, body.ty(flag));
        }
        p.text(": ");
        p.successor_with_operands(body, block, mine);
    }
    if !successors.is_empty() {
        p.newline();
    }
    p.text("]");
    p.attr_dict(body, op, &["case_values", "case_operand_segments"]);
}

/// Prints a case value without its type; as an unsigned number for up to 64
/// bits.
fn print_case(p: &mut OpPrinter<'_>, ctx: &Context, value: Attr, flag: Type) {
    match (value.as_i64(ctx), flag.kind(ctx)) {
        (Some(number), TypeKind::Integer { width, .. }) if number < 0 && *width <= 64 => {
            let bits = number as u64 & u64::MAX >> (64 - *width);
            p.text(&bits.to_string());
        }
        _ => p.attr_untyped(value),
    }
}

/// Verifies a switch: as many values of the flag's type and operand counts as
/// cases.
fn verify_switch(check: &Check) -> Checked {
    let (ctx, data) = (check.ctx(), check.data());
    let cases = data.successors().len().saturating_sub(1);
    check.ensure(
        !data.successors().is_empty(),
        "requires at least 1 successors but found 0",
    )?;
    let values = data.attr(ctx, "case_values").map(|values| values.kind(ctx));
    let (mut count, mut element) = (0, None);
    if let Some(AttrKind::Dense { ty, .. }) = values {
        if let TypeKind::Vector { shape, .. } | TypeKind::RankedTensor { shape, .. } = ty.kind(ctx)
        {
            count = shape.iter().product();
        }
        element = ty.element(ctx);
    }
    let flag = check.operand_type(0);
    if let Some(element) = element.filter(|&element| element != flag) {
        return Err(check.error(format!(
            "'flag' type ('{}') should match case value type ('{}')",
            check.show(flag),
            check.show(element)
        )));
    }
    check.ensure(
        count == cases as i64,
        format_args!(
            "number of case values ({count}) should match number of case destinations ({cases})"
        ),
    )?;
    verify_case_segments(check, "caseOperands", cases)
}

/// Verifies that `case_operand_segments` adds up to the length of the third
/// operand group.
pub(super) fn verify_case_segments(check: &Check, group: &str, cases: usize) -> Checked {
    let (ctx, data) = (check.ctx(), check.data());
    let segments = data.attr(ctx, "case_operand_segments");
    let segments = segments
        .and_then(|s| s.as_i32_array(ctx))
        .unwrap_or_default();
    let total: i64 = segments.iter().map(|&size| i64::from(size)).sum();
    let given = data.operand_segment(ctx, 2).len();
    check.ensure(
        total == given as i64,
        format_args!(
            "{group} count ({given}) does not match with the total size ({total}) specified in \
             attribute 'case_operand_segments'"
        ),
    )?;
    check.ensure(
        segments.len() == cases && segments.iter().all(|&size| size >= 0),
        "'case_operand_segments' does not match the case destinations and their operands",
    )
}

/// Verifies the branch weights: one for each successor, not all zero.
fn verify_weights(check: &Check) -> Checked {
    let ctx = check.ctx();
    let weights = check.data().attr(ctx, "branch_weights");
    let weights = weights.and_then(|weights| weights.as_i32_array(ctx));
    let weights = weights.unwrap_or_default();
    if weights.is_empty() {
        return Ok(());
    }
    let successors = check.data().successors().len();
    if weights.len() != successors {
        let message = format!(
            "expects number of branch weights to match number of successors: {} vs {successors}",
            weights.len()
        );
        return Err(plain(check, message));
    }
    if weights.iter().all(|&weight| weight == 0) {
        return Err(plain(check, "branch weights cannot all be zero"));
    }
    Ok(())
}
