//! Legacy programs of our own, and misuses of the older eras.
//!
//! A file of `legacy/today/` holds programs divided by `// -----`: an old one, then after
//! `// today:` its modern form. `mlir-opt` reads both as the same. In `legacy/invalid/` each case
//! states its error.

use std::path::{Path, PathBuf};

use gridloom_ir::diag::expect;
use gridloom_ir::source;
use gridloom_ir::text::{ParseOptions, PrintOptions, parse_module, parse_part, print_module};
use gridloom_ir::verify::verify;

use crate::upstream::mlir_opt;

const PARSE: ParseOptions = ParseOptions {
    allow_unregistered: true,
};

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/it/legacy")
        .join(folder);
    let files = crate::mlir_files(&folder);
    assert!(!files.is_empty(), "{folder:?} holds programs");
    files
}

fn printed(name: &str, text: &str) -> Result<String, String> {
    let ctx = gridloom_dialects::context();
    let module = parse_module(&ctx, name, text.as_bytes(), &PARSE);
    let module = module.map_err(|errors| errors.render(&ctx))?;
    let errors = verify(&ctx, &module);
    if !errors.is_empty() {
        return Err(errors.render(&ctx));
    }
    Ok(print_module(&ctx, &module, &PrintOptions::default()))
}

#[test]
fn old_programs_are_those_of_today() {
    let (mut names, mut ours, mut today) = (Vec::new(), Vec::new(), Vec::new());
    for path in files("today") {
        let name = path.file_name().unwrap().to_string_lossy();
        let text = std::fs::read_to_string(&path).unwrap();
        for (number, part) in (1..).zip(text.split("// -----\n")) {
            let name = format!("{name}, part {number}");
            let (old, new) = part
                .split_once("// today:\n")
                .unwrap_or_else(|| panic!("{name} has no `// today:`"));
            match printed(&name, old) {
                Ok(text) => ours.push(text),
                Err(why) => panic!("{why}"),
            }
            today.push(new.to_owned());
            names.push(name);
        }
    }
    let pairs = mlir_opt(&ours).into_iter().zip(mlir_opt(&today));
    for ((name, text), (ours, today)) in names.iter().zip(&ours).zip(pairs) {
        let ours = ours.unwrap_or_else(|why| panic!("{name} became\n{text}\n{why}"));
        let today = today.unwrap_or_else(|why| panic!("{name}: {why}"));
        let pair = ours.lines().zip(today.lines()).find(|(a, b)| a != b);
        assert!(ours == today, "{name} is another: {pair:#?}\n{text}");
    }
}

#[test]
fn misuse_of_old_constructs_is_refused_at_its_place() {
    let mut failures = String::new();
    for path in files("invalid") {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy();
        // The lines of a case keep their numbers in the file.
        for (line, case) in source::split(text.as_bytes()) {
            let ctx = gridloom_dialects::context();
            let found = match parse_part(&ctx, &name, case, line, &PARSE) {
                Ok(module) => verify(&ctx, &module),
                Err(diagnostics) => diagnostics,
            };
            let result = expect::check_part(&ctx, &name, case, line, &found);
            failures += &result.err().unwrap_or_default();
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn comments_that_nothing_closes_take_no_quadratic_time() {
    let text = format!("func @f()\n{}", "/* ".repeat(1 << 20));
    let why = printed("open", &text).expect_err("the comment is open");
    assert!(why.starts_with("open:2:1: error: the comment is not closed"));
}
