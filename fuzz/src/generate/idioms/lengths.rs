//! Idiom of lengths: a loop that loads numbers of a global again and again, in inner loops of no, few and loaded numbers of
//! iterations as well, and sometimes stores other ones.

use super::FOLDS;
use crate::affine::Expr;
use crate::generate::{Generator, MemVar};
use crate::program::{Bin, Var};
use crate::types::Scalar;

/// Greatest number in the global.
const MOST: i64 = 3;

/// The global, and the one of its elements that most accesses are to.
struct Lengths {
    numbers: MemVar,
    favourite: i64,
}

impl Generator {
    /// Emits a loop around accesses of a few numbers.
    pub(super) fn lengths(&mut self, sink: &MemVar) {
        let count = self.random.between(2, 4);
        let word = *self.random.pick(&[Scalar::Index, Scalar::I32, Scalar::I64]);
        let elements = (0..count).map(|_| self.random.between(0, MOST) as u64);
        let elements = elements.collect();
        let lengths = Lengths {
            numbers: self.row_of_numbers(word, elements, false),
            favourite: self.random.between(0, count - 1),
        };
        let affine = self.random.chance(60);
        let rounds = self.random.between(1, 6);
        let inits = [self.value(word, 1)];
        let sums = self.between(affine, [0, rounds, 1], &inits, |this, _, sums| {
            vec![this.length_steps(&lengths, sums[0], 2)]
        });
        self.sink(sums[0], sink);
        self.checksum(&lengths.numbers, sink);
    }

    /// Emits some accesses and loops around others. Returns the sum after them.
    fn length_steps(&mut self, lengths: &Lengths, mut sum: Var, depth: usize) -> Var {
        for _ in 0..self.random.between(2, 4) {
            sum = match self.random.below(if depth == 0 { 6 } else { 10 }) {
                0 => {
                    let at = self.length_place(lengths);
                    let number = self.random.between(0, MOST);
                    let number = self.int(lengths.numbers.ty.element, number);
                    self.store_at(number, &lengths.numbers, at);
                    sum
                }
                1..6 => {
                    let number = self.a_length(lengths);
                    let op = *self.random.pick(&FOLDS);
                    self.bin(op, sum, number)
                }
                6 | 7 => {
                    let affine = self.random.chance(60);
                    let trips = self.random.between(0, 2);
                    self.between(affine, [0, trips, 1], &[sum], |this, _, sums| {
                        vec![this.length_steps(lengths, sums[0], depth - 1)]
                    })[0]
                }
                _ => {
                    let zero = self.index(0);
                    let length = self.a_length(lengths);
                    let upper = self.converted(length, Scalar::Index);
                    self.up_to([zero, upper], MOST - 1, &[sum], |this, iv, sums| {
                        let iv = this.converted(iv, lengths.numbers.ty.element);
                        let sum = this.bin(Bin::AddI, sums[0], iv);
                        vec![this.length_steps(lengths, sum, depth - 1)]
                    })[0]
                }
            };
        }
        sum
    }

    fn a_length(&mut self, lengths: &Lengths) -> Var {
        let at = self.length_place(lengths);
        self.load_at(&lengths.numbers, at)
    }

    fn length_place(&mut self, lengths: &Lengths) -> Vec<Expr> {
        let last = lengths.numbers.sizes[0] - 1;
        vec![Expr::Const(match self.random.chance(70) {
            true => lengths.favourite,
            false => self.random.between(0, last),
        })]
    }
}
