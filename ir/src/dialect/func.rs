//! The `func` dialect.

use crate::op::{OpDef, Traits};

dialect_ops! {
    after super::builtin::END;
    /// `func.call`
    CALL = OpDef::new("func.call");
    /// `func.call_indirect`
    CALL_INDIRECT = OpDef::new("func.call_indirect");
    /// `func.constant`
    CONSTANT = OpDef { traits: Traits::CONSTANT_LIKE.with(Traits::PURE), ..OpDef::new("func.constant") };
    /// `func.func`
    FUNC = OpDef { traits: Traits::AFFINE_SCOPE.with(Traits::AUTOMATIC_ALLOCATION_SCOPE).with(Traits::ISOLATED_FROM_ABOVE), regions: Some(1), ..OpDef::new("func.func") };
    /// `func.return`
    RETURN = OpDef { traits: Traits::PURE.with(Traits::RETURN_LIKE).with(Traits::TERMINATOR), ..OpDef::new("func.return") };
}
