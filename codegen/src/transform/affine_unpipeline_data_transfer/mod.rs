//! `affine-unpipeline-data-transfer`: starts a transfer in the iteration that waits for it, not in an earlier one.
//!
//! ```text
//! start %a[0] → %f[0]                                        for %i = 0 to 8 {
//! for %i = 0 to 8 {                                            start %a[%i] → %f[%i mod 2]
//!   if (%i < 7) start %a[%i + 1] → %f[(%i + 1) mod 2]    ⇒     wait %i mod 2
//!   wait %i mod 2                                              S(%i, %f[%i mod 2])
//!   S(%i, %f[%i mod 2])                                      }
//! }
//! ```
//!
//! The inverse of `affine-pipeline-data-transfer`, for programs whose author or compiler has pipelined loops for
//! a machine that transfers while it computes: an iteration that starts the transfer of a later one is tied to it,
//! so that the loop is none of independent iterations. Where overlap pays, mapping makes it anew. Starts may be several
//! iterations ahead, in as many buffers and one. Where the last iterations start transfers as well, for waits behind the
//! loop, the starts move to these.
//!
//! Legal always, as between start and wait, a program neither writes the source nor touches the destination:
//! the elements may move at the wait. Done where all starts and waits of a tag that only transfers use match: the loop's
//! start in an iteration is that of the wait some iterations later, by the element of the tag, with which no other transfer is
//! under way then, and runs in all iterations that the loop has so much later; the starts in front of the loop are those of its first iterations.

use gridloom_dialects::affine::{ApplyOp, ForOp, IfOp};
use gridloom_dialects::{gpu, memref};
use gridloom_ir::body::Uses;
use gridloom_ir::{AffineExpr, Body, Builder, Context, IrMapping, OpId};
use gridloom_presburger::Answer;

use super::affine_pipeline_data_transfer::{is_before, slice};
use super::dma_transfer::{Transfer, awaited_tag};
use super::emit_loops::MapWithOperands;
use super::kernels::is_kernel;
use super::lower_memref_dma::{is_start, is_tag};
use crate::analysis::budget::Budgets;
use crate::analysis::system::{Combination, Instance, Statements};
use crate::analysis::values::{AffineValues, Atom};

/// Limit of the iterations that a transfer starts ahead.
const MAX_AHEAD: i64 = 8;

/// Moves starts to their waits in a host function. Returns whether there were any.
pub fn unpipeline_transfers(ctx: &Context, body: &mut Body) -> bool {
    if !body.may_hold_any(is_start) || is_kernel(body) {
        return false;
    }
    let uses = body.uses();
    let mut plans = Vec::new();
    let mut values = AffineValues::new(ctx, body);
    for tag in body.walk() {
        let is_of_host = !body.ancestors(tag).any(|op| body[op].name == gpu::LAUNCH);
        if is_of_host && is_tag(ctx, body, &uses, tag) {
            let tagged = Tagged::of(&mut values, &uses, tag);
            plans.extend(
                tagged
                    .and_then(|tagged| tagged.plan(&mut values))
                    .into_iter()
                    .flatten(),
            );
        }
    }
    for plan in &plans {
        plan.apply(ctx, body);
    }
    for plan in &plans {
        body.erase(plan.start.op);
        plan.first.iter().for_each(|&start| body.erase(start));
    }
    !plans.is_empty()
}

/// Transfers that a loop starts some iterations ahead.
struct Pipelined {
    l: ForOp,
    ahead: i64,
    /// The start in the loop, and the operations there that compute its operands.
    start: Start,
    slice: Vec<OpId>,
    /// The starts in front of the loop.
    first: Vec<OpId>,
    wait: OpId,
    /// The waits behind the loop, each with the counter of the iteration that it waits for.
    last: Vec<(OpId, MapWithOperands)>,
}

/// Start of a transfer, as expressions over atoms.
#[derive(Clone)]
struct Start {
    op: OpId,
    transfer: Transfer,
    tag: Vec<AffineExpr>,
    /// Index of the first element of source and target, and the numbers of elements.
    rest: Vec<AffineExpr>,
}

impl Start {
    fn of(values: &mut AffineValues, op: OpId) -> Option<Start> {
        let transfer = Transfer::of(values.ctx, values.body, op)?;
        let [tag, source, target] =
            [&transfer.tag, &transfer.source, &transfer.target].map(|place| {
                let exprs = place.exprs(values, op);
                exprs.into_iter().collect::<Option<Vec<AffineExpr>>>()
            });
        let (stride, chunk) = transfer.stride.unzip();
        let numbers = [Some(transfer.count), stride, chunk].into_iter().flatten();
        let numbers: Vec<AffineExpr> = numbers.map(|number| values.expr(number)).collect();
        Some(Start {
            op,
            tag: tag?,
            rest: [source?, target?, numbers].concat(),
            transfer,
        })
    }

    /// Whether this start transfers what another one does in an iteration whose counter is `at`.
    fn is_start_at(&self, values: &AffineValues, other: &Start, at: (u32, AffineExpr)) -> bool {
        let memrefs = |start: &Start| {
            let transfer = &start.transfer;
            [&transfer.source, &transfer.target, &transfer.tag].map(|place| place.memref)
        };
        memrefs(self) == memrefs(other)
            && is_at(values, &other.tag, at, &self.tag)
            && is_at(values, &other.rest, at, &self.rest)
    }
}

/// Whether expressions are `found` where a counter has a value.
fn is_at(
    values: &AffineValues,
    exprs: &[AffineExpr],
    at: (u32, AffineExpr),
    found: &[AffineExpr],
) -> bool {
    let there = exprs.iter().map(|&expr| values.with_atoms(expr, &[at]));
    let there = there.map(|expr| values.linear(expr));
    there.eq(found.iter().map(|&expr| values.linear(expr)))
}

/// Whether expressions differ from others, in some place, where a counter has a value.
fn are_apart(
    values: &AffineValues,
    exprs: &[AffineExpr],
    at: (u32, AffineExpr),
    others: &[AffineExpr],
) -> bool {
    let mut same = Statements::new();
    for (&expr, &other) in exprs.iter().zip(others) {
        let expr = values.with_atoms(expr, &[at]);
        let difference = Combination::of(expr, Instance::First).plus(-1, other, Instance::First);
        same.equal(difference);
    }
    let system = same.solve(values, |_, _| true, &[]);
    system.is_empty(Budgets::default().of(None)) == Answer::Yes
}

/// Starts and waits of a tag.
struct Tagged {
    starts: Vec<Start>,
    waits: Vec<(OpId, Vec<AffineExpr>)>,
}

impl Tagged {
    fn of(values: &mut AffineValues, uses: &Uses, tag: OpId) -> Option<Tagged> {
        let (ctx, body) = (values.ctx, values.body);
        let (mut starts, mut waits) = (Vec::new(), Vec::new());
        for user in uses.of(body[tag].result(0)) {
            match body[user.op].name {
                name if is_start(name) => starts.push(Start::of(values, user.op)?),
                memref::DEALLOC => {}
                _ => {
                    let place = awaited_tag(ctx, body, user.op)?;
                    let exprs = place.exprs(values, user.op).into_iter();
                    waits.push((user.op, exprs.collect::<Option<Vec<AffineExpr>>>()?));
                }
            }
        }
        Some(Tagged { starts, waits })
    }

    /// The transfers, if loops start all of them ahead.
    fn plan(&self, values: &mut AffineValues) -> Option<Vec<Pipelined>> {
        let body = values.body;
        let mut plans = Vec::new();
        for (wait, element) in &self.waits {
            if let Some(l) = body.parent_op(*wait).and_then(|op| ForOp::cast(body, op)) {
                let counter = Counter::of(values, l)?;
                let plan = (1..=MAX_AHEAD)
                    .find_map(|ahead| self.pipelined(values, &counter, (*wait, element), ahead));
                plans.push(plan?);
            }
        }
        let used = plans.iter().flat_map(|plan| {
            let behind = plan.last.iter().map(|(wait, _)| *wait);
            let ops = [plan.start.op, plan.wait].into_iter().chain(behind);
            ops.chain(plan.first.iter().copied())
        });
        let mut used: Vec<OpId> = used.collect();
        let mut all: Vec<OpId> = self.starts.iter().map(|start| start.op).collect();
        all.extend(self.waits.iter().map(|(wait, _)| *wait));
        used.sort_unstable();
        all.sort_unstable();
        (used == all).then_some(plans)
    }

    /// The transfers that a wait in a loop waits for, if the loop starts them so many iterations ahead.
    fn pipelined(
        &self,
        values: &mut AffineValues,
        counter: &Counter,
        (wait, element): (OpId, &[AffineExpr]),
        ahead: i64,
    ) -> Option<Pipelined> {
        let (ctx, body, l) = (values.ctx, values.body, counter.l);
        let before = |value: AffineExpr, iterations: i64| {
            let distance = counter.step.checked_mul(iterations)?.checked_neg()?;
            Some((
                counter.atom,
                ctx.affine_add(value, ctx.affine_const(distance)),
            ))
        };
        let started = before(ctx.affine_dim(counter.atom), ahead)?;
        let is_awaited = |start: &&Start| {
            body.is_ancestor(l.0, start.op) && is_at(values, &start.tag, started, element)
        };
        let start = self.starts.iter().find(is_awaited)?;
        // A wait waits for all transfers that are under way with its element.
        let is_the_only_one = (0..ahead).all(|iterations| {
            let at = before(ctx.affine_dim(counter.atom), iterations);
            at.is_some_and(|at| are_apart(values, &start.tag, at, element))
        });
        if !is_the_only_one {
            return None;
        }
        let is_beside = |op: OpId| body[op].parent() == body[l.0].parent();
        let first = (1..=ahead).map(|iterations| {
            let at = before(counter.lower, iterations)?;
            let found = self.starts.iter().find(|other| {
                is_beside(other.op)
                    && is_before(body, other.op, l.0)
                    && other.is_start_at(values, start, at)
            });
            found.map(|start| start.op)
        });
        let first = first.collect::<Option<Vec<OpId>>>()?;
        let (_, greatest) = before(ctx.affine_add(counter.upper, ctx.affine_const(-1)), ahead)?;
        let is_conditional = counter.runs_until(values, start.op, greatest)?;
        let last = (1..=ahead).filter_map(|iterations| {
            let at = before(counter.end(ctx)?, iterations)?;
            let (wait, _) = self.waits.iter().find(|(wait, element)| {
                is_beside(*wait)
                    && is_before(body, l.0, *wait)
                    && is_at(values, &start.tag, at, element)
            })?;
            Some((*wait, values.map_at(*wait, &[at.1])?))
        });
        Some(Pipelined {
            l,
            ahead,
            slice: slice(body, l, &body[start.op].operands, &[]).ok()?,
            start: start.clone(),
            first,
            wait,
            // A start under a condition may not have run in the last iterations.
            last: if is_conditional {
                Vec::new()
            } else {
                last.collect()
            },
        })
    }
}

/// Counter of a loop from a lower to an upper bound, both one expression.
struct Counter {
    l: ForOp,
    atom: u32,
    lower: AffineExpr,
    upper: AffineExpr,
    step: i64,
}

impl Counter {
    fn of(values: &mut AffineValues, l: ForOp) -> Option<Counter> {
        let (ctx, body) = (values.ctx, values.body);
        Some(Counter {
            l,
            atom: values.atom_number(Atom::Value(l.induction_var(body))),
            lower: values.exact_bound(l.0, l.lower(ctx, body))?,
            upper: values.exact_bound(l.0, l.upper(ctx, body))?,
            step: l.step(ctx, body),
        })
    }

    /// The upper bound, where the steps end there.
    fn end(&self, ctx: &Context) -> Option<AffineExpr> {
        let distance = ctx.affine_sub(self.upper, self.lower).as_constant(ctx);
        let is_whole = |distance: i64| distance >= 0 && distance % self.step == 0;
        (self.step == 1 || distance.is_some_and(is_whole)).then_some(self.upper)
    }

    /// Whether a start in the loop is conditional; `None` where it may not run in some iteration up to the `greatest`
    /// counter, or more than once in one.
    fn runs_until(
        &self,
        values: &mut AffineValues,
        start: OpId,
        greatest: AffineExpr,
    ) -> Option<bool> {
        let (ctx, body) = (values.ctx, values.body);
        let around = body.parent_op(start)?;
        if around == self.l.0 {
            return Some(false);
        }
        let condition = IfOp::cast(body, around)?;
        let is_direct = body.parent_op(around) == Some(self.l.0)
            && body[start].parent() == Some(condition.then_block(body));
        if !is_direct {
            return None;
        }
        let set = condition.set(ctx, body);
        let data = set.data(ctx);
        let env = values.environment_at(around);
        for constraint in &data.constraints {
            let operands = condition.operands(body);
            let expr = values.over(env, constraint.expr, data.dims as usize, operands)?;
            let factor = values.coefficient(expr, self.atom)?;
            if constraint.is_eq || !values.fits(expr, env) {
                return None;
            }
            let at = if factor < 0 { greatest } else { self.lower };
            let least = values.with_atoms(expr, &[(self.atom, at)]);
            if values.linear(least).as_constant(ctx)? < 0 {
                return None;
            }
        }
        Some(true)
    }
}

impl Pipelined {
    /// Inserts starts in front of the waits.
    fn apply(&self, ctx: &Context, body: &mut Body) {
        let counter = self.l.induction_var(body);
        // A plan has found that the product is a number of 64 bits.
        let distance = self.l.step(ctx, body).wrapping_mul(self.ahead);
        let before = ctx.affine_add(ctx.affine_dim(0), ctx.affine_const(-distance));
        let before = (ctx.affine_map(1, 0, &[before]), vec![counter]);
        let at_waits = [(self.wait, before)]
            .into_iter()
            .chain(self.last.iter().cloned());
        for (wait, (map, operands)) in at_waits {
            let mut b = Builder::before(ctx, body, wait);
            let value = ApplyOp::create(&mut b, map, &operands);
            let mut names = IrMapping::new();
            names.map(counter, value);
            b.insert_copies(&self.slice, &mut names);
            b.insert_copy(self.start.op, &mut names);
        }
    }
}
