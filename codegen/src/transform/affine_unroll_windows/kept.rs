//! Kept elements: short loops that load the same elements in each iteration of the loop around them.
//!
//! ```text
//! affine.for %i = 0 to %n {                             affine.for %i = 0 to %n {
//!   %m = affine.for %j = 0 to 20 iter_args(…) {           %a = affine.load %x[0, %i]
//!     %s = affine.for %d = 0 to 2 iter_args(…) {          %b = affine.load %x[1, %i]
//!       %v = affine.load %x[%d, %i]                       %m = affine.for %j = 0 to 20 iter_args(…) {
//!       %w = affine.load %c[%j, %d]                ⇒        %w = affine.load %c[%j, 0]
//!       …                                                   … %a, %w …
//!     }                                                     %u = affine.load %c[%j, 1]
//!     …                                                     … %b, %u …
//!   }                                                     }
//!   …                                                     …
//! }                                                     }
//! ```
//!
//! A thread loads each element of its point once, in place of once for each `%j`: `affine-hoist-loads` moves the loads. Done where
//! a thread runs the loop around, which stores none of these elements. Lanes whose elements are uniform gain nothing, so that an
//! element has to move with a loop of the grid.

use std::collections::HashSet;

use gridloom_dialects::affine::ForOp;
use gridloom_ir::OpId;

use super::{is_short, varies};
use crate::analysis::access::Access;
use crate::analysis::counter::Counter;
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::repeatable::are_unchanged;

/// Limit of the elements that a point keeps.
const MAX_KEPT: u64 = 16;

/// Finds an innermost loop to unroll so that loads can leave the loop around it, among the loops `inner` of one iteration of
/// a band. The grid may take those of `parallel` that no sequential one is around.
pub(super) fn short_loop(
    deps: &mut Dependences,
    band: &[Counter],
    inner: &[ForOp],
    parallel: &HashSet<OpId>,
    accesses: &[Access],
) -> Option<ForOp> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let is_below = |op: OpId, l: ForOp| body.is_ancestor(l.0, op);
    let is_of_thread = |l: ForOp| {
        let mut around = inner
            .iter()
            .filter(|around| **around == l || is_below(l.0, **around));
        around.any(|around| !parallel.contains(&around.0))
    };
    inner.iter().copied().find(|&short| {
        let Some(around) = body.parent_op(short.0).map(ForOp) else {
            return false;
        };
        if !inner.contains(&around)
            || !is_of_thread(around)
            || inner.iter().any(|l| l.0 != short.0 && is_below(l.0, short))
            || !is_short(ctx, body, short, MAX_KEPT)
        {
            return false;
        }
        let counter = short.induction_var(body);
        let is_kept = |access: &&Access| {
            let operands = &body[access.op].operands;
            let is_outside = |&v| v == counter || !body.is_defined_in(v, around.0);
            is_below(access.op, short)
                && operands.contains(&counter)
                && operands.iter().all(is_outside)
                && band
                    .iter()
                    .any(|&loop_| varies(&mut deps.values, access, loop_))
        };
        let kept: Vec<Access> = accesses.iter().filter(is_kept).cloned().collect();
        let rounds = short.constant_trip_count(ctx, body).unwrap_or(0);
        (1..=MAX_KEPT).contains(&(kept.len() as u64).saturating_mul(rounds))
            && are_unchanged(deps, &kept, around.0, Scope::AnyIterations(around.0)) == Some(true)
    })
}
