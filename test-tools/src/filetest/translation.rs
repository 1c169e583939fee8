//! The test `translate`: kernels in the `spirv` dialect and as SPIR-V, each made of the other by us and by MLIR.

use super::header::{Header, Test};
use super::{Runner, mlir_opt_generic, stdout_of_success};
use crate::{mlir_translate, spirv_val};

/// The options with which `mlir-translate` reads one `spirv.module` and writes it.
const TO_WORDS: [&str; 2] = ["--no-implicit-module", "--serialize-spirv"];

impl Runner {
    pub(super) fn translate(&self, file: &str, test: &Test, header: &Header) -> Result<(), String> {
        let text = self.accepted("opt", file, &test.args, header)?;
        mlir_opt_generic(&text, &[])?;
        for name in module_names(&text) {
            let wrong = |error: String| format!("spirv.module '{name}': {error}");
            self.there_and_back(&text, name).map_err(wrong)?;
        }
        let has_kernels = test
            .args
            .iter()
            .any(|arg| arg.starts_with("--convert-gpu-to-spirv"));
        match has_kernels {
            true => self.run_translated(file),
            false => Ok(()),
        }
    }

    /// Holds the words of a module against the validator, and the text of these words, by us and by MLIR, against
    /// MLIR's and our writer.
    fn there_and_back(&self, text: &str, name: &str) -> Result<(), String> {
        let mut to_words = vec!["--serialize-spirv".to_owned()];
        if !name.is_empty() {
            to_words.extend(["--module".to_owned(), name.to_owned()]);
        }
        let words = self.translated(&to_words, text.as_bytes())?;
        valid("our words", &words)?;
        let to_text = ["--deserialize-spirv".to_owned()];
        let ours = self.translated(&to_text, &words)?;
        let theirs = mlir_translate().run(&TO_WORDS, &ours)?;
        valid("the words that MLIR makes of our text", &theirs)?;
        let read = mlir_translate().run(&["--deserialize-spirv"], &words)?;
        let again = self.translated(&["--serialize-spirv".to_owned()], &read)?;
        valid("our words of MLIR's text", &again)
    }

    fn translated(&self, args: &[String], input: &[u8]) -> Result<Vec<u8>, String> {
        let output = self.gridloom("translate", "-", args, input)?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        stdout_of_success("translate", output).map(String::into_bytes)
    }

    /// Runs the program with kernels that went through the text of the dialect; none may stay on the host for that.
    fn run_translated(&self, file: &str) -> Result<(), String> {
        let args = "--device llvmpipe --spirv-dialect --check --remarks";
        let args: Vec<String> = args.split(' ').map(str::to_owned).collect();
        let output = self.gridloom("run", file, &args, b"")?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        stdout_of_success("run", output)?;
        match said.contains("the dialect") || said.contains("as SPIR-V") {
            true => Err(said),
            false => Ok(()),
        }
    }
}

fn valid(what: &str, words: &[u8]) -> Result<(), String> {
    let checked = spirv_val().run(&["--target-env", "vulkan1.1", "-"], words);
    checked
        .map(|_| ())
        .map_err(|error| format!("{what}: {error}"))
}

/// The names of the `spirv.module`s of a text as we print it; empty for one without a name.
fn module_names(text: &str) -> Vec<&str> {
    let lines = text
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("spirv.module "));
    let names = lines.map(|line| match line.strip_prefix('@') {
        Some(line) => line.split(' ').next().unwrap_or_default(),
        None => "",
    });
    names.collect()
}
