//! Pipeline check of one program on the interpreter: as written, after each pass of the registry, and
//! after random pass sequences.

use gridloom::codegen::pass::all_passes;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::campaign::Plan;
use crate::check::{self, Failure, Loaded, SCHEDULE, TUNED, Traced};
use crate::eval::Outcome;
use crate::print::print;
use crate::program::Program;
use crate::random::Random;
use crate::schedules::Steps;

/// Failure kind of a hang.
pub const HANG: &str = "hangs";

/// Stack size of the thread that runs a program, in bytes.
const STACK: usize = 16 << 20;

/// Test case: a program with its outcome.
#[derive(Clone, Debug)]
pub struct Case {
    /// Seed of the program, of random sequences and of thread orders.
    pub seed: u64,
    /// The program.
    pub program: Program,
    /// Outcome by the evaluator.
    pub expected: Outcome,
}

/// Pass sequences with their failures.
pub type Failures = Vec<(Vec<String>, Failure)>;

/// Result of one program's pipeline check.
#[derive(Debug, Default)]
pub struct CheckResult {
    /// Number of tested sequences.
    pub pairs: u64,
    /// Steps of random schedules.
    pub steps: Steps,
    /// Dependence checks.
    pub traced: Traced,
    /// Failures.
    pub failures: Failures,
}

impl CheckResult {
    fn failed(pairs: u64, list: Vec<String>, failure: Failure) -> Self {
        CheckResult {
            pairs,
            failures: vec![(list, failure)],
            ..CheckResult::default()
        }
    }
}

/// Runs a program's pipeline check in a thread of its own, and abandons the thread if it hangs.
pub fn check_with_timeout(case: Case, plan: &Plan) -> CheckResult {
    let patience = plan.patience;
    let lists = lists(case.seed, plan);
    let dependences = plan.dependences;
    let current = Arc::new(Mutex::new(Vec::new()));
    let (sender, receiver) = channel();
    let noted = current.clone();
    let work = move || {
        let mut note = |list: &[&str]| {
            if let Ok(mut current) = noted.lock() {
                *current = owned(list);
            }
        };
        // Nobody listens any more after the time limit.
        let _ = sender.send(check_pipelines(&case, lists, dependences, &mut note));
    };
    let started = thread::Builder::new().stack_size(STACK).spawn(work);
    if let Err(error) = started {
        let failure = Failure::new("harness: no thread", error.to_string());
        return CheckResult::failed(0, Vec::new(), failure);
    }
    match receiver.recv_timeout(patience) {
        Ok(done) => done,
        Err(error) => {
            let list = current.lock().map(|list| list.clone()).unwrap_or_default();
            let kind = match error {
                RecvTimeoutError::Timeout => HANG,
                RecvTimeoutError::Disconnected => "harness: the thread ended",
            };
            CheckResult::failed(0, list, Failure::new(kind, format!("after {patience:?}")))
        }
    }
}

fn owned(list: &[&str]) -> Vec<String> {
    list.iter().map(|&name| name.to_owned()).collect()
}

/// Round trips: passes that undo each other, whose result must mean the same.
const ROUND_TRIPS: [&[&str]; 3] = [
    &["lower-affine", "raise-to-affine"],
    &[
        "lower-affine",
        "canonicalize",
        "raise-to-affine",
        "canonicalize",
    ],
    &["lower-affine", "offload"],
];

/// Sequences whose later passes work on the results of earlier ones.
const TOGETHER: [&[&str]; 5] = [
    &["affine-data-copy-generate", "affine-pipeline-data-transfer"],
    &[
        "affine-loop-tile",
        "affine-data-copy-generate",
        "affine-pipeline-data-transfer",
        "canonicalize",
    ],
    &[
        "affine-data-copy-generate",
        "affine-pipeline-data-transfer",
        "affine-unpipeline-data-transfer",
    ],
    &["affine-super-vectorize", "lower-vectors"],
    &["offload", "gpu-uniform-loads"],
];

/// Sequences with random schedules: of affine loops, of raised `scf` loops, and before other
/// passes.
const SCHEDULED: [&[&str]; 3] = [
    &["raise-to-affine", SCHEDULE],
    &[
        "inline",
        "raise-to-affine",
        "canonicalize",
        SCHEDULE,
        SCHEDULE,
    ],
    &[
        "raise-to-affine",
        SCHEDULE,
        "canonicalize",
        "affine-scalrep",
        "offload",
    ],
];

/// Sequences with random kernel schedules, on programs as written and on results of other passes.
const MAPPED: [&[&str]; 2] = [&[TUNED], &["lower-affine", "raise-to-affine", TUNED]];

/// Sequences to test: none, each pass, round trips, cooperating passes, random schedules, and
/// random sequences.
fn lists(seed: u64, plan: &Plan) -> Vec<Vec<&'static str>> {
    if !plan.passes.is_empty() {
        let chosen = plan.passes.iter();
        return chosen
            .map(|list| list.iter().filter_map(|name| step_named(name)).collect())
            .collect();
    }
    if plan.only_schedules {
        let scheduled = SCHEDULED.iter().map(|list| list.to_vec());
        return std::iter::once(Vec::new()).chain(scheduled).collect();
    }
    let names: Vec<&str> = all_passes().map(|pass| pass.name).collect();
    let mut random = Random::new(seed ^ 0x5eed);
    let mut lists = vec![Vec::new()];
    lists.extend(names.iter().map(|&name| vec![name]));
    lists.extend(ROUND_TRIPS.iter().map(|list| list.to_vec()));
    lists.extend(TOGETHER.iter().map(|list| list.to_vec()));
    lists.extend(SCHEDULED.iter().map(|list| list.to_vec()));
    lists.extend(MAPPED.iter().map(|list| list.to_vec()));
    for _ in 0..plan.sequences {
        let length = 2 + random.below(5);
        lists.push((0..length).map(|_| *random.pick(&names)).collect());
    }
    lists
}

/// The step with a name: a pass, or [`TUNED`].
pub fn step_named(name: &str) -> Option<&'static str> {
    let names = all_passes().map(|pass| pass.name);
    names.chain([TUNED]).find(|&known| known == name)
}

fn check_pipelines(
    case: &Case,
    lists: Vec<Vec<&str>>,
    dependences: bool,
    note: &mut dyn FnMut(&[&str]),
) -> CheckResult {
    let text = print(&case.program);
    let ctx = gridloom::context();
    let loaded = check::caught(|| {
        let mut loaded = check::load(&ctx, &text)?;
        if dependences {
            loaded.hold_dependences(&case.program, &case.expected)?;
        }
        Ok(loaded)
    });
    let loaded = match loaded {
        Ok(loaded) => loaded,
        Err(failure) => return CheckResult::failed(1, Vec::new(), failure),
    };
    let mut pairs = 0;
    let mut found = Failures::new();
    for list in lists {
        note(&list);
        pairs += 1;
        let Err(failure) = try_list(&loaded, case, &list) else {
            continue;
        };
        let is_as_written = list.is_empty();
        // A sequence that fails like one of its passes alone adds nothing.
        let known = found.iter().any(|(passes, old)| {
            old.kind == failure.kind && passes.iter().all(|pass| list.contains(&pass.as_str()))
        });
        if !known {
            let list = shortest(&loaded, case, list, &failure.kind);
            found.push((owned(&list), failure));
        }
        if is_as_written {
            break;
        }
    }
    CheckResult {
        pairs,
        steps: loaded.steps(),
        traced: loaded.traced(),
        failures: found,
    }
}

fn try_list(loaded: &Loaded<'_>, case: &Case, list: &[&str]) -> Result<(), Failure> {
    check::caught(|| check::passes(loaded, &case.program, &case.expected, list, case.seed))
}

/// Shortens a failing sequence while it fails in the same way.
fn shortest<'n>(
    loaded: &Loaded<'_>,
    case: &Case,
    mut list: Vec<&'n str>,
    kind: &str,
) -> Vec<&'n str> {
    let mut at = 0;
    while at < list.len() && list.len() > 1 {
        let mut shorter = list.clone();
        shorter.remove(at);
        if try_list(loaded, case, &shorter).is_err_and(|failure| failure.kind == kind) {
            list = shorter;
        } else {
            at += 1;
        }
    }
    list
}
