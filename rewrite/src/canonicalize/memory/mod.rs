//! `memref`: makes constant sizes part of the type, looks through casts that only erase
//! static information, and erases copies without effect.
//!
//! ```text
//! %a = memref.alloc(%c4) : memref<?xf32>   ⇒   %b = memref.alloc() : memref<4xf32>
//!                                              %a = memref.cast %b : … to memref<?xf32>
//! memref.copy %a, %a                       ⇒   (nothing)
//! ```

use gridloom_dialects::{affine, arith, gpu, inherent, memref};
use gridloom_ir::types::{DYNAMIC, MemRefType};
use gridloom_ir::verify::compatible;
use gridloom_ir::{Body, Context, OpId, OpState, TypeKind, Value};

use super::build::make;
use crate::canonicalize::rules::Family;
use crate::rewriter::Rewriter;

mod reshape;
mod view;

pub(super) use view::replace_by_cast;

/// Rewrites by root operation.
pub(super) const RULES: Family = &[
    (memref::ALLOC, &[make_sizes_static]),
    (memref::ALLOCA, &[make_sizes_static]),
    (
        memref::DIM,
        &[|rw, op| look_through_cast(rw, op, 0), load_size],
    ),
    (
        memref::LOAD,
        &[
            |rw, op| look_through_cast(rw, op, 0),
            super::globals::simplify_load,
        ],
    ),
    (memref::DEALLOC, &[|rw, op| look_through_cast(rw, op, 0)]),
    (memref::PREFETCH, &[|rw, op| look_through_cast(rw, op, 0)]),
    (memref::STORE, &[|rw, op| look_through_cast(rw, op, 1)]),
    (memref::ATOMIC_RMW, &[|rw, op| look_through_cast(rw, op, 1)]),
    (memref::COPY, &[simplify_copy]),
    (memref::DMA_START, &[look_through_casts]),
    (memref::DMA_WAIT, &[look_through_casts]),
    (
        memref::EXTRACT_STRIDED_METADATA,
        &[|rw, op| look_through_cast(rw, op, 0), fold_metadata],
    ),
    (memref::ASSUME_ALIGNMENT, &[view::assume_alignment]),
    (memref::CAST, &[view::cast]),
    (memref::MEMORY_SPACE_CAST, &[view::memory_space_cast]),
    (memref::REINTERPRET_CAST, &[view::reinterpret_cast]),
    (memref::SUBVIEW, &[view::subview]),
    (memref::TRANSPOSE, &[view::transpose]),
    (memref::COLLAPSE_SHAPE, &[reshape::collapse]),
    (memref::EXPAND_SHAPE, &[reshape::expand]),
    (memref::VIEW, &[reshape::view]),
];

/// Erases an allocation that is only stored to and freed, with its stores.
pub(super) fn erase_if_only_written(rw: &mut Rewriter, op: OpId) -> bool {
    let name = rw.body()[op].name;
    if !matches!(name, memref::ALLOC | memref::ALLOCA | memref::REALLOC) {
        return false;
    }
    let memory = rw.body()[op].result(0);
    let users = rw.users(memory);
    let only_filled = |&user: &OpId| {
        let data = &rw.body()[user];
        match data.name {
            // Freeing the reallocated memory frees the original one, which would leak
            // without it.
            memref::DEALLOC => name != memref::REALLOC,
            memref::STORE | affine::STORE => data.operands.first() != Some(&memory),
            // Without a token, nothing waits for the copy.
            gpu::MEMCPY => {
                data.num_results() == 0
                    && data.operands[..1] == [memory]
                    && data.operands[1..] != [memory]
            }
            _ => false,
        }
    };
    if !users.iter().all(only_filled) {
        return false;
    }
    for user in users {
        rw.erase(user);
    }
    rw.erase(op);
    true
}

/// `op (cast %m) ⇒ op %m` for a cast that only erases static information. A cast that adds some
/// stays: it may be what proves an access in bounds.
pub(super) fn look_through_cast(rw: &mut Rewriter, op: OpId, operand: usize) -> Option<()> {
    let body = rw.body();
    let value = *body[op].operands.get(operand)?;
    let cast = memref::CastOp::cast(body, body.defining_op(value)?)?;
    let source = cast.source(body);
    let (from, to) = (
        body.ty(source).memref(rw.ctx)?,
        body.ty(value).memref(rw.ctx)?,
    );
    if !is_no_more_static(rw.ctx, to, from) {
        return None;
    }
    let mut operands = body[op].operands.clone();
    operands[operand] = source;
    if is_copy(body, op) && !have_compatible_shapes(rw.ctx, body, &operands) {
        return None;
    }
    rw.set_operands(op, &operands);
    Some(())
}

/// `op (cast %m), (cast %n) ⇒ op %m, %n`, any operand by [`look_through_cast`].
pub(super) fn look_through_casts(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let count = rw.body()[op].operands.len();
    (0..count).find_map(|operand| look_through_cast(rw, op, operand))
}

/// Whether an operation verifies only if its memrefs have compatible shapes.
fn is_copy(body: &Body, op: OpId) -> bool {
    matches!(body[op].name, memref::COPY | gpu::MEMCPY)
}

/// Whether the memrefs among `operands` may have one shape. Casts may hide that two
/// do not: the copy is undefined, but a program that never reaches it is valid.
fn have_compatible_shapes(ctx: &Context, body: &Body, operands: &[Value]) -> bool {
    let memrefs = operands
        .iter()
        .filter_map(|&value| body.ty(value).memref(ctx));
    let shapes: Vec<&[i64]> = memrefs.map(|memref| &memref.shape[..]).collect();
    shapes.windows(2).all(|pair| compatible(pair[0], pair[1]))
}

/// Whether `other` knows every size, stride and offset that `ty` knows.
fn is_no_more_static(ctx: &Context, ty: &MemRefType, other: &MemRefType) -> bool {
    let known = |ours: &[i64], theirs: &[i64]| {
        let mut pairs = ours.iter().zip(theirs);
        pairs.all(|(&ours, &theirs)| ours == DYNAMIC || theirs != DYNAMIC)
    };
    let layouts = match (ty.strided_form(ctx), other.strided_form(ctx)) {
        (Some((offset, strides)), Some((other_offset, other_strides))) => {
            known(&[offset], &[other_offset]) && known(&strides, &other_strides)
        }
        _ => ty.layout == other.layout,
    };
    layouts && known(&ty.shape, &other.shape)
}

/// `alloc(%c4) : memref<?> ⇒ cast (alloc() : memref<4>)`. The symbols of a layout stay
/// operands.
fn make_sizes_static(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let (ctx, body) = (rw.ctx, rw.body());
    let ty = body.ty(body[op].result(0));
    let memref = ty.memref(ctx)?;
    let symbols = body[op].operand_segment(ctx, 1);
    let mut sizes = memref::dynamic_sizes(ctx, body, op).iter();
    let (mut shape, mut left) = (memref.shape.to_vec(), Vec::new());
    for extent in shape.iter_mut().filter(|extent| **extent == DYNAMIC) {
        let &size = sizes.next()?;
        match rw.look(op).int(size).filter(|&size| size >= 0) {
            Some(size) => *extent = size,
            None => left.push(size),
        }
    }
    if left.len() == memref::dynamic_sizes(ctx, body, op).len() {
        return None;
    }
    let known = MemRefType {
        shape: shape.into(),
        ..memref.clone()
    };
    let known = ctx.intern_type(TypeKind::MemRef(known));
    let data = &body[op];
    let sizes = ctx.i32_array_attr(&[left.len() as i32, symbols.len() as i32]);
    let mut state = OpState::new(data.name, data.loc)
        .operands(&[&left[..], symbols].concat())
        .results(&[known]);
    (state.properties, state.attributes) = (data.properties, data.attributes);
    let state = state.property(ctx, inherent::OPERAND_SEGMENT_SIZES, sizes);
    let new = rw.create_before(op, state);
    let memory = rw.body()[new].result(0);
    rw.remake(op, memref::CAST, &[memory]);
    Some(())
}

/// `dim (reshape %m, %shape), %i ⇒ load %shape[%i]`.
fn load_size(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let cx = rw.look(op);
    let [memory, index] = cx.operands()?;
    let &[_, shape] = &cx.maker(memory, memref::RESHAPE)?.operands[..] else {
        return None;
    };
    let element = rw.body().ty(shape).memref(rw.ctx)?.element;
    // The load must read the shape where the reshape does, so the index must dominate
    // that place.
    let entry = rw.body().entry();
    let is_early = rw.body().defining_op(index).is_none() && rw.body().value_block(index) == entry;
    if !is_early && cx.constant(index).is_none() {
        return None;
    }
    let after = rw.body()[rw.body().defining_op(memory)?].next()?;
    let hint = [("nontemporal", rw.ctx.bool_attr(false))];
    let mut size = make(rw, after, memref::LOAD, &[shape, index], element, &hint);
    if !element.is_index(rw.ctx) {
        size = rw.make(after, arith::INDEX_CAST, &[size], rw.ctx.index_type());
    }
    rw.replace_op(op, &[size]);
    Some(())
}

/// `copy %m, %m ⇒ (nothing)`, `copy of memref<0xf32> ⇒ (nothing)`,
/// `copy (cast %m), %n ⇒ copy %m, %n`.
fn simplify_copy(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let [source, target]: [Value; 2] = rw.look(op).operands()?;
    let is_empty = |value| {
        let memref = rw.body().ty(value).memref(rw.ctx);
        memref.is_some_and(|memref| memref.shape.contains(&0))
    };
    if source == target || is_empty(source) || is_empty(target) {
        rw.erase(op);
        return Some(());
    }
    look_through_cast(rw, op, 0).or_else(|| look_through_cast(rw, op, 1))
}

/// `%b, %offset, %size, %stride = extract_strided_metadata %m ⇒ %b, 0, 4, 1` where the type of `%m`
/// has the numbers.
fn fold_metadata(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let [source] = rw.look(op).operands()?;
    let memref = rw.body().ty(source).memref(rw.ctx)?;
    let (offset, strides) = memref.strided_form(rw.ctx)?;
    let numbers: Vec<i64> = std::iter::once(offset)
        .chain(memref.shape.iter().copied())
        .chain(strides)
        .collect();
    // The first result is the base buffer.
    let results: Vec<Value> = rw.body()[op].results().skip(1).collect();
    let index = rw.ctx.index_type();
    let mut changed = None;
    for (result, number) in results.into_iter().zip(numbers) {
        if number != DYNAMIC && !rw.is_unused(result) {
            let constant = rw.splat(number as u64, index, op)?;
            rw.replace(result, constant);
            changed = Some(());
        }
    }
    changed
}
