//! Damaged text and bytecode: nothing panics, hangs, overflows the stack or
//! takes more memory than its size allows, and what is accepted prints as what
//! is accepted again.
//!
//! The suite tries a few mutants, the same ones every time. `fuzz/README.md`
//! says how to try many more.

mod memory;
mod nesting;
mod size;

use std::collections::BTreeMap;
use std::os::unix::fs::FileExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use std::{env, fs, process, thread};

use crate::generate::random_module;
use gridloom_ir::bytecode::{is_bytecode, read_module, write_module};
use gridloom_ir::text::{ParseOptions, PrintOptions, parse_module, print_module};
use gridloom_ir::verify::verify;
use gridloom_ir::{Context, Module};
use gridloom_test_tools::mutate::Mutator;

use memory::peak_of;

/// Number of mutants, unless the environment sets it.
const DEFAULT_COUNT: u64 = 2000;

/// Random modules among the programs that are damaged.
const GENERATED: u64 = 12;

/// Time limit of a mutant: a watchdog for hangs, no measure of speed.
const LIMIT: Duration = Duration::from_secs(20);

/// Stack size of a thread by default.
const STACK: usize = 2 << 20;

const PARSE: ParseOptions = ParseOptions {
    allow_unregistered: true,
};

/// Memory limit of an input of this many bytes.
fn allowed(size: usize) -> usize {
    16 * size + (64 << 20)
}

fn read(ctx: &Context, bytes: &[u8]) -> Option<Module> {
    if is_bytecode(bytes) {
        read_module(ctx, "damaged", bytes, &PARSE).ok()
    } else {
        match parse_module(ctx, "damaged", bytes, &PARSE) {
            Ok(module) => Some(module),
            Err(diagnostics) => {
                diagnostics.render(ctx);
                None
            }
        }
    }
}

/// Runs an input through reader, verifier and printer. Returns whether it was accepted.
fn round_trip(bytes: &[u8]) -> bool {
    let ctx = gridloom_dialects::context();
    let Some(module) = read(&ctx, bytes) else {
        return false;
    };
    let diagnostics = verify(&ctx, &module);
    let generic = PrintOptions {
        generic: true,
        debuginfo: true,
        ..PrintOptions::default()
    };
    let text = print_module(&ctx, &module, &generic);
    if diagnostics.has_errors() {
        diagnostics.render(&ctx);
        return false;
    }
    for text in [text, print_module(&ctx, &module, &PrintOptions::default())] {
        let again = parse_module(&ctx, "printed", text.as_bytes(), &PARSE);
        let again = again.unwrap_or_else(|found| panic!("{}\n{text}", found.render(&ctx)));
        let found = verify(&ctx, &again);
        assert!(!found.has_errors(), "{}\n{text}", found.render(&ctx));
    }
    true
}

/// Seeds of the mutants: the parts of the files that spell the language's forms, old ones too, and
/// random modules; then the same as bytecode.
fn corpus() -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["tests/it/language", "tests/it/legacy", "../examples"];
    let files = folders
        .iter()
        .flat_map(|folder| crate::mlir_files(&root.join(folder)));
    let parts = |path: PathBuf| -> Vec<Vec<u8>> {
        let text = fs::read_to_string(path).expect("the program can be read");
        let parts = text.split("// -----\n");
        parts.map(|part| part.as_bytes().to_vec()).collect()
    };
    let mut texts: Vec<Vec<u8>> = files.flat_map(parts).collect();
    for seed in 0..GENERATED {
        let ctx = gridloom_dialects::context();
        let module = random_module(&ctx, seed, 8);
        texts.push(print_module(&ctx, &module, &PrintOptions::default()).into_bytes());
    }
    let bytecode = texts.iter().filter_map(|text| {
        let ctx = gridloom_dialects::context();
        let module = parse_module(&ctx, "whole", &text[..], &PARSE).ok()?;
        (!verify(&ctx, &module).has_errors()).then(|| write_module(&ctx, &module))
    });
    let bytecode: Vec<Vec<u8>> = bytecode.collect();
    assert!(
        bytecode.len() > 50,
        "the programs are part of the repository"
    );
    (texts, bytecode)
}

fn number(variable: &str) -> Option<u64> {
    env::var(variable).ok()?.parse().ok()
}

/// Ends the process where one mutant takes too long: nothing else can.
fn watch(tried: &AtomicU64, done: &AtomicBool, current: &Path) {
    const STEP: Duration = Duration::from_millis(100);
    let (mut last, mut since) = (u64::MAX, Duration::ZERO);
    while !done.load(Ordering::Relaxed) {
        thread::sleep(STEP);
        let now = tried.load(Ordering::Relaxed);
        since = if now == last { since + STEP } else { STEP };
        last = now;
        if since > LIMIT {
            eprintln!("mutant {now}, {}, hangs", current.display());
            process::abort();
        }
    }
}

#[test]
fn mutants_are_survived() {
    let tried = AtomicU64::new(0);
    let done = AtomicBool::new(false);
    let seed = number("GRIDLOOM_MUTANT_SEED").unwrap_or(1);
    let current = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("damaged-{seed}"));
    thread::scope(|scope| {
        scope.spawn(|| watch(&tried, &done, &current));
        let work = || {
            let result = catch_unwind(AssertUnwindSafe(|| run(seed, &tried, &current)));
            done.store(true, Ordering::Relaxed);
            result
        };
        let runner = thread::Builder::new().stack_size(STACK);
        let runner = runner.spawn_scoped(scope, work).expect("a thread starts");
        let findings = runner.join().expect("panics are caught").expect("it ends");
        assert!(findings.is_empty(), "{findings:#?}");
    });
}

/// Tries the mutants. Returns the failures, each with the file of the first mutant that has it.
fn run(seed: u64, tried: &AtomicU64, current: &Path) -> BTreeMap<String, PathBuf> {
    let count = number("GRIDLOOM_MUTANTS").unwrap_or(DEFAULT_COUNT);
    let (texts, bytecode) = corpus();
    let mut texts = Mutator::new(&texts, seed);
    let mut bytecode = Mutator::new(&bytecode, seed);
    let mut findings = BTreeMap::new();
    let (mut accepted, mut most) = (0, 0);
    let scratch = fs::File::create(current).expect("the scratch folder can be written");
    for index in 0..count {
        let mutant = match index % 2 {
            0 => texts.mutant(),
            _ => bytecode.binary_mutant(),
        };
        // Kept on disk, since a stack overflow ends the process before it can name the mutant.
        let kept = scratch.set_len(mutant.len() as u64);
        kept.and_then(|()| scratch.write_all_at(&mutant, 0))
            .expect("the scratch folder can be written");
        tried.store(index, Ordering::Relaxed);
        let (result, peak) = peak_of(|| catch_unwind(AssertUnwindSafe(|| round_trip(&mutant))));
        most = most.max(peak);
        accepted += u64::from(matches!(result, Ok(true)));
        let wrong = match result {
            Err(why) => why
                .downcast_ref::<String>()
                .cloned()
                .or_else(|| why.downcast_ref::<&str>().map(|why| (*why).to_owned()))
                .map(|why| why.lines().next().unwrap_or_default().to_owned()),
            Ok(_) if peak > allowed(mutant.len()) => Some("too much memory".to_owned()),
            Ok(_) => None,
        };
        if let Some(wrong) = wrong {
            findings.entry(wrong).or_insert_with(|| {
                let kept = current.with_extension(index.to_string());
                fs::write(&kept, &mutant).expect("the scratch folder can be written");
                kept
            });
        }
    }
    eprintln!("{count} mutants: {accepted} accepted, {most} bytes at most");
    // If no mutant passed the reader, the mutations would test the first error only.
    assert!(accepted > count / 50);
    findings
}
