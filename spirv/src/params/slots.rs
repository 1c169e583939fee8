//! Slots of a kernel's interface: which buffers and parameters its arguments take.

use gridloom_dialects::{gpu, memref, vector};
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::types::{DYNAMIC, MemRefType};
use gridloom_ir::{Loc, Value};

use super::refuse;
use crate::abi::{self, BufferBinding, DIGITS, ElementKind, ParamLayout, ParamSource};
use crate::kernel::{Kernel, Lowering};
use crate::layout::{self, Layout};
use crate::memory::Encoding;
use crate::target::ParamsClass;
use crate::views;

const MIXED_ELEMENTS: &str = "this argument lies in the same buffer as another one of a different \
                              element type, and one binding has one element type; copy one of them";

/// Slots of a kernel's interface: the members of its parameter block and its buffers, before either has a place.
#[derive(Default)]
pub(super) struct Slots {
    pub(super) layout: ParamLayout,
    pub(super) buffers: Vec<BufferBinding>,
}

impl Slots {
    /// The slots that these arguments take, in their order.
    pub(super) fn of(k: &mut Kernel<'_>, args: &[Value]) -> Lowering<Slots> {
        let memrefs = MemrefArguments::of(k, args);
        let (written, by_address) = (memrefs.written(k), memrefs.by_address(k));
        let mut slots = Slots::default();
        for (arg, &value) in (0..).zip(args) {
            let loc = k.argument_loc(value);
            let Some(ty) = k.body.ty(value).memref(k.ctx) else {
                slots.add_scalar(k, loc, value, arg)?;
                continue;
            };
            let element = k.reg_at(loc, ty.element)?;
            add_memref_params(k, &mut slots.layout, loc, ty, arg)?;
            let encoding = k.buffer_encoding(args, arg as usize, element);
            let packed = matches!(encoding, Encoding::Halves | Encoding::Packed);
            let bytes = u64::from(abi::element_bytes(element, packed));
            let buffer = BufferBinding {
                arg,
                binding: slots.buffers.len() as u32,
                element,
                packed,
                min_bytes: layout::extent(k.ctx, ty) * bytes,
                read_only: !written[arg as usize],
            };
            slots.add_buffer(k, loc, buffer, by_address[arg as usize])?;
        }
        slots.add_digits(k);
        Ok(slots)
    }

    /// Adds the parameter of a scalar argument.
    fn add_scalar(&mut self, k: &mut Kernel<'_>, loc: Loc, value: Value, arg: u32) -> Lowering<()> {
        let reg = k.reg_at(loc, k.body.ty(value))?;
        if reg.lanes != 1 {
            let why = "a vector cannot be a kernel argument: pass its lanes";
            return Err(refuse(loc, why));
        }
        self.layout.add(reg.kind, ParamSource::Scalar { arg });
        Ok(())
    }

    /// Adds the buffer of a memref argument, or joins it with that of the first argument in the same buffer.
    fn add_buffer(
        &mut self,
        k: &Kernel<'_>,
        loc: Loc,
        new: BufferBinding,
        is_by_address: bool,
    ) -> Lowering<()> {
        let first = first_of(k, new.arg);
        match self.buffers.iter_mut().find(|buffer| buffer.arg == first) {
            Some(buffer) if (buffer.element, buffer.packed) == (new.element, new.packed) => {
                buffer.min_bytes = buffer.min_bytes.max(new.min_bytes);
                buffer.read_only &= new.read_only;
            }
            Some(_) => return Err(refuse(loc, MIXED_ELEMENTS)),
            None => {
                if is_by_address {
                    let source = ParamSource::Address { arg: new.arg };
                    self.layout.add(ElementKind::Int(64), source);
                }
                self.buffers.push(new);
            }
        }
        Ok(())
    }

    /// Adds the digits of workgroup ids, where the kernel uses them and push constants have room: a uniform buffer has no
    /// array of words, and its loads are not seen to be the same for all threads.
    fn add_digits(&mut self, k: &Kernel<'_>) {
        if k.known.uniform_ids.is_some()
            && k.env.params == ParamsClass::Immediates
            && self.layout.size() + DIGITS * 4 <= k.env.limits.immediate_bytes
        {
            for value in 0..DIGITS {
                let source = ParamSource::Digit { value };
                self.layout.add(ElementKind::Int(32), source);
            }
        }
    }
}

/// The memref arguments of a kernel, through any views of them.
struct MemrefArguments {
    numbers: FxHashMap<Value, usize>,
    roots: FxHashMap<Value, Value>,
}

impl MemrefArguments {
    fn of(k: &Kernel<'_>, args: &[Value]) -> Self {
        MemrefArguments {
            numbers: args.iter().copied().zip(0..).collect(),
            roots: views::roots(k.body),
        }
    }

    /// The argument that a value is, or is a view of.
    fn behind(&self, value: &Value) -> Option<usize> {
        let root = self.roots.get(value).unwrap_or(value);
        self.numbers.get(root).copied()
    }

    /// Whether each argument is a memref that something may write to. Views are
    /// followed; an operation not known to only read counts as a write.
    fn written(&self, k: &Kernel<'_>) -> Vec<bool> {
        let mut written = vec![false; self.numbers.len()];
        for op in k.body.walk() {
            let data = &k.body[op];
            let operands = &data.operands[..];
            let suspects = match data.name {
                memref::COPY => operands.get(1..).unwrap_or(&[]),
                _ => operands,
            };
            match data.name {
                memref::LOAD
                | memref::DIM
                | memref::RANK
                | memref::PREFETCH
                | vector::LOAD
                | vector::MASKEDLOAD
                | gpu::SUBGROUP_MMA_LOAD_MATRIX => {}
                name if views::is_view(name) => {}
                _ => {
                    for number in suspects.iter().filter_map(|value| self.behind(value)) {
                        written[number] = true;
                    }
                }
            }
        }
        written
    }

    /// Whether the kernel reaches the buffer that each argument stands for by its address. A buffer that a view
    /// in the kernel may leave is bound: the driver keeps its end only there. So are those that the launch wants bound.
    fn by_address(&self, k: &Kernel<'_>) -> Vec<bool> {
        let mut by_address = vec![k.e.has_addresses(); self.numbers.len()];
        if !k.e.has_addresses() {
            return by_address;
        }
        for &arg in &k.known.bound {
            by_address[first_of(k, arg) as usize] = false;
        }
        let ops = k.body.walk().into_iter();
        for view in ops.filter(|&op| views::may_leave_source(k.body[op].name)) {
            let source = k.body[view].operands.first();
            if let Some(arg) = source.and_then(|source| self.behind(source)) {
                by_address[first_of(k, arg as u32) as usize] = false;
            }
        }
        by_address
    }
}

/// The members that describe a memref argument: offset, sizes, strides.
fn add_memref_params(
    k: &Kernel<'_>,
    layout: &mut ParamLayout,
    loc: Loc,
    ty: &MemRefType,
    arg: u32,
) -> Lowering<()> {
    let index = ElementKind::Int(k.env.index_width.bits());
    let strided = layout::of(k.ctx, ty).map_err(|why| refuse(loc, &why))?;
    if let Layout::Strided {
        offset: DYNAMIC, ..
    } = strided
    {
        layout.add(index, ParamSource::Offset { arg });
    }
    for (dim, &size) in (0..).zip(&ty.shape) {
        if size == DYNAMIC {
            layout.add(index, ParamSource::Size { arg, dim });
        }
    }
    if let Layout::Strided { strides, .. } = strided {
        for (dim, stride) in (0..).zip(strides) {
            if stride == DYNAMIC {
                layout.add(index, ParamSource::Stride { arg, dim });
            }
        }
    }
    Ok(())
}

/// The first argument in the same buffer as `arg`, which stands for all of them.
pub(super) fn first_of(k: &Kernel<'_>, arg: u32) -> u32 {
    let first = k.known.same_buffer.get(arg as usize);
    first.copied().unwrap_or(arg)
}
