//! Unions of polyhedra.

use std::ops::Range;

use crate::affine::Affine;
use crate::answer::Answer;
use crate::bounds::ValueRange;
use crate::division::Division;
use crate::emptiness::Emptiness;
use crate::error::Error;
use crate::polyhedron::IntegerPolyhedron;
use crate::row::{self, Row};
use crate::space::{Space, VarKind};

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

/// Limit of pieces of a difference, beyond which it is given up.
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
    /// `None` if that is not known: if a local of `other` is neither a division of
    /// other variables nor can be eliminated exactly, if a coefficient overflows, or
    /// if there are too many pieces.
    pub fn subtract(&self, other: &Self) -> Option<Self> {
        assert!(self.space.matches(&other.space));
        let mut pieces = self.disjuncts.clone();
        for hole in &other.disjuncts {
            let hole = Functional::of(hole)?;
            let mut difference = Vec::new();
            for piece in &pieces {
                hole.cut_from(piece, &mut difference).ok()?;
                if difference.len() > MAX_PIECES {
                    return None;
                }
            }
            pieces = difference;
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

/// Functional polyhedron: each of its locals is a division of outer variables and earlier such
/// locals, so that each point has at most one choice of locals.
///
/// `∃q. C(x, q)` is then `C(x, f(x))`, and its complement `¬C(x, f(x))`, which is
/// `∃q. q = f(x) ∧ ¬C(x, q)`: the quantifier stays outside.
struct Functional {
    polyhedron: IntegerPolyhedron,
    /// Locals by column, each with its division, in an order in which each depends on those before
    /// it only.
    divisions: Vec<(usize, Division)>,
}

impl Functional {
    /// Brings a polyhedron into this form; `None` if some local is no division and cannot be
    /// eliminated exactly.
    fn of(polyhedron: &IntegerPolyhedron) -> Option<Self> {
        let mut polyhedron = polyhedron.simplify();
        loop {
            let divisions = well_founded_divisions(&polyhedron);
            let others: Vec<usize> = polyhedron
                .space()
                .range(VarKind::Local)
                .filter(|local| divisions.iter().all(|(column, _)| column != local))
                .collect();
            if others.is_empty() {
                return Some(Self {
                    polyhedron,
                    divisions,
                });
            }
            let projection = polyhedron.eliminate(&others);
            if !projection.exact {
                return None;
            }
            // Rows that defined other locals may have been combined: look again.
            polyhedron = projection.set;
        }
    }

    /// Appends `piece` without this polyhedron's points to `difference`, in disjoint parts: the
    /// i-th satisfies the first `i` constraints and violates the next.
    fn cut_from(
        &self,
        piece: &IntegerPolyhedron,
        difference: &mut Vec<IntegerPolyhedron>,
    ) -> Result<(), Error> {
        let own = self.polyhedron.space();
        let mut inside = piece.intersect(&IntegerPolyhedron::universe(own));
        // Own locals stand after those of the piece.
        let shift = piece.space().locals();
        let local_start = own.range(VarKind::Local).start;
        let lift = |row: &[i64]| {
            let mut entries = row[..local_start].to_vec();
            entries.resize(local_start + shift, 0);
            entries.extend(&row[local_start..own.vars()]);
            Affine::from_parts(entries, row::constant(row))
        };
        for (column, division) in &self.divisions {
            let numerator = lift(&division.numerator.to_row(own.columns()));
            let divisor = division.divisor;
            inside.define(column + shift, &Division { numerator, divisor })?;
        }
        let mut cut = |inside: &IntegerPolyhedron, outside: Row| -> Result<(), Error> {
            let mut part = inside.clone();
            part.add_inequality(&lift(&outside))?;
            if !part.is_empty() {
                difference.push(part.simplify());
            }
            Ok(())
        };
        for row in self.polyhedron.equalities() {
            cut(&inside, row::complement(row)?)?;
            cut(&inside, row::complement(&row::negated(row))?)?;
            inside.add_equality(&lift(row))?;
        }
        for row in self.polyhedron.inequalities() {
            cut(&inside, row::complement(row)?)?;
            inside.add_inequality(&lift(row))?;
        }
        Ok(())
    }
}

/// Finds the locals that are divisions of outer variables and of each other, without cycles.
fn well_founded_divisions(polyhedron: &IntegerPolyhedron) -> Vec<(usize, Division)> {
    let locals = polyhedron.space().range(VarKind::Local);
    let mut known: Vec<(usize, Division)> = Vec::new();
    loop {
        let is_known = |column: usize| {
            !locals.contains(&column) || known.iter().any(|(other, _)| *other == column)
        };
        let next = locals
            .clone()
            .filter(|&local| !is_known(local))
            .find_map(|local| {
                polyhedron
                    .divisions_of(local)
                    .find(|division| {
                        let entries = division.numerator.coefficients().iter().enumerate();
                        entries
                            .filter(|(_, entry)| **entry != 0)
                            .all(|(column, _)| is_known(column))
                    })
                    .map(|division| (local, division))
            });
        match next {
            Some(found) => known.push(found),
            None => return known,
        }
    }
}
