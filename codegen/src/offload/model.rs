//! Cost model of a thread's schedule: what a thread of a target gains from a register tile.
//!
//! The cost of a tile is the work of one thread over the iterations it does,
//!
//! ```text
//! cost(t) = (thread / span + Σ_b trips(b) · (loop + Σ loads, stores, arithmetic of b)) / (points · use)
//! ```
//!
//! over the blocks `b` below the band. Where a tile has little to do, a thread computes `span`
//! of them one after the other. Accesses that touch one element at
//! several points of the tile are counted once, which is all that makes a tile
//! worth it: a contraction is whatever has such reuse. An access costs by how
//! adjacent threads see it: all one element, neighbours, or elements apart; by
//! whether four elements of a tile are one access; and more where there are more
//! of them than a thread has room for.
//! `use` is the share of points that are iterations. Tiles that take more
//! registers or code than the target bears, or leave fewer threads than keep it
//! busy, are out.

mod limit;
mod partial_tiles;
mod rounds;
mod search;
mod span;
mod straight;
mod streaming;
mod tiling_obstacles;

use std::collections::{BTreeMap, HashSet};

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::{arith, gridloom, memref, scf};
use gridloom_ir::{OpId, Value};

use super::access_group::{Group, NEIGHBOURS, OTHER, WIDE, moves};
use super::alignment::is_aligned;
use super::domain_test::DomainTest;
use super::jam::split::{can_split, varied_ends};
use super::plan::{BandLoop, Trips};
use super::variance::{Mask, Variance};
use crate::analysis::access::{Access, CoordSpace, Place, accesses_below};
use crate::analysis::dependence::Dependences;
use crate::analysis::eligible::element_count;
use crate::analysis::stride::stride;
use crate::analysis::update::updates_below;
use crate::analysis::values::Atom;
use crate::target::machine::{Machine, Tiling};
use crate::target::{OffloadOptions, Unrolling};
pub use limit::Limit;
pub(super) use rounds::rounds_around;
use rounds::{MOST_ROUNDS, control, has_known_rounds, rounds, turns_pages, windows};
pub(super) use straight::is_straight_operation;
pub use tiling_obstacles::{TilingObstacle, tiling_obstacles};

/// Code size of the bounds check of an access not proved in range, in operations that the driver has
/// to compile: a branch, a merge, the report of the fault. On a body with a hundred of them
/// SwiftShader runs out of memory, and lavapipe takes twenty seconds.
pub(super) const GUARD: i64 = 24;

/// Limit of the nesting depth of loops and branches that are jammed.
const MAX_DEPTH: usize = 64;

/// Schedule of a thread: its register tile, and how many tiles it walks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadSchedule {
    /// Register tile: iterations of each loop that a thread computes side by side.
    pub tile: Vec<i64>,
    /// Tiles that a thread walks along x, y and z, one after the other.
    pub span: [i64; 3],
    /// Lead: iterations by which the first tile along x begins before the first iteration; 0 unless
    /// partial tiles are computed apart.
    pub lead: i64,
    /// Whether the points of a tile along x are a workgroup's threads apart: adjacent threads have adjacent points.
    pub is_spread: bool,
    /// Whether partial tiles are done apart, point by point, which saves the selection of points.
    pub separates_partial_tiles: bool,
    /// Register tile of partial tiles, where these are computed apart.
    pub part: Vec<i64>,
    /// Domain test that decides whether tiles are full.
    pub test: Option<DomainTest>,
    /// Limits of unrolled inner loops.
    pub unrolling: Unrolling,
    /// Rows of lanes in a workgroup of straight threads, which have no branches and loops; `None` for other threads.
    pub straight: Option<i64>,
}

/// The best schedule by the model for a band whose loops are assigned to grid dimensions as in
/// `dims`.
pub fn schedule(
    deps: &mut Dependences,
    band: &[BandLoop],
    dims: &[Vec<usize>; 3],
    options: &OffloadOptions,
) -> ThreadSchedule {
    let plain = ThreadSchedule {
        tile: vec![1; band.len()],
        span: [1; 3],
        lead: 0,
        is_spread: options.is_spread,
        separates_partial_tiles: false,
        part: vec![1; band.len()],
        test: None,
        unrolling: options.unrolling,
        straight: None,
    };
    if options.tiling.is_one_iteration() {
        return plain;
    }
    let Some(mut nest) = Nest::new(deps, band, dims, options.is_spread) else {
        return plain;
    };
    // A tile that extends beyond the last iteration repeats a point, and operations that do not
    // vary with a tiled loop run once for all points; an atomic update has to run exactly once for
    // each iteration. A thread may run several iterations one after the other.
    if let Some(outer) = band.first()
        && updates_below(deps.values.body, outer.counter.op)
    {
        if let Tiling::Model(machine) = &options.tiling {
            let span = nest.span(&plain.tile, nest.work(&plain.tile, machine), machine);
            return ThreadSchedule { span, ..plain };
        }
        return plain;
    }
    match &options.tiling {
        Tiling::Fixed(sizes) => {
            let mut tile = plain.tile.clone();
            for (loops, &size) in dims.iter().zip(sizes) {
                if let Some(&k) = loops.last()
                    && nest.may_tile[k]
                {
                    tile[k] = size;
                }
            }
            ThreadSchedule {
                separates_partial_tiles: nest.separates_partial_tiles(&tile),
                part: nest.part(&tile),
                test: nest.test_of(&tile),
                tile,
                ..plain
            }
        }
        Tiling::Model(machine) => {
            if let Some(straight) = nest.straight_schedule(deps, machine) {
                return straight;
            }
            match nest.streaming_machine(machine) {
                Some(streaming) => nest.best(streaming, options.unrolling.of_streams()),
                None => nest.best(machine, options.unrolling),
            }
        }
    }
}

/// Nest as the cost model sees it.
pub(super) struct Nest<'a> {
    pub(super) band: &'a [BandLoop],
    /// The loops assigned to each dimension of the grid.
    dims: &'a [Vec<usize>; 3],
    /// The loop along which adjacent threads differ.
    pub(super) x: usize,
    /// Whether the tiles of a workgroup interleave along x.
    pub(super) is_spread: bool,
    /// The first iteration of the loop along x, where it is a constant.
    pub(super) lower: Option<i64>,
    pub(super) may_tile: Vec<bool>,
    /// The domain test.
    pub(super) test: Option<DomainTest>,
    /// Whether the points of a partial tile can be computed side by side.
    is_shared: bool,
    pub(super) groups: Vec<Group>,
    /// Number of arithmetic operations by the loops that they vary with and their execution count.
    work: BTreeMap<(Mask, i64), i64>,
    /// Number of loop rounds by the loops that they vary with and their execution count.
    pub(super) rounds: BTreeMap<(Mask, i64), i64>,
    /// Variance masks of the values that each loop carries.
    carried: Vec<Vec<Mask>>,
    /// Whether an inner loop reads rows of a large array, each element once.
    walks_pages: bool,
    /// Whether windows overlap that inner loops walk along.
    has_windows: bool,
    /// Whether the trip counts of all inner loops are known.
    has_known_rounds: bool,
    /// Split loops, whose bounds differ between points: the loops that they vary with, and the
    /// number of bounds that do.
    split: Vec<(Mask, i64)>,
}

/// Elements in a cache line.
const LINE: u64 = 16;

impl<'a> Nest<'a> {
    /// Builds the model's view of a nest; `None` if its body is too deep.
    pub(super) fn new(
        deps: &mut Dependences,
        band: &'a [BandLoop],
        dims: &'a [Vec<usize>; 3],
        is_spread: bool,
    ) -> Option<Self> {
        let test = DomainTest::of(deps, band);
        let (ctx, body) = (deps.values.ctx, deps.values.body);
        let root = band.first()?.counter.op;
        let counters: Vec<Value> = band.iter().map(|l| l.counter.induction_var(body)).collect();
        let variance = Variance::new(ctx, body, root, &counters);
        let last = band.last()?.counter.op;
        let mut nest = Nest {
            band,
            dims,
            x: *dims[0].first()?,
            is_spread,
            lower: None,
            may_tile: (tiling_obstacles(deps, band, &variance, test.as_ref().map(|test| test.op))
                .iter())
            .map(Option::is_none)
            .collect(),
            is_shared: false,
            test,
            groups: Vec::new(),
            work: BTreeMap::new(),
            rounds: BTreeMap::new(),
            carried: Vec::new(),
            walks_pages: false,
            has_windows: false,
            has_known_rounds: true,
            split: Vec::new(),
        };
        let lower = band[nest.x].counter.lower(ctx, body);
        nest.lower = lower.map.as_single_constant(ctx);
        let tiled = (0..band.len()).filter(|&k| nest.may_tile[k]);
        let tiled = tiled.fold(0, |mask, k| mask | 1 << k);
        let test = nest.test.as_ref();
        nest.is_shared = test.is_some_and(|test| test.is_shared(deps, &variance, tiled));
        let accesses = accesses_below(&mut deps.values, root);
        let windows = windows(deps, band, &accesses, last);
        nest.has_windows = !windows.is_empty();
        for access in &accesses {
            nest.add_access(deps, access, &variance, last, &windows);
        }
        for &op in &body.walk_op(last)[1..] {
            let (weight, depth) = rounds_around(deps, op, last, &windows);
            if depth > MAX_DEPTH {
                return None;
            }
            let data = &body[op];
            if matches!(data.name, affine::FOR | scf::FOR | scf::WHILE) {
                let inside = weight
                    .saturating_mul(rounds(deps, op, &windows))
                    .min(MOST_ROUNDS);
                let mut mask = variance.of_op(body, op);
                if mask & tiled != 0 && can_split(ctx, body, op) {
                    let ends = varied_ends(ctx, body, ForOp(op), &variance, tiled);
                    let ends = ends.into_iter().filter(|&varied| varied);
                    nest.split.push((mask & tiled, ends.count() as i64));
                    mask &= !tiled;
                }
                nest.has_known_rounds &= has_known_rounds(ctx, body, op);
                *nest.rounds.entry((mask, inside)).or_default() += 1;
                nest.carried
                    .push(data.results().map(|v| variance.of(v)).collect());
            } else if data.num_results() > 0
                && data.inline_regions().is_empty()
                && !matches!(data.name, affine::LOAD | memref::LOAD | arith::CONSTANT)
            {
                // A kernel computes the elements of a vector one by one.
                let elements = data
                    .results()
                    .map(|v| element_count(ctx, body.ty(v)).unwrap_or(1));
                *nest
                    .work
                    .entry((variance.of_op(body, op), weight))
                    .or_default() += elements.max().unwrap_or(1);
            }
        }
        Some(nest)
    }

    fn add_access(
        &mut self,
        deps: &mut Dependences,
        access: &Access,
        variance: &Variance,
        last: OpId,
        windows: &HashSet<OpId>,
    ) {
        let (weight, _) = rounds_around(deps, access.op, last, windows);
        let mask = variance.of_op(deps.values.body, access.op);
        let ivs: Vec<u32> = (self.band.iter())
            .map(|l| {
                let iv = l.counter.induction_var(deps.values.body);
                deps.values.atom_number(Atom::Value(iv))
            })
            .collect();
        let steps: Vec<i64> = (self.band.iter())
            .map(|l| l.counter.step(deps.values.ctx, deps.values.body))
            .collect();
        let along = stride(deps, access, ivs[self.x]).and_then(|s| s.checked_mul(steps[self.x]));
        let test = self.test.as_ref().map(|test| test.op);
        let differs_along_x = |mask: Mask| mask >> self.x & 1 == 1;
        let class = match along {
            // A loop whose start varies with the lane is taken to start at neighbouring elements.
            Some(0)
                if !differs_along_x(mask)
                    && differs_along_x(control(deps, access.op, last, variance, test)) =>
            {
                1
            }
            Some(0) if !differs_along_x(mask) => 0,
            Some(1) => 1,
            _ => OTHER,
        };
        let whole: Mask = (1 << self.band.len()) - 1;
        self.walks_pages |= class == NEIGHBOURS
            && !access.is_write
            && mask | control(deps, access.op, last, variance, test) == whole
            && turns_pages(deps, access, last);
        let mut group = Group {
            root: None,
            x: self.x,
            is_spread: self.is_spread,
            moves: Vec::new(),
            offsets: HashSet::from([Vec::new()]),
            mask,
            weight,
            class,
            has_own_cache_lines: along.is_some_and(|stride| stride.unsigned_abs() >= LINE),
            is_aligned: false,
            is_write: access.is_write,
            is_guarded: !gridloom::is_in_bounds(deps.values.ctx, &deps.values.body[access.op]),
        };
        if let Place::Element {
            root: crate::analysis::alias::Root::Value(root),
            space: CoordSpace::Indices | CoordSpace::Linear,
            coords,
        } = &access.place
            && let Some(moves) = moves(deps, coords, &ivs, &steps)
        {
            let (bases, offset): (Vec<_>, Vec<_>) = coords
                .iter()
                .map(|&coord| coord.split_constant(deps.values.ctx))
                .unzip();
            group.is_aligned = is_aligned(deps, *root, &bases, &ivs);
            group.root = Some((*root, bases));
            group.moves = moves;
            group.offsets = HashSet::from([offset]);
        }
        let same = |known: &&mut Group| {
            known.root.is_some()
                && (&known.root, known.weight, known.is_write, known.is_guarded)
                    == (&group.root, group.weight, group.is_write, group.is_guarded)
        };
        match self.groups.iter_mut().find(same) {
            Some(known) => known.offsets.extend(group.offsets),
            None => self.groups.push(group),
        }
    }

    /// Number of points of a tile that differ in the loops of a mask.
    pub(super) fn points(tile: &[i64], mask: Mask) -> i64 {
        let sizes = tile.iter().enumerate();
        sizes
            .filter(|(k, _)| mask >> k & 1 == 1)
            .map(|(_, &size)| size)
            .product()
    }

    /// The loops along which the points of a tile are consecutive iterations. Along others, points
    /// beyond the last iteration may stand for the first one.
    fn whole(&self, tile: &[i64]) -> Mask {
        let separates_partial_tiles = self.separates_partial_tiles(tile);
        let is_whole = |(k, (l, &size)): (usize, (&BandLoop, &i64))| match l.trips {
            _ if self.is_spread && k == self.x => false,
            _ if separates_partial_tiles => true,
            Trips::Constant(trips) => trips % size == 0,
            Trips::Least(..) => size == 1,
        };
        let loops = self.band.iter().zip(tile).enumerate().map(is_whole);
        loops
            .enumerate()
            .fold(0, |mask, (k, is_whole)| mask | Mask::from(is_whole) << k)
    }

    /// The domain test, where the tile has more than one point.
    pub(super) fn test_of(&self, tile: &[i64]) -> Option<DomainTest> {
        let is_tiled = tile.iter().any(|&size| size > 1);
        self.test.clone().filter(|_| is_tiled)
    }

    /// Register tile of a partial tile: a part along two loops, so that rows and columns tell which
    /// points are in the domain.
    pub(super) fn part(&self, tile: &[i64]) -> Vec<i64> {
        let mut part = vec![1; tile.len()];
        if self.is_shared {
            let tiled = (0..tile.len()).rev().filter(|&k| tile[k] > 1);
            tiled.take(2).for_each(|k| {
                let most = if k == self.x { WIDE } else { 2 };
                let mut sides = (1..=most).rev().filter(|side| tile[k] % side == 0);
                part[k] = sides.next().unwrap_or(1);
            });
        }
        part
    }

    /// Number of threads of the launch.
    pub(super) fn threads(&self, tile: &[i64]) -> i64 {
        let mut threads = 1i64;
        for (l, size) in self.band.iter().zip(tile) {
            threads = threads.saturating_mul((l.assumed_trips() - 1) / size + 1);
        }
        threads
    }

    /// Modelled cost of an iteration.
    pub(super) fn cost(&self, tile: &[i64], machine: &Machine) -> f64 {
        let points: i64 = tile.iter().product();
        let mut cost = self.work(tile, machine);
        let span: i64 = self.span(tile, cost, machine).iter().product();
        cost += machine.thread as f64 / span as f64;
        if span > 1 {
            cost += machine.round as f64;
        }
        cost / (points as f64 * self.used(tile, machine)) + self.memory(machine)
    }

    /// Memory cost of an iteration of a body without loops, which no tile reduces: one element of
    /// each array that moves with all loops of the band.
    fn memory(&self, machine: &Machine) -> f64 {
        if !self.rounds.is_empty() || machine.memory == 0 {
            return 0.0;
        }
        let whole: Mask = (1 << self.band.len()) - 1;
        let moving = self.groups.iter().filter(|group| group.mask == whole);
        let arrays: HashSet<Value> = (moving.filter_map(|group| group.root.as_ref()))
            .map(|(root, _)| *root)
            .collect();
        (machine.memory * arrays.len() as i64) as f64
    }

    /// Utilization: the share of the tiles' points, and of the lanes along x, that are iterations.
    pub(super) fn used(&self, tile: &[i64], machine: &Machine) -> f64 {
        let mut used = 1.0;
        for (k, (l, &size)) in self.band.iter().zip(tile).enumerate() {
            let trips = l.assumed_trips();
            let tiles = (trips - 1) / size + 1;
            let lanes = if k == self.x { machine.lanes } else { 1 };
            let whole = ((tiles - 1) / lanes + 1) * lanes;
            used *= trips as f64 / (whole * size) as f64;
        }
        used
    }

    /// Work of a thread in one tile.
    pub(super) fn work(&self, tile: &[i64], machine: &Machine) -> f64 {
        self.parts(tile, machine).iter().sum()
    }

    /// Work of a thread in one tile: its accesses, its arithmetic, and the control of its loops.
    pub(super) fn parts(&self, tile: &[i64], machine: &Machine) -> [f64; 3] {
        let points: i64 = tile.iter().product();
        let mut parts = [0.0; 3];
        let whole = self.whole(tile);
        // The start matters only for targets whose strided vector accesses cost more.
        let lower = self.lower.filter(|_| machine.strided.is_some());
        let start = lower.map(|lower| lower - self.lead(tile, machine));
        for group in &self.groups {
            let cost = group.cost(tile, points as f64, machine, (whole, start));
            parts[0] += group.weight as f64 * cost;
        }
        for (&(mask, weight), &count) in &self.work {
            parts[1] += (weight * count) as f64 * Self::points(tile, mask) as f64;
        }
        for (&(mask, weight), &count) in &self.rounds {
            parts[2] += (weight * count * machine.round) as f64 * Self::points(tile, mask) as f64;
        }
        parts
    }
}
