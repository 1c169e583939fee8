//! docs/polybench.md: what of each PolyBench program runs on the device. The page is made here
//! and held against what the compiler does today; `GRIDLOOM_BLESS=1` writes it anew.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use gridloom::ir::Severity;
use gridloom::{DeviceWish, OffloadOptions, Program, Session, SessionOptions};

/// Where the table begins in the page; what stands before it is written by hand.
const MARK: &str =
    "<!-- The table is made by a test: GRIDLOOM_BLESS=1 cargo xtask test polybench -->\n";

/// What is said of a program.
struct Row {
    kernels: usize,
    launches: u64,
    /// Iterations of loops: as written, and those left on the host.
    steps: [u64; 2],
    /// Host loops that the compiler remarks on.
    remarks: usize,
}

impl Row {
    /// The share of iterations that the host does not run, in tenths of a percent, rounded down.
    fn share(&self) -> u64 {
        let [written, left] = self.steps;
        written.saturating_sub(left) * 1000 / written.max(1)
    }
}

fn row(session: &Session, source: &str, name: &str) -> Row {
    let ctx = gridloom::context();
    let run = |options: Option<&OffloadOptions>| {
        let module = gridloom::parse(&ctx, name, source.as_bytes()).expect("it is a program");
        let program = Program::compile(&ctx, module, None, options).expect("it compiles");
        let inputs = program.inputs(&[], |_| Err("no files".to_owned()));
        let inputs = inputs.expect("inputs of its types");
        let outcome = program.run(session, &inputs).expect("it runs");
        (outcome, program.remarks)
    };
    let (written, _) = run(None);
    let (mapped, remarks) = run(Some(&OffloadOptions::default()));
    let host = remarks
        .iter()
        .filter(|r| r.severity == Severity::Remark && r.message.contains("runs on the host"));
    Row {
        kernels: mapped.launches.len(),
        launches: mapped.launches.iter().map(|launch| launch.count).sum(),
        steps: [written.host_steps, mapped.host_steps],
        remarks: host.count(),
    }
}

/// The page's table and its last line.
fn table() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/programs/polybench");
    let mut files: Vec<_> = fs::read_dir(&root)
        .expect("the folder is part of the repository")
        .map(|entry| entry.expect("its entries can be read").path())
        .collect();
    files.sort();
    let session = Session::open(&DeviceWish::Cpu, SessionOptions::default());
    let session = session.expect("the interpreter is always there");
    let mut out = "\n| program | kernels | launches | iterations as written | left on the host | \
                   share on the device | loops with a remark |\n|---|--:|--:|--:|--:|--:|--:|\n"
        .to_owned();
    let mut shares = Vec::new();
    for file in &files {
        let name = file
            .file_stem()
            .and_then(|name| name.to_str())
            .expect("names are plain");
        let source = fs::read_to_string(file).expect("it can be read");
        let row = row(&session, &source, name);
        let (share, [written, left]) = (row.share(), row.steps);
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "| {name} | {} | {} | {written} | {left} | {}.{} % | {} |",
            row.kernels,
            row.launches,
            share / 10,
            share % 10,
            row.remarks
        );
        shares.push(share);
    }
    let most = shares.iter().filter(|&&share| share > 950).count();
    let _ = writeln!(
        out,
        "\n{most} of {} programs have more than 95 % on the device.",
        shares.len()
    );
    out
}

#[test]
fn the_page_on_polybench_is_what_the_compiler_does() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/polybench.md");
    let page = fs::read_to_string(&path).expect("the page is part of the repository");
    let (text, told) = page.split_once(MARK).expect("the page has the mark");
    let made = table();
    if std::env::var_os("GRIDLOOM_BLESS").is_some() {
        fs::write(&path, format!("{text}{MARK}{made}")).expect("the page can be written");
        return;
    }
    assert!(
        told == made,
        "docs/polybench.md is out of date; GRIDLOOM_BLESS=1 writes it anew. Today:\n{made}"
    );
}
