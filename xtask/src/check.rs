//! `cargo xtask test`: everything a change must pass.

use std::env;
use std::path::Path;

use crate::process::{self, Failure};
use crate::setup::{self, Ready};

/// Selection of checks.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Whether to run tests only, without format, lints and documentation.
    quick: bool,
    /// Text that the names of selected tests contain; implies `quick`.
    filter: Option<String>,
}

impl Selection {
    /// Parses `[--quick] [FILTER]`, in any order; `None` for other arguments.
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

/// Sets up and runs the selected checks, all of them even where one fails, so that one long check
/// reports everything that is wrong.
pub fn check(workspace: &Path, selection: &Selection) -> Result<(), Failure> {
    let ready = setup::setup(workspace)?;
    let lints = [
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ];
    let mut steps: Vec<Vec<&str>> = Vec::new();
    if !selection.quick && selection.filter.is_none() {
        steps.push(vec!["fmt", "--all", "--check"]);
        steps.push(lints.to_vec());
        steps.push(vec!["doc", "--workspace", "--no-deps"]);
    }
    // Plain `cargo test`, not a faster runner: one command runs documentation
    // tests too, needs no tool beyond Rust, and its summary is what CI counts.
    let mut tests = vec!["test", "--workspace", "--no-fail-fast"];
    tests.extend(selection.filter.as_deref());
    steps.push(tests);

    let mut failed = Vec::new();
    for step in &steps {
        if let Err(failure) = cargo(workspace, &ready, step) {
            failed.push(failure.to_string());
        }
    }
    if failed.is_empty() {
        Ok(())
    } else {
        Err(Failure(failed.join("\nxtask: ")))
    }
}

fn cargo(workspace: &Path, ready: &Ready, args: &[&str]) -> Result<(), Failure> {
    eprintln!("xtask: cargo {}", args.join(" "));
    let mut command = process::cargo(workspace);
    command.args(args);
    command.envs(ready.variables().iter().map(|(name, value)| (name, value)));
    // Without it, drivers that look for a window system print warnings.
    if env::var_os("XDG_RUNTIME_DIR").is_none() {
        command.env("XDG_RUNTIME_DIR", env::temp_dir());
    }
    // Read by `cargo doc` and documentation tests alone; the compiler's own flags stay as they are,
    // since changing them would rebuild everything.
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
