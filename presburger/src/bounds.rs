//! Bounds of variables and affine forms: constants, and forms in outer variables.

use crate::affine::Affine;
use crate::division::Division;
use crate::eliminate::Projection;
use crate::emptiness::{Budget, Emptiness};
use crate::polyhedron::IntegerPolyhedron;
use crate::row::{self, Row};
use crate::solver::simplex::{Optimum, Simplex};
use crate::solver::{Meter, Stop};
use crate::space::VarKind;

/// Range of a form over a polyhedron.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueRange {
    /// No value: the polyhedron is proved empty.
    Empty,
    /// Every value lies between the two, ends included. This holds whatever `exact` says.
    Between {
        /// The least value; `None` if no lower bound is known.
        lower: Option<i64>,
        /// The greatest value; `None` if no upper bound is known.
        upper: Option<i64>,
        /// Whether both ends are values of the form, and a missing end means that
        /// the values go on for ever. Otherwise the range may be too wide.
        exact: bool,
    },
}

impl ValueRange {
    /// The range without any bound, for a form about which nothing is known.
    pub const UNKNOWN: Self = Self::Between {
        lower: None,
        upper: None,
        exact: false,
    };

    /// The ends that are values of the form: none unless the range is exact.
    pub fn exact_ends(&self) -> (Option<i64>, Option<i64>) {
        match *self {
            ValueRange::Between {
                lower,
                upper,
                exact: true,
            } => (lower, upper),
            _ => (None, None),
        }
    }

    /// The lower end, if there is one.
    pub fn lower(&self) -> Option<i64> {
        match self {
            Self::Empty => None,
            Self::Between { lower, .. } => *lower,
        }
    }

    /// The upper end, if there is one.
    pub fn upper(&self) -> Option<i64> {
        match self {
            Self::Empty => None,
            Self::Between { upper, .. } => *upper,
        }
    }

    /// The smallest range that holds both.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        match (self, other) {
            (Self::Empty, range) | (range, Self::Empty) => range,
            (
                Self::Between {
                    lower,
                    upper,
                    exact,
                },
                Self::Between {
                    lower: other_lower,
                    upper: other_upper,
                    exact: other_exact,
                },
            ) => Self::Between {
                lower: lower.zip(other_lower).map(|(x, y)| x.min(y)),
                upper: upper.zip(other_upper).map(|(x, y)| x.max(y)),
                exact: exact && other_exact,
            },
        }
    }

    /// The only value of the form, if the range has just one.
    pub fn single(&self) -> Option<i64> {
        self.lower().filter(|&value| self.upper() == Some(value))
    }
}

/// Bounds of a variable as forms in the other variables:
/// `max(ceil(lowers)) <= x <= min(floor(uppers))`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VarBounds {
    /// The lower bounds, each `numerator ceildiv divisor`. None: not bounded below.
    pub lowers: Vec<Division>,
    /// The upper bounds, each `numerator floordiv divisor`, included. None: not bounded above.
    pub uppers: Vec<Division>,
}

/// Loops that visit the points of a polyhedron in lexicographic order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scan {
    /// The bounds of each dim, as forms in the dims before it and the symbols, over the columns of
    /// the polyhedron's own space.
    pub bounds: Vec<VarBounds>,
    /// Guard: what must hold of the symbols, over a space without dims, before any loop is entered.
    pub guard: IntegerPolyhedron,
    /// Whether no point outside the polyhedron is visited.
    pub exact: bool,
}

/// Budget of emptiness tests for moving a rational bound to an integer point.
const MAX_PROBES: usize = 80;

impl IntegerPolyhedron {
    /// The least and the greatest value of a form over all integer points, for any
    /// values of the symbols: the distance `i' - i` of a dependence, the extent of
    /// an index.
    ///
    /// ```
    /// use gridloom_presburger::{Affine, IntegerPolyhedron, Space, ValueRange};
    ///
    /// // d1 = 2*d0 with 0 <= d1 <= 9: d0 goes from 0 to 4, and 5*d0 - d1 to 12.
    /// let mut set = IntegerPolyhedron::universe(Space::new(2, 0));
    /// set.add_equality_row(&[2, -1, 0])?;
    /// set.add_half_open(&Affine::constant(0), &Affine::var(1), &Affine::constant(10))?;
    /// let form = Affine::from_parts(vec![5, -1], 0);
    /// let expected = ValueRange::Between { lower: Some(0), upper: Some(12), exact: true };
    /// assert_eq!(set.range_of(&form), expected);
    /// # Ok::<(), gridloom_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If the form uses a column that is not in the space.
    pub fn range_of(&self, form: &Affine) -> ValueRange {
        self.range_of_within(form, Budget::default())
    }

    /// [`range_of`](Self::range_of) with a budget of the caller's for each of the emptiness tests
    /// it makes.
    ///
    /// # Panics
    /// If the form uses a column that is not in the space.
    pub fn range_of_within(&self, form: &Affine, budget: Budget) -> ValueRange {
        let attained = match self.emptiness_within(budget) {
            Emptiness::Empty => return ValueRange::Empty,
            Emptiness::NonEmpty(point) => form.value_at(&point).ok(),
            Emptiness::Unknown => None,
        };
        let Ok(turned) = form.scaled(-1) else {
            return ValueRange::UNKNOWN;
        };
        let below = self.least(form, attained, budget);
        let above = self.least(&turned, attained.and_then(i64::checked_neg), budget);
        let upper = above.value.and_then(i64::checked_neg);
        ValueRange::Between {
            lower: below.value,
            upper,
            // An end whose negation does not fit is no end any more.
            exact: below.exact && above.exact && upper.is_some() == above.value.is_some(),
        }
    }

    /// Finds the least value of a form; `attained` is one of its values, if any is known.
    ///
    /// The rational minimum, rounded up, is a lower bound already, and mostly attained. If it is
    /// not, the search closes in on the minimum between it and an attained value, by testing
    /// whether the form can be as small as some value in between.
    fn least(&self, form: &Affine, attained: Option<i64>, budget: Budget) -> End {
        let row = form.to_row(self.space().columns());
        let mut lower = match self.rational_minimum(&row, &mut Meter::new(budget.steps)) {
            Ok(Some(value)) => value,
            // A rational direction, multiplied up, is an integer one.
            Ok(None) => return End::open(attained.is_some()),
            Err(_) => return End::open(false),
        };
        let Some(mut attained) = attained else {
            return End::at(lower, false);
        };
        let mut step: i64 = 1;
        for _ in 0..MAX_PROBES {
            if lower >= attained {
                return End::at(attained, true);
            }
            let middle = lower.saturating_add(attained.saturating_sub(lower) / 2);
            let probe = lower.saturating_add(step - 1).min(middle);
            let mut slice = self.clone();
            if slice.add_le(form, &Affine::constant(probe)).is_err() {
                break;
            }
            match slice.emptiness_within(budget) {
                Emptiness::Empty => lower = probe.saturating_add(1),
                Emptiness::NonEmpty(point) => match form.value_at(&point) {
                    Ok(value) => attained = value,
                    Err(_) => break,
                },
                Emptiness::Unknown => break,
            }
            step = step.saturating_mul(2);
        }
        End::at(lower, lower >= attained)
    }

    /// Minimises a row over the rational points and rounds up; `None` if it is unbounded.
    fn rational_minimum(&self, form: &Row, meter: &mut Meter) -> Result<Option<i64>, Stop> {
        if form.contains(&i64::MIN) {
            return Err(Stop::Overflow);
        }
        let mut simplex = Simplex::new(self.space().vars());
        for row in self.equalities() {
            if !simplex.add_equality(row, meter)? {
                return Ok(None);
            }
        }
        for row in self.inequalities() {
            if !simplex.add_inequality(row, meter)? {
                return Ok(None);
            }
        }
        Ok(match simplex.minimum(form, meter)? {
            Optimum::Unbounded => None,
            Optimum::Value(numerator, denominator) => {
                let bound = row::ceil_div(numerator.into(), denominator.into());
                Some(row::narrow(bound)?)
            }
        })
    }

    /// Bounding box: the range of each dim and symbol, in column order; `None` if the polyhedron is
    /// proved empty. Each side is the smallest possible if it is exact.
    ///
    /// ```
    /// use gridloom_presburger::{IntegerPolyhedron, Space};
    ///
    /// // 0 <= d1, 2*d1 <= d0 <= 7
    /// let mut set = IntegerPolyhedron::universe(Space::new(2, 0));
    /// for row in [[0, 1, 0], [1, -2, 0], [-1, 0, 7]] {
    ///     set.add_inequality_row(&row)?;
    /// }
    /// let sides = set.bounding_box().expect("not empty");
    /// let ends: Vec<_> = sides.iter().map(|side| side.exact_ends()).collect();
    /// assert_eq!(ends, [(Some(0), Some(7)), (Some(0), Some(3))]);
    /// # Ok::<(), gridloom_presburger::Error>(())
    /// ```
    pub fn bounding_box(&self) -> Option<Vec<ValueRange>> {
        let outer = self.space().dims() + self.space().symbols();
        if self.is_empty() {
            return None;
        }
        let sides = (0..outer).map(|column| self.range_of(&Affine::var(column)));
        Some(sides.collect())
    }

    /// Parametric bounds of a dim: forms in the symbols, over a space without dims, that hold for
    /// all points. They are those of the rational hull, so an end need not be a value of the dim.
    ///
    /// # Panics
    /// If there is no such dim.
    pub fn dim_bounds(&self, dim: usize) -> VarBounds {
        let column = self.space().dim(dim);
        let others = (0..self.space().dims()).filter(|&other| other != column);
        let to_eliminate: Vec<usize> = others.chain(self.space().range(VarKind::Local)).collect();
        let alone = self.eliminate(&to_eliminate).set.simplify();
        let mut bounds = alone.var_bounds(0);
        for bound in bounds.lowers.iter_mut().chain(&mut bounds.uppers) {
            let entries = bound.numerator.coefficients().iter().skip(1);
            bound.numerator =
                Affine::from_parts(entries.copied().collect(), bound.numerator.constant_term());
        }
        bounds
    }

    /// The bounds that the constraints put on a variable directly. Bounds that only
    /// follow when other variables are eliminated are not among them.
    ///
    /// An equality `a·x = e` gives both a lower and an upper bound.
    ///
    /// # Panics
    /// If the column is not a variable's.
    pub fn var_bounds(&self, column: usize) -> VarBounds {
        let mut bounds = VarBounds::default();
        for row in self.equalities() {
            if row[column] != 0 {
                bounds.add(row.to_vec(), column);
                bounds.add(row::negated(row), column);
            }
        }
        for row in self.inequalities() {
            if row[column] != 0 {
                bounds.add(row.to_vec(), column);
            }
        }
        bounds
    }

    /// Bounds for a nest of loops, dim 0 outermost, that visits each point once.
    ///
    /// An outer loop may have iterations in which the inner ones have none; only
    /// locals that cannot be eliminated exactly make the scan visit too much, and
    /// `exact` tells.
    pub fn scan(&self) -> Scan {
        let Projection { set, exact } = self.eliminate_locals();
        let mut rest = set.simplify();
        let dims = self.space().dims();
        let symbols = self.space().symbols();
        let mut bounds = Vec::with_capacity(dims);
        for dim in (0..dims).rev() {
            let mut found = rest.var_bounds(dim);
            // Dims already eliminated have no column any more; symbols move back to theirs.
            found.shift_columns(dim + 1..dim + 1 + symbols, dims - dim - 1);
            bounds.push(found);
            rest = rest.eliminate(&[dim]).set.simplify();
        }
        bounds.reverse();
        Scan {
            bounds,
            guard: rest,
            exact,
        }
    }
}

/// One end of a range.
struct End {
    value: Option<i64>,
    exact: bool,
}

impl End {
    fn open(exact: bool) -> Self {
        Self { value: None, exact }
    }

    fn at(value: i64, exact: bool) -> Self {
        Self {
            value: Some(value),
            exact,
        }
    }
}

impl VarBounds {
    /// Whether there is a bound on both sides.
    pub fn is_bounded(&self) -> bool {
        !self.lowers.is_empty() && !self.uppers.is_empty()
    }

    /// Adds the bound that `row >= 0` puts on the variable in a column.
    fn add(&mut self, mut row: Row, column: usize) {
        row::normalise_inequality(&mut row);
        let coefficient = row[column];
        row[column] = 0;
        if coefficient > 0 {
            // a·x + e >= 0: x >= -e / a.
            self.lowers.push(Division {
                numerator: Affine::from_row(&row::negated(&row)),
                divisor: coefficient,
            });
        } else if coefficient < 0 {
            self.uppers.push(Division {
                numerator: Affine::from_row(&row),
                divisor: -coefficient,
            });
        }
    }

    /// Moves the entries of some columns to columns further right.
    fn shift_columns(&mut self, columns: std::ops::Range<usize>, by: usize) {
        for bound in self.lowers.iter_mut().chain(&mut self.uppers) {
            let old = &bound.numerator;
            let mut entries: Vec<i64> = (0..columns.start)
                .map(|column| old.coefficient(column))
                .collect();
            entries.resize(columns.start + by, 0);
            entries.extend(columns.clone().map(|column| old.coefficient(column)));
            bound.numerator = Affine::from_parts(entries, old.constant_term());
        }
    }
}
