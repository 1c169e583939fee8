//! File tests: `.mlir` files that say in comments how they are to be tested.
//!
//! A file asks for one or more tests by lines `// test: MODE [ARGS]`; each runs the `gridloom`
//! program as a user would. What must come of it stands in further comments, or beside the file.
//!
//! | mode | what runs | what must hold |
//! |---|---|---|
//! | `verify [FLAGS]` | `gridloom opt FLAGS FILE` | it is accepted; `mlir-opt FLAGS` accepts the file too. With `--verify-diagnostics` both hold what they say against the file's `expected-error` comments |
//! | `stricter [FLAGS]` | `gridloom opt FLAGS --verify-diagnostics FILE` | it says what the file's `expected-error` comments say; `mlir-opt FLAGS` accepts the file |
//! | `roundtrip [FLAGS]` | `gridloom opt FLAGS FILE`, then the same on its output | the second output is the first; `mlir-opt` reads the same generic form from the file and from the output; our generic form reads back as the custom one |
//! | `print [FLAGS]` | `gridloom opt FLAGS FILE` | the output is that of `mlir-opt FLAGS FILE`, part for part |
//! | `canonical [FLAGS]` | `gridloom opt FLAGS --canonicalize FILE`, then the same on its output | `mlir-opt` accepts the output; its functions are those that `mlir-opt --canonicalize` makes, wherever constants stand; the second output is the first |
//! | `opt FLAGS` | `gridloom opt FLAGS FILE` | the output is `FILE.expected`, and `mlir-opt` accepts it |
//! | `stages FLAGS` | `gridloom opt FLAGS --mlir-print-ir-after-all FILE` | `mlir-opt` accepts the module after every pass |
//! | `spirv [FLAGS]` | `gridloom compile --emit=spirv FLAGS FILE` | `spirv-val` accepts the module; where `FILE.expected` is there, the assembly is that |
//! | `shaders [FLAGS]` | `gridloom compile --emit=L FLAGS FILE` for L of `wgsl`, `msl`, `hlsl` and `glsl` | `glslangValidator` accepts the GLSL, and the HLSL with each entry point |
//! | `run [ARGS]` | `gridloom run FILE ARGS --check --device D` for every device, and on the interpreter in every thread order and with `--sanitize`; kernels for any sizes, and where sizes may follow from arguments for these | it succeeds everywhere, with every expected value |
//! | `run-opt [ARGS]` | `gridloom run ARGS` on what the passes of the file's test `opt` make, on the interpreter, in every thread order and with `--sanitize` | results and arguments end with the same bits as those of the program as written, and with every expected value |
//! | `run-compiled [ARGS]` | `gridloom run ARGS --check --device D` for every device on what `gridloom compile` makes, as text and as bytecode | both succeed, with every expected value; `mlir-opt` accepts the text, and reads the same from the bytecode |
//! | `translate FLAGS` | `gridloom opt FLAGS FILE`, and `gridloom translate` of each `spirv.module` to words and back | `mlir-opt` accepts the text, `spirv-val` the words, those that `mlir-translate` makes of our text, and ours of its text; with `--convert-gpu-to-spirv`, the program runs on lavapipe with kernels that went through the text, with `--check` |
//! | `error [opt\|compile\|run\|translate] [ARGS]` | the command (`opt` if none is named) | it ends with status 1 and prints the expected errors |
//!
//! | comment | meaning |
//! |---|---|
//! | `// error: LINE:COL: TEXT` | an error at this place whose message contains TEXT; without `LINE:COL:`, an error that has no place. All errors must be expected, and all expected ones come |
//! | `// warning: …`, `// remark: …` | likewise, but a file that names no warning (remark) does not mind any |
//! | `// expect: arg N = VALUES`, `// expect: result N = VALUES` | what the N-th argument or result (from 0) of a run holds in the end, in logical index order; brackets and commas are for the reader. A last word `within T` allows a relative difference |
//! | `// exit: N` | the status that `error` must see instead of 1 |
//! | `// except: DEVICE: REASON` | a device on which `run` and `run-compiled` are left out |
//! | `// except: part N: REASON` | a part of the file, from 1, that `print` leaves out |
//! | `// differs: @F: REASON` | a function that `canonical` must see come out otherwise than from `mlir-opt`, on purpose |
//! | `// promises: @F: REASON` | a function that relies on what its operations say of their operands, so that tests do not run it on made-up arguments |
//!
//! With `GRIDLOOM_BLESS=1` the `.expected` files are written instead of compared: read the
//! difference before committing it. Without, an output that differs is left in `FILE.actual`.

mod canonical;
mod compilation;
mod diagnostics;
mod difference;
mod execution;
mod header;
mod language;
mod npy;
mod translation;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use difference::same;
pub use header::{Header, Mode, Test};

use crate::{driver_files, feed, mlir_opt};

/// The program under test and where it runs.
#[derive(Clone, Debug)]
pub struct Runner {
    /// The `gridloom` executable.
    pub gridloom: PathBuf,
    /// The folder of the workspace, which file names are relative to, so that no message depends on where that is.
    pub workspace: PathBuf,
    /// A folder for what tests write.
    pub scratch: PathBuf,
}

/// A test of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileTest {
    /// The file, relative to the workspace.
    pub file: String,
    /// What to do with it.
    pub test: Test,
}

impl Runner {
    /// All tests of the `.mlir` files under `folder` (relative to the workspace), in order of their names.
    /// A file that asks for nothing gets those of `default`, written as after `// test: `.
    ///
    /// # Errors
    ///
    /// A folder or file that cannot be read, a header that is not understood, or a file
    /// that asks for no test where there is no default: each would be a test that silently does not run.
    pub fn discover(&self, folder: &str, default: &[&str]) -> Result<Vec<FileTest>, String> {
        let mut files = Vec::new();
        collect(&self.workspace, folder, &mut files)?;
        files.sort();
        let mut tests = Vec::new();
        for file in files {
            let header = self.header(&file)?;
            let mut asked = header.tests;
            if asked.is_empty() {
                asked = default
                    .iter()
                    .map(|line| Test::parse(line))
                    .collect::<Result<_, _>>()?;
            }
            if asked.is_empty() {
                return Err(format!("{file} has no line `// test: MODE`"));
            }
            tests.extend(asked.into_iter().map(|test| FileTest {
                file: file.clone(),
                test,
            }));
        }
        Ok(tests)
    }

    /// Runs one test.
    ///
    /// # Errors
    ///
    /// What was expected and what came, for a person to read.
    pub fn run(&self, FileTest { file, test }: &FileTest) -> Result<(), String> {
        let header = self.header(file)?;
        match test.mode {
            Mode::Verify => self.verify(file, test, &header),
            Mode::Stricter => self.stricter(file, test),
            Mode::Roundtrip => self.roundtrip(file, test, &header),
            Mode::Print => self.print(file, test, &header),
            Mode::Canonical => self.canonical(file, test, &header),
            Mode::Opt => self.opt(file, test, &header),
            Mode::Stages => self.stages(file, test, &header),
            Mode::Spirv => self.spirv(file, test, &header),
            Mode::Shaders => self.shaders(file, test, &header),
            Mode::Translate => self.translate(file, test, &header),
            Mode::Run => self.run_on_all_devices(file, test, &header),
            Mode::RunCompiled => self.run_compiled(file, test, &header),
            Mode::RunOpt => self.run_transformed(file, test, &header),
            Mode::Explain => self.explain(file, test, &header),
            Mode::Error => self.error(file, test, &header),
        }
    }

    fn header(&self, file: &str) -> Result<Header, String> {
        // Tests of bad input are not all UTF-8; their comments are.
        let bytes = fs::read(self.workspace.join(file)).map_err(|e| format!("{file}: {e}"))?;
        Header::parse(&String::from_utf8_lossy(&bytes)).map_err(|e| format!("{file}: {e}"))
    }

    fn opt(&self, file: &str, test: &Test, header: &Header) -> Result<(), String> {
        let output = self.accepted("opt", file, &test.args, header)?;
        mlir_opt_generic(&output, &[])?;
        self.compare_with_file(file, &output)
    }

    fn explain(&self, file: &str, test: &Test, header: &Header) -> Result<(), String> {
        let output = self.accepted("explain", file, &test.args, header)?;
        self.compare_with_file(file, &output)
    }

    fn stages(&self, file: &str, test: &Test, header: &Header) -> Result<(), String> {
        let args = [&test.args[..], &["--mlir-print-ir-after-all".to_owned()]].concat();
        let output = self.gridloom("opt", file, &args, b"")?;
        stdout_of_success("opt", output.clone())?;
        let stderr = String::from_utf8_lossy(&output.stderr);
        let (stages, said) = stages_in(&stderr);
        if stages.is_empty() {
            return Err(format!(
                "no pass printed its module; standard error was:\n{stderr}"
            ));
        }
        diagnostics::check(&said, &header.diagnostics)?;
        let modules: Vec<&str> = stages.iter().map(|(_, module)| &module[..]).collect();
        if are_accepted_together(&modules) {
            return Ok(());
        }
        for (pass, module) in &stages {
            mlir_opt_generic(module, &[]).map_err(|error| format!("after {pass}: {error}"))?;
        }
        Err("mlir-opt accepts the modules one by one, but not together".to_owned())
    }

    fn error(&self, file: &str, test: &Test, header: &Header) -> Result<(), String> {
        let (command, args) = match test.args.split_first() {
            Some((word, rest))
                if ["opt", "compile", "run", "translate"].contains(&word.as_str()) =>
            {
                (word.as_str(), rest)
            }
            _ => ("opt", &test.args[..]),
        };
        let output = self.gridloom(command, file, args, b"")?;
        let stderr = String::from_utf8_lossy(&output.stderr);
        if output.status.code() != Some(header.exit) {
            return Err(format!(
                "ended with {}, not with status {}\n{stderr}",
                output.status, header.exit
            ));
        }
        diagnostics::check(&stderr, &header.diagnostics)
    }

    /// The standard output of a command that must succeed, with the diagnostics that the header says.
    fn accepted(
        &self,
        command: &str,
        file: &str,
        args: &[String],
        header: &Header,
    ) -> Result<String, String> {
        let output = self.gridloom(command, file, args, b"")?;
        let stdout = stdout_of_success(command, output.clone())?;
        diagnostics::check(
            &String::from_utf8_lossy(&output.stderr),
            &header.diagnostics,
        )?;
        Ok(stdout)
    }

    fn reprint(&self, source: &str, args: &[String]) -> Result<String, String> {
        let output = self.gridloom("opt", "-", args, source.as_bytes())?;
        stdout_of_success("opt", output).map_err(|error| format!("{error}\nreading:\n{source}"))
    }

    fn gridloom(
        &self,
        command: &str,
        file: &str,
        args: &[String],
        input: &[u8],
    ) -> Result<Output, String> {
        let mut child = Command::new(&self.gridloom);
        child
            .arg(command)
            .arg(file)
            .args(args)
            .current_dir(&self.workspace);
        if command == "run" {
            child.env("VK_DRIVER_FILES", driver_files());
            // Window systems that a driver looks for by itself complain on standard error where it is not set.
            child.env("XDG_RUNTIME_DIR", &self.scratch);
        }
        feed(&mut child, input).map_err(|error| format!("{}: {error}", self.gridloom.display()))
    }

    fn source(&self, file: &str) -> Result<String, String> {
        let source = fs::read(self.workspace.join(file)).map_err(|e| format!("{file}: {e}"))?;
        Ok(String::from_utf8_lossy(&source).into_owned())
    }

    fn expectation(&self, file: &str) -> PathBuf {
        self.workspace.join(format!("{file}.expected"))
    }

    fn compare_with_file(&self, file: &str, output: &str) -> Result<(), String> {
        let path = self.expectation(file);
        let actual = self.workspace.join(format!("{file}.actual"));
        if bless() {
            return fs::write(&path, output).map_err(|e| format!("{}: {e}", path.display()));
        }
        let expected = fs::read_to_string(&path)
            .map_err(|e| format!("{}: {e}; GRIDLOOM_BLESS=1 writes it", path.display()))?;
        same("the output", &expected, output).map_err(|difference| {
            let left = match fs::write(&actual, output) {
                Ok(()) => format!("the whole output is in {}", actual.display()),
                Err(error) => format!("{}: {error}", actual.display()),
            };
            format!("{difference}\n{left}")
        })?;
        // One that an earlier run left would mislead. Most often there is none.
        let _ = fs::remove_file(&actual);
        Ok(())
    }
}

fn bless() -> bool {
    env::var_os("GRIDLOOM_BLESS").is_some_and(|value| value == "1")
}

/// The generic form in which `mlir-opt` prints `source`: names, aliases and spellings drop out, so that equal programs
/// are equal texts. Of the `flags` of a test, `mlir-opt` needs the one that divides the source.
fn mlir_opt_generic(source: &str, flags: &[String]) -> Result<String, String> {
    let split = flags.iter().filter(|flag| *flag == SPLIT);
    let flags = [ALLOW, GENERIC]
        .into_iter()
        .chain(split.map(String::as_str));
    mlir_opt_prints(source, &flags.collect::<Vec<_>>())
}

/// Whether one `mlir-opt`, whose start costs more than what it reads here, accepts each of the modules.
/// It must print as many as it was given, so that none is passed over.
fn are_accepted_together(modules: &[&str]) -> bool {
    let separator = format!("\n{SEPARATOR}");
    let printed = mlir_opt().run(
        &[ALLOW, GENERIC, SPLIT],
        modules.join(&separator).as_bytes(),
    );
    printed.is_ok_and(|printed| {
        let printed = String::from_utf8_lossy(&printed);
        printed.split(SEPARATOR).count() == modules.len()
            && printed.split(SEPARATOR).all(|part| !part.trim().is_empty())
    })
}

/// What `mlir-opt` prints with `flags`.
fn mlir_opt_prints(source: &str, flags: &[&str]) -> Result<String, String> {
    let printed = mlir_opt()
        .run(flags, source.as_bytes())
        .map_err(|error| format!("{error}\nreading:\n{source}"))?;
    Ok(String::from_utf8_lossy(&printed).into_owned())
}

const ALLOW: &str = "--allow-unregistered-dialect";
const GENERIC: &str = "--mlir-print-op-generic";
const SPLIT: &str = "--split-input-file";

/// What divides the parts of a text that [`SPLIT`] takes one by one.
const SEPARATOR: &str = "// -----\n";

/// How the line starts that `--mlir-print-ir-after-all` puts before a module.
const STAGE: &str = "// -----// IR Dump After ";

/// The passes and the modules that they left, in the order in which they ran; and all
/// else that was said between them.
fn stages_in(stderr: &str) -> (Vec<(String, String)>, String) {
    let mut parts = stderr.split(STAGE);
    let mut said = parts.next().unwrap_or_default().to_owned();
    let mut stages = Vec::new();
    for (pass, text) in parts.filter_map(|part| part.split_once(" //----- //\n")) {
        // A module ends with a brace at the start of a line; diagnostics do not begin so.
        let end = text
            .rfind("\n}")
            .and_then(|at| Some(at + 2 + text[at + 2..].find('\n')?));
        let (module, rest) = text.split_at(end.unwrap_or(text.len()));
        stages.push((pass.to_owned(), module.to_owned()));
        said.push_str(rest);
    }
    (stages, said)
}

fn stdout_of_success(command: &str, output: Output) -> Result<String, String> {
    let stderr = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!(
            "`gridloom {command}` ended with {}\n{stderr}",
            output.status
        ));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("output: {error}"))
}

fn collect(workspace: &Path, folder: &str, files: &mut Vec<String>) -> Result<(), String> {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(workspace.join(&folder)).map_err(|e| format!("{folder}: {e}"))?;
        for entry in entries {
            let entry = entry.map_err(|e| format!("{folder}: {e}"))?;
            let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                folders.push(name);
            } else if name.ends_with(".mlir") {
                files.push(name);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_told_apart() {
        let stderr = "a.mlir:1:1: remark: r\n\
            // -----// IR Dump After One (one) //----- //\nmodule {\n}\na.mlir:2:1: remark: s\n\
            // -----// IR Dump After Two (two) //----- //\nmodule {\n}\n";
        let (stages, said) = stages_in(stderr);
        let module = "module {\n}".to_owned();
        let expected = [
            ("One (one)".to_owned(), module.clone()),
            ("Two (two)".to_owned(), module),
        ];
        assert_eq!(stages, expected);
        assert_eq!(said, "a.mlir:1:1: remark: r\n\na.mlir:2:1: remark: s\n\n");
    }

    #[test]
    fn one_wrong_module_among_several_is_refused() {
        let right = "module {\n}";
        let unclosed = "module {";
        let unverified = "func.func @f() -> i32 {\n  return\n}";
        assert!(are_accepted_together(&[right]));
        assert!(are_accepted_together(&[right, right, right]));
        for wrong in [unclosed, unverified] {
            assert!(!are_accepted_together(&[wrong]), "{wrong}");
            assert!(!are_accepted_together(&[right, wrong, right]), "{wrong}");
            assert!(!are_accepted_together(&[right, wrong]), "{wrong}");
        }
        // A text that the tool would divide further is none of one module.
        assert!(!are_accepted_together(&[
            "module {\n}\n// -----\nmodule {\n}"
        ]));
    }
}
