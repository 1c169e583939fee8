//! Generation of affine expressions, with their ranges.

use super::{Generator, Role, ScalarVar};
use crate::affine::Expr;
use crate::program::{At, Var};
use crate::types::Scalar;

/// Interval with inclusive ends.
pub(super) type Range = (i128, i128);

impl Generator {
    /// Range of an expression's value.
    pub(super) fn range(&self, expr: &Expr) -> Range {
        match expr {
            Expr::Const(value) => (i128::from(*value), i128::from(*value)),
            Expr::Dim(var) | Expr::Sym(var) => {
                let known = self.scalars.iter().find(|known| known.var == *var);
                known.map_or((i64::MIN.into(), i64::MAX.into()), |known| {
                    (known.low.into(), known.high.into())
                })
            }
            Expr::Add(a, b) => {
                let (a, b) = (self.range(a), self.range(b));
                (a.0 + b.0, a.1 + b.1)
            }
            Expr::Mul(a, b) => {
                let (a, b) = (self.range(a), self.range(b));
                let ends = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
                (
                    ends.into_iter().min().unwrap_or(0),
                    ends.into_iter().max().unwrap_or(0),
                )
            }
            Expr::Mod(a, b) => {
                let (a, b) = (self.range(a), self.range(b));
                let high = (b.1 - 1).max(0);
                if a.0 >= 0 {
                    (0, high.min(a.1))
                } else {
                    (0, high)
                }
            }
            Expr::FloorDiv(a, b) | Expr::CeilDiv(a, b) => {
                let (a, b) = (self.range(a), self.range(b).0.max(1));
                let up = i128::from(matches!(expr, Expr::CeilDiv(..)));
                (a.0.div_euclid(b), a.1.div_euclid(b) + up)
            }
        }
    }

    /// Values in scope that may be affine operands and have a narrow range.
    fn leaves(&self) -> Vec<ScalarVar> {
        let usable = |known: &&ScalarVar| {
            known.ty == Scalar::Index
                && known.role != Role::Plain
                && i128::from(known.high) - i128::from(known.low) < 1 << 20
        };
        self.scalars.iter().filter(usable).cloned().collect()
    }

    /// Draws a leaf, recent values more likely.
    fn leaf(&mut self) -> Option<Expr> {
        let leaves = self.leaves();
        if leaves.is_empty() {
            return None;
        }
        let recent = leaves.len().saturating_sub(3);
        let chosen = if self.random.chance(75) {
            recent + self.random.below(leaves.len() - recent)
        } else {
            self.random.below(leaves.len())
        };
        Some(self.as_leaf(&leaves[chosen]))
    }

    fn as_leaf(&mut self, known: &ScalarVar) -> Expr {
        if known.role == Role::Symbol && self.random.chance(65) {
            Expr::Sym(known.var)
        } else {
            Expr::Dim(known.var)
        }
    }

    /// Draws any expression of the values in scope.
    pub(super) fn expr(&mut self, depth: usize) -> Expr {
        let Some(leaf) = self.leaf() else {
            return Expr::Const(self.random.between(-3, 9));
        };
        if depth == 0 {
            return leaf;
        }
        let inner = self.expr(depth - 1);
        let factor = self.random.between(-3, 4);
        let divisor = Box::new(Expr::Const(*self.random.pick(&[1, 2, 2, 3, 4, 5, 8])));
        match self.random.below(10) {
            0..3 => Expr::Add(Box::new(inner), Box::new(leaf)),
            3 => inner.times(factor),
            4 => inner.plus(factor),
            5 => Expr::Mod(Box::new(inner), divisor),
            6 => Expr::FloorDiv(Box::new(inner), divisor),
            7 => Expr::CeilDiv(Box::new(inner), divisor),
            8 => {
                let other = self.expr(depth - 1);
                let other = if self.random.chance(40) {
                    other.times(-1)
                } else {
                    other
                };
                Expr::Add(Box::new(inner), Box::new(other))
            }
            _ => inner,
        }
    }

    /// Draws a subscript for a dimension of at least `size` elements.
    pub(super) fn subscript(&mut self, size: i64) -> Expr {
        if size <= 0 || self.random.chance(6) {
            return Expr::Const(self.random.between(0, (size - 1).max(0)));
        }
        let expr = match self.random.below(10) {
            0..6 => self.expr(0),
            6 => self.expr(0).times(-1),
            7 => self.expr(1),
            _ => self.expr(2),
        };
        self.fitted(expr, size)
    }

    /// Shifts or folds an expression into `0..size`.
    pub(super) fn fitted(&mut self, expr: Expr, size: i64) -> Expr {
        if size <= 0 {
            return expr;
        }
        let (low, high) = self.range(&expr);
        let slack = i128::from(size) - 1 - (high - low);
        if slack >= 0 {
            // An expression in range mostly stays unchanged.
            let stays = low >= 0 && high < i128::from(size) && self.random.chance(70);
            let shift = self.random.between(0, slack as i64);
            return match i64::try_from(i128::from(shift) - low) {
                Ok(_) if stays => expr,
                Ok(constant) => expr.plus(constant),
                Err(_) => Expr::Const(shift),
            };
        }
        let bounded = i64::try_from(low).is_ok() && i64::try_from(high).is_ok();
        match self.random.below(3) {
            0 if bounded && (high - low) / i128::from(size) < 1 << 30 => {
                let by = ((high - low) / i128::from(size) + 1) as i64;
                let divided = Expr::FloorDiv(Box::new(expr), Box::new(Expr::Const(by)));
                let (low, high) = self.range(&divided);
                match i64::try_from(-low) {
                    Ok(shift) if high - low < i128::from(size) => divided.plus(shift),
                    _ => Expr::Mod(Box::new(divided), Box::new(Expr::Const(size))),
                }
            }
            // A bold choice: out of range unless bounds or conditions exclude it.
            1 if self.random.chance(12) => expr,
            _ => Expr::Mod(Box::new(expr), Box::new(Expr::Const(size))),
        }
    }

    /// Draws subscripts for a memref of these sizes.
    pub(super) fn place(&mut self, sizes: &[i64]) -> At {
        if self.random.chance(80) {
            return At::Affine(sizes.iter().map(|&size| self.subscript(size)).collect());
        }
        At::Plain(sizes.iter().map(|&size| self.plain_index(size)).collect())
    }

    /// Draws an index value in `0..size`, if there is one.
    pub(super) fn plain_index(&mut self, size: i64) -> Var {
        let fits =
            |known: &&ScalarVar| known.ty == Scalar::Index && known.low >= 0 && known.high < size;
        let fitting: Vec<Var> = self
            .scalars
            .iter()
            .filter(fits)
            .map(|known| known.var)
            .collect();
        if !fitting.is_empty() && self.random.chance(70) {
            return fitting[fitting.len() - 1 - self.random.below(fitting.len().min(3))];
        }
        if self.random.chance(50) {
            let expr = self.subscript(size);
            return self.apply(expr);
        }
        let value = self.random.between(0, (size - 1).max(0));
        self.index(value)
    }

    /// `affine.apply`
    pub(super) fn apply(&mut self, expr: Expr) -> Var {
        let (low, high) = self.range(&expr);
        let symbols = {
            let mut all = true;
            let mut expr = expr.clone();
            expr.uses(&mut |var| {
                let known = self.scalars.iter().find(|known| known.var == *var);
                all &= known.is_some_and(|known| known.role == Role::Symbol);
            });
            all
        };
        let var = self.scalar(crate::program::Op::Apply(expr), Scalar::Index);
        if let Some(known) = self.scalars.last_mut() {
            known.role = if symbols { Role::Symbol } else { Role::Dim };
        }
        let clamp = |value: i128| value.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
        self.bound(var, clamp(low), clamp(high));
        var
    }
}
