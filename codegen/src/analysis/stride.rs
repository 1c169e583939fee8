//! Strides: how far an access moves in memory from one iteration of a loop to the next.
//!
//! ```text
//! %m: memref<64x100xf32>, %m[%i, 2 * %j]        100 elements along i, 2 along j
//! ```
//!
//! The cost models ask for them: threads with neighbouring iterations should access neighbouring elements. Also, whether
//! the windows of two loops overlap, as in a convolution.

use super::access::{Access, CoordSpace, Place, linearise};
use super::alias::Root;
use super::counter::Counter;
use super::dependence::Dependences;
use super::values::{AffineValues, Atom};
use gridloom_dialects::affine::ForOp;

/// Assumed stride along a dimension of unknown extent.
const FAR: i64 = 1 << 20;

/// Stride of an access in elements, from one iteration to the next.
pub(crate) fn stride(deps: &Dependences, access: &Access, iv: u32) -> Option<i64> {
    let values = &deps.values;
    let Place::Element {
        root,
        space,
        coords,
    } = &access.place
    else {
        return None;
    };
    if *space == CoordSpace::Linear {
        return values.coefficient(*coords.first()?, iv);
    }
    let ty = match (space, root) {
        (CoordSpace::Reshaped(value), _) | (_, Root::Value(value)) => {
            values.body.ty(*value).memref(values.ctx)?
        }
        (_, Root::Global(_)) => return None,
    };
    if let Some(linear) = linearise(values.ctx, ty, coords) {
        return values.coefficient(linear, iv);
    }
    let mut sum = 0i64;
    for (k, &coord) in coords.iter().rev().enumerate() {
        let unit = if k == 0 { 1 } else { FAR };
        sum = sum.checked_add(values.coefficient(coord, iv)?.checked_mul(unit)?)?;
    }
    Some(sum)
}

/// Assumed trip count of a loop whose number of iterations is unknown.
const SOME_TRIPS: i64 = 64;

/// Movement of a loop's counter: its atom, its step, and its trip count if known.
#[derive(Clone, Copy)]
pub(crate) struct Movement {
    iv: u32,
    step: i64,
    trips: Option<i64>,
}

impl Movement {
    /// The movement of a counter.
    pub(crate) fn of(values: &mut AffineValues, counter: Counter) -> Self {
        let (ctx, body) = (values.ctx, values.body);
        let trips = ForOp::cast(body, counter.op).and_then(|l| l.constant_trip_count(ctx, body));
        Movement {
            iv: values.atom_number(Atom::Value(counter.induction_var(body))),
            step: counter.step(ctx, body),
            trips: trips.map(|trips| i64::try_from(trips).unwrap_or(i64::MAX)),
        }
    }
}

/// Whether an access reads overlapping windows, as a convolution does: two counters move one
/// subscript, and the step of the outer one is shorter than the span of the inner one.
pub(crate) fn overlaps(
    values: &AffineValues,
    access: &Access,
    one: Movement,
    other: Movement,
) -> bool {
    let Place::Element { coords, .. } = &access.place else {
        return false;
    };
    coords.iter().any(|&coord| {
        let [one, other] = [one, other].map(|movement| {
            let factor = values.coefficient(coord, movement.iv).unwrap_or(0);
            let distance = movement.step.saturating_mul(factor).saturating_abs();
            (distance, movement.trips)
        });
        let (short, long) = if one.0 < other.0 {
            (one, other)
        } else {
            (other, one)
        };
        let covered = short.0.saturating_mul(short.1.unwrap_or(SOME_TRIPS));
        short.0 > 0 && covered > long.0
    })
}
