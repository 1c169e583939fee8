//! Matcher of prefix-sum recurrences in a nest of two loops.

use gridloom_dialects::affine::{ForOp, LoadOp, StoreOp};
use gridloom_dialects::arith;
use gridloom_ir::body::Uses;
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Context, OpId, OpName, Value};

use super::table::{Neighbour, Table};
use crate::analysis::access::{Place, accesses_below};
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::load_store::{is_load, is_store};
use crate::analysis::parallel::MAX_ACCESSES;
use crate::analysis::reduction::{combined_by, is_repeatable};

/// Limit of the terms of a sum.
const MAX_TERMS: usize = 32;

/// Prefix sums of two loops: the matched nest.
pub(super) struct PrefixSums {
    pub(super) outer: ForOp,
    pub(super) inner: ForOp,
    pub(super) store: StoreOp,
    /// The load of the element above, in the row before.
    pub(super) above: LoadOp,
    /// The adding operation.
    pub(super) add: OpName,
    pub(super) row: Row,
    /// Operations that the first nest does not repeat: the sum of the element, and loads for it
    /// alone.
    pub(super) dropped: Vec<OpId>,
}

/// Source of a row's sum.
pub(super) enum Row {
    /// Explicit recurrence: the load of the previous element in the row, that of the element above,
    /// and the terms of each iteration, with whether they are subtracted.
    Recurrence {
        before: LoadOp,
        corner: LoadOp,
        terms: Vec<(Value, bool)>,
    },
    /// Carried by the inner loop: the sum, and the operation that adds the element above to it.
    Carried { sum: Value, last: OpId },
}

/// Matches prefix sums in a loop and the only loop inside of it.
pub(super) fn plan(
    deps: &mut Dependences,
    uses: &Uses,
    outer: ForOp,
    reassociate: bool,
) -> Option<PrefixSums> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let inner = last_loop_in(body, outer)?;
    let bounds = [inner.lower(ctx, body), inner.upper(ctx, body)];
    let are_same = bounds.iter().all(|bound| {
        bound.map.results(ctx).len() == 1
            && !bound
                .operands
                .iter()
                .any(|&v| body.is_defined_in(v, outer.0))
    });
    let ops: Vec<OpId> = body.ops(inner.block(body)).collect();
    let mut stores = ops.iter().filter_map(|&op| StoreOp::cast(body, op));
    let (Some(store), None) = (stores.next(), stores.next()) else {
        return None;
    };
    let is_quiet = |&op: &OpId| {
        let name = body[op].name;
        let is_plain = body[op].inline_regions().is_empty();
        let is_pure = name.has(Traits::PURE) || name.has(Traits::TERMINATOR);
        op == store.0 || is_plain && (is_load(body, op) || is_pure)
    };
    if !are_same || !ops.iter().all(is_quiet) {
        return None;
    }
    let table = Table::of(ctx, body, [outer, inner], store)?;
    let sum = Sum::of(&table, uses, store.value(body), reassociate)?;
    let sums = sum.prefix_sums(&table)?;
    // The test that the inner loop has an iteration would skip what stores in front of it.
    let mut before = body.ops(outer.block(body));
    if sums.needs_test(ctx, body) && before.any(|op| is_store(body, op)) {
        return None;
    }
    is_alone(deps, uses, &table, &sums).then_some(sums)
}

/// The loop at the end of a loop whose other operations compute, load and store in front of it.
fn last_loop_in(body: &Body, outer: ForOp) -> Option<ForOp> {
    let ops: Vec<OpId> = body.ops(outer.block(body)).collect();
    let [before @ .., inner, _] = &ops[..] else {
        return None;
    };
    let is_plain = |&op: &OpId| is_store(body, op) || is_repeatable(body, op);
    let inner = ForOp::cast(body, *inner)?;
    (before.iter().all(is_plain) && body[outer.0].num_results() == 0).then_some(inner)
}

/// Sum of added and subtracted terms.
struct Sum {
    add: OpName,
    terms: Vec<(Value, bool)>,
    /// The operations that add the terms.
    ops: Vec<OpId>,
    keeps_order: bool,
}

impl Sum {
    /// Matches a value of the inner loop as a sum, if it may be regrouped where necessary.
    fn of(table: &Table, uses: &Uses, value: Value, reassociate: bool) -> Option<Sum> {
        let (ctx, body) = (table.ctx, table.body);
        let block = table.loops[1].block(body);
        let add = match body[body.defining_op(value)?].name {
            arith::ADDI | arith::SUBI => arith::ADDI,
            arith::ADDF | arith::SUBF => arith::ADDF,
            _ => return None,
        };
        let mut sum = Sum {
            add,
            terms: Vec::new(),
            ops: Vec::new(),
            keeps_order: false,
        };
        let mut open = vec![(value, false)];
        while let Some((value, is_subtracted)) = open.pop() {
            let op = body.defining_op(value).filter(|&op| {
                body[op].parent() == Some(block)
                    && uses.of(value).len() == 1
                    && combined_by(ctx, &body[op], 0).is_some_and(|(combine, _)| combine == add)
                    && body[op].operands.len() == 2
            });
            let Some(op) = op else {
                sum.terms.push((value, is_subtracted));
                if sum.terms.len() > MAX_TERMS {
                    return None;
                }
                continue;
            };
            let (_, keeps_order) = combined_by(ctx, &body[op], 0)?;
            sum.keeps_order |= keeps_order && !reassociate;
            sum.ops.push(op);
            let takes = matches!(body[op].name, arith::SUBI | arith::SUBF);
            // The first operand is pushed last, so that it is taken first.
            open.push((body[op].operands[1], is_subtracted != takes));
            open.push((body[op].operands[0], is_subtracted));
        }
        // A load with another use would have to stay.
        let is_single = |&(value, _): &(Value, bool)| uses.of(value).len() == 1;
        let is_neighbour = |value: Value| {
            let op = body.defining_op(value)?;
            table.neighbour(op).map(|(_, which)| which)
        };
        let is_clean = sum.terms.iter().all(|term| {
            is_neighbour(term.0).is_none_or(|which| which == Neighbour::Own) || is_single(term)
        });
        is_clean.then_some(sum)
    }

    /// Matches the sum as a recurrence of prefix sums.
    fn prefix_sums(self, table: &Table) -> Option<PrefixSums> {
        let body = table.body;
        let [outer, inner] = table.loops;
        let mut found = [None; 3];
        let mut terms = Vec::new();
        for &(value, is_subtracted) in &self.terms {
            let neighbour = body.defining_op(value).and_then(|op| table.neighbour(op));
            let (load, which) = match neighbour {
                Some((load, Neighbour::Above)) => (load, 0),
                Some((load, Neighbour::Before)) => (load, 1),
                Some((load, Neighbour::Corner)) => (load, 2),
                _ => {
                    terms.push((value, is_subtracted));
                    continue;
                }
            };
            if is_subtracted != (which == 2) || found[which].replace(load).is_some() {
                return None;
            }
        }
        let [above, before, corner] = found;
        let above = above?;
        let loads = [Some(above), before, corner];
        let mut dropped = self.ops.clone();
        dropped.extend(loads.iter().flatten().map(|load| load.0));
        let carried = inner.iter_args(body).len();
        let row = match (before, corner, carried, &terms[..]) {
            (Some(before), Some(corner), 0, [_, ..]) if !self.keeps_order => Row::Recurrence {
                before,
                corner,
                terms,
            },
            // The yielded row sum plus the element above.
            (None, None, 1, &[(sum, false)]) if inner.yielded(body) == [sum] => Row::Carried {
                sum,
                last: *self.ops.first().filter(|_| self.ops.len() == 1)?,
            },
            _ => return None,
        };
        let columns_before = u64::from(corner.is_some());
        if !table.has_distinct_elements(columns_before) {
            return None;
        }
        Some(PrefixSums {
            outer,
            inner,
            store: table.store,
            above,
            add: self.add,
            row,
            dropped,
        })
    }
}

impl PrefixSums {
    /// Whether the nest loads what only an iteration of the inner loop would, which it is not known to have.
    pub(super) fn needs_test(&self, ctx: &Context, body: &Body) -> bool {
        let trips = self.inner.constant_trip_count(ctx, body);
        matches!(self.row, Row::Recurrence { .. }) && trips.is_none_or(|trips| trips == 0)
    }
}

/// Whether no other load of the nest reads an element that another iteration stores, and what stores in front of
/// the inner loop touches no element that the columns load.
fn is_alone(deps: &mut Dependences, uses: &Uses, table: &Table, sums: &PrefixSums) -> bool {
    let body = table.body;
    if body[sums.inner.0]
        .results()
        .any(|result| !uses.of(result).is_empty())
    {
        return false;
    }
    let accesses = accesses_below(&mut deps.values, sums.outer.0);
    if accesses.len() > MAX_ACCESSES || accesses.iter().any(|a| a.place == Place::Anything) {
        return false;
    }
    let find = |op: OpId| accesses.iter().find(|access| access.op == op);
    let (Some(store), Some(above)) = (find(sums.store.0), find(sums.above.0)) else {
        return false;
    };
    let block = sums.inner.block(body);
    let scope = Scope::AnyIterations(sums.outer.0);
    accesses.iter().all(|access| {
        let is_own = body[access.op].parent() == Some(block)
            && table
                .neighbour(access.op)
                .is_some_and(|(_, which)| which == Neighbour::Own)
            && body
                .ops(block)
                .take_while(|&op| op != sums.store.0)
                .any(|op| op == access.op);
        access.op == sums.store.0
            || sums.dropped.contains(&access.op)
            || is_own
            || !deps.may_overlap(scope, store, access)
                && (!access.is_write || !deps.may_overlap(scope, above, access))
    })
}
