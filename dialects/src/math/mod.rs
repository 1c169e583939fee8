//! The `math` dialect: functions of floats and integers, and of vectors and
//! tensors of them element by element.

use crate::arith::{FASTMATH, bool_like};
use gridloom_ir::constraints::*;
use gridloom_ir::op::{OpDef, RowTraits, Traits};
use gridloom_ir::scalar::{Computation, FloatOp, FloatTest, FloatUnary, IntOp, IntUnary};

mod fold;

const ELEMENTWISE: Traits = Traits::ELEMENTWISE.with(Traits::PURE);
const UNIFORM: RowTraits = ELEMENTWISE
    .in_row()
    .with(RowTraits::SAME_OPERANDS_AND_RESULT_TYPE);

/// A unary float function on one type.
const fn float_unary(name: &'static str, op: FloatUnary) -> OpDef {
    OpDef::new(name)
        .with_row(UNIFORM)
        .operands(const { &[one("operand", FLOAT_LIKE)] })
        .results(const { &[one("result", FLOAT_LIKE)] })
        .attrs(const { &[FASTMATH] })
        .format("$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)")
        .computes(Computation::FloatUnary(op))
}

/// A binary float function on one type.
const fn float_binary(name: &'static str, op: FloatOp) -> OpDef {
    OpDef::new(name)
        .with_row(UNIFORM)
        .operands(const { &[one("lhs", FLOAT_LIKE), one("rhs", FLOAT_LIKE)] })
        .results(const { &[one("result", FLOAT_LIKE)] })
        .attrs(const { &[FASTMATH] })
        .format("$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)")
        .computes(Computation::Float(op))
}

/// A unary integer function on one type.
const fn int_unary(name: &'static str, op: IntUnary) -> OpDef {
    OpDef::new(name)
        .with_row(UNIFORM)
        .operands(const { &[one("operand", INT_LIKE)] })
        .results(const { &[one("result", INT_LIKE)] })
        .format("$operand attr-dict `:` type($result)")
        .computes(Computation::IntUnary(op))
}

/// A classification of a float.
const fn classify(name: &'static str, op: FloatTest) -> OpDef {
    OpDef::new(name)
        .with(ELEMENTWISE)
        .operands(const { &[one("operand", FLOAT_LIKE)] })
        .results(const { &[one("result", BOOL_LIKE)] })
        .attrs(const { &[FASTMATH] })
        .infer(
            const {
                &[follows(
                    "result",
                    "operand",
                    |c, t| Some(bool_like(c, t)),
                    "result type has i1 element type and same shape as operands",
                )]
            },
        )
        .format("$operand attr-dict `:` type($operand)")
        .computes(Computation::FloatTest(op))
}

dialect_ops! {
    after super::arith::END;
    /// `math.absf`: absolute value.
    ABSF = float_unary("math.absf", FloatUnary::Abs);
    /// `math.absi`: absolute value.
    ABSI = int_unary("math.absi", IntUnary::Abs);
    /// `math.acos`: inverse cosine.
    ACOS = float_unary("math.acos", FloatUnary::Acos);
    /// `math.acosh`: inverse hyperbolic cosine.
    ACOSH = float_unary("math.acosh", FloatUnary::Acosh);
    /// `math.asin`: inverse sine.
    ASIN = float_unary("math.asin", FloatUnary::Asin);
    /// `math.asinh`: inverse hyperbolic sine.
    ASINH = float_unary("math.asinh", FloatUnary::Asinh);
    /// `math.atan`: inverse tangent.
    ATAN = float_unary("math.atan", FloatUnary::Atan);
    /// `math.atan2`: angle of the point (rhs, lhs).
    ATAN2 = float_binary("math.atan2", FloatOp::Atan2);
    /// `math.atanh`: inverse hyperbolic tangent.
    ATANH = float_unary("math.atanh", FloatUnary::Atanh);
    /// `math.cbrt`: cube root.
    CBRT = float_unary("math.cbrt", FloatUnary::Cbrt);
    /// `math.ceil`: the next integer up.
    CEIL = float_unary("math.ceil", FloatUnary::Ceil);
    /// `math.clampf`: the operand clamped between two bounds.
    CLAMPF = OpDef::new("math.clampf")
        .with_row(UNIFORM)
        .operands(&[one("value", FLOAT_LIKE), one("min", FLOAT_LIKE), one("max", FLOAT_LIKE)])
        .results(&[one("result", FLOAT_LIKE)])
        .attrs(&[FASTMATH])
        .format("$value `to` ` ` `[` $min `,` $max `]` (`fastmath` `` $fastmath^)? attr-dict `:` type($result)")
        .fold(fold::clampf);
    /// `math.copysign`: lhs with the sign of rhs.
    COPYSIGN = float_binary("math.copysign", FloatOp::CopySign);
    /// `math.cos`: cosine.
    COS = float_unary("math.cos", FloatUnary::Cos);
    /// `math.cosh`: hyperbolic cosine.
    COSH = float_unary("math.cosh", FloatUnary::Cosh);
    /// `math.ctlz`: number of leading zero bits.
    CTLZ = int_unary("math.ctlz", IntUnary::CountLeadingZeros);
    /// `math.ctpop`: number of one bits.
    CTPOP = int_unary("math.ctpop", IntUnary::CountOnes);
    /// `math.cttz`: number of trailing zero bits.
    CTTZ = int_unary("math.cttz", IntUnary::CountTrailingZeros);
    /// `math.erf`: error function.
    ERF = float_unary("math.erf", FloatUnary::Erf);
    /// `math.erfc`: complementary error function.
    ERFC = float_unary("math.erfc", FloatUnary::Erfc);
    /// `math.exp`: power of e.
    EXP = float_unary("math.exp", FloatUnary::Exp);
    /// `math.exp2`: power of two.
    EXP2 = float_unary("math.exp2", FloatUnary::Exp2);
    /// `math.expm1`: power of e less one.
    EXPM1 = float_unary("math.expm1", FloatUnary::ExpM1);
    /// `math.floor`: the next integer down.
    FLOOR = float_unary("math.floor", FloatUnary::Floor);
    /// `math.fma`: fused multiply-add, rounded once.
    FMA = OpDef::new("math.fma")
        .with_row(UNIFORM)
        .operands(&[one("a", FLOAT_LIKE), one("b", FLOAT_LIKE), one("c", FLOAT_LIKE)])
        .results(&[one("result", FLOAT_LIKE)])
        .attrs(&[FASTMATH])
        .format("$a `,` $b `,` $c (`fastmath` `` $fastmath^)? attr-dict `:` type($result)")
        .computes(Computation::FusedMultiplyAdd);
    /// `math.fpowi`: power with an integer exponent.
    FPOWI = OpDef::new("math.fpowi")
        .with(ELEMENTWISE)
        .with_row(RowTraits::SAME_SHAPE)
        .operands(&[one("lhs", FLOAT_LIKE), one("rhs", INT_LIKE)])
        .results(&[one("result", FLOAT_LIKE)])
        .attrs(&[FASTMATH])
        .infer(&[same(&["lhs", "result"], "all of {lhs, result} have same type")])
        .format("$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($lhs) `,` type($rhs)")
        .computes(Computation::FloatToIntPower);
    /// `math.ipowi`: integer power.
    IPOWI = OpDef::new("math.ipowi")
        .with_row(UNIFORM)
        .operands(&[one("lhs", INT_LIKE), one("rhs", INT_LIKE)])
        .results(&[one("result", INT_LIKE)])
        .format("$lhs `,` $rhs attr-dict `:` type($result)")
        .computes(Computation::Int(IntOp::Pow));
    /// `math.isfinite`: neither infinite nor NaN.
    ISFINITE = classify("math.isfinite", FloatTest::Finite);
    /// `math.isinf`: infinite.
    ISINF = classify("math.isinf", FloatTest::Infinite);
    /// `math.isnan`: NaN.
    ISNAN = classify("math.isnan", FloatTest::Nan);
    /// `math.isnormal`: neither zero, subnormal, infinite nor NaN.
    ISNORMAL = classify("math.isnormal", FloatTest::Normal);
    /// `math.log`: natural logarithm.
    LOG = float_unary("math.log", FloatUnary::Log);
    /// `math.log10`: decimal logarithm.
    LOG10 = float_unary("math.log10", FloatUnary::Log10);
    /// `math.log1p`: natural logarithm of the operand plus one.
    LOG1P = float_unary("math.log1p", FloatUnary::Log1p);
    /// `math.log2`: binary logarithm.
    LOG2 = float_unary("math.log2", FloatUnary::Log2);
    /// `math.powf`: power.
    POWF = float_binary("math.powf", FloatOp::Pow);
    /// `math.round`: the nearest integer, halves away from zero.
    ROUND = float_unary("math.round", FloatUnary::Round);
    /// `math.roundeven`: the nearest integer, halves to even.
    ROUNDEVEN = float_unary("math.roundeven", FloatUnary::RoundEven);
    /// `math.rsqrt`: reciprocal of the square root.
    RSQRT = float_unary("math.rsqrt", FloatUnary::Rsqrt);
    /// `math.sin`: sine.
    SIN = float_unary("math.sin", FloatUnary::Sin);
    /// `math.sincos`: sine and cosine.
    SINCOS = OpDef::new("math.sincos")
        .with(ELEMENTWISE)
        .with_row(RowTraits::SAME_SHAPE)
        .operands(&[one("operand", FLOAT_LIKE)])
        .results(&[one("sin", FLOAT_LIKE), one("cos", FLOAT_LIKE)])
        .attrs(&[FASTMATH])
        .infer(&[same(&["operand", "sin", "cos"], "all of {operand, sin, cos} have same type")])
        .format("$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($operand)")
        .fold(fold::sincos);
    /// `math.sinh`: hyperbolic sine.
    SINH = float_unary("math.sinh", FloatUnary::Sinh);
    /// `math.sqrt`: square root.
    SQRT = float_unary("math.sqrt", FloatUnary::Sqrt);
    /// `math.tan`: tangent.
    TAN = float_unary("math.tan", FloatUnary::Tan);
    /// `math.tanh`: hyperbolic tangent.
    TANH = float_unary("math.tanh", FloatUnary::Tanh);
    /// `math.trunc`: the next integer towards zero.
    TRUNC = float_unary("math.trunc", FloatUnary::Trunc);
}
