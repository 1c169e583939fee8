//! The `memref` dialect.

use crate::op::{OpDef, Traits};

mod access;
mod alloc;
mod dma;
mod layout;
mod view;

pub use access::{Access, LoadOp, StoreOp};
pub use alloc::{AllocOp, AllocaOp, CopyOp, DimOp, GetGlobalOp, GlobalOp, dynamic_sizes};
pub use dma::{DmaParts, DmaStartOp, DmaWaitOp, Place};
pub use layout::row_major;
pub use view::{CastOp, Mixed, ReinterpretCastOp, SubViewOp, ViewOp};

dialect_ops! {
    after super::affine::END;
    /// `memref.alloc`
    ALLOC = OpDef { traits: Traits::ATTR_SIZED_OPERANDS, ..OpDef::new("memref.alloc") };
    /// `memref.alloca`
    ALLOCA = OpDef { traits: Traits::ATTR_SIZED_OPERANDS, ..OpDef::new("memref.alloca") };
    /// `memref.alloca_scope`
    ALLOCA_SCOPE = OpDef { traits: Traits::AUTOMATIC_ALLOCATION_SCOPE.with(Traits::RECURSIVE_EFFECTS).with(Traits::SINGLE_BLOCK), regions: Some(1), ..OpDef::new("memref.alloca_scope") };
    /// `memref.alloca_scope.return`
    ALLOCA_SCOPE_RETURN = OpDef { traits: Traits::PURE.with(Traits::RETURN_LIKE).with(Traits::TERMINATOR), ..OpDef::new("memref.alloca_scope.return") };
    /// `memref.assume_alignment`
    ASSUME_ALIGNMENT = OpDef { traits: Traits::PURE.with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("memref.assume_alignment") };
    /// `memref.atomic_rmw`
    ATOMIC_RMW = OpDef::new("memref.atomic_rmw");
    /// `memref.atomic_yield`
    ATOMIC_YIELD = OpDef { traits: Traits::PURE.with(Traits::RETURN_LIKE).with(Traits::TERMINATOR), ..OpDef::new("memref.atomic_yield") };
    /// `memref.cast`
    CAST = OpDef { traits: Traits::PURE.with(Traits::SAME_SHAPE), ..OpDef::new("memref.cast") };
    /// `memref.collapse_shape`
    COLLAPSE_SHAPE = OpDef { traits: Traits::PURE, ..OpDef::new("memref.collapse_shape") };
    /// `memref.copy`
    COPY = OpDef::new("memref.copy");
    /// `memref.dealloc`
    DEALLOC = OpDef::new("memref.dealloc");
    /// `memref.dim`
    DIM = OpDef { traits: Traits::PURE, ..OpDef::new("memref.dim") };
    /// `memref.distinct_objects`
    DISTINCT_OBJECTS = OpDef { traits: Traits::PURE, ..OpDef::new("memref.distinct_objects") };
    /// `memref.dma_start`
    DMA_START = OpDef::new("memref.dma_start");
    /// `memref.dma_wait`
    DMA_WAIT = OpDef::new("memref.dma_wait");
    /// `memref.expand_shape`
    EXPAND_SHAPE = OpDef { traits: Traits::PURE, ..OpDef::new("memref.expand_shape") };
    /// `memref.extract_aligned_pointer_as_index`
    EXTRACT_ALIGNED_POINTER_AS_INDEX = OpDef { traits: Traits::PURE, ..OpDef::new("memref.extract_aligned_pointer_as_index") };
    /// `memref.extract_strided_metadata`
    EXTRACT_STRIDED_METADATA = OpDef { traits: Traits::PURE, ..OpDef::new("memref.extract_strided_metadata") };
    /// `memref.generic_atomic_rmw`
    GENERIC_ATOMIC_RMW = OpDef { traits: Traits::SINGLE_BLOCK, regions: Some(1), ..OpDef::new("memref.generic_atomic_rmw") };
    /// `memref.get_global`
    GET_GLOBAL = OpDef { traits: Traits::PURE, ..OpDef::new("memref.get_global") };
    /// `memref.global`
    GLOBAL = OpDef { traits: Traits::SYMBOL, ..OpDef::new("memref.global") };
    /// `memref.load`
    LOAD = OpDef::new("memref.load");
    /// `memref.memory_space_cast`
    MEMORY_SPACE_CAST = OpDef { traits: Traits::PURE.with(Traits::SAME_SHAPE), ..OpDef::new("memref.memory_space_cast") };
    /// `memref.prefetch`
    PREFETCH = OpDef::new("memref.prefetch");
    /// `memref.rank`
    RANK = OpDef { traits: Traits::PURE, ..OpDef::new("memref.rank") };
    /// `memref.realloc`
    REALLOC = OpDef::new("memref.realloc");
    /// `memref.reinterpret_cast`
    REINTERPRET_CAST = OpDef { traits: Traits::ATTR_SIZED_OPERANDS.with(Traits::PURE), ..OpDef::new("memref.reinterpret_cast") };
    /// `memref.reshape`
    RESHAPE = OpDef { traits: Traits::PURE, ..OpDef::new("memref.reshape") };
    /// `memref.store`
    STORE = OpDef::new("memref.store");
    /// `memref.subview`
    SUBVIEW = OpDef { traits: Traits::ATTR_SIZED_OPERANDS.with(Traits::PURE), ..OpDef::new("memref.subview") };
    /// `memref.transpose`
    TRANSPOSE = OpDef { traits: Traits::PURE, ..OpDef::new("memref.transpose") };
    /// `memref.view`
    VIEW = OpDef { traits: Traits::PURE, ..OpDef::new("memref.view") };
}
