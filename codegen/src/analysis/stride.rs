//! Strides: how far apart in memory an access is from one iteration of a loop to the next.

use super::access::{Access, CoordSpace, Place, linearise};
use super::alias::Root;
use super::dependence::Dependences;

/// Stands for the stride along a dimension whose extent is not known.
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
    let ty = match root {
        Root::Value(value) => values.body.ty(*value).memref(values.ctx)?,
        Root::Global(_) => return None,
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
