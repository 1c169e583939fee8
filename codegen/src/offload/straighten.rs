//! `affine-straighten-threads`: unrolls the short loops of nests whose threads have no loops then.
//!
//! ```text
//! affine.for %i = 0 to %n {                               affine.for %i = 0 to %n {
//!   %x = affine.load %a[%i]                                 %x = affine.load %a[%i]
//!   %s = affine.for %k = 0 to 12 iter_args(%t = %z) {       %c0 = affine.load %c[0]
//!     %c = affine.load %w[%k]                        ⇒      %t0 = … %x, %c0 …
//!     … %x, %c …                                            %c1 = affine.load %c[1] …
//!   }                                                       …
//!   affine.store %s, %b[%i]                                 affine.store %t11, %b[%i]
//! }                                                       }
//! ```
//!
//! Drivers that load once for all lanes what these share do so outside of loops and branches only: in
//! [straight](super::model) threads. Such are polynomials, distances to few points, small matrices times vectors.
//!
//! Always legal: the order stays. The nests are unrolled in a copy of the function, and in the function where the model maps
//! the copy to straight threads.

use std::collections::HashSet;

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::{arith, gridloom};
use gridloom_ir::{Body, Context, Module, OpId};

use super::model::is_straight_operation;
use super::plan::{Planned, plan_nest};
use crate::analysis::alias::Globals;
use crate::analysis::dependence::Dependences;
use crate::analysis::load_store::{is_load, is_store};
use crate::analysis::loop_kind::is_affine_loop;
use crate::analysis::parallel::verdict;
use crate::target::OffloadOptions;
use crate::target::machine::Tiling;
use crate::transform::affine_loop_unroll::unroll_all;
use crate::versions::{Draft, change_functions};

/// Limit of the operations of an iteration with its loops unrolled.
const MAX_OPERATIONS: u64 = 768;

/// Least share of the loads among these, as its inverse: where more is computed, rounds of a loop are as fast.
const LEAST_LOADS: u64 = 8;

/// Unrolls loops in the host functions of a module, where the target wants that. Returns whether anything changed.
pub fn straighten_threads(ctx: &Context, module: &mut Module, options: &OffloadOptions) -> bool {
    let Tiling::Model(machine) = &options.tiling else {
        return false;
    };
    if machine.straight.is_none() {
        return false;
    }
    let globals = Globals::of(ctx, module);
    let changed = change_functions(ctx, module, &globals, |body| {
        (false, straighten(ctx, body, &globals, options))
    });
    changed.contains(&true)
}

/// Unrolls the loops of one function. Returns whether anything changed.
fn straighten(
    ctx: &Context,
    body: &mut Draft,
    globals: &Globals,
    options: &OffloadOptions,
) -> bool {
    let mut deps = Dependences::new(ctx, body, globals);
    let candidates = candidates(&mut deps);
    if candidates.is_empty() {
        return false;
    }
    let mut copy = Body::clone(body);
    for nest in &candidates {
        unroll_all(ctx, &mut copy, &nest.short);
    }
    let mut deps = Dependences::new(ctx, &copy, globals);
    let is_straight = |nest: &Nest| match plan_nest(&mut deps, nest.root, options) {
        Planned::Grid(plan) => plan.is_straight,
        Planned::NeverRuns | Planned::MayWrap => false,
    };
    let chosen = candidates.into_iter().filter(is_straight);
    let chosen: Vec<Nest> = chosen.collect();
    for nest in &chosen {
        unroll_all(ctx, body.edit(), &nest.short);
    }
    !chosen.is_empty()
}

/// Nest of parallel loops around short ones.
struct Nest {
    root: OpId,
    /// The short loops, inner ones first.
    short: Vec<ForOp>,
}

/// The outermost parallel loops below which all loops that carry values are short.
fn candidates(deps: &mut Dependences) -> Vec<Nest> {
    let body = deps.values.body;
    let mut found: Vec<Nest> = Vec::new();
    let mut roots: HashSet<OpId> = HashSet::new();
    for op in body.walk() {
        if !is_affine_loop(body, op) || body.ancestors(op).any(|around| roots.contains(&around)) {
            continue;
        }
        if let Some(short) = short_loops(deps.values.ctx, body, op)
            && verdict(deps, op).is_parallel()
        {
            roots.insert(op);
            found.push(Nest { root: op, short });
        }
    }
    found
}

/// The loops below `root` that carry values, inner ones first, where an iteration is short with these unrolled, and nothing
/// else keeps a thread from being straight.
fn short_loops(ctx: &Context, body: &Body, root: OpId) -> Option<Vec<ForOp>> {
    let (mut short, mut chain) = (Vec::new(), Vec::new());
    let (mut operations, mut loads) = (0u64, 0u64);
    for &op in body.walk_op(root)[1..].iter().rev() {
        let data = &body[op];
        let carries = |op: OpId| body[op].num_results() > 0;
        if is_affine_loop(body, op) {
            match carries(op) {
                true => short.push(ForOp::cast(body, op)?),
                false => chain.push(op),
            }
            continue;
        }
        let is_access = is_load(body, op) || is_store(body, op);
        let is_proved = !is_access || gridloom::is_in_bounds(ctx, data);
        if !data.inline_regions().is_empty() || !is_proved || !is_straight_operation(ctx, data.name)
        {
            return None;
        }
        if data.name == arith::CONSTANT {
            continue;
        }
        let around = body.ancestors(op).take_while(|&around| around != root);
        let rounds = around
            .filter(|&around| carries(around))
            .try_fold(1u64, |all, around| {
                let trips = ForOp::cast(body, around)?.constant_trip_count(ctx, body)?;
                Some(all.saturating_mul(trips))
            });
        operations = operations.saturating_add(rounds?);
        loads = loads.saturating_add(rounds.filter(|_| is_load(body, op)).unwrap_or(0));
    }
    // A parallel loop beside the short ones would become one of the grid and repeat these.
    let mut pairs = chain
        .iter()
        .flat_map(|&around| short.iter().map(move |l: &ForOp| (around, l.0)));
    let is_chain = pairs.all(|(around, l)| body.is_ancestor(around, l));
    let has_loads = loads.saturating_mul(LEAST_LOADS) >= operations;
    (is_chain && has_loads && !short.is_empty() && operations <= MAX_OPERATIONS).then_some(short)
}
