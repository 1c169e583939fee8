//! `affine-map-to-gpu`: parallel nests as kernels.
//!
//! Policy and mechanism are apart: [`plan`] chooses which loops become a grid, [`map`] rewrites
//! them, [`analysis::eligible`](crate::analysis::eligible) tests what kernels can hold. The
//! pipeline of passes around it is in [`pass::offload`](crate::pass::offload).

mod access_group;
mod alignment;
pub mod domain_test;
pub mod jam;
pub mod map;
pub mod matrices;
pub mod model;
pub mod nest_key;
pub mod phases;
pub mod plan;
pub mod reasons;
pub mod short_loops;
pub mod space;
pub mod staging;
pub mod straighten;
mod trips;
pub mod tuned;
mod unrolling;
pub mod variance;
mod verdicts;
mod workgroup_size;

use std::collections::{HashMap, HashSet};

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::{affine, func, gpu, scf};
use gridloom_ir::diag::Severity;
use gridloom_ir::{Body, Context, Diagnostic, Diagnostics, Loc, Module, OpId};

use crate::analysis::alias::Globals;
use crate::analysis::arg_reduction::all_reductions_of;
use crate::analysis::counter::counters;
use crate::analysis::dependence::Dependences;
use crate::analysis::eligible::{self, Obstacle};
use crate::analysis::loop_kind::is_affine_loop;
use crate::analysis::parallel::{Reason, Verdict, conflict_in_memory, explained, verdict};
use crate::analysis::reduction::Refusal;
use crate::target::{OffloadOptions, OptLevel};
use crate::transform::affine_atomic_updates::kept_order;
use crate::transform::affine_guard_bounds::is_checked_copy;
use crate::transform::affine_guard_overflow::is_fallback;
use crate::transform::affine_number_selections::undefined_elsewhere;
use crate::transform::affine_parallelize_scans::reason_against_scan;
use crate::versions::{Kept, change_functions, change_functions_for};
use matrices::plan_matrices;
use plan::{NestPlan, Planned};
use tuned::Origin;
use verdicts::{launches_in, runs_on_the_host, verdicts};

/// `affine-map-to-gpu`: maps the parallel nests of every function to `gpu.launch`. Returns remarks
/// on nests that stay on the host, or errors for nests that the device lacks a feature for, where
/// options require the mapping.
pub fn map_nests(ctx: &Context, module: &mut Module, options: &OffloadOptions) -> Diagnostics {
    let globals = Globals::of(ctx, module);
    let kept = match options.only_kernels {
        true => Kept::Distinct,
        false => Kept::Both,
    };
    let found = change_functions_for(ctx, module, &globals, kept, |body| {
        let Selection {
            plans,
            deps,
            remarks,
            ..
        } = Selection::of(ctx, body, &globals, options);
        let relied = deps.aliases.relied_on_arguments() && !plans.is_empty();
        for plan in &plans {
            map::map_nest(ctx, body.edit(), plan);
        }
        (relied, remarks)
    });
    let mut remarks = Diagnostics::new();
    found.into_iter().for_each(|found| remarks.append(found));
    if options.only_kernels {
        drop_idle_bodies(module);
    }
    remarks
}

/// Drops the bodies of host functions without launches, such as those for arguments that overlap. Their symbols stay, which
/// the names of kernels have to differ from.
fn drop_idle_bodies(module: &mut Module) {
    let is_launch = |name| matches!(name, gpu::LAUNCH | gpu::LAUNCH_FUNC);
    for (_, op) in module.body_mut().owners_mut() {
        let is_host = op.name == func::FUNC;
        if let Some(body) = op.isolated_mut().filter(|_| is_host)
            && !body.may_hold_any(is_launch)
        {
            *body = Body::default();
        }
    }
}

/// Result of a dry run of [`map_nests`] on one function.
pub(crate) struct Planning<R> {
    /// The loops that become dimensions of a grid.
    pub(crate) grid: Vec<(Loc, char)>,
    /// Remarks on the loops.
    pub(crate) remarks: Diagnostics,
    /// The callback's result for each planned nest.
    pub(crate) nests: Vec<R>,
}

/// Dry run of [`map_nests`] on each function of a module; calls `of` on each planned nest.
pub(crate) fn plans_of<R: Send>(
    ctx: &Context,
    module: &mut Module,
    options: &OffloadOptions,
    of: impl Fn(&mut Dependences, &NestPlan) -> R + Sync,
) -> Vec<Planning<R>> {
    let globals = Globals::of(ctx, module);
    change_functions(ctx, module, &globals, |body| {
        let mut selection = Selection::of(ctx, body, &globals, options);
        let mut grid = Vec::new();
        let has_grid = |plan: &&NestPlan| plan.phases.is_none() || !plan.is_one_iteration();
        for plan in selection.plans.iter().filter(has_grid) {
            for (name, dim) in ['x', 'y', 'z'].into_iter().zip(&plan.dims) {
                let loops = dim.iter().map(|&k| plan.band[k].counter.op);
                grid.extend(loops.map(|op| (body[op].loc, name)));
            }
        }
        let deps = &mut selection.deps;
        let nests = selection.plans.iter().map(|plan| of(deps, plan)).collect();
        let remarks = selection.remarks;
        let planning = Planning {
            grid,
            remarks,
            nests,
        };
        (false, planning)
    })
}

/// Nest selection: walks a function and picks the nests to map.
struct Selection<'a> {
    ctx: &'a Context,
    body: &'a Body,
    deps: Dependences<'a>,
    options: &'a OffloadOptions,
    plans: Vec<NestPlan>,
    /// Places of the loops in the bands of plans.
    gridded: HashSet<Loc>,
    /// Number of the program's own launches below each operation that has some.
    launches_in: HashMap<OpId, usize>,
    remarks: Diagnostics,
    /// Places and messages of the remarks on nests that stay: loops that a pass has cut out of one have its
    /// place, and its reason.
    reported: HashSet<(Loc, String)>,
    /// Whether the walk is in a checked copy of a nest, whose original has the remarks.
    is_silent: bool,
}

impl<'a> Selection<'a> {
    fn new(
        ctx: &'a Context,
        body: &'a Body,
        globals: &'a Globals,
        options: &'a OffloadOptions,
    ) -> Self {
        let mut deps = Dependences::new(ctx, body, globals);
        deps.values.reassociate = options.reassociate;
        Selection {
            ctx,
            body,
            deps,
            options,
            plans: Vec::new(),
            gridded: HashSet::new(),
            launches_in: launches_in(body),
            remarks: Diagnostics::new(),
            reported: HashSet::new(),
            is_silent: false,
        }
    }

    /// Selects the nests of a function, with remarks on nests that stay; on all loops where options
    /// ask for it.
    fn of(
        ctx: &'a Context,
        body: &'a Body,
        globals: &'a Globals,
        options: &'a OffloadOptions,
    ) -> Self {
        let mut selection = Selection::new(ctx, body, globals, options);
        selection.visit_function();
        if options.verdicts {
            let found = verdicts(&mut selection.deps, &selection.plans);
            selection.remarks.append(found);
        }
        selection
    }

    /// Walks a function in program order. A work list replaces recursion, since the input chooses
    /// how deep loops nest.
    fn visit_function(&mut self) {
        let mut stack: Vec<Visit> = Vec::new();
        for block in self.body.top_blocks() {
            stack.extend(self.body.ops(block).map(Visit::Op));
        }
        stack.reverse();
        while let Some(visit) = stack.pop() {
            match visit {
                Visit::Op(op) => {
                    let from = stack.len();
                    self.visit(op, &mut stack);
                    stack[from..].reverse();
                }
                Visit::Remark(op, plans_before, why) => self.remark(op, plans_before, &why),
                Visit::EndOfCopy => self.is_silent = false,
            }
        }
    }

    /// Plans the nest at `op`, or pushes the operations inside of it.
    fn visit(&mut self, op: OpId, stack: &mut Vec<Visit>) {
        let body = self.body;
        let is_loop = is_affine_loop(body, op);
        let is_copy = is_loop && is_checked_copy(body, op);
        self.is_silent |= is_copy;
        let why = match body[op].name {
            // A band without counters is a block that runs once.
            affine::PARALLEL if counters(body, op).next().is_none() => None,
            // The fallback runs only where counters of the mapped copy would wrap around.
            affine::FOR | affine::PARALLEL if is_fallback(body, op) => return,
            affine::FOR | affine::PARALLEL => match self.try_plan(op) {
                Ok(plan) => {
                    if let Some(plan) = plan.as_ref().filter(|_| !self.is_silent) {
                        self.remark_schedule(op, plan);
                    }
                    let grid = plan.iter().flat_map(|plan| &plan.band);
                    self.gridded.extend(grid.map(|l| body[l.counter.op].loc));
                    self.plans.extend(plan);
                    self.is_silent &= !is_copy;
                    return;
                }
                Err(why) => Some(why),
            },
            // Existing kernels, and loops that this crate does not map.
            gpu::LAUNCH | scf::PARALLEL | scf::FORALL => return,
            _ => None,
        };
        for &region in body[op].inline_regions() {
            for &block in &body[region].blocks {
                stack.extend(body.ops(block).map(Visit::Op));
            }
        }
        if let Some(why) = why.filter(|_| !self.is_silent) {
            stack.push(Visit::Remark(op, self.plans.len(), why));
        }
        if is_copy {
            stack.push(Visit::EndOfCopy);
        }
    }

    /// Remark on a nest's schedule: the work of a thread, and whether it stems from a tuning
    /// database.
    fn remark_schedule(&mut self, op: OpId, plan: &NestPlan) {
        let loc = self.body[op].loc;
        let source = (self.options.tuned.as_ref()).map_or("", |tuned| &tuned.source);
        let origin = match plan.origin {
            Origin::Model => None,
            Origin::Tuned(line) => Some(format!(
                "this loop nest uses the tuned schedule at {source}:{line}"
            )),
            Origin::Stale(line, why) => Some(format!(
                "the tuned schedule at {source}:{line} does not fit this loop nest: {why}; the \
                 cost model chooses one instead"
            )),
        };
        if let Some(message) = origin {
            self.remarks.push(Diagnostic::remark(loc, message));
        }
        if let Some(matrices) = &plan.matrices {
            let message = format!("matrix units compute the sums of this loop nest: {matrices}");
            self.remarks.push(Diagnostic::remark(loc, message));
        } else if let Some(phases) = plan.phases.as_ref().filter(|_| plan.is_one_iteration()) {
            let message = format!(
                "one workgroup of {} threads runs this loop nest, with barriers between its steps",
                phases.lanes
            );
            self.remarks.push(Diagnostic::remark(loc, message));
        } else if plan.is_tiled() || plan.staging.is_some() || plan.phases.is_some() {
            let message = format!("each {} of this loop nest computes {plan}", plan.runner());
            self.remarks.push(Diagnostic::remark(loc, message));
        }
    }

    /// The plan of a nest, `None` for a nest that never runs, or the reason why it cannot be
    /// mapped.
    fn try_plan(&mut self, op: OpId) -> Result<Option<NestPlan>, Why> {
        if let Verdict::Sequential(reason) = verdict(&mut self.deps, op) {
            let reason = match reason {
                Reason::CarriesValues(_) => self.explained_values(op),
                reason => explained(&mut self.deps, op, reason),
            };
            return Err(Why::Sequential(reason));
        }
        if let Some(obstacle) =
            eligible::obstacle(self.ctx, self.body, op, self.options.target.as_ref())
        {
            return Err(Why::Obstacle(obstacle));
        }
        let plain = ForOp::cast(self.body, op);
        if plain.and_then(|op| op.constant_trip_count(self.ctx, self.body)) == Some(0) {
            return Ok(None);
        }
        match plan::plan_nest(&mut self.deps, op, self.options) {
            Planned::Grid(mut plan) => {
                if plan.origin == Origin::Model && self.options.level == OptLevel::O2 {
                    plan.matrices = plan_matrices(&mut self.deps, &plan, self.options);
                }
                Ok(Some(*plan))
            }
            Planned::NeverRuns => Ok(None),
            Planned::MayWrap => Err(Why::Wraps),
        }
    }

    /// Reason why a loop that carries values is not split into partial results: a reduction beside
    /// which iterations depend on each other through memory stays for these.
    fn explained_values(&mut self, op: OpId) -> Reason {
        let Some(plain) = ForOp::cast(self.body, op) else {
            return Reason::CarriesValues(op);
        };
        if self.options.level == OptLevel::O0 {
            return Reason::CarriesValues(op);
        }
        let uses = self.deps.values.uses();
        let reassociate = self.options.reassociate;
        match all_reductions_of(self.ctx, self.body, &uses, plain, reassociate) {
            Err(Refusal::KeepsOrder(combine)) => Reason::KeepsOrder(combine),
            Err(Refusal::Unknown) => match undefined_elsewhere(&mut self.deps, &uses, plain) {
                Some(by) => Reason::TakesUnsafe(op, by),
                None => reason_against_scan(&mut self.deps, &uses, plain, self.options)
                    .unwrap_or(Reason::CarriesValues(op)),
            },
            Ok(_) => match conflict_in_memory(&mut self.deps, op) {
                Some(reason) => explained(&mut self.deps, op, reason),
                None => Reason::Reduces,
            },
        }
    }

    /// The option or flag that would permit another order of an update, if a loop is sequential
    /// because strict floats keep the order.
    fn kept_order(&mut self, reason: &Reason) -> Option<&'static str> {
        let Reason::Dependence { accesses, .. } = reason else {
            return None;
        };
        if self.options.reassociate {
            return None;
        }
        let (ctx, body) = (self.ctx, self.body);
        let uses = self.deps.values.uses();
        let mut accesses = accesses.iter();
        accesses.find_map(|access| kept_order(ctx, body, &uses, access.op))
    }

    /// Whether a loop of the program has become a kernel, in part: transformations leave its place to all parts.
    fn has_kernel_at(&self, loc: Loc) -> bool {
        self.gridded.contains(&loc)
    }

    fn remark(&mut self, op: OpId, plans_before: usize, why: &Why) {
        let loc = self.body[op].loc;
        let launches = self.launches_in.get(&op).copied().unwrap_or(0);
        let kernels = self.plans.len() - plans_before + launches;
        let alone = match self.has_kernel_at(loc) {
            true => "the rest of this loop nest",
            false => "this loop nest",
        };
        let start = runs_on_the_host(alone, kernels);
        let remark = match why {
            Why::Sequential(Reason::Reduces) if self.has_kernel_at(loc) => Diagnostic::remark(
                loc,
                "the host combines the partial results of this loop's kernel".to_owned(),
            ),
            Why::Sequential(
                reason @ (Reason::CarriesValues(_) | Reason::ShortScan | Reason::OrderedScan),
            ) if self.has_kernel_at(loc) => {
                let start = "the host runs what the kernels of this loop leave";
                reason.remark(self.body, loc, start)
            }
            Why::Sequential(reason) => {
                let mut remark = reason.remark(self.body, loc, &start);
                if let Some(why) = self.kept_order(reason) {
                    remark.message = format!("{}; {why}", remark.message);
                }
                match self.options.level {
                    OptLevel::O0 => remark.with_help(AS_WRITTEN),
                    _ if reason.is_doubt() && launches == 0 => remark.with_help(DECLARE),
                    _ => remark,
                }
            }
            Why::Wraps => Diagnostic::remark(
                loc,
                format!("{start}: its bounds may overflow the 64-bit index"),
            ),
            Why::Obstacle(obstacle) => {
                let message = format!("{start}: it has {}", obstacle.what);
                let severity = match obstacle.is_unsupported && self.options.require_device {
                    true => Severity::Error,
                    false => Severity::Remark,
                };
                Diagnostic::new(severity, loc, message).with_note(obstacle.loc, "here")
            }
        };
        if self.reported.insert((loc, remark.message.clone())) {
            self.remarks.push(remark);
        }
    }
}

/// Advice for a dependence that is not proved, only not excluded.
const DECLARE: &str = "if no iteration reads or overwrites what another one writes, write the \
     loop as scf.parallel, which states that and becomes a kernel";

/// Advice for a sequential loop where no transformation was tried.
const AS_WRITTEN: &str = "-O0 maps loops as they are written; -O1 and -O2 transform those that are \
     not parallel";

enum Visit {
    Op(OpId),
    /// Emits a remark after everything below a loop was visited: the reason why it stays on the
    /// host, and the number of plans made before it.
    Remark(OpId, usize, Why),
    /// Ends the checked copy of a nest.
    EndOfCopy,
}

enum Why {
    Sequential(Reason),
    /// Bounds or counters may wrap around.
    Wraps,
    Obstacle(Obstacle),
}
