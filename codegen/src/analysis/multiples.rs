//! Multiples: known powers of two that divide index values, up to the elements of the widest access.
//!
//! ```text
//! affine.for %i = 0 to %n step 4 { … %i + 8 … }      4 divides %i + 8
//! ```
//!
//! An access at a multiple of two or four elements may be a vector access. Wrapping around at 64 bits keeps a power of two.

use gridloom_dialects::{affine, scf};
use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::scalar::residue::UNIT;
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{AffineExpr, Body, Value};

use super::values::{AffineValues, Atom};

/// Cache of the multiples of values.
#[derive(Default, Debug)]
pub(crate) struct Multiples {
    known: FxHashMap<Value, i64>,
    /// Whether the counters of `affine.for` are read, beside those of `scf.for`.
    reads_affine: bool,
}

impl Multiples {
    /// An empty cache, for bodies whose loops may be `affine.for`.
    pub(crate) fn of_affine_loops() -> Self {
        Multiples {
            reads_affine: true,
            ..Multiples::default()
        }
    }

    /// A known power of two that divides an expression; wrapping around preserves it.
    pub(crate) fn of(&mut self, values: &mut AffineValues<'_>, expr: AffineExpr) -> i64 {
        let ctx = values.ctx;
        let mut atoms = Vec::new();
        values.atoms_in(expr, &mut atoms);
        let known: FxHashMap<u32, i64> = atoms
            .into_iter()
            .map(|atom| (atom, self.of_atom(values, atom)))
            .collect();
        expr.fold_parts(ctx, &mut |part, operands: Option<(i64, i64)>| {
            let most = match (part, operands) {
                (AffineExprKind::Dim(atom), _) => known.get(&atom).copied().unwrap_or(1),
                (AffineExprKind::Constant(value), _) => power_of_two(value),
                (AffineExprKind::Binary(AffineOp::Add, ..), Some((a, b))) => a.min(b),
                (AffineExprKind::Binary(AffineOp::Mul, ..), Some((a, b))) => a * b,
                _ => 1,
            };
            most.min(UNIT)
        })
    }

    /// A known power of two that divides an atom.
    pub(crate) fn of_atom(&mut self, values: &mut AffineValues<'_>, atom: u32) -> i64 {
        let Atom::Value(value) = values.atom(atom) else {
            return 1;
        };
        if let Some(&known) = self.known.get(&value) {
            return known;
        }
        // Recursion guard: found again below itself, other than as a loop's counter, the value is a
        // multiple of 1.
        self.known.insert(value, 1);
        let known = match counter_bounds(values.body, value) {
            Some(bounds) => {
                let parts = bounds.map(|bound| {
                    let expr = values.expr(bound);
                    self.of(values, expr)
                });
                parts[0].min(parts[1])
            }
            None if self.reads_affine => self.of_affine_counter(values, value).unwrap_or(1),
            None => 1,
        };
        self.known.insert(value, known);
        known
    }

    /// A known power of two that divides the counter of an `affine.for`.
    fn of_affine_counter(&mut self, values: &mut AffineValues<'_>, value: Value) -> Option<i64> {
        let (ctx, body) = (values.ctx, values.body);
        let op = body.block_parent_op(body.value_block(value)?)?;
        let l = affine::ForOp::cast(body, op).filter(|l| l.induction_var(body) == value)?;
        let lower = l.lower(ctx, body);
        let mut all = power_of_two(l.step(ctx, body));
        for expr in values.map_exprs(op, lower.map, lower.operands) {
            all = all.min(self.of(values, expr?));
        }
        Some(all)
    }
}

/// The lower bound and the step of the `scf.for` whose counter a value is.
pub(crate) fn counter_bounds(body: &Body, value: Value) -> Option<[Value; 2]> {
    let block = body.value_block(value)?;
    let op = body.block_parent_op(block)?;
    let counts = body[op].name == scf::FOR && body[block].args.first() == Some(&value);
    counts.then(|| [body[op].operands[0], body[op].operands[2]])
}

/// The greatest power of two that divides a number, at most [`UNIT`]; [`UNIT`] for a dynamic one.
pub(crate) fn power_of_two(value: i64) -> i64 {
    match value {
        DYNAMIC => UNIT,
        value => 1 << value.trailing_zeros().min(UNIT.trailing_zeros()),
    }
}
