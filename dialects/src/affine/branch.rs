//! `affine.if`.

use crate::verified::{region_block, required};
use gridloom_ir::affine::IntegerSet;
use gridloom_ir::attr_names;
use gridloom_ir::body::{BlockId, Body, Value};
use gridloom_ir::builder::Builder;
use gridloom_ir::context::Context;
use gridloom_ir::types::Type;
use gridloom_ir::verify::{Check, Checked, End};

use super::validity::verify_operands;

op_view! {
    /// `affine.if`: runs the first region where the operands lie in the set, else the second.
    IfOp = super::IF
}

impl IfOp {
    /// Makes a conditional with an empty block in its first region and, if `with_else`, in its
    /// second.
    pub fn create(
        b: &mut Builder,
        set: IntegerSet,
        operands: &[Value],
        results: &[Type],
        with_else: bool,
    ) -> IfOp {
        let state = b
            .state(super::IF)
            .operands(operands)
            .results(results)
            .property(b.ctx, attr_names::CONDITION, b.ctx.set_attr(set));
        let op = b.create(state);
        let then_region = b.body.add_region(op);
        b.body.add_block(then_region, &[]);
        let else_region = b.body.add_region(op);
        if with_else {
            b.body.add_block(else_region, &[]);
        }
        IfOp(op)
    }

    /// The condition: the set that the point must lie in.
    pub fn set(self, ctx: &Context, body: &Body) -> IntegerSet {
        let set = required(ctx, &body[self.0], attr_names::CONDITION).as_set(ctx);
        set.expect("a verified condition is a set")
    }

    /// The point: dimensions, then symbols.
    pub fn operands(self, body: &Body) -> &[Value] {
        &body[self.0].operands
    }

    /// The block that runs where the condition holds.
    pub fn then_block(self, body: &Body) -> BlockId {
        region_block(body, self.0, 0)
    }

    /// The block that runs elsewhere, if there is one.
    pub fn else_block(self, body: &Body) -> Option<BlockId> {
        body.region_block(self.0, 1)
    }
}

pub(super) fn verify_if(check: &Check) -> Checked {
    let (ctx, body, op) = (check.ctx(), check.body(), IfOp(check.op));
    check.require_block(0, "thenRegion")?;
    let set = op.set(ctx, body).data(ctx);
    let operands = op.operands(body);
    check.ensure(
        operands.len() == (set.dims + set.symbols) as usize,
        "operand count and condition integer set dimension and symbol count must match",
    )?;
    verify_operands(check, operands, set.dims as usize)?;
    verify_else(check)
}

/// Checks for each `affine.if` what its kind does not decide: operands and blocks.
pub(super) fn verify_if_each(check: &Check) -> Checked {
    let (ctx, body, op) = (check.ctx(), check.body(), IfOp(check.op));
    check.require_block(0, "thenRegion")?;
    let set = op.set(ctx, body).data(ctx);
    verify_operands(check, op.operands(body), set.dims as usize)?;
    verify_else(check)
}

/// Checks that there are no results without a second region.
fn verify_else(check: &Check) -> Checked {
    if IfOp(check.op).else_block(check.body()).is_none() {
        let edge = (End::Parent, End::Parent);
        check.edge(edge, std::iter::empty(), check.result_types())?;
    }
    Ok(())
}
