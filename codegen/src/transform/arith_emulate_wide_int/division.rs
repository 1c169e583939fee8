//! Division of integers of two words.

use gridloom_dialects::arith::{self, CmpIPredicate};
use gridloom_dialects::scf;
use gridloom_ir::{InsertPoint, OpName, Value};

use super::bits::{Pair, Wide};
use crate::transform::compound_elements::select;

impl Wide<'_, '_> {
    /// The quotient or remainder of an operation of `arith`.
    pub(super) fn divided(&mut self, name: OpName, x: Pair, y: Pair) -> Pair {
        let is_signed = matches!(
            name,
            arith::DIVSI | arith::REMSI | arith::CEILDIVSI | arith::FLOORDIVSI
        );
        if !is_signed {
            let [quotient, rest] = self.quotient(x, y);
            return match name {
                arith::REMUI => rest,
                arith::CEILDIVUI => {
                    let is_inexact = self.is_not_zero(rest);
                    self.moved(quotient, arith::ADDI, is_inexact)
                }
                _ => quotient,
            };
        }
        let ((x, x_is_negative), (y, y_is_negative)) = (self.magnitude(x), self.magnitude(y));
        let [quotient, rest] = self.quotient(x, y);
        if name == arith::REMSI {
            let rest = self.with_sign(rest, x_is_negative);
            return self.wrapped(rest);
        }
        let is_negative = self.op(arith::XORI, x_is_negative, y_is_negative);
        let truncated = self.with_sign(quotient, is_negative);
        let is_inexact = self.is_not_zero(rest);
        let rounded = match name {
            arith::FLOORDIVSI => {
                let is_above = self.op(arith::ANDI, is_inexact, is_negative);
                self.moved(truncated, arith::SUBI, is_above)
            }
            arith::CEILDIVSI => {
                let truth = self
                    .b
                    .constant(self.b.ctx.bool_attr(true), self.b.ctx.bool_type());
                let is_positive = self.op(arith::XORI, is_negative, truth);
                let is_below = self.op(arith::ANDI, is_inexact, is_positive);
                self.moved(truncated, arith::ADDI, is_below)
            }
            _ => truncated,
        };
        self.wrapped(rounded)
    }

    fn is_not_zero(&mut self, [low, high]: Pair) -> Value {
        let any = self.op(arith::ORI, low, high);
        let zero = self.word(0);
        self.test(CmpIPredicate::Ne, any, zero)
    }

    /// Emits `x + 1` or `x - 1` where a condition holds, else `x`.
    fn moved(&mut self, x: Pair, name: OpName, condition: Value) -> Pair {
        let one = [self.counted(condition), self.word(0)];
        match name {
            arith::ADDI => self.sum(x, one),
            _ => self.difference(x, one),
        }
    }

    /// Quotient and remainder of unsigned integers: in one word where both fit, else bit by bit. A divisor of zero is
    /// divided by in one word, which fails as any such division.
    fn quotient(&mut self, x: Pair, y: Pair) -> [Pair; 2] {
        let zero = self.word(0);
        let high = self.op(arith::ORI, x[1], y[1]);
        let is_small = self.test(CmpIPredicate::Eq, high, zero);
        let any = self.op(arith::ORI, y[0], y[1]);
        let is_zero = self.test(CmpIPredicate::Eq, any, zero);
        let is_word = self.op(arith::ORI, is_small, is_zero);
        let word = self.b.body.ty(zero);
        let branch = scf::IfOp::create(self.b, is_word, &[word; 4], true);
        let resume = self.b.point();
        let then = branch.then_block(self.b.body);
        self.b.set(InsertPoint::End(then));
        let quotient = self.op(arith::DIVUI, x[0], y[0]);
        let rest = self.op(arith::REMUI, x[0], y[0]);
        scf::yield_values(self.b, then, &[quotient, zero, rest, zero]);
        if let Some(other) = branch.else_block(self.b.body) {
            self.b.set(InsertPoint::End(other));
            let results = self.long_division(x, y);
            scf::yield_values(self.b, other, &results);
        }
        self.b.set(resume);
        let [a, b, c, d] = [0, 1, 2, 3].map(|at| self.b.body[branch.0].result(at));
        [[a, b], [c, d]]
    }

    /// Divides bit by bit, from the highest on: the remainder takes the next bit of the dividend, and the quotient gets a bit
    /// where the divisor goes into it.
    fn long_division(&mut self, x: Pair, y: Pair) -> Vec<Value> {
        let zero = self.word(0);
        let [start, end, step] = [0, 128, 1].map(|number| self.b.index_constant(number));
        let inits = [x[0], x[1], zero, zero];
        let round = scf::ForOp::create(self.b, start, end, step, &inits);
        let resume = self.b.point();
        let block = round.block(self.b.body);
        let carried = round.iter_args(self.b.body).to_vec();
        self.b.set(InsertPoint::End(block));
        // Bits of the quotient enter below where those of the dividend leave above.
        let [low, high, rest_low, rest_high] = [0, 1, 2, 3].map(|at| carried[at]);
        let [top, one] = [63, 1].map(|bits| self.word(bits));
        let carry = self.op(arith::SHRUI, rest_high, top);
        let next = self.op(arith::SHRUI, high, top);
        let shifted = doubled(self, [rest_low, rest_high], one, top);
        let rest = [self.op(arith::ORI, shifted[0], next), shifted[1]];
        let is_beyond = self.test(CmpIPredicate::Ne, carry, zero);
        let goes_into = self.compared(CmpIPredicate::Uge, rest, y);
        let goes_into = self.op(arith::ORI, is_beyond, goes_into);
        let less = self.difference(rest, y);
        let rest = select(self.b, goes_into, [less, rest]);
        let bit = self.counted(goes_into);
        let shifted = doubled(self, [low, high], one, top);
        let low = self.op(arith::ORI, shifted[0], bit);
        scf::yield_values(self.b, block, &[low, shifted[1], rest[0], rest[1]]);
        self.b.set(resume);
        self.b.body[round.0].results().collect()
    }
}

/// An integer shifted by one bit.
fn doubled(wide: &mut Wide, [low, high]: Pair, one: Value, top: Value) -> Pair {
    let carried = wide.op(arith::SHRUI, low, top);
    let high = wide.op(arith::SHLI, high, one);
    [
        wide.op(arith::SHLI, low, one),
        wide.op(arith::ORI, high, carried),
    ]
}
