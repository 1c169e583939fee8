//! A program between its runs: inputs go into a machine's memory, outcomes come
//! out.

use std::time::{Duration, Instant};

use gridloom_codegen::transform::convert_complex_to_standard::type_of_parts;
use gridloom_dialects::vector::VectorShape;
use gridloom_interp::{Argument, Device, Fault, FaultKind, Machine, MemRef, Options, ScalarKind};
use gridloom_ir::{Context, Module, Type};

use crate::elements::Elements;
use crate::execution::{Outcome, RunOptions};
use crate::program::{HostValue, Program, element_class};

/// A program whose arguments lie in memory, on the device where a kernel used them
/// last. Each run takes them as the one before left them.
pub struct Resident<'r> {
    program: &'r Program<'r>,
    module: &'r Module,
    machine: Machine<'r>,
    /// Type of each argument, and how its elements are read.
    types: Vec<(Type, Reading)>,
    /// As the machine takes them: two for a complex number.
    arguments: Vec<Argument>,
    results: Vec<Argument>,
}

impl<'r> Resident<'r> {
    /// Makes a machine for the program's entry and puts the inputs into its memory.
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

    /// Runs the program once. The time goes from the call of the entry function until everything
    /// that it started is done; compilation and transfers that it causes are a part of it, which
    /// the first run has and later ones mostly have not.
    ///
    /// # Errors
    /// What went wrong at which operation.
    pub fn run(&mut self) -> Result<Duration, Fault> {
        self.run_in_a_row(1)
    }

    /// Runs the program so many times and waits for the device once. The time is that of all runs together.
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

    /// The outcome of the runs so far, of which the last took `time`.
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
            // Async tokens are values of no kind.
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

/// How the elements of a value are read, beside their kind.
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

/// Puts an input into the machine's memory: complex numbers as their parts, which are the innermost
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
        // A type without one has been refused when the program was compiled.
        ty = type_of_parts(ctx, ty).unwrap_or(ty);
    }
    let memref = machine.allocate(ty, &shape)?;
    machine.fill(&memref, input.kind(), input.elements.shared())?;
    arguments.push(Argument::MemRef(input.kind(), memref));
    Ok(())
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
        unsigned: false,
        complex: false,
        shape: Some(vector.shape.to_vec()),
        elements: Elements::from_bits(kind?, elements),
    })
}

/// Takes a value out of the machine's memory; `None` where there are no more.
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

/// The seconds since 1970, which a program asks for by `rtclock`.
fn seconds() -> f64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0.0, |time| time.as_secs_f64())
}
