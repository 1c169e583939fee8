//! Result names of constants, and of their products with `vector.vscale`.

use std::borrow::Cow;

use crate::constant_name::{bool_name, integer};
use crate::index;
use gridloom_ir::body::{Body, OpId, Value};
use gridloom_ir::context::Context;
use gridloom_ir::text::type_string;
use gridloom_ir::types::TypeKind;

/// Names a constant: `c5`, `c5_i32`, `true`, `cst`.
pub(super) fn constant_name(ctx: &Context, body: &Body, op: OpId) -> Option<Cow<'static, str>> {
    let Some(value) = integer(ctx, body, op) else {
        return Some("cst".into());
    };
    let ty = body.ty(body[op].result(0));
    Some(match ty.kind(ctx) {
        TypeKind::Integer { width: 1, .. } => bool_name(value),
        TypeKind::Integer { .. } => {
            format!("c{}_{}", value.to_decimal(), type_string(ctx, ty)).into()
        }
        _ => format!("c{}", value.to_decimal()).into(),
    })
}

/// Names a constant times `vector.vscale`: `c4_vscale`.
pub(super) fn scaled_name(ctx: &Context, body: &Body, op: OpId) -> Option<Cow<'static, str>> {
    let data = &body[op];
    let &[lhs, rhs] = data.operands.as_slice() else {
        return None;
    };
    let made_by = |value: Value| body.defining_op(value);
    let base = |base: Value, scale: Value| {
        let scale = made_by(scale)?;
        let base = made_by(base)?;
        let constant = matches!(body[base].name, super::CONSTANT | index::CONSTANT);
        // By its text: `vector` lies above this dialect.
        let scales = || ctx.op_name_str(body[scale].name) == "vector.vscale";
        (constant && scales())
            .then(|| integer(ctx, body, base))
            .flatten()
    };
    let base = base(lhs, rhs).or_else(|| base(rhs, lhs))?;
    Some(format!("c{}_vscale", base.to_decimal()).into())
}
