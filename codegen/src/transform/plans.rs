//! Plan-and-apply driver: a pass first plans changes of a body, then applies them.
//!
//! Analyses borrow a body, so that a pass cannot change it while they run.

use std::collections::HashSet;

use gridloom_dialects::affine::ForOp;
use gridloom_ir::{Body, Context, Diagnostics, Module, OpId};

use crate::analysis::alias::Globals;
use crate::analysis::dependence::Dependences;
use crate::versions::change_functions;

/// Plans of one body, and whether they rely on disjoint arguments.
pub(super) type Plans<P> = (Vec<P>, bool);

/// Changes the host functions of a module (see [`change_functions`]) by plans, which `plan` makes
/// of a body and `apply` carries out. Repeats, up to `rounds` times in all, until a round has no
/// plan, since changes may enable others. Returns whether anything changed.
pub(super) fn change_by_plans<P>(
    ctx: &Context,
    module: &mut Module,
    rounds: usize,
    plan: impl Fn(&Body, &Globals) -> Plans<P> + Sync,
    apply: impl Fn(&P, &mut Body) + Sync,
) -> bool {
    let plan = |body: &Body, globals: &Globals| (plan(body, globals), Diagnostics::new());
    change_with_remarks(ctx, module, rounds, plan, apply).0
}

/// Like [`change_by_plans`], with remarks on refusals: those of the last round.
pub(super) fn change_with_remarks<P>(
    ctx: &Context,
    module: &mut Module,
    rounds: usize,
    plan: impl Fn(&Body, &Globals) -> (Plans<P>, Diagnostics) + Sync,
    apply: impl Fn(&P, &mut Body) + Sync,
) -> (bool, Diagnostics) {
    let last = |all: &mut Diagnostics, new| *all = new;
    change_in_rounds(ctx, module, rounds, last, plan, apply)
}

/// Like [`change_by_plans`], with remarks on changes: those of every round.
pub(super) fn change_and_tell<P>(
    ctx: &Context,
    module: &mut Module,
    rounds: usize,
    plan: impl Fn(&Body, &Globals) -> (Plans<P>, Diagnostics) + Sync,
    apply: impl Fn(&P, &mut Body) + Sync,
) -> (bool, Diagnostics) {
    change_in_rounds(ctx, module, rounds, Diagnostics::append, plan, apply)
}

/// Plans and applies until a round has no plan; `collect` merges the remarks of a round with
/// earlier ones.
fn change_in_rounds<P>(
    ctx: &Context,
    module: &mut Module,
    rounds: usize,
    collect: impl Fn(&mut Diagnostics, Diagnostics) + Sync,
    plan: impl Fn(&Body, &Globals) -> (Plans<P>, Diagnostics) + Sync,
    apply: impl Fn(&P, &mut Body) + Sync,
) -> (bool, Diagnostics) {
    let globals = Globals::of(ctx, module);
    let found = change_functions(ctx, module, &globals, |body| {
        let (mut relied, mut changed) = (false, false);
        let mut remarks = Diagnostics::new();
        for _ in 0..rounds {
            let ((plans, relies), found) = plan(body, &globals);
            collect(&mut remarks, found);
            if plans.is_empty() {
                break;
            }
            plans.iter().for_each(|plan| apply(plan, body.edit()));
            changed = true;
            relied |= relies;
        }
        (relied, (changed, remarks))
    });
    joined(found)
}

/// Joins the results of functions: whether any changed, and all remarks.
pub(super) fn joined(results: Vec<(bool, Diagnostics)>) -> (bool, Diagnostics) {
    let mut remarks = Diagnostics::new();
    let mut changed = false;
    for (one, found) in results {
        changed |= one;
        remarks.append(found);
    }
    (changed, remarks)
}

/// The plans of `plan_loop` for the loops of a body, outer ones first; loops inside of a planned
/// one are skipped.
pub(super) fn plan_outermost<P>(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    plan_loop: impl Fn(&mut Dependences, ForOp) -> Option<P>,
) -> Plans<P> {
    let mut deps = Dependences::new(ctx, body, globals);
    let mut plans = Vec::new();
    let mut planned: HashSet<OpId> = HashSet::new();
    for op in body.walk() {
        let Some(l) = ForOp::cast(body, op) else {
            continue;
        };
        if is_inside(body, op, &planned) {
            continue;
        }
        if let Some(plan) = plan_loop(&mut deps, l) {
            planned.insert(op);
            plans.push(plan);
        }
    }
    (plans, deps.aliases.relied_on_arguments())
}

/// Whether an operation lies inside of one of `outer`.
pub(super) fn is_inside(body: &Body, op: OpId, outer: &HashSet<OpId>) -> bool {
    body.ancestors(op).any(|op| outer.contains(&op))
}
