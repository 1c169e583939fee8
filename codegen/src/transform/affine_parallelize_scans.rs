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
//! Legal where the one value that the loop carries is combined, by one associative operation in the
//! loop's own block, or by a comparison and a select that keep the better one, with a term that does
//! not depend on it; where iterations meet in no memory otherwise; and where no load of the term sees
//! what its own iteration stored. The term is computed twice, with the branches in it
//! (`i == 0 || a[i] != a[i - 1]`). Sums and products of floats are regrouped only where that is allowed. A loop that only
//! reduces is left to `affine-parallelize-reductions`; what is short, inside a parallel loop,
//! bounded by more than one expression or by what may leave 64 bits stays.
//!
//! Where the value counts the iterations in which a condition holds, these may store to the element
//! at that index ([`compaction`]): each has its own.
//!
//! Where workgroups have fast memory of their own, each scans a block of iterations there
//! (`workgroups.rs`).

mod blocks;
mod chunks;
mod combine;
mod compaction;
mod workgroups;

use std::collections::HashSet;

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::scf;
use gridloom_ir::body::Uses;
use gridloom_ir::{AffineMap, Body, Context, Module, OpId, Value};

use super::affine_guard_overflow::is_fallback;
use super::plans::{Plans, change_by_plans};
use super::unrolled_rows::row_of;
use crate::analysis::access::accesses_below;
use crate::analysis::alias::Globals;
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::eligible::obstacle;
use crate::analysis::parallel::{conflict_apart, verdict};
use crate::analysis::reduction::is_repeatable;
use crate::target::{OffloadOptions, ReductionShape};
use blocks::Blocks;
use combine::{Recurrence, recurrence};
use compaction::stores_apart;

/// Parallelizes the scans in the host functions of a module. Returns whether anything changed.
pub fn parallelize_scans(ctx: &Context, module: &mut Module, options: &OffloadOptions) -> bool {
    change_by_plans(
        ctx,
        module,
        1,
        |body, globals| plan_body(ctx, body, globals, options),
        |scan, body| scan.apply(ctx, body),
    )
}

/// Profitability threshold: scans of fewer iterations stay, where the number is known: three
/// launches cost as much as some thousands of iterations on the host.
const MIN_TRIPS: i64 = 1 << 13;

/// Chunk size where the trip count is unknown.
const UNKNOWN_SPAN: i64 = 1 << 11;

/// Scan plan: a scan and its chunks.
struct Scan {
    op: ForOp,
    recurrence: Recurrence,
    /// The statements that compute its term, in order.
    slice: Vec<OpId>,
    /// Iterations of a chunk: a multiple of the row length.
    span: i64,
    /// Row length: the adjacent iterations that are unrolled.
    row: i64,
    /// Whether iterations may remain after the last whole row.
    has_remainder: bool,
    /// Number of chunks, if known.
    chunks: Option<i64>,
    /// Whether the final value is used behind the loop.
    has_result: bool,
    /// Blocks that workgroups scan, if chunks are such.
    blocks: Option<Blocks>,
}

fn plan_body(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    options: &OffloadOptions,
) -> Plans<Scan> {
    let mut deps = Dependences::new(ctx, body, globals);
    let uses = body.uses();
    let mut plans: Vec<Scan> = Vec::new();
    for op in body.walk() {
        let Some(op) = ForOp::cast(body, op).filter(|op| body[op.0].num_results() == 1) else {
            continue;
        };
        // Nested scans are cloned with the outer one.
        let is_inside = |scan: &Scan| body.is_ancestor(scan.op.0, op.0);
        if !plans.iter().any(is_inside) {
            plans.extend(plan(&mut deps, &uses, op, options));
        }
    }
    (plans, deps.aliases.relied_on_arguments())
}

fn plan(deps: &mut Dependences, uses: &Uses, op: ForOp, options: &OffloadOptions) -> Option<Scan> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let bounds = [op.lower(ctx, body), op.upper(ctx, body)];
    if bounds.iter().any(|bound| bound.map.results(ctx).len() != 1) {
        return None;
    }
    let recurrence = recurrence(ctx, body, uses, op, options.reassociate)?;
    let term = recurrence.term;
    let row = row_of(body, op, options.reduction.vector);
    let blocks = Blocks::of(ctx, &recurrence, row > 1, options);
    let (span, chunks) = cut(ctx, body, op, &options.reduction, row, blocks.as_ref())?;
    let slice = slice_of(body, op, term)?;
    let reach = blocks.as_ref().map_or(row, Blocks::reach);
    if !has_safe_bounds(deps, op, span, reach) {
        return None;
    }
    let apart = match recurrence.is_sum_of_integers() {
        true => stores_apart(ctx, body, op, term),
        false => Vec::new(),
    };
    let is_alone = is_outside_parallel_loops(deps, op, chunks.is_some());
    if !is_alone
        || conflict_apart(deps, op.0, &apart).is_some()
        || !reads_what_was_before(deps, op, &slice)
        || obstacle(ctx, body, op.0, options.target.as_ref()).is_some()
    {
        return None;
    }
    Some(Scan {
        op,
        recurrence,
        slice,
        span,
        row,
        has_remainder: (op.constant_trip_count(ctx, body))
            .is_none_or(|trips| trips % row.unsigned_abs() != 0),
        chunks,
        has_result: !uses.of(body[op.0].result(0)).is_empty(),
        blocks,
    })
}

/// Iterations of a chunk, whole rows of them, and the number of chunks, if that is known: about as
/// many chunks as iterations in each, so that the one thread between has no more to do than the
/// others.
fn cut(
    ctx: &Context,
    body: &Body,
    op: ForOp,
    shape: &ReductionShape,
    row: i64,
    blocks: Option<&Blocks>,
) -> Option<(i64, Option<i64>)> {
    let Some(trips) = op.constant_trip_count(ctx, body) else {
        return match blocks {
            Some(blocks) => Some((blocks.span(), None)),
            None => Some((whole_rows(UNKNOWN_SPAN, row)?, None)),
        };
    };
    let trips = i64::try_from(trips)
        .ok()
        .filter(|&trips| trips >= MIN_TRIPS)?;
    if let Some(span) = blocks.map(Blocks::span) {
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

/// Limit of the step of a scan: the bounds of chunks are multiples of it.
const MAX_STEP: i64 = 1 << 20;

/// Whether the bounds of chunks stay within the 64 bits of an index: the way from the lower bound
/// to the upper one, a chunk behind the lower one, and a row before the upper one, which is above the
/// lower one wherever there is a chunk. A chunk behind the upper bound can only leave them after more
/// iterations than any run has.
fn has_safe_bounds(deps: &mut Dependences, op: ForOp, span: i64, row: i64) -> bool {
    let values = &mut deps.values;
    let (ctx, body) = (values.ctx, values.body);
    let step = op.step(ctx, body);
    let env = values.environment_at(op.0);
    let exprs = [op.lower(ctx, body), op.upper(ctx, body)]
        .map(|bound| values.map_exprs(op.0, bound.map, bound.operands));
    let (Some(&Some(lower)), Some(&Some(upper))) = (exprs[0].first(), exprs[1].first()) else {
        return false;
    };
    let Some(way) = span.checked_mul(step).filter(|_| step <= MAX_STEP) else {
        return false;
    };
    // A row is no longer than a chunk, whose length fits.
    let row = ctx.affine_const(row * step);
    let behind = ctx.affine_add(lower, ctx.affine_const(way));
    values.fits(ctx.affine_sub(upper, lower), env)
        && values.fits(behind, env)
        && values.fits(ctx.affine_sub(lower, row), env)
}

/// Backward slice: the statements of the loop's block that compute a value: pure ones, loads, and branches that hold
/// nothing else. `None` if it depends on a carried value, or on any other operation.
fn slice_of(body: &Body, op: ForOp, term: Value) -> Option<Vec<OpId>> {
    let block = op.block(body);
    let mut found: HashSet<OpId> = HashSet::new();
    let mut open = vec![term];
    while let Some(value) = open.pop() {
        if op.iter_args(body).contains(&value) {
            return None;
        }
        let statement = body.defining_op(value);
        let Some(statement) = statement.filter(|&s| body[s].parent() == Some(block)) else {
            continue;
        };
        if !found.insert(statement) {
            continue;
        }
        for part in body.walk_op(statement) {
            if !only_computes(body, part) {
                return None;
            }
            open.extend(body[part].operands.iter().copied());
        }
    }
    Some(body.ops(block).filter(|op| found.contains(op)).collect())
}

/// Whether an operation loads, is pure, or is a branch or the end of one.
fn only_computes(body: &Body, op: OpId) -> bool {
    let name = body[op].name;
    let is_branch = matches!(name, affine::IF | scf::IF | affine::YIELD | scf::YIELD);
    is_branch || is_repeatable(body, op)
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

/// Whether the slice loads no element that the same iteration has stored before.
fn reads_what_was_before(deps: &mut Dependences, op: ForOp, slice: &[OpId]) -> bool {
    let body = deps.values.body;
    let block = op.block(body);
    let mut stored = Vec::new();
    for statement in body.ops(block).collect::<Vec<OpId>>() {
        let accesses = accesses_below(&mut deps.values, statement);
        if accesses.iter().any(|access| access.update.is_some()) {
            return false;
        }
        if slice.contains(&statement) {
            let scope = Scope::Block(block);
            let mut pairs = accesses
                .iter()
                .flat_map(|a| stored.iter().map(move |s| (s, a)));
            if pairs.any(|(store, load)| !deps.test(scope, store, load).is_independent()) {
                return false;
            }
        }
        stored.extend(accesses.into_iter().filter(|access| access.is_write));
    }
    true
}

/// The subscript map of a single counter.
fn element(ctx: &Context) -> AffineMap {
    ctx.affine_map(1, 0, &[ctx.affine_dim(0)])
}
