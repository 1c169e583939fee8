//! Lexicographic minimum and maximum of a polyhedron.

use crate::affine::Affine;
use crate::bounds::ValueRange;
use crate::emptiness::{Budget, Emptiness};
use crate::polyhedron::IntegerPolyhedron;

/// Result of a lexicographic optimisation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extreme {
    /// The values of the dims.
    Point(Vec<i64>),
    /// The polyhedron is empty.
    Empty,
    /// There are points, but with the dims before it at their extreme values this dim is unbounded.
    Unbounded {
        /// The number of the dim.
        dim: usize,
    },
    /// Undecided: too much work, or numbers too large.
    Unknown,
}

impl IntegerPolyhedron {
    /// The lexicographically smallest values of the dims, over all values of the
    /// symbols and locals: dim 0 as small as possible, then dim 1, and so on.
    ///
    /// ```
    /// use gridloom_presburger::{Extreme, IntegerPolyhedron, Space};
    ///
    /// // 2*d0 + 3*d1 >= 7 with 0 <= d0 and 0 <= d1 <= 2.
    /// let mut set = IntegerPolyhedron::universe(Space::new(2, 0));
    /// for row in [[2, 3, -7], [1, 0, 0], [0, 1, 0], [0, -1, 2]] {
    ///     set.add_inequality_row(&row)?;
    /// }
    /// assert_eq!(set.lexmin(), Extreme::Point(vec![1, 2]));
    /// assert_eq!(set.lexmax(), Extreme::Unbounded { dim: 0 });
    /// # Ok::<(), gridloom_presburger::Error>(())
    /// ```
    pub fn lexmin(&self) -> Extreme {
        self.extreme(ValueRange::lower)
    }

    /// The lexicographically largest values of the dims; see [`lexmin`](Self::lexmin).
    pub fn lexmax(&self) -> Extreme {
        self.extreme(ValueRange::upper)
    }

    /// Fixes one dim after the other at the end of its range that `end` picks.
    fn extreme(&self, end: fn(&ValueRange) -> Option<i64>) -> Extreme {
        let mut slice = self.clone();
        let mut point = Vec::with_capacity(self.space().dims());
        for dim in 0..self.space().dims() {
            let form = Affine::var(self.space().dim(dim));
            let range = slice.range_of(&form);
            let value = match (range, end(&range)) {
                (ValueRange::Empty, _) => return Extreme::Empty,
                (_, Some(value)) => value,
                (ValueRange::Between { exact: true, .. }, None) => {
                    return Extreme::Unbounded { dim };
                }
                (ValueRange::Between { .. }, None) => return Extreme::Unknown,
            };
            if slice.fix(self.space().dim(dim), value).is_err() {
                return Extreme::Unknown;
            }
            // A range may be inexact at its other end only: test whether this one is attained.
            match slice.emptiness_within(Budget::default()) {
                Emptiness::NonEmpty(_) => point.push(value),
                Emptiness::Empty | Emptiness::Unknown => return Extreme::Unknown,
            }
        }
        if point.is_empty() && !slice.emptiness().answer().is_no() {
            return match slice.is_empty() {
                true => Extreme::Empty,
                false => Extreme::Unknown,
            };
        }
        Extreme::Point(point)
    }
}
