//! Sparse matrices of a vendor's library, on the host: creates handles from buffers, multiplies,
//! and destroys them. Every operation may be asynchronous.

#![allow(missing_docs)] // Each constant is the operation that its row names.

use super::attrs::{MODE_A, MODE_B, PRODUCT_STEP, PRUNE_FLAG};
use super::form::ASYNC_DEPENDENCIES;
use super::{DEPENDENCIES, TOKEN};
use gridloom_ir::body::{Body, OpId};
use gridloom_ir::constraints::*;
use gridloom_ir::context::Context;
use gridloom_ir::op::{
    AttrConstraint, AttrDef, AttrSyntax, OpDef, RowTraits, Storage, Traits, TypeConstraint,
};
use gridloom_ir::text::format::Directive;
use gridloom_ir::types::{Type, TypeKind};

fn handle(ctx: &Context, body: &str) -> Type {
    ctx.intern_type(TypeKind::Dialect {
        dialect: ctx.ident("gpu"),
        body: ctx.ident(body),
    })
}

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident = $body:literal, $summary:literal;)*) => {$(
        $(#[$doc])*
        const $name: TypeConstraint = TypeConstraint {
            summary: $summary,
            check: |c, t| t == handle(c, $body),
            build: Some(|c| handle(c, $body)),
            class: None,
        };
    )*};
}

handles! {
    /// Handle of a dense vector or matrix.
    DENSE = ".sparse.dntensor_handle", "dense tensor handle type";
    /// Handle of a sparse matrix.
    SPARSE = ".sparse.spmat_handle", "sparse matrix handle type";
    /// Handle of a product of sparse matrices in progress.
    PRODUCT = ".sparse.spgemmop_handle", "SpGEMM operation handle type";
}

/// Compute type of a product.
const COMPUTE_TYPE: AttrDef = attr(
    "computeType",
    AttrConstraint {
        summary: "any type attribute",
        storage: Storage::Type,
        check: |c, a| a.as_type(c).is_some(),
    },
)
.spelled(AttrSyntax::Type);

/// Whether the custom form round-trips: it cannot be read without operands in the last group, whose
/// types follow.
fn has_last_operands(ctx: &Context, body: &Body, op: OpId) -> bool {
    let groups = ctx
        .op_signature(body[op].name)
        .map_or(0, |def| def.operands.len());
    !body[op]
        .operand_segment(ctx, groups.saturating_sub(1))
        .is_empty()
}

/// Whether the custom form round-trips: it cannot be read without sizes among the results.
fn has_sizes(ctx: &Context, body: &Body, op: OpId) -> bool {
    let first = body[op].results().next();
    first.is_some_and(|first| body.ty(first).is_index(ctx))
}

/// Directives that all of these forms use.
const FORMS: &[&[Directive]] = &[ASYNC_DEPENDENCIES];

/// Row of an operation with the form of its family.
const fn sparse(name: &'static str) -> OpDef {
    OpDef::new(name)
        .directives(FORMS)
        .results(const { &[TOKEN] })
}

dialect_ops! {
    after super::END;
    CREATE_2TO4_SPMAT = sparse("gpu.create_2to4_spmat")
        .operands(&[DEPENDENCIES, one("rows", INDEX), one("cols", INDEX), one("memref", MEMREF)])
        .results(&[one("spMat", SPARSE), TOKEN])
        .attrs(&[PRUNE_FLAG])
        .format("custom<AsyncDependencies>(type($asyncToken), $asyncDependencies) \
            `{` $pruneFlag `}` $rows `,` $cols `,` $memref attr-dict `:` type($memref)");
    CREATE_BSR = sparse("gpu.create_bsr")
        .operands(&[
            DEPENDENCIES,
            one("brows", INDEX),
            one("bcols", INDEX),
            one("bnnz", INDEX),
            one("rBlockSize", INDEX),
            one("cBlockSize", INDEX),
            one("bRowPos", MEMREF),
            one("bColIdxs", MEMREF),
            one("values", MEMREF),
        ])
        .results(&[one("spmat", SPARSE), TOKEN])
        .format("custom<AsyncDependencies>(type($asyncToken), $asyncDependencies) \
            $brows `,` $bcols `,` $bnnz `,` $rBlockSize `,` $cBlockSize `,` $bRowPos `,` \
            $bColIdxs `,` $values attr-dict `:` type($bRowPos) `,` type($bColIdxs) `,` \
            type($values)");
    CREATE_COO = sparse("gpu.create_coo")
        .operands(&[
            DEPENDENCIES,
            one("rows", INDEX),
            one("cols", INDEX),
            one("nnz", INDEX),
            one("rowIdxs", MEMREF),
            one("colIdxs", MEMREF),
            one("values", MEMREF),
        ])
        .results(&[one("spmat", SPARSE), TOKEN])
        .format("custom<AsyncDependencies>(type($asyncToken), $asyncDependencies) \
            $rows `,` $cols `,` $nnz `,` $rowIdxs `,` $colIdxs `,` $values attr-dict \
            `:` type($rowIdxs) `,` type($colIdxs) `,` type($values)");
    CREATE_COO_AOS = sparse("gpu.create_coo_aos")
        .operands(&[
            DEPENDENCIES,
            one("rows", INDEX),
            one("cols", INDEX),
            one("nnz", INDEX),
            one("idxs", MEMREF),
            one("values", MEMREF),
        ])
        .results(&[one("spmat", SPARSE), TOKEN])
        .format("custom<AsyncDependencies>(type($asyncToken), $asyncDependencies) \
            $rows `,` $cols `,` $nnz `,` $idxs `,` $values attr-dict \
            `:` type($idxs) `,` type($values)");
    CREATE_CSC = sparse("gpu.create_csc")
        .operands(&[
            DEPENDENCIES,
            one("rows", INDEX),
            one("cols", INDEX),
            one("nnz", INDEX),
            one("colPos", MEMREF),
            one("rowIdxs", MEMREF),
            one("values", MEMREF),
        ])
        .results(&[one("spmat", SPARSE), TOKEN])
        .format("custom<AsyncDependencies>(type($asyncToken), $asyncDependencies) \
            $rows `,` $cols `,` $nnz `,` $colPos `,` $rowIdxs `,` $values attr-dict \
            `:` type($colPos) `,` type($rowIdxs) `,` type($values)");
    CREATE_CSR = sparse("gpu.create_csr")
        .operands(&[
            DEPENDENCIES,
            one("rows", INDEX),
            one("cols", INDEX),
            one("nnz", INDEX),
            one("rowPos", MEMREF),
            one("colIdxs", MEMREF),
            one("values", MEMREF),
        ])
        .results(&[one("spmat", SPARSE), TOKEN])
        .format("custom<AsyncDependencies>(type($asyncToken), $asyncDependencies) \
            $rows `,` $cols `,` $nnz `,` $rowPos `,` $colIdxs `,` $values attr-dict \
            `:` type($rowPos) `,` type($colIdxs) `,` type($values)");
    CREATE_DN_TENSOR = sparse("gpu.create_dn_tensor")
        .with(Traits::ATTR_SIZED_OPERANDS)
        .operands(&[DEPENDENCIES, one("memref", MEMREF), many("dims", INDEX)])
        .results(&[one("dnTensor", DENSE), TOKEN])
        .format("custom<AsyncDependencies>(type($asyncToken), $asyncDependencies) \
            $memref `,` $dims attr-dict `:` type($dims) `into` type($memref)")
        .printed_if(has_last_operands);
    DESTROY_DN_TENSOR = sparse("gpu.destroy_dn_tensor")
        .operands(&[DEPENDENCIES, one("dnTensor", DENSE)])
        .format("custom<AsyncDependencies>(type($asyncToken), $asyncDependencies) \
            $dnTensor attr-dict");
    DESTROY_SP_MAT = sparse("gpu.destroy_sp_mat")
        .operands(&[DEPENDENCIES, one("spmat", SPARSE)])
        .format("custom<AsyncDependencies>(type($asyncToken), $asyncDependencies) \
            $spmat attr-dict");
    SDDMM = sparse("gpu.sddmm")
        .operands(&[
            DEPENDENCIES,
            one("dnmatA", DENSE),
            one("dnmatB", DENSE),
            one("spmatC", SPARSE),
            one("buffer", MEMREF),
        ])
        .attrs(&[MODE_A, MODE_B, COMPUTE_TYPE])
        .format("custom<AsyncDependencies>(type($asyncToken), $asyncDependencies) \
            $dnmatA (`{` $modeA^ `}`)? `,` $dnmatB (`{` $modeB^ `}`)? `,` $spmatC `,` $buffer \
            attr-dict `:` type($buffer) `into` $computeType");
    SDDMM_BUFFER_SIZE = sparse("gpu.sddmm_buffer_size")
        .operands(&[
            DEPENDENCIES,
            one("dnmatA", DENSE),
            one("dnmatB", DENSE),
            one("spmatC", SPARSE),
        ])
        .results(&[one("bufferSz", INDEX), TOKEN])
        .attrs(&[MODE_A, MODE_B, COMPUTE_TYPE])
        .format("custom<AsyncDependencies>(type($asyncToken), $asyncDependencies) \
            $dnmatA (`{` $modeA^ `}`)? `,` $dnmatB (`{` $modeB^ `}`)? `,` $spmatC \
            attr-dict `into` $computeType");
    SET_CSR_POINTERS = sparse("gpu.set_csr_pointers")
        .operands(&[
            DEPENDENCIES,
            one("spmat", SPARSE),
            one("positions", MEMREF),
            one("coordinates", MEMREF),
            one("values", MEMREF),
        ])
        .format("custom<AsyncDependencies>(type($asyncToken), $asyncDependencies) \
            $spmat `,` $positions `,` $coordinates `,` $values attr-dict \
            `:` type($positions) `,` type($coordinates) `,` type($values)");
    SPGEMM_COPY = sparse("gpu.spgemm_copy")
        .operands(&[
            DEPENDENCIES,
            one("desc", PRODUCT),
            one("spmatA", SPARSE),
            one("spmatB", SPARSE),
            one("spmatC", SPARSE),
        ])
        .attrs(&[MODE_A, MODE_B, COMPUTE_TYPE])
        .format("custom<AsyncDependencies>(type($asyncToken), $asyncDependencies) \
            $spmatA (`{` $modeA^ `}`)? `,` $spmatB (`{` $modeB^ `}`)? `,` $spmatC `,` $desc \
            attr-dict `:` $computeType");
    SPGEMM_CREATE_DESCR = sparse("gpu.spgemm_create_descr")
        .operands(&[DEPENDENCIES])
        .results(&[one("desc", PRODUCT), TOKEN])
        .format("custom<AsyncDependencies>(type($asyncToken), $asyncDependencies) attr-dict");
    SPGEMM_DESTROY_DESCR = sparse("gpu.spgemm_destroy_descr")
        .operands(&[DEPENDENCIES, one("desc", PRODUCT)])
        .format("custom<AsyncDependencies>(type($asyncToken), $asyncDependencies) \
            $desc attr-dict");
    SPGEMM_WORK_ESTIMATION_OR_COMPUTE = sparse("gpu.spgemm_work_estimation_or_compute")
        .operands(&[
            DEPENDENCIES,
            one("desc", PRODUCT),
            one("spmatA", SPARSE),
            one("spmatB", SPARSE),
            one("spmatC", SPARSE),
            one("bufferSz", INDEX),
            one("buffer", MEMREF),
        ])
        .results(&[one("bufferSzNew", INDEX), TOKEN])
        .attrs(&[MODE_A, MODE_B, COMPUTE_TYPE, PRODUCT_STEP])
        .format("custom<AsyncDependencies>(type($asyncToken), $asyncDependencies) \
            `{` $kind `}` $spmatA (`{` $modeA^ `}`)? `,` $spmatB (`{` $modeB^ `}`)? `,` $spmatC \
            `,` $desc `,` $bufferSz `,` $buffer attr-dict `:` $computeType `into` type($buffer)");
    SPMAT_GET_SIZE = sparse("gpu.spmat_get_size")
        .operands(&[DEPENDENCIES, one("spmat", SPARSE)])
        .results(&[one("rows", INDEX), one("cols", INDEX), one("nnz", INDEX), TOKEN])
        .format("custom<AsyncDependencies>(type($asyncToken), $asyncDependencies) \
            $spmat attr-dict");
    SPMM = sparse("gpu.spmm")
        .with(Traits::ATTR_SIZED_OPERANDS)
        .operands(&[
            DEPENDENCIES,
            one("spmatA", SPARSE),
            one("dnmatB", DENSE),
            one("dnmatC", DENSE),
            many("buffers", MEMREF),
        ])
        .attrs(&[MODE_A, MODE_B, COMPUTE_TYPE])
        .format("custom<AsyncDependencies>(type($asyncToken), $asyncDependencies) \
            $spmatA (`{` $modeA^ `}`)? `,` $dnmatB (`{` $modeB^ `}`)? `,` $dnmatC `,` $buffers \
            attr-dict `:` type($buffers) `into` $computeType")
        .printed_if(has_last_operands);
    SPMM_BUFFER_SIZE = sparse("gpu.spmm_buffer_size")
        .with_row(RowTraits::ATTR_SIZED_RESULTS)
        .operands(&[
            DEPENDENCIES,
            one("spmatA", SPARSE),
            one("dnmatB", DENSE),
            one("dnmatC", DENSE),
        ])
        .results(&[many("bufferSzs", INDEX), TOKEN])
        .attrs(&[MODE_A, MODE_B, COMPUTE_TYPE])
        .format("custom<AsyncDependencies>(type($asyncToken), $asyncDependencies) \
            $spmatA (`{` $modeA^ `}`)? `,` $dnmatB (`{` $modeB^ `}`)? `,` $dnmatC \
            attr-dict `:` type($bufferSzs) `into` $computeType")
        .printed_if(has_sizes);
    SPMV = sparse("gpu.spmv")
        .operands(&[
            DEPENDENCIES,
            one("spmatA", SPARSE),
            one("dnX", DENSE),
            one("dnY", DENSE),
            one("buffer", MEMREF),
        ])
        .attrs(&[MODE_A, COMPUTE_TYPE])
        .format("custom<AsyncDependencies>(type($asyncToken), $asyncDependencies) \
            $spmatA (`{` $modeA^ `}`)? `,` $dnX `,` $dnY `,` $buffer attr-dict \
            `:` type($buffer) `into` $computeType");
    SPMV_BUFFER_SIZE = sparse("gpu.spmv_buffer_size")
        .operands(&[
            DEPENDENCIES,
            one("spmatA", SPARSE),
            one("dnX", DENSE),
            one("dnY", DENSE),
        ])
        .results(&[one("bufferSz", INDEX), TOKEN])
        .attrs(&[MODE_A, COMPUTE_TYPE])
        .format("custom<AsyncDependencies>(type($asyncToken), $asyncDependencies) \
            $spmatA (`{` $modeA^ `}`)? `,` $dnX `,` $dnY attr-dict `into` $computeType");
}
