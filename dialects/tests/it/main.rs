//! Tests of the text form and the verifier against files of the repository and `mlir-opt`.

mod bytecode;
mod damage;
mod diagnostics;
mod errors;
mod extra_attributes;
mod generate;
mod generated;
mod language_page;
mod legacy;
mod line_cache;
mod mlir_opt;
mod roundtrip;
mod scalar;
mod threads;
mod upstream;
mod verify;

use std::path::{Path, PathBuf};

/// The `.mlir` files of a folder and of the folders in it, in order.
fn mlir_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{folder:?}: {e}"));
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.expect("the entries of the folder can be read").path();
        if path.is_dir() {
            files.extend(mlir_files(&path));
        } else if path.extension().is_some_and(|e| e == "mlir") {
            files.push(path);
        }
    }
    files.sort();
    files
}
