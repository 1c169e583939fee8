//! Whose memory a memref of a kernel is.

use super::{MemorySpaces, SpaceKind};
use crate::body::{Body, OpId, Value, ValueDef};
use crate::context::Context;
use crate::dialect::{gpu, memref};

/// Views are followed this far; no program has more of them in a row.
const MAX_VIEWS: usize = 64;

/// Whether a memref used in a kernel is memory of one thread: its type says so, or
/// each thread allocates it and the type does not say that the workgroup shares
/// it. `kernel` tells whether the body is a kernel's own, rather than a function
/// around `gpu.launch`.
pub fn is_thread_private(
    ctx: &Context,
    body: &Body,
    spaces: &MemorySpaces,
    kernel: bool,
    memref: Value,
) -> bool {
    match spaces.of_type(ctx, body.ty(memref)).kind {
        Some(SpaceKind::Private) => return true,
        Some(SpaceKind::Workgroup) => return false,
        _ => {}
    }
    let root = allocation(body, memref);
    let Some(op) = root else {
        return is_private_attribution(ctx, body, memref);
    };
    kernel || launch_around(body, op).is_some()
}

/// The `alloc` or `alloca` that a memref is a view of.
fn allocation(body: &Body, memref: Value) -> Option<OpId> {
    let mut op = body.defining_op(memref)?;
    for _ in 0..MAX_VIEWS {
        match body[op].name {
            memref::ALLOC | memref::ALLOCA => return Some(op),
            memref::CAST
            | memref::SUBVIEW
            | memref::REINTERPRET_CAST
            | memref::TRANSPOSE
            | memref::VIEW
            | memref::MEMORY_SPACE_CAST
            | memref::EXPAND_SHAPE
            | memref::COLLAPSE_SHAPE
            | memref::RESHAPE
            | memref::ASSUME_ALIGNMENT => op = body.defining_op(*body[op].operands.first()?)?,
            _ => return None,
        }
    }
    None
}

/// The launch that an operation lies in.
pub fn launch_around(body: &Body, op: OpId) -> Option<OpId> {
    let mut at = op;
    while let Some(parent) = body.parent_op(at) {
        if body[parent].name == gpu::LAUNCH {
            return Some(parent);
        }
        at = parent;
    }
    None
}

/// Whether a value is a private attribution of a launch.
fn is_private_attribution(ctx: &Context, body: &Body, value: Value) -> bool {
    let ValueDef::Argument(block, _) = body[value].def() else {
        return false;
    };
    let Some(launch) = body.block_parent_op(block) else {
        return false;
    };
    let Some(launch) = gpu::LaunchOp::cast(body, launch) else {
        return false;
    };
    launch.attributions(ctx, body).1.contains(&value)
}
