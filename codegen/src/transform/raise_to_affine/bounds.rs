//! Loop bounds: the expressions of which a bound is the minimum or maximum.

use gridloom_dialects::{affine, arith, inherent};
use gridloom_ir::{AffineExpr, OpId, Value};

use crate::analysis::arg_reduction::compare_select::CompareSelect;
use crate::analysis::interval::Environment;
use crate::analysis::values::{AffineValues, Atom};

/// Extremum of a bound with several expressions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Best {
    /// Minimum: an upper bound.
    Least,
    /// Maximum: a lower bound.
    Greatest,
}

/// Limit of the expressions of a bound.
const MAX_RESULTS: usize = 8;

/// Limit of the sums around an extremum, as in `min(a, b) + c`.
const MAX_SUMS: usize = 4;

/// The expressions of which `value`, a bound of the loop `at`, is the extremum. `min(a, b) + c` is that of
/// `a + c` and `b + c`.
///
/// One expression may wrap around, as the value then does. Of several, each is proved to fit 64
/// bits, since simplification compares them; where the proof fails, the extremum stays one atom.
pub(super) fn bound_exprs(
    values: &mut AffineValues,
    at: OpId,
    value: Value,
    best: Best,
) -> Vec<AffineExpr> {
    let env = values.environment_at(at);
    let ctx = values.ctx;
    let mut found = Vec::new();
    // The offsets around each part, the outermost first.
    let mut stack: Vec<(Value, Vec<AffineExpr>)> = vec![(value, Vec::new())];
    while let Some((next, mut offsets)) = stack.pop() {
        match parts(values, next, best) {
            Some(Parts::Values(parts)) => {
                let parts = parts.into_iter().rev();
                stack.extend(parts.map(|part| (part, offsets.clone())));
            }
            Some(Parts::Exprs(exprs)) => {
                found.extend(exprs.into_iter().map(|e| (e, offsets.clone())))
            }
            None => match shifted(values, next, best, MAX_SUMS) {
                Some((extremum, by)) => {
                    offsets.push(by);
                    stack.push((extremum, offsets));
                }
                None => found.push((values.expr(next), offsets)),
            },
        }
        if found.len() + stack.len() > MAX_RESULTS {
            return vec![values.expr(value)];
        }
    }
    // Each sum on the way out of an extremum is what the machine computes.
    let mut sums = Vec::new();
    let mut all_fit = true;
    let is_one = found.len() == 1;
    for (mut sum, offsets) in found {
        all_fit &= is_one || values.fits(sum, env);
        for offset in offsets.into_iter().rev() {
            sum = ctx.affine_add(sum, offset);
            all_fit &= is_one || values.fits(sum, env);
        }
        sums.push(sum);
    }
    if !all_fit {
        return vec![values.expr(value)];
    }
    let mut distinct: Vec<AffineExpr> = Vec::new();
    for expr in sums {
        if !distinct.contains(&expr) {
            distinct.push(expr);
        }
    }
    distinct
}

enum Parts {
    Values([Value; 2]),
    Exprs(Vec<AffineExpr>),
}

/// Operands of a minimum or maximum, written as an operation or as a compare and select.
fn parts(values: &mut AffineValues, value: Value, best: Best) -> Option<Parts> {
    let body = values.body;
    let op = body.defining_op(value)?;
    let pair = || match body[op].operands[..] {
        [l, r] => Some(Parts::Values([l, r])),
        _ => None,
    };
    match (body[op].name, best) {
        (arith::MINSI, Best::Least) | (arith::MAXSI, Best::Greatest) => pair(),
        (arith::MINUI, Best::Least) | (arith::MAXUI, Best::Greatest) => {
            let env = values.environment_at(op);
            let operands = &body[op].operands;
            let is_signed_alike = operands.iter().all(|&v| is_natural(values, v, env));
            is_signed_alike.then(pair).flatten()
        }
        (affine::MIN, Best::Least) | (affine::MAX, Best::Greatest) => {
            let map = body[op].get(values.ctx, inherent::MAP)?;
            let exprs = values.map_exprs(op, map, &body[op].operands);
            Some(Parts::Exprs(exprs.into_iter().collect::<Option<_>>()?))
        }
        (arith::SELECT, _) => selected(values, op, best).map(Parts::Values),
        _ => None,
    }
}

/// A sum of an extremum and another value: the extremum, or a sum that holds it, and the other one.
fn shifted(
    values: &mut AffineValues,
    value: Value,
    best: Best,
    depth: usize,
) -> Option<(Value, AffineExpr)> {
    let (ctx, body) = (values.ctx, values.body);
    let op = body.defining_op(value)?;
    let &[l, r] = &body[op].operands[..] else {
        return None;
    };
    let holds = |values: &mut AffineValues, value| {
        parts(values, value, best).is_some()
            || depth > 0 && shifted(values, value, best, depth - 1).is_some()
    };
    match body[op].name {
        arith::ADDI if holds(values, l) => Some((l, values.expr(r))),
        arith::ADDI if holds(values, r) => Some((r, values.expr(l))),
        arith::SUBI if holds(values, l) => {
            let by = values.expr(r);
            Some((l, ctx.affine_sub(ctx.affine_const(0), by)))
        }
        _ => None,
    }
}

/// Whether a value is in 0 … 2^63 - 1, where signed and unsigned comparisons agree.
pub(super) fn is_natural(values: &mut AffineValues, value: Value, env: Environment) -> bool {
    let expr = values.exact_expr(value, env);
    let interval = values.interval(expr, env);
    interval.is_some_and(|interval| interval.least >= 0)
}

/// Matches a compare and select, such as `a < b ? a : b`.
fn selected(values: &AffineValues, op: OpId, best: Best) -> Option<[Value; 2]> {
    let (ctx, body) = (values.ctx, values.body);
    let &[_, first, second] = &body[op].operands[..] else {
        return None;
    };
    let operation = CompareSelect::of(ctx, body, op, second)?.operation()?;
    let picks = match best {
        Best::Least => operation == arith::MINSI,
        Best::Greatest => operation == arith::MAXSI,
    };
    picks.then_some([first, second])
}

/// The SSA value of an expression that is a single atom.
pub(super) fn as_value(values: &AffineValues, expr: AffineExpr) -> Option<Value> {
    match expr.kind(values.ctx) {
        gridloom_ir::affine::AffineExprKind::Dim(number) => match values.atom(number) {
            Atom::Value(value) => Some(value),
            _ => None,
        },
        _ => None,
    }
}
