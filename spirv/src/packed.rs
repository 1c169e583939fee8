//! Packed elements: those of fewer than 32 bits in storage buffers of one or two bytes an element, as on the host.
//!
//! ```text
//! memref.load, memref.store      access of an array of bytes or pairs of bytes, and a conversion to or from 32 bits
//! the same by addresses          loads go through words as well, since drivers that gather do so by words
//! vector.load, vector.store      of whole words at a multiple of their elements: access of an array of words at the
//!                                same binding; elements are taken out, or put together, by shifts
//! atomic updates                 compare-exchange of the word that the element lies in
//! ```
//!
//! A target without [`Features::storage8`](crate::Features) or [`Features::storage16`](crate::Features) has a word for each
//! such element. Registers and the parameter block have words everywhere.

use rspirv::spirv::{Capability, Op, Word};

use crate::abi::ElementKind;
use crate::access::Access;
use crate::emit::Emitter;
use crate::kernel::Kernel;
use crate::memory::{Base, Encoding, MemRef, number_of_vector};
use crate::platform::SpirvVersion;
use crate::target::{Profile, TargetEnv};
use crate::types::{self, I32, Reg};

/// Bytes of a word.
pub(crate) const WORD: u32 = 4;

/// Whether buffers of these elements are packed on a target.
pub(crate) fn is_packed(env: &TargetEnv, element: Reg) -> bool {
    let has_storage = match element.kind.packed_bytes() {
        1 => env.features.storage8,
        2 => env.features.storage16,
        _ => false,
    };
    let is_native = env.profile == Profile::Native && env.has_storage_class();
    has_storage && is_native && element.lanes == 1
}

/// Elements in a word.
pub(crate) fn per_word(kind: ElementKind) -> u32 {
    WORD / kind.packed_bytes()
}

/// The number of words that `lanes` elements of a view fill; `None` where the view is not packed.
pub(crate) fn words(view: &MemRef, lanes: u32) -> Option<u32> {
    let is_packed = view.encoding == Encoding::Packed;
    is_packed.then(|| lanes / per_word(view.element.kind))
}

/// The type of an element in a storage buffer.
pub(crate) fn stored_type(k: &mut Kernel<'_>, kind: ElementKind) -> Word {
    let bytes = kind.packed_bytes();
    let (capability, integers, version, extension) = match bytes {
        1 => (
            Capability::StorageBuffer8BitAccess,
            Capability::Int8,
            SpirvVersion::V1_5,
            "SPV_KHR_8bit_storage",
        ),
        _ => (
            Capability::StorageBuffer16BitAccess,
            Capability::Int16,
            SpirvVersion::V1_3,
            "SPV_KHR_16bit_storage",
        ),
    };
    // Storage alone permits no casts of integers to pointers to such elements.
    if k.e.has_addresses() {
        k.e.capability(integers);
    }
    k.require(|features| match bytes {
        1 => features.storage8 = true,
        _ => features.storage16 = true,
    });
    k.e.capability(capability);
    k.e.extension_before(version, extension);
    k.e.int_type(bytes * 8, false)
}

/// The lane, as it lies in a buffer of words, from the bytes of a packed one.
pub(crate) fn widened(e: &mut Emitter, kind: ElementKind, narrow: Word) -> Word {
    if kind == ElementKind::Int(kind.packed_bytes() * 8) {
        return e.on(I32, Op::SConvert, &[narrow]);
    }
    let ty = e.unsigned(I32);
    let word = e.op(Op::UConvert, ty, &[narrow]);
    let word = e.of_bits(I32, word);
    extended(e, kind, word)
}

/// The lane from a word of which it is the low bytes, the others being zero.
fn extended(e: &mut Emitter, kind: ElementKind, word: Word) -> Word {
    match kind {
        // Whatever else the host has in the byte, its low bit counts.
        ElementKind::Bool => {
            let one = e.splat_int(I32, 1);
            e.on(I32, Op::BitwiseAnd, &[word, one])
        }
        ElementKind::Int(_) => e.canonical(types::scalar(kind), word),
        _ => word,
    }
}

/// The bits of a lane that its bytes hold, zero-extended.
fn masked(e: &mut Emitter, kind: ElementKind, lane: Word) -> Word {
    match kind {
        ElementKind::Int(bits) => {
            let mask = e.splat_int(I32, (1 << bits) - 1);
            e.on(I32, Op::BitwiseAnd, &[lane, mask])
        }
        _ => lane,
    }
}

/// The bytes of a packed lane from that in a buffer of words.
pub(crate) fn narrowed(k: &mut Kernel<'_>, kind: ElementKind, lane: Word) -> Word {
    let ty = stored_type(k, kind);
    let is_whole = kind == ElementKind::Int(kind.packed_bytes() * 8);
    let bits = match is_whole {
        true => lane,
        false => masked(k.e, kind, lane),
    };
    k.e.op(Op::UConvert, ty, &[bits])
}

/// A pointer to the word that the packed element at `linear` of a buffer lies in, with the type pointed to.
pub(crate) fn word_pointer(
    k: &mut Kernel<'_>,
    buffer: Word,
    linear: Word,
    kind: ElementKind,
) -> (Word, Word) {
    let number = number_of_vector(k, linear, per_word(kind));
    let ty = k.e.machine(I32);
    let words = k.e.aliased(buffer, ty, WORD);
    (ty, k.e.buffer_element(words, (ty, WORD), number))
}

/// The lanes of some words, as they lie in a buffer of words.
pub(crate) fn lanes_of_words(e: &mut Emitter, kind: ElementKind, words: &[Word]) -> Vec<Word> {
    let bits = kind.packed_bytes() * 8;
    let mut lanes = Vec::with_capacity(words.len() * per_word(kind) as usize);
    for &word in words {
        for place in 0..per_word(kind) {
            let below = place * bits;
            let above = 32 - bits - below;
            lanes.push(match kind {
                // Sign-extended by the shift right.
                ElementKind::Int(width) => {
                    let up = shifted(e, Op::ShiftLeftLogical, word, above + bits - width);
                    shifted(e, Op::ShiftRightArithmetic, up, 32 - width)
                }
                _ => {
                    let low = shifted(e, Op::ShiftRightLogical, word, below);
                    let mask = match kind {
                        ElementKind::Bool => 1,
                        _ => (1 << bits) - 1,
                    };
                    let mask = e.splat_int(I32, mask);
                    e.on(I32, Op::BitwiseAnd, &[low, mask])
                }
            });
        }
    }
    lanes
}

/// Words made of lanes, as these lie in a buffer of words.
pub(crate) fn words_of_lanes(e: &mut Emitter, kind: ElementKind, lanes: &[Word]) -> Vec<Word> {
    let bits = kind.packed_bytes() * 8;
    let mut words = Vec::with_capacity(lanes.len());
    for lanes in lanes.chunks(per_word(kind) as usize) {
        let mut word = None;
        for (place, &lane) in (0..).zip(lanes) {
            let lane = masked(e, kind, lane);
            let part = shifted(e, Op::ShiftLeftLogical, lane, place * bits);
            word = Some(match word {
                Some(word) => e.on(I32, Op::BitwiseOr, &[word, part]),
                None => part,
            });
        }
        words.extend(word);
    }
    words
}

fn shifted(e: &mut Emitter, op: Op, word: Word, places: u32) -> Word {
    if places == 0 {
        return word;
    }
    let places = e.splat_int(I32, places.into());
    e.on(I32, op, &[word, places])
}

/// The buffer whose packed elements an access takes out of words: where the driver gathers, which it does by words, and
/// does not load once for all lanes.
pub(crate) fn gathered_buffer(k: &Kernel<'_>, access: &Access) -> Option<Word> {
    match access.view.base {
        Base::Buffer(buffer) if access.view.encoding == Encoding::Packed => {
            let is_gathered = k.e.address_of(buffer).is_some() && !k.has_shared_pointer(access);
            is_gathered.then_some(buffer)
        }
        _ => None,
    }
}

/// Reads `count` lanes that follow each other in a buffer from `linear` on, all in range, through the words that they lie in:
///
/// ```text
/// bytes 2 to 5        word 0 >> 16 | word 1 << 16, of which the lanes are taken
/// ```
///
/// Each word that is read has one of the lanes in it.
pub(crate) fn gathered(
    k: &mut Kernel<'_>,
    buffer: Word,
    linear: Word,
    kind: ElementKind,
    count: u32,
) -> Vec<Word> {
    let per_word = per_word(kind);
    let word_at = |k: &mut Kernel<'_>, distance: u32| {
        let distance = k.index_const(distance.into());
        let at = k.index_add(linear, distance);
        let (ty, pointer) = word_pointer(k, buffer, at, kind);
        k.e.load(ty, pointer)
    };
    if let Some(place) = k.e.residue(linear).known() {
        let first = place as u32 % per_word;
        let words = (first + count).div_ceil(per_word);
        // The first lane of each word, but for the first word.
        let firsts = (0..words).map(|n| (n * per_word).saturating_sub(first));
        let words: Vec<Word> = firsts.map(|lane| word_at(k, lane)).collect();
        let lanes = lanes_of_words(k.e, kind, &words);
        return lanes
            .into_iter()
            .skip(first as usize)
            .take(count as usize)
            .collect();
    }
    let part = Part::of(k, linear, kind);
    if count == 1 {
        let word = word_at(k, 0);
        return vec![part.taken(k.e, word)];
    }
    let least = count.div_ceil(per_word);
    let furthest = per_word - k.e.multiple(linear).min(per_word);
    let mut words: Vec<Word> = (0..least).map(|n| word_at(k, n * per_word)).collect();
    if (furthest + count).div_ceil(per_word) > least {
        words.push(word_at(k, count - 1));
    }
    let thirty_one = k.e.splat_int(I32, 31);
    let back = k.e.on(I32, Op::ISub, &[thirty_one, part.shift]);
    let aligned: Vec<Word> = (0..least as usize)
        .map(|n| {
            let low = k.e.on(I32, Op::ShiftRightLogical, &[words[n], part.shift]);
            let Some(&next) = words.get(n + 1) else {
                return low;
            };
            // In two steps, since no shift by all 32 bits is defined.
            let high = k.e.on(I32, Op::ShiftLeftLogical, &[next, back]);
            let high = shifted(k.e, Op::ShiftLeftLogical, high, 1);
            k.e.on(I32, Op::BitwiseOr, &[low, high])
        })
        .collect();
    let lanes = lanes_of_words(k.e, kind, &aligned);
    lanes.into_iter().take(count as usize).collect()
}

/// Part of a word that a packed element is.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    kind: ElementKind,
    /// The place of its lowest bit.
    shift: Word,
}

impl Part {
    /// The part that the element at `linear` is of its word.
    pub(crate) fn of(k: &mut Kernel<'_>, linear: Word, kind: ElementKind) -> Part {
        let low = k.index_to_i32(linear);
        let mask = k.e.splat_int(I32, i64::from(per_word(kind)) - 1);
        let place = k.e.on(I32, Op::BitwiseAnd, &[low, mask]);
        let bits = kind.packed_bytes() * 8;
        let shift = shifted(k.e, Op::ShiftLeftLogical, place, bits.ilog2());
        Part { kind, shift }
    }

    /// The lane, as it lies in a buffer of words.
    pub(crate) fn taken(self, e: &mut Emitter, word: Word) -> Word {
        let low = e.on(I32, Op::ShiftRightLogical, &[word, self.shift]);
        let mask = e.splat_int(I32, (1 << (self.kind.packed_bytes() * 8)) - 1);
        let low = e.on(I32, Op::BitwiseAnd, &[low, mask]);
        extended(e, self.kind, low)
    }

    /// The word with another lane.
    pub(crate) fn put(self, e: &mut Emitter, word: Word, lane: Word) -> Word {
        let mask = e.splat_int(I32, (1 << (self.kind.packed_bytes() * 8)) - 1);
        let mask = e.on(I32, Op::ShiftLeftLogical, &[mask, self.shift]);
        let others = e.on(I32, Op::Not, &[mask]);
        let others = e.on(I32, Op::BitwiseAnd, &[word, others]);
        let lane = masked(e, self.kind, lane);
        let lane = e.on(I32, Op::ShiftLeftLogical, &[lane, self.shift]);
        e.on(I32, Op::BitwiseOr, &[others, lane])
    }
}
