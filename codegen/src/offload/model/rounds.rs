//! Execution counts of operations below a band, for one of its iterations.

use std::collections::HashSet;

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::scf;
use gridloom_ir::OpId;

use super::MAX_DEPTH;
use crate::analysis::access::Access;
use crate::analysis::counter::{Counter, counters};
use crate::analysis::dependence::Dependences;
use crate::analysis::stride::{Movement, overlaps};
use crate::offload::plan::BandLoop;
use crate::offload::variance::{Mask, Variance};

/// Rounds of a loop of which no constant number is known.
const SOME_ROUNDS: i64 = 64;

/// Rounds of a window of which no constant number is known: those of 3 and of 5 are the most frequent.
const SOME_OF_WINDOW: i64 = 4;

/// More often than this is no different.
pub(super) const MOST_ROUNDS: i64 = 1 << 24;

/// Counters that decide how often the loops around an operation run, in one iteration of `last`, the
/// domain `test` beside.
pub(super) fn control(
    deps: &Dependences,
    op: OpId,
    last: OpId,
    variance: &Variance,
    test: Option<OpId>,
) -> Mask {
    let body = deps.values.body;
    let parents = body.ancestors(op);
    let inside = parents.take_while(|&op| op != last && !body.is_ancestor(op, last));
    let inside = inside.filter(|&op| Some(op) != test);
    inside.fold(0, |mask, op| mask | variance.of_op(body, op))
}

/// Number of times that an operation runs in one iteration of the loop `last`, and how
/// many operations are around it.
pub(super) fn rounds_around(
    deps: &Dependences,
    op: OpId,
    last: OpId,
    windows: &HashSet<OpId>,
) -> (i64, usize) {
    let body = deps.values.body;
    let (mut weight, mut depth) = (1i64, 0);
    let mut at = body.parent_op(op);
    while let Some(op) = at
        && op != last
        && depth <= MAX_DEPTH
    {
        // A statement between the loops of a band, above the last.
        if body.is_ancestor(op, last) {
            break;
        }
        if matches!(body[op].name, affine::FOR | scf::FOR) {
            weight = weight
                .saturating_mul(rounds(deps, op, windows))
                .min(MOST_ROUNDS);
        }
        depth += 1;
        at = body.parent_op(op);
    }
    (weight, depth)
}

/// The rounds of a loop, or some number.
pub(super) fn rounds(deps: &Dependences, op: OpId, windows: &HashSet<OpId>) -> i64 {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let trips = ForOp::cast(body, op).and_then(|op| op.constant_trip_count(ctx, body));
    let some = match windows.contains(&op) {
        true => SOME_OF_WINDOW,
        false => SOME_ROUNDS,
    };
    trips.map_or(some, |trips| trips.clamp(1, 1 << 12) as i64)
}

/// The loops below `last` that go over windows which overlap for iterations of a band.
pub(super) fn windows(
    deps: &mut Dependences,
    band: &[BandLoop],
    accesses: &[Access],
    last: OpId,
) -> HashSet<OpId> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let is_open = |&op: &OpId| {
        let l = ForOp::cast(body, op);
        l.is_some_and(|l| l.constant_trip_count(ctx, body).is_none())
    };
    let inner: Vec<OpId> = body.walk_op(last)[1..]
        .iter()
        .copied()
        .filter(is_open)
        .collect();
    if inner.is_empty() {
        return HashSet::new();
    }
    let values = &mut deps.values;
    let of_band: Vec<Movement> = (band.iter())
        .map(|l| Movement::of(values, l.counter))
        .collect();
    let mut found = HashSet::new();
    for op in inner {
        let all: Vec<Counter> = counters(body, op).collect();
        for counter in all {
            let own = Movement::of(values, counter);
            let meets = |access: &Access| {
                of_band
                    .iter()
                    .any(|&way| overlaps(values, access, way, own))
            };
            if accesses.iter().any(meets) {
                found.insert(op);
            }
        }
    }
    found
}
