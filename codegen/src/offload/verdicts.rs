//! Loop verdicts: remarks on loops without a remark of their own, namely mapped loops, sequential
//! loops of kernels, and loops that are not affine.

use std::collections::{HashMap, HashSet};

use gridloom_dialects::affine::{self, ParallelOp};
use gridloom_dialects::{gpu, scf};
use gridloom_ir::{BlockId, Body, Diagnostic, Diagnostics, Loc, OpId, RegionId};

use super::plan::NestPlan;
use crate::analysis::dependence::Dependences;
use crate::analysis::loop_kind::is_any_loop;
use crate::analysis::parallel::{Verdict, explained, verdict};
use crate::transform::affine_guard_bounds::is_checked_copy;
use crate::transform::affine_guard_overflow::is_fallback;
use crate::transform::raise_to_affine::remarks::remark_on;

/// Remarks on loops in program order. Equal remarks on one place are given once, since passes copy
/// loops.
pub fn verdicts(deps: &mut Dependences, plans: &[NestPlan]) -> Diagnostics {
    let body = deps.values.body;
    let bands = plans.iter().map(|plan| (plan.band[0].counter.op, plan));
    let mut walk = Walk {
        bands: bands.collect(),
        gridded: HashSet::new(),
        kernels_in: launches_in(body),
        shared: HashSet::new(),
        reported: HashSet::new(),
        remarks: Diagnostics::new(),
    };
    let loops = plans.iter().flat_map(|plan| &plan.band);
    walk.gridded.extend(loops.map(|l| l.counter.op));
    for &root in walk.bands.keys() {
        count_around(body, root, &mut walk.kernels_in);
    }
    for &region in body.regions() {
        walk.back_edges(body, region);
    }
    let mut skipped: HashSet<OpId> = HashSet::new();
    let mut inside: HashSet<OpId> = HashSet::new();
    for op in body.walk() {
        let parent = body.parent_op(op);
        let is_below = |set: &HashSet<OpId>| parent.is_some_and(|parent| set.contains(&parent));
        // Loops of the program's own kernels get no remark, nor do fallback copies of a nest, which
        // run where the other copy would wrap around or leave its memrefs.
        let is_copy = is_fallback(body, op) || is_checked_copy(body, op);
        if is_below(&skipped) || body[op].name == gpu::LAUNCH || is_copy {
            skipped.insert(op);
            continue;
        }
        if walk.bands.contains_key(&op) || is_below(&inside) {
            inside.insert(op);
        }
        for &region in body[op].inline_regions() {
            walk.back_edges(body, region);
        }
        walk.visit(deps, op, inside.contains(&op));
    }
    walk.remarks
}

struct Walk<'p> {
    /// Plans by the outermost loop of their band.
    bands: HashMap<OpId, &'p NestPlan>,
    /// Number of kernels below each operation, made and of the program.
    kernels_in: HashMap<OpId, usize>,
    /// All loops that belong to bands.
    gridded: HashSet<OpId>,
    /// Places of loops whose iterations threads share.
    shared: HashSet<Loc>,
    reported: HashSet<(Loc, String)>,
    remarks: Diagnostics,
}

/// Number of the program's own launches below each operation that has some.
pub(super) fn launches_in(body: &Body) -> HashMap<OpId, usize> {
    let mut counts = HashMap::new();
    if body.may_hold_any(|name| matches!(name, gpu::LAUNCH | gpu::LAUNCH_FUNC)) {
        let is_launch = |op: &OpId| matches!(body[*op].name, gpu::LAUNCH | gpu::LAUNCH_FUNC);
        let launches = body.walk().into_iter().filter(is_launch);
        launches.for_each(|launch| count_around(body, launch, &mut counts));
    }
    counts
}

/// Counts a kernel for every operation around it.
fn count_around(body: &Body, kernel: OpId, counts: &mut HashMap<OpId, usize>) {
    for op in body.ancestors(kernel) {
        *counts.entry(op).or_default() += 1;
    }
}

/// Begin of a remark on a loop that stays on the host, and the kernels in it.
pub(super) fn runs_on_the_host(alone: &str, kernels: usize) -> String {
    match kernels {
        0 => format!("{alone} runs on the host"),
        1 => "this loop around one kernel runs on the host".to_owned(),
        n => format!("this loop around {n} kernels runs on the host"),
    }
}

impl Walk<'_> {
    fn visit(&mut self, deps: &mut Dependences, op: OpId, is_inside: bool) {
        let body = deps.values.body;
        if let Some(plan) = self.bands.get(&op) {
            // A band without counters is a block that one thread runs, not a loop of the program.
            let is_block = body[op].name == affine::PARALLEL;
            if is_block && plan.is_one_iteration() {
                return;
            }
            let remark = mapped(body, op, plan);
            return self.report(remark);
        }
        if !is_any_loop(body, op) || self.gridded.contains(&op) {
            return;
        }
        if is_inside {
            let remark = match self.in_workgroup(deps, op) {
                Role::Thread => in_threads(deps, op, self.runs_once(body, op)),
                Role::Phase => return,
                Role::Shared => {
                    self.shared.insert(body[op].loc);
                    shared(body, op)
                }
                Role::Step if walks_tiles(body, op) => shared(body, op),
                // It combines the partial results of a shared loop, which has a remark.
                Role::Step if self.shared.contains(&body[op].loc) => return,
                Role::Step => sequential(
                    deps,
                    op,
                    "every thread of the workgroup runs all \
                     iterations of this loop",
                ),
            };
            return self.report(remark);
        }
        let loc = body[op].loc;
        let why = match body[op].name {
            // These loops have remarks of their own.
            affine::FOR | affine::PARALLEL | scf::PARALLEL | scf::FORALL => return,
            scf::WHILE => "its trip count is not known in advance",
            _ => {
                "its iterations cannot be proved independent, since its subscripts or conditions \
                 are not affine"
            }
        };
        let kernels = self.kernels_in.get(&op).copied().unwrap_or(0);
        let start = runs_on_the_host("this loop", kernels);
        let reason = match body[op].name {
            scf::FOR => remark_on(&mut deps.values, op, &start),
            _ => None,
        };
        self.report(reason.unwrap_or_else(|| Diagnostic::remark(loc, format!("{start}: {why}"))));
    }

    /// Whether a loop lies in a block that runs once, in one thread.
    fn runs_once(&self, body: &Body, op: OpId) -> bool {
        let mut plans = (body.ancestors(op)).filter_map(|around| self.bands.get(&around));
        plans.any(|plan| plan.is_one_iteration() && plan.phases.is_none())
    }

    /// The role of a loop in a nest that workgroups run, each all of it or one iteration of its band.
    fn in_workgroup(&self, deps: &Dependences, op: OpId) -> Role {
        let body = deps.values.body;
        let is_root = |&outer: &OpId| {
            let plan = self.bands.get(&outer);
            plan.is_some_and(|plan| plan.phases.is_some())
        };
        let Some(root) = body.ancestors(op).find(is_root) else {
            return Role::Thread;
        };
        let around = std::iter::once(op).chain(body.ancestors(op));
        let phases = (around.take_while(|&outer| outer != root))
            .filter(|outer| body[*outer].name == affine::PARALLEL && !self.gridded.contains(outer));
        match phases.last() {
            None => Role::Step,
            Some(phase) if phase == op => Role::Phase,
            Some(phase) => {
                let threads = ParallelOp(phase).induction_vars(body);
                let mut operands = body[op].operands.iter();
                match operands.any(|operand| threads.contains(operand)) {
                    true => Role::Shared,
                    false => Role::Thread,
                }
            }
        }
    }

    /// Makes remarks on loops of the control-flow graph, at branches back to a block that leads to
    /// them.
    fn back_edges(&mut self, body: &Body, region: RegionId) {
        for (from, to) in back_edges(body, region) {
            let Some(branch) = body[from].last() else {
                continue;
            };
            let message = "the loop that this branch closes runs on the host: control flow between \
                           basic blocks is not mapped to kernels";
            let mut remark = Diagnostic::remark(body[branch].loc, message);
            if let Some(first) = body[to].first() {
                remark = remark.with_note(body[first].loc, "it begins here");
            }
            self.report(remark);
        }
    }

    fn report(&mut self, remark: Diagnostic) {
        if self.reported.insert((remark.loc, remark.message.clone())) {
            self.remarks.push(remark);
        }
    }
}

/// Role of a loop in a kernel.
enum Role {
    /// Each thread runs the loop.
    Thread,
    /// The loop is a band of the workgroup's threads, made by a pass.
    Phase,
    /// Threads share the loop's iterations.
    Shared,
    /// All threads run the loop, with barriers between its steps.
    Step,
}

/// Remark on a nest that becomes a kernel.
fn mapped(body: &Body, op: OpId, plan: &NestPlan) -> Diagnostic {
    let mut loops: Vec<OpId> = plan.band.iter().map(|l| l.counter.op).collect();
    loops.dedup();
    let used = plan.dims.iter().filter(|dim| !dim.is_empty()).count();
    let runner = plan.runner();
    let message = match (loops.len(), used) {
        (1, 1) => format!("this loop becomes a kernel: each {runner} runs one of its iterations"),
        (_, 1) => "this loop nest becomes a kernel with a grid of one dimension".to_owned(),
        (_, n) => format!("this loop nest becomes a kernel with a grid of {n} dimensions"),
    };
    let start = Diagnostic::remark(body[op].loc, message);
    loops[1..].iter().fold(start, |remark, &inner| {
        remark.with_note(body[inner].loc, "with this loop")
    })
}

/// Whether a loop takes the tiles of one loop of the program in turn, whose iterations threads share.
fn walks_tiles(body: &Body, op: OpId) -> bool {
    let below = body.walk_op(op).into_iter();
    let mut bands = below.filter(|&below| body[below].name == affine::PARALLEL);
    bands.any(|band| body[band].loc == body[op].loc)
}

/// Remark on a loop whose iterations the threads of a workgroup share.
fn shared(body: &Body, op: OpId) -> Diagnostic {
    Diagnostic::remark(
        body[op].loc,
        "the threads of the workgroup share the iterations of this loop",
    )
}

/// Remark on a loop that every thread of a kernel runs, or its only one.
fn in_threads(deps: &mut Dependences, op: OpId, is_alone: bool) -> Diagnostic {
    let body = deps.values.body;
    let loc = body[op].loc;
    let start = match is_alone {
        true => "a kernel of one thread runs this loop, one iteration after the other",
        false => "each thread of the kernel runs this loop, one iteration after the other",
    };
    match (body[op].name, verdict(deps, op)) {
        (scf::WHILE, _) => Diagnostic::remark(loc, start),
        (_, Verdict::Sequential(_)) => sequential(deps, op, start),
        (_, Verdict::Parallel) => Diagnostic::remark(
            loc,
            format!(
                "{start}: its iterations are independent, but it cannot be a dimension of the \
                 grid, because of its bounds, or of other statements in the loop around it"
            ),
        ),
    }
}

/// Remark on a loop that is not mapped, with the reason if it is sequential.
fn sequential(deps: &mut Dependences, op: OpId, start: &str) -> Diagnostic {
    let body = deps.values.body;
    let loc = body[op].loc;
    match verdict(deps, op) {
        Verdict::Sequential(reason) => {
            let reason = explained(deps, op, reason);
            reason.remark(body, loc, start)
        }
        Verdict::Parallel => Diagnostic::remark(loc, start.to_owned()),
    }
}

/// Back edges: branches to a block on the depth-first path that leads to them.
fn back_edges(body: &Body, region: RegionId) -> Vec<(BlockId, BlockId)> {
    let mut found = Vec::new();
    let blocks = &body[region].blocks;
    if blocks.len() < 2 {
        return found;
    }
    let successors = |block: BlockId| match body[block].last() {
        Some(last) => body[last].successors(),
        None => &[],
    };
    let mut seen: HashSet<BlockId> = HashSet::new();
    let mut open: HashSet<BlockId> = HashSet::new();
    let mut stack = vec![(blocks[0], None)];
    while let Some((block, next)) = stack.pop() {
        let targets = successors(block);
        let next = next.unwrap_or_else(|| {
            seen.insert(block);
            open.insert(block);
            0
        });
        let Some(&target) = targets.get(next) else {
            open.remove(&block);
            continue;
        };
        stack.push((block, Some(next + 1)));
        if open.contains(&target) {
            found.push((block, target));
        } else if !seen.contains(&target) {
            stack.push((target, None));
        }
    }
    found
}
