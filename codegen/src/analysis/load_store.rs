//! Loads and stores of one element, of `affine` and of `memref` alike, and other accesses of memrefs.

use gridloom_dialects::{affine, memref, vector};
use gridloom_ir::{Body, OpId, OpName};

/// Whether an operation loads an element.
pub fn is_load(body: &Body, op: OpId) -> bool {
    matches!(body[op].name, affine::LOAD | memref::LOAD)
}

/// Whether an operation stores an element.
pub fn is_store(body: &Body, op: OpId) -> bool {
    matches!(body[op].name, affine::STORE | memref::STORE)
}

/// Whether an operation reads or writes elements at its subscripts, copies or measures a memref, or advises on one: it keeps
/// no alias of its memref operands, but for a store of a memref.
pub fn is_direct_access(name: OpName) -> bool {
    matches!(
        name,
        affine::LOAD
            | affine::STORE
            | affine::PREFETCH
            | affine::VECTOR_LOAD
            | affine::VECTOR_STORE
            | memref::LOAD
            | memref::STORE
            | memref::PREFETCH
            | memref::ATOMIC_RMW
            | memref::GENERIC_ATOMIC_RMW
            | memref::COPY
            | memref::DIM
            | vector::LOAD
            | vector::STORE
            | vector::MASKEDLOAD
            | vector::MASKEDSTORE
            | vector::TRANSFER_READ
            | vector::TRANSFER_WRITE
    )
}
