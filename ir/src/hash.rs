//! The hash of the crate's own tables.
//!
//! What is hashed here is a few words or a name of a few bytes, several times
//! for each operation of a file: a keyed hash would cost more than the look-up.
//! One multiplication a word, as in Firefox's and rustc's tables.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hash, Hasher};

/// A map with this hash.
pub(crate) type FxHashMap<K, V> = HashMap<K, V, BuildHasherDefault<FxHasher>>;

/// The hash of one key.
pub(crate) fn hash_of<Q: Hash + ?Sized>(key: &Q) -> u64 {
    BuildHasherDefault::<FxHasher>::default().hash_one(key)
}

/// The state: everything hashed so far.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct FxHasher(u64);

impl FxHasher {
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for FxHasher {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.add(u64::from_le_bytes(*word));
        }
        // The length, which the top byte takes, tells `a` from `a\0`.
        let mut last = (rest.len() as u64) << 56;
        for (at, &byte) in rest.iter().enumerate() {
            last |= u64::from(byte) << (8 * at);
        }
        self.add(last);
    }

    fn write_u8(&mut self, value: u8) {
        self.add(value.into());
    }

    fn write_u32(&mut self, value: u32) {
        self.add(value.into());
    }

    fn write_u64(&mut self, value: u64) {
        self.add(value);
    }

    fn write_u128(&mut self, value: u128) {
        self.add(value as u64);
        self.add((value >> 64) as u64);
    }

    fn write_usize(&mut self, value: usize) {
        self.add(value as u64);
    }

    fn finish(&self) -> u64 {
        // Tables take their slot from the low bits, where a product is weakest.
        self.0 ^ (self.0 >> 32)
    }
}
