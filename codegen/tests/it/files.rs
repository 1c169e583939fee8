//! Every pass over every example and test program: `mlir-opt` accepts what
//! comes out, and it computes what went in computed, bit for bit.

use std::fs;
use std::path::{Path, PathBuf};

use gridloom_codegen::pass::Pipeline;
use gridloom_ir::text::{ParseOptions, PrintOptions, parse_module, print_module};
use gridloom_ir::verify::verify;
use gridloom_ir::{Context, Module};
use gridloom_test_tools::mlir_opt;

use crate::machine::{Outcome, entries, run};

const SEEDS: [u64; 2] = [0, 6];

const PIPELINES: [&str; 7] = [
    "canonicalize",
    "cse",
    "loop-invariant-code-motion,lower-affine,loop-invariant-code-motion",
    "inline,symbol-dce,cse,canonicalize",
    "canonicalize,affine-scalrep,canonicalize",
    "canonicalize,lower-affine,canonicalize,cse,canonicalize",
    "offload{fp=strict}",
];

pub fn programs() -> Vec<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for folder in ["examples", "tests/programs"] {
        let entries = fs::read_dir(workspace.join(folder)).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        files.extend(paths.filter(|path| path.extension().is_some_and(|e| e == "mlir")));
    }
    files.sort();
    assert!(files.len() > 60, "the programs are where they were");
    files
}

/// The generic form that `mlir-opt` gives a file, so that this tests passes
/// and nothing of the text forms. The one program that would keep the
/// interpreter busy for long gets smaller.
fn generic_text(file: &Path) -> Vec<u8> {
    let text = fs::read_to_string(file).unwrap().replace("256", "20");
    let generic = mlir_opt().run(&["--mlir-print-op-generic"], text.as_bytes());
    generic.unwrap_or_else(|message| panic!("{}: {message}", file.display()))
}

fn read(ctx: &Context, file: &Path, text: &[u8]) -> Module {
    let module = parse_module(ctx, "", text, &ParseOptions::default());
    module.unwrap_or_else(|errors| {
        let messages: Vec<_> = errors.iter().map(|e| e.message.clone()).collect();
        panic!("{}: {messages:?}", file.display())
    })
}

type Run = (String, u64, Result<Outcome, String>);

fn run_all(ctx: &Context, module: &Module) -> Vec<Run> {
    let mut runs = Vec::new();
    for (name, types) in entries(ctx, module) {
        for seed in SEEDS {
            let outcome = run(ctx, module, &name, &types, seed);
            runs.push((name.clone(), seed, outcome));
        }
    }
    runs
}

/// A fault before (an index out of range, say) allows anything after.
fn first_difference(before: &[Run], after: &[Run]) -> Option<String> {
    let differs = |((name, seed, x), (_, _, y)): (&Run, &Run)| match (x, y) {
        (Ok(x), Ok(y)) if x == y => None,
        (Err(_), _) => None,
        (Ok(_), Ok(_)) => Some(format!("@{name}, seed {seed}: other numbers")),
        (Ok(_), Err(fault)) => Some(format!("@{name}, seed {seed}: {fault}")),
    };
    before.iter().zip(after).find_map(differs)
}

/// The generic text of the module after a pipeline, and what is wrong with it.
fn after(
    ctx: &Context,
    module: &Module,
    before: &[Run],
    pipeline: &str,
) -> (String, Option<String>) {
    let mut after = module.clone();
    let passes = Pipeline::parse(pipeline).unwrap();
    passes.run(ctx, &mut after, &mut ()).unwrap();
    let generic = PrintOptions {
        generic: true,
        ..PrintOptions::default()
    };
    let text = print_module(ctx, &after, &generic);
    let found = verify(ctx, &after);
    let fault = match found.has_errors() {
        true => Some(found.render(ctx)),
        false => first_difference(before, &run_all(ctx, &after)),
    };
    let fault = fault.map(|fault| format!("{fault}\n{text}"));
    (text, fault)
}

#[test]
fn passes_keep_what_programs_compute() {
    let mut runs = 0;
    let mut complaints = Vec::new();
    for file in programs() {
        let ctx = gridloom_dialects::context();
        let module = read(&ctx, &file, &generic_text(&file));
        let before = run_all(&ctx, &module);
        runs += before
            .iter()
            .filter(|(_, _, outcome)| outcome.is_ok())
            .count();
        let mut texts = String::new();
        for pipeline in PIPELINES {
            let (text, fault) = after(&ctx, &module, &before, pipeline);
            let complain = |fault| format!("{}: --{pipeline}: {fault}", file.display());
            complaints.extend(fault.map(complain));
            texts.push_str(&format!("// --{pipeline}\n{text}\n// -----\n"));
        }
        let flags = ["--split-input-file", "--allow-unregistered-dialect"];
        let accepted = mlir_opt().run(&flags, texts.as_bytes());
        complaints.extend(
            accepted
                .err()
                .map(|message| format!("{}: {message}", file.display())),
        );
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
    assert!(runs > 100, "only {runs} runs were without a fault");
}
