//! The tests `verify`, `stricter`, `roundtrip` and `print`: what is read, refused and printed, held against `mlir-opt`.

use super::difference::same;
use super::header::{Header, Test};
use super::{ALLOW, Runner, SEPARATOR, mlir_opt_generic, mlir_opt_prints};

/// The flag with which `mlir-opt` prints no aliases, and no resources either.
const LOCAL_SCOPE: &str = "--mlir-print-local-scope";

/// How the section of resources starts, at the end of a program.
const RESOURCES: &str = "{-#";

impl Runner {
    pub(super) fn verify(&self, file: &str, test: &Test, header: &Header) -> Result<(), String> {
        self.accepted("opt", file, &test.args, header)?;
        self.mlir_opt(file, &test.args).map(drop)
    }

    pub(super) fn stricter(&self, file: &str, test: &Test) -> Result<(), String> {
        let annotated = ["--verify-diagnostics".to_owned()];
        let args = [&test.args[..], &annotated].concat();
        self.accepted("opt", file, &args, &Header::default())?;
        self.mlir_opt(file, &test.args).map(drop)
    }

    pub(super) fn roundtrip(&self, file: &str, test: &Test, header: &Header) -> Result<(), String> {
        let once = self.accepted("opt", file, &test.args, header)?;
        let twice = self.reprint(&once, &test.args)?;
        same("printing what was printed", &once, &twice)?;

        let generic_args = [test.args.as_slice(), &["--mlir-print-op-generic".into()]].concat();
        let generic = self.accepted("opt", file, &generic_args, header)?;
        let from_generic = self.reprint(&generic, &test.args)?;
        same(
            "printing what was read from the generic form",
            &once,
            &from_generic,
        )?;

        let theirs = mlir_opt_generic(&self.source(file)?, &test.args)?;
        let theirs_of_ours = mlir_opt_generic(&once, &test.args)?;
        same(
            "what mlir-opt reads from our output",
            &theirs,
            &theirs_of_ours,
        )
    }

    pub(super) fn print(&self, file: &str, test: &Test, header: &Header) -> Result<(), String> {
        let ours = self.accepted("opt", file, &test.args, header)?;
        let theirs = self.mlir_opt(file, &test.args)?;
        let source = self.source(file)?;
        let parts = |text: &str| -> Vec<String> {
            let parts = text.split(SEPARATOR);
            parts.map(|part| part.trim_end().to_owned()).collect()
        };
        let (ours, theirs, sources) = (parts(&ours), parts(&theirs), parts(&source));
        if ours.len() != sources.len() || theirs.len() != sources.len() {
            return Err(format!(
                "of {} parts, gridloom prints {} and mlir-opt {}",
                sources.len(),
                ours.len(),
                theirs.len()
            ));
        }
        let local_scope = test.args.iter().any(|flag| flag == LOCAL_SCOPE);
        for (index, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
            let name = format!("part {}", index + 1);
            let left_out = header.exceptions.contains(&name);
            let loses_resources = local_scope && sources[index].contains(RESOURCES);
            if !left_out && !loses_resources {
                same(&format!("{name}, beside mlir-opt's print,"), theirs, ours)?;
            }
            if left_out && !local_scope && ours == theirs {
                return Err(format!("{name} is printed as mlir-opt prints it"));
            }
        }
        Ok(())
    }

    /// What `mlir-opt` prints of a file with the flags of a test.
    fn mlir_opt(&self, file: &str, flags: &[String]) -> Result<String, String> {
        let mut all: Vec<&str> = flags.iter().map(String::as_str).collect();
        if !all.contains(&ALLOW) {
            all.push(ALLOW);
        }
        mlir_opt_prints(&self.source(file)?, &all)
    }
}
