//! The arguments of a kernel: buffers, the parameter block, scratch memory.

use gridloom_dialects::{gpu, inherent, memref, vector};
use gridloom_ir::body::OpData;
use gridloom_ir::diag::Diagnostic;
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::types::{DYNAMIC, MemRefType};
use gridloom_ir::{BlockId, Context, Loc, Value};
use rspirv::dr::Operand;
use rspirv::spirv::{Decoration, Op, StorageClass, Word};

use crate::abi::{self, BufferBinding, DIGITS, ElementKind, KernelAbi, ParamLayout, ParamSource};
use crate::atomics;
use crate::emit::Interface;
use crate::halves;
use crate::kernel::{Kernel, Lowered, Lowering};
use crate::layout::{self, Layout};
use crate::memory::{Base, Encoding, MemRef, Scope};
use crate::target::ParamsClass;
use crate::types::{self, Reg};
use crate::views;

const MIXED_ELEMENTS: &str = "this argument lies in the same buffer as another one of a different \
                              element type, and one binding has one element type; copy one of them";

/// Declares the interface of a kernel and defines its arguments.
pub(crate) fn bind(k: &mut Kernel<'_>, func: &OpData, entry: BlockId) -> Lowering<KernelAbi> {
    let args = k.body[entry].args.clone();
    let attributions = Attributions::of(k, func, args.len())?;
    let params = attributions.params;
    let memrefs = MemrefArguments::of(k, &args[..params]);
    let (written, by_address) = (memrefs.written(k), memrefs.by_address(k));
    let mut layout = ParamLayout::default();
    let mut buffers: Vec<BufferBinding> = Vec::new();
    for (arg, &value) in (0..).zip(&args[..params]) {
        let loc = k.argument_loc(value);
        match k.body.ty(value).memref(k.ctx) {
            Some(ty) => {
                let element = k.reg_at(loc, ty.element)?;
                add_memref_params(k, &mut layout, loc, ty, arg)?;
                let encoding = k.buffer_encoding(&args[..params], arg as usize, element);
                let bytes = abi::element_bytes(element, encoding == Encoding::Halves);
                let min_bytes = layout::extent(k.ctx, ty) * u64::from(bytes);
                let read_only = !written[arg as usize];
                let first = first_of(k, arg);
                match buffers.iter_mut().find(|buffer| buffer.arg == first) {
                    Some(buffer)
                        if buffer.element == element
                            && buffer.halves == (encoding == Encoding::Halves) =>
                    {
                        buffer.min_bytes = buffer.min_bytes.max(min_bytes);
                        buffer.read_only &= read_only;
                    }
                    Some(_) => return Err(refuse(loc, MIXED_ELEMENTS)),
                    None => {
                        if by_address[arg as usize] {
                            layout.add(ElementKind::Int(64), ParamSource::Address { arg });
                        }
                        buffers.push(BufferBinding {
                            arg,
                            binding: buffers.len() as u32,
                            element,
                            halves: encoding == Encoding::Halves,
                            min_bytes,
                            read_only,
                        });
                    }
                }
            }
            None => {
                let reg = k.reg_at(loc, k.body.ty(value))?;
                if reg.lanes != 1 {
                    return Err(refuse(
                        loc,
                        "a vector cannot be a kernel argument: pass its lanes",
                    ));
                }
                layout.add(reg.kind, ParamSource::Scalar { arg });
            }
        }
    }
    // A uniform buffer has no array of words, and its loads are not seen to be the same for all threads.
    if k.known.uniform_ids.is_some()
        && k.env.params == ParamsClass::Immediates
        && layout.size() + DIGITS * 4 <= k.env.limits.immediate_bytes
    {
        for value in 0..DIGITS {
            layout.add(ElementKind::Int(32), ParamSource::Digit { value });
        }
    }
    let class = layout.class(k.env.params, k.env.limits.immediate_bytes);
    let block = layout.finish(class, buffers.len() as u32);
    let fault_binding = buffers.len() as u32 + u32::from(block.binding.is_some());
    k.faults.reserve(fault_binding);
    let encoding = |k: &Kernel<'_>, b: &BufferBinding| {
        k.buffer_encoding(&args[..params], b.arg as usize, b.element)
    };
    let encodings: Vec<Encoding> = buffers.iter().map(|b| encoding(k, b)).collect();
    let abi = KernelAbi {
        buffers,
        params: block,
        fault_binding: None,
        fault_sites: Vec::new(),
    };
    let loaded = load_params(k, &abi);
    let variables: Vec<Word> = (abi.buffers.iter().zip(&encodings))
        .map(|(b, &encoding)| declare_buffer(k, b, encoding, &loaded))
        .collect();
    let given = Given {
        variables: &variables,
        encodings: &encodings,
        loaded: &loaded,
    };
    define_arguments(k, &args[..params], &abi, &given)?;
    for &value in &args[params..attributions.private_from] {
        define_scratch(k, value, Scope::Workgroup)?;
    }
    for &value in &args[attributions.private_from..] {
        define_scratch(k, value, Scope::Private)?;
    }
    Ok(abi)
}

fn refuse(loc: Loc, message: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(loc, message))
}

/// Division of the entry block's arguments: parameters, then workgroup attributions, then
/// private ones.
struct Attributions {
    params: usize,
    private_from: usize,
}

/// The number of a kernel's parameters, before its memory attributions.
pub(crate) fn parameter_count(ctx: &Context, func: &OpData) -> usize {
    let ty = func.get(ctx, inherent::FUNCTION_TYPE);
    let ty = ty.and_then(|ty| ty.function(ctx));
    ty.map_or(usize::MAX, |(inputs, _)| inputs.len())
}

impl Attributions {
    fn of(k: &Kernel<'_>, func: &OpData, args: usize) -> Lowering<Self> {
        let params = parameter_count(k.ctx, func).min(args);
        let workgroup = func.get(k.ctx, inherent::WORKGROUP_ATTRIBUTIONS);
        let workgroup = workgroup.unwrap_or(0);
        let private_from = usize::try_from(workgroup)
            .ok()
            .and_then(|n| params.checked_add(n))
            .filter(|&n| n <= args)
            .ok_or_else(|| {
                refuse(
                    func.loc,
                    "malformed 'gpu.func': run the verifier on the module",
                )
            })?;
        Ok(Attributions {
            params,
            private_from,
        })
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
fn first_of(k: &Kernel<'_>, arg: u32) -> u32 {
    let first = k.known.same_buffer.get(arg as usize);
    first.copied().unwrap_or(arg)
}

/// A storage buffer: a pointer to the address that is a parameter, or a variable in descriptor set 0.
fn declare_buffer(
    k: &mut Kernel<'_>,
    buffer: &BufferBinding,
    encoding: Encoding,
    loaded: &FxHashMap<ParamSource, Word>,
) -> Word {
    let kind = buffer.element.kind;
    let (lane, stride) = match encoding {
        Encoding::Halves | Encoding::Packets => (halves::stored_type(k.e), halves::BYTES),
        Encoding::Words => (k.e.stored(atomics::word_of(kind)), kind.bytes()),
        Encoding::Plain => (k.e.stored(kind), kind.bytes()),
    };
    if let Some(&address) = loaded.get(&ParamSource::Address { arg: buffer.arg }) {
        return k.e.buffer_at(address, lane, stride);
    }
    let array = k.e.runtime_array_type(lane, stride);
    let resource = Interface {
        class: k.e.buffer_class,
        is_buffer: true,
        members: vec![(array, 0)],
        binding: Some(buffer.binding),
        read_only: buffer.read_only,
    };
    // Kernels that share the variable may pass different arguments through it.
    k.e.resource(resource, &format!("buffer{}", buffer.binding))
}

/// The members of the parameter block, loaded and decoded, by source.
fn load_params(k: &mut Kernel<'_>, abi: &KernelAbi) -> FxHashMap<ParamSource, Word> {
    let block = &abi.params;
    if block.members.is_empty() {
        return FxHashMap::default();
    }
    let class = match block.class {
        ParamsClass::Immediates => StorageClass::PushConstant,
        ParamsClass::Uniform => StorageClass::Uniform,
    };
    let mut members: Vec<(Word, u32)> = Vec::new();
    for member in &block.members {
        match member.source {
            ParamSource::Digit { value: 0 } => members.push((k.e.digits_type(), member.offset)),
            ParamSource::Digit { .. } => {}
            _ => members.push((k.e.stored(member.kind), member.offset)),
        }
    }
    let resource = Interface {
        class,
        is_buffer: false,
        members: members.clone(),
        binding: block.binding,
        read_only: false,
    };
    let variable = k.e.resource(resource, "params");
    let known = k.known;
    let mut loaded = FxHashMap::default();
    for (number, (member, (stored, _))) in (0..).zip(block.members.iter().zip(members)) {
        let number = k.e.u32_const(number);
        if let ParamSource::Digit { .. } = member.source {
            k.digits = Some(Digits {
                class,
                block: variable,
                member: number,
            });
            break;
        }
        let pointer = k.e.access(class, stored, variable, &[number]);
        let raw = k.e.load(stored, pointer);
        let value = k.decode_lane(types::scalar(member.kind), raw);
        let multiple = known
            .multiples
            .iter()
            .find(|(source, _)| *source == member.source);
        if let Some(&(_, multiple)) = multiple {
            k.e.note_multiple(value, multiple);
        }
        loaded.insert(member.source, value);
    }
    loaded
}

/// Table of the digits of workgroup ids: the last member of the parameter block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Digits {
    class: StorageClass,
    block: Word,
    member: Word,
}

impl Kernel<'_> {
    /// An integer of up to `count` hexadecimal digits, each of them looked up; the integer itself where there is no table.
    pub(crate) fn looked_up(&mut self, number: Word, count: u32) -> Word {
        let Some(digits) = self.digits else {
            return number;
        };
        let word = self.e.int_type(32, false);
        let mask = self.e.u32_const(DIGITS - 1);
        let mut sum = self.e.u32_const(0);
        for place in 0..count {
            let shift = self.e.u32_const(place * DIGITS.ilog2());
            let digit = self.e.op(Op::ShiftRightLogical, word, &[number, shift]);
            let digit = self.e.op(Op::BitwiseAnd, word, &[digit, mask]);
            let indices = [digits.member, digit];
            let pointer = self.e.access(digits.class, word, digits.block, &indices);
            let same = self.e.load(word, pointer);
            let same = self.e.op(Op::ShiftLeftLogical, word, &[same, shift]);
            sum = self.e.op(Op::BitwiseOr, word, &[sum, same]);
        }
        sum
    }
}

/// Sources of arguments: the variables of the buffers, their encodings, and the members of the
/// parameter block.
struct Given<'g> {
    variables: &'g [Word],
    encodings: &'g [Encoding],
    loaded: &'g FxHashMap<ParamSource, Word>,
}

fn define_arguments(
    k: &mut Kernel<'_>,
    args: &[Value],
    abi: &KernelAbi,
    all: &Given<'_>,
) -> Lowering<()> {
    let Given {
        variables, loaded, ..
    } = *all;
    for (arg, &value) in (0..).zip(args) {
        let Some(ty) = k.body.ty(value).memref(k.ctx) else {
            if let Some(&word) = loaded.get(&ParamSource::Scalar { arg }) {
                k.define(value, Lowered::Reg(word));
            }
            continue;
        };
        let first = first_of(k, arg);
        let Some(number) = abi.buffers.iter().position(|buffer| buffer.arg == first) else {
            continue;
        };
        let (buffer, variable) = (&abi.buffers[number], variables[number]);
        let given =
            |k: &mut Kernel<'_>, constant: i64, source: ParamSource| match loaded.get(&source) {
                Some(&word) => word,
                None => k.index_const(constant),
            };
        let sizes: Vec<Word> = (0..)
            .zip(&ty.shape)
            .map(|(dim, &size)| given(k, size, ParamSource::Size { arg, dim }))
            .collect();
        let loc = k.argument_loc(value);
        let (offset, strides) = match layout::of(k.ctx, ty).map_err(|why| refuse(loc, &why))? {
            Layout::Permuted(order) => (k.index_const(0), k.packed_strides(&sizes, &order)),
            Layout::Strided { offset, strides } => {
                let offset = given(k, offset, ParamSource::Offset { arg });
                let strides = (0..)
                    .zip(strides)
                    .map(|(dim, stride)| given(k, stride, ParamSource::Stride { arg, dim }))
                    .collect();
                (offset, strides)
            }
        };
        let view = MemRef {
            base: Base::Buffer(variable),
            element: buffer.element,
            encoding: all.encodings[number],
            offset,
            sizes,
            strides,
        };
        k.define(value, Lowered::MemRef(view));
    }
    Ok(())
}

/// A memory attribution: scratch memory of the workgroup or of the thread.
fn define_scratch(k: &mut Kernel<'_>, value: Value, scope: Scope) -> Lowering<()> {
    let loc = k.argument_loc(value);
    let Some(ty) = k.body.ty(value).memref(k.ctx) else {
        return Err(refuse(loc, "a memory attribution must be a ranked memref"));
    };
    if k.byte_views.take(value, scope) {
        return Ok(());
    }
    let element: Reg = k.reg_at(loc, ty.element)?;
    let form = k.form_of(value, element, scope);
    let view = k.scratch(loc, ty, form, scope)?;
    k.define(value, Lowered::MemRef(view));
    Ok(())
}

impl crate::emit::Emitter {
    /// Decorates a variable with a binding of descriptor set 0.
    pub(crate) fn bind(&mut self, variable: Word, binding: u32) {
        let set = [Operand::LiteralBit32(0)];
        self.decorate(variable, Decoration::DescriptorSet, &set);
        let binding = [Operand::LiteralBit32(binding)];
        self.decorate(variable, Decoration::Binding, &binding);
    }
}
