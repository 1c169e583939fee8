//! `mlir-opt` reads our printed text as the program that we have read. The forms of the language
//! are file tests (`language/`).

use gridloom_ir::text::{ParseOptions, PrintOptions, parse_module, print_module};
use std::path::{Path, PathBuf};

use crate::upstream::{SEPARATOR, mlir_opt};

fn ours(name: &str, text: &str, options: &PrintOptions) -> Result<String, String> {
    let ctx = gridloom_dialects::context();
    let parse = ParseOptions {
        allow_unregistered: true,
    };
    parse_module(&ctx, name, text.as_bytes(), &parse)
        .map(|module| print_module(&ctx, &module, options))
        .map_err(|diagnostics| diagnostics.render(&ctx))
}

/// Texts by name.
type Programs = Vec<(String, String)>;

/// Prints each program, and checks that `mlir-opt` reads the text as the same program.
fn check(programs: &Programs, options: &PrintOptions) -> Vec<String> {
    let texts: Vec<String> = programs.iter().map(|(_, text)| text.clone()).collect();
    let reference = mlir_opt(&texts);
    let mut failures = Vec::new();
    let mut printed = Vec::new();
    for (name, text) in programs {
        printed.push(ours(name, text, options).unwrap_or_else(|why| {
            failures.push(why);
            String::new()
        }));
    }
    let again = mlir_opt(&printed);
    for (index, (name, _)) in programs.iter().enumerate() {
        let text = &printed[index];
        match (&reference[index], &again[index]) {
            _ if text.is_empty() => {}
            (Err(why), _) => failures.push(format!("mlir-opt refuses {name}:\n{why}")),
            (_, Err(why)) => {
                failures.push(format!(
                    "mlir-opt refuses what {name} became:\n{why}\n{text}"
                ));
            }
            (Ok(reference), Ok(again)) if reference != again => {
                let pair = reference.lines().zip(again.lines()).find(|(a, b)| a != b);
                failures.push(format!("{name} has changed: {pair:#?}\n{text}"));
            }
            _ => {
                let twice = ours(name, text, options).unwrap_or_else(|why| why);
                if twice != *text {
                    let pair = text.lines().zip(twice.lines()).find(|(a, b)| a != b);
                    failures.push(format!("printing {name} is no fixpoint: {pair:#?}"));
                }
            }
        }
    }
    failures
}

fn check_all(programs: &Programs) {
    for generic in [false, true] {
        let options = PrintOptions {
            generic,
            ..PrintOptions::default()
        };
        let failures = check(programs, &options);
        let shown = failures.len().min(5);
        assert!(
            failures.is_empty(),
            "{} of {}:\n{}",
            failures.len(),
            programs.len(),
            failures[..shown].join("\n")
        );
    }
}

fn files(folder: &Path) -> Programs {
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("the program is text");
        (path.display().to_string(), text)
    };
    crate::mlir_files(folder).into_iter().map(read).collect()
}

#[test]
fn programs_of_the_repository() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut programs = files(&root.join("examples"));
    programs.extend(files(&root.join("tests/programs")));
    assert!(programs.len() >= 56);
    check_all(&programs);
}

/// The parts of a file of programs, each on its own.
fn parts(name: &str, text: &str) -> Programs {
    let parts = text.split(SEPARATOR).enumerate();
    parts
        .map(|(index, part)| (format!("{name}, part {}", index + 1), part.to_owned()))
        .collect()
}

/// A zero byte in a string or comment stays; elsewhere it is a blank.
#[test]
fn a_zero_byte_is_a_blank() {
    let text = "\0func.func\0@f()\0attributes {a = \"b\0c\"} { // d\0e\n\0return\0\0}\0\n";
    check_all(&vec![("zero bytes".to_owned(), text.to_owned())]);
}

#[test]
fn aliases_in_debug_information_are_spelled_out() {
    check_all(&parts(
        "debug_info.mlir",
        include_str!("foreign/debug_info.mlir"),
    ));
}

#[test]
fn locations_survive() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for path in [
        "tests/it/language/locations.mlir",
        "../examples/matmul.mlir",
    ] {
        let text = std::fs::read_to_string(root.join(path)).expect("the program is text");
        let with_locations = |text: &str| {
            let flags = [
                "--allow-unregistered-dialect",
                "--mlir-print-debuginfo",
                "--mlir-print-local-scope",
            ];
            let output = gridloom_test_tools::mlir_opt().run(&flags, text.as_bytes());
            let output = String::from_utf8(output.expect("mlir-opt reads it"));
            let mut lines: Vec<String> = output
                .expect("mlir-opt prints UTF-8")
                .trim_end()
                .lines()
                .map(str::to_owned)
                .collect();
            // The module around the file has no location; mlir-opt gives it line 0.
            lines.pop();
            lines
        };
        for local_scope in [false, true] {
            let options = PrintOptions {
                debuginfo: true,
                local_scope,
                ..PrintOptions::default()
            };
            // mlir-opt's name of a file that comes through a pipe.
            let printed = ours("<stdin>", &text, &options).expect("the program is right");
            assert_eq!(with_locations(&text), with_locations(&printed), "{printed}");
        }
    }
}
