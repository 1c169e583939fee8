//! `affine-loop-peel`: peels the first or the last iteration off a loop that treats it specially.
//!
//! ```text
//! affine.for %i = 0 to 8 {                   T(0)
//!   affine.if %i == 0 { T(%i) }       ⇒      affine.for %i = 1 to 8 {
//!   else { S(%i) }                             S(%i)
//! }                                          }
//! ```
//!
//! Legal always, since the iterations keep their order: what is known of the counter in each part decides the condition
//! there. An iteration that is not known to run becomes a loop of at most one iteration.
//!
//! A draft of the body is peeled first, and kept only where it gains: where no loop of the nest is parallel, and what
//! remains of it has one, or is a nest of prefix sums
//! ([`affine_separate_prefix_sums`](super::affine_separate_prefix_sums)). So the borders of stencils, and nests that
//! run as wavefronts with the condition in them, stay as they are.

mod conditions;
mod write;

use gridloom_dialects::affine::{self, ForOp};
use gridloom_ir::{Body, Context, Module, OpId};
use gridloom_rewrite::canonicalize::canonicalize;

use super::affine_guard_overflow::is_fallback;
use super::affine_separate_prefix_sums::has_prefix_sums;
use crate::analysis::alias::Globals;
use crate::analysis::counter::is_loop;
use crate::analysis::dependence::Dependences;
use crate::analysis::globals::ConstantGlobals;
use crate::analysis::parallel::verdict;
use crate::target::OffloadOptions;
use crate::versions::change_functions;
use write::Peel;

/// Limit of the operations of a nest that is peeled: each peel copies at most all of them.
const MAX_OPS: usize = 200;
/// Limit of the iterations that are peeled off the loops of a nest.
const MAX_PEELS: usize = 4;
/// Limit of the nests of a function that are peeled.
const MAX_NESTS: usize = 8;

/// What a nest must gain to be peeled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gain {
    /// Nothing.
    Any,
    /// A parallel loop or prefix sums where no loop is parallel.
    Needed,
}

/// Peels loops in the host functions of a module. Returns whether anything changed.
pub fn peel_module(
    ctx: &Context,
    module: &mut Module,
    options: &OffloadOptions,
    gain: Gain,
) -> bool {
    let globals = Globals::of(ctx, module);
    let constants = ConstantGlobals::of(ctx, module.body());
    let changed = change_functions(ctx, module, &globals, |body| {
        let mut changed = false;
        for _ in 0..MAX_NESTS {
            let Some(peeled) = peel_first_nest(ctx, body, &globals, gain, options.reassociate)
            else {
                break;
            };
            *body.edit() = peeled;
            changed = true;
        }
        if changed {
            canonicalize(ctx, body.edit(), &constants);
        }
        // Which nests gain is a matter of time alone.
        (false, changed)
    });
    changed.into_iter().any(|changed| changed)
}

/// The body with the first nest peeled that gains by it; `None` if none does.
fn peel_first_nest(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    gain: Gain,
    reassociate: bool,
) -> Option<Body> {
    if !body.may_hold(affine::FOR) {
        return None;
    }
    let ops = body.walk().into_iter();
    let mut roots = ops.filter_map(|op| ForOp::cast(body, op)).filter(|root| {
        let mut around = body.ancestors(root.0);
        !around.any(|op| is_loop(body, op)) && !is_fallback(body, root.0)
    });
    roots.find_map(|root| peel_nest(ctx, body, globals, root, gain, reassociate))
}

/// The body with a nest peeled, if it gains by it.
fn peel_nest(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    root: ForOp,
    gain: Gain,
    reassociate: bool,
) -> Option<Body> {
    let is_small = body.walk_op(root.0).len() <= MAX_OPS;
    let mut peel = Peel::in_nest(ctx, body, root).filter(|_| is_small)?;
    if gain == Gain::Needed && has_parallel_loop(ctx, body, globals, root, &[]) {
        return None;
    }
    let (mut draft, mut root) = (body.clone(), root);
    // A loop of one iteration is parallel, and so are loops of an iteration that may be the lesser part of the nest.
    let mut peeled: Vec<OpId> = Vec::new();
    for _ in 0..MAX_PEELS {
        let parts = peel.apply(ctx, &mut draft);
        if peel.op == root {
            root = parts.rest;
        }
        peeled.extend(parts.peeled_loops);
        let gains = gain == Gain::Any
            || has_parallel_loop(ctx, &draft, globals, root, &peeled)
            || has_prefix_sums(
                &mut Dependences::new(ctx, &draft, globals),
                root,
                reassociate,
            );
        if gains {
            return Some(draft);
        }
        peel = Peel::in_nest(ctx, &draft, root)?;
    }
    None
}

/// Whether a nest has a loop whose iterations are independent, its root included, beside those of `peeled` iterations.
fn has_parallel_loop(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    root: ForOp,
    peeled: &[OpId],
) -> bool {
    let mut deps = Dependences::new(ctx, body, globals);
    let ops = body.walk_op(root.0).into_iter();
    let mut loops = ops.filter(|op| is_loop(body, *op) && !peeled.contains(op));
    loops.any(|op| verdict(&mut deps, op).is_parallel())
}
