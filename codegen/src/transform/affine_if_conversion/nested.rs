//! Nested conditional counters: merges two nested branches around a counter into one branch on both
//! conditions.
//!
//! ```text
//! %m = scf.if %a -> index {                 %b = arith.cmpf …
//!   %b = arith.cmpf …                       %c = arith.andi %a, %b
//!   %k = scf.if %b -> index {               %m = scf.if %c -> index {
//!     S                              ⇒        S
//!     scf.yield %x                            scf.yield %x
//!   } else { scf.yield %n }                 } else { scf.yield %n }
//!   scf.yield %k
//! } else { scf.yield %n }
//! ```
//!
//! Legal where what the outer branch computes for the inner condition may be computed in any iteration: it
//! neither divides nor loads but what the iteration has loaded. Done where the inner branch stores and the
//! loop carries what both others give, or the inner one stores a sum of an element to it: a
//! [counter](super::counter) that two conditions advance, as `&&` makes of it.

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::{arith, scf};
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Builder, Context, OpId, Value};

use super::available_values::AvailableValues;
use super::{Finder, MAX_OPS};
use crate::analysis::load_store::{is_load, is_store};
use crate::transform::element::Element;
use crate::transform::loop_invariant_code_motion::is_speculatable;

/// Branch whose only effect is a nested branch.
pub(super) struct Nested {
    outer: OpId,
    inner: OpId,
    /// Operations in front of the inner branch, each with the available value that it equals; loads
    /// always equal one.
    before: Vec<(OpId, Option<Value>)>,
}

impl Finder<'_> {
    /// Matches a branch that contains only another one, and plans their merging.
    pub(super) fn nested(&self, outer: OpId) -> Option<Nested> {
        let body = self.body;
        let l = self.loop_around(outer)?;
        let ops: Vec<OpId> = body.ops(body.region_block(outer, 0)?).collect();
        let [before @ .., inner, end] = &ops[..] else {
            return None;
        };
        let inner = *inner;
        let hands_on = body[*end]
            .operands
            .iter()
            .copied()
            .eq(body[inner].results());
        let below = body.walk_op(inner);
        if body[inner].name != scf::IF
            || before.len() > MAX_OPS
            || !hands_on
            || self.otherwise(outer)? != self.otherwise(inner)?
            || !below.iter().any(|&op| is_store(body, op))
            || !self.counts(inner, l)
        {
            return None;
        }
        let mut known = AvailableValues::before(self.ctx, body, outer)?;
        let before: Option<Vec<_>> = { before.iter() }
            .map(|&op| {
                let same = known.same_as(op);
                let is_pure = body[op].name.has(Traits::PURE) && body[op].num_results() == 1;
                let is_plain = is_pure && is_speculatable(self.ctx, body, op)
                    || is_load(body, op) && same.is_some();
                is_plain.then_some((op, same))
            })
            .collect();
        Some(Nested {
            outer,
            inner,
            before: before?,
        })
    }

    /// The values that a branch yields where its condition fails, if it does nothing else there.
    pub(super) fn otherwise(&self, op: OpId) -> Option<Vec<Value>> {
        let body = self.body;
        let Some(block) = body.region_block(op, 1) else {
            return Some(Vec::new());
        };
        let ops: Vec<OpId> = body.ops(block).collect();
        match ops[..] {
            [end] => Some(body[end].operands.to_vec()),
            _ => None,
        }
    }

    /// Whether a branch may advance a counter: its else branch yields carried values, or it stores
    /// an element's sum to the element.
    fn counts(&self, op: OpId, l: ForOp) -> bool {
        let (ctx, body) = (self.ctx, self.body);
        let args = l.iter_args(body);
        let others = self.otherwise(op).unwrap_or_default();
        let mut below = body.walk_op(op).into_iter();
        let is_counted = |store: OpId| {
            let sum = body.defining_op(body[store].operands[0])?;
            let element = Element::of(ctx, body, store)?;
            let mut loads = body[sum]
                .operands
                .iter()
                .filter_map(|&v| body.defining_op(v));
            let is_same = |op: OpId| Element::of(ctx, body, op).as_ref() == Some(&element);
            let is_sum = body[sum].name == arith::ADDI;
            (is_sum && loads.any(|op| is_load(body, op) && is_same(op))).then_some(())
        };
        match others.is_empty() {
            true => below.any(|op| is_store(body, op) && is_counted(op).is_some()),
            false => others.iter().all(|value| args.contains(value)),
        }
    }
}

impl Nested {
    /// Merges both branches into one.
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        for &(op, same) in &self.before {
            match same {
                Some(same) => {
                    body.replace_uses(body[op].result(0), same);
                    body.erase(op);
                }
                None => {
                    body.detach(op);
                    body.insert_before(self.outer, op);
                }
            }
        }
        let conditions = [self.outer, self.inner].map(|op| body[op].operands[0]);
        let mut b = Builder::before(ctx, body, self.outer);
        let both = b.binary(arith::ANDI, conditions[0], conditions[1]);
        body[self.inner].operands[0] = both;
        body.detach(self.inner);
        body.insert_before(self.outer, self.inner);
        let pairs: Vec<_> = { body[self.outer].results() }
            .zip(body[self.inner].results())
            .collect();
        for (outer, inner) in pairs {
            body.replace_uses(outer, inner);
        }
        body.erase(self.outer);
    }
}
