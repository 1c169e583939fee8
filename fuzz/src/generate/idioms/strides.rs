//! Idioms of stages: loops in steps of run-time numbers, blocks that begin where a loop around is, places by masks, and
//! partners that differ in a bit, as transforms, sorts and scans have them.

use super::FOLDS;
use crate::generate::{Generator, MemVar};
use crate::program::{Bin, Block, Cast, Cond, IntPred, Op, Var};
use crate::types::Scalar;

/// Numbers of a stage: the greatest counter and element, the first operation, and whether both elements change.
struct Stage {
    mem: MemVar,
    most: i64,
    op: Bin,
    is_butterfly: bool,
}

impl Generator {
    /// Emits a stage, whose iterations are independent for most steps.
    pub(super) fn strides(&mut self, sink: &MemVar) {
        let half = 1 << self.random.between(0, 3);
        let span = match self.random.chance(70) {
            true => 2 * half,
            false => *self
                .random
                .pick(&[half, 3 * half, 2 * half + 1, 2 * half - 1]),
        };
        let count = self.random.between(span, 70);
        let most = count + 2 * half;
        let stage = Stage {
            mem: self.long(sink.ty.element, &[most + 1]),
            most,
            op: *self.random.pick(&FOLDS),
            is_butterfly: self.random.chance(60),
        };
        match self.random.below(4) {
            0 => self.blocks(&stage, [count, span, half]),
            1 => self.places(&stage, [count, span, half]),
            2 => self.masks(&stage, count, half),
            _ => self.partners(&stage, count, half),
        }
        self.checksum(&stage.mem, sink);
    }

    /// Emits a loop over blocks around one over the first half of a block.
    fn blocks(&mut self, stage: &Stage, [count, span, half]: [i64; 3]) {
        let [end, step, half] = [count, span, half].map(|number| self.hidden(number, number));
        let zero = self.index(0);
        let [is_cut, is_recurrent, is_own] = [30, 40, 30].map(|part| self.random.chance(part));
        let element = stage.mem.ty.element;
        let [first, factor] = [7, 5].map(|number| self.int(element, number));
        self.stepping(stage, [zero, end, step], |this, start| {
            let mut stop = this.bin(Bin::AddI, start, half);
            if is_cut {
                stop = this.bin(Bin::MinSI, stop, end);
            }
            // A number that each block computes alike, or from its own begin on.
            let first = match is_own {
                true => this.converted(start, element),
                false => first,
            };
            let inits = if is_recurrent {
                vec![first]
            } else {
                Vec::new()
            };
            this.up_to([start, stop], stage.most, &inits, |this, place, carried| {
                let other = this.bin(Bin::AddI, place, half);
                this.meet(stage, place, other);
                let next = carried.iter().map(|&number| {
                    let old = this.load_plain(&stage.mem, &[place]);
                    let new = this.bin(Bin::XorI, old, number);
                    this.store_plain(new, &stage.mem, &[place]);
                    this.bin(Bin::MulI, number, factor)
                });
                next.collect()
            });
        });
    }

    /// Emits a loop over the places in a block around one over the blocks.
    fn places(&mut self, stage: &Stage, [count, span, half]: [i64; 3]) {
        let [end, step, half] = [count, span, half].map(|number| self.hidden(number, number));
        let zero = self.index(0);
        let is_shorter = self.random.chance(30);
        self.up_to([zero, half], stage.most, &[], |this, place, _| {
            let end = match is_shorter {
                true => this.bin(Bin::SubI, end, place),
                false => end,
            };
            this.stepping(stage, [place, end, step], |this, place| {
                let other = this.bin(Bin::AddI, place, half);
                this.meet(stage, place, other);
            });
            Vec::new()
        });
    }

    /// Emits a loop whose counter is taken apart by a mask, which is none for some numbers.
    fn masks(&mut self, stage: &Stage, count: i64, half: i64) {
        let half = match self.random.chance(80) {
            true => half,
            false => half + 1,
        };
        let [end, half] = [count / 2, half].map(|number| self.hidden(number, number));
        let [zero, one] = [0, 1].map(|number| self.index(number));
        let mask = self.bin(Bin::SubI, half, one);
        self.up_to([zero, end], stage.most, &[], |this, number, _| {
            let place = this.bin(Bin::AndI, number, mask);
            let block = this.bin(Bin::SubI, number, place);
            let block = this.bin(Bin::ShlI, block, one);
            let own = this.bin(Bin::AddI, block, place);
            let other = this.bin(Bin::OrI, own, half);
            this.meet(stage, own, other);
            Vec::new()
        });
    }

    /// Emits a loop in which the number with a bit, or without it, meets the other one.
    fn partners(&mut self, stage: &Stage, count: i64, half: i64) {
        let end = self.hidden(count, count);
        let [zero, one] = [0, 1].map(|number| self.index(number));
        let mask = match self.random.chance(70) {
            true => {
                let by = i64::from(half.trailing_zeros());
                let by = self.hidden(by, 3);
                self.bin(Bin::ShlI, one, by)
            }
            false => self.index(half | 1),
        };
        let pred = match self.random.chance(70) {
            true => IntPred::Ne,
            false => IntPred::Eq,
        };
        self.up_to([zero, end], stage.most, &[], |this, own, _| {
            let bit = this.bin(Bin::AndI, own, mask);
            let test = this.scalar(Op::CmpI(pred, bit, zero), Scalar::I1);
            let (stmts, ()) = this.nested(|this| {
                let other = this.bin(Bin::XorI, own, mask);
                this.meet(stage, other, own);
            });
            let then = Block {
                stmts,
                yields: Vec::new(),
            };
            let op = Op::If {
                cond: Cond::Value(test),
                then,
                otherwise: None,
            };
            this.emit(op, Vec::new());
            Vec::new()
        });
    }

    /// Emits the update of the second element by the first one, or of both.
    fn meet(&mut self, stage: &Stage, own: Var, other: Var) {
        for at in [own, other] {
            self.bound(at, 0, stage.most);
        }
        let [x, y] = [own, other].map(|at| self.load_plain(&stage.mem, &[at]));
        let sum = self.bin(stage.op, x, y);
        self.store_plain(sum, &stage.mem, &[other]);
        if stage.is_butterfly {
            let difference = self.bin(Bin::SubI, x, y);
            self.store_plain(difference, &stage.mem, &[own]);
        }
    }

    /// Emits an `scf.while` that counts to a bound in steps, in C's `int` most of the time.
    fn stepping(&mut self, stage: &Stage, numbers: [Var; 3], draw: impl FnOnce(&mut Self, Var)) {
        let word = match self.random.chance(70) {
            true => Scalar::I32,
            false => Scalar::Index,
        };
        let [from, end, step] = numbers.map(|number| self.converted(number, word));
        let goes_on = |at| Op::CmpI(IntPred::Slt, at, end);
        self.while_carrying(from, stage.most, goes_on, |this, passed| {
            let place = match word {
                Scalar::Index => passed,
                _ => this.scalar(Op::Cast(Cast::IndexCast, passed), Scalar::Index),
            };
            this.bound(place, 0, stage.most);
            draw(this, place);
            this.bin(Bin::AddI, passed, step)
        });
    }
}
