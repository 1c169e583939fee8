//! A program between its runs: inputs go into a machine's memory, outcomes come
//! out.

use std::time::{Duration, Instant};

use gridloom_interp::{Argument, Device, Fault, FaultKind, Machine, Options};
use gridloom_ir::dialect::vector::VectorShape;
use gridloom_ir::{Module, Type};

use crate::elements::Elements;
use crate::execution::{Outcome, RunOptions};
use crate::program::{HostValue, Program, element_class};

/// A program whose arguments lie in memory, on the device where a kernel used them
/// last. Each run takes them as the one before left them.
pub struct Resident<'r> {
    program: &'r Program<'r>,
    module: &'r Module,
    machine: Machine<'r>,
    /// Type of each argument, and whether it is an unsigned integer.
    types: Vec<(Type, bool)>,
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
            print: options.print,
            ..Options::default()
        };
        let mut machine = Machine::new(program.ctx, module, &program.entry, device, limits)
            .map_err(|found| fault_in(module, FaultKind::Unsupported(found)))?;
        machine.set_stop(options.stop.clone());
        let mut arguments = Vec::new();
        for input in inputs {
            arguments.push(place(&mut machine, input).map_err(|kind| fault_in(module, kind))?);
        }
        Ok(Resident {
            program,
            module,
            machine,
            types: inputs
                .iter()
                .map(|input| (input.ty, input.unsigned))
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
        let start = Instant::now();
        self.results = self.machine.run(&self.arguments)?;
        Ok(start.elapsed())
    }

    /// The arguments as the last run left them.
    ///
    /// # Errors
    /// The device failed.
    pub fn arguments(&mut self) -> Result<Vec<HostValue>, Fault> {
        let mut values = Vec::new();
        for (&(ty, unsigned), argument) in self.types.iter().zip(&self.arguments) {
            let value = take(&mut self.machine, ty, unsigned, argument);
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
            let unsigned = element_class(ctx, ty).is_ok_and(|class| class.1);
            // Async tokens are values of no kind.
            let Some(result) = results.next() else { break };
            let value = take(&mut self.machine, ty, unsigned, result);
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

/// Puts an input into the machine's memory.
fn place(machine: &mut Machine<'_>, input: &HostValue) -> Result<Argument, FaultKind> {
    let Some(shape) = &input.shape else {
        // A scalar has one element.
        let bits = input.elements.get(0).unwrap_or(0);
        return Ok(Argument::Scalar(input.kind(), bits));
    };
    let memref = machine.allocate(input.ty, shape)?;
    let memory = machine.memory_mut();
    memory.write_contents(&memref, input.kind(), input.elements.bytes())?;
    Ok(Argument::MemRef(input.kind(), memref))
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
        shape: Some(vector.shape.to_vec()),
        elements: Elements::from_bits(kind?, elements),
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
            unsigned,
            shape: None,
            elements: Elements::from_bits(*kind, [*bits]),
        }),
        Argument::MemRef(kind, memref) => {
            machine.fetch(memref.alloc)?;
            let bytes = machine.memory().contents(memref, *kind)?;
            Ok(HostValue {
                ty,
                unsigned,
                shape: Some(memref.sizes.to_vec()),
                elements: Elements::of_whole(*kind, bytes),
            })
        }
    }
}
