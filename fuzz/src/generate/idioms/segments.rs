//! Idiom of segmented scans: a scan that starts anew where a condition of the iteration holds.

use super::FOLDS;
use super::folds::{CHUNKED, EXTREMA};
use crate::affine::Expr;
use crate::generate::{Generator, MemVar};
use crate::program::{Bin, FloatPred, IntPred, Op, Var};
use crate::types::Scalar;

/// Trip count from which a scan of unknown length has several chunks.
pub(super) const SEVERAL_CHUNKS: i64 = 1 << 11;

/// How the carried value and the term are combined.
#[derive(Clone, Copy)]
enum Combine {
    Operation(Bin),
    /// The better one of the two, by this pair of predicates.
    Better((FloatPred, IntPred)),
}

/// Where a segment begins.
#[derive(Clone, Copy)]
enum Head {
    /// Where the term compares with a value.
    Term(IntPred, Var),
    /// At every so many iterations, in a remainder of the counter.
    Every(i64, i64),
    /// Where the carried value compares with a value: no scan.
    Carried(Var),
}

/// How the value that a segment begins with takes the place of the carried one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Before,
    After,
    Branch,
}

/// Segmented scan.
struct Segments {
    combine: Combine,
    head: Head,
    form: Form,
    /// Whether a segment begins where the condition fails.
    is_inverted: bool,
    /// The value that a segment begins with; the term if there is none.
    first: Option<Var>,
}

impl Generator {
    /// Emits a segmented scan of an array that is read again and again, often of enough iterations for
    /// several chunks.
    pub(super) fn segments(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let period = self.random.between(30, 90);
        let (count, upper) = match self.random.below(10) {
            0..2 => (period, self.upper(period)),
            2..7 => {
                let count = self
                    .random
                    .between(SEVERAL_CHUNKS + 1, 2 * SEVERAL_CHUNKS + 300);
                (count, Expr::Dim(self.hidden(count, count)))
            }
            _ => (CHUNKED + period, Expr::Const(CHUNKED + period)),
        };
        let (from, to) = (self.long(element, &[period]), self.fresh(element, &[count]));
        let scan = self.segmented_scan(element);
        let is_exclusive = self.random.chance(30);
        let start = self.value(element, 0);
        let ends = [Expr::Const(0), upper];
        let results = self.counted(ends, (0, count - 1), &[start], |this, iv, args| {
            let at = Expr::Mod(Box::new(Expr::Dim(iv)), Box::new(Expr::Const(period)));
            let x = this.load_at(&from, vec![at]);
            let next = this.segment_step(&scan, iv, args[0], x);
            let stored = if is_exclusive { args[0] } else { next };
            this.store_at(stored, &to, vec![Expr::Dim(iv)]);
            vec![next]
        });
        self.sampled(&to, sink);
        self.sink(results[0], sink);
    }

    fn segmented_scan(&mut self, element: Scalar) -> Segments {
        let mut combine = match element.is_float() || self.random.chance(25) {
            true => Combine::Better(EXTREMA[self.random.below(4)]),
            false => Combine::Operation(*self.random.pick(&FOLDS)),
        };
        let modulus = *self.random.pick(&[2, 3, 37, 1000, 2500]);
        let head = match self.random.below(10) {
            0..4 => {
                let pred = *self.random.pick(&[IntPred::Eq, IntPred::Slt, IntPred::Ne]);
                Head::Term(pred, self.number(element))
            }
            4..8 => Head::Every(modulus, self.random.between(0, modulus - 1)),
            // A sum that grows to a limit: what begins otherwise stays different for long.
            _ if !element.is_float() && self.random.chance(70) => {
                let limit = *self.random.pick(&[100, 1000, 1000]);
                combine = Combine::Operation(Bin::AddI);
                Head::Carried(self.int(element, limit))
            }
            _ => Head::Carried(self.number(element)),
        };
        let first = match self.random.below(3) {
            0 => None,
            1 => Some(self.number(element)),
            _ => Some(self.value(element, 1)),
        };
        Segments {
            combine,
            head,
            form: *self.random.pick(&[Form::Before, Form::After, Form::Branch]),
            is_inverted: self.random.chance(30),
            first,
        }
    }

    /// A small constant, as elements are.
    fn number(&mut self, element: Scalar) -> Var {
        let number = self.random.between(-4, 4);
        match element.is_float() {
            true => {
                let word = self.int(Scalar::I32, number);
                self.converted(word, element)
            }
            false => self.int(element, number),
        }
    }

    /// Emits an iteration. Returns the next carried value.
    fn segment_step(&mut self, scan: &Segments, iv: Var, carried: Var, x: Var) -> Var {
        let element = self.program.scalar(x);
        let x = match scan.head {
            Head::Carried(_) if !element.is_float() => {
                let mask = self.int(element, 15);
                self.bin(Bin::AndI, x, mask)
            }
            _ => x,
        };
        let head = match scan.head {
            Head::Term(pred, with) => self.compared(element, (FloatPred::Oeq, pred), [x, with]),
            Head::Carried(with) => {
                self.compared(element, (FloatPred::Ogt, IntPred::Sgt), [carried, with])
            }
            Head::Every(modulus, rest) => {
                let by = Box::new(Expr::Const(modulus));
                let place = self.apply(Expr::Mod(Box::new(Expr::Dim(iv)), by));
                let rest = self.index(rest);
                self.scalar(Op::CmpI(IntPred::Eq, place, rest), Scalar::I1)
            }
        };
        let first = scan.first.unwrap_or(x);
        let choose = |this: &mut Self, kept: Var| {
            let (yes, no) = match scan.is_inverted {
                true => (kept, first),
                false => (first, kept),
            };
            this.scalar(Op::Select(head, yes, no), element)
        };
        match scan.form {
            Form::Before => {
                let from = choose(self, carried);
                self.combined(scan.combine, from, x)
            }
            Form::After => {
                let next = self.combined(scan.combine, carried, x);
                choose(self, next)
            }
            // The branch goes on where the condition holds.
            Form::Branch => self.masked(head, &[first], |this| {
                vec![this.combined(scan.combine, carried, x)]
            })[0],
        }
    }

    fn combined(&mut self, combine: Combine, carried: Var, x: Var) -> Var {
        let element = self.program.scalar(x);
        match combine {
            Combine::Operation(op) => self.bin(op, carried, x),
            Combine::Better(preds) => {
                let test = self.compared(element, preds, [x, carried]);
                self.scalar(Op::Select(test, x, carried), element)
            }
        }
    }

    /// Emits a checksum of every so many elements of an array, to keep within the evaluator's limit.
    pub(super) fn sampled(&mut self, mem: &MemVar, sink: &MemVar) {
        let (count, element) = (mem.sizes[0], mem.ty.element);
        if element.is_float() {
            let at = self.random.between(0, count - 1);
            let value = self.load_at(mem, vec![Expr::Const(at)]);
            let last = sink.sizes.iter().map(|&size| Expr::Const(size - 1));
            return self.store_at(value, sink, last.collect());
        }
        let pitch = count / 400 + 1;
        let phase = self.random.between(0, pitch - 1);
        let start = self.int(element, 1);
        let sums = self.times(count / pitch, &[start], |this, iv, args| {
            let value = this.load_at(mem, vec![Expr::Dim(iv).times(pitch).plus(phase)]);
            let factor = this.int(element, 5);
            let sum = this.bin(Bin::MulI, args[0], factor);
            vec![this.bin(Bin::AddI, sum, value)]
        });
        self.sink(sums[0], sink);
    }
}
