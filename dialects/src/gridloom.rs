//! Gridloom's own discardable attributes.
//!
//! | attribute | on | meaning | if it is lost |
//! |---|---|---|---|
//! | `gridloom.inbounds` | an access of one element, or of a vector of consecutive ones | whenever the operation runs, with the operands it has, every index is in range, those of all elements of a vector | the kernel checks the indices |
//! | `gridloom.overlapping` | `func.call` | the call is the branch of a run-time check for arguments that overlap | no warning is given |
//! | `gridloom.effects` | `func.func` | what calls of the function touch | calls touch anything |
//!
//! `gridloom.inbounds` is a flag like `nsw`: a promise about one operation with its operands. A
//! pass may run the operation less often with it, never where it did not run before, and a new
//! operation does not inherit it. The verifier refuses each attribute where it has no meaning.

use crate::{affine, func, memref, vector};
use gridloom_ir::attr::{Attr, AttrKind};
use gridloom_ir::body::OpData;
use gridloom_ir::context::Context;
use gridloom_ir::op::OpName;
use gridloom_ir::verify::Carrier;
use gridloom_ir::verify::{Check, Checked};

const IN_BOUNDS: &str = "gridloom.inbounds";
const OVERLAPPING: &str = "gridloom.overlapping";
/// Name of the effects attribute: the memory that calls of a function touch.
pub const EFFECTS: &str = "gridloom.effects";

/// Whether operations of this name can carry the flag [`is_in_bounds`].
pub fn is_element_access(name: OpName) -> bool {
    matches!(
        name,
        affine::LOAD
            | affine::STORE
            | affine::VECTOR_LOAD
            | affine::VECTOR_STORE
            | memref::LOAD
            | memref::STORE
            | vector::LOAD
            | vector::STORE
    )
}

/// Whether an access is known to be in range whenever it runs.
pub fn is_in_bounds(ctx: &Context, op: &OpData) -> bool {
    is_element_access(op.name) && has(ctx, op, IN_BOUNDS)
}

/// Sets or clears the in-bounds flag of an access. Returns whether that changes it.
pub fn set_in_bounds(ctx: &Context, op: &mut OpData, known: bool) -> bool {
    let known = known && is_element_access(op.name);
    let before = has(ctx, op, IN_BOUNDS);
    if known && !before {
        op.set_attribute(ctx, IN_BOUNDS, ctx.unit_attr());
    } else if before && !known {
        op.attributes = op.attributes.without(ctx, ctx.ident(IN_BOUNDS));
    }
    known != before
}

/// Whether a call is the branch of an overlap check for arguments that overlap.
pub fn is_overlapping_call(ctx: &Context, op: &OpData) -> bool {
    op.name == func::CALL && has(ctx, op, OVERLAPPING)
}

/// Marks a call as the branch of an overlap check for arguments that overlap.
pub fn set_overlapping_call(ctx: &Context, op: &mut OpData) {
    op.set_attribute(ctx, OVERLAPPING, ctx.unit_attr());
}

/// Returns the effects attribute of a function, as written.
pub fn effects(ctx: &Context, op: &OpData) -> Option<Attr> {
    op.attributes.get(ctx, ctx.ident(EFFECTS))
}

fn has(ctx: &Context, op: &OpData, name: &str) -> bool {
    // Comparing with a few entries is faster than interning the name.
    !op.attributes.is_empty()
        && op
            .attributes
            .entries(ctx)
            .iter()
            .any(|e| ctx.str(e.0) == name)
}

/// Refuses an attribute on an operation where it has no meaning.
pub(crate) fn verify_attribute(
    check: &Check,
    carrier: Carrier,
    name: &str,
    value: Attr,
) -> Checked {
    let (fits, place) = match name {
        IN_BOUNDS => (
            is_element_access(check.name()),
            "an access of an element or vector",
        ),
        OVERLAPPING => (check.name() == func::CALL, "'func.call'"),
        EFFECTS => (check.name() == func::FUNC, "'func.func'"),
        _ => {
            return Err(check.error(format!("has the attribute '{name}', which does not exist")));
        }
    };
    let is_on_operation = matches!(carrier, Carrier::Operation);
    check.ensure(
        fits && is_on_operation,
        format_args!("has the attribute '{name}', which belongs on {place}"),
    )?;
    let kind = value.kind(check.ctx());
    let (has_kind, wanted) = match name {
        EFFECTS => (matches!(kind, AttrKind::Dict(_)), "a dictionary"),
        _ => (matches!(kind, AttrKind::Unit), "a unit attribute"),
    };
    check.ensure(
        has_kind,
        format_args!("attribute '{name}' must be {wanted}"),
    )
}
