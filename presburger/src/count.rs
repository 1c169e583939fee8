//! Cardinality: the number of points of a set.

use crate::affine::Affine;
use crate::bounds::{Scan, ValueRange, VarBounds};
use crate::emptiness::Budget;
use crate::functional::Functional;
use crate::polyhedron::IntegerPolyhedron;
use crate::row;
use crate::set::Set;
use crate::solver::equations::{Recovery, solve_equalities};
use crate::solver::{Meter, Stop};
use crate::space::Space;

/// The number of points of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cardinality {
    /// This many points.
    Finite(u128),
    /// Proved to be infinitely many.
    Infinite,
    /// Undecided: too much work, or numbers too large.
    Unknown,
}

impl Cardinality {
    /// The number, if it is known and finite.
    pub fn finite(self) -> Option<u128> {
        match self {
            Self::Finite(count) => Some(count),
            Self::Infinite | Self::Unknown => None,
        }
    }

    /// The number of points of a disjoint union.
    fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Self::Infinite, _) | (_, Self::Infinite) => Self::Infinite,
            (Self::Finite(x), Self::Finite(y)) => {
                x.checked_add(y).map_or(Self::Unknown, Self::Finite)
            }
            _ => Self::Unknown,
        }
    }
}

impl IntegerPolyhedron {
    /// The number of points, which are assignments to dims and symbols. Several choices of locals
    /// for one assignment count once.
    ///
    /// ```
    /// use gridloom_presburger::{Affine, Cardinality, IntegerPolyhedron, Space};
    ///
    /// // 0 <= d1 <= d0 < 100
    /// let mut triangle = IntegerPolyhedron::universe(Space::new(2, 0));
    /// triangle.add_inequality_row(&[0, 1, 0])?;
    /// triangle.add_inequality_row(&[1, -1, 0])?;
    /// assert_eq!(triangle.cardinality(), Cardinality::Infinite);
    /// triangle.add_inequality_row(&[-1, 0, 99])?;
    /// assert_eq!(triangle.cardinality(), Cardinality::Finite(5050));
    /// # Ok::<(), gridloom_presburger::Error>(())
    /// ```
    pub fn cardinality(&self) -> Cardinality {
        Set::from(self.clone()).cardinality()
    }
}

impl Set {
    /// The number of points; see [`IntegerPolyhedron::cardinality`].
    pub fn cardinality(&self) -> Cardinality {
        self.cardinality_within(Budget::default())
    }

    /// [`cardinality`](Self::cardinality) with a budget of the caller's for each piece of the set.
    /// The innermost variable of a loop nest over the points costs nothing, and neither do those
    /// that share no constraint: the iterations of the others are steps.
    pub fn cardinality_within(&self, budget: Budget) -> Cardinality {
        let Some(disjoint) = self.disjoint() else {
            return Cardinality::Unknown;
        };
        let pieces = disjoint.disjuncts().iter();
        pieces
            .map(|piece| count_piece(piece, budget))
            .fold(Cardinality::Finite(0), Cardinality::plus)
    }
}

/// The number of points of a polyhedron whose locals are divisions.
fn count_piece(piece: &IntegerPolyhedron, budget: Budget) -> Cardinality {
    match piece.bounding_box() {
        None => return Cardinality::Finite(0),
        Some(sides) => {
            let open = sides.iter().filter_map(|side| match side {
                ValueRange::Between {
                    lower: Some(_),
                    upper: Some(_),
                    ..
                } => None,
                ValueRange::Between { exact: true, .. } => Some(Cardinality::Infinite),
                _ => Some(Cardinality::Unknown),
            });
            if let Some(open) = open.reduce(Cardinality::plus) {
                return open;
            }
        }
    }
    let mut meter = Meter::new(budget.steps);
    match count_bounded(piece, &mut meter) {
        Ok(count) => Cardinality::Finite(count),
        Err(Stop::Overflow | Stop::OutOfSteps) => Cardinality::Unknown,
    }
}

/// Counts the points of a bounded polyhedron whose locals are divisions.
///
/// Each point has one choice of locals, so the points of all columns are as many. Equalities are
/// solved by integer changes of variables, which map points one to one.
fn count_bounded(piece: &IntegerPolyhedron, meter: &mut Meter) -> Result<u128, Stop> {
    let piece = match Functional::of(piece, meter) {
        Some(functional) => functional.polyhedron().clone(),
        None => return Err(Stop::OutOfSteps),
    };
    let mut system = piece.system();
    let mut trail = Vec::new();
    if !solve_equalities(&mut system, &mut trail, meter)? {
        return Ok(0);
    }
    let mut left: Vec<usize> = (0..system.vars).collect();
    left.retain(|column| {
        let solved =
            |step: &Recovery| matches!(step, Recovery::Choose { var, .. } if var == column);
        !trail.iter().any(solved)
    });
    let space = Space::new(left.len(), 0);
    let all = IntegerPolyhedron::from_rows(piece.space(), Vec::new(), system.inequalities);
    let all = all.restricted_to(space, &left).simplify();
    let mut count: u128 = 1;
    for part in connected(&all) {
        let part = all.restricted_to_part(&part);
        let Scan { bounds, guard, .. } = part.scan();
        if guard.is_empty() {
            return Ok(0);
        }
        let parts = count_loops(&bounds, &mut Vec::new(), meter)?;
        count = count.checked_mul(parts).ok_or(Stop::Overflow)?;
    }
    // Rows without variables are in no part.
    let never =
        |row: &[i64]| row::coefficients(row).iter().all(|&x| x == 0) && row::constant(row) < 0;
    Ok(if all.inequalities().any(never) {
        0
    } else {
        count
    })
}

/// Connected components: groups of columns such that each constraint has columns of one group only.
fn connected(polyhedron: &IntegerPolyhedron) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = (0..polyhedron.space().vars()).map(|c| vec![c]).collect();
    for row in polyhedron.equalities().chain(polyhedron.inequalities()) {
        let meets = |group: &Vec<usize>| group.iter().any(|&column| row[column] != 0);
        let (met, mut others): (Vec<_>, Vec<_>) = groups.into_iter().partition(meets);
        let mut joined = met.concat();
        joined.sort_unstable();
        others.extend((!joined.is_empty()).then_some(joined));
        groups = others;
    }
    groups
}

impl IntegerPolyhedron {
    /// Restricts the polyhedron to some dims, which share no constraint with the others, over a
    /// space of those.
    fn restricted_to_part(&self, columns: &[usize]) -> Self {
        let within = |row: &&[i64]| columns.iter().any(|&column| row[column] != 0);
        let rows = |rows: &mut dyn Iterator<Item = &[i64]>| {
            rows.filter(within).map(<[i64]>::to_vec).collect()
        };
        let equalities = rows(&mut self.equalities());
        let inequalities = rows(&mut self.inequalities());
        Self::from_rows(self.space(), equalities, inequalities)
            .restricted_to(Space::new(columns.len(), 0), columns)
    }
}

/// Counts the iterations of the loops inside those that `outer` gives values.
fn count_loops(
    bounds: &[VarBounds],
    outer: &mut Vec<i64>,
    meter: &mut Meter,
) -> Result<u128, Stop> {
    let Some(own) = bounds.get(outer.len()) else {
        return Ok(1);
    };
    let (first, last) = extent(own, outer)?;
    if first > last {
        return Ok(0);
    }
    let trips =
        u128::try_from(i128::from(last) - i128::from(first) + 1).map_err(|_| Stop::Overflow)?;
    let depth = outer.len();
    let varies = |inner: &VarBounds| {
        let mut forms = inner.lowers.iter().chain(&inner.uppers);
        forms.any(|bound| bound.numerator.coefficient(depth) != 0)
    };
    if !bounds[depth + 1..].iter().any(varies) {
        outer.push(first);
        let inner = count_loops(bounds, outer, meter)?;
        outer.pop();
        return trips.checked_mul(inner).ok_or(Stop::Overflow);
    }
    let mut sum: u128 = 0;
    for value in first..=last {
        meter.spend(1)?;
        outer.push(value);
        let inner = count_loops(bounds, outer, meter)?;
        outer.pop();
        sum = sum.checked_add(inner).ok_or(Stop::Overflow)?;
    }
    Ok(sum)
}

/// The first and the last value of a loop whose bounds are forms of the loops around it.
fn extent(bounds: &VarBounds, outer: &[i64]) -> Result<(i64, i64), Stop> {
    let value = |form: &Affine| form.value_at(outer).map(i128::from);
    let (mut first, mut last) = (None::<i128>, None::<i128>);
    for bound in &bounds.lowers {
        let numerator = value(&bound.numerator).map_err(|_| Stop::Overflow)?;
        let lower = row::ceil_div(numerator, bound.divisor.into());
        first = Some(first.map_or(lower, |other| other.max(lower)));
    }
    for bound in &bounds.uppers {
        let numerator = value(&bound.numerator).map_err(|_| Stop::Overflow)?;
        let upper = row::floor_div(numerator, bound.divisor.into());
        last = Some(last.map_or(upper, |other| other.min(upper)));
    }
    // Elimination gave a bound up that was too costly.
    let (first, last) = first.zip(last).ok_or(Stop::OutOfSteps)?;
    Ok((row::narrow(first)?, row::narrow(last)?))
}
