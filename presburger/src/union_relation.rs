//! Unions of relations.

use crate::answer::Answer;
use crate::bounds::ValueRange;
use crate::emptiness::Emptiness;
use crate::polyhedron::IntegerPolyhedron;
use crate::relation::Relation;
use crate::set::Set;
use crate::space::Space;

/// A finite union of relations between tuples of the same lengths: to a [`Relation`] what a
/// [`Set`] is to an [`IntegerPolyhedron`].
///
/// ```
/// use gridloom_presburger::{Affine, IntegerPolyhedron, Relation, Space, UnionRelation};
///
/// // for i in 0..10: { .. = a[0]; a[0] = ..; } the write that reaches the read at iteration j
/// let mut iterations = IntegerPolyhedron::universe(Space::new(1, 0));
/// iterations.add_half_open(&Affine::constant(0), &Affine::var(0), &Affine::constant(10))?;
/// let access = UnionRelation::from(Relation::graph(&iterations, &[Affine::constant(0)])?);
/// let before = UnionRelation::lex_before(1, 0);
/// let reaches = access.compose(&access.inverse()).intersect(&before);
/// // A write is overwritten if another comes between it and the read.
/// let overwritten = reaches.compose(&reaches);
/// let last = reaches.subtract(&overwritten).expect("small");
/// assert_eq!(last.distance(0).single(), Some(1));
/// # Ok::<(), gridloom_presburger::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct UnionRelation {
    domain_dims: usize,
    pairs: Set,
}

impl From<Relation> for UnionRelation {
    fn from(relation: Relation) -> Self {
        Self {
            domain_dims: relation.domain_dims(),
            pairs: relation.into_pairs().into(),
        }
    }
}

impl UnionRelation {
    /// The empty relation between tuples of these lengths.
    pub fn empty(domain_dims: usize, range_dims: usize, symbols: usize) -> Self {
        Self {
            domain_dims,
            pairs: Set::empty(Space::new(domain_dims + range_dims, symbols)),
        }
    }

    /// Views the points of a set as pairs, the first `domain_dims` dims being the domain's.
    ///
    /// # Panics
    /// If the set has fewer dims.
    pub fn from_pairs(domain_dims: usize, pairs: Set) -> Self {
        assert!(domain_dims <= pairs.space().dims());
        Self { domain_dims, pairs }
    }

    /// The strict lexicographic order on tuples of this length: [`Relation::lex_before`] at all
    /// depths.
    pub fn lex_before(dims: usize, symbols: usize) -> Self {
        let mut union = Self::empty(dims, dims, symbols);
        for depth in 0..dims {
            union.add(Relation::lex_before(dims, depth, symbols));
        }
        union
    }

    /// The number of domain dims.
    pub fn domain_dims(&self) -> usize {
        self.domain_dims
    }

    /// The number of range dims.
    pub fn range_dims(&self) -> usize {
        self.pairs.space().dims() - self.domain_dims
    }

    /// The pairs as a set.
    pub fn pairs(&self) -> &Set {
        &self.pairs
    }

    /// The relations whose union this is. They may overlap.
    pub fn relations(&self) -> impl Iterator<Item = Relation> {
        let disjuncts = self.pairs.disjuncts().iter().cloned();
        disjuncts.map(|pairs| Relation::from_pairs(self.domain_dims, pairs))
    }

    /// Adds the pairs of a relation.
    ///
    /// # Panics
    /// If it is between tuples of other lengths, or has other symbols; so do the operations below.
    pub fn add(&mut self, relation: Relation) {
        assert_eq!(self.domain_dims, relation.domain_dims());
        self.pairs.add(relation.into_pairs());
    }

    /// The union of both relations.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        self.with(self.pairs.union(other.like(self)))
    }

    /// The pairs of both relations.
    #[must_use]
    pub fn intersect(&self, other: &Self) -> Self {
        self.with(self.pairs.intersect(other.like(self)))
    }

    /// The pairs of this relation that are not of the other; `None` as for [`Set::subtract`].
    pub fn subtract(&self, other: &Self) -> Option<Self> {
        Some(self.with(self.pairs.subtract(other.like(self))?))
    }

    /// Whether all pairs are pairs of the other, too.
    pub fn is_subset(&self, other: &Self) -> Answer {
        self.pairs.is_subset(other.like(self))
    }

    /// Whether the two have the same pairs.
    pub fn is_equal(&self, other: &Self) -> Answer {
        self.pairs.is_equal(other.like(self))
    }

    /// Tests whether there is a pair.
    pub fn emptiness(&self) -> Emptiness {
        self.pairs.emptiness()
    }

    /// Whether the relation is proved empty.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Whether `x -> y` is in the relation, for values of the symbols.
    ///
    /// # Panics
    /// If there are more or fewer coordinates than dims.
    pub fn contains(&self, x: &[i64], y: &[i64], symbols: &[i64]) -> Answer {
        assert_eq!(x.len(), self.domain_dims);
        self.pairs.contains(&[x, y, symbols].concat())
    }

    /// The inverse relation: the pairs `y -> x`.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let (range, symbols) = (self.range_dims(), self.pairs.space().symbols());
        let inverses = self.relations().map(|relation| relation.inverse());
        Self::collected(Self::empty(range, self.domain_dims, symbols), inverses)
    }

    /// Composes two relations; see [`Relation::compose`].
    #[must_use]
    pub fn compose(&self, next: &Self) -> Self {
        assert_eq!(self.range_dims(), next.domain_dims);
        let symbols = self.pairs.space().symbols();
        let pairs = self.relations().flat_map(|first| {
            next.relations()
                .map(move |second| first.compose(&second))
                .filter(|composed| !composed.is_empty())
        });
        Self::collected(
            Self::empty(self.domain_dims, next.range_dims(), symbols),
            pairs,
        )
    }

    /// The tuples related to some other.
    pub fn domain(&self) -> Set {
        let dims = self.pairs.space().dims();
        self.pairs.project_out_dims(self.domain_dims..dims)
    }

    /// The tuples that some other is related to.
    pub fn range(&self) -> Set {
        self.pairs.project_out_dims(0..self.domain_dims)
    }

    /// The image of a set: the tuples that those of the set are related to.
    pub fn apply(&self, set: &Set) -> Set {
        self.intersect_domain(set).range()
    }

    /// Restricts the domain to a set.
    #[must_use]
    pub fn intersect_domain(&self, set: &Set) -> Self {
        let restrict = |part: &Relation, set: &IntegerPolyhedron| part.intersect_domain(set);
        self.restricted(set, restrict)
    }

    /// Restricts the range to a set.
    #[must_use]
    pub fn intersect_range(&self, set: &Set) -> Self {
        let restrict = |part: &Relation, set: &IntegerPolyhedron| part.intersect_range(set);
        self.restricted(set, restrict)
    }

    /// The values of `y[dim] - x[dim]` over all pairs; see [`Relation::distance`].
    pub fn distance(&self, dim: usize) -> ValueRange {
        let distances = self.relations().map(|relation| relation.distance(dim));
        distances.fold(ValueRange::Empty, ValueRange::hull)
    }

    /// Fewer and simpler relations with the same pairs; see [`Set::coalesce`].
    #[must_use]
    pub fn coalesce(&self) -> Self {
        self.with(self.pairs.coalesce())
    }

    fn restricted(
        &self,
        set: &Set,
        restrict: impl Fn(&Relation, &IntegerPolyhedron) -> Relation,
    ) -> Self {
        let symbols = self.pairs.space().symbols();
        let mut union = Self::empty(self.domain_dims, self.range_dims(), symbols);
        for relation in self.relations() {
            for disjunct in set.disjuncts() {
                union.add(restrict(&relation, disjunct));
            }
        }
        union
    }

    fn collected(mut union: Self, relations: impl Iterator<Item = Relation>) -> Self {
        relations.for_each(|relation| union.add(relation));
        union
    }

    /// The pairs, of tuples as long as those of `other`.
    fn like(&self, other: &Self) -> &Set {
        assert_eq!(self.domain_dims, other.domain_dims);
        &self.pairs
    }

    fn with(&self, pairs: Set) -> Self {
        let domain_dims = self.domain_dims;
        Self { domain_dims, pairs }
    }
}
