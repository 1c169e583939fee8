//! `convert-bufferization-to-memref`: lowers `bufferization.clone` to an allocation and a copy.
//!
//! ```text
//!                                                      %n = memref.dim %x, %c0
//! %c = bufferization.clone %x                    ⇒     %c = memref.alloc(%n) : memref<?xf32>
//!     : memref<?xf32> to memref<?xf32>                 memref.copy %x, %c
//! ```
//!
//! Always legal: a clone may share its source's memory only where that is unobservable, so memory
//! of its own is always right; the owner of the clone frees it. A result with open strides is the
//! cast of a row-major allocation. A fixed offset, and fixed strides that are not those of rows,
//! have no such cast: such a clone stays.

use gridloom_dialects::{bufferization, memref};
use gridloom_ir::{Body, Builder, Context, OpId};

/// Rewrites the clones of a function. Returns whether there were any.
pub fn convert_clones(ctx: &Context, body: &mut Body) -> bool {
    let mut changed = false;
    for op in body.walk() {
        if body[op].name == bufferization::CLONE {
            changed |= convert(ctx, body, op).is_some();
        }
    }
    changed
}

fn convert(ctx: &Context, body: &mut Body, op: OpId) -> Option<()> {
    let (source, result) = (body[op].operands[0], body[op].result(0));
    let wanted = body.ty(result);
    let memref = wanted.memref(ctx)?;
    let (packed, shape) = (memref.row_major_origin(ctx)?, &memref.shape);
    let mut b = Builder::before(ctx, body, op);
    let sizes = memref::open_extents(&mut b, source, shape);
    let own = memref::AllocOp::create(&mut b, packed, &sizes);
    memref::CopyOp::create(&mut b, source, own);
    let clone = match packed == wanted {
        true => own,
        false => memref::CastOp::create(&mut b, own, wanted),
    };
    body.replace_uses(result, clone);
    body.erase(op);
    Some(())
}
