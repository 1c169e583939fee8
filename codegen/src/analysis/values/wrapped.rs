//! Selects that wrap a number around at one end of its range, as affine remainders.
//!
//! ```text
//! %c = arith.cmpi eq, %i, %c511
//! %n = arith.select %c, %c0, %i + 1             ⇒   (i + 1) mod 512        where 0 <= i < 512
//! %c = arith.cmpi slt, %x, %c0
//! %n = arith.select %c, %x + 512, %x            ⇒   x mod 512              where -512 <= x < 512
//! %p = arith.xori %i, %j                        ⇒   (i + j) mod 2          in the lowest bit
//! ```
//!
//! So programs write periodic neighbours and colours of a checkerboard. With `base` the compared number,
//! `base + p` below a limit `T`, and `base + q` from it on, `m = p - q > 0`: the values are
//!
//! ```text
//! (base - T) mod m + T + q
//! ```
//!
//! where those from `T` on reach from `T + q` to less than `T + q + m`, and those below it, which reach up to
//! `T + q + m - 1`, no lower than `T + q`. A constant counts as `base` and an offset where only one number is on
//! its side of the limit.

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_ir::affine::AffineOp;
use gridloom_ir::{AffineExpr, OpId, Value};

use super::AffineValues;
use crate::analysis::interval::Interval;

/// Comparison of a number with a limit: whether it is below.
struct Limit {
    base: AffineExpr,
    range: Interval,
    /// The least number that is not below.
    at: i128,
    /// Whether the condition holds for the numbers below.
    is_below: bool,
}

impl AffineValues<'_> {
    /// Reads a select between `base + p` and `base + q` as a remainder.
    pub(super) fn read_wrapped(&mut self, op: OpId, depth: usize) -> Option<AffineExpr> {
        let &[condition, yes, no] = &self.body[op].operands[..] else {
            return None;
        };
        let limit = self.limit(op, condition, depth)?;
        let sides = [(yes, limit.is_below), (no, !limit.is_below)];
        let mut offsets = [0i128; 2];
        for (value, is_below) in sides {
            let expr = self.expr_at(value, depth);
            offsets[usize::from(!is_below)] = self.offset(expr, &limit, is_below)?;
        }
        let [below, above] = offsets;
        let (modulus, first) = (below - above, limit.at + above);
        let is_window = modulus > 0
            && limit.range.most + above < first + modulus
            && limit.range.least + below >= first;
        if !is_window {
            return None;
        }
        let number = |number: i128| Some(self.ctx.affine_const(i64::try_from(number).ok()?));
        let ctx = self.ctx;
        let (shift, divisor) = (number((-limit.at).rem_euclid(modulus))?, number(modulus)?);
        let first = number(first)?;
        let dividend = ctx.affine_add(limit.base, shift);
        self.least_at(op, dividend)?;
        let rest = ctx.affine_binary(AffineOp::Mod, dividend, divisor);
        Some(ctx.affine_add(rest, first))
    }

    /// Matches a condition that compares an affine number with a constant.
    fn limit(&mut self, op: OpId, condition: Value, depth: usize) -> Option<Limit> {
        use CmpIPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt};
        let &[left, right] = self.parts(condition, arith::CMPI)? else {
            return None;
        };
        let predicate = CmpIOp(self.body.defining_op(condition)?).predicate(self.ctx, self.body);
        let (compared, constant, predicate) = match (self.constant(left), self.constant(right)) {
            (None, Some(constant)) => (left, constant, predicate),
            (Some(constant), None) => (right, constant, predicate.mirrored()),
            _ => return None,
        };
        if !self.body.ty(compared).is_index(self.ctx) {
            return None;
        }
        let expr = self.expr_at(compared, depth);
        self.least_at(op, expr)?;
        let (base, offset) = self.linear(expr).split_constant(self.ctx);
        let env = self.environment_at(op);
        let range = self.interval(base, env)?;
        let number = i128::from(constant) - i128::from(offset);
        let (at, is_below) = match predicate {
            Slt => (number, true),
            Sle => (number + 1, true),
            Sge => (number, false),
            Sgt => (number + 1, false),
            Eq if number == range.least => (number + 1, true),
            Eq if number == range.most => (number, false),
            Ne if number == range.least => (number + 1, false),
            Ne if number == range.most => (number, true),
            _ => return None,
        };
        Some(Limit {
            base,
            range,
            at,
            is_below,
        })
    }

    /// The offset of an expression from the compared number on one side of the limit.
    fn offset(&self, expr: AffineExpr, limit: &Limit, is_below: bool) -> Option<i128> {
        if let Some(constant) = expr.as_constant(self.ctx) {
            let only = match is_below {
                true => limit.range.least,
                false => limit.range.most,
            };
            let is_only = only == if is_below { limit.at - 1 } else { limit.at };
            return is_only.then_some(i128::from(constant) - only);
        }
        let (base, offset) = self.linear(expr).split_constant(self.ctx);
        (base == limit.base).then_some(offset.into())
    }

    /// Reads an exclusive or of numbers that are 0 or 1 as the remainder of their sum.
    pub(super) fn read_exclusive_or(&mut self, op: OpId, depth: usize) -> Option<AffineExpr> {
        let env = self.environment_at(op);
        let (left, right) = self.pair(&self.body[op].operands, depth)?;
        for side in [left, right] {
            let range = self.interval(side, env)?;
            (range.least >= 0 && range.most <= 1).then_some(())?;
        }
        let sum = self.ctx.affine_add(left, right);
        Some(self.parity(sum))
    }

    /// Reads the lowest bit of an exclusive or as that of the sum.
    pub(super) fn read_lowest_bit(&mut self, op: OpId, depth: usize) -> Option<AffineExpr> {
        let &[value, mask] = &self.body[op].operands[..] else {
            return None;
        };
        self.parts(value, arith::XORI)
            .filter(|_| self.is_constant(mask, 1))?;
        let combined = self.body.defining_op(value)?;
        let (left, right) = self.pair(&self.body[combined].operands, depth)?;
        let sum = self.ctx.affine_add(left, right);
        self.least_at(op, sum)?;
        Some(self.parity(sum))
    }

    fn parity(&self, expr: AffineExpr) -> AffineExpr {
        let two = self.ctx.affine_const(2);
        self.ctx.affine_binary(AffineOp::Mod, expr, two)
    }
}
