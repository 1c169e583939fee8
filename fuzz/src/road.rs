//! The road of one program on the interpreter: as written, after each pass of
//! the registry, and after random sequences of passes.

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

/// The kind of a failure that does not come to an end.
pub const HANG: &str = "hangs";

/// Stack of the thread that runs a program.
const STACK: usize = 16 << 20;

/// A program and what it computes.
#[derive(Clone, Debug)]
pub struct Case {
    /// What it was drawn from; random sequences and orders come from it as well.
    pub seed: u64,
    /// The program.
    pub program: Program,
    /// What the evaluator says.
    pub expected: Outcome,
}

/// Sequences of passes with what went wrong after them.
pub type Failures = Vec<(Vec<String>, Failure)>;

/// What became of a program.
#[derive(Debug, Default)]
pub struct Driven {
    /// The sequences tried.
    pub pairs: u64,
    /// The steps of random schedules.
    pub steps: Steps,
    /// The checks of dependences.
    pub traced: Traced,
    /// What went wrong.
    pub failures: Failures,
}

impl Driven {
    fn failed(pairs: u64, list: Vec<String>, failure: Failure) -> Self {
        Driven {
            pairs,
            failures: vec![(list, failure)],
            ..Driven::default()
        }
    }
}

/// Drives a program along the road in a thread of its own, and leaves that
/// behind where it does not come back.
pub fn watched(case: Case, plan: &Plan) -> Driven {
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
        // Nobody listens any more where the patience is at its end.
        let _ = sender.send(drive(&case, lists, dependences, &mut note));
    };
    let started = thread::Builder::new().stack_size(STACK).spawn(work);
    if let Err(error) = started {
        let failure = Failure::new("harness: no thread", error.to_string());
        return Driven::failed(0, Vec::new(), failure);
    }
    match receiver.recv_timeout(patience) {
        Ok(done) => done,
        Err(error) => {
            let list = current.lock().map(|list| list.clone()).unwrap_or_default();
            let kind = match error {
                RecvTimeoutError::Timeout => HANG,
                RecvTimeoutError::Disconnected => "harness: the thread ended",
            };
            Driven::failed(0, list, Failure::new(kind, format!("after {patience:?}")))
        }
    }
}

fn owned(list: &[&str]) -> Vec<String> {
    list.iter().map(|&name| name.to_owned()).collect()
}

/// What undoes each other: what comes back must mean what went in.
const THERE_AND_BACK: [&[&str]; 3] = [
    &["lower-affine", "raise-to-affine"],
    &[
        "lower-affine",
        "canonicalize",
        "raise-to-affine",
        "canonicalize",
    ],
    &["lower-affine", "offload"],
];

/// Sequences whose later passes find what the earlier ones leave.
const TOGETHER: [&[&str]; 3] = [
    &["affine-data-copy-generate", "affine-pipeline-data-transfer"],
    &[
        "affine-loop-tile",
        "affine-data-copy-generate",
        "affine-pipeline-data-transfer",
        "canonicalize",
    ],
    &["affine-super-vectorize", "lower-vectors"],
];

/// Random schedules of loops as written, of those of `scf` too, and of loops before other passes.
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

/// Random schedules of kernels, of programs as written and of what other passes leave.
const MAPPED: [&[&str]; 2] = [&[TUNED], &["lower-affine", "raise-to-affine", TUNED]];

/// The sequences that a program is put through: none, each pass, there and back, those that
/// work together, random schedules, and some random ones.
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
    lists.extend(THERE_AND_BACK.iter().map(|list| list.to_vec()));
    lists.extend(TOGETHER.iter().map(|list| list.to_vec()));
    lists.extend(SCHEDULED.iter().map(|list| list.to_vec()));
    lists.extend(MAPPED.iter().map(|list| list.to_vec()));
    for _ in 0..plan.sequences {
        let length = 2 + random.below(5);
        lists.push((0..length).map(|_| *random.pick(&names)).collect());
    }
    lists
}

/// The name of a step of a sequence: of a pass, or [`TUNED`].
pub fn step_named(name: &str) -> Option<&'static str> {
    let names = all_passes().map(|pass| pass.name);
    names.chain([TUNED]).find(|&known| known == name)
}

fn drive(
    case: &Case,
    lists: Vec<Vec<&str>>,
    dependences: bool,
    note: &mut dyn FnMut(&[&str]),
) -> Driven {
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
        Err(failure) => return Driven::failed(1, Vec::new(), failure),
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
        // A sequence that fails like a pass of its own says nothing new.
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
    Driven {
        pairs,
        steps: loaded.steps(),
        traced: loaded.traced(),
        failures: found,
    }
}

fn try_list(loaded: &Loaded<'_>, case: &Case, list: &[&str]) -> Result<(), Failure> {
    check::caught(|| check::passes(loaded, &case.program, &case.expected, list, case.seed))
}

/// Leaves passes out of a sequence while it fails in the same way.
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
