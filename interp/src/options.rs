//! Options of a run.

use std::fmt;
use std::sync::Arc;

use gridloom_dialects::memory_space::MemorySpaces;

use crate::order::ThreadOrder;

/// Receiver of what a program prints; one that drops it by default.
#[derive(Clone)]
pub struct Printer(Arc<dyn Fn(&str) + Send + Sync>);

impl Printer {
    /// Hands every text to `take`, in the order in which it is printed.
    pub fn new(take: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Printer(Arc::new(take))
    }

    pub(crate) fn print(&self, text: &str) {
        (self.0)(text);
    }
}

impl Default for Printer {
    fn default() -> Self {
        Printer::new(|_| {})
    }
}

impl fmt::Debug for Printer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Printer")
    }
}

/// Limits and checks of a run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Reads of elements nothing has written are faults. Accesses out of
    /// bounds always are.
    pub checked: bool,
    /// Accesses of one element by two threads of a launch, or two iterations of
    /// a parallel loop, that nothing orders are faults, unless all are reads or
    /// all atomic.
    pub races: bool,
    /// Buffers that are never freed are a fault.
    pub leaks: bool,
    /// Loop iterations, calls and threads after which the run stops with a
    /// fault; `None` for no limit.
    pub step_limit: Option<u64>,
    /// Bytes that buffers may hold at a time.
    pub memory_limit: u64,
    /// Bytes that the registers of nested calls may take in a thread.
    pub stack_limit: usize,
    /// Thread order: the order in which concurrent threads and iterations run here.
    pub thread_order: ThreadOrder,
    /// The meaning of memory space names.
    pub spaces: MemorySpaces,
    /// A launch that the device refuses for lack of a feature is a fault; otherwise it runs here.
    pub require_device: bool,
    /// Sink of the text that `gpu.printf` and the functions of MLIR's runner print.
    pub print: Printer,
    /// The seconds that `rtclock` gives.
    pub clock: fn() -> f64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            checked: false,
            races: false,
            leaks: false,
            step_limit: None,
            memory_limit: 8 << 30,
            stack_limit: 256 << 20,
            thread_order: ThreadOrder::Ascending,
            spaces: MemorySpaces::default(),
            require_device: false,
            print: Printer::default(),
            clock: || 0.0,
        }
    }
}
