//! Spelling suggestions: "did you mean", by edit distance.

use crate::context::dialect_registry::DialectRegistry;

/// Length limit of compared names.
const MAX_LEN: usize = 64;

/// Suggests a known operation for a misspelled `name`.
pub(crate) fn operation(registry: &DialectRegistry, name: &str) -> Option<&'static str> {
    let names = || registry.ops().iter().map(|def| def.name);
    let exact_mnemonic =
        names().find(|known| known.split_once('.').is_some_and(|(_, m)| m == name));
    exact_mnemonic.or_else(|| nearest(name, names()))
}

/// Suggests the candidate that `name` is most likely a misspelling of.
pub fn nearest<'n>(name: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    // Up to a third of the letters may be wrong; more is another word, and so is another number.
    let limit = (name.len() / 3).min(3);
    if limit == 0 || name.len() > MAX_LEN || name.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let close = |known: &str| known != name && known.len().abs_diff(name.len()) <= limit;
    candidates
        .into_iter()
        .filter(|known| close(known))
        .map(|known| (edit_distance(name.as_bytes(), known.as_bytes()), known))
        .min()
        .filter(|(distance, _)| *distance <= limit)
        .map(|(_, known)| known)
}

/// Edit distance of `a` and `b`: insertions, deletions, replacements and transpositions of
/// neighbours (restricted Damerau–Levenshtein).
fn edit_distance(a: &[u8], b: &[u8]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut next = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replace = row[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            next[j] = replace.min(row[j] + 1).min(next[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                next[j] = next[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names() {
        let registry = crate::test_dialect::registry();
        let operation = |name| operation(&registry, name);
        assert_eq!(operation("test.adds"), Some("test.add"));
        assert_eq!(operation("test.constnat"), Some("test.constant"));
        assert_eq!(operation("completely.different"), None);
        assert_eq!(nearest("colunm", ["row", "column"]), Some("column"));
        assert_eq!(nearest("a", ["b"]), None);
        assert_eq!(nearest("100", ["101"]), None);
    }
}
