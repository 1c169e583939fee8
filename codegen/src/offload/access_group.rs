//! Access groups: accesses that differ by constants only, as the cost model counts them.

use std::collections::{HashMap, HashSet};

use gridloom_ir::{AffineExpr, Value};

use super::model::{GUARD, Nest};
use super::variance::Mask;
use crate::analysis::dependence::Dependences;
use crate::target::machine::Machine;

/// The class of accesses that are neighbours for adjacent lanes: an index into
/// [`Machine::access`].
pub(super) const NEIGHBOURS: usize = 1;

/// The class of accesses that are neither one element for all lanes nor neighbours: an index into
/// [`Machine::access`].
pub(super) const OTHER: usize = 2;

/// Width of a vector access, in neighbouring elements.
pub(super) const WIDE: i64 = 4;

/// Access group: accesses of one array whose subscripts differ by constants only.
pub(super) struct Group {
    pub(super) root: Option<(Value, Vec<AffineExpr>)>,
    /// The loop of the band that adjacent threads differ in.
    pub(super) x: usize,
    /// Whether the points of a tile along x are a workgroup's threads apart, so that they touch no
    /// element together.
    pub(super) is_spread: bool,
    /// Stride matrix: the distance that each coordinate moves with each loop of the band.
    pub(super) moves: Vec<Vec<i64>>,
    /// The constant parts of the subscripts, one vector for each access.
    pub(super) offsets: HashSet<Vec<i64>>,
    pub(super) mask: Mask,
    pub(super) weight: i64,
    /// Access class: an index into [`Machine::access`].
    pub(super) class: usize,
    /// Whether the elements of adjacent lanes are known to lie in different cache lines.
    pub(super) has_own_cache_lines: bool,
    /// Whether four neighbours that begin at a multiple of four of the band's counters are one
    /// access.
    pub(super) is_aligned: bool,
    pub(super) is_write: bool,
    /// Whether the kernel checks the indices.
    pub(super) is_guarded: bool,
}

impl Group {
    /// Cost of the group's accesses for a tile of some points, each time the tile runs.
    ///
    /// Where each lane has a row of its own, each row costs a cache line, which neighbouring
    /// elements of the tile share. Loads that serve few points each and exceed the registers spill
    /// other values. Neighbours are one access along loops whose tiles are `whole`; the first
    /// iteration of the first tile along x is `start`.
    pub(super) fn cost(
        &self,
        tile: &[i64],
        points: f64,
        machine: &Machine,
        (whole, start): (Mask, Option<i64>),
    ) -> f64 {
        let elements = self.elements(tile) as f64;
        let (run, along) = self.run(tile);
        let is_whole = whole >> along & 1 == 1;
        let prices = match self.is_aligned && run % WIDE == 0 && is_whole {
            true => machine.wide,
            false => machine.access,
        };
        let mut cost = prices[self.class] as f64 * elements;
        if let Some(price) = machine.strided.filter(|_| self.is_strided(tile)) {
            let is_whole = whole >> self.x & 1 == 1;
            let singles = self.singles(tile, start.filter(|_| is_whole)) as f64;
            // Where a lane has several vectors, those of adjacent lanes are not adjacent.
            let apart = (tile[self.x] + WIDE - 1) / WIDE;
            let vectors = (elements - singles) * apart as f64;
            cost = price as f64 * singles + machine.wide[self.class] as f64 * vectors;
        }
        if self.class == NEIGHBOURS && !self.is_write {
            let beyond = (elements - machine.live as f64).max(0.0);
            cost *= 1.0 + beyond / (4 * machine.live) as f64 * (elements / points).min(1.0);
        } else if self.walks_rows() {
            cost *= self.cache_pressure_factor(elements, points, machine);
        } else if self.has_own_cache_lines {
            let rows = elements / run as f64;
            cost += machine.row as f64 * rows * (1.0 + (rows - 1.0) / machine.streams as f64);
        }
        cost
    }

    /// Whether a sequential loop walks along rows that each lane has for itself.
    fn walks_rows(&self) -> bool {
        self.class == OTHER && self.weight > 1
    }

    /// Longest run of neighbouring elements in a tile, with the loop that it runs along.
    fn run(&self, tile: &[i64]) -> (i64, usize) {
        let along = tile.iter().enumerate().filter(|&(k, _)| self.is_unit(k));
        along.map(|(k, &size)| (size, k)).max().unwrap_or((1, 0))
    }

    /// Whether the access is contiguous in a loop of the band: neighbouring iterations access
    /// neighbouring elements.
    fn is_unit(&self, k: usize) -> bool {
        let Some((last, outer)) = self.moves.split_last() else {
            return false;
        };
        last[k].abs() == 1 && outer.iter().all(|moves| moves[k] == 0)
    }

    /// Whether the neighbours of a tile along an ascending loop of the band can be one vector
    /// access.
    pub(super) fn is_wide_along(&self, k: usize) -> bool {
        let goes_up = self.moves.last().is_some_and(|moves| moves[k] == 1);
        self.is_aligned && goes_up && self.is_unit(k) && !self.is_guarded
    }

    /// Cache-pressure factor: the extra cost where the lanes of a thread walk rows of their own and
    /// use each element once. Every row is a cache line, and lines that are open at once evict each
    /// other.
    fn cache_pressure_factor(&self, elements: f64, points: f64, machine: &Machine) -> f64 {
        match elements > 1.0 {
            true => 1.0 + elements / machine.streams as f64 * (elements / points),
            false => 1.0,
        }
    }

    /// Whether the accesses of adjacent lanes are strided, since each lane has several neighbouring
    /// elements.
    fn is_strided(&self, tile: &[i64]) -> bool {
        let moves = self.mask >> self.x & 1 == 1 && tile[self.x] > 1;
        self.class == NEIGHBOURS && moves && !self.is_spread
    }

    /// Number of elements of a tile that aligned accesses of [`WIDE`] neighbours do not cover,
    /// where the first iteration of the first tile along x is `start`.
    fn singles(&self, tile: &[i64], start: Option<i64>) -> i64 {
        let Some(start) = start.filter(|_| self.is_wide_along(self.x) && tile[self.x] % WIDE == 0)
        else {
            return self.elements(tile);
        };
        let mut vectors: HashMap<(Vec<i64>, i64), i64> = HashMap::new();
        for mut element in self.touched(tile) {
            let last = element.pop().unwrap_or(0).wrapping_add(start);
            *vectors.entry((element, last.div_euclid(WIDE))).or_default() += 1;
        }
        vectors.values().filter(|&&count| count < WIDE).sum()
    }

    /// Number of operations for the accesses of a tile.
    pub(super) fn code(&self, tile: &[i64]) -> i64 {
        match self.is_guarded {
            // Bounds checks keep equal accesses from being shared.
            true => GUARD * Nest::points(tile, self.mask) * self.offsets.len() as i64,
            false => self.elements(tile),
        }
    }

    /// Number of distinct elements that a tile touches.
    pub(super) fn elements(&self, tile: &[i64]) -> i64 {
        let alone = Nest::points(tile, self.mask);
        if self.root.is_none() || self.offsets.len() == 1 {
            return alone;
        }
        if self.is_spread && tile[self.x] > 1 && self.mask >> self.x & 1 == 1 {
            let mut column = tile.to_vec();
            let columns = std::mem::replace(&mut column[self.x], 1);
            return columns * self.elements(&column);
        }
        let in_box = self.elements_in_box(tile);
        in_box.unwrap_or_else(|| self.elements_by_set(tile))
    }

    /// [`elements`](Self::elements) by a hash set, for tiles of any extent.
    fn elements_by_set(&self, tile: &[i64]) -> i64 {
        self.touched(tile).len() as i64
    }

    /// Offsets of the distinct elements that a tile touches.
    fn touched(&self, tile: &[i64]) -> HashSet<Vec<i64>> {
        let mut touched = self.offsets.clone();
        for (k, &size) in tile.iter().enumerate() {
            let moved = |offset: &Vec<i64>| {
                let offset = offset.clone();
                (0..size).map(move |place| {
                    let moved = offset.iter().zip(&self.moves);
                    moved
                        .map(|(at, moves)| at.wrapping_add(moves[k].wrapping_mul(place)))
                        .collect()
                })
            };
            if size > 1 {
                touched = touched.iter().flat_map(moved).collect();
            }
        }
        touched
    }
}

impl Group {
    /// [`elements`](Self::elements) by marks in the bounding box of the touched elements; [`None`]
    /// where the box is large. A search evaluates many tiles, and most boxes have a few hundred
    /// elements.
    fn elements_in_box(&self, tile: &[i64]) -> Option<i64> {
        let coords = self.moves.len();
        // The place of an element in the box is linear in its coordinates.
        let (mut volume, mut lows, mut strides) = (1i64, Vec::new(), Vec::new());
        for c in 0..coords {
            let at = |offset: &Vec<i64>| offset.get(c).copied();
            let low = self.offsets.iter().filter_map(at).min()?;
            let high = self.offsets.iter().filter_map(at).max()?;
            let mut extent = high.checked_sub(low)?.checked_add(1)?;
            let mut back = 0i64;
            for (&moves, &size) in self.moves[c].iter().zip(tile) {
                let reach = moves.checked_mul(size - 1)?;
                extent = extent.checked_add(reach.checked_abs()?)?;
                back = back.checked_add(reach.min(0))?;
            }
            lows.push(low.checked_add(back)?);
            strides.push(volume);
            volume = volume.checked_mul(extent).filter(|&size| size <= MAX_BOX)?;
        }
        // Only differences of linear positions count, and these are below the volume, so wrapping
        // around is harmless.
        let place = |coords: &[i64]| {
            let each = coords.iter().zip(&strides);
            each.fold(0i64, |sum, (at, &stride)| {
                sum.wrapping_add(at.wrapping_mul(stride))
            })
        };
        let origin = place(&lows);
        let starts = self.offsets.iter();
        let mut touched: Vec<i64> = starts
            .map(|offset| place(offset).wrapping_sub(origin))
            .collect();
        let mut marks = vec![false; volume as usize];
        for (k, &size) in tile.iter().enumerate().filter(|&(_, &size)| size > 1) {
            let moves: Vec<i64> = self.moves.iter().map(|moves| moves[k]).collect();
            let stride = place(&moves);
            marks.fill(false);
            let all = touched.iter();
            let moved = all.flat_map(|&at| (0..size).map(move |n| at + stride * n));
            touched = moved
                .filter(|&at| !std::mem::replace(&mut marks[at as usize], true))
                .collect();
        }
        Some(touched.len() as i64)
    }
}

/// Limit of the elements of a bounding box that is marked element by element.
const MAX_BOX: i64 = 1 << 12;

/// Stride matrix: the distance that each coordinate moves from one iteration of each loop to the
/// next.
pub(super) fn moves(
    deps: &Dependences,
    coords: &[AffineExpr],
    ivs: &[u32],
    steps: &[i64],
) -> Option<Vec<Vec<i64>>> {
    let along = |coord: AffineExpr| {
        let each = ivs.iter().zip(steps);
        each.map(|(&iv, &step)| deps.values.coefficient(coord, iv)?.checked_mul(step))
            .collect()
    };
    coords.iter().map(|&coord| along(coord)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares both ways of counting with an enumeration of the points of the tile.
    #[test]
    fn counts_each_element_once() {
        let check = |moves: &[&[i64]], offsets: &[&[i64]], tile: &[i64], in_box: bool| {
            let group = Group {
                root: None,
                x: 0,
                is_spread: false,
                moves: moves.iter().map(|moves| moves.to_vec()).collect(),
                offsets: offsets.iter().map(|offset| offset.to_vec()).collect(),
                mask: 0,
                weight: 1,
                class: OTHER,
                has_own_cache_lines: false,
                is_aligned: false,
                is_write: false,
                is_guarded: false,
            };
            let mut points = vec![Vec::new()];
            for &size in tile {
                let with = |point: Vec<i64>| (0..size).map(move |at| [&point[..], &[at]].concat());
                points = points.into_iter().flat_map(with).collect();
            }
            let at = |offset: &[i64], point: &[i64]| -> Vec<i64> {
                let moved =
                    |moves: &&[i64]| -> i64 { moves.iter().zip(point).map(|(m, p)| m * p).sum() };
                offset
                    .iter()
                    .zip(moves)
                    .map(|(at, moves)| at + moved(moves))
                    .collect()
            };
            let each = points.iter().flat_map(|p| offsets.iter().map(|o| at(o, p)));
            let expected = each.collect::<HashSet<_>>().len() as i64;
            assert_eq!(group.elements_by_set(tile), expected);
            assert_eq!(group.elements_in_box(tile), in_box.then_some(expected));
        };
        // Five points of a stencil.
        let star: [&[i64]; 5] = [&[0, 0], &[-1, 0], &[1, 0], &[0, -1], &[0, 1]];
        check(&[&[1, 0], &[0, 1]], &star, &[4, 4], true);
        check(&[&[1, 0], &[0, 1]], &star, &[1, 8], true);
        // Steps, backward moves and a diagonal.
        check(&[&[2, 0], &[0, -3]], &star, &[3, 5], true);
        check(&[&[1, 1]], &[&[0], &[2]], &[4, 4], true);
        check(&[&[-1, 1]], &[&[7], &[-7]], &[6, 3], true);
        // A box that is too large, and one at the end of the numbers.
        check(&[&[1000, 0], &[0, 1]], &star, &[8, 4], false);
        check(
            &[&[1], &[1]],
            &[&[i64::MAX - 9, i64::MIN], &[i64::MAX - 8, i64::MIN]],
            &[4],
            true,
        );
    }
}
