//! `scf.while`: drops unused and invariant carried values, folds conditions that the loop's
//! condition implies in the second region, and sinks operations guarded by the condition into that
//! region.

use std::collections::HashSet;

use gridloom_dialects::{arith, scf};
use gridloom_ir::{BlockId, OpId, Type, Value};

use super::control::inline_block;
use super::operands::pair;
use crate::rewriter::Rewriter;

/// Whether a value is defined outside the two regions of the loop. (Their
/// terminators cannot use values of operations nested in them.)
fn is_outside(rw: &Rewriter, op: OpId, value: Value) -> bool {
    let block = rw.body().value_block(value);
    let parent = block.and_then(|block| rw.body().block_parent_op(block));
    parent != Some(op)
}

/// Tries each rewrite; `Some(())` if one fired.
pub(super) fn simplify(rw: &mut Rewriter, op: scf::WhileOp) -> Option<()> {
    let body = rw.body();
    let (before, after) = (op.before(body), op.after(body));
    let (condition, passed) = op.condition(body);
    let passed = passed.to_vec();
    let known = arith::constant_value(rw.ctx, body, condition);
    if known.and_then(|known| known.as_bool(rw.ctx)) == Some(false) {
        return inline_first_region(rw, op, before, &passed);
    }
    let (args, results) = (
        body[after].args.to_vec(),
        body[op.0].results().collect::<Vec<_>>(),
    );
    for (index, &value) in passed.iter().enumerate() {
        let (arg, result) = (args[index], results[index]);
        if let Some(first) = passed[..index].iter().position(|&earlier| earlier == value) {
            rw.replace(arg, args[first]);
            rw.replace(result, results[first]);
            continue;
        }
        if value == condition && !rw.is_unused(arg) {
            // The second region runs only while the condition holds.
            let holds = rw.splat(1, rw.ctx.bool_type(), op.0)?;
            rw.replace(arg, holds);
        }
        if is_outside(rw, op.0, value) {
            rw.replace(arg, value);
            rw.replace(result, value);
        }
    }
    fold_implied_comparisons(rw, op, condition, &passed, &args);
    move_if_down(rw, op)
        .or_else(|| drop_passed(rw, op, after, &args, &results))
        .or_else(|| drop_invariants(rw, op, before, &args, &passed))
        .or_else(|| align(rw, op))
}

/// Folds comparisons in the second region that repeat or negate the condition
/// of the loop.
fn fold_implied_comparisons(
    rw: &mut Rewriter,
    op: scf::WhileOp,
    condition: Value,
    passed: &[Value],
    args: &[Value],
) -> Option<()> {
    let compared = rw.body().defining_op(condition)?;
    if rw.body()[compared].name != arith::CMPI {
        return None;
    }
    let operands = pair(rw, compared)?;
    let predicate = arith::CmpIOp(compared).predicate(rw.ctx, rw.body());
    for (side, number) in [(0, 1), (1, 0)] {
        let pairs = passed.iter().zip(args);
        let same = pairs.filter(|&(&value, _)| value == operands[side]);
        let same: Vec<Value> = same.map(|(_, &arg)| arg).collect();
        for arg in same {
            for user in rw.users(arg) {
                let data = &rw.body()[user];
                let is_alike = data.name == arith::CMPI
                    && data.operands[side] == arg
                    && data.operands[number] == operands[number];
                if !is_alike {
                    continue;
                }
                let found = arith::CmpIOp(user).predicate(rw.ctx, rw.body());
                let holds = match found {
                    found if found == predicate => true,
                    found if found == predicate.inverse() => false,
                    _ => continue,
                };
                let constant = rw.splat(holds.into(), rw.ctx.bool_type(), op.0)?;
                rw.replace_op(user, &[constant]);
            }
        }
    }
    Some(())
}

/// Replaces a loop whose condition is false by its first region, run once.
fn inline_first_region(
    rw: &mut Rewriter,
    op: scf::WhileOp,
    before: BlockId,
    passed: &[Value],
) -> Option<()> {
    let inits = op.inits(rw.body()).to_vec();
    let last = rw.body()[before].last()?;
    // The yielded values lose the condition, which is operand 0.
    rw.set_operands(last, passed);
    inline_block(rw, op.0, before, &inits);
    Some(())
}

/// Drops values passed to the second region and out of the loop that nothing
/// uses.
fn drop_passed(
    rw: &mut Rewriter,
    op: scf::WhileOp,
    after: BlockId,
    args: &[Value],
    results: &[Value],
) -> Option<()> {
    let pairs = args.iter().zip(results);
    let used = pairs.map(|(&arg, &result)| !rw.is_unused(arg) || !rw.is_unused(result));
    let keep: Vec<bool> = used.collect();
    if !keep.contains(&false) {
        return None;
    }
    let last = rw.body()[op.before(rw.body())].last()?;
    // Operand 0 is the condition.
    rw.retain_operands(last, |index| index == 0 || keep[index - 1]);
    rw.retain_arguments(after, |index| keep[index]);
    let inits = op.inits(rw.body()).to_vec();
    rw.rebuild(op.0, &inits, &keep);
    Some(())
}

/// Drops carried values that no iteration changes or that the first region does
/// not use, and merges those that are always equal.
fn drop_invariants(
    rw: &mut Rewriter,
    op: scf::WhileOp,
    before: BlockId,
    after_args: &[Value],
    passed: &[Value],
) -> Option<()> {
    let inits = op.inits(rw.body()).to_vec();
    let args = rw.body()[before].args.to_vec();
    let yielded = op.yielded(rw.body()).to_vec();
    // The value that a second-region argument stands for, as the first region
    // passes it.
    let origin = |value: Value| {
        let index = after_args.iter().position(|&arg| arg == value);
        index.map_or(value, |index| passed[index])
    };
    for (index, &arg) in args.iter().enumerate() {
        let alike =
            |&other: &usize| (inits[other], yielded[other]) == (inits[index], yielded[index]);
        if let Some(other) = (0..index).find(alike) {
            rw.replace(arg, args[other]);
        }
        let next = origin(yielded[index]);
        if next == arg || next == inits[index] {
            rw.replace(arg, inits[index]);
        }
    }
    // Only after the loop: a later argument may have been merged into an
    // earlier one.
    let keep: Vec<bool> = args.iter().map(|&arg| !rw.is_unused(arg)).collect();
    if !keep.contains(&false) {
        return None;
    }
    let last = rw.body()[op.after(rw.body())].last()?;
    rw.retain_operands(last, |index| keep[index]);
    rw.retain_arguments(before, |index| keep[index]);
    rw.retain_operands(op.0, |index| keep[index]);
    Some(())
}

/// Sinks a trailing `scf.if` on the loop's condition from the first region into
/// the head of the second one:
///
/// ```text
/// %r = if %c {a, yield %x} else {yield %y}        condition(%c) %y, %u
/// condition(%c) %r                            ⇒  } do {^(%y', %u'): a, …
/// } do {^(%p): …
/// ```
///
/// `%u` stands for the values of the first region that `a` uses; `%x` replaces
/// `%p`.
fn move_if_down(rw: &mut Rewriter, op: scf::WhileOp) -> Option<()> {
    let body = rw.body();
    let (before, after) = (op.before(body), op.after(body));
    let last = body[before].last()?;
    let inner = scf::IfOp::cast(body, body[last].prev()?)?;
    let (condition, passed) = op.condition(body);
    let (yes, no) = (inner.then_block(body), inner.else_block(body));
    let does_nothing = |block: BlockId| body[block].first() == body[block].last();
    if inner.condition(body) != condition || !no.is_none_or(does_nothing) {
        return None;
    }
    let end = body[yes].last()?;
    let chosen = body[end].operands.to_vec();
    let otherwise = match no {
        Some(no) => body[body[no].last()?].operands.to_vec(),
        None => Vec::new(),
    };
    let results: Vec<Value> = body[inner.0].results().collect();
    let inside: Vec<OpId> = body.ops(yes).filter(|&op| op != end).collect();
    let taken = taken_from(rw, before, yes);
    // Each argument of the second region with the value that it receives.
    let body = rw.body();
    let replaced: Vec<(Value, Value)> = (passed.iter().zip(&body[after].args))
        .filter_map(|(value, &arg)| {
            let position = results.iter().position(|result| result == value)?;
            Some((arg, chosen[position]))
        })
        .collect();
    let given = [&[condition], passed].concat();
    let given = given.iter().map(|value| {
        let position = results.iter().position(|result| result == value);
        position.map_or(*value, |position| otherwise[position])
    });
    let given: Vec<Value> = given.chain(taken.iter().copied()).collect();
    let types: Vec<Type> = taken.iter().map(|&value| body.ty(value)).collect();
    let (inits, first) = (op.inits(body).to_vec(), body[after].first()?);
    let keep = vec![true; body[op.0].num_results()];
    rw.set_operands(last, &given);
    rw.rebuild_with(op.0, &inits, &keep, &types);
    let handed: Vec<Value> = (types.iter())
        .map(|&ty| rw.add_argument(after, ty, last))
        .collect();
    let translated = |value: Value| {
        let position = taken.iter().position(|&other| other == value);
        position.map_or(value, |position| handed[position])
    };
    for (arg, value) in replaced {
        rw.replace(arg, translated(value));
    }
    for inside in inside {
        rw.move_before(first, inside);
        for below in rw.body().walk_op(inside) {
            let operands: Vec<Value> = rw.body()[below]
                .operands
                .iter()
                .map(|&v| translated(v))
                .collect();
            if operands[..] != rw.body()[below].operands[..] {
                rw.set_operands(below, &operands);
            }
        }
    }
    rw.erase(inner.0);
    Some(())
}

/// The values of one block that operations nested in another use, at any depth.
fn taken_from(rw: &Rewriter, block: BlockId, inside: BlockId) -> Vec<Value> {
    let body = rw.body();
    let users = body.ops(inside).flat_map(|op| {
        // An operation comes after those nested in it.
        let mut below = body.walk_op(op);
        below.rotate_left(1);
        below
    });
    let mut known = HashSet::new();
    users
        .flat_map(|user| body[user].operands.iter().copied())
        .filter(|&value| body.value_block(value) == Some(block) && known.insert(value))
        .collect()
}

/// `while (%a, %b) { condition(%c) %b, %a } do (%x, %y) ⇒ while (%a, %b) { condition(%c) %a, %b }
/// do (%y, %x)`: passes a permutation of the arguments in their own order.
fn align(rw: &mut Rewriter, op: scf::WhileOp) -> Option<()> {
    let body = rw.body();
    let (before, after) = (op.before(body), op.after(body));
    let args = body[before].args.to_vec();
    let (condition, passed) = op.condition(body);
    if passed == &args[..] || passed.len() != args.len() {
        return None;
    }
    let positions: Option<Vec<usize>> = (passed.iter())
        .map(|value| args.iter().position(|arg| arg == value))
        .collect();
    let positions = positions?;
    let distinct: HashSet<usize> = positions.iter().copied().collect();
    if distinct.len() < args.len() {
        return None;
    }
    let (last, inits) = (body[before].last()?, op.inits(body).to_vec());
    let types: Vec<Type> = args.iter().map(|&arg| body.ty(arg)).collect();
    let given = [&[condition], &args[..]].concat();
    let old_args = body[after].args.to_vec();
    rw.set_operands(last, &given);
    let new_args: Vec<Value> = (types.iter())
        .map(|&ty| rw.add_argument(after, ty, last))
        .collect();
    let count = args.len();
    // Old and new results exist side by side until the old ones are replaced.
    let both = rw.rebuild_with(op.0, &inits, &vec![true; count], &types);
    let results: Vec<Value> = rw.body()[both].results().collect();
    for (number, &position) in positions.iter().enumerate() {
        rw.replace(old_args[number], new_args[position]);
        rw.replace(results[number], results[count + position]);
    }
    rw.retain_arguments(after, |index| index >= count);
    let keep: Vec<bool> = (0..2 * count).map(|index| index >= count).collect();
    rw.rebuild(both, &inits, &keep);
    Some(())
}
