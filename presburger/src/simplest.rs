//! Simplest points: witnesses that a person can check.

use crate::affine::Affine;
use crate::bounds::ValueRange;
use crate::emptiness::{Budget, Emptiness};
use crate::polyhedron::IntegerPolyhedron;

impl IntegerPolyhedron {
    /// Simplest point: the one whose values in `columns`, one after the other, are nearest to zero:
    /// the first column as near as any point allows, then the second among those points, and so on.
    /// Of `x` and `-x` it takes `x`. Unlike a [lexicographic minimum](Self::lexmin) it is there for
    /// every polyhedron with a point, bounded or not. The result has a value for every column of
    /// the space, locals included; those not asked for are whatever solves the rest.
    ///
    /// `None` if the polyhedron is empty, or if `budget`, which each of some ten questions a
    /// column may use up, does not suffice.
    ///
    /// ```
    /// use gridloom_presburger::{Budget, IntegerPolyhedron, Space};
    ///
    /// // d0 <= -3, d0 + 2*d1 = 1.
    /// let mut set = IntegerPolyhedron::universe(Space::new(2, 0));
    /// set.add_inequality_row(&[-1, 0, -3])?;
    /// set.add_equality_row(&[1, 2, -1])?;
    /// assert_eq!(set.simplest_point(&[0, 1], Budget::default()), Some(vec![-3, 2]));
    /// # Ok::<(), gridloom_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If a column is not one of a variable.
    pub fn simplest_point(&self, columns: &[usize], budget: Budget) -> Option<Vec<i64>> {
        let mut slice = self.clone();
        let mut point = slice.emptiness_within(budget).into_point()?;
        for &column in columns {
            let value = nearest_to_zero(&slice, column, budget)?;
            slice.fix(column, value).ok()?;
            if point[column] != value {
                // A bound that no point attains leaves nothing: then the nearest is not known.
                point = slice.emptiness_within(budget).into_point()?;
            }
        }
        Some(point)
    }
}

/// The value of a column that is nearest to zero, as far as its bounds tell; `None` if not known.
fn nearest_to_zero(slice: &IntegerPolyhedron, column: usize, budget: Budget) -> Option<i64> {
    let mut at_zero = slice.clone();
    at_zero.fix(column, 0).ok()?;
    match at_zero.emptiness_within(budget) {
        Emptiness::NonEmpty(_) => return Some(0),
        Emptiness::Empty => {}
        Emptiness::Unknown => return None,
    }
    let above = least_positive(slice, column, 1, budget)?;
    let below = least_positive(slice, column, -1, budget)?;
    match (above, below) {
        (Some(above), Some(below)) if below < above => Some(-below),
        (Some(above), _) => Some(above),
        (None, below) => below.map(|below| -below),
    }
}

/// The least value of `sign · column` that is 1 or more: `Some(None)` if there is none, `None` if
/// that is not known.
fn least_positive(
    slice: &IntegerPolyhedron,
    column: usize,
    sign: i64,
    budget: Budget,
) -> Option<Option<i64>> {
    let form = Affine::term(column, sign);
    let mut half = slice.clone();
    half.add_inequality(&form.offset(-1).ok()?).ok()?;
    match half.range_of_within(&form, budget) {
        ValueRange::Empty => Some(None),
        ValueRange::Between { lower, .. } => lower.map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Space;

    /// The box that the random polyhedra lie in.
    const HALF: i64 = 5;

    /// A linear congruential generator, its upper bits.
    fn random(state: &mut u64, low: i64, high: i64) -> i64 {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        low + ((*state >> 33) % (high - low + 1) as u64) as i64
    }

    /// Some random half-spaces and a stride within a box.
    fn random_polyhedron(state: &mut u64) -> IntegerPolyhedron {
        let mut set = IntegerPolyhedron::universe(Space::new(2, 1));
        for column in 0..3 {
            for sign in [1, -1] {
                let inside = Affine::term(column, sign).offset(HALF).expect("small");
                set.add_inequality(&inside).expect("small");
            }
        }
        for _ in 0..random(state, 1, 3) {
            let row: Vec<i64> = (0..4).map(|_| random(state, -4, 4)).collect();
            set.add_inequality_row(&row).expect("small");
        }
        let form = Affine::from_parts((0..3).map(|_| random(state, -2, 2)).collect(), 0);
        let rest = set.modulo(&form, random(state, 1, 3)).expect("small");
        set.add_equality(&rest.offset(-random(state, 0, 1)).expect("small"))
            .expect("small");
        set
    }

    /// Reference: the simplest point, found by trying every point of the box.
    fn by_enumeration(set: &IntegerPolyhedron) -> Option<Vec<i64>> {
        let order = |x: i64| (x.abs(), x < 0);
        let side = || -HALF..=HALF;
        let cube = side().flat_map(|x| side().flat_map(move |y| side().map(move |z| [x, y, z])));
        cube.filter(|point| set.contains(point).is_yes())
            .min_by_key(|point| point.map(order))
            .map(|point| point.to_vec())
    }

    #[test]
    fn the_simplest_point_is_what_enumeration_finds() {
        let mut state = 11;
        let mut found = 0;
        for _ in 0..60 {
            let set = random_polyhedron(&mut state);
            let point = set.simplest_point(&[0, 1, 2], Budget::default());
            let point = point.map(|point| point[..3].to_vec());
            assert_eq!(point, by_enumeration(&set), "{set}");
            found += usize::from(point.is_some());
        }
        assert!((10..60).contains(&found), "{found} of 60 have a point");
    }

    #[test]
    fn an_unbounded_polyhedron_has_a_simplest_point() {
        let mut set = IntegerPolyhedron::universe(Space::new(1, 1));
        // d0 = 3*s0 + 2
        set.add_equality_row(&[1, -3, -2]).expect("small");
        assert_eq!(
            set.simplest_point(&[0, 1], Budget::default()),
            Some(vec![-1, -1])
        );
        assert_eq!(
            set.simplest_point(&[1, 0], Budget::default()),
            Some(vec![2, 0])
        );
    }
}
