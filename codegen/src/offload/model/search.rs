//! The search for the cheapest tile of a thread.

use super::{BandLoop, Machine, Nest, Schedule, Trips};

/// Most iterations in a tile.
const MAX_POINTS: i64 = 64;

/// Search for a tile: the sides that are tried, and what share of the cost of the best one so far
/// a tile may have to be better.
struct Search<'a> {
    machine: &'a Machine,
    sides: &'a [i64],
    worth: f64,
}

impl Nest<'_> {
    /// The cheapest tile.
    pub(super) fn best(&self, machine: &Machine) -> Schedule {
        let mut tile = vec![1i64; self.band.len()];
        let mut best = (self.cost(&tile, machine), tile.clone());
        // Little is not worth the code.
        let powers = Search {
            machine,
            sides: &[1, 2, 4, 8],
            worth: 0.97,
        };
        self.search(&powers, 0, &mut tile, &mut best);
        let is_known = |l: &BandLoop| matches!(l.trips, Trips::Constant(_));
        if self.band.iter().all(is_known) {
            // Sides that are no power of 2 make accesses of elements, not of vectors: worth it
            // only where they fit loops of few iterations much better.
            let all = Search {
                sides: machine.sides,
                worth: 0.85,
                ..powers
            };
            self.search(&all, 0, &mut tile, &mut best);
        }
        let tile = best.1;
        let span = self.span(&tile, self.work(&tile, machine), machine);
        Schedule {
            lead: self.lead(&tile, machine),
            span,
            is_apart: self.is_apart(),
            part: self.part(&tile),
            test: self.test_of(&tile),
            tile,
        }
    }

    /// Enumerates the tiles of these sides that loops and their trip counts permit, at any cost.
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
            let is_beyond = matches!(self.band[k].trips, Trips::Constant(trips) if size > trips);
            if size > 1 && (!self.may_tile[k] || is_beyond || points > MAX_POINTS) {
                break;
            }
            tile[k] = size;
            self.search(search, k + 1, tile, best);
        }
        tile[k] = 1;
    }
}
