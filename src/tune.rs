//! Tuning: measures schedules of a program's nests on a device and keeps the fastest.
//!
//! Nests are tuned one after the other, those that take most of the time first, the others as fast
//! as they are by then. For each, the schedules of its space are tried best first: by the cost that
//! the model predicts, those before that differ from the fastest one so far in little. A schedule
//! must give the reference's results before it is timed, and it wins only in runs that take turns
//! with the one it replaces.

mod kernel_times;
mod search;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use gridloom_codegen::offload::space::Space;
use gridloom_codegen::target::OffloadOptions;
use gridloom_codegen::target::tuning::{Entries, Entry, NestKey, Tuned};
use gridloom_gpu_runtime::Device;
use gridloom_interp::Fault;
use gridloom_ir::diag::place;
use gridloom_ir::{Context, Diagnostics, Loc};

use crate::{HostValue, Program, RunOptions, Session};
pub use kernel_times::{KernelTime, in_order_of_module, kernel_name, seconds_of_kernels};
use search::Search;

/// Share of the time that a nest gets, however little of it its kernels take.
const LEAST_SHARE: f64 = 0.05;

/// Subject of tuning: a program with what it is run on.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a, 'c> {
    /// The program, mapped or not.
    pub program: &'a Program<'c>,
    /// The device.
    pub session: &'a Session,
    /// The arguments of each run.
    pub inputs: &'a [HostValue],
    /// Limits of runs.
    pub run: &'a RunOptions,
    /// The mapping, with the entries to begin from.
    pub mapping: &'a OffloadOptions,
    /// Time for all.
    pub budget: Duration,
}

/// Outcome of tuning.
#[derive(Clone, Debug)]
pub struct Report {
    /// Whether results were held against the interpreter's; else it took too long, and they were
    /// held against those of the untuned mapping.
    pub is_interpreted: bool,
    /// The best time of a run by the model's schedules, in seconds.
    pub untuned: f64,
    /// The best time of a run by the schedules found.
    pub tuned: f64,
    /// The nests, in the order that they were tuned in.
    pub nests: Vec<Nest>,
    /// Schedules with wrong results, with what is wrong: errors of the compiler or the driver.
    pub wrong: Vec<String>,
}

/// Nest that was tuned.
#[derive(Clone, Debug)]
pub struct Nest {
    /// Location of its outermost loop.
    pub loc: Loc,
    /// Its key.
    pub key: NestKey,
    /// The entry to be kept; `None` where the model's schedule is the fastest.
    pub entry: Option<Entry>,
    /// Schedules that were run, and how many there are.
    pub tried: [usize; 2],
}

/// Progress of tuning.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Share of the time that is spent.
    pub share: f64,
    /// Number of the nest, from 1, and how many there are.
    pub nest: [usize; 2],
    /// Schedules tried so far, of all nests.
    pub tried: usize,
    /// Speed relative to the untuned mapping so far.
    pub gain: f64,
}

/// Reason why nothing was tuned.
#[derive(Clone, Debug)]
pub enum Failure {
    /// The session has no device.
    NoDevice,
    /// The mapping refuses the program.
    Refused(Diagnostics),
    /// A run failed.
    Fault(Fault),
    /// The untuned mapping computes something else than the interpreter.
    Wrong(String),
    /// A run that was timed failed.
    Device(String),
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Failure::Fault(fault)
    }
}

/// Tunes the nests of a program within a budget of time.
///
/// # Errors
/// No device, or the untuned program cannot run or is wrong.
pub fn tune(
    ctx: &Context,
    subject: &Subject<'_, '_>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Report, Failure> {
    let device = subject.session.device().ok_or(Failure::NoDevice)?;
    let start = Instant::now();
    let untuned = OffloadOptions {
        tuned: None,
        ..subject.mapping.clone()
    };
    let plain = subject.program.mapped(&untuned).map_err(Failure::Refused)?;
    let mut search = Search::new(ctx, subject, &plain, start)?;
    let untuned_time = search.untuned;
    let mut entries: Entries = (subject.mapping.tuned.as_ref())
        .map_or_else(BTreeMap::new, |tuned| (*tuned.entries).clone());
    let usual = plain.spaces(&untuned).map_err(Failure::Refused)?;
    let mut nests = distinct(subject.spaces(&entries)?);
    let shares = shares(ctx, device, subject, &plain)?;
    let share = |loc: Loc| shares.get(&line(ctx, loc)).copied().unwrap_or(0.0);
    nests.sort_by(|a, b| share(b.loc).total_cmp(&share(a.loc)));
    search.best = search
        .time(&subject.with(&entries)?, &"the entries of the database")?
        .map_or(untuned_time, |time| time.best);
    let count = nests.len();
    let weights: Vec<f64> = (nests.iter())
        .map(|space| share(space.loc).max(LEAST_SHARE))
        .collect();
    let mut report = Report {
        is_interpreted: search.is_interpreted,
        untuned: untuned_time,
        tuned: untuned_time,
        nests: Vec::new(),
        wrong: Vec::new(),
    };
    for (number, space) in nests.into_iter().enumerate() {
        // A nest gets what its share of the time is worth; what it leaves is for the others.
        let rest = subject.budget.saturating_sub(start.elapsed());
        let part = weights[number] / weights[number..].iter().sum::<f64>();
        let until = Instant::now() + rest.mul_f64(part);
        let mut told = |tried: usize, best: f64| {
            progress(Progress {
                share: start.elapsed().as_secs_f64() / subject.budget.as_secs_f64().max(1e-9),
                nest: [number + 1, count],
                tried,
                gain: untuned_time / best,
            });
        };
        let tried_before = search.tried;
        let found = search.nest(&space, &mut entries, until, &mut told)?;
        let model = usual.iter().find(|other| other.key == space.key);
        let is_usual = model.is_some_and(|model| model.current == found);
        if is_usual {
            entries.remove(&space.key);
        }
        report.nests.push(Nest {
            loc: space.loc,
            entry: entries.get(&space.key).cloned(),
            key: space.key,
            tried: [search.tried - tried_before, space.candidates.len()],
        });
    }
    search.confirm(&mut report, &plain, &entries)?;
    report.wrong = search.wrong;
    Ok(report)
}

/// Nests of one key are tuned together.
fn distinct(spaces: Vec<Space>) -> Vec<Space> {
    let mut found: Vec<Space> = Vec::new();
    for space in spaces {
        if !found.iter().any(|other| other.key == space.key) {
            found.push(space);
        }
    }
    found
}

impl<'c> Subject<'_, 'c> {
    /// The mapping with some entries.
    fn options(&self, entries: &Entries) -> OffloadOptions {
        OffloadOptions {
            tuned: Some(Tuned {
                source: "the search".to_owned(),
                entries: Arc::new(entries.clone()),
            }),
            ..self.mapping.clone()
        }
    }

    fn with(&self, entries: &Entries) -> Result<Program<'c>, Failure> {
        let mapped = self.program.mapped(&self.options(entries));
        mapped.map_err(Failure::Refused)
    }

    fn spaces(&self, entries: &Entries) -> Result<Vec<Space>, Failure> {
        let spaces = self.program.spaces(&self.options(entries));
        spaces.map_err(Failure::Refused)
    }
}

/// Source position of a nest, for telling nests of kernels apart.
type Line = Option<(String, (u32, u32))>;

fn line(ctx: &Context, loc: Loc) -> Line {
    place(ctx, loc, 0).map(|at| (at.file, at.start))
}

/// Share of the kernels of each nest in the time of all; nothing where the device has no clock.
fn shares(
    ctx: &Context,
    device: &Device,
    subject: &Subject<'_, '_>,
    plain: &Program<'_>,
) -> Result<BTreeMap<Line, f64>, Failure> {
    let found = seconds_of_kernels(ctx, device, || {
        plain.run_with(subject.session, subject.inputs, subject.run)
    })?;
    let whole: f64 = found.iter().map(|kernel| kernel.seconds).sum();
    let mut shares = BTreeMap::new();
    for kernel in found {
        *shares.entry(line(ctx, kernel.loc)).or_default() += kernel.seconds / whole.max(1e-12);
    }
    Ok(shares)
}
