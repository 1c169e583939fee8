//! Views: the `memref` operations that make a view of another one, or ask for its offset, sizes or
//! strides.

use gridloom_dialects::{inherent, memref};
use gridloom_ir::affine::AffineExprKind;
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::op::{I64ArrayAttr, Inherent};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{AffineExpr, Attr, Body, OpId, OpName, Value};
use rspirv::spirv::{Op, Word};

use crate::byte_views;
use crate::kernel::{Kernel, Lowered, Lowering};
use crate::memory::MemRef;

/// Lowers operations on views.
pub(crate) fn lower(k: &mut Kernel<'_>, op: OpId, name: OpName) -> Lowering<bool> {
    match name {
        memref::DIM => dim(k, op)?,
        memref::RANK => {
            let source = k.operand(op, 0)?;
            let rank = k.view(op, source)?.sizes.len();
            let rank = k.index_const(rank as i64);
            k.set(op, rank)?;
        }
        memref::VIEW => byte_views::lower(k, op)?,
        memref::CAST if is_cast_of_bytes(k, op) => {}
        memref::CAST | memref::MEMORY_SPACE_CAST | memref::ASSUME_ALIGNMENT => {
            let source = k.operand(op, 0)?;
            let view = k.view(op, source)?;
            if let Some(result) = k.body[op].results().next() {
                k.define(result, Lowered::MemRef(view));
            }
        }
        memref::SUBVIEW => subview(k, op)?,
        memref::REINTERPRET_CAST => reinterpret_cast(k, op)?,
        memref::EXPAND_SHAPE => expand_shape(k, op)?,
        memref::COLLAPSE_SHAPE => collapse_shape(k, op)?,
        memref::TRANSPOSE => transpose(k, op)?,
        memref::EXTRACT_STRIDED_METADATA => extract_strided_metadata(k, op)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// Whether an operation casts memory of bytes, which has no variable: see [`byte_views`].
fn is_cast_of_bytes(k: &Kernel<'_>, op: OpId) -> bool {
    let source = k.body[op].operands.first();
    source.is_some_and(|&source| k.byte_views.is_source(source))
}

/// Whether an operation's first result is a view of its first operand.
pub(crate) fn is_view(name: OpName) -> bool {
    matches!(
        name,
        memref::CAST
            | memref::SUBVIEW
            | memref::REINTERPRET_CAST
            | memref::TRANSPOSE
            | memref::MEMORY_SPACE_CAST
            | memref::EXPAND_SHAPE
            | memref::COLLAPSE_SHAPE
            | memref::ASSUME_ALIGNMENT
            | memref::EXTRACT_STRIDED_METADATA
    )
}

/// Whether a view may have elements that its source has not: its sizes, strides or offset are not checked
/// against the source's.
pub(crate) fn may_leave_source(name: OpName) -> bool {
    let is_within = matches!(
        name,
        memref::TRANSPOSE | memref::MEMORY_SPACE_CAST | memref::ASSUME_ALIGNMENT
    );
    is_view(name) && !is_within
}

/// The memref that each view of a body is a view of, through any number of views.
pub(crate) fn roots(body: &Body) -> FxHashMap<Value, Value> {
    let mut roots: FxHashMap<Value, Value> = FxHashMap::default();
    for op in body.walk() {
        let data = &body[op];
        if !is_view(data.name) {
            continue;
        }
        if let (Some(&source), Some(view)) = (data.operands.first(), data.results().next()) {
            let root = roots.get(&source).copied().unwrap_or(source);
            roots.insert(view, root);
        }
    }
    roots
}

fn dim(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let source = k.operand(op, 0)?;
    let view = k.view(op, source)?;
    let index = k.word(op, 1)?;
    if let Some(dim) = k.e.constant_value(index) {
        let size = usize::try_from(dim).ok().and_then(|d| view.sizes.get(d));
        let size = *size.ok_or_else(|| k.refuse(op, "dimension out of the memref's rank"))?;
        return k.set(op, size);
    }
    let reg = k.index_reg();
    let mut chosen = k.index_const(0);
    for (dim, &size) in (0..).zip(&view.sizes) {
        let dim = k.index_const(dim);
        let this = k.e.test(reg, Op::IEqual, &[index, dim]);
        chosen = k.e.select(reg, this, size, chosen);
    }
    k.set(op, chosen)
}

/// The offsets, sizes or strides of a view operation: constants of the
/// attribute, operands where it says dynamic.
fn mixed(
    k: &mut Kernel<'_>,
    op: OpId,
    list: Inherent<I64ArrayAttr>,
    operands: &mut impl Iterator<Item = Value>,
) -> Lowering<(Vec<i64>, Vec<Word>)> {
    let fixed = k.required(op, list)?;
    let mut words = Vec::with_capacity(fixed.len());
    for &value in &fixed {
        words.push(if value == DYNAMIC {
            let operand = operands.next().ok_or_else(|| k.malformed(op))?;
            k.value_word(op, operand)?
        } else {
            k.index_const(value)
        });
    }
    Ok((fixed, words))
}

fn subview(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let operands = k.body[op].operands.clone();
    let mut operands = operands.into_iter();
    let source = operands.next().ok_or_else(|| k.malformed(op))?;
    let view = k.view(op, source)?;
    let (_, offsets) = mixed(k, op, inherent::STATIC_OFFSETS, &mut operands)?;
    let (fixed, sizes) = mixed(k, op, inherent::STATIC_SIZES, &mut operands)?;
    let (_, steps) = mixed(k, op, inherent::STATIC_STRIDES, &mut operands)?;
    let rank = view.strides.len();
    let result = k.result(op)?;
    let Some(ty) = k.body.ty(result).memref(k.ctx) else {
        return Err(k.malformed(op));
    };
    if [&offsets, &sizes, &steps]
        .iter()
        .any(|list| list.len() != rank)
    {
        return Err(k.malformed(op));
    }
    let mut part = MemRef {
        offset: view.offset,
        sizes: Vec::new(),
        strides: Vec::new(),
        ..view
    };
    for dim in 0..rank {
        let shift = k.index_mul(offsets[dim], view.strides[dim]);
        part.offset = k.index_add(part.offset, shift);
        // A rank-reducing subview drops dimensions of size 1. Which of several
        // does not matter: their only index is 0, so no stride is ever used.
        if ty.shape.get(part.sizes.len()) == Some(&fixed[dim]) {
            part.sizes.push(sizes[dim]);
            let stride = k.index_mul(view.strides[dim], steps[dim]);
            part.strides.push(stride);
        } else if fixed[dim] != 1 {
            return Err(k.malformed(op));
        }
    }
    if part.sizes.len() != ty.rank() {
        return Err(k.malformed(op));
    }
    k.define(result, Lowered::MemRef(part));
    Ok(())
}

fn reinterpret_cast(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let operands = k.body[op].operands.clone();
    let mut operands = operands.into_iter();
    let source = operands.next().ok_or_else(|| k.malformed(op))?;
    let view = k.view(op, source)?;
    let (_, offsets) = mixed(k, op, inherent::STATIC_OFFSETS, &mut operands)?;
    let (_, sizes) = mixed(k, op, inherent::STATIC_SIZES, &mut operands)?;
    let (_, strides) = mixed(k, op, inherent::STATIC_STRIDES, &mut operands)?;
    let result = k.result(op)?;
    let &[offset] = &offsets[..] else {
        return Err(k.malformed(op));
    };
    if sizes.len() != strides.len() {
        return Err(k.malformed(op));
    }
    // The new offset counts from the base, not from the source's offset.
    let view = MemRef {
        offset,
        sizes,
        strides,
        ..view
    };
    k.define(result, Lowered::MemRef(view));
    Ok(())
}

/// The groups of dimensions of the larger shape that each dimension of the smaller one stands for.
fn groups(k: &Kernel<'_>, op: OpId) -> Lowering<Vec<Vec<usize>>> {
    let groups = k.body[op].get(k.ctx, inherent::REASSOCIATION);
    let group = |group: &Attr| -> Option<Vec<usize>> {
        let dims = group.as_array(k.ctx)?.iter();
        dims.map(|dim| usize::try_from(dim.as_i64(k.ctx)?).ok())
            .collect()
    };
    let groups: Option<_> = groups.and_then(|groups| groups.iter().map(group).collect());
    groups.ok_or_else(|| k.malformed(op))
}

/// Lowers `memref.expand_shape`: splits each dimension; the last part keeps the stride.
fn expand_shape(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let mut operands = k.body[op].operands.clone().into_iter();
    let source = operands.next().ok_or_else(|| k.malformed(op))?;
    let view = k.view(op, source)?;
    let (_, sizes) = mixed(k, op, inherent::STATIC_OUTPUT_SHAPE, &mut operands)?;
    let groups = groups(k, op)?;
    let mut strides = vec![k.index_const(1); sizes.len()];
    for (group, &outer) in groups.iter().zip(&view.strides) {
        let mut stride = outer;
        for &dim in group.iter().rev() {
            let (Some(place), Some(&size)) = (strides.get_mut(dim), sizes.get(dim)) else {
                return Err(k.malformed(op));
            };
            *place = stride;
            stride = k.index_mul(stride, size);
        }
    }
    let result = k.result(op)?;
    let view = MemRef {
        sizes,
        strides,
        ..view
    };
    k.define(result, Lowered::MemRef(view));
    Ok(())
}

/// Lowers `memref.collapse_shape`: the dimensions of a group become one, with the stride of the
/// group's last dimension that has more than one element.
fn collapse_shape(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let source = k.operand(op, 0)?;
    let shape = k.body.ty(source).memref(k.ctx);
    let shape = shape.ok_or_else(|| k.malformed(op))?.shape.clone();
    let view = k.view(op, source)?;
    let (mut sizes, mut strides) = (Vec::new(), Vec::new());
    for group in groups(k, op)? {
        let mut size = k.index_const(1);
        let mut stride = None;
        for &dim in group.iter().rev() {
            let (Some(&extent), Some(&step)) = (view.sizes.get(dim), view.strides.get(dim)) else {
                return Err(k.malformed(op));
            };
            size = k.index_mul(size, extent);
            let is_single = shape.get(dim) == Some(&1);
            stride = stride.or((!is_single).then_some(step));
        }
        sizes.push(size);
        strides.push(match stride {
            Some(stride) => stride,
            None => k.index_const(1),
        });
    }
    let result = k.result(op)?;
    let view = MemRef {
        sizes,
        strides,
        ..view
    };
    k.define(result, Lowered::MemRef(view));
    Ok(())
}

/// Dimension `i` of the result is dimension `permutation(i)` of the source.
fn transpose(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let source = k.operand(op, 0)?;
    let view = k.view(op, source)?;
    let map = k.body[op].get(k.ctx, inherent::PERMUTATION);
    let dim = |expr: &AffineExpr| match expr.kind(k.ctx) {
        AffineExprKind::Dim(dim) => {
            let dim = dim as usize;
            Some((*view.sizes.get(dim)?, *view.strides.get(dim)?))
        }
        _ => None,
    };
    let dims: Option<Vec<(Word, Word)>> =
        map.and_then(|map| map.results(k.ctx).iter().map(dim).collect());
    let (sizes, strides) = dims.ok_or_else(|| k.malformed(op))?.into_iter().unzip();
    let result = k.result(op)?;
    let view = MemRef {
        sizes,
        strides,
        ..view
    };
    k.define(result, Lowered::MemRef(view));
    Ok(())
}

fn extract_strided_metadata(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let source = k.operand(op, 0)?;
    let view = k.view(op, source)?;
    let zero = k.index_const(0);
    let base = MemRef {
        offset: zero,
        sizes: Vec::new(),
        strides: Vec::new(),
        ..view
    };
    let words = [view.offset]
        .into_iter()
        .chain(view.sizes.iter().copied())
        .chain(view.strides.iter().copied());
    let mut results = k.body[op].results();
    let Some(first) = results.next() else {
        return Err(k.malformed(op));
    };
    k.define(first, Lowered::MemRef(base));
    for (result, word) in results.zip(words) {
        k.define(result, Lowered::Reg(word));
    }
    Ok(())
}
