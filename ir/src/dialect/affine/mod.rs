//! The `affine` dialect.

use crate::context::Context;
use crate::op::{OpDef, Traits};
use crate::types::{Type, TypeKind};

mod access;
mod branch;
mod index;
mod loops;

pub use access::{Access, LoadOp, StoreOp};
pub use branch::IfOp;
pub use index::{ApplyOp, MaxOp, MinOp};
pub use loops::{Bound, ForOp, ParallelOp, yield_values};

dialect_ops! {
    after super::math::END;
    /// `affine.apply`
    APPLY = OpDef { traits: Traits::PURE, ..OpDef::new("affine.apply") };
    /// `affine.delinearize_index`
    DELINEARIZE_INDEX = OpDef { traits: Traits::PURE, ..OpDef::new("affine.delinearize_index") };
    /// `affine.for`
    FOR = OpDef { traits: Traits::ATTR_SIZED_OPERANDS.with(Traits::AUTOMATIC_ALLOCATION_SCOPE).with(Traits::RECURSIVE_EFFECTS).with(Traits::SINGLE_BLOCK), regions: Some(1), ..OpDef::new("affine.for") };
    /// `affine.if`
    IF = OpDef { traits: Traits::RECURSIVE_EFFECTS.with(Traits::SINGLE_BLOCK), regions: Some(2), ..OpDef::new("affine.if") };
    /// `affine.linearize_index`
    LINEARIZE_INDEX = OpDef { traits: Traits::ATTR_SIZED_OPERANDS.with(Traits::PURE), ..OpDef::new("affine.linearize_index") };
    /// `affine.load`
    LOAD = OpDef::new("affine.load");
    /// `affine.max`
    MAX = OpDef { traits: Traits::PURE, ..OpDef::new("affine.max") };
    /// `affine.min`
    MIN = OpDef { traits: Traits::PURE, ..OpDef::new("affine.min") };
    /// `affine.parallel`
    PARALLEL = OpDef { traits: Traits::AUTOMATIC_ALLOCATION_SCOPE.with(Traits::RECURSIVE_EFFECTS).with(Traits::SINGLE_BLOCK), regions: Some(1), ..OpDef::new("affine.parallel") };
    /// `affine.prefetch`
    PREFETCH = OpDef::new("affine.prefetch");
    /// `affine.store`
    STORE = OpDef::new("affine.store");
    /// `affine.vector_load`
    VECTOR_LOAD = OpDef::new("affine.vector_load");
    /// `affine.vector_store`
    VECTOR_STORE = OpDef::new("affine.vector_store");
    /// `affine.yield`
    YIELD = OpDef { traits: Traits::PURE.with(Traits::RETURN_LIKE).with(Traits::TERMINATOR), ..OpDef::new("affine.yield") };
}

/// The number of elements of a statically shaped vector or tensor type, 0 for
/// any other type.
fn num_elements(ctx: &Context, ty: Type) -> usize {
    let (TypeKind::Vector { shape, .. } | TypeKind::RankedTensor { shape, .. }) = ty.kind(ctx)
    else {
        return 0;
    };
    shape.iter().map(|&d| d.max(0) as usize).product()
}
