//! `affine-parallelize`: rewrites loops that are proved parallel as `affine.parallel`.
//!
//! ```text
//! affine.for %i = 0 to %n {            affine.parallel (%i) = (0) to (%n) {
//!   %y[%i] = f(%x[%i])           ⇒       %y[%i] = f(%x[%i])
//! ```
//!
//! Legal where no two iterations touch a common element with one of them writing, and none hands a
//! value to the next; other loops stay. Where the proof relies on disjoint arguments, the function
//! checks that they are. `max-nested` bounds how many such loops stand within each other; outer
//! ones come first.
//!
//! With `parallel-reductions` a loop may carry values through one associative operation each:
//!
//! ```text
//! %r = affine.for %i = 0 to %n             %p = affine.parallel (%i) = (0) to (%n) reduce ("addi") {
//!     iter_args(%s = %z) {                   %t = arith.addi %c0, %x[%i]
//!   %t = arith.addi %s, %x[%i]       ⇒       affine.yield %t
//!   affine.yield %t                        }
//! }                                        %r = arith.addi %z, %p
//! ```
//!
//! Sums and products of floats keep their order, unless their operations have `reassoc`, and
//! `affine.parallel` knows extrema of floats and of integers with a sign only. A reduction that stays
//! gets a remark.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::{arith, inherent};
use gridloom_ir::attr::Int;
use gridloom_ir::body::Uses;
use gridloom_ir::scalar::Accumulate;
use gridloom_ir::{
    AffineMap, Attr, Body, Builder, Context, Diagnostic, Diagnostics, InsertPoint, Module, OpId,
    Type, Value,
};

use super::plans::{Plans, change_with_remarks};
use crate::analysis::alias::Globals;
use crate::analysis::dependence::Dependences;
use crate::analysis::parallel::{Verdict, conflict_in_memory, explained, verdict};
use crate::analysis::reduction::{Reduction, reductions_of};

/// Options of parallelization.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParallelizeOptions {
    /// Limit of the parallel loops nested within each other.
    pub max_nested: usize,
    /// Whether loops that carry reductions become parallel too.
    pub reductions: bool,
}

/// Rewrites the parallel loops of the host functions of a module. Returns whether there was one, and
/// why reductions stay.
pub fn parallelize_loops(
    ctx: &Context,
    module: &mut Module,
    options: ParallelizeOptions,
) -> (bool, Diagnostics) {
    change_with_remarks(
        ctx,
        module,
        1,
        |body, globals| parallel_loops(ctx, body, globals, options),
        |(l, reductions), body| into_reduction(ctx, body, *l, reductions),
    )
}

/// The loops to rewrite with their reductions, inner ones first, so that a loop is moved when it is
/// rewritten.
fn parallel_loops(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    options: ParallelizeOptions,
) -> (Plans<(ForOp, Vec<Reduction>)>, Diagnostics) {
    let mut deps = Dependences::new(ctx, body, globals);
    let mut found: Vec<(ForOp, Vec<Reduction>)> = Vec::new();
    let mut remarks = Diagnostics::new();
    let uses = options.reductions.then(|| body.uses());
    for op in body.walk() {
        let Some(l) = ForOp::cast(body, op) else {
            continue;
        };
        let around = (found.iter()).filter(|(outer, _)| body.is_ancestor(outer.0, op));
        if around.count() >= options.max_nested {
            continue;
        }
        match &uses {
            Some(uses) if body[op].num_results() > 0 => {
                match reduces(&mut deps, uses, l, "this loop stays sequential") {
                    Ok(reductions) => found.push((l, reductions)),
                    Err(remark) => remarks.push(*remark),
                }
            }
            _ if verdict(&mut deps, op).is_parallel() => found.push((l, Vec::new())),
            _ => {}
        }
    }
    found.reverse();
    let relied = deps.aliases.relied_on_arguments();
    ((found, relied), remarks)
}

/// Rewrites a loop to an `affine.parallel`, one that reduces where it carries values. Returns
/// whether that relies on disjoint arguments.
///
/// # Errors
/// A remark that begins with `start` and names the dependence between iterations.
pub(super) fn parallelize_loop(
    ctx: &Context,
    body: &mut Body,
    globals: &Globals,
    l: ForOp,
    start: &str,
) -> Result<bool, Box<Diagnostic>> {
    let loc = body[l.0].loc;
    let mut deps = Dependences::new(ctx, body, globals);
    let found = match body[l.0].num_results() {
        0 => match verdict(&mut deps, l.0) {
            Verdict::Parallel => Ok(Vec::new()),
            Verdict::Sequential(reason) => {
                let reason = explained(&mut deps, l.0, reason);
                Err(Box::new(reason.remark(body, loc, start)))
            }
        },
        _ => {
            let uses = deps.values.uses();
            reduces(&mut deps, &uses, l, start)
        }
    };
    let reductions = found.map_err(|why| Box::new(why.with_note(loc, "the loop")))?;
    let relied = deps.aliases.relied_on_arguments();
    into_reduction(ctx, body, l, &reductions);
    Ok(relied)
}

/// Reductions of a loop whose iterations may run in any order.
fn reduces(
    deps: &mut Dependences,
    uses: &Uses,
    l: ForOp,
    start: &str,
) -> Result<Vec<Reduction>, Box<Diagnostic>> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let loc = body[l.0].loc;
    let reductions = reductions_of(ctx, body, uses, l, false).ok();
    let reductions = reductions.filter(|list| {
        list.iter()
            .all(|reduction| kind_of(ctx, reduction).is_some())
    });
    let Some(reductions) = reductions else {
        let message = format!(
            "{start}: it carries a value that is not a reduction of affine.parallel, which \
             combines values in any order (sums \
             of floats need fastmath<reassoc>, minima and maxima of integers the types siN or uiN)"
        );
        return Err(Box::new(Diagnostic::remark(loc, message)));
    };
    match conflict_in_memory(deps, l.0) {
        None => Ok(reductions),
        Some(reason) => {
            let reason = explained(deps, l.0, reason);
            Err(Box::new(reason.remark(body, loc, start)))
        }
    }
}

/// The attribute of `arith`'s `AtomicRMWKind` for a reduction, if `affine.parallel` accepts it.
fn kind_of(ctx: &Context, reduction: &Reduction) -> Option<Attr> {
    let combines = |number: i64| Accumulate::from_number(number).and_then(arith::combining_op);
    let mut numbers = (0..KINDS).filter(|&number| {
        combines(number) == Some(reduction.combine) && affine::can_reduce(ctx, number, reduction.ty)
    });
    numbers.next().map(|number| ctx.i64_attr(number))
}

/// Exclusive upper limit of the numbers of `AtomicRMWKind`.
const KINDS: i64 = 32;

/// Rewrites a loop that carries no values as `affine.parallel`. The caller has proved that its
/// iterations may run in any order.
pub(super) fn into_parallel(ctx: &Context, body: &mut Body, l: ForOp) {
    into_reduction(ctx, body, l, &[]);
}

/// Rewrites a loop that carries these reductions as `affine.parallel`.
fn into_reduction(ctx: &Context, body: &mut Body, l: ForOp, reductions: &[Reduction]) {
    let statements: Vec<OpId> = body.ops(l.block(body)).collect();
    let kinds: Vec<Attr> = reductions.iter().filter_map(|r| kind_of(ctx, r)).collect();
    let types: Vec<Type> = reductions.iter().map(|reduction| reduction.ty).collect();
    let inits = l.inits(ctx, body).to_vec();
    let carried = l.iter_args(body).to_vec();
    let (lower, upper) = (l.lower(ctx, body), l.upper(ctx, body));
    let maps = [lower.map, upper.map];
    let operands = [lower.operands, upper.operands].concat();
    let step = l.step(ctx, body);
    let counter = l.induction_var(body);
    let mut b = Builder::before(ctx, body, l.0);
    let group = |map: AffineMap| group_sizes(ctx, &[map.results(ctx).len()]);
    let state = b
        .state(affine::PARALLEL)
        .operands(&operands)
        .property(ctx, inherent::LOWER_BOUNDS_MAP, ctx.map_attr(maps[0]))
        .property(ctx, inherent::LOWER_BOUNDS_GROUPS, group(maps[0]))
        .property(ctx, inherent::UPPER_BOUNDS_MAP, ctx.map_attr(maps[1]))
        .property(ctx, inherent::UPPER_BOUNDS_GROUPS, group(maps[1]))
        .property(ctx, inherent::STEPS, ctx.array_attr(&[ctx.i64_attr(step)]))
        .property(ctx, inherent::REDUCTIONS, ctx.array_attr(&kinds))
        .results(&types);
    let band = b.create(state);
    let region = b.body.add_region(band);
    let block = b.body.add_block(region, &[ctx.index_type()]);
    let new = b.body[block].args[0];
    b.set(InsertPoint::End(block));
    let mut replaced: Vec<(Value, Value)> = vec![(counter, new)];
    for (&value, reduction) in carried.iter().zip(reductions) {
        replaced.push((value, b.constant(reduction.neutral, reduction.ty)));
    }
    for op in statements {
        b.body.detach(op);
        b.insert(op);
    }
    b.set(InsertPoint::Before(l.0));
    let old: Vec<Value> = b.body[l.0].results().collect();
    let parts: Vec<Value> = b.body[band].results().collect();
    for (number, reduction) in reductions.iter().enumerate() {
        let whole = b.binary(reduction.combine, inits[number], parts[number]);
        replaced.push((old[number], whole));
    }
    body.replace_values(|value| {
        let known = replaced.iter().find(|(from, _)| *from == value);
        known.map_or(value, |(_, to)| *to)
    });
    body.erase(l.0);
}

/// The group sizes of a band as an attribute: the number of bound results of each dimension.
pub(super) fn group_sizes(ctx: &Context, sizes: &[usize]) -> Attr {
    let ty = ctx.tensor_type(&[sizes.len() as i64], ctx.int_type(32));
    let sizes: Vec<Int> = sizes.iter().map(|&size| Int::Small(size as i128)).collect();
    ctx.dense_ints_attr(ty, &sizes)
}
