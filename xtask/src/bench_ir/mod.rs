//! `cargo xtask bench-ir`: reading, verifying and printing beside `mlir-opt`.
//!
//! Runs of both interleave on generated files, so that other load of the machine affects both. CPU
//! time is that of all threads, user and system. The files stay in `target/bench-ir`, for a
//! profiler.

mod generate;

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::measure::{self, Runs};
use generate::Kind;
use gridloom_test_tools::find_mlir_opt;

use crate::process::{self, Failure};

/// Runs of each command.
const RUNS: usize = 11;

/// Kind of work, with the options of both programs for it.
struct Work {
    name: &'static str,
    options: &'static [&'static str],
    /// Whether to read the file's bytecode instead of its text.
    from_bytecode: bool,
}

const ONE_THREAD: &str = "--mlir-disable-threading";

/// Work measured on every kind of file.
const MAIN: Work = Work {
    name: "parse, verify, print",
    options: &[ONE_THREAD],
    from_bytecode: false,
};

/// Further work, measured on the repeating file.
const OTHERS: &[Work] = &[
    Work {
        name: "all threads",
        options: &[],
        from_bytecode: false,
    },
    Work {
        name: "print generic",
        options: &[ONE_THREAD, "--mlir-print-op-generic"],
        from_bytecode: false,
    },
    Work {
        name: "write bytecode",
        options: &[ONE_THREAD, "--emit-bytecode"],
        from_bytecode: false,
    },
    Work {
        name: "bytecode, verify, print",
        options: &[ONE_THREAD],
        from_bytecode: true,
    },
];

/// Builds gridloom for speed, unless the variable `GRIDLOOM` names a binary, and
/// compares; `sizes` are in units of 10^6 bytes. The first is compared with `mlir-opt`, the others show how we grow.
pub fn bench_ir(workspace: &Path, sizes: &[usize]) -> Result<(), Failure> {
    let mlir_opt = find_mlir_opt().map_err(|missing| Failure(missing.to_string()))?;
    let gridloom = match env::var_os("GRIDLOOM") {
        Some(built) => built.into(),
        None => build(workspace)?,
    };
    let folder = target(workspace).join("bench-ir");
    let made = std::fs::create_dir_all(&folder);
    made.map_err(|error| Failure::io("make", &folder, error))?;
    let bench = Bench {
        gridloom,
        mlir_opt: mlir_opt.path().to_owned(),
        folder,
    };
    bench.all(sizes)
}

/// Builds the binary for speed.
pub fn build(workspace: &Path) -> Result<PathBuf, Failure> {
    process::run(process::cargo(workspace).args(["build", "--release", "--bin", "gridloom"]))?;
    Ok(target(workspace).join("release/gridloom"))
}

/// The folder that cargo builds into.
pub fn target(workspace: &Path) -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from);
    workspace.join(target)
}

struct Bench {
    gridloom: PathBuf,
    mlir_opt: PathBuf,
    folder: PathBuf,
}

impl Bench {
    fn all(&self, sizes: &[usize]) -> Result<(), Failure> {
        let Some((&first, others)) = sizes.split_first() else {
            return Ok(());
        };
        println!("{first} MB each; CPU seconds are the least (median) of {RUNS} runs\n");
        heading("file");
        let mut files = Vec::new();
        for kind in Kind::ALL {
            let file = self.generate(kind, first)?;
            self.compare(kind.name(), &MAIN, kind, &file)?;
            files.push(file);
        }
        let has_bytecode = self.has_bytecode()?;
        println!();
        heading("the repeating file");
        for work in OTHERS {
            let needs_bytecode = work.from_bytecode || work.options.contains(&"--emit-bytecode");
            if has_bytecode || !needs_bytecode {
                self.compare(work.name, work, Kind::Repeating, &files[0])?;
            }
        }
        println!("\n| MB | gridloom CPU s | s a MB | memory MB |");
        println!("|---|---|---|---|");
        self.grow(first, &files[0])?;
        for &size in others {
            let file = self.generate(Kind::Repeating, size)?;
            self.grow(size, &file)?;
            // Larger files are useless for a profiler.
            let _ = std::fs::remove_file(&file);
        }
        Ok(())
    }

    fn generate(&self, kind: Kind, megabytes: usize) -> Result<PathBuf, Failure> {
        let file = self
            .folder
            .join(format!("{}-{megabytes}.mlir", kind.name()));
        let written = generate::write(kind, &file, megabytes);
        written.map_err(|error| Failure::io("write", &file, error))?;
        Ok(file)
    }

    fn has_bytecode(&self) -> Result<bool, Failure> {
        let help = process::output(Command::new(&self.gridloom).args(["opt", "--help"]))?;
        Ok(help.contains("--emit-bytecode"))
    }

    /// The command that does some work on a file, of gridloom or of `mlir-opt`.
    fn command(&self, ours: bool, work: &Work, kind: Kind, input: &Path) -> Command {
        let mut command = Command::new(if ours { &self.gridloom } else { &self.mlir_opt });
        if ours {
            command.arg("opt");
        }
        let output: OsString = self
            .folder
            .join(if ours { "ours" } else { "theirs" })
            .into();
        command.arg(input).args(work.options).args(kind.options());
        command.arg("-o").arg(output);
        command
    }

    /// The input file: the text, or its bytecode made by `mlir-opt`.
    fn input(&self, work: &Work, file: &Path) -> Result<PathBuf, Failure> {
        if !work.from_bytecode {
            return Ok(file.to_owned());
        }
        let bytecode = file.with_extension("mlirbc");
        let mut command = Command::new(&self.mlir_opt);
        command
            .arg(file)
            .args(["--emit-bytecode", "-o"])
            .arg(&bytecode);
        process::output(&mut command)?;
        Ok(bytecode)
    }

    fn compare(&self, row: &str, work: &Work, kind: Kind, file: &Path) -> Result<(), Failure> {
        let input = self.input(work, file)?;
        let (mut ours, mut theirs) = (Runs::default(), Runs::default());
        for _ in 0..RUNS {
            ours.push(measure::run(&mut self.command(true, work, kind, &input))?);
            theirs.push(measure::run(&mut self.command(false, work, kind, &input))?);
        }
        println!(
            "| {} | {:.2} ({:.2}) | {:.2} ({:.2}) | {:.1} | {:.0} | {:.0} | {:.2} |",
            row,
            ours.least_cpu(),
            ours.median_cpu(),
            theirs.least_cpu(),
            theirs.median_cpu(),
            theirs.least_cpu() / ours.least_cpu(),
            ours.memory(),
            theirs.memory(),
            ours.memory() / theirs.memory(),
        );
        if work.options.is_empty() {
            println!(
                "| on the clock | {:.2} | {:.2} | {:.1} | | | |",
                ours.least_wall(),
                theirs.least_wall(),
                theirs.least_wall() / ours.least_wall()
            );
        }
        Ok(())
    }

    fn grow(&self, megabytes: usize, file: &Path) -> Result<(), Failure> {
        let mut runs = Runs::default();
        for _ in 0..RUNS.div_ceil(2) {
            runs.push(measure::run(&mut self.command(
                true,
                &MAIN,
                Kind::Repeating,
                file,
            ))?);
        }
        let cpu = runs.least_cpu();
        let rate = cpu / megabytes as f64;
        println!(
            "| {megabytes} | {cpu:.2} | {rate:.4} | {:.0} |",
            runs.memory()
        );
        Ok(())
    }
}

/// Prints the heading of a table of comparisons.
fn heading(first: &str) {
    println!(
        "| {first} | gridloom CPU s | mlir-opt CPU s | ratio | gridloom MB | mlir-opt MB | ratio |"
    );
    println!("|---|---|---|---|---|---|---|");
}
