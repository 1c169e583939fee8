//! The tables of a file being written: an entry gets its number at first use.

use std::sync::Arc;

use super::encode::Encoder;
use super::resources::ResourceWriter;
use super::strings::StringTable;
use crate::attr::{Attr, AttrDict, AttrKind};
use crate::context::OpName;
use crate::context::{Context, Ident};
use crate::hash::FxHashMap;
use crate::location::Loc;
use crate::source::{BytePos, Places};
use crate::types::Type;

/// An entry of the attribute table. Locations count as attributes there, and so
/// do dictionary keys.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item {
    Attr(Attr),
    Loc(Loc),
    /// An untyped string.
    Name(Ident),
    /// A flat symbol reference.
    Symbol(Ident),
    Dict(AttrDict),
}

/// A numbering of dense ids.
#[derive(Default)]
struct Dense(Vec<u32>);

impl Dense {
    /// The number of `id`, and whether it is new: a new id gets `next`.
    fn number(&mut self, id: u32, next: u32) -> (u32, bool) {
        let id = id as usize;
        if id >= self.0.len() {
            self.0.resize((id + 1).next_power_of_two(), 0);
        }
        let new = self.0[id] == 0;
        if new {
            self.0[id] = next + 1;
        }
        (self.0[id] - 1, new)
    }
}

/// A numbering of source positions, which are many and sparse, but mostly
/// ascend.
#[derive(Default)]
struct Positions {
    /// Positions that exceeded all earlier ones when they came; sorted.
    ascending: Vec<(BytePos, u32)>,
    others: FxHashMap<BytePos, u32>,
}

/// The number of a position.
enum Position {
    /// Numbered before.
    Known(u32),
    /// New, and greater than all before.
    Ascending,
    /// New, but not the greatest.
    Other,
}

impl Positions {
    /// The number of a position; a new one gets `next`.
    fn number(&mut self, pos: BytePos, next: u32) -> Position {
        match self.ascending.last() {
            Some(&(last, number)) if last == pos => Position::Known(number),
            Some(&(last, _)) if last > pos => {
                if let Ok(at) = self.ascending.binary_search_by_key(&pos, |entry| entry.0) {
                    return Position::Known(self.ascending[at].1);
                }
                match *self.others.entry(pos).or_insert(next) {
                    number if number == next => Position::Other,
                    number => Position::Known(number),
                }
            }
            _ => {
                self.ascending.push((pos, next));
                Position::Ascending
            }
        }
    }
}

/// The dialects and operation names of a file.
#[derive(Default)]
pub(super) struct Names<'a> {
    dialects: Vec<&'a str>,
    dialect_numbers: FxHashMap<&'a str, u32>,
    /// The numberings of names: of operations in the layout of known ones, and
    /// of those written as unknown.
    numbers: [Dense; 2],
    list: Vec<(u32, &'a str, bool)>,
}

impl<'a> Names<'a> {
    pub fn dialect(&mut self, name: &'a str) -> u32 {
        let dialects = &mut self.dialects;
        *self.dialect_numbers.entry(name).or_insert_with(|| {
            dialects.push(name);
            dialects.len() as u32 - 1
        })
    }

    /// The number of an operation's name; `known` tells whether its properties
    /// have the layout of a known operation.
    pub fn op(&mut self, ctx: &'a Context, name: OpName, known: bool) -> u32 {
        let next = self.list.len() as u32;
        let (number, new) = self.numbers[usize::from(known)].number(name.index() as u32, next);
        if new {
            let full = ctx.op_name_str(name);
            let (dialect, rest) = full.split_once('.').unwrap_or((full, ""));
            let dialect = self.dialect(dialect);
            self.list.push((dialect, rest, known));
        }
        number
    }

    /// Encodes the section.
    pub fn finish(&self, strings: &mut StringTable) -> Vec<u8> {
        let mut out = Encoder::default();
        out.count(self.dialects.len());
        for dialect in &self.dialects {
            out.flagged(strings.number(dialect.as_bytes()), false);
        }
        out.count(self.list.len());
        for group in self.list.chunk_by(|a, b| a.0 == b.0) {
            out.index(group[0].0);
            out.count(group.len());
            for (_, name, known) in group {
                out.flagged(strings.number(name.as_bytes()), *known);
            }
        }
        out.bytes
    }
}

/// All numberings of a file being written.
pub(super) struct Numbers<'a> {
    pub ctx: &'a Context,
    pub strings: StringTable,
    pub names: Names<'a>,
    pub resources: ResourceWriter,
    /// The attributes by number, except ascending positions.
    items: Vec<(u32, Item)>,
    /// The number of attributes numbered.
    count: u32,
    /// The number of `items` and that of ascending positions written so far.
    taken: (usize, usize),
    /// The types by number.
    pub types: Vec<Type>,
    attr_numbers: Dense,
    loc_numbers: Dense,
    name_numbers: Dense,
    symbol_numbers: Dense,
    dict_numbers: Dense,
    type_numbers: Dense,
    position_numbers: Positions,
    /// The file's own source locations, if the module came from bytecode: these
    /// positions are dense, and come in any order.
    places: Option<Arc<Places>>,
    place_numbers: Dense,
}

impl<'a> Numbers<'a> {
    pub fn new(ctx: &'a Context, resources: ResourceWriter) -> Self {
        Numbers {
            ctx,
            strings: StringTable::default(),
            names: Names::default(),
            resources,
            items: Vec::new(),
            count: 0,
            taken: (0, 0),
            types: Vec::new(),
            attr_numbers: Dense::default(),
            loc_numbers: Dense::default(),
            name_numbers: Dense::default(),
            symbol_numbers: Dense::default(),
            dict_numbers: Dense::default(),
            type_numbers: Dense::default(),
            position_numbers: Positions::default(),
            places: ctx.sources().last_places(),
            place_numbers: Dense::default(),
        }
    }

    pub fn ty(&mut self, ty: Type) -> u32 {
        let (number, new) = self.type_numbers.number(ty.0, self.types.len() as u32);
        if new {
            self.types.push(ty);
        }
        number
    }

    pub fn attr(&mut self, attr: Attr) -> u32 {
        // An attribute that also exists as another kind of id is one entry.
        match attr.kind(self.ctx) {
            AttrKind::Location(loc) => return self.loc(*loc),
            AttrKind::Dict(dict) => return self.dict(*dict),
            AttrKind::Symbol { root, nested } if nested.is_empty() => return self.symbol(*root),
            AttrKind::String { value, ty: None } => {
                if let Ok(text) = std::str::from_utf8(value) {
                    return self.name(self.ctx.ident(text));
                }
            }
            _ => {}
        }
        let numbered = self.attr_numbers.number(attr.0, self.count);
        self.added(numbered, Item::Attr(attr))
    }

    pub fn loc(&mut self, loc: Loc) -> u32 {
        let next = self.count;
        let Some(pos) = loc.source_pos() else {
            let numbered = self.loc_numbers.number(loc.0, next);
            return self.added(numbered, Item::Loc(loc));
        };
        let place = self.places.as_ref().and_then(|places| places.index(pos));
        if let Some(place) = place {
            let numbered = self.place_numbers.number(place, next);
            return self.added(numbered, Item::Loc(loc));
        }
        match self.position_numbers.number(pos, next) {
            Position::Known(number) => number,
            Position::Other => self.added((next, true), Item::Loc(loc)),
            Position::Ascending => {
                self.count += 1;
                next
            }
        }
    }

    pub fn name(&mut self, name: Ident) -> u32 {
        let numbered = self.name_numbers.number(name.0, self.count);
        self.added(numbered, Item::Name(name))
    }

    pub fn symbol(&mut self, name: Ident) -> u32 {
        let numbered = self.symbol_numbers.number(name.0, self.count);
        self.added(numbered, Item::Symbol(name))
    }

    pub fn dict(&mut self, dict: AttrDict) -> u32 {
        let numbered = self.dict_numbers.number(dict.0, self.count);
        self.added(numbered, Item::Dict(dict))
    }

    fn added(&mut self, (number, new): (u32, bool), item: Item) -> u32 {
        if new {
            self.items.push((number, item));
            self.count += 1;
        }
        number
    }

    /// The next attribute to write; `None` if all numbered so far are written.
    pub fn next_item(&mut self) -> Option<Item> {
        let (items, positions) = &mut self.taken;
        let item = self.items.get(*items);
        match self.position_numbers.ascending.get(*positions) {
            Some(&(pos, number)) if item.is_none_or(|&(other, _)| number < other) => {
                *positions += 1;
                Some(Item::Loc(Loc::source(pos)))
            }
            _ => {
                *items += usize::from(item.is_some());
                item.map(|&(_, item)| item)
            }
        }
    }
}
