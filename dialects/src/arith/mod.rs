//! The `arith` dialect: arithmetic on integers, floats and `index`, and on
//! vectors and tensors of them element by element.

use gridloom_ir::constraints::*;
use gridloom_ir::op::{
    AttrConstraint, AttrDef, AttrSyntax, OpDef, OpName, Relation, ResultName, RowTraits, Storage,
    Traits, TypeRule, ValueDef, holds,
};
use gridloom_ir::scalar::{Accumulate, Cast, Computation, FloatOp, FloatUnary, IntOp};

mod bits;
mod cast;
mod compare;
mod constant;
mod flags;
pub(crate) mod float;
mod int;
mod linearize;
pub(crate) mod result_names;

pub use compare::{CmpFOp, CmpFPredicate, CmpIOp, CmpIPredicate, bool_like, select};
pub use constant::{ConstantOp, constant_int, constant_value};
pub(crate) use flags::{ATOMIC_RMW_KIND, FASTMATH, OPTIONAL_FASTMATH, SYMBOLS};
pub use flags::{
    CONTRACT, NO_INFINITIES, NO_NANS, NO_SIGNED_WRAP, NO_SIGNED_ZEROS, NO_UNSIGNED_WRAP,
    REASSOCIATE, RoundingMode, fastmath_attr, fastmath_flags, overflow_attr, overflow_flags,
    rounding_mode,
};
pub use linearize::linearize;

pub(crate) use compare::{CMPF_PREDICATE, CMPI_PREDICATE};
use flags::{OVERFLOW, ROUNDING};

const COMMUTATIVE: Traits = Traits::COMMUTATIVE;
const ELEMENTWISE: Traits = Traits::ELEMENTWISE.with(Traits::PURE);
const UNIFORM: RowTraits = ELEMENTWISE
    .in_row()
    .with(RowTraits::SAME_OPERANDS_AND_RESULT_TYPE);

const INT_PAIR: &[ValueDef] = &[one("lhs", INT_LIKE), one("rhs", INT_LIKE)];
const FLOAT_PAIR: &[ValueDef] = &[one("lhs", FLOAT_LIKE), one("rhs", FLOAT_LIKE)];
const FLOAT_IN: &[ValueDef] = &[one("in", FLOAT_LIKE)];
const FLOAT_OUT: &[ValueDef] = &[one("out", FLOAT_LIKE)];
const FIXED_INT_IN: &[ValueDef] = &[one("in", FIXED_INT_LIKE)];
const FIXED_INT_OUT: &[ValueDef] = &[one("out", FIXED_INT_LIKE)];

/// Integers in, an integer of the same type out.
const fn int_binary(name: &'static str, op: IntOp) -> OpDef {
    OpDef::new(name)
        .with_row(UNIFORM)
        .operands(INT_PAIR)
        .results(const { &[one("result", INT_LIKE)] })
        .format("$lhs `,` $rhs attr-dict `:` type($result)")
        .computes(Computation::Int(op))
}

/// A division or remainder; undefined for a zero divisor.
const fn division(name: &'static str, op: IntOp) -> OpDef {
    int_binary(name, op).with(Traits::CONDITIONALLY_SPECULATABLE)
}

/// An operation that wraps, unless its overflow flags promise otherwise.
const fn wrapping(name: &'static str, op: IntOp) -> OpDef {
    int_binary(name, op)
        .attrs(const { &[OVERFLOW] })
        .format("$lhs `,` $rhs (`overflow` `` $overflowFlags^)? attr-dict `:` type($result)")
}

/// An operation that may lose bits, unless `exact` promises otherwise.
const fn exact(name: &'static str, op: IntOp) -> OpDef {
    int_binary(name, op)
        .attrs(const { &[flag("isExact")] })
        .format("$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)")
}

/// A binary float operation on one type.
const fn float_binary(name: &'static str, op: FloatOp) -> OpDef {
    OpDef::new(name)
        .with_row(UNIFORM)
        .operands(FLOAT_PAIR)
        .results(const { &[one("result", FLOAT_LIKE)] })
        .attrs(const { &[FASTMATH] })
        .format("$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)")
        .computes(Computation::Float(op))
}

/// A multiplication with both halves of the product as results.
const fn extended_product(name: &'static str) -> OpDef {
    OpDef::new(name)
        .with(ELEMENTWISE)
        .with(COMMUTATIVE)
        .operands(INT_PAIR)
        .results(const { &[one("low", INT_LIKE), one("high", INT_LIKE)] })
        .infer(
            const {
                &[same(
                    &["lhs", "rhs", "low", "high"],
                    "all of {lhs, rhs, low, high} have same type",
                )]
            },
        )
        .format("$lhs `,` $rhs attr-dict `:` type($lhs)")
}

const SAME_TENSOR_DIMS: &[Relation] = &[holds(
    cast::same_tensor_dims,
    "input and output have the same tensor dimensions",
)];

/// A conversion between types of one shape.
const fn cast(
    name: &'static str,
    operands: &'static [ValueDef],
    results: &'static [ValueDef],
    cast: Cast,
) -> OpDef {
    OpDef::new(name)
        .with(ELEMENTWISE)
        .with_row(RowTraits::SAME_SHAPE)
        .operands(operands)
        .results(results)
        .relations(SAME_TENSOR_DIMS)
        .format("$in attr-dict `:` type($in) `to` type($out)")
        .computes(Computation::Cast(cast))
}

/// The predicate attribute of a comparison, spelled as a keyword.
const CMPI_PREDICATE_ATTR: AttrDef = attr(
    "predicate",
    AttrConstraint {
        summary: CMPI_PREDICATE.summary,
        storage: Storage::Exact,
        check: |c, a| is_case_of(c, a, &CMPI_PREDICATE),
    },
)
.spelled(AttrSyntax::Enum(&CMPI_PREDICATE));
const CMPF_PREDICATE_ATTR: AttrDef = attr(
    "predicate",
    AttrConstraint {
        summary: CMPF_PREDICATE.summary,
        storage: Storage::Exact,
        check: |c, a| is_case_of(c, a, &CMPF_PREDICATE),
    },
)
.spelled(AttrSyntax::Enum(&CMPF_PREDICATE));

const COMPARISON: &[TypeRule] = &[follows(
    "result",
    "lhs",
    |c, t| Some(bool_like(c, t)),
    "result type has i1 element type and same shape as operands",
)];

/// The operation that combines as an accumulation kind does; `None` for one that replaces.
pub fn combining_op(kind: Accumulate) -> Option<OpName> {
    Some(match kind {
        Accumulate::Float(op) => match op {
            FloatOp::Add => ADDF,
            FloatOp::Mul => MULF,
            FloatOp::Maximum => MAXIMUMF,
            FloatOp::Minimum => MINIMUMF,
            FloatOp::MaxNum => MAXNUMF,
            FloatOp::MinNum => MINNUMF,
            _ => return None,
        },
        Accumulate::Int(op) => match op {
            IntOp::Add => ADDI,
            IntOp::Mul => MULI,
            IntOp::And => ANDI,
            IntOp::Or => ORI,
            IntOp::Xor => XORI,
            IntOp::MaxS => MAXSI,
            IntOp::MaxU => MAXUI,
            IntOp::MinS => MINSI,
            IntOp::MinU => MINUI,
            _ => return None,
        },
        Accumulate::Assign => return None,
    })
}

/// The accumulation kind of an operation of this dialect.
pub fn accumulation(name: OpName) -> Option<Accumulate> {
    let number = name.has_row().then(|| name.index())?;
    let row = OPS.get(number.checked_sub(FIRST as usize)?)?;
    Accumulate::from_computation(row.folds.computes?)
}

dialect_ops! {
    after super::scf::END;
    /// `arith.addf`: sum.
    ADDF = float_binary("arith.addf", FloatOp::Add).with(COMMUTATIVE).fold(float::fold_addf);
    /// `arith.addi`: sum, wrapping.
    ADDI = wrapping("arith.addi", IntOp::Add).with(COMMUTATIVE).fold(int::fold_addi);
    /// `arith.addui_extended`: unsigned sum and its carry.
    ADDUI_EXTENDED = OpDef::new("arith.addui_extended")
        .with(ELEMENTWISE)
        .with(COMMUTATIVE)
        .operands(INT_PAIR)
        .results(&[one("sum", INT_LIKE), one("overflow", BOOL_LIKE)])
        .infer(&[same(&["lhs", "rhs", "sum"], "all of {lhs, rhs, sum} have same type")])
        .format("$lhs `,` $rhs attr-dict `:` type($sum) `,` type($overflow)")
        .fold(int::fold_addui_extended);
    /// `arith.andi`: bitwise and.
    ANDI = int_binary("arith.andi", IntOp::And).with(COMMUTATIVE).fold(bits::fold_andi);
    /// `arith.bitcast`: the same bits as another type of that width.
    BITCAST = cast("arith.bitcast", &[one("in", BITCASTABLE)], &[one("out", BITCASTABLE)], Cast::Bits)
        .verify_kind(cast::verify_bitcast)
        .fold(cast::fold_bitcast);
    /// `arith.ceildivsi`: signed quotient, rounded up.
    CEILDIVSI = division("arith.ceildivsi", IntOp::CeilDivS).fold(int::fold_division);
    /// `arith.ceildivui`: unsigned quotient, rounded up.
    CEILDIVUI = division("arith.ceildivui", IntOp::CeilDivU).fold(int::fold_division);
    /// `arith.cmpf`: comparison of floats.
    CMPF = OpDef::new("arith.cmpf")
        .with(ELEMENTWISE)
        .with_row(RowTraits::SAME_TYPE_OPERANDS)
        .operands(FLOAT_PAIR)
        .results(&[one("result", BOOL_LIKE)])
        .attrs(&[CMPF_PREDICATE_ATTR, FASTMATH])
        .infer(COMPARISON)
        .format("$predicate `,` $lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($lhs)")
        .fold(compare::fold_cmpf);
    /// `arith.cmpi`: comparison of integers.
    CMPI = OpDef::new("arith.cmpi")
        .with(ELEMENTWISE)
        .with_row(RowTraits::SAME_TYPE_OPERANDS)
        .operands(INT_PAIR)
        .results(&[one("result", BOOL_LIKE)])
        .attrs(&[CMPI_PREDICATE_ATTR])
        .infer(COMPARISON)
        .format("$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs)")
        .fold(compare::fold_cmpi);
    /// `arith.constant`: a value known at compile time.
    CONSTANT = OpDef::new("arith.constant")
        .result_named(ResultName::Of(result_names::constant_name))
        .with(Traits::CONSTANT_LIKE)
        .with(Traits::PURE)
        .results(&[one("result", ANY)])
        .attrs(&[attr("value", TYPED)])
        .infer(&[TypeRule::OfAttr { target: "result", attr: "value" }])
        .format("attr-dict $value")
        .verify_kind(constant::verify_constant);
    /// `arith.divf`: quotient.
    DIVF = float_binary("arith.divf", FloatOp::Div).fold(float::fold_divf);
    /// `arith.divsi`: signed quotient, rounded towards zero.
    DIVSI = exact("arith.divsi", IntOp::DivS).with(Traits::CONDITIONALLY_SPECULATABLE).fold(int::fold_divsi);
    /// `arith.divui`: unsigned quotient.
    DIVUI = exact("arith.divui", IntOp::DivU).with(Traits::CONDITIONALLY_SPECULATABLE).fold(int::fold_divui);
    /// `arith.extf`: a wider float of the same value.
    EXTF = cast("arith.extf", FLOAT_IN, FLOAT_OUT, Cast::Float)
        .attrs(&[OPTIONAL_FASTMATH])
        .format("$in (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `to` type($out)")
        .verify_kind(cast::verify_widening);
    /// `arith.extsi`: a wider integer, the sign repeated.
    EXTSI = cast("arith.extsi", FIXED_INT_IN, FIXED_INT_OUT, Cast::IntSign)
        .verify_kind(cast::verify_widening);
    /// `arith.extui`: a wider integer, zeros in front.
    EXTUI = cast("arith.extui", FIXED_INT_IN, FIXED_INT_OUT, Cast::IntZero)
        .verify_kind(cast::verify_widening);
    /// `arith.floordivsi`: signed quotient, rounded down.
    FLOORDIVSI = division("arith.floordivsi", IntOp::FloorDivS).fold(int::fold_division);
    /// `arith.fptosi`: the signed integer towards zero from a float.
    FPTOSI = cast("arith.fptosi", FLOAT_IN, FIXED_INT_OUT, Cast::FloatToSigned)
        .verify_kind(cast::verify_cast);
    /// `arith.fptoui`: the unsigned integer towards zero from a float.
    FPTOUI = cast("arith.fptoui", FLOAT_IN, FIXED_INT_OUT, Cast::FloatToUnsigned)
        .verify_kind(cast::verify_cast);
    /// `arith.index_cast`: between `index` and integers, as signed.
    INDEX_CAST = cast("arith.index_cast", &[one("in", INDEX_CASTABLE)], &[one("out", INDEX_CASTABLE)], Cast::IntSign)
        .verify_kind(cast::verify_index_cast)
        .fold(cast::fold_index_cast);
    /// `arith.index_castui`: between `index` and integers, as unsigned.
    INDEX_CASTUI = cast("arith.index_castui", &[one("in", INDEX_CASTABLE)], &[one("out", INDEX_CASTABLE)], Cast::IntZero)
        .verify_kind(cast::verify_index_cast)
        .fold(cast::fold_index_castui);
    /// `arith.maximumf`: the greater float; NaN if one is.
    MAXIMUMF = float_binary("arith.maximumf", FloatOp::Maximum).with(COMMUTATIVE).fold(float::fold_maximumf);
    /// `arith.maxnumf`: the greater float; the other one if one is NaN.
    MAXNUMF = float_binary("arith.maxnumf", FloatOp::MaxNum).with(COMMUTATIVE).fold(float::fold_maxnumf);
    /// `arith.maxsi`: the greater signed integer.
    MAXSI = int_binary("arith.maxsi", IntOp::MaxS).with(COMMUTATIVE).fold(int::fold_maxsi);
    /// `arith.maxui`: the greater unsigned integer.
    MAXUI = int_binary("arith.maxui", IntOp::MaxU).with(COMMUTATIVE).fold(int::fold_maxui);
    /// `arith.minimumf`: the lesser float; NaN if one is.
    MINIMUMF = float_binary("arith.minimumf", FloatOp::Minimum).with(COMMUTATIVE).fold(float::fold_minimumf);
    /// `arith.minnumf`: the lesser float; the other one if one is NaN.
    MINNUMF = float_binary("arith.minnumf", FloatOp::MinNum).with(COMMUTATIVE).fold(float::fold_minnumf);
    /// `arith.minsi`: the lesser signed integer.
    MINSI = int_binary("arith.minsi", IntOp::MinS).with(COMMUTATIVE).fold(int::fold_minsi);
    /// `arith.minui`: the lesser unsigned integer.
    MINUI = int_binary("arith.minui", IntOp::MinU).with(COMMUTATIVE).fold(int::fold_minui);
    /// `arith.mulf`: product.
    MULF = float_binary("arith.mulf", FloatOp::Mul).with(COMMUTATIVE).fold(float::fold_mulf);
    /// `arith.muli`: product, wrapping.
    MULI = wrapping("arith.muli", IntOp::Mul)
        .result_named(ResultName::Of(result_names::scaled_name))
        .with(COMMUTATIVE).fold(int::fold_muli);
    /// `arith.mulsi_extended`: signed product in two halves.
    MULSI_EXTENDED = extended_product("arith.mulsi_extended").fold(int::fold_mulsi_extended);
    /// `arith.mului_extended`: unsigned product in two halves.
    MULUI_EXTENDED = extended_product("arith.mului_extended").fold(int::fold_mului_extended);
    /// `arith.negf`: the value with the other sign.
    NEGF = OpDef::new("arith.negf")
        .with_row(UNIFORM)
        .operands(&[one("operand", FLOAT_LIKE)])
        .results(&[one("result", FLOAT_LIKE)])
        .attrs(&[FASTMATH])
        .format("$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)")
        .computes(Computation::FloatUnary(FloatUnary::Neg))
        .fold(float::fold_negf);
    /// `arith.ori`: bitwise or.
    ORI = int_binary("arith.ori", IntOp::Or).with(COMMUTATIVE).fold(bits::fold_ori);
    /// `arith.remf`: remainder of the quotient rounded towards zero.
    REMF = float_binary("arith.remf", FloatOp::Rem);
    /// `arith.remsi`: remainder with the sign of the dividend.
    REMSI = division("arith.remsi", IntOp::RemS).fold(int::fold_remainder);
    /// `arith.remui`: unsigned remainder.
    REMUI = division("arith.remui", IntOp::RemU).fold(int::fold_remainder);
    /// `arith.scaling_extf`: a wider float, times a power of two.
    SCALING_EXTF = OpDef::new("arith.scaling_extf")
        .with(ELEMENTWISE)
        .operands(&[one("in", FLOAT_LIKE), one("scale", FLOAT_LIKE)])
        .results(FLOAT_OUT)
        .relations(SAME_TENSOR_DIMS)
        .attrs(&[OPTIONAL_FASTMATH])
        .format("$in `,` $scale (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `,` type($scale) `to` type($out)")
        .verify_kind(|c| cast::verify_scaling(c, |from, to| from < to));
    /// `arith.scaling_truncf`: a narrower float, divided by a power of two.
    SCALING_TRUNCF = OpDef::new("arith.scaling_truncf")
        .with(ELEMENTWISE)
        .operands(&[one("in", FLOAT_LIKE), one("scale", FLOAT_LIKE)])
        .results(FLOAT_OUT)
        .relations(SAME_TENSOR_DIMS)
        .attrs(&[ROUNDING, OPTIONAL_FASTMATH])
        .format("$in `,` $scale ($roundingmode^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `,` type($scale) `to` type($out)")
        .verify_kind(|c| cast::verify_scaling(c, |from, to| from > to));
    /// `arith.select`: one of two values, by a condition.
    SELECT = OpDef::new("arith.select")
        .with(ELEMENTWISE)
        .operands(&[one("condition", BOOL_LIKE), one("true_value", ANY), one("false_value", ANY)])
        .results(&[one("result", ANY)])
        .infer(&[same(
            &["true_value", "false_value", "result"],
            "all of {true_value, false_value, result} have same type",
        )])
        .relations(&[holds(
            compare::condition_fits,
            "condition is signless i1 or has matching shape",
        )])
        .custom(compare::parse_select, compare::print_select)
        .verify_kind(compare::verify_select)
        .fold(compare::fold_select);
    /// `arith.shli`: shift to the left.
    SHLI = wrapping("arith.shli", IntOp::Shl).fold(bits::fold_shift);
    /// `arith.shrsi`: shift to the right, the sign repeated.
    SHRSI = exact("arith.shrsi", IntOp::ShrS).fold(bits::fold_shift);
    /// `arith.shrui`: shift to the right, zeros in front.
    SHRUI = exact("arith.shrui", IntOp::ShrU).fold(bits::fold_shift);
    /// `arith.sitofp`: the float nearest to a signed integer.
    SITOFP = cast("arith.sitofp", FIXED_INT_IN, FLOAT_OUT, Cast::SignedToFloat)
        .verify_kind(cast::verify_cast);
    /// `arith.subf`: difference.
    SUBF = float_binary("arith.subf", FloatOp::Sub).fold(float::fold_subf);
    /// `arith.subi`: difference, wrapping.
    SUBI = wrapping("arith.subi", IntOp::Sub).fold(int::fold_subi);
    /// `arith.truncf`: a narrower float, rounded.
    TRUNCF = cast("arith.truncf", FLOAT_IN, FLOAT_OUT, Cast::Float)
        .attrs(&[ROUNDING, OPTIONAL_FASTMATH])
        .format("$in ($roundingmode^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `to` type($out)")
        .verify_kind(cast::verify_narrowing)
        .fold(cast::fold_truncf);
    /// `arith.trunci`: the low bits of an integer.
    TRUNCI = cast("arith.trunci", FIXED_INT_IN, FIXED_INT_OUT, Cast::IntZero)
        .attrs(&[OVERFLOW])
        .format("$in (`overflow` `` $overflowFlags^)? attr-dict `:` type($in) `to` type($out)")
        .verify_kind(cast::verify_narrowing)
        .fold(cast::fold_trunci);
    /// `arith.uitofp`: the float nearest to an unsigned integer.
    UITOFP = cast("arith.uitofp", FIXED_INT_IN, FLOAT_OUT, Cast::UnsignedToFloat)
        .verify_kind(cast::verify_cast);
    /// `arith.xori`: bitwise exclusive or.
    XORI = int_binary("arith.xori", IntOp::Xor).with(COMMUTATIVE).fold(bits::fold_xori);
}

/// Whether operations of this name are divisions or remainders of integers.
pub fn is_division(name: OpName) -> bool {
    matches!(
        name,
        DIVSI | DIVUI | CEILDIVSI | CEILDIVUI | FLOORDIVSI | REMSI | REMUI
    )
}
