//! Tag comparison: which waits may end which transfers.

use gridloom_dialects::{affine, scf};
use gridloom_ir::{AffineExpr, Body, Context, OpId};
use gridloom_presburger::Answer;

use super::{Memory, Start, Transfers, Wait};
use crate::analysis::access::{keeps_indices_apart, linearise};
use crate::analysis::budget::{Budgets, NEST_STEPS};
use crate::analysis::system::{Combination, Instance, Statements};
use crate::analysis::values::AffineValues;
use crate::transform::dma_transfer::Place;

/// Limit of the pairs of a start and a wait that are compared; past it any wait may end any transfer.
const MAX_PAIRS: usize = 1024;

/// Relation of a wait to a start.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Match {
    /// The wait never ends a transfer of the start.
    Never,
    /// The wait ends none that was started in the same iteration of the loops around both.
    OfEarlierIteration,
    /// The wait may end any transfer of the start.
    Possible,
}

/// The relations of all starts and waits of a kernel, by their numbers in [`Transfers`].
pub(super) struct Matches {
    waits: usize,
    table: Vec<Match>,
}

impl Matches {
    pub(super) fn of(
        ctx: &Context,
        body: &Body,
        memory: &Memory<'_>,
        transfers: &Transfers,
    ) -> Self {
        let waits = transfers.waits.len();
        let pairs = transfers.starts.len() * waits;
        let mut table = vec![Match::Possible; pairs];
        if pairs <= MAX_PAIRS {
            let mut search = Search {
                values: AffineValues::new(ctx, body),
                budgets: Budgets::of_steps(NEST_STEPS),
            };
            let starts = transfers.starts.iter();
            let all =
                starts.flat_map(|start| transfers.waits.iter().map(move |wait| (start, wait)));
            for (known, (start, wait)) in table.iter_mut().zip(all) {
                *known = search.relation(memory, start, wait);
            }
        }
        Matches { waits, table }
    }

    /// The relation of a start and a wait.
    pub(super) fn get(&self, start: usize, wait: usize) -> Match {
        self.table[start * self.waits + wait]
    }

    /// Whether a wait may end a transfer of a start, which is `stale` where an iteration of a loop
    /// around the start has ended since.
    pub(super) fn may_end(&self, start: usize, wait: usize, stale: bool) -> bool {
        match self.get(start, wait) {
            Match::Never => false,
            Match::OfEarlierIteration => stale,
            Match::Possible => true,
        }
    }
}

struct Search<'a> {
    values: AffineValues<'a>,
    budgets: Budgets,
}

impl Search<'_> {
    fn relation(&mut self, memory: &Memory<'_>, start: &Start, wait: &Wait) -> Match {
        let body = self.values.body;
        if start.tag_root != wait.tag_root {
            let known = [start.tag_root, wait.tag_root]
                .into_iter()
                .all(|root| memory.is_buffer(body, root));
            return match known {
                true => Match::Never,
                false => Match::Possible,
            };
        }
        if start.tag.memref != wait.tag.memref {
            return Match::Possible;
        }
        let [mine, theirs] = [(start.op, &start.tag), (wait.op, &wait.tag)]
            .map(|(op, place)| self.subscripts(op, place));
        let (Some(mine), Some(theirs)) = (mine, theirs) else {
            return Match::Possible;
        };
        let pairs = mine.into_iter().zip(theirs);
        let apart: Vec<_> = pairs.filter(|&(a, b)| self.always_differ(a, b)).collect();
        let varies = |&(a, b): &(AffineExpr, AffineExpr)| self.varies(start.op, wait.op, [a, b]);
        match (apart.is_empty(), apart.iter().all(varies)) {
            (true, _) => Match::Possible,
            (_, true) => Match::OfEarlierIteration,
            (_, false) => Match::Never,
        }
    }

    /// The subscripts of a place as exact expressions, which differ where the elements do; `None` where
    /// one may wrap around. Of a layout that may have several subscripts for one element, this is the
    /// position in the buffer.
    fn subscripts(&mut self, op: OpId, place: &Place) -> Option<Vec<AffineExpr>> {
        let (ctx, body) = (self.values.ctx, self.values.body);
        let exprs = place.exprs(&mut self.values, op);
        let env = self.values.environment_at(op);
        let mut exprs: Vec<AffineExpr> = exprs.into_iter().collect::<Option<_>>()?;
        let ty = body.ty(place.memref).memref(ctx)?;
        if !keeps_indices_apart(ctx, ty) {
            exprs = vec![linearise(ctx, ty, &exprs)?];
        }
        let fits = exprs.iter().all(|&expr| self.values.fits(expr, env));
        fits.then_some(exprs)
    }

    /// Whether two expressions differ for all values of their atoms.
    fn always_differ(&mut self, a: AffineExpr, b: AffineExpr) -> bool {
        let mut equal = Statements::new();
        equal.equal(Combination::of(a, Instance::First).plus(-1, b, Instance::First));
        let system = equal.solve(&self.values, |_, _| true, &[]);
        system.is_empty(self.budgets.of(None)) == Answer::Yes
    }

    /// Whether expressions have an atom that a loop around both operations may change.
    fn varies(&self, start: OpId, wait: OpId, exprs: [AffineExpr; 2]) -> bool {
        let body = self.values.body;
        let is_around = |&op: &OpId| repeats(body, op) && body.is_ancestor(op, wait);
        let Some(outermost) = body.ancestors(start).filter(is_around).last() else {
            return false;
        };
        let mut atoms = Vec::new();
        for expr in exprs {
            self.values.atoms_in(expr, &mut atoms);
        }
        atoms.into_iter().any(|atom| {
            let block = self.values.atom_block(self.values.atom(atom));
            block.is_none() || self.values.block_is_inside(block, outermost)
        })
    }
}

/// Whether the regions of an operation may be executed more than once.
pub(super) fn repeats(body: &Body, op: OpId) -> bool {
    use gridloom_dialects::memref::ALLOCA_SCOPE;
    let once = [
        scf::IF,
        affine::IF,
        scf::INDEX_SWITCH,
        scf::EXECUTE_REGION,
        ALLOCA_SCOPE,
    ];
    !body[op].inline_regions().is_empty() && !once.contains(&body[op].name)
}
