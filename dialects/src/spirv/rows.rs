//! Row templates that many operations share.

use super::constraints::{
    ANY_FLOAT_OR_COOP, BOOL_LIKE, FLOAT_LIKE, FLOAT_OR_COOP, INT_LIKE, INT_OR_COOP, INT32_LIKE,
    SMALL_FLOAT_LIKE, as_bool,
};
use super::scope;
use gridloom_ir::constraints::{follows, one, same};
use gridloom_ir::op::{OpDef, RowTraits, Traits, ValueDef};

/// The operands and results of a row.
#[derive(Clone, Copy)]
pub(super) struct Values {
    pub operands: &'static [ValueDef],
    pub results: &'static [ValueDef],
}

/// Declares operand and result lists that differ only in their common type.
macro_rules! values {
    ($($name:ident = $constraint:ident, [$($operand:literal),*];)*) => {
        $(pub(super) const $name: Values = Values {
            operands: &[$(one($operand, $constraint)),*],
            results: &[one("result", $constraint)],
        };)*
    };
}

values! {
    UNARY_BOOL = BOOL_LIKE, ["operand"];
    UNARY_FLOAT = FLOAT_LIKE, ["operand"];
    UNARY_FLOAT_OR_COOP = FLOAT_OR_COOP, ["operand"];
    UNARY_INT = INT_LIKE, ["operand"];
    UNARY_INT32 = INT32_LIKE, ["operand"];
    UNARY_INT_OR_COOP = INT_OR_COOP, ["operand"];
    UNARY_SMALL_FLOAT = SMALL_FLOAT_LIKE, ["operand"];
    PAIR_FLOAT = FLOAT_LIKE, ["lhs", "rhs"];
    PAIR_INT = INT_LIKE, ["lhs", "rhs"];
    PAIR_SMALL_FLOAT = SMALL_FLOAT_LIKE, ["lhs", "rhs"];
    THREE_FLOAT = FLOAT_LIKE, ["x", "y", "z"];
    THREE_INT = INT_LIKE, ["x", "y", "z"];
    BINARY_BOOL = BOOL_LIKE, ["operand1", "operand2"];
    BINARY_FLOAT = FLOAT_LIKE, ["operand1", "operand2"];
    BINARY_FLOAT_OR_COOP = FLOAT_OR_COOP, ["operand1", "operand2"];
    BINARY_INT = INT_LIKE, ["operand1", "operand2"];
    BINARY_INT_OR_COOP = INT_OR_COOP, ["operand1", "operand2"];
    ANY_FLOAT_TO_ANY_FLOAT = ANY_FLOAT_OR_COOP, ["operand"];
    INT_TO_INT = INT_OR_COOP, ["operand"];
}

/// A row with these operands and results.
pub(super) const fn row(name: &'static str, values: Values) -> OpDef {
    OpDef::new(name)
        .operands(values.operands)
        .results(values.results)
}

/// A row without effects.
pub(super) const fn pure(name: &'static str, values: Values) -> OpDef {
    row(name, values).with(Traits::PURE)
}

/// A unary operation: `%x : type`.
pub(super) const fn unary(name: &'static str, values: Values) -> OpDef {
    pure(name, values)
        .with_row(RowTraits::SAME_OPERANDS_AND_RESULT_TYPE)
        .format("$operand `:` type($operand) attr-dict")
}

/// An operation on values of one type: `%x, %y : type`.
pub(super) const fn alike(name: &'static str, values: Values) -> OpDef {
    pure(name, values)
        .with_row(RowTraits::SAME_OPERANDS_AND_RESULT_TYPE)
        .format("operands attr-dict `:` type($result)")
}

/// A binary arithmetic operation: `%a, %b : type`.
pub(super) const fn binary(name: &'static str, values: Values) -> OpDef {
    pure(name, values)
        .infer(
            const {
                &[same(
                    &["operand1", "operand2", "result"],
                    "all of {operand1, operand2, result} have same type",
                )]
            },
        )
        .format("operands attr-dict `:` type($result)")
}

/// A negation: `%a : type`.
pub(super) const fn negation(name: &'static str, values: Values) -> OpDef {
    pure(name, values)
        .infer(
            const {
                &[same(
                    &["operand", "result"],
                    "all of {operand, result} have same type",
                )]
            },
        )
        .format("operands attr-dict `:` type($result)")
}

/// An elementwise comparison: `%a, %b : type`.
pub(super) const fn comparison(name: &'static str, operands: &'static [ValueDef]) -> OpDef {
    OpDef::new(name)
        .with(Traits::PURE)
        .with_row(RowTraits::SAME_SHAPE)
        .with_row(RowTraits::SAME_TYPE_OPERANDS)
        .operands(operands)
        .results(UNARY_BOOL.results)
        .infer(
            const {
                &[follows(
                    "result",
                    "operand1",
                    as_bool,
                    "type of result to correspond to the `i1` equivalent of the operand",
                )]
            },
        )
        .format("$operand1 `,` $operand2 `:` type($operand1) attr-dict")
}

/// An elementwise classification: `%a : type`.
pub(super) const fn test(name: &'static str, operands: &'static [ValueDef]) -> OpDef {
    comparison(name, operands)
        .infer(
            const {
                &[follows(
                    "result",
                    "operand",
                    as_bool,
                    "type of result to correspond to the `i1` equivalent of the operand",
                )]
            },
        )
        .format("$operand `:` type($operand) attr-dict")
}

/// A conversion: `%a : type to type`.
pub(super) const fn conversion(name: &'static str, values: Values) -> OpDef {
    pure(name, values).format("$operand attr-dict `:` type($operand) `to` type($result)")
}

/// A terminator inside a function.
pub(super) const fn terminator(name: &'static str) -> OpDef {
    OpDef::new(name)
        .with(Traits::PURE)
        .with(Traits::TERMINATOR)
        .verify(scope::in_function)
}
