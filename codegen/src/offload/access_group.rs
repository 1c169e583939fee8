//! Groups of accesses as the model counts them.

use std::collections::HashSet;

use gridloom_ir::{AffineExpr, Value};

use super::machine::Machine;
use super::model::{GUARD, Nest};
use super::variance::Mask;

/// The class of accesses that are neither one element for all lanes nor neighbours: an index into
/// [`Machine::access`].
pub(super) const OTHER: usize = 2;

/// Accesses that differ by constants only.
pub(super) struct Group {
    pub(super) root: Option<(Value, Vec<AffineExpr>)>,
    /// How far each coordinate moves with each loop of the band.
    pub(super) moves: Vec<Vec<i64>>,
    /// The constants.
    pub(super) offsets: HashSet<Vec<i64>>,
    pub(super) mask: Mask,
    pub(super) weight: i64,
    /// Index into [`Machine::access`].
    pub(super) class: usize,
    pub(super) is_write: bool,
    /// Whether the kernel checks the indices.
    pub(super) is_guarded: bool,
}

impl Group {
    /// How much dearer elements become where the lanes of a thread walk rows of their own and use
    /// each element once: every row is a line of the cache, and lines that are open at once push
    /// each other out.
    pub(super) fn crowding(&self, elements: f64, points: f64, machine: &Machine) -> f64 {
        let is_walked = self.class == OTHER && self.weight > 1;
        match is_walked && elements > 1.0 {
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
