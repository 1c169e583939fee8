//! Normal types: the row-major array that the results of a layout map index.
//!
//! The extent of a dimension is one more than the greatest value of its result, where each index is
//! below its extent:
//!
//! ```text
//! most(d) = extent_d - 1      most(a + b) = most(a) + most(b)      most(a * c) = most(a) * c
//! most(a floordiv c) = most(a) floordiv c                          most(a mod c) = c - 1
//! ```

use gridloom_dialects::affine::{ApplyOp, MaxOp};
use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::types::{DYNAMIC, MemRefType};
use gridloom_ir::{AffineExpr, Builder, Context, Type, TypeKind, Value};

use super::{is_dim, layout_map};
use crate::versions::footprint::interval;

/// Normal type of a memref with a layout.
#[derive(Clone)]
pub(super) struct Normal {
    /// The original type.
    pub(super) old: MemRefType,
    /// The type without a layout.
    pub(super) ty: Type,
    /// Dimensions of the old type.
    pub(super) rank: usize,
    /// The indices of the new type, over those of the old one.
    pub(super) exprs: Vec<AffineExpr>,
    /// Dynamic extents: for each `?` of the new type, its extent over the old extents, each of
    /// which is a symbol.
    open: Vec<AffineExpr>,
}

/// Limit of the elements of a normal type, beyond any memory.
const MAX_ELEMENTS: i128 = 1 << 45;

/// The normal type of a memref type with a layout, or the reason why it has none.
pub(super) fn normal_type(ctx: &Context, ty: Type) -> Result<Normal, &'static str> {
    let no_map = "its layout is neither an affine map without symbols nor strided with a static offset \
         and strides";
    let old = ty.memref(ctx).ok_or(no_map)?.clone();
    let layout = old.layout.ok_or("it has no layout")?;
    let exprs = layout_map(ctx, layout, old.rank()).ok_or(no_map)?;
    let (mut shape, mut open) = (Vec::new(), Vec::new());
    let mut elements = 1i128;
    for &expr in &exprs {
        let extent = match old.has_static_shape() {
            true => static_extent(ctx, expr, &old.shape)?,
            false => match most(ctx, expr, &old.shape, 0)? {
                Most::Known(most) => most.checked_add(1).ok_or(TOO_LARGE)?,
                Most::Open(most) => {
                    open.push(ctx.affine_add(most, ctx.affine_const(1)));
                    DYNAMIC
                }
            },
        };
        if extent != DYNAMIC {
            elements = elements.saturating_mul(i128::from(extent));
        }
        shape.push(extent);
    }
    if elements > MAX_ELEMENTS {
        return Err(TOO_LARGE);
    }
    let rank = old.rank();
    let ty = ctx.intern_type(TypeKind::MemRef(MemRefType {
        shape: shape.into(),
        layout: None,
        ..old.clone()
    }));
    Ok(Normal {
        old,
        ty,
        rank,
        exprs,
        open,
    })
}

const TOO_LARGE: &str = "the memory that its layout takes is too large";
const NEGATIVE: &str = "a result of its layout may be negative";

fn static_extent(ctx: &Context, expr: AffineExpr, shape: &[i64]) -> Result<i64, &'static str> {
    let (least, most) = interval(ctx, expr, shape, 0).ok_or(NEGATIVE)?;
    if least < 0 {
        return Err(NEGATIVE);
    }
    i64::try_from(most + 1).map_err(|_| TOO_LARGE)
}

/// Upper bound of an expression.
#[derive(Clone, Copy)]
enum Most {
    Known(i64),
    /// Expression over the extents of the memref, each of which is a symbol.
    Open(AffineExpr),
}

/// Depth limit of layout expressions; deeper ones have no upper bound.
const MAX_DEPTH: usize = 100;

/// Upper bound of an expression that is never negative and does not fall where an index grows.
fn most(
    ctx: &Context,
    expr: AffineExpr,
    shape: &[i64],
    depth: usize,
) -> Result<Most, &'static str> {
    let AffineExprKind::Binary(op, left, right) = expr.kind(ctx) else {
        return match expr.kind(ctx) {
            AffineExprKind::Constant(value) if value >= 0 => Ok(Most::Known(value)),
            AffineExprKind::Dim(dim) => match shape.get(dim as usize) {
                Some(&DYNAMIC) => {
                    let last = ctx.affine_add(ctx.affine_symbol(dim), ctx.affine_const(-1));
                    Ok(Most::Open(last))
                }
                Some(&extent) => Ok(Most::Known((extent - 1).max(0))),
                None => Err(NEGATIVE),
            },
            _ => Err(NEGATIVE),
        };
    };
    if depth > MAX_DEPTH {
        return Err(NEGATIVE);
    }
    let left = most(ctx, left, shape, depth + 1)?;
    let as_expr = |most: Most| match most {
        Most::Known(value) => ctx.affine_const(value),
        Most::Open(expr) => expr,
    };
    if op == AffineOp::Add {
        let right = most(ctx, right, shape, depth + 1)?;
        return match (left, right) {
            (Most::Known(l), Most::Known(r)) => l.checked_add(r).map(Most::Known).ok_or(TOO_LARGE),
            _ => Ok(Most::Open(ctx.affine_add(as_expr(left), as_expr(right)))),
        };
    }
    let factor = right.as_constant(ctx).filter(|&factor| factor >= 0);
    let factor = factor.ok_or(NEGATIVE)?;
    if op == AffineOp::Mod {
        return match factor {
            0 => Err(NEGATIVE),
            // A remainder is not monotonic, but its bound holds for all values.
            _ => Ok(Most::Known(factor - 1)),
        };
    }
    match left {
        Most::Open(left) => Ok(Most::Open(ctx.affine_binary(op, left, right))),
        Most::Known(left) => op.fold(left, factor).map(Most::Known).ok_or(TOO_LARGE),
    }
}

impl Normal {
    /// Emits the dynamic extents of the new type from those of the old one.
    pub(super) fn open_extents(&self, b: &mut Builder, sizes: &[Value]) -> Vec<Value> {
        let ctx = b.ctx;
        let mut sizes = sizes.iter();
        let mut values = Vec::new();
        let symbols: Vec<AffineExpr> = (self.old.shape.iter())
            .map(|&extent| match extent {
                DYNAMIC => {
                    values.extend(sizes.next());
                    ctx.affine_dim(values.len() as u32 - 1)
                }
                extent => ctx.affine_const(extent),
            })
            .collect();
        let count = values.len() as u32;
        let mut new = Vec::new();
        for open in &self.open {
            let extent = open.replace(ctx, &[], &symbols);
            if let (true, AffineExprKind::Dim(number)) = (is_dim(ctx, extent), extent.kind(ctx)) {
                new.push(values[number as usize]);
                continue;
            }
            let extent = ApplyOp::create(b, ctx.affine_map(count, 0, &[extent]), &values);
            // For an empty memref the sum of the remaining terms may be negative.
            let least = [ctx.affine_dim(0), ctx.affine_const(0)];
            new.push(MaxOp::create(b, ctx.affine_map(1, 0, &least), &[extent]));
        }
        new
    }
}
