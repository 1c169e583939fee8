//! Congruences that the body of a loop tests: they become its step.
//!
//! ```text
//! affine.for %j = L to U step s {              affine.for %j = L + s * k0 to U step s * m {
//!   affine.if ((a * %j + x) mod m == r) {  ⇒     S(%j)
//!     S(%j)                                    }
//!   }
//! }
//! ```
//!
//! With `%j = L + s * k`, the test says `a * s * k ≡ r - x - a * L`, modulo `m`. Where `a * s` has an inverse there,
//! its solutions are every `m`-th `k`, from `k0 = ((a * s)⁻¹ * (r - x - a * L)) mod m` on.
//!
//! Legal where the loop carries nothing and holds nothing with effects beside the branch, where `x` and `r` do
//! not vary with the loop, where `r` is proved to be a remainder, and where no sum leaves 64 bits.

use gridloom_dialects::affine::{ForOp, IfOp};
use gridloom_dialects::inherent;
use gridloom_ir::affine::{AffineConstraint, AffineOp};
use gridloom_ir::op::Traits;
use gridloom_ir::{AffineExpr, Body, Context, OpId};

use super::{lower_of, remainder, sum, terms};
use crate::analysis::domain::{Constraint, set_constraints};
use crate::analysis::values::{AffineValues, Atom};
use crate::transform::emit_loops::{MapWithOperands, bound};

/// Limit of the modulus of a congruence, whose inverse is searched.
const MAX_MODULUS: i64 = 64;

/// Congruence of a loop.
pub(super) struct Congruence {
    op: ForOp,
    branch: IfOp,
    /// The constraint of the branch that becomes the step.
    constraint: usize,
    lower: MapWithOperands,
    step: i64,
}

/// Plans a congruence that a branch tests, of the innermost loop around that has one.
pub(super) fn plan(values: &mut AffineValues, op: OpId) -> Option<Congruence> {
    let (ctx, body) = (values.ctx, values.body);
    let branch = IfOp::cast(body, op)?;
    if body[op].num_results() > 0 || branch.else_block(body).is_some() {
        return None;
    }
    let set = branch.set(ctx, body);
    let constraints = set_constraints(values, op, set, branch.operands(body));
    let mut inner = op;
    while let Some(l) = loop_around(body, inner) {
        for (number, constraint) in constraints.iter().enumerate() {
            let solved = constraint.and_then(|constraint| solve(values, l, constraint));
            if let Some((lower, step)) = solved {
                return Some(Congruence {
                    op: l,
                    branch,
                    constraint: number,
                    lower,
                    step,
                });
            }
        }
        inner = l.0;
    }
    None
}

/// The loop that holds an operation and besides only what computes values.
fn loop_around(body: &Body, op: OpId) -> Option<ForOp> {
    let l = ForOp::cast(body, body.parent_op(op)?)?;
    let is_quiet = |other: OpId| {
        let name = body[other].name;
        other == op
            || name.has(Traits::TERMINATOR)
            || name.has(Traits::PURE) && body[other].inline_regions().is_empty()
    };
    let is_alone = body.ops(l.block(body)).all(is_quiet);
    (is_alone && body[l.0].num_results() == 0).then_some(l)
}

/// The lower bound and the step of the iterations of a loop in which a constraint holds.
fn solve(
    values: &mut AffineValues,
    l: ForOp,
    constraint: Constraint,
) -> Option<(MapWithOperands, i64)> {
    let (ctx, body) = (values.ctx, values.body);
    let counter = values.atom_number(Atom::Value(l.induction_var(body)));
    let (dividend, modulus, rest) = equation(values, counter, constraint)?;
    let env = values.environment_at(l.0);
    let range = values.interval(rest, env)?;
    let along = values.coefficient(dividend, counter)?;
    let start = values.with_atoms(dividend, &[(counter, ctx.affine_const(0))]);
    let is_remainder = range.least >= 0 && range.most < modulus.into();
    if !is_remainder || !values.is_invariant(start, l.0) || !values.is_invariant(rest, l.0) {
        return None;
    }
    let lower = lower_of(values, l)?;
    let step = l.step(ctx, body);
    let unit = along.checked_mul(step)?.rem_euclid(modulus);
    let inverse = (1..modulus).find(|by| by * unit % modulus == 1)?;
    let distance = ctx.affine_sub(
        ctx.affine_sub(rest, start),
        ctx.affine_mul(lower, ctx.affine_const(along)),
    );
    let distance = ctx.affine_mul(distance, ctx.affine_const(inverse));
    let distance = reduced(values, distance, modulus);
    let first = ctx.affine_binary(AffineOp::Mod, distance, ctx.affine_const(modulus));
    let new = ctx.affine_add(lower, ctx.affine_mul(first, ctx.affine_const(step)));
    let fits = values.fits(distance, env) && values.fits(new, env);
    let bound = values.map_at(l.0, &[new]).filter(|_| fits)?;
    Some((bound, step.checked_mul(modulus)?))
}

/// A constraint as `dividend mod modulus == rest`, whose dividend alone varies with a counter.
fn equation(
    values: &AffineValues,
    counter: u32,
    constraint: Constraint,
) -> Option<(AffineExpr, i64, AffineExpr)> {
    let ctx = values.ctx;
    let varies = |expr: AffineExpr| {
        let mut atoms = Vec::new();
        values.atoms_in(expr, &mut atoms);
        atoms.contains(&counter)
    };
    let all = terms(ctx, constraint.expr)?;
    let (own, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|&(_, term)| varies(term));
    let &[(factor, term)] = &own[..] else {
        return None;
    };
    let (dividend, modulus) = remainder(ctx, term)?;
    if factor.abs() != 1 || modulus > MAX_MODULUS {
        return None;
    }
    let others = others.into_iter();
    let others = others.map(|(times, term)| Some((times.checked_mul(-factor)?, term)));
    let rest = sum(ctx, others.collect::<Option<Vec<_>>>()?.into_iter());
    // An inequality that only the greatest or least remainder fulfils.
    let extreme = if factor > 0 { modulus - 1 } else { 0 };
    let is_equation = constraint.is_eq || rest.as_constant(ctx) == Some(extreme);
    is_equation.then_some((dividend, modulus, rest))
}

/// A sum with the remainders of its factors, which is congruent to it.
fn reduced(values: &AffineValues, expr: AffineExpr, modulus: i64) -> AffineExpr {
    let ctx = values.ctx;
    let Some(all) = terms(ctx, expr) else {
        return expr;
    };
    let reduced = all
        .into_iter()
        .map(|(factor, term)| match term.as_constant(ctx) {
            Some(number) => {
                let number = i128::from(number) * i128::from(factor);
                let rest = number.rem_euclid(modulus.into());
                // A remainder is below the modulus.
                (1, ctx.affine_const(rest as i64))
            }
            None => (factor.rem_euclid(modulus), term),
        });
    sum(ctx, reduced)
}

impl Congruence {
    pub(super) fn loop_op(&self) -> ForOp {
        self.op
    }

    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        self.op.set_lower(ctx, body, bound(&self.lower));
        self.op.set_step(ctx, body, self.step);
        let data = self.branch.set(ctx, body).data(ctx);
        let mut constraints: Vec<AffineConstraint> = data.constraints.to_vec();
        constraints.remove(self.constraint);
        if !constraints.is_empty() {
            let set = ctx.integer_set(data.dims, data.symbols, &constraints);
            body[self.branch.0].set_property(ctx, inherent::CONDITION, ctx.set_attr(set));
            return;
        }
        let inside: Vec<OpId> = body.ops(self.branch.then_block(body)).collect();
        for op in inside {
            if !body[op].name.has(Traits::TERMINATOR) {
                body.detach(op);
                body.insert_before(self.branch.0, op);
            }
        }
        body.erase(self.branch.0);
    }
}
