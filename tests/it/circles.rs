//! Imports between the folders of a crate: none of them leads back to where it began.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The modules right below `crate` that each of them imports, by `crate::NAME` outside of comments.
fn imports(root: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut files = vec![root.to_owned()];
    while let Some(path) = files.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).expect("the folder was listed");
            files.extend(entries.map(|entry| entry.expect("the folder was listed").path()));
            continue;
        }
        let inside = path.strip_prefix(root).expect("the walk began at the root");
        let first = inside.iter().next().expect("a file has a name");
        let module = first.to_string_lossy().trim_end_matches(".rs").to_owned();
        let text = std::fs::read_to_string(&path).expect("sources are text");
        let code = text
            .lines()
            .map(|line| line.split("//").next().unwrap_or(""));
        let names = code.flat_map(|line| line.split("crate::").skip(1).map(str::to_owned));
        let name = |rest: String| {
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            rest.split(|c| !is_part(c)).next().unwrap_or("").to_owned()
        };
        found.entry(module).or_default().extend(names.map(name));
    }
    // The page of the crate says what of it is public, and is above all.
    found.remove("lib");
    found
}

/// Takes away modules that import none of those left, until there is no further one.
fn in_circles(mut imports: BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    loop {
        let left: BTreeSet<String> = imports.keys().cloned().collect();
        let before = imports.len();
        imports.retain(|me, them| them.iter().any(|it| it != me && left.contains(it)));
        if imports.len() == before {
            return imports.into_keys().collect();
        }
    }
}

#[test]
fn folders_import_each_other_in_one_direction() {
    for krate in ["codegen", "gpu-runtime"] {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(krate)
            .join("src");
        let imports = imports(&root);
        assert!(imports.len() > 5, "{krate} has modules: {imports:?}");
        assert_eq!(in_circles(imports), [""; 0], "circles in {krate}");
    }
}

#[test]
fn a_circle_is_found() {
    let of = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let imports: BTreeMap<String, BTreeSet<String>> = [
        ("a".to_owned(), of(&["b"])),
        ("b".to_owned(), of(&["b", "c"])),
        ("c".to_owned(), of(&["b", "d"])),
        ("d".to_owned(), of(&[])),
    ]
    .into();
    // `a` is in no circle, but leads to one.
    assert_eq!(in_circles(imports), ["a", "b", "c"]);
}
