//! `drop-host-spaces`: gives buffers of the host in workgroup memory the default memory space.
//!
//! ```text
//! affine.for %i = 0 to 8 {                               affine.for %i = 0 to 8 {
//!   %t = memref.alloc() : memref<16xf32, 3>       ⇒       %t = memref.alloc() : memref<16xf32>
//!   S(%i, %t)                                               S(%i, %t)
//! }                                                      }
//! ```
//!
//! On the host, workgroup memory is memory as any other, and each iteration has a buffer of its own. The threads of a
//! kernel, which iterations become, would share it by its type. Legal where nothing but accesses, copies and views use
//! the buffer; done behind the lowering of transfers, which ask which side is the faster one. Launches, whose
//! threads do share such memory, are left alone.

use gridloom_dialects::memory_space::{MemorySpaces, SpaceKind, launch_around};
use gridloom_dialects::{memref, vector};
use gridloom_ir::body::Uses;
use gridloom_ir::types::MemRefType;
use gridloom_ir::{Body, Context, OpId, OpName, Type, TypeKind, Value};

use super::kernels::is_kernel;
use crate::analysis::alias::is_view;
use crate::analysis::load_store::is_direct_access;

/// Changes the buffers of a function. Returns whether there were any.
pub fn drop_host_spaces(ctx: &Context, body: &mut Body) -> bool {
    if is_kernel(body) {
        return false;
    }
    let spaces = MemorySpaces::default();
    let is_shared = |body: &Body, value: Value| {
        spaces.of_type(ctx, body.ty(value)).kind == Some(SpaceKind::Workgroup)
    };
    let allocations = body.walk_named(|name| matches!(name, memref::ALLOC | memref::ALLOCA));
    let buffers: Vec<Value> = (allocations.into_iter())
        .filter(|&op| launch_around(body, op).is_none())
        .map(|op| body[op].result(0))
        .filter(|&buffer| is_shared(body, buffer))
        .collect();
    if buffers.is_empty() {
        return false;
    }
    let uses = body.uses();
    let closed: Vec<Vec<Value>> = (buffers.into_iter())
        .filter_map(|buffer| with_views(body, &uses, buffer))
        .collect();
    for &value in closed.iter().flatten() {
        let ty = in_default_space(ctx, body.ty(value));
        body.set_type(value, ty);
    }
    !closed.is_empty()
}

/// A buffer and the views of it; `None` where something else than an access or a copy uses one of them.
fn with_views(body: &Body, uses: &Uses, buffer: Value) -> Option<Vec<Value>> {
    let mut found = vec![buffer];
    let mut at = 0;
    while let Some(&value) = found.get(at) {
        for user in uses.of(value) {
            match body[user.op].name {
                _ if is_plain_view(body, user.op) => found.push(body[user.op].result(0)),
                name if is_access(name) && launch_around(body, user.op).is_none() => {}
                _ => return None,
            }
        }
        at += 1;
    }
    Some(found)
}

fn in_default_space(ctx: &Context, ty: Type) -> Type {
    match ty.kind(ctx) {
        TypeKind::MemRef(memref) => ctx.intern_type(TypeKind::MemRef(MemRefType {
            space: None,
            ..memref.clone()
        })),
        _ => ty,
    }
}

/// Whether an operation makes a view of its first operand with elements of the same type, in the same space.
fn is_plain_view(body: &Body, op: OpId) -> bool {
    let is_other = matches!(
        body[op].name,
        memref::VIEW | memref::RESHAPE | memref::MEMORY_SPACE_CAST
    );
    is_view(body, op) && !is_other
}

/// Whether an operation reads, writes, measures or frees memory of any space.
fn is_access(name: OpName) -> bool {
    is_direct_access(name) || matches!(name, memref::DEALLOC | vector::GATHER | vector::SCATTER)
}
