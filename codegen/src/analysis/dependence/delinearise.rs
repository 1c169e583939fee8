//! Delinearization: flat subscripts with a symbolic row length as row and column
//! (T. Grosser, J. Ramanujam, L.-N. Pouchet, P. Sadayappan and S. Pop,
//! "Optimistic Delinearization of Parametrically Sized Arrays", 2015; nothing is
//! optimistic here).
//!
//! ```text
//! a[%i * %n + %j], 0 <= j < n     i·n + j = i'·n + j'   ⇔   i = i' and j = j'
//! ```
//!
//! From `R·S + C = R'·S + C'` follows `(R - R')·S = C' - C`; where that is more
//! than `-S` and less than `S`, both sides are 0. The polyhedron of both
//! iterations decides it, so any bounds of the columns will do that keep them
//! less than a row apart. All products are proved to fit 64 bits.

use gridloom_dialects::arith;
use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::{AffineExpr, OpId};
use gridloom_presburger::Answer;

use super::{Dependences, Question, is_close, is_same_in_both, shares};
use crate::analysis::interval::{Environment, Interval};
use crate::analysis::system::{Combination, Instance, Statements};
use crate::analysis::values::{AffineValues, Atom};

/// Limit of the symbolic dimensions of an array.
const MAX_DIMS: usize = 6;

/// Limit of the products in one subscript.
const MAX_PRODUCTS: usize = 16;

/// A subscript as `row · length + column`.
struct Split {
    row: AffineExpr,
    column: AffineExpr,
}

impl Dependences<'_> {
    /// Coordinate pairs with flat subscripts split into row and column, where the split is proved
    /// to be equivalent.
    pub(super) fn delinearised(
        &mut self,
        question: &Question,
        coords: Vec<(AffineExpr, AffineExpr)>,
    ) -> Vec<(AffineExpr, AffineExpr)> {
        let mut found = Vec::new();
        for pair in coords {
            let mut rest = pair;
            for _ in 0..MAX_DIMS {
                let Some([rows, columns]) = self.rows_and_columns(question, rest) else {
                    break;
                };
                found.push(columns);
                rest = rows;
            }
            found.push(rest);
        }
        found
    }

    fn rows_and_columns(
        &mut self,
        question: &Question,
        (a, b): (AffineExpr, AffineExpr),
    ) -> Option<[(AffineExpr, AffineExpr); 2]> {
        let scope = question.scope;
        let env = question
            .accesses
            .map(|access| self.values.environment_at(access.op));
        let lengths = row_lengths(&mut self.values, a);
        if lengths.is_empty() {
            return None;
        }
        let all_fits = [(a, env[0]), (b, env[1])]
            .into_iter()
            .all(|(expr, env)| products_fit(&mut self.values, expr, env));
        if !all_fits || !is_close(&mut self.values, scope, [a, b], env) {
            return None;
        }
        lengths.into_iter().find_map(|length| {
            if !is_same_in_both(&self.values, scope, length) {
                return None;
            }
            let first = split(&mut self.values, a, length)?;
            let second = split(&mut self.values, b, length)?;
            let columns = (first.column, second.column);
            let is_apart = self.is_less_than_a_row(question, columns, length);
            is_apart.then_some([(first.row, second.row), columns])
        })
    }

    /// Whether the columns of the two instances always differ by less than a row.
    fn is_less_than_a_row(
        &mut self,
        question: &Question,
        (first, second): (AffineExpr, AffineExpr),
        length: AffineExpr,
    ) -> bool {
        let forth = Combination::of(second, Instance::Second).plus(-1, first, Instance::First);
        let back = Combination::of(first, Instance::First).plus(-1, second, Instance::Second);
        let op = question.accesses[0].op;
        for at_first in &question.domains[0].disjuncts {
            for at_second in &question.domains[1].disjuncts {
                for distance in [&forth, &back] {
                    let mut statements = Statements::new();
                    statements.add_all(at_first, Instance::First);
                    statements.add_all(at_second, Instance::Second);
                    let too_far = distance.clone().plus(-1, length, Instance::First);
                    statements.at_least_zero(too_far);
                    let scope = question.scope;
                    let system =
                        statements.solve(&self.values, |v, atom| shares(scope, v, atom), &[]);
                    if system.is_empty(self.work(op)) != Answer::Yes {
                        return false;
                    }
                }
            }
        }
        true
    }
}

/// The factors of a term that is a product of two non-constant expressions.
pub fn factors(values: &mut AffineValues, term: AffineExpr) -> Option<(AffineExpr, AffineExpr)> {
    match term.kind(values.ctx) {
        AffineExprKind::Binary(AffineOp::Mul, l, r) => {
            r.as_constant(values.ctx).is_none().then_some((l, r))
        }
        AffineExprKind::Dim(number) => {
            let op = product_op(values, number)?;
            let &[l, r] = &values.body[op].operands[..] else {
                return None;
            };
            Some((values.expr(l), values.expr(r)))
        }
        _ => None,
    }
}

fn product_op(values: &AffineValues, number: u32) -> Option<OpId> {
    let Atom::Value(value) = values.atom(number) else {
        return None;
    };
    let op = values.body.defining_op(value)?;
    (values.body[op].name == arith::MULI).then_some(op)
}

/// All factors of the products in a sum, those nested in factors included.
pub fn all_factors(values: &mut AffineValues, expr: AffineExpr) -> Vec<AffineExpr> {
    let mut found: Vec<AffineExpr> = Vec::new();
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        let Some((terms, _)) = values.terms(expr) else {
            continue;
        };
        for (term, _) in terms {
            let Some((l, r)) = factors(values, term) else {
                continue;
            };
            if found.len() >= MAX_PRODUCTS {
                return found;
            }
            found.extend([l, r]);
            open.extend([l, r]);
        }
    }
    found
}

/// Whether no product in a sum, nor in its factors, overflows the machine's 64 bits.
pub fn products_fit(values: &mut AffineValues, expr: AffineExpr, env: Environment) -> bool {
    let mut open = vec![expr];
    let mut seen = 0;
    while let Some(expr) = open.pop() {
        let Some((terms, _)) = values.terms(expr) else {
            return false;
        };
        for (term, _) in terms {
            let Some((l, r)) = factors(values, term) else {
                continue;
            };
            seen += 1;
            let sides = values.interval(l, env).zip(values.interval(r, env));
            let product = sides.and_then(|(l, r)| l.times(r));
            let fits = product.is_some_and(|product| product.is_within(Interval::MACHINE));
            if !fits || seen > MAX_PRODUCTS || !(values.fits(l, env) && values.fits(r, env)) {
                return false;
            }
            open.extend([l, r]);
        }
    }
    true
}

/// Candidate row lengths: the factors that the products of a sum have, each once.
fn row_lengths(values: &mut AffineValues, expr: AffineExpr) -> Vec<AffineExpr> {
    let Some((terms, _)) = values.terms(expr) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (term, _) in terms.into_iter().take(MAX_PRODUCTS) {
        let Some((l, r)) = factors(values, term) else {
            continue;
        };
        for side in [r, l] {
            if !found.contains(&side) {
                found.push(side);
            }
        }
    }
    found
}

/// Splits a sum into `row · length + column`: terms multiplied by `length` go to the row. Lengths
/// may be products themselves: `(i·m)·n` has the rows `i·m`.
fn split(values: &mut AffineValues, expr: AffineExpr, length: AffineExpr) -> Option<Split> {
    let ctx = values.ctx;
    let (terms, constant) = values.terms(expr)?;
    let constant = i64::try_from(constant).ok()?;
    let (mut row, mut column) = (ctx.affine_const(0), ctx.affine_const(constant));
    for (term, factor) in terms {
        let factor = ctx.affine_const(i64::try_from(factor).ok()?);
        let rows = match factors(values, term) {
            _ if term == length => Some(ctx.affine_const(1)),
            Some((l, r)) if r == length => Some(l),
            Some((l, r)) if l == length => Some(r),
            _ => None,
        };
        match rows {
            Some(rows) => row = ctx.affine_add(row, ctx.affine_mul(rows, factor)),
            None => column = ctx.affine_add(column, ctx.affine_mul(term, factor)),
        }
    }
    Some(Split { row, column })
}
