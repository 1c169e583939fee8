//! Idioms of steps and sizes: sequential loops with kernels and scalar statements in them, and
//! loops with run-time sizes, as large as arrays, larger, or near the limits of 64 bits.

use super::FOLDS;
use crate::affine::Expr;
use crate::generate::{Generator, MemVar};
use crate::program::{Bin, Op};

impl Generator {
    /// Emits a sequential loop over steps: a scalar in memory, a parallel loop that uses it, and a
    /// scalar statement after it, then a deallocation.
    pub(super) fn stepped(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let (size, steps) = (self.random.between(4, 40), self.random.between(2, 4));
        let (x, y) = (self.long(element, &[size]), self.long(element, &[size]));
        let [first, second] = [(); 2].map(|()| *self.random.pick(&FOLDS));
        let (frees, turns) = (self.random.chance(80), self.random.chance(50));
        self.times(steps, &[], |this, t, _| {
            let own = this.fresh(element, &[1]);
            let only = || vec![Expr::Const(0)];
            let before = this.load_at(&x, vec![Expr::Dim(t).plus(size - steps)]);
            let number = this.scattered(t, element);
            let scalar = this.bin(first, before, number);
            this.store_at(scalar, &own, only());
            this.times(size, &[], |this, i, _| {
                let value = this.load_at(&x, vec![Expr::Dim(i)]);
                let scalar = this.load_at(&own, only());
                let value = this.bin(second, value, scalar);
                this.store_at(value, &y, vec![Expr::Dim(i)]);
                Vec::new()
            });
            if turns {
                this.times(size, &[], |this, i, _| {
                    let value = this.load_at(&y, vec![Expr::Dim(i).times(-1).plus(size - 1)]);
                    this.store_at(value, &x, vec![Expr::Dim(i)]);
                    Vec::new()
                });
            }
            let scalar = this.load_at(&own, only());
            let value = this.load_at(&y, only());
            let value = this.bin(Bin::XorI, scalar, value);
            this.store_at(value, &x, only());
            if frees {
                this.emit(Op::Dealloc(own.var), Vec::new());
            }
            Vec::new()
        });
        self.checksum(&x, sink);
    }

    /// Emits a loop to an opaque bound, sometimes beyond the end of the array.
    pub(super) fn overrun(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let size = self.random.between(3, 40);
        let b = self.long(element, &[size]);
        let beyond = self.random.between(-1, 3);
        let end = self.hidden(size + beyond, size + beyond);
        let factor = self.int(element, 3);
        let ends = [Expr::Const(0), Expr::Dim(end)];
        self.counted(ends, (0, size - 1), &[], |this, i, _| {
            let at = vec![Expr::Dim(i)];
            let value = this.load_at(&b, at.clone());
            let value = this.bin(Bin::MulI, value, factor);
            this.store_at(value, &b, at);
            Vec::new()
        });
        self.checksum(&b, sink);
    }

    /// Emits loops of two iterations near the limit of 64 bits, of which the last have none, since
    /// their upper bounds wrap around.
    pub(super) fn wrapped(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let size = self.random.between(4, 12);
        let b = self.long(element, &[size]);
        let start = i64::MAX - self.random.between(0, size);
        let start = self.hidden(start, i64::MAX);
        let (zero, three) = (self.int(element, 1), self.int(element, 3));
        self.times(size, &[], |this, i, _| {
            let lower = Expr::Add(Box::new(Expr::Dim(i)), Box::new(Expr::Dim(start)));
            let upper = lower.clone().plus(2);
            // The counter is unused, since its range is not this one.
            let counted = this.counted([lower, upper], (0, 1), &[zero], |this, _, carried| {
                vec![this.bin(Bin::AddI, carried[0], three)]
            });
            this.store_at(counted[0], &b, vec![Expr::Dim(i)]);
            Vec::new()
        });
        self.checksum(&b, sink);
    }
}
