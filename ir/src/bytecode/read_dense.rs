//! Decodes attributes with many elements: dense, sparse, arrays.

use std::borrow::Cow;

use super::decode::{Cursor, Read, fail};
use super::tables::Tables;
use crate::attr::{Attr, AttrKind, DenseData};
use crate::elements::{element_bytes, elements_of};
use crate::types::{DYNAMIC, Type, TypeKind};

/// The parts of a dense attribute's type.
struct Elements {
    ty: Type,
    element: Type,
    count: usize,
}

impl<'a> Tables<'a> {
    /// Decodes the type of elements, which must have a static shape.
    fn elements_type(&mut self, data: &mut Cursor<'a>) -> Read<Elements> {
        let place = data.offset();
        let ty = self.ty(data)?;
        let Some((shape, element)) = elements_of(self.ctx, ty) else {
            return fail(place, "the type of elements must have a shape");
        };
        if shape.contains(&DYNAMIC) {
            return fail(place, "the type of elements must have a static shape");
        }
        let count = shape
            .iter()
            .try_fold(1usize, |n, &d| n.checked_mul(usize::try_from(d).ok()?));
        match count {
            Some(count) => Ok(Elements { ty, element, count }),
            None => fail(place, "the type has more elements than can be counted"),
        }
    }

    fn blob(&mut self, data: &mut Cursor<'a>) -> Read<&'a [u8]> {
        let length = data.varint()?;
        data.bytes(length)
    }

    pub(super) fn dense(&mut self, data: &mut Cursor<'a>) -> Read<AttrKind> {
        let place = data.offset();
        let Elements { ty, element, count } = self.elements_type(data)?;
        let Some(size) = element_bytes(self.ctx, element) else {
            return fail(place, "the elements must be numbers");
        };
        let bytes = self.blob(data)?;
        let stored = if matches!(element.kind(self.ctx), TypeKind::Integer { width: 1, .. }) {
            bool_values(bytes, count)
        } else {
            numbers(&self.without_excess(element, bytes), size, count)
        };
        match stored {
            Some(stored) => Ok(AttrKind::Dense { ty, data: stored }),
            None => {
                let message = format!("{} byte(s) for {count} element(s)", bytes.len());
                fail(place, message)
            }
        }
    }

    /// Clears the bits beyond the width of floats, which no reader looks at.
    fn without_excess<'b>(&self, element: Type, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        let part = match element.kind(self.ctx) {
            TypeKind::Complex(part) => *part,
            _ => element,
        };
        let width = match part.kind(self.ctx) {
            TypeKind::Float(kind) if !kind.width().is_multiple_of(8) => kind.width(),
            _ => return bytes.into(),
        };
        let mut bytes = bytes.to_vec();
        for number in bytes.chunks_mut(width.div_ceil(8) as usize) {
            if let Some(last) = number.last_mut() {
                *last &= 0xFF >> (8 - width % 8);
            }
        }
        bytes.into()
    }

    pub(super) fn dense_strings(&mut self, data: &mut Cursor<'a>) -> Read<AttrKind> {
        let place = data.offset();
        let Elements { ty, element, count } = self.elements_type(data)?;
        if element_bytes(self.ctx, element).is_some() {
            return fail(place, "elements of this type are numbers, not strings");
        }
        let start = data.offset();
        let stored = if data.varint()? != 0 { 1 } else { count };
        let stored = data.check_count(start, stored as u64, "strings")?;
        let mut strings: Vec<Box<str>> = Vec::new();
        for _ in 0..stored {
            let place = data.offset();
            let bytes = self.strings.bytes(data)?;
            strings.push(super::strings::text(place, bytes)?.into());
        }
        if strings.len() > 1 && strings.iter().all(|s| *s == strings[0]) {
            strings.truncate(1);
        }
        let data = DenseData::Strings(strings.into());
        Ok(AttrKind::Dense { ty, data })
    }

    pub(super) fn dense_array(&mut self, data: &mut Cursor<'a>) -> Read<AttrKind> {
        let place = data.offset();
        let element = self.ty(data)?;
        let size = match element.kind(self.ctx) {
            TypeKind::Integer { width: 1, .. } => 1,
            TypeKind::Integer { width, .. } if *width > 0 && width.is_multiple_of(8) => {
                *width as usize / 8
            }
            TypeKind::Float(kind) if kind.width().is_multiple_of(8) => kind.width() as usize / 8,
            _ => {
                return fail(
                    place,
                    "an array holds `i1`, integers of whole bytes or floats",
                );
            }
        };
        let count = data.varint()?;
        let bytes = self.blob(data)?;
        if (bytes.len() as u64) != count.saturating_mul(size as u64) {
            let message = format!("{} byte(s) for {count} element(s)", bytes.len());
            return fail(place, message);
        }
        let data = if element == self.ctx.bool_type() {
            bytes.iter().map(|&byte| u8::from(byte != 0)).collect()
        } else {
            bytes.into()
        };
        Ok(AttrKind::DenseArray { element, data })
    }

    pub(super) fn sparse(&mut self, data: &mut Cursor<'a>) -> Read<AttrKind> {
        let place = data.offset();
        let Elements { ty, element, .. } = self.elements_type(data)?;
        let (indices, values) = (self.attr(data)?, self.attr(data)?);
        if self.sparse_parts(ty, element, indices, values).is_none() {
            return fail(
                place,
                "the indices and values of sparse elements do not fit its type",
            );
        }
        Ok(AttrKind::Sparse {
            ty,
            indices,
            values,
        })
    }

    /// Whether sparse elements are consistent: one in-bounds index row of `i64`
    /// for each value.
    fn sparse_parts(&self, ty: Type, element: Type, indices: Attr, values: Attr) -> Option<()> {
        let (index, places, numbers) = self.tensor_parts(indices)?;
        let (value, _, count) = self.tensor_parts(values)?;
        let shape = match ty.kind(self.ctx) {
            TypeKind::RankedTensor { shape, .. } | TypeKind::Vector { shape, .. } => shape,
            TypeKind::MemRef(memref) => &memref.shape,
            _ => return None,
        };
        let rank = shape.len();
        if index != self.ctx.int_type(64)
            || value != element
            || numbers != count.checked_mul(rank)?
            || !all_inside(places, shape)
        {
            return None;
        }
        Some(())
    }

    /// The element type, elements and element count of a dense tensor
    /// attribute.
    fn tensor_parts(&self, attr: Attr) -> Option<(Type, &'a DenseData, usize)> {
        let AttrKind::Dense { ty, data } = attr.kind(self.ctx) else {
            return None;
        };
        let TypeKind::RankedTensor { shape, element, .. } = ty.kind(self.ctx) else {
            return None;
        };
        let count = shape
            .iter()
            .try_fold(1usize, |n, &d| n.checked_mul(d as usize))?;
        Some((*element, data, count))
    }
}

/// Whether rows of `i64` indices lie within a shape.
fn all_inside(places: &DenseData, shape: &[i64]) -> bool {
    let (bytes, repeat) = match places {
        DenseData::Splat(bytes) => (bytes, shape.len()),
        DenseData::Raw(bytes) => (bytes, 1),
        DenseData::Strings(_) => return false,
    };
    let numbers = bytes.as_chunks().0.iter().map(|b| i64::from_le_bytes(*b));
    let numbers = numbers.flat_map(|number| std::iter::repeat_n(number, repeat));
    let mut pairs = numbers.zip(shape.iter().cycle());
    pairs.all(|(at, extent)| (0..*extent).contains(&at))
}

/// Elements of whole bytes: all of them, or a splat.
fn numbers(bytes: &[u8], size: usize, count: usize) -> Option<DenseData> {
    if size > 0 && bytes.len() == size {
        return Some(DenseData::Splat(bytes.into()));
    }
    if Some(bytes.len()) != size.checked_mul(count) {
        return None;
    }
    let equal = count > 0
        && bytes
            .chunks(size.max(1))
            .all(|chunk| chunk == &bytes[..size]);
    Some(if equal {
        DenseData::Splat(bytes[..size].into())
    } else {
        DenseData::Raw(bytes.into())
    })
}

/// Elements of one bit, packed eight to a byte from the lowest. A byte of equal
/// bits is a splat of any length.
fn bool_values(bytes: &[u8], count: usize) -> Option<DenseData> {
    match bytes {
        [byte @ (0 | 0xFF)] => Some(DenseData::Splat([byte & 1].into())),
        _ if bytes.len() == count.div_ceil(8) => {
            let bits: Vec<u8> = (0..count).map(|i| bytes[i / 8] >> (i % 8) & 1).collect();
            numbers(&bits, 1, count)
        }
        _ => None,
    }
}
