//! `bufferization.alloc_tensor`.

use crate::tensor::kind::shape;
use gridloom_ir::body::{Body, OpId};
use gridloom_ir::context::Context;
use gridloom_ir::text::{Delimiter, OpParser, OpPrinter, ParseFailed, Tok};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::verify::{Check, Checked};

/// `bufferization.alloc_tensor(%n) copy(%t) size_hint=%s : tensor<…>`
pub(super) fn parse(p: &mut OpParser<'_, '_>) -> Result<(), ParseFailed> {
    let sizes = p.operand_list(Delimiter::Paren)?;
    let mut copy = None;
    if p.eat_keyword("copy") {
        p.expect(Tok::LParen)?;
        copy = Some(p.operand()?);
        p.expect(Tok::RParen)?;
    }
    let mut hint = None;
    if p.eat_keyword("size_hint") {
        p.expect(Tok::Equal)?;
        hint = Some(p.operand()?);
    }
    p.attr_dict()?;
    p.expect(Tok::Colon)?;
    let place = p.place();
    let ty = p.ty()?;
    p.check_class(place, ty, "tensor")?;
    let index = p.ctx().index_type();
    p.add_operands(&sizes, index)?;
    if let Some(copy) = copy {
        p.add_operand(copy, ty)?;
    }
    if let Some(hint) = hint {
        p.add_operand(hint, index)?;
    }
    p.add_result(ty);
    let present = |there: bool| i32::from(there);
    p.set_operand_segments(&[
        sizes.len() as i32,
        present(copy.is_some()),
        present(hint.is_some()),
    ]);
    Ok(())
}

pub(super) fn print(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    p.text("(");
    p.values(data.operand_segment(ctx, 0));
    p.text(")");
    if let [copy] = data.operand_segment(ctx, 1) {
        p.text(" copy(");
        p.value(*copy);
        p.text(")");
    }
    if let [hint] = data.operand_segment(ctx, 2) {
        p.text(" size_hint=");
        p.value(*hint);
    }
    p.attr_dict(body, op, &[]);
    p.text(" : ");
    p.result_types_of(body, op);
}

pub(super) fn verify(check: &Check) -> Checked {
    let (ctx, data) = (check.ctx(), check.data());
    let given = data.operand_segment(ctx, 0).len();
    let to = check.result_type(0);
    if let [copy] = data.operand_segment(ctx, 1) {
        if given != 0 {
            let message = "dynamic sizes not needed when copying a tensor";
            return Err(crate::slice::plain(check, message));
        }
        if check.body().ty(*copy) != to {
            let message = "expected that `copy` and return type match";
            return Err(crate::slice::plain(check, message));
        }
        return Ok(());
    }
    let extents = shape(ctx, to).unwrap_or(&[]);
    let holes = extents.iter().filter(|&&extent| extent == DYNAMIC).count();
    check.ensure(
        given == holes,
        format_args!("incorrect number of dynamic sizes, has {given}, expected {holes}"),
    )
}
