//! Loop labels: the names by which explanations, remarks and schedules call the loops of a function.
//!
//! A loop is named after its (first) counter in the source, without `%` where a letter follows:
//! `i`, `arg3`, `%0`. In the order of the program, the second loop of a name is `i#2`, the third
//! `i#3`. A loop whose source is not at hand is called `loop`, one without a counter `while`.

use std::collections::HashSet;

use gridloom_dialects::{memref, scf};
use gridloom_ir::{Body, Context, OpId};

use super::loop_kind::is_any_loop;
use super::source_names::{first_counter_name, result_name};

/// The loops of a body with their labels, in the order of the program.
pub(crate) fn loop_labels(ctx: &Context, body: &Body) -> Vec<(OpId, String)> {
    let mut taken = HashSet::new();
    let loops = body.walk().into_iter().filter(|&op| is_any_loop(body, op));
    let labelled = loops.map(|op| {
        let label = free_label(&taken, &base_label(ctx, body, op));
        taken.insert(label.clone());
        (op, label)
    });
    labelled.collect()
}

/// The allocations of a body, labelled by their names in the same way.
pub(crate) fn allocation_labels(ctx: &Context, body: &Body) -> Vec<(OpId, String)> {
    let mut taken = HashSet::new();
    let all = body.walk().into_iter();
    let allocations = all.filter(|&op| matches!(body[op].name, memref::ALLOC | memref::ALLOCA));
    let labelled = allocations.map(|op| {
        let name = result_name(ctx, body, op).unwrap_or_else(|| "memref".to_owned());
        let label = free_label(&taken, plain_name(&name));
        taken.insert(label.clone());
        (op, label)
    });
    labelled.collect()
}

/// The label of a loop before numbers tell loops of the same name apart.
fn base_label(ctx: &Context, body: &Body, op: OpId) -> String {
    if body[op].name == scf::WHILE {
        return "while".to_owned();
    }
    first_counter_name(ctx, body, op).map_or("loop".to_owned(), |name| plain_name(&name).to_owned())
}

/// A name of a value without its `%`, unless the result would look like a number.
pub(crate) fn plain_name(name: &str) -> &str {
    let plain = name.strip_prefix('%').unwrap_or(name);
    let is_word = |c: char| c.is_ascii_alphabetic() || "_$.".contains(c);
    if plain.starts_with(is_word) {
        plain
    } else {
        name
    }
}

/// The first free label among `i`, `i#2`, `i#3` …; `wanted` may be any of them.
pub(crate) fn free_label(taken: &HashSet<String>, wanted: &str) -> String {
    if !taken.contains(wanted) {
        return wanted.to_owned();
    }
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let numbered = wanted
        .rsplit_once('#')
        .filter(|(_, number)| is_number(number));
    let base = numbered.map_or(wanted, |(base, _)| base);
    let mut number = 2usize;
    loop {
        let label = format!("{base}#{number}");
        if !taken.contains(&label) {
            return label;
        }
        number += 1;
    }
}
