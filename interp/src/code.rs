//! The instructions of the register machine.
//!
//! A function is a flat list of instructions over two register files: scalars
//! (64 bits each) and memrefs. Structured control flow is jumps. Constants are
//! preset registers, so that loops do not set them again.

use gridloom_ir::scalar::ComputeFn;
use gridloom_ir::{Diagnostics, Ident, Loc};
use smallvec::SmallVec;

use crate::print::Format;
use crate::race::AccessKind;
use crate::scalar::{
    Accumulate, Cast, FloatOp, FloatTest, FloatUnary, IntOp, IntPredicate, IntUnary, ScalarKind,
};

mod tables;

pub(crate) use tables::*;

/// A scalar or memref register.
pub(crate) type Reg = u32;

/// Tag bit of a memref register in a pool.
pub(crate) const MEM_BIT: Reg = 1 << 31;

/// Slot of an SSA value: a scalar or memref register, or several.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Slot {
    Scalar(Reg, ScalarKind),
    Mem(Reg, ScalarKind),
    /// A vector: a scalar register a lane, in row-major order. Arguments and results of a frame are
    /// split into lanes, so that frames know scalars only.
    Vector {
        lanes: Span,
        kind: ScalarKind,
    },
}

/// A run of registers in a function's pool.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Span {
    pub start: u32,
    pub len: u32,
}

/// Index spaces of a launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum IdKind {
    Block,
    Thread,
    GridSize,
    BlockSize,
    Global,
    /// The number of the thread in its subgroup.
    Lane,
    /// Threads of the subgroup: fewer than its size at the end of the workgroup.
    Lanes,
    /// The number of the subgroup in its workgroup.
    Subgroup,
    Subgroups,
    SubgroupSize,
    /// Threads of the workgroup.
    Threads,
}

/// Addressing mode of a shuffle: how a thread chooses the lane that it reads from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PickKind {
    Xor,
    Up,
    Down,
    Idx,
    Rotate,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Instr {
    Move {
        dst: Reg,
        src: Reg,
    },
    MoveMem {
        dst: Reg,
        src: Reg,
    },
    Int {
        op: IntOp,
        width: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    IntUnary {
        op: IntUnary,
        width: u8,
        dst: Reg,
        a: Reg,
    },
    IntCmp {
        pred: IntPredicate,
        width: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Float {
        op: FloatOp,
        kind: ScalarKind,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    FloatUnary {
        op: FloatUnary,
        kind: ScalarKind,
        dst: Reg,
        a: Reg,
    },
    FloatCmp {
        pred: u8,
        kind: ScalarKind,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    FloatTest {
        test: FloatTest,
        kind: ScalarKind,
        dst: Reg,
        a: Reg,
    },
    Fma {
        kind: ScalarKind,
        dst: Reg,
        a: Reg,
        b: Reg,
        c: Reg,
    },
    FloatPowInt {
        kind: ScalarKind,
        width: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Cast {
        cast: Cast,
        from: ScalarKind,
        to: ScalarKind,
        dst: Reg,
        src: Reg,
    },
    Select {
        dst: Reg,
        cond: Reg,
        a: Reg,
        b: Reg,
    },
    SelectMem {
        dst: Reg,
        cond: Reg,
        a: Reg,
        b: Reg,
    },
    Jump {
        to: u32,
    },
    JumpIfNot {
        cond: Reg,
        to: u32,
    },
    JumpIfEq {
        a: Reg,
        value: i64,
        to: u32,
    },
    /// Faults unless the step is positive, then skips a loop that has no iteration.
    LoopEnter {
        iv: Reg,
        ub: Reg,
        step: Reg,
        exit: u32,
        unsigned: bool,
    },
    /// Adds the step and goes back while below the bound.
    LoopNext {
        iv: Reg,
        ub: Reg,
        step: Reg,
        body: u32,
        unsigned: bool,
    },
    /// Faults unless the steps are positive, then starts the first iteration
    /// or skips the nest.
    ParallelEnter {
        info: u32,
    },
    /// Latch of a nest: jumps back to the body while an iteration remains.
    ParallelNext {
        info: u32,
    },
    Call {
        function: u32,
        args: Span,
        results: Span,
    },
    /// Scalar function of an operation's row, called by pointer.
    Compute {
        compute: ComputeFn,
        /// Bits of the result.
        width: u8,
        dst: Reg,
        args: Span,
    },
    /// Warning that arguments of the current function overlap.
    WarnOverlap,
    CallIndirect {
        callee: Reg,
        args: Span,
        results: Span,
    },
    Return {
        values: Span,
    },
    Load {
        kind: ScalarKind,
        dst: Reg,
        mem: Reg,
        index: Span,
    },
    Store {
        kind: ScalarKind,
        src: Reg,
        mem: Reg,
        index: Span,
    },
    Atomic {
        op: Accumulate,
        kind: ScalarKind,
        dst: Reg,
        src: Reg,
        mem: Reg,
        index: Span,
    },
    /// Race check of the next access against earlier ones. Emitted only where
    /// the race detector is on.
    Watch {
        access: AccessKind,
        kind: ScalarKind,
        mem: Reg,
        index: Span,
    },
    Alloc {
        dst: Reg,
        info: u32,
    },
    Free {
        mem: Reg,
    },
    /// Opens a scope for stack allocations.
    ScopeEnter,
    /// Frees the stack allocations of the innermost scope.
    ScopeExit,
    Dim {
        dst: Reg,
        mem: Reg,
        index: Reg,
    },
    Rank {
        dst: Reg,
        mem: Reg,
    },
    SubView {
        dst: Reg,
        src: Reg,
        info: u32,
    },
    Reinterpret {
        dst: Reg,
        src: Reg,
        info: u32,
    },
    ByteView {
        dst: Reg,
        src: Reg,
        shift: Reg,
        info: u32,
    },
    CheckShape {
        dst: Reg,
        src: Reg,
        info: u32,
    },
    Transpose {
        dst: Reg,
        src: Reg,
        dims: Span,
    },
    Collapse {
        dst: Reg,
        src: Reg,
        info: u32,
    },
    Expand {
        dst: Reg,
        src: Reg,
        info: u32,
    },
    Reshape {
        dst: Reg,
        src: Reg,
        shape: Reg,
        shape_kind: ScalarKind,
    },
    /// Address of a memref's aligned base, in bytes.
    Address {
        dst: Reg,
        src: Reg,
    },
    /// Base buffer, offset, sizes and strides of a memref, into registers.
    Metadata {
        base: Reg,
        src: Reg,
        outs: Span,
    },
    Copy {
        src: Reg,
        dst: Reg,
        kind: ScalarKind,
    },
    /// Begins an asynchronous copy, which a wait for its token ends.
    CopyAsync {
        src: Reg,
        dst: Reg,
        kind: ScalarKind,
        token: Reg,
    },
    /// Ends the copies of these tokens.
    Await {
        tokens: Span,
    },
    /// Ends the copies of all tokens.
    AwaitAll,
    /// Copy of the common prefix of two buffers (`memref.realloc`).
    CopyFront {
        src: Reg,
        dst: Reg,
        kind: ScalarKind,
    },
    Fill {
        dst: Reg,
        value: Reg,
        kind: ScalarKind,
    },
    Global {
        dst: Reg,
        global: u32,
    },
    Launch {
        info: u32,
    },
    LaunchFunc {
        info: u32,
    },
    /// `gpu.printf`, by the format's number.
    Print {
        format: u32,
    },
    /// Fault: an operation uses a poison value (checked mode).
    Poison,
    /// Fault: control reaches `llvm.unreachable` or its like.
    Unreachable,
    /// Ends the body of a launch.
    ThreadEnd,
    Barrier,
    /// Group operation: contributes a value and waits until the active threads of the workgroup, or of the
    /// subgroup, have. By `uniform`, these are all of its threads.
    Gather {
        src: Reg,
        whole: bool,
        uniform: bool,
    },
    /// Value that thread `lane` contributed to the last group operation, and whether it was active there.
    Gathered {
        dst: Reg,
        lane: Reg,
        active: Reg,
    },
    /// First thread that was active at the last group operation.
    FirstActive {
        dst: Reg,
    },
    /// Source lane of a shuffle and whether it exists; the thread's own lane where it does not.
    Pick {
        kind: PickKind,
        lane: Reg,
        valid: Reg,
        offset: Reg,
        width: Reg,
    },
    DmaStart {
        info: u32,
    },
    DmaWait {
        info: u32,
    },
    Id {
        kind: IdKind,
        dim: u8,
        dst: Reg,
    },
    Assert {
        cond: Reg,
        message: u32,
    },
}

/// A `memref.global`.
#[derive(Clone, Debug)]
pub(crate) struct GlobalInfo {
    pub kind: ScalarKind,
    pub sizes: SmallVec<[i64; 4]>,
    pub layout: Layout,
    /// Values in row-major order of the indices; one value stands for all; `None` when
    /// uninitialised.
    pub values: Option<Vec<u64>>,
}

/// Appends a row to a table of a function; its number is what an instruction holds.
pub(crate) fn add_row<T>(table: &mut Vec<T>, row: T) -> u32 {
    table.push(row);
    // Each row belongs to an operation of the function, and these have 32-bit numbers.
    (table.len() - 1) as u32
}

/// A compiled function.
#[derive(Clone, Default, Debug)]
pub(crate) struct Function {
    pub instrs: Vec<Instr>,
    /// Debug table: the location of each instruction, read only for faults and warnings.
    pub locs: Vec<Loc>,
    pub pool: Vec<Reg>,
    /// Loops around group operations and calls, ordered by the instruction's number.
    pub nests: Vec<(u32, Nest)>,
    /// Initial scalar registers: constants preset, the others 0.
    pub scalars: Vec<u64>,
    pub mems: u32,
    pub params: Vec<Slot>,
    pub results: Vec<Slot>,
    pub allocs: Vec<AllocInfo>,
    pub views: Vec<ViewInfo>,
    pub shapes: Vec<ShapeInfo>,
    pub regroups: Vec<RegroupInfo>,
    pub parallels: Vec<ParallelInfo>,
    pub launches: Vec<LaunchInfo>,
    pub launch_funcs: Vec<LaunchFuncInfo>,
    pub dmas: Vec<DmaInfo>,
    /// The tag and the number of elements of each `dma_wait`.
    pub dma_waits: Vec<(DmaPlace, Reg)>,
    pub messages: Vec<String>,
    /// Formats of `gpu.printf`.
    pub formats: Vec<Format>,
    /// Memory attributions of a kernel.
    pub workgroup: Vec<(Reg, AllocInfo)>,
    pub private: Vec<(Reg, AllocInfo)>,
    /// Refusal: errors of a kernel that a device may run and the interpreter cannot.
    pub refused: Option<Diagnostics>,
    /// Name of a function that has no body.
    pub external: Option<Ident>,
}

impl Function {
    /// The registers of a span.
    #[inline]
    pub fn span(&self, span: Span) -> &[Reg] {
        &self.pool[span.start as usize..(span.start + span.len) as usize]
    }
}
