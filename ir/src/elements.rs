//! Elements of dense attributes, unpacked to one attribute each and packed again.

use std::borrow::Cow;

use crate::attr::{Attr, AttrKind, DenseData, Int};
use crate::context::Context;
use crate::types::{DYNAMIC, Signedness, Type, TypeKind};

/// Returns extents and element type of a type whose elements an attribute can hold: vectors,
/// tensors, memrefs and the types that a dialect declares as [shaped](crate::text::symbols::SymbolDef::shaped). An unranked type has the only extent
/// [`DYNAMIC`].
pub fn elements_of(ctx: &Context, ty: Type) -> Option<(Cow<'_, [i64]>, Type)> {
    let shape = match ty.kind(ctx) {
        TypeKind::RankedTensor { shape, .. } | TypeKind::Vector { shape, .. } => &shape[..],
        TypeKind::MemRef(memref) => &memref.shape,
        TypeKind::UnrankedTensor { .. } | TypeKind::UnrankedMemRef { .. } => &[DYNAMIC],
        TypeKind::Parametric(payload) => {
            let (shape, element) = payload.shape(ctx, ty)?;
            return Some((shape.into(), element));
        }
        _ => return None,
    };
    Some((shape.into(), ty.element(ctx)?))
}

/// Bytes of one element in a dense attribute; `None` for types that have no
/// numeric elements.
pub fn element_bytes(ctx: &Context, element: Type) -> Option<usize> {
    match element.kind(ctx) {
        TypeKind::Integer { width, .. } => Some(width.div_ceil(8).max(1) as usize),
        TypeKind::Index => Some(8),
        TypeKind::Float(kind) => Some(kind.width().div_ceil(8) as usize),
        TypeKind::Complex(part) => element_bytes(ctx, *part).map(|n| 2 * n),
        _ => None,
    }
}

/// Decodes one element of a dense attribute: the number or float that these little-endian bytes
/// spell in this type; `None` for complex and other types.
pub fn element_attr(ctx: &Context, ty: Type, bytes: &[u8]) -> Option<Attr> {
    Some(match ty.kind(ctx) {
        TypeKind::Integer { width, signedness } => {
            // `true` is 1; a signed bit is 0 or -1.
            let signed = match signedness {
                Signedness::Signless => *width != 1,
                Signedness::Signed => true,
                Signedness::Unsigned => false,
            };
            let value = Int::from_le_bytes(bytes, *width, signed);
            ctx.intern_attr(AttrKind::Integer { ty, value })
        }
        TypeKind::Index => {
            let value = Int::from_le_bytes(bytes, 64, true);
            ctx.intern_attr(AttrKind::Integer { ty, value })
        }
        TypeKind::Float(_) => {
            let mut bits = [0; 16];
            let count = bytes.len().min(16);
            bits[..count].copy_from_slice(&bytes[..count]);
            let bits = u128::from_le_bytes(bits);
            ctx.intern_attr(AttrKind::Float { ty, bits })
        }
        _ => return None,
    })
}

impl Attr {
    /// The stored elements of a dense attribute of numbers: all of them in
    /// row-major order, or the one that every element equals. Empty for other
    /// attributes.
    pub fn stored_elements(self, ctx: &Context) -> Vec<Attr> {
        let AttrKind::Dense { ty, data } = self.kind(ctx) else {
            return Vec::new();
        };
        let (DenseData::Splat(bytes) | DenseData::Raw(bytes)) = data else {
            return Vec::new();
        };
        let Some((_, element)) = elements_of(ctx, *ty) else {
            return Vec::new();
        };
        let size = element_bytes(ctx, element).unwrap_or(1);
        bytes
            .chunks_exact(size)
            .filter_map(|chunk| element_attr(ctx, element, chunk))
            .collect()
    }
}

impl Context {
    /// `dense<[…]>` of integers: all elements of the vector or tensor type
    /// `ty` in row-major order.
    pub fn dense_ints_attr(&self, ty: Type, values: &[Int]) -> Attr {
        let element = ty.element(self);
        let size = element.and_then(|e| element_bytes(self, e)).unwrap_or(1);
        let data = match values {
            [first, rest @ ..] if rest.iter().all(|v| v == first) => {
                DenseData::Splat(first.to_le_bytes(size).into())
            }
            _ => DenseData::Raw(values.iter().flat_map(|v| v.to_le_bytes(size)).collect()),
        };
        self.intern_attr(AttrKind::Dense { ty, data })
    }
}
