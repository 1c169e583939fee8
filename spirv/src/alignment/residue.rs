//! Residues: integers modulo [`UNIT`], as sums of other ones.
//!
//! ```text
//! %lead = remsi(%i * 3, 4)        ≡ 3 %i                    mod 4
//! %place = %i * 769 + %lead       ≡ (769 + 3) %i ≡ 0        mod 4
//! ```
//!
//! A multiple alone does not tell that: neither term of the sum is one of 4. As a multiple, a residue
//! survives wrapping around, truncation and extension.

use rspirv::spirv::Word;

use crate::emit::Emitter;

/// The modulus: the elements of the widest access.
pub(crate) const UNIT: i64 = 4;

/// Terms of a residue, at most; a word with more stands for itself.
const MAX_TERMS: usize = 4;

/// `Σ factor · word + constant` modulo [`UNIT`]; factors are from 1 to 3, words ascend.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Residue {
    terms: Vec<(Word, i64)>,
    constant: i64,
}

impl Residue {
    pub(crate) fn constant(value: i64) -> Self {
        Residue {
            terms: Vec::new(),
            constant: value.rem_euclid(UNIT),
        }
    }

    /// `self + by * other`; `None` where that has too many terms.
    pub(crate) fn plus(mut self, by: i64, other: &Residue) -> Option<Self> {
        let by = by.rem_euclid(UNIT);
        self.constant = (self.constant + by * other.constant).rem_euclid(UNIT);
        for &(word, factor) in &other.terms {
            let factor = by * factor % UNIT;
            match self.terms.binary_search_by_key(&word, |term| term.0) {
                Ok(at) => self.terms[at].1 = (self.terms[at].1 + factor) % UNIT,
                Err(at) => self.terms.insert(at, (word, factor)),
            }
        }
        self.terms.retain(|term| term.1 != 0);
        (self.terms.len() <= MAX_TERMS).then_some(self)
    }

    /// A power of two, [`UNIT`] at most, that integers of this residue are multiples of.
    fn multiple(&self) -> u32 {
        let factors = self.terms.iter().map(|term| term.1);
        let all = factors.fold(self.constant | UNIT, |all, factor| all | factor);
        1 << all.trailing_zeros()
    }
}

impl Emitter {
    /// The residue of an integer; of one that nothing is known of, itself.
    pub(crate) fn residue(&self, word: Word) -> Residue {
        if let Some(value) = self.constant_value(word) {
            return Residue::constant(value);
        }
        if let Some(known) = self.residues.get(&word) {
            return known.clone();
        }
        let itself = Residue {
            terms: vec![(word, 1)],
            constant: 0,
        };
        match i64::from(self.known_multiple(word)) {
            UNIT.. => Residue::default(),
            _ => itself,
        }
    }

    /// Notes the residue of `word`, once that is proved.
    pub(crate) fn note_residue(&mut self, word: Word, residue: Option<Residue>) {
        let Some(residue) = residue else { return };
        self.note_multiple(word, residue.multiple());
        self.residues.insert(word, residue);
    }

    /// Notes the residue of a sum of two integers.
    pub(crate) fn note_sum(&mut self, sum: Word, a: Word, b: Word) {
        let residue = self.residue(a).plus(1, &self.residue(b));
        self.note_residue(sum, residue);
    }

    /// Notes the residue of a product of two integers, one of which is constant.
    pub(crate) fn note_product(&mut self, product: Word, a: Word, b: Word) {
        let factors = [(a, b), (b, a)].map(|(a, b)| Some((self.constant_value(a)?, b)));
        if let Some((factor, other)) = factors.into_iter().flatten().next() {
            let residue = Residue::default().plus(factor, &self.residue(other));
            self.note_residue(product, residue);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn residue(terms: &[(Word, i64)], constant: i64) -> Residue {
        Residue {
            terms: terms.to_vec(),
            constant,
        }
    }

    #[test]
    fn terms_that_cancel_leave_a_multiple() {
        let row = Residue::default().plus(769, &residue(&[(7, 1)], 0));
        let place = row.and_then(|row| row.plus(1, &residue(&[(7, 3)], 0)));
        assert_eq!(place, Some(Residue::default()));
        assert_eq!(place.map(|place| place.multiple()), Some(4));
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

    #[test]
    fn too_many_terms_are_given_up() {
        let all = (1..=5).try_fold(Residue::default(), |all, word| {
            all.plus(1, &residue(&[(word, 1)], 0))
        });
        assert_eq!(all, None);
    }
}
