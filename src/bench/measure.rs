//! One kernel measured: by gridloom, by hand, mapped naively, and in Rust.

use std::time::{Duration, Instant};

use gridloom_codegen::target::OffloadOptions;
use gridloom_codegen::target::machine::Tiling;
use gridloom_interp::{Fault, scalar_kind};
use gridloom_ir::Context;

use super::array::Array;
use super::kernel::{Fill, Kernel, Size};
use super::peer::Loaded;
use super::report::Row;
use super::sample::{Runner, Times, interleaved};
use super::work::work;
use crate::{HostValue, Program, Resident, RunOptions, Session};

/// Options of measuring kernels.
#[derive(Clone, Debug)]
pub struct Options {
    /// Full sizes, or those of tests.
    pub size: Size,
    /// Time for the timed runs of one kernel, all its columns together.
    pub budget: Duration,
}

/// Measures a kernel. What computes wrong results is not timed, and the row says why.
pub fn measure(kernel: &Kernel, session: &Session, options: &Options) -> Row {
    let mut row = Row::new(kernel.name);
    if let Err(why) = measure_into(&mut row, kernel, session, options) {
        row.errors.push(why);
    }
    row
}

fn measure_into(
    row: &mut Row,
    kernel: &Kernel,
    session: &Session,
    options: &Options,
) -> Result<(), String> {
    let ctx = Context::new();
    let subject = Subject::new(&ctx, kernel, options.size)?;
    let mapping = session.offload_options();
    let start = Instant::now();
    let program = subject.compile(&mapping)?;
    row.offload = start.elapsed().as_secs_f64();
    let inputs = subject.values(&program)?;
    row.work = work(&ctx, &program.source, program.entry(), &inputs);
    let (want, rust) = subject.reference(options.budget / 8);
    row.rust = Some(rust);
    let pair = session.device().zip(kernel.peer.as_ref());
    let by_hand =
        pair.map(|(device, peer)| Loaded::new(device, kernel.name, peer, &subject.arrays));
    let by_hand = match by_hand {
        Some(Ok(loaded)) => subject.checked_peer(&loaded, &want).map(|()| Some(loaded)),
        Some(Err(why)) => Err(why),
        None => Ok(None),
    };
    let by_hand = by_hand.unwrap_or_else(|why| {
        row.errors.push(format!("by hand: {why}"));
        None
    });
    // The naive mapping may be slow: it gets no more than a part of the time.
    let share = options.budget * 5 / 8;
    let timed = subject.run(&program, session, &inputs, &want, |resident, first| {
        row.first = first.as_secs_f64();
        let mut own = || resident.run().map_err(|fault| said(&ctx, &fault));
        match &by_hand {
            Some(loaded) => {
                let mut hand = || loaded.run();
                let runners: &mut [Runner<'_>] = &mut [&mut own, &mut hand];
                interleaved(runners, share)
            }
            None => interleaved(&mut [&mut own], share),
        }
    });
    match timed {
        Ok(times) => {
            row.gridloom = times.first().copied();
            row.by_hand = times.get(1).copied();
        }
        Err(why) => {
            row.errors.push(why);
            if let Some(loaded) = &by_hand {
                let times = interleaved(&mut [&mut || loaded.run()], share)?;
                row.by_hand = times.first().copied();
            }
        }
    }
    if session.device().is_some() {
        let naive = subject.compile(&naive(&mapping))?;
        let timed = subject.run(&naive, session, &inputs, &want, |resident, _| {
            let mut own = || resident.run().map_err(|fault| said(&ctx, &fault));
            interleaved(&mut [&mut own], options.budget / 8)
        });
        let times = timed.map_err(|why| format!("mapped naively: {why}"))?;
        row.naive = times.first().copied();
    }
    Ok(())
}

/// One iteration a thread, reductions in order.
fn naive(mapping: &OffloadOptions) -> OffloadOptions {
    OffloadOptions {
        tiling: Tiling::Fixed(Vec::new()),
        reassociate: false,
        private_updates: None,
        workgroup_memory: 0,
        workgroup: OffloadOptions::slow_compiler().workgroup,
        ..mapping.clone()
    }
}

/// A kernel at a size, with its arguments.
struct Subject<'c, 'k> {
    ctx: &'c Context,
    kernel: &'k Kernel,
    text: String,
    arrays: Vec<Array>,
}

impl<'c, 'k> Subject<'c, 'k> {
    fn new(ctx: &'c Context, kernel: &'k Kernel, size: Size) -> Result<Self, String> {
        let text = kernel.text(size);
        let mut subject = Subject {
            ctx,
            kernel,
            text,
            arrays: Vec::new(),
        };
        let program = subject.program(None)?;
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
                .ok_or("the program takes what is no array of numbers")?;
            subject
                .arrays
                .push(fill.array_of(kind, shape, number as u64 + 1));
        }
        Ok(subject)
    }

    fn program(&self, mapping: Option<&OffloadOptions>) -> Result<Program<'c>, String> {
        let parsed = crate::parse(self.ctx, self.kernel.name, self.text.as_bytes());
        parsed
            .and_then(|module| Program::compile(self.ctx, module, None, mapping))
            .map_err(|found| found.render(self.ctx))
    }

    fn compile(&self, mapping: &OffloadOptions) -> Result<Program<'c>, String> {
        self.program(Some(mapping))
    }

    /// The arguments in their first state.
    fn values(&self, program: &Program<'c>) -> Result<Vec<HostValue>, String> {
        let types = program.parameters();
        if types.len() != self.arrays.len() {
            return Err("the program and its arguments do not agree".to_owned());
        }
        let pairs = self.arrays.iter().zip(types);
        Ok(pairs.map(|(array, &ty)| array.to_value(ty)).collect())
    }

    /// Runs and times the reference.
    fn reference(&self, budget: Duration) -> (Vec<Array>, Times) {
        let start = Instant::now();
        let mut seconds = Vec::new();
        loop {
            let mut arrays = self.arrays.clone();
            let once = Instant::now();
            (self.kernel.reference)(&mut arrays);
            seconds.push(once.elapsed().as_secs_f64());
            if start.elapsed() > budget {
                // There is at least one time.
                return (arrays, Times::of(seconds).unwrap_or_default());
            }
        }
    }

    /// Whether the results are the reference's.
    fn check(&self, got: &[Array], want: &[Array]) -> Result<(), String> {
        for (number, (got, want)) in got.iter().zip(want).enumerate() {
            if let Some(difference) = self.kernel.tolerance.difference(got, want) {
                return Err(format!("wrong result: argument {number}: {difference}"));
            }
        }
        Ok(())
    }

    fn checked_peer(&self, loaded: &Loaded<'_>, want: &[Array]) -> Result<(), String> {
        loaded.run()?;
        let mut got = self.arrays.clone();
        loaded.read(&mut got)?;
        self.check(&got, want)
    }

    /// Runs a program once, checks what it gives, and hands it over to be timed with the time of
    /// that first run.
    fn run<T>(
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
            let mut got = self.arrays.clone();
            for (array, value) in got.iter_mut().zip(&values) {
                array.set_value(value);
            }
            drop(values);
            Ok(self.check(&got, want).and_then(|()| timed(resident, first)))
        });
        done.unwrap_or_else(|fault| Err(said(self.ctx, &fault)))
    }
}

fn said(ctx: &Context, fault: &Fault) -> String {
    fault.to_diagnostic().render(ctx).trim_end().to_owned()
}
