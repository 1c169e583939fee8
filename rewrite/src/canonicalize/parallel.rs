//! `scf.parallel`: drops dimensions of one iteration, replaces a loop of no
//! iterations by its initial values, and merges perfectly nested loops.

use gridloom_dialects::{arith, inherent, scf};
use gridloom_ir::{BlockId, OpId, Value};

use crate::rewriter::Rewriter;

/// Tries each rewrite; `Some(())` if one fired.
pub(super) fn simplify(rw: &mut Rewriter, op: scf::ParallelOp) -> Option<()> {
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
            if lower == upper {
                return Some(0);
            }
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
        return merge(rw, op);
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
    rw.set_property(op.0, inherent::OPERAND_SEGMENT_SIZES, sizes);
    rw.set_operands(op.0, &[&lists.concat()[..], &inits].concat());
    Some(())
}

/// `%r = parallel (%i) = (0) to (1) init (%x) { …; reduce(%v) } ⇒ …; %r = reduction of %x and %v`.
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

/// `parallel (%i) … { parallel (%j) … { … } } ⇒ parallel (%i, %j) … { … }` without reductions, if
/// the inner bounds do not depend on the outer variables.
fn merge(rw: &mut Rewriter, op: scf::ParallelOp) -> Option<()> {
    let (ctx, body) = (rw.ctx, rw.body());
    let block = op.block(body);
    let inner = scf::ParallelOp::cast(body, body[block].first()?)?;
    let lists = |op: scf::ParallelOp| {
        [
            op.lower(ctx, body),
            op.upper(ctx, body),
            op.steps(ctx, body),
        ]
        .map(<[Value]>::to_vec)
    };
    let is_alone = body[inner.0].next() == body[block].last()
        && body[op.0].num_results() == 0
        && body[inner.0].num_results() == 0;
    let vars = body[block].args.to_vec();
    let (outer, nested) = (lists(op), lists(inner));
    if !is_alone || nested.iter().flatten().any(|value| vars.contains(value)) {
        return None;
    }
    let inner_block = inner.block(body);
    let last = inner.reduce(body);
    let inner_vars = body[inner_block].args.to_vec();
    for var in inner_vars {
        let ty = rw.body().ty(var);
        let arg = rw.add_argument(block, ty, inner.0);
        rw.replace(var, arg);
    }
    let inside: Vec<OpId> = rw
        .body()
        .ops(inner_block)
        .filter(|&op| op != last)
        .collect();
    for inside in inside {
        rw.move_before(inner.0, inside);
    }
    rw.erase(inner.0);
    let count = (outer[0].len() + nested[0].len()) as i32;
    let sizes = rw.ctx.i32_array_attr(&[count, count, count, 0]);
    let operands: Vec<Value> = outer
        .into_iter()
        .zip(nested)
        .flat_map(|(a, b)| [a, b].concat())
        .collect();
    rw.set_property(op.0, inherent::OPERAND_SEGMENT_SIZES, sizes);
    rw.set_operands(op.0, &operands);
    Some(())
}
