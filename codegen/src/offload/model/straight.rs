//! Straight threads: threads without branches and loops, for drivers that load what adjacent lanes read as one vector there.
//!
//! The lanes of a workgroup lie side by side along x, and a thread computes as many iterations as its loads and operations
//! permit: along x first, a workgroup apart, then along y.

use std::collections::HashSet;

use gridloom_dialects::{affine, math, memref};
use gridloom_ir::elements::element_bytes;
use gridloom_ir::op::Traits;
use gridloom_ir::{Context, OpName, Value};

use super::{Machine, Nest, ThreadSchedule, Trips};
use crate::analysis::dependence::Dependences;
use crate::offload::access_group::{Group, OTHER};
use crate::offload::map::MAX_GROUPS;
use crate::offload::variance::Mask;
use crate::target::Unrolling;

/// Start of a row of lanes, in iterations that a thread computes meanwhile.
const START: i64 = 2;

/// Least number of iterations for each lane of a workgroup: below, starting it costs more than other loads.
const LEAST_ITERATIONS: i64 = 16;

/// Limit of the loads of an iteration whose elements other rows load as well.
const MOST_SHARED: usize = 2;

/// Size that an element of an array is taken to have.
const ELEMENT_BYTES: i64 = 4;

/// Greatest number of bytes of elements that storage buffers pack; others fill words.
const PACKED_BYTES: usize = 2;

/// Limit of the bytes of all arrays, half of what the last cache of a processor has: where memory sets the pace, straight threads,
/// which scatter what they store, are slower than those that store lane by lane.
const MOST_BYTES: i64 = 16 << 20;

/// Limit of the rows of lanes in a workgroup: a workgroup of 8 rows costs a quarter of 8 of one row each.
const MAX_ROWS: i64 = 8;

impl Nest<'_> {
    /// The schedule of straight threads; `None` where the target gains nothing from them or the nest has other ones.
    pub(super) fn straight_schedule(
        &self,
        deps: &Dependences,
        machine: &Machine,
    ) -> Option<ThreadSchedule> {
        let target = machine.straight?;
        if !self.has_straight_body(deps)
            || !self.loads_at_strides(target.strided_loads)
            || !self.stores_each_iteration()
            || !self.loads_vectors()
            || !self.accesses_words(deps)
            || self.bytes(deps) > MOST_BYTES
        {
            return None;
        }
        let loads = self.accesses(|group| !group.is_write && group.mask >> self.x & 1 == 1);
        let operations = 1 + self.groups.len() as i64 + self.work.values().sum::<i64>();
        let iterations: i64 =
            (self.band.iter()).fold(1, |all: i64, l| all.saturating_mul(l.assumed_trips()));
        let most = (target.vectors / loads.max(1))
            .min(machine.code / operations)
            .min(iterations / machine.threads);
        let tile = self.straight_tile(machine, most)?;
        let rows = self.rows_of_lanes(&tile, machine)?;
        if tile.iter().product::<i64>() * rows < LEAST_ITERATIONS {
            return None;
        }
        Some(ThreadSchedule {
            span: [1; 3],
            lead: 0,
            is_spread: true,
            separates_partial_tiles: false,
            part: vec![1; tile.len()],
            test: None,
            unrolling: Unrolling::NONE,
            straight: Some(rows),
            tile,
        })
    }

    /// Whether an iteration has no branches and loops, does nothing but load, compute and store, and is proved to stay in
    /// range.
    fn has_straight_body(&self, deps: &Dependences) -> bool {
        let body = deps.values.body;
        let Some(last) = self.band.last() else {
            return false;
        };
        let ctx = deps.values.ctx;
        let below = body.walk_op(last.counter.op);
        let mut below = below[1..].iter().map(|&op| &body[op]);
        let is_rectangular =
            |l: &super::BandLoop| l.is_exact && matches!(l.trips, Trips::Constant(_));
        self.test.is_none()
            && self.band.iter().all(is_rectangular)
            && self.groups.iter().all(|group| !group.is_guarded)
            && below.all(|op| op.inline_regions().is_empty() && is_straight_operation(ctx, op.name))
    }

    /// Whether every iteration stores elements of its own only, so that its stores can be left out alone.
    fn stores_each_iteration(&self) -> bool {
        let whole: Mask = (1 << self.band.len()) - 1;
        let mut stores = self.groups.iter().filter(|group| group.is_write);
        stores.all(|group| group.mask == whole)
    }

    /// Whether adjacent lanes load from the same cache lines, and tiles of several rows would save next to none of the loads.
    fn loads_vectors(&self) -> bool {
        let whole: Mask = (1 << self.band.len()) - 1;
        let loads = self.groups.iter().filter(|group| !group.is_write);
        let mut shared = 0;
        for group in loads {
            if group.has_own_cache_lines {
                return false;
            }
            if group.mask != whole && group.mask >> self.x & 1 == 1 {
                shared += group.offsets.len();
            }
        }
        shared <= MOST_SHARED
    }

    /// Whether there are at least `least` loads for each store whose elements are no neighbours for adjacent lanes.
    fn loads_at_strides(&self, least: i64) -> bool {
        let strided = self.accesses(|group| !group.is_write && group.class == OTHER);
        let stores = self.accesses(|group| group.is_write);
        strided >= least * stores
    }

    /// Number of the accesses of some groups.
    fn accesses(&self, is_counted: impl Fn(&Group) -> bool) -> i64 {
        let counted = self.groups.iter().filter(|&group| is_counted(group));
        counted.map(|group| group.offsets.len() as i64).sum()
    }

    /// Whether the elements that adjacent lanes access fill words: the driver would load and store narrower ones lane by lane.
    fn accesses_words(&self, deps: &Dependences) -> bool {
        let ctx = deps.values.ctx;
        let mut along_lanes = (self.groups.iter()).filter(|group| group.mask >> self.x & 1 == 1);
        along_lanes.all(|group| {
            let root = group
                .root
                .as_ref()
                .map(|&(root, _)| deps.values.body.ty(root));
            let element = root.and_then(|ty| ty.memref(ctx)).map(|ty| ty.element);
            let bytes = element.and_then(|ty| element_bytes(ctx, ty));
            bytes.is_some_and(|bytes| bytes > PACKED_BYTES)
        })
    }

    /// Bytes of the arrays that the nest accesses, as far as they are known.
    fn bytes(&self, deps: &Dependences) -> i64 {
        let roots = (self.groups.iter()).filter_map(|group| Some(group.root.as_ref()?.0));
        let roots: HashSet<Value> = roots.collect();
        let bytes = roots.iter().map(|&root| {
            let ty = deps.values.body.ty(root).memref(deps.values.ctx);
            let sizes = ty.map_or(&[][..], |ty| &ty.shape);
            let known = sizes.iter().map(|&size| size.max(1));
            known.fold(ELEMENT_BYTES, i64::saturating_mul)
        });
        bytes.fold(0, i64::saturating_add)
    }

    /// Whether the nest loads from an array that it stores to.
    fn updates_in_place(&self) -> bool {
        let roots = |is_write: bool| -> Option<HashSet<Value>> {
            let groups = self
                .groups
                .iter()
                .filter(|group| group.is_write == is_write);
            groups.map(|group| Some(group.root.as_ref()?.0)).collect()
        };
        match (roots(false), roots(true)) {
            (Some(loaded), Some(stored)) => !loaded.is_disjoint(&stored),
            _ => true,
        }
    }

    /// The tile of a straight thread of at most `most` iterations. Iterations of a partial tile load what others may store
    /// at the same time, so a nest that updates arrays in place has full tiles only.
    fn straight_tile(&self, machine: &Machine, most: i64) -> Option<Vec<i64>> {
        let mut tile = vec![1; self.band.len()];
        if self.dims[0][..] != [self.x] || !self.may_tile[self.x] {
            return None;
        }
        let is_full = self.updates_in_place();
        let trips = self.band[self.x].assumed_trips();
        tile[self.x] = side_along_lanes(trips, machine.lanes, most, is_full)?;
        if let [y] = self.dims[1][..]
            && self.may_tile[y]
        {
            tile[y] = even_side(self.band[y].assumed_trips(), most / tile[self.x], is_full);
        }
        tile.iter().any(|&size| size > 1).then_some(tile)
    }

    /// Number of rows of lanes in a workgroup, along y, or along x where there is no y; `None` where the grid is too large.
    fn rows_of_lanes(&self, tile: &[i64], machine: &Machine) -> Option<i64> {
        let tiles = |loops: &Vec<usize>, lanes: i64| {
            loops.iter().fold(1i64, |tiles, &k| {
                let side = tile[k].saturating_mul(lanes);
                tiles.saturating_mul((self.band[k].assumed_trips() - 1) / side + 1)
            })
        };
        let mut groups = [
            tiles(&self.dims[0], machine.lanes),
            tiles(&self.dims[1], 1),
            tiles(&self.dims[2], 1),
        ];
        let all = groups
            .iter()
            .fold(1i64, |all, &count| all.saturating_mul(count));
        let most = (all * machine.lanes / machine.threads).clamp(1, MAX_ROWS);
        let dim = match self.dims[1].len() {
            0 => 0,
            1 => 1,
            _ => return groups.iter().all(|&count| count <= MAX_GROUPS).then_some(1),
        };
        let rows = even_side(groups[dim], most, self.updates_in_place());
        groups[dim] = (groups[dim] - 1) / rows + 1;
        groups
            .iter()
            .all(|&count| count <= MAX_GROUPS)
            .then_some(rows)
    }
}

/// Whether an operation without regions may stand in a straight thread: it loads, stores or computes, and is no function of
/// `math`, which is long in itself, so that loads matter little beside it.
pub fn is_straight_operation(ctx: &Context, name: OpName) -> bool {
    match name {
        affine::LOAD | affine::STORE | memref::LOAD | memref::STORE => true,
        math::ABSF | math::FMA | math::SQRT => true,
        _ => name.has(Traits::PURE) && !ctx.op_name_str(name).starts_with("math."),
    }
}

/// The tile along `lanes` that adjacent threads are, of up to `most` iterations: long, and such that few iterations of the last
/// workgroup are computed twice; `None` where there is none. Where it has to be full, the greatest that divides the loop.
fn side_along_lanes(trips: i64, lanes: i64, most: i64, is_full: bool) -> Option<i64> {
    let covered = |side: i64| ((trips - 1) / (side * lanes) + 1) * side * lanes;
    let gain =
        |side: i64| trips as f64 / covered(side) as f64 * (side as f64 / (side + START) as f64);
    (1..=most.min(trips / lanes))
        .filter(|&side| !is_full || covered(side) == trips)
        .max_by(|&a, &b| gain(a).total_cmp(&gain(b)))
}

/// The side of up to `most` that cuts `length` into the fewest pieces, as even as possible; where all have to be full, the
/// greatest that divides it.
fn even_side(length: i64, most: i64, is_full: bool) -> i64 {
    let most = most.clamp(1, length);
    match is_full {
        true => (1..=most)
            .rev()
            .find(|side| length % side == 0)
            .unwrap_or(1),
        false => (length - 1) / ((length - 1) / most + 1) + 1,
    }
}
