//! Intrinsics of LLVM that compute what an operation of `arith` or `math` does.

use gridloom_ir::constraints::*;
use gridloom_ir::op::{OpDef, RowTraits, Traits};

use super::FASTMATH;
use super::types::{FLOAT, INTEGER, POWER};

const FORMAT: &str = "`(` operands `)` attr-dict `:` functional-type(operands, results)";

/// Row of an intrinsic whose operands and result have one type, written in generic form.
const fn generic(name: &'static str) -> OpDef {
    OpDef::new(name).with_row(
        Traits::PURE
            .in_row()
            .with(RowTraits::SAME_OPERANDS_AND_RESULT_TYPE),
    )
}

/// Row of an intrinsic whose operands and result have one type.
const fn uniform(name: &'static str) -> OpDef {
    generic(name).format(FORMAT)
}

/// Row of a function of one float.
const fn float_unary(name: &'static str) -> OpDef {
    uniform(name)
        .operands(const { &[one("in", FLOAT)] })
        .results(const { &[one("res", FLOAT)] })
        .attrs(const { &[attr("fastmathFlags", FASTMATH).or("#llvm.fastmath<none>")] })
}

/// Row of a function of two floats.
const fn float_binary(name: &'static str) -> OpDef {
    uniform(name)
        .operands(const { &[one("a", FLOAT), one("b", FLOAT)] })
        .results(const { &[one("res", FLOAT)] })
        .attrs(const { &[attr("fastmathFlags", FASTMATH).or("#llvm.fastmath<none>")] })
}

/// Row of a function of three floats.
const fn float_ternary(name: &'static str) -> OpDef {
    uniform(name)
        .operands(const { &[one("a", FLOAT), one("b", FLOAT), one("c", FLOAT)] })
        .results(const { &[one("res", FLOAT)] })
        .attrs(const { &[attr("fastmathFlags", FASTMATH).or("#llvm.fastmath<none>")] })
}

/// Row of a function of one integer.
const fn int_unary(row: OpDef) -> OpDef {
    row.operands(const { &[one("in", INTEGER)] })
        .results(const { &[one("res", INTEGER)] })
}

/// Row of a function of two integers.
const fn int_binary(name: &'static str) -> OpDef {
    uniform(name)
        .operands(const { &[one("a", INTEGER), one("b", INTEGER)] })
        .results(const { &[one("res", INTEGER)] })
}

/// Row of a count of the zero bits on one side, which may leave 0 without a count.
const fn zeros(name: &'static str) -> OpDef {
    int_unary(generic(name)).attrs(const { &[attr("is_zero_poison", BOOL)] })
}

dialect_ops! {
    after super::END;
    /// `llvm.intr.abs`: absolute value.
    ABS = int_unary(generic("llvm.intr.abs")).attrs(&[attr("is_int_min_poison", BOOL)]);
    /// `llvm.intr.acos`: inverse cosine.
    ACOS = float_unary("llvm.intr.acos");
    /// `llvm.intr.asin`: inverse sine.
    ASIN = float_unary("llvm.intr.asin");
    /// `llvm.intr.atan`: inverse tangent.
    ATAN = float_unary("llvm.intr.atan");
    /// `llvm.intr.atan2`: angle of the point (b, a).
    ATAN2 = float_binary("llvm.intr.atan2");
    /// `llvm.intr.ceil`: the next integer up.
    CEIL = float_unary("llvm.intr.ceil");
    /// `llvm.intr.copysign`: a with the sign of b.
    COPYSIGN = float_binary("llvm.intr.copysign");
    /// `llvm.intr.cos`: cosine.
    COS = float_unary("llvm.intr.cos");
    /// `llvm.intr.cosh`: hyperbolic cosine.
    COSH = float_unary("llvm.intr.cosh");
    /// `llvm.intr.ctlz`: number of leading zero bits.
    CTLZ = zeros("llvm.intr.ctlz");
    /// `llvm.intr.ctpop`: number of one bits.
    CTPOP = int_unary(uniform("llvm.intr.ctpop"));
    /// `llvm.intr.cttz`: number of trailing zero bits.
    CTTZ = zeros("llvm.intr.cttz");
    /// `llvm.intr.exp`: e to a power.
    EXP = float_unary("llvm.intr.exp");
    /// `llvm.intr.exp2`: 2 to a power.
    EXP2 = float_unary("llvm.intr.exp2");
    /// `llvm.intr.fabs`: absolute value.
    FABS = float_unary("llvm.intr.fabs");
    /// `llvm.intr.floor`: the next integer down.
    FLOOR = float_unary("llvm.intr.floor");
    /// `llvm.intr.fma`: a times b plus c, rounded once.
    FMA = float_ternary("llvm.intr.fma");
    /// `llvm.intr.fmuladd`: a times b plus c, rounded once or twice.
    FMULADD = float_ternary("llvm.intr.fmuladd");
    /// `llvm.intr.log`: natural logarithm.
    LOG = float_unary("llvm.intr.log");
    /// `llvm.intr.log10`: decimal logarithm.
    LOG10 = float_unary("llvm.intr.log10");
    /// `llvm.intr.log2`: binary logarithm.
    LOG2 = float_unary("llvm.intr.log2");
    /// `llvm.intr.maximum`: the greater number, or NaN if one is.
    MAXIMUM = float_binary("llvm.intr.maximum");
    /// `llvm.intr.maxnum`: the greater number, or the other one if one is NaN.
    MAXNUM = float_binary("llvm.intr.maxnum");
    /// `llvm.intr.minimum`: the lesser number, or NaN if one is.
    MINIMUM = float_binary("llvm.intr.minimum");
    /// `llvm.intr.minnum`: the lesser number, or the other one if one is NaN.
    MINNUM = float_binary("llvm.intr.minnum");
    /// `llvm.intr.nearbyint`: the nearest integer, ties to even in the mode of rounding at the start.
    NEARBYINT = float_unary("llvm.intr.nearbyint");
    /// `llvm.intr.pow`: a to the power of b.
    POW = float_binary("llvm.intr.pow");
    /// `llvm.intr.powi`: a float to the power of an integer.
    POWI = OpDef::new("llvm.intr.powi")
        .with(Traits::PURE)
        .operands(&[one("val", FLOAT), one("power", POWER)])
        .results(&[one("res", FLOAT)])
        .attrs(&[attr("fastmathFlags", FASTMATH).or("#llvm.fastmath<none>")])
        .format(FORMAT);
    /// `llvm.intr.rint`: the nearest integer, ties to even in the mode of rounding at the start.
    RINT = float_unary("llvm.intr.rint");
    /// `llvm.intr.round`: the nearest integer, ties away from 0.
    ROUND = float_unary("llvm.intr.round");
    /// `llvm.intr.roundeven`: the nearest integer, ties to even.
    ROUNDEVEN = float_unary("llvm.intr.roundeven");
    /// `llvm.intr.sin`: sine.
    SIN = float_unary("llvm.intr.sin");
    /// `llvm.intr.sinh`: hyperbolic sine.
    SINH = float_unary("llvm.intr.sinh");
    /// `llvm.intr.smax`: the greater signed integer.
    SMAX = int_binary("llvm.intr.smax");
    /// `llvm.intr.smin`: the lesser signed integer.
    SMIN = int_binary("llvm.intr.smin");
    /// `llvm.intr.sqrt`: square root.
    SQRT = float_unary("llvm.intr.sqrt");
    /// `llvm.intr.tan`: tangent.
    TAN = float_unary("llvm.intr.tan");
    /// `llvm.intr.tanh`: hyperbolic tangent.
    TANH = float_unary("llvm.intr.tanh");
    /// `llvm.intr.trunc`: the next integer towards 0.
    TRUNC = float_unary("llvm.intr.trunc");
    /// `llvm.intr.umax`: the greater unsigned integer.
    UMAX = int_binary("llvm.intr.umax");
    /// `llvm.intr.umin`: the lesser unsigned integer.
    UMIN = int_binary("llvm.intr.umin");
}
