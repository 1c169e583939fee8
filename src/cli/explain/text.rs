//! Text form of explanations: a paragraph for each loop, with quoted source.

use std::fmt::Write as _;

use gridloom::Context;
use gridloom::codegen::explain::{Fate, Finding, Kind, Link, LoopReport, Shown};
use gridloom::ir::{Loc, OpName};

use super::resolve;

/// Formats the loops in order; functions have a line of their own.
pub fn of(ctx: &Context, reports: &[LoopReport]) -> String {
    let mut out = String::new();
    let mut function = None;
    for report in reports {
        if function != Some(report.function) {
            function = Some(report.function);
            let name = report.function.map_or("?", |name| ctx.str(name));
            let gap = if out.is_empty() { "" } else { "\n" };
            out += &format!("{gap}func @{name}\n");
        }
        paragraph(ctx, report, &mut out);
    }
    if reports.is_empty() {
        out += "there are no loops\n";
    }
    out
}

// Writing to a String cannot fail.

fn paragraph(ctx: &Context, report: &LoopReport, out: &mut String) {
    let indent = "  ".repeat(report.depth);
    let (number, source) = quoted(ctx, report.loc);
    let source = match source.is_empty() {
        true => name(report.name).to_owned(),
        false => source,
    };
    let _ = writeln!(out, "\n{number:>6} | {indent}{source}");
    let mut say = |text: &str| {
        let _ = writeln!(out, "       | {indent}  {text}");
    };
    let label = &report.label;
    match &report.finding {
        Finding::Parallel => say(&format!("{label}: parallel{}", grid(&report.fate))),
        Finding::Reduction {
            operators,
            is_in_memory,
        } => {
            let through = match is_in_memory {
                true => "memory",
                false => "iter_args",
            };
            let grid = grid(&report.fate);
            say(&format!(
                "{label}: reduction by {} through {through}{grid}",
                operators.join(", ")
            ));
        }
        Finding::Sequential {
            why,
            links,
            more,
            only,
        } => {
            say(&format!("{label}: {}", why.message));
            for link in links {
                lines_of(ctx, link).iter().for_each(|line| say(line));
            }
            if *more > 0 {
                say(&format!("and {more} more dependences"));
            }
            if let Some(buffer) = only {
                say(&format!(
                    "without accesses to {buffer}, iterations would be independent"
                ));
            }
        }
        Finding::Folded => say(&format!(
            "{label}: folded: it runs at most once, or has no effect"
        )),
    }
    if !report.fate.passes.is_empty() {
        let is_freed = matches!(report.finding, Finding::Sequential { .. });
        let then = if is_freed {
            grid(&report.fate)
        } else {
            String::new()
        };
        let passes = report.fate.passes.join(", ");
        say(&format!("passes on its nest: {passes}{then}"));
    }
    for remark in &report.fate.remarks {
        say(&format!("offload: {remark}"));
    }
}

/// Formats `, mapped to grid dimension x`.
fn grid(fate: &Fate) -> String {
    let names: Vec<String> = fate.grid.iter().map(char::to_string).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!(", mapped to grid dimension {}", names.join(" and ")),
    }
}

/// Formats a dependence: kind, lines, distance; both lines quoted; the witness.
fn lines_of(ctx: &Context, link: &Link) -> Vec<String> {
    let [(from, source), (to, sink)] = [link.source, link.sink].map(|loc| quoted(ctx, loc));
    let kind = link.kind.label();
    let mut lines = vec![format!(
        "{kind:<6} line {from} -> line {to}{}",
        distance(link)
    )];
    let ends = if from == to && source == sink {
        vec![(&from, &source)]
    } else {
        vec![(&from, &source), (&to, &sink)]
    };
    for (number, text) in ends {
        lines.push(format!("       {number:>5}: {text}"));
    }
    if link.is_carried {
        lines.push("       each iteration passes its value to the next".to_owned());
    }
    if let Some(doubt) = link.doubt {
        lines.push(format!("       it cannot be excluded, since {doubt}"));
    }
    if let Some(witness) = &link.witness {
        lines.push(format!("       {}", witness_sentence(witness, link)));
    }
    lines
}

/// Formats `, distance (%i: 1, %j: 0)`.
fn distance(link: &Link) -> String {
    let entry = |(counter, least, most): &(String, Option<i64>, Option<i64>)| {
        let span = match (least, most) {
            (Some(least), Some(most)) if least == most => least.to_string(),
            (Some(least), Some(most)) => format!("{least} to {most}"),
            (Some(least), None) => format!("{least} or more"),
            (None, Some(most)) => format!("{most} or less"),
            (None, None) => "any".to_owned(),
        };
        format!("{counter}: {span}")
    };
    let entries: Vec<String> = link.distance.iter().map(entry).collect();
    match entries.is_empty() {
        true => String::new(),
        false => format!(", distance ({})", entries.join(", ")),
    }
}

/// Formats the witness as a sentence.
fn witness_sentence(witness: &Shown, link: &Link) -> String {
    let [before, after] = match link.kind {
        Kind::Flow => ["writes", "reads"],
        Kind::Anti => ["reads", "writes"],
        Kind::Output => ["writes", "writes"],
    };
    let element: Vec<String> = witness.element.iter().map(i64::to_string).collect();
    let element = match element.is_empty() {
        true => "the same element".to_owned(),
        false => format!("element [{}]", element.join(", ")),
    };
    let given = match witness.parameters.is_empty() {
        true => String::new(),
        false => format!("with {}: ", values(&witness.parameters)),
    };
    let [source, sink] = [&witness.source, &witness.sink].map(|list| values(list));
    format!("{given}({source}) {before} {element}, ({sink}) {after} it")
}

fn values(list: &[(String, i64)]) -> String {
    let entries: Vec<String> = list
        .iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    entries.join(", ")
}

/// Name of an operation; all reported operations are registered.
pub(super) fn name(operation: OpName) -> &'static str {
    gridloom_dialects::signature(operation).map_or("an operation", |op| op.name)
}

/// Number and text of a location's source line.
pub fn quoted(ctx: &Context, loc: Loc) -> (String, String) {
    match resolve(ctx, loc) {
        Some(at) => (at.line.to_string(), at.text),
        None => ("?".to_owned(), String::new()),
    }
}
