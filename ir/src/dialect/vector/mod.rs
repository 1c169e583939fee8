//! The `vector` dialect: values of a fixed or scalable number of elements in
//! any number of dimensions.
//!
//! The rows stand in the files of their families, beside the verifiers and
//! custom forms; this table gives them their ids.

use crate::dialect::constraints::*;
use crate::op::{OpDef, Traits};

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
pub use types::VectorShape;

dialect_ops! {
    after super::gpu::END;
    /// `vector.bitcast`: the same bits as other elements.
    BITCAST = shape::BITCAST.fold(fold::bitcast);
    /// `vector.broadcast`: copies along new or unit dimensions.
    BROADCAST = shape::BROADCAST.fold(fold::broadcast);
    /// `vector.compressstore`: stores the unmasked elements side by side.
    COMPRESSSTORE = memory::COMPRESSSTORE;
    /// `vector.constant_mask`: a mask whose set corner has constant sizes.
    CONSTANT_MASK = mask::CONSTANT_MASK.fold(fold::constant_mask);
    /// `vector.contract`: sums of products, as index maps say.
    CONTRACT = contraction::CONTRACT;
    /// `vector.create_mask`: a mask whose set corner has these sizes.
    CREATE_MASK = mask::CREATE_MASK;
    /// `vector.deinterleave`: even and odd elements apart.
    DEINTERLEAVE = shuffle::DEINTERLEAVE;
    /// `vector.expandload`: loads side by side into the unmasked elements.
    EXPANDLOAD = memory::EXPANDLOAD;
    /// `vector.extract`: an element or subvector at a position.
    EXTRACT = element::EXTRACT.fold(fold::extract);
    /// `vector.extract_strided_slice`: a box out of a vector.
    EXTRACT_STRIDED_SLICE = slice::EXTRACT_STRIDED_SLICE.fold(fold_slice::extract);
    /// `vector.fma`: `lhs * rhs + acc`, rounded once.
    FMA = outerproduct::FMA;
    /// `vector.from_elements`: a vector of these elements.
    FROM_ELEMENTS = element::FROM_ELEMENTS.fold(fold::from_elements);
    /// `vector.gather`: loads from an address for each element.
    GATHER = memory::GATHER;
    /// `vector.insert`: a vector with an element or subvector replaced.
    INSERT = element::INSERT.fold(fold::insert);
    /// `vector.insert_strided_slice`: a vector with a box replaced.
    INSERT_STRIDED_SLICE = slice::INSERT_STRIDED_SLICE.fold(fold_slice::insert);
    /// `vector.interleave`: elements of two vectors in turn.
    INTERLEAVE = shuffle::INTERLEAVE;
    /// `vector.load`: loads elements that lie side by side.
    LOAD = memory::LOAD;
    /// `vector.mask`: an operation under a mask.
    MASK = mask::MASK;
    /// `vector.maskedload`: loads where the mask is set.
    MASKEDLOAD = memory::MASKEDLOAD;
    /// `vector.maskedstore`: stores where the mask is set.
    MASKEDSTORE = memory::MASKEDSTORE;
    /// `vector.multi_reduction`: combines along some dimensions.
    MULTI_REDUCTION = reduction::MULTI_REDUCTION;
    /// `vector.outerproduct`: every product of two vectors' elements.
    OUTERPRODUCT = outerproduct::OUTERPRODUCT;
    /// `vector.print`: writes to the standard output.
    PRINT = print::PRINT;
    /// `vector.reduction`: combines all elements of a vector.
    REDUCTION = reduction::REDUCTION;
    /// `vector.scalable.extract`: a part of a scalable vector.
    SCALABLE_EXTRACT = slice::SCALABLE_EXTRACT;
    /// `vector.scalable.insert`: a scalable vector with a part replaced.
    SCALABLE_INSERT = slice::SCALABLE_INSERT;
    /// `vector.scan`: running combinations along a dimension.
    SCAN = reduction::SCAN;
    /// `vector.scatter`: stores to an address for each element.
    SCATTER = memory::SCATTER;
    /// `vector.shape_cast`: the same elements in another shape.
    SHAPE_CAST = shape::SHAPE_CAST.fold(fold::shape_cast);
    /// `vector.shuffle`: picks elements of two vectors.
    SHUFFLE = shuffle::SHUFFLE.fold(fold_slice::shuffle);
    /// `vector.step`: `0, 1, 2, …`
    STEP = OpDef::new("vector.step")
        .with(Traits::PURE)
        .results(&[one("result", types::STEPS)])
        .format("attr-dict `:` type($result)");
    /// `vector.store`: stores elements side by side.
    STORE = memory::STORE;
    /// `vector.to_elements`: the elements, each a value.
    TO_ELEMENTS = element::TO_ELEMENTS.fold(fold::to_elements);
    /// `vector.transfer_read`: reads a box of a shaped value, padded.
    TRANSFER_READ = transfer::TRANSFER_READ;
    /// `vector.transfer_write`: writes a box of a shaped value.
    TRANSFER_WRITE = transfer::TRANSFER_WRITE;
    /// `vector.transpose`: dimensions in another order.
    TRANSPOSE = shape::TRANSPOSE.fold(fold::transpose);
    /// `vector.type_cast`: a memref of elements as a memref of a vector.
    TYPE_CAST = memory::TYPE_CAST;
    /// `vector.vscale`: how much longer scalable vectors are than they say.
    VSCALE = OpDef::new("vector.vscale")
        .with(Traits::PURE)
        .results(&[one("res", INDEX)])
        .format("attr-dict");
    /// `vector.yield`: ends the region of a mask.
    YIELD = OpDef::new("vector.yield")
        .with(Traits::PURE)
        .with(Traits::TERMINATOR)
        .with(Traits::RETURN_LIKE)
        .operands(&[many("operands", ANY)])
        .format("attr-dict ($operands^ `:` type($operands))?");
}
