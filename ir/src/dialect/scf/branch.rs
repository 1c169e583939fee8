//! Choices: `scf.if` and `scf.index_switch`, and `scf.execute_region`.

use crate::body::{BlockId, Body, Value};
use crate::builder::Builder;
use crate::context::Context;
use crate::dialect::{region_block, required_i64s};
use crate::types::Type;

op_view! {
    /// `scf.if`
    IfOp = super::IF
}

impl IfOp {
    /// Makes a conditional with an empty block in its first region and, if
    /// `with_else`, in its second.
    pub fn create(b: &mut Builder, condition: Value, results: &[Type], with_else: bool) -> IfOp {
        let state = b.state(super::IF).operands(&[condition]).results(results);
        let op = b.create(state);
        let then_region = b.body.add_region(op);
        b.body.add_block(then_region, &[]);
        let else_region = b.body.add_region(op);
        if with_else {
            b.body.add_block(else_region, &[]);
        }
        IfOp(op)
    }

    /// The condition.
    pub fn condition(self, body: &Body) -> Value {
        body[self.0].operands[0]
    }

    /// What runs where the condition holds.
    pub fn then_block(self, body: &Body) -> BlockId {
        region_block(body, self.0, 0)
    }

    /// What runs elsewhere, if anything.
    pub fn else_block(self, body: &Body) -> Option<BlockId> {
        body.region_block(self.0, 1)
    }
}

op_view! {
    /// `scf.index_switch`
    IndexSwitchOp = super::INDEX_SWITCH
}

impl IndexSwitchOp {
    /// The index that decides.
    pub fn arg(self, body: &Body) -> Value {
        body[self.0].operands[0]
    }

    /// The values of the cases.
    pub fn cases(self, ctx: &Context, body: &Body) -> Vec<i64> {
        required_i64s(ctx, &body[self.0], "cases")
    }

    /// What runs when no case fits.
    pub fn default_block(self, body: &Body) -> BlockId {
        region_block(body, self.0, 0)
    }

    /// What runs for case number `index`.
    pub fn case_block(self, body: &Body, index: usize) -> BlockId {
        region_block(body, self.0, index + 1)
    }
}
