//! `bufferization`: cancels conversions between tensors and buffers, forwards
//! queries from one to the other, and shares buffers instead of cloning them.
//!
//! ```text
//! to_buffer (to_tensor %m)    ⇒  %m
//! to_buffer (cast %t)         ⇒  memref.cast (to_buffer %t)
//! load (to_buffer %t)[%i]     ⇒  tensor.extract %t[%i]
//! alloc_tensor(%c4)           ⇒  tensor.cast (alloc_tensor() : tensor<4xf32>)
//! ```

use gridloom_dialects::memref::Mixed;
use gridloom_dialects::{bufferization, inherent, memref, tensor};
use gridloom_ir::types::{DYNAMIC, MemRefType};
use gridloom_ir::{Context, OpId, Type, TypeKind, Value};

use super::build::{create, make, remake};
use super::memory::replace_by_cast;
use super::tensor::{as_type, shape, uncast, with_constants};
use crate::canonicalize::rules::Family;
use crate::rewriter::Rewriter;

mod clone;
mod dealloc;

/// Rewrites by root operation.
pub(super) const RULES: Family = &[
    (bufferization::ALLOC_TENSOR, &[make_sizes_static]),
    (bufferization::CLONE, &[clone::simplify]),
    (bufferization::DEALLOC, &[dealloc::simplify]),
    (bufferization::MATERIALIZE_IN_DESTINATION, &[uncast]),
    (bufferization::TO_BUFFER, &[to_buffer]),
    (bufferization::TO_TENSOR, &[to_tensor]),
    (memref::DIM, &[dim_of_buffer]),
    (memref::LOAD, &[load_of_buffer]),
    (tensor::DIM, &[dim_of_tensor]),
];

/// The operation that defines a value, and its first operand.
fn origin(rw: &Rewriter, value: Value) -> Option<(OpId, Value)> {
    let maker = rw.body().defining_op(value)?;
    Some((maker, *rw.body()[maker].operands.first()?))
}

/// `to_tensor (to_buffer %t) ⇒ %t` if nothing stands between the two that could
/// write to the buffer.
fn to_tensor(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let [buffer] = rw.look(op).operands()?;
    let (maker, tensor) = origin(rw, buffer)?;
    let is_next = rw.body()[op].prev() == Some(maker);
    let [ty, result] = [tensor, rw.body()[op].result(0)].map(|value| rw.body().ty(value));
    if rw.body()[maker].name != bufferization::TO_BUFFER || !is_next || ty != result {
        return None;
    }
    rw.replace_op(op, &[tensor]);
    Some(())
}

/// `to_buffer (to_tensor %m) ⇒ %m`, `to_buffer (cast %t) ⇒ cast (to_buffer %t)`.
fn to_buffer(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let [tensor] = rw.look(op).operands()?;
    let (maker, source) = origin(rw, tensor)?;
    match rw.body()[maker].name {
        bufferization::TO_TENSOR => same_memory(rw, op, source),
        tensor::CAST => buffer_uncast(rw, op, source),
        _ => None,
    }
}

/// `to_buffer (to_tensor %m) ⇒ %m`, cast or copied where the types differ.
fn same_memory(rw: &mut Rewriter, op: OpId, source: Value) -> Option<()> {
    let ctx = rw.ctx;
    let [from, to] = [source, rw.body()[op].result(0)].map(|value| rw.body().ty(value));
    if from == to {
        rw.replace_op(op, &[source]);
        return Some(());
    }
    match (from.memref(ctx), to.memref(ctx)) {
        (Some(from), Some(to)) if may_cast(ctx, from, to) => replace_by_cast(rw, op, source),
        (Some(from), Some(known)) => copy(rw, op, source, from, known, to),
        // Buffers of unknown rank can differ only in their memory space.
        (_, None) if space(ctx, from) == space(ctx, to) => replace_by_cast(rw, op, source),
        _ => None,
    }
}

fn space(ctx: &Context, ty: Type) -> Option<gridloom_ir::Attr> {
    match ty.kind(ctx) {
        TypeKind::MemRef(memref) => memref.space,
        TypeKind::UnrankedMemRef { space, .. } => *space,
        _ => None,
    }
}

/// Whether a cast between the types always succeeds, the extents aside: every
/// offset and stride that `to` knows is the one of `from`.
fn may_cast(ctx: &Context, from: &MemRefType, to: &MemRefType) -> bool {
    let (Some((offset, strides)), Some((to_offset, to_strides))) =
        (from.strided_form(ctx), to.strided_form(ctx))
    else {
        return false;
    };
    let holds = |from: i64, to: i64| to == DYNAMIC || from == to;
    let mut strides = strides.iter().zip(&to_strides);
    let fits = |(&from, &to): (&i64, &i64)| from == to || from == DYNAMIC || to == DYNAMIC;
    from.space == to.space
        && from.element == to.element
        && from.rank() == to.rank()
        && from.shape.iter().zip(&to.shape[..]).all(fits)
        && holds(offset, to_offset)
        && strides.all(|(&from, &to)| holds(from, to))
}

/// Copies the elements into a new buffer of the wanted layout or memory space.
fn copy(
    rw: &mut Rewriter,
    op: OpId,
    source: Value,
    from: &MemRefType,
    known: &MemRefType,
    ty: Type,
) -> Option<()> {
    let index = rw.ctx.index_type();
    let alike = known.layout.is_none()
        && from.element == known.element
        && from.rank() == known.rank()
        && from
            .shape
            .iter()
            .zip(&known.shape[..])
            .all(|(&a, &b)| a == b || b == DYNAMIC);
    if !alike {
        return None;
    }
    let mut sizes = Vec::new();
    for (dim, &extent) in known.shape.iter().enumerate() {
        if extent == DYNAMIC {
            let dim = rw.splat(dim as u64, index, op)?;
            sizes.push(rw.make(op, memref::DIM, &[source, dim], index));
        }
    }
    let segments = rw.ctx.i32_array_attr(&[sizes.len() as i32, 0]);
    let segments = [(inherent::OPERAND_SEGMENT_SIZES.name(), segments)];
    let memory = make(rw, op, memref::ALLOC, &sizes, ty, &segments);
    create(rw, op, memref::COPY, &[source, memory], &[], &[]);
    rw.replace_op(op, &[memory]);
    Some(())
}

/// `to_buffer (cast %t) ⇒ cast (to_buffer %t)`.
fn buffer_uncast(rw: &mut Rewriter, op: OpId, source: Value) -> Option<()> {
    let ctx = rw.ctx;
    let extents = shape(ctx, rw.body().ty(source))?;
    let memref = match rw.body().ty(rw.body()[op].result(0)).kind(ctx) {
        TypeKind::MemRef(memref) => MemRefType {
            shape: extents.into(),
            ..memref.clone()
        },
        TypeKind::UnrankedMemRef { element, space } => MemRefType {
            shape: extents.into(),
            element: *element,
            layout: None,
            space: *space,
        },
        _ => return None,
    };
    let ty = ctx.intern_type(TypeKind::MemRef(memref));
    let new = rw.remake_as(op, &[source], &[ty]);
    let memory = rw.body()[new].result(0);
    replace_by_cast(rw, op, memory)
}

/// The `to_buffer` that defines a value, and its tensor.
fn tensor_of(rw: &Rewriter, value: Value) -> Option<(OpId, Value)> {
    let found = origin(rw, value)?;
    (rw.body()[found.0].name == bufferization::TO_BUFFER).then_some(found)
}

/// `memref.dim (to_buffer %t) ⇒ tensor.dim %t`.
fn dim_of_buffer(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let [memory, index] = rw.look(op).operands()?;
    let (_, tensor) = tensor_of(rw, memory)?;
    remake(rw, op, tensor::DIM, &[tensor, index], &[])
}

/// `load (to_buffer %t)[%i] ⇒ extract %t[%i]` if nothing writes to the buffer.
fn load_of_buffer(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let operands = rw.body()[op].operands.to_vec();
    let (&memory, indices) = operands.split_first()?;
    let (maker, tensor) = tensor_of(rw, memory)?;
    shape(rw.ctx, rw.body().ty(tensor))?;
    let reads = |user: &OpId| matches!(rw.body()[*user].name, memref::LOAD | memref::DIM);
    let is_read_only = rw.body()[maker].has_attr(rw.ctx, inherent::READ_ONLY)
        || rw.users(memory).iter().all(reads);
    if !is_read_only {
        return None;
    }
    remake(rw, op, tensor::EXTRACT, &[&[tensor], indices].concat(), &[])
}

/// `dim (to_tensor %m) ⇒ dim %m`, `dim (alloc_tensor() copy(%t)) ⇒ dim %t`,
/// `dim (alloc_tensor(%n)), 0 ⇒ %n`.
fn dim_of_tensor(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let [tensor, index] = rw.look(op).operands()?;
    let maker = rw.body().defining_op(tensor)?;
    let data = &rw.body()[maker];
    match data.name {
        bufferization::TO_TENSOR => {
            let memory = *data.operands.first()?;
            remake(rw, op, memref::DIM, &[memory, index], &[])
        }
        bufferization::ALLOC_TENSOR => {
            if let Some(&copied) = data.operand_segment(rw.ctx, 1).first() {
                rw.set_operands(op, &[copied, index]);
                return Some(());
            }
            let dim = usize::try_from(rw.look(op).int(index)?).ok()?;
            let extents = shape(rw.ctx, rw.body().ty(tensor))?;
            let sizes = Mixed::zip(extents, data.operand_segment(rw.ctx, 0));
            let &Mixed::Value(size) = sizes.get(dim)? else {
                return None;
            };
            rw.replace_op(op, &[size]);
            Some(())
        }
        _ => None,
    }
}

/// `alloc_tensor(%c4) ⇒ cast (alloc_tensor() : tensor<4xf32>)`.
fn make_sizes_static(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let ctx = rw.ctx;
    let cx = rw.look(op);
    let ty = cx.result_type(0);
    let others = [1, 2].map(|group| cx.data().operand_segment(ctx, group).to_vec());
    // An `alloc_tensor` that copies has no size operands.
    let sizes = cx.data().operand_segment(ctx, 0);
    let (known, left) = with_constants(&cx, ty, sizes)?;
    let operands = [&left[..], &others[0], &others[1]].concat();
    let segments = [left.len(), others[0].len(), others[1].len()].map(|count| count as i32);
    let new = rw.remake_as(op, &operands, &[known]);
    rw.set_property(
        new,
        inherent::OPERAND_SEGMENT_SIZES,
        ctx.i32_array_attr(&segments),
    );
    let value = rw.body()[new].result(0);
    let value = as_type(rw, op, value, ty);
    rw.replace_op(op, &[value]);
    Some(())
}
