//! The verifier over many programs at once.
//!
//! The files under `verify/` are file tests, checked against `mlir-opt`: both refuse those in
//! `invalid/` in the same words, both accept those in `valid/`, and only we refuse those in
//! `stricter/`, as each file says why.

use std::path::{Path, PathBuf};

use gridloom_ir::text::{ParseOptions, parse_part};
use gridloom_ir::verify::verify;
use gridloom_ir::{Context, Diagnostics, Module, source};

/// The cases of a folder and the folders in it.
fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/it/verify")
        .join(folder);
    let files = crate::mlir_files(&folder);
    assert!(!files.is_empty(), "{folder:?} holds cases");
    files
}

/// Parts of files that may stand in a module: those without aliases that can be parsed.
fn nested(files: Vec<PathBuf>) -> Vec<String> {
    let mut parts = Vec::new();
    for path in files {
        let text = std::fs::read(&path).unwrap();
        for (_, part) in source::split(&text) {
            let part = format!("module {{\n{}\n}}\n", String::from_utf8_lossy(part));
            let outside = |line: &str| line.starts_with(['#', '!', '{']);
            if !part.lines().any(outside) && parse(&gridloom_dialects::context(), &part).is_ok() {
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

/// The verifier's messages about a module, without locations.
fn messages(text: &str) -> Vec<String> {
    let ctx = gridloom_dialects::context();
    let module = parse(&ctx, text).unwrap_or_else(|found| panic!("{}", found.render(&ctx)));
    let found = verify(&ctx, &module);
    found.iter().map(|found| found.message.clone()).collect()
}

/// The verifier caches accepted operations: sound programs before unsound ones, and unsound ones
/// twice, must not hide an error.
#[test]
fn operations_accepted_before_hide_no_error() {
    for dialect in [
        "affine", "func", "gpu", "memref", "scf", "spirv", "tensor", "vector",
    ] {
        let sound = nested(files(&format!("../language/{dialect}"))).concat();
        let mut unsound = nested(files(&format!("invalid/{dialect}")));
        unsound.retain(|case| messages(case).len() == 1);
        // Fewer errors at a time than the verifier's limit.
        for cases in unsound.chunks(20) {
            let together = format!("{sound}{0}{0}", cases.concat());
            let alone = cases.iter().map(|case| messages(case).concat());
            let alone: Vec<String> = alone.collect();
            let mut expected = [&alone[..], &alone[..]].concat();
            let mut found = messages(&together);
            // The verifier delays some errors until the regions have none, so that the order
            // differs.
            expected.sort();
            found.sort();
            assert_eq!(found, expected, "{dialect}");
        }
    }
}

#[test]
fn programs_of_the_repository_pass() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for folder in ["examples", "tests/programs"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "mlir") {
                let ctx = gridloom_dialects::context();
                let text = std::fs::read_to_string(&path).unwrap();
                let module = parse(&ctx, &text);
                let module = module.unwrap_or_else(|e| panic!("{path:?}: {}", e.render(&ctx)));
                let found = verify(&ctx, &module);
                assert!(found.is_empty(), "{}", found.render(&ctx));
            }
        }
    }
}
