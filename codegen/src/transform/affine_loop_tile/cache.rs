//! Tile sizes by cache capacity: the largest cubic tile whose footprint fits.
//!
//! An access whose subscripts vary with `v` of the loops touches at most `t^v` elements in a tile of `t`
//! iterations a loop, and never more than its array has.

use gridloom_dialects::affine::{Access as Subscripts, ForOp};

use super::DEFAULT_SIZE;
use crate::analysis::access::{Place, accesses_below};
use crate::analysis::dependence::Dependences;
use crate::analysis::values::Atom;
use crate::analysis::workgroup_memory::element_bytes;

/// Limit of the tile sizes that are tried.
const MAX_SIZE: i64 = 1 << 10;

/// The side of the largest tile whose footprint fits a cache of `bytes`; the default size where the
/// footprint is unknown, since an access is not affine or uses loops outside of the nest.
pub(super) fn side_for(deps: &mut Dependences, loops: &[ForOp], bytes: i64) -> i64 {
    footprints(deps, loops).map_or(DEFAULT_SIZE, |footprints| {
        let fits = |side: &i64| {
            let each = footprints.iter().map(|footprint| footprint.bytes(*side));
            let sum = each.fold(0i64, i64::saturating_add);
            sum <= bytes
        };
        let sides = std::iter::successors(Some(1i64), |side| side.checked_mul(2));
        let sides = sides.take_while(|&side| side <= MAX_SIZE).take_while(fits);
        sides.last().unwrap_or(1)
    })
}

/// Footprint of an access in a tile.
struct Footprint {
    /// Number of loops that its subscripts vary with.
    varies: u32,
    /// Number of elements of the array, where known.
    elements: Option<i64>,
    /// Bytes of an element.
    width: i64,
}

impl Footprint {
    fn bytes(&self, side: i64) -> i64 {
        let touched = side.checked_pow(self.varies).unwrap_or(i64::MAX);
        let touched = touched.min(self.elements.unwrap_or(i64::MAX));
        touched.saturating_mul(self.width)
    }
}

fn footprints(deps: &mut Dependences, loops: &[ForOp]) -> Option<Vec<Footprint>> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let root = *loops.first()?;
    let below = body.walk_op(root.0).into_iter();
    if below.filter_map(|op| ForOp::cast(body, op)).count() > loops.len() {
        return None;
    }
    let counters: Vec<u32> = (loops.iter())
        .map(|l| {
            let counter = Atom::Value(l.induction_var(body));
            deps.values.atom_number(counter)
        })
        .collect();
    let mut found = Vec::new();
    let mut seen: Vec<Place> = Vec::new();
    for access in accesses_below(&mut deps.values, root.0) {
        let Place::Element { coords, .. } = &access.place else {
            return None;
        };
        if seen.contains(&access.place) {
            continue;
        }
        let mut atoms = Vec::new();
        for &coord in coords {
            deps.values.atoms_in(coord, &mut atoms);
        }
        let varies = counters.iter().filter(|counter| atoms.contains(counter));
        let memref = Subscripts::cast(body, access.op)?.memref(body);
        let ty = body.ty(memref).memref(ctx)?;
        found.push(Footprint {
            varies: varies.count() as u32,
            elements: ty.num_elements(),
            width: element_bytes(ctx, ty.element),
        });
        seen.push(access.place);
    }
    Some(found)
}
