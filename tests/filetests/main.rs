//! Runs the tests that are `.mlir` files, one named test for each `// test:` line.
//!
//! What the files may say is told in `gridloom_test_tools::filetest`. The harness is not the standard one, so that
//! every file is a test with a name; plain `#[test]` functions would silently not run here.

use std::path::PathBuf;
use std::process::ExitCode;

use gridloom_test_tools::filetest::{FileTest, Runner};
use libtest_mimic::{Arguments, Trial};

/// Where files lie, and what those that ask for nothing are tested for.
const FOLDERS: [(&str, &[&str]); 7] = [
    ("tests/filetests", &[]),
    ("dialects/tests/it/language", &[]),
    ("dialects/tests/it/verify", &[]),
    ("codegen/tests/canonical", &[]),
    ("tests/programs", &["roundtrip", TRANSLATE]),
    (
        "examples",
        &[
            "roundtrip",
            "stages --offload",
            "stages --offload=opt-level=0",
            "stages --offload=opt-level=1",
            TRANSLATE,
        ],
    ),
    ("benches/programs", &["roundtrip", "stages --offload"]),
];

/// What the kernels of every program go through.
const TRANSLATE: &str = "translate --offload --convert-gpu-to-spirv";

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let runner = Runner {
        gridloom: PathBuf::from(env!("CARGO_BIN_EXE_gridloom")),
        workspace: PathBuf::from(env!("CARGO_MANIFEST_DIR")),
        scratch: PathBuf::from(env!("CARGO_TARGET_TMPDIR")),
    };
    let mut trials = Vec::new();
    for (folder, default) in FOLDERS {
        match runner.discover(folder, default) {
            Ok(tests) => trials.extend(tests.into_iter().map(|test| trial(&runner, test))),
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn trial(runner: &Runner, test: FileTest) -> Trial {
    let name = [
        test.file.clone(),
        test.test.mode.to_string(),
        test.test.args.join(" "),
    ];
    let runner = runner.clone();
    Trial::test(name.join(" ").trim_end(), move || Ok(runner.run(&test)?))
}
