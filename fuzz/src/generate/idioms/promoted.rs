//! Idioms of C's arithmetic: narrow numbers that are promoted and truncated again, subscripts computed in narrow integers, and
//! the search of an extremum that keeps its index alone.

use super::FOLDS;
use super::folds::EXTREMA;
use crate::affine::Expr;
use crate::generate::{Generator, MemVar};
use crate::program::{At, Bin, Cast, Op, Var};
use crate::types::Scalar;

impl Generator {
    /// Emits a fold of 8- or 16-bit integers that is computed in 32 bits, of a carried value or of an element.
    pub(super) fn promoted(&mut self, sink: &MemVar) {
        let narrow = *self.random.pick(&[Scalar::I8, Scalar::I8, Scalar::I16]);
        let count = self.length();
        let mem = self.long(narrow, &[count]);
        let casts = [Cast::ExtSI, Cast::ExtUI];
        let first = *self.random.pick(&casts);
        let second = match self.random.chance(85) {
            true => first,
            false => *self.random.pick(&casts),
        };
        let op = (!self.random.chance(35)).then(|| *self.random.pick(&FOLDS));
        if self.random.chance(40) {
            let kept = self.long(narrow, &[1]);
            self.times(count, &[], |this, iv, _| {
                let x = this.load_at(&mem, vec![Expr::Dim(iv)]);
                let before = this.load_at(&kept, vec![Expr::Const(0)]);
                let after = this.in_int([before, x], [first, second], op);
                this.store_at(after, &kept, vec![Expr::Const(0)]);
                Vec::new()
            });
            return self.checksum(&kept, sink);
        }
        let start = self.value(narrow, 1);
        let results = self.times(count, &[start], |this, iv, args| {
            let x = this.load_at(&mem, vec![Expr::Dim(iv)]);
            vec![this.in_int([args[0], x], [first, second], op)]
        });
        self.sink(results[0], sink);
    }

    /// Emits an operation of narrow integers in 32 bits, a comparison and a select where none is given.
    fn in_int(&mut self, narrow: [Var; 2], casts: [Cast; 2], op: Option<Bin>) -> Var {
        let ty = self.program.scalar(narrow[0]);
        let [left, right] = [0, 1].map(|side| {
            let cast = Op::Cast(casts[side], narrow[side]);
            self.scalar(cast, Scalar::I32)
        });
        let wide = match op {
            Some(op) => self.bin(op, left, right),
            None => {
                let preds = EXTREMA[self.random.below(4)];
                let test = self.compared(Scalar::I32, preds, [left, right]);
                self.scalar(Op::Select(test, left, right), Scalar::I32)
            }
        };
        self.scalar(Op::Cast(Cast::TruncI, wide), ty)
    }

    /// Emits a nest over rows of unknown length of an array whose subscripts are computed in a narrow type. In a byte they may
    /// wrap around.
    pub(super) fn flat(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let word = *self
            .random
            .pick(&[Scalar::I32, Scalar::I32, Scalar::I16, Scalar::I8]);
        let [rows, columns] = [(); 2].map(|()| self.random.between(3, 20));
        let size = match word {
            Scalar::I8 => 256,
            _ => rows * columns,
        };
        let mem = self.long(element, &[size]);
        let to_index = match word == Scalar::I8 || self.random.chance(30) {
            true => Cast::IndexCastUI,
            false => Cast::IndexCast,
        };
        let [height, width] = [rows, columns].map(|size| self.hidden(size, size));
        let pitch = self.scalar(Op::Cast(Cast::IndexCast, width), word);
        let op = *self.random.pick(&FOLDS);
        let ends = [Expr::Const(0), Expr::Dim(height)];
        self.counted(ends, (0, rows - 1), &[], |this, i, _| {
            let row = this.scalar(Op::Cast(Cast::IndexCast, i), word);
            let start = this.bin(Bin::MulI, row, pitch);
            let ends = [Expr::Const(0), Expr::Dim(width)];
            this.counted(ends, (0, columns - 1), &[], |this, j, _| {
                let column = this.scalar(Op::Cast(Cast::IndexCast, j), word);
                let place = this.bin(Bin::AddI, start, column);
                let at = this.scalar(Op::Cast(to_index, place), Scalar::Index);
                this.bound(at, 0, size - 1);
                let old = this.load_from(&mem, At::Plain(vec![at]));
                let other = this.converted(j, element);
                let new = this.bin(op, old, other);
                this.store_to(new, &mem, At::Plain(vec![at]));
                Vec::new()
            });
            Vec::new()
        });
        self.checksum(&mem, sink);
    }

    /// Emits an argmin or argmax that carries the index alone, and loads what it compares with.
    pub(super) fn picked(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let count = self.length();
        let mem = self.long(element, &[count]);
        let preds = EXTREMA[self.random.below(4)];
        let first = self.random.between(0, 2);
        let start = self.index(first);
        let ends = [Expr::Const(first), Expr::Const(count)];
        let results = self.counted(ends, (first, count - 1), &[start], |this, iv, args| {
            let x = this.load_at(&mem, vec![Expr::Dim(iv)]);
            let best = this.load_from(&mem, At::Plain(vec![args[0]]));
            let test = this.compared(element, preds, [x, best]);
            vec![this.scalar(Op::Select(test, iv, args[0]), Scalar::Index)]
        });
        self.sink(results[0], sink);
    }
}
