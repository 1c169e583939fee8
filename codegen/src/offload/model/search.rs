//! Tile search: finds the register tile of a thread that costs least by the model.

use super::{BandLoop, Machine, Nest, ThreadSchedule, Trips};
use crate::target::Unrolling;

/// Limit of the iterations in a tile.
const MAX_POINTS: i64 = 64;

/// Improvement threshold: a schedule replaces the best one so far if it costs less than this share
/// of it.
const WORTH: f64 = 0.97;

/// Tile search: the tile sides to try, and the share of the best cost so far that a tile has to
/// stay below.
struct Search<'a> {
    machine: &'a Machine,
    sides: &'a [i64],
    worth: f64,
}

impl Nest<'_> {
    /// Finds the cheapest schedule.
    ///
    /// Tiles that interleave along x have scalar accesses, which adjacent threads make side by side
    /// whatever is aligned. In a body without loops, tiles of consecutive iterations replace them
    /// where these are cheaper: where the elements of such a tile, or those that its points touch
    /// together, form vectors.
    pub(super) fn best(&mut self, machine: &Machine, unrolling: Unrolling) -> ThreadSchedule {
        let spread = self.cheapest(machine);
        if !self.is_spread || !self.rounds.is_empty() || self.test.is_some() {
            return self.schedule(spread.1, machine, unrolling);
        }
        self.set_spread(false);
        let run = self.cheapest(machine);
        if run.0 < spread.0 * WORTH {
            return self.schedule(run.1, machine, unrolling);
        }
        self.set_spread(true);
        self.schedule(spread.1, machine, unrolling)
    }

    /// Sets whether the tiles of a workgroup interleave along x.
    fn set_spread(&mut self, is_spread: bool) {
        self.is_spread = is_spread;
        for group in &mut self.groups {
            group.is_spread = is_spread;
        }
    }

    /// The complete schedule for a register tile.
    fn schedule(&self, tile: Vec<i64>, machine: &Machine, unrolling: Unrolling) -> ThreadSchedule {
        ThreadSchedule {
            lead: self.lead(&tile, machine),
            is_spread: self.is_spread,
            span: self.span(&tile, self.work(&tile, machine), machine),
            separates_partial_tiles: self.separates_partial_tiles(&tile),
            part: self.part(&tile),
            test: self.test_of(&tile),
            unrolling,
            straight: None,
            tile,
        }
    }

    /// The cheapest tile, with the modelled cost of an iteration.
    fn cheapest(&self, machine: &Machine) -> (f64, Vec<i64>) {
        let mut tile = vec![1i64; self.band.len()];
        let mut best = (self.cost(&tile, machine), tile.clone());
        let powers = Search {
            machine,
            // Windows that overlap read each element several times.
            sides: match self.walks_pages && !self.has_windows {
                true => machine.page_sides,
                false => &[1, 2, 4, 8],
            },
            worth: match self.rounds.is_empty() {
                true => (100 - machine.gain) as f64 / 100.0,
                false => WORTH,
            },
        };
        self.search(&powers, 0, &mut tile, &mut best);
        let is_known = |l: &BandLoop| matches!(l.trips, Trips::Constant(_));
        if self.band.iter().any(is_known) {
            // Sides that are not powers of 2 make scalar accesses of vector ones: they pay off only
            // where they fit loops of few iterations much better.
            let all = Search {
                sides: machine.sides,
                worth: 0.85,
                ..powers
            };
            self.search(&all, 0, &mut tile, &mut best);
        }
        best
    }

    /// Enumerates the tiles of the given sides that loops and their trip counts permit, whatever
    /// they cost.
    pub(in crate::offload) fn tiles(&self, sides: &[i64], most_points: i64) -> Vec<Vec<i64>> {
        let mut tiles = vec![Vec::new()];
        for (l, &may_tile) in self.band.iter().zip(&self.may_tile) {
            let is_side = |&size: &i64| {
                let is_beyond = matches!(l.trips, Trips::Constant(trips) if size > trips);
                size == 1 || may_tile && !is_beyond
            };
            let with = |tile: Vec<i64>| {
                let points: i64 = tile.iter().product();
                let fits = move |size: &i64| points * size <= most_points;
                let sides = sides.iter().copied().filter(is_side).filter(fits);
                let next = |size| tile.iter().copied().chain([size]).collect();
                sides.map(next).collect::<Vec<Vec<i64>>>()
            };
            tiles = tiles.into_iter().flat_map(with).collect();
        }
        tiles
    }

    fn search(&self, search: &Search, k: usize, tile: &mut Vec<i64>, best: &mut (f64, Vec<i64>)) {
        if k == tile.len() {
            if self.limit(tile, search.machine).is_none() {
                let cost = self.cost(tile, search.machine);
                if cost < best.0 * search.worth {
                    *best = (cost, tile.clone());
                }
            }
            return;
        }
        for &size in search.sides {
            let points: i64 = tile[..k].iter().product::<i64>() * size;
            let (is_beyond, is_odd) = match self.band[k].trips {
                Trips::Constant(trips) => (size > trips, false),
                // A short loop of unknown length would often have a part of a tile.
                Trips::Least(..) => (
                    size > (self.band[k].most - 1) / 2 + 1,
                    size.count_ones() > 1,
                ),
            };
            if size > 1 && (!self.may_tile[k] || is_beyond || points > MAX_POINTS) {
                break;
            }
            if is_odd {
                continue;
            }
            tile[k] = size;
            self.search(search, k + 1, tile, best);
        }
        tile[k] = 1;
    }
}
