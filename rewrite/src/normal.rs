//! Normal form of affine expressions: sums of operands, quotients and a constant.
//!
//! ```text
//! d0 + s0 - d0 * 3 + (s0 - 1) * 2   ⇒  d0 * -2 + s0 * 3 - 2
//! (d0 * 2) mod 8                    ⇒  d0 * 2 - (d0 floordiv 4) * 8
//! (d0 * 6 + 4) floordiv 4           ⇒  (d0 * 3 + 2) floordiv 2
//! (d0 * 2) mod 8 + (d0 floordiv 4) * 8   ⇒  d0 * 2
//! ```
//!
//! A remainder becomes a quotient, `e mod c = e - (e floordiv c) * c`, and a quotient loses the
//! common factor of both sides. Equal quotients are one term, so that terms cancel. The expression
//! built from the sum may have a remainder in it again.

use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::{AffineExpr, Context};

/// Brings an expression into normal form. `None` if a divisor is no positive constant, operands are
/// multiplied with each other, or a number leaves 64 bits.
///
/// Recursive: the caller bounds the size of the expression.
pub fn normal_form(
    ctx: &Context,
    expr: AffineExpr,
    dims: usize,
    symbols: usize,
) -> Option<AffineExpr> {
    let mut flattener = Flattener {
        ctx,
        dims,
        inputs: dims + symbols,
        quotients: Vec::new(),
    };
    let sum = flattener.sum_of(expr)?;
    Some(flattener.expr_of(&sum))
}

/// A linear combination.
#[derive(Clone, Default)]
struct Sum {
    /// Coefficients of the dimensions, then of the symbols, then of the quotients
    /// that were known when the sum was made.
    factors: Vec<i64>,
    constant: i64,
}

impl Sum {
    fn is_constant(&self) -> bool {
        self.factors.iter().all(|&factor| factor == 0)
    }

    /// `self + times * other`; `None` on overflow.
    fn plus(mut self, other: &Sum, times: i64) -> Option<Sum> {
        let count = self.factors.len().max(other.factors.len());
        self.factors.resize(count, 0);
        for (factor, &more) in self.factors.iter_mut().zip(&other.factors) {
            *factor = factor.checked_add(more.checked_mul(times)?)?;
        }
        let more = other.constant.checked_mul(times)?;
        self.constant = self.constant.checked_add(more)?;
        Some(self)
    }

    /// Greatest common divisor of all coefficients, the constant and `by`, which is not 0.
    fn common_factor(&self, by: u64) -> u64 {
        let numbers = self.factors.iter().chain([&self.constant]);
        numbers.fold(by, |known, number| gcd(known, number.unsigned_abs()))
    }

    /// Divides by a common divisor of coefficients and constant.
    fn divided(&self, by: i64) -> Option<Sum> {
        let factors = self.factors.iter().map(|factor| factor.checked_div(by));
        Some(Sum {
            factors: factors.collect::<Option<_>>()?,
            constant: self.constant.checked_div(by)?,
        })
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

struct Flattener<'a> {
    ctx: &'a Context,
    dims: usize,
    inputs: usize,
    /// The expression for each quotient.
    quotients: Vec<AffineExpr>,
}

impl Flattener<'_> {
    fn sum_of(&mut self, expr: AffineExpr) -> Option<Sum> {
        let (op, lhs, rhs) = match expr.kind(self.ctx) {
            AffineExprKind::Constant(constant) => {
                let factors = Vec::new();
                return Some(Sum { factors, constant });
            }
            AffineExprKind::Dim(number) => return self.term(number as usize),
            AffineExprKind::Symbol(number) => return self.term(self.dims + number as usize),
            AffineExprKind::Binary(op, lhs, rhs) => (op, lhs, rhs),
        };
        let (lhs, rhs) = (self.sum_of(lhs)?, self.sum_of(rhs)?);
        if op == AffineOp::Add {
            return lhs.plus(&rhs, 1);
        }
        if !rhs.is_constant() {
            return None;
        }
        match (op, rhs.constant) {
            (AffineOp::Mul, by) => Sum::default().plus(&lhs, by),
            (_, ..=0) => None,
            (AffineOp::Mod, by) => {
                let quotient = self.quotient(AffineOp::FloorDiv, &lhs, by)?;
                lhs.plus(&quotient, by.checked_neg()?)
            }
            (_, by) => self.quotient(op, &lhs, by),
        }
    }

    fn term(&self, number: usize) -> Option<Sum> {
        let mut factors = vec![0; number + 1];
        factors[number] = 1;
        let constant = 0;
        (number < self.inputs).then_some(Sum { factors, constant })
    }

    /// A quotient by a positive number.
    fn quotient(&mut self, op: AffineOp, sum: &Sum, by: i64) -> Option<Sum> {
        let common = i64::try_from(sum.common_factor(by.unsigned_abs())).ok()?;
        let (sum, by) = (sum.divided(common)?, by / common);
        if by == 1 {
            return Some(sum);
        }
        let dividend = self.expr_of(&sum);
        let quotient = self
            .ctx
            .affine_binary(op, dividend, self.ctx.affine_const(by));
        let known = self.quotients.iter().position(|&known| known == quotient);
        let number = known.unwrap_or_else(|| {
            self.quotients.push(quotient);
            self.quotients.len() - 1
        });
        let mut factors = vec![0; self.inputs + number + 1];
        factors[self.inputs + number] = 1;
        let constant = 0;
        Some(Sum { factors, constant })
    }

    fn expr_of(&self, sum: &Sum) -> AffineExpr {
        let ctx = self.ctx;
        let mut expr = ctx.affine_const(0);
        for (number, &factor) in sum.factors.iter().enumerate() {
            if factor == 0 {
                continue;
            }
            let term = match number {
                dim if dim < self.dims => ctx.affine_dim(dim as u32),
                symbol if symbol < self.inputs => ctx.affine_symbol((symbol - self.dims) as u32),
                quotient => self.quotients[quotient - self.inputs],
            };
            expr = ctx.affine_add(expr, ctx.affine_mul(term, ctx.affine_const(factor)));
        }
        ctx.affine_add(expr, ctx.affine_const(sum.constant))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use AffineOp::{Add, CeilDiv, FloorDiv, Mod, Mul};

    /// Expressions of two operands, by a sequence of numbers.
    fn some_expr(ctx: &Context, seed: &mut u64, depth: u32) -> AffineExpr {
        let mut next = |count: u64| {
            let product = seed.wrapping_mul(6_364_136_223_846_793_005);
            *seed = product.wrapping_add(1_442_695_040_888_963_407);
            (*seed >> 33) % count
        };
        let (kind, number) = (next(8), next(7) as i64);
        if depth == 0 || kind < 2 {
            return match kind % 3 {
                0 => ctx.affine_dim(0),
                1 => ctx.affine_symbol(0),
                _ => ctx.affine_const(number - 3),
            };
        }
        let lhs = some_expr(ctx, seed, depth - 1);
        let (op, rhs) = match kind {
            2 | 3 => (Add, some_expr(ctx, seed, depth - 1)),
            4 => (Mul, ctx.affine_const(number - 3)),
            5 => (Mod, ctx.affine_const(number + 1)),
            6 => (FloorDiv, ctx.affine_const(number + 1)),
            _ => (CeilDiv, ctx.affine_const(number + 1)),
        };
        ctx.affine_binary(op, lhs, rhs)
    }

    #[test]
    fn normal_form_has_the_same_values() {
        let ctx = gridloom_dialects::context();
        let mut seed = 7;
        for _ in 0..2000 {
            let expr = some_expr(&ctx, &mut seed, 5);
            let normal = normal_form(&ctx, expr, 1, 1).expect("small numbers");
            for (d, s) in (-9..9).flat_map(|d| (-9..9).map(move |s| (d, s))) {
                let values = [expr, normal].map(|expr| expr.eval(&ctx, &[d], &[s]));
                assert_eq!(values[0], values[1], "{expr:?}, {normal:?} of {d}, {s}");
            }
        }
    }

    #[test]
    fn what_cancels_out_goes() {
        let ctx = gridloom_dialects::context();
        let d = ctx.affine_dim(0);
        let by = |op, expr, number| ctx.affine_binary(op, expr, ctx.affine_const(number));
        let rest = by(Mod, by(Mul, d, 2), 8);
        let quotient = by(Mul, by(FloorDiv, d, 4), 8);
        let whole = ctx.affine_add(rest, quotient);
        assert_eq!(normal_form(&ctx, whole, 1, 0), Some(by(Mul, d, 2)));
    }

    #[test]
    fn unknown_divisors_and_large_numbers_have_none() {
        let ctx = gridloom_dialects::context();
        let (d, s) = (ctx.affine_dim(0), ctx.affine_symbol(0));
        let large = ctx.affine_mul(d, ctx.affine_const(i64::MAX));
        for expr in [
            ctx.affine_binary(FloorDiv, d, s),
            ctx.affine_mul(d, s),
            ctx.affine_add(large, ctx.affine_add(large, s)),
        ] {
            assert_eq!(normal_form(&ctx, expr, 1, 1), None);
        }
    }
}
