//! `vector.print`.

use super::attrs::PUNCTUATION;
use super::types::PRINTED;
use gridloom_ir::body::{Body, OpId};
use gridloom_ir::constraints::*;
use gridloom_ir::context::Context;
use gridloom_ir::op::{AttrConstraint, AttrSyntax, OpDef, Storage};
use gridloom_ir::verify::{Check, Checked};

/// The string printed instead of a value.
const LITERAL: AttrConstraint = AttrConstraint {
    summary: "An Attribute containing a string",
    storage: Storage::Exact,
    check: STRING.check,
};

pub(super) const PRINT: OpDef = OpDef::new("vector.print")
    .operands(&[maybe("source", PRINTED)])
    .attrs(&[
        PUNCTUATION,
        attr("stringLiteral", LITERAL)
            .spelled(AttrSyntax::String)
            .optional(),
    ])
    .format(
        "($source^ `:` type($source))? \
         oilist(`str` $stringLiteral | `punctuation` $punctuation) attr-dict",
    )
    .printed_if(custom_form_is_unambiguous)
    .verify_kind(verify);

/// Whether the custom form is unambiguous: if it ends after the name, the
/// results of the next operation would parse as its operand.
fn custom_form_is_unambiguous(ctx: &Context, body: &Body, op: OpId) -> bool {
    let data = &body[op];
    let next = data.next().is_some_and(|next| body[next].num_results() > 0);
    let silent = data.operands.is_empty()
        && data.attributes.is_empty()
        && data.attr(ctx, "stringLiteral").is_none()
        && data.attr(ctx, "punctuation")
            == Some(ctx.dialect_attr("vector", ".punctuation<newline>"));
    !(silent && next)
}

fn verify(check: &Check) -> Checked {
    let ctx = check.ctx();
    let data = check.data();
    if data.attr(ctx, "stringLiteral").is_none() {
        return Ok(());
    }
    let newline = match data.attr(ctx, "punctuation") {
        Some(punctuation) => punctuation == ctx.dialect_attr("vector", ".punctuation<newline>"),
        None => true,
    };
    check.ensure(
        data.operands.is_empty() && newline,
        "failed to verify that `source` or `punctuation` are not set when printing strings",
    )
}
