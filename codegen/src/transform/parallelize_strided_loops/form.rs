//! Linear forms: subscripts as sums of counters times loop-invariant polynomials.
//!
//! ```text
//! (%i / %h) * (2 * %h) + %i mod %h + %h    =    2h · q + 1 · r + h      with %i = h · q + r
//! ```

use std::collections::BTreeMap;

use gridloom_dialects::arith;
use gridloom_ir::{Builder, Value};

use crate::transform::index_values::as_index;

/// Loop-invariant atom of a polynomial.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Atom {
    /// An integer.
    Value(Value),
    /// Two to the power of a value.
    Power(Value),
}

/// Polynomial in atoms, by its monomials; no coefficient is 0.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Poly(BTreeMap<Vec<Atom>, i64>);

impl Poly {
    pub(super) fn constant(number: i64) -> Poly {
        let mut poly = Poly::default();
        poly.add_term(Vec::new(), number);
        poly
    }

    pub(super) fn atom(atom: Atom) -> Poly {
        Poly(BTreeMap::from([(vec![atom], 1)]))
    }

    fn add_term(&mut self, monomial: Vec<Atom>, coefficient: i64) -> Option<()> {
        let sum = self
            .0
            .get(&monomial)
            .copied()
            .unwrap_or(0)
            .checked_add(coefficient)?;
        match sum {
            0 => self.0.remove(&monomial),
            _ => self.0.insert(monomial, sum),
        };
        Some(())
    }

    /// The sum; `None` where a coefficient overflows.
    pub(super) fn plus(&self, other: &Poly) -> Option<Poly> {
        let mut sum = self.clone();
        for (monomial, &coefficient) in &other.0 {
            sum.add_term(monomial.clone(), coefficient)?;
        }
        Some(sum)
    }

    pub(super) fn minus(&self, other: &Poly) -> Option<Poly> {
        self.plus(&other.times(&Poly::constant(-1))?)
    }

    pub(super) fn times(&self, other: &Poly) -> Option<Poly> {
        let mut product = Poly::default();
        for (left, &x) in &self.0 {
            for (right, &y) in &other.0 {
                let mut monomial = [&left[..], &right[..]].concat();
                monomial.sort_unstable();
                product.add_term(monomial, x.checked_mul(y)?)?;
            }
        }
        (product.0.len() <= MAX_TERMS).then_some(product)
    }

    /// The quotient by a monomial that divides all terms.
    pub(super) fn divided(&self, divisor: &Poly) -> Option<Poly> {
        let mut terms = divisor.0.iter();
        let (by, &factor) = terms.next().filter(|_| terms.next().is_none())?;
        let mut quotient = Poly::default();
        for (monomial, &coefficient) in &self.0 {
            let mut left = monomial.clone();
            for atom in by {
                left.remove(left.iter().position(|other| other == atom)?);
            }
            (coefficient.checked_rem(factor)? == 0).then_some(())?;
            quotient.add_term(left, coefficient.checked_div(factor)?)?;
        }
        Some(quotient)
    }

    /// The constant, if the polynomial has no atoms.
    pub(super) fn as_constant(&self) -> Option<i64> {
        match self.0.iter().next() {
            None => Some(0),
            Some((monomial, &number)) if monomial.is_empty() && self.0.len() == 1 => Some(number),
            _ => None,
        }
    }

    /// A known lower bound: powers of two are at least 1.
    pub(super) fn least(&self) -> Option<i64> {
        let is_power = |atom: &Atom| matches!(atom, Atom::Power(_));
        self.0
            .iter()
            .try_fold(0i64, |sum, (monomial, &coefficient)| {
                let is_known =
                    monomial.is_empty() || coefficient > 0 && monomial.iter().all(is_power);
                is_known.then(|| sum.checked_add(coefficient)).flatten()
            })
    }

    /// Whether the polynomial decreases in all of its atoms.
    pub(super) fn is_falling(&self) -> bool {
        !self.0.is_empty() && self.0.values().all(|&coefficient| coefficient < 0)
    }

    /// Whether the polynomial is a power of two by its form.
    pub(super) fn is_power(&self) -> bool {
        let mut terms = self.0.iter();
        let term = terms.next().filter(|_| terms.next().is_none());
        term.is_some_and(|(monomial, &coefficient)| {
            coefficient > 0
                && coefficient.count_ones() == 1
                && monomial.iter().all(|atom| matches!(atom, Atom::Power(_)))
        })
    }

    /// The highest number of atoms in a monomial.
    pub(super) fn degree(&self) -> usize {
        self.0.keys().map(Vec::len).max().unwrap_or(0)
    }

    /// The term without atoms.
    pub(super) fn constant_term(&self) -> i64 {
        self.0.get(&Vec::new()).copied().unwrap_or(0)
    }

    pub(super) fn negated(&self) -> Option<Poly> {
        self.times(&Poly::constant(-1))
    }

    pub(super) fn atoms(&self) -> impl Iterator<Item = Atom> + '_ {
        self.0.keys().flatten().copied()
    }

    /// Upper bound of the magnitude, for atoms of magnitudes up to [`MAX_MAGNITUDE`].
    pub(super) fn bound(&self) -> Option<i128> {
        self.0
            .iter()
            .try_fold(0i128, |sum, (monomial, coefficient)| {
                let degree = u32::try_from(monomial.len()).ok()?;
                let most = i128::from(MAX_MAGNITUDE).checked_pow(degree)?;
                sum.checked_add(most.checked_mul(i128::from(coefficient.unsigned_abs()))?)
            })
    }

    /// Whether the polynomial and all intermediate results fit 64 bits, for atoms of magnitudes up
    /// to [`MAX_MAGNITUDE`].
    pub(super) fn fits(&self) -> bool {
        self.bound().is_some_and(|bound| bound < BOUND)
    }

    /// Emits the value of the polynomial.
    pub(super) fn write(&self, b: &mut Builder) -> Value {
        let mut sum: Option<Value> = None;
        for (monomial, &coefficient) in &self.0 {
            let mut product: Option<Value> = match coefficient {
                1 if !monomial.is_empty() => None,
                _ => Some(b.index_constant(coefficient)),
            };
            for &atom in monomial {
                let factor = match atom {
                    Atom::Value(value) => as_index(b, value),
                    Atom::Power(value) => {
                        // The run-time test refuses powers above the limit, but the code still computes
                        // them.
                        let (one, most) = (b.index_constant(1), b.index_constant(63));
                        let by = as_index(b, value);
                        let by = b.binary(arith::MINUI, by, most);
                        b.binary(arith::SHLI, one, by)
                    }
                };
                product = Some(match product {
                    Some(product) => b.binary(arith::MULI, product, factor),
                    None => factor,
                });
            }
            sum = match (sum, product) {
                (Some(sum), Some(product)) => Some(b.binary(arith::ADDI, sum, product)),
                (sum, product) => sum.or(product),
            };
        }
        sum.unwrap_or_else(|| b.index_constant(0))
    }
}

/// Limit of the magnitude of atoms and counters: below it forms do not wrap around, which a test in
/// front of the loop ensures.
pub(super) const MAX_MAGNITUDE: i64 = 1 << 28;

/// Limit of the magnitude of polynomials and forms, so that differences fit 64 bits.
pub(super) const BOUND: i128 = 1 << 61;

/// Limit of the monomials of a polynomial.
const MAX_TERMS: usize = 16;

/// Loop-varying variable, from 0 up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Variable {
    /// Level of iterations, outermost first: a counter from its lower bound on, or one of two
    /// digits of it.
    Level(usize),
    /// Counter of an inner loop, from its lower bound on.
    Inner(usize),
}

/// Linear form: a sum of variables, each times a polynomial, plus a polynomial.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct SubscriptForm {
    pub(super) terms: BTreeMap<Variable, Poly>,
    pub(super) rest: Poly,
}

impl SubscriptForm {
    pub(super) fn of(rest: Poly) -> SubscriptForm {
        let terms = BTreeMap::new();
        SubscriptForm { terms, rest }
    }

    pub(super) fn plus(&self, other: &SubscriptForm) -> Option<SubscriptForm> {
        let mut sum = self.clone();
        sum.rest = sum.rest.plus(&other.rest)?;
        for (&variable, coefficient) in &other.terms {
            let before = sum.terms.remove(&variable).unwrap_or_default();
            let coefficient = before.plus(coefficient)?;
            if coefficient.as_constant() != Some(0) {
                sum.terms.insert(variable, coefficient);
            }
        }
        Some(sum)
    }

    pub(super) fn times(&self, factor: &Poly) -> Option<SubscriptForm> {
        let mut product = SubscriptForm::of(self.rest.times(factor)?);
        for (&variable, coefficient) in &self.terms {
            product.terms.insert(variable, coefficient.times(factor)?);
        }
        product
            .terms
            .retain(|_, coefficient| coefficient.as_constant() != Some(0));
        Some(product)
    }

    /// The product, if one of the forms is loop-invariant.
    pub(super) fn product(&self, other: &SubscriptForm) -> Option<SubscriptForm> {
        match (self.as_poly(), other.as_poly()) {
            (_, Some(factor)) => self.times(factor),
            (Some(factor), _) => other.times(factor),
            _ => None,
        }
    }

    pub(super) fn minus(&self, other: &SubscriptForm) -> Option<SubscriptForm> {
        self.plus(&other.times(&Poly::constant(-1))?)
    }

    /// The polynomial of a loop-invariant form.
    pub(super) fn as_poly(&self) -> Option<&Poly> {
        self.terms.is_empty().then_some(&self.rest)
    }

    /// The factor of a variable.
    pub(super) fn factor(&self, variable: Variable) -> Poly {
        self.terms.get(&variable).cloned().unwrap_or_default()
    }
}
