//! Idioms along an array: folds, argmin and argmax, prefix sums, histograms.

use super::FOLDS;
use crate::affine::Expr;
use crate::generate::{Generator, MemVar};
use crate::program::{At, Bin, Block, Cast, Cond, FloatPred, IntPred, Op, Var};
use crate::types::{Scalar, Type};

/// Trip count from which a scan is computed in chunks.
pub(super) const CHUNKED: i64 = 1 << 13;

/// Predicates of extrema by a comparison and a select: of floats, and of integers.
pub(super) const EXTREMA: [(FloatPred, IntPred); 4] = [
    (FloatPred::Ogt, IntPred::Sgt),
    (FloatPred::Oge, IntPred::Sge),
    (FloatPred::Olt, IntPred::Slt),
    (FloatPred::Ole, IntPred::Ule),
];

/// Mask of the candidates of an argmin or argmax.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mask {
    None,
    Conjunction,
    Branch,
}

impl Mask {
    const ALL: [Mask; 4] = [Mask::None, Mask::None, Mask::Conjunction, Mask::Branch];
}

impl Generator {
    /// Emits a fold of an array, of one row or of all elements; sometimes of two carried values
    /// that are swapped.
    pub(super) fn fold(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let sizes = match self.random.chance(30) {
            true => vec![self.random.between(64, 90), self.random.between(2, 7)],
            false => vec![self.length()],
        };
        let mem = self.long(element, &sizes);
        let op = *self.random.pick(&FOLDS);
        let swaps = self.random.chance(25);
        let mut inits = vec![self.value(element, 1)];
        if swaps {
            inits.push(self.value(element, 1));
        }
        let results = self.fold_of(&mem, (op, swaps), &mut Vec::new(), &inits);
        for result in results {
            self.sink(result, sink);
        }
    }

    fn fold_of(
        &mut self,
        mem: &MemVar,
        (op, swaps): (Bin, bool),
        at: &mut Vec<Var>,
        inits: &[Var],
    ) -> Vec<Var> {
        let size = mem.sizes[at.len()];
        self.times(size, inits, |this, iv, args| {
            at.push(iv);
            let mut next = args.to_vec();
            if at.len() < mem.sizes.len() {
                next = this.fold_of(mem, (op, swaps), at, args);
            } else {
                let place = at.iter().map(|&iv| Expr::Dim(iv)).collect();
                let value = this.load_at(mem, place);
                for value_before in &mut next {
                    *value_before = this.bin(op, *value_before, value);
                }
                if swaps {
                    next.reverse();
                }
            }
            at.pop();
            next
        })
    }

    /// Emits `body` under a mask, for which it gives `otherwise`: in a branch.
    pub(super) fn masked(
        &mut self,
        mask: Var,
        otherwise: &[Var],
        body: impl FnOnce(&mut Self) -> Vec<Var>,
    ) -> Vec<Var> {
        let types = { otherwise.iter() }
            .map(|&value| Type::Scalar(self.program.scalar(value)))
            .collect();
        let (stmts, yields) = self.nested(body);
        let op = Op::If {
            cond: Cond::Value(mask),
            then: Block { stmts, yields },
            otherwise: Some(Block {
                stmts: Vec::new(),
                yields: otherwise.to_vec(),
            }),
        };
        self.emit(op, types)
    }

    /// Emits an argmin or argmax of an array, sometimes under a mask.
    pub(super) fn best(&mut self, sink: &MemVar) {
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
        let kind = self.random.below(4);
        let swapped = self.random.chance(30);
        let mask = *self.random.pick(&Mask::ALL);
        let pivot = self.value(element, 0);
        let least = match self.random.chance(50) {
            true => self.value(element, 0),
            false => self.load_at(&mem, vec![Expr::Const(0)]),
        };
        let place = self
            .random
            .pick(&[Scalar::Index, Scalar::I32, Scalar::I64])
            .to_owned();
        let none = self.int(place, 0);
        let low = if self.random.chance(20) { -7 } else { 0 };
        let ends = [Expr::Const(low), Expr::Const(low + count)];
        let results = self.counted(
            ends,
            (low, low + count - 1),
            &[least, none],
            |this, iv, args| {
                let x = this.load_at(&mem, vec![Expr::Dim(iv).plus(-low)]);
                let masked = (mask != Mask::None)
                    .then(|| this.compared(element, (FloatPred::Ogt, IntPred::Slt), [x, pivot]));
                let (left, right) = if swapped { (args[0], x) } else { (x, args[0]) };
                let (mut ordered, signed) = EXTREMA[kind];
                if element.is_float() && this.random.chance(10) {
                    let odd = [FloatPred::Ugt, FloatPred::Ult, FloatPred::Une];
                    ordered = *this.random.pick(&odd);
                }
                let is_greatest = (kind < 2) != swapped;
                let update = |this: &mut Self| {
                    let mut test = this.compared(element, (ordered, signed), [left, right]);
                    if let (Mask::Conjunction, Some(masked)) = (mask, masked) {
                        test = this.bin(Bin::AndI, masked, test);
                    }
                    let turned = this.random.chance(15);
                    let select = |this: &mut Self, new: Var, old: Var| {
                        let ty = this.program.scalar(new);
                        let (yes, no) = if turned { (old, new) } else { (new, old) };
                        this.scalar(Op::Select(test, yes, no), ty)
                    };
                    let best = match (element.is_float(), this.random.chance(35) && !turned) {
                        (true, true) if is_greatest => this.bin(Bin::MaximumF, x, args[0]),
                        (true, true) => this.bin(Bin::MinimumF, x, args[0]),
                        _ => select(this, x, args[0]),
                    };
                    let at = this.converted(iv, place);
                    let at = select(this, at, args[1]);
                    vec![best, at]
                };
                match (mask, masked) {
                    (Mask::Branch, Some(masked)) => this.masked(masked, args, update),
                    _ => update(this),
                }
            },
        );
        self.sink(results[0], sink);
        self.sink(results[1], sink);
    }

    /// Emits an argmin or argmax of each row of a matrix, in which the best number is often there several times. Rows of an odd
    /// width begin beside multiples of a vector, so that threads which share one take its first elements apart.
    pub(super) fn best_of_rows(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let (rows, width) = (self.random.between(2, 9), self.random.between(131, 140));
        let matrix = self.long(element, &[rows, width]);
        let places = self.long(Scalar::I32, &[rows]);
        // Threads share rows that more loops than one walk.
        let least = self
            .random
            .chance(70)
            .then(|| self.long(element, &[rows, width]));
        let (limit, worst) = (self.value(element, 0), self.value(element, 0));
        let kind = self.random.below(4);
        let beyond = EXTREMA[if kind < 2 { 0 } else { 2 }];
        let first = self.random.between(0, 3);
        let ends = [Expr::Const(first), Expr::Const(width)];
        self.times(rows, &[], |this, i, _| {
            let none = this.int(Scalar::I32, 0);
            let range = (first, width - 1);
            let best = this.counted(ends.clone(), range, &[worst, none], |this, j, args| {
                let x = this.load_at(&matrix, vec![Expr::Dim(i), Expr::Dim(j)]);
                let is_beyond = this.compared(element, beyond, [x, limit]);
                let x = this.scalar(Op::Select(is_beyond, limit, x), element);
                let is_better = this.compared(element, EXTREMA[kind], [x, args[0]]);
                let at = this.converted(j, Scalar::I32);
                let best = this.scalar(Op::Select(is_better, x, args[0]), element);
                let at = this.scalar(Op::Select(is_better, at, args[1]), Scalar::I32);
                vec![best, at]
            });
            this.store_at(best[1], &places, vec![Expr::Dim(i)]);
            if let Some(least) = &least {
                this.counted(ends.clone(), range, &[], |this, j, _| {
                    let at = || vec![Expr::Dim(i), Expr::Dim(j)];
                    let x = this.load_at(&matrix, at());
                    let is_less = this.compared(element, EXTREMA[2], [x, best[0]]);
                    let x = this.scalar(Op::Select(is_less, x, best[0]), element);
                    this.store_at(x, least, at());
                    Vec::new()
                });
            }
            Vec::new()
        });
        self.checksum(&places, sink);
    }

    /// Emits an argmin or argmax in memory, with stores under a condition.
    pub(super) fn best_in_memory(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let count = self.length();
        let mem = self.long(element, &[count]);
        let (best, place) = (self.long(element, &[1]), self.long(Scalar::I32, &[1]));
        let kind = self.random.below(4);
        let pivot = self.random.chance(40).then(|| self.value(element, 0));
        let update = |this: &mut Self, iv: Var, x: Var| {
            let before = this.load_at(&best, vec![Expr::Const(0)]);
            let preds = [
                (FloatPred::Ogt, IntPred::Sgt),
                (FloatPred::Oge, IntPred::Sge),
                (FloatPred::Olt, IntPred::Ult),
                (FloatPred::Ult, IntPred::Sle),
            ];
            let test = this.compared(element, preds[kind], [x, before]);
            let (stmts, ()) = this.nested(|this| {
                this.store_at(x, &best, vec![Expr::Const(0)]);
                let at = this.converted(iv, Scalar::I32);
                this.store_at(at, &place, vec![Expr::Const(0)]);
            });
            // Sometimes the last candidate that was not taken is noted as well.
            let other = this.random.chance(20).then(|| {
                let (stmts, ()) = this.nested(|this| {
                    let at = this.converted(iv, Scalar::I32);
                    this.store_at(at, &place, vec![Expr::Const(0)]);
                });
                stmts
            });
            let block = |stmts| Block {
                stmts,
                yields: Vec::new(),
            };
            let op = Op::If {
                cond: Cond::Value(test),
                then: block(stmts),
                otherwise: other.map(block),
            };
            this.emit(op, Vec::new());
            Vec::new()
        };
        self.times(count, &[], |this, iv, _| {
            let x = this.load_at(&mem, vec![Expr::Dim(iv)]);
            let Some(pivot) = pivot else {
                return update(this, iv, x);
            };
            let mask = this.compared(element, (FloatPred::Ogt, IntPred::Slt), [x, pivot]);
            this.masked(mask, &[], |this| update(this, iv, x))
        });
        let value = self.load_at(&best, vec![Expr::Const(0)]);
        self.sink(value, sink);
        let at = self.load_at(&place, vec![Expr::Const(0)]);
        self.sink(at, sink);
    }

    /// Emits prefix sums, sometimes of enough elements for chunks.
    pub(super) fn scan(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let count = self.length();
        let count = if count % 8 == 3 {
            count + CHUNKED
        } else {
            count
        };
        let (from, to) = (self.long(element, &[count]), self.long(element, &[count]));
        let op = *self.random.pick(&FOLDS);
        let start = self.value(element, 0);
        let behind = self.random.chance(50);
        let upper = match count > CHUNKED {
            true => Expr::Const(count),
            false => self.upper(count),
        };
        let ends = [Expr::Const(0), upper];
        let results = self.counted(ends, (0, count - 1), &[start], |this, iv, args| {
            let value = this.load_at(&from, vec![Expr::Dim(iv)]);
            let next = this.bin(op, args[0], value);
            let stored = if behind { next } else { args[0] };
            this.store_at(stored, &to, vec![Expr::Dim(iv)]);
            vec![next]
        });
        self.checksum(&to, sink);
        self.sink(results[0], sink);
    }

    /// Emits a comparison of two elements by the predicate for their type.
    pub(super) fn compared(
        &mut self,
        element: Scalar,
        (floats, integers): (FloatPred, IntPred),
        [left, right]: [Var; 2],
    ) -> Var {
        let test = match element.is_float() {
            true => Op::CmpF(floats, left, right),
            false => Op::CmpI(integers, left, right),
        };
        self.scalar(test, Scalar::I1)
    }

    /// Emits a running extremum by a comparison and a select, sometimes of enough elements for chunks;
    /// of floats, zeros of both signs among them, so that it shows which of equals is taken.
    pub(super) fn running_best(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let period = self.length();
        // Few steps of the evaluator for each iteration: it has a limit.
        let count = match self.random.chance(40) {
            true => CHUNKED + period,
            false => period,
        };
        let (from, to) = (self.long(element, &[period]), self.fresh(element, &[count]));
        if element.is_float() {
            for _ in 0..self.random.between(0, 3) {
                let (value, at) = (self.value(element, 0), self.random.between(0, period - 1));
                self.store_at(value, &from, vec![Expr::Const(at)]);
            }
        }
        let are_zeros = element.is_float() && self.random.chance(70);
        let zero = are_zeros.then(|| {
            let sign = 1 << (element.width() - 1);
            self.scalar(Op::Const(sign), element)
        });
        let kind = self.random.below(4);
        let swapped = self.random.chance(30);
        let start = match are_zeros {
            true => self.scalar(Op::Const(0), element),
            false => self.value(element, 0),
        };
        let results = self.times(count, &[start], |this, iv, args| {
            let at = Expr::Mod(Box::new(Expr::Dim(iv)), Box::new(Expr::Const(period)));
            let mut x = this.load_at(&from, vec![at]);
            if let Some(zero) = zero {
                x = this.bin(Bin::MulF, x, zero);
            }
            let (left, right) = if swapped { (args[0], x) } else { (x, args[0]) };
            let test = this.compared(element, EXTREMA[kind], [left, right]);
            let best = this.scalar(Op::Select(test, x, args[0]), element);
            this.store_at(best, &to, vec![Expr::Dim(iv)]);
            vec![best]
        });
        self.sink(results[0], sink);
        let at = self.random.between(0, count - 1);
        let value = self.load_at(&to, vec![Expr::Const(at)]);
        let last: Vec<Expr> = sink
            .sizes
            .iter()
            .map(|&size| Expr::Const(size - 1))
            .collect();
        self.store_at(value, sink, last);
    }

    /// Emits updates of data-dependent elements.
    pub(super) fn histogram(&mut self, sink: &MemVar) {
        let count = self.length();
        // With few bins, groups of threads get private arrays.
        let bins = if count % 2 == 0 { 8 } else { 2 };
        let op = *self.random.pick(&FOLDS);
        let upper = self.upper(count);
        self.histogram_of(sink, sink.ty.element, [count, bins], upper, op);
    }

    /// Emits so many updates of so few elements that groups of threads get shares of constant
    /// length.
    pub(super) fn shares(&mut self, sink: &MemVar) {
        let count = self.random.between(160, 600);
        let op = *self.random.pick(&[Bin::AddI, Bin::XorI]);
        self.histogram_of(sink, Scalar::I32, [count, 2], Expr::Const(count), op);
    }

    fn histogram_of(
        &mut self,
        sink: &MemVar,
        element: Scalar,
        [count, bins]: [i64; 2],
        upper: Expr,
        op: Bin,
    ) {
        let (data, into) = (
            self.long(Scalar::I32, &[count]),
            self.long(element, &[bins]),
        );
        let ends = [Expr::Const(0), upper];
        self.counted(ends, (0, count - 1), &[], |this, iv, _| {
            let number = this.load_at(&data, vec![Expr::Dim(iv)]);
            let mask = this.int(Scalar::I32, bins - 1);
            let number = this.bin(Bin::AndI, number, mask);
            let at = this.scalar(Op::Cast(Cast::IndexCast, number), Scalar::Index);
            let load = Op::Load {
                mem: into.var,
                at: At::Plain(vec![at]),
            };
            let before = this.scalar(load, element);
            let value = this.scattered(iv, element);
            let value = this.bin(op, before, value);
            let store = Op::Store {
                value,
                mem: into.var,
                at: At::Plain(vec![at]),
            };
            this.emit(store, Vec::new());
            Vec::new()
        });
        self.checksum(&into, sink);
    }
}
