//! Idioms of nests whose sizes the loops around load or carry: products of a part of two matrices for each group, and levels of
//! a pyramid.

use super::FOLDS;
use crate::generate::{Generator, MemVar};
use crate::program::{Bin, IntPred, Op, Var};
use crate::types::Scalar;

/// The largest size.
const MOST: i64 = 6;

/// Matrices of the parts, of [`MOST`] rows and columns.
struct Parts {
    left: MemVar,
    right: MemVar,
    out: MemVar,
}

impl Generator {
    /// Emits products of parts, of sizes that the loop around loads, or carries and halves.
    pub(super) fn parts(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let [left, right, out] = [(); 3].map(|()| self.long(element, &[MOST, MOST]));
        let parts = Parts { left, right, out };
        match self.random.chance(60) {
            true => self.groups(&parts),
            false => self.levels(&parts),
        }
        self.checksum(&parts.out, sink);
    }

    /// Emits a loop over groups, each with a size of its own, which may change once it is loaded.
    fn groups(&mut self, parts: &Parts) {
        let count = self.random.between(1, 5);
        let word = match self.random.chance(70) {
            true => Scalar::I32,
            false => Scalar::Index,
        };
        let sizes = self.fresh(word, &[count]);
        for group in 0..count {
            let size = self.random.between(0, MOST);
            let [size, at] = [self.int(word, size), self.index(group)];
            self.store_plain(size, &sizes, &[at]);
        }
        let changed = self.random.chance(50).then(|| self.int(word, 0));
        self.between(false, [0, count, 1], &[], |this, group, _| {
            let size = this.load_plain(&sizes, &[group]);
            if let Some(changed) = changed {
                this.store_plain(changed, &sizes, &[group]);
            }
            let end = this.converted(size, Scalar::Index);
            this.bound(end, 0, MOST);
            this.part(parts, end);
            Vec::new()
        });
    }

    /// Emits a loop of `scf.while` that halves a size until it is 0.
    fn levels(&mut self, parts: &Parts) {
        let size = self.random.between(1, MOST);
        let [first, zero, two] = [size, 0, 2].map(|number| self.index(number));
        let goes_on = |size| Op::CmpI(IntPred::Sgt, size, zero);
        self.while_carrying(first, MOST, goes_on, |this, size| {
            this.part(parts, size);
            this.bin(Bin::DivUI, size, two)
        });
    }

    /// Emits a product of the first rows and columns, as many as the value says.
    fn part(&mut self, parts: &Parts, end: Var) {
        let [product, sum, update] = [(); 3].map(|()| *self.random.pick(&FOLDS));
        let zero = self.index(0);
        let start = self.int(parts.out.ty.element, 0);
        let is_squared = self.random.chance(60);
        self.up_to([zero, end], MOST - 1, &[], |this, i, _| {
            let columns = match is_squared {
                true => end,
                false => this.index(MOST),
            };
            this.up_to([zero, columns], MOST - 1, &[], |this, j, _| {
                let sums = this.up_to([zero, end], MOST - 1, &[start], |this, k, sums| {
                    let x = this.load_plain(&parts.left, &[i, k]);
                    let y = this.load_plain(&parts.right, &[k, j]);
                    let product = this.bin(product, x, y);
                    vec![this.bin(sum, sums[0], product)]
                });
                let before = this.load_plain(&parts.out, &[i, j]);
                let after = this.bin(update, before, sums[0]);
                this.store_plain(after, &parts.out, &[i, j]);
                Vec::new()
            });
            Vec::new()
        });
    }
}
