//! Resident program between its runs: inputs go to a machine's memory, and outcomes come from
//! there.

use std::time::{Duration, Instant};

use gridloom_codegen::transform::convert_complex_to_standard::type_of_parts;
use gridloom_dialects::vector::VectorShape;
use gridloom_interp::{Argument, Device, Fault, FaultKind, Machine, MemRef, Options, ScalarKind};
use gridloom_ir::{Context, Module, Type};

use crate::elements::Elements;
use crate::execution::{Outcome, RunOptions};
use crate::host_value::{HostValue, element_class};
use crate::program::Program;

/// Resident program: its arguments stay in memory, on the device where a kernel used them last.
/// Each run starts from the arguments as the previous run left them.
pub struct Resident<'r> {
    program: &'r Program<'r>,
    module: &'r Module,
    machine: Machine<'r>,
    /// Type of each argument, and how to read its elements.
    types: Vec<(Type, Reading)>,
    /// Arguments for the machine: two for a complex number.
    arguments: Vec<Argument>,
    results: Vec<Argument>,
}

impl<'r> Resident<'r> {
    /// Creates a machine for the program's entry and places the inputs in its memory.
    pub(crate) fn place(
        program: &'r Program<'r>,
        module: &'r Module,
        device: Option<&'r mut (dyn Device + 'r)>,
        options: &RunOptions,
        inputs: &[HostValue],
    ) -> Result<Self, Fault> {
        let limits = Options {
            memory_limit: options.memory_limit,
            thread_order: options.thread_order,
            races: options.sanitize.race,
            checked: options.sanitize.uninit,
            leaks: options.sanitize.leak,
            spaces: options.spaces.clone(),
            require_device: options.require_device,
            print: options.print.clone(),
            clock: seconds,
            ..Options::default()
        };
        let is_compiled = std::ptr::eq(module, &program.compiled);
        let emulated = program.emulated.as_ref().filter(|_| is_compiled);
        let runs = emulated.unwrap_or(module);
        let mut machine = Machine::new(program.ctx, runs, &program.entry, device, limits)
            .map_err(|found| fault_in(module, FaultKind::Unsupported(found)))?;
        if emulated.is_some() {
            machine.set_device_module(module);
        }
        machine.set_stop(options.stop.clone());
        let mut arguments = Vec::new();
        for input in inputs {
            let placed = place(program.ctx, &mut machine, input, &mut arguments);
            placed.map_err(|kind| fault_in(module, kind))?;
        }
        Ok(Resident {
            program,
            module,
            machine,
            types: inputs
                .iter()
                .map(|input| (input.ty, Reading::of(input)))
                .collect(),
            arguments,
            results: Vec::new(),
        })
    }

    /// Runs the program once. The time is from the call of the entry function until all work that
    /// it started is done, including compilation and transfers, which mostly occur in the first run
    /// only.
    ///
    /// # Errors
    /// The fault and its operation.
    pub fn run(&mut self) -> Result<Duration, Fault> {
        self.run_in_a_row(1)
    }

    /// Runs the program `times` times and waits for the device once. The time is that of all runs
    /// together.
    ///
    /// # Errors
    /// As [`Resident::run`].
    pub fn run_in_a_row(&mut self, times: usize) -> Result<Duration, Fault> {
        let start = Instant::now();
        self.results = self.machine.run_in_a_row(&self.arguments, times)?;
        Ok(start.elapsed())
    }

    /// The arguments as the last run left them.
    ///
    /// # Errors
    /// The device failed.
    pub fn arguments(&mut self) -> Result<Vec<HostValue>, Fault> {
        let mut values = Vec::new();
        let mut arguments = self.arguments.iter();
        for &(ty, class) in &self.types {
            let Some(value) = take(&mut self.machine, ty, class, &mut arguments) else {
                break;
            };
            values.push(value.map_err(|kind| fault_in(self.module, kind))?);
        }
        Ok(values)
    }

    /// The outcome of the runs so far; the last one took `time`.
    pub(crate) fn outcome(&mut self, time: Duration) -> Result<Outcome, Fault> {
        Ok(Outcome {
            arguments: self.arguments()?,
            results: self.results()?,
            launches: self.machine.launches().to_vec(),
            host_steps: self.machine.host_steps(),
            warnings: self.machine.warnings().clone(),
            remarks: self.machine.remarks().clone(),
            time,
        })
    }

    fn results(&mut self) -> Result<Vec<HostValue>, Fault> {
        let ctx = self.program.ctx;
        let mut values = Vec::new();
        let mut results = self.results.iter();
        for &ty in &self.program.results {
            if let Some(vector) = VectorShape::of(ctx, ty) {
                values.extend(take_vector(ty, vector, &mut results));
                continue;
            }
            let class = element_class(ctx, ty);
            let class = class.map_or(Reading::default(), |class| Reading {
                unsigned: class.unsigned,
                complex: class.complex,
            });
            // Async tokens have no host value.
            let Some(value) = take(&mut self.machine, ty, class, &mut results) else {
                break;
            };
            values.push(value.map_err(|kind| fault_in(self.module, kind))?);
        }
        Ok(values)
    }
}

fn fault_in(module: &Module, kind: FaultKind) -> Fault {
    Fault {
        kind,
        loc: module.op().loc,
        calls: Vec::new(),
    }
}

/// Reading mode of a value's elements, besides their kind.
#[derive(Clone, Copy, Default)]
struct Reading {
    unsigned: bool,
    complex: bool,
}

impl Reading {
    fn of(value: &HostValue) -> Self {
        Reading {
            unsigned: value.unsigned,
            complex: value.complex,
        }
    }
}

/// Places an input in the machine's memory: complex numbers as their parts, which are the innermost
/// dimension of a memref.
fn place(
    ctx: &Context,
    machine: &mut Machine<'_>,
    input: &HostValue,
    arguments: &mut Vec<Argument>,
) -> Result<(), FaultKind> {
    let Some(shape) = &input.shape else {
        let scalar = |bits: u64| Argument::Scalar(input.kind(), bits);
        arguments.extend(input.elements.iter().map(scalar));
        return Ok(());
    };
    let mut shape = shape.clone();
    let mut ty = input.ty;
    if input.complex {
        shape.push(2);
        // A type without parts was refused when the program was compiled.
        ty = type_of_parts(ctx, ty).unwrap_or(ty);
    }
    let memref = machine.allocate(ty, &shape)?;
    machine.fill(&memref, input.kind(), input.elements.shared())?;
    arguments.push(Argument::MemRef(input.kind(), memref));
    Ok(())
}

/// Takes a vector, which the machine returns element by element.
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
        unsigned: false,
        complex: false,
        shape: Some(vector.shape.to_vec()),
        elements: Elements::from_bits(kind?, elements),
    })
}

/// Takes a value out of the machine's memory; `None` where no argument is left.
fn take<'r>(
    machine: &mut Machine<'_>,
    ty: Type,
    Reading { unsigned, complex }: Reading,
    arguments: &mut impl Iterator<Item = &'r Argument>,
) -> Option<Result<HostValue, FaultKind>> {
    let (shape, elements) = match arguments.next()? {
        Argument::Scalar(kind, bits) => {
            let mut elements = vec![*bits];
            if complex && let Some(Argument::Scalar(_, imaginary)) = arguments.next() {
                elements.push(*imaginary);
            }
            (None, Ok(Elements::from_bits(*kind, elements)))
        }
        Argument::MemRef(kind, memref) => {
            let mut shape = memref.sizes.to_vec();
            if complex {
                shape.pop();
            }
            (Some(shape), read(machine, memref, *kind))
        }
    };
    Some(elements.map(|elements| HostValue {
        ty,
        unsigned,
        complex,
        shape,
        elements,
    }))
}

/// The elements of a memref in row-major order.
fn read(
    machine: &mut Machine<'_>,
    memref: &MemRef,
    kind: ScalarKind,
) -> Result<Elements, FaultKind> {
    Ok(Elements::of_whole(kind, machine.contents(memref, kind)?))
}

/// Seconds since 1970, for a program that calls `rtclock`.
fn seconds() -> f64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0.0, |time| time.as_secs_f64())
}
