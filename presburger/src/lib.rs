//! Presburger sets and relations: emptiness, projection, lexicographic extremes, differences,
//! counting, simplification.
//!
//! The questions a compiler asks about loops are questions about integers: can two
//! iterations of a loop touch the same element? can this index leave its array? which
//! values does the inner loop variable take? This crate answers them exactly where it can,
//! and says "unknown" where it cannot; it knows nothing of operations or text.
//!
//! # A first example
//!
//! May `for i in 0..n { a[2*i] = a[2*i + 1] }` run in parallel? Only if no iteration
//! `i` writes an element that another iteration `j` reads. The pairs that do form a set with
//! dims `i` and `j` and the symbol `n`:
//!
//! ```
//! use gridloom_presburger::{Affine, IntegerPolyhedron, Space};
//!
//! let space = Space::new(2, 1);
//! let (i, j, n) = (
//!     Affine::var(space.dim(0)),
//!     Affine::var(space.dim(1)),
//!     Affine::var(space.symbol(0)),
//! );
//! let zero = Affine::constant(0);
//!
//! let mut conflicts = IntegerPolyhedron::universe(space);
//! conflicts.add_half_open(&zero, &i, &n)?; // 0 <= i < n
//! conflicts.add_half_open(&zero, &j, &n)?;
//! conflicts.add_eq(&i.scaled(2)?, &j.scaled(2)?.offset(1)?)?; // 2*i = 2*j + 1
//! assert!(conflicts.is_empty());
//!
//! // With `a[i + 3]` in place of `a[2*i + 1]` there are conflicts, all at one distance.
//! let mut conflicts = IntegerPolyhedron::universe(space);
//! conflicts.add_half_open(&zero, &i, &n)?;
//! conflicts.add_half_open(&zero, &j, &n)?;
//! conflicts.add_eq(&i, &j.offset(3)?)?; // i writes what j read before: i = j + 3
//! assert!(!conflicts.is_empty());
//! assert_eq!(conflicts.range_of(&j.minus(&i)?).single(), Some(-3));
//! # Ok::<(), gridloom_presburger::Error>(())
//! ```
//!
//! # What there is
//!
//! - [`Space`]: which column of a row is which variable (dims, symbols, locals).
//! - [`Affine`]: a form such as `2*d0 - s0 + 1`.
//! - [`IntegerPolyhedron`]: a conjunction of `form = 0` and `form >= 0`; quotients
//!   and remainders come in as locals
//!   ([`floordiv`](IntegerPolyhedron::floordiv), [`modulo`](IntegerPolyhedron::modulo)).
//! - Emptiness, with a witness: [`IntegerPolyhedron::emptiness`].
//! - Projection: [`project_out_dims`](IntegerPolyhedron::project_out_dims) (exact,
//!   keeps locals) and [`eliminate`](IntegerPolyhedron::eliminate) (removes the
//!   columns, says whether exactly).
//! - Bounds: constants with [`range_of`](IntegerPolyhedron::range_of) and
//!   [`bounding_box`](IntegerPolyhedron::bounding_box), forms of the symbols with
//!   [`dim_bounds`](IntegerPolyhedron::dim_bounds), loops with [`scan`](IntegerPolyhedron::scan).
//! - Extreme points: [`lexmin`](IntegerPolyhedron::lexmin) and `lexmax`, and as functions of the
//!   symbols [`lexmin_pieces`](IntegerPolyhedron::lexmin_pieces) and `lexmax_pieces`; all points of
//!   a small set: [`points`](IntegerPolyhedron::points), how many there are:
//!   [`cardinality`](IntegerPolyhedron::cardinality); one that a person can check:
//!   [`simplest_point`](IntegerPolyhedron::simplest_point).
//! - [`Set`]: unions, with difference, complement, subset and equality.
//! - [`Relation`] and [`UnionRelation`]: pairs of tuples, to compose, invert and apply.
//! - Quantifier elimination: [`division_form`](IntegerPolyhedron::division_form).
//! - Shorter descriptions: [`simplify`](IntegerPolyhedron::simplify),
//!   [`gist`](IntegerPolyhedron::gist) and [`coalesce`](Set::coalesce).
//!
//! Not there: transitive closure, symbolic counting, schedules.
//!
//! # Two rules
//!
//! *Never wrong.* Coefficients are 64 bits, arithmetic on them is wider and checked,
//! and work is bounded by a [`Budget`]. What does not fit is an [`Error::Overflow`]
//! while a set is built, and "unknown" when it is asked about.
//!
//! *Unknown permits nothing.* [`Answer`], [`Emptiness`] and [`ValueRange`] are shaped so
//! that the careless reading is the safe one: `is_empty()` is true only if proved.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod affine;
mod answer;
mod bounds;
mod coalesce;
mod count;
mod display;
mod division;
mod eliminate;
mod emptiness;
mod error;
mod functional;
mod lexmin;
mod lexmin_pieces;
mod points;
mod polyhedron;
mod relation;
mod row;
mod set;
mod simplest;
mod simplify;
mod solver;
mod space;
mod union_relation;

pub use affine::Affine;
pub use answer::Answer;
pub use bounds::{Scan, ValueRange, VarBounds};
pub use count::Cardinality;
pub use division::Division;
pub use eliminate::Projection;
pub use emptiness::{Budget, Emptiness};
pub use error::Error;
pub use lexmin::Extreme;
pub use lexmin_pieces::LexPiece;
pub use polyhedron::IntegerPolyhedron;
pub use relation::Relation;
pub use set::Set;
pub use space::{Space, VarKind};
pub use union_relation::UnionRelation;
