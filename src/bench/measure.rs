//! Measurement of one kernel in four ways: as gridloom maps it, by hand, mapped naively, and in
//! Rust.

use std::time::{Duration, Instant};

use gridloom_codegen::target::{OffloadOptions, OptLevel};

use super::kernel::{Kernel, Precision, Size};
use super::peer::Loaded;
use super::report::Row;
use super::sample::{Runner, interleaved, sampled};
use super::subject::{Subject, fault_text};
use super::work::work;
use crate::{MapFor, Session};

/// Options of measurements.
#[derive(Clone, Debug)]
pub struct Options {
    /// Sizes of the kernels.
    pub size: Size,
    /// Precision of programs with data sets.
    pub precision: Precision,
    /// Whether programs are specialized to the sizes of their arguments.
    pub specialize: bool,
    /// Time budget of one kernel, for all timed runs together.
    pub budget: Duration,
}

/// Measures a kernel. A way with wrong results is not timed, and its row reports the error.
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
    let ctx = gridloom_dialects::context();
    let subject = Subject::new(&ctx, kernel, options)?;
    let mapping = session.offload_options();
    let start = Instant::now();
    let program = subject.compile(&mapping)?;
    row.offload = start.elapsed().as_secs_f64();
    let inputs = subject.values(&program)?;
    row.work = work(&ctx, &program.source, program.entry(), &inputs);
    let (want, rust) = subject.reference(options.budget / 8);
    row.rust = Some(rust);
    let peer = match is_for_gpus(session) {
        true => kernel.gpu_peer.as_ref(),
        false => kernel.peer.as_ref(),
    };
    let pair = session.device().zip(peer);
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
    // The naive mapping may be slow, so it gets a part of the time only.
    let share = options.budget * 5 / 8;
    let timed = subject.run(&program, session, &inputs, &want, |resident, first| {
        row.first = first.as_secs_f64();
        session.warm_up()?;
        let mut own = sampled(|count| {
            let time = resident.run_in_a_row(count);
            time.map_err(|fault| fault_text(&ctx, &fault))
        });
        match &by_hand {
            Some(loaded) => {
                let mut hand = sampled(|count| loaded.run_in_a_row(count));
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
                session.warm_up()?;
                let mut hand = sampled(|count| loaded.run_in_a_row(count));
                let times = interleaved(&mut [&mut hand], share)?;
                row.by_hand = times.first().copied();
            }
        }
    }
    if session.device().is_some() {
        let naive = subject.compile(&naive(&mapping))?;
        let timed = subject.run(&naive, session, &inputs, &want, |resident, first| {
            if first > MOST_NAIVE.max(2 * options.budget) {
                return Ok(Vec::new());
            }
            let mut own = sampled(|count| {
                let time = resident.run_in_a_row(count);
                time.map_err(|fault| fault_text(&ctx, &fault))
            });
            session.warm_up()?;
            interleaved(&mut [&mut own], options.budget / 8)
        });
        let times = timed.map_err(|why| format!("mapped naively: {why}"))?;
        row.naive = times.first().copied();
    }
    Ok(())
}

/// Limit of the naive mapping's first run; a slower one is timed only if a kernel's budget is as
/// long. A naive sum of a vector, for example, is one thread.
const MOST_NAIVE: Duration = Duration::from_secs(2);

/// Whether loops are mapped for GPUs, so that the peers are the hand-written kernels for GPUs.
fn is_for_gpus(session: &Session) -> bool {
    match session.options().map_for {
        MapFor::Gpu => true,
        MapFor::Cpu => false,
        MapFor::Device => session
            .device()
            .is_some_and(|device| !device.info().is_software()),
    }
}

/// Options of the naive mapping: one iteration for each thread, reductions in order.
fn naive(mapping: &OffloadOptions) -> OffloadOptions {
    OffloadOptions {
        reassociate: false,
        ..mapping.clone().at_level(OptLevel::O1)
    }
}
