//! `cargo xtask gpu-check`: every example on a real device, and the benchmark.
//!
//! The script `gpu-check.sh` does the work, and also runs alone: a machine with a GPU need not have
//! Rust.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{self, Failure};

/// Builds gridloom for speed and runs the script with it, on the machine's own drivers.
pub fn gpu_check(workspace: &Path, device: &str, report: Option<&str>) -> Result<(), Failure> {
    process::run(process::cargo(workspace).args(["build", "--release", "--bin", "gridloom"]))?;
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from);
    let gridloom = workspace.join(target).join("release/gridloom");
    let script = workspace.join("xtask/gpu-check.sh");
    let report = report.map(|report| workspace.join(report));
    process::run(Command::new(script).arg(device).arg(gridloom).args(report))
}
