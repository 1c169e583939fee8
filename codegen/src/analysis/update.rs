//! Commuting atomic updates: those whose instances leave the same memory in any order.
//!
//! ```text
//! memref.atomic_rmw addi %v, %m[%k]             commutes if nothing uses the result
//! memref.atomic_rmw addf …                      only where sums of floats may be regrouped
//! memref.atomic_rmw assign %v, %m[%k]           only where %v is one value for all instances: else the last one wins
//! memref.generic_atomic_rmw { old < v ? v : old }      an extremum: commutes
//! ```
//!
//! Two updates of one kind do not depend on each other, so that histograms are parallel loops.

use std::array;

use gridloom_dialects::{arith, inherent, memref};
use gridloom_ir::scalar::{Accumulate, FloatOp, IntOp};
use gridloom_ir::{Body, OpId, Type, Value};

use super::arg_reduction::compare_select::CompareSelect;
use super::arg_reduction::{Better, Ties};
use super::values::AffineValues;

/// A kind of atomic update whose instances leave the same memory in any order: its operation is
/// associative and commutative, and nothing uses the old value of the element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Update {
    /// Kind of the combination with the element.
    pub kind: UpdateKind,
    /// The element type: updates through views of other types change other bits.
    pub element: Type,
}

/// Kind of an update: what it does to its element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UpdateKind {
    /// `memref.atomic_rmw` of this kind.
    Accumulates(Accumulate),
    /// Compare-and-select: a `memref.generic_atomic_rmw` that keeps the better one of a float and
    /// the element.
    Keeps(Better, Ties),
    /// `memref.atomic_rmw assign` of this value, the same for all instances.
    Assigns(Value),
}

/// The update that an atomic operation makes, if its kind commutes. Sums and products of floats
/// commute where they may be regrouped. Extrema of floats always commute, except those by
/// comparison where the sign of a zero may reveal the order.
pub fn update_of(values: &AffineValues, op: OpId) -> Option<Update> {
    let (ctx, body) = (values.ctx, values.body);
    let kind = match body[op].name {
        memref::ATOMIC_RMW => {
            let kind = body[op].get(ctx, inherent::RMW_KIND)?;
            match Accumulate::from_number(kind)? {
                Accumulate::Assign => {
                    let value = body[op].operands[0];
                    is_set_once(body, value).then_some(UpdateKind::Assigns(value))?
                }
                kind => accumulates_in_any_order(kind, values.reassociate)
                    .then_some(UpdateKind::Accumulates(kind))?,
            }
        }
        memref::GENERIC_ATOMIC_RMW => kept_in_any_order(values, op)?,
        _ => return None,
    };
    let result = body[op].result(0);
    let is_silent = values.uses().of(result).is_empty();
    let element = body.ty(result);
    is_silent.then_some(Update { kind, element })
}

/// Whether a value is the same wherever it is used in one execution of its function: a constant, or computed outside
/// of all regions.
pub fn is_set_once(body: &Body, value: Value) -> bool {
    let is_constant = (body.defining_op(value)).is_some_and(|op| body[op].name == arith::CONSTANT);
    let is_top_level = || {
        let block = body.value_block(value);
        block.is_some_and(|block| body.block_parent_op(block).is_none())
    };
    is_constant || is_top_level() && !body.has_branching_region()
}

fn accumulates_in_any_order(kind: Accumulate, reassociate: bool) -> bool {
    match kind {
        Accumulate::Int(op) => is_commutative(op),
        Accumulate::Float(FloatOp::Add | FloatOp::Mul) => reassociate,
        Accumulate::Float(op) => matches!(
            op,
            FloatOp::Maximum | FloatOp::Minimum | FloatOp::MaxNum | FloatOp::MinNum
        ),
        Accumulate::Assign => false,
    }
}

/// Matches the region of a `memref.generic_atomic_rmw` that keeps the extremum of the element and a
/// value from outside, by comparison.
fn kept_in_any_order(values: &AffineValues, op: OpId) -> Option<UpdateKind> {
    let (ctx, body) = (values.ctx, values.body);
    let block = body.region_block(op, 0)?;
    let held = *body[block].args.first()?;
    let mut ops = body.ops(block);
    let [Some(compare), Some(choice), Some(end), None] = array::from_fn(|_| ops.next()) else {
        return None;
    };
    let kept = CompareSelect::of(ctx, body, choice, held)?;
    let is_whole = kept.compare == compare && body[end].operands[..] == [body[choice].result(0)];
    let is_kept = is_whole && kept.commutes(ctx, body, values.reassociate);
    match kept.operation().filter(|_| is_kept) {
        Some(op) => arith::accumulation(op).map(UpdateKind::Accumulates),
        None => is_kept.then_some(UpdateKind::Keeps(kept.better, kept.ties)),
    }
}

/// Whether an operation contains atomic updates.
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
