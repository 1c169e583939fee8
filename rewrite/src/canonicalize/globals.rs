//! Folds loads from constant globals.
//!
//! ```text
//! memref.global constant @table : memref<4xi32> = dense<[1, 4, 9, 16]>
//!
//! %t = memref.get_global @table
//! affine.load %t[2]                ⇒  9
//! ```
//!
//! Only constant subscripts in range fold, so that no fault is lost.

use gridloom_dialects::memref::GetGlobalOp;
use gridloom_dialects::{arith, inherent};
use gridloom_ir::{OpId, Value};

use crate::rewriter::Rewriter;

/// `load (get_global @g)[1, 2] ⇒ constant` for a constant global.
pub(super) fn simplify_load(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let globals = rw.globals?;
    let (ctx, body) = (rw.ctx, rw.body());
    let memory: Value = *body[op].operands.first()?;
    let global = GetGlobalOp::cast(body, body.defining_op(memory)?)?;
    let name = global.global(ctx, body).as_flat_symbol(ctx)?;
    let position: Option<Vec<i64>> = match body[op].get(ctx, inherent::MAP) {
        Some(map) => {
            let subscripts = map.results(ctx).iter();
            subscripts.map(|index| index.as_constant(ctx)).collect()
        }
        None => {
            let subscripts = body[op].operands[1..].iter();
            let constant = |&index| arith::constant_int(ctx, body, index);
            subscripts.map(constant).collect()
        }
    };
    let position = position?;
    let (attr, ty) = globals.element(ctx, name, body.ty(memory), &position)?;
    let value = rw.constant(attr, ty, op);
    rw.replace_op(op, &[value]);
    Some(())
}
