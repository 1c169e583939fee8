//! Normal form of expressions over atoms, and maps of them.

use gridloom_dialects::affine::{Bound, is_valid_dim, scope_of};
use gridloom_ir::{AffineExpr, AffineMap, OpId, Value};

use super::{AffineValues, Atom};

impl AffineValues<'_> {
    /// An expression as the sum of multiples of its atoms in their order, if it is one: equal sums are then
    /// the same expression.
    pub fn linear(&self, expr: AffineExpr) -> AffineExpr {
        let ctx = self.ctx;
        let mut atoms = Vec::new();
        self.atoms_in(expr, &mut atoms);
        atoms.sort_unstable();
        let factors: Option<Vec<i64>> = (atoms.iter())
            .map(|&atom| self.coefficient(expr, atom))
            .collect();
        let zeros = vec![0; atoms.last().map_or(0, |&last| last as usize + 1)];
        let (Some(factors), Some(constant)) = (factors, expr.eval(ctx, &zeros, &[])) else {
            return expr;
        };
        let terms = atoms.iter().zip(factors).filter(|&(_, factor)| factor != 0);
        let sum = terms
            .map(|(&atom, factor)| ctx.affine_mul(ctx.affine_dim(atom), ctx.affine_const(factor)))
            .reduce(|sum, term| ctx.affine_add(sum, term));
        let constant = ctx.affine_const(constant);
        sum.map_or(constant, |sum| ctx.affine_add(sum, constant))
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
