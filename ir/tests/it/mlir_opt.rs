//! `mlir-opt` reads what we print as what we have read.

use std::path::{Path, PathBuf};

use gridloom_ir::Context;
use gridloom_ir::text::{ParseOptions, PrintOptions, parse_module, print_module};

use crate::upstream::{SEPARATOR, mlir_opt, mlir_opt_with};

fn ours(name: &str, text: &str, options: &PrintOptions) -> Result<String, String> {
    let ctx = Context::new();
    let parse = ParseOptions {
        allow_unregistered: true,
    };
    parse_module(&ctx, name, text.as_bytes(), &parse)
        .map(|module| print_module(&ctx, &module, options))
        .map_err(|diagnostics| diagnostics.render(&ctx))
}

/// Texts by name.
type Programs = Vec<(String, String)>;

/// Checks that `mlir-opt` reads our print of each program as the program.
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

#[test]
fn every_form_of_the_language() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/language");
    let all = files(&folder).into_iter();
    let programs: Programs = all.flat_map(|(name, text)| parts(&name, &text)).collect();
    assert!(programs.len() >= 20);
    check_all(&programs);
}

/// In strings and comments it stays what it is.
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

/// Of graphs `mlir-opt` prints a generic form that it does not read.
#[test]
fn forms_that_are_custom_only() {
    let text = include_str!("verify/valid/graph.mlir");
    let failures = check(&parts("graph.mlir", text), &PrintOptions::default());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// What upstream's print loses, or cannot read back, is spelled otherwise here.
const SPELLED_OTHERWISE: &[&str] = &[
    "generic/untold.mlir, ",
    "host_and_device.mlir, part 1",
    "spirv/arithmetic.mlir, part 2",
    "spirv/control.mlir, part 7",
    "spirv/memory.mlir, part 4",
    "vector/memory.mlir, part 2",
];

#[test]
fn custom_forms_are_printed_as_upstream_prints_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/language");
    let all = files(&folder).into_iter();
    let programs: Programs = all.flat_map(|(name, text)| parts(&name, &text)).collect();
    let otherwise = |name: &str| SPELLED_OTHERWISE.iter().any(|other| name.contains(other));
    let programs = programs.into_iter().filter(|(name, _)| !otherwise(name));
    let (names, texts): (Vec<_>, Vec<_>) = programs.unzip();
    let mut failures = Vec::new();
    for (local_scope, form) in [
        (false, "--mlir-print-op-generic=false"),
        (true, LOCAL_SCOPE),
    ] {
        let options = PrintOptions {
            local_scope,
            ..PrintOptions::default()
        };
        let upstream = mlir_opt_with(form, &texts);
        for ((name, text), upstream) in names.iter().zip(&texts).zip(upstream) {
            let upstream = upstream.expect("the program is right");
            // Upstream leaves resources out of what is printed without aliases.
            if local_scope && text.contains("{-#") {
                continue;
            }
            let printed = ours(name, text, &options).expect("the program is right");
            let pair = upstream.trim_end().lines().zip(printed.trim_end().lines());
            let differ = pair.clone().find(|(a, b)| a != b);
            if differ.is_some() || pair.count() != upstream.trim_end().lines().count() {
                failures.push(format!("{name} {form}: {differ:#?}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

const LOCAL_SCOPE: &str = "--mlir-print-local-scope";

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
            // The module around the file has no place of its own; mlir-opt
            // gives it line 0.
            lines.pop();
            lines
        };
        for local_scope in [false, true] {
            let options = PrintOptions {
                debuginfo: true,
                local_scope,
                ..PrintOptions::default()
            };
            // What mlir-opt calls the file when it comes through a pipe.
            let printed = ours("<stdin>", &text, &options).expect("the program is right");
            assert_eq!(with_locations(&text), with_locations(&printed), "{printed}");
        }
    }
}
