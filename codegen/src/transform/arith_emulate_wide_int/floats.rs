//! Conversions between integers of two words and floats.

use gridloom_dialects::arith::{self, CmpFOp, CmpFPredicate, CmpIPredicate};
use gridloom_dialects::math;
use gridloom_ir::{Type, Value};

use super::bits::{Pair, Wide};
use crate::analysis::reduction::float_attr;
use crate::transform::compound_elements::select;

impl Wide<'_, '_> {
    /// The float nearest to an unsigned integer: that of its 64 highest bits from the first one on, of which the last is set
    /// where any below is, times a power of two.
    pub(super) fn float_of(&mut self, [low, high]: Pair, ty: Type) -> Value {
        let [zero, one, most] = [0, 1, 63].map(|bits| self.word(bits));
        let word = self.b.body.ty(low);
        let is_small = self.test(CmpIPredicate::Eq, high, zero);
        let zeros = self.b.unary(math::CTLZ, &[high], word);
        // Of a high half of zero, nothing is used.
        let zeros = self.choose(is_small, zero, zeros);
        let rest = self.op(arith::SUBI, most, zeros);
        let top = self.op(arith::SHLI, high, zeros);
        let below = self.op(arith::SHRUI, low, one);
        let below = self.op(arith::SHRUI, below, rest);
        let top = self.op(arith::ORI, top, below);
        let lost = self.op(arith::SHLI, low, zeros);
        let is_inexact = self.test(CmpIPredicate::Ne, lost, zero);
        let sticky = self.counted(is_inexact);
        let top = self.op(arith::ORI, top, sticky);
        // The bits below those are 64 less the leading zeros.
        let half = self.op(arith::SHLI, one, rest);
        let [small, top, half] =
            [low, top, half].map(|bits| self.b.unary(arith::UITOFP, &[bits], ty));
        let large = self.op(arith::MULF, top, half);
        let large = self.op(arith::ADDF, large, large);
        self.choose(is_small, small, large)
    }

    fn float(&mut self, ty: Type, number: f64) -> Option<Value> {
        let number = float_attr(self.b.ctx, ty, number)?;
        Some(self.b.constant(number, ty))
    }

    /// The integer towards zero from a float of single or double precision that is not negative.
    fn magnitude_of_float(&mut self, x: Value) -> Option<Pair> {
        let (ty, word) = (self.b.body.ty(x), self.b.ctx.int_type(64));
        let [down, up] = [
            self.float(ty, 2f64.powi(-64))?,
            self.float(ty, 2f64.powi(64))?,
        ];
        // A power of two changes no digit, and neither does the difference.
        let high = self.op(arith::MULF, x, down);
        let high = self.b.unary(arith::FPTOUI, &[high], word);
        let whole = self.b.unary(arith::UITOFP, &[high], ty);
        let whole = self.op(arith::MULF, whole, up);
        let rest = self.op(arith::SUBF, x, whole);
        let low = self.b.unary(arith::FPTOUI, &[rest], word);
        Some([low, high])
    }

    /// The integer towards zero from a float of single or double precision.
    pub(super) fn of_float(&mut self, x: Value, is_signed: bool) -> Option<Pair> {
        if !is_signed {
            return self.magnitude_of_float(x);
        }
        let ty = self.b.body.ty(x);
        let zero = self.float(ty, 0.0)?;
        let is_negative = CmpFOp::create(self.b, CmpFPredicate::Olt, x, zero);
        let magnitude = self.b.unary(math::ABSF, &[x], ty);
        let found = self.magnitude_of_float(magnitude)?;
        let opposite = self.negated(found);
        Some(select(self.b, is_negative, [opposite, found]))
    }
}
