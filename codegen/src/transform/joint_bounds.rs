//! Joint bounds: several bounds over common operands, so that their expressions can be combined.

use gridloom_dialects::affine::Bound;
use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::{AffineExpr, AffineMap, Context, Value};
use gridloom_rewrite::normal::normal_form;

/// Joint bounds: expressions of several bounds over common operands.
pub(super) struct JointBounds {
    /// Values of the dimensions.
    dims: Vec<Value>,
    /// Values of the symbols.
    symbols: Vec<Value>,
    /// The results of each bound.
    pub(super) exprs: Vec<Vec<AffineExpr>>,
}

impl JointBounds {
    /// Merges the operands of bounds: each becomes one dimension or symbol of all.
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

    /// The values of the dimensions, and those of the symbols.
    pub(super) fn inputs(&self) -> (&[Value], &[Value]) {
        (&self.dims, &self.symbols)
    }

    /// The difference of two expressions, without terms that cancel out.
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

    /// The map with these results, over all operands.
    pub(super) fn map(&self, ctx: &Context, results: &[AffineExpr]) -> AffineMap {
        ctx.affine_map(self.dims.len() as u32, self.symbols.len() as u32, results)
    }

    /// The dimension that stands for a value, if one does.
    pub(super) fn dim(&self, value: Value) -> Option<u32> {
        let place = self.dims.iter().position(|&dim| dim == value);
        place.map(|place| place as u32)
    }

    /// Substitutes an expression for a dimension.
    pub(super) fn with_dim(
        &self,
        ctx: &Context,
        expr: AffineExpr,
        dim: u32,
        with: AffineExpr,
    ) -> AffineExpr {
        let new = expr.replace_dims(ctx, |number| (number == dim).then_some(with));
        self.difference(ctx, new, ctx.affine_const(0))
    }

    /// The map with these results, over the operands that they use.
    pub(super) fn compact(&self, ctx: &Context, results: &[AffineExpr]) -> (AffineMap, Vec<Value>) {
        let [mut is_dim, mut is_symbol] =
            [self.dims.len(), self.symbols.len()].map(|count| vec![false; count]);
        for result in results {
            result.fold_parts(ctx, &mut |part, _| match part {
                AffineExprKind::Dim(number) => is_dim[number as usize] = true,
                AffineExprKind::Symbol(number) => is_symbol[number as usize] = true,
                _ => {}
            });
        }
        let (dims, dim_values) = used(&self.dims, &is_dim, |number| ctx.affine_dim(number));
        let (symbols, symbol_values) = used(&self.symbols, &is_symbol, |number| {
            ctx.affine_symbol(number)
        });
        let results: Vec<AffineExpr> = (results.iter())
            .map(|result| result.replace(ctx, &dims, &symbols))
            .collect();
        let counts = [dim_values.len() as u32, symbol_values.len() as u32];
        let map = ctx.affine_map(counts[0], counts[1], &results);
        (map, [dim_values, symbol_values].concat())
    }

    /// The operands: dimensions, then symbols.
    pub(super) fn operands(&self) -> Vec<Value> {
        [&self.dims[..], &self.symbols[..]].concat()
    }
}

/// Renumbering of the used inputs, by their old numbers, with their values.
fn used(
    values: &[Value],
    is_used: &[bool],
    name: impl Fn(u32) -> AffineExpr,
) -> (Vec<AffineExpr>, Vec<Value>) {
    let (mut names, mut kept) = (Vec::new(), Vec::new());
    for (&value, &is_used) in values.iter().zip(is_used) {
        // The name of an unused input is never read.
        names.push(name(kept.len() as u32));
        if is_used {
            kept.push(value);
        }
    }
    (names, kept)
}

/// The position of a value in a list, to which it is added if missing.
fn place(list: &mut Vec<Value>, value: Value) -> u32 {
    let known = list.iter().position(|&other| other == value);
    known.unwrap_or_else(|| {
        list.push(value);
        list.len() - 1
    }) as u32
}

/// The factor of a dimension in a sum; `None` where it stands in a quotient or product.
pub(crate) fn factor_of(ctx: &Context, expr: AffineExpr, dim: u32) -> Option<i64> {
    type Operands = Option<(Option<Term>, Option<Term>)>;
    let term = expr.fold_parts(ctx, &mut |part, operands: Operands| match part {
        AffineExprKind::Dim(number) => Some(Term {
            factor: i64::from(number == dim),
            constant: None,
        }),
        AffineExprKind::Constant(value) => Some(Term {
            factor: 0,
            constant: Some(value),
        }),
        AffineExprKind::Symbol(_) => Some(Term::default()),
        AffineExprKind::Binary(op, ..) => {
            let (l, r) = operands?;
            combined(op, l?, r?)
        }
    });
    term.map(|term| term.factor)
}

/// Part of a sum: the factor of the dimension, and whether the part is constant.
#[derive(Clone, Copy, Default)]
struct Term {
    factor: i64,
    constant: Option<i64>,
}

fn combined(op: AffineOp, l: Term, r: Term) -> Option<Term> {
    let factor = match op {
        AffineOp::Add => l.factor.checked_add(r.factor)?,
        AffineOp::Mul => match r.constant {
            Some(times) => l.factor.checked_mul(times)?,
            None if l.factor == 0 && r.factor == 0 => 0,
            None => return None,
        },
        _ if l.factor == 0 && r.factor == 0 => 0,
        _ => return None,
    };
    Some(Term {
        factor,
        constant: None,
    })
}
