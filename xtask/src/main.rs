//! Developer commands: `cargo xtask COMMAND`.
//!
//! They use hardly more than the standard library and our own test tools, so that the first command
//! a newcomer types starts within seconds.

mod apt;
mod bench_ir;
mod bench_kernels;
mod bench_passes;
mod check;
mod check_targets;
mod drivers;
mod gpu_check;
mod measure;
mod planted;
mod process;
mod random;
mod setup;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use process::Failure;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  setup                  bring what the tests need, or say what to install
  env                    set up, then print the `export` lines for running tests by hand
  test [--quick] [FILTER]
                         set up, then check format, lints and documentation and run all tests;
                         --quick runs the tests only, FILTER those whose name contains it
  check-targets          lint gridloom for Windows, macOS, 64-bit Arm and pointers of 32 bits
  bench-ir [MB]...       time reading, verifying and printing beside mlir-opt, on a generated file
                         of 20 MB or the first size; the other sizes show how we grow
  bench-passes           time every pass on inputs of one size and of ten times that size
  bench-kernels          time compilation to SPIR-V of up to 10,000 kernels, and beside mlir-opt
  planted [PROGRAMS [NAME]]
                         plant the errors of fuzz/planted.txt, or the one of this name, in a copy of
                         the compiler, and tell how soon the fuzzer finds each
  gpu-check DEVICE [REPORT]
                         run every example on a device, named by a part of its name; then measure the
                         benchmark and write it to REPORT as JSON
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let Some(result) = dispatch(&args) else {
        eprint!("{USAGE}");
        return ExitCode::from(2);
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the command that `args` name; `None` if they name no command.
fn dispatch(args: &[&str]) -> Option<Result<(), Failure>> {
    let workspace = &workspace();
    match args {
        ["setup"] => Some(setup::setup(workspace).map(drop)),
        ["env"] => Some(setup::setup(workspace).map(|ready| print!("{}", ready.exports()))),
        ["test", rest @ ..] => {
            let selection = check::Selection::parse(rest)?;
            Some(check::check(workspace, &selection))
        }
        ["bench-ir", sizes @ ..] => {
            let sizes: Option<Vec<usize>> = sizes.iter().map(|size| size.parse().ok()).collect();
            let sizes = sizes.filter(|sizes| !sizes.contains(&0))?;
            let sizes = if sizes.is_empty() { vec![20] } else { sizes };
            Some(bench_ir::bench_ir(workspace, &sizes))
        }
        ["check-targets"] => Some(check_targets::check_targets(workspace)),
        ["bench-kernels"] => Some(bench_kernels::bench_kernels(workspace)),
        ["bench-passes"] => Some(bench_passes::bench_passes(workspace)),
        ["planted", rest @ ..] if rest.len() <= 2 => {
            let programs = rest.first().map_or(Ok(2000), |count| count.parse()).ok()?;
            Some(planted::planted(workspace, programs, rest.get(1).copied()))
        }
        ["gpu-check", device] => Some(gpu_check::gpu_check(workspace, device, None)),
        ["gpu-check", device, report] => {
            Some(gpu_check::gpu_check(workspace, device, Some(report)))
        }
        _ => None,
    }
}

/// The folder of the workspace, the parent of this crate's. Cargo passes it in the environment,
/// which is right even where several checkouts share one target folder.
fn workspace() -> PathBuf {
    let xtask = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    xtask.parent().map(Path::to_owned).unwrap_or(xtask)
}
