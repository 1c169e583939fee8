//! Residues: integers modulo a small power of two, as linear combinations of other integers.
//!
//! Where a row has an odd length, the rows begin at positions of any residue. A position in a row
//! can be a multiple of four all the same: the kernel adds the number of elements up to the first
//! multiple, a remainder of the row's begin, and the two residues cancel.
//!
//! ```text
//! %lead = remsi(%i * 3, 4)        ≡ 3 %i                    mod 4
//! %place = %i * 769 + %lead       ≡ (769 + 3) %i ≡ 0        mod 4
//! ```
//!
//! A multiple alone does not tell that: neither term of the sum is a multiple of 4. As a multiple,
//! a residue survives wrapping around, and truncation to two bits or more and extension from them.

/// The modulus: the elements of the widest access.
pub const UNIT: i64 = 4;

/// `Σ factor · atom + constant` modulo [`UNIT`]; factors are from 1 to 3, atoms ascend. An atom is
/// an integer that the caller numbers.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Residue {
    terms: Vec<(u32, i64)>,
    constant: i64,
}

impl Residue {
    /// The residue of an integer that is known.
    pub fn constant(value: i64) -> Self {
        Residue {
            terms: Vec::new(),
            constant: value.rem_euclid(UNIT),
        }
    }

    /// The residue of an unknown integer: itself, as an atom.
    pub fn of(atom: u32) -> Self {
        Residue {
            terms: vec![(atom, 1)],
            constant: 0,
        }
    }

    /// The residue, if it depends on no atom.
    pub fn known(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// Number of atoms with a factor.
    pub fn num_terms(&self) -> usize {
        self.terms.len()
    }

    /// `self + by * other`
    pub fn plus(mut self, by: i64, other: &Residue) -> Self {
        let by = by.rem_euclid(UNIT);
        self.constant = (self.constant + by * other.constant) % UNIT;
        for &(atom, factor) in &other.terms {
            let factor = by * factor % UNIT;
            match self.terms.binary_search_by_key(&atom, |term| term.0) {
                Ok(at) => self.terms[at].1 = (self.terms[at].1 + factor) % UNIT,
                Err(at) => self.terms.insert(at, (atom, factor)),
            }
        }
        self.terms.retain(|term| term.1 != 0);
        self
    }

    /// A power of two, [`UNIT`] at most, that integers of this residue are multiples of.
    pub fn multiple(&self) -> i64 {
        let factors = self.terms.iter().map(|term| term.1);
        let all = factors.fold(self.constant | UNIT, |all, factor| all | factor);
        1 << all.trailing_zeros()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn residue(terms: &[(u32, i64)], constant: i64) -> Residue {
        Residue {
            terms: terms.to_vec(),
            constant,
        }
    }

    #[test]
    fn terms_that_cancel_leave_a_multiple() {
        let row = Residue::default().plus(769, &residue(&[(7, 1)], 0));
        let place = row.plus(1, &residue(&[(7, 3)], 0));
        assert_eq!(place, Residue::default());
        assert_eq!(place.multiple(), 4);
    }

    #[test]
    fn a_residue_of_even_terms_is_even() {
        assert_eq!(residue(&[(7, 2)], 0).multiple(), 2);
        assert_eq!(residue(&[(7, 2)], 2).multiple(), 2);
        assert_eq!(residue(&[(7, 2)], 1).multiple(), 1);
        assert_eq!(residue(&[(7, 3)], 0).multiple(), 1);
        assert_eq!(Residue::constant(-4).multiple(), 4);
        assert_eq!(Residue::constant(-3), residue(&[], 1));
    }
}
