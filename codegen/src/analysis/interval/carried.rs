//! Intervals of values that loops carry and branches choose.
//!
//! ```text
//! %r = scf.while (%j = %j0) {                 %j0 in [0, 62]
//!   %c = arith.cmpi sge, %j, %c0              %j  in [-1, 62], %r as well
//!   scf.condition(%c) %j            ⇒
//! } do {
//! ^bb0(%k):                                   %k  in [0, 62]
//!   %n = arith.subi %k, %c1
//!   scf.yield %n
//! }
//! ```
//!
//! By induction over the iterations: a carried value starts in the interval of what the loop starts
//! with; an iteration runs where the condition holds, and moves it by a constant, or scales it
//! ([`scaled`](super::scaled)). An `index` that no
//! condition bounds goes no further than the limit of trips allows; a narrower integer might wrap
//! around then, and has the interval of its type.

use gridloom_dialects::{affine, arith, scf};
use gridloom_ir::body::ValueDef;
use gridloom_ir::{OpId, Value};

use super::scalars::INDEX_WIDTH;
use super::{AffineValues, Atom, Environment, Interval, MAX_TRIPS};
use crate::analysis::forwarding::{choices, incoming};

/// Progress of a value that an `scf.while` carries: what it starts with, and by how much an
/// iteration moves it, at least and at most.
#[derive(Clone, Copy, Debug)]
pub(in crate::analysis) struct Progress {
    pub init: Value,
    pub least: i128,
    pub most: i128,
}

impl AffineValues<'_> {
    /// The interval of a block argument or result that `scf.while`, `scf.if` or `affine.if` passes
    /// on.
    pub(super) fn forwarded_interval(
        &mut self,
        value: Value,
        env: Environment,
    ) -> Option<Interval> {
        if !self.intervals.open.insert(value) {
            return None;
        }
        let found = self.unguarded_interval(value, env);
        self.intervals.open.remove(&value);
        found
    }

    fn unguarded_interval(&mut self, value: Value, env: Environment) -> Option<Interval> {
        let body = self.body;
        match body[value].def() {
            ValueDef::Argument(block, index) => {
                let op = scf::WhileOp::cast(body, body.block_parent_op(block)?)?;
                match block == op.before(body) {
                    true => self.interval_by_induction(op, index as usize, env),
                    false => self.any_interval(*op.condition(body).1.get(index as usize)?, env),
                }
            }
            ValueDef::Result(op, index) => match body[op].name {
                scf::WHILE => {
                    let passed = scf::WhileOp(op).condition(body).1;
                    self.any_interval(*passed.get(index as usize)?, env)
                }
                _ => {
                    let mut all: Option<Interval> = None;
                    for choice in incoming(self.ctx, body, value)? {
                        let interval = self.any_interval(choice, env)?;
                        all = Some(all.map_or(interval, |all| all.hull(interval)));
                    }
                    all
                }
            },
        }
    }

    /// The interval of an integer or index value, as a signed number.
    pub(super) fn any_interval(&mut self, value: Value, env: Environment) -> Option<Interval> {
        let width = self.width_of(value)?;
        let expr = self.expr(value);
        let interval = self.interval(expr, env)?;
        let of_type = Interval::of_width(width);
        match self.body.ty(value).is_index(self.ctx) {
            true => interval.is_within(of_type).then_some(interval),
            false => Some(interval.meet(of_type)),
        }
    }

    fn interval_by_induction(
        &mut self,
        op: scf::WhileOp,
        position: usize,
        env: Environment,
    ) -> Option<Interval> {
        let body = self.body;
        let Some(progress) = self.progress(op, position) else {
            return self.interval_by_scaling(op, position, env);
        };
        let start = self.any_interval(progress.init, env)?;
        let arg = *body[op.before(body)].args.get(position)?;
        let of_type = Interval::of_width(self.width_of(arg)?);
        let runs = self.running_interval(op, arg)?;
        let found = Interval {
            least: match progress.least < 0 {
                true => start.least.min(runs.least + progress.least),
                false => start.least,
            },
            most: match progress.most > 0 {
                true => start.most.max(runs.most + progress.most),
                false => start.most,
            },
        };
        if !body.ty(arg).is_index(self.ctx) {
            return found.is_within(of_type).then_some(found);
        }
        let by_trips = Interval {
            least: start.least + progress.least.min(0) * MAX_TRIPS,
            most: start.most + progress.most.max(0) * MAX_TRIPS,
        };
        let found = found.meet(by_trips);
        found.is_within(of_type).then_some(found)
    }

    /// The interval that a loop's condition leaves to the carried value `arg` at the start of an iteration.
    pub(super) fn running_interval(&mut self, op: scf::WhileOp, arg: Value) -> Option<Interval> {
        let atom = self.atom_number(Atom::Value(arg));
        let of_type = Interval::of_width(self.width_of(arg)?);
        let bounds = self.bounds_of_condition(op.condition(self.body).0);
        let bounds = bounds.into_iter().filter(|&(compared, _)| compared == atom);
        Some(bounds.fold(of_type, |all, (_, interval)| all.meet(interval)))
    }

    /// The value that a loop carries at a position, in the first region and in the second; `None` where the second
    /// gets another value.
    pub(super) fn carried_arguments(
        &self,
        op: scf::WhileOp,
        position: usize,
    ) -> Option<[Value; 2]> {
        let body = self.body;
        let arg = *body[op.before(body)].args.get(position)?;
        let passed = op.condition(body).1.iter().position(|&v| v == arg)?;
        Some([arg, *body[op.after(body)].args.get(passed)?])
    }

    /// The signed number of a constant; those of narrow types may be held as unsigned numbers.
    pub(in crate::analysis) fn signed_constant(&self, value: Value) -> Option<i128> {
        let number = arith::constant_int(self.ctx, self.body, value)?;
        let unused = INDEX_WIDTH - self.width_of(value)?;
        Some(i128::from(number << unused >> unused))
    }

    /// Whether no sum of a carried value's [`Progress`] wraps around: its interval follows by
    /// induction.
    pub(in crate::analysis) fn is_bounded(&mut self, carried: Value, env: Environment) -> bool {
        self.forwarded_interval(carried, env).is_some()
    }

    /// The progress of the value that an `scf.while` carries at a position of its first region;
    /// `None` where an iteration moves it by other than constants, or the second region gets another
    /// value. Sums are those of the value's type, which may wrap around.
    pub(in crate::analysis) fn progress(
        &mut self,
        op: scf::WhileOp,
        position: usize,
    ) -> Option<Progress> {
        let body = self.body;
        let [_, carried] = self.carried_arguments(op, position)?;
        let mut progress = Progress {
            init: *op.inits(body).get(position)?,
            least: i128::MAX,
            most: i128::MIN,
        };
        let next = *op.yielded(body).get(position)?;
        for next in choices(self.ctx, body, next)? {
            let step = self.step_from(next, carried)?;
            progress.least = progress.least.min(step);
            progress.most = progress.most.max(step);
        }
        Some(progress)
    }

    /// The constant that one addition or subtraction adds to `from` for `value`.
    fn step_from(&self, value: Value, from: Value) -> Option<i128> {
        if value == from {
            return Some(0);
        }
        let body = self.body;
        let op: OpId = body.defining_op(value)?;
        let constant = |value| self.signed_constant(value);
        match (body[op].name, &body[op].operands[..]) {
            (arith::ADDI, &[l, r]) if l == from => constant(r),
            (arith::ADDI, &[l, r]) if r == from => constant(l),
            (arith::SUBI, &[l, r]) if l == from => Some(-constant(r)?),
            _ => None,
        }
    }
}

/// Whether the results of an operation are values that it passes on.
pub(super) fn passes_on(name: gridloom_ir::OpName) -> bool {
    matches!(name, scf::WHILE | scf::IF | affine::IF)
}
