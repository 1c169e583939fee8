//! Operands of a rewrite in `arith`: looked up through the operations that define them, or created.

use gridloom_dialects::{arith, inherent};
use gridloom_ir::fold::Elements;
use gridloom_ir::scalar::mask;
use gridloom_ir::{OpId, OpName, Type, Value};

use crate::rewriter::Rewriter;

/// The two operands of a binary operation.
pub(super) fn pair(rw: &Rewriter, op: OpId) -> Option<[Value; 2]> {
    rw.body()[op].operands[..].try_into().ok()
}

/// The operand of the unary operation called `name` that defines `value`.
pub(super) fn source(rw: &Rewriter, op: OpId, value: Value, name: OpName) -> Option<Value> {
    match rw.look(op).maker(value, name)?.operands[..] {
        [source] => Some(source),
        _ => None,
    }
}

/// Creates an `arith.cmpi` before `op`.
pub(super) fn compare(
    rw: &mut Rewriter,
    op: OpId,
    predicate: arith::CmpIPredicate,
    operands: [Value; 2],
    ty: Type,
) -> Value {
    let value = rw.make(op, arith::CMPI, &operands, ty);
    let number = rw.ctx.i64_attr(predicate as i64);
    if let Some(new) = rw.body().defining_op(value) {
        rw.set_property(new, inherent::PREDICATE, number);
    }
    value
}

/// Creates `not value` before `op`.
pub(super) fn not(rw: &mut Rewriter, op: OpId, value: Value) -> Option<Value> {
    let ty = rw.body().ty(value);
    let ones = mask(u64::MAX, rw.look(op).int_width(ty)?);
    let ones = rw.elements(Elements::Splat(ones), ty, op)?;
    Some(rw.make(op, arith::XORI, &[value, ones], ty))
}
