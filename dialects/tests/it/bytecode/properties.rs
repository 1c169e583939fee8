//! Layouts of properties that follow from rows, held against those that MLIR generates from its
//! definitions.

use std::collections::HashMap;
use std::path::Path;

use gridloom_ir::bytecode::property_layout;

/// Layouts of the operations that no table of `tests/operations` has: one operation a line, then its
/// layout.
///
/// A layout is the inherent attributes in the order of the bytes, `?` after those that may be absent,
/// `#` after those that are kept as plain numbers or truth values.
const GENERATED: &str = include_str!("properties.txt");

/// The layout in a line of `tests/operations`: its last column, behind the snippet, or behind the
/// reason why there is none.
fn in_operation_table(line: &str) -> (&str, Option<&str>) {
    let (name, columns) = line.split_once(' ').expect("a line has columns");
    let before = if columns.starts_with('!') { 1 } else { 5 };
    (name, line.split(" | ").nth(before))
}

/// Adds the layouts of the tables of operations, each of which stands with the first case of the
/// operation.
fn add_operation_tables(tables: &[String], layouts: &mut HashMap<String, String>) {
    for line in tables.iter().flat_map(|table| table.lines()) {
        let (name, layout) = in_operation_table(line);
        match layouts.get(name) {
            None => drop(layouts.insert(name.to_owned(), layout.unwrap_or("").to_owned())),
            Some(_) => assert_eq!(layout, None, "{name} has its layout with its first case"),
        }
    }
}

#[test]
fn layouts_are_those_that_mlir_generates() {
    let mut layouts = HashMap::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/operations");
    let files = std::fs::read_dir(folder).expect("the tables of operations are there");
    let read = |file: std::io::Result<std::fs::DirEntry>| {
        std::fs::read_to_string(file.expect("the folder was listed").path())
            .expect("tables are text")
    };
    let tables: Vec<String> = files.map(read).collect();
    add_operation_tables(&tables, &mut layouts);
    for line in GENERATED.lines() {
        let (name, layout) = line.split_once(' ').unwrap_or((line, ""));
        let before = layouts.insert(name.to_owned(), layout.to_owned());
        assert_eq!(
            before, None,
            "{name} is in a table of tests/operations as well"
        );
    }
    let mut checked = 0;
    let mut failures = Vec::new();
    for def in gridloom_dialects::ops() {
        let Some(expected) = layouts.get(def.name) else {
            failures.push(format!("{} has no layout", def.name));
            continue;
        };
        let found = property_layout(def).join(" ");
        if found != *expected {
            failures.push(format!("{}: `{found}` should be `{expected}`", def.name));
        }
        checked += 1;
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(checked >= 200);
}
