//! Staging search: chooses a staged contraction's register tile, workgroup and chunk by a cost
//! model.
//!
//! The time of a candidate is that of the multiprocessor with the most workgroups,
//!
//! ```text
//! threads = ceil(workgroups / multiprocessors) · threads of a workgroup
//! time    = threads / lanes · (step + (copies + barrier) / chunk) + wait(threads) / chunk
//! step    = arithmetic + shared · vectors read from workgroup memory
//! ```
//!
//! for an iteration of the staged loop, where `copies` are those of a thread for a chunk, and `wait` is
//! what a chunk waits for memory, more where there are few threads. A large tile reads little for each
//! product, a small one leaves no multiprocessor without work.

use gridloom_dialects::affine::ForOp;

use super::{Contraction, Cost, StagedArray, Staging, is_unrolled, loops_of_workgroups, sides};
use crate::analysis::dependence::Dependences;
use crate::offload::model::{TilingObstacle, tiling_obstacles};
use crate::offload::plan::{BandLoop, Trips};
use crate::offload::variance::Variance;
use crate::offload::workgroup_size::block_size;
use crate::target::OffloadOptions;
use crate::target::machine::{Machine, Multiprocessors, Tiling};

/// Chunk sizes that the search tries, in iterations of the staged loop.
const CHUNKS: [i64; 3] = [8, 16, 32];

/// Least reuse: the factor by which a thread's loads from global memory must shrink.
const LEAST_GAIN: i64 = 4;

/// Workgroup shapes, along x and y, that the search tries.
const BLOCKS: [[i64; 2]; 6] = [[16, 8], [16, 16], [8, 8], [8, 16], [16, 4], [8, 4]];

/// Sides of a register tile, along x and y, that the search tries.
const SIDES: [i64; 5] = [1, 2, 4, 8, 16];

/// Penalty of a chunk that is a loop, relative to an unrolled one.
const ROLLED: f64 = 1.25;

/// Schedule of a staged nest.
pub struct Chosen {
    /// The loads that go through workgroup memory.
    pub staging: Staging,
    /// Register tile: iterations of each loop of the band that a thread computes.
    pub tile: Vec<i64>,
    /// Threads of a workgroup.
    pub block: [i64; 3],
}

/// Returns the fastest staging of a band by the cost model, where one is legal and gains enough.
pub fn plan_staging(
    deps: &mut Dependences,
    band: &[BandLoop],
    dims: &[Vec<usize>; 3],
    tile: &[i64],
    options: &OffloadOptions,
) -> Option<Chosen> {
    let ([x], [y]) = (&dims[0][..], &dims[1][..]) else {
        return None;
    };
    if options.workgroup_memory == 0 {
        return None;
    }
    // The model tiles x and y only.
    let common = match &options.tiling {
        Tiling::Model(_) => dims[2].clone(),
        Tiling::Fixed(_) => loops_of_workgroups(dims, tile),
    };
    let nest = Contraction::of(deps, band, &common)?;
    let arrays = nest.arrays(deps)?;
    let (machine, tiles) = match &options.tiling {
        Tiling::Model(machine) => (machine.multiprocessors?, tiles(deps, band, (*x, *y))),
        Tiling::Fixed(_) => (Machine::gpu().multiprocessors?, vec![tile.to_vec()]),
    };
    let chunks = options.chunk.map_or(CHUNKS.to_vec(), |chunk| vec![chunk]);
    let operations = nest.operations(deps, &arrays);
    let shapes = tiles.iter().flat_map(|tile| {
        let blocks =
            BLOCKS.map(|[x, y]| block_size(band, dims, tile, [x, y, 1], options.max_threads));
        blocks.into_iter().map(move |block| (tile, block))
    });
    let mut best: Option<(f64, Candidate)> = None;
    for (tile, block) in shapes {
        for &chunk in &chunks {
            let candidate = Candidate {
                tile,
                block,
                sides: sides(dims, tile, &block),
                chunk,
                is_unrolled: is_unrolled(operations, chunk, tile),
            };
            let Some(cost) = candidate.cost(deps, &nest, &arrays, options) else {
                continue;
            };
            if candidate.registers(&arrays, &cost) > machine.registers {
                continue;
            }
            let time = candidate.time(band, &arrays, &cost, operations, machine);
            if best.as_ref().is_none_or(|(least, _)| time < *least) {
                best = Some((time, candidate));
            }
        }
    }
    let (_, best) = best?;
    Some(Chosen {
        staging: nest.staging(deps, arrays, (best.chunk, best.tile), *x),
        tile: best.tile.clone(),
        block: best.block,
    })
}

/// Returns the register tiles along x and y that the nest permits.
fn tiles(deps: &Dependences, band: &[BandLoop], (x, y): (usize, usize)) -> Vec<Vec<i64>> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let counters: Vec<_> = (band.iter())
        .map(|l| l.counter.induction_var(body))
        .collect();
    let variance = Variance::new(ctx, body, band[0].counter.op, &counters);
    let obstacles: Vec<Option<TilingObstacle>> = tiling_obstacles(deps, band, &variance, None);
    let is_side = |k: usize, side: i64| {
        let is_short = !matches!(band[k].trips, Trips::Constant(trips) if side > trips);
        side == 1 || obstacles[k].is_none() && is_short
    };
    let pairs = SIDES
        .iter()
        .flat_map(|&a| SIDES.iter().map(move |&b| (a, b)));
    pairs
        .filter(|&(along_x, along_y)| is_side(x, along_x) && is_side(y, along_y))
        .map(|(along_x, along_y)| {
            let mut tile = vec![1; band.len()];
            (tile[x], tile[y]) = (along_x, along_y);
            tile
        })
        .collect()
}

/// Candidate of the search: tile, workgroup and chunk.
struct Candidate<'c> {
    tile: &'c Vec<i64>,
    block: [i64; 3],
    /// Iterations of each loop of the band that a workgroup computes.
    sides: Vec<i64>,
    chunk: i64,
    is_unrolled: bool,
}

impl Candidate<'_> {
    /// Returns the cost of the candidate's copies, where it is legal and gains enough.
    fn cost(
        &self,
        deps: &Dependences,
        nest: &Contraction,
        arrays: &[StagedArray],
        options: &OffloadOptions,
    ) -> Option<Cost> {
        let trips = ForOp(nest.chunked).constant_trip_count(deps.values.ctx, deps.values.body);
        // A loop of one chunk has no next chunk to fetch meanwhile.
        if trips.is_some_and(|trips| i128::from(trips) < 2 * i128::from(self.chunk)) {
            return None;
        }
        let cost = nest.cost(arrays, &self.sides, (self.chunk, self.block))?;
        let gain = nest.loads_of(self.tile, arrays) * self.chunk;
        let is_worth_it = options.chunk.is_some() || gain >= LEAST_GAIN * cost.copies;
        (cost.is_possible(options) && is_worth_it).then_some(cost)
    }

    /// Register pressure: the 32-bit registers that a thread needs for its sums, for what it reads
    /// in a step, and for its elements of the next chunk.
    fn registers(&self, arrays: &[StagedArray], cost: &Cost) -> i64 {
        let points: i64 = self.tile.iter().product();
        let bits = arrays.iter().map(|array| i64::from(array.bits));
        let words = bits.max().unwrap_or(32).max(32) / 32;
        let read: i64 = arrays.iter().map(|array| self.elements(array)).sum();
        (points + read + cost.copies) * words
    }

    /// Counts the elements of an array that a thread reads in a step.
    fn elements(&self, array: &StagedArray) -> i64 {
        let loops = array.dims.iter().flat_map(|dim| &dim.loops);
        let points: i64 = loops.map(|&k| self.tile[k]).product();
        points * array.loads.len() as i64
    }

    /// Returns the predicted time, in operations of a multiprocessor.
    fn time(
        &self,
        band: &[BandLoop],
        arrays: &[StagedArray],
        cost: &Cost,
        operations: i64,
        machine: &Multiprocessors,
    ) -> f64 {
        let points: i64 = self.tile.iter().product();
        let vectors = arrays.iter().map(|array| {
            let vector = match array.innermost() {
                Some(d) if array.dims[d].loops.len() == 1 => {
                    let side = self.tile[array.dims[d].loops[0]];
                    if side % array.vector() == 0 {
                        array.vector()
                    } else {
                        1
                    }
                }
                _ => 1,
            };
            self.elements(array) / vector
        });
        let shared = vectors.sum::<i64>() * machine.shared;
        let own = self.block.iter().product::<i64>();
        let barrier = machine.barrier * own / 32;
        // A multiply-add counts as one operation.
        let arithmetic = points * ((operations + 1) / 2);
        let mut step = (arithmetic + shared) as f64;
        if !self.is_unrolled {
            step *= ROLLED;
        }
        let chunk = (cost.copies * machine.copy + barrier) as f64 / self.chunk as f64;
        let groups = band
            .iter()
            .zip(&self.sides)
            .map(|(l, &side)| (l.assumed_trips() - 1) / side + 1);
        let groups = groups.fold(1i64, i64::saturating_mul);
        let rounds = (groups - 1) / machine.count + 1;
        let threads = own.saturating_mul(rounds) as f64;
        let waiting = machine.latency as f64 + machine.waiting as f64 / threads;
        threads * (step + chunk) / machine.lanes as f64 + waiting / self.chunk as f64
    }
}
