//! Bit operations on integers.

#![allow(missing_docs)] // Each constant is the operation that its row names.

use super::constraints::*;
use super::rows::*;
use super::scope::plain_error;
use gridloom_ir::constraints::{one, same};
use gridloom_ir::op::{OpDef, RowTraits, Traits};
use gridloom_ir::verify::{Check, Checked};

/// A shift of each element.
const fn shift(name: &'static str) -> OpDef {
    pure(name, BINARY_INT)
        .with_row(RowTraits::SAME_SHAPE)
        .infer(
            const {
                &[same(
                    &["operand1", "result"],
                    "all of {operand1, result} have same type",
                )]
            },
        )
        .format("operands attr-dict `:` type($operand1) `,` type($operand2)")
        .verify_kind(verify_shift)
}

/// A bit-field extraction from each element.
const fn extract(name: &'static str) -> OpDef {
    OpDef::new(name)
        .with(Traits::PURE)
        .operands(
            const {
                &[
                    one("base", INT_LIKE),
                    one("offset", INTEGER),
                    one("count", INTEGER),
                ]
            },
        )
        .results(UNARY_INT.results)
        .infer(
            const {
                &[same(
                    &["base", "result"],
                    "all of {base, result} have same type",
                )]
            },
        )
        .format("operands attr-dict `:` type($base) `,` type($offset) `,` type($count)")
}

dialect_ops! {
    after super::arithmetic::END;
    BIT_COUNT = unary("spirv.BitCount", UNARY_INT);
    BIT_REVERSE = unary("spirv.BitReverse", UNARY_INT);
    BITWISE_AND = alike("spirv.BitwiseAnd", BINARY_INT).with(Traits::COMMUTATIVE);
    BITWISE_OR = alike("spirv.BitwiseOr", BINARY_INT).with(Traits::COMMUTATIVE);
    BITWISE_XOR = alike("spirv.BitwiseXor", BINARY_INT).with(Traits::COMMUTATIVE);
    NOT = unary("spirv.Not", UNARY_INT);
    BIT_FIELD_INSERT = OpDef::new("spirv.BitFieldInsert")
        .with(Traits::PURE)
        .operands(&[
            one("base", INT_LIKE),
            one("insert", INT_LIKE),
            one("offset", INTEGER),
            one("count", INTEGER),
        ])
        .results(UNARY_INT.results)
        .infer(&[same(
            &["base", "insert", "result"],
            "all of {base, insert, result} have same type",
        )])
        .format("operands attr-dict `:` type($base) `,` type($offset) `,` type($count)");
    BIT_FIELD_S_EXTRACT = extract("spirv.BitFieldSExtract");
    BIT_FIELD_U_EXTRACT = extract("spirv.BitFieldUExtract");
    SHIFT_LEFT_LOGICAL = shift("spirv.ShiftLeftLogical");
    SHIFT_RIGHT_ARITHMETIC = shift("spirv.ShiftRightArithmetic");
    SHIFT_RIGHT_LOGICAL = shift("spirv.ShiftRightLogical");
}

fn verify_shift(check: &Check) -> Checked {
    let (operand, result) = (check.operand_type(0), check.result_type(0));
    if operand == result {
        return Ok(());
    }
    Err(plain_error(
        check,
        format!(
            "expected the same type for the first operand and result, but provided '{}' and '{}'",
            check.show(operand),
            check.show(result)
        ),
    ))
}
