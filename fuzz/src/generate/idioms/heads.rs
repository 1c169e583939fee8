//! Idioms of the work in one row: products and folds as heads of attention have them, of sizes that the run knows, and elements
//! that branches of an inner loop update.

use super::FOLDS;
use super::folds::EXTREMA;
use crate::affine::Expr;
use crate::generate::{Generator, MemVar};
use crate::program::{Block, Cond, Op, Var};

/// Arrays of the heads.
struct Heads {
    /// A query for each head.
    queries: MemVar,
    /// Keys of each head.
    keys: MemVar,
    /// What the products of both come to.
    scores: MemVar,
    out: MemVar,
}

impl Generator {
    /// Emits heads: products of a query with the keys of its head, their fold, and sums of what both give. Few heads with
    /// much work each are worth other loops than many.
    pub(super) fn heads(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let heads = match self.random.chance(20) {
            true => self.random.between(60, 70),
            false => self.random.between(1, 6),
        };
        let [count, width] = [(); 2].map(|()| self.random.between(1, 9));
        let arrays = Heads {
            queries: self.long(element, &[heads, width]),
            keys: self.long(element, &[heads, count, width]),
            scores: self.long(element, &[heads, count]),
            out: self.long(element, &[heads, width]),
        };
        let is_open = self.random.chance(70);
        let [heads_end, count_end, width_end] = [heads, count, width].map(|size| match is_open {
            true => Expr::Dim(self.hidden(size, size)),
            false => self.upper(size),
        });
        let [count, width] = [(count_end, count), (width_end, width)];
        let ends = [Expr::Const(0), heads_end];
        self.counted(ends, (0, heads - 1), &[], |this, head, _| {
            this.head(&arrays, head, [&count, &width]);
            Vec::new()
        });
        self.checksum(&arrays.scores, sink);
        self.checksum(&arrays.out, sink);
    }

    /// Emits the work of one head.
    fn head(&mut self, arrays: &Heads, head: Var, [count, width]: [&(Expr, i64); 2]) {
        let element = arrays.out.ty.element;
        let [product, fold, sum, update] = [(); 4].map(|()| *self.random.pick(&FOLDS));
        let (zero, start) = (self.int(element, 0), self.value(element, 1));
        let to = |end: &(Expr, i64)| ([Expr::Const(0), end.0.clone()], (0, end.1 - 1));
        let (to_count, counters) = to(count);
        self.counted(to_count.clone(), counters, &[], |this, j, _| {
            let (to_width, counters) = to(width);
            let sums = this.counted(to_width, counters, &[zero], |this, d, sums| {
                let x = this.load_at(&arrays.queries, vec![Expr::Dim(head), Expr::Dim(d)]);
                let at = [head, j, d].map(Expr::Dim).to_vec();
                let y = this.load_at(&arrays.keys, at);
                let product = this.bin(product, x, y);
                vec![this.bin(sum, sums[0], product)]
            });
            let at = || vec![Expr::Dim(head), Expr::Dim(j)];
            let before = this.load_at(&arrays.scores, at());
            let score = this.bin(update, before, sums[0]);
            this.store_at(score, &arrays.scores, at());
            Vec::new()
        });
        let folded = self.counted(to_count.clone(), counters, &[start], |this, j, args| {
            let score = this.load_at(&arrays.scores, vec![Expr::Dim(head), Expr::Dim(j)]);
            vec![this.bin(fold, args[0], score)]
        });
        let (to_width, columns) = to(width);
        self.counted(to_width, columns, &[], |this, d, _| {
            let sums = this.counted(to_count, counters, &[folded[0]], |this, j, sums| {
                let x = this.load_at(&arrays.scores, vec![Expr::Dim(head), Expr::Dim(j)]);
                let at = [head, j, d].map(Expr::Dim).to_vec();
                let y = this.load_at(&arrays.keys, at);
                let product = this.bin(product, x, y);
                vec![this.bin(sum, sums[0], product)]
            });
            let at = || vec![Expr::Dim(head), Expr::Dim(d)];
            let before = this.load_at(&arrays.out, at());
            let after = this.bin(update, before, sums[0]);
            this.store_at(after, &arrays.out, at());
            Vec::new()
        });
    }

    /// Emits rows each of which has an element that is updated in the branches of a condition, or in one of them.
    pub(super) fn branched(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let (rows, size) = (self.random.between(2, 20), self.random.between(1, 12));
        let from = self.long(element, &[rows, size]);
        let [kept, noted] = [(); 2].map(|()| self.long(element, &[rows]));
        let preds = EXTREMA[self.random.below(4)];
        // What each branch stores to: the element, another one, or nothing.
        let stored = [(); 2].map(|()| self.random.below(5));
        let [is_initialised, is_loaded] = [30, 70].map(|share| self.random.chance(share));
        let op = *self.random.pick(&FOLDS);
        let pivot = self.value(element, 0);
        let (end, upper) = (self.upper(rows), self.upper(size));
        let ends = [Expr::Const(0), end];
        self.counted(ends, (0, rows - 1), &[], |this, i, _| {
            let at = || vec![Expr::Dim(i)];
            if is_initialised {
                this.store_at(pivot, &kept, at());
            }
            let ends = [Expr::Const(0), upper];
            this.counted(ends, (0, size - 1), &[], |this, j, _| {
                let x = this.load_at(&from, vec![Expr::Dim(i), Expr::Dim(j)]);
                let before = match is_loaded {
                    true => this.load_at(&kept, at()),
                    false => pivot,
                };
                let test = this.compared(element, preds, [x, before]);
                let [then, otherwise] = stored.map(|kind| {
                    let (stmts, ()) = this.nested(|this| {
                        let value = this.bin(op, before, x);
                        match kind {
                            0..3 => this.store_at(value, &kept, at()),
                            3 => this.store_at(value, &noted, at()),
                            _ => {}
                        }
                    });
                    Block {
                        stmts,
                        yields: Vec::new(),
                    }
                });
                let op = Op::If {
                    cond: Cond::Value(test),
                    then,
                    otherwise: Some(otherwise),
                };
                this.emit(op, Vec::new());
                Vec::new()
            });
            Vec::new()
        });
        self.checksum(&kept, sink);
        self.checksum(&noted, sink);
    }
}
