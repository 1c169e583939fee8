//! Raising of loops: `scf.for`, `scf.parallel` and `scf.forall` with affine bounds.

use std::collections::HashMap;

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::{arith, inherent, scf};
use gridloom_ir::attr::Int;
use gridloom_ir::op::{I64ArrayAttr, Inherent};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{AffineExpr, Attr, BlockId, Body, Builder, Context, OpId, Value};

use super::bounds::{Best, as_value, bound_exprs, is_natural};
use super::operands::{Mapped, NonAffineValue, Raised, mapped};
use crate::analysis::values::AffineValues;

/// Plan of raising one loop.
pub(super) enum Plan {
    For {
        op: OpId,
        lower: Mapped,
        upper: Mapped,
        step: i64,
    },
    Band {
        op: OpId,
        lower: Grouped,
        upper: Grouped,
        steps: Vec<i64>,
    },
}

/// Grouped bounds of a band: the bounds of all counters, and how many belong to each.
pub(super) struct Grouped {
    bounds: Mapped,
    groups: Vec<i32>,
}

/// Obstacle to raising a loop.
pub(super) enum Obstacle {
    /// The step is no positive constant.
    Step(Value),
    /// The loop compares as unsigned values that may be negative as signed ones.
    Unsigned,
    /// The counter has another type than `index`.
    Type,
    /// The loop combines values of its iterations, or makes tensors.
    Results,
    /// A bound is not affine; with the value that makes it so.
    Bound(&'static str, NonAffineValue),
}

/// Counter of an `scf` loop: induction variable, bounds and step.
struct Counter {
    lower: Number,
    upper: Number,
    step: Number,
}

#[derive(Clone, Copy)]
enum Number {
    Constant(i64),
    Value(Value),
}

impl Number {
    fn constant(self, ctx: &Context, body: &Body) -> Option<i64> {
        match self {
            Number::Constant(number) => Some(number),
            Number::Value(value) => arith::constant_int(ctx, body, value),
        }
    }
}

/// Whether an operation is of a kind of loop that may be raised.
pub(super) fn is_candidate(body: &Body, op: OpId) -> bool {
    matches!(body[op].name, scf::FOR | scf::PARALLEL | scf::FORALL)
}

/// Plans to raise a loop, given which loops around it are affine.
pub(super) fn plan(values: &mut AffineValues, raised: &Raised, op: OpId) -> Result<Plan, Obstacle> {
    let (ctx, body) = (values.ctx, values.body);
    match body[op].name {
        scf::FOR => plan_for(values, raised, op),
        _ if body[op].num_results() > 0 => Err(Obstacle::Results),
        scf::PARALLEL => {
            let band = scf::ParallelOp(op);
            let bounds = band.lower(ctx, body).iter().zip(band.upper(ctx, body));
            let counters = bounds.zip(band.steps(ctx, body));
            let counters = counters.map(|((&lower, &upper), &step)| Counter {
                lower: Number::Value(lower),
                upper: Number::Value(upper),
                step: Number::Value(step),
            });
            plan_band(values, raised, op, &counters.collect::<Vec<_>>())
        }
        _ => {
            let counters = forall_counters(ctx, body, op).ok_or(Obstacle::Type)?;
            plan_band(values, raised, op, &counters)
        }
    }
}

fn plan_for(values: &mut AffineValues, raised: &Raised, op: OpId) -> Result<Plan, Obstacle> {
    let (ctx, body) = (values.ctx, values.body);
    let old = scf::ForOp(op);
    let (lower, upper) = (old.lower(body), old.upper(body));
    if !body.ty(lower).is_index(ctx) {
        return Err(Obstacle::Type);
    }
    let env = values.environment_at(op);
    if old.is_unsigned(ctx, body)
        && !(is_natural(values, lower, env) && is_natural(values, upper, env))
    {
        return Err(Obstacle::Unsigned);
    }
    let step = positive(ctx, body, Number::Value(old.step(body)))?;
    let lowers = bound_exprs(values, op, lower, Best::Greatest);
    let uppers = bound_exprs(values, op, upper, Best::Least);
    Ok(Plan::For {
        op,
        lower: named(values, raised, op, &lowers, "lower")?,
        upper: named(values, raised, op, &uppers, "upper")?,
        step,
    })
}

fn plan_band(
    values: &mut AffineValues,
    raised: &Raised,
    op: OpId,
    counters: &[Counter],
) -> Result<Plan, Obstacle> {
    let (ctx, body) = (values.ctx, values.body);
    let steps = counters
        .iter()
        .map(|counter| positive(ctx, body, counter.step));
    let steps: Vec<i64> = steps.collect::<Result<_, _>>()?;
    let mut group = |numbers: Vec<Number>, best, which| {
        let (mut exprs, mut groups) = (Vec::new(), Vec::new());
        for number in numbers {
            let found = match number {
                Number::Constant(number) => vec![ctx.affine_const(number)],
                Number::Value(value) => bound_exprs(values, op, value, best),
            };
            groups.push(found.len() as i32);
            exprs.extend(found);
        }
        let bounds = named(values, raised, op, &exprs, which)?;
        Ok(Grouped { bounds, groups })
    };
    let lowers = counters.iter().map(|counter| counter.lower).collect();
    let uppers = counters.iter().map(|counter| counter.upper).collect();
    Ok(Plan::Band {
        op,
        lower: group(lowers, Best::Greatest, "lower")?,
        upper: group(uppers, Best::Least, "upper")?,
        steps,
    })
}

fn positive(ctx: &Context, body: &Body, step: Number) -> Result<i64, Obstacle> {
    match (step.constant(ctx, body), step) {
        (Some(number), _) if number > 0 => Ok(number),
        (_, Number::Value(value)) => Err(Obstacle::Step(value)),
        (_, Number::Constant(_)) => Err(Obstacle::Type),
    }
}

fn named(
    values: &AffineValues,
    raised: &Raised,
    op: OpId,
    exprs: &[AffineExpr],
    which: &'static str,
) -> Result<Mapped, Obstacle> {
    mapped(values, raised, op, exprs).map_err(|culprit| {
        let whole = exprs.iter().find_map(|&expr| as_value(values, expr));
        Obstacle::Bound(which, culprit.or(whole))
    })
}

/// The counters of `scf.forall`, whose bounds are constants in attributes or
/// operands.
fn forall_counters(ctx: &Context, body: &Body, op: OpId) -> Option<Vec<Counter>> {
    let list = |numbers: Inherent<I64ArrayAttr>, segment: usize| {
        let mut open = body[op].operand_segment(ctx, segment).iter();
        let numbers = body[op].get(ctx, numbers)?;
        let number = |number| match number {
            DYNAMIC => open.next().map(|&value| Number::Value(value)),
            number => Some(Number::Constant(number)),
        };
        numbers.into_iter().map(number).collect::<Option<Vec<_>>>()
    };
    let lowers = list(inherent::STATIC_LOWER_BOUND, 0)?;
    let uppers = list(inherent::STATIC_UPPER_BOUND, 1)?;
    let steps = list(inherent::STATIC_STEP, 2)?;
    let counters = lowers.into_iter().zip(uppers).zip(steps);
    let counters = counters.map(|((lower, upper), step)| Counter { lower, upper, step });
    Some(counters.collect())
}

impl Plan {
    pub(super) fn op(&self) -> OpId {
        match self {
            Plan::For { op, .. } | Plan::Band { op, .. } => *op,
        }
    }

    /// Applies the plan. Adds replacements of the loop's results to `replaced`.
    pub(super) fn apply(
        &self,
        ctx: &Context,
        body: &mut Body,
        replaced: &mut HashMap<Value, Value>,
    ) {
        let old = self.op();
        let attributes = body[old].attributes;
        let block = match self {
            Plan::For { .. } => scf::ForOp(old).block(body),
            Plan::Band { .. } => body[body[old].inline_regions()[0]].blocks[0],
        };
        let new = match self {
            Plan::For {
                lower, upper, step, ..
            } => {
                let inits = scf::ForOp(old).inits(body).to_vec();
                let mut b = Builder::before(ctx, body, old);
                let new = lower.with_bound(&mut b, |b, lower| {
                    upper.with_bound(b, |b, upper| ForOp::create(b, lower, upper, *step, &inits))
                });
                let made = new.block(body);
                body.remove_block(made);
                new.0
            }
            Plan::Band {
                lower,
                upper,
                steps,
                ..
            } => create_band(&mut Builder::before(ctx, body, old), lower, upper, steps),
        };
        body[new].attributes = attributes;
        let region = body[new].inline_regions()[0];
        body.move_block(block, region, 0);
        end_with_yield(ctx, body, block);
        replaced.extend(body[old].results().zip(body[new].results()));
        body.erase(old);
    }
}

fn create_band(b: &mut Builder, lower: &Grouped, upper: &Grouped, steps: &[i64]) -> OpId {
    let ctx = b.ctx;
    let operands = [lower, upper].map(|side| side.bounds.operands(b)).concat();
    let groups = |side: &Grouped| {
        let ty = ctx.tensor_type(&[side.groups.len() as i64], ctx.int_type(32));
        let sizes: Vec<Int> = (side.groups.iter())
            .map(|&size| Int::Small(size.into()))
            .collect();
        ctx.dense_ints_attr(ty, &sizes)
    };
    let steps: Vec<Attr> = steps.iter().map(|&step| ctx.i64_attr(step)).collect();
    let state = b
        .state(affine::PARALLEL)
        .operands(&operands)
        .property(ctx, inherent::REDUCTIONS, ctx.array_attr(&[]))
        .property(
            ctx,
            inherent::LOWER_BOUNDS_MAP,
            ctx.map_attr(lower.bounds.map(ctx)),
        )
        .property(ctx, inherent::LOWER_BOUNDS_GROUPS, groups(lower))
        .property(
            ctx,
            inherent::UPPER_BOUNDS_MAP,
            ctx.map_attr(upper.bounds.map(ctx)),
        )
        .property(ctx, inherent::UPPER_BOUNDS_GROUPS, groups(upper))
        .property(ctx, inherent::STEPS, ctx.array_attr(&steps));
    let new = b.create(state);
    b.body.add_region(new);
    new
}

/// Replaces the terminator, `scf.yield`, `scf.reduce` or `scf.forall.in_parallel`,
/// by `affine.yield` of the same values.
fn end_with_yield(ctx: &Context, body: &mut Body, block: BlockId) {
    let Some(last) = body[block].last() else {
        return;
    };
    let operands = body[last].operands.to_vec();
    let mut b = Builder::before(ctx, body, last);
    b.create(b.state(affine::YIELD).operands(&operands));
    body.erase(last);
}
