//! Atomic updates: `memref.atomic_rmw` and `memref.generic_atomic_rmw`.
//!
//! An update is the target's own instruction where it has one. Any other update is a loop
//! around a compare-exchange, which compares bits, so that a NaN ends it too:
//!
//! ```text
//! old = load p
//! do { new = f(old); seen = compare_exchange(p, old, new) } while (seen != old; old = seen)
//! ```
//!
//! Compare-exchange takes integers only. Memory that is updated so, and does not hold
//! integers, holds its elements' bits ([`word_memory`]): a second variable of another type at
//! the same binding would say nothing of what it aliases in workgroup memory, nor pass naga. An element of
//! one or two bytes in a buffer is updated by a loop around a compare-exchange of the word that it lies in.

use gridloom_dialects::{inherent, memref};
use gridloom_ir::body::OpData;
use gridloom_ir::hash::FxHashSet;
use gridloom_ir::scalar::{Accumulate, FloatOp, IntOp};
use gridloom_ir::{Body, Context, OpId, OpName, Value};
use rspirv::spirv::{Capability, LoopControl, Op, Scope as SpirvScope, Word};

use crate::abi::ElementKind;
use crate::access::Access;
use crate::control::Loop;
use crate::kernel::{Kernel, Lowered, Lowering};
use crate::memory::{self, Base, Encoding, Scope};
use crate::packed;
use crate::target::{FpMode, Profile, TargetEnv};
use crate::types::{self, BOOL, Reg};
use crate::{vector, views};

/// Word memory: memory of floats or booleans whose elements are stored as integers, because some
/// atomic update of it needs compare-exchange.
pub(crate) fn word_memory(ctx: &Context, func: &OpData, env: &TargetEnv) -> FxHashSet<Value> {
    let Some(body) = func.isolated() else {
        return FxHashSet::default();
    };
    let updates = |name| matches!(name, memref::ATOMIC_RMW | memref::GENERIC_ATOMIC_RMW);
    if !body.may_hold_any(updates) {
        return FxHashSet::default();
    }
    let updates = body.walk().into_iter().filter_map(|op| {
        let operand = match body[op].name {
            memref::ATOMIC_RMW => 1,
            memref::GENERIC_ATOMIC_RMW => 0,
            _ => return None,
        };
        Some((op, *body[op].operands.get(operand)?))
    });
    let mut updates = updates.peekable();
    if updates.peek().is_none() {
        return FxHashSet::default();
    }
    let roots = views::roots(body);
    let buffers = buffers(ctx, func, body);
    let mut found = FxHashSet::default();
    for (op, memref) in updates {
        let element = body.ty(memref).memref(ctx).map(|ty| ty.element);
        let reg = element.and_then(|ty| types::register(ctx, env.index_width, ty));
        let holds_integers = |reg: &Reg| matches!(reg.kind, ElementKind::Int(_));
        let root = roots.get(&memref).copied().unwrap_or(memref);
        let native = |reg: Reg| {
            let update = kind_of(ctx, body, op);
            buffers.contains(&root) && update.is_some_and(|update| adds_floats(env, update, reg))
        };
        if reg.is_some_and(|reg| !holds_integers(&reg) && !native(reg)) {
            found.insert(root);
        }
    }
    found
}

/// The arguments of a kernel that are no memory attributions.
fn buffers<'b>(ctx: &Context, func: &OpData, body: &'b Body) -> &'b [Value] {
    let ty = func.get(ctx, inherent::FUNCTION_TYPE);
    let ty = ty.and_then(|ty| ty.function(ctx));
    let args = body.entry().map_or(&[][..], |entry| &body[entry].args);
    let count = ty.map_or(0, |(inputs, _)| inputs.len());
    &args[..count.min(args.len())]
}

/// The integer kind that an element of this kind has in word memory; `None` where it has none.
pub(crate) fn word_of(kind: ElementKind) -> ElementKind {
    match kind {
        ElementKind::Int(_) => kind,
        _ => ElementKind::Int(kind.bytes() * 8),
    }
}

/// The accumulation kind of `memref.atomic_rmw`.
fn kind_of(ctx: &Context, body: &Body, op: OpId) -> Option<Accumulate> {
    if body[op].name != memref::ATOMIC_RMW {
        return None;
    }
    let number = body[op].get(ctx, inherent::RMW_KIND)?;
    Accumulate::from_number(number)
}

/// Whether an update of a buffer is the target's own addition of floats, whose rounding of
/// subnormal numbers Vulkan leaves open.
fn adds_floats(env: &TargetEnv, update: Accumulate, reg: Reg) -> bool {
    update == Accumulate::Float(FloatOp::Add)
        && reg.kind == ElementKind::F32
        && env.features.f32_atomic_add
        && env.fp == FpMode::Relaxed
        && env.profile == Profile::Native
}

/// The instruction for an update of integers, which lie sign-extended: that keeps the bits of
/// logic and the order, signed and unsigned, but not what is beyond the width of a sum.
fn instruction(k: &Kernel<'_>, update: Accumulate, reg: Reg) -> Option<Op> {
    let Accumulate::Int(op) = update else {
        return None;
    };
    let bits = reg.int_bits().filter(|&bits| bits > 1)?;
    Some(match op {
        IntOp::Add if bits == reg.machine_bits() => Op::AtomicIAdd,
        IntOp::And => Op::AtomicAnd,
        IntOp::Or => Op::AtomicOr,
        IntOp::Xor => Op::AtomicXor,
        IntOp::MaxS => Op::AtomicSMax,
        IntOp::MinS => Op::AtomicSMin,
        // naga takes the signedness of the memory's type, which is signed.
        IntOp::MaxU if !k.e.portable => Op::AtomicUMax,
        IntOp::MinU if !k.e.portable => Op::AtomicUMin,
        _ => return None,
    })
}

/// Lowers an atomic update.
pub(crate) fn lower(k: &mut Kernel<'_>, op: OpId, name: OpName) -> Lowering<()> {
    let first = usize::from(name == memref::ATOMIC_RMW);
    let access = Access::of(k, op, first)?;
    let reg = access.view.element;
    if reg.lanes != 1 {
        return Err(k.malformed(op));
    }
    require_64_bits(k, op, reg)?;
    let guard = access.enter(k);
    let value = match kind_of(k.ctx, k.body, op) {
        Some(update) => {
            let operand = k.word(op, 0)?;
            lower_rmw(k, op, &access, update, operand)?
        }
        None if name == memref::ATOMIC_RMW => return Err(k.malformed(op)),
        None => lower_generic_rmw(k, op, &access)?,
    };
    let value = match guard {
        Some(guard) => guard.leave_with(k, Some(op), reg, value),
        None => value,
    };
    k.set(op, value)
}

fn require_64_bits(k: &mut Kernel<'_>, op: OpId, reg: Reg) -> Lowering<()> {
    if reg.kind.bytes() < 8 {
        return Ok(());
    }
    if !k.env.features.i64_atomic || k.e.portable {
        let message = "the device lacks atomic operations on 64-bit elements: use elements of \
                       32 bits, or another device";
        return Err(k.refuse(op, message));
    }
    k.require(|features| (features.i64, features.i64_atomic) = (true, true));
    k.e.capability(Capability::Int64Atomics);
    Ok(())
}

/// Lowers `memref.atomic_rmw`: gives the element before the update.
fn lower_rmw(
    k: &mut Kernel<'_>,
    op: OpId,
    access: &Access,
    update: Accumulate,
    operand: Word,
) -> Lowering<Word> {
    let reg = access.view.element;
    if is_private(access) {
        let old = memory::read(k, access);
        let new = applied(k, op, (update, reg), old, operand)?;
        memory::write(k, access, new);
        return Ok(old);
    }
    let in_buffer = matches!(access.view.base, Base::Buffer(_));
    if in_buffer && access.view.encoding != Encoding::Words && adds_floats(k.env, update, reg) {
        k.require(|features| features.f32_atomic_add = true);
        k.e.capability(Capability::AtomicFloat32AddEXT);
        k.e.extension("SPV_EXT_shader_atomic_float_add");
        k.float_mode(op);
        return Ok(Place::of(k, access).update(k, Op::AtomicFAddEXT, operand));
    }
    let own = match update {
        // Instructions work on words.
        _ if access.view.encoding == Encoding::Packed => None,
        Accumulate::Assign => Some(Op::AtomicExchange),
        _ => instruction(k, update, reg),
    };
    if let Some(own) = own {
        let word = stored_form(k, access, operand);
        let old = Place::of(k, access).update(k, own, word);
        return Ok(loaded_form(k, access, old));
    }
    let [old, _] = exchange_loop(k, access, |k, old| {
        applied(k, op, (update, reg), old, operand)
    })?;
    Ok(loaded_form(k, access, old))
}

/// Lowers `memref.generic_atomic_rmw`: gives the element after the update.
fn lower_generic_rmw(k: &mut Kernel<'_>, op: OpId, access: &Access) -> Lowering<Word> {
    let block = k.body.region_block(op, 0).ok_or_else(|| k.malformed(op))?;
    let argument = k.body[block].args.first().copied();
    let argument = argument.ok_or_else(|| k.malformed(op))?;
    let body = |k: &mut Kernel<'_>, old: Word| {
        k.define(argument, Lowered::Reg(old));
        let last = k.block(block)?;
        k.word(last, 0)
    };
    if is_private(access) {
        let old = memory::read(k, access);
        let new = body(k, old)?;
        memory::write(k, access, new);
        return Ok(new);
    }
    let [_, new] = exchange_loop(k, access, body)?;
    Ok(loaded_form(k, access, new))
}

/// Whether no other thread sees the memory.
fn is_private(access: &Access) -> bool {
    matches!(access.view.base, Base::Array(_, Scope::Private))
}

fn applied(
    k: &mut Kernel<'_>,
    op: OpId,
    (update, reg): (Accumulate, Reg),
    old: Word,
    operand: Word,
) -> Lowering<Word> {
    if update == Accumulate::Assign {
        return Ok(operand);
    }
    vector::combine(k, op, update, reg, (old, operand)).ok_or_else(|| k.malformed(op))
}

/// The loop around a compare-exchange. Returns the element, as it is stored, before the update and after it.
/// Loop-carried values: the word seen last, whether to try again, and the element stored last.
fn exchange_loop(
    k: &mut Kernel<'_>,
    access: &Access,
    new_value: impl FnOnce(&mut Kernel<'_>, Word) -> Lowering<Word>,
) -> Lowering<[Word; 2]> {
    let word = types::scalar(word_of(access.view.element.kind));
    let part = (access.view.encoding == Encoding::Packed).then(|| {
        let linear = memory::linear(k, access);
        packed::Part::of(k, linear, access.view.element.kind)
    });
    let element = |k: &mut Kernel<'_>, word: Word| match part {
        Some(part) => part.taken(k.e, word),
        None => word,
    };
    let first = Place::of(k, access).load(k);
    let (yes, zero) = (k.e.bool_const(true), k.e.splat_int(word, 0));
    let initial = [(word, first), (BOOL, yes), (word, zero)];
    let around = Loop::begin(k, &initial, LoopControl::DONT_UNROLL);
    around.test(k, around.phis[1]);
    let old = around.phis[0];
    let value = element(k, old);
    let value = loaded_form(k, access, value);
    let new = new_value(k, value)?;
    let new = stored_form(k, access, new);
    let stored = match part {
        Some(part) => part.put(k.e, old, new),
        None => new,
    };
    // Within the loop: naga takes no pointer from one block into another's loop.
    let seen = Place::of(k, access).compare_exchange(k, stored, old);
    let again = k.e.test(word, Op::INotEqual, &[seen, old]);
    around.begin_continue(k);
    around.end(k, &[seen, again, new]);
    Ok([element(k, old), around.phis[2]])
}

fn stored_form(k: &mut Kernel<'_>, access: &Access, value: Word) -> Word {
    match access.view.encoding {
        Encoding::Words | Encoding::Packed => k.word_of_value(access.view.element, value),
        _ => value,
    }
}

fn loaded_form(k: &mut Kernel<'_>, access: &Access, word: Word) -> Word {
    match access.view.encoding {
        Encoding::Words | Encoding::Packed => k.value_of_word(access.view.element, word),
        _ => word,
    }
}

impl Kernel<'_> {
    /// Encodes a register as the word of an element in word memory.
    pub(crate) fn word_of_value(&mut self, reg: Reg, value: Word) -> Word {
        match reg.kind {
            ElementKind::F32 | ElementKind::F64 => {
                let ty = self.e.stored(word_of(reg.kind));
                self.e.op(Op::Bitcast, ty, &[value])
            }
            _ => self.encode_lane(reg, value),
        }
    }

    /// Decodes the word of an element in word memory to its register.
    pub(crate) fn value_of_word(&mut self, reg: Reg, word: Word) -> Word {
        match reg.kind {
            ElementKind::F32 | ElementKind::F64 => self.e.of_bits(reg, word),
            _ => self.decode_lane(reg, word),
        }
    }
}

/// An element that atomic instructions work on.
struct Place {
    ty: Word,
    pointer: Word,
    scope: SpirvScope,
}

impl Place {
    fn of(k: &mut Kernel<'_>, access: &Access) -> Place {
        let (ty, pointer) = match (access.view.base, access.view.encoding) {
            (Base::Buffer(buffer), Encoding::Packed) => {
                let linear = memory::linear(k, access);
                packed::word_pointer(k, buffer, linear, access.view.element.kind)
            }
            _ => {
                let (ty, pointers) = memory::pointers(k, access);
                (ty, pointers[0])
            }
        };
        let scope = match access.view.base {
            Base::Buffer(_) => SpirvScope::Device,
            Base::Array(..) | Base::Vectors(..) => SpirvScope::Workgroup,
        };
        Place { ty, pointer, scope }
    }

    /// Operands of an atomic instruction: its scope, and relaxed memory semantics.
    fn order(&self, k: &mut Kernel<'_>) -> [Word; 2] {
        let scope = match self.scope {
            SpirvScope::Device => k.e.device_scope(),
            scope => k.e.u32_const(scope as u32),
        };
        [scope, k.e.u32_const(0)]
    }

    fn load(&self, k: &mut Kernel<'_>) -> Word {
        let [scope, relaxed] = self.order(k);
        k.e.op(Op::AtomicLoad, self.ty, &[self.pointer, scope, relaxed])
    }

    fn update(&self, k: &mut Kernel<'_>, op: Op, value: Word) -> Word {
        let [scope, relaxed] = self.order(k);
        let value = match k.e.portable {
            // Through a variable: naga takes a value from inside a loop for one that is known here.
            true => {
                let variable = k.e.local_variable(self.ty);
                k.e.store(variable, value);
                k.e.load(self.ty, variable)
            }
            false => value,
        };
        k.e.op(op, self.ty, &[self.pointer, scope, relaxed, value])
    }

    /// Compare-exchange: stores `new` if memory holds `old`; gives the word that memory held.
    fn compare_exchange(&self, k: &mut Kernel<'_>, new: Word, old: Word) -> Word {
        let [scope, relaxed] = self.order(k);
        let operands = [self.pointer, scope, relaxed, relaxed, new, old];
        k.e.op(Op::AtomicCompareExchange, self.ty, &operands)
    }
}
