//! Bound builder: expressions over values that come from several maps.

use gridloom_dialects::affine::Bound;
use gridloom_ir::affine::AffineOp;
use gridloom_ir::{AffineExpr, AffineMap, Context, IrMapping, Value};

/// Operands of an affine map under construction.
pub(super) struct Inputs<'c> {
    pub(super) ctx: &'c Context,
    dims: Vec<Value>,
    symbols: Vec<Value>,
}

impl<'c> Inputs<'c> {
    pub(super) fn new(ctx: &'c Context) -> Self {
        Inputs {
            ctx,
            dims: Vec::new(),
            symbols: Vec::new(),
        }
    }

    /// Adds a value as an operand, and returns its dimension.
    pub(super) fn dim(&mut self, value: Value) -> AffineExpr {
        self.dims.push(value);
        self.ctx.affine_dim(self.dims.len() as u32 - 1)
    }

    /// Adds a value as an operand, and returns its symbol.
    pub(super) fn symbol(&mut self, value: Value) -> AffineExpr {
        self.symbols.push(value);
        self.ctx.affine_symbol(self.symbols.len() as u32 - 1)
    }

    /// Imports the results of another map, with its operands renamed.
    pub(super) fn import(&mut self, bound: Bound, names: &IrMapping) -> Vec<AffineExpr> {
        let ctx = self.ctx;
        let data = bound.map.data(ctx);
        let (mut dims, mut symbols) = (Vec::new(), Vec::new());
        for (position, &operand) in bound.operands.iter().enumerate() {
            let operand = names.value(operand);
            if position < data.dims as usize {
                dims.push(self.dim(operand));
            } else {
                symbols.push(self.symbol(operand));
            }
        }
        let results = data.results.iter();
        results.map(|r| r.replace(ctx, &dims, &symbols)).collect()
    }

    /// The finished map of these results, with its operands.
    pub(super) fn finish(&self, results: &[AffineExpr]) -> (AffineMap, Vec<Value>) {
        let (dims, symbols) = (self.dims.len() as u32, self.symbols.len() as u32);
        let map = self.ctx.affine_map(dims, symbols, results);
        (map, [&self.dims[..], &self.symbols[..]].concat())
    }

    /// The expression `expr * factor`.
    pub(super) fn times(&self, expr: AffineExpr, factor: i64) -> AffineExpr {
        self.ctx.affine_mul(expr, self.ctx.affine_const(factor))
    }

    /// The expression `expr + offset`.
    pub(super) fn plus(&self, expr: AffineExpr, offset: i64) -> AffineExpr {
        self.ctx.affine_add(expr, self.ctx.affine_const(offset))
    }

    /// The counter after the last whole row of `row` iterations, in a loop from `low` to `end`.
    pub(super) fn behind_rows(
        &self,
        low: AffineExpr,
        end: AffineExpr,
        step: i64,
        row: i64,
    ) -> AffineExpr {
        let distance = self.ctx.affine_sub(end, low);
        let trips = self.by(AffineOp::CeilDiv, distance, step);
        let rows = self.by(AffineOp::FloorDiv, trips, row);
        self.ctx.affine_add(low, self.times(rows, row * step))
    }

    /// The quotient or remainder of an expression and a positive constant.
    pub(super) fn by(&self, op: AffineOp, expr: AffineExpr, divisor: i64) -> AffineExpr {
        let divisor = self.ctx.affine_const(divisor);
        self.ctx.affine_binary(op, expr, divisor)
    }
}
