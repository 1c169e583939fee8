//! Enumeration of the integer points of a bounded polyhedron.

use crate::affine::Affine;
use crate::bounds::ValueRange;
use crate::emptiness::Emptiness;
use crate::polyhedron::IntegerPolyhedron;

impl IntegerPolyhedron {
    /// All points, as dims then symbols, in lexicographic order; `None` if there are
    /// more than `limit`, if a coordinate is not bounded, or if the budget of some
    /// question on the way runs out.
    ///
    /// Every point costs an emptiness test or two: this is for tests and for small
    /// sets, not for loops.
    ///
    /// ```
    /// use gridloom_presburger::{Affine, IntegerPolyhedron, Space};
    ///
    /// let mut even = IntegerPolyhedron::universe(Space::new(1, 0));
    /// even.add_half_open(&Affine::constant(0), &Affine::var(0), &Affine::constant(5))?;
    /// let rest = even.modulo(&Affine::var(0), 2)?;
    /// even.add_equality(&rest)?;
    /// assert_eq!(even.points(10), Some(vec![vec![0], vec![2], vec![4]]));
    /// assert_eq!(even.points(2), None);
    /// # Ok::<(), gridloom_presburger::Error>(())
    /// ```
    pub fn points(&self, limit: usize) -> Option<Vec<Vec<i64>>> {
        let outer = self.space().dims() + self.space().symbols();
        let mut points: Vec<Vec<i64>> = Vec::new();
        // Prefixes still to be extended, the lexicographically next one last.
        let mut open = vec![(Vec::new(), self.clone())];
        while let Some((prefix, slice)) = open.pop() {
            if prefix.len() < outer {
                extend(&prefix, &slice, limit, &mut open)?;
                continue;
            }
            match slice.emptiness() {
                // A prefix between two that lead to points need not lead to any.
                Emptiness::Empty => {}
                Emptiness::NonEmpty(_) if points.len() < limit => points.push(prefix),
                Emptiness::NonEmpty(_) | Emptiness::Unknown => return None,
            }
        }
        Some(points)
    }
}

/// Pushes the values that the coordinate after a prefix may take on the stack, the least on top.
/// `None` if they are too many or not known.
fn extend(
    prefix: &[i64],
    slice: &IntegerPolyhedron,
    limit: usize,
    open: &mut Vec<(Vec<i64>, IntegerPolyhedron)>,
) -> Option<()> {
    let column = prefix.len();
    let (lower, upper) = match slice.range_of(&Affine::var(column)) {
        ValueRange::Empty => return Some(()),
        ValueRange::Between { lower, upper, .. } => (lower?, upper?),
    };
    // Holes make a range longer than the number of points in it, but a hole that is
    // many times longer than the limit is no set to enumerate.
    let most = i64::try_from(limit.saturating_mul(16)).unwrap_or(i64::MAX);
    if upper.checked_sub(lower)? > most {
        return None;
    }
    for value in (lower..=upper).rev() {
        let mut next = slice.clone();
        next.fix(column, value).ok()?;
        open.push(([prefix, &[value]].concat(), next));
    }
    Some(())
}
