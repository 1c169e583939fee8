//! Integer and float arithmetic, scalar and elementwise on vectors.

#![allow(missing_docs)] // Each constant is the operation that its row names.

use super::constraints::*;
use super::form::{parse_extended, print_extended};
use super::rows::*;
use super::view::{element_type, num_elements};
use gridloom_ir::constraints::{follows, one, same};
use gridloom_ir::op::{OpDef, Traits, ValueDef};
use gridloom_ir::verify::{Check, Checked};

const TWO_INTS: &[ValueDef] = BINARY_INT.operands;

/// Integer arithmetic with two results: carry, borrow or high half.
const fn extended(name: &'static str) -> OpDef {
    OpDef::new(name)
        .with(Traits::PURE)
        .operands(TWO_INTS)
        .results(const { &[one("result", STRUCT)] })
        .custom(parse_extended, print_extended)
        .verify_kind(verify_extended)
}

dialect_ops! {
    after crate::llvm::intrinsics::END;
    DOT = OpDef::new("spirv.Dot")
        .with(Traits::PURE)
        .operands(&[one("vector1", ANY_FLOAT_VECTOR), one("vector2", ANY_FLOAT_VECTOR)])
        .results(&[one("result", ANY_FLOAT)])
        .infer(&[
            same(&["vector1", "vector2"], "all of {vector1, vector2} have same type"),
            follows(
                "result",
                "vector1",
                |c, t| t.element(c),
                "all of {vector1, result} have same element type",
            ),
        ])
        .format("operands attr-dict `:` type($vector1) `->` type($result)");
    F_ADD = binary("spirv.FAdd", BINARY_FLOAT_OR_COOP).with(Traits::COMMUTATIVE);
    F_DIV = binary("spirv.FDiv", BINARY_FLOAT_OR_COOP);
    F_MOD = binary("spirv.FMod", BINARY_FLOAT);
    F_MUL = binary("spirv.FMul", BINARY_FLOAT_OR_COOP).with(Traits::COMMUTATIVE);
    F_NEGATE = negation("spirv.FNegate", UNARY_FLOAT_OR_COOP);
    F_REM = binary("spirv.FRem", BINARY_FLOAT);
    F_SUB = binary("spirv.FSub", BINARY_FLOAT_OR_COOP);
    I_ADD = binary("spirv.IAdd", BINARY_INT_OR_COOP).with(Traits::COMMUTATIVE);
    I_MUL = binary("spirv.IMul", BINARY_INT_OR_COOP).with(Traits::COMMUTATIVE);
    I_SUB = binary("spirv.ISub", BINARY_INT_OR_COOP);
    S_DIV = binary("spirv.SDiv", BINARY_INT_OR_COOP);
    S_MOD = binary("spirv.SMod", BINARY_INT);
    S_NEGATE = negation("spirv.SNegate", UNARY_INT_OR_COOP);
    S_REM = binary("spirv.SRem", BINARY_INT);
    U_DIV = binary("spirv.UDiv", BINARY_INT_OR_COOP);
    U_MOD = binary("spirv.UMod", BINARY_INT);
    I_ADD_CARRY = extended("spirv.IAddCarry").with(Traits::COMMUTATIVE);
    I_SUB_BORROW = extended("spirv.ISubBorrow");
    S_MUL_EXTENDED = extended("spirv.SMulExtended").with(Traits::COMMUTATIVE);
    U_MUL_EXTENDED = extended("spirv.UMulExtended").with(Traits::COMMUTATIVE);
    VECTOR_TIMES_SCALAR = OpDef::new("spirv.VectorTimesScalar")
        .with(Traits::PURE)
        .operands(&[one("vector", SHORT_FLOAT_VECTOR), one("scalar", FLOAT)])
        .results(&[one("result", SHORT_FLOAT_VECTOR)])
        .format("operands attr-dict `:` `(` type(operands) `)` `->` type($result)")
        .verify_kind(verify_vector_times_scalar);
}

fn verify_extended(check: &Check) -> Checked {
    let ctx = check.ctx();
    let result = check.result_type(0);
    if num_elements(ctx, result) != Some(2) {
        return Err(check.error("expected result struct type containing two members"));
    }
    let members = [0, 1].map(|index| element_type(ctx, result, index));
    let operands = [0, 1].map(|index| Some(check.operand_type(index)));
    let first = operands[0];
    let alike = operands.iter().chain(&members).all(|ty| *ty == first);
    check.ensure(
        alike,
        "expected all operand types and struct member types are the same",
    )
}

fn verify_vector_times_scalar(check: &Check) -> Checked {
    let result = check.result_type(0);
    check.ensure(
        check.operand_type(0) == result,
        "vector operand and result type mismatch",
    )?;
    check.ensure(
        Some(check.operand_type(1)) == result.element(check.ctx()),
        "scalar operand and result element type match",
    )
}
