//! Every rewrite of `canonicalize` shows what it does, `before ⇒ after`, in its documentation.

use std::path::{Path, PathBuf};

/// The end of a rewrite's signature: `gridloom_rewrite::canonicalize::Rule`.
const RULE: &str = "(rw: &mut Rewriter, op: OpId) -> Option<()> {";

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder is part of the repository");
    let paths = entries.map(|entry| entry.expect("its entries can be read").path());
    paths
        .flat_map(|path| match path.is_dir() {
            true => files(&path),
            false => vec![path],
        })
        .collect()
}

#[test]
fn every_rewrite_shows_before_and_after() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rewrite/src/canonicalize");
    let (mut rules, mut failures) = (0, Vec::new());
    for path in files(&folder) {
        let text = std::fs::read_to_string(&path).expect("sources are text");
        let mut documentation = String::new();
        for line in text.lines().map(str::trim) {
            if let Some(comment) = line.strip_prefix("///") {
                documentation += comment;
                continue;
            }
            if line.contains("fn ") && line.ends_with(RULE) {
                rules += 1;
                // A list of rewrites has nothing to show beyond those it lists.
                let lists = documentation.contains("Tries each rewrite");
                if !lists && !documentation.contains('⇒') {
                    failures.push(format!("{}: {line}", path.display()));
                }
            }
            documentation.clear();
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(rules > 100, "{rules} rewrites are found by their signature");
}
