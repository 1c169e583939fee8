//! Resources: the data of `dense_resource` attributes, and external data that
//! tools attach. A module keeps them as the text of its `{-# … #-}` section.

use super::decode::{Cursor, Read, fail};
use super::encode::Encoder;
use super::format::Section;
use super::strings::{StringTable, text};
use super::tables::Tables;
use crate::context::Ident;
use crate::text::resources::{Group, Resources, Value};

/// The resource kinds.
const BLOB: u8 = 0;
const BOOL: u8 = 1;
const STRING: u8 = 2;

/// The sections of resources and of their lengths.
pub(super) struct ResourceSections<'a> {
    pub offsets: Cursor<'a>,
    pub data: Cursor<'a>,
}

/// Reads the resources; the keys of dialect resources go to the tables.
pub(super) fn read<'a>(tables: &mut Tables<'a>, sections: ResourceSections<'a>) -> Read<Resources> {
    let ResourceSections {
        mut offsets,
        mut data,
    } = sections;
    let mut resources = Resources::default();
    let mut keys = Vec::new();
    let external = offsets.count("groups of resources")?;
    for _ in 0..external {
        let place = offsets.offset();
        let name = text(place, tables.strings.bytes(&mut offsets)?)?.to_owned();
        if !is_bare(&name) {
            return fail(
                place,
                "the name of a group of resources is not an identifier",
            );
        }
        let entries = read_group(tables, &mut offsets, &mut data, None)?;
        resources.external.push(Group { name, entries });
    }
    while !offsets.at_end() {
        let place = offsets.offset();
        let name = tables.dialect(&mut offsets)?.to_owned();
        if name != "builtin" {
            return fail(place, format!("unexpected resources of dialect '{name}'"));
        }
        let entries = read_group(tables, &mut offsets, &mut data, Some(&mut keys))?;
        resources.dialect.push(Group { name, entries });
    }
    tables.resources = keys.into();
    Ok(resources)
}

/// Whether the text form can spell a group's name.
fn is_bare(name: &str) -> bool {
    let first = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    first
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_$.".contains(c))
}

/// Reads the resources of a group and adds their keys to `keys`.
fn read_group<'a>(
    tables: &mut Tables<'a>,
    offsets: &mut Cursor<'a>,
    data: &mut Cursor<'a>,
    mut keys: Option<&mut Vec<Ident>>,
) -> Read<Vec<(String, Value)>> {
    let mut entries = Vec::new();
    for _ in 0..offsets.count("resources")? {
        let place = offsets.offset();
        let key = tables.strings.ident(tables.ctx, offsets)?;
        let length = offsets.varint()?;
        let kind = offsets.byte()?;
        let start = data.offset();
        if data.bytes(length).is_err() {
            return fail(place, "a resource extends past the end of its section");
        }
        if let Some(keys) = &mut keys {
            keys.push(key);
            // Declared only: an attribute names it, but its data is missing.
            if length == 0 {
                continue;
            }
        }
        let mut inside = data.part(start, data.offset());
        let value = read_value(tables, kind, &mut inside)?;
        if !inside.at_end() {
            return inside.error("bytes after the resource");
        }
        let key = tables.ctx.str(key);
        tables.strings.spend(place, key.len())?;
        entries.push((key.to_owned(), value));
    }
    Ok(entries)
}

fn read_value<'a>(tables: &mut Tables<'a>, kind: u8, data: &mut Cursor<'a>) -> Read<Value> {
    match kind {
        BLOB => {
            let place = data.offset();
            let alignment = data.varint()?;
            let length = data.varint()?;
            match u32::try_from(alignment) {
                Ok(0) => {}
                Ok(_) => data.align(alignment)?,
                Err(_) => return fail(place, format!("alignment {alignment} is too large")),
            }
            Ok(Value::Blob {
                alignment: alignment as u32,
                data: data.bytes(length)?.to_vec(),
            })
        }
        BOOL => Ok(Value::Bool(data.byte()? != 0)),
        STRING => Ok(Value::String(tables.strings.bytes(data)?.to_vec())),
        _ => data.error(format!("unknown kind {kind} of resource")),
    }
}

/// The resources of a file being written.
pub(super) struct ResourceWriter {
    resources: Resources,
    /// Keys of the builtin dialect: first those with data, then those without.
    keys: Vec<String>,
    with_data: usize,
}

impl ResourceWriter {
    pub fn new(mut resources: Resources) -> Self {
        // Attributes name only builtin resources.
        resources.dialect.retain(|group| group.name == "builtin");
        let entries = resources.dialect.iter().flat_map(|group| &group.entries);
        let keys: Vec<String> = entries.map(|(key, _)| key.clone()).collect();
        let with_data = keys.len();
        ResourceWriter {
            resources,
            keys,
            with_data,
        }
    }

    /// The index of a builtin resource, with or without data.
    pub fn number(&mut self, key: &str) -> u32 {
        let found = self.keys.iter().position(|known| known == key);
        let number = found.unwrap_or_else(|| {
            self.keys.push(key.to_owned());
            self.keys.len() - 1
        });
        number as u32
    }

    /// Writes both sections unless they are empty. `builtin` is the number of
    /// the builtin dialect.
    pub fn write(&self, out: &mut Encoder, strings: &mut StringTable, builtin: u32) {
        if self.keys.is_empty() && self.resources.external.is_empty() {
            return;
        }
        let (mut offsets, mut data) = (Encoder::default(), Encoder::default());
        let mut alignment = 1;
        offsets.count(self.resources.external.len());
        for group in &self.resources.external {
            offsets.index(strings.number(group.name.as_bytes()));
            offsets.count(group.entries.len());
            for (key, value) in &group.entries {
                write_entry(&mut offsets, &mut data, strings, key, Some(value));
                alignment = alignment.max(alignment_of(value));
            }
        }
        if !self.keys.is_empty() {
            offsets.index(builtin);
            offsets.count(self.keys.len());
            for (key, value) in self
                .resources
                .dialect
                .iter()
                .flat_map(|group| &group.entries)
            {
                write_entry(&mut offsets, &mut data, strings, key, Some(value));
                alignment = alignment.max(alignment_of(value));
            }
            for key in &self.keys[self.with_data..] {
                write_entry(&mut offsets, &mut data, strings, key, None);
            }
        }
        out.section(Section::ResourceOffsets, &offsets.bytes);
        out.aligned_section(Section::Resources, alignment, &data.bytes);
    }
}

fn alignment_of(value: &Value) -> u32 {
    match value {
        Value::Blob { alignment, .. } => (*alignment).max(1),
        Value::Bool(_) | Value::String(_) => 1,
    }
}

fn write_entry(
    offsets: &mut Encoder,
    data: &mut Encoder,
    strings: &mut StringTable,
    key: &str,
    value: Option<&Value>,
) {
    let start = data.bytes.len();
    let kind = match value {
        None => BLOB,
        Some(Value::Blob {
            alignment,
            data: bytes,
        }) => {
            data.index(*alignment);
            data.count(bytes.len());
            data.pad((*alignment).max(1));
            data.raw(bytes);
            BLOB
        }
        Some(Value::Bool(value)) => {
            data.byte((*value).into());
            BOOL
        }
        Some(Value::String(text)) => {
            data.index(strings.number(text));
            STRING
        }
    };
    offsets.index(strings.number(key.as_bytes()));
    offsets.count(data.bytes.len() - start);
    offsets.byte(kind);
}
