//! The tests `run`, `run-opt` and `run-compiled`: what a program computes, on every device, after passes and
//! compiled ahead of time.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use super::difference::same;
use super::header::{Header, Mode, Place, Test, Value};
use super::{Runner, diagnostics, mlir_opt_generic, npy, stdout_of_success};
use crate::{mlir_opt, spirv_val};

/// The devices of `run`: the interpreter and the two software Vulkan drivers,
/// by parts of the names that these give themselves.
const DEVICES: [&str; 3] = ["cpu", "llvmpipe", "SwiftShader"];

/// How `run` runs each test on the interpreter: its kernels in every order of
/// threads, and looking for races and reads of memory that nothing has written;
/// and the program as written, in another order and looked at as well.
const INTERPRETED: [&[&str]; 6] = [
    &["--offload", "--no-specialize", "--thread-order=ascending"],
    &["--offload", "--no-specialize", "--thread-order=reverse"],
    &["--offload", "--no-specialize", "--thread-order=random:1"],
    &[
        "--offload",
        "--no-specialize",
        "--sanitize=race,bounds,uninit",
    ],
    &["--no-offload", "--thread-order=random:1"],
    &["--no-offload", "--sanitize=race,bounds,uninit"],
];

/// How `run` runs programs that take their sizes from arguments in addition: kernels for those
/// sizes, which are others than those for any.
const SPECIALIZED: [&[&str]; 2] = [
    &["--offload", "--thread-order=reverse"],
    &["--offload", "--sanitize=race,bounds,uninit"],
];

/// How `run` runs each test on a device, and the programs that take their sizes from arguments in addition. The order of
/// a GPU is its own, and nobody watches it.
const ON_DEVICES: [[&[&str]; 1]; 2] = [[&["--offload", "--no-specialize"]], [&["--offload"]]];

/// How `run-opt` runs what the passes made, beside looking at it.
const ORDERS: [&str; 3] = [
    "--thread-order=ascending",
    "--thread-order=reverse",
    "--thread-order=random:1",
];

/// What `run-opt` looks for. Programs that read memory before they write it may do so after passes too.
const SANITIZED: [&str; 2] = ["--sanitize=race,bounds,uninit", "--sanitize=race,bounds"];

/// How `run-opt` runs a program: on the interpreter, nothing mapped, and not without end.
const PLAIN: [&str; 3] = ["--device=cpu", "--no-offload", "--time-limit=60"];

impl Runner {
    pub(super) fn run_on_all_devices(
        &self,
        file: &str,
        test: &Test,
        header: &Header,
    ) -> Result<(), String> {
        let is_open = self.is_open(file, test)?;
        for device in devices_of(header) {
            let (ways, specialized) = match device {
                "cpu" => (&INTERPRETED[..], &SPECIALIZED[..]),
                _ => (&ON_DEVICES[0][..], &ON_DEVICES[1][..]),
            };
            let specialized = specialized.iter().filter(|_| is_open);
            for way in ways.iter().chain(specialized) {
                self.run_on(device, way, file, test, header)
                    .map_err(|error| format!("on {device}, {}: {error}", way.join(" ")))?;
            }
        }
        Ok(())
    }

    /// Whether sizes of a program may follow from arguments: types leave some open, or an argument is
    /// a number.
    fn is_open(&self, file: &str, test: &Test) -> Result<bool, String> {
        let bytes = fs::read(self.workspace.join(file)).map_err(|e| format!("{file}: {e}"))?;
        let is_number = |arg: &String| {
            let value = arg.strip_prefix("--arg=");
            value.is_some_and(|value| value.parse::<i64>().is_ok())
        };
        Ok(bytes.contains(&b'?') || test.args.iter().any(is_number))
    }

    fn run_on(
        &self,
        device: &str,
        way: &[&str],
        file: &str,
        test: &Test,
        header: &Header,
    ) -> Result<(), String> {
        let mut args = test.args.clone();
        let asked = ["--check", "--device", device];
        args.extend(asked.iter().chain(way).map(|&word| word.to_owned()));
        let saves = Saves::of(self, file, test, device);
        args.extend(saves.options());
        let kernels = (device != "cpu").then(|| SavedKernels::of(self, file, test, device));
        args.extend(kernels.iter().map(SavedKernels::option));
        let output = self.gridloom("run", file, &args, b"")?;
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        stdout_of_success("run", output)?;
        // Warnings are about what loops of any sizes were mapped to.
        let expected = match way.contains(&"--no-specialize") {
            true => &header.diagnostics[..],
            false => &[][..],
        };
        diagnostics::check(&stderr, expected)?;
        saves.check()?;
        kernels.map_or(Ok(()), |kernels| kernels.check())
    }

    /// Runs what the program is compiled to, as text and as bytecode.
    pub(super) fn run_compiled(
        &self,
        file: &str,
        test: &Test,
        header: &Header,
    ) -> Result<(), String> {
        let text = self.accepted("compile", file, &[], header)?;
        let bytecode = self.gridloom("compile", file, &["--emit-bytecode".to_owned()], b"")?;
        let theirs = mlir_opt_generic(&text, &[])?;
        let args = ["--mlir-print-op-generic", "-"];
        let of_bytecode = mlir_opt().run(&args, &bytecode.stdout)?;
        let of_bytecode = String::from_utf8_lossy(&of_bytecode);
        same(
            "what mlir-opt reads from the bytecode",
            &theirs,
            &of_bytecode,
        )?;
        for (form, input) in [("text", text.as_bytes()), ("bytecode", &bytecode.stdout)] {
            for device in devices_of(header) {
                let mut args = test.args.clone();
                args.extend(["--check", "--device", device].map(str::to_owned));
                let saves = Saves::of(self, file, test, &format!("{device}-{form}"));
                args.extend(saves.options());
                let output = self.gridloom("run", "-", &args, input)?;
                let outcome = stdout_of_success("run", output).and_then(|_| saves.check());
                outcome.map_err(|error| format!("compiled to {form}, on {device}: {error}"))?;
            }
        }
        Ok(())
    }

    /// Runs the program after the passes of the file's test `opt`, and as it is written: both must leave the same.
    pub(super) fn run_transformed(
        &self,
        file: &str,
        test: &Test,
        header: &Header,
    ) -> Result<(), String> {
        let opt = header.tests.iter().find(|other| other.mode == Mode::Opt);
        let opt = opt.ok_or("`run-opt` runs what a test `opt` of the same file makes")?;
        let transformed = self.accepted("opt", file, &opt.args, header)?;
        let run = |file: &str, way: &str, more: &mut dyn Iterator<Item = String>, input: &str| {
            let words = PLAIN.into_iter().chain([way]).map(str::to_owned);
            let args: Vec<String> = test.args.iter().cloned().chain(words).chain(more).collect();
            stdout_of_success("run", self.gridloom("run", file, &args, input.as_bytes())?)
        };
        let written = |way: &str| run(file, way, &mut std::iter::empty(), "");
        let expected = written(ORDERS[0]).map_err(|error| format!("as written: {error}"))?;
        let sanitized = SANITIZED.into_iter().find(|way| written(way).is_ok());
        let sanitized = sanitized.ok_or("as written, it has a race or a wrong index")?;
        for way in ORDERS.into_iter().chain([sanitized]) {
            let saves = Saves::of(self, file, test, "opt");
            let left = run("-", way, &mut saves.options(), &transformed);
            let outcome = left.and_then(|left| {
                same("the outcome", &values_of(&expected), &values_of(&left))?;
                saves.check()
            });
            outcome.map_err(|error| {
                let passes = opt.args.join(" ");
                format!("after {passes}, {way}: {error}\nrunning:\n{transformed}")
            })?;
        }
        Ok(())
    }
}

/// The devices that a file does not except.
fn devices_of(header: &Header) -> impl Iterator<Item = &'static str> {
    let is_excepted = |device: &str| header.exceptions.iter().any(|other| other == device);
    DEVICES
        .into_iter()
        .filter(move |device| !is_excepted(device))
}

/// The lines of a run's summary that say, with a checksum over all bits, what results and changed arguments hold.
fn values_of(summary: &str) -> String {
    let is_value = |line: &&str| line.starts_with("result ") || line.starts_with("argument ");
    let lines = summary.lines().filter(is_value);
    lines.map(|line| format!("{line}\n")).collect()
}

/// The expected values of a test, each with the file that a run saves it to.
struct Saves<'t>(Vec<(&'t Value, PathBuf)>);

impl<'t> Saves<'t> {
    fn of(runner: &Runner, file: &str, test: &'t Test, device: &str) -> Self {
        let run = name_of_run(file, test, device);
        let values = test.values.iter().enumerate();
        let saves = values
            .map(|(number, value)| (value, runner.scratch.join(format!("{run}-{number}.npy"))));
        Saves(saves.collect())
    }

    fn options(&self) -> impl Iterator<Item = String> {
        self.0.iter().flat_map(|(value, path)| {
            let (flag, index) = match value.place {
                Place::Argument(index) => ("--save-arg", index),
                Place::Result(index) => ("--save-result", index),
            };
            [flag.to_owned(), format!("{index}=@{}", path.display())]
        })
    }

    fn check(&self) -> Result<(), String> {
        for (value, path) in &self.0 {
            let bytes = fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
            let place = value.place;
            npy::check(&bytes, value).map_err(|error| format!("{place}: {error}"))?;
        }
        Ok(())
    }
}

/// Name for the files of a run: tests of one file run side by side.
fn name_of_run(file: &str, test: &Test, device: &str) -> String {
    let mut hasher = DefaultHasher::new();
    test.args.hash(&mut hasher);
    let run = hasher.finish();
    let file = file.replace(['/', '\\'], "-");
    format!("{file}-{run:x}-{device}")
}

/// The folder that a run saves the modules of its kernels to, as the driver gets them. `compile` makes others,
/// without device addresses and what is known at launch.
struct SavedKernels(PathBuf);

impl SavedKernels {
    fn of(runner: &Runner, file: &str, test: &Test, device: &str) -> Self {
        let name = format!("{}-kernels", name_of_run(file, test, device));
        SavedKernels(runner.scratch.join(name))
    }

    fn option(&self) -> String {
        format!("--save-kernels={}", self.0.display())
    }

    /// Checks the modules with `spirv-val`, and removes them.
    fn check(self) -> Result<(), String> {
        let shown = |error: std::io::Error| format!("{}: {error}", self.0.display());
        let modules = fs::read_dir(&self.0).map_err(shown)?;
        for module in modules {
            let path = module.map_err(shown)?.path();
            let words = fs::read(&path).map_err(shown)?;
            let name = path.file_name().unwrap_or_default().display();
            spirv_val()
                .run(&["--target-env", "vulkan1.3", "-"], &words)
                .map_err(|error| format!("the module {name}: {error}"))?;
        }
        fs::remove_dir_all(&self.0).map_err(shown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_from_the_rest_of_a_summary() {
        let summary =
            "device: cpu\ntime: 3 ms in @f\nresult 0: i32 = 4\nargument 1: memref<2xi32>, sum 3\n";
        let values = "result 0: i32 = 4\nargument 1: memref<2xi32>, sum 3\n";
        assert_eq!(values_of(summary), values);
    }
}
