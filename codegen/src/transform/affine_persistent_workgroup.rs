//! `affine-persistent-workgroup`: gives a sequential loop around parallel ones to one workgroup,
//! with barriers between its steps.
//!
//! ```text
//! affine.for %t = 0 to %n {                  affine.parallel (%one) = (0) to (1) {
//!   %x[%t] = %x[%t] / %l[%t, %t]               affine.for %t = 0 to %n {
//!   affine.for %i = %t + 1 to %n {               %x[%t] = %x[%t] / %l[%t, %t]
//!     %x[%i] -= %l[%i, %t] * %x[%t]     ⇒        affine.parallel (%p) = (0) to (256) {
//!   }                                              affine.for %i = %t + 1 + %p to %n step 256 {
//! }                                                  %x[%i] -= %l[%i, %t] * %x[%t]
//!                                                  }
//!                                                }
//!                                              }
//!                                            }
//! ```
//!
//! As launches, each step waits for the one before and costs a launch. One workgroup needs but
//! barriers between its threads, which the mapping writes (`offload::phases`): the outer band is a
//! grid of one workgroup, the bands in it are its phases. The structure alone states this, without
//! an attribute, and computes the same wherever it runs.
//!
//! Legal where each loop that becomes a phase is parallel, by the dependence test or as a band, and
//! the counters that its threads start from fit 64 bits. A loop that combines values in any order
//! is shared in the same manner, through partial results in workgroup memory. All other statements
//! keep their order: every thread computes statements without writes, and one thread runs stores
//! and loops with stores but without phases. Refused where threads would have to agree on what one
//! of them computes (a loop with stores and results that holds no phase, an atomic update, a call),
//! and where a kernel cannot hold the loop.
//!
//! Done where it pays by [`cost`]: one workgroup has only a part of the device's throughput. Trip
//! counts must be bounded by constants, so that the time of the kernel is.

use std::collections::{HashMap, HashSet};

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::{gpu, scf};
use gridloom_ir::{Body, Context, Module, OpId};

use super::affine_guard_bounds::is_checked_copy;
use super::affine_guard_overflow::is_fallback;
use super::plans::{Plans, change_by_plans, is_inside};
use crate::analysis::alias::Globals;
use crate::analysis::dependence::Dependences;
use crate::analysis::eligible::obstacle;
use crate::analysis::parallel::verdict;
use crate::target::OffloadOptions;
use cost::pays;
use steps::{Step, steps_of};
use write::Workgroup;

mod cost;
mod steps;
mod write;

/// Gives loops to persistent workgroups in the host functions of a module. Returns whether anything changed.
pub fn make_persistent(ctx: &Context, module: &mut Module, options: &OffloadOptions) -> bool {
    change_by_plans(
        ctx,
        module,
        1,
        |body, globals| plan_body(ctx, body, globals, options),
        |plan, body| plan.apply(ctx, body),
    )
}

/// Host analysis: the part of a function that stays on the host.
pub(super) struct Host<'a, 'o> {
    deps: Dependences<'a>,
    options: &'o OffloadOptions,
    /// Memo: whether a loop is parallel.
    parallel: HashMap<OpId, bool>,
}

impl<'a, 'o> Host<'a, 'o> {
    pub(super) fn new(
        ctx: &'a Context,
        body: &'a Body,
        globals: &'a Globals,
        options: &'o OffloadOptions,
    ) -> Self {
        let mut deps = Dependences::new(ctx, body, globals);
        deps.values.reassociate = options.reassociate;
        Host {
            deps,
            options,
            parallel: HashMap::new(),
        }
    }

    /// Whether one workgroup should run a loop as it is.
    pub(super) fn persists(&mut self, l: ForOp) -> bool {
        let steps = plan(self, l);
        steps.is_some_and(|steps| Workgroup::of(self, l, steps).is_some())
    }

    fn body(&self) -> &'a Body {
        self.deps.values.body
    }

    fn ctx(&self) -> &'a Context {
        self.deps.values.ctx
    }

    fn is_parallel(&mut self, op: OpId) -> bool {
        if let Some(&known) = self.parallel.get(&op) {
            return known;
        }
        let is_loop = matches!(self.body()[op].name, affine::FOR | affine::PARALLEL);
        let found = is_loop && verdict(&mut self.deps, op).is_parallel();
        self.parallel.insert(op, found);
        found
    }
}

fn plan_body(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    options: &OffloadOptions,
) -> Plans<Workgroup> {
    if !body.may_hold(affine::FOR) {
        return (Vec::new(), false);
    }
    let mut host = Host::new(ctx, body, globals, options);
    let mut plans = Vec::new();
    let mut skipped: HashSet<OpId> = HashSet::new();
    for op in body.walk() {
        if is_inside(body, op, &skipped) {
            continue;
        }
        let is_elsewhere = match body[op].name {
            // Existing kernels, or loops that this crate does not map.
            gpu::LAUNCH | scf::PARALLEL | scf::FORALL | affine::PARALLEL => true,
            affine::FOR => {
                is_fallback(body, op) || is_checked_copy(body, op) || host.is_parallel(op)
            }
            _ => false,
        };
        if is_elsewhere {
            skipped.insert(op);
            continue;
        }
        let Some(l) = ForOp::cast(body, op) else {
            continue;
        };
        if let Some(steps) = plan(&mut host, l)
            && let Some(plan) = Workgroup::of(&mut host, l, steps)
        {
            skipped.insert(op);
            plans.push(plan);
        }
    }
    // Inner operations keep their ids, and no plan lies in an earlier one.
    let relied = host.deps.aliases.relied_on_arguments() && !plans.is_empty();
    (plans, relied)
}

/// Plans the steps of a loop that one workgroup should run.
fn plan(host: &mut Host, l: ForOp) -> Option<Vec<Step>> {
    let (ctx, body) = (host.ctx(), host.body());
    let has_loop = body.walk_op(l.0).into_iter().skip(1);
    let has_loop = has_loop.filter(|&op| matches!(body[op].name, affine::FOR | affine::PARALLEL));
    if has_loop.count() == 0 {
        return None;
    }
    let steps = steps_of(host, l.block(body), 0)?;
    let has_phase = steps.iter().any(Step::has_phase);
    let target = host.options.target.as_ref();
    let takes = has_phase && obstacle(ctx, body, l.0, target).is_none();
    (takes && pays(host, l, &steps)?).then_some(steps)
}
