//! Parallel loops: at least those that `mlir-opt --affine-parallelize` finds, in every program of this repository.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use gridloom::codegen::explain::{Finding, LoopReport, explain};
use gridloom::dialects::affine;
use gridloom::ir::Loc;
use gridloom::ir::location::LocKind;
use gridloom::{Context, Module, OffloadOptions};
use gridloom_test_tools::mlir_opt;

const FOLDERS: [&str; 3] = ["examples", "benches/programs", "tests/programs"];

/// Loops that upstream makes parallel although they are not: its accesses go through two names of one
/// array, which it takes for two arrays. File and line.
const WRONG: [(&str, u32); 3] = [
    ("overlapping_views.mlir", 11),
    ("same_array_twice.mlir", 14),
    ("transposed_aliases.mlir", 9),
];

/// Line and column.
type Place = (u32, u32);

fn parse(ctx: &Context, name: &str, text: &[u8]) -> Module {
    gridloom::parse(ctx, name, text).unwrap_or_else(|found| panic!("{}", found.render(ctx)))
}

/// The places of `affine.parallel` after upstream's pass. Each has the location of the loop it was, and those that
/// were there before have theirs.
fn upstream(text: &[u8], option: &str) -> Vec<Place> {
    let pipeline = format!("--pass-pipeline=builtin.module(func.func(affine-parallelize{option}))");
    let flags = [
        &pipeline[..],
        "--mlir-print-debuginfo",
        "--mlir-print-op-generic",
    ];
    let output = mlir_opt()
        .run(&flags, text)
        .unwrap_or_else(|why| panic!("{why}"));
    let ctx = gridloom::context();
    let module = parse(&ctx, "upstream.mlir", &output);
    let mut places = Vec::new();
    for (_, function) in module.ops() {
        let Some(body) = function.isolated() else {
            continue;
        };
        for op in body.walk() {
            if body[op].name != affine::PARALLEL {
                continue;
            }
            match body[op].loc.kind(&ctx) {
                Some(LocKind::FileRange { start, .. }) => places.push(*start),
                other => panic!("{other:?} is no place"),
            }
        }
    }
    places
}

/// What gridloom finds of each loop of a file.
fn ours(name: &str, text: &[u8]) -> BTreeMap<Place, LoopReport> {
    let ctx = gridloom::context();
    let module = parse(&ctx, name, text);
    let reports = explain(&ctx, &module, &OffloadOptions::default());
    let reports = reports.unwrap_or_else(|found| panic!("{}", found.render(&ctx)));
    let place = |loc: Loc| {
        let pos = loc.source_pos().expect("what was read has a place");
        let line = ctx.sources().find(pos).expect("in a source").line_at(pos);
        (line.number, line.col)
    };
    let reports = reports.into_iter();
    reports.map(|report| (place(report.loc), report)).collect()
}

/// Compares a file; returns how many loops upstream finds parallel.
fn compare(path: &Path) -> usize {
    let name = path.display().to_string();
    let text = fs::read(path).unwrap_or_else(|why| panic!("{name}: {why}"));
    let ours = ours(&name, &text);
    let plain = upstream(&text, "");
    for (option, places) in [
        ("", plain.clone()),
        ("reductions", upstream(&text, "{parallel-reductions=1}")),
    ] {
        for place in places {
            let report = &ours[&place];
            // A band that reduces may have been there before.
            let may_reduce = !option.is_empty() || report.name == affine::PARALLEL;
            let is_found = match report.finding {
                Finding::Parallel | Finding::Folded => true,
                Finding::Reduction { .. } => may_reduce,
                Finding::Sequential { .. } => false,
            };
            let is_wrong =
                (WRONG.iter()).any(|&(file, line)| name.ends_with(file) && line == place.0);
            assert_eq!(
                is_found, !is_wrong,
                "{name}:{place:?} is parallel for mlir-opt ({option}), and here {:?}",
                report.finding
            );
        }
    }
    plain.len()
}

#[test]
fn no_loop_is_missed_that_upstream_finds() {
    let mut loops = 0;
    for folder in FOLDERS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut list = vec![folder];
        while let Some(folder) = list.pop() {
            for entry in fs::read_dir(&folder).expect("the repository's own folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    list.push(path);
                } else if path.extension().is_some_and(|end| end == "mlir") {
                    loops += compare(&path);
                }
            }
        }
    }
    assert!(loops > 200, "mlir-opt finds {loops} parallel loops only");
}
