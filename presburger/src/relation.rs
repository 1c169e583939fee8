//! Relations between integer tuples.

use crate::affine::Affine;
use crate::answer::Answer;
use crate::bounds::ValueRange;
use crate::emptiness::Emptiness;
use crate::error::Error;
use crate::polyhedron::IntegerPolyhedron;
use crate::row::Row;
use crate::space::{Space, VarKind};

/// Relation between integer tuples, pairs `x -> y`: a polyhedron whose dims are those of `x`
/// followed by those of `y`.
///
/// ```text
///   domain dims | range dims | symbols | locals | constant
/// ```
///
/// An access relation maps loop variables to array indices; a dependence relation
/// maps the loop variables of one instance to those of a later one.
///
/// ```
/// use gridloom_presburger::{Affine, IntegerPolyhedron, Relation, Space};
///
/// // for i in 0..10: write a[i], read a[i - 2].
/// let mut iterations = IntegerPolyhedron::universe(Space::new(1, 0));
/// iterations.add_half_open(&Affine::constant(0), &Affine::var(0), &Affine::constant(10))?;
/// let writes = Relation::graph(&iterations, &[Affine::var(0)])?;
/// let reads = Relation::graph(&iterations, &[Affine::var(0).offset(-2)?])?;
///
/// // Iterations that write and, later, read the same element.
/// let flow = writes.compose(&reads.inverse());
/// let later = Relation::lex_before(1, 0, 0);
/// assert_eq!(flow.intersect(&later).distance(0).single(), Some(2));
/// # Ok::<(), gridloom_presburger::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Relation {
    domain_dims: usize,
    pairs: IntegerPolyhedron,
}

impl Relation {
    /// The universal relation: all pairs of tuples of these lengths.
    pub fn universe(domain_dims: usize, range_dims: usize, symbols: usize) -> Self {
        Self {
            domain_dims,
            pairs: IntegerPolyhedron::universe(Space::new(domain_dims + range_dims, symbols)),
        }
    }

    /// Views the points of a polyhedron as pairs, the first `domain_dims` dims being the domain's.
    ///
    /// # Panics
    /// If the polyhedron has fewer dims.
    pub fn from_pairs(domain_dims: usize, pairs: IntegerPolyhedron) -> Self {
        assert!(domain_dims <= pairs.space().dims());
        Self { domain_dims, pairs }
    }

    /// The graph of a function: the pairs `x -> forms(x)` for the points `x` of a polyhedron. The
    /// forms are over the polyhedron's columns, locals included, so that indices with `floordiv`
    /// and `mod` can be written.
    ///
    /// # Errors
    /// [`Error::Overflow`].
    pub fn graph(domain: &IntegerPolyhedron, forms: &[Affine]) -> Result<Self, Error> {
        let dims = domain.space().dims();
        let mut pairs = domain.with_inserted(VarKind::Dim, dims, forms.len());
        for (index, form) in forms.iter().enumerate() {
            let moved = moved_right(form, dims, forms.len());
            pairs.add_eq(&Affine::var(dims + index), &moved)?;
        }
        Ok(Self::from_pairs(dims, pairs))
    }

    /// The identity relation: the pairs `x -> x`.
    pub fn identity(dims: usize, symbols: usize) -> Self {
        let space = Space::new(2 * dims, symbols);
        let same = (0..dims).map(|dim| step(space, dim, dims, 0)).collect();
        Self {
            domain_dims: dims,
            pairs: IntegerPolyhedron::from_rows(space, same, Vec::new()),
        }
    }

    /// The pairs `x -> y` of tuples of the same length with `x` before `y` at
    /// `depth`: equal in the dims before it, and `x[depth] < y[depth]`. The union over
    /// all depths is the lexicographic order.
    ///
    /// # Panics
    /// If `depth` is not less than `dims`.
    pub fn lex_before(dims: usize, depth: usize, symbols: usize) -> Self {
        assert!(depth < dims);
        let space = Space::new(2 * dims, symbols);
        let equal = (0..depth).map(|dim| step(space, dim, dims, 0)).collect();
        let less = vec![step(space, depth, dims, 1)];
        Self {
            domain_dims: dims,
            pairs: IntegerPolyhedron::from_rows(space, equal, less),
        }
    }

    /// The number of domain dims.
    pub fn domain_dims(&self) -> usize {
        self.domain_dims
    }

    /// The number of range dims.
    pub fn range_dims(&self) -> usize {
        self.pairs.space().dims() - self.domain_dims
    }

    /// The column of domain dim `index`.
    pub fn domain_column(&self, index: usize) -> usize {
        debug_assert!(index < self.domain_dims);
        index
    }

    /// The column of range dim `index`.
    pub fn range_column(&self, index: usize) -> usize {
        self.pairs.space().dim(self.domain_dims + index)
    }

    /// The pairs as a polyhedron.
    pub fn pairs(&self) -> &IntegerPolyhedron {
        &self.pairs
    }

    /// The pairs as a polyhedron of their own.
    pub fn into_pairs(self) -> IntegerPolyhedron {
        self.pairs
    }

    /// Adds `form = 0`, over the columns of [`pairs`](Self::pairs).
    ///
    /// # Errors
    /// As [`IntegerPolyhedron::add_equality`].
    pub fn add_equality(&mut self, form: &Affine) -> Result<(), Error> {
        self.pairs.add_equality(form)
    }

    /// Adds `form >= 0`, over the columns of [`pairs`](Self::pairs).
    ///
    /// # Errors
    /// As [`IntegerPolyhedron::add_equality`].
    pub fn add_inequality(&mut self, form: &Affine) -> Result<(), Error> {
        self.pairs.add_inequality(form)
    }

    /// Tests whether the relation has a pair.
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
        let (domain, range) = (self.domain_dims, self.range_dims());
        let columns: Vec<usize> = (range..range + domain)
            .chain(0..range)
            .chain(domain + range..self.pairs.space().vars())
            .collect();
        Self {
            domain_dims: range,
            pairs: self.pairs.remapped(self.pairs.space(), &columns),
        }
    }

    /// The domain: the tuples related to some other. An exact projection, with the range dims kept
    /// as locals.
    pub fn domain(&self) -> IntegerPolyhedron {
        let dims = self.pairs.space().dims();
        self.pairs.project_out_dims(self.domain_dims..dims)
    }

    /// The range: the tuples that some other is related to; see [`domain`](Self::domain).
    pub fn range(&self) -> IntegerPolyhedron {
        self.pairs.project_out_dims(0..self.domain_dims)
    }

    /// Intersects two relations.
    ///
    /// # Panics
    /// If the relations are not between tuples of the same lengths.
    #[must_use]
    pub fn intersect(&self, other: &Self) -> Self {
        assert_eq!(self.domain_dims, other.domain_dims);
        Self {
            domain_dims: self.domain_dims,
            pairs: self.pairs.intersect(&other.pairs),
        }
    }

    /// Restricts the domain to a set.
    ///
    /// # Panics
    /// If the set has other dims or symbols.
    #[must_use]
    pub fn intersect_domain(&self, set: &IntegerPolyhedron) -> Self {
        let any = IntegerPolyhedron::universe(Space::new(self.range_dims(), self.symbols()));
        assert_eq!(set.space().dims(), self.domain_dims);
        Self {
            domain_dims: self.domain_dims,
            pairs: self.pairs.intersect(&set.product(&any)),
        }
    }

    /// Restricts the range to a set.
    ///
    /// # Panics
    /// If the set has other dims or symbols.
    #[must_use]
    pub fn intersect_range(&self, set: &IntegerPolyhedron) -> Self {
        let any = IntegerPolyhedron::universe(Space::new(self.domain_dims, self.symbols()));
        assert_eq!(set.space().dims(), self.range_dims());
        Self {
            domain_dims: self.domain_dims,
            pairs: self.pairs.intersect(&any.product(set)),
        }
    }

    /// Composes two relations: the pairs `x -> z` with `x -> y` here and `y -> z` in `next`, for
    /// some `y`, which is kept as locals.
    ///
    /// # Panics
    /// If the range here has other dims than the domain of `next`, or the symbols differ.
    #[must_use]
    pub fn compose(&self, next: &Self) -> Self {
        assert_eq!(self.range_dims(), next.domain_dims);
        let (first, middle, last) = (self.domain_dims, self.range_dims(), next.range_dims());
        let here = self.pairs.with_inserted(VarKind::Dim, first + middle, last);
        let there = next.pairs.with_inserted(VarKind::Dim, 0, first);
        let both = here.intersect(&there);
        Self {
            domain_dims: first,
            pairs: both.project_out_dims(first..first + middle),
        }
    }

    /// The image of a set: the tuples that those of the set are related to.
    ///
    /// # Panics
    /// If the set has other dims than the domain, or the symbols differ.
    pub fn apply(&self, set: &IntegerPolyhedron) -> IntegerPolyhedron {
        self.intersect_domain(set).range()
    }

    /// The values of `y[dim] - x[dim]` over all pairs: the dependence distance at a loop.
    ///
    /// # Panics
    /// If `dim` is not a dim of both tuples.
    pub fn distance(&self, dim: usize) -> ValueRange {
        assert!(dim < self.domain_dims);
        let mut entries = vec![0; self.range_column(dim) + 1];
        entries[self.range_column(dim)] = 1;
        entries[dim] = -1;
        self.pairs.range_of(&Affine::from_parts(entries, 0))
    }

    fn symbols(&self) -> usize {
        self.pairs.space().symbols()
    }
}

/// The row `y[dim] - x[dim] - by` of a space whose dims are `x` and `y`.
fn step(space: Space, dim: usize, dims: usize, by: i64) -> Row {
    let mut row = vec![0; space.columns()];
    row[dims + dim] = 1;
    row[dim] = -1;
    row[space.vars()] = -by;
    row
}

/// A form after `count` columns were inserted before column `at`.
fn moved_right(form: &Affine, at: usize, count: usize) -> Affine {
    let mut entries: Vec<i64> = (0..at).map(|column| form.coefficient(column)).collect();
    entries.resize(at + count, 0);
    entries.extend(form.coefficients().iter().skip(at));
    Affine::from_parts(entries, form.constant_term())
}
