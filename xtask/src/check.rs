//! `cargo xtask test`: everything a change must pass.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use crate::process::{self, Failure};
use crate::setup::{self, Ready};

/// What to run.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The tests only, without format, lints and documentation.
    quick: bool,
    /// Only the tests whose name contains this; implies `quick`.
    filter: Option<String>,
}

impl Selection {
    /// Reads `[--quick] [FILTER]`, in any order; `None` where `args` are something else.
    pub fn parse(args: &[&str]) -> Option<Selection> {
        let mut selection = Selection::default();
        for arg in args {
            match *arg {
                "--quick" => selection.quick = true,
                flag if flag.starts_with('-') => return None,
                name if selection.filter.is_none() => selection.filter = Some(name.into()),
                _ => return None,
            }
        }
        Some(selection)
    }
}

/// Sets up and runs the selected checks, stopping at the first that fails.
pub fn check(workspace: &Path, selection: &Selection) -> Result<(), Failure> {
    let ready = setup::setup(workspace)?;
    if !selection.quick && selection.filter.is_none() {
        step(workspace, &ready, &["fmt", "--all", "--check"])?;
        step(
            workspace,
            &ready,
            &[
                "clippy",
                "--workspace",
                "--all-targets",
                "--",
                "-D",
                "warnings",
            ],
        )?;
        step(workspace, &ready, &["doc", "--workspace", "--no-deps"])?;
    }
    // Plain `cargo test`, not a faster runner: one command runs documentation
    // tests too, needs no tool beyond Rust, and its summary is what CI counts.
    let mut tests = vec!["test", "--workspace", "--no-fail-fast"];
    tests.extend(selection.filter.as_deref());
    step(workspace, &ready, &tests)
}

fn step(workspace: &Path, ready: &Ready, args: &[&str]) -> Result<(), Failure> {
    eprintln!("xtask: cargo {}", args.join(" "));
    let cargo = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(cargo);
    command.args(args).current_dir(workspace);
    command.envs(ready.variables().iter().map(|(name, value)| (name, value)));
    // Read by `cargo doc` alone; the compiler's own flags stay as they are, for
    // changing them would build everything once more.
    command.env("RUSTDOCFLAGS", "-D warnings");
    process::run(&mut command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_and_filter_in_any_order() {
        let selection = |quick, filter: Option<&str>| Selection {
            quick,
            filter: filter.map(str::to_owned),
        };
        assert_eq!(Selection::parse(&[]), Some(selection(false, None)));
        assert_eq!(Selection::parse(&["--quick"]), Some(selection(true, None)));
        assert_eq!(
            Selection::parse(&["parse", "--quick"]),
            Some(selection(true, Some("parse")))
        );
        assert_eq!(Selection::parse(&["a", "b"]), None);
        assert_eq!(Selection::parse(&["--fast"]), None);
    }
}
