//! Memref layouts as kernels address them: an offset and a stride for each
//! dimension.

use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::types::{DYNAMIC, MemRefType};
use gridloom_ir::{AffineExpr, AffineMap, AttrKind, Context};

/// Layout of the elements of a memref type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Layout {
    /// Packed, offset 0; the dimensions from outermost to innermost.
    Permuted(Vec<usize>),
    /// An offset and strides in elements, [`DYNAMIC`] where the type does not say.
    Strided { offset: i64, strides: Vec<i64> },
}

/// The layout of a memref type, or why kernels cannot address it.
pub(crate) fn of(ctx: &Context, ty: &MemRefType) -> Result<Layout, String> {
    let Some(attr) = ty.layout else {
        return Ok(Layout::Permuted((0..ty.rank()).collect()));
    };
    let layout = match attr.kind(ctx) {
        AttrKind::Strided { offset, strides } if strides.len() == ty.rank() => {
            Some(Layout::Strided {
                offset: *offset,
                strides: strides.to_vec(),
            })
        }
        AttrKind::Map(map) => permutation(ctx, *map, ty.rank()).or_else(|| linear(ctx, *map)),
        _ => None,
    };
    layout.ok_or_else(|| {
        "kernels support strided layouts and permutations of dimensions only: copy the memref to \
         one with such a layout first"
            .to_owned()
    })
}

/// The number of elements up to the last one, from the base; 0 where the type
/// does not say, or says too much to be true.
pub(crate) fn extent(ctx: &Context, ty: &MemRefType) -> u64 {
    let last = || match of(ctx, ty).ok()? {
        Layout::Permuted(_) => ty.num_elements()?.checked_sub(1),
        Layout::Strided { offset, strides } => {
            let mut last = (offset != DYNAMIC).then_some(offset)?;
            for (&size, stride) in ty.shape.iter().zip(strides) {
                if size == DYNAMIC || stride == DYNAMIC {
                    return None;
                }
                last = last.checked_add(size.checked_sub(1)?.checked_mul(stride)?)?;
            }
            Some(last)
        }
    };
    let count = last().and_then(|last| last.checked_add(1));
    if ty.shape.contains(&0) {
        return 0;
    }
    let sane = |count: &u64| *count <= 1 << 56;
    count
        .and_then(|n| u64::try_from(n).ok())
        .filter(sane)
        .unwrap_or(0)
}

/// `(d0, …) -> (d1, d0, …)`: every dimension once.
fn permutation(ctx: &Context, map: AffineMap, rank: usize) -> Option<Layout> {
    let mut order = Vec::with_capacity(rank);
    for expr in map.results(ctx) {
        match expr.kind(ctx) {
            AffineExprKind::Dim(dim) if !order.contains(&(dim as usize)) => {
                order.push(dim as usize);
            }
            _ => return None,
        }
    }
    (order.len() == rank).then_some(Layout::Permuted(order))
}

/// `(d0, …)[s…] -> (c0 * d0 + … + c)`; a symbol is a dynamic coefficient.
fn linear(ctx: &Context, map: AffineMap) -> Option<Layout> {
    let &[expr] = map.results(ctx) else {
        return None;
    };
    let mut sum = Sum {
        offset: Some(0),
        strides: vec![Some(0); map.num_dims(ctx)],
    };
    // Terms still to add; a list, since expressions nest as deep as the input likes.
    let mut pending = vec![expr];
    while let Some(expr) = pending.pop() {
        match expr.kind(ctx) {
            AffineExprKind::Binary(AffineOp::Add, lhs, rhs) => pending.extend([lhs, rhs]),
            _ => sum.add(ctx, expr)?,
        }
    }
    Some(Layout::Strided {
        offset: sum.offset.unwrap_or(DYNAMIC),
        strides: sum
            .strides
            .iter()
            .map(|stride| stride.unwrap_or(DYNAMIC))
            .collect(),
    })
}

/// Linear form: offset and strides in elements; `None` where one is dynamic.
struct Sum {
    offset: Option<i64>,
    strides: Vec<Option<i64>>,
}

impl Sum {
    /// Adds a term; `None` if it is not linear, or overflows.
    fn add(&mut self, ctx: &Context, term: AffineExpr) -> Option<()> {
        let (expr, factor) = match term.kind(ctx) {
            AffineExprKind::Binary(AffineOp::Mul, lhs, rhs) => (lhs, coefficient(ctx, rhs)?),
            _ => (term, Some(1)),
        };
        let (slot, amount) = match expr.kind(ctx) {
            AffineExprKind::Dim(dim) => (self.strides.get_mut(dim as usize)?, factor),
            AffineExprKind::Constant(value) => (&mut self.offset, checked_mul(factor, value)?),
            AffineExprKind::Symbol(_) => (&mut self.offset, None),
            AffineExprKind::Binary(..) => return None,
        };
        *slot = match (*slot, amount) {
            (Some(have), Some(more)) => Some(have.checked_add(more)?),
            _ => None,
        };
        Some(())
    }
}

/// A constant factor, `Some(None)` for a symbol.
fn coefficient(ctx: &Context, expr: AffineExpr) -> Option<Option<i64>> {
    match expr.kind(ctx) {
        AffineExprKind::Constant(value) => Some(Some(value)),
        AffineExprKind::Symbol(_) => Some(None),
        _ => None,
    }
}

fn checked_mul(factor: Option<i64>, value: i64) -> Option<Option<i64>> {
    match factor {
        Some(factor) => factor.checked_mul(value).map(Some),
        None => Some(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout_of(build: impl Fn(&Context) -> AffineMap) -> Result<Layout, String> {
        let ctx = gridloom_dialects::context();
        let map = build(&ctx);
        of(
            &ctx,
            &MemRefType {
                shape: Box::new([4, 8]),
                element: ctx.int_type(32),
                layout: Some(ctx.map_attr(map)),
                space: None,
            },
        )
    }

    #[test]
    fn permutations_and_linear_maps() {
        let transposed = layout_of(|ctx| {
            let (d0, d1) = (ctx.affine_dim(0), ctx.affine_dim(1));
            ctx.affine_map(2, 0, &[d1, d0])
        });
        assert_eq!(transposed, Ok(Layout::Permuted(vec![1, 0])));
        let padded = layout_of(|ctx| {
            let row = ctx.affine_mul(ctx.affine_dim(0), ctx.affine_const(10));
            let sum = ctx.affine_add(row, ctx.affine_dim(1));
            ctx.affine_map(2, 0, &[ctx.affine_add(sum, ctx.affine_const(3))])
        });
        let strided = |offset, strides: [i64; 2]| {
            let strides = strides.to_vec();
            Ok(Layout::Strided { offset, strides })
        };
        assert_eq!(padded, strided(3, [10, 1]));
        let dynamic = layout_of(|ctx| {
            let row = ctx.affine_mul(ctx.affine_dim(0), ctx.affine_symbol(0));
            let sum = ctx.affine_add(row, ctx.affine_dim(1));
            ctx.affine_map(2, 2, &[ctx.affine_add(sum, ctx.affine_symbol(1))])
        });
        assert_eq!(dynamic, strided(DYNAMIC, [DYNAMIC, 1]));
    }

    #[test]
    fn the_extent_ends_at_the_last_element() {
        let ctx = gridloom_dialects::context();
        let of = |shape: &[i64], layout| {
            let ty = MemRefType {
                shape: shape.into(),
                element: ctx.int_type(32),
                layout,
                space: None,
            };
            extent(&ctx, &ty)
        };
        assert_eq!(of(&[3, 5], None), 15);
        assert_eq!(of(&[], None), 1);
        assert_eq!(of(&[DYNAMIC], None), 0);
        assert_eq!(of(&[0, 5], None), 0);
        let padded = ctx.intern_attr(AttrKind::Strided {
            offset: 7,
            strides: Box::new([10, 1]),
        });
        assert_eq!(of(&[3, 5], Some(padded)), 7 + 20 + 4 + 1);
    }

    #[test]
    fn tiled_layouts_are_refused() {
        let tiled = layout_of(|ctx| {
            let d0 = ctx.affine_dim(0);
            let tile = ctx.affine_binary(AffineOp::FloorDiv, d0, ctx.affine_const(2));
            ctx.affine_map(2, 0, &[tile, ctx.affine_dim(1)])
        });
        assert!(tiled.is_err_and(|why| why.contains("copy the memref")));
    }
}
