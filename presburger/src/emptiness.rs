//! Emptiness test: whether a polyhedron has an integer point.

use crate::answer::Answer;
use crate::polyhedron::IntegerPolyhedron;
use crate::row;
use crate::solver::{self, Meter, Stop, System};

/// Step budget of a question; once it is spent the answer is "unknown".
///
/// A step is about one constraint row combined with another, some tens of
/// nanoseconds up to some hundreds for long rows. The default is far more than any
/// dependence problem of a real program takes, and ends within some tens of milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The number of steps.
    pub steps: u64,
}

impl Budget {
    /// A budget of so many steps.
    pub const fn new(steps: u64) -> Self {
        Self { steps }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::new(100_000)
    }
}

/// Result of an emptiness test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Emptiness {
    /// No integer point.
    Empty,
    /// A witness: a value for every dim, symbol and local, in column order. The point has been
    /// checked against every constraint.
    NonEmpty(Vec<i64>),
    /// Undecided: too much work, or numbers too large.
    Unknown,
}

impl Emptiness {
    /// Whether the polyhedron is proved empty.
    pub fn is_empty(&self) -> bool {
        *self == Self::Empty
    }

    /// The answer to "is it empty?".
    pub fn answer(&self) -> Answer {
        match self {
            Self::Empty => Answer::Yes,
            Self::NonEmpty(_) => Answer::No,
            Self::Unknown => Answer::Unknown,
        }
    }

    /// Returns the witness, if one was found.
    pub fn into_point(self) -> Option<Vec<i64>> {
        match self {
            Self::NonEmpty(point) => Some(point),
            Self::Empty | Self::Unknown => None,
        }
    }
}

impl IntegerPolyhedron {
    /// Whether there are integers for all dims, symbols and locals that satisfy
    /// every constraint. Exact for unbounded polyhedra as well; see
    /// [`emptiness_within`](Self::emptiness_within) for the limit on work.
    ///
    /// ```
    /// use gridloom_presburger::{Emptiness, IntegerPolyhedron, Space};
    ///
    /// // 2*d0 = 2*d1 + 1: rational points, but no integer one.
    /// let mut set = IntegerPolyhedron::universe(Space::new(2, 0));
    /// set.add_equality_row(&[2, -2, -1])?;
    /// assert_eq!(set.emptiness(), Emptiness::Empty);
    /// # Ok::<(), gridloom_presburger::Error>(())
    /// ```
    pub fn emptiness(&self) -> Emptiness {
        self.emptiness_within(Budget::default())
    }

    /// [`emptiness`](Self::emptiness) with a budget of the caller's.
    pub fn emptiness_within(&self, budget: Budget) -> Emptiness {
        self.emptiness_metered(&mut Meter::new(budget.steps))
    }

    /// Whether the polyhedron is proved to have no integer point.
    pub fn is_empty(&self) -> bool {
        self.emptiness().is_empty()
    }

    /// Returns some integer point, with a value for every column.
    pub fn sample(&self) -> Option<Vec<i64>> {
        self.emptiness().into_point()
    }

    /// [`emptiness_within`](Self::emptiness_within), and the number of steps it took.
    pub fn emptiness_counted(&self, budget: Budget) -> (Emptiness, u64) {
        let mut meter = Meter::new(budget.steps);
        let answer = self.emptiness_metered(&mut meter);
        (answer, budget.steps - meter.left())
    }

    pub(crate) fn emptiness_metered(&self, meter: &mut Meter) -> Emptiness {
        match solver::solve(&self.system(), meter) {
            Ok(None) => Emptiness::Empty,
            // The solver's witness is checked against the constraints, not taken on trust.
            Ok(Some(point)) if self.holds_at(&point) == Answer::Yes => Emptiness::NonEmpty(point),
            Ok(Some(point)) => {
                debug_assert!(false, "the solver found {point:?}, which is not in {self}");
                Emptiness::Unknown
            }
            Err(Stop::Overflow | Stop::OutOfSteps) => Emptiness::Unknown,
        }
    }

    /// Converts the constraints to the solver's form.
    pub(crate) fn system(&self) -> System {
        System {
            vars: self.space().vars(),
            equalities: self.equalities().map(<[i64]>::to_vec).collect(),
            inequalities: self.inequalities().map(<[i64]>::to_vec).collect(),
        }
    }

    /// Whether every constraint holds at a point that gives every column a value.
    pub(crate) fn holds_at(&self, point: &[i64]) -> Answer {
        let mut answer = Answer::Yes;
        for row in self.equalities() {
            answer = answer.and(match row::value_at(row, point) {
                Ok(0) => Answer::Yes,
                Ok(_) => Answer::No,
                Err(row::Overflow) => Answer::Unknown,
            });
        }
        for row in self.inequalities() {
            answer = answer.and(match row::value_at(row, point) {
                Ok(0..) => Answer::Yes,
                Ok(_) => Answer::No,
                Err(row::Overflow) => Answer::Unknown,
            });
        }
        answer
    }
}
