//! `cargo xtask bench-passes`: how the time of each pass grows with its input.
//!
//! Every kind of input is generated at a size and at ten times that size, and each pass runs on
//! both. The CPU time of reading and printing the same file is subtracted. The ratio should be at
//! most 12. The files stay in `target/bench-passes`, for a profiler.

mod generate;

use std::env;
use std::path::Path;
use std::process::Command;

use generate::KINDS;

use crate::bench_ir::{build, target};
use crate::measure::{self, Runs};
use crate::process::Failure;

/// Runs of each command.
const RUNS: usize = 3;

/// The measured passes, besides reading and printing.
const PASSES: [&str; 13] = [
    "affine-guard-overflow",
    "affine-privatize",
    "affine-loop-distribute",
    "affine-loop-fusion",
    "affine-loop-permute",
    "affine-scalrep",
    "affine-parallelize-reductions",
    "affine-mark-inbounds",
    "affine-map-to-gpu",
    "canonicalize",
    "cse",
    "lower-affine",
    "offload",
];

/// Target ratio for ten times the input.
const MOST: f64 = 12.0;

/// Shortest time for which a ratio means something, in seconds.
const LEAST: f64 = 0.02;

/// Builds gridloom for speed, unless the variable `GRIDLOOM` names a binary,
/// and prints a table for each kind of input.
pub fn bench_passes(workspace: &Path) -> Result<(), Failure> {
    let gridloom = match env::var_os("GRIDLOOM") {
        Some(built) => built.into(),
        None => build(workspace)?,
    };
    let folder = target(workspace).join("bench-passes");
    std::fs::create_dir_all(&folder).map_err(|error| Failure::io("make", &folder, error))?;
    for kind in KINDS {
        println!("\n{} ({} and {})\n", kind.name, kind.size, 10 * kind.size);
        println!("| pass | CPU s | CPU s of ten times | ratio |");
        println!("|---|---|---|---|");
        let files = [kind.size, 10 * kind.size].map(|size| {
            let file = folder.join(format!("{}-{size}.mlir", kind.name.replace(' ', "-")));
            let written = std::fs::write(&file, (kind.make)(size));
            written.map_err(|error| Failure::io("write", &file, error))?;
            Ok(file)
        });
        let [small, large] = files;
        compare(&gridloom, &small?, &large?)?;
    }
    Ok(())
}

fn compare(gridloom: &Path, small: &Path, large: &Path) -> Result<(), Failure> {
    let base = [time(gridloom, small, None)?, time(gridloom, large, None)?];
    for pass in PASSES {
        let few = time(gridloom, small, Some(pass))? - base[0];
        let many = time(gridloom, large, Some(pass))? - base[1];
        let ratio = match few.max(LEAST / MOST) {
            _ if many < LEAST => "–".to_owned(),
            few if many / few > MOST => format!("**{:.1}**", many / few),
            few => format!("{:.1}", many / few),
        };
        println!("| {pass} | {few:.3} | {many:.3} | {ratio} |");
    }
    Ok(())
}

/// The least CPU time of several runs of `opt`, with a pass or without, in seconds.
fn time(gridloom: &Path, file: &Path, pass: Option<&str>) -> Result<f64, Failure> {
    let mut runs = Runs::default();
    for _ in 0..RUNS {
        let mut command = Command::new(gridloom);
        command.arg("opt").arg(file).arg("--mlir-disable-threading");
        command.args(pass.map(|pass| format!("--{pass}")));
        runs.push(measure::run(&mut command)?);
    }
    Ok(runs.least_cpu())
}
