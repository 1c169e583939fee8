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
//! the counters that its threads start from fit 64 bits, which the run tests with the costs where sizes are open. A loop that combines values in any order
//! is shared in the same manner, through partial results in workgroup memory. All other statements
//! keep their order: every thread computes statements without writes, and one thread runs stores
//! and loops with stores but without phases. Refused where threads would have to agree on what one
//! of them computes (a loop with stores and results that holds no phase, an atomic update, a call),
//! and where a kernel cannot hold the loop.
//!
//! Done where it pays by [`cost`]: one workgroup has only a part of the device's throughput. Where sizes are open, the run
//! tests whether it pays, and loops inside of the version of launches may get versions of their own:
//!
//! ```text
//! %small = arith.cmpf olt, %workgroup, %launches          // both computed from sizes
//! scf.if %small { affine.parallel (%one) = (0) to (1) { … } }
//! %large = arith.cmpf uge, %workgroup, %launches
//! scf.if %large { affine.for %t = 0 to %n { … } }
//! ```

use std::collections::{HashMap, HashSet};

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::arith::{CmpFOp, CmpFPredicate};
use gridloom_dialects::{gpu, scf};
use gridloom_ir::{Body, Builder, Context, Module, OpId};

use super::affine_guard_bounds::is_checked_copy;
use super::affine_guard_overflow::is_fallback;
use super::estimate_value::estimate_values;
use super::nest_versions::part_nest;
use super::plans::{Plans, is_inside};
use crate::analysis::alias::Globals;
use crate::analysis::dependence::Dependences;
use crate::analysis::eligible::obstacle;
use crate::analysis::estimate::Estimate;
use crate::analysis::loop_kind::is_affine_loop;
use crate::analysis::parallel::verdict;
use crate::target::OffloadOptions;
use crate::versions::change_functions;
use cost::{Gain, gain};
use steps::{Step, steps_of};
use write::Workgroup;

mod cost;
mod steps;
mod write;

/// Gives loops to persistent workgroups in the host functions of a module. Returns whether anything changed.
pub fn make_persistent(ctx: &Context, module: &mut Module, options: &OffloadOptions) -> bool {
    let globals = Globals::of(ctx, module);
    let changed = change_functions(ctx, module, &globals, |body| {
        let (versions, _) = walk_host(ctx, body, &globals, options, version_of);
        let mut chosen = HashSet::new();
        for version in versions {
            chosen.extend(version.apply(ctx, body.edit()));
        }
        let plan_loop = |host: &mut Host, l: ForOp| {
            let plan = match chosen.contains(&l.0) {
                true => {
                    let steps = steps_to_share(host, l)?;
                    Workgroup::of(host, l, steps)
                }
                false => host.plan_known(l),
            };
            plan.map(Found::Plan)
        };
        let (plans, relied) = walk_host(ctx, body, &globals, options, plan_loop);
        plans.iter().for_each(|plan| plan.apply(ctx, body.edit()));
        (relied, !plans.is_empty() || !chosen.is_empty())
    });
    changed.contains(&true)
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
        self.plan_known(l).is_some()
    }

    /// Plans the workgroup of a loop for which it pays, whatever the sizes of the run are.
    fn plan_known(&mut self, l: ForOp) -> Option<Workgroup> {
        let steps = steps_to_share(self, l)?;
        match gain(self, l, &steps)? {
            Gain::Known(true) => Workgroup::of(self, l, steps),
            Gain::Known(false) | Gain::Open(_) => None,
        }
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

/// Version of a loop for sizes for which one workgroup pays.
struct Version {
    root: OpId,
    /// The costs that the run compares.
    sides: [Estimate; 2],
}

/// Plans the version of a loop for which sizes that are open decide.
fn version_of(host: &mut Host, l: ForOp) -> Option<Found<Version>> {
    let steps = steps_to_share(host, l)?;
    let sides = match gain(host, l, &steps)? {
        Gain::Known(pays) => return pays.then_some(Found::Nothing),
        Gain::Open(sides) => sides,
    };
    let is_plain = host.body()[l.0].num_results() == 0 && Workgroup::of(host, l, steps).is_some();
    is_plain.then_some(Found::Outer(Version { root: l.0, sides }))
}

impl Version {
    /// Puts a copy of the loop under the condition that one workgroup pays, and the loop under the opposite. Returns the copy.
    fn apply(&self, ctx: &Context, body: &mut Body) -> Option<OpId> {
        let mut b = Builder::before(ctx, body, self.root);
        let [workgroup, launches] = estimate_values(&mut b, &self.sides)?;
        let conditions = [CmpFPredicate::Olt, CmpFPredicate::Uge]
            .map(|predicate| CmpFOp::create(&mut b, predicate, workgroup, launches));
        Some(part_nest(&mut b, self.root, conditions))
    }
}

/// What is found of a loop.
enum Found<P> {
    /// A plan for the loop and all that is in it.
    Plan(P),
    /// A plan for the loop that leaves those in it to themselves.
    Outer(P),
    /// No plan for the loop or those in it.
    Nothing,
}

/// The plans of loops that are neither kernels nor in one, outer ones first, and whether they rely on disjoint arguments.
fn walk_host<P>(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    options: &OffloadOptions,
    plan_loop: impl Fn(&mut Host, ForOp) -> Option<Found<P>>,
) -> Plans<P> {
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
        match plan_loop(&mut host, l) {
            Some(Found::Plan(plan)) => {
                skipped.insert(op);
                plans.push(plan);
            }
            Some(Found::Outer(plan)) => plans.push(plan),
            Some(Found::Nothing) => {
                skipped.insert(op);
            }
            None => {}
        }
    }
    // Inner operations keep their ids, and no plan lies in an earlier one.
    let relied = host.deps.aliases.relied_on_arguments() && !plans.is_empty();
    (plans, relied)
}

/// The steps of a loop that one workgroup can run.
fn steps_to_share(host: &mut Host, l: ForOp) -> Option<Vec<Step>> {
    let (ctx, body) = (host.ctx(), host.body());
    let has_loop = body.walk_op(l.0).into_iter().skip(1);
    let has_loop = has_loop.filter(|&op| is_affine_loop(body, op));
    if has_loop.count() == 0 {
        return None;
    }
    let steps = steps_of(host, l.block(body), 0)?;
    let has_phase = steps.iter().any(Step::has_phase);
    let target = host.options.target.as_ref();
    let takes = has_phase && obstacle(ctx, body, l.0, target).is_none();
    takes.then_some(steps)
}
