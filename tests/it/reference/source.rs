//! The text of a program, as it stands in its file or at another size.

use std::{fs, path::PathBuf};

/// A number that stands in a program's text, and what to put in its place.
pub type Substitution = (i64, i64);

/// The program in `file` (a path from the root of the repository), with every
/// whole number that equals the first of a substitution replaced by the second.
///
/// The examples are written with fixed sizes, each size a number that means
/// nothing else in the file, so this yields the same program at another size.
/// All substitutions are made at once. A number that does not occur is a mistake
/// in the test: it would silently run the size in the file.
pub fn source(file: &str, substitutions: &[Substitution]) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(file);
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut seen = vec![false; substitutions.len()];
    let mut result = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, from) = rest.split_at(start);
        result.push_str(before);
        let end = from
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(from.len());
        let (digits, after) = from.split_at(end);
        let found = substitutions
            .iter()
            .position(|(old, _)| old.to_string() == digits);
        match found {
            Some(k) if stands_alone(&result, after) => {
                seen[k] = true;
                result.push_str(&substitutions[k].1.to_string());
            }
            _ => result.push_str(digits),
        }
        rest = after;
    }
    result.push_str(rest);
    for (&(old, _), seen) in substitutions.iter().zip(seen) {
        assert!(seen, "{file}: no number {old} to replace");
    }
    result
}

/// Whether digits between these two texts are a number, and not part of a name,
/// a type such as `i32` or a decimal fraction.
fn stands_alone(before: &str, after: &str) -> bool {
    let mut last = before.chars().rev();
    let opens = match last.next() {
        // In a shape, `x` follows an extent: `?x256xf32`.
        Some('x') => last.next().is_some_and(|c| c.is_ascii_digit() || c == '?'),
        Some(c) => !(c.is_alphanumeric() || matches!(c, '_' | '.' | '%' | '#' | '@')),
        None => true,
    };
    let closes =
        !after.starts_with(|c: char| c == '.' || c == '_' || (c.is_alphabetic() && c != 'x'));
    opens && closes
}

#[cfg(test)]
mod tests {
    use super::stands_alone;

    #[test]
    fn numbers_are_told_from_names_and_types() {
        for (before, after) in [
            ("0 to ", " {"),
            ("memref<", "x5xf32>"),
            ("memref<?x", "xf32>"),
            ("+ ", ")"),
        ] {
            assert!(stands_alone(before, after), "{before}[]{after}");
        }
        for (before, after) in [
            ("f", ">"),
            ("%", " ="),
            ("%c", ","),
            ("0.", " :"),
            ("", ".5"),
            ("%max", ")"),
        ] {
            assert!(!stands_alone(before, after), "{before}[]{after}");
        }
    }
}
