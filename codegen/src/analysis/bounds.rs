//! Proofs that an access stays in range.

use gridloom_ir::dialect::{affine, memref};
use gridloom_ir::{Body, Context, OpId};

use super::access::{Access, accesses_of};
use super::dependence::is_excluded;
use super::domain::domain;
use super::system::{Combination, Instance};
use super::values::AffineValues;

/// Discardable unit attribute of an access that is proved to be in range.
pub const INBOUNDS_ATTR: &str = "gridloom.inbounds";

/// Whether every index of an access is within its extent whenever it runs.
pub fn is_in_range(values: &mut AffineValues, access: &Access) -> bool {
    let domain = domain(values, access.op);
    domain.disjuncts.iter().all(|conjunction| {
        access.guards.iter().all(|&(index, extent)| {
            // Outside means `-index - 1 >= 0` or `index - extent >= 0`.
            let below = Combination::default()
                .plus(-1, index, Instance::First)
                .offset(-1);
            let above = Combination::of(index, Instance::First).plus(-1, extent, Instance::First);
            is_excluded(values, conjunction, below).is_yes()
                && is_excluded(values, conjunction, above).is_yes()
        })
    })
}

/// `affine-mark-inbounds`: puts [`INBOUNDS_ATTR`] on the element accesses of a
/// body that are proved in range. Returns whether there was one without it.
pub fn mark_in_range(ctx: &Context, body: &mut Body) -> bool {
    let proved = proved_accesses(ctx, body);
    let unit = ctx.unit_attr();
    let mut changed = false;
    for op in proved {
        if body[op].attr(ctx, INBOUNDS_ATTR).is_none() {
            body[op].set_attribute(ctx, INBOUNDS_ATTR, unit);
            changed = true;
        }
    }
    changed
}

fn proved_accesses(ctx: &Context, body: &Body) -> Vec<OpId> {
    let mut values = AffineValues::new(ctx, body);
    let mut proved = Vec::new();
    for op in body.walk() {
        let name = body[op].name;
        if !matches!(
            name,
            affine::LOAD | affine::STORE | memref::LOAD | memref::STORE
        ) {
            continue;
        }
        let mut found = Vec::new();
        accesses_of(&mut values, op, &mut found);
        if let [access] = &found[..]
            && is_in_range(&mut values, access)
        {
            proved.push(op);
        }
    }
    proved
}
