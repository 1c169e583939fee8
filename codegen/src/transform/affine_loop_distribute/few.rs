//! Loops of few iterations: those whose threads would leave a device idle, each with much work.

use gridloom_dialects::affine::{ApplyOp, ForOp};
use gridloom_dialects::arith;
use gridloom_ir::{Body, Builder, Context, OpId, Value};

use crate::analysis::dependence::Dependences;
use crate::transform::emit_loops::{MapWithOperands, owned};

/// Limit of the iterations that count as few: a thread for each would be the lanes of one or two
/// subgroups.
pub(super) const MAX_FEW: i64 = 64;

/// Least number of rounds of a nest that is worth a launch, and an array for what it leaves.
pub(crate) const MIN_ROUNDS: i64 = 1 << 14;

/// Rounds of loops around each other: the product of their trip counts, some of which only the run knows.
#[derive(Clone)]
pub(super) struct Rounds {
    known: i64,
    open: Vec<MapWithOperands>,
}

impl Rounds {
    /// The rounds of loops; [`None`] where a trip count is neither a constant nor the upper bound of a loop from 0
    /// by 1, computed in front of `outermost`.
    pub(super) fn of(
        ctx: &Context,
        body: &Body,
        outermost: ForOp,
        loops: impl IntoIterator<Item = ForOp>,
    ) -> Option<Rounds> {
        let mut rounds = Rounds {
            known: 1,
            open: Vec::new(),
        };
        for l in loops {
            if let Some(trips) = l.signed_trip_count(ctx, body) {
                rounds.known = rounds.known.saturating_mul(trips);
                continue;
            }
            let upper = owned(l.upper(ctx, body));
            let is_count = l.constant_lower(ctx, body) == Some(0)
                && l.step(ctx, body) == 1
                && upper.0.results(ctx).len() == 1;
            let is_outside = |&value: &Value| !body.is_defined_in(value, outermost.0);
            if !is_count || !upper.1.iter().all(is_outside) {
                return None;
            }
            rounds.open.push(upper);
        }
        Some(rounds)
    }

    /// The rounds of the innermost loop of a nest with the most loops around it.
    pub(super) fn of_deepest(
        ctx: &Context,
        body: &Body,
        outermost: ForOp,
        root: OpId,
    ) -> Option<Rounds> {
        let deepest = body.walk_op(root).into_iter();
        let deepest = deepest.filter_map(|op| loops_from(body, root, op));
        let deepest = deepest.max_by_key(Vec::len)?;
        Rounds::of(ctx, body, outermost, deepest)
    }

    /// The number, where it is known.
    pub(super) fn constant(&self) -> Option<i64> {
        self.open.is_empty().then_some(self.known)
    }

    /// Whether both are products of the same numbers.
    pub(super) fn is_like(&self, other: &Rounds) -> bool {
        let mut rest = self.open.clone();
        let is_among = |count: &MapWithOperands| {
            let at = rest.iter().position(|own| own == count);
            at.map(|at| rest.swap_remove(at)).is_some()
        };
        self.known == other.known && other.open.iter().all(is_among) && rest.is_empty()
    }

    /// Emits the number.
    pub(super) fn emit(&self, b: &mut Builder) -> Value {
        let known = b.index_constant(self.known);
        self.open.iter().fold(known, |all, (map, operands)| {
            let trips = ApplyOp::create(b, *map, operands);
            b.binary(arith::MULI, all, trips)
        })
    }
}

/// The loops from an innermost one outward to a root; [`None`] unless both are loops.
fn loops_from(body: &Body, root: OpId, innermost: OpId) -> Option<Vec<ForOp>> {
    ForOp::cast(body, innermost)?;
    let inside = std::iter::successors(Some(innermost), |&op| {
        body.parent_op(op).filter(|_| op != root)
    });
    Some(inside.filter_map(|op| ForOp::cast(body, op)).collect())
}

/// Whether loops around each other are known to have few iterations in all.
pub(super) fn are_few(deps: &Dependences, loops: &[ForOp]) -> bool {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let mut trips = loops.iter().map(|l| l.signed_trip_count(ctx, body));
    let all = trips.try_fold(1i64, |all, trips| all.checked_mul(trips?));
    all.is_some_and(|all| all <= MAX_FEW)
}

/// Whether a nest is known to have many rounds.
pub(super) fn is_worth_a_grid(deps: &Dependences, root: OpId) -> bool {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    // The deepest loops have the most rounds.
    let rounds = |op: OpId| {
        let mut loops = loops_from(body, root, op)?.into_iter();
        loops.try_fold(1i64, |all, l| {
            let trips = l.signed_trip_count(ctx, body)?;
            Some(all.saturating_mul(trips))
        })
    };
    let below = body.walk_op(root).into_iter();
    below.filter_map(rounds).max() >= Some(MIN_ROUNDS)
}
