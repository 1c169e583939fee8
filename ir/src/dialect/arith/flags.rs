//! Flags and modes of arithmetic, as the rows and custom forms know them.

use crate::dialect::constraints::{attr, is_case_of};
use crate::dialect::symbols::{SymbolDef, Symbols};
use crate::op::{AttrConstraint, AttrDef, AttrSyntax, EnumDef, EnumStorage};

/// `#arith.fastmath<…>`, `#arith.overflow<…>`
pub(crate) static SYMBOLS: Symbols = Symbols {
    dialect: "arith",
    types: &[],
    attrs: &[
        SymbolDef::cases("fastmath", &FASTMATH_FLAGS),
        SymbolDef::cases("overflow", &OVERFLOW_FLAGS),
    ],
};

/// What floating-point rewrites may assume.
pub(crate) static FASTMATH_FLAGS: EnumDef = EnumDef {
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
    check: |c, a| is_case_of(c, a, &FASTMATH_FLAGS),
};

/// `fastmath`, none unless given.
pub(crate) const FASTMATH: AttrDef = attr("fastmath", FASTMATH_CONSTRAINT)
    .spelled(AttrSyntax::Enum(&FASTMATH_FLAGS))
    .or("#arith.fastmath<none>");

/// `fastmath`, absent unless given.
pub(crate) const OPTIONAL_FASTMATH: AttrDef = attr("fastmath", FASTMATH_CONSTRAINT)
    .spelled(AttrSyntax::Enum(&FASTMATH_FLAGS))
    .optional();

/// Which overflows never happen.
pub(crate) static OVERFLOW_FLAGS: EnumDef = EnumDef {
    summary: "Integer overflow arith flags",
    cases: &[("none", 0), ("nsw", 1), ("nuw", 2)],
    storage: EnumStorage::Dialect("arith", ".overflow<", ">"),
    bits: true,
    angled: true,
};

/// `overflowFlags`, none unless given.
pub(crate) const OVERFLOW: AttrDef = attr(
    "overflowFlags",
    AttrConstraint {
        summary: "Integer overflow arith flags",
        check: |c, a| is_case_of(c, a, &OVERFLOW_FLAGS),
    },
)
.spelled(AttrSyntax::Enum(&OVERFLOW_FLAGS))
.or("#arith.overflow<none>");

/// Where a float goes that lies between two.
pub(crate) static ROUNDING_MODE: EnumDef = EnumDef {
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

/// `roundingmode`, absent unless given.
pub(crate) const ROUNDING: AttrDef = attr(
    "roundingmode",
    AttrConstraint {
        summary: "Floating point rounding mode",
        check: |c, a| is_case_of(c, a, &ROUNDING_MODE),
    },
)
.spelled(AttrSyntax::Enum(&ROUNDING_MODE))
.optional();

/// How an atomic update or a reduction combines two values.
pub(crate) static ATOMIC_RMW_KIND: EnumDef = EnumDef {
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
