//! Accesses to memory, and the memory itself: the `memref` dialect less the
//! operations on views, which are in `views`.
//!
//! A view is never a SPIR-V pointer. It names a variable and carries index
//! registers, of which constants are folded as they are combined, so that
//! static shapes cost nothing and no pointer ever crosses a block.
//!
//! An access that carries `gridloom.inbounds` is emitted as it is. Any other
//! is guarded: each index is compared with its size, unsigned, so that
//! negative ones fail too. A load outside gives 0, a store outside does
//! nothing, and both record their site.

use gridloom_ir::diag::Diagnostic;
use gridloom_ir::dialect::{gridloom, memref};
use gridloom_ir::types::MemRefType;
use gridloom_ir::{Loc, OpId, OpName, Value};
use rspirv::spirv::{Op, StorageClass, Word};

use crate::emit::Interface;
use crate::kernel::{Kernel, Lowered, Lowering};
use crate::layout::{self, Layout};
use crate::target::Bounds;
use crate::types::{self, Reg};
use crate::views;

/// Scratch memory of one kernel is at most this many elements an allocation:
/// beyond, drivers spill for seconds or fail.
const MAX_SCRATCH_ELEMENTS: i64 = 1 << 20;

/// What a view's elements lie in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Base {
    /// A storage buffer: a block around a runtime array of encoded lanes.
    Buffer(Word),
    /// A plain array of registers.
    Array(Word, Scope),
}

/// Who shares a piece of scratch memory.
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

/// A view of memory: element `i` lies at `offset + Σ i[d] * strides[d]`.
#[derive(Clone, Debug)]
pub(crate) struct MemRef {
    pub(crate) base: Base,
    pub(crate) element: Reg,
    pub(crate) offset: Word,
    pub(crate) sizes: Vec<Word>,
    pub(crate) strides: Vec<Word>,
}

/// The guarded accesses of a kernel.
#[derive(Clone, Default, Debug)]
pub(crate) struct Faults {
    reserved: u32,
    variable: Option<Word>,
    recorder: Option<Word>,
    pub(crate) sites: Vec<Loc>,
}

impl Faults {
    /// Reserves the binding of the fault buffer.
    pub(crate) fn reserve(&mut self, binding: u32) {
        self.reserved = binding;
    }

    /// The binding, if some access is guarded.
    pub(crate) fn binding(&self) -> Option<u32> {
        self.variable.map(|_| self.reserved)
    }
}

/// Lowers operations on memrefs.
pub(crate) fn lower(k: &mut Kernel<'_>, op: OpId, name: OpName) -> Lowering<bool> {
    match name {
        memref::LOAD => load(k, op)?,
        memref::STORE => store(k, op)?,
        memref::ALLOCA => alloca(k, op)?,
        // Only a hint.
        memref::PREFETCH => {}
        _ => return views::lower(k, op, name),
    }
    Ok(true)
}

/// An access: where, and whether it needs a guard.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) view: MemRef,
    indices: Vec<Word>,
    pub(crate) guarded: bool,
}

impl Access {
    /// The access of `op`, whose operand `first` is the memref and the indices follow.
    pub(crate) fn of(k: &Kernel<'_>, op: OpId, first: usize) -> Lowering<Access> {
        Access::between(k, op, first, k.body[op].operands.len())
    }

    /// The access whose indices end before operand `end`.
    pub(crate) fn between(k: &Kernel<'_>, op: OpId, first: usize, end: usize) -> Lowering<Access> {
        let source = k.operand(op, first)?;
        let view = k.view(op, source)?;
        let operands = k.body[op].operands.get(first + 1..end);
        let operands = operands.ok_or_else(|| k.malformed(op))?;
        let indices: Vec<Word> = operands
            .iter()
            .map(|&index| k.value_word(op, index))
            .collect::<Lowering<_>>()?;
        if indices.len() != view.sizes.len() {
            return Err(k.malformed(op));
        }
        let proved = gridloom::is_in_bounds(k.ctx, &k.body[op]);
        let guarded = !proved && k.env.bounds == Bounds::Guarded;
        Ok(Access {
            view,
            indices,
            guarded,
        })
    }

    /// The condition that every index is in range; `None` when it always is.
    pub(crate) fn in_range(&self, k: &mut Kernel<'_>) -> Option<Word> {
        self.in_range_from(k, 0)
    }

    /// As [`Access::in_range`], of the last index alone.
    pub(crate) fn last_in_range(&self, k: &mut Kernel<'_>) -> Option<Word> {
        self.in_range_from(k, self.indices.len().saturating_sub(1))
    }

    fn in_range_from(&self, k: &mut Kernel<'_>, first: usize) -> Option<Word> {
        if !self.guarded {
            return None;
        }
        let reg = k.index_reg();
        let mut all = None;
        let dims = self.indices.iter().zip(&self.view.sizes).skip(first);
        for (&index, &size) in dims {
            let constants = (k.e.constant_value(index), k.e.constant_value(size));
            if matches!(constants, (Some(index), Some(size)) if (0..size).contains(&index)) {
                continue;
            }
            let one = k.e.test(reg, Op::ULessThan, &[index, size]);
            all = Some(match all {
                Some(others) => k.e.test(reg, Op::LogicalAnd, &[others, one]),
                None => one,
            });
        }
        all
    }

    /// The access of the element `lane` further along the last dimension.
    pub(crate) fn element(&self, k: &mut Kernel<'_>, lane: u32) -> Access {
        let mut access = self.clone();
        if let Some(last) = access.indices.last_mut() {
            let lane = k.index_const(lane.into());
            *last = k.index_add(*last, lane);
        }
        access
    }

    /// The element, or 0 where it is out of range.
    pub(crate) fn read_or_zero(&self, k: &mut Kernel<'_>) -> Word {
        self.guarded_read(k, None)
    }

    /// As [`Access::read_or_zero`]; being out of range is a fault of `op`.
    pub(crate) fn read_recorded(&self, k: &mut Kernel<'_>, op: OpId) -> Word {
        self.guarded_read(k, Some(op))
    }

    fn guarded_read(&self, k: &mut Kernel<'_>, fault: Option<OpId>) -> Word {
        let reg = self.view.element;
        let Some(in_range) = self.in_range(k) else {
            return read(k, self);
        };
        let [inside, outside, merge] = [(); 3].map(|()| k.e.id());
        k.e.selection_merge(merge);
        k.e.branch_if(in_range, inside, outside);
        k.e.begin_block(inside);
        let value = read(k, self);
        let inside = k.e.current_block();
        k.e.branch(merge);
        k.e.begin_block(outside);
        if let Some(op) = fault {
            k.record_fault(op);
        }
        let (ty, zero) = (k.e.machine(reg), k.e.zero(reg));
        let outside = k.e.current_block();
        k.e.branch(merge);
        k.e.begin_block(merge);
        k.e.phi(ty, &[(value, inside), (zero, outside)])
    }

    /// Writes the element, if it is in range.
    pub(crate) fn write_if_inside(&self, k: &mut Kernel<'_>, value: Word) {
        self.guarded_write(k, None, value);
    }

    /// As [`Access::write_if_inside`]; being out of range is a fault of `op`.
    pub(crate) fn write_recorded(&self, k: &mut Kernel<'_>, op: OpId, value: Word) {
        self.guarded_write(k, Some(op), value);
    }

    fn guarded_write(&self, k: &mut Kernel<'_>, fault: Option<OpId>, value: Word) {
        let Some(in_range) = self.in_range(k) else {
            return write(k, self, value);
        };
        let [inside, outside, merge] = [(); 3].map(|()| k.e.id());
        k.e.selection_merge(merge);
        k.e.branch_if(in_range, inside, outside);
        k.e.begin_block(inside);
        write(k, self, value);
        k.e.branch(merge);
        k.e.begin_block(outside);
        if let Some(op) = fault {
            k.record_fault(op);
        }
        k.e.branch(merge);
        k.e.begin_block(merge);
    }
}

pub(crate) fn load(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let access = Access::of(k, op, 0)?;
    let value = access.read_recorded(k, op);
    k.set(op, value)
}

pub(crate) fn store(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let value = k.word(op, 0)?;
    let access = Access::of(k, op, 1)?;
    access.write_recorded(k, op, value);
    Ok(())
}

/// How many elements from the base an access lies.
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
fn pointers(k: &mut Kernel<'_>, access: &Access) -> (Word, Vec<Word>) {
    let view = &access.view;
    let linear = linear(k, access);
    match view.base {
        Base::Array(variable, scope) => {
            let linear = k.index_to_i32(linear);
            let ty = k.e.machine(view.element);
            let pointer = k.e.access(scope.class(), ty, variable, &[linear]);
            (ty, vec![pointer])
        }
        Base::Buffer(variable) => {
            let ty = k.e.stored(view.element.kind);
            let lanes = view.element.lanes;
            let zero = k.e.splat_int(types::I32, 0);
            let lanes_const = k.index_const(lanes.into());
            let first = k.index_mul(linear, lanes_const);
            let first = k.index_to_i32(first);
            let pointers = (0..lanes).map(|lane| {
                let lane = k.e.splat_int(types::I32, lane.into());
                let at = k.add_folded(types::I32, first, lane);
                k.e.access(StorageClass::StorageBuffer, ty, variable, &[zero, at])
            });
            (ty, pointers.collect())
        }
    }
}

pub(crate) fn read(k: &mut Kernel<'_>, access: &Access) -> Word {
    let reg = access.view.element;
    let (ty, pointers) = pointers(k, access);
    if let Base::Array(..) = access.view.base {
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
    let (_, pointers) = pointers(k, access);
    if let Base::Array(..) = access.view.base {
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
    let scope = match ty.space.map(|space| is_workgroup(k, space)) {
        Some(true) => Scope::Workgroup,
        _ => Scope::Private,
    };
    let element = k.reg_of_type(op, ty.element)?;
    let loc = k.body[op].loc;
    let view = k.scratch(loc, ty, element, scope)?;
    k.define(result, Lowered::MemRef(view));
    Ok(())
}

/// Whether a memory space is `3` or `#gpu.address_space<workgroup>`.
fn is_workgroup(k: &Kernel<'_>, space: gridloom_ir::Attr) -> bool {
    match space.kind(k.ctx) {
        gridloom_ir::AttrKind::Dialect { body, .. } => k.ctx.str(*body).contains("workgroup"),
        _ => space.as_i64(k.ctx) == Some(3),
    }
}

impl Kernel<'_> {
    /// The view a value became.
    pub(crate) fn view(&self, op: OpId, value: Value) -> Lowering<MemRef> {
        match self.lowered(op, value)? {
            Lowered::MemRef(view) => Ok(view.clone()),
            Lowered::Reg(_) => Err(self.malformed(op)),
        }
    }

    /// A view of new scratch memory of a static shape.
    pub(crate) fn scratch(
        &mut self,
        loc: Loc,
        ty: &MemRefType,
        element: Reg,
        scope: Scope,
    ) -> Lowering<MemRef> {
        let refuse = |message: &str| Box::new(Diagnostic::error(loc, message));
        let count = ty
            .num_elements()
            .ok_or_else(|| refuse("scratch memory in a kernel needs a static shape"))?;
        if count > MAX_SCRATCH_ELEMENTS {
            return Err(refuse(
                "too much scratch memory for a kernel: pass it in as an argument",
            ));
        }
        let Layout::Permuted(order) = layout::of(self.ctx, ty).map_err(|why| refuse(&why))? else {
            return Err(refuse("scratch memory in a kernel needs a packed layout"));
        };
        // SPIR-V has no empty arrays; no index of an empty one is in range.
        let count = count.max(1) as u32;
        let register = self.e.machine(element);
        let array = self.e.array_type(register, count);
        let variable = match scope {
            Scope::Private => self.e.local_variable(array),
            Scope::Workgroup => {
                self.workgroup_bytes += u64::from(count) * u64::from(element.bytes());
                self.e.global_variable(StorageClass::Workgroup, array)
            }
        };
        let sizes: Vec<Word> = ty
            .shape
            .iter()
            .map(|&size| self.index_const(size))
            .collect();
        Ok(MemRef {
            base: Base::Array(variable, scope),
            element,
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
                product
            }
        }
    }

    /// An in-range linear index as `i32`. A binding is below 2^32 bytes and an
    /// element at least 4, so no bit is lost.
    pub(crate) fn index_to_i32(&mut self, index: Word) -> Word {
        if self.index_reg() == types::I32 {
            return index;
        }
        match self.e.constant_value(index) {
            Some(value) => self.e.splat_int(types::I32, value),
            None => {
                let multiple = self.e.multiple(index);
                let narrow = self.e.on(types::I32, Op::SConvert, &[index]);
                self.e.note_multiple(narrow, multiple);
                narrow
            }
        }
    }

    /// Records in the fault buffer that the access `op` was out of range.
    pub(crate) fn record_fault(&mut self, op: OpId) {
        let variable = match self.faults.variable {
            Some(variable) => variable,
            None => self.declare_faults(),
        };
        let recorder = match self.faults.recorder {
            Some(recorder) => recorder,
            None => {
                let recorder = self.e.fault_recorder(variable);
                *self.faults.recorder.insert(recorder)
            }
        };
        self.faults.sites.push(self.body[op].loc);
        let number = self.e.u32_const(self.faults.sites.len() as u32);
        let void = self.e.void_type();
        self.e.op(Op::FunctionCall, void, &[recorder, number]);
    }

    fn declare_faults(&mut self) -> Word {
        let word = self.e.int_type(32, false);
        let resource = Interface {
            class: StorageClass::StorageBuffer,
            members: vec![(word, 0), (word, 4)],
            binding: Some(self.faults.reserved),
            read_only: false,
        };
        let variable = self.e.resource(resource, "faults");
        *self.faults.variable.insert(variable)
    }
}

impl crate::emit::Emitter {
    /// `fn(number)`: sets word 0 to `number` if it is 0, and counts in word 1.
    /// Kernels that share the fault buffer share the function.
    fn fault_recorder(&mut self, variable: Word) -> Word {
        if let Some(&function) = self.fault_recorders.get(&variable) {
            return function;
        }
        let (void, word) = (self.void_type(), self.int_type(32, false));
        let (function, params) = self.begin_function(void, &[word]);
        self.name(function, "record_fault");
        let class = StorageClass::StorageBuffer;
        let [zero, one] = [0, 1].map(|n| self.u32_const(n));
        // Scope 1 is the device; semantics 0 is relaxed.
        let (device, relaxed) = (one, zero);
        let first = self.access(class, word, variable, &[zero]);
        let operands = [first, device, relaxed, relaxed, params[0], zero];
        self.op(Op::AtomicCompareExchange, word, &operands);
        let count = self.access(class, word, variable, &[one]);
        self.op(Op::AtomicIAdd, word, &[count, device, relaxed, one]);
        self.ret();
        self.end_function();
        self.fault_recorders.insert(variable, function);
        function
    }

    /// One lane of a register.
    pub(crate) fn lane(&mut self, reg: Reg, value: Word, lane: u32) -> Word {
        if reg.lanes == 1 {
            return value;
        }
        let ty = self.machine(types::scalar(reg.kind));
        self.extract(ty, value, lane)
    }
}
