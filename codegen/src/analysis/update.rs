//! Atomic updates that commute.

use gridloom_dialects::{inherent, memref};
use gridloom_ir::scalar::{Accumulate, FloatOp, IntOp};
use gridloom_ir::{Attr, Body, OpId, Type};

use super::values::AffineValues;

/// A kind of atomic update whose instances leave the same memory in any order: its operation is
/// associative and commutative, and nothing looks at what the element was before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Update {
    /// The accumulation kind.
    pub kind: Attr,
    /// The type of the element: updates of views of other types mix bits.
    pub element: Type,
}

/// The update that `memref.atomic_rmw` makes, if its kind commutes. Sums and products of
/// floats do where they may be regrouped, extrema of floats always.
pub fn update_of(values: &AffineValues, op: OpId) -> Option<Update> {
    let (ctx, body) = (values.ctx, values.body);
    if body[op].name != memref::ATOMIC_RMW {
        return None;
    }
    let kind = body[op].attr(ctx, inherent::RMW_KIND)?;
    let commutes = match Accumulate::from_number(kind.as_i64(ctx)?)? {
        Accumulate::Int(op) => is_commutative(op),
        Accumulate::Float(FloatOp::Add | FloatOp::Mul) => values.reassociate,
        Accumulate::Float(op) => matches!(
            op,
            FloatOp::Maximum | FloatOp::Minimum | FloatOp::MaxNum | FloatOp::MinNum
        ),
        Accumulate::Assign => false,
    };
    let result = body[op].result(0);
    let uses = values.uses.get_or_init(|| body.uses());
    let is_silent = uses.of(result).is_empty();
    let element = body.ty(result);
    (commutes && is_silent).then_some(Update { kind, element })
}

/// Whether there are atomic updates below an operation.
pub fn updates_below(body: &Body, root: OpId) -> bool {
    let names = [memref::ATOMIC_RMW, memref::GENERIC_ATOMIC_RMW];
    let below = body.walk_op(root);
    below.iter().any(|&op| names.contains(&body[op].name))
}

fn is_commutative(op: IntOp) -> bool {
    matches!(
        op,
        IntOp::Add
            | IntOp::Mul
            | IntOp::And
            | IntOp::Or
            | IntOp::Xor
            | IntOp::MaxS
            | IntOp::MaxU
            | IntOp::MinS
            | IntOp::MinU
    )
}
