//! Scoped symbol table of SSA names, borrowed from the source.
//!
//! One hash table serves the whole parse: leaving a scope removes its entries, so that no table is
//! built for a function.

use crate::body::Value;

/// Symbol-table entry of a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<'s> {
    pub name: &'s [u8],
    /// The first of the values that the name stands for; `None` after the definition was refused:
    /// uses are then accepted as they come.
    pub first: Option<Value>,
    /// The number of consecutive values.
    pub count: u32,
    /// Byte position of the definition.
    pub pos: u32,
    /// Isolation depth of the definition.
    pub level: u32,
    key: Key,
    slot: u32,
}

/// Key of a name: its length, and up to eight bytes of it as a word, or the hash of a longer one.
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
            // The two halves may overlap; with the length they determine the name.
            (Some(first), Some(last)) if name.len() <= 8 => half(first) << 32 | half(last),
            (Some(_), _) => crate::hash::hash_of(name),
            _ => name
                .iter()
                .fold(0, |word, &byte| word << 8 | u64::from(byte)),
        };
        let len = name.len() as u32;
        Key { word, len }
    }

    /// Hashes the key to all bits.
    #[inline]
    fn hash(self) -> usize {
        let product = (self.word ^ u64::from(self.len)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (product ^ (product >> 32)) as usize
    }

    /// Whether `entry` is that of the name with this key.
    #[inline]
    fn fits(self, name: &[u8], entry: &Entry) -> bool {
        self == entry.key && (self.len <= 8 || name == entry.name)
    }
}

/// Scoped symbol table, by open addressing.
///
/// Names are removed in the reverse of the order in which they were added. That keeps open
/// addressing simple: a search passes only slots that were filled before the one it ends at, so
/// that emptying the slot filled last hides none.
#[derive(Default, Debug)]
pub(crate) struct ScopedNames<'s> {
    /// Index of each slot's entry plus one; 0 for an empty slot. A power of two in number, at least
    /// twice the entries.
    slots: Vec<u32>,
    entries: Vec<Entry<'s>>,
}

/// Scope mark: a state to return to with [`ScopedNames::leave`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark(usize);

impl<'s> ScopedNames<'s> {
    /// Whether no name is in scope.
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Opens a scope.
    pub(crate) fn enter(&self) -> Mark {
        Mark(self.entries.len())
    }

    /// Leaves a scope: removes the names defined since `mark`.
    pub(crate) fn leave(&mut self, mark: Mark) {
        for entry in self.entries.drain(mark.0..).rev() {
            self.slots[entry.slot as usize] = 0;
        }
    }

    /// Searches a name: its entry, or the empty slot where it belongs.
    #[inline]
    fn search(&self, name: &[u8], key: Key) -> Result<&Entry<'s>, usize> {
        let mask = self.slots.len().wrapping_sub(1);
        let mut slot = key.hash() & mask;
        // There are empty slots, unless there are no slots at all.
        while let Some(&index) = self.slots.get(slot)
            && let Some(entry) = self.entries.get((index as usize).wrapping_sub(1))
        {
            if key.fits(name, entry) {
                return Ok(entry);
            }
            slot = (slot + 1) & mask;
        }
        Err(slot)
    }

    /// Returns the entry of a name.
    pub(crate) fn find(&self, name: &[u8]) -> Option<&Entry<'s>> {
        self.search(name, Key::of(name)).ok()
    }

    /// Adds a name; the error is the earlier definition it clashes with. As upstream, the regions
    /// of isolated operations hide no names.
    pub(crate) fn define(
        &mut self,
        name: &'s [u8],
        first: Option<Value>,
        count: u32,
        pos: u32,
        level: u32,
    ) -> Result<(), Entry<'s>> {
        if self.slots.len() <= self.entries.len() * 2 {
            self.grow();
        }
        let key = Key::of(name);
        let slot = match self.search(name, key) {
            Ok(earlier) => return Err(*earlier),
            Err(slot) => slot,
        };
        self.entries.push(Entry {
            name,
            first,
            count,
            pos,
            level,
            key,
            slot: slot as u32,
        });
        self.slots[slot] = self.entries.len() as u32;
        Ok(())
    }

    /// Doubles the number of slots.
    fn grow(&mut self) {
        let len = (self.slots.len() * 2).max(64);
        self.slots.clear();
        self.slots.resize(len, 0);
        for (index, entry) in (1..).zip(&mut self.entries) {
            let mut slot = entry.key.hash() & (len - 1);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (len - 1);
            }
            self.slots[slot] = index;
            entry.slot = slot as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_nest_and_hide_nothing() {
        let mut names = ScopedNames::default();
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

    /// Scopes come and go while the table grows; the oracle is a plain list of lists.
    #[test]
    fn finds_what_a_list_of_scopes_finds() {
        let texts: Vec<String> = (0..3000u32)
            .map(|n| format!("{}{n}", ["", "v", "a_long_name_"][n as usize % 3]))
            .collect();
        let mut names = ScopedNames::default();
        let mut scopes: Vec<(Mark, Vec<usize>)> = vec![(names.enter(), vec![])];
        let mut random = 1u32;
        for step in 0..20_000 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let at = (random >> 8) as usize % texts.len();
            match random >> 28 {
                0 => scopes.push((names.enter(), vec![])),
                1 if scopes.len() > 1 => {
                    let (mark, _) = scopes.pop().unwrap();
                    names.leave(mark);
                }
                _ => {
                    let known = scopes.iter().any(|scope| scope.1.contains(&at));
                    assert_eq!(names.find(texts[at].as_bytes()).is_some(), known);
                    let defined = names.define(texts[at].as_bytes(), None, 1, step, 0);
                    assert_eq!(defined.is_err(), known);
                    if !known {
                        scopes.last_mut().unwrap().1.push(at);
                    }
                }
            }
        }
        assert!(names.slots.len() > 512, "the table has grown");
    }
}
