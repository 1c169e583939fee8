//! Multiples and residues: what the places of accesses are known to be multiples of.
//!
//! Where rows of an odd length lie behind each other, a row begins anywhere. That a place in it is a multiple
//! of four all the same shows by residues: the number of elements up to the first multiple is a remainder
//! of what the row begins at, and both cancel out.
//!
//! ```text
//! %lead = remsi(%i * 3, 4)        ≡ 3 %i                    mod 4
//! %place = %i * 769 + %lead       ≡ (769 + 3) %i ≡ 0        mod 4
//! ```

use gridloom_dialects::{arith, scf};
use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{AffineExpr, Body, Value};

use super::{Key, Search};
use crate::analysis::values::Atom;

/// The greatest multiple that makes a difference.
const MAX_MULTIPLE: i64 = 4;

/// Remainders and counters of loops behind each other that a residue is looked for through, at most.
const MAX_DEPTH: usize = 16;

/// Parts of an expression that is read as a residue, at most.
const MAX_PARTS: usize = 256;

/// `Σ factor · atom + constant` modulo [`MAX_MULTIPLE`]; factors are from 1 to 3, atoms ascend.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Residue {
    terms: Vec<(u32, i64)>,
    constant: i64,
}

impl Residue {
    fn constant(value: i64) -> Self {
        Residue {
            terms: Vec::new(),
            constant: value.rem_euclid(MAX_MULTIPLE),
        }
    }

    fn of(atom: u32) -> Self {
        Residue {
            terms: vec![(atom, 1)],
            constant: 0,
        }
    }

    /// `self + by * other`
    fn plus(mut self, by: i64, other: &Residue) -> Self {
        let by = by.rem_euclid(MAX_MULTIPLE);
        self.constant = (self.constant + by * other.constant) % MAX_MULTIPLE;
        for &(atom, factor) in &other.terms {
            let factor = by * factor % MAX_MULTIPLE;
            match self.terms.binary_search_by_key(&atom, |term| term.0) {
                Ok(at) => self.terms[at].1 = (self.terms[at].1 + factor) % MAX_MULTIPLE,
                Err(at) => self.terms.insert(at, (atom, factor)),
            }
        }
        self.terms.retain(|term| term.1 != 0);
        self
    }

    /// A power of two, [`MAX_MULTIPLE`] at most, that integers of this residue are multiples of.
    fn multiple(&self) -> i64 {
        let factors = self.terms.iter().map(|term| term.1);
        power_of_two(factors.fold(self.constant, |all, factor| all | factor))
    }
}

impl Search<'_> {
    /// A power of two that the place of offset 0 is a multiple of, from the buffer's start on,
    /// as far as it is known; what a type leaves open may be any.
    pub(super) fn multiple_of_place(&mut self, key: &Key) -> Option<i64> {
        let ty = self.body.ty(key.memref).memref(self.ctx)?;
        let (offset, strides) = ty.strided_form(self.ctx)?;
        let mut all = power_of_two(offset);
        for (&subscript, &stride) in key.subscripts.iter().zip(&strides) {
            let here = self.multiple(subscript);
            all = all.min((here * power_of_two(stride)).min(MAX_MULTIPLE));
        }
        if all < MAX_MULTIPLE
            && let Some(residue) = self.residue_of_place(key, offset, &strides)
        {
            all = all.max(residue.multiple());
        }
        Some(all)
    }

    /// The residue of the place of offset 0, where the type leaves no stride open.
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
        let ctx = self.ctx;
        let mut sum = Residue::default();
        let mut stack = vec![(expr, 1i64)];
        let mut parts = 0;
        while let Some((expr, factor)) = stack.pop() {
            parts += 1;
            if parts > MAX_PARTS {
                return None;
            }
            match expr.kind(ctx) {
                AffineExprKind::Constant(value) => {
                    sum = sum.plus(factor, &Residue::constant(value));
                }
                AffineExprKind::Dim(atom) => {
                    let known = self.residue_of_atom(atom);
                    sum = sum.plus(factor, &known);
                }
                AffineExprKind::Binary(AffineOp::Add, l, r) => {
                    stack.extend([(l, factor), (r, factor)]);
                }
                AffineExprKind::Binary(AffineOp::Mul, l, r) => {
                    let by = r.as_constant(ctx)?.rem_euclid(MAX_MULTIPLE);
                    stack.push((l, factor * by % MAX_MULTIPLE));
                }
                // The quotient that is taken away is of a multiple.
                AffineExprKind::Binary(AffineOp::Mod, l, r) => {
                    let divisor = r.as_constant(ctx)?;
                    (divisor % MAX_MULTIPLE == 0).then(|| stack.push((l, factor)))?;
                }
                _ => return None,
            }
        }
        Some(sum)
    }

    /// The residue of an atom: of the counter of a loop whose step has none that of its lower bound, of a
    /// remainder that of what is divided, else the atom itself.
    fn residue_of_atom(&mut self, atom: u32) -> Residue {
        let itself = match self.multiple_of_atom(atom) {
            MAX_MULTIPLE.. => Residue::default(),
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
        // Found again below itself, it is an atom.
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
            let is_unit = self.multiple(step) >= MAX_MULTIPLE;
            return is_unit.then(|| self.residue_of_operand(lower)).flatten();
        }
        let op = self.body.defining_op(value)?;
        let operand = |at: usize| self.body[op].operands.get(at).copied();
        match self.body[op].name {
            arith::REMSI => {
                let [dividend, divisor] = [operand(0)?, operand(1)?];
                let divisor = self.deps.values.expr(divisor).as_constant(self.ctx)?;
                let is_multiple = divisor != 0 && divisor % MAX_MULTIPLE == 0;
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

    /// A power of two that an expression is a multiple of; wrapping around keeps it.
    fn multiple(&mut self, expr: AffineExpr) -> i64 {
        let ctx = self.ctx;
        let mut atoms = Vec::new();
        self.deps.values.atoms_in(expr, &mut atoms);
        let known: FxHashMap<u32, i64> = atoms
            .into_iter()
            .map(|atom| (atom, self.multiple_of_atom(atom)))
            .collect();
        expr.fold_parts(ctx, &mut |part, operands: Option<(i64, i64)>| {
            let most = match (part, operands) {
                (AffineExprKind::Dim(atom), _) => known.get(&atom).copied().unwrap_or(1),
                (AffineExprKind::Constant(value), _) => power_of_two(value),
                (AffineExprKind::Binary(AffineOp::Add, ..), Some((a, b))) => a.min(b),
                (AffineExprKind::Binary(AffineOp::Mul, ..), Some((a, b))) => a * b,
                _ => 1,
            };
            most.min(MAX_MULTIPLE)
        })
    }

    fn multiple_of_atom(&mut self, atom: u32) -> i64 {
        let Atom::Value(value) = self.deps.values.atom(atom) else {
            return 1;
        };
        if let Some(&known) = self.multiples.get(&value) {
            return known;
        }
        // Found again below itself, as a loop's counter never is, it would be 1.
        self.multiples.insert(value, 1);
        let known = counter_bounds(self.body, value).map(|bounds| {
            let parts = bounds.map(|bound| {
                let expr = self.deps.values.expr(bound);
                self.multiple(expr)
            });
            parts[0].min(parts[1])
        });
        let known = known.unwrap_or(1);
        self.multiples.insert(value, known);
        known
    }
}

/// The lower bound and the step of the `scf.for` that a value counts.
fn counter_bounds(body: &Body, value: Value) -> Option<[Value; 2]> {
    let block = body.value_block(value)?;
    let op = body.block_parent_op(block)?;
    let counts = body[op].name == scf::FOR && body[block].args.first() == Some(&value);
    counts.then(|| [body[op].operands[0], body[op].operands[2]])
}

/// The greatest power of two that divides a number, [`MAX_MULTIPLE`] at most; that too for an
/// unknown one.
fn power_of_two(value: i64) -> i64 {
    match value {
        DYNAMIC => MAX_MULTIPLE,
        value => 1 << value.trailing_zeros().min(MAX_MULTIPLE.trailing_zeros()),
    }
}
