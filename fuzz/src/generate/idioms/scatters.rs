//! Idioms of scatters: stores to elements that data chooses, to several arrays, under conditions, in nests, over ranges
//! between the numbers of an array, and to places that counters hand out.

use super::{Generator, MemVar};
use crate::affine::Expr;
use crate::program::{At, Bin, Cast, FloatPred, IntPred, Op, Var};
use crate::types::Scalar;

/// Trip count from which a loop of scatters is parallelized.
const PARALLEL: i64 = 512;

/// Trip count from which counters are computed in groups.
const GROUPED: i64 = 1 << 11;

/// Limit of the length of a range.
const LONGEST: i64 = 63;

/// Loop of scatters.
struct Scatters {
    keys: MemVar,
    /// The array that is stored to, and its size, a power of two.
    to: MemVar,
    size: i64,
    /// Another array, stored to at the same subscripts.
    beside: Option<MemVar>,
    /// An array with an element for each iteration that is updated, too.
    updated: Option<MemVar>,
    /// Counters that hand out places, by key.
    counters: Option<MemVar>,
    /// Whether an iteration changes its key before it uses it.
    turns: bool,
    /// Whether an iteration stores to a second element of the array.
    twice: bool,
    /// Whether an iteration reads the array, which ties the loop.
    reads: bool,
    /// Whether some iterations store nothing.
    masked: bool,
}

impl Generator {
    /// Emits a loop or a nest of scatters.
    pub(super) fn scatters(&mut self, sink: &MemVar) {
        if self.random.chance(30) {
            return self.scatters_of_ranges(sink);
        }
        let has_counters = self.random.chance(25);
        let least = if has_counters { GROUPED } else { PARALLEL };
        let inner = match self.random.below(4) {
            0 => Some(self.random.between(2, 30)),
            _ => None,
        };
        let outer = match inner {
            Some(inner) => least / inner + self.random.between(1, 9),
            None => least + self.random.between(-60, 150),
        };
        let count = outer * inner.unwrap_or(1);
        let scatters = self.draw_scatters(sink.ty.element, count, has_counters);
        let upper = self.upper(outer);
        let ends = [Expr::Const(0), upper];
        self.counted(ends, (0, outer - 1), &[], |this, iv, _| {
            let Some(inner) = inner else {
                this.scatter_step(&scatters, &At::Affine(vec![Expr::Dim(iv)]), iv);
                return Vec::new();
            };
            let affine = this.random.chance(70);
            this.between(affine, [0, inner, 1], &[], |this, jv, _| {
                let place = Expr::Dim(iv).times(inner);
                let place = Expr::Add(Box::new(place), Box::new(Expr::Dim(jv)));
                let place = if affine { place } else { Expr::Dim(iv) };
                this.scatter_step(&scatters, &At::Affine(vec![place]), jv);
                Vec::new()
            });
            Vec::new()
        });
        self.sum_up(&scatters, sink);
    }

    /// Emits a nest of scatters over the ranges between the numbers of an array, mostly sorted ones.
    fn scatters_of_ranges(&mut self, sink: &MemVar) {
        let count = self.random.between(50, 110);
        let (first, most) = (self.random.between(0, 5), count * LONGEST + 5);
        let has_counters = self.random.chance(50);
        let lengths = self.long(Scalar::I32, &[count]);
        let ends = self.fresh(Scalar::I32, &[count + 1]);
        let start = self.int(Scalar::I32, first);
        self.store_at(start, &ends, vec![Expr::Const(0)]);
        let is_sorted = self.random.chance(80);
        self.times(count, &[], |this, iv, _| {
            let length = this.load_at(&lengths, vec![Expr::Dim(iv)]);
            let mask = this.int(Scalar::I32, LONGEST);
            let mut end = this.bin(Bin::AndI, length, mask);
            if is_sorted {
                let before = this.load_at(&ends, vec![Expr::Dim(iv)]);
                end = this.bin(Bin::AddI, before, end);
            }
            this.store_at(end, &ends, vec![Expr::Dim(iv).plus(1)]);
            Vec::new()
        });
        let scatters = self.draw_scatters(sink.ty.element, most, has_counters);
        let upper = self.upper(count);
        self.counted(
            [Expr::Const(0), upper],
            (0, count - 1),
            &[],
            |this, iv, _| {
                let [lower, upper] = [0, 1].map(|behind| {
                    let end = this.load_at(&ends, vec![Expr::Dim(iv).plus(behind)]);
                    this.scalar(Op::Cast(Cast::IndexCast, end), Scalar::Index)
                });
                this.up_to([lower, upper], most - 1, &[], |this, jv, _| {
                    this.scatter_step(&scatters, &At::Plain(vec![jv]), iv);
                    Vec::new()
                });
                Vec::new()
            },
        );
        self.sum_up(&scatters, sink);
    }

    /// Emits sums of the arrays of a loop.
    fn sum_up(&mut self, scatters: &Scatters, sink: &MemVar) {
        self.checksum(&scatters.to, sink);
        let others = [&scatters.beside, &scatters.updated, &scatters.counters];
        for array in others.into_iter().flatten() {
            self.checksum(array, sink);
        }
    }

    fn draw_scatters(&mut self, element: Scalar, count: i64, has_counters: bool) -> Scatters {
        let size = *self.random.pick(&[4, 16, 64]);
        let mut sometimes = |percent| self.random.chance(percent);
        let (twice, reads, masked) = (sometimes(30), sometimes(10), sometimes(40));
        let turns = sometimes(25);
        let (beside, updated) = (sometimes(30), sometimes(30));
        Scatters {
            keys: self.long(Scalar::I32, &[count]),
            to: self.long(element, &[size]),
            size,
            beside: beside.then(|| self.long(element, &[size])),
            updated: updated.then(|| self.long(element, &[count])),
            counters: has_counters.then(|| self.long(Scalar::I32, &[size])),
            turns,
            twice,
            reads,
            masked,
        }
    }

    /// Emits an iteration, whose number is `place` and whose value is drawn from `iv`.
    fn scatter_step(&mut self, scatters: &Scatters, place: &At, iv: Var) {
        let element = scatters.to.ty.element;
        let mut key = self.load_from(&scatters.keys, place.clone());
        if scatters.turns {
            let five = self.int(Scalar::I32, 5);
            let turned = self.bin(Bin::MulI, key, five);
            self.store_to(turned, &scatters.keys, place.clone());
            key = self.load_from(&scatters.keys, place.clone());
        }
        let mut value = self.scattered(iv, element);
        if let Some(updated) = &scatters.updated {
            let before = self.load_from(updated, place.clone());
            value = self.bin(Bin::AddI, before, value);
            self.store_to(value, updated, place.clone());
        }
        if scatters.reads {
            let other = self.load_at(&scatters.to, vec![Expr::Const(1)]);
            value = self.bin(Bin::XorI, value, other);
        }
        if !scatters.masked {
            return self.scatter(scatters, key, value);
        }
        let three = self.int(Scalar::I32, 3);
        let low = self.bin(Bin::AndI, key, three);
        let test = self.compared(Scalar::I32, (FloatPred::Oeq, IntPred::Ne), [low, three]);
        self.masked(test, &[], |this| {
            this.scatter(scatters, key, value);
            Vec::new()
        });
    }

    /// Emits the stores of an iteration.
    fn scatter(&mut self, scatters: &Scatters, key: Var, value: Var) {
        let mut at = self.element_by(key, 1, scatters.size);
        if let Some(counters) = &scatters.counters {
            let place = self.load_plain(counters, &[at]);
            let step = self.int(Scalar::I32, 1);
            let next = self.bin(Bin::AddI, place, step);
            self.store_plain(next, counters, &[at]);
            at = self.element_by(place, 1, scatters.size);
        }
        self.store_plain(value, &scatters.to, &[at]);
        if let Some(beside) = &scatters.beside {
            self.store_plain(value, beside, &[at]);
        }
        if scatters.twice {
            let second = self.element_by(key, 3, scatters.size);
            let other = self.bin(Bin::AddI, value, value);
            self.store_plain(other, &scatters.to, &[second]);
        }
    }

    /// A subscript below `size` by a multiple of a number.
    fn element_by(&mut self, number: Var, factor: i64, size: i64) -> Var {
        let (factor, mask) = (
            self.int(Scalar::I32, factor),
            self.int(Scalar::I32, size - 1),
        );
        let number = self.bin(Bin::MulI, number, factor);
        let number = self.bin(Bin::AndI, number, mask);
        self.scalar(Op::Cast(Cast::IndexCast, number), Scalar::Index)
    }
}
