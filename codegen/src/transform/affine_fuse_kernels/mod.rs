//! `affine-fuse-kernels`: fuses consecutive nests that would be kernels of their own into one nest.
//!
//! ```text
//! affine.for %i = 0 to %n {                    affine.for %i = 0 to %n {
//!   affine.store f(%i), %t[%i]                   affine.store f(%i), %t[%i]
//! }                                              %x = affine.load %t[%i]
//! affine.for %i = 0 to %n {             ⇒        affine.store g(%x), %y[%i]
//!   %x = affine.load %t[%i]                    }
//!   affine.store g(%x), %y[%i]                 memref.dealloc %t
//! }
//! memref.dealloc %t
//! ```
//!
//! This is the policy over the mechanism of [`affine_loop_fusion`](super::affine_loop_fusion), with
//! its legality: an iteration of one nest depends on no iteration of the other but the same one.
//! `affine-scalrep` then forwards stored elements as values, and temporaries without other readers
//! go.
//!
//! Two nests are fused where that saves an access of memory and costs no parallelism:
//!
//! - all their parallel loops, and no others, agree in bounds, so that the grid stays as it is;
//! - at most one of them has loops inside of those, and the other one comes behind it, or before it
//!   and only to write what it overwrites, from memory that it leaves alone: reductions are cut, and
//!   contractions tiled, where nothing but loads and statements without effects stands in front of them in the
//!   grid's body;
//! - at least one access of the second is of the element that the first accesses in the same iteration:
//!   it becomes free;
//! - buffers and statements of both together are within what every device takes.
//!
//! A `memref.dealloc` between the two moves behind them: nothing observes when memory is freed.
//!
//! `affine-fuse-rows` is a second policy over the same mechanism, for nests of rows (`rows.rs`), and for
//! the loops of one row (`in_row.rs`). Where only the run finds that two grids agree, nests get versions (`versions.rs`).

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::{affine, gpu, memref, scf};
use gridloom_ir::{BlockId, Body, Context, Diagnostic, Diagnostics, Module, OpId};

use super::affine_guard_overflow::is_fallback;
use super::affine_loop_fusion::apply::fuse_nests;
use super::affine_loop_fusion::legality::{
    agreeing_nests, check_between, check_order, check_parallel, perfectly_nested, root,
};
use super::affine_parallelize_reductions::Policy as Reductions;
use super::plans::change_and_tell;
use crate::analysis::access::{Access, Place};
use crate::analysis::alias::{Globals, Root};
use crate::analysis::dependence::Dependences;
use crate::analysis::eligible::obstacle;
use crate::analysis::parallel::{distinct_accesses, verdict};
use crate::target::OffloadOptions;

mod in_row;
mod meeting;
mod rows;
mod versions;

use in_row::RowFusion;
use versions::{Version, add_versions};

/// Limit of the preceding loops that a loop is compared with.
const MAX_CANDIDATES: usize = 6;

/// Limit of the rounds of fusion: fusing `n` nests pair by pair takes log₂ `n` rounds.
const MAX_ROUNDS: usize = 8;

/// Limit of the operations of both nests together: the registers of a thread grow with them.
const MAX_OPERATIONS: usize = 160;

/// Limit of the distinct accesses of both nests together; all pairs of them are compared.
const MAX_ACCESSES: usize = 40;

/// Buffers of a kernel that every device takes (WebGPU's limit, less the report of faults).
const MAX_BUFFERS: usize = 7;

/// Fusion policy: which nests are fused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FusionPolicy {
    /// Nests with equal grids, fused along all of their parallel loops.
    Kernels,
    /// Nests over the same rows, fused where a workgroup's threads share each row.
    Rows,
}

/// Fuses nests in the host functions of a module. Returns whether anything changed, and, where verdicts
/// are asked for, remarks on the nests that are a part of another one now.
pub fn fuse_kernels(
    ctx: &Context,
    module: &mut Module,
    options: &OffloadOptions,
    policy: FusionPolicy,
) -> (bool, Diagnostics) {
    let (changed, mut remarks) = fuse_in_rounds(ctx, module, options, policy);
    // Whoever launches kernels alone expects one for a nest.
    let may_add = policy == FusionPolicy::Kernels && !options.only_kernels;
    if !may_add || !add_versions(ctx, module, options) {
        return (changed, remarks);
    }
    remarks.append(fuse_in_rounds(ctx, module, options, policy).1);
    (true, remarks)
}

fn fuse_in_rounds(
    ctx: &Context,
    module: &mut Module,
    options: &OffloadOptions,
    policy: FusionPolicy,
) -> (bool, Diagnostics) {
    change_and_tell(
        ctx,
        module,
        MAX_ROUNDS,
        |body, globals| {
            let mut planner = Planner::new(ctx, body, globals, options, policy);
            planner.plan_body();
            let mut remarks = Diagnostics::new();
            if options.verdicts {
                (planner.plans.iter()).for_each(|plan| remarks.push(plan.remark(body)));
            }
            let relies = planner.reductions.deps.aliases.relied_on_arguments();
            let fusions = planner.plans.into_iter().map(FusionPlan::Nests);
            let in_rows = planner.row_plans.into_iter().map(FusionPlan::InRow);
            ((fusions.chain(in_rows).collect(), relies), remarks)
        },
        |plan, body| match plan {
            FusionPlan::Nests(plan) => plan.apply(body),
            FusionPlan::InRow(plan) => plan.apply(ctx, body),
        },
    )
}

/// Plan of one fusion.
enum FusionPlan {
    Nests(Plan),
    InRow(RowFusion),
}

/// Fusion plan: two nests that become one at the place of the second.
struct Plan {
    nests: [Vec<ForOp>; 2],
    /// Deallocations between the nests of memory that the first one uses.
    frees: Vec<OpId>,
}

impl Plan {
    /// The remark on the second nest.
    fn remark(&self, body: &Body) -> Diagnostic {
        let [first, second] = self.nests.each_ref().map(|nest| body[nest[0].0].loc);
        let message = "this loop is fused into the kernel of a loop before it";
        Diagnostic::remark(second, message).with_note(first, "the loop before it")
    }

    fn apply(&self, body: &mut Body) {
        let [first, second] = &self.nests;
        let mut behind = second[0].0;
        for &free in &self.frees {
            body.detach(free);
            body.insert_after(behind, free);
            behind = free;
        }
        fuse_nests(body, first, second);
    }
}

/// A nest that would be a kernel.
struct Kernel {
    /// Parallel loops of the nest, outermost first.
    band: Vec<ForOp>,
    has_inner_loops: bool,
    operations: usize,
}

/// Planner: finds pairs of nests in one body, without changing it.
struct Planner<'a> {
    policy: FusionPolicy,
    /// Dependence analysis, with what reduces.
    reductions: Reductions<'a>,
    options: &'a OffloadOptions,
    plans: Vec<Plan>,
    /// Fusions of loops in the rows of other nests.
    row_plans: Vec<RowFusion>,
    /// Whether the planner looks for nests that agree only for some sizes, and what it found.
    assumes: bool,
    version: Option<Version>,
    /// Accesses of loops and of the operations between them.
    accesses: HashMap<OpId, Rc<[Access]>>,
    /// Memo of kernels by their outermost loop; `None` for a loop that would be no kernel.
    kernels: HashMap<OpId, Option<Kernel>>,
}

impl<'a> Planner<'a> {
    fn new(
        ctx: &'a Context,
        body: &'a Body,
        globals: &'a Globals,
        options: &'a OffloadOptions,
        policy: FusionPolicy,
    ) -> Self {
        Planner {
            policy,
            reductions: Reductions::new(ctx, body, globals, options),
            options,
            plans: Vec::new(),
            row_plans: Vec::new(),
            assumes: false,
            version: None,
            accesses: HashMap::new(),
            kernels: HashMap::new(),
        }
    }

    fn deps(&mut self) -> &mut Dependences<'a> {
        &mut self.reductions.deps
    }

    fn body(&self) -> &'a Body {
        self.reductions.deps.values.body
    }

    /// Plans fusions in all blocks except those inside of kernels.
    fn plan_body(&mut self) {
        let body = self.body();
        let mut blocks: Vec<BlockId> = body.top_blocks().collect();
        while let Some(block) = blocks.pop() {
            let loops = self.plan_block(block);
            for op in body.ops(block) {
                let is_kernel = match body[op].name {
                    gpu::LAUNCH | scf::PARALLEL | scf::FORALL | affine::PARALLEL => true,
                    // Fusion needs a block with two loops somewhere below.
                    affine::FOR => !has_siblings(body, op) || self.is_kernel(op),
                    _ => false,
                };
                if is_kernel && self.policy == FusionPolicy::Rows && !loops.contains(&op) {
                    let plan = ForOp::cast(body, op).and_then(|outer| self.plan_in_row(outer));
                    self.row_plans.extend(plan);
                }
                if is_kernel || loops.contains(&op) {
                    continue;
                }
                for &region in body[op].inline_regions() {
                    blocks.extend(body[region].blocks.iter().copied());
                }
            }
        }
    }

    fn is_kernel(&mut self, op: OpId) -> bool {
        verdict(self.deps(), op).is_parallel()
    }

    /// Plans fusions for the loops of a block, at most one for each. Returns the loops that take
    /// part.
    fn plan_block(&mut self, block: BlockId) -> HashSet<OpId> {
        let body = self.body();
        let ops: Vec<OpId> = body.ops(block).collect();
        let is_loop = |&at: &usize| {
            ForOp::cast(body, ops[at])
                .is_some_and(|l| body[l.0].num_results() == 0 && !is_fallback(body, l.0))
        };
        let loops: Vec<usize> = (0..ops.len()).filter(is_loop).collect();
        let mut fused = HashSet::new();
        for (number, &second) in loops.iter().enumerate() {
            let from = number.saturating_sub(MAX_CANDIDATES);
            for &first in loops[from..number].iter().rev() {
                if fused.contains(&ops[first]) || fused.contains(&ops[second]) {
                    continue;
                }
                let pair = [ForOp(ops[first]), ForOp(ops[second])];
                if self.assumes {
                    let rest = &ops[first + 1..];
                    self.version =
                        (self.version.take()).or_else(|| self.plan_version(block, pair, rest));
                    continue;
                }
                if let Some(plan) = self.plan_pair(block, pair, &ops[first + 1..second]) {
                    fused.extend([ops[first], ops[second]]);
                    self.plans.push(plan);
                }
            }
        }
        fused
    }

    /// Plans the fusion of two nests if it is legal and pays.
    fn plan_pair(&mut self, block: BlockId, pair: [ForOp; 2], between: &[OpId]) -> Option<Plan> {
        let nests = agreeing_nests(self.deps(), pair);
        self.plan_nests(block, pair, nests, between)
    }

    /// Plans the fusion of two nests by loops that agree in their bounds; cheap tests come first.
    fn plan_nests(
        &mut self,
        block: BlockId,
        pair: [ForOp; 2],
        nests: [Vec<ForOp>; 2],
        between: &[OpId],
    ) -> Option<Plan> {
        let [first, second] = pair.map(|l| self.accesses_of(l.0));
        let count = first.len() + second.len();
        if count > MAX_ACCESSES || !share_memory(&first, &second) {
            return None;
        }
        let is_plain = |a: &Access| a.place != Place::Anything && a.update.is_none();
        if !first.iter().chain(&*second).all(is_plain) {
            return None;
        }
        let roots = |accesses: &[Access]| -> HashSet<Root> {
            accesses.iter().filter_map(|a| root(&a.place)).collect()
        };
        if nests[0].is_empty() {
            return None;
        }
        if (&roots(&first) | &roots(&second)).len() > MAX_BUFFERS {
            return None;
        }
        let depth = match self.policy {
            FusionPolicy::Kernels => self.common_band(pair, [&first, &second])?,
            FusionPolicy::Rows => self.common_rows(pair)?,
        };
        if nests[0].len() < depth {
            return None;
        }
        let nests = nests.map(|nest| nest[..depth].to_vec());
        let is_whole = self.policy == FusionPolicy::Kernels;
        if !self.meet_in_an_iteration(&nests, [&first, &second], is_whole) {
            return None;
        }
        let accesses = [&first[..], &second[..]];
        let frees = self.check_between(block, &first, between)?;
        for level in 0..depth {
            check_order(self.deps(), block, &nests, level, accesses).ok()?;
            check_parallel(self.deps(), block, &nests, level, accesses, 0).ok()?;
        }
        Some(Plan { nests, frees })
    }

    /// The number of parallel loops that two nests share, if both would be kernels with that many,
    /// and reductions still come first.
    fn common_band(&mut self, pair: [ForOp; 2], accesses: [&[Access]; 2]) -> Option<usize> {
        let [first, second] = self.kernels_of(pair)?;
        let is_common = first.band.len() == second.band.len();
        let depth = first.band.len();
        (is_common && self.keeps_reductions_first(pair, accesses)).then_some(depth)
    }

    /// The kernels that two loops would become, if one kernel has room for both.
    fn kernels_of(&mut self, pair: [ForOp; 2]) -> Option<[&Kernel; 2]> {
        for l in pair {
            self.kernel(l)?;
        }
        let [first, second] = pair.map(|l| self.kernels.get(&l.0).and_then(Option::as_ref));
        let (first, second) = first.zip(second)?;
        let fits = first.operations + second.operations <= MAX_OPERATIONS;
        fits.then_some([first, second])
    }

    /// The kernel that a loop would become, from the memo.
    fn kernel(&mut self, outer: ForOp) -> Option<&Kernel> {
        if !self.kernels.contains_key(&outer.0) {
            let kernel = self.kernel_of(outer);
            self.kernels.insert(outer.0, kernel);
        }
        self.kernels.get(&outer.0).and_then(Option::as_ref)
    }

    /// The kernel that a loop would become.
    fn kernel_of(&mut self, outer: ForOp) -> Option<Kernel> {
        let (ctx, body) = (self.deps().values.ctx, self.body());
        let operations = body.walk_op(outer.0).len();
        if operations > MAX_OPERATIONS
            || obstacle(ctx, body, outer.0, self.options.target.as_ref()).is_some()
        {
            return None;
        }
        let mut band: Vec<ForOp> = Vec::new();
        let mut next = Some(outer);
        while let Some(l) = next.filter(|l| verdict(self.deps(), l.0).is_parallel()) {
            band.push(l);
            next = perfectly_nested(body, l);
        }
        let last = *band.last()?;
        let has_inner_loops = body
            .ops(last.block(body))
            .any(|op| !body[op].inline_regions().is_empty());
        Some(Kernel {
            band,
            has_inner_loops,
            operations,
        })
    }

    /// Whether reductions, if there are any, still come first in the grid's body, apart from stores
    /// that they overwrite and loads of what they do not write, which are repeated in front of them.
    fn keeps_reductions_first(&self, pair: [ForOp; 2], accesses: [&[Access]; 2]) -> bool {
        let has_loops = pair.map(|l| {
            let kernel = self.kernels.get(&l.0).and_then(Option::as_ref);
            kernel.is_some_and(|kernel| kernel.has_inner_loops)
        });
        let written = |accesses: &[Access]| -> HashSet<Root> {
            let writes = accesses.iter().filter(|a| a.is_write);
            writes.filter_map(|a| root(&a.place)).collect()
        };
        match has_loops {
            [_, false] => true,
            [true, true] => false,
            [false, true] => {
                let [first, second] = accesses.map(written);
                let mut read = accesses[0].iter().filter(|a| !a.is_write);
                first.is_subset(&second)
                    && read.all(|a| root(&a.place).is_some_and(|read| !second.contains(&read)))
            }
        }
    }

    /// Operations to move behind the second nest; `None` if the first nest cannot sink below the
    /// operations between the two.
    fn check_between(
        &mut self,
        block: BlockId,
        first: &[Access],
        between: &[OpId],
    ) -> Option<Vec<OpId>> {
        let body = self.body();
        let mut frees = Vec::new();
        for &op in between {
            let passed = self.accesses_of(op);
            if check_between(self.deps(), block, first, &passed).is_ok() {
                continue;
            }
            if body[op].name != memref::DEALLOC {
                return None;
            }
            frees.push(op);
        }
        Some(frees)
    }

    fn accesses_of(&mut self, op: OpId) -> Rc<[Access]> {
        if let Some(known) = self.accesses.get(&op) {
            return Rc::clone(known);
        }
        let found: Rc<[Access]> = distinct_accesses(self.deps(), op).into();
        self.accesses.insert(op, Rc::clone(&found));
        found
    }
}

/// Whether one list of accesses writes memory that the other touches, or both read the same memory.
fn share_memory(first: &[Access], second: &[Access]) -> bool {
    let roots: HashSet<Root> = first.iter().filter_map(|a| root(&a.place)).collect();
    let mut others = second.iter().filter_map(|a| root(&a.place));
    others.any(|other| roots.contains(&other))
}

/// Whether some block in a loop has several loops.
fn has_siblings(body: &Body, outer: OpId) -> bool {
    let mut seen: HashSet<BlockId> = HashSet::new();
    let below = body.walk_op(outer).into_iter();
    let mut blocks = below.filter_map(|op| match body[op].name == affine::FOR && op != outer {
        true => body[op].parent(),
        false => None,
    });
    blocks.any(|block| !seen.insert(block))
}
