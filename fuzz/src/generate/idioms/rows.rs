//! Idioms of sums that scatter over rows, and of values that rows pass between their nests.

use super::FOLDS;
use crate::affine::Expr;
use crate::generate::{Generator, MemVar};
use crate::program::{Bin, Var};

impl Generator {
    /// Emits a transposed convolution in scatter form: iterations of every loop meet in elements.
    /// Sometimes what is added comes of the elements themselves, so that their order matters.
    pub(super) fn scattered_sums(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let (blocks, count) = (self.random.between(2, 5), self.random.between(8, 24));
        let (taps, stride) = (self.random.between(2, 4), self.random.between(1, 2));
        let x = self.long(element, &[blocks, count]);
        let kernel = self.long(element, &[blocks, taps]);
        let y = self.long(element, &[count * stride + taps]);
        let (op, is_seen) = (*self.random.pick(&FOLDS), self.random.chance(40));
        let upper = self.upper(count);
        self.times(blocks, &[], |this, b, _| {
            let ends = [Expr::Const(0), upper];
            this.counted(ends, (0, count - 1), &[], |this, i, _| {
                this.times(taps, &[], |this, p, _| {
                    let mut at = Expr::Dim(i).times(stride);
                    at = Expr::Add(Box::new(at), Box::new(Expr::Dim(p)));
                    let sum = this.load_at(&y, vec![at.clone()]);
                    let weight = match is_seen {
                        true => this.load_at(&y, vec![Expr::Dim(b)]),
                        false => this.load_at(&kernel, vec![Expr::Dim(b), Expr::Dim(p)]),
                    };
                    let value = this.load_at(&x, vec![Expr::Dim(b), Expr::Dim(i)]);
                    let value = this.bin(Bin::MulI, value, weight);
                    let sum = this.bin(op, sum, value);
                    this.store_at(sum, &y, vec![at]);
                    Vec::new()
                });
                Vec::new()
            });
            Vec::new()
        });
        self.checksum(&y, sink);
    }

    /// Emits rows as attention has them: a fold of the row, then a nest that uses its result and shares
    /// what it loads with other rows. Sometimes the nest uses an element from before the fold, too,
    /// that is stored meanwhile.
    pub(super) fn rows(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let (rows, size) = (self.random.between(3, 12), self.random.between(4, 12));
        let width = self.random.between(8, 16);
        let (a, b) = (
            self.long(element, &[rows, size]),
            self.long(element, &[width, size]),
        );
        let (r, out) = (
            self.long(element, &[rows]),
            self.long(element, &[rows, width]),
        );
        let (op, is_kept) = (*self.random.pick(&FOLDS), self.random.chance(60));
        self.times(rows, &[], |this, i, _| {
            let before = this.load_at(&r, vec![Expr::Dim(i)]);
            let folded = this.times(size, &[before], |this, j, args| {
                let value = this.load_at(&a, vec![Expr::Dim(i), Expr::Dim(j)]);
                vec![this.bin(op, args[0], value)]
            });
            this.store_at(folded[0], &r, vec![Expr::Dim(i)]);
            this.times(width, &[], |this, e, _| {
                this.times(size, &[], |this, j, _| {
                    let at = || vec![Expr::Dim(i), Expr::Dim(e)];
                    let sum = this.load_at(&out, at());
                    let shared = this.load_at(&b, vec![Expr::Dim(e), Expr::Dim(j)]);
                    let mut value = this.bin(Bin::MulI, shared, folded[0]);
                    if is_kept {
                        value = this.bin(Bin::XorI, value, before);
                    }
                    let sum = this.bin(Bin::AddI, sum, value);
                    this.store_at(sum, &out, at());
                    Vec::new()
                });
                Vec::new()
            });
            Vec::new()
        });
        self.checksum(&out, sink);
        self.checksum(&r, sink);
    }

    /// Emits the search of the nearest row: a product of rows, inside of a loop that carries what is
    /// best so far. Sometimes the loop stores to the row that the products are of.
    pub(super) fn nearest(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let (rows, others) = (self.random.between(3, 9), self.random.between(8, 14));
        let size = self.random.between(16, 20);
        let (a, b) = (
            self.long(element, &[rows, size]),
            self.long(element, &[others, size]),
        );
        let found = self.long(element, &[rows]);
        let (op, writes) = (*self.random.pick(&FOLDS), self.random.chance(50));
        let (start, zero) = (self.value(element, 1), self.int(element, 0));
        self.times(rows, &[], |this, i, _| {
            let best: Vec<Var> = this.times(others, &[start], |this, j, args| {
                let product = this.times(size, &[zero], |this, k, sums| {
                    let x = this.load_at(&a, vec![Expr::Dim(i), Expr::Dim(k)]);
                    let y = this.load_at(&b, vec![Expr::Dim(j), Expr::Dim(k)]);
                    let product = this.bin(Bin::MulI, x, y);
                    vec![this.bin(Bin::AddI, sums[0], product)]
                });
                let next = this.bin(op, args[0], product[0]);
                if writes {
                    this.store_at(next, &a, vec![Expr::Dim(i), Expr::Dim(j)]);
                }
                vec![next]
            });
            this.store_at(best[0], &found, vec![Expr::Dim(i)]);
            Vec::new()
        });
        self.checksum(&found, sink);
        self.checksum(&a, sink);
    }
}
