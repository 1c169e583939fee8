//! Stop requests: the caller of a run ends it from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// Reason to stop a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// The run exceeded its time limit.
    TimeLimit,
    /// The caller cancelled the run.
    Cancelled,
}

/// Stop flag: a request that a running machine polls about every thousand loop iterations, calls
/// and threads, and before each launch. Clones share it.
#[derive(Clone, Default, Debug)]
pub struct StopFlag(Arc<AtomicU8>);

impl StopFlag {
    /// Asks the runs that have this flag to stop. The first reason stays.
    pub fn request(&self, reason: StopReason) {
        let code = match reason {
            StopReason::TimeLimit => 1,
            StopReason::Cancelled => 2,
        };
        let (set, lost) = (Ordering::Relaxed, Ordering::Relaxed);
        // An earlier request stays, so a failed exchange is no error.
        let _ = self.0.compare_exchange(0, code, set, lost);
    }

    /// The requested reason; `None` while the run may go on.
    pub fn requested(&self) -> Option<StopReason> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(StopReason::TimeLimit),
            _ => Some(StopReason::Cancelled),
        }
    }
}
