//! Execution of a program: inputs go to a machine's memory, and the outcome comes from there.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use gridloom_dialects::memory_space::MemorySpaces;
use gridloom_gpu_runtime as runtime;
use gridloom_interp::{
    Device, Fault, FaultKind, LaunchCount, Options, Printer, StopFlag, ThreadOrder,
};
use gridloom_ir::Module;
use gridloom_ir::diag::Diagnostics;

use crate::gpu::{Gpu, KernelOptions, Kernels};
use crate::host_value::HostValue;
use crate::program::Program;
use crate::resident::Resident;
use crate::session::Session;
use crate::specialization::first_misfit;

/// Checks of a run on the interpreter, which stops with a fault at the first finding.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Sanitize {
    /// Data races: two threads of a launch, or two iterations of a parallel loop, access one
    /// element without synchronization, at least one of them writing.
    pub race: bool,
    /// Accesses out of range. The interpreter always stops at them; a GPU
    /// guards them.
    pub bounds: bool,
    /// Reads of memory that nothing has written.
    pub uninit: bool,
    /// Leaks: buffers that are allocated and never freed.
    pub leak: bool,
}

impl Sanitize {
    /// Whether any check is on.
    pub fn any(self) -> bool {
        self != Sanitize::default()
    }
}

impl std::str::FromStr for Sanitize {
    type Err = String;

    /// Parses `race,bounds,uninit,leak`, or some of these.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut sanitize = Sanitize::default();
        for word in text.split(',') {
            match word {
                "race" => sanitize.race = true,
                "bounds" => sanitize.bounds = true,
                "uninit" => sanitize.uninit = true,
                "leak" => sanitize.leak = true,
                _ => {
                    return Err(format!(
                        "--sanitize cannot be '{word}'; it takes race, bounds, uninit and leak"
                    ));
                }
            }
        }
        Ok(sanitize)
    }
}

/// Limits and checks of a run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Order in which the interpreter runs threads and parallel iterations.
    pub thread_order: ThreadOrder,
    /// Checks of the interpreter. On a GPU they cover only the host's part of the program.
    pub sanitize: Sanitize,
    /// The kinds and sizes of named memory spaces.
    pub spaces: MemorySpaces,
    /// Limit of the bytes in the program's buffers at a time.
    pub memory_limit: u64,
    /// Whether a launch that the device does not support is an error.
    pub require_device: bool,
    /// Receives printed text; the output of a launch's threads comes in thread order, after the
    /// launch.
    pub print: Printer,
    /// Stop request: ends the run in the interpreter, or before the next launch.
    pub stop: StopFlag,
}

impl Default for RunOptions {
    fn default() -> Self {
        let limits = Options::default();
        RunOptions {
            thread_order: limits.thread_order,
            sanitize: Sanitize::default(),
            spaces: limits.spaces,
            memory_limit: limits.memory_limit,
            require_device: false,
            print: limits.print,
            stop: StopFlag::default(),
        }
    }
}

/// Outcome of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// The arguments as the program left them.
    pub arguments: Vec<HostValue>,
    /// The function's results.
    pub results: Vec<HostValue>,
    /// Kernels launched.
    pub launches: Vec<LaunchCount>,
    /// Loop iterations and function calls that ran on the host, in all runs.
    pub host_steps: u64,
    /// Warnings of the run.
    pub warnings: Diagnostics,
    /// Remarks on launches that ran on the host because the device does not support them.
    pub remarks: Diagnostics,
    /// Wall-clock time from the call of the entry function until all work that it started was done,
    /// including compilation and transfers that it caused.
    pub time: Duration,
}

impl Program<'_> {
    /// Runs the compiled program on the session's device.
    ///
    /// # Errors
    /// The fault and its operation; arguments other than those that the program is
    /// [`Program::specialized`] to.
    pub fn run(&self, session: &Session, inputs: &[HostValue]) -> Result<Outcome, Fault> {
        self.run_with(session, inputs, &RunOptions::default())
    }

    /// Like [`Program::run`], with options for limits, checks and thread order.
    ///
    /// # Errors
    /// As [`Program::run`].
    pub fn run_with(
        &self,
        session: &Session,
        inputs: &[HostValue],
        options: &RunOptions,
    ) -> Result<Outcome, Fault> {
        self.with_resident(session, inputs, options, |resident| {
            let time = resident.run()?;
            resident.outcome(time)
        })
    }

    /// Calls `work`, which may run the compiled program repeatedly on the session's device;
    /// arguments stay where the last run left them.
    ///
    /// # Errors
    /// As [`Program::run`], and those of `work`.
    pub fn with_resident<T>(
        &self,
        session: &Session,
        inputs: &[HostValue],
        options: &RunOptions,
        work: impl FnOnce(&mut Resident<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        if let Some(misfit) = first_misfit(self.ctx, &self.known, inputs) {
            return Err(Fault {
                kind: FaultKind::ShapeMismatch(misfit),
                loc: self.source.op().loc,
                calls: Vec::new(),
            });
        }
        let Some(device) = session.device() else {
            return work(&mut Resident::place(
                self,
                &self.compiled,
                None,
                options,
                inputs,
            )?);
        };
        let kernels = KernelOptions {
            fp: session.options().fp,
            bounds: session.options().bounds,
            portable: session.options().portable,
            allow_known_faults: session.options().allow_known_faults,
            spirv_dialect: session.options().spirv_dialect,
            addresses: session.uses_addresses(),
        };
        let mut compiled = self.kernels_for(device, kernels);
        let mut gpu = Gpu::new(device, &mut compiled);
        let outcome = Resident::place(self, &self.compiled, Some(&mut gpu), options, inputs)
            .and_then(|mut resident| work(&mut resident));
        drop(gpu);
        self.keep_kernels(compiled);
        outcome
    }

    /// The kernel cache of earlier runs on the device; empty while another run uses it.
    fn kernels_for(&self, device: &runtime::Device, options: KernelOptions) -> Kernels {
        let kept = lock(&self.kernels).take();
        kept.filter(|kept| kept.are_for(device, options))
            .unwrap_or_else(|| Kernels::new(device.clone(), options))
    }

    fn keep_kernels(&self, kernels: Kernels) {
        *lock(&self.kernels) = Some(kernels);
    }

    /// Runs the program as it was given on the interpreter: the reference of `--check`. The limits
    /// of `options` apply; the thread order is ascending, and checks are off.
    ///
    /// # Errors
    /// As [`Program::run`].
    pub fn run_reference(
        &self,
        inputs: &[HostValue],
        options: &RunOptions,
    ) -> Result<Outcome, Fault> {
        let options = RunOptions {
            thread_order: ThreadOrder::Ascending,
            sanitize: Sanitize::default(),
            ..options.clone()
        };
        self.execute(&self.source, None, &options, inputs)
    }

    fn execute<'r>(
        &'r self,
        module: &'r Module,
        device: Option<&'r mut (dyn Device + 'r)>,
        options: &RunOptions,
        inputs: &[HostValue],
    ) -> Result<Outcome, Fault> {
        let mut resident = Resident::place(self, module, device, options, inputs)?;
        let time = resident.run()?;
        resident.outcome(time)
    }
}

/// Locks `mutex`, whose kernels are valid even after a panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use gridloom_gpu_runtime::HostWork;

    use super::*;
    use crate::{DeviceWish, SessionOptions};

    /// Test program: doubles `x` on the device, and adds its first element, as the host then reads
    /// it, to `y`, of which the device reads the rest.
    const PROGRAM: &str = "
func.func @step(%x: memref<64xf32>, %y: memref<64xf32>, %sum: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  affine.for %i = 0 to 64 {
    %v = affine.load %x[%i] : memref<64xf32>
    %w = arith.addf %v, %v : f32
    affine.store %w, %x[%i] : memref<64xf32>
  }
  %first = memref.load %x[%c0] : memref<64xf32>
  affine.for %i = 0 to 64 {
    %v = affine.load %y[%i] : memref<64xf32>
    %w = arith.addf %v, %first : f32
    affine.store %w, %sum[%i] : memref<64xf32>
  }
  return
}";

    fn values(value: &HostValue) -> Vec<f32> {
        let bits = value.elements.iter();
        bits.map(|bits| f32::from_bits(bits as u32)).collect()
    }

    #[test]
    fn later_runs_use_kernels_and_arguments_of_earlier_ones() {
        let ctx = crate::context();
        let module = crate::parse(&ctx, "step.mlir", PROGRAM.as_bytes()).expect("it parses");
        let session = Session::open(&DeviceWish::from("llvmpipe"), SessionOptions::default());
        let session = session.unwrap_or_else(|error| panic!("{error}"));
        let device = session.device().expect("lavapipe is a device");
        let options = session.offload_options();
        let program = Program::compile(&ctx, module, None, Some(&options)).expect("it compiles");
        let specs = ["ones", "iota", "zeros"].map(|spec| spec.parse().expect("a spec"));
        let inputs = program.inputs(&specs, |_| unreachable!("no files"));
        let inputs = inputs.expect("they fit");

        device.set_profiling(true);
        let mut kernels = Vec::new();
        for run in 0..3 {
            let outcome = program.run(&session, &inputs).expect("it runs");
            let [x, y, sum] = &outcome.arguments[..] else {
                panic!("three arguments");
            };
            assert_eq!(values(x), [2.0; 64]);
            assert_eq!(y, &inputs[1], "nothing writes it");
            let expected: Vec<f32> = (0..64).map(|at| at as f32 + 2.0).collect();
            assert_eq!(values(sum), expected);
            assert_eq!(values(&inputs[0]), [1.0; 64], "what was lent stays");

            let timeline = device.take_timeline().expect("it is measured");
            let compiles = |work: &HostWork| matches!(work, HostWork::Compile(_));
            let compiled = (timeline.host.iter()).filter(|time| compiles(&time.work));
            let kept = lock(&program.kernels);
            let mut found: Vec<_> = kept.iter().flat_map(Kernels::loaded).collect();
            found.sort_by_key(|kernel| Arc::as_ptr(kernel));
            match run {
                0 => assert_eq!((compiled.count(), found.len()), (2, 2)),
                _ => assert_eq!(compiled.count(), 0, "run {run} compiles nothing"),
            }
            let pointers: Vec<_> = found.into_iter().map(Arc::as_ptr).collect();
            if run > 0 {
                assert_eq!(pointers, kernels, "run {run} lowers nothing");
            }
            kernels = pointers;
        }
    }
}
