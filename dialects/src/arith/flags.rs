//! Flags and modes of arithmetic: enumerations and attributes.

use gridloom_ir::attr::{Attr, AttrKind};
use gridloom_ir::attr_names;
use gridloom_ir::body::OpData;
use gridloom_ir::constraints::{attr, is_case_of};
use gridloom_ir::context::Context;
use gridloom_ir::op::{AttrConstraint, AttrDef, AttrSyntax, EnumDef, EnumStorage, Storage};
use gridloom_ir::symbols::{SymbolDef, Symbols};

/// `#arith.fastmath<…>`, `#arith.overflow<…>`
pub(crate) static SYMBOLS: Symbols = Symbols {
    dialect: "arith",
    types: &[],
    attrs: &[
        SymbolDef::cases("fastmath", &FASTMATH_FLAGS),
        SymbolDef::cases("overflow", &OVERFLOW_FLAGS),
    ],
};

/// Assumptions that permit floating-point rewrites.
pub(crate) static FASTMATH_FLAGS: EnumDef = EnumDef {
    class: "FastMathFlags",
    record: "Arith_FastMathAttr",
    summary: "Floating point fast math flags",
    cases: &[
        ("none", 0),
        ("reassoc", 1),
        ("nnan", 2),
        ("ninf", 4),
        ("nsz", 8),
        ("arcp", 16),
        ("contract", 32),
        ("afn", 64),
        ("fast", 127),
    ],
    storage: EnumStorage::Dialect("arith", ".fastmath<", ">"),
    bits: true,
    angled: true,
};

const FASTMATH_CONSTRAINT: AttrConstraint = AttrConstraint {
    summary: "Floating point fast math flags",
    storage: Storage::Exact,
    check: |c, a| is_case_of(c, a, &FASTMATH_FLAGS),
};

/// The attribute `fastmath`; `none` by default.
pub(crate) const FASTMATH: AttrDef = attr("fastmath", FASTMATH_CONSTRAINT)
    .spelled(AttrSyntax::Enum(&FASTMATH_FLAGS))
    .or("#arith.fastmath<none>");

/// The optional attribute `fastmath`.
pub(crate) const OPTIONAL_FASTMATH: AttrDef = attr("fastmath", FASTMATH_CONSTRAINT)
    .spelled(AttrSyntax::Enum(&FASTMATH_FLAGS))
    .optional();

/// Overflows that the producer promises not to happen.
pub(crate) static OVERFLOW_FLAGS: EnumDef = EnumDef {
    class: "IntegerOverflowFlags",
    record: "Arith_IntegerOverflowAttr",
    summary: "Integer overflow arith flags",
    cases: &[("none", 0), ("nsw", 1), ("nuw", 2)],
    storage: EnumStorage::Joined("arith", ".overflow<", ">", ", "),
    bits: true,
    angled: true,
};

/// The attribute `overflowFlags`; `none` by default.
pub(crate) const OVERFLOW: AttrDef = attr(
    "overflowFlags",
    AttrConstraint {
        summary: "Integer overflow arith flags",
        storage: Storage::Exact,
        check: |c, a| is_case_of(c, a, &OVERFLOW_FLAGS),
    },
)
.spelled(AttrSyntax::Enum(&OVERFLOW_FLAGS))
.or("#arith.overflow<none>");

/// Rounding modes of inexact results.
pub(crate) static ROUNDING_MODE: EnumDef = EnumDef {
    class: "",
    record: "",
    summary: "Floating point rounding mode",
    cases: &[
        ("to_nearest_even", 0),
        ("downward", 1),
        ("upward", 2),
        ("toward_zero", 3),
        ("to_nearest_away", 4),
    ],
    storage: EnumStorage::Integer(32),
    bits: false,
    angled: false,
};

/// The optional attribute `roundingmode`.
pub(crate) const ROUNDING: AttrDef = attr(
    "roundingmode",
    AttrConstraint {
        summary: "Floating point rounding mode",
        storage: Storage::Exact,
        check: |c, a| is_case_of(c, a, &ROUNDING_MODE),
    },
)
.spelled(AttrSyntax::Enum(&ROUNDING_MODE))
.optional();

/// Rounding mode of an inexact result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RoundingMode {
    /// To the nearest number; in the middle, to the one with an even significand.
    ToNearestEven,
    /// Towards minus infinity.
    Downward,
    /// Towards plus infinity.
    Upward,
    /// Towards zero.
    TowardZero,
    /// To the nearest number; in the middle, to the one of greater magnitude.
    ToNearestAway,
}

impl RoundingMode {
    /// The keyword, such as `toward_zero`.
    pub fn keyword(self) -> &'static str {
        ROUNDING_MODE.cases[self as usize].0
    }
}

/// The mode by which `arith.truncf` or `arith.scaling_truncf` rounds.
pub fn rounding_mode(ctx: &Context, op: &OpData) -> RoundingMode {
    let mode = op.attr(ctx, ROUNDING.name);
    match mode.and_then(|mode| mode.as_i64(ctx)) {
        Some(1) => RoundingMode::Downward,
        Some(2) => RoundingMode::Upward,
        Some(3) => RoundingMode::TowardZero,
        Some(4) => RoundingMode::ToNearestAway,
        _ => RoundingMode::ToNearestEven,
    }
}

/// Combining operations of atomic updates and reductions.
pub(crate) static ATOMIC_RMW_KIND: EnumDef = EnumDef {
    class: "",
    record: "",
    summary: "allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
    cases: &[
        ("addf", 0),
        ("addi", 1),
        ("andi", 2),
        ("assign", 3),
        ("maximumf", 4),
        ("maxnumf", 5),
        ("maxs", 6),
        ("maxu", 7),
        ("minimumf", 8),
        ("minnumf", 9),
        ("mins", 10),
        ("minu", 11),
        ("mulf", 12),
        ("muli", 13),
        ("ori", 14),
        ("xori", 15),
    ],
    storage: EnumStorage::Integer(64),
    bits: false,
    angled: false,
};

/// Operations may be grouped and ordered anew.
pub const REASSOCIATE: u32 = 1;
/// No result or operand is a NaN.
pub const NO_NANS: u32 = 2;
/// No result or operand is infinite.
pub const NO_INFINITIES: u32 = 4;
/// The sign of a zero does not matter.
pub const NO_SIGNED_ZEROS: u32 = 8;
/// Products and sums may be fused, and conversions back and forth cancelled.
pub const CONTRACT: u32 = 32;

/// The signed result does not wrap.
pub const NO_SIGNED_WRAP: u32 = 1;
/// The unsigned result does not wrap.
pub const NO_UNSIGNED_WRAP: u32 = 2;

/// The `fastmath` flags of an operation as bits; 0 without the attribute.
pub fn fastmath_flags(ctx: &Context, op: &OpData) -> u32 {
    op.attr(ctx, attr_names::FASTMATH)
        .map_or(0, |attr| bits_of(ctx, attr, &FASTMATH_FLAGS))
}

/// The `overflowFlags` of an operation as bits; 0 without the attribute.
pub fn overflow_flags(ctx: &Context, op: &OpData) -> u32 {
    op.attr(ctx, "overflowFlags")
        .map_or(0, |attr| bits_of(ctx, attr, &OVERFLOW_FLAGS))
}

/// Makes an `#arith.fastmath<…>` attribute from bits.
pub fn fastmath_attr(ctx: &Context, bits: u32) -> Attr {
    ctx.dialect_attr(
        "arith",
        &format!(".fastmath<{}>", keywords_of(bits, &FASTMATH_FLAGS)),
    )
}

/// Makes an `#arith.overflow<…>` attribute from bits.
pub fn overflow_attr(ctx: &Context, bits: u32) -> Attr {
    ctx.dialect_attr(
        "arith",
        &format!(".overflow<{}>", keywords_of(bits, &OVERFLOW_FLAGS)),
    )
}

/// The bits of the keywords of an attribute.
fn bits_of(ctx: &Context, attr: Attr, flags: &EnumDef) -> u32 {
    let (AttrKind::Dialect { body, .. }, Some((_, prefix, suffix))) =
        (attr.kind(ctx), flags.storage.dialect())
    else {
        return 0;
    };
    let keywords = ctx.str(*body).strip_prefix(prefix);
    let keywords = keywords.and_then(|keywords| keywords.strip_suffix(suffix));
    let value = |keyword: &str| flags.cases.iter().find(|case| case.0 == keyword.trim());
    let values = keywords.unwrap_or("").split(',').filter_map(value);
    values.fold(0, |bits, case| bits | case.1 as u32)
}

/// The keywords of bits, as the attribute spells them.
fn keywords_of(bits: u32, flags: &EnumDef) -> String {
    let is_set = |case: &&(&str, i64)| match case.1 as u32 {
        0 => bits == 0,
        flag => flag.is_power_of_two() && bits & flag != 0,
    };
    let keywords: Vec<&str> = flags
        .cases
        .iter()
        .filter(is_set)
        .map(|case| case.0)
        .collect();
    keywords.join(", ")
}
