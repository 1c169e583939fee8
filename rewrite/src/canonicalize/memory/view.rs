//! Views of memory: makes constant operands part of the type, and merges a
//! view of a view into one.
//!
//! ```text
//! subview %m[%c0] [%c4] [1]                ⇒  cast (subview %m[0] [4] [1])
//! subview %m[0] [8] [1] : memref<8xf32>    ⇒  cast %m
//! reinterpret_cast (reinterpret_cast %m)   ⇒  reinterpret_cast %m
//! cast (cast %m)                           ⇒  cast %m
//! ```

use gridloom_dialects::inherent;
use gridloom_dialects::memref::{self, Mixed, ReinterpretCastOp, SubViewOp};
use gridloom_ir::attr::AttrKind;
use gridloom_ir::types::{DYNAMIC, MemRefType};
use gridloom_ir::{Context, OpId, OpName, Type, TypeKind, Value};

use super::super::build::make;
use super::super::slices::{self, Lists, known, known_inside, numbers};
use super::is_no_more_static;
use crate::rewriter::Rewriter;

/// Replaces an operation by a memref, cast to the operation's type where that
/// differs.
pub(in super::super) fn replace_by_cast(rw: &mut Rewriter, op: OpId, memory: Value) -> Option<()> {
    if rw.body().ty(memory) == rw.body().ty(rw.body()[op].result(0)) {
        rw.replace_op(op, &[memory]);
    } else {
        rw.remake(op, memref::CAST, &[memory]);
    }
    Some(())
}

fn make_view(
    rw: &mut Rewriter,
    op: OpId,
    name: OpName,
    source: Value,
    lists: &Lists,
    ty: Type,
) -> Value {
    let (operands, properties) = slices::assemble(rw.ctx, &[source], lists);
    make(rw, op, name, &operands, ty, &properties)
}

/// `subview %m[%c1] [4] [1] ⇒ cast (subview %m[1] [4] [1])`, `subview (cast %m) ⇒ subview %m`,
/// `subview %m[0] [all] [1] ⇒ %m`.
pub(super) fn subview(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let (ctx, view) = (rw.ctx, SubViewOp(op));
    let body = rw.body();
    let lists = [
        view.offsets(ctx, body),
        view.sizes(ctx, body),
        view.strides(ctx, body),
    ];
    let source = view.source(body);
    let base = body.ty(source).memref(ctx)?;
    let better = known_inside(rw, op, &lists, &base.shape);
    let origin = source_of_erasing_cast(rw, op, source);
    if better == lists && origin.is_none() {
        return whole(rw, op, source, &lists);
    }
    let dropped = dropped_dims(rw, op, &lists[1])?;
    let source = origin.unwrap_or(source);
    let base = rw.body().ty(source).memref(ctx)?;
    let ty = subview_type(ctx, base, &better, &dropped)?;
    let memory = make_view(rw, op, memref::SUBVIEW, source, &better, ty);
    replace_by_cast(rw, op, memory)
}

/// The source of a cast that only erases static information.
fn source_of_erasing_cast(rw: &Rewriter, op: OpId, value: Value) -> Option<Value> {
    let source = *rw.look(op).maker(value, memref::CAST)?.operands.first()?;
    let [from, to] = [source, value].map(|value| rw.body().ty(value).memref(rw.ctx));
    is_no_more_static(rw.ctx, to?, from?).then_some(source)
}

/// `subview %m[0, …] [all, …] [1, …] ⇒ cast %m`.
fn whole(rw: &mut Rewriter, op: OpId, source: Value, lists: &Lists) -> Option<()> {
    let base = rw.body().ty(source).memref(rw.ctx)?;
    let view = rw.body().ty(rw.body()[op].result(0)).memref(rw.ctx)?;
    let all = |list: &[Mixed], number| list.iter().all(|&item| item == Mixed::Constant(number));
    let fits = base.has_static_shape()
        && view.rank() == base.rank()
        && numbers(&lists[1]) == base.shape[..]
        && all(&lists[0], 0)
        && all(&lists[2], 1);
    fits.then(|| replace_by_cast(rw, op, source))?
}

/// Flags the unit dimensions that a rank-reducing subview drops; `None` if more than one
/// choice is possible.
fn dropped_dims(rw: &Rewriter, op: OpId, sizes: &[Mixed]) -> Option<Vec<bool>> {
    let view = rw.body().ty(rw.body()[op].result(0)).memref(rw.ctx)?;
    let gone = sizes.len().checked_sub(view.rank())?;
    if gone == 0 {
        return Some(vec![false; sizes.len()]);
    }
    let units: Vec<bool> = sizes.iter().map(|&s| s == Mixed::Constant(1)).collect();
    (units.iter().filter(|&&unit| unit).count() == gone).then_some(units)
}

fn product(a: i64, b: i64) -> i64 {
    match (a, b) {
        (0, _) | (_, 0) => 0,
        (DYNAMIC, _) | (_, DYNAMIC) => DYNAMIC,
        (a, b) => a.checked_mul(b).unwrap_or(DYNAMIC),
    }
}

fn sum(a: i64, b: i64) -> i64 {
    match (a, b) {
        (DYNAMIC, _) | (_, DYNAMIC) => DYNAMIC,
        (a, b) => a.checked_add(b).unwrap_or(DYNAMIC),
    }
}

fn subview_type(ctx: &Context, base: &MemRefType, lists: &Lists, dropped: &[bool]) -> Option<Type> {
    let (offset, strides) = base.strided_form(ctx)?;
    let steps = numbers(&lists[0]);
    let offset = (steps.iter().zip(&strides)).fold(offset, |at, (&o, &s)| sum(at, product(o, s)));
    let steps = numbers(&lists[2]);
    let strides = steps.iter().zip(&strides).map(|(&a, &b)| product(a, b));
    let kept = |(dim, number): (usize, i64)| (!dropped[dim]).then_some(number);
    let strides: Vec<i64> = strides.enumerate().filter_map(kept).collect();
    let shape = numbers(&lists[1]).into_iter().enumerate().filter_map(kept);
    Some(ctx.intern_type(TypeKind::MemRef(MemRefType {
        shape: shape.collect::<Vec<_>>().into(),
        layout: Some(ctx.strided_attr(offset, &strides)),
        ..base.clone()
    })))
}

/// `reinterpret_cast %m to offset: [%c1] ⇒ cast (reinterpret_cast %m to offset: [1])`,
/// `reinterpret_cast (subview %m) ⇒ reinterpret_cast %m`, and `%m` where it changes nothing.
pub(super) fn reinterpret_cast(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let (ctx, view) = (rw.ctx, ReinterpretCastOp(op));
    let body = rw.body();
    let lists = [
        view.offsets(ctx, body),
        view.sizes(ctx, body),
        view.strides(ctx, body),
    ];
    let (source, result) = (view.source(body), body.ty(body[op].result(0)));
    let all_known = lists
        .iter()
        .flatten()
        .all(|item| matches!(item, Mixed::Constant(_)));
    if rw.body().ty(source) == result && all_known && is_known(ctx, result.memref(ctx)?) {
        rw.replace_op(op, &[source]);
        return Some(());
    }
    if let Some(()) = restores_metadata(rw, op, source, &lists) {
        return Some(());
    }
    if let Some(origin) = same_buffer(rw, op, source) {
        let mut operands = rw.body()[op].operands.to_vec();
        operands[0] = origin;
        rw.set_operands(op, &operands);
        return Some(());
    }
    let better = known(rw, op, &lists);
    if better == lists {
        return None;
    }
    let (offset, strides) = (numbers(&better[0]), numbers(&better[2]));
    let ty = ctx.intern_type(TypeKind::MemRef(MemRefType {
        shape: numbers(&better[1]).into(),
        layout: Some(ctx.strided_attr(*offset.first()?, &strides)),
        ..result.memref(ctx)?.clone()
    }));
    let memory = make_view(rw, op, memref::REINTERPRET_CAST, source, &better, ty);
    replace_by_cast(rw, op, memory)
}

/// Whether offset, sizes and strides of a type are all static.
fn is_known(ctx: &Context, memref: &MemRefType) -> bool {
    let strided = memref.strided_form(ctx);
    memref.has_static_shape()
        && strided.is_some_and(|(offset, strides)| offset != DYNAMIC && !strides.contains(&DYNAMIC))
}

/// Looks through a view to a memref of the same buffer: `reinterpret_cast` replaces offset, sizes
/// and strides, so its result is the same. Looks through a subview only if its offsets are zero.
fn same_buffer(rw: &Rewriter, op: OpId, source: Value) -> Option<Value> {
    let (ctx, body) = (rw.ctx, rw.body());
    let maker = body.defining_op(source)?;
    let zero = |view: SubViewOp| {
        let offsets = view.offsets(ctx, body);
        let is_zero = |item: &Mixed| match *item {
            Mixed::Constant(number) => number == 0,
            Mixed::Value(value) => rw.look(op).is_int(value, 0),
        };
        offsets.iter().all(is_zero)
    };
    let same = match body[maker].name {
        memref::CAST | memref::REINTERPRET_CAST => true,
        // The first result is the base buffer.
        memref::EXTRACT_STRIDED_METADATA => source == body[maker].result(0),
        memref::SUBVIEW => zero(SubViewOp(maker)),
        _ => false,
    };
    same.then(|| body[maker].operands.first().copied())?
}

/// `reinterpret_cast (extract_strided_metadata %m) ⇒ cast %m` with the offset, sizes and strides
/// that were extracted.
fn restores_metadata(rw: &mut Rewriter, op: OpId, source: Value, lists: &Lists) -> Option<()> {
    let ctx = rw.ctx;
    let parts = rw
        .look(op)
        .maker(source, memref::EXTRACT_STRIDED_METADATA)?;
    let origin = *parts.operands.first()?;
    let memref = rw.body().ty(origin).memref(ctx)?;
    let (offset, strides) = memref.strided_form(ctx)?;
    if lists[1].len() != memref.rank() {
        return None;
    }
    let numbers = [offset].into_iter().chain(memref.shape.iter().copied());
    let numbers = numbers.chain(strides);
    // The first result is the base buffer.
    let values = parts.results().skip(1);
    let mut pairs = lists.iter().flatten().zip(numbers.zip(values));
    let cx = rw.look(op);
    let same = pairs.all(|(&item, (number, value))| match item {
        Mixed::Constant(constant) => constant == number,
        Mixed::Value(other) => other == value || cx.int(other) == Some(number),
    });
    same.then(|| replace_by_cast(rw, op, origin))?
}

/// `cast (cast %m) ⇒ cast %m`.
pub(super) fn cast(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let cx = rw.look(op);
    let [middle] = cx.operands()?;
    let origin = *cx.maker(middle, memref::CAST)?.operands.first()?;
    let from = cx.ty(origin).memref(rw.ctx)?;
    let fits = match cx.result_type(0).kind(rw.ctx) {
        TypeKind::MemRef(to) => may_cast(rw.ctx, from, to),
        // An unranked result constrains only what the middle type fixes as
        // well.
        _ => true,
    };
    fits.then(|| rw.set_operands(op, &[origin]))
}

/// Whether `memref.cast` may convert between two types.
fn may_cast(ctx: &Context, from: &MemRefType, to: &MemRefType) -> bool {
    let agree = |(&a, &b): (&i64, &i64)| a == b || a == DYNAMIC || b == DYNAMIC;
    let layouts = match (from.strided_form(ctx), to.strided_form(ctx)) {
        (Some((offset, strides)), Some((other, others))) => {
            agree((&offset, &other)) && strides.iter().zip(&others).all(agree)
        }
        _ => from.layout == to.layout,
    };
    from.rank() == to.rank() && layouts && from.shape.iter().zip(&to.shape[..]).all(agree)
}

/// `memory_space_cast (memory_space_cast %m) ⇒ memory_space_cast %m`.
pub(super) fn memory_space_cast(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let cx = rw.look(op);
    let [middle] = cx.operands()?;
    let inner = cx.maker(middle, memref::MEMORY_SPACE_CAST)?;
    let origin = *inner.operands.first()?;
    rw.set_operands(op, &[origin]);
    Some(())
}

/// `transpose (transpose %m) ⇒ transpose %m` by the composed permutation.
pub(super) fn transpose(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let ctx = rw.ctx;
    let cx = rw.look(op);
    let [middle] = cx.operands()?;
    let inner = cx.maker(middle, memref::TRANSPOSE)?;
    let origin = *inner.operands.first()?;
    let outer_map = cx.data().get(ctx, inherent::PERMUTATION)?;
    let inner_map = inner.get(ctx, inherent::PERMUTATION)?;
    let both = (outer_map.results(ctx).iter())
        .map(|result| result.replace(ctx, inner_map.results(ctx), &[]))
        .collect::<Vec<_>>();
    let both = ctx.affine_map(both.len() as u32, 0, &both);
    if both.is_identity(ctx) {
        return replace_by_cast(rw, op, origin);
    }
    rw.set_property(
        op,
        inherent::PERMUTATION,
        ctx.intern_attr(AttrKind::Map(both)),
    );
    rw.set_operands(op, &[origin]);
    Some(())
}

/// `assume_alignment (assume_alignment %m, 16), 16 ⇒ assume_alignment %m, 16`.
pub(super) fn assume_alignment(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let cx = rw.look(op);
    let [memory] = cx.operands()?;
    let inner = cx.maker(memory, memref::ASSUME_ALIGNMENT)?;
    let alignment = |data: &gridloom_ir::body::OpData| data.attr(rw.ctx, inherent::ALIGNMENT);
    if alignment(inner) != alignment(cx.data()) {
        return None;
    }
    rw.replace_op(op, &[memory]);
    Some(())
}
