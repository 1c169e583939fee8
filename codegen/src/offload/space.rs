//! Search space of a nest's schedules, for a tuner, with the model's cost of each.
//!
//! Rows that workgroups share have one schedule. Of the others loops along x and y, register tiles,
//! tiles in a row, shapes of workgroups, interleaving and chunks of staged loads vary. Every
//! candidate passes the same checks as an entry of a database ([`super::tuned`]), so that all of
//! them are legal.

use gridloom_ir::Loc;

use super::model::Nest;
use super::nest_key::nest_key;
use super::plan::NestPlan;
use super::tuned::{MAX_POINTS, choice_of, dims_of, machine_of, plan_of};
use super::workgroup_size::block_size;
use crate::analysis::dependence::Dependences;
use crate::analysis::update::updates_below;
use crate::target::OffloadOptions;
use crate::target::machine::Machine;
use crate::target::tuning::{Choice, NestKey};

/// Schedules of a nest to choose from.
#[derive(Clone, PartialEq, Debug)]
pub struct Space {
    /// Location of the outermost loop.
    pub loc: Loc,
    /// The nest's key in a database.
    pub key: NestKey,
    /// The nest's current schedule.
    pub current: Choice,
    /// The other schedules, the cheapest by the model first.
    pub candidates: Vec<Candidate>,
}

/// Candidate: a legal schedule of a nest, with its modelled cost.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    /// The schedule.
    pub choice: Choice,
    /// Cost of an iteration by the model, in vector operations; choices that the model does not
    /// cover add a little for each difference from the default.
    pub cost: f64,
}

/// Tile sides that the space includes.
const SIDES: [i64; 9] = [1, 2, 3, 4, 5, 6, 7, 8, 16];

/// Number of the cheapest tiles kept for each order of loops.
const TILES: usize = 48;

/// Number of the cheapest tiles that are combined with all values of the other choices.
const WHOLE: usize = 4;

/// Limit of the candidates.
const MOST: usize = 1000;

/// Chunk sizes of staged loops, in iterations.
const CHUNKS: [i64; 3] = [8, 16, 32];

/// Enumerates the search space of a planned nest.
pub(crate) fn space(deps: &mut Dependences, plan: &NestPlan, options: &OffloadOptions) -> Space {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let root = plan.band[0].counter.op;
    let current = choice_of(plan);
    if plan.phases.is_some() {
        return Space {
            loc: body[root].loc,
            key: nest_key(ctx, body, root),
            current,
            candidates: Vec::new(),
        };
    }
    let mut forms = match updates_below(body, root) {
        true => Vec::new(),
        false => tiles(deps, plan, options),
    };
    if forms.is_empty() {
        let ones = vec![1; plan.band.len()];
        forms.extend(orders(plan).into_iter().map(|order| TiledOrder {
            order,
            tile: ones.clone(),
            walks: vec![[1; 3]],
            lead: 0,
            cost: 1.0,
        }));
    }
    forms.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    let mut candidates = Vec::new();
    for (rank, form) in forms.iter().enumerate() {
        for candidate in variants(form, plan, options, rank < WHOLE) {
            let is_known = |c: &Candidate| c.choice == candidate.choice;
            if candidate.choice != current
                && !candidates.iter().any(is_known)
                && plan_of(deps, &plan.band, &candidate.choice, options).is_ok()
            {
                candidates.push(candidate);
            }
        }
        if candidates.len() >= MOST {
            break;
        }
    }
    candidates.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    Space {
        loc: body[root].loc,
        key: nest_key(ctx, body, root),
        current,
        candidates,
    }
}

/// Tiled order: an order of the loops and a register tile.
struct TiledOrder {
    order: Vec<usize>,
    tile: Vec<i64>,
    /// Numbers of tiles that a thread walks: the model's, one, and twice the model's.
    walks: Vec<[i64; 3]>,
    lead: i64,
    cost: f64,
}

/// Loop orders: the pairs of loops along x and y, those of the plan first.
fn orders(plan: &NestPlan) -> Vec<Vec<usize>> {
    let loops = plan.band.len();
    let mut found = vec![choice_of(plan).order];
    for x in 0..loops {
        let pairs = (0..loops).filter(|&y| y != x).map(|y| vec![x, y]);
        found.extend(pairs);
    }
    let mut distinct: Vec<Vec<usize>> = Vec::new();
    for order in found {
        if dims_of(&order, loops).is_some() && !distinct.contains(&order) {
            distinct.push(order);
        }
    }
    distinct
}

/// The cheapest tiles for each order of loops.
fn tiles(deps: &mut Dependences, plan: &NestPlan, options: &OffloadOptions) -> Vec<TiledOrder> {
    let machine = machine_of(options);
    let mut found = Vec::new();
    for order in orders(plan) {
        let Some(dims) = dims_of(&order, plan.band.len()) else {
            continue;
        };
        let Some(nest) = Nest::new(deps, &plan.band, &dims, plan.is_spread) else {
            continue;
        };
        let machine = nest.machine(&machine);
        let mut costs: Vec<(f64, Vec<i64>)> = (nest.tiles(&SIDES, MAX_POINTS).into_iter())
            .map(|tile| (nest.cost(&tile, machine), tile))
            .collect();
        costs.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (cost, tile) in costs.into_iter().take(TILES) {
            found.push(form(&nest, order.clone(), (tile, cost), machine));
        }
    }
    found
}

fn form(
    nest: &Nest,
    order: Vec<usize>,
    (tile, cost): (Vec<i64>, f64),
    machine: &Machine,
) -> TiledOrder {
    let span = nest.span(&tile, nest.work(&tile, machine), machine);
    let twice = [span[0].saturating_mul(2), span[1], span[2]];
    let mut walks = vec![span];
    for walk in [[1; 3], twice] {
        if !walks.contains(&walk) {
            walks.push(walk);
        }
    }
    TiledOrder {
        order,
        lead: nest.lead(&tile, machine),
        tile,
        walks,
        cost,
    }
}

/// Candidates of a form: all combinations of the other choices, or those that differ from the
/// default in one choice.
fn variants(
    form: &TiledOrder,
    plan: &NestPlan,
    options: &OffloadOptions,
    is_whole: bool,
) -> Vec<Candidate> {
    let Some(dims) = dims_of(&form.order, plan.band.len()) else {
        return Vec::new();
    };
    let used = dims.iter().filter(|loops| !loops.is_empty()).count();
    let usual = options.workgroup[used.saturating_sub(1).min(2)];
    let mut groups: Vec<[i64; 3]> = Vec::new();
    for wanted in [usual].into_iter().chain(workgroup_shapes(options, used)) {
        let block = block_size(&plan.band, &dims, &form.tile, wanted, options.max_threads);
        if !groups.contains(&block) {
            groups.push(block);
        }
    }
    let is_staged = options.workgroup_memory > 0 && used > 1;
    let staged = CHUNKS
        .iter()
        .filter(|_| is_staged)
        .map(|&chunk| Some(chunk));
    let chunks: Vec<Option<i64>> = [None].into_iter().chain(staged).collect();
    let is_tiled_along_x = form.order.first().is_some_and(|&x| form.tile[x] > 1);
    let spreads: &[bool] = match is_tiled_along_x {
        true => &[plan.is_spread, !plan.is_spread],
        false => &[plan.is_spread],
    };
    let candidate = |places: [usize; 4]| {
        let [w, g, s, c] = places;
        let (is_spread, chunk) = (spreads[s], chunks[c]);
        let choice = Choice {
            order: form.order.clone(),
            tile: form.tile.clone(),
            // The threads of a staged nest enter the loop once, together, so they walk one tile.
            walk: if chunk.is_some() {
                [1; 3]
            } else {
                form.walks[w]
            },
            workgroup: groups[g],
            lead: if chunk.is_some() || is_spread {
                0
            } else {
                form.lead
            },
            is_spread,
            chunk,
        };
        let cost = form.cost * (1.0 + 0.02 * changes(places) as f64);
        Candidate { choice, cost }
    };
    let counts = [form.walks.len(), groups.len(), spreads.len(), chunks.len()];
    let all = (0..counts.iter().product()).map(|number| digits(number, counts));
    let chosen = all.filter(|&places| is_whole || changes(places) <= 1);
    chosen.map(candidate).collect()
}

/// How many choices differ from the default, which is the first of each.
fn changes(places: [usize; 4]) -> usize {
    places.into_iter().filter(|&place| place > 0).count()
}

/// The digits of a number where digit `k` counts to `counts[k]`; the last one changes fastest.
fn digits(mut number: usize, counts: [usize; 4]) -> [usize; 4] {
    let mut digits = [0; 4];
    for (digit, count) in digits.iter_mut().zip(counts).rev() {
        (*digit, number) = (number % count, number / count);
    }
    digits
}

/// Workgroup shapes for a grid with a given number of dimensions.
fn workgroup_shapes(options: &OffloadOptions, used: usize) -> Vec<[i64; 3]> {
    let lanes = machine_of(options).lanes;
    let threads = [1, 2, 4, 8].map(|groups| lanes * groups);
    let mut shapes: Vec<[i64; 3]> = threads.iter().map(|&x| [x, 1, 1]).collect();
    if used > 1 {
        shapes.extend([
            [lanes, 2, 1],
            [lanes, 4, 1],
            [lanes, 8, 1],
            [16, 16, 1],
            [8, 8, 1],
        ]);
    }
    shapes
}
