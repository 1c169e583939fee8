//! The OpenCL extended instruction set.

#![allow(missing_docs)] // Each constant is the operation that its row names.

use super::constraints::*;
use super::rows::*;
use gridloom_ir::constraints::{many, one};
use gridloom_ir::op::OpDef;

dialect_ops! {
    after super::gl::END;
    ACOS = unary("spirv.CL.acos", UNARY_FLOAT);
    ACOSH = unary("spirv.CL.acosh", UNARY_FLOAT);
    ASIN = unary("spirv.CL.asin", UNARY_FLOAT);
    ASINH = unary("spirv.CL.asinh", UNARY_FLOAT);
    ATAN = unary("spirv.CL.atan", UNARY_FLOAT);
    ATAN2 = alike("spirv.CL.atan2", PAIR_FLOAT);
    ATANH = unary("spirv.CL.atanh", UNARY_FLOAT);
    CEIL = unary("spirv.CL.ceil", UNARY_FLOAT);
    COS = unary("spirv.CL.cos", UNARY_FLOAT);
    COSH = unary("spirv.CL.cosh", UNARY_FLOAT);
    ERF = unary("spirv.CL.erf", UNARY_FLOAT);
    EXP = unary("spirv.CL.exp", UNARY_FLOAT);
    FABS = unary("spirv.CL.fabs", UNARY_FLOAT);
    FLOOR = unary("spirv.CL.floor", UNARY_FLOAT);
    FMA = alike("spirv.CL.fma", THREE_FLOAT);
    FMAX = alike("spirv.CL.fmax", PAIR_FLOAT);
    FMIN = alike("spirv.CL.fmin", PAIR_FLOAT);
    LOG = unary("spirv.CL.log", UNARY_FLOAT);
    MIX = alike("spirv.CL.mix", THREE_FLOAT);
    POW = alike("spirv.CL.pow", PAIR_FLOAT);
    RINT = unary("spirv.CL.rint", UNARY_FLOAT);
    ROUND = unary("spirv.CL.round", UNARY_FLOAT);
    RSQRT = unary("spirv.CL.rsqrt", UNARY_FLOAT);
    S_ABS = unary("spirv.CL.s_abs", UNARY_INT);
    S_MAX = alike("spirv.CL.s_max", PAIR_INT);
    S_MIN = alike("spirv.CL.s_min", PAIR_INT);
    SIN = unary("spirv.CL.sin", UNARY_FLOAT);
    SINH = unary("spirv.CL.sinh", UNARY_FLOAT);
    SQRT = unary("spirv.CL.sqrt", UNARY_FLOAT);
    TAN = unary("spirv.CL.tan", UNARY_FLOAT);
    TANH = unary("spirv.CL.tanh", UNARY_FLOAT);
    U_MAX = alike("spirv.CL.u_max", PAIR_INT);
    U_MIN = alike("spirv.CL.u_min", PAIR_INT);
    PRINTF = OpDef::new("spirv.CL.printf")
        .operands(&[one("format", POINTER), many("arguments", ANY_SPIRV)])
        .results(&[one("result", INTEGER)])
        .format("$format ( $arguments^ )? attr-dict `:` type($format) \
            ( `,` type($arguments)^ )? `->` type($result)");
}
