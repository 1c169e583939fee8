//! Which properties of operations the cases of the table set.

use std::collections::{BTreeMap, HashSet};

use gridloom::ir::{Body, Context};

use super::Case;

/// Properties that promise something, permit something or advise: without them the result is the same, or as right. The
/// others have a case that sets them.
const WITHOUT_MEANING: [&str; 15] = [
    "a_transpose",
    "alignment",
    "b_transpose",
    "branch_weights",
    "fastmath",
    "function",
    "isExact",
    "mapping",
    "module",
    "no_inline",
    "nontemporal",
    "overflowFlags",
    "sym_visibility",
    "upper_bound",
    "value",
];

/// The properties of a layout that may be absent and have a meaning.
pub(super) fn optional(layout: &str) -> Vec<String> {
    let optional = layout.split(' ').filter_map(|name| name.strip_suffix('?'));
    let with_meaning = optional.filter(|name| !WITHOUT_MEANING.contains(name));
    with_meaning.map(str::to_owned).collect()
}

/// The inherent attributes that the operations of a name have in a body.
fn set_properties(ctx: &Context, body: &Body, name: &str, found: &mut HashSet<String>) {
    for op in body.walk() {
        let data = &body[op];
        if ctx.op_name_str(data.name) == name {
            let entries = data.properties.entries(ctx).iter();
            found.extend(entries.map(|entry| ctx.str(entry.0).to_owned()));
        }
        if let Some(body) = data.isolated() {
            set_properties(ctx, body, name, found);
        }
    }
}

/// Fails where no case of an operation sets one of its properties.
pub(super) fn check_properties(cases: &[Case]) {
    let ctx = gridloom::context();
    let mut set: BTreeMap<&str, HashSet<String>> = BTreeMap::new();
    for case in cases {
        let text = case.program(&case.types[0]);
        if let Ok(module) = gridloom::parse(&ctx, "case.mlir", text.as_bytes()) {
            set_properties(
                &ctx,
                module.body(),
                &case.op,
                set.entry(&case.op).or_default(),
            );
        }
    }
    for case in cases {
        let is_untried =
            |name: &&String| !set.get(&case.op[..]).is_some_and(|set| set.contains(*name));
        let untried: Vec<&String> = case.properties.iter().filter(is_untried).collect();
        assert!(
            untried.is_empty(),
            "no case of '{}' sets {untried:?}",
            case.op
        );
    }
}
