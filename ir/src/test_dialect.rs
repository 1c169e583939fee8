//! Dialect of the unit tests: the core has none of its own.

use crate::constraints::{ANY, ANY_ATTR, SYMBOL_NAME, VISIBILITY, attr, many, one};
use crate::context::Context;
use crate::context::{OpName, RowTraits, Traits};
use crate::fold::CommonFolds;
use crate::op::OpDef;
use crate::registry::{DialectRegistry, Tables};
use crate::text::symbols::Symbols;
use crate::text::{OldOperations, ParseFailed};

static OPS: &[OpDef] = &[
    OpDef::new("test.module")
        .default_dialect("test")
        .with_row(RowTraits::ROOT)
        .attrs(&[SYMBOL_NAME.optional(), VISIBILITY])
        .regions(1)
        .format("($sym_name^)? attr-dict-with-keyword $bodyRegion"),
    OpDef::new("test.constant")
        .with(Traits::PURE.with(Traits::CONSTANT_LIKE))
        .attrs(&[attr("value", ANY_ATTR)])
        .results(&[one("result", ANY)])
        .format("$value attr-dict `:` type($result)"),
    OpDef::new("test.function")
        .default_dialect("test")
        .with(Traits::ISOLATED_FROM_ABOVE.with(Traits::SYMBOL))
        .attrs(&[
            SYMBOL_NAME,
            VISIBILITY,
            attr("function_type", ANY_ATTR).optional(),
        ])
        .regions(1),
    OpDef::new("test.add")
        .with_row(RowTraits::SAME_OPERANDS_AND_RESULT_TYPE.with(Traits::PURE.in_row()))
        .attrs(&[attr("flags", ANY_ATTR).optional()])
        .operands(&[one("lhs", ANY), one("rhs", ANY)])
        .results(&[one("sum", ANY)])
        .format("$lhs `,` $rhs (`flags` $flags^)? attr-dict `:` type($sum)"),
    OpDef::new("test.multiply")
        .with_row(RowTraits::SAME_OPERANDS_AND_RESULT_TYPE.with(Traits::PURE.in_row()))
        .operands(&[one("lhs", ANY), one("rhs", ANY)])
        .results(&[one("product", ANY)])
        .format("$lhs `,` $rhs attr-dict `:` type($product)"),
    OpDef::new("test.return")
        .with(Traits::TERMINATOR)
        .operands(&[many("values", ANY)])
        .format("attr-dict ($values^ `:` type($values))?"),
];

static TABLES: &[&[OpDef]] = &[OPS];
static SYMBOLS: &[&Symbols] = &[&Symbols::none("test")];

/// A registry of the operations above.
pub(crate) fn registry() -> DialectRegistry {
    DialectRegistry::of_tables(Tables {
        ops: TABLES,
        symbols: SYMBOLS,
        elements: &[],
        attribute_checks: &[],
        complete: &[],
        open: &[],
        nests_short: &[],
        unknown_symbols: &[],
        constant: OpName::of_row(1, OPS[1].signature.traits),
        folds: CommonFolds {
            before: |_| None,
            after: |_| None,
        },
        old_operations: OldOperations {
            is_old: |_| false,
            read: |_, _, _| Err(ParseFailed),
            quoted_types: &[],
        },
        upstream: &["builtin"],
    })
}

/// A context that knows the operations above.
pub(crate) fn context() -> Context {
    Context::new(registry())
}
