//! The verifier, held against `mlir-opt`.
//!
//! The files under `verify/` hold cases divided by `// -----`. In `invalid/`
//! each case says which error it must get with MLIR's own annotation,
//! `// expected-error@+1 {{words}}`, so that `mlir-opt --verify-diagnostics`
//! checks the very same expectations. What is in `valid/` both accept. What is
//! in `stricter/` we refuse and upstream does not: each file says why.

use std::path::{Path, PathBuf};

use gridloom_ir::diag::expect;
use gridloom_ir::text::{ParseOptions, parse_part};
use gridloom_ir::verify::verify;
use gridloom_ir::{Context, Diagnostics, Module, source};
use gridloom_test_tools::mlir_opt;

const ALLOW: &str = "--allow-unregistered-dialect";
const SPLIT: &str = "--split-input-file";

/// The cases of a folder and the folders in it.
fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/it/verify")
        .join(folder);
    let files = crate::mlir_files(&folder);
    assert!(!files.is_empty(), "{folder:?} holds cases");
    files
}

fn check(ctx: &Context, name: &str, lines_before: u32, text: &[u8]) -> Diagnostics {
    let options = ParseOptions {
        allow_unregistered: true,
    };
    match parse_part(ctx, name, text, lines_before, &options) {
        Ok(module) => verify(ctx, &module),
        Err(diagnostics) => diagnostics,
    }
}

fn run_cases(folder: &str) {
    run_cases_of(files(folder));
}

/// Runs every case of files; a case's lines keep their numbers in the file.
pub(crate) fn run_cases_of(files: Vec<PathBuf>) {
    let mut failures = String::new();
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy();
        for (line, case) in source::split(text.as_bytes()) {
            let ctx = Context::new();
            let found = check(&ctx, &name, line, case);
            let result = expect::check_part(&ctx, &name, case, line, &found);
            failures += &result.err().unwrap_or_default();
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn invalid_modules_are_refused_in_upstreams_words() {
    run_cases("invalid");
}

/// The parts of files that stay what they are inside a module: those without
/// aliases that can be parsed.
fn nested(files: Vec<PathBuf>) -> Vec<String> {
    let mut parts = Vec::new();
    for path in files {
        let text = std::fs::read(&path).unwrap();
        for (_, part) in source::split(&text) {
            let part = format!("module {{\n{}\n}}\n", String::from_utf8_lossy(part));
            let outside = |line: &str| line.starts_with(['#', '!', '{']);
            if !part.lines().any(outside) && parse(&Context::new(), &part).is_ok() {
                parts.push(part);
            }
        }
    }
    parts
}

fn parse(ctx: &Context, text: &str) -> Result<Module, Diagnostics> {
    let options = ParseOptions {
        allow_unregistered: true,
    };
    parse_part(ctx, "text", text.as_bytes(), 0, &options)
}

/// What the verifier says of a module, without places.
fn messages(text: &str) -> Vec<String> {
    let ctx = Context::new();
    let module = parse(&ctx, text).unwrap_or_else(|found| panic!("{}", found.render(&ctx)));
    let found = verify(&ctx, &module);
    found.iter().map(|found| found.message.clone()).collect()
}

/// The verifier remembers what it has accepted: sound programs before unsound
/// ones, and unsound ones twice, must not hide an error.
#[test]
fn operations_accepted_before_hide_no_error() {
    for dialect in [
        "affine", "func", "gpu", "memref", "scf", "spirv", "tensor", "vector",
    ] {
        let sound = nested(files(&format!("../language/{dialect}"))).concat();
        let mut unsound = nested(files(&format!("invalid/{dialect}")));
        unsound.retain(|case| messages(case).len() == 1);
        // Fewer at a time than the verifier says at most.
        for cases in unsound.chunks(20) {
            let together = format!("{sound}{0}{0}", cases.concat());
            let alone = cases.iter().map(|case| messages(case).concat());
            let alone: Vec<String> = alone.collect();
            let mut expected = [&alone[..], &alone[..]].concat();
            let mut found = messages(&together);
            // Some errors are held until nothing else is wrong inside.
            expected.sort();
            found.sort();
            assert_eq!(found, expected, "{dialect}");
        }
    }
}

#[test]
fn valid_modules_pass() {
    run_cases("valid");
}

/// `mlir-opt` accepts these too: it reads them in another test.
#[test]
fn every_form_of_the_language_passes() {
    run_cases("../language");
}

#[test]
fn modules_that_upstream_lets_pass_are_refused_where_they_cannot_run() {
    run_cases("stricter");
}

#[test]
fn mlir_opt_has_the_same_expectations() {
    for path in files("invalid") {
        let text = std::fs::read(&path).unwrap();
        let result = mlir_opt().run(&[ALLOW, SPLIT, "--verify-diagnostics"], &text);
        result.unwrap_or_else(|error| panic!("{path:?}\n{error}"));
    }
    for path in files("valid").into_iter().chain(files("stricter")) {
        let text = std::fs::read(&path).unwrap();
        let result = mlir_opt().run(&[ALLOW, SPLIT], &text);
        result.unwrap_or_else(|error| panic!("{path:?}\n{error}"));
    }
}

#[test]
fn programs_of_the_repository_pass() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for folder in ["examples", "tests/programs"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "mlir") {
                let ctx = Context::new();
                let text = std::fs::read_to_string(&path).unwrap();
                let found = check(&ctx, &path.display().to_string(), 0, text.as_bytes());
                assert!(found.is_empty(), "{}", found.render(&ctx));
            }
        }
    }
}
