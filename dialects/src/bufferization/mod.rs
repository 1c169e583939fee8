//! The `bufferization` dialect: conversions between tensors and memrefs.

use crate::tensor::kind::{TENSOR, is_tensor};
use gridloom_ir::constraints::*;
use gridloom_ir::context::Context;
use gridloom_ir::op::{OpDef, Traits, TypeConstraint, TypeRule};
use gridloom_ir::types::{Type, TypeKind};

mod alloc_tensor;
pub(crate) mod attrs;
mod check;

fn is_memref(ctx: &Context, ty: Type) -> bool {
    matches!(
        ty.kind(ctx),
        TypeKind::MemRef(_) | TypeKind::UnrankedMemRef { .. }
    )
}

const TENSOR_LIKE: TypeConstraint =
    TypeConstraint::new("TensorLikeType instance", is_tensor).class("tensor");
const BUFFER_LIKE: TypeConstraint =
    TypeConstraint::new("BufferLikeType instance", is_memref).class("memref");

/// Destinations of `materialize_in_destination`.
const SHAPED: TypeConstraint = TypeConstraint::new("shaped of any type values", |c, t| {
    is_tensor(c, t) || is_memref(c, t) || matches!(t.kind(c), TypeKind::Vector { .. })
});

dialect_ops! {
    after super::tensor::END;
    /// `bufferization.alloc_tensor`: a tensor in newly allocated memory.
    ALLOC_TENSOR = OpDef::new("bufferization.alloc_tensor")
        .with(Traits::ATTR_SIZED_OPERANDS)
        .operands(&[many("dynamic_sizes", INDEX), maybe("copy", TENSOR), maybe("size_hint", INDEX)])
        .results(&[one("result", TENSOR)])
        .attrs(&[attr("memory_space", ANY_ATTR).optional()])
        .custom(alloc_tensor::parse, alloc_tensor::print)
        .verify_kind(alloc_tensor::verify);
    /// `bufferization.clone`: a copy of a buffer, or an alias of it; neither
    /// may be written.
    CLONE = OpDef::new("bufferization.clone")
        .operands(&[one("input", ANY_MEMREF)])
        .results(&[one("output", ANY_MEMREF)])
        .format("$input attr-dict `:` type($input) `to` type($output)");
    /// `bufferization.dealloc`: frees owned buffers, except those retained.
    DEALLOC = OpDef::new("bufferization.dealloc")
        .with(Traits::ATTR_SIZED_OPERANDS)
        .operands(&[many("memrefs", ANY_MEMREF), many("conditions", I1), many("retained", ANY_MEMREF)])
        .results(&[many("updatedConditions", I1)])
        .infer(&[TypeRule::Infer(|known| Ok(vec![known.ctx.bool_type(); known.group(2).len()]))])
        .infer(&[TypeRule::Infer(|known| Ok(vec![known.ctx.bool_type(); known.group(2).len()]))])
        .format("(` ` `(` $memrefs^ `:` type($memrefs) `)` `if` ` ` `(` $conditions `)`)? \
            (`retain` ` ` `(` $retained^ `:` type($retained) `)`)? attr-dict")
        .verify_kind(check::verify_dealloc);
    /// `bufferization.dealloc_tensor`: frees the buffer of a tensor.
    DEALLOC_TENSOR = OpDef::new("bufferization.dealloc_tensor")
        .operands(&[one("tensor", TENSOR)])
        .format("$tensor attr-dict `:` type($tensor)");
    /// `bufferization.materialize_in_destination`: copies a tensor to a given
    /// tensor or buffer.
    MATERIALIZE_IN_DESTINATION = OpDef::new("bufferization.materialize_in_destination")
        .operands(&[one("source", TENSOR), one("dest", SHAPED)])
        .results(&[maybe("result", TENSOR)])
        .attrs(&[flag("restrict"), flag("writable")])
        .format("$source `in` (`restrict` $restrict^)? (`writable` $writable^)? $dest \
            attr-dict `:` functional-type(operands, results)")
        .verify_kind(check::verify_materialize);
    /// `bufferization.to_buffer`: the buffer of a tensor.
    TO_BUFFER = OpDef::new("bufferization.to_buffer")
        .with(Traits::PURE)
        .operands(&[one("tensor", TENSOR_LIKE)])
        .results(&[one("buffer", BUFFER_LIKE)])
        .attrs(&[flag("read_only")])
        .format("$tensor (`read_only` $read_only^)? attr-dict `:` type($tensor) `to` type($buffer)")
        .verify_kind(check::verify_pair);
    /// `bufferization.to_tensor`: a tensor with the contents of a buffer.
    TO_TENSOR = OpDef::new("bufferization.to_tensor")
        .operands(&[one("buffer", BUFFER_LIKE)])
        .results(&[one("result", TENSOR_LIKE)])
        .attrs(&[flag("restrict"), flag("writable")])
        .format("$buffer (`restrict` $restrict^)? (`writable` $writable^)? attr-dict `:` \
            type($buffer) `to` type($result)")
        .verify_kind(check::verify_pair);
}
