//! Polynomials over integers of a program, with wrap-around excluded by limits on the integers.
//!
//! ```text
//! %h = muli %n, %m; %i * %h + %j * 2 - 1    =    1 · i n m + 2 · j - 1
//! ```

use std::collections::BTreeMap;

use gridloom_dialects::arith;
use gridloom_ir::{Builder, Value};

use super::index_values::as_index;

/// Atom of a polynomial: an integer that it does not look into.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Atom {
    /// An integer.
    Value(Value),
    /// Two to the power of a value.
    Power(Value),
}

/// Polynomial in atoms, by its monomials; no coefficient is 0.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Poly(BTreeMap<Vec<Atom>, i64>);

impl Poly {
    pub(crate) fn constant(number: i64) -> Poly {
        let mut poly = Poly::default();
        poly.add_term(Vec::new(), number);
        poly
    }

    pub(crate) fn atom(atom: Atom) -> Poly {
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
    pub(crate) fn plus(&self, other: &Poly) -> Option<Poly> {
        let mut sum = self.clone();
        for (monomial, &coefficient) in &other.0 {
            sum.add_term(monomial.clone(), coefficient)?;
        }
        Some(sum)
    }

    pub(crate) fn minus(&self, other: &Poly) -> Option<Poly> {
        self.plus(&other.times(&Poly::constant(-1))?)
    }

    pub(crate) fn times(&self, other: &Poly) -> Option<Poly> {
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
    pub(crate) fn divided(&self, divisor: &Poly) -> Option<Poly> {
        let mut terms = divisor.0.iter();
        let (by, &factor) = terms.next().filter(|_| terms.next().is_none())?;
        let mut quotient = Poly::default();
        for (monomial, &coefficient) in &self.0 {
            (coefficient.checked_rem(factor)? == 0).then_some(())?;
            quotient.add_term(ratio(monomial, by)?, coefficient.checked_div(factor)?)?;
        }
        Some(quotient)
    }

    /// Quotient and rest of a division, where each term of the divisor's highest one that fits goes to the quotient:
    /// `x = quotient · divisor + rest`.
    pub(crate) fn divided_with_rest(&self, divisor: &Poly) -> Option<(Poly, Poly)> {
        let (by, &factor) = divisor
            .0
            .iter()
            .max_by_key(|&(monomial, _)| rank(monomial))?;
        let (mut left, mut quotient, mut rest) = (self.clone(), Poly::default(), Poly::default());
        for _ in 0..MAX_STEPS {
            let Some(highest) = left.0.keys().max_by_key(|monomial| rank(monomial)).cloned() else {
                return Some((quotient, rest));
            };
            let coefficient = left.0.remove(&highest)?;
            let times = coefficient.checked_div_euclid(factor)?;
            let Some(ratio) = ratio(&highest, by).filter(|_| times != 0) else {
                rest.add_term(highest, coefficient)?;
                continue;
            };
            let mut own = Poly::default();
            own.add_term(ratio, times)?;
            quotient = quotient.plus(&own)?;
            left.add_term(highest, coefficient)?;
            // What stays of the highest term is too small to be divided again.
            left = left.minus(&own.times(divisor)?)?;
        }
        None
    }

    /// The polynomial without the factor that its coefficients share.
    pub(crate) fn primitive(&self) -> Poly {
        let mut shared = 0i64;
        for &coefficient in self.0.values() {
            let mut other = coefficient;
            while other != 0 {
                (shared, other) = (other, shared.checked_rem(other).unwrap_or(0));
            }
        }
        let parts = self.0.iter();
        let divided = parts.map(|(monomial, &coefficient)| {
            let by = shared.unsigned_abs().max(1);
            let part = i64::try_from(by)
                .ok()
                .and_then(|by| coefficient.checked_div(by));
            (monomial.clone(), part.unwrap_or(coefficient))
        });
        Poly(divided.collect())
    }

    /// Splits a polynomial that is linear in an atom into its factor and what is free of it.
    pub(crate) fn split(&self, atom: Atom) -> Option<[Poly; 2]> {
        let [mut factor, mut free] = [Poly::default(), Poly::default()];
        for (monomial, &coefficient) in &self.0 {
            match monomial.iter().position(|&other| other == atom) {
                None => free.add_term(monomial.clone(), coefficient)?,
                Some(at) => {
                    let mut left = monomial.clone();
                    left.remove(at);
                    (!left.contains(&atom)).then_some(())?;
                    factor.add_term(left, coefficient)?;
                }
            }
        }
        Some([factor, free])
    }

    /// Whether the polynomial is negative wherever all of its atoms are 2 or more, as sizes of arrays that are worth a kernel
    /// are: a test that it is not would be in vain.
    pub(crate) fn is_hopeless(&self) -> bool {
        let two = Poly::constant(2);
        let shifted = self
            .0
            .iter()
            .try_fold(Poly::default(), |sum, (monomial, &coefficient)| {
                let mut product = Poly::constant(coefficient);
                for &atom in monomial {
                    product = product.times(&Poly::atom(atom).plus(&two)?)?;
                }
                sum.plus(&product)
            });
        shifted.is_some_and(|shifted| {
            shifted.constant_term() < 0 && shifted.0.values().all(|&coefficient| coefficient < 0)
        })
    }

    /// The constant, if the polynomial has no atoms.
    pub(crate) fn as_constant(&self) -> Option<i64> {
        match self.0.iter().next() {
            None => Some(0),
            Some((monomial, &number)) if monomial.is_empty() && self.0.len() == 1 => Some(number),
            _ => None,
        }
    }

    /// The value, if the polynomial is one.
    pub(crate) fn as_value(&self) -> Option<Value> {
        let mut terms = self.0.iter();
        let (monomial, &coefficient) = terms.next().filter(|_| terms.next().is_none())?;
        match monomial[..] {
            [Atom::Value(value)] if coefficient == 1 => Some(value),
            _ => None,
        }
    }

    /// A known lower bound: powers of two are at least 1.
    pub(crate) fn least(&self) -> Option<i64> {
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
    pub(crate) fn is_falling(&self) -> bool {
        !self.0.is_empty() && self.0.values().all(|&coefficient| coefficient < 0)
    }

    /// Whether the polynomial is a power of two by its form.
    pub(crate) fn is_power(&self) -> bool {
        let mut terms = self.0.iter();
        let term = terms.next().filter(|_| terms.next().is_none());
        term.is_some_and(|(monomial, &coefficient)| {
            coefficient > 0
                && coefficient.count_ones() == 1
                && monomial.iter().all(|atom| matches!(atom, Atom::Power(_)))
        })
    }

    /// The highest number of atoms in a monomial.
    pub(crate) fn degree(&self) -> usize {
        self.0.keys().map(Vec::len).max().unwrap_or(0)
    }

    /// The term without atoms.
    pub(crate) fn constant_term(&self) -> i64 {
        self.0.get(&Vec::new()).copied().unwrap_or(0)
    }

    pub(crate) fn negated(&self) -> Option<Poly> {
        self.times(&Poly::constant(-1))
    }

    pub(crate) fn atoms(&self) -> impl Iterator<Item = Atom> + '_ {
        self.0.keys().flatten().copied()
    }

    /// Upper bound of the magnitude, for atoms of magnitudes up to [`MAX_MAGNITUDE`].
    pub(crate) fn bound(&self) -> Option<i128> {
        self.bound_by(|_| Some(MAX_MAGNITUDE.into()))
    }

    /// Upper bound of the magnitude, from those of the atoms.
    pub(crate) fn bound_by(&self, mut most: impl FnMut(Atom) -> Option<i128>) -> Option<i128> {
        self.0
            .iter()
            .try_fold(0i128, |sum, (monomial, coefficient)| {
                let magnitude = i128::from(coefficient.unsigned_abs());
                let product = { monomial.iter() }
                    .try_fold(magnitude, |product, &atom| product.checked_mul(most(atom)?));
                sum.checked_add(product?)
            })
    }

    /// Whether the polynomial and all intermediate results fit 64 bits, for atoms of magnitudes up
    /// to [`MAX_MAGNITUDE`].
    pub(crate) fn fits(&self) -> bool {
        self.bound().is_some_and(|bound| bound < BOUND)
    }

    /// Emits the value of the polynomial.
    pub(crate) fn write(&self, b: &mut Builder) -> Value {
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
pub(crate) const MAX_MAGNITUDE: i64 = 1 << 28;

/// Limit of the magnitude of polynomials and forms, so that differences fit 64 bits.
pub(crate) const BOUND: i128 = 1 << 61;

/// Limit of the monomials of a polynomial.
const MAX_TERMS: usize = 16;

/// Limit of the steps of a division.
const MAX_STEPS: usize = 64;

/// Rank of a monomial: those of more atoms are higher (graded lexicographic order).
fn rank(monomial: &[Atom]) -> (usize, &[Atom]) {
    (monomial.len(), monomial)
}

/// The quotient of two monomials.
fn ratio(monomial: &[Atom], by: &[Atom]) -> Option<Vec<Atom>> {
    let mut left = monomial.to_vec();
    for atom in by {
        left.remove(left.iter().position(|other| other == atom)?);
    }
    Some(left)
}
