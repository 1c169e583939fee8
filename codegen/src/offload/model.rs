//! The analytic model: what a thread of a target gains from a tile.
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

mod apart;
mod bars;
mod limit;
mod rounds;
mod search;

use std::collections::{BTreeMap, HashSet};

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::{arith, gridloom, memref, scf};
use gridloom_ir::{OpId, Value};

use super::access_group::{Group, OTHER, WIDE, moves};
use super::alignment::is_aligned;
use super::domain_test::DomainTest;
use super::jam::split::{can_split, varied_ends};
use super::plan::{BandLoop, Trips};
use super::variance::{Mask, Variance};
use crate::analysis::access::{Access, Place, accesses_below};
use crate::analysis::dependence::Dependences;
use crate::analysis::eligible::element_count;
use crate::analysis::stride::stride;
use crate::analysis::update::updates_below;
use crate::analysis::values::Atom;
use crate::target::OffloadOptions;
use crate::target::machine::{Machine, Tiling};
pub use bars::{Bar, bars};
pub use limit::Limit;
use rounds::{MOST_ROUNDS, control, rounds, rounds_around, windows};

/// Operations that the check of an access not proved in range counts for, in
/// what the driver has to compile: a branch, a merge, the report of the fault. Of
/// a body with a hundred of them SwiftShader runs out of memory, and lavapipe
/// takes twenty seconds.
pub(super) const GUARD: i64 = 24;

/// Loops and branches within each other that are jammed at most.
const MAX_DEPTH: usize = 64;

/// Schedule of a thread: its register tile, and how many tiles it walks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// Iterations of each loop side by side.
    pub tile: Vec<i64>,
    /// Tiles along x, y and z one after the other.
    pub span: [i64; 3],
    /// Iterations by which the first tile along x begins before the first one; only where tiles
    /// that are not full are done apart.
    pub lead: i64,
    /// Whether the tiles of a workgroup interleave along x.
    pub is_spread: bool,
    /// Whether tiles that are not full are done apart, point by point. Where the
    /// body has no loops, that costs little, and saves the selection of points.
    pub is_apart: bool,
    /// Iterations of each loop side by side in tiles that are not full, where these are done apart.
    pub part: Vec<i64>,
    /// The test that says of tiles whether they are full.
    pub test: Option<DomainTest>,
}

/// The schedule of a band whose loops lie behind these dimensions.
pub fn schedule(
    deps: &mut Dependences,
    band: &[BandLoop],
    dims: &[Vec<usize>; 3],
    options: &OffloadOptions,
) -> Schedule {
    let plain = Schedule {
        tile: vec![1; band.len()],
        span: [1; 3],
        lead: 0,
        is_spread: options.is_spread,
        is_apart: false,
        part: vec![1; band.len()],
        test: None,
    };
    // A tile that juts out repeats a point, and one copy serves points that it does not vary
    // with: an update is to run once for each.
    if let Some(outer) = band.first()
        && updates_below(deps.values.body, outer.counter.op)
    {
        return plain;
    }
    let Some(mut nest) = Nest::new(deps, band, dims, options.is_spread) else {
        return plain;
    };
    match &options.tiling {
        Tiling::Fixed(sizes) => {
            let mut tile = plain.tile;
            for (loops, &size) in dims.iter().zip(sizes) {
                if let Some(&k) = loops.last()
                    && nest.may_tile[k]
                {
                    tile[k] = size;
                }
            }
            Schedule {
                span: [1; 3],
                lead: 0,
                is_spread: options.is_spread,
                is_apart: nest.is_apart(&tile),
                part: nest.part(&tile),
                test: nest.test_of(&tile),
                tile,
            }
        }
        Tiling::Model(machine) => nest.best(machine),
    }
}

/// Nest as the cost model sees it.
pub(super) struct Nest<'a> {
    pub(super) band: &'a [BandLoop],
    /// The loops behind each dimension of the grid.
    dims: &'a [Vec<usize>; 3],
    /// The loop that adjacent threads differ in.
    pub(super) x: usize,
    /// Whether the tiles of a workgroup interleave along x.
    pub(super) is_spread: bool,
    /// The first iteration of that loop, where it is a constant.
    pub(super) lower: Option<i64>,
    pub(super) may_tile: Vec<bool>,
    /// The domain test.
    pub(super) test: Option<DomainTest>,
    /// Whether the points of a tile that is not full can be computed side by side.
    is_shared: bool,
    pub(super) groups: Vec<Group>,
    /// Arithmetic: what it varies with, and how often it runs.
    work: BTreeMap<(Mask, i64), i64>,
    /// Rounds of sequential loops, by what the loops vary with.
    pub(super) rounds: BTreeMap<(Mask, i64), i64>,
    /// Values that each loop carries, by what they vary with.
    carried: Vec<Vec<Mask>>,
    /// Loops of other lengths for other points: what they vary with, and how many of their ends do.
    split: Vec<(Mask, i64)>,
}

/// Iterations of a loop of the band of which no constant number is known.
const SOME_TRIPS: i64 = 512;

/// Elements of a line of the cache.
const LINE: u64 = 16;

/// Work of a thread as a multiple of the cost of starting it.
const SHARE: f64 = 64.0;

impl<'a> Nest<'a> {
    /// `None` if no loop can be tiled.
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
            may_tile: (bars(deps, band, &variance, test.as_ref().map(|test| test.op)).iter())
                .map(Option::is_none)
                .collect(),
            is_shared: false,
            test,
            groups: Vec::new(),
            work: BTreeMap::new(),
            rounds: BTreeMap::new(),
            carried: Vec::new(),
            split: Vec::new(),
        };
        let lower = band[nest.x].counter.lower(ctx, body);
        nest.lower = lower.map.as_single_constant(ctx);
        if !nest.may_tile.contains(&true) {
            return None;
        }
        let tiled = (0..band.len()).filter(|&k| nest.may_tile[k]);
        let tiled = tiled.fold(0, |mask, k| mask | 1 << k);
        let test = nest.test.as_ref();
        nest.is_shared = test.is_some_and(|test| test.is_shared(deps, &variance, tiled));
        let accesses = accesses_below(&mut deps.values, root);
        let windows = windows(deps, band, &accesses, last);
        for access in &accesses {
            nest.add_access(deps, access, &variance, last, &windows);
        }
        for &op in &body.walk_op(last)[1..] {
            let (weight, depth) = rounds_around(deps, op, last, &windows);
            if depth > MAX_DEPTH {
                return None;
            }
            let data = &body[op];
            if matches!(data.name, affine::FOR | scf::FOR) {
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
        let is_apart = |mask: Mask| mask >> self.x & 1 == 1;
        let class = match along {
            // Loops that begin apart for each lane: at neighbours, as far as is known.
            Some(0)
                if !is_apart(mask) && is_apart(control(deps, access.op, last, variance, test)) =>
            {
                1
            }
            Some(0) if !is_apart(mask) => 0,
            Some(1) => 1,
            _ => OTHER,
        };
        let mut group = Group {
            root: None,
            x: self.x,
            is_spread: self.is_spread,
            moves: Vec::new(),
            offsets: HashSet::from([Vec::new()]),
            mask,
            weight,
            class,
            is_far: along.is_some_and(|stride| stride.unsigned_abs() >= LINE),
            is_aligned: false,
            is_write: access.is_write,
            is_guarded: !gridloom::is_in_bounds(deps.values.ctx, &deps.values.body[access.op]),
        };
        if let Place::Element {
            root: crate::analysis::alias::Root::Value(root),
            coords,
            ..
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

    /// Points of a tile that differ in the loops of a mask.
    pub(super) fn points(tile: &[i64], mask: Mask) -> i64 {
        let sizes = tile.iter().enumerate();
        sizes
            .filter(|(k, _)| mask >> k & 1 == 1)
            .map(|(_, &size)| size)
            .product()
    }

    /// The loops along which the points of a tile are known to be neighbours: where a tile may jut
    /// out, and is not done apart then, those beyond stand for the first one.
    fn whole(&self, tile: &[i64]) -> Mask {
        let is_apart = self.is_apart(tile);
        let is_whole = |(k, (l, &size)): (usize, (&BandLoop, &i64))| match l.trips {
            _ if self.is_spread && k == self.x => false,
            _ if is_apart => true,
            Trips::Constant(trips) => trips % size == 0,
            Trips::Least(..) => size == 1,
        };
        let loops = self.band.iter().zip(tile).enumerate().map(is_whole);
        loops
            .enumerate()
            .fold(0, |mask, (k, is_whole)| mask | Mask::from(is_whole) << k)
    }

    /// The test that says of tiles whether they are full, where there are tiles.
    pub(super) fn test_of(&self, tile: &[i64]) -> Option<DomainTest> {
        let is_tiled = tile.iter().any(|&size| size > 1);
        self.test.clone().filter(|_| is_tiled)
    }

    /// Parallel extents of a partial tile: a part along two loops, so that points in the domain can
    /// be told by rows and columns.
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

    /// Threads of a launch.
    pub(super) fn threads(&self, tile: &[i64]) -> i64 {
        let mut threads = 1i64;
        for (l, size) in self.band.iter().zip(tile) {
            let trips = known_trips(l);
            threads = threads.saturating_mul((trips.max(1) - 1) / size + 1);
        }
        threads
    }

    /// Cost of an iteration.
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

    /// Cost of what an iteration of a body without loops moves from and to memory, whatever its tile:
    /// an element of each array that moves with all loops of the band.
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

    /// Share of the points of all tiles, and of the lanes along x, that are iterations.
    pub(super) fn used(&self, tile: &[i64], machine: &Machine) -> f64 {
        let mut used = 1.0;
        for (k, (l, &size)) in self.band.iter().zip(tile).enumerate() {
            let trips = known_trips(l).max(1);
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
        // Runs of vectors alone depend on where they begin.
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

    /// Tiles along x, y and z in a row, so many that starting a thread costs little beside what it
    /// does.
    ///
    /// Each dimension is cut into pieces as even as possible.
    pub(super) fn span(&self, tile: &[i64], work: f64, machine: &Machine) -> [i64; 3] {
        let enough = SHARE * machine.thread as f64 / work.max(1.0);
        let mut wanted = (self.threads(tile) / machine.threads)
            .min(machine.span)
            .min(enough.ceil() as i64);
        let mut span = [1; 3];
        for (dim, (span, loops)) in span.iter_mut().zip(self.dims).enumerate() {
            let tiles = loops.iter().fold(1i64, |tiles, &k| {
                tiles.saturating_mul((known_trips(&self.band[k]).max(1) - 1) / tile[k] + 1)
            });
            let lanes = if dim == 0 { machine.lanes } else { 1 };
            let steps = (tiles - 1) / lanes + 1;
            if wanted > 1 && steps > 1 {
                let pieces = (steps - 1) / wanted.min(steps) + 1;
                *span = (steps - 1) / pieces + 1;
                wanted /= *span;
            }
        }
        span
    }
}

fn known_trips(l: &BandLoop) -> i64 {
    match l.trips {
        Trips::Constant(trips) => trips,
        Trips::Least(..) => SOME_TRIPS,
    }
}
