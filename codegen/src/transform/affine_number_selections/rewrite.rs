//! Rewrite of a nest whose selections get the numbers of their iterations.

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate, select};
use gridloom_ir::{Body, Builder, Context, InsertPoint, Value};

use super::Numbering;
use super::group::Group;
use super::network::Network;
use super::order::Handed;
use super::selection::{Test, comparison};
use crate::analysis::arg_reduction::placeholder;
use crate::analysis::reduction::{int_attr, neutral_element};
use crate::transform::emit_loops::rebuilt;

/// Values in front of the rewritten nest that it uses, for one group.
struct Start {
    /// The number of no iteration.
    never: Value,
    /// Whether every tested value is unset before the nest; [`None`] where the nest begins anew.
    is_unset: Option<Value>,
}

impl Numbering {
    /// Rewrites the nest.
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let Some(&root) = self.nest.first() else {
            return;
        };
        let old_inits = root.inits(ctx, body).to_vec();
        let mut b = Builder::before(ctx, body, root.0);
        let starts = (self.groups.iter()).map(|group| self.start(&mut b, group, &old_inits));
        let Some(starts) = starts.collect::<Option<Vec<Start>>>() else {
            return;
        };
        let mut inits = old_inits.clone();
        if let Some(handed) = &self.handed {
            for (at, _) in handed
                .places
                .iter()
                .enumerate()
                .filter(|(_, place)| place.is_some())
            {
                let ty = b.body.ty(inits[at]);
                if let Some(attr) = placeholder(ctx, ty) {
                    inits[at] = b.constant(attr, ty);
                }
            }
        }
        inits.extend(starts.iter().map(|start| start.never));
        let nest = self.rebuilt(&mut b, &inits);
        self.number(ctx, b.body, &nest, &starts, old_inits.len());
        if let Some(handed) = &self.handed {
            for (group, number) in self.groups.iter().zip(old_inits.len()..) {
                handed.take(ctx, body, &nest, group, number);
            }
        }
        Network::erase_unused(body, &self.groups);
    }

    /// Emits what a group needs in front of the nest.
    fn start(&self, b: &mut Builder, group: &Group, inits: &[Value]) -> Option<Start> {
        let ty = b.ctx.index_type();
        let best = match group.tests.is_empty() {
            true => arith::MAXSI,
            false => arith::MINSI,
        };
        let never = b.constant(neutral_element(b.ctx, best, ty)?, ty);
        let is_unset = match self.handed {
            Some(_) => None,
            None => self.unset(b, group, |at| inits[at]),
        };
        Some(Start { never, is_unset })
    }

    /// Emits whether all tested values are unset, as numbers that stand in front of the nest.
    fn unset(
        &self,
        b: &mut Builder,
        group: &Group,
        value: impl Fn(usize) -> Value,
    ) -> Option<Value> {
        let args = self.nest.last()?.iter_args(b.body).to_vec();
        let mut all: Option<Value> = None;
        for &test in &group.tests {
            let one = emit_test(b, self.nest[0], test, args[test.at], value(test.at));
            all = Some(match all {
                Some(others) => b.binary(arith::ANDI, others, one),
                None => one,
            });
        }
        all
    }

    /// Rebuilds the loops of the nest with further initial values, from outside.
    fn rebuilt(&self, b: &mut Builder, inits: &[Value]) -> Vec<ForOp> {
        let (mut nest, mut inits) = (Vec::<ForOp>::new(), inits.to_vec());
        for &old in &self.nest {
            b.set(InsertPoint::Before(old.0));
            let own = b.body[old.0].num_results();
            let new = rebuilt(b, old, &inits);
            let new_results: Vec<Value> = b.body[new.0].results().collect();
            b.body.replace_op(old.0, &new_results);
            if let Some(end) = nest.last().and_then(|l| b.body[l.block(b.body)].last()) {
                b.body[end]
                    .operands
                    .extend(new_results[own..].iter().copied());
            }
            inits = new.iter_args(b.body).to_vec();
            nest.push(new);
        }
        nest
    }

    /// Replaces the selections of the innermost loop, whose first number is carried at position `first`.
    fn number(
        &self,
        ctx: &Context,
        body: &mut Body,
        nest: &[ForOp],
        starts: &[Start],
        first: usize,
    ) {
        let Some(&inner) = nest.last() else {
            return;
        };
        let block = inner.block(body);
        let mut network = Network::new(ctx, body, block);
        let hits = network.hits(&self.groups);
        let values: Vec<Vec<Option<Value>>> = (self.groups.iter())
            .map(|group| {
                group
                    .members
                    .iter()
                    .map(|member| network.value(member))
                    .collect()
            })
            .collect();
        let Some(end) = body[block].last() else {
            return;
        };
        let mut b = Builder::before(ctx, body, end);
        let args = inner.iter_args(b.body).to_vec();
        let counted = self.order.number(&mut b, nest);
        for (place, group) in self.groups.iter().enumerate() {
            let (start, best) = (&starts[place], args[first + place]);
            let condition = match (hits[place], start.is_unset) {
                (Some(hit), Some(unset)) => b.binary(arith::ANDI, hit, unset),
                (Some(one), None) | (None, Some(one)) => one,
                (None, None) => truth(&mut b),
            };
            let number = select(&mut b, condition, counted, start.never);
            let predicate = match group.tests.is_empty() {
                true => CmpIPredicate::Sgt,
                false => CmpIPredicate::Slt,
            };
            let is_better = CmpIOp::create(&mut b, predicate, number, best);
            let next = select(&mut b, is_better, number, best);
            for (member, &value) in group.members.iter().zip(&values[place]) {
                let value = value.unwrap_or_else(|| truth(&mut b));
                let taken = select(&mut b, is_better, value, args[member.at]);
                b.body[end].operands[member.at] = taken;
            }
            b.body[end].operands.push(next);
        }
    }
}

impl Handed {
    /// Has the loop around take what the nest, which begins anew, has taken in an iteration.
    fn take(&self, ctx: &Context, body: &mut Body, nest: &[ForOp], group: &Group, number: usize) {
        let (Some(&root), Some(&inner)) = (nest.first(), nest.last()) else {
            return;
        };
        let (Some(end), Some(behind)) = (body[self.around.block(body)].last(), body[root.0].next())
        else {
            return;
        };
        let never = root.inits(ctx, body)[number];
        let args = self.around.iter_args(body).to_vec();
        let carried = inner.iter_args(body).to_vec();
        let result = body[root.0].result(number);
        let mut b = Builder::before(ctx, body, behind);
        let mut condition = CmpIOp::create(&mut b, CmpIPredicate::Ne, result, never);
        for &test in &group.tests {
            if let Some(place) = self.places[test.at] {
                let one = emit_test(&mut b, self.around, test, carried[test.at], args[place]);
                condition = b.binary(arith::ANDI, condition, one);
            }
        }
        for member in &group.members {
            let Some(place) = self.places[member.at] else {
                continue;
            };
            let value = match member.value {
                None => truth(&mut b),
                Some(value) if arith::constant_value(ctx, b.body, value).is_some() => {
                    in_front(&mut b, self.around, value)
                }
                Some(_) => b.body[root.0].result(member.at),
            };
            let taken = select(&mut b, condition, value, args[place]);
            b.body[end].operands[place] = taken;
        }
    }
}

/// Emits a test of another value than the carried one.
fn emit_test(b: &mut Builder, around: ForOp, test: Test, carried: Value, value: Value) -> Value {
    match comparison(b.ctx, b.body, test, carried) {
        Some((predicate, limit)) => {
            let limit = in_front(b, around, limit);
            CmpIOp::create(b, predicate, value, limit)
        }
        None if test.term.1 => value,
        None => negated(b, value),
    }
}

/// Emits the negation of a condition.
pub(in crate::transform) fn negated(b: &mut Builder, condition: Value) -> Value {
    let truth = truth(b);
    b.binary(arith::XORI, condition, truth)
}

/// `true`.
pub(in crate::transform) fn truth(b: &mut Builder) -> Value {
    let ty = b.ctx.bool_type();
    let one = int_attr(b.ctx, ty, 1).unwrap_or_else(|| b.ctx.bool_attr(true));
    b.constant(one, ty)
}

/// A value from outside of a loop, or the same constant in front of it.
pub(super) fn in_front(b: &mut Builder, op: ForOp, value: Value) -> Value {
    match arith::constant_value(b.ctx, b.body, value) {
        Some(constant) if b.body.is_defined_in(value, op.0) => {
            let ty = b.body.ty(value);
            b.constant(constant, ty)
        }
        _ => value,
    }
}
