//! `affine-parallelize-scans`: a long scan (prefix sums and the like) becomes three steps: sums of
//! chunks side by side, where each chunk starts, and the chunks side by side again.
//!
//! ```text
//! %r = affine.for %i = 0 to %n               affine.parallel (%p) = (0) to (chunks) {
//!     iter_args(%acc = %z) {                   %t = affine.for %i = %p * S to min(%n, (%p + 1) * S)
//!   %x = affine.load %a[%i]                        iter_args(%acc = %neutral) { … op %x … }
//!   %y = arith.addf %acc, %x                   affine.store %t, %part[%p]
//!   affine.store %y, %b[%i]                  }
//!   affine.yield %y                          affine.parallel (%one) = (0) to (1) {
//! }                                            affine.for %p = 0 to chunks iter_args(%acc = %z) {
//!                                     ⇒          %t = affine.load %part[%p]
//!                                                affine.store %acc, %part[%p]
//!                                                affine.yield %acc op %t
//!                                            } }
//!                                            affine.parallel (%p) = (0) to (chunks) {
//!                                              %s = affine.load %part[%p]
//!                                              affine.for %i = … iter_args(%acc = %s) { as before }
//!                                            }
//! ```
//!
//! (G. Blelloch, "Prefix Sums and Their Applications", 1990, with one level of chunks.) The loops
//! over a chunk take adjacent iterations in a row, one after the other, so that their accesses can
//! become accesses of vectors; the remaining iterations follow in a loop of their own. The value
//! before the combining operation and the one after it may be used at will, so that exclusive scans
//! and those of mapped elements are scans too.
//!
//! Legal where each value that the loop carries is combined, by one associative operation in the
//! loop's own block, or by a comparison and a select that keep the better one, with a term that depends
//! on no carried value; where iterations meet in no memory otherwise; and where no load of the term sees
//! what its own iteration stored. The term is computed twice, with the branches in it
//! (`i == 0 || a[i] != a[i - 1]`). Several carried values go through chunks together, those that only reduce as well. Sums and
//! products of floats are regrouped only where that is allowed. A loop that only reduces is left to
//! `affine-parallelize-reductions`; what is short, bounded by more than one expression or by what may leave 64 bits stays.
//!
//! What chunks hand on may be more than a value: where it starts anew under a condition (`s = head[i] ? x[i] : s + x[i]`), a flag
//! besides ([`segments`]), where it is a linear function of the one before, coefficients ([`linear`]), and where it is a sum that is
//! bounded, the bounds ([`clamp`]).
//!
//! A term may depend on other carried values, as in the greatest of all prefix sums: what the chunks start from is known for these
//! first ([`scan_loop::Level`]). The last step is left out where the loop does nothing but compute what it carries.
//!
//! A nest that carries the value through all of its loops becomes one loop first ([`nests`]).
//!
//! Where the value counts the iterations in which a condition holds, these may store to the element
//! at that index ([`compaction`]): each has its own.
//!
//! Where workgroups have fast memory of their own, each scans a block of iterations there
//! (`workgroups.rs`, `tiles.rs`). There, a scan inside parallel loops along adjacent elements is a row
//! that a workgroup walks tile by tile (`rows.rs`); elsewhere such scans stay, one thread each.

mod blocks;
pub(super) mod carried;
mod chunks;
mod clamp;
pub(super) mod combine;
pub(super) mod compaction;
mod linear;
mod nests;
pub(super) mod rows;
pub(super) mod scan_loop;
mod segments;
mod steps;
mod tiles;
mod workgroups;

use std::collections::HashSet;

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::scf;
use gridloom_ir::body::Uses;
use gridloom_ir::{AffineMap, Body, Context, Module, OpId};

use super::affine_guard_overflow::is_fallback;
use super::affine_parallelize_reductions::Policy;
use super::affine_parallelize_reductions::row_sharing::RowCut;
use super::plans::{Plans, change_by_plans, is_inside};
use super::unrolled_rows::row_of;
use crate::analysis::alias::Globals;
use crate::analysis::dependence::Dependences;
use crate::analysis::eligible::obstacle;
use crate::analysis::loop_kind::is_sequential_loop;
use crate::analysis::parallel::{Reason, verdict};
use crate::target::{OffloadOptions, ReductionShape};
use blocks::Blocks;
use nests::{coalesce_nest_of_scan, plan_nests};
use scan_loop::{ScanLoop, has_safe_bounds};
pub(super) use scan_loop::{only_computes, scan_stores};

/// Parallelizes the scans in the host functions of a module. Returns whether anything changed.
pub fn parallelize_scans(ctx: &Context, module: &mut Module, options: &OffloadOptions) -> bool {
    let joined = change_by_plans(
        ctx,
        module,
        1,
        |body, globals| plan_nests(ctx, body, globals, options),
        |nest, body| {
            coalesce_nest_of_scan(ctx, body, nest);
        },
    );
    joined
        | change_by_plans(
            ctx,
            module,
            1,
            |body, globals| plan_body(ctx, body, globals, options),
            |plan, body| match plan {
                Plan::Alone(scan) => scan.apply(ctx, body),
                Plan::Rows(rows) => rows.apply(ctx, body),
            },
        )
}

/// Profitability threshold: scans of fewer iterations stay, where the number is known: three
/// launches cost as much as some thousands of iterations on the host.
pub(super) const MIN_TRIPS: i64 = 1 << 13;

/// The same where a term is computed by loops, each iteration of which is work of its own.
const MIN_TRIPS_OF_LOOPS: i64 = 1 << 9;

/// Chunk size where the trip count is unknown.
const UNKNOWN_SPAN: i64 = 1 << 11;

/// Plan for one nest.
enum Plan {
    /// A scan outside of parallel loops.
    Alone(Scan),
    /// Parallel loops whose iterations are rows, with scans in them.
    Rows(RowCut),
}

/// Scan plan: a scan and its chunks.
struct Scan {
    scan: ScanLoop,
    /// Iterations of a chunk: a multiple of the row length.
    span: i64,
    /// Row length: the adjacent iterations that are unrolled.
    row: i64,
    /// Whether iterations may remain after the last whole row.
    has_remainder: bool,
    /// Number of chunks, if known.
    chunks: Option<i64>,
    /// Whether the final value of each carried value is used behind the loop.
    has_results: Vec<bool>,
    /// Blocks that workgroups scan, if chunks are such.
    blocks: Option<Blocks>,
}

fn plan_body(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    options: &OffloadOptions,
) -> Plans<Plan> {
    let mut policy = Policy::new(ctx, body, globals, options);
    let uses = policy.deps.values.uses();
    let mut plans: Vec<Plan> = Vec::new();
    // Loops below a planned one are cloned with it.
    let mut planned: HashSet<OpId> = HashSet::new();
    for op in body.walk() {
        let Some(l) = ForOp::cast(body, op) else {
            continue;
        };
        if is_inside(body, op, &planned) {
            continue;
        }
        let found = match body[op].num_results() {
            0 => plan_rows(&mut policy, l).map(Plan::Rows),
            _ => plan(&mut policy.deps, &uses, l, options).map(Plan::Alone),
        };
        if let Some(found) = found {
            planned.insert(op);
            plans.push(found);
        }
    }
    // The last ones first: a plan may hold a result of a scan in front of it, which its change replaces.
    plans.reverse();
    (plans, policy.deps.aliases.relied_on_arguments())
}

/// Plans rows with scans in a parallel loop.
fn plan_rows(policy: &mut Policy, root: ForOp) -> Option<RowCut> {
    let body = policy.deps.values.body;
    let is_scan = |op: OpId| ForOp::cast(body, op).is_some_and(|l| rows::scans(policy, l));
    // Verdicts may rely on arguments that are apart, so other loops are not asked about.
    if !policy.options.reduction.shares || !body.walk_op(root.0).into_iter().any(is_scan) {
        return None;
    }
    let is_parallel = is_outside_parallel_loops(&mut policy.deps, root, true)
        && verdict(&mut policy.deps, root.0).is_parallel();
    let rows = is_parallel.then(|| policy.plan_rows(root)).flatten();
    rows.filter(RowCut::has_scans)
}

/// Whether [`parallelize_scans`] changes a loop that carries values.
pub(super) fn is_parallelized_as_scan(
    deps: &mut Dependences,
    uses: &Uses,
    op: ForOp,
    options: &OffloadOptions,
) -> bool {
    plan(deps, uses, op, options).is_some()
}

fn plan(deps: &mut Dependences, uses: &Uses, op: ForOp, options: &OffloadOptions) -> Option<Scan> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let scan = ScanLoop::of(deps, uses, op, options.reassociate)?;
    let row = row_of(body, op, options.reduction.vector);
    let blocks = (scan.single()).and_then(|one| Blocks::of(ctx, one, row > 1, options));
    let (span, chunks) = cut(
        ctx,
        body,
        (op, least_trips(body, &scan)),
        &options.reduction,
        row,
        blocks.as_ref(),
    )?;
    let reach = blocks.as_ref().map_or(row, |b| b.tiling.reach());
    if !has_safe_bounds(deps, op, span, reach)
        || !is_outside_parallel_loops(deps, op, chunks.is_some())
        || obstacle(ctx, body, op.0, options.target.as_ref()).is_some()
    {
        return None;
    }
    Some(Scan {
        scan,
        span,
        row,
        has_remainder: (op.constant_trip_count(ctx, body))
            .is_none_or(|trips| trips % row.unsigned_abs() != 0),
        chunks,
        has_results: (body[op.0].results())
            .map(|result| !uses.of(result).is_empty())
            .collect(),
        blocks,
    })
}

/// The reason why a scan is no kernel, where it is its length or the order of its floats; `None` for another
/// loop.
pub(crate) fn reason_against_scan(
    deps: &mut Dependences,
    uses: &Uses,
    op: ForOp,
    options: &OffloadOptions,
) -> Option<Reason> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    if let Some(scan) = ScanLoop::of(deps, uses, op, options.reassociate) {
        let trips = op.constant_trip_count(ctx, body)?;
        let is_short = trips < u64::try_from(least_trips(body, &scan)).ok()?;
        return is_short.then_some(Reason::ShortScan);
    }
    let may_cut = !options.reassociate && ScanLoop::of(deps, uses, op, true).is_some();
    may_cut.then_some(Reason::OrderedScan)
}

/// The trip count from which on a scan is cut.
fn least_trips(body: &Body, scan: &ScanLoop) -> i64 {
    let is_loop = |&op: &OpId| is_sequential_loop(body, op);
    match (scan.slice().iter()).any(|&op| body.walk_op(op).iter().any(is_loop)) {
        true => MIN_TRIPS_OF_LOOPS,
        false => MIN_TRIPS,
    }
}

/// Iterations of a chunk, whole rows of them, and the number of chunks, if that is known: about as
/// many chunks as iterations in each, so that the one thread between has no more to do than the
/// others. A loop of fewer than `least` iterations stays.
fn cut(
    ctx: &Context,
    body: &Body,
    (op, least): (ForOp, i64),
    shape: &ReductionShape,
    row: i64,
    blocks: Option<&Blocks>,
) -> Option<(i64, Option<i64>)> {
    let Some(trips) = op.constant_trip_count(ctx, body) else {
        return match blocks {
            Some(blocks) => Some((blocks.tiling.span(), None)),
            None => Some((whole_rows(UNKNOWN_SPAN, row)?, None)),
        };
    };
    let trips = i64::try_from(trips).ok().filter(|&trips| trips >= least)?;
    if let Some(span) = blocks.map(|b| b.tiling.span()) {
        return Some((span, Some((trips - 1) / span + 1)));
    }
    let most = shape.groups.saturating_mul(shape.lanes).max(1);
    let chunks = trips.isqrt().clamp(1, most);
    let span = whole_rows((trips - 1) / chunks + 1, row)?;
    Some((span, Some((trips - 1) / span + 1)))
}

/// The least multiple of the row length that is at least `span`.
fn whole_rows(span: i64, row: i64) -> Option<i64> {
    ((span - 1) / row + 1).checked_mul(row)
}

/// Whether every loop around is sequential, and the scan is in no fallback copy. Inside of other
/// loops, its trip count has to be known for it to pay.
fn is_outside_parallel_loops(deps: &mut Dependences, op: ForOp, is_known: bool) -> bool {
    let body = deps.values.body;
    let around = body.ancestors(op.0);
    let mut around = around.filter(|&op| !matches!(body[op].name, affine::IF | scf::IF));
    let is_tied =
        |op: OpId| is_known && body[op].name == affine::FOR && !verdict(deps, op).is_parallel();
    !is_fallback(body, op.0) && around.all(is_tied)
}

/// The subscript map of a single counter.
fn element(ctx: &Context) -> AffineMap {
    ctx.affine_map(1, 0, &[ctx.affine_dim(0)])
}
