//! Execution counts of the operations in the body of a band, for one iteration of the band.

use std::collections::HashSet;

use gridloom_dialects::affine::ForOp;
use gridloom_ir::{Body, Context, OpId};

use super::MAX_DEPTH;
use crate::analysis::access::Access;
use crate::analysis::counter::{Counter, counters};
use crate::analysis::dependence::Dependences;
use crate::analysis::loop_kind::is_sequential_loop;
use crate::analysis::stride::{Movement, overlaps, stride};
use crate::analysis::values::Atom;
use crate::offload::plan::BandLoop;
use crate::offload::variance::{Mask, Variance};

/// Assumed trip count of a sequential loop whose number of iterations is unknown.
const SOME_ROUNDS: i64 = 64;

/// Assumed trip count of a window loop whose number of iterations is unknown: between the most
/// frequent, 3 and 5.
const SOME_OF_WINDOW: i64 = 4;

/// Cap of an execution count: larger counts lead to the same decisions.
pub(super) const MOST_ROUNDS: i64 = 1 << 24;

/// Elements of 4 bytes in a page of memory.
const PAGE: u64 = 1024;

/// Control variance: the counters that decide how often the loops and branches around an operation
/// run in one iteration of `last`, without those of the domain `test`.
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

/// Execution count of an operation in one iteration of the loop `last`, and the number of
/// operations around it.
pub(in crate::offload) fn rounds_around(
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
        // The operation is a statement between the loops of a band.
        if body.is_ancestor(op, last) {
            break;
        }
        if is_sequential_loop(body, op) {
            weight = weight
                .saturating_mul(rounds(deps, op, windows))
                .min(MOST_ROUNDS);
        }
        depth += 1;
        at = body.parent_op(op);
    }
    (weight, depth)
}

/// The trip count of a loop, or an assumed one.
pub(super) fn rounds(deps: &Dependences, op: OpId, windows: &HashSet<OpId>) -> i64 {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let trips = ForOp::cast(body, op).and_then(|op| op.constant_trip_count(ctx, body));
    let some = match windows.contains(&op) {
        true => SOME_OF_WINDOW,
        false => SOME_ROUNDS,
    };
    trips.map_or(some, |trips| trips.clamp(1, 1 << 12) as i64)
}

/// Whether the trip count of a loop is known.
pub(super) fn has_known_rounds(ctx: &Context, body: &Body, op: OpId) -> bool {
    ForOp::cast(body, op).is_some_and(|l| l.constant_trip_count(ctx, body).is_some())
}

/// Window loops: those below `last` whose windows overlap between iterations of the band, as in a
/// convolution.
pub(super) fn windows(
    deps: &mut Dependences,
    band: &[BandLoop],
    accesses: &[Access],
    last: OpId,
) -> HashSet<OpId> {
    let body = deps.values.body;
    let inner: Vec<OpId> = body.walk_op(last)[1..]
        .iter()
        .copied()
        .filter(|&op| ForOp::cast(body, op).is_some())
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
                    .any(|&other| overlaps(values, access, other, own))
            };
            if accesses.iter().any(meets) {
                found.insert(op);
            }
        }
    }
    found
}

/// Whether each round of the innermost loop around an access below `last` touches another page.
pub(super) fn turns_pages(deps: &mut Dependences, access: &Access, last: OpId) -> bool {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let around = body.parent_op(access.op).filter(|&op| op != last);
    let Some(counter) = around.and_then(|op| counters(body, op).next()) else {
        return false;
    };
    let iv = Atom::Value(counter.induction_var(body));
    let iv = deps.values.atom_number(iv);
    let distance = stride(deps, access, iv);
    let distance = distance.and_then(|stride| stride.checked_mul(counter.step(ctx, body)));
    distance.is_some_and(|distance| distance.unsigned_abs() >= PAGE)
}
