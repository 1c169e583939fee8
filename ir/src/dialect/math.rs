//! The `math` dialect.

use crate::op::{OpDef, Traits};

dialect_ops! {
    after super::arith::END;
    /// `math.absf`
    ABSF = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.absf") };
    /// `math.absi`
    ABSI = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.absi") };
    /// `math.acos`
    ACOS = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.acos") };
    /// `math.acosh`
    ACOSH = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.acosh") };
    /// `math.asin`
    ASIN = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.asin") };
    /// `math.asinh`
    ASINH = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.asinh") };
    /// `math.atan`
    ATAN = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.atan") };
    /// `math.atan2`
    ATAN2 = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.atan2") };
    /// `math.atanh`
    ATANH = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.atanh") };
    /// `math.cbrt`
    CBRT = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.cbrt") };
    /// `math.ceil`
    CEIL = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.ceil") };
    /// `math.clampf`
    CLAMPF = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.clampf") };
    /// `math.copysign`
    COPYSIGN = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.copysign") };
    /// `math.cos`
    COS = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.cos") };
    /// `math.cosh`
    COSH = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.cosh") };
    /// `math.ctlz`
    CTLZ = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.ctlz") };
    /// `math.ctpop`
    CTPOP = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.ctpop") };
    /// `math.cttz`
    CTTZ = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.cttz") };
    /// `math.erf`
    ERF = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.erf") };
    /// `math.erfc`
    ERFC = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.erfc") };
    /// `math.exp`
    EXP = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.exp") };
    /// `math.exp2`
    EXP2 = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.exp2") };
    /// `math.expm1`
    EXPM1 = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.expm1") };
    /// `math.floor`
    FLOOR = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.floor") };
    /// `math.fma`
    FMA = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.fma") };
    /// `math.fpowi`
    FPOWI = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_SHAPE), ..OpDef::new("math.fpowi") };
    /// `math.ipowi`
    IPOWI = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.ipowi") };
    /// `math.isfinite`
    ISFINITE = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE), ..OpDef::new("math.isfinite") };
    /// `math.isinf`
    ISINF = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE), ..OpDef::new("math.isinf") };
    /// `math.isnan`
    ISNAN = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE), ..OpDef::new("math.isnan") };
    /// `math.isnormal`
    ISNORMAL = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE), ..OpDef::new("math.isnormal") };
    /// `math.log`
    LOG = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.log") };
    /// `math.log10`
    LOG10 = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.log10") };
    /// `math.log1p`
    LOG1P = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.log1p") };
    /// `math.log2`
    LOG2 = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.log2") };
    /// `math.powf`
    POWF = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.powf") };
    /// `math.round`
    ROUND = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.round") };
    /// `math.roundeven`
    ROUNDEVEN = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.roundeven") };
    /// `math.rsqrt`
    RSQRT = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.rsqrt") };
    /// `math.sin`
    SIN = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.sin") };
    /// `math.sincos`
    SINCOS = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_SHAPE), ..OpDef::new("math.sincos") };
    /// `math.sinh`
    SINH = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.sinh") };
    /// `math.sqrt`
    SQRT = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.sqrt") };
    /// `math.tan`
    TAN = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.tan") };
    /// `math.tanh`
    TANH = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.tanh") };
    /// `math.trunc`
    TRUNC = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("math.trunc") };
}
