//! Printer of affine expressions, maps and integer sets.

use super::printer::OpPrinter;
use crate::affine::{AffineExpr, AffineExprKind, AffineMap, AffineOp, IntegerSet};
use crate::attr::{Attr, AttrKind};
use crate::body::Value;

/// Names of dimensions and symbols.
#[derive(Clone, Copy)]
pub(crate) enum Leaves<'a> {
    /// `d0`, `s0`
    Letters,
    /// Values: dimensions, then symbols from index `dims`. The flag says whether symbols are
    /// spelled `symbol(%s)`.
    Values {
        operands: &'a [Value],
        dims: usize,
        mark_symbols: bool,
    },
}

impl OpPrinter<'_> {
    /// Prints a map or set attribute in full.
    pub(crate) fn map_or_set(&mut self, attr: Attr) {
        match attr.kind(self.ctx) {
            AttrKind::Map(map) => {
                self.out.push_str("affine_map<");
                self.affine_map(*map);
                self.out.push('>');
            }
            AttrKind::Set(set) => {
                self.out.push_str("affine_set<");
                self.integer_set(*set);
                self.out.push('>');
            }
            _ => {}
        }
    }

    /// Prints `(d0)[s0] -> (…)` without `affine_map<` around it.
    pub fn affine_map(&mut self, map: AffineMap) {
        let data = map.data(self.ctx);
        self.dims_and_symbols(data.dims, data.symbols);
        self.out.push_str(" -> (");
        self.separated(&data.results, |p, &e| p.affine_expr(e, Leaves::Letters));
        self.out.push(')');
    }

    fn integer_set(&mut self, set: IntegerSet) {
        let data = set.data(self.ctx);
        self.dims_and_symbols(data.dims, data.symbols);
        self.out.push_str(" : (");
        self.separated(&data.constraints, |p, constraint| {
            p.affine_expr(constraint.expr, Leaves::Letters);
            let sign = if constraint.is_eq { " == 0" } else { " >= 0" };
            p.out.push_str(sign);
        });
        self.out.push(')');
    }

    fn dims_and_symbols(&mut self, dims: u32, symbols: u32) {
        self.out.push('(');
        self.letters('d', dims);
        self.out.push(')');
        if symbols > 0 {
            self.out.push('[');
            self.letters('s', symbols);
            self.out.push(']');
        }
    }

    fn letters(&mut self, letter: char, count: u32) {
        for index in 0..count {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.out.push(letter);
            self.number(index.into());
        }
    }

    /// Prints an expression. Recurses as deep as it is nested, which the parser bounds.
    pub(crate) fn affine_expr(&mut self, expr: AffineExpr, leaves: Leaves<'_>) {
        self.affine_expr_in(expr, leaves, false);
    }

    /// Prints an expression; with `tight` as the operand of a product: sums get parentheses, and so
    /// do products, as the grammar reads left to right.
    fn affine_expr_in(&mut self, expr: AffineExpr, leaves: Leaves<'_>, tight: bool) {
        match expr.kind(self.ctx) {
            AffineExprKind::Dim(index) => self.affine_leaf(leaves, false, index),
            AffineExprKind::Symbol(index) => self.affine_leaf(leaves, true, index),
            AffineExprKind::Constant(i64::MIN) => self.least_constant(tight),
            AffineExprKind::Constant(value) => self.number(value),
            AffineExprKind::Binary(op, lhs, rhs) => {
                if tight {
                    self.out.push('(');
                }
                if op == AffineOp::Add {
                    self.affine_sum(lhs, rhs, leaves);
                } else {
                    self.affine_product(op, lhs, rhs, leaves);
                }
                if tight {
                    self.out.push(')');
                }
            }
        }
    }

    /// Prints -2^63 as an expression: the grammar refuses its digits alone as too large.
    fn least_constant(&mut self, tight: bool) {
        let text = "-9223372036854775807 - 1";
        if tight {
            self.out.push('(');
        }
        self.out.push_str(text);
        if tight {
            self.out.push(')');
        }
    }

    fn affine_leaf(&mut self, leaves: Leaves<'_>, symbol: bool, index: u32) {
        match leaves {
            Leaves::Letters => {
                self.out.push(if symbol { 's' } else { 'd' });
                self.number(index.into());
            }
            Leaves::Values {
                operands,
                dims,
                mark_symbols,
            } => {
                let at = index as usize + if symbol { dims } else { 0 };
                let marked = symbol && mark_symbols;
                if marked {
                    self.out.push_str("symbol(");
                }
                if let Some(&value) = operands.get(at) {
                    self.value(value);
                }
                if marked {
                    self.out.push(')');
                }
            }
        }
    }

    fn affine_product(
        &mut self,
        op: AffineOp,
        lhs: AffineExpr,
        rhs: AffineExpr,
        leaves: Leaves<'_>,
    ) {
        if op == AffineOp::Mul && rhs.as_constant(self.ctx) == Some(-1) {
            self.out.push('-');
            self.affine_expr_in(lhs, leaves, true);
            return;
        }
        self.affine_expr_in(lhs, leaves, true);
        self.out.push(' ');
        self.out.push_str(op.spelling());
        self.out.push(' ');
        self.affine_expr_in(rhs, leaves, true);
    }

    /// Prints `a + b`, with a negative right side as a difference.
    fn affine_sum(&mut self, lhs: AffineExpr, rhs: AffineExpr, leaves: Leaves<'_>) {
        self.affine_expr_in(lhs, leaves, false);
        if let AffineExprKind::Binary(AffineOp::Mul, e, factor) = rhs.kind(self.ctx)
            && let Some(factor) = factor.as_constant(self.ctx)
            && factor < 0
            && factor != i64::MIN
        {
            self.out.push_str(" - ");
            // A sum under the minus needs its parentheses.
            if factor == -1 {
                self.affine_expr_in(e, leaves, self.is_sum(e));
            } else {
                self.affine_expr_in(e, leaves, true);
                self.out.push_str(" * ");
                self.number(-factor);
            }
            return;
        }
        if let Some(value) = rhs.as_constant(self.ctx)
            && value < 0
        {
            self.out.push_str(" - ");
            match value {
                i64::MIN => self.out.push_str("9223372036854775807 - 1"),
                value => self.number(-value),
            }
            return;
        }
        self.out.push_str(" + ");
        self.affine_expr_in(rhs, leaves, false);
    }

    fn is_sum(&self, expr: AffineExpr) -> bool {
        matches!(
            expr.kind(self.ctx),
            AffineExprKind::Binary(AffineOp::Add, ..)
        )
    }
}
