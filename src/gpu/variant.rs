//! Kernel variants for a launch: with its workgroup size, for a part of a grid that exceeds the
//! device's limit, or with windows of buffers that do.
//!
//! ```text
//! gpu.func @k(%a: memref<…>) kernel {         gpu.func @k(%a: memref<…>, %ox, %oy, %oz,
//!                                                          %gx, %gy, %gz: index) kernel {
//!   %bx = gpu.block_id x                  ⇒     %id = gpu.block_id x
//!                                               %bx = arith.addi %id, %ox
//!   %nx = gpu.grid_dim x                        // %gx for %nx
//! ```

use std::collections::HashMap;

use gridloom_codegen::transform::gpu_uniform_loads::share_loads;
use gridloom_dialects::gpu::{self, Dimension, IdOp};
use gridloom_dialects::{arith, func, inherent};
use gridloom_interp::{Argument, FaultKind, Launch, ScalarKind};
use gridloom_ir::attr::AttrKind;
use gridloom_ir::diag::Diagnostic;
use gridloom_ir::{
    Attr, Body, Builder, Context, Ident, InsertPoint, Loc, Module, OpId, SymbolTable, Type, Value,
};

use super::lack::Stop;
use super::windows::{Seen, with_open_offset};

/// Position of a launch in the one that it is a part of.
#[derive(Clone, Copy, Default, Debug)]
pub struct PartOf<'a> {
    /// Size of the whole grid, if the launch is a part of it.
    pub whole: Option<[i64; 3]>,
    /// Windows of buffers that the kernel sees only in part.
    pub windows: &'a [Seen],
    /// Memref arguments with another offset than their types say.
    pub moved: &'a [u32],
}

/// Change that turns a kernel into a variant.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// Whether the kernel takes the origin of its part of a grid.
    pub part: bool,
    /// Memref arguments whose offset becomes a launch parameter.
    pub open_offsets: &'a [u32],
    /// Whether threads load the elements of all lanes.
    pub shares_loads: bool,
}

/// Number of additional arguments for a part of a grid: its origin and the size of the whole, in
/// workgroups.
pub const PART_ARGUMENTS: usize = 6;

/// A part of a grid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    pub origin: [i64; 3],
    pub size: [i64; 3],
}

impl Part {
    /// The arguments of the launch, followed by those of this part.
    pub fn arguments(self, launch: &Launch<'_>) -> Vec<Argument> {
        let numbers = self.origin.into_iter().chain(launch.grid);
        let index = |number: i64| Argument::Scalar(ScalarKind::Int(64), number as u64);
        let own = launch.arguments.iter().cloned();
        own.chain(numbers.map(index)).collect()
    }
}

/// Limit of the dispatches of one launch: more would take forever.
const MAX_PARTS: i128 = 1 << 16;

/// Splits a grid into parts of at most `limit` workgroups along each dimension; `None` where they
/// are too many.
pub fn parts(grid: [i64; 3], limit: i64) -> Option<Vec<Part>> {
    let limit = limit.max(1);
    let counts =
        grid.map(|size| (i128::from(size.max(0)) + i128::from(limit) - 1) / i128::from(limit));
    let count = counts
        .iter()
        .try_fold(1i128, |all, &n| all.checked_mul(n))?;
    if count > MAX_PARTS {
        return None;
    }
    let starts = |dim: usize| (0..grid[dim]).step_by(limit as usize);
    let mut parts = Vec::new();
    for z in starts(2) {
        for y in starts(1) {
            for x in starts(0) {
                let origin = [x, y, z];
                let size = [0, 1, 2].map(|dim: usize| (grid[dim] - origin[dim]).min(limit));
                parts.push(Part { origin, size });
            }
        }
    }
    Some(parts)
}

/// Finds the body of a kernel, and the names of its module and itself.
pub fn find<'m>(
    ctx: &Context,
    module: &'m Module,
    kernel: Attr,
) -> Option<(&'m Body, Ident, Ident)> {
    let AttrKind::Symbol { root, nested } = kernel.kind(ctx) else {
        return None;
    };
    let &[name] = &nested[..] else { return None };
    let (outer, function) = place(ctx, module, *root, name)?;
    Some((outer[function].isolated()?, *root, name))
}

/// Finds a kernel operation and the body that contains it.
fn place<'m>(
    ctx: &Context,
    module: &'m Module,
    container: Ident,
    name: Ident,
) -> Option<(&'m Body, OpId)> {
    let container = module.symbols(ctx).get(container)?;
    let outer = module.body()[container].isolated()?;
    Some((outer, SymbolTable::of(ctx, outer).get(name)?))
}

/// Copies the program with the kernel variant that a launch needs; `None` where the kernel needs no
/// change.
pub fn prepared(
    ctx: &Context,
    module: &Module,
    (container, name): (Ident, Ident),
    launch: &Launch<'_>,
    change: &Change<'_>,
) -> Result<Option<Module>, Stop> {
    let part = change.part;
    let missing = || FaultKind::NoBody("the launched kernel".to_owned());
    let (outer, function) = place(ctx, module, container, name).ok_or_else(missing)?;
    let sized = inherent::known_block_size(ctx, &outer[function]).is_some();
    if sized && !part && change.open_offsets.is_empty() && !change.shares_loads {
        return Ok(None);
    }
    let mut module = module.clone();
    let container = module.symbols(ctx).get(container).ok_or_else(missing)?;
    let outer = module.body_mut()[container].isolated_mut();
    let outer = outer.ok_or_else(missing)?;
    if !sized {
        let block = launch
            .block
            .map(|size| i32::try_from(size).unwrap_or(i32::MAX));
        let block = ctx.i32_array_attr(&block);
        outer[function].set_property(ctx, inherent::KNOWN_BLOCK_SIZE, block);
    }
    open_offsets(ctx, outer, function, change.open_offsets).ok_or_else(|| {
        let why = "the offset of a memref with a layout map cannot be a parameter of the launch";
        Stop::Lack(Diagnostic::remark(Loc::UNKNOWN, why))
    })?;
    if part {
        take_origin(ctx, outer, function).ok_or_else(missing)?;
    }
    if change.shares_loads
        && let Some(body) = outer[function].isolated_mut()
    {
        share_loads(ctx, body, launch.block);
    }
    Ok(Some(module))
}

/// Makes the offsets of memref arguments launch parameters.
fn open_offsets(ctx: &Context, outer: &mut Body, function: OpId, args: &[u32]) -> Option<()> {
    let ty = outer[function].get(ctx, inherent::FUNCTION_TYPE)?;
    let (inputs, results) = ty.function(ctx)?;
    let mut inputs = inputs.to_vec();
    let body = outer[function].isolated_mut()?;
    let entry = body.entry()?;
    for &arg in args {
        let input = inputs.get_mut(arg as usize)?;
        *input = with_open_offset(ctx, *input)?;
        let value = *body[entry].args.get(arg as usize)?;
        body.set_type(value, *input);
    }
    let ty = ctx.type_attr(ctx.function_type(&inputs, results));
    outer[function].set_property(ctx, inherent::FUNCTION_TYPE, ty);
    Some(())
}

/// Adds arguments to a kernel, behind its own.
pub fn add_arguments(
    ctx: &Context,
    outer: &mut Body,
    function: OpId,
    types: &[Type],
) -> Option<Vec<Value>> {
    let ty = outer[function].get(ctx, inherent::FUNCTION_TYPE)?;
    let (inputs, results) = ty.function(ctx)?;
    let own = inputs.len();
    let inputs: Vec<_> = inputs
        .iter()
        .copied()
        .chain(types.iter().copied())
        .collect();
    let ty = ctx.type_attr(ctx.function_type(&inputs, results));
    outer[function].set_property(ctx, inherent::FUNCTION_TYPE, ty);
    // Argument attributes would need entries for the new ones, and kernels do not use them.
    let data = &mut outer[function];
    data.properties = data.properties.without(ctx, ctx.ident("arg_attrs"));

    let body = outer[function].isolated_mut()?;
    let entry = body.entry()?;
    // Attributions follow the arguments, so they move behind the new ones.
    let attributed = body[entry].args[own..].to_vec();
    let first = body[entry].args.len();
    for &ty in types {
        body.add_argument(entry, ty, Loc::UNKNOWN);
    }
    for &old in &attributed {
        let ty = body.ty(old);
        body.add_argument(entry, ty, Loc::UNKNOWN);
    }
    let added = body[entry].args[first..].to_vec();
    let (values, moved) = added.split_at(types.len());
    body.replace_values(|value| {
        let place = attributed.iter().position(|&old| old == value);
        place.map_or(value, |place| moved[place])
    });
    body.retain_arguments(entry, |n| n < own || n >= first);
    Some(values.to_vec())
}

/// Adds the arguments of a part to a kernel, and offsets its workgroup ids by the origin.
fn take_origin(ctx: &Context, outer: &mut Body, function: OpId) -> Option<()> {
    let numbers = add_arguments(ctx, outer, function, &[ctx.index_type(); PART_ARGUMENTS])?;
    let body = outer[function].isolated_mut()?;
    let entry = body.entry()?;
    let ids: Vec<IdOp> = (body.walk().into_iter())
        .filter_map(|op| IdOp::cast(body, op))
        .collect();
    let mut b = Builder::at_end(ctx, body, entry, Loc::UNKNOWN);
    b.set(InsertPoint::Start(entry));
    let mut counted = HashMap::new();
    for id in ids {
        let old = b.body[id.op].result(0);
        if let Some(new) = counted_from(&mut b, id, &numbers) {
            counted.insert(old, new);
        }
    }
    body.replace_values(|value| counted.get(&value).copied().unwrap_or(value));
    Some(())
}

/// The workgroup id in the whole grid, from that in a part, or the size of the whole grid.
fn counted_from(b: &mut Builder, id: IdOp, numbers: &[Value]) -> Option<Value> {
    let dimension = id.dimension(b.ctx, b.body);
    let place = match dimension {
        Dimension::X => 0,
        Dimension::Y => 1,
        Dimension::Z => 2,
    };
    let (origin, grid) = numbers.split_at(3);
    let start = match b.body[id.op].name {
        gpu::GRID_DIM => return Some(grid[place]),
        gpu::BLOCK_ID => origin[place],
        gpu::GLOBAL_ID => {
            let size = IdOp::create(b, gpu::BLOCK_DIM, dimension);
            b.binary(arith::MULI, origin[place], size)
        }
        _ => return None,
    };
    let name = b.body[id.op].name;
    let here = IdOp::create(b, name, dimension);
    Some(b.binary(arith::ADDI, here, start))
}

/// Whether a kernel can run on a part of its grid: functions that it calls might also use grid ids.
pub fn can_be_parted(kernel: &Body) -> bool {
    let calls = |&op: &OpId| matches!(kernel[op].name, func::CALL | func::CALL_INDIRECT);
    !kernel.walk().iter().any(calls)
}
