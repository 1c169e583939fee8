//! The `builtin` dialect.

use crate::dialect::constraints::*;
use crate::op::{OpDef, Traits};

dialect_ops! {
    after 0;
    /// `builtin.module`: the root of what a file holds, or a part of it.
    MODULE = OpDef::new("builtin.module")
        .with(Traits::AFFINE_SCOPE)
        .with(Traits::GRAPH_REGION)
        .with(Traits::ISOLATED_FROM_ABOVE)
        .with(Traits::NO_REGION_ARGUMENTS)
        .with(Traits::NO_TERMINATOR)
        .with(Traits::SINGLE_BLOCK)
        .with(Traits::SYMBOL)
        .with(Traits::SYMBOL_TABLE)
        .attrs(&[SYMBOL_NAME.optional(), VISIBILITY])
        .regions(1)
        .format("($sym_name^)? attr-dict-with-keyword $bodyRegion");
    /// `builtin.unrealized_conversion_cast`: a promise that a later pass
    /// makes one set of values from another.
    UNREALIZED_CONVERSION_CAST = OpDef::new("builtin.unrealized_conversion_cast")
        .with(Traits::PURE)
        .operands(&[many("inputs", ANY)])
        .results(&[many("outputs", ANY)])
        .format("($inputs^ `:` type($inputs))? `to` type($outputs) attr-dict");
}
