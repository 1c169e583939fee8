//! The examples and test programs are MLIR, at every size they are run at.

use crate::reference;
use gridloom_test_tools::mlir_opt;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A size is a number put in place of another in the text: this must never
/// yield a program that `mlir-opt` reads in another way, or not at all.
#[test]
fn mlir_opt_accepts_every_program_at_every_size() {
    let cases = reference::examples()
        .into_iter()
        .chain(reference::programs());
    let sources: BTreeSet<String> = cases.map(|case| case.source).collect();
    let all = Vec::from_iter(sources).join("\n// -----\n");
    let accepted = mlir_opt().run(&["--split-input-file"], all.as_bytes());
    accepted.unwrap_or_else(|refusal| panic!("{refusal}"));
}

/// A program without a reference would only be compared with ourselves.
#[test]
fn every_program_has_a_reference() {
    let cases = reference::examples()
        .into_iter()
        .chain(reference::programs());
    let covered: BTreeSet<String> = cases.map(|case| case.file).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut present = BTreeSet::new();
    for folder in ["examples", "tests/programs", "benches/programs/polybench"] {
        for entry in fs::read_dir(root.join(folder)).expect("the folder is part of the repository")
        {
            let name = entry.expect("its entries can be read").file_name();
            let name = name.to_str().expect("names here are plain").to_owned();
            if name.ends_with(".mlir") {
                present.insert(format!("{folder}/{name}"));
            }
        }
    }
    assert_eq!(covered, present);
}
