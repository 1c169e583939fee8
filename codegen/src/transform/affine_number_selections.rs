//! `affine-number-selections`: gives values that a loop takes from its first, or last, iteration where a condition
//! holds the number of that iteration, with which they are an argmin, or argmax.
//!
//! ```text
//! %r = affine.for %i = 0 to %n               %u = arith.cmpi slt, %none, %c0
//!     iter_args(%p = %none) {                %m, %r = affine.for %i = 0 to %n
//!   %u = arith.cmpi slt, %p, %c0                 iter_args(%best = %never, %p = %none) {
//!   %c = arith.andi %u, %hit           ⇒       %c = arith.andi %hit, %u
//!   %q = arith.select %c, %i, %p               %k = arith.select %c, %i, %never
//!   affine.yield %q                            %b = arith.cmpi slt, %k, %best
//! }                                            %l = arith.select %b, %k, %best
//!                                              %q = arith.select %b, %i, %p
//!                                              affine.yield %l, %q
//!                                            }
//! ```
//!
//! A value that is taken whenever a condition holds comes from the last such iteration. One that is taken only
//! while a carried value is still unset comes from the first: what is taken is never unset, so that this value is
//! unset where it was so before the loop and no iteration has taken anything. Counters ascend, and intervals prove
//! that none is the number `%never`; so the rewritten loop takes what the loop took, in whatever order its parts are
//! combined ([`arg_reduction`](crate::analysis::arg_reduction)). What tests an unset value may be a flag of its own,
//! which is set along with the values, or by every iteration that meets the condition.
//!
//! Values come through selects and through branches, which keep what they compute ([`selection`], [`network`]). Nests
//! that hand the values on get numbers as well ([`order`]); where these may be too large, the inner loop begins anew in
//! each iteration of the outer one, which takes what the inner one has taken.
//!
//! A value that branches set to the same in whichever iteration needs no number ([`flags`]).
//!
//! Legal where nothing else uses the carried values, where intervals prove of tests that what is taken fails them, and
//! where a branch whose condition loses a test may run in any iteration that meets the rest of it. It is done where all
//! other values that the loop carries are reductions.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::arith;
use gridloom_dialects::scf;
use gridloom_ir::body::Uses;
use gridloom_ir::{Body, Context, Module, OpId};

use self::flags::{Flag, flag_of};
use self::group::{Candidates, Group, groups_of};
use self::order::{Handed, Order};
use self::selection::Finder;
use super::plans::{Plans, change_by_plans};
use crate::analysis::alias::Globals;
use crate::analysis::arg_reduction::arg_reductions_of;
use crate::analysis::dependence::Dependences;
use crate::analysis::reduction::{reduction_at, reduction_nest};

mod flags;
mod group;
mod network;
mod order;
pub(super) mod rewrite;
mod selection;

/// Limit of the loops that are rewritten in a function, one after the other, since one may use what another gives.
const MAX_LOOPS: usize = 32;

/// Rewrites the selections in the host functions of a module. Returns whether there was one.
pub fn number_selections(ctx: &Context, module: &mut Module) -> bool {
    change_by_plans(
        ctx,
        module,
        MAX_LOOPS,
        |body, globals| plan_body(ctx, body, globals),
        |plan, body| match plan {
            Change::Flag(flag) => flag.apply(ctx, body),
            Change::Numbers(numbering) => numbering.apply(ctx, body),
        },
    )
}

/// Plan of one loop.
enum Change {
    Flag(Flag),
    Numbers(Numbering),
}

fn plan_body(ctx: &Context, body: &Body, globals: &Globals) -> Plans<Change> {
    let may_select = [arith::SELECT, scf::IF, affine::IF];
    if !may_select.iter().any(|&name| body.may_hold(name)) {
        return (Vec::new(), false);
    }
    let uses = body.uses();
    let mut deps = Dependences::new(ctx, body, globals);
    let loops = body.walk().into_iter();
    let loops = loops.filter_map(|op| ForOp::cast(body, op));
    let mut carrying = loops.filter(|op| body[op.0].num_results() > 0);
    let first = carrying.find_map(|op| {
        let flag = flag_of(ctx, body, &uses, op).map(Change::Flag);
        flag.or_else(|| plan_nest(&mut deps, &uses, op).map(Change::Numbers))
    });
    (
        first.into_iter().collect(),
        deps.aliases.relied_on_arguments(),
    )
}

/// Selections of the innermost loop of a nest that get numbers.
struct Numbering {
    /// The loops, which hand the carried values on to each other, from outside.
    nest: Vec<ForOp>,
    groups: Vec<Group>,
    order: Order,
    /// The loop around that hands its carried values to the nest, where the nest can begin anew in each of its
    /// iterations.
    handed: Option<Handed>,
}

fn plan_nest(deps: &mut Dependences, uses: &Uses, root: ForOp) -> Option<Numbering> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let nest = reduction_nest(ctx, body, root);
    let finder = Finder::new(ctx, body, uses, &nest)?;
    let known = arg_reductions_of(ctx, body, uses, root);
    let is_known =
        |at: usize| (known.iter()).any(|arg| arg.extremum == at || arg.taken.contains(&at));
    let is_wanted = |at: usize| !is_known(at) && is_handed_on(body, uses, &nest, at);
    let groups = groups_of(deps, Candidates::of(&finder, is_wanted));
    let is_planned = |at: usize| groups.iter().any(|group| group.member(at).is_some());
    let others_reduce = (0..root.iter_args(body).len())
        .filter(|&at| !is_planned(at) && !is_known(at))
        .all(|at| reduction_at(ctx, body, uses, root, at, true).is_ok());
    if groups.is_empty() || !others_reduce {
        return None;
    }
    Some(Numbering {
        order: Order::of(deps, &nest, &groups)?,
        handed: Handed::of(&finder, &groups),
        nest,
        groups,
    })
}

/// Whether the loops of a nest only hand the carried value at a position on to the innermost one.
fn is_handed_on(body: &Body, uses: &Uses, nest: &[ForOp], at: usize) -> bool {
    let mut outer = nest[..nest.len() - 1].iter();
    outer.all(|l| uses.of(l.iter_args(body)[at]).len() == 1)
}

/// An operation of a loop that keeps it from taking its values by number: it computes what the first iteration takes
/// that meets a condition, and may be undefined in others that meet it.
pub(crate) fn undefined_elsewhere(
    deps: &mut Dependences,
    uses: &Uses,
    root: ForOp,
) -> Option<OpId> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let nest = reduction_nest(ctx, body, root);
    let finder = Finder::new(ctx, body, uses, &nest)?;
    let is_wanted = |at: usize| is_handed_on(body, uses, &nest, at);
    Candidates::of(&finder, is_wanted).unsafe_operation(deps)
}
