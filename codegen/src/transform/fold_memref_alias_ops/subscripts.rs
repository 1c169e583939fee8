//! Subscripts: the indices of an access as expressions over operands, rewritten view by view.

use std::borrow::Cow;

use gridloom_dialects::affine::{is_valid_dim, is_valid_symbol, scope_of};
use gridloom_dialects::arith;
use gridloom_dialects::memref::DimOp;
use gridloom_ir::{AffineExpr, AffineMap, Body, Builder, Context, RegionId, Value};

use super::{Lanes, Site};
use crate::transform::affine_scope::{is_affine, is_top_level};

/// Refusal to fold an access, as text for a remark.
pub(super) type Refusal = Cow<'static, str>;

/// Operand of subscripts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Operand {
    Value(Value),
    /// The extent of a memref along a dimension.
    Extent(Value, usize),
}

/// Subscripts of an access: expressions over operands, with the indices along which the lanes of a
/// vector go.
#[derive(Clone)]
pub(super) struct Subscripts {
    /// Subscripts, one for each dimension of the memory.
    pub(super) exprs: Vec<AffineExpr>,
    /// The index along which each dimension of the vector goes.
    pub(super) lanes: Vec<Option<usize>>,
    dims: Vec<Operand>,
    symbols: Vec<Operand>,
}

impl Subscripts {
    /// Subscripts that are the results of a map.
    pub(super) fn of_map(
        ctx: &Context,
        map: AffineMap,
        operands: &[Value],
        lanes: Vec<Option<usize>>,
    ) -> Self {
        let (dims, symbols) = operands.split_at(map.num_dims(ctx).min(operands.len()));
        let named = |values: &[Value]| values.iter().map(|&value| Operand::Value(value)).collect();
        Subscripts {
            exprs: map.results(ctx).to_vec(),
            lanes,
            dims: named(dims),
            symbols: named(symbols),
        }
    }

    /// Subscripts that are values.
    pub(super) fn of_values(
        ctx: &Context,
        body: &Body,
        scope: RegionId,
        indices: &[Value],
        lanes: Vec<Option<usize>>,
    ) -> Self {
        let mut all = Subscripts {
            exprs: Vec::new(),
            lanes,
            dims: Vec::new(),
            symbols: Vec::new(),
        };
        for &index in indices {
            let expr = all.name(ctx, body, scope, index);
            all.exprs.push(expr);
        }
        all
    }

    /// The expression of a value: a constant, a symbol where it may be one, or a dimension.
    pub(super) fn name(
        &mut self,
        ctx: &Context,
        body: &Body,
        scope: RegionId,
        value: Value,
    ) -> AffineExpr {
        if let Some(number) = arith::constant_int(ctx, body, value) {
            return ctx.affine_const(number);
        }
        let is_symbol = is_valid_symbol(ctx, body, value, scope);
        self.operand(ctx, Operand::Value(value), is_symbol)
    }

    /// The expression of a memref's dynamic extent.
    pub(super) fn extent(
        &mut self,
        ctx: &Context,
        body: &Body,
        memref: Value,
        dim: usize,
    ) -> AffineExpr {
        let is_symbol = is_top_level(body, memref);
        self.operand(ctx, Operand::Extent(memref, dim), is_symbol)
    }

    fn operand(&mut self, ctx: &Context, operand: Operand, is_symbol: bool) -> AffineExpr {
        let list = if is_symbol {
            &mut self.symbols
        } else {
            &mut self.dims
        };
        let known = list.iter().position(|&other| other == operand);
        let number = known.unwrap_or_else(|| {
            list.push(operand);
            list.len() - 1
        }) as u32;
        match is_symbol {
            true => ctx.affine_symbol(number),
            false => ctx.affine_dim(number),
        }
    }

    /// Checks that the access permits these subscripts.
    pub(super) fn check(&self, ctx: &Context, body: &Body, site: &Site) -> Result<(), Refusal> {
        if let Lanes::Trailing(count) = site.lanes {
            let first = self.exprs.len().checked_sub(count);
            let trailing = first.map(|first| (first..self.exprs.len()).map(Some));
            if !trailing.is_some_and(|trailing| trailing.eq(self.lanes.iter().copied())) {
                return Err(
                    "its vector does not lie along the last dimensions of the memory".into(),
                );
            }
        }
        if !site.is_affine {
            return Ok(());
        }
        let scope = scope_of(body, site.op).ok_or("it is not inside a function")?;
        for operand in &self.dims {
            let is_dim = match *operand {
                Operand::Value(value) => is_valid_dim(ctx, body, value, scope),
                Operand::Extent(..) => false,
            };
            if !is_dim {
                return Err(
                    "an offset, size or stride of the view is not valid as an affine dimension \
                     or symbol"
                        .into(),
                );
            }
        }
        match self.exprs.iter().all(|&expr| is_affine(ctx, expr)) {
            true => Ok(()),
            false => Err("an index of the memory would not be affine".into()),
        }
    }

    /// The subscripts as a map with its operands.
    pub(super) fn form(&self, b: &mut Builder) -> (AffineMap, Vec<Value>) {
        let mut operands = Vec::new();
        for operand in self.dims.iter().chain(&self.symbols) {
            operands.push(match *operand {
                Operand::Value(value) => value,
                Operand::Extent(memref, dim) => {
                    let dim = b.index_constant(dim as i64);
                    DimOp::create(b, memref, dim)
                }
            });
        }
        let counts = [self.dims.len() as u32, self.symbols.len() as u32];
        (
            b.ctx.affine_map(counts[0], counts[1], &self.exprs),
            operands,
        )
    }

    /// The permutation map of a transfer.
    pub(super) fn permutation(&self, ctx: &Context) -> AffineMap {
        let lane = |lane: &Option<usize>| match *lane {
            Some(dim) => ctx.affine_dim(dim as u32),
            None => ctx.affine_const(0),
        };
        let results: Vec<AffineExpr> = self.lanes.iter().map(lane).collect();
        ctx.affine_map(self.exprs.len() as u32, 0, &results)
    }
}
