//! Vectors of consecutive elements in memory.
//!
//! Elements at a multiple of 2 or 4 in a storage buffer are read and written as one
//! `vec2` or `vec4`, through a second variable of the same binding whose elements are such
//! vectors; both are decorated `Aliased`. Where that is not proved, and in the portable
//! profile — naga has one variable a binding — each element is accessed by itself. Workgroup memory
//! may lie as vectors of 16 bytes ([`crate::wide_memory`]), which are read and written whole.
//!
//! A guarded access whose elements are not all in range is one fault, and element by element
//! what a guarded scalar access is: reading gives 0, writing does nothing.

use gridloom_dialects::vector;
use gridloom_ir::{OpId, OpName};
use rspirv::spirv::{Op, StorageClass, Word};

use crate::access::{self, Access};
use crate::kernel::{Kernel, Lowering};
use crate::memory::{self, Base, Encoding};
use crate::packed;
use crate::types::{self, Reg};
use crate::vector::{lanes, set_lanes};

/// The most bytes of one access.
const MAX_BYTES: u32 = 16;

/// Lowers accesses of vectors.
pub(crate) fn lower(k: &mut Kernel<'_>, op: OpId, name: OpName) -> Lowering<bool> {
    match name {
        vector::LOAD => load(k, op)?,
        vector::STORE => store(k, op)?,
        vector::MASKEDLOAD => masked_load(k, op)?,
        vector::MASKEDSTORE => masked_store(k, op)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// Whether the memref of an access holds vectors, of which this is one.
fn is_one_element(access: &Access, reg: Reg) -> bool {
    access.view.element.lanes != 1 || reg.lanes == 1
}

fn load(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let access = Access::of(k, op, 0)?;
    let result = k.result(op)?;
    let reg = k.reg(op, result)?;
    if is_one_element(&access, reg) {
        return access::load(k, op);
    }
    let Some(in_range) = all_in_range(k, &access, reg.lanes) else {
        let parts = read(k, &access, reg.lanes);
        return set_lanes(k, op, &parts);
    };
    let [inside, outside, merge] = [(); 3].map(|()| k.e.id());
    k.e.selection_merge(merge);
    k.e.branch_if(in_range, inside, outside);
    k.e.begin_block(inside);
    let fast = read(k, &access, reg.lanes);
    let fast = k.e.vector(reg, &fast);
    let inside = k.e.current_block();
    k.e.branch(merge);
    k.e.begin_block(outside);
    k.record_out_of_range(op);
    let mut slow = Vec::new();
    for lane in 0..reg.lanes {
        let one = access.element(k, lane);
        slow.push(one.read_or_zero(k));
    }
    let slow = k.e.vector(reg, &slow);
    let outside = k.e.current_block();
    k.e.branch(merge);
    k.e.begin_block(merge);
    let ty = k.e.machine(reg);
    let value = k.e.phi(ty, &[(fast, inside), (slow, outside)]);
    k.set(op, value)
}

fn store(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let access = Access::of(k, op, 1)?;
    let value = k.operand(op, 0)?;
    let reg = k.reg(op, value)?;
    if is_one_element(&access, reg) {
        return access::store(k, op);
    }
    let word = k.word(op, 0)?;
    let Some(in_range) = all_in_range(k, &access, reg.lanes) else {
        write(k, &access, reg, word);
        return Ok(());
    };
    let [inside, outside, merge] = [(); 3].map(|()| k.e.id());
    k.e.selection_merge(merge);
    k.e.branch_if(in_range, inside, outside);
    k.e.begin_block(inside);
    write(k, &access, reg, word);
    k.e.branch(merge);
    k.e.begin_block(outside);
    k.record_out_of_range(op);
    for (lane, part) in (0..).zip(k.e.lanes(reg, word)) {
        let one = access.element(k, lane);
        one.write_if_inside(k, part);
    }
    k.e.branch(merge);
    k.e.begin_block(merge);
    Ok(())
}

/// Masked access: the element of each lane, whether it is set, and the value passed through or stored.
struct Masked {
    access: Access,
    set: Vec<Word>,
    parts: Vec<Word>,
}

impl Masked {
    fn of(k: &mut Kernel<'_>, op: OpId) -> Lowering<Masked> {
        let count = k.body[op].operands.len();
        let access = Access::between(k, op, 0, count - 2)?;
        let set = lanes(k, op, count - 2)?;
        let parts = lanes(k, op, count - 1)?;
        if access.view.element.lanes != 1 || set.len() != parts.len() {
            return Err(k.malformed(op));
        }
        Ok(Masked { access, set, parts })
    }
}

fn masked_load(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let Masked { access, set, parts } = Masked::of(k, op)?;
    let reg = access.view.element;
    let mut loaded = Vec::with_capacity(set.len());
    for (lane, (&set, &passed)) in (0..).zip(set.iter().zip(&parts)) {
        let before = k.e.current_block();
        let (value, inside) = where_set(k, set, |k| access.element(k, lane).read_recorded(k, op));
        let ty = k.e.machine(reg);
        loaded.push(k.e.phi(ty, &[(value, inside), (passed, before)]));
    }
    set_lanes(k, op, &loaded)
}

fn masked_store(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let Masked { access, set, parts } = Masked::of(k, op)?;
    for (lane, (&set, &part)) in (0..).zip(set.iter().zip(&parts)) {
        where_set(k, set, |k| {
            access.element(k, lane).write_recorded(k, op, part);
        });
    }
    Ok(())
}

/// Emits the access of a lane, which runs only where the lane is set. Returns what it gives and the
/// block that it ends in.
fn where_set<T>(
    k: &mut Kernel<'_>,
    set: Word,
    access: impl FnOnce(&mut Kernel<'_>) -> T,
) -> (T, Word) {
    let [inside, merge] = [(); 2].map(|()| k.e.id());
    k.e.selection_merge(merge);
    k.e.branch_if(set, inside, merge);
    k.e.begin_block(inside);
    let value = k.conditionally(access);
    let inside = k.e.current_block();
    k.e.branch(merge);
    k.e.begin_block(merge);
    (value, inside)
}

/// Emits an access that runs only where it is in range; elsewhere it is a fault of `op`. Returns what it
/// gives, the block that it ends in, and the one that records the fault.
pub(crate) fn recorded<T>(
    k: &mut Kernel<'_>,
    op: OpId,
    in_range: Word,
    access: impl FnOnce(&mut Kernel<'_>) -> T,
) -> (T, [Word; 2]) {
    let [inside, outside, merge] = [(); 3].map(|()| k.e.id());
    k.e.selection_merge(merge);
    k.e.branch_if(in_range, inside, outside);
    k.e.begin_block(inside);
    let value = k.conditionally(access);
    let inside = k.e.current_block();
    k.e.branch(merge);
    k.e.begin_block(outside);
    k.record_out_of_range(op);
    k.e.branch(merge);
    k.e.begin_block(merge);
    (value, [inside, outside])
}

/// The condition that `lanes` elements are all in range; `None` when they always are.
pub(crate) fn all_in_range(k: &mut Kernel<'_>, access: &Access, lanes: u32) -> Option<Word> {
    if !access.is_guarded() {
        return None;
    }
    let first = access.in_range(k);
    // The first index is below the size, so adding a few does not wrap.
    let last = access.element(k, lanes - 1).last_in_range(k);
    match (first, last) {
        (Some(a), Some(b)) => {
            let reg = k.index_reg();
            Some(k.e.test(reg, Op::LogicalAnd, &[a, b]))
        }
        (one, other) => one.or(other),
    }
}

/// Piece of a vector access: a run of lanes that one instruction accesses.
struct Piece {
    first: u32,
    lanes: u32,
}

/// Whether elements along the last dimension follow each other.
fn has_unit_stride(k: &Kernel<'_>, access: &Access) -> bool {
    let stride = access.view.strides.last();
    stride.and_then(|&stride| k.e.constant_value(stride)) == Some(1)
}

/// Whether packed elements are whole words at a multiple of words.
fn is_of_words(k: &Kernel<'_>, access: &Access, linear: Word, lanes: u32) -> bool {
    let per_word = packed::per_word(access.view.element.kind);
    lanes.is_multiple_of(per_word) && k.e.multiple(linear) >= per_word
}

/// Splits `lanes` elements from `linear` on into accesses as wide as its alignment, the profile
/// and the element's size allow.
fn split_access(k: &Kernel<'_>, access: &Access, linear: Word, lanes: u32) -> Vec<Piece> {
    let view = &access.view;
    let unit = has_unit_stride(k, access);
    let is_packed = view.encoding == Encoding::Packed;
    let kind = view.element.kind;
    let most = match is_packed {
        true => MAX_BYTES / kind.packed_bytes(),
        false => MAX_BYTES / kind.bytes(),
    };
    let known = most.min(k.e.multiple(linear));
    let (least, widest) = match view.base {
        Base::Buffer(_) if unit && is_packed => (packed::per_word(kind), known),
        Base::Buffer(_) if unit && !k.e.portable => (2, known),
        Base::Vectors(_, lanes) if unit && lanes <= known => (lanes, lanes),
        _ => (1, 1),
    };
    let mut found = Vec::new();
    let mut first = 0;
    while first < lanes {
        let fits = |&width: &u32| {
            (least..=widest).contains(&width)
                && first.is_multiple_of(width)
                && first + width <= lanes
        };
        let width = [4, 2].into_iter().find(fits).unwrap_or(1);
        found.push(Piece {
            first,
            lanes: width,
        });
        first += width;
    }
    found
}

/// Reads `lanes` elements, all in range.
fn read(k: &mut Kernel<'_>, access: &Access, lanes: u32) -> Vec<Word> {
    let element = access.view.element;
    let linear = memory::linear(k, access);
    if let Some(buffer) = packed::gathered_buffer(k, access)
        && has_unit_stride(k, access)
        && !is_of_words(k, access, linear, lanes)
    {
        let lanes = packed::gathered(k, buffer, linear, element.kind, lanes);
        let decoded = lanes.into_iter().map(|lane| k.decode_lane(element, lane));
        return decoded.collect();
    }
    let mut parts = Vec::with_capacity(lanes as usize);
    for piece in split_access(k, access, linear, lanes) {
        if piece.lanes == 1 {
            let one = access.element(k, piece.first);
            parts.push(memory::read(k, &one));
            continue;
        }
        let (ty, pointer) = wide_pointer(k, access, linear, &piece);
        let raw = k.e.load(ty, pointer);
        for raw in lanes_of_piece(k, access, &piece, raw) {
            parts.push(match access.view.base {
                Base::Buffer(_) => k.decode_lane(element, raw),
                Base::Array(..) | Base::Vectors(..) => raw,
            });
        }
    }
    parts
}

/// The lanes of a piece, as they are stored.
fn lanes_of_piece(k: &mut Kernel<'_>, access: &Access, piece: &Piece, raw: Word) -> Vec<Word> {
    let held = held(k, access);
    let mut parts = |count: u32| -> Vec<Word> {
        match count {
            1 => vec![raw],
            _ => (0..count).map(|n| k.e.extract(held, raw, n)).collect(),
        }
    };
    if let Some(count) = packed::words(&access.view, piece.lanes) {
        let words = parts(count);
        return packed::lanes_of_words(k.e, access.view.element.kind, &words);
    }
    let lanes = parts(piece.lanes);
    k.e.note_whole(&lanes, raw);
    lanes
}

/// Writes the lanes of `word`, all in range.
fn write(k: &mut Kernel<'_>, access: &Access, reg: Reg, word: Word) {
    let element = access.view.element;
    let parts = k.e.lanes(reg, word);
    let linear = memory::linear(k, access);
    for piece in split_access(k, access, linear, reg.lanes) {
        let first = piece.first as usize;
        if piece.lanes == 1 {
            let one = access.element(k, piece.first);
            memory::write(k, &one, parts[first]);
            continue;
        }
        let mut raw = Vec::with_capacity(piece.lanes as usize);
        for &part in &parts[first..first + piece.lanes as usize] {
            raw.push(match access.view.base {
                Base::Buffer(_) => k.encode_lane(element, part),
                Base::Array(..) | Base::Vectors(..) => part,
            });
        }
        if access.view.encoding == Encoding::Packed {
            raw = packed::words_of_lanes(k.e, element.kind, &raw);
        }
        let (ty, pointer) = wide_pointer(k, access, linear, &piece);
        let whole = match (k.e.vector_of.get(&raw), &raw[..]) {
            (Some(&whole), _) | (None, &[whole]) => whole,
            (None, _) => k.e.op(Op::CompositeConstruct, ty, &raw),
        };
        k.e.store(pointer, whole);
    }
}

/// The type of an element in memory, or of the word that packed ones lie in.
fn held(k: &mut Kernel<'_>, access: &Access) -> Word {
    let element = access.view.element;
    match access.view.base {
        Base::Buffer(_) if access.view.encoding == Encoding::Packed => k.e.machine(types::I32),
        Base::Buffer(_) => k.e.stored(element.kind),
        Base::Array(..) | Base::Vectors(..) => k.e.machine(element),
    }
}

/// A pointer to a piece in the memory seen as vectors, with its type.
fn wide_pointer(k: &mut Kernel<'_>, access: &Access, linear: Word, piece: &Piece) -> (Word, Word) {
    let held = held(k, access);
    let words = packed::words(&access.view, piece.lanes);
    let ty = k.e.vector_type(held, words.unwrap_or(piece.lanes));
    let number = memory::number_of_vector(k, linear, piece.lanes);
    let step =
        k.e.splat_int(types::I32, (piece.first / piece.lanes).into());
    let number = k.add_folded(types::I32, number, step);
    let pointer = match access.view.base {
        Base::Buffer(variable) => {
            let bytes = match words {
                Some(count) => count * packed::WORD,
                None => access.view.element.kind.bytes() * piece.lanes,
            };
            let view = k.e.aliased(variable, ty, bytes);
            k.e.buffer_element(view, (ty, bytes), number)
        }
        Base::Vectors(variable, _) => k.e.access(StorageClass::Workgroup, ty, variable, &[number]),
        Base::Array(..) => unreachable!("pieces of an array of elements are elements"),
    };
    (ty, pointer)
}
