//! Affine dialect: loops, conditions and accesses whose bounds and indices are affine functions of
//! loop variables and symbols.

use crate::arith::ATOMIC_RMW_KIND;
use gridloom_ir::constraints::*;
use gridloom_ir::context::Context;
use gridloom_ir::op::{
    AttrConstraint, AttrDef, AttrSyntax, OpDef, RowTraits, Storage, Traits, ValueDef,
};
use gridloom_ir::types::{Type, TypeKind};

mod access;
mod branch;
mod check_loops;
mod dma;
mod form;
mod form_access;
pub(crate) mod form_loop;
mod form_parallel;
mod index;
mod loops;
mod validity;

pub use access::{Access, LoadOp, StoreOp};
pub use branch::IfOp;
pub use check_loops::can_reduce;
pub(crate) use check_loops::verify_carried;
pub use dma::{AffineDmaParts, AffinePlace, DmaStartOp, DmaWaitOp};
pub use index::{ApplyOp, MaxOp, MinOp};
pub use loops::{Bound, ForOp, ParallelOp, yield_values};
pub use validity::{is_mere_dim, is_valid_dim, is_valid_symbol, scope_of};

const LOOP: Traits = Traits::AUTOMATIC_ALLOCATION_SCOPE.with(Traits::RECURSIVE_EFFECTS);
const LOADED: &[ValueDef] = &[one("memref", MEMREF), many("indices", INDEX)];

const STATIC_BASIS: AttrDef =
    attr("static_basis", I64_ARRAY).spelled(AttrSyntax::DenseArray(|c| c.int_type(64)));

/// Reduction kinds: a number of `AtomicRMWKind` for each result of an `affine.parallel`.
const REDUCTIONS: AttrConstraint = AttrConstraint {
    summary: "Reduction ops",
    storage: Storage::Array,
    check: |c, a| {
        let kinds = a.as_array(c);
        kinds.is_some_and(|kinds| kinds.iter().all(|&k| is_case_of(c, k, &ATOMIC_RMW_KIND)))
    },
};

/// Row of an operation that maps indices to an index.
const fn mapped(name: &'static str, operands: &'static [ValueDef]) -> OpDef {
    OpDef::new(name)
        .with(Traits::PURE)
        .operands(operands)
        .results(const { &[one("result", INDEX)] })
        .attrs(const { &[attr("map", MAP)] })
}

dialect_ops! {
    after super::math::END;
    /// `affine.apply`: the result of a map.
    APPLY = mapped("affine.apply", &[many("mapOperands", INDEX)])
        .custom(form::parse_mapped, form::print_mapped)
        .verify_split(index::verify_apply, index::verify_symbols)
        .fold(index::fold_mapped);
    /// `affine.delinearize_index`: splits an index into coordinates.
    DELINEARIZE_INDEX = OpDef::new("affine.delinearize_index")
        .printed_if(|_, body, op| body[op].num_results() > 0)
        .with(Traits::PURE)
        .operands(&[one("linear_index", INDEX), many("dynamic_basis", INDEX)])
        .results(&[many("multi_index", INDEX)])
        .attrs(&[STATIC_BASIS])
        .format("$linear_index `into` \
            custom<DynamicIndexList>($dynamic_basis, $static_basis, \"{}\", \
            \"::mlir::AsmParser::Delimiter::Paren\") attr-dict `:` type($multi_index)")
        .verify_kind(index::verify_delinearize)
        .fold(index::fold_delinearize);
    /// `affine.dma_start`: begins an asynchronous copy identified by a tag element.
    DMA_START = OpDef::new("affine.dma_start")
        .operands(&[many("operands", ANY)])
        .custom(dma::parse_start, dma::print_start)
        .printed_if(dma::start_form_is_lossless)
        .verify(dma::verify_start);
    /// `affine.dma_wait`: waits for the copy of a tag element.
    DMA_WAIT = OpDef::new("affine.dma_wait")
        .operands(&[many("operands", ANY)])
        .custom(dma::parse_wait, dma::print_wait)
        .printed_if(dma::wait_form_is_lossless)
        .verify(dma::verify_wait);
    /// `affine.for`: a loop between affine bounds.
    FOR = OpDef::new("affine.for")
        .with(LOOP)
        .with(Traits::ATTR_SIZED_OPERANDS)
        .operands(&[
            many("lowerBoundOperands", INDEX),
            many("upperBoundOperands", INDEX),
            many("inits", ANY),
        ])
        .results(&[many("results", ANY)])
        .attrs(&[
            attr("lowerBoundMap", MAP),
            attr("upperBoundMap", MAP),
            attr("step", INDEX_ATTR),
        ])
        .regions(1)
        .terminator("affine.yield")
        .custom(form_loop::parse_for, form_loop::print_for)
        .verify_split(check_loops::verify_for, check_loops::verify_for_each)
        .fold(loops::fold_for);
    /// `affine.if`: a conditional on membership in an integer set.
    IF = OpDef::new("affine.if")
        .with_row(RowTraits::NO_REGION_ARGUMENTS)
        .with(Traits::RECURSIVE_EFFECTS)
        .operands(&[many("operands", ANY)])
        .results(&[many("results", ANY)])
        .attrs(&[attr("condition", SET)])
        .regions(2)
        .terminator("affine.yield")
        .custom(form::parse_if, form::print_if)
        .verify_split(branch::verify_if, branch::verify_if_each);
    /// `affine.linearize_index`: combines coordinates to an index.
    LINEARIZE_INDEX = OpDef::new("affine.linearize_index")
        .with(Traits::ATTR_SIZED_OPERANDS)
        .with(Traits::PURE)
        .operands(&[many("multi_index", INDEX), many("dynamic_basis", INDEX)])
        .results(&[one("linear_index", INDEX)])
        .attrs(&[STATIC_BASIS, flag("disjoint").plain()])
        .format("(`disjoint` $disjoint^)? ` ` `[` $multi_index `]` `by` \
            custom<DynamicIndexList>($dynamic_basis, $static_basis, \"{}\", \
            \"::mlir::AsmParser::Delimiter::Paren\") attr-dict `:` type($linear_index)")
        .verify_kind(index::verify_linearize)
        .fold(index::fold_linearize);
    /// `affine.load`: reads an element at mapped indices.
    LOAD = OpDef::new("affine.load")
        .operands(LOADED)
        .results(&[one("result", ANY)])
        .attrs(&[attr("map", MAP)])
        .custom(form_access::parse_load, form_access::print_load)
        .spelling_attrs()
        .verify_split(access::verify_load, access::verify_read_place);
    /// `affine.max`: the greatest result of a map.
    MAX = mapped("affine.max", &[many("operands", INDEX)])
        .custom(form::parse_mapped, form::print_mapped)
        .verify_kind(index::verify_extremum)
        .fold(index::fold_mapped);
    /// `affine.min`: the least result of a map.
    MIN = mapped("affine.min", &[many("operands", INDEX)])
        .custom(form::parse_mapped, form::print_mapped)
        .verify_kind(index::verify_extremum)
        .fold(index::fold_mapped);
    /// `affine.parallel`: a loop nest with affine bounds whose iterations may run in any order.
    PARALLEL = OpDef::new("affine.parallel")
        .with(LOOP)
        .operands(&[many("mapOperands", INDEX)])
        .results(&[many("results", ANY)])
        .attrs(&[
            attr("reductions", REDUCTIONS),
            attr("lowerBoundsMap", MAP),
            attr("lowerBoundsGroups", I32_ELEMENTS),
            attr("upperBoundsMap", MAP),
            attr("upperBoundsGroups", I32_ELEMENTS),
            attr("steps", I64_LIST),
        ])
        .regions(1)
        .terminator("affine.yield")
        .custom(form_parallel::parse, form_parallel::print)
        .printed_if(form_parallel::form_is_lossless)
        .verify(check_loops::verify_parallel);
    /// `affine.prefetch`: a hint that an element is needed soon.
    PREFETCH = OpDef::new("affine.prefetch")
        .operands(LOADED)
        .attrs(&[
            attr("isWrite", BOOL),
            attr("localityHint", LOCALITY),
            attr("isDataCache", BOOL),
            attr("map", MAP),
        ])
        .custom(form_access::parse_prefetch, form_access::print_prefetch)
        .verify_split(access::verify_prefetch, access::verify_prefetch_place);
    /// `affine.store`: writes an element at mapped indices.
    STORE = OpDef::new("affine.store")
        .operands(&[one("value", ANY), one("memref", MEMREF), many("indices", INDEX)])
        .attrs(&[attr("map", MAP)])
        .custom(form_access::parse_store, form_access::print_store)
        .spelling_attrs()
        .verify_split(access::verify_store, access::verify_write_place);
    /// `affine.vector_load`: reads neighbouring elements as a vector.
    VECTOR_LOAD = OpDef::new("affine.vector_load")
        .operands(LOADED)
        .results(&[one("result", VECTOR)])
        .attrs(&[attr("map", MAP)])
        .custom(form_access::parse_vector_load, form_access::print_load)
        .spelling_attrs()
        .verify_split(access::verify_vector_load, access::verify_read_place);
    /// `affine.vector_store`: writes a vector to neighbouring elements.
    VECTOR_STORE = OpDef::new("affine.vector_store")
        .operands(&[one("value", VECTOR), one("memref", MEMREF), many("indices", INDEX)])
        .attrs(&[attr("map", MAP)])
        .custom(form_access::parse_vector_store, form_access::print_store)
        .spelling_attrs()
        .verify_split(access::verify_vector_store, access::verify_write_place);
    /// `affine.yield`: ends a region with its results.
    YIELD = OpDef::new("affine.yield")
        .with(Traits::PURE)
        .with(Traits::RETURN_LIKE)
        .with(Traits::TERMINATOR)
        .operands(&[many("operands", ANY)])
        .format("attr-dict ($operands^ `:` type($operands))?")
        .verify(check_loops::verify_yield);
}

/// Returns the number of elements of a statically shaped vector or tensor type, 0 for any other
/// type.
fn num_elements(ctx: &Context, ty: Type) -> usize {
    let (TypeKind::Vector { shape, .. } | TypeKind::RankedTensor { shape, .. }) = ty.kind(ctx)
    else {
        return 0;
    };
    let extents = shape.iter().map(|&d| d.max(0) as usize);
    extents.fold(1, usize::saturating_mul)
}
