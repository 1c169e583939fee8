//! Quotients and remainders of `arith` as affine expressions.
//!
//! ```text
//! %q = arith.divsi %x, %c4                  ⇒   x floordiv 4            where x >= 0
//! %q = arith.shrsi %x, %c2                  ⇒   x floordiv 4
//! %m = arith.andi %x, %c7                   ⇒   x mod 8
//! %r = arith.remsi %x, %c4
//! %n = arith.cmpi slt, %r, %c0              ⇒   x mod 4
//! %m = arith.select %n, %r + 4, %r
//! ```
//!
//! `arith` truncates where `affine` rounds down, so the sign of the dividend is
//! proved, or the sequence that `lower-affine` (this project's or upstream's)
//! writes for all signs is recognised as a whole.

use gridloom_dialects::arith::{self, CmpIPredicate};
use gridloom_ir::affine::AffineOp;
use gridloom_ir::{AffineExpr, OpId, OpName, Value};

use super::AffineValues;

/// The affine operation that a division of `arith` computes where neither operand is negative.
pub(crate) fn affine_quotient(name: OpName) -> Option<AffineOp> {
    match name {
        arith::DIVSI | arith::DIVUI | arith::FLOORDIVSI => Some(AffineOp::FloorDiv),
        arith::CEILDIVSI | arith::CEILDIVUI => Some(AffineOp::CeilDiv),
        arith::REMSI | arith::REMUI => Some(AffineOp::Mod),
        _ => None,
    }
}

/// A dividend and a positive constant divisor.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Division {
    dividend: Value,
    divisor: Value,
    by: i64,
}

impl AffineValues<'_> {
    /// Reads a division, a shift, a mask or the select of a rounded division as an affine quotient.
    pub(super) fn read_quotient(&mut self, op: OpId, depth: usize) -> Option<AffineExpr> {
        let name = self.body[op].name;
        match name {
            arith::SELECT => {
                let rounding = self.read_rounding(op, depth);
                rounding.or_else(|| self.read_wrapped(op, depth))
            }
            arith::ORI => self.read_bits(op, depth),
            arith::XORI => {
                let parity = self.read_exclusive_or(op, depth);
                parity.or_else(|| self.read_bits(op, depth))
            }
            arith::SHLI | arith::SHRSI | arith::SHRUI => {
                let &[value, by] = &self.body[op].operands[..] else {
                    return None;
                };
                let bits = self.constant(by).filter(|bits| (0..62).contains(bits))?;
                let factor = self.ctx.affine_const(1 << bits);
                let expr = self.expr_at(value, depth);
                if name == arith::SHLI {
                    return Some(self.ctx.affine_mul(expr, factor));
                }
                let least = self.least_at(op, expr)?;
                let rounds_down = name == arith::SHRSI || least >= 0;
                rounds_down.then(|| self.ctx.affine_binary(AffineOp::FloorDiv, expr, factor))
            }
            arith::ANDI => {
                if let Some(parity) = self.read_lowest_bit(op, depth) {
                    return Some(parity);
                }
                self.read_bits(op, depth)
            }
            _ => self.read_division(op, depth),
        }
    }

    fn read_division(&mut self, op: OpId, depth: usize) -> Option<AffineExpr> {
        let division = self.division(op)?;
        let expr = self.expr_at(division.dividend, depth);
        let least = self.least_at(op, expr)?;
        let name = self.body[op].name;
        let is_for_all_signs = matches!(name, arith::FLOORDIVSI | arith::CEILDIVSI);
        let kind = affine_quotient(name).filter(|_| least >= 0 || is_for_all_signs)?;
        let by = self.ctx.affine_const(division.by);
        Some(self.ctx.affine_binary(kind, expr, by))
    }

    /// The least value of an expression where an operation stands, if all its values fit: the
    /// quotient of a value that wraps around means nothing.
    pub(super) fn least_at(&mut self, op: OpId, expr: AffineExpr) -> Option<i128> {
        let env = self.environment_at(op);
        self.fits(expr, env).then_some(())?;
        Some(self.interval(expr, env)?.least)
    }

    pub(super) fn constant(&self, value: Value) -> Option<i64> {
        arith::constant_int(self.ctx, self.body, value)
    }

    fn division(&self, op: OpId) -> Option<Division> {
        let &[dividend, divisor] = &self.body[op].operands[..] else {
            return None;
        };
        let by = self.constant(divisor).filter(|&by| by > 0)?;
        Some(Division {
            dividend,
            divisor,
            by,
        })
    }

    /// The operands of a value's defining operation, if that is the operation `name`.
    pub(super) fn parts(&self, value: Value, name: OpName) -> Option<&[Value]> {
        let op = self.body.defining_op(value)?;
        (self.body[op].name == name).then_some(&self.body[op].operands[..])
    }

    pub(super) fn is_constant(&self, value: Value, number: i64) -> bool {
        self.constant(value) == Some(number)
    }

    /// Matches the select at the end of a rounded division, which is right for all signs.
    fn read_rounding(&mut self, op: OpId, depth: usize) -> Option<AffineExpr> {
        let &[condition, first, second] = &self.body[op].operands[..] else {
            return None;
        };
        let (kind, division) = self
            .remainder(condition, first, second)
            .map(|division| (AffineOp::Mod, division))
            .or_else(|| self.rounded_quotient(condition, first, second))?;
        let expr = self.expr_at(division.dividend, depth);
        self.least_at(op, expr)?;
        let by = self.ctx.affine_const(division.by);
        Some(self.ctx.affine_binary(kind, expr, by))
    }

    /// Matches the remainder select `r < 0 ? r + c : r` of `r = x rem c`.
    fn remainder(&self, condition: Value, first: Value, second: Value) -> Option<Division> {
        self.test(condition, CmpIPredicate::Slt, second)?;
        let division = self.division_of(second, arith::REMSI)?;
        let &[l, r] = self.parts(first, arith::ADDI)? else {
            return None;
        };
        let raises =
            |l, r| l == second && (r == division.divisor || self.is_constant(r, division.by));
        (raises(l, r) || raises(r, l)).then_some(division)
    }

    /// Matches the selects of a rounded division:
    ///
    /// ```text
    /// x < 0  ? -1 - (-1 - x) / c : x / c            x floordiv c
    /// x > 0  ? (x - 1) / c + 1 : x / c              x ceildiv c
    /// x <= 0 ? 0 - (0 - x) / c : (x - 1) / c + 1    x ceildiv c
    /// ```
    /// The two divisions of a line may also be one division of the selected dividend.
    fn rounded_quotient(
        &self,
        condition: Value,
        first: Value,
        second: Value,
    ) -> Option<(AffineOp, Division)> {
        let is_plain = self.division_of(second, arith::DIVSI).is_some();
        let quotient = match is_plain {
            true => second,
            false => self.one_more_than(second)?,
        };
        let outer = self.division_of(quotient, arith::DIVSI)?;
        let &[again, taken, otherwise] = self.parts(outer.dividend, arith::SELECT)? else {
            return None;
        };
        let (predicate, x) = self.sign_test(condition)?;
        if again != condition {
            return None;
        }
        let kind = match predicate {
            CmpIPredicate::Slt if is_plain => {
                let turns = otherwise == x && self.is_difference(taken, -1, x);
                (turns && self.is_difference(first, -1, quotient)).then_some(AffineOp::FloorDiv)
            }
            CmpIPredicate::Sgt if is_plain => {
                let lowers = otherwise == x && self.is_one_less(taken, x);
                let raises = self.one_more_than(first) == Some(quotient);
                (lowers && raises).then_some(AffineOp::CeilDiv)
            }
            CmpIPredicate::Sle if !is_plain => {
                let turns = self.is_difference(taken, 0, x) && self.is_one_less(otherwise, x);
                (turns && self.is_difference(first, 0, quotient)).then_some(AffineOp::CeilDiv)
            }
            _ => None,
        }?;
        let division = Division {
            dividend: x,
            ..outer
        };
        Some((kind, division))
    }

    fn division_of(&self, value: Value, name: OpName) -> Option<Division> {
        self.parts(value, name)?;
        self.division(self.body.defining_op(value)?)
    }

    /// The value that a condition compares with zero, and the predicate.
    fn sign_test(&self, condition: Value) -> Option<(CmpIPredicate, Value)> {
        let &[x, zero] = self.parts(condition, arith::CMPI)? else {
            return None;
        };
        let op = self.body.defining_op(condition)?;
        let predicate = arith::CmpIOp(op).predicate(self.ctx, self.body);
        self.is_constant(zero, 0).then_some((predicate, x))
    }

    fn test(&self, condition: Value, predicate: CmpIPredicate, x: Value) -> Option<()> {
        (self.sign_test(condition)? == (predicate, x)).then_some(())
    }

    /// Whether a value is `number - x`.
    fn is_difference(&self, value: Value, number: i64, x: Value) -> bool {
        let parts = self.parts(value, arith::SUBI);
        matches!(parts, Some(&[l, r]) if r == x && self.is_constant(l, number))
    }

    /// Whether a value is `x - 1`.
    fn is_one_less(&self, value: Value, x: Value) -> bool {
        let less = self.parts(value, arith::SUBI);
        let more = self.parts(value, arith::ADDI);
        matches!(less, Some(&[l, r]) if l == x && self.is_constant(r, 1))
            || matches!(more, Some(&[l, r]) if l == x && self.is_constant(r, -1))
    }

    /// The `x` of `x + 1`.
    fn one_more_than(&self, value: Value) -> Option<Value> {
        match self.parts(value, arith::ADDI)? {
            &[l, r] if self.is_constant(r, 1) => Some(l),
            _ => None,
        }
    }
}
