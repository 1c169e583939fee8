//! Initialization analysis: whether all elements of a box were written before. An allocation may
//! have elements that nothing has written, which must not be read.

use gridloom_dialects::affine::{Access, ForOp};
use gridloom_dialects::memref;
use gridloom_ir::{OpId, Value};

use super::region::{Side, Touch, is_filled, reads_all};
use crate::analysis::values::AffineValues;

/// Whether all elements of a loop's box are initialized: the loop itself reads each of them first,
/// or an operation in front has written the whole memref.
pub(in crate::transform) fn is_initialised(
    values: &mut AffineValues,
    l: ForOp,
    memref: Value,
    touches: &[Touch],
    sides: &[Side],
) -> bool {
    let starts_by_reading = touches.first().is_some_and(|touch| !touch.is_store);
    if starts_by_reading && reads_all(values, l, touches, sides) {
        return true;
    }
    let body = values.body;
    let mut at = Some(l.0);
    while let Some(op) = at {
        let before = std::iter::successors(body[op].prev(), |&op| body[op].prev());
        if { before }.any(|op| writes_all(values, op, memref)) {
            return true;
        }
        at = body.parent_op(op);
    }
    false
}

/// Whether an operation writes all elements of a memref.
fn writes_all(values: &mut AffineValues, op: OpId, memref: Value) -> bool {
    let (ctx, body) = (values.ctx, values.body);
    if body[op].name == memref::COPY {
        return memref::CopyOp(op).target(body) == memref;
    }
    let Some(l) = ForOp::cast(body, op) else {
        return false;
    };
    let Some(ty) = body
        .ty(memref)
        .memref(ctx)
        .filter(|ty| ty.has_static_shape())
    else {
        return false;
    };
    let whole: Vec<Side> = (ty.shape.iter())
        .map(|&extent| Side {
            first: ctx.affine_const(0),
            extent,
            starts_inside: true,
            ends_inside: true,
            range: [None; 2],
        })
        .collect();
    let own = body.walk_op(op).into_iter();
    let own: Vec<Access> = own
        .filter_map(|op| Access::cast(body, op))
        .filter(|access| access.is_store && access.memref(body) == memref)
        .collect();
    let touches: Vec<Touch> = own
        .into_iter()
        .map(|access| Touch::of(values, access))
        .collect();
    is_filled(values, l, &touches, &whole)
}
