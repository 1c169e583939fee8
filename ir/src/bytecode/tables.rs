//! The tables that everything else refers to: strings, dialects, names of
//! operations, attributes and types.

use std::sync::Arc;

use super::decode::{Cursor, Read, check_index, fail};
use super::format::{DIALECT_VERSIONS, PROPERTIES, SHORT_ARGUMENTS, Section};
use super::strings::{Strings, text};
use crate::attr::{Attr, AttrKind};
use crate::context::{Context, Ident};
use crate::location::Loc;
use crate::op::{OpDef, OpName};
use crate::source::{BytePos, FilePlace, Places};
use crate::text::ParseOptions;
use crate::types::Type;

/// Attributes and types in each other that are accepted, as in text.
const MAX_DEPTH: u32 = 256;

/// A file may take this many times its size of memory, and the free memory:
/// what is read stands for more than that only if it says next to nothing.
const MEMORY_PER_BYTE: usize = 14;
const FREE_MEMORY: usize = 40 << 20;

/// What an attribute or type takes besides what it is.
const MEMORY_OF_ENTRY: usize = size_of::<Entry>()
    + size_of::<Slot<AttrOrLoc>>()
    + size_of::<Weight>()
    + 2 * size_of::<FilePlace>();

/// The name of an operation, as a file has it.
#[derive(Clone, Copy, Debug)]
pub(super) struct NameEntry {
    pub name: OpName,
    pub def: Option<&'static OpDef>,
    /// Whether whoever wrote the file knew the operation; `None` before
    /// version 5, which does not say.
    pub registered: Option<bool>,
}

/// Where an attribute or type lies in its section.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The end is where the next one starts.
    start: u32,
    /// Whether the dialect has an encoding of its own for it, else it is text.
    custom: bool,
    builtin: bool,
}

/// What has become of an attribute or type so far.
#[derive(Clone, Copy, Debug)]
enum Slot<T> {
    Unread,
    /// Being read: whoever meets it again is part of it.
    Open,
    Done(T),
}

/// How much an attribute or type is, written out.
#[derive(Clone, Copy, Default, Debug)]
struct Weight {
    depth: u32,
    /// Other attributes and types in it, counted all the way down.
    size: u32,
}

#[derive(Debug)]
struct Table<T> {
    /// One more than there are slots.
    entries: Vec<Entry>,
    slots: Vec<Slot<T>>,
    weights: Vec<Weight>,
}

/// An attribute or location: they share one table.
#[derive(Clone, Copy, Debug)]
pub(super) enum AttrOrLoc {
    Attr(Attr),
    Loc(Loc),
}

/// The tables of a file being read. Attributes and types are read when they
/// are first asked for.
pub(super) struct Tables<'a> {
    pub ctx: &'a Context,
    pub options: &'a ParseOptions,
    pub version: u64,
    pub strings: Strings<'a>,
    pub names: Vec<NameEntry>,
    /// The keys of resources, in the order of their numbers.
    pub resources: Vec<Ident>,
    /// The name asked for last: most locations are in one file.
    last_name: Option<(usize, Ident)>,
    /// The next `distinct` attribute's identity.
    pub next_distinct: u64,
    /// The place that an attribute is, for those that are lines and columns,
    /// and the positions that these have in the context.
    pub places: Vec<FilePlace>,
    pub positions: Arc<Places>,
    dialects: Vec<&'a str>,
    data: Cursor<'a>,
    attrs: Table<AttrOrLoc>,
    types: Table<Type>,
    depth: u32,
    weight: Weight,
    /// What one attribute or type may stand for.
    max_size: u32,
    /// Bytes of memory that may still be taken.
    budget: usize,
}

/// The data of the sections that tables come from.
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
        // Each attribute and type takes a byte at least.
        let (attrs, types) =
            read_offsets(sections.offsets, budget, sections.attr_types, &dialects)?;
        let taken = (attrs.slots.len() + types.slots.len()) * MEMORY_OF_ENTRY;
        let count = attrs.slots.len();
        let positions = match ctx.sources().add_places(count) {
            Ok(positions) => positions,
            Err(too_large) => return fail(0, too_large.to_string()),
        };
        let nowhere = FilePlace {
            file: ctx.ident(""),
            line: 0,
            col: 0,
        };
        Ok(Tables {
            ctx,
            options,
            version,
            strings,
            names,
            resources: Vec::new(),
            last_name: None,
            next_distinct: 0,
            places: vec![nowhere; count],
            positions,
            dialects,
            data: sections.attr_types,
            attrs,
            types,
            depth: 0,
            weight: Weight::default(),
            // Whoever writes something out once spends a byte on it.
            max_size: (sections.size as u32)
                .saturating_mul(4)
                .saturating_add(1 << 16),
            budget: budget.saturating_sub(taken),
        })
    }

    /// Takes memory out of what the file may take.
    pub fn spend(&mut self, place: usize, bytes: usize) -> Read<()> {
        match self.budget.checked_sub(bytes) {
            Some(left) => {
                self.budget = left;
                Ok(())
            }
            None => too_much_memory(place),
        }
    }

    /// The dialect that a number names.
    pub fn dialect(&self, cursor: &mut Cursor<'a>) -> Read<&'a str> {
        let index = cursor.index(self.dialects.len(), "dialect")?;
        Ok(self.dialects[index])
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
            let def = name.def();
            names.push(NameEntry {
                name,
                def,
                registered,
            });
        }
    }
    Ok(names)
}

/// The places of attributes and types, given as lengths in groups by dialect.
fn read_offsets<'a>(
    mut offsets: Cursor<'a>,
    budget: usize,
    data: Cursor<'a>,
    dialects: &[&'a str],
) -> Read<(Table<AttrOrLoc>, Table<Type>)> {
    let attrs = offsets.count("attributes")?;
    let types = offsets.count("types")?;
    offsets.check_count(
        offsets.offset(),
        (attrs + types) as u64,
        "attributes and types",
    )?;
    if (attrs + types) * MEMORY_OF_ENTRY > budget {
        return too_much_memory(offsets.offset());
    }
    let mut start = data.offset();
    let end = start + data.left();
    let mut table = |count: usize| {
        let mut entries = Vec::with_capacity(count + 1);
        while entries.len() < count {
            let dialect = dialects[offsets.index(dialects.len(), "dialect")?];
            let place = offsets.offset();
            let group = offsets.count("attributes or types")?;
            if group > count - entries.len() {
                return fail(place, "more attributes or types than there are in all");
            }
            for _ in 0..group {
                let place = offsets.offset();
                let (length, custom) = offsets.flagged()?;
                if length > (end - start) as u64 {
                    return fail(place, "an attribute or type ends behind its section");
                }
                entries.push(Entry {
                    start: start as u32,
                    custom,
                    builtin: dialect == "builtin",
                });
                start += length as usize;
            }
        }
        Ok(entries)
    };
    let mut attrs = table(attrs)?;
    let types = table(types)?;
    if !offsets.at_end() {
        return offsets.error("bytes after the attributes and types");
    }
    let between = types.first().map_or(start as u32, |first| first.start);
    attrs.push(Entry {
        start: between,
        custom: false,
        builtin: false,
    });
    let mut types = types;
    types.push(Entry {
        start: start as u32,
        custom: false,
        builtin: false,
    });
    Ok((Table::new(attrs), Table::new(types)))
}

impl<T: Clone> Table<T> {
    fn new(entries: Vec<Entry>) -> Self {
        let count = entries.len() - 1;
        Table {
            entries,
            slots: vec![Slot::Unread; count],
            weights: vec![Weight::default(); count],
        }
    }
}

impl<'a> Tables<'a> {
    /// The attribute that a number names; a location as an attribute, too.
    pub fn attr(&mut self, cursor: &mut Cursor<'a>) -> Read<Attr> {
        let place = cursor.offset();
        let index = cursor.varint()?;
        self.attr_at(place, index)
    }

    /// An attribute that may be absent: a flag stands below its number.
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

    /// The location that a number names.
    pub fn loc(&mut self, cursor: &mut Cursor<'a>) -> Read<Loc> {
        let place = cursor.offset();
        let index = cursor.varint()?;
        match self.attr_or_loc(place, index)? {
            AttrOrLoc::Loc(loc) => Ok(loc),
            AttrOrLoc::Attr(_) => fail(place, format!("attribute {index} is no location")),
        }
    }

    /// The identifier that a string attribute spells; an attribute of its own
    /// is not made of it.
    pub fn name(&mut self, cursor: &mut Cursor<'a>) -> Read<Ident> {
        let place = cursor.offset();
        let index = cursor.index(self.attrs.slots.len(), "attribute")?;
        if let Some((last, name)) = self.last_name
            && last == index
        {
            return Ok(name);
        }
        let (mut data, custom) = self.attrs.open(self.data, index);
        if !custom || data.varint()? != super::format::attr_code::STRING {
            return fail(place, format!("attribute {index} is no string"));
        }
        let name = self.strings.ident(self.ctx, &mut data)?;
        self.last_name = Some((index, name));
        Ok(name)
    }

    /// The symbol that a flat reference names.
    pub fn flat_symbol(&mut self, cursor: &mut Cursor<'a>) -> Read<Ident> {
        let place = cursor.offset();
        let index = cursor.index(self.attrs.slots.len(), "attribute")?;
        let (mut data, custom) = self.attrs.open(self.data, index);
        if !custom || data.varint()? != super::format::attr_code::FLAT_SYMBOL {
            return fail(
                place,
                format!("attribute {index} is no flat symbol reference"),
            );
        }
        self.name(&mut data)
    }

    #[inline]
    fn attr_or_loc(&mut self, place: usize, index: u64) -> Read<AttrOrLoc> {
        let index = check_index(place, index, self.attrs.slots.len(), "attribute")?;
        match self.attrs.slots[index] {
            Slot::Done(value) => {
                self.add(self.attrs.weights[index]);
                Ok(value)
            }
            Slot::Open => fail(place, format!("attribute {index} is a part of itself")),
            Slot::Unread => self.load_attr(place, index),
        }
    }

    fn load_attr(&mut self, place: usize, index: usize) -> Read<AttrOrLoc> {
        let (mut data, custom) = self.attrs.open(self.data, index);
        if let Some(place) = self.file_place(data, custom)? {
            self.places[index] = place;
            let loc = Loc::source(BytePos(self.positions.start.0 + index as u32));
            self.attrs.slots[index] = Slot::Done(AttrOrLoc::Loc(loc));
            return Ok(AttrOrLoc::Loc(loc));
        }
        self.attrs.slots[index] = Slot::Open;
        let (value, weight) = self.measured(place, |tables| {
            let value = if custom {
                tables.builtin_attr(&mut data)?
            } else {
                tables.attr_text(data, tables.attrs.entries[index])?
            };
            if custom && !data.at_end() {
                return data.error("bytes after the attribute");
            }
            Ok(value)
        })?;
        self.attrs.weights[index] = weight;
        self.attrs.slots[index] = Slot::Done(value);
        Ok(value)
    }

    /// The type that a number names.
    pub fn ty(&mut self, cursor: &mut Cursor<'a>) -> Read<Type> {
        let place = cursor.offset();
        let index = cursor.varint()?;
        self.type_at(place, index)
    }

    /// The same for a number read at `place`.
    #[inline]
    pub fn type_at(&mut self, place: usize, index: u64) -> Read<Type> {
        let index = check_index(place, index, self.types.slots.len(), "type")?;
        match self.types.slots[index] {
            Slot::Done(ty) => {
                self.add(self.types.weights[index]);
                Ok(ty)
            }
            Slot::Open => fail(place, format!("type {index} is a part of itself")),
            Slot::Unread => self.load_type(place, index),
        }
    }

    fn load_type(&mut self, place: usize, index: usize) -> Read<Type> {
        self.types.slots[index] = Slot::Open;
        let (mut data, custom) = self.types.open(self.data, index);
        let (ty, weight) = self.measured(place, |tables| {
            let ty = if custom {
                tables.builtin_type(&mut data)?
            } else {
                tables.type_text(data, tables.types.entries[index])?
            };
            if custom && !data.at_end() {
                return data.error("bytes after the type");
            }
            Ok(ty)
        })?;
        self.types.weights[index] = weight;
        self.types.slots[index] = Slot::Done(ty);
        Ok(ty)
    }

    /// Reads something one level deeper and weighs it. A few bytes can stand
    /// for what is endlessly long, which nothing that follows could walk.
    fn measured<T>(
        &mut self,
        place: usize,
        read: impl FnOnce(&mut Self) -> Read<T>,
    ) -> Read<(T, Weight)> {
        if self.depth == MAX_DEPTH {
            return fail(place, format!("nested more than {MAX_DEPTH} levels deep"));
        }
        let outer = std::mem::take(&mut self.weight);
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        let weight = std::mem::replace(&mut self.weight, outer);
        let value = value?;
        if weight.depth > MAX_DEPTH {
            return fail(place, format!("nested more than {MAX_DEPTH} levels deep"));
        }
        if weight.size > self.max_size {
            let max = self.max_size;
            return fail(place, format!("this stands for more than {max} others"));
        }
        self.add(weight);
        Ok((value, weight))
    }

    fn add(&mut self, part: Weight) {
        self.weight.depth = self.weight.depth.max(part.depth + 1);
        self.weight.size = self.weight.size.saturating_add(part.size).saturating_add(1);
    }

    fn attr_text(&self, data: Cursor<'a>, entry: Entry) -> Read<AttrOrLoc> {
        let text = spelled(data, entry)?;
        match crate::text::parse_attr_fragment(self.ctx, text, self.options) {
            Ok(attr) => Ok(match attr.kind(self.ctx) {
                AttrKind::Location(loc) => AttrOrLoc::Loc(*loc),
                _ => AttrOrLoc::Attr(attr),
            }),
            Err(why) => wrong_text(data, text, "attribute", &why),
        }
    }

    fn type_text(&self, data: Cursor<'a>, entry: Entry) -> Read<Type> {
        let text = spelled(data, entry)?;
        match crate::text::parse_type_fragment(self.ctx, text, self.options) {
            Ok(ty) => Ok(ty),
            Err(why) => wrong_text(data, text, "type", &why),
        }
    }
}

impl<T> Table<T> {
    /// The data of an entry, and whether it is in the builtin dialect's own
    /// encoding.
    fn open<'a>(&self, section: Cursor<'a>, index: usize) -> (Cursor<'a>, bool) {
        let (start, end) = (self.entries[index].start, self.entries[index + 1].start);
        let entry = self.entries[index];
        let data = section.part(start as usize, end as usize);
        (data, entry.custom && entry.builtin)
    }
}

/// The text of an entry, which ends with a zero.
fn spelled(mut data: Cursor<'_>, entry: Entry) -> Read<&[u8]> {
    if entry.custom {
        return data.error("this is in an encoding of its dialect that is not known here");
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
fn too_much_memory<T>(place: usize) -> Read<T> {
    let message =
        format!("this would take more than {MEMORY_PER_BYTE} times the size of the file in memory");
    fail(place, message)
}
