//! `affine-loop-wavefront`: skews nests without a parallel loop so that all
//! inner ones are (L. Lamport, "The parallel execution of DO loops", 1974).
//!
//! ```text
//! affine.for %i = 1 to %m {                   affine.for %w = 2 to %m + %n - 1 {
//!   affine.for %j = 1 to %n {           ⇒       affine.parallel (%i) = max(1, %w - %n + 1) to min(%m, %w) {
//!     %a[%i, %j] = f(%a[%i - 1, %j],              %a[%i, %w - %i] = …
//!                    %a[%i, %j - 1])
//! ```
//!
//! The outermost loop counts a *hyperplane* `Σ c·x` that is greater wherever a dependence ends than
//! where it begins; from the innermost loop outwards, each factor is the least that suffices for
//! the dependences its loop carries. Legal as [`affine_schedule`](super::affine_schedule) shows it;
//! the inner loops become `affine.parallel`, since no dependence is left between their iterations.
//!
//! It is done where it pays. With `n` iterations of `o` operations in `w`
//! wavefronts on a device that runs `t` threads, the host needs `n · o`, the device
//!
//! ```text
//! w · (launch + o · max(1, n / (w · t)))
//! ```
//!
//! and of the outer loops of the nest as many are taken as make this least. Where
//! tiles of the nest can run as a whole, wavefronts of tiles are fewer launches of
//! more work each:
//!
//! ```text
//! affine.for %w = 0 to …                          diagonals of tiles of 8 by 8
//!   affine.parallel (%t) = max(0, …) to min(…, %w + 1)
//!     affine.for %i = %t * 8 to …
//!       affine.for %j = (%w - %t) * 8 to …
//! ```

use std::fmt;

use gridloom_dialects::affine::{self, ForOp};
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Context, Diagnostic, Diagnostics, Module, OpId};

use super::affine_guard_overflow::is_fallback;
use super::affine_imperfect_interchange::statement::collected;
use super::affine_loop_permute::perfect_nest;
use super::affine_loop_unimodular::{Planned, reschedule_module};
use super::affine_schedule::{
    CarriedDependence, Dimension, Nest, Refusal, Schedule, carried_dependences, reschedule,
};
use crate::analysis::access::{Place, accesses_of};
use crate::analysis::dependence::Dependences;
use crate::analysis::eligible::obstacle;
use crate::analysis::loop_kind::is_affine_loop;
use crate::analysis::parallel::verdict;
use crate::analysis::values::Atom;
use crate::target::{LaunchCost, OffloadOptions};

/// Limit of the loops of a nest that a hyperplane cuts.
const MAX_DEPTH: usize = 4;

/// Limit of the factors of a hyperplane that are tried.
const MAX_FACTOR: i64 = 8;

/// Tile sizes that are tried, in iterations of each loop.
const TILES: [i64; 4] = [4, 8, 16, 32];

/// Assumed trip count of a loop whose number of iterations is unknown.
const SOME_TRIPS: f64 = 512.0;

/// Skews the nests of the host functions of a module for which it pays. Returns whether
/// anything changed, and remarks on these nests and on those for which it would not pay.
pub fn skew_module(
    ctx: &Context,
    module: &mut Module,
    options: &OffloadOptions,
) -> (bool, Diagnostics) {
    let plan = |deps: &mut Dependences, root| plan(deps, root, options);
    reschedule_module(ctx, module, plan, |_, _| {})
}

/// Whether the nest at `root` is one that [`skew_module`] skews.
pub(super) fn runs_as_wavefronts(
    deps: &mut Dependences,
    root: ForOp,
    options: &OffloadOptions,
) -> bool {
    matches!(plan(deps, root, options), Planned::Replace(..))
}

fn plan(deps: &mut Dependences, root: ForOp, options: &OffloadOptions) -> Planned {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let (mut loops, before) = perfect_nest(deps, root);
    if is_fallback(body, root.0) {
        return Planned::Done(None);
    }
    if sums_one_element(deps, &loops, &before) {
        return Planned::GoInside(None);
    }
    loops.truncate(MAX_DEPTH);
    if loops.len() < 2 || has_parallel_loop(deps, root.0) {
        return Planned::GoInside(None);
    }
    if obstacle(ctx, body, root.0, options.target.as_ref()).is_some() {
        return Planned::GoInside(None);
    }
    let loc = body[root.0].loc;
    let best = match cheapest(deps, root, &loops, options) {
        Ok(Some(best)) => best,
        Err(why @ Refusal::TooLarge(_)) => {
            let start = "this loop nest keeps its order";
            return Planned::GoInside(Some(why.remark(body, loc, start)));
        }
        Ok(None) | Err(_) => return Planned::GoInside(None),
    };
    if !best.pays() {
        let message = format!(
            "this loop nest keeps its order: {best} would make its inner loops parallel, but \
             would not pay by the cost model"
        );
        return Planned::Done(Some(Diagnostic::remark(loc, message)));
    }
    let planned = Nest::new(deps, root, best.factors.len())
        .and_then(|nest| reschedule(deps, nest, &best.schedule()?));
    match planned {
        Ok(plan) => {
            let message = format!("this loop nest runs as {best}");
            Planned::Replace(Box::new(plan), Some(Diagnostic::remark(loc, message)))
        }
        Err(why) => {
            let start = format!(
                "{best} would make loops of this nest parallel, but the nest keeps its order"
            );
            Planned::Done(Some(why.remark(body, loc, &start)))
        }
    }
}

/// Whether all that a nest does is to combine one element with values: no order of its iterations is parallel.
fn sums_one_element(deps: &mut Dependences, loops: &[ForOp], before: &[OpId]) -> bool {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let innermost = loops.last().map(|l| l.block(body));
    let inside = innermost.into_iter().flat_map(|block| body.ops(block));
    let inside = inside.filter(|&op| body[op].name != affine::YIELD);
    let ops: Vec<OpId> = before.iter().copied().chain(inside).collect();
    let Some(update) = collected(ctx, body, &ops) else {
        return false;
    };
    let mut accesses = Vec::new();
    accesses_of(&mut deps.values, update.store, &mut accesses);
    let counters: Vec<u32> = (loops.iter())
        .map(|l| deps.values.atom_number(Atom::Value(l.induction_var(body))))
        .collect();
    accesses.iter().all(|access| match &access.place {
        Place::Element { coords, .. } => coords.iter().all(|&coord| {
            let mut factors = counters
                .iter()
                .map(|&at| deps.values.coefficient(coord, at));
            factors.all(|factor| factor == Some(0))
        }),
        _ => false,
    })
}

/// Whether a loop or one inside of it is parallel.
fn has_parallel_loop(deps: &mut Dependences, root: OpId) -> bool {
    let body = deps.values.body;
    let ops = body.walk_op(root);
    ops.into_iter()
        .any(|op| is_affine_loop(body, op) && verdict(deps, op).is_parallel())
}

/// Wavefront schedule of the outermost loops of a nest.
struct Wavefronts {
    /// The hyperplane: a factor for each counter of the basis.
    factors: Vec<i64>,
    /// Basis of the tiles and factors: each counter as a sum of loop counters.
    basis: Vec<Vec<i64>>,
    /// Tile size: the values of each counter that are one point of the hyperplane.
    tile: i64,
    /// Estimated number of wavefronts.
    count: f64,
    /// Cost of all wavefronts, in operations of the host.
    cost: f64,
    /// Cost of the nest on the host, in the same unit.
    host: f64,
}

impl Wavefronts {
    fn pays(&self) -> bool {
        self.cost < self.host
    }

    /// The schedule: the hyperplane, then the loops but the last, whose counter is determined by
    /// the others; with tiles, the same of tile counters, then the loops.
    fn schedule(&self) -> Result<Schedule, Refusal> {
        let depth = self.factors.len();
        let dimension = |coefficients: Vec<i64>, tile: i64| Dimension {
            coefficients,
            shift: 0,
            tile,
        };
        let mut dimensions = vec![dimension(self.factors.clone(), self.tile)];
        dimensions.extend((0..depth - 1).map(|k| dimension(unit(k, depth), self.tile)));
        if self.tile > 1 {
            dimensions.extend((0..depth).map(|k| dimension(unit(k, depth), 1)));
        }
        let schedule = Schedule::in_basis(self.basis.clone(), dimensions);
        // Different iterations, or tiles, of one wavefront are independent: along a dependence the
        // hyperplane grows, or all tile counters stay the same.
        let schedule = schedule.map(|schedule| schedule.with_parallel(depth - 1));
        schedule.ok_or(Refusal::Projection)
    }
}

/// Row `k` of an identity matrix.
fn unit(k: usize, depth: usize) -> Vec<i64> {
    (0..depth).map(|j| i64::from(j == k)).collect()
}

fn identity(depth: usize) -> Vec<Vec<i64>> {
    (0..depth).map(|k| unit(k, depth)).collect()
}

/// `about 1046 wavefronts along the hyperplane (2, 1)`
impl fmt::Display for Wavefronts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let factors: Vec<String> = self.factors.iter().map(i64::to_string).collect();
        write!(f, "about {:.0} wavefronts", self.count)?;
        if self.tile > 1 {
            write!(f, " of tiles of {} iterations of each loop", self.tile)?;
        }
        write!(f, " along the hyperplane ({})", factors.join(", "))
    }
}

/// The cheapest wavefronts by the cost formula; none if no hyperplane carries all dependences.
///
/// # Errors
/// The nest cannot be reordered, or has too many accesses for its dependences to be computed.
fn cheapest(
    deps: &mut Dependences,
    root: ForOp,
    loops: &[ForOp],
    options: &OffloadOptions,
) -> Result<Option<Wavefronts>, Refusal> {
    let nest = Nest::new(deps, root, loops.len())?;
    let dependences = carried_dependences(deps, &nest)?;
    let mut best: Option<Wavefronts> = None;
    let mut consider = |found: Wavefronts| {
        if best.as_ref().is_none_or(|best| found.cost < best.cost) {
            best = Some(found);
        }
    };
    for depth in 2..=loops.len() {
        let Some(factors) = hyperplane(deps, &nest, &dependences, depth) else {
            continue;
        };
        consider(estimate(
            deps,
            loops,
            factors,
            identity(depth),
            1,
            options.launch_cost,
        ));
        if let Some(basis) = forward_basis(deps, &nest, &dependences, depth) {
            for tile in TILES {
                let (factors, basis) = (vec![1; depth], basis.clone());
                consider(estimate(
                    deps,
                    loops,
                    factors,
                    basis,
                    tile,
                    options.launch_cost,
                ));
            }
        }
    }
    Ok(best)
}

/// The hyperplane's factors, which carry all dependences of the outermost loops.
fn hyperplane(
    deps: &mut Dependences,
    nest: &Nest,
    dependences: &[CarriedDependence],
    depth: usize,
) -> Option<Vec<i64>> {
    let mut factors = vec![0; depth];
    for level in (0..depth).rev() {
        // Dependences of a level agree in the loops further out, so their factors do not matter.
        let least = i64::from(level + 1 == depth);
        factors[level] = least_factor(deps, nest, dependences, level, least, |factor| {
            let mut tried = factors.clone();
            tried[level] = factor;
            (tried, 1)
        })?;
    }
    // The counter of the last loop is determined by the hyperplane if its factor is 1.
    (factors.last() == Some(&1)).then_some(factors)
}

/// A basis of counters along which no dependence leads backward, so that tiles of them can run as a
/// whole: each is a loop's counter plus the least multiples of outer counters.
fn forward_basis(
    deps: &mut Dependences,
    nest: &Nest,
    dependences: &[CarriedDependence],
    depth: usize,
) -> Option<Vec<Vec<i64>>> {
    let mut basis = identity(depth);
    for (k, row) in basis.iter_mut().enumerate() {
        for level in (0..=k).rev() {
            row[level] = least_factor(deps, nest, dependences, level, row[level], |factor| {
                let mut tried = row.clone();
                tried[level] = factor;
                (tried, 0)
            })?;
        }
    }
    Some(basis)
}

/// The least factor under which every dependence carried by the loop at `level` advances far enough
/// along a sum of counters; `sum` gives that sum for a factor, and how far is enough.
fn least_factor(
    deps: &mut Dependences,
    nest: &Nest,
    dependences: &[CarriedDependence],
    level: usize,
    least: i64,
    sum: impl Fn(i64) -> (Vec<i64>, i64),
) -> Option<i64> {
    (least..=MAX_FACTOR).find(|&factor| {
        let (factors, distance) = sum(factor);
        let mut carried = dependences
            .iter()
            .filter(|dependence| dependence.level == level);
        carried.all(|dependence| dependence.leads_forward(deps, nest, &factors, distance))
    })
}

/// Wavefronts of tiles along a hyperplane, with their estimated number and cost.
///
/// ```text
/// count = 1 + Σ factor * (tiles - 1)                 over the counters of the basis
/// cost  = count * (launch + work of a wavefront / min(threads, its tiles))
/// ```
fn estimate(
    deps: &Dependences,
    loops: &[ForOp],
    factors: Vec<i64>,
    basis: Vec<Vec<i64>>,
    tile: i64,
    cost: LaunchCost,
) -> Wavefronts {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let trips = |l: &ForOp| match l.constant_trip_count(ctx, body) {
        Some(trips) => trips as f64,
        None => SOME_TRIPS,
    };
    let depth = factors.len();
    let work = operations(body, loops[depth - 1], &trips);
    let iterations: f64 = loops[..depth].iter().map(&trips).product();
    // Number of tiles along each counter of the basis.
    let tiles = basis.iter().map(|row| {
        let extents = row.iter().zip(loops);
        let extents = extents.map(|(&c, l)| c as f64 * (trips(l) - 1.0).max(0.0));
        ((extents.sum::<f64>() + 1.0) / tile as f64).ceil()
    });
    let steps = tiles.zip(&factors);
    let count = steps.fold(1.0, |sum, (tiles, &c)| sum + c as f64 * (tiles - 1.0));
    let volume = (tile as f64).powi(depth as i32);
    // Tiles of a wavefront, each of which is a thread.
    let points = (iterations / volume / count).max(1.0);
    let cost = count * cost.time(work * volume * points, points);
    Wavefronts {
        factors,
        basis,
        tile,
        count,
        cost,
        host: iterations * work,
    }
}

/// Number of operations of an iteration of a loop, those in inner loops multiplied by the trip
/// counts.
fn operations(body: &Body, of: ForOp, trips: &impl Fn(&ForOp) -> f64) -> f64 {
    let mut sum = 0.0;
    for op in body.walk_op(of.0).into_iter().skip(1) {
        if body[op].name.has(Traits::TERMINATOR) || body[op].name.has(Traits::CONSTANT_LIKE) {
            continue;
        }
        let mut times = 1.0;
        let mut around = body.parent_op(op);
        while let Some(outer) = around.filter(|&outer| outer != of.0) {
            if let Some(l) = ForOp::cast(body, outer) {
                times *= trips(&l);
            }
            around = body.parent_op(outer);
        }
        sum += times;
    }
    sum.max(1.0)
}
