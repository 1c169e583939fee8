//! Convergence: takes collective operations out of branches that only some threads enter.
//!
//! ```text
//! scf.if %in {                        %a = scf.if %in -> f32 { …; scf.yield %x : f32 } else { … 0.0 }
//!   %x = …                            %s = gpu.shuffle xor %a, %distance, %width
//!   %s = gpu.shuffle xor %x, …   ⇒    scf.if %in {
//!   … %s …                              … %s …
//! }                                   }
//! ```
//!
//! A loop that all threads would run the same number of times leaves the branch as a whole first, with the
//! branch around the body of each iteration.
//!
//! Legal because all threads of a group come to its operation together, or the program is at fault: threads
//! that do not take the branch exchange values among themselves, which nobody reads. Left as they are:
//! branches that hand on other values than scalars, and loops whose threads leave them at different times.

use std::collections::{HashMap, HashSet};

use gridloom_dialects::scf::{self, ForOp, IfOp};
use gridloom_ir::op::Traits;
use gridloom_ir::{Attr, BlockId, Body, Builder, Context, OpId, Type, Value};

use crate::analysis::reduction::zero;
use crate::analysis::uniform::Uniformity;
use crate::transform::loop_invariant_code_motion::is_speculatable;

/// Limit of the branches that are split in a kernel.
const MAX_SPLITS: usize = 256;

/// Takes operations out of the branches that threads may enter divergently, as far as that is legal.
pub(super) fn converge(ctx: &Context, body: &mut Body, ops: &[OpId]) {
    for _ in 0..MAX_SPLITS {
        let uniform = Uniformity::of(ctx, body);
        let split = (ops.iter()).find_map(|&op| Split::of(ctx, body, &uniform, op));
        let Some(split) = split else {
            return;
        };
        split.apply(ctx, body);
    }
}

/// Split of a branch around an operation of one of its blocks.
struct Split {
    branch: IfOp,
    block: BlockId,
    /// The operation that leaves the branch: a collective one, or a loop around it.
    inner: OpId,
    /// Operations that may run in front of the branch.
    hoisted: Vec<OpId>,
    /// The others in front of `inner`.
    before: Vec<OpId>,
    /// Values of `before` that `inner` and the operations after it use, each with a placeholder for threads that do
    /// not take the branch.
    handed: Vec<(Value, Attr)>,
}

impl Split {
    /// The next split on the way of a collective operation out of divergent branches.
    fn of(ctx: &Context, body: &Body, uniform: &Uniformity, op: OpId) -> Option<Split> {
        let around = uniform.divergent_around(op)?;
        let mut inner = op;
        let branch = loop {
            let parent = body.parent_op(inner)?;
            if let Some(branch) = IfOp::cast(body, parent) {
                break branch;
            }
            if parent == around {
                return None;
            }
            inner = parent;
        };
        let block = body[inner].parent()?;
        let mut hoisted = Vec::new();
        let mut before = Vec::new();
        let mut kept: HashSet<Value> = HashSet::new();
        for other in body.ops(block).take_while(|&other| other != inner) {
            let data = &body[other];
            let may_leave = data.name.has(Traits::PURE)
                && data.inline_regions().is_empty()
                && is_speculatable(ctx, body, other)
                && !data.operands.iter().any(|value| kept.contains(value));
            if may_leave {
                hoisted.push(other);
            } else {
                kept.extend(data.results());
                before.push(other);
            }
        }
        if inner != op {
            let counted = ForOp::cast(body, inner)?;
            let bounds = [counted.lower(body), counted.upper(body), counted.step(body)];
            if bounds.iter().any(|bound| kept.contains(bound)) {
                return None;
            }
        }
        let after = body.ops(block).skip_while(|&other| other != inner);
        let mut used: Vec<Value> = after
            .flat_map(|other| body.walk_op(other))
            .flat_map(|other| body[other].operands.to_vec())
            .filter(|value| kept.contains(value))
            .collect();
        used.sort_unstable();
        used.dedup();
        let handed = used
            .into_iter()
            .map(|value| Some((value, zero(ctx, body.ty(value))?)));
        Some(Split {
            branch,
            block,
            inner,
            hoisted,
            before,
            handed: handed.collect::<Option<_>>()?,
        })
    }

    fn apply(&self, ctx: &Context, body: &mut Body) {
        for &op in &self.hoisted {
            body.detach(op);
            body.insert_before(self.branch.0, op);
        }
        let values: Vec<Value> = self.handed.iter().map(|&(value, _)| value).collect();
        if !self.before.is_empty() {
            let mut b = Builder::before(ctx, body, self.branch.0);
            let others = (self.handed.iter()).map(|&(value, zero)| (zero, b.body.ty(value)));
            let others: Vec<(Attr, Type)> = others.collect();
            let others: Vec<Value> = (others.into_iter())
                .map(|(zero, ty)| b.constant(zero, ty))
                .collect();
            let first = self.guarded(&mut b, &self.before, &values, &others);
            let results = body[first.0].results();
            let handed: HashMap<Value, Value> = values.iter().copied().zip(results).collect();
            let after: Vec<OpId> = body.ops(self.block).collect();
            for op in after {
                body.replace_values_in(op, |value| *handed.get(&value).unwrap_or(&value));
            }
        }
        body.detach(self.inner);
        body.insert_before(self.branch.0, self.inner);
        if let Some(counted) = ForOp::cast(body, self.inner) {
            self.guard_iterations(ctx, body, counted);
        }
    }

    /// Puts the branch around the body of a loop that left it.
    fn guard_iterations(&self, ctx: &Context, body: &mut Body, counted: ForOp) {
        let block = counted.block(body);
        let ops: Vec<OpId> = body.ops(block).collect();
        let Some((&end, ops)) = ops.split_last() else {
            return;
        };
        let yielded = body[end].operands.to_vec();
        let carried = counted.iter_args(body).to_vec();
        let mut b = Builder::before(ctx, body, end);
        let made = self.guarded(&mut b, ops, &yielded, &carried);
        let results = body[made.0].results().collect::<Vec<_>>();
        body[end].operands = results.as_slice().into();
    }

    /// Emits a branch on the same condition around operations, which yields `values` where it is taken
    /// and `others` elsewhere.
    fn guarded(&self, b: &mut Builder, ops: &[OpId], values: &[Value], others: &[Value]) -> IfOp {
        let is_then = self.block == self.branch.then_block(b.body);
        let condition = self.branch.condition(b.body);
        let types: Vec<Type> = values.iter().map(|&value| b.body.ty(value)).collect();
        let made = IfOp::create(b, condition, &types, !types.is_empty() || !is_then);
        let (then, otherwise) = (made.then_block(b.body), made.else_block(b.body));
        let sides = [Some(then), otherwise];
        for (number, block) in sides.into_iter().enumerate() {
            let Some(block) = block else { continue };
            let is_taken = (number == 0) == is_then;
            if is_taken {
                for &op in ops {
                    b.body.detach(op);
                    b.body.append(block, op);
                }
            }
            scf::yield_values(b, block, if is_taken { values } else { others });
        }
        made
    }
}
