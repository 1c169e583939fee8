//! Ownership of memory in kernels: whether a memref is private to a thread.

use super::{MemorySpaces, SpaceKind};
use crate::{gpu, memref};
use gridloom_ir::body::{BlockId, Body, OpId, Value, ValueDef};
use gridloom_ir::context::Context;

/// Views are followed this far; no program has more of them in a row.
const MAX_VIEWS: usize = 64;

/// Whether a memref used in a kernel is memory of one thread: its type says so, or
/// each thread allocates it and the type does not say that the workgroup shares
/// it. `kernel` gives the private attributions of a kernel whose own body this is,
/// rather than that of a function around `gpu.launch`.
pub fn is_thread_private(
    ctx: &Context,
    body: &Body,
    spaces: &MemorySpaces,
    kernel: Option<&[Value]>,
    memref: Value,
) -> bool {
    match spaces.of_type(ctx, body.ty(memref)).kind {
        Some(SpaceKind::Private) => return true,
        Some(SpaceKind::Workgroup) => return false,
        _ => {}
    }
    let root = root(body, memref);
    match body[root].def() {
        ValueDef::Result(op, _) => {
            let allocates = matches!(body[op].name, memref::ALLOC | memref::ALLOCA);
            allocates && (kernel.is_some() || launch_around(body, op).is_some())
        }
        ValueDef::Argument(block, _) => match kernel {
            Some(private) => private.contains(&root),
            None => is_private_attribution(ctx, body, block, root),
        },
    }
}

/// Follows views back to the memref they begin from.
fn root(body: &Body, memref: Value) -> Value {
    let mut value = memref;
    for _ in 0..MAX_VIEWS {
        let source = body.defining_op(value).and_then(|op| match body[op].name {
            memref::CAST
            | memref::SUBVIEW
            | memref::REINTERPRET_CAST
            | memref::TRANSPOSE
            | memref::VIEW
            | memref::MEMORY_SPACE_CAST
            | memref::EXPAND_SHAPE
            | memref::COLLAPSE_SHAPE
            | memref::RESHAPE
            | memref::EXTRACT_STRIDED_METADATA
            | memref::ASSUME_ALIGNMENT => body[op].operands.first().copied(),
            _ => None,
        });
        match source {
            Some(source) => value = source,
            None => break,
        }
    }
    value
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

/// Whether an argument of a block is a private attribution of a launch.
fn is_private_attribution(ctx: &Context, body: &Body, block: BlockId, value: Value) -> bool {
    let launch = body.block_parent_op(block);
    let launch = launch.and_then(|op| gpu::LaunchOp::cast(body, op));
    launch.is_some_and(|launch| launch.attributions(ctx, body).1.contains(&value))
}
