//! Residues of words: integers modulo [`UNIT`] as sums of other ones, noted as they are computed.

use gridloom_ir::scalar::residue::{Residue, UNIT};
use rspirv::spirv::Word;

use crate::emit::Emitter;

/// Terms of a residue, at most; a word with more stands for itself.
const MAX_TERMS: usize = 4;

/// Whether a residue has few enough terms to be noted.
fn is_short(residue: &Residue) -> bool {
    residue.num_terms() <= MAX_TERMS
}

impl Emitter {
    /// Residue of an integer: of a constant its value, else the noted residue, else the integer
    /// itself as the only term.
    pub(crate) fn residue(&self, word: Word) -> Residue {
        if let Some(value) = self.constant_value(word) {
            return Residue::constant(value);
        }
        if let Some(known) = self.residues.get(&word) {
            return known.clone();
        }
        match i64::from(self.known_multiple(word)) {
            UNIT.. => Residue::default(),
            _ => Residue::of(word),
        }
    }

    /// Notes the residue of `word`, once that is proved.
    pub(crate) fn note_residue(&mut self, word: Word, residue: Residue) {
        if !is_short(&residue) {
            return;
        }
        // A multiple of a residue is from 1 to UNIT.
        self.note_multiple(word, residue.multiple() as u32);
        self.residues.insert(word, residue);
    }

    /// Notes the residue of a sum of two integers.
    pub(crate) fn note_sum(&mut self, sum: Word, a: Word, b: Word) {
        let residue = self.residue(a).plus(1, &self.residue(b));
        self.note_residue(sum, residue);
    }

    /// The residue of a product of two integers, one of which is constant.
    pub(crate) fn residue_of_product(&self, a: Word, b: Word) -> Option<Residue> {
        let factors = [(a, b), (b, a)].map(|(a, b)| Some((self.constant_value(a)?, b)));
        let (factor, other) = factors.into_iter().flatten().next()?;
        Some(Residue::default().plus(factor, &self.residue(other)))
    }

    /// Notes the residue of a product of two integers, one of which is constant.
    pub(crate) fn note_product(&mut self, product: Word, a: Word, b: Word) {
        if let Some(residue) = self.residue_of_product(a, b) {
            self.note_residue(product, residue);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_terms_are_given_up() {
        let sum = |words: std::ops::RangeInclusive<Word>| {
            words.fold(Residue::default(), |all, word| {
                all.plus(1, &Residue::of(word))
            })
        };
        assert!(is_short(&sum(1..=4)));
        assert!(!is_short(&sum(1..=5)));
    }
}
