//! `affine-serial-nests`: gives long loop nests that are no kernels to one thread of the device.
//!
//! ```text
//! %r = affine.for %i = 0 to 2000                 %cell = memref.alloca() : memref<f32>
//!     iter_args(%s = %z) -> f32 {                affine.parallel (%one) = (0) to (1) {
//!   affine.for %j = 0 to 2000 {                    %r = affine.for %i = 0 to 2000 … {
//!     … %d[%j] … affine.store … %d[%j + 1]  ⇒        …
//!   }                                              }
//!   affine.yield %t                                affine.store %r, %cell[]
//! }                                              }
//!                                                %r1 = affine.load %cell[]
//! ```
//!
//! A driver that runs kernels on the CPU compiles them: on lavapipe one thread takes a twentieth of the time of
//! the host's interpreter, and the data stays where kernels before and behind have it.
//!
//! Legal as the band has one iteration, which is the nest in its order; parallel loops inside may run in order. Refused where a
//! kernel cannot hold the nest, or the host needs a result that memory cannot hold.
//!
//! Done for nests of at least [`OffloadOptions::serial_least`] operations, as far as trip counts are known: a
//! driver takes some time to compile a kernel. The rounds of loops around count; of `scf.while`, whose number is not known,
//! [`ROUNDS`] are assumed. Nests with kernels inside are left alone, but for those that launch small ones very
//! often: kernels whose trip counts depend on data, such as the runs of a run-length code, are taken to share the
//! elements that they access equally. Where sizes are open, the run compares, and the nest has a version for each outcome.

use std::collections::{HashMap, HashSet};

use gridloom_dialects::affine::{self, Bound, ParallelOp};
use gridloom_dialects::arith::{CmpFOp, CmpFPredicate};
use gridloom_dialects::{gpu, scf};
use gridloom_ir::body::Uses;
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{Body, Builder, Context, Module, OpId, Type, Value};

use super::affine_guard_bounds::is_checked_copy;
use super::affine_guard_overflow::is_fallback;
use super::element::{Element, can_be_kept, cell, outermost};
use super::estimate_value::estimate_values;
use super::gpu_serialize_loops::serialize_all;
use super::nest_versions::part_nest;
use super::plans::{Plans, change_by_plans, is_inside};
use crate::analysis::alias::Globals;
use crate::analysis::dependence::Dependences;
use crate::analysis::eligible::{becomes_kernel, obstacle_but};
use crate::analysis::estimate::Estimate;
use crate::analysis::loop_kind::is_counted_loop;
use crate::analysis::values::AffineValues;
use crate::analysis::work::{Work, known_work_of, trips_of};
use crate::target::OffloadOptions;

/// Gives long nests in the host functions of a module to one thread. Returns whether anything changed.
pub fn make_serial_nests(ctx: &Context, module: &mut Module, options: &OffloadOptions) -> bool {
    let Some(least) = options.serial_least else {
        return false;
    };
    change_by_plans(
        ctx,
        module,
        1,
        |body, globals| plan_body(ctx, body, globals, options, least as f64),
        |plan, body| plan.apply(ctx, body),
    )
}

/// Plan of a nest that one thread runs.
struct SerialNest {
    root: OpId,
    /// Results that the host uses.
    results: Vec<Value>,
    /// The times of one thread and of launches, where the run compares them.
    sides: Option<[Estimate; 2]>,
}

fn plan_body(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    options: &OffloadOptions,
    least: f64,
) -> Plans<SerialNest> {
    let mut deps = Dependences::new(ctx, body, globals);
    deps.values.reassociate = options.reassociate;
    let is_loop = |op: &OpId| is_counted_loop(body, *op);
    let mut long: HashSet<OpId> = HashSet::new();
    let mut is_frequent = false;
    for op in body.walk().into_iter().filter(is_loop) {
        let work = known_work_of(&mut deps.values, op);
        let is_launched = |rounds: f64| work >= MIN_ROUND && work * rounds >= least;
        if work >= least || is_launched(rounds_around(&mut deps.values, op)) {
            long.insert(op);
        }
        is_frequent |= match trips_of(&mut deps.values, op) {
            Some(trips) => trips * LAUNCH >= least,
            None => {
                let mut inside = body.walk_op(op).into_iter().skip(1);
                inside.any(|inner| {
                    let is_band = is_loop(&inner) || body[inner].name == scf::PARALLEL;
                    is_band && has_own_bound(&mut deps.values, op, inner)
                })
            }
        };
    }
    // Most bodies have none, and need no search for kernels.
    if long.is_empty() && !is_frequent {
        return (Vec::new(), false);
    }
    let target = options.target.as_ref();
    let kernels = kernels_of(&mut deps, options);
    let around: HashSet<OpId> = kernels.iter().flat_map(|&op| body.ancestors(op)).collect();
    let uses = deps.values.uses();
    let mut plans = Vec::new();
    let mut skipped: HashSet<OpId> = HashSet::new();
    for op in body.walk() {
        if is_inside(body, op, &skipped) {
            continue;
        }
        if kernels.contains(&op) || is_fallback(body, op) || is_checked_copy(body, op) {
            skipped.insert(op);
            continue;
        }
        if !is_loop(&op) {
            continue;
        }
        let mut sides = None;
        if around.contains(&op) {
            let inside: Vec<OpId> = (kernels.iter().copied())
                .filter(|&kernel| body.is_ancestor(op, kernel))
                .collect();
            let Some(times) = times_of(&mut deps, op, &inside, least) else {
                continue;
            };
            match times.each_ref().map(Estimate::known) {
                [Some(thread), Some(launches)] if launches < thread => continue,
                [Some(_), Some(_)] => {}
                _ => sides = Some(times),
            }
        } else if !long.contains(&op) {
            skipped.insert(op);
            continue;
        }
        let parallel = [scf::PARALLEL, scf::REDUCE];
        let is_serial = obstacle_but(ctx, body, op, target, &parallel).is_none();
        let results = used_results(ctx, body, &uses, op).filter(|_| is_serial);
        // Versions leave no results.
        let may_part = |results: &Vec<Value>| sides.is_none() || results.is_empty();
        if let Some(results) = results.filter(may_part) {
            skipped.insert(op);
            plans.push(SerialNest {
                root: op,
                results,
                sides,
            });
        }
    }
    (plans, false)
}

/// The time of a launch in a loop of the host, in operations of one thread. Measured on lavapipe: some 50 µs, and 1 ns.
const LAUNCH: f64 = 50_000.0;

/// Operations of a nest from which on a launch for each round of the loops around takes less time than the host.
const MIN_ROUND: f64 = 4.0 * LAUNCH;

/// Rounds that are assumed of a loop around whose number is not known.
const ROUNDS: f64 = 8.0;

/// How often the loops around an operation reach it.
fn rounds_around(values: &mut AffineValues, op: OpId) -> f64 {
    let body = values.body;
    let rounds = body.ancestors(op).map(|around| match body[around].name {
        scf::WHILE => ROUNDS,
        _ if is_counted_loop(body, around) => trips_of(values, around).unwrap_or(ROUNDS),
        _ => 1.0,
    });
    rounds.product()
}

/// The time of one thread for a loop, twice, and that of the launches of the kernels in it; `None` if one thread is no choice. Trip
/// counts of the kernels depend on data that the loop loads or computes.
fn times_of(
    deps: &mut Dependences,
    op: OpId,
    kernels: &[OpId],
    least: f64,
) -> Option<[Estimate; 2]> {
    let body = deps.values.body;
    let values = &mut deps.values;
    // One thread has no values of several to combine.
    if kernels.iter().any(|&kernel| body[kernel].num_results() > 0)
        || !(kernels.iter()).all(|&kernel| has_own_bound(values, op, kernel))
    {
        return None;
    }
    let launches = Work::in_front_of(values, op).trips(op)?;
    let accessed = kernels.iter().flat_map(|&kernel| body.walk_op(kernel));
    let mut elements: Option<Estimate> = None;
    for value in accessed.flat_map(|op| body[op].operands.iter().copied()) {
        if body.ty(value).memref(values.ctx).is_some() {
            let these = elements_of(values, op, value)?;
            elements = Some(elements.map_or(these.clone(), |others| others.max(these)));
        }
    }
    let statements = kernels.iter().flat_map(|&kernel| {
        let ops = body.walk_op(kernel).into_iter();
        ops.filter(move |&inner| body.parent_op(inner) == Some(kernel))
    });
    let iteration: f64 = statements
        .map(|statement| known_work_of(values, statement))
        .sum();
    let others = body.walk_op(op).len() as f64;
    let shared = elements?.max(launches.clone()) * iteration;
    let thread = (shared + launches.clone() * others + least) * 2.0;
    Some([thread, launches * LAUNCH])
}

/// The number of elements of a memref, as known in front of a loop.
fn elements_of(values: &mut AffineValues, l: OpId, memref: Value) -> Option<Estimate> {
    let ty = values.body.ty(memref).memref(values.ctx)?;
    let mut product = Estimate::Known(1.0);
    for (dim, &extent) in ty.shape.iter().enumerate() {
        product = product
            * match extent {
                DYNAMIC => {
                    let extent = values.extent(memref, dim);
                    Work::in_front_of(values, l).most(extent)?
                }
                extent => Estimate::Known(extent as f64),
            };
    }
    Some(product)
}

/// Whether a bound of a kernel in a loop is a number that the loop loads or computes from what it loads.
fn has_own_bound(values: &mut AffineValues, around: OpId, kernel: OpId) -> bool {
    let body = values.body;
    let mut atoms = Vec::new();
    for &bound in &body[kernel].operands {
        if body.ty(bound).is_index(values.ctx) {
            let expr = values.expr(bound);
            values.atoms_in(expr, &mut atoms);
        }
    }
    atoms.into_iter().any(|atom| {
        let maker = (values.atom(atom).anchor()).and_then(|value| body.defining_op(value));
        maker.is_some_and(|maker| body.is_ancestor(around, maker))
    })
}

/// The operations of a body that are, or become, kernels.
fn kernels_of(deps: &mut Dependences, options: &OffloadOptions) -> HashSet<OpId> {
    let body = deps.values.body;
    let target = options.target.as_ref();
    let mut kernels: HashSet<OpId> = HashSet::new();
    for op in body.walk() {
        if is_inside(body, op, &kernels) {
            continue;
        }
        let is_kernel = match body[op].name {
            gpu::LAUNCH | scf::PARALLEL | scf::FORALL => true,
            affine::FOR | affine::PARALLEL => becomes_kernel(deps, op, target),
            _ => false,
        };
        if is_kernel {
            kernels.insert(op);
        }
    }
    kernels
}

/// The results of a loop that something uses, if memory can hold them.
fn used_results(ctx: &Context, body: &Body, uses: &Uses, op: OpId) -> Option<Vec<Value>> {
    let used = body[op]
        .results()
        .filter(|&value| !uses.of(value).is_empty());
    let used: Vec<Value> = used.collect();
    let is_kept =
        |ty: Type| ty.is_index(ctx) || ty.signless_width(ctx) == Some(1) || can_be_kept(ctx, ty);
    used.iter()
        .all(|&value| is_kept(body.ty(value)))
        .then_some(used)
}

impl SerialNest {
    fn apply(&self, ctx: &Context, body: &mut Body) {
        match &self.sides {
            None => self.move_to_thread(ctx, body, self.root),
            Some(sides) => {
                let mut b = Builder::before(ctx, body, self.root);
                let Some([thread, launches]) = estimate_values(&mut b, sides) else {
                    return;
                };
                let conditions = [CmpFPredicate::Ole, CmpFPredicate::Ugt]
                    .map(|predicate| CmpFOp::create(&mut b, predicate, thread, launches));
                let copy = part_nest(&mut b, self.root, conditions);
                self.move_to_thread(ctx, body, copy);
            }
        }
    }

    /// Gives a nest to one thread: the planned one, or a copy of it.
    fn move_to_thread(&self, ctx: &Context, body: &mut Body, root: OpId) {
        let inside = body.walk_op(root);
        serialize_all(ctx, body, &inside);
        let place = outermost(body, root);
        let cells: Vec<Element> = (self.results.iter())
            .map(|&result| cell(ctx, body, place, body.ty(result)))
            .collect();
        let mut b = Builder::before(ctx, body, root);
        let band = ParallelOp::create(&mut b, Bound::constant(ctx, 1));
        let loaded = cells.iter().map(|cell| cell.load(&mut b));
        let loaded: HashMap<Value, Value> = self.results.iter().copied().zip(loaded).collect();
        let Some(end) = body[band.block(body)].last() else {
            return;
        };
        body.detach(root);
        body.insert_before(end, root);
        body.replace_values(|value| loaded.get(&value).copied().unwrap_or(value));
        let mut b = Builder::before(ctx, body, end);
        for (cell, &result) in cells.iter().zip(&self.results) {
            cell.store(&mut b, result);
        }
    }
}
