//! Meeting counters: a loop that runs while one counter is below another one that comes towards it runs up to
//! the middle.
//!
//! ```text
//!                                               %way = arith.subi %j0, %i0
//!                                               %half = arith.ceildivsi %way, %c2
//!                                               %middle = arith.addi %i0, %half
//! scf.while (%i = %i0, %j = %j0) {              scf.while (%i = %i0, %j = %j0) {
//!   %c = arith.cmpi slt, %i, %j           ⇒       %c = arith.cmpi slt, %i, %middle
//!   scf.condition(%c) %i, %j                      scf.condition(%c) %i, %j
//! } do {                                        } do {
//!   S(%i, %j)                                     S(%i, %j)
//!   scf.yield %i + 1, %j - 1                      scf.yield %i + 1, %j - 1
//! }                                             }
//! ```
//!
//! In the body, the second counter is the sum of the first two less the first counter, without wrapping around;
//! the loop then advances it for nobody ([`induction`](super::induction)). Reversals and
//! comparisons of both ends are counted loops thereby. The middle is the average, rounded up.
//!
//! Legal for steps of one: counters that pass each other have met, so that neither leaves the range of the
//! first two, and wraps around. The way between these may not wrap around, either: that of narrow integers is
//! computed in `index`, others need a range.

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate, overflow_attr};
use gridloom_dialects::{inherent, scf};
use gridloom_ir::{Body, Builder, Context, InsertPoint, OpId, Value};

use super::counted_while::step_of;
use super::counter_range::{Step, range_at};
use crate::analysis::values::AffineValues;
use crate::transform::index_values::as_index;

/// Loop whose test compares two counters that come towards each other.
struct Meeting {
    op: scf::WhileOp,
    test: OpId,
    /// Positions of the lower and the upper counter among the carried values.
    counters: [usize; 2],
}

/// Gives the loops among `ops` whose counters meet a bound. Returns whether there was one.
pub(super) fn bound_by_middle(ctx: &Context, body: &mut Body, ops: &[OpId]) -> bool {
    let found: Vec<Meeting> = {
        let mut values = AffineValues::new(ctx, body);
        let loops = ops.iter().filter_map(|&op| scf::WhileOp::cast(body, op));
        loops.filter_map(|op| meeting(&mut values, op)).collect()
    };
    for meeting in &found {
        meeting.apply(ctx, body);
    }
    !found.is_empty()
}

fn meeting(values: &mut AffineValues, op: scf::WhileOp) -> Option<Meeting> {
    let (ctx, body) = (values.ctx, values.body);
    let before = op.before(body);
    let test = body.defining_op(op.condition(body).0)?;
    let is_here = body[test].name == arith::CMPI && body[test].parent() == Some(before);
    let &[l, r] = &body[test].operands[..] else {
        return None;
    };
    let sides = match is_here.then(|| CmpIOp(test).predicate(ctx, body))? {
        CmpIPredicate::Slt => [l, r],
        CmpIPredicate::Sgt => [r, l],
        _ => return None,
    };
    let args = &body[before].args;
    let [low, high] = sides.map(|side| args.iter().position(|&arg| arg == side));
    let counters = [low?, high?];
    for (counter, is_down) in counters.into_iter().zip([false, true]) {
        let step = step_of(values, op, counter, is_down)?;
        matches!(step, Step::Constant(1)).then_some(())?;
    }
    let inits = op.inits(body);
    let [low, high] = counters.map(|counter| inits[counter]);
    let is_narrow = (body.ty(low).signless_width(ctx)).is_some_and(|width| width <= 32);
    let fits = is_narrow
        || body.ty(low).is_index(ctx)
            && range_at(values, op, low).least >= 0
            && range_at(values, op, high).least >= -1;
    fits.then_some(Meeting { op, test, counters })
}

impl Meeting {
    fn apply(&self, ctx: &Context, body: &mut Body) {
        let inits = self.op.inits(body);
        let [low, high] = self.counters.map(|counter| inits[counter]);
        let ty = body.ty(low);
        let counter = body[self.op.before(body)].args[self.counters[1]];
        let mut b = Builder::before(ctx, body, self.op.0);
        let [from, to] = [low, high].map(|value| as_index(&mut b, value));
        let two = b.index_constant(2);
        let distance = b.binary(arith::SUBI, to, from);
        let half = b.binary(arith::CEILDIVSI, distance, two);
        let mut middle = b.binary(arith::ADDI, from, half);
        if b.body.ty(middle) != ty {
            middle = b.unary(arith::INDEX_CAST, &[middle], ty);
        }
        for operand in &mut b.body[self.test].operands {
            if *operand == counter {
                *operand = middle;
            }
        }
        self.derive_upper(&mut b, [low, high]);
    }

    /// Computes the upper counter from the lower one, but for the step that advances it.
    fn derive_upper(&self, b: &mut Builder, [low, high]: [Value; 2]) {
        let (before, after) = (self.op.before(b.body), self.op.after(b.body));
        let (_, passed) = self.op.condition(b.body);
        let in_body = self.counters.map(|counter| {
            let own = b.body[before].args[counter];
            let position = passed.iter().position(|&value| value == own)?;
            b.body[after].args.get(position).copied()
        });
        let (&[Some(lower), Some(upper)], Some(first)) = (&in_body, b.body[after].first()) else {
            return;
        };
        let step = b
            .body
            .defining_op(self.op.yielded(b.body)[self.counters[1]]);
        b.set(InsertPoint::Before(first));
        let mut difference = |left, right| {
            let value = b.binary(arith::SUBI, left, right);
            if let Some(op) = b.body.defining_op(value) {
                let flags = overflow_attr(b.ctx, arith::NO_SIGNED_WRAP);
                b.body[op].set_property(b.ctx, inherent::OVERFLOW_FLAGS, flags);
            }
            value
        };
        let distance = difference(lower, low);
        let value = difference(high, distance);
        let ops: Vec<OpId> = b.body.ops(after).filter(|&op| Some(op) != step).collect();
        for op in ops {
            let current = |old| if old == upper { value } else { old };
            b.body.replace_values_in(op, current);
        }
    }
}
