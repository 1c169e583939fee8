//! Reshapes of tensors: `tensor.collapse_shape`, `tensor.expand_shape`,
//! `tensor.reshape`.
//!
//! ```text
//! collapse_shape (collapse_shape %t)   ⇒  collapse_shape %t
//! expand_shape (collapse_shape %t)     ⇒  a collapse_shape or an expand_shape
//! collapse_shape (cast %t)             ⇒  cast (collapse_shape %t)
//! collapse_shape (from_elements …)     ⇒  from_elements …
//! ```

use gridloom_dialects::memref::Mixed;
use gridloom_dialects::{inherent, tensor};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{OpId, Value};

use super::super::build::{make, remake};
use super::super::groups::{
    Groups, compose_groups, decompose_groups, expand_collapsed, expanded_sizes, extents_of_groups,
    groups, groups_attr, products, reshape_as,
};
use super::{as_type, only_erases_extents, shape, with_shape};
use crate::rewriter::Rewriter;

/// The shape of a value of ranked tensor type.
fn extents<'a>(rw: &Rewriter<'a>, value: Value) -> Option<&'a [i64]> {
    shape(rw.ctx, rw.body().ty(value))
}

/// `collapse (collapse %t) ⇒ collapse %t`, `collapse (expand %t) ⇒ collapse %t` or `expand %t`,
/// `collapse (cast %t) ⇒ cast (collapse %t)`.
pub(super) fn collapse(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let ctx = rw.ctx;
    let [middle] = rw.look(op).operands()?;
    let maker = rw.body().defining_op(middle)?;
    let outer = groups(ctx, &rw.body()[op])?;
    match rw.body()[maker].name {
        tensor::COLLAPSE_SHAPE => {
            let origin = *rw.body()[maker].operands.first()?;
            let both = compose_groups(&outer, &groups(ctx, &rw.body()[maker])?)?;
            rw.set_property(op, inherent::REASSOCIATION, groups_attr(ctx, &both));
            rw.set_operands(op, &[origin]);
            Some(())
        }
        tensor::EXPAND_SHAPE => {
            let origin = *rw.body()[maker].operands.first()?;
            let inner = groups(ctx, &rw.body()[maker])?;
            let rank = extents(rw, rw.body()[op].result(0))?.len();
            let before = extents(rw, origin)?.len();
            if rank < before {
                let nested = decompose_groups(&outer, &inner)?;
                return reshape_as(rw, op, tensor::COLLAPSE_SHAPE, origin, &nested, None);
            }
            let nested = (rank > before).then(|| decompose_groups(&inner, &outer))??;
            let sizes = expanded_sizes(rw, maker)?;
            let sizes = products(rw, op, &sizes, &outer)?;
            reshape_as(rw, op, tensor::EXPAND_SHAPE, origin, &nested, Some(&sizes))
        }
        tensor::CAST => collapse_uncast(rw, op, middle, &outer),
        _ => of_elements(rw, op, maker),
    }
}

/// `collapse (from_elements %a, %b) ⇒ from_elements %a, %b` in the new shape, and `splat` likewise:
/// row-major order is the same.
fn of_elements(rw: &mut Rewriter, op: OpId, maker: OpId) -> Option<()> {
    let name = rw.body()[maker].name;
    let extents = [maker, op].map(|op| extents(rw, rw.body()[op].result(0)));
    let known = extents
        .iter()
        .all(|extents| extents.is_some_and(|e| !e.contains(&DYNAMIC)));
    if !known || !matches!(name, tensor::SPLAT | tensor::FROM_ELEMENTS) {
        return None;
    }
    let elements = rw.body()[maker].operands.to_vec();
    remake(rw, op, name, &elements, &[])
}

/// `collapse_shape (cast %t) ⇒ cast (collapse_shape %t)` if the cast only
/// erases extents.
fn collapse_uncast(rw: &mut Rewriter, op: OpId, middle: Value, outer: &Groups) -> Option<()> {
    let ctx = rw.ctx;
    let origin = *rw.look(op).maker(middle, tensor::CAST)?.operands.first()?;
    let [from, to, old] =
        [origin, middle, rw.body()[op].result(0)].map(|value| rw.body().ty(value));
    if !only_erases_extents(ctx, from, to) {
        return None;
    }
    let before = shape(ctx, from)?;
    let ty = with_shape(ctx, old, extents_of_groups(before, outer))?;
    let properties = [(inherent::REASSOCIATION.name(), groups_attr(ctx, outer))];
    let value = make(rw, op, tensor::COLLAPSE_SHAPE, &[origin], ty, &properties);
    let value = as_type(rw, op, value, old);
    rw.replace_op(op, &[value]);
    Some(())
}

/// `expand (expand %t) ⇒ expand %t`, `expand (collapse %t) ⇒ collapse %t` or `expand %t`,
/// `expand (cast %t) ⇒ cast (expand %t)`.
pub(super) fn expand(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let ctx = rw.ctx;
    let (&middle, sizes) = rw.body()[op].operands.split_first()?;
    let sizes = sizes.to_vec();
    let maker = rw.body().defining_op(middle)?;
    match rw.body()[maker].name {
        tensor::EXPAND_SHAPE => {
            let origin = *rw.body()[maker].operands.first()?;
            let inner = groups(ctx, &rw.body()[maker])?;
            let both = compose_groups(&inner, &groups(ctx, &rw.body()[op])?)?;
            rw.set_property(op, inherent::REASSOCIATION, groups_attr(ctx, &both));
            rw.set_operands(op, &[&[origin], &sizes[..]].concat());
            Some(())
        }
        tensor::COLLAPSE_SHAPE => {
            let origin = *rw.body()[maker].operands.first()?;
            let [before, after] = [origin, rw.body()[op].result(0)].map(|v| extents(rw, v));
            let names = [tensor::COLLAPSE_SHAPE, tensor::EXPAND_SHAPE];
            expand_collapsed(rw, op, maker, [before?, after?], names)
        }
        tensor::CAST => expand_uncast(rw, op, middle),
        _ => of_elements(rw, op, maker),
    }
}

/// `expand (cast %t) output_shape [%c2, 4] ⇒ cast (expand (cast %t) output_shape [2, 4])` in groups
/// whose extent is static before the cast that erased it.
fn expand_uncast(rw: &mut Rewriter, op: OpId, middle: Value) -> Option<()> {
    let ctx = rw.ctx;
    let cx = rw.look(op);
    let origin = *cx.maker(middle, tensor::CAST)?.operands.first()?;
    let [from, to, old] = [origin, middle, cx.data().result(0)].map(|value| cx.ty(value));
    if !only_erases_extents(ctx, from, to) {
        return None;
    }
    let (before, outer) = (shape(ctx, from)?, groups(ctx, cx.data())?);
    let mut sizes = Mixed::zip(shape(ctx, old)?, &cx.data().operands[1..]);
    let mut found = false;
    for (dims, &extent) in outer.iter().zip(before) {
        for &dim in dims {
            let size = sizes.get_mut(usize::try_from(dim).ok()?)?;
            if let Mixed::Value(value) = *size
                && extent != DYNAMIC
                && let Some(number) = cx.int(value).filter(|&number| number >= 0)
            {
                *size = Mixed::Constant(number);
                found = true;
            }
        }
    }
    let (after, values) = Mixed::unzip(&sizes);
    let seen = extents_of_groups(&after, &outer);
    // Sizes that contradict the extents are an error of the running program.
    let mut pairs = seen.iter().zip(before);
    if !found || !pairs.all(|(&seen, &extent)| seen == DYNAMIC || seen == extent) {
        return None;
    }
    let seen = with_shape(ctx, to, seen)?;
    let ty = with_shape(ctx, old, after.clone())?;
    let source = as_type(rw, op, middle, seen);
    let properties = [
        (inherent::REASSOCIATION.name(), groups_attr(ctx, &outer)),
        (
            inherent::STATIC_OUTPUT_SHAPE.name(),
            ctx.i64_array_attr(&after),
        ),
    ];
    let operands = [&[source], &values[..]].concat();
    let value = make(rw, op, tensor::EXPAND_SHAPE, &operands, ty, &properties);
    let value = as_type(rw, op, value, old);
    rw.replace_op(op, &[value]);
    Some(())
}

/// `reshape (reshape %t) ⇒ reshape %t`.
pub(super) fn reshape(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let [middle, sizes] = rw.look(op).operands()?;
    let origin = *rw
        .look(op)
        .maker(middle, tensor::RESHAPE)?
        .operands
        .first()?;
    rw.set_operands(op, &[origin, sizes]);
    Some(())
}
