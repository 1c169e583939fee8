//! Structured control flow: inlines loops that run once, drops those that never run and
//! loop-invariant carried values, and resolves known conditions.
//!
//! ```text
//! scf.if %true { a } else { b }                   ⇒  a
//! scf.if %c { yield %x } else { yield %y }        ⇒  arith.select %c, %x, %y
//! scf.for %i = %c0 to %c1 step %c1 { a }          ⇒  a with %c0 for %i
//! scf.for … iter_args(%a = %x) { … yield %a }     ⇒  %x for %a and for the result
//! ```

use gridloom_dialects::{affine, arith, inherent, scf};
use gridloom_ir::affine::AffineExprKind;
use gridloom_ir::op::Traits;
use gridloom_ir::{BlockId, OpId, OpState, Value};

use super::maps::fold_constraint;
use super::{conditionals, ranges};
use crate::rewriter::Rewriter;

/// Simplifies an `affine.if` whose condition is known or whose branches yield
/// equal values.
pub(super) fn simplify_affine_if(rw: &mut Rewriter, op: affine::IfOp) {
    let set = op.set(rw.ctx, rw.body()).data(rw.ctx);
    let folded: Vec<Option<bool>> = set
        .constraints
        .iter()
        .map(|&c| fold_constraint(rw.ctx, c))
        .collect();
    let condition = if folded.contains(&Some(false)) {
        Some(false)
    } else if folded.iter().all(|&t| t == Some(true)) {
        Some(true)
    } else {
        None
    };
    let (yes, no) = (op.then_block(rw.body()), op.else_block(rw.body()));
    simplify_if(rw, op.0, condition, yes, no);
    if condition.is_none() {
        drop_empty_else(rw, op.0, 1);
    }
}

/// Simplifies an `scf.if` whose condition is known, whose branches yield equal
/// values, or that only selects between values.
pub(super) fn simplify_scf_if(rw: &mut Rewriter, op: scf::IfOp) {
    let condition = arith::constant_value(rw.ctx, rw.body(), op.condition(rw.body()));
    let condition = condition.and_then(|c| c.as_bool(rw.ctx));
    let (yes, no) = (op.then_block(rw.body()), op.else_block(rw.body()));
    simplify_if(rw, op.0, condition, yes, no);
    if condition.is_some() {
        return;
    }
    if conditionals::join_neighbours(rw, op).is_some() || conditionals::nest(rw, op).is_some() {
        return;
    }
    if let Some(no) = no {
        swap_branches(rw, op);
        choose_values(
            rw,
            op,
            op.then_block(rw.body()),
            op.else_block(rw.body()).unwrap_or(no),
        );
        if drop_results(rw, op.0).is_some() {
            return;
        }
        drop_empty_else(rw, op.0, 1);
    }
}

/// `if not c {a} else {b} ⇒ if c {b} else {a}`.
fn swap_branches(rw: &mut Rewriter, op: scf::IfOp) {
    let condition = op.condition(rw.body());
    let cx = rw.look(op.0);
    let negated = cx.maker(condition, arith::XORI);
    let positive = negated.and_then(|xor| match xor.operands[..] {
        [value, ones] if cx.is_int(ones, 1) => Some(value),
        _ => None,
    });
    if let Some(positive) = positive {
        rw.set_operands(op.0, &[positive]);
        rw.swap_regions(op.0);
    }
}

/// `if c {yield a} else {yield b} ⇒ select(c, a, b)` for results whose values
/// come from outside.
fn choose_values(rw: &mut Rewriter, op: scf::IfOp, yes: BlockId, no: BlockId) {
    let body = rw.body();
    let (Some(last_yes), Some(last_no)) = (body[yes].last(), body[no].last()) else {
        return;
    };
    let condition = op.condition(body);
    let from_outside = |&value: &Value, block: BlockId| {
        let definition = body.value_block(value);
        definition.is_some_and(|inside| inside != block)
    };
    let results = body[op.0].results().zip(&body[last_yes].operands);
    let results = results.zip(&body[last_no].operands);
    let choices: Vec<(Value, Value, Value)> = results
        .filter(|((result, a), b)| {
            !rw.is_unused(*result)
                && from_outside(a, yes)
                && from_outside(b, no)
                && body.ty(*result).memref(rw.ctx).is_none()
        })
        .map(|((result, &a), &b)| (result, a, b))
        .collect();
    for (result, a, b) in choices {
        let ty = rw.body().ty(result);
        let chosen = rw.make(op.0, arith::SELECT, &[condition, a, b], ty);
        rw.replace(result, chosen);
    }
}

/// Drops unused results and what the branches yield for them. Returns the
/// operation that replaces `op`, if any result was unused.
pub(super) fn drop_results(rw: &mut Rewriter, op: OpId) -> Option<OpId> {
    let body = rw.body();
    let keep: Vec<bool> = body[op]
        .results()
        .map(|result| !rw.is_unused(result))
        .collect();
    if !keep.contains(&false) {
        return None;
    }
    for last in yields(rw, op) {
        rw.retain_operands(last, |index| keep[index]);
    }
    let operands = rw.body()[op].operands.to_vec();
    Some(rw.rebuild(op, &operands, &keep))
}

/// The `scf.yield`s that terminate the regions of an operation.
pub(super) fn yields(rw: &Rewriter, op: OpId) -> Vec<OpId> {
    let body = rw.body();
    let lasts = body.blocks_of(op).filter_map(|block| body[block].last());
    lasts
        .filter(|&last| body[last].name == scf::YIELD)
        .collect()
}

/// Erases an else branch (region number `region`) that holds only its
/// terminator.
fn drop_empty_else(rw: &mut Rewriter, op: OpId, region: usize) {
    let body = rw.body();
    if body[op].num_results() > 0 {
        return;
    }
    if let Some(block) = body.region_block(op, region)
        && let Some(only) = body[block].first()
        && body[only].name.has(Traits::TERMINATOR)
    {
        rw.erase_blocks(&[block]);
        rw.push(op);
    }
}

fn simplify_if(
    rw: &mut Rewriter,
    op: OpId,
    condition: Option<bool>,
    yes: BlockId,
    no: Option<BlockId>,
) {
    match (condition, no) {
        (Some(true), _) => return inline_block(rw, op, yes, &[]),
        (Some(false), Some(no)) => return inline_block(rw, op, no, &[]),
        // An `if` without an else branch has no results.
        (Some(false), None) => return rw.erase(op),
        (None, _) => {}
    }
    let Some(no) = no else { return };
    let body = rw.body();
    let (Some(last_yes), Some(last_no)) = (body[yes].last(), body[no].last()) else {
        return;
    };
    let results = body[op].results().zip(&body[last_yes].operands);
    let results = results.zip(&body[last_no].operands);
    // Two branches share only values from outside.
    let agreed: Vec<(Value, Value)> = results
        .filter(|((result, a), b)| a == b && !rw.is_unused(*result))
        .map(|((result, &a), _)| (result, a))
        .collect();
    for (result, value) in agreed {
        rw.replace(result, value);
    }
}

/// Inlines an `affine.for` that runs once; drops loop-carried values that are invariant or unused.
pub(super) fn simplify_affine_for(rw: &mut Rewriter, op: affine::ForOp) {
    if let Some(start) = only_iteration(rw, op) {
        let args = [&[start], op.inits(rw.ctx, rw.body())].concat();
        return inline_block(rw, op.0, op.block(rw.body()), &args);
    }
    if runs(rw, op) && yields_only(rw, op.0, op.block(rw.body())).is_some() {
        return;
    }
    let inits = op.inits(rw.ctx, rw.body()).to_vec();
    let first_init = rw.body()[op.0].operands.len() - inits.len();
    drop_invariants(rw, op.0, op.block(rw.body()), first_init, &inits);
}

/// Inlines an `scf.for` that runs once; drops loop-carried values that are invariant or unused.
pub(super) fn simplify_scf_for(rw: &mut Rewriter, op: scf::ForOp) {
    let (ctx, body) = (rw.ctx, rw.body());
    let inits = op.inits(body).to_vec();
    let bounds = [op.lower(body), op.upper(body), op.step(body)];
    let known = bounds.map(|bound| arith::constant_int(ctx, body, bound));
    match (distance(rw, op), known[2]) {
        (Some(..=0), _) => return rw.replace_op(op.0, &inits),
        (Some(distance), Some(step)) if step >= distance => {
            let args = [&bounds[..1], &inits].concat();
            return inline_block(rw, op.0, op.block(body), &args);
        }
        _ => {}
    }
    if let [Some(lower), Some(upper), Some(step)] = known
        && !op.is_unsigned(ctx, body)
        && lower < upper
        && step > 0
        // If `lower + step` overflows, it lies beyond the upper bound too.
        && lower.checked_add(step).is_none_or(|next| next >= upper)
    {
        let args = [&bounds[..1], &inits].concat();
        return inline_block(rw, op.0, op.block(body), &args);
    }
    let block = op.block(body);
    let runs = matches!(known, [Some(lower), Some(upper), Some(step)] if lower < upper && step > 0);
    if runs && !op.is_unsigned(ctx, body) && yields_only(rw, op.0, block).is_some() {
        return;
    }
    share_carried(rw, op.0, block, &inits);
    drop_invariants(rw, op.0, block, bounds.len(), &inits);
}

/// The constant `d` of an upper bound `lower + d`, if the addition is flagged
/// not to wrap.
fn distance(rw: &Rewriter, op: scf::ForOp) -> Option<i64> {
    let (cx, body) = (rw.look(op.0), rw.body());
    let (lower, upper) = (op.lower(body), op.upper(body));
    let sum = cx.maker(upper, arith::ADDI)?;
    let unsigned = op.is_unsigned(rw.ctx, body);
    let needed = match unsigned {
        true => arith::NO_UNSIGNED_WRAP,
        false => arith::NO_SIGNED_WRAP,
    };
    let distance = match sum.operands[..] {
        [start, distance] | [distance, start] if start == lower => cx.int(distance)?,
        _ => return None,
    };
    // Unsigned, a negative distance would be a large one.
    let fits = arith::overflow_flags(rw.ctx, sum) & needed != 0 && !(unsigned && distance < 0);
    fits.then_some(distance)
}

/// `%r = for … { yield %x } ⇒ %x` for a loop that runs, and values from outside of it.
fn yields_only(rw: &mut Rewriter, op: OpId, block: BlockId) -> Option<()> {
    let body = rw.body();
    let last = body[block].last()?;
    let yielded = body[last].operands.to_vec();
    let is_outside = |&value: &Value| body.value_block(value) != Some(block);
    if body[block].first() != Some(last) || yielded.is_empty() || !yielded.iter().all(is_outside) {
        return None;
    }
    rw.replace_op(op, &yielded);
    Some(())
}

/// `for … iter_args(%a = %x, %b = %x) { …; yield %y, %y } ⇒ for … iter_args(%a = %x) { …; yield %y
/// }`: carried values with equal initial and equal yielded values merge.
fn share_carried(rw: &mut Rewriter, op: OpId, block: BlockId, inits: &[Value]) -> Option<()> {
    let last = rw.body()[block].last()?;
    for number in 1..inits.len() {
        let yielded = &rw.body()[last].operands;
        let same =
            |&other: &usize| inits[other] == inits[number] && yielded[other] == yielded[number];
        let Some(other) = (0..number).find(same) else {
            continue;
        };
        let args = &rw.body()[block].args;
        let (arg, other_arg) = (args[number + 1], args[other + 1]);
        let [result, other_result] = [number, other].map(|number| rw.body()[op].result(number));
        rw.replace(arg, other_arg);
        rw.replace(result, other_result);
    }
    Some(())
}

/// Whether a loop with constant bounds has at least one iteration.
fn runs(rw: &Rewriter, op: affine::ForOp) -> bool {
    let (ctx, body) = (rw.ctx, rw.body());
    let bounds = [op.lower(ctx, body), op.upper(ctx, body)];
    match bounds.map(|bound| bound.map.as_single_constant(ctx)) {
        [Some(from), Some(to)] => from < to,
        _ => false,
    }
}

/// The induction variable's only value, if the loop has exactly one iteration.
fn only_iteration(rw: &mut Rewriter, op: affine::ForOp) -> Option<Value> {
    let ctx = rw.ctx;
    let (lower, upper) = (op.lower(ctx, rw.body()), op.upper(ctx, rw.body()));
    let (&[from], &[to]) = (lower.map.results(ctx), upper.map.results(ctx)) else {
        return None;
    };
    let distance = match (from.as_constant(ctx), to.as_constant(ctx)) {
        (Some(from), Some(to)) => to.checked_sub(from)?,
        // Bounds that are the same expression of the same operands up to a
        // constant.
        _ if lower.operands == upper.operands
            && lower.map.num_dims(ctx) == upper.map.num_dims(ctx) =>
        {
            // An upper bound that wraps around lies below the lower one.
            let most = ranges::greatest(ctx, rw.body(), upper.operands, to)?;
            if most > i64::MAX.into() {
                return None;
            }
            ctx.affine_sub(to, from).as_constant(ctx)?
        }
        _ => return None,
    };
    if !(1..=op.step(ctx, rw.body())).contains(&distance) {
        return None;
    }
    let position = match from.kind(ctx) {
        AffineExprKind::Constant(value) => {
            let ty = ctx.index_type();
            return Some(rw.constant(ctx.index_attr(value), ty, op.0));
        }
        AffineExprKind::Dim(i) => Some(i as usize),
        AffineExprKind::Symbol(i) => Some(lower.map.num_dims(ctx) + i as usize),
        AffineExprKind::Binary(..) => None,
    };
    if let Some(position) = position {
        return lower.operands.get(position).copied();
    }
    let state = OpState::new(affine::APPLY, rw.body()[op.0].loc)
        .operands(lower.operands)
        .results(&[ctx.index_type()])
        .property(ctx, inherent::MAP, ctx.map_attr(lower.map));
    let apply = rw.create_before(op.0, state);
    Some(rw.body()[apply].result(0))
}

/// Drops carried values that no iteration changes, and those that nothing uses.
fn drop_invariants(
    rw: &mut Rewriter,
    op: OpId,
    block: BlockId,
    first_init: usize,
    inits: &[Value],
) {
    if inits.is_empty() {
        return;
    }
    let Some(last) = rw.body()[block].last() else {
        return;
    };
    let stays = unchanging(rw, block, last, inits);
    let mut keep = vec![true; inits.len()];
    for (i, &init) in inits.iter().enumerate() {
        let arg = rw.body()[block].args[i + 1];
        let result = rw.body()[op].result(i);
        if stays[i] {
            rw.replace(arg, init);
            rw.replace(result, init);
        }
        keep[i] = !(rw.is_unused(arg) && rw.is_unused(result));
    }
    if keep.contains(&false) {
        rw.retain_carried(op, block, first_init, &keep);
    }
}

/// Flags the carried values that are loop-invariant: the greatest set such that each is
/// yielded as itself, its initial value, or another of the set with the same
/// initial value.
fn unchanging(rw: &Rewriter, block: BlockId, last: OpId, inits: &[Value]) -> Vec<bool> {
    let body = rw.body();
    let args = &body[block].args[1..];
    let mut stays = vec![true; inits.len()];
    loop {
        let goes_on = |i: usize| {
            let yielded = body[last].operands[i];
            let other = args.iter().position(|&arg| arg == yielded);
            yielded == inits[i] || other.is_some_and(|j| stays[j] && inits[j] == inits[i])
        };
        let next: Vec<bool> = (0..inits.len()).map(|i| stays[i] && goes_on(i)).collect();
        if next == stays {
            return stays;
        }
        stays = next;
    }
}

/// Inlines a block of `op` in place of `op`: `args` replace the block
/// arguments, the yielded values the results.
pub(super) fn inline_block(rw: &mut Rewriter, op: OpId, block: BlockId, args: &[Value]) {
    let Some(last) = rw.body()[block].last() else {
        return;
    };
    let params = rw.body()[block].args.clone();
    for (&param, &arg) in params.iter().zip(args) {
        rw.replace(param, arg);
    }
    let ops: Vec<OpId> = rw.body().ops(block).filter(|&op| op != last).collect();
    for inner in ops {
        rw.move_before(op, inner);
    }
    let yielded = rw.body()[last].operands.to_vec();
    rw.replace_op(op, &yielded);
}
