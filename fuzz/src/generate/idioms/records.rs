//! Reductions of several carried values: an extremum with the number of elements that equal it, and the two best elements.

use super::folds::EXTREMA;
use crate::affine::Expr;
use crate::generate::{Generator, MemVar};
use crate::program::{Bin, FloatPred, IntPred, Op, Var};
use crate::types::Scalar;

/// Other predicates: with some of them, partial results do not combine.
const OTHERS: [(FloatPred, IntPred); 4] = [
    (FloatPred::Ugt, IntPred::Sge),
    (FloatPred::Ult, IntPred::Ne),
    (FloatPred::Une, IntPred::Ugt),
    (FloatPred::Oge, IntPred::Sgt),
];

impl Generator {
    /// Emits such a reduction of an array.
    pub(super) fn records(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let count = self.length();
        let mem = self.long(element, &[count]);
        if element.is_float() && self.random.chance(40) {
            // Inserts NaN, infinity, and zeros of both signs.
            for _ in 0..self.random.between(1, 4) {
                let (value, at) = (self.value(element, 0), self.random.between(0, count - 1));
                self.store_at(value, &mem, vec![Expr::Const(at)]);
            }
        }
        let order = match self.random.chance(75) {
            true => *self.random.pick(&EXTREMA),
            false => *self.random.pick(&OTHERS),
        };
        let first = match self.random.chance(50) {
            true => self.value(element, 0),
            false => self.load_at(&mem, vec![Expr::Const(0)]),
        };
        match self.random.below(3) {
            0 => self.counted_best(&mem, order, first, sink),
            kind => self.two_best(&mem, order, first, (kind == 2, sink)),
        }
    }

    /// Emits an extremum with the number of elements that equal it, or with the sum of what stands beside them; sometimes with a
    /// look at the extremum so far.
    fn counted_best(
        &mut self,
        mem: &MemVar,
        order: (FloatPred, IntPred),
        first: Var,
        sink: &MemVar,
    ) {
        let element = mem.ty.element;
        let none = self.int(Scalar::I32, 0);
        let weighs = self.random.chance(40);
        let equal = match self.random.chance(85) {
            true => (FloatPred::Oeq, IntPred::Eq),
            false => *self.random.pick(&OTHERS),
        };
        let shown = (self.random.chance(15)).then(|| self.long(element, &[mem.sizes[0]]));
        let results = self.times(mem.sizes[0], &[first, none], |this, iv, args| {
            let x = this.load_at(mem, vec![Expr::Dim(iv)]);
            let amount = match weighs {
                true => this.converted(iv, Scalar::I32),
                false => this.int(Scalar::I32, 1),
            };
            let is_better = this.compared(element, order, [x, args[0]]);
            let is_equal = this.compared(element, equal, [x, args[0]]);
            let more = this.bin(Bin::AddI, args[1], amount);
            let more = this.scalar(Op::Select(is_equal, more, args[1]), Scalar::I32);
            let more = this.scalar(Op::Select(is_better, amount, more), Scalar::I32);
            let best = this.scalar(Op::Select(is_better, x, args[0]), element);
            if let Some(shown) = &shown {
                this.store_at(best, shown, vec![Expr::Dim(iv)]);
            }
            vec![best, more]
        });
        self.sink(results[0], sink);
        self.sink(results[1], sink);
        if let Some(shown) = shown {
            let last = self.load_at(&shown, vec![Expr::Const(mem.sizes[0] / 2)]);
            self.sink(last, sink);
        }
    }

    /// Emits the two best elements, with their places where `has_places`.
    fn two_best(
        &mut self,
        mem: &MemVar,
        order: (FloatPred, IntPred),
        first: Var,
        (has_places, sink): (bool, &MemVar),
    ) {
        let element = mem.ty.element;
        let mut inits = vec![first, self.value(element, 0)];
        if has_places {
            inits.extend([self.int(Scalar::I32, 0), self.int(Scalar::I32, 0)]);
        }
        let types = [element, element, Scalar::I32, Scalar::I32];
        let results = self.times(mem.sizes[0], &inits, |this, iv, args| {
            let x = this.load_at(mem, vec![Expr::Dim(iv)]);
            let place = this.converted(iv, Scalar::I32);
            let [is_best, is_second] =
                [0, 1].map(|at| this.compared(element, order, [x, args[at]]));
            let mut next = Vec::new();
            for (pair, new) in args.chunks(2).zip([x, place]) {
                let ty = types[next.len()];
                let best = this.scalar(Op::Select(is_best, new, pair[0]), ty);
                let second = this.scalar(Op::Select(is_second, new, pair[1]), ty);
                let second = this.scalar(Op::Select(is_best, pair[0], second), ty);
                next.extend([best, second]);
            }
            next
        });
        for result in results {
            self.sink(result, sink);
        }
    }
}
