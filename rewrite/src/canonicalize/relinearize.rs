//! Relinearization: an affine sum of the results of `affine.delinearize_index`, weighted
//! by their strides, is the index that was delinearized.
//!
//! ```text
//! %p:3 = affine.delinearize_index %x into (4, 5)
//! affine.apply (d0, d1, d2) -> (d0 * 20 + d1 * 5 + d2 + 7)(%p#0, %p#1, %p#2)   ⇒  %x + 7
//! ```

use gridloom_dialects::{affine, inherent};
use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::{AffineExpr, Body, Context, OpId, RegionId, Value};

use crate::compose::Composed;

/// A term of a sum and its coefficient.
type Term = (AffineExpr, i64);

/// Replaces sums of all results of a delinearization, each times its stride, by the
/// delinearized index. Returns whether anything changed.
pub(super) fn relinearize(
    ctx: &Context,
    body: &Body,
    composed: &mut Composed,
    scope: Option<RegionId>,
) -> bool {
    let Some(scope) = scope else { return false };
    let is_part = |&value: &Value| delinearization_of(body, value).is_some();
    if !composed.dims.iter().chain(&composed.symbols).any(is_part) {
        return false;
    }
    let mut exprs = composed.exprs.clone();
    let mut relinearizer = Relinearizer {
        ctx,
        body,
        scope,
        composed,
        found: false,
    };
    for expr in &mut exprs {
        *expr = relinearizer.rebuild(*expr);
    }
    let found = relinearizer.found;
    if found {
        composed.exprs = exprs;
    }
    found
}

/// The `affine.delinearize_index` that defines a value.
fn delinearization_of(body: &Body, value: Value) -> Option<OpId> {
    let op = body.defining_op(value)?;
    (body[op].name == affine::DELINEARIZE_INDEX).then_some(op)
}

struct Relinearizer<'a> {
    ctx: &'a Context,
    body: &'a Body,
    scope: RegionId,
    composed: &'a mut Composed,
    found: bool,
}

impl Relinearizer<'_> {
    /// Relinearizes every sum in an expression. The expression has few nodes, which
    /// bounds the recursion.
    fn rebuild(&mut self, expr: AffineExpr) -> AffineExpr {
        let AffineExprKind::Binary(op, lhs, rhs) = expr.kind(self.ctx) else {
            return expr;
        };
        if op != AffineOp::Add {
            let (lhs, rhs) = (self.rebuild(lhs), self.rebuild(rhs));
            return self.ctx.affine_binary(op, lhs, rhs);
        }
        let before = self.found;
        let Some(mut terms) = self.terms(expr) else {
            return expr;
        };
        while self.relinearize_once(&mut terms).is_some() {
            self.found = true;
        }
        if self.found == before {
            return expr;
        }
        let mut sum = self.ctx.affine_const(0);
        for (term, factor) in terms {
            let factor = self.ctx.affine_const(factor);
            sum = self.ctx.affine_add(sum, self.ctx.affine_mul(term, factor));
        }
        sum
    }

    /// The terms of a sum with like terms collected; `None` if a coefficient overflows.
    fn terms(&mut self, sum: AffineExpr) -> Option<Vec<Term>> {
        let mut terms: Vec<Term> = Vec::new();
        let mut stack = vec![(sum, 1i64)];
        while let Some((expr, factor)) = stack.pop() {
            let (expr, factor) = match expr.kind(self.ctx) {
                AffineExprKind::Binary(AffineOp::Add, lhs, rhs) => {
                    stack.extend([(rhs, factor), (lhs, factor)]);
                    continue;
                }
                AffineExprKind::Binary(AffineOp::Mul, lhs, rhs)
                    if rhs.as_constant(self.ctx).is_some() =>
                {
                    let factor = factor.checked_mul(rhs.as_constant(self.ctx)?)?;
                    stack.push((lhs, factor));
                    continue;
                }
                _ => (self.rebuild(expr), factor),
            };
            match terms.iter_mut().find(|(term, _)| *term == expr) {
                Some((_, known)) => *known = known.checked_add(factor)?,
                None => terms.push((expr, factor)),
            }
        }
        Some(terms)
    }

    fn value(&self, expr: AffineExpr) -> Option<Value> {
        match expr.kind(self.ctx) {
            AffineExprKind::Dim(number) => self.composed.dims.get(number as usize).copied(),
            AffineExprKind::Symbol(number) => self.composed.symbols.get(number as usize).copied(),
            _ => None,
        }
    }

    /// Relinearizes the results of one delinearization among the terms.
    fn relinearize_once(&mut self, terms: &mut Vec<Term>) -> Option<()> {
        let made_of = |this: &Self, expr| delinearization_of(this.body, this.value(expr)?);
        let mut ops: Vec<OpId> = Vec::new();
        for &(term, _) in terms.iter() {
            if let Some(op) = made_of(self, term).filter(|op| !ops.contains(op)) {
                ops.push(op);
            }
        }
        ops.into_iter()
            .find_map(|op| self.relinearize_results_of(terms, op))
    }

    fn relinearize_results_of(&mut self, terms: &mut Vec<Term>, op: OpId) -> Option<()> {
        let data = &self.body[op];
        let basis = data.get(self.ctx, inherent::STATIC_BASIS)?;
        let results: Vec<Value> = data.results().collect();
        let (&last, others) = results.split_last()?;
        if others.is_empty() || data.operands.len() > 1 {
            return None;
        }
        let place = |value| {
            terms
                .iter()
                .position(|&(term, _)| self.value(term) == Some(value))
        };
        // Each result must count as much as the next one times the size of that.
        let places: Option<Vec<usize>> = results.iter().map(|&value| place(value)).collect();
        let places = places?;
        let sizes = basis.iter().rev().take(others.len());
        let mut stride = 1i64;
        let mut strides = Vec::new();
        for &size in sizes {
            stride = stride.checked_mul(size).filter(|&stride| stride > 0)?;
            strides.push(stride);
        }
        strides.reverse();
        let factor = terms[places[0]].1.checked_div(strides[0])?;
        let agrees =
            |(&place, &stride): (&usize, &i64)| stride.checked_mul(factor) == Some(terms[place].1);
        if factor == 0 || !places.iter().zip(&strides).all(agrees) {
            return None;
        }
        let rest = terms[*places.last()?].1.checked_sub(factor)?;
        let index = self.operand(data.operands[0], place(last).map(|place| terms[place].0)?)?;
        terms[*places.last()?] = (terms[*places.last()?].0, rest);
        let mut number = 0;
        terms.retain(|&(_, factor)| {
            let goes = places[..others.len()].contains(&number) || factor == 0;
            number += 1;
            !goes
        });
        match terms.iter_mut().find(|(term, _)| *term == index) {
            Some((_, known)) => *known = known.checked_add(factor)?,
            None => terms.push((index, factor)),
        }
        Some(())
    }

    /// The dimension or symbol of `value`, of the same kind as `part`, added to the
    /// operands if it is none of them; `None` if `value` is not valid as one.
    fn operand(&mut self, value: Value, part: AffineExpr) -> Option<AffineExpr> {
        let is_dim = matches!(part.kind(self.ctx), AffineExprKind::Dim(_));
        let valid = match is_dim {
            true => affine::is_valid_dim(self.ctx, self.body, value, self.scope),
            false => affine::is_valid_symbol(self.ctx, self.body, value, self.scope),
        };
        if !valid {
            return None;
        }
        let list = match is_dim {
            true => &mut self.composed.dims,
            false => &mut self.composed.symbols,
        };
        let known = list.iter().position(|&known| known == value);
        let number = known.unwrap_or_else(|| {
            list.push(value);
            list.len() - 1
        }) as u32;
        Some(match is_dim {
            true => self.ctx.affine_dim(number),
            false => self.ctx.affine_symbol(number),
        })
    }
}
