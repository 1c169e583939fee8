//! Memory layouts: the position of a memref's elements.

use crate::affine::{AffineExpr, AffineExprKind, AffineMap, AffineOp};
use crate::attr::{Attr, AttrKind};
use crate::context::Context;
use crate::types::{DYNAMIC, MemRefType, Type, TypeKind};

impl MemRefType {
    /// The strided form: offset and strides in elements, outermost first,
    /// [`DYNAMIC`] where the type does not say. Element `(i, j, …)` lies at
    /// `offset + i * strides[0] + j * strides[1] + …` of the buffer.
    ///
    /// No layout means row-major; a map of one linear result gives its
    /// coefficients; a permutation of the dimensions means row-major in the
    /// permuted order. `None` for any other map: the layout is not strided.
    pub fn strided_form(&self, ctx: &Context) -> Option<(i64, Vec<i64>)> {
        let Some(layout) = self.layout else {
            return Some((0, row_major(&self.shape)));
        };
        match layout.kind(ctx) {
            AttrKind::Strided { offset, strides } => Some((*offset, strides.to_vec())),
            AttrKind::Map(map) => match map.results(ctx) {
                [] => Some((0, Vec::new())),
                [result] => linear_form(ctx, *result, self.rank()),
                _ => permuted_form(ctx, *map, &self.shape),
            },
            _ => None,
        }
    }

    /// Whether the layout counts as strided for operations that demand a
    /// "strided memref": as [`MemRefType::strided_form`], but without
    /// permutations.
    pub fn is_strided(&self, ctx: &Context) -> bool {
        let map = self.layout.and_then(|layout| layout.as_map(ctx));
        match map {
            Some(map) if !map.is_identity(ctx) && map.results(ctx).len() != 1 => false,
            _ => self.strided_form(ctx).is_some(),
        }
    }

    /// The row-major type of the same elements that a `memref.cast` turns into this one: itself if
    /// it has no layout. `None` where the layout's offset or a stride is another than the row-major
    /// one and not dynamic, or where it is not strided.
    pub fn row_major_origin(&self, ctx: &Context) -> Option<Type> {
        let (offset, strides) = self.strided_form(ctx)?;
        let rows = row_major(&self.shape);
        let is_open = |(&stride, &row): (&i64, &i64)| stride == DYNAMIC || stride == row;
        let fits = matches!(offset, 0 | DYNAMIC) && strides.iter().zip(&rows).all(is_open);
        let mut plain = self.clone();
        plain.layout = None;
        fits.then(|| ctx.intern_type(TypeKind::MemRef(plain)))
    }

    /// The number of elements that the buffer must have for all indices to be
    /// in range, counted from its base; `None` if the type does not determine
    /// it.
    pub fn buffer_extent(&self, ctx: &Context) -> Option<i64> {
        let last = self.farthest(ctx, i64::max)?;
        last.map_or(Some(0), |last| last.checked_add(1))
    }

    /// The least position of an element in the buffer, counted from its base, which negative strides
    /// reach; 0 without elements, `None` if the type does not determine it.
    pub fn first_element(&self, ctx: &Context) -> Option<i64> {
        Some(self.farthest(ctx, i64::min)?.unwrap_or(0))
    }

    /// The position of the element that is farthest up ([`i64::max`]) or down ([`i64::min`]) in the buffer, `Some(None)`
    /// without elements; `None` if the type does not determine it.
    fn farthest(&self, ctx: &Context, way: fn(i64, i64) -> i64) -> Option<Option<i64>> {
        let (offset, strides) = self.strided_form(ctx)?;
        if self.shape.contains(&DYNAMIC) || strides.contains(&DYNAMIC) || offset == DYNAMIC {
            return None;
        }
        if self.shape.contains(&0) {
            return Some(None);
        }
        let mut steps = self.shape.iter().zip(&strides);
        let end = steps.try_fold(offset, |sum, (&extent, &stride)| {
            sum.checked_add((extent - 1).checked_mul(way(stride, 0))?)
        })?;
        Some(Some(end))
    }
}

impl Context {
    /// `strided<[…], offset: …>`, with [`DYNAMIC`] for `?`.
    pub fn strided_attr(&self, offset: i64, strides: &[i64]) -> Attr {
        self.intern_attr(AttrKind::Strided {
            offset,
            strides: strides.into(),
        })
    }
}

/// The strides of a contiguous row-major array of this shape.
pub fn row_major(shape: &[i64]) -> Vec<i64> {
    let mut strides = vec![1i64; shape.len()];
    for i in (1..shape.len()).rev() {
        strides[i - 1] = known_product(strides[i], shape[i]);
    }
    strides
}

/// `a * b`; [`DYNAMIC`] if a factor is dynamic or the product overflows.
fn known_product(a: i64, b: i64) -> i64 {
    if a == DYNAMIC || b == DYNAMIC {
        return DYNAMIC;
    }
    a.checked_mul(b).unwrap_or(DYNAMIC)
}

/// `a + b`; [`DYNAMIC`] if a term is dynamic or the sum overflows.
fn known_sum(a: i64, b: i64) -> i64 {
    if a == DYNAMIC || b == DYNAMIC {
        return DYNAMIC;
    }
    a.checked_add(b).unwrap_or(DYNAMIC)
}

/// The constant term and the coefficients of a linear expression; [`DYNAMIC`]
/// for symbolic ones.
fn linear_form(ctx: &Context, expr: AffineExpr, rank: usize) -> Option<(i64, Vec<i64>)> {
    let zero = || vec![0; rank];
    match expr.kind(ctx) {
        AffineExprKind::Constant(value) => Some((value, zero())),
        AffineExprKind::Dim(index) => {
            let mut strides = zero();
            *strides.get_mut(index as usize)? = 1;
            Some((0, strides))
        }
        AffineExprKind::Binary(AffineOp::Add, lhs, rhs) => {
            let (lhs, rhs) = (linear_form(ctx, lhs, rank)?, linear_form(ctx, rhs, rank)?);
            let strides = lhs.1.iter().zip(&rhs.1).map(|(&a, &b)| known_sum(a, b));
            Some((known_sum(lhs.0, rhs.0), strides.collect()))
        }
        AffineExprKind::Binary(AffineOp::Mul, lhs, rhs) => {
            let (offset, strides) = linear_form(ctx, lhs, rank)?;
            let factor = match rhs.as_constant(ctx) {
                Some(value) => value,
                None if rhs.is_symbolic_or_constant(ctx) => DYNAMIC,
                None => return None,
            };
            // Zero times a dynamic factor is zero.
            let scale = |value: i64| {
                if value == 0 {
                    0
                } else {
                    known_product(value, factor)
                }
            };
            Some((scale(offset), strides.into_iter().map(scale).collect()))
        }
        _ if expr.is_symbolic_or_constant(ctx) => Some((DYNAMIC, zero())),
        _ => None,
    }
}

fn permuted_form(ctx: &Context, map: AffineMap, shape: &[i64]) -> Option<(i64, Vec<i64>)> {
    let results = map.results(ctx);
    if results.len() != shape.len() {
        return None;
    }
    let mut order = Vec::with_capacity(shape.len());
    for result in results {
        match result.kind(ctx) {
            AffineExprKind::Dim(index) if !order.contains(&(index as usize)) => {
                order.push(index as usize);
            }
            _ => return None,
        }
    }
    let extents = order.iter().map(|&dim| shape.get(dim).copied());
    let permuted = row_major(&extents.collect::<Option<Vec<_>>>()?);
    let mut strides = vec![0; shape.len()];
    for (dim, stride) in order.into_iter().zip(permuted) {
        strides[dim] = stride;
    }
    Some((0, strides))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::FloatKind;

    fn form(ctx: &Context, shape: &[i64], results: &[AffineExpr]) -> Option<(i64, Vec<i64>)> {
        let map = ctx.affine_map(shape.len() as u32, 1, results);
        let memref = MemRefType {
            shape: shape.into(),
            element: ctx.float_type(FloatKind::F32),
            layout: Some(ctx.map_attr(map)),
            space: None,
        };
        memref.strided_form(ctx)
    }

    #[test]
    fn dense_strides_stop_at_unknown_extents() {
        assert_eq!(row_major(&[2, 3, 4]), [12, 4, 1]);
        assert_eq!(row_major(&[2, DYNAMIC, 4]), [DYNAMIC, 4, 1]);
        assert_eq!(row_major(&[]), [0i64; 0]);
    }

    #[test]
    fn maps_are_strided_when_linear_or_permutations() {
        let ctx = crate::test_dialect::context();
        let (i, j, s) = (ctx.affine_dim(0), ctx.affine_dim(1), ctx.affine_symbol(0));
        let ten = ctx.affine_const(10);
        let linear = ctx.affine_add(
            ctx.affine_add(ctx.affine_mul(i, ten), j),
            ctx.affine_const(3),
        );
        assert_eq!(form(&ctx, &[4, 8], &[linear]), Some((3, vec![10, 1])));
        let symbolic = ctx.affine_add(ctx.affine_mul(i, s), j);
        assert_eq!(
            form(&ctx, &[4, 8], &[symbolic]),
            Some((0, vec![DYNAMIC, 1]))
        );
        assert_eq!(form(&ctx, &[4, 8], &[j, i]), Some((0, vec![1, 4])));
        let tile = ctx.affine_binary(AffineOp::FloorDiv, i, ctx.affine_const(2));
        assert_eq!(form(&ctx, &[4, 8], &[tile]), None);
        assert_eq!(form(&ctx, &[4, 8], &[i, i]), None);
    }
}
