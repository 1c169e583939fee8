//! Structured operations of `scf` that do less than they might: loops that
//! carry what does not change, switches on constants, regions that run once.

use gridloom_ir::dialect::{arith, memref, scf};
use gridloom_ir::op::Traits;
use gridloom_ir::{BlockId, OpId, Value};

use super::arith::{inverse, pair};
use super::control::{drop_results, inline_block};
use crate::transform::rewriter::Rewriter;

/// One rule or another; `None` if none fits.
pub(super) fn simplify(rw: &mut Rewriter, op: OpId) -> Option<()> {
    match rw.body()[op].name {
        scf::WHILE => simplify_while(rw, scf::WhileOp(op)),
        scf::PARALLEL => super::parallel::simplify(rw, scf::ParallelOp(op)),
        scf::FORALL => super::forall::simplify(rw, op),
        scf::INDEX_SWITCH => simplify_switch(rw, scf::IndexSwitchOp(op)),
        scf::EXECUTE_REGION => {
            inline_single_block(rw, op, "no_inline").or_else(|| super::region::splice(rw, op))
        }
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
        return agree(rw, op).or_else(|| drop_results(rw, op.0).map(|_| ()));
    };
    let hit = op.cases(ctx, body).iter().position(|&case| case == arg);
    let block = match hit {
        Some(index) => op.case_block(body, index),
        None => op.default_block(body),
    };
    inline_block(rw, op.0, block, &[]);
    Some(())
}

/// Results that are the same value in every case are it.
fn agree(rw: &mut Rewriter, op: scf::IndexSwitchOp) -> Option<()> {
    let body = rw.body();
    let regions = body[op.0].inline_regions();
    let blocks = regions.iter().flat_map(|&region| &body[region].blocks);
    let lasts: Option<Vec<OpId>> = blocks.map(|&block| body[block].last()).collect();
    let lasts = lasts?;
    let same = |number: usize| {
        let mut values = lasts.iter().map(|&last| body[last].operands[number]);
        let first = values.next()?;
        values.all(|value| value == first).then_some(first)
    };
    let results = body[op.0].results().enumerate();
    let known: Vec<(Value, Value)> = results
        .filter(|&(_, result)| !rw.is_unused(result))
        .filter_map(|(number, result)| Some((result, same(number)?)))
        .collect();
    for &(result, value) in &known {
        rw.replace(result, value);
    }
    (!known.is_empty()).then_some(())
}

/// Whether a value is defined outside of an operation's regions. Values of
/// nested operations are not seen by its terminators.
fn is_outside(rw: &Rewriter, op: OpId, value: Value) -> bool {
    let block = rw.body().value_block(value);
    let parent = block.and_then(|block| rw.body().block_parent_op(block));
    parent != Some(op)
}

fn simplify_while(rw: &mut Rewriter, op: scf::WhileOp) -> Option<()> {
    let body = rw.body();
    let (before, after) = (op.before(body), op.after(body));
    let (condition, passed) = op.condition(body);
    let passed = passed.to_vec();
    let known = arith::constant_value(rw.ctx, body, condition);
    if known.and_then(|known| known.as_bool(rw.ctx)) == Some(false) {
        return leave_at_once(rw, op, before, &passed);
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
        } else if is_outside(rw, op.0, value) {
            rw.replace(arg, value);
            rw.replace(result, value);
        } else if value == condition && !rw.is_unused(arg) {
            // The second region runs where the condition holds.
            let holds = rw.splat(1, rw.ctx.bool_type(), op.0)?;
            rw.replace(arg, holds);
        }
    }
    see_comparison(rw, op, condition, &passed, &args);
    drop_passed(rw, op, after, &args, &results)
        .or_else(|| drop_invariants(rw, op, before, &args, &passed))
}

/// Where the second region runs, the comparison that the loop goes on by
/// holds, and its opposite does not.
fn see_comparison(
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
                    found if found == inverse(predicate) => false,
                    _ => continue,
                };
                let constant = rw.splat(holds.into(), rw.ctx.bool_type(), op.0)?;
                rw.replace_op(user, &[constant]);
            }
        }
    }
    Some(())
}

/// A loop whose condition never holds runs its first region once.
fn leave_at_once(
    rw: &mut Rewriter,
    op: scf::WhileOp,
    before: BlockId,
    passed: &[Value],
) -> Option<()> {
    let inits = op.inits(rw.body()).to_vec();
    let last = rw.body()[before].last()?;
    // Only the values that go out are left in the terminator.
    rw.set_operands(last, passed);
    inline_block(rw, op.0, before, &inits);
    Some(())
}

/// What the first region passes on and nobody reads is not passed.
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

/// What every iteration hands on as it came, and what the first region does
/// not read, is not carried.
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
    // What an argument of the second region is in the first.
    let origin = |value: Value| {
        let index = after_args.iter().position(|&arg| arg == value);
        index.map_or(value, |index| passed[index])
    };
    let mut keep = vec![true; args.len()];
    for (index, &arg) in args.iter().enumerate() {
        let next = origin(yielded[index]);
        if next == arg || next == inits[index] {
            rw.replace(arg, inits[index]);
        }
        keep[index] = !rw.is_unused(arg);
    }
    if !keep.contains(&false) {
        return None;
    }
    let last = rw.body()[op.after(rw.body())].last()?;
    rw.retain_operands(last, |index| keep[index]);
    rw.retain_arguments(before, |index| keep[index]);
    rw.retain_operands(op.0, |index| keep[index]);
    Some(())
}
