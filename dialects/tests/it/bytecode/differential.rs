//! Round trips of every program through bytecode, by `mlir-opt` and by us.

use gridloom_dialects::builtin;
use gridloom_ir::Context;
use gridloom_ir::body::OpState;
use gridloom_ir::bytecode::{is_bytecode, write_module};
use gridloom_ir::location::Loc;
use gridloom_ir::text::{PrintOptions, print_module};
use gridloom_ir::{Module, verify};

use super::{Program, SEPARATOR, bytecode_of, generic, parse, programs, read};

fn mlir_opt(flags: &[&str], input: &[u8]) -> Result<Vec<u8>, String> {
    let all = [&["--allow-unregistered-dialect"], flags].concat();
    gridloom_test_tools::mlir_opt().run(&all, input)
}

fn mlir_opt_text(flags: &[&str], input: &[u8]) -> String {
    let output = mlir_opt(flags, input).unwrap_or_else(|why| panic!("{why}"));
    String::from_utf8(output).expect("mlir-opt prints UTF-8")
}

const GENERIC: &[&str] = &["--mlir-print-op-generic", "--mlir-print-local-scope"];

/// Prints texts in generic form by `mlir-opt`, in one process for all.
fn printed(texts: &[String]) -> Vec<String> {
    let flags = [GENERIC, &["--split-input-file"]].concat();
    let all = mlir_opt_text(&flags, texts.join(SEPARATOR).as_bytes());
    let parts: Vec<String> = all.split(SEPARATOR).map(str::to_owned).collect();
    assert_eq!(parts.len(), texts.len());
    parts
}

/// Writes bytecode of texts in a version of the format by `mlir-opt`, in one process for all.
fn emitted(texts: &[String], version: u64) -> Vec<Vec<u8>> {
    let input = texts.join(SEPARATOR);
    let version = format!("--emit-bytecode-version={version}");
    let flags = ["--split-input-file", "--emit-bytecode", &version];
    let all = mlir_opt(&flags, input.as_bytes()).unwrap_or_else(|why| panic!("{why}"));
    let separator = SEPARATOR.as_bytes();
    let starts = (0..all.len())
        .filter(|&at| is_bytecode(&all[at..]) && (at == 0 || all[..at].ends_with(separator)));
    let starts: Vec<usize> = starts.collect();
    assert_eq!(starts.len(), texts.len());
    let ends = starts[1..].iter().map(|&next| next - separator.len());
    let ends = ends.chain([all.len()]);
    let ranges = starts.iter().zip(ends);
    ranges
        .map(|(&start, end)| all[start..end].to_vec())
        .collect()
}

fn texts(programs: &[Program]) -> Vec<String> {
    programs
        .iter()
        .map(|program| program.text.clone())
        .collect()
}

fn compare(name: &str, expected: &str, found: &str) -> Option<String> {
    if expected == found {
        return None;
    }
    let pair = expected.lines().zip(found.lines()).find(|(a, b)| a != b);
    Some(format!("{name} has changed: {pair:#?}"))
}

fn assert_none(failures: &[String]) {
    let shown = failures.len().min(5);
    let count = failures.len();
    assert!(
        failures.is_empty(),
        "{count}:\n{}",
        failures[..shown].join("\n")
    );
}

#[test]
fn we_read_what_mlir_opt_writes() {
    let programs = programs();
    let texts = texts(&programs);
    let reference = printed(&texts);
    let ours: Vec<String> = emitted(&texts, 6)
        .iter()
        .zip(&programs)
        .map(|(bytes, program)| {
            let ctx = gridloom_dialects::context();
            let module = read(&ctx, bytes);
            let found = verify::verify(&ctx, &module);
            let of_text = verify::verify(&ctx, &parse(&ctx, &program.text));
            let (wrong, name) = (found.has_errors(), &program.name);
            assert_eq!(
                wrong,
                of_text.has_errors(),
                "{name}: {}",
                found.render(&ctx)
            );
            generic(&ctx, &module)
        })
        .collect();
    let ours = printed(&ours);
    let pairs = reference.iter().zip(&ours).zip(&programs);
    let failures = pairs.filter_map(|((a, b), program)| compare(&program.name, a, b));
    assert_none(&failures.collect::<Vec<_>>());
}

#[test]
fn we_read_older_versions() {
    // Before version 5, unknown operations had no properties, and mlir-opt drops properties that
    // are no attributes.
    let mut programs = programs();
    let lost = ["<{", "disjoint"];
    programs.retain(|program| !lost.iter().any(|word| program.text.contains(word)));
    let texts = texts(&programs);
    let reference = printed(&texts);
    for version in 0..6 {
        let read = |bytes: &Vec<u8>| {
            let ctx = gridloom_dialects::context();
            generic(&ctx, &read(&ctx, bytes))
        };
        let ours: Vec<String> = emitted(&texts, version).iter().map(read).collect();
        let ours = printed(&ours);
        let pairs = reference.iter().zip(&ours).zip(&programs);
        let named = |name| format!("version {version}, {name}");
        let failures = pairs.filter_map(|((a, b), program)| compare(&named(&program.name), a, b));
        assert_none(&failures.collect::<Vec<_>>());
    }
}

/// Whether a program cannot be put into one module with others: resources
/// belong to files, and distinct attributes are numbered through them.
fn stands_alone(text: &str) -> bool {
    ["{-#", "dense_resource", "distinct["]
        .iter()
        .any(|word| text.contains(word))
}

/// One module with all programs as modules in it.
fn bundle(ctx: &Context, programs: &[&Program]) -> Module {
    let mut all = Module::new(Loc::UNKNOWN);
    let block = all.block();
    for program in programs {
        let mut module = parse(ctx, &program.text);
        let op = module.op();
        let mut state = OpState::new(builtin::MODULE, op.loc);
        (state.properties, state.attributes) = (op.properties, op.attributes);
        let body = all.body_mut();
        let op = body.create_op(state);
        body.append(block, op);
        if let (Some(to), Some(from)) = (body[op].isolated_mut(), module.op_mut().isolated_mut()) {
            *to = std::mem::take(from);
        }
    }
    all
}

#[test]
fn mlir_opt_reads_what_we_write() {
    let programs = programs();
    let (alone, together): (Vec<_>, Vec<_>) = programs
        .iter()
        .partition(|program| stands_alone(&program.text));
    let mut failures = Vec::new();
    for program in alone {
        let expected = mlir_opt_text(GENERIC, program.text.as_bytes());
        let found = mlir_opt_text(GENERIC, &bytecode_of(&program.text));
        failures.extend(compare(&program.name, &expected, &found));
    }
    let ctx = gridloom_dialects::context();
    let all = bundle(&ctx, &together);
    let expected = mlir_opt_text(GENERIC, generic(&ctx, &all).as_bytes());
    match mlir_opt(GENERIC, &write_module(&ctx, &all)) {
        Ok(found) => {
            let found = String::from_utf8(found).expect("mlir-opt prints UTF-8");
            failures.extend(compare("the bundle", &expected, &found));
        }
        // Each program on its own, to find the failing ones.
        Err(_) => failures.extend(together.iter().filter_map(|program| {
            let refused = mlir_opt(GENERIC, &bytecode_of(&program.text)).err();
            refused.map(|why| format!("{}: {why}", program.name))
        })),
    }
    assert_none(&failures);
}

#[test]
fn reading_what_we_write_gives_the_same() {
    let options = PrintOptions {
        debuginfo: true,
        ..PrintOptions::default()
    };
    let mut failures = Vec::new();
    for Program { name, text } in programs() {
        let ctx = gridloom_dialects::context();
        let module = parse(&ctx, &text);
        let first = print_module(&ctx, &module, &options);
        let bytes = write_module(&ctx, &module);
        let (again, second) = {
            let ctx = gridloom_dialects::context();
            let module = read(&ctx, &bytes);
            (
                write_module(&ctx, &module),
                print_module(&ctx, &module, &options),
            )
        };
        failures.extend(compare(&name, &first, &second));
        if bytes != again {
            failures.push(format!("{name}: the bytes have changed"));
        }
    }
    assert_none(&failures);
}

#[test]
fn locations_survive() {
    let text = include_str!("../language/locations.mlir");
    let flags = ["--mlir-print-debuginfo", "--mlir-print-local-scope"];
    let with_locations = |input: &[u8]| {
        let text = mlir_opt_text(&flags, input);
        let mut lines: Vec<String> = text.trim_end().lines().map(str::to_owned).collect();
        // The module around the file has no place of its own; mlir-opt gives
        // it line 0.
        lines.pop();
        lines
    };
    let reference = with_locations(text.as_bytes());
    assert_eq!(reference, with_locations(&bytecode_of(text)));
    let emitted = mlir_opt(&["--emit-bytecode"], text.as_bytes()).expect("mlir-opt reads it");
    let ctx = gridloom_dialects::context();
    let module = read(&ctx, &emitted);
    let options = PrintOptions {
        debuginfo: true,
        ..PrintOptions::default()
    };
    let printed = print_module(&ctx, &module, &options);
    assert_eq!(reference, with_locations(printed.as_bytes()));
}

/// File names that alternate, and line numbers that no compiler gives.
#[test]
fn lines_and_columns_survive() {
    let numbers = [0, 1, 1 << 20, u32::MAX];
    let pairs = numbers.map(|line| numbers.map(|col| (line, col)));
    let places = pairs.as_flattened().iter().flat_map(|(line, col)| {
        let files = ["a", "b", "a", "c"];
        files.map(|file| format!("loc(\"{file}\":{line}:{col})"))
    });
    let places: Vec<String> = places.collect();
    let text: String = places
        .iter()
        .map(|loc| format!("\"x.y\"() : () -> () {loc}\n"))
        .collect();
    let bytes = bytecode_of(&text);
    let ctx = gridloom_dialects::context();
    let module = read(&ctx, &bytes);
    let options = PrintOptions {
        debuginfo: true,
        local_scope: true,
        ..PrintOptions::default()
    };
    let printed = print_module(&ctx, &module, &options);
    let found: Vec<&str> = printed
        .lines()
        .filter_map(|line| line.find("loc(").map(|at| &line[at..]))
        .collect();
    assert_eq!(found[..places.len()], places);
    assert_eq!(write_module(&ctx, &module), bytes);
}
