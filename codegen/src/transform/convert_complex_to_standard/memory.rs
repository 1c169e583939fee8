//! Operations on memrefs of complex numbers, as memrefs of parts.

use gridloom_ir::attr::DenseData;
use gridloom_ir::dialect::memref::{Mixed, ReinterpretCastOp, SubViewOp};
use gridloom_ir::dialect::{affine, gpu, memref};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{Attr, AttrKind, Body, Builder, Context, OpId, OpName, Type, Value};

use super::Lowering;
use super::transfers::twice;
use super::types::{type_of_parts, with_part};

/// Operations that are the same on memrefs of parts.
pub(super) const UNCHANGED: &[OpName] = &[
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

/// Largest constant that is written out because its parts differ, in bytes.
const MAX_BYTES: usize = 1 << 26;

impl Lowering<'_> {
    /// Loads both parts of an element.
    pub(super) fn load(&self, b: &mut Builder, op: OpId) -> [Value; 2] {
        [0, 1].map(|part| {
            let data = b.body[op].clone();
            let ty = b.body.ty(data.operands[0]).element(b.ctx);
            let ty = ty.expect("the base of a load is a memref");
            let access = self.access(b, op, part, &data.operands);
            let state = access.results(&[ty]);
            let load = b.create(state);
            b.body[load].attributes = data.attributes;
            b.body[load].result(0)
        })
    }

    /// Stores both parts of an element.
    pub(super) fn store(&self, b: &mut Builder, op: OpId, parts: [Value; 2]) {
        for (part, value) in (0..).zip(parts) {
            let data = b.body[op].clone();
            let mut operands = data.operands.clone();
            operands[0] = value;
            let state = self.access(b, op, part, &operands);
            let store = b.create(state);
            b.body[store].attributes = data.attributes;
        }
    }

    /// The access of a part: one more index, or one more result of the map.
    fn access(
        &self,
        b: &mut Builder,
        op: OpId,
        part: i64,
        operands: &[Value],
    ) -> gridloom_ir::OpState {
        let ctx = b.ctx;
        let (name, properties) = (b.body[op].name, b.body[op].properties);
        let map = b.body[op].attr(ctx, "map").and_then(|map| map.as_map(ctx));
        let mut operands = operands.to_vec();
        if map.is_none() {
            operands.push(b.index_constant(part));
        }
        let mut state = b.state(name).operands(&operands);
        state.properties = properties;
        // Parts lie at half of the alignment of the number.
        state.properties = state.properties.without(ctx, ctx.ident("alignment"));
        match map {
            Some(map) => state.property(ctx, "map", ctx.map_attr(with_part(ctx, map, part))),
            None => state,
        }
    }

    /// Changes a view, a transfer or a hint in place. Returns the value that stands for its result
    /// where it is another one, or says why there is none.
    pub(super) fn view(&mut self, b: &mut Builder, op: OpId) -> Result<Option<Value>, String> {
        let ctx = b.ctx;
        match b.body[op].name {
            memref::SUBVIEW => return self.subview(b, op).map(Some),
            memref::REINTERPRET_CAST => return self.reinterpret_cast(b, op).map(Some),
            memref::RANK => {
                let source = b.body[op].operands[0];
                let rank = b
                    .body
                    .ty(source)
                    .memref(ctx)
                    .map_or(0, |memref| memref.rank());
                return Ok(Some(b.index_constant(rank as i64 - 1)));
            }
            memref::PREFETCH => {
                let part = b.index_constant(0);
                b.body[op].operands.push(part);
            }
            affine::PREFETCH => {
                let map = b.body[op].attr(ctx, "map").and_then(|map| map.as_map(ctx));
                let map = map.ok_or("a prefetch needs a map")?;
                let map = ctx.map_attr(with_part(ctx, map, 0));
                b.body[op].set_property(ctx, "map", map);
            }
            memref::EXPAND_SHAPE => expand_shape(ctx, b.body, op)?,
            memref::COLLAPSE_SHAPE => collapse_shape(ctx, b.body, op)?,
            memref::TRANSPOSE => transpose(ctx, b.body, op)?,
            memref::DMA_START => self.dma_start(b, op)?,
            affine::DMA_START => self.affine_dma_start(b, op)?,
            _ => return Err("has no counterpart on memrefs of parts".to_owned()),
        }
        Ok(None)
    }

    fn new_type(&self, b: &Builder, op: OpId) -> Result<Type, String> {
        let old = self.old_type(b.body, b.body[op].result(0));
        type_of_parts(b.ctx, old).ok_or_else(|| "has a layout without a counterpart".to_owned())
    }

    /// `[offsets] [sizes] [strides] ⇒ [offsets, 0] [sizes, 2] [strides, 1]`
    fn subview(&self, b: &mut Builder, op: OpId) -> Result<Value, String> {
        let view = SubViewOp(op);
        let with = |mut list: Vec<Mixed>, last: i64| {
            list.push(Mixed::Constant(last));
            list
        };
        let lists = [
            with(view.offsets(b.ctx, b.body), 0),
            with(view.sizes(b.ctx, b.body), 2),
            with(view.strides(b.ctx, b.body), 1),
        ];
        let ty = self.new_type(b, op)?;
        let source = view.source(b.body);
        Ok(SubViewOp::create(
            b,
            source,
            lists.each_ref().map(|list| &list[..]),
            ty,
        ))
    }

    /// `offset: o, sizes: s, strides: t ⇒ offset: 2o, sizes: [s, 2], strides: [2t, 1]`
    fn reinterpret_cast(&self, b: &mut Builder, op: OpId) -> Result<Value, String> {
        let cast = ReinterpretCastOp(op);
        let ty = self.new_type(b, op)?;
        let source = cast.source(b.body);
        let mut sizes = cast.sizes(b.ctx, b.body);
        let offsets = cast.offsets(b.ctx, b.body);
        let strides = cast.strides(b.ctx, b.body);
        let offsets = twice_all(b, offsets)?;
        let mut strides = twice_all(b, strides)?;
        sizes.push(Mixed::Constant(2));
        strides.push(Mixed::Constant(1));
        Ok(ReinterpretCastOp::create(
            b,
            source,
            [&offsets, &sizes, &strides],
            ty,
        ))
    }
}

fn twice_all(b: &mut Builder, list: Vec<Mixed>) -> Result<Vec<Mixed>, String> {
    let double = |item: Mixed| match item {
        Mixed::Constant(number) => (number.checked_mul(2).map(Mixed::Constant))
            .ok_or_else(|| "has an offset or a stride beyond 63 bits".to_owned()),
        Mixed::Value(value) => Ok(Mixed::Value(twice(b, value))),
    };
    list.into_iter().map(double).collect()
}

/// The groups of dimensions of a reassociation.
fn groups(ctx: &Context, body: &Body, op: OpId) -> Result<Vec<Attr>, String> {
    let groups = body[op].attr(ctx, "reassociation");
    let groups = groups.and_then(|groups| groups.as_array(ctx));
    groups
        .map(<[Attr]>::to_vec)
        .ok_or_else(|| "has no reassociation".to_owned())
}

/// Appends the group of the part, dimension `dim` of the larger shape. Without groups all other
/// dimensions have one element and go with it.
fn with_group(ctx: &Context, mut groups: Vec<Attr>, dim: usize) -> Attr {
    let first = if groups.is_empty() { 0 } else { dim };
    let dims: Vec<Attr> = (first..=dim).map(|dim| ctx.i64_attr(dim as i64)).collect();
    groups.push(ctx.array_attr(&dims));
    ctx.array_attr(&groups)
}

fn rank(ctx: &Context, body: &Body, value: Value) -> usize {
    body.ty(value).memref(ctx).map_or(0, |memref| memref.rank())
}

/// The types have changed by now: the larger rank counts the part.
fn expand_shape(ctx: &Context, body: &mut Body, op: OpId) -> Result<(), String> {
    let last = rank(ctx, body, body[op].result(0)).saturating_sub(1);
    let groups = with_group(ctx, groups(ctx, body, op)?, last);
    let shape = body[op].attr(ctx, "static_output_shape");
    let mut shape =
        (shape.and_then(|shape| shape.as_i64_array(ctx))).ok_or("has no output shape")?;
    shape.push(2);
    body[op].set_property(ctx, "reassociation", groups);
    body[op].set_property(ctx, "static_output_shape", ctx.i64_array_attr(&shape));
    Ok(())
}

fn collapse_shape(ctx: &Context, body: &mut Body, op: OpId) -> Result<(), String> {
    let last = rank(ctx, body, body[op].operands[0]).saturating_sub(1);
    let groups = with_group(ctx, groups(ctx, body, op)?, last);
    body[op].set_property(ctx, "reassociation", groups);
    Ok(())
}

fn transpose(ctx: &Context, body: &mut Body, op: OpId) -> Result<(), String> {
    let map = body[op]
        .attr(ctx, "permutation")
        .and_then(|map| map.as_map(ctx));
    let map = map.ok_or("has no permutation")?;
    let data = map.data(ctx);
    let mut results = data.results.to_vec();
    results.push(ctx.affine_dim(data.dims));
    let map = ctx.affine_map(data.dims + 1, 0, &results);
    body[op].set_property(ctx, "permutation", ctx.map_attr(map));
    Ok(())
}

/// Gives a global the type of parts, and its elements in the same order. The error says why not.
pub(super) fn global(ctx: &Context, body: &mut Body, op: OpId) -> Result<(), String> {
    let ty = body[op].attr(ctx, "type").and_then(|ty| ty.as_type(ctx));
    let ty = ty.and_then(|ty| type_of_parts(ctx, ty));
    let ty = ty.ok_or("has a type without a counterpart")?;
    let memref = ty.memref(ctx).ok_or("is no memref")?;
    let tensor = ctx.tensor_type(&memref.shape, memref.element);
    if let Some(value) = body[op].attr(ctx, "initial_value")
        && let AttrKind::Dense { data, .. } = value.kind(ctx)
    {
        let count = memref
            .num_elements()
            .filter(|_| !memref.shape.contains(&DYNAMIC));
        let data = parts_of_elements(data, count)?;
        let value = ctx.intern_attr(AttrKind::Dense { ty: tensor, data });
        body[op].set_property(ctx, "initial_value", value);
    } else if body[op]
        .attr(ctx, "initial_value")
        .is_some_and(|value| !matches!(value.kind(ctx), AttrKind::Unit))
    {
        return Err("has an initial value that is not dense".to_owned());
    }
    body[op].set_property(ctx, "type", ctx.type_attr(ty));
    Ok(())
}

/// The bytes of complex elements are those of their parts in turn; one number everywhere is one part
/// everywhere only where its parts agree. `count` is the number of parts.
fn parts_of_elements(data: &DenseData, count: Option<i64>) -> Result<DenseData, String> {
    match data {
        DenseData::Raw(bytes) => Ok(DenseData::Raw(bytes.clone())),
        DenseData::Splat(bytes) => {
            let (real, imaginary) = bytes.split_at(bytes.len() / 2);
            if real == imaginary {
                return Ok(DenseData::Splat(real.into()));
            }
            let numbers = count.and_then(|count| usize::try_from(count / 2).ok());
            let numbers = numbers.filter(|count| count.saturating_mul(bytes.len()) <= MAX_BYTES);
            let numbers = numbers.ok_or(
                "has one value for more elements than are written out; fill a buffer in a loop",
            )?;
            Ok(DenseData::Raw(bytes.repeat(numbers).into()))
        }
        DenseData::Strings(_) => Err("has elements that are text".to_owned()),
    }
}
