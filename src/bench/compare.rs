//! Comparison of two benchmark reports.

use super::report::{Report, Row};
use super::sample::Times;

/// Significance threshold: two runs of one build differ by smaller relative changes.
const LEAST_CHANGE: f64 = 0.03;

/// Change of a kernel's speed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// Slower than the spread of both runs explains.
    Slower,
    /// Faster than the spread of both runs explains.
    Faster,
    /// Within the spread of both runs.
    Same,
    /// Unknown: one of the reports lacks a time for the kernel.
    Unknown,
}

/// Comparison of one kernel in two reports.
#[derive(Clone, PartialEq, Debug)]
pub struct Compared {
    /// Name of the kernel.
    pub name: String,
    /// Speed in the second report relative to the first, by the medians.
    pub ratio: Option<f64>,
    /// Whether the change is significant.
    pub change: Change,
}

/// Compares two reports: kernels in the order of the second, then those only in the first.
pub fn compare(before: &Report, after: &Report) -> Vec<Compared> {
    let find = |report: &Report, name: &str| {
        let row = report.rows.iter().find(|row| row.name == name);
        row.and_then(|row: &Row| row.gridloom)
    };
    let is_new = |row: &&Row| !after.rows.iter().any(|other| other.name == row.name);
    let gone = before.rows.iter().filter(is_new);
    let names = after.rows.iter().chain(gone).map(|row| row.name.clone());
    names
        .map(|name| {
            let times = find(before, &name).zip(find(after, &name));
            Compared {
                ratio: times.map(|(before, after)| before.median / after.median),
                change: times.map_or(Change::Unknown, |(before, after)| change(before, after)),
                name,
            }
        })
        .collect()
}

fn change(before: Times, after: Times) -> Change {
    let slack = LEAST_CHANGE.max(before.spread + after.spread);
    match after.median / before.median {
        growth if growth > 1.0 + slack => Change::Slower,
        growth if growth * (1.0 + slack) < 1.0 => Change::Faster,
        _ => Change::Same,
    }
}

/// Formats the comparison as a table.
pub fn show(before: &Report, after: &Report) -> String {
    let mut out = format!(
        "before: {}, {}\nafter:  {}, {}\n",
        before.device, before.date, after.device, after.date
    );
    if before.device != after.device {
        out += "the devices differ\n";
    }
    out += "\nkernel             speed\n";
    for compared in compare(before, after) {
        let ratio = compared
            .ratio
            .map_or("–".to_owned(), |ratio| format!("{ratio:.2}"));
        let mark = match compared.change {
            Change::Slower => "  slower",
            Change::Faster => "  faster",
            Change::Same => "",
            Change::Unknown => "  in one report only, or wrong",
        };
        out += &format!("{:<17} {ratio:>6}{mark}\n", compared.name);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(rows: &[(&str, f64, f64)]) -> Report {
        let row = |&(name, median, spread): &(&str, f64, f64)| Row {
            gridloom: Some(Times {
                median,
                best: median,
                spread,
                runs: 5,
            }),
            ..Row::new(name)
        };
        Report {
            rows: rows.iter().map(row).collect(),
            ..Report::default()
        }
    }

    #[test]
    fn changes_beyond_the_spread_are_marked() {
        let before = report(&[
            ("slow", 1.0, 0.0),
            ("noisy", 1.0, 0.3),
            ("fast", 1.0, 0.1),
            ("near", 1.0, 0.0),
            ("gone", 1.0, 0.0),
        ]);
        let after = report(&[
            ("slow", 1.25, 0.1),
            ("noisy", 1.25, 0.0),
            ("fast", 0.5, 0.1),
            ("near", 1.02, 0.0),
            ("new", 1.0, 0.0),
        ]);
        let found = compare(&before, &after);
        let changes: Vec<_> = found.iter().map(|c| (&c.name[..], c.change)).collect();
        let wanted = [
            ("slow", Change::Slower),
            ("noisy", Change::Same),
            ("fast", Change::Faster),
            ("near", Change::Same),
            ("new", Change::Unknown),
            ("gone", Change::Unknown),
        ];
        assert_eq!(changes, wanted);
        assert_eq!(found[0].ratio, Some(0.8));
        assert!(show(&before, &after).contains("slow                0.80  slower"));
    }
}
