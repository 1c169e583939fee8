//! Register machine that runs any function, and executor of host programs.
//!
//! The machine has three uses: the oracle every transformation and every GPU is compared with, the
//! device of machines that have none, and the host side of programs whose kernels run on a GPU
//! (through the [`Device`] trait).
//!
//! A module is compiled to flat code over two register files (scalars and
//! memrefs) and run by one loop without recursion, so that a thread of a
//! launch is a stack of frames that can wait at a barrier.

mod code;
mod compile;
pub mod device;
mod dma;
mod exec;
mod exec_access;
mod exec_calls;
mod exec_dma;
mod exec_memory;
mod exec_parallel;
mod exec_watch;
mod fault;
mod frame;
mod group;
mod launch;
mod layout;
mod machine;
pub mod memory;
pub mod memref;
mod options;
mod order;
mod print;
mod race;
mod run;
mod runner_functions;
mod spaces;
mod stop;

pub use device::{Argument, Device, Launch, Launched, Printed};
pub use dma::{DmaError, DmaFault};
pub use fault::{Divergence, Fault, FaultKind, SpaceFull};
pub use gridloom_ir::scalar::{self, ScalarKind, scalar_kind};
pub use machine::{LaunchCount, Machine};
pub use memory::{AccessError, AllocId, Freed, Memory};
pub use memref::MemRef;
pub use options::{Options, Printer};
pub use order::ThreadOrder;
pub use race::{AccessKind, Race};
pub use stop::{StopFlag, StopReason};
