//! Scans over nests: loops that hand carried values on become one loop, which is a scan.
//!
//! ```text
//! %r = affine.for %y = 0 to %h                 %r = affine.for %t = 0 to %h * 400
//!     iter_args(%a = %z) {                         iter_args(%acc = %z) {
//!   %s = affine.for %x = 0 to 400                %y = affine.apply (t) -> (t floordiv 400)
//!       iter_args(%acc = %a) {           ⇒       %x = affine.apply (t) -> (t mod 400)
//!     S(%y, %x, %acc)                            S(%y, %x, %acc)
//!     affine.yield %next                         affine.yield %next
//!   }                                          }
//!   affine.yield %s
//! }
//! ```
//!
//! Legal as [`affine_loop_coalescing`](crate::transform::affine_loop_coalescing) is, which keeps the order of
//! iterations. Pure operations in front of the inner loop go into it, which may compute them again, and what stands behind
//! it, such as the store of a row's end in a sparse matrix, goes into its last iteration. A nest is
//! coalesced where the loop that it becomes is a scan that pays, which is tried on a copy of the function.

use gridloom_dialects::affine::ForOp;
use gridloom_ir::body::Uses;
use gridloom_ir::hash::FxHashSet;
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Builder, Context, OpId, Value};

use super::carried::recurrences;
use super::plan;
use crate::analysis::alias::Globals;
use crate::analysis::dependence::Dependences;
use crate::analysis::load_store::{is_load, is_store};
use crate::analysis::reduction::hands_on;
use crate::target::OffloadOptions;
use crate::transform::affine_loop_coalescing::coalesce_nest;
use crate::transform::affine_parallelize_reductions::workgroups::open_where;
use crate::transform::plans::Plans;

/// Limit of the rounds, in each of which a nest that is no scan may be tried without its outermost loop.
const MAX_ROUNDS: usize = 8;

/// Plans the nests of a body that become scans, and whether that relies on disjoint arguments.
pub(super) fn plan_nests(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    options: &OffloadOptions,
) -> Plans<Vec<ForOp>> {
    let mut found: Vec<Vec<ForOp>> = Vec::new();
    let (mut done, mut tried) = (FxHashSet::default(), FxHashSet::default());
    let mut relied = false;
    let uses = body.uses();
    for _ in 0..MAX_ROUNDS {
        let nests = candidates(ctx, body, &uses, &mut tried, &done, options);
        if nests.is_empty() {
            break;
        }
        // One copy for all, so that the time is linear in their number.
        let mut copy = body.clone();
        let coalesced = nests.into_iter();
        let coalesced = coalesced.filter(|nest| coalesce_nest_of_scan(ctx, &mut copy, nest));
        let coalesced: Vec<Vec<ForOp>> = coalesced.collect();
        let mut deps = Dependences::new(ctx, &copy, globals);
        let uses = deps.values.uses();
        for nest in coalesced {
            if plan(&mut deps, &uses, nest[0], options).is_some() {
                done.insert(nest[0].0);
                found.push(nest);
            }
        }
        relied |= deps.aliases.relied_on_arguments();
    }
    (found, relied)
}

/// The outermost nests that none of `done` contains, that have not been tried and that may become scans: the
/// innermost loop of each combines the value that it carries with a term, and uses it otherwise.
fn candidates(
    ctx: &Context,
    body: &Body,
    uses: &Uses,
    tried: &mut FxHashSet<OpId>,
    done: &FxHashSet<OpId>,
    options: &OffloadOptions,
) -> Vec<Vec<ForOp>> {
    let mut nests: Vec<Vec<ForOp>> = Vec::new();
    let mut roots: FxHashSet<OpId> = FxHashSet::default();
    for op in body.walk() {
        let root = ForOp::cast(body, op).filter(|_| body[op].num_results() > 0);
        let is_inside = || {
            let mut around = body.ancestors(op);
            around.any(|op| done.contains(&op) || roots.contains(&op))
        };
        let Some(root) = root.filter(|_| !tried.contains(&op) && !is_inside()) else {
            continue;
        };
        tried.insert(op);
        let nest = nest_of(ctx, body, root);
        let is_scan = |&inner: &ForOp| recurrences(ctx, body, uses, inner, options.reassociate);
        if nest.len() > 1 && nest.last().and_then(is_scan).is_some() {
            roots.insert(op);
            nests.push(nest);
        }
    }
    nests
}

/// Coalesces a nest, except where a bound needs an operation between its loops. Returns whether that succeeded;
/// otherwise some of these operations may have moved.
pub(super) fn coalesce_nest_of_scan(ctx: &Context, body: &mut Body, nest: &[ForOp]) -> bool {
    for pair in nest.windows(2) {
        let inner = pair[1];
        let Some(first) = body[inner.block(body)].first() else {
            return false;
        };
        let between = before(body, inner);
        let is_bound = |value| body[inner.0].operands.contains(&value);
        if between.iter().any(|&op| body[op].results().any(is_bound)) {
            return false;
        }
        for op in between {
            body.detach(op);
            body.insert_before(first, op);
        }
        if !sink_behind(ctx, body, inner) {
            return false;
        }
    }
    coalesce_nest(ctx, body, nest, "this nest is no scan").is_ok()
}

/// Moves the operations behind a loop in its block into its last iteration. Returns whether that is known.
///
/// ```text
/// %s = affine.for %j = 0 to 8 iter_args(…) {         %s = affine.for %j = 0 to 8 iter_args(…) {
///   S(%j)                                              S(%j)
///   affine.yield %q                            ⇒       affine.if (%j >= 7) { memref.store %q, %ends[%i] }
/// }                                                    affine.yield %q
/// memref.store %s, %ends[%i]                         }
/// ```
fn sink_behind(ctx: &Context, body: &mut Body, inner: ForOp) -> bool {
    let behind = behind(body, inner);
    if behind.is_empty() {
        return true;
    }
    let lower = inner.constant_lower(ctx, body);
    let trips = inner.constant_trip_count(ctx, body);
    let distance = trips.and_then(|trips| i64::try_from(trips.checked_sub(1)?).ok());
    let last = lower.zip(distance).and_then(|(lower, distance)| {
        let distance = distance.checked_mul(inner.step(ctx, body))?;
        lower.checked_add(distance)
    });
    let (Some(last), Some(end)) = (last, body[inner.block(body)].last()) else {
        return false;
    };
    let results: Vec<Value> = body[inner.0].results().collect();
    let yielded = inner.yielded(body).to_vec();
    let counter = inner.induction_var(body);
    let mut b = Builder::before(ctx, body, end);
    let distance = ctx.affine_sub(ctx.affine_dim(0), ctx.affine_const(last));
    open_where(&mut b, distance, counter);
    for op in behind {
        b.body.detach(op);
        b.insert(op);
        b.body.replace_values_in(op, |value| {
            let place = results.iter().position(|&result| result == value);
            place.map_or(value, |place| yielded[place])
        });
    }
    true
}

/// The loops from `root` inwards that hand on what they carry, with only pure operations in front of the inner ones, and
/// such and accesses behind them.
fn nest_of(ctx: &Context, body: &Body, root: ForOp) -> Vec<ForOp> {
    let mut nest = vec![root];
    while let Some(&outer) = nest.last() {
        let mut loops = body
            .ops(outer.block(body))
            .filter_map(|op| ForOp::cast(body, op));
        let (Some(inner), None) = (loops.next(), loops.next()) else {
            break;
        };
        let is_plain = |op: OpId| body[op].inline_regions().is_empty();
        let is_pure = |op: OpId| body[op].name.has(Traits::PURE) && is_plain(op);
        let is_access = |op: OpId| is_load(body, op) || is_store(body, op);
        if !before(body, inner).into_iter().all(is_pure)
            || !(behind(body, inner).into_iter()).all(|op| is_pure(op) || is_access(op))
            || !hands_on(ctx, body, outer, inner)
        {
            break;
        }
        nest.push(inner);
    }
    nest
}

/// The operations in front of one in its block, in order.
fn before(body: &Body, op: ForOp) -> Vec<OpId> {
    let block = body[op.0].parent();
    let all = block.into_iter().flat_map(|block| body.ops(block));
    all.take_while(|&other| other != op.0).collect()
}

/// The operations behind one in its block, in order, but for the terminator.
fn behind(body: &Body, op: ForOp) -> Vec<OpId> {
    let next = |&op: &OpId| body[op].next();
    let all = std::iter::successors(body[op.0].next(), next);
    all.filter(|&op| body[op].next().is_some()).collect()
}
