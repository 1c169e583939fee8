//! The GLSL extended instruction set.

#![allow(missing_docs)] // Each constant is the operation that its row names.

use super::constraints::*;
use super::form::{parse_alike, print_alike};
use super::rows::*;
use super::scope::plain_error;
use super::view::{element_type, num_elements};
use gridloom_ir::constraints::{follows, one, same};
use gridloom_ir::op::{OpDef, Traits};
use gridloom_ir::types::{Type, TypeKind};
use gridloom_ir::verify::{Check, Checked};

/// A ternary operation; the form spells one type, or a function type where they
/// differ.
const fn three(name: &'static str, values: Values) -> OpDef {
    pure(name, values).custom(parse_alike, print_alike)
}

/// The format of packing several values into one number, and back.
const PACKING: &str = "attr-dict $operand `:` type($operand) `->` type($result)";

dialect_ops! {
    after super::cast::END;
    ACOS = unary("spirv.GL.Acos", UNARY_SMALL_FLOAT);
    ACOSH = unary("spirv.GL.Acosh", UNARY_SMALL_FLOAT);
    ASIN = unary("spirv.GL.Asin", UNARY_SMALL_FLOAT);
    ASINH = unary("spirv.GL.Asinh", UNARY_SMALL_FLOAT);
    ATAN = unary("spirv.GL.Atan", UNARY_SMALL_FLOAT);
    ATANH = unary("spirv.GL.Atanh", UNARY_SMALL_FLOAT);
    CEIL = unary("spirv.GL.Ceil", UNARY_FLOAT);
    COS = unary("spirv.GL.Cos", UNARY_SMALL_FLOAT);
    COSH = unary("spirv.GL.Cosh", UNARY_SMALL_FLOAT);
    CROSS = alike("spirv.GL.Cross", PAIR_FLOAT);
    EXP = unary("spirv.GL.Exp", UNARY_SMALL_FLOAT);
    EXP2 = unary("spirv.GL.Exp2", UNARY_SMALL_FLOAT);
    F_ABS = unary("spirv.GL.FAbs", UNARY_FLOAT);
    F_MAX = alike("spirv.GL.FMax", PAIR_FLOAT);
    F_MIN = alike("spirv.GL.FMin", PAIR_FLOAT);
    F_SIGN = unary("spirv.GL.FSign", UNARY_FLOAT);
    FIND_I_LSB = unary("spirv.GL.FindILsb", UNARY_INT);
    FIND_S_MSB = unary("spirv.GL.FindSMsb", UNARY_INT32);
    FIND_U_MSB = unary("spirv.GL.FindUMsb", UNARY_INT32);
    FLOOR = unary("spirv.GL.Floor", UNARY_FLOAT);
    FRACT = unary("spirv.GL.Fract", UNARY_FLOAT);
    INVERSE_SQRT = unary("spirv.GL.InverseSqrt", UNARY_FLOAT);
    LOG = unary("spirv.GL.Log", UNARY_SMALL_FLOAT);
    LOG2 = unary("spirv.GL.Log2", UNARY_SMALL_FLOAT);
    NORMALIZE = unary("spirv.GL.Normalize", UNARY_FLOAT);
    POW = alike("spirv.GL.Pow", PAIR_SMALL_FLOAT);
    REFLECT = alike("spirv.GL.Reflect", PAIR_FLOAT);
    ROUND = unary("spirv.GL.Round", UNARY_FLOAT);
    ROUND_EVEN = unary("spirv.GL.RoundEven", UNARY_FLOAT);
    S_ABS = unary("spirv.GL.SAbs", UNARY_INT);
    S_MAX = alike("spirv.GL.SMax", PAIR_INT);
    S_MIN = alike("spirv.GL.SMin", PAIR_INT);
    S_SIGN = unary("spirv.GL.SSign", UNARY_INT);
    SIN = unary("spirv.GL.Sin", UNARY_SMALL_FLOAT);
    SINH = unary("spirv.GL.Sinh", UNARY_SMALL_FLOAT);
    SQRT = unary("spirv.GL.Sqrt", UNARY_FLOAT);
    TAN = unary("spirv.GL.Tan", UNARY_SMALL_FLOAT);
    TANH = unary("spirv.GL.Tanh", UNARY_SMALL_FLOAT);
    U_MAX = alike("spirv.GL.UMax", PAIR_INT);
    U_MIN = alike("spirv.GL.UMin", PAIR_INT);
    DISTANCE = OpDef::new("spirv.GL.Distance")
        .with(Traits::PURE)
        .operands(&[one("p0", FLOAT_LIKE), one("p1", FLOAT_LIKE)])
        .results(&[one("result", FLOAT)])
        .infer(&[
            same(&["p0", "p1"], "all of {p0, p1} have same type"),
            follows("result", "p0", scalar_of, "result type must match operand element type"),
        ])
        .format("operands attr-dict `:` type($p0) `,` type($p1) `->` type($result)");
    F_CLAMP = three("spirv.GL.FClamp", THREE_FLOAT);
    FMA = three("spirv.GL.Fma", THREE_FLOAT);
    F_MIX = OpDef::new("spirv.GL.FMix")
        .with(Traits::PURE)
        .operands(&[one("x", FLOAT_LIKE), one("y", FLOAT_LIKE), one("a", FLOAT_LIKE)])
        .results(&[one("result", FLOAT_LIKE)])
        .infer(&[same(&["x", "y", "a", "result"], "all of {x, y, a, result} have same type")])
        .format("attr-dict $x `:` type($x) `,` $y `:` type($y) `,` $a `:` type($a) \
            `->` type($result)");
    FREXP_STRUCT = OpDef::new("spirv.GL.FrexpStruct")
        .with(Traits::PURE)
        .operands(UNARY_FLOAT.operands)
        .results(&[one("result", STRUCT)])
        .format(PACKING)
        .verify_kind(verify_frexp);
    LDEXP = OpDef::new("spirv.GL.Ldexp")
        .with(Traits::PURE)
        .operands(&[one("x", FLOAT_LIKE), one("exp", INT_LIKE)])
        .results(&[one("y", FLOAT_LIKE)])
        .infer(&[same(&["x", "y"], "all of {x, y} have same type")])
        .format("attr-dict $x `:` type($x) `,` $exp `:` type($exp) `->` type($y)")
        .verify_kind(verify_ldexp);
    LENGTH = OpDef::new("spirv.GL.Length")
        .with(Traits::PURE)
        .operands(UNARY_FLOAT.operands)
        .results(&[one("result", FLOAT)])
        .infer(&[follows(
            "result",
            "operand",
            scalar_of,
            "result type must match operand element type",
        )])
        .format("$operand attr-dict `:` type($operand) `->` type($result)");
    PACK_HALF2X16 = OpDef::new("spirv.GL.PackHalf2x16")
        .with(Traits::PURE)
        .operands(&[one("operand", FLOAT32_PAIR)])
        .results(&[one("result", INT32)])
        .format(PACKING);
    PACK_SNORM4X8 = OpDef::new("spirv.GL.PackSnorm4x8")
        .with(Traits::PURE)
        .operands(&[one("operand", FLOAT32_QUAD)])
        .results(&[one("result", INT32)])
        .format(PACKING);
    S_CLAMP = three("spirv.GL.SClamp", THREE_INT);
    U_CLAMP = three("spirv.GL.UClamp", THREE_INT);
    UNPACK_HALF2X16 = OpDef::new("spirv.GL.UnpackHalf2x16")
        .with(Traits::PURE)
        .operands(&[one("operand", INT32)])
        .results(&[one("result", FLOAT32_PAIR)])
        .format(PACKING);
    UNPACK_SNORM4X8 = OpDef::new("spirv.GL.UnpackSnorm4x8")
        .with(Traits::PURE)
        .operands(&[one("operand", INT32)])
        .results(&[one("result", FLOAT32_QUAD)])
        .format(PACKING);
}

fn scalar_of(ctx: &gridloom_ir::Context, ty: Type) -> Option<Type> {
    Some(ty.element(ctx).unwrap_or(ty))
}

/// The number of elements of a vector; `None` for scalars.
fn length(check: &Check, ty: Type) -> Option<i64> {
    match ty.kind(check.ctx()) {
        TypeKind::Vector { .. } => num_elements(check.ctx(), ty),
        _ => None,
    }
}

fn verify_frexp(check: &Check) -> Checked {
    let ctx = check.ctx();
    let (operand, result) = (check.operand_type(0), check.result_type(0));
    let fail = |message: &str| Err(plain_error(check, message));
    if num_elements(ctx, result) != Some(2) {
        return fail("result type must be a struct type with two memebers");
    }
    let [significand, exponent] = [0, 1].map(|index| element_type(ctx, result, index));
    if significand != Some(operand) {
        return fail(
            "member zero of the resulting struct type must be the same type as the operand",
        );
    }
    let exponent = exponent.unwrap_or(result);
    let is_int32 = |ty: Type| matches!(ty.kind(ctx), TypeKind::Integer { width: 32, .. });
    let vector = length(check, exponent);
    if vector.is_some() && !exponent.element(ctx).is_some_and(is_int32) {
        return fail(
            "member one of the resulting struct type mustbe a scalar or vector of 32 bit integer \
             type",
        );
    }
    if vector.is_none() && !is_int32(exponent) {
        return fail(
            "member one of the resulting struct type must be a scalar or vector of 32 bit integer \
             type",
        );
    }
    if vector != length(check, operand) {
        return fail(
            "member one of the resulting struct type must have the same number of components as \
             the operand type",
        );
    }
    Ok(())
}

fn verify_ldexp(check: &Check) -> Checked {
    let [x, exponent] = [0, 1].map(|index| length(check, check.operand_type(index)));
    check.ensure(
        x.is_some() == exponent.is_some(),
        "operands must both be scalars or vectors",
    )?;
    check.ensure(
        x == exponent,
        "operands must have the same number of elements",
    )
}
