//! Every example at every size, and every test program, through the command
//! line on the interpreter and on two Vulkan drivers; each array it leaves is
//! held against a reference that shares nothing with gridloom.

use crate::reference::{self, Arg, Case, Place, npy};
use gridloom_test_tools::driver_files;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Where a program can run.
struct Device {
    /// What `--device` takes: part of the name the device gives itself.
    name: &'static str,
    /// Further options of the run.
    options: &'static [&'static str],
}

const INTERPRETER: Device = Device {
    name: "cpu",
    options: &["--offload"],
};
/// The interpreter in the orders of threads that differ from the loops' own, in
/// which a loop that is wrongly called parallel is right by luck.
const INTERPRETER_REVERSED: Device = Device {
    options: &["--offload", "--thread-order=reverse"],
    ..INTERPRETER
};
const INTERPRETER_SHUFFLED: Device = Device {
    options: &["--offload", "--thread-order=random:1"],
    ..INTERPRETER
};
/// The interpreter looking for races and reads of memory nobody has written.
const INTERPRETER_SANITIZED: Device = Device {
    options: &["--offload", "--sanitize=race,bounds,uninit"],
    ..INTERPRETER
};
/// The same for what programs say is parallel before anything is mapped.
const AS_WRITTEN_SANITIZED: Device = Device {
    options: &["--sanitize=race,bounds,uninit", "--no-offload"],
    ..INTERPRETER
};
const LAVAPIPE: Device = Device {
    name: "llvmpipe",
    options: &[],
};
/// Kernels as they go to devices that take no SPIR-V: through naga.
const THROUGH_NAGA: Device = Device {
    name: "llvmpipe",
    options: &["--portable"],
};
/// It computes zeros where it is given 64-bit floats or integers, so gridloom
/// must not give it any: they stay on the host.
const SWIFTSHADER: Device = Device {
    name: "SwiftShader",
    options: &[],
};

#[test]
fn examples_on_the_interpreter() {
    check_all("examples-cpu", &reference::examples(), &INTERPRETER);
}

#[test]
fn examples_on_the_interpreter_in_other_orders() {
    let cases = reference::examples();
    check_all("examples-cpu-reversed", &cases, &INTERPRETER_REVERSED);
    check_all("examples-cpu-shuffled", &cases, &INTERPRETER_SHUFFLED);
}

/// A loop that is called parallel is, whatever order it happened to run in.
#[test]
fn no_example_or_program_races() {
    for (name, device) in [
        ("sanitized", &INTERPRETER_SANITIZED),
        ("sanitized-as-written", &AS_WRITTEN_SANITIZED),
    ] {
        check_all(&format!("examples-{name}"), &reference::examples(), device);
        check_all(&format!("programs-{name}"), &reference::programs(), device);
    }
}

#[test]
fn examples_on_lavapipe() {
    check_all("examples-lavapipe", &reference::examples(), &LAVAPIPE);
}

#[test]
fn examples_on_swiftshader() {
    check_all("examples-swiftshader", &reference::examples(), &SWIFTSHADER);
}

#[test]
fn programs_on_the_interpreter() {
    check_all("programs-cpu", &reference::programs(), &INTERPRETER);
}

#[test]
fn programs_on_the_interpreter_in_other_orders() {
    let cases = reference::programs();
    check_all("programs-cpu-reversed", &cases, &INTERPRETER_REVERSED);
    check_all("programs-cpu-shuffled", &cases, &INTERPRETER_SHUFFLED);
}

#[test]
fn programs_on_lavapipe() {
    check_all("programs-lavapipe", &reference::programs(), &LAVAPIPE);
}

#[test]
fn programs_through_naga() {
    check_all("programs-naga", &reference::programs(), &THROUGH_NAGA);
}

#[test]
fn programs_on_swiftshader() {
    check_all("programs-swiftshader", &reference::programs(), &SWIFTSHADER);
}

/// What a device lacks keeps a nest on the host, with a remark; where the device
/// is required, that is an error.
#[test]
fn a_device_without_f64_leaves_its_nests_to_the_host() {
    let folder = crate::scratch("no-f64");
    let case = as_written("examples/matmul_f64.mlir");
    let output = command(&case, &folder, &SWIFTSHADER)
        .arg("--remarks")
        .output();
    let output = output.expect("the program under test starts");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{messages}");
    let lack = "runs on the host: it has 64-bit floats, which SwiftShader";
    assert!(messages.contains(lack), "{messages}");
    assert_eq!(kernels(&output), 0);

    let output = command(&case, &folder, &SWIFTSHADER)
        .arg("--require-device")
        .output();
    let output = output.expect("the program under test starts");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{messages}");
    assert!(messages.contains("error: this loop nest"), "{messages}");
}

/// A loop that carries a dependence stays, and the user learns where it is and why.
#[test]
fn a_sequential_loop_stays_on_the_host_with_a_remark() {
    let folder = crate::scratch("remark");
    let case = as_written("examples/prefix_sum.mlir");
    let output = command(&case, &folder, &INTERPRETER)
        .arg("--remarks")
        .output();
    let output = output.expect("the program under test starts");
    let messages = String::from_utf8_lossy(&output.stderr);
    let line = 1 + case
        .source
        .lines()
        .position(|line| line.contains("affine.for"))
        .unwrap_or(0);
    assert!(
        messages.contains(&format!("program.mlir:{line}:3: remark:")),
        "{messages}"
    );
    assert!(messages.contains("flow dependence"), "{messages}");
    assert_eq!(kernels(&output), 0);
}

/// A program whose loops all stay on the host is right as well, but it is not
/// what anybody came for.
#[test]
fn every_parallel_loop_of_the_examples_becomes_a_kernel() {
    let counts = [
        ("conv2d", 1),
        ("gather", 1),
        ("heat3d", 2),
        ("imperfect", 1),
        ("jacobi2d", 2),
        ("mandelbrot", 1),
        ("matmul", 1),
        ("matmul_dynamic", 1),
        ("matmul_f64", 1),
        ("pipeline", 2),
        ("row_sum", 1),
        ("saxpy", 1),
        ("transpose", 1),
        ("triangular", 1),
    ];
    let folder = crate::scratch("kernels");
    for (name, count) in counts {
        let output = run(
            &as_written(&format!("examples/{name}.mlir")),
            &folder,
            &LAVAPIPE,
        );
        assert!(
            kernels(&output) >= count,
            "{name}: {}",
            String::from_utf8_lossy(&output.stdout)
        );
    }
}

/// What the head of an example tells its reader to type must work.
#[test]
fn the_command_at_the_head_of_each_example_works() {
    let folder = crate::scratch("heads");
    let files: BTreeSet<String> = reference::examples().into_iter().map(|c| c.file).collect();
    for file in files {
        let case = as_written(&file);
        let args = advertised(&case.source);
        assert_eq!(
            args.first().map(String::as_str),
            Some("run"),
            "{file} has no line `Run:`"
        );
        let mut command = gridloom(&folder);
        command.args(args).args(["--device", INTERPRETER.name]);
        command.current_dir(env!("CARGO_MANIFEST_DIR"));
        let output = command.output().expect("the program under test starts");
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{file}: {messages}");
    }
}

/// The arguments of the command behind `Run:`, which may go on over several
/// lines as in a shell.
fn advertised(source: &str) -> Vec<String> {
    let comments = source.lines().filter_map(|line| line.strip_prefix("// "));
    let mut lines = comments.skip_while(|line| !line.starts_with("Run:"));
    let mut text = String::new();
    for line in &mut lines {
        text.push_str(line.trim_end_matches('\\'));
        if !line.ends_with('\\') {
            break;
        }
    }
    let words = text
        .split_whitespace()
        .skip_while(|&word| word != "gridloom")
        .skip(1);
    words
        .map(|word| word.trim_matches('\'').to_owned())
        .collect()
}

/// How many kernels a run says it has launched.
fn kernels(output: &Output) -> usize {
    let report = String::from_utf8_lossy(&output.stdout);
    report
        .lines()
        .filter(|line| line.starts_with("kernel: @"))
        .count()
}

/// The reference of an example at the sizes in its file.
fn as_written(file: &str) -> Case {
    let mut cases = reference::examples()
        .into_iter()
        .filter(|case| case.file == file);
    let written = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file));
    let written = written.unwrap_or_else(|error| panic!("{file}: {error}"));
    cases
        .find(|case| case.source == written)
        .unwrap_or_else(|| panic!("no case of {file} as it stands"))
}

/// Runs all cases and reports every one that went wrong, not only the first.
fn check_all(folder: &str, cases: &[Case], device: &Device) {
    let folder = crate::scratch(folder);
    let failures: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let why = check(case, &folder, device).err()?;
            Some(format!("{} ({}): {why}\n", case.file, case.size))
        })
        .collect();
    assert!(
        failures.is_empty(),
        "{} of {} wrong on {}:\n{}",
        failures.len(),
        cases.len(),
        device.name,
        failures.concat()
    );
}

fn check(case: &Case, folder: &Path, device: &Device) -> Result<(), String> {
    let output = run(case, folder, device);
    if !output.status.success() {
        let messages = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{}\n{messages}", output.status));
    }
    for expected in &case.expected {
        let place = expected.place;
        let actual = npy::read(&saved(folder, place))?;
        expected
            .compare(&actual)
            .map_err(|difference| format!("{place:?}: {difference}"))?;
    }
    Ok(())
}

fn run(case: &Case, folder: &Path, device: &Device) -> Output {
    command(case, folder, device)
        .output()
        .expect("the program under test starts")
}

/// The command that runs one case, whose program and arrays this writes to
/// `folder`, and that leaves there what the case expects.
fn command(case: &Case, folder: &Path, device: &Device) -> Command {
    let program = folder.join("program.mlir");
    fs::write(&program, &case.source).expect("the folder can be written to");
    let mut command = gridloom(folder);
    command
        .arg("run")
        .arg(&program)
        .args(["--device", device.name])
        .args(device.options);
    for (number, arg) in case.args.iter().enumerate() {
        match arg {
            Arg::Number(value) => command.arg(format!("--arg={value}")),
            Arg::Array(tensor) => {
                let path = folder.join(format!("argument{number}.npy"));
                npy::write(&path, tensor).expect("the folder can be written to");
                command.arg(format!("--arg=@{}", path.display()))
            }
        };
    }
    for expected in &case.expected {
        let path = saved(folder, expected.place);
        // So that what an earlier case has left is not taken for this one's.
        let _ = fs::remove_file(&path);
        let (option, number) = match expected.place {
            Place::Argument(number) => ("--save-arg", number),
            Place::Result(number) => ("--save-result", number),
        };
        command
            .arg(option)
            .arg(format!("{number}=@{}", path.display()));
    }
    command
}

/// The program under test; `folder` keeps what drivers leave.
fn gridloom(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gridloom"));
    command
        .env("VK_DRIVER_FILES", driver_files())
        .env("XDG_RUNTIME_DIR", folder);
    command
}

fn saved(folder: &Path, place: Place) -> PathBuf {
    folder.join(match place {
        Place::Argument(number) => format!("after-argument{number}.npy"),
        Place::Result(number) => format!("after-result{number}.npy"),
    })
}
