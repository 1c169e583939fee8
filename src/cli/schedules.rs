//! Schedules for `--explain`, as text and as JSON (docs/tuning.md has the fields).

use std::fmt::Write as _;

use gridloom::Context;
use gridloom::bench::work::Work;
use gridloom::codegen::explain::NestReport;
use gridloom::codegen::offload::reasons::Verdict;
use gridloom::codegen::offload::tuned::Origin;
use gridloom::ir::Loc;
use gridloom::tune::KernelTime;
use serde_json::{Value, json as value};

use super::explain::resolve;
use super::explain::text::quoted;
use super::summary;

/// Version of the JSON format: it changes where a field changes its meaning or is removed.
const SCHEMA: u32 = 1;

/// Report on a nest, with its kernel.
pub struct NestEntry {
    report: NestReport,
    /// Work of all executions of the nest.
    work: Option<Work>,
    kernel: Option<KernelTime>,
}

impl NestEntry {
    /// Seconds of all launches, if every one was timed.
    fn seconds(&self) -> Option<f64> {
        let kernel = self.kernel.as_ref()?;
        let [launches, timed] = kernel.launches;
        (launches == timed && timed > 0).then_some(kernel.seconds)
    }

    /// Rates: operations and bytes a second.
    fn rates(&self) -> Option<[f64; 2]> {
        let (work, seconds) = (self.work?, self.seconds()?);
        (seconds > 0.0).then(|| [work.flops as f64 / seconds, work.bytes as f64 / seconds])
    }
}

/// Joins nests with their kernels, both in module order, by source location; several at one
/// location in order, where their numbers agree.
pub fn joined(
    ctx: &Context,
    found: Vec<(NestReport, Option<Work>)>,
    kernels: Vec<KernelTime>,
) -> Vec<NestEntry> {
    let place = |loc: Loc| resolve(ctx, loc).map(|at| (at.file, at.line, at.column));
    let mut entries: Vec<NestEntry> = Vec::new();
    for (report, work) in &found {
        let here = place(report.loc);
        let nests = found
            .iter()
            .filter(|(other, _)| place(other.loc) == here)
            .count();
        let mine: Vec<&KernelTime> = kernels.iter().filter(|k| place(k.loc) == here).collect();
        let earlier = entries
            .iter()
            .filter(|entry| place(entry.report.loc) == here)
            .count();
        let kernel = (mine.len() == nests).then(|| mine.get(earlier)).flatten();
        entries.push(NestEntry {
            report: report.clone(),
            work: *work,
            kernel: kernel.copied().cloned(),
        });
    }
    entries
}

/// Formats schedules as text: a paragraph for each kernel, with quoted source.
pub fn text(ctx: &Context, all: &[NestEntry]) -> String {
    let mut out = String::new();
    for entry in all {
        paragraph(ctx, entry, &mut out);
    }
    if all.is_empty() {
        out += "no loop becomes a kernel (--remarks says why)\n";
    }
    out
}

// Writing to a String cannot fail.

fn paragraph(ctx: &Context, entry: &NestEntry, out: &mut String) {
    let reasons = &entry.report.reasons;
    let choice = &reasons.choice;
    let (number, source) = quoted(ctx, entry.report.loc);
    let _ = writeln!(out, "\n{number:>6} | {source}");
    let mut say = |name: &str, text: String| {
        let _ = writeln!(out, "       |   {name:<10} {text}");
    };
    if let Some(kernel) = &entry.kernel {
        let launches = match kernel.launches {
            [0, _] => "not launched in this run".to_owned(),
            [1, _] => "1 launch".to_owned(),
            [launches, _] => format!("{launches} launches"),
        };
        say("kernel", format!("@{}, {launches}", kernel.name));
    }
    let loops = entry.report.loops.iter();
    let grid: Vec<String> = loops
        .map(|(loc, dim)| format!("{dim} = line {}", quoted(ctx, *loc).0))
        .collect();
    let iterations = match reasons.iterations {
        Some(count) => format!("{count} iterations"),
        None => "iterations known at run time".to_owned(),
    };
    let [x, y, z] = choice.workgroup;
    say(
        "grid",
        format!("{}; {iterations}; workgroup {x}x{y}x{z}", grid.join(", ")),
    );
    say("schedule", schedule(entry));
    let mut estimates = Vec::new();
    if let Some(work) = entry.work {
        let (flops, bytes) = (scaled(work.flops as f64), scaled(work.bytes as f64));
        estimates.push(format!("{flops} flop, {bytes} bytes"));
    }
    if let Some(model) = &reasons.model {
        estimates.push(format!(
            "{:.2} elements loaded or stored per iteration",
            model.elements
        ));
    }
    if !estimates.is_empty() {
        say("estimate", estimates.join("; "));
    }
    if let Some(seconds) = entry.seconds() {
        let time = summary::duration(std::time::Duration::from_secs_f64(seconds));
        let rates = entry.rates().map_or_else(String::new, |[flops, bytes]| {
            format!(", {:.2} GFLOP/s, {:.2} GB/s", flops / 1e9, bytes / 1e9)
        });
        say("measured", format!("{time}{rates}"));
    }
    match &reasons.model {
        Some(model) => limits(model, &mut say),
        None if reasons.updates => say(
            "barred",
            "tiles are not tried: iterations update memory, and a tile may repeat some of \
             them"
                .to_owned(),
        ),
        None => {}
    }
    for ((loc, _), obstacle) in entry.report.loops.iter().zip(&reasons.obstacles) {
        if let Some(obstacle) = obstacle {
            say(
                "no tiles",
                format!("of line {}: {obstacle}", quoted(ctx, *loc).0),
            );
        }
    }
}

/// What limits a kernel by the model, and the schedules that it ranks next to the chosen one.
fn limits(model: &Verdict, say: &mut impl FnMut(&str, String)) {
    let [accesses, arithmetic, control, start] =
        model.shares.map(|share| format!("{:.0} %", share * 100.0));
    let shares = format!(
        "{} (accesses {accesses}, arithmetic {arithmetic}, loops {control}, start {start})",
        model.limiter
    );
    say("limiter", shares);
    if let Some((tile, cost)) = &model.runner_up {
        let tile = sides(tile);
        let text = match cost / model.cost - 1.0 {
            more if more >= 0.0 => {
                format!("{tile} iterations, which cost {:.0} % more", more * 100.0)
            }
            // A slightly better tile is not worth its code, and a database may decide
            // otherwise.
            less => format!("{tile} iterations, which cost {:.0} % less", -less * 100.0),
        };
        say("runner-up", text);
    }
    if let Some((tile, cost, limit)) = &model.barred {
        let gain = (1.0 - cost / model.cost) * 100.0;
        let tile = sides(tile);
        let text = format!("{tile} iterations would cost {gain:.0} % less: {limit}");
        say("barred", text);
    }
}

/// Formats `8x4 iterations a thread, …`.
fn schedule(entry: &NestEntry) -> String {
    let reasons = &entry.report.reasons;
    let choice = &reasons.choice;
    if let Some(matrices) = &reasons.matrices {
        return format!("sums by matrix units, {matrices}");
    }
    let mut out = format!("{} iterations per thread", sides(&choice.tile));
    let walk: i64 = choice.walk.iter().product();
    if walk > 1 {
        let _ = write!(out, ", {walk} such tiles one after the other");
    }
    if choice.is_spread && choice.order.first().is_some_and(|&x| choice.tile[x] > 1) {
        out += ", interleaved along x";
    }
    if choice.lead > 0 {
        let _ = write!(
            out,
            ", the first tile starts {} iterations before the loop",
            choice.lead
        );
    }
    out += &match choice.chunk {
        Some(chunk) => format!(", loads staged {chunk} iterations at a time"),
        None => ", loads not staged".to_owned(),
    };
    out + &match &reasons.origin {
        Origin::Model => String::new(),
        Origin::Tuned(line) => format!(" (tuned, line {line} of the database)"),
        Origin::Stale(line, _) => format!(" (line {line} of the database does not fit)"),
    }
}

fn sides(tile: &[i64]) -> String {
    let sizes: Vec<String> = tile.iter().map(i64::to_string).collect();
    sizes.join("x")
}

/// Formats a number with three digits and a unit prefix.
fn scaled(number: f64) -> String {
    let units = [(1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k")];
    match units.iter().find(|(unit, _)| number >= *unit) {
        Some((unit, name)) => format!("{:.2}{name}", number / unit),
        None => format!("{number} "),
    }
}

/// Formats schedules as one JSON object and a line end.
pub fn json(ctx: &Context, all: &[NestEntry]) -> String {
    let nests: Vec<Value> = all.iter().map(|entry| nest(ctx, entry)).collect();
    format!("{}\n", value!({ "schema": SCHEMA, "nests": nests }))
}

fn nest(ctx: &Context, entry: &NestEntry) -> Value {
    let place = |loc: Loc| match resolve(ctx, loc) {
        Some(at) => value!({ "file": at.file, "line": at.line, "column": at.column }),
        None => Value::Null,
    };
    let reasons = &entry.report.reasons;
    let choice = &reasons.choice;
    let loops = entry.report.loops.iter().zip(&reasons.obstacles);
    let grid: Vec<Value> = loops
        .map(|((loc, dim), obstacle)| {
            let obstacle = obstacle.map(|obstacle| obstacle.to_string());
            value!({ "place": place(*loc), "dimension": dim, "no_tiles": obstacle })
        })
        .collect();
    let kernel = entry
        .kernel
        .as_ref()
        .map(|kernel| value!({ "name": kernel.name, "launches": kernel.launches[0] }));
    let estimate = entry
        .work
        .map(|work| value!({ "flops": work.flops, "bytes": work.bytes }));
    let measured = entry.seconds().map(|seconds| {
        let [flops, bytes] = entry.rates().map_or([None; 2], |rates| rates.map(Some));
        value!({ "seconds": seconds, "flops_per_second": flops, "bytes_per_second": bytes })
    });
    let model = reasons.model.as_ref().map(|model| {
        let [accesses, arithmetic, loops, start] = model.shares;
        let runner_up = model.runner_up.as_ref();
        let barred = model.barred.as_ref();
        value!({
            "cost": model.cost,
            "elements_per_iteration": model.elements,
            "shares": {
                "accesses": accesses,
                "arithmetic": arithmetic,
                "loops": loops,
                "start": start,
            },
            "limiter": model.limiter.label(),
            "runner_up": runner_up.map(|(tile, cost)| value!({ "tile": tile, "cost": cost })),
            "barred": barred.map(|(tile, cost, limit)| {
                value!({ "tile": tile, "cost": cost, "limit": limit.to_string() })
            }),
        })
    });
    let origin = match reasons.origin {
        Origin::Model => "model",
        Origin::Tuned(_) => "database",
        Origin::Stale(..) => "model, the entry of the database does not fit",
    };
    value!({
        "place": place(entry.report.loc),
        "kernel": kernel,
        "grid": grid,
        "iterations": reasons.iterations,
        "schedule": {
            "order": choice.order,
            "tile": choice.tile,
            "walk": choice.walk,
            "workgroup": choice.workgroup,
            "lead": choice.lead,
            "spread": choice.is_spread,
            "stage": choice.chunk,
            "origin": origin,
            "matrices": reasons.matrices,
        },
        "estimate": estimate,
        "measured": measured,
        "model": model,
        "updates_memory": reasons.updates,
    })
}
