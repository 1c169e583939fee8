//! Fuzzing campaign: tests many programs and collects their failures.

use std::collections::BTreeMap;
use std::time::Duration;

use gridloom::Session;

use crate::check::{self, Failure, Traced};
use crate::device::{self, Ran};
use crate::eval::{self, OUT_OF_RANGE, Outcome};
use crate::generate::generate;
use crate::pipeline_check::{self, Case};
use crate::print::print;
use crate::program::Program;
use crate::reduce::reduce;
use crate::repair::repaired;
use crate::schedules::Steps;

/// Plan of a campaign.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The first seed; programs have consecutive ones.
    pub seed: u64,
    /// Number of seeds.
    pub programs: u64,
    /// Number of random pass sequences for each program, besides each pass alone.
    pub sequences: usize,
    /// Whether to reduce failing programs.
    pub minimise: bool,
    /// Number of different failures after which to stop.
    pub enough: usize,
    /// Time limit of one program's passes, after which it counts as a hang.
    pub patience: Duration,
    /// Whether failures of one kind in different programs count as different.
    pub every: bool,
    /// Whether to test only sequences with random schedules.
    pub only_schedules: bool,
    /// Pass sequences to test; empty for all.
    pub passes: Vec<Vec<String>>,
    /// Whether to check that passes keep each program's dependences, besides its results.
    pub dependences: bool,
}

/// Finding: a failure, with the program and passes that show it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The seed of the program.
    pub seed: u64,
    /// The passes; empty for the program as written.
    pub passes: Vec<String>,
    /// The failure.
    pub failure: Failure,
    /// The program, reduced.
    pub program: Program,
}

impl Finding {
    /// Signature: one line that identifies the cause, as far as the failure shows it.
    pub fn signature(&self) -> String {
        format!("{} [{}]", self.failure.kind, self.passes.join(","))
    }

    /// Formats program, passes and seed as a file to keep.
    pub fn report(&self) -> String {
        let comment =
            |text: &str| -> String { text.lines().map(|line| format!("// {line}\n")).collect() };
        let first = self.failure.detail.lines().next().unwrap_or_default();
        let inputs: Vec<String> = self
            .program
            .inputs
            .iter()
            .map(|input| format!("{input:?}"))
            .collect();
        format!(
            "{}{}{}{}{}",
            comment(&format!(
                "seed {}, passes: {}",
                self.seed,
                self.passes.join(" ")
            )),
            comment(&self.failure.kind),
            comment(first),
            comment(&inputs.join("\n")),
            print(&self.program)
        )
    }
}

/// Statistics of a campaign.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Number of programs with defined behaviour.
    pub programs: u64,
    /// Number of seeds whose program could not be repaired.
    pub dropped: u64,
    /// Number of program and sequence pairs; each pass alone, and no pass at all, count as
    /// sequences.
    pub pairs: u64,
    /// Steps of random schedules.
    pub steps: Steps,
    /// Dependence checks.
    pub traced: Traced,
    /// Number of programs with an access out of bounds, whose in-bounds marks were checked.
    pub leaving: u64,
    /// Number of programs with kernels that ran on a driver.
    pub launched: u64,
    /// Number of programs without kernels.
    pub host_only: u64,
    /// Number of programs that the driver cannot run.
    pub refused: u64,
    /// The first failure of each signature.
    pub findings: BTreeMap<String, Finding>,
    /// Number of failures with each signature.
    pub counts: BTreeMap<String, u64>,
}

/// Tests the programs on the interpreter, or on the session's device. `watch` receives each program
/// before it runs, and each finding.
pub fn run(plan: &Plan, session: Option<&Session>, watch: &mut dyn FnMut(Event<'_>)) -> Tally {
    let mut tally = Tally::default();
    for seed in plan.seed..plan.seed + plan.programs {
        if plan.dependences && session.is_none() {
            mark(plan, seed, &mut tally, watch);
        }
        let drawn = check::caught(|| Ok(repaired(generate(seed))));
        let (program, expected) = match drawn {
            Ok(Some(pair)) => pair,
            Ok(None) => {
                tally.dropped += 1;
                continue;
            }
            Err(failure) => {
                tally.add(plan, seed, (Vec::new(), failure), &Program::default());
                continue;
            }
        };
        tally.programs += 1;
        watch(Event::Program(seed, &program));
        let found = match session {
            Some(session) => on_device(session, &program, &expected, &mut tally),
            None => {
                let case = Case {
                    seed,
                    program: program.clone(),
                    expected,
                };
                let checked = pipeline_check::check_with_timeout(case, plan);
                tally.pairs += checked.pairs;
                tally.steps.add(checked.steps);
                tally.traced.add(checked.traced);
                checked.failures
            }
        };
        for (passes, failure) in found {
            let is_new = tally.add(plan, seed, (passes, failure), &program);
            let Some(signature) = is_new else {
                continue;
            };
            // Reduction would repeat a hang at every step.
            let minimises =
                plan.minimise && tally.findings[&signature].failure.kind != pipeline_check::HANG;
            if minimises && let Some(finding) = tally.findings.get_mut(&signature) {
                minimise(finding, plan, session);
            }
            watch(Event::Finding(&tally.findings[&signature]));
        }
        if tally.findings.len() >= plan.enough {
            break;
        }
    }
    tally
}

/// Pass sequences after which in-bounds marks are checked.
const MARKS: [&[&str]; 3] = [
    &["affine-mark-inbounds"],
    &["affine-guard-bounds", "affine-mark-inbounds"],
    &[
        "raise-to-affine",
        "affine-guard-narrow-overflow",
        "affine-guard-overflow",
        "affine-guard-bounds",
        "affine-mark-inbounds",
    ],
];

/// Checks the in-bounds marks of a seed's program, if it has an access out of bounds before it is
/// repaired.
fn mark(plan: &Plan, seed: u64, tally: &mut Tally, watch: &mut dyn FnMut(Event<'_>)) {
    let program = generate(seed);
    let leaves = |program: &Program| {
        let outcome = eval::evaluate(program);
        outcome.is_err_and(|undefined| undefined.why == OUT_OF_RANGE)
    };
    if !leaves(&program) {
        return;
    }
    tally.leaving += 1;
    for names in MARKS {
        let marks = |program: &Program| check::caught(|| check::marks(program, names, seed));
        let Err(failure) = marks(&program) else {
            continue;
        };
        let passes = names.iter().map(|&name| name.to_owned()).collect();
        let kind = failure.kind.clone();
        let Some(signature) = tally.add(plan, seed, (passes, failure), &program) else {
            continue;
        };
        if let Some(finding) = tally.findings.get_mut(&signature).filter(|_| plan.minimise) {
            finding.program = reduce(program.clone(), &mut |program| {
                leaves(program) && marks(program).is_err_and(|failure| failure.kind == kind)
            });
        }
        watch(Event::Finding(&tally.findings[&signature]));
    }
}

/// Event of a running campaign.
#[derive(Debug)]
pub enum Event<'a> {
    /// A program is about to be tested.
    Program(u64, &'a Program),
    /// A new failure was found.
    Finding(&'a Finding),
}

impl Tally {
    /// Counts a failure. Returns its signature if it is new.
    fn add(
        &mut self,
        plan: &Plan,
        seed: u64,
        (passes, failure): (Vec<String>, Failure),
        program: &Program,
    ) -> Option<String> {
        let finding = Finding {
            seed,
            passes,
            failure,
            program: program.clone(),
        };
        let mut signature = finding.signature();
        if plan.every {
            signature.push_str(&format!(" {seed}"));
        }
        *self.counts.entry(signature.clone()).or_default() += 1;
        if self.findings.contains_key(&signature) {
            return None;
        }
        self.findings.insert(signature.clone(), finding);
        Some(signature)
    }
}

fn on_device(
    session: &Session,
    program: &Program,
    expected: &Outcome,
    tally: &mut Tally,
) -> Vec<(Vec<String>, Failure)> {
    match check::caught(|| device::run(session, program, expected)) {
        Ok(ran) => {
            *match ran {
                Ran::Launched => &mut tally.launched,
                Ran::HostOnly => &mut tally.host_only,
                Ran::Refused => &mut tally.refused,
            } += 1;
            Vec::new()
        }
        Err(failure) => vec![(Vec::new(), failure)],
    }
}

/// Reduces the program of a finding.
fn minimise(finding: &mut Finding, plan: &Plan, session: Option<&Session>) {
    let (kind, passes, seed) = (
        finding.failure.kind.clone(),
        finding.passes.clone(),
        finding.seed,
    );
    let mut last = None;
    let mut fails = |program: &Program| {
        let Ok(expected) = eval::evaluate(program) else {
            return false;
        };
        let outcome = check::caught(|| match session {
            Some(session) => device::run(session, program, &expected).map(|_| ()),
            None => {
                let ctx = gridloom::context();
                let mut loaded = check::load(&ctx, &print(program))?;
                if plan.dependences {
                    loaded.hold_dependences(program, &expected)?;
                }
                let names: Vec<&str> = passes.iter().map(String::as_str).collect();
                check::passes(&loaded, program, &expected, &names, seed)
            }
        });
        match outcome {
            Err(failure) if failure.kind == kind => {
                last = Some(failure);
                true
            }
            _ => false,
        }
    };
    finding.program = reduce(finding.program.clone(), &mut fails);
    if let Some(failure) = last {
        finding.failure = failure;
    }
}
