//! `affine-loop-congruence`: makes the lattice of a nest, such as the colours of a checkerboard, steps of its loops.
//!
//! ```text
//! affine.for %i = 0 to 512 {                   affine.for %i = 0 to 512 {
//!   affine.for %j = 0 to 512 {                   affine.for %k = 0 to 512 step 2 {
//!     affine.if ((%i + %j) mod 2 == 0) {    ⇒      %j = affine.apply (%k + %i mod 2)
//!       S(%i, %j)                                  S(%i, %j)
//!     }                                          }
//! } }                                          }
//! ```
//!
//! A congruence that the body of a loop tests leaves every `m`-th iteration: these become the iterations of the
//! loop (`condition`). Loops of parallel nests that begin at a residue of outer counters begin at one number for
//! all of them, and what the residue adds stands in the body (`alignment`), so that the nest is a box, which tiles
//! divide evenly.
//!
//! Legal always: the statements run in the same iterations in the same order, but for the last iterations of an aligned loop,
//! which only some rows have and which become a nest of their own behind: this one is parallel. Sums that may leave 64 bits are left alone.
//! (Programs with lattices as domains: W. Li and K. Pingali, "A Singular Loop Transformation Framework Based on
//! Non-Singular Matrices", 1994.)

mod alignment;
mod condition;

use gridloom_dialects::affine::{self, ForOp};
use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::{AffineExpr, Body, Context, Module};

use super::plans::{Plans, change_by_plans, plan_outermost};
use crate::analysis::alias::Globals;
use crate::analysis::dependence::Dependences;
use crate::analysis::values::AffineValues;

/// Limit of the congruences that are taken from one nest.
const MAX_ROUNDS: usize = 8;

/// Applies the congruences of loops in the host functions of a module. Returns whether anything changed.
pub fn apply_congruences(ctx: &Context, module: &mut Module) -> bool {
    let conditions = change_by_plans(
        ctx,
        module,
        MAX_ROUNDS,
        |body, globals| plan_conditions(ctx, body, globals),
        |plan, body| plan.apply(ctx, body),
    );
    let alignments = change_by_plans(
        ctx,
        module,
        1,
        |body, globals| plan_outermost(ctx, body, globals, alignment::plan),
        |plan, body| plan.apply(ctx, body),
    );
    conditions || alignments
}

/// Plans conditions that are in different loops.
fn plan_conditions(ctx: &Context, body: &Body, globals: &Globals) -> Plans<condition::Congruence> {
    if !body.may_hold(affine::IF) {
        return (Vec::new(), false);
    }
    let mut deps = Dependences::new(ctx, body, globals);
    let mut plans: Vec<condition::Congruence> = Vec::new();
    for op in body.walk() {
        let planned = condition::plan(&mut deps.values, op);
        let is_new = |plan: &condition::Congruence| {
            let mut known = plans.iter();
            known.all(|known| {
                !body.is_ancestor(known.loop_op().0, plan.loop_op().0)
                    && !body.is_ancestor(plan.loop_op().0, known.loop_op().0)
            })
        };
        if let Some(plan) = planned.filter(is_new) {
            plans.push(plan);
        }
    }
    (plans, deps.aliases.relied_on_arguments())
}

/// Limit of the operands of a sum.
const MAX_TERMS: usize = 16;

/// The terms of a sum, each with its factor. A multiple of a quotient is told by its remainder:
/// `m * (x floordiv m)` is `x - x mod m`.
fn terms(ctx: &Context, expr: AffineExpr) -> Option<Vec<(i64, AffineExpr)>> {
    let mut found: Vec<(i64, AffineExpr)> = Vec::new();
    let mut open = vec![(1i64, expr)];
    while let Some((factor, expr)) = open.pop() {
        if found.len() + open.len() > MAX_TERMS {
            return None;
        }
        match expr.kind(ctx) {
            AffineExprKind::Binary(AffineOp::Add, left, right) => {
                open.extend([(factor, right), (factor, left)]);
                continue;
            }
            AffineExprKind::Binary(AffineOp::Mul, left, right) => {
                open.push((factor.checked_mul(right.as_constant(ctx)?)?, left));
                continue;
            }
            AffineExprKind::Binary(AffineOp::FloorDiv, dividend, divisor) => {
                let by = divisor.as_constant(ctx).filter(|&by| by > 1);
                if let Some(by) = by.filter(|&by| factor % by == 0) {
                    let rest = ctx.affine_binary(AffineOp::Mod, dividend, divisor);
                    let times = factor / by;
                    open.extend([(times, dividend), (times.checked_neg()?, rest)]);
                    continue;
                }
            }
            _ => {}
        }
        match found.iter_mut().find(|(_, term)| *term == expr) {
            Some((known, _)) => *known = known.checked_add(factor)?,
            None => found.push((factor, expr)),
        }
    }
    found.retain(|&(factor, _)| factor != 0);
    Some(found)
}

/// The dividend and the divisor of a remainder.
fn remainder(ctx: &Context, expr: AffineExpr) -> Option<(AffineExpr, i64)> {
    match expr.kind(ctx) {
        AffineExprKind::Binary(AffineOp::Mod, dividend, divisor) => {
            let divisor = divisor.as_constant(ctx).filter(|&divisor| divisor > 1)?;
            Some((dividend, divisor))
        }
        _ => None,
    }
}

/// The sum of some terms.
fn sum(ctx: &Context, terms: impl Iterator<Item = (i64, AffineExpr)>) -> AffineExpr {
    terms.fold(ctx.affine_const(0), |sum, (factor, term)| {
        ctx.affine_add(sum, ctx.affine_mul(term, ctx.affine_const(factor)))
    })
}

/// The lower bound of a loop, if it is one expression, over atoms.
fn lower_of(values: &mut AffineValues, l: ForOp) -> Option<AffineExpr> {
    values.exact_bound(l.0, l.lower(values.ctx, values.body))
}
