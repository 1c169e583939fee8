//! `arith.constant`.

use crate::verified::required;
use gridloom_ir::attr::{Attr, AttrKind, DenseData};
use gridloom_ir::attr_names;
use gridloom_ir::body::{Body, Value};
use gridloom_ir::context::Context;
use gridloom_ir::types::{Signedness, TypeKind};
use gridloom_ir::verify::{Check, Checked};

op_view! {
    /// `arith.constant`
    ConstantOp = super::CONSTANT
}

impl ConstantOp {
    /// The value: a typed attribute of the result's type.
    pub fn value(self, ctx: &Context, body: &Body) -> Attr {
        required(ctx, &body[self.0], attr_names::VALUE)
    }
}

/// The attribute of a value defined by `arith.constant`.
pub fn constant_value(ctx: &Context, body: &Body, value: Value) -> Option<Attr> {
    let op = ConstantOp::cast(body, body.defining_op(value)?)?;
    body[op.0].attr(ctx, attr_names::VALUE)
}

/// The integer of a value defined by `arith.constant`, of integer or index
/// type, if it fits 64 bits.
pub fn constant_int(ctx: &Context, body: &Body, value: Value) -> Option<i64> {
    constant_value(ctx, body, value)?.as_i64(ctx)
}

pub(super) fn verify_constant(check: &Check) -> Checked {
    let ctx = check.ctx();
    let value = ConstantOp(check.op).value(ctx, check.body());
    let is_value = matches!(
        value.kind(ctx),
        AttrKind::Integer { .. }
            | AttrKind::Float { .. }
            | AttrKind::Dense { .. }
            | AttrKind::DenseResource { .. }
            | AttrKind::Sparse { .. }
    );
    let signed = matches!(
        check.result_type(0).kind(ctx),
        TypeKind::Integer { signedness, .. } if *signedness != Signedness::Signless
    );
    check.ensure(!signed, "integer return type must be signless")?;
    check.ensure(
        is_value,
        "value must be an integer, float, or elements attribute",
    )?;
    let splat = matches!(
        value.kind(ctx),
        AttrKind::Dense {
            data: DenseData::Splat(_),
            ..
        }
    );
    let scalable = matches!(
        check.result_type(0).kind(ctx),
        TypeKind::Vector { scalable, .. } if scalable.contains(&true)
    );
    check.ensure(
        splat || !scalable,
        "intializing scalable vectors with elements attribute is not supported \
         unless it's a vector splat",
    )
}
