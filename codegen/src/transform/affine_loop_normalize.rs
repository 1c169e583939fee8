//! `affine-loop-normalize`: rewrites loops to count from 0 in steps of 1.
//!
//! ```text
//! affine.for %i = %l to %u step 3 {        affine.for %k = 0 to (%u - %l) ceildiv 3 {
//!   S(%i)                            ⇒       %i = affine.apply (k)[l] -> (k * 3 + l)
//! }                                          S(%i)
//!                                          }
//! ```
//!
//! The dimensions of an `affine.parallel` likewise. The order of iterations stays, so that no
//! dependence matters; a lower bound has one result, and `%u - %l` must not leave 64 bits where the
//! loop has iterations. Where it may be below them without, `%u` is a bound too, which then ends
//! the loop at once if `%l` is never negative. Other loops stay, with a remark. With
//! `promote-single-iter`, the body of a loop that is known to have one iteration replaces the loop.

use gridloom_dialects::affine::{self, ApplyOp, ForOp, ParallelOp};
use gridloom_dialects::inherent;
use gridloom_ir::affine::AffineOp;
use gridloom_ir::{
    AffineExpr, Body, Builder, Context, Diagnostic, Diagnostics, InsertPoint, OpId, Value,
};

use super::affine_loop_unroll::promote;
use super::affine_parallelize::group_sizes;
use super::joint_bounds::JointBounds;
use crate::analysis::counter::{Counter, counters};
use crate::analysis::interval::{Interval, MAX_TRIPS};
use crate::analysis::values::AffineValues;

/// Normalizes the loops of a body; with `promote_single`, replaces loops of one iteration by their
/// bodies. Returns whether anything changed, and why loops stay.
pub fn normalize(ctx: &Context, body: &mut Body, promote_single: bool) -> (bool, Diagnostics) {
    let mut remarks = Diagnostics::new();
    let mut plans: Vec<(OpId, Guards)> = Vec::new();
    let mut values = AffineValues::new(ctx, body);
    for op in body.walk() {
        let mut counters = counters(body, op).peekable();
        let is_loop = counters.peek().is_some();
        let is_open = |counter: &Counter| !is_normal(ctx, body, *counter);
        if !is_loop || !counters.any(|counter| is_open(&counter)) {
            continue;
        }
        match plan(&mut values, op) {
            Ok(plan) => plans.push((op, plan)),
            Err(why) => {
                let message =
                    format!("this loop is not normalized to count from 0 in steps of 1: {why}");
                remarks.push(Diagnostic::remark(body[op].loc, message));
            }
        }
    }
    for (op, guards) in &plans {
        apply(ctx, body, *op, guards);
    }
    let mut changed = !plans.is_empty();
    if promote_single {
        // Inner loops first, since promotion copies the body.
        for op in body.walk().into_iter().rev() {
            if let Some(l) = ForOp::cast(body, op) {
                changed |= promote(ctx, body, l);
            }
        }
    }
    (changed, remarks)
}

/// Normalizes one loop. Returns whether it changed.
///
/// # Errors
/// The reason why the loop cannot be normalized.
pub(super) fn normalize_loop(
    ctx: &Context,
    body: &mut Body,
    op: OpId,
) -> Result<bool, &'static str> {
    if counters(body, op).all(|counter| is_normal(ctx, body, counter)) {
        return Ok(false);
    }
    let guards = plan(&mut AffineValues::new(ctx, body), op)?;
    apply(ctx, body, op, &guards);
    Ok(true)
}

/// Whether a counter starts at 0 and has step 1.
fn is_normal(ctx: &Context, body: &Body, counter: Counter) -> bool {
    let lower = counter.lower(ctx, body).map.as_single_constant(ctx);
    counter.step(ctx, body) == 1 && lower == Some(0)
}

/// Upper-bound guards: for each result of each counter's upper bound, whether it has to be kept as
/// a bound beside the difference.
type Guards = Vec<Vec<bool>>;

fn plan(values: &mut AffineValues, op: OpId) -> Result<Guards, &'static str> {
    let body = values.body;
    let all: Vec<Counter> = counters(body, op).collect();
    all.into_iter()
        .map(|counter| guards_of(values, counter))
        .collect()
}

fn guards_of(values: &mut AffineValues, counter: Counter) -> Result<Vec<bool>, &'static str> {
    let (ctx, body) = (values.ctx, values.body);
    if is_normal(ctx, body, counter) {
        return Ok(Vec::new());
    }
    let wraps = "the difference of its bounds may overflow the 64-bit index for some values of \
                 its operands (affine-guard-overflow tests for them)";
    let env = values.environment_at(counter.op);
    let lower = counter.lower(ctx, body);
    let lowers = values.map_exprs(counter.op, lower.map, lower.operands);
    let &[lower] = &lowers[..] else {
        return Err("its lower bound is a maximum");
    };
    let lower = lower
        .filter(|&lower| values.fits(lower, env))
        .ok_or(wraps)?;
    let first = values.interval(lower, env).ok_or(wraps)?;
    let upper = counter.upper(ctx, body);
    let uppers = values.map_exprs(counter.op, upper.map, upper.operands);
    let machine = Interval::MACHINE;
    let step = i128::from(counter.step(ctx, body));
    // No loop runs more iterations than this limit; any of several bounds may be the least one.
    let longest = match uppers.len() {
        1 => MAX_TRIPS * step,
        _ => i128::MAX,
    };
    let mut guards = Vec::new();
    for upper in uppers {
        let upper = upper
            .filter(|&upper| values.fits(upper, env))
            .ok_or(wraps)?;
        let length = values
            .interval(ctx.affine_sub(upper, lower), env)
            .ok_or(wraps)?;
        if length.most.min(longest) > machine.most {
            return Err(wraps);
        }
        guards.push(length.least < machine.least);
    }
    match guards.contains(&true) && first.least < 0 {
        true => Err(wraps),
        false => Ok(guards),
    }
}

fn apply(ctx: &Context, body: &mut Body, op: OpId, guards: &Guards) {
    let all: Vec<Counter> = counters(body, op).collect();
    let old: Vec<(Counter, i64)> = (all.iter().copied())
        .filter(|&counter| !is_normal(ctx, body, counter))
        .map(|counter| (counter, counter.step(ctx, body)))
        .collect();
    let block = all[0].block(body);
    let statements: Vec<OpId> = body.ops(block).collect();
    let mut b = Builder::before(ctx, body, op);
    b.set(InsertPoint::Start(block));
    let mut replaced: Vec<(Value, Value)> = Vec::new();
    for &(counter, step) in &old {
        let iv = counter.induction_var(b.body);
        replaced.push((iv, old_value(&mut b, counter, step)));
    }
    for statement in statements {
        body.replace_values_in(statement, |value| {
            let known = replaced.iter().find(|(from, _)| *from == value);
            known.map_or(value, |(_, to)| *to)
        });
    }
    let bounds = all
        .iter()
        .flat_map(|c| [c.lower(ctx, body), c.upper(ctx, body)]);
    let bounds: Vec<_> = bounds.collect();
    let joint = JointBounds::of(ctx, &bounds);
    let uppers = joint.exprs.chunks_exact(2).zip(&all).zip(guards);
    let uppers: Vec<Vec<AffineExpr>> = uppers
        .map(|((exprs, counter), guards)| {
            let [lower, upper] = [&exprs[0], &exprs[1]];
            if is_normal(ctx, body, *counter) {
                return upper.clone();
            }
            let step = ctx.affine_const(counter.step(ctx, body));
            let count = |&upper: &AffineExpr| {
                let length = joint.difference(ctx, upper, lower[0]);
                ctx.affine_binary(AffineOp::CeilDiv, length, step)
            };
            let counts = upper.iter().map(count);
            let guards = upper.iter().zip(guards).filter(|(_, guard)| **guard);
            counts.chain(guards.map(|(&upper, _)| upper)).collect()
        })
        .collect();
    set_bounds(ctx, body, op, &joint, &uppers);
}

/// Emits the value of the old counter from the new one, at the start of the loop.
fn old_value(b: &mut Builder, counter: Counter, step: i64) -> Value {
    let ctx = b.ctx;
    let iv = counter.induction_var(b.body);
    let lower = counter.lower(ctx, b.body);
    let own = affine::Bound {
        map: ctx.identity_map(1),
        operands: &[iv],
    };
    let joint = JointBounds::of(ctx, &[own, lower]);
    let scaled = ctx.affine_mul(joint.exprs[0][0], ctx.affine_const(step));
    let sum = ctx.affine_add(scaled, joint.exprs[1][0]);
    let (map, operands) = (joint.map(ctx, &[sum]), joint.operands());
    ApplyOp::create(b, map, &operands)
}

/// Sets the bounds of normalized counters: they start at 0, have step 1 and these upper bounds.
fn set_bounds(
    ctx: &Context,
    body: &mut Body,
    op: OpId,
    joint: &JointBounds,
    uppers: &[Vec<AffineExpr>],
) {
    let map = joint.map(ctx, &uppers.concat());
    let operands = joint.operands();
    if let Some(l) = ForOp::cast(body, op) {
        let upper = affine::Bound {
            map,
            operands: &operands,
        };
        l.set_lower(ctx, body, affine::Bound::constant(ctx, 0));
        l.set_upper(ctx, body, upper);
        l.set_step(ctx, body, 1);
        return;
    }
    let dims = ParallelOp(op).induction_vars(body).len();
    let lower = ctx.affine_map(0, 0, &vec![ctx.affine_const(0); dims]);
    let sizes: Vec<usize> = uppers.iter().map(Vec::len).collect();
    let data = &mut body[op];
    data.set_property(ctx, inherent::LOWER_BOUNDS_MAP, ctx.map_attr(lower));
    data.set_property(
        ctx,
        inherent::LOWER_BOUNDS_GROUPS,
        group_sizes(ctx, &vec![1; dims]),
    );
    data.set_property(ctx, inherent::UPPER_BOUNDS_MAP, ctx.map_attr(map));
    data.set_property(ctx, inherent::UPPER_BOUNDS_GROUPS, group_sizes(ctx, &sizes));
    let steps = vec![ctx.i64_attr(1); dims];
    data.set_property(ctx, inherent::STEPS, ctx.array_attr(&steps));
    data.operands = operands.into_iter().collect();
}
