//! Append-only interners: each distinct item is stored once and named by a dense `u32`.
//!
//! Reading an item takes no lock and its address never changes, so a `&T` lives as long as the
//! [`Context`](crate::Context) that owns the interner. Finding the id of an interned key takes no
//! lock either, and nearly every look-up ends there; only adding an item locks.

use std::hash::Hash;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use hashbrown::Equivalent;

use crate::hash::hash_of;

/// Slots of the first table, a power of two.
const FIRST_SLOTS: usize = 64;

/// Each table is twice as large as the one before: enough for 2^31 items.
const MAX_TABLES: usize = 27;

/// A deduplicating store of `T`, shared by all threads.
///
/// The index is an open-addressing hash table with linear probing. A slot is 0 or one word: an
/// item's id plus one in as many low bits as the table's size has, and above them those bits of
/// the item's hash that do not choose the slot. So a table takes eight bytes an item and little
/// cache, and an item with another hash is hardly ever looked at. Tables are filled before they
/// are shown to readers and stay until the end, so that a reader is never disturbed: at worst it
/// looks into a table that has just been replaced, misses a new item there and asks again under
/// the lock.
pub(crate) struct Interner<T> {
    items: boxcar::Vec<T>,
    tables: [OnceLock<Box<[AtomicU32]>>; MAX_TABLES],
    /// The index of the table in use.
    newest: AtomicUsize,
    /// Hashes of all items, from which the next table is filled: reading the items again would miss
    /// the cache for each. Adding an item holds this lock.
    hashes: Mutex<Vec<u32>>,
}

impl<T: Hash + Eq> Interner<T> {
    pub(crate) fn new() -> Self {
        Self {
            items: boxcar::Vec::new(),
            tables: [const { OnceLock::new() }; MAX_TABLES],
            newest: AtomicUsize::new(0),
            hashes: Mutex::default(),
        }
    }

    /// Returns the item of an id. Ids only come from [`Interner::intern`], so an unknown one is an
    /// id of another context: a bug in the caller.
    pub(crate) fn get(&self, id: u32) -> &T {
        &self.items[id as usize]
    }

    /// Returns the id of `key` if it has been interned.
    pub(crate) fn find<Q: Hash + Equivalent<T> + ?Sized>(&self, key: &Q) -> Option<u32> {
        self.find_hashed(hash_word(key), key)
    }

    /// Returns the id of `key`, which `make` turns into an owned item the first time.
    pub(crate) fn intern<Q: Hash + Equivalent<T> + ?Sized>(
        &self,
        key: &Q,
        make: impl FnOnce() -> T,
    ) -> u32 {
        let hash = hash_word(key);
        self.find_hashed(hash, key)
            .unwrap_or_else(|| self.add(hash, key, make))
    }

    /// Interns an owned item.
    pub(crate) fn intern_owned(&self, item: T) -> u32 {
        let hash = hash_word(&item);
        match self.find_hashed(hash, &item) {
            Some(id) => id,
            None => self.add_owned(hash, item),
        }
    }

    /// The ids of all items; one that another thread adds meanwhile may be missing.
    pub(crate) fn ids(&self) -> impl Iterator<Item = u32> {
        // `push` gives no item an id of more bits.
        self.items.iter().map(|(id, _)| id as u32)
    }

    /// The number of distinct items.
    pub(crate) fn len(&self) -> usize {
        self.items.count()
    }

    fn find_hashed<Q: Equivalent<T> + ?Sized>(&self, hash: u32, key: &Q) -> Option<u32> {
        let table = self.tables[self.newest.load(Ordering::Acquire)].get()?;
        let low = low_bits(table);
        let mut at = hash;
        loop {
            let slot = table[(at & low) as usize].load(Ordering::Acquire);
            if slot == 0 {
                return None;
            }
            if (slot ^ hash) & !low == 0 {
                let id = (slot & low).wrapping_sub(1);
                if key.equivalent(self.get(id)) {
                    return Some(id);
                }
            }
            at = at.wrapping_add(1);
        }
    }

    #[cold]
    fn add<Q: Equivalent<T> + ?Sized>(&self, hash: u32, key: &Q, make: impl FnOnce() -> T) -> u32 {
        // A poisoned lock means another thread panicked between two complete
        // states of the index; the index itself is still sound.
        let mut hashes = self.hashes.lock().unwrap_or_else(PoisonError::into_inner);
        self.find_hashed(hash, key)
            .unwrap_or_else(|| self.push(&mut hashes, hash, make()))
    }

    #[cold]
    fn add_owned(&self, hash: u32, item: T) -> u32 {
        let mut hashes = self.hashes.lock().unwrap_or_else(PoisonError::into_inner);
        self.find_hashed(hash, &item)
            .unwrap_or_else(|| self.push(&mut hashes, hash, item))
    }

    /// Appends an item that the interner lacks, and its slot; grows the index when half full.
    fn push(&self, hashes: &mut Vec<u32>, hash: u32, item: T) -> u32 {
        let mut newest = self.newest.load(Ordering::Relaxed);
        // A load factor of one half at most ends every search soon.
        if hashes.len() >= (FIRST_SLOTS << newest) / 2 {
            newest += 1;
        }
        let table = self.tables[newest].get_or_init(|| {
            let table = (0..FIRST_SLOTS << newest).map(|_| AtomicU32::new(0));
            let table: Box<[AtomicU32]> = table.collect();
            for (id, &hash) in (0..).zip(&*hashes) {
                put(&table, hash, id);
            }
            table
        });
        self.newest.store(newest, Ordering::Release);
        let id = u32::try_from(self.items.push(item)).expect("fewer than 2^31 interned items");
        hashes.push(hash);
        put(table, hash, id);
        id
    }
}

/// Hashes a key to 32 bits. All bits of the lower half depend on all words.
fn hash_word<Q: Hash + ?Sized>(key: &Q) -> u32 {
    hash_of(key) as u32
}

/// Mask of the bits of a hash that choose the slot, which are those that hold the id plus one in a
/// slot: at most half of the slots are taken, so that it fits.
fn low_bits(table: &[AtomicU32]) -> u32 {
    (table.len() - 1) as u32
}

/// Puts an item into the next free slot.
fn put(table: &[AtomicU32], hash: u32, id: u32) {
    let low = low_bits(table);
    let mut at = hash;
    loop {
        let slot = &table[(at & low) as usize];
        if slot.load(Ordering::Relaxed) == 0 {
            slot.store((hash & !low) | (id + 1), Ordering::Release);
            return;
        }
        at = at.wrapping_add(1);
    }
}

impl<T> std::fmt::Debug for Interner<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Interner({} items)", self.items.count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Equal only to itself, with the same hash as all others.
    #[derive(PartialEq, Eq)]
    struct Alike(u32);

    impl Hash for Alike {
        fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
            state.write_u32(7);
        }
    }

    #[test]
    fn equal_hashes_are_told_apart() {
        let interner = Interner::new();
        for n in 0..500 {
            assert_eq!(interner.intern_owned(Alike(n)), n);
        }
        for n in 0..500 {
            assert_eq!(interner.find(&Alike(n)), Some(n));
        }
        assert_eq!(interner.find(&Alike(500)), None);
    }

    #[test]
    fn threads_agree_on_ids() {
        let interner: Interner<Box<str>> = Interner::new();
        let ids = |_| {
            let id = |n: u32| interner.intern(n.to_string().as_str(), || n.to_string().into());
            (0..2_000).map(id).collect::<Vec<u32>>()
        };
        let all: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|n| scope.spawn(move || ids(n))).collect();
            threads.into_iter().map(|t| t.join().unwrap()).collect()
        });
        assert!(all.iter().all(|ids| *ids == all[0]));
        assert_eq!(interner.len(), 2_000);
        for (n, &id) in all[0].iter().enumerate() {
            assert_eq!(**interner.get(id), *n.to_string());
            assert_eq!(interner.find(n.to_string().as_str()), Some(id));
        }
        assert_eq!(interner.find("2000"), None);
    }
}
