//! Gridloom's own discardable attributes.
//!
//! | attribute | on | meaning | if it is lost |
//! |---|---|---|---|
//! | `gridloom.inbounds` | an access of one element, or of a vector of consecutive ones | whenever the operation runs, with the operands it has, every index is in range, those of all elements of a vector; as `array<i1: true, false>`, the indices of the dimensions that are true | the kernel checks the indices |
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

/// Whether every index of an access is known to be in range whenever it runs.
pub fn is_in_bounds(ctx: &Context, op: &OpData) -> bool {
    let flag = in_bounds_flag(ctx, op);
    matches!(flag, Some(AttrKind::Unit))
}

/// Whether the index of each of `rank` dimensions is known to be in range whenever the access runs.
pub fn in_bounds_dimensions(ctx: &Context, op: &OpData, rank: usize) -> Vec<bool> {
    match in_bounds_flag(ctx, op) {
        Some(AttrKind::Unit) => vec![true; rank],
        Some(AttrKind::DenseArray { data, .. }) if data.len() == rank => {
            data.iter().map(|&is_known| is_known != 0).collect()
        }
        _ => vec![false; rank],
    }
}

fn in_bounds_flag<'c>(ctx: &'c Context, op: &OpData) -> Option<&'c AttrKind> {
    let flag = find(ctx, op, IN_BOUNDS).filter(|_| is_element_access(op.name));
    flag.map(|flag| flag.kind(ctx))
}

/// Sets or clears the in-bounds flag of an access. Returns whether that changes it.
pub fn set_in_bounds(ctx: &Context, op: &mut OpData, known: bool) -> bool {
    let flag = known.then(|| ctx.unit_attr());
    set_in_bounds_flag(ctx, op, flag)
}

/// Flags the dimensions of an access whose index is in range. Returns whether that changes the flag.
pub fn set_in_bounds_dimensions(ctx: &Context, op: &mut OpData, known: &[bool]) -> bool {
    if !known.contains(&false) || !known.contains(&true) {
        return set_in_bounds(ctx, op, !known.contains(&false));
    }
    let flag = ctx.intern_attr(AttrKind::DenseArray {
        element: ctx.int_type(1),
        data: known.iter().map(|&is_known| is_known.into()).collect(),
    });
    set_in_bounds_flag(ctx, op, Some(flag))
}

fn set_in_bounds_flag(ctx: &Context, op: &mut OpData, flag: Option<Attr>) -> bool {
    let flag = flag.filter(|_| is_element_access(op.name));
    let before = find(ctx, op, IN_BOUNDS);
    match flag {
        _ if flag == before => {}
        Some(flag) => op.set_attribute(ctx, IN_BOUNDS, flag),
        None => op.attributes = op.attributes.without(ctx, ctx.ident(IN_BOUNDS)),
    }
    flag != before
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
    find(ctx, op, name).is_some()
}

fn find(ctx: &Context, op: &OpData, name: &str) -> Option<Attr> {
    if op.attributes.is_empty() {
        return None;
    }
    // Comparing with a few entries is faster than interning the name.
    let mut entries = op.attributes.entries(ctx).iter();
    entries
        .find(|entry| ctx.str(entry.0) == name)
        .map(|entry| entry.1)
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
        IN_BOUNDS => (
            matches!(kind, AttrKind::Unit) || is_flag_of_each_dimension(check, kind),
            "a unit attribute, or an 'array<i1: …>' with a value for each index",
        ),
        _ => (matches!(kind, AttrKind::Unit), "a unit attribute"),
    };
    check.ensure(
        has_kind,
        format_args!("attribute '{name}' must be {wanted}"),
    )
}

/// Whether an attribute has a boolean for each dimension of the memref of an access.
fn is_flag_of_each_dimension(check: &Check, kind: &AttrKind) -> bool {
    let AttrKind::DenseArray { element, data } = kind else {
        return false;
    };
    let mut types = check.operand_types();
    let memref = types.find_map(|ty| ty.memref(check.ctx()));
    *element == check.ctx().int_type(1) && memref.is_some_and(|memref| memref.rank() == data.len())
}
