//! Integers of two words: sums, products, shifts and comparisons of them.

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_ir::{Builder, OpName, Value};

use crate::transform::compound_elements::select;

/// Lower and upper 64 bits.
pub(super) type Pair = [Value; 2];

/// Builder of operations on integers of two words.
pub(super) struct Wide<'b, 'a> {
    pub(super) b: &'b mut Builder<'a>,
    /// The width of the integers, 65 to 128 bits; those above are zero.
    pub(super) width: u32,
}

impl Wide<'_, '_> {
    /// A word with these bits.
    pub(super) fn word(&mut self, bits: u64) -> Value {
        let ty = self.b.ctx.int_type(64);
        let value = self.b.ctx.int_attr(ty, bits as i64);
        self.b.constant(value, ty)
    }

    pub(super) fn constant(&mut self, bits: u128) -> Pair {
        [self.word(bits as u64), self.word((bits >> 64) as u64)]
    }

    pub(super) fn op(&mut self, name: OpName, lhs: Value, rhs: Value) -> Value {
        self.b.binary(name, lhs, rhs)
    }

    pub(super) fn test(&mut self, predicate: CmpIPredicate, lhs: Value, rhs: Value) -> Value {
        CmpIOp::create(self.b, predicate, lhs, rhs)
    }

    pub(super) fn choose(&mut self, condition: Value, yes: Value, no: Value) -> Value {
        arith::select(self.b, condition, yes, no)
    }

    /// `bit` as a word.
    pub(super) fn counted(&mut self, bit: Value) -> Value {
        let word = self.b.ctx.int_type(64);
        self.b.unary(arith::EXTUI, &[bit], word)
    }

    /// Clears the bits above the width.
    pub(super) fn wrapped(&mut self, [low, high]: Pair) -> Pair {
        if self.width == 128 {
            return [low, high];
        }
        let mask = self.word((1 << (self.width - 64)) - 1);
        [low, self.op(arith::ANDI, high, mask)]
    }

    /// Sets the bits above the width to the sign.
    pub(super) fn signed(&mut self, [low, high]: Pair) -> Pair {
        if self.width == 128 {
            return [low, high];
        }
        let above = self.word(u64::from(128 - self.width));
        let shifted = self.op(arith::SHLI, high, above);
        [low, self.op(arith::SHRSI, shifted, above)]
    }

    /// Applies an operation to both halves.
    pub(super) fn halves(&mut self, name: OpName, x: Pair, y: Pair) -> Pair {
        [0, 1].map(|half| self.op(name, x[half], y[half]))
    }

    pub(super) fn sum(&mut self, x: Pair, y: Pair) -> Pair {
        let low = self.op(arith::ADDI, x[0], y[0]);
        let carry = self.test(CmpIPredicate::Ult, low, x[0]);
        let carry = self.counted(carry);
        let high = self.op(arith::ADDI, x[1], y[1]);
        [low, self.op(arith::ADDI, high, carry)]
    }

    pub(super) fn difference(&mut self, x: Pair, y: Pair) -> Pair {
        let low = self.op(arith::SUBI, x[0], y[0]);
        let borrow = self.test(CmpIPredicate::Ult, x[0], y[0]);
        let borrow = self.counted(borrow);
        let high = self.op(arith::SUBI, x[1], y[1]);
        [low, self.op(arith::SUBI, high, borrow)]
    }

    pub(super) fn negated(&mut self, x: Pair) -> Pair {
        let zero = self.constant(0);
        self.difference(zero, x)
    }

    pub(super) fn product(&mut self, x: Pair, y: Pair) -> Pair {
        let word = self.b.body.ty(x[0]);
        let state = self.b.state(arith::MULUI_EXTENDED);
        let op = self
            .b
            .create(state.operands(&[x[0], y[0]]).results(&[word, word]));
        let [low, high] = [0, 1].map(|half| self.b.body[op].result(half));
        let crossed = self.op(arith::MULI, x[0], y[1]);
        let high = self.op(arith::ADDI, high, crossed);
        let crossed = self.op(arith::MULI, x[1], y[0]);
        [low, self.op(arith::ADDI, high, crossed)]
    }

    /// Shifts by an amount of two words; by the width or more as no bits are left.
    ///
    /// ```text
    /// high = n < 64 ? high << n | low >> 1 >> 63 - n : low << n - 64        low = n < 64 ? low << n : 0
    /// ```
    pub(super) fn shifted(&mut self, name: OpName, x: Pair, amount: Pair) -> Pair {
        let x = if name == arith::SHRSI {
            self.signed(x)
        } else {
            x
        };
        let [low, high] = x;
        let [mask, limit, one, zero] = [63, 64, 1, 0].map(|bits| self.word(bits));
        // Both `n` and `n - 64` are `n mod 64`.
        let by = self.op(arith::ANDI, amount[0], mask);
        let rest = self.op(arith::SUBI, mask, by);
        let is_short = self.test(CmpIPredicate::Ult, amount[0], limit);
        let filled = match name {
            arith::SHRSI => self.op(arith::SHRSI, high, mask),
            _ => zero,
        };
        let result = if name == arith::SHLI {
            let moved = self.op(arith::SHLI, low, by);
            let carried = self.op(arith::SHRUI, low, one);
            let carried = self.op(arith::SHRUI, carried, rest);
            let upper = self.op(arith::SHLI, high, by);
            let upper = self.op(arith::ORI, upper, carried);
            select(self.b, is_short, [[moved, upper], [zero, moved]])
        } else {
            let moved = self.op(name, high, by);
            let carried = self.op(arith::SHLI, high, one);
            let carried = self.op(arith::SHLI, carried, rest);
            let lower = self.op(arith::SHRUI, low, by);
            let lower = self.op(arith::ORI, lower, carried);
            select(self.b, is_short, [[lower, moved], [moved, filled]])
        };
        let width = self.word(u64::from(self.width));
        let is_below = self.test(CmpIPredicate::Ult, amount[0], width);
        let has_no_more = self.test(CmpIPredicate::Eq, amount[1], zero);
        let is_inside = self.op(arith::ANDI, is_below, has_no_more);
        select(self.b, is_inside, [result, [filled, filled]])
    }

    /// Whether two integers compare so.
    pub(super) fn compared(&mut self, predicate: CmpIPredicate, x: Pair, y: Pair) -> Value {
        use CmpIPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
        match predicate {
            Eq | Ne => {
                let [low, high] = self.halves(arith::XORI, x, y);
                let differing = self.op(arith::ORI, low, high);
                let zero = self.word(0);
                self.test(predicate, differing, zero)
            }
            Sgt | Sle | Ugt | Ule => self.compared(predicate.mirrored(), y, x),
            Slt | Sge | Ult | Uge => {
                let is_signed = matches!(predicate, Slt | Sge);
                let [x, y] = match is_signed {
                    true => [x, y].map(|pair| self.signed(pair)),
                    false => [x, y],
                };
                // The lower halves decide where the upper ones are equal.
                let is_equal = self.test(Eq, x[1], y[1]);
                let low = self.test(predicate.unsigned(), x[0], y[0]);
                let high = self.test(predicate, x[1], y[1]);
                self.choose(is_equal, low, high)
            }
        }
    }

    /// Whether an integer is negative.
    pub(super) fn is_negative(&mut self, x: Pair) -> Value {
        let [_, high] = self.signed(x);
        let zero = self.word(0);
        self.test(CmpIPredicate::Slt, high, zero)
    }

    /// The magnitude, and whether the integer is negative.
    pub(super) fn magnitude(&mut self, x: Pair) -> (Pair, Value) {
        let is_negative = self.is_negative(x);
        let opposite = self.negated(x);
        let opposite = self.wrapped(opposite);
        (select(self.b, is_negative, [opposite, x]), is_negative)
    }

    /// The opposite of an integer where `is_negative` holds.
    pub(super) fn with_sign(&mut self, x: Pair, is_negative: Value) -> Pair {
        let opposite = self.negated(x);
        select(self.b, is_negative, [opposite, x])
    }
}
