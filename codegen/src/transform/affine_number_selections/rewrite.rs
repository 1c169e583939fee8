//! Rewrite of a loop whose selections get the numbers of their iterations.

use gridloom_dialects::affine::{Bound, ForOp};
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate, select};
use gridloom_ir::{Body, Builder, Context, InsertPoint, OpId, Value};

use super::{Group, Numbering};
use crate::analysis::reduction::{int_attr, neutral_element};

/// What the rewritten loop needs from in front of it, for one group.
struct Start {
    /// The number of no iteration.
    never: Value,
    /// Whether every tested value is unset before the loop.
    is_unset: Option<Value>,
}

impl Numbering {
    /// Rewrites the loop.
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let old = self.op;
        let inits = old.inits(ctx, body).to_vec();
        let results: Vec<Value> = body[old.0].results().collect();
        let mut b = Builder::before(ctx, body, old.0);
        let starts = self
            .groups
            .iter()
            .map(|group| group.start(&mut b, old, &inits));
        let Some(starts) = starts.collect::<Option<Vec<Start>>>() else {
            return;
        };
        let numbers: Vec<Value> = starts.iter().map(|start| start.never).collect();
        let new = rebuilt(&mut b, old, &[inits, numbers].concat());
        let new_results: Vec<Value> = b.body[new.0].results().collect();
        b.body.replace_values(|value| {
            let place = results.iter().position(|&result| result == value);
            place.map_or(value, |place| new_results[place])
        });
        b.body.erase(old.0);
        for (group, start) in self.groups.iter().zip(&starts) {
            group.apply(&mut b, new, start, results.len());
        }
    }
}

impl Group {
    /// Emits what the group needs in front of the loop.
    fn start(&self, b: &mut Builder, op: ForOp, inits: &[Value]) -> Option<Start> {
        let ty = b.ctx.index_type();
        let best = match self.tests.is_empty() {
            true => arith::MAXSI,
            false => arith::MINSI,
        };
        let never = b.constant(neutral_element(b.ctx, best, ty)?, ty);
        let mut is_unset: Option<Value> = None;
        for &(test, at) in &self.tests {
            let carried = op.iter_args(b.body)[at];
            let operands = b.body[test].operands.to_vec();
            let operands: Vec<Value> = (operands.into_iter())
                .map(|value| {
                    if value == carried {
                        inits[at]
                    } else {
                        in_front(b, op, value)
                    }
                })
                .collect();
            let one = match b.body[test].name {
                arith::CMPI => {
                    let predicate = CmpIOp(test).predicate(b.ctx, b.body);
                    CmpIOp::create(b, predicate, operands[0], operands[1])
                }
                name => b.binary(name, operands[0], operands[1]),
            };
            is_unset = Some(match is_unset {
                Some(others) => b.binary(arith::ANDI, others, one),
                None => one,
            });
        }
        Some(Start { never, is_unset })
    }

    /// Replaces the selections at the end of the loop, whose first number is carried at position `first` or behind.
    fn apply(&self, b: &mut Builder, op: ForOp, start: &Start, first: usize) {
        let block = op.block(b.body);
        let Some(end) = b.body[block].last() else {
            return;
        };
        b.set(InsertPoint::Before(end));
        let place = b.body[end].operands.len() - first;
        let best = op.iter_args(b.body)[first + place];
        let counter = op.induction_var(b.body);
        let mut condition = start.is_unset;
        for &(value, holds) in &self.conditions {
            let one = match holds {
                true => value,
                false => {
                    let truth = truth(b);
                    b.binary(arith::XORI, value, truth)
                }
            };
            condition = Some(match condition {
                Some(others) => b.binary(arith::ANDI, others, one),
                None => one,
            });
        }
        let condition = condition.unwrap_or_else(|| truth(b));
        let number = select(b, condition, counter, start.never);
        let predicate = match self.tests.is_empty() {
            true => CmpIPredicate::Sgt,
            false => CmpIPredicate::Slt,
        };
        let is_better = CmpIOp::create(b, predicate, number, best);
        let next = select(b, is_better, number, best);
        for &(at, value) in &self.members {
            let value = value.unwrap_or_else(|| truth(b));
            let carried = op.iter_args(b.body)[at];
            let taken = select(b, is_better, value, carried);
            b.body[end].operands[at] = taken;
        }
        b.body[end].operands.push(next);
        self.erase_unused(b.body, op);
    }

    /// Erases the old selections and tests that nothing uses any more, which would pass for users of the carried
    /// values.
    fn erase_unused(&self, body: &mut Body, op: ForOp) {
        let ops: Vec<OpId> = body.ops(op.block(body)).collect();
        for op in ops.into_iter().rev().filter(|op| self.old.contains(op)) {
            let result = body[op].result(0);
            if body.uses().of(result).is_empty() {
                body.erase(op);
            }
        }
    }
}

/// `true`.
fn truth(b: &mut Builder) -> Value {
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

/// Rebuilds a loop around its block, with more carried values. The terminator still has the old ones.
fn rebuilt(b: &mut Builder, old: ForOp, inits: &[Value]) -> ForOp {
    let ctx = b.ctx;
    let (lower, upper) = (old.lower(ctx, b.body), old.upper(ctx, b.body));
    let (lower_operands, upper_operands) = (lower.operands.to_vec(), upper.operands.to_vec());
    let lower = Bound {
        map: lower.map,
        operands: &lower_operands,
    };
    let upper = Bound {
        map: upper.map,
        operands: &upper_operands,
    };
    let step = old.step(ctx, b.body);
    let new = ForOp::create(b, lower, upper, step, inits);
    let body = &mut *b.body;
    (body[new.0].attributes, body[new.0].loc) = (body[old.0].attributes, body[old.0].loc);
    let spare = new.block(body);
    let block = old.block(body);
    body.remove_block(spare);
    if let Some(&region) = body[new.0].inline_regions().first() {
        body.move_block(block, region, 0);
    }
    let loc = body[old.0].loc;
    let known = body[block].args.len() - 1;
    for &init in &inits[known..] {
        let ty = body.ty(init);
        body.add_argument(block, ty, loc);
    }
    new
}
