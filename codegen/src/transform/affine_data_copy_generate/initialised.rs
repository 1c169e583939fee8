//! Initialization analysis: whether accesses cover a box, and whether its elements were written before. An allocation may
//! have elements that nothing has written, which must not be read.

use gridloom_dialects::affine::{Access, ForOp};
use gridloom_dialects::memref;
use gridloom_ir::{OpId, Value};

use super::region::{Innermost, Side, Touch, atoms, innermost};
use crate::analysis::values::AffineValues;

/// Whether all elements of a loop's box are initialized: the loop itself reads each of them first,
/// or an operation in front has written the whole memref.
pub(in crate::transform) fn is_initialised(
    values: &mut AffineValues,
    l: ForOp,
    memref: Value,
    touches: &[Touch],
    sides: &[Side],
) -> bool {
    let starts_by_reading = touches.first().is_some_and(|touch| !touch.is_store);
    if starts_by_reading && reads_all(values, l, touches, sides) {
        return true;
    }
    let body = values.body;
    let mut at = Some(l.0);
    while let Some(op) = at {
        let before = std::iter::successors(body[op].prev(), |&op| body[op].prev());
        if { before }.any(|op| writes_all(values, op, memref)) {
            return true;
        }
        at = body.parent_op(op);
    }
    false
}

/// Whether an operation writes all elements of a memref.
fn writes_all(values: &mut AffineValues, op: OpId, memref: Value) -> bool {
    let (ctx, body) = (values.ctx, values.body);
    if body[op].name == memref::COPY {
        return memref::CopyOp(op).target(body) == memref;
    }
    let Some(l) = ForOp::cast(body, op) else {
        return false;
    };
    let Some(ty) = body
        .ty(memref)
        .memref(ctx)
        .filter(|ty| ty.has_static_shape())
    else {
        return false;
    };
    let whole: Vec<Side> = (ty.shape.iter())
        .map(|&extent| Side {
            first: ctx.affine_const(0),
            extent,
            starts_inside: true,
            ends_inside: true,
            range: [None; 2],
        })
        .collect();
    let own = body.walk_op(op).into_iter();
    let own: Vec<Access> = own
        .filter_map(|op| Access::cast(body, op))
        .filter(|access| access.is_store && access.memref(body) == memref)
        .collect();
    let touches: Vec<Touch> = own
        .into_iter()
        .map(|access| Touch::of(values, access))
        .collect();
    is_filled(values, l, &touches, &whole)
}

/// Whether the stores write all elements of a box in every execution of the loop.
pub(super) fn is_filled(
    values: &AffineValues,
    l: ForOp,
    touches: &[Touch],
    sides: &[Side],
) -> bool {
    are_all(
        values,
        l,
        touches.iter().filter(|touch| touch.is_store),
        sides,
    )
}

/// Whether the loads read all elements of a box in every execution of the loop.
fn reads_all(values: &AffineValues, l: ForOp, touches: &[Touch], sides: &[Side]) -> bool {
    are_all(
        values,
        l,
        touches.iter().filter(|touch| !touch.is_store),
        sides,
    )
}

fn are_all<'t>(
    values: &AffineValues,
    l: ForOp,
    mut touches: impl Iterator<Item = &'t Touch>,
    sides: &[Side],
) -> bool {
    let is_known = |side: &Side| side.starts_inside && side.ends_inside;
    sides.iter().all(is_known) && touches.any(|touch| fills(values, l, touch, sides))
}

/// Whether an access covers all elements of a box.
fn fills(values: &AffineValues, l: ForOp, touch: &Touch, sides: &[Side]) -> bool {
    let (ctx, body) = (values.ctx, values.body);
    let mut used: Vec<OpId> = Vec::new();
    for ((expr, side), &lanes) in touch.exprs.iter().zip(sides).zip(&touch.lanes) {
        let (Some(expr), 1) = (*expr, lanes) else {
            return false;
        };
        let inner = atoms(values, expr).into_iter().filter(|&number| {
            let block = values.atom_block(values.atom(number));
            values.block_is_inside(block, l.0)
        });
        let inner: Vec<u32> = inner.collect();
        match inner[..] {
            [] if side.extent == 1 => {}
            [atom] => {
                let Innermost::Counter(_, counter) = innermost(values, l, expr) else {
                    return false;
                };
                let Some(l) = ForOp::cast(body, counter.op).filter(|l| !used.contains(&l.0)) else {
                    return false;
                };
                let is_unit = matches!(values.coefficient(expr, atom), Some(1 | -1));
                let trips = l.constant_trip_count(ctx, body);
                let fits = trips.is_some_and(|trips| i64::try_from(trips) == Ok(side.extent));
                if !(is_unit && fits && l.step(ctx, body) == 1) {
                    return false;
                }
                used.push(l.0);
            }
            _ => return false,
        }
    }
    // The store has to run in every iteration, in loops that have iterations.
    let mut op = touch.op;
    while op != l.0 {
        let Some(above) = body
            .parent_op(op)
            .and_then(|above| ForOp::cast(body, above))
        else {
            return false;
        };
        if above
            .constant_trip_count(ctx, body)
            .is_none_or(|trips| trips == 0)
        {
            return false;
        }
        op = above.0;
    }
    true
}
