//! Bitwise operations with a constant as affine expressions.
//!
//! ```text
//! x and 12      ⇒   ((x floordiv 4) mod 4) * 4            a run of two bits
//! x or 12       ⇒   x + 12 - (x and 12)
//! x xor 12      ⇒   x + 12 - (x and 12) * 2
//! x and -8      ⇒   x - (x and 7)
//! ```
//!
//! They hold for negative numbers too, as quotients round down and remainders are not negative.

use gridloom_dialects::arith;
use gridloom_ir::affine::AffineOp;
use gridloom_ir::{AffineExpr, OpId};

use super::AffineValues;

/// Limit of the runs of bits of a mask: each is a quotient and a remainder.
const MAX_RUNS: usize = 2;

impl AffineValues<'_> {
    /// Reads `andi`, `ori` or `xori` of a value and a constant.
    pub(super) fn read_bits(&mut self, op: OpId, depth: usize) -> Option<AffineExpr> {
        let &[left, right] = &self.body[op].operands[..] else {
            return None;
        };
        let (value, mask) = match (self.constant(left), self.constant(right)) {
            (_, Some(mask)) => (left, mask),
            (Some(mask), None) => (right, mask),
            (None, None) => return None,
        };
        let x = self.expr_at(value, depth);
        self.least_at(op, x)?;
        let ctx = self.ctx;
        let times = |expr, factor| ctx.affine_mul(expr, ctx.affine_const(factor));
        match self.body[op].name {
            arith::ANDI if mask < 0 => Some(ctx.affine_sub(x, self.masked(x, !mask)?)),
            arith::ANDI => self.masked(x, mask),
            name => {
                let kept = self.masked(x, mask)?;
                let flipped = if name == arith::XORI { 2 } else { 1 };
                let raised = ctx.affine_add(x, ctx.affine_const(mask));
                Some(ctx.affine_sub(raised, times(kept, flipped)))
            }
        }
    }

    /// The bits of an expression that a mask without sign keeps.
    fn masked(&self, x: AffineExpr, mut mask: i64) -> Option<AffineExpr> {
        let ctx = self.ctx;
        let mut sum = ctx.affine_const(0);
        let mut runs = 0;
        // Sums of the mask and an index have to fit.
        if !(0..1 << 62).contains(&mask) {
            return None;
        }
        while mask != 0 {
            runs += 1;
            let low = 1i64 << mask.trailing_zeros();
            let width = (mask / low).trailing_ones();
            let run = ctx.affine_binary(AffineOp::FloorDiv, x, ctx.affine_const(low));
            let run = ctx.affine_binary(AffineOp::Mod, run, ctx.affine_const(1 << width));
            sum = ctx.affine_add(sum, ctx.affine_mul(run, ctx.affine_const(low)));
            mask -= ((1 << width) - 1) * low;
        }
        (runs <= MAX_RUNS).then_some(sum)
    }
}
