//! Index values: integers, and the results of a map, as operands of operations that take any index.

use gridloom_dialects::affine::{ApplyOp, Bound};
use gridloom_dialects::arith;
use gridloom_ir::{AffineExpr, Body, Builder, OpId, Value};

use super::affine_scope::is_affine;
use super::joint_bounds::JointBounds;
use super::lower_affine::expand_results;

/// The operation behind a value's definition: after the operation that defines it, or first in the block whose argument it is.
pub(super) fn op_behind(body: &Body, value: Value) -> Option<OpId> {
    match body.defining_op(value) {
        Some(op) => body[op].next(),
        None => body[body.value_block(value)?].first(),
    }
}

/// Emits an integer as an `index` of the same value.
pub(super) fn as_index(b: &mut Builder, value: Value) -> Value {
    match b.body.ty(value).is_index(b.ctx) {
        true => value,
        false => b.unary(arith::INDEX_CAST, &[value], b.ctx.index_type()),
    }
}

/// Emits the results of a map as values: constants, operands, `affine.apply`, or `arith` for a
/// product of dimensions.
pub(super) fn index_values(b: &mut Builder, bound: Bound) -> Vec<Value> {
    let ctx = b.ctx;
    let joint = JointBounds::of(ctx, &[bound]);
    let exprs = joint.exprs[0].clone();
    let value = |expr: AffineExpr| {
        if let Some(number) = expr.as_constant(ctx) {
            return b.index_constant(number);
        }
        let (map, operands) = joint.compact(ctx, &[expr]);
        let is_operand = map.results(ctx)[0].tree_size(ctx) == 1;
        match is_operand {
            true => operands[0],
            false if is_affine(ctx, expr) => ApplyOp::create(b, map, &operands),
            false => expand_results(b, map, &operands)[0],
        }
    };
    exprs.into_iter().map(value).collect()
}
