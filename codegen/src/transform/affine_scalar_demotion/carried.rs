//! Demotion of carried sums: accumulates a value that loops carry in the element that it is stored
//! to at the end.
//!
//! ```text
//! %s = affine.for %j = 0 to %i               affine.store %z, %x[%i]
//!     iter_args(%acc = %z) {                 affine.for %j = 0 to %i {
//!   %u = arith.subf %acc, %p                   %acc = affine.load %x[%i]
//!   affine.yield %u                     ⇒      %u = arith.subf %acc, %p
//! }                                            affine.store %u, %x[%i]
//! %q = arith.divf %s, %d                     }
//! affine.store %q, %x[%i]                    %s = affine.load %x[%i]
//!                                            %q = arith.divf %s, %d
//!                                            affine.store %q, %x[%i]
//! ```

use gridloom_dialects::affine::{ForOp, StoreOp};
use gridloom_ir::body::Uses;
use gridloom_ir::{Body, Builder, Context, InsertPoint, IrMapping, OpId, Value};

use super::{Policy, is_quiet, is_same_element};
use crate::analysis::reduction::reduction_nest;
use crate::transform::demote_carried_values::demote_carried_values;
use crate::transform::element::Element;

/// Demotion plan for a carried value: its loops, and the element.
pub(super) struct Carried {
    /// The loops that carry the value, each passing it to the next.
    loops: Vec<ForOp>,
    /// The store to the element.
    pub(super) last: StoreOp,
    /// Whether the initial value is what the element holds already.
    is_first_idle: bool,
    /// Whether the store is the only use of the result.
    is_last_idle: bool,
}

impl Policy<'_> {
    /// Plans the demotion of a loop's only carried value.
    pub(super) fn plan_carried(&mut self, uses: &Uses, root: OpId) -> Option<Carried> {
        let (ctx, body) = (self.ctx, self.body);
        let root = ForOp::cast(body, root).filter(|root| body[root.0].num_results() == 1)?;
        let block = body[root.0].parent()?;
        let around = ForOp::cast(body, body.block_parent_op(block)?)?;
        if !self.is_tied(around.0) {
            return None;
        }
        let ops: Vec<OpId> = body.ops(block).collect();
        let place = |op: OpId| ops.iter().position(|&other| other == op);
        let from = place(root.0)?;
        let result = body[root.0].result(0);
        let last = first_store_of(body, &ops[from + 1..], result)?;
        let to = place(last.0)?;
        let is_alike = body.ty(last.value(body)) == body.ty(result);
        if !is_alike
            || !self.is_own_element(around, last)
            || !self.is_left_alone(block, &ops[from..to], &[], last)
        {
            return None;
        }
        let init = body.defining_op(*root.inits(ctx, body).first()?);
        let is_first_idle = init.is_some_and(|load| {
            is_same_element(ctx, body, load, last)
                && place(load).is_some_and(|at| ops[at..from].iter().all(|&op| is_quiet(body, op)))
        });
        Some(Carried {
            loops: reduction_nest(ctx, body, root),
            last,
            is_first_idle,
            is_last_idle: last.value(body) == result && uses.of(result).len() == 1,
        })
    }
}

/// The first store of a value that pure operations compute from `of`.
fn first_store_of(body: &Body, ops: &[OpId], of: Value) -> Option<StoreOp> {
    let mut made = vec![of];
    for &op in ops {
        let data = &body[op];
        let takes = |value: &Value| made.contains(value);
        let store = StoreOp::cast(body, op).filter(|store| takes(&store.value(body)));
        if store.is_some() {
            return store;
        }
        if data.operands.iter().any(takes) {
            made.extend(data.results());
        }
    }
    None
}

impl Carried {
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let root = self.loops[0];
        let element = Element::of_store(ctx, body, self.last);
        let result = body[root.0].result(0);
        if !self.is_first_idle {
            let init = root.inits(ctx, body)[0];
            element.store(&mut Builder::before(ctx, body, root.0), init);
        }
        let mut place = InsertPoint::Before(root.0);
        let mut renamed = IrMapping::new();
        for (depth, &old) in self.loops.iter().enumerate() {
            let inner = self.loops.get(depth + 1).copied();
            let elements = match inner {
                Some(_) => &[],
                None => std::slice::from_ref(&element),
            };
            place = demote_carried_values(ctx, body, (old, inner), place, elements, &mut renamed);
        }
        if self.is_last_idle {
            body.erase(self.last.0);
        } else {
            let collected = element.load(&mut Builder::before(ctx, body, root.0));
            body.replace_uses(result, collected);
        }
        body.erase(root.0);
    }
}
