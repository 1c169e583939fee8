//! Compound element types, and their expansion to dimensions of scalars.

use gridloom_dialects::vector::VectorShape;
use gridloom_ir::affine::AffineOp;
use gridloom_ir::types::{DYNAMIC, MemRefType};
use gridloom_ir::{AffineExpr, AffineMap, Attr, AttrKind, Context, Type, TypeKind};

/// Kind of compound element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compound {
    /// Complex numbers, in memory and as values: each value becomes two.
    Complex,
    /// Integers of 65 to 128 bits, in memory and as values: each value becomes two of 64 bits, the lower half first.
    WideInteger,
    /// Vectors in memory; values of them stay.
    Vector,
}

impl Compound {
    /// The noun for such elements in messages.
    pub fn noun(self) -> &'static str {
        match self {
            Compound::Complex => "complex numbers",
            Compound::WideInteger => "integers of more than 64 bits",
            Compound::Vector => "vectors",
        }
    }

    /// The types of the two values that a value of this type becomes; `None` for types whose values stay one.
    pub fn parts(self, ctx: &Context, ty: Type) -> Option<[Type; 2]> {
        match self {
            Compound::Complex => part(ctx, ty).map(|part| [part; 2]),
            Compound::WideInteger => {
                let is_wide = ty.signless_width(ctx).is_some_and(is_wide);
                is_wide.then(|| [ctx.int_type(64); 2])
            }
            Compound::Vector => None,
        }
    }

    /// The dimensions and the scalar type of an element; `None` for one of another kind and for a
    /// vector of scalable length.
    pub fn dims(self, ctx: &Context, element: Type) -> Option<(Vec<i64>, Type)> {
        match self {
            Compound::Complex | Compound::WideInteger => {
                let [part, _] = self.parts(ctx, element)?;
                Some((vec![2], part))
            }
            Compound::Vector => {
                let vector = VectorShape::of(ctx, element)?;
                (!vector.is_scalable()).then(|| (vector.shape.to_vec(), vector.element))
            }
        }
    }

    /// Whether a type has compound elements in it.
    pub fn is_in(self, ctx: &Context, ty: Type) -> bool {
        let mut stack = vec![ty];
        while let Some(ty) = stack.pop() {
            match (self, ty.kind(ctx)) {
                (Compound::Complex, TypeKind::Complex(_)) => return true,
                (Compound::WideInteger, &TypeKind::Integer { width, .. }) => {
                    if is_wide(width) {
                        return true;
                    }
                }
                (Compound::Vector, TypeKind::MemRef(_) | TypeKind::UnrankedMemRef { .. })
                    if (ty.element(ctx))
                        .is_some_and(|element| VectorShape::of(ctx, element).is_some()) =>
                {
                    return true;
                }
                (_, TypeKind::Function { inputs, results }) => {
                    stack.extend(inputs.iter().chain(results));
                }
                (_, TypeKind::Tuple(items)) => stack.extend(items.iter()),
                _ => stack.extend(ty.element(ctx)),
            }
        }
        false
    }

    /// The type that replaces `ty`, whose values stay one. `None` where compound
    /// elements lie in a type without a counterpart, such as a tensor.
    pub fn expanded(self, ctx: &Context, ty: Type) -> Option<Type> {
        if !self.is_in(ctx, ty) {
            return Some(ty);
        }
        match ty.kind(ctx) {
            TypeKind::MemRef(memref) => self.expanded_memref(ctx, memref),
            TypeKind::Function { inputs, results } => {
                let inputs = self.expanded_list(ctx, inputs)?;
                Some(ctx.function_type(&inputs, &self.expanded_list(ctx, results)?))
            }
            _ => None,
        }
    }

    /// The types that replace a list of types, with two for each value that becomes two.
    pub fn expanded_list(self, ctx: &Context, types: &[Type]) -> Option<Vec<Type>> {
        let mut out = Vec::with_capacity(types.len());
        for &ty in types {
            match self.parts(ctx, ty) {
                Some(parts) => out.extend(parts),
                None => out.push(self.expanded(ctx, ty)?),
            }
        }
        Some(out)
    }

    /// Expands a memref type: `memref<AxBxelement, layout> ⇒ memref<AxBx..dims..xscalar, layout'>`.
    fn expanded_memref(self, ctx: &Context, memref: &MemRefType) -> Option<Type> {
        let Some((dims, scalar)) = self.dims(ctx, memref.element) else {
            let element = self.expanded(ctx, memref.element)?;
            if element == memref.element {
                return None;
            }
            let memref = memref.clone();
            return Some(ctx.intern_type(TypeKind::MemRef(MemRefType { element, ..memref })));
        };
        let layout = match memref.layout {
            Some(layout) => Some(expanded_layout(ctx, layout, &dims)?),
            None => None,
        };
        Some(ctx.intern_type(TypeKind::MemRef(MemRefType {
            shape: memref.shape.iter().copied().chain(dims).collect(),
            element: scalar,
            layout,
            space: memref.space,
        })))
    }
}

/// Whether integers of so many bits are lowered to two of 64.
fn is_wide(width: u32) -> bool {
    (65..=128).contains(&width)
}

/// The type of both parts of a complex type.
pub fn part(ctx: &Context, ty: Type) -> Option<Type> {
    match ty.kind(ctx) {
        TypeKind::Complex(part) => Some(*part),
        _ => None,
    }
}

/// Strides of a dense array, and the number of its elements; `None` where they exceed 63 bits.
pub(super) fn dense_strides(dims: &[i64]) -> Option<(Vec<i64>, i64)> {
    let mut strides = vec![0; dims.len()];
    let mut count = 1_i64;
    for (stride, &dim) in strides.iter_mut().zip(dims).rev() {
        *stride = count;
        count = count.checked_mul(dim)?;
    }
    Some((strides, count))
}

/// The layout in units of scalars.
fn expanded_layout(ctx: &Context, layout: Attr, dims: &[i64]) -> Option<Attr> {
    let (inner, count) = dense_strides(dims)?;
    let scaled = |number: i64| match number {
        DYNAMIC => Some(DYNAMIC),
        known => known.checked_mul(count),
    };
    match layout.kind(ctx) {
        AttrKind::Strided { offset, strides } => {
            let strides: Option<Vec<i64>> = strides.iter().map(|&stride| scaled(stride)).collect();
            Some(ctx.intern_attr(AttrKind::Strided {
                offset: scaled(*offset)?,
                strides: strides?.into_iter().chain(inner).collect(),
            }))
        }
        AttrKind::Map(map) => Some(ctx.map_attr(expanded_map(ctx, *map, &inner, count))),
        _ => None,
    }
}

/// Expands a layout map: `(i, j) -> (e) ⇒ (i, j, k) -> (count * e + k)` and
/// `(i, j) -> (e, f) ⇒ (i, j, k) -> (e, f, k)`; a map with one result gives the offset itself.
fn expanded_map(ctx: &Context, map: AffineMap, inner: &[i64], count: i64) -> AffineMap {
    let data = map.data(ctx);
    let new = (0..inner.len() as u32).map(|at| ctx.affine_dim(data.dims + at));
    let mut results = data.results.to_vec();
    match results[..] {
        [offset] => {
            let times = |expr: AffineExpr, by: i64| match by {
                1 => expr,
                _ => ctx.affine_binary(AffineOp::Mul, expr, ctx.affine_const(by)),
            };
            results[0] = (new.zip(inner)).fold(times(offset, count), |sum, (dim, &stride)| {
                ctx.affine_add(sum, times(dim, stride))
            });
        }
        _ => results.extend(new),
    }
    ctx.affine_map(data.dims + inner.len() as u32, data.symbols, &results)
}

/// Extends a map by one result for each index inside an element.
pub fn with_indices(ctx: &Context, map: AffineMap, inner: &[i64]) -> AffineMap {
    let data = map.data(ctx);
    let mut results = data.results.to_vec();
    results.extend(inner.iter().map(|&index| ctx.affine_const(index)));
    ctx.affine_map(data.dims, data.symbols, &results)
}
