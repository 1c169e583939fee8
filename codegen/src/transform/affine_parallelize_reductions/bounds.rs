//! Bounds under construction: expressions over values that come from several
//! maps.

use gridloom_dialects::affine::Bound;
use gridloom_ir::affine::AffineOp;
use gridloom_ir::{AffineExpr, AffineMap, Context, IrMapping, Value};

/// The inputs of a map that is being made.
pub(in crate::transform) struct Inputs<'c> {
    pub(in crate::transform) ctx: &'c Context,
    dims: Vec<Value>,
    symbols: Vec<Value>,
}

impl<'c> Inputs<'c> {
    pub(in crate::transform) fn new(ctx: &'c Context) -> Self {
        Inputs {
            ctx,
            dims: Vec::new(),
            symbols: Vec::new(),
        }
    }

    /// A value as a dimension.
    pub(in crate::transform) fn dim(&mut self, value: Value) -> AffineExpr {
        self.dims.push(value);
        self.ctx.affine_dim(self.dims.len() as u32 - 1)
    }

    /// The results of another map, with its operands renamed.
    pub(in crate::transform) fn import(
        &mut self,
        bound: Bound,
        names: &IrMapping,
    ) -> Vec<AffineExpr> {
        let ctx = self.ctx;
        let data = bound.map.data(ctx);
        let (mut dims, mut symbols) = (Vec::new(), Vec::new());
        for (position, &operand) in bound.operands.iter().enumerate() {
            let operand = names.value(operand);
            if position < data.dims as usize {
                dims.push(self.dim(operand));
            } else {
                self.symbols.push(operand);
                symbols.push(ctx.affine_symbol(self.symbols.len() as u32 - 1));
            }
        }
        let results = data.results.iter();
        results.map(|r| r.replace(ctx, &dims, &symbols)).collect()
    }

    /// The map with these results, and its operands.
    pub(in crate::transform) fn finish(&self, results: &[AffineExpr]) -> (AffineMap, Vec<Value>) {
        let (dims, symbols) = (self.dims.len() as u32, self.symbols.len() as u32);
        let map = self.ctx.affine_map(dims, symbols, results);
        (map, [&self.dims[..], &self.symbols[..]].concat())
    }

    /// `expr * factor`
    pub(in crate::transform) fn times(&self, expr: AffineExpr, factor: i64) -> AffineExpr {
        self.ctx.affine_mul(expr, self.ctx.affine_const(factor))
    }

    /// `expr + offset`
    pub(in crate::transform) fn plus(&self, expr: AffineExpr, offset: i64) -> AffineExpr {
        self.ctx.affine_add(expr, self.ctx.affine_const(offset))
    }

    /// The counter behind the whole rows of `row` iterations of a loop from `low` to `end`.
    pub(in crate::transform) fn behind_rows(
        &self,
        low: AffineExpr,
        end: AffineExpr,
        step: i64,
        row: i64,
    ) -> AffineExpr {
        let way = self.ctx.affine_sub(end, low);
        let trips = self.by(AffineOp::CeilDiv, way, step);
        let rows = self.by(AffineOp::FloorDiv, trips, row);
        self.ctx.affine_add(low, self.times(rows, row * step))
    }

    /// A quotient or remainder by a positive constant.
    pub(in crate::transform) fn by(
        &self,
        op: AffineOp,
        expr: AffineExpr,
        divisor: i64,
    ) -> AffineExpr {
        let divisor = self.ctx.affine_const(divisor);
        self.ctx.affine_binary(op, expr, divisor)
    }
}
