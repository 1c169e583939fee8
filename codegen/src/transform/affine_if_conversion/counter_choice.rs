//! Counters that a choice advances.
//!
//! ```text
//! %m = arith.addi %n, %one                  %d = arith.select %c, %one, %zero
//! %k = arith.select %c, %m, %n        ⇒     %k = arith.addi %n, %d
//! affine.yield %k                           affine.yield %k
//! ```
//!
//! As [`counter`](super::counter) does with branches: integers only, and where something else looks at the counter, since
//! sums that nobody looks at are reductions as they stand.

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::arith;
use gridloom_ir::{Attr, Body, Builder, Context, OpId, Value};

use crate::analysis::reduction::int_attr;

/// Choice between a counter and its sum with a constant.
pub(super) struct Choice {
    select: OpId,
    held: Value,
    step: Attr,
    zero: Attr,
    /// Whether the counter advances where the condition holds, else where it fails.
    is_advanced_if: bool,
}

/// The counters of a loop that choices advance.
pub(super) fn choices_of(ctx: &Context, body: &Body, l: ForOp) -> Vec<Choice> {
    let count = l.iter_args(body).len();
    (0..count)
        .filter_map(|place| choice_at(ctx, body, l, place))
        .collect()
}

fn choice_at(ctx: &Context, body: &Body, l: ForOp, place: usize) -> Option<Choice> {
    let (held, next) = (l.iter_args(body)[place], l.yielded(body)[place]);
    let select = body.defining_op(next)?;
    if body[select].name != arith::SELECT || body[select].parent() != Some(l.block(body)) {
        return None;
    }
    let (sum, is_advanced_if) = match body[select].operands[1..] {
        [sum, kept] if kept == held => (sum, true),
        [kept, sum] if kept == held => (sum, false),
        _ => return None,
    };
    let sum = body.defining_op(sum)?;
    let step = match body[sum].operands[..] {
        [left, step] if left == held && body[sum].name == arith::ADDI => step,
        [step, right] if right == held && body[sum].name == arith::ADDI => step,
        _ => return None,
    };
    let uses = body.uses();
    let is_own = |user: OpId| user == sum || user == select;
    let mut users = uses.of(held).iter();
    let is_seen = users.any(|user| !is_own(user.op)) || uses.of(next).len() > 1;
    is_seen.then_some(Choice {
        select,
        held,
        step: arith::constant_value(ctx, body, step)?,
        zero: int_attr(ctx, body.ty(held), 0)?,
        is_advanced_if,
    })
}

impl Choice {
    /// Converts the choice.
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let ty = body.ty(self.held);
        let condition = body[self.select].operands[0];
        let mut b = Builder::before(ctx, body, self.select);
        let [step, zero] = [self.step, self.zero].map(|attr| b.constant(attr, ty));
        let [yes, no] = match self.is_advanced_if {
            true => [step, zero],
            false => [zero, step],
        };
        let added = arith::select(&mut b, condition, yes, no);
        let next = b.binary(arith::ADDI, self.held, added);
        let old = b.body[self.select].result(0);
        b.body.replace_uses(old, next);
        body.erase(self.select);
    }
}
