//! The `index` dialect: arithmetic on `index`, whose width is target-dependent.

use crate::constant_name::{bool_name, integer};
use gridloom_ir::constraints::*;
use gridloom_ir::op::{
    AttrConstraint, AttrDef, AttrSyntax, EnumDef, EnumStorage, OpDef, ResultName, Storage, Traits,
    TypeConstraint,
};
use gridloom_ir::scalar::{Cast, Computation, IntOp};
use gridloom_ir::symbols::{SymbolDef, Symbols};
use gridloom_ir::types::TypeKind;
use gridloom_ir::verify::{Check, Checked};

mod fold;

pub use fold::predicate;

/// A binary operation on indices.
const fn binary(name: &'static str, op: IntOp) -> OpDef {
    OpDef::new(name)
        .with(Traits::PURE)
        .operands(const { &[one("lhs", INDEX), one("rhs", INDEX)] })
        .results(const { &[one("result", INDEX)] })
        .format("$lhs `,` $rhs attr-dict")
        .computes(Computation::Index(op))
}

const fn commutative(name: &'static str, op: IntOp) -> OpDef {
    binary(name, op).with(Traits::COMMUTATIVE)
}

/// A division or remainder; undefined for a zero divisor.
const fn division(name: &'static str, op: IntOp) -> OpDef {
    binary(name, op).with(Traits::CONDITIONALLY_SPECULATABLE)
}

/// A conversion between `index` and integers.
const fn cast(name: &'static str, cast: Cast) -> OpDef {
    OpDef::new(name)
        .with(Traits::PURE)
        .operands(const { &[one("input", INTEGER_OR_INDEX)] })
        .results(const { &[one("output", INTEGER_OR_INDEX)] })
        .format("$input attr-dict `:` type($input) `to` type($output)")
        .verify_kind(verify_cast)
        .computes(Computation::IndexCast(cast))
}

const fn constant(name: &'static str) -> OpDef {
    OpDef::new(name)
        .with(Traits::PURE)
        .with(Traits::CONSTANT_LIKE)
        .format("attr-dict $value")
}

const INTEGER_OR_INDEX: TypeConstraint = TypeConstraint::new("integer or index", |c, t| {
    matches!(t.kind(c), TypeKind::Integer { .. } | TypeKind::Index)
});

static PREDICATES: EnumDef = EnumDef {
    class: "IndexCmpPredicate",
    record: "IndexCmpPredicateAttr",
    summary: "index comparison predicate kind",
    cases: &[
        ("eq", 0),
        ("ne", 1),
        ("slt", 2),
        ("sle", 3),
        ("sgt", 4),
        ("sge", 5),
        ("ult", 6),
        ("ule", 7),
        ("ugt", 8),
        ("uge", 9),
    ],
    storage: EnumStorage::Dialect("index", "<cmp_predicate ", ">"),
    bits: false,
    angled: false,
};

const PREDICATE: AttrDef = attr(
    "pred",
    AttrConstraint {
        summary: "index comparison predicate kind",
        storage: Storage::Exact,
        check: |c, a| is_case_of(c, a, &PREDICATES),
    },
)
.spelled(AttrSyntax::Enum(&PREDICATES));

/// The attributes of the dialect.
pub(crate) static SYMBOLS: Symbols = Symbols {
    dialect: "index",
    types: &[],
    attrs: &[SymbolDef::cases("cmp_predicate", &PREDICATES)],
};

dialect_ops! {
    after super::vector::END;
    /// `index.add`: sum.
    ADD = commutative("index.add", IntOp::Add)
        .fold(|cx| fold::with_neutral(cx, 0));
    /// `index.and`: bitwise and.
    AND = commutative("index.and", IntOp::And)
        .fold(|cx| fold::with_absorbing(cx, -1, 0));
    /// `index.bool.constant`: a Boolean known at compile time.
    BOOL_CONSTANT = constant("index.bool.constant")
        .result_named(ResultName::Of(|ctx, body, op| Some(bool_name(integer(ctx, body, op)?))))
        .results(&[one("result", I1)])
        .attrs(&[attr("value", BOOL).spelled(AttrSyntax::Typed(|c| c.bool_type()))]);
    /// `index.casts`: between `index` and integers, as signed.
    CASTS = cast("index.casts", Cast::IntSign);
    /// `index.castu`: between `index` and integers, as unsigned.
    CASTU = cast("index.castu", Cast::IntZero);
    /// `index.ceildivs`: signed quotient, rounded up.
    CEILDIVS = division("index.ceildivs", IntOp::CeilDivS);
    /// `index.ceildivu`: unsigned quotient, rounded up.
    CEILDIVU = division("index.ceildivu", IntOp::CeilDivU);
    /// `index.cmp`: comparison.
    CMP = OpDef::new("index.cmp")
        .with(Traits::PURE)
        .operands(&[one("lhs", INDEX), one("rhs", INDEX)])
        .results(&[one("result", I1)])
        .attrs(&[PREDICATE])
        .format("`` $pred `(` $lhs `,` $rhs `)` attr-dict")
        .fold(fold::compare);
    /// `index.constant`: an index known at compile time.
    CONSTANT = constant("index.constant")
        .result_named(ResultName::Of(|ctx, body, op| {
            Some(format!("idx{}", integer(ctx, body, op)?.to_decimal()).into())
        }))
        .results(&[one("result", INDEX)])
        .attrs(&[attr("value", INDEX_ATTR).spelled(AttrSyntax::Typed(|c| c.index_type()))]);
    /// `index.divs`: signed quotient, rounded towards zero.
    DIVS = division("index.divs", IntOp::DivS);
    /// `index.divu`: unsigned quotient.
    DIVU = division("index.divu", IntOp::DivU);
    /// `index.floordivs`: signed quotient, rounded down.
    FLOORDIVS = division("index.floordivs", IntOp::FloorDivS);
    /// `index.maxs`: the greater signed index.
    MAXS = commutative("index.maxs", IntOp::MaxS);
    /// `index.maxu`: the greater unsigned index.
    MAXU = commutative("index.maxu", IntOp::MaxU);
    /// `index.mins`: the lesser signed index.
    MINS = commutative("index.mins", IntOp::MinS);
    /// `index.minu`: the lesser unsigned index.
    MINU = commutative("index.minu", IntOp::MinU);
    /// `index.mul`: product.
    MUL = commutative("index.mul", IntOp::Mul)
        .fold(|cx| fold::with_absorbing(cx, 1, 0));
    /// `index.or`: bitwise or.
    OR = commutative("index.or", IntOp::Or)
        .fold(|cx| fold::with_absorbing(cx, 0, -1));
    /// `index.rems`: remainder with the sign of the dividend.
    REMS = division("index.rems", IntOp::RemS);
    /// `index.remu`: unsigned remainder.
    REMU = division("index.remu", IntOp::RemU);
    /// `index.shl`: shift to the left.
    SHL = binary("index.shl", IntOp::Shl);
    /// `index.shrs`: shift to the right, the sign repeated.
    SHRS = binary("index.shrs", IntOp::ShrS);
    /// `index.shru`: shift to the right, zeros in front.
    SHRU = binary("index.shru", IntOp::ShrU);
    /// `index.sizeof`: the width of `index` in bits.
    SIZEOF = OpDef::new("index.sizeof")
        .with(Traits::PURE)
        .results(&[one("result", INDEX)])
        .format("attr-dict");
    /// `index.sub`: difference.
    SUB = binary("index.sub", IntOp::Sub)
        .fold(|cx| fold::with_neutral(cx, 0));
    /// `index.xor`: bitwise exclusive or.
    XOR = commutative("index.xor", IntOp::Xor)
        .fold(|cx| fold::with_neutral(cx, 0));
}

fn verify_cast(check: &Check) -> Checked {
    let (from, to) = (check.operand_type(0), check.result_type(0));
    if from.is_index(check.ctx()) != to.is_index(check.ctx()) {
        return Ok(());
    }
    Err(check.error(format!(
        "operand type '{}' and result type '{}' are cast incompatible",
        check.show(from),
        check.show(to)
    )))
}
