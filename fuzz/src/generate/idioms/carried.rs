//! Idioms of recurrences that are carried together, linear ones, clamped sums, and folds of what they make; and of linear ones
//! through memory.

use super::FOLDS;
use super::folds::EXTREMA;
use super::segments::SEVERAL_CHUNKS;
use crate::affine::Expr;
use crate::generate::{Generator, MemVar};
use crate::program::{Bin, Op, Var};

/// Recurrence of one of several carried values.
#[derive(Clone, Copy)]
enum Recurrence {
    /// A linear function of the value.
    Linear,
    /// A linear function of the value and of another one.
    Coupled,
    /// The value of another place.
    Rotated,
    /// A sum that is bounded.
    Clamped,
    /// A fold of what the value before it becomes.
    Fold,
}

const RECURRENCES: [Recurrence; 7] = [
    Recurrence::Linear,
    Recurrence::Linear,
    Recurrence::Coupled,
    Recurrence::Rotated,
    Recurrence::Clamped,
    Recurrence::Clamped,
    Recurrence::Fold,
];

impl Generator {
    /// Emits a loop that carries one to three integers over an array that is read again and again, in several chunks.
    pub(super) fn carried(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let period = self.random.between(30, 90);
        let more = self.random.between(1, SEVERAL_CHUNKS + 300);
        let count = SEVERAL_CHUNKS + more;
        let upper = Expr::Dim(self.hidden(count, count));
        let (from, to) = (self.long(element, &[period]), self.fresh(element, &[count]));
        let places = self.random.below(3) + 1;
        let starts: Vec<Var> = (0..places).map(|_| self.value(element, 1)).collect();
        // Sums of small terms do not wrap around.
        let mask = self.random.chance(60).then(|| self.int(element, 15));
        let least = self.int(element, -7);
        let ends = [Expr::Const(0), upper];
        let results = self.counted(ends, (0, count - 1), &starts, |this, iv, args| {
            let at = Expr::Mod(Box::new(Expr::Dim(iv)), Box::new(Expr::Const(period)));
            let mut x = this.load_at(&from, vec![at]);
            if let Some(mask) = mask {
                let low = this.bin(Bin::AndI, x, mask);
                x = this.bin(Bin::AddI, low, least);
            }
            let mut next = Vec::new();
            for place in 0..args.len() {
                let value = this.next_carried(args, &next, place, x);
                next.push(value);
            }
            let seen = if this.random.chance(70) { &next } else { args };
            let stored = *this.random.pick(seen);
            if this.random.chance(70) {
                this.store_at(stored, &to, vec![Expr::Dim(iv)]);
            }
            next
        });
        self.sampled(&to, sink);
        for result in results {
            self.sink(result, sink);
        }
    }

    /// Emits a loop that stores a linear function of what the last iterations stored to the same array.
    pub(super) fn fed_back(&mut self, sink: &MemVar) {
        let element = sink.ty.element;
        let period = self.random.between(30, 90);
        let count = SEVERAL_CHUNKS + self.random.between(1, 300);
        let upper = Expr::Dim(self.hidden(count, count));
        let (from, to) = (self.long(element, &[period]), self.long(element, &[count]));
        let back = self.random.between(1, 3);
        let stores_more = self.random.chance(20);
        self.counted(
            [Expr::Const(back), upper],
            (back, count - 1),
            &[],
            |this, iv, _| {
                let before = |way: i64| vec![Expr::Dim(iv).plus(-way)];
                let at = Expr::Mod(Box::new(Expr::Dim(iv)), Box::new(Expr::Const(period)));
                let x = this.load_at(&from, vec![at]);
                let mut next = x;
                for way in 1..=back {
                    let way = if this.random.chance(90) { way } else { back };
                    let value = this.load_at(&to, before(way));
                    let value = this.scaled(value, x);
                    next = this.bin(Bin::AddI, value, next);
                }
                this.store_at(next, &to, before(0));
                if stores_more {
                    let way = this.random.between(0, back);
                    this.store_at(x, &to, before(way));
                }
                Vec::new()
            },
        );
        self.sampled(&to, sink);
    }

    /// Emits the next value of a place, from the values before the iteration and the next ones of the places before.
    fn next_carried(&mut self, args: &[Var], next: &[Var], place: usize, x: Var) -> Var {
        let other = args[(place + 1) % args.len()];
        match (*self.random.pick(&RECURRENCES), next.last()) {
            (Recurrence::Coupled, _) => {
                let own = self.scaled(args[place], x);
                let second = self.scaled(other, x);
                let sum = self.bin(Bin::AddI, own, second);
                self.bin(Bin::SubI, sum, x)
            }
            (Recurrence::Rotated, _) => other,
            (Recurrence::Clamped, _) => self.clamped(args[place], x),
            (Recurrence::Fold, Some(&before)) => {
                let op = *self.random.pick(&FOLDS);
                self.bin(op, args[place], before)
            }
            _ => self.linear(args[place], x),
        }
    }

    fn scaled(&mut self, value: Var, x: Var) -> Var {
        let element = self.program.scalar(value);
        let number = *self.random.pick(&[2, 3, -1, 33, 5]);
        let factor = match self.random.chance(30) {
            true => x,
            false => self.int(element, number),
        };
        self.bin(Bin::MulI, value, factor)
    }

    /// Emits one to three linear steps; masks keep the low bits, mostly at the end.
    fn linear(&mut self, mut value: Var, x: Var) -> Var {
        let element = self.program.scalar(value);
        let mask = *self.random.pick(&[7, 63, 127]);
        let mask = self.int(element, mask);
        let steps = self.random.between(1, 3);
        for step in 0..steps {
            value = match self.random.below(4) {
                0 => self.bin(Bin::AddI, x, value),
                1 => self.bin(Bin::SubI, x, value),
                _ => self.scaled(value, x),
            };
            if self.random.chance(if step + 1 == steps { 30 } else { 20 }) {
                value = self.bin(Bin::AndI, value, mask);
            }
        }
        value
    }

    /// Emits a sum and one or two bounds of it.
    fn clamped(&mut self, value: Var, x: Var) -> Var {
        let element = self.program.scalar(value);
        let mut value = self.bin(Bin::AddI, value, x);
        for _ in 0..self.random.between(1, 2) {
            let number = self.random.between(-20, 90);
            let bound = match self.random.chance(30) {
                true => x,
                false => self.int(element, number),
            };
            value = match self.random.below(3) {
                0 => self.bin(Bin::MaxSI, value, bound),
                1 => self.bin(Bin::MinSI, value, bound),
                _ => {
                    let preds = EXTREMA[self.random.below(4)];
                    let test = self.compared(element, preds, [value, bound]);
                    self.scalar(Op::Select(test, value, bound), element)
                }
            };
        }
        value
    }
}
