//! Counted loops under tests: an `scf.while` of which the numbers of a run decide whether it counts up to its bound.
//!
//! Where the step is positive and another step beyond the bound fits the type of the counter, the loop is an
//! `scf.for`; a copy of it stays an `scf.while` for other numbers. The test stands in front of the outermost loop that all its
//! numbers come from outside of, so that a nest of loops remains perfect.

use std::collections::HashSet;

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::scf;
use gridloom_ir::{Body, Builder, Context, IrMapping, OpId, Value};

use super::counted_while::{CountedWhile, matched};
use super::counter_range::Step;
use super::induction::{hoist, is_invariant};
use crate::analysis::loop_kind::is_counted_loop;
use crate::analysis::values::AffineValues;
use crate::transform::affine_guard_overflow::{is_fallback, put_under_test};
use crate::transform::plans::is_inside;

/// Limit of the operations that are copied.
const MAX_OPS: usize = 1000;

/// Counted loop, and the outermost loop that is put under its test.
struct Tested {
    counted: CountedWhile,
    root: OpId,
}

/// Puts the counted loops among `ops` that need one under a test, and makes `scf.for` of them there. Returns
/// whether there was one.
pub(in crate::transform) fn to_for_under_tests(
    ctx: &Context,
    body: &mut Body,
    ops: &[OpId],
) -> bool {
    let loops = ops.iter().filter_map(|&op| scf::WhileOp::cast(body, op));
    let loops: Vec<scf::WhileOp> = loops.collect();
    if loops.is_empty() {
        return false;
    }
    let mut values = AffineValues::new(ctx, body);
    let mut roots = HashSet::new();
    let mut plans: Vec<Tested> = Vec::new();
    for op in loops {
        let Some(found) = tested(&mut values, op) else {
            continue;
        };
        // One test at a time: another round finds what remains.
        let holds = |&other: &OpId| body.is_ancestor(found.root, other);
        if !is_inside(body, found.root, &roots) && !roots.iter().any(holds) {
            roots.insert(found.root);
            plans.push(found);
        }
    }
    for plan in &mut plans {
        plan.apply(ctx, body);
    }
    !plans.is_empty()
}

/// Matches a loop that a test makes a counted one.
fn tested(values: &mut AffineValues, op: scf::WhileOp) -> Option<Tested> {
    let (ctx, body) = (values.ctx, values.body);
    if body.ancestors(op.0).any(|op| is_fallback(body, op)) {
        return None;
    }
    let counted = matched(values, op)?;
    let counter = &counted.counter;
    let is_plain = !counter.is_down
        && counter.offset.is_none()
        && body.ty(counter.bound) == body.ty(counter.first)
        && !counter.is_proved(values);
    is_plain.then_some(())?;
    let numbers = numbers(&counted);
    let mut root = op.0;
    while let Some(around) = body.parent_op(root)
        && is_counted_loop(body, around)
        && { numbers.iter() }.all(|&number| is_invariant(ctx, body, around, number, 0))
    {
        root = around;
    }
    let is_small = |op: &OpId| body.walk_op(*op).len() <= MAX_OPS;
    let root = [root, op.0].into_iter().find(is_small)?;
    Some(Tested { counted, root })
}

/// The numbers of a loop that its test compares.
fn numbers(counted: &CountedWhile) -> Vec<Value> {
    let step = match counted.counter.step {
        Step::Invariant(step) => Some(step),
        Step::Constant(_) => None,
    };
    step.into_iter().chain([counted.counter.bound]).collect()
}

impl Tested {
    fn apply(&mut self, ctx: &Context, body: &mut Body) {
        let root = self.root;
        let copy = body.clone_op(root, &mut IrMapping::new());
        for number in numbers(&self.counted) {
            hoist(body, root, number);
        }
        let mut b = Builder::before(ctx, body, root);
        let condition = self.condition(&mut b);
        put_under_test(&mut b, condition, root, copy);
        // The test passes on all results of the loop.
        self.counted.is_observed |=
            root == self.counted.counter.op.0 && body[root].num_results() > 0;
        self.counted.apply(ctx, body);
    }

    /// Emits the test: `0 < step` and `bound <= MAX - step`.
    fn condition(&self, b: &mut Builder) -> Value {
        let counter = &self.counted.counter;
        let ty = b.body.ty(counter.first);
        let bits = ty.signless_width(b.ctx).unwrap_or(64);
        let greatest = i64::MAX >> (64 - bits.clamp(1, 64));
        let mut constant = |number| b.constant(b.ctx.int_attr(ty, number), ty);
        let (step, is_positive) = match counter.step {
            Step::Constant(step) => (constant(step), None),
            Step::Invariant(step) => (step, Some(constant(0))),
        };
        let greatest = constant(greatest);
        let is_positive = is_positive.map(|zero| CmpIOp::create(b, CmpIPredicate::Sgt, step, zero));
        let last = b.binary(arith::SUBI, greatest, step);
        let leaves_room = CmpIOp::create(b, CmpIPredicate::Sle, counter.bound, last);
        match is_positive {
            Some(is_positive) => b.binary(arith::ANDI, is_positive, leaves_room),
            None => leaves_room,
        }
    }
}
