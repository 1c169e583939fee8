//! Unions of polyhedra.

use std::ops::Range;

use crate::affine::Affine;
use crate::answer::Answer;
use crate::bounds::ValueRange;
use crate::emptiness::{Budget, Emptiness};
use crate::functional::Functional;
use crate::polyhedron::IntegerPolyhedron;
use crate::solver::Meter;
use crate::space::Space;

/// A finite union of polyhedra over the same dims and symbols. With integer
/// polyhedra that may have locals, these are the sets definable in Presburger
/// arithmetic.
///
/// ```
/// use gridloom_presburger::{Affine, Answer, IntegerPolyhedron, Set, Space};
///
/// let space = Space::new(1, 0);
/// let interval = |low, high| {
///     let mut set = IntegerPolyhedron::universe(space);
///     set.add_half_open(&Affine::constant(low), &Affine::var(0), &Affine::constant(high))?;
///     Ok::<_, gridloom_presburger::Error>(Set::from(set))
/// };
/// let whole = interval(0, 10)?;
/// let hole = interval(3, 5)?;
/// let rest = whole.subtract(&hole).expect("no locals");
/// assert_eq!(rest.contains(&[4]), Answer::No);
/// assert_eq!(rest.union(&hole).is_equal(&whole), Answer::Yes);
/// assert_eq!(rest.to_string(), "(d0) : (d0 >= 0, -d0 + 2 >= 0) or (d0 - 5 >= 0, -d0 + 9 >= 0)");
/// # Ok::<(), gridloom_presburger::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Set {
    /// Without locals: each disjunct has its own.
    space: Space,
    disjuncts: Vec<IntegerPolyhedron>,
}

/// Budget of a difference: it asks of each piece whether it is empty, so that it takes some
/// questions' worth.
const BUDGET: Budget = Budget::new(1_000_000);

/// Limit of the pieces of a difference; beyond it the difference is unknown.
const MAX_PIECES: usize = 512;

impl From<IntegerPolyhedron> for Set {
    fn from(polyhedron: IntegerPolyhedron) -> Self {
        Self {
            space: polyhedron.space().without_locals(),
            disjuncts: vec![polyhedron],
        }
    }
}

impl Set {
    /// The empty set of a space, whose locals do not matter.
    pub fn empty(space: Space) -> Self {
        Self {
            space: space.without_locals(),
            disjuncts: Vec::new(),
        }
    }

    /// The universal set of a space, whose locals do not matter.
    pub fn universe(space: Space) -> Self {
        IntegerPolyhedron::universe(space.without_locals()).into()
    }

    /// The dims and symbols; there are no locals in it.
    pub fn space(&self) -> Space {
        self.space
    }

    /// The polyhedra whose union this is. They may overlap.
    pub fn disjuncts(&self) -> &[IntegerPolyhedron] {
        &self.disjuncts
    }

    /// Adds the points of a polyhedron.
    ///
    /// # Panics
    /// If it has other dims or symbols.
    pub fn add(&mut self, polyhedron: IntegerPolyhedron) {
        assert!(self.space.matches(&polyhedron.space()));
        self.disjuncts.push(polyhedron);
    }

    /// The union of both sets.
    ///
    /// # Panics
    /// If the other has other dims or symbols; so do the operations below.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let mut result = self.clone();
        for disjunct in &other.disjuncts {
            result.add(disjunct.clone());
        }
        result
    }

    /// The intersection of both sets.
    #[must_use]
    pub fn intersect(&self, other: &Self) -> Self {
        let pairs = self
            .disjuncts
            .iter()
            .flat_map(|left| other.disjuncts.iter().map(move |right| (left, right)));
        Self {
            space: self.space,
            disjuncts: pairs
                .map(|(left, right)| left.intersect(right))
                .filter(|piece| !piece.is_empty())
                .collect(),
        }
    }

    /// The difference: the points in `self` but not in `other`.
    ///
    /// The pieces are disjoint if those of `self` are. `None` if the difference is not known: if a
    /// coefficient overflows, there are too many pieces, or the budget ends.
    pub fn subtract(&self, other: &Self) -> Option<Self> {
        self.subtract_within(other, BUDGET)
    }

    /// [`subtract`](Self::subtract) with a budget of the caller's.
    ///
    /// # Panics
    /// If the other has other dims or symbols.
    pub fn subtract_within(&self, other: &Self, budget: Budget) -> Option<Self> {
        self.subtract_metered(other, &mut Meter::new(budget.steps))
    }

    pub(crate) fn subtract_metered(&self, other: &Self, meter: &mut Meter) -> Option<Self> {
        assert!(self.space.matches(&other.space));
        let mut pieces = self.disjuncts.clone();
        for hole in &other.disjuncts {
            for hole in Functional::pieces_of(hole, meter)? {
                let mut difference = Vec::new();
                for piece in &pieces {
                    hole.cut_from(piece, &mut difference, meter).ok()?;
                    // Without steps left nothing is found empty any more.
                    if difference.len() > MAX_PIECES || meter.left() == 0 {
                        return None;
                    }
                }
                pieces = difference;
            }
        }
        Some(Self {
            space: self.space,
            disjuncts: pieces,
        })
    }

    /// The complement; `None` as for [`subtract`](Self::subtract).
    pub fn complement(&self) -> Option<Self> {
        Self::universe(self.space).subtract(self)
    }

    /// Tests whether the set has a point. A witness has values for the dims and symbols, followed
    /// by those of the locals of the disjunct it was found in.
    pub fn emptiness(&self) -> Emptiness {
        let mut result = Emptiness::Empty;
        for disjunct in &self.disjuncts {
            match disjunct.emptiness() {
                Emptiness::Empty => {}
                Emptiness::NonEmpty(point) => return Emptiness::NonEmpty(point),
                Emptiness::Unknown => result = Emptiness::Unknown,
            }
        }
        result
    }

    /// Whether the set is proved empty.
    pub fn is_empty(&self) -> bool {
        self.emptiness().is_empty()
    }

    /// Whether a point, given as dims then symbols, is in the set.
    ///
    /// # Panics
    /// If the point has another number of coordinates.
    pub fn contains(&self, point: &[i64]) -> Answer {
        self.disjuncts
            .iter()
            .map(|disjunct| disjunct.contains(point))
            .fold(Answer::No, Answer::or)
    }

    /// Whether every point is in `other`, too.
    pub fn is_subset(&self, other: &Self) -> Answer {
        match self.subtract(other) {
            Some(rest) => rest.emptiness().answer(),
            None => Answer::Unknown,
        }
    }

    /// Whether the two have the same points.
    pub fn is_equal(&self, other: &Self) -> Answer {
        self.is_subset(other).and(other.is_subset(self))
    }

    /// Projects the dims `range` out exactly, by turning them into locals.
    ///
    /// # Panics
    /// If the range goes beyond the dims.
    #[must_use]
    pub fn project_out_dims(&self, range: Range<usize>) -> Self {
        let project = |disjunct: &IntegerPolyhedron| disjunct.project_out_dims(range.clone());
        Self {
            space: Space::new(self.space.dims() - range.len(), self.space.symbols()),
            disjuncts: self.disjuncts.iter().map(project).collect(),
        }
    }

    /// The least and the greatest value of a form over all points; the form is over
    /// dims and symbols. See [`IntegerPolyhedron::range_of`].
    pub fn range_of(&self, form: &Affine) -> ValueRange {
        self.disjuncts
            .iter()
            .map(|disjunct| disjunct.range_of(form))
            .fold(ValueRange::Empty, ValueRange::hull)
    }

    /// Bounding box: the range of each dim and symbol, in column order; `None` if the set is proved
    /// empty. See [`IntegerPolyhedron::bounding_box`].
    pub fn bounding_box(&self) -> Option<Vec<ValueRange>> {
        let boxes = self
            .disjuncts
            .iter()
            .filter_map(IntegerPolyhedron::bounding_box);
        boxes.reduce(|all, other| {
            let sides = all.into_iter().zip(other);
            sides.map(|(side, other)| side.hull(other)).collect()
        })
    }

    /// Simplifies each disjunct, and drops those that are empty or lie within one other.
    #[must_use]
    pub fn simplify(&self) -> Self {
        let mut kept: Vec<IntegerPolyhedron> = Vec::new();
        for disjunct in &self.disjuncts {
            let disjunct = disjunct.simplify();
            if disjunct.is_empty() {
                continue;
            }
            let candidate = Self::from(disjunct.clone());
            let within = |one: &Self, other: &Self| one.is_subset(other).is_yes();
            if kept
                .iter()
                .any(|other| within(&candidate, &other.clone().into()))
            {
                continue;
            }
            kept.retain(|other| !within(&other.clone().into(), &candidate));
            kept.push(disjunct);
        }
        Self {
            space: self.space,
            disjuncts: kept,
        }
    }

    /// The same points as a union of pieces no two of which have a point in common; `None` as for
    /// [`subtract`](Self::subtract).
    pub fn disjoint(&self) -> Option<Self> {
        let mut result = Self::empty(self.space);
        let mut meter = Meter::new(BUDGET.steps);
        for disjunct in &self.disjuncts {
            for piece in Functional::pieces_of(disjunct, &mut meter)? {
                let piece = Self::from(piece.polyhedron().clone());
                let rest = piece.subtract_metered(&result, &mut meter)?;
                result.disjuncts.extend(rest.disjuncts);
            }
        }
        Some(result)
    }

    /// Simplifies each disjunct for points of a context; see [`IntegerPolyhedron::gist`].
    #[must_use]
    pub fn gist(&self, context: &IntegerPolyhedron) -> Self {
        Self {
            space: self.space,
            disjuncts: self
                .disjuncts
                .iter()
                .map(|disjunct| disjunct.gist(context))
                .collect(),
        }
    }
}
