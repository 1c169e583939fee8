//! `affine-fuse-rows`: fuses nests over the same rows, of which one reduces each row.
//!
//! ```text
//! affine.for %i = 0 to %m {                    affine.for %i = 0 to %m {
//!   %s = affine.for %j = 0 to %n … // x          %s = affine.for %j = 0 to %n … // x
//!   affine.store %s, %t[%i]                      affine.store %s, %t[%i]
//! }                                    ⇒         %v = affine.load %t[%i]
//! affine.for %i = 0 to %m {                      affine.for %j = 0 to %n {
//!   affine.for %j = 0 to %n {                      … %v …
//!     %v = affine.load %t[%i]                    }
//!     …                                        }
//! ```
//!
//! Softmax and norms come as such nests from libraries of whole-array operations. One nest is a row a
//! workgroup and one launch (`affine_parallelize_reductions::rows`), and the row is read from memory once.
//! The legality is that of `affine-fuse-kernels`. Fused are two nests where
//!
//! - the loops around rows agree in bounds, and there are rows enough for all workgroups;
//! - every loop in them is one that threads can share: it goes along rows, is parallel or reduces, and each
//!   thread has a vector of it. A reduction must stream: one that uses its elements again in other rows,
//!   as a product of matrices does, gains more from tiles;
//! - at least one reduces, and both access a row of the same memory.

use gridloom_dialects::affine::ForOp;

use super::Planner;
use crate::transform::affine_parallelize_reductions::row_sharing::{MAX_LOOPS, loops_of_row};

impl Planner<'_> {
    /// The number of loops around the rows of two nests that can be fused by rows.
    pub(super) fn common_rows(&mut self, pair: [ForOp; 2]) -> Option<usize> {
        let body = self.body();
        let bands = self.kernels_of(pair)?.map(|kernel| kernel.band.clone());
        let inner = [&bands[0], &bands[1]].map(|band| loops_of_row(body, *band.last()?));
        let [Some(first), Some(second)] = inner else {
            return None;
        };
        // The rows of a nest of parallel loops alone run along its innermost loop, or along the
        // loops after the first.
        let depth = match (&first[..], &second[..]) {
            ([], []) => return None,
            ([], _) => bands[1].len(),
            _ => bands[0].len(),
        };
        let first = loops_at(&bands[0], first, depth)?;
        let second = loops_at(&bands[1], second, depth)?;
        let mut all = first.iter().chain(&second);
        let reduces = all.any(|l| body[l.0].num_results() > 0);
        let fits = (2..=MAX_LOOPS).contains(&(first.len() + second.len()));
        if !reduces || !fits || !self.reductions.has_rows_enough(&bands[0][..depth]) {
            return None;
        }
        let rows = [(&bands[0], first), (&bands[1], second)];
        let are_shared = rows.into_iter().all(|(band, loops)| {
            let around = &band[..depth];
            let mut loops = loops.into_iter();
            loops.all(|l| self.reductions.streams_in_row(around, l))
        });
        are_shared.then_some(depth)
    }
}

/// The loops along a row at a given nesting depth: those in `inner`, which all parallel loops
/// enclose, or else the last parallel loop.
fn loops_at(band: &[ForOp], inner: Vec<ForOp>, depth: usize) -> Option<Vec<ForOp>> {
    match band.get(depth..) {
        Some([]) => Some(inner),
        Some(&[along]) if inner.is_empty() => Some(vec![along]),
        _ => None,
    }
}
