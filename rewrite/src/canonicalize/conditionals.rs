//! Merges neighbouring and nested `scf.if`.
//!
//! ```text
//! if %c { a } ; if %c { b }     ⇒  if %c { a b }
//! if %c { a } ; if not %c { b } ⇒  if %c { a } else { b }
//! if %a { if %b { … } }         ⇒  if (%a and %b) { … }
//! ```

use gridloom_dialects::{arith, scf};
use gridloom_ir::op::Traits;
use gridloom_ir::{BlockId, Body, OpId, OpState, RegionId, Type, Value};

use super::control::inline_block;
use crate::rewriter::Rewriter;

/// The bound on the results of a merged `scf.if`: each merge creates it anew,
/// so a long row would cost quadratic time.
const MAX_RESULTS: usize = 64;

/// `scf.if %c { a }; scf.if %c { b } ⇒ scf.if %c { a; b }`; on opposite conditions, the branches of
/// the second swap.
pub(super) fn join_neighbours(rw: &mut Rewriter, op: scf::IfOp) -> Option<()> {
    let body = rw.body();
    let before = scf::IfOp::cast(body, body[op.0].prev()?)?;
    let (first, second) = (before.condition(body), op.condition(body));
    let are_swapped = if first == second {
        false
    } else if negated(rw, op.0, second) == Some(first) || negated(rw, op.0, first) == Some(second) {
        true
    } else {
        return None;
    };
    let (mut yes, mut no) = (Some(op.then_block(body)), op.else_block(body));
    if are_swapped {
        std::mem::swap(&mut yes, &mut no);
    }
    if results(rw, op.0).len() + results(rw, before.0).len() > MAX_RESULTS {
        return None;
    }
    let (before_yes, before_no) = (before.then_block(body), before.else_block(body));
    forward_branch_results(rw, before, op);
    let more: Vec<Type> = results(rw, op.0).iter().map(|&r| rw.body().ty(r)).collect();
    append(rw, Some(before_yes), yes);
    if let Some(no) = no {
        let target = before_no.unwrap_or_else(|| new_branch(rw, before.0));
        append(rw, Some(target), Some(no));
    }
    let joined = match more.is_empty() {
        true => before.0,
        false => {
            let keep = vec![true; rw.body()[before.0].num_results()];
            rw.rebuild_with(before.0, &[first], &keep, &more)
        }
    };
    let all = results(rw, joined);
    let (_, new) = all.split_at(all.len() - more.len());
    rw.replace_op(op.0, new);
    rw.push(joined);
    Some(())
}

/// The value that a condition negates.
fn negated(rw: &Rewriter, op: OpId, condition: Value) -> Option<Value> {
    let cx = rw.look(op);
    match cx.maker(condition, arith::XORI)?.operands[..] {
        [value, ones] if cx.is_int(ones, 1) => Some(value),
        _ => None,
    }
}

fn results(rw: &Rewriter, op: OpId) -> Vec<Value> {
    rw.body()[op].results().collect()
}

/// Inside the branches of `op`, replaces the results of `before` by what the
/// corresponding branch of `before` yields.
fn forward_branch_results(rw: &mut Rewriter, before: scf::IfOp, op: scf::IfOp) {
    let are_swapped = before.condition(rw.body()) != op.condition(rw.body());
    let yielded = |rw: &Rewriter, region: usize| {
        let body = rw.body();
        let block = body.region_block(before.0, region)?;
        Some(body[body[block].last()?].operands.to_vec())
    };
    let sides = [yielded(rw, 0), yielded(rw, 1)];
    let regions = rw.body()[op.0].inline_regions().to_vec();
    for (number, result) in results(rw, before.0).into_iter().enumerate() {
        for user in rw.users(result) {
            let side = regions
                .iter()
                .position(|&region| is_inside(rw.body(), user, region));
            let Some(side) = side else { continue };
            let side = if are_swapped { 1 - side } else { side };
            let Some(values) = &sides[side] else { continue };
            let operands = rw.body()[user].operands.iter();
            let operands: Vec<Value> = operands
                .map(|&value| {
                    if value == result {
                        values[number]
                    } else {
                        value
                    }
                })
                .collect();
            rw.set_operands(user, &operands);
        }
    }
}

/// Whether an operation is nested in a region, at any depth.
fn is_inside(body: &Body, op: OpId, region: RegionId) -> bool {
    let mut at = Some(op);
    while let Some(op) = at {
        let block = body[op].parent();
        if block.and_then(|block| body[block].parent()) == Some(region) {
            return true;
        }
        at = body.parent_op(op);
    }
    false
}

/// Creates an empty else branch.
fn new_branch(rw: &mut Rewriter, op: OpId) -> BlockId {
    let region = rw.body()[op].inline_regions()[1];
    let block = rw.add_block(region, &[]);
    let state = OpState::new(scf::YIELD, rw.body()[op].loc);
    rw.create_at_end(block, state);
    block
}

/// Moves the operations of a block to the end of another and appends the operands of its terminator
/// to those of the other's.
fn append(rw: &mut Rewriter, target: Option<BlockId>, source: Option<BlockId>) -> Option<()> {
    let (target, source) = (target?, source?);
    let (end, last) = (rw.body()[target].last()?, rw.body()[source].last()?);
    let ops: Vec<OpId> = rw.body().ops(source).filter(|&op| op != last).collect();
    for op in ops {
        rw.move_before(end, op);
    }
    let yielded = [&rw.body()[end].operands[..], &rw.body()[last].operands[..]].concat();
    rw.set_operands(end, &yielded);
    Some(())
}

/// `if %a { if %b { … } } ⇒ if (%a and %b) { … }`, if both else branches only
/// yield, and yield the same values.
pub(super) fn nest(rw: &mut Rewriter, op: scf::IfOp) -> Option<()> {
    let body = rw.body();
    let outer = op.then_block(body);
    let inner = scf::IfOp::cast(body, body[outer].first()?)?;
    let only_yields = |block: Option<BlockId>| {
        block.is_none_or(|block| {
            let first = body[block].first();
            first.is_some_and(|first| body[first].name.has(Traits::TERMINATOR))
        })
    };
    if body[inner.0].next() != body[outer].last()
        || !only_yields(op.else_block(body))
        || !only_yields(inner.else_block(body))
    {
        return None;
    }
    let yielded = |block: Option<BlockId>| -> Option<Vec<Value>> {
        match block {
            Some(block) => Some(body[body[block].last()?].operands.to_vec()),
            None => Some(Vec::new()),
        }
    };
    let passed = yielded(Some(outer))?;
    let otherwise = yielded(op.else_block(body))?;
    let inner_otherwise = yielded(inner.else_block(body))?;
    let inner_results = results(rw, inner.0);
    let mut chosen = Vec::new();
    for (number, &value) in passed.iter().enumerate() {
        match inner_results.iter().position(|&result| result == value) {
            Some(position) if inner_otherwise[position] == otherwise[number] => {}
            Some(_) => return None,
            None => chosen.push(number),
        }
    }
    let conditions = [op.condition(body), inner.condition(body)];
    let inner_block = inner.then_block(body);
    let both = rw.make(op.0, arith::ANDI, &conditions, rw.ctx.bool_type());
    // Results that do not depend on the inner condition become a select on the
    // outer one.
    let results = results(rw, op.0);
    for number in chosen {
        let (a, b) = (passed[number], otherwise[number]);
        let ty = rw.body().ty(a);
        let value = rw.make(op.0, arith::SELECT, &[conditions[0], a, b], ty);
        rw.replace(results[number], value);
    }
    rw.set_operands(op.0, &[both]);
    inline_block(rw, inner.0, inner_block, &[]);
    Some(())
}
