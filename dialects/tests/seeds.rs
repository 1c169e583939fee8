//! Seed corpus: programs of the older eras, their modern forms, and violations of the rules of
//! their documents. The tests run where the corpus is.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use gridloom_ir::text::{ParseOptions, PrintOptions, parse_module, print_module};
use gridloom_ir::verify::verify;
use gridloom_ir::{Context, Diagnostics};
use libtest_mimic::{Arguments, Trial};

#[allow(dead_code)] // Half of it is for the other tests.
#[path = "it/upstream.rs"]
mod upstream;

use upstream::mlir_opt;

/// Environment variable that names the folder of the corpus, which must exist then.
const VARIABLE: &str = "GRIDLOOM_SEEDS";

/// The folder of the corpus; `None` where it is not there. It is no part of the repository.
fn corpus() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os(VARIABLE) {
        return Some(named.into());
    }
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/seeds");
    beside.is_dir().then_some(beside)
}

/// Runs the tests where the corpus is; elsewhere prints that there are none.
fn main() -> ExitCode {
    let tests: [(&str, fn()); 4] = [
        (
            "examples_become_what_is_expected",
            examples_become_what_is_expected,
        ),
        (
            "what_is_expected_is_read_as_it_is",
            what_is_expected_is_read_as_it_is,
        ),
        (
            "what_the_rules_forbid_is_refused_at_its_place",
            what_the_rules_forbid_is_refused_at_its_place,
        ),
        (
            "a_symbol_in_a_type_is_refused_with_the_explanation",
            a_symbol_in_a_type_is_refused_with_the_explanation,
        ),
    ];
    let args = Arguments::from_args();
    if corpus().is_none() {
        eprintln!(
            "the seed corpus is not here, its {} tests are not run: {VARIABLE} names its folder",
            tests.len()
        );
        return libtest_mimic::run(&args, Vec::new()).exit_code();
    }
    let trial = |(name, test): (&str, fn())| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    };
    libtest_mimic::run(&args, tests.into_iter().map(trial).collect()).exit_code()
}

/// The programs of a folder, by file name.
fn programs(name: &str) -> Vec<(String, String)> {
    let folder = corpus().expect("tests run where the corpus is").join(name);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|why| panic!("{folder:?}: {why}"));
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("its entries can be read").path())
        .filter(|path| path.extension().is_some_and(|e| e == "mlir"))
        .collect();
    paths.sort();
    let read = |path: PathBuf| {
        let name = path.file_name().expect("a file has a name");
        let text = std::fs::read_to_string(&path).expect("the program is text");
        (name.to_string_lossy().into_owned(), text)
    };
    paths.into_iter().map(read).collect()
}

/// Reads a program and prints it as modern text, in the custom and in the generic form.
fn read(ctx: &Context, name: &str, text: &str) -> Result<[String; 2], Diagnostics> {
    let options = ParseOptions {
        allow_unregistered: true,
    };
    let module = parse_module(ctx, name, text.as_bytes(), &options)?;
    let errors = verify(ctx, &module);
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok([false, true].map(|generic| {
        let options = PrintOptions {
            generic,
            ..PrintOptions::default()
        };
        print_module(ctx, &module, &options)
    }))
}

/// The first lines that differ.
fn difference(left: &str, right: &str) -> String {
    let pair = left.lines().zip(right.lines()).find(|(a, b)| a != b);
    format!("{pair:#?}")
}

/// The proposal that the Rationale rejects; we refuse it with that reason.
const TURNED_DOWN: &str = "rationale-2020-13-symbol-in-type.mlir";

fn examples_become_what_is_expected() {
    let examples = programs("examples");
    let expected = programs("expected");
    assert_eq!((examples.len(), expected.len()), (142, 136));
    let mut failures = Vec::new();
    let (mut names, mut ours, mut theirs) = (Vec::new(), Vec::new(), Vec::new());
    for (name, text) in &examples {
        if name == TURNED_DOWN {
            continue;
        }
        let ctx = gridloom_dialects::context();
        let [custom, generic] = match read(&ctx, name, text) {
            Ok(printed) => printed,
            Err(why) => {
                failures.push(why.render(&ctx));
                continue;
            }
        };
        let counterpart = expected.iter().find(|(other, _)| other == name);
        for printed in [custom, generic] {
            names.push(name);
            theirs.push(counterpart.map_or(printed.clone(), |(_, text)| text.clone()));
            ours.push(printed);
        }
    }
    let all = mlir_opt(&ours).into_iter().zip(mlir_opt(&theirs));
    for ((name, text), pair) in names.iter().zip(&ours).zip(all) {
        match pair {
            (Err(why), _) => failures.push(format!("mlir-opt refuses {name}:\n{why}\n{text}")),
            (_, Err(why)) => failures.push(format!("mlir-opt refuses the expected {name}: {why}")),
            (Ok(ours), Ok(theirs)) if ours != theirs => {
                failures.push(format!("{name} is another: {}", difference(&ours, &theirs)));
            }
            _ => {}
        }
    }
    let count = failures.len();
    assert!(failures.is_empty(), "{count}:\n{}", failures.join("\n"));
}

fn what_is_expected_is_read_as_it_is() {
    let mut failures = Vec::new();
    for (name, text) in programs("expected") {
        let ctx = gridloom_dialects::context();
        if let Err(why) = read(&ctx, &name, &text) {
            failures.push(why.render(&ctx));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Rejected programs: the line of each error, and words of the message.
static REJECTED: &[(&str, u32, &str)] = &[
    ("langref-2019-80-branch-to-entry", 6, "first block"),
    (
        "langref-2019-81-branch-operands",
        5,
        "branch has 0 operands",
    ),
    ("langref-2019-82-affine-product", 4, "non-affine expression"),
    ("langref-2019-83-affine-modulus-sign", 4, "must be positive"),
    (
        "langref-2019-84-map-duplicate-identifier",
        4,
        "redefinition of identifier 'i'",
    ),
    ("langref-2019-85-size-of-dimension", 4, "not of dimensions"),
    (
        "langref-2019-86-bound-without-max",
        5,
        "requires 'min' prefix",
    ),
    ("langref-2019-87-step", 5, "a step is at least 1"),
    ("langref-2019-88-dimension-binding", 6, "as a symbol"),
    ("langref-2019-89-cast-mismatch", 5, "cast incompatible"),
    (
        "langref-2019-90-reshape-product",
        5,
        "the source has 256 elements",
    ),
    (
        "langref-2019-91-load-rank",
        5,
        "incorrect number of indices",
    ),
    (
        "langref-2019-92-layout-rank",
        4,
        "between rank and affine map: 2 != 1",
    ),
    (
        "langref-2019-93-composition-conformance",
        4,
        "the one before it gives 1",
    ),
    (
        "langref-2020-80-float-attribute-integer",
        5,
        "unexpected decimal integer literal for a floating point value",
    ),
    (
        "langref-2020-81-vector-zero-dimension",
        4,
        "vector types must have positive constant sizes",
    ),
    ("langref-2020-82-pretty-type-unbalanced", 4, "expected"),
    ("langref-2020-83-pretty-attribute-unbalanced", 5, "expected"),
    (
        "langref-2020-84-alias-with-dot",
        4,
        "names with a '.' are reserved",
    ),
    (
        "langref-2020-85-alias-before-definition",
        4,
        "undefined symbol alias id",
    ),
    (
        "langref-2020-86-region-value-escapes",
        8,
        "use of undeclared SSA value name",
    ),
    ("langref-2020-87-no-dominance", 11, "does not dominate"),
    (
        "langref-2020-88-branch-into-region",
        6,
        "reference to an undefined block",
    ),
    ("langref-2020-89-return-type", 5, "'i64'"),
    ("langref-2020-90-function-captures", 7, "defined outside"),
    (
        "langref-2020-91-duplicate-attribute",
        5,
        "duplicate key 'a'",
    ),
    ("langref-2020-92-no-terminator", 5, "no terminator"),
    (
        "langref-2022-80-graph-two-blocks",
        4,
        "to have 0 or 1 blocks",
    ),
    (
        "langref-2022-81-value-out-of-region",
        8,
        "use of undeclared SSA value name",
    ),
];

fn what_the_rules_forbid_is_refused_at_its_place() {
    let rejected = programs("rejected");
    assert_eq!(rejected.len(), REJECTED.len());
    let mut failures = String::new();
    for ((file, text), (name, line, words)) in rejected.iter().zip(REJECTED) {
        assert_eq!(file.strip_suffix(".mlir"), Some(*name));
        let ctx = gridloom_dialects::context();
        let Err(errors) = read(&ctx, file, text) else {
            failures += &format!("{file} is accepted\n");
            continue;
        };
        let place = format!("{file}:{line}:");
        let fits = |error: &gridloom_ir::Diagnostic| {
            gridloom_ir::diag::describe(&ctx, error.loc).starts_with(&place)
                && error.message.contains(words)
        };
        if !errors.iter().any(fits) {
            failures += &format!("no error at {place} {words}\n{}\n", errors.render(&ctx));
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

fn a_symbol_in_a_type_is_refused_with_the_explanation() {
    let examples = programs("examples");
    let (name, text) = examples
        .iter()
        .find(|(name, _)| name == TURNED_DOWN)
        .expect("the corpus has this proposal");
    let ctx = gridloom_dialects::context();
    let errors = read(&ctx, name, text).expect_err("types hold no symbols");
    let rendered = errors.render(&ctx);
    assert!(rendered.contains("13-symbol-in-type.mlir:5:46: error: a type cannot refer"));
}
