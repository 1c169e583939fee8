//! Linear forms: subscripts as sums of counters times loop-invariant polynomials.
//!
//! ```text
//! (%i / %h) * (2 * %h) + %i mod %h + %h    =    2h · q + 1 · r + h      with %i = h · q + r
//! ```

use std::collections::BTreeMap;

use crate::transform::polynomial::Poly;

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
