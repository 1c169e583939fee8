//! Conditionals: `scf.if`, `scf.index_switch`, and `scf.execute_region`.

use std::collections::HashSet;

use crate::verified::{region_block, required_i64s, yielded};
use gridloom_ir::body::{BlockId, Body, Value};
use gridloom_ir::builder::Builder;
use gridloom_ir::context::Context;
use gridloom_ir::types::Type;
use gridloom_ir::verify::{Check, Checked, End};

op_view! {
    /// `scf.if`
    IfOp = super::IF
}

impl IfOp {
    /// Creates a conditional with an empty then block and, if `with_else`, an
    /// empty else block.
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

    /// The block that runs if the condition holds.
    pub fn then_block(self, body: &Body) -> BlockId {
        region_block(body, self.0, 0)
    }

    /// The block that runs otherwise, if there is one.
    pub fn else_block(self, body: &Body) -> Option<BlockId> {
        body.region_block(self.0, 1)
    }
}

op_view! {
    /// `scf.index_switch`
    IndexSwitchOp = super::INDEX_SWITCH
}

impl IndexSwitchOp {
    /// The index that selects the case.
    pub fn arg(self, body: &Body) -> Value {
        body[self.0].operands[0]
    }

    /// The values of the cases.
    pub fn cases(self, ctx: &Context, body: &Body) -> Vec<i64> {
        required_i64s(ctx, &body[self.0], "cases")
    }

    /// The block of the default.
    pub fn default_block(self, body: &Body) -> BlockId {
        region_block(body, self.0, 0)
    }

    /// The block of case number `index`.
    pub fn case_block(self, body: &Body, index: usize) -> BlockId {
        region_block(body, self.0, index + 1)
    }
}

pub(super) fn verify_if(check: &Check) -> Checked {
    let (body, op) = (check.body(), IfOp(check.op));
    let then_block = check.require_block(0, "thenRegion")?;
    let else_block = op.else_block(body);
    check.ensure(
        else_block.is_some() || check.data().num_results() == 0,
        "must have an else block if defining values",
    )?;
    for block in [Some(then_block), else_block].into_iter().flatten() {
        let edge = (End::Terminator(block), End::Parent);
        check.edge(
            edge,
            check.types_of(yielded(body, block)),
            check.result_types(),
        )?;
    }
    Ok(())
}

pub(super) fn verify_index_switch(check: &Check) -> Checked {
    let (ctx, body, op) = (check.ctx(), check.body(), IndexSwitchOp(check.op));
    let cases = op.cases(ctx, body);
    let regions = check.data().inline_regions().len();
    check.ensure(
        regions == cases.len() + 1,
        format_args!(
            "has {} case regions but {} case values",
            regions.saturating_sub(1),
            cases.len()
        ),
    )?;
    check.require_block(0, "defaultRegion")?;
    for index in 1..regions {
        check.require_block(index, "caseRegions")?;
    }
    let mut seen = HashSet::new();
    if let Some(twice) = cases.iter().find(|&&case| !seen.insert(case)) {
        return Err(check.error(format!("has duplicate case value: {twice}")));
    }
    verify_switch_region(check, 0, "defaultRegion", "default region")?;
    for index in 0..cases.len() {
        verify_switch_region(
            check,
            index + 1,
            "caseRegions",
            &format!("case region #{index}"),
        )?;
    }
    Ok(())
}

fn verify_switch_region(check: &Check, index: usize, name: &str, shown: &str) -> Checked {
    let block = check.require_block(index, name)?;
    let values = yielded(check.body(), block);
    let results = check.data().num_results();
    let last = check.terminator(block).map_or(*check, |last| last);
    if values.len() != results {
        let error = check.error(format!(
            "expected each region to return {results} values, but {shown} returns {}",
            values.len()
        ));
        return Err(error.with_note(last.data().loc, "see yield operation here"));
    }
    for (number, (result, value)) in check.result_types().zip(check.types_of(values)).enumerate() {
        if result != value {
            let expected = check.show(result);
            let error = check.error(format!(
                "expected result #{number} of each region to be '{expected}'"
            ));
            let note = format!("{shown} returns '{}' here", check.show(value));
            return Err(error.with_note(last.data().loc, note));
        }
    }
    Ok(())
}

pub(super) fn verify_execute_region(check: &Check) -> Checked {
    let body = check.body();
    let regions = check.data().inline_regions();
    let blocks = regions
        .first()
        .map_or(&[][..], |&region| &body[region].blocks);
    let Some(&entry) = blocks.first() else {
        return Err(check.error("region needs to have at least one block"));
    };
    check.ensure(
        body[entry].args.is_empty(),
        "region cannot have any arguments",
    )?;
    for &block in blocks {
        let yields = check
            .terminator(block)
            .filter(|last| last.name() == super::YIELD);
        if let Some(last) = yields {
            let edge = (End::Terminator(block), End::Parent);
            check.edge(edge, last.operand_types(), check.result_types())?;
        }
    }
    Ok(())
}
