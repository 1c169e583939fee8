//! The `builtin` dialect.

use crate::op::{OpDef, Traits};

dialect_ops! {
    after 0;
    /// `builtin.module`
    MODULE = OpDef { traits: Traits::AFFINE_SCOPE.with(Traits::GRAPH_REGION).with(Traits::ISOLATED_FROM_ABOVE).with(Traits::NO_TERMINATOR).with(Traits::SINGLE_BLOCK).with(Traits::SYMBOL).with(Traits::SYMBOL_TABLE), regions: Some(1), ..OpDef::new("builtin.module") };
    /// `builtin.unrealized_conversion_cast`
    UNREALIZED_CONVERSION_CAST = OpDef { traits: Traits::PURE, ..OpDef::new("builtin.unrealized_conversion_cast") };
}
