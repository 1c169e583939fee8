//! The road of one program on the interpreter: as written, after each pass of
//! the registry, and after random sequences of passes.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use gridloom::Context;
use gridloom::codegen::pass::all_passes;

use crate::check::{self, Failure, Loaded};
use crate::eval::Outcome;
use crate::print::print;
use crate::program::Program;
use crate::random::Random;

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

/// Drives a program along the road in a thread of its own, and leaves that
/// behind where it does not come back. Returns the sequences tried.
pub fn watched(case: Case, sequences: usize, patience: Duration) -> (u64, Failures) {
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
        let _ = sender.send(drive(&case, sequences, &mut note));
    };
    let started = thread::Builder::new().stack_size(STACK).spawn(work);
    if let Err(error) = started {
        return (
            0,
            vec![(
                Vec::new(),
                Failure::new("harness: no thread", error.to_string()),
            )],
        );
    }
    match receiver.recv_timeout(patience) {
        Ok(done) => done,
        Err(error) => {
            let list = current.lock().map(|list| list.clone()).unwrap_or_default();
            let kind = match error {
                RecvTimeoutError::Timeout => HANG,
                RecvTimeoutError::Disconnected => "harness: the thread ended",
            };
            (
                0,
                vec![(list, Failure::new(kind, format!("after {patience:?}")))],
            )
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
    &["affine-super-vectorize", "lower-vector-transfers"],
];

/// The sequences that a program is put through: none, each pass, there and back, those that
/// belong together, and some random ones.
fn lists(seed: u64, sequences: usize) -> Vec<Vec<&'static str>> {
    let names: Vec<&str> = all_passes().map(|pass| pass.name).collect();
    let mut random = Random::new(seed ^ 0x5eed);
    let mut lists = vec![Vec::new()];
    lists.extend(names.iter().map(|&name| vec![name]));
    lists.extend(THERE_AND_BACK.iter().map(|list| list.to_vec()));
    lists.extend(TOGETHER.iter().map(|list| list.to_vec()));
    for _ in 0..sequences {
        let length = 2 + random.below(5);
        lists.push((0..length).map(|_| *random.pick(&names)).collect());
    }
    lists
}

fn drive(case: &Case, sequences: usize, note: &mut dyn FnMut(&[&str])) -> (u64, Failures) {
    let text = print(&case.program);
    let ctx = Context::new();
    let loaded = match check::caught(|| check::load(&ctx, &text)) {
        Ok(loaded) => loaded,
        Err(failure) => return (1, vec![(Vec::new(), failure)]),
    };
    let mut pairs = 0;
    let mut found = Failures::new();
    for list in lists(case.seed, sequences) {
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
    (pairs, found)
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
