//! Bounds of the counters that a counted loop carries, by its induction variable.
//!
//! ```text
//! affine.for %i = %l to %n step 2 iter_args(%m = %z) {
//!   %d = arith.select %c, %one, %zero                       2 * (m - z) <= 1 * (i - l)
//!   %k = arith.addi %m, %d
//!   affine.yield %k
//! }
//! ```
//!
//! By induction: an iteration adds a number from 0 to a constant. A sum that wraps around becomes less, so that the bound
//! holds of it too. A filter in place, `if (…) x[m++] = x[i]`, stores behind what it has loaded for this reason.

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::arith;
use gridloom_ir::Value;

use super::domain::Constraint;
use super::forwarding::{carried, choices};
use super::values::AffineValues;

/// Limit of what an iteration adds, so that products stay far from 64 bits.
const MAX_STEP: i128 = 1 << 20;

impl AffineValues<'_> {
    /// The upper bounds, in an iteration, of the integers that a loop carries and each iteration adds at least 0 to.
    pub fn counter_bounds(&mut self, op: ForOp) -> Vec<Constraint> {
        let (ctx, body) = (self.ctx, self.body);
        let (lower, step) = (op.lower(ctx, body), op.step(ctx, body));
        let env = self.environment_at(op.0);
        let exprs = self.map_exprs(op.0, lower.map, lower.operands);
        let &[Some(lower)] = &exprs[..] else {
            return Vec::new();
        };
        if !self.fits(lower, env) || i128::from(step) > MAX_STEP {
            return Vec::new();
        }
        let counter = self.expr(op.induction_var(body));
        let mut found = Vec::new();
        for (place, &arg) in op.iter_args(body).iter().enumerate() {
            let Some([init, next]) = carried(ctx, body, op.0, place) else {
                continue;
            };
            let Some(most) = self.most_added(next, arg) else {
                continue;
            };
            let Some(start) = self.index_expr(init, env) else {
                continue;
            };
            let distance = ctx.affine_sub(counter, lower);
            let most = ctx.affine_mul(distance, ctx.affine_const(most));
            for index in self.indices_of(arg) {
                let added = ctx.affine_sub(self.expr(index), start);
                let added = ctx.affine_mul(added, ctx.affine_const(step));
                let expr = ctx.affine_sub(most, added);
                found.push(Constraint { expr, is_eq: false });
            }
        }
        found
    }

    /// The most that is added to `from` for `value`, where that is 0 at least.
    fn most_added(&self, value: Value, from: Value) -> Option<i64> {
        let body = self.body;
        let mut most = 0;
        for choice in choices(self.ctx, body, value)? {
            if choice == from {
                continue;
            }
            let sum = body.defining_op(choice)?;
            let added = match (body[sum].name, &body[sum].operands[..]) {
                (arith::ADDI, &[left, right]) if left == from => right,
                (arith::ADDI, &[left, right]) if right == from => left,
                _ => return None,
            };
            for added in choices(self.ctx, body, added)? {
                let constant = self.signed_constant(added);
                let number = constant.or_else(|| self.is_predicate(added).then_some(1))?;
                if !(0..=MAX_STEP).contains(&number) {
                    return None;
                }
                most = most.max(number);
            }
        }
        i64::try_from(most).ok()
    }

    /// Whether an integer is a bit, extended by zeros.
    fn is_predicate(&self, value: Value) -> bool {
        let (ctx, body) = (self.ctx, self.body);
        let def = body.defining_op(value);
        def.is_some_and(|op| {
            matches!(body[op].name, arith::EXTUI | arith::INDEX_CASTUI)
                && body.ty(body[op].operands[0]) == ctx.bool_type()
        })
    }
}
