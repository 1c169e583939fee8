//! The `cf` dialect.

use crate::op::{OpDef, Traits};

dialect_ops! {
    after super::func::END;
    /// `cf.assert`
    ASSERT = OpDef::new("cf.assert");
    /// `cf.br`
    BR = OpDef { traits: Traits::PURE.with(Traits::TERMINATOR), successors: Some(1), ..OpDef::new("cf.br") };
    /// `cf.cond_br`
    COND_BR = OpDef { traits: Traits::ATTR_SIZED_OPERANDS.with(Traits::PURE).with(Traits::TERMINATOR), successors: Some(2), ..OpDef::new("cf.cond_br") };
    /// `cf.switch`
    SWITCH = OpDef { traits: Traits::ATTR_SIZED_OPERANDS.with(Traits::PURE).with(Traits::TERMINATOR), successors: Some(2), ..OpDef::new("cf.switch") };
}
