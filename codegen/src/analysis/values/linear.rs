//! Normal form of expressions over atoms, and maps of them.

use gridloom_dialects::affine::{Bound, is_valid_dim, scope_of};
use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::{AffineExpr, AffineMap, Context, OpId, Value};

use super::{AffineValues, Atom, MAX_WALK};

/// A sum of multiples of different expressions that are no sums, and a constant.
#[derive(Default)]
struct Sum {
    terms: Vec<(AffineExpr, i64)>,
    constant: i64,
}

impl Sum {
    fn add(&mut self, term: AffineExpr, factor: i64) -> Option<()> {
        match self.terms.iter_mut().find(|(known, _)| *known == term) {
            Some((_, sum)) => *sum = sum.checked_add(factor)?,
            None => self.terms.push((term, factor)),
        }
        Some(())
    }
}

/// The nodes of an expression in pre-order, which sorts dimensions by number in front of all else, whatever the
/// order in which expressions were made.
fn structure(ctx: &Context, expr: AffineExpr) -> Vec<(u8, i64)> {
    let mut nodes = Vec::new();
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        nodes.push(match expr.kind(ctx) {
            AffineExprKind::Dim(number) => (0, number.into()),
            AffineExprKind::Symbol(number) => (1, number.into()),
            AffineExprKind::Constant(number) => (2, number),
            AffineExprKind::Binary(op, l, r) => {
                stack.extend([r, l]);
                (3, op as i64)
            }
        });
    }
    nodes
}

impl AffineValues<'_> {
    /// An expression as the sum of multiples of its atoms, in their order, and of its quotients and remainders, whose
    /// dividends are such sums: equal sums are then the same expression.
    pub fn linear(&self, expr: AffineExpr) -> AffineExpr {
        let ctx = self.ctx;
        let Some(Sum { terms, constant }) = self.sum(expr) else {
            return expr;
        };
        let sum = (terms.into_iter().filter(|&(_, factor)| factor != 0))
            .map(|(term, factor)| ctx.affine_mul(term, ctx.affine_const(factor)))
            .reduce(|sum, term| ctx.affine_add(sum, term));
        let constant = ctx.affine_const(constant);
        sum.map_or(constant, |sum| ctx.affine_add(sum, constant))
    }

    fn sum(&self, expr: AffineExpr) -> Option<Sum> {
        let ctx = self.ctx;
        let mut sum = Sum::default();
        let mut stack = vec![(expr, 1_i64)];
        while let Some((expr, factor)) = stack.pop() {
            match expr.kind(ctx) {
                AffineExprKind::Constant(number) => {
                    sum.constant = sum.constant.checked_add(number.checked_mul(factor)?)?;
                }
                AffineExprKind::Binary(AffineOp::Add, l, r) => {
                    stack.extend([(l, factor), (r, factor)]);
                }
                AffineExprKind::Binary(AffineOp::Mul, l, r) if r.as_constant(ctx).is_some() => {
                    stack.push((l, factor.checked_mul(r.as_constant(ctx)?)?));
                }
                AffineExprKind::Binary(op, l, r) => {
                    if expr.tree_size(ctx) > MAX_WALK {
                        return None;
                    }
                    let new = ctx.affine_binary(op, self.linear(l), self.linear(r));
                    match new.kind(ctx) {
                        AffineExprKind::Binary(kept, _, by)
                            if kept == op
                                && (op != AffineOp::Mul || by.as_constant(ctx).is_none()) =>
                        {
                            sum.add(new, factor)?;
                        }
                        // Equal terms cancelled out.
                        _ => stack.push((new, factor)),
                    }
                }
                AffineExprKind::Dim(_) | AffineExprKind::Symbol(_) => sum.add(expr, factor)?,
            }
        }
        sum.terms
            .sort_by_cached_key(|&(term, _)| structure(ctx, term));
        Some(sum)
    }

    /// An expression with other ones for some of its atoms.
    pub fn with_atoms(&self, expr: AffineExpr, known: &[(u32, AffineExpr)]) -> AffineExpr {
        let new = |atom| known.iter().find(|(known, _)| *known == atom);
        expr.replace_dims(self.ctx, |atom| new(atom).map(|&(_, expr)| expr))
    }

    /// The only expression of a bound of an operation, where the machine computes it without wrapping around.
    pub fn exact_bound(&mut self, op: OpId, bound: Bound) -> Option<AffineExpr> {
        let [Some(expr)] = self.map_exprs(op, bound.map, bound.operands)[..] else {
            return None;
        };
        let env = self.environment_at(op);
        self.fits(expr, env).then_some(expr)
    }

    /// A map with its operands that gives expressions at an operation; `None` where an affine operation there
    /// cannot name one of their atoms.
    pub fn map_at(&self, op: OpId, exprs: &[AffineExpr]) -> Option<(AffineMap, Vec<Value>)> {
        let (ctx, body) = (self.ctx, self.body);
        let (exprs, atoms) = self.compact(exprs);
        let scope = scope_of(body, op)?;
        let operands = atoms.into_iter().map(|atom| match atom {
            Atom::Value(value)
                if body.is_defined_before(value, op) && is_valid_dim(ctx, body, value, scope) =>
            {
                Some(value)
            }
            _ => None,
        });
        let operands: Vec<Value> = operands.collect::<Option<_>>()?;
        let map = ctx.affine_map(u32::try_from(operands.len()).ok()?, 0, &exprs);
        Some((map, operands))
    }
}
