//! The layout of properties, derived from rows, against the one that MLIR
//! generates from its definitions.

use std::collections::HashMap;

use gridloom_ir::bytecode::property_layout;

/// One operation a line: the inherent attributes in the order of the bytes,
/// `?` after those that may be absent, `#` after those that are kept as plain
/// numbers or truth values.
const GENERATED: &str = include_str!("properties.txt");

#[test]
fn layouts_are_those_that_mlir_generates() {
    let generated = GENERATED.lines().map(|line| {
        let (name, fields) = line.split_once(' ').unwrap_or((line, ""));
        (name, fields.to_owned())
    });
    let generated: HashMap<&str, String> = generated.collect();
    let mut checked = 0;
    let mut failures = Vec::new();
    for def in gridloom_dialects::ops() {
        let Some(expected) = generated.get(def.name) else {
            failures.push(format!("{} is not in the list", def.name));
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
