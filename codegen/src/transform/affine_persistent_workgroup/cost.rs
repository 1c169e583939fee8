//! Cost model: a loop as launches against one persistent workgroup, in operations of the host.
//!
//! A phase of `n` operations, the longest iteration `m` of them, costs
//!
//! ```text
//! as a launch:                launch + max(n / threads, m)
//! as a part of a workgroup:   barrier + max(n / speed, m * slowness)
//! ```
//!
//! A reduction costs `launch + min(n, launch + n / threads)` as launches; it is a phase of a workgroup.
//!
//! A statement that threads do not share costs `slowness` an operation in a workgroup; on the
//! host it costs one, and a launch where it stores. Loops without a parallel one inside compare
//! with the host alone.

use gridloom_dialects::affine::ForOp;

use super::Host;
use super::steps::Step;
use crate::analysis::load_store::is_store;
use crate::analysis::work::{trips_of, trips_of_counter, work_of};

/// Costs of a loop in each form: all on the host, launches in a loop of the host, and one
/// workgroup.
#[derive(Clone, Copy, Default)]
struct Cost {
    host: f64,
    launches: f64,
    workgroup: f64,
}

impl Cost {
    fn plus(self, other: Cost) -> Cost {
        Cost {
            host: self.host + other.host,
            launches: self.launches + other.launches,
            workgroup: self.workgroup + other.workgroup,
        }
    }

    fn times(self, count: f64) -> Cost {
        Cost {
            host: self.host * count,
            launches: self.launches * count,
            workgroup: self.workgroup * count,
        }
    }
}

/// Whether one workgroup takes less time for a loop than launches; `None` if the costs are unknown.
pub(super) fn pays(host: &mut Host, l: ForOp, steps: &[Step]) -> Option<bool> {
    let trips = trips_of(&mut host.deps.values, l.0)?;
    let cost = of_steps(host, steps)?.times(trips);
    let most = host.options.persistent.most as f64;
    let launch = host.options.wavefront.launch as f64;
    let other = match steps.iter().any(Step::has_kernel) {
        true => cost.launches,
        false => cost.host,
    };
    Some(cost.workgroup + launch < other && cost.workgroup <= most)
}

/// Whether sharing a reduction of `width` values takes threads less time than running all of it in
/// each.
pub(super) fn sharing_pays(host: &mut Host, l: ForOp, width: usize) -> Option<bool> {
    let alone = work_of(&mut host.deps.values, l.0)? * host.options.persistent.slowness as f64;
    Some(of_reduction(host, l, width)? < alone)
}

/// Cost of a shared reduction: a thread's share, and the combination of partial results.
fn of_reduction(host: &mut Host, l: ForOp, width: usize) -> Option<f64> {
    let shape = host.options.persistent;
    let work = work_of(&mut host.deps.values, l.0)?;
    let trips = trips_of(&mut host.deps.values, l.0)?.max(1.0);
    let (slowness, barrier) = (shape.slowness as f64, shape.barrier as f64);
    let share = (work / shape.speed as f64).max(work / trips * slowness);
    // Twice, for each value, a load and a combination of about the square root of the partial
    // results.
    let combined = (width as f64) * 4.0 * (shape.lanes as f64).sqrt() * slowness;
    Some(share + combined + 3.0 * barrier)
}

fn of_steps(host: &mut Host, steps: &[Step]) -> Option<Cost> {
    let mut sum = Cost::default();
    for step in steps {
        sum = sum.plus(of_step(host, step)?);
    }
    Some(sum)
}

fn of_step(host: &mut Host, step: &Step) -> Option<Cost> {
    let (launch, threads) = (
        host.options.wavefront.launch as f64,
        host.options.wavefront.threads as f64,
    );
    let shape = host.options.persistent;
    let (barrier, slowness) = (shape.barrier as f64, shape.slowness as f64);
    Some(match step {
        Step::Uniform(op) | Step::Serial(op) => {
            let work = work_of(&mut host.deps.values, *op)?;
            let stores = (host.body().walk_op(*op).into_iter()).any(|op| is_store(host.body(), op));
            let [launch, barrier] = match stores {
                true => [launch, barrier],
                false => [0.0, 0.0],
            };
            Cost {
                host: work,
                launches: work + launch,
                workgroup: work * slowness + barrier,
            }
        }
        Step::Phase(phase) => {
            let work = work_of(&mut host.deps.values, phase.op)?;
            let mut shared = 1.0;
            for &counter in &phase.shared {
                shared *= trips_of_counter(&mut host.deps.values, counter)?.max(1.0);
            }
            let longest = work / shared;
            Cost {
                host: work,
                launches: launch + (work / threads).max(longest),
                workgroup: barrier + (work / shape.speed as f64).max(longest * slowness),
            }
        }
        Step::Reduction(l, state) => {
            let work = work_of(&mut host.deps.values, l.0)?;
            // In a loop around launches, its elements are on the device: a kernel of one thread, or
            // one of partial results before it.
            Cost {
                host: work,
                launches: launch + work.min(launch + work / threads),
                workgroup: of_reduction(host, *l, state.types.len())?,
            }
        }
        Step::Nest(op, steps) => {
            let trips = trips_of(&mut host.deps.values, *op)?;
            let cost = of_steps(host, steps)?.times(trips);
            // Where the loop around is none, this one may be a persistent workgroup.
            let alone = launch + cost.workgroup;
            Cost {
                launches: cost.launches.min(alone),
                ..cost
            }
        }
    })
}
