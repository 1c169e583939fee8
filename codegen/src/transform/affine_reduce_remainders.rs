//! `affine-reduce-remainders`: remainders of dividends below a few times the divisor become subtractions.
//!
//! ```text
//! affine.for %i = 0 to %n {                       affine.for %i = 0 to %n {
//!   %next = arith.addi %i, %c1                      %next = arith.addi %i, %c1
//!   %place = arith.remsi %next, %n          ⇒       %less = arith.cmpi slt, %next, %n
//!   …                                               %rest = arith.subi %next, %n
//! }                                                 %place = arith.select %less, %next, %rest
//!                                                   …
//!                                                 }
//! ```
//!
//! Neighbours in a periodic array of open extent are such remainders. Devices have no instruction for a division by a
//! number that is known at run time alone: GPUs take some 20 instructions, and drivers on the CPU divide lane by lane.
//! `int-range-optimizations` does the same for constant divisors.
//!
//! Legal where the dividend is proved to be at least 0 and below three times the divisor, wherever the remainder is computed.

use gridloom_dialects::affine;
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_ir::{AffineExpr, Body, Builder, Context, OpId};

use crate::analysis::bounds::is_below;
use crate::analysis::budget::{Budgets, root_of_nest};
use crate::analysis::values::AffineValues;

/// Limit of the subtractions that take the place of a remainder.
const MAX_STEPS: i64 = 2;

/// Reduces the remainders in the loops of a function. Returns whether there was one.
pub fn reduce_remainders(ctx: &Context, body: &mut Body) -> bool {
    if !body.may_hold(affine::FOR) || !(body.may_hold(arith::REMSI) || body.may_hold(arith::REMUI))
    {
        return false;
    }
    let mut candidates = body.walk();
    candidates.retain(|&op| is_open(ctx, body, op));
    if candidates.is_empty() {
        return false;
    }
    let mut values = AffineValues::new(ctx, body);
    let mut budgets = Budgets::default();
    let plans = candidates
        .into_iter()
        .filter_map(|op| Some((op, steps(&mut values, op, &mut budgets)?)));
    let plans: Vec<(OpId, i64)> = plans.collect();
    for &(op, steps) in &plans {
        reduce(ctx, body, op, steps);
    }
    !plans.is_empty()
}

/// Whether an operation is a remainder of indices in an affine loop, by a number that is no constant.
fn is_open(ctx: &Context, body: &Body, op: OpId) -> bool {
    matches!(body[op].name, arith::REMSI | arith::REMUI)
        && body.ty(body[op].result(0)).is_index(ctx)
        && arith::constant_int(ctx, body, body[op].operands[1]).is_none()
        && body
            .ancestors(op)
            .any(|around| body[around].name == affine::FOR)
}

/// The subtractions of the divisor that leave the remainder; `None` where no few are proved to do.
fn steps(values: &mut AffineValues, op: OpId, budgets: &mut Budgets) -> Option<i64> {
    let (ctx, body) = (values.ctx, values.body);
    let env = values.environment_at(op);
    let [dividend, divisor] = [0, 1].map(|k| values.exact_expr(body[op].operands[k], env));
    let work = budgets.of(root_of_nest(body, op));
    let mut is_below =
        |expr: AffineExpr, bound: AffineExpr| is_below(values, op, [expr, bound], work);
    let number = |number| ctx.affine_const(number);
    if !is_below(number(0), divisor) || !is_below(number(-1), dividend) {
        return None;
    }
    (0..=MAX_STEPS).find(|&steps| {
        let subtracted = ctx.affine_mul(divisor, number(steps));
        is_below(ctx.affine_sub(dividend, subtracted), divisor)
    })
}

fn reduce(ctx: &Context, body: &mut Body, op: OpId, steps: i64) {
    let [mut rest, divisor] = [0, 1].map(|k| body[op].operands[k]);
    let mut b = Builder::before(ctx, body, op);
    for _ in 0..steps {
        let less = CmpIOp::create(&mut b, CmpIPredicate::Slt, rest, divisor);
        let next = b.binary(arith::SUBI, rest, divisor);
        rest = arith::select(&mut b, less, rest, next);
    }
    body.replace_results(op, &[rest]);
    body.erase(op);
}
