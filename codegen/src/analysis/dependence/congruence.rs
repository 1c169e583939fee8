//! Congruent subscripts: accesses at remainders by a divisor that is known only when the program runs.
//!
//! ```text
//! %e = arith.addi %i, %d
//! %j = arith.remsi %e, %n           0 <= %i < %n:  every %i has a %j of its own
//! memref.store %v, %y[%j]
//! ```
//!
//! Two dividends with the same remainder are equal, or at least `|%n|` apart. None of these cases needs the remainder
//! itself, which is no affine expression: if the domains exclude each of them, the accesses are independent.

use gridloom_dialects::arith;
use gridloom_ir::affine::AffineExprKind;
use gridloom_ir::{AffineExpr, Body, Value};

use super::{Dependences, Question, is_same_in_both};
use crate::analysis::system::{Combination, Instance};
use crate::analysis::values::{AffineValues, Atom};

/// Depth limit of the chain of remainders of one value.
const MAX_DEPTH: usize = 4;

/// Congruence of a subscript: it is the dividend less a multiple of the divisor.
pub struct Congruence {
    /// The dividend, modulo 2^64.
    pub dividend: AffineExpr,
    /// The divisor, modulo 2^64.
    pub divisor: AffineExpr,
    /// The subscript.
    at: Value,
}

impl Congruence {
    /// The congruence of a subscript, if it is a remainder that is not affine.
    pub fn of(values: &mut AffineValues, subscript: AffineExpr) -> Option<Congruence> {
        let AffineExprKind::Dim(number) = subscript.kind(values.ctx) else {
            return None;
        };
        let Atom::Value(at) = values.atom(number) else {
            return None;
        };
        if values.body.ty(at) != values.ctx.index_type() {
            return None;
        }
        let [dividend, divisor] = division(values.body, at, 0)?;
        Some(Congruence {
            dividend: values.expr(dividend),
            divisor: values.expr(divisor),
            at,
        })
    }

    /// Whether neither the dividend nor the sum of a remainder and the divisor may wrap around.
    pub fn fits(&self, values: &mut AffineValues) -> bool {
        let Some(op) = values.body.defining_op(self.at) else {
            return false;
        };
        let env = values.environment_at(op);
        let twice = (values.ctx).affine_mul(self.divisor, values.ctx.affine_const(2));
        values.fits(self.dividend, env) && values.fits(twice, env)
    }
}

/// The dividend and the divisor that a value is a remainder of, of either sign: `x rem n`, `(x rem n + n) rem n`, and
/// `r < 0 ? r + n : r` of a remainder `r`.
fn division(body: &Body, value: Value, depth: usize) -> Option<[Value; 2]> {
    let op = body.defining_op(value).filter(|_| depth < MAX_DEPTH)?;
    match (body[op].name, &body[op].operands[..]) {
        (arith::REMSI, &[dividend, divisor]) => {
            let raised = raised_from(body, dividend, divisor);
            let below = raised.and_then(|value| division(body, value, depth + 1));
            below
                .filter(|&[_, by]| by == divisor)
                .or(Some([dividend, divisor]))
        }
        (arith::SELECT, &[_, first, second]) => {
            let arms = [(first, second), (second, first)];
            arms.into_iter().find_map(|(raised, plain)| {
                let [dividend, divisor] = division(body, plain, depth + 1)?;
                let is_raised = raised_from(body, raised, divisor) == Some(plain);
                is_raised.then_some([dividend, divisor])
            })
        }
        _ => None,
    }
}

/// The value that a sum with `by` is made of.
fn raised_from(body: &Body, sum: Value, by: Value) -> Option<Value> {
    let op = (body.defining_op(sum)).filter(|&op| body[op].name == arith::ADDI)?;
    match body[op].operands[..] {
        [value, other] if other == by => Some(value),
        [other, value] if other == by => Some(value),
        _ => None,
    }
}

impl Dependences<'_> {
    /// Whether the remainders among the coordinates show that the accesses touch different elements.
    pub(super) fn are_incongruent(
        &mut self,
        question: &Question,
        coords: &[(AffineExpr, AffineExpr)],
    ) -> bool {
        let is_apart =
            |&pair: &(AffineExpr, AffineExpr)| self.is_incongruent(question, coords, pair);
        coords.iter().any(is_apart)
    }

    fn is_incongruent(
        &mut self,
        question: &Question,
        coords: &[(AffineExpr, AffineExpr)],
        (a, b): (AffineExpr, AffineExpr),
    ) -> bool {
        let values = &mut self.values;
        let pair = Congruence::of(values, a).zip(Congruence::of(values, b));
        let Some((first, second)) = pair.filter(|(first, second)| first.divisor == second.divisor)
        else {
            return false;
        };
        let divisor = first.divisor;
        if !is_same_in_both(values, question.scope, divisor)
            || !first.fits(values)
            || !second.fits(values)
        {
            return false;
        }
        let distance = |sign: i64| {
            Combination::default()
                .plus(sign, first.dividend, Instance::First)
                .plus(-sign, second.dividend, Instance::Second)
        };
        let mut equal = question.further.clone();
        equal.equal(distance(1));
        let mut cases = vec![equal];
        for (sign, direction) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let size = Combination::default().plus(sign, divisor, Instance::First);
            let mut apart = question.further.clone();
            apart.at_least_zero(size.offset(-1));
            apart.at_least_zero(distance(direction).plus(-sign, divisor, Instance::First));
            cases.push(apart);
        }
        cases.iter().all(|further| {
            let case = Question {
                further,
                ..question.clone()
            };
            self.solve(&case, coords).is_independent()
        })
    }
}
