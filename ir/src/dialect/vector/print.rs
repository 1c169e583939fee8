//! `vector.print`.

use super::attrs::PUNCTUATION;
use super::types::PRINTED;
use crate::dialect::constraints::*;
use crate::op::{AttrConstraint, AttrSyntax, OpDef};
use crate::verify::{Check, Checked};

/// The text that is written instead of a value.
const LITERAL: AttrConstraint = AttrConstraint {
    summary: "An Attribute containing a string",
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
    .verify(verify);

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
