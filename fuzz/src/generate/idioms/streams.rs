//! Idiom of streams: nests of thousands of iterations, each of which loads some elements around its own place and stores
//! elements of its own, with neither loops nor branches inside, so that a machine model has threads to choose for.

use super::FOLDS;
use crate::affine::Expr;
use crate::generate::{Generator, MemVar};
use crate::program::{Bin, Var};

/// Least number of iterations.
const LEAST: i64 = 2100;

/// Greatest distance of a load from its iteration's own place.
const REACH: i64 = 3;

/// Nest of one to three loops.
struct Stream {
    /// Lower bound, upper bound and step of each loop.
    loops: Vec<[i64; 3]>,
    /// What is loaded only.
    x: MemVar,
    /// What is stored to, and loaded where the nest updates it.
    out: MemVar,
    in_place: bool,
    op: Bin,
}

impl Generator {
    /// Emits a nest over thousands of elements.
    pub(super) fn stream(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let trips = match self.random.below(5) {
            0 | 1 => vec![LEAST + self.random.between(0, 400)],
            2 | 3 => {
                let rows = self.random.between(5, 20);
                vec![rows, LEAST / rows + self.random.between(1, 20)]
            }
            _ => {
                let (planes, rows) = (self.random.between(2, 4), self.random.between(3, 9));
                vec![
                    planes,
                    rows,
                    LEAST / (planes * rows) + self.random.between(1, 9),
                ]
            }
        };
        let loops: Vec<[i64; 3]> = (trips.iter())
            .map(|&count| {
                let lower = *self.random.pick(&[0, 0, 1, REACH]);
                let step = *self.random.pick(&[1, 1, 1, 2]);
                [
                    lower,
                    lower + count * step - self.random.between(0, step - 1),
                    step,
                ]
            })
            .collect();
        let sizes: Vec<i64> = loops.iter().map(|[_, upper, _]| upper + REACH).collect();
        let stream = Stream {
            x: self.long(element, &sizes),
            out: self.long(element, &sizes),
            in_place: self.random.chance(50),
            op: match element.is_float() {
                true => *self.random.pick(&[Bin::MaximumF, Bin::MinimumF]),
                false => *self.random.pick(&FOLDS),
            },
            loops,
        };
        if stream.in_place && !element.is_float() {
            // What reads the elements before keeps the nest apart from the one that initializes them.
            self.checksum(&stream.out, sink);
        }
        self.walk_stream(&stream, &mut Vec::new());
        let at = |this: &mut Self| {
            let ends = stream.loops.iter();
            ends.map(|&[lower, upper, _]| Expr::Const(this.random.between(lower, upper - 1)))
                .collect()
        };
        if element.is_float() {
            let place = at(self);
            let value = self.load_at(&stream.out, place);
            self.sink(value, sink);
        } else {
            self.checksum(&stream.out, sink);
        }
    }

    /// Emits the loops that are left, and the iteration in them.
    fn walk_stream(&mut self, stream: &Stream, ivs: &mut Vec<Var>) {
        let Some(&bounds) = stream.loops.get(ivs.len()) else {
            return self.stream_once(stream, ivs);
        };
        self.between(true, bounds, &[], |this, iv, _| {
            ivs.push(iv);
            this.walk_stream(stream, ivs);
            ivs.pop();
            Vec::new()
        });
    }

    /// Emits an iteration.
    fn stream_once(&mut self, stream: &Stream, ivs: &[Var]) {
        let own = || ivs.iter().map(|&iv| Expr::Dim(iv)).collect();
        let mut value = match stream.in_place {
            true => self.load_at(&stream.out, own()),
            false => self.load_around(stream, ivs),
        };
        for _ in 0..self.random.between(0, 4) {
            let other = self.load_around(stream, ivs);
            value = self.bin(stream.op, value, other);
        }
        self.store_at(value, &stream.out, own());
    }

    /// Emits a load near an iteration's own place, sometimes of the mirrored place or of one that all iterations share.
    fn load_around(&mut self, stream: &Stream, ivs: &[Var]) -> Var {
        let mut at = Vec::new();
        for (&iv, &[lower, upper, _]) in ivs.iter().zip(&stream.loops) {
            let offset = self.random.between(-lower, REACH);
            at.push(match self.random.below(12) {
                0 => Expr::Dim(iv).times(-1).plus(upper - 1 + REACH),
                1 => Expr::Const(lower + offset),
                _ => Expr::Dim(iv).plus(offset),
            });
        }
        self.load_at(&stream.x, at)
    }
}
