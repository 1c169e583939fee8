//! `drop-hints`: removes operations that only advise the compiler or the processor.
//!
//! ```text
//! affine.prefetch %x[%i, 0], read, …
//! %y = memref.assume_alignment %x, 16       ⇒
//! memref.load %y[%i, %j]                            memref.load %x[%i, %j]
//! ```
//!
//! Always legal: a prefetch computes nothing, and dropping an assumption about an address never
//! makes a program wrong. Loops with only hints between them become a perfect nest.

use gridloom_dialects::{affine, memref};
use gridloom_ir::Body;

/// Drops the hints of a body. Returns whether there were any.
pub fn drop_hints(body: &mut Body) -> bool {
    let hints = body.walk_named(|name| {
        matches!(
            name,
            affine::PREFETCH | memref::PREFETCH | memref::ASSUME_ALIGNMENT
        )
    });
    for &op in &hints {
        if let (Some(&source), Some(result)) =
            (body[op].operands.first(), body[op].results().next())
        {
            body.replace_uses(result, source);
        }
        body.erase(op);
    }
    !hints.is_empty()
}
