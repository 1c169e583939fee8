//! Structured operations of `scf` that do less than they might: loops that
//! carry what does not change, switches on constants, regions that run once.

use gridloom_ir::dialect::{arith, memref, scf};
use gridloom_ir::op::Traits;
use gridloom_ir::{OpId, Value};

use super::control::{drop_results, inline_block, yields};
use crate::transform::rewriter::Rewriter;

/// One rule or another; `None` if none fits.
pub(super) fn simplify(rw: &mut Rewriter, op: OpId) -> Option<()> {
    match rw.body()[op].name {
        scf::WHILE => super::while_loop::simplify(rw, scf::WhileOp(op)),
        scf::PARALLEL => super::parallel::simplify(rw, scf::ParallelOp(op)),
        scf::FORALL => super::forall::simplify(rw, op),
        scf::INDEX_SWITCH => simplify_switch(rw, scf::IndexSwitchOp(op)),
        scf::EXECUTE_REGION => inline_single_block(rw, op, "no_inline")
            .or_else(|| super::region::splice(rw, op))
            .or_else(|| agree(rw, op))
            .or_else(|| drop_results(rw, op).map(|_| ())),
        memref::ALLOCA_SCOPE => leave_scope(rw, op),
        _ => None,
    }
}

/// A region of one block that runs once is part of its surroundings.
fn inline_single_block(rw: &mut Rewriter, op: OpId, unless: &str) -> Option<()> {
    let body = rw.body();
    let &[region] = body[op].inline_regions() else {
        return None;
    };
    let &[block] = &body[region].blocks[..] else {
        return None;
    };
    let yields = body[block]
        .last()
        .is_some_and(|last| body[last].successors.is_empty());
    if !yields || body[op].attr(rw.ctx, unless).is_some() {
        return None;
    }
    inline_block(rw, op, block, &[]);
    Some(())
}

/// A scope without stack memory of its own is none, nor is one that ends with
/// the function.
fn leave_scope(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let body = rw.body();
    let ends = body.parent_op(op).is_none()
        && body[op]
            .next()
            .is_some_and(|next| body[next].name.has(Traits::RETURN_LIKE));
    if ends {
        return inline_single_block(rw, op, "");
    }
    let mut inside = body.walk_op(op).into_iter();
    if inside.any(|op| body[op].name == memref::ALLOCA || body[op].isolated().is_some()) {
        return None;
    }
    inline_single_block(rw, op, "")
}

fn simplify_switch(rw: &mut Rewriter, op: scf::IndexSwitchOp) -> Option<()> {
    let (ctx, body) = (rw.ctx, rw.body());
    let Some(arg) = arith::constant_int(ctx, body, op.arg(body)) else {
        return agree(rw, op.0).or_else(|| drop_results(rw, op.0).map(|_| ()));
    };
    let hit = op.cases(ctx, body).iter().position(|&case| case == arg);
    let block = match hit {
        Some(index) => op.case_block(body, index),
        None => op.default_block(body),
    };
    inline_block(rw, op.0, block, &[]);
    Some(())
}

/// Results that every yield gives the same value from outside are it.
fn agree(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let body = rw.body();
    let lasts = yields(rw, op);
    let from_inside = |value: Value| {
        let region = body
            .value_block(value)
            .and_then(|block| body[block].parent());
        region.is_none_or(|region| body[op].inline_regions().contains(&region))
    };
    let same = |number: usize| {
        let mut values = lasts.iter().map(|&last| body[last].operands[number]);
        let first = values.next()?;
        (values.all(|value| value == first) && !from_inside(first)).then_some(first)
    };
    let results = body[op].results().enumerate();
    let known: Vec<(Value, Value)> = results
        .filter(|&(_, result)| !rw.is_unused(result))
        .filter_map(|(number, result)| Some((result, same(number)?)))
        .collect();
    for &(result, value) in &known {
        rw.replace(result, value);
    }
    (!known.is_empty()).then_some(())
}
