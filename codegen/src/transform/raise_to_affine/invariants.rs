//! Invariant integers: moves what all iterations of a loop that stays in `scf` compute alike in front
//! of it.
//!
//! ```text
//! scf.for %k = %c0 to %n step %m {            %half = arith.divsi %m, %c2
//!   %half = arith.divsi %m, %c2        ⇒      scf.for %k = %c0 to %n step %m {
//!   S(%half)                                    S(%half)
//! }                                           }
//! ```
//!
//! Legal for pure operations that may run although the loop has no iteration. Bounds and subscripts
//! then name the same value in all loops of a nest with run-time strides. Loops that are affine keep
//! their bodies: their maps say what is invariant.

use gridloom_dialects::{arith, scf};
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Context, OpId};

use super::induction::{hoist, is_invariant};

/// Moves invariant integers out of the `scf` loops among `ops`. Returns whether there was one.
pub(super) fn hoist_from_loops(ctx: &Context, body: &mut Body, ops: &[OpId]) -> bool {
    let mut changed = false;
    for &op in ops.iter().rev() {
        let Some(op) = scf::ForOp::cast(body, op) else {
            continue;
        };
        let inside: Vec<OpId> = body.ops(op.block(body)).collect();
        for computed in inside {
            let data = &body[computed];
            let is_candidate = data.name.has(Traits::PURE)
                && data.name != arith::CONSTANT
                && data.num_regions() == 0
                && data.num_results() == 1;
            if !is_candidate {
                continue;
            }
            let value = body[computed].result(0);
            let ty = body.ty(value);
            let is_integer = ty.is_index(ctx) || ty.signless_width(ctx).is_some_and(|w| w > 1);
            if is_integer && is_invariant(ctx, body, op.0, value, 0) {
                hoist(body, op.0, value);
                changed = true;
            }
        }
    }
    changed
}
