//! "Did you mean": the known operation nearest to a name.

use crate::op::known_ops;

/// The known operation that `name` is most likely a misspelling of.
pub(crate) fn operation(name: &str) -> Option<&'static str> {
    if name.len() > 64 {
        return None;
    }
    // A third of the letters may be wrong; more is another word.
    let limit = (name.len() / 3).clamp(1, 3);
    let exact_mnemonic = known_ops()
        .map(|def| def.name)
        .find(|known| known.split_once('.').is_some_and(|(_, m)| m == name));
    let distance = |known: &'static str| (edit_distance(name.as_bytes(), known.as_bytes()), known);
    exact_mnemonic.or_else(|| {
        known_ops()
            .map(|def| distance(def.name))
            .min()
            .filter(|(d, _)| *d <= limit)
            .map(|(_, known)| known)
    })
}

/// The number of insertions, deletions and replacements that turn `a` into `b`.
fn edit_distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replace = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replace.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names() {
        assert_eq!(operation("arith.adi"), Some("arith.addi"));
        assert_eq!(operation("memref.laod"), Some("memref.load"));
        assert_eq!(operation("completely.different"), None);
    }
}
