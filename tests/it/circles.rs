//! Imports between the folders of a crate: none of them leads back to where it began.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Crates whose folders are floors.
const CRATES: [&str; 4] = ["ir", "dialects", "codegen", "gpu-runtime"];

/// Import of a module right below `crate` by a file.
type Import = (String, String);

/// The sources below a folder, but for files of tests.
fn sources(root: &Path) -> Vec<PathBuf> {
    let (mut files, mut pending) = (Vec::new(), vec![root.to_owned()]);
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).expect("the folder was listed");
            pending.extend(entries.map(|entry| entry.expect("the folder was listed").path()));
        } else if path.file_name() != Some("tests.rs".as_ref()) {
            files.push(path);
        }
    }
    files
}

/// A source without comments and without the tests at its end.
fn code(path: &Path) -> String {
    let text = std::fs::read_to_string(path).expect("sources are text");
    let code = text.split("#[cfg(test)]\nmod tests {").next();
    let lines = code.unwrap_or("").lines();
    let lines = lines.map(|line| line.split("//").next().unwrap_or(""));
    lines.collect::<Vec<_>>().join("\n")
}

/// The first name of each path in a list such as `a::{b, c}, d`.
fn heads(list: &str) -> Vec<String> {
    let (mut heads, mut depth, mut start) = (Vec::new(), 0, 0);
    let mut push = |path: &str| heads.extend(head(path));
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    push(&list[start..]);
    heads
}

/// The name that a path begins with.
fn head(path: &str) -> Option<String> {
    let path = path.trim_start();
    let end = path.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let name = &path[..end.unwrap_or(path.len())];
    (!name.is_empty()).then(|| name.to_owned())
}

/// What stands between braces, given the text behind the first one.
fn inside_braces(text: &str) -> &str {
    let mut depth = 1;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[..at];
        }
    }
    text
}

/// The names that code takes from right below `crate`: `crate::NAME`, `use crate::{NAME, …}`.
fn names_below_crate(code: &str) -> Vec<String> {
    let paths = code.split("crate::").skip(1);
    let of = |path: &str| match path.strip_prefix('{') {
        Some(list) => heads(inside_braces(list)),
        None => head(path).into_iter().collect(),
    };
    paths.flat_map(of).collect()
}

/// The modules that the page of a crate re-exports names of: `pub use MODULE::{NAME, …};`.
fn aliases(page: &str) -> BTreeMap<String, String> {
    let mut aliases = BTreeMap::new();
    for statement in page.split("pub use ").skip(1) {
        let path = statement.split(';').next().unwrap_or("");
        let Some((module, names)) = path.split_once("::") else {
            continue;
        };
        let names = match names.strip_prefix('{') {
            Some(list) => heads(inside_braces(list)),
            None => names.rsplit("::").flat_map(head).take(1).collect(),
        };
        aliases.extend(names.into_iter().map(|name| (name, module.to_owned())));
    }
    aliases
}

/// The imports of the files of a crate. The page of the crate imports everything, and a module for
/// tests is no part of it: neither counts.
fn imports(root: &Path) -> BTreeSet<Import> {
    let page = std::fs::read_to_string(root.join("lib.rs")).expect("a crate has a page");
    let aliases = aliases(&page);
    let for_tests = page.split("#[cfg(test)]\nmod ").skip(1);
    let for_tests: BTreeSet<_> = for_tests.filter_map(head).collect();
    let mut found = BTreeSet::new();
    for path in sources(root) {
        let inside = path.strip_prefix(root).expect("the walk began at the root");
        let file = inside.to_string_lossy().into_owned();
        let module = module_of(&file);
        if module == "lib" || for_tests.contains(module) {
            continue;
        }
        for name in names_below_crate(&code(&path)) {
            // Twice, since a module may be an alias itself.
            let target = aliases.get(&name).unwrap_or(&name);
            let target = aliases.get(target).unwrap_or(target);
            found.insert((file.clone(), target.clone()));
        }
    }
    found
}

fn module_of(file: &str) -> &str {
    let first = file.split('/').next().unwrap_or(file);
    first.trim_end_matches(".rs")
}

/// The modules that each module imports.
fn by_module(imports: &BTreeSet<Import>) -> BTreeMap<String, BTreeSet<String>> {
    let mut modules: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (file, target) in imports {
        let module = modules.entry(module_of(file).to_owned());
        module.or_default().insert(target.clone());
    }
    modules
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
    for name in CRATES {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(name).join("src");
        let imports = imports(&root);
        assert!(imports.len() > 5, "{name} has modules: {imports:?}");
        let modules = by_module(&imports);
        // A name that is no module is an item of the crate's page, which imports everything.
        let is_module = |name: &String| {
            root.join(name).is_dir() || root.join(name).with_extension("rs").is_file()
        };
        let on_the_page = imports.iter().filter(|(_, target)| !is_module(target));
        let on_the_page: Vec<_> = on_the_page.collect();
        assert!(
            on_the_page.is_empty(),
            "items of {name}/src/lib.rs: {on_the_page:?}"
        );
        assert_eq!(in_circles(modules), [""; 0], "circles in {name}");
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

#[test]
fn names_are_found_in_groups_and_in_code() {
    let code = "use crate::{a::{x, y}, b, c::Z};
use crate::d::{self, e};
fn f() -> crate::g::H { crate::i(3) }";
    assert_eq!(names_below_crate(code), ["a", "b", "c", "d", "g", "i"]);
    let page = "pub use context::{Context, attr, types};
pub use input::read;
mod input;";
    let found = aliases(page);
    let found: Vec<_> = found
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    let expected = [
        ("Context", "context"),
        ("attr", "context"),
        ("read", "input"),
        ("types", "context"),
    ];
    assert_eq!(found, expected);
}
