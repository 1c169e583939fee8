//! The arguments of a kernel: buffers, the parameter block, scratch memory.

mod slots;

use gridloom_dialects::inherent;
use gridloom_ir::body::OpData;
use gridloom_ir::diag::Diagnostic;
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{BlockId, Context, Loc, Value};
use rspirv::dr::Operand;
use rspirv::spirv::{Decoration, Op, StorageClass, Word};

use crate::abi::{BufferBinding, DIGITS, KernelAbi, ParamSource};
use crate::atomics;
use crate::emit::Interface;
use crate::halves;
use crate::kernel::{Kernel, Lowered, Lowering};
use crate::layout::{self, Layout};
use crate::memory::{Base, Encoding, MemRef, Scope};
use crate::packed;
use crate::target::ParamsClass;
use crate::types::{self, Reg};
use slots::{Slots, first_of};

/// Declares the interface of a kernel and defines its arguments.
pub(crate) fn bind(k: &mut Kernel<'_>, func: &OpData, entry: BlockId) -> Lowering<KernelAbi> {
    let args = k.body[entry].args.clone();
    let attributions = Attributions::of(k, func, args.len())?;
    let (args, scratch) = args.split_at(attributions.params);
    let Slots { layout, buffers } = Slots::of(k, args)?;
    let class = layout.class(k.env.params, k.env.limits.immediate_bytes);
    let block = layout.finish(class, buffers.len() as u32);
    let fault_binding = buffers.len() as u32 + u32::from(block.binding.is_some());
    k.faults.reserve(fault_binding);
    let encoding = |b: &BufferBinding| k.buffer_encoding(args, b.arg as usize, b.element);
    let encodings: Vec<Encoding> = buffers.iter().map(encoding).collect();
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
    define_arguments(k, args, &abi, &given)?;
    let (shared, private) = scratch.split_at(attributions.private_from - attributions.params);
    for (values, scope) in [(shared, Scope::Workgroup), (private, Scope::Private)] {
        for &value in values {
            define_scratch(k, value, scope)?;
        }
    }
    Ok(abi)
}

pub(super) fn refuse(loc: Loc, message: &str) -> Box<Diagnostic> {
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
        Encoding::Packed => (packed::stored_type(k, kind), kind.packed_bytes()),
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
