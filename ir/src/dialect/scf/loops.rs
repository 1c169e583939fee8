//! Loops: `scf.for`, `scf.while`, `scf.parallel`, and the terminators of
//! their bodies.

use crate::body::{BlockId, Body, OpId, Value};
use crate::builder::{Builder, InsertPoint};
use crate::context::Context;
use crate::dialect::{region_block, yielded};
use crate::types::Type;

op_view! {
    /// `scf.for`: from the lower bound up to, and without, the upper bound.
    ForOp = super::FOR
}

impl ForOp {
    /// Makes a loop with an empty body block; [`yield_values`] ends it.
    pub fn create(
        b: &mut Builder,
        lower: Value,
        upper: Value,
        step: Value,
        inits: &[Value],
    ) -> ForOp {
        let types: Vec<_> = inits.iter().map(|&init| b.body.ty(init)).collect();
        let induction = b.body.ty(lower);
        let state = b
            .state(super::FOR)
            .operands(&[&[lower, upper, step], inits].concat())
            .results(&types);
        let op = b.create(state);
        let region = b.body.add_region(op);
        b.body
            .add_block(region, &[&[induction], &types[..]].concat());
        ForOp(op)
    }

    /// The lower bound.
    pub fn lower(self, body: &Body) -> Value {
        body[self.0].operands[0]
    }

    /// The upper bound.
    pub fn upper(self, body: &Body) -> Value {
        body[self.0].operands[1]
    }

    /// The step.
    pub fn step(self, body: &Body) -> Value {
        body[self.0].operands[2]
    }

    /// Whether the bounds are compared as unsigned integers.
    pub fn is_unsigned(self, ctx: &Context, body: &Body) -> bool {
        body[self.0].attr(ctx, "unsignedCmp").is_some()
    }

    /// The values that the iteration arguments start from.
    pub fn inits(self, body: &Body) -> &[Value] {
        &body[self.0].operands[3..]
    }

    /// The body.
    pub fn block(self, body: &Body) -> BlockId {
        region_block(body, self.0, 0)
    }

    /// The induction variable.
    pub fn induction_var(self, body: &Body) -> Value {
        body[self.block(body)].args[0]
    }

    /// The iteration arguments.
    pub fn iter_args(self, body: &Body) -> &[Value] {
        &body[self.block(body)].args[1..]
    }

    /// The values handed to the next iteration.
    pub fn yielded(self, body: &Body) -> &[Value] {
        yielded(body, self.block(body))
    }
}

op_view! {
    /// `scf.while`: the first region decides, the second one works.
    WhileOp = super::WHILE
}

impl WhileOp {
    /// Makes a loop with two empty blocks: the first takes the types of
    /// `inits`, the second takes `results`.
    pub fn create(b: &mut Builder, inits: &[Value], results: &[Type]) -> WhileOp {
        let types: Vec<_> = inits.iter().map(|&init| b.body.ty(init)).collect();
        let state = b.state(super::WHILE).operands(inits).results(results);
        let op = b.create(state);
        for types in [&types[..], results] {
            let region = b.body.add_region(op);
            b.body.add_block(region, types);
        }
        WhileOp(op)
    }

    /// The values that the first region starts from.
    pub fn inits(self, body: &Body) -> &[Value] {
        &body[self.0].operands
    }

    /// The region that ends in `scf.condition`.
    pub fn before(self, body: &Body) -> BlockId {
        region_block(body, self.0, 0)
    }

    /// The region that ends in `scf.yield`.
    pub fn after(self, body: &Body) -> BlockId {
        region_block(body, self.0, 1)
    }

    /// The `scf.condition` of the first region: its condition, and the values
    /// passed on to the second region or out.
    pub fn condition(self, body: &Body) -> (Value, &[Value]) {
        let operands = yielded(body, self.before(body));
        (operands[0], &operands[1..])
    }

    /// The values that the second region hands to the first.
    pub fn yielded(self, body: &Body) -> &[Value] {
        yielded(body, self.after(body))
    }
}

op_view! {
    /// `scf.parallel`: a band of loops whose iterations may run in any order.
    ParallelOp = super::PARALLEL
}

impl ParallelOp {
    /// The lower bounds, one for each dimension.
    pub fn lower<'b>(self, ctx: &Context, body: &'b Body) -> &'b [Value] {
        body[self.0].operand_segment(ctx, 0)
    }

    /// The upper bounds.
    pub fn upper<'b>(self, ctx: &Context, body: &'b Body) -> &'b [Value] {
        body[self.0].operand_segment(ctx, 1)
    }

    /// The steps.
    pub fn steps<'b>(self, ctx: &Context, body: &'b Body) -> &'b [Value] {
        body[self.0].operand_segment(ctx, 2)
    }

    /// The values that the reductions start from.
    pub fn inits<'b>(self, ctx: &Context, body: &'b Body) -> &'b [Value] {
        body[self.0].operand_segment(ctx, 3)
    }

    /// The body.
    pub fn block(self, body: &Body) -> BlockId {
        region_block(body, self.0, 0)
    }

    /// The induction variables.
    pub fn induction_vars(self, body: &Body) -> &[Value] {
        &body[self.block(body)].args
    }

    /// The `scf.reduce` that ends the body: its operands are what an iteration
    /// contributes, its regions combine two contributions each.
    pub fn reduce(self, body: &Body) -> OpId {
        let last = body[self.block(body)].last();
        last.expect("a verified block ends in a terminator")
    }
}

/// `scf.yield values` at the end of a block.
pub fn yield_values(b: &mut Builder, block: BlockId, values: &[Value]) {
    let at = b.point();
    b.set(InsertPoint::End(block));
    b.create(b.state(super::YIELD).operands(values));
    b.set(at);
}

/// `scf.condition(condition) values` at the end of a block.
pub fn condition(b: &mut Builder, block: BlockId, condition: Value, values: &[Value]) {
    let at = b.point();
    b.set(InsertPoint::End(block));
    let operands = [&[condition], values].concat();
    b.create(b.state(super::CONDITION).operands(&operands));
    b.set(at);
}
