//! Tuned schedules: turns a choice of a database into a plan, if it is legal for the nest.

use std::fmt;

use super::model::{Limit, Nest, TilingObstacle, tiling_obstacles};
use super::nest_key::nest_key;
use super::plan::{BandLoop, NestPlan, rolled, totals_fit, unrolled};
use super::staging::staging_of;
use super::variance::Variance;
use crate::analysis::dependence::Dependences;
use crate::analysis::update::updates_below;
use crate::target::OffloadOptions;
use crate::target::machine::{Machine, Tiling};
use crate::target::tuning::{Choice, Entry};

/// Limit of the iterations of one loop in a tuned tile.
pub(super) const MAX_SIDE: i64 = 16;

/// Limit of the iterations in a tuned tile.
pub(super) const MAX_POINTS: i64 = 128;

/// Limit of the tiles that a thread walks along one dimension.
const MAX_WALK: i64 = 256;

/// Slack: the factor by which a measured schedule may exceed the model's limits of registers and
/// code size.
const SLACK: i64 = 2;

/// Threads of a workgroup along z that every device takes (WebGPU's limit).
const MAX_DEPTH: i64 = 64;

/// Source of a nest's schedule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The cost model, or fixed options.
    Model,
    /// The entry on this line of the tuning database.
    Tuned(u32),
    /// The cost model, since the entry on this line of the database does not fit the nest.
    Stale(u32, Misfit),
}

/// Misfit: the reason why a choice of the database cannot be used for a nest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Misfit {
    /// The order names no loops of the band.
    Order,
    /// The tile lacks a side for some loop of the band, or has one out of range.
    Tile,
    /// A loop cannot be tiled.
    Untileable(TilingObstacle),
    /// Tiles are ruled out: the nest makes atomic updates, or no loop of it can be tiled.
    OneIteration,
    /// The tile breaks a limit of the target.
    Beyond(Limit),
    /// The number of tiles that a thread walks is out of range.
    Walk,
    /// The workgroup shape is out of range.
    Workgroup,
    /// The choice's lead is not possible for the nest.
    Lead,
    /// The choice stages loads that cannot go through workgroup memory.
    Stage,
    /// The threads of a workgroup share each iteration, so that the nest has one schedule.
    Shared,
}

/// The text that follows "its schedule cannot be used: ".
impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Misfit::Order => "'order' does not name loops of the nest",
            Misfit::Tile => "'tile' needs one size from 1 to 16 for each loop of the grid",
            Misfit::Untileable(obstacle) => {
                return write!(f, "'tile' names a loop that cannot be tiled: {obstacle}");
            }
            Misfit::OneIteration => {
                "a thread of this nest computes one iteration only, so \
                 'tile' and 'walk' have to be 1 and 'lead' 0"
            }
            Misfit::Beyond(limit) => return write!(f, "{limit}"),
            Misfit::Walk => {
                return write!(
                    f,
                    "'walk' takes numbers of tiles with a product from 1 to {MAX_WALK}, and 1 along unused \
                     dimensions of the grid"
                );
            }
            Misfit::Workgroup => "'workgroup' is out of range",
            Misfit::Lead => "'lead' does not align the tiles of this nest",
            Misfit::Stage => {
                "loads of this nest cannot be staged through workgroup memory in \
                 that way"
            }
            Misfit::Shared => {
                "the threads of a workgroup share each iteration of this nest, and that schedule \
                 has no parameters to tune"
            }
        };
        f.write_str(text)
    }
}

/// Costs and limits of the target.
pub(super) fn machine_of(options: &OffloadOptions) -> Machine {
    match &options.tiling {
        Tiling::Model(machine) => (**machine).clone(),
        // A driver that cannot compile long kernels has fixed options.
        Tiling::Fixed(_) => {
            let machine = Machine::cpu_driver();
            Machine {
                code: machine.code / 4,
                ..machine
            }
        }
    }
}

/// The plan from the database entry for a band, or else the source of its schedule.
pub(super) fn planned(
    deps: &mut Dependences,
    band: &[BandLoop],
    options: &OffloadOptions,
) -> Result<NestPlan, Origin> {
    let Some(entry) = entry_of(deps, band, options) else {
        return Err(Origin::Model);
    };
    let plan = plan_of(deps, band, &entry.choice, options);
    plan.map(|plan| NestPlan {
        origin: Origin::Tuned(entry.line),
        ..plan
    })
    .map_err(|why| Origin::Stale(entry.line, why))
}

/// The source of the schedule of a band that no entry can change: an entry for it is stale, for the
/// reason `why`.
pub(super) fn unchanged(
    deps: &Dependences,
    band: &[BandLoop],
    options: &OffloadOptions,
    why: Misfit,
) -> Origin {
    let entry = entry_of(deps, band, options);
    entry.map_or(Origin::Model, |entry| Origin::Stale(entry.line, why))
}

/// The database entry whose key is that of the band.
fn entry_of<'o>(
    deps: &Dependences,
    band: &[BandLoop],
    options: &'o OffloadOptions,
) -> Option<&'o Entry> {
    let (tuned, outer) = (options.tuned.as_ref()?, band.first()?);
    let key = nest_key(deps.values.ctx, deps.values.body, outer.counter.op);
    tuned.entries.get(&key)
}

/// Turns a choice into a plan.
///
/// # Errors
/// The reason why the choice cannot be used for the nest.
pub(super) fn plan_of(
    deps: &mut Dependences,
    band: &[BandLoop],
    choice: &Choice,
    options: &OffloadOptions,
) -> Result<NestPlan, Misfit> {
    let dims = dims_of(&choice.order, band.len()).ok_or(Misfit::Order)?;
    if !totals_fit(deps, band, &dims) {
        return Err(Misfit::Order);
    }
    let is_side = |&size: &i64| (1..=MAX_SIDE).contains(&size);
    let points = choice
        .tile
        .iter()
        .try_fold(1, |points: i64, size| points.checked_mul(*size));
    if choice.tile.len() != band.len()
        || !choice.tile.iter().all(is_side)
        || points.is_none_or(|points| points > MAX_POINTS)
    {
        return Err(Misfit::Tile);
    }
    check_workgroup(choice, &dims, options)?;
    let updates = band
        .first()
        .is_some_and(|outer| updates_below(deps.values.body, outer.counter.op));
    let nest = match updates {
        true => None,
        false => Nest::new(deps, band, &dims, choice.is_spread),
    };
    let separates_partial_tiles = match &nest {
        Some(nest) => check_tile(deps, nest, choice, options)?,
        None if points == Some(1) && choice.walk == [1; 3] && choice.lead == 0 => false,
        None => return Err(Misfit::OneIteration),
    };
    let staging = match choice.chunk {
        None => None,
        Some(_) if separates_partial_tiles || choice.lead != 0 || choice.walk != [1; 3] => {
            return Err(Misfit::Stage);
        }
        Some(chunk) => {
            let shape = (chunk, choice.workgroup);
            let staging = staging_of(deps, band, &dims, &choice.tile, shape, options);
            Some(staging.ok_or(Misfit::Stage)?)
        }
    };
    let (part, test) = match &nest {
        Some(nest) => (nest.part(&choice.tile), nest.test_of(&choice.tile)),
        None => (vec![1; band.len()], None),
    };
    Ok(NestPlan {
        band: band.to_vec(),
        part,
        test,
        dims,
        block: choice.workgroup,
        tile: choice.tile.clone(),
        span: choice.walk,
        lead: choice.lead,
        is_spread: choice.is_spread,
        walks_grid: options.walks_grid,
        separates_partial_tiles,
        is_straight: false,
        rolled: rolled(&staging, options),
        unrolled: unrolled(deps, band, &choice.tile, &staging, options.unrolling),
        staging,
        matrices: None,
        phases: None,
        origin: Origin::Model,
    })
}

/// The loops assigned to each dimension of the grid by an order of loops.
pub(super) fn dims_of(order: &[usize], loops: usize) -> Option<[Vec<usize>; 3]> {
    let is_known = order.iter().all(|&k| k < loops);
    let is_distinct = order
        .iter()
        .enumerate()
        .all(|(at, k)| !order[..at].contains(k));
    if order.len() != loops.min(2) || order.is_empty() || !is_known || !is_distinct {
        return None;
    }
    let rest = (0..loops).filter(|k| !order.contains(k)).collect();
    Some([
        vec![order[0]],
        order.get(1).copied().into_iter().collect(),
        rest,
    ])
}

fn check_workgroup(
    choice: &Choice,
    dims: &[Vec<usize>; 3],
    options: &OffloadOptions,
) -> Result<(), Misfit> {
    let is_size = |size: i64| (1..=options.max_threads).contains(&size) && size.count_ones() == 1;
    let fits = |sizes: &[i64; 3], most: i64| {
        let product = sizes
            .iter()
            .try_fold(1i64, |product, &size| product.checked_mul(size));
        product.is_some_and(|product| product <= most)
    };
    let is_used = |sizes: &[i64; 3]| {
        let mut pairs = sizes.iter().zip(dims);
        pairs.all(|(&size, loops)| size == 1 || !loops.is_empty())
    };
    let groups = &choice.workgroup;
    if !groups.iter().all(|&size| is_size(size))
        || !fits(groups, options.max_threads)
        || groups[2] > MAX_DEPTH
        || !is_used(groups)
    {
        return Err(Misfit::Workgroup);
    }
    let is_walk = |&size: &i64| (1..=MAX_WALK).contains(&size);
    match choice.walk.iter().all(is_walk) && fits(&choice.walk, MAX_WALK) && is_used(&choice.walk) {
        true => Ok(()),
        false => Err(Misfit::Walk),
    }
}

/// Checks the tile and the lead of a choice. Returns whether partial tiles are computed apart.
fn check_tile(
    deps: &Dependences,
    nest: &Nest,
    choice: &Choice,
    options: &OffloadOptions,
) -> Result<bool, Misfit> {
    let tile = &choice.tile;
    let is_barred = |(&size, may_tile): (&i64, &bool)| size > 1 && !may_tile;
    if let Some(k) = tile.iter().zip(&nest.may_tile).position(is_barred) {
        let (ctx, body) = (deps.values.ctx, deps.values.body);
        let counters: Vec<_> = nest
            .band
            .iter()
            .map(|l| l.counter.induction_var(body))
            .collect();
        let variance = Variance::new(ctx, body, nest.band[0].counter.op, &counters);
        let test = nest.test.as_ref().map(|test| test.op);
        let obstacle = tiling_obstacles(deps, nest.band, &variance, test)[k];
        return Err(obstacle.map_or(Misfit::Tile, Misfit::Untileable));
    }
    let machine = machine_of(options);
    let generous = Machine {
        registers: machine.registers * SLACK,
        code: machine.code * SLACK,
        points: [MAX_POINTS; 2],
        threads: 0,
        ..machine.clone()
    };
    // A tile of one iteration is what the mapper makes without a model, so it needs no check.
    if let Some(limit) = nest
        .limit(tile, &generous)
        .filter(|_| tile.iter().any(|&size| size > 1))
    {
        return Err(Misfit::Beyond(limit));
    }
    let is_aligned = nest.lead(tile, &machine) == choice.lead;
    match choice.lead == 0 || is_aligned {
        true => Ok(nest.separates_partial_tiles(tile)),
        false => Err(Misfit::Lead),
    }
}

/// The choice that describes a plan.
pub(super) fn choice_of(plan: &NestPlan) -> Choice {
    let order = plan.dims[..2].iter().flatten().copied();
    Choice {
        order: order.collect(),
        tile: plan.tile.clone(),
        walk: plan.span,
        workgroup: plan.block,
        lead: plan.lead,
        is_spread: plan.is_spread,
        chunk: plan.staging.as_ref().map(|staging| staging.chunk),
    }
}
