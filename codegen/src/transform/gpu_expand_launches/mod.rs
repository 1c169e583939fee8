//! `gpu-expand-launches`: lowers clusters, dynamic workgroup memory, launch tokens, regions of a
//! warp's first lane, vector parameters of kernels, and globals of a `gpu.module` to simpler constructs.
//!
//! ```text
//! gpu.func @k(%x: …) kernel {                         gpu.func @k(%x: …, %t: memref<4xf32>) kernel {
//!   %c = gpu.cluster_id x                               %b = gpu.block_id x
//!   %raw = gpu.dynamic_shared_memory            ⇒       %c = arith.divui %b, %c2
//!   %t = memref.get_global @table                       %own = memref.alloca() : memref<256xi8, #ws>
//!                                                       %raw = memref.cast %own to memref<?xi8, #ws>
//! gpu.launch_func @m::@k clusters in (%c2, …)         gpu.launch_func @m::@k
//!     dynamic_shared_memory_size %c256                    args(…, %table)
//! ```
//!
//! A cluster is a group of neighbouring workgroups, which every supported device runs like any
//! others: its ids follow from those of workgroups. Legal where all launches of a kernel have the
//! same constant cluster sizes; dynamic memory gets the greatest size of any launch, all of which
//! have to be constant. A launch with tokens waits for its dependencies, and its own token becomes
//! that of a wait behind it. Other launches stay, and running them is an error.

mod globals;
mod launches;
mod parameters;
mod warps;

use std::collections::HashMap;

use gridloom_dialects::gpu::{self, IdOp, LaunchFuncOp};
use gridloom_dialects::{arith, memref};
use gridloom_ir::attr::AttrKind;
use gridloom_ir::types::{DYNAMIC, MemRefType, TypeKind};
use gridloom_ir::{Body, Builder, Context, Ident, InsertPoint, Module, OpId, OpName, Type, Value};

/// Operand segments of cluster sizes, in both launches.
const CLUSTER: std::ops::Range<usize> = 7..10;
const DYNAMIC_MEMORY: usize = 10;

/// Symbol of a kernel: the names of its `gpu.module` and itself.
type KernelSymbol = (Ident, Ident);

/// Launch arguments that all launches of a kernel agree in; `None` where they differ or are unknown.
#[derive(Clone, Copy)]
struct CommonArguments {
    /// Cluster size, in workgroups.
    cluster: Option<[i64; 3]>,
    /// Bytes of dynamic workgroup memory.
    bytes: Option<i64>,
}

/// Expands the launches and kernels of a module. Returns whether anything changed.
pub fn expand_launches(ctx: &Context, module: &mut Module) -> bool {
    let mut changed = false;
    let hosts: Vec<OpId> = module.ops().map(|(op, _)| op).collect();
    for op in hosts {
        if module.body()[op].name == gpu::MODULE {
            continue;
        }
        if let Some(body) = module.body_mut()[op].isolated_mut() {
            changed |= launches::expand(ctx, body);
            changed |= warps::expand(ctx, body);
        }
    }
    let common = arguments_of_kernels(ctx, module);
    changed |= expand_kernels(ctx, module, &common);
    changed |= parameters::split_vectors(ctx, module);
    changed | globals::pass_in(ctx, module)
}

/// The common launch arguments of every kernel that is launched.
fn arguments_of_kernels(ctx: &Context, module: &Module) -> HashMap<KernelSymbol, CommonArguments> {
    let mut common: HashMap<KernelSymbol, CommonArguments> = HashMap::new();
    for (_, data) in module.ops() {
        let Some(body) = data.isolated() else {
            continue;
        };
        for op in body.walk() {
            let Some(name) = launched(ctx, body, op) else {
                continue;
            };
            let found = arguments_of_launch(ctx, body, op);
            let known = common.entry(name).or_insert(found);
            if known.cluster != found.cluster {
                known.cluster = None;
            }
            known.bytes = known.bytes.zip(found.bytes).map(|(a, b)| a.max(b));
        }
    }
    common
}

/// The kernel that an operation launches.
fn launched(ctx: &Context, body: &Body, op: OpId) -> Option<KernelSymbol> {
    let launch = LaunchFuncOp::cast(body, op)?;
    match launch.kernel(ctx, body).kind(ctx) {
        AttrKind::Symbol { root, nested } => match nested[..] {
            [name] => Some((*root, name)),
            _ => None,
        },
        _ => None,
    }
}

fn arguments_of_launch(ctx: &Context, body: &Body, op: OpId) -> CommonArguments {
    let constant = |segment: usize, otherwise: i64| match *body[op].operand_segment(ctx, segment) {
        [value] => arith::constant_int(ctx, body, value).filter(|&number| number > 0),
        _ => Some(otherwise),
    };
    let sizes: Option<Vec<i64>> = CLUSTER.map(|segment| constant(segment, 1)).collect();
    let bytes = match *body[op].operand_segment(ctx, DYNAMIC_MEMORY) {
        [value] => arith::constant_int(ctx, body, value).filter(|&number| number >= 0),
        _ => Some(0),
    };
    CommonArguments {
        cluster: sizes.and_then(|sizes| sizes.try_into().ok()),
        bytes,
    }
}

fn expand_kernels(
    ctx: &Context,
    module: &mut Module,
    common: &HashMap<KernelSymbol, CommonArguments>,
) -> bool {
    let mut changed = false;
    let containers: Vec<(OpId, Ident)> = (module.ops())
        .filter(|(_, data)| data.name == gpu::MODULE)
        .filter_map(|(op, data)| Some((op, data.symbol_name(ctx)?)))
        .collect();
    for (container, outer) in containers {
        let Some(inside) = module.body_mut()[container].isolated_mut() else {
            continue;
        };
        for kernel in inside.walk() {
            if let Some(body) = inside[kernel].isolated_mut() {
                changed |= warps::expand(ctx, body);
            }
            let name = inside[kernel].symbol_name(ctx);
            let common = name.and_then(|name| common.get(&(outer, name)));
            if let Some(common) = common
                && inside[kernel].name == gpu::FUNC
                && let Some(body) = inside[kernel].isolated_mut()
            {
                let ops = body.walk();
                changed |= expand_ops(ctx, body, &ops, body.entry(), common);
            }
        }
    }
    changed
}

/// Replaces cluster ids and dynamic memory among `ops`; memory is allocated at the head of `block`.
fn expand_ops(
    ctx: &Context,
    body: &mut Body,
    ops: &[OpId],
    block: Option<gridloom_ir::BlockId>,
    common: &CommonArguments,
) -> bool {
    let mut changed = false;
    let mut memory = None;
    for &op in ops {
        let id = IdOp::cast(body, op).filter(|id| is_of_cluster(id.name));
        if let (Some(id), Some(cluster)) = (id, common.cluster) {
            let dim = id.dimension(ctx, body);
            let mut b = Builder::before(ctx, body, op);
            let size = b.index_constant(cluster[dim as usize]);
            let value = match id.name {
                gpu::CLUSTER_DIM_BLOCKS => size,
                name => {
                    let (of, operation) = match name {
                        gpu::CLUSTER_ID => (gpu::BLOCK_ID, arith::DIVUI),
                        gpu::CLUSTER_BLOCK_ID => (gpu::BLOCK_ID, arith::REMUI),
                        _ => (gpu::GRID_DIM, arith::DIVUI),
                    };
                    let whole = IdOp::create(&mut b, of, dim);
                    b.binary(operation, whole, size)
                }
            };
            body.replace_op(op, &[value]);
            changed = true;
        }
        if let (gpu::DYNAMIC_SHARED_MEMORY, Some(bytes), Some(block)) =
            (body[op].name, common.bytes, block)
        {
            let ty = body.ty(body[op].result(0));
            let own = *memory.get_or_insert_with(|| dynamic_memory(ctx, body, block, bytes, ty));
            if let Some(own) = own {
                body.replace_op(op, &[own]);
                changed = true;
            }
        }
    }
    changed
}

fn is_of_cluster(name: OpName) -> bool {
    matches!(
        name,
        gpu::CLUSTER_ID | gpu::CLUSTER_DIM | gpu::CLUSTER_BLOCK_ID | gpu::CLUSTER_DIM_BLOCKS
    )
}

/// Allocates `bytes` of workgroup memory at the head of a block, as a memref of dynamic size.
fn dynamic_memory(
    ctx: &Context,
    body: &mut Body,
    block: gridloom_ir::BlockId,
    bytes: i64,
    ty: Type,
) -> Option<Value> {
    let open = ty.memref(ctx)?;
    if open.shape[..] != [DYNAMIC] || open.layout.is_some() {
        return None;
    }
    let (element, space) = (open.element, open.space);
    let own = ctx.intern_type(TypeKind::MemRef(MemRefType {
        shape: [bytes].into(),
        element,
        layout: None,
        space,
    }));
    let loc = body[body[block].first()?].loc;
    let mut b = Builder::new(ctx, body, InsertPoint::Start(block), loc);
    let own = memref::AllocaOp::create(&mut b, own, &[]);
    Some(memref::CastOp::create(&mut b, own, ty))
}
