//! Loops of few iterations: those whose threads would leave a device idle, each with much work.

use gridloom_dialects::affine::ForOp;
use gridloom_ir::OpId;

use crate::analysis::dependence::Dependences;

/// Limit of the iterations that count as few: a thread for each would be the lanes of one or two
/// subgroups.
const MAX_FEW: u64 = 64;

/// Least number of rounds of a nest that is worth a launch, and an array for what it leaves.
const MIN_ROUNDS: u64 = 1 << 14;

/// Whether loops around each other are known to have few iterations in all.
pub(super) fn are_few(deps: &Dependences, loops: &[ForOp]) -> bool {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let mut trips = loops.iter().map(|l| l.constant_trip_count(ctx, body));
    let all = trips.try_fold(1u64, |all, trips| all.checked_mul(trips?));
    all.is_some_and(|all| all <= MAX_FEW)
}

/// Whether a nest is known to have many rounds.
pub(super) fn is_worth_a_grid(deps: &Dependences, root: OpId) -> bool {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    // The deepest loops have the most rounds.
    let rounds = |op: OpId| {
        let inside =
            std::iter::successors(Some(op), |&op| body.parent_op(op).filter(|_| op != root));
        let mut loops = inside.filter_map(|op| ForOp::cast(body, op));
        loops.try_fold(1u64, |all, l| {
            let trips = l.constant_trip_count(ctx, body)?;
            Some(all.saturating_mul(trips))
        })
    };
    let below = body.walk_op(root);
    let loops = below.iter().filter(|&&op| ForOp::cast(body, op).is_some());
    loops.filter_map(|&op| rounds(op)).max() >= Some(MIN_ROUNDS)
}
