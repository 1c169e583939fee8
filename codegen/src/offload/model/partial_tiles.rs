//! Partial tiles, which extend beyond the last iteration: computed apart from the full ones, or
//! with points that repeat the first one.

use super::{Nest, Trips};

/// Tiles along a loop of which one may be partial, so that it costs little even if it takes as long as
/// all of its points.
const MANY_TILES: i64 = 32;

/// Limit of the rounds of all loops in an iteration for these to count as short: those of a window
/// of 5 by 5.
const SHORT: i64 = 32;

impl Nest<'_> {
    /// Whether partial tiles are computed apart: where that is little code, or little work. The
    /// points of a full tile are known to be consecutive, so that a driver merges their loads; in
    /// short loops whose loads serve few points each, as over the window of a stencil, loads are
    /// most of the work, and rounds of loops along windows can share them. A contraction shares what it
    /// loads among the points of a tile, which it would have to load for each of them apart.
    pub(in crate::offload) fn separates_partial_tiles(&self, tile: &[i64]) -> bool {
        self.rounds.is_empty()
            || self.test.is_some()
            || !self.is_spread
                && (self.is_short() && !self.shares(tile)
                    || self.has_windows && self.has_few_partial(tile))
    }

    /// Whether few of the tiles are partial along each loop.
    fn has_few_partial(&self, tile: &[i64]) -> bool {
        let mut sizes = self.band.iter().zip(tile);
        sizes.all(|(l, &size)| match l.trips {
            _ if size == 1 => true,
            Trips::Constant(trips) => trips % size == 0 || trips / size >= MANY_TILES,
            Trips::Least(..) => false,
        })
    }

    /// Whether the loops in an iteration have few rounds.
    fn is_short(&self) -> bool {
        self.rounds.keys().all(|&(_, rounds)| rounds <= SHORT)
    }

    /// Whether the points of a tile share most of the elements that their loops load.
    fn shares(&self, tile: &[i64]) -> bool {
        let in_loops = self
            .groups
            .iter()
            .filter(|group| group.weight > 1 && !group.is_write);
        let all = tile
            .iter()
            .fold(1i64, |all, &size| all.saturating_mul(size));
        let (mut together, mut alone) = (0i64, 0i64);
        for group in in_loops {
            let times = |points: i64| points.saturating_mul(group.weight);
            together = together.saturating_add(times(Self::points(tile, group.mask)));
            alone = alone.saturating_add(times(all));
        }
        together.saturating_mul(2) < alone
    }
}
