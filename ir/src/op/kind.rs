//! Operations that are alike.
//!
//! Programs repeat themselves: few operations differ from all before them in
//! more than the values they take. What follows from the rest — that a row
//! accepts an operation, what its form looks like — is worked out once a kind.

use crate::body::{Body, OpId};

/// Kinds that a table holds at most: a program without repetition is not to be
/// stored a second time.
const MAX_KINDS: usize = 1 << 14;

/// Slots of a table at first, a power of two.
const FIRST_SLOTS: usize = 64;

/// Words of a kind. Operations with more values have none.
const WORDS: usize = 16;

/// Words before those of types.
const HEAD: usize = 5;

/// Name, attributes, types of results and operands, and numbers of regions and
/// successors of an operation, and what matters of the place it stands in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Kind {
    hash: u64,
    length: usize,
    words: [u32; WORDS],
}

impl Kind {
    /// The kind of an operation, if it is short enough to have one. `around`
    /// is what the caller needs to know of its place.
    // Moving a kind costs about as much as making it.
    #[inline(always)]
    pub(crate) fn of(body: &Body, op: OpId, around: u32) -> Option<Kind> {
        let data = &body[op];
        let (regions, successors) = (data.num_regions(), data.successors().len());
        let (results, operands) = (data.num_results(), &data.operands[..]);
        if results + operands.len() > WORDS - HEAD || (regions | successors) >= 1 << 8 {
            return None;
        }
        let counts = (regions << 24 | successors << 16 | results << 8 | operands.len()) as u32;
        let mut words = [0; WORDS];
        words[0] = data.name.0;
        words[1] = data.properties.0;
        words[2] = data.attributes.0;
        words[3] = counts;
        words[4] = around;
        let mut hash = mixed(data.name.0.into(), data.properties.0);
        hash = mixed(
            hash,
            counts ^ data.attributes.0.rotate_left(16) ^ around.rotate_left(8),
        );
        let (of_results, of_operands) = words[HEAD..].split_at_mut(results);
        for (word, value) in of_results.iter_mut().zip(data.results()) {
            *word = body.ty(value).0;
            hash = mixed(hash, *word);
        }
        for (word, &value) in of_operands.iter_mut().zip(operands) {
            *word = body.ty(value).0;
            hash = mixed(hash, *word);
        }
        let length = HEAD + results + operands.len();
        Some(Kind {
            hash,
            length,
            words,
        })
    }

    /// Where to look for the kind in a table.
    fn slot(&self) -> usize {
        (self.hash ^ self.hash >> 32) as usize
    }

    /// Has operations of the kind agree in a further word; says whether there
    /// was room for it.
    pub(crate) fn add(&mut self, word: u32) -> bool {
        let Some(slot) = self.words.get_mut(self.length) else {
            return false;
        };
        *slot = word;
        self.length += 1;
        self.hash = mixed(self.hash, word);
        true
    }
}

/// A sum of numbers that depends on their order.
fn mixed(sum: u64, word: u32) -> u64 {
    (sum.rotate_left(5) ^ u64::from(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// What is known of operations by their kind.
///
/// A table with linear probing: a slot holds the number of an entry plus one,
/// or 0, and at least half of the slots are free.
#[derive(Clone, Debug)]
pub(crate) struct Kinds<T> {
    slots: Vec<u32>,
    entries: Vec<(Kind, T)>,
}

impl<T> Default for Kinds<T> {
    fn default() -> Self {
        Kinds {
            slots: Vec::new(),
            entries: Vec::new(),
        }
    }
}

impl<T> Kinds<T> {
    /// What is known of operations of this kind.
    #[inline]
    pub(crate) fn get(&self, kind: &Kind) -> Option<&T> {
        let mut at = kind.slot();
        loop {
            let slot = self.slots.get(at & self.slots.len().wrapping_sub(1))?;
            let (other, known) = self.entries.get((*slot as usize).checked_sub(1)?)?;
            if other == kind {
                return Some(known);
            }
            at += 1;
        }
    }

    /// Whether nothing is known of a kind, and there is room for it.
    pub(crate) fn takes(&self, kind: &Kind) -> bool {
        self.entries.len() < MAX_KINDS && self.get(kind).is_none()
    }

    /// Remembers what is known of a kind, if it [takes](Self::takes) it.
    pub(crate) fn insert(&mut self, kind: Kind, known: T) {
        if !self.takes(&kind) {
            return;
        }
        self.entries.push((kind, known));
        if self.entries.len() * 2 > self.slots.len() {
            self.slots = vec![0; (self.slots.len() * 2).max(FIRST_SLOTS)];
            for (entry, (kind, _)) in (1..).zip(&self.entries) {
                take_slot(&mut self.slots, kind, entry);
            }
        } else {
            take_slot(&mut self.slots, &kind, self.entries.len() as u32);
        }
    }
}

/// Puts an entry into the first free slot for its kind.
fn take_slot(slots: &mut [u32], kind: &Kind, entry: u32) {
    let mut at = kind.slot();
    let mask = slots.len() - 1;
    while slots[at & mask] != 0 {
        at += 1;
    }
    slots[at & mask] = entry;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Context;
    use crate::text::{ParseOptions, parse_module};

    #[test]
    fn operations_differ_by_name_attributes_and_types() {
        let ctx = Context::new();
        let text = "func.func @f(%a: i32, %b: i32, %c: i64) {
          %0 = arith.addi %a, %b : i32
          %1 = arith.addi %b, %0 : i32
          %2 = arith.muli %a, %b : i32
          %3 = arith.addi %c, %c : i64
          %4 = arith.addi %a, %b overflow<nsw> : i32
          return
        }";
        let module = parse_module(&ctx, "", text.as_bytes(), &ParseOptions::default());
        let module = module.expect("the text is sound");
        let (root, op) = module.root();
        let functions = root[op].isolated().expect("a module owns a body");
        let function = functions.walk()[0];
        let body = functions[function].isolated().expect("so does a function");
        let mut kinds = Kinds::default();
        let mut known = Vec::new();
        for (number, op) in body.walk().into_iter().enumerate() {
            let kind = Kind::of(body, op, 0).expect("few values");
            known.push(kinds.get(&kind).copied());
            kinds.insert(kind, number);
        }
        assert_eq!(known, [None, Some(0), None, None, None, None]);
        assert_eq!(
            Kind::of(functions, function, 0),
            Kind::of(functions, function, 0)
        );
        assert_ne!(
            Kind::of(functions, function, 0),
            Kind::of(functions, function, 1)
        );
    }
}
