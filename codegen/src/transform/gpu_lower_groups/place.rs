//! Exchange slots: how the threads of a workgroup pass values to each other.

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::memref::{LoadOp, StoreOp};
use gridloom_dialects::scf::{self, IfOp};
use gridloom_dialects::{gpu, inherent};
use gridloom_ir::scalar::Accumulate;
use gridloom_ir::{Builder, InsertPoint, OpId, OpName, Type, Value};

use super::loops::flag;

/// Threads whose values are reduced: from `first` up to `end`, `step` apart.
pub(super) struct ThreadSet {
    pub first: Value,
    pub end: Value,
    pub step: Value,
}

/// What a reduction makes of two values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Combining {
    /// What the operation says.
    Operation,
    /// The first one.
    First,
}

/// Exchange slot: shared memory, and the thread's own element of it.
pub(super) struct Place {
    pub number: Value,
    pub shared: Value,
    /// Whether the thread is active, and shared memory for the numbers of all threads that say so.
    pub predicate: Option<(Value, Value)>,
}

impl Place {
    pub fn hand_in(&self, b: &mut Builder, op: OpId) {
        let value = b.body[op].operands[0];
        b.create(b.state(gpu::BARRIER));
        StoreOp::create(b, value, self.shared, &[self.number]);
        if let Some((active, predicates)) = self.predicate {
            let word = b.ctx.int_type(32);
            let active = b.unary(arith::EXTUI, &[active], word);
            StoreOp::create(b, active, predicates, &[self.number]);
        }
        b.create(b.state(gpu::BARRIER));
    }

    /// Emits whether a thread is active, unless all are.
    pub fn is_active(&self, b: &mut Builder, number: Value) -> Option<Value> {
        let (_, predicates) = self.predicate?;
        Some(is_set(b, predicates, number))
    }

    /// Emits the reduction of the values of some threads, in their order.
    pub fn reduced(&self, b: &mut Builder, op: OpId, range: &ThreadSet, how: Combining) -> Value {
        let &ThreadSet { first, end, step } = range;
        if let Some((_, predicates)) = self.predicate {
            return self.reduced_active(b, op, range, how, predicates);
        }
        let start = LoadOp::create(b, self.shared, &[first]);
        let second = b.binary(arith::ADDI, first, step);
        let around = scf::ForOp::create(b, second, end, step, &[start]);
        let block = around.block(b.body);
        let (at, sum) = (b.body[block].args[0], b.body[block].args[1]);
        let outside = b.point();
        b.set(InsertPoint::End(block));
        let next = LoadOp::create(b, self.shared, &[at]);
        let combined = combined(b, op, sum, next);
        b.set(outside);
        scf::yield_values(b, block, &[combined]);
        b.body[around.0].result(0)
    }

    /// Emits the reduction of the values of those of some threads that are active, in their order:
    ///
    /// ```text
    /// %s:2 = scf.for %k = %first to %end step %step iter_args(%sum = %own, %has = %false) {
    ///   %y = memref.load %shared[%k]
    ///   %active = …
    ///   %both = arith.andi %active, %has
    ///   %t = scf.if %both { … %sum + %y … } else { arith.select %active, %y, %sum }
    ///   scf.yield %t, %has or %active
    /// }
    /// ```
    fn reduced_active(
        &self,
        b: &mut Builder,
        op: OpId,
        range: &ThreadSet,
        how: Combining,
        predicates: Value,
    ) -> Value {
        let own = b.body[op].operands[0];
        let ty = b.body.ty(own);
        let no = flag(b, false);
        let around = scf::ForOp::create(b, range.first, range.end, range.step, &[own, no]);
        let block = around.block(b.body);
        let [at, sum, has] = [0, 1, 2].map(|arg| b.body[block].args[arg]);
        let outside = b.point();
        b.set(InsertPoint::End(block));
        let next = LoadOp::create(b, self.shared, &[at]);
        let active = is_set(b, predicates, at);
        let both = b.binary(arith::ANDI, active, has);
        let branch = IfOp::create(b, both, &[ty], true);
        let behind = b.point();
        let then = branch.then_block(b.body);
        b.set(InsertPoint::End(then));
        let value = match how {
            Combining::Operation => combined(b, op, sum, next),
            Combining::First => sum,
        };
        scf::yield_values(b, then, &[value]);
        if let Some(otherwise) = branch.else_block(b.body) {
            b.set(InsertPoint::End(otherwise));
            let value = arith::select(b, active, next, sum);
            scf::yield_values(b, otherwise, &[value]);
        }
        b.set(behind);
        let has = b.binary(arith::ORI, has, active);
        b.set(outside);
        let value = b.body[branch.0].result(0);
        scf::yield_values(b, block, &[value, has]);
        b.body[around.0].result(0)
    }
}

/// Emits whether the predicate of a thread is set.
fn is_set(b: &mut Builder, predicates: Value, number: Value) -> Value {
    let active = LoadOp::create(b, predicates, &[number]);
    let ty = b.body.ty(active);
    let none = b.constant(b.ctx.int_attr(ty, 0), ty);
    CmpIOp::create(b, CmpIPredicate::Ne, active, none)
}

/// Emits what an operation makes of two values; moves its region there if it has one.
fn combined(b: &mut Builder, op: OpId, sum: Value, next: Value) -> Value {
    let Some(region) = b.body.region_block(op, 0) else {
        let name = combining(b, op, b.body.ty(sum));
        return b.binary(name, sum, next);
    };
    let args = b.body[region].args.clone();
    let inner: Vec<OpId> = b.body.ops(region).collect();
    let mut yielded = sum;
    for inner in inner {
        if b.body[inner].name == gpu::YIELD {
            yielded = b.body[inner].operands[0];
            continue;
        }
        b.body.detach(inner);
        b.insert(inner);
    }
    for (&arg, new) in args.iter().zip([sum, next]) {
        b.body.replace_uses(arg, new);
        if yielded == arg {
            yielded = new;
        }
    }
    yielded
}

/// The operation that combines two values; the verifier has checked it against their type.
fn combining(b: &Builder, op: OpId, ty: Type) -> OpName {
    let is_float = ty.float_kind(b.ctx).is_some();
    let kind = b.body[op].get(b.ctx, inherent::GPU_REDUCTION);
    let kind = kind.and_then(|word| Accumulate::from_keyword(word, is_float));
    kind.and_then(arith::combining_op)
        .unwrap_or(if is_float { arith::ADDF } else { arith::ADDI })
}
