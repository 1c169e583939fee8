//! Types of parts: what stands for a type that has complex numbers in it.

use gridloom_ir::affine::AffineOp;
use gridloom_ir::types::{DYNAMIC, MemRefType};
use gridloom_ir::{AffineMap, Attr, AttrKind, Context, Type, TypeKind};

/// The type of both parts of a complex type.
pub(super) fn part(ctx: &Context, ty: Type) -> Option<Type> {
    match ty.kind(ctx) {
        TypeKind::Complex(part) => Some(*part),
        _ => None,
    }
}

/// Whether a type has complex numbers in it.
pub fn has_complex(ctx: &Context, ty: Type) -> bool {
    let mut stack = vec![ty];
    while let Some(ty) = stack.pop() {
        match ty.kind(ctx) {
            TypeKind::Complex(_) => return true,
            TypeKind::Function { inputs, results } => {
                stack.extend(inputs.iter().chain(results));
            }
            TypeKind::Tuple(items) => stack.extend(items.iter()),
            _ => stack.extend(ty.element(ctx)),
        }
    }
    false
}

/// The types that stand for `ty`: two for a complex number, one for any other type. `None` where a
/// complex type lies in one that has no counterpart, such as a tensor.
pub(super) fn expand(ctx: &Context, ty: Type, out: &mut Vec<Type>) -> Option<()> {
    match part(ctx, ty) {
        Some(part) => out.extend([part, part]),
        None => out.push(type_of_parts(ctx, ty)?),
    }
    Some(())
}

/// The list of types that stands for a list.
pub(super) fn expand_all(ctx: &Context, types: &[Type]) -> Option<Vec<Type>> {
    let mut out = Vec::with_capacity(types.len());
    types.iter().try_for_each(|&ty| expand(ctx, ty, &mut out))?;
    Some(out)
}

/// The one type that stands for a type other than a complex number.
pub fn type_of_parts(ctx: &Context, ty: Type) -> Option<Type> {
    if !has_complex(ctx, ty) {
        return Some(ty);
    }
    match ty.kind(ctx) {
        TypeKind::MemRef(memref) => memref_of_parts(ctx, memref),
        TypeKind::Function { inputs, results } => {
            Some(ctx.function_type(&expand_all(ctx, inputs)?, &expand_all(ctx, results)?))
        }
        _ => None,
    }
}

/// `memref<AxBxcomplex<T>, layout> ⇒ memref<AxBx2xT, layout'>`: the part is the innermost dimension.
fn memref_of_parts(ctx: &Context, memref: &MemRefType) -> Option<Type> {
    let Some(part) = part(ctx, memref.element) else {
        let element = type_of_parts(ctx, memref.element)?;
        let memref = memref.clone();
        return Some(ctx.intern_type(TypeKind::MemRef(MemRefType { element, ..memref })));
    };
    let layout = match memref.layout {
        Some(layout) => Some(layout_of_parts(ctx, layout)?),
        None => None,
    };
    Some(ctx.intern_type(TypeKind::MemRef(MemRefType {
        shape: memref.shape.iter().copied().chain([2]).collect(),
        element: part,
        layout,
        space: memref.space,
    })))
}

/// The layout in units of parts.
fn layout_of_parts(ctx: &Context, layout: Attr) -> Option<Attr> {
    let twice = |number: i64| match number {
        DYNAMIC => Some(DYNAMIC),
        known => known.checked_mul(2),
    };
    match layout.kind(ctx) {
        AttrKind::Strided { offset, strides } => {
            let strides: Option<Vec<i64>> = strides.iter().map(|&stride| twice(stride)).collect();
            let strides = strides?.into_iter().chain([1]).collect();
            Some(ctx.intern_attr(AttrKind::Strided {
                offset: twice(*offset)?,
                strides,
            }))
        }
        AttrKind::Map(map) => Some(ctx.map_attr(layout_map(ctx, *map))),
        _ => None,
    }
}

/// `(i, j) -> (e) ⇒ (i, j, k) -> (2 * e + k)` and `(i, j) -> (e, f) ⇒ (i, j, k) -> (e, f, k)`: a map
/// to one result gives the offset itself.
fn layout_map(ctx: &Context, map: AffineMap) -> AffineMap {
    let data = map.data(ctx);
    let part = ctx.affine_dim(data.dims);
    let mut results = data.results.to_vec();
    match results[..] {
        [offset] => {
            let twice = ctx.affine_binary(AffineOp::Mul, offset, ctx.affine_const(2));
            results[0] = ctx.affine_add(twice, part);
        }
        _ => results.push(part),
    }
    ctx.affine_map(data.dims + 1, data.symbols, &results)
}

/// The map with one more result, the index `part`.
pub(super) fn with_part(ctx: &Context, map: AffineMap, part: i64) -> AffineMap {
    let data = map.data(ctx);
    let mut results = data.results.to_vec();
    results.push(ctx.affine_const(part));
    ctx.affine_map(data.dims, data.symbols, &results)
}
