//! The operations that make the next values of those that a loop carries.

use gridloom_dialects::affine::ForOp;
use gridloom_ir::hash::{FxHashMap, FxHashSet};
use gridloom_ir::{Body, Builder, OpId, Type, Value};

/// Def-use paths from some carried values to the next ones, through operations of the loop's block.
pub(super) struct Steps<P> {
    /// The carried values before an iteration.
    before: Vec<Value>,
    /// The carried values behind it.
    after: Vec<Value>,
    /// The operations in order, each with what it does with the values.
    ops: Vec<(OpId, P)>,
    /// Operands of these that do not depend on the carried values.
    pub(super) inputs: Vec<Value>,
}

/// Limit of the operations.
const MAX_STEPS: usize = 64;

impl<P: Copy> Steps<P> {
    /// The paths between the values at some places. `part` tells what an operation does, some of whose operands are among
    /// those that depend on the values. `None` if that is `None` for one, or an operation has a region.
    pub(super) fn of(
        body: &Body,
        op: ForOp,
        places: &[usize],
        mut part: impl FnMut(OpId, &FxHashSet<Value>) -> Option<P>,
    ) -> Option<Steps<P>> {
        let at = |values: &[Value]| places.iter().map(|&place| values[place]).collect();
        let before: Vec<Value> = at(op.iter_args(body));
        let after: Vec<Value> = at(op.yielded(body));
        let mut dependent: FxHashSet<Value> = before.iter().copied().collect();
        let (mut ops, mut inputs) = (Vec::new(), Vec::new());
        let needed = needed_for(body, op, &after);
        for step in body.ops(op.block(body)) {
            let is_needed = body[step].results().any(|result| needed.contains(&result));
            let below = body.walk_op(step).into_iter();
            let mut operands = below.flat_map(|op| body[op].operands.iter());
            if !is_needed || !operands.any(|value| dependent.contains(value)) {
                continue;
            }
            if body[step].num_results() != 1 || !body[step].inline_regions().is_empty() {
                return None;
            }
            ops.push((step, part(step, &dependent)?));
            let operands = body[step].operands.iter().copied();
            inputs.extend(operands.filter(|value| !dependent.contains(value)));
            dependent.insert(body[step].result(0));
        }
        let is_dependent = after.iter().all(|value| dependent.contains(value));
        (is_dependent && !ops.is_empty() && ops.len() <= MAX_STEPS).then_some(Steps {
            before,
            after,
            ops,
            inputs,
        })
    }

    /// The number of the values.
    pub(super) fn count(&self) -> usize {
        self.before.len()
    }

    /// The last operation.
    pub(super) fn last(&self) -> Option<OpId> {
        self.ops.last().map(|&(op, _)| op)
    }

    /// Emits what follows from some copies of the values before an iteration: `step` emits it for one operation, given the
    /// copies of what it depends on. Returns the copies of the next values.
    pub(super) fn follow(
        &self,
        b: &mut Builder,
        before: &[Value],
        mut step: impl FnMut(&mut Builder, OpId, P, &FxHashMap<Value, Value>) -> Value,
    ) -> Vec<Value> {
        let pairs = self.before.iter().copied().zip(before.iter().copied());
        let mut copies: FxHashMap<Value, Value> = pairs.collect();
        for &(op, part) in &self.ops {
            let copy = step(b, op, part, &copies);
            copies.insert(b.body[op].result(0), copy);
        }
        self.after.iter().map(|value| copies[value]).collect()
    }
}

/// The values that some are computed from in an iteration of a loop, with these.
pub(super) fn needed_for(body: &Body, op: ForOp, values: &[Value]) -> FxHashSet<Value> {
    let block = op.block(body);
    let (mut found, mut open) = (FxHashSet::default(), values.to_vec());
    while let Some(value) = open.pop() {
        if !found.insert(value) {
            continue;
        }
        let statement = body.defining_op(value);
        let statement = statement.filter(|&statement| body[statement].parent() == Some(block));
        let below = statement
            .into_iter()
            .flat_map(|statement| body.walk_op(statement));
        open.extend(below.flat_map(|part| body[part].operands.iter().copied()));
    }
    found
}

/// Emits an operation without its flags, which hold for the values of the loop, but not for those of a chunk that starts
/// from others.
pub(super) fn without_flags(b: &mut Builder, step: OpId, operands: &[Value], ty: Type) -> Value {
    b.unary(b.body[step].name, operands, ty)
}
