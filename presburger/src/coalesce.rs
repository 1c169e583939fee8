//! Coalescing: disjuncts of a union that together are one polyhedron become that polyhedron.

use crate::affine::Affine;
use crate::emptiness::Budget;
use crate::functional::Functional;
use crate::polyhedron::IntegerPolyhedron;
use crate::row;
use crate::set::Set;
use crate::solver::Meter;

/// Limit of the disjuncts that are tried in pairs; a longer union keeps its disjuncts.
const MAX_DISJUNCTS: usize = 64;

impl Set {
    /// [`simplify`](Self::simplify), and merges disjuncts whose union is one polyhedron: those that
    /// overlap, and those that touch, such as the pieces of a difference.
    ///
    /// ```text
    ///   0 <= d0 <= 4 or 5 <= d0 <= 9  ⇒  0 <= d0 <= 9
    /// ```
    ///
    /// Two disjuncts are merged into their hull, the constraints of each that hold in the other, if
    /// no point of the hull lies outside both (after S. Verdoolaege, "Integer Set Coalescing",
    /// IMPACT 2015). It is a heuristic: a union may have a shorter form that takes three disjuncts
    /// at once, or another constraint than theirs.
    ///
    /// ```
    /// use gridloom_presburger::{Affine, IntegerPolyhedron, Set, Space};
    ///
    /// let mut interval = IntegerPolyhedron::universe(Space::new(1, 0));
    /// interval.add_half_open(&Affine::constant(0), &Affine::var(0), &Affine::constant(10))?;
    /// let whole = Set::from(interval);
    /// let mut point = IntegerPolyhedron::universe(Space::new(1, 0));
    /// point.fix(0, 4)?;
    /// let point = Set::from(point);
    /// let cut = whole.subtract(&point).expect("small").union(&point);
    /// assert_eq!(cut.disjuncts().len(), 3);
    /// assert_eq!(cut.coalesce().to_string(), "(d0) : (d0 >= 0, -d0 + 9 >= 0)");
    /// # Ok::<(), gridloom_presburger::Error>(())
    /// ```
    #[must_use]
    pub fn coalesce(&self) -> Self {
        let simple = self.simplify();
        if simple.disjuncts().len() > MAX_DISJUNCTS {
            return simple;
        }
        let mut done: Vec<IntegerPolyhedron> = Vec::new();
        let mut open: Vec<IntegerPolyhedron> = simple.disjuncts().to_vec();
        open.reverse();
        while let Some(next) = open.pop() {
            let merged = (done.iter().enumerate())
                .find_map(|(index, other)| Some((index, merged(other, &next)?)));
            match merged {
                // The merged polyhedron may in turn merge with one that its parts did not.
                Some((index, merged)) => {
                    done.remove(index);
                    open.push(merged);
                }
                None => done.push(next),
            }
        }
        let mut result = Self::empty(self.space());
        done.into_iter().for_each(|disjunct| result.add(disjunct));
        result
    }
}

/// Union of two polyhedra as one polyhedron; `None` if there is none, or none is found.
fn merged(left: &IntegerPolyhedron, right: &IntegerPolyhedron) -> Option<IntegerPolyhedron> {
    let mut meter = Meter::new(Budget::default().steps);
    let ours = Functional::of(left, &mut meter)?;
    let theirs = Functional::of(right, &mut meter)?;
    let hull = shared(&ours, right)?.intersect(&shared(&theirs, left)?);
    let both = Set::from(left.clone()).union(&Set::from(right.clone()));
    let hull = hull.simplify();
    let rest = Set::from(hull.clone()).subtract_metered(&both, &mut meter)?;
    rest.is_empty().then_some(hull)
}

/// The half-spaces of a polyhedron that hold in all of another.
fn shared(polyhedron: &Functional, other: &IntegerPolyhedron) -> Option<IntegerPolyhedron> {
    let universe = IntegerPolyhedron::universe(other.space().without_locals());
    let mut kept = polyhedron.extend(&universe).ok()?.inside;
    let extended = polyhedron.extend(other).ok()?;
    for half_space in polyhedron.half_spaces() {
        let outside = row::complement(&half_space).ok()?;
        if extended.with(&outside).ok()?.is_empty() {
            kept.add_inequality(&Affine::from_row(&half_space)).ok()?;
        }
    }
    Some(kept)
}
