//! Tuning: measures schedules of a program's nests on a device and keeps the fastest.
//!
//! Nests are tuned one after the other, those that take most of the time first, the others as fast
//! as they are by then. For each, the schedules of its space are tried best first: by the cost that
//! the model predicts, those before that differ from the fastest one so far in little. A schedule
//! must give the reference's results before it is timed, and it wins only in runs that take turns
//! with the one it replaces.

mod kernel_times;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use gridloom_codegen::offload::space::{Candidate, Space};
use gridloom_codegen::target::OffloadOptions;
use gridloom_codegen::target::tuning::{Choice, Entries, Entry, NestKey, Tuned};
use gridloom_gpu_runtime::Device;
use gridloom_interp::{Fault, FaultKind};
use gridloom_ir::diag::place;
use gridloom_ir::{Context, Diagnostics, Loc};

use crate::bench::sample::{Times, interleaved};
use crate::compare::{Tolerance, first_difference};
use crate::{HostValue, Outcome, Program, Resident, RunOptions, Session, StopFlag, StopReason};
use gridloom_spirv::FpMode;
pub use kernel_times::{KernelTime, kernel_name, seconds_of_kernels};

/// Share of the time that the interpreter gets for the reference.
const REFERENCE_SHARE: u32 = 4;

/// Factor that a schedule must gain in its own runs to be measured against the fastest one.
const PROMISING: f64 = 0.98;

/// Factor that it must gain in runs in turns.
const WORTH: f64 = 0.98;

/// Time of a schedule's own runs.
const PROBE: Duration = Duration::from_millis(200);

/// Time of runs in turns.
const DUEL: Duration = Duration::from_millis(800);

/// Most of a schedule's own runs.
const RUNS: usize = 8;

/// Share of the time that a nest gets, however little of it its kernels take.
const LEAST_SHARE: f64 = 0.05;

/// Schedules that may fail to win in a row before a nest is done.
const PATIENCE: usize = 120;

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
        .time(&subject.with(&entries)?)?
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
    search.settle(&mut report, &plain, &entries)?;
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

/// State of a search.
struct Search<'s, 'a, 'c> {
    ctx: &'s Context,
    subject: &'s Subject<'a, 'c>,
    reference: Outcome,
    tolerance: Tolerance,
    is_interpreted: bool,
    /// Seconds of a run by the model's schedules, and by the fastest so far.
    untuned: f64,
    best: f64,
    tried: usize,
    wrong: Vec<String>,
}

impl<'s, 'a, 'c> Search<'s, 'a, 'c> {
    /// Makes the reference and times the untuned program.
    fn new(
        ctx: &'s Context,
        subject: &'s Subject<'a, 'c>,
        plain: &Program<'c>,
        start: Instant,
    ) -> Result<Self, Failure> {
        let tolerance = match subject.session.options().fp {
            FpMode::Strict => Tolerance::Exact,
            FpMode::Relaxed => Tolerance::relaxed(subject.inputs),
        };
        let untuned = plain.run_with(subject.session, subject.inputs, subject.run)?;
        let interpreted = interpreted(subject, plain, start)?;
        if let Some(reference) = &interpreted
            && let Some(difference) = first_difference(&untuned, reference, tolerance)
        {
            return Err(Failure::Wrong(difference));
        }
        let mut search = Search {
            ctx,
            subject,
            is_interpreted: interpreted.is_some(),
            reference: interpreted.unwrap_or(untuned),
            tolerance,
            untuned: f64::INFINITY,
            best: f64::INFINITY,
            tried: 0,
            wrong: Vec::new(),
        };
        let times = search.time(plain)?;
        search.untuned = times.map_or(f64::INFINITY, |times| times.best);
        Ok(search)
    }

    /// Tries schedules of a nest until time is over. Returns the fastest, which the entries have
    /// in the end.
    fn nest(
        &mut self,
        space: &Space,
        entries: &mut Entries,
        until: Instant,
        told: &mut dyn FnMut(usize, f64),
    ) -> Result<Choice, Failure> {
        let mut best = space.current.clone();
        let mut left: Vec<&Candidate> = space.candidates.iter().collect();
        let mut losses = 0;
        while losses < PATIENCE && Instant::now() < until {
            let score = |candidate: &Candidate| candidate.cost * nearness(&candidate.choice, &best);
            let next = (0..left.len()).min_by(|&a, &b| score(left[a]).total_cmp(&score(left[b])));
            let Some(next) = next else { break };
            let candidate = left.swap_remove(next);
            let mut with = entries.clone();
            with.insert(space.key.clone(), self.entry(&candidate.choice, 0.0));
            losses += 1;
            self.tried += 1;
            if let Some(time) = self.challenge(entries, &with, &candidate.choice)? {
                self.best = time;
                let entry = self.entry(&candidate.choice, time);
                entries.insert(space.key.clone(), entry);
                best = candidate.choice.clone();
                losses = 0;
            }
            told(self.tried, self.best);
        }
        Ok(best)
    }

    fn entry(&self, choice: &Choice, seconds: f64) -> Entry {
        Entry {
            choice: choice.clone(),
            time: nanoseconds(seconds),
            untuned: nanoseconds(self.untuned),
            line: 0,
        }
    }

    /// The time of a run with other entries, where they win.
    fn challenge(
        &mut self,
        entries: &Entries,
        with: &Entries,
        choice: &Choice,
    ) -> Result<Option<f64>, Failure> {
        // A schedule that the compiler or the driver cannot take is none to choose.
        let Ok(program) = self.subject.with(with) else {
            return Ok(None);
        };
        let times = match self.time(&program) {
            Ok(times) => times,
            Err(Failure::Fault(fault)) if !matches!(fault.kind, FaultKind::Device(_)) => {
                let said = fault.to_diagnostic().render(self.ctx);
                self.wrong.push(format!("{choice}: {}", said.trim_end()));
                return Ok(None);
            }
            Err(other) => return Err(other),
        };
        let is_promising = times.is_some_and(|times| times.best < self.best * PROMISING);
        if !is_promising {
            return Ok(None);
        }
        let [old, new] = self.duel(&self.subject.with(entries)?, &program)?;
        self.best = self.best.min(old.best);
        let wins = new.best < old.best * WORTH && new.median < old.median;
        Ok(wins.then_some(new.best))
    }

    /// Times of a program's runs on arguments that stay on the device; `None` where its first
    /// results are not the reference's, or no time is worth taking.
    fn time(&mut self, program: &Program<'c>) -> Result<Option<Times>, Failure> {
        let subject = self.subject;
        let found = program.with_resident(subject.session, subject.inputs, subject.run, |run| {
            let first = run.run()?;
            let outcome = run.outcome(first)?;
            let difference = first_difference(&outcome, &self.reference, self.tolerance);
            if let Some(difference) = difference {
                return Ok(Err(difference));
            }
            drop(outcome);
            self.probe(run).map(Ok)
        })?;
        match found {
            Ok(times) => Ok(times),
            Err(difference) => {
                self.wrong.push(difference);
                Ok(None)
            }
        }
    }

    /// Times a few runs; fewer of what is far slower than the fastest.
    fn probe(&self, run: &mut Resident<'_>) -> Result<Option<Times>, Fault> {
        let start = Instant::now();
        let mut seconds: Vec<f64> = Vec::new();
        while seconds.len() < RUNS && (seconds.len() < 2 || start.elapsed() < PROBE) {
            let time = run.run()?.as_secs_f64();
            seconds.push(time);
            if time > 1.5 * self.best {
                break;
            }
        }
        Ok(Times::of(seconds))
    }

    /// Measures what was found against the untuned program once more: entries that are no gain in
    /// the end are not kept.
    fn settle(
        &self,
        report: &mut Report,
        plain: &Program<'c>,
        entries: &Entries,
    ) -> Result<(), Failure> {
        if report.nests.iter().all(|nest| nest.entry.is_none()) {
            return Ok(());
        }
        let [old, new] = self.duel(plain, &self.subject.with(entries)?)?;
        report.untuned = old.best;
        let is_gain = new.best < old.best * WORTH;
        report.tuned = if is_gain { new.best } else { old.best };
        for nest in &mut report.nests {
            nest.entry = match nest.entry.take() {
                Some(entry) if is_gain => Some(Entry {
                    time: nanoseconds(new.best),
                    untuned: nanoseconds(old.best),
                    ..entry
                }),
                _ => None,
            };
        }
        Ok(())
    }

    /// Times of two programs whose runs take turns.
    fn duel(&self, old: &Program<'c>, new: &Program<'c>) -> Result<[Times; 2], Failure> {
        let Subject {
            session,
            inputs,
            run,
            ..
        } = *self.subject;
        let said = |fault: Fault| fault.to_diagnostic().render(self.ctx);
        let times = old.with_resident(session, inputs, run, |old| {
            new.with_resident(session, inputs, run, |new| {
                let mut old = || old.run().map_err(said);
                let mut new = || new.run().map_err(said);
                Ok(interleaved(&mut [&mut old, &mut new], DUEL))
            })
        })?;
        let times = times.map_err(Failure::Device)?;
        match times[..] {
            [old, new] => Ok([old, new]),
            _ => Err(Failure::Device("no run was timed".to_owned())),
        }
    }
}

/// Seconds as nanoseconds; times are positive, and what is too long for any file saturates.
fn nanoseconds(seconds: f64) -> u64 {
    (seconds * 1e9).round() as u64
}

/// Factor on the cost of a schedule: less than one for those that differ from the fastest one in
/// little.
fn nearness(choice: &Choice, best: &Choice) -> f64 {
    let sides = choice.tile.iter().zip(&best.tile);
    let changes = usize::from(choice.order != best.order)
        + sides.filter(|(a, b)| a != b).count()
        + usize::from(choice.walk != best.walk)
        + usize::from(choice.workgroup != best.workgroup)
        + usize::from(choice.is_spread != best.is_spread)
        + usize::from(choice.chunk != best.chunk);
    match changes {
        0 | 1 => 0.7,
        2 => 0.85,
        _ => 1.0,
    }
}

/// The interpreter's outcome, where it ends within its share of the budget.
fn interpreted(
    subject: &Subject<'_, '_>,
    plain: &Program<'_>,
    start: Instant,
) -> Result<Option<Outcome>, Failure> {
    let stop = StopFlag::default();
    let options = RunOptions {
        stop: stop.clone(),
        ..subject.run.clone()
    };
    let limit = (subject.budget / REFERENCE_SHARE).saturating_sub(start.elapsed());
    std::thread::spawn(move || {
        std::thread::sleep(limit);
        stop.request(StopReason::TimeLimit);
    });
    match plain.run_reference(subject.inputs, &options) {
        Ok(outcome) => Ok(Some(outcome)),
        Err(fault) if matches!(fault.kind, FaultKind::Stopped(_)) => Ok(None),
        Err(fault) => Err(fault.into()),
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
