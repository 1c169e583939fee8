//! JSON form of explanations; docs/explain.md documents each field.

use gridloom::Context;
use gridloom::codegen::explain::{Finding, Link, LoopReport, Shown};
use gridloom::ir::Loc;
use serde::Serialize;

use super::resolve;
use super::text::name;

/// Version of the JSON format: it changes where a field changes its meaning or is removed.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Report {
    schema: u32,
    loops: Vec<Loop>,
}

#[derive(Serialize)]
struct Loop {
    function: Option<String>,
    operation: &'static str,
    label: String,
    depth: usize,
    place: Option<Place>,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reduction: Option<Reduction>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    dependences: Vec<Dependence>,
    more_dependences: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    only_through: Option<String>,
    grid: Vec<char>,
    passes: Vec<String>,
    remarks: Vec<String>,
}

#[derive(Serialize)]
struct Place {
    file: String,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct Reduction {
    operators: Vec<&'static str>,
    through: &'static str,
}

#[derive(Serialize)]
struct Dependence {
    kind: &'static str,
    through: &'static str,
    source: Option<Place>,
    sink: Option<Place>,
    proved: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    doubt: Option<&'static str>,
    distance: Vec<Distance>,
    witness: Option<Witness>,
}

#[derive(Serialize)]
struct Distance {
    counter: String,
    least: Option<i64>,
    most: Option<i64>,
}

#[derive(Serialize)]
struct Witness {
    parameters: Vec<Valued>,
    source: Vec<Valued>,
    sink: Vec<Valued>,
    element: Vec<i64>,
}

#[derive(Serialize)]
struct Valued {
    name: String,
    value: i64,
}

/// Formats reports as one JSON object and a line end.
pub fn of(ctx: &Context, reports: &[LoopReport]) -> String {
    let report = Report {
        schema: SCHEMA,
        loops: reports.iter().map(|report| loop_of(ctx, report)).collect(),
    };
    // Strings and numbers always have a JSON form.
    let mut text = serde_json::to_string_pretty(&report).unwrap_or_default();
    text.push('\n');
    text
}

fn loop_of(ctx: &Context, report: &LoopReport) -> Loop {
    let mut found = Loop {
        function: report.function.map(|name| ctx.str(name).to_owned()),
        operation: name(report.name),
        label: report.label.clone(),
        depth: report.depth,
        place: place_of(ctx, report.loc),
        verdict: "parallel",
        reduction: None,
        reason: None,
        dependences: Vec::new(),
        more_dependences: 0,
        only_through: None,
        grid: report.fate.grid.clone(),
        passes: report.fate.passes.clone(),
        remarks: report.fate.remarks.clone(),
    };
    match &report.finding {
        Finding::Parallel => {}
        Finding::Folded => found.verdict = "folded",
        Finding::Reduction {
            operators,
            is_in_memory,
        } => {
            found.verdict = "reduction";
            found.reduction = Some(Reduction {
                operators: operators.clone(),
                through: if *is_in_memory { "memory" } else { "iter_args" },
            });
        }
        Finding::Sequential {
            why,
            links,
            more,
            only,
        } => {
            found.verdict = "sequential";
            found.reason = Some(why.message.clone());
            found.dependences = links.iter().map(|link| dependence_of(ctx, link)).collect();
            found.more_dependences = *more;
            found.only_through = only.clone();
        }
    }
    found
}

fn dependence_of(ctx: &Context, link: &Link) -> Dependence {
    let distance = link.distance.iter();
    Dependence {
        kind: link.kind.label(),
        through: if link.is_carried {
            "iter_args"
        } else {
            "memory"
        },
        source: place_of(ctx, link.source),
        sink: place_of(ctx, link.sink),
        proved: link.doubt.is_none(),
        doubt: link.doubt,
        distance: distance
            .map(|(counter, least, most)| Distance {
                counter: counter.clone(),
                least: *least,
                most: *most,
            })
            .collect(),
        witness: link.witness.as_ref().map(witness_of),
    }
}

fn witness_of(witness: &Shown) -> Witness {
    let valued = |list: &[(String, i64)]| -> Vec<Valued> {
        let list = list.iter().cloned();
        list.map(|(name, value)| Valued { name, value }).collect()
    };
    Witness {
        parameters: valued(&witness.parameters),
        source: valued(&witness.source),
        sink: valued(&witness.sink),
        element: witness.element.clone(),
    }
}

fn place_of(ctx: &Context, loc: Loc) -> Option<Place> {
    let at = resolve(ctx, loc)?;
    Some(Place {
        file: at.file,
        line: at.line,
        column: at.column,
    })
}
