//! Decodes attributes of the builtin dialect.

use smallvec::SmallVec;

use super::decode::{Cursor, Read, fail};
use super::entries::AttrOrLoc;
use super::format::attr_code as code;
use super::tables::Tables;
use crate::attr::{Attr, AttrDict, AttrKind, Int, NamedAttr};
use crate::elements::elements_of;
use crate::types::{Signedness, Type, TypeKind};

impl<'a> Tables<'a> {
    /// Decodes an attribute or location in the builtin dialect's encoding.
    pub(super) fn builtin_attr(&mut self, data: &mut Cursor<'a>) -> Read<AttrOrLoc> {
        let place = data.offset();
        let kind = data.varint()?;
        if let Some(loc) = self.builtin_loc(kind, data)? {
            return Ok(AttrOrLoc::Loc(loc));
        }
        let kind = match kind {
            code::ARRAY => AttrKind::Array(self.attrs(data)?.into()),
            code::DICTIONARY => AttrKind::Dict(self.dictionary(data)?),
            code::STRING => AttrKind::String {
                value: self.strings.bytes(data)?.into(),
                ty: None,
            },
            code::TYPED_STRING => {
                let value = self.strings.bytes(data)?.into();
                let ty = self.ty(data)?;
                let ty = (*ty.kind(self.ctx) != TypeKind::None).then_some(ty);
                AttrKind::String { value, ty }
            }
            code::FLAT_SYMBOL => AttrKind::Symbol {
                root: self.name(data)?,
                nested: Box::new([]),
            },
            code::SYMBOL => self.nested_symbol(data)?,
            code::TYPE => AttrKind::Type(self.ty(data)?),
            code::UNIT => AttrKind::Unit,
            code::INTEGER => self.integer(data)?,
            code::FLOAT => self.float(data)?,
            code::DENSE_RESOURCE => {
                let ty = self.shaped_type(data)?;
                let index = data.index(self.resources.len(), "resource")?;
                let key = self.resources[index];
                AttrKind::DenseResource { ty, key }
            }
            code::DENSE_ARRAY => self.dense_array(data)?,
            code::DENSE => self.dense(data)?,
            code::DENSE_STRINGS => self.dense_strings(data)?,
            code::SPARSE => self.sparse(data)?,
            code::DISTINCT => {
                // The file offset serves as identity: it is unique to each.
                let id = place as u64;
                let value = self.attr(data)?;
                AttrKind::Distinct { id, value }
            }
            _ => return fail(place, format!("unknown kind {kind} of builtin attribute")),
        };
        Ok(AttrOrLoc::Attr(self.ctx.intern_attr(kind)))
    }

    fn attrs(&mut self, data: &mut Cursor<'a>) -> Read<Vec<Attr>> {
        let count = data.count("attributes")?;
        (0..count).map(|_| self.attr(data)).collect()
    }

    fn dictionary(&mut self, data: &mut Cursor<'a>) -> Read<AttrDict> {
        let place = data.offset();
        let count = data.count("entries")?;
        let mut entries: SmallVec<[NamedAttr; 4]> = SmallVec::new();
        for _ in 0..count {
            let place = data.offset();
            let name = self.name(data)?;
            if self.ctx.str(name).is_empty() {
                return fail(place, "an attribute's name cannot be empty");
            }
            entries.push((name, self.attr(data)?));
        }
        let dict = self.ctx.attr_dict_of(&mut entries);
        if entries.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return fail(place, "an entry occurs twice in the dictionary");
        }
        Ok(dict)
    }

    fn nested_symbol(&mut self, data: &mut Cursor<'a>) -> Read<AttrKind> {
        let root = self.name(data)?;
        let count = data.count("symbols")?;
        let nested: Vec<_> = (0..count)
            .map(|_| self.flat_symbol(data))
            .collect::<Read<_>>()?;
        let nested = nested.into();
        Ok(AttrKind::Symbol { root, nested })
    }

    fn integer(&mut self, data: &mut Cursor<'a>) -> Read<AttrKind> {
        let place = data.offset();
        let ty = self.ty(data)?;
        let (width, signed) = match ty.kind(self.ctx) {
            TypeKind::Integer { width, signedness } => {
                (*width, *signedness != Signedness::Unsigned && *width != 1)
            }
            TypeKind::Index => (64, true),
            _ => {
                return fail(
                    place,
                    "the type of an integer must be an integer or `index`",
                );
            }
        };
        let bytes = bits(data, width)?;
        let value = Int::from_le_bytes(&bytes, width, signed);
        Ok(AttrKind::Integer { ty, value })
    }

    fn float(&mut self, data: &mut Cursor<'a>) -> Read<AttrKind> {
        let place = data.offset();
        let ty = self.ty(data)?;
        let Some(kind) = ty.float_kind(self.ctx) else {
            return fail(place, "the type of a float must be a float type");
        };
        let width = kind.width();
        let bytes = bits(data, width)?;
        let mut all = [0; 16];
        let count = bytes.len().min(16);
        all[..count].copy_from_slice(&bytes[..count]);
        let mask = u128::MAX >> (128 - width);
        let bits = u128::from_le_bytes(all) & mask;
        Ok(AttrKind::Float { ty, bits })
    }

    /// Decodes a shaped type or a memref type.
    pub(super) fn shaped_type(&mut self, data: &mut Cursor<'a>) -> Read<Type> {
        let place = data.offset();
        let ty = self.ty(data)?;
        match elements_of(self.ctx, ty) {
            Some(_) => Ok(ty),
            None => fail(place, "the type of elements must have a shape"),
        }
    }
}

/// Decodes an integer of a width known from its type, as little-endian bytes.
fn bits(data: &mut Cursor<'_>, width: u32) -> Read<SmallVec<[u8; 16]>> {
    if width <= 8 {
        return Ok(SmallVec::from_slice(&[data.byte()?]));
    }
    if width <= 64 {
        return Ok(SmallVec::from_slice(&data.signed()?.to_le_bytes()));
    }
    let place = data.offset();
    let words = data.count("words")?;
    if words > width.div_ceil(64) as usize {
        return fail(
            place,
            format!("{words} words are too many for {width} bits"),
        );
    }
    let mut bytes = SmallVec::new();
    for _ in 0..words {
        bytes.extend_from_slice(&data.signed()?.to_le_bytes());
    }
    Ok(bytes)
}
