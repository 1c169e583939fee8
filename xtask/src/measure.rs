//! Resource usage of a process: CPU time of all its threads, and memory.

use std::mem::MaybeUninit;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::process::Failure;

/// Resource usage of one run.
#[derive(Clone, Copy)]
pub struct Taken {
    /// User and system time of all threads.
    pub cpu: Duration,
    /// Wall-clock time.
    pub wall: Duration,
    /// Peak resident memory, in bytes.
    pub memory: u64,
}

/// Runs a command that must succeed, and discards its output.
pub fn run(command: &mut Command) -> Result<Taken, Failure> {
    let failed = |why: String| Failure(format!("{command:?}: {why}"));
    let start = Instant::now();
    let mut quiet = Command::new(command.get_program());
    quiet.args(command.get_args()).stdin(Stdio::null());
    quiet.stdout(Stdio::null()).stderr(Stdio::null());
    let child = quiet.spawn().map_err(|error| failed(error.to_string()))?;
    let (mut status, mut usage) = (0, MaybeUninit::<libc::rusage>::zeroed());
    // SAFETY: both pointers are to live locals of the types that wait4 writes; the child is
    // ours and nobody else waits for it, since `child` has no wait of its own.
    let waited = unsafe { libc::wait4(child.id() as i32, &mut status, 0, usage.as_mut_ptr()) };
    let wall = start.elapsed();
    if waited < 0 || status != 0 {
        return Err(failed(format!("ended with status {status}")));
    }
    // SAFETY: wait4 has succeeded and so has filled it; before, it was all zeros.
    let usage = unsafe { usage.assume_init() };
    let time = |at: libc::timeval| {
        Duration::from_secs(at.tv_sec as u64) + Duration::from_micros(at.tv_usec as u64)
    };
    Ok(Taken {
        cpu: time(usage.ru_utime) + time(usage.ru_stime),
        wall,
        // Linux counts kibibytes.
        memory: usage.ru_maxrss as u64 * 1024,
    })
}

/// Measured runs of one command.
#[derive(Default)]
pub struct Runs(Vec<Taken>);

impl Runs {
    /// Adds a run.
    pub fn push(&mut self, taken: Taken) {
        self.0.push(taken);
    }

    /// The least CPU time, in seconds.
    pub fn least_cpu(&self) -> f64 {
        self.sorted(|taken| taken.cpu)
            .first()
            .map_or(0.0, Duration::as_secs_f64)
    }

    /// The median CPU time, in seconds.
    pub fn median_cpu(&self) -> f64 {
        let sorted = self.sorted(|taken| taken.cpu);
        sorted
            .get(sorted.len() / 2)
            .map_or(0.0, Duration::as_secs_f64)
    }

    /// The least wall-clock time, in seconds.
    pub fn least_wall(&self) -> f64 {
        self.sorted(|taken| taken.wall)
            .first()
            .map_or(0.0, Duration::as_secs_f64)
    }

    /// The peak memory, in units of 10^6 bytes.
    pub fn memory(&self) -> f64 {
        let most = self.0.iter().map(|taken| taken.memory).max();
        most.unwrap_or(0) as f64 / 1e6
    }

    fn sorted(&self, of: impl Fn(&Taken) -> Duration) -> Vec<Duration> {
        let mut times: Vec<Duration> = self.0.iter().map(of).collect();
        times.sort_unstable();
        times
    }
}
