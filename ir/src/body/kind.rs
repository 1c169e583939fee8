//! Operation kinds: cache keys that equal operations share up to their operands' identity.
//!
//! Programs repeat themselves: few operations differ from all before them in more than the values
//! they take. Properties that follow from the kind alone — that a row accepts an operation, what its
//! form looks like — are computed once a kind.

use hashbrown::HashTable;

use crate::attr::AttrDict;
use crate::attr_names;
use crate::body::{Body, OpId};
use crate::context::Context;

/// Capacity of a table of kinds: a program without repetition must not be stored a second time.
const MAX_KINDS: usize = 1 << 14;

/// Capacity of a kind in words. Operations with more values have none.
const WORDS: usize = 16;

/// Header words of a kind, before those of types.
const HEAD: usize = 5;

/// Wildcard word for a symbol's name. No attribute has this id.
const ANY_NAME: u32 = u32::MAX;

/// Hash factors: an odd one for each word, from splitmix64. A sum of products costs less than a
/// hash whose every step waits for the one before, and its upper half depends on every word and its
/// place.
const FACTORS: [u64; WORDS] = {
    let mut factors = [0; WORDS];
    let (mut at, mut state) = (0, 0u64);
    while at < WORDS {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        factors[at] = (mixed ^ mixed >> 31) | 1;
        at += 1;
    }
    factors
};

/// Kind of an operation: name, attributes, types of results and operands, numbers of regions and
/// successors, and a word that the caller chooses for the place it stands in.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Kind {
    /// The hash: the sum of the words times their factors.
    sum: u64,
    length: usize,
    /// The words up to `length`; those past it may be anything.
    words: [u32; WORDS],
}

impl Kind {
    /// Sets this to the kind of an operation; returns false if the operation is too large to have
    /// one. `around` is the caller's word for its place. In place, since moving a kind costs about
    /// as much as making it.
    #[inline(always)]
    pub(crate) fn set(&mut self, body: &Body, op: OpId, around: u32) -> bool {
        self.set_with(body, op, around, body[op].properties)
    }

    /// As [`set`](Self::set) for an operation that defines a symbol: operations that differ in the
    /// symbol's name only share a kind.
    pub(crate) fn set_symbol(&mut self, ctx: &Context, body: &Body, op: OpId, around: u32) -> bool {
        let mut entries = body[op].properties.entries(ctx).iter();
        self.set_with(body, op, around, AttrDict::EMPTY)
            && entries.all(|&(name, value)| {
                // A `sym_name` that is no string stays part of the kind.
                let is_name = name == attr_names::SYM_NAME && value.as_str(ctx).is_some();
                let value = if is_name { ANY_NAME } else { value.0 };
                self.add(name.0) && self.add(value)
            })
    }

    #[inline(always)]
    fn set_with(&mut self, body: &Body, op: OpId, around: u32, properties: AttrDict) -> bool {
        let data = &body[op];
        let (regions, successors) = (data.num_regions(), data.successors().len());
        let (results, operands) = (data.num_results(), &data.operands[..]);
        if results + operands.len() > WORDS - HEAD || (regions | successors) >= 1 << 8 {
            return false;
        }
        let counts = (regions << 24 | successors << 16 | results << 8 | operands.len()) as u32;
        let (head, types) = self.words.split_at_mut(HEAD);
        let (of_head, of_types) = FACTORS.split_at(HEAD);
        let words = [data.name.0, properties.0, data.attributes.0, counts, around];
        head.copy_from_slice(&words);
        let mut sum = of_head.iter().zip(words).fold(0, add_product);
        let (types, more_types) = types.split_at_mut(results);
        let (factors, more_factors) = of_types.split_at(results);
        for ((slot, factor), value) in types.iter_mut().zip(factors).zip(data.results()) {
            *slot = body.ty(value).0;
            sum = add_product(sum, (factor, *slot));
        }
        let slots = more_types.iter_mut().zip(more_factors);
        for ((slot, factor), &value) in slots.zip(operands) {
            *slot = body.ty(value).0;
            sum = add_product(sum, (factor, *slot));
        }
        self.sum = sum;
        self.length = HEAD + results + operands.len();
        true
    }

    /// Appends a word that operations of the kind must agree in; returns false if there is no room
    /// for it.
    #[inline(always)]
    pub(crate) fn add(&mut self, word: u32) -> bool {
        let Some(slot) = self.words.get_mut(self.length) else {
            return false;
        };
        *slot = word;
        self.sum = add_product(self.sum, (&FACTORS[self.length], word));
        self.length += 1;
        true
    }

    /// The table hash: tables look at the lowest and at the uppermost bits, so the well-mixed upper
    /// half of the sum goes there.
    fn hash(&self) -> u64 {
        self.sum.rotate_left(26)
    }

    fn words(&self) -> &[u32] {
        &self.words[..self.length]
    }
}

fn add_product(sum: u64, (factor, word): (&u64, u32)) -> u64 {
    sum.wrapping_add(u64::from(word).wrapping_mul(*factor))
}

impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        self.words() == other.words()
    }
}

/// Map from kinds to a property that all operations of the kind share.
#[derive(Clone, Debug)]
pub(crate) struct Kinds<T> {
    table: HashTable<Entry<T>>,
    /// The words of all kinds, one after the other.
    words: Vec<u32>,
}

/// A kind and the property of its operations.
#[derive(Clone, Debug)]
struct Entry<T> {
    hash: u64,
    /// The index of its first word.
    start: u32,
    length: u32,
    known: T,
}

impl<T> Default for Kinds<T> {
    fn default() -> Self {
        Kinds {
            table: HashTable::new(),
            words: Vec::new(),
        }
    }
}

impl<T> Kinds<T> {
    /// Returns the property of operations of this kind.
    #[inline]
    pub(crate) fn get(&self, kind: &Kind) -> Option<&T> {
        let hash = kind.hash();
        let is_kind = |entry: &Entry<T>| {
            let words = &self.words[entry.start as usize..][..entry.length as usize];
            // A loop, not a call: the words are too few to pay for one.
            entry.hash == hash
                && entry.length as usize == kind.length
                && words.iter().zip(&kind.words).all(|(a, b)| a == b)
        };
        self.table.find(hash, is_kind).map(|entry| &entry.known)
    }

    /// Whether the table lacks the kind and has room for it.
    pub(crate) fn takes(&self, kind: &Kind) -> bool {
        self.table.len() < MAX_KINDS && self.get(kind).is_none()
    }

    /// Records the property of a kind, if the table [takes](Self::takes) it.
    pub(crate) fn insert(&mut self, kind: &Kind, known: T) {
        if !self.takes(kind) {
            return;
        }
        let entry = Entry {
            hash: kind.hash(),
            start: self.words.len() as u32,
            length: kind.length as u32,
            known,
        };
        self.words.extend(kind.words());
        self.table
            .insert_unique(entry.hash, entry, |other| other.hash);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{ParseOptions, parse_module};

    fn kind(body: &Body, op: OpId, around: u32) -> Kind {
        let mut kind = Kind::default();
        assert!(kind.set(body, op, around), "few values");
        kind
    }

    #[test]
    fn operations_differ_by_name_attributes_and_types() {
        let ctx = crate::test_dialect::context();
        let text = "\"test.function\"() ({
        ^bb0(%a: i32, %b: i32, %c: i64):
          %0 = add %a, %b : i32
          %1 = add %b, %0 : i32
          %2 = multiply %a, %b : i32
          %3 = add %c, %c : i64
          %4 = add %a, %b flags unit : i32
          return
        }) {sym_name = \"f\"} : () -> ()";
        let module = parse_module(&ctx, "", text.as_bytes(), &ParseOptions::default());
        let module = module.expect("the text is sound");
        let (root, op) = module.root();
        let functions = root[op].isolated().expect("a module owns a body");
        let function = functions.walk()[0];
        let body = functions[function].isolated().expect("so does a function");
        let mut kinds = Kinds::default();
        let mut known = Vec::new();
        for (number, op) in body.walk().into_iter().enumerate() {
            let kind = kind(body, op, 0);
            known.push(kinds.get(&kind).copied());
            kinds.insert(&kind, number);
        }
        assert_eq!(known, [None, Some(0), None, None, None, None]);
        assert_eq!(kind(functions, function, 0), kind(functions, function, 0));
        assert_ne!(kind(functions, function, 0), kind(functions, function, 1));
    }

    #[test]
    fn symbols_of_one_kind_differ_in_name() {
        let ctx = crate::test_dialect::context();
        let text = r#"
          "test.function"() ({}) {function_type = (i32) -> (), sym_name = "a",
            sym_visibility = "private"} : () -> ()
          "test.function"() ({}) {function_type = (i32) -> (), sym_name = "b",
            sym_visibility = "private"} : () -> ()
          "test.function"() ({}) {function_type = (i64) -> (), sym_name = "c",
            sym_visibility = "private"} : () -> ()
          "test.function"() ({}) {function_type = (i32) -> (), sym_name = 1 : i32,
            sym_visibility = "private"} : () -> ()
        "#;
        let module = parse_module(&ctx, "", text.as_bytes(), &ParseOptions::default());
        let module = module.expect("the text is sound");
        let kind = |op| {
            let mut kind = Kind::default();
            assert!(kind.set_symbol(&ctx, module.body(), op, 0));
            kind
        };
        let kinds: Vec<Kind> = module.ops().map(|(op, _)| kind(op)).collect();
        assert_eq!(kinds[0], kinds[1]);
        assert!(kinds[2..].iter().all(|other| *other != kinds[0]));
    }
}
