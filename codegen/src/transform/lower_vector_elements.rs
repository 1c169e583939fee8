//! `lower-vector-elements`: lowers memrefs of vectors to memrefs of scalars.
//!
//! ```text
//! %v = memref.load %m[%i]                  %v = vector.load %m[%i, 0]
//!        : memref<16xvector<4xf32>>   ⇒          : memref<16x4xf32>, vector<4xf32>
//! %c = vector.type_cast %m : memref<3x4xf32> to memref<vector<3x4xf32>>   ⇒   %m
//! ```
//!
//! A vector's dimensions become the innermost ones of its memref, arguments and results included;
//! memory keeps its bytes. So no later pass sees memrefs of vectors. Vector values stay.
//!
//! All or nothing: an operation or type without a counterpart, such as a tensor or an unranked
//! memref of vectors, is an error, and the module is not changed.

use gridloom_dialects::vector::{self, TransferParts, VectorShape};
use gridloom_dialects::{affine, arith, func, gpu, gridloom, inherent, memref};
use gridloom_ir::attr::DenseData;
use gridloom_ir::op::Traits;
use gridloom_ir::{
    AffineMap, Attr, AttrKind, Body, Builder, Context, Diagnostic, Diagnostics, Module, OpId,
    OpName, Type, Value,
};

use super::compound_elements::{
    Compound, Expansion, UNCHANGED, blocks, expand_global, lower_module, states_compound,
    with_indices,
};
use super::vector_elements::{from_elements, to_elements};

/// Lowers the memrefs of vectors of a module. Returns whether it has any.
///
/// # Errors
/// The operations and types that have no counterpart.
pub fn lower_vector_elements(ctx: &Context, module: &mut Module) -> Result<bool, Diagnostics> {
    lower_module(ctx, module, Compound::Vector, |body| {
        let mut memrefs = Expansion::new(ctx, Compound::Vector);
        let ops = body.walk();
        let blocks = blocks(body, &ops);
        if memrefs.retype_all(body, &ops, &blocks) {
            memrefs.collect_tags(body, &ops);
            for op in ops {
                lower(&mut memrefs, body, op);
            }
        }
        memrefs.finish(body);
        memrefs.errors
    })
}

/// The memref type of scalars for a memref type of vectors; `None` where there is none.
pub fn type_of_scalars(ctx: &Context, ty: Type) -> Option<Type> {
    Compound::Vector.expanded(ctx, ty)
}

/// Lowers an operation with operands or results that are memrefs of vectors.
fn lower(memrefs: &mut Expansion, body: &mut Body, op: OpId) {
    let ctx = memrefs.ctx;
    let outcome = if states_compound(ctx, body, op, Compound::Vector) {
        match body[op].name {
            memref::GLOBAL => expand_global(ctx, body, op, Compound::Vector),
            _ => expand_signature(ctx, body, op),
        }
    } else if let Some(tag) = memrefs.awaited_tag(body, op) {
        memrefs.scale_wait(body, op, tag);
        Ok(())
    } else {
        let data = &body[op];
        let mut values = data.results().chain(data.operands.iter().copied());
        match values.any(|value| memrefs.is_changed(value)) {
            true => lower_use(memrefs, body, op),
            false => Ok(()),
        }
    };
    if let Err(why) = outcome {
        let name = ctx.op_name_str(body[op].name);
        let message = format!("'{name}' of memrefs of vectors cannot be lowered: it {why}");
        let help = "give the memref the vector's dimensions, and access it by 'vector.load' and \
                    'vector.store'";
        (memrefs.errors).push(Diagnostic::error(body[op].loc, message).with_help(help));
    }
}

fn expand_signature(ctx: &Context, body: &mut Body, op: OpId) -> Result<(), String> {
    let ty = body[op].get(ctx, inherent::FUNCTION_TYPE);
    let ty = ty.and_then(|ty| type_of_scalars(ctx, ty));
    let ty = ty.ok_or("uses the memref in a type that cannot be rewritten")?;
    body[op].set_property(ctx, inherent::FUNCTION_TYPE, ctx.type_attr(ty));
    Ok(())
}

fn lower_use(memrefs: &mut Expansion, body: &mut Body, op: OpId) -> Result<(), String> {
    let ctx = memrefs.ctx;
    match body[op].name {
        memref::LOAD | affine::LOAD if first(memrefs, body[op].operands[0]).is_empty() => {
            lower_scalar_load(memrefs, body, op);
        }
        memref::STORE | affine::STORE if first(memrefs, body[op].operands[1]).is_empty() => {
            lower_scalar_store(memrefs, body, op);
        }
        memref::LOAD => lower_load(memrefs, body, op, vector::LOAD),
        affine::LOAD => lower_load(memrefs, body, op, affine::VECTOR_LOAD),
        memref::STORE => lower_store(memrefs, body, op, vector::STORE),
        affine::STORE => lower_store(memrefs, body, op, affine::VECTOR_STORE),
        vector::LOAD => add_indices(memrefs, body, op, 0),
        vector::STORE => add_indices(memrefs, body, op, 1),
        vector::TRANSFER_READ | vector::TRANSFER_WRITE => return lower_transfer(memrefs, body, op),
        vector::TYPE_CAST => {
            let (source, cast) = (body[op].operands[0], body[op].result(0));
            if body.ty(source) != body.ty(cast) {
                return Err("changes the layout of memory".to_owned());
            }
            memrefs.replace(cast, source);
            body.erase(op);
        }
        name if passes_on(name) || UNCHANGED.contains(&name) => {}
        _ => {
            let value = memrefs.view(&mut Builder::before(ctx, body, op), op)?;
            if let Some(value) = value {
                memrefs.replace(body[op].result(0), value);
                body.erase(op);
            }
        }
    }
    Ok(())
}

/// Whether an operation passes memrefs on without accessing them.
fn passes_on(name: OpName) -> bool {
    let is_control = gridloom_dialects::signature(name)
        .is_some_and(|def| def.traits.contains(Traits::TERMINATOR) || def.regions != Some(0));
    let calls = [
        arith::SELECT,
        func::CALL,
        func::CALL_INDIRECT,
        func::CONSTANT,
        gpu::LAUNCH_FUNC,
    ];
    is_control || calls.contains(&name)
}

/// The index of an element's first scalar, along each of its dimensions.
fn first(memrefs: &Expansion, base: Value) -> Vec<i64> {
    vec![0; memrefs.dims(base).len()]
}

/// Rewrites a scalar load as a load of a vector.
fn lower_load(memrefs: &mut Expansion, body: &mut Body, op: OpId, name: OpName) {
    let old = body[op].result(0);
    let ty = body.ty(old);
    let base = body[op].operands[0];
    let load = create_access(memrefs, body, op, name, base, &[ty]);
    memrefs.replace(old, body[load].result(0));
    body.erase(op);
}

fn lower_store(memrefs: &mut Expansion, body: &mut Body, op: OpId, name: OpName) {
    let base = body[op].operands[1];
    create_access(memrefs, body, op, name, base, &[]);
    body.erase(op);
}

/// Rewrites a load of a vector without dimensions as a load of its element.
fn lower_scalar_load(memrefs: &mut Expansion, body: &mut Body, op: OpId) {
    let ctx = memrefs.ctx;
    let (old, base, name) = (body[op].result(0), body[op].operands[0], body[op].name);
    let ty = body.ty(old);
    let element = ty.element(ctx).unwrap_or(ty);
    let load = create_access(memrefs, body, op, name, base, &[element]);
    let loaded = body[load].result(0);
    let vector = from_elements(&mut Builder::before(ctx, body, op), &[loaded], ty);
    memrefs.replace(old, vector);
    body.erase(op);
}

/// Rewrites a store of a vector without dimensions as a store of its element.
fn lower_scalar_store(memrefs: &mut Expansion, body: &mut Body, op: OpId) {
    let (value, base, name) = (body[op].operands[0], body[op].operands[1], body[op].name);
    let elements = to_elements(&mut Builder::before(memrefs.ctx, body, op), value);
    let &[element] = &elements[..] else { return };
    body[op].operands[0] = element;
    create_access(memrefs, body, op, name, base, &[]);
    body.erase(op);
}

/// Creates the access `name` of a whole vector in place of `op`: one more index for each dimension
/// of an element.
fn create_access(
    memrefs: &Expansion,
    body: &mut Body,
    op: OpId,
    name: OpName,
    base: Value,
    results: &[Type],
) -> OpId {
    let ctx = memrefs.ctx;
    let data = body[op].clone();
    let inner = first(memrefs, base);
    let b = &mut Builder::before(ctx, body, op);
    let mut operands = data.operands.to_vec();
    let map = data.get(ctx, inherent::MAP);
    if map.is_none() && !inner.is_empty() {
        let zero = b.index_constant(0);
        operands.extend(inner.iter().map(|_| zero));
    }
    let mut state = b.state(name).operands(&operands).results(results);
    state.properties = data.properties;
    if let Some(map) = map {
        state = state.property(
            ctx,
            inherent::MAP,
            ctx.map_attr(with_indices(ctx, map, &inner)),
        );
    }
    let access = b.create(state);
    b.body[access].attributes = data.attributes;
    keep_whole_flag(ctx, b.body, access);
    access
}

/// Appends the indices inside an element to an access of whole elements, whose base is operand `at`.
fn add_indices(memrefs: &Expansion, body: &mut Body, op: OpId, at: usize) {
    let inner = first(memrefs, body[op].operands[at]);
    if inner.is_empty() {
        return;
    }
    let zero = Builder::before(memrefs.ctx, body, op).index_constant(0);
    body[op].operands.extend(inner.iter().map(|_| zero));
    keep_whole_flag(memrefs.ctx, body, op);
}

/// Drops an in-bounds flag that has an entry for each dimension, of which there are more now.
fn keep_whole_flag(ctx: &Context, body: &mut Body, access: OpId) {
    let known = gridloom::is_in_bounds(ctx, &body[access]);
    gridloom::set_in_bounds(ctx, &mut body[access], known);
}

/// Lowers a transfer: `memref<?xvector<4xT>>, vector<2x4xT> ⇒ memref<?x4xT>, vector<2x4xT>`: the
/// dimensions of an element are the last ones of the vector, in bounds and in order.
fn lower_transfer(memrefs: &Expansion, body: &mut Body, op: OpId) -> Result<(), String> {
    let ctx = memrefs.ctx;
    let parts = TransferParts::of(ctx, body, op).ok_or(
        "has operands that do not match its \
         types: run the verifier on the module",
    )?;
    if parts.mask.is_some() {
        return Err("has a mask".to_owned());
    }
    let inner = memrefs.dims(parts.base).len();
    let mut b = Builder::before(ctx, body, op);
    let padding = match parts.padding {
        Some(padding) => Some(scalar_padding(&mut b, padding, &parts)?),
        None => None,
    };
    let zero = b.index_constant(0);
    let vector = (!parts.is_read).then_some(parts.vector);
    let indices = parts.indices.len() + inner;
    let operands = (vector.into_iter().chain([parts.base]).chain(parts.indices))
        .chain(std::iter::repeat_n(zero, inner))
        .chain(padding);
    let operands: Vec<Value> = operands.collect();
    let ends: &[i32] = match parts.is_read {
        true => &[1, indices as i32, 1, 0],
        false => &[1, 1, indices as i32, 0],
    };
    let in_bounds = (parts.in_bounds.iter().copied()).chain(std::iter::repeat_n(true, inner));
    let in_bounds: Vec<Attr> = in_bounds.map(|sure| ctx.bool_attr(sure)).collect();
    let data = &mut body[op];
    data.operands = operands.into();
    data.set_property(
        ctx,
        inherent::OPERAND_SEGMENT_SIZES,
        ctx.i32_array_attr(ends),
    );
    data.set_property(ctx, inherent::IN_BOUNDS, ctx.array_attr(&in_bounds));
    let map = ctx.map_attr(with_dims(ctx, parts.map, inner));
    data.set_property(ctx, inherent::PERMUTATION_MAP, map);
    Ok(())
}

/// The map over `inner` more dimensions, which are also its last results.
fn with_dims(ctx: &Context, map: AffineMap, inner: usize) -> AffineMap {
    let data = map.data(ctx);
    let inner = inner as u32;
    let mut results = data.results.to_vec();
    results.extend((0..inner).map(|at| ctx.affine_dim(data.dims + at)));
    ctx.affine_map(data.dims + inner, data.symbols, &results)
}

/// The scalar padding of a transfer: any lane of a padding vector that is a splat.
fn scalar_padding(b: &mut Builder, padding: Value, parts: &TransferParts) -> Result<Value, String> {
    let ctx = b.ctx;
    let shape =
        VectorShape::of(ctx, b.body.ty(padding)).ok_or("has a padding that is not a vector")?;
    let (lane, scalar) = (vec![0; shape.rank()], shape.element);
    if !parts.in_bounds.iter().all(|&sure| sure) && !is_splat(ctx, b.body, padding) {
        return Err("has a padding whose lanes may differ".to_owned());
    }
    let state = b.state(vector::EXTRACT).operands(&[padding]);
    let state = state.property(ctx, inherent::STATIC_POSITION, ctx.i64_array_attr(&lane));
    let lane = b.create(state.results(&[scalar]));
    Ok(b.body[lane].result(0))
}

/// Whether a vector is a known splat.
fn is_splat(ctx: &Context, body: &Body, vector: Value) -> bool {
    let Some(maker) = body.defining_op(vector) else {
        return false;
    };
    match body[maker].name {
        arith::CONSTANT => {
            let value = body[maker].get(ctx, inherent::VALUE);
            value.is_some_and(|value| {
                let kind = value.kind(ctx);
                matches!(
                    kind,
                    AttrKind::Dense {
                        data: DenseData::Splat(_),
                        ..
                    }
                )
            })
        }
        vector::BROADCAST => VectorShape::of(ctx, body.ty(body[maker].operands[0])).is_none(),
        _ => false,
    }
}
