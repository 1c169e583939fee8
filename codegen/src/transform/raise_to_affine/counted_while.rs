//! Counted loops: rewrites an `scf.while` that counts up to a bound as `scf.for`.
//!
//! ```text
//! %r = scf.while (%i = %l, %x = %x0) {        %r = scf.for %i = %l to %u step %s
//!   %c = arith.cmpi slt, %i, %u                   iter_args(%x = %x0) {
//!   scf.condition(%c) %i, %x            ⇒       %y = S(%i, %x)
//! } do {                                        scf.yield %y
//!   %y = S(%i, %x)                            }
//!   %n = arith.addi %i, %s
//!   scf.yield %n, %y
//! }
//! ```
//!
//! A loop that counts down, `%i` from `%f` while `%i > %l`, counts the distance `%f - %i` up from 0
//! to `%f - %l` instead. One that reaches its bound, `%i <= %u`, counts to the number behind it.
//!
//! Legal where the first region contains only the test and pure operations, which are repeated
//! where they are used, the bound is defined outside, and the sum does not wrap around: the step is
//! a power of two, so that a loop whose counter wraps would never end, the sum has the `nsw` flag,
//! or the loop would have to run too long to wrap. The distance of a loop that counts down, and the
//! number behind a bound, must not wrap around either: narrow counters are measured as `index`,
//! others need a range.

use std::collections::HashMap;

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::scf;
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Builder, Context, InsertPoint, OpId, Value};

use super::bounds::is_natural;
use crate::analysis::interval::{Interval, MAX_TRIPS};
use crate::analysis::values::AffineValues;

/// Counted loop: an `scf.while` with a counter, limit and step.
struct Counted {
    op: scf::WhileOp,
    /// Position of the counter among the carried values.
    counter: usize,
    bound: Limit,
    /// Whether the loop also runs for the counter equal to the limit.
    is_inclusive: bool,
    /// Step of the counter, always positive.
    step: i64,
    is_down: bool,
    /// Whether values computed by the last test are used after the loop.
    is_observed: bool,
}

/// Limit of the counter: it stays below, or above where it counts down.
#[derive(Clone, Copy)]
enum Limit {
    Outside(Value),
    Constant(i64),
}

/// Rewrites the counted loops among `ops`. Returns whether there was one.
pub(super) fn to_for(ctx: &Context, body: &mut Body, ops: &[OpId]) -> bool {
    let mut changed = false;
    let loops = ops
        .iter()
        .rev()
        .filter_map(|&op| scf::WhileOp::cast(body, op));
    let loops: Vec<scf::WhileOp> = loops.collect();
    if loops.is_empty() {
        return false;
    }
    let plans: Vec<Counted> = {
        let mut values = AffineValues::new(ctx, body);
        let uses = body.uses();
        let is_used = |op: OpId| body[op].results().any(|r| !uses.of(r).is_empty());
        loops
            .into_iter()
            .filter_map(|op| counted(&mut values, op, is_used(op.0)))
            .collect()
    };
    for plan in &plans {
        changed |= plan.apply(ctx, body).is_some();
    }
    changed
}

fn counted(values: &mut AffineValues, op: scf::WhileOp, is_used: bool) -> Option<Counted> {
    let (ctx, body) = (values.ctx, values.body);
    let (before, after) = (op.before(body), op.after(body));
    let last = body[before].last()?;
    let is_pure = |op: OpId| body[op].name.has(Traits::PURE) && body[op].num_regions() == 0;
    if !body.ops(before).filter(|&op| op != last).all(is_pure) {
        return None;
    }
    let (condition, passed) = op.condition(body);
    let test = body.defining_op(condition)?;
    if body[test].name != arith::CMPI || body[test].parent() != Some(before) {
        return None;
    }
    let CounterTest {
        own,
        bound,
        predicate,
        is_down,
    } = counter_test(ctx, body, test, &body[before].args)?;
    let counter = body[before].args.iter().position(|&arg| arg == own)?;
    let first = *op.inits(body).get(counter)?;
    let ty = body.ty(first);
    let width = ty.signless_width(ctx);
    let is_number = ty.is_index(ctx) || width.is_some_and(|w| (8..=64).contains(&w));
    let signed = step_of(values, op, counter, passed, after)?;
    let step = if is_down {
        signed.checked_neg()?
    } else {
        signed
    };
    let is_inside = body
        .value_block(bound)
        .is_some_and(|block| values.block_is_inside(Some(block), op.0));
    let mut is_inclusive = predicate == CmpIPredicate::Sle;
    let limit = match arith::constant_int(ctx, body, bound) {
        Some(bound) if std::mem::take(&mut is_inclusive) => {
            Limit::Constant(bound.checked_add(if is_down { -1 } else { 1 })?)
        }
        Some(bound) => Limit::Constant(bound),
        None if is_inside => return None,
        None => Limit::Outside(bound),
    };
    let env = values.environment_at(op.0);
    if predicate == CmpIPredicate::Ult
        && !(ty.is_index(ctx) && is_natural(values, first, env) && is_natural(values, bound, env))
    {
        return None;
    }
    let half = width.map_or(63, |width| width - 1);
    let in_type = match limit {
        Limit::Constant(number) => {
            let number = i128::from(number);
            (-(1i128 << half)..1i128 << half.min(63)).contains(&number)
        }
        Limit::Outside(_) => true,
    };
    // A counter that wraps around repeats its values for ever, where the step divides their number.
    let fits = step.count_ones() == 1 || has_nsw(ctx, body, op, counter) || {
        let from = values.exact_expr(first, env);
        let from = values.interval(from, env)?;
        let way = Interval::point((MAX_TRIPS + 1) * i128::from(signed));
        let end = from.plus(way);
        ty.is_index(ctx) && end.is_some_and(|end| end.is_within(Interval::MACHINE))
    };
    let is_narrow = width.is_some_and(|width| width <= 32);
    let is_measured = is_narrow
        || match (is_down, is_inclusive) {
            (false, false) => true,
            // An upper limit that is the greatest number would let the loop run for ever.
            (false, true) => starts_low(values, op, first),
            (true, false) => ty.is_index(ctx) && distance_fits(values, op, first, limit),
            (true, true) => false,
        };
    let is_closed = !is_used || step == 1;
    let is_legal = is_number && step > 0 && in_type && fits && is_measured && is_closed;
    is_legal.then_some(Counted {
        op,
        counter,
        bound: limit,
        is_inclusive,
        step,
        is_down,
        is_observed: is_used,
    })
}

/// Whether a counter that starts with `first` takes more iterations than any run has to reach the
/// last number of its type.
fn starts_low(values: &mut AffineValues, op: scf::WhileOp, first: Value) -> bool {
    let env = values.environment_at(op.0);
    let first = values.exact_expr(first, env);
    let range = values.interval(first, env);
    range.is_some_and(|range| range.most < Interval::MACHINE.most - MAX_TRIPS)
}

/// Whether `first - limit` fits the machine word, unless the loop would run too long to end.
fn distance_fits(values: &mut AffineValues, op: scf::WhileOp, first: Value, limit: Limit) -> bool {
    let bound = match limit {
        // The difference may only be too large, not too small.
        Limit::Constant(..=0) => return true,
        Limit::Constant(number) => values.ctx.affine_const(number),
        Limit::Outside(bound) => {
            let env = values.environment_at(op.0);
            values.exact_expr(bound, env)
        }
    };
    let env = values.environment_at(op.0);
    let first = values.exact_expr(first, env);
    let distance = values.ctx.affine_sub(first, bound);
    let range = values.interval(distance, env);
    range.is_some_and(|range| range.is_within(Interval::MACHINE))
}

/// Exit test of a loop: a comparison of its counter with a limit.
struct CounterTest {
    own: Value,
    bound: Value,
    /// `slt`, `sle` or `ult` between counter and limit; swapped where the loop counts down.
    predicate: CmpIPredicate,
    is_down: bool,
}

/// Matches the exit test of a counter among the block's arguments.
fn counter_test(ctx: &Context, body: &Body, test: OpId, args: &[Value]) -> Option<CounterTest> {
    use CmpIPredicate::{Sge, Sgt, Sle, Slt, Ugt, Ult};
    let &[l, r] = &body[test].operands[..] else {
        return None;
    };
    let predicate = CmpIOp(test).predicate(ctx, body);
    let (less, more, predicate) = match predicate {
        Slt | Sle | Ult => (l, r, predicate),
        Sgt | Sge | Ugt => (r, l, predicate.mirrored()),
        _ => return None,
    };
    let (own, bound, is_down) = match (args.contains(&less), args.contains(&more)) {
        (true, false) => (less, more, false),
        // Unsigned counters would wrap around below zero.
        (false, true) if predicate != Ult => (more, less, true),
        _ => return None,
    };
    Some(CounterTest {
        own,
        bound,
        predicate,
        is_down,
    })
}

/// The sum or difference that is the counter's next value.
fn next_of(body: &Body, op: scf::WhileOp, counter: usize) -> Option<OpId> {
    let next = *op.yielded(body).get(counter)?;
    let sum = body.defining_op(next)?;
    matches!(body[sum].name, arith::ADDI | arith::SUBI).then_some(sum)
}

/// Constant step of the counter.
fn step_of(
    values: &AffineValues,
    op: scf::WhileOp,
    counter: usize,
    passed: &[Value],
    after: gridloom_ir::BlockId,
) -> Option<i64> {
    let body = values.body;
    let own = body[op.before(body)].args[counter];
    let sum = next_of(body, op, counter)?;
    let &[l, r] = &body[sum].operands[..] else {
        return None;
    };
    let is_counter = |value: Value| {
        let position = body[after].args.iter().position(|&arg| arg == value);
        position.is_some_and(|position| passed.get(position) == Some(&own))
    };
    let number = |value: Value| arith::constant_int(values.ctx, body, value);
    match (is_counter(l), is_counter(r), body[sum].name) {
        (true, false, arith::SUBI) => number(r)?.checked_neg(),
        (true, false, _) => number(r),
        (false, true, arith::ADDI) => number(l),
        _ => None,
    }
}

fn has_nsw(ctx: &Context, body: &Body, op: scf::WhileOp, counter: usize) -> bool {
    next_of(body, op, counter).is_some_and(|sum| super::casts::has_nsw(ctx, body, sum))
}

impl Counted {
    fn apply(&self, ctx: &Context, body: &mut Body) -> Option<()> {
        let old = self.op.0;
        let (before, after) = (self.op.before(body), self.op.after(body));
        let inits = self.op.inits(body).to_vec();
        let first = inits[self.counter];
        let ty = body.ty(first);
        let others = |values: &[Value]| -> Vec<Value> {
            let kept = values
                .iter()
                .enumerate()
                .filter(|&(k, _)| k != self.counter);
            kept.map(|(_, &value)| value).collect()
        };
        let attributes = body[old].attributes;
        let mut b = Builder::before(ctx, body, old);
        let bound = match self.bound {
            Limit::Outside(value) => value,
            Limit::Constant(number) => b.constant(ctx.int_attr(ty, number), ty),
        };
        let (low, mut high) = match (self.is_down, self.is_inclusive) {
            (false, false) => (first, bound),
            (is_down, _) => {
                let [from, to] = [first, bound].map(|value| as_index(&mut b, value));
                match is_down {
                    false => (from, to),
                    true => (b.index_constant(0), b.binary(arith::SUBI, from, to)),
                }
            }
        };
        if self.is_inclusive {
            let one = b.index_constant(1);
            high = b.binary(arith::ADDI, high, one);
        }
        let count_ty = b.body.ty(low);
        let step = b.constant(ctx.int_attr(count_ty, self.step), count_ty);
        let new = scf::ForOp::create(&mut b, low, high, step, &others(&inits));
        b.body[new.0].attributes = attributes;
        let block = new.block(b.body);
        let mut counter = new.induction_var(b.body);
        b.set(InsertPoint::End(block));
        if self.is_down {
            let from = as_index(&mut b, first);
            counter = b.binary(arith::SUBI, from, counter);
        }
        if b.body.ty(counter) != ty {
            counter = b.unary(arith::INDEX_CAST, &[counter], ty);
        }
        let mut own = new.iter_args(b.body).to_vec();
        own.insert(self.counter, counter);

        // The body needs the test's pure operations again.
        let passed = self.repeat_test(&mut b, before, &own);
        let yielded = others(self.op.yielded(b.body));
        if let Some(last) = b.body[after].last() {
            b.body.erase(last);
        }
        let ops: Vec<OpId> = b.body.ops(after).collect();
        for op in ops {
            b.body.detach(op);
            b.body.append(block, op);
        }
        scf::yield_values(&mut b, block, &yielded);
        let args = b.body[after].args.to_vec();
        let given: HashMap<Value, Value> = args.into_iter().zip(passed).collect();
        let in_body = |value| given.get(&value).copied().unwrap_or(value);
        b.body.replace_values_in(new.0, in_body);

        if self.is_observed {
            b.set(InsertPoint::Before(old));
            let farther = if self.is_down {
                arith::MINSI
            } else {
                arith::MAXSI
            };
            let mut end = bound;
            if self.is_inclusive {
                let one = b.constant(ctx.int_attr(ty, if self.is_down { -1 } else { 1 }), ty);
                end = b.binary(arith::ADDI, end, one);
            }
            let end = b.binary(farther, first, end);
            let mut last: Vec<Value> = b.body[new.0].results().collect();
            last.insert(self.counter, end);
            let results = self.repeat_test(&mut b, before, &last);
            let old_results: Vec<Value> = b.body[old].results().collect();
            let given: HashMap<Value, Value> = old_results.into_iter().zip(results).collect();
            b.body
                .replace_values(|value| given.get(&value).copied().unwrap_or(value));
        }
        body.erase(old);
        Some(())
    }

    /// Clones the pure operations of the test with other carried values. Returns the values that
    /// the test passes to the body.
    fn repeat_test(
        &self,
        b: &mut Builder,
        before: gridloom_ir::BlockId,
        values: &[Value],
    ) -> Vec<Value> {
        let args = b.body[before].args.to_vec();
        let mut map: HashMap<Value, Value> = args.into_iter().zip(values.iter().copied()).collect();
        let mapped = |map: &HashMap<Value, Value>, value: Value| *map.get(&value).unwrap_or(&value);
        let last = b.body[before].last();
        let ops: Vec<OpId> = b.body.ops(before).filter(|&op| Some(op) != last).collect();
        for op in ops {
            let data = &b.body[op];
            let operands: Vec<Value> = data.operands.iter().map(|&v| mapped(&map, v)).collect();
            let types: Vec<_> = data.results().map(|r| b.body.ty(r)).collect();
            let mut state = b.state(data.name).operands(&operands).results(&types);
            state.properties = data.properties;
            state.attributes = data.attributes;
            let copy = b.create(state);
            map.extend(b.body[op].results().zip(b.body[copy].results()));
        }
        let passed = self.op.condition(b.body).1.iter();
        passed.map(|&value| mapped(&map, value)).collect()
    }
}

/// Emits an integer as an `index` of the same value.
fn as_index(b: &mut Builder, value: Value) -> Value {
    match b.body.ty(value).is_index(b.ctx) {
        true => value,
        false => b.unary(arith::INDEX_CAST, &[value], b.ctx.index_type()),
    }
}
