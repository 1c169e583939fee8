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
//! to `%f - %l` instead. One that reaches its bound, `%i <= %u`, counts to the number behind it. One
//! that compares `%i + %m` with its bound counts to `%u - %m` ([`exit_test`](super::exit_test)).
//!
//! Legal where the first region contains only the test and pure operations, which are repeated
//! where they are used, the bound is the same in all iterations, and the sum does not wrap around:
//! the step is a power of two, so that a loop whose counter wraps would never end, the sum has the
//! `nsw` flag, the range of the bound leaves room for another step, or the loop would have to run too
//! long to wrap. A step that is no constant must be positive. The distance of a loop that counts down,
//! the number behind a bound, and the first sum that a test compares must not wrap around either:
//! narrow counters are measured as `index`, others need a range.

use std::collections::HashMap;

use gridloom_dialects::arith::{self, CmpIPredicate};
use gridloom_dialects::scf;
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Builder, Context, InsertPoint, OpId, Value};

use super::counter_range::{Counter, Limit, Step};
use super::exit_test::{ExitTest, exit_test};
use super::induction::{hoist, is_invariant};
use crate::analysis::values::AffineValues;
use crate::transform::index_values::as_index;

/// Depth limit of what a test computes.
const MAX_DEPTH: usize = 8;

/// Counted loop: an `scf.while` that a counter ends.
pub(super) struct CountedWhile {
    pub(super) counter: Counter,
    /// Whether values computed by the last test are used after the loop.
    pub(super) is_observed: bool,
}

/// Rewrites the counted loops among `ops`. Returns whether there was one.
pub(super) fn to_for(ctx: &Context, body: &mut Body, ops: &[OpId]) -> bool {
    let loops = ops
        .iter()
        .rev()
        .filter_map(|&op| scf::WhileOp::cast(body, op));
    let loops: Vec<scf::WhileOp> = loops.collect();
    if loops.is_empty() {
        return false;
    }
    let mut values = AffineValues::new(ctx, body);
    let plans: Vec<CountedWhile> = loops
        .into_iter()
        .filter_map(|op| {
            let found = matched(&mut values, op)?;
            found.counter.is_proved(&mut values).then_some(found)
        })
        .collect();
    for plan in &plans {
        plan.apply(ctx, body);
    }
    !plans.is_empty()
}

/// Matches a counted loop, but for what the numbers of a run decide: whether its step is positive and whether its
/// counter wraps around.
pub(super) fn matched(values: &mut AffineValues, op: scf::WhileOp) -> Option<CountedWhile> {
    let (ctx, body) = (values.ctx, values.body);
    let (before, passed) = (op.before(body), op.condition(body).1);
    let args = &body[before].args;
    let test = exit_test(ctx, body, test_of(body, op)?, args)?;
    let position = args.iter().position(|&arg| arg == test.own)?;
    let first = *op.inits(body).get(position)?;
    let step = step_by(values, op, position, test.is_down)?;
    let (limit, is_inclusive) = limit_of(ctx, body, op, &test)?;
    let counter = Counter {
        op,
        position,
        first,
        step,
        is_down: test.is_down,
        bound: test.bound,
        limit,
        is_inclusive,
        offset: test.offset,
    };
    if test.predicate == CmpIPredicate::Ult && !counter.counts_naturals(values) {
        return None;
    }
    let is_typed = counter.has_counting_type(values) && counter.has_limit_in_type(values);
    let uses = values.uses();
    let results = body[op.0].results().enumerate();
    let used: Vec<usize> = results
        .filter(|&(_, result)| !uses.of(result).is_empty())
        .map(|(position, _)| position)
        .collect();
    // The last counter of a longer step may be beyond the limit.
    let is_carried = |&at: &usize| passed[at] != test.own && args.contains(&passed[at]);
    let is_apart = body.ops(before).count() == 2 && used.iter().all(is_carried);
    let is_closed = used.is_empty() || matches!(step, Step::Constant(1)) || is_apart;
    let is_outside = |value| is_invariant(ctx, body, op.0, value, 0);
    let is_fixed = test.offset.is_none_or(|offset| is_outside(offset.by));
    let is_legal = is_typed && is_closed && is_fixed;
    is_legal.then_some(CountedWhile {
        counter,
        is_observed: !used.is_empty(),
    })
}

/// The comparison that ends a loop, if its first region has nothing else but pure operations.
fn test_of(body: &Body, op: scf::WhileOp) -> Option<OpId> {
    let before = op.before(body);
    let is_pure = |op: OpId| body[op].name.has(Traits::PURE) && body[op].num_regions() == 0;
    if !(body.without_terminator(before).into_iter()).all(is_pure) {
        return None;
    }
    let test = body.defining_op(op.condition(body).0)?;
    (body[test].name == arith::CMPI && body[test].parent() == Some(before)).then_some(test)
}

/// The limit of a counter by its exit test, and whether the loop runs for the counter equal to it; a constant bound gives the
/// number behind it instead. `None` where the bound changes in the loop.
fn limit_of(
    ctx: &Context,
    body: &Body,
    op: scf::WhileOp,
    test: &ExitTest,
) -> Option<(Limit, bool)> {
    let is_inclusive = test.predicate == CmpIPredicate::Sle;
    let constant = arith::constant_int(ctx, body, test.bound);
    match constant.filter(|_| test.offset.is_none()) {
        Some(bound) => {
            let behind = if test.is_down { -1 } else { 1 };
            let end = bound.checked_add(if is_inclusive { behind } else { 0 })?;
            Some((Limit::Constant(end), false))
        }
        None => is_known_in_front(ctx, body, op, test.bound, 0)
            .then_some((Limit::Outside(test.bound), is_inclusive)),
    }
}

/// Whether a value that the test uses may be computed in front of the loop: it is invariant, or pure operations of the test, which runs at
/// least once, compute it.
fn is_known_in_front(
    ctx: &Context,
    body: &Body,
    op: scf::WhileOp,
    value: Value,
    depth: usize,
) -> bool {
    let tested = body.defining_op(value).filter(|&def| {
        depth < MAX_DEPTH
            && body[def].parent() == Some(op.before(body))
            && body[def].num_regions() == 0
    });
    let of_invariants = |def: OpId| {
        let mut operands = body[def].operands.iter();
        body[def].name.has(Traits::PURE)
            && operands.all(|&operand| is_known_in_front(ctx, body, op, operand, depth + 1))
    };
    is_invariant(ctx, body, op.0, value, 0) || tested.is_some_and(of_invariants)
}

/// The sum or difference that is the counter's next value.
pub(super) fn next_of(body: &Body, op: scf::WhileOp, counter: usize) -> Option<OpId> {
    let next = *op.yielded(body).get(counter)?;
    let sum = body.defining_op(next)?;
    matches!(body[sum].name, arith::ADDI | arith::SUBI).then_some(sum)
}

/// Step of the counter in the loop's direction, which is known to be positive.
pub(super) fn step_of(
    values: &mut AffineValues,
    op: scf::WhileOp,
    counter: usize,
    is_down: bool,
) -> Option<Step> {
    step_by(values, op, counter, is_down).filter(|step| step.is_positive(values, op))
}

/// Step of the counter in the loop's direction; one that is no constant may have any sign.
fn step_by(
    values: &mut AffineValues,
    op: scf::WhileOp,
    counter: usize,
    is_down: bool,
) -> Option<Step> {
    let (ctx, body) = (values.ctx, values.body);
    let (passed, after) = (op.condition(body).1, op.after(body));
    let own = body[op.before(body)].args[counter];
    let sum = next_of(body, op, counter)?;
    let &[l, r] = &body[sum].operands[..] else {
        return None;
    };
    let is_counter = |value: Value| {
        let position = body[after].args.iter().position(|&arg| arg == value);
        position.is_some_and(|position| passed.get(position) == Some(&own))
    };
    let (by, is_subtracted) = match (is_counter(l), is_counter(r), body[sum].name) {
        (true, false, name) => (r, name == arith::SUBI),
        (false, true, arith::ADDI) => (l, false),
        _ => return None,
    };
    if let Some(number) = arith::constant_int(ctx, body, by) {
        let step = match is_subtracted == is_down {
            true => number,
            false => number.checked_neg()?,
        };
        return (step > 0).then_some(Step::Constant(step));
    }
    let is_forward = !is_subtracted && !is_down && is_invariant(ctx, body, op.0, by, 0);
    is_forward.then_some(Step::Invariant(by))
}

impl CountedWhile {
    /// Rewrites the loop.
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let Counter {
            op,
            position,
            first,
            ..
        } = self.counter;
        let old = op.0;
        let inits = op.inits(body).to_vec();
        let ty = body.ty(first);
        let others = |values: &[Value]| -> Vec<Value> {
            let kept = values.iter().enumerate().filter(|&(k, _)| k != position);
            kept.map(|(_, &value)| value).collect()
        };
        let attributes = body[old].attributes;
        if let Limit::Outside(bound) = self.counter.limit {
            hoist(body, old, bound);
        }
        if let Step::Invariant(step) = self.counter.step {
            hoist(body, old, step);
        }
        if let Some(offset) = self.counter.offset {
            hoist(body, old, offset.by);
        }
        let mut b = Builder::before(ctx, body, old);
        let bound = match self.counter.limit {
            Limit::Outside(value) => value,
            Limit::Constant(number) => b.constant(ctx.int_attr(ty, number), ty),
        };
        let is_plain = self.counter.offset.is_none() && b.body.ty(bound) == ty;
        let [low, high] = self.ends(&mut b, [first, bound], is_plain);
        let count_ty = b.body.ty(low);
        let step = match self.counter.step {
            Step::Constant(step) => b.constant(ctx.int_attr(count_ty, step), count_ty),
            Step::Invariant(step) if b.body.ty(step) == count_ty => step,
            Step::Invariant(step) => as_index(&mut b, step),
        };
        let new = scf::ForOp::create(&mut b, low, high, step, &others(&inits));
        b.body[new.0].attributes = attributes;
        let yielded = others(op.yielded(b.body));
        self.fill(&mut b, new, first, &yielded);
        if self.is_observed {
            b.set(InsertPoint::Before(old));
            let last = self.last_counter(&mut b, [first, bound], is_plain);
            self.give_results(&mut b, new, last);
        }
        body.erase(old);
    }

    /// Emits the bounds of the loop: from `first` to `bound`, or from 0 to the distance between them. Plain ones
    /// have the type of the counter and no offset.
    fn ends(&self, b: &mut Builder, [first, bound]: [Value; 2], is_plain: bool) -> [Value; 2] {
        let [low, mut high] = match (self.counter.is_down, self.counter.is_inclusive) {
            (false, false) if is_plain => [first, bound],
            (is_down, _) => {
                let [from, to] = [first, bound].map(|value| as_index(b, value));
                let to = self.counter_for(b, to);
                match is_down {
                    false => [from, to],
                    true => [b.index_constant(0), b.binary(arith::SUBI, from, to)],
                }
            }
        };
        if self.counter.is_inclusive {
            let one = b.index_constant(1);
            high = b.binary(arith::ADDI, high, one);
        }
        [low, high]
    }

    /// Moves the body into the new loop.
    fn fill(&self, b: &mut Builder, new: scf::ForOp, first: Value, yielded: &[Value]) {
        let (before, after) = (
            self.counter.op.before(b.body),
            self.counter.op.after(b.body),
        );
        let ty = b.body.ty(first);
        let block = new.block(b.body);
        let mut counter = new.induction_var(b.body);
        b.set(InsertPoint::End(block));
        if self.counter.is_down {
            let from = as_index(b, first);
            counter = b.binary(arith::SUBI, from, counter);
        }
        if b.body.ty(counter) != ty {
            counter = b.unary(arith::INDEX_CAST, &[counter], ty);
        }
        let mut own = new.iter_args(b.body).to_vec();
        own.insert(self.counter.position, counter);
        // The body needs the test's pure operations again.
        let passed = self.repeat_test(b, before, &own);
        if let Some(last) = b.body[after].last() {
            b.body.erase(last);
        }
        b.body.move_ops(after, block);
        scf::yield_values(b, block, yielded);
        let args = b.body[after].args.to_vec();
        let given: HashMap<Value, Value> = args.into_iter().zip(passed).collect();
        let in_body = |value| given.get(&value).copied().unwrap_or(value);
        b.body.replace_values_in(new.0, in_body);
    }

    /// Emits the counter for which the test fails.
    fn last_counter(&self, b: &mut Builder, [first, bound]: [Value; 2], is_plain: bool) -> Value {
        let farther = match self.counter.is_down {
            true => arith::MINSI,
            false => arith::MAXSI,
        };
        let (mut from, mut end) = (first, bound);
        if !is_plain {
            [from, end] = [first, bound].map(|value| as_index(b, value));
            end = self.counter_for(b, end);
        }
        if self.counter.is_inclusive {
            let ty = b.body.ty(end);
            let unit = if self.counter.is_down { -1 } else { 1 };
            let one = b.constant(b.ctx.int_attr(ty, unit), ty);
            end = b.binary(arith::ADDI, end, one);
        }
        let end = b.binary(farther, from, end);
        let ty = b.body.ty(first);
        match b.body.ty(end) == ty {
            true => end,
            false => b.unary(arith::INDEX_CAST, &[end], ty),
        }
    }

    /// Gives the results of the old loop those of the new one and the last counter.
    fn give_results(&self, b: &mut Builder, new: scf::ForOp, counter: Value) {
        let (old, before) = (self.counter.op.0, self.counter.op.before(b.body));
        let mut last: Vec<Value> = b.body[new.0].results().collect();
        last.insert(self.counter.position, counter);
        let results = self.repeat_test(b, before, &last);
        let old_results: Vec<Value> = b.body[old].results().collect();
        let given: HashMap<Value, Value> = old_results.into_iter().zip(results).collect();
        b.body
            .replace_values(|value| given.get(&value).copied().unwrap_or(value));
    }

    /// Emits the counter, as an `index`, for which the test compares this number.
    fn counter_for(&self, b: &mut Builder, compared: Value) -> Value {
        let Some(offset) = self.counter.offset else {
            return compared;
        };
        let by = as_index(b, offset.by);
        let name = match offset.is_subtracted {
            true => arith::ADDI,
            false => arith::SUBI,
        };
        b.binary(name, compared, by)
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
        let passed = self.counter.op.condition(b.body).1.iter();
        passed.map(|&value| mapped(&map, value)).collect()
    }
}
