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
//! iterations. Pure operations between the loops go into the inner one, which may compute them again. A nest is
//! coalesced where the loop that it becomes is a scan that pays, which is tried on a copy of the function.

use gridloom_dialects::affine::ForOp;
use gridloom_ir::body::Uses;
use gridloom_ir::hash::FxHashSet;
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Context, OpId};

use super::carried::recurrences;
use super::plan;
use crate::analysis::alias::Globals;
use crate::analysis::dependence::Dependences;
use crate::analysis::reduction::hands_on;
use crate::target::OffloadOptions;
use crate::transform::affine_loop_coalescing::coalesce_nest;
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
    }
    coalesce_nest(ctx, body, nest, "this nest is no scan").is_ok()
}

/// The loops from `root` inwards that hand on what they carry, with only pure operations between them.
fn nest_of(ctx: &Context, body: &Body, root: ForOp) -> Vec<ForOp> {
    let mut nest = vec![root];
    while let Some(&outer) = nest.last() {
        let end = body[outer.block(body)].last();
        let inner = end.and_then(|end| body[end].prev());
        let Some(inner) = inner.and_then(|op| ForOp::cast(body, op)) else {
            break;
        };
        let is_pure =
            |op: OpId| body[op].name.has(Traits::PURE) && body[op].inline_regions().is_empty();
        if !before(body, inner).into_iter().all(is_pure) || !hands_on(ctx, body, outer, inner) {
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
