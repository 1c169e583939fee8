//! Levels of a nest of updates: which loop the groups of threads share, and which one the threads of
//! a group.
//!
//! ```text
//! affine.for %i = 0 to 1021 {            affine.for %i = %g * 16 to min(1021, %g * 16 + 16) {
//!   affine.for %j = 0 to 1027 {    ⇒       affine.for %j = %l to 1027 step 8 {
//!     update(%i, %j)                         update(%i, %j)
//! ```
//!
//! The threads of a group share the innermost loop of the perfect nest that has enough iterations for
//! all of them, so that neighbours access neighbouring elements. Legal where updates are the only
//! dependences that each loop down to that one carries.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_ir::{Body, Context};

use super::{Privatized, has_plain_bounds, has_safe_rows};
use crate::analysis::dependence::Dependences;
use crate::target::OffloadOptions;
use crate::transform::affine_atomic_updates::{Update, are_all_that_ties};
use crate::transform::unrolled_rows::row_of;

/// Minimal number of turns that the threads of a group take in the loop that they share.
const LEAST_TURNS: i64 = 2;

/// Shared loops of a nest of updates.
pub(super) struct Levels {
    /// The loops from the root to the one that the threads of a group share.
    pub(super) band: Vec<ForOp>,
    /// The loop of the band that groups share.
    pub(super) grouped: usize,
    /// Row length: adjacent iterations of the innermost loop that a thread takes at a time.
    pub(super) row: i64,
    /// Number of iterations of the perfect nest, if it is known.
    pub(super) count: Option<i64>,
}

/// Chooses the loops that groups of threads, and the threads of each, share.
pub(super) fn levels_of(
    deps: &mut Dependences,
    root: ForOp,
    updates: &[Update],
    options: &OffloadOptions,
    [groups, lanes]: [i64; 2],
) -> Levels {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let mut band = perfect_band(ctx, body, root);
    let trips: Vec<Option<i64>> = (band.iter())
        .map(|&level| level.signed_trip_count(ctx, body))
        .collect();
    let count = (trips.iter()).try_fold(1i64, |count, &trips| count.checked_mul(trips?));
    let least = LEAST_TURNS * lanes * options.reduction.vector.max(1);
    let has_enough = |level: &usize| trips[*level].is_none_or(|trips| trips >= least);
    let shared = (0..band.len()).rev().find(has_enough).unwrap_or(0);
    let are_parallel =
        (band[1..=shared].iter()).all(|&level| are_all_that_ties(deps, level, updates, options));
    band.truncate(if are_parallel { shared + 1 } else { 1 });
    let innermost = band[band.len() - 1];
    let row = match row_of(body, innermost, options.reduction.vector) {
        row if has_safe_rows(deps, innermost, row) => row,
        _ => 1,
    };
    let suffices = |&level: &usize| trips[level].is_none_or(|trips| 2 * trips >= groups);
    let grouped = (0..band.len()).find(suffices).unwrap_or(band.len() - 1);
    Levels {
        band,
        grouped,
        row,
        count,
    }
}

/// The loops from `root` inwards of which each is all that the one around it runs, as far as their
/// bounds allow that threads share them.
fn perfect_band(ctx: &Context, body: &Body, root: ForOp) -> Vec<ForOp> {
    let mut band = vec![root];
    let mut around = root;
    while let [only, end] = body.ops(around.block(body)).collect::<Vec<_>>()[..]
        && body[end].name == affine::YIELD
        && let Some(inner) = ForOp::cast(body, only)
        && body[only].num_results() == 0
        && has_plain_bounds(ctx, body, inner)
    {
        band.push(inner);
        around = inner;
    }
    band
}

impl Privatized {
    /// Whether groups share the loop at a depth of the band, and whether the threads of a group do.
    pub(super) fn sharers(&self, depth: usize) -> [bool; 2] {
        [depth == self.grouped, depth + 1 == self.band.len()]
    }
}
