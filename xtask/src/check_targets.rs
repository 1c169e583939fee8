//! `cargo xtask check-targets`: lints the platforms that the tests do not run on.
//!
//! Nothing is linked, so that no compiler or library of these platforms is needed; crates that bring C
//! code of their own, as the allocator mimalloc does, are left out.

use std::path::Path;
use std::process::Command;

use crate::process::{self, Failure};

/// Windows, macOS, Linux on another processor, and pointers of 32 bits.
const TARGETS: [&str; 4] = [
    "x86_64-pc-windows-gnu",
    "aarch64-apple-darwin",
    "aarch64-unknown-linux-gnu",
    "i686-unknown-linux-gnu",
];

/// Adds the targets to the toolchain and lints gridloom for each.
pub fn check_targets(workspace: &Path) -> Result<(), Failure> {
    let mut add = Command::new("rustup");
    add.current_dir(workspace)
        .args(["target", "add"])
        .args(TARGETS);
    process::output_with_retries(&mut add)?;
    for target in TARGETS {
        println!("{target}");
        let lints = ["--", "-D", "warnings"];
        let mut clippy = process::cargo(workspace);
        clippy.args(["clippy", "--package", "gridloom", "--no-default-features"]);
        process::run(clippy.args(["--target", target]).args(lints))?;
    }
    Ok(())
}
