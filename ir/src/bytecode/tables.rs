//! The tables of a file: strings, dialects, operation names, attributes and
//! types.

use std::sync::Arc;

use super::budget::Budget;
use super::decode::{Cursor, Read, check_index, fail};
use super::entries::{AttrOrLoc, MEMORY_OF_ENTRY, Table, Weight, read_offsets};
use super::format::{DIALECT_VERSIONS, PROPERTIES, SHORT_ARGUMENTS, Section};
use super::strings::{Strings, text};
use crate::attr::{Attr, AttrKind};
use crate::context::OpName;
use crate::context::signature::OpSignature;
use crate::context::{Context, Ident};
use crate::location::Loc;
use crate::source::Places;
use crate::text::ParseOptions;
use crate::types::Type;

/// The bound on nested attributes and types, the same as in text.
const MAX_DEPTH: u32 = 256;

/// The memory a file may take for each of its bytes, beyond `FREE_MEMORY`. Only
/// a file made to exhaust memory needs more.
const MEMORY_PER_BYTE: usize = 14;
const FREE_MEMORY: usize = 40 << 20;

/// An operation name in the file's table.
#[derive(Clone, Copy, Debug)]
pub(super) struct NameEntry {
    pub name: OpName,
    pub def: Option<&'static OpSignature>,
    /// Whether the producer knew the operation; `None` before version 5, which
    /// does not tell.
    pub registered: Option<bool>,
}

/// The part of the tables that all readers of a file share.
struct Shared<'a> {
    names: Vec<NameEntry>,
    dialects: Vec<&'a str>,
    data: Cursor<'a>,
    attrs: Table<AttrOrLoc>,
    types: Table<Type>,
    /// The bound on the expanded size of one attribute or type.
    max_size: u32,
}

/// The tables of a file, for one reader. Attributes and types are decoded on
/// first use.
pub(super) struct Tables<'a> {
    pub ctx: &'a Context,
    pub options: &'a ParseOptions,
    pub version: u64,
    pub strings: Strings<'a>,
    /// The keys of resources by index.
    pub resources: Arc<[Ident]>,
    shared: Arc<Shared<'a>>,
    /// The positions of the attributes that are file, line and column.
    places: Arc<Places>,
    /// The attributes and types being decoded, outermost first: one that occurs
    /// again contains itself.
    open_attrs: Vec<usize>,
    open_types: Vec<usize>,
    /// The weight of what is being decoded, so far.
    weight: Weight,
    /// The budget of memory.
    budget: Budget,
}

/// The sections that the tables are read from.
pub(super) struct TableSections<'a> {
    pub strings: Cursor<'a>,
    pub dialects: Cursor<'a>,
    pub offsets: Cursor<'a>,
    pub attr_types: Cursor<'a>,
    /// The size of the file.
    pub size: usize,
}

impl<'a> Tables<'a> {
    pub fn read(
        ctx: &'a Context,
        options: &'a ParseOptions,
        version: u64,
        sections: TableSections<'a>,
    ) -> Read<Self> {
        let mut strings = Strings::read(sections.strings, sections.size)?;
        let mut data = sections.dialects;
        let dialects = read_dialects(&mut strings, &mut data, version)?;
        let names = read_names(ctx, &mut strings, &mut data, version, &dialects)?;
        let budget = MEMORY_PER_BYTE * sections.size + FREE_MEMORY;
        // Each attribute and type takes at least a byte.
        let (attrs, types) =
            read_offsets(sections.offsets, budget, sections.attr_types, &dialects)?;
        let taken = (attrs.len() + types.len()) * MEMORY_OF_ENTRY;
        let mut tables = Tables {
            ctx,
            options,
            version,
            strings,
            resources: Arc::default(),
            shared: Arc::new(Shared {
                names,
                dialects,
                data: sections.attr_types,
                attrs,
                types,
                // A file that spells each part out once spends a byte on it.
                max_size: (sections.size as u32)
                    .saturating_mul(4)
                    .saturating_add(1 << 16),
            }),
            places: Arc::default(),
            open_attrs: Vec::new(),
            open_types: Vec::new(),
            weight: Weight::default(),
            budget: Budget::new(budget.saturating_sub(taken)),
        };
        tables.places = match ctx.sources().add_places(tables.read_places()) {
            Ok(places) => places,
            Err(too_large) => return fail(0, too_large.to_string()),
        };
        Ok(tables)
    }

    /// Shares the budgets with other readers.
    pub fn share(&mut self) {
        self.budget.share();
        self.strings.share();
    }

    /// The same tables for another reader.
    pub fn fork(&self) -> Self {
        Tables {
            strings: self.strings.fork(),
            resources: self.resources.clone(),
            shared: self.shared.clone(),
            places: self.places.clone(),
            open_attrs: Vec::new(),
            open_types: Vec::new(),
            weight: Weight::default(),
            budget: self.budget.fork(),
            ..*self
        }
    }

    /// Spends memory from the file's budget.
    pub fn spend(&mut self, place: usize, bytes: usize) -> Read<()> {
        match self.budget.take(bytes) {
            true => Ok(()),
            false => too_much_memory(place),
        }
    }

    /// Decodes a reference to an operation name.
    #[inline]
    pub fn op_name(&self, cursor: &mut Cursor<'a>) -> Read<NameEntry> {
        let names = &self.shared.names;
        let index = cursor.index(names.len(), "operation name")?;
        Ok(names[index])
    }

    /// Decodes a reference to a dialect.
    pub fn dialect(&self, cursor: &mut Cursor<'a>) -> Read<&'a str> {
        let dialects = &self.shared.dialects;
        let index = cursor.index(dialects.len(), "dialect")?;
        Ok(dialects[index])
    }
}

fn read_dialects<'a>(
    strings: &mut Strings<'a>,
    data: &mut Cursor<'a>,
    version: u64,
) -> Read<Vec<&'a str>> {
    let count = data.count("dialects")?;
    let mut dialects = Vec::with_capacity(count);
    for _ in 0..count {
        if version < DIALECT_VERSIONS {
            let place = data.offset();
            dialects.push(text(place, strings.bytes(data)?)?);
            continue;
        }
        let (name, versioned) = strings.flagged(data)?;
        if versioned {
            let place = data.offset();
            let (id, _) = data.section()?;
            if id != Section::DialectVersion as u8 {
                return fail(place, "expected the section with the dialect's version");
            }
        }
        dialects.push(name);
    }
    Ok(dialects)
}

fn read_names<'a>(
    ctx: &Context,
    strings: &mut Strings<'a>,
    data: &mut Cursor<'a>,
    version: u64,
    dialects: &[&'a str],
) -> Read<Vec<NameEntry>> {
    if version >= SHORT_ARGUMENTS {
        data.count("operation names")?;
    }
    let mut names = Vec::new();
    let mut full = String::new();
    while !data.at_end() {
        let dialect = dialects[data.index(dialects.len(), "dialect")?];
        for _ in 0..data.count("operation names")? {
            let (name, registered) = if version < PROPERTIES {
                let place = data.offset();
                (text(place, strings.bytes(data)?)?, None)
            } else {
                let (name, registered) = strings.flagged(data)?;
                (name, Some(registered))
            };
            full.clear();
            full.push_str(dialect);
            if !name.is_empty() {
                full.push('.');
                full.push_str(name);
            }
            if full.is_empty() {
                return data.error("an operation's name cannot be empty");
            }
            strings.spend(data.offset(), full.len())?;
            let name = ctx.op_name(&full);
            let def = ctx.op_signature(name);
            names.push(NameEntry {
                name,
                def,
                registered,
            });
        }
    }
    Ok(names)
}

impl<'a> Tables<'a> {
    /// Decodes a reference to an attribute; a location becomes one.
    pub fn attr(&mut self, cursor: &mut Cursor<'a>) -> Read<Attr> {
        let place = cursor.offset();
        let index = cursor.varint()?;
        self.attr_at(place, index)
    }

    /// Decodes a reference to an attribute that may be absent, with a flag in
    /// the lowest bit.
    pub fn optional_attr(&mut self, cursor: &mut Cursor<'a>) -> Read<Option<Attr>> {
        let place = cursor.offset();
        match cursor.flagged()? {
            (_, false) => Ok(None),
            (index, true) => self.attr_at(place, index).map(Some),
        }
    }

    fn attr_at(&mut self, place: usize, index: u64) -> Read<Attr> {
        match self.attr_or_loc(place, index)? {
            AttrOrLoc::Attr(attr) => Ok(attr),
            AttrOrLoc::Loc(loc) => Ok(self.ctx.intern_attr(AttrKind::Location(loc))),
        }
    }

    /// Decodes a reference to a location.
    pub fn loc(&mut self, cursor: &mut Cursor<'a>) -> Read<Loc> {
        let place = cursor.offset();
        let index = cursor.index(self.shared.attrs.len(), "attribute")?;
        if let Some(place) = self.places.position(index) {
            return Ok(Loc::source(place));
        }
        match self.attr_or_loc(place, index as u64)? {
            AttrOrLoc::Loc(loc) => Ok(loc),
            AttrOrLoc::Attr(_) => fail(place, format!("attribute {index} is not a location")),
        }
    }

    /// Decodes a reference to a string attribute as an identifier, without
    /// interning the attribute.
    pub fn name(&self, cursor: &mut Cursor<'a>) -> Read<Ident> {
        let place = cursor.offset();
        let index = cursor.varint()?;
        self.name_at(place, index)
    }

    /// As [`Tables::name`], for an index read at `place`.
    pub fn name_at(&self, place: usize, index: u64) -> Read<Ident> {
        let index = check_index(place, index, self.shared.attrs.len(), "attribute")?;
        let (mut data, builtin) = self.shared.attrs.open(self.shared.data, index);
        if !builtin || data.varint()? != super::format::attr_code::STRING {
            return fail(place, format!("attribute {index} is not a string"));
        }
        self.strings.ident(self.ctx, &mut data)
    }

    /// Decodes a reference to a flat symbol reference.
    pub fn flat_symbol(&mut self, cursor: &mut Cursor<'a>) -> Read<Ident> {
        let place = cursor.offset();
        let index = cursor.index(self.shared.attrs.len(), "attribute")?;
        let (mut data, custom) = self.shared.attrs.open(self.shared.data, index);
        if !custom || data.varint()? != super::format::attr_code::FLAT_SYMBOL {
            return fail(
                place,
                format!("attribute {index} is not a flat symbol reference"),
            );
        }
        self.name(&mut data)
    }

    #[inline]
    fn attr_or_loc(&mut self, place: usize, index: u64) -> Read<AttrOrLoc> {
        let index = check_index(place, index, self.shared.attrs.len(), "attribute")?;
        match self.shared.attrs.get(index) {
            Some((value, weight)) => {
                self.weight.add(weight);
                Ok(value)
            }
            None => self.load_attr(place, index),
        }
    }

    /// The ranges of the attributes in the builtin dialect's encoding; `None`
    /// for the others. In the order of their indices.
    pub fn builtin_attrs(&self) -> impl ExactSizeIterator<Item = Option<(usize, usize)>> {
        self.shared.attrs.builtin_ranges()
    }

    /// The section of attributes and types.
    pub fn section(&self) -> Cursor<'a> {
        self.shared.data
    }

    fn load_attr(&mut self, place: usize, index: usize) -> Read<AttrOrLoc> {
        if let Some(place) = self.places.position(index) {
            return Ok(AttrOrLoc::Loc(Loc::source(place)));
        }
        let (mut data, custom) = self.shared.attrs.open(self.shared.data, index);
        if self.open_attrs.contains(&index) {
            return fail(place, format!("attribute {index} is a part of itself"));
        }
        self.open_attrs.push(index);
        let (value, weight) = self.measured(place, |tables| {
            let value = if custom {
                tables.builtin_attr(&mut data)?
            } else {
                tables.attr_text(data, tables.shared.attrs.is_foreign(index))?
            };
            if custom && !data.at_end() {
                return data.error("bytes after the attribute");
            }
            Ok(value)
        })?;
        self.open_attrs.pop();
        self.shared.attrs.set(index, value, weight);
        Ok(value)
    }

    /// Decodes a reference to a type.
    pub fn ty(&mut self, cursor: &mut Cursor<'a>) -> Read<Type> {
        let place = cursor.offset();
        let index = cursor.varint()?;
        self.type_at(place, index)
    }

    /// As [`Tables::ty`], for an index read at `place`.
    #[inline]
    pub fn type_at(&mut self, place: usize, index: u64) -> Read<Type> {
        let index = check_index(place, index, self.shared.types.len(), "type")?;
        match self.shared.types.get(index) {
            Some((ty, weight)) => {
                self.weight.add(weight);
                Ok(ty)
            }
            None => self.load_type(place, index),
        }
    }

    fn load_type(&mut self, place: usize, index: usize) -> Read<Type> {
        if self.open_types.contains(&index) {
            return fail(place, format!("type {index} is a part of itself"));
        }
        self.open_types.push(index);
        let (mut data, custom) = self.shared.types.open(self.shared.data, index);
        let (ty, weight) = self.measured(place, |tables| {
            let ty = if custom {
                tables.builtin_type(&mut data)?
            } else {
                tables.type_text(data, tables.shared.types.is_foreign(index))?
            };
            if custom && !data.at_end() {
                return data.error("bytes after the type");
            }
            Ok(ty)
        })?;
        self.open_types.pop();
        self.shared.types.set(index, ty, weight);
        Ok(ty)
    }

    /// Decodes something one level deeper and weighs it. A few bytes can expand
    /// to something exponentially large, which later walks could not finish.
    fn measured<T>(
        &mut self,
        place: usize,
        read: impl FnOnce(&mut Self) -> Read<T>,
    ) -> Read<(T, Weight)> {
        // The entry itself is already among the open ones.
        if self.open_attrs.len() + self.open_types.len() > MAX_DEPTH as usize {
            return fail(place, format!("nested more than {MAX_DEPTH} levels deep"));
        }
        let outer = std::mem::take(&mut self.weight);
        let value = read(self);
        let weight = std::mem::replace(&mut self.weight, outer);
        let value = value?;
        if weight.depth > MAX_DEPTH {
            return fail(place, format!("nested more than {MAX_DEPTH} levels deep"));
        }
        if weight.size > self.shared.max_size {
            let max = self.shared.max_size;
            return fail(
                place,
                format!("this expands to more than {max} nested attributes and types"),
            );
        }
        self.weight.add(weight);
        Ok((value, weight))
    }

    fn attr_text(&self, data: Cursor<'a>, foreign: bool) -> Read<AttrOrLoc> {
        let text = spelled(data, foreign)?;
        match crate::text::parse_attr_fragment(self.ctx, text, self.options) {
            Ok(attr) => Ok(match attr.kind(self.ctx) {
                AttrKind::Location(loc) => AttrOrLoc::Loc(*loc),
                _ => AttrOrLoc::Attr(attr),
            }),
            Err(why) => wrong_text(data, text, "attribute", &why),
        }
    }

    fn type_text(&self, data: Cursor<'a>, foreign: bool) -> Read<Type> {
        let text = spelled(data, foreign)?;
        match crate::text::parse_type_fragment(self.ctx, text, self.options) {
            Ok(ty) => Ok(ty),
            Err(why) => wrong_text(data, text, "type", &why),
        }
    }
}

/// The text of an entry, null-terminated; an error if the entry is in a
/// `foreign` encoding.
fn spelled(mut data: Cursor<'_>, foreign: bool) -> Read<&[u8]> {
    if foreign {
        return data
            .error("this is in the binary encoding of a dialect that gridloom does not know");
    }
    let bytes = data.bytes(data.left() as u64)?;
    match bytes.split_last() {
        Some((0, text)) => Ok(text),
        _ => data.error("the text of an attribute or type does not end with a zero"),
    }
}

#[cold]
fn wrong_text<T>(data: Cursor<'_>, text: &[u8], what: &str, why: &str) -> Read<T> {
    let text = String::from_utf8_lossy(text);
    let shown: String = text.chars().take(80).collect();
    data.error(format!("the {what} `{shown}` cannot be read: {why}"))
}

#[cold]
pub(super) fn too_much_memory<T>(place: usize) -> Read<T> {
    let message =
        format!("this would take more than {MEMORY_PER_BYTE} times the size of the file in memory");
    fail(place, message)
}
