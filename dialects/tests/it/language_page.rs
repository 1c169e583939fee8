//! `docs/language.md` names every operation that is known, and no other.

use std::collections::{BTreeMap, BTreeSet};

/// The operations of each dialect.
type Operations = BTreeMap<String, BTreeSet<String>>;

/// The rows "| `dialect` | `operation`, … |" of the page.
fn documented() -> Operations {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/language.md");
    let page = std::fs::read_to_string(path).expect("the page is there");
    let (_, section) = page.split_once("## Dialects").expect("it has the section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| `")?.split('|');
        let dialect = cells.next()?.trim().trim_matches('`').to_owned();
        let words = cells.next()?.split('`').skip(1).step_by(2);
        Some((dialect, words.map(str::to_owned).collect()))
    });
    rows.collect()
}

#[test]
fn names_every_operation_and_no_other() {
    let mut known = Operations::new();
    for def in gridloom_dialects::ops() {
        let (dialect, operation) = def.name.split_once('.').expect("names have a dialect");
        let operations = known.entry(dialect.to_owned()).or_default();
        operations.insert(operation.to_owned());
    }
    let documented = documented();
    let none = BTreeSet::new();
    let mut wrong = String::new();
    for dialect in known
        .keys()
        .chain(documented.keys())
        .collect::<BTreeSet<_>>()
    {
        let known = known.get(dialect).unwrap_or(&none);
        let documented = documented.get(dialect).unwrap_or(&none);
        for missing in known.difference(documented) {
            wrong += &format!("{dialect}.{missing} is not on the page\n");
        }
        for unknown in documented.difference(known) {
            wrong += &format!("{dialect}.{unknown} is on the page only\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
