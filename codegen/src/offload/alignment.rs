//! Alignment of tiles: where the first tile along x begins, so that its neighbours are one access.
//!
//! ```text
//! affine.for %j = 1 to 15 { … store %v, %b[%j] }   // tiles of 4
//!
//! lead 0:  1 2 3 4 | 5 6 7 8 | …        lead 1:  · 1 2 3 | 4 5 6 7 | …
//! ```
//!
//! Four elements at a multiple of four are one access. A nest that leaves out the border of an
//! array begins elsewhere: its first tile then begins before the first iteration, and is done point
//! by point as those are that jut out over the last one.

use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{AffineExpr, Value};

use super::access_group::WIDE;
use super::model::Nest;
use super::plan::Trips;
use crate::analysis::dependence::Dependences;
use crate::target::machine::Machine;

/// Profitability threshold: the tiles along x from which a partial first one is worth its code.
const MIN_TILES: i64 = 8;

impl Nest<'_> {
    /// Lead: the iterations by which the first tile along x begins before the first iteration.
    pub(super) fn lead(&self, tile: &[i64], machine: &Machine) -> i64 {
        let (x, size) = (self.x, tile[self.x]);
        let is_long =
            matches!(self.band[x].trips, Trips::Constant(trips) if trips / size >= MIN_TILES);
        // Tests of a domain are made for tiles that begin with the first iteration.
        let may_lead = self.test.is_none() && self.rounds.is_empty() && !self.is_spread;
        let gains = machine.wide != machine.access && may_lead;
        let (Some(lower), true) = (self.lower, is_long && gains && size % WIDE == 0) else {
            return 0;
        };
        // Number of accesses that each lead aligns; stores count twice.
        let mut aligned = [0; WIDE as usize];
        for group in self.groups.iter().filter(|group| group.is_wide_along(x)) {
            for constant in group.offsets.iter().filter_map(|offset| offset.last()) {
                let lead = lower.wrapping_add(*constant).rem_euclid(WIDE);
                aligned[lead as usize] += if group.is_write { 2 } else { 1 };
            }
        }
        // The smallest of equally good leads, so that no tile moves in vain.
        let best = (0..WIDE).rev().max_by_key(|&lead| aligned[lead as usize]);
        best.unwrap_or(0)
    }
}

/// Whether the position of an element, without the constant of its last coordinate and without the
/// band's counters, is a multiple of [`WIDE`], as far as is known. A size or stride that the type
/// leaves open is taken as one.
pub(super) fn is_aligned(
    deps: &Dependences,
    root: Value,
    bases: &[AffineExpr],
    ivs: &[u32],
) -> bool {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let form = body
        .ty(root)
        .memref(ctx)
        .and_then(|ty| ty.strided_form(ctx));
    let (Some((offset, strides)), Some(&last)) = (form, bases.last()) else {
        return false;
    };
    let is_multiple = |number: i64| number == DYNAMIC || number % WIDE == 0;
    let outer = strides.iter().rev().skip(1);
    if !is_multiple(offset) || strides.last() != Some(&1) || !outer.copied().all(is_multiple) {
        return false;
    }
    let mut atoms = Vec::new();
    deps.values.atoms_in(last, &mut atoms);
    atoms.retain(|atom| !ivs.contains(atom));
    atoms.iter().all(|&atom| {
        let factor = deps.values.coefficient(last, atom);
        factor.is_some_and(|factor| factor % WIDE == 0)
    })
}
