//! Append-only interners: what has no identity is stored once and named by a
//! dense `u32`.
//!
//! Reading an item takes no lock and its address never changes, so a `&T`
//! lives as long as the [`Context`](crate::Context) that owns the interner.
//! Adding one takes a write lock on the hash index only.

use std::borrow::Borrow;
use std::hash::{BuildHasher, Hash};
use std::sync::{PoisonError, RwLock};

use hashbrown::{DefaultHashBuilder, HashTable};

/// A deduplicating store of `T`, shared by all threads.
pub(crate) struct Interner<T> {
    items: boxcar::Vec<T>,
    index: RwLock<HashTable<u32>>,
    hasher: DefaultHashBuilder,
}

impl<T: Hash + Eq> Interner<T> {
    pub(crate) fn new() -> Self {
        Self {
            items: boxcar::Vec::new(),
            index: RwLock::new(HashTable::new()),
            hasher: DefaultHashBuilder::default(),
        }
    }

    /// The item an id stands for. Ids only come from [`Interner::intern`], so
    /// an unknown one is an id of another context: a bug in the caller.
    pub(crate) fn get(&self, id: u32) -> &T {
        &self.items[id as usize]
    }

    /// The id of `key` if it has been interned.
    pub(crate) fn find<Q>(&self, key: &Q) -> Option<u32>
    where
        T: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let hash = self.hasher.hash_one(key);
        let index = self.index.read().unwrap_or_else(PoisonError::into_inner);
        index
            .find(hash, |&id| self.get(id).borrow() == key)
            .copied()
    }

    /// The id of `key`, which `make` turns into an owned item the first time.
    pub(crate) fn intern<Q>(&self, key: &Q, make: impl FnOnce() -> T) -> u32
    where
        T: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        if let Some(id) = self.find(key) {
            return id;
        }
        let hash = self.hasher.hash_one(key);
        // A poisoned lock means another thread panicked between two complete
        // states of the index; the index itself is still sound.
        let mut index = self.index.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(&id) = index.find(hash, |&id| self.get(id).borrow() == key) {
            return id;
        }
        let id = u32::try_from(self.items.push(make())).expect("fewer than 2^32 interned items");
        index.insert_unique(hash, id, |&id| {
            self.hasher.hash_one::<&Q>(self.get(id).borrow())
        });
        id
    }

    /// Interns an owned item.
    pub(crate) fn intern_owned(&self, item: T) -> u32 {
        if let Some(id) = self.find::<T>(&item) {
            return id;
        }
        let hash = self.hasher.hash_one(&item);
        let mut index = self.index.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(&id) = index.find(hash, |&id| *self.get(id) == item) {
            return id;
        }
        let id = u32::try_from(self.items.push(item)).expect("fewer than 2^32 interned items");
        index.insert_unique(hash, id, |&id| self.hasher.hash_one(self.get(id)));
        id
    }

    /// How many distinct items there are.
    pub(crate) fn len(&self) -> usize {
        self.items.count()
    }
}

impl<T> std::fmt::Debug for Interner<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Interner({} items)", self.items.count())
    }
}
