//! Operations that are alike.
//!
//! Programs repeat themselves: few operations differ from all before them in
//! more than the values they take. What follows from the rest — that a row
//! accepts an operation, what its form looks like — is worked out once a kind.

use hashbrown::HashTable;

use crate::body::{Body, OpId};

/// Kinds that a table holds at most: a program without repetition is not to be
/// stored a second time.
const MAX_KINDS: usize = 1 << 14;

/// Words of a kind. Operations with more values have none.
const WORDS: usize = 16;

/// Words before those of types.
const HEAD: usize = 5;

/// Name, attributes, types of results and operands, and numbers of regions and
/// successors of an operation, and what matters of the place it stands in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Kind([u32; WORDS]);

impl Kind {
    /// The kind of an operation, if it is short enough to have one. `around`
    /// is what the caller needs to know of its place.
    #[inline]
    pub(crate) fn of(body: &Body, op: OpId, around: u32) -> Option<Kind> {
        let data = &body[op];
        let (regions, successors) = (data.num_regions(), data.successors.len());
        let (results, operands) = (data.num_results(), &data.operands[..]);
        if results + operands.len() > WORDS - HEAD || (regions | successors) >= 1 << 8 {
            return None;
        }
        let counts = regions << 24 | successors << 16 | results << 8 | operands.len();
        let mut words = [0; WORDS];
        words[0] = data.name.0;
        words[1] = data.properties.0;
        words[2] = data.attributes.0;
        words[3] = counts as u32;
        words[4] = around;
        let mut at = HEAD;
        for value in data.results() {
            words[at] = body.ty(value).0;
            at += 1;
        }
        for &value in operands {
            words[at] = body.ty(value).0;
            at += 1;
        }
        Some(Kind(words))
    }

    /// Two sums side by side, so that one multiplication need not wait for the
    /// other; words that no value has are left out.
    fn hash(&self) -> u64 {
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        let [_, _, _, counts, ..] = self.0;
        let length = HEAD + (counts >> 8 & 0xff) as usize + (counts & 0xff) as usize;
        let mut sums = [0u64; 2];
        for four in self.0.as_chunks::<4>().0.iter().take(length.div_ceil(4)) {
            let [a, b, c, d] = four.map(u64::from);
            sums[0] = (sums[0].rotate_left(5) ^ (a << 32 | b)).wrapping_mul(FACTOR);
            sums[1] = (sums[1].rotate_left(5) ^ (c << 32 | d)).wrapping_mul(FACTOR);
        }
        let sum = sums[0].rotate_left(17) ^ sums[1];
        sum ^ (sum >> 32)
    }
}

/// What is known of operations by their kind.
#[derive(Clone, Debug)]
pub(crate) struct Kinds<T> {
    table: HashTable<(Kind, T)>,
}

impl<T> Default for Kinds<T> {
    fn default() -> Self {
        let table = HashTable::new();
        Kinds { table }
    }
}

impl<T> Kinds<T> {
    /// What is known of operations of this kind.
    pub(crate) fn get(&self, kind: &Kind) -> Option<&T> {
        let found = self.table.find(kind.hash(), |(other, _)| other == kind);
        found.map(|(_, known)| known)
    }

    /// Remembers what is known of a kind of which nothing was.
    pub(crate) fn insert(&mut self, kind: Kind, known: T) {
        if self.table.len() < MAX_KINDS {
            let hash = |(kind, _): &(Kind, T)| kind.hash();
            self.table.insert_unique(kind.hash(), (kind, known), hash);
        }
    }
}
