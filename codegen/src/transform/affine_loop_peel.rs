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

use std::collections::HashSet;

use gridloom_dialects::affine::{self, ForOp};
use gridloom_ir::{Body, Context, Module, OpId};
use gridloom_rewrite::canonicalize::canonicalize;

use super::affine_guard_overflow::is_fallback;
use super::affine_separate_prefix_sums::has_prefix_sums;
use crate::analysis::alias::Globals;
use crate::analysis::dependence::Dependences;
use crate::analysis::globals::ConstantGlobals;
use crate::analysis::loop_kind::is_affine_loop;
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

/// Gain for which a nest is peeled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gain {
    /// Any: the caller wants it peeled.
    Any,
    /// A parallel loop, or prefix sums, of a nest in which no loop is parallel.
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
        let mut refused = HashSet::new();
        let policy = Policy {
            globals: &globals,
            gain,
            reassociate: options.reassociate,
        };
        for _ in 0..MAX_NESTS {
            let Some(peeled) = policy.peel_first_nest(ctx, body, &mut refused) else {
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

/// Peels the first iteration off a loop that starts at a constant. Returns its own loop, if it may not run, and the loop of
/// the others; `None`, with nothing changed, where there are no others, or the loop has too many operations to copy.
pub(super) fn peel_first(
    ctx: &Context,
    body: &mut Body,
    op: ForOp,
) -> Option<(Option<ForOp>, ForOp)> {
    let parts = peel_of_first(ctx, body, op)?.apply(ctx, body);
    Some((parts.one, parts.rest))
}

/// Whether [`peel_first`] peels a loop.
pub(super) fn may_peel_first(ctx: &Context, body: &Body, op: ForOp) -> bool {
    peel_of_first(ctx, body, op).is_some()
}

fn peel_of_first(ctx: &Context, body: &Body, op: ForOp) -> Option<Peel> {
    let is_small = body.walk_op(op.0).len() <= MAX_OPS;
    is_small.then(|| Peel::first(ctx, body, op)).flatten()
}

/// Policy: decides which nests are peeled.
struct Policy<'a> {
    globals: &'a Globals,
    gain: Gain,
    reassociate: bool,
}

impl Policy<'_> {
    /// The body with the first nest peeled that gains by it and is not `refused`; `None` if none does. Those that gain
    /// nothing are refused from then on.
    fn peel_first_nest(
        &self,
        ctx: &Context,
        body: &Body,
        refused: &mut HashSet<ForOp>,
    ) -> Option<Body> {
        if !body.may_hold(affine::FOR) {
            return None;
        }
        let ops = body.walk().into_iter();
        let roots = ops.filter_map(|op| ForOp::cast(body, op)).filter(|root| {
            let mut around = body.ancestors(root.0);
            !around.any(|op| is_affine_loop(body, op)) && !is_fallback(body, root.0)
        });
        // Few functions have a nest that asks for it.
        let mut deps: Option<Dependences> = None;
        for root in roots {
            if refused.contains(&root) {
                continue;
            }
            let mut new = || Dependences::new(ctx, body, self.globals);
            let is_parallel = || has_parallel_loop(deps.get_or_insert_with(&mut new), root, &[]);
            if let Some(peeled) = self.peel_nest(ctx, body, root, is_parallel) {
                return Some(peeled);
            }
            refused.insert(root);
        }
        None
    }

    /// The body with a nest peeled, if it gains by it; `is_parallel` tells whether it has a parallel loop as it is.
    fn peel_nest(
        &self,
        ctx: &Context,
        body: &Body,
        mut root: ForOp,
        is_parallel: impl FnOnce() -> bool,
    ) -> Option<Body> {
        if body.walk_op(root.0).len() > MAX_OPS {
            return None;
        }
        let mut peel = Peel::in_nest(ctx, body, root)?;
        if self.gain == Gain::Needed && is_parallel() {
            return None;
        }
        let mut draft = body.clone();
        // A loop of one iteration is parallel, and so are loops of an iteration that may be the lesser part of the nest.
        let mut peeled: Vec<OpId> = Vec::new();
        for _ in 0..MAX_PEELS {
            let parts = peel.apply(ctx, &mut draft);
            if peel.op == root {
                root = parts.rest;
            }
            peeled.extend(parts.peeled_loops);
            let gains = self.gain == Gain::Any || {
                let mut deps = Dependences::new(ctx, &draft, self.globals);
                has_parallel_loop(&mut deps, root, &peeled)
                    || has_prefix_sums(&mut deps, root, self.reassociate)
            };
            if gains {
                return Some(draft);
            }
            peel = Peel::in_nest(ctx, &draft, root)?;
        }
        None
    }
}

/// Whether a nest has a loop whose iterations are independent, its root included, beside those of `peeled` iterations.
fn has_parallel_loop(deps: &mut Dependences, root: ForOp, peeled: &[OpId]) -> bool {
    let body = deps.values.body;
    let ops = body.walk_op(root.0).into_iter();
    let mut loops = ops.filter(|op| is_affine_loop(body, *op) && !peeled.contains(op));
    loops.any(|op| verdict(deps, op).is_parallel())
}
