//! Time limit of a run: a request to stop, then the end of the process.

use std::process;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;

use gridloom::{StopFlag, StopReason};

use super::input;

/// Grace period behind the limit. The machine answers a request to stop between iterations and launches, so it takes
/// longer only where a driver compiles or runs a kernel, which nothing can interrupt.
const GRACE: Duration = Duration::from_secs(3);

/// Timer of a run, as long as it lives.
#[derive(Debug)]
pub struct Clock {
    /// Never sent on: dropped, it ends the timer.
    _running: Sender<()>,
}

impl Clock {
    /// Starts a timer that stops the run at its limit and, where that is not heeded, ends the process with the exit
    /// code of [`super::Failure::TimeLimit`].
    pub fn start(limit: Duration, stop: &StopFlag) -> Clock {
        let (_running, over) = mpsc::channel::<()>();
        let stop = stop.clone();
        std::thread::spawn(move || {
            let passes = |time| over.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
            if !passes(limit) {
                return;
            }
            stop.request(StopReason::TimeLimit);
            if passes(GRACE) {
                input::print_error(
                    "error: the run exceeded its time limit while the device's driver compiled or ran a kernel, \
                     which only the end of the process stops\n",
                );
                process::exit(4);
            }
        });
        Clock { _running }
    }
}
