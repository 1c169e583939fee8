//! Subscripts of the iteration before, in the loop of a thread: the first iteration is peeled off.
//!
//! ```text
//! affine.for %i = 0 to 17                       S(0, %a[%last])
//!     iter_args(%j = %last) {                   affine.for %i = 1 to 17 {
//!   S(%i, %a[%j])                        ⇒        S(%i, %a[%i - 1])
//!   affine.yield %i                             }
//! }
//! ```
//!
//! Sides of polygons are written so. With the counter as its subscript, a load is proved in range, and threads that run
//! the loop together load the same element; a selection between it and the first value would be neither.
//!
//! Legal always: the order stays, and the value is computed from the counter alone. Done in parallel loops, where other
//! values tie the iterations, or few iterations reduce them.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_ir::body::Uses;
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Builder, Context, OpId, Value};

use super::{Wraparound, matched};
use crate::analysis::dependence::Dependences;
use crate::analysis::load_store::{is_load, is_store};
use crate::transform::affine_loop_distribute::is_in_parallel_loop;
use crate::transform::affine_loop_peel::{may_peel_first, peel_first};
use crate::transform::map_inputs::Inputs;
use crate::transform::slice::subscripts;

/// Limit of the iterations of a reduction that is left to a thread.
const MAX_REDUCED: u64 = 64;

/// Limit of the values between a carried one and a subscript.
const MAX_STEPS: usize = 32;

/// Whether a loop is short enough for one thread.
pub(super) fn is_short(ctx: &Context, body: &Body, op: ForOp) -> bool {
    let trips = op.constant_trip_count(ctx, body);
    trips.is_some_and(|trips| trips <= MAX_REDUCED)
}

/// Whether a wrap-around variable in a parallel loop is computed of the counter alone, and subscripts are made of it.
pub(super) fn gains(deps: &mut Dependences, uses: &Uses, found: &Wraparound) -> bool {
    let (ctx, body, op) = (deps.values.ctx, deps.values.body, found.op);
    let is_pure =
        |&op: &OpId| body[op].name.has(Traits::PURE) && body[op].inline_regions().is_empty();
    found.slice.iter().all(is_pure)
        && is_subscript(body, uses, op, found.place)
        && may_peel_first(ctx, body, op)
        && is_in_parallel_loop(deps, op.0)
}

/// Whether a subscript is computed from a carried value, in the iteration that it reaches or in those behind that.
fn is_subscript(body: &Body, uses: &Uses, op: ForOp, place: usize) -> bool {
    let args = op.iter_args(body);
    let end = body[op.block(body)].last();
    let mut values = vec![args[place]];
    let mut at = 0;
    while let Some(&value) = values.get(at)
        && at < MAX_STEPS
    {
        for used in uses.of(value) {
            let user = used.op;
            let is_access = is_load(body, user) || is_store(body, user);
            if is_access && subscripts(body, user).is_some_and(|all| all.contains(&value)) {
                return true;
            }
            let next: Vec<Value> = if Some(user) == end {
                let handed_on = op.yielded(body).iter().zip(args);
                handed_on
                    .filter(|(next, _)| **next == value)
                    .map(|(_, arg)| *arg)
                    .collect()
            } else if body[user].name.has(Traits::PURE) {
                body[user].results().collect()
            } else {
                Vec::new()
            };
            for next in next {
                if !values.contains(&next) {
                    values.push(next);
                }
            }
        }
        at += 1;
    }
    false
}

impl Wraparound {
    /// Peels the first iteration off, and computes the value from the counter in all others.
    pub(super) fn apply_peeled(&self, ctx: &Context, body: &mut Body) {
        let Some((one, rest)) = peel_first(ctx, body, self.op) else {
            return;
        };
        if let Some(one) = one {
            let init = one.inits(ctx, body)[self.place];
            body.replace_uses(one.iter_args(body)[self.place], init);
        }
        let Some(found) = matched(ctx, body, &body.uses(), rest, self.place) else {
            return;
        };
        let block = rest.block(body);
        let (Some(first), Some(end)) = (body[block].first(), body[block].last()) else {
            return;
        };
        let mut inputs = Inputs::new(ctx);
        let dim = inputs.dim(rest.induction_var(body));
        let before = inputs.plus(dim, -rest.step(ctx, body));
        let mut b = Builder::before(ctx, body, first);
        let value = found.compute(&mut b, &inputs, before);
        body.replace_uses(rest.iter_args(body)[self.place], value);
        if !found.has_result && body[end].name == affine::YIELD {
            // The loop carries a constant now, which canonicalization drops.
            body[end].operands[self.place] = rest.inits(ctx, body)[self.place];
        }
    }
}
