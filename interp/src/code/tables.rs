//! Operand tables of a function: descriptions that instructions refer to by number.

use super::{Reg, Slot, Span};
use crate::scalar::ScalarKind;

/// A size, offset or stride: known, or in a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extent {
    Known(i64),
    Reg(Reg),
}

/// Layout of the elements of a fresh buffer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Layout {
    RowMajor,
    /// Result `r` of the layout map is `Σ coefficients[r][d]·d + constants[r]`;
    /// the results index a row-major space just large enough.
    Linear {
        coefficients: Vec<Vec<i64>>,
        constants: Vec<i64>,
    },
    /// `strided<…>` with every stride known.
    Strided {
        offset: i64,
        strides: Vec<i64>,
    },
}

/// Description of an allocation.
#[derive(Clone, Debug)]
pub(crate) struct AllocInfo {
    pub kind: ScalarKind,
    pub sizes: Vec<Extent>,
    pub layout: Layout,
    /// Freed when its scope ends.
    pub stack: bool,
    /// Number of the memory space in the table; `None` where the table lacks it.
    pub space: Option<usize>,
}

/// Offsets, sizes and strides of `memref.subview` and `memref.reinterpret_cast`.
#[derive(Clone, Debug)]
pub(crate) struct ViewInfo {
    pub offsets: Vec<Extent>,
    pub sizes: Vec<Extent>,
    pub strides: Vec<Extent>,
    /// `subview`: dimensions of the result, when some unit ones are dropped.
    pub kept: Vec<usize>,
}

/// Expected shape: a cast, or a copy from outside, must agree with it; `None` is `?`.
#[derive(Clone, Debug)]
pub(crate) struct ShapeInfo {
    pub sizes: Vec<Option<i64>>,
    pub strides: Option<Vec<Option<i64>>>,
    pub offset: Option<i64>,
    /// Whether elements lie in row-major order from the base on.
    pub row_major: bool,
}

/// Regrouping of dimensions by `collapse_shape` and `expand_shape`.
#[derive(Clone, Debug)]
pub(crate) struct RegroupInfo {
    /// The dimensions of the larger rank that make up each one of the smaller.
    pub groups: Vec<Vec<usize>>,
    /// `expand_shape`: the sizes of the result.
    pub sizes: Vec<Extent>,
}

/// Parallel loop nest, without an order of its iterations. An iteration is a number below the
/// product of the trip counts, from which the induction variables follow.
#[derive(Clone, Debug)]
pub(crate) struct ParallelInfo {
    /// Induction variable, lower bound, upper bound and step of each loop.
    pub ivs: Vec<Reg>,
    pub lbs: Vec<Reg>,
    pub ubs: Vec<Reg>,
    pub steps: Vec<Reg>,
    /// Whether any order gives the same bits, reductions included.
    pub any_order: bool,
    pub body: u32,
    pub exit: u32,
}

/// `gpu.launch`: its body stands inline behind the instruction.
#[derive(Clone, Debug)]
pub(crate) struct LaunchInfo {
    pub grid: [Reg; 3],
    pub block: [Reg; 3],
    /// Registers for block id, thread id, grid size, block size.
    pub ids: [Reg; 12],
    pub body: u32,
    pub after: u32,
    pub workgroup: Vec<(Reg, AllocInfo)>,
    pub private: Vec<(Reg, AllocInfo)>,
}

/// `gpu.launch_func`
#[derive(Clone, Debug)]
pub(crate) struct LaunchFuncInfo {
    pub kernel: gridloom_ir::Attr,
    /// The kernel's code, where the machine may have to run it.
    pub function: Option<u32>,
    pub grid: [Reg; 3],
    pub block: [Reg; 3],
    /// Number of workgroups that the kernel is compiled for.
    pub known_grid: Option<[i64; 3]>,
    /// Workgroup size that it is compiled for.
    pub known_block: Option<[i64; 3]>,
    pub arguments: Vec<Slot>,
}

/// Operand of a DMA transfer: the register of a memref, its elements, and the registers of an
/// index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DmaPlace {
    pub mem: Reg,
    pub kind: ScalarKind,
    pub index: Span,
}

/// `dma_start`
#[derive(Clone, Copy, Debug)]
pub(crate) struct DmaInfo {
    pub kind: ScalarKind,
    pub source: DmaPlace,
    pub target: DmaPlace,
    pub tag: DmaPlace,
    pub count: Reg,
    /// Elements from chunk to chunk, and elements of a chunk.
    pub stride: Option<(Reg, Reg)>,
    /// Whether the chunks of the source lie apart, not those of the target.
    pub source_strided: bool,
    /// Whether all threads of a workgroup start the transfer together.
    pub group: bool,
}

/// Loop nest around an instruction at which threads wait for each other, or which calls a function where they do.
#[derive(Clone, Default, Debug)]
pub(crate) struct Nest {
    /// Counted loops, the outermost one first.
    pub loops: Vec<CountedLoop>,
    /// Whether there are loops of branches between blocks or parallel loops around, whose iterations nothing counts.
    pub is_unstructured: bool,
}

/// Loop whose iterations are counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CountedLoop {
    /// First instruction of the loop.
    pub start: u32,
    /// Register of the number of the iteration.
    pub iteration: Reg,
}
