//! Accesses to memory, and the memory itself: the `memref` dialect less the
//! operations on views, which are in `views`.
//!
//! A view is never a SPIR-V pointer. It names a variable and carries index
//! registers, of which constants are folded as they are combined, so that
//! static shapes cost nothing and no pointer ever crosses a block.

use gridloom_dialects::memref;
use gridloom_ir::diag::Diagnostic;
use gridloom_ir::types::MemRefType;
use gridloom_ir::{Context, Loc, OpId, OpName, Value};
use rspirv::spirv::{Op, StorageClass, Word};

use crate::access::{self, Access};
use crate::atomics;
use crate::copies;
use crate::halves;
use crate::kernel::{Kernel, Lowered, Lowering};
use crate::layout::{self, Layout};
use crate::packed;
use crate::types::{self, Reg};
use crate::views;

/// Scratch memory of one kernel is at most this many elements an allocation:
/// beyond, drivers spill for seconds or fail.
const MAX_SCRATCH_ELEMENTS: i64 = 1 << 20;

/// Base of a view: the variable that its elements lie in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Base {
    /// A storage buffer, a variable or a pointer: a block around a runtime array of encoded lanes.
    Buffer(Word),
    /// A plain array of registers.
    Array(Word, Scope),
    /// An array in workgroup memory of vectors of so many registers.
    Vectors(Word, u32),
}

/// Scope of scratch memory: the threads that share it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scope {
    Workgroup,
    Private,
}

impl Scope {
    fn class(self) -> StorageClass {
        match self {
            Scope::Workgroup => StorageClass::Workgroup,
            Scope::Private => StorageClass::Function,
        }
    }
}

/// Encoding of elements in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Encoding {
    /// Elements are registers in arrays, encoded in words in buffers.
    Plain,
    /// Elements are integers, which atomic operations take, whatever their type.
    Words,
    /// Elements take two bytes each: see [`crate::halves`].
    Halves,
    /// Elements take two bytes each, eight to an element of the array.
    Packets,
    /// Elements of a buffer take one or two bytes each: see [`crate::packed`].
    Packed,
}

impl Encoding {
    pub(crate) fn words(as_words: bool) -> Encoding {
        match as_words {
            true => Encoding::Words,
            false => Encoding::Plain,
        }
    }
}

/// A view of memory: element `i` lies at `offset + Σ i[d] * strides[d]`.
#[derive(Clone, Debug)]
pub(crate) struct MemRef {
    pub(crate) base: Base,
    pub(crate) element: Reg,
    pub(crate) encoding: Encoding,
    pub(crate) offset: Word,
    pub(crate) sizes: Vec<Word>,
    pub(crate) strides: Vec<Word>,
}

/// Form in which the elements of scratch memory lie.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    pub(crate) element: Reg,
    pub(crate) encoding: Encoding,
    /// Elements of a vector, where they lie as vectors; else 1.
    pub(crate) lanes: u32,
}

/// Lowers operations on memrefs.
pub(crate) fn lower(k: &mut Kernel<'_>, op: OpId, name: OpName) -> Lowering<bool> {
    match name {
        memref::LOAD => access::load(k, op)?,
        memref::STORE => access::store(k, op)?,
        memref::ALLOCA => alloca(k, op)?,
        // Only a hint.
        memref::PREFETCH => {}
        memref::ATOMIC_RMW | memref::GENERIC_ATOMIC_RMW => atomics::lower(k, op, name)?,
        memref::COPY => return copies::lower(k, op, name),
        _ => return views::lower(k, op, name),
    }
    Ok(true)
}

/// Linear position of an access: its distance from the base in elements.
pub(crate) fn linear(k: &mut Kernel<'_>, access: &Access) -> Word {
    let mut linear = access.view.offset;
    for (&index, &stride) in access.indices.iter().zip(&access.view.strides) {
        let term = k.index_mul(index, stride);
        linear = k.index_add(linear, term);
    }
    linear
}

/// Pointers to the lanes of an element in a buffer, or to the whole element
/// in an array, with the type pointed to.
pub(crate) fn pointers(k: &mut Kernel<'_>, access: &Access) -> (Word, Vec<Word>) {
    let view = &access.view;
    if let Some((ty, pointer)) = k.shared_pointer(access) {
        return (ty, vec![pointer]);
    }
    let linear = linear(k, access);
    if view.encoding == Encoding::Halves {
        let (ty, pointer) = halves::pointer(k, view.base, linear);
        return (ty, vec![pointer]);
    }
    match view.base {
        Base::Array(variable, scope) => {
            let linear = k.index_to_i32(linear);
            let ty = if view.encoding == Encoding::Words {
                k.e.stored(atomics::word_of(view.element.kind))
            } else {
                k.e.machine(view.element)
            };
            let pointer = k.e.access(scope.class(), ty, variable, &[linear]);
            (ty, vec![pointer])
        }
        Base::Vectors(variable, lanes) => {
            let number = number_of_vector(k, linear, lanes);
            let linear = k.index_to_i32(linear);
            let lane = match k.e.constant_value(linear) {
                Some(value) => k.e.splat_int(types::I32, value % i64::from(lanes)),
                None if k.e.multiple(linear) >= lanes => k.e.splat_int(types::I32, 0),
                None => {
                    let mask = k.e.splat_int(types::I32, i64::from(lanes) - 1);
                    k.e.on(types::I32, Op::BitwiseAnd, &[linear, mask])
                }
            };
            let ty = k.e.machine(view.element);
            let pointer =
                k.e.access(StorageClass::Workgroup, ty, variable, &[number, lane]);
            (ty, vec![pointer])
        }
        Base::Buffer(variable) if view.encoding == Encoding::Packed => {
            let (ty, bytes) = buffer_lane(k, view);
            let at = k.index_to_u32(linear);
            (ty, vec![k.e.buffer_element(variable, (ty, bytes), at)])
        }
        Base::Buffer(variable) => {
            let (ty, bytes) = buffer_lane(k, view);
            let lanes = view.element.lanes;
            let lanes_const = k.index_const(lanes.into());
            let first = k.index_mul(linear, lanes_const);
            let first = k.index_to_i32(first);
            let pointers = (0..lanes).map(|lane| {
                let lane = k.e.splat_int(types::I32, lane.into());
                let at = k.add_folded(types::I32, first, lane);
                k.e.buffer_element(variable, (ty, bytes), at)
            });
            (ty, pointers.collect())
        }
    }
}

/// The type of a lane of a buffer as it is stored, not in halves, and its bytes.
pub(crate) fn buffer_lane(k: &mut Kernel<'_>, view: &MemRef) -> (Word, u32) {
    let kind = view.element.kind;
    match view.encoding {
        Encoding::Packed => (packed::stored_type(k, kind), kind.packed_bytes()),
        Encoding::Words => (k.e.stored(atomics::word_of(kind)), kind.bytes()),
        _ => (k.e.stored(kind), kind.bytes()),
    }
}

/// The number of the vector that the element at `linear` lies in, in 32 bits. It is divided first: there may be more
/// elements of one byte than an `i32` counts.
pub(crate) fn number_of_vector(k: &mut Kernel<'_>, linear: Word, lanes: u32) -> Word {
    let number = match k.e.constant_value(linear) {
        Some(value) => k.index_const(value / i64::from(lanes)),
        None => {
            let reg = k.index_reg();
            let shift = k.e.splat_int(reg, lanes.ilog2().into());
            k.e.on(reg, Op::ShiftRightArithmetic, &[linear, shift])
        }
    };
    k.index_to_i32(number)
}

pub(crate) fn read(k: &mut Kernel<'_>, access: &Access) -> Word {
    let reg = access.view.element;
    if let Some(buffer) = packed::gathered_buffer(k, access) {
        let linear = linear(k, access);
        let lanes = packed::gathered(k, buffer, linear, reg.kind, 1);
        return k.decode_lane(reg, lanes[0]);
    }
    let (ty, pointers) = pointers(k, access);
    if access.view.encoding == Encoding::Halves {
        return halves::read(k, (ty, pointers[0]), reg);
    }
    if access.view.encoding == Encoding::Words {
        let word = k.e.load(ty, pointers[0]);
        return k.value_of_word(reg, word);
    }
    if access.view.encoding == Encoding::Packed {
        let narrow = k.e.load(ty, pointers[0]);
        let lane = packed::widened(k.e, reg.kind, narrow);
        return k.decode_lane(reg, lane);
    }
    if let Base::Array(..) | Base::Vectors(..) = access.view.base {
        return k.e.load(ty, pointers[0]);
    }
    let lanes: Vec<Word> = pointers
        .into_iter()
        .map(|pointer| {
            let raw = k.e.load(ty, pointer);
            k.decode_lane(reg, raw)
        })
        .collect();
    match lanes[..] {
        [one] => one,
        _ => k.e.on(reg, Op::CompositeConstruct, &lanes),
    }
}

pub(crate) fn write(k: &mut Kernel<'_>, access: &Access, value: Word) {
    let reg = access.view.element;
    let (ty, pointers) = pointers(k, access);
    if access.view.encoding == Encoding::Halves {
        return halves::write(k, (ty, pointers[0]), value);
    }
    if access.view.encoding == Encoding::Words {
        let word = k.word_of_value(reg, value);
        return k.e.store(pointers[0], word);
    }
    if access.view.encoding == Encoding::Packed {
        let lane = k.encode_lane(reg, value);
        let narrow = packed::narrowed(k, reg.kind, lane);
        return k.e.store(pointers[0], narrow);
    }
    if let Base::Array(..) | Base::Vectors(..) = access.view.base {
        return k.e.store(pointers[0], value);
    }
    for (lane, pointer) in (0..).zip(pointers) {
        let part = k.e.lane(reg, value, lane);
        let raw = k.encode_lane(reg, part);
        k.e.store(pointer, raw);
    }
}

fn alloca(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let result = k.result(op)?;
    let Some(ty) = k.body.ty(result).memref(k.ctx) else {
        return Err(k.malformed(op));
    };
    let scope = match ty.space.map(|space| is_workgroup(k.ctx, space)) {
        Some(true) => Scope::Workgroup,
        _ => Scope::Private,
    };
    if k.byte_views.take(result, scope) {
        return Ok(());
    }
    let element = k.reg_of_type(op, ty.element)?;
    let loc = k.body[op].loc;
    let form = k.form_of(result, element, scope);
    let view = k.scratch(loc, ty, form, scope)?;
    k.define(result, Lowered::MemRef(view));
    Ok(())
}

/// Whether a memory space is `3` or `#gpu.address_space<workgroup>`.
pub(crate) fn is_workgroup(ctx: &Context, space: gridloom_ir::Attr) -> bool {
    match space.kind(ctx) {
        gridloom_ir::AttrKind::Dialect { body, .. } => ctx.str(*body).contains("workgroup"),
        _ => space.as_i64(ctx) == Some(3),
    }
}

impl Kernel<'_> {
    /// The encoding of elements in the buffer that an argument is bound to.
    pub(crate) fn buffer_encoding(&self, args: &[Value], arg: usize, element: Reg) -> Encoding {
        let first = |arg: usize| self.known.same_buffer.get(arg).map_or(arg, |&n| n as usize);
        let mut same = args
            .iter()
            .enumerate()
            .filter(|&(n, _)| first(n) == first(arg));
        let as_words = same.any(|(_, value)| self.word_memory.contains(value));
        match self.halves.has_matrices && halves::is_half(element) && !as_words {
            true => Encoding::Halves,
            false if packed::is_packed(self.env, element) => Encoding::Packed,
            false => Encoding::words(as_words),
        }
    }

    /// The view a value became.
    pub(crate) fn view(&self, op: OpId, value: Value) -> Lowering<MemRef> {
        match self.lowered(op, value)? {
            Lowered::MemRef(view) => Ok(view.clone()),
            Lowered::Reg(_) | Lowered::Lanes(_) | Lowered::Packets(_) => Err(self.malformed(op)),
        }
    }

    /// The form that the elements of scratch memory have.
    pub(crate) fn form_of(&self, memory: Value, element: Reg, scope: Scope) -> Form {
        let of_matrices = self.halves.encoding_of(memory);
        Form {
            element,
            encoding: match of_matrices {
                Some(encoding) if scope == Scope::Workgroup && halves::is_half(element) => encoding,
                _ => Encoding::words(self.word_memory.contains(&memory)),
            },
            lanes: self.wide_memory.get(&memory).copied().unwrap_or(1),
        }
    }

    /// A view of new scratch memory of a static shape.
    pub(crate) fn scratch(
        &mut self,
        loc: Loc,
        ty: &MemRefType,
        Form {
            element,
            encoding,
            lanes,
        }: Form,
        scope: Scope,
    ) -> Lowering<MemRef> {
        let refuse = |message: &str| Box::new(Diagnostic::error(loc, message));
        let count = ty
            .num_elements()
            .ok_or_else(|| refuse("an allocation in a kernel needs a static shape"))?;
        if count > MAX_SCRATCH_ELEMENTS {
            return Err(refuse(
                "the allocations of a kernel are too large: pass the memory in as an argument",
            ));
        }
        let Layout::Permuted(order) = layout::of(self.ctx, ty).map_err(|why| refuse(&why))? else {
            return Err(refuse("an allocation in a kernel needs a packed layout"));
        };
        // SPIR-V has no empty arrays; no index of an empty one is in range.
        let count = count.max(1) as u32;
        let (held, bytes) = match encoding {
            // Only buffers are packed.
            Encoding::Plain | Encoding::Packed => (self.e.machine(element), element.bytes()),
            Encoding::Words => {
                let word = atomics::word_of(element.kind);
                (self.e.stored(word), element.bytes())
            }
            Encoding::Halves => (self.e.float_type(16), halves::BYTES),
            Encoding::Packets => (halves::packet_type(self.e), halves::BYTES),
        };
        let held = self.e.vector_type(held, lanes);
        let length = match encoding {
            Encoding::Packets => count.div_ceil(halves::PACKET),
            _ => count / lanes,
        };
        let array = self.e.array_type(held, length);
        let variable = match scope {
            Scope::Private => self.e.local_variable(array),
            Scope::Workgroup => {
                self.workgroup_bytes += u64::from(count) * u64::from(bytes);
                self.e.global_variable(StorageClass::Workgroup, array)
            }
        };
        let sizes: Vec<Word> = ty
            .shape
            .iter()
            .map(|&size| self.index_const(size))
            .collect();
        Ok(MemRef {
            base: match lanes {
                1 => Base::Array(variable, scope),
                _ => Base::Vectors(variable, lanes),
            },
            element,
            encoding,
            offset: self.index_const(0),
            strides: self.packed_strides(&sizes, &order),
            sizes,
        })
    }

    /// The strides of a packed layout, dimensions ordered from outermost.
    pub(crate) fn packed_strides(&mut self, sizes: &[Word], order: &[usize]) -> Vec<Word> {
        let mut stride = self.index_const(1);
        let mut strides = vec![stride; sizes.len()];
        for (place, &dim) in order.iter().enumerate().rev() {
            strides[dim] = stride;
            // The outermost size multiplies nothing.
            if place > 0 {
                stride = self.index_mul(stride, sizes[dim]);
            }
        }
        strides
    }

    /// The sum of two indices, folded where constants allow.
    pub(crate) fn index_add(&mut self, a: Word, b: Word) -> Word {
        let reg = self.index_reg();
        self.add_folded(reg, a, b)
    }

    pub(crate) fn add_folded(&mut self, reg: Reg, a: Word, b: Word) -> Word {
        match (self.e.constant_value(a), self.e.constant_value(b)) {
            (Some(0), _) => b,
            (_, Some(0)) => a,
            (Some(a), Some(b)) => self.e.splat_int(reg, a.wrapping_add(b)),
            _ => {
                let multiple = self.e.multiple(a).min(self.e.multiple(b));
                let sum = self.e.on(reg, Op::IAdd, &[a, b]);
                self.e.note_multiple(sum, multiple);
                self.e.note_sum(sum, a, b);
                sum
            }
        }
    }

    /// The product of two indices, folded where constants allow.
    pub(crate) fn index_mul(&mut self, a: Word, b: Word) -> Word {
        let reg = self.index_reg();
        match (self.e.constant_value(a), self.e.constant_value(b)) {
            (Some(1), _) => b,
            (_, Some(1)) => a,
            (Some(0), _) | (_, Some(0)) => self.index_const(0),
            (Some(a), Some(b)) => self.e.splat_int(reg, a.wrapping_mul(b)),
            _ => {
                let multiple = self.e.multiple(a) * self.e.multiple(b);
                let product = self.e.on(reg, Op::IMul, &[a, b]);
                self.e.note_multiple(product, multiple);
                self.e.note_product(product, a, b);
                product
            }
        }
    }

    /// An in-range linear index as `u32`, which counts all bytes of a binding.
    pub(crate) fn index_to_u32(&mut self, index: Word) -> Word {
        if self.index_reg() == types::I32 {
            return index;
        }
        match self.e.constant_value(index) {
            Some(value) => self.e.u32_const(value as u32),
            None => {
                let ty = self.e.unsigned(types::I32);
                self.e.op(Op::UConvert, ty, &[index])
            }
        }
    }

    /// An in-range linear index as `i32`. A binding is below 2^32 bytes and an
    /// element at least 4, so no bit is lost; where it is less, [`Kernel::index_to_u32`].
    pub(crate) fn index_to_i32(&mut self, index: Word) -> Word {
        if self.index_reg() == types::I32 {
            return index;
        }
        match self.e.constant_value(index) {
            Some(value) => self.e.splat_int(types::I32, value),
            None => {
                let (multiple, residue) = (self.e.multiple(index), self.e.residue(index));
                let narrow = self.e.on(types::I32, Op::SConvert, &[index]);
                self.e.note_multiple(narrow, multiple);
                self.e.note_residue(narrow, residue);
                narrow
            }
        }
    }
}

impl crate::emit::Emitter {
    /// Emits the extraction of a lane of a register.
    pub(crate) fn lane(&mut self, reg: Reg, value: Word, lane: u32) -> Word {
        if reg.lanes == 1 {
            return value;
        }
        let ty = self.machine(types::scalar(reg.kind));
        self.extract(ty, value, lane)
    }
}
