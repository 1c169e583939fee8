//! 16-bit floats that lie in two bytes each, in kernels with cooperative matrices.
//!
//! Matrices are loaded from memory as it is, so that there an `f16` takes no word of its own:
//!
//! ```text
//! storage buffers                  arrays of f16, and of uvec4 at the same binding where eight are accessed
//! workgroup memory of matrices     array of uvec4 where all accesses are of eight at a multiple of eight,
//!                                  else of f16
//! ```
//!
//! Registers hold 16-bit floats exactly, so that the device's own conversions round nothing.
//!
//! A vector of eights that is loaded stays in such packets until an element of it is used, so that copies
//! from buffers into workgroup memory move 16 bytes an instruction and convert nothing.

use gridloom_dialects::vector::{self, VectorShape};
use gridloom_dialects::{arith, gpu, inherent, scf};
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::types::FloatKind;
use gridloom_ir::{Body, Context, OpId, Value};
use rspirv::spirv::{Capability, Op, StorageClass, Word};

use crate::abi::ElementKind;
use crate::access::Access;
use crate::emit::Emitter;
use crate::kernel::Kernel;
use crate::memory::{self, Base, Encoding};
use crate::platform::SpirvVersion;
use crate::types::{self, I32, Reg};
use crate::views;

/// Bytes of an element.
pub(crate) const BYTES: u32 = 2;

/// Elements of a packet: 16 bytes, the most that an instruction moves.
pub(crate) const PACKET: u32 = 8;

/// The register of an element.
const HALF: Reg = types::scalar(ElementKind::Narrow(FloatKind::F16));

/// Operations that a proof of multiples looks through.
const MAX_DEPTH: u32 = 16;

/// Whether an element is a 16-bit float.
pub(crate) fn is_half(element: Reg) -> bool {
    element == HALF
}

/// Memory of a kernel with cooperative matrices.
#[derive(Default)]
pub(crate) struct Halves {
    /// Whether the kernel has matrices.
    pub(crate) has_matrices: bool,
    /// The encoding of memory that matrices are loaded from or stored to.
    encodings: FxHashMap<Value, Encoding>,
}

impl Halves {
    /// Finds the memory of matrices in a kernel that has some.
    pub(crate) fn of(ctx: &Context, body: &Body) -> Halves {
        let roots = views::roots(body);
        let mut encodings = FxHashMap::default();
        for op in body.walk() {
            let place = match body[op].name {
                gpu::SUBGROUP_MMA_LOAD_MATRIX => 0,
                gpu::SUBGROUP_MMA_STORE_MATRIX => 1,
                _ => continue,
            };
            if let Some(value) = body[op].operands.get(place) {
                let root = roots.get(value).unwrap_or(value);
                encodings.insert(*root, Encoding::Halves);
            }
        }
        for (&value, encoding) in &mut encodings {
            if has_packets(ctx, body, value) {
                *encoding = Encoding::Packets;
            }
        }
        Halves {
            has_matrices: true,
            encodings,
        }
    }

    /// The encoding of workgroup memory, if matrices are loaded from it or stored to it.
    pub(crate) fn encoding_of(&self, value: Value) -> Option<Encoding> {
        self.encodings.get(&value).copied()
    }
}

/// Whether all accesses of memory are of packets.
fn has_packets(ctx: &Context, body: &Body, memory: Value) -> bool {
    let shape = body.ty(memory).memref(ctx);
    let is_whole = shape.is_some_and(|ty| {
        let row = ty.shape.last().copied().unwrap_or(0);
        ty.layout.is_none() && row > 0 && row % i64::from(PACKET) == 0
    });
    is_whole
        && body.walk().into_iter().all(|op| {
            let is_used = body[op].operands.contains(&memory);
            !is_used || accesses_packets(ctx, body, op)
        })
}

fn accesses_packets(ctx: &Context, body: &Body, op: OpId) -> bool {
    let data = &body[op];
    let is_multiple = |count: i64| count > 0 && count % i64::from(PACKET) == 0;
    let lead = || is_multiple(data.get(ctx, inherent::LEAD_DIMENSION).unwrap_or(0));
    let row = |value: Option<Value>| {
        let shape = value.and_then(|value| VectorShape::of(ctx, body.ty(value)));
        matches!(shape.map(|shape| shape.shape), Some(&[count]) if is_multiple(count))
    };
    let is_fit = match data.name {
        gpu::SUBGROUP_MMA_LOAD_MATRIX | gpu::SUBGROUP_MMA_STORE_MATRIX => lead(),
        vector::LOAD => row(data.results().next()),
        vector::STORE => row(data.operands.first().copied()),
        _ => false,
    };
    let last = data.operands.last();
    is_fit && last.is_some_and(|&index| is_multiple_of_packet(ctx, body, index, 0))
}

/// Whether an index is proved a multiple of the elements of a packet.
fn is_multiple_of_packet(ctx: &Context, body: &Body, value: Value, depth: u32) -> bool {
    let packet = i64::from(PACKET);
    if let Some(constant) = arith::constant_int(ctx, body, value) {
        return constant % packet == 0;
    }
    if depth == MAX_DEPTH {
        return false;
    }
    let is = |value: Value| is_multiple_of_packet(ctx, body, value, depth + 1);
    let Some(op) = body.defining_op(value) else {
        return counted_from(body, value).is_some_and(|ends| ends.into_iter().all(is));
    };
    let data = &body[op];
    match (data.name, &data.operands[..]) {
        (arith::ADDI | arith::SUBI | arith::MINSI | arith::MAXSI, &[a, b]) => is(a) && is(b),
        (arith::SELECT, &[_, a, b]) => is(a) && is(b),
        (arith::MULI, &[a, b]) => is(a) || is(b),
        (arith::SHLI, &[a, b]) => {
            let places = arith::constant_int(ctx, body, b);
            is(a) || places.is_some_and(|places| (3..64).contains(&places))
        }
        (arith::INDEX_CAST | arith::INDEX_CASTUI, &[a]) => is(a),
        _ => false,
    }
}

/// First value and step of the loop that an index counts.
fn counted_from(body: &Body, value: Value) -> Option<[Value; 2]> {
    let block = body.value_block(value)?;
    let op = body.block_parent_op(block)?;
    let is_counter = body[block].args.first() == Some(&value);
    match (body[op].name, &body[op].operands[..]) {
        (scf::FOR, &[lower, _, step, ..]) if is_counter => Some([lower, step]),
        _ => None,
    }
}

/// The type of a packet.
pub(crate) fn packet_type(e: &mut Emitter) -> Word {
    let word = e.int_type(32, false);
    e.vector_type(word, PACKET / 2)
}

/// The type of an element in a storage buffer.
pub(crate) fn stored_type(e: &mut Emitter) -> Word {
    e.capability(Capability::StorageBuffer16BitAccess);
    e.extension_before(SpirvVersion::V1_3, "SPV_KHR_16bit_storage");
    e.float_type(16)
}

/// A pointer to an element, with the type pointed to.
pub(crate) fn pointer(k: &mut Kernel<'_>, base: Base, linear: Word) -> (Word, Word) {
    let index = k.index_to_i32(linear);
    match base {
        Base::Buffer(variable) => {
            let ty = stored_type(k.e);
            let zero = k.e.splat_int(I32, 0);
            let class = k.e.buffer_class;
            (ty, k.e.access(class, ty, variable, &[zero, index]))
        }
        // Memory of halves has an encoding of its own, not that of vectors.
        Base::Array(variable, _) | Base::Vectors(variable, _) => {
            let ty = k.e.float_type(16);
            let class = StorageClass::Workgroup;
            (ty, k.e.access(class, ty, variable, &[index]))
        }
    }
}

/// Reads an element.
pub(crate) fn read(k: &mut Kernel<'_>, (ty, pointer): (Word, Word), reg: Reg) -> Word {
    let half = k.e.load(ty, pointer);
    k.e.on(reg, Op::FConvert, &[half])
}

/// Writes an element.
pub(crate) fn write(k: &mut Kernel<'_>, (ty, pointer): (Word, Word), value: Word) {
    let half = k.e.op(Op::FConvert, ty, &[value]);
    k.e.store(pointer, half);
}

/// Element number `lane` of packets; `None` for one beyond.
pub(crate) fn element(k: &mut Kernel<'_>, packets: &[Word], lane: usize) -> Option<Word> {
    let packet = PACKET as usize;
    let whole = *packets.get(lane / packet)?;
    let (word, half) = (k.e.int_type(32, false), k.e.float_type(16));
    let bits = k.e.extract(word, whole, (lane % packet / 2) as u32);
    let ty = k.e.vector_type(half, 2);
    let pair = k.e.op(Op::Bitcast, ty, &[bits]);
    let one = k.e.extract(half, pair, (lane % 2) as u32);
    Some(k.e.on(HALF, Op::FConvert, &[one]))
}

/// Packs elements, a multiple of the packet's.
fn packed(k: &mut Kernel<'_>, lanes: &[Word]) -> Vec<Word> {
    let (word, half) = (k.e.int_type(32, false), k.e.float_type(16));
    let (pair_type, ty) = (k.e.vector_type(half, 2), packet_type(k.e));
    let mut packets = Vec::with_capacity(lanes.len() / PACKET as usize);
    for lanes in lanes.chunks(PACKET as usize) {
        let mut words = Vec::with_capacity(lanes.len() / 2);
        for pair in lanes.chunks(2) {
            let halves = pair.iter().map(|&lane| k.e.op(Op::FConvert, half, &[lane]));
            let halves: Vec<Word> = halves.collect();
            let pair = k.e.op(Op::CompositeConstruct, pair_type, &halves);
            words.push(k.e.op(Op::Bitcast, word, &[pair]));
        }
        packets.push(k.e.op(Op::CompositeConstruct, ty, &words));
    }
    packets
}

/// Whether `count` elements from an access on are whole packets of memory.
pub(crate) fn is_of_packets(k: &mut Kernel<'_>, access: &Access, count: u32) -> bool {
    if !count.is_multiple_of(PACKET) || !is_half(access.view.element) {
        return false;
    }
    match access.view.encoding {
        Encoding::Packets => true,
        Encoding::Halves => {
            let strides = access.view.strides.last();
            let is_unit = strides.and_then(|&stride| k.e.constant_value(stride)) == Some(1);
            let in_buffer = matches!(access.view.base, Base::Buffer(_));
            let linear = memory::linear(k, access);
            is_unit && in_buffer && k.e.multiple(linear) >= PACKET
        }
        _ => false,
    }
}

/// Pointers to the packets of `count` elements.
fn packet_pointers(k: &mut Kernel<'_>, access: &Access, count: u32) -> Vec<Word> {
    let linear = memory::linear(k, access);
    let index = k.index_to_i32(linear);
    let first = packet_number(k, index);
    let ty = packet_type(k.e);
    let mut pointers = Vec::new();
    for number in 0..count / PACKET {
        let step = k.e.splat_int(I32, number.into());
        let at = k.add_folded(I32, first, step);
        pointers.push(match access.view.base {
            Base::Buffer(variable) => {
                let view = k.e.aliased(variable, ty, PACKET * BYTES);
                let zero = k.e.splat_int(I32, 0);
                let class = k.e.buffer_class;
                k.e.access(class, ty, view, &[zero, at])
            }
            Base::Array(variable, _) | Base::Vectors(variable, _) => {
                k.e.access(StorageClass::Workgroup, ty, variable, &[at])
            }
        });
    }
    pointers
}

/// The packet that an element, the first of one, lies in.
pub(crate) fn packet_number(k: &mut Kernel<'_>, index: Word) -> Word {
    match k.e.constant_value(index) {
        Some(value) => k.e.splat_int(I32, value / i64::from(PACKET)),
        None => {
            let places = k.e.splat_int(I32, PACKET.ilog2().into());
            k.e.on(I32, Op::ShiftRightArithmetic, &[index, places])
        }
    }
}

/// Reads packets, all in range.
pub(crate) fn load_packets(k: &mut Kernel<'_>, access: &Access, count: u32) -> Vec<Word> {
    let ty = packet_type(k.e);
    let pointers = packet_pointers(k, access, count);
    pointers.into_iter().map(|p| k.e.load(ty, p)).collect()
}

/// Value to be stored: packets as they were loaded, or elements.
pub(crate) enum Stored {
    Packets(Vec<Word>),
    Lanes(Vec<Word>),
}

/// Writes packets, all in range.
pub(crate) fn store_packets(k: &mut Kernel<'_>, access: &Access, value: Stored) {
    let packets = match value {
        Stored::Packets(packets) => packets,
        Stored::Lanes(lanes) => packed(k, &lanes),
    };
    let count = packets.len() as u32 * PACKET;
    let pointers = packet_pointers(k, access, count);
    for (pointer, packet) in pointers.into_iter().zip(packets) {
        k.e.store(pointer, packet);
    }
}
