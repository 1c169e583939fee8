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

mod rotated;

use gridloom_dialects::affine::{ApplyOp, ForOp, IfOp};
use gridloom_dialects::memory_space::launch_around;
use gridloom_dialects::{memref, scf};
use gridloom_ir::body::Uses;
use gridloom_ir::{AffineExpr, Body, Builder, Context, IrMapping, OpId};
use gridloom_presburger::Answer;

use crate::analysis::budget::Budgets;
use crate::analysis::system::{Combination, Instance, Statements};
use crate::analysis::values::{AffineValues, Atom};
use crate::transform::affine_pipeline_data_transfer::{is_before, slice};
use crate::transform::dma_transfer::{Transfer, awaited_tag, least_of};
use crate::transform::emit_loops::MapWithOperands;
use crate::transform::kernels::is_kernel;
use crate::transform::lower_memref_dma::{is_start, is_tag};
use crate::transform::raise_to_affine::raise;

/// Limit of the iterations that a transfer starts ahead.
const MAX_AHEAD: i64 = 8;

/// Moves starts to their waits in a host function. Returns whether there were any.
pub fn unpipeline_transfers(ctx: &Context, body: &mut Body) -> bool {
    if !body.may_hold_any(is_start) || is_kernel(body) {
        return false;
    }
    let is_scf = |op: OpId| matches!(body[op].name, scf::FOR | scf::IF | scf::WHILE);
    let starts = body.walk_named(is_start);
    let is_in_scf = |&op: &OpId| body.ancestors(op).any(is_scf);
    let raised = starts.iter().any(is_in_scf) && raise(ctx, body).0;
    let merged = rotated::merge_buffers(ctx, body);
    let uses = body.uses();
    let mut plans = Vec::new();
    let mut numbers = Numbers {
        values: AffineValues::new(ctx, body),
        minima: Vec::new(),
    };
    for tag in body.walk() {
        if launch_around(body, tag).is_none() && is_tag(ctx, body, &uses, tag) {
            let tagged = Tagged::of(&mut numbers.values, &uses, tag);
            let found = tagged.and_then(|tagged| tagged.plan(&mut numbers));
            plans.extend(found.into_iter().flatten());
        }
    }
    for plan in &plans {
        plan.apply(ctx, body);
    }
    for plan in &plans {
        body.erase(plan.start.op);
        plan.first.iter().for_each(|&start| body.erase(start));
    }
    raised || merged || !plans.is_empty()
}

/// Index values of a function, in which equal minima are one atom.
struct Numbers<'a> {
    values: AffineValues<'a>,
    minima: Vec<Vec<AffineExpr>>,
}

impl Numbers<'_> {
    /// An expression in normal form, with other ones for some atoms.
    fn with_atoms(&mut self, expr: AffineExpr, known: &[(u32, AffineExpr)]) -> AffineExpr {
        let mut atoms = Vec::new();
        self.values.atoms_in(expr, &mut atoms);
        let mut known = known.to_vec();
        for atom in atoms {
            if let Some(minimum) = self.minimum(atom, &known) {
                known.push((atom, minimum));
            }
        }
        self.values.linear(self.values.with_atoms(expr, &known))
    }

    /// The minimum that an atom is, if it is one.
    fn minimum(&mut self, atom: u32, known: &[(u32, AffineExpr)]) -> Option<AffineExpr> {
        let ctx = self.values.ctx;
        let Atom::Value(number) = self.values.atom(atom) else {
            return None;
        };
        let parts = least_of(&mut self.values, number).into_iter();
        let parts = parts.map(|part| self.values.linear(self.values.with_atoms(part, known)));
        let (mut parts, numbers): (Vec<_>, Vec<_>) =
            parts.partition(|part| part.as_constant(ctx).is_none());
        parts.extend(numbers.into_iter().min_by_key(|part| part.as_constant(ctx)));
        parts.sort_unstable();
        parts.dedup();
        if let [only] = parts[..] {
            return Some(only);
        }
        let same = self.minima.iter().position(|minimum| *minimum == parts);
        let place = same.unwrap_or_else(|| {
            self.minima.push(parts);
            self.minima.len() - 1
        });
        Some(
            self.values
                .atom_expr(Atom::Fresh(u32::try_from(place).ok()?)),
        )
    }
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
    fn is_start_at(&self, numbers: &mut Numbers, other: &Start, at: (u32, AffineExpr)) -> bool {
        let memrefs = |start: &Start| {
            let transfer = &start.transfer;
            [&transfer.source, &transfer.target, &transfer.tag].map(|place| place.memref)
        };
        memrefs(self) == memrefs(other)
            && is_at(numbers, &other.tag, at, &self.tag)
            && is_at(numbers, &other.rest, at, &self.rest)
    }
}

/// Whether expressions are `found` where a counter has a value.
fn is_at(
    numbers: &mut Numbers,
    exprs: &[AffineExpr],
    at: (u32, AffineExpr),
    found: &[AffineExpr],
) -> bool {
    exprs.len() == found.len()
        && (exprs.iter().zip(found)).all(|(&expr, &found)| {
            numbers.with_atoms(expr, &[at]) == numbers.with_atoms(found, &[])
        })
}

/// Whether expressions, with other ones for some atoms, differ from others in some place.
fn are_apart(
    values: &AffineValues,
    exprs: &[AffineExpr],
    known: &[(u32, AffineExpr)],
    others: &[AffineExpr],
) -> bool {
    let mut same = Statements::new();
    for (&expr, &other) in exprs.iter().zip(others) {
        let expr = values.with_atoms(expr, known);
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

    /// The transfers that loops start ahead, if all others are waited for beside their start.
    fn plan(&self, numbers: &mut Numbers) -> Option<Vec<Pipelined>> {
        let body = numbers.values.body;
        let mut plans = Vec::new();
        let mut used = Vec::new();
        for (wait, element) in &self.waits {
            if let Some(start) = self.start_beside(numbers, (*wait, element)) {
                used.extend([start, *wait]);
            } else if let Some(l) = body.parent_op(*wait).and_then(|op| ForOp::cast(body, op)) {
                let counter = Counter::of(&mut numbers.values, l)?;
                let plan = (1..=MAX_AHEAD)
                    .find_map(|ahead| self.pipelined(numbers, &counter, (*wait, element), ahead));
                plans.push(plan?);
            }
        }
        for plan in &plans {
            used.extend([plan.start.op, plan.wait]);
            used.extend(plan.first.iter().copied());
            used.extend(plan.last.iter().map(|(wait, _)| *wait));
        }
        let mut all: Vec<OpId> = self.starts.iter().map(|start| start.op).collect();
        all.extend(self.waits.iter().map(|(wait, _)| *wait));
        used.sort_unstable();
        all.sort_unstable();
        (used == all).then_some(plans)
    }

    /// The start in front of a wait in its block that it waits for, if no other transfer with an element
    /// that may be the same is started or waited for in between.
    fn start_beside(
        &self,
        numbers: &Numbers,
        (wait, element): (OpId, &[AffineExpr]),
    ) -> Option<OpId> {
        let (values, body) = (&numbers.values, numbers.values.body);
        let starts = self.starts.iter().map(|start| (start.op, &start.tag));
        let waits = self.waits.iter().map(|(wait, element)| (*wait, element));
        let users: Vec<(OpId, &Vec<AffineExpr>)> = starts.chain(waits).collect();
        let mut before = std::iter::successors(body[wait].prev(), |&op| body[op].prev());
        let found = before.find(|&op| {
            users.iter().any(|&(user, other)| {
                let is_here = user == op || body.is_ancestor(op, user);
                is_here && !are_apart(values, other, &[], element)
            })
        })?;
        let start = self.starts.iter().find(|start| start.op == found)?;
        (start.tag == element).then_some(found)
    }

    /// The transfers that a wait in a loop waits for, if the loop starts them so many iterations ahead.
    fn pipelined(
        &self,
        numbers: &mut Numbers,
        counter: &Counter,
        (wait, element): (OpId, &[AffineExpr]),
        ahead: i64,
    ) -> Option<Pipelined> {
        let (ctx, body, l) = (numbers.values.ctx, numbers.values.body, counter.l);
        let before = |value: AffineExpr, iterations: i64| {
            let distance = counter.step.checked_mul(iterations)?.checked_neg()?;
            Some((
                counter.atom,
                ctx.affine_add(value, ctx.affine_const(distance)),
            ))
        };
        let started = before(ctx.affine_dim(counter.atom), ahead)?;
        let mut starts = self.starts.iter();
        let start = starts.find(|start| {
            body.is_ancestor(l.0, start.op) && is_at(numbers, &start.tag, started, element)
        })?;
        // A wait waits for all transfers that are under way with its element. That of its own iteration is, if it starts before.
        let own = std::iter::successors(Some(start.op), |&op| body.parent_op(op))
            .find(|&op| body.parent_op(op) == Some(l.0))?;
        let first_later = i64::from(is_before(body, wait, own));
        let is_the_only_one = (first_later..ahead).all(|iterations| {
            let at = before(ctx.affine_dim(counter.atom), iterations);
            at.is_some_and(|at| are_apart(&numbers.values, &start.tag, &[at], element))
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
                    && other.is_start_at(numbers, start, at)
            });
            found.map(|start| start.op)
        });
        let first = first.collect::<Option<Vec<OpId>>>()?;
        let (_, greatest) = before(ctx.affine_add(counter.upper, ctx.affine_const(-1)), ahead)?;
        let is_conditional = counter.runs_until(&mut numbers.values, start.op, greatest)?;
        let last = (1..=ahead).filter_map(|iterations| {
            let at = before(counter.end(ctx)?, iterations)?;
            let (wait, _) = self.waits.iter().find(|(wait, element)| {
                is_beside(*wait)
                    && is_before(body, l.0, *wait)
                    && is_at(numbers, &start.tag, at, element)
            })?;
            Some((*wait, numbers.values.map_at(*wait, &[at.1])?))
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
