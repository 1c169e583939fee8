//! Mapping policy: chooses which loops become a grid, and which dimension each one gets.
//!
//! A [`NestPlan`] is data. [`super::map`] carries it out and decides nothing.

use std::collections::HashSet;
use std::fmt;

use gridloom_ir::OpId;
use gridloom_ir::op::Traits;

use super::domain_test::DomainTest;
use super::matrices::Matrices;
use super::model::{self, ThreadSchedule, rounds_around};
use super::phases::{Phases, phases_in};
use super::staging::{Staging, plan_staging};
pub use super::trips::{BandLoop, Trips};
use super::trips::{band_loops, trip_range};
use super::tuned::{self, Misfit, Origin};
use super::unrolling::{Unrolled, unrolled_loops};
use super::workgroup_size::{block_size, runs_loops, spread_out};
use crate::analysis::access::{Access, accesses_below};
use crate::analysis::counter::Counter;
use crate::analysis::dependence::Dependences;
use crate::analysis::loop_kind::is_affine_loop;
use crate::analysis::parallel::verdict;
use crate::analysis::repeatable::can_repeat;
use crate::analysis::stride::stride;
use crate::analysis::values::Atom;
use crate::target::machine::Tiling;
use crate::target::{OffloadOptions, Unrolling};

/// Result of planning a nest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Planned {
    /// Mapped to a grid.
    Grid(Box<NestPlan>),
    /// A loop has no iterations.
    NeverRuns,
    /// Bounds of a loop, or counters computed from them, may exceed 64 bits.
    MayWrap,
}

/// Plan that maps a nest to a grid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NestPlan {
    /// Counters of parallel loops, outermost first, each loop the only one in
    /// the one before.
    pub band: Vec<BandLoop>,
    /// The loops (positions in the band) behind grid dimensions x, y and z;
    /// several in one dimension are linearised, outermost first.
    pub dims: [Vec<usize>; 3],
    /// Threads of a workgroup.
    pub block: [i64; 3],
    /// Neighbouring iterations of each loop of the band that one thread computes
    /// side by side: its register tile.
    pub tile: Vec<i64>,
    /// Tiles along x, y and z that one thread computes one after the other.
    pub span: [i64; 3],
    /// Lead: iterations by which the first tile along x begins before the first iteration.
    pub lead: i64,
    /// Whether the iterations of a tile along x are as many apart as a workgroup
    /// has threads along x, so that adjacent threads have adjacent iterations.
    pub is_spread: bool,
    /// Whether the workgroups stride over the range of a grid that may be too large.
    pub walks_grid: bool,
    /// Whether partial tiles, which extend beyond the last iteration, are computed point by point,
    /// apart from the full ones. Else their points beyond the last iteration repeat the first one.
    pub separates_partial_tiles: bool,
    /// Whether threads run without branches and loops: vectors of lanes that extend beyond the last iteration lie further back,
    /// and store the iterations that the vectors before leave.
    pub is_straight: bool,
    /// Register tile of partial tiles, where these are computed apart.
    pub part: Vec<i64>,
    /// Domain test around the body, where it decides which tiles are full.
    pub test: Option<DomainTest>,
    /// Number of points of a tile from which an access outside of its loops is a loop over them.
    pub rolled: Option<usize>,
    /// Inner loops of which several rounds become one.
    pub unrolled: Unrolled,
    /// Staging plan: loads that go through workgroup memory.
    pub staging: Option<Staging>,
    /// Matrix plan: sums that matrix units compute instead of threads.
    pub matrices: Option<Matrices>,
    /// Phases: inner bands that the threads of a workgroup share.
    pub phases: Option<Phases>,
    /// Source of the schedule: the model or a tuning database.
    pub origin: Origin,
}

impl NestPlan {
    /// Whether threads compute more than one iteration side by side.
    pub fn is_tiled(&self) -> bool {
        self.tile.iter().any(|&size| size > 1)
    }

    /// Whether the nest is a block that runs once, an `affine.parallel` without counters.
    pub fn is_one_iteration(&self) -> bool {
        self.band.iter().all(|l| l.trips == Trips::Constant(1))
    }

    /// The unit that runs a tile, as remarks name it.
    pub fn runner(&self) -> &'static str {
        match self.phases {
            Some(_) => "workgroup",
            None => "thread",
        }
    }

    /// Threads of a workgroup whose tiles lie side by side along a dimension. Straight threads have nothing along y where there
    /// is only one loop: rows of lanes lie along x then.
    pub fn threads_along(&self, dim: usize) -> i64 {
        match self.is_straight && self.dims[1].is_empty() {
            true if dim == 0 => self.block[0] * self.block[1],
            true => 1,
            false => self.block[dim],
        }
    }

    /// Shared span: the tiles that a thread walks in all, where it walks along x alone and the length of x is known at launch
    /// only. Of a shorter x, threads walk along y and z as well.
    pub fn shared_span(&self) -> Option<i64> {
        let is_open = |&k: &usize| matches!(self.band[k].trips, Trips::Least(..));
        let walks_x = self.span[0] > 1 && self.span[1..] == [1, 1] && self.block[1..] == [1, 1];
        (walks_x && self.dims[0].iter().any(is_open)).then_some(self.span[0])
    }

    /// Lead of a loop: iterations by which its first tile begins before the first iteration; 0
    /// except along x.
    pub fn lead(&self, k: usize) -> i64 {
        match self.dims[0] == [k] && self.run_distance(k) == 1 {
            true => self.lead,
            false => 0,
        }
    }

    /// Offset of a point of a tile from its first point, in iterations of a loop. Tiles that
    /// interleave do so by runs of iterations.
    ///
    /// ```text
    /// // tiles of 8, runs of 4, two threads
    /// thread 0:  0 1 2 3         8 9 10 11           thread 1:  4 5 6 7         12 13 14 15
    /// ```
    pub fn offset_in_tile(&self, k: usize, place: i64) -> i64 {
        let run = self.run_length(k);
        place / run * run * self.run_distance(k) + place % run
    }

    /// Neighbouring iterations of a loop that stay together in a tile whose runs lie
    /// [`NestPlan::run_distance`] runs apart.
    pub fn run_length(&self, k: usize) -> i64 {
        match &self.staging {
            Some(staging) if self.run_distance(k) > 1 => staging.run,
            _ => 1,
        }
    }

    /// Distance of two neighbours in a tile of a loop, in runs of iterations.
    pub fn run_distance(&self, k: usize) -> i64 {
        match self.is_spread && self.dims[0] == [k] {
            true => self.block[0],
            false => 1,
        }
    }
}

/// `8x4 iterations`, one number for each loop of the band, outermost first.
impl fmt::Display for NestPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes: Vec<String> = self.tile.iter().map(i64::to_string).collect();
        let is_one = self.tile[..] == [1];
        match self.span.iter().product() {
            1 if is_one => write!(f, "one iteration")?,
            1 => write!(f, "{} iterations", sizes.join("x"))?,
            span if is_one => write!(f, "{span} iterations one after the other")?,
            span => write!(
                f,
                "{} iterations, {span} such tiles one after the other",
                sizes.join("x")
            )?,
        }
        if let Some(phases) = &self.phases {
            write!(f, ", shared by {} threads", phases.lanes)?;
        }
        match &self.staging {
            Some(staging) => write!(
                f,
                " and loads through workgroup memory, {} iterations at a time",
                staging.chunk
            ),
            None => Ok(()),
        }
    }
}

/// Limit of the loops of a band; three dimensions of threads have work enough without further ones.
const MAX_BAND: usize = 6;

/// Limit of the threads along linearized dimensions.
const MAX_TOTAL: i128 = 1 << 62;

/// Plans the nest whose outermost loop is the parallel loop `root`.
pub fn plan_nest(deps: &mut Dependences, root: OpId, options: &OffloadOptions) -> Planned {
    let Some(mut band) = band_loops(deps, root, &[]) else {
        return Planned::MayWrap;
    };
    while let Some(inner) = band.last().and_then(|outer| extension(deps, outer.counter)) {
        let next = match band.len() < MAX_BAND {
            true => band_loops(deps, inner, &band),
            false => None,
        };
        let Some(next) = next else { break };
        band.extend(next);
    }
    if band
        .iter()
        .any(|l| matches!(l.trips, Trips::Constant(..=0)))
    {
        return Planned::NeverRuns;
    }
    if let Some(plan) = plan_phases(deps, &band, options) {
        let origin = tuned::unchanged(deps, &band, options, Misfit::Shared);
        return Planned::Grid(Box::new(NestPlan { origin, ..plan }));
    }
    let mut dims = assign_dims(deps, root, &band, options);
    if !totals_fit(deps, &band, &dims) {
        let left = whole_loops(&band, 3);
        if left == 0 {
            return Planned::MayWrap;
        }
        band.truncate(left);
        dims = assign_dims(deps, root, &band, options);
    }
    let origin = match tuned::planned(deps, &band, options) {
        Ok(plan) => return Planned::Grid(Box::new(plan)),
        Err(origin) => origin,
    };
    let ThreadSchedule {
        tile,
        span,
        lead,
        is_spread,
        separates_partial_tiles,
        part,
        test,
        unrolling,
        straight,
    } = model::schedule(deps, &band, &dims, options);
    let staged = (straight.is_none() && !separates_partial_tiles && lead == 0 && span == [1; 3])
        .then(|| plan_staging(deps, &band, &dims, &tile, options))
        .flatten();
    let (staging, tile, block) = match (staged, straight) {
        (Some(chosen), _) => (Some(chosen.staging), chosen.tile, chosen.block),
        (None, Some(rows)) => (None, tile, [options.workgroup[0][0], rows, 1]),
        (None, None) => {
            let used = dims.iter().filter(|loops| !loops.is_empty()).count();
            let wanted = options.workgroup[used.saturating_sub(1).min(2)];
            let block = block_size(&band, &dims, &tile, wanted, options.max_threads);
            let block = spread_out(deps, &band, &dims, &tile, block, options);
            (None, tile, block)
        }
    };
    let unrolled = unrolled(deps, &band, &tile, &staging, unrolling);
    Planned::Grid(Box::new(NestPlan {
        band,
        dims,
        block,
        tile,
        span,
        lead,
        is_spread,
        walks_grid: options.walks_grid,
        separates_partial_tiles,
        is_straight: straight.is_some(),
        part,
        test,
        rolled: rolled(&staging, options),
        unrolled,
        staging,
        matrices: None,
        phases: None,
        origin,
    }))
}

/// Number of points from which accesses are rolled; `None` where loads are staged, since these
/// write their own loops.
pub(super) fn rolled(staging: &Option<Staging>, options: &OffloadOptions) -> Option<usize> {
    options.rolled.filter(|_| staging.is_none())
}

/// Inner loops to unroll; none where loads are staged, since these write their own loops.
pub(super) fn unrolled(
    deps: &mut Dependences,
    band: &[BandLoop],
    tile: &[i64],
    staging: &Option<Staging>,
    unrolling: Unrolling,
) -> Unrolled {
    match staging {
        Some(_) => Unrolled::new(),
        None => unrolled_loops(deps, band, tile, unrolling),
    }
}

/// Plans one workgroup for each iteration of a nest whose inner bands its threads can share.
fn plan_phases(
    deps: &mut Dependences,
    band: &[BandLoop],
    options: &OffloadOptions,
) -> Option<NestPlan> {
    let last = band.last()?.counter;
    let phases = phases_in(&deps.values, last, options.max_threads)?;
    let (inner, outer) = (band.len() - 1, (0..band.len() - 1).collect());
    // Threads along x, one row along y.
    let dims = [Vec::new(), vec![inner], outer];
    totals_fit(deps, band, &dims).then(|| NestPlan {
        band: band.to_vec(),
        dims,
        block: [phases.lanes, 1, 1],
        tile: vec![1; band.len()],
        span: [1; 3],
        lead: 0,
        is_spread: options.is_spread,
        walks_grid: options.walks_grid,
        separates_partial_tiles: false,
        is_straight: false,
        part: vec![1; band.len()],
        test: None,
        rolled: None,
        unrolled: Unrolled::new(),
        staging: None,
        matrices: None,
        phases: Some(phases),
        origin: Origin::Model,
    })
}

/// The greatest number of counters, up to `most`, that does not split the counters of an
/// `affine.parallel`.
fn whole_loops(band: &[BandLoop], most: usize) -> usize {
    let ends_loop = |&count: &usize| match (band.get(count.wrapping_sub(1)), band.get(count)) {
        (Some(last), Some(next)) => last.counter.op != next.counter.op,
        _ => true,
    };
    (0..=most.min(band.len()))
        .rev()
        .find(ends_loop)
        .unwrap_or(0)
}

/// Whether the trip counts of all loops in a dimension have a product that fits. Where all trip
/// counts are exact, the program itself runs that many iterations, so the product fits.
pub(super) fn totals_fit(
    deps: &mut Dependences,
    band: &[BandLoop],
    dims: &[Vec<usize>; 3],
) -> bool {
    let mut fits = |loops: &Vec<usize>| {
        if loops.len() < 2 || loops.iter().all(|&k| is_exact_symbolic(&band[k])) {
            return true;
        }
        let mut total = 1i128;
        for &k in loops {
            let most = match &band[k].trips {
                Trips::Constant(trips) => Some(i128::from(*trips)),
                Trips::Least(exprs, atoms) => {
                    trip_range(deps, band[k].counter, exprs, atoms).map(|range| range.most)
                }
            };
            let product = most.and_then(|most| total.checked_mul(most));
            total = match product.filter(|&product| product <= MAX_TOTAL) {
                Some(product) => product,
                None => return false,
            };
        }
        true
    };
    dims.iter().all(&mut fits)
}

fn is_exact_symbolic(l: &BandLoop) -> bool {
    l.is_exact && matches!(l.trips, Trips::Least(..))
}

/// The parallel loop that forms the body of `outer` together with statements in front of it that
/// each thread can repeat.
fn extension(deps: &mut Dependences, outer: Counter) -> Option<OpId> {
    let body = deps.values.body;
    let block = outer.block(body);
    let ops: Vec<OpId> = body.ops(block).collect();
    let (&last, rest) = ops.split_last()?;
    let (&inner, before) = rest.split_last()?;
    let is_last = is_affine_loop(body, inner) && body[last].name.has(Traits::TERMINATOR);
    // The statements in front of the loop become part of every thread.
    let extends = is_last && verdict(deps, inner).is_parallel() && can_repeat(deps, before, inner);
    extends.then_some(inner)
}

/// Adjacent threads of x should touch adjacent elements, so the loop that most
/// accesses are contiguous in goes there; the others follow, inner ones first. A loop that leaves
/// most lanes idle goes there only if all do: on drivers that run kernels on the CPU, whose
/// workgroups are the lanes, it would take a workgroup for each of its few iterations.
fn assign_dims(
    deps: &mut Dependences,
    root: OpId,
    band: &[BandLoop],
    options: &OffloadOptions,
) -> [Vec<usize>; 3] {
    let accesses = accesses_below(&mut deps.values, root);
    let last = band.last().map_or(root, |l| l.counter.op);
    let scores = contiguity(deps, band, last, &accesses);
    let lanes = match &options.tiling {
        Tiling::Model(machine) if machine.multiprocessors.is_none() => machine.lanes,
        _ => 1,
    };
    // Half of the lanes are enough for neighbours that are only loaded and stored. Where iterations run
    // loops, those of neighbours load the same: a thread that has all neighbours loads it once.
    let least = lanes / 2 + i64::from(runs_loops(deps.values.body, band));
    let fills = |k: usize| match band[k].trips {
        Trips::Constant(trips) => trips >= least,
        // Bounds are seldom reached.
        Trips::Least(..) => band[k].most > least,
    };
    // The innermost of equally good loops.
    let best = (0..band.len()).max_by_key(|&k| (fills(k), scores[k], k));
    let best = best.unwrap_or(0);
    let mut others: Vec<usize> = (0..band.len()).filter(|&k| k != best).collect();
    let y = others.pop();
    [vec![best], y.into_iter().collect(), others]
}

/// Weight of an access that moves with all loops of a band: the tiles of the others load what they access once.
const MOVING: i64 = 8;

/// Contiguity score of each loop of a band as the one along x; accesses in loops below its `last` weigh
/// more by their rounds, and so do those that no tile shares.
fn contiguity(
    deps: &mut Dependences,
    band: &[BandLoop],
    last: OpId,
    accesses: &[Access],
) -> Vec<i64> {
    let mut scores = vec![0; band.len()];
    for access in accesses {
        let strides: Vec<Option<i64>> = (band.iter())
            .map(|l| stride_along(deps, l, access))
            .collect();
        let mut weight = rounds_around(deps, access.op, last, &HashSet::new()).0;
        if !strides.contains(&Some(0)) {
            weight *= MOVING;
        }
        for (score, stride) in scores.iter_mut().zip(strides) {
            *score += match stride {
                Some(1 | -1) => 4 * weight,
                Some(0) => weight,
                _ => 0,
            };
        }
    }
    scores
}

/// Distance of the elements of adjacent iterations of a loop.
fn stride_along(deps: &mut Dependences, l: &BandLoop, access: &Access) -> Option<i64> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let iv = Atom::Value(l.counter.induction_var(body));
    let iv = deps.values.atom_number(iv);
    stride(deps, access, iv)?.checked_mul(l.counter.step(ctx, body))
}
