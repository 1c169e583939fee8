//! Whether the diagnostics that came are those that were expected.

use super::header::{Diagnostic, Severity};

/// Holds the text of standard error against `expected`: errors must agree one to one; warnings and remarks
/// too, where any of them is expected.
pub fn check(stderr: &str, expected: &[Diagnostic]) -> Result<(), String> {
    let mut missing: Vec<&Diagnostic> = expected.iter().collect();
    let mut unexpected = Vec::new();
    for came in stderr.lines().filter_map(parse) {
        match missing.iter().position(|wanted| fits(wanted, &came)) {
            Some(found) => drop(missing.remove(found)),
            None if minds(came.severity, expected) => unexpected.push(came),
            None => {}
        }
    }
    if missing.is_empty() && unexpected.is_empty() {
        return Ok(());
    }
    let mut report: String = missing
        .iter()
        .map(|d| format!("did not come: {d}\n"))
        .collect();
    report.extend(unexpected.iter().map(|d| format!("not expected: {d}\n")));
    Err(format!("{report}standard error was:\n{stderr}"))
}

fn minds(severity: Severity, expected: &[Diagnostic]) -> bool {
    severity == Severity::Error || expected.iter().any(|wanted| wanted.severity == severity)
}

fn fits(wanted: &Diagnostic, came: &Diagnostic) -> bool {
    wanted.severity == came.severity
        && wanted.position == came.position
        && came.text.contains(&wanted.text)
}

/// The diagnostic that a line starts: `[FILE: ]error: TEXT` or `FILE:LINE:COL: error: TEXT`.
/// Lines of source that are quoted below one are indented, or hold no such word in such a place.
fn parse(line: &str) -> Option<Diagnostic> {
    let candidates = Severity::ALL.into_iter().filter_map(|severity| {
        let (prefix, text) = line.split_once(&format!("{}: ", severity.name()))?;
        let starts = prefix.is_empty() || prefix.ends_with(": ");
        let quoted = line.starts_with(char::is_whitespace);
        (starts && !quoted).then_some((severity, prefix, text))
    });
    // The first of these words is the severity; later ones belong to the text.
    let (severity, prefix, text) = candidates.min_by_key(|(_, prefix, _)| prefix.len())?;
    Some(Diagnostic {
        severity,
        position: position(prefix),
        text: text.to_owned(),
    })
}

/// Line and column of `FILE:LINE:COL: `.
fn position(prefix: &str) -> Option<(u32, u32)> {
    let mut parts = prefix.strip_suffix(": ")?.rsplit(':');
    let column = parts.next()?.parse().ok()?;
    Some((parts.next()?.parse().ok()?, column))
}

#[cfg(test)]
mod tests {
    use super::super::header::diagnostic;
    use super::*;

    fn expected(lines: &[(Severity, &str)]) -> Vec<Diagnostic> {
        lines
            .iter()
            .map(|(severity, text)| diagnostic(*severity, text))
            .collect()
    }

    const STDERR: &str = "\
a/b.mlir:3:7: error: use of %x: remark: before
  %y = f %x : error: 1
         ^
a/b.mlir:9:1: remark: stays on the host
error: cannot open the file
";

    #[test]
    fn errors_agree_one_to_one() {
        let all = [
            (Severity::Error, "3:7: use of %x"),
            (Severity::Error, "cannot open"),
        ];
        assert_eq!(check(STDERR, &expected(&all)), Ok(()));
        assert!(check(STDERR, &expected(&all[..1])).is_err());
        let twice = [all[0], all[0], all[1]];
        assert!(check(STDERR, &expected(&twice)).is_err());
    }

    #[test]
    fn place_and_severity_count() {
        let rest = (Severity::Error, "cannot open");
        for wrong in [
            (Severity::Error, "3:8: use of %x"),
            (Severity::Error, "use of %x"),
            (Severity::Warning, "3:7: use of %x"),
        ] {
            assert!(
                check(STDERR, &expected(&[wrong, rest])).is_err(),
                "{wrong:?}"
            );
        }
    }

    #[test]
    fn remarks_are_minded_once_one_is_expected() {
        let errors = [
            (Severity::Error, "3:7: use of %x"),
            (Severity::Error, "cannot open"),
        ];
        let with = |text| [errors[0], errors[1], (Severity::Remark, text)];
        assert_eq!(check(STDERR, &expected(&with("9:1: stays"))), Ok(()));
        let error = check(STDERR, &expected(&with("8:1: stays"))).unwrap_err();
        assert!(
            error.contains("did not come: remark: 8:1: stays"),
            "{error}"
        );
        assert!(
            error.contains("not expected: remark: 9:1: stays"),
            "{error}"
        );
    }
}
