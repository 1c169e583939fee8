//! Alignment of accesses: multiples and [residues](gridloom_ir::scalar::residue) of linear
//! positions.

use gridloom_dialects::arith;
use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::scalar::residue::{Residue, UNIT};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{AffineExpr, Value};

use super::{Key, Search};
use crate::analysis::multiples::{counter_bounds, power_of_two};
use crate::analysis::values::Atom;

/// Depth limit of a residue search through remainders and loop counters.
const MAX_DEPTH: usize = 16;

impl Search<'_> {
    /// A known power of two that divides the position of last offset 0, counted from the buffer's
    /// start; dynamic sizes and strides are taken as multiples.
    pub(super) fn multiple_of_place(&mut self, key: &Key) -> Option<i64> {
        let ty = self.body.ty(key.memref).memref(self.ctx)?;
        let (offset, strides) = ty.strided_form(self.ctx)?;
        let mut all = power_of_two(offset);
        for (&subscript, &stride) in key.subscripts.iter().zip(&strides) {
            let here = self.multiples.of(&mut self.deps.values, subscript);
            all = all.min((here * power_of_two(stride)).min(UNIT));
        }
        if all < UNIT
            && let Some(residue) = self.residue_of_place(key, offset, &strides)
        {
            all = all.max(residue.multiple());
        }
        Some(all)
    }

    /// The residue of the position of last offset 0; `None` for a layout with dynamic strides.
    fn residue_of_place(&mut self, key: &Key, offset: i64, strides: &[i64]) -> Option<Residue> {
        if offset == DYNAMIC || strides.contains(&DYNAMIC) {
            return None;
        }
        let mut sum = Residue::constant(offset);
        for (&subscript, &stride) in key.subscripts.iter().zip(strides) {
            let here = self.residue(subscript)?;
            sum = sum.plus(stride, &here);
        }
        Some(sum)
    }

    /// The residue of an expression, as a sum of atoms; `None` where it divides or multiplies atoms.
    fn residue(&mut self, expr: AffineExpr) -> Option<Residue> {
        let (terms, constant) = self.deps.values.terms(expr)?;
        let modulo = |value: i128| value.rem_euclid(UNIT.into()) as i64;
        let mut sum = Residue::constant(modulo(constant));
        for (term, factor) in terms {
            let known = match term.kind(self.ctx) {
                AffineExprKind::Dim(atom) => self.residue_of_atom(atom),
                // The subtracted part is a multiple of the divisor.
                AffineExprKind::Binary(AffineOp::Mod, dividend, divisor) => {
                    let divisor = divisor.as_constant(self.ctx)?;
                    let is_multiple = divisor % UNIT == 0;
                    is_multiple.then(|| self.residue(dividend)).flatten()?
                }
                _ => return None,
            };
            sum = sum.plus(modulo(factor), &known);
        }
        Some(sum)
    }

    /// The residue of an atom: for a counter whose step has none, that of its lower bound; for a
    /// remainder, that of the dividend; else the atom itself.
    fn residue_of_atom(&mut self, atom: u32) -> Residue {
        let itself = match self.multiples.of_atom(&mut self.deps.values, atom) {
            UNIT.. => Residue::default(),
            _ => Residue::of(atom),
        };
        let Atom::Value(value) = self.deps.values.atom(atom) else {
            return itself;
        };
        if let Some(known) = self.residues.get(&value) {
            return known.clone();
        }
        if self.depth == MAX_DEPTH {
            return itself;
        }
        // Recursion guard: found again below itself, the value is an atom.
        self.residues.insert(value, itself.clone());
        self.depth += 1;
        let known = self.residue_of_value(value).unwrap_or(itself);
        self.depth -= 1;
        self.residues.insert(value, known.clone());
        known
    }

    fn residue_of_value(&mut self, value: Value) -> Option<Residue> {
        if let Some([lower, step]) = counter_bounds(self.body, value) {
            let step = self.deps.values.expr(step);
            let is_unit = self.multiples.of(&mut self.deps.values, step) >= UNIT;
            return is_unit.then(|| self.residue_of_operand(lower)).flatten();
        }
        let op = self.body.defining_op(value)?;
        let operand = |at: usize| self.body[op].operands.get(at).copied();
        match self.body[op].name {
            arith::REMSI => {
                let [dividend, divisor] = [operand(0)?, operand(1)?];
                let divisor = self.deps.values.expr(divisor).as_constant(self.ctx)?;
                let is_multiple = divisor != 0 && divisor % UNIT == 0;
                is_multiple
                    .then(|| self.residue_of_operand(dividend))
                    .flatten()
            }
            arith::SELECT => {
                let [a, b] = [operand(1)?, operand(2)?];
                let a = self.residue_of_operand(a)?;
                (self.residue_of_operand(b)? == a).then_some(a)
            }
            _ => None,
        }
    }

    fn residue_of_operand(&mut self, value: Value) -> Option<Residue> {
        let expr = self.deps.values.expr(value);
        self.residue(expr)
    }
}
