//! Compound elements in views, hints and globals: rewrites them for scalars.

use gridloom_dialects::memref::{Mixed, ReinterpretCastOp, SubViewOp};
use gridloom_dialects::{affine, arith, gpu, inherent, memref};
use gridloom_ir::attr::DenseData;
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{Attr, AttrKind, Body, Builder, Context, OpId, OpName, Type, Value};

use super::types::{dense_strides, with_indices};
use super::{Compound, Expansion};

/// Operations that need no change on memrefs of scalars.
pub const UNCHANGED: &[OpName] = &[
    memref::ALLOC,
    memref::ALLOCA,
    memref::ASSUME_ALIGNMENT,
    memref::CAST,
    memref::COPY,
    memref::DEALLOC,
    memref::DIM,
    memref::DISTINCT_OBJECTS,
    memref::EXTRACT_ALIGNED_POINTER_AS_INDEX,
    memref::GET_GLOBAL,
    memref::MEMORY_SPACE_CAST,
    memref::VIEW,
    gpu::ALLOC,
    gpu::DEALLOC,
    gpu::MEMCPY,
];

/// Limit of the bytes of a splat constant that is expanded because its scalars differ.
const MAX_BYTES: usize = 1 << 26;

/// Reason why an element is not scaled.
const TOO_LARGE: &str = "has an offset or a stride that exceeds 64 bits when counted in scalars";

impl Expansion<'_> {
    /// Changes a view, a transfer or a hint in place. Returns the replacement of its result, where
    /// that is a new value, or the reason why there is none.
    pub fn view(&mut self, b: &mut Builder, op: OpId) -> Result<Option<Value>, String> {
        let ctx = b.ctx;
        let source = b.body[op].operands.first().copied();
        let dims = source.map_or_else(Vec::new, |source| self.dims(source));
        match b.body[op].name {
            memref::SUBVIEW => return self.subview(b, op, &dims).map(Some),
            memref::REINTERPRET_CAST => return self.reinterpret_cast(b, op, &dims).map(Some),
            memref::RANK => {
                let rank = source.map_or(0, |source| rank(ctx, b.body, source) - dims.len());
                return Ok(Some(b.index_constant(rank as i64)));
            }
            memref::PREFETCH => {
                let first = b.index_constant(0);
                b.body[op].operands.extend(dims.iter().map(|_| first));
            }
            affine::PREFETCH => {
                let map = b.body[op].get(ctx, inherent::MAP);
                let map = map.ok_or("a prefetch needs a map")?;
                let map = ctx.map_attr(with_indices(ctx, map, &vec![0; dims.len()]));
                b.body[op].set_property(ctx, inherent::MAP, map);
            }
            memref::EXPAND_SHAPE => expand_shape(ctx, b.body, op, &dims)?,
            memref::COLLAPSE_SHAPE => collapse_shape(ctx, b.body, op, &dims)?,
            memref::TRANSPOSE => transpose(ctx, b.body, op, &dims)?,
            memref::DMA_START => self.dma_start(b, op)?,
            affine::DMA_START => self.affine_dma_start(b, op)?,
            _ => return Err("has no equivalent for memrefs of scalars".to_owned()),
        }
        Ok(None)
    }

    fn new_type(&self, b: &Builder, op: OpId) -> Result<Type, String> {
        let old = self.old_type(b.body, b.body[op].result(0));
        (self.compound.expanded(b.ctx, old))
            .ok_or_else(|| "has a layout without an equivalent".to_owned())
    }

    /// Lowers a subview:
    /// `[offsets] [sizes] [strides] ⇒ [offsets, 0…] [sizes, dims…] [strides, 1…]`.
    fn subview(&self, b: &mut Builder, op: OpId, dims: &[i64]) -> Result<Value, String> {
        let view = SubViewOp(op);
        let mut lists = [
            view.offsets(b.ctx, b.body),
            view.sizes(b.ctx, b.body),
            view.strides(b.ctx, b.body),
        ];
        for &dim in dims {
            for (list, number) in lists.iter_mut().zip([0, dim, 1]) {
                list.push(Mixed::Constant(number));
            }
        }
        let ty = self.new_type(b, op)?;
        let source = view.source(b.body);
        let lists = lists.each_ref().map(|list| &list[..]);
        Ok(SubViewOp::create(b, source, lists, ty))
    }

    /// `offset: o, sizes: s, strides: t ⇒ offset: n·o, sizes: [s, dims…], strides: [n·t, dense…]`
    /// for `n` scalars in an element.
    fn reinterpret_cast(&self, b: &mut Builder, op: OpId, dims: &[i64]) -> Result<Value, String> {
        let cast = ReinterpretCastOp(op);
        let ty = self.new_type(b, op)?;
        let source = cast.source(b.body);
        let mut sizes = cast.sizes(b.ctx, b.body);
        let offsets = cast.offsets(b.ctx, b.body);
        let strides = cast.strides(b.ctx, b.body);
        let (inner, count) = dense_strides(dims).ok_or(TOO_LARGE)?;
        let offsets = scale_all(b, offsets, count)?;
        let mut strides = scale_all(b, strides, count)?;
        sizes.extend(dims.iter().map(|&dim| Mixed::Constant(dim)));
        strides.extend(inner.into_iter().map(Mixed::Constant));
        let lists = [&offsets[..], &sizes, &strides];
        Ok(ReinterpretCastOp::create(b, source, lists, ty))
    }
}

/// Emits `number * by`.
pub(super) fn scale(b: &mut Builder, number: Value, by: i64) -> Value {
    if by == 1 {
        return number;
    }
    let by = b.index_constant(by);
    b.binary(arith::MULI, number, by)
}

fn scale_all(b: &mut Builder, list: Vec<Mixed>, by: i64) -> Result<Vec<Mixed>, String> {
    let scaled = |item: Mixed| match item {
        Mixed::Constant(number) => {
            (number.checked_mul(by).map(Mixed::Constant)).ok_or_else(|| TOO_LARGE.to_owned())
        }
        Mixed::Value(value) => Ok(Mixed::Value(scale(b, value, by))),
    };
    list.into_iter().map(scaled).collect()
}

/// The groups of dimensions of a reassociation attribute.
fn groups(ctx: &Context, body: &Body, op: OpId) -> Result<Vec<Attr>, String> {
    let groups = body[op].get(ctx, inherent::REASSOCIATION);
    groups
        .map(<[Attr]>::to_vec)
        .ok_or_else(|| "has no reassociation".to_owned())
}

/// Appends a group for each of the last `inner` of `rank` dimensions of the larger shape. Without
/// groups all dimensions before them have extent 1 and join the first group.
fn with_groups(ctx: &Context, mut groups: Vec<Attr>, inner: usize, rank: usize) -> Attr {
    for dim in rank.saturating_sub(inner)..rank {
        let first = if groups.is_empty() { 0 } else { dim };
        let dims: Vec<Attr> = (first..=dim).map(|dim| ctx.i64_attr(dim as i64)).collect();
        groups.push(ctx.array_attr(&dims));
    }
    ctx.array_attr(&groups)
}

fn rank(ctx: &Context, body: &Body, value: Value) -> usize {
    body.ty(value).memref(ctx).map_or(0, |memref| memref.rank())
}

/// Lowers an `expand_shape`, whose types have changed already: the larger rank includes the
/// dimensions of elements.
fn expand_shape(ctx: &Context, body: &mut Body, op: OpId, dims: &[i64]) -> Result<(), String> {
    let rank = rank(ctx, body, body[op].result(0));
    let groups = with_groups(ctx, groups(ctx, body, op)?, dims.len(), rank);
    let shape = body[op].get(ctx, inherent::STATIC_OUTPUT_SHAPE);
    let mut shape = (shape).ok_or("has no output shape")?;
    shape.extend(dims);
    body[op].set_property(ctx, inherent::REASSOCIATION, groups);
    body[op].set_property(
        ctx,
        inherent::STATIC_OUTPUT_SHAPE,
        ctx.i64_array_attr(&shape),
    );
    Ok(())
}

fn collapse_shape(ctx: &Context, body: &mut Body, op: OpId, dims: &[i64]) -> Result<(), String> {
    let rank = rank(ctx, body, body[op].operands[0]);
    let groups = with_groups(ctx, groups(ctx, body, op)?, dims.len(), rank);
    body[op].set_property(ctx, inherent::REASSOCIATION, groups);
    Ok(())
}

fn transpose(ctx: &Context, body: &mut Body, op: OpId, dims: &[i64]) -> Result<(), String> {
    let map = body[op].get(ctx, inherent::PERMUTATION);
    let map = map.ok_or("has no permutation")?;
    let data = map.data(ctx);
    let inner = dims.len() as u32;
    let mut results = data.results.to_vec();
    results.extend((0..inner).map(|at| ctx.affine_dim(data.dims + at)));
    let map = ctx.affine_map(data.dims + inner, 0, &results);
    body[op].set_property(ctx, inherent::PERMUTATION, ctx.map_attr(map));
    Ok(())
}

/// Retypes a global to scalars, with its elements in the same order.
///
/// # Errors
/// The reason why the global cannot be retyped.
pub fn expand_global(
    ctx: &Context,
    body: &mut Body,
    op: OpId,
    compound: Compound,
) -> Result<(), String> {
    let old = body[op].get(ctx, inherent::TYPE);
    let dims = (old.and_then(|ty| ty.element(ctx)))
        .and_then(|element| compound.dims(ctx, element))
        .ok_or("uses the memref in a type that cannot be rewritten")?
        .0;
    let ty = old.and_then(|ty| compound.expanded(ctx, ty));
    let ty = ty.ok_or("uses the memref in a type that cannot be rewritten")?;
    let memref = ty.memref(ctx).ok_or("is no memref")?;
    let tensor = ctx.tensor_type(&memref.shape, memref.element);
    let initial = body[op].get(ctx, inherent::INITIAL_VALUE);
    match initial.map(|value| value.kind(ctx)) {
        Some(AttrKind::Dense { ty: given, data }) => {
            let element = given.element(ctx);
            if compound == Compound::WideInteger
                && element.and_then(|element| element.signless_width(ctx)) != Some(128)
            {
                return Err(
                    "has an initial value of elements that are no two whole words".to_owned(),
                );
            }
            let count = memref
                .num_elements()
                .filter(|_| !memref.shape.contains(&DYNAMIC));
            let scalars = dense_strides(&dims).ok_or(TOO_LARGE)?.1;
            let data = expanded_data(data, scalars, count)?;
            let value = ctx.intern_attr(AttrKind::Dense { ty: tensor, data });
            body[op].set_property(ctx, inherent::INITIAL_VALUE, value);
        }
        None | Some(AttrKind::Unit) => {}
        Some(_) => return Err("has an initial value that is not dense".to_owned()),
    }
    body[op].set_property(ctx, inherent::TYPE, ctx.type_attr(ty));
    Ok(())
}

/// Expands dense data: the bytes of elements are those of their `scalars` in turn; a splat remains
/// one only where the scalars of its element agree. `count` is the number of all scalars.
fn expanded_data(data: &DenseData, scalars: i64, count: Option<i64>) -> Result<DenseData, String> {
    match data {
        DenseData::Raw(bytes) => Ok(DenseData::Raw(bytes.clone())),
        DenseData::Splat(bytes) => {
            let scalars = usize::try_from(scalars).unwrap_or(1).max(1);
            let width = (bytes.len() / scalars).max(1);
            let first = &bytes[..width.min(bytes.len())];
            if bytes.chunks(width).all(|scalar| scalar == first) {
                return Ok(DenseData::Splat(first.into()));
            }
            let elements = count.and_then(|count| usize::try_from(count).ok());
            let elements = elements.map(|count| count / scalars);
            let elements = elements.filter(|count| count.saturating_mul(bytes.len()) <= MAX_BYTES);
            let elements = elements.ok_or(
                "is a splat with more elements than can be written out; fill a buffer in a loop \
                 instead",
            )?;
            Ok(DenseData::Raw(bytes.repeat(elements).into()))
        }
        DenseData::Strings(_) => Err("has strings as elements".to_owned()),
    }
}
