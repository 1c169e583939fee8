//! Emission of atomic operations in place of updates.

use gridloom_dialects::{arith, inherent, memref};
use gridloom_ir::{Body, Builder, Context, InsertPoint, OpId, Type, Value};

use super::{Combination, Update};
use crate::analysis::arg_reduction::compare_select::CompareSelect;

impl Update {
    /// Replaces the update's store by an atomic operation. Returns that operation.
    pub(in crate::transform) fn apply(&self, ctx: &Context, body: &mut Body) -> OpId {
        let store = memref::StoreOp(self.store);
        let (memref, indices) = (store.memref(body), store.indices(body).to_vec());
        let is_difference = matches!(body[self.combine].name, arith::SUBI | arith::SUBF);
        let mut b = Builder::before(ctx, body, self.store);
        let value = match &self.combination {
            Combination::Accumulation { operand, .. } if is_difference => {
                opposite(&mut b, *operand, self.element)
            }
            Combination::Accumulation { operand, .. } => *operand,
            Combination::CompareSelect(kept) => kept.candidate,
        };
        let update = self.combination.update(&mut b, value, memref, &indices);
        let ends = [self.store, self.combine].into_iter();
        let erased = ends.chain(self.combination.compare()).chain([self.load]);
        for op in erased {
            body.erase(op);
        }
        update
    }
}

/// Creates a `memref.atomic_rmw` of the kind with this number.
pub(in crate::transform) fn accumulate(
    b: &mut Builder,
    kind: i64,
    operand: Value,
    memref: Value,
    indices: &[Value],
) -> OpId {
    let ctx = b.ctx;
    let kind = ctx.int_attr(ctx.int_type(64), kind);
    let element = b.body.ty(operand);
    let operands = [&[operand, memref], indices].concat();
    let state = b.state(memref::ATOMIC_RMW);
    let state = state.operands(&operands).results(&[element]);
    b.create(state.property(ctx, inherent::RMW_KIND, kind))
}

/// Creates a `memref.generic_atomic_rmw` that keeps an extremum.
pub(in crate::transform) fn keep(
    b: &mut Builder,
    kept: &CompareSelect,
    value: Value,
    memref: Value,
    indices: &[Value],
) -> OpId {
    let element = b.body.ty(value);
    let operands = [&[memref], indices].concat();
    let state = b.state(memref::GENERIC_ATOMIC_RMW);
    let update = b.create(state.operands(&operands).results(&[element]));
    let region = b.body.add_region(update);
    let block = b.body.add_block(region, &[element]);
    let held = b.body[block].args[0];
    let behind = b.point();
    b.set(InsertPoint::End(block));
    let chosen = kept.create(b, value, held);
    b.create(b.state(memref::ATOMIC_YIELD).operands(&[chosen]));
    b.set(behind);
    update
}

/// Emits the negation: `0 - value`, or `-value` of floats.
fn opposite(b: &mut Builder, value: Value, ty: Type) -> Value {
    if ty.float_kind(b.ctx).is_some() {
        return b.unary(arith::NEGF, &[value], ty);
    }
    let zero = b.ctx.int_attr(ty, 0);
    let zero = b.constant(zero, ty);
    b.binary(arith::SUBI, zero, value)
}
