//! Constraint systems: translates expressions over atoms to integer polyhedra.
//!
//! A dependence question speaks of two instances of the program's iterations
//! at once. Each constraint is therefore stated for an instance; atoms that
//! both instances share get one column, the others one for each instance:
//!
//! ```text
//!   atoms in order of first use (instance 0 and 1) | locals for quotients | constant
//! ```

use gridloom_ir::AffineExpr;
use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::hash::FxHashMap;
use gridloom_presburger::{Affine, Answer, Error, IntegerPolyhedron, Space, ValueRange};

use super::budget::Work;
use super::domain::Constraint;
use super::values::{AffineValues, Atom};

/// Instance of a question, which compares two.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Instance {
    /// The earlier instance, where there is an order.
    First,
    /// The later instance.
    Second,
}

/// A linear combination of expressions, each for its instance:
/// `Σ factor · expr@instance + constant`.
#[derive(Clone, Debug, Default)]
pub struct Combination {
    terms: Vec<(i64, AffineExpr, Instance)>,
    constant: i64,
}

impl Combination {
    /// `expr@instance`
    pub fn of(expr: AffineExpr, instance: Instance) -> Self {
        Combination {
            terms: vec![(1, expr, instance)],
            constant: 0,
        }
    }

    /// Adds `factor · expr@instance`.
    #[must_use]
    pub fn plus(mut self, factor: i64, expr: AffineExpr, instance: Instance) -> Self {
        self.terms.push((factor, expr, instance));
        self
    }

    /// Adds a constant.
    #[must_use]
    pub fn offset(mut self, constant: i64) -> Self {
        self.constant += constant;
        self
    }
}

/// Builder of a conjunction of constraints on the two instances.
#[derive(Clone, Debug, Default)]
pub struct Statements {
    list: Vec<(Combination, bool)>,
}

impl Statements {
    /// The empty conjunction, true everywhere.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `combination == 0`.
    pub fn equal(&mut self, combination: Combination) {
        self.list.push((combination, true));
    }

    /// Adds `combination >= 0`.
    pub fn at_least_zero(&mut self, combination: Combination) {
        self.list.push((combination, false));
    }

    /// Adds constraints for one instance.
    pub fn add_all(&mut self, constraints: &[Constraint], instance: Instance) {
        for constraint in constraints {
            let combination = Combination::of(constraint.expr, instance);
            self.list.push((combination, constraint.is_eq));
        }
    }

    /// Adds the constraints of another conjunction.
    pub fn append(&mut self, other: &Statements) {
        self.list.extend_from_slice(&other.list);
    }

    /// Builds the polyhedron of the conjunction. `shared` says which atoms have the same value in
    /// both instances. Constraints that are not affine, or too large, are left out, which can only
    /// enlarge the polyhedron.
    pub fn solve(
        &self,
        values: &AffineValues,
        shared: impl Fn(&AffineValues, Atom) -> bool,
        observed: &[Combination],
    ) -> System {
        let mut columns = Columns::default();
        let combinations = self.list.iter().map(|(c, _)| c).chain(observed);
        for combination in combinations {
            for &(_, expr, instance) in &combination.terms {
                columns.add(values, expr, instance, &shared);
            }
        }
        let mut poly = IntegerPolyhedron::universe(Space::new(columns.atoms.len(), 0));
        let mut complete = true;
        for (column, &atom) in columns.atoms.iter().enumerate() {
            if matches!(values.atom(atom), Atom::Extent(..)) {
                complete &= poly.add_inequality(&Affine::var(column)).is_ok();
            }
        }
        for (combination, is_eq) in &self.list {
            // An expression may have added quotients before it turned out not to be affine. They
            // constrain no other columns, so they may stay.
            let added = columns
                .form(values, combination, &mut poly)
                .and_then(|form| {
                    match is_eq {
                        true => poly.add_equality(&form),
                        false => poly.add_inequality(&form),
                    }
                    .map_err(NotAffine::from)
                });
            complete &= added.is_ok();
        }
        let observed = observed
            .iter()
            .map(|c| columns.form(values, c, &mut poly).ok());
        let observed = observed.collect();
        System {
            poly,
            observed,
            complete,
            columns,
        }
    }
}

/// The polyhedron of a conjunction.
pub struct System {
    /// The constraints; a superset of the stated conjunction where some were left out.
    pub poly: IntegerPolyhedron,
    /// The affine forms of the observed combinations; `None` for one that is not affine.
    pub observed: Vec<Option<Affine>>,
    /// Whether the polyhedron holds every stated constraint.
    pub complete: bool,
    columns: Columns,
}

impl System {
    /// Whether the system has no integer point, within the remaining budget.
    pub fn is_empty(&self, work: &mut Work) -> Answer {
        match work.emptiness(&self.poly).answer() {
            // A point of the superset need not lie in the stated set.
            Answer::No if !self.complete => Answer::Unknown,
            answer => answer,
        }
    }

    /// The range of an observed combination, within the remaining budget.
    pub fn range(&self, number: usize, work: &mut Work) -> ValueRange {
        match self.observed.get(number) {
            Some(Some(form)) => work.range(&self.poly, form),
            _ => ValueRange::UNKNOWN,
        }
    }

    /// The atoms that the constraints mention.
    pub fn atoms(&self) -> &[u32] {
        &self.columns.atoms
    }

    /// The atom of a column; `None` for a local or the constant.
    pub fn atom_in(&self, column: usize) -> Option<u32> {
        self.columns.atoms.get(column).copied()
    }

    /// The column of an atom in an instance, if a constraint mentions it.
    pub fn column_of(&self, atom: u32, instance: Instance) -> Option<usize> {
        self.columns.numbers.get(&(atom, instance)).copied()
    }

    /// The columns of all atoms.
    pub fn atom_columns(&self) -> std::ops::Range<usize> {
        0..self.columns.atoms.len()
    }
}

/// Error: the expression is not a linear form with quotients by constants, or a coefficient is too
/// large.
struct NotAffine;

impl From<Error> for NotAffine {
    fn from(_: Error) -> Self {
        NotAffine
    }
}

/// Depth limit of expressions; deeper ones are [`NotAffine`].
const MAX_DEPTH: usize = 200;

/// Limit of the quotients in a system; with more, an expression is [`NotAffine`]. Each quotient is
/// a variable, and solvers take more than linear time.
const MAX_QUOTIENTS: usize = 40;

#[derive(Default)]
struct Columns {
    /// Atom of each column.
    atoms: Vec<u32>,
    /// Column by atom and instance; a shared atom has one entry for each instance.
    numbers: FxHashMap<(u32, Instance), usize>,
    /// Memo of the affine forms of expressions.
    forms: FxHashMap<(AffineExpr, Instance), Option<Affine>>,
    /// Value numbering of quotients: equal quotients share one local.
    quotients: FxHashMap<(Affine, i64), Affine>,
}

/// Size limit of expressions that the memo leaves out: they are faster computed anew.
const SMALL_TREE: u32 = 8;

impl Columns {
    fn add(
        &mut self,
        values: &AffineValues,
        expr: AffineExpr,
        instance: Instance,
        shared: &impl Fn(&AffineValues, Atom) -> bool,
    ) {
        let mut atoms = Vec::new();
        values.atoms_in(expr, &mut atoms);
        for atom in atoms {
            if self.numbers.contains_key(&(atom, instance)) {
                continue;
            }
            let column = self.atoms.len();
            self.atoms.push(atom);
            self.numbers.insert((atom, instance), column);
            if shared(values, values.atom(atom)) {
                self.numbers.insert((atom, Instance::First), column);
                self.numbers.insert((atom, Instance::Second), column);
            }
        }
    }

    fn form(
        &mut self,
        values: &AffineValues,
        combination: &Combination,
        poly: &mut IntegerPolyhedron,
    ) -> Result<Affine, NotAffine> {
        let mut sum = Affine::constant(combination.constant);
        for &(factor, expr, instance) in &combination.terms {
            self.accumulate(values, (factor, expr, instance), poly, &mut sum, 0)?;
        }
        Ok(sum)
    }

    /// Adds `factor · expr`, as an affine form over the columns, to a form. Sums add their terms one by one: a form
    /// for each partial sum would make most of the work.
    fn accumulate(
        &mut self,
        values: &AffineValues,
        (factor, expr, instance): (i64, AffineExpr, Instance),
        poly: &mut IntegerPolyhedron,
        sum: &mut Affine,
        depth: usize,
    ) -> Result<(), NotAffine> {
        if expr.tree_size(values.ctx) > SMALL_TREE {
            let form = self.expr_form(values, expr, instance, poly, depth)?;
            return Ok(sum.add_scaled(factor, &form)?);
        }
        self.accumulate_parts(values, (factor, expr, instance), poly, sum, depth)
    }

    /// Affine form of an expression over the columns, memoized.
    fn expr_form(
        &mut self,
        values: &AffineValues,
        expr: AffineExpr,
        instance: Instance,
        poly: &mut IntegerPolyhedron,
        depth: usize,
    ) -> Result<Affine, NotAffine> {
        let is_small = expr.tree_size(values.ctx) <= SMALL_TREE;
        if !is_small && let Some(known) = self.forms.get(&(expr, instance)) {
            return known.clone().ok_or(NotAffine);
        }
        let mut form = Affine::default();
        let added = self.accumulate_parts(values, (1, expr, instance), poly, &mut form, depth);
        if !is_small {
            let known = added.is_ok().then(|| form.clone());
            self.forms.insert((expr, instance), known);
        }
        added.map(|()| form)
    }

    fn accumulate_parts(
        &mut self,
        values: &AffineValues,
        (factor, expr, instance): (i64, AffineExpr, Instance),
        poly: &mut IntegerPolyhedron,
        sum: &mut Affine,
        depth: usize,
    ) -> Result<(), NotAffine> {
        let ctx = values.ctx;
        if depth > MAX_DEPTH {
            return Err(NotAffine);
        }
        let (op, l, r) = match expr.kind(ctx) {
            AffineExprKind::Constant(value) => {
                return Ok(sum.add_scaled(factor, &Affine::constant(value))?);
            }
            AffineExprKind::Dim(atom) => {
                let &column = self.numbers.get(&(atom, instance)).ok_or(NotAffine)?;
                return Ok(sum.add_term(factor, column)?);
            }
            AffineExprKind::Symbol(_) => return Err(NotAffine),
            AffineExprKind::Binary(op, l, r) => (op, l, r),
        };
        if op == AffineOp::Add {
            self.accumulate(values, (factor, l, instance), poly, sum, depth + 1)?;
            return self.accumulate(values, (factor, r, instance), poly, sum, depth + 1);
        }
        let by = r.as_constant(ctx).ok_or(NotAffine)?;
        if op == AffineOp::Mul {
            let factor = factor.checked_mul(by).ok_or(NotAffine)?;
            return self.accumulate(values, (factor, l, instance), poly, sum, depth + 1);
        }
        let left = self.expr_form(values, l, instance, poly, depth + 1)?;
        let form = match op {
            AffineOp::Mod => {
                let quotient = self.quotient(poly, &left, by)?;
                left.minus(&quotient.scaled(by)?)?
            }
            AffineOp::CeilDiv if by < 1 => return Err(NotAffine),
            AffineOp::CeilDiv => self.quotient(poly, &left.offset(by - 1)?, by)?,
            _ => self.quotient(poly, &left, by)?,
        };
        Ok(sum.add_scaled(factor, &form)?)
    }

    /// Affine form of `numerator floordiv divisor`: one local, shared by all equal quotients.
    fn quotient(
        &mut self,
        poly: &mut IntegerPolyhedron,
        numerator: &Affine,
        divisor: i64,
    ) -> Result<Affine, NotAffine> {
        let key = (numerator.clone(), divisor);
        if let Some(known) = self.quotients.get(&key) {
            return Ok(known.clone());
        }
        if self.quotients.len() >= MAX_QUOTIENTS {
            return Err(NotAffine);
        }
        let quotient = poly.floordiv(numerator, divisor)?;
        self.quotients.insert(key, quotient.clone());
        Ok(quotient)
    }
}
