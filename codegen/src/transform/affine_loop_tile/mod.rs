//! `affine-loop-tile`: tiles perfect nests.
//!
//! ```text
//! affine.for %i = 0 to %n {              affine.for %ti = 0 to %n ceildiv 32 {
//!   affine.for %j = 0 to %m {              affine.for %tj = 0 to %m ceildiv 32 {
//!     S(%i, %j)                      ⇒       affine.for %i = %ti * 32 to min(%n, %ti * 32 + 32) {
//!                                              affine.for %j = %tj * 32 to min(%m, %tj * 32 + 32) {
//!                                                S(%i, %j)
//! ```
//!
//! `tile-size` gives one size for every loop, `tile-sizes` one for each, and `cache-size` takes the
//! largest tile whose footprint fits that many KiB ([`cache`]); the nest is as deep as it is
//! perfect, or as there are sizes. Bounds may be symbolic and depend on outer counters. Legal where
//! [`affine_schedule`](super::affine_schedule) can show it: no dependence may lead from a tile to
//! one that runs before. Other nests stay, with a remark. With `separate`, full tiles have loops of
//! their own, of constant length ([`separate`]).

mod cache;
mod separate;

use gridloom_dialects::affine::ForOp;
use gridloom_ir::{Body, Context, Diagnostics, Module};

use crate::analysis::dependence::Dependences;
use crate::transform::affine_loop_permute::perfect_nest;
use crate::transform::affine_loop_unimodular::{Planned, reschedule_module};
use crate::transform::affine_schedule::{Dimension, Nest, Schedule, reschedule};

/// Limit of the loops of a nest that are tiled.
const MAX_DEPTH: usize = 6;

/// The tile size where no option names one.
pub const DEFAULT_SIZE: i64 = 32;

/// Tile sizes, or the rule that determines them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TileSizes {
    /// One size for all loops of a nest.
    All(i64),
    /// A size for each loop, outermost first.
    Each(Vec<i64>),
    /// One size for all loops of a nest, chosen so that the footprint of a tile fits a cache of
    /// this many bytes.
    Cache(i64),
}

impl TileSizes {
    /// The sizes for a nest of `depth` loops; fewer where fewer are given.
    fn of(&self, depth: usize) -> Vec<i64> {
        match self {
            TileSizes::All(size) => vec![*size; depth.min(MAX_DEPTH)],
            // The caller replaces the default by the size that fits the cache.
            TileSizes::Cache(_) => vec![DEFAULT_SIZE; depth.min(MAX_DEPTH)],
            TileSizes::Each(sizes) => sizes.iter().copied().take(depth.min(MAX_DEPTH)).collect(),
        }
    }
}

/// Tiles the nests of the host functions of a module. Returns whether anything changed,
/// and why nests stay.
pub fn tile_module(
    ctx: &Context,
    module: &mut Module,
    sizes: &TileSizes,
    separates: bool,
) -> (bool, Diagnostics) {
    let finish = |body: &mut Body, loops: &[ForOp]| {
        // The point loops are the last ones of the schedule, one for each tiled or untiled
        // dimension.
        let depth = (1..=loops.len()).find(|&depth| {
            let sizes = sizes.of(depth);
            sizes.len() == depth
                && depth + sizes.iter().filter(|&&size| size > 1).count() == loops.len()
        });
        if let Some(depth) = depth.filter(|_| separates) {
            let points = &loops[loops.len() - depth..];
            separate::separate(ctx, body, points, &sizes.of(depth));
        }
    };
    reschedule_module(ctx, module, |deps, root| plan(deps, root, sizes), finish)
}

fn plan(deps: &mut Dependences, root: ForOp, sizes: &TileSizes) -> Planned {
    let (loops, _) = perfect_nest(deps, root);
    let sizes = match sizes {
        TileSizes::Cache(bytes) => {
            let side = cache::side_for(deps, &loops, *bytes);
            TileSizes::All(side).of(loops.len())
        }
        sizes => sizes.of(loops.len()),
    };
    let Some(schedule) = tiled(&sizes) else {
        return Planned::Done(None);
    };
    let nest = Nest::new(deps, root, sizes.len());
    let plan = nest.and_then(|nest| reschedule(deps, nest, &schedule));
    Planned::of(deps, root, plan)
}

/// Schedule of a tiled nest: its tile loops, then its loops; `None` if all tiles are single
/// iterations.
pub fn tiled(sizes: &[i64]) -> Option<Schedule> {
    let dimension = |k: usize, tile: i64| {
        let mut coefficients = vec![0; sizes.len()];
        coefficients[k] = 1;
        Dimension {
            coefficients,
            shift: 0,
            tile,
        }
    };
    let sized = sizes.iter().enumerate().filter(|(_, size)| **size > 1);
    let mut dimensions: Vec<Dimension> = sized.map(|(k, &size)| dimension(k, size)).collect();
    if dimensions.is_empty() {
        return None;
    }
    dimensions.extend((0..sizes.len()).map(|k| dimension(k, 1)));
    Schedule::new(dimensions)
}
