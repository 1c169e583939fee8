//! Bundles of accesses: one access that stands for many of a loop's, as for the elements of a vector or of an unrolled
//! tile.
//!
//! ```text
//! %a[%i, %j], %a[%i, %j + 1], …, %a[%i + 7, %j + 15]   ⇒   %a[%i + l, %j + m], 0 <= l <= 7, 0 <= m <= 15
//! ```
//!
//! A bundle touches at least what its accesses touch: it is the box around them, without their guards. So where no
//! bundles conflict, no accesses do. The numbers `l` and `m` are lanes ([`Atom::Lane`]).

use std::collections::HashMap;

use gridloom_ir::{AffineExpr, BlockId, Body, OpId};

use super::access::{Access, CoordSpace, Place, moved_by_lane};
use super::alias::Root;
use super::values::{AffineValues, Atom};

/// Key of a bundle: what its accesses agree in.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    block: Option<BlockId>,
    is_write: bool,
    may: bool,
    root: Root,
    space: CoordSpace,
    /// The varying terms of each subscript.
    terms: Vec<Vec<(AffineExpr, i128)>>,
}

/// Box: the access that stands for its accesses, and the least and greatest distance of each subscript from its own.
struct Bundle {
    access: Access,
    constants: Vec<i128>,
    reach: Vec<(i64, i64)>,
}

/// Bundles the accesses of a block to one memref whose subscripts differ by constants. Other accesses, and those of the
/// operations in `apart`, stay as they are.
pub fn bundled(values: &mut AffineValues, accesses: Vec<Access>, apart: &[OpId]) -> Vec<Access> {
    let mut bundles: Vec<Bundle> = Vec::new();
    let mut known: HashMap<Key, usize> = HashMap::new();
    for access in accesses {
        let stays = Bundle {
            access,
            constants: Vec::new(),
            reach: Vec::new(),
        };
        let is_apart = apart.contains(&stays.access.op);
        let Some((key, constants)) = key(values, &stays.access).filter(|_| !is_apart) else {
            bundles.push(stays);
            continue;
        };
        if let Some(&at) = known.get(&key)
            && bundles[at].extend(&constants)
        {
            continue;
        }
        known.insert(key, bundles.len());
        bundles.push(Bundle {
            reach: vec![(0, 0); constants.len()],
            constants,
            ..stays
        });
    }
    let boxes = bundles
        .into_iter()
        .map(|bundle| bundle.access_of_all(values));
    boxes.collect()
}

/// The key of an access, and the constants of its subscripts; [`None`] for one that stands for itself.
fn key(values: &AffineValues, access: &Access) -> Option<(Key, Vec<i128>)> {
    let Place::Element {
        root,
        space,
        coords,
    } = &access.place
    else {
        return None;
    };
    if access.update.is_some() || !access.constraints.is_empty() {
        return None;
    }
    let body: &Body = values.body;
    let mut constants = Vec::new();
    let mut terms = Vec::new();
    for &coord in coords {
        let (mut varying, constant) = values.terms(coord)?;
        varying.sort_unstable();
        terms.push(varying);
        constants.push(constant);
    }
    let key = Key {
        block: body[access.op].parent(),
        is_write: access.is_write,
        may: access.may,
        root: *root,
        space: *space,
        terms,
    };
    Some((key, constants))
}

impl Bundle {
    /// Takes in an access with these constants, unless it is too far away.
    fn extend(&mut self, constants: &[i128]) -> bool {
        let own = self.constants.iter().zip(&self.reach);
        let reach = own.zip(constants).map(|((&own, &(least, most)), &other)| {
            let distance = i64::try_from(other.checked_sub(own)?).ok()?;
            let (least, most) = (least.min(distance), most.max(distance));
            most.checked_sub(least).map(|_| (least, most))
        });
        match reach.collect::<Option<Vec<_>>>() {
            Some(reach) => {
                self.reach = reach;
                true
            }
            None => false,
        }
    }

    /// The access that touches all elements of the box.
    fn access_of_all(mut self, values: &mut AffineValues) -> Access {
        let Place::Element { coords, .. } = &mut self.access.place else {
            return self.access;
        };
        if self.reach.iter().all(|&reach| reach == (0, 0)) {
            return self.access;
        }
        for (number, (coord, &(least, most))) in (0..).zip(coords.iter_mut().zip(&self.reach)) {
            let first = values
                .ctx
                .affine_add(*coord, values.ctx.affine_const(least));
            let lane = Atom::Lane(self.access.op, number, most - least);
            let (moved, of_lane) = moved_by_lane(values, lane, first);
            *coord = moved;
            self.access.constraints.extend(of_lane);
        }
        self.access.guards = Some(Vec::new());
        self.access
    }
}
