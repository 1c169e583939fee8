//! Simplification of affine expressions during construction.

use super::{AffineExpr, AffineExprKind, AffineOp};
use crate::context::Context;

impl Context {
    pub(super) fn simplify_add(&self, lhs: AffineExpr, rhs: AffineExpr) -> Option<AffineExpr> {
        use AffineExprKind::{Binary, Constant};
        let (l, r) = (lhs.kind(self), rhs.kind(self));
        // Canonical order: constants, then symbolic terms, go to the right.
        if matches!(l, Constant(_)) && !matches!(r, Constant(_))
            || lhs.is_symbolic_or_constant(self) && !rhs.is_symbolic_or_constant(self)
        {
            return Some(self.affine_add(rhs, lhs));
        }
        if out_of_order(l, r) {
            return Some(self.affine_add(rhs, lhs));
        }
        if r == Constant(0) {
            return Some(lhs);
        }
        // (e + c1) + c2 = e + (c1 + c2)
        if let (Binary(AffineOp::Add, e, c1), Constant(c2)) = (l, r)
            && let Constant(c1) = c1.kind(self)
        {
            return Some(self.affine_add(e, self.affine_const(c1.checked_add(c2)?)));
        }
        // e*c1 + e*c2 = e*(c1 + c2)
        let ((le, lc), (re, rc)) = (self.scaled(lhs), self.scaled(rhs));
        if le == re && !matches!(le.kind(self), Constant(_)) {
            return Some(self.affine_mul(le, self.affine_const(lc.checked_add(rc)?)));
        }
        // (e + c) + f = (e + f) + c
        if let Binary(AffineOp::Add, e, c) = l
            && matches!(c.kind(self), Constant(_))
        {
            return Some(self.affine_add(self.affine_add(e, rhs), c));
        }
        if let Some(remainder) = self.as_remainder(lhs, rhs) {
            return Some(remainder);
        }
        // (e + f) + (g floordiv q) * c = e + (f + (g floordiv q) * c), where that
        // can be made shorter or put in order.
        if let (Binary(AffineOp::Add, e, f), Binary(AffineOp::Mul, quotient, _)) = (l, r)
            && matches!(quotient.kind(self), Binary(AffineOp::FloorDiv, ..))
        {
            let end = self.simplify_add(f, rhs)?;
            return Some(self.affine_add(e, end));
        }
        None
    }

    /// Recognises a remainder: `e + (e floordiv q) * -q` or `e + ((e floordiv q) * q) * -1` ⇒ `e
    /// mod q`. Not for a `q` below zero, where the two differ.
    fn as_remainder(&self, lhs: AffineExpr, rhs: AffineExpr) -> Option<AffineExpr> {
        use AffineExprKind::{Binary, Constant};
        let Binary(AffineOp::Mul, inner, factor) = rhs.kind(self) else {
            return None;
        };
        let quotient = |expr: AffineExpr| match expr.kind(self) {
            Binary(AffineOp::FloorDiv, e, q) if e == lhs => Some(q),
            _ => None,
        };
        if let (Some(q), Constant(factor)) = (quotient(inner), factor.kind(self))
            && let Constant(divisor) = q.kind(self)
            && divisor > 0
            && factor == -divisor
        {
            return Some(self.affine_binary(AffineOp::Mod, lhs, q));
        }
        if let (Constant(-1), Binary(AffineOp::Mul, e, q)) = (factor.kind(self), inner.kind(self))
            && quotient(e) == Some(q)
        {
            return Some(self.affine_binary(AffineOp::Mod, lhs, q));
        }
        None
    }

    /// Splits `e * c` into `(e, c)`, anything else into `(e, 1)`.
    fn scaled(&self, expr: AffineExpr) -> (AffineExpr, i64) {
        if let AffineExprKind::Binary(AffineOp::Mul, e, c) = expr.kind(self)
            && let AffineExprKind::Constant(c) = c.kind(self)
        {
            return (e, c);
        }
        (expr, 1)
    }

    pub(super) fn simplify_mul(&self, lhs: AffineExpr, rhs: AffineExpr) -> Option<AffineExpr> {
        use AffineExprKind::{Binary, Constant};
        let (l, r) = (lhs.kind(self), rhs.kind(self));
        if matches!(l, Constant(_)) && !matches!(r, Constant(_))
            || lhs.is_symbolic_or_constant(self) && !rhs.is_symbolic_or_constant(self)
        {
            return Some(self.affine_mul(rhs, lhs));
        }
        if out_of_order(l, r) {
            return Some(self.affine_mul(rhs, lhs));
        }
        match r {
            Constant(1) => return Some(lhs),
            Constant(0) => return Some(rhs),
            _ => {}
        }
        // (e * c1) * c2 = e * (c1 * c2)
        if let (Binary(AffineOp::Mul, e, c1), Constant(c2)) = (l, r)
            && let Constant(c1) = c1.kind(self)
        {
            return Some(self.affine_mul(e, self.affine_const(c1.checked_mul(c2)?)));
        }
        // (e * c) * f = (e * f) * c
        if let Binary(AffineOp::Mul, e, c) = l
            && matches!(c.kind(self), Constant(_))
        {
            return Some(self.affine_mul(self.affine_mul(e, rhs), c));
        }
        None
    }

    pub(super) fn simplify_div(
        &self,
        op: AffineOp,
        lhs: AffineExpr,
        rhs: AffineExpr,
    ) -> Option<AffineExpr> {
        let AffineExprKind::Constant(divisor) = rhs.kind(self) else {
            return None;
        };
        if divisor == 0 {
            return None;
        }
        if divisor == 1 {
            return Some(lhs);
        }
        if let AffineExprKind::Constant(value) = lhs.kind(self) {
            let exact = value.checked_rem(divisor)? == 0;
            let below = (value < 0) != (divisor < 0);
            // Division of integers truncates.
            let correction = match op {
                _ if exact => 0,
                AffineOp::FloorDiv if below => -1,
                AffineOp::CeilDiv if !below => 1,
                _ => 0,
            };
            return Some(self.affine_const(value / divisor + correction));
        }
        if let AffineExprKind::Binary(AffineOp::Mul, e, c) = lhs.kind(self)
            && let AffineExprKind::Constant(c) = c.kind(self)
            && c.checked_rem(divisor)? == 0
        {
            return Some(self.affine_mul(e, self.affine_const(c / divisor)));
        }
        // (e + f) floordiv c splits when one side is a multiple of c.
        let size = divisor.unsigned_abs();
        if op == AffineOp::FloorDiv
            && let AffineExprKind::Binary(AffineOp::Add, e, f) = lhs.kind(self)
            && (e.largest_known_divisor(self).is_multiple_of(size)
                || f.largest_known_divisor(self).is_multiple_of(size))
        {
            let (e, f) = (
                self.affine_binary(op, e, rhs),
                self.affine_binary(op, f, rhs),
            );
            return Some(self.affine_add(e, f));
        }
        None
    }

    pub(super) fn simplify_mod(&self, lhs: AffineExpr, rhs: AffineExpr) -> Option<AffineExpr> {
        let AffineExprKind::Constant(modulus) = rhs.kind(self) else {
            return None;
        };
        if modulus < 1 {
            return None;
        }
        if lhs
            .largest_known_divisor(self)
            .is_multiple_of(modulus as u64)
        {
            return Some(self.affine_const(0));
        }
        // (e + f) mod c drops the side that is a multiple of c.
        if let AffineExprKind::Binary(AffineOp::Add, e, f) = lhs.kind(self) {
            if e.largest_known_divisor(self).is_multiple_of(modulus as u64) {
                return Some(self.affine_binary(AffineOp::Mod, f, rhs));
            }
            if f.largest_known_divisor(self).is_multiple_of(modulus as u64) {
                return Some(self.affine_binary(AffineOp::Mod, e, rhs));
            }
        }
        // (e mod c1) mod c2 = e mod c2 when c2 divides c1.
        if let AffineExprKind::Binary(AffineOp::Mod, e, c) = lhs.kind(self)
            && let AffineExprKind::Constant(c) = c.kind(self)
            && c >= 1
            && c % modulus == 0
        {
            return Some(self.affine_binary(AffineOp::Mod, e, rhs));
        }
        None
    }
}

/// Whether two dimensions or two symbols are in the wrong canonical order.
fn out_of_order(lhs: AffineExprKind, rhs: AffineExprKind) -> bool {
    use AffineExprKind::{Dim, Symbol};
    match (lhs, rhs) {
        (Dim(l), Dim(r)) | (Symbol(l), Symbol(r)) => l > r,
        _ => false,
    }
}
