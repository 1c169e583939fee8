//! Elimination of counters: bounds of linear forms over all iterations of a nest, in terms of
//! values from outside.
//!
//! Let `f` contain the counter `x` with factor `c`, and let `g >= 0` hold in every
//! iteration and contain `x` with a factor `a` of the same sign. Then
//!
//! ```text
//! h = |a| f − |c| g
//! ```
//!
//! is free of `x`, and `h >= 0` implies `f >= 0`, since `|a| f = h + |c| g` (a step
//! of Fourier's and Motzkin's elimination, and the non-negative combination of
//! Farkas' lemma). Steps go from the innermost counter outwards; which `g` is
//! used matters where a counter has several bounds, so all are tried, those
//! first that leave the fewest counters, up to a budget.

use std::collections::BTreeMap;

use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::{AffineExpr, Context, OpId};

use crate::analysis::domain::Constraint;
use crate::analysis::values::{AffineValues, Atom};

/// Linear form `Σ factor · atom + constant`, by number of the atom; no factor is 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinearForm {
    factors: BTreeMap<u32, i64>,
    /// Constant term.
    pub constant: i64,
}

/// Limit of the parts of an expression that is read as a form.
const MAX_PARTS: usize = 256;

impl LinearForm {
    /// Reads an expression as a form; `None` if it divides.
    pub fn of(values: &AffineValues, expr: AffineExpr) -> Option<LinearForm> {
        Self::read(values, expr, 1, |_, _, _| None)
    }

    /// Upper bound of `sign * expr`: the form that it is, with each remainder and each quotient, whose
    /// factor its divisor must divide, at its greatest:
    ///
    /// ```text
    /// 0 <= e mod m <= m - 1        e - (m - 1) <= m (e floordiv m) <= e <= m (e ceildiv m) <= e + m - 1
    /// ```
    ///
    /// It is not negative wherever `sign * expr` is not.
    fn above(values: &AffineValues, expr: AffineExpr, sign: i64) -> Option<LinearForm> {
        Self::read(values, expr, sign, |op, divisor, factor| {
            let rest = divisor.checked_sub(1)?;
            if op == AffineOp::Mod {
                return Some((0, factor.max(0).checked_mul(rest)?));
            }
            let is_whole = factor % divisor == 0;
            let by = Some(factor / divisor).filter(|_| is_whole)?;
            let most = match op {
                AffineOp::FloorDiv => by.min(0).checked_neg()?,
                _ => by.max(0),
            };
            Some((by, most.checked_mul(rest)?))
        })
    }

    /// Reads `factor * expr` as a form. For a quotient or remainder by a positive constant, times
    /// its factor, `divided` gives a multiple of the dividend and a constant.
    fn read(
        values: &AffineValues,
        expr: AffineExpr,
        factor: i64,
        divided: impl Fn(AffineOp, i64, i64) -> Option<(i64, i64)>,
    ) -> Option<LinearForm> {
        let ctx = values.ctx;
        let mut form = LinearForm {
            factors: BTreeMap::new(),
            constant: 0,
        };
        let mut stack = vec![(expr, factor)];
        let mut parts = 0;
        while let Some((expr, factor)) = stack.pop() {
            parts += 1;
            if parts > MAX_PARTS {
                return None;
            }
            match expr.kind(ctx) {
                AffineExprKind::Constant(value) => {
                    let term = value.checked_mul(factor)?;
                    form.constant = form.constant.checked_add(term)?;
                }
                AffineExprKind::Dim(atom) => form.add(atom, factor)?,
                AffineExprKind::Binary(AffineOp::Add, l, r) => {
                    stack.extend([(l, factor), (r, factor)]);
                }
                AffineExprKind::Binary(AffineOp::Mul, l, r) => {
                    let by = r.as_constant(ctx)?;
                    stack.push((l, factor.checked_mul(by)?));
                }
                AffineExprKind::Binary(op, dividend, divisor) => {
                    let divisor = divisor.as_constant(ctx).filter(|&divisor| divisor > 0)?;
                    let (times, more) = divided(op, divisor, factor)?;
                    form.constant = form.constant.checked_add(more)?;
                    if times != 0 {
                        stack.push((dividend, times));
                    }
                }
                AffineExprKind::Symbol(_) => return None,
            }
        }
        Some(form)
    }

    /// The constant form.
    pub fn constant(constant: i64) -> LinearForm {
        LinearForm {
            factors: BTreeMap::new(),
            constant,
        }
    }

    /// The form of a single atom.
    pub fn atom(atom: u32) -> LinearForm {
        LinearForm {
            factors: BTreeMap::from([(atom, 1)]),
            constant: 0,
        }
    }

    /// The atoms of the form.
    pub fn atoms(&self) -> impl Iterator<Item = u32> {
        self.factors.keys().copied()
    }

    /// The constant, if the form has no atoms.
    pub fn as_constant(&self) -> Option<i64> {
        self.factors.is_empty().then_some(self.constant)
    }

    /// The form as an expression.
    pub fn expr(&self, ctx: &Context) -> AffineExpr {
        let mut sum = ctx.affine_const(0);
        for (&atom, &factor) in &self.factors {
            let term = ctx.affine_mul(ctx.affine_dim(atom), ctx.affine_const(factor));
            sum = ctx.affine_add(sum, term);
        }
        ctx.affine_add(sum, ctx.affine_const(self.constant))
    }

    fn add(&mut self, atom: u32, factor: i64) -> Option<()> {
        let sum = self.factor(atom).checked_add(factor)?;
        match sum {
            0 => self.factors.remove(&atom),
            _ => self.factors.insert(atom, sum),
        };
        Some(())
    }

    /// The factor of an atom; 0 if the form lacks it.
    pub fn factor(&self, atom: u32) -> i64 {
        self.factors.get(&atom).copied().unwrap_or(0)
    }

    /// The form times a number; `None` where it exceeds 64 bits.
    pub fn scaled(&self, by: i64) -> Option<LinearForm> {
        if by == 0 {
            return Some(LinearForm::constant(0));
        }
        let factors = self.factors.iter();
        let factors = factors.map(|(&atom, factor)| Some((atom, factor.checked_mul(by)?)));
        Some(LinearForm {
            factors: factors.collect::<Option<_>>()?,
            constant: self.constant.checked_mul(by)?,
        })
    }

    /// The form plus a number; `None` where it exceeds 64 bits.
    pub fn plus_constant(mut self, constant: i64) -> Option<LinearForm> {
        self.constant = self.constant.checked_add(constant)?;
        Some(self)
    }

    /// The sum of two forms; `None` where it exceeds 64 bits.
    pub fn plus(mut self, other: &LinearForm) -> Option<LinearForm> {
        self.constant = self.constant.checked_add(other.constant)?;
        for (&atom, &factor) in &other.factors {
            self.add(atom, factor)?;
        }
        Some(self)
    }

    /// The difference of two forms; `None` where it exceeds 64 bits.
    pub fn minus(self, other: &LinearForm) -> Option<LinearForm> {
        self.plus(&other.scaled(-1)?)
    }

    /// Tightens the constraint `form >= 0` over the integers: divides it by the common factor of
    /// its terms.
    fn tightened(mut self) -> LinearForm {
        let divisor = self
            .factors
            .values()
            .fold(0, |all, &f| gcd(all, f.unsigned_abs()));
        if let Ok(divisor @ 2..) = i64::try_from(divisor) {
            self.factors
                .values_mut()
                .for_each(|factor| *factor /= divisor);
            self.constant = self.constant.div_euclid(divisor);
        }
        self
    }

    /// Whether all terms and the constant are known to be non-negative.
    pub fn is_never_negative(&self, values: &AffineValues) -> bool {
        let is_extent = |&atom: &u32| matches!(values.atom(atom), Atom::Extent(..));
        let mut factors = self.factors.iter();
        self.constant >= 0 && factors.all(|(atom, &factor)| factor > 0 && is_extent(atom))
    }

    /// Whether the form is a negative number, whatever the atoms are.
    pub fn is_always_negative(&self) -> bool {
        self.factors.is_empty() && self.constant < 0
    }

    /// Whether every atom is a value from outside the nest: a data-dependent value of an iteration
    /// is no counter and cannot be eliminated.
    pub fn is_from_outside(&self, values: &AffineValues, root: OpId) -> bool {
        let mut atoms = self.factors.keys();
        atoms.all(|&atom| depth_below(values, root, atom) == 0)
    }

    /// Splits the terms into a sum of the positive ones and a sum of the negative ones, both
    /// without sign; without the constant.
    pub fn sides(&self, ctx: &Context) -> Option<(AffineExpr, AffineExpr)> {
        let side = |sign: i64| {
            let mut sum = ctx.affine_const(0);
            for (&atom, factor) in &self.factors {
                let factor = factor.checked_mul(sign)?;
                if factor > 0 {
                    let term = ctx.affine_mul(ctx.affine_dim(atom), ctx.affine_const(factor));
                    sum = ctx.affine_add(sum, term);
                }
            }
            Some(sum)
        };
        Some((side(1)?, side(-1)?))
    }

    /// Pairs of sums whose difference is the form, the constant included: each term in the first
    /// sum, or with the other sign in the second. Empty for a form of more than `MAX_SPLIT` terms.
    pub fn splits(&self, ctx: &Context) -> Vec<[AffineExpr; 2]> {
        let mut terms: Vec<(AffineExpr, i64)> = (self.factors.iter())
            .map(|(&atom, &factor)| (ctx.affine_dim(atom), factor))
            .collect();
        terms.push((ctx.affine_const(1), self.constant));
        if terms.len() > MAX_SPLIT || terms.iter().any(|&(_, factor)| factor == i64::MIN) {
            return Vec::new();
        }
        let split = |choice: u32| {
            let mut sides = [ctx.affine_const(0); 2];
            for (n, &(term, factor)) in terms.iter().enumerate() {
                let side = (choice >> n & 1) as usize;
                let factor = if side == 0 { factor } else { -factor };
                let term = ctx.affine_mul(term, ctx.affine_const(factor));
                sides[side] = ctx.affine_add(sides[side], term);
            }
            sides
        };
        (0..1 << terms.len()).map(split).collect()
    }
}

/// Limit of the terms of a form that is split.
const MAX_SPLIT: usize = 6;

pub(super) fn gcd(a: u64, b: u64) -> u64 {
    match b {
        0 => a,
        _ => gcd(b, a % b),
    }
}

/// Limit of the steps of one search.
const MAX_STEPS: usize = 200;

/// Limit of the bounds that one search compares.
const MAX_BOUNDS: usize = 8;

/// Elimination system: constraints that hold in the iterations of a nest.
pub struct Elimination {
    /// Forms that are not negative in any iteration.
    known: Vec<LinearForm>,
    /// Nesting depth of each atom that the nest defines.
    inner: BTreeMap<u32, usize>,
}

impl Elimination {
    /// The system of the constraints of an operation below `root`.
    pub fn new(
        values: &AffineValues,
        root: OpId,
        constraints: impl Iterator<Item = Constraint>,
    ) -> Self {
        let mut known = Vec::new();
        // A quotient has a bound if its divisor divides its factor: `2 x - 2 ((i - 2) ceildiv 2) >= 0` gives
        // `2 x - i + 2 >= 0`.
        let above = |expr: AffineExpr, sign: i64| {
            let scaled = || LinearForm::above(values, expr, sign * divisors(values.ctx, expr)?);
            LinearForm::above(values, expr, sign).or_else(scaled)
        };
        for Constraint { expr, is_eq } in constraints {
            if is_eq {
                known.extend(above(expr, -1));
            }
            known.extend(above(expr, 1));
        }
        Self::from_forms(values, root, known)
    }

    /// The system of forms that are not negative in any iteration of the nest `root`.
    pub fn from_forms(values: &AffineValues, root: OpId, known: Vec<LinearForm>) -> Self {
        let mut inner = BTreeMap::new();
        for &atom in known.iter().flat_map(|form| form.factors.keys()) {
            inner
                .entry(atom)
                .or_insert_with(|| depth_below(values, root, atom));
        }
        inner.retain(|_, &mut depth| depth > 0);
        Elimination { known, inner }
    }

    /// Whether the form is proved not negative in all iterations, by any of the bounds found.
    pub fn proves(&self, values: &AffineValues, form: &LinearForm) -> bool {
        let found = self.bounds(form);
        found.iter().any(|bound| bound.is_never_negative(values))
    }

    /// Weakest precondition found: a form over values from outside that, where it is not negative,
    /// proves `form` not negative in all iterations.
    pub fn bound(&self, form: &LinearForm) -> Option<LinearForm> {
        let found = self.bounds(form);
        let first = found.first()?.clone();
        let alike = found
            .into_iter()
            .filter(|other| other.factors == first.factors);
        alike.max_by_key(|other| other.constant)
    }

    /// Forms over values from outside, each of which, where it is not negative, proves `form` not
    /// negative in all iterations.
    fn bounds(&self, form: &LinearForm) -> Vec<LinearForm> {
        let mut search = Search::default();
        self.search(form.clone().tightened(), &mut search);
        search.found
    }

    fn search(&self, form: LinearForm, search: &mut Search) {
        let is_no_better =
            |seen: &LinearForm| seen.factors == form.factors && seen.constant >= form.constant;
        if search.seen.len() == MAX_STEPS
            || search.found.len() == MAX_BOUNDS
            || search.seen.iter().any(is_no_better)
        {
            return;
        }
        search.seen.push(form.clone());
        let counters = form
            .factors
            .keys()
            .filter(|&atom| self.inner.contains_key(atom));
        let Some(&counter) = counters.max_by_key(|&atom| self.inner[atom]) else {
            // A negative constant holds for no sizes.
            if form.constant >= 0 || !form.factors.is_empty() {
                search.found.push(form);
            }
            return;
        };
        let mut next: Vec<LinearForm> = (self.known.iter())
            .filter_map(|known| without(&form, known, counter))
            .collect();
        next.sort_by_key(|form| self.counters_in(form));
        for form in next {
            self.search(form, search);
        }
    }

    fn counters_in(&self, form: &LinearForm) -> usize {
        let atoms = form.factors.keys();
        atoms.filter(|atom| self.inner.contains_key(atom)).count()
    }
}

/// Search for bounds.
#[derive(Default)]
struct Search {
    found: Vec<LinearForm>,
    /// Forms met so far, at most [`MAX_STEPS`]: one that comes back with no greater constant, by way of
    /// another counter, gives no tighter bound.
    seen: Vec<LinearForm>,
}

/// Limit of the product of divisors that a constraint is multiplied by.
const MAX_SCALE: i64 = 1 << 20;

/// The product of the divisors of the quotients in an expression, up to the limit.
fn divisors(ctx: &Context, expr: AffineExpr) -> Option<i64> {
    expr.fold_parts(ctx, &mut |part, operands| {
        let Some((left, right)) = operands else {
            return Some(1i64);
        };
        let own = match part {
            AffineExprKind::Binary(AffineOp::FloorDiv | AffineOp::CeilDiv, _, by) => {
                by.as_constant(ctx)?
            }
            _ => 1,
        };
        let product = left?.checked_mul(right?)?.checked_mul(own)?;
        (1..=MAX_SCALE).contains(&product).then_some(product)
    })
}

/// Elimination step: `|a| form − |c| known`, which is free of the counter; `None` where the signs
/// of its factors differ.
fn without(form: &LinearForm, known: &LinearForm, counter: u32) -> Option<LinearForm> {
    let (c, a) = (form.factor(counter), known.factor(counter));
    if a.signum() != c.signum() {
        return None;
    }
    let less = known.scaled(c.checked_abs()?.checked_neg()?)?;
    Some(form.scaled(a.checked_abs()?)?.plus(&less)?.tightened())
}

/// Depth of an atom's definition in blocks below the operation around `root`; 0 for one
/// that is not defined in the nest.
fn depth_below(values: &AffineValues, root: OpId, number: u32) -> usize {
    let atom = values.atom(number);
    let mut block = values.atom_block(atom);
    if matches!(atom, Atom::Lane(..)) {
        // A lane counts like a loop around its access.
        return usize::MAX;
    }
    let mut depth = 0;
    while let Some(op) = block.and_then(|block| values.body.block_parent_op(block))
        && values.body.is_ancestor(root, op)
    {
        depth += 1;
        block = values.body[op].parent();
    }
    depth
}

#[cfg(test)]
mod tests;
