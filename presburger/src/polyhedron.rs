//! Conjunctions of affine equalities and inequalities over the integers.

use std::ops::Range;

use crate::affine::Affine;
use crate::answer::Answer;
use crate::error::Error;
use crate::row::{self, Overflow, Row};
use crate::space::{Space, VarKind};

impl From<Overflow> for Error {
    fn from(Overflow: Overflow) -> Self {
        Self::Overflow
    }
}

/// The integer points that satisfy every equality `row · (x, 1) = 0` and every
/// inequality `row · (x, 1) >= 0`.
///
/// Rows have the columns of the polyhedron's [`Space`]:
///
/// ```text
///   dims | symbols | locals | constant
/// ```
///
/// Locals are existentially quantified: a point is an assignment to dims and
/// symbols, and it is in the polyhedron if *some* integers for the locals satisfy
/// the rows. Emptiness asks for some values of the symbols, too: a set that is
/// empty for all sizes but one is not empty.
///
/// Adding constraints only records them; [`simplify`](Self::simplify) tightens them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IntegerPolyhedron {
    space: Space,
    equalities: Vec<Row>,
    inequalities: Vec<Row>,
}

/// A row whose entries can be negated.
fn checked(row: Row) -> Result<Row, Error> {
    match row.contains(&i64::MIN) {
        true => Err(Error::Overflow),
        false => Ok(row),
    }
}

impl IntegerPolyhedron {
    /// All points of a space.
    pub fn universe(space: Space) -> Self {
        Self {
            space,
            equalities: Vec::new(),
            inequalities: Vec::new(),
        }
    }

    /// No point of a space.
    pub fn empty(space: Space) -> Self {
        let mut row = vec![0; space.columns()];
        row[space.vars()] = -1;
        Self {
            space,
            equalities: Vec::new(),
            inequalities: vec![row],
        }
    }

    pub(crate) fn from_rows(space: Space, equalities: Vec<Row>, inequalities: Vec<Row>) -> Self {
        debug_assert!(
            equalities
                .iter()
                .chain(&inequalities)
                .all(|row| row.len() == space.columns())
        );
        Self {
            space,
            equalities,
            inequalities,
        }
    }

    /// The variables.
    pub fn space(&self) -> Space {
        self.space
    }

    /// The rows of the equalities.
    pub fn equalities(&self) -> impl ExactSizeIterator<Item = &[i64]> {
        self.equalities.iter().map(Vec::as_slice)
    }

    /// The rows of the inequalities.
    pub fn inequalities(&self) -> impl ExactSizeIterator<Item = &[i64]> {
        self.inequalities.iter().map(Vec::as_slice)
    }

    /// Whether there is no constraint at all.
    pub fn is_universe(&self) -> bool {
        self.equalities.is_empty() && self.inequalities.is_empty()
    }

    /// Adds `form = 0`.
    ///
    /// # Errors
    /// [`Error::Overflow`] if a coefficient is `i64::MIN`, whose negation does not fit.
    ///
    /// # Panics
    /// If the form uses a column that is not in the space.
    pub fn add_equality(&mut self, form: &Affine) -> Result<(), Error> {
        let row = checked(form.to_row(self.space.columns()))?;
        self.equalities.push(row);
        Ok(())
    }

    /// Adds `form >= 0`.
    ///
    /// # Errors
    /// As [`add_equality`](Self::add_equality).
    ///
    /// # Panics
    /// As [`add_equality`](Self::add_equality).
    pub fn add_inequality(&mut self, form: &Affine) -> Result<(), Error> {
        let row = checked(form.to_row(self.space.columns()))?;
        self.inequalities.push(row);
        Ok(())
    }

    /// Adds `row · (x, 1) = 0`.
    ///
    /// # Errors
    /// As [`add_equality`](Self::add_equality).
    ///
    /// # Panics
    /// If the row's length is not the number of columns.
    pub fn add_equality_row(&mut self, row: &[i64]) -> Result<(), Error> {
        let row = self.checked_row(row)?;
        self.equalities.push(row);
        Ok(())
    }

    /// Adds `row · (x, 1) >= 0`.
    ///
    /// # Errors
    /// As [`add_equality`](Self::add_equality).
    ///
    /// # Panics
    /// If the row's length is not the number of columns.
    pub fn add_inequality_row(&mut self, row: &[i64]) -> Result<(), Error> {
        let row = self.checked_row(row)?;
        self.inequalities.push(row);
        Ok(())
    }

    fn checked_row(&self, row: &[i64]) -> Result<Row, Error> {
        assert_eq!(
            row.len(),
            self.space.columns(),
            "a row has one entry a column"
        );
        checked(row.to_vec())
    }

    /// Adds `left = right`.
    ///
    /// # Errors
    /// [`Error::Overflow`].
    pub fn add_eq(&mut self, left: &Affine, right: &Affine) -> Result<(), Error> {
        self.add_equality(&left.minus(right)?)
    }

    /// Adds `left <= right`.
    ///
    /// # Errors
    /// [`Error::Overflow`].
    pub fn add_le(&mut self, left: &Affine, right: &Affine) -> Result<(), Error> {
        self.add_inequality(&right.minus(left)?)
    }

    /// Adds `left < right`, that is `left + 1 <= right`.
    ///
    /// # Errors
    /// [`Error::Overflow`].
    pub fn add_lt(&mut self, left: &Affine, right: &Affine) -> Result<(), Error> {
        self.add_inequality(&right.minus(left)?.offset(-1)?)
    }

    /// Adds `lower <= form < upper`, as loops and array extents have it.
    ///
    /// # Errors
    /// [`Error::Overflow`].
    pub fn add_half_open(
        &mut self,
        lower: &Affine,
        form: &Affine,
        upper: &Affine,
    ) -> Result<(), Error> {
        self.add_le(lower, form)?;
        self.add_lt(form, upper)
    }

    /// Adds `variable = value`.
    ///
    /// # Errors
    /// [`Error::Overflow`] for a value of `i64::MIN`.
    ///
    /// # Panics
    /// If the column is not a variable's.
    pub fn fix(&mut self, column: usize, value: i64) -> Result<(), Error> {
        self.add_eq(&Affine::var(column), &Affine::constant(value))
    }

    /// Whether a point, given as dims then symbols, is in the polyhedron.
    ///
    /// # Panics
    /// If the point has another number of coordinates.
    pub fn contains(&self, point: &[i64]) -> Answer {
        assert_eq!(
            point.len(),
            self.space.dims() + self.space.symbols(),
            "a point gives every dim and every symbol a value"
        );
        if self.space.locals() == 0 {
            return self.holds_at(point);
        }
        let mut slice = self.clone();
        for (column, &value) in point.iter().enumerate() {
            if slice.fix(column, value).is_err() {
                return Answer::Unknown;
            }
        }
        match slice.emptiness().answer() {
            Answer::Yes => Answer::No,
            Answer::No => Answer::Yes,
            Answer::Unknown => Answer::Unknown,
        }
    }

    /// Intersects two polyhedra. The locals of `other` come after one's own.
    ///
    /// # Panics
    /// If the two have different numbers of dims or symbols.
    pub fn intersect(&self, other: &Self) -> Self {
        assert!(
            self.space.matches(&other.space),
            "sets to intersect have the same dims and symbols"
        );
        let space = self
            .space
            .with_locals(self.space.locals() + other.space.locals());
        let outer = self.space.dims() + self.space.symbols();
        let shifted: Vec<usize> = (0..outer)
            .chain((0..other.space.locals()).map(|local| self.space.vars() + local))
            .collect();
        let identity: Vec<usize> = (0..self.space.vars()).collect();
        let mut result = self.remapped(space, &identity);
        let other = other.remapped(space, &shifted);
        result.equalities.extend(other.equalities);
        result.inequalities.extend(other.inequalities);
        result
    }

    /// Cartesian product: the points `(x, y)` with `x` in the one and `y` in the other; symbols are
    /// shared.
    ///
    /// # Panics
    /// If the two have different numbers of symbols.
    pub fn product(&self, other: &Self) -> Self {
        assert_eq!(
            self.space.symbols(),
            other.space.symbols(),
            "the factors of a product share their symbols"
        );
        let dims = self.space.dims() + other.space.dims();
        let space = Space::new(dims, self.space.symbols());
        let lift = |factor: &Self, first: usize| {
            let locals = factor.space.locals();
            let columns: Vec<usize> = (first..first + factor.space.dims())
                .chain(dims..dims + space.symbols() + locals)
                .collect();
            factor.remapped(space.with_locals(locals), &columns)
        };
        lift(self, 0).intersect(&lift(other, self.space.dims()))
    }

    /// Renames columns: the variable in column `i` moves to column `columns[i]` of `space`. Two
    /// variables may meet in one column, which makes them equal; new columns not named are
    /// unconstrained.
    ///
    /// This is renaming, permutation, insertion and a change of kind in one. Turning
    /// a dim into a local is an exact projection.
    ///
    /// # Errors
    /// [`Error::Overflow`], possible only where variables meet.
    ///
    /// # Panics
    /// If `columns` does not name a variable of `space` for each variable.
    pub fn remap(&self, space: Space, columns: &[usize]) -> Result<Self, Error> {
        assert_eq!(columns.len(), self.space.vars());
        assert!(columns.iter().all(|&column| column < space.vars()));
        let lift = |row: &Row| -> Result<Row, Error> {
            let mut lifted = vec![0_i64; space.columns()];
            lifted[space.vars()] = row::constant(row);
            for (&column, &entry) in columns.iter().zip(row::coefficients(row)) {
                let sum = i128::from(lifted[column]) + i128::from(entry);
                lifted[column] = row::narrow(sum)?;
            }
            Ok(lifted)
        };
        Ok(Self {
            space,
            equalities: self.equalities.iter().map(lift).collect::<Result<_, _>>()?,
            inequalities: self
                .inequalities
                .iter()
                .map(lift)
                .collect::<Result<_, _>>()?,
        })
    }

    /// [`remap`](Self::remap) to columns that all differ, where no sum can overflow.
    pub(crate) fn remapped(&self, space: Space, columns: &[usize]) -> Self {
        debug_assert_eq!(columns.len(), self.space.vars());
        let lift = |row: &Row| {
            let mut lifted = vec![0; space.columns()];
            lifted[space.vars()] = row::constant(row);
            for (&column, &entry) in columns.iter().zip(row::coefficients(row)) {
                lifted[column] = entry;
            }
            lifted
        };
        Self {
            space,
            equalities: self.equalities.iter().map(lift).collect(),
            inequalities: self.inequalities.iter().map(lift).collect(),
        }
    }

    /// Inserts `count` unconstrained variables of a kind before number `at` of that kind.
    ///
    /// # Panics
    /// If there are fewer than `at` variables of that kind.
    #[must_use]
    pub fn with_inserted(&self, kind: VarKind, at: usize, count: usize) -> Self {
        assert!(at <= self.space.count(kind));
        let first = self.space.range(kind).start + at;
        let columns: Vec<usize> = (0..self.space.vars())
            .map(|column| column + if column < first { 0 } else { count })
            .collect();
        self.remapped(self.space.grown(kind, count), &columns)
    }

    /// Appends an unconstrained local and returns its column. No other column moves.
    pub fn append_local(&mut self) -> usize {
        let column = self.space.vars();
        *self = self.with_inserted(VarKind::Local, self.space.locals(), 1);
        column
    }

    /// Projects the dims `range` out exactly, by turning them into locals.
    ///
    /// # Panics
    /// If the range goes beyond the dims.
    #[must_use]
    pub fn project_out_dims(&self, range: Range<usize>) -> Self {
        assert!(range.start <= range.end && range.end <= self.space.dims());
        let count = range.len();
        let outer = self.space.dims() + self.space.symbols();
        let space = Space::new(self.space.dims() - count, self.space.symbols())
            .with_locals(self.space.locals() + count);
        let columns: Vec<usize> = (0..self.space.vars())
            .map(|column| {
                if range.contains(&column) {
                    outer - count + (column - range.start)
                } else if column >= range.end && column < outer {
                    column - count
                } else {
                    column
                }
            })
            .collect();
        self.remapped(space, &columns)
    }

    /// Turns all symbols into dims that follow the dims. A set with symbols is a relation from
    /// sizes to points; this converts the one view to the other.
    #[must_use]
    pub fn symbols_as_dims(&self) -> Self {
        let space = Space::new(self.space.dims() + self.space.symbols(), 0)
            .with_locals(self.space.locals());
        Self {
            space,
            ..self.clone()
        }
    }

    /// Substitutes a form for a variable, which then occurs in no constraint. The column stays; the
    /// form must not use it.
    ///
    /// # Errors
    /// [`Error::Overflow`]; the polyhedron is then unchanged.
    ///
    /// # Panics
    /// If the form uses the variable itself or a column not in the space.
    pub fn substitute(&mut self, column: usize, form: &Affine) -> Result<(), Error> {
        assert_eq!(form.coefficient(column), 0, "a form in its own variable");
        let form = form.to_row(self.space.columns());
        let replaced = |row: &Row| -> Result<Row, Overflow> {
            let factor = i128::from(row[column]);
            let mut row = row.clone();
            row[column] = 0;
            for (entry, &term) in row.iter_mut().zip(&form) {
                *entry = row::narrow(i128::from(*entry) + factor * i128::from(term))?;
            }
            Ok(row)
        };
        let equalities = self.equalities.iter().map(replaced);
        let equalities = equalities.collect::<Result<_, _>>()?;
        let inequalities = self.inequalities.iter().map(replaced);
        self.inequalities = inequalities.collect::<Result<_, _>>()?;
        self.equalities = equalities;
        Ok(())
    }

    /// Removes locals that occur in no constraint.
    pub(crate) fn without_unused_locals(&self) -> Self {
        let locals = self.space.range(VarKind::Local);
        let used = |column: usize| {
            self.equalities
                .iter()
                .chain(&self.inequalities)
                .any(|row| row[column] != 0)
        };
        let keep: Vec<usize> = (0..self.space.vars())
            .filter(|&column| !locals.contains(&column) || used(column))
            .collect();
        if keep.len() == self.space.vars() {
            return self.clone();
        }
        let kept_locals = keep.len() - self.space.dims() - self.space.symbols();
        self.restricted_to(self.space.with_locals(kept_locals), &keep)
    }

    /// Keeps the columns `keep`, in that order; every other column must be unused.
    pub(crate) fn restricted_to(&self, space: Space, keep: &[usize]) -> Self {
        debug_assert_eq!(space.vars(), keep.len());
        let cut = |row: &Row| {
            keep.iter()
                .map(|&column| row[column])
                .chain([row::constant(row)])
                .collect()
        };
        Self {
            space,
            equalities: self.equalities.iter().map(cut).collect(),
            inequalities: self.inequalities.iter().map(cut).collect(),
        }
    }
}
