//! Least values: lower bounds of polynomials over all iterations, by the loops and the conditions around an operation.

use gridloom_dialects::affine::{self, IfOp};
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::scf;
use gridloom_ir::{OpId, Value};

use super::numbers::{Kind, MAX_DEPTH, Numbers};
use crate::transform::polynomial::{Atom, BOUND, Poly};

/// Limit of the least values that a polynomial may have by one bound or another of each loop.
const MAX_MINIMA: usize = 8;

/// A lower bound of a polynomial, in numbers that arguments give, and the polynomials that must not be negative for that.
#[derive(Clone)]
pub(super) struct Minimum {
    pub(super) value: Poly,
    pub(super) signs: Vec<Poly>,
}

impl Numbers<'_> {
    /// The polynomials that are not negative where an operation runs, by the conditions around it.
    fn conditions(&mut self, at: OpId) -> Vec<Poly> {
        let (ctx, body) = (self.ctx, self.body);
        let mut found: Vec<Poly> = Vec::new();
        let mut inner = at;
        for around in body.ancestors(at).filter(|&op| op != at) {
            let is_in = |region| {
                let block = body.region_block(around, region);
                block.is_some() && body[inner].parent() == block
            };
            match body[around].name {
                affine::IF if is_in(0) => {
                    let branch = IfOp(around);
                    let set = branch.set(ctx, body).data(ctx);
                    for constraint in &set.constraints {
                        let poly =
                            self.expr(constraint.expr, branch.operands(body), set.dims as usize);
                        let opposite = poly
                            .as_ref()
                            .filter(|_| constraint.is_eq)
                            .and_then(Poly::negated);
                        found.extend(poly.into_iter().chain(opposite));
                    }
                }
                scf::IF if is_in(0) => self.implied(body[around].operands[0], true, &mut found),
                scf::IF if is_in(1) => self.implied(body[around].operands[0], false, &mut found),
                _ => {}
            }
            inner = around;
        }
        found.retain(|poly| self.magnitude(poly).is_some_and(|most| most < BOUND));
        found
    }

    /// Adds the polynomials that are not negative where a condition has an outcome.
    fn implied(&mut self, condition: Value, outcome: bool, found: &mut Vec<Poly>) {
        let (ctx, body) = (self.ctx, self.body);
        let mut open = vec![condition];
        for _ in 0..MAX_DEPTH {
            let Some(op) = open.pop().and_then(|value| body.defining_op(value)) else {
                break;
            };
            let &[left, right] = &body[op].operands[..] else {
                continue;
            };
            match body[op].name {
                arith::ANDI if outcome => open.extend([left, right]),
                arith::ORI if !outcome => open.extend([left, right]),
                arith::CMPI if body.ty(left).is_index(ctx) => {
                    let predicate = CmpIOp(op).predicate(ctx, body);
                    let predicate = match outcome {
                        true => predicate,
                        false => predicate.inverse(),
                    };
                    let [left, right] = [self.poly(left), self.poly(right)];
                    let mut above = |greater: &Poly, less: &Poly, by: i64| {
                        let distance = greater
                            .minus(less)
                            .and_then(|it| it.minus(&Poly::constant(by)));
                        // The sides have to be what the machine compares.
                        let mut fits = |side| self.magnitude(side).is_some_and(|most| most < BOUND);
                        found.extend(distance.filter(|_| fits(greater) && fits(less)));
                    };
                    match predicate {
                        CmpIPredicate::Slt => above(&right, &left, 1),
                        CmpIPredicate::Sle => above(&right, &left, 0),
                        CmpIPredicate::Sgt => above(&left, &right, 1),
                        CmpIPredicate::Sge => above(&left, &right, 0),
                        CmpIPredicate::Eq => {
                            above(&left, &right, 0);
                            above(&right, &left, 0);
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
    }

    /// The conditions on given numbers under which a polynomial is not negative wherever an operation runs: the fewest that
    /// are found; [`None`] where there are none that may hold.
    pub(super) fn natural_at(&mut self, poly: &Poly, at: OpId) -> Option<Vec<Poly>> {
        let conditions = self.conditions(at);
        let above = conditions
            .iter()
            .filter_map(|condition| poly.minus(condition));
        let mut best: Option<Vec<Poly>> = None;
        for lower in std::iter::once(poly.clone()).chain(above) {
            for minimum in self.minima(&lower) {
                let mut needed = minimum.signs;
                needed.push(minimum.value);
                needed.retain(|poly| poly.least().is_none_or(|least| least < 0));
                let is_possible = needed
                    .iter()
                    .all(|poly| !poly.is_hopeless() && self.is_exact(poly));
                if is_possible && best.as_ref().is_none_or(|best| needed.len() < best.len()) {
                    best = Some(needed);
                }
            }
        }
        best
    }

    /// Lower bounds of a polynomial over all iterations, in given numbers.
    pub(super) fn minima(&mut self, poly: &Poly) -> Vec<Minimum> {
        let mut found = Vec::new();
        let start = Minimum {
            value: poly.clone(),
            signs: Vec::new(),
        };
        let mut open = vec![start];
        while let Some(minimum) = open.pop() {
            match self.innermost(&minimum.value) {
                None if self.is_given(&minimum.value) => found.push(minimum),
                None => {}
                Some(inner) => open.extend(self.without(&minimum, inner)),
            }
            if found.len() + open.len() > MAX_MINIMA {
                break;
            }
        }
        found
    }

    /// The number in a polynomial, of those that have bounds, that is in the most loops, and there the last one.
    fn innermost(&mut self, poly: &Poly) -> Option<Value> {
        let body = self.body;
        let bounded = poly.atoms().filter_map(|atom| match atom {
            Atom::Value(value) => match self.kind(value) {
                Kind::Counter(_) | Kind::Quotient(..) | Kind::Remainder(..) => Some(value),
                _ => None,
            },
            Atom::Power(_) => None,
        });
        bounded.max_by_key(|&value| {
            let block = body
                .value_block(value)
                .and_then(|block| body.block_parent_op(block));
            let depth = block.map_or(0, |op| 1 + body.ancestors(op).count());
            let place = { body.defining_op(value) }
                .map(|op| std::iter::successors(Some(op), |&op| body[op].prev()).count());
            (depth, place)
        })
    }

    /// The lower bounds of a polynomial by the bounds of a number in it.
    fn without(&mut self, minimum: &Minimum, value: Value) -> Vec<Minimum> {
        let kind = self.kind(value);
        let split = minimum.value.split(Atom::Value(value));
        let Some([factor, free]) = split.filter(|[factor, _]| self.is_given(factor)) else {
            return Vec::new();
        };
        let is_falling = factor.is_falling();
        let magnitude = match is_falling {
            true => factor.negated(),
            false => Some(factor.clone()),
        };
        let mut signs = minimum.signs.clone();
        signs.extend(magnitude.clone());
        let Some(ends) = magnitude.and_then(|_| self.ends(kind, (value, &factor), &mut signs))
        else {
            return Vec::new();
        };
        let values = ends.iter().filter_map(|end| end.plus(&free));
        values
            .map(|value| Minimum {
                value,
                signs: signs.clone(),
            })
            .collect()
    }

    /// The least multiples by a factor of a number, in other numbers; `signs` gets what must not be negative for that.
    fn ends(
        &mut self,
        kind: Kind,
        (value, factor): (Value, &Poly),
        signs: &mut Vec<Poly>,
    ) -> Option<Vec<Poly>> {
        let is_falling = factor.is_falling();
        // A division of a natural number rounds down.
        let mut natural = |numbers: &mut Self, number: Value| {
            let poly = numbers.poly(number);
            let least = numbers.minima(&poly).into_iter().next()?;
            signs.extend(least.signs);
            signs.push(least.value);
            Some(poly)
        };
        match kind {
            Kind::Counter(op) => {
                let bounds = self.counter_bounds(value, op);
                let times = |end: &Poly| factor.times(end);
                let last = |upper: &Poly| times(&upper.minus(&Poly::constant(1))?);
                Some(match is_falling {
                    true => bounds.upper.iter().filter_map(last).collect(),
                    false => bounds.lower.iter().filter_map(times).collect(),
                })
            }
            Kind::Quotient(number, by) => {
                let number = natural(self, number)?;
                let (multiple, rest) = factor.divided_with_rest(&Poly::constant(by))?;
                let is_whole = rest == Poly::default();
                // by · q is at most the number, and more than the number less by.
                Some(vec![match (is_whole, is_falling) {
                    (true, true) => multiple.times(&number)?,
                    (true, false) => {
                        let least = number.minus(&Poly::constant(by.checked_sub(1)?))?;
                        multiple.times(&least)?
                    }
                    (false, true) => factor.times(&number)?,
                    (false, false) => Poly::default(),
                }])
            }
            Kind::Remainder(number, by) => {
                natural(self, number)?;
                let last = Poly::constant(by.checked_sub(1)?);
                Some(vec![match is_falling {
                    true => factor.times(&last)?,
                    false => Poly::default(),
                }])
            }
            _ => None,
        }
    }
}
