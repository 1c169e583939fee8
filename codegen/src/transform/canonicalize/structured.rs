//! Structured operations of `scf` that do less than they might: loops that
//! carry what does not change, bands with dimensions of one iteration,
//! switches on constants, regions that run once.

use gridloom_ir::dialect::{arith, memref, scf};
use gridloom_ir::{BlockId, OpId, Value};

use super::control::{drop_results, inline_block};
use crate::transform::rewriter::Rewriter;

/// One rule or another; `None` if none fits.
pub(super) fn simplify(rw: &mut Rewriter, op: OpId) -> Option<()> {
    match rw.body()[op].name {
        scf::WHILE => simplify_while(rw, scf::WhileOp(op)),
        scf::PARALLEL => simplify_parallel(rw, scf::ParallelOp(op)),
        scf::INDEX_SWITCH => simplify_switch(rw, scf::IndexSwitchOp(op)),
        scf::EXECUTE_REGION => inline_single_block(rw, op, "no_inline"),
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

/// A scope without stack memory of its own is none.
fn leave_scope(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let body = rw.body();
    let mut inside = body.walk_op(op).into_iter();
    if inside.any(|op| body[op].name == memref::ALLOCA || body[op].isolated().is_some()) {
        return None;
    }
    inline_single_block(rw, op, "")
}

fn simplify_switch(rw: &mut Rewriter, op: scf::IndexSwitchOp) -> Option<()> {
    let (ctx, body) = (rw.ctx, rw.body());
    let Some(arg) = arith::constant_int(ctx, body, op.arg(body)) else {
        return drop_results(rw, op.0).map(|_| ());
    };
    let hit = op.cases(ctx, body).iter().position(|&case| case == arg);
    let block = match hit {
        Some(index) => op.case_block(body, index),
        None => op.default_block(body),
    };
    inline_block(rw, op.0, block, &[]);
    Some(())
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
    drop_passed(rw, op, after, &args, &results)
        .or_else(|| drop_invariants(rw, op, before, &args, &passed))
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

/// Dimensions of one iteration are no loops; a band without an iteration
/// gives what its reductions start from.
fn simplify_parallel(rw: &mut Rewriter, op: scf::ParallelOp) -> Option<()> {
    let (ctx, body) = (rw.ctx, rw.body());
    let known = |value: Value| arith::constant_int(ctx, body, value);
    let bounds: Vec<[Value; 3]> = (op.lower(ctx, body).iter())
        .zip(op.upper(ctx, body))
        .zip(op.steps(ctx, body))
        .map(|((&lower, &upper), &step)| [lower, upper, step])
        .collect();
    let inits = op.inits(ctx, body).to_vec();
    let trips: Vec<Option<i128>> = bounds
        .iter()
        .map(|&[lower, upper, step]| {
            let [lower, upper, step] = [known(lower)?, known(upper)?, known(step)?].map(i128::from);
            let distance = (upper - lower).max(0);
            (step > 0).then(|| (distance + step - 1) / step)
        })
        .collect();
    if trips.contains(&Some(0)) {
        rw.replace_op(op.0, &inits);
        return Some(());
    }
    if !trips.contains(&Some(1)) {
        return None;
    }
    let block = op.block(body);
    let vars = op.induction_vars(body).to_vec();
    for ((&var, [lower, ..]), &trips) in vars.iter().zip(&bounds).zip(&trips) {
        if trips == Some(1) {
            rw.replace(var, *lower);
        }
    }
    if trips.iter().all(|&trips| trips == Some(1)) {
        return run_once(rw, op, block, &inits);
    }
    let left: Vec<[Value; 3]> = bounds
        .iter()
        .zip(&trips)
        .filter(|&(_, &trips)| trips != Some(1))
        .map(|(&bounds, _)| bounds)
        .collect();
    let lists = [0, 1, 2].map(|part| left.iter().map(|bounds| bounds[part]).collect::<Vec<_>>());
    let count = left.len() as i32;
    let sizes = rw
        .ctx
        .i32_array_attr(&[count, count, count, inits.len() as i32]);
    rw.retain_arguments(block, |index| {
        trips.get(index).is_none_or(|&t| t != Some(1))
    });
    rw.set_property(op.0, "operandSegmentSizes", sizes);
    rw.set_operands(op.0, &[&lists.concat()[..], &inits].concat());
    Some(())
}

/// The only iteration of a band, and each reduction of its value with what
/// it starts from.
fn run_once(rw: &mut Rewriter, op: scf::ParallelOp, block: BlockId, inits: &[Value]) -> Option<()> {
    let reduce = op.reduce(rw.body());
    let body = rw.body();
    let contributions = body[reduce].operands.to_vec();
    let regions = body[reduce].inline_regions().to_vec();
    let inner: Vec<OpId> = body.ops(block).filter(|&inner| inner != reduce).collect();
    for inner in inner {
        rw.move_before(op.0, inner);
    }
    let mut results = Vec::new();
    for ((region, &value), &init) in regions.into_iter().zip(&contributions).zip(inits) {
        let block = rw.body()[region].entry()?;
        let args = rw.body()[block].args.to_vec();
        for (arg, given) in args.into_iter().zip([init, value]) {
            rw.replace(arg, given);
        }
        let last = rw.body()[block].last()?;
        let steps: Vec<OpId> = rw.body().ops(block).filter(|&step| step != last).collect();
        for step in steps {
            rw.move_before(op.0, step);
        }
        results.push(*rw.body()[last].operands.first()?);
    }
    rw.replace_op(op.0, &results);
    Some(())
}
