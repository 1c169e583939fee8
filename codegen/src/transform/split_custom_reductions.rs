//! `split-custom-reductions`: has threads combine the values of an `scf.parallel` by a combiner of the
//! program's own.
//!
//! ```text
//! %s = scf.parallel (%i) = (%l) to (%u)    scf.parallel (%p) = (%c0) to (%c512) step (%c1) {
//!     step (%c1) init (%init) {              %r:2 = scf.for %i = %l + %p to %u step %c512
//!   %v = …                                       iter_args(%acc = %init, %any = %false) {
//!   scf.reduce(%v) {                           %v = …
//!   ^bb0(%a, %b):                    ⇒         %n = scf.if %any { f(%acc, %v) } else { %v }
//!     %c = f(%a, %b)                           scf.yield %n, %true
//!     scf.reduce.return %c                   }
//!   }                                        memref.store %r#0, %part[%p]; memref.store %r#1, %has[%p]
//! }                                        }
//!                                          %s = scf.for %p = %c0 to %c512 iter_args(%acc = %init) {
//!                                            %n = scf.if %has[%p] { f(%acc, %part[%p]) } else { %acc }
//! ```
//!
//! `scf.reduce` leaves the order of combination open, which permits this whatever the combiner; one
//! operation with a neutral element is left to `affine-parallelize-reductions`, which has better forms.
//! A combiner of the program's own has no neutral element that is known, so each thread starts from its
//! first value, and the initial value is combined once. Of a nest, the outermost and the innermost loop
//! are cut.
//!
//! Legal where the combiners have no effects and take nothing else from the iteration. Done where floats
//! may be regrouped, or there are none, outside of other parallel loops, for constant steps and scalars.

use gridloom_dialects::arith::{CmpIOp, CmpIPredicate};
use gridloom_dialects::memref::{AllocOp, LoadOp, StoreOp};
use gridloom_dialects::scf::{self, ForOp, IfOp, ParallelOp};
use gridloom_dialects::{affine, arith, gpu, memref};
use gridloom_ir::op::Traits;
use gridloom_ir::{BlockId, Body, Builder, Context, InsertPoint, IrMapping, OpId, TypeKind, Value};

use super::kernels::is_kernel;
use crate::analysis::reduction::neutral_element;
use crate::target::OffloadOptions;

/// Limit of the threads that share the innermost of several loops, unless the outermost has few iterations.
const INNER_LANES: i64 = 32;

/// Splits the reductions of a function. Returns whether there was one to split.
pub fn split_custom_reductions(ctx: &Context, body: &mut Body, options: &OffloadOptions) -> bool {
    if is_kernel(body) {
        return false;
    }
    let ops = body.walk().into_iter();
    let plans: Vec<Plan> = ops.filter_map(|op| plan(ctx, body, op, options)).collect();
    for plan in &plans {
        apply(ctx, body, plan);
    }
    !plans.is_empty()
}

/// Plan for one band.
struct Plan {
    band: ParallelOp,
    /// The bounds of each loop.
    bounds: Vec<[Value; 2]>,
    steps: Vec<i64>,
    /// Threads along the outermost loop, and along the innermost one if that is another.
    threads: Vec<i64>,
}

fn plan(ctx: &Context, body: &Body, op: OpId, options: &OffloadOptions) -> Option<Plan> {
    let band = ParallelOp::cast(body, op).filter(|_| body[op].num_results() > 0)?;
    let is_serial = |op: OpId| {
        !matches!(
            body[op].name,
            scf::PARALLEL | scf::FORALL | affine::PARALLEL | gpu::LAUNCH
        )
    };
    let mut around = std::iter::successors(body.parent_op(op), |&op| body.parent_op(op));
    let types: Vec<_> = body[op].results().map(|value| body.ty(value)).collect();
    let fits = types.iter().all(|ty| match ty.kind(ctx) {
        TypeKind::Integer { .. } | TypeKind::Index => true,
        TypeKind::Float(_) => options.reassociate,
        _ => false,
    });
    let reduce = band.reduce(body);
    let combiners: Option<Vec<BlockId>> = (0..types.len())
        .map(|number| body.region_block(reduce, number))
        .collect();
    let combiners = combiners?;
    let is_custom = |&block: &BlockId| !has_neutral_element(ctx, body, block);
    let is_legal = |&block: &BlockId| is_self_contained(body, op, block);
    if !fits
        || !around.all(is_serial)
        || !combiners.iter().any(is_custom)
        || !combiners.iter().all(is_legal)
    {
        return None;
    }
    let bounds = band.lower(ctx, body).iter().zip(band.upper(ctx, body));
    let bounds: Vec<[Value; 2]> = bounds.map(|(&lower, &upper)| [lower, upper]).collect();
    let steps = band.steps(ctx, body).iter();
    let steps: Vec<i64> = steps
        .map(|&step| arith::constant_int(ctx, body, step).filter(|&step| step > 0))
        .collect::<Option<_>>()?;
    let trips: Vec<Option<i64>> = (bounds.iter().zip(&steps))
        .map(|(&[lower, upper], &step)| {
            let [lower, upper] = [lower, upper].map(|value| arith::constant_int(ctx, body, value));
            let span = upper?.checked_sub(lower?)?;
            Some((span.max(0) as u64).div_ceil(step as u64) as i64)
        })
        .collect();
    let total =
        (trips.iter()).try_fold(1_i64, |total, trips| trips.map(|n| total.saturating_mul(n)));
    if total.is_some_and(|total| total < options.reduction.least) {
        return None;
    }
    let threads = threads_of(&trips, options)?;
    let strides = [steps.first(), steps.last()].into_iter().zip(&threads);
    let fits = |(step, &count): (Option<&i64>, &i64)| step?.checked_mul(count);
    strides.map(fits).collect::<Option<Vec<_>>>()?;
    Some(Plan {
        band,
        bounds,
        steps,
        threads,
    })
}

/// The threads along the cut loops, of trip counts that are known or not.
fn threads_of(trips: &[Option<i64>], options: &OffloadOptions) -> Option<Vec<i64>> {
    let shape = options.reduction;
    let limit = shape.groups.saturating_mul(shape.lanes).min(shape.direct);
    let clamp = |count: i64, trips: Option<i64>| count.min(trips.unwrap_or(count)).max(1);
    match *trips {
        [] => None,
        [trips] => Some(vec![clamp(limit, trips)]),
        [outer, .., inner] => {
            let lanes = clamp(shape.lanes.min(INNER_LANES), inner);
            let rows = clamp(limit / lanes, outer);
            Some(vec![rows, clamp(limit / rows, inner).max(lanes)])
        }
    }
}

/// Whether a combiner is one operation that has a neutral element.
fn has_neutral_element(ctx: &Context, body: &Body, block: BlockId) -> bool {
    let ops: Vec<OpId> = body.ops(block).collect();
    let &[op, end] = &ops[..] else {
        return false;
    };
    let mut operands = body[op].operands.to_vec();
    operands.sort_unstable();
    let mut args = body[block].args.to_vec();
    args.sort_unstable();
    let mut results = body[op].results();
    operands == args
        && results.next().as_ref() == body[end].operands.first()
        && arith::accumulation(body[op].name).is_some()
        && neutral_element(ctx, body[op].name, body.ty(args[0])).is_some()
}

/// Whether a combiner has no effects, and takes nothing from the iteration but its arguments.
fn is_self_contained(body: &Body, band: OpId, block: BlockId) -> bool {
    let ops: Vec<OpId> = (body.ops(block)).flat_map(|op| body.walk_op(op)).collect();
    let is_pure = |&op: &OpId| {
        let name = body[op].name;
        name.has(Traits::PURE)
            || matches!(name, scf::IF | scf::FOR | scf::YIELD | scf::REDUCE_RETURN)
    };
    let is_below = |value: Value, root: &dyn Fn(BlockId) -> bool| {
        let mut at = body.value_block(value);
        while let Some(block) = at {
            if root(block) {
                return true;
            }
            let parent = body.block_parent_op(block);
            at = parent.and_then(|op| body[op].parent());
        }
        false
    };
    let is_of_band = |block: BlockId| body.block_parent_op(block) == Some(band);
    ops.iter().all(is_pure)
        && ops
            .iter()
            .flat_map(|&op| &body[op].operands)
            .all(|&value| is_below(value, &|at| at == block) || !is_below(value, &is_of_band))
}

fn apply(ctx: &Context, body: &mut Body, plan: &Plan) {
    let band = plan.band;
    let inits = band.inits(ctx, body).to_vec();
    let mut b = Builder::before(ctx, body, band.0);
    let [zero, one] = [0, 1].map(|number| b.index_constant(number));
    let [no, yes] = [false, true].map(|value| b.constant(ctx.bool_attr(value), ctx.bool_type()));
    let types = inits.iter().map(|&init| b.body.ty(init));
    let types: Vec<_> = types.chain([ctx.bool_type()]).collect();
    let arrays: Vec<Value> = (types.iter())
        .map(|&ty| AllocOp::create(&mut b, ctx.memref_type(&plan.threads, ty), &[]))
        .collect();
    let ends: Vec<Value> = (plan.threads.iter())
        .map(|&count| b.index_constant(count))
        .collect();
    let partials = Partials {
        plan,
        zero,
        one,
        arrays,
        ends,
        inits,
    };
    let Some(outer) =
        (partials.write(ctx, body, [no, yes])).and_then(|()| partials.fold(ctx, body))
    else {
        return;
    };
    let mut b = Builder::before(ctx, body, band.0);
    for &array in &partials.arrays {
        b.create(b.state(memref::DEALLOC).operands(&[array]));
    }
    let results: Vec<Value> = body[outer.0].results().collect();
    body.replace_op(band.0, &results);
}

/// Arrays of what the threads come to: their values, and whether they had an iteration.
struct Partials<'a> {
    plan: &'a Plan,
    zero: Value,
    one: Value,
    arrays: Vec<Value>,
    /// The number of threads in each dimension.
    ends: Vec<Value>,
    /// The initial values of the reduction.
    inits: Vec<Value>,
}

impl Partials<'_> {
    /// Writes the band of the threads, each of which reduces its share of the iterations.
    fn write(&self, ctx: &Context, body: &mut Body, [no, yes]: [Value; 2]) -> Option<()> {
        let plan = self.plan;
        let (block, reduce) = (plan.band.block(body), plan.band.reduce(body));
        let counters = plan.band.induction_vars(body).to_vec();
        let mut b = Builder::before(ctx, body, plan.band.0);
        let count = self.ends.len();
        let bounds = [
            vec![self.zero; count],
            self.ends.clone(),
            vec![self.one; count],
        ];
        let threads = ParallelOp::create(&mut b, &bounds);
        let (places, end) = (
            threads.induction_vars(b.body).to_vec(),
            threads.reduce(b.body),
        );
        let mut carried = [&self.inits[..], &[no]].concat();
        b.set(InsertPoint::Before(end));
        let mut loops: Vec<ForOp> = Vec::new();
        let dims = plan.bounds.iter().zip(&plan.steps).zip(counters);
        for (number, ((&[lower, upper], &step), counter)) in dims.enumerate() {
            let cut = match number {
                0 => Some(0),
                _ if number + 1 == plan.bounds.len() => Some(1),
                _ => None,
            };
            let mut b = Builder::before(ctx, b.body, end);
            if let Some(around) = loops.last() {
                b.set(InsertPoint::End(around.block(b.body)));
            }
            let share = match cut {
                None => Share::whole(&mut b, [lower, upper], step),
                Some(at) => Share::of(&mut b, [lower, upper], step, (places[at], plan.threads[at])),
            };
            let [first, last, stride] = share.bounds;
            let made = ForOp::create(&mut b, first, last, stride, &carried);
            b.set(InsertPoint::Start(made.block(b.body)));
            let number = made.induction_var(b.body);
            let new = share.counter(&mut b, number);
            b.body.replace_uses(counter, new);
            carried = made.iter_args(b.body).to_vec();
            loops.push(made);
        }
        nest(&mut b, &loops);
        let (&outer, &inner) = loops.first().zip(loops.last())?;
        let to = inner.block(b.body);
        let ops: Vec<OpId> = b.body.ops(block).filter(|&op| op != reduce).collect();
        for op in ops {
            b.body.detach(op);
            b.body.append(to, op);
        }
        b.set(InsertPoint::End(to));
        let values = b.body[reduce].operands.to_vec();
        let mut next = combined(&mut b, reduce, &carried, &values, &values);
        next.push(yes);
        scf::yield_values(&mut b, to, &next);
        b.set(InsertPoint::Before(end));
        let made: Vec<Value> = b.body[outer.0].results().collect();
        for (&value, &array) in made.iter().zip(&self.arrays) {
            StoreOp::create(&mut b, value, array, &places);
        }
        Some(())
    }

    /// Writes the loops that combine the values of the threads. Returns the outermost one, which gives the results.
    fn fold(&self, ctx: &Context, body: &mut Body) -> Option<ForOp> {
        let reduce = self.plan.band.reduce(body);
        let mut b = Builder::before(ctx, body, self.plan.band.0);
        let mut carried = self.inits.clone();
        let mut loops: Vec<ForOp> = Vec::new();
        for &end in &self.ends {
            let made = ForOp::create(&mut b, self.zero, end, self.one, &carried);
            carried = made.iter_args(b.body).to_vec();
            b.set(InsertPoint::End(made.block(b.body)));
            loops.push(made);
        }
        nest(&mut b, &loops);
        let (&outer, &inner) = loops.first().zip(loops.last())?;
        let places: Vec<Value> = (loops.iter())
            .map(|made| made.induction_var(b.body))
            .collect();
        let loaded: Vec<Value> = (self.arrays.iter())
            .map(|&array| LoadOp::create(&mut b, array, &places))
            .collect();
        let (values, flag) = loaded.split_at(carried.len());
        let arguments = [&carried[..], flag].concat();
        let next = combined(&mut b, reduce, &arguments, values, &carried);
        let to = inner.block(b.body);
        scf::yield_values(&mut b, to, &next);
        Some(outer)
    }
}

/// Limit of the lower bounds and steps from which no counter comes near the end of 64 bits, where it would wrap
/// around: to count that far takes more than 2^32 iterations of a thread.
const MAX_NEAR: i64 = 1 << 20;

/// Iterations of a loop that a thread runs.
struct Share {
    /// First number, end and step.
    bounds: [Value; 3],
    /// The counter's first value and its step, if the numbers are those of iterations; else they are
    /// the counter's own.
    numbered: Option<(Value, i64)>,
}

impl Share {
    /// All iterations.
    fn whole(b: &mut Builder, [lower, upper]: [Value; 2], step: i64) -> Share {
        let step = b.index_constant(step);
        Share {
            bounds: [lower, upper, step],
            numbered: None,
        }
    }

    /// Each of the iterations of which there is one for every `count` threads, for thread number `place`.
    fn of(
        b: &mut Builder,
        [lower, upper]: [Value; 2],
        step: i64,
        (place, count): (Value, i64),
    ) -> Share {
        let begin = arith::constant_int(b.ctx, b.body, lower);
        let is_near = begin.is_some_and(|begin| begin.unsigned_abs() <= MAX_NEAR as u64);
        let distance = b.index_constant(step);
        if is_near && step <= MAX_NEAR {
            let skipped = b.binary(arith::MULI, place, distance);
            let first = b.binary(arith::ADDI, lower, skipped);
            let stride = b.index_constant(step * count);
            return Share {
                bounds: [first, upper, stride],
                numbered: None,
            };
        }
        let is_some = CmpIOp::create(b, CmpIPredicate::Slt, lower, upper);
        let span = b.binary(arith::SUBI, upper, lower);
        let trips = match step {
            1 => span,
            _ => b.binary(arith::CEILDIVUI, span, distance),
        };
        let zero = b.index_constant(0);
        let index = b.ctx.index_type();
        let trips = b.unary(arith::SELECT, &[is_some, trips, zero], index);
        let stride = b.index_constant(count);
        Share {
            bounds: [place, trips, stride],
            numbered: Some((lower, step)),
        }
    }

    /// Emits the loop's counter for a number.
    fn counter(&self, b: &mut Builder, number: Value) -> Value {
        let Some((lower, step)) = self.numbered else {
            return number;
        };
        let step = b.index_constant(step);
        let far = b.binary(arith::MULI, number, step);
        b.binary(arith::ADDI, lower, far)
    }
}

/// Has each loop but the innermost hand on what the next one carries.
fn nest(b: &mut Builder, loops: &[ForOp]) {
    for pair in loops.windows(2) {
        let results: Vec<Value> = b.body[pair[1].0].results().collect();
        let block = pair[0].block(b.body);
        scf::yield_values(b, block, &results);
    }
}

/// Combines carried values, the last of which tells whether the others are to be, with further ones;
/// `others` where not.
fn combined(
    b: &mut Builder,
    reduce: OpId,
    carried: &[Value],
    values: &[Value],
    others: &[Value],
) -> Vec<Value> {
    let Some((&flag, carried)) = carried.split_last() else {
        return Vec::new();
    };
    let types: Vec<_> = carried.iter().map(|&value| b.body.ty(value)).collect();
    let choice = IfOp::create(b, flag, &types, true);
    let then = choice.then_block(b.body);
    let at = b.point();
    b.set(InsertPoint::End(then));
    let mut made = Vec::new();
    for (number, pair) in carried.iter().zip(values).enumerate() {
        made.push(combine(b, reduce, number, [*pair.0, *pair.1]));
    }
    scf::yield_values(b, then, &made);
    if let Some(block) = choice.else_block(b.body) {
        scf::yield_values(b, block, others);
    }
    b.set(at);
    b.body[choice.0].results().collect()
}

/// Copies a combiner to the builder's position. Returns its result.
fn combine(b: &mut Builder, reduce: OpId, number: usize, values: [Value; 2]) -> Value {
    let Some(block) = b.body.region_block(reduce, number) else {
        return values[0];
    };
    let mut map = IrMapping::new();
    let args = b.body[block].args.to_vec();
    for (arg, value) in args.into_iter().zip(values) {
        map.map(arg, value);
    }
    let ops: Vec<OpId> = b.body.ops(block).collect();
    let mut result = values[0];
    for op in ops {
        if b.body[op].name == scf::REDUCE_RETURN {
            result = map.value(b.body[op].operands[0]);
        } else {
            b.insert_copy(op, &mut map);
        }
    }
    result
}
