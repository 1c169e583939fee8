//! The `vector` dialect: fixed-length and scalable vectors of any rank.
//!
//! The rows stand in the files of their families, next to verifiers and custom
//! forms; this table assigns their ids.

use gridloom_ir::constraints::*;
use gridloom_ir::op::{OpDef, Traits};

mod attrs;
mod contraction;
mod element;
mod fold;
mod fold_slice;
mod mask;
mod memory;
mod outerproduct;
mod print;
mod reduction;
mod shape;
mod shuffle;
mod slice;
mod transfer;
mod transfer_form;
mod types;

pub(crate) use attrs::SYMBOLS;
pub use attrs::kind_of as combining_kind;
pub use transfer::TransferParts;
pub use types::{VectorShape, row_major_strides};

dialect_ops! {
    after super::gpu::sparse::END;
    /// `vector.bitcast`: reinterprets the bits as other elements.
    BITCAST = shape::BITCAST.fold(fold::bitcast);
    /// `vector.broadcast`: repeats along new or unit dimensions.
    BROADCAST = shape::BROADCAST.fold(fold::broadcast);
    /// `vector.compressstore`: stores the set lanes contiguously.
    COMPRESSSTORE = memory::COMPRESSSTORE;
    /// `vector.constant_mask`: a mask of constant size.
    CONSTANT_MASK = mask::CONSTANT_MASK.fold(fold::constant_mask);
    /// `vector.contract`: generalized matrix multiplication.
    CONTRACT = contraction::CONTRACT;
    /// `vector.create_mask`: a mask of dynamic size.
    CREATE_MASK = mask::CREATE_MASK;
    /// `vector.deinterleave`: splits even and odd elements.
    DEINTERLEAVE = shuffle::DEINTERLEAVE;
    /// `vector.expandload`: loads contiguous elements into the set lanes.
    EXPANDLOAD = memory::EXPANDLOAD;
    /// `vector.extract`: extracts an element or subvector.
    EXTRACT = element::EXTRACT.fold(fold::extract);
    /// `vector.extract_strided_slice`: extracts a slice.
    EXTRACT_STRIDED_SLICE = slice::EXTRACT_STRIDED_SLICE.fold(fold_slice::extract);
    /// `vector.fma`: fused multiply-add, `lhs * rhs + acc`.
    FMA = outerproduct::FMA;
    /// `vector.from_elements`: builds a vector from its elements.
    FROM_ELEMENTS = element::FROM_ELEMENTS.fold(fold::from_elements);
    /// `vector.gather`: loads from an index for each lane.
    GATHER = memory::GATHER;
    /// `vector.insert`: replaces an element or subvector.
    INSERT = element::INSERT.fold(fold::insert);
    /// `vector.insert_strided_slice`: replaces a slice.
    INSERT_STRIDED_SLICE = slice::INSERT_STRIDED_SLICE.fold(fold_slice::insert);
    /// `vector.interleave`: interleaves two vectors.
    INTERLEAVE = shuffle::INTERLEAVE;
    /// `vector.load`: loads contiguous elements.
    LOAD = memory::LOAD;
    /// `vector.mask`: masks an operation.
    MASK = mask::MASK;
    /// `vector.maskedload`: loads the set lanes.
    MASKEDLOAD = memory::MASKEDLOAD;
    /// `vector.maskedstore`: stores the set lanes.
    MASKEDSTORE = memory::MASKEDSTORE;
    /// `vector.multi_reduction`: reduces along some dimensions.
    MULTI_REDUCTION = reduction::MULTI_REDUCTION;
    /// `vector.outerproduct`: the outer product of two vectors.
    OUTERPRODUCT = outerproduct::OUTERPRODUCT;
    /// `vector.print`: prints to the standard output.
    PRINT = print::PRINT;
    /// `vector.reduction`: reduces all elements of a vector.
    REDUCTION = reduction::REDUCTION;
    /// `vector.scalable.extract`: extracts a part of a scalable vector.
    SCALABLE_EXTRACT = slice::SCALABLE_EXTRACT;
    /// `vector.scalable.insert`: replaces a part of a scalable vector.
    SCALABLE_INSERT = slice::SCALABLE_INSERT;
    /// `vector.scan`: a prefix reduction along a dimension.
    SCAN = reduction::SCAN;
    /// `vector.scatter`: stores to an index for each lane.
    SCATTER = memory::SCATTER;
    /// `vector.shape_cast`: changes the shape, keeping row-major order.
    SHAPE_CAST = shape::SHAPE_CAST.fold(fold::shape_cast);
    /// `vector.shuffle`: selects elements of two vectors.
    SHUFFLE = shuffle::SHUFFLE.fold(fold_slice::shuffle);
    /// `vector.step`: `0, 1, 2, …`
    STEP = OpDef::new("vector.step")
        .with(Traits::PURE)
        .results(&[one("result", types::STEPS)])
        .format("attr-dict `:` type($result)");
    /// `vector.store`: stores contiguous elements.
    STORE = memory::STORE;
    /// `vector.to_elements`: splits a vector into its elements.
    TO_ELEMENTS = element::TO_ELEMENTS.fold(fold::to_elements);
    /// `vector.transfer_read`: reads a slice of a shaped value, with padding.
    TRANSFER_READ = transfer::TRANSFER_READ;
    /// `vector.transfer_write`: writes a slice of a shaped value.
    TRANSFER_WRITE = transfer::TRANSFER_WRITE;
    /// `vector.transpose`: permutes dimensions.
    TRANSPOSE = shape::TRANSPOSE.fold(fold::transpose);
    /// `vector.type_cast`: views a memref of elements as a memref of a vector.
    TYPE_CAST = memory::TYPE_CAST;
    /// `vector.vscale`: the run-time factor of scalable dimensions.
    VSCALE = OpDef::new("vector.vscale")
        .result_name("vscale")
        .with(Traits::PURE)
        .results(&[one("res", INDEX)])
        .format("attr-dict");
    /// `vector.yield`: terminates the region of a mask.
    YIELD = OpDef::new("vector.yield")
        .with(Traits::PURE)
        .with(Traits::TERMINATOR)
        .with(Traits::RETURN_LIKE)
        .operands(&[many("operands", ANY)])
        .format("attr-dict ($operands^ `:` type($operands))?");
}
