//! The names of values in scope, borrowed from the source.
//!
//! One hash table serves the whole parse: leaving a scope takes its entries
//! out again, so that no table is built for a function.

use hashbrown::HashTable;

use crate::body::Value;
use crate::hash::hash_of as hash;

const NOTHING: u32 = u32::MAX;

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
    /// The entry of the same name outside the isolated region.
    shadowed: u32,
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
            if let Ok(mut slot) = self.table.find_entry(hash(entry.name), |&i| i == last) {
                if entry.shadowed == NOTHING {
                    slot.remove();
                } else {
                    *slot.get_mut() = entry.shadowed;
                }
            }
            self.entries.pop();
        }
    }

    /// What a name stands for.
    pub(crate) fn find(&self, name: &[u8]) -> Option<&Entry<'s>> {
        let index = self
            .table
            .find(hash(name), |&i| self.entries[i as usize].name == name)?;
        Some(&self.entries[*index as usize])
    }

    /// Adds a name; gives back the earlier definition it clashes with.
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
        let slot = self.table.entry(
            hash(name),
            |&i| entries[i as usize].name == name,
            |&i| hash(entries[i as usize].name),
        );
        let mut shadowed = NOTHING;
        match slot {
            hashbrown::hash_table::Entry::Occupied(mut slot) => {
                let earlier = entries[*slot.get() as usize];
                if earlier.level == level {
                    return Err(earlier);
                }
                shadowed = std::mem::replace(slot.get_mut(), new);
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
            shadowed,
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_nest_and_shadow_across_isolation() {
        let mut names = Names::default();
        names.define(b"a", None, 1, 10, 0).unwrap();
        let outer = names.enter();
        assert_eq!(names.define(b"a", None, 1, 20, 0).unwrap_err().pos, 10);
        names.define(b"a", None, 1, 30, 1).unwrap();
        names.define(b"b", None, 1, 40, 1).unwrap();
        assert_eq!(names.find(b"a").unwrap().pos, 30);
        names.leave(outer);
        assert_eq!(names.find(b"a").unwrap().pos, 10);
        assert!(names.find(b"b").is_none());
    }
}
