//! Counted loops: `scf.while` that counts up to a bound, as `scf.for`.
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
//! Legal where the test is all that the first region does but for pure
//! operations, which are done again where they are used, the bound is defined
//! outside, and the sum does not wrap around: the step is 1, the sum says `nsw`,
//! or the loop would have to run too long for it.

use std::collections::HashMap;

use gridloom_ir::dialect::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_ir::dialect::scf;
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Builder, Context, InsertPoint, OpId, Value};

use super::bounds::is_natural;
use crate::analysis::interval::{Interval, MAX_TRIPS};
use crate::analysis::values::AffineValues;

/// A loop that counts.
struct Counted {
    op: scf::WhileOp,
    /// Which of the carried values is the counter.
    counter: usize,
    upper: Upper,
    step: Value,
    /// Whether values of the last test are used after the loop.
    is_observed: bool,
}

#[derive(Clone, Copy)]
enum Upper {
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
    let (own, bound, predicate) = counter_test(ctx, body, test, &body[before].args)?;
    let counter = body[before].args.iter().position(|&arg| arg == own)?;
    let first = *op.inits(body).get(counter)?;
    let ty = body.ty(first);
    let is_number = ty.is_index(ctx)
        || ty
            .signless_width(ctx)
            .is_some_and(|w| (8..=64).contains(&w));
    let step = step_of(values, op, counter, passed, after)?;
    let number = arith::constant_int(ctx, body, step).filter(|&step| step > 0)?;
    let is_inside = body
        .value_block(bound)
        .is_some_and(|block| values.block_is_inside(Some(block), op.0));
    let upper = match arith::constant_int(ctx, body, bound) {
        Some(bound) if predicate == CmpIPredicate::Sle => Upper::Constant(bound.checked_add(1)?),
        Some(bound) => Upper::Constant(bound),
        None if is_inside || predicate == CmpIPredicate::Sle => return None,
        None => Upper::Outside(bound),
    };
    let facts = values.facts_at(op.0);
    if predicate == CmpIPredicate::Ult
        && !(ty.is_index(ctx)
            && is_natural(values, first, facts)
            && is_natural(values, bound, facts))
    {
        return None;
    }
    let half = ty.signless_width(ctx).map_or(63, |width| width - 1);
    let in_type = match upper {
        Upper::Constant(number) => i128::from(number) < 1i128 << half.min(63),
        Upper::Outside(_) => true,
    };
    let fits = number == 1 || has_nsw(ctx, body, op, counter) || {
        let from = values.exact_expr(first, facts);
        let from = values.interval(from, facts)?;
        let way = Interval::point((MAX_TRIPS + 1) * i128::from(number));
        let end = from.plus(way);
        ty.is_index(ctx) && end.is_some_and(|end| end.is_within(Interval::MACHINE))
    };
    let is_closed = !is_used || number == 1;
    (is_number && in_type && fits && is_closed).then_some(Counted {
        op,
        counter,
        upper,
        step,
        is_observed: is_used,
    })
}

/// The counter, the bound, and how they are compared: `slt`, `sle` or `ult`.
fn counter_test(
    ctx: &Context,
    body: &Body,
    test: OpId,
    args: &[Value],
) -> Option<(Value, Value, CmpIPredicate)> {
    use CmpIPredicate::{Sge, Sgt, Sle, Slt, Ugt, Ult};
    let &[l, r] = &body[test].operands[..] else {
        return None;
    };
    let predicate = CmpIOp(test).predicate(ctx, body);
    let (own, bound, predicate) = match predicate {
        Slt | Sle | Ult => (l, r, predicate),
        Sgt => (r, l, Slt),
        Sge => (r, l, Sle),
        Ugt => (r, l, Ult),
        _ => return None,
    };
    (args.contains(&own) && !args.contains(&bound)).then_some((own, bound, predicate))
}

/// The sum that becomes the next value of the counter.
fn next_of(body: &Body, op: scf::WhileOp, counter: usize) -> Option<OpId> {
    let next = *op.yielded(body).get(counter)?;
    let sum = body.defining_op(next)?;
    (body[sum].name == arith::ADDI).then_some(sum)
}

/// What the counter grows by, defined outside of the loop or a constant.
fn step_of(
    values: &AffineValues,
    op: scf::WhileOp,
    counter: usize,
    passed: &[Value],
    after: gridloom_ir::BlockId,
) -> Option<Value> {
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
    match (is_counter(l), is_counter(r)) {
        (true, false) => Some(r),
        (false, true) => Some(l),
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
        let step = arith::constant_int(ctx, body, self.step)?;
        let attributes = body[old].attributes;
        let mut b = Builder::before(ctx, body, old);
        let upper = match self.upper {
            Upper::Outside(value) => value,
            Upper::Constant(number) => b.constant(ctx.int_attr(ty, number), ty),
        };
        let step = b.constant(ctx.int_attr(ty, step), ty);
        let new = scf::ForOp::create(&mut b, first, upper, step, &others(&inits));
        b.body[new.0].attributes = attributes;
        let block = new.block(b.body);
        let mut own = new.iter_args(b.body).to_vec();
        own.insert(self.counter, new.induction_var(b.body));

        // What the test computes is there for the body again.
        b.set(InsertPoint::End(block));
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
            let end = b.binary(arith::MAXSI, first, upper);
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

    /// Does the pure operations of the test with other values for what is
    /// carried. Returns what the test passes on.
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
