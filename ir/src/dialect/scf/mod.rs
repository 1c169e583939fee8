//! The `scf` dialect.

use crate::op::{OpDef, Traits};

mod branch;
mod loops;

pub use branch::{IfOp, IndexSwitchOp};
pub use loops::{ForOp, ParallelOp, WhileOp, condition, yield_values};

dialect_ops! {
    after super::cf::END;
    /// `scf.condition`
    CONDITION = OpDef { traits: Traits::PURE.with(Traits::TERMINATOR), ..OpDef::new("scf.condition") };
    /// `scf.execute_region`
    EXECUTE_REGION = OpDef { traits: Traits::RECURSIVE_EFFECTS, regions: Some(1), ..OpDef::new("scf.execute_region") };
    /// `scf.for`
    FOR = OpDef { traits: Traits::AUTOMATIC_ALLOCATION_SCOPE.with(Traits::RECURSIVE_EFFECTS).with(Traits::SINGLE_BLOCK), regions: Some(1), ..OpDef::new("scf.for") };
    /// `scf.forall`
    FORALL = OpDef { traits: Traits::ATTR_SIZED_OPERANDS.with(Traits::AUTOMATIC_ALLOCATION_SCOPE).with(Traits::RECURSIVE_EFFECTS).with(Traits::SINGLE_BLOCK), regions: Some(1), ..OpDef::new("scf.forall") };
    /// `scf.forall.in_parallel`
    FORALL_IN_PARALLEL = OpDef { traits: Traits::GRAPH_REGION.with(Traits::NO_TERMINATOR).with(Traits::PURE).with(Traits::SINGLE_BLOCK).with(Traits::TERMINATOR), regions: Some(1), ..OpDef::new("scf.forall.in_parallel") };
    /// `scf.if`
    IF = OpDef { traits: Traits::RECURSIVE_EFFECTS.with(Traits::SINGLE_BLOCK), regions: Some(2), ..OpDef::new("scf.if") };
    /// `scf.index_switch`
    INDEX_SWITCH = OpDef { traits: Traits::RECURSIVE_EFFECTS.with(Traits::SINGLE_BLOCK), regions: Some(2), ..OpDef::new("scf.index_switch") };
    /// `scf.parallel`
    PARALLEL = OpDef { traits: Traits::ATTR_SIZED_OPERANDS.with(Traits::AUTOMATIC_ALLOCATION_SCOPE).with(Traits::RECURSIVE_EFFECTS).with(Traits::SINGLE_BLOCK), regions: Some(1), ..OpDef::new("scf.parallel") };
    /// `scf.reduce`
    REDUCE = OpDef { traits: Traits::RECURSIVE_EFFECTS.with(Traits::TERMINATOR), regions: Some(1), ..OpDef::new("scf.reduce") };
    /// `scf.reduce.return`
    REDUCE_RETURN = OpDef { traits: Traits::PURE.with(Traits::TERMINATOR), ..OpDef::new("scf.reduce.return") };
    /// `scf.while`
    WHILE = OpDef { traits: Traits::RECURSIVE_EFFECTS.with(Traits::SINGLE_BLOCK), regions: Some(2), ..OpDef::new("scf.while") };
    /// `scf.yield`
    YIELD = OpDef { traits: Traits::PURE.with(Traits::RETURN_LIKE).with(Traits::TERMINATOR), ..OpDef::new("scf.yield") };
}
