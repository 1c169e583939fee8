//! Subject of a measurement: a kernel at a size, with its arguments.

use std::time::{Duration, Instant};

use gridloom_codegen::target::OffloadOptions;
use gridloom_interp::{Fault, scalar_kind};
use gridloom_ir::Context;

use super::array::Array;
use super::kernel::{Fill, Kernel, Precision, Tolerance};
use super::measure::Options;
use super::peer::Loaded;
use super::sample::Times;
use crate::{HostValue, Program, Resident, RunOptions, Session};

/// Tolerance of double precision after sums of a few thousand terms, or that many steps.
const DOUBLE: Tolerance = Tolerance::relative(1e-9);

/// Kernel at a size, with its arguments.
pub struct Subject<'c, 'k> {
    ctx: &'c Context,
    kernel: &'k Kernel,
    text: String,
    tolerance: Tolerance,
    specialize: bool,
    /// Initial arguments.
    pub arrays: Vec<Array>,
}

impl<'c, 'k> Subject<'c, 'k> {
    /// Prepares the kernel at the size and in the precision of the options.
    pub fn new(ctx: &'c Context, kernel: &'k Kernel, options: &Options) -> Result<Self, String> {
        let size = options.size;
        let mut subject = Subject {
            ctx,
            kernel,
            text: kernel.text_in(size, options.precision),
            tolerance: match options.precision {
                Precision::Double if kernel.has_data_sets() => DOUBLE,
                _ => kernel.tolerance,
            },
            specialize: options.specialize,
            arrays: Vec::new(),
        };
        let program = subject.program()?;
        for (number, (&ty, &fill)) in program.parameters().iter().zip(kernel.fills).enumerate() {
            let memref = ty.memref(ctx);
            let shape = match (fill, memref) {
                (Fill::Sized(sizes), _) => {
                    let sizes = sizes.iter();
                    sizes.map(|&n| kernel.scaled(n, size) as usize).collect()
                }
                (_, Some(memref)) => memref.shape.iter().map(|&n| n.max(0) as usize).collect(),
                (_, None) => Vec::new(),
            };
            let kind = scalar_kind(ctx, memref.map_or(ty, |memref| memref.element))
                .ok_or("an argument of the program is not an array of numbers")?;
            subject
                .arrays
                .push(fill.array_of(kind, shape, number as u64 + 1));
        }
        Ok(subject)
    }

    /// Compiles the program without mapping.
    fn program(&self) -> Result<Program<'c>, String> {
        let parsed = crate::parse(self.ctx, self.kernel.name, self.text.as_bytes());
        parsed
            .and_then(|module| Program::compile(self.ctx, module, None, None))
            .map_err(|found| found.render(self.ctx))
    }

    /// Compiles the program, mapped with the given options.
    pub fn compile(&self, mapping: &OffloadOptions) -> Result<Program<'c>, String> {
        let mut program = self.program()?;
        if self.specialize {
            let inputs = self.values(&program)?;
            program = program.specialized(&inputs);
        }
        program
            .mapped(mapping)
            .map_err(|found| found.render(self.ctx))
    }

    /// The initial arguments as host values.
    pub fn values(&self, program: &Program<'c>) -> Result<Vec<HostValue>, String> {
        let types = program.parameters();
        if types.len() != self.arrays.len() {
            return Err(format!(
                "the program has {} parameters, the benchmark {} arguments",
                types.len(),
                self.arrays.len()
            ));
        }
        let pairs = self.arrays.iter().zip(types);
        Ok(pairs.map(|(array, &ty)| array.to_value(ty)).collect())
    }

    /// Runs and times the reference.
    pub fn reference(&self, budget: Duration) -> (Vec<Array>, Times) {
        let start = Instant::now();
        let mut seconds = Vec::new();
        loop {
            let mut arrays = self.arrays.clone();
            let once = Instant::now();
            (self.kernel.reference)(&mut arrays);
            seconds.push(once.elapsed().as_secs_f64());
            if start.elapsed() > budget {
                // At least one run was timed.
                return (arrays, Times::of(seconds).unwrap_or_default());
            }
        }
    }

    /// Checks results against the reference's.
    pub fn check(&self, got: &[Array], want: &[Array]) -> Result<(), String> {
        for (number, (got, want)) in got.iter().zip(want).enumerate() {
            if let Some(difference) = self.tolerance.difference(got, want) {
                return Err(format!("wrong result: argument {number}: {difference}"));
            }
        }
        Ok(())
    }

    /// Checks the hand-written kernel's results against the reference's.
    pub fn checked_peer(&self, loaded: &Loaded<'_>, want: &[Array]) -> Result<(), String> {
        loaded.run()?;
        let mut got = self.arrays.clone();
        loaded.read(&mut got)?;
        self.check(&got, want)
    }

    /// The arguments after a run of a program, as arrays.
    pub fn arrays_of(&self, values: &[HostValue]) -> Vec<Array> {
        let mut got = self.arrays.clone();
        for (array, value) in got.iter_mut().zip(values) {
            array.set_value(value);
        }
        got
    }

    /// Runs a program once, checks its results, and passes it to `timed`, with the time of that
    /// first run.
    pub fn run<T>(
        &self,
        program: &Program<'c>,
        session: &Session,
        inputs: &[HostValue],
        want: &[Array],
        timed: impl FnOnce(&mut Resident<'_>, Duration) -> Result<T, String>,
    ) -> Result<T, String> {
        let options = RunOptions::default();
        let done = program.with_resident(session, inputs, &options, |resident| {
            let first = resident.run()?;
            let values = resident.arguments()?;
            let got = self.arrays_of(&values);
            drop(values);
            Ok(self.check(&got, want).and_then(|()| timed(resident, first)))
        });
        done.unwrap_or_else(|fault| Err(fault_text(self.ctx, &fault)))
    }
}

/// Renders a fault as text.
pub fn fault_text(ctx: &Context, fault: &Fault) -> String {
    fault.to_diagnostic().render(ctx).trim_end().to_owned()
}
