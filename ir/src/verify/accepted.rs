//! Operations like one that was accepted.
//!
//! The row of an operation asks for its name, the types of its values, its
//! attributes, how many regions and successors it has, and sometimes what
//! stands around it: an operation that is like an accepted one in all of these
//! is accepted too. Programs repeat themselves, so that few are new.

use hashbrown::HashTable;

use super::Check;

/// Kinds of operations remembered: a program without repetition is not to be
/// stored a second time.
const MAX_KINDS: usize = 1 << 14;

/// Words of a kind. Operations with more values are not remembered.
const WORDS: usize = 16;

/// Words before those of types.
const HEAD: usize = 5;

/// All that a row may ask of an operation, as numbers.
pub(super) type Kind = [u32; WORDS];

/// The kinds of operations that their rows have accepted.
#[derive(Default)]
pub(super) struct Accepted {
    kinds: HashTable<Kind>,
}

impl Accepted {
    /// Whether an operation of this kind has been accepted.
    pub(super) fn contains(&self, kind: &Kind) -> bool {
        let found = self.kinds.find(hash(kind), |other| other == kind);
        found.is_some()
    }

    /// Remembers an accepted operation.
    pub(super) fn insert(&mut self, kind: Kind) {
        if self.kinds.len() < MAX_KINDS {
            self.kinds.insert_unique(hash(&kind), kind, hash);
        }
    }
}

/// Two sums side by side, so that one multiplication need not wait for the other.
fn hash(kind: &Kind) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut sums = [0u64; 2];
    for pairs in kind.as_chunks::<4>().0 {
        let [a, b, c, d] = pairs.map(u64::from);
        sums[0] = (sums[0].rotate_left(5) ^ (a << 32 | b)).wrapping_mul(FACTOR);
        sums[1] = (sums[1].rotate_left(5) ^ (c << 32 | d)).wrapping_mul(FACTOR);
    }
    let sum = sums[0].rotate_left(17) ^ sums[1];
    sum ^ (sum >> 32)
}

/// The kind of an operation, if it is short enough to be remembered.
pub(super) fn kind_of(check: &Check) -> Option<Kind> {
    let data = check.data();
    let needs_parent = data.name.def().is_some_and(|def| !def.parents.is_empty());
    let parent = match needs_parent {
        true => check.parent().map_or(u32::MAX, |parent| parent.name().0),
        false => u32::MAX,
    };
    let regions = data.num_regions();
    let (results, operands) = (data.num_results(), &data.operands[..]);
    let fits = results + operands.len() <= WORDS - HEAD;
    if !fits || (regions | data.successors.len()) >= 1 << 8 {
        return None;
    }
    let mut kind = [0; WORDS];
    kind[0] = data.name.0;
    kind[1] = data.properties.0;
    kind[2] = data.attributes.0;
    kind[3] = parent;
    let counts = regions << 24 | data.successors.len() << 16 | results << 8 | operands.len();
    kind[4] = counts as u32;
    let (body, mut at) = (check.body(), HEAD);
    for value in data.results() {
        kind[at] = body.ty(value).0;
        at += 1;
    }
    for &value in operands {
        kind[at] = body.ty(value).0;
        at += 1;
    }
    Some(kind)
}
