//! Programs damaged at random: whatever the input, nothing panics, nothing
//! hangs, what is accepted prints as what is accepted again, and what the
//! compiler makes of it is valid and computes the same.
//!
//! The suite tries a few mutants, the same ones every time. `fuzz/README.md`
//! says how to try many more.

mod survive;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs};

use gridloom_test_tools::mutate::{self, Mutator};
use survive::{Reached, survive};

/// Mutants of a run where the environment does not say otherwise.
const DEFAULT_COUNT: u64 = 1500;

/// What a longer run reports as slow, so that a person may look at it.
const SLOW: Duration = Duration::from_secs(3);

#[test]
fn mutants_are_survived() {
    let count = number("GRIDLOOM_MUTANTS").unwrap_or(DEFAULT_COUNT);
    let seed = number("GRIDLOOM_MUTANT_SEED").unwrap_or(1);
    let corpus = corpus();
    assert!(corpus.len() > 50, "the programs are part of the repository");
    let current = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("mutant-{seed}.mlir"));
    let mut mutator = Mutator::new(&corpus, seed);
    let mut findings: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut reached = BTreeMap::new();
    for _ in 0..count {
        let mutant = mutator.mutant();
        // A stack overflow or a hang leaves nobody to tell which one it was.
        fs::write(&current, &mutant).expect("the scratch folder can be written");
        let start = Instant::now();
        match survive(&mutant) {
            Ok(stage) => *reached.entry(stage).or_insert(0u64) += 1,
            Err(place) => {
                let smallest = findings
                    .entry(place.clone())
                    .or_insert_with(|| minimise(&mutant, &place));
                eprintln!("{place}\n{}\n", String::from_utf8_lossy(smallest));
            }
        }
        if start.elapsed() > SLOW {
            let kept = current.with_extension(format!("slow-{}.mlir", start.elapsed().as_secs()));
            fs::write(kept, &mutant).expect("the scratch folder can be written");
        }
    }
    eprintln!("{count} mutants: {reached:?}, {} findings", findings.len());
    // Mutations that nothing gets past would test the first error only.
    assert!(
        reached
            .get(&Reached::Compiled)
            .is_some_and(|&n| n > count / 50)
    );
    assert!(
        findings.is_empty(),
        "what went wrong:\n{}",
        findings.keys().cloned().collect::<Vec<_>>().join("\n")
    );
}

fn number(variable: &str) -> Option<u64> {
    env::var(variable).ok()?.parse().ok()
}

/// The programs of the repository, and for longer runs than the suite's those in the folder `GRIDLOOM_SEEDS`: the suite
/// tries the same mutants on every machine.
fn corpus() -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders: Vec<PathBuf> = ["examples", "tests"].map(|name| root.join(name)).into();
    let is_longer = env::var_os("GRIDLOOM_MUTANTS").is_some();
    let seeds = env::var_os("GRIDLOOM_SEEDS").filter(|_| is_longer);
    folders.extend(seeds.map(PathBuf::from));
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            let path = entry.expect("its entries can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "mlir")
            {
                files.push(path);
            }
        }
    }
    files.sort();
    let read =
        |file: &PathBuf| fs::read(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let written: Vec<Vec<u8>> = files.iter().map(read).collect();
    let made = written.iter().flat_map(|program| survive::stages(program));
    [made.collect(), written.clone()].concat()
}

/// Leaves out of `mutant` what it can while the same thing goes wrong.
fn minimise(mutant: &[u8], place: &str) -> Vec<u8> {
    let mut rest = mutate::tokens(mutant);
    let mut size = rest.len();
    while size > 0 {
        let mut from = 0;
        while from < rest.len() {
            let to = (from + size).min(rest.len());
            let shorter = [&rest[..from], &rest[to..]].concat();
            if survive(&shorter.concat()).is_err_and(|found| found == place) {
                rest = shorter;
            } else {
                from = to;
            }
        }
        size /= 2;
    }
    rest.concat()
}
