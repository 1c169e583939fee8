//! Joint bounds: several bounds over common operands, so that they can be computed with.

use gridloom_ir::dialect::affine::Bound;
use gridloom_ir::{AffineExpr, AffineMap, Context, Value};
use gridloom_rewrite::normal::normal_form;

/// Bounds over common operands.
pub(super) struct JointBounds {
    /// Values of the dimensions.
    dims: Vec<Value>,
    /// Values of the symbols.
    symbols: Vec<Value>,
    /// The results of each bound.
    pub(super) exprs: Vec<Vec<AffineExpr>>,
}

impl JointBounds {
    /// The bounds, each operand of which is one dimension or symbol of all.
    pub(super) fn of(ctx: &Context, bounds: &[Bound]) -> Self {
        let mut joint = JointBounds {
            dims: Vec::new(),
            symbols: Vec::new(),
            exprs: Vec::new(),
        };
        for bound in bounds {
            let (dims, symbols) = bound.operands.split_at(bound.map.num_dims(ctx));
            let dims: Vec<AffineExpr> = (dims.iter())
                .map(|&value| ctx.affine_dim(place(&mut joint.dims, value)))
                .collect();
            let symbols: Vec<AffineExpr> = (symbols.iter())
                .map(|&value| ctx.affine_symbol(place(&mut joint.symbols, value)))
                .collect();
            let results = bound.map.results(ctx).iter();
            let renamed = results.map(|result| result.replace(ctx, &dims, &symbols));
            joint.exprs.push(renamed.collect());
        }
        joint
    }

    /// The difference of two expressions, in which what cancels out is gone.
    pub(super) fn difference(
        &self,
        ctx: &Context,
        more: AffineExpr,
        less: AffineExpr,
    ) -> AffineExpr {
        let difference = ctx.affine_sub(more, less);
        normal_form(ctx, difference, self.dims.len(), self.symbols.len())
            .filter(|normal| normal.tree_size(ctx) < difference.tree_size(ctx))
            .unwrap_or(difference)
    }

    /// The map of these results.
    pub(super) fn map(&self, ctx: &Context, results: &[AffineExpr]) -> AffineMap {
        ctx.affine_map(self.dims.len() as u32, self.symbols.len() as u32, results)
    }

    /// The operands of its maps.
    pub(super) fn operands(&self) -> Vec<Value> {
        [&self.dims[..], &self.symbols[..]].concat()
    }
}

/// The place of a value in a list, to which it is added where it is not there.
fn place(list: &mut Vec<Value>, value: Value) -> u32 {
    let known = list.iter().position(|&other| other == value);
    known.unwrap_or_else(|| {
        list.push(value);
        list.len() - 1
    }) as u32
}
