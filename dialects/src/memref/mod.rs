//! The `memref` dialect: memory, views of it, and access to its elements.

use crate::arith::ATOMIC_RMW_KIND;
use crate::slice::{OFFSETS_SIZES_STRIDES, i64_list};
use gridloom_ir::constraints::*;
use gridloom_ir::context::Context;
use gridloom_ir::op::{
    AttrConstraint, AttrDef, AttrSyntax, OpDef, RowTraits, Storage, Traits, TypeRule,
};
use gridloom_ir::types::Type;

mod access;
mod alloc;
mod check;
mod check_shape;
mod check_slice;
mod check_view;
mod dma;
pub(crate) mod form;
mod view;

pub use access::{Access, LoadOp, StoreOp};
pub use alloc::{
    AllocOp, AllocaOp, CopyOp, DimOp, GetGlobalOp, GlobalOp, dynamic_sizes, open_extents,
};
pub use check_view::is_cast;
pub use dma::{DmaParts, DmaStartOp, DmaWaitOp, Place};
pub use gridloom_ir::layout::row_major;
pub use view::{CastOp, Mixed, ReinterpretCastOp, SubViewOp, ViewOp};

const YIELD: Traits = Traits::PURE
    .with(Traits::RETURN_LIKE)
    .with(Traits::TERMINATOR);

/// The element type of a memref.
fn element(ctx: &Context, ty: Type) -> Option<Type> {
    ty.memref(ctx).map(|memref| memref.element)
}

const NONTEMPORAL: AttrDef = attr("nontemporal", BOOL).optional();

const ATOMIC_KIND: AttrDef = attr(
    "kind",
    AttrConstraint {
        summary: ATOMIC_RMW_KIND.summary,
        storage: Storage::Exact,
        check: |c, a| is_case_of(c, a, &ATOMIC_RMW_KIND),
    },
)
.spelled(AttrSyntax::Enum(&ATOMIC_RMW_KIND));

/// A view: an operation without effects whose result aliases its operand.
const fn view(name: &'static str) -> OpDef {
    OpDef::new(name).with(Traits::PURE)
}

/// An allocation: a size for each `?` of the type, an operand for each symbol
/// of its layout.
const fn allocation(name: &'static str) -> OpDef {
    OpDef::new(name)
        .with(Traits::ATTR_SIZED_OPERANDS)
        .operands(const { &[many("dynamicSizes", INDEX), many("symbolOperands", INDEX)] })
        .results(const { &[one("memref", MEMREF)] })
        .attrs(const { &[ALIGNMENT] })
        .format("`(`$dynamicSizes`)` (`` `[` $symbolOperands^ `]`)? attr-dict `:` type($memref)")
}

dialect_ops! {
    after super::affine::END;
    /// `memref.alloc`: allocates on the heap.
    ALLOC = allocation("memref.alloc")
        .result_name("alloc")
        .verify_kind(check::verify_alloc);
    /// `memref.alloca`: allocates on the stack of the enclosing scope.
    ALLOCA = allocation("memref.alloca")
        .result_name("alloca")
        .verify(check::verify_alloca);
    /// `memref.alloca_scope`: a scope for stack allocations.
    ALLOCA_SCOPE = OpDef::new("memref.alloca_scope")
        .with(Traits::AUTOMATIC_ALLOCATION_SCOPE)
        .with_row(RowTraits::NO_REGION_ARGUMENTS)
        .with(Traits::RECURSIVE_EFFECTS)
        .results(&[many("results", ANY)])
        .regions(1)
        .terminator("memref.alloca_scope.return")
        .custom(form::parse_alloca_scope, form::print_alloca_scope)
        .verify(check::verify_alloca_scope);
    /// `memref.alloca_scope.return`: ends an `memref.alloca_scope`.
    ALLOCA_SCOPE_RETURN = OpDef::new("memref.alloca_scope.return")
        .with(YIELD)
        .operands(&[many("results", ANY)])
        .parents(&["memref.alloca_scope"])
        .format("attr-dict ($results^ `:` type($results))?");
    /// `memref.assume_alignment`: a memref with a promised alignment.
    ASSUME_ALIGNMENT = OpDef::new("memref.assume_alignment")
        .result_name("assume_align")
        .with(Traits::PURE)
        .with_row(RowTraits::SAME_OPERANDS_AND_RESULT_TYPE)
        .operands(&[one("memref", MEMREF)])
        .results(&[one("result", MEMREF)])
        .attrs(&[attr("alignment", POSITIVE_I32).spelled(AttrSyntax::Typed(|c| c.int_type(32)))])
        .format("$memref `,` $alignment attr-dict `:` type($memref)")
        .verify_kind(check::verify_assume_alignment);
    /// `memref.atomic_rmw`: combines an element with a value, atomically.
    ATOMIC_RMW = OpDef::new("memref.atomic_rmw")
        .operands(&[
            one("value", INT_OR_FLOAT),
            one("memref", ATOMIC_MEMREF),
            many("indices", INDEX),
        ])
        .results(&[one("result", INT_OR_FLOAT)])
        .attrs(&[ATOMIC_KIND])
        .infer(&[
            same(&["value", "result"], "all of {value, result} have same type"),
            follows("value", "memref", element, "value type matches element type of memref"),
        ])
        .format("$kind $value `,` $memref `[` $indices `]` attr-dict `:` \
            `(` type($value) `,` type($memref) `)` `->` type($result)")
        .verify_kind(access::verify_atomic);
    /// `memref.atomic_yield`: ends a `memref.generic_atomic_rmw`.
    ATOMIC_YIELD = OpDef::new("memref.atomic_yield")
        .with(YIELD)
        .operands(&[one("result", ANY)])
        .parents(&["memref.generic_atomic_rmw"])
        .format("$result attr-dict `:` type($result)")
        .verify(access::verify_atomic_yield);
    /// `memref.cast`: adds or erases static information in the type.
    CAST = view("memref.cast")
        .result_name("cast")
        .operands(&[one("source", ANY_MEMREF)])
        .results(&[one("dest", ANY_MEMREF)])
        .format("$source attr-dict `:` type($source) `to` type($dest)")
        .verify_kind(check_view::verify_cast)
        .fold(view::fold_cast);
    /// `memref.collapse_shape`: the same memory with fewer dimensions.
    COLLAPSE_SHAPE = view("memref.collapse_shape")
        .result_name("collapse_shape")
        .operands(&[one("src", STRIDED_MEMREF)])
        .results(&[one("result", STRIDED_MEMREF)])
        .attrs(&[attr("reassociation", REASSOCIATION)])
        .format("$src $reassociation attr-dict `:` type($src) `into` type($result)")
        .verify_kind(check_shape::verify_collapse_shape)
        .fold(view::fold_collapse_shape);
    /// `memref.copy`: copies all elements.
    COPY = OpDef::new("memref.copy")
        .operands(&[one("source", ANY_MEMREF), one("target", ANY_MEMREF)])
        .format("$source `,` $target attr-dict `:` type($source) `to` type($target)")
        .verify_kind(check::verify_copy);
    /// `memref.dealloc`: frees the memory of a `memref.alloc`.
    DEALLOC = OpDef::new("memref.dealloc")
        .operands(&[one("memref", ANY_MEMREF)])
        .format("$memref attr-dict `:` type($memref)");
    /// `memref.dim`: the extent of a dimension.
    DIM = OpDef::new("memref.dim")
        .result_name("dim")
        .with(Traits::PURE)
        .with(Traits::CONDITIONALLY_SPECULATABLE)
        .operands(&[one("source", SIZED_MEMREF), one("index", INDEX)])
        .results(&[one("result", INDEX)])
        .format("attr-dict $source `,` $index `:` type($source)")
        .fold(alloc::fold_dim);
    /// `memref.distinct_objects`: memrefs promised not to alias.
    DISTINCT_OBJECTS = OpDef::new("memref.distinct_objects")
        .with(Traits::PURE)
        .operands(&[many("operands", MEMREF)])
        .results(&[many("results", MEMREF)])
        .infer(&[TypeRule::Infer(|known| Ok(known.operands.to_vec()))])
        .format("$operands attr-dict `:` type($operands)")
        .verify_kind(check::verify_distinct_objects);
    /// `memref.dma_start`: begins a copy that a tag element identifies.
    DMA_START = OpDef::new("memref.dma_start").operands(&[many("operands", ANY)])
        .custom(form::parse_dma_start, form::print_dma_start)
        .printed_if(|_, body, op| body[op].attributes.is_empty())
        .verify_kind(dma::verify_start);
    /// `memref.dma_wait`: waits for the copy of a tag element.
    DMA_WAIT = OpDef::new("memref.dma_wait")
        .operands(&[
            one("tagMemRef", MEMREF),
            many("tagIndices", INDEX),
            one("numElements", INDEX),
        ])
        .format("$tagMemRef `[` $tagIndices `]` `,` $numElements attr-dict `:` type($tagMemRef)")
        .verify_kind(dma::verify_wait);
    /// `memref.expand_shape`: the same memory with more dimensions.
    EXPAND_SHAPE = view("memref.expand_shape")
        .result_name("expand_shape")
        .operands(&[one("src", STRIDED_MEMREF), many("output_shape", INDEX)])
        .results(&[one("result", STRIDED_MEMREF)])
        .attrs(&[
            attr("reassociation", REASSOCIATION),
            i64_list("static_output_shape"),
        ])
        .format("$src $reassociation `output_shape` \
            custom<DynamicIndexList>($output_shape, $static_output_shape) \
            attr-dict `:` type($src) `into` type($result)")
        .verify_kind(check_shape::verify_expand_shape)
        .fold(view::fold_expand_shape);
    /// `memref.extract_aligned_pointer_as_index`: the address of the memory.
    EXTRACT_ALIGNED_POINTER_AS_INDEX = OpDef::new("memref.extract_aligned_pointer_as_index")
        .result_name("intptr")
        .with(Traits::PURE)
        .operands(&[one("source", ANY_MEMREF)])
        .results(&[one("aligned_pointer", INDEX)])
        .format("$source `:` type($source) `->` type(results) attr-dict");
    /// `memref.extract_strided_metadata`: base buffer, offset, sizes and
    /// strides.
    EXTRACT_STRIDED_METADATA = OpDef::new("memref.extract_strided_metadata")
        .with(Traits::PURE)
        .operands(&[one("source", STRIDED_MEMREF)])
        .results(&[
            one("base_buffer", STRIDED_MEMREF_0D),
            one("offset", INDEX),
            many("sizes", INDEX),
            many("strides", INDEX),
        ])
        .infer(&[TypeRule::Infer(check_view::strided_metadata)])
        .format("$source `:` type($source) `->` type(results) attr-dict");
    /// `memref.generic_atomic_rmw`: atomically updates an element by a region.
    GENERIC_ATOMIC_RMW = OpDef::new("memref.generic_atomic_rmw")
        .operands(&[one("memref", ATOMIC_MEMREF), many("indices", INDEX)])
        .results(&[one("result", INT_OR_FLOAT)])
        .infer(&[follows(
            "result",
            "memref",
            element,
            "result type matches element type of memref",
        )])
        .regions(1)
        .terminator("memref.atomic_yield")
        .custom(form::parse_generic_atomic_rmw, form::print_generic_atomic_rmw)
        .verify(access::verify_generic_atomic);
    /// `memref.get_global`: the memref of a global.
    GET_GLOBAL = OpDef::new("memref.get_global")
        .with(Traits::PURE)
        .results(&[one("result", STATIC_MEMREF)])
        .attrs(&[attr("name", FLAT_SYMBOL)])
        .format("$name `:` type($result) attr-dict")
        .verify(check::verify_get_global);
    /// `memref.global`: a global buffer, a symbol.
    GLOBAL = OpDef::new("memref.global")
        .with(Traits::SYMBOL)
        .attrs(&[
            SYMBOL_NAME,
            VISIBILITY,
            attr("type", MEMREF_TYPE).spelled(AttrSyntax::Type),
            attr("initial_value", ANY_ATTR).optional(),
            flag("constant"),
            ALIGNMENT,
        ])
        .custom(form::parse_global, form::print_global)
        .verify_kind(check::verify_global);
    /// `memref.load`: loads an element.
    LOAD = OpDef::new("memref.load")
        .operands(&[one("memref", MEMREF), many("indices", INDEX)])
        .results(&[one("result", ANY)])
        .attrs(&[NONTEMPORAL, ALIGNMENT])
        .infer(&[follows(
            "result",
            "memref",
            element,
            "result type matches element type of 'memref'",
        )])
        .format("$memref `[` $indices `]` attr-dict `:` type($memref)")
        .verify_kind(access::verify_load);
    /// `memref.memory_space_cast`: a view in another memory space.
    MEMORY_SPACE_CAST = view("memref.memory_space_cast")
        .result_name("memspacecast")
        .operands(&[one("source", ANY_MEMREF)])
        .results(&[one("dest", ANY_MEMREF)])
        .format("$source attr-dict `:` type($source) `to` type($dest)")
        .verify_kind(check_view::verify_space_cast)
        .fold(view::fold_cast);
    /// `memref.prefetch`: a hint that an element is needed soon.
    PREFETCH = OpDef::new("memref.prefetch")
        .operands(&[one("memref", MEMREF), many("indices", INDEX)])
        .attrs(&[
            attr("isWrite", BOOL),
            attr("localityHint", LOCALITY),
            attr("isDataCache", BOOL),
        ])
        .custom(form::parse_prefetch, form::print_prefetch)
        // mlir-opt parses no attributes there.
        .printed_if(|_, body, op| body[op].attributes.is_empty())
        .verify_kind(access::verify_prefetch);
    /// `memref.rank`: the number of dimensions.
    RANK = OpDef::new("memref.rank")
        .with(Traits::PURE)
        .operands(&[one("memref", ANY_MEMREF)])
        .results(&[one("result", INDEX)])
        .format("$memref attr-dict `:` type($memref)")
        .fold(view::fold_rank);
    /// `memref.realloc`: resizes a buffer, keeping its elements.
    REALLOC = OpDef::new("memref.realloc")
        .operands(&[one("source", MEMREF_1D), maybe("dynamicResultSize", INDEX)])
        .results(&[one("result", MEMREF_1D)])
        .attrs(&[ALIGNMENT])
        .format("$source (`(` $dynamicResultSize^ `)`)? attr-dict \
            `:` type($source) `to` type(results)")
        .verify_kind(check::verify_realloc);
    /// `memref.reinterpret_cast`: a view of the base buffer with another
    /// offset, sizes and strides.
    REINTERPRET_CAST = view("memref.reinterpret_cast")
        .result_name("reinterpret_cast")
        .with(Traits::ATTR_SIZED_OPERANDS)
        .operands(&[
            one("source", ANY_MEMREF),
            many("offsets", INDEX),
            many("sizes", INDEX),
            many("strides", INDEX),
        ])
        .results(&[one("result", STRIDED_MEMREF)])
        .attrs(OFFSETS_SIZES_STRIDES)
        .format("$source `to` `offset` `` `:` custom<DynamicIndexList>($offsets, $static_offsets) \
            `` `,` `sizes` `` `:` custom<DynamicIndexList>($sizes, $static_sizes) \
            `` `,` `strides` `` `:` custom<DynamicIndexList>($strides, $static_strides) \
            attr-dict `:` type($source) `to` type($result)")
        .verify_kind(check_slice::verify_reinterpret_cast);
    /// `memref.reshape`: a view of contiguous memory with a shape given in
    /// memory.
    RESHAPE = view("memref.reshape")
        .result_name("reshape")
        .operands(&[one("source", ANY_MEMREF), one("shape", SHAPE_MEMREF)])
        .results(&[one("result", ANY_MEMREF)])
        .format("$source `(` $shape `)` attr-dict `:` functional-type(operands, results)")
        .verify_kind(check_view::verify_reshape);
    /// `memref.store`: stores an element.
    STORE = OpDef::new("memref.store")
        .operands(&[one("value", ANY), one("memref", MEMREF), many("indices", INDEX)])
        .attrs(&[NONTEMPORAL, ALIGNMENT])
        .infer(&[follows(
            "value",
            "memref",
            element,
            "type of 'value' matches element type of 'memref'",
        )])
        .format("$value `,` $memref `[` $indices `]` attr-dict `:` type($memref)")
        .verify_kind(access::verify_store);
    /// `memref.subview`: a view of a slice.
    SUBVIEW = view("memref.subview")
        .result_name("subview")
        .with(Traits::ATTR_SIZED_OPERANDS)
        .operands(&[
            one("source", MEMREF),
            many("offsets", INDEX),
            many("sizes", INDEX),
            many("strides", INDEX),
        ])
        .results(&[one("result", MEMREF)])
        .attrs(OFFSETS_SIZES_STRIDES)
        .format("$source `` custom<DynamicIndexList>($offsets, $static_offsets) \
            custom<DynamicIndexList>($sizes, $static_sizes) \
            custom<DynamicIndexList>($strides, $static_strides) \
            attr-dict `:` type($source) `to` type($result)")
        .verify_kind(check_slice::verify_subview)
        .fold(view::fold_subview);
    /// `memref.transpose`: a view with permuted dimensions.
    TRANSPOSE = view("memref.transpose")
        .result_name("transpose")
        .operands(&[one("in", STRIDED_MEMREF)])
        .results(&[one("result", STRIDED_MEMREF)])
        .attrs(&[attr("permutation", MAP)])
        .custom(form::parse_transpose, form::print_transpose)
        .verify_kind(check_view::verify_transpose)
        .fold(view::fold_transpose);
    /// `memref.view`: a typed view of part of a byte buffer.
    VIEW = view("memref.view")
        .result_name("view")
        .operands(&[one("source", BYTES), one("byte_shift", INDEX), many("sizes", INDEX)])
        .results(&[one("result", MEMREF)])
        .format("$source `[` $byte_shift `]` `` `[` $sizes `]` attr-dict \
            `:` type($source) `to` type(results)")
        .verify_kind(check_view::verify_view)
        .fold(view::fold_view);
}
