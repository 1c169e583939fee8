//! Affine schedules: a perfect nest in a new basis.
//!
//! A [`Schedule`] names the loops of the new nest, outermost first. Each counts
//! a *dimension*, `Σ c·(x floordiv tile) + shift` over the counters `x` of the old
//! loops. Dimensions of tile 1 form a unimodular matrix, so that every old
//! iteration is one new one; the others count tiles, one loop more each.
//!
//! ```text
//! affine.for %i = 0 to 8 {                  affine.for %w = 0 to 23 {
//!   affine.for %j = 0 to 16 {         ⇒       affine.for %k = max(0, %w - 15) to min(8, %w + 1) {
//!     S(%i, %j)                                 S(%k, %w - %k)
//! ```
//!
//! for the dimensions `i + j` and `i`. Legal where no two dependent iterations change places (M. E.
//! Wolf and M. S. Lam, "A loop transformation theory and an algorithm to maximize parallelism",
//! 1991): with `s` before `t` in the old order and both touching one element, one of them writing,
//! `schedule(t)` must not be lexicographically less than `schedule(s)`. The dependence analysis
//! tests this for every pair of accesses, every loop that may carry the dependence and every new
//! loop that may reverse it; an unknown answer refuses. Bounds come from projection (C. Ancourt and
//! F. Irigoin, "Scanning polyhedra with DO loops", 1991). Where they might exceed 64 bits for some
//! values from outside, a test selects the old nest or the new one.
//!
//! Beside this mechanism, [`text`] reads and prints schedules of named loops, and [`replay()`](replay::replay)
//! is the pass `affine-schedule`, which applies them.

mod apply;
mod bounds;
mod legality;
mod matrix;
pub mod replay;
pub mod text;

use gridloom_dialects::affine::ForOp;
use gridloom_ir::affine::AffineOp;
use gridloom_ir::{AffineExpr, Body, Diagnostic, Loc, OpId};

use super::affine_loop_permute::perfect_nest;
use crate::analysis::access::Access;
use crate::analysis::counter::counters;
use crate::analysis::dependence::{Dependence, Dependences};
use crate::analysis::domain::{Constraint, exact_counter_constraints};
use crate::analysis::opaque::Opaque;
use crate::analysis::parallel::{MAX_ACCESSES, dependence_notes};
use crate::analysis::values::Atom;
pub use apply::Rescheduled;
pub use legality::{CarriedDependence, carried_dependences};

/// Dimension: one loop of a schedule, `Σ coefficient·(x floordiv tile) + shift`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dimension {
    /// Coefficient of each old loop's counter, outermost first.
    pub coefficients: Vec<i64>,
    /// Constant added to the sum.
    pub shift: i64,
    /// Tile size: iterations of each old loop that count as one, at least 1.
    pub tile: i64,
}

/// Schedule: the loops of a new nest, outermost first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// Basis of the dimensions, each counter as a sum of the old ones.
    basis: Vec<Vec<i64>>,
    dimensions: Vec<Dimension>,
    /// Positions of the dimensions of tile 1.
    points: Vec<usize>,
    /// Inverse matrix of their coefficients: row `k` gives old counter `k`.
    inverse: Vec<Vec<i64>>,
    /// Number of loops behind the outermost that become `affine.parallel`.
    parallel: usize,
}

/// Limit of coefficients, shifts and tile sizes: products stay far from 64 bits.
const MAX_ENTRY: i64 = 1 << 20;

impl Schedule {
    /// The schedule with these dimensions; `None` where those of tile 1 form no unimodular matrix,
    /// or an entry is out of bounds.
    pub fn new(dimensions: Vec<Dimension>) -> Option<Self> {
        let depth = dimensions.first()?.coefficients.len();
        let unit = |k: usize| (0..depth).map(|j| i64::from(j == k)).collect();
        Schedule::in_basis((0..depth).map(unit).collect(), dimensions)
    }

    /// The schedule with dimensions over the counters of a basis: each row of the unimodular
    /// `basis` gives one as a combination of the old counters. Tiles may thus be parallelepipeds of
    /// old iterations.
    pub fn in_basis(basis: Vec<Vec<i64>>, dimensions: Vec<Dimension>) -> Option<Self> {
        let is_small = |number: i64| (-MAX_ENTRY..=MAX_ENTRY).contains(&number);
        let is_fine = |d: &Dimension| {
            (1..=MAX_ENTRY).contains(&d.tile)
                && is_small(d.shift)
                && d.coefficients.iter().all(|&c| is_small(c))
        };
        if !dimensions.iter().all(is_fine) || !basis.iter().flatten().all(|&c| is_small(c)) {
            return None;
        }
        let is_point = |&d: &usize| dimensions[d].tile == 1;
        let points: Vec<usize> = (0..dimensions.len()).filter(is_point).collect();
        let rows: Vec<&[i64]> = (points.iter())
            .map(|&d| &dimensions[d].coefficients[..])
            .collect();
        let inverse = matrix::unimodular_inverse(&rows).filter(|inverse| !inverse.is_empty())?;
        let rows: Vec<&[i64]> = basis.iter().map(|row| &row[..]).collect();
        let inverse = matrix::product(&matrix::unimodular_inverse(&rows)?, &inverse)?;
        Some(Schedule {
            basis,
            dimensions,
            points,
            inverse,
            parallel: 0,
        })
    }

    /// Makes `count` loops after the outermost `affine.parallel`. The caller has proved that the
    /// outermost loop carries every dependence between their iterations.
    #[must_use]
    pub fn with_parallel(self, count: usize) -> Self {
        Schedule {
            parallel: count,
            ..self
        }
    }

    /// The unimodular transformation with these rows and shifts.
    pub fn unimodular(rows: &[Vec<i64>], shifts: &[i64]) -> Option<Self> {
        let dimension = |(k, row): (usize, &Vec<i64>)| Dimension {
            coefficients: row.clone(),
            shift: shifts.get(k).copied().unwrap_or(0),
            tile: 1,
        };
        Schedule::new(rows.iter().enumerate().map(dimension).collect())
    }

    /// The number of old loops.
    pub fn depth(&self) -> usize {
        self.inverse.len()
    }
}

/// Nest to be rescheduled: its loops, statements and domain.
pub struct Nest {
    /// The loops, outermost first.
    pub loops: Vec<ForOp>,
    /// Statements before inner loops, which move into the innermost.
    before: Vec<OpId>,
    /// Iteration domain, over atoms.
    domain: Vec<Constraint>,
    /// The old counters: the induction variable where the step is 1, else the number
    /// of steps from the lower bound.
    counters: Vec<AffineExpr>,
    /// Lower bound and step of each loop whose step is not 1, as needed for its induction variable.
    strides: Vec<Option<(AffineExpr, i64)>>,
}

impl Nest {
    /// The outermost `depth` loops of the perfect nest at `root`.
    ///
    /// # Errors
    /// There are fewer, or their bounds are not known exactly.
    pub fn new(deps: &mut Dependences, root: ForOp, depth: usize) -> Result<Self, Refusal> {
        if deps.values.body[root.0].num_results() > 0 {
            return Err(Refusal::Carries);
        }
        let (mut loops, before) = perfect_nest(deps, root);
        if loops.len() < depth || depth == 0 {
            return Err(Refusal::Shallow(loops.len()));
        }
        loops.truncate(depth);
        let values = &mut deps.values;
        let (ctx, body) = (values.ctx, values.body);
        let innermost = loops[depth - 1];
        let is_above = |&op: &OpId| !body.is_ancestor(innermost.0, op);
        let before: Vec<OpId> = before.into_iter().filter(is_above).collect();
        let mut nest = Nest {
            loops,
            before,
            domain: Vec::new(),
            counters: Vec::new(),
            strides: Vec::new(),
        };
        for &l in &nest.loops {
            for counter in counters(body, l.0) {
                let exact = exact_counter_constraints(values, counter);
                nest.domain.extend(exact.ok_or(Refusal::Bounds)?);
            }
            let iv = values.atom_expr(Atom::Value(l.induction_var(body)));
            let step = l.step(ctx, body);
            if step == 1 {
                nest.counters.push(iv);
                nest.strides.push(None);
                continue;
            }
            let lower = l.lower(ctx, body);
            let lowers = values.map_exprs(l.0, lower.map, lower.operands);
            let &[Some(lower)] = &lowers[..] else {
                return Err(Refusal::Bounds);
            };
            let distance = ctx.affine_sub(iv, lower);
            let step_expr = ctx.affine_const(step);
            let counter = ctx.affine_binary(AffineOp::FloorDiv, distance, step_expr);
            nest.counters.push(counter);
            nest.strides.push(Some((lower, step)));
        }
        Ok(nest)
    }

    /// The outermost loop.
    pub fn root(&self) -> OpId {
        self.loops[0].0
    }

    /// A dimension over atoms.
    fn dimension(
        &self,
        deps: &Dependences,
        basis: &[Vec<i64>],
        dimension: &Dimension,
    ) -> AffineExpr {
        let ctx = deps.values.ctx;
        let tile = ctx.affine_const(dimension.tile);
        let terms = basis.iter().zip(&dimension.coefficients);
        terms.fold(ctx.affine_const(dimension.shift), |sum, (row, &factor)| {
            let counter = self.sum(deps, row);
            let tiled = ctx.affine_binary(AffineOp::FloorDiv, counter, tile);
            ctx.affine_add(sum, ctx.affine_mul(tiled, ctx.affine_const(factor)))
        })
    }

    /// A sum of old counters over atoms.
    fn sum(&self, deps: &Dependences, factors: &[i64]) -> AffineExpr {
        let ctx = deps.values.ctx;
        let terms = self.counters.iter().zip(factors);
        terms.fold(ctx.affine_const(0), |sum, (&x, &factor)| {
            ctx.affine_add(sum, ctx.affine_mul(x, ctx.affine_const(factor)))
        })
    }
}

/// Plans a nest in the order of a schedule.
///
/// # Errors
/// The reason why the schedule is not legal, or not proved to be.
pub fn reschedule(
    deps: &mut Dependences,
    nest: Nest,
    schedule: &Schedule,
) -> Result<Rescheduled, Refusal> {
    if nest.loops.len() != schedule.depth() {
        return Err(Refusal::Shallow(nest.loops.len()));
    }
    legality::check(deps, &nest, schedule)?;
    Rescheduled::plan(deps, nest, schedule)
}

/// Refusal to reorder a nest.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// The nest has only this many loops.
    Shallow(usize),
    /// A loop carries values from one iteration to the next.
    Carries,
    /// The iteration domain is not known exactly.
    Bounds,
    /// Projection found no bounds that scan exactly the old iterations.
    Projection,
    /// The new bounds may exceed 64 bits.
    Wraps,
    /// A value in the bounds cannot be an operand of affine loops there.
    Operand,
    /// An operation has unknown effects.
    Opaque(Opaque),
    /// The nest has this many accesses, more than the limit of the dependence analysis.
    TooLarge(usize),
    /// The schedule reverses a dependence, or may.
    Violates(Box<[Access; 2]>, Dependence),
}

impl Refusal {
    /// Remark that begins with `start`, such as "this loop nest is not skewed", and states the
    /// refusal.
    pub fn remark(&self, body: &Body, loc: Loc, start: &str) -> Diagnostic {
        let plain = |why: &str| Diagnostic::remark(loc, format!("{start}: {why}"));
        match self {
            Refusal::Shallow(depth) => plain(&format!(
                "only {depth} of its loops are nested perfectly, without statements between that \
                 cannot move inwards"
            )),
            Refusal::Carries => plain("it carries values from one iteration to the next"),
            Refusal::Bounds => plain("its bounds are not affine, or may overflow 64 bits"),
            Refusal::Projection => plain("no bounds were found for the new loops"),
            Refusal::Wraps => plain("the bounds of the new loops may overflow 64 bits"),
            Refusal::Operand => plain(
                "the bounds of the new loops would use a value that is \
                 neither an affine dimension nor a symbol",
            ),
            Refusal::Opaque(opaque) => opaque.remark(loc, &format!("{start}: it has")),
            Refusal::TooLarge(count) => plain(&format!(
                "it has {count} accesses, and dependences are computed between at most \
                 {MAX_ACCESSES}; split the loop"
            )),
            Refusal::Violates(accesses, dependence) => {
                let what = "the new order would violate";
                dependence_notes(body, loc, [start, what], accesses, dependence)
            }
        }
    }
}
