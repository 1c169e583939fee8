//! Idioms of compactions: filters in place, rows of which the ends are stored, and loops that swap or update the elements
//! that a table names.

use crate::affine::Expr;
use crate::generate::{Generator, MemVar};
use crate::program::{Bin, FloatPred, IntPred, Op, Var};
use crate::types::Scalar;

/// Trip count from which a scan is parallelized.
const SCANNED: i64 = 1 << 13;

/// Trip count from which a loop is inspected.
const INSPECTED: i64 = 1 << 12;

impl Generator {
    /// Emits one of the idioms.
    pub(super) fn compact(&mut self, sink: &MemVar) {
        match self.random.below(3) {
            0 => self.filter(sink),
            1 => self.row_ends(sink),
            _ => self.named(sink),
        }
    }

    /// Emits a condition that some elements meet.
    fn is_taken(&mut self, x: Var, key: Var) -> Var {
        let element = self.program.scalar(x);
        let order = *self.random.pick(&[IntPred::Slt, IntPred::Ne, IntPred::Eq]);
        self.compared(element, (FloatPred::Olt, order), [x, key])
    }

    /// Emits the next counter: where a condition holds, what `store` stores at it, and a step more.
    fn advanced(
        &mut self,
        (test, counter, step): (Var, Var, Var),
        store: impl FnOnce(&mut Self),
    ) -> Var {
        self.masked(test, &[counter], |this| {
            store(this);
            vec![this.bin(Bin::AddI, counter, step)]
        })[0]
    }

    /// Emits a filter that stores to the array it loads from, mostly behind what it has loaded.
    fn filter(&mut self, sink: &MemVar) {
        let count = SCANNED + self.random.between(-50, 200);
        let lower = *self.random.pick(&[0, 0, 0, 1]);
        let init = *self.random.pick(&[0, 0, 0, 1, 2]);
        let step = *self.random.pick(&[1, 1, 1, 2]);
        let array = self.long(sink.ty.element, &[init + step * count + 1]);
        let (start, by) = (self.index(init), self.index(step));
        let key = self.int(sink.ty.element, 2);
        let last = self.counted_to([lower, count], &[start], |this, iv, args| {
            let x = this.load_at(&array, vec![Expr::Dim(iv)]);
            let test = this.is_taken(x, key);
            let counter = args[0];
            vec![this.advanced((test, counter, by), |this| {
                this.store_plain(x, &array, &[counter]);
            })]
        });
        self.checksum(&array, sink);
        self.sink(last[0], sink);
    }

    /// Emits a compaction of rows, which stores where each one ends.
    fn row_ends(&mut self, sink: &MemVar) {
        let columns = self.random.between(60, 90);
        let rows = SCANNED / columns + self.random.between(1, 9);
        let element = sink.ty.element;
        let array = self.long(element, &[rows, columns]);
        let values = self.long(element, &[rows * columns + 1]);
        let ends = self.long(Scalar::Index, &[rows + 1]);
        let (start, by) = (self.index(0), self.index(1));
        let key = self.int(element, 2);
        let last = self.counted_to([0, rows], &[start], |this, i, args| {
            let end = this.times(columns, &[args[0]], |this, j, args| {
                let x = this.load_at(&array, vec![Expr::Dim(i), Expr::Dim(j)]);
                let test = this.is_taken(x, key);
                let counter = args[0];
                vec![this.advanced((test, counter, by), |this| {
                    this.store_plain(x, &values, &[counter]);
                })]
            })[0];
            this.store_at(end, &ends, vec![Expr::Dim(i).plus(1)]);
            vec![end]
        });
        self.checksum(&values, sink);
        self.checksum(&ends, sink);
        self.sink(last[0], sink);
    }

    /// Emits a loop that swaps each element with one that a table names, or updates that one.
    fn named(&mut self, sink: &MemVar) {
        let count = INSPECTED + self.random.between(-20, 90);
        let size = 2 * INSPECTED;
        let array = self.long(sink.ty.element, &[size]);
        let table = self.fresh(Scalar::Index, &[count]);
        let (factor, divisor) = (
            *self.random.pick(&[1, 3, 17, -1, -1]),
            *self.random.pick(&[1, 1, 1, 2]),
        );
        let shift = self.random.between(0, size - 1);
        self.times(count, &[], |this, iv, _| {
            let at = Expr::Dim(iv).times(factor).plus(shift + count);
            let at = Expr::FloorDiv(Box::new(at), Box::new(Expr::Const(divisor)));
            let named = this.apply(Expr::Mod(Box::new(at), Box::new(Expr::Const(size))));
            this.store_at(named, &table, vec![Expr::Dim(iv)]);
            Vec::new()
        });
        let swaps = self.random.chance(60);
        let is_masked = self.random.chance(70);
        self.counted_to([0, count], &[], |this, iv, _| {
            let named = this.load_at(&table, vec![Expr::Dim(iv)]);
            this.bound(named, 0, size - 1);
            let change = |this: &mut Self| {
                let other = this.load_plain(&array, &[named]);
                let value = match swaps {
                    true => {
                        let own = this.load_at(&array, vec![Expr::Dim(iv)]);
                        this.store_at(other, &array, vec![Expr::Dim(iv)]);
                        own
                    }
                    false => {
                        let three = this.int(array.ty.element, 3);
                        let tripled = this.bin(Bin::MulI, other, three);
                        let own = this.scattered(iv, array.ty.element);
                        this.bin(Bin::AddI, tripled, own)
                    }
                };
                this.store_plain(value, &array, &[named]);
                Vec::new()
            };
            if is_masked {
                let test = this.scalar(Op::CmpI(IntPred::Slt, iv, named), Scalar::I1);
                this.masked(test, &[], change);
            } else {
                change(this);
            }
            Vec::new()
        });
        self.checksum(&array, sink);
    }
}
