//! Conditions of `scf.if` as constraints on index values.
//!
//! ```text
//! %c = arith.cmpi slt, %i, %n               i < n
//! %d = arith.cmpi ult, %j, %c8         ⇒    0 <= j < 8
//! %e = arith.andi %c, %d                    both where %e is true
//! ```
//!
//! A comparison says what it says of unbounded integers where both sides fit 64
//! bits; their difference, which is a constraint's left side, need not.

use gridloom_dialects::arith::{self, CmpIPredicate};
use gridloom_dialects::{affine, scf};
use gridloom_ir::{AffineExpr, OpId, Value};

use super::domain::{Constraint, set_constraints};
use super::forwarding::{incoming, short_circuit};
use super::interval::Environment;
use super::values::AffineValues;

/// Conjunction of constraints that follow from a condition having a given value.
pub struct Conjunction {
    /// The constraints, all of which hold.
    pub constraints: Vec<Constraint>,
    /// Whether the constraints also imply that value of the condition.
    pub is_complete: bool,
}

/// Limit of the comparisons and conjunctions that one conjunction takes; further ones are left out.
const MAX_COMPARISONS: usize = 64;

/// Conjunction of the constraints that hold at `at` where the `i1` `condition` is `outcome`.
pub fn conjunction(
    values: &mut AffineValues,
    at: OpId,
    condition: Value,
    outcome: bool,
) -> Conjunction {
    let mut found = Conjunction {
        constraints: Vec::new(),
        is_complete: true,
    };
    let env = values.environment_at(at);
    let mut stack = vec![(condition, outcome)];
    let mut seen = 0;
    while let Some((value, outcome)) = stack.pop() {
        seen += 1;
        let constraints = match seen <= MAX_COMPARISONS {
            true => step(values, env, value, outcome, &mut stack),
            false => None,
        };
        match constraints {
            Some(constraints) => found.constraints.extend(constraints),
            None => found.is_complete = false,
        }
    }
    found
}

/// Constraints that the operation defining `value` states by itself; `None` for an operation that
/// is not understood. Operands that state further constraints go on the stack.
fn step(
    values: &mut AffineValues,
    env: Environment,
    value: Value,
    outcome: bool,
    stack: &mut Vec<(Value, bool)>,
) -> Option<Vec<Constraint>> {
    let body = values.body;
    let op = body.defining_op(value)?;
    if body[op].name == scf::IF {
        let conditions = short_circuit(values.ctx, body, value, outcome);
        let is_known = !conditions.is_empty();
        stack.extend(conditions.into_iter().map(|condition| (condition, outcome)));
        return is_known.then(Vec::new);
    }
    if body[op].name == affine::IF {
        return affine_short_circuit(values, op, value, outcome, stack);
    }
    let &[left, right] = &body[op].operands[..] else {
        return None;
    };
    match (body[op].name, outcome) {
        (arith::ANDI, true) | (arith::ORI, false) => {
            stack.extend([(left, outcome), (right, outcome)]);
            Some(Vec::new())
        }
        (arith::XORI, _) => {
            // `i1` constants are stored as 0 and 1, or -1.
            let flips = arith::constant_int(values.ctx, body, right)? != 0;
            stack.push((left, outcome != flips));
            Some(Vec::new())
        }
        (arith::CMPI, _) => comparison(values, env, op, outcome),
        _ => None,
    }
}

/// Constraints that hold where an `affine.if` whose second region yields the opposite yields
/// `outcome`: its set. What the first region yields goes on the stack.
fn affine_short_circuit(
    values: &mut AffineValues,
    op: OpId,
    value: Value,
    outcome: bool,
    stack: &mut Vec<(Value, bool)>,
) -> Option<Vec<Constraint>> {
    let (ctx, body) = (values.ctx, values.body);
    let [open, fixed] = incoming(ctx, body, value)?.try_into().ok()?;
    if (arith::constant_int(ctx, body, fixed)? != 0) == outcome {
        return None;
    }
    stack.push((open, outcome));
    let branch = affine::IfOp(op);
    let set = branch.set(ctx, body);
    let found = set_constraints(values, op, set, branch.operands(body));
    found.into_iter().collect()
}

fn comparison(
    values: &mut AffineValues,
    env: Environment,
    op: OpId,
    outcome: bool,
) -> Option<Vec<Constraint>> {
    let (ctx, body) = (values.ctx, values.body);
    let &[left, right] = &body[op].operands[..] else {
        return None;
    };
    let mut side = |value| {
        let expr = values.index_expr(value, env)?;
        let interval = values.interval(expr, env)?;
        Some((expr, interval.least >= 0))
    };
    let (left, right) = (side(left)?, side(right)?);
    use CmpIPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
    let predicate = arith::CmpIOp(op).predicate(ctx, body);
    let predicate = match outcome {
        true => predicate,
        false => predicate.inverse(),
    };
    // `greater - less - strict >= 0`
    let at_least = |greater: AffineExpr, less: AffineExpr, strict: i64| {
        let distance = ctx.affine_sub(greater, less);
        let expr = ctx.affine_add(distance, ctx.affine_const(-strict));
        Constraint { expr, is_eq: false }
    };
    let zero = ctx.affine_const(0);
    let (l, r) = (left.0, right.0);
    Some(match predicate {
        Eq => vec![Constraint {
            expr: ctx.affine_sub(l, r),
            is_eq: true,
        }],
        Ne => return None,
        Slt => vec![at_least(r, l, 1)],
        Sle => vec![at_least(r, l, 0)],
        Sgt => vec![at_least(l, r, 1)],
        Sge => vec![at_least(l, r, 0)],
        // A number that is unsigned below a non-negative one is itself non-negative.
        Ult | Ule if right.1 => {
            let strict = i64::from(predicate == Ult);
            vec![at_least(l, zero, 0), at_least(r, l, strict)]
        }
        Ugt | Uge if left.1 => {
            let strict = i64::from(predicate == Ugt);
            vec![at_least(r, zero, 0), at_least(l, r, strict)]
        }
        _ => return None,
    })
}
