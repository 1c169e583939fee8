//! Every pass has a file test that shows a program before and after it, and those of the pipeline a place in docs/passes.md.

use std::fs;
use std::path::{Path, PathBuf};

use gridloom::codegen::pass::offload::stages;
use gridloom::{OffloadOptions, conversions};
use gridloom_test_tools::filetest::{Header, Mode};

/// Whether a file runs `pass` and compares what comes out with an expectation.
fn shows(file: &Path, pass: &str) -> bool {
    let text = fs::read_to_string(file).expect("the test is text");
    let header = Header::parse(&text).expect("the runner reads it, too");
    let flag = format!("--{pass}");
    let asked = |word: &String| word.split('=').next() == Some(&flag);
    let mut tests = header.tests.iter();
    tests.any(|test| test.mode == Mode::Opt && test.args.iter().any(asked))
}

/// The files of a pass: `PASS.mlir`, `PASS-*.mlir` and those of the folder `PASS`.
fn files_of(pass: &str) -> Vec<PathBuf> {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests/opt");
    let listed = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten();
        let paths = entries.map(|entry| entry.expect("its entries can be read").path());
        let programs = paths.filter(|path| path.extension().is_some_and(|e| e == "mlir"));
        programs.collect()
    };
    let is_named = |path: &PathBuf| {
        let name = path.file_stem().and_then(|name| name.to_str());
        let rest = name.and_then(|name| name.strip_prefix(pass));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    let mut files: Vec<PathBuf> = listed(&all).into_iter().filter(is_named).collect();
    files.extend(listed(&all.join(pass)));
    files
}

#[test]
fn every_pass_has_a_program_before_and_after() {
    let without = conversions::listings()
        .map(|(name, ..)| name)
        .filter(|&pass| {
            let files = files_of(pass);
            !files.iter().any(|file| shows(file, pass))
        });
    assert_eq!(without.collect::<Vec<_>>(), Vec::<&str>::new());
}

#[test]
fn docs_say_what_each_pass_of_the_pipeline_is_for() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/passes.md");
    let page = fs::read_to_string(page).expect("the page is text");
    let pipeline = stages(&OffloadOptions::gpu());
    let missing = pipeline
        .names()
        .filter(|pass| !page.contains(&format!("`{pass}`")));
    assert_eq!(missing.collect::<Vec<_>>(), Vec::<&str>::new());
}
