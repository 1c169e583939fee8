//! `affine-loop-fusion`: fuses two loops of one block into one.
//!
//! ```text
//! affine.for %i = 0 to %n { S(%i) }            affine.for %i = 0 to %n {
//! affine.for %i = 0 to %n { T(%i) }      ⇒       S(%i)
//!                                                T(%i)
//! ```
//!
//! Perfect nests are fused as deep as their bounds agree. Where that would make an iteration of
//! `T` read what a later one of `S` writes, or the loops have other ranges, single loops are fused
//! with a *shift*: `T(%i - s)` runs together with `S(%i)`, and what has no partner runs before
//! and behind.
//!
//! ```text
//!                                              affine.for %i = 0 to 1 { S(%i) }
//! affine.for %i = 0 to 9 { S(%i) }             affine.for %i = 1 to 9 {
//! affine.for %i = 0 to 8 { T(%i) }      ⇒        S(%i)
//!                                                T(%i - 1)
//!                                              }
//! ```
//!
//! Legal where no iteration of `T` comes before one of `S` that it depends on, for which the least
//! shift is taken, and where `S` does not depend on what stands between the loops, since it sinks
//! to `T`. It is done where both access one memory: `T` what `S` writes (`mode=producer`), or both
//! read the same (`mode=sibling`). A loop that is parallel stays so unless `maximal`
//! says otherwise. What is then stored and loaded in one iteration only, `affine-scalrep` keeps in
//! a value, and the buffer goes.

pub(super) mod apply;
pub(super) mod legality;

use std::collections::{HashMap, HashSet};

use gridloom_dialects::affine::ForOp;
use gridloom_ir::{BlockId, Body, Context, Diagnostic, Diagnostics, Module, OpId};

use super::plans::change_with_remarks;
use crate::analysis::access::Access;
use crate::analysis::alias::{Globals, Root};
use crate::analysis::dependence::{Dependence, Dependences};
use crate::analysis::opaque::Opaque;
use crate::analysis::parallel::{MAX_ACCESSES, dependence_notes, distinct_accesses, verdict};
use apply::{Fusion, Pieces};

/// Options of loop fusion: the pairs that are considered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FusionOptions {
    /// Whether a loop is fused with a later one that accesses memory it writes.
    pub producers: bool,
    /// Whether loops are fused that read the same memory.
    pub siblings: bool,
    /// Whether parallel loops may become sequential.
    pub maximal: bool,
}

/// Limit of the preceding loops that a loop is compared with.
const MAX_CANDIDATES: usize = 8;

/// Limit of the rounds of fusion: fusing `n` loops pair by pair takes log₂ `n` rounds, and each
/// depth one more.
const MAX_ROUNDS: usize = 16;

/// Fuses loops in the host functions of a module. Returns whether anything changed, and why loops
/// stay apart.
pub fn fuse_module(
    ctx: &Context,
    module: &mut Module,
    options: FusionOptions,
) -> (bool, Diagnostics) {
    change_with_remarks(
        ctx,
        module,
        MAX_ROUNDS,
        |body, globals| {
            let mut planner = Planner::new(ctx, body, globals, options);
            planner.plan_body();
            let relied = planner.deps.aliases.relied_on_arguments();
            ((planner.plans, relied), planner.remarks)
        },
        |plan, body| plan.apply(ctx, body),
    )
}

/// Fuses two loops of a block, profitable or not: the first one, the second one, and the operations
/// between them. Returns whether that relies on disjoint arguments.
///
/// # Errors
/// A remark that begins with `start` and says why the loops stay apart.
pub(super) fn fuse_pair(
    ctx: &Context,
    body: &mut Body,
    globals: &Globals,
    (block, pair, between): (BlockId, [ForOp; 2], &[OpId]),
    start: &str,
) -> Result<bool, Box<Diagnostic>> {
    let options = FusionOptions {
        producers: true,
        siblings: true,
        maximal: true,
    };
    let mut planner = Planner::new(ctx, body, globals, options);
    let plan = planner.plan_related(block, pair, between);
    let plan = plan.map_err(|why| Box::new(why.diagnostic(body, pair, start)))?;
    let relied = planner.deps.aliases.relied_on_arguments();
    plan.apply(ctx, body);
    Ok(relied)
}

/// Refusal to fuse two loops.
pub(super) enum Refusal {
    /// The loops share no memory, or not as the options require.
    Unrelated,
    /// One of the loops carries values from iteration to iteration.
    Carries,
    /// An operation has unknown effects.
    Opaque(Opaque),
    /// The loops have more accesses than the limit of the dependence analysis.
    TooLarge,
    /// The bounds cannot be compared, or shifted ones may exceed 64 bits.
    Bounds,
    /// Fusion might not pay, or would undo an earlier split of a loop.
    Policy,
    /// An operation between the loops depends on the first one, or may.
    Between(Box<[Access; 2]>, Dependence),
    /// The second loop would run too early, by more than the greatest shift or by an unknown
    /// distance.
    Violates(Box<[Access; 2]>, Dependence),
    /// A parallel loop would become sequential.
    Sequential(Box<[Access; 2]>, Dependence),
}

impl Refusal {
    /// Remark on the second loop; `None` where fusion had nothing to gain.
    fn remark(&self, body: &Body, [first, second]: [ForOp; 2]) -> Option<Diagnostic> {
        // The loops are pieces of one loop that an earlier round has split.
        let is_cut = body[first.0].loc == body[second.0].loc;
        if is_cut || matches!(self, Refusal::Unrelated | Refusal::Policy) {
            return None;
        }
        let start = "this loop is not fused with one before it";
        Some(self.diagnostic(body, [first, second], start))
    }

    /// Remark that begins with `start` and states the refusal.
    fn diagnostic(&self, body: &Body, [first, second]: [ForOp; 2], start: &str) -> Diagnostic {
        let loc = body[second.0].loc;
        let plain = |why: &str| Diagnostic::remark(loc, format!("{start}: {why}"));
        let depends = |what: &str, accesses: &[Access; 2], dependence: &Dependence| {
            dependence_notes(body, loc, [start, what], accesses, dependence)
        };
        let remark = match self {
            Refusal::Unrelated => plain("they have no memory in common"),
            Refusal::Policy => plain("they have no iterations in common"),
            Refusal::Carries => plain("one of them carries values from one iteration to the next"),
            Refusal::Opaque(opaque) => opaque.remark(loc, &format!("{start}: they have")),
            Refusal::TooLarge => plain(&format!(
                "they have more than {MAX_ACCESSES} accesses, the limit of the dependence analysis"
            )),
            Refusal::Bounds => {
                plain("their ranges are not known to differ by a constant, or may overflow 64 bits")
            }
            Refusal::Between(accesses, dependence) => depends(
                "an operation between them has to run after the first one because of",
                accesses,
                dependence,
            ),
            Refusal::Violates(accesses, dependence) => {
                depends("one loop would violate", accesses, dependence)
            }
            Refusal::Sequential(accesses, dependence) => depends(
                "a parallel loop would become sequential (option 'maximal' permits that) because of",
                accesses,
                dependence,
            ),
        };
        remark.with_note(body[first.0].loc, "the loop before it")
    }
}

/// Planner: finds pairs of loops in one body, without changing it.
struct Planner<'a> {
    deps: Dependences<'a>,
    options: FusionOptions,
    plans: Vec<Fusion>,
    remarks: Diagnostics,
    /// Accesses of loops and of the operations between them.
    accesses: HashMap<OpId, Vec<Access>>,
    is_parallel: HashMap<OpId, bool>,
}

impl<'a> Planner<'a> {
    fn new(ctx: &'a Context, body: &'a Body, globals: &'a Globals, options: FusionOptions) -> Self {
        Planner {
            deps: Dependences::new(ctx, body, globals),
            options,
            plans: Vec::new(),
            remarks: Diagnostics::new(),
            accesses: HashMap::new(),
            is_parallel: HashMap::new(),
        }
    }

    /// Plans fusions in all blocks except those in loops that have a plan: these wait for the next
    /// round.
    fn plan_body(&mut self) {
        let body = self.deps.values.body;
        let mut blocks: Vec<BlockId> = body.top_blocks().collect();
        while let Some(block) = blocks.pop() {
            let fused = self.plan_block(block);
            for op in body.ops(block).filter(|op| !fused.contains(op)) {
                for &region in body[op].inline_regions() {
                    blocks.extend(body[region].blocks.iter().copied());
                }
            }
        }
    }

    /// Plans fusions for the loops of a block, at most one for each. Returns the loops that take
    /// part.
    fn plan_block(&mut self, block: BlockId) -> HashSet<OpId> {
        let body = self.deps.values.body;
        let ops: Vec<OpId> = body.ops(block).collect();
        let is_loop = |&at: &usize| ForOp::cast(body, ops[at]).is_some();
        let loops: Vec<usize> = (0..ops.len()).filter(is_loop).collect();
        let mut fused = HashSet::new();
        for (number, &second) in loops.iter().enumerate() {
            let from = number.saturating_sub(MAX_CANDIDATES);
            let mut refusal: Option<Diagnostic> = None;
            for &first in loops[from..number].iter().rev() {
                if fused.contains(&ops[first]) || fused.contains(&ops[second]) {
                    continue;
                }
                let pair = [ForOp(ops[first]), ForOp(ops[second])];
                match self.plan_pair(block, pair, &ops[first + 1..second]) {
                    Ok(plan) => {
                        fused.extend([ops[first], ops[second]]);
                        self.plans.push(plan);
                    }
                    Err(why) => refusal = refusal.or_else(|| why.remark(body, pair)),
                }
            }
            if !fused.contains(&ops[second])
                && let Some(remark) = refusal
            {
                self.remarks.push(remark);
            }
        }
        fused
    }

    fn plan_pair(
        &mut self,
        block: BlockId,
        pair: [ForOp; 2],
        between: &[OpId],
    ) -> Result<Fusion, Refusal> {
        let [first, second] = pair.map(|l| self.accesses_of(l.0));
        if !self.is_related(&first, &second) {
            return Err(Refusal::Unrelated);
        }
        self.plan_related(block, pair, between)
    }

    /// Plans the fusion of two loops, whatever memory they share.
    fn plan_related(
        &mut self,
        block: BlockId,
        pair: [ForOp; 2],
        between: &[OpId],
    ) -> Result<Fusion, Refusal> {
        let body = self.deps.values.body;
        let [first, second] = pair.map(|l| self.accesses_of(l.0));
        if pair.iter().any(|l| body[l.0].num_results() > 0) {
            return Err(Refusal::Carries);
        }
        let accesses = first.iter().chain(&second);
        if let Some(opaque) = Opaque::among(&self.deps.values, accesses) {
            return Err(Refusal::Opaque(opaque));
        }
        if first.len() + second.len() > MAX_ACCESSES {
            return Err(Refusal::TooLarge);
        }
        for &op in between {
            let passed = self.accesses_of(op);
            legality::check_between(&mut self.deps, block, &first, &passed)?;
        }
        self.plan_loops(block, pair, [&first, &second])
    }

    /// Plans the fusion of nests as deep as they agree in bounds, or of the outermost loops with a
    /// shift.
    fn plan_loops(
        &mut self,
        block: BlockId,
        pair: [ForOp; 2],
        accesses: [&[Access]; 2],
    ) -> Result<Fusion, Refusal> {
        let nests = legality::agreeing_nests(&mut self.deps, pair);
        let mut refused = None;
        for level in 0..nests[0].len() {
            let deeper = self.check_level(block, &nests, level, accesses);
            if let Err(why) = deeper {
                refused = Some((level, why));
                break;
            }
        }
        let depth = refused.as_ref().map_or(nests[0].len(), |(level, _)| *level);
        if depth > 0 {
            let nests = nests.map(|nest| nest[..depth].to_vec());
            return Ok(Fusion::Nests(nests));
        }
        if let Some((_, why @ Refusal::Sequential(..))) = refused {
            return Err(why);
        }
        let shift = legality::least_shift(&mut self.deps, block, pair, accesses)?;
        let nests = pair.map(|l| vec![l]);
        self.check_parallel(block, &nests, 0, accesses, shift)?;
        let pieces = Pieces::plan(&mut self.deps, pair, shift)?;
        Ok(Fusion::Shifted(pair, pieces))
    }

    /// Checks that the loops at a level may be fused, and stay parallel.
    fn check_level(
        &mut self,
        block: BlockId,
        nests: &[Vec<ForOp>; 2],
        level: usize,
        accesses: [&[Access]; 2],
    ) -> Result<(), Refusal> {
        legality::check_order(&mut self.deps, block, nests, level, accesses)?;
        self.check_parallel(block, nests, level, accesses, 0)
    }

    /// Checks that fusing two loops makes no parallel one sequential.
    fn check_parallel(
        &mut self,
        block: BlockId,
        nests: &[Vec<ForOp>; 2],
        level: usize,
        accesses: [&[Access]; 2],
        shift: i64,
    ) -> Result<(), Refusal> {
        let loops = [nests[0][level], nests[1][level]];
        let count = loops.iter().filter(|l| self.is_parallel(l.0)).count();
        match count {
            _ if self.options.maximal => Ok(()),
            0 => Ok(()),
            1 => Err(Refusal::Policy),
            _ => legality::check_parallel(&mut self.deps, block, nests, level, accesses, shift),
        }
    }

    fn accesses_of(&mut self, op: OpId) -> Vec<Access> {
        if let Some(known) = self.accesses.get(&op) {
            return known.clone();
        }
        let found = distinct_accesses(&mut self.deps, op);
        self.accesses.insert(op, found.clone());
        found
    }

    fn is_parallel(&mut self, op: OpId) -> bool {
        if let Some(&known) = self.is_parallel.get(&op) {
            return known;
        }
        let found = verdict(&mut self.deps, op).is_parallel();
        self.is_parallel.insert(op, found);
        found
    }

    /// Whether two loops share memory as the options require.
    fn is_related(&self, first: &[Access], second: &[Access]) -> bool {
        let roots = |accesses: &[Access], writes_only: bool| -> HashSet<Root> {
            let chosen = accesses.iter().filter(|a| a.is_write || !writes_only);
            chosen.filter_map(|a| legality::root(&a.place)).collect()
        };
        let written = roots(first, true);
        let [before, after] = [roots(first, false), roots(second, false)];
        let produces = !written.is_disjoint(&after);
        let shares = !before.is_disjoint(&after);
        self.options.producers && produces || self.options.siblings && shares && !produces
    }
}
