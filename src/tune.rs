//! Tuning: measures schedules of a program's nests on a device and keeps the fastest.
//!
//! Nests are tuned one after the other, those that take most of the time first, while the others
//! keep their fastest schedules so far. For each nest, its candidates are tried best first: by the
//! cost that the model predicts, and with preference for those close to the fastest one so far. A
//! schedule must give the reference's results before it is timed, and it wins only in interleaved
//! runs with the one it replaces.

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

/// Minimal share of the time budget that a nest gets.
const LEAST_SHARE: f64 = 0.05;

/// Subject of tuning: a program with its session and inputs.
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
    /// Offload options, with the database entries to start from.
    pub mapping: &'a OffloadOptions,
    /// Total time budget.
    pub budget: Duration,
}

/// Report on tuning.
#[derive(Clone, Debug)]
pub struct Report {
    /// Whether results were compared with the interpreter's; else that took too long, and they were
    /// compared with those of the untuned mapping.
    pub is_interpreted: bool,
    /// Best run time with the model's schedules, in seconds.
    pub untuned: f64,
    /// Best run time with the tuned schedules, in seconds.
    pub tuned: f64,
    /// The nests, in tuning order.
    pub nests: Vec<Nest>,
    /// Descriptions of schedules with wrong results, which are bugs of the compiler or the driver.
    pub wrong: Vec<String>,
}

/// Tuned nest.
#[derive(Clone, Debug)]
pub struct Nest {
    /// Location of the outermost loop.
    pub loc: Loc,
    /// Database key of the nest.
    pub key: NestKey,
    /// The new database entry; `None` where the model's schedule is the fastest.
    pub entry: Option<Entry>,
    /// Number of schedules that were run, and number of candidates.
    pub tried: [usize; 2],
}

/// Progress of tuning.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Share of the time budget that is spent.
    pub share: f64,
    /// Number of the current nest, from 1, and number of nests.
    pub nest: [usize; 2],
    /// Number of schedules tried so far, over all nests.
    pub tried: usize,
    /// Speed-up over the untuned mapping so far.
    pub gain: f64,
}

/// Reason why tuning failed.
#[derive(Clone, Debug)]
pub enum Failure {
    /// The session has no device.
    NoDevice,
    /// The mapping refuses the program.
    Refused(Diagnostics),
    /// A run failed.
    Fault(Fault),
    /// The untuned mapping computes other results than the interpreter.
    Wrong(String),
    /// A timed run failed.
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
        // A nest gets its share of the time; unused time goes to later ones.
        let rest = subject.budget.saturating_sub(start.elapsed());
        let part = weights[number] / weights[number..].iter().sum::<f64>();
        let until = Instant::now() + rest.mul_f64(part);
        let mut report_progress = |tried: usize, best: f64| {
            progress(Progress {
                share: start.elapsed().as_secs_f64() / subject.budget.as_secs_f64().max(1e-9),
                nest: [number + 1, count],
                tried,
                gain: untuned_time / best,
            });
        };
        let tried_before = search.tried;
        let found = search.nest(&space, &mut entries, until, &mut report_progress)?;
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

/// Merges nests with equal keys, which are tuned together.
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
    /// The offload options with given database entries.
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

/// Source position of a nest, to distinguish the nests of kernels.
type Line = Option<(String, (u32, u32))>;

fn line(ctx: &Context, loc: Loc) -> Line {
    place(ctx, loc, 0).map(|at| (at.file, at.start))
}

/// Share of each nest's kernels in the total time; empty where the device has no clock.
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
