//! `arith.constant`.

use crate::attr::Attr;
use crate::body::{Body, Value};
use crate::context::Context;
use crate::dialect::required;

op_view! {
    /// `arith.constant`
    ConstantOp = super::CONSTANT
}

impl ConstantOp {
    /// The value: a typed attribute of the result's type.
    pub fn value(self, ctx: &Context, body: &Body) -> Attr {
        required(ctx, &body[self.0], "value")
    }
}

/// The attribute of a value that an `arith.constant` defines.
pub fn constant_value(ctx: &Context, body: &Body, value: Value) -> Option<Attr> {
    let op = ConstantOp::cast(body, body.defining_op(value)?)?;
    body[op.0].attr(ctx, "value")
}

/// The number that an `arith.constant` of integer or index type defines, if
/// it fits 64 bits.
pub fn constant_int(ctx: &Context, body: &Body, value: Value) -> Option<i64> {
    constant_value(ctx, body, value)?.as_i64(ctx)
}
