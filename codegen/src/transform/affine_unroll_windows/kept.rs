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
//! A thread loads each element of its point once, in place of once for each `%j`. Legal where the loop around is known to run
//! and writes nothing, which is asked again when the loads are moved. Lanes whose elements are uniform gain nothing, so that
//! an element has to move with a loop of the grid.

use gridloom_dialects::affine::ForOp;
use gridloom_ir::OpId;

use super::{is_short, varies};
use crate::analysis::access::Access;
use crate::analysis::counter::Counter;
use crate::analysis::values::AffineValues;
use crate::transform::loop_invariant_code_motion::is_known_to_run;

/// Limit of the elements that a point keeps.
const MAX_KEPT: u64 = 16;

/// Finds an innermost loop to unroll and the loop around it that loads leave then, among the sequential loops `inner` of
/// one iteration of a band.
pub(super) fn short_loop(
    values: &mut AffineValues,
    band: &[Counter],
    inner: &[ForOp],
    accesses: &[Access],
) -> Option<(ForOp, ForOp)> {
    let (ctx, body) = (values.ctx, values.body);
    inner.iter().find_map(|&short| {
        let around = ForOp(body.parent_op(short.0)?);
        let is_below = |op: OpId, l: ForOp| body.is_ancestor(l.0, op);
        let writes = |access: &Access| access.is_write && is_below(access.op, around);
        if !inner.contains(&around)
            || inner.iter().any(|l| l.0 != short.0 && is_below(l.0, short))
            || !is_known_to_run(ctx, body, around.0)
            || !is_short(ctx, body, short, MAX_KEPT)
            || accesses.iter().any(writes)
        {
            return None;
        }
        let counter = short.induction_var(body);
        let is_kept = |access: &&Access| {
            let operands = &body[access.op].operands;
            let is_outside = |&v| v == counter || !body.is_defined_in(v, around.0);
            is_below(access.op, short)
                && operands.contains(&counter)
                && operands.iter().all(is_outside)
                && band.iter().any(|&loop_| varies(values, access, loop_))
        };
        let kept = accesses.iter().filter(is_kept).count() as u64;
        let rounds = short.constant_trip_count(ctx, body)?;
        (1..=MAX_KEPT)
            .contains(&kept.saturating_mul(rounds))
            .then_some((short, around))
    })
}
