//! Finds and runs the programs that tests hold gridloom against.
//!
//! A test that needs a foreign oracle must have it: a test that skips itself when a tool is
//! missing looks like a test that passes. [`mlir_opt`], [`spirv_val`] and [`glslang`] therefore panic with the way out
//! (`cargo xtask setup`) where the tool is absent.
//!
//! | tool | environment variable | else looked for as |
//! |---|---|---|
//! | `mlir-opt` of LLVM 22 | `GRIDLOOM_MLIR_OPT` | `mlir-opt-22`, then `mlir-opt` in `PATH`, then where Debian puts it |
//! | `spirv-val` | `GRIDLOOM_SPIRV_VAL` | `spirv-val` in `PATH` |
//! | `glslangValidator` | `GRIDLOOM_GLSLANG` | `glslangValidator`, then `glslang` in `PATH` |
//! | software Vulkan drivers | `VK_DRIVER_FILES` | what set-up has put under `.tools` |
//!
//! [`filetest`] runs the tests that are `.mlir` files, [`mutate`] damages programs.

pub mod filetest;
pub mod mutate;

use std::env;
use std::ffi::OsString;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::thread;

/// The LLVM release whose `mlir-opt` defines the language.
pub const LLVM_RELEASE: u32 = 22;

/// A foreign program that has been found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    path: PathBuf,
}

/// Why a tool cannot be used; the text names what was looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing(String);

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Missing {}

/// `mlir-opt` of [`LLVM_RELEASE`].
///
/// # Panics
///
/// Where it is absent: see the crate documentation.
pub fn mlir_opt() -> Tool {
    // Asking a candidate for its release costs as much as a run of it, and a test run needs it thousands of times.
    static FOUND: OnceLock<Result<Tool, Missing>> = OnceLock::new();
    required(FOUND.get_or_init(find_mlir_opt).clone())
}

/// `mlir-translate`, which comes with [`mlir_opt`] and lies beside it.
///
/// # Panics
///
/// Where it is absent: see the crate documentation.
pub fn mlir_translate() -> Tool {
    beside(mlir_opt(), "mlir-opt", "mlir-translate")
}

/// `spirv-opt` of SPIRV-Tools, which lies beside [`spirv_val`].
///
/// # Panics
///
/// Where it is absent: see the crate documentation.
pub fn spirv_opt() -> Tool {
    beside(spirv_val(), "spirv-val", "spirv-opt")
}

/// The tool of a package that another one lies in, its name differing in one part.
fn beside(tool: Tool, part: &str, other: &str) -> Tool {
    let name = tool
        .path
        .file_name()
        .map(|name| name.to_string_lossy().replace(part, other));
    let path = name.map(|name| tool.path.with_file_name(name));
    let found = path.filter(|path| path.is_file()).map(|path| Tool { path });
    let shown = tool.path.display();
    required(found.ok_or_else(|| Missing(format!("no {other} beside {shown}"))))
}

/// `spirv-val` of SPIRV-Tools.
///
/// # Panics
///
/// Where it is absent: see the crate documentation.
pub fn spirv_val() -> Tool {
    required(find_spirv_val())
}

/// `glslangValidator`, the reference front end of GLSL, which reads HLSL too.
///
/// # Panics
///
/// Where it is absent: see the crate documentation.
pub fn glslang() -> Tool {
    required(find_glslang())
}

fn required(found: Result<Tool, Missing>) -> Tool {
    found.unwrap_or_else(|missing| panic!("{missing}; run `cargo xtask setup`"))
}

/// The manifests of the Vulkan drivers that programs under test are to use, as the
/// value of `VK_DRIVER_FILES`: what that says already, else those that set-up has put under `.tools`.
///
/// # Panics
///
/// Where there is neither.
pub fn driver_files() -> OsString {
    if let Some(named) = env::var_os("VK_DRIVER_FILES") {
        return named;
    }
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.tools");
    let manifests = ["mesa/lvp_icd.json", "swiftshader/vk_swiftshader_icd.json"];
    let present = manifests.map(|manifest| tools.join(manifest)).into_iter();
    let joined = env::join_paths(present.filter(|path| path.is_file())).unwrap_or_default();
    assert!(
        !joined.is_empty(),
        "no software Vulkan driver: neither VK_DRIVER_FILES nor .tools has one; run `cargo xtask setup`"
    );
    joined
}

/// Looks for `mlir-opt` of [`LLVM_RELEASE`].
pub fn find_mlir_opt() -> Result<Tool, Missing> {
    let versioned = format!("mlir-opt-{LLVM_RELEASE}");
    let debian = PathBuf::from(format!("/usr/lib/llvm-{LLVM_RELEASE}/bin/mlir-opt"));
    let candidates = match overridden("GRIDLOOM_MLIR_OPT")? {
        Some(path) => vec![path],
        None => [in_path(&versioned), in_path("mlir-opt"), Some(debian)]
            .into_iter()
            .flatten()
            .collect(),
    };
    // An `mlir-opt` of another release reads and prints another language, and
    // would fail tests for reasons that have nothing to do with gridloom.
    candidates
        .into_iter()
        .find(|path| is_llvm_release(path))
        .map(|path| Tool { path })
        .ok_or_else(|| {
            Missing(format!(
                "no mlir-opt of LLVM {LLVM_RELEASE}: neither GRIDLOOM_MLIR_OPT, nor {versioned} or mlir-opt in PATH"
            ))
        })
}

/// Looks for `spirv-val`.
pub fn find_spirv_val() -> Result<Tool, Missing> {
    overridden("GRIDLOOM_SPIRV_VAL")?
        .or_else(|| in_path("spirv-val"))
        .map(|path| Tool { path })
        .ok_or_else(|| {
            Missing("no spirv-val: neither GRIDLOOM_SPIRV_VAL nor spirv-val in PATH".into())
        })
}

/// Looks for `glslangValidator`.
pub fn find_glslang() -> Result<Tool, Missing> {
    overridden("GRIDLOOM_GLSLANG")?
        .or_else(|| in_path("glslangValidator"))
        .or_else(|| in_path("glslang"))
        .map(|path| Tool { path })
        .ok_or_else(|| {
            Missing(
                "no glslangValidator: neither GRIDLOOM_GLSLANG nor glslangValidator or glslang in \
                 PATH"
                    .into(),
            )
        })
}

/// The file an environment variable names, which must then exist.
fn overridden(variable: &str) -> Result<Option<PathBuf>, Missing> {
    match env::var_os(variable).map(PathBuf::from) {
        Some(path) if path.is_file() => Ok(Some(path)),
        Some(path) => Err(Missing(format!(
            "{variable} names {}, which is not a file",
            path.display()
        ))),
        None => Ok(None),
    }
}

/// The first file called `name` in `PATH`.
pub fn in_path(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    env::split_paths(&env::var_os("PATH")?)
        .map(|folder| folder.join(&file))
        .find(|path| path.is_file())
}

fn is_llvm_release(mlir_opt: &Path) -> bool {
    let Ok(output) = Command::new(mlir_opt).arg("--version").output() else {
        return false;
    };
    String::from_utf8_lossy(&output.stdout).contains(&format!("LLVM version {LLVM_RELEASE}."))
}

impl Tool {
    /// Where the tool lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Runs the tool on `input` and returns what it wrote to its standard output.
    ///
    /// # Errors
    ///
    /// The tool's standard error where it ends with a status other than 0, or
    /// cannot be started.
    pub fn run<A: AsRef<str>>(&self, args: &[A], input: &[u8]) -> Result<Vec<u8>, String> {
        let mut command = Command::new(&self.path);
        command.args(args.iter().map(AsRef::as_ref));
        let output = feed(&mut command, input)
            .map_err(|error| format!("{}: {error}", self.path.display()))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let errors = String::from_utf8_lossy(&output.stderr);
        Err(format!(
            "{}: {}\n{errors}",
            self.path.display(),
            output.status
        ))
    }
}

/// Runs `command` with `input` on its standard input and collects its output.
///
/// The input is written from a second thread: a child that fills its output
/// pipe before it has read everything would otherwise wait for us for ever.
pub fn feed(command: &mut Command, input: &[u8]) -> io::Result<std::process::Output> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let stdin = child.stdin.take();
    thread::scope(|scope| {
        scope.spawn(move || {
            if let Some(mut stdin) = stdin {
                // A child may well end without reading all of it, an error of
                // its own that its exit status tells.
                let _ = stdin.write_all(input);
            }
        });
        child.wait_with_output()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mlir_opt_reads_from_standard_input() {
        let printed = mlir_opt().run::<&str>(&[], b"module @m {\n}\n").unwrap();
        assert_eq!(String::from_utf8(printed).unwrap(), "module @m {\n}\n\n");
    }

    #[test]
    fn a_refusal_carries_the_tools_own_words() {
        let refusal = mlir_opt().run::<&str>(&[], b"func.func").unwrap_err();
        assert!(refusal.contains("error:"), "{refusal}");
    }

    #[test]
    fn spirv_val_refuses_an_empty_module() {
        assert!(spirv_val().run(&["-"], b"").is_err());
    }

    #[test]
    fn glslang_refuses_what_is_no_shader() {
        let run = |text: &str| glslang().run(&["--stdin", "-S", "comp"], text.as_bytes());
        assert!(run("#version 450\nvoid main() {}\n").is_ok());
        assert!(run("#version 450\nvoid main() { x; }\n").is_err());
    }

    #[test]
    fn long_input_and_output_do_not_block_each_other() {
        let source = "module {\n}\n".repeat(20_000);
        let printed = mlir_opt().run::<&str>(&[], source.as_bytes()).unwrap();
        assert!(printed.len() >= source.len());
    }
}
