//! Schedule report: what limits a thread by the model, and the next best tile.

use std::fmt;

use super::domain_test::DomainTest;
use super::model::{Limit, Nest, TilingObstacle, tiling_obstacles};
use super::plan::{NestPlan, Trips};
use super::tuned::{Origin, choice_of, machine_of};
use super::variance::Variance;
use crate::analysis::dependence::Dependences;
use crate::analysis::update::updates_below;
use crate::target::OffloadOptions;
use crate::target::machine::Machine;
use crate::target::tuning::Choice;

/// Limit of the iterations in a tile that the report tries.
const MAX_POINTS: i64 = 64;

/// Utilization below which idle lanes count as the limit.
const LEAST_USED: f64 = 0.5;

/// Schedule of a nest with its reasons.
#[derive(Clone, PartialEq, Debug)]
pub struct Reasons {
    /// The schedule.
    pub choice: Choice,
    /// Source of the schedule: the model or a tuning database.
    pub origin: Origin,
    /// Description of the matrix plan, where matrix units compute the sums; the threads' schedule
    /// is not used then.
    pub matrices: Option<String>,
    /// Number of iterations of the grid's loops, where known.
    pub iterations: Option<i64>,
    /// The verdict of the model; `None` where a thread computes one iteration whatever it costs.
    pub model: Option<Verdict>,
    /// Obstacles to tiling of the grid's loops, outermost first.
    pub obstacles: Vec<Option<TilingObstacle>>,
    /// Whether tiles are ruled out because iterations make atomic updates.
    pub updates: bool,
}

/// Verdict of the analytic model on a schedule.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    /// Cost of an iteration, in vector operations.
    pub cost: f64,
    /// Elements that a thread loads and stores for an iteration.
    pub elements: f64,
    /// Shares of a thread's cost: accesses, arithmetic, loop control, start.
    pub shares: [f64; 4],
    /// The resource that limits the speed most.
    pub limiter: Limiter,
    /// The next best tile, and its cost.
    pub runner_up: Option<(Vec<i64>, f64)>,
    /// The best of the cheaper tiles that break a limit, its cost, and the limit.
    pub barred: Option<(Vec<i64>, f64, Limit)>,
}

/// Limiting resource of a schedule, by the model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limiter {
    /// Accesses to memory.
    Bandwidth,
    /// Arithmetic and loop control.
    Compute,
    /// The start-up of threads.
    Launch,
    /// Too few threads, or idle lanes.
    Occupancy,
}

impl Limiter {
    /// The limiter in one word, for reports.
    pub fn label(self) -> &'static str {
        match self {
            Limiter::Bandwidth => "bandwidth",
            Limiter::Compute => "compute",
            Limiter::Launch => "launch",
            Limiter::Occupancy => "occupancy",
        }
    }
}

impl fmt::Display for Limiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limiter::Bandwidth => "bandwidth: most of a thread's cost is in loads and stores",
            Limiter::Compute => {
                "compute: most of a thread's cost is in arithmetic and loop control"
            }
            Limiter::Launch => "launch: most of a thread's cost is in starting it",
            Limiter::Occupancy => {
                "occupancy: there are too few threads for the device, or lanes \
                 of subgroups are idle"
            }
        })
    }
}

/// Explains the schedule of a plan.
pub(crate) fn reasons(
    deps: &mut Dependences,
    plan: &NestPlan,
    options: &OffloadOptions,
) -> Reasons {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let root = plan.band[0].counter.op;
    let counters: Vec<_> = (plan.band.iter())
        .map(|l| l.counter.induction_var(body))
        .collect();
    let variance = Variance::new(ctx, body, root, &counters);
    let test = DomainTest::of(deps, &plan.band).map(|test| test.op);
    let obstacles = tiling_obstacles(deps, &plan.band, &variance, test);
    let iterations = plan.band.iter().try_fold(1i64, |product, l| match l.trips {
        Trips::Constant(trips) => product.checked_mul(trips),
        Trips::Least(..) => None,
    });
    let updates = updates_below(body, root);
    let nest = match updates || plan.matrices.is_some() {
        true => None,
        false => Nest::new(deps, &plan.band, &plan.dims, plan.is_spread),
    };
    let mut choice = choice_of(plan);
    if let Some(matrices) = &plan.matrices {
        choice.workgroup = [matrices.threads(), 1, 1];
    }
    Reasons {
        choice,
        matrices: plan.matrices.as_ref().map(ToString::to_string),
        origin: plan.origin.clone(),
        iterations,
        model: nest.map(|nest| verdict(&nest, &plan.tile, nest.machine(&machine_of(options)))),
        obstacles,
        updates,
    }
}

fn verdict(nest: &Nest, tile: &[i64], machine: &Machine) -> Verdict {
    let points: f64 = tile.iter().map(|&size| size as f64).product();
    let [accesses, arithmetic, control] = nest.parts(tile, machine);
    let work = accesses + arithmetic + control;
    let span: i64 = nest.span(tile, work, machine).iter().product();
    let start = machine.thread as f64 / span.max(1) as f64;
    let whole = (work + start).max(f64::MIN_POSITIVE);
    let elements = nest
        .groups
        .iter()
        .map(|group| (group.weight * group.elements(tile)) as f64);
    let cost = nest.cost(tile, machine);
    let mut runner_up: Option<(Vec<i64>, f64)> = None;
    let mut barred: Option<(Vec<i64>, f64, Limit)> = None;
    for other in nest.tiles(machine.sides, MAX_POINTS) {
        if other == tile {
            continue;
        }
        let its = nest.cost(&other, machine);
        match nest.limit(&other, machine) {
            None if runner_up.as_ref().is_none_or(|(_, best)| its < *best) => {
                runner_up = Some((other, its));
            }
            Some(limit) if its < cost && barred.as_ref().is_none_or(|(_, best, _)| its < *best) => {
                barred = Some((other, its, limit));
            }
            _ => {}
        }
    }
    let is_idle = nest.threads(tile) < machine.threads || nest.used(tile, machine) < LEAST_USED;
    let limiter = match () {
        () if is_idle => Limiter::Occupancy,
        () if start > accesses.max(arithmetic + control) => Limiter::Launch,
        () if accesses >= arithmetic + control => Limiter::Bandwidth,
        () => Limiter::Compute,
    };
    Verdict {
        cost,
        elements: elements.sum::<f64>() / points.max(1.0),
        shares: [accesses, arithmetic, control, start].map(|part| part / whole),
        limiter,
        runner_up,
        barred,
    }
}
