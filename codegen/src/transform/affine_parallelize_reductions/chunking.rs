//! Chunking policy: divides a nest among groups, lanes and vectors, by the shape that the target
//! prefers.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_ir::body::Uses;
use gridloom_ir::{Body, Context, OpId};

use super::chunk::Chunking;
use super::row_sharing::may_be_shared;
use super::state::State;
use super::{Policy, has_one_lower};
use crate::analysis::arg_reduction::all_reductions_of;
use crate::target::ReductionShape;
use crate::transform::auxiliary_arrays::anchor;

/// Steps of a thread from which on a cut pays where threads are few: each step waits for a load, some tenths of a
/// microsecond on a GPU, and the second launch takes a few microseconds.
pub(super) const MANY_STEPS: i64 = 512;

/// Outer iterations of a group where their number is not known and each thread of a group leaves a partial result. With more
/// than there are threads in a group, no number of partial results leaves 64 bits.
const OPEN_ROWS: i64 = 32;

/// Outer iterations of a group where their number is not known and a workgroup leaves one partial result.
const OPEN_ROWS_OF_WORKGROUP: i64 = 8;

/// Limit of the statements of an iteration up to which several are interleaved.
const MAX_STATEMENTS: usize = 48;

impl Policy<'_> {
    /// The state of a thread that runs a part of the nest, if everything that the nest carries is a
    /// reduction.
    pub(super) fn state_of(&mut self, levels: &[ForOp]) -> Option<State> {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        let root = *levels.first()?;
        let reassociate = self.options.reassociate;
        let reductions =
            all_reductions_of(ctx, body, &self.deps.values.uses(), root, reassociate).ok()?;
        let state = State::of(ctx, body, levels, reductions)?;
        let is_numbered = !state.needs_counters_from_zero() || self.counts_from_zero(root);
        is_numbered.then_some(state)
    }

    /// Whether the counter of a loop is never negative.
    fn counts_from_zero(&mut self, op: ForOp) -> bool {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        let values = &mut self.deps.values;
        let env = values.environment_at(op.0);
        let lower = op.lower(ctx, body);
        let ends = values.map_exprs(op.0, lower.map, lower.operands);
        // One non-negative lower bound suffices, since the greatest counts.
        ends.into_iter().flatten().any(|end| {
            let interval = values.interval(end, env);
            interval.is_some_and(|interval| interval.least >= 0)
        })
    }

    /// Plans the chunks of a nest; `None` if it is too small.
    pub(super) fn chunking(
        &mut self,
        mut levels: Vec<ForOp>,
        shape: &ReductionShape,
    ) -> Option<Chunking> {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        // Idle lanes are worse than a row for each lane.
        let is_short = |op: &ForOp| trips(ctx, body, *op).is_some_and(|n| n < 2 * shape.lanes);
        while levels.len() > 1 && levels.last().is_some_and(is_short) {
            levels.pop();
        }
        let state = self.state_of(&levels)?;
        chunks(ctx, body, levels, state, shape)
    }

    /// Plans the chunks of a reduction inside a loop of `rows` iterations: one group of lanes for each
    /// row where there are many rows, else several; `None` if the reduction is too small.
    pub(super) fn chunking_of_rows(
        &mut self,
        levels: Vec<ForOp>,
        shape: &ReductionShape,
        rows: Option<i64>,
    ) -> Option<Chunking> {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        if self.is_cheap(&levels, rows) {
            return None;
        }
        let groups = rows.map_or(1, |rows| shape.groups / rows.max(1)).max(1);
        let lanes = shape.band_lanes;
        let of_row = ReductionShape {
            lanes,
            groups,
            least: shape.least.min(2 * lanes * shape.vector),
            ..*shape
        };
        let root = *levels.first()?;
        let is_known = root.constant_trip_count(ctx, body).is_some();
        let has_one_upper = root.upper(ctx, body).map.results(ctx).len() == 1;
        let mut chunking = self.chunking(levels, &of_row);
        if let Some(chunking) = &mut chunking
            && (groups == 1 || !is_known)
            && has_one_upper
            && !chunking.state.is_in_order()
        {
            chunking.groups = Some(1);
        }
        chunking.filter(|chunking| chunking.groups.is_some())
    }

    /// Whether a reduction inside a loop of `rows` iterations is known to cost less than its cut would: it is
    /// small, and no few threads would take many steps, one after the other.
    pub(super) fn is_cheap(&self, levels: &[ForOp], rows: Option<i64>) -> bool {
        let shape = &self.options.reduction;
        let is_few = shape.shares && rows.is_some_and(|rows| rows < shape.groups);
        let takes_long = is_few && self.steps(levels).is_some_and(|steps| steps >= MANY_STEPS);
        self.is_small(levels, rows) && !takes_long
    }

    /// Whether a reduction inside a loop of `rows` iterations is known to be small in all.
    pub(super) fn is_small(&self, levels: &[ForOp], rows: Option<i64>) -> bool {
        let work = rows.zip(self.steps(levels));
        work.is_some_and(|(rows, steps)| {
            rows.saturating_mul(steps) < self.options.reduction.band_least
        })
    }

    /// The iterations of nested loops, saturating; `None` where that is not known.
    pub(super) fn steps(&self, levels: &[ForOp]) -> Option<i64> {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        let mut each = levels.iter().map(|l| trips(ctx, body, *l));
        each.try_fold(1i64, |all, trips| Some(all.saturating_mul(trips?)))
    }
}

impl Chunking {
    /// Chunks of one loop for the threads of a workgroup, in place.
    pub(in crate::transform) fn by_one_workgroup(l: ForOp, state: State, lanes: i64) -> Chunking {
        Chunking {
            anchor: l.0,
            levels: vec![l],
            state,
            lanes,
            vector: 1,
            span: 1,
            groups: Some(1),
            lead: None,
            has_remainder: false,
        }
    }
}

/// The state of a thread that runs a part of a loop in a workgroup, if each carried value is a
/// reduction of its own with free order, and workgroup memory holds it.
pub(in crate::transform) fn state_in_workgroup(
    ctx: &Context,
    body: &Body,
    uses: &Uses,
    l: ForOp,
    reassociate: bool,
) -> Option<State> {
    let reductions = all_reductions_of(ctx, body, uses, l, reassociate).ok()?;
    let is_plain =
        reductions.args.is_empty() && reductions.records.is_empty() && has_one_lower(ctx, body, l);
    let state = State::of(ctx, body, &[l], reductions).filter(|_| is_plain)?;
    let is_shared = state.types.iter().all(|&ty| may_be_shared(ctx, ty));
    (is_shared && !state.is_empty()).then_some(state)
}

/// Plans the chunks of a nest for a given thread state; `None` if the nest is too small.
pub(super) fn chunks(
    ctx: &Context,
    body: &Body,
    levels: Vec<ForOp>,
    state: State,
    shape: &ReductionShape,
) -> Option<Chunking> {
    let shape = match state.is_in_order() {
        true => in_order(shape),
        false => *shape,
    };
    let (root, last) = (*levels.first()?, *levels.last()?);
    let all = trips(ctx, body, root);
    let is_single = levels.len() == 1;
    let least = match is_single {
        true => shape.least,
        false => shape.least.min(shape.groups),
    };
    if all.is_some_and(|trips| trips < least) || !has_one_lower(ctx, body, root) {
        return None;
    }
    let one_upper = last.upper(ctx, body).map.results(ctx).len() == 1;
    let last_trips = trips(ctx, body, last);
    let fills = |vector: i64| last_trips.is_none_or(|n| n >= shape.lanes.saturating_mul(vector));
    let vector = match one_upper && fills(shape.vector) && is_vectorizable(ctx, body, last) {
        true => shape.vector.max(1),
        false => 1,
    };
    let unit = if is_single { shape.lanes * vector } else { 1 };
    let span = match all {
        Some(trips) => trips.div_euclid(shape.groups.max(1)) + 1,
        None if is_single => shape.span,
        None if shape.shares => OPEN_ROWS_OF_WORKGROUP,
        None => open_rows(&shape),
    };
    let span = (span.checked_add(unit - 1)? / unit).checked_mul(unit)?;
    let step = root.step(ctx, body);
    span.checked_mul(step)?;
    last.step(ctx, body).checked_mul(shape.lanes * vector)?;
    if all.is_none() && root.upper(ctx, body).map.results(ctx).len() != 1 {
        return None;
    }
    let has_remainder = vector > 1 && last_trips.is_none_or(|trips| trips % vector != 0);
    Some(Chunking {
        anchor: anchor(body, root, all.is_some()),
        levels,
        state,
        lanes: shape.lanes,
        vector,
        span,
        groups: all.map(|trips| (trips.max(1) - 1) / span + 1),
        lead: None,
        has_remainder,
    })
}

/// The least outer iterations of a group where their number is not known.
pub(super) fn open_rows(shape: &ReductionShape) -> i64 {
    OPEN_ROWS.max(2 * shape.lanes)
}

/// The shape for order-preserving reductions: a thread takes adjacent iterations, and a group is
/// one thread.
fn in_order(shape: &ReductionShape) -> ReductionShape {
    ReductionShape {
        lanes: 1,
        vector: 1,
        groups: shape.groups * shape.band_lanes.max(1),
        span: shape.span / shape.lanes.max(1),
        ..*shape
    }
}

/// The trip count of a loop, if constant.
fn trips(ctx: &Context, body: &Body, op: ForOp) -> Option<i64> {
    let trips = op.constant_trip_count(ctx, body)?;
    Some(i64::try_from(trips).unwrap_or(i64::MAX))
}

/// Whether interleaving several iterations pays: straight-line statements, of which some load is of
/// adjacent elements.
pub(super) fn is_vectorizable(ctx: &Context, body: &Body, op: ForOp) -> bool {
    let statements: Vec<OpId> = body.ops(op.block(body)).collect();
    let is_straight = |&op: &OpId| body[op].inline_regions().is_empty();
    let counter = op.induction_var(body);
    let is_adjacent = |&op: &OpId| {
        let Some(access) = affine::Access::cast(body, op) else {
            return false;
        };
        let map = access.map(ctx, body);
        let position = access.operands(body).iter().position(|&v| v == counter);
        let last = map.results(ctx).last();
        last.zip(position)
            .is_some_and(|(last, position)| last.uses_dim(ctx, position as u32))
    };
    statements.len() <= MAX_STATEMENTS
        && statements.iter().all(is_straight)
        && statements.iter().any(is_adjacent)
}
