//! Splitting at conditions: whether the counter of a loop equals that of a loop around it.
//!
//! ```text
//! affine.for %j = 0 to %i + 1 {              affine.for %j = 0 to %i {
//!   affine.if %j == %i { S } else { T }  ⇒     T(%j)
//! }                                          }
//!                                            S(%i)
//! ```

use gridloom_dialects::affine::{ForOp, IfOp};
use gridloom_ir::{Body, Context, OpId, Value};

use super::{MAX_OPS, Split, outer_counters};

/// Splits the loops below `root` that have such a condition, so that no part has it. Returns
/// whether there were any.
pub(in crate::transform) fn split_at_conditions(
    ctx: &Context,
    body: &mut Body,
    root: ForOp,
) -> bool {
    let mut splits: Vec<Split> = Vec::new();
    for op in body.walk_op(root.0).into_iter().skip(1) {
        let Some(l) = ForOp::cast(body, op) else {
            continue;
        };
        let is_plain = body[op].num_results() == 0 && l.step(ctx, body) == 1;
        let is_inside = |split: &Split| body.is_ancestor(split.op.0, op);
        if !is_plain || splits.iter().any(is_inside) || body.walk_op(op).len() > MAX_OPS {
            continue;
        }
        let counter = l.induction_var(body);
        let tests = |&at: &Value| {
            let mut ops = body.ops(l.block(body));
            ops.any(|op| equality_test(ctx, body, op, [counter, at]).is_some())
        };
        let around = outer_counters(ctx, body, l);
        splits.extend(around.into_iter().find(tests).map(|at| Split { op: l, at }));
    }
    splits.iter().for_each(|split| split.apply(ctx, body));
    !splits.is_empty()
}

/// An `affine.if` without results on the equality of two counters.
pub(super) fn equality_test(
    ctx: &Context,
    body: &Body,
    op: OpId,
    [one, other]: [Value; 2],
) -> Option<IfOp> {
    let branch = IfOp::cast(body, op).filter(|_| body[op].num_results() == 0)?;
    let set = branch.set(ctx, body).data(ctx);
    let [only] = &set.constraints[..] else {
        return None;
    };
    let [d0, d1] = [0, 1].map(|dim| ctx.affine_dim(dim));
    let is_difference = [ctx.affine_sub(d0, d1), ctx.affine_sub(d1, d0)].contains(&only.expr);
    let operands = branch.operands(body);
    let are_counters = operands == [one, other] || operands == [other, one];
    (only.is_eq && is_difference && set.symbols == 0 && are_counters).then_some(branch)
}
