//! The tables of attributes and types, shared by all readers of a file: offsets
//! of the entries, and a cache of the decoded ones.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::decode::{Cursor, Read, fail};
use super::tables::too_much_memory;
use crate::attr::Attr;
use crate::location::Loc;
use crate::types::Type;

/// The memory that an entry takes beside the attribute or type itself,
/// including its line and column if it is a location.
pub(super) const MEMORY_OF_ENTRY: usize =
    size_of::<Entry>() + size_of::<AtomicU32>() + size_of::<AtomicU64>() + size_of::<(u32, u32)>();

/// The start of an entry, with a flag for the builtin dialect's encoding. It
/// ends where the next one starts.
#[derive(Clone, Copy, Debug)]
struct Entry(u32);

impl Entry {
    /// The flag bit: files are smaller than this.
    const BUILTIN: u32 = 1 << 31;

    fn new(start: usize, builtin: bool) -> Self {
        Entry(start as u32 | if builtin { Entry::BUILTIN } else { 0 })
    }

    fn start(self) -> usize {
        (self.0 & !Entry::BUILTIN) as usize
    }

    fn is_builtin(self) -> bool {
        self.0 & Entry::BUILTIN != 0
    }
}

/// The size of an attribute or type fully expanded.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Weight {
    pub depth: u32,
    /// The number of nested attributes and types, counted as often as they
    /// occur.
    pub size: u32,
}

impl Weight {
    /// Adds a nested part.
    pub fn add(&mut self, part: Weight) {
        self.depth = self.depth.max(part.depth + 1);
        self.size = self.size.saturating_add(part.size).saturating_add(1);
    }
}

/// An attribute or a location; both share one table.
#[derive(Clone, Copy, Debug)]
pub(super) enum AttrOrLoc {
    Attr(Attr),
    Loc(Loc),
}

/// A value that packs into a table slot.
pub(super) trait Word: Copy {
    fn to_word(self) -> u64;
    fn from_word(word: u64) -> Self;
}

impl Word for AttrOrLoc {
    fn to_word(self) -> u64 {
        match self {
            AttrOrLoc::Attr(attr) => u64::from(attr.0) << 1,
            AttrOrLoc::Loc(loc) => u64::from(loc.0) << 1 | 1,
        }
    }

    fn from_word(word: u64) -> Self {
        let id = (word >> 1) as u32;
        match word & 1 {
            0 => AttrOrLoc::Attr(Attr(id)),
            _ => AttrOrLoc::Loc(Loc(id)),
        }
    }
}

impl Word for Type {
    fn to_word(self) -> u64 {
        self.0.into()
    }

    fn from_word(word: u64) -> Self {
        Type(word as u32)
    }
}

/// Marks an entry as not decoded. Not 0: an untouched page of zeros faults twice,
/// when first read and when first written.
const UNREAD: u32 = u32::MAX;

/// A table of attributes or types. Several readers may decode the same entry at
/// once: they decode the same value.
#[derive(Debug)]
pub(super) struct Table<T> {
    /// Offsets: one more than there are slots.
    entries: Vec<Entry>,
    /// The entries in the encoding of a dialect other than builtin, sorted.
    foreign: Vec<u32>,
    /// The decoded values, each above a bit that tells whether it has a weight;
    /// [`UNREAD`] for the others.
    slots: Vec<AtomicU32>,
    /// The weights of values that have one. They are rare, so most of this
    /// memory is never touched.
    weights: Vec<AtomicU64>,
    kind: std::marker::PhantomData<fn() -> T>,
}

impl<T: Word> Table<T> {
    fn new((entries, foreign): (Vec<Entry>, Vec<u32>)) -> Self {
        let count = entries.len() - 1;
        Table {
            slots: (0..count).map(|_| AtomicU32::new(UNREAD)).collect(),
            // The system provides these zeros lazily; nearly all stay
            // untouched.
            weights: vec![0; count].into_iter().map(AtomicU64::new).collect(),
            entries,
            foreign,
            kind: std::marker::PhantomData,
        }
    }

    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// The cached value of an entry, if it has been decoded.
    #[inline]
    pub fn get(&self, index: usize) -> Option<(T, Weight)> {
        let word = self.slots[index].load(Ordering::Acquire);
        if word == UNREAD {
            return None;
        }
        let value = T::from_word((word >> 1).into());
        if word & 1 == 0 {
            return Some((value, Weight::default()));
        }
        let weight = self.weights[index].load(Ordering::Relaxed);
        let (depth, size) = ((weight >> 32) as u32, weight as u32);
        Some((value, Weight { depth, size }))
    }

    /// Caches the value of an entry, unless its id does not fit: then it is
    /// decoded again.
    pub fn set(&self, index: usize, value: T, Weight { depth, size }: Weight) {
        let weight = u64::from(depth) << 32 | u64::from(size);
        let word = value.to_word() << 1 | u64::from(weight != 0);
        let Some(word) = u32::try_from(word).ok().filter(|&word| word != UNREAD) else {
            return;
        };
        if weight != 0 {
            self.weights[index].store(weight, Ordering::Relaxed);
        }
        self.slots[index].store(word, Ordering::Release);
    }

    /// Whether an entry is in the encoding of a dialect other than builtin,
    /// which this reader does not know.
    pub fn is_foreign(&self, index: usize) -> bool {
        self.foreign.binary_search(&(index as u32)).is_ok()
    }

    /// The range of each entry in the builtin dialect's encoding; `None` for
    /// the others.
    pub fn builtin_ranges(&self) -> impl ExactSizeIterator<Item = Option<(usize, usize)>> {
        let pairs = self.entries.windows(2);
        pairs.map(|pair| {
            let builtin = pair[0].is_builtin();
            builtin.then(|| (pair[0].start(), pair[1].start()))
        })
    }

    /// The data of an entry, and whether it is in the builtin dialect's
    /// encoding.
    pub fn open<'a>(&self, section: Cursor<'a>, index: usize) -> (Cursor<'a>, bool) {
        let (start, end) = self.range(index);
        (section.part(start, end), self.entries[index].is_builtin())
    }

    fn range(&self, index: usize) -> (usize, usize) {
        (self.entries[index].start(), self.entries[index + 1].start())
    }
}

/// Decodes the offset tables: lengths of attributes and types, grouped by
/// dialect.
pub(super) fn read_offsets<'a>(
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
        let mut foreign = Vec::new();
        while entries.len() < count {
            let dialect = dialects[offsets.index(dialects.len(), "dialect")?];
            let builtin = dialect == "builtin";
            let place = offsets.offset();
            let group = offsets.count("attributes or types")?;
            if group > count - entries.len() {
                return fail(place, "a group has more attributes or types than its table");
            }
            for _ in 0..group {
                let place = offsets.offset();
                let (length, custom) = offsets.flagged()?;
                if length > (end - start) as u64 {
                    return fail(
                        place,
                        "an attribute or type extends past the end of its section",
                    );
                }
                if custom && !builtin {
                    foreign.push(entries.len() as u32);
                }
                entries.push(Entry::new(start, custom && builtin));
                start += length as usize;
            }
        }
        Ok((entries, foreign))
    };
    let mut attrs = table(attrs)?;
    let mut types = table(types)?;
    if !offsets.at_end() {
        return offsets.error("bytes after the attributes and types");
    }
    let between = types.0.first().map_or(start, |first| first.start());
    attrs.0.push(Entry::new(between, false));
    types.0.push(Entry::new(start, false));
    Ok((Table::new(attrs), Table::new(types)))
}
