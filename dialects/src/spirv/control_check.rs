//! Verifiers of control flow.

use super::control::{BRANCH, MERGE};
use super::scope::in_function;
use gridloom_ir::attr::AttrKind;
use gridloom_ir::body::{BlockId, Body, OpId, RegionId};
use gridloom_ir::types::Type;
use gridloom_ir::verify::{Check, Checked, late};

pub(super) fn verify_branch_conditional(check: &Check) -> Checked {
    in_function(check)?;
    let ctx = check.ctx();
    let weights = check.data().attr(ctx, "branch_weights");
    let Some(weights) = weights.and_then(|weights| weights.as_array(ctx)) else {
        return Ok(());
    };
    check.ensure(weights.len() == 2, "must have exactly two branch weights")?;
    let zero = weights.iter().all(|weight| weight.as_i64(ctx) == Some(0));
    check.ensure(!zero, "branch weights cannot both be zero")
}

pub(super) fn verify_call(check: &Check) -> Checked {
    in_function(check)?;
    let (ctx, data) = (check.ctx(), check.data());
    let Some(name) = data
        .attr(ctx, "callee")
        .and_then(|callee| callee.as_flat_symbol(ctx))
    else {
        return Ok(());
    };
    let callee = check.lookup(name);
    let Some(callee) = callee.filter(|callee| callee.name() == super::structure::FUNC) else {
        let name = ctx.str(name);
        let message = format!("callee function '{name}' not found in nearest symbol table");
        return Err(check.error(message));
    };
    let ty = callee.data().attr(ctx, "function_type");
    let ty = ty
        .and_then(|ty| ty.as_type(ctx))
        .and_then(|ty| ty.function(ctx));
    let Some((inputs, results)) = ty else {
        return Ok(());
    };
    if inputs.len() != data.operands.len() {
        return Err(check.error(format!(
            "has incorrect number of operands for callee: expected {}, but provided {}",
            inputs.len(),
            data.operands.len()
        )));
    }
    for (index, (&expected, given)) in inputs.iter().zip(check.operand_types()).enumerate() {
        if expected != given {
            return Err(check.error(format!(
                "operand type mismatch: expected operand type '{}', but provided '{}' \
                 for operand number {index}",
                check.show(expected),
                check.show(given)
            )));
        }
    }
    verify_call_result(check, results)
}

fn verify_call_result(check: &Check, results: &[Type]) -> Checked {
    let given: Vec<Type> = check.result_types().collect();
    if results.len() != given.len() {
        return Err(check.error(format!(
            "has incorrect number of results has for callee: expected {}, but provided {}",
            results.len(),
            given.len()
        )));
    }
    match (results, &given[..]) {
        ([expected], [given]) if expected != given => Err(check.error(format!(
            "result type mismatch: expected '{}', but provided '{}'",
            check.show(*expected),
            check.show(*given)
        ))),
        _ => Ok(()),
    }
}

/// The blocks of a structured operation's region.
fn blocks_of<'a>(check: &Check<'a>) -> &'a [BlockId] {
    let region: Option<&RegionId> = check.data().inline_regions().first();
    region.map_or(&[], |&region| &check.body()[region].blocks)
}

fn only_op(body: &Body, block: BlockId) -> Option<OpId> {
    let first = body[block].first()?;
    (body[block].last() == Some(first)).then_some(first)
}

/// Checks that the last block, and no other, holds just the merge.
fn verify_merge(check: &Check, blocks: &[BlockId]) -> Checked {
    let body = check.body();
    let is_merge = |op: OpId| body[op].name == MERGE;
    let Some((&last, others)) = blocks.split_last() else {
        return Ok(());
    };
    check.ensure(
        only_op(body, last).is_some_and(is_merge),
        "last block must be the merge block with only one 'spirv.mlir.merge' op",
    )?;
    let elsewhere = others.iter().any(|&block| body.ops(block).any(is_merge));
    check.ensure(
        !elsewhere,
        "should not have 'spirv.mlir.merge' op outside the merge block",
    )
}

pub(super) fn verify_selection(check: &Check) -> Checked {
    in_function(check)?;
    late(verify_selection_blocks(check))
}

fn verify_selection_blocks(check: &Check) -> Checked {
    let blocks = blocks_of(check);
    verify_merge(check, blocks)?;
    check.ensure(blocks.len() != 1, "must have a selection header block")
}

pub(super) fn verify_loop(check: &Check) -> Checked {
    in_function(check)?;
    late(verify_loop_blocks(check))
}

fn verify_loop_blocks(check: &Check) -> Checked {
    let body = check.body();
    let blocks = blocks_of(check);
    verify_merge(check, blocks)?;
    let (entry, header, rest) = match blocks {
        [] => return Ok(()),
        [_] => {
            let message = "must have an entry block branching to the loop header block";
            return Err(check.error(message));
        }
        [_, _] => {
            let message = "must have a loop header block branched from the entry block";
            return Err(check.error(message));
        }
        [entry, header, rest @ ..] => (*entry, *header, rest),
    };
    let enters = only_op(body, entry).is_some_and(|op| {
        body[op].name == BRANCH && body[op].successors().first() == Some(&header)
    });
    check.ensure(
        enters,
        "entry block must only have one 'spirv.Branch' op to the second block",
    )?;
    let leads_back = |block: BlockId| {
        let last = body[block].last();
        last.is_some_and(|last| body[last].successors().contains(&header))
    };
    let [inner @ .., latch, _merge] = rest else {
        let message = "requires a loop continue block branching to the loop header block";
        return Err(check.error(message));
    };
    check.ensure(
        leads_back(*latch),
        "second to last block must be the loop continue block that branches to the loop header \
         block",
    )?;
    check.ensure(
        !inner.iter().any(|&block| leads_back(block)),
        "can only have the entry and loop continue block branching to the loop header block",
    )
}

pub(super) fn verify_switch(check: &Check) -> Checked {
    in_function(check)?;
    let (ctx, data) = (check.ctx(), check.data());
    let targets = data.successors().len().saturating_sub(1);
    let literals = data
        .attr(ctx, "literals")
        .map(|literals| literals.kind(ctx));
    crate::cf::verify_case_segments(check, "targetOperands", targets)?;
    let Some(AttrKind::Dense { ty, .. }) = literals else {
        return check.ensure(
            targets == 0,
            format_args!("number of literals (0) should match number of targets ({targets})"),
        );
    };
    let count = super::view::num_elements(ctx, *ty).unwrap_or(0);
    let (selector, element) = (check.operand_type(0), ty.element(ctx).unwrap_or(*ty));
    check.ensure(
        selector == element,
        format_args!(
            "'selector' type ('{}') should match literals type ('{}')",
            check.show(selector),
            check.show(element)
        ),
    )?;
    check.ensure(
        count == targets as i64,
        format_args!("number of literals ({count}) should match number of targets ({targets})"),
    )
}

pub(super) fn verify_unreachable(check: &Check) -> Checked {
    in_function(check)?;
    let body = check.body();
    let Some(block) = check.data().parent() else {
        return Ok(());
    };
    let entry = body[block].parent().and_then(|region| body[region].entry());
    check.ensure(entry != Some(block), "cannot be used in reachable block")
}

pub(super) fn verify_mesh_tasks(check: &Check) -> Checked {
    let ctx = check.ctx();
    let Some(payload) = check.operand_types().nth(3) else {
        return Ok(());
    };
    check.ensure(
        super::view::storage_class(ctx, payload) == Some("TaskPayloadWorkgroupEXT"),
        "payload must be a variable with a storage class of TaskPayloadWorkgroupEXT",
    )
}
