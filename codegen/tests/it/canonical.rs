//! `canonicalize` against the interpreter: canonical form computes what the program computes.
//!
//! The programs lie in `tests/canonical/`. As file tests they are held against `mlir-opt --canonicalize`, too; what
//! their comments say is told in `gridloom_test_tools::filetest`.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use gridloom_codegen::pass::Pipeline;
use gridloom_dialects::ub;
use gridloom_ir::body::OpData;
use gridloom_ir::text::{ParseOptions, parse_module};
use gridloom_ir::{Body, Context, Module};
use gridloom_test_tools::filetest::Header;

use super::machine::{entries, run};

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/canonical");
    let entries = fs::read_dir(folder).unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn parse(ctx: &Context, file: &Path, text: &[u8]) -> Module {
    let module = parse_module(ctx, "", text, &ParseOptions::default());
    module.unwrap_or_else(|errors| panic!("{}: {}", file.display(), errors.render(ctx)))
}

fn canonicalize(ctx: &Context, module: &mut Module) {
    let pass = Pipeline::parse("canonicalize").unwrap();
    pass.run(ctx, module, &mut ()).unwrap();
}

/// Declarations without results as functions that do nothing, so that what
/// calls them runs.
fn with_bodies(text: &str) -> String {
    let defined = |line: &str| -> Option<String> {
        let rest = line.strip_prefix("func.func private @")?;
        let (name, types) = rest.split_once('(')?;
        let types = types.strip_suffix(')')?;
        let parameters = match (types, types.contains(',')) {
            ("", _) => String::new(),
            (_, true) => return None,
            (ty, false) => format!("%x: {ty}"),
        };
        Some(format!(
            "func.func private @{name}({parameters}) {{ return }}"
        ))
    };
    let lines = text
        .lines()
        .map(|line| defined(line).unwrap_or_else(|| line.to_owned()));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn canonical_form_computes_the_same() {
    let (mut ran, mut complaints) = (0, String::new());
    for file in files() {
        let text = fs::read_to_string(&file).unwrap();
        let header = Header::parse(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let text = with_bodies(&text);
        let ctx = gridloom_dialects::context();
        let module = parse(&ctx, &file, text.as_bytes());
        let mut after = module.clone();
        canonicalize(&ctx, &mut after);
        // Poison is any value: canonical form chooses another one than the machine.
        let undefined = |name: &str| {
            let mut ops = module.ops().map(|(_, op)| op);
            let named = |op: &OpData| op.symbol_name(&ctx).is_some_and(|s| ctx.str(s) == name);
            let has_poison = |body: &Body| {
                let mut ops = body.walk().into_iter();
                ops.any(|op| body[op].name == ub::POISON)
            };
            ops.any(|op| named(op) && op.isolated().is_some_and(has_poison))
        };
        for (name, types) in entries(&ctx, &module) {
            if header.promises.contains(&name) || undefined(&name) {
                continue;
            }
            for seed in 0..6 {
                let Ok(before) = run(&ctx, &module, &name, &types, seed) else {
                    continue;
                };
                let found = run(&ctx, &after, &name, &types, seed);
                if found.as_ref() != Ok(&before) {
                    let file = file.display();
                    let _ = writeln!(complaints, "{file}: @{name}: {before:?}, then {found:?}");
                }
                ran += 1;
            }
        }
    }
    assert!(complaints.is_empty(), "{complaints}");
    assert!(ran > 900, "only {ran} runs");
}
