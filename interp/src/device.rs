//! Device interface: the trait through which the executor launches kernels and moves buffers.

use std::ops::Range;

use gridloom_ir::{Attr, Context, Diagnostic, Loc, Module, OpId};

use crate::fault::FaultKind;
use crate::memory::{AllocId, Memory};
use crate::memref::MemRef;
use crate::scalar::ScalarKind;

/// An argument of a kernel, or of a call from outside.
#[derive(Clone, PartialEq, Debug)]
pub enum Argument {
    /// A scalar: its type class and its bits.
    Scalar(ScalarKind, u64),
    /// A memref and its element type class.
    MemRef(ScalarKind, MemRef),
}

/// One `gpu.launch_func`.
#[derive(Clone, Debug)]
pub struct Launch<'a> {
    /// The nested symbol `@module::@kernel`.
    pub kernel: Attr,
    /// Workgroups along x, y, z.
    pub grid: [i64; 3],
    /// Threads of a workgroup along x, y, z.
    pub block: [i64; 3],
    /// The kernel's operands in order.
    pub arguments: &'a [Argument],
    /// The operation, for messages.
    pub loc: Loc,
}

/// Print record: the values that a thread of a launch printed by one operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Printed {
    /// The linear number of the workgroup, and that of the thread in it; x counts fastest.
    pub thread: [u64; 2],
    /// The operation, in the body of the kernel.
    pub op: OpId,
    /// The bits of its values, the lanes of a vector in row-major order.
    pub values: Vec<u64>,
}

/// Outcome of handing a launch to a device.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Launched {
    /// The device recorded or ran the launch.
    There,
    /// The device ran the launch, and the kernel printed.
    Printed {
        /// The records of all threads.
        records: Vec<Printed>,
        /// Whether the device had no room for further records.
        overflows: bool,
    },
    /// The interpreter runs the launch: the device cannot bind it, through no lack of
    /// its own (two views of a buffer that it can bind one way only, say). The message continues
    /// "this launch runs on the host: ".
    Here(Diagnostic),
    /// The interpreter runs the launch: the device lacks a feature. The message
    /// continues "this launch runs on the host: ".
    Refused(Diagnostic),
}

/// Runs kernels and owns device copies of buffers.
///
/// The executor keeps one rule: it touches the host copy of a buffer only
/// while [`Allocation::host_current`](crate::memory::Allocation::host_current)
/// holds, and calls [`Device::fetch`] to make it so; a host write clears
/// [`Allocation::device_current`](crate::memory::Allocation::device_current).
/// The device keeps the other: it uploads a buffer that is not current there
/// before a launch reads it, and marks what a kernel may have written as not
/// current on the host. Launches may be recorded and run later.
pub trait Device {
    /// Records or runs a launch, or leaves it to the machine; a launch that is left has written
    /// nothing.
    fn launch(
        &mut self,
        ctx: &Context,
        module: &Module,
        memory: &mut Memory,
        launch: &Launch<'_>,
    ) -> Result<Launched, FaultKind>;

    /// Downloads a buffer whose device copy is newer than the host copy.
    fn fetch(&mut self, memory: &mut Memory, id: AllocId) -> Result<(), FaultKind>;

    /// Reads elements of a buffer, by their bytes in the host copy, where the device copy is newer; the host copy stays as it is.
    /// `None` where the device copy does not have these bytes as elements.
    fn peek(&mut self, id: AllocId, bytes: Range<usize>) -> Result<Option<Vec<u8>>, FaultKind>;

    /// Copies between two device buffers; `false` where one is not on the device or
    /// the device cannot do the copy, which the host then does.
    fn copy(
        &mut self,
        memory: &mut Memory,
        source: &MemRef,
        target: &MemRef,
        kind: ScalarKind,
    ) -> Result<bool, FaultKind>;

    /// Frees the device copy of a buffer that the host has freed.
    fn freed(&mut self, id: AllocId);

    /// Waits for everything recorded and reports its faults.
    fn finish(&mut self) -> Result<(), FaultKind>;
}
