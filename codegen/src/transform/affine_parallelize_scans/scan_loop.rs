//! The loop of a scan: what it carries, how it computes the terms, and what copies of it need.

use std::collections::HashSet;

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::scf;
use gridloom_ir::affine::AffineOp;
use gridloom_ir::body::Uses;
use gridloom_ir::{Body, Context, IrMapping, OpId, Value};

use super::carried::{Carried, recurrences};
use super::combine::Recurrence;
use super::compaction::stores_apart;
use crate::analysis::access::accesses_below;
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::parallel::conflict_apart;
use crate::analysis::reduction::is_repeatable;
use crate::transform::emit_loops::MapWithOperands;
use crate::transform::map_inputs::Inputs;

/// Loop whose iterations may be cut into parts that are scanned side by side.
pub(super) struct ScanLoop {
    pub(super) op: ForOp,
    /// The recurrences of the carried values, those whose terms depend on others behind these.
    pub(super) levels: Vec<Level>,
}

/// Level of a scan: recurrences whose terms depend on the values of lower levels alone.
pub(super) struct Level {
    pub(super) carried: Vec<Carried>,
    /// The statements that compute the terms of this level and of the lower ones, in order.
    pub(super) slice: Vec<OpId>,
}

impl ScanLoop {
    /// Matches a loop that is legal to cut.
    pub(super) fn of(
        deps: &mut Dependences,
        uses: &Uses,
        op: ForOp,
        reassociate: bool,
    ) -> Option<ScanLoop> {
        let (ctx, body) = (deps.values.ctx, deps.values.body);
        let bounds = [op.lower(ctx, body), op.upper(ctx, body)];
        if bounds.iter().any(|bound| bound.map.results(ctx).len() != 1) {
            return None;
        }
        let carried = recurrences(ctx, body, uses, op, reassociate)?;
        let levels = levels(body, op, carried)?;
        let apart = stores_at(
            ctx,
            body,
            op,
            levels.iter().flat_map(|level| &level.carried),
        );
        let is_legal = conflict_apart(deps, op.0, &apart).is_none()
            && reads_what_was_before(deps, op, &levels.last()?.slice);
        is_legal.then_some(ScanLoop { op, levels })
    }

    /// The recurrence of the carried value, if there is only one, which combines it with a term.
    pub(super) fn single(&self) -> Option<&Recurrence> {
        let [level] = &self.levels[..] else {
            return None;
        };
        match &level.carried[..] {
            [one] => one.unsegmented(),
            _ => None,
        }
    }

    /// The statements that compute the terms, in order.
    pub(super) fn slice(&self) -> &[OpId] {
        self.levels.last().map_or(&[], |level| &level.slice)
    }

    /// Whether the loop does nothing but compute the values that it carries.
    pub(super) fn only_computes(&self, body: &Body) -> bool {
        let mut below = body.walk_op(self.op.0).into_iter();
        below.all(|part| only_computes(body, part))
    }

    /// The number of parts of `span` iterations.
    pub(super) fn count(&self, ctx: &Context, body: &Body, span: i64) -> MapWithOperands {
        let mut inputs = Inputs::new(ctx);
        let names = IrMapping::new();
        let lower = inputs.import(self.op.lower(ctx, body), &names)[0];
        let upper = inputs.import(self.op.upper(ctx, body), &names)[0];
        let distance = ctx.affine_sub(upper, lower);
        let step = self.op.step(ctx, body);
        inputs.finish(&[inputs.by(AffineOp::CeilDiv, distance, span * step)])
    }

    /// Value map for a clone of an iteration: its counter and its carried values.
    pub(super) fn names(&self, body: &Body, iv: Value, carried: &[Value]) -> IrMapping {
        let places: Vec<usize> = (0..carried.len()).collect();
        self.names_of(body, iv, &places, carried)
    }

    /// The same for the carried values at some places alone.
    pub(super) fn names_of(
        &self,
        body: &Body,
        iv: Value,
        places: &[usize],
        carried: &[Value],
    ) -> IrMapping {
        let mut names = IrMapping::new();
        names.map(self.op.induction_var(body), iv);
        for (&place, &new) in places.iter().zip(carried) {
            names.map(self.op.iter_args(body)[place], new);
        }
        names
    }
}

/// The stores of a loop at the counters among what it carries, each iteration's to elements of its own.
fn stores_at<'c>(
    ctx: &Context,
    body: &Body,
    op: ForOp,
    carried: impl Iterator<Item = &'c Carried>,
) -> Vec<OpId> {
    let counters = carried.filter_map(|carried| Some((carried.places[0], carried.unsegmented()?)));
    let counters = counters.filter(|(_, recurrence)| recurrence.is_sum_of_integers());
    let apart = counters.flat_map(|(k, counter)| stores_apart(ctx, body, op, k, counter.term));
    apart.collect()
}

/// The stores at counters of a loop that is a scan unless its iterations meet otherwise; [`None`] of another one.
pub(in crate::transform) fn scan_stores(
    deps: &Dependences,
    op: ForOp,
    reassociate: bool,
) -> Option<Vec<OpId>> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let carried = recurrences(ctx, body, &deps.values.uses(), op, reassociate)?;
    Some(stores_at(ctx, body, op, carried.iter()))
}

/// The levels of the values that a loop carries; `None` if there are none, or terms depend on each other.
fn levels(body: &Body, op: ForOp, carried: Vec<Carried>) -> Option<Vec<Level>> {
    let args = op.iter_args(body);
    let (mut open, mut inputs, mut levels) = (carried, Vec::new(), Vec::new());
    while !open.is_empty() {
        let places = open.iter().flat_map(|carried| &carried.places);
        let avoided: Vec<Value> = places.map(|&place| args[place]).collect();
        let is_ready =
            |carried: &Carried| slice_without(body, op, &carried.inputs(), &avoided).is_some();
        let (carried, rest): (Vec<Carried>, Vec<Carried>) = open.into_iter().partition(is_ready);
        inputs.extend(carried.iter().flat_map(Carried::inputs));
        let slice = slice_without(body, op, &inputs, &avoided).filter(|_| !carried.is_empty())?;
        levels.push(Level { carried, slice });
        open = rest;
    }
    (!levels.is_empty()).then_some(levels)
}

/// Epilogue: the statements that the last band runs with the scanned values of a block.
pub(super) struct Epilogue {
    /// Whether it needs exclusive prefixes, from before the combining operation.
    pub(super) is_before: bool,
    /// Statements to clone into the last band.
    pub(super) statements: Vec<OpId>,
}

impl Epilogue {
    pub(super) fn of(scan: &ScanLoop, body: &Body) -> Epilogue {
        let step = body.defining_op(scan.op.yielded(body)[0]);
        let all = scan.op.statements(body);
        let is_rest = |op: &OpId| !scan.slice().contains(op) && Some(*op) != step;
        let rest: Vec<OpId> = all.iter().copied().filter(is_rest).collect();
        let uses = |value: Value| {
            let below = rest.iter().flat_map(|&op| body.walk_op(op));
            below
                .into_iter()
                .any(|op| body[op].operands.contains(&value))
        };
        let is_before = uses(scan.op.iter_args(body)[0]);
        let needs_slice = (scan.slice().iter()).any(|&op| body[op].results().any(uses));
        let statements = match (is_before, needs_slice) {
            (true, _) => all,
            (false, true) => all.into_iter().filter(|&op| Some(op) != step).collect(),
            (false, false) => rest,
        };
        Epilogue {
            is_before,
            statements,
        }
    }
}

/// Limit of the step of a scan: the bounds of chunks are multiples of it.
const MAX_STEP: i64 = 1 << 20;

/// Whether the bounds of chunks stay within the 64 bits of an index: the distance from the lower bound
/// to the upper one, a chunk behind the lower one, and a row before the upper one, which is above the
/// lower one wherever there is a chunk. A chunk behind the upper bound can only leave them after more
/// iterations than any run has.
pub(super) fn has_safe_bounds(deps: &mut Dependences, op: ForOp, span: i64, row: i64) -> bool {
    let values = &mut deps.values;
    let (ctx, body) = (values.ctx, values.body);
    let step = op.step(ctx, body);
    let env = values.environment_at(op.0);
    let exprs = [op.lower(ctx, body), op.upper(ctx, body)]
        .map(|bound| values.map_exprs(op.0, bound.map, bound.operands));
    let (Some(&Some(lower)), Some(&Some(upper))) = (exprs[0].first(), exprs[1].first()) else {
        return false;
    };
    let Some(distance) = span.checked_mul(step).filter(|_| step <= MAX_STEP) else {
        return false;
    };
    // A row is no longer than a chunk, whose length fits.
    let row = ctx.affine_const(row * step);
    let behind = ctx.affine_add(lower, ctx.affine_const(distance));
    values.fits(ctx.affine_sub(upper, lower), env)
        && values.fits(behind, env)
        && values.fits(ctx.affine_sub(lower, row), env)
}

/// Backward slice: the statements of the loop's block that compute some values: pure ones, loads, and branches and loops
/// that hold nothing else. `None` if one depends on a carried value, or on any other operation.
pub(in crate::transform) fn slice_of(
    body: &Body,
    op: ForOp,
    needed: &[Value],
) -> Option<Vec<OpId>> {
    slice_without(body, op, needed, op.iter_args(body))
}

/// The same, where the statements may depend on carried values other than those to avoid.
pub(super) fn slice_without(
    body: &Body,
    op: ForOp,
    needed: &[Value],
    avoided: &[Value],
) -> Option<Vec<OpId>> {
    let block = op.block(body);
    let mut found: HashSet<OpId> = HashSet::new();
    let mut open = needed.to_vec();
    while let Some(value) = open.pop() {
        if avoided.contains(&value) {
            return None;
        }
        let statement = body.defining_op(value);
        let Some(statement) = statement.filter(|&s| body[s].parent() == Some(block)) else {
            continue;
        };
        if !found.insert(statement) {
            continue;
        }
        for part in body.walk_op(statement) {
            if !only_computes(body, part) {
                return None;
            }
            open.extend(body[part].operands.iter().copied());
        }
    }
    Some(body.ops(block).filter(|op| found.contains(op)).collect())
}

/// Whether an operation loads, is pure, or is a branch, a loop or the end of one.
pub(in crate::transform) fn only_computes(body: &Body, op: OpId) -> bool {
    let name = body[op].name;
    let is_branch = matches!(name, affine::IF | scf::IF | scf::INDEX_SWITCH);
    let is_loop = matches!(name, affine::FOR | scf::FOR | scf::WHILE);
    let is_end = matches!(name, affine::YIELD | scf::YIELD | scf::CONDITION);
    is_branch || is_loop || is_end || is_repeatable(body, op)
}

/// Whether the slice loads no element that the same iteration has stored before.
fn reads_what_was_before(deps: &mut Dependences, op: ForOp, slice: &[OpId]) -> bool {
    let body = deps.values.body;
    let block = op.block(body);
    let mut stored = Vec::new();
    for statement in body.ops(block).collect::<Vec<OpId>>() {
        let accesses = accesses_below(&mut deps.values, statement);
        if accesses.iter().any(|access| access.update.is_some()) {
            return false;
        }
        if slice.contains(&statement) {
            let scope = Scope::Block(block);
            let mut pairs = accesses
                .iter()
                .flat_map(|a| stored.iter().map(move |s| (s, a)));
            if pairs.any(|(store, load)| !deps.test(scope, store, load).is_independent()) {
                return false;
            }
        }
        stored.extend(accesses.into_iter().filter(|access| access.is_write));
    }
    true
}
