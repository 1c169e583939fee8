//! FxHash: the hash function of the compiler's own tables.
//!
//! The keys are a few words or a short name, looked up several times for each operation of a file:
//! a keyed hash would cost more than the look-up. This one takes one multiplication a word, as in
//! Firefox's and rustc's tables.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, Hash, Hasher};

/// A hash map with this hash function.
pub type FxHashMap<K, V> = HashMap<K, V, BuildHasherDefault<FxHasher>>;

/// A hash set with this hash function.
pub type FxHashSet<K> = HashSet<K, BuildHasherDefault<FxHasher>>;

/// Hashes one key.
pub(crate) fn hash_of<Q: Hash + ?Sized>(key: &Q) -> u64 {
    BuildHasherDefault::<FxHasher>::default().hash_one(key)
}

/// Hasher state: the mix of everything hashed so far.
#[derive(Clone, Copy, Default, Debug)]
pub struct FxHasher(u64);

impl FxHasher {
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for FxHasher {
    fn write(&mut self, bytes: &[u8]) {
        // The last words may overlap: the length tells them apart.
        self.0 = self.0.wrapping_add(bytes.len() as u64);
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.add(u64::from_le_bytes(*word));
        }
        if rest.is_empty() {
            return;
        }
        self.add(
            match (bytes.last_chunk::<8>(), bytes, bytes.last_chunk::<4>()) {
                (Some(last), ..) => u64::from_le_bytes(*last),
                (_, [a, b, c, d, ..], Some(last)) => {
                    let first = u32::from_le_bytes([*a, *b, *c, *d]);
                    u64::from(first) << 32 | u64::from(u32::from_le_bytes(*last))
                }
                // At most three bytes: the first, the middle one, the last.
                _ => {
                    let at = |index: usize| u64::from(bytes[index]);
                    at(0) << 16 | at(bytes.len() / 2) << 8 | at(bytes.len() - 1)
                }
            },
        );
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
