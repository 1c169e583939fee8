//! The difference between two texts, shown from its first line on.

/// Whether two texts agree; the error shows the first place where they do not.
pub(super) fn same(what: &str, expected: &str, actual: &str) -> Result<(), String> {
    if expected == actual {
        return Ok(());
    }
    let pairs = expected.lines().zip(actual.lines());
    let line = pairs
        .take_while(|(expected, actual)| expected == actual)
        .count();
    let excerpt = |text: &str, mark: char| -> String {
        let lines = text.lines().skip(line).take(6);
        lines.map(|line| format!("  {mark} {line}\n")).collect()
    };
    Err(format!(
        "{what} differs from line {} on\n{}{}",
        line + 1,
        excerpt(expected, '-'),
        excerpt(actual, '+')
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_shown_where_it_starts() {
        let shown = same("it", "a\nb\nc\n", "a\nx\nc\n").unwrap_err();
        assert_eq!(
            shown,
            "it differs from line 2 on\n  - b\n  - c\n  + x\n  + c\n"
        );
        assert_eq!(same("it", "a\n", "a\n"), Ok(()));
    }

    #[test]
    fn a_missing_last_line_is_a_difference() {
        assert!(same("it", "a\nb\n", "a\n").is_err());
        assert!(same("it", "a\n", "a").is_err());
    }
}
