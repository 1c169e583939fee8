//! Comparisons, logic and selects.

#![allow(missing_docs)] // Each constant is the operation that its row names.

use super::constraints::*;
use super::rows::*;
use gridloom_ir::constraints::{one, same};
use gridloom_ir::op::{OpDef, Traits};
use gridloom_ir::types::{Type, TypeKind};
use gridloom_ir::verify::{Check, Checked};

dialect_ops! {
    after super::bit::END;
    F_ORD_EQUAL = comparison("spirv.FOrdEqual", BINARY_FLOAT.operands).with(Traits::COMMUTATIVE);
    F_ORD_GREATER_THAN = comparison("spirv.FOrdGreaterThan", BINARY_FLOAT.operands);
    F_ORD_GREATER_THAN_EQUAL = comparison("spirv.FOrdGreaterThanEqual", BINARY_FLOAT.operands);
    F_ORD_LESS_THAN = comparison("spirv.FOrdLessThan", BINARY_FLOAT.operands);
    F_ORD_LESS_THAN_EQUAL = comparison("spirv.FOrdLessThanEqual", BINARY_FLOAT.operands);
    F_ORD_NOT_EQUAL = comparison("spirv.FOrdNotEqual", BINARY_FLOAT.operands).with(Traits::COMMUTATIVE);
    F_UNORD_EQUAL = comparison("spirv.FUnordEqual", BINARY_FLOAT.operands).with(Traits::COMMUTATIVE);
    F_UNORD_GREATER_THAN = comparison("spirv.FUnordGreaterThan", BINARY_FLOAT.operands);
    F_UNORD_GREATER_THAN_EQUAL = comparison("spirv.FUnordGreaterThanEqual", BINARY_FLOAT.operands);
    F_UNORD_LESS_THAN = comparison("spirv.FUnordLessThan", BINARY_FLOAT.operands);
    F_UNORD_LESS_THAN_EQUAL = comparison("spirv.FUnordLessThanEqual", BINARY_FLOAT.operands);
    F_UNORD_NOT_EQUAL = comparison("spirv.FUnordNotEqual", BINARY_FLOAT.operands).with(Traits::COMMUTATIVE);
    I_EQUAL = comparison("spirv.IEqual", BINARY_INT.operands).with(Traits::COMMUTATIVE);
    I_NOT_EQUAL = comparison("spirv.INotEqual", BINARY_INT.operands).with(Traits::COMMUTATIVE);
    IS_FINITE = test("spirv.IsFinite", UNARY_FLOAT.operands);
    IS_INF = test("spirv.IsInf", UNARY_FLOAT.operands);
    IS_NAN = test("spirv.IsNan", UNARY_FLOAT.operands);
    LOGICAL_AND = comparison("spirv.LogicalAnd", BINARY_BOOL.operands).with(Traits::COMMUTATIVE);
    LOGICAL_EQUAL = comparison("spirv.LogicalEqual", BINARY_BOOL.operands).with(Traits::COMMUTATIVE);
    LOGICAL_NOT = test("spirv.LogicalNot", UNARY_BOOL.operands);
    LOGICAL_NOT_EQUAL = comparison("spirv.LogicalNotEqual", BINARY_BOOL.operands).with(Traits::COMMUTATIVE);
    LOGICAL_OR = comparison("spirv.LogicalOr", BINARY_BOOL.operands).with(Traits::COMMUTATIVE);
    ORDERED = comparison("spirv.Ordered", BINARY_FLOAT.operands).with(Traits::COMMUTATIVE);
    S_GREATER_THAN = comparison("spirv.SGreaterThan", BINARY_INT.operands);
    S_GREATER_THAN_EQUAL = comparison("spirv.SGreaterThanEqual", BINARY_INT.operands);
    S_LESS_THAN = comparison("spirv.SLessThan", BINARY_INT.operands);
    S_LESS_THAN_EQUAL = comparison("spirv.SLessThanEqual", BINARY_INT.operands);
    U_GREATER_THAN = comparison("spirv.UGreaterThan", BINARY_INT.operands);
    U_GREATER_THAN_EQUAL = comparison("spirv.UGreaterThanEqual", BINARY_INT.operands);
    U_LESS_THAN = comparison("spirv.ULessThan", BINARY_INT.operands);
    U_LESS_THAN_EQUAL = comparison("spirv.ULessThanEqual", BINARY_INT.operands);
    UNORDERED = comparison("spirv.Unordered", BINARY_FLOAT.operands).with(Traits::COMMUTATIVE);
    SELECT = OpDef::new("spirv.Select")
        .with(Traits::PURE)
        .operands(&[
            one("condition", BOOL_LIKE),
            one("true_value", SCALAR_VECTOR_OR_POINTER),
            one("false_value", SCALAR_VECTOR_OR_POINTER),
        ])
        .results(&[one("result", SCALAR_VECTOR_OR_POINTER)])
        .infer(&[same(
            &["true_value", "false_value", "result"],
            "all of {true_value, false_value, result} have same type",
        )])
        .format("operands attr-dict `:` type($condition) `,` type($result)")
        .verify_kind(verify_select);
}

fn verify_select(check: &Check) -> Checked {
    let extents = |ty: Type| match ty.kind(check.ctx()) {
        TypeKind::Vector { shape, .. } => Some(&shape[..]),
        _ => None,
    };
    let Some(condition) = extents(check.operand_type(0)) else {
        return Ok(());
    };
    let Some(result) = extents(check.result_type(0)) else {
        let message = "result expected to be of vector type when condition is of vector type";
        return Err(check.error(message));
    };
    check.ensure(
        condition.iter().product::<i64>() == result.iter().product(),
        "result should have the same number of elements as the condition when condition is of \
         vector type",
    )
}
