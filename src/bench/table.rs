//! Report as a table and as comma-separated values.

use super::report::{Costs, Report, Row};
use super::sample::Times;

/// Column of the table: heading and cell contents.
type Column = (&'static str, fn(&Report, &Row) -> String);

const COLUMNS: &[Column] = &[
    ("kernel", |_, row| row.name.clone()),
    ("gridloom ms", |_, row| milliseconds(row.gridloom)),
    ("±%", |_, row| {
        let spread = row.gridloom.map(|times| times.spread * 50.0);
        spread.map_or_else(dash, |spread| format!("{spread:.0}"))
    }),
    ("by hand ms", |_, row| milliseconds(row.by_hand)),
    ("ratio", |_, row| row.ratio().map_or_else(dash, digits)),
    ("naive ms", |_, row| milliseconds(row.naive)),
    ("Rust ms", |_, row| milliseconds(row.rust)),
    ("GB/s", |_, row| row.bandwidth().map_or_else(dash, giga)),
    ("GFLOP/s", |_, row| row.flop_rate().map_or_else(dash, giga)),
    ("roof %", |report, row| {
        let share = report
            .roofline
            .and_then(|roofline| row.roofline_share(roofline));
        share.map_or_else(dash, |share| format!("{:.0}", share * 100.0))
    }),
    ("first ms", |_, row| thousandths(row.first)),
    ("map ms", |_, row| thousandths(row.offload)),
];

fn dash() -> String {
    "–".to_owned()
}

fn digits(value: f64) -> String {
    format!("{value:.2}")
}

fn giga(value: f64) -> String {
    match value / 1e9 {
        giga if giga < 0.1 => format!("{giga:.3}"),
        giga => format!("{giga:.1}"),
    }
}

fn thousandths(seconds: f64) -> String {
    match seconds * 1e3 {
        ms if ms < 10.0 => format!("{ms:.2}"),
        ms => format!("{ms:.1}"),
    }
}

fn milliseconds(times: Option<Times>) -> String {
    times.map_or_else(dash, |times| thousandths(times.best))
}

/// The headings of the table, and the cells of each kernel.
pub fn cells(report: &Report) -> (Vec<&'static str>, Vec<Vec<String>>) {
    let of_row = |row| COLUMNS.iter().map(|(_, show)| show(report, row)).collect();
    let headings = COLUMNS.iter().map(|(heading, _)| *heading);
    (headings.collect(), report.rows.iter().map(of_row).collect())
}

/// Formats the report as a table for a terminal, which is also valid Markdown.
pub fn table(report: &Report) -> String {
    let (headings, rows) = cells(report);
    let wide = |at: usize| {
        let cells = rows.iter().map(|row| row[at].chars().count());
        cells.fold(headings[at].chars().count(), usize::max)
    };
    let widths: Vec<usize> = (0..headings.len()).map(wide).collect();
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let cells: Vec<String> = cells
            .zip(&widths)
            .enumerate()
            .map(|(at, (cell, &width))| match at {
                0 => format!("{cell:<width$}"),
                _ => format!("{cell:>width$}"),
            })
            .collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let mut out = line(&mut headings.iter().copied());
    let rule = widths.iter().map(|&width| "-".repeat(width + 2));
    out += &format!("|{}|\n", rule.collect::<Vec<_>>().join("|"));
    for row in &rows {
        out += &line(&mut row.iter().map(String::as_str));
    }
    if let Some(roofline) = report.roofline {
        out += &format!(
            "roofline: {:.1} GFLOP/s of multiply-adds, {:.1} GB/s of copying\n",
            roofline.flops / 1e9,
            roofline.bytes / 1e9
        );
        if let Some(found) = roofline.costs {
            out += &format!("{}\n", costs(found));
        }
    }
    for error in &report.errors {
        out += &format!("{error}\n");
    }
    for row in &report.rows {
        for error in &row.errors {
            out += &format!("{}: {error}\n", row.name);
        }
    }
    out
}

/// Formats the costs of a device in one line.
pub fn costs(costs: Costs) -> String {
    format!(
        "launch: {:.1} µs until it is done, {:.2} µs each in a row; upload {:.1} GB/s, download \
         {:.1} GB/s",
        costs.launch * 1e6,
        costs.launch_in_a_row * 1e6,
        costs.upload / 1e9,
        costs.download / 1e9
    )
}

/// Formats the report as comma-separated values: seconds, operations and bytes, unscaled.
pub fn csv(report: &Report) -> String {
    let mut out = "kernel,flops,bytes,gridloom_best_s,gridloom_median_s,gridloom_spread,\
                   by_hand_best_s,by_hand_median_s,naive_best_s,rust_best_s,offload_s,first_s,\
                   ratio,errors\n"
        .to_owned();
    for row in &report.rows {
        let best = |times: Option<Times>| number(times.map(|times| times.best));
        let median = |times: Option<Times>| number(times.map(|times| times.median));
        let cells = [
            row.name.clone(),
            row.work
                .map_or_else(String::new, |work| work.flops.to_string()),
            row.work
                .map_or_else(String::new, |work| work.bytes.to_string()),
            best(row.gridloom),
            median(row.gridloom),
            number(row.gridloom.map(|times| times.spread)),
            best(row.by_hand),
            median(row.by_hand),
            best(row.naive),
            best(row.rust),
            row.offload.to_string(),
            row.first.to_string(),
            number(row.ratio()),
            row.errors.len().to_string(),
        ];
        out += &(cells.join(",") + "\n");
    }
    out
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}
