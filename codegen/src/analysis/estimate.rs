//! Estimates: numbers of a cost model, known when a program is compiled or computed from sizes when it runs.
//!
//! ```text
//! 8 * trips(%i), with %i from 0 to 100          Known(800)
//! 8 * trips(%i), with %i from 0 to %n           Open: 8 * n, which a pass emits as arithmetic on %n
//! ```
//!
//! A pass that weighs two schedules compares known numbers itself, and emits the comparison of open ones in front of the nest.

use std::collections::HashMap;
use std::ops::{Add, Div, Mul};
use std::rc::Rc;

use super::values::Atom;

/// Number of a cost model, or an expression for it.
#[derive(Clone, Debug)]
pub enum Estimate {
    /// A number that does not depend on the run.
    Known(f64),
    /// A number of the run.
    Open(Rc<Open>),
}

/// Open number: one that the run knows, or what two estimates give.
#[derive(Debug)]
pub enum Open {
    Atom(Atom),
    Of(Rule, [Estimate; 2]),
}

/// Rule by which two numbers give one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    Sum,
    Product,
    Quotient,
    Greatest,
    Least,
}

impl Rule {
    fn of(self, [one, other]: [f64; 2]) -> f64 {
        match self {
            Rule::Sum => one + other,
            Rule::Product => one * other,
            Rule::Quotient => one / other,
            Rule::Greatest => one.max(other),
            Rule::Least => one.min(other),
        }
    }

    /// The number that leaves what it is combined with as it is.
    fn neutral(self) -> f64 {
        match self {
            Rule::Sum => 0.0,
            Rule::Product | Rule::Quotient => 1.0,
            Rule::Greatest => f64::NEG_INFINITY,
            Rule::Least => f64::INFINITY,
        }
    }
}

impl Estimate {
    /// The number that an atom stands for.
    pub fn atom(atom: Atom) -> Self {
        Estimate::Open(Rc::new(Open::Atom(atom)))
    }

    /// The number, where it is known.
    pub fn known(&self) -> Option<f64> {
        match self {
            &Estimate::Known(number) => Some(number),
            Estimate::Open(_) => None,
        }
    }

    pub fn max(self, other: Self) -> Self {
        self.by(Rule::Greatest, other)
    }

    pub fn min(self, other: Self) -> Self {
        self.by(Rule::Least, other)
    }

    fn by(self, rule: Rule, other: Self) -> Self {
        if let (Estimate::Known(one), Estimate::Known(other)) = (&self, &other) {
            return Estimate::Known(rule.of([*one, *other]));
        }
        let neutral = rule.neutral();
        let is_neutral = |side: &Estimate| side.known() == Some(neutral);
        match rule {
            Rule::Sum | Rule::Product => {}
            _ if is_neutral(&other) || self.is_same(&other) && neutral.is_infinite() => {
                return self;
            }
            _ if is_neutral(&self) && rule != Rule::Quotient => return other,
            _ => return Estimate::of(rule, [self, other]),
        }
        // Constants of sums and products are collected on the outside.
        let ((one, a), (two, b)) = (self.parted(rule), other.parted(rule));
        let constant = Estimate::Known(rule.of([a, b]));
        let open = match [one, two] {
            [Some(one), Some(two)] => Estimate::of(rule, [one, two]),
            [Some(open), None] | [None, Some(open)] => open,
            [None, None] => return constant,
        };
        match constant.known() {
            Some(0.0) if rule == Rule::Product => constant,
            Some(number) if number == neutral => open,
            _ => Estimate::of(rule, [open, constant]),
        }
    }

    /// The open part of an estimate and the constant that it is combined with by a rule.
    fn parted(self, rule: Rule) -> (Option<Self>, f64) {
        let open = match &self {
            &Estimate::Known(number) => return (None, number),
            Estimate::Open(open) => open,
        };
        match &**open {
            Open::Of(own, [open, Estimate::Known(constant)]) if *own == rule => {
                (Some(open.clone()), *constant)
            }
            _ => (Some(self), rule.neutral()),
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Estimate::Open(one), Estimate::Open(other)) => Rc::ptr_eq(one, other),
            _ => false,
        }
    }

    fn of(rule: Rule, parts: [Self; 2]) -> Self {
        Estimate::Open(Rc::new(Open::Of(rule, parts)))
    }

    /// The number where every open one is `size`.
    pub fn at(&self, size: f64) -> f64 {
        self.fold(&mut AtSize(size), &mut HashMap::new())
    }

    /// What stands for the estimate; for a part of it that occurs several times, it is made once.
    pub fn fold<F: Fold>(&self, f: &mut F, made: &mut HashMap<*const Open, F::Out>) -> F::Out {
        let open = match self {
            &Estimate::Known(number) => return f.number(number),
            Estimate::Open(open) => open,
        };
        if let Some(known) = made.get(&Rc::as_ptr(open)) {
            return known.clone();
        }
        let new = match &**open {
            &Open::Atom(atom) => f.atom(atom),
            Open::Of(rule, parts) => {
                let parts = parts.each_ref().map(|part| part.fold(f, made));
                f.both(*rule, parts)
            }
        };
        made.insert(Rc::as_ptr(open), new.clone());
        new
    }
}

/// Fold over the parts of an estimate.
pub trait Fold {
    type Out: Clone;

    fn number(&mut self, number: f64) -> Self::Out;

    fn atom(&mut self, atom: Atom) -> Self::Out;

    fn both(&mut self, rule: Rule, parts: [Self::Out; 2]) -> Self::Out;
}

/// Evaluation where every open number is the same.
struct AtSize(f64);

impl Fold for AtSize {
    type Out = f64;

    fn number(&mut self, number: f64) -> f64 {
        number
    }

    fn atom(&mut self, _: Atom) -> f64 {
        self.0
    }

    fn both(&mut self, rule: Rule, parts: [f64; 2]) -> f64 {
        rule.of(parts)
    }
}

impl Add for Estimate {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.by(Rule::Sum, other)
    }
}

impl Mul for Estimate {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        self.by(Rule::Product, other)
    }
}

impl Div for Estimate {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        self.by(Rule::Quotient, other)
    }
}

impl Add<f64> for Estimate {
    type Output = Self;

    fn add(self, other: f64) -> Self {
        self + Estimate::Known(other)
    }
}

impl Mul<f64> for Estimate {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        self * Estimate::Known(factor)
    }
}
