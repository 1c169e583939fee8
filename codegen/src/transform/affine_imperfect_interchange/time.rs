//! Statement times: a counter, or a counter reversed and shifted to agree with a counter of another
//! statement.

use gridloom_dialects::affine::{ApplyOp, ForOp};
use gridloom_ir::{AffineExpr, Builder, OpId, Value};

use super::statement::Statement;
use crate::analysis::access::{Access, Place};
use crate::analysis::values::{AffineValues, Atom};
use crate::transform::elimination::LinearForm;
use crate::transform::loop_bounds::{MapOfAtoms, is_outside};

/// The time `sign * counter + shift` of a statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Time {
    /// Position of the counter's loop among those of the statement.
    pub position: usize,
    /// 1 or -1.
    pub sign: i64,
    /// Shift: a form over values from outside the nest.
    pub shift: LinearForm,
}

/// Limit of the aligned times of one statement.
const MAX_ALIGNED: usize = 4;

impl Time {
    /// The time that is a counter itself.
    pub fn counter(position: usize) -> Time {
        Time {
            position,
            sign: 1,
            shift: LinearForm::constant(0),
        }
    }

    /// Whether the time is a counter itself.
    pub fn is_counter(&self) -> bool {
        self.sign == 1 && self.shift.as_constant() == Some(0)
    }

    /// The time as an expression.
    pub fn expr(&self, values: &mut AffineValues, loops: &[ForOp]) -> Option<AffineExpr> {
        let counter = loops[self.position].induction_var(values.body);
        let counter = LinearForm::atom(values.atom_number(Atom::Value(counter)));
        let time = counter.scaled(self.sign)?.plus(&self.shift)?;
        Some(time.expr(values.ctx))
    }

    /// Substitutes `sign * (t - shift)` for the counter in a form; `t` is the same atom.
    pub fn substituted(&self, form: &LinearForm, counter: u32) -> Option<LinearForm> {
        let factor = form.factor(counter);
        let turned =
            LinearForm::atom(counter).scaled(factor.checked_mul(self.sign.checked_sub(1)?)?)?;
        let shifted = self.shift.scaled(factor.checked_mul(self.sign)?)?;
        form.clone().plus(&turned)?.minus(&shifted)
    }

    /// The counter as a map of the time, where the counter's atom stands for the time.
    pub fn inverse(&self, values: &mut AffineValues, counter: u32) -> Option<MapOfAtoms> {
        let form = self.substituted(&LinearForm::atom(counter), counter)?;
        let (results, atoms) = values.compact(&[form.expr(values.ctx)]);
        let dims = u32::try_from(atoms.len()).ok()?;
        Some(MapOfAtoms {
            map: values.ctx.affine_map(dims, 0, &results),
            atoms,
        })
    }
}

/// Aligned times: those at which a statement accesses the element that another statement accesses
/// when its counter has that value. For the subscripts `r * c + b` and `s * d + a`, with `r` and `s`
/// 1 or -1, the time `d` is `s * r * c + s * (b - a)`.
pub(super) fn aligned_times(
    values: &mut AffineValues,
    root: OpId,
    statement: &Statement,
    pairs: &[[Access; 2]],
) -> Vec<Time> {
    let mut found: Vec<Time> = Vec::new();
    for [own, other] in pairs {
        let subscripts = [own, other].map(|access| match &access.place {
            Place::Element { coords, .. } => coords.clone(),
            Place::Somewhere(_) | Place::Anything => Vec::new(),
        });
        for (own, other) in subscripts[0].iter().zip(&subscripts[1]) {
            let (Some((counter, r, b)), Some((_, s, a))) = (
                subscript(values, root, *own),
                subscript(values, root, *other),
            ) else {
                continue;
            };
            let is_own =
                |l: &ForOp| values.atom(counter) == Atom::Value(l.induction_var(values.body));
            let position = statement.loops.iter().position(is_own);
            let shift = b.minus(&a).and_then(|shift| shift.scaled(s));
            let (Some(position), Some(shift)) = (position, shift) else {
                continue;
            };
            let time = Time {
                position,
                sign: r * s,
                shift,
            };
            if found.len() < MAX_ALIGNED && !time.is_counter() && !found.contains(&time) {
                found.push(time);
            }
        }
    }
    found
}

/// Splits a subscript of one counter into the counter, its factor (1 or -1), and the remaining
/// form.
fn subscript(
    values: &AffineValues,
    root: OpId,
    expr: AffineExpr,
) -> Option<(u32, i64, LinearForm)> {
    let form = LinearForm::of(values, expr)?;
    let counters = form.atoms().filter(|&atom| !is_outside(values, root, atom));
    let [counter] = counters.collect::<Vec<u32>>()[..] else {
        return None;
    };
    let factor = form.factor(counter);
    let rest = form.minus(&LinearForm::atom(counter).scaled(factor)?)?;
    (factor.abs() == 1).then_some((counter, factor, rest))
}

/// Emits the counter of a statement from its time.
pub(super) fn counter_at(
    b: &mut Builder,
    inverse: Option<&MapOfAtoms>,
    time: Value,
    operands: impl Fn(&MapOfAtoms) -> Vec<Value>,
) -> Value {
    match inverse {
        Some(inverse) => ApplyOp::create(b, inverse.map, &operands(inverse)),
        None => time,
    }
}
