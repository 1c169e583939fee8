//! Faults: errors of a running program.

use gridloom_ir::Loc;

use crate::dma::DmaFault;
use crate::memory::{AccessError, Freed};
use crate::race::Race;
use crate::scalar::DivisionError;
use crate::stop::StopReason;
use gridloom_ir::diag::{Diagnostic, Diagnostics};

/// Kinds of fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// An index outside its dimension.
    OutOfBounds {
        /// Dimension number.
        dim: usize,
        /// The index.
        index: i64,
        /// The extent of the dimension.
        size: i64,
    },
    /// A view that reaches outside its buffer.
    ViewOutOfBounds,
    /// A read of an element nothing has written (checked mode).
    Uninitialised,
    /// A use of a buffer that has been freed.
    UseAfterFree(Freed),
    /// A second `dealloc`, or one of something that is no allocation.
    BadFree(Freed),
    /// Buffers that are never freed.
    Leak {
        /// Bytes of the first.
        bytes: u64,
        /// The number of further ones.
        others: usize,
    },
    /// More memory than a space has.
    SpaceFull(Box<SpaceFull>),
    /// A data race: two accesses of one element that nothing orders.
    Race(Box<Race>),
    /// A misuse of a DMA transfer, or an access that a transfer in flight forbids.
    Dma(Box<DmaFault>),
    /// Integer division or remainder by zero.
    DivisionByZero,
    /// Affine `mod`, `floordiv` or `ceildiv` by a negative number.
    NegativeDivisor,
    /// A loop step that is not positive.
    BadStep(i64),
    /// A negative size, grid or block extent.
    NegativeSize(i64),
    /// Shapes that must agree do not.
    ShapeMismatch(String),
    /// An operation computes with poison (checked mode).
    Poison,
    /// `ub.unreachable` was reached.
    Unreachable,
    /// `cf.assert` failed.
    Assertion(String),
    /// More instructions than the limit allows.
    StepLimit(u64),
    /// Stop on request of the caller.
    Stopped(StopReason),
    /// More memory than the limit allows.
    OutOfMemory {
        /// Bytes asked for.
        bytes: u64,
        /// Bytes that live buffers hold.
        used: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// Nested calls whose registers take more memory than the limit allows.
    StackOverflow {
        /// Number of nested calls.
        depth: usize,
        /// The limit in bytes.
        limit: usize,
    },
    /// Threads of a workgroup that wait for each other, whose registers take more memory than the limit allows.
    TooManyThreads {
        /// Number of threads that wait.
        waiting: usize,
        /// The limit in bytes.
        limit: u64,
    },
    /// Some threads of a workgroup wait at a barrier others never reach.
    BarrierDivergence,
    /// Divergence at a group operation that all threads of a workgroup or subgroup must reach.
    GroupDivergence(Divergence),
    /// A group operation outside of a kernel.
    OutsideKernel,
    /// A launch by a thread of a launch.
    NestedLaunch,
    /// A call of a function without a body.
    NoBody(String),
    /// The device failed.
    Device(String),
    /// An `index` value that does not fit the device's 32 bits.
    WideIndex(i64),
    /// The device's compiler refuses a kernel.
    Unsupported(Diagnostics),
    /// A kernel on the device reached outside a buffer; the accesses were
    /// dropped (loads gave 0).
    Kernel {
        /// The kernel.
        kernel: String,
        /// The access that was out of bounds first.
        site: Loc,
        /// The number of accesses out of bounds.
        count: u32,
    },
    /// A `cf.assert` that failed in a kernel on the device.
    KernelAssertion {
        /// The assertion.
        site: Loc,
        /// Message of the assertion.
        message: String,
    },
    /// A fault inside a kernel that the interpreter ran.
    InKernel(Box<Fault>),
}

/// Divergence at a group operation: how many threads of the group are active there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Divergence {
    /// Number of active threads.
    pub active: usize,
    /// Number of threads of the group.
    pub threads: i64,
    /// Whether the group is a workgroup, and no subgroup.
    pub whole: bool,
    /// Whether the operation has `uniform`; else it stands where iterations cannot be told apart.
    pub uniform: bool,
}

impl std::fmt::Display for Divergence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Divergence {
            active, threads, ..
        } = self;
        let group = if self.whole { "workgroup" } else { "subgroup" };
        let why = match self.uniform {
            true => {
                "'uniform' says that all of them come here or none: without it, those that come are combined"
            }
            false => {
                "in a parallel loop, or in loops of branches between blocks, these must be all: there, threads cannot be \
                 told apart by the iteration that they are in (--lift-cf-to-scf makes scf.while of such branches)"
            }
        };
        write!(
            f,
            "{active} of the {threads} threads of the {group} come to this operation together; {why}"
        )
    }
}

/// Memory space overflow: an allocation that the space has no room for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpaceFull {
    /// The name of the space.
    pub name: String,
    /// Bytes asked for.
    pub bytes: u64,
    /// Bytes that live buffers of the space hold.
    pub used: u64,
    /// Bytes of the space.
    pub size: u64,
}

impl std::fmt::Display for SpaceFull {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let SpaceFull {
            name,
            bytes,
            used,
            size,
        } = self;
        write!(
            f,
            "an allocation of {bytes} bytes does not fit memory space '{name}', which has {size} \
             bytes, of which {used} are taken"
        )
    }
}

impl std::fmt::Display for FaultKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FaultKind::OutOfBounds { dim, index, size } => write!(
                f,
                "index {index} is out of bounds of dimension {dim}, which has {size} elements"
            ),
            FaultKind::ViewOutOfBounds => f.write_str("the view reaches outside its buffer"),
            FaultKind::Uninitialised => {
                f.write_str("this element is read before anything is written to it")
            }
            FaultKind::Race(race) => race.fmt(f),
            FaultKind::Dma(fault) => fault.error.fmt(f),
            FaultKind::UseAfterFree(_) => f.write_str("the buffer has been freed"),
            FaultKind::Leak { bytes, others } => {
                write!(f, "these {bytes} bytes are never freed")?;
                match others {
                    0 => Ok(()),
                    1 => f.write_str(", nor is one more buffer"),
                    more => write!(f, ", nor are {more} more buffers"),
                }
            }
            FaultKind::SpaceFull(full) => full.fmt(f),
            FaultKind::BadFree(_) => f.write_str(
                "only a live allocation can be freed, once, through the value that allocated it",
            ),
            FaultKind::DivisionByZero => f.write_str("division by zero"),
            FaultKind::NegativeDivisor => f.write_str(
                "the right operand of an affine mod, floordiv or ceildiv is not positive",
            ),
            FaultKind::BadStep(step) => write!(f, "the loop step is {step}; it must be positive"),
            FaultKind::NegativeSize(size) => write!(f, "the size {size} is negative"),
            FaultKind::ShapeMismatch(what) => f.write_str(what),
            FaultKind::Poison => f.write_str(
                "this computes with poison, a value that is not defined (ub.poison or \
                 llvm.mlir.undef)",
            ),
            FaultKind::Unreachable => {
                f.write_str("the program reaches what it marks as unreachable (ub.unreachable)")
            }
            FaultKind::Assertion(message) | FaultKind::KernelAssertion { message, .. } => {
                write!(f, "assertion failed: {message}")
            }
            FaultKind::StepLimit(limit) => {
                write!(
                    f,
                    "stopped after {limit} instructions, the limit of this run"
                )
            }
            FaultKind::Stopped(StopReason::TimeLimit) => {
                f.write_str("stopped here: the time limit of this run is over")
            }
            FaultKind::Stopped(StopReason::Cancelled) => f.write_str("stopped here on request"),
            FaultKind::OutOfMemory { bytes, used, limit } => {
                write!(
                    f,
                    "an allocation of {bytes} bytes does not fit the memory limit of {limit}"
                )?;
                match used {
                    0 => Ok(()),
                    used => write!(f, " bytes, of which {used} are taken"),
                }
            }
            FaultKind::StackOverflow { depth, limit } => write!(
                f,
                "{depth} calls are nested, whose values take more than the {limit} bytes of the stack; does the recursion end?"
            ),
            FaultKind::TooManyThreads { waiting, limit } => write!(
                f,
                "{waiting} threads of a workgroup wait for the others, and their values take more than {limit} bytes; \
                 devices have workgroups of some thousand threads at most"
            ),
            FaultKind::BarrierDivergence => f.write_str(
                "some threads of the workgroup wait at a barrier that others never reach",
            ),
            FaultKind::GroupDivergence(divergence) => divergence.fmt(f),
            FaultKind::OutsideKernel => {
                f.write_str("only the threads of a kernel form workgroups and subgroups")
            }
            FaultKind::NestedLaunch => f.write_str("a kernel cannot launch kernels"),
            FaultKind::NoBody(name) => {
                write!(
                    f,
                    "the function '@{name}' has no body to run: define it, or use operations that compute it \
                     (functions of C's <math.h> are known where they have C's types)"
                )
            }
            FaultKind::Device(message) => f.write_str(message),
            FaultKind::InKernel(fault) => fault.kind.fmt(f),
            FaultKind::WideIndex(value) => {
                write!(f, "the index value {value} does not fit 32 bits")
            }
            FaultKind::Unsupported(diagnostics) => {
                let mut messages = diagnostics.iter().map(|diagnostic| &diagnostic.message[..]);
                f.write_str(messages.next().unwrap_or("the kernel cannot be compiled"))
            }
            FaultKind::Kernel { kernel, count, .. } => write!(
                f,
                "kernel '{kernel}' reached outside a buffer {count} times, first here; such loads \
                 gave 0 and such stores were dropped"
            ),
        }
    }
}

/// A fault and where it happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Kind of the fault.
    pub kind: FaultKind,
    /// The operation that was running.
    pub loc: Loc,
    /// The calls that led there, innermost first.
    pub calls: Vec<Loc>,
}

impl Fault {
    /// The fault as an error diagnostic with the call chain as notes.
    pub fn to_diagnostic(&self) -> Diagnostic {
        if let FaultKind::InKernel(inner) = &self.kind {
            let launched = inner
                .to_diagnostic()
                .with_note(self.loc, "launched from here");
            return self.with_calls(launched);
        }
        let place = match &self.kind {
            FaultKind::Kernel { site, .. } | FaultKind::KernelAssertion { site, .. } => *site,
            FaultKind::Unsupported(list) => list.iter().next().map_or(self.loc, |d| d.loc),
            _ => self.loc,
        };
        let mut diagnostic = Diagnostic::error(place, self.kind.to_string());
        if let FaultKind::Race(race) = &self.kind {
            diagnostic = diagnostic.with_note(race.earlier_loc, race.note());
        }
        if let FaultKind::UseAfterFree(places) | FaultKind::BadFree(places) = &self.kind {
            for (place, note) in [
                (places.made, "allocated here"),
                (places.freed, "freed here"),
            ] {
                if let Some(loc) = place {
                    diagnostic = diagnostic.with_note(loc, note);
                }
            }
        }
        if let FaultKind::Dma(fault) = &self.kind
            && let Some(other) = fault.other
        {
            diagnostic = diagnostic.with_note(other, fault.error.note());
        }
        self.with_calls(diagnostic)
    }

    fn with_calls(&self, start: Diagnostic) -> Diagnostic {
        let calls = self.calls.iter().take(16);
        calls.fold(start, |diagnostic, &loc| {
            diagnostic.with_note(loc, "called from here")
        })
    }
}

impl From<DivisionError> for FaultKind {
    fn from(error: DivisionError) -> Self {
        match error {
            DivisionError::ByZero => FaultKind::DivisionByZero,
            DivisionError::NegativeDivisor => FaultKind::NegativeDivisor,
        }
    }
}

/// Result of an instruction: the fault is boxed, so that the result of every instruction fits
/// registers.
pub(crate) type Step<T = ()> = Result<T, Box<FaultKind>>;

impl From<DivisionError> for Box<FaultKind> {
    fn from(error: DivisionError) -> Self {
        Box::new(error.into())
    }
}

impl From<AccessError> for Box<FaultKind> {
    fn from(error: AccessError) -> Self {
        Box::new(error.into())
    }
}
