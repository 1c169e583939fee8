//! `affine-parallelize-ranks`: computes in parallel which values counters of data-dependent keys have in each
//! iteration, as a counting sort needs them.
//!
//! ```text
//!                                         affine.parallel: count[…][…] = 0
//!                                         affine.parallel (%g) = (0) to (groups) {
//!                                           for the iterations %i of a group: count[%g][%k] += %e
//!                                         }
//! affine.for %i = 0 to %n {               affine.parallel (%k): count[…][%k] become the sums over the groups before,
//!   %k = …                                                      total[%k] the sum over all
//!   %c = memref.load %h[%k]        ⇒      affine.parallel (%g) = (0) to (groups) {
//!   %d = arith.addi %c, %e                  for the iterations %i of a group: rank[%i] = h[%k] + count[%g][%k]
//!   memref.store %d, %h[%k]                                                   count[%g][%k] += %e
//!   … %c …                                }
//! }                                       affine.parallel (%k): h[%k] += total[%k] where that is not 0
//!                                         affine.for %i = 0 to %n {
//!                                           %c = rank[%i]
//!                                           … %c …
//!                                         }
//! ```
//!
//! The steps are those of a multisplit (Ashkiani et al., "GPU Multisplit", 2016): a histogram of each group, a scan over
//! groups, and a group's own counters. Integers wrap around, so that sums are the same in any grouping.
//!
//! Legal where nothing else in the loop touches the counters; where they exist around the loop and have distinct
//! elements for distinct keys; and where keys, amounts and conditions around the update are computed without anything that the loop
//! writes. Done to loops in no parallel one that are parallel then but for scatters (`affine-parallelize-scatters`); the update is at most once in
//! an iteration, of the loop or of perfect ones in it. Groups have
//! as many iterations as there are keys, at least [`MIN_SPAN`], so that their counters are no more than ranks; the run tests what
//! is not known of these numbers.

mod apply;

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::{arith, memref, scf};
use gridloom_ir::body::Uses;
use gridloom_ir::{Body, Context, Module, OpId, Value};

use super::affine_atomic_updates::{is_chosen_by_data, load_of_stored};
use super::affine_parallelize_scatters::{
    accesses_of_numbered, elements_of, is_below_parallel, nest_of, only_scatters_tie,
    scatters_below, trips_of,
};
use super::plans::{change_by_plans, plan_outermost};
use crate::analysis::access::Access;
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::eligible::obstacle;
use crate::target::OffloadOptions;
use crate::transform::numbered_nest::has_affine_extents;
use crate::transform::slice::{reads_nothing_written, slice_of};

/// Default least number of iterations of a group.
pub const MIN_SPAN: u32 = 256;

/// Iterations of a group where the number of keys is not known.
pub(super) const UNKNOWN_SPAN: i64 = 1024;

/// Number of groups from which on the steps are worth it.
const MIN_GROUPS: i64 = 8;

/// Limit of the counters updated in a loop.
const ROUNDS: usize = 4;

/// Parallelizes the counters in the host functions of a module, with groups of `min_span` iterations or more. Returns
/// whether anything changed.
pub fn parallelize_ranks(
    ctx: &Context,
    module: &mut Module,
    options: &OffloadOptions,
    min_span: u32,
) -> bool {
    change_by_plans(
        ctx,
        module,
        ROUNDS,
        |body, globals| {
            if !body.may_hold(memref::STORE) || !body.may_hold(affine::FOR) {
                return (Vec::new(), false);
            }
            let uses = body.uses();
            plan_outermost(ctx, body, globals, |deps, root| {
                plan(deps, &uses, root, options, min_span)
            })
        },
        |plan, body| plan.apply(ctx, body),
    )
}

/// Where [`parallelize_ranks`] changes a loop, with groups of the default size: the counters that have to be at most
/// [`UNKNOWN_SPAN`] for the steps to run.
pub(super) fn counters_to_test(
    deps: &mut Dependences,
    uses: &Uses,
    root: ForOp,
    options: &OffloadOptions,
) -> Option<Vec<Value>> {
    let found = plan(deps, uses, root, options, MIN_SPAN)?;
    Some(match found.has_keys {
        true => Vec::new(),
        false => vec![found.counter.memref(deps.values.body)],
    })
}

/// Update of a counter whose value before or after it is used.
#[derive(Clone, Copy)]
struct Counter {
    load: OpId,
    /// The addition or subtraction whose result is stored.
    combine: OpId,
    store: OpId,
    amount: Value,
}

/// Plan for a loop with a counter.
struct RankLoop {
    /// The loop, and the perfect inner loops to coalesce with it.
    nest: Vec<ForOp>,
    counter: Counter,
    /// Iterations of a group.
    span: i64,
    /// Whether the number of groups, and that of keys, are known to be worth it.
    has_groups: bool,
    has_keys: bool,
}

fn plan(
    deps: &mut Dependences,
    uses: &Uses,
    root: ForOp,
    options: &OffloadOptions,
    min_span: u32,
) -> Option<RankLoop> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let counters = counters_below(ctx, body, uses, root);
    let &counter = counters.first()?;
    let accesses = accesses_of_numbered(deps, root)?;
    if !are_alone(deps, root, &accesses, &counters) {
        return None;
    }
    let of_counters: Vec<OpId> = counters.iter().flat_map(|c| [c.load, c.store]).collect();
    let mut scatters = scatters_below(ctx, body, root);
    scatters.retain(|op| !of_counters.contains(op));
    let others = accesses.iter().filter(|a| !of_counters.contains(&a.op));
    let others: Vec<Access> = others.cloned().collect();
    let slice = slice_of(body, root, &[counter.store], &[counter.amount])?;
    let is_legal = reads_nothing_written(deps, root, &accesses, &slice)
        && ties(deps, root, &accesses, &counter)
        && !is_below_parallel(deps, root)
        && only_scatters_tie(deps, root, &scatters, &others)
        && obstacle(ctx, body, root.0, options.target.as_ref()).is_none();
    if !is_legal {
        return None;
    }
    let nest = nest_of(deps, root, &scatters, &others);
    if !is_once(body, counter.store, *nest.last()?) {
        return None;
    }
    let trips = trips_of(ctx, body, &nest);
    let keys = elements_of(ctx, body, counter.memref(body));
    let span = keys.map_or(UNKNOWN_SPAN, |keys| keys.max(min_span.max(1).into()));
    let least = span.checked_mul(MIN_GROUPS)?;
    if trips.is_some_and(|trips| trips < least) {
        return None;
    }
    Some(RankLoop {
        nest,
        counter,
        span,
        has_groups: trips.is_some(),
        has_keys: keys.is_some(),
    })
}

impl Counter {
    fn memref(&self, body: &Body) -> Value {
        memref::StoreOp(self.store).memref(body)
    }
}

/// Whether an iteration of a loop executes an operation at most once: no other loop is around it.
fn is_once(body: &Body, op: OpId, l: ForOp) -> bool {
    let mut around = body.ancestors(op).take_while(|&op| op != l.0);
    around.all(|op| matches!(body[op].name, affine::IF | scf::IF))
}

/// Whether an iteration may load what another one has stored to a counter.
fn ties(deps: &mut Dependences, root: ForOp, accesses: &[Access], counter: &Counter) -> bool {
    let scope = Scope::AcrossIterations(root.0);
    let of = |op: OpId| accesses.iter().find(|access| access.op == op);
    match (of(counter.store), of(counter.load)) {
        (Some(store), Some(load)) => !deps.test(scope, store, load).is_independent(),
        _ => false,
    }
}

/// The counters of keys that data chooses below a loop.
fn counters_below(ctx: &Context, body: &Body, uses: &Uses, root: ForOp) -> Vec<Counter> {
    let below = body.walk_op(root.0).into_iter();
    let counters = below.filter_map(|op| counter_of(ctx, body, uses, root, op));
    counters.collect()
}

/// Matches the counter that a store updates.
fn counter_of(
    ctx: &Context,
    body: &Body,
    uses: &Uses,
    root: ForOp,
    store: OpId,
) -> Option<Counter> {
    if body[store].name != memref::STORE {
        return None;
    }
    let view = memref::StoreOp(store);
    let combine = body.defining_op(view.value(body))?;
    let load_of = |value: Value| {
        let load = load_of_stored(body, view, value);
        load.filter(|&load| body[load].parent() == body[store].parent())
    };
    let operands: [Value; 2] = body[combine].operands[..].try_into().ok()?;
    let [left, right] = operands.map(load_of);
    let (load, amount) = match (body[combine].name, left, right) {
        (arith::ADDI | arith::SUBI, Some(load), _) => (load, operands[1]),
        (arith::ADDI, None, Some(load)) => (load, operands[0]),
        _ => return None,
    };
    let ty = body.ty(view.memref(body)).memref(ctx)?;
    let is_integer = ty.element.is_index(ctx) || ty.element.signless_width(ctx).is_some();
    let mut indices = view.indices(body).iter();
    let is_used = |op: OpId| uses.of(body[op].result(0)).len() > 1;
    let is_counter = is_integer
        && ty.layout.is_none()
        && has_affine_extents(ctx, body, view.memref(body))
        && !body.is_defined_in(view.memref(body), root.0)
        && indices.any(|&index| is_chosen_by_data(body, root, index))
        && (is_used(load) || is_used(combine));
    is_counter.then_some(Counter {
        load,
        combine,
        store,
        amount,
    })
}

/// Whether nothing else in a loop touches the elements of each counter.
fn are_alone(
    deps: &mut Dependences,
    root: ForOp,
    accesses: &[Access],
    counters: &[Counter],
) -> bool {
    let scope = Scope::AnyIterations(root.0);
    counters.iter().all(|counter| {
        let is_own = |access: &&Access| [counter.load, counter.store].contains(&access.op);
        let mut own = accesses.iter().filter(is_own);
        own.all(|own| {
            let mut others = accesses.iter().filter(|access| !is_own(access));
            others.all(|other| !deps.may_overlap(scope, own, other))
        })
    })
}
