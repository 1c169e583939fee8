//! Loop kinds: the families of loop operations that analyses and passes tell apart.
//!
//! | predicate | operations | in common |
//! |---|---|---|
//! | [`is_affine_loop`] | `affine.for`, `affine.parallel` | counters with affine bounds ([`Counter`](super::counter::Counter)) |
//! | [`is_counted_loop`] | `affine.for`, `scf.for` | one counter; iterations in order, which may carry values |
//! | [`is_sequential_loop`] | the same, `scf.while` | iterations in order, which may carry values |
//! | [`is_any_loop`] | all loops of `affine` and `scf` | a region that runs repeatedly |

use gridloom_dialects::{affine, scf};
use gridloom_ir::{Body, OpId};

/// Whether an operation is a loop with affine bounds.
pub fn is_affine_loop(body: &Body, op: OpId) -> bool {
    matches!(body[op].name, affine::FOR | affine::PARALLEL)
}

/// Whether an operation is a loop of one counter whose iterations run in order.
pub fn is_counted_loop(body: &Body, op: OpId) -> bool {
    matches!(body[op].name, affine::FOR | scf::FOR)
}

/// Whether an operation is a loop whose iterations run in order, counted or not.
pub fn is_sequential_loop(body: &Body, op: OpId) -> bool {
    is_counted_loop(body, op) || body[op].name == scf::WHILE
}

/// Whether an operation is a loop of `affine` or `scf`.
pub fn is_any_loop(body: &Body, op: OpId) -> bool {
    let is_parallel = matches!(body[op].name, scf::PARALLEL | scf::FORALL);
    is_parallel || is_affine_loop(body, op) || is_sequential_loop(body, op)
}

/// Whether an operation is a loop of `affine` or `scf`, or has one in its regions.
pub fn holds_any_loop(body: &Body, op: OpId) -> bool {
    body.walk_op(op).iter().any(|&op| is_any_loop(body, op))
}
