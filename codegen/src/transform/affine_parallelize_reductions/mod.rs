//! `affine-parallelize-reductions`: a long reduction becomes partial results,
//! computed side by side, and a short loop that combines them.
//!
//! ```text
//! %s = affine.for %i = 0 to %n               %part = memref.alloc(…)
//!     iter_args(%acc = %z) {                 affine.parallel (%p) = (0) to (groups * 8) {
//!   %x = affine.load %a[%i]                    %t = affine.for %i = %p floordiv 8 * SPAN + %p mod 8
//!   %y = arith.addf %acc, %x           ⇒          to min(%n, …) step 8 iter_args(%acc = %neutral) { … }
//!   affine.yield %y                            affine.store %t, %part[%p]
//! }                                          }
//!                                            %s = affine.for %p = … iter_args(%acc = %z) {
//!                                              %x = affine.load %part[%p]
//!                                              %y = arith.addf %acc, %x
//! ```
//!
//! Legal where everything that the loop carries is a [reduction] that may be
//! regrouped, and its iterations meet in no other memory. Iterations go to
//! threads as [`ReductionShape`] says; of a nest that reduces in several loops,
//! groups take spans of the outermost and lanes share the innermost. Sums of
//! several adjacent iterations are kept apart in each thread, so that their
//! loads are adjacent and none waits for the other's sum.
//!
//! Reductions inside parallel loops are cut too where their loads stream (`band.rs`), or shared by the
//! threads of a workgroup, with the loops beside them (`rows.rs`).
//!
//! Without iterations, there are no partial results, or all are neutral, and
//! the value is that from which the loop starts.
//!
//! [reduction]: crate::analysis::reduction

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::{gpu, memref, scf};
use gridloom_ir::affine::AffineExprKind;
use gridloom_ir::body::Uses;
use gridloom_ir::op::Traits;
use gridloom_ir::{AffineExpr, Body, Context, Module, OpId, Value};

use self::band::BandCut;
use self::chunk::Chunking;
use self::finish::run_as_one_thread;
use self::partials::anchor;
use self::rows::RowCut;
use super::affine_guard_overflow::is_fallback;
use crate::analysis::access::accesses_below;
use crate::analysis::alias::Globals;
use crate::analysis::dependence::Dependences;
use crate::analysis::eligible::obstacle;
use crate::analysis::parallel::{conflict_in_memory, verdict};
use crate::analysis::reduction::{Reduction, reductions_of};
use crate::target::{OffloadOptions, ReductionShape};
use crate::versions::change_functions;

mod band;
mod band_policy;
pub(super) mod bounds;
pub(super) mod chunk;
mod finish;
pub(super) mod partials;
mod rows;

/// Parallelizes the reductions in the host functions of a module (see
/// [`change_functions`]). Returns whether anything changed.
pub fn parallelize_module(ctx: &Context, module: &mut Module, options: &OffloadOptions) -> bool {
    let globals = Globals::of(ctx, module);
    let mut changed = false;
    // Statements behind a reduction in a parallel loop may reduce again.
    for _ in 0..MAX_ROUNDS {
        let again = change_functions(ctx, module, &globals, |body| {
            let (plans, relied) = plan_body(ctx, body, &globals, options);
            plans.apply(ctx, body, options);
            let again = plans.bands.iter().any(|cut| cut.has_loops_after);
            (relied && !plans.is_empty(), (!plans.is_empty(), again))
        });
        changed |= again.iter().any(|&(changed, _)| changed);
        if !again.iter().any(|&(_, again)| again) {
            break;
        }
    }
    changed
}

/// Reductions one after the other in a parallel loop that are cut.
const MAX_ROUNDS: usize = 6;

/// Statements of an iteration up to which several are done at once.
const MAX_STATEMENTS: usize = 48;

/// Times that partial results are combined in parallel themselves.
const MAX_STAGES: usize = 4;

/// A nest that is to be cut, and the loads of what its values start from, which
/// can be put off until it is done.
struct Plan {
    chunking: Chunking,
    loads: Vec<OpId>,
}

/// All nests of a body that are cut.
#[derive(Default)]
struct Plans {
    nests: Vec<Plan>,
    bands: Vec<BandCut>,
    rows: Vec<RowCut>,
}

impl Plans {
    fn is_empty(&self) -> bool {
        self.nests.is_empty() && self.bands.is_empty() && self.rows.is_empty()
    }

    fn apply(&self, ctx: &Context, body: &mut Body, options: &OffloadOptions) {
        for plan in &self.nests {
            plan.apply(ctx, body, options);
        }
        for cut in &self.bands {
            cut.apply(ctx, body);
        }
        for cut in &self.rows {
            cut.apply(ctx, body);
        }
    }
}

/// The nests of a body that are worth it, and whether that relies on disjoint
/// arguments.
fn plan_body(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    options: &OffloadOptions,
) -> (Plans, bool) {
    let mut policy = Policy {
        deps: Dependences::new(ctx, body, globals),
        uses: body.uses(),
        options,
    };
    let mut plans = Plans::default();
    let mut stack: Vec<OpId> = Vec::new();
    for &region in body.regions() {
        for &block in &body[region].blocks {
            stack.extend(body.ops(block));
        }
    }
    while let Some(op) = stack.pop() {
        match body[op].name {
            gpu::LAUNCH | scf::PARALLEL | scf::FORALL => continue,
            affine::FOR | affine::PARALLEL if is_fallback(body, op) => continue,
            affine::FOR | affine::PARALLEL if verdict(&mut policy.deps, op).is_parallel() => {
                let Some(l) = ForOp::cast(body, op) else {
                    continue;
                };
                match policy.plan_rows(l) {
                    Some(cut) => plans.rows.push(cut),
                    None => plans.bands.extend(policy.plan_band(l)),
                }
                continue;
            }
            affine::FOR => {
                if let Some(plan) = policy.plan(ForOp(op)) {
                    plans.nests.push(plan);
                    continue;
                }
            }
            _ => {}
        }
        for &region in body[op].inline_regions() {
            for &block in &body[region].blocks {
                stack.extend(body.ops(block));
            }
        }
    }
    (plans, policy.deps.aliases.relied_on_arguments())
}

/// Decides which loops are cut, and how.
struct Policy<'a> {
    deps: Dependences<'a>,
    uses: Uses,
    options: &'a OffloadOptions,
}

impl Policy<'_> {
    fn plan(&mut self, op: ForOp) -> Option<Plan> {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        if body[op.0].num_results() == 0 {
            return None;
        }
        let reassociate = self.options.reassociate;
        let reductions = reductions_of(ctx, body, &self.uses, op, reassociate).ok()?;
        if conflict_in_memory(&mut self.deps, op.0).is_some()
            || obstacle(ctx, body, op.0, self.options.target.as_ref()).is_some()
        {
            return None;
        }
        let accesses = accesses_below(&mut self.deps.values, op.0);
        if accesses.iter().any(|access| access.update.is_some()) {
            return None;
        }
        let writes = accesses.iter().any(|access| access.is_write);
        let levels = match writes {
            true => vec![op],
            false => reduction_nest(ctx, body, op),
        };
        if !self.is_worth_launches(&levels) {
            return None;
        }
        let shape = &self.options.reduction;
        let most = self.most_trips(op);
        if levels.len() == 1 && most.is_some_and(|trips| trips < shape.least.into()) {
            return None;
        }
        let chunking = chunking(ctx, body, levels, reductions, shape)?;
        let loads = match writes {
            true => Vec::new(),
            false => loads_before(ctx, body, op),
        };
        Some(Plan { chunking, loads })
    }
}

impl Policy<'_> {
    /// The greatest number of iterations of a loop in any run, if its bounds tell.
    fn most_trips(&mut self, op: ForOp) -> Option<i128> {
        let values = &mut self.deps.values;
        let (ctx, body) = (values.ctx, values.body);
        let facts = values.facts_at(op.0);
        let ends = [op.lower(ctx, body), op.upper(ctx, body)]
            .map(|bound| values.map_exprs(op.0, bound.map, bound.operands));
        let &[Some(lower)] = &ends[0][..] else {
            return None;
        };
        let ways = ends[1].iter().filter_map(|&upper| {
            let way = ctx.affine_sub(upper?, lower);
            Some(values.interval(way, facts)?.most)
        });
        let way = ways.min()?.max(0);
        Some((way - 1).div_euclid(op.step(ctx, body).max(1).into()) + 1)
    }

    /// Whether a nest is worth launches of its own each time it is reached. Of
    /// those inside loops that stay on the host, it is one beside a loop that
    /// becomes a kernel too, so that its elements are on the device, or one
    /// that is long each time.
    fn is_worth_launches(&mut self, levels: &[ForOp]) -> bool {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        let Some(&root) = levels.first() else {
            return false;
        };
        let Some(around) = enclosing_loop(body, root.0) else {
            return true;
        };
        let mut trips = levels.iter().map(|l| l.constant_trip_count(ctx, body));
        let work = trips.try_fold(1u64, |work, trips| Some(work.saturating_mul(trips?)));
        let grows = || {
            body[root.0]
                .operands
                .iter()
                .any(|&v| is_inside(body, v, around))
        };
        match work {
            Some(work) if work >= MIN_WORK => return true,
            None if !grows() => return true,
            _ => {}
        }
        let siblings = body[root.0].parent().map(|block| body.ops(block).collect());
        let siblings: Vec<OpId> = siblings.unwrap_or_default();
        siblings.into_iter().any(|op| {
            matches!(body[op].name, affine::FOR | affine::PARALLEL)
                && op != root.0
                && verdict(&mut self.deps, op).is_parallel()
        })
    }
}

/// Iterations that are worth two launches, each of which costs as much as the
/// host takes for a few hundred.
const MIN_WORK: u64 = 2048;

/// The outermost loop around an operation.
fn enclosing_loop(body: &Body, op: OpId) -> Option<OpId> {
    let parents = std::iter::successors(body.parent_op(op), |&op| body.parent_op(op));
    parents
        .filter(|&op| matches!(body[op].name, affine::FOR | scf::FOR | scf::WHILE))
        .last()
}

/// Whether a value is defined in the regions of an operation.
fn is_inside(body: &Body, value: Value, op: OpId) -> bool {
    let block = body.value_block(value);
    let around = block.and_then(|block| body.block_parent_op(block));
    around.is_some_and(|around| body.is_ancestor(op, around))
}

/// The loads of what a loop starts from that stand before it with nothing but
/// loads and pure operations in between.
fn loads_before(ctx: &Context, body: &Body, op: ForOp) -> Vec<OpId> {
    let inits = op.inits(ctx, body);
    let before = std::iter::successors(body[op.0].prev(), |&op| body[op].prev());
    let quiet = before.take_while(|&op| is_repeatable(body, op));
    let mut loads: Vec<OpId> = quiet
        .filter(|&op| is_load(body, op) && inits.contains(&body[op].result(0)))
        .collect();
    loads.reverse();
    loads
}

fn is_load(body: &Body, op: OpId) -> bool {
    matches!(body[op].name, affine::LOAD | memref::LOAD)
}

/// Whether an operation computes or loads a value and does nothing else.
fn is_repeatable(body: &Body, op: OpId) -> bool {
    let is_plain = body[op].inline_regions().is_empty();
    is_plain && (is_load(body, op) || body[op].name.has(Traits::PURE))
}

/// The loops from `root` inwards of which each hands what it carries on to the
/// next one and does nothing else but what can be repeated.
fn reduction_nest(ctx: &Context, body: &Body, root: ForOp) -> Vec<ForOp> {
    let mut nest = vec![root];
    while let Some(&outer) = nest.last() {
        let ops: Vec<OpId> = body.ops(outer.block(body)).collect();
        let [before @ .., inner, end] = &ops[..] else {
            break;
        };
        let Some(inner) = ForOp::cast(body, *inner) else {
            break;
        };
        let hands_on = inner.inits(ctx, body) == outer.iter_args(body)
            && body[inner.0]
                .results()
                .eq(body[*end].operands.iter().copied());
        let is_simple = inner.lower(ctx, body).map.results(ctx).len() == 1;
        if !hands_on || !is_simple || !before.iter().all(|&op| is_repeatable(body, op)) {
            break;
        }
        nest.push(inner);
    }
    nest
}

/// Plans the chunks of a nest; `None` if it is too small.
fn chunking(
    ctx: &Context,
    body: &Body,
    mut levels: Vec<ForOp>,
    reductions: Vec<Reduction>,
    shape: &ReductionShape,
) -> Option<Chunking> {
    let root = *levels.first()?;
    let trips = |op: &ForOp| {
        let trips = op.constant_trip_count(ctx, body)?;
        Some(i64::try_from(trips).unwrap_or(i64::MAX))
    };
    // Lanes without work are worse than rows of their own.
    let is_short = |op: &ForOp| trips(op).is_some_and(|n| n < 2 * shape.lanes);
    while levels.len() > 1 && levels.last().is_some_and(is_short) {
        levels.pop();
    }
    let last = *levels.last()?;
    let all = trips(&root);
    let is_single = levels.len() == 1;
    let least = match is_single {
        true => shape.least,
        false => shape.least.min(shape.groups),
    };
    if all.is_some_and(|trips| trips < least) || !has_one_lower(ctx, body, root) {
        return None;
    }
    let one_upper = last.upper(ctx, body).map.results(ctx).len() == 1;
    let fills = |vector: i64| trips(&last).is_none_or(|n| n >= shape.lanes.saturating_mul(vector));
    let vector = match one_upper && fills(shape.vector) && is_vectorizable(ctx, body, last) {
        true => shape.vector.max(1),
        false => 1,
    };
    let unit = if is_single { shape.lanes * vector } else { 1 };
    let span = match all {
        Some(trips) => trips.div_euclid(shape.groups.max(1)) + 1,
        None if is_single => shape.span,
        None => 8,
    };
    let span = (span.checked_add(unit - 1)? / unit).checked_mul(unit)?;
    let step = root.step(ctx, body);
    span.checked_mul(step)?;
    last.step(ctx, body).checked_mul(shape.lanes * vector)?;
    if all.is_none() && root.upper(ctx, body).map.results(ctx).len() != 1 {
        return None;
    }
    let has_remainder = vector > 1 && trips(&last).is_none_or(|trips| trips % vector != 0);
    Some(Chunking {
        anchor: anchor(body, root, all.is_some()),
        levels,
        reductions,
        lanes: shape.lanes,
        vector,
        span,
        groups: all.map(|trips| (trips.max(1) - 1) / span + 1),
        has_remainder,
    })
}

/// Plans the chunks of the reduction of each of `rows` iterations around it: one group
/// of lanes a row where there are many, else several; `None` if it is too small.
fn chunking_of_rows(
    ctx: &Context,
    body: &Body,
    levels: Vec<ForOp>,
    reductions: Vec<Reduction>,
    shape: &ReductionShape,
    rows: Option<i64>,
) -> Option<Chunking> {
    let trips = levels.iter().map(|l| l.constant_trip_count(ctx, body));
    let trips = trips.map(|trips| i64::try_from(trips?).ok());
    let work = trips.fold(rows, |work, trips| Some(work?.saturating_mul(trips?)));
    if work.is_some_and(|work| work < shape.band_least) {
        return None;
    }
    let groups = rows.map_or(1, |rows| shape.groups / rows.max(1)).max(1);
    let lanes = shape.band_lanes;
    let of_row = ReductionShape {
        lanes,
        groups,
        least: shape.least.min(2 * lanes * shape.vector),
        ..*shape
    };
    let root = *levels.first()?;
    let is_known = root.constant_trip_count(ctx, body).is_some();
    let has_one_upper = root.upper(ctx, body).map.results(ctx).len() == 1;
    let mut chunking = chunking(ctx, body, levels, reductions, &of_row);
    if let Some(chunking) = &mut chunking
        && (groups == 1 || !is_known)
        && has_one_upper
    {
        chunking.groups = Some(1);
    }
    chunking.filter(|chunking| chunking.groups.is_some())
}

fn has_one_lower(ctx: &Context, body: &Body, op: ForOp) -> bool {
    op.lower(ctx, body).map.results(ctx).len() == 1
}

/// Whether several iterations at once are worth it: straight statements, of
/// which some load adjacent elements.
fn is_vectorizable(ctx: &Context, body: &Body, op: ForOp) -> bool {
    let statements: Vec<OpId> = body.ops(op.block(body)).collect();
    let is_straight = |&op: &OpId| body[op].inline_regions().is_empty();
    let counter = op.induction_var(body);
    let is_adjacent = |&op: &OpId| {
        let Some(access) = affine::Access::cast(body, op) else {
            return false;
        };
        let map = access.map(ctx, body);
        let position = access.operands(body).iter().position(|&v| v == counter);
        let last = map.results(ctx).last();
        last.zip(position)
            .is_some_and(|(last, position)| mentions(ctx, *last, position))
    };
    statements.len() <= MAX_STATEMENTS
        && statements.iter().all(is_straight)
        && statements.iter().any(is_adjacent)
}

/// Whether an expression uses a dimension.
fn mentions(ctx: &Context, expr: AffineExpr, dim: usize) -> bool {
    expr.fold_parts(ctx, &mut |part, operands| match (part, operands) {
        (_, Some((left, right))) => left || right,
        (AffineExprKind::Dim(d), None) => d as usize == dim,
        _ => false,
    })
}

impl Plan {
    /// Cuts the nest, and the loop that combines its partial results again as
    /// long as that is too long for one thread.
    fn apply(&self, ctx: &Context, body: &mut Body, options: &OffloadOptions) {
        let shape = &options.reduction;
        let mut last = self.chunking.apply(ctx, body);
        for _ in 1..MAX_STAGES {
            let count = last.constant_trip_count(ctx, body);
            let is_long = count.is_some_and(|count| count > shape.direct.unsigned_abs());
            let reductions = self.chunking.reductions.clone();
            let next = is_long.then(|| chunking(ctx, body, vec![last], reductions, shape));
            let Some(next) = next.flatten() else { break };
            let before = count.unwrap_or(0);
            let groups = next.groups.unwrap_or(1);
            if (groups * next.lanes).unsigned_abs() >= before {
                break;
            }
            last = next.apply(ctx, body);
        }
        run_as_one_thread(ctx, body, last, &self.loads, options.target.as_ref());
    }
}
