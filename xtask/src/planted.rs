//! `planted`: plants errors in a copy of the compiler, and counts how soon the fuzzer finds each.
//!
//! `fuzz/planted.txt` has the errors: lines of `codegen` and what takes their place. The copy has
//! all of them, and an environment variable switches one on. So it is built once, and the compiler
//! itself contains none of this.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::process::{self, Failure};

/// The table of errors, from the workspace.
const TABLE: &str = "fuzz/planted.txt";

/// Code added to the copy's `codegen`: the switch of errors.
const SWITCH: &str = r#"
/// Whether the environment turns a planted error on.
pub(crate) fn planted(name: &str) -> bool {
    static NAMED: std::sync::OnceLock<Option<String>> = std::sync::OnceLock::new();
    NAMED.get_or_init(|| std::env::var("GRIDLOOM_PLANTED").ok()).as_deref() == Some(name)
}
"#;

/// A planted error.
#[derive(Debug)]
struct Planted {
    name: String,
    /// Pass sequences, in the form of `gridloom-fuzz --passes`.
    passes: String,
    what: String,
    file: String,
    /// Original lines, and the lines that replace them.
    old: String,
    new: String,
}

/// Plants all errors, and runs the fuzzer for the one named `only`, or for each, on `programs`
/// programs.
pub fn planted(workspace: &Path, programs: u64, only: Option<&str>) -> Result<(), Failure> {
    let table = read(&workspace.join(TABLE))?;
    let all = parse(&table)?;
    let tree = workspace.join("target/planted/tree");
    copy(workspace, &tree)?;
    plant(&tree, &all)?;
    let target = workspace.join("target/planted/build");
    let mut build = process::cargo(&tree);
    build.args(["build", "-p", "gridloom-fuzz"]);
    process::run(build.env("CARGO_TARGET_DIR", &target))?;
    let fuzzer = target.join("debug/gridloom-fuzz");
    let chosen = all
        .iter()
        .filter(|error| only.is_none_or(|name| name == error.name));
    let mut missed = Vec::new();
    println!("| error | passes | first found | after | as |\n|---|---|---|---|---|");
    for error in chosen {
        let start = Instant::now();
        let found = find(&fuzzer, error, programs)?;
        let (seed, signature) = match &found {
            Some(found) => (format!("seed {}", found.seed), &found.signature[..]),
            None => ("not found".to_owned(), "-"),
        };
        println!(
            "| `{}`: {} | `{}` | {seed} | {} s | {signature} |",
            error.name,
            error.what,
            error.passes,
            start.elapsed().as_secs()
        );
        if found.is_none() {
            missed.push(&error.name[..]);
        }
    }
    match missed[..] {
        [] => Ok(()),
        _ => Err(Failure(format!(
            "not found in {programs} programs: {}",
            missed.join(", ")
        ))),
    }
}

/// Finding of the fuzzer: the failure, the passes, and the seed of the program.
#[derive(PartialEq)]
struct Found {
    signature: String,
    seed: u64,
}

/// Runs the fuzzer with an error on. Returns the first finding that does not occur without the
/// error, in programs of idioms or in others.
fn find(fuzzer: &Path, error: &Planted, programs: u64) -> Result<Option<Found>, Failure> {
    match find_from(IDIOMS, fuzzer, error, programs)? {
        None => find_from(1, fuzzer, error, programs),
        found => Ok(found),
    }
}

/// The first seed of programs of idioms, as in `gridloom-fuzz`.
const IDIOMS: u64 = 1 << 40;

/// Like [`find`], in `programs` programs from one seed on.
fn find_from(
    start: u64,
    fuzzer: &Path,
    error: &Planted,
    programs: u64,
) -> Result<Option<Found>, Failure> {
    let mut seed = start;
    while seed < start + programs {
        let count = start + programs - seed;
        let Some(found) = fuzz(fuzzer, error, Some(&error.name), (seed, count))? else {
            return Ok(None);
        };
        if fuzz(fuzzer, error, None, (found.seed, 1))?.as_ref() != Some(&found) {
            return Ok(Some(found));
        }
        seed = found.seed + 1;
    }
    Ok(None)
}

/// Runs the fuzzer on `programs` programs from a seed on, with an error on or without.
fn fuzz(
    fuzzer: &Path,
    error: &Planted,
    name: Option<&str>,
    (seed, programs): (u64, u64),
) -> Result<Option<Found>, Failure> {
    let mut command = Command::new(fuzzer);
    command.args([
        "whole-road",
        "--no-minimise",
        "--enough",
        "1",
        "--dependences",
    ]);
    command.args([
        "--seed",
        &seed.to_string(),
        "--programs",
        &programs.to_string(),
        "--passes",
        &error.passes,
    ]);
    command.env("GRIDLOOM_PLANTED", name.unwrap_or_default());
    // The fuzzer exits with 1 where it has findings; where it refuses what is asked of it, or panics, it has not tried all.
    let output = command
        .output()
        .map_err(|why| Failure::io("run", fuzzer, why))?;
    if !matches!(output.status.code(), Some(0 | 1)) {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Failure(format!("{}: {said}", error.name)));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().find_map(|line| {
        let (signature, seed) = line.split_once(" (first: seed ")?;
        let signature = signature.trim_start().split_once(' ')?.1.to_owned();
        let seed = seed.trim_end_matches(')').parse().ok()?;
        Some(Found { signature, seed })
    }))
}

/// Parses the table of errors.
fn parse(table: &str) -> Result<Vec<Planted>, Failure> {
    let mut all = Vec::new();
    for section in table.split("\n## ").skip(1) {
        let mut lines = section.lines();
        let head = lines.next().unwrap_or_default();
        let mut parts = head.split(" | ").map(str::to_owned);
        let file = lines.next().unwrap_or_default().to_owned();
        let (Some(name), Some(passes), Some(what)) = (parts.next(), parts.next(), parts.next())
        else {
            return Err(Failure(format!("{TABLE}: '{head}' is no headline")));
        };
        let [mut old, mut new] = [String::new(), String::new()];
        for line in lines {
            let (to, text) = match line.split_at_checked(1) {
                Some(("-", text)) => (&mut old, text),
                Some(("+", text)) => (&mut new, text),
                _ => continue,
            };
            to.push_str(text);
            to.push('\n');
        }
        all.push(Planted {
            name,
            passes,
            what,
            file,
            old,
            new,
        });
    }
    Ok(all)
}

/// Copies the changed files of the workspace, so that unchanged ones are not rebuilt.
fn copy(workspace: &Path, tree: &Path) -> Result<(), Failure> {
    let mut list = Command::new("git");
    list.current_dir(workspace);
    list.args(["ls-files", "--cached", "--others", "--exclude-standard"]);
    for name in process::output(&mut list)?.lines() {
        let (from, to) = (workspace.join(name), tree.join(name));
        let Ok(bytes) = fs::read(&from) else {
            continue;
        };
        if name.starts_with("codegen/src") || fs::read(&to).is_ok_and(|old| old == bytes) {
            continue;
        }
        write(&to, &bytes)?;
    }
    Ok(())
}

/// Writes the copy's `codegen` with all errors.
fn plant(tree: &Path, all: &[Planted]) -> Result<(), Failure> {
    let sources = tree.join("../../..").join("codegen/src");
    let mut list = vec![sources.clone()];
    while let Some(folder) = list.pop() {
        let entries = fs::read_dir(&folder).map_err(|why| Failure::io("list", &folder, why))?;
        for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
            if path.is_dir() {
                list.push(path);
                continue;
            }
            let inside = path.strip_prefix(&sources).unwrap_or(&path);
            let name = format!("codegen/src/{}", inside.display());
            let mut text = changed(&name, read(&path)?, all)?;
            if name == "codegen/src/lib.rs" {
                text.push_str(SWITCH);
            }
            let to = tree.join(&name);
            if !fs::read_to_string(&to).is_ok_and(|old| old == text) {
                write(&to, text.as_bytes())?;
            }
        }
    }
    Ok(())
}

/// Inserts its errors into the text of a file.
fn changed(name: &str, mut text: String, all: &[Planted]) -> Result<String, Failure> {
    for error in all.iter().filter(|error| error.file == name) {
        if text.matches(&error.old).count() != 1 {
            let message = format!(
                "{TABLE}: the lines of '{}' do not stand once in {name}; say what they are now",
                error.name
            );
            return Err(Failure(message));
        }
        text = text.replacen(&error.old, &error.new, 1);
    }
    Ok(text)
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|why| Failure::io("read", path, why))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|why| Failure::io("make", folder, why))?;
    }
    fs::write(path, bytes).map_err(|why| Failure::io("write", path, why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_planted_error_has_its_place() {
        let workspace = crate::workspace();
        let all = parse(&read(&workspace.join(TABLE)).unwrap()).unwrap();
        assert!(all.len() > 30);
        for error in &all {
            let text = read(&workspace.join(&error.file)).unwrap();
            changed(&error.file, text, &all).unwrap();
        }
    }
}
