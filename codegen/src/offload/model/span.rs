//! Span of a thread: the number of tiles that it walks, one after the other.

use super::Nest;
use crate::offload::plan::BandLoop;
use crate::target::machine::Machine;

/// Target ratio of a thread's work to the cost of starting it.
const SHARE: f64 = 64.0;

/// Assumed trip count of the only loop of a band whose number of iterations is unknown, where the work of an iteration is known:
/// spans end where the starts of threads cost little, so a loop that turns out to be shorter has little work in all.
const MANY_TRIPS: i64 = 1 << 14;

impl Nest<'_> {
    /// Number of tiles that a thread walks along x, y and z, so that its start costs little beside its
    /// work. Each dimension is cut into pieces as even as possible.
    pub(in crate::offload) fn span(&self, tile: &[i64], work: f64, machine: &Machine) -> [i64; 3] {
        let enough = SHARE * machine.thread as f64 / work.max(1.0);
        let tiles_of = |k: usize| (self.trips_to_walk(&self.band[k]) - 1) / tile[k] + 1;
        let threads = (0..self.band.len()).map(tiles_of);
        let threads = threads.fold(1, i64::saturating_mul);
        let mut wanted = (threads / machine.threads)
            .min(machine.span)
            .min(enough.ceil() as i64);
        let mut span = [1; 3];
        for (dim, (span, loops)) in span.iter_mut().zip(self.dims).enumerate() {
            let tiles = loops.iter().map(|&k| tiles_of(k));
            let tiles = tiles.fold(1, i64::saturating_mul);
            let lanes = if dim == 0 { machine.lanes } else { 1 };
            let steps = (tiles - 1) / lanes + 1;
            if wanted > 1 && steps > 1 {
                let pieces = (steps - 1) / wanted.min(steps) + 1;
                *span = (steps - 1) / pieces + 1;
                wanted /= *span;
            }
        }
        span
    }

    /// The trip count that a loop of the band is taken to have.
    fn trips_to_walk(&self, l: &BandLoop) -> i64 {
        let is_only = || self.band.iter().filter(|l| l.is_open()).count() == 1;
        match l.is_open() && self.has_known_rounds && is_only() {
            true => MANY_TRIPS,
            false => l.assumed_trips(),
        }
    }
}
