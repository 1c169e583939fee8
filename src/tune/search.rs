//! Search for the fastest schedule of each nest: probes, duels, and the reference to compare with.

use std::fmt::Display;
use std::time::{Duration, Instant};

use gridloom_codegen::offload::space::{Candidate, Space};
use gridloom_codegen::target::tuning::{Choice, Entries, Entry};
use gridloom_interp::{Fault, FaultKind};
use gridloom_ir::Context;
use gridloom_spirv::FpMode;

use super::{Failure, Report, Subject};
use crate::bench::sample::{Times, interleaved, runs_of_sample, sampled};
use crate::compare::{Tolerance, first_difference};
use crate::{Outcome, Program, Resident, RunOptions, StopFlag, StopReason};

/// Share of the time budget for the interpreter's reference run, as a divisor.
const REFERENCE_SHARE: u32 = 4;

/// Probe threshold: a schedule enters a duel with the fastest one if its probe takes less than this
/// share of the time.
const PROMISING: f64 = 0.98;

/// Duel threshold: it wins if interleaved runs take less than this share of the time.
const WORTH: f64 = 0.98;

/// Time budget of a probe, the runs of one schedule alone.
const PROBE: Duration = Duration::from_millis(200);

/// Time budget of a duel, the interleaved runs of two schedules.
const DUEL: Duration = Duration::from_millis(800);

/// Limit of the runs of a probe.
const RUNS: usize = 8;

/// Patience: schedules that may fail to win in a row before the search of a nest ends.
const PATIENCE: usize = 120;

/// State of the search.
pub(super) struct Search<'s, 'a, 'c> {
    ctx: &'s Context,
    subject: &'s Subject<'a, 'c>,
    reference: Outcome,
    tolerance: Tolerance,
    pub(super) is_interpreted: bool,
    /// Seconds of a run with the model's schedules, and with the fastest ones so far.
    pub(super) untuned: f64,
    pub(super) best: f64,
    pub(super) tried: usize,
    pub(super) wrong: Vec<String>,
}

impl<'s, 'a, 'c> Search<'s, 'a, 'c> {
    /// Computes the reference and times the untuned program.
    pub(super) fn new(
        ctx: &'s Context,
        subject: &'s Subject<'a, 'c>,
        plain: &Program<'c>,
        start: Instant,
    ) -> Result<Self, Failure> {
        let tolerance = match subject.session.options().fp {
            FpMode::Strict => Tolerance::Exact,
            FpMode::Relaxed => Tolerance::relaxed(subject.inputs, plain.computes_in_single()),
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
        let times = search.time(plain, &"the model's schedules")?;
        search.untuned = times.map_or(f64::INFINITY, |times| times.best);
        Ok(search)
    }

    /// Tries schedules of a nest until the deadline. Returns the fastest, which is then in the
    /// entries.
    pub(super) fn nest(
        &mut self,
        space: &Space,
        entries: &mut Entries,
        until: Instant,
        report_progress: &mut dyn FnMut(usize, f64),
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
            report_progress(self.tried, self.best);
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

    /// Challenges the current entries with others. Returns the run time where the others win.
    fn challenge(
        &mut self,
        entries: &Entries,
        with: &Entries,
        choice: &Choice,
    ) -> Result<Option<f64>, Failure> {
        // A schedule that the compiler or the driver refuses is not a candidate.
        let Ok(program) = self.subject.with(with) else {
            return Ok(None);
        };
        let times = match self.time(&program, choice) {
            Ok(times) => times,
            Err(Failure::Fault(fault)) if !matches!(fault.kind, FaultKind::Device(_)) => {
                let rendered = fault.to_diagnostic().render(self.ctx);
                self.wrong
                    .push(format!("{choice}: {}", rendered.trim_end()));
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

    /// Times a program with given schedules, on arguments that stay on the device; `None` where its
    /// first results differ from the reference, or it is far too slow.
    pub(super) fn time(
        &mut self,
        program: &Program<'c>,
        schedules: &dyn Display,
    ) -> Result<Option<Times>, Failure> {
        let subject = self.subject;
        let found = program.with_resident(subject.session, subject.inputs, subject.run, |run| {
            let first = run.run()?;
            let outcome = run.outcome(first)?;
            let difference = first_difference(&outcome, &self.reference, self.tolerance);
            if let Some(difference) = difference {
                return Ok(Err(difference));
            }
            drop(outcome);
            // If the device fails, so do the runs.
            let _ = subject.session.warm_up();
            self.probe(run).map(Ok)
        })?;
        match found {
            Ok(times) => Ok(times),
            Err(difference) => {
                self.wrong.push(format!("{schedules}: {difference}"));
                Ok(None)
            }
        }
    }

    /// Probes a program with a few runs; fewer if it is far slower than the fastest.
    fn probe(&self, run: &mut Resident<'_>) -> Result<Option<Times>, Fault> {
        let start = Instant::now();
        let mut seconds: Vec<f64> = Vec::new();
        let count = runs_of_sample(run.run()?);
        while seconds.len() < RUNS && (seconds.len() < 2 || start.elapsed() < PROBE) {
            let time = run.run_in_a_row(count)?.as_secs_f64() / count as f64;
            seconds.push(time);
            if time > 1.5 * self.best {
                break;
            }
        }
        Ok(Times::of(seconds))
    }

    /// Compares the final entries with the untuned program once more, and drops entries that are no
    /// gain in the end.
    pub(super) fn confirm(
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

    /// Times interleaved runs of two programs.
    fn duel(&self, old: &Program<'c>, new: &Program<'c>) -> Result<[Times; 2], Failure> {
        let Subject {
            session,
            inputs,
            run,
            ..
        } = *self.subject;
        let rendered = |fault: Fault| fault.to_diagnostic().render(self.ctx);
        let times = old.with_resident(session, inputs, run, |old| {
            new.with_resident(session, inputs, run, |new| {
                let mut old = sampled(|count| old.run_in_a_row(count).map_err(rendered));
                let mut new = sampled(|count| new.run_in_a_row(count).map_err(rendered));
                let warmed = session.warm_up();
                Ok(warmed.and_then(|()| interleaved(&mut [&mut old, &mut new], DUEL)))
            })
        })?;
        let times = times.map_err(Failure::Device)?;
        match times[..] {
            [old, new] => Ok([old, new]),
            _ => Err(Failure::Device("no run was timed".to_owned())),
        }
    }
}

/// Converts seconds to nanoseconds; times are positive, and a value that is too large saturates.
fn nanoseconds(seconds: f64) -> u64 {
    (seconds * 1e9).round() as u64
}

/// Preference factor on the cost of a schedule: less than one for those close to the fastest one.
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

/// The interpreter's outcome, if it finishes within its share of the budget.
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
