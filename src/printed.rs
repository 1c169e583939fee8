//! Comparison of the text that two runs of a program print.

use std::borrow::Cow;
use std::fmt;

/// Tolerance of printed floats, relative: they have fewer digits than results.
const TOLERANCE: f64 = 1e-3;

/// First difference of two printed texts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrintedDifference {
    /// Line number, from 1.
    pub line: usize,
    /// The printed line; `None` where it is missing.
    pub found: Option<String>,
    /// The expected line; `None` where it is missing.
    pub expected: Option<String>,
}

impl fmt::Display for PrintedDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |line: &Option<String>| match line {
            Some(line) => format!("'{line}'"),
            None => "nothing".to_owned(),
        };
        let (found, expected) = (shown(&self.found), shown(&self.expected));
        write!(
            f,
            "line {} of what it prints is {found}, not {expected}",
            self.line
        )
    }
}

/// Finds the first difference of two texts. Words that are floats in both may differ a little
/// unless `exact`; all other text has to be equal, but for the addresses of memrefs.
pub fn first_printed_difference(
    found: &str,
    expected: &str,
    exact: bool,
) -> Option<PrintedDifference> {
    let (mut left, mut right) = (found.lines(), expected.lines());
    let mut line = 0;
    loop {
        line += 1;
        let (found, expected) = match (left.next(), right.next()) {
            (None, None) => return None,
            (Some(a), Some(b)) if is_alike(a, b, exact) => continue,
            lines => lines,
        };
        return Some(PrintedDifference {
            line,
            found: found.map(str::to_owned),
            expected: expected.map(str::to_owned),
        });
    }
}

fn is_alike(a: &str, b: &str, exact: bool) -> bool {
    let (a, b) = (without_address(a), without_address(b));
    a == b || !exact && is_near(&a, &b)
}

/// A line without the address of a memref that it describes, as a runner's function prints it: two runs may allocate
/// different memory.
fn without_address(line: &str) -> Cow<'_, str> {
    const BASE: &str = "emref base@ = ";
    let address = line.find(BASE).map(|at| at + BASE.len());
    match address {
        Some(at) => {
            let behind = line[at..].trim_start_matches(|c: char| c.is_ascii_alphanumeric());
            Cow::Owned(format!("{}{behind}", &line[..at]))
        }
        None => Cow::Borrowed(line),
    }
}

fn is_near(a: &str, b: &str) -> bool {
    let (mut left, mut right) = (words(a), words(b));
    loop {
        match (left.next(), right.next()) {
            (None, None) => return true,
            (Some(a), Some(b)) if a == b || are_near_floats(a, b) => {}
            _ => return false,
        }
    }
}

/// Splits a line into words at blanks, commas, parentheses and brackets.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| c.is_whitespace() || ",()[]=:;".contains(c))
}

fn are_near_floats(a: &str, b: &str) -> bool {
    // An integer is not compared as a float, although it parses as one.
    let is_float = |word: &str| word.contains(['.', 'e', 'n']);
    let (Ok(x), Ok(y)) = (a.parse::<f64>(), b.parse::<f64>()) else {
        return false;
    };
    let is_near = (x - y).abs() <= TOLERANCE * x.abs().max(y.abs());
    (is_float(a) || is_float(b)) && (is_near || x.is_nan() && y.is_nan())
}

#[cfg(test)]
mod tests {
    use super::first_printed_difference;

    fn differs(found: &str, expected: &str) -> Option<usize> {
        first_printed_difference(found, expected, false).map(|difference| difference.line)
    }

    #[test]
    fn floats_are_compared_as_numbers() {
        assert_eq!(differs("x = 1.00001, 2\n", "x = 1.00002, 2\n"), None);
        assert_eq!(differs("( 1e-07, nan )", "( 1.00001e-07, nan )"), None);
        assert_eq!(differs("1.0\n1.5", "1.0\n1.6"), Some(2));
        let exact = first_printed_difference("1.00001", "1.00002", true);
        assert!(exact.is_some());
    }

    #[test]
    fn addresses_of_memrefs_are_not_compared() {
        let memref = |base, sizes| {
            format!(
                "Unranked Memref base@ = {base} rank = 1 offset = 0 sizes = [{sizes}] data = \n[1]"
            )
        };
        let exact = |a: &str, b: &str| first_printed_difference(a, b, true).map(|found| found.line);
        assert_eq!(exact(&memref("0x5000", 1), &memref("0x7f00", 1)), None);
        assert_eq!(exact(&memref("0x5000", 1), &memref("0x5000", 2)), Some(1));
        assert_eq!(differs("base = 0x10", "base = 0x20"), Some(1));
    }

    #[test]
    fn everything_else_is_compared_as_text() {
        assert_eq!(differs("1000001", "1000002"), Some(1));
        assert_eq!(differs("a 1.0", "b 1.0"), Some(1));
        assert_eq!(differs("a\nb", "a"), Some(2));
        assert_eq!(differs("", "a"), Some(1));
    }
}
