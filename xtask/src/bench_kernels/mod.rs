//! `cargo xtask bench-kernels`: how the time of compilation to one SPIR-V module grows with its
//! kernels, and how it compares with `mlir-opt`.
//!
//! Two compilations are timed: from affine text to SPIR-V, and from the same program with its
//! kernels outlined to SPIR-V. CPU time is that of all threads, user and system. The files stay in
//! `target/bench-kernels`, for a profiler.

mod generate;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use gridloom_test_tools::{Tool, find_mlir_opt};

use crate::bench_ir::{build, target};
use crate::measure::{self, Runs};
use crate::process::{self, Failure};

/// Runs of each command.
const RUNS: usize = 3;

/// Numbers of nests; the largest gives 10,000 kernels.
const COUNTS: [usize; 3] = [600, 1_800, 6_000];

/// Size of the texts for the comparison with `mlir-opt`, in bytes.
const BYTES: usize = 1_000_000;

/// Numbers of nests in a function of these texts: work of more than linear time in either shows.
const NESTS: [usize; 3] = [1, generate::NESTS, 500];

/// The optimization levels beside `mlir-opt`, which gives each thread one iteration as the lower ones do.
const LEVELS: [&str; 3] = ["-O2", "-O1", "-O0"];

/// The pipeline of `mlir-opt` from affine loops to SPIR-V binaries.
const PIPELINE: &str = "builtin.module(\
    func.func(affine-parallelize),lower-affine,\
    func.func(gpu-map-parallel-loops,convert-parallel-loops-to-gpu,canonicalize),lower-affine,\
    gpu-kernel-outlining,\
    spirv-attach-target{ver=v1.3 caps=Shader exts=SPV_KHR_storage_buffer_storage_class},\
    gpu.module(test-spirv-entry-point-abi{workgroup-size=32,1,1}),\
    map-memref-spirv-storage-class,convert-gpu-to-spirv{use-64bit-index=false},\
    spirv.module(spirv-lower-abi-attrs,spirv-update-vce))";

/// Builds gridloom for speed, unless the variable `GRIDLOOM` names a binary, and prints a table.
pub fn bench_kernels(workspace: &Path) -> Result<(), Failure> {
    let gridloom = match env::var_os("GRIDLOOM") {
        Some(built) => built.into(),
        None => build(workspace)?,
    };
    let folder = target(workspace).join("bench-kernels");
    fs::create_dir_all(&folder).map_err(|error| Failure::io("make", &folder, error))?;
    let bench = Bench { gridloom, folder };
    bench.growth()?;
    bench.beside_mlir_opt()
}

struct Bench {
    gridloom: PathBuf,
    folder: PathBuf,
}

impl Bench {
    fn growth(&self) -> Result<(), Failure> {
        println!(
            "| nests | text MB | kernels | SPIR-V MB | from affine, CPU s | µs a kernel | \
             from kernels, CPU s | µs a kernel |"
        );
        println!("|---|---|---|---|---|---|---|---|");
        for count in COUNTS {
            let text = generate::module(count);
            let affine = self.write(&format!("affine-{count}.mlir"), &text)?;
            let mapped = self.folder.join(format!("mapped-{count}.mlir"));
            process::output(self.compile(&affine, "mlir").arg("-o").arg(&mapped))?;
            let words = self.folder.join(format!("{count}.spv"));
            let from_affine = self.time(&affine, &words)?.least_cpu();
            let (kernels, bytes) = entry_points(&words)?;
            let from_kernels = self.time(&mapped, &words)?.least_cpu();
            let each = |seconds: f64| seconds * 1e6 / kernels as f64;
            println!(
                "| {count} | {:.2} | {kernels} | {:.1} | {from_affine:.2} | {:.0} | {from_kernels:.2} | {:.0} |",
                text.len() as f64 / 1e6,
                bytes as f64 / 1e6,
                each(from_affine),
                each(from_kernels),
            );
        }
        Ok(())
    }

    fn beside_mlir_opt(&self) -> Result<(), Failure> {
        let mlir_opt = find_mlir_opt().map_err(|missing| Failure(missing.to_string()))?;
        println!(
            "\n| 1 MB of | gridloom CPU s | -O1 | -O0 | mlir-opt CPU s | ratio | -O1 | -O0 |\n\
             |---|---|---|---|---|---|---|---|"
        );
        for nests in NESTS {
            self.row_beside_mlir_opt(&mlir_opt, nests)?;
        }
        Ok(())
    }

    /// Prints the row of a text with `nests` nests in each function.
    fn row_beside_mlir_opt(&self, mlir_opt: &Tool, nests: usize) -> Result<(), Failure> {
        let text = generate::module_of_size(BYTES, nests);
        let file = self.write(&format!("affine-1MB-{nests}.mlir"), &text)?;
        let words = self.folder.join("1MB.spv");
        let mut ours = LEVELS.map(|_| Runs::default());
        let mut theirs = Runs::default();
        for _ in 0..RUNS {
            for (level, runs) in LEVELS.iter().zip(&mut ours) {
                let mut command = self.compile(&file, "spirv");
                runs.push(measure::run(command.arg(level).arg("-o").arg(&words))?);
            }
            let mut command = Command::new(mlir_opt.path());
            command.arg(&file).arg("--mlir-disable-threading");
            command.arg(format!("--pass-pipeline={PIPELINE}"));
            theirs.push(measure::run(
                command.arg("-o").arg(self.folder.join("theirs.mlir")),
            )?);
        }
        let theirs = theirs.least_cpu();
        let [full, parallel, written] = ours.map(|runs| runs.least_cpu());
        println!(
            "| functions of {nests} nests | {full:.2} | {parallel:.2} | {written:.2} | {theirs:.2} | {:.1} | {:.1} | {:.1} |",
            theirs / full,
            theirs / parallel,
            theirs / written,
        );
        Ok(())
    }

    fn write(&self, name: &str, text: &str) -> Result<PathBuf, Failure> {
        let file = self.folder.join(name);
        fs::write(&file, text).map_err(|error| Failure::io("write", &file, error))?;
        Ok(file)
    }

    fn compile(&self, file: &Path, form: &str) -> Command {
        let mut command = Command::new(&self.gridloom);
        command.arg("compile").arg(file).args(["--emit", form]);
        command
    }

    fn time(&self, file: &Path, words: &Path) -> Result<Runs, Failure> {
        let mut runs = Runs::default();
        for _ in 0..RUNS {
            runs.push(measure::run(
                self.compile(file, "spirv").arg("-o").arg(words),
            )?);
        }
        Ok(runs)
    }
}

/// The entry points of a SPIR-V module in a file, and the file's bytes.
fn entry_points(file: &Path) -> Result<(usize, usize), Failure> {
    const HEADER_WORDS: usize = 5;
    const OP_ENTRY_POINT: u32 = 15;
    let bytes = fs::read(file).map_err(|error| Failure::io("read", file, error))?;
    let (quads, _) = bytes.as_chunks::<4>();
    let words: Vec<u32> = quads.iter().map(|quad| u32::from_le_bytes(*quad)).collect();
    let (mut at, mut found) = (HEADER_WORDS, 0);
    while let Some(first) = words.get(at) {
        found += usize::from(first & 0xffff == OP_ENTRY_POINT);
        at += (first >> 16).max(1) as usize;
    }
    Ok((found, bytes.len()))
}
