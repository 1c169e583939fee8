//! Reshapes of memory: `memref.collapse_shape`, `memref.expand_shape`,
//! `memref.view`.
//!
//! ```text
//! collapse_shape (collapse_shape %m)   ⇒  collapse_shape %m
//! expand_shape (collapse_shape %m)     ⇒  a collapse_shape or an expand_shape
//! view %b[%o][%c4]                     ⇒  cast (view %b[%o][])
//! ```

use gridloom_dialects::{inherent, memref};
use gridloom_ir::types::{DYNAMIC, MemRefType};
use gridloom_ir::{Context, OpId, Type, TypeKind, Value};

use super::super::build::make;
use super::super::groups::{
    compose_groups, decompose_groups, expand_collapsed, expanded_sizes, extents_of_groups, groups,
    groups_attr, products, reshape_as, times,
};
use super::view::replace_by_cast;
use super::{is_no_more_static, look_through_cast};
use crate::rewriter::Rewriter;

/// The memref type of a value with the default, row-major layout.
fn plain<'a>(rw: &Rewriter<'a>, value: Value) -> Option<&'a MemRefType> {
    let memref = rw.body().ty(value).memref(rw.ctx)?;
    memref.layout.is_none().then_some(memref)
}

/// `collapse (collapse %m) ⇒ collapse %m`, `collapse (expand %m) ⇒ collapse %m` or `expand %m`,
/// `collapse (cast %m) ⇒ cast (collapse %m)`.
pub(super) fn collapse(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let ctx = rw.ctx;
    let [middle] = rw.look(op).operands()?;
    let maker = rw.body().defining_op(middle)?;
    let origin = *rw.body()[maker].operands.first()?;
    let outer = groups(ctx, &rw.body()[op])?;
    plain(rw, middle)?;
    let memref = plain(rw, origin)?;
    match rw.body()[maker].name {
        memref::COLLAPSE_SHAPE => {
            let both = compose_groups(&outer, &groups(ctx, &rw.body()[maker])?)?;
            rw.set_property(op, inherent::REASSOCIATION, groups_attr(ctx, &both));
            rw.set_operands(op, &[origin]);
            Some(())
        }
        memref::EXPAND_SHAPE => {
            let inner = groups(ctx, &rw.body()[maker])?;
            let result = plain(rw, rw.body()[op].result(0))?;
            let (rank, before) = (result.rank(), memref.rank());
            if rank < before {
                let nested = decompose_groups(&outer, &inner)?;
                return reshape_as(rw, op, memref::COLLAPSE_SHAPE, origin, &nested, None);
            }
            let nested = (rank > before).then(|| decompose_groups(&inner, &outer))??;
            let sizes = expanded_sizes(rw, maker)?;
            let sizes = products(rw, op, &sizes, &outer)?;
            reshape_as(rw, op, memref::EXPAND_SHAPE, origin, &nested, Some(&sizes))
        }
        memref::CAST => {
            let seen = plain(rw, middle)?;
            if !is_no_more_static(ctx, seen, memref) {
                return None;
            }
            let shape = extents_of_groups(&memref.shape, &outer);
            let memory = collapsed(rw, op, origin, shape, memref);
            replace_by_cast(rw, op, memory)
        }
        _ => None,
    }
}

fn collapsed(
    rw: &mut Rewriter,
    op: OpId,
    origin: Value,
    shape: Vec<i64>,
    memref: &MemRefType,
) -> Value {
    let groups = rw.body()[op].attr(rw.ctx, inherent::REASSOCIATION);
    let ty = with_shape(rw.ctx, memref, shape);
    let groups = groups.map(|groups| (inherent::REASSOCIATION.name(), groups));
    make(
        rw,
        op,
        memref::COLLAPSE_SHAPE,
        &[origin],
        ty,
        groups.as_slice(),
    )
}

fn with_shape(ctx: &Context, memref: &MemRefType, shape: Vec<i64>) -> Type {
    ctx.intern_type(TypeKind::MemRef(MemRefType {
        shape: shape.into(),
        ..memref.clone()
    }))
}

/// `expand (expand %m) ⇒ expand %m`, `expand (collapse %m) ⇒ collapse %m` or `expand %m`,
/// `expand (cast %m) ⇒ cast (expand %m)`.
pub(super) fn expand(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let ctx = rw.ctx;
    let middle = *rw.body()[op].operands.first()?;
    let maker = rw.body().defining_op(middle)?;
    let origin = *rw.body()[maker].operands.first()?;
    plain(rw, middle)?;
    let memref = plain(rw, origin)?;
    let result = plain(rw, rw.body()[op].result(0))?;
    match rw.body()[maker].name {
        memref::EXPAND_SHAPE => {
            let inner = groups(ctx, &rw.body()[maker])?;
            let both = compose_groups(&inner, &groups(ctx, &rw.body()[op])?)?;
            let mut operands = rw.body()[op].operands.to_vec();
            operands[0] = origin;
            rw.set_property(op, inherent::REASSOCIATION, groups_attr(ctx, &both));
            rw.set_operands(op, &operands);
            Some(())
        }
        memref::COLLAPSE_SHAPE => {
            let names = [memref::COLLAPSE_SHAPE, memref::EXPAND_SHAPE];
            expand_collapsed(rw, op, maker, [&memref.shape, &result.shape], names)
        }
        memref::CAST => expand_known(rw, op, middle, origin),
        _ => None,
    }
}

/// `expand_shape (cast %m) ⇒ cast (expand_shape %m)`, if the cast only erases
/// extents and all sizes are constant.
fn expand_known(rw: &mut Rewriter, op: OpId, middle: Value, origin: Value) -> Option<()> {
    let ctx = rw.ctx;
    let (seen, memref) = (plain(rw, middle)?, plain(rw, origin)?);
    if !memref.has_static_shape() || !is_no_more_static(ctx, seen, memref) {
        return None;
    }
    let cx = rw.look(op);
    let numbers = cx.data().get(ctx, inherent::STATIC_OUTPUT_SHAPE)?;
    let mut values = cx.data().operands[1..].iter();
    let mut size = |number| match number {
        DYNAMIC => cx.int(*values.next()?).filter(|&number| number >= 0),
        number => Some(number),
    };
    let shape: Option<Vec<i64>> = numbers.into_iter().map(&mut size).collect();
    let shape = shape?;
    let all = |shape: &[i64]| shape.iter().copied().fold(1, times);
    let fits = |(dims, &extent): (&Vec<i64>, &i64)| {
        let sizes = dims.iter().map(|&dim| shape[dim as usize]);
        sizes.fold(1, times) == extent
    };
    let groups = groups(ctx, &rw.body()[op])?;
    if all(&shape) != all(&memref.shape) || !groups.iter().zip(&memref.shape[..]).all(fits) {
        return None;
    }
    let properties = [
        (inherent::REASSOCIATION.name(), groups_attr(ctx, &groups)),
        (
            inherent::STATIC_OUTPUT_SHAPE.name(),
            ctx.i64_array_attr(&shape),
        ),
    ];
    let ty = with_shape(ctx, memref, shape);
    let memory = make(rw, op, memref::EXPAND_SHAPE, &[origin], ty, &properties);
    replace_by_cast(rw, op, memory)
}

/// `view %m[%o][%c4] : … to memref<?xf32> ⇒ cast (view %m[%o][] : … to memref<4xf32>)`,
/// `view (cast %m) ⇒ view %m`.
pub(super) fn view(rw: &mut Rewriter, op: OpId) -> Option<()> {
    if let Some(()) = look_through_cast(rw, op, 0) {
        return Some(());
    }
    let ctx = rw.ctx;
    let cx = rw.look(op);
    let memref = plain(rw, cx.data().result(0))?;
    let (fixed, sizes) = cx.data().operands.split_at_checked(2)?;
    let (mut operands, mut sizes) = (fixed.to_vec(), sizes.iter());
    let mut shape = memref.shape.to_vec();
    for extent in shape.iter_mut().filter(|extent| **extent == DYNAMIC) {
        let &size = sizes.next()?;
        match cx.int(size).filter(|&size| size >= 0) {
            Some(size) => *extent = size,
            None => operands.push(size),
        }
    }
    if shape == memref.shape[..] {
        return None;
    }
    let ty = with_shape(ctx, memref, shape);
    let memory = make(rw, op, memref::VIEW, &operands, ty, &[]);
    replace_by_cast(rw, op, memory)
}
