//! Groups of accesses as the model counts them.

use std::collections::HashSet;

use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::{AffineExpr, Value};

use super::model::{GUARD, Nest};
use super::variance::Mask;
use crate::analysis::dependence::Dependences;
use crate::target::machine::Machine;

/// The class of accesses that are neighbours for adjacent lanes: an index into
/// [`Machine::access`].
const NEIGHBOURS: usize = 1;

/// The class of accesses that are neither one element for all lanes nor neighbours: an index into
/// [`Machine::access`].
pub(super) const OTHER: usize = 2;

/// Neighbouring elements that are one access.
pub(super) const WIDE: i64 = 4;

/// Accesses that differ by constants only.
pub(super) struct Group {
    pub(super) root: Option<(Value, Vec<AffineExpr>)>,
    /// Distance that each coordinate moves with each loop of the band.
    pub(super) moves: Vec<Vec<i64>>,
    /// The constants.
    pub(super) offsets: HashSet<Vec<i64>>,
    pub(super) mask: Mask,
    pub(super) weight: i64,
    /// Index into [`Machine::access`].
    pub(super) class: usize,
    /// Whether the elements of adjacent lanes are known to lie in lines of the cache of their own.
    pub(super) is_far: bool,
    /// Whether four neighbours at a multiple of four of the band's counters are one access.
    pub(super) is_aligned: bool,
    pub(super) is_write: bool,
    /// Whether the kernel checks the indices.
    pub(super) is_guarded: bool,
}

impl Group {
    /// Cost of the accesses of a tile of some points, each time.
    ///
    /// Elements that lanes have each on a row of its own cost a line of the cache for each row, and
    /// what lies side by side in the tile shares it. Loads that serve few points each and are
    /// more than there are registers for put others aside.
    pub(super) fn cost(&self, tile: &[i64], points: f64, machine: &Machine) -> f64 {
        let elements = self.elements(tile) as f64;
        let run = self.run(tile);
        let prices = match self.is_aligned && run % WIDE == 0 {
            true => machine.wide,
            false => machine.access,
        };
        let mut cost = prices[self.class] as f64 * elements;
        if self.class == NEIGHBOURS && !self.is_write {
            let beyond = (elements - machine.live as f64).max(0.0);
            cost *= 1.0 + beyond / (4 * machine.live) as f64 * (elements / points).min(1.0);
        } else if self.is_walked() {
            cost *= self.crowding(elements, points, machine);
        } else if self.is_far {
            let rows = elements / run as f64;
            cost += machine.row as f64 * rows * (1.0 + (rows - 1.0) / machine.streams as f64);
        }
        cost
    }

    /// Whether a sequential loop goes on along what the lanes of a thread have each for itself.
    fn is_walked(&self) -> bool {
        self.class == OTHER && self.weight > 1
    }

    /// Neighbouring elements that a tile has at once.
    fn run(&self, tile: &[i64]) -> i64 {
        let along = tile.iter().enumerate().filter(|&(k, _)| self.is_unit(k));
        along.map(|(_, &size)| size).max().unwrap_or(1)
    }

    /// Whether neighbouring iterations of a loop of the band have neighbouring elements.
    fn is_unit(&self, k: usize) -> bool {
        let Some((last, outer)) = self.moves.split_last() else {
            return false;
        };
        last[k].abs() == 1 && outer.iter().all(|moves| moves[k] == 0)
    }

    /// Whether neighbours in a tile along a loop of the band, which goes up, can be one access.
    pub(super) fn is_wide_along(&self, k: usize) -> bool {
        let goes_up = self.moves.last().is_some_and(|moves| moves[k] == 1);
        self.is_aligned && goes_up && self.is_unit(k) && !self.is_guarded
    }

    /// Factor on the cost of elements where the lanes of a thread walk rows of their own and use
    /// each element once: every row is a line of the cache, and lines that are open at once push
    /// each other out.
    fn crowding(&self, elements: f64, points: f64, machine: &Machine) -> f64 {
        match elements > 1.0 {
            true => 1.0 + elements / machine.streams as f64 * (elements / points),
            false => 1.0,
        }
    }

    /// Operations of the accesses that a tile has.
    pub(super) fn code(&self, tile: &[i64]) -> i64 {
        match self.is_guarded {
            // Checks keep equal accesses from being shared.
            true => GUARD * Nest::points(tile, self.mask) * self.offsets.len() as i64,
            false => self.elements(tile),
        }
    }

    /// Elements that a tile touches.
    pub(super) fn elements(&self, tile: &[i64]) -> i64 {
        let alone = Nest::points(tile, self.mask);
        if self.root.is_none() || self.offsets.len() == 1 {
            return alone;
        }
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
        touched.len() as i64
    }
}

/// Distance that each coordinate moves from one iteration of each loop to the next.
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

/// An expression as what varies and a constant.
pub(super) fn split(deps: &Dependences, expr: AffineExpr) -> (AffineExpr, i64) {
    let ctx = deps.values.ctx;
    match expr.kind(ctx) {
        AffineExprKind::Constant(value) => (ctx.affine_const(0), value),
        AffineExprKind::Binary(AffineOp::Add, rest, last) => match last.as_constant(ctx) {
            Some(value) => (rest, value),
            None => (expr, 0),
        },
        _ => (expr, 0),
    }
}
