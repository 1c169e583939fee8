//! The names of values in scope, borrowed from the source.
//!
//! One hash table serves the whole parse: leaving a scope takes its entries
//! out again, so that no table is built for a function.

use hashbrown::HashTable;

use crate::body::Value;

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<'s> {
    pub name: &'s [u8],
    /// The first of the values that the name stands for; `None` after the
    /// definition was refused: uses are then taken as they come.
    pub first: Option<Value>,
    /// How many consecutive values.
    pub count: u32,
    /// Byte position of the definition.
    pub pos: u32,
    /// How many isolated regions lie around it.
    pub level: u32,
    key: Key,
}

/// What tells names apart: up to eight bytes all at once, of longer names a
/// hash, and the length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Key {
    word: u64,
    len: u32,
}

impl Key {
    #[inline]
    fn of(name: &[u8]) -> Key {
        let half = |bytes: &[u8; 4]| u64::from(u32::from_le_bytes(*bytes));
        let word = match (name.first_chunk::<4>(), name.last_chunk::<4>()) {
            // The two halves may overlap; with the length they say all.
            (Some(first), Some(last)) if name.len() <= 8 => half(first) << 32 | half(last),
            (Some(_), _) => crate::hash::hash_of(name),
            _ => name
                .iter()
                .fold(0, |word, &byte| word << 8 | u64::from(byte)),
        };
        let len = name.len() as u32;
        Key { word, len }
    }

    /// Spread over all bits.
    #[inline]
    fn hash(self) -> u64 {
        let product = (self.word ^ u64::from(self.len)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        product ^ (product >> 32)
    }

    /// Whether `entry` is of this key's name.
    #[inline]
    fn fits(self, name: &[u8], entry: &Entry) -> bool {
        self == entry.key && (self.len <= 8 || name == entry.name)
    }
}

/// The names in scope.
#[derive(Default, Debug)]
pub(crate) struct Names<'s> {
    table: HashTable<u32>,
    entries: Vec<Entry<'s>>,
}

/// A place to return to with [`Names::leave`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark(usize);

impl<'s> Names<'s> {
    /// Whether nothing has a name.
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Opens a scope.
    pub(crate) fn enter(&self) -> Mark {
        Mark(self.entries.len())
    }

    /// Forgets what was defined since `mark`.
    pub(crate) fn leave(&mut self, mark: Mark) {
        while self.entries.len() > mark.0 {
            let last = (self.entries.len() - 1) as u32;
            let entries = &self.entries;
            let entry = entries[last as usize];
            if let Ok(slot) = self.table.find_entry(entry.key.hash(), |&i| i == last) {
                slot.remove();
            }
            self.entries.pop();
        }
    }

    /// What a name stands for.
    pub(crate) fn find(&self, name: &[u8]) -> Option<&Entry<'s>> {
        let key = Key::of(name);
        let fits = |&i: &u32| key.fits(name, &self.entries[i as usize]);
        let index = self.table.find(key.hash(), fits)?;
        Some(&self.entries[*index as usize])
    }

    /// Adds a name; gives back the earlier definition it clashes with. As
    /// upstream, the regions of isolated operations hide no names.
    pub(crate) fn define(
        &mut self,
        name: &'s [u8],
        first: Option<Value>,
        count: u32,
        pos: u32,
        level: u32,
    ) -> Result<(), Entry<'s>> {
        let new = self.entries.len() as u32;
        let entries = &self.entries;
        let key = Key::of(name);
        let slot = self.table.entry(
            key.hash(),
            |&i| key.fits(name, &entries[i as usize]),
            |&i| entries[i as usize].key.hash(),
        );
        match slot {
            hashbrown::hash_table::Entry::Occupied(slot) => {
                return Err(entries[*slot.get() as usize]);
            }
            hashbrown::hash_table::Entry::Vacant(slot) => {
                slot.insert(new);
            }
        }
        self.entries.push(Entry {
            name,
            first,
            count,
            pos,
            level,
            key,
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_nest_and_hide_nothing() {
        let mut names = Names::default();
        names.define(b"a", None, 1, 10, 0).unwrap();
        let outer = names.enter();
        assert_eq!(names.define(b"a", None, 1, 20, 0).unwrap_err().pos, 10);
        assert_eq!(names.define(b"a", None, 1, 30, 1).unwrap_err().pos, 10);
        names.define(b"b", None, 1, 40, 1).unwrap();
        assert_eq!(names.find(b"b").unwrap().pos, 40);
        names.leave(outer);
        assert_eq!(names.find(b"a").unwrap().pos, 10);
        assert!(names.find(b"b").is_none());
    }
}
