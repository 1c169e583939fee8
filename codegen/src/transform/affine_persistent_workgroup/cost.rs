//! Cost model: a loop as launches against one persistent workgroup, in operations of the host.
//!
//! A phase of `n` operations, the longest iteration `m` of them, costs
//!
//! ```text
//! as a launch:                launch + max(n / launched, m * min(slowness, 1))
//! as a part of a workgroup:   barrier + max(n / speed, m * slowness)
//! ```
//!
//! A reduction costs `launch + min(n * min(slowness, 1), launch + n / launched)` as launches; it is a phase of a workgroup.
//!
//! A statement that threads do not share costs `slowness` an operation in a workgroup; on the
//! host it costs one, and as a launch no more than that. Loops without a parallel one inside compare
//! with the host alone.
//!
//! Where trip counts follow from sizes that the program leaves open, so does the cost, and the run compares.

use gridloom_dialects::affine::ForOp;

use super::Host;
use super::steps::Step;
use crate::analysis::counter::{Counter, counters};
use crate::analysis::estimate::Estimate;
use crate::analysis::load_store::is_store;
use crate::analysis::work::{ROOM, Work};
use crate::target::{OffloadOptions, PersistentShape};

/// Greatest size, as a power of two, for which one workgroup has to pay for the run to compare.
const MOST_SIZE: i32 = 12;

/// Costs of a loop in each form: all on the host, launches in a loop of the host, and one
/// workgroup.
#[derive(Clone)]
struct Cost {
    host: Estimate,
    launches: Estimate,
    workgroup: Estimate,
}

impl Cost {
    fn none() -> Cost {
        let [host, launches, workgroup] = [(); 3].map(|()| Estimate::Known(0.0));
        Cost {
            host,
            launches,
            workgroup,
        }
    }

    fn plus(self, other: Cost) -> Cost {
        Cost {
            host: self.host + other.host,
            launches: self.launches + other.launches,
            workgroup: self.workgroup + other.workgroup,
        }
    }

    fn times(self, count: &Estimate) -> Cost {
        Cost {
            host: self.host * count.clone(),
            launches: self.launches * count.clone(),
            workgroup: self.workgroup * count.clone(),
        }
    }
}

/// Comparison of one workgroup with launches.
pub(super) enum Gain {
    Known(bool),
    /// One workgroup takes less time where the run finds the first estimate to be less than the second.
    Open([Estimate; 2]),
}

/// Whether one workgroup takes less time for a loop than launches; `None` if the costs are unknown.
pub(super) fn gain(host: &mut Host, l: ForOp, steps: &[Step]) -> Option<Gain> {
    let options = host.options;
    let mut model = Model {
        work: Work::in_front_of(&mut host.deps.values, l.0),
        options,
        reach: Estimate::Known(0.0),
    };
    let trips = model.work.trips(l.0)?;
    let cost = model.of_steps(steps)?.times(&trips);
    // Threads' offsets fit 64 bits where bounds are in `ROOM`: those beyond it cost more than the limit.
    let most = options.persistent.most as f64;
    let reach = model.reach * (2.0 * most / ROOM.most as f64);
    let most = Estimate::Known(most);
    let launch = options.launch_cost.launch as f64;
    let other = match steps.iter().any(Step::has_kernel) {
        true => cost.launches,
        false => cost.host,
    };
    let sides = [cost.workgroup.max(reach), (other + -launch).min(most)];
    let pays_at = |size: f64| {
        let [workgroup, limit] = sides.each_ref().map(|side| side.at(size));
        workgroup < limit
    };
    Some(match sides.each_ref().map(Estimate::known) {
        [Some(_), Some(_)] => Gain::Known(pays_at(0.0)),
        _ if (0..=MOST_SIZE).any(|k| pays_at(f64::from(k).exp2())) => Gain::Open(sides),
        _ => Gain::Known(false),
    })
}

/// Whether sharing a reduction of `width` values takes threads less time than running all of it in
/// each. Those of open sizes count as long.
pub(super) fn sharing_pays(host: &mut Host, l: ForOp, width: usize) -> bool {
    let options = host.options;
    let mut model = Model {
        work: Work::known(&mut host.deps.values),
        options,
        reach: Estimate::Known(0.0),
    };
    let alone = model.work.of(l.0);
    let alone = alone.map(|work| work * options.persistent.slowness());
    let costs = [model.of_reduction(l, width), alone];
    let [Some(shared), Some(alone)] = costs.map(|cost| cost?.known()) else {
        return true;
    };
    shared < alone
}

/// Cost model of the steps of a loop.
struct Model<'v, 'a, 'o> {
    work: Work<'v, 'a>,
    options: &'o OffloadOptions,
    /// The greatest distance from 0 of bounds that threads add their offsets to.
    reach: Estimate,
}

impl Model<'_, '_, '_> {
    fn of_steps(&mut self, steps: &[Step]) -> Option<Cost> {
        let mut sum = Cost::none();
        for step in steps {
            sum = sum.plus(self.of_step(step)?);
        }
        Some(sum)
    }

    fn require_room(&mut self, counter: Counter) -> Option<()> {
        let reach = self.work.reach(counter)?;
        self.reach = self.reach.clone().max(reach);
        Some(())
    }

    /// Cost of a shared reduction: a thread's share, and the combination of partial results.
    fn of_reduction(&mut self, l: ForOp, width: usize) -> Option<Estimate> {
        let shape = self.options.persistent;
        let (slowness, barrier) = (shape.slowness(), shape.barrier as f64);
        let work = self.work.of(l.0)?;
        let trips = self.work.trips(l.0)?.max(Estimate::Known(1.0));
        let share = shape.share(work.clone(), work / trips);
        // Twice, for each value, a load and a combination of about the square root of the partial
        // results.
        let combined = (width as f64) * 4.0 * (shape.lanes as f64).sqrt() * slowness;
        Some(share + (combined + 3.0 * barrier))
    }

    fn of_step(&mut self, step: &Step) -> Option<Cost> {
        let launch = self.options.launch_cost.launch as f64;
        let shape = self.options.persistent;
        let launched = (shape.launched as f64).recip();
        let (barrier, slowness) = (shape.barrier as f64, shape.slowness());
        // A thread of a launch is as fast as the host at least.
        let alone = slowness.min(1.0);
        Some(match step {
            Step::Uniform(op) | Step::Serial(op) => {
                let work = self.work.of(*op)?;
                let body = self.work.body();
                let stores = body.walk_op(*op).into_iter().any(|op| is_store(body, op));
                let [launch, barrier] = match stores {
                    true => [launch, barrier],
                    false => [0.0, 0.0],
                };
                Cost {
                    host: work.clone(),
                    launches: work.clone() * alone + launch,
                    workgroup: work * slowness + barrier,
                }
            }
            Step::Phase(phase) => {
                let work = self.work.of(phase.op)?;
                let mut shared = Estimate::Known(1.0);
                for &counter in &phase.shared {
                    self.require_room(counter)?;
                    let trips = self.work.trips_along(counter)?;
                    shared = shared * trips.max(Estimate::Known(1.0));
                }
                let longest = work.clone() / shared;
                Cost {
                    host: work.clone(),
                    launches: (work.clone() * launched).max(longest.clone() * alone) + launch,
                    workgroup: shape.share(work, longest) + barrier,
                }
            }
            Step::Reduction(l, state) => {
                let work = self.work.of(l.0)?;
                self.require_room(counters(self.work.body(), l.0).next()?)?;
                // In a loop around launches, its elements are on the device: a kernel of one thread, or
                // one of partial results before it.
                let partial = work.clone() * launched + launch;
                Cost {
                    host: work.clone(),
                    launches: (work * alone).min(partial) + launch,
                    workgroup: self.of_reduction(*l, state.types.len())?,
                }
            }
            Step::Nest(op, steps) => {
                let trips = self.work.trips(*op)?;
                let cost = self.of_steps(steps)?.times(&trips);
                // Where the loop around is none, this one may be a persistent workgroup.
                let alone = cost.workgroup.clone() + launch;
                Cost {
                    launches: cost.launches.min(alone),
                    ..cost
                }
            }
        })
    }
}

impl PersistentShape {
    /// Cost of work that threads share, where one of them has at least the longest piece of it.
    fn share(self, work: Estimate, longest: Estimate) -> Estimate {
        (work * (self.speed as f64).recip()).max(longest * self.slowness())
    }
}
