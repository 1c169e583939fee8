//! `scf.execute_region`, `scf.index_switch` and `memref.alloca_scope`: inlines
//! regions that run once, resolves switches on constants, and replaces results
//! that every branch yields alike.

use gridloom_dialects::{arith, func, inherent, memref, scf};
use gridloom_ir::op::Traits;
use gridloom_ir::{OpId, Value};

use super::control::{drop_results, inline_block, yields};
use crate::canonicalize::rules::Family;
use crate::rewriter::Rewriter;

/// Rewrites by root operation.
pub(super) const RULES: Family = &[
    (
        scf::WHILE,
        &[|rw, op| super::while_loop::simplify(rw, scf::WhileOp(op))],
    ),
    (
        scf::PARALLEL,
        &[|rw, op| super::parallel::simplify(rw, scf::ParallelOp(op))],
    ),
    (scf::FORALL, &[super::forall::simplify]),
    (
        scf::INDEX_SWITCH,
        &[|rw, op| simplify_switch(rw, scf::IndexSwitchOp(op))],
    ),
    (
        scf::EXECUTE_REGION,
        &[
            inline_region,
            super::region::splice,
            replace_agreeing,
            |rw, op| drop_results(rw, op).map(|_| ()),
        ],
    ),
    (memref::ALLOCA_SCOPE, &[leave_scope]),
];

/// `%r = execute_region { …; yield %x } ⇒ …; %r = %x` for one block, unless it forbids that.
fn inline_region(rw: &mut Rewriter, op: OpId) -> Option<()> {
    if rw.body()[op].has_attr(rw.ctx, inherent::NO_INLINE) {
        return None;
    }
    inline_single_block(rw, op)
}

/// `%r = op { …; yield %x } ⇒ …; %r = %x` for a region of one block.
fn inline_single_block(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let body = rw.body();
    let &[region] = body[op].inline_regions() else {
        return None;
    };
    let &[block] = &body[region].blocks[..] else {
        return None;
    };
    let yields = body[block]
        .last()
        .is_some_and(|last| body[last].successors().is_empty());
    if !yields {
        return None;
    }
    inline_block(rw, op, block, &[]);
    Some(())
}

/// `alloca_scope { … } ⇒ …` if it allocates nothing or ends together with the scope around it; else
/// hoists its allocations.
fn leave_scope(rw: &mut Rewriter, op: OpId) -> Option<()> {
    if is_scope(rw, rw.body().parent_op(op)) && is_last(rw, op) {
        return inline_single_block(rw, op);
    }
    let own = stack_memory(rw, op);
    if own.is_empty() {
        return inline_single_block(rw, op);
    }
    hoist(rw, op, &own)
}

/// Whether stack allocations live until this operation ends; `None` is the
/// function itself.
fn is_scope(rw: &Rewriter, op: Option<OpId>) -> bool {
    op.is_none_or(|op| rw.body()[op].name.has(Traits::AUTOMATIC_ALLOCATION_SCOPE))
}

/// Whether only the terminator follows an operation, in a region of one block.
fn is_last(rw: &Rewriter, op: OpId) -> bool {
    let body = rw.body();
    let Some(block) = body[op].parent() else {
        return false;
    };
    let next = body[op].next();
    let alone = body[block]
        .parent()
        .is_some_and(|region| body[region].blocks.len() == 1);
    alone && next.is_some() && body[block].last() == next
}

/// The operations that may allocate stack memory of this scope rather than of a
/// nested one.
fn stack_memory(rw: &Rewriter, scope: OpId) -> Vec<OpId> {
    let body = rw.body();
    let holder = |op: OpId| {
        let mut at = body.parent_op(op);
        while let Some(outer) = at.filter(|&outer| outer != scope) {
            if is_scope(rw, Some(outer)) {
                return Some(outer);
            }
            at = body.parent_op(outer);
        }
        None
    };
    let may_take = |&op: &OpId| {
        let data = &body[op];
        // An operation without a row may do anything.
        let is_known = data.name.has_row() && data.isolated().is_none();
        !is_known || matches!(data.name, memref::ALLOCA | func::CALL)
    };
    let inside = body.walk_op(scope).into_iter().skip(1);
    inside
        .filter(may_take)
        .filter(|&op| holder(op).is_none())
        .collect()
}

/// `alloca_scope { %m = alloca(); … } ⇒ %m = alloca(); alloca_scope { … }` if it ends together with
/// the scope around it and the sizes are defined outside.
fn hoist(rw: &mut Rewriter, op: OpId, own: &[OpId]) -> Option<()> {
    let body = rw.body();
    let mut outer = body.parent_op(op)?;
    if is_scope(rw, Some(outer)) || !is_last(rw, op) {
        return None;
    }
    while !is_scope(rw, body.parent_op(outer)) {
        if !is_last(rw, outer) {
            return None;
        }
        outer = body.parent_op(outer)?;
    }
    let is_before = |&value: &Value| {
        let mut at = body
            .value_block(value)
            .and_then(|block| body.block_parent_op(block));
        while let Some(inside) = at {
            if inside == outer {
                return false;
            }
            at = body.parent_op(inside);
        }
        true
    };
    let movable =
        |op: &&OpId| body[**op].name == memref::ALLOCA && body[**op].operands.iter().all(is_before);
    let movable: Vec<OpId> = own.iter().filter(movable).copied().collect();
    if movable.is_empty() {
        return None;
    }
    for alloca in movable {
        rw.move_before(outer, alloca);
    }
    rw.push(op);
    Some(())
}

/// `index_switch 2 case 2 { … } ⇒ …`; otherwise unused results and those that all branches agree on
/// go.
fn simplify_switch(rw: &mut Rewriter, op: scf::IndexSwitchOp) -> Option<()> {
    let (ctx, body) = (rw.ctx, rw.body());
    let Some(arg) = arith::constant_int(ctx, body, op.arg(body)) else {
        return replace_agreeing(rw, op.0).or_else(|| drop_results(rw, op.0).map(|_| ()));
    };
    let hit = op.cases(ctx, body).iter().position(|&case| case == arg);
    let block = match hit {
        Some(index) => op.case_block(body, index),
        None => op.default_block(body),
    };
    inline_block(rw, op.0, block, &[]);
    Some(())
}

/// `%r = switch { yield %x } { yield %x } ⇒ %x` for an outer value.
fn replace_agreeing(rw: &mut Rewriter, op: OpId) -> Option<()> {
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
