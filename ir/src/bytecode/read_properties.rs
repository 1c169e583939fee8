//! Decodes properties: the inherent attributes of operations.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use smallvec::SmallVec;

use super::decode::{Cursor, Read, fail};
use super::format::PROPERTIES;
use super::properties::{Field, Form, layout};
use super::tables::Tables;
use crate::attr::{AttrDict, AttrKind, NamedAttr};
use crate::context::Context;
use crate::context::OpName;
use crate::context::signature::OpSignature;
use crate::text::canonical_properties;

/// Cache of one entry: the operation's name plus one, and the dictionary that
/// its properties decoded to; 0 if empty.
#[derive(Default)]
struct Last(AtomicU64);

impl Last {
    fn get(&self, name: OpName) -> Option<AttrDict> {
        let word = self.0.load(Ordering::Acquire);
        (word >> 32 == u64::from(name.0) + 1).then_some(AttrDict(word as u32))
    }

    fn set(&self, name: OpName, dict: AttrDict) {
        let word = (u64::from(name.0) + 1) << 32 | u64::from(dict.0);
        self.0.store(word, Ordering::Release);
    }
}

/// The number of index bits in a sparse list.
const MAX_INDEX_BITS: u64 = 8;

/// The section of properties, with caches.
pub(super) struct Properties<'a> {
    list: Arc<[Cursor<'a>]>,
    /// The last decoding of each entry, by any reader.
    read: Arc<[Last]>,
    /// The layouts of known operations, by name id.
    layouts: Vec<Option<Box<[Field]>>>,
    /// The properties of known operations for which the file gives none.
    defaults: Vec<Option<AttrDict>>,
}

impl<'a> Properties<'a> {
    /// Reads the section: entries preceded by their lengths.
    pub fn read(ctx: &Context, data: Option<Cursor<'a>>) -> Read<Self> {
        let mut list = Vec::new();
        if let Some(mut data) = data {
            let count = data.count("properties")?;
            list.reserve_exact(count);
            for _ in 0..count {
                let place = data.offset();
                let length = data.varint()?;
                let start = data.offset();
                if data.bytes(length).is_err() {
                    return fail(place, "properties extend past the end of their section");
                }
                list.push(data.part(start, data.offset()));
            }
            if !data.at_end() {
                return data.error("bytes after the last properties");
            }
        }
        let read = list.iter().map(|_| Last::default()).collect();
        Ok(Properties::new(
            ctx.registry().ops().len(),
            list.into(),
            read,
        ))
    }

    fn new(known: usize, list: Arc<[Cursor<'a>]>, read: Arc<[Last]>) -> Self {
        Properties {
            list,
            read,
            layouts: vec![None; known],
            defaults: vec![None; known],
        }
    }

    /// The same section for another reader.
    pub fn fork(&self) -> Self {
        Properties::new(self.layouts.len(), self.list.clone(), self.read.clone())
    }

    /// Decodes the properties of an operation that the producer knew.
    pub fn of_known(
        &mut self,
        tables: &mut Tables<'a>,
        cursor: &mut Cursor<'a>,
        name: OpName,
    ) -> Read<AttrDict> {
        let place = cursor.offset();
        let index = cursor.index(self.list.len(), "properties")?;
        if let Some(dict) = self.read[index].get(name) {
            return Ok(dict);
        }
        let Some(def) = tables.ctx.op_signature(name) else {
            let name = tables.ctx.op_name_str(name);
            let message = format!("`{name}` has properties, but the operation is not known here");
            return fail(place, message);
        };
        let fields = self.layouts[name.index()]
            .get_or_insert_with(|| layout(tables.ctx, def, tables.version).into());
        let entries = read_fields(tables, self.list[index], fields)?;
        let dict = canonical_properties(tables.ctx, name, def, &entries);
        self.read[index].set(name, dict);
        Ok(dict)
    }

    /// Decodes the properties of an operation that the producer did not know:
    /// an attribute, which must be a dictionary if the operation is `known`
    /// here.
    pub fn of_unknown(
        &mut self,
        tables: &mut Tables<'a>,
        cursor: &mut Cursor<'a>,
        known: bool,
    ) -> Read<AttrDict> {
        let place = cursor.offset();
        let index = cursor.index(self.list.len(), "properties")?;
        let mut data = self.list[index];
        let attr = tables.attr(&mut data)?;
        match attr.kind(tables.ctx) {
            _ if !data.at_end() => data.error("bytes after the properties"),
            AttrKind::Dict(dict) if known || !dict.is_empty() => Ok(*dict),
            _ if known => fail(place, "properties must be a dictionary"),
            // An operation without a row keeps it, under the empty name.
            _ => Ok(tables.ctx.attr_dict(vec![(tables.ctx.ident(""), attr)])),
        }
    }

    /// The properties of a known operation for which the file gives none.
    pub fn default_of(
        &mut self,
        tables: &Tables<'a>,
        name: OpName,
        def: &'static OpSignature,
    ) -> AttrDict {
        *self.defaults[name.index()]
            .get_or_insert_with(|| canonical_properties(tables.ctx, name, def, &[]))
    }
}

fn read_fields<'a>(
    tables: &mut Tables<'a>,
    mut data: Cursor<'a>,
    fields: &[Field],
) -> Read<SmallVec<[NamedAttr; 4]>> {
    debug_assert!(tables.version >= PROPERTIES);
    let mut entries = SmallVec::new();
    for &Field { name, form } in fields {
        let value = match form {
            Form::Required => Some(tables.attr(&mut data)?),
            Form::Optional => tables.optional_attr(&mut data)?,
            Form::Bool => (data.byte()? != 0).then(|| tables.ctx.unit_attr()),
            Form::Number => {
                let value = data.varint()? as i32;
                Some(tables.ctx.int_attr(tables.ctx.int_type(32), value.into()))
            }
            Form::Segments(count) => {
                let sizes = segments(&mut data, count)?;
                Some(tables.ctx.i32_array_attr(&sizes))
            }
        };
        entries.extend(value.map(|value| (name, value)));
    }
    if !data.at_end() {
        return data.error("bytes after the properties");
    }
    Ok(entries)
}

/// Decodes a list of numbers that may omit trailing zeros, or all zeros.
fn segments(data: &mut Cursor<'_>, count: usize) -> Read<SmallVec<[i32; 8]>> {
    let mut sizes = SmallVec::from_elem(0, count);
    let place = data.offset();
    let (given, sparse) = data.flagged()?;
    let too_many = || fail(place, format!("more numbers than the {count} segments"));
    if given > count as u64 {
        return too_many();
    }
    if !sparse {
        for size in sizes.iter_mut().take(given as usize) {
            *size = data.varint()? as i32;
        }
        return Ok(sizes);
    }
    if given == 0 {
        return Ok(sizes);
    }
    let bits = data.varint()?;
    if bits > MAX_INDEX_BITS {
        return data.error(format!("an index of {bits} bits is too long"));
    }
    for _ in 0..given {
        let pair = data.varint()?;
        match sizes.get_mut((pair & ((1 << bits) - 1)) as usize) {
            Some(size) => *size = (pair >> bits) as i32,
            None => return too_many(),
        }
    }
    Ok(sizes)
}
