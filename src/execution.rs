//! Runs of a program: its inputs go into a machine's memory, its outcome comes
//! out.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use gridloom_gpu_runtime as runtime;
use gridloom_interp::{
    Argument, Device, Fault, FaultKind, LaunchCount, Machine, Options, StopFlag, ThreadOrder,
};
use gridloom_ir::diag::Diagnostics;
use gridloom_ir::dialect::vector::VectorShape;
use gridloom_ir::memory_space::MemorySpaces;
use gridloom_ir::{Module, Type};

use crate::gpu::{Gpu, KernelOptions, Kernels};
use crate::program::{HostValue, Program, element_class};
use crate::session::Session;

/// What a run on the interpreter is watched for. It stops with a fault at the
/// first finding.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Sanitize {
    /// Two threads of a launch, or two iterations of a parallel loop, that touch
    /// one element, at least one writing and nothing between them.
    pub race: bool,
    /// Accesses out of range. The interpreter always stops at them; a GPU
    /// guards them.
    pub bounds: bool,
    /// Reads of memory that nothing has written.
    pub uninit: bool,
    /// Buffers that are allocated and never freed.
    pub leak: bool,
}

impl Sanitize {
    /// Whether anything is watched for.
    pub fn any(self) -> bool {
        self != Sanitize::default()
    }
}

impl std::str::FromStr for Sanitize {
    type Err = String;

    /// `race,bounds,uninit,leak`, or some of them
    fn from_str(text: &str) -> Result<Self, String> {
        let mut sanitize = Sanitize::default();
        for word in text.split(',') {
            match word {
                "race" => sanitize.race = true,
                "bounds" => sanitize.bounds = true,
                "uninit" => sanitize.uninit = true,
                "leak" => sanitize.leak = true,
                _ => return Err(format!("'{word}' is none of race, bounds, uninit and leak")),
            }
        }
        Ok(sanitize)
    }
}

/// Limits and checks of a run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// In which order the interpreter runs what may run side by side.
    pub thread_order: ThreadOrder,
    /// What the interpreter watches for. On a GPU only the host's part of the
    /// program is watched.
    pub sanitize: Sanitize,
    /// What the names of memory spaces mean, and how large they are.
    pub spaces: MemorySpaces,
    /// Bytes that the program's buffers may hold at a time.
    pub memory_limit: u64,
    /// A launch that the device lacks something for is an error.
    pub require_device: bool,
    /// Takes what `gpu.printf` prints: kernels that print run on the host.
    pub print: fn(&str),
    /// Ends the run, in the interpreter or before the next launch, once it asks
    /// for that.
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

/// What a run gave.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// The arguments as the program left them.
    pub arguments: Vec<HostValue>,
    /// The function's results.
    pub results: Vec<HostValue>,
    /// Kernels launched.
    pub launches: Vec<LaunchCount>,
    /// Warnings of the run.
    pub warnings: Diagnostics,
    /// Remarks on launches that ran on the host, since the device lacks
    /// something for them.
    pub remarks: Diagnostics,
    /// Wall-clock time from the call of the entry function until everything it
    /// started was done; compilation and transfers that it caused included.
    pub time: Duration,
}

impl Program<'_> {
    /// Runs the compiled program on the session's device.
    ///
    /// # Errors
    /// What went wrong at which operation.
    pub fn run(&self, session: &Session, inputs: &[HostValue]) -> Result<Outcome, Fault> {
        self.run_with(session, inputs, &RunOptions::default())
    }

    /// The same within limits and in an order of one's own.
    ///
    /// # Errors
    /// As [`Program::run`].
    pub fn run_with(
        &self,
        session: &Session,
        inputs: &[HostValue],
        options: &RunOptions,
    ) -> Result<Outcome, Fault> {
        match session.device() {
            Some(device) => {
                let kernels = KernelOptions {
                    fp: session.options().fp,
                    bounds: session.options().bounds,
                    portable: session.options().portable,
                    allow_known_faults: session.options().allow_known_faults,
                };
                let mut compiled = self.kernels_for(device, kernels);
                let mut gpu = Gpu::new(device, &mut compiled);
                let outcome = self.execute(&self.compiled, Some(&mut gpu), options, inputs);
                drop(gpu);
                self.keep_kernels(compiled);
                outcome
            }
            None => self.execute(&self.compiled, None, options, inputs),
        }
    }

    /// The kernels that earlier runs have compiled for the device; none where
    /// another run has them just now.
    fn kernels_for(&self, device: &runtime::Device, options: KernelOptions) -> Kernels {
        let kept = lock(&self.kernels).take();
        kept.filter(|kept| kept.are_for(device, options))
            .unwrap_or_else(|| Kernels::new(device.clone(), options))
    }

    fn keep_kernels(&self, kernels: Kernels) {
        *lock(&self.kernels) = Some(kernels);
    }

    /// Runs the program as it was given on the interpreter: the reference of
    /// `--check`. The limits of `options` hold; the order is ascending, and
    /// nothing is watched.
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
            print: |_| {},
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
        let at = |kind| Fault {
            kind,
            loc: module.op().loc,
            calls: Vec::new(),
        };
        let unsupported = |diagnostics| at(FaultKind::Unsupported(diagnostics));
        let limits = Options {
            memory_limit: options.memory_limit,
            thread_order: options.thread_order,
            races: options.sanitize.race,
            checked: options.sanitize.uninit,
            leaks: options.sanitize.leak,
            spaces: options.spaces.clone(),
            require_device: options.require_device,
            print: options.print,
            ..Options::default()
        };
        let mut machine =
            Machine::new(self.ctx, module, &self.entry, device, limits).map_err(unsupported)?;
        machine.set_stop(options.stop.clone());
        let mut arguments = Vec::new();
        for input in inputs {
            arguments.push(place(&mut machine, input).map_err(at)?);
        }
        let start = Instant::now();
        let results = machine.run(&arguments)?;
        let time = start.elapsed();
        let mut outcome = Outcome {
            arguments: Vec::new(),
            results: Vec::new(),
            launches: machine.launches().to_vec(),
            warnings: machine.warnings().clone(),
            remarks: machine.remarks().clone(),
            time,
        };
        for (input, argument) in inputs.iter().zip(&arguments) {
            outcome
                .arguments
                .push(take(&mut machine, input.ty, input.unsigned, argument).map_err(at)?);
        }
        let mut results = results.iter();
        for &ty in &self.results {
            if let Some(vector) = VectorShape::of(self.ctx, ty) {
                outcome
                    .results
                    .extend(take_vector(ty, vector, &mut results));
                continue;
            }
            let unsigned = element_class(self.ctx, ty).is_ok_and(|class| class.1);
            // Async tokens are values of no kind.
            let Some(result) = results.next() else { break };
            outcome
                .results
                .push(take(&mut machine, ty, unsigned, result).map_err(at)?);
        }
        Ok(outcome)
    }
}

/// Locks `mutex`, which guards kernels that no panic can leave half made.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Puts an input into the machine's memory.
fn place(machine: &mut Machine<'_>, input: &HostValue) -> Result<Argument, FaultKind> {
    let Some(shape) = &input.shape else {
        return Ok(Argument::Scalar(input.kind, input.elements[0]));
    };
    let memref = machine.allocate(input.ty, shape)?;
    let mut elements = input.elements.iter();
    let memory = machine.memory_mut();
    memref.for_each_position(|position| {
        let element = elements.next().copied().unwrap_or(0);
        Ok(memory.write(&memref, position, input.kind, element)?)
    })?;
    Ok(Argument::MemRef(input.kind, memref))
}

/// A vector, which the machine gives element by element.
fn take_vector<'r>(
    ty: Type,
    vector: VectorShape,
    results: &mut impl Iterator<Item = &'r Argument>,
) -> Option<HostValue> {
    let count = usize::try_from(vector.num_elements()).ok()?;
    let mut kind = None;
    let mut elements = Vec::new();
    for element in results.take(count) {
        if let Argument::Scalar(found, bits) = element {
            kind = Some(*found);
            elements.push(*bits);
        }
    }
    Some(HostValue {
        ty,
        kind: kind?,
        unsigned: false,
        shape: Some(vector.shape.to_vec()),
        elements,
    })
}

/// Takes a value out of the machine's memory.
fn take(
    machine: &mut Machine<'_>,
    ty: Type,
    unsigned: bool,
    argument: &Argument,
) -> Result<HostValue, FaultKind> {
    match argument {
        Argument::Scalar(kind, bits) => Ok(HostValue {
            ty,
            kind: *kind,
            unsigned,
            shape: None,
            elements: vec![*bits],
        }),
        Argument::MemRef(kind, memref) => {
            machine.fetch(memref.alloc)?;
            let mut elements = Vec::new();
            let memory = machine.memory();
            memref.for_each_position(|position| {
                elements.push(memory.peek(memref, position, *kind)?);
                Ok(())
            })?;
            let shape = Some(memref.sizes.to_vec());
            Ok(HostValue {
                ty,
                kind: *kind,
                unsigned,
                shape,
                elements,
            })
        }
    }
}
