//! Loads and stores of one element, of `affine` and of `memref` alike.

use gridloom_dialects::{affine, memref};
use gridloom_ir::{Body, OpId};

/// Whether an operation loads an element.
pub fn is_load(body: &Body, op: OpId) -> bool {
    matches!(body[op].name, affine::LOAD | memref::LOAD)
}

/// Whether an operation stores an element.
pub fn is_store(body: &Body, op: OpId) -> bool {
    matches!(body[op].name, affine::STORE | memref::STORE)
}
