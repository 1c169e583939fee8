//! A kernel under construction: its entry point and parameters, and the walk over its operations.
//!
//! [`Kernel`] is what the lowering of every operation is given: the body, the module as emitted so far, and the map from
//! values to their SPIR-V ids ([`Lowered`]). Lowerings are functions by family of operations, one file each, that emit
//! instructions and define the results.

use gridloom_dialects::vector::{PRINT as VECTOR_PRINT, VectorShape};
use gridloom_dialects::{func, gpu};
use gridloom_ir::body::OpData;
use gridloom_ir::diag::Diagnostic;
use gridloom_ir::diag::place;
use gridloom_ir::hash::{FxHashMap, FxHashSet};
use gridloom_ir::op::{AttrValue, Inherent};
use gridloom_ir::scalar::FloatFormat;
use gridloom_ir::{BlockId, Body, Context, Loc, OpId, OpName, Type, Value};
use rspirv::spirv::{Capability, Word};

use crate::byte_views::ByteViews;
use crate::control::Unrolled;
use crate::emit::{Emitter, FloatWidths};
use crate::entry_point::{declare_entry, only_block, within_limits, workgroup_size};
use crate::faults::Faults;
use crate::halves::{self, Halves};
use crate::helpers::Helpers;
use crate::memory::{Base, MemRef};
use crate::shared_addresses::SharedAddresses;
use crate::target::{Features, FpMode, TargetEnv};
use crate::types::{self, Reg};
use crate::wide_memory::wide_memory;
use crate::{
    EntryPoint, Specialization, alignment, arith_float, arith_int, assertion, atomics, computed,
    constants, control, gpu_ops, long_vector, math, matrix, memory, params, vector,
};

/// Why a kernel cannot hold a memref in a variable.
const CARRIED_MEMREF: &str = "control flow in a kernel cannot select or carry a memref, unless all that \
    it may be is defined before and it is only accessed: select or carry its indices instead";

/// Regions nest at most this deep, which bounds recursion.
const MAX_NESTING: u32 = 128;

/// Refusal of a kernel, with its reason.
pub(crate) type Refusal = Box<Diagnostic>;

/// Result of a lowering step; an error refuses the kernel.
pub(crate) type Lowering<T> = Result<T, Refusal>;

/// Lowered value.
#[derive(Clone, Debug)]
pub(crate) enum Lowered {
    /// A register.
    Reg(Word),
    /// A view of memory.
    MemRef(MemRef),
    /// The elements of a vector that no register holds, in row-major order: see [`crate::long_vector`].
    Lanes(Vec<Word>),
    /// The elements of a long vector of 16-bit floats as they lie in memory: see [`crate::halves`].
    Packets(Vec<Word>),
}

/// A kernel being lowered.
pub(crate) struct Kernel<'a> {
    pub(crate) ctx: &'a Context,
    pub(crate) body: &'a Body,
    pub(crate) env: &'a TargetEnv,
    pub(crate) known: &'a Specialization,
    pub(crate) e: &'a mut Emitter,
    pub(crate) helpers: &'a mut Helpers,
    pub(crate) workgroup_size: [u32; 3],
    pub(crate) faults: Faults,
    /// Memory whose elements are declared as integers, since atomic operations update it.
    pub(crate) word_memory: FxHashSet<Value>,
    /// Workgroup memory declared as arrays of vectors, with the lanes of a vector.
    pub(crate) wide_memory: FxHashMap<Value, u32>,
    /// Memory of 16-bit floats in two bytes each.
    pub(crate) halves: Halves,
    /// Memory of bytes that is viewed as other types.
    pub(crate) byte_views: ByteViews,
    /// Memory whose accesses are guarded, whatever is proved of their indices.
    pub(crate) unproved: Vec<Base>,
    /// Addresses of elements a constant apart.
    pub(crate) shared_addresses: SharedAddresses,
    /// Table of the digits of workgroup ids, where these are looked up.
    pub(crate) digits: Option<params::Digits>,
    /// Input variables the kernel uses.
    pub(crate) inputs: Vec<Word>,
    pub(crate) workgroup_bytes: u64,
    /// Whether the operation being lowered must be right to the last bit.
    pub(crate) exact: bool,
    /// Whether contraction could change a decision.
    pub(crate) decides_by_floats: bool,
    /// The location of the kernel.
    loc: Loc,
    required: &'a mut Features,
    /// Loops that the driver may unroll.
    pub(crate) unrolled: Unrolled,
    /// The lane being lowered, while an operation is lowered lane by lane.
    pub(crate) lane: Option<usize>,
    values: Vec<Option<Lowered>>,
    depth: u32,
}

/// Module under construction: state that its kernels share.
pub(crate) struct Shared<'a> {
    pub(crate) env: &'a TargetEnv,
    pub(crate) known: &'a Specialization,
    pub(crate) e: Emitter,
    pub(crate) helpers: Helpers,
    pub(crate) required: Features,
}

/// Lowers one `gpu.func` to an entry point called `name`.
pub(crate) fn lower(
    ctx: &Context,
    func: &OpData,
    name: String,
    shared: &mut Shared<'_>,
) -> Lowering<EntryPoint> {
    let refuse = |message: &str| Box::new(Diagnostic::error(func.loc, message));
    let workgroup_size = workgroup_size(ctx, func)?;
    let (body, entry) = only_block(func).map_err(refuse)?;
    matrix::check(func, body, shared.env, workgroup_size)?;
    shared.e.floats = FloatWidths::default();
    shared.e.hide_zeros = shared.env.hide_zeros
        && (shared.env.fp == FpMode::Strict || arith_float::divides_constant_zeros(ctx, body));
    let void = shared.e.void_type();
    let (function, _) = shared.e.begin_function(void, &[]);
    let mut kernel = Kernel {
        ctx,
        body,
        env: shared.env,
        known: shared.known,
        e: &mut shared.e,
        helpers: &mut shared.helpers,
        workgroup_size,
        faults: Faults::default(),
        word_memory: atomics::word_memory(ctx, func, shared.env),
        wide_memory: wide_memory(ctx, func, shared.env),
        halves: match matrix::uses(body) {
            true => Halves::of(ctx, body),
            false => Halves::default(),
        },
        byte_views: ByteViews::of(ctx, func, body),
        unproved: Vec::new(),
        shared_addresses: SharedAddresses::default(),
        digits: None,
        inputs: Vec::new(),
        workgroup_bytes: 0,
        exact: false,
        decides_by_floats: arith_float::decides_by_floats(body),
        loc: func.loc,
        required: &mut shared.required,
        unrolled: Unrolled::default(),
        lane: None,
        values: vec![None; body.value_capacity()],
        depth: 0,
    };
    if kernel.e.hide_zeros {
        // Hidden zeros are made from this variable, in helper functions too.
        let variable = kernel.e.workgroup_id();
        kernel.inputs.push(variable);
    }
    let mut abi = params::bind(&mut kernel, func, entry)?;
    kernel.block(entry)?;
    kernel.report_faults();
    let (faults, inputs) = (kernel.faults.clone(), kernel.inputs.clone());
    let workgroup_bytes = kernel.workgroup_bytes;
    if shared.e.uses(Capability::Int64) {
        if !shared.env.features.i64 {
            return Err(refuse(
                "working on the bits of f64 takes 64-bit integers, which the device lacks: \
                 use f32, or another device",
            ));
        }
        shared.required.i64 = true;
    }
    abi.fault_binding = faults.binding();
    abi.fault_sites = faults.sites;
    let entry = EntryPoint {
        name,
        workgroup_size,
        workgroup_bytes,
        abi,
    };
    within_limits(&entry, &shared.env.limits).map_err(|message| refuse(&message))?;
    declare_entry(shared, function, &entry, &inputs).map_err(|message| refuse(&message))?;
    Ok(entry)
}

/// Lowers an operation of one family; says whether it is one.
type Family = fn(&mut Kernel<'_>, OpId, OpName) -> Lowering<bool>;

/// The families of operations, in the order in which they are tried.
const FAMILIES: [Family; 11] = [
    constants::lower,
    computed::lower,
    arith_int::lower,
    arith_float::lower,
    memory::lower,
    control::lower,
    gpu_ops::lower,
    matrix::lower,
    math::lower,
    vector::lower,
    assertion::lower,
];

impl Kernel<'_> {
    /// Lowers the operations of a block up to its terminator, and returns that.
    pub(crate) fn block(&mut self, block: BlockId) -> Lowering<OpId> {
        let body = self.body;
        let Some(last) = body[block].last() else {
            return Err(Box::new(Diagnostic::error(
                Loc::UNKNOWN,
                "a block without terminator cannot be lowered: run the verifier on the module",
            )));
        };
        if self.depth == MAX_NESTING {
            let message = format!("regions nest deeper than {MAX_NESTING}: outline the inner ones");
            return Err(self.refuse(last, message));
        }
        self.depth += 1;
        let outer = self.e.line();
        self.conditionally(|k| {
            let mut ops = body.ops(block).filter(|&op| op != last);
            ops.try_for_each(|op| k.op(op))
        })?;
        // Instructions after the block belong to the operation around it.
        self.e.set_line(outer);
        self.depth -= 1;
        Ok(last)
    }

    /// Whether the operation being lowered stands in the kernel's own block, outside of branches and loops.
    pub(crate) fn is_in_own_block(&self) -> bool {
        self.depth == 1
    }

    /// Sets the source location of the instructions that follow to an operation's, if debug info is
    /// on.
    fn set_location(&mut self, op: OpId) {
        if !self.env.lines {
            return;
        }
        let found = place(self.ctx, self.body[op].loc, 0);
        let line = found.map(|place| (self.e.file(&place.file), place.start.0, place.start.1));
        self.e.set_line(line);
    }

    fn op(&mut self, op: OpId) -> Lowering<()> {
        self.set_location(op);
        let name = self.body[op].name;
        if long_vector::lower(self, op, name)? {
            return Ok(());
        }
        if self.family(op, name)? {
            alignment::note(self, op, name);
            self.note_constant_sum(op, name);
            return Ok(());
        }
        let text = self.ctx.op_name_str(name);
        let way_out = match name {
            gpu::PRINTF | VECTOR_PRINT => {
                "printing from kernels works only under 'gridloom run', which reads the buffer \
                 that they print to: run the program with it, or remove the operation"
            }
            name if gpu::is_collective(name) => {
                "'gpu-lower-groups' lowers it where the size of workgroups is known, in branches and loops of 'scf' that \
                 carry numbers, and says where it does not"
            }
            func::CALL => {
                "'inline' replaces calls of functions of the kernel's gpu.module, but not of those that \
                 call themselves, have loops of branches with several entries, or no body"
            }
            _ => "lower it first, or keep the loop nest on the host",
        };
        let message = format!("'{text}' has no lowering to SPIR-V: {way_out}");
        Err(self.refuse(op, message))
    }

    /// Lowers an operation by the family it belongs to; says whether there is one.
    pub(crate) fn family(&mut self, op: OpId, name: OpName) -> Lowering<bool> {
        for family in FAMILIES {
            if family(self, op, name)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A refusal at an operation.
    pub(crate) fn refuse(&self, op: OpId, message: impl Into<String>) -> Refusal {
        Box::new(Diagnostic::error(self.body[op].loc, message))
    }

    /// A refusal of an operation that the verifier would not let pass.
    pub(crate) fn malformed(&self, op: OpId) -> Refusal {
        let name = self.ctx.op_name_str(self.body[op].name);
        self.refuse(
            op,
            format!("malformed '{name}': run the verifier on the module"),
        )
    }

    /// The value of an attribute that the verifier requires.
    pub(crate) fn required<V: AttrValue>(
        &self,
        op: OpId,
        attr: Inherent<V>,
    ) -> Lowering<V::In<'_>> {
        let value = self.body[op].get(self.ctx, attr);
        value.ok_or_else(|| self.malformed(op))
    }

    /// The location of an argument; that of the kernel for arguments that were made without one.
    pub(crate) fn argument_loc(&self, value: Value) -> Loc {
        match self.body[value].loc {
            Loc::UNKNOWN => self.loc,
            loc => loc,
        }
    }

    /// Operand number `index`.
    pub(crate) fn operand(&self, op: OpId, index: usize) -> Lowering<Value> {
        let operand = self.body[op].operands.get(index);
        operand.copied().ok_or_else(|| self.malformed(op))
    }

    /// The only result.
    pub(crate) fn result(&self, op: OpId) -> Lowering<Value> {
        self.body[op]
            .results()
            .next()
            .ok_or_else(|| self.malformed(op))
    }

    /// The register for a type, its features noted as required.
    pub(crate) fn reg_of_type(&mut self, op: OpId, ty: Type) -> Lowering<Reg> {
        let loc = self.body[op].loc;
        // Lane by lane, a register is that of an element.
        let element = VectorShape::of(self.ctx, ty).map_or(ty, |vector| vector.element);
        self.reg_at(loc, if self.lane.is_some() { element } else { ty })
    }

    /// As [`Kernel::reg_of_type`], for a type that stands at `loc`.
    pub(crate) fn reg_at(&mut self, loc: Loc, ty: Type) -> Lowering<Reg> {
        if ty.memref(self.ctx).is_some() {
            return Err(Box::new(Diagnostic::error(loc, CARRIED_MEMREF)));
        }
        let Some(reg) = types::register(self.ctx, self.env.index_width, ty) else {
            return Err(Box::new(Diagnostic::error(
                loc,
                format!(
                    "kernels cannot hold values of this type: they compute with signless integers \
                     up to 64 \
                     bits, index, {}, and vectors of 1 to 4 of them",
                    FloatFormat::names()
                ),
            )));
        };
        let missing = self.env.features.missing(reg.features());
        if !missing.is_empty() {
            let message = format!(
                "the device lacks {}, which this type needs: use 32-bit types, or another device",
                missing.join(" and "),
            );
            return Err(Box::new(Diagnostic::error(loc, message)));
        }
        self.required.f64 |= reg.features().f64;
        self.required.i64 |= reg.features().i64;
        Ok(reg)
    }

    /// Notes that the kernel needs a feature the caller has checked.
    pub(crate) fn require(&mut self, set: impl FnOnce(&mut Features)) {
        set(self.required);
    }

    /// The register of a value.
    pub(crate) fn reg(&mut self, op: OpId, value: Value) -> Lowering<Reg> {
        self.reg_of_type(op, self.body.ty(value))
    }

    /// The lowered form of a value.
    pub(crate) fn lowered(&self, op: OpId, value: Value) -> Lowering<&Lowered> {
        let slot = self.values.get(value.index()).and_then(Option::as_ref);
        slot.ok_or_else(|| self.malformed(op))
    }

    /// The id of operand number `index`, a register.
    pub(crate) fn word(&mut self, op: OpId, index: usize) -> Lowering<Word> {
        let value = self.operand(op, index)?;
        self.value_word(op, value)
    }

    /// The id of a value, a register.
    pub(crate) fn value_word(&mut self, op: OpId, value: Value) -> Lowering<Word> {
        match (self.lowered(op, value)?, self.lane) {
            (Lowered::Lanes(lanes), Some(lane)) => {
                lanes.get(lane).copied().ok_or_else(|| self.malformed(op))
            }
            (Lowered::Packets(packets), Some(lane)) => {
                let packets = packets.clone();
                let lane = halves::element(self, &packets, lane);
                lane.ok_or_else(|| self.malformed(op))
            }
            (Lowered::Lanes(_) | Lowered::Packets(_), None) => Err(self.refuse(
                op,
                "this has no lowering for vectors of more than 4 elements or another rank than 1: \
                 split it, or keep the loop nest on the host",
            )),
            (&Lowered::Reg(word), Some(lane)) => Ok(self.lane_of(value, word, lane)),
            (Lowered::Reg(word), None) => Ok(*word),
            (Lowered::MemRef(_), _) => Err(self.refuse(op, CARRIED_MEMREF)),
        }
    }

    /// Defines a value.
    pub(crate) fn define(&mut self, value: Value, lowered: Lowered) {
        let Some(slot) = self.values.get_mut(value.index()) else {
            return;
        };
        match (lowered, slot, self.lane) {
            // Lanes come in order, so each one but the first appends to those before it.
            (Lowered::Reg(word), Some(Lowered::Lanes(lanes)), Some(1..)) => lanes.push(word),
            (Lowered::Reg(word), slot, Some(_)) => *slot = Some(Lowered::Lanes(vec![word])),
            (lowered, slot, _) => *slot = Some(lowered),
        }
    }

    /// Defines the only result of an operation as a register.
    pub(crate) fn set(&mut self, op: OpId, word: Word) -> Lowering<()> {
        let result = self.result(op)?;
        self.define(result, Lowered::Reg(word));
        Ok(())
    }

    /// The register of `index`.
    pub(crate) fn index_reg(&self) -> Reg {
        types::int(self.env.index_width.bits())
    }

    /// A constant of type `index`.
    pub(crate) fn index_const(&mut self, value: i64) -> Word {
        let reg = self.index_reg();
        self.e.splat_int(reg, value)
    }
}
