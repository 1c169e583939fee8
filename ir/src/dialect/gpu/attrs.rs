//! Types and attributes that only this dialect has.

use super::ids::DIMENSION;
use super::matrix::{OPERATIONS as MATRIX_OPERATIONS, parse_matrix};
use crate::context::Context;
use crate::dialect::constraints::{INDEX_ATTR, attr, is_case_of};
use crate::dialect::symbols::{SymbolDef, Symbols};
use crate::op::{AttrConstraint, AttrDef, AttrSyntax, EnumDef, EnumStorage, TypeConstraint};
use crate::types::{Type, TypeKind};

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
        SymbolDef::text("block"),
        SymbolDef::text("kernel_metadata"),
        SymbolDef::text("kernel_table"),
        SymbolDef::text("lane"),
        SymbolDef::text("loop_dim_map"),
        SymbolDef::text("mask"),
        SymbolDef::text("mat_transpose_mode"),
        SymbolDef::text("memory_space"),
        SymbolDef::text("object"),
        SymbolDef::text("prune_2to4_spmat_flag"),
        SymbolDef::text("select_object"),
        SymbolDef::text("spgemm_work_estimation_or_compute_kind"),
        SymbolDef::text("thread"),
        SymbolDef::text("warp"),
        SymbolDef::text("warpgroup"),
    ],
};

static ADDRESS_SPACES: EnumDef = EnumDef {
    summary: "GPU address space",
    cases: &[
        ("global", 1),
        ("workgroup", 2),
        ("private", 3),
        ("constant", 4),
    ],
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

/// `!gpu.async.token`: what an operation that runs in the background gives.
pub fn async_token(ctx: &Context) -> Type {
    ctx.intern_type(TypeKind::Dialect {
        dialect: ctx.ident("gpu"),
        body: ctx.ident(".async.token"),
    })
}

/// A promise that the answer stays below this.
pub(super) const UPPER_BOUND: AttrDef = attr("upper_bound", INDEX_ATTR)
    .spelled(AttrSyntax::Typed(|c| c.index_type()))
    .optional();

/// `x`, `y` or `z`.
pub(super) const DIMENSION_ATTR: AttrDef = attr(
    "dimension",
    AttrConstraint {
        summary: "a dimension, either 'x', 'y', or 'z'",
        check: |c, a| is_case_of(c, a, &DIMENSION),
    },
)
.spelled(AttrSyntax::Enum(&DIMENSION));

static REDUCTIONS: EnumDef = EnumDef {
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

/// How values of several threads combine.
pub(super) const REDUCTION: AttrDef = attr(
    "op",
    AttrConstraint {
        summary: "built-in reduction operations supported by gpu.allreduce.",
        check: |c, a| is_case_of(c, a, &REDUCTIONS),
    },
)
.spelled(AttrSyntax::Enum(&REDUCTIONS));

static SHUFFLE_MODES: EnumDef = EnumDef {
    summary: "Indexing modes supported by gpu.shuffle.",
    cases: &[("xor", 0), ("down", 1), ("up", 2), ("idx", 3)],
    storage: EnumStorage::Dialect("gpu", "<shuffle_mode ", ">"),
    bits: false,
    angled: false,
};

/// Which lane a shuffle reads.
pub(super) const SHUFFLE_MODE: AttrDef = attr(
    "mode",
    AttrConstraint {
        summary: "Indexing modes supported by gpu.shuffle.",
        check: |c, a| is_case_of(c, a, &SHUFFLE_MODES),
    },
)
.spelled(AttrSyntax::Enum(&SHUFFLE_MODES));

static BROADCASTS: EnumDef = EnumDef {
    summary: "a lane to broadcast from",
    cases: &[("first_active_lane", 0), ("specific_lane", 1)],
    storage: EnumStorage::Dialect("gpu", "<broadcast ", ">"),
    bits: false,
    angled: false,
};

/// Which lane a broadcast reads.
pub(super) const BROADCAST_TYPE: AttrDef = attr(
    "broadcast_type",
    AttrConstraint {
        summary: "a lane to broadcast from",
        check: |c, a| is_case_of(c, a, &BROADCASTS),
    },
)
.spelled(AttrSyntax::Enum(&BROADCASTS));
