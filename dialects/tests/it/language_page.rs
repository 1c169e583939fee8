//! The table of operations in `docs/language.md` names every known operation, and no other.
//! `GRIDLOOM_BLESS=1` writes its lists anew.

use std::collections::{BTreeMap, BTreeSet};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/language.md");

/// Known operations by dialect.
fn known() -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let mut known: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for def in gridloom_dialects::ops() {
        let (dialect, operation) = def.name.split_once('.').expect("names have a dialect");
        known.entry(dialect).or_default().insert(operation);
    }
    known
}

/// The page with the rows "| `dialect` | `operation`, … |" of its table filled in. Rows stay in the
/// order of the page, dialects that it lacks come last.
fn filled_in(page: &str) -> String {
    let (head, section) = page
        .split_once("\n| dialect | operations |\n|---|---|\n")
        .expect("the page has the table");
    let (table, tail) = section.split_once("\n\n").expect("text follows the table");
    let mut known = known();
    let mut rows = Vec::new();
    let mut add_row = |dialect: &str, operations: &BTreeSet<&str>| {
        let names: Vec<String> = operations.iter().map(|name| format!("`{name}`")).collect();
        rows.push(format!("| `{dialect}` | {} |", names.join(", ")));
    };
    for row in table.lines() {
        let dialect = row
            .split('`')
            .nth(1)
            .expect("a row begins with its dialect");
        if let Some(operations) = known.remove(dialect) {
            add_row(dialect, &operations);
        }
    }
    for (dialect, operations) in &known {
        add_row(dialect, operations);
    }
    format!(
        "{head}\n| dialect | operations |\n|---|---|\n{}\n\n{tail}",
        rows.join("\n")
    )
}

#[test]
fn names_every_operation_and_no_other() {
    let page = std::fs::read_to_string(PAGE).expect("the page is there");
    let expected = filled_in(&page);
    if std::env::var_os("GRIDLOOM_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(PAGE, &expected).expect("the page can be written");
        return;
    }
    let mut rows = page.lines().zip(expected.lines());
    let difference = rows.find(|(found, expected)| found != expected);
    assert!(
        page == expected,
        "docs/language.md lists other operations (GRIDLOOM_BLESS=1 writes the lists): {difference:#?}"
    );
}
