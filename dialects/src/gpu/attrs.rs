//! Types and attributes of the `gpu` dialect.

use super::ids::DIMENSION;
use super::matrix::{OPERATIONS as MATRIX_OPERATIONS, parse_matrix};
use super::{mapping, object};
use crate::builtin;
use gridloom_ir::attr::{Attr, AttrKind};
use gridloom_ir::constraints::{INDEX_ATTR, attr, is_case_of};
use gridloom_ir::context::Context;
use gridloom_ir::diag::Diagnostic;
use gridloom_ir::op::{
    AttrConstraint, AttrDef, AttrSyntax, EnumDef, EnumStorage, Storage, TypeConstraint,
};
use gridloom_ir::symbols::{SymbolDef, Symbols};
use gridloom_ir::types::{Type, TypeKind};
use gridloom_ir::verify::Carrier;
use gridloom_ir::verify::{Check, Checked};

/// The types and attributes of the dialect.
pub(crate) static SYMBOLS: Symbols = Symbols {
    dialect: "gpu",
    types: &[
        SymbolDef::plain("async.token"),
        SymbolDef::new("mma_matrix", parse_matrix, |_, _, _| {}),
        SymbolDef::plain("sparse.dntensor_handle"),
        SymbolDef::plain("sparse.spgemmop_handle"),
        SymbolDef::plain("sparse.spmat_handle"),
    ],
    attrs: &[
        SymbolDef::cases("address_space", &ADDRESS_SPACES),
        SymbolDef::cases("all_reduce_op", &REDUCTIONS),
        SymbolDef::cases("broadcast", &BROADCASTS),
        SymbolDef::cases("dim", &DIMENSION),
        SymbolDef::cases("mma_element_wise", &MATRIX_OPERATIONS),
        SymbolDef::cases("shuffle_mode", &SHUFFLE_MODES),
        SymbolDef::cases("block", &mapping::BLOCK),
        SymbolDef::cases("lane", &mapping::LANE),
        SymbolDef::cases("mat_transpose_mode", &TRANSPOSE_MODES),
        SymbolDef::cases("memory_space", &mapping::MEMORY_SPACE),
        SymbolDef::cases("prune_2to4_spmat_flag", &PRUNE_FLAGS),
        SymbolDef::cases("spgemm_work_estimation_or_compute_kind", &PRODUCT_STEPS),
        SymbolDef::cases("thread", &mapping::THREAD),
        SymbolDef::cases("warp", &mapping::WARP),
        SymbolDef::cases("warpgroup", &mapping::WARPGROUP),
        SymbolDef::new(
            "kernel_metadata",
            object::parse_metadata,
            object::print_metadata,
        ),
        SymbolDef::new("kernel_table", object::parse_table, object::print_table),
        SymbolDef::new("loop_dim_map", mapping::parse_loop, mapping::print_loop),
        SymbolDef::new("mask", mapping::parse_mask, mapping::print_mask),
        SymbolDef::new("object", object::parse_object, object::print_object),
        SymbolDef::new("select_object", object::parse_select, object::print_select),
    ],
};

/// Address spaces of a launch.
pub(super) const ADDRESS_SPACE_CASES: &[(&str, i64)] =
    &[("global", 1), ("workgroup", 2), ("private", 3)];

static ADDRESS_SPACES: EnumDef = EnumDef {
    class: "AddressSpace",
    record: "GPU_AddressSpaceAttr",
    summary: "GPU address space",
    cases: ADDRESS_SPACE_CASES,
    storage: EnumStorage::Dialect("gpu", ".address_space<", ">"),
    bits: false,
    angled: true,
};

/// `!gpu.async.token`
pub(super) const ASYNC_TOKEN: TypeConstraint = TypeConstraint {
    summary: "async token type",
    check: |c, t| t == async_token(c),
    build: Some(async_token),
    class: None,
};

/// `!gpu.async.token`: the completion token of an asynchronous operation.
pub fn async_token(ctx: &Context) -> Type {
    ctx.intern_type(TypeKind::Dialect {
        dialect: ctx.ident("gpu"),
        body: ctx.ident(".async.token"),
    })
}

/// Promised upper bound of an id or size.
pub(super) const UPPER_BOUND: AttrDef = attr("upper_bound", INDEX_ATTR)
    .spelled(AttrSyntax::Typed(|c| c.index_type()))
    .optional();

/// Dimension of a launch: `x`, `y` or `z`.
pub(super) const DIMENSION_ATTR: AttrDef = attr(
    "dimension",
    AttrConstraint {
        summary: "a dimension, either 'x', 'y', or 'z'",
        storage: Storage::Exact,
        check: |c, a| is_case_of(c, a, &DIMENSION),
    },
)
.spelled(AttrSyntax::Enum(&DIMENSION));

pub(super) static REDUCTIONS: EnumDef = EnumDef {
    class: "AllReduceOperation",
    record: "GPU_AllReduceOperationAttr",
    summary: "built-in reduction operations supported by gpu.allreduce.",
    cases: &[
        ("add", 0),
        ("mul", 1),
        ("minui", 2),
        ("minsi", 3),
        ("minnumf", 4),
        ("maxui", 5),
        ("maxsi", 6),
        ("maxnumf", 7),
        ("and", 8),
        ("or", 9),
        ("xor", 10),
        ("minimumf", 11),
        ("maximumf", 12),
    ],
    storage: EnumStorage::Dialect("gpu", "<all_reduce_op ", ">"),
    bits: false,
    angled: false,
};

/// Reduction operation, which combines values of several threads.
pub(super) const REDUCTION: AttrDef = attr(
    "op",
    AttrConstraint {
        summary: "built-in reduction operations supported by gpu.allreduce.",
        storage: Storage::Exact,
        check: |c, a| is_case_of(c, a, &REDUCTIONS),
    },
)
.spelled(AttrSyntax::Enum(&REDUCTIONS));

static SHUFFLE_MODES: EnumDef = EnumDef {
    class: "ShuffleMode",
    record: "GPU_ShuffleModeAttr",
    summary: "Indexing modes supported by gpu.shuffle.",
    cases: &[("xor", 0), ("up", 2), ("down", 1), ("idx", 3)],
    storage: EnumStorage::Dialect("gpu", "<shuffle_mode ", ">"),
    bits: false,
    angled: false,
};

/// Shuffle mode: which lane a shuffle reads.
pub(super) const SHUFFLE_MODE: AttrDef = attr(
    "mode",
    AttrConstraint {
        summary: "Indexing modes supported by gpu.shuffle.",
        storage: Storage::Exact,
        check: |c, a| is_case_of(c, a, &SHUFFLE_MODES),
    },
)
.spelled(AttrSyntax::Enum(&SHUFFLE_MODES));

static BROADCASTS: EnumDef = EnumDef {
    class: "BroadcastType",
    record: "GPU_BroadcastTypeAttr",
    summary: "a lane to broadcast from",
    cases: &[("first_active_lane", 0), ("specific_lane", 1)],
    storage: EnumStorage::Dialect("gpu", "<broadcast ", ">"),
    bits: false,
    angled: false,
};

/// Broadcast mode: which lane a broadcast reads.
pub(super) const BROADCAST_TYPE: AttrDef = attr(
    "broadcast_type",
    AttrConstraint {
        summary: "a lane to broadcast from",
        storage: Storage::Exact,
        check: |c, a| is_case_of(c, a, &BROADCASTS),
    },
)
.spelled(AttrSyntax::Enum(&BROADCASTS));

/// Enumeration of the operations on sparse matrices.
const fn sparse(
    class: &'static str,
    record: &'static str,
    summary: &'static str,
    prefix: &'static str,
    cases: &'static [(&'static str, i64)],
) -> EnumDef {
    let storage = EnumStorage::Dialect("gpu", prefix, ">");
    EnumDef::new(class, record, summary, storage, cases)
}

static PRUNE_FLAGS: EnumDef = sparse(
    "Prune2To4SpMatFlag",
    "GPU_Prune2To4SpMatFlagAttr",
    "pruning strategy for 2:4 sparse matrix",
    "<prune_2to4_spmat_flag ",
    &[("NONE", 0), ("PRUNE_ONLY", 1), ("PRUNE_AND_CHECK", 2)],
);

static TRANSPOSE_MODES: EnumDef = sparse(
    "TransposeMode",
    "GPU_TransposeModeAttr",
    "transpose mode of sparse matrix supported by sparse tensor ops",
    "<mat_transpose_mode ",
    &[
        ("NON_TRANSPOSE", 0),
        ("TRANSPOSE", 1),
        ("CONJUGATE_TRANSPOSE", 2),
    ],
);

static PRODUCT_STEPS: EnumDef = sparse(
    "SpGEMMWorkEstimationOrComputeKind",
    "GPU_SpGEMMWorkEstimationOrComputeKindAttr",
    "choose whether spgemm_work_estimation_or_compute does work estimation or compute",
    "<spgemm_work_estimation_or_compute_kind ",
    &[("WORK_ESTIMATION", 0), ("COMPUTE", 1)],
);

/// Transposition flag of a factor of a product.
const fn mode(name: &'static str) -> AttrDef {
    let constraint = AttrConstraint {
        summary: "transpose mode of sparse matrix supported by sparse tensor ops",
        storage: Storage::Exact,
        check: |c, a| is_case_of(c, a, &TRANSPOSE_MODES),
    };
    attr(name, constraint)
        .spelled(AttrSyntax::Enum(&TRANSPOSE_MODES))
        .or("#gpu<mat_transpose_mode NON_TRANSPOSE>")
}

/// Transposition of the first factor.
pub(super) const MODE_A: AttrDef = mode("modeA");
/// Transposition of the second factor.
pub(super) const MODE_B: AttrDef = mode("modeB");

/// Pruning mode of a matrix to two elements of four.
pub(super) const PRUNE_FLAG: AttrDef = attr(
    "pruneFlag",
    AttrConstraint {
        summary: "pruning strategy for 2:4 sparse matrix",
        storage: Storage::Exact,
        check: |c, a| is_case_of(c, a, &PRUNE_FLAGS),
    },
)
.spelled(AttrSyntax::Enum(&PRUNE_FLAGS))
.or("#gpu<prune_2to4_spmat_flag PRUNE_AND_CHECK>");

/// Phase of a product of sparse matrices.
pub(super) const PRODUCT_STEP: AttrDef = attr(
    "kind",
    AttrConstraint {
        summary: "choose whether spgemm_work_estimation_or_compute does work estimation or compute",
        storage: Storage::Exact,
        check: |c, a| is_case_of(c, a, &PRODUCT_STEPS),
    },
)
.spelled(AttrSyntax::Enum(&PRODUCT_STEPS));

/// Discardable attributes for sizes that every launch of a kernel has.
const KNOWN_SIZES: [&str; 3] = [
    "gpu.known_block_size",
    "gpu.known_cluster_size",
    "gpu.known_grid_size",
];

fn verify_known_size(check: &Check, name: &str, value: Attr) -> Checked {
    let Some(sizes) = value.as_i32_array(check.ctx()) else {
        return Err(check.error(format!("{name} must be a dense i32 array")));
    };
    let message = format_args!("{name} must contain exactly 3 elements");
    check.ensure(sizes.len() == 3, message)
}

/// Checks an attribute whose name begins with `gpu.`.
pub(crate) fn verify_attribute(
    check: &Check,
    carrier: Carrier,
    name: &str,
    value: Attr,
) -> Checked {
    let on_operation = matches!(carrier, Carrier::Operation);
    if on_operation && KNOWN_SIZES.contains(&name) {
        return verify_known_size(check, name, value);
    }
    let is_unit = matches!(value.kind(check.ctx()), AttrKind::Unit);
    let marks = on_operation && is_unit && name == "gpu.container_module";
    if !marks || check.name() == builtin::MODULE {
        return Ok(());
    }
    let message = "expected 'gpu.container_module' attribute to be attached to 'builtin.module'";
    Err(Diagnostic::error(check.data().loc, message))
}
