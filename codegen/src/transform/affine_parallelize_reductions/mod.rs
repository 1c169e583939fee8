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
//! Legal where everything that the loop carries is a [reduction] that may be regrouped, or an
//! [argmin or argmax](crate::analysis::arg_reduction) (`state.rs`), or another
//! [insertion of records](crate::analysis::record_reduction) such as the two largest, and its iterations are
//! otherwise independent. Iterations go to threads as
//! [`ReductionShape`] says; of a nest that reduces in several loops,
//! groups take spans of the outermost and lanes share the innermost. Sums of several adjacent
//! iterations are kept apart in each thread, so that their loads are adjacent and none waits for
//! the other's sum.
//!
//! Where workgroups have fast memory of their own, their threads combine partial results there
//! (`workgroups.rs`).
//!
//! Reductions inside parallel loops are cut too where their loads stream (`band.rs`), or shared by the
//! threads of a workgroup, with the loops beside them (`row_sharing.rs`).
//!
//! Reductions in a loop that `affine-persistent-workgroup` gives to one workgroup stay, since its
//! threads share them without launches.
//!
//! Without iterations, there are no partial results, or all are neutral, and
//! the value is that from which the loop starts.
//!
//! [reduction]: crate::analysis::reduction

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::{gpu, scf};
use gridloom_ir::{Body, Context, Module, OpId};

use self::band::BandCut;
use self::chunk::Chunking;
use self::chunking::{chunks, open_rows};
use self::finish::run_as_one_thread;
use self::row_sharing::RowCut;
use self::workgroups::ByWorkgroups;
use super::affine_guard_overflow::is_fallback;
use super::affine_persistent_workgroup::Host;
use crate::analysis::access::accesses_below;
use crate::analysis::alias::Globals;
use crate::analysis::dependence::Dependences;
use crate::analysis::eligible::obstacle;
use crate::analysis::load_store::is_load;
use crate::analysis::parallel::{conflict_in_memory, verdict};
use crate::analysis::reduction::{is_repeatable, reduction_nest};
use crate::analysis::work::{OPEN_TRIPS, work_assuming};
use crate::target::{OffloadOptions, ReductionShape};
use crate::versions::change_functions;

mod band;
mod band_policy;
pub(super) mod chunk;
pub(super) mod chunking;
mod finish;
mod lead;
pub(super) mod partials;
mod place;
mod records;
pub(super) mod row_sharing;
pub(super) mod state;
mod whole;
pub(super) mod workgroups;

/// Parallelizes the reductions in the host functions of a module (see
/// [`change_functions`]). Returns whether anything changed.
pub fn parallelize_module(ctx: &Context, module: &mut Module, options: &OffloadOptions) -> bool {
    let globals = Globals::of(ctx, module);
    let mut changed = false;
    // Statements behind a reduction in a parallel loop may contain further ones.
    for round in 0..MAX_ROUNDS {
        let again = change_functions(ctx, module, &globals, |body| {
            let (plans, relied) = plan_body(ctx, body, &globals, options, round == 0);
            if !plans.is_empty() {
                plans.apply(ctx, body.edit(), options);
            }
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

/// Limit of the rounds: consecutive reductions in one parallel loop that are cut.
const MAX_ROUNDS: usize = 6;

/// Limit of the stages in which partial results are combined in parallel themselves.
const MAX_STAGES: usize = 4;

/// Plan for one nest, with the loads of its initial values, which can be delayed until it is done.
struct Plan {
    chunking: Chunking,
    loads: Vec<OpId>,
}

/// Plans for a body, by kind.
#[derive(Default)]
struct Plans {
    nests: Vec<Plan>,
    workgroups: Vec<ByWorkgroups>,
    bands: Vec<BandCut>,
    rows: Vec<RowCut>,
}

impl Plans {
    fn is_empty(&self) -> bool {
        self.nests.is_empty()
            && self.workgroups.is_empty()
            && self.bands.is_empty()
            && self.rows.is_empty()
    }

    fn apply(&self, ctx: &Context, body: &mut Body, options: &OffloadOptions) {
        for plan in &self.nests {
            plan.apply(ctx, body, options);
        }
        for cut in &self.workgroups {
            cut.apply(ctx, body, options);
        }
        for cut in &self.bands {
            cut.apply(ctx, body);
        }
        for cut in &self.rows {
            cut.apply(ctx, body);
        }
    }
}

/// Plans the nests of a body that are worth cutting, and whether that relies on disjoint arguments; those of open extents may
/// be parted in the first round, `may_part`.
fn plan_body(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    options: &OffloadOptions,
    may_part: bool,
) -> (Plans, bool) {
    let mut policy = Policy {
        may_part,
        ..Policy::new(ctx, body, globals, options)
    };
    // Few functions have a loop that asks for it.
    let mut host: Option<Host> = None;
    let mut plans = Plans::default();
    let mut stack: Vec<OpId> = Vec::new();
    for block in body.top_blocks() {
        stack.extend(body.ops(block));
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
                    // `affine-parallelize-scans` shares the reductions of these rows with the scans.
                    Some(cut) if cut.has_scans() || policy.has_rows_for_threads(l) => {}
                    Some(mut cut) => {
                        cut.whole = policy.whole_rows(l).filter(|_| may_part);
                        plans.rows.push(cut);
                    }
                    None => plans.bands.extend(policy.plan_band(l)),
                }
                continue;
            }
            affine::FOR => {
                if let Some(plan) = policy.plan(ForOp(op)) {
                    match policy.by_workgroups(&plan.chunking) {
                        Some(chunking) => plans.workgroups.push(ByWorkgroups {
                            chunking,
                            threads: options.reduction.lanes,
                            loads: plan.loads,
                        }),
                        None => plans.nests.push(plan),
                    }
                    continue;
                }
                // Threads of a persistent workgroup share its reductions, without launches.
                let host = host.get_or_insert_with(|| Host::new(ctx, body, globals, options));
                if host.persists(ForOp(op)) {
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

/// Policy: decides which loops are cut, and how.
pub(super) struct Policy<'a> {
    pub(super) deps: Dependences<'a>,
    pub(super) options: &'a OffloadOptions,
    /// Whether nests of open extents may be parted into one that is left whole and one that is cut.
    may_part: bool,
}

impl<'a> Policy<'a> {
    pub(super) fn new(
        ctx: &'a Context,
        body: &'a Body,
        globals: &'a Globals,
        options: &'a OffloadOptions,
    ) -> Self {
        Policy {
            deps: Dependences::new(ctx, body, globals),
            options,
            may_part: false,
        }
    }

    fn plan(&mut self, op: ForOp) -> Option<Plan> {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        if body[op.0].num_results() == 0 {
            return None;
        }
        self.state_of(&[op])?;
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
        let shape = &self.shape(&levels);
        let most = self.most_trips(op);
        if levels.len() == 1 && most.is_some_and(|trips| trips < shape.least.into()) {
            return None;
        }
        let mut chunking = self.chunking(levels, shape)?;
        // Where workgroups combine, they have cuts of their own.
        if let (&[l], false) = (&chunking.levels[..], shape.shares) {
            chunking.lead = self.lead(l, chunking.lanes, chunking.vector);
            chunking.has_remainder |= chunking.lead.is_some();
        }
        let loads = match writes {
            true => Vec::new(),
            false => loads_before(ctx, body, op),
        };
        Some(Plan { chunking, loads })
    }
}

impl Policy<'_> {
    /// The shape of the partial results of a nest. Of a loop around others that are too short for launches of their
    /// own, fewer iterations are enough.
    fn shape(&mut self, levels: &[ForOp]) -> ReductionShape {
        let mut shape = self.options.reduction;
        let &[op] = levels else {
            return shape;
        };
        let least = i128::from(MIN_WORK);
        let inner = self.most_rounds_inside(op, 0).unwrap_or(0);
        let trips = self.most_trips(op).unwrap_or(0);
        if inner < least && trips.saturating_mul(inner) >= least {
            shape.least = shape.least.min(MIN_ROWS);
        }
        shape.span = self.open_span(op, &shape);
        shape
    }

    /// Iterations of a group of a loop whose number of them is not known: fewer where loops in each have more to do.
    fn open_span(&mut self, op: ForOp, shape: &ReductionShape) -> i64 {
        let values = &mut self.deps.values;
        let body = values.body;
        let loops = body.ops(op.block(body));
        let loops: Vec<OpId> = loops.filter(|&l| ForOp::cast(body, l).is_some()).collect();
        let work = loops
            .into_iter()
            .map(|l| work_assuming(values, l, OPEN_TRIPS));
        let span = shape.span as f64 / work.sum::<f64>().max(1.0);
        (span as i64).clamp(open_rows(shape).min(shape.span), shape.span)
    }

    /// Upper bound of the iterations of the longest nest in one iteration of a loop; `None` where bounds imply none.
    fn most_rounds_inside(&mut self, op: ForOp, depth: usize) -> Option<i128> {
        let body = self.deps.values.body;
        if depth > MAX_DEPTH {
            return None;
        }
        let mut most = 1;
        for l in (body.ops(op.block(body))).filter_map(|op| ForOp::cast(body, op)) {
            let inside = self.most_rounds_inside(l, depth + 1)?;
            most = self.most_trips(l)?.saturating_mul(inside).max(most);
        }
        Some(most)
    }

    /// Upper bound of a loop's trip count, if its bounds imply one.
    fn most_trips(&mut self, op: ForOp) -> Option<i128> {
        let values = &mut self.deps.values;
        let (ctx, body) = (values.ctx, values.body);
        let env = values.environment_at(op.0);
        let ends = [op.lower(ctx, body), op.upper(ctx, body)]
            .map(|bound| values.map_exprs(op.0, bound.map, bound.operands));
        let &[Some(lower)] = &ends[0][..] else {
            return None;
        };
        let ways = ends[1].iter().filter_map(|&upper| {
            let way = ctx.affine_sub(upper?, lower);
            Some(values.interval(way, env)?.most)
        });
        let way = ways.min()?.max(0);
        Some((way - 1).div_euclid(op.step(ctx, body).max(1).into()) + 1)
    }

    /// Whether a nest is worth its own launches each time it is reached. Inside loops that stay on
    /// the host, that is a nest beside a loop that becomes a kernel, so that its elements are on
    /// the device, or a nest that is long each time, with the loops in its iterations.
    fn is_worth_launches(&mut self, levels: &[ForOp]) -> bool {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        let Some(&root) = levels.first() else {
            return false;
        };
        let Some(around) = enclosing_loop(body, root.0) else {
            return true;
        };
        let inside = levels.last().and_then(|&l| self.most_rounds_inside(l, 0));
        let inside = u64::try_from(inside.unwrap_or(1)).unwrap_or(u64::MAX);
        let mut trips = levels.iter().map(|l| l.constant_trip_count(ctx, body));
        let work = trips.try_fold(inside, |work, trips| Some(work.saturating_mul(trips?)));
        let grows = || {
            [root.lower(ctx, body), root.upper(ctx, body)]
                .iter()
                .flat_map(|bound| bound.operands)
                .any(|&v| body.is_defined_in(v, around))
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

/// Iterations that are worth two launches, each of which costs as much as a few hundred iterations
/// on the host.
const MIN_WORK: u64 = 2048;

/// Limit of the depth of a nest whose iterations are counted.
const MAX_DEPTH: usize = 8;

/// Iterations of a loop around others that are worth launches, if all of them together are.
const MIN_ROWS: i64 = 16;

/// The outermost loop around an operation.
fn enclosing_loop(body: &Body, op: OpId) -> Option<OpId> {
    let parents = body.ancestors(op);
    parents
        .filter(|&op| matches!(body[op].name, affine::FOR | scf::FOR | scf::WHILE))
        .last()
}

/// The loads of a loop's initial values that stand in front of it with only loads and pure
/// operations in between.
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

fn has_one_lower(ctx: &Context, body: &Body, op: ForOp) -> bool {
    op.lower(ctx, body).map.results(ctx).len() == 1
}

impl Plan {
    /// Cuts the nest, then its combining loop again as long as that is too long for one thread.
    fn apply(&self, ctx: &Context, body: &mut Body, options: &OffloadOptions) {
        let shape = &options.reduction;
        let mut last = self.chunking.apply(ctx, body);
        for _ in 1..MAX_STAGES {
            let count = last.constant_trip_count(ctx, body);
            let is_long = count.is_some_and(|count| count > shape.direct.unsigned_abs());
            let state = self.chunking.state.of_parts();
            let next = is_long.then(|| chunks(ctx, body, vec![last], state, shape));
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
